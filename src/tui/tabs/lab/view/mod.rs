//! Draws the Lab tab: the changes of score with the margins above them, and below them the margins and the audit in
//! figures.

mod chart;
pub mod differential;
pub mod spread;
mod table;

use ratatui::layout::Rect;

use super::{LabPanel, Positions};
use crate::engine::lab::{Origin, Stage};
use crate::search::depth_first::margin::FAMILIES;
use crate::tui::app::{App, LabPage, Target};
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;

/// Takes the new results of the shown page's experiment.
pub fn update(app: &mut App) {
    match app.lab.page {
        LabPage::Futility => app.lab.update(),
        LabPage::Differential => app.lab.differential.update(),
        LabPage::Spread => app.lab.spread.update(),
    }
}

/// Draws the whole tab: the pages with the question of the one that is shown, and below them the page.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    draw_pages(app, pen, area);
    let page = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    draw_page(app, pen, page);
}

fn draw_pages(app: &App, pen: &mut Pen, area: Rect) {
    let mut x = area.x + 1;
    for page in LabPage::ALL {
        let role = match page == app.lab.page {
            true => Role::TabActive,
            false => Role::Tab,
        };
        let start = x;
        x = pen.put(x, area.y, area.right(), &format!(" {} ", page.name()), role);
        let spot = Rect {
            x: start,
            width: x - start,
            height: 1,
            ..area
        };
        pen.region(spot, Target::LabPage(page));
    }
    let question = app.lab.page.question();
    if usize::from(x) + 2 + text::width(question) <= usize::from(area.right()) {
        pen.put(x + 2, area.y, area.right(), question, Role::Heading);
    }
}

fn draw_page(app: &App, pen: &mut Pen, area: Rect) {
    match app.lab.page {
        LabPage::Differential => return differential::draw(app, pen, area),
        LabPage::Spread => return spread::draw(app, pen, area),
        LabPage::Futility => {}
    }
    // A line for the settings, the chart, the figures.
    let head = Rect { height: 1, ..area };
    draw_plan(app, pen, head);
    let rest = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    if app.small.on {
        return match app.tab.screen().part(app) {
            0 => chart::draw(app, pen, rest),
            1 => table::draw_margins(app, pen, rest),
            _ => table::draw_audit(app, pen, rest),
        };
    }
    // On a small screen the audit needs more rows than the margins do.
    let figures = match (rest.height, app.lab.panel) {
        (34.., _) => 16,
        (height, LabPanel::Audit) => height * 3 / 5,
        (height, LabPanel::Margins) => height / 2,
    };
    let upper = Rect {
        height: rest.height - figures,
        ..rest
    };
    let lower = Rect {
        y: upper.bottom(),
        height: figures,
        ..rest
    };
    chart::draw(app, pen, upper);
    if lower.width >= 140 {
        let left = Rect {
            width: lower.width / 2,
            ..lower
        };
        let right = Rect {
            x: left.right(),
            width: lower.width - left.width,
            ..lower
        };
        table::draw_margins(app, pen, left);
        table::draw_audit(app, pen, right);
    } else if app.lab.panel == LabPanel::Margins {
        table::draw_margins(app, pen, lower);
    } else {
        table::draw_audit(app, pen, lower);
    }
}

/// Draws the settings of the next experiment, as much as fits.
fn draw_plan(app: &App, pen: &mut Pen, area: Rect) {
    let lab = &app.lab;
    let positions = match lab.positions {
        Positions::Samples => "the samples".to_owned(),
        Positions::Opened => text::harmless(&app.document.title),
    };
    let audit = match lab.audit {
        0 => "no trials".to_owned(),
        k => format!("audit 1 in {k}"),
    };
    let origin = match lab.origin {
        Origin::Static => "from the static value",
        Origin::Quiescence => "from quiescence",
    };
    let parts = [
        format!("{} ", lab.tested.name()),
        format!("· at most {} of {positions} ", lab.count),
        format!("· depth {} ", lab.depth),
        format!("· level {} ", text::percent(lab.level as f32)),
        format!("· {audit} "),
        format!("· {origin}"),
    ];
    let mut x = area.x + 1;
    for (i, part) in parts.iter().enumerate() {
        let part = pen.glyphs.text(part);
        let role = if i == 0 { Role::Heading } else { Role::Text };
        if x + text::width(&part) as u16 <= area.right() {
            x = pen.put(x, area.y, area.right(), &part, role);
        }
    }
}

/// Returns what the experiment is doing; `None` if there is none.
fn state(app: &App) -> Option<(Role, String)> {
    let experiment = app.lab.experiment.as_ref()?;
    let (stage, done, all) = experiment.progress();
    let of = if app.timeless {
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
pub fn legend(pen: &Pen, width: usize) -> Vec<Vec<(String, Role)>> {
    let mut words: Vec<(String, Role, String)> = vec![
        (
            "dots".into(),
            Role::Density,
            "changes of score from depth 0 to each depth, side to move, centipawns: 25 to 75 %, 5 to 95 % (sparse), and the 1 and 99 % lines; what the rule bets against is upwards".into(),
        ),
    ];
    for (i, family) in FAMILIES.iter().enumerate() {
        let role = super::role_of(i);
        let what = format!(
            "{}: {}; {}",
            family.name,
            pen.glyphs.text(family.formula),
            family.summary
        );
        words.push((family.letter.to_string(), role, what));
    }
    words.push((
        "beyond".into(),
        Role::Text,
        "the share of the measured changes above the margin, by depth".into(),
    ));
    words.push((
        "odds".into(),
        Role::Text,
        "the factor by which the odds that a prune is wrong change with each ply of depth: 1 is even. p: how likely such differences are where all depths fail alike".into(),
    ));
    let mut lines = vec![vec![("The Lab tab".to_owned(), Role::Heading)]];
    for (name, role, what) in words {
        for (n, part) in text::wrap(&what, width.saturating_sub(10))
            .into_iter()
            .enumerate()
        {
            let name = if n == 0 { name.as_str() } else { "" };
            lines.push(vec![(format!("  {name:<7} "), role), (part, Role::Hint)]);
        }
    }
    lines
}
