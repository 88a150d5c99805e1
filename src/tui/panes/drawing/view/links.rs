//! Draws the edges between two levels: heavy on the principal variation, dashed with a bar across where the search cut.

use ratatui::symbols::merge::MergeStrategy;

use super::Picture;
use super::known::Reading;
use crate::views::facts::fate_sign;
use report::drawing::Done;
use screen::glyphs::Glyphs;
use screen::pen::Pen;
use screen::theme::Role;

/// How an edge is drawn; a later variant covers an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Dashed,
    Waiting,
    Searched,
    Best,
}

/// The arms of a cell: up, right, down, left.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    arms: [Option<Line>; 4],
}

const UP: usize = 0;
const RIGHT: usize = 1;
const DOWN: usize = 2;
const LEFT: usize = 3;

/// Draws the visible edges below a level.
pub(super) fn draw(picture: &Picture, reading: &mut Reading, pen: &mut Pen, depth: u16) {
    let layout = picture.layout;
    let sheet = &picture.sheet;
    let (from, to) = (sheet.left, sheet.left + i32::from(sheet.area.width));
    let below = layout.visible(usize::from(depth) + 1, from, to);
    let Some(level) = layout.levels.get(usize::from(depth) + 1) else {
        return;
    };
    // An edge may cross the visible part while both its ends are outside.
    let reach = below.start.saturating_sub(1).max(level.start)..(below.end + 1).min(level.end);
    let parents = reach.filter_map(|child| layout.places[child].parent);
    let mut parents: Vec<usize> = parents.collect();
    parents.dedup();
    let mut row = vec![Cell::default(); usize::from(sheet.area.width)];
    let mut ends = Vec::new();
    for parent in parents {
        let mut children: Vec<(Line, usize)> = layout.places[parent]
            .children
            .clone()
            .map(|child| (line(reading, child), child))
            .collect();
        children.sort();
        for (line, child) in children {
            let ways = (layout.places[parent].middle, layout.places[child].middle);
            stroke(&mut row, from, ways, line);
            ends.push((line, child));
        }
    }
    let top = picture.detail.top(depth) + i32::from(picture.detail.level);
    let last = top + i32::from(picture.detail.links) - 1;
    // Long edges branch halfway.
    let branch = top + (i32::from(picture.detail.links) - 1) / 2;
    let upright = |pen: &mut Pen, x: i32, rows: std::ops::Range<i32>, line: Line| {
        let cell = Cell {
            arms: [Some(line), None, Some(line), None],
        };
        if let Some((sign, line)) = sign(&cell, pen.glyphs) {
            let style = pen.style(role(line));
            for y in rows {
                sheet.char(pen, x, y, sign, style);
            }
        }
    };
    for (line, child) in &ends {
        // The strongest edge of a parent comes last.
        let parent = layout.places[*child].parent.unwrap_or(0);
        upright(pen, layout.places[parent].middle, top..branch, *line);
    }
    for (cell, x) in row.iter().zip(from..) {
        if let Some((sign, line)) = sign(cell, pen.glyphs) {
            let style = pen.style(role(line));
            sheet.char(pen, x, branch, sign, style);
        }
    }
    for (line, child) in ends {
        let x = layout.places[child].middle;
        let cut = match reading.known(child).seen.done {
            Done::Cut(fate) => Some(fate),
            _ => None,
        };
        let end = if cut.is_some() { last } else { last + 1 };
        upright(pen, x, branch + 1..end, line);
        if let Some(fate) = cut {
            let style = pen.style(fate_sign(fate, pen.glyphs).1);
            sheet.char(pen, x, last, pen.glyphs.cut, style);
            sheet.char(pen, x + 1, last, fate.letter(), style);
        }
    }
}

fn line(reading: &mut Reading, child: usize) -> Line {
    if reading.best.contains(&child) {
        return Line::Best;
    }
    match reading.known(child).seen.done {
        Done::Searched | Done::Inside => Line::Searched,
        Done::Waiting => Line::Waiting,
        Done::Cut(_) | Done::BelowCut => Line::Dashed,
    }
}

fn role(line: Line) -> Role {
    match line {
        Line::Best => Role::MoveBest,
        Line::Searched => Role::Text,
        Line::Waiting => Role::Dim,
        Line::Dashed => Role::MoveSkipped,
    }
}

/// Adds an edge: from the parent's middle along to the child's, and down.
fn stroke(row: &mut [Cell], left: i32, (parent, child): (i32, i32), line: Line) {
    let mut arm = |x: i32, arm: usize| {
        let cell = usize::try_from(x - left).ok().and_then(|i| row.get_mut(i));
        if let Some(cell) = cell {
            cell.arms[arm] = cell.arms[arm].max(Some(line));
        }
    };
    arm(parent, UP);
    arm(child, DOWN);
    let (from, to) = (parent.min(child), parent.max(child));
    // Only the visible part.
    for x in from.max(left - 1)..to.min(left + 10_000) {
        arm(x, RIGHT);
        arm(x + 1, LEFT);
    }
}

/// Returns the sign for a cell's arms, with the line that decides its colour; `None` for a cell without arms.
fn sign(cell: &Cell, glyphs: &Glyphs) -> Option<(char, Line)> {
    let strongest = cell.arms.iter().flatten().max().copied()?;
    let [up, right, down, left] = cell.arms;
    let dashed = strongest == Line::Dashed;
    let flat = up.is_none() && down.is_none();
    let upright = left.is_none() && right.is_none();
    if dashed && flat {
        return Some((glyphs.dashed[0], strongest));
    }
    if dashed && upright {
        return Some((glyphs.dashed[1], strongest));
    }
    let heavy = strongest == Line::Best;
    if glyphs.ascii {
        let sign = match (flat, upright) {
            (true, _) if heavy => '=',
            (true, _) => '-',
            (_, true) if heavy => '#',
            (_, true) => '|',
            _ if heavy => '#',
            _ => '+',
        };
        return Some((sign, strongest));
    }
    const LIGHT: [&str; 4] = ["╵", "╶", "╷", "╴"];
    const HEAVY: [&str; 4] = ["╹", "╺", "╻", "╸"];
    let arms = cell.arms.iter().zip(LIGHT).zip(HEAVY);
    let halves = arms.filter_map(|((arm, light), heavy)| match arm {
        Some(Line::Best) => Some(heavy),
        Some(_) => Some(light),
        None => None,
    });
    let symbol = halves.reduce(|symbol, half| MergeStrategy::Exact.merge(symbol, half))?;
    symbol.chars().next().map(|sign| (sign, strongest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use screen::glyphs::{ASCII, UNICODE};

    fn cells(strokes: &[((i32, i32), Line)], glyphs: &Glyphs) -> String {
        let mut row = vec![Cell::default(); 11];
        for &(ways, line) in strokes {
            stroke(&mut row, 0, ways, line);
        }
        row.iter()
            .map(|cell| sign(cell, glyphs).map_or(' ', |(sign, _)| sign))
            .collect()
    }

    #[test]
    fn edges_join_in_one_line() {
        let searched = [
            ((5, 0), Line::Searched),
            ((5, 5), Line::Searched),
            ((5, 10), Line::Searched),
        ];
        assert_eq!(cells(&searched, &UNICODE), "┌────┼────┐");
        assert_eq!(cells(&searched, &ASCII), "+----+----+");
        let best = [((5, 0), Line::Searched), ((5, 10), Line::Best)];
        assert_eq!(cells(&best, &UNICODE), "┌────┺━━━━┓");
        let cut = [
            ((5, 0), Line::Best),
            ((5, 5), Line::Dashed),
            ((5, 10), Line::Dashed),
        ];
        assert_eq!(cells(&cut, &UNICODE), "┏━━━━╃╌╌╌╌┐");
        assert_eq!(cells(&cut, &ASCII), "#====#....+");
        // An only child is straight below its parent.
        assert_eq!(cells(&[((5, 5), Line::Searched)], &UNICODE).trim(), "│");
    }
}
