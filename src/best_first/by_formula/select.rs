//! Which child a descent goes to, by a formula of each move's numbers.

use super::moves::{EACH, Moves, Needs};
use formula::{Column, Course, Formula, Name, Order, Scope, Unit};
use search::{FormulaRange, Options};
use std::cell::{Cell, RefCell};
use tree::Node;

/// What a move's score can be computed from.
const NAMES: [Name; 7] = {
    let [q, n, p, sd, rank] = EACH;
    [
        q,
        n,
        p,
        sd,
        rank,
        Name {
            name: "N",
            unit: Unit::NONE,
            summary: "visits of the node",
        },
        Name {
            name: "V",
            unit: Unit::NONE,
            summary: "what the node is worth to the side that moves, from -1 to 1",
        },
    ]
};

/// The option `select`.
pub static SELECT: FormulaRange = FormulaRange {
    is_word: |text| written(text).is_some(),
    words: "puct, uct or uniform",
    scope: Scope {
        names: &NAMES,
        each: &[],
        result: Unit::NONE,
    },
    is_condition: false,
    check: |_| Ok(()),
    written: |word| written(word).map(str::to_owned),
};

/// The key of the option.
pub const KEY: &str = "select";

/// The formula that a word stands for. UCT is UCB1 of values from −1 to 1, moves without a visit first, by their priors: Kocsis
/// and Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006.
fn written(word: &str) -> Option<&'static str> {
    match word {
        "puct" => Some("Q + 1.5*P*sqrt(N)/(1 + n)"),
        "uct" => Some("if(n = 0, 9 - rank/1k, Q + sqrt(8*log(N)/n))"),
        "uniform" => Some("-n"),
        _ => None,
    }
}

/// A move and its score.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    /// Its place among its siblings.
    pub place: usize,
    pub score: f32,
    pub q: f32,
    /// Whether the formula has a finite value; otherwise the score is that of PUCT.
    pub is_defined: bool,
}

/// Chooses the move with the highest score.
#[derive(Debug)]
pub struct Select {
    formula: Formula,
    needs: Needs,
    /// Of moves without a visit none has a higher score than the one before it.
    falls: bool,
    moves: RefCell<Moves>,
    undefined: Cell<u64>,
}

/// What is known of the numbers of moves that have not been visited, which stand in the order of their priors.
fn unvisited(place: usize) -> Course {
    match NAMES[place].name {
        "P" => Course::new(Order::Falls, true),
        "rank" => Course::new(Order::Rises, true),
        "Q" | "V" => Course::new(Order::Same, false),
        _ => Course::new(Order::Same, true),
    }
}

impl Select {
    /// By the formula that the option holds, or the one that its word stands for.
    pub fn new(options: &Options) -> Select {
        let formula = SELECT.of(options.word(KEY));
        let needs = Needs::of(&formula, 0);
        Select {
            falls: formula.falls_along(unvisited),
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

    /// How often a score had no finite value since this was asked last.
    pub fn take_undefined(&self) -> u64 {
        self.undefined.take()
    }

    /// The place of the child with the highest score, the first of equals, among those that `counts`; `None` where none does.
    /// A move whose score is not finite has that of PUCT.
    pub fn best(
        &self,
        (children, prior): (&[Node], impl Fn(&Node) -> f32),
        node: &Node,
        fpu: f32,
        counts: impl Fn(&Node) -> bool,
    ) -> Option<usize> {
        let mut best: Option<(f32, usize)> = None;
        self.score(
            (children, prior),
            node,
            fpu,
            (counts, self.falls),
            |scored| {
                if best.is_none_or(|(most, _)| scored.score > most) {
                    best = Some((scored.score, scored.place));
                }
            },
        );
        best.map(|(_, place)| place)
    }

    /// Calls `note` for each child that `counts`.
    pub fn each(
        &self,
        children: (&[Node], impl Fn(&Node) -> f32),
        node: &Node,
        fpu: f32,
        counts: impl Fn(&Node) -> bool,
        note: impl FnMut(Scored),
    ) {
        self.score(children, node, fpu, (counts, false), note);
    }

    /// Calls `note` for each child that `counts`; with `first` of those without a visit only for the first, unless visited ones
    /// follow.
    #[inline]
    fn score(
        &self,
        (children, prior): (&[Node], impl Fn(&Node) -> f32),
        node: &Node,
        fpu: f32,
        (counts, first): (impl Fn(&Node) -> bool, bool),
        mut note: impl FnMut(Scored),
    ) {
        let moves = &mut *self.moves.borrow_mut();
        moves.begin(children.len());
        let own = node.expected();
        let mut visited_prior = 0.0;
        for (place, child) in children.iter().enumerate() {
            let counts = counts(child);
            if child.visits() > 0 {
                let prior = prior(child);
                if counts {
                    moves.add(place, child, -child.expected(), prior);
                }
                if !child.is_excluded() {
                    visited_prior += prior;
                }
            } else if counts {
                let less = fpu * f32::sqrt(visited_prior);
                moves.add(place, child, own - less, prior(child));
                let next = children.get(place + 1);
                if first && next.is_none_or(|next| next.visits() == 0) {
                    break;
                }
            }
        }
        let count = moves.count();
        let visits = node.visits() as f32;
        let ([q, n, p, sd, rank], places, sheet) = moves.columns();
        let Column::Each(q_of) = q else { return };
        let (all, own) = (Column::Same(visits), Column::Same(own));
        let columns = [q, n, p, sd, rank, all, own];
        let scores = self.formula.values(count, &columns, sheet);
        let mut undefined = 0;
        for (i, (&score, &place)) in scores.iter().zip(places).enumerate() {
            let place = place as usize;
            let is_defined = !score.is_nan();
            let score = if is_defined {
                score
            } else {
                undefined += 1;
                let child = &children[place];
                let added = prior(child) * visits.sqrt() / (1 + child.visits()) as f32;
                q_of[i] + 1.5 * added
            };
            note(Scored {
                place,
                score,
                q: q_of[i],
                is_defined,
            });
        }
        self.undefined.set(self.undefined.get() + undefined);
    }
}
