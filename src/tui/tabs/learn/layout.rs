//! The panes beside the text of a lesson, by the size of the screen, and by what there is to show.

use game::Game as _;
use ratatui::layout::Rect;

use crate::context::Context;
use crate::panes::Pane;
use crate::panes::board::Squares;
use crate::tabs::explore::layout::{Layout, below, rest};
use studies::lesson::Fact;

/// A toy tree with more leaves is not drawn below its rows.
const DRAWN: usize = 16;

/// What there is to show beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    pub inspector: bool,
    /// Whether the text is shown large.
    pub large: bool,
    /// Whether there is a board.
    pub board: bool,
    /// Whether a toy tree is drawn.
    pub drawn: bool,
    /// The number of rows of a small toy tree that is shown as rows, and can be drawn below them.
    pub rows: Option<u16>,
}

/// The areas of the panes, and of a drawing below the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    pub panes: Layout,
    pub drawing: Option<Rect>,
}

impl Beside {
    pub fn of(cx: &Context) -> Beside {
        let position = &cx.subject.position;
        let is_small = position.as_toy().is_some_and(|at| {
            let leaves = at.tree().nodes.iter().filter(|n| n.children.is_empty());
            leaves.count() <= DRAWN
        });
        let rows = cx.explore.tree.rows().len();
        Beside {
            inspector: cx.reading.shows(Fact::Inspector) && !cx.presenting,
            large: cx.presenting,
            board: position.board().is_some(),
            drawn: cx.is_drawn() && position.as_toy().is_some(),
            rows: (is_small && !cx.is_drawn()).then_some(rows.min(1000) as u16),
        }
    }
}

impl Places {
    /// Returns the text, and beside it the tree, the inspector and the board or a drawing; if there is room for only one
    /// pane, the focused one.
    pub fn beside_text(body: Rect, focus: Pane, beside: Beside) -> Places {
        let mut places = Places::default();
        let left = match beside.large {
            // The board and the rows are to be seen from far away as well.
            true if beside.board => (body.width * 45 / 100).clamp(38, 90),
            true => (body.width * 55 / 100).clamp(38, 110),
            false => (body.width * 36 / 100).clamp(41, 64),
        };
        places.panes.text = Some(Rect {
            width: left,
            ..body
        });
        let area = Rect {
            x: body.x + left,
            width: body.width - left,
            ..body
        };
        let wide = area.width >= 100 && area.height >= 34;
        if focus == Pane::Log && !beside.large {
            places.panes.log = Some(area);
        } else if wide && beside.board {
            places.tree_and_board(area, beside.inspector);
        } else if focus == Pane::Board {
            places.panes.board_beside_text(area, beside.inspector);
        } else if wide && beside.drawn && beside.inspector && !beside.large {
            places.panes.inspector_below_drawing(area);
        } else {
            places.panes.tree_beside_text(area, focus, beside);
            if let Some(rows) = beside.rows.filter(|_| wide) {
                places.place_drawing_below(area, rows);
            }
        }
        places
    }

    /// Arranges the tree · the board above the inspector.
    fn tree_and_board(&mut self, area: Rect, inspector: bool) {
        /// The rows that the inspector needs for a plot and its figures.
        const INSPECTOR: u16 = 14;
        let lower = if inspector { INSPECTOR } else { 0 };
        let widest = if inspector { 60 } else { area.width - 48 };
        let squares = Squares::fitting(widest, area.height.saturating_sub(lower))
            .unwrap_or(Squares::SMALLEST);
        let (width, height) = squares.frame();
        let width = width.max(if inspector { 48 } else { 0 });
        self.panes.tree = Some(Rect {
            width: area.width - width,
            ..area
        });
        let column = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        self.panes.board = Some(Rect { height, ..column });
        if inspector {
            self.panes.inspector = rest(column, width, height);
        }
    }

    /// Puts a drawing below the rows of a small tree, and below the inspector beside them: a drawing is wide.
    fn place_drawing_below(&mut self, area: Rect, rows: u16) {
        // Frame, headings, and a free row; an inspector needs half of the height.
        let height = match self.panes.inspector {
            Some(_) => area.height / 2,
            None => (rows + 4).clamp(8, area.height / 2),
        };
        let upper = [&mut self.panes.tree, &mut self.panes.inspector];
        for pane in upper.into_iter().flatten() {
            pane.height = height;
        }
        self.drawing = below(area, area.width, height, area.height - height);
    }
}

impl Layout {
    /// A drawing is wide, and the inspector is plot and text side by side below it.
    fn inspector_below_drawing(&mut self, area: Rect) {
        const INSPECTOR: u16 = 16;
        let tree = area.height - INSPECTOR;
        self.tree = Some(Rect {
            height: tree,
            ..area
        });
        self.inspector = below(area, area.width, tree, INSPECTOR);
    }

    fn board_beside_text(&mut self, area: Rect, inspector: bool) {
        let squares = Squares::fitting(area.width, area.height).unwrap_or(Squares::SMALLEST);
        let (width, height) = squares.frame();
        self.board = Some(Rect {
            width: width.min(area.width),
            height: height.min(area.height),
            ..area
        });
        if inspector {
            self.inspector = rest(area, area.width, height);
        }
    }

    fn tree_beside_text(&mut self, area: Rect, focus: Pane, beside: Beside) {
        if !beside.inspector || beside.large {
            self.tree = Some(area);
        } else if area.width >= 100 {
            let right = (area.width * 40 / 100).clamp(42, 60);
            self.tree = Some(Rect {
                width: area.width - right,
                ..area
            });
            self.inspector = Some(Rect {
                x: area.right() - right,
                width: right,
                ..area
            });
        } else if area.height >= 34 {
            let tree = area.height * 55 / 100;
            self.tree = Some(Rect {
                height: tree,
                ..area
            });
            self.inspector = below(area, area.width, tree, area.height - tree);
        } else if focus == Pane::Inspector {
            self.inspector = Some(area);
        } else {
            self.tree = Some(area);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_overlaps_or_leaves_the_screen(w in 80u16..400, h in 22u16..148, pane in 0usize..4, board: bool, inspector: bool, large: bool, drawn: bool, rows in proptest::option::of(1u16..60)) {
            let body = Rect::new(0, 1, w, h);
            let focus = [Pane::Tree, Pane::Inspector, Pane::Board, Pane::Log][pane];
            let beside = Beside { inspector, large, board, drawn: drawn && !board, rows: rows.filter(|_| !board && !drawn) };
            let Places { panes, drawing } = Places::beside_text(body, focus, beside);
            let all = [panes.tree, panes.inspector, panes.board, panes.log, panes.text, drawing];
            let all: Vec<Rect> = all.into_iter().flatten().collect();
            for (i, a) in all.iter().enumerate() {
                prop_assert_eq!(a.intersection(body), *a);
                prop_assert!(a.width >= 8 && a.height >= 3, "{:?}", a);
                for b in &all[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty(), "{:?} {:?}", a, b);
                }
            }
            prop_assert!(panes.text.is_some() && all.len() >= 2);
            prop_assert!(inspector || panes.inspector.is_none());
        }
    }
}
