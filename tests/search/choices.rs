//! Moves excluded by hand are never searched, played or counted; when they are included again, everything is as before.

use std::collections::BTreeSet;

use algorithms::Algorithm;
use common::legs::{ALGORITHMS, Stage, check_best_first, snapshot, walk};
use common::{KIWIPETE, Shape, any_shape, chess, toy};
use eval::{HandCrafted, ToyEvaluator};
use game::{ChessPosition, Game, MoveCode, Score, Side, Situation};
use proptest::prelude::*;
use search::{Choices, Event, Start, StopReason};
use tree::{Family, Fate, NodeId, Proof, Tree};

/// A node's place in a toy tree, as child indices from the root.
type Path = Vec<u16>;

/// The value without the excluded moves, White's view. If all moves of a node are excluded, none is.
fn narrow_minimax(shape: &Shape, max: bool, at: &mut Path, out: &BTreeSet<Path>) -> i32 {
    let children = match shape {
        Shape::Leaf(v) => return *v,
        Shape::Node(children) => children,
    };
    let place = |at: &Path, i: usize| [at.as_slice(), &[i as u16]].concat();
    let all = (0..children.len()).all(|i| out.contains(&place(at, i)));
    let mut best = None;
    for (i, child) in children.iter().enumerate() {
        if !all && out.contains(&place(at, i)) {
            continue;
        }
        at.push(i as u16);
        let value = narrow_minimax(child, !max, at, out);
        at.pop();
        best = best
            .into_iter()
            .chain([value])
            .reduce(|a, b| if max { a.max(b) } else { a.min(b) });
    }
    best.expect("a child")
}

fn path_of(tree: &Tree, id: NodeId) -> Path {
    tree.moves_to(id).into_iter().map(|m| m.0).collect()
}

fn out_paths(tree: &Tree, choices: &Choices) -> BTreeSet<Path> {
    let mut out = BTreeSet::new();
    for node in choices.nodes() {
        for m in choices.excluded(node) {
            let mut path = path_of(tree, node);
            path.push(m.0);
            out.insert(path);
        }
    }
    out
}

/// No event enters an excluded move, and no fate plays one.
fn check_never_made(tree: &Tree, choices: &Choices, events: &[Event]) {
    let is_out =
        |node: NodeId| choices.excludes(tree.node(node).parent(), tree.node(node).move_code());
    for event in events {
        match *event {
            Event::Enter { node, .. } => assert!(!is_out(node), "{node:?} was entered"),
            Event::BackUp { child, .. } => assert!(child.is_none() || !is_out(child)),
            Event::Best { to, .. } => assert!(!choices.excludes(Tree::ROOT, to)),
            _ => {}
        }
    }
    for node in choices.nodes() {
        if let Some(best) = tree.node(node).fate().best() {
            assert!(
                !choices.excludes(node, best),
                "{best:?} would be played at {node:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    /// The value with excluded moves is minimax without them; when they are included again, it is that of the whole
    /// tree.
    #[test]
    fn values_are_those_of_the_narrower_game(
        shape in any_shape(4), max in any::<bool>(), first in 1u64..60,
        picks in prop::collection::vec((any::<prop::sample::Index>(), 0u16..4), 1..5),
        later in prop::collection::vec((any::<prop::sample::Index>(), 0u16..4), 0..3),
    ) {
        let side = if max { Side::White } else { Side::Black };
        let (situation, evaluator) = (toy(&shape, side, 0.0), ToyEvaluator);
        for algorithm in ALGORITHMS {
            let mut stage = Stage::new(algorithm, &situation, &evaluator);
            let best_first = algorithm.info().family == Family::BestFirst;
            let (leg, _) = stage.leg(Start::default(), first);
            let mut start = leg.next;
            let mut choices = Choices::default();
            for picked in [&picks[..], &later[..], &[]] {
                if picked.is_empty() {
                    choices = Choices::default();
                }
                for (index, m) in picked {
                    let nodes = walk(&stage.tree);
                    let node = nodes[index.index(nodes.len())];
                    let exists = stage.position_at(node).legal_moves().len() > usize::from(*m);
                    if exists {
                        choices.set(node, MoveCode(*m), true);
                    }
                }
                let out = out_paths(&stage.tree, &choices);
                start = stage.choose(start, choices.clone());
                let (leg, events) = stage.leg(start, 1_000_000);
                start = leg.next;
                prop_assert_eq!(leg.reason, Some(StopReason::Solved), "{}", algorithm);
                let truth = narrow_minimax(&shape, max, &mut Path::new(), &out) * if max { 1 } else { -1 };
                let score = stage.tree.view(Tree::ROOT).score.expect("a value");
                let off = (i32::from(score.raw()) - truth).abs();
                prop_assert!(off <= i32::from(algorithm == Algorithm::ProbAlphaBeta), "{}: {:?}, not {}", algorithm, score, truth);
                if out.len() == 1 || best_first {
                    // If all moves of a node are excluded, they are searched after all.
                    let all = |n: NodeId| stage.position_at(n).legal_moves().len() == choices.excluded(n).len();
                    if !choices.nodes().any(all) {
                        check_never_made(&stage.tree, &choices, &events);
                    }
                }
                if best_first {
                    check_best_first(&stage.tree, algorithm);
                }
            }
        }
    }
}

fn code(situation: &Situation<ChessPosition>, uci: &str) -> MoveCode {
    let position = &situation.position;
    let moves = position.legal_moves();
    let m = moves.into_iter().find(|&m| position.uci(m) == uci);
    position.encode(m.expect("a legal move"))
}

fn without(moves: &[(NodeId, MoveCode)]) -> Choices {
    let mut choices = Choices::default();
    for &(node, m) in moves {
        choices.set(node, m, true);
    }
    choices
}

/// Back-rank mate: Ra8.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

#[test]
fn a_proof_goes_with_its_move_and_comes_back_with_it() {
    let (situation, evaluator) = (chess(MATE_IN_ONE), HandCrafted::default());
    let mate = code(&situation, "a1a8");
    for algorithm in ALGORITHMS {
        let mut stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 20_000);
        assert_eq!(
            (leg.reason, leg.next.best),
            (Some(StopReason::Solved), mate),
            "{algorithm}"
        );
        let root = || stage.tree.node(Tree::ROOT);
        assert_eq!(root().proof(), Proof::exact(Score::win_in(1)));

        let best_first = algorithm.info().family == Family::BestFirst;
        let before = snapshot(&stage.tree);
        let mut start = stage.choose(leg.next, without(&[(Tree::ROOT, mate)]));
        assert_ne!(start.best, mate);
        let root = stage.tree.node(Tree::ROOT);
        assert!(!root.proof().is_exact() && root.fate().best() != Some(mate));
        if best_first {
            assert!(matches!(root.fate(), Fate::Expanded { .. }), "{algorithm}");
            start = stage.choose(start, Choices::default());
            assert!(
                snapshot(&stage.tree) == before,
                "{algorithm}: not as it was"
            );
            start = stage.choose(start, without(&[(Tree::ROOT, mate)]));
        }
        let (leg, events) = stage.leg(start, 30_000);
        check_never_made(&stage.tree, &stage.choices, &events);
        assert!(
            leg.next.best != mate && leg.next.best != MoveCode::NONE,
            "{algorithm}"
        );
        assert_ne!(stage.tree.node(Tree::ROOT).proof().lower, Score::win_in(1));
        let told = events.iter().any(|e| e.fate() == Some(Fate::Excluded));
        assert!(told, "{algorithm} does not say what is out");

        let start = stage.choose(leg.next, Choices::default());
        let (leg, _) = stage.leg(start, 30_000);
        assert_eq!(
            (leg.reason, leg.next.best),
            (Some(StopReason::Solved), mate),
            "{algorithm}"
        );
        assert_eq!(
            stage.tree.node(Tree::ROOT).proof(),
            Proof::exact(Score::win_in(1))
        );
    }
}

#[test]
fn a_move_that_is_out_is_not_searched_by_any_number_of_threads() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let mut stage = Stage::new(algorithm, &situation, &evaluator);
        let (leg, _) = stage.leg(Start::default(), 20_000);
        let best = leg.next.best;
        let child = stage
            .tree
            .child_by_move(Tree::ROOT, best)
            .expect("searched");
        // The best move, and a reply to another one.
        let other = stage
            .tree
            .children(Tree::ROOT)
            .find(|&c| c != child && !stage.tree.node(c).first_child().is_none());
        let other = other.expect("a second move with replies");
        let reply = stage.tree.node(stage.tree.node(other).first_child());
        let out = without(&[(Tree::ROOT, best), (other, reply.move_code())]);
        let start = stage.choose(leg.next, out);
        let figures = |id: NodeId| (stage.tree.node(id).visits(), stage.tree.node(id).nodes());
        let before = figures(child);
        let fate = stage.tree.node(child).fate();
        let leg = stage.threads(start, 40_000, 2);
        assert_eq!(
            (figures(child), stage.tree.node(child).fate()),
            (before, fate),
            "{algorithm}"
        );
        assert_ne!(leg.next.best, best, "{algorithm}");
        let (_, events) = stage.leg(leg.next, 20_000);
        check_never_made(&stage.tree, &stage.choices, &events);
        assert_eq!(figures(child), before);
        if algorithm.info().family == Family::BestFirst {
            check_best_first(&stage.tree, algorithm);
        }
    }
}

/// A move that is excluded before its node is expanded remains unsearched, and is searched when it is included again.
#[test]
fn a_move_let_in_late_is_looked_at() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let mut stage = Stage::new(algorithm, &situation, &evaluator);
        let out = [code(&situation, "e2a6"), code(&situation, "d5e6")];
        let start = stage.choose(Start::default(), without(&out.map(|m| (Tree::ROOT, m))));
        let (leg, events) = stage.leg(start, 30_000);
        check_never_made(&stage.tree, &stage.choices, &events);
        let child = |m| {
            stage
                .tree
                .child_by_move(Tree::ROOT, m)
                .expect("a row of its own")
        };
        for m in out {
            let node = stage.tree.node(child(m));
            assert_eq!(
                (node.fate(), node.visits()),
                (Fate::Excluded, 0),
                "{algorithm}"
            );
        }
        let let_in = child(out[0]);
        let start = stage.choose(leg.next, without(&[(Tree::ROOT, out[1])]));
        assert_eq!(stage.tree.node(let_in).fate(), Fate::Unvisited);
        let (leg, events) = stage.leg(start, 60_000);
        check_never_made(&stage.tree, &stage.choices, &events);
        let node = stage.tree.node(let_in);
        assert!(node.visits() > 0, "{algorithm}");
        assert!(
            events
                .iter()
                .any(|e| matches!(e, Event::Enter { node, .. } if *node == let_in))
        );
        assert!(leg.next.best != out[1]);
        if algorithm.info().family == Family::BestFirst {
            assert!(
                !node.first_child().is_none(),
                "{algorithm}: the best move was not searched on"
            );
            check_best_first(&stage.tree, algorithm);
        }
    }
}

/// The tables of a depth-first search contain no value that depends on an exclusion.
#[test]
fn tables_stay_good() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    let limits = |depth| common::depth(depth);
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let mut stage = Stage::new(algorithm, &situation, &evaluator);
        let best = stage
            .probed(Start::default(), limits(4), &mut search::Free)
            .next
            .best;
        let mut narrow = Stage::new(algorithm, &situation, &evaluator);
        narrow.choose(Start::default(), without(&[(Tree::ROOT, best)]));
        narrow.probed(Start::default(), limits(4), &mut search::Free);
        // A fresh tree with the narrow search's tables finds the move that was excluded there.
        std::mem::swap(&mut stage.tables, &mut narrow.tables);
        stage.tree = Stage::new(algorithm, &situation, &evaluator).tree;
        let again = stage
            .probed(Start::default(), limits(4), &mut search::Free)
            .next;
        assert_eq!(again.best, best, "{algorithm}");
    }
}
