//! Judges the nodes of a tree by the exact solver.

use std::ops::Range;

use belief::score::Forecast;
use game::{Game, MoveCode, Score, Situation};
use games::in_a_row::InARow;
use games::in_a_row::solver::Solver;
use session::{Reader, RowId, Subject};
use tree::{Bound, Fate, NodeId, NodeView, Proof, Tree, Window};

use super::tally::{Tally, place};

/// Judges a tree by the position at its root.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    reader: Reader<'a>,
    root: InARow,
}

/// A proof that is false.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    /// The moves to the node.
    pub moves: Vec<MoveCode>,
    pub proof: Proof,
    pub truth: Score,
    pub is_of_result: bool,
}

/// A node with what is true of it.
struct Seen {
    id: NodeId,
    position: InARow,
    ply: usize,
    /// The exact score.
    truth: Score,
    /// The places of its children among all nodes.
    children: Range<usize>,
}

impl Seen {
    /// The result for the side to move.
    fn result(&self) -> i32 {
        result(self.truth)
    }
}

/// What a fate says of a node's or a move's worth.
struct Claim {
    /// Whether it is at least the bound; otherwise at most.
    is_at_least: bool,
    /// An expected score.
    bound: f32,
}

impl Claim {
    fn holds(&self, worth: f32) -> bool {
        match self.is_at_least {
            true => worth >= self.bound,
            false => worth <= self.bound,
        }
    }
}

/// Returns the exact score of a position, with how soon the row is made.
pub fn score_of(position: &InARow, solver: &mut Solver) -> Score {
    let outcome = solver.solve(position);
    match outcome.plies(position).map(|plies| plies as u16) {
        Some(plies) if outcome.sign() > 0 => Score::win_in(plies),
        Some(plies) => Score::loss_in(plies),
        None => Score::DRAW,
    }
}

/// Returns 1, 0 or −1 for an exact score.
fn result(truth: Score) -> i32 {
    i32::from(truth.is_win()) - i32::from(truth.is_loss())
}

impl<'a> Judge<'a> {
    /// `root` is the reader's own position.
    pub fn new(reader: Reader<'a>, root: InARow) -> Judge<'a> {
        Judge { reader, root }
    }

    /// Enters all nodes, and returns the first false proof: of a result if there is one.
    pub(super) fn judge(&self, solver: &mut Solver, tally: &mut Tally) -> Option<Wrong> {
        let all = self.walk(solver);
        let mut by_ply: Vec<[u32; 3]> = Vec::new();
        for seen in &all {
            if by_ply.len() <= seen.ply {
                by_ply.resize(seen.ply + 1, [0; 3]);
            }
            by_ply[seen.ply][place(seen.result())] += 1;
        }
        let mut first: Option<Wrong> = None;
        for seen in &all {
            let view = self.reader.tree.view(seen.id);
            tally.nodes += 1;
            let wrong = self.proof(seen, &view, tally);
            if let Some(wrong) = wrong
                && first
                    .as_ref()
                    .is_none_or(|f| wrong.is_of_result && !f.is_of_result)
            {
                first = Some(wrong);
            }
            said(seen, &view, tally);
            self.claim(&view, view.fate, seen.result(), &by_ply[seen.ply], tally);
            let children = &all[seen.children.clone()];
            let below = by_ply.get(seen.ply + 1);
            self.left_out(seen, &view, (children, below), solver, tally);
            self.belief(seen, &view, tally);
        }
        first
    }

    /// Returns all nodes, the root first, with the children of each in a row.
    fn walk(&self, solver: &mut Solver) -> Vec<Seen> {
        let tree = self.reader.tree;
        let root = Seen {
            id: Tree::ROOT,
            position: self.root,
            ply: 0,
            truth: score_of(&self.root, solver),
            children: 0..0,
        };
        let mut all = vec![root];
        let mut at = 0;
        while at < all.len() {
            let Seen {
                id, position, ply, ..
            } = all[at];
            let first = all.len();
            for child in tree.children(id) {
                if let Some(after) = position.after(tree.node(child).move_code()) {
                    all.push(Seen {
                        id: child,
                        position: after,
                        ply: ply + 1,
                        truth: score_of(&after, solver),
                        children: 0..0,
                    });
                }
            }
            all[at].children = first..all.len();
            at += 1;
        }
        all
    }

    fn proof(&self, seen: &Seen, view: &NodeView, tally: &mut Tally) -> Option<Wrong> {
        let (proof, truth) = (view.proof, seen.truth);
        if proof == Proof::OPEN {
            return None;
        }
        tally.proofs.bounds += 1;
        tally.proofs.certain += u64::from(proof.is_certain());
        if (proof.lower..=proof.upper).contains(&truth) {
            return None;
        }
        let has_result = match result(truth) {
            1 => proof.upper > Score::DRAW,
            -1 => proof.lower < Score::DRAW,
            _ => proof.lower <= Score::DRAW && proof.upper >= Score::DRAW,
        };
        match has_result {
            true => tally.proofs.false_distances += 1,
            false => tally.proofs.false_results += 1,
        }
        Some(Wrong {
            moves: self.reader.tree.moves_to(seen.id),
            proof,
            truth,
            is_of_result: !has_result,
        })
    }

    /// Enters what a fate claims of a node with this result. `alike`: the results of the nodes at its ply.
    fn claim(&self, view: &NodeView, fate: Fate, result: i32, alike: &[u32; 3], tally: &mut Tally) {
        let Some(claim) = self.claim_of(fate, view.window) else {
            return;
        };
        // In the fate of a skipped move all is from the view of its parent.
        let sign = if fate.is_skip() { -1 } else { 1 };
        let holds = |result: i32| claim.holds((sign * result) as f32);
        let all: u32 = alike.iter().sum();
        let wrong: u32 = { -1..=1 }
            .filter(|r| !holds(*r))
            .map(|r| alike[place(r)])
            .sum();
        let proof = match sign {
            1 => view.proof,
            _ => view.proof.one_ply_up(),
        };
        let scale = self.reader.scale();
        let is_proven = match claim.is_at_least {
            true => scale.expected(proof.lower) >= claim.bound,
            false => scale.expected(proof.upper) <= claim.bound,
        };
        let counts = tally.of_fate(fate.name());
        counts.claims += 1;
        counts.wrong += u64::from(!holds(result));
        counts.wrong_by_chance += f64::from(wrong) / f64::from(all.max(1));
        counts.proven += u64::from(is_proven);
    }

    /// Returns what a fate claims; `None` if it compares with no bound, or with one that is not recorded.
    fn claim_of(&self, fate: Fate, window: Option<Window>) -> Option<Claim> {
        let expected = |score: Score| self.reader.scale().expected(score);
        let (is_at_least, bound) = match fate {
            Fate::BetaCutoff { beta, .. }
            | Fate::ReverseFutility { beta, .. }
            | Fate::NullMove { beta, .. }
            | Fate::MultiCut { beta, .. }
            | Fate::StandPat { beta, .. } => (true, expected(beta)),
            Fate::ProbabilisticCutoff { beta_bin, .. } => (
                true,
                *self.reader.tree.grid().edges().get(usize::from(beta_bin))?,
            ),
            Fate::ProbCut { .. } if fate.fails_low() => (false, expected(window?.alpha)),
            Fate::ProbCut { .. } => (true, expected(window?.beta)),
            Fate::Razoring { .. } => (false, expected(window?.alpha)),
            Fate::TableHit { value, bound, .. } => match bound {
                Bound::Lower => (true, expected(value)),
                Bound::Upper => (false, expected(value)),
                Bound::Exact | Bound::None => return None,
            },
            Fate::LeafFailsLow { limit, .. } => (false, expected(limit)),
            Fate::LeafFailsHigh { limit, .. } => (true, expected(limit)),
            Fate::Futility { alpha, .. } | Fate::DeltaPruning { alpha, .. } => {
                (false, expected(alpha))
            }
            _ => return None,
        };
        Some(Claim { is_at_least, bound })
    }

    /// Enters the decisions of a node to leave out moves, and what is claimed of those of them that have no node. `below`: the
    /// results of the nodes at the next ply.
    fn left_out(
        &self,
        seen: &Seen,
        view: &NodeView,
        (children, below): (&[Seen], Option<&[u32; 3]>),
        solver: &mut Solver,
        tally: &mut Tally,
    ) {
        if self.reader.tree.is_full() {
            return;
        }
        let (mut searched, mut others) = (Vec::new(), Vec::new());
        for child in children {
            let of = self.reader.tree.view(child.id);
            match of.fate {
                fate if fate.is_skip() => others.push((fate, -child.result())),
                _ if of.visits > 0 => searched.push(-child.result()),
                // It was recorded, but not searched.
                _ if view.fate.is_cutoff() => others.push((view.fate, -child.result())),
                _ => {}
            }
        }
        let implied = matches!(view.fate, Fate::Expanded { skipped: 1.., .. });
        if view.fate.is_cutoff() || implied {
            for (fate, code) in self.without_node(seen, view) {
                let Some(after) = seen.position.after(code) else {
                    continue;
                };
                let result = solver.solve(&after).sign();
                others.push((fate, -result));
                if fate.is_skip() {
                    let bare = session::unrecorded_view(seen.id, code, fate);
                    self.claim(&bare, fate, result, below.unwrap_or(&[0; 3]), tally);
                }
            }
        }
        let Some(best) = searched.iter().copied().max() else {
            return;
        };
        others.sort_by_key(|(fate, _)| fate.name());
        for group in others.chunk_by(|a, b| a.0.name() == b.0.name()) {
            let results = group.iter().map(|(_, result)| *result);
            let all: Vec<i32> = searched.iter().copied().chain(results.clone()).collect();
            let counts = tally.of_fate(group[0].0.name());
            counts.decisions += 1;
            counts.moves += group.len() as u64;
            counts.lost += u64::from(results.max().is_some_and(|left| left > best));
            counts.lost_by_chance += lost_by_chance(&all, group.len());
        }
    }

    /// Returns the moves without a node that a fate has left out, with that fate: the node's own, or one that follows from its
    /// numbers.
    fn without_node(&self, seen: &Seen, view: &NodeView) -> Vec<(Fate, MoveCode)> {
        let subject = Subject::of(Situation::new(seen.position));
        let rows = self.reader.bare_rows_best_first(seen.id, &subject);
        let rows = rows
            .into_iter()
            .filter(|row| matches!(row.id, RowId::Withheld { .. }));
        let skipped = rows.filter(|row| row.view.fate.is_skip());
        let fate = |fate: Fate| match fate {
            Fate::SiblingCutoff { .. } | Fate::SiblingProbabilisticCutoff { .. } => view.fate,
            implied => implied,
        };
        skipped
            .map(|row| (fate(row.view.fate), row.view.move_code))
            .collect()
    }

    fn belief(&self, seen: &Seen, view: &NodeView, tally: &mut Tally) {
        let Some(belief) = self.reader.tree.belief(seen.id) else {
            return;
        };
        let grid = self.reader.tree.grid();
        let forecast = Forecast::of(&belief.density(), grid);
        let mean = f64::from(belief.mean(grid));
        let at = tally.at_ply(seen.ply);
        at.all.enter(&forecast, mean, seen.result());
        if !view.proof.is_certain() {
            at.open.enter(&forecast, mean, seen.result());
        }
    }
}

/// Enters a win or a loss that a depth-first value says without a proof.
fn said(seen: &Seen, view: &NodeView, tally: &mut Tally) {
    let Some(window) = view.window.filter(|_| !view.proof.is_certain()) else {
        return;
    };
    let says = match window.bound {
        Bound::Lower | Bound::Exact if window.value.is_win() => 1,
        Bound::Upper | Bound::Exact if window.value.is_loss() => -1,
        _ => return,
    };
    tally.said.all += 1;
    tally.said.wrong += u64::from(seen.result() != says);
}

/// Returns the probability that none of the best of these results is kept if so many of them, but not all, are left out at
/// random: the best m of n are all among k with the probability k/n · (k−1)/(n−1) · …
fn lost_by_chance(results: &[i32], left_out: usize) -> f64 {
    let Some(best) = results.iter().max() else {
        return 0.0;
    };
    let equal = results.iter().filter(|result| *result == best).count();
    let factors =
        (0..equal).map(|i| left_out.saturating_sub(i) as f64 / (results.len() - i) as f64);
    factors.product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all ways to leave out so many of them.
    #[test]
    fn chance_leaves_out_the_best_as_often_as_it_does() {
        for results in [
            vec![1, 0, -1, 0],
            vec![0, 0, 0],
            vec![1, 1, -1, 0, -1],
            vec![-1, 1],
        ] {
            for k in 1..results.len() {
                let (mut all, mut lost) = (0, 0);
                for set in 0..1u32 << results.len() {
                    if set.count_ones() as usize != k {
                        continue;
                    }
                    let of = |is_out: bool| {
                        let places =
                            (0..results.len()).filter(move |i| (set >> i & 1 == 1) == is_out);
                        places.map(|i| results[i]).max()
                    };
                    all += 1;
                    lost += u32::from(of(true) > of(false));
                }
                let expected = f64::from(lost) / f64::from(all);
                let found = lost_by_chance(&results, k);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{results:?} {k}: {found} {expected}"
                );
            }
        }
    }
}
