//! Mates with their whole lines: a program that shows a mate in four shows the seven moves, too.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::info::UciScore;
use game::{MoveCode, Score};
use session::{Effort, MoveName, Session};

/// The positions that may be looked at for the mates of one report, about 20 ms.
const RUNNING: u32 = 20_000;
/// The same for the last report.
const CLOSING: u32 = 200_000;
/// How late a search under a clock may be, besides a part of the time that it took.
const LATE: Duration = Duration::from_millis(5);
const PART: u32 = 32;

/// The mates of the root's moves that were asked for in one search.
#[derive(Debug, Default)]
pub(super) struct Mates {
    /// By the move and its score: the line, or `None` where the effort did not suffice.
    known: HashMap<(MoveCode, Score), Option<Vec<MoveName>>>,
}

/// Returns the effort for one report. `timed` is how long a search under a clock has taken.
pub(super) fn effort(timed: Option<Duration>, is_last: bool) -> Effort {
    let positions = match is_last {
        true => CLOSING,
        false => RUNNING,
    };
    Effort {
        positions,
        until: timed.map(|taken| Instant::now() + LATE + taken / PART),
    }
}

impl Mates {
    /// Returns the score of a move and its line as they are reported. A mate has exactly as many moves as its distance
    /// says; without such a line it is a win or a loss without its length. What was not found with less effort is looked
    /// for again in the last report.
    pub fn shown(
        &mut self,
        session: &Session,
        recorded: Vec<MoveCode>,
        claim: UciScore,
        is_last: bool,
        effort: &mut Effort,
    ) -> (UciScore, Vec<MoveName>) {
        let code = recorded[0];
        let line = session.expected_line(recorded, claim.score);
        if claim.score.mate_plies().is_none() {
            return (claim, line);
        }
        let mut found = self.known.remove(&(code, claim.score));
        if found.as_ref().is_none_or(|line| is_last && line.is_none()) {
            found = Some(session.mate_line(&line, claim.score, effort));
        }
        let found = found.flatten();
        self.known.insert((code, claim.score), found.clone());
        let Some(whole) = found else {
            return (claim.without_length(), line);
        };
        let plies = whole.len() as u16;
        let score = match claim.score.is_win() {
            true => Score::win_in(plies),
            false => Score::loss_in(plies),
        };
        (UciScore { score, ..claim }, whole)
    }
}
