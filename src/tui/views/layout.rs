//! Which view stands where, by the size of the screen.

use ratatui::layout::Rect;

use crate::tui::app::{Pane, Tab};

/// The size of a square of the board in cells, about twice as wide as high so that it looks square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares {
    pub width: u16,
    pub height: u16,
}

impl Squares {
    pub(in crate::tui) const SIZES: [Squares; 3] = [
        Squares {
            width: 6,
            height: 3,
        },
        Squares {
            width: 4,
            height: 2,
        },
        Squares {
            width: 2,
            height: 1,
        },
    ];

    /// Frame, eight squares and the labels.
    #[must_use]
    pub fn frame(self) -> (u16, u16) {
        (8 * self.width + 2 + 2 + 1, 8 * self.height + 1 + 2)
    }

    /// The largest that fits.
    pub(in crate::tui) fn fitting(width: u16, height: u16) -> Option<Squares> {
        Self::SIZES.into_iter().find(|s| {
            let (w, h) = s.frame();
            w <= width && h <= height
        })
    }
}

/// Where everything stands. What does not fit is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub top: Rect,
    pub bottom: Rect,
    pub tree: Option<Rect>,
    pub inspector: Option<Rect>,
    pub board: Option<(Rect, Squares)>,
    pub game: Option<Rect>,
    /// The whole Game, Compare and Lab tab: they divide their room themselves.
    pub game_tab: Option<Rect>,
    pub compare: Option<Rect>,
    pub lab: Option<Rect>,
    /// The list of lessons, or the text beside the panes.
    pub learn: Option<Rect>,
    /// The event log.
    pub log: Option<Rect>,
    /// The scrubber and, below it, the sentence of the event that the search stands at.
    pub dock: Option<Rect>,
}

impl Layout {
    /// The layout of a screen of at least 80x24. `tab`: with whether a text stands beside the live search in Learn.
    #[must_use]
    pub fn of(area: Rect, focus: Pane, tab: (Tab, bool), debugger: bool) -> Layout {
        let (tab, text) = tab;
        let mut layout = Layout {
            top: Rect { height: 1, ..area },
            bottom: Rect {
                y: area.bottom() - 1,
                height: 1,
                ..area
            },
            tree: None,
            inspector: None,
            board: None,
            game: None,
            game_tab: None,
            compare: None,
            lab: None,
            learn: None,
            log: None,
            dock: None,
        };
        let mut body = Rect {
            y: area.y + 1,
            height: area.height - 2,
            ..area
        };
        let debugger = debugger && tab == Tab::Explore;
        if debugger {
            // The sentence gets a second line where one is too short for most.
            let height = if area.width >= 120 { 2 } else { 3 };
            body.height -= height;
            layout.dock = below(body, body.width, body.height, height);
        }
        if tab == Tab::Game {
            layout.game_tab = Some(body);
        } else if tab == Tab::Compare {
            layout.compare = Some(body);
        } else if tab == Tab::Lab {
            layout.lab = Some(body);
        } else if tab == Tab::Learn && text {
            layout.beside_text(body, focus);
        } else if tab == Tab::Learn {
            layout.learn = Some(body);
        } else if area.width >= 140 {
            layout.three_columns(body, debugger);
        } else if area.width >= 110 {
            layout.two_columns(body, debugger);
        } else {
            layout.one_column(body, focus, debugger);
        }
        layout
    }

    /// The text · the tree above the inspector, or beside it; where there is room for one pane, that with the keyboard.
    fn beside_text(&mut self, body: Rect, focus: Pane) {
        let left = (body.width * 36 / 100).clamp(38, 64);
        self.learn = Some(Rect {
            width: left,
            ..body
        });
        let rest = Rect {
            x: body.x + left,
            width: body.width - left,
            ..body
        };
        if focus == Pane::Board {
            // The tree beside it, where there is room.
            let column = Rect {
                width: if rest.width >= 100 {
                    rest.width / 2
                } else {
                    rest.width
                },
                ..rest
            };
            let squares =
                Squares::fitting(column.width, column.height).unwrap_or(Squares::SIZES[2]);
            let (width, height) = squares.frame();
            self.board = Some((
                Rect {
                    width: width.min(column.width),
                    height: height.min(column.height),
                    ..column
                },
                squares,
            ));
            self.inspector = self::rest(column, column.width, height);
            self.tree = (column.width < rest.width).then_some(Rect {
                x: column.right(),
                width: rest.width - column.width,
                ..rest
            });
        } else if focus == Pane::Log {
            self.log = Some(rest);
        } else if rest.width >= 100 {
            let right = (rest.width * 40 / 100).clamp(42, 60);
            self.tree = Some(Rect {
                width: rest.width - right,
                ..rest
            });
            self.inspector = Some(Rect {
                x: rest.right() - right,
                width: right,
                ..rest
            });
        } else if rest.height >= 34 {
            let tree = rest.height * 55 / 100;
            self.tree = Some(Rect {
                height: tree,
                ..rest
            });
            self.inspector = below(rest, rest.width, tree, rest.height - tree);
        } else if focus == Pane::Inspector {
            self.inspector = Some(rest);
        } else {
            self.tree = Some(rest);
        }
    }

    /// Board and game, or the event log · tree · inspector.
    fn three_columns(&mut self, body: Rect, debugger: bool) {
        let others = if debugger { 12 } else { 5 };
        let squares = Squares::fitting(body.width * 28 / 100, body.height.saturating_sub(others))
            .unwrap_or(Squares::SIZES[2]);
        let (board_width, board_height) = squares.frame();
        // Events are sentences: they need a wider column than a small board.
        let left = board_width.max(if debugger { 42 } else { 30 });
        let right = (body.width * 28 / 100).clamp(42, 64);
        self.board = Some((
            Rect {
                width: left,
                height: board_height.min(body.height),
                ..body
            },
            squares,
        ));
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

    /// Tree above the event log · board above the inspector.
    fn two_columns(&mut self, body: Rect, debugger: bool) {
        let squares = Squares::SIZES[2];
        let (_, board_height) = squares.frame();
        let right = 42;
        let log = if debugger {
            (body.height / 3).clamp(5, 14)
        } else {
            0
        };
        let tree = Rect {
            width: body.width - right,
            height: body.height - log,
            ..body
        };
        self.tree = Some(tree);
        self.log = below(body, tree.width, tree.height, log);
        let column = Rect {
            x: tree.right(),
            width: right,
            ..body
        };
        let (board_width, _) = squares.frame();
        self.board = Some((
            Rect {
                width: board_width,
                height: board_height,
                ..column
            },
            squares,
        ));
        self.game = Some(Rect {
            x: column.x + board_width,
            width: right - board_width,
            height: board_height,
            ..column
        });
        self.inspector = rest(column, right, board_height);
    }

    /// The tree above a strip of the inspector, or of the event log; the pane with the keyboard takes the screen.
    fn one_column(&mut self, body: Rect, focus: Pane, debugger: bool) {
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
                let strip = if body.height >= 30 { 12 } else { 7 };
                self.tree = Some(Rect {
                    height: body.height - strip,
                    ..body
                });
                self.inspector = rest(body, body.width, body.height - strip);
            }
            Pane::Inspector => self.inspector = Some(body),
            Pane::Board => {
                let squares =
                    Squares::fitting(body.width - 24, body.height).unwrap_or(Squares::SIZES[2]);
                let (width, height) = squares.frame();
                self.board = Some((
                    Rect {
                        width,
                        height: height.min(body.height),
                        ..body
                    },
                    squares,
                ));
                self.game = Some(Rect {
                    x: body.x + width,
                    width: body.width - width,
                    ..body
                });
            }
        }
    }
}

/// `height` rows below the first `from`; none where there are none.
pub(in crate::tui) fn below(area: Rect, width: u16, from: u16, height: u16) -> Option<Rect> {
    (height > 0).then_some(Rect {
        x: area.x,
        y: area.y + from,
        width,
        height,
    })
}

/// What is left below the first `from` rows, if that is enough for a frame.
fn rest(area: Rect, width: u16, from: u16) -> Option<Rect> {
    let left = area.height.saturating_sub(from);
    below(area, width, from, left).filter(|r| r.height >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rects(l: &Layout) -> Vec<Rect> {
        let board = l.board.map(|(r, _)| r);
        [
            l.tree,
            l.inspector,
            board,
            l.game,
            l.game_tab,
            l.log,
            l.dock,
            l.compare,
            l.lab,
            l.learn,
        ]
        .into_iter()
        .flatten()
        .chain([l.top, l.bottom])
        .collect()
    }

    proptest! {
        #[test]
        fn nothing_overlaps_or_leaves_the_screen(w in 80u16..400, h in 24u16..150, pane in 0usize..4, tab in 0usize..5, text: bool, debugger: bool) {
            let area = Rect::new(0, 0, w, h);
            let focus = [Pane::Tree, Pane::Inspector, Pane::Board, Pane::Log][pane];
            let tab = [Tab::Explore, Tab::Compare, Tab::Game, Tab::Lab, Tab::Learn][tab];
            let layout = Layout::of(area, focus, (tab, text), debugger);
            prop_assert_eq!(layout.dock.is_some(), debugger && tab == Tab::Explore);
            let all = rects(&layout);
            for (i, a) in all.iter().enumerate() {
                prop_assert_eq!(a.intersection(area), *a);
                for b in &all[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty(), "{:?} {:?}", a, b);
                }
            }
        }
    }
}
