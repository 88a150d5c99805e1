//! Which child a descent goes to, by a formula of each move's numbers.

use super::lead;
use super::moves::{EACH, Moves, Needs};
use formula::{Column, Course, Formula, Name, Order, Scope, Unit};
use search::{FormulaRange, Options};
use std::cell::{Cell, RefCell};
use tree::Node;

/// What a move's score can be computed from.
pub(super) const NAMES: [Name; 7] = {
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
    pub(super) formula: Formula,
    pub(super) needs: Needs,
    /// Of moves without a visit none has a higher score than the one before it.
    pub(super) falls: bool,
    /// A move's score changes with its own numbers and with `N` alone, with which it does not fall.
    pub(super) rises: bool,
    pub(super) moves: RefCell<Moves>,
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
            rises: formula.rises_along(lead::waiting),
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
        let moves = &mut *self.moves.borrow_mut();
        self.gather(moves, (children, &prior), node, fpu, (counts, self.falls));
        let best = self.highest(moves, (children, &prior), node);
        best.map(|(at, _)| moves.place(at))
    }

    /// Calls `note` for each child that `counts`.
    pub fn each(
        &self,
        (children, prior): (&[Node], impl Fn(&Node) -> f32),
        node: &Node,
        fpu: f32,
        counts: impl Fn(&Node) -> bool,
        mut note: impl FnMut(Scored),
    ) {
        let moves = &mut *self.moves.borrow_mut();
        self.gather(moves, (children, &prior), node, fpu, (counts, false));
        let visits = node.visits() as f32;
        let scores = self.scores(moves, visits, node.expected()).to_vec();
        for (at, score) in scores.into_iter().enumerate() {
            let (place, q) = (moves.place(at), moves.q(at));
            let is_defined = !score.is_nan();
            note(Scored {
                place,
                score: match is_defined {
                    true => score,
                    false => by_puct(&children[place], q, prior(&children[place]), visits),
                },
                q,
                is_defined,
            });
        }
    }

    /// Gathers the numbers of each child that `counts`; with `first` of those without a visit only of the first, unless visited
    /// ones follow.
    #[inline]
    pub(super) fn gather(
        &self,
        moves: &mut Moves,
        (children, prior): (&[Node], &impl Fn(&Node) -> f32),
        node: &Node,
        fpu: f32,
        (counts, first): (impl Fn(&Node) -> bool, bool),
    ) {
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
    }

    /// The scores of the moves that were gathered, at a node with so many visits that is worth `own`; NaN where there is no finite
    /// one.
    #[inline]
    pub(super) fn scores<'m>(&self, moves: &'m mut Moves, visits: f32, own: f32) -> &'m [f32] {
        let count = moves.count();
        let ([q, n, p, sd, rank], sheet) = moves.columns();
        let columns = [q, n, p, sd, rank, Column::Same(visits), Column::Same(own)];
        self.formula.values(count, &columns, sheet)
    }

    /// Of the moves that were gathered the one with the highest score, by its number among them, and whether all had a finite one.
    /// What has none is counted.
    #[inline]
    pub(super) fn highest(
        &self,
        moves: &mut Moves,
        (children, prior): (&[Node], &impl Fn(&Node) -> f32),
        node: &Node,
    ) -> Option<(usize, bool)> {
        let visits = node.visits() as f32;
        let scores = self.scores(moves, visits, node.expected());
        let mut best: Option<(f32, usize)> = None;
        let mut undefined = Vec::new();
        for (at, &score) in scores.iter().enumerate() {
            if score.is_nan() {
                undefined.push(at);
            } else if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, at));
            }
        }
        let all_defined = undefined.is_empty();
        self.undefined
            .set(self.undefined.get() + undefined.len() as u64);
        for at in undefined {
            let child = &children[moves.place(at)];
            let score = by_puct(child, moves.q(at), prior(child), visits);
            let is_first = |(most, other): (f32, usize)| score == most && at < other;
            if best.is_none_or(|best| score > best.0 || is_first(best)) {
                best = Some((score, at));
            }
        }
        best.map(|(_, at)| (at, all_defined))
    }
}

/// The score of PUCT.
fn by_puct(child: &Node, q: f32, prior: f32, visits: f32) -> f32 {
    q + 1.5 * prior * visits.sqrt() / (1 + child.visits()) as f32
}
