//! What is counted of the searches of one algorithm.

use std::collections::BTreeMap;

use belief::score::{Forecast, LEVELS, Pit};
use game::Score;
use serde::{Deserialize, Serialize};

/// What was found of the searches of one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    pub searches: u64,
    /// Searches that prove a win, a loss or an exact score of their root, by their nodes.
    pub to_proof: BTreeMap<u64, u64>,
    /// Searches whose move keeps the result.
    pub keeps: u64,
    /// Nodes of the trees.
    pub nodes: u64,
    pub proofs: Proofs,
    /// Wins and losses that depth-first values say without a proof.
    pub said: Said,
    /// By the names of fates.
    pub fates: BTreeMap<String, LeftOut>,
    /// By the ply below the root.
    pub plies: Vec<AtPly>,
    /// The first false proof: of a result if there is one.
    pub first: Option<FalseProof>,
}

/// Proofs of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// Nodes with bounds that exclude anything.
    pub bounds: u64,
    /// Those of them with a certain result.
    pub certain: u64,
    /// Bounds that exclude the true result.
    pub false_results: u64,
    /// Bounds that have the true result, but exclude how soon it comes.
    pub false_distances: u64,
}

/// Statements that are true or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub all: u64,
    pub wrong: u64,
}

/// What a fate has left out, and what it claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Nodes at which it left out moves beside others that were searched, and those moves.
    pub decisions: u64,
    pub moves: u64,
    /// Decisions in which the best move left out has a better result than the best one searched.
    pub lost: u64,
    /// How many such decisions are expected if as many of the same moves are left out at random.
    pub lost_by_chance: f64,
    /// Claims that a node or a move is worth at least, or at most, a bound.
    pub claims: u64,
    /// Claims with the result on the other side of the bound.
    pub wrong: u64,
    /// How many wrong claims are expected about nodes of the same tree and ply at random.
    pub wrong_by_chance: f64,
    /// Claims that a proof implies.
    pub proven: u64,
}

/// The beliefs at one ply below the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AtPly {
    pub all: Beliefs,
    /// Those of nodes whose result is not proven.
    pub open: Beliefs,
}

/// Beliefs against results, from the view of the side to move at each node.
///
/// The CRPS is that of the belief as it is, over expected scores. For coverage each result stands for the expected scores nearest
/// to it: a loss for those below −½, a draw for those between, a win for those above ½. A result is spread evenly over the belief's
/// part that it stands for (the randomised transform: Czado, Gneiting & Held 2009), so that beliefs which give each result the
/// probability with which it comes, and sure ones that are right, have the coverage that their level says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beliefs {
    /// Losses, draws and wins.
    pub results: [u64; 3],
    /// The sum of the scores (CRPS).
    pub crps: f64,
    /// The sum of what lies within each of [`LEVELS`].
    pub covered: [f64; LEVELS.len()],
    /// The sum of the beliefs' means less the results.
    pub above: f64,
}

/// A proof that is false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FalseProof {
    /// The number of the root's position among all of the board.
    pub number: u64,
    /// The root's position, as a line of a file.
    pub position: String,
    /// The names of the moves from the root to the node.
    pub line: Vec<String>,
    /// What is proven of the node, and its exact score, for its side to move.
    pub lower: Score,
    pub upper: Score,
    pub truth: Score,
    /// Whether the result is false, and not only how soon it comes.
    pub is_of_result: bool,
}

/// Returns the place of a result among losses, draws and wins.
pub(super) fn place(result: i32) -> usize {
    (result.signum() + 1) as usize
}

impl Tally {
    /// Returns the number of searches that prove their root's result.
    pub fn proven(&self) -> u64 {
        self.to_proof.values().sum()
    }

    /// Returns the mean and the median of the nodes of searches that prove their root's result; `None` without any.
    pub fn nodes_to_proof(&self) -> Option<(f64, f64)> {
        let all = self.proven();
        let sum: u64 = self.to_proof.iter().map(|(nodes, n)| nodes * n).sum();
        let nth = |n: u64| {
            let mut before = 0;
            let found = self.to_proof.iter().find(|(_, count)| {
                before += **count;
                before > n
            });
            found.map(|(nodes, _)| *nodes as f64)
        };
        let middle = all.checked_sub(1)?;
        let median = (nth(middle / 2)? + nth(all / 2)?) / 2.0;
        Some((sum as f64 / all as f64, median))
    }

    /// Keeps this false proof if it comes before the one that is known.
    pub(super) fn meet(&mut self, other: FalseProof) {
        let rank = |proof: &FalseProof| (!proof.is_of_result, proof.number);
        if self
            .first
            .as_ref()
            .is_none_or(|first| rank(&other) < rank(first))
        {
            self.first = Some(other);
        }
    }

    /// Returns the counts at a ply.
    pub(super) fn at_ply(&mut self, ply: usize) -> &mut AtPly {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, AtPly::default());
        }
        &mut self.plies[ply]
    }

    /// Returns the counts of a fate.
    pub(super) fn of_fate(&mut self, name: &str) -> &mut LeftOut {
        self.fates.entry(name.to_owned()).or_default()
    }

    /// Adds what was found of other searches.
    pub fn add(&mut self, other: &Tally) {
        self.searches += other.searches;
        self.keeps += other.keeps;
        self.nodes += other.nodes;
        for (nodes, count) in &other.to_proof {
            *self.to_proof.entry(*nodes).or_default() += count;
        }
        self.proofs.add(&other.proofs);
        self.said.all += other.said.all;
        self.said.wrong += other.said.wrong;
        for (name, left_out) in &other.fates {
            self.of_fate(name).add(left_out);
        }
        for (ply, at) in other.plies.iter().enumerate() {
            let own = self.at_ply(ply);
            own.all.add(&at.all);
            own.open.add(&at.open);
        }
        if let Some(first) = &other.first {
            self.meet(first.clone());
        }
    }
}

impl Proofs {
    fn add(&mut self, other: &Proofs) {
        self.bounds += other.bounds;
        self.certain += other.certain;
        self.false_results += other.false_results;
        self.false_distances += other.false_distances;
    }
}

impl LeftOut {
    fn add(&mut self, other: &LeftOut) {
        self.decisions += other.decisions;
        self.moves += other.moves;
        self.lost += other.lost;
        self.lost_by_chance += other.lost_by_chance;
        self.claims += other.claims;
        self.wrong += other.wrong;
        self.wrong_by_chance += other.wrong_by_chance;
        self.proven += other.proven;
    }
}

impl Beliefs {
    /// Enters a belief with its mean, and the result of its node.
    pub(super) fn enter(&mut self, forecast: &Forecast, mean: f64, result: i32) {
        let truth = f64::from(result);
        self.results[place(result)] += 1;
        self.crps += forecast.crps(truth);
        self.above += mean - truth;
        let pit = pit(forecast, result);
        for (covered, level) in self.covered.iter_mut().zip(LEVELS) {
            *covered += pit.covered(level);
        }
    }

    /// Returns their number.
    pub fn count(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Returns the mean score (CRPS) of the belief that each result comes as often as it does at this ply: the squares of the
    /// differences of the distribution functions, from −1 to 0 and from 0 to 1. `None` without any.
    pub fn climate(&self) -> Option<f64> {
        let all = self.count();
        let [lost, _, won] = self.results.map(|n| n as f64 / all as f64);
        (all > 0).then_some(lost * (1.0 - lost) + won * (1.0 - won))
    }

    fn add(&mut self, other: &Beliefs) {
        for (own, others) in self.results.iter_mut().zip(other.results) {
            *own += others;
        }
        self.crps += other.crps;
        for (own, others) in self.covered.iter_mut().zip(other.covered) {
            *own += others;
        }
        self.above += other.above;
    }
}

/// Returns where a result falls in a belief, if it stands for all expected scores nearest to it.
fn pit(forecast: &Forecast, result: i32) -> Pit {
    let (below, above) = (forecast.pit(-0.5).low, forecast.pit(0.5).high);
    let (low, high) = match result {
        ..=-1 => (0.0, below),
        0 => (below, above),
        _ => (above, 1.0),
    };
    Pit { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_to_proof_have_a_mean_and_a_median() {
        let of = |counts: &[(u64, u64)]| Tally {
            to_proof: counts.iter().copied().collect(),
            ..Tally::default()
        };
        assert_eq!(of(&[]).nodes_to_proof(), None);
        assert_eq!(of(&[(7, 1)]).nodes_to_proof(), Some((7.0, 7.0)));
        // 1, 1, 4, 10 and then with another 10.
        assert_eq!(
            of(&[(1, 2), (4, 1), (10, 1)]).nodes_to_proof(),
            Some((4.0, 2.5))
        );
        assert_eq!(
            of(&[(1, 2), (4, 1), (10, 2)]).nodes_to_proof(),
            Some((5.2, 4.0))
        );
    }

    /// Half of the mass on a win and half on a draw: each of them is half of the transform, and a loss is outside.
    #[test]
    fn results_stand_for_the_scores_nearest_to_them() {
        let grid = belief::Grid::uniform();
        let forecast = Forecast::empirical(vec![0.0, 0.9], &grid);
        let mut beliefs = Beliefs::default();
        for result in [0, 1] {
            beliefs.enter(&forecast, 0.45, result);
        }
        assert_eq!(beliefs.results, [0, 1, 1]);
        for (covered, level) in beliefs.covered.iter().zip(LEVELS) {
            assert!((covered / 2.0 - level).abs() < 1e-9, "{level}: {covered}");
        }
        assert!((beliefs.above + 0.1).abs() < 1e-9);
        let mut lost = Beliefs::default();
        lost.enter(&forecast, 0.45, -1);
        assert_eq!(lost.covered, [0.0; 3]);
        // Losses a quarter, draws a half, wins a quarter.
        let even = Beliefs {
            results: [1, 2, 1],
            ..Beliefs::default()
        };
        assert_eq!((even.climate(), lost.climate()), (Some(0.375), Some(0.0)));
        assert_eq!(Beliefs::default().climate(), None);
    }

    #[test]
    fn the_first_false_proof_is_one_of_a_result() {
        let proof = |number, is_of_result| FalseProof {
            number,
            position: String::new(),
            line: Vec::new(),
            lower: Score::DRAW,
            upper: Score::DRAW,
            truth: Score::WIN,
            is_of_result,
        };
        let mut tally = Tally::default();
        for (number, is_of_result, first) in [
            (5, false, 5),
            (9, true, 9),
            (3, false, 9),
            (7, true, 7),
            (8, true, 7),
        ] {
            tally.meet(proof(number, is_of_result));
            assert_eq!(tally.first.as_ref().map(|p| p.number), Some(first));
        }
    }
}
