//! The value of a position by the rows that each side can still make, fitted to exact results.

use super::{InARow, Rules};
use crate::result::{self, ResultBelief};
use belief::Cdf;
use eval::{Evaluated, Evaluator, LeafShape};
use game::{Game, Score, Side};

/// Counts open rows, and in Connect Four threats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows;

impl Evaluated for InARow {
    type Evaluator = Rows;
}

/// What is counted of each side's stones.
pub const COUNTED: usize = 5;

/// Open rows with one, two and three stones; threats in rows in which the side gets to move at last, and in the others. A threat is
/// an empty cell that completes a row and can't be taken at once.
pub type Counts = [i32; COUNTED];

/// Returns the counts of the side to move, and those of the other one.
pub fn counts(position: &InARow) -> [Counts; 2] {
    let side = position.turn();
    let (own, others) = (position.own, position.all ^ position.own);
    [
        of_side(position.rules, side, own, others),
        of_side(position.rules, side.other(), others, own),
    ]
}

/// Counts for a side with these stones against these.
fn of_side(rules: Rules, side: Side, own: u64, others: u64) -> Counts {
    let board = rules.board();
    let open = board & !others;
    let mut counts = [0; COUNTED];
    let mut threats = 0;
    for step in rules.directions() {
        let cells = [0, 1, 2, 3].map(|i| match i < u32::from(rules.row) {
            true => own >> (i * step),
            false => 0,
        });
        let rows = rules.rows(open, step);
        // The number of own stones in each row, as a number of three bits.
        let [a, b, c, d] = cells;
        let (low, high) = (a ^ b, c ^ d);
        let carry = low & high;
        let ones = low ^ high;
        let twos = (a & b) ^ (c & d) ^ carry;
        let threes = ones & twos & rows;
        counts[0] += (ones & !twos & rows).count_ones() as i32;
        counts[1] += (!ones & twos & rows).count_ones() as i32;
        counts[2] += threes.count_ones() as i32;
        for i in 0..u32::from(rules.row) {
            threats |= threes << (i * step);
        }
    }
    if rules.falls {
        let all = own | others;
        let waiting = threats & open & !own & !(all + rules.bottom());
        // Yellow, who begins, gets the rows 1, 3, 5 if the rest is filled column by column.
        let odd = (0..rules.height).step_by(2);
        let odd = odd.fold(0, |cells, row| cells | rules.bottom() << row);
        let good = if side == Side::White { odd } else { !odd };
        counts[3] = (waiting & good).count_ones() as i32;
        counts[4] = (waiting & !good).count_ones() as i32;
    }
    counts
}

/// What each count is worth, in the logit of the expected score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub counted: [f32; COUNTED],
    /// What it is worth to be the side to move.
    pub to_move: f32,
    /// The belief about the result.
    pub belief: ResultBelief,
}

impl Weights {
    /// Fitted to exact results of positions that come up by random moves (`benches/in_a_row_fit.rs`).
    pub const TIC_TAC_TOE: Weights = Weights {
        counted: [0.723, 2.106, 0.0, 0.0, 0.0],
        to_move: 2.308,
        belief: ResultBelief {
            times: 1.5,
            scale: 1.25,
            spread: 0.55,
        },
    };
    /// A threat also counts as an open row with three stones, so one that has to wait is worth less than one that can be taken.
    pub const CONNECT_FOUR: Weights = Weights {
        counted: [0.033, 0.177, 1.07, -0.724, -1.042],
        to_move: 1.907,
        belief: ResultBelief {
            times: 7.25,
            scale: 8.0,
            spread: 1.0,
        },
    };

    pub fn of(rules: Rules) -> &'static Weights {
        match rules.falls {
            true => &Weights::CONNECT_FOUR,
            false => &Weights::TIC_TAC_TOE,
        }
    }

    /// The expected score of the side to move.
    fn expected(&self, position: &InARow) -> f32 {
        let [ours, theirs] = counts(position);
        let pairs = self.counted.iter().zip(ours.iter().zip(&theirs));
        let logit = pairs.fold(self.to_move, |sum, (weight, (own, other))| {
            sum + weight * (own - other) as f32
        });
        (logit / 2.0).tanh()
    }
}

impl Evaluator<InARow> for Rows {
    type State = ();

    fn start(&self, _: &InARow) {}

    fn after(&self, &(): &(), _: &InARow, _: u8) {}

    fn value(&self, &(): &(), position: &InARow) -> Score {
        result::score(Weights::of(position.rules).expected(position))
    }

    fn expected(&self, &(): &(), position: &InARow) -> Option<f32> {
        Some(Weights::of(position.rules).expected(position))
    }

    fn spread(&self, &(): &(), position: &InARow, _: Score) -> f32 {
        Weights::of(position.rules).belief.spread
    }

    fn belief(&self, &(): &(), position: &InARow, value: Score, shape: &LeafShape) -> Cdf {
        let weights = Weights::of(position.rules);
        weights.belief.belief(position.scale(), value, shape)
    }
}
