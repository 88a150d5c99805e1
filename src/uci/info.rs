//! One `info` line.

use std::fmt;
use std::time::Duration;

use super::wdl::Shares;
use game::{MoveCode, Score};
use session::{MoveName, NodeValue};
use tree::Bound;

/// The contents of an `info` line about one line of play.
#[derive(Clone, Debug)]
pub(super) struct Info {
    /// The iteration of a depth-first search. A best-first search has none and uses the number of the report.
    pub depth: u16,
    pub selective_depth: u16,
    /// The rank of the line (`multipv`), 1 for the best.
    pub rank: usize,
    pub score: UciScore,
    /// What the search says: a mate whose line could not be found again is written as a win without its length.
    pub claim: UciScore,
    /// Whether the search came to the move, so that it was not valued at a glance.
    pub is_searched: bool,
    /// Shares of won, drawn and lost, where they are wanted and known.
    pub wdl: Option<Shares>,
    pub nodes: u64,
    /// The number of positions found in endgame tables; `None` without tables.
    pub table_hits: Option<u64>,
    pub elapsed: Duration,
    /// How full the transposition table is (in a best-first search, the tree), in permille.
    pub full: u16,
    pub line: Vec<MoveName>,
}

impl Info {
    /// The move of the root; [`MoveCode::NONE`] without a line.
    pub fn code(&self) -> MoveCode {
        self.line.first().map_or(MoveCode::NONE, |m| m.code)
    }

    /// Whether it is a mate without a line that shows it.
    pub fn is_short(&self) -> bool {
        self.claim.score.mate_plies().is_some() && self.score.score.is_without_length()
    }
}

/// A score as UCI writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UciScore {
    pub score: Score,
    pub bound: Bound,
}

impl UciScore {
    pub fn exact(score: Score) -> UciScore {
        UciScore {
            score,
            bound: Bound::Exact,
        }
    }

    /// Returns `None` if nothing is known. That a move wins at most, or loses at least, says nothing.
    pub fn of(verdict: &NodeValue) -> Option<UciScore> {
        let (score, bound) = (verdict.score?, verdict.bound?);
        let says_something = match bound {
            Bound::Exact => true,
            Bound::Lower => !score.is_loss(),
            Bound::Upper => !score.is_win(),
            Bound::None => false,
        };
        says_something.then_some(UciScore { score, bound })
    }

    /// The same result of unknown length.
    pub fn without_length(self) -> UciScore {
        UciScore {
            score: match self.score.is_win() {
                true => Score::SOME_WIN,
                false => Score::SOME_LOSS,
            },
            ..self
        }
    }

    /// Whether the side to move mates in at most this many moves.
    pub fn is_mate_within(self, moves: u16) -> bool {
        let found = self
            .score
            .mate_moves()
            .filter(|_| self.bound != Bound::Upper);
        found.is_some_and(|m| m > 0 && m.unsigned_abs() <= moves)
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score.mate_moves() {
            Some(moves) => write!(f, "mate {moves}")?,
            None => write!(f, "cp {}", self.score.centipawns())?,
        }
        match self.bound {
            Bound::Lower => f.write_str(" lowerbound"),
            Bound::Upper => f.write_str(" upperbound"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6);
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {}",
            self.depth,
            self.selective_depth.max(self.depth),
            self.rank,
            self.score,
        )?;
        if let Some(shares) = &self.wdl {
            write!(f, " wdl {shares}")?;
        }
        write!(
            f,
            " time {} nodes {} nps {nps:.0} hashfull {}",
            self.elapsed.as_millis(),
            self.nodes,
            self.full,
        )?;
        if let Some(hits) = self.table_hits {
            write!(f, " tbhits {hits}")?;
        }
        f.write_str(" pv")?;
        self.line.iter().try_for_each(|m| write!(f, " {}", m.uci))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_as_the_protocol_has_it() {
        let line = ["e2e4", "e7e5"].map(|uci| MoveName {
            uci: uci.to_owned(),
            ..MoveName::default()
        });
        let info = Info {
            depth: 3,
            selective_depth: 9,
            rank: 1,
            score: UciScore::exact(Score::new(-12)),
            claim: UciScore::exact(Score::new(-12)),
            is_searched: true,
            wdl: None,
            nodes: 5000,
            table_hits: None,
            elapsed: Duration::from_micros(2500),
            full: 7,
            line: line.to_vec(),
        };
        assert_eq!(
            info.to_string(),
            "info depth 3 seldepth 9 multipv 1 score cp -12 time 2 nodes 5000 nps 2000000 hashfull 7 pv e2e4 e7e5"
        );
    }

    #[test]
    fn scores() {
        let uci = |score, bound| UciScore { score, bound };
        assert_eq!(uci(Score::win_in(5), Bound::Exact).to_string(), "mate 3");
        assert_eq!(uci(Score::SOME_LOSS, Bound::Exact).to_string(), "cp -20000");
        assert_eq!(
            uci(Score::loss_in(4), Bound::Upper).to_string(),
            "mate -2 upperbound"
        );
        assert_eq!(
            uci(Score::new(31), Bound::Lower).to_string(),
            "cp 31 lowerbound"
        );
        assert_eq!(
            uci(Score::loss_in(4), Bound::Upper)
                .without_length()
                .to_string(),
            "cp -20000 upperbound"
        );
        assert!(uci(Score::win_in(5), Bound::Lower).is_mate_within(3));
        assert!(!uci(Score::win_in(5), Bound::Exact).is_mate_within(2));
        assert!(!uci(Score::loss_in(4), Bound::Exact).is_mate_within(9));
    }
}
