//! Measures how wide the root's belief is as a search goes on, under several back-up rules.

use serde::Serialize;

use crate::kept::Kept;
use crate::statistics::moments;
use crate::{PlanError, Position};
use belief::Density;
use search::common::table::Tables;
use search::{Choices, Limits, Start, StopReason};
use session::Config;
use session::job_inputs::{JobInputs, new_tree};
use session::jobs::{BackgroundJob, Worker};
use session::progress::point;
use tree::{NodeId, Tree};

/// What to search.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// Values of the option `backup` of DISTRESS, or the name of its relative ([`super::RELATIVE`]).
    pub rules: Vec<String>,
    /// The number of nodes of each search.
    pub nodes: u64,
    /// The number of searches at a time, each on one thread.
    pub at_a_time: usize,
    /// DISTRESS with its options; the limits are ignored.
    pub config: Config,
}

/// The curve of one search of one position.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SpreadCurve {
    /// The mean and sd of the root's belief at each of [`Searches::nodes`], from its side to move's view, as far as the
    /// search got.
    pub points: Vec<(f64, f64)>,
    /// The plies of the final tree, from the root on.
    pub plies: Vec<Ply>,
    /// The share of the final tree's nodes that lie below the root's moves: the nodes that the back-ups of more than one
    /// ply rest on.
    pub below: f64,
    /// Whether it ended with a proof, after which there is no spread any more.
    pub solved: bool,
}

/// The nodes of one ply that have a belief and are not proven. `None` if there are none.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Ply {
    /// The mean sd of expanded nodes, weighted by visits.
    pub expanded: Option<f64>,
    /// The mean sd of the others, which have a leaf's belief, all weighted alike.
    pub leaves: Option<f64>,
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Searches {
    pub rules: Vec<String>,
    /// The node counts at which the root was read.
    pub nodes: Vec<u64>,
    /// By position, then by rule.
    pub curves: Vec<Vec<Option<SpreadCurve>>>,
}

/// A mean over positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    #[serde(rename = "sd")]
    pub value: f64,
    /// The standard error; `None` for fewer than two positions.
    pub error: Option<f64>,
    pub n: usize,
}

impl Mean {
    pub fn of(figures: &[f64]) -> Option<Mean> {
        let (value, sd) = moments(figures)?;
        let n = figures.len();
        Some(Mean {
            value,
            error: sd.map(|sd| sd / (n as f64).sqrt()),
            n,
        })
    }
}

impl Searches {
    /// Returns the positions that every rule has searched and none has solved; all means are over these.
    fn whole(&self) -> impl Iterator<Item = Vec<&SpreadCurve>> {
        let all = |row: &'_ Vec<Option<SpreadCurve>>| row.iter().all(Option::is_some);
        let rows = self.curves.iter().filter(move |row| all(row));
        let rows = rows.map(|row| row.iter().flatten().collect::<Vec<&SpreadCurve>>());
        rows.filter(|row| row.iter().all(|c| !c.solved))
    }

    /// Returns the number of positions that every rule has searched, and how many of these some rule solved.
    pub fn searched(&self) -> (usize, usize) {
        let done = |row: &&Vec<Option<SpreadCurve>>| row.iter().all(Option::is_some);
        let n = self.curves.iter().filter(done).count();
        (n, n - self.whole().count())
    }

    /// Returns the mean sd of the root under a rule, by node count; `None` if no search got that far.
    pub fn by_nodes(&self, rule: usize) -> Vec<Option<Mean>> {
        let at = |i: usize| {
            let known = self
                .whole()
                .filter_map(|row| row[rule].points.get(i).map(|p| p.1));
            Mean::of(&known.collect::<Vec<f64>>())
        };
        (0..self.nodes.len()).map(at).collect()
    }

    /// Returns the mean distance by which the root's mean moves from one node count to the next. There is one entry
    /// less than there are node counts.
    pub fn moves(&self, rule: usize) -> Vec<Option<Mean>> {
        let at = |i: usize| {
            let known = self.whole().filter_map(|row| {
                let points = &row[rule].points;
                Some((points.get(i + 1)?.0 - points.get(i)?.0).abs())
            });
            Mean::of(&known.collect::<Vec<f64>>())
        };
        (0..self.nodes.len().saturating_sub(1)).map(at).collect()
    }

    /// Returns the mean share of the nodes that lie below the root's moves, under a rule; 0 before anything is searched.
    ///
    /// Below a half the experiment says little about back-ups: most of the search was one ply deep.
    pub fn below(&self, rule: usize) -> f64 {
        let shares: Vec<f64> = self.whole().map(|row| row[rule].below).collect();
        Mean::of(&shares).map_or(0.0, |mean| mean.value)
    }

    /// Returns the mean sd by ply: of expanded nodes and of leaves.
    pub fn by_ply(&self, rule: usize) -> Vec<[Option<Mean>; 2]> {
        let rows: Vec<Vec<&SpreadCurve>> = self.whole().collect();
        let deepest = rows.iter().map(|r| r[rule].plies.len()).max().unwrap_or(0);
        let mean = |ply: usize, of: fn(&Ply) -> Option<f64>| {
            let known = rows.iter().filter_map(|r| of(r[rule].plies.get(ply)?));
            Mean::of(&known.collect::<Vec<f64>>())
        };
        (0..deepest)
            .map(|ply| [mean(ply, |p| p.expanded), mean(ply, |p| p.leaves)])
            .collect()
    }
}

/// Returns the node counts at which a search is stopped to read its root: 1,000, twice as many, and so on, and finally
/// `nodes`.
pub fn stops(nodes: u64) -> Vec<u64> {
    let doubled = std::iter::successors(Some(1_000u64), |n| n.checked_mul(2));
    let mut ends: Vec<u64> = doubled.take_while(|n| *n < nodes).collect();
    ends.push(nodes);
    ends
}

/// Starts the experiment: position after position, each under all rules.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<SpreadCurve>) -> Result<BackgroundJob<Searches>, PlanError> {
    if plan.config.algorithm != super::ALGORITHM {
        return Err(PlanError::Algorithm(
            plan.config.algorithm,
            super::ALGORITHM,
        ));
    }
    if plan.positions.is_empty() {
        return Err(PlanError::NoPosition);
    }
    if plan.rules.is_empty() {
        return Err(PlanError::NoRule);
    }
    let mut configs = Vec::new();
    for rule in &plan.rules {
        configs.push(Config {
            threads: 1,
            cores: None,
            tables: None,
            bell: None,
            ..super::config_of(&plan.config, rule)?
        });
    }
    let nodes = stops(plan.nodes);
    let empty = Searches {
        rules: plan.rules.clone(),
        nodes: nodes.clone(),
        curves: vec![vec![None; plan.rules.len()]; plan.positions.len()],
    };
    let rules = configs.len();
    let job = kept.start(
        plan.at_a_time,
        (plan.positions.len() * rules, rules),
        empty,
        || (),
        move |(), number, worker| {
            let (place, rule) = (number / rules, number % rules);
            search(&plan.positions[place], &configs[rule], &nodes, worker)
        },
        move |known, number, curve| known.curves[number / rules][number % rules] = Some(curve),
    )?;
    Ok(job)
}

/// Runs one search in segments and reads the root between them. A segment that ends within an expansion abandons it, so
/// all segments together have at most one expansion per segment less than an uninterrupted search. Returns `None` if
/// stopped.
fn search(
    position: &Position,
    config: &Config,
    ends: &[u64],
    worker: &Worker,
) -> Option<SpreadCurve> {
    let tree = new_tree(&position.subject, config);
    let tables = Tables::new(config.table);
    let (choices, mut start) = (Choices::default(), Start::default());
    let mut curve = SpreadCurve {
        points: Vec::new(),
        plies: Vec::new(),
        below: 0.0,
        solved: false,
    };
    let mut spent = 0;
    for &end in ends {
        let limits = Limits {
            nodes: Some(end - spent),
            ..Limits::default()
        };
        let control = worker.control(limits)?;
        let inputs = JobInputs {
            subject: &position.subject,
            config,
            tree: &tree,
            tables: &tables,
            control: &control,
        };
        start = inputs.with_job(start, &choices, |job| job.run_unwatched());
        if worker.pool.is_stopped() {
            return None;
        }
        spent = end.min(spent + control.totals().nodes);
        let seen = point(Some(config.algorithm), &tree, 0, spent, control.cpu());
        if let (Some(mean), Some(sd)) = (seen.expected, seen.sd) {
            curve.points.push((f64::from(mean), f64::from(sd)));
        }
        curve.solved = control.stopped() == Some(StopReason::Solved);
        if control.stopped() != Some(StopReason::Nodes) {
            break;
        }
    }
    curve.plies = plies(&tree);
    curve.below = share_below_moves(&tree);
    Some(curve)
}

/// The share of the nodes searched that were spent below the root's moves, from 0 to 1.
fn share_below_moves(tree: &Tree) -> f64 {
    let replies = tree.children(Tree::ROOT).flat_map(|m| tree.children(m));
    let below: u64 = replies.map(|reply| tree.node(reply).nodes()).sum();
    below as f64 / tree.node(Tree::ROOT).nodes().max(1) as f64
}

/// The sums over the nodes of one ply.
#[derive(Clone, Copy, Default)]
struct Sums {
    visits: f64,
    expanded: f64,
    leaves: f64,
    leaf_sds: f64,
}

fn plies(tree: &Tree) -> Vec<Ply> {
    let mut sums: Vec<Sums> = Vec::new();
    let mut open: Vec<(NodeId, usize)> = vec![(Tree::ROOT, 0)];
    while let Some((id, ply)) = open.pop() {
        let node = tree.node(id);
        let belief = tree.belief(id).map(|b| b.density());
        let open_yet = |d: &Density| !node.proof().is_exact() && d.is_atom().is_none();
        if let Some(density) = belief.filter(open_yet) {
            if sums.len() <= ply {
                sums.resize(ply + 1, Sums::default());
            }
            let sd = f64::from(density.sd(tree.grid()));
            let at = &mut sums[ply];
            if node.is_expanded() {
                let visits = f64::from(node.visits());
                at.visits += visits;
                at.expanded += visits * sd;
            } else {
                at.leaves += 1.0;
                at.leaf_sds += sd;
            }
        }
        open.extend(tree.children(id).map(|child| (child, ply + 1)));
    }
    let share = |sum: f64, n: f64| (n > 0.0).then(|| sum / n);
    let ply = |s: &Sums| Ply {
        expanded: share(s.expanded, s.visits),
        leaves: share(s.leaf_sds, s.leaves),
    };
    sums.iter().map(ply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;
    use game::{ChessPosition, Situation};
    use session::Subject;

    fn position(fen: Option<&str>) -> Position {
        let chess = fen.map_or_else(ChessPosition::default, |f| {
            game::load::fen::parse(f).expect("a FEN").position
        });
        let subject = Subject::from(Situation::new(chess));
        Position::new(String::from("x"), subject).expect("legal moves")
    }

    fn plan(rules: &[&str], nodes: u64) -> Plan {
        // The second position is a mate in one: it is solved, and therefore left out.
        let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        Plan {
            positions: vec![position(None), position(Some(mate))],
            rules: rules.iter().map(|r| (*r).to_owned()).collect(),
            nodes,
            at_a_time: 2,
            config: Config {
                memory: 64 << 20,
                ..Config::new(Algorithm::Distress)
            },
        }
    }

    #[test]
    fn the_root_is_looked_at_between_segments() {
        assert_eq!(stops(500), [500]);
        assert_eq!(stops(4_000), [1_000, 2_000, 4_000]);
        assert_eq!(stops(5_000), [1_000, 2_000, 4_000, 5_000]);
        let mut run = start(plan(&["r-pick", "r-opt"], 3_000), Kept::default()).expect("a plan");
        run.join();
        let found = run.findings();
        assert_eq!(found.searched(), (2, 1));
        let last = |rule: usize| found.by_nodes(rule)[2].expect("searched");
        // r_opt is narrower: it is a maximum, the other a mixture.
        assert!(last(1).value < last(0).value && last(1).value > 0.0);
        assert_eq!((last(0).n, last(0).error), (1, None));
        assert!(found.below(0) > 0.0 && found.below(0) < 1.0);
        assert_eq!(found.moves(0).len(), 2);
        let plies = found.by_ply(0);
        // The root is its own ply and has no leaves.
        assert_eq!(plies[0][0], found.by_nodes(0)[2]);
        assert!(plies[0][1].is_none() && plies.iter().any(|p| p[1].is_some()));
        let mut again = start(plan(&["r-pick", "r-opt"], 3_000), Kept::default()).expect("a plan");
        again.join();
        assert_eq!(again.findings(), found);
    }

    #[test]
    fn the_relative_is_measured_beside_the_rules() {
        let mut run = start(plan(&["r-opt", "bpip"], 2_000), Kept::default()).expect("a plan");
        run.join();
        let found = run.findings();
        assert_eq!(found.searched(), (2, 1));
        let sds = [0, 1].map(|rule| found.by_nodes(rule)[1].expect("searched").value);
        assert!(sds[0] > 0.0 && sds[1] > 0.0 && sds[0] != sds[1], "{sds:?}");
        assert_eq!(super::super::MEASURED[..8], super::super::TELLING);
    }

    #[test]
    fn what_can_not_be_searched_is_refused() {
        let refused = |plan: Plan| {
            start(plan, Kept::default())
                .expect_err("refused")
                .to_string()
        };
        let wrong = refused(plan(&["best"], 1_000));
        assert!(
            wrong.contains("best") && wrong.contains("expected"),
            "{wrong}"
        );
        assert!(refused(plan(&[], 1_000)).contains("no back-up rule"));
        let mut none = plan(&["r-opt"], 1_000);
        none.positions.clear();
        assert!(refused(none).contains("no chess position"));
    }
}
