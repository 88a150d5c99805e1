//! The measurements of the bench.

use schemars::JsonSchema;
use serde::Serialize;

use crate::fnv::Fnv;
use crate::{Failure, headless};
use algorithms::Algorithm;
use game::load::fen;
use game::{MoveCode, Sided as _, Situation};
use games::Document;
use report::json::{VERSION, Version};
use search::Limits;
use session::{Config, NodeValue, Reader, Session, Subject};
use tree::{Family, NodeView, Tree};

/// Chess positions: the two that the goals for the speeds refer to, then an opening, middlegames and endgames.
const POSITIONS: [(&str, &str); 7] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        "open-game",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    ),
    (
        "quiet",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    ),
    (
        "attack",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ),
    ("rook-ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("pawn-ending", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"),
];

/// A small tree with exact and uncertain leaves.
const TOY: &str = "max
A
  a1 1.2 ± 0.5
  a2 -5
B
  b1
    x 0.4
    y 2.5 ± 1
  b2 1.1 ± 0.2
C
  c1 0.9
  c2 0.8
";

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub nodes: u64,
    pub runs: usize,
    pub two_threads: bool,
}

/// The measurements of one algorithm.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Report {
    pub version: Version,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The limit of nodes for each position.
    pub nodes_per_position: u64,
    /// The nodes of all positions together, the same in every run.
    pub nodes: u64,
    /// FNV-1a over nodes, best move and value of each position, in hexadecimal.
    pub signature: String,
    /// The results that the signature is made of.
    pub positions: Vec<PositionReport>,
    /// The speeds.
    pub speeds: Vec<Speed>,
}

/// One position.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PositionReport {
    /// Its name.
    pub name: &'static str,
    /// The nodes searched.
    pub nodes: u64,
    /// The best move in UCI notation; null without one.
    pub best: Option<String>,
    /// Expected score of the side to move; null if unknown.
    #[schemars(range(min = -1, max = 1))]
    pub expected: Option<f32>,
}

/// One speed.
#[derive(Serialize, JsonSchema, Debug)]
pub struct Speed {
    /// What was counted.
    pub what: &'static str,
    /// The name of the position.
    pub position: &'static str,
    /// The median of the runs.
    pub measured: f64,
    /// The unit of `measured`: by the clock on the wall, by the CPU time of the search's threads (which says more on a busy
    /// machine), or a plain ratio.
    pub unit: Unit,
    /// The project's goal: the least that it should be; null without one.
    pub floor: Option<f64>,
}

// Without docs of its own the schema has it as a plain list of words.
#[derive(Serialize, JsonSchema, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Unit {
    PerSecond,
    PerCpuSecond,
    Ratio,
}

/// Searches everything once for the signature, then the first two positions for the speeds.
///
/// # Errors
/// Only if a built-in position cannot be read.
pub(super) fn measure(algorithm: Algorithm, plan: &Plan) -> Result<Report, Failure> {
    let mut report = Report {
        version: VERSION,
        algorithm: algorithm.name(),
        nodes_per_position: plan.nodes,
        nodes: 0,
        signature: String::new(),
        positions: Vec::new(),
        speeds: Vec::new(),
    };
    let mut hash = Fnv::new();
    for (name, subject) in subjects()? {
        let session = headless::search(subject, config(algorithm, plan.nodes, 1))?;
        let summary = session.summary();
        let nodes = summary.status.totals.nodes;
        // The signature is of all that was searched, and so of the root as the search left it: an iteration that the limit
        // interrupted is not in the summary.
        let (reader, root) = (session.reader(), session.reader().live(Tree::ROOT));
        let last = NodeValue::of(&root, reader.scale());
        let best = root.fate.best().or_else(|| highest(&reader));
        let signed = best.and_then(|code| reader.names(Tree::ROOT, &[code]).pop());
        let signed = signed.map(|b| b.uci);
        let best = summary.best.map(|b| b.uci);
        hash.add(&nodes.to_le_bytes());
        hash.add(signed.as_deref().unwrap_or("-").as_bytes());
        hash.add(&last.expected.unwrap_or(9.0).to_bits().to_le_bytes());
        hash.add(&session.tree().node(Tree::ROOT).visits().to_le_bytes());
        report.nodes += nodes;
        report.positions.push(PositionReport {
            name,
            nodes,
            best,
            expected: summary.score.expected,
        });
    }
    report.signature = hash.to_string();
    for (name, subject) in subjects()?.into_iter().take(2) {
        speeds(algorithm, plan, name, &subject, &mut report.speeds)?;
    }
    Ok(report)
}

/// Returns the move of the root that the search left with the highest value, where the root names none.
fn highest(reader: &Reader) -> Option<MoveCode> {
    let children = reader.tree.children(Tree::ROOT);
    let searched = children.map(|id| reader.live(id).one_ply_up());
    let searched = searched.filter(|view| !view.fate.is_skip() && view.move_code.is_move());
    let key = |view: &NodeView| {
        let proven = match view.proof {
            proof if proof.is_win() => proof.lower.raw(),
            proof if proof.is_loss() => proof.upper.raw(),
            _ => 0,
        };
        Some((proven, view.expected?))
    };
    let known = searched.filter(|view| view.expected.is_some());
    let best = known.reduce(|best, next| if key(&next) > key(&best) { next } else { best })?;
    Some(best.move_code)
}

fn subjects() -> Result<Vec<(&'static str, Subject)>, Failure> {
    let mut all = Vec::new();
    for (name, text) in POSITIONS {
        let position = fen::parse(text)?.position;
        all.push((name, Subject::from(Situation::new(position))));
    }
    let toy = Document::from_bytes("bench.tree", TOY.as_bytes().to_vec())?;
    all.push(("toy", toy.entry(0)?.subject()));
    Ok(all)
}

fn config(algorithm: Algorithm, nodes: u64, threads: usize) -> Config {
    Config {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        threads,
        ..Config::new(algorithm)
    }
}

/// What one run achieved per second.
#[derive(Clone, Copy)]
struct Rates {
    nodes: f64,
    /// Nodes by the CPU time of all threads.
    nodes_by_cpu: f64,
    steps: f64,
    back_ups: f64,
}

fn rates(session: &Session) -> Rates {
    let status = session.status();
    let seconds = status.elapsed.as_secs_f64().max(1e-9);
    Rates {
        nodes: status.totals.nodes as f64 / seconds,
        nodes_by_cpu: status.totals.nodes as f64 / status.cpu.as_secs_f64().max(1e-9),
        steps: status.totals.steps as f64 / seconds,
        back_ups: status.totals.back_ups as f64 / seconds,
    }
}

/// The compared ways of running. Each round runs all of them, so that changes in the machine's load affect all alike.
#[derive(Default)]
struct Rounds {
    recorded: Vec<Rates>,
    unrecorded: Vec<Rates>,
    two: Vec<Rates>,
}

fn speeds(
    algorithm: Algorithm,
    plan: &Plan,
    position: &'static str,
    subject: &Subject,
    out: &mut Vec<Speed>,
) -> Result<(), Failure> {
    let depth_first = algorithm.info().family == Family::DepthFirst;
    let once = |config: Config| headless::search(subject.clone(), config).map(|s| rates(&s));
    let goals = &algorithm.info().goals;
    let nodes = plan.nodes * goals.length;
    let mut rounds = Rounds::default();
    for _ in 0..plan.runs {
        rounds.recorded.push(once(config(algorithm, nodes, 1))?);
        if depth_first {
            rounds.unrecorded.push(once(Config {
                record_plies: 1,
                ..config(algorithm, nodes, 1)
            })?);
        }
        if plan.two_threads {
            rounds.two.push(once(config(algorithm, nodes * 2, 2))?);
        }
    }
    let mut add = |what, measured, unit, floor| {
        out.push(Speed {
            what,
            position,
            measured,
            unit,
            floor,
        });
    };
    let one = |f: fn(&Rates) -> f64| median(&rounds.recorded, f);
    add("nodes", one(|r| r.nodes), Unit::PerSecond, goals.nodes);
    let by_cpu = one(|r| r.nodes_by_cpu);
    add("nodes", by_cpu, Unit::PerCpuSecond, None);
    if depth_first {
        let unrecorded = median(&rounds.unrecorded, |r| r.nodes_by_cpu);
        add(
            "nodes, tree not recorded",
            unrecorded,
            Unit::PerCpuSecond,
            None,
        );
        let share = unrecorded / by_cpu - 1.0;
        add("recording, share of CPU time", share, Unit::Ratio, None);
    } else {
        add("tree steps", one(|r| r.steps), Unit::PerSecond, goals.steps);
        add(
            "back-ups",
            one(|r| r.back_ups),
            Unit::PerSecond,
            goals.back_ups,
        );
    }
    if plan.two_threads {
        let ratio = median(&rounds.two, |r| r.nodes) / one(|r| r.nodes);
        add(
            "nodes, two threads over one",
            ratio,
            Unit::Ratio,
            Some(goals.two_threads),
        );
    }
    Ok(())
}

fn median(rates: &[Rates], figure: fn(&Rates) -> f64) -> f64 {
    let mut figures: Vec<f64> = rates.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_positions_can_be_read() {
        let all = subjects().expect("readable");
        assert_eq!(all.len(), 8);
    }

    #[test]
    fn one_thread_gives_the_same_signature_twice() {
        let plan = Plan {
            nodes: 600,
            runs: 1,
            two_threads: false,
        };
        for row in &algorithms::ALGORITHMS {
            let first = measure(row.algorithm, &plan).expect("readable");
            let second = measure(row.algorithm, &plan).expect("readable");
            assert_eq!(first.signature, second.signature, "{}", row.name);
        }
    }
}
