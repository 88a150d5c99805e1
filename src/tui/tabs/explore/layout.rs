//! The layout of the live search's panes, by the size of the screen.

use ratatui::layout::Rect;

use crate::panes::board::Squares;
use crate::panes::{Pane, root_lines};

/// The areas of the panes. A pane that does not fit is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub tree: Option<Rect>,
    /// The best lines from the root, below the tree.
    pub lines: Option<Rect>,
    pub inspector: Option<Rect>,
    pub board: Option<Rect>,
    /// The moves of the current game.
    pub game: Option<Rect>,
    /// The event log.
    pub log: Option<Rect>,
    /// The scrubber and, below it, the sentence of the event that the search has stopped at.
    pub dock: Option<Rect>,
    /// The text of a lesson.
    pub text: Option<Rect>,
}

impl Layout {
    /// Returns the panes on a screen of at least 80x24, without the top bar, the messages and the bottom line. `board`: whether a small
    /// screen has a board beside the inspector, and one of medium size a large board.
    pub fn of(mut body: Rect, focus: Pane, debugger: bool, board: bool) -> Layout {
        let mut layout = Layout::default();
        if debugger {
            // The sentence gets a second line if one is too short for most sentences.
            let height = if body.width >= 120 { 2 } else { 3 };
            body.height -= height;
            layout.dock = below(body, body.width, body.height, height);
        }
        if body.width >= 140 {
            layout.three_columns(body, debugger);
        } else if body.width >= 110 {
            layout.two_columns(body, debugger, board);
        } else {
            layout.one_column(body, focus, debugger, board);
        }
        layout
    }

    /// Returns the focused pane alone, for a screen without room for several; the sentence of the event that the search
    /// has stopped at stays below it, but not below a board.
    pub fn single(mut body: Rect, focus: Pane, debugger: bool) -> Layout {
        const DOCK: u16 = 3;
        let mut layout = Layout::default();
        if debugger && focus != Pane::Board && body.height > 2 * DOCK {
            body.height -= DOCK;
            layout.dock = below(body, body.width, body.height, DOCK);
        }
        match focus {
            Pane::Tree => layout.tree = Some(body),
            Pane::Inspector => layout.inspector = Some(body),
            Pane::Log => layout.log = Some(body),
            Pane::Board => layout.board_alone(body),
        }
        layout
    }

    /// Returns the panes for a class: the board and the rows of the tree, as large as there is room for; `board`: whether
    /// there is one. The inspector takes the place of the board if it is focused. The sentence of the event that the search
    /// has stopped at stays, and everything else is left out.
    pub fn presented(mut body: Rect, focus: Pane, debugger: bool, board: bool) -> Layout {
        /// The fewest columns of the tree, with an axis.
        const TREE: u16 = 42;
        let mut layout = Layout::default();
        if debugger && body.height > 12 {
            const DOCK: u16 = 3;
            body.height -= DOCK;
            layout.dock = below(body, body.width, body.height, DOCK);
        }
        if focus == Pane::Inspector {
            let width = (body.width / 2).clamp(38, 64);
            layout.beside_tree(body, width, |layout| &mut layout.inspector);
            return layout;
        }
        let room = body.width.saturating_sub(TREE);
        let squares = Squares::fitting(room, body.height).filter(|s| *s != Squares::SMALLEST);
        match squares.filter(|_| board) {
            Some(squares) => {
                let (width, _) = squares.frame();
                layout.beside_tree(body, width, |layout| &mut layout.board);
            }
            // No room for two: the board alone, if it is wanted.
            None if board && focus == Pane::Board => layout.board = Some(body),
            None => layout.tree = Some(body),
        }
        layout
    }

    /// Puts a pane to the left of the tree, or in its place if there is no room for both.
    fn beside_tree(&mut self, body: Rect, width: u16, pane: fn(&mut Layout) -> &mut Option<Rect>) {
        if body.width < width + 36 {
            *pane(self) = Some(body);
            return;
        }
        *pane(self) = Some(Rect { width, ..body });
        self.tree = Some(Rect {
            x: body.x + width,
            width: body.width - width,
            ..body
        });
    }

    /// The board, and in the columns beside it the moves of the game.
    fn board_alone(&mut self, body: Rect) {
        let squares = Squares::fitting(body.width, body.height).unwrap_or(Squares::SIZES[2]);
        let (width, height) = squares.frame();
        let width = width.min(body.width);
        self.board = Some(Rect {
            width,
            height: height.min(body.height),
            ..body
        });
        const LEAST: u16 = 16;
        self.game = (body.width >= width + LEAST).then_some(Rect {
            x: body.x + width,
            width: body.width - width,
            ..body
        });
    }

    /// Takes the room for the best lines from the root from the pane of the game, which may have more rows than the
    /// `needed` ones, or else from the tree, if it has enough or the user wishes so. `moves`: how many moves there are.
    #[must_use]
    pub fn with_lines(mut self, wish: Option<bool>, needed: u16, moves: u16) -> Layout {
        /// A narrower strip would not show much of a line.
        const WIDTH: u16 = 40;
        if let Some(game) = self
            .game
            .filter(|g| g.width >= WIDTH && wish != Some(false))
        {
            let free = game.height.saturating_sub(needed);
            if free >= root_lines::HEIGHT {
                let height = free.min(root_lines::HEIGHT.max(moves.saturating_add(2)));
                let rest = game.height - height;
                self.game = below(game, game.width, 0, rest);
                self.lines = below(game, game.width, rest, height);
                return self;
            }
        }
        if let Some((tree, lines)) = self.tree.and_then(|tree| root_lines::split(tree, wish)) {
            self.tree = Some(tree);
            self.lines = Some(lines);
        }
        self
    }

    /// Arranges board and game, or the event log · tree · inspector.
    fn three_columns(&mut self, body: Rect, debugger: bool) {
        let others = if debugger { 12 } else { 5 };
        let squares = Squares::fitting(body.width * 28 / 100, body.height.saturating_sub(others))
            .unwrap_or(Squares::SMALLEST);
        let (board_width, board_height) = squares.frame();
        // Events are sentences, which need a wider column than a small board.
        // Two columns more than the board keep its bar apart from the squares.
        let left = (board_width + 2).max(if debugger { 42 } else { 30 });
        let right = (body.width * 28 / 100).clamp(42, 64);
        self.board = Some(Rect {
            width: left,
            height: board_height.min(body.height),
            ..body
        });
        self.game = rest(body, left, board_height);
        if debugger {
            self.log = self.game.take();
        }
        self.tree = Some(Rect {
            x: body.x + left,
            width: body.width - left - right,
            ..body
        });
        self.inspector = Some(Rect {
            x: body.right() - right,
            width: right,
            ..body
        });
    }

    /// Arranges the tree above the event log · the board above the inspector. The game is below the tree if the board
    /// has the width of its column.
    fn two_columns(&mut self, body: Rect, debugger: bool, board: bool) {
        /// The rows that the inspector needs for a plot and the sentence below it.
        const INSPECTOR: u16 = 13;
        let right = 42;
        let squares = Squares::fitting(right, body.height.saturating_sub(INSPECTOR))
            .filter(|_| board)
            .unwrap_or(Squares::SMALLEST);
        let (board_width, board_height) = squares.frame();
        let wide = squares != Squares::SMALLEST;
        let lower = match (debugger, wide) {
            (true, _) => (body.height / 3).clamp(5, 14),
            (false, true) => 4,
            (false, false) => 0,
        };
        let tree = Rect {
            width: body.width - right,
            height: body.height - lower,
            ..body
        };
        self.tree = Some(tree);
        let lower = below(body, tree.width, tree.height, lower);
        let column = Rect {
            x: tree.right(),
            width: right,
            ..body
        };
        self.board = Some(Rect {
            width: if wide { right } else { board_width },
            height: board_height,
            ..column
        });
        self.game = lower;
        if debugger {
            self.log = self.game.take();
        }
        if !wide {
            self.game = Some(Rect {
                x: column.x + board_width,
                width: right - board_width,
                height: board_height,
                ..column
            });
        }
        self.inspector = rest(column, right, board_height);
    }

    /// Arranges the tree above a strip of board and inspector, or of the event log; the focused pane takes the screen.
    fn one_column(&mut self, body: Rect, focus: Pane, debugger: bool, board: bool) {
        match focus {
            Pane::Tree | Pane::Log if debugger => {
                let high = if focus == Pane::Log { 3 } else { 2 };
                let log = (body.height * high / 6).clamp(6, 30);
                let strip = if body.height >= 34 { 7 } else { 0 };
                let tree = body.height - log - strip;
                self.tree = Some(Rect {
                    height: tree,
                    ..body
                });
                self.inspector = below(body, body.width, tree, strip);
                self.log = below(body, body.width, tree + strip, log);
            }
            Pane::Tree | Pane::Log => {
                let (width, least) = match board {
                    true => Squares::SMALLEST.frame(),
                    false => (0, 7),
                };
                let strip = if body.height >= 30 { 12 } else { least };
                self.tree = Some(Rect {
                    height: body.height - strip,
                    ..body
                });
                let lower = Rect {
                    y: body.bottom() - strip,
                    height: strip,
                    ..body
                };
                self.board = board.then_some(Rect { width, ..lower });
                self.inspector = Some(Rect {
                    x: lower.x + width,
                    width: lower.width - width,
                    ..lower
                });
            }
            Pane::Inspector => self.inspector = Some(body),
            Pane::Board => {
                let squares =
                    Squares::fitting(body.width - 24, body.height).unwrap_or(Squares::SMALLEST);
                let (width, height) = squares.frame();
                self.board = Some(Rect {
                    width,
                    height: height.min(body.height),
                    ..body
                });
                self.game = Some(Rect {
                    x: body.x + width,
                    width: body.width - width,
                    ..body
                });
            }
        }
    }
}

/// Returns `height` rows below the first `from`; `None` if `height` is 0.
pub(crate) fn below(area: Rect, width: u16, from: u16, height: u16) -> Option<Rect> {
    (height > 0).then_some(Rect {
        x: area.x,
        y: area.y + from,
        width,
        height,
    })
}

/// Returns what is left below the first `from` rows, if that is enough for a frame.
pub(crate) fn rest(area: Rect, width: u16, from: u16) -> Option<Rect> {
    let left = area.height.saturating_sub(from);
    below(area, width, from, left).filter(|r| r.height >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rects(l: &Layout) -> Vec<Rect> {
        let panes = [
            l.tree,
            l.lines,
            l.inspector,
            l.board,
            l.game,
            l.log,
            l.dock,
            l.text,
        ];
        panes.into_iter().flatten().collect()
    }

    /// Checks that no pane leaves the screen or covers another one.
    fn apart(body: Rect, layout: &Layout) -> Result<(), TestCaseError> {
        let all = rects(layout);
        for (i, a) in all.iter().enumerate() {
            prop_assert_eq!(a.intersection(body), *a);
            for b in &all[i + 1..] {
                prop_assert!(a.intersection(*b).is_empty(), "{:?} {:?}", a, b);
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn nothing_overlaps_or_leaves_the_screen(w in 80u16..400, h in 17u16..148, pane in 0usize..4, debugger: bool, board: bool, needed in 3u16..40, moves in 0u16..60) {
            let body = Rect::new(0, 1, w, h);
            let focus = [Pane::Tree, Pane::Inspector, Pane::Board, Pane::Log][pane];
            let layout = Layout::of(body, focus, debugger, board).with_lines(Some(board), needed, moves);
            prop_assert_eq!(layout.dock.is_some(), debugger);
            apart(body, &layout)?;
        }

        #[test]
        fn a_small_screen_has_the_focused_pane(w in 40u16..200, h in 8u16..60, pane in 0usize..4, debugger: bool) {
            let body = Rect::new(0, 1, w, h);
            let focus = [Pane::Tree, Pane::Inspector, Pane::Board, Pane::Log][pane];
            let layout = Layout::single(body, focus, debugger);
            let shown = [layout.tree, layout.inspector, layout.board, layout.log][pane];
            prop_assert!(shown.is_some_and(|r| r.width >= 20 && r.height >= 5), "{:?}", layout);
            apart(body, &layout)?;
        }


        #[test]
        fn a_class_sees_the_board_and_the_tree(w in 80u16..400, h in 17u16..148, pane in 0usize..4, debugger: bool, board: bool) {
            let body = Rect::new(0, 1, w, h);
            let focus = [Pane::Tree, Pane::Inspector, Pane::Board, Pane::Log][pane];
            let layout = Layout::presented(body, focus, debugger, board);
            apart(body, &layout)?;
            prop_assert!(layout.log.is_none() && layout.game.is_none() && layout.lines.is_none());
            prop_assert!(layout.tree.is_some() || layout.board.is_some() || layout.inspector.is_some());
            // Nowhere is the board smaller than without the view, nor is the tree.
            let usual = Layout::of(body, focus, debugger, board);
            let larger = |a: Option<Rect>, b: Option<Rect>| a.is_none_or(|a| b.is_none_or(|b| a.height >= b.height));
            prop_assert!(larger(layout.board, usual.board), "{:?} {:?}", layout, usual);
            // The tree may give some rows for all columns.
            let wider = |a: Option<Rect>, b: Option<Rect>| a.is_none_or(|a| b.is_none_or(|b| a.height >= b.height || a.area() >= b.area()));
            prop_assert!(wider(layout.tree, usual.tree), "{:?} {:?}", layout, usual);
        }

        /// The board takes the largest squares that fit into its pane, which are those that the pane was made for.
        #[test]
        fn a_board_that_fits_takes_its_size(place in 0usize..4) {
            let squares = Squares::SIZES[place];
            let (width, height) = squares.frame();
            prop_assert_eq!(Squares::fitting(width, height), Some(squares));
        }
    }
}
