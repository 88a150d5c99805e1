//! Completes the line of a mate if what the search kept ends before the mate.
//!
//! The last moves of a mate that the tree proves may have been found by a leaf's own search or by quiescence, and a
//! table entry on the way may have been overwritten. These few plies are found again by searching every reply.

use game::{Ending, Game, MoveCode, Score, Situation};

/// The maximum number of plies that are found again.
const MOST_PLIES: usize = 6;
/// The maximum number of positions examined for one line, about 10 ms.
const MOST_POSITIONS: u32 = 10_000;

/// A line that begins with `known` and is checked against a proven distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MateLine {
    pub moves: Vec<MoveCode>,
    /// Whether it ends in mate after exactly as many plies as claimed.
    pub is_whole: bool,
}

/// Completes a line from a situation whose side to move has the exact, proven score `mate`. If that is not a mate
/// score, the line stays as it is.
pub(super) fn complete<G: Game>(
    from: &Situation<G>,
    known: Vec<MoveCode>,
    mate: Score,
) -> MateLine {
    let mut moves = known;
    let Some(plies) = mate.mate_plies().map(|p| usize::from(p.unsigned_abs())) else {
        return MateLine {
            moves,
            is_whole: true,
        };
    };
    let mut at = from.clone();
    let legal = moves.iter().all(|&code| at.follow(code));
    let left = plies.saturating_sub(moves.len());
    let mates = |s: &Situation<G>| ending(s).is_some_and(Ending::is_lost);
    if legal && left > 0 && left <= MOST_PLIES && !mates(&at) {
        let wins = left % 2 == 1;
        let mut finder = Finder {
            left: MOST_POSITIONS,
        };
        let found = if wins {
            finder.win(&at, left)
        } else {
            finder.loss(&at, left)
        };
        for m in found.into_iter().flatten().rev() {
            moves.push(at.position.encode(m));
            at.play(m);
        }
    }
    let is_whole = legal && moves.len() == plies && mates(&at);
    MateLine { moves, is_whole }
}

fn ending<G: Game>(at: &Situation<G>) -> Option<Ending> {
    at.position.ending(!at.position.legal_moves().is_empty())
}

/// Whether the position has occurred twice before.
fn is_third<G: Game>(at: &Situation<G>) -> bool {
    let position = &at.position;
    let seen = at
        .history
        .repetitions(position.key(), position.reversible_plies());
    seen.times >= 2
}

/// Finds the shortest mates without any results of a search. Lines are stored with the last move first.
struct Finder {
    left: u32,
}

impl Finder {
    /// Returns the shortest win within `plies`, an odd number.
    fn win<G: Game>(&mut self, at: &Situation<G>, plies: usize) -> Option<Vec<G::Move>> {
        let moves = at.position.legal_moves();
        let checks = at.position.checks();
        for within in (1..=plies).step_by(2) {
            for &m in &moves {
                if within == 1 && !at.position.may_win(&checks, m) {
                    continue;
                }
                let after = self.after(at, m)?;
                if let Some(mut line) = self.loss(&after, within - 1) {
                    line.push(m);
                    return Some(line);
                }
            }
        }
        None
    }

    /// Returns the longest defence against mate within `plies`, an even number, or `None` if there is no mate.
    fn loss<G: Game>(&mut self, at: &Situation<G>, plies: usize) -> Option<Vec<G::Move>> {
        let position = &at.position;
        let moves = position.legal_moves();
        match position.ending(!moves.is_empty()) {
            Some(ending) if ending.is_lost() => return Some(Vec::new()),
            Some(_) => return None,
            None if plies == 0 || is_third(at) => return None,
            None => {}
        }
        let mut longest: Option<Vec<G::Move>> = None;
        for m in moves {
            let after = self.after(at, m)?;
            // The reply may draw, by the fifty-move rule or by repetition; then no mate follows.
            if ending(&after).is_some() || is_third(&after) {
                return None;
            }
            let mut line = self.win(&after, plies - 1)?;
            line.push(m);
            if longest.as_ref().is_none_or(|l| line.len() > l.len()) {
                longest = Some(line);
            }
        }
        longest
    }

    fn after<G: Game>(&mut self, at: &Situation<G>, m: G::Move) -> Option<Situation<G>> {
        self.left = self.left.checked_sub(1)?;
        let mut after = at.clone();
        after.play(m);
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::ChessPosition;
    use game::load::fen;

    fn situation(text: &str) -> Situation<ChessPosition> {
        Situation::new(fen::parse(text).expect("a FEN").position)
    }

    /// The line is Ra6+ f6 Bxf6+ Rg7 Rxa8#.
    const THREE: &str = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";

    #[test]
    fn a_line_is_completed_to_the_mate_and_no_other_distance_passes() {
        let at = situation(THREE);
        let whole = complete(&at, Vec::new(), Score::win_in(5));
        assert!(whole.is_whole && whole.moves.len() == 5, "{whole:?}");
        for known in 0..=5 {
            let again = complete(&at, whole.moves[..known].to_vec(), Score::win_in(5));
            assert!(again.is_whole, "{known}: {again:?}");
        }
        for wrong in [Score::win_in(3), Score::win_in(7), Score::loss_in(4)] {
            assert!(!complete(&at, Vec::new(), wrong).is_whole, "{wrong:?}");
            assert!(!complete(&at, whole.moves.clone(), wrong).is_whole);
        }
    }

    #[test]
    fn the_defender_holds_out_longest_and_draws_are_no_mates() {
        let mut at = situation(THREE);
        let whole = complete(&at, Vec::new(), Score::win_in(5)).moves;
        assert!(at.follow(whole[0]));
        assert!(complete(&at, Vec::new(), Score::loss_in(4)).is_whole);
        // The same mate with too few moves left before the fifty-move rule: only the last move may reach a hundred.
        let late = situation("k7/8/1K6/8/8/8/8/6Q1 w - - 99 80");
        assert!(complete(&late, Vec::new(), Score::win_in(1)).is_whole);
        let in_two = |clock| situation(&format!("k7/8/8/2K5/8/8/8/1Q6 w - - {clock} 80"));
        for (clock, mates) in [(0, true), (97, true), (98, false)] {
            let line = complete(&in_two(clock), Vec::new(), Score::win_in(3));
            assert_eq!(line.is_whole, mates, "{clock}: {line:?}");
        }
    }
}
