//! DISTRESS: where the next visit goes. Every allocation, both best-first and by budgets, is deterministic, solves what
//! can be solved, continues from a clean point as if uninterrupted, and follows its terms.

use algorithms::Algorithm;
use best_first::distress::{self, Reason, State};
use common::legs::{Stage, snapshot};
use common::{KIWIPETE, any_shape, chess, toy};
use eval::{HandCrafted, ToyEvaluator};
use game::{Score, Side};
use proptest::prelude::*;
use search::{AfterEvent, Control, Event, EventKind, Options, Probe, Record, Start, StopReason};
use tree::{Fate, NodeId, Proof, Tree};

const ALLOCATIONS: [&str; 6] = ["alternate", "criticality", "vpi", "puct", "ucb", "uniform"];
const DESCENTS: [&str; 2] = ["best-first", "budget"];

fn options(allocation: &str, descent: &str) -> Options {
    let mut options = Algorithm::Distress.default_options();
    options.set("allocation", allocation).expect("a word");
    options.set("descent", descent).expect("a word");
    // Cheap leaves: many expansions from few nodes.
    options.set("leaf", "static").expect("a word");
    options
}

fn every_way() -> impl Iterator<Item = (&'static str, &'static str)> {
    let descents = |a| DESCENTS.into_iter().map(move |d| (a, d));
    ALLOCATIONS.into_iter().flat_map(descents)
}

#[test]
fn each_is_deterministic_and_they_differ() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    let run = |options: &Options| {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.options = options.clone();
        let (leg, events) = stage.leg(Start::default(), 12_000);
        assert_eq!(leg.totals.nodes, 12_000);
        assert_eq!(stage.tree.node(Tree::ROOT).nodes(), 12_000);
        assert!(leg.totals.playouts > 100, "{}", leg.totals.playouts);
        (events, snapshot(&stage.tree))
    };
    let mut seen = Vec::new();
    for (allocation, descent) in every_way() {
        let options = options(allocation, descent);
        let (a, b) = (run(&options), run(&options));
        assert!(a == b, "{allocation}, {descent}");
        // Budgets are the same where the scores are nearly even.
        if descent == "best-first" || allocation == "criticality" {
            seen.push(a.1);
        }
    }
    let mut adjusted = options("puct", "best-first");
    adjusted.set("adjust", "on").expect("a switch");
    seen.push(run(&adjusted).1);
    for (i, a) in seen.iter().enumerate() {
        assert!(
            seen[i + 1..].iter().all(|b| a != b),
            "the {i}th is like another"
        );
    }
}

/// Stops the search at the `left`-th clean point.
struct StopAt<'a> {
    record: Record,
    left: u32,
    start: Option<Start>,
    control: &'a Control,
}

impl Probe for StopAt<'_> {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        self.record.event(event)
    }

    fn wants_clean_point(&self) -> bool {
        true
    }

    fn clean_point(&mut self, start: Start) {
        self.left -= 1;
        if self.left == 0 {
            self.start = Some(start);
            self.control.stop(StopReason::User);
        }
    }
}

/// The rest of a budget is not stored in the tree, so there are clean points only where nothing is left of it.
#[test]
fn a_run_from_a_clean_point_goes_on_event_for_event() {
    const NODES: u64 = 25_000;
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for (allocation, left) in [("puct", 4), ("puct", 9), ("ucb", 6), ("vpi", 7)] {
        let stage = || {
            let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
            stage.options = options(allocation, "budget");
            stage
        };
        let whole = stage();
        let (_, all) = whole.leg(Start::default(), NODES);
        let stage = stage();
        let control = Control::new(common::nodes(NODES), 1);
        let mut probe = StopAt {
            record: Record::default(),
            left,
            start: None,
            control: &control,
        };
        stage.under(&control, Start::default(), &mut probe);
        let start = probe.start.expect("it came to the clean point");
        let mut events = probe.record.0;
        assert_eq!(
            events.pop().map(|e| e.kind()),
            Some(EventKind::IterationDone)
        );
        let (_, rest) = stage.leg(start, NODES - control.totals().nodes);
        events.extend(rest.clone());
        assert!(events == all, "{allocation}, clean point {left}");
        assert!(snapshot(&stage.tree) == snapshot(&whole.tree));
    }
}

#[test]
fn two_threads_leave_a_whole_tree_by_budgets_too() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
    stage.options = options("puct", "budget");
    let mut start = Start::default();
    let mut nodes = 0;
    for _ in 0..6 {
        let leg = stage.threads(start, 5_000, 2);
        nodes += leg.totals.nodes;
        start = leg.next;
        assert_eq!(stage.tree.node(Tree::ROOT).nodes(), nodes);
        for id in common::legs::walk(&stage.tree) {
            assert_ne!(stage.tree.node(id).fate(), Fate::Interrupted);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn exact_trees_are_solved_by_each(shape in any_shape(5), max in any::<bool>()) {
        let side = if max { Side::White } else { Side::Black };
        let (situation, evaluator) = (toy(&shape, side, 0.0), ToyEvaluator);
        let value = shape.minimax(max) * if max { 1 } else { -1 };
        for (allocation, descent) in every_way() {
            let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
            stage.options = options(allocation, descent);
            let (leg, _) = stage.leg(Start::default(), 100_000);
            prop_assert_eq!(leg.reason, Some(StopReason::Solved), "{} {}", allocation, descent);
            prop_assert_eq!(stage.tree.node(Tree::ROOT).proof(), Proof::exact(Score::new(value)));
        }
    }

    /// If nothing can be proven, budgets reach every leaf, and then the search ends on its own.
    #[test]
    fn uncertain_trees_are_finished_by_budgets(shape in any_shape(4)) {
        let (situation, evaluator) = (toy(&shape, Side::White, 3.0), ToyEvaluator);
        let beliefs = DESCENTS.map(|descent| {
            let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
            stage.options = options("puct", descent);
            let (leg, _) = stage.leg(Start::default(), 100_000);
            assert_eq!(leg.reason, Some(StopReason::Exhausted));
            stage.tree.belief(Tree::ROOT)
        });
        prop_assert_eq!(beliefs[0], beliefs[1]);
    }
}

/// The terms of a node are those used by the next descent, all the way down.
#[test]
fn the_next_descent_goes_where_the_terms_say() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for allocation in ALLOCATIONS {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.options = options(allocation, "best-first");
        let (leg, _) = stage.leg(Start::default(), 3_000);
        let mut start = leg.next;
        for _ in 0..40 {
            let mut expected = Vec::new();
            let mut id = Tree::ROOT;
            while let Some(choice) = distress::choice(&stage.tree, &stage.options, id) {
                let Some(place) = choice.chosen else { break };
                check_terms(&choice, allocation, id == Tree::ROOT);
                id = choice.terms[place].child;
                expected.push(id);
            }
            let (leg, events) = stage.leg(start, 60);
            start = leg.next;
            // The interrupted descent comes first, with its leaf unexpanded.
            let entered = events.iter().filter_map(|e| match *e {
                Event::Enter { node, .. } => Some(node),
                _ => None,
            });
            let way: Vec<NodeId> = entered.skip(1).take_while(|n| *n != Tree::ROOT).collect();
            assert_eq!(way, expected, "{allocation}");
        }
    }
}

fn check_terms(choice: &distress::Choice, allocation: &str, at_root: bool) {
    let visits: u32 = choice.terms.iter().map(|t| t.visits).sum();
    assert_eq!(visits, choice.visits);
    assert!(matches!(choice.reason, Reason::Highest | Reason::OnlyOpen));
    let all: f32 = choice.terms.iter().map(|t| t.share).sum();
    assert!((all - 1.0).abs() < 1e-4);
    for term in &choice.terms {
        let asks_value = match allocation {
            "vpi" => at_root,
            "alternate" => at_root && term.value.is_some(),
            _ => false,
        };
        assert_eq!(term.value.is_some(), asks_value);
        assert_eq!(term.adjustment, None);
        if term.state != State::Open {
            assert_eq!(term.share, 0.0);
            continue;
        }
        let (pi, v) = (f64::from(term.policy), f64::from(term.visits));
        let all = f64::from(choice.visits);
        // The DISTRESS essay's formulas, with c = 1.
        let expected = match allocation {
            "puct" => pi + all.sqrt() / (1.0 + v),
            "ucb" => pi + (all.ln() / (v + 1.0)).sqrt(),
            "vpi" | "alternate" if at_root && choice.by_value => {
                f64::from(term.value.expect("a value")) * f64::from(term.urgency)
            }
            "uniform" => 1.0 / (1.0 + v),
            _ => pi * f64::from(term.urgency),
        };
        assert!(
            (f64::from(term.score) - expected).abs() < 1e-5 * expected.max(1.0),
            "{term:?}"
        );
    }
}
