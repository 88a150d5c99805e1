//! The inspector: the selected node's line, its distribution, its figures, its children's shares, and why it is so.

use ratatui::layout::Rect;

use super::facts::{Facts, Numbers, Withheld, fate_sign};
use super::has_keyboard;
use crate::belief::{Density, Detail, Grid};
use crate::engine::{Reader, Shown, Source};
use crate::game::Scale;
use crate::report::why;
use crate::tree::{Bound, FATES, Family, NodeId};
use crate::tui::app::{App, Pane, Target};
use crate::tui::explorer::Row;
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::widgets::{Curve, Plot, Span, bar};

/// One line of text with the roles of its parts.
type Line = Vec<(String, Role)>;

/// Everything that is drawn, gathered while the tree is read.
struct Content {
    title: String,
    facts: Facts,
    children: Vec<Child>,
    why: String,
    grid: Grid,
    scale: Scale,
    family: Family,
    /// The search keeps beliefs and with them a policy of its own.
    beliefs: bool,
    /// Whose view the figures are.
    side: &'static str,
    is_root: bool,
    /// DISTRESS: what the node's belief is made of, from its own view.
    back_up: Option<Detail>,
}

struct Child {
    name: String,
    share: f32,
    /// From the view of the figures shown.
    density: Option<Density>,
    mean: Option<f32>,
}

pub fn draw(app: &mut App, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(app, Pane::Inspector);
    app.region(area, Target::Pane(Pane::Inspector));
    let Some(content) = gather(app) else {
        pen.frame(area, "inspector", focused);
        return;
    };
    let room = usize::from(area.width.saturating_sub(6));
    let title = text::fit_end(&content.title, room, pen.glyphs.ellipsis);
    let inner = pen.frame(area, &title, focused);
    let numbers = Numbers {
        scale: app.scale(),
        pawns: app.pawns,
        glyphs: pen.glyphs,
    };
    if inner.height < 8 {
        draw_flat(pen, inner, &content, &numbers);
    } else if inner.width > 100 && inner.height < 24 {
        draw_beside(app, pen, inner, &content, &numbers);
    } else {
        draw_tall(app, pen, inner, &content, &numbers);
    }
}

fn gather(app: &App) -> Option<Content> {
    let (row, reader) = app.selected()?;
    let facts = Facts::of(reader, &row, &mut Withheld::default())?;
    let is_root = row.parent.is_none();
    let title = if is_root {
        "the position searched".to_owned()
    } else {
        app.selected_line()
    };
    let why = if row.node.is_none() {
        let rows = reader.rows(row.parent);
        let found = rows.iter().find(|r| r.move_code == row.code)?;
        why::why(&reader, found)
    } else {
        why::why_node(&reader, row.node)
    };
    Some(Content {
        title,
        children: children(reader, &row),
        why: text::harmless(&why),
        grid: reader.tree.grid().clone(),
        scale: reader.scale(),
        family: reader.tree.family(),
        beliefs: reader.algorithm.info().beliefs,
        side: side(app, &row),
        facts,
        is_root,
        back_up: reader.back_up(row.node),
    })
}

/// The side whose view the figures are: who plays the row's move, at the root who is to move.
fn side(app: &App, row: &Row) -> &'static str {
    use crate::game::{Game, Side, Subject};
    let turn = match &app.subject {
        Subject::Chess(s) => s.position.turn(),
        Subject::Toy(s) => s.position.turn(),
    };
    let toy = matches!(app.subject, Subject::Toy(_));
    // The root's side plays the moves of odd depth.
    let first = row.depth == 0 || row.depth % 2 == 1;
    match (turn == Side::White, first, toy) {
        (true, true, false) | (false, false, false) => "White",
        (_, _, false) => "Black",
        (true, true, true) | (false, false, true) => "Max",
        (_, _, true) => "Min",
    }
}

/// The recorded children with their shares, greatest first. Their beliefs are turned to the view of the figures
/// shown: the mover's at a move, which is the children's side to move, and the root's own at the root.
fn children(reader: Reader, row: &Row) -> Vec<Child> {
    if row.node.is_none() || reader.tree.node(row.node).child_count() == 0 {
        return Vec::new();
    }
    let rows = reader.rows(row.node);
    let by_policy = reader.is_best_first() && rows.iter().any(|r| r.view.has_belief);
    let all: f64 = rows.iter().map(|r| work(reader, r.id.node())).sum();
    let mut children: Vec<Child> = rows
        .iter()
        .filter(|r| r.view.visits > 0 && !r.view.fate.is_skip())
        .map(|r| {
            let share = if by_policy {
                r.view.policy.unwrap_or(0.0)
            } else if all > 0.0 {
                (work(reader, r.id.node()) / all) as f32
            } else {
                0.0
            };
            let turned = |b: &Shown| {
                if row.parent.is_none() {
                    b.clone()
                } else {
                    b.negated()
                }
            };
            let belief = r.belief.as_ref().map(turned);
            Child {
                name: text::harmless(&r.label),
                share,
                mean: belief.as_ref().map(|b| b.mean),
                density: belief.filter(Shown::is_distribution).map(|b| b.density),
            }
        })
        .collect();
    children.sort_by(|a, b| b.share.total_cmp(&a.share));
    children
}

fn work(reader: Reader, node: Option<NodeId>) -> f64 {
    node.map_or(0.0, |id| match reader.tree.family() {
        Family::BestFirst => f64::from(reader.tree.node(id).visits()),
        Family::DepthFirst => reader.tree.node(id).nodes() as f64,
    })
}

/// A few lines below the tree: figures, then why.
fn draw_flat(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let mut y = area.y;
    let (x, end) = (area.x + 1, area.right().saturating_sub(1));
    let mut at = x;
    for (word, role) in fitting(
        figure_line(content, numbers),
        usize::from(area.width.saturating_sub(2)),
    ) {
        at = pen.put(at, y, end, &pen.glyphs.text(&word), role);
    }
    y += 1;
    let room = usize::from(end.saturating_sub(x));
    for line in text::wrap(&pen.glyphs.text(&content.why), room) {
        if y >= area.bottom() {
            return;
        }
        pen.put(x, y, end, &line, Role::Text);
        y += 1;
    }
    // What room is left shows where the work went.
    if y < area.bottom() && !content.children.is_empty() {
        let mut at = pen.put(x, y, end, share_word(content), Role::Heading) + 1;
        for child in content.children.iter().take(12) {
            let width = text::width(&child.name) as u16 + 7;
            if at + width > end {
                break;
            }
            at = pen.put(at, y, end, &pen.glyphs.text(&child.name), Role::Move) + 1;
            at = pen.put(at, y, end, &text::percent(child.share), Role::Policy) + 2;
        }
    }
}

fn share_word(content: &Content) -> &'static str {
    match content.family {
        Family::BestFirst if content.beliefs => "policy",
        Family::BestFirst => "visits",
        Family::DepthFirst => "nodes",
    }
}

/// Wide and low: the plot left, words right.
fn draw_beside(app: &mut App, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let half = area.width / 2;
    let plot = Rect {
        width: half,
        ..area
    };
    draw_plot(pen, plot, content, numbers);
    let words = Rect {
        x: area.x + half,
        width: area.width - half,
        ..area
    };
    draw_words(app, pen, words, content, numbers);
}

/// The plot above, words below; both get what they need.
fn draw_tall(app: &mut App, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let plotted = content.facts.belief.is_some() || !content.children.is_empty();
    let height = if plotted {
        (area.height * 3 / 10).clamp(5, 16)
    } else {
        0
    };
    if height > 0 {
        draw_plot(pen, Rect { height, ..area }, content, numbers);
    }
    let words = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    draw_words(app, pen, words, content, numbers);
}

fn draw_plot(pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let inner = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let span = content.span();
    let mut plot = Plot {
        span,
        ticks: ticks(span, numbers),
        curves: Vec::new(),
        lines: Vec::new(),
    };
    let (grid, belief) = (&content.grid, content.facts.belief.as_ref());
    if let Some(b) = belief {
        plot.curves
            .push(Curve::density(&b.density, grid, span, Role::Density));
    }
    for density in content.shown_children().rev() {
        plot.curves
            .push(Curve::cumulative(density, grid, span, Role::Children));
    }
    if let Some(b) = belief {
        plot.curves
            .push(Curve::cumulative(&b.density, grid, span, Role::Cumulative));
    }
    if let Some(w) = content.facts.view.window {
        plot.lines = window_lines(content, w);
    }
    plot.draw(pen, inner);
}

/// Round scores along the axis, some four of them.
fn ticks(span: Span, numbers: &Numbers) -> Vec<(f32, String)> {
    let unit = match numbers.scale {
        Scale::Logistic => 1.0,
        Scale::Linear { range, .. } => range,
    };
    let (low, high) = (span.low * unit, span.high * unit);
    let step = round_step((high - low) / 4.0);
    let first = (low / step).ceil() as i32;
    let last = (high / step).floor() as i32;
    let name = |e: f32, i: i32| match i {
        0 => "0".to_owned(),
        _ => numbers.expected(e),
    };
    (first..=last)
        .map(|i| i as f32 * step / unit)
        .zip(first..)
        .map(|(e, i)| (e, name(e, i)))
        .collect()
}

/// The next of 1, 2, 5, 10, … at or above a width.
fn round_step(width: f32) -> f32 {
    let power = 10f32.powf(width.max(1e-3).log10().floor());
    let rest = width / power;
    let step = match rest {
        ..=1.0 => 1.0,
        ..=2.0 => 2.0,
        ..=5.0 => 5.0,
        _ => 10.0,
    };
    step * power
}

impl Content {
    /// The distributions drawn behind the node's own.
    fn shown_children(&self) -> impl DoubleEndedIterator<Item = &Density> {
        const SHOWN: usize = 6;
        self.children
            .iter()
            .take(SHOWN)
            .filter_map(|c| c.density.as_ref())
    }

    /// What of the axis is shown: where the node's mass lies, and its window.
    fn span(&self) -> Span {
        let belief = self.facts.belief.iter();
        let mass = belief.flat_map(|b| {
            [
                b.quantile(0.002, &self.grid),
                b.quantile(0.998, &self.grid),
                b.mean,
            ]
        });
        let children = self.shown_children();
        let replies =
            children.flat_map(|d| [d.quantile(0.02, &self.grid), d.quantile(0.98, &self.grid)]);
        let window = self.facts.view.window.iter();
        let window = window.flat_map(|w| window_lines(self, *w)).map(|(e, _)| e);
        Span::around(mass.chain(replies).chain(window))
    }
}

/// Alpha and beta on the axis, where the search had a window that is not open at that end.
fn window_lines(content: &Content, w: crate::tree::Window) -> Vec<(f32, &'static str)> {
    use crate::game::Score;
    let scale = content.scale;
    let open = |s: Score| s <= Score::LOSS || s >= Score::WIN;
    [(w.alpha, "α"), (w.beta, "β")]
        .into_iter()
        .filter(|(s, _)| !open(*s))
        .map(|(s, name)| (scale.expected(s), name))
        .collect()
}

fn draw_words(app: &mut App, pen: &mut Pen, area: Rect, content: &Content, numbers: &Numbers) {
    let room = usize::from(area.width.saturating_sub(2));
    let mut lines: Vec<Line> = Vec::new();
    lines.push(fitting(figure_line(content, numbers), room));
    lines.extend(
        figures(content, numbers)
            .into_iter()
            .map(|(name, value)| vec![(format!("{name:<10}"), Role::Dim), (value, Role::Text)]),
    );
    lines.push(Vec::new());
    let (sign, role) = fate_sign(content.facts.view.fate, pen.glyphs);
    let fate = content.facts.view.fate;
    let head = format!("{}{sign} {}", fate.letter(), FATES[fate.kind()].name);
    lines.push(vec![(head, role)]);
    let why = pen.glyphs.text(&content.why);
    lines.extend(
        text::wrap(&why, room)
            .into_iter()
            .map(|l| vec![(l, Role::Text)]),
    );
    let bars_at = lines.len() + 1;
    let bars = content.children.len().min(12);
    let total = if bars > 0 {
        bars_at + 1 + bars
    } else {
        lines.len()
    };
    let last_top = total.saturating_sub(usize::from(area.height));
    app.inspector_top = app.inspector_top.min(last_top);
    for row in 0..area.height {
        let i = app.inspector_top + usize::from(row);
        let (x, y, end) = (area.x + 1, area.y + row, area.right());
        if let Some(line) = lines.get(i) {
            let mut at = x;
            for (word, role) in line {
                at = pen.put(at, y, end, &pen.glyphs.text(word), *role);
            }
        } else if i == bars_at && bars > 0 {
            pen.put(x, y, end, share_heading(content), Role::Heading);
        } else if i > bars_at
            && let Some(child) = content
                .children
                .get(i - bars_at - 1)
                .filter(|_| i - bars_at <= bars)
        {
            let line = Rect {
                x,
                y,
                width: end.saturating_sub(x + 1),
                height: 1,
            };
            draw_bar(pen, line, child, content, numbers);
        }
    }
}

fn share_heading(content: &Content) -> &'static str {
    match content.family {
        Family::BestFirst if content.beliefs => "policy of the replies",
        Family::BestFirst => "visits to the replies",
        Family::DepthFirst => "nodes below the replies",
    }
}

fn draw_bar(pen: &mut Pen, line: Rect, child: &Child, content: &Content, numbers: &Numbers) {
    let name = text::fit(&pen.glyphs.text(&child.name), 9, pen.glyphs.ellipsis);
    pen.put(line.x, line.y, line.right(), &name, Role::Move);
    pen.put_right(
        line.x + 9,
        line.y,
        line.x + 14,
        &text::percent(child.share),
        Role::Policy,
    );
    let most = content.children.first().map_or(1.0, |c| c.share).max(0.01);
    let mean = child.mean.map(|e| numbers.expected(e)).unwrap_or_default();
    let room = line.width.saturating_sub(15 + 7);
    let style = pen.style(Role::Policy);
    bar(pen, line.x + 15, line.y, room, child.share / most, style);
    pen.put_right(line.right() - 7, line.y, line.right(), &mean, Role::Spread);
}

/// `+.08 ±.21  White's view  12.3k visits  ply 4`.
fn figure_line(content: &Content, numbers: &Numbers) -> Line {
    let facts = &content.facts;
    let mut line: Line = Vec::new();
    let mean = numbers.mean(facts);
    if !mean.is_empty() {
        line.push((mean, Role::Title));
        if let Some(b) = facts.belief.as_ref().filter(|b| b.is_distribution()) {
            line.push((format!(" ±{}", numbers.spread(b.sd)), Role::Spread));
        }
        line.push((format!(" for {}  ", content.side), Role::Dim));
    }
    let proof = numbers.proof(facts.view.proof);
    if !proof.is_empty() {
        line.push((format!("proven {proof}  "), Role::Proven));
    }
    let (visits, nodes) = (u64::from(facts.view.visits), facts.view.nodes);
    if visits > 0 {
        let word = if visits == 1 { "visit" } else { "visits" };
        line.push((format!("{} {word}  ", text::count(visits)), Role::Count));
    }
    if nodes > 0 {
        line.push((format!("{} nodes", text::count(nodes)), Role::Count));
    }
    if line.is_empty() {
        line.push(("not searched".to_owned(), Role::Dim));
    }
    line
}

/// The parts of a line that fit whole.
fn fitting(line: Line, room: usize) -> Line {
    let mut left = room;
    line.into_iter()
        .take_while(|(word, _)| {
            let width = text::width(word.trim_end());
            let fits = width <= left;
            left = left.saturating_sub(text::width(word));
            fits
        })
        .collect()
}

/// The figures one under the other: name and value.
fn figures(content: &Content, numbers: &Numbers) -> Vec<(&'static str, String)> {
    let facts = &content.facts;
    let view = &facts.view;
    let mut rows = Vec::new();
    if let Some(b) = facts.belief.as_ref().filter(|b| b.is_distribution()) {
        let q = |p| numbers.expected(b.quantile(p, &content.grid));
        rows.push(("5/50/95 %", format!("{}  {}  {}", q(0.05), q(0.5), q(0.95))));
        let source = match b.source {
            Source::Stored => "kept by the search",
            Source::Visits => "the replies' values by their visits",
            Source::Point => "a single value",
        };
        rows.push(("belief", source.to_owned()));
    }
    if let Some(w) = view.window {
        rows.push(("window", window_words(numbers, w)));
        let bound = match w.bound {
            Bound::Lower => "a lower bound",
            Bound::Upper => "an upper bound",
            Bound::Exact => "exact at this depth",
            Bound::None => "not finished",
        };
        rows.push(("value", format!("{}, {bound}", numbers.score(w.value))));
        let depth = match w.depth {
            d if d > 0 => format!("{d} plies left, iteration {}", view.iteration),
            _ => format!("quiescence, iteration {}", view.iteration),
        };
        rows.push(("depth", depth));
    }
    if view.again {
        rows.push(("recorded", "by a re-search".to_owned()));
    }
    if let Some(s) = view.static_value {
        rows.push(("static", numbers.score(s)));
    }
    if let Some(share) = view.policy {
        let word = if content.beliefs { "policy" } else { "prior" };
        rows.push((word, text::percent(share)));
    }
    if let Some(u) = view.urgency.filter(|u| *u > 0.0) {
        rows.push(("urgency", format!("{u:.3e}")));
    }
    if let Some(detail) = &content.back_up {
        // The figures are the mover's, the back-up is the node's own.
        let own = if content.is_root { 1.0 } else { -1.0 };
        let mean = |d: &Density| numbers.expected(own * d.mean(&content.grid));
        let sd = |d: &Density| numbers.spread(d.sd(&content.grid));
        let (opt, pick) = (&detail.r_opt, &detail.r_pick);
        rows.push(("r_opt", format!("{} ±{}", mean(opt), sd(opt))));
        rows.push(("r_pick", format!("{} ±{}", mean(pick), sd(pick))));
        if let Some(blend) = detail.blend {
            rows.push(("blend", format!("{blend:.2} of r_opt")));
        }
        let (h, n) = (detail.entropy, detail.n_eff);
        rows.push(("entropy", format!("{h:.2} nats, e^H {n:.1}")));
    }
    if content.is_root && view.visits == 0 {
        rows.push(("state", "not searched yet".to_owned()));
    }
    rows
}

fn window_words(numbers: &Numbers, w: crate::tree::Window) -> String {
    use crate::game::Score;
    let end = |s: Score, open: &str| {
        if s <= Score::LOSS || s >= Score::WIN {
            open.to_owned()
        } else {
            numbers.score(s)
        }
    };
    format!("{} … {}", end(w.alpha, "open"), end(w.beta, "open"))
}
