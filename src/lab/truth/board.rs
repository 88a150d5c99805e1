//! The positions of a board: all that can come up with the game not over.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use fastrand::Rng;
use game::Game;
use games::in_a_row::{InARow, Rules};

/// A board all of whose positions can be looked at: that of tic-tac-toe, or one of Connect Four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board(Rules);

/// The most cells. 5x4 has 3.1 million positions with the game not over, and the next larger boards tens of millions.
const CELLS: u32 = 20;

impl FromStr for Board {
    type Err = String;

    /// Reads `3x3`, which is tic-tac-toe, or a size of Connect Four, columns by rows.
    fn from_str(text: &str) -> Result<Board, String> {
        let sides = text.split_once('x');
        let sides = sides.and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let rules = match sides {
            Some((3, 3)) => Some(Rules::TIC_TAC_TOE),
            Some((width, height)) => Rules::connect_four(width, height),
            None => None,
        };
        let board = rules.filter(|rules| rules.cells() <= CELLS).map(Board);
        let expected =
            "expected 3x3 (tic-tac-toe), 4x4, 4x5 or 5x4 (Connect Four, columns by rows)";
        board.ok_or_else(|| expected.to_owned())
    }
}

fn side(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0.width(), self.0.height())
    }
}

impl Board {
    pub const TIC_TAC_TOE: Board = Board(Rules::TIC_TAC_TOE);

    /// Returns the name of its game.
    pub fn game(self) -> &'static str {
        match self.0.falls() {
            true => "Connect Four",
            false => "tic-tac-toe",
        }
    }
}

/// Which of the positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every N-th, from the first on; 1: all.
    Every(usize),
    /// So many at random, or all if there are no more.
    Drawn { count: usize, seed: u64 },
}

/// A position that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its number among all positions of the board, by stones and then in the order in which they come up.
    pub number: u64,
    pub position: InARow,
}

/// The positions that are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions {
    /// By their numbers.
    pub cases: Vec<Case>,
    /// The number of positions of the board.
    pub of: usize,
}

impl Positions {
    /// Returns positions of a board. Only those of one number of stones are held at a time, beside those that are chosen.
    pub fn of(board: Board, which: Which) -> Positions {
        let mut chosen = Chosen::new(which);
        let mut front = vec![InARow::new(board.0)];
        let mut all = 0;
        while !front.is_empty() {
            let (mut next, mut seen) = (Vec::new(), HashSet::new());
            for position in front {
                chosen.offer(Case {
                    number: all as u64,
                    position,
                });
                all += 1;
                for m in position.legal_moves() {
                    let mut after = position;
                    after.play(m);
                    if after.has_moves() && seen.insert(after.key()) {
                        next.push(after);
                    }
                }
            }
            front = next;
        }
        let mut cases = chosen.cases;
        cases.sort_unstable_by_key(|case| case.number);
        Positions { cases, of: all }
    }
}

/// Chooses among positions that come one after another (at random by a reservoir: Vitter's algorithm R, 1985).
struct Chosen {
    which: Which,
    random: Rng,
    cases: Vec<Case>,
}

impl Chosen {
    fn new(which: Which) -> Chosen {
        let seed = match which {
            Which::Every(_) => 0,
            Which::Drawn { seed, .. } => seed,
        };
        Chosen {
            which,
            random: Rng::with_seed(seed),
            cases: Vec::new(),
        }
    }

    fn offer(&mut self, case: Case) {
        match self.which {
            Which::Every(n) if case.number.is_multiple_of(n.max(1) as u64) => self.cases.push(case),
            Which::Every(_) => {}
            Which::Drawn { count, .. } if self.cases.len() < count => self.cases.push(case),
            Which::Drawn { .. } => {
                let at = self.random.u64(..=case.number) as usize;
                if let Some(place) = self.cases.get_mut(at) {
                    *place = case;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(board: &str, which: Which) -> Positions {
        Positions::of(board.parse().expect("a board"), which)
    }

    /// Counts that share nothing with the code above but the rules: by looking at every sequence of moves (5,478 positions of
    /// tic-tac-toe in all, of which 958 are over).
    #[test]
    fn all_positions_come_up_once() {
        let found = of("3x3", Which::Every(1));
        assert_eq!((found.cases.len(), found.of), (5_478 - 958, 4_520));
        let mut met = HashSet::new();
        let mut open = vec![InARow::new(Rules::TIC_TAC_TOE)];
        while let Some(position) = open.pop() {
            met.insert(position.notated());
            let after = position.legal_moves().into_iter().map(|m| {
                let mut after = position;
                after.play(m);
                after
            });
            open.extend(after.filter(|p| p.ending(true).is_none()));
        }
        let listed: HashSet<_> = found.cases.iter().map(|c| c.position.notated()).collect();
        assert_eq!(listed, met);
        assert!(
            found
                .cases
                .iter()
                .zip(0..)
                .all(|(case, n)| case.number == n)
        );
    }

    #[test]
    fn some_positions_are_chosen() {
        let all = of("3x3", Which::Every(1)).cases;
        let every = of("3x3", Which::Every(100));
        assert_eq!(every.of, all.len());
        assert!(every.cases.iter().eq(all.iter().step_by(100)));
        let drawn = |seed| of("3x3", Which::Drawn { count: 300, seed }).cases;
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        assert!(drawn(1).is_sorted_by(|a, b| a.number < b.number));
        assert!(
            drawn(1)
                .iter()
                .all(|case| all[case.number as usize] == *case)
        );
        // The middle of a fair draw is near that of all: 300 uniform numbers have a mean within 4.7 of their own deviations.
        let mean = drawn(1).iter().map(|c| c.number as f64).sum::<f64>() / 300.0;
        let (middle, sd) = (4_519.0 / 2.0, 4_520.0 / (12.0 * 300.0_f64).sqrt());
        assert!((mean - middle).abs() < 4.7 * sd, "{mean}");
        let all_drawn = of(
            "3x3",
            Which::Drawn {
                count: 9_999,
                seed: 1,
            },
        );
        assert_eq!(all_drawn.cases, all);
    }

    #[test]
    fn boards_are_named() {
        for text in ["3x3", "4x4", "5x4", "4x5"] {
            let board = text.parse::<Board>();
            assert_eq!(board.map(|b| b.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "", "4", "x", "3x4", "5x5", "7x6", "4x4x4", "+4x4", "-1x4", "300x4",
        ] {
            text.parse::<Board>().expect_err(text);
        }
    }
}
