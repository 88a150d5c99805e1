//! Windows in which a short mate is at stake: there nothing is pruned, reduced or taken from the table, so that a mate that
//! is found first is followed by the shortest.

use crate::game::Score;

/// Mates of at most so many plies are made exact; the distance of longer ones is a bound.
pub const EXACT_PLIES: i16 = 7;

/// Plies that can matter to a window of which a bound is a mate of at most [`EXACT_PLIES`]: a win has to come sooner than
/// alpha, and beta is reached by holding out longer. `None`: no short mate is at stake.
#[must_use]
pub fn horizon(alpha: Score, beta: Score) -> Option<i32> {
    let short = |plies: i16| (0..=EXACT_PLIES).contains(&plies).then(|| i32::from(plies));
    let win = alpha
        .mate_plies()
        .filter(|_| alpha.is_win())
        .and_then(short);
    let loss = || {
        let plies = beta.mate_plies().filter(|_| beta.is_loss())?;
        short(-plies)
    };
    win.or_else(loss)
}

/// Whether a mate as the root's value is exact: short, no longer than the iteration is deep, and known before the
/// iteration began, so that every other move was searched against it.
#[must_use]
pub fn is_exact(value: Score, before: Score, depth: u16) -> bool {
    let plies = value.mate_plies().map_or(u16::MAX, i16::unsigned_abs);
    value == before && plies <= depth && plies <= EXACT_PLIES as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_mates_make_an_exact_window() {
        let open = (Score::MIN, Score::MAX);
        assert_eq!(horizon(open.0, open.1), None);
        assert_eq!(horizon(Score::new(-300), Score::new(120)), None);
        assert_eq!(horizon(Score::win_in(5), Score::MAX), Some(5));
        assert_eq!(horizon(Score::MIN, Score::loss_in(4)), Some(4));
        assert_eq!(horizon(Score::win_in(9), Score::win_in(8)), None);
        // The loser's alpha and the winner's beta ask nothing of it.
        assert_eq!(horizon(Score::loss_in(4), Score::new(0)), None);
        assert_eq!(horizon(Score::new(0), Score::win_in(3)), None);
    }

    #[test]
    fn a_mate_is_exact_once_it_is_confirmed() {
        let mate = Score::win_in(5);
        assert!(is_exact(mate, mate, 5));
        assert!(!is_exact(mate, mate, 4));
        assert!(!is_exact(mate, Score::new(800), 6));
        assert!(!is_exact(Score::win_in(9), Score::win_in(9), 12));
    }
}
