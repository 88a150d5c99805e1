//! The layout of the Game tab's panes.

use ratatui::layout::Rect;

use crate::panes::board::Squares;
use crate::tabs::explore::layout::below;
use crate::tabs::game::GamePane;

/// The areas of the panes. A pane that does not fit, or has nothing to show, is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameLayout {
    pub board: Option<Rect>,
    pub moves: Option<Rect>,
    pub games: Option<Rect>,
    pub findings: Option<Rect>,
    pub chart: Option<Rect>,
}

/// What there is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Whether there is more than one game.
    pub games: bool,
    pub findings: bool,
    /// Whether there are moves, and therefore a chart to draw.
    pub chart: bool,
    /// The rows that the moves take in their pane.
    pub moves: u16,
}

impl GameLayout {
    /// The smallest height of a chart, including its frame.
    const CHART: u16 = 9;
    /// More rows would not show more.
    const CHART_MOST: u16 = 24;
    /// From this size on the chart is beside the board.
    const WIDE: u16 = 180;
    const HIGH: u16 = 40;

    pub fn of(body: Rect, pane: GamePane, there: Contents) -> GameLayout {
        let mut layout = GameLayout::default();
        if body.width < 110 && pane == GamePane::Games {
            layout.games = Some(body);
            return layout;
        }
        let least = if there.chart { Self::CHART } else { 0 };
        let squares = Squares::fitting(body.width * 36 / 100, body.height.saturating_sub(least));
        let squares = squares.unwrap_or(Squares::SMALLEST);
        let (width, height) = squares.frame();
        if there.chart && body.width >= Self::WIDE && body.height >= Self::HIGH {
            layout.beside_the_board(body, (width, height), pane, there);
            return layout;
        }
        let chart = if there.chart {
            (body.height - height).min(Self::CHART_MOST)
        } else {
            0
        };
        layout.chart = below(body, body.width, body.height - chart, chart);
        let upper = Rect {
            height: body.height - chart,
            ..body
        };
        let board = Rect {
            width,
            height: height.min(upper.height),
            ..upper
        };
        layout.board = Some(board);
        let right = Rect {
            x: upper.x + width,
            width: upper.width - width,
            ..upper
        };
        layout.divide(right, pane, there);
        layout
    }

    /// Arranges the board above the games, and beside both the moves and the results above the chart, which gets what the
    /// moves do not need.
    fn beside_the_board(
        &mut self,
        body: Rect,
        (width, height): (u16, u16),
        pane: GamePane,
        there: Contents,
    ) {
        /// The rows of the moves' pane beside those of the moves: its frame, and what is above the moves.
        const HEAD: u16 = 4;
        /// The rows of the results with their formulas and some disagreements.
        const FINDINGS: u16 = 26;
        /// The fewest rows of a list.
        const LIST: u16 = 6;
        let below_board = body.height.saturating_sub(height);
        let games = there.games && below_board >= LIST;
        self.board = Some(Rect {
            width,
            height: if games { height } else { body.height },
            ..body
        });
        let right = Rect {
            x: body.x + width,
            width: body.width - width,
            ..body
        };
        let wanted = there.moves.saturating_add(HEAD);
        let upper = match there.findings {
            true => wanted.max(FINDINGS),
            false => wanted,
        };
        let chart = body.height.saturating_sub(upper);
        let chart = chart.clamp(Self::CHART, Self::CHART_MOST);
        self.chart = below(right, right.width, right.height - chart, chart);
        let upper = Rect {
            height: right.height - chart,
            ..right
        };
        let there = Contents {
            games: there.games && !games,
            ..there
        };
        self.divide(upper, pane, there);
        if games {
            self.games = below(body, width, height, below_board);
        }
    }

    /// Returns one part of the tab alone, by its name, for a screen without room for several.
    pub fn single(body: Rect, part: &str) -> GameLayout {
        let mut layout = GameLayout::default();
        match part {
            "board" => {
                let squares = Squares::fitting(body.width, body.height);
                let (width, height) = squares.unwrap_or(Squares::SIZES[2]).frame();
                layout.board = Some(Rect {
                    width: width.min(body.width),
                    height: height.min(body.height),
                    ..body
                });
            }
            "chart" => layout.chart = Some(body),
            "findings" => layout.findings = Some(body),
            "games" => layout.games = Some(body),
            _ => layout.moves = Some(body),
        }
        layout
    }

    /// Arranges the moves, and the lists beside or below them.
    fn divide(&mut self, area: Rect, pane: GamePane, there: Contents) {
        if area.width >= 110 && (there.games || there.findings) {
            let side = (area.width * 2 / 5).clamp(46, 76);
            let lists = Rect {
                x: area.right() - side,
                width: side,
                ..area
            };
            self.moves = Some(Rect {
                width: area.width - side,
                ..area
            });
            let upper = match (there.games, there.findings) {
                (true, true) => lists.height / 2,
                (true, false) => lists.height,
                _ => 0,
            };
            self.games = below(lists, side, 0, upper);
            self.findings = below(lists, side, upper, lists.height - upper);
            return;
        }
        // One list at a time: the focused one, otherwise the results of the review.
        let findings = there.findings && (pane != GamePane::Games || !there.games);
        let lists = findings || there.games;
        if area.height < 16 || !lists {
            match pane {
                GamePane::Findings if there.findings => self.findings = Some(area),
                GamePane::Games if there.games => self.games = Some(area),
                _ => self.moves = Some(area),
            }
            return;
        }
        let share = if findings { 55 } else { 45 };
        let list = area.height * share / 100;
        self.moves = below(area, area.width, 0, area.height - list);
        let rest = below(area, area.width, area.height - list, list);
        if findings {
            self.findings = rest;
        } else {
            self.games = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_keep_apart_and_the_one_with_the_keyboard_is_there(
            w in 80u16..400, h in 17u16..150, pane in 0usize..3, games: bool, findings: bool, chart: bool, moves in 0u16..200,
        ) {
            let body = Rect::new(0, 1, w, h);
            let pane = [GamePane::Games, GamePane::Moves, GamePane::Findings][pane];
            let there = Contents { games, findings, chart, moves };
            let l = GameLayout::of(body, pane, there);
            let all: Vec<Rect> = [l.board, l.moves, l.games, l.findings, l.chart].into_iter().flatten().collect();
            for (i, a) in all.iter().enumerate() {
                prop_assert_eq!(a.intersection(body), *a);
                prop_assert!(a.width >= 20 && a.height >= 5, "{:?}", a);
                for b in &all[i + 1..] {
                    prop_assert!(a.intersection(*b).is_empty(), "{:?} {:?}", a, b);
                }
            }
            let shown = match pane {
                GamePane::Games => !games || l.games.is_some(),
                GamePane::Moves => l.moves.is_some(),
                GamePane::Findings => !findings || l.findings.is_some(),
            };
            prop_assert!(shown, "{:?} {:?}", pane, l);
        }
    }
}
