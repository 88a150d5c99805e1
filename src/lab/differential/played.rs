//! The game that is played.

use std::fmt;
use std::str::FromStr;

use super::OPENINGS;
use game::{ChessPosition, Game, Situation};
use games::go::{Go, Komi, Play, Stones};
use search::Subject;
use serde::{Deserialize, Serialize};

/// The game in which matches are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Played {
    #[default]
    Chess,
    /// Go on a board of this size, with a komi of 7.5.
    Go(u8),
}

/// Why a text is not the name of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "found {found:?}, expected chess, or go with the size of its board from 5 to 13, as in go9"
)]
pub struct PlayedError {
    found: String,
}

/// The sizes of boards on which matches are played.
const SIZES: std::ops::RangeInclusive<u8> = 5..=Stones::LARGEST;
/// The stones with which a game of Go begins.
const STONES: usize = 4;

impl Played {
    pub fn is_chess(&self) -> bool {
        *self == Played::Chess
    }

    /// Returns the position in which both games of a pair begin.
    pub(super) fn opening(self, number: usize) -> Option<Subject> {
        match self {
            Played::Chess => {
                let start = Situation::new(ChessPosition::default());
                start
                    .play_text(OPENINGS[number % OPENINGS.len()])
                    .ok()
                    .map(Subject::of)
            }
            Played::Go(size) => stones(size, number).map(Subject::of),
        }
    }
}

/// Returns the position with the first stones of a game: at random, but not on the two lines at the edge.
fn stones(size: u8, number: usize) -> Option<Situation<Go>> {
    let mut random = fastrand::Rng::with_seed(number as u64);
    let mut game = Situation::new(Go::new(size, Komi::USUAL)?);
    let mut left = STONES;
    while left > 0 {
        let [column, row] = [(); 2].map(|()| random.u8(2..size - 2));
        let m = Play::at(column, row);
        if game.position.legal_moves().contains(&m) {
            game.play(m);
            left -= 1;
        }
    }
    Some(game)
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Played::Chess => f.write_str("chess"),
            Played::Go(size) => write!(f, "go{size}"),
        }
    }
}

impl FromStr for Played {
    type Err = PlayedError;

    fn from_str(text: &str) -> Result<Played, PlayedError> {
        let size = || text.strip_prefix("go")?.parse().ok();
        match (text, size().filter(|size| SIZES.contains(size))) {
            ("chess", _) => Ok(Played::Chess),
            (_, Some(size)) => Ok(Played::Go(size)),
            _ => Err(PlayedError {
                found: text.to_owned(),
            }),
        }
    }
}

impl TryFrom<String> for Played {
    type Error = PlayedError;

    fn try_from(text: String) -> Result<Played, PlayedError> {
        text.parse()
    }
}

impl From<Played> for String {
    fn from(played: Played) -> String {
        played.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_written_as_they_are_read() {
        for played in [Played::Chess, Played::Go(5), Played::Go(9), Played::Go(13)] {
            assert_eq!(played.to_string().parse(), Ok(played));
        }
        for wrong in ["", "go", "go4", "go14", "go9x9", "Chess", "go-9"] {
            assert!(wrong.parse::<Played>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn pairs_of_go_begin_differently() {
        let mut keys = std::collections::BTreeSet::new();
        for number in 0..40 {
            let start = Played::Go(9).opening(number).expect("a position");
            let go: &Go = start.position.downcast_ref().expect("Go");
            assert_eq!(go.stones().count(), 4);
            keys.insert(go.notated());
        }
        assert!(keys.len() > 35);
    }
}
