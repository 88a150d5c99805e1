//! What a node is worth by its moves, by a formula.

use super::moves::{EACH, Moves, Needs};
use formula::{Formula, Name, Scope, Unit};
use search::{FormulaRange, Options};
use std::cell::{Cell, RefCell};
use tree::Node;

const NAMES: [Name; 3] = [
    Name {
        name: "mean",
        unit: Unit::NONE,
        summary: "the mean of what every visit brought, as in MCTS; where all moves are evaluated at once, of the moves' values by their visits",
    },
    Name {
        name: "N",
        unit: Unit::NONE,
        summary: "visits of the node",
    },
    Name {
        name: "moves",
        unit: Unit::NONE,
        summary: "number of moves that were visited, 1 or more",
    },
];

/// The place of `moves` among the names.
const MOVES: usize = 2;

/// The option `back-up`.
pub static BACK_UP: FormulaRange = FormulaRange {
    is_word: |text| written(text).is_some(),
    words: "mean or minimax",
    scope: Scope {
        names: &NAMES,
        each: &EACH,
        result: Unit::NONE,
    },
    is_condition: false,
    check: |_| Ok(()),
    written: |word| written(word).map(str::to_owned),
};

/// The key of the option.
pub const KEY: &str = "back-up";

/// The word for what MCTS does.
pub const MEAN: &str = "mean";

fn written(word: &str) -> Option<&'static str> {
    match word {
        MEAN => Some("mean"),
        "minimax" => Some("most(Q)"),
        _ => None,
    }
}

/// Computes a node's value from its moves'.
#[derive(Debug)]
pub struct BackUp {
    formula: Formula,
    needs: Needs,
    /// Whether it needs more than the mean and the visits of the node.
    asks_moves: bool,
    moves: RefCell<Moves>,
    undefined: Cell<u64>,
}

impl BackUp {
    /// By the formula that the option holds, or the one that its word stands for.
    pub fn new(options: &Options) -> BackUp {
        let formula = BACK_UP.of(options.word(KEY));
        let needs = Needs::of(&formula, NAMES.len());
        BackUp {
            asks_moves: formula.folds() || formula.names(MOVES),
            formula,
            needs,
            moves: RefCell::new(Moves::new(needs)),
            undefined: Cell::new(0),
        }
    }

    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// How often the formula had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }

    /// What the node is worth to its side to move, from −1 to 1; `None` where none of its moves was visited. Where the formula has
    /// no finite value, that is `mean`, or without one the mean of the moves' values by their visits.
    pub fn value(
        &self,
        (children, prior): (&[Node], impl Fn(&Node) -> f32),
        node: &Node,
        mean: Option<f64>,
    ) -> Option<f32> {
        if let Some(mean) = mean.filter(|_| !self.asks_moves) {
            let own = [mean, node.visits().into(), 0.0];
            return Some(self.taken(self.formula.value(&own), mean));
        }
        let moves = &mut *self.moves.borrow_mut();
        moves.begin(children.len());
        let (mut sum, mut visits) = (0.0, 0.0);
        for (place, child) in children.iter().enumerate() {
            if child.visits() > 0 && !child.is_excluded() {
                let worth = -child.expected();
                moves.add(place, child, worth, prior(child));
                sum += f64::from(child.visits()) * f64::from(worth);
                visits += f64::from(child.visits());
            }
        }
        let count = moves.count();
        if count == 0 {
            return None;
        }
        let mean = mean.unwrap_or(sum / visits);
        let own = [mean, node.visits().into(), count as f64];
        let (columns, sheet) = moves.columns();
        let value = self.formula.folded(&own, (count, &columns), sheet);
        Some(self.taken(value, mean))
    }

    /// The value of the formula, or what stands in for it.
    fn taken(&self, value: Option<f64>, mean: f64) -> f32 {
        if value.is_none() {
            self.undefined.set(self.undefined.get() + 1);
        }
        value.unwrap_or(mean).clamp(-1.0, 1.0) as f32
    }
}
