//! Draws the margins and the audit in figures.

use ratatui::layout::Rect;

use crate::app::{App, Target};
use crate::commands::index_of;
use crate::pen::Pen;
use crate::tabs::lab::{place_of, role_of};
use crate::text;
use crate::theme::Role;
use depth_first::margin::FAMILIES;
use lab::{Evenness, Trial, failure_interval};
use report::number;
use search::{AuditRow, Rule};

/// The width of a depth's figure.
const FIGURE: u16 = 6;
/// The width of a margin's word.
const WORD: u16 = 27;

/// Draws the families with their margins by depth, and the share of the measured changes beyond them.
pub fn draw_margins(app: &App, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(
        area,
        "margins by depth, and the share of changes beyond",
        true,
    );
    if let Some(i) = index_of("lab-panel") {
        pen.region(area, Target::Command(i));
    }
    let fits = app.lab.known.as_ref().map(|k| &k.fits);
    if let Some(branching) = fits.and_then(|f| f.branching) {
        let note = format!("the tree grows ×{branching} an iteration");
        pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
    }
    let shown = app
        .lab
        .changes()
        .map_or(usize::from(app.lab.depth), |c| c.depths.len().max(1));
    let room = usize::from(inner.width.saturating_sub(WORD) / FIGURE);
    // The deepest ones, if not all fit.
    let first = 1 + shown.saturating_sub(room);
    let x_of = |depth: usize| inner.x + WORD + (depth - first) as u16 * FIGURE;
    for depth in first..=shown {
        let label = format!("d{depth}");
        pen.put_right(
            x_of(depth),
            inner.y,
            x_of(depth) + FIGURE,
            &label,
            Role::Heading,
        );
    }
    let mut y = inner.y + 1;
    // If there is room, the share of changes beyond a margin is below it.
    let twice = usize::from(inner.height) > 2 * FAMILIES.len() + 1;
    for (i, margin) in app.lab.margins.iter().enumerate() {
        if y >= inner.bottom() {
            return;
        }
        let chosen = i == app.lab.family;
        let role = role_of(i);
        let line = Rect {
            y,
            height: 1,
            ..inner
        };
        let word = text::fit(
            &margin.to_string(),
            usize::from(WORD) - 3,
            pen.glyphs.ellipsis,
        );
        pen.put(
            inner.x,
            y,
            inner.right(),
            &format!("{} {word}", FAMILIES[i].letter),
            role,
        );
        for depth in first..=shown {
            let value = margin.at(depth as i32).to_string();
            pen.put_right(x_of(depth), y, x_of(depth) + FIGURE, &value, Role::Text);
        }
        if chosen {
            let style = pen.style(Role::Selection);
            pen.tint(line, style);
        }
        y += 1;
        if (twice || chosen)
            && y < inner.bottom()
            && draw_beyond(app, pen, inner, y, i, (first, shown))
        {
            y += 1;
        }
    }
}

/// Draws the share of changes beyond a drawn margin, by depth; returns false if nothing was measured.
fn draw_beyond(
    app: &App,
    pen: &mut Pen,
    inner: Rect,
    y: u16,
    family: usize,
    depths: (usize, usize),
) -> bool {
    let Some(known) = &app.lab.known else {
        return false;
    };
    let shares = known.findings.beyond(&app.lab.margins[family]);
    if shares.is_empty() {
        return false;
    }
    pen.put(inner.x + 2, y, inner.right(), "beyond", Role::Dim);
    for depth in depths.0..=depths.1 {
        let Some(share) = shares.get(depth - 1) else {
            break;
        };
        let x = inner.x + WORD + (depth - depths.0) as u16 * FIGURE;
        let share = percent(*share).replace(' ', "");
        pen.put_right(x, y, x + FIGURE, &share, Role::Dim);
    }
    true
}

/// Returns a percentage, with a decimal if it is small, since failures are rare.
fn percent(share: f64) -> String {
    number::minus(&number::percent(share as f32))
}

fn probability(p: f64) -> String {
    if p < 1e-9 {
        String::from("<1e-9")
    } else {
        number::small(p as f32)
    }
}

/// The columns of the trials' summary after the word: heading, width.
const COLUMNS: [(&str, u16); 6] = [
    ("saves", 8),
    ("of 1st", 8),
    ("fails", 8),
    ("odds/ply", 9),
    ("95 %", 12),
    ("p", 8),
];

/// Draws what the trials found: one row per family, then the failures by depth.
pub fn draw_audit(app: &App, pen: &mut Pen, area: Rect) {
    let title = "audit at equal savings";
    let inner = pen.frame(area, title, true);
    if let Some(i) = index_of("lab-panel") {
        pen.region(area, Target::Command(i));
    }
    let Some(known) = &app.lab.known else {
        pen.put(
            inner.x + 1,
            inner.y,
            inner.right(),
            "no trial yet",
            Role::Dim,
        );
        return;
    };
    let findings = &known.findings;
    let Some(without) = findings.without.filter(|_| !findings.trials.is_empty()) else {
        let what = if findings.audit == 0 {
            "no trials asked for"
        } else {
            "the trials follow the measurement"
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
    let word = WORD.min(
        inner
            .width
            .saturating_sub(COLUMNS.iter().map(|c| c.1).sum()),
    );
    let mut x = inner.x + word;
    for (name, width) in COLUMNS {
        pen.put_right(x, inner.y, x + width, name, Role::Heading);
        x += width;
    }
    let mut y = inner.y + 1;
    for trial in &findings.trials {
        if y >= inner.bottom() {
            return;
        }
        let evenness = Evenness::of(&trial.audits, findings.tested.rule());
        draw_trial(
            pen,
            Rect {
                y,
                height: 1,
                ..inner
            },
            word,
            trial,
            &evenness,
            without,
        );
        y += 1;
    }
    let rest = Rect {
        y,
        height: inner.bottom().saturating_sub(y),
        ..inner
    };
    draw_failures(pen, rest, &findings.trials, findings.tested.rule());
}

fn draw_trial(
    pen: &mut Pen,
    line: Rect,
    word: u16,
    trial: &Trial,
    evenness: &Evenness,
    without: u64,
) {
    let place = place_of(&trial.margin);
    let name = format!("{} {}", FAMILIES[place].letter, trial.margin);
    let name = text::fit(
        &name,
        usize::from(word.saturating_sub(1)),
        pen.glyphs.ellipsis,
    );
    pen.put(line.x, line.y, line.right(), &name, role_of(place));
    let share = evenness.failed as f64 / evenness.tried.max(1) as f64;
    let cells = [
        percent(1.0 - trial.nodes as f64 / without.max(1) as f64),
        trial.saving.map_or_else(String::new, percent),
        if evenness.tried > 0 {
            number::rare(share)
        } else {
            String::new()
        },
        evenness
            .slope
            .map_or_else(|| "–".to_owned(), |s| format!("×{:.2}", s.value.exp())),
        evenness
            .factor_interval()
            .map_or_else(String::new, |(low, high)| format!("{low:.2}–{high:.2}")),
        evenness.p.map_or_else(String::new, probability),
    ];
    let mut x = line.x + word;
    for ((_, width), cell) in COLUMNS.iter().zip(cells) {
        let cell = pen.glyphs.text(&cell);
        pen.put_right(x, line.y, x + width, &cell, Role::Text);
        x += width;
    }
}

/// Draws one row per depth and one column per family: the share that failed, and its interval if there is room.
fn draw_failures(pen: &mut Pen, area: Rect, trials: &[Trial], rule: Rule) {
    let each = area.width.saturating_sub(6) / trials.len().max(1) as u16;
    if each < 9 || area.height < 3 {
        return;
    }
    let wide = each >= 21;
    let x_of = |i: usize| area.x + 6 + i as u16 * each;
    pen.put(area.x, area.y, area.right(), "depth", Role::Heading);
    for (i, trial) in trials.iter().enumerate() {
        let place = place_of(&trial.margin);
        let name = if wide {
            FAMILIES[place].name.to_owned()
        } else {
            FAMILIES[place].letter.to_string()
        };
        pen.put_right(x_of(i), area.y, x_of(i) + each, &name, role_of(place));
    }
    let of = |trial: &Trial, depth: u8| -> Option<AuditRow> {
        let mut found = trial
            .audits
            .iter()
            .filter(|t| t.rule == rule && t.depth == depth);
        found.next().copied()
    };
    let mut y = area.y + 1;
    for depth in 0..=u8::MAX {
        if !trials
            .iter()
            .any(|t| of(t, depth).is_some_and(|a| a.tried > 0))
        {
            continue;
        }
        if y >= area.bottom() {
            return;
        }
        pen.put(area.x, y, area.right(), &depth.to_string(), Role::Text);
        for (i, trial) in trials.iter().enumerate() {
            let Some((tally, (low, high))) =
                of(trial, depth).and_then(|t| Some((t, failure_interval(&t)?)))
            else {
                continue;
            };
            let share = number::rare(tally.failed as f64 / tally.tried as f64);
            let cell = if wide {
                format!(
                    "{share} ({})",
                    number::rare_between(low, high).trim_end_matches(" %")
                )
            } else {
                share
            };
            let cell = pen.glyphs.text(&cell);
            pen.put_right(x_of(i), y, x_of(i) + each, &cell, Role::Text);
        }
        y += 1;
    }
}
