//! Code shared by the tests: toy trees made in code, and runs that record every event.

pub mod claims;
pub mod clocked;
pub mod conversion;
pub mod data;
pub mod endgame;
pub mod faults;
pub mod job;
pub mod legs;
pub mod made;
pub mod minors;
pub mod outcome;

pub use data::{data, positions};
pub use job::Named;

use std::sync::Arc;

use algorithms::Algorithm;
use belief::Detail;
use best_first::distress;
use eval::{Evaluated, HandCrafted, ToyEvaluator};
use game::toy::{ToyNode, ToyTree};
use game::{ChessPosition, Game, Scale, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::common::table::Tables;
use search::{
    Choices, Control, Event, Job, Limits, Options, Probe, Record, Reuse, Start, StopReason, Totals,
};
use session::debug::News;
use session::{Config, GrownBy, Next, Reader, Session, State, Subject};
use shakmaty::{CastlingMode, fen::Fen};
use tree::{NodeId, Tree};

/// Returns how a DISTRESS node's belief was backed up.
pub fn backed_up(reader: &Reader, id: NodeId) -> Option<Detail> {
    let GrownBy::Own(Algorithm::Distress, options) = reader.searcher else {
        return None;
    };
    distress::backed_up(reader.tree, options, id)
}

/// A tree as nested lists of integers.
#[derive(Clone, Debug)]
pub enum Shape {
    Leaf(i32),
    Node(Vec<Shape>),
}

impl Shape {
    /// Returns the plain minimax value, White's view.
    pub fn minimax(&self, max: bool) -> i32 {
        match self {
            Shape::Leaf(v) => *v,
            Shape::Node(children) => {
                let values = children.iter().map(|c| c.minimax(!max));
                if max { values.max() } else { values.min() }.expect("a child")
            }
        }
    }

    pub fn leaves(&self) -> usize {
        match self {
            Shape::Leaf(_) => 1,
            Shape::Node(children) => children.iter().map(Shape::leaves).sum(),
        }
    }

    /// Parses `[[3,12,8],[2,4,6]]`.
    pub fn parse(text: &str) -> Shape {
        fn value(v: &serde_json::Value) -> Shape {
            match v {
                serde_json::Value::Array(a) => Shape::Node(a.iter().map(value).collect()),
                v => Shape::Leaf(v.as_i64().expect("a whole number") as i32),
            }
        }
        value(&serde_json::from_str(text).expect("nested lists"))
    }
}

/// Random trees up to the given depth, with up to four children per node.
pub fn any_shape(depth: u32) -> impl Strategy<Value = Shape> {
    let leaf = (-60i32..60).prop_map(Shape::Leaf);
    leaf.prop_recursive(depth, 200, 4, |inner| {
        prop::collection::vec(inner, 1..5).prop_map(Shape::Node)
    })
    .prop_filter("a tree, not a leaf", |s| matches!(s, Shape::Node(_)))
}

/// A toy tree of whole numbers within ±62; its leaves have this spread.
pub fn toy(shape: &Shape, root_side: Side, spread: f32) -> Situation<ToyPosition> {
    fn add(
        nodes: &mut Vec<ToyNode>,
        shape: &Shape,
        parent: Option<u32>,
        name: String,
        spread: f32,
    ) -> (u32, u16) {
        let id = nodes.len() as u32;
        let value = match shape {
            Shape::Leaf(v) => Some(*v as f32),
            Shape::Node(_) => None,
        };
        let spread_here = if value.is_some() { spread } else { 0.0 };
        nodes.push(ToyNode {
            name: name.clone(),
            value,
            spread: spread_here,
            children: vec![],
            parent,
        });
        let mut height = 0;
        if let Shape::Node(children) = shape {
            for (i, child) in children.iter().enumerate() {
                let (c, h) = add(
                    nodes,
                    child,
                    Some(id),
                    format!("{name}{}", (b'a' + i as u8) as char),
                    spread,
                );
                nodes[id as usize].children.push(c);
                height = height.max(h + 1);
            }
        }
        (id, height)
    }
    let mut nodes = Vec::new();
    let (_, height) = add(&mut nodes, shape, None, String::from("r"), spread);
    let values: Vec<f32> = nodes.iter().filter_map(|n| n.value).collect();
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / values.len() as f32;
    let tree = ToyTree {
        nodes,
        root_side,
        scale: Scale::linear(1.0, 63.0),
        height,
        leaf_mean: mean,
        leaf_sd: variance.sqrt(),
    };
    Situation::new(ToyPosition::root(Arc::new(tree)))
}

/// A chess position from FEN.
pub fn chess(fen: &str) -> Situation<ChessPosition> {
    let fen: Fen = fen.parse().expect("a FEN");
    let chess = fen
        .into_position(CastlingMode::Chess960)
        .expect("a legal position");
    Situation::new(ChessPosition::new(chess, CastlingMode::Standard))
}

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A finished single-threaded run.
pub struct Run {
    pub tree: Tree,
    pub events: Vec<Event>,
    pub totals: Totals,
    pub reason: Option<StopReason>,
}

/// A limit of nodes alone.
pub fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// A limit of depth alone.
pub fn depth(depth: u16) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// A limit of descents alone.
pub fn playouts(playouts: u64) -> Limits {
    Limits {
        playouts: Some(playouts),
        ..Limits::default()
    }
}

pub fn run<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    situation: &Situation<G>,
    evaluator: &E,
    options: &Options,
    limits: Limits,
    budget: u64,
) -> Run {
    let tree = Tree::new(algorithm.tree_spec(situation.position.scale(), budget, u16::MAX));
    let mut probe = Record::default();
    let (totals, reason) = run_probed(
        algorithm, situation, evaluator, options, limits, &tree, &mut probe,
    );
    Run {
        tree,
        events: probe.0,
        totals,
        reason,
    }
}

/// A single-threaded run over a new tree, watched by any probe.
pub fn run_probed<G: Evaluated, E: Named<G>, P: Probe>(
    algorithm: Algorithm,
    situation: &Situation<G>,
    evaluator: &E,
    options: &Options,
    limits: Limits,
    tree: &Tree,
    probe: &mut P,
) -> (Totals, Option<StopReason>) {
    let control = Control::new(limits, 1);
    let tables = Tables::new(4 << 20);
    let job = Job {
        recorded: None,
        situation,
        evaluator,
        tree,
        tables: &tables,
        endgames: None,
        options,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    job::run(algorithm, &job, 0, probe);
    (control.totals(), control.stopped())
}

pub fn run_chess(algorithm: Algorithm, fen: &str, nodes: u64) -> Run {
    let options = algorithm.default_options();
    let limits = self::nodes(nodes);
    run(
        algorithm,
        &chess(fen),
        &HandCrafted::default(),
        &options,
        limits,
        256 << 20,
    )
}

pub fn run_toy(algorithm: Algorithm, situation: &Situation<ToyPosition>, nodes: u64) -> Run {
    let limits = self::nodes(nodes);
    run(
        algorithm,
        situation,
        &ToyEvaluator,
        &algorithm.default_options(),
        limits,
        64 << 20,
    )
}

/// The names of the expanded nodes, in order: the tree's path in letters for a shape's tree.
pub fn expansions(run: &Run, situation: &Situation<ToyPosition>) -> Vec<String> {
    let name = |id| {
        let mut position = situation.position.clone();
        for code in run.tree.moves_to(id) {
            let m = position.decode(code).expect("a move of the tree");
            position.play(m);
        }
        position.node().name.clone()
    };
    let expanded = run.events.iter().filter_map(|event| match event {
        Event::Expand { node, .. } => Some(name(*node)),
        _ => None,
    });
    expanded.collect()
}

/// The same tree as the other side sees it.
pub fn negated(shape: &Shape) -> Shape {
    match shape {
        Shape::Leaf(v) => Shape::Leaf(-v),
        Shape::Node(children) => Shape::Node(children.iter().map(negated).collect()),
    }
}

/// A finished run on a toy tree with some options (`key=value`).
pub fn run_toy_with(
    algorithm: Algorithm,
    situation: &Situation<ToyPosition>,
    pairs: &[&str],
) -> (Run, Options) {
    let mut options = algorithm.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option of the algorithm");
    }
    let limits = nodes(100_000);
    let evaluator = ToyEvaluator;
    let run = run(algorithm, situation, &evaluator, &options, limits, 64 << 20);
    (run, options)
}

/// The toy tree of a file's text.
pub fn toy_tree(text: &str) -> Situation<ToyPosition> {
    let tree = game::load::toy_tree::parse(text).expect("a tree").tree;
    Situation::new(ToyPosition::root(Arc::new(tree)))
}

/// A sample of the program's own.
pub fn sample_tree(name: &str) -> Situation<ToyPosition> {
    let path = format!(
        "{}/../../sample-positions/{name}.tree",
        env!("CARGO_MANIFEST_DIR")
    );
    toy_tree(&std::fs::read_to_string(path).expect("a sample"))
}

/// A tree whose inner values mislead: B is best, with 5, and A looks better at first.
pub const HINTED: &str = "max
A 6 ± 2
  P 7 ± 2
    p1 4
    p2 3
  Q 6 ± 2
    q1 5
    q2 6
B 5 ± 1
  R 5 ± 1
    r1 5
    r2 4
  S 6 ± 1
    s1 7
    s2 2
C 2 ± 1
  t1 2
  t2 9
";

/// Checks that enter and leave events are paired and nested; an interrupted run may leave some open at the end.
pub fn check_nesting(run: &Run) {
    let mut open = Vec::new();
    for event in &run.events {
        match event {
            Event::Enter { node, .. } => open.push(*node),
            Event::Leave { node, .. } => {
                assert_eq!(open.pop(), Some(*node), "left what was not entered last")
            }
            _ => {}
        }
    }
    let finished = matches!(run.reason, Some(StopReason::Depth | StopReason::Solved));
    assert!(
        open.is_empty() || !finished,
        "{} nodes never left",
        open.len()
    );
}

/// Returns the endgame tables of the test data, or prints a message and returns nothing if they are not there.
pub fn endgames() -> Option<game::EndgameTables> {
    let path = data("syzygy/regular")?;
    let (tables, passed_over) = game::EndgameTables::open(&path).expect("tables");
    assert!(passed_over.is_empty(), "{passed_over:?}");
    Some(tables)
}

/// Waits until a session is no longer on its way to an event, and returns the news.
pub fn settle(session: &mut Session) -> Vec<News> {
    let mut news = session.tend();
    while session.is_stepping() {
        std::thread::sleep(std::time::Duration::from_micros(50));
        news.extend(session.tend());
    }
    news.extend(session.tend());
    news
}

/// Waits until a search has ended, and for its threads.
pub fn finish(session: &mut Session) {
    until("the end of the search", || {
        matches!(session.status().state, State::Finished(_))
    });
    session.join();
}

/// Plays the best move of a search once it has ended, and searches on; what was kept of its tree.
pub fn play_on(
    mut old: Session,
    situation: &mut Situation<ChessPosition>,
    config: Config,
    steps_back: bool,
) -> (Session, Option<Reuse>) {
    finish(&mut old);
    let best = old.best_to_play().expect("a move");
    assert!(situation.follow(best));
    let next = Next {
        steps_back,
        ..Next::default()
    };
    Session::start_after(old, Subject::from(situation.clone()), config, next)
}

/// Waits for something of unknown duration; a minute counts as a failure.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !done() {
        assert!(
            start.elapsed() < std::time::Duration::from_secs(60),
            "{what} did not happen"
        );
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
