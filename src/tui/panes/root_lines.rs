//! The best lines from the root, in a strip below the tree.

use ratatui::layout::Rect;
use report::lens::Scores;

use crate::context::{Context, line_from};
use crate::views::facts::{Facts, Numbers};
use screen::pen::Pen;
use screen::theme::Role;
use session::{Reader, Snapshot};
use tree::Tree;

/// The number of lines below the tree; where other panes leave more room there are more.
const LINES: usize = 3;

/// The height of the strip with its frame.
pub const HEIGHT: u16 = LINES as u16 + 2;

/// The rows that the tree keeps unless the user asked for the strip.
const TREE: u16 = 16;

/// Splits the tree's area if the strip is to be shown: the tree, and the strip below it. `wish` is the user's.
pub fn split(area: Rect, wish: Option<bool>) -> Option<(Rect, Rect)> {
    let least = match wish {
        Some(false) => return None,
        Some(true) => HEIGHT + 1,
        None => TREE,
    };
    if area.height < HEIGHT + least {
        return None;
    }
    let tree = Rect {
        height: area.height - HEIGHT,
        ..area
    };
    let strip = Rect {
        y: tree.bottom(),
        height: HEIGHT,
        ..area
    };
    Some((tree, strip))
}

/// One of the lines.
struct Best {
    value: String,
    share: String,
    work: String,
    line: String,
}

pub fn draw(cx: &Context, pen: &mut Pen, area: Rect) {
    let inner = pen.frame(area, "best lines from the root", false);
    let Some(source) = &cx.session else {
        return;
    };
    let reader = source.reader();
    if let Some(unfinished) = reader.unfinished() {
        let note = unfinished.to_string();
        if text::width(&note) + 32 <= usize::from(area.width) {
            pen.frame_note(area, area.y, &note, Role::Dim);
        }
    }
    let numbers = Numbers::new(cx, reader.scale(), pen.glyphs);
    // The side to move at the root gives the values of its moves.
    let scores = cx.lens.of_moves(&reader, Tree::ROOT);
    let lines = best(reader, &numbers, &scores, usize::from(inner.height));
    if lines.is_empty() {
        let what = "nothing searched yet";
        pen.put(inner.x + 1, inner.y, inner.right(), what, Role::Dim);
        return;
    }
    let width = |of: fn(&Best) -> &String| lines.iter().map(|l| text::width(of(l))).max();
    let widths = [width(|l| &l.value), width(|l| &l.share), width(|l| &l.work)];
    let widths = widths.map(|w| w.unwrap_or(0) as u16);
    let digits = if lines.len() > 9 { 2 } else { 1 };
    for (i, best) in lines.iter().enumerate() {
        let y = inner.y + i as u16;
        let end = inner.right();
        let mut x = pen.put(
            inner.x + 1,
            y,
            end,
            &format!("{:>digits$} ", i + 1),
            Role::Dim,
        );
        let cells = [
            (&best.value, Role::Text),
            (&best.share, Role::Policy),
            (&best.work, Role::Count),
        ];
        for ((cell, role), width) in cells.into_iter().zip(widths) {
            if width > 0 {
                pen.put_right(x, y, x + width, cell, role);
                x += width + 2;
            }
        }
        let room = usize::from(end.saturating_sub(x + 1));
        let line = text::fit(&pen.glyphs.text(&best.line), room, pen.glyphs.ellipsis);
        let role = if i == 0 { Role::MoveBest } else { Role::Move };
        pen.put(x, y, end, &line, role);
    }
}

/// Returns at most so many of the best lines, best first; only moves that were searched.
fn best(reader: Reader, numbers: &Numbers, scores: &Scores, most: usize) -> Vec<Best> {
    let Snapshot { moves, shares, .. } = reader.snapshot();
    let searched = moves.iter().zip(shares);
    let searched = searched.filter(|(row, _)| row.view.visits > 0 && !row.view.fate.is_skip());
    let lines = searched.take(most).map(|(row, shares)| {
        let mut codes = vec![row.move_code];
        codes.extend(
            row.id
                .node()
                .map(|id| reader.line_shown(id))
                .unwrap_or_default(),
        );
        let facts = Facts {
            view: row.view,
            belief: row.belief.clone(),
            ahead: false,
            illegal: false,
        };
        let share = shares.best.or(shares.visits).or(shares.work);
        Best {
            value: numbers.mean(&scores.seen(facts)),
            share: share.map(text::percent).unwrap_or_default(),
            work: text::count(reader.work(&row.view)),
            line: line_from(reader.subject, &codes),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strip_is_there_where_the_tree_keeps_its_rows() {
        let area = |height| Rect::new(0, 1, 80, height);
        assert_eq!(split(area(11), None), None);
        assert_eq!(split(area(40), Some(false)), None);
        let (tree, strip) = split(area(11), Some(true)).expect("as wished");
        assert_eq!((tree.height, strip.height), (6, HEIGHT));
        let (tree, strip) = split(area(40), None).expect("there is room");
        assert_eq!(tree.height + strip.height, 40);
        assert_eq!(tree.bottom(), strip.y);
        assert_eq!(split(area(8), Some(true)), None);
    }
}
