//! Draws the header: who searches, how far, and with what result.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::numbers;
use crate::context::Context;
use crate::tabs::compare::{Compare, CompareTarget, letter, role};
use crate::views::facts::Numbers;
use report::lens::{Scores, Unit};
use report::text::line;
use screen::pen::Pen;
use screen::theme::Role;
use search::StopReason;
use session::debug::Why;
use session::{NodeBelief, NodeValue, Source, State, Status};
use studies::compare::Face;
use tree::{Bound, Tree};

/// The content of a column's lines.
struct Head {
    name: String,
    state: (char, String, Role),
    /// The best move and the score, then figures that are dropped from the end if there is no room.
    figures: Vec<String>,
    in_trouble: bool,
    /// The principal variation, or what the trouble is.
    line: String,
    line_role: Role,
}

/// The width of each figure, including the blank before it.
const FIGURES: [u16; 9] = [9, 8, 6, 8, 9, 9, 9, 9, 10];

pub(super) fn draw(compare: &Compare, cx: &Context, pen: &mut Pen, area: Rect, lines: u16) {
    let numbers = numbers(cx, pen);
    let heads: Vec<Head> = (0..compare.specs.len())
        .map(|column| head(compare, cx, &numbers, column))
        .collect();
    let widest = |of: fn(&Head) -> usize| heads.iter().map(of).max().unwrap_or(0) as u16;
    let state = widest(|h| text::width(&h.state.1) + 3).min(area.width / 3);
    let name = widest(|h| text::width(&h.name) + 1).min(area.width / 3);
    for (column, head) in heads.iter().enumerate() {
        let line = Rect {
            y: area.y + column as u16 * lines,
            height: lines,
            ..area
        };
        draw_head(compare, cx, pen, line, column, head, (name, state));
        pen.region(line, CompareTarget::Column(column));
    }
}

fn draw_head(
    compare: &Compare,
    cx: &Context,
    pen: &mut Pen,
    area: Rect,
    column: usize,
    head: &Head,
    (name, state): (u16, u16),
) {
    let focused = compare.focus == column;
    let mut style = pen.style(role(column));
    if focused {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let end = area.right();
    pen.text(area.x, area.y, end, &format!(" {} ", letter(column)), style);
    let mut x = area.x + 4;
    let shown = text::fit(
        &pen.glyphs.text(&head.name),
        usize::from(name - 1),
        pen.glyphs.ellipsis,
    );
    let title = if focused { Role::Title } else { Role::Text };
    pen.put(x, area.y, x + name, &shown, title);
    x += name;
    let (sign, words, state_role) = &head.state;
    // The background of the bar does not belong in this line.
    let mut style = pen.style(*state_role);
    style.bg = None;
    let words = text::fit(
        &pen.glyphs.text(words),
        usize::from(state.saturating_sub(3)),
        pen.glyphs.ellipsis,
    );
    pen.text(x, area.y, x + state, &format!("{sign} {words}"), style);
    x += state;
    if head.in_trouble && area.height == 1 {
        let what = text::fit(
            &pen.glyphs.text(&head.line),
            usize::from(end.saturating_sub(x)),
            pen.glyphs.ellipsis,
        );
        pen.put(x, area.y, end, &what, Role::Error);
        return;
    }
    let mut widths = FIGURES;
    if cx.lens.unit == Unit::Outcomes {
        // Shares of wins, draws and losses are wide, and have no spread.
        (widths[1], widths[2]) = (11, 0);
    }
    for (i, (figure, width)) in head.figures.iter().zip(widths).enumerate() {
        if x + width > end {
            break;
        }
        let role = if i == 0 { Role::MoveBest } else { Role::Text };
        pen.put_right(x, area.y, x + width, &pen.glyphs.text(figure), role);
        x += width;
    }
    if area.height > 1 {
        let room = usize::from(area.width.saturating_sub(5));
        let shown = text::fit(&pen.glyphs.text(&head.line), room, pen.glyphs.ellipsis);
        pen.put(area.x + 4, area.y + 1, end, &shown, head.line_role);
    }
}

fn head(compare: &Compare, cx: &Context, numbers: &Numbers, column: usize) -> Head {
    let spec = &compare.specs[column];
    let name = text::sanitise(&spec.to_string());
    let faces = cx.faces();
    let Some(Some(face)) = faces.get(column) else {
        return Head {
            name,
            state: (numbers.glyphs.paused, "waits".to_owned(), Role::Paused),
            figures: Vec::new(),
            in_trouble: false,
            line: String::new(),
            line_role: Role::Dim,
        };
    };
    let status = face.status();
    let reader = face.reader();
    let best = reader.best_names(Tree::ROOT);
    let verdict = NodeValue::of(&reader.view(Tree::ROOT), reader.scale());
    let belief = reader.belief_about_best();
    let scores = cx.lens.at(&reader, Tree::ROOT).tight();
    let mut figures = vec![
        best.first()
            .map(|m| text::sanitise(&m.san))
            .unwrap_or_default(),
        score(&scores, &verdict, belief.as_ref()),
        belief
            .and_then(|b| numbers.spread_at(b.mean, b.sd))
            .unwrap_or_default(),
    ];
    figures.extend(work(cx, &status));
    let trouble = face.trouble();
    Head {
        name,
        state: state(cx, numbers, column, *face, &status),
        figures,
        in_trouble: trouble.is_some(),
        line_role: if trouble.is_some() {
            Role::Error
        } else {
            Role::Dim
        },
        line: match trouble {
            Some(trouble) => text::sanitise(&trouble.message),
            None => text::sanitise(&line(&best, best.len())),
        },
    }
}

/// Returns the root's score, with the sign of a bound.
fn score(scores: &Scores, verdict: &NodeValue, belief: Option<&NodeBelief>) -> String {
    let Some(e) = verdict.expected else {
        return String::new();
    };
    let sign = scores.sign(verdict.bound.unwrap_or(Bound::Exact));
    let (sd, told) = belief.map_or((0.0, false), |b| (b.sd, b.source == Source::Outcomes));
    match verdict.score.filter(|s| s.is_decided()) {
        Some(score) => format!("{}{}", verdict.sign(), scores.score(score)),
        None => format!("{sign}{}", scores.outcome(e, sd, told)),
    }
}

/// Returns nodes, speed, depth, CPU time, memory and threads.
fn work(cx: &Context, status: &Status) -> Vec<String> {
    let timed = |text: String| if cx.timeless { String::new() } else { text };
    let speed = if status.cpu.is_zero() {
        String::new()
    } else {
        format!(
            "{}/s",
            text::count(status.nodes_per_working_second() as u64)
        )
    };
    let depth = match status.totals.depth {
        0 => format!("ply {}", status.totals.selective_depth),
        depth => format!("d {depth}/{}", status.totals.selective_depth),
    };
    let threads = match status.threads {
        1 => String::new(),
        n => format!("{n} thr"),
    };
    vec![
        format!("{} n", text::count(status.totals.nodes)),
        timed(speed),
        depth,
        timed(text::duration(status.cpu)),
        text::bytes(status.tree_bytes),
        threads,
    ]
}

fn state(
    cx: &Context,
    numbers: &Numbers,
    column: usize,
    face: Face,
    status: &Status,
) -> (char, String, Role) {
    let g = numbers.glyphs;
    if face.trouble().is_some() {
        return (g.never, "in trouble".to_owned(), Role::Error);
    }
    if let Some(stop) = &cx.columns.stepping(column).stop {
        let number = text::thousands(stop.number);
        let words = match stop.why {
            Why::Breakpoint(n) => format!("breakpoint {n}, event {number}"),
            Why::Ended => format!("ended, event {number}"),
            Why::Step | Why::Asked | Why::Arrived => format!("event {number}"),
        };
        return (g.handle, words, Role::Paused);
    }
    match status.state {
        State::Running if status.totals.nodes == 0 => {
            (g.paused, "waits for its turn".to_owned(), Role::Paused)
        }
        State::Running => (g.running, "running".to_owned(), Role::Running),
        State::Paused if cx.columns.is_held(column) => {
            (g.paused, "waits for Explore".to_owned(), Role::Paused)
        }
        State::Paused => (g.paused, "paused".to_owned(), Role::Paused),
        State::Finished(reason) => (g.finished, ended(reason).to_owned(), Role::Finished),
    }
}

fn ended(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes => "nodes spent",
        StopReason::Time => "time spent",
        StopReason::Depth => "depth reached",
        StopReason::Memory => "memory full",
        StopReason::Solved => "solved",
        StopReason::User => "stopped",
        StopReason::Playouts => "playouts done",
        StopReason::Decided => "decided",
        StopReason::Fault => "broke off",
        StopReason::Exhausted => "nothing left",
        StopReason::Settled => "settled",
        StopReason::Told => "read",
    }
}
