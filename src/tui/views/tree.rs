//! The tree: one line a row, columns as the width allows.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::facts::{Facts, Numbers, Withheld, brief, fate_sign, label};
use super::has_keyboard;
use crate::engine::Reader;
use crate::game::MoveCode;
use crate::tree::{Family, NodeId, Tree};
use crate::tui::app::{App, Pane, Target};
use crate::tui::explorer::{Filter, Row};
use crate::tui::pen::Pen;
use crate::tui::source::Source;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::widgets::Strip;

/// Where each column begins; 0 columns wide: not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Columns {
    name: u16,
    mean: u16,
    spread: u16,
    strip: u16,
    share: u16,
    work: u16,
    proof: u16,
    fate: u16,
    reason: u16,
}

impl Columns {
    /// Shares out the width: first what tells most, the rest to names and reasons. Without distributions there are
    /// no spreads.
    fn of(width: u16, spreads: bool) -> Columns {
        let mut c = Columns {
            mean: 7,
            strip: 9,
            work: 7,
            fate: 4,
            ..Columns::default()
        };
        let mut left = width.saturating_sub(c.mean + c.strip + c.work + c.fate + 14);
        let mut take = |slot: &mut u16, columns: u16| {
            if left >= columns {
                *slot += columns;
                left -= columns;
            }
        };
        take(&mut c.proof, 6);
        take(&mut c.share, 6);
        if spreads {
            take(&mut c.spread, 5);
        }
        take(&mut c.strip, 4);
        // "32 of 32 moves" has room in it.
        take(&mut c.reason, 15);
        take(&mut c.strip, 4);
        c.name = 14;
        let more = left.min(16);
        c.name += more / 2;
        if c.reason > 0 {
            c.reason += more - more / 2;
            let rest = left - more;
            c.reason += (rest / 2).min(14);
            c.name += rest - (rest / 2).min(14);
        } else {
            c.name += more - more / 2 + left - more;
        }
        c
    }
}

/// Rows of the tree that fit into its pane: frame and headings taken off.
#[must_use]
pub fn rows_in(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(3))
}

pub fn draw(app: &mut App, pen: &mut Pen, area: Rect) {
    let focused = has_keyboard(app, Pane::Tree);
    app.region(area, Target::Pane(Pane::Tree));
    let title = title(app);
    let inner = pen.frame(area, &title, focused);
    if inner.height < 2 {
        return;
    }
    // The tree is lent out of the application while its rows are drawn.
    let Some(source) = app.session.take() else {
        pen.put(
            inner.x + 1,
            inner.y + 1,
            inner.right(),
            "beginning the search",
            Role::Dim,
        );
        return;
    };
    draw_rows(app, pen, inner, &source, focused);
    app.session = Some(source);
    let rows = app.explorer.rows().len();
    scroll_bar(
        pen,
        area,
        app.explorer.top(),
        usize::from(inner.height) - 1,
        rows,
    );
    notes(app, pen, area);
}

fn draw_rows(app: &mut App, pen: &mut Pen, inner: Rect, source: &Source, focused: bool) {
    let reader = source.reader();
    let spreads = reader.is_best_first() || reader.algorithm.info().beliefs;
    let columns = Columns::of(inner.width.saturating_sub(1), spreads);
    headings(pen, inner, columns, reader);
    let numbers = Numbers {
        scale: reader.scale(),
        pawns: app.pawns,
        glyphs: pen.glyphs,
    };
    let mut painter = Painter {
        source,
        reader,
        numbers,
        columns,
        withheld: Withheld::default(),
        parent: Parent::default(),
        step: step(app.explorer.deepest(), columns.name),
        focused,
    };
    let (top, height) = (app.explorer.top(), usize::from(inner.height) - 1);
    for i in 0..height {
        let at = top + i;
        let Some(row) = app.explorer.rows().get(at).copied() else {
            break;
        };
        let line = Rect {
            y: inner.y + 1 + i as u16,
            height: 1,
            ..inner
        };
        app.region(line, Target::Row(at));
        let mark = painter.row(app, pen, line, &row, at == app.explorer.selected());
        if let Some(mark) = mark {
            app.region(mark, Target::Mark(at));
        }
    }
}

fn title(app: &App) -> String {
    let mut title = format!("tree by {}", app.explorer.sort.name());
    if app.explorer.filter != Filter::All {
        title += &format!(", only {}", app.explorer.filter.name());
    }
    title
}

/// In the lower edge: how many rows there are, and how many the filter hides.
fn notes(app: &App, pen: &mut Pen, area: Rect) {
    let rows = app.explorer.rows().len();
    let at = app.explorer.selected() + 1;
    let mut note = format!("{at} of {rows} rows");
    if app.explorer.hidden() > 0 {
        note += &format!(", {} hidden", app.explorer.hidden());
    }
    pen.frame_note(area, area.bottom() - 1, &note, Role::Dim);
}

fn scroll_bar(pen: &mut Pen, area: Rect, top: usize, height: usize, rows: usize) {
    if rows <= height || height == 0 {
        return;
    }
    let track = usize::from(area.height - 2);
    let length = (track * height / rows).max(1);
    let start = (track - length) * top / (rows - height).max(1);
    let style = pen.style(Role::TreeMark);
    for i in start..(start + length).min(track) {
        pen.char(
            area.right() - 1,
            area.y + 1 + i as u16,
            pen.glyphs.scroll,
            style,
        );
    }
}

fn headings(pen: &mut Pen, inner: Rect, c: Columns, reader: Reader) {
    let work = match reader.tree.family() {
        Family::BestFirst => "visits",
        Family::DepthFirst => "nodes",
    };
    let share = "share";
    let y = inner.y;
    let mut x = inner.x + 1;
    pen.put(x, y, inner.right(), "move", Role::Dim);
    x += c.name;
    for (columns, heading) in [(c.mean, "score"), (c.spread, "sd")] {
        if columns > 0 {
            pen.put_right(x, y, x + columns, heading, Role::Dim);
            x += columns;
        }
    }
    if c.strip > 0 {
        let minus = pen.glyphs.minus;
        pen.put(x + 1, y, x + c.strip, &format!("{minus}1"), Role::Dim);
        pen.put(x + 1 + (c.strip - 1) / 2, y, x + c.strip, "0", Role::Dim);
        pen.put_right(x, y, x + c.strip, "+1", Role::Dim);
        x += c.strip;
    }
    for (columns, heading) in [(c.share, share), (c.work, work)] {
        if columns > 0 {
            pen.put_right(x, y, x + columns, heading, Role::Dim);
            x += columns;
        }
    }
    if c.proof > 0 {
        pen.put(x + 1, y, x + c.proof, "proof", Role::Dim);
        x += c.proof;
    }
    let room = inner.right().saturating_sub(x + 1);
    pen.put(
        x + 1,
        y,
        inner.right(),
        if room > 5 { "fate" } else { "" },
        Role::Dim,
    );
}

/// Draws rows of one frame.
struct Painter<'a> {
    source: &'a Source,
    reader: Reader<'a>,
    numbers: Numbers,
    columns: Columns,
    withheld: Withheld,
    /// The parent asked about last: its children stand together.
    parent: Parent,
    /// Columns a ply is indented.
    step: u16,
    focused: bool,
}

/// What rows need to know of their parent.
#[derive(Debug, Default)]
struct Parent {
    node: Option<NodeId>,
    best: Option<MoveCode>,
    /// Visits or nodes of all its children.
    work: u64,
}

impl Painter<'_> {
    /// Draws one row; returns where the mark that opens it stands.
    fn row(
        &mut self,
        app: &App,
        pen: &mut Pen,
        line: Rect,
        row: &Row,
        selected: bool,
    ) -> Option<Rect> {
        let base = if selected {
            let style = pen.style(if self.focused {
                Role::Selection
            } else {
                Role::SelectionUnfocused
            });
            pen.tint(line, style);
            style
        } else {
            Style::default()
        };
        let facts = Facts::of(self.reader, row, &mut self.withheld);
        let c = self.columns;
        let mut x = line.x + 1;
        let mark = self.name(app, pen, x, line, row, facts.as_ref(), base);
        x += c.name;
        let Some(facts) = facts else {
            return mark;
        };
        let end = line.right();
        self.figures(pen, x, line.y, row, &facts, base);
        x += c.mean + c.spread + c.strip + c.share + c.work;
        if c.proof > 0 {
            let proof = self.numbers.proof(facts.view.proof);
            pen.text(
                x + 1,
                line.y,
                x + c.proof,
                &proof,
                pen.style(Role::Proven).patch(selected_bg(base)),
            );
            x += c.proof;
        }
        let (sign, role) = fate_sign(facts.view.fate, pen.glyphs);
        let style = pen.style(role).patch(selected_bg(base));
        let letter = format!("{}{sign}", facts.view.fate.letter());
        x = pen.text(x + 1, line.y, end, &letter, style) + 1;
        if c.reason > 0 {
            let reason = pen.glyphs.text(&brief(&facts, self.reader.scale()));
            let room = usize::from(end.saturating_sub(x));
            let shown = text::fit(&reason, room, pen.glyphs.ellipsis);
            pen.text(x, line.y, end, &shown, style);
        }
        mark
    }

    /// Indentation, mark and name.
    #[expect(clippy::too_many_arguments, reason = "one cell of one row")]
    fn name(
        &mut self,
        app: &App,
        pen: &mut Pen,
        x: u16,
        line: Rect,
        row: &Row,
        facts: Option<&Facts>,
        base: Style,
    ) -> Option<Rect> {
        let end = x + self.columns.name;
        let (start, deep) = indent(row.depth, self.step, self.columns.name);
        if deep {
            // Too deep to be indented: the depth as a number.
            let depth = format!("{:>3}{}", row.depth, pen.glyphs.vertical);
            pen.text(
                x,
                line.y,
                end,
                &depth,
                pen.style(Role::Dim).patch(selected_bg(base)),
            );
        }
        let at = x + start;
        let children = facts.map_or(0, |f| f.view.children);
        let (mark, opens) = if app.explorer.is_open(row.node) {
            (pen.glyphs.open, true)
        } else if children > 0 {
            (pen.glyphs.closed, true)
        } else if self.source.can_search_again(row.node) {
            (pen.glyphs.unrecorded, true)
        } else {
            (pen.glyphs.leaf, false)
        };
        let mark_role = if opens { Role::TreeMark } else { Role::Dim };
        pen.char(
            at,
            line.y,
            mark,
            pen.style(mark_role).patch(selected_bg(base)),
        );
        let role = if facts.is_none_or(Facts::is_skipped) && row.node != Tree::ROOT {
            Role::MoveSkipped
        } else if self.is_best(row) {
            Role::MoveBest
        } else {
            Role::Move
        };
        let name = pen.glyphs.text(&label(&app.explorer, row));
        let room = usize::from(end.saturating_sub(at + 2));
        let name = text::fit(&name, room.max(1), pen.glyphs.ellipsis);
        let style = pen.style(role).patch(selected_bg(base));
        let after = pen.text(at + 2, line.y, end, &name, style);
        if self.is_best(row) && after + 1 < end {
            pen.char(after + 1, line.y, pen.glyphs.best, style);
        }
        opens.then_some(Rect {
            x: at,
            y: line.y,
            width: 2,
            height: 1,
        })
    }

    fn is_best(&mut self, row: &Row) -> bool {
        if row.parent.is_none() {
            return false;
        }
        self.ask(row.parent);
        self.parent.best == Some(row.code)
    }

    fn ask(&mut self, parent: NodeId) {
        if self.parent.node == Some(parent) {
            return;
        }
        let tree = self.reader.tree;
        let work = |child| match tree.family() {
            Family::BestFirst => u64::from(tree.node(child).visits()),
            Family::DepthFirst => tree.node(child).nodes(),
        };
        self.parent = Parent {
            node: Some(parent),
            best: self.reader.best_move(parent),
            work: tree.children(parent).map(work).sum(),
        };
    }

    /// Score, spread, strip, share and work.
    fn figures(&mut self, pen: &mut Pen, x: u16, y: u16, row: &Row, facts: &Facts, base: Style) {
        let c = self.columns;
        let bg = selected_bg(base);
        let mut x = x;
        let mean = self.numbers.mean(facts);
        let role = match facts.view.expected {
            Some(e) if e > 0.02 => Role::Win,
            Some(e) if e < -0.02 => Role::Loss,
            _ => Role::Draw,
        };
        pen.text_right(x, y, x + c.mean, &mean, pen.style(role).patch(bg));
        x += c.mean;
        let belief = facts.belief.as_ref().filter(|_| !facts.is_skipped());
        if c.spread > 0 {
            if let Some(b) = belief.filter(|b| b.is_distribution()) {
                let sd = format!("{}{}", pen.glyphs.plus_minus, self.numbers.spread(b.sd));
                pen.text_right(x, y, x + c.spread, &sd, pen.style(Role::Spread).patch(bg));
            }
            x += c.spread;
        }
        if c.strip > 0 {
            if let Some(b) = belief {
                let strip = Strip {
                    density: &b.density,
                    grid: self.reader.tree.grid(),
                };
                strip.draw(pen, x + 1, y, c.strip - 1, bg);
            }
            x += c.strip;
        }
        if c.share > 0 {
            if let Some(share) = self.share(row, facts) {
                let share = text::percent(share);
                pen.text_right(x, y, x + c.share, &share, pen.style(Role::Policy).patch(bg));
            }
            x += c.share;
        }
        let work = facts.work(self.reader.tree.family());
        if work > 0 {
            let work = text::count(work);
            pen.text_right(x, y, x + c.work, &work, pen.style(Role::Count).patch(bg));
        }
    }

    /// The policy's share where the algorithm keeps beliefs, else the share of its siblings' visits or nodes, which
    /// is the policy that the algorithm plays by.
    fn share(&mut self, row: &Row, facts: &Facts) -> Option<f32> {
        if row.parent.is_none() {
            return None;
        }
        if self.reader.is_best_first() && facts.view.has_belief {
            return facts.view.policy;
        }
        let work = facts.work(self.reader.tree.family());
        self.ask(row.parent);
        (work > 0 && self.parent.work > 0)
            .then(|| (work as f64 / self.parent.work as f64).min(1.0) as f32)
    }
}

/// Columns a ply is indented: two, or one where the deepest row would not fit otherwise.
fn step(deepest: u16, name: u16) -> u16 {
    if deepest.saturating_mul(2) <= name.saturating_sub(9) {
        2
    } else {
        1
    }
}

/// How far a row of this depth is indented; true where it is too deep for that.
fn indent(depth: u16, step: u16, name: u16) -> (u16, bool) {
    let most = name.saturating_sub(9);
    let wanted = depth.saturating_mul(step);
    if wanted <= most {
        (wanted, false)
    } else {
        (most.max(5).min(name.saturating_sub(4)), true)
    }
}

/// Of the selection only what lies behind the text, and reverse where that is all there is: colours of the
/// columns stay.
fn selected_bg(base: Style) -> Style {
    Style {
        fg: base.fg.filter(|_| false),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_use_the_width_and_never_more() {
        for (width, spreads) in (30..300).flat_map(|w| [(w, true), (w, false)]) {
            let c = Columns::of(width, spreads);
            let sum = c.name
                + c.mean
                + c.spread
                + c.strip
                + c.share
                + c.work
                + c.proof
                + c.fate
                + c.reason;
            assert!(sum <= width.max(41), "{width}: {c:?}");
            assert!(c.name >= 14);
        }
        let c = Columns::of(77, true);
        assert!(
            c.proof > 0 && c.share > 0 && c.spread > 0 && c.strip >= 13,
            "{c:?}"
        );
    }

    #[test]
    fn deep_rows_keep_room_for_their_name() {
        for depth in 0..500 {
            for name in [14, 20, 40] {
                let (start, _) = indent(depth, step(depth, name), name);
                assert!(start + 4 <= name);
            }
        }
    }
}
