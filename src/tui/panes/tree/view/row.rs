//! Draws one row of the tree.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::changed::Changed;
use super::columns::{Columns, counts_visits, indent, own_width};
use crate::context::Context;
use crate::panes::tree::{Folded, Row, RowKey};
use crate::source::Source;
use crate::views::axis::{Place, Scale, without_belief};
use crate::views::facts::{Facts, Numbers, Withheld, brief, fate_cell, label};
use chart::value::Mark;
use game::MoveCode;
use report::axis::{LEADS, Rules, plotted, rules};
use report::lens::{Lens, Scores};
use report::why;
use screen::pen::Pen;
use screen::theme::Role;
use session::{Policy, Reader, Shares};
use studies::lesson::Fact;
use tree::{NodeId, Tree};

/// Draws the rows of one frame.
pub(super) struct Painter<'a> {
    pub source: &'a Source,
    pub reader: Reader<'a>,
    pub numbers: Numbers,
    pub columns: Columns,
    pub withheld: Withheld,
    /// The parent of the last row, cached since siblings follow each other.
    pub parent: Parent,
    /// Rows that a breakpoint watches for changes.
    pub watched: Vec<RowKey>,
    /// Whether a question is open, whose answer the best move may be.
    pub hides_best: bool,
    /// False while a lesson has not introduced iterations and plies left.
    pub shows_depths: bool,
    /// The indentation per ply, in columns.
    pub step: u16,
    pub lens: Lens,
}

/// What rows need to know of their parent.
#[derive(Debug, Default)]
pub(super) struct Parent {
    node: Option<NodeId>,
    best: Option<MoveCode>,
    /// The parts that its moves have of what all of them have.
    shares: Vec<(NodeId, Shares)>,
    /// The values that are marked through the rows of its moves.
    rules: Rules,
}

impl Painter<'_> {
    /// Draws one row, whose text is in its last line; returns the area of the mark that opens it.
    pub fn row(&mut self, cx: &Context, pen: &mut Pen, area: Rect, row: &Row) -> Option<Rect> {
        let line = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        if let Some(folded) = cx.explore.tree.folded(row) {
            return Some(self.folded(pen, line, row, folded));
        }
        let given = Facts::of(self.reader, row, &mut self.withheld);
        // The side that plays the move gives the facts; all siblings have the same.
        let scores = cx.lens.of_moves(&self.reader, row.parent);
        let facts = scores.seen(given.clone());
        let c = self.columns;
        self.line_mark(cx, pen, line, row);
        let changed = given
            .as_ref()
            .map(|f| Changed::of(cx, &self.numbers, row, f, &scores));
        let changed = changed.unwrap_or_default();
        let mut x = line.x + 1;
        let mark = self.name(cx, pen, x, line, row, facts.as_ref());
        x += c.name;
        let (Some(facts), Some(given)) = (facts, given) else {
            return mark;
        };
        let end = line.right();
        self.figures(pen, x, line.y, row, &facts, &changed);
        if c.axis > 0 {
            let axis = Rect {
                x: x + c.share + c.mean + c.spread + 1,
                width: c.axis - 2,
                ..area
            };
            self.axis(cx, pen, axis, row, (&given, &facts), &scores);
        }
        x += c.share + c.mean + c.spread + c.axis + c.own + c.work;
        if c.fate == 0 {
            return mark;
        }
        let visit = cx.explore.debug.visit(row.node);
        let cell = fate_cell(&facts, visit.is_some(), pen.glyphs);
        let style = pen.style(cell[0].1);
        x += 1;
        for (sign, role) in cell {
            let mut marked = pen.style(role);
            if changed.fate {
                marked = marked.patch(self.changed_style(pen));
            }
            x = pen.text(x, line.y, end, sign.encode_utf8(&mut [0; 4]), marked);
        }
        x += 1;
        if c.reason > 0 {
            if let Some(words) = changed.words(pen.glyphs) {
                let marked = style.patch(self.changed_style(pen));
                x = pen.text(x, line.y, end, &words, marked) + 1;
            }
            let reason = match visit.filter(|_| facts.view.visits == 0) {
                Some(visit) => why::brief_visit(visit),
                None => brief(self.reader, &given, &scores),
            };
            let reason = pen.glyphs.text(&reason);
            let room = usize::from(end.saturating_sub(x));
            // The depth is written in the longest form that leaves room for the reason.
            let depths = [why::depth_words(&facts.view), why::depth_mark(&facts.view)];
            let depths = depths
                .into_iter()
                .flatten()
                .filter(|_| self.shows_depths)
                .map(|d| pen.glyphs.text(&d) + "  ");
            let reason = depths
                .map(|depth| depth + &reason)
                .find(|both| text::width(both) <= room)
                .unwrap_or(reason.clone());
            let shown = text::fit(&reason, room, pen.glyphs.ellipsis);
            pen.text(x, line.y, end, &shown, style);
        }
        mark
    }

    /// Draws the mark in the margin: the line being searched, or its end.
    fn line_mark(&self, cx: &Context, pen: &mut Pen, line: Rect, row: &Row) {
        let style = pen.style(Role::Line);
        if cx.is_marked(row.key()) {
            let style = pen.style(Role::Match);
            pen.char(line.x, line.y, pen.glyphs.marked, style);
        } else if cx.hides_place() {
        } else if cx.explore.debug.is_at(row) {
            pen.char(line.x, line.y, pen.glyphs.running, style);
        } else if cx.explore.debug.on_line(row.node) {
            pen.char(line.x, line.y, pen.glyphs.line, style);
        }
    }

    /// Returns the style to lay over what changed; the colour of its meaning stays.
    fn changed_style(&self, pen: &Pen) -> Style {
        let style = pen.style(Role::Changed);
        Style { bg: None, ..style }.add_modifier(Modifier::UNDERLINED)
    }

    /// Draws indentation, mark and name.
    fn name(
        &mut self,
        cx: &Context,
        pen: &mut Pen,
        x: u16,
        line: Rect,
        row: &Row,
        facts: Option<&Facts>,
    ) -> Option<Rect> {
        let end = x + self.columns.name;
        let (start, deep) = indent(row.depth, self.step, self.columns.name);
        if deep {
            // Too deep to be indented: the depth as a number.
            let depth = format!("{:>3}{}", row.depth, pen.glyphs.vertical);
            pen.put(x, line.y, end, &depth, Role::Dim);
        }
        let at = x + start;
        let children = facts.map_or(0, |f| f.view.children);
        let (mark, opens) = if cx.explore.tree.is_row_open(row) {
            (pen.glyphs.open, true)
        } else if children > 0 {
            (pen.glyphs.closed, true)
        } else if self.source.can_search_again(row.node)
            || Context::is_left_out(self.source.reader(), row.node)
        {
            (pen.glyphs.unrecorded, true)
        } else {
            (pen.glyphs.leaf, false)
        };
        let mark_role = if opens { Role::TreeMark } else { Role::Dim };
        pen.char(at, line.y, mark, pen.style(mark_role));
        let skipped =
            facts.is_none_or(Facts::is_skipped) && cx.explore.debug.visit(row.node).is_none();
        let role = if skipped && row.node != Tree::ROOT {
            Role::MoveSkipped
        } else if self.is_best(row) {
            Role::MoveBest
        } else if facts.is_some_and(|f| self.trails(row, f)) {
            Role::Dim
        } else {
            Role::Move
        };
        let name = pen.glyphs.text(&label(&cx.explore.tree, row));
        let room = usize::from(end.saturating_sub(at + 2));
        let name = text::fit(&name, room.max(1), pen.glyphs.ellipsis);
        let style = pen.style(role);
        let after = pen.text(at + 2, line.y, end, &name, style);
        let mut after = after + 1;
        if self.is_best(row) && after < end {
            pen.char(after, line.y, pen.glyphs.best, style);
            after += 1;
        }
        if let Some(sign) = self.forced(cx, pen, row).filter(|_| after < end) {
            let style = pen.style(Role::Forced);
            pen.char(after, line.y, sign, style);
            after += 1;
        }
        if self.watched.contains(&row.key()) && after < end {
            let style = pen.style(Role::Breakpoint);
            pen.char(after, line.y, pen.glyphs.breakpoint_on, style);
            after += 1;
        }
        if cx.has_note(row) && after < end {
            let style = pen.style(Role::Key);
            pen.char(after, line.y, pen.glyphs.note, style);
        }
        opens.then_some(Rect {
            x: at,
            y: line.y,
            width: 2,
            height: 1,
        })
    }

    fn is_best(&mut self, row: &Row) -> bool {
        if row.parent.is_none() || self.hides_best {
            return false;
        }
        self.ask(row.parent);
        self.parent.best == Some(row.code)
    }

    /// Returns the sign of what was forced on the search at this move.
    fn forced(&self, cx: &Context, pen: &Pen, row: &Row) -> Option<char> {
        let choices = self.source.choices()?;
        let excluded = choices.excluded(row.parent);
        if excluded.is_empty() {
            return None;
        }
        if excluded.contains(&row.code) {
            return Some(pen.glyphs.never);
        }
        let legal = cx
            .explore
            .tree
            .names(row.parent)
            .map_or(0, |n| n.codes().count());
        (excluded.len() + 1 == legal).then_some(pen.glyphs.only)
    }

    fn ask(&mut self, parent: NodeId) {
        if self.parent.node == Some(parent) {
            return;
        }
        self.parent = Parent {
            node: Some(parent),
            best: self.reader.best_move(parent),
            shares: self.reader.shares_at(parent),
            rules: rules(&self.reader, parent, self.lens),
        };
    }

    /// Whether a move is so unlikely to be the best that its row is dim.
    fn trails(&self, row: &Row, facts: &Facts) -> bool {
        let by_policy = self.reader.policy() == Some(Policy::Best);
        let share = facts.view.policy.filter(|_| by_policy);
        !row.parent.is_none() && share.is_some_and(|share| share < LEADS)
    }

    /// Draws a row that stands for several moves; returns the area of the mark that opens it.
    fn folded(&self, pen: &mut Pen, line: Rect, row: &Row, folded: &Folded) -> Rect {
        let x = line.x + 1;
        let (start, _) = indent(row.depth, self.step, self.columns.name);
        let mark = match folded.open {
            true => pen.glyphs.open,
            false => pen.glyphs.closed,
        };
        let at = x + start;
        pen.char(at, line.y, mark, pen.style(Role::TreeMark));
        let room = usize::from(line.right().saturating_sub(at + 2));
        let words = text::fit(&pen.glyphs.text(&folded.words), room, pen.glyphs.ellipsis);
        pen.put(at + 2, line.y, line.right(), &words, Role::Dim);
        Rect {
            x: at,
            y: line.y,
            width: 2,
            height: 1,
        }
    }

    /// Draws the row's mark on the value axis, and the rules of its parent. `given` are the facts as the side that plays the
    /// move gives them, `seen` as they are shown.
    fn axis(
        &mut self,
        cx: &Context,
        pen: &mut Pen,
        area: Rect,
        row: &Row,
        (given, seen): (&Facts, &Facts),
        scores: &Scores,
    ) {
        let axis = &cx.explore.tree.axis;
        let belief = given.belief.as_ref();
        let mut plotted = plotted(&self.reader, &given.view, belief, scores);
        if !cx.shows(Fact::Beliefs) {
            plotted.mark = without_belief(plotted.mark);
        }
        let role = self.axis_role(row, seen, &plotted.mark);
        if !row.parent.is_none() {
            self.ask(row.parent);
        }
        let mut rules = match row.parent.is_none() {
            true => Rules::default(),
            false => self.parent.rules,
        };
        rules.best = rules.best.filter(|_| !self.hides_best);
        if !cx.shows(Fact::Windows) {
            (rules.alpha, rules.beta) = (None, None);
        }
        let scale = Scale {
            span: axis.span(),
            style: axis.style,
            grid: self.reader.tree.grid(),
            rules,
            numbers: &self.numbers,
        };
        scale.row(pen, area, &plotted, role, seen.view.proof);
    }

    /// Returns the colour of a row's mark.
    fn axis_role(&mut self, row: &Row, facts: &Facts, mark: &Mark) -> Role {
        match row.parent.is_none() {
            true => Role::Children,
            false => {
                let place = Place {
                    best: self.is_best(row),
                    trails: self.trails(row, facts),
                };
                place.role(&facts.view, mark, self.numbers.glyphs)
            }
        }
    }

    /// Draws share, score, spread and work.
    fn figures(
        &mut self,
        pen: &mut Pen,
        x: u16,
        y: u16,
        row: &Row,
        facts: &Facts,
        changed: &Changed,
    ) {
        let c = self.columns;
        let mut x = x;
        if c.share > 0 {
            if let Some(share) = self.share(row) {
                let share = text::percent(share);
                pen.put_right(x, y, x + c.share, &share, Role::Policy);
            }
            x += c.share;
        }
        let mean = self.numbers.mean(facts);
        let role = match facts.view.expected {
            Some(e) if e > 0.02 => Role::Win,
            Some(e) if e < -0.02 => Role::Loss,
            _ => Role::Draw,
        };
        let mut style = pen.style(role);
        if changed.value.is_some() || changed.new {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        pen.text_right(x, y, x + c.mean, &mean, style);
        x += c.mean;
        let belief = facts.belief.as_ref().filter(|_| !facts.is_skipped());
        if c.spread > 0 {
            let spread = belief.filter(|b| b.is_distribution());
            if let Some(sd) = spread.and_then(|b| self.numbers.spread_at(b.mean, b.sd)) {
                pen.put_right(x, y, x + c.spread, &sd, Role::Spread);
            }
            x += c.spread;
        }
        x += c.axis;
        if c.own > 0 {
            for name in self.reader.columns() {
                let end = x + own_width(name);
                if let Some(figure) = self.own_figure(row, name) {
                    let figure = pen.glyphs.text(&figure);
                    pen.put_right(x, y, end, &figure, Role::Policy);
                }
                x = end;
            }
        }
        let work = match counts_visits(&self.reader) {
            true => u64::from(facts.view.visits),
            false => facts.view.nodes,
        };
        if work > 0 && c.work > 0 {
            let work = text::count(work);
            let mut style = pen.style(Role::Count);
            if changed.work {
                style = style.patch(self.changed_style(pen));
            }
            pen.text_right(x, y, x + c.work, &work, style);
        }
    }

    /// Returns a figure of the algorithm's own.
    fn own_figure(&self, row: &Row, name: &str) -> Option<String> {
        if row.node.is_none() {
            return None;
        }
        let figure = self.reader.figure(row.node, name)?;
        Some(match figure.is_finite() {
            true => text::count(figure as u64),
            false => "∞".to_owned(),
        })
    }

    /// Returns the move's chance to be the best one if the algorithm knows it, otherwise its part of the visits or of the
    /// nodes: see [`super::columns::share_word`].
    fn share(&mut self, row: &Row) -> Option<f32> {
        if row.parent.is_none() || row.node.is_none() {
            return None;
        }
        self.ask(row.parent);
        let mut shares = self.parent.shares.iter();
        let (_, shares) = shares.find(|(node, _)| *node == row.node)?;
        let part = shares.visits.or(shares.work).filter(|part| *part > 0.0);
        shares.best.or(part)
    }
}
