//! A number of each move by somebody's formula: where the next visit goes, or which move is played.

use super::is_left_out;
use formula::{Column, Formula, Name, Scope, Sheet, Unit};
use search::FormulaRange;
use std::cell::{Cell, RefCell};
use std::fmt;
use tree::{Node, Tree};

const fn name(name: &'static str, summary: &'static str) -> Name {
    Name {
        name,
        unit: Unit::NONE,
        summary,
    }
}

const NAMES: [Name; 9] = [
    name("policy", "the move's share of the policy"),
    name("n", "visits of the move"),
    name(
        "Q",
        "mean of the move's belief as an expected score of the side that makes it, from -1 to 1",
    ),
    name("mean", "mean of the move's belief in logits"),
    name("urgency", "how urgent the move's most urgent leaf is to it"),
    name(
        "rank",
        "place of the move by its first value, from 1; moves that were out at first stand last",
    ),
    name(
        "sd",
        "standard deviation of the move's belief, in expected score",
    ),
    name("N", "visits of all moves of the node"),
    name(
        "spread",
        "standard deviation of the node's own belief, in expected score",
    ),
];

/// The places of names that cost something.
const URGENCY: usize = 4;
const SD: usize = 6;
const SPREAD: usize = 8;
/// So many names stand for a number of each move, those after them for one of the node.
const OF_MOVE: usize = 7;

/// What a formula for the next visit can name.
pub(super) const SCOPE: Scope = Scope {
    names: &NAMES,
    each: &[],
    result: Unit::NONE,
};

/// What a formula for the move played can name: the node's own belief is being written when it is asked.
pub(super) const PLAYED: Scope = Scope {
    names: NAMES.split_at(SPREAD).0,
    each: &[],
    result: Unit::NONE,
};

/// A formula of a move's numbers.
pub struct MoveFormula {
    formula: Formula,
    paper: RefCell<Paper>,
    undefined: Cell<u64>,
}

#[derive(Default)]
struct Paper {
    columns: [Vec<f32>; OF_MOVE],
    sheet: Sheet,
}

impl fmt::Debug for MoveFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formula.fmt(f)
    }
}

impl fmt::Display for MoveFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.formula, f)
    }
}

impl PartialEq for MoveFormula {
    fn eq(&self, other: &Self) -> bool {
        self.formula == other.formula
    }
}

impl MoveFormula {
    /// By an option's text, which its table has checked; a word that stands for a formula is that.
    pub fn new(text: &str, range: &FormulaRange) -> MoveFormula {
        MoveFormula {
            formula: range.of(text),
            paper: RefCell::default(),
            undefined: Cell::new(0),
        }
    }

    /// Whether the urgency of moves is among its numbers.
    pub fn names_urgency(&self) -> bool {
        self.formula.names(URGENCY)
    }

    /// How often a move had no finite number since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }

    /// Calls `use_them` with a number for each of the node's children, in their order; where the formula has no finite value, it
    /// is the move's share of the policy.
    pub fn with_scores<R>(
        &self,
        tree: &Tree,
        node: &Node,
        use_them: impl FnOnce(&[f32]) -> R,
    ) -> R {
        let children = tree.children_block(node);
        let Paper { columns, sheet } = &mut *self.paper.borrow_mut();
        let sd = |child: &Node| tree.belief_slot(child.belief()).read().sd(tree.grid());
        columns.iter_mut().for_each(Vec::clear);
        let mut visits = 0;
        for (place, child) in children.iter().enumerate() {
            visits += child.visits();
            let doubt = match self.formula.names(SD) && !is_left_out(child) {
                true => sd(child),
                false => 0.0,
            };
            let numbers = [
                child.policy(),
                child.visits() as f32,
                -child.expected(),
                child.favour(),
                child.urgency(),
                (place + 1) as f32,
                doubt,
            ];
            for (column, number) in columns.iter_mut().zip(numbers) {
                column.push(number);
            }
        }
        let spread = match self.formula.names(SPREAD) && node.belief() != 0 {
            true => sd(node),
            false => 0.0,
        };
        let [policy, n, q, mean, urgency, rank, sd] = &*columns;
        let all = [
            Column::Each(policy),
            Column::Each(n),
            Column::Each(q),
            Column::Each(mean),
            Column::Each(urgency),
            Column::Each(rank),
            Column::Each(sd),
            Column::Same(visits as f32),
            Column::Same(spread),
        ];
        let found = self.formula.values(children.len(), &all, sheet);
        let undefined = found.iter().filter(|score| score.is_nan()).count() as u64;
        if undefined == 0 {
            return use_them(found);
        }
        self.undefined.set(self.undefined.get() + undefined);
        let mend = |(score, child): (&f32, &Node)| match score.is_nan() {
            true => child.policy(),
            false => *score,
        };
        let mended: Vec<f32> = found.iter().zip(children).map(mend).collect();
        use_them(&mended)
    }
}
