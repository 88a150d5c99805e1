//! The exact result of positions: the truth by which searches of these games are judged. It shares nothing with them but
//! the rules.

use super::InARow;
use game::Game;

/// How a game ends with best play, for the side to move, and how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome(i8);

impl Outcome {
    /// Returns 1 for a win, 0 for a draw, -1 for a loss.
    pub fn sign(self) -> i32 {
        i32::from(self.0.signum())
    }

    /// Returns the number of plies from this position until the row is made, if one is.
    pub fn plies(self, position: &InARow) -> Option<u32> {
        // A result is how many cells stay free, with one more.
        let stones = position.rules().cells() + 1 - u32::from(self.0.unsigned_abs());
        (self.0 != 0).then(|| stones - position.stones())
    }
}

/// Solves positions; what it has found is kept for the next ones.
#[derive(Clone, Debug)]
pub struct Solver {
    /// By key: the key, and a bound with its kind.
    table: Vec<Option<(u64, Bound)>>,
}

/// What is known of a position's result.
#[derive(Clone, Copy, Debug)]
enum Bound {
    Upper(i8),
    Lower(i8),
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new(1 << 20)
    }
}

impl Solver {
    /// With room for so many positions.
    pub fn new(places: usize) -> Solver {
        Solver {
            table: vec![None; places.max(1)],
        }
    }

    /// Returns the exact outcome of a position.
    pub fn solve(&mut self, position: &InARow) -> Outcome {
        let most = (position.rules().cells() + 1 - position.stones()) as i8;
        let (mut low, mut high) = (-most, most);
        while low < high {
            // First whether it is won, then whether it is lost, then how soon, by halves.
            let aim = match (low, high) {
                (..0, 1..) => 0,
                (..0, 0) => -1,
                _ => low + (high - low) / 2,
            };
            let found = self.search(position, aim);
            match found <= aim {
                true => high = found,
                false => low = found,
            }
        }
        Outcome(low)
    }

    /// A bound on the result: at most `alpha` and no less than the result, or more than `alpha` and no more than the result.
    fn search(&mut self, position: &InARow, alpha: i8) -> i8 {
        let left = (position.rules().cells() - position.stones()) as i8;
        // The row is complete: the fewer stones it took, the worse.
        if position.is_lost() {
            return -(left + 1);
        }
        if left == 0 {
            return 0;
        }
        let mut moves = position.legal_moves();
        if moves.iter().any(|m| position.wins(*m)) {
            return left;
        }
        // A row after the next two stones at best.
        let most = (left - 2).max(0);
        if most <= alpha {
            return most;
        }
        let other = InARow {
            own: position.all ^ position.own,
            ..*position
        };
        let mut threats = moves.iter().copied().filter(|m| other.wins(*m));
        match (threats.next(), threats.next()) {
            // Only one of them can be met.
            (Some(_), Some(_)) => return -(left - 1),
            (Some(threat), None) => moves.retain(|m| *m == threat),
            _ => {}
        }
        let key = position.key();
        let place = key as usize % self.table.len();
        match self.table[place].filter(|(known, _)| *known == key) {
            Some((_, Bound::Upper(value))) if value <= alpha => return value,
            Some((_, Bound::Lower(value))) if value > alpha => return value,
            _ => {}
        }
        let mut best = i8::MIN;
        for m in moves {
            let mut next = *position;
            next.play(m);
            best = best.max(-self.search(&next, -alpha - 1));
            if best > alpha {
                self.table[place] = Some((key, Bound::Lower(best)));
                return best;
            }
        }
        self.table[place] = Some((key, Bound::Upper(best)));
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::*;

    /// By looking at everything.
    fn minimax(position: &InARow) -> i8 {
        let left = (position.rules().cells() - position.stones()) as i8;
        if position.is_lost() {
            return -(left + 1);
        }
        let moves = position.legal_moves().into_iter();
        let values = moves.map(|m| {
            let mut next = *position;
            next.play(m);
            -minimax(&next)
        });
        values.max().unwrap_or(0)
    }

    #[test]
    fn it_finds_what_minimax_finds() {
        let mut random = fastrand::Rng::with_seed(3);
        let small = Rules::connect_four(4, 4).expect("a board");
        let mut solver = Solver::default();
        let mut seen = [0; 3];
        for (rules, stones) in [
            (Rules::TIC_TAC_TOE, 0),
            (small, 7),
            (Rules::CONNECT_FOUR, 32),
        ] {
            for _ in 0..40 {
                let mut position = InARow::new(rules);
                while position.stones() < stones
                    && let Some(m) = random.choice(position.legal_moves())
                {
                    position.play(m);
                }
                let truth = minimax(&position);
                let found = solver.solve(&position);
                assert_eq!(found, Outcome(truth), "{position:?}");
                // Who wins makes the last move.
                let plies = found.plies(&position);
                assert!(
                    plies.is_none_or(|n| (n % 2 == 1) == (truth > 0)),
                    "{plies:?}"
                );
                seen[(truth.signum() + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
    }

    /// Drawn: tic-tac-toe, and Connect Four on 4x4 and 5x4 (columns by rows; John Tromp's table of the results of Connect Four).
    #[test]
    fn the_results_of_empty_boards() {
        let mut solver = Solver::default();
        let mut of = |rules| solver.solve(&InARow::new(rules)).sign();
        assert_eq!(of(Rules::TIC_TAC_TOE), 0);
        let board = |width, height| Rules::connect_four(width, height).expect("a board");
        assert_eq!(
            (of(board(4, 4)), of(board(5, 4)), of(board(4, 5))),
            (0, 0, 0)
        );
    }
}
