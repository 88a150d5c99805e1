//! Copies of trees and tables are identical, independent, and can be searched further; and a re-search of an opened
//! node leaves everything else as it was.

use algorithms::{ALGORITHMS, Algorithm};
use common::{KIWIPETE, Named, Shape, any_shape, chess, job, run_chess, run_toy, toy};
use eval::{Evaluated, HandCrafted, ToyEvaluator};
use game::{Score, Side, Situation};
use proptest::prelude::*;
use search::common::table::Tables;
use search::{Choices, Control, Event, Job, Options, Record, Start};
use tree::{Fate, NodeId, Tree};

/// A tree with its tables, searched segment by segment.
struct Bench<'a, G, E> {
    algorithm: Algorithm,
    situation: &'a Situation<G>,
    evaluator: &'a E,
    tree: Tree,
    tables: Tables,
    start: Start,
    options: Options,
}

impl<'a, G: Evaluated, E: Named<G>> Bench<'a, G, E> {
    fn new(
        algorithm: Algorithm,
        situation: &'a Situation<G>,
        evaluator: &'a E,
        budget: u64,
    ) -> Self {
        let spec = algorithm.tree_spec(situation.position.scale(), budget, u16::MAX);
        Bench {
            algorithm,
            situation,
            evaluator,
            tree: Tree::new(spec),
            tables: Tables::new(1 << 20),
            start: Start::default(),
            options: algorithm.default_options(),
        }
    }

    fn copy(&self) -> Self {
        Bench {
            tree: self.tree.copy(),
            tables: self.tables.copy(),
            options: self.options.clone(),
            ..*self
        }
    }

    fn with_job<T>(&self, nodes: u64, work: impl FnOnce(&Job<G, E>) -> T) -> (T, u16) {
        let limits = common::nodes(nodes);
        let control = Control::new(limits, 1);
        let done = work(&Job {
            recorded: None,
            situation: self.situation,
            evaluator: self.evaluator,
            tree: &self.tree,
            tables: &self.tables,
            endgames: None,
            options: &self.options,
            control: &control,
            start: self.start,
            choices: &Choices::default(),
            seed: 1,
        });
        (done, control.totals().depth)
    }

    /// Searches this many nodes, and can continue from there.
    fn leg(&mut self, nodes: u64) -> Vec<Event> {
        let (events, depth) = self.with_job(nodes, |job| {
            let mut probe = Record::default();
            job::run(self.algorithm, job, 0, &mut probe);
            probe.0
        });
        let root = self.tree.view(Tree::ROOT);
        self.start.depth = depth.max(self.start.depth);
        if let Some(best) = root.fate.best() {
            self.start.best = best;
            self.start.score = root.score.unwrap_or(Score::DRAW);
        }
        events
    }

    fn search_again(&self, node: NodeId) {
        self.with_job(20_000, |job| {
            let scratch = Tables::new(1 << 20);
            let job = Job {
                tables: &scratch,
                ..*job
            };
            job::search_again(self.algorithm, &job, node);
        });
    }
}

fn same(left: &Tree, right: &Tree) -> Result<(), String> {
    left.difference(right)
        .map_or(Ok(()), |d| Err(d.to_string()))
}

/// A search and a copy of it both continue: same events, same trees; and the copy leaves the original unchanged.
fn copied_and_grown<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    situation: &Situation<G>,
    evaluator: &E,
    nodes: u64,
) -> Result<(), String> {
    copied_and_grown_with(algorithm, &[], situation, evaluator, nodes)
}

/// The same with some options (`key=value`).
fn copied_and_grown_with<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    pairs: &[&str],
    situation: &Situation<G>,
    evaluator: &E,
    nodes: u64,
) -> Result<(), String> {
    let mut first = Bench::new(algorithm, situation, evaluator, 64 << 20);
    for pair in pairs {
        first
            .options
            .set_pair(pair)
            .expect("an option of the algorithm");
    }
    first.leg(nodes);
    let mut second = first.copy();
    same(&first.tree, &second.tree)?;
    assert_eq!(first.tree.bytes(), second.tree.bytes());
    assert_eq!(first.tables.bytes(), second.tables.bytes());

    let untouched = first.copy();
    let events = second.leg(nodes);
    same(&first.tree, &untouched.tree)?;
    let finished = events.len() < 10;
    if !finished && first.tree.difference(&second.tree).is_none() {
        return Err(String::from(
            "the copy was searched on, and nothing changed",
        ));
    }

    if first.leg(nodes) != events {
        return Err(String::from("other events in the copy"));
    }
    same(&first.tree, &second.tree)
}

#[test]
fn a_copy_goes_on_as_the_original_does_chess() {
    for row in &ALGORITHMS {
        let situation = chess(KIWIPETE);
        copied_and_grown(row.algorithm, &situation, &HandCrafted::default(), 8_000)
            .unwrap_or_else(|e| panic!("{}: {e}", row.name));
    }
}

/// What an option keeps at the nodes or in the tables is copied as well.
#[test]
fn a_copy_goes_on_with_each_option_that_keeps_more() {
    let situation = chess(KIWIPETE);
    for (algorithm, pair) in [
        (Algorithm::AlphaBeta, "driver=negascout"),
        (Algorithm::AlphaBeta, "driver=mtdf"),
        (Algorithm::AlphaBeta, "driver=sss*"),
        (Algorithm::AlphaBeta, "driver=dual*"),
        (Algorithm::Mcts, "implicit-minimax=0.4"),
        (Algorithm::Mcts, "variance-scaled-c=0.85"),
        (Algorithm::Mcts, "uncertainty-weighting=on"),
        (Algorithm::Mcts, "gumbel-root=16"),
        (Algorithm::Mcts, "softmax-backup=0.1"),
    ] {
        let evaluator = HandCrafted::default();
        copied_and_grown_with(algorithm, &[pair], &situation, &evaluator, 5_000)
            .unwrap_or_else(|e| panic!("{pair}: {e}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_copy_goes_on_as_the_original_does_toy(shape in any_shape(6), nodes in 1u64..60, spread in 0f32..9.0) {
        let situation = toy(&shape, Side::White, spread);
        for row in &ALGORITHMS {
            let done = copied_and_grown(row.algorithm, &situation, &ToyEvaluator, nodes);
            prop_assert!(done.is_ok(), "{}: {:?}", row.name, done);
        }
    }
}

#[test]
fn two_runs_of_one_search_do_not_differ_and_two_searches_do() {
    for row in &ALGORITHMS {
        let run = |nodes| run_chess(row.algorithm, KIWIPETE, nodes).tree;
        let (one, two, more) = (run(3_000), run(3_000), run(3_500));
        same(&one, &two).unwrap_or_else(|e| panic!("{}: {e}", row.name));
        assert!(one.difference(&more).is_some(), "{}", row.name);
    }
}

#[test]
fn a_difference_says_what_differs_in_one_line() {
    let shape = Shape::parse("[[3,12,8],[2,4,6],[14,5,2]]");
    let situation = toy(&shape, Side::White, 2.0);
    let tree = run_toy(Algorithm::Distress, &situation, 1_000).tree;
    let differs = |edit: &dyn Fn(&Tree)| {
        let copy = tree.copy();
        edit(&copy);
        let text = tree.difference(&copy).expect("a difference").to_string();
        assert!(!text.contains('\n'));
        text
    };
    let id = tree.children(Tree::ROOT).nth(1).expect("a child");
    let visits = tree.node(id).visits();
    assert_eq!(
        differs(&|t| t.node(id).set_visits(visits + 1)),
        format!("node {}: visits {visits} / {}", id.0, visits + 1)
    );
    assert!(differs(&|t| t.node(id).set_fate(Fate::Interrupted)).contains("fate "));
    assert!(differs(&|t| t.node(id).set_policy(2.0)).contains("policy "));
    assert!(differs(&|t| t.node(id).set_belief(7)).contains("place of the belief "));
    assert!(differs(&|t| t.node(id).set_expected(-0.0)).starts_with("node"));
    assert!(
        differs(&|t| assert!(t.allocate_beliefs(1).is_some()))
            .starts_with("trees: places of beliefs")
    );

    let place = tree.node(id).belief();
    let slot = tree.belief_slot(place);
    let belief = slot.read();
    let text = differs(&|t| t.belief_slot(place).write(&belief.negated()));
    assert!(
        text.starts_with(&format!("node {}: belief ", id.0)),
        "{text}"
    );
    // Written again, but with the same content.
    let copy = tree.copy();
    copy.belief_slot(place).write(&belief);
    assert_eq!(tree.difference(&copy), None);
}

#[test]
fn opening_a_node_shifts_no_other_and_changes_no_event() {
    let situation = chess(KIWIPETE);
    let evaluator = HandCrafted::default();
    let mut alone = Bench::new(Algorithm::AlphaBeta, &situation, &evaluator, 16 << 20);
    alone.leg(30_000);
    let mut watched = alone.copy();
    let opened = |tree: &Tree| {
        tree.ids().find(|&id| {
            let view = tree.view(id);
            let table_hit = matches!(view.fate, Fate::TableHit { .. });
            table_hit && view.children == 0 && view.window.is_some_and(|w| w.depth > 1)
        })
    };
    let node = opened(&watched.tree).expect("a table hit");
    watched.search_again(node);

    let (before, after) = (&alone.tree, &watched.tree);
    assert!(after.node(node).child_count() > 0);
    let border = before.ids().last().expect("nodes");
    let mut made = 0;
    for child in after.children(node) {
        assert!(child > border && after.contains(child) && !before.contains(child));
        assert!(child.0 <= after.capacity());
        made += 1;
    }
    assert!(after.len() >= before.len() + made);
    assert!(after.bytes() > before.bytes());
    for id in before.ids().filter(|&id| id != node) {
        let (was, is) = (before.view(id), after.view(id));
        assert_eq!(format!("{was:?}"), format!("{is:?}"));
    }
    assert_eq!(after.len() as usize, after.ids().count());
    same(after, &after.copy()).expect("a copy with its re-searches");

    // The search continues as it would have, except for the ids of what it finds below the opened node.
    let told = |events: Vec<Event>| -> Vec<_> { events.iter().map(Event::kind).collect() };
    let (one, two) = (told(alone.leg(100_000)), told(watched.leg(100_000)));
    assert!(
        one == two,
        "{} events alone, {} watched",
        one.len(),
        two.len()
    );
    assert!(one.len() > 10_000);
}

#[test]
fn a_search_fills_its_room_and_leaves_the_kept_one() {
    let situation = chess(KIWIPETE);
    let evaluator = HandCrafted::default();
    let mut bench = Bench::new(Algorithm::AlphaBeta, &situation, &evaluator, 1 << 20);
    assert!(!bench.tree.is_full());
    bench.leg(100_000);
    assert!(bench.tree.is_full());
    let full = bench.tree.len();
    assert!(full < bench.tree.capacity());
    assert!(full > bench.tree.capacity() - bench.tree.capacity() / 8);
    let node = bench
        .tree
        .ids()
        .find(|&id| {
            let view = bench.tree.view(id);
            view.children == 0 && view.visits > 0 && view.window.is_some_and(|w| w.depth > 0)
        })
        .expect("a node without recorded children");
    bench.search_again(node);
    assert!(bench.tree.node(node).child_count() > 0);
    assert!((full + 1..=bench.tree.capacity()).contains(&bench.tree.len()));
}
