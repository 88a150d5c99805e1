//! Windows in which a short mate is at stake. There nothing is pruned, reduced or taken from the table, so that
//! whichever mate is found first, the shortest one follows.

use game::Score;

/// Mates of at most this many plies are made exact; the distance of longer ones is a bound.
pub const EXACT_PLIES: i16 = 7;

/// The number of plies that can matter to a window with a bound that is a mate of at most [`EXACT_PLIES`]. A win has to
/// come sooner than alpha, and so at least two plies sooner, since only the winner's moves mate; beta is missed only by
/// a mate that comes sooner by as much. `None`: no short mate is at stake.
pub fn horizon(alpha: Score, beta: Score) -> Option<i32> {
    let short = |plies: i16| {
        (0..=EXACT_PLIES)
            .contains(&plies)
            .then(|| i32::from(plies - 2).max(0))
    };
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

/// The window that asks whether a short mate is as short as it can be: for a win, whether there is a shorter one; for a
/// loss, whether some move holds out longer. `None`: the mate is too long to ask.
pub fn question(value: Score) -> Option<(Score, Score)> {
    let plies = value.mate_plies()?.unsigned_abs();
    let beside = |by: i16| Score::from_raw(value.raw() + by);
    let window = if value.is_win() {
        (value, beside(1))
    } else {
        (beside(-1), value)
    };
    (plies <= EXACT_PLIES as u16).then_some(window)
}

/// Whether the value found in the window of [`question`] says that the mate is as short as it can be.
pub fn is_answer(value: Score, found: Score) -> bool {
    if value.is_win() {
        found <= value
    } else {
        found >= value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_mates_make_an_exact_window() {
        let open = (Score::MIN, Score::MAX);
        assert_eq!(horizon(open.0, open.1), None);
        assert_eq!(horizon(Score::new(-300), Score::new(120)), None);
        assert_eq!(horizon(Score::win_in(5), Score::MAX), Some(3));
        assert_eq!(horizon(Score::MIN, Score::loss_in(4)), Some(2));
        assert_eq!(horizon(Score::win_in(1), Score::MAX), Some(0));
        assert_eq!(horizon(Score::win_in(9), Score::win_in(8)), None);
        // A loser's alpha and a winner's beta do not put a mate at stake.
        assert_eq!(horizon(Score::loss_in(4), Score::new(0)), None);
        assert_eq!(horizon(Score::new(0), Score::win_in(3)), None);
    }

    #[test]
    fn a_mate_is_exact_if_no_window_beside_it_says_otherwise() {
        let (mate, lost) = (Score::win_in(5), Score::loss_in(4));
        assert_eq!(question(mate), Some((mate, Score::win_in(4))));
        assert_eq!(question(lost), Some((Score::loss_in(3), lost)));
        assert_eq!(question(Score::win_in(9)), None);
        assert_eq!(question(Score::new(12)), None);
        assert!(is_answer(mate, Score::new(0)) && !is_answer(mate, Score::win_in(3)));
        assert!(is_answer(lost, Score::loss_in(4)) && !is_answer(lost, Score::loss_in(2)));
        for value in [mate, lost, Score::win_in(1)] {
            let (alpha, beta) = question(value).expect("a short mate");
            let plies = value.mate_plies().map(|p| i32::from(p.abs()));
            assert_eq!(horizon(alpha, beta), plies.map(|p| (p - 2).max(0)));
        }
    }
}
