//! Completes the line of a mate if what the search kept ends before the mate.
//!
//! The last moves of a mate that the tree proves may have been found by a leaf's own search or by quiescence, and a
//! table entry on the way may have been overwritten. These few plies are found again by searching every reply.

use super::mate_proof::{Effort, Verdict, prove};
use game::{Ending, Game, MoveCode, Score, Situation};

/// The maximum number of plies that are found again.
const MOST_PLIES: usize = 6;
/// The number of positions examined at most for one line of a report, about 10 ms.
pub(super) const FOR_A_REPORT: u32 = 10_000;
/// The same for one line of a frame on the screen.
pub(super) const FOR_A_FRAME: u32 = 1_000;

/// A line that begins with `known` and is checked against a proven distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MateLine {
    pub moves: Vec<MoveCode>,
    /// Whether it ends in mate after exactly as many plies as claimed.
    pub is_whole: bool,
}

/// Completes a line from a situation whose side to move has the exact, proven score `mate`. If that is not a mate
/// score, the line stays as it is. At most `effort` positions are examined.
pub(super) fn complete<G: Game>(
    from: &Situation<G>,
    known: Vec<MoveCode>,
    mate: Score,
    effort: u32,
) -> MateLine {
    let mut moves = known;
    let Some(plies) = plies(mate) else {
        return MateLine {
            moves,
            is_whole: true,
        };
    };
    let mut at = from.clone();
    let legal = moves.iter().all(|&code| at.follow(code));
    let left = plies.saturating_sub(moves.len());
    if legal && left > 0 && left <= MOST_PLIES && !is_mated(&at) {
        let mut effort = Effort::positions(effort);
        // Within fewer plies there must be no mate, or the distance is another one.
        for within in (2 - left % 2..=left).step_by(2) {
            match prove(&at, within, &mut effort, &|_| None) {
                Verdict::Refuted => {}
                Verdict::Forced(found) => {
                    moves.extend(played(&mut at, found));
                    break;
                }
                Verdict::Open => break,
            }
        }
    }
    let is_whole = legal && moves.len() == plies && is_mated(&at);
    MateLine { moves, is_whole }
}

/// Returns a line that shows a mate which a search claims for a move, or one that is forced even sooner: the move, then
/// everything up to the mate, against the longest defence. `known` is the line that the search kept, beginning with the
/// move; `mate` its score from the view of the side that plays it. `hint` names moves that the search found good, by the
/// keys of their positions. `None` if the effort does not suffice.
pub(super) fn whole<G: Game>(
    from: &Situation<G>,
    known: &[MoveCode],
    mate: Score,
    effort: &mut Effort,
    hint: &dyn Fn(u64) -> Option<MoveCode>,
) -> Option<Vec<MoveCode>> {
    let plies = plies(mate)?;
    let mut at = from.clone();
    let known: Vec<MoveCode> = known.iter().copied().take(plies).collect();
    let legal = known.iter().all(|&code| at.follow(code));
    let left = plies - known.len();
    if legal && left == 0 && is_mated(&at) {
        return Some(known);
    }
    if legal && left > 0 && known.len() > 1 && !is_mated(&at) {
        let mut half = effort.half();
        let found = prove(&at, left, &mut half, hint);
        effort.positions += half.positions;
        // A shorter one says nothing about the other defences on the way.
        if let Verdict::Forced(rest) = found
            && rest.len() == left
        {
            return Some(known.into_iter().chain(played(&mut at, rest)).collect());
        }
    }
    let first = *known.first()?;
    let mut at = from.clone();
    if !at.follow(first) {
        return None;
    }
    match prove(&at, plies - 1, effort, hint) {
        Verdict::Forced(rest) => Some([first].into_iter().chain(played(&mut at, rest)).collect()),
        Verdict::Refuted | Verdict::Open => None,
    }
}

fn plies(mate: Score) -> Option<usize> {
    let plies = mate.mate_plies()?;
    Some(usize::from(plies.unsigned_abs()))
}

/// Plays moves and returns their codes.
fn played<G: Game>(at: &mut Situation<G>, line: Vec<G::Move>) -> Vec<MoveCode> {
    let code = |m| {
        let code = at.position.encode(m);
        at.play(m);
        code
    };
    line.into_iter().map(code).collect()
}

fn is_mated<G: Game>(at: &Situation<G>) -> bool {
    let ending = at.position.ending(!at.position.legal_moves().is_empty());
    ending.is_some_and(Ending::is_lost)
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
        let whole = complete(&at, Vec::new(), Score::win_in(5), FOR_A_REPORT);
        assert!(whole.is_whole && whole.moves.len() == 5, "{whole:?}");
        for known in 0..=5 {
            let again = complete(
                &at,
                whole.moves[..known].to_vec(),
                Score::win_in(5),
                FOR_A_REPORT,
            );
            assert!(again.is_whole, "{known}: {again:?}");
        }
        for wrong in [Score::win_in(3), Score::win_in(7), Score::loss_in(4)] {
            assert!(
                !complete(&at, Vec::new(), wrong, FOR_A_REPORT).is_whole,
                "{wrong:?}"
            );
            assert!(!complete(&at, whole.moves.clone(), wrong, FOR_A_REPORT).is_whole);
        }
    }

    /// Returns the length of the line that shows a mate, which it checks.
    fn shown(at: &Situation<ChessPosition>, first: &str, mate: Score) -> Option<usize> {
        let first = game::notation::parse_uci(&at.position, first).expect("a legal move");
        let first = at.position.encode(first);
        let mut effort = Effort::positions(200_000);
        let line = whole(at, &[first], mate, &mut effort, &|_| None)?;
        let mut at = at.clone();
        assert!(line.iter().all(|&code| at.follow(code)) && is_mated(&at));
        Some(line.len())
    }

    #[test]
    fn a_mate_is_shown_from_its_first_move_alone_or_not_at_all() {
        let at = situation(THREE);
        assert_eq!(shown(&at, "f6a6", Score::win_in(5)), Some(5));
        // Within more plies there is one, too.
        let longer = shown(&at, "f6a6", Score::win_in(9)).expect("a mate");
        assert!(longer % 2 == 1 && (5..=9).contains(&longer), "{longer}");
        assert_eq!(shown(&at, "f6a6", Score::win_in(3)), None);
        assert_eq!(shown(&at, "f6f7", Score::win_in(5)), None);
        // Every queen move of the longest defence, and the other side's view.
        let ladder = situation("7k/8/8/8/8/1R6/R7/K7 w - - 0 1");
        assert_eq!(shown(&ladder, "a2a7", Score::win_in(3)), Some(3));
        let lost = situation("7k/R7/8/8/8/1R6/8/K7 b - - 0 1");
        assert_eq!(shown(&lost, "h8g8", Score::loss_in(2)), Some(2));
        // A quiet first move, and queens that check for a long time.
        let quiet = situation("1B5b/1p1N4/1Pp5/2P3p1/K1pk3p/2N5/2nP1p2/1b3B2 w - - 0 1");
        let firsts = quiet.position.legal_moves().into_iter();
        let mates = firsts.filter(|m| {
            let first = quiet.position.uci(*m);
            shown(&quiet, &first, Score::win_in(7)) == Some(7)
        });
        assert_eq!(mates.count(), 1);
        let effort = &mut Effort::positions(5);
        let known = [at.position.encode(at.position.legal_moves()[0])];
        assert_eq!(
            whole(&at, &known, Score::win_in(5), effort, &|_| None),
            None
        );
    }

    #[test]
    fn the_defender_holds_out_longest_and_draws_are_no_mates() {
        let mut at = situation(THREE);
        let whole = complete(&at, Vec::new(), Score::win_in(5), FOR_A_REPORT).moves;
        assert!(at.follow(whole[0]));
        assert!(complete(&at, Vec::new(), Score::loss_in(4), FOR_A_REPORT).is_whole);
        // The same mate with too few moves left before the fifty-move rule: only the last move may reach a hundred.
        let late = situation("k7/8/1K6/8/8/8/8/6Q1 w - - 99 80");
        assert!(complete(&late, Vec::new(), Score::win_in(1), FOR_A_REPORT).is_whole);
        let in_two = |clock| situation(&format!("k7/8/8/2K5/8/8/8/1Q6 w - - {clock} 80"));
        for (clock, mates) in [(0, true), (97, true), (98, false)] {
            let line = complete(&in_two(clock), Vec::new(), Score::win_in(3), FOR_A_REPORT);
            assert_eq!(line.is_whole, mates, "{clock}: {line:?}");
        }
    }
}
