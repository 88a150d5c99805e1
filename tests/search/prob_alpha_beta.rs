//! Probabilistic alpha-beta: it equals plain alpha-beta on bins if nothing is uncertain, and has the golden values
//! otherwise.

use std::collections::HashMap;
use std::sync::Arc;

use ::algorithms::Algorithm;
use belief::BINS;
use common::{KIWIPETE, Named, Run, any_shape, check_nesting, chess, run, run_chess, toy};
use depth_first::prob_alpha_beta::product;
use eval::{Evaluated, HandCrafted, ToyEvaluator};
use game::toy::{ToyNode, ToyTree};
use game::{Ending, Game, Scale, Score, Side, Situation, ToyPosition};
use proptest::prelude::*;
use search::common::table::Tables;
use search::{Choices, Control, Event, Free, Job, Limits, Options, Start, StopReason};
use session::{GrownBy, Reader, Subject};
use tree::{Bound, Fate, NodeId, Tree};

const PAB: Algorithm = Algorithm::ProbAlphaBeta;

fn options(pairs: &[(&str, &str)]) -> Options {
    let mut options = PAB.default_options();
    for (key, value) in pairs {
        options.set(key, value).expect("an option");
    }
    options
}

fn run_toy(situation: &Situation<ToyPosition>, options: &Options) -> Run {
    let evaluator = ToyEvaluator;
    run(
        PAB,
        situation,
        &evaluator,
        options,
        Limits::default(),
        64 << 20,
    )
}

/// The leaves that were read, as paths from the root, in order.
fn leaves_seen(run: &Run) -> Vec<Vec<u16>> {
    let is_leaf = |fate: Fate| matches!(fate, Fate::Ended(Ending::Leaf) | Fate::Horizon { .. });
    run.events
        .iter()
        .filter_map(|event| match event {
            Event::Leave { node, .. } if is_leaf(run.tree.node(*node).fate()) => {
                Some(run.tree.moves_to(*node).iter().map(|m| m.0).collect())
            }
            _ => None,
        })
        .collect()
}

fn root_bin(tree: &Tree) -> Option<usize> {
    tree.belief(Tree::ROOT).expect("a belief").is_atom()
}

/// Which nodes were entered and left, when, and with which window and value.
fn visits(run: &Run) -> Vec<Event> {
    let is_visit = |e: &&Event| matches!(e, Event::Enter { .. } | Event::Leave { .. });
    run.events.iter().filter(is_visit).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(900))]

    /// Without width, it reads the same leaves in the same order with the same windows and values, whatever the
    /// confidence.
    #[test]
    fn without_width_it_is_alpha_beta(shape in any_shape(6), white: bool, spread in 0u8..2) {
        let side = if white { Side::White } else { Side::Black };
        // A spread in the file is ignored if the width is 0.
        let situation = toy(&shape, side, f32::from(spread));
        let sure = run(
            Algorithm::AlphaBeta,
            &situation,
            &ToyEvaluator,
            &Algorithm::AlphaBeta.default_options(),
            Limits::default(),
            64 << 20,
        );
        for (confidence, refuted) in [("0.5", "bounded"), ("0.9", "bounded"), ("0.9", "truncated"), ("0.99", "literal")] {
            let set = [("confidence", confidence), ("refuted", refuted), ("width", "0")];
            let run = run_toy(&situation, &options(&set));
            prop_assert!(visits(&run) == visits(&sure));
            prop_assert_eq!(run.totals.nodes, sure.totals.nodes);
            let value = run.tree.view(Tree::ROOT).score.expect("a score");
            let minimax = shape.minimax(white) * if white { 1 } else { -1 };
            prop_assert_eq!(i32::from(value.raw()), minimax);
            check_nesting(&run);
        }
    }

    /// Exact leaves are compared as integers even with a width: uncertainty exists only where there is a spread.
    #[test]
    fn exact_leaves_are_points_at_any_width(shape in any_shape(5)) {
        let situation = toy(&shape, Side::White, 0.0);
        let (none, some) = (options(&[("width", "0")]), options(&[("width", "fitted")]));
        prop_assert!(run_toy(&situation, &none).events == run_toy(&situation, &some).events);
    }
}

/// A node of a tree with fractional values, White's view.
enum Branch {
    Leaf(f32),
    Inner(Vec<Branch>),
}

/// A Max tree on ± `range` whose leaves have the given spread.
fn fractional(root: &Branch, range: f32, spread: f32) -> Situation<ToyPosition> {
    fn add(
        nodes: &mut Vec<ToyNode>,
        branch: &Branch,
        parent: Option<u32>,
        spread: f32,
    ) -> (u32, u16) {
        let id = nodes.len() as u32;
        let value = match branch {
            Branch::Leaf(v) => Some(*v),
            Branch::Inner(_) => None,
        };
        nodes.push(ToyNode {
            name: format!("n{id}"),
            value,
            spread: if value.is_some() { spread } else { 0.0 },
            children: vec![],
            parent,
        });
        let mut height = 0;
        if let Branch::Inner(children) = branch {
            for child in children {
                let (c, h) = add(nodes, child, Some(id), spread);
                nodes[id as usize].children.push(c);
                height = height.max(h + 1);
            }
        }
        (id, height)
    }
    let mut nodes = Vec::new();
    let (_, height) = add(&mut nodes, root, None, spread);
    let scale = Scale::linear(1000.0, range);
    Situation::new(ToyPosition::root(Arc::new(ToyTree {
        nodes,
        root_side: Side::White,
        scale,
        height,
        leaf_mean: 0.0,
        leaf_sd: 1.0,
    })))
}

/// The mean in the tree's unit, White's view, of the node reached by child indices.
fn mean_at(run: &Run, range: f32, path: &[usize]) -> f32 {
    let node = path.iter().fold(Tree::ROOT, |node, &i| {
        run.tree.children(node).nth(i).expect("a child")
    });
    let mean = run
        .tree
        .belief(node)
        .expect("a belief")
        .mean(run.tree.grid())
        * range;
    if path.len().is_multiple_of(2) {
        mean
    } else {
        -mean
    }
}

/// Figure 1 of *Probabilistic Alpha-Beta Search* (2013), with and without uncertainty.
#[test]
fn figure_1_of_the_post() {
    use Branch::{Inner, Leaf};
    let c = Inner(vec![Inner(vec![Leaf(1.2), Leaf(-5.0)]), Leaf(4.0)]);
    let d = Inner(vec![Inner(vec![Leaf(1.1), Leaf(1.0)]), Leaf(1.3)]);
    let root = Inner(vec![c, d]);
    let range = 10.0;
    let places: [&[usize]; 5] = [&[0, 0], &[1, 0], &[0], &[1], &[]];
    // Confidence so close to certainty that nothing is cut off.
    let open = options(&[("confidence", "0.999")]);
    let doubtful = run_toy(&fractional(&root, range, 1.0), &open);
    for (path, golden) in places
        .into_iter()
        .zip([1.2, 1.6156, 1.1873, 0.9260, 1.5663])
    {
        let mean = mean_at(&doubtful, range, path);
        assert!((mean - golden).abs() < 0.01, "{path:?}: {mean} {golden}");
    }
    // Taken literally, the formula still prefers C.
    assert_eq!(doubtful.tree.node(Tree::ROOT).fate(), expanded(0, 2, 2));
    let certain = run_toy(&fractional(&root, range, 0.0), &open);
    let score = certain.tree.view(Tree::ROOT).score.expect("a score");
    assert_eq!(score, Score::new(1200));
    // B refutes D before 1.3 is looked at.
    assert_eq!(leaves_seen(&certain).len(), 5);
}

/// Figures of a prototype in which cut-off children count literally, on trees of 4^5 leaves, N(0,1): 325 leaves by
/// alpha-beta; 379/468/550 at confidence .7/.9/.975 if their standard deviation is .1, and 595/860/973 if it is .5.
#[test]
fn doubt_costs_as_many_leaves_as_measured() {
    fn random(depth: u32, next: &mut impl FnMut() -> f32) -> Branch {
        if depth == 0 {
            return Branch::Leaf(next());
        }
        Branch::Inner((0..4).map(|_| random(depth - 1, next)).collect())
    }
    let mut state = 1u64;
    let mut uniform = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    // Twelve uniform numbers make a fair normal one.
    let mut normal = || (0..12).map(|_| uniform()).sum::<f32>() - 6.0;
    let trees: Vec<Branch> = (0..15).map(|_| random(5, &mut normal)).collect();
    let leaves = |spread: f32, confidence: &str| {
        let options = options(&[("confidence", confidence), ("refuted", "literal")]);
        let seen = |tree| leaves_seen(&run_toy(&fractional(tree, 4.5, spread), &options)).len();
        trees.iter().map(seen).sum::<usize>() as f32 / trees.len() as f32
    };
    for (spread, confidence, measured) in [
        (0.0, "0.9", 325.0),
        (0.1, "0.7", 379.0),
        (0.1, "0.9", 468.0),
        (0.1, "0.975", 550.0),
        (0.5, "0.7", 595.0),
        (0.5, "0.9", 860.0),
        (0.5, "0.975", 973.0),
    ] {
        let here: f32 = leaves(spread, confidence);
        assert!(
            (here / measured - 1.0).abs() < 0.1,
            "{spread} {confidence}: {here} {measured}"
        );
    }
}

fn expanded(best: u16, searched: u8, moves: u8) -> Fate {
    Fate::Expanded {
        best: game::MoveCode(best),
        searched,
        skipped: 0,
        moves,
        margin: 0,
    }
}

/// Three N(0,1) exceed 0 with probability .875. Against a sure −.1, where a bin of ±6.3 begins in Min's view, Min's
/// replies with that mean are cut off as soon as that is enough.
#[test]
fn three_normals_cut_at_their_golden_probabilities() {
    use Branch::{Inner, Leaf};
    for (confidence, after, golden) in [("0.48", 1, 0.5), ("0.7", 2, 0.75), ("0.85", 3, 0.875)] {
        let normals = Inner((0..5).map(|_| Leaf(-0.1)).collect());
        let situation = fractional(&Inner(vec![Leaf(-0.1), normals]), 6.3, 1.0);
        let mut tree = Arc::try_unwrap(tree_of(situation)).expect("the only owner");
        tree.nodes[1].spread = 0.0;
        let situation = Situation::new(ToyPosition::root(Arc::new(tree)));
        let options = options(&[("confidence", confidence)]);
        let run = run_toy(&situation, &options);
        let second = run.tree.children(Tree::ROOT).nth(1).expect("a child");
        let Fate::ProbabilisticCutoff {
            searched,
            probability,
            beta_bin,
            ..
        } = run.tree.node(second).fate()
        else {
            panic!("{:?}", run.tree.node(second).fate());
        };
        let p = f32::from(probability) / f32::from(u16::MAX);
        assert_eq!((searched, beta_bin), (after, 32));
        assert!((p - golden).abs() < 1e-3, "{p} {golden}");
        // The same, child by child, read from the tree.
        let product = product(&run.tree, &options, second).expect("a product");
        assert!(product.is_complete);
        for (step, golden) in product.steps.iter().zip([0.5, 0.75, 0.875]) {
            assert!((step.reaches - golden).abs() < 1e-3, "{step:?} {golden}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The product reported from the tree is the one by which the search cut off; where each child's bounds count, of
    /// which the tree keeps only one, the last step is.
    #[test]
    fn the_running_product_ends_at_the_cut(shape in any_shape(5), spread in 0u8..12, rule in 0usize..3) {
        let situation = toy(&shape, Side::White, f32::from(spread));
        let refuted = ["bounded", "truncated", "literal"][rule];
        let whole = refuted != "bounded";
        let options = options(&[("confidence", "0.8"), ("refuted", refuted)]);
        let run = run_toy(&situation, &options);
        let mut stack = vec![Tree::ROOT];
        while let Some(id) = stack.pop() {
            stack.extend(run.tree.children(id));
            let fate = run.tree.node(id).fate();
            let Some(product) = product(&run.tree, &options, id) else {
                let inner = matches!(fate, Fate::Expanded { .. } | Fate::ProbabilisticCutoff { .. });
                prop_assert!(!inner);
                continue;
            };
            prop_assert!(product.is_complete, "{:?} {:?}", fate, product);
            let (last, before) = product.steps.split_last().expect("a step");
            prop_assert!(!whole || before.iter().all(|s| s.reaches < 0.801));
            if let Fate::ProbabilisticCutoff { probability, .. } = fate {
                let p = f32::from(probability) / f32::from(u16::MAX);
                prop_assert!((last.reaches - p).abs() < 2e-3, "{} {}", last.reaches, p);
            } else {
                prop_assert!(!whole || last.reaches < 0.801);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The root's value is that of the move it names, and an exact leaf's is the file's, whatever is beside it.
    #[test]
    fn the_root_is_worth_what_its_move_is(shape in any_shape(4), spread in 0u8..12, exact in any::<u64>(), rule in 0usize..3) {
        let refuted = ["bounded", "truncated", "literal"][rule];
        let mut tree = Arc::try_unwrap(tree_of(toy(&shape, Side::White, f32::from(spread)))).expect("the only owner");
        for (i, node) in tree.nodes.iter_mut().enumerate() {
            if exact >> (i % 64) & 1 == 1 {
                node.spread = 0.0;
            }
        }
        let values: Vec<(Option<f32>, f32)> = tree.nodes.iter().map(|n| (n.value, n.spread)).collect();
        let children = tree.nodes[0].children.clone();
        let situation = Situation::new(ToyPosition::root(Arc::new(tree)));
        let options = options(&[("refuted", refuted)]);
        let run = run_toy(&situation, &options);
        let subject = Subject::from(situation.clone());
        let reader = Reader { tree: &run.tree, subject: &subject, searcher: GrownBy::Own(PAB, &options) };
        let root = reader.view(Tree::ROOT);
        let Fate::Expanded { best, .. } = root.fate else {
            return Ok(());
        };
        for child in run.tree.children(Tree::ROOT) {
            let view = reader.view(child);
            let code = run.tree.node(child).move_code();
            let score = view.score.map(|s| -s);
            if code == best {
                prop_assert_eq!(root.score, score);
                let (root, child) = (root.expected.expect("a value"), view.expected.expect("a value"));
                prop_assert!((root + child).abs() < 1e-3, "{} {}", root, child);
            }
            if let (Some(value), 0.0) = values[children[usize::from(code.0)] as usize] {
                prop_assert_eq!(score.map(|s| i32::from(s.raw())), Some(situation.position.score_of(value).raw().into()));
                let exact = situation.position.scale().expected(situation.position.score_of(value));
                prop_assert!((view.expected.expect("a value") + exact).abs() < 1e-6);
            }
        }
    }
}

/// A sure +.4, against a sure +.5 from which Min can only move away for the worse. Each of thirty alternatives is
/// almost surely worse for Min, and the remaining doubts must not add up.
#[test]
fn leftovers_of_refuted_moves_do_not_pile_up() {
    use Branch::{Inner, Leaf};
    let mut replies = vec![Leaf(0.5)];
    replies.extend((0..30).map(|_| Inner(vec![Leaf(1.85), Leaf(10.0)])));
    let situation = fractional(&Inner(vec![Leaf(0.4), Inner(replies)]), 12.6, 1.0);
    let mut tree = Arc::try_unwrap(tree_of(situation)).expect("the only owner");
    for node in &mut tree.nodes {
        node.spread = if node.value == Some(1.85) { 1.0 } else { 0.0 };
    }
    let situation = Situation::new(ToyPosition::root(Arc::new(tree)));
    for confidence in ["0.7", "0.9", "0.975"] {
        let run = run_toy(&situation, &options(&[("confidence", confidence)]));
        assert_eq!(run.tree.node(Tree::ROOT).fate(), expanded(1, 2, 2));
        let score = run.tree.view(Tree::ROOT).score.expect("a score");
        assert_eq!(score, Score::new(500), "{confidence}");
    }
}

/// The tree itself, taken out of its only position.
fn tree_of(situation: Situation<ToyPosition>) -> Arc<ToyTree> {
    let at = situation.position;
    Arc::new(ToyTree {
        nodes: at
            .tree()
            .nodes
            .iter()
            .map(|n| ToyNode {
                name: n.name.clone(),
                value: n.value,
                spread: n.spread,
                children: n.children.clone(),
                parent: n.parent,
            })
            .collect(),
        root_side: at.tree().root_side,
        scale: at.tree().scale,
        height: at.tree().height,
        leaf_mean: at.tree().leaf_mean,
        leaf_sd: at.tree().leaf_sd,
    })
}

#[test]
fn mates_are_found_with_their_distance_and_proven() {
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
        (
            "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 1 0",
            2,
        ),
        (
            "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 1 0",
            2,
        ),
    ] {
        let run = run_chess(PAB, fen, 2_000_000);
        let root = run.tree.view(Tree::ROOT);
        assert_eq!(
            root.score.and_then(Score::mate_moves),
            Some(mate),
            "{fen}: {root:?}"
        );
        assert!(root.proof.is_win());
        assert_eq!(run.reason, Some(StopReason::Solved), "{fen}");
        assert_eq!(root_bin(&run.tree), Some(BINS - 1));
    }
    // Mated in two plies, whatever is played.
    let lost = run_chess(PAB, "k7/8/1K6/8/8/8/8/7R b - - 0 1", 100_000);
    let score = lost.tree.view(Tree::ROOT).score.expect("a score");
    assert_eq!(score, Score::loss_in(2));
    assert!(lost.tree.node(Tree::ROOT).proof().is_loss());
}

#[test]
fn endings_are_atoms() {
    for (fen, ending, bin) in [
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            Ending::Stalemate,
            BINS / 2,
        ),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Ending::Checkmate, 0),
        (
            "7k/8/6K1/8/8/8/8/8 b - - 0 1",
            Ending::InsufficientMaterial,
            BINS / 2,
        ),
    ] {
        let run = run_chess(PAB, fen, 1_000);
        assert_eq!(run.tree.node(Tree::ROOT).fate(), Fate::Ended(ending));
        assert_eq!(root_bin(&run.tree), Some(bin));
    }
}

#[test]
fn one_thread_is_deterministic_event_for_event() {
    let (a, b) = (
        run_chess(PAB, KIWIPETE, 60_000),
        run_chess(PAB, KIWIPETE, 60_000),
    );
    assert_eq!(a.totals, b.totals);
    assert!(a.events == b.events);
    check_nesting(&a);
}

/// Replays the events: each node's fate is what its last event said.
#[test]
fn every_fate_is_explained_by_an_event() {
    // The second one is full of transpositions.
    let kinds = [KIWIPETE, "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"].map(explained_fates);
    for kind in ["probabilistic-cutoff", "table-hit", "expanded", "horizon"] {
        let seen: usize = kinds.iter().filter_map(|kinds| kinds.get(kind)).sum();
        assert!(seen > 20, "{kind}: {kinds:?}");
    }
}

/// Returns how often each fate occurs in a run, after checking that each has an explanation.
fn explained_fates(fen: &str) -> HashMap<&'static str, usize> {
    let run = run_chess(PAB, fen, 60_000);
    let mut said: HashMap<NodeId, Fate> = HashMap::new();
    let mut skipped = HashMap::new();
    let mut expanded = HashMap::new();
    let mut evaluated = HashMap::new();
    let mut open: Vec<NodeId> = Vec::new();
    for event in &run.events {
        match *event {
            Event::Enter { node, .. } => open.push(node),
            Event::Leave { node, .. } => assert_eq!(open.pop(), Some(node)),
            Event::Prune { parent, m, fate } => {
                skipped.insert((parent, m), fate);
            }
            Event::Cut { node, fate }
            | Event::TableHit { node, fate }
            | Event::End { node, fate, .. } => {
                said.insert(node, fate);
            }
            Event::Expand { node, moves } => {
                expanded.insert(node, moves);
            }
            Event::Evaluate { node, value, .. } => {
                evaluated.insert(node, value);
            }
            _ => {}
        }
    }
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    let mut stack = vec![Tree::ROOT];
    while let Some(id) = stack.pop() {
        stack.extend(run.tree.children(id));
        let node = run.tree.node(id);
        let fate = node.fate();
        *kinds.entry(fate.name()).or_default() += 1;
        match fate {
            Fate::Horizon { static_value } => assert_eq!(evaluated[&id], static_value),
            // Quiescence expands without an event of its own; its children show it.
            Fate::Expanded { searched, .. } if node.window().depth > 0 => {
                assert!(expanded[&id] >= u16::from(searched));
            }
            Fate::Expanded { .. } => assert!(run.tree.children(id).next().is_some()),
            Fate::DeltaPruning { .. } | Fate::LosingCaptures => {
                let last = skipped[&(node.parent(), node.move_code())];
                // What a cutoff makes moot is not recorded: then the fate is that of an earlier visit.
                let moot = matches!(run.tree.node(node.parent()).fate(), Fate::BetaCutoff { .. });
                assert!(moot || last == fate, "{last:?} {fate:?}");
            }
            Fate::Unvisited | Fate::Interrupted => {
                assert!(
                    node.parent() == NodeId::NONE
                        || open.contains(&node.parent())
                        || open.contains(&id)
                );
            }
            _ => assert_eq!(said.get(&id), Some(&fate), "{fate:?} of {id:?}"),
        }
    }
    kinds
}

/// What a probabilistic cutoff says is what the tree holds: the belief reaches beta's bin with that probability, and
/// the window's beta is that bin's score.
#[test]
fn cutoffs_agree_with_the_recorded_beliefs() {
    let run = run_chess(PAB, KIWIPETE, 60_000);
    let mut seen = 0;
    let mut stack = vec![Tree::ROOT];
    while let Some(id) = stack.pop() {
        stack.extend(run.tree.children(id));
        let node = run.tree.node(id);
        if let Fate::ProbabilisticCutoff {
            probability,
            confidence,
            beta_bin,
            ..
        } = node.fate()
        {
            let belief = run.tree.live_belief(id).expect("a belief");
            let p = belief.p_at_least(usize::from(beta_bin));
            assert!((p - f32::from(probability) / 65535.0).abs() < 1e-3, "{p}");
            assert!(probability >= confidence);
            assert_eq!(node.window().bound, Bound::Lower);
            seen += 1;
        }
    }
    assert!(seen > 100);
}

/// Runs two threads with one table; returns the main thread's tree.
fn run_two<G: Evaluated, E: Named<G>>(
    situation: &Situation<G>,
    evaluator: &E,
    options: &Options,
    limits: Limits,
) -> Tree {
    let tree = Tree::new(PAB.tree_spec(situation.position.scale(), 64 << 20, u16::MAX));
    let control = Control::new(limits, 2);
    let tables = Tables::new(4 << 20);
    let job = Job {
        recorded: None,
        situation,
        evaluator,
        tree: &tree,
        tables: &tables,
        endgames: None,
        options,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    std::thread::scope(|scope| {
        scope.spawn(|| common::job::run(PAB, &job, 1, &mut Free));
        common::job::run(PAB, &job, 0, &mut Free);
        control.stop(StopReason::User);
    });
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Another thread's entries may save work, but never change the value.
    #[test]
    fn two_threads_agree_with_one_on_toy_trees(shape in any_shape(6)) {
        let situation = toy(&shape, Side::White, 0.0);
        let one = run_toy(&situation, &options(&[]));
        let two = run_two(&situation, &ToyEvaluator, &options(&[]), Limits::default());
        prop_assert_eq!(root_bin(&one.tree), root_bin(&two));
    }
}

#[test]
fn two_threads_find_a_legal_move() {
    let situation = chess(KIWIPETE);
    let limits = common::nodes(200_000);
    let tree = run_two(&situation, &HandCrafted::default(), &options(&[]), limits);
    let Fate::Expanded { best, .. } = tree.node(Tree::ROOT).fate() else {
        panic!("{:?}", tree.node(Tree::ROOT).fate());
    };
    assert!(situation.position.decode(best).is_some());
}

#[test]
fn widths_are_checked() {
    let mut options = PAB.default_options();
    for good in ["0", "20", "1000", "fitted"] {
        assert!(options.set("width", good).is_ok());
    }
    for bad in ["-1", "1001", "wide", "", "NaN"] {
        let error = options.set("width", bad).expect_err(bad).to_string();
        assert!(error.contains("fitted"), "{error}");
    }
}
