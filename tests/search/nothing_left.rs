//! A search ends when no visit can change anything, and a limit of nodes bounds its visits, too.

use algorithms::{ALGORITHMS, Algorithm};
use common::legs::Stage;
use common::{Run, chess, nodes, run_toy_with, toy_tree};
use eval::HandCrafted;
use game::Game;
use search::{Limits, Range, Record, Start, StopReason};
use tree::{Family, Tree};

/// Exact, uncertain and mixed trees, a chain, single moves, and equal leaves.
const TREES: [&str; 10] = [
    "max\na 1\nb 2\n",
    "max\na 1 ± 1\nb 2 ± 1\n",
    "max\na 1\nb 0.8 ± 1\n",
    "min\na 1 ± 1\n",
    "max\na 3\n",
    "max\na\n  b\n    c\n      d\n        e\n          f 1 ± 2\n",
    "max\na\n  b 1\n  c 2\nd\n  e 0 ± 1\n  f 3\n",
    "min\na\n  b 0 ± 1\n  c 0 ± 1\nd\n  e 0 ± 1\n  f 0 ± 1\n",
    "max\na\n  a1 1 ± 1\n  a2 -5 ± 1\nb 4 ± 0.1\nc 4\n",
    "max\nC\n  A\n    a1 1.2 ± 1\n    a2 -5 ± 1\n  c2 4 ± 1\nD\n  B\n    b1 1.1 ± 1\n    b2 1 ± 1\n  d2 1.3 ± 1\n",
];

fn best_first() -> impl Iterator<Item = Algorithm> {
    let all = ALGORITHMS.iter().map(|row| row.algorithm);
    all.filter(|a| a.info().family == Family::BestFirst)
}

fn ended_by_itself(run: &Run) -> bool {
    let reasons = [
        StopReason::Solved,
        StopReason::Exhausted,
        StopReason::Settled,
    ];
    run.reason.is_some_and(|r| reasons.contains(&r))
}

/// The descents that find nothing new at the end: none but for the means of mcts, which first have to converge.
#[test]
fn a_toy_tree_is_soon_searched() {
    for (i, text) in TREES.iter().enumerate() {
        for algorithm in best_first() {
            let (run, _) = run_toy_with(algorithm, &toy_tree(text), &[]);
            assert!(ended_by_itself(&run), "{algorithm} {i}: {:?}", run.reason);
            let most = match algorithm {
                Algorithm::Mcts | Algorithm::Formula => 5_000,
                _ => 4 * run.totals.nodes + 4,
            };
            println!(
                "{algorithm} {i}: {} playouts, {} events, {:?}",
                run.totals.playouts,
                run.events.len(),
                run.reason
            );
            let playouts = run.totals.playouts;
            assert!(playouts <= most, "{algorithm} {i}: {playouts}");
            assert!(run.events.len() as u64 <= 30 * most, "{algorithm} {i}");
        }
    }
}

#[test]
fn distress_ends_with_each_allocation_and_back_up() {
    let options = Algorithm::Distress.info().options;
    let allocation = options.iter().find(|spec| spec.key == "allocation");
    let Some(Range::Formula(range)) = allocation.map(|spec| spec.range) else {
        panic!("the allocations");
    };
    let words = range
        .words
        .split([',', ' '])
        .filter(|word| (range.is_word)(word));
    let formulas = ["Q + sd/(1 + n)", "-policy*urgency"];
    let allocations: Vec<&str> = words.chain(formulas).collect();
    assert_eq!(allocations.len(), 10);
    for text in TREES {
        for allocation in &allocations {
            for back_up in ["gumbel:2", "r-pick", "svfc:.5"] {
                let pairs = [
                    &*format!("allocation={allocation}"),
                    &*format!("backup={back_up}"),
                    "svfc-played=normal",
                ];
                let (run, _) = run_toy_with(Algorithm::Distress, &toy_tree(text), &pairs);
                assert!(ended_by_itself(&run), "{pairs:?} {text}: {:?}", run.reason);
                let playouts = run.totals.playouts;
                assert!(playouts <= run.totals.nodes + 2, "{pairs:?} {text}");
            }
        }
    }
}

/// Few moves are left, or the depth is bounded.
#[test]
fn chess_positions_with_little_to_search_end() {
    // Mate in one with a rook; stalemate in one; two plies of a rook ending.
    for (fen, depth) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 3),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 9),
        ("k7/8/K7/8/8/8/8/1R6 w - - 0 1", 2),
        ("8/8/8/8/8/1k6/1p6/K7 w - - 0 1", 4),
    ] {
        for algorithm in best_first() {
            let limits = Limits {
                depth: Some(depth),
                nodes: Some(200_000),
                ..Limits::default()
            };
            let run = common::run(
                algorithm,
                &chess(fen),
                &HandCrafted::default(),
                &algorithm.default_options(),
                limits,
                256 << 20,
            );
            println!(
                "{algorithm} {fen}: {} nodes, {} playouts, {:?}",
                run.totals.nodes, run.totals.playouts, run.reason
            );
            let own = ended_by_itself(&run) || run.reason == Some(StopReason::Depth);
            assert!(own, "{algorithm} {fen}: {:?}", run.reason);
        }
    }
}

/// An earlier run ended at a smaller depth: what it left out is searched by the next one.
#[test]
fn a_greater_depth_opens_what_a_smaller_one_left() {
    let (situation, evaluator) = (
        chess("8/8/8/8/8/1k6/1p6/K7 w - - 0 1"),
        HandCrafted::default(),
    );
    let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
    stage.options.set("leaf", "static").expect("a word");
    let within = |start, depth| {
        let limits = Limits {
            depth: Some(depth),
            nodes: Some(50_000),
            ..Limits::default()
        };
        stage.probed(start, limits, &mut Record::default())
    };
    let first = within(Start::default(), 1);
    assert_eq!(first.reason, Some(StopReason::Exhausted));
    let before = stage.tree.node(Tree::ROOT).nodes();
    let second = within(first.next, 3);
    assert!(second.totals.nodes > 0, "{:?}", second.reason);
    assert!(stage.tree.node(Tree::ROOT).nodes() > before);
}

/// Perpetual checks, shuffles and endings near the fifty-move limit: descents that end in repetitions count no node.
#[test]
fn visits_are_bounded_where_they_find_nothing_new() {
    let perpetual = "1q3rk1/6R1/5p2/3n1P1Q/3ppP1P/8/6PK/2R5 b - - 0 42";
    let line = ["g8g7", "h5g6", "g7h8", "g6h6", "h8g8", "h6g6", "g8h8"];
    let mut situation = chess(perpetual);
    let mut positions = vec![situation.clone()];
    for uci in line {
        let mut moves = situation.position.legal_moves().into_iter();
        let m = moves.find(|m| situation.position.uci(*m) == uci);
        situation.play(m.expect("legal"));
        positions.push(situation.clone());
    }
    for fen in [
        "k1b5/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/8/K1B5 w - - 0 1",
        "6k1/5ppp/8/8/8/8/q4PPP/1Q4K1 w - - 96 80",
        "6k1/8/8/8/8/8/1q6/4Q1K1 w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w - - 94 90",
    ] {
        positions.push(chess(fen));
    }
    for (i, situation) in positions.iter().enumerate() {
        for algorithm in best_first() {
            let run = common::run(
                algorithm,
                situation,
                &HandCrafted::default(),
                &algorithm.default_options(),
                nodes(2_000),
                256 << 20,
            );
            let playouts = run.totals.playouts;
            println!(
                "{algorithm} {i}: {} nodes, {playouts} playouts, {:?}",
                run.totals.nodes, run.reason
            );
            assert!(playouts <= 32_000, "{algorithm} {i}: {playouts}");
            assert!(run.totals.nodes <= 2_000);
        }
    }
}
