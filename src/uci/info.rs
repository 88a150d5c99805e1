//! One `info` line.

use std::fmt;
use std::time::Duration;

use super::wdl::Shares;
use game::Score;
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

    /// Returns `None` if nothing is known.
    pub fn of(verdict: &NodeValue) -> Option<UciScore> {
        Some(UciScore {
            score: verdict.score?,
            bound: verdict.bound.filter(|b| *b != Bound::None)?,
        })
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
        assert!(uci(Score::win_in(5), Bound::Lower).is_mate_within(3));
        assert!(!uci(Score::win_in(5), Bound::Exact).is_mate_within(2));
        assert!(!uci(Score::loss_in(4), Bound::Exact).is_mate_within(9));
    }
}
