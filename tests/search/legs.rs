//! A search in several runs over one tree: stopped anywhere and continued, with one thread or two.

use algorithms::Algorithm;
use common::legs::{ALGORITHMS, Leg, Stage, check_best_first, snapshot};
use common::{KIWIPETE, Named, any_shape, chess, toy};
use eval::{Evaluated, HandCrafted, ToyEvaluator};
use game::{MoveCode, Side};
use proptest::prelude::*;
use search::{AfterEvent, Event, EventKind, Options, Probe, Record, Start, StopReason};
use tree::{Family, Tree};

/// Node counts that stop a search in all kinds of places: within quiescence, an expansion, a descent.
const STOPS: [u64; 8] = [1, 37, 3, 1_021, 257, 40, 5_003, 2_111];

fn check<G: Evaluated, E: Named<G>>(stage: &Stage<G, E>, leg: &Leg, nodes: u64) {
    let root = stage.tree.node(Tree::ROOT);
    if stage.algorithm.info().family == Family::BestFirst {
        assert_eq!(root.nodes(), nodes, "{}", stage.algorithm);
        check_best_first(&stage.tree, stage.algorithm);
        // Before the root has a best move, a search may name one all the same: it was to be the first.
        if let Some(best) = root.fate().best() {
            assert_eq!(leg.next.best, best);
        } else {
            assert!(root.first_child().is_none() || leg.next.best == MoveCode::NONE);
        }
    }
}

#[test]
fn a_tree_is_whole_wherever_a_run_was_stopped() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let (mut start, mut nodes) = (Start::default(), 0);
        for stop in STOPS {
            let (leg, events) = stage.leg(start, stop);
            assert_eq!(leg.reason, Some(StopReason::Nodes));
            assert!(leg.totals.nodes >= stop);
            nodes += leg.totals.nodes;
            check(&stage, &leg, nodes);
            let first = events.first().map(Event::kind);
            assert_eq!(first, Some(EventKind::Iteration), "{algorithm}");
            start = leg.next;
        }
        assert!(start.best != MoveCode::NONE, "{algorithm}");
    }
}

#[test]
fn two_threads_leave_a_whole_tree_too() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let mut start = Start::default();
        let mut playouts = 0;
        for round in 0..40 {
            let leg = stage.threads(start, 97 * (round % 7) + 50, 1 + (round % 3) as usize);
            check_best_first(&stage.tree, algorithm);
            playouts += leg.totals.playouts;
            start = leg.next;
        }
        if algorithm == Algorithm::Mcts {
            assert_eq!(u64::from(stage.tree.node(Tree::ROOT).visits()), playouts);
        }
    }
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let first = stage.threads(Start::default(), 60_000, 2);
        let second = stage.threads(first.next, 60_000, 2);
        assert!(first.next.depth > 0 && second.next.depth >= first.next.depth);
    }
}

#[test]
fn the_same_legs_give_the_same_events_and_the_same_tree() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in ALGORITHMS {
        let run = || {
            let stage = Stage::new(algorithm, &situation, &evaluator);
            let mut all = Vec::new();
            let mut start = Start::default();
            for stop in STOPS {
                let (leg, events) = stage.leg(start, stop);
                all.extend(events);
                start = leg.next;
            }
            (all, start, snapshot(&stage.tree))
        };
        let (a, b) = (run(), run());
        assert!(a.0 == b.0, "{algorithm}: events differ");
        assert_eq!(a.1, b.1);
        assert!(a.2 == b.2, "{algorithm}: trees differ");
    }
}

#[test]
fn a_depth_first_run_begins_with_the_next_iteration() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for algorithm in [Algorithm::AlphaBeta, Algorithm::ProbAlphaBeta] {
        let stage = Stage::new(algorithm, &situation, &evaluator);
        let limits = common::depth(3);
        let leg = stage.probed(Start::default(), limits, &mut Record::default());
        assert_eq!((leg.reason, leg.next.depth), (Some(StopReason::Depth), 3));
        let root_best = stage.tree.node(Tree::ROOT).fate().best();
        assert_eq!(Some(leg.next.best), root_best);
        // Nothing is left to do at this depth.
        let again = stage.probed(leg.next, limits, &mut Record::default());
        assert_eq!((again.totals.nodes, again.next), (0, leg.next));
        assert_eq!(again.reason, Some(StopReason::Depth));
        // The interrupted iteration starts again, with the move that was best.
        let (cut, _) = stage.leg(leg.next, 50);
        assert_eq!(cut.next.depth, 3);
        let (_, events) = stage.leg(cut.next, 4_000);
        assert!(matches!(events[0], Event::Iteration { depth: 4 }));
        let first = events.iter().find_map(|e| match *e {
            Event::Enter { node, .. } if node != Tree::ROOT => Some(node),
            _ => None,
        });
        let first = stage.tree.node(first.expect("a child")).move_code();
        assert_eq!(first, cut.next.best, "{algorithm}");
    }
}

/// Stops the search at the `left`-th clean point.
struct StopAt<'a> {
    record: Record,
    left: u32,
    start: Option<Start>,
    control: &'a search::Control,
}

impl Probe for StopAt<'_> {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        self.record.event(event)
    }

    fn clean_point(&mut self, start: Start) {
        self.left -= 1;
        if self.left == 0 {
            self.start = Some(start);
            self.control.stop(StopReason::User);
        }
    }
}

/// A run that starts at a clean point reports what the other one would have reported.
#[test]
fn a_run_from_a_clean_point_goes_on_event_for_event() {
    for algorithm in [Algorithm::Mcts, Algorithm::Distress] {
        let mut options = algorithm.default_options();
        if algorithm == Algorithm::Distress {
            options.set("leaf", "quiescence").expect("a word");
            options.set("eval", "hand").expect("a word");
        }
        check_clean_points(algorithm, &options, 20_000, &[1, 2, 9]);
    }
}

/// Includes the searches at leaves, which know only the table besides the tree.
#[test]
fn a_run_with_searched_leaves_goes_on_event_for_event() {
    let algorithm = Algorithm::Distress;
    let options = algorithm.default_options();
    // Between two clean points lie 1,024 descents.
    check_clean_points(algorithm, &options, 150_000, &[1, 3]);
}

fn check_clean_points(algorithm: Algorithm, options: &Options, nodes: u64, lefts: &[u32]) {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    let stage = || Stage {
        options: options.clone(),
        ..Stage::new(algorithm, &situation, &evaluator)
    };
    let whole = stage();
    let (_, all) = whole.leg(Start::default(), nodes);
    for &left in lefts {
        let stage = stage();
        let control = search::Control::new(common::nodes(nodes), 1);
        let mut probe = StopAt {
            record: Record::default(),
            left,
            start: None,
            control: &control,
        };
        let next = stage.under(&control, Start::default(), &mut probe);
        let start = probe.start.expect("it came to the clean point");
        assert_eq!(next.best, start.best);
        let done = control.totals().nodes;
        let (_, rest) = stage.leg(start, nodes - done);
        let mut events = probe.record.0;
        assert_eq!(
            events.pop().map(|e| e.kind()),
            Some(EventKind::IterationDone)
        );
        events.extend(rest.clone());
        assert!(events == all, "{algorithm}, clean point {left}");
        assert!(
            snapshot(&stage.tree) == snapshot(&whole.tree),
            "{algorithm}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Wherever a search of a toy tree is stopped, continuing finds the minimax value.
    #[test]
    fn a_toy_tree_is_solved_in_any_number_of_legs(
        shape in any_shape(4), max in any::<bool>(), stops in prop::collection::vec(1u64..12, 0..12), two in any::<bool>()
    ) {
        let side = if max { Side::White } else { Side::Black };
        let (situation, evaluator) = (toy(&shape, side, 0.0), ToyEvaluator);
        let truth = shape.minimax(max) * if max { 1 } else { -1 };
        for algorithm in ALGORITHMS {
            let best_first = algorithm.info().family == Family::BestFirst;
            let stage = Stage::new(algorithm, &situation, &evaluator);
            let mut start = Start::default();
            for &stop in &stops {
                let leg = stage.threads(start, stop, 1 + usize::from(two));
                start = leg.next;
                if best_first {
                    check_best_first(&stage.tree, algorithm);
                }
            }
            let (leg, _) = stage.leg(start, 1_000_000);
            prop_assert_eq!(leg.reason, Some(StopReason::Solved), "{}", algorithm);
            let score = stage.tree.view(Tree::ROOT).score.expect("a value");
            let off = (i32::from(score.raw()) - truth).abs();
            prop_assert!(off <= i32::from(algorithm == Algorithm::ProbAlphaBeta), "{}: {:?}, not {}", algorithm, score, truth);
            prop_assert_eq!(Some(leg.next.best), stage.tree.node(Tree::ROOT).fate().best());
            if best_first {
                check_best_first(&stage.tree, algorithm);
            }
        }
    }
}
