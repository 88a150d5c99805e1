//! The numbers of a node's moves, a column for each.

use formula::{Column, Formula, Name, Sheet, Unit};
use tree::Node;

/// What formulas can name for each move.
pub const EACH: [Name; 5] = [
    Name {
        name: "Q",
        unit: Unit::NONE,
        summary: "what the move is worth to the side that makes it, from -1 to 1; before its first visit, what first-play urgency (fpu) says",
    },
    Name {
        name: "n",
        unit: Unit::NONE,
        summary: "visits of the move",
    },
    Name {
        name: "P",
        unit: Unit::NONE,
        summary: "prior of the move; those of all moves add up to 1",
    },
    Name {
        name: "sd",
        unit: Unit::NONE,
        summary: "how far the move's first value is probably off: the standard deviation of its belief, 0 before its first visit",
    },
    Name {
        name: "rank",
        unit: Unit::NONE,
        summary: "place of the move before anything was searched below it, from 1: by its prior, or where all are evaluated at once by its first value",
    },
];

/// The columns that a formula needs of [`EACH`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    pub priors: bool,
    pub spreads: bool,
    pub ranks: bool,
}

impl Needs {
    /// Of a formula in whose scope the numbers of each move begin at this place.
    pub fn of(formula: &Formula, first: usize) -> Needs {
        let [_, _, priors, spreads, ranks] = std::array::from_fn(|i| formula.names(first + i));
        Needs {
            priors,
            spreads,
            ranks,
        }
    }

    pub fn and(self, other: Needs) -> Needs {
        Needs {
            priors: self.priors || other.priors,
            spreads: self.spreads || other.spreads,
            ranks: self.ranks || other.ranks,
        }
    }
}

/// How the priors of a node's children are read; the place depends on how the tree grows.
pub type PriorOf = fn(&Node) -> f32;

/// The columns, and the paper for a formula of them.
#[derive(Debug, Default)]
pub struct Moves {
    needs: Needs,
    count: usize,
    /// The moves' places among their siblings. This and the columns are longer than the number of moves.
    places: Vec<u32>,
    q: Vec<f32>,
    n: Vec<f32>,
    p: Vec<f32>,
    sd: Vec<f32>,
    rank: Vec<f32>,
    sheet: Sheet,
}

impl Moves {
    pub fn new(needs: Needs) -> Moves {
        Moves {
            needs,
            ..Moves::default()
        }
    }

    /// Forgets the moves, and makes room for so many.
    pub fn begin(&mut self, most: usize) {
        self.count = 0;
        if self.places.len() < most {
            self.places.resize(most, 0);
            for column in [
                &mut self.q,
                &mut self.n,
                &mut self.p,
                &mut self.sd,
                &mut self.rank,
            ] {
                column.resize(most, 0.0);
            }
        }
    }

    /// Adds the move at a place among its siblings, with what it is worth to the side that makes it and its prior.
    #[inline(always)]
    pub fn add(&mut self, place: usize, child: &Node, q: f32, prior: f32) {
        let at = self.count;
        self.places[at] = place as u32;
        self.q[at] = q;
        self.n[at] = child.visits() as f32;
        self.p[at] = prior;
        if self.needs.spreads {
            self.sd[at] = child.second();
        }
        if self.needs.ranks {
            self.rank[at] = (place + 1) as f32;
        }
        self.count += 1;
    }

    /// Returns the number of moves.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the place among its siblings of the move with this number.
    #[inline]
    pub fn place(&self, number: usize) -> usize {
        self.places[number] as usize
    }

    /// Returns what it is worth.
    #[inline]
    pub fn q(&self, number: usize) -> f32 {
        self.q[number]
    }

    /// The columns, in the order of [`EACH`], and the paper to compute on.
    pub fn columns(&mut self) -> ([Column<'_>; 5], &mut Sheet) {
        let columns = [
            Column::Each(&self.q[..self.count]),
            Column::Each(&self.n[..self.count]),
            Column::Each(&self.p[..self.count]),
            Column::Each(&self.sd[..self.count]),
            Column::Each(&self.rank[..self.count]),
        ];
        (columns, &mut self.sheet)
    }
}
