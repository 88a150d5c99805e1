//! The two tallies: one sums up weights for the value, the other keeps the counts for the breakdown and the fit.

use super::{Danger, Tally, Term};
use crate::hand_crafted::TaperedSum;
use crate::tables::{DANGER_UNIT, DANGERS, WEIGHTS};

/// The first row of each term in the flat table.
const OFFSETS: [usize; Term::COUNT + 1] = {
    let mut offsets = [0; Term::COUNT + 1];
    let mut term = 0;
    while term < Term::COUNT {
        offsets[term + 1] = offsets[term] + WEIGHTS[term].len();
        term += 1;
    }
    offsets
};

/// The number of rows of all terms together.
const ROWS: usize = OFFSETS[Term::COUNT];

/// The weights of all terms one after the other, packed in the form in which the evaluation adds them.
static FLAT: [TaperedSum; ROWS] = {
    let mut flat = [TaperedSum::EMPTY; ROWS];
    let mut term = 0;
    while term < Term::COUNT {
        let mut row = 0;
        while row < WEIGHTS[term].len() {
            let (middlegame, endgame) = WEIGHTS[term][row];
            flat[OFFSETS[term] + row] = TaperedSum::pack(middlegame as i32, endgame as i32, 0);
            row += 1;
        }
        term += 1;
    }
    flat
};

/// The worth of a side's terms, from that side's view.
#[derive(Clone, Copy)]
pub(crate) struct Worth {
    pub sum: TaperedSum,
    danger: i32,
}

impl Worth {
    pub const NOTHING: Worth = Worth {
        sum: TaperedSum::EMPTY,
        danger: 0,
    };

    /// The worth of the terms plus that of the pressure on the enemy king.
    #[inline(always)]
    pub fn total(self) -> TaperedSum {
        self.sum.plus(pressure(self.danger))
    }
}

/// The worth of a danger: in the middlegame it grows with the square.
#[inline(always)]
fn pressure(danger: i32) -> TaperedSum {
    let danger = danger.max(0);
    TaperedSum::pack(danger * danger / DANGER_UNIT, danger / 16, 0)
}

impl Tally for Worth {
    #[inline(always)]
    fn add(&mut self, term: Term, index: usize, count: i32) {
        let weight = FLAT[OFFSETS[term as usize] + index];
        self.sum = self.sum.plus(weight.times(count));
    }

    #[inline(always)]
    fn press(&mut self, danger: Danger, count: i32) {
        self.danger += DANGERS[danger as usize] * count;
    }
}

/// The counts of a side's terms.
#[derive(Clone, Debug)]
pub struct Counts {
    rows: [i32; ROWS],
    dangers: [i32; Danger::COUNT],
}

impl Counts {
    pub(crate) const NOTHING: Counts = Counts {
        rows: [0; ROWS],
        dangers: [0; Danger::COUNT],
    };

    /// Returns what a term counted, one number for each of its weights.
    pub fn term(&self, term: Term) -> &[i32] {
        &self.rows[OFFSETS[term as usize]..OFFSETS[term as usize + 1]]
    }

    /// Returns the pressure on the enemy king, in the order of [`Danger::ALL`].
    pub fn dangers(&self) -> &[i32; Danger::COUNT] {
        &self.dangers
    }

    /// The worth of a term, (middlegame, endgame) in centipawns, from the side's own view.
    pub fn worth(&self, term: Term) -> (i32, i32) {
        let weights = WEIGHTS[term as usize];
        let products = self.term(term).iter().zip(weights);
        products.fold((0, 0), |(mg, eg), (&n, &(m, e))| {
            (mg + n * i32::from(m), eg + n * i32::from(e))
        })
    }

    /// The worth of the pressure on the enemy king, in the same form.
    pub fn pressure(&self) -> (i32, i32) {
        let danger = self.dangers.iter().zip(&DANGERS).map(|(n, w)| n * w).sum();
        let sum = pressure(danger);
        (sum.middlegame(), sum.endgame())
    }
}

impl Tally for Counts {
    fn add(&mut self, term: Term, index: usize, count: i32) {
        assert!(index < WEIGHTS[term as usize].len(), "{term:?} {index}");
        self.rows[OFFSETS[term as usize] + index] += count;
    }

    fn press(&mut self, danger: Danger, count: i32) {
        self.dangers[danger as usize] += count;
    }
}
