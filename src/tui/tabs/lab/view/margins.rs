//! Draws the page on futility: the changes of score with the margins above them, and below them the margins and the audit
//! in figures.

use ratatui::layout::{Constraint, Layout, Rect};

use super::{chart, page_legend};
use crate::commands::{CommandTarget, index_of};
use crate::context::Context;
use crate::tabs::TabScreen;
use crate::tabs::lab::{LabPanel, LabTab, place_of, role_of};
use crate::views::table;
use depth_first::margin::FAMILIES;
use lab::Stage;
use report::lab::futility::{MarginRow, by_depth, margins, trials};
use screen::pen::{Line, Pen};
use screen::theme::Role;

/// Draws the page: the chart, and below it the figures.
pub fn draw(lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
    if cx.small.on {
        return match lab.part(cx) {
            0 => chart::draw(lab, cx, pen, area),
            1 => draw_margins(lab, pen, area),
            _ => draw_audit(lab, pen, area),
        };
    }
    // On a small screen the audit needs more rows than the margins do.
    let figures = match (area.height, lab.panel) {
        (34.., _) => 16,
        (height, LabPanel::Audit) => height * 7 / 10,
        (height, LabPanel::Margins) => height / 2,
    };
    let [upper, lower] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(figures)]).areas(area);
    chart::draw(lab, cx, pen, upper);
    if lower.width >= 140 {
        let [left, right] =
            Layout::horizontal([Constraint::Length(lower.width / 2), Constraint::Fill(1)])
                .areas(lower);
        draw_margins(lab, pen, left);
        draw_audit(lab, pen, right);
    } else if lab.panel == LabPanel::Margins {
        draw_margins(lab, pen, lower);
    } else {
        draw_audit(lab, pen, lower);
    }
}

/// Draws a panel's frame, on which a click shows the other panel.
fn panel(pen: &mut Pen, area: Rect, title: &str) -> Rect {
    let inner = pen.frame(area, title, true);
    if let Some(i) = index_of("lab-panel") {
        pen.region(area, CommandTarget(i));
    }
    inner
}

/// Draws the families with their margins by depth, and the share of the measured changes beyond them.
fn draw_margins(lab: &LabTab, pen: &mut Pen, area: Rect) {
    let inner = panel(
        pen,
        area,
        "margins by depth, and the share of changes beyond",
    );
    let known = lab.known.as_ref();
    if let Some(branching) = known.and_then(|known| known.fits.branching) {
        let note = format!("the tree grows ×{branching} an iteration");
        pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
    }
    let shares = lab
        .margins
        .map(|margin| known.map(|k| k.findings.beyond(&margin)));
    // If there is room, the share of changes beyond a margin is below it.
    let twice = usize::from(inner.height) > 2 * FAMILIES.len() + 1;
    let mut rows = Vec::new();
    // The family of each row, and whether the row is the margin itself.
    let mut families = Vec::new();
    for (i, margin) in lab.margins.iter().enumerate() {
        rows.push(MarginRow::Margin(*margin, None));
        families.push((i, true));
        if let Some(shares) = shares[i].as_deref().filter(|s| !s.is_empty())
            && (twice || i == lab.family)
        {
            rows.push(MarginRow::Beyond(shares));
            families.push((i, false));
        }
    }
    let depths = lab
        .changes()
        .map_or(usize::from(lab.depth), |c| c.depths.len().max(1));
    let role = |row: usize, margin: Role| match families[row].1 {
        true => margin,
        false => Role::Dim,
    };
    let rows_look = table::Rows {
        words: Some(&|row| role(row, role_of(families[row].0))),
        numbers: Some(&|row| role(row, Role::Text)),
        chosen: families
            .iter()
            .position(|family| *family == (lab.family, true)),
        target: None,
    };
    table::draw(pen, inner, &margins(&rows, depths), &rows_look);
}

/// Draws what the trials found: one row per family, then the failures by depth.
fn draw_audit(lab: &LabTab, pen: &mut Pen, area: Rect) {
    let inner = panel(pen, area, "audit at equal savings");
    let findings = lab.known.as_ref().map(|known| &known.findings);
    let tried = findings.filter(|findings| !findings.trials.is_empty());
    let Some((findings, without)) = tried.and_then(|f| Some((f, f.without?))) else {
        let what = match findings {
            None => "no trial yet",
            Some(findings) if findings.audit == 0 => "no trials asked for",
            Some(_) => "the trials follow the measurement",
        };
        pen.put(inner.x + 1, inner.y, inner.right(), what, Role::Dim);
        return;
    };
    let note = format!(
        "1 in {}, {} nodes without {}",
        findings.audit,
        text::count(without),
        findings.tested.name()
    );
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
    let looks = table::Rows {
        words: Some(&|row| role_of(place_of(&findings.trials[row].margin))),
        ..table::Rows::default()
    };
    let visible = table::draw(pen, inner, &trials(findings, without), &looks) as u16 + 1;
    let below = Rect {
        y: inner.y + visible,
        height: inner.height.saturating_sub(visible),
        ..inner
    };
    if below.height >= 3 {
        table::draw(pen, below, &by_depth(findings), &table::Rows::default());
    }
}

/// Returns what the experiment is doing; `None` if there is none.
pub(super) fn state(lab: &LabTab, cx: &Context) -> Option<(Role, String)> {
    let experiment = lab.experiment.as_ref()?;
    let (stage, done, all) = experiment.progress();
    let of = if cx.timeless {
        String::new()
    } else {
        format!(", {done} of {all}")
    };
    Some(match stage {
        Stage::Measuring => (Role::Running, format!("measuring{of}")),
        Stage::Without => (Role::Running, format!("searching without the rule{of}")),
        Stage::Family { place, attempt } => {
            let family = experiment.plan().families.get(place);
            let name = family.map_or("", |f| f.family().name);
            (Role::Running, format!("{name}, attempt {attempt}{of}"))
        }
        Stage::Done => (Role::Finished, "done".to_owned()),
        Stage::Stopped => (Role::Paused, "stopped".to_owned()),
    })
}

/// Explains what the Lab tab shows, for the help.
pub fn legend(pen: &Pen, width: usize) -> Vec<Line> {
    let letters = FAMILIES.each_ref().map(|family| family.letter.to_string());
    let families = FAMILIES.iter().zip(&letters).enumerate();
    let families = families.map(|(i, (family, letter))| {
        let what = format!("{}: {}; {}", family.name, family.formula, family.summary);
        (letter.as_str(), role_of(i), what)
    });
    let mut words = vec![
        (
            "dots",
            Role::Density,
            "changes of score from depth 0 to each depth, side to move, centipawns: 25 to 75 %, 5 to 95 % (sparse), and the 1 and 99 % lines; what the rule bets against is upwards".to_owned(),
        ),
    ];
    words.extend(families);
    words.push((
        "beyond",
        Role::Text,
        "the share of the measured changes above the margin, by depth".to_owned(),
    ));
    words.push((
        "odds",
        Role::Text,
        "the factor by which the odds that a prune is wrong change with each ply of depth: 1 is even. p: how likely such differences are where all depths fail alike".to_owned(),
    ));
    page_legend(pen, "The Lab tab", &words, width)
}
