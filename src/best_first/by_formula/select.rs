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

/// How far the best move is ahead of the others, so that the next choices need no look at them.
///
/// Between two choices only the chosen move changes, and `N`, which grows. Where scores rise with `N`, none of the others can have
/// a higher one than it has at some later `N`.
#[derive(Clone, Copy, Debug)]
pub struct Lead {
    /// The place of the best move.
    best: u32,
    /// The highest score of the other visited moves as long as `N` is at most `until`.
    others: f32,
    until: u32,
    /// The unvisited move that represents all others: its place, and how much less it is worth than the node. `None` if there is
    /// none.
    open: Option<(u32, f32)>,
}

/// A lead is for at most so many visits of its node: the more, the less certain it is that the best move stays ahead.
const AHEAD: u32 = 16;

/// Chooses the move with the highest score.
#[derive(Debug)]
pub struct Select {
    formula: Formula,
    needs: Needs,
    /// Of moves without a visit none has a higher score than the one before it.
    falls: bool,
    /// A move's score changes with its own numbers and with `N` alone, with which it does not fall.
    rises: bool,
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

/// What is known of the numbers of a move that is not visited while its node is.
fn waiting(place: usize) -> Course {
    match NAMES[place].name {
        "N" => Course::new(Order::Rises, true),
        "V" => Course::new(Order::Any, false),
        "Q" => Course::new(Order::Same, false),
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
            rises: formula.rises_along(waiting),
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

    /// Like [`Select::best`], with how far that move is ahead.
    pub fn best_and_lead(
        &self,
        children: &[Node],
        node: &Node,
        fpu: f32,
        counts: impl Fn(&Node) -> bool,
    ) -> Option<(usize, Option<Lead>)> {
        let moves = &mut *self.moves.borrow_mut();
        let prior = Node::policy;
        self.gather(moves, (children, &prior), node, fpu, (counts, self.falls));
        let (at, all_defined) = self.highest(moves, (children, &prior), node)?;
        let best = moves.place(at);
        if !self.rises || !all_defined || children[best].visits() == 0 {
            return Some((best, None));
        }
        let mut unvisited =
            (0..moves.count()).filter(|at| children[moves.place(*at)].visits() == 0);
        let open = unvisited.next();
        if unvisited.next().is_some() {
            return Some((best, None));
        }
        let open = open.map(|at| {
            let place = moves.place(at);
            let of_visited = |(_, child): &(usize, &Node)| child.visits() > 0;
            let before = children[..place].iter().enumerate().filter(of_visited);
            let prior: f32 = before.map(|(_, child)| child.policy()).sum();
            (at, place as u32, fpu * prior.sqrt())
        });
        let until = node.visits() + (node.visits() / 4).clamp(1, AHEAD);
        let scores = self.scores(moves, until as f32, node.expected());
        let is_other = |i: usize| i != at && open.is_none_or(|(open, ..)| open != i);
        let mut others = f32::NEG_INFINITY;
        for (i, &score) in scores.iter().enumerate() {
            if is_other(i) {
                // Not `f32::max`, which leaves out what is no number.
                others = if score <= others { others } else { score };
            }
        }
        let lead = (!others.is_nan()).then_some(Lead {
            best: best as u32,
            others,
            until,
            open: open.map(|(_, place, less)| (place, less)),
        });
        Some((best, lead))
    }

    /// Returns the place of the best move if it is certain by a lead; `counts` says whether it still does.
    #[inline]
    pub fn leader(
        &self,
        lead: &Lead,
        children: &[Node],
        node: &Node,
        counts: impl Fn(&Node) -> bool,
    ) -> Option<usize> {
        let best = lead.best as usize;
        let child = children.get(best)?;
        if node.visits() > lead.until || child.visits() == 0 || !counts(child) {
            return None;
        }
        let own = node.expected();
        let score = self.single(best, child, -child.expected(), node)?;
        let open = match lead.open {
            Some((place, less)) => {
                let place = place as usize;
                self.single(place, children.get(place)?, own - less, node)?
            }
            None => f32::NEG_INFINITY,
        };
        // Far more than rounding can add up to.
        let rounding = 1e-5 * (1.0 + score.abs());
        (score > lead.others.max(open) + rounding).then_some(best)
    }

    /// The score of a single move, if it is finite.
    #[inline]
    fn single(&self, place: usize, child: &Node, q: f32, node: &Node) -> Option<f32> {
        let sd = match self.needs.spreads {
            true => child.second(),
            false => 0.0,
        };
        let visits = [child.visits() as f32, node.visits() as f32];
        self.formula.single(&[
            q,
            visits[0],
            child.policy(),
            sd,
            (place + 1) as f32,
            visits[1],
            node.expected(),
        ])
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
    fn gather(
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
    fn scores<'m>(&self, moves: &'m mut Moves, visits: f32, own: f32) -> &'m [f32] {
        let count = moves.count();
        let ([q, n, p, sd, rank], sheet) = moves.columns();
        let columns = [q, n, p, sd, rank, Column::Same(visits), Column::Same(own)];
        self.formula.values(count, &columns, sheet)
    }

    /// Of the moves that were gathered the one with the highest score, by its number among them, and whether all had a finite one.
    /// What has none is counted.
    #[inline]
    fn highest(
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

#[cfg(test)]
mod tests {
    use super::*;
    use tree::Proof;

    const FPU: f32 = 0.4;

    /// Visits the children of one node as a search by this formula would, with random results. Returns how often a lead told the
    /// choice, which a scan of all children has to confirm.
    fn led(text: &str, visits: u32) -> u32 {
        let mut options = crate::mcts::default_options();
        options.set(KEY, text).expect("a formula");
        let select = Select::new(&options);
        let mut random = fastrand::Rng::with_seed(7);
        let mut found = 0;
        for count in [1, 2, 5, 12, 30] {
            let node = Node::default();
            let mut priors: Vec<f32> = (0..count).map(|_| random.f32()).collect();
            priors.sort_by(|a, b| b.total_cmp(a));
            let whole: f32 = priors.iter().sum();
            let means: Vec<f32> = priors.iter().map(|_| random.f32() - 0.5).collect();
            let children: Vec<Node> = priors.iter().map(|_| Node::default()).collect();
            for (child, prior) in children.iter().zip(&priors) {
                child.set_policy(prior / whole);
                child.set_proof(Proof::OPEN);
            }
            let (mut lead, mut total) = (None, 0.0);
            for visit in 1..visits {
                let scan = select.best_and_lead(&children, &node, FPU, |_| true);
                let (place, next) = scan.expect("a child");
                let leader = lead.and_then(|lead| select.leader(&lead, &children, &node, |_| true));
                match leader {
                    Some(leader) => {
                        assert_eq!(leader, place, "{text}: visit {visit}");
                        found += 1;
                    }
                    None => lead = next,
                }
                let child = &children[place];
                let result = means[place] + (random.f32() - 0.5) / 2.0;
                let before = child.visits() as f32;
                child.set_expected((child.expected() * before + result) / (before + 1.0));
                child.set_visits(child.visits() + 1);
                total -= result;
                node.set_expected(total / visit as f32);
                node.set_visits(visit);
            }
        }
        found
    }

    #[test]
    fn the_leader_is_the_one_that_a_scan_would_choose() {
        for text in [
            "Q + 1.5*P*sqrt(N)/(1 + n)",
            "if(n = 0, 9 - rank/1k, Q + sqrt(8*log(N)/n))",
            "Q + P*log(1 + N)/(1 + n) + rank/1k",
            "max(Q, 0) + sqrt(P*N)/(1 + n)",
        ] {
            let found = led(text, 2_000);
            assert!(found > 2_000, "{text}: {found} of 10,000 without a scan");
        }
    }

    /// Scores of waiting moves may rise by themselves, or fall.
    #[test]
    fn there_is_no_lead_where_nothing_is_certain() {
        for text in [
            "Q - P*sqrt(N)/(1 + n)",
            "Q + P*(1 - V)/(1 + n)",
            "if(N > 50, Q, -n)",
        ] {
            assert_eq!(led(text, 300), 0, "{text}");
        }
    }
}
