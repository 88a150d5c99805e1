//! The cost of moving the root of a large tree when a game continues by one or two moves.
//!
//! `cargo bench --bench reuse`; `REUSE_NODES=1000000` uses smaller trees than ten million nodes.

use std::time::Instant;

use ::algorithms::Algorithm;

use eval::HandCrafted;
use game::load::fen;
use game::{ChessPosition, MoveCode, Scale, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Free, Job, Limits, Start};
use tree::{Fate, NodeId, Tree};

/// A middlegame, and an endgame with many transpositions.
const POSITIONS: [(&str, &str); 2] = [
    (
        "middlegame",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("rook endgame", "8/5pk1/6p1/8/R7/6P1/r4PK1/8 w - - 0 1"),
];

fn main() {
    let set = std::env::var("REUSE_NODES").ok();
    let nodes: u32 = set.and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    for (name, fen) in POSITIONS {
        let start = Situation::new(fen::parse(fen).expect("a FEN").position);
        let budget = u64::from(nodes) * 64;
        let tree = Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, budget, u16::MAX));
        grow(&tree, &start);
        let two_folds = tree.ids().filter(|&id| is_two_fold(&tree, id)).count();
        println!("{name}: {} nodes, {two_folds} two-fold draws", tree.len());
        let mut here = start;
        for plies in [1, 2, 1, 2] {
            let moves = best_line(&tree, plies);
            assert!(moves.iter().all(|&m| here.follow(m)));
            let began = Instant::now();
            let reuse = job(&tree, &here, &Control::new(Limits::default(), 1), |job| {
                algorithms::move_on(Algorithm::Mcts, job, &moves)
            });
            let took = began.elapsed();
            match reuse {
                Some(reuse) => println!("  {plies} plies: {took:?}, {reuse}"),
                None => println!("  {plies} plies: nothing to keep"),
            }
        }
    }
}

fn is_two_fold(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.node(id).fate(), Fate::Repetition { times: 1, .. })
}

/// Searches until the tree is full.
fn grow(tree: &Tree, start: &Situation<ChessPosition>) {
    let control = Control::new(Limits::default(), 1);
    job(tree, start, &control, |job| {
        algorithms::run(Algorithm::Mcts, job, 0, &mut Free)
    });
}

fn best_line(tree: &Tree, plies: usize) -> Vec<MoveCode> {
    let mut moves = Vec::new();
    let mut at = Tree::ROOT;
    while moves.len() < plies
        && let Some(next) = best_first::best_child(tree, at)
    {
        moves.push(tree.node(next).move_code());
        at = next;
    }
    moves
}

fn job<T>(
    tree: &Tree,
    situation: &Situation<ChessPosition>,
    control: &Control,
    task: impl FnOnce(&Job<ChessPosition, HandCrafted>) -> T,
) -> T {
    task(&Job {
        recorded: None,
        endgames: None,
        situation,
        evaluator: &HandCrafted::default(),
        tree,
        tables: &Tables::new(0),
        options: &Algorithm::Mcts.default_options(),
        control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    })
}
