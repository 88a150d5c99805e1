//! Probabilistic alpha-beta in chess: with width 0 it equals alpha-beta without its pruning rules, event for event.

use ::algorithms::Algorithm;
use common::{KIWIPETE, chess};
use depth_first::alpha_beta::without_rules;
use eval::HandCrafted;
use game::{ChessPosition, Game, Scale, Situation};
use search::common::table::Tables;
use search::{AfterEvent, Choices, Control, Event, Job, Limits, Options, Probe, Record, Start};
use tree::{Fate, NodeId, NodeView, Tree};

/// A visit to a node as both searches report it, and what they do in between.
fn is_common(event: &Event) -> bool {
    matches!(
        event,
        Event::Iteration { .. }
            | Event::Enter { .. }
            | Event::Expand { .. }
            | Event::Prune { .. }
            | Event::TableHit { .. }
            | Event::End { .. }
            | Event::Prove { .. }
            | Event::Best { .. }
            | Event::Leave { .. }
            | Event::IterationDone { .. }
    )
}

struct Run {
    tree: Tree,
    events: Vec<Event>,
    nodes: u64,
}

/// Runs with tables so large that no entry is replaced, because the two algorithms' tables differ in size and buckets.
fn run(
    algorithm: Algorithm,
    situation: &Situation<ChessPosition>,
    options: &Options,
    limits: Limits,
) -> Run {
    let control = Control::new(limits, 1);
    let tree = Tree::new(algorithm.tree_spec(situation.position.scale(), 512 << 20, u16::MAX));
    let tables = Tables::new(256 << 20);
    let job = Job {
        recorded: None,
        situation,
        evaluator: &HandCrafted::default(),
        tree: &tree,
        tables: &tables,
        endgames: None,
        options,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    let mut probe = Record::default();
    common::job::run(algorithm, &job, 0, &mut probe);
    Run {
        nodes: control.totals().nodes,
        events: probe.0.into_iter().filter(is_common).collect(),
        tree,
    }
}

/// What both algorithms call by the same name.
const MEMORIES: [&str; 5] = [
    "table",
    "killers",
    "counter-moves",
    "history",
    "continuation-history",
];

/// Both with this memory and without aspiration windows; alpha-beta without its rules, the other without width.
fn options(on: &[&str], confidence: &str) -> (Options, Options) {
    let mut plain = without_rules(&Algorithm::AlphaBeta.default_options());
    let mut prob = Algorithm::ProbAlphaBeta.default_options();
    for options in [&mut plain, &mut prob] {
        for key in MEMORIES {
            let word = if on.contains(&key) { "on" } else { "off" };
            options.set(key, word).expect("an option of both");
        }
        options.set("aspiration", "off").expect("an option of both");
    }
    prob.set("width", "0").expect("an option");
    prob.set("confidence", confidence).expect("an option");
    (plain, prob)
}

/// Fails at the first event in which they differ.
fn assert_same(fen: &str, depth: u16, on: &[&str], confidence: &str) {
    let situation = chess(fen);
    let (plain, prob) = options(on, confidence);
    let limits = common::depth(depth);
    let sure = run(Algorithm::AlphaBeta, &situation, &plain, limits);
    let prob = run(Algorithm::ProbAlphaBeta, &situation, &prob, limits);
    let name = format!("{fen} to depth {depth} with {on:?}, confidence {confidence}");
    for (i, (a, b)) in sure.events.iter().zip(&prob.events).enumerate() {
        if a != b {
            let line = |run: &Run, event: &Event| {
                let node = node_of(event).unwrap_or(Tree::ROOT);
                format!("{event:?} at {:?}", run.tree.moves_to(node))
            };
            panic!("{name}, event {i}:\n{}\n{}", line(&sure, a), line(&prob, b));
        }
    }
    assert_eq!(sure.events.len(), prob.events.len(), "{name}");
    assert_eq!(sure.nodes, prob.nodes, "{name}");
    assert!(sure.nodes > 0);
}

fn node_of(event: &Event) -> Option<NodeId> {
    match *event {
        Event::Enter { node, .. } | Event::Leave { node, .. } | Event::TableHit { node, .. } => {
            Some(node)
        }
        _ => None,
    }
}

/// Openings, attacks, mates to find and to avoid, and endgames full of transpositions and repetitions.
const POSITIONS: [&str; 30] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1",
    "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1",
    "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1",
    "r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1",
    "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1",
    "2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1",
    "r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - 0 1",
    "4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - - 0 1",
    "5rk1/pp4p1/2n1p2p/2Npq3/2p5/6P1/P3P1BP/R4Q1K w - - 0 1",
    "r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1",
    "1R6/1brk2p1/4p2p/p1P1Pp2/P7/6P1/1P4P1/2R3K1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
    "8/8/8/2k5/2p5/8/2K5/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
    "8/1p3Qb1/p5pk/P1p1p1p1/1P2P1P1/2P1N2n/5P1P/4qB1K w - - 1 0",
    "3rrk2/2p2pR1/p4n2/1p1PpP2/2p2q1P/3P1BQ1/PPP5/6RK w - - 1 0",
    "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    "4k3/8/8/8/8/8/3Q4/4K3 w - - 92 80",
    "7k/8/8/8/8/8/5p2/K6R b - - 0 1",
];

#[test]
fn without_width_it_is_alpha_beta_with_all_memories() {
    for (i, fen) in POSITIONS.into_iter().enumerate() {
        let confidence = ["0.9", "0.5", "0.99"][i % 3];
        assert_same(fen, 4, &MEMORIES, confidence);
    }
}

#[test]
fn without_width_it_is_alpha_beta_where_it_is_sharp() {
    assert_same(KIWIPETE, 4, &MEMORIES, "0.9");
    // With few men there are many transpositions; searched more deeply, through mates and repetitions.
    for fen in &POSITIONS[20..] {
        assert_same(fen, 5, &MEMORIES, "0.7");
    }
    assert_same(POSITIONS[21], 12, &MEMORIES, "0.7");
}

#[test]
fn without_width_it_is_alpha_beta_with_each_memory() {
    for one in MEMORIES {
        for fen in [POSITIONS[2], POSITIONS[5], POSITIONS[20]] {
            assert_same(fen, 4, &[one], "0.9");
        }
    }
    assert_same(KIWIPETE, 3, &[], "0.9");
}

/// Thirty of the "Win at Chess" positions, if the shared test data is available.
#[test]
fn without_width_it_is_alpha_beta_on_wac() {
    for line in common::positions("epd/wacnew.epd")
        .iter()
        .step_by(10)
        .take(30)
    {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        assert_same(&format!("{} 0 1", fields.join(" ")), 4, &MEMORIES, "0.9");
    }
}

/// Stops at every leave event, as a debugger does.
struct AtEveryLeave<'a> {
    tree: &'a Tree,
    left: usize,
    wide: usize,
}

impl Probe for AtEveryLeave<'_> {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        let Event::Leave { node, .. } = event else {
            return AfterEvent::GoOn;
        };
        if self.tree.node(node).window().depth >= 0 {
            self.left += 1;
            let belief = self.tree.belief(node);
            let belief = belief.unwrap_or_else(|| panic!("{node:?} is left without a belief"));
            self.wide += usize::from(belief.is_atom().is_none());
        }
        AfterEvent::GoOn
    }
}

/// This includes leaves: their belief is in the tree before they are left.
#[test]
fn who_stands_at_a_leave_sees_the_belief() {
    let tree = Tree::new(Algorithm::ProbAlphaBeta.tree_spec(Scale::Logistic, 64 << 20, u16::MAX));
    let mut probe = AtEveryLeave {
        tree: &tree,
        left: 0,
        wide: 0,
    };
    let limits = common::nodes(20_000);
    let situation = chess(KIWIPETE);
    let evaluator = HandCrafted::default();
    let options = Algorithm::ProbAlphaBeta.default_options();
    common::run_probed(
        Algorithm::ProbAlphaBeta,
        &situation,
        &evaluator,
        &options,
        limits,
        &tree,
        &mut probe,
    );
    assert!(
        probe.left > 500 && probe.wide > probe.left / 2,
        "{} {}",
        probe.left,
        probe.wide
    );
}

/// Audits stand outside the score: the search takes the same course with them, and what they find stays at the nodes.
#[test]
fn an_audit_of_cuts_leaves_the_search_as_it_was() {
    for (fen, pairs, least) in [
        (KIWIPETE, &[] as &[&str], 20),
        (KIWIPETE, &["width=searched", "audit-plies=3"], 0),
        (POSITIONS[0], &["width=0", "audit-plies=0"], 20),
    ] {
        let situation = chess(fen);
        let search = |audit: &str| {
            let mut options = Algorithm::ProbAlphaBeta.default_options();
            for pair in pairs.iter().chain([&audit]) {
                options.set_pair(pair).expect("an option");
            }
            let limits = common::nodes(20_000);
            run(Algorithm::ProbAlphaBeta, &situation, &options, limits)
        };
        let (without, with) = (search("audit=0"), search("audit=1"));
        assert_eq!(without.nodes, with.nodes, "{fen} {pairs:?}");
        let both = || without.events.iter().zip(&with.events);
        let differing = both().position(|(a, b)| a != b);
        assert_eq!(
            differing.and_then(|at| both().nth(at)),
            None,
            "{fen} {pairs:?}"
        );
        let kept = |run: &Run| -> Vec<NodeView> {
            let views = run.tree.ids().map(|id| run.tree.view(id));
            views.filter(|v| v.treatment.audit.is_some()).collect()
        };
        assert!(kept(&without).is_empty());
        let kept = kept(&with);
        assert!(kept.len() > least, "{}", kept.len());
        let (mut held, mut judged) = (0, 0);
        // A node may have been searched in full since.
        for (view, audit) in kept.iter().filter_map(|v| Some((v, v.audit()?))) {
            let window = view.window.expect("a window");
            assert_eq!(audit.failed, audit.value < window.beta, "{:?}", view.fate);
            assert!(matches!(view.fate, Fate::ProbabilisticCutoff { .. }));
            held += usize::from(!audit.failed);
            judged += 1;
        }
        // Most cuts are right.
        assert!(
            judged > least && held * 4 > judged * 3,
            "{held} of {judged}"
        );
    }
}
