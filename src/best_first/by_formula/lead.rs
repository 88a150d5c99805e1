//! How far the best move by a formula is ahead, so that the next choices need no look at the others.

use super::select::{NAMES, Select};
use formula::{Course, Order};
use tree::Node;

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

/// What is known of the numbers of a move that is not visited while its node is.
pub(super) fn waiting(place: usize) -> Course {
    match NAMES[place].name {
        "N" => Course::new(Order::Rises, true),
        "V" => Course::new(Order::Any, false),
        "Q" => Course::new(Order::Same, false),
        _ => Course::new(Order::Same, true),
    }
}

impl Select {
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
            let before = children[..place].iter().filter(|child| child.visits() > 0);
            let prior: f32 = before.map(Node::policy).sum();
            (at, place as u32, fpu * prior.sqrt())
        });
        let until = node.visits() + (node.visits() / 4).clamp(1, AHEAD);
        let scores = self.scores(moves, until as f32, node.expected());
        let is_other = |i: &usize| *i != at && open.is_none_or(|(open, ..)| open != *i);
        let others = (0..scores.len()).filter(is_other).map(|i| scores[i]);
        let is_known = others.clone().all(|score| !score.is_nan());
        let lead = is_known.then(|| Lead {
            best: best as u32,
            others: others.fold(f32::NEG_INFINITY, f32::max),
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_formula::SELECT_KEY as KEY;
    use crate::visited::Visited;

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
            let mut made = Visited::new(&mut random, count);
            let mut lead = None;
            for visit in 1..visits {
                let (node, children) = (&made.node, &made.children);
                let scan = select.best_and_lead(children, node, FPU, |_| true);
                let (place, next) = scan.expect("a child");
                let leader = lead.and_then(|lead| select.leader(&lead, children, node, |_| true));
                match leader {
                    Some(leader) => {
                        assert_eq!(leader, place, "{text}: visit {visit}");
                        found += 1;
                    }
                    None => lead = next,
                }
                made.visit(place, &mut random);
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

    /// What has a score now may have none at a later `N`: the others' scores are known only as long as all have one.
    #[test]
    fn a_lead_ends_before_a_score_does() {
        led("Q + P*exp(N)/(1 + n)", 200);
        led("Q + exp(P*N)/(1 + n)", 400);
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
