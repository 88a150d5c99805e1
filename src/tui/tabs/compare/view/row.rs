//! Draws one row of the merged tree.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::columns::Widths;
use super::words;
use crate::panes::tree::view::{indent, step};
use crate::tabs::compare::role;
use crate::views::axis::{Place, Scale};
use crate::views::facts::{Facts, Numbers, fate_cell};
use chart::value::{Span, Style};
use game::Side;
use report::axis::{LEADS, Rules, plotted, rules};
use report::lens::{Given, Lens, Scores};
use screen::pen::Pen;
use screen::theme::Role;
use studies::compare::{Merged, MergedCell, OutlineRow};
use tree::Fate;

/// Draws the rows of one frame.
pub(super) struct Painter {
    pub widths: Widths,
    pub numbers: Numbers,
    pub lens: Lens,
    /// The side to move at the root.
    pub root: Side,
    pub deepest: u16,
    /// The part of the value axis on which all columns stand.
    pub span: Span,
    pub style: Style,
}

impl Painter {
    /// Draws one row; returns the area of the mark that opens it.
    pub fn row(
        &self,
        pen: &mut Pen,
        merged: &Merged,
        row: &OutlineRow,
        line: Rect,
    ) -> Option<Rect> {
        self.mark(pen, row, line);
        let opens = self.name(pen, row, line);
        let given = Given::after(row.path.len(), self.root);
        for (column, cell) in row.row.cells.iter().enumerate() {
            let x = line.x + self.widths.start(column as u16);
            let style = pen.style(role(column));
            pen.char(
                x,
                line.y,
                pen.glyphs.vertical,
                style.remove_modifier(Modifier::BOLD),
            );
            if let Some(cell) = cell {
                let at = (x + 1, line.y);
                let numbers = self.numbers_of(merged, column);
                let scores = self.lens.scores(numbers.scale(), given);
                self.cell(pen, merged, column, cell, (&numbers, &scores), at);
            }
        }
        self.words(pen, merged, row, line);
        opens
    }

    /// Returns how a column's scores are written: in a unit without a range, which has no place on the common axis, as the program
    /// tells them.
    fn numbers_of(&self, merged: &Merged, column: usize) -> Numbers {
        let own = merged.reader(column).map(|reader| reader.scale());
        let scale = own.filter(|scale| scale.is_boundless());
        let scale = scale.unwrap_or_else(|| self.numbers.scale());
        Numbers::of(self.lens, scale, self.numbers.glyphs)
    }

    /// Draws the letter of the worst difference before the move.
    fn mark(&self, pen: &mut Pen, row: &OutlineRow, line: Rect) {
        if let Some(found) = row.worst() {
            let style = pen.style(words::role(found));
            pen.char(line.x, line.y, found.kind().letter(), style);
        }
    }

    fn name(&self, pen: &mut Pen, row: &OutlineRow, line: Rect) -> Option<Rect> {
        let width = self.widths.name;
        let x = line.x + self.widths.mark;
        let end = x + width;
        let (start, deep) = indent(row.depth, step(self.deepest, width), width);
        if deep {
            let depth = format!("{:>3}{}", row.depth, pen.glyphs.vertical);
            pen.put(x, line.y, end, &depth, Role::Dim);
        }
        let at = x + start;
        let (mark, mark_role) = match (row.has_children, row.open) {
            (true, true) => (pen.glyphs.open, Role::TreeMark),
            (true, false) => (pen.glyphs.closed, Role::TreeMark),
            (false, _) => (pen.glyphs.leaf, Role::Dim),
        };
        let style = pen.style(mark_role);
        pen.char(at, line.y, mark, style);
        let mut cells = row.row.cells.iter().flatten();
        let role = if cells.clone().any(|cell| cell.is_best) {
            Role::MoveBest
        } else if cells.any(MergedCell::is_visited) {
            Role::Move
        } else {
            Role::MoveSkipped
        };
        let name = pen.glyphs.text(&text::sanitise(&row.row.name.san));
        let room = usize::from(end.saturating_sub(at + 3)).max(1);
        let name = text::fit(&name, room, pen.glyphs.ellipsis);
        pen.put(at + 2, line.y, end, &name, role);
        row.has_children.then_some(Rect {
            x: at,
            y: line.y,
            width: 2,
            height: 1,
        })
    }

    /// Draws one column's figures.
    fn cell(
        &self,
        pen: &mut Pen,
        merged: &Merged,
        column: usize,
        cell: &MergedCell,
        (numbers, scores): (&Numbers, &Scores),
        (x, y): (u16, u16),
    ) {
        let w = &self.widths;
        let facts = Facts {
            view: cell.view,
            belief: cell.belief.clone(),
            ahead: false,
            illegal: false,
        };
        let facts = scores.seen(facts);
        let skipped = facts.is_skipped();
        let mut x = x;
        if w.rank > 0 {
            let best = if cell.is_best {
                pen.glyphs.best.to_string()
            } else {
                String::new()
            };
            let rank = cell.rank.map_or_else(String::new, |rank| rank.to_string());
            let role = if cell.is_best {
                Role::MoveBest
            } else {
                Role::Count
            };
            pen.put_right(x, y, x + w.rank, &(best + &rank), role);
            x += w.rank;
        }
        let role = match facts.view.expected {
            Some(e) if e > 0.02 => Role::Win,
            Some(e) if e < -0.02 => Role::Loss,
            _ => Role::Draw,
        };
        pen.put_right(x, y, x + w.score, &numbers.mean(&facts), role);
        x += w.score;
        let sd = cell.sd().filter(|_| w.spread > 0 && !skipped);
        let mean = facts.view.expected.unwrap_or(0.0);
        if let Some(sd) = sd.and_then(|sd| numbers.spread_at(mean, sd)) {
            pen.put_right(x, y, x + w.spread, &sd, Role::Spread);
        }
        x += w.spread;
        if let Some(share) = cell.share.filter(|_| w.share > 0 && cell.is_visited()) {
            pen.put_right(x, y, x + w.share, &text::percent(share), Role::Policy);
        }
        x += w.share;
        let is_on_axis = w.axis > 0 && numbers.scale() == self.numbers.scale();
        if let Some(reader) = merged.reader(column).filter(|_| is_on_axis) {
            let area = Rect {
                x: x + 1,
                y,
                width: w.axis - 1,
                height: 1,
            };
            let plotted = plotted(reader, &cell.view, cell.belief.as_ref(), scores);
            let best = rules(reader, cell.view.parent, self.lens).best;
            let rules = Rules {
                best,
                ..Rules::default()
            };
            let scale = Scale {
                span: self.span,
                style: self.style,
                grid: reader.tree.grid(),
                rules,
                numbers,
            };
            let place = Place {
                best: cell.is_best,
                trails: cell.share.is_some_and(|share| share < LEADS),
            };
            let role = place.role(&facts.view, &plotted.mark, pen.glyphs);
            scale.row(pen, area, &plotted, role, facts.view.proof);
        }
        x += w.axis;
        if facts.view.fate != Fate::Unvisited {
            x += 1;
            for (sign, role) in fate_cell(&facts, false, pen.glyphs) {
                let style = pen.style(role);
                x = pen.text(x, y, x + 1, sign.encode_utf8(&mut [0; 4]), style);
            }
        }
    }

    fn words(&self, pen: &mut Pen, merged: &Merged, row: &OutlineRow, line: Rect) {
        let w = &self.widths;
        let Some(found) = row.worst().filter(|_| w.words > 0) else {
            return;
        };
        let x = line.x + w.start(w.groups) + 1;
        let room = usize::from(w.words - 1);
        let words = words::short(self.lens, merged, row, found, room);
        let words = pen.glyphs.text(&words);
        let words = text::fit(&words, room, pen.glyphs.ellipsis);
        pen.put(x, line.y, line.right(), &words, words::role(found));
    }
}
