//! Draws the page on futility: the changes of score with the margins above them, and below them the margins and the audit
//! in figures.

use ratatui::layout::Rect;

use super::{chart, table};
use crate::app::App;
use crate::pen::Pen;
use crate::tabs::lab::{LabPanel, role_of};
use crate::text;
use crate::theme::Role;
use depth_first::margin::FAMILIES;
use lab::Stage;

/// Draws the page: the chart, and below it the figures.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    if app.small.on {
        return match app.tab.screen().part(app) {
            0 => chart::draw(app, pen, area),
            1 => table::draw_margins(app, pen, area),
            _ => table::draw_audit(app, pen, area),
        };
    }
    // On a small screen the audit needs more rows than the margins do.
    let figures = match (area.height, app.lab.panel) {
        (34.., _) => 16,
        (height, LabPanel::Audit) => height * 7 / 10,
        (height, LabPanel::Margins) => height / 2,
    };
    let upper = Rect {
        height: area.height - figures,
        ..area
    };
    let lower = Rect {
        y: upper.bottom(),
        height: figures,
        ..area
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

/// Returns what the experiment is doing; `None` if there is none.
pub(super) fn state(app: &App) -> Option<(Role, String)> {
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
        let role = role_of(i);
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
