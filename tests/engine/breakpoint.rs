//! Breakpoints over the events of real searches.

use std::collections::HashMap;

use algorithms::{ALGORITHMS, Algorithm};
use common::{Named, Shape, any_shape, chess, run_chess, run_probed, run_toy, toy};
use eval::{Evaluated, HandCrafted, ToyEvaluator};
use game::{Game, MoveCode, Side, Situation};
use proptest::prelude::*;
use search::{AfterEvent, Event, EventKind, Probe};
use session::Subject;
use session::breakpoint::{Breakpoint, KINDS, Matcher};
use tree::{FATE_FAMILIES, Fate, NodeId, NodeView, Tree};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";
/// White mates in two.
const MATE: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// Calls back with every event, its number and the tree at that moment.
struct Live<'a, F> {
    tree: &'a Tree,
    number: u64,
    call: F,
}

impl<F: FnMut(u64, &Event, &Tree) + Send> Probe for Live<'_, F> {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        self.number += 1;
        (self.call)(self.number, &event, self.tree);
        AfterEvent::GoOn
    }
}

fn live<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    situation: &Situation<G>,
    evaluator: &E,
    nodes: u64,
    call: impl FnMut(u64, &Event, &Tree) + Send,
) {
    let limits = common::nodes(nodes);
    let spec = algorithm.tree_spec(situation.position.scale(), 64 << 20, u16::MAX);
    let tree = Tree::new(spec);
    let mut probe = Live {
        tree: &tree,
        number: 0,
        call,
    };
    let options = algorithm.default_options();
    run_probed(
        algorithm, situation, evaluator, &options, limits, &tree, &mut probe,
    );
}

fn live_chess(
    algorithm: Algorithm,
    fen: &str,
    nodes: u64,
    call: impl FnMut(u64, &Event, &Tree) + Send,
) {
    live(algorithm, &chess(fen), &HandCrafted::default(), nodes, call);
}

fn breakpoint(text: &str, fen: &str) -> Breakpoint {
    Breakpoint::parse(text, &Subject::from(chess(fen))).expect(text)
}

/// Returns the moves to the place of an event; a pruned move also has a place of its own.
fn places(event: &Event, tree: &Tree) -> Vec<Vec<MoveCode>> {
    let at = tree.moves_to(event.node());
    match *event {
        Event::Prune { m, .. } => {
            let mut pruned = at.clone();
            pruned.push(m);
            vec![at, pruned]
        }
        _ => vec![at],
    }
}

/// `at` and `under` match, alone and during a run, exactly as the moves to each event's node say.
fn check_places<G: Evaluated, E: Named<G>>(
    algorithm: Algorithm,
    situation: &Situation<G>,
    evaluator: &E,
    subject: &Subject,
    lines: &[&str],
    nodes: u64,
) -> (usize, usize) {
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            let moves = subject.read_line(line).expect(line).moves;
            // With every kind named, it fires at every event for which it holds.
            let kinds: Vec<_> = KINDS.iter().map(|k| k.name).collect();
            let kinds = kinds.join(",");
            let read = |text: &str| Breakpoint::parse(text, subject).expect(text);
            let at = read(&format!("on {kinds} at \"{line}\""));
            let under = read(&format!("under \"{line}\" on {kinds}"));
            (moves, at, under)
        })
        .collect();
    let mut matchers: Vec<_> = rows
        .iter()
        .map(|r| (r.1.matcher(), r.2.matcher()))
        .collect();
    let (mut hits, mut below) = (0, 0);
    live(
        algorithm,
        situation,
        evaluator,
        nodes,
        |number, event, tree| {
            let places = places(event, tree);
            for ((moves, at, under), (m_at, m_under)) in rows.iter().zip(&mut matchers) {
                let is_at = places.contains(moves);
                let is_under = places.iter().any(|p| p.starts_with(moves));
                assert_eq!(at.holds(event, tree), is_at, "{} {event:?}", at.text());
                assert_eq!(
                    under.holds(event, tree),
                    is_under,
                    "{} {event:?}",
                    under.text()
                );
                assert_eq!(m_at.matches(number, event, tree), is_at, "{event:?}");
                assert_eq!(
                    m_under.matches(number, event, tree),
                    is_under,
                    "{} {event:?}",
                    under.text()
                );
                hits += usize::from(is_at);
                below += usize::from(is_under);
            }
        },
    );
    (hits, below)
}

#[test]
fn places_in_chess() {
    let situation = chess(MIDDLEGAME);
    let subject = Subject::from(situation.clone());
    let lines = [
        "",
        "a3",
        "cxd5",
        "cxd5 Nxd5 Nxd5",
        "Qc2 dxc4 Bxh7+",
        "b3 cxd4 exd4 b6",
    ];
    for row in &ALGORITHMS {
        let evaluator = HandCrafted::default();
        let (hits, below) = check_places(
            row.algorithm,
            &situation,
            &evaluator,
            &subject,
            &lines,
            4_000,
        );
        assert!(
            hits > 20 && below > 2 * hits,
            "{}: {hits}, {below}",
            row.name
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn places_in_toy_trees(shape in any_shape(4), spread in prop_oneof![Just(0.0f32), Just(5.0)]) {
        let situation = toy(&shape, Side::White, spread);
        let subject = Subject::from(situation.clone());
        let mut lines = vec![String::new()];
        let mut at = subject.clone();
        let mut line = String::new();
        // Follows the last children.
        while let Some(m) = at.position.legal_moves().last().copied() {
            line = format!("{line} {}", at.position.label(m));
            lines.push(line.clone());
            at = subject.play_text(&line).expect("names");
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for row in &ALGORITHMS {
            let evaluator = ToyEvaluator;
            let (hits, _) = check_places(row.algorithm, &situation, &evaluator, &subject, &lines, 300);
            prop_assert!(hits > 0);
        }
    }
}

#[test]
fn kinds_and_fates_are_told_apart() {
    let named = |name: &str| breakpoint(&format!("on {name}"), MIDDLEGAME);
    let mut fates = HashMap::new();
    for row in &ALGORITHMS {
        let run = run_chess(row.algorithm, MIDDLEGAME, 5_000);
        for event in &run.events {
            assert!(named(event.kind().name()).holds(event, &run.tree));
            assert!(
                !breakpoint(&format!("not on {}", event.kind().name()), MIDDLEGAME)
                    .holds(event, &run.tree)
            );
            if let Some(fate) = event.fate() {
                fates.entry(fate.name()).or_insert(event.clone());
            }
        }
    }
    let tree = run_chess(Algorithm::Mcts, MIDDLEGAME, 10).tree;
    assert!(fates.len() >= 7, "{fates:?}");
    for (name, event) in &fates {
        assert!(named(name).holds(event, &tree), "{name}");
        // A family's name stands for several fates.
        let is_family = |name: &str| FATE_FAMILIES.iter().any(|family| family.name == name);
        for other in fates.keys().filter(|n| *n != name && !is_family(n)) {
            assert!(!named(other).holds(event, &tree), "on {other}: {name}");
        }
    }
}

/// Where a matcher without places fires, by the documented rule, given where the condition holds.
#[derive(Default)]
struct Rule(HashMap<NodeId, bool>);

impl Rule {
    fn fires(&mut self, node: NodeId, holds: bool) -> bool {
        let before = self.0.insert(node, holds).unwrap_or(false);
        holds && !before
    }
}

#[test]
fn a_state_fires_when_it_comes_to_hold_at_a_node() {
    for (algorithm, text) in [
        (Algorithm::Mcts, "when visits >= 20"),
        (Algorithm::Mcts, "when 5 <= visits under \"cxd5\""),
        (Algorithm::Mcts, "when lower > -1 or children > 30"),
        (Algorithm::AlphaBeta, "when visits >= 3 and ply < 4"),
        (Algorithm::Distress, "when nodes > 50 and children > 2"),
    ] {
        let asked = breakpoint(text, MIDDLEGAME);
        let mut matcher = asked.matcher();
        let mut rule = Rule::default();
        let (mut fired, mut held) = (0, 0);
        live_chess(algorithm, MIDDLEGAME, 6_000, |number, event, tree| {
            let holds = asked.holds(event, tree);
            let fires = rule.fires(event.node(), holds);
            assert_eq!(
                matcher.matches(number, event, tree),
                fires,
                "{text} {event:?}"
            );
            fired += u32::from(fires);
            held += u32::from(holds);
        });
        assert!(fired > 1 && held > 2 * fired, "{text}: {fired} of {held}");
    }
}

#[test]
fn a_place_fires_when_the_search_comes_there() {
    let asked = breakpoint("under \"cxd5\"", MIDDLEGAME);
    let mut matcher = asked.matcher();
    let (mut before, mut fired) = (false, 0);
    live_chess(Algorithm::Mcts, MIDDLEGAME, 3_000, |number, event, tree| {
        let holds = asked.holds(event, tree);
        let fires = matcher.matches(number, event, tree);
        assert_eq!(fires, holds && !before);
        // Descending into a node means entering it; creating it is an evaluation or an end.
        before = holds;
        fired += u32::from(fires);
    });
    assert!(fired > 10, "{fired}");
}

#[test]
fn what_an_event_tells_fires_every_time() {
    for text in [
        "when |expected - before| > 0.005",
        "on back-up when expected > before",
    ] {
        let asked = breakpoint(text, MIDDLEGAME);
        let mut matcher = asked.matcher();
        let mut fired = 0;
        live_chess(
            Algorithm::Distress,
            MIDDLEGAME,
            30_000,
            |number, event, tree| {
                let expected = match *event {
                    Event::BackUp {
                        before: Some(before),
                        after,
                        ..
                    } => {
                        let (before, after) = (f64::from(before.mean), f64::from(after.mean));
                        if text.starts_with("on") {
                            after > before
                        } else {
                            (after - before).abs() > 0.005
                        }
                    }
                    _ => false,
                };
                assert_eq!(matcher.matches(number, event, tree), expected);
                fired += u32::from(expected);
            },
        );
        assert!(fired > 10, "{text}: {fired}");
    }
}

/// Fires at the first event after it, and only there.
#[test]
fn changes_fires_at_the_first_event_after_a_change() {
    type Seen = (Option<f32>, Fate, i16, i16, u16, Option<belief::Cdf>);
    let seen = |view: &NodeView, tree: &Tree| -> Seen {
        let (lower, upper) = (view.proof.lower.raw(), view.proof.upper.raw());
        (
            view.expected,
            view.fate,
            lower,
            upper,
            view.children,
            tree.live_belief(view.id),
        )
    };
    for row in &ALGORITHMS {
        let mut fired = 0;
        for (fen, line) in [(MIDDLEGAME, "cxd5 exd5"), (MATE, "Ra6")] {
            let moves = Subject::from(chess(fen))
                .read_line(line)
                .expect("legal")
                .moves;
            let mut matcher = breakpoint(&format!("changes \"{line}\""), fen).matcher();
            let mut before: Option<Seen> = None;
            live_chess(row.algorithm, fen, 3_000, |number, event, tree| {
                let step = |at: Option<NodeId>, m: &MoveCode| tree.child_by_move(at?, *m);
                let node = moves.iter().fold(Some(Tree::ROOT), step);
                let view = node.map(|id| tree.live_view(id));
                // What has not been looked at counts as absent.
                let view = view.filter(|v| v.fate != Fate::Unvisited || v.children > 0);
                let now = view.map(|v| seen(&v, tree));
                let fires = number > 1 && now != before;
                assert_eq!(
                    matcher.matches(number, event, tree),
                    fires,
                    "{} {number} {event:?}",
                    row.name
                );
                before = now;
                fired += u32::from(fires);
            });
        }
        assert!(fired > 0, "{}: {fired}", row.name);
    }
}

/// After stepping back to an event and continuing, breakpoints fire as they did the first time.
#[test]
fn after_going_back_the_same_fires_again() {
    let texts = [
        "when nodes >= 40",
        "under \"cxd5\"",
        "changes \"cxd5\"",
        "on cutoff or when expected > 0.1",
        "when expected > 0.05 or at \"Qc2\"",
    ];
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Distress] {
        for text in texts {
            let asked = breakpoint(text, MIDDLEGAME);
            let run = |matcher: &mut Matcher, from: u64| {
                let mut fired = Vec::new();
                live_chess(algorithm, MIDDLEGAME, 10_000, |number, event, tree| {
                    if number == from {
                        matcher.begin(tree);
                    }
                    if number > from && matcher.matches(number, event, tree) {
                        fired.push(number);
                    }
                });
                fired
            };
            let mut matcher = asked.matcher();
            let first = run(&mut matcher, 0);
            assert!(first.len() >= 2, "{algorithm} {text}: {first:?}");
            for k in [first[0], first[first.len() / 2], first[first.len() / 2] + 1] {
                matcher.forget_after(k);
                let again = run(&mut matcher, k);
                let rest: Vec<u64> = first.iter().copied().filter(|n| *n > k).collect();
                assert_eq!(again, rest, "{algorithm} {text} from {k}");
            }
        }
    }
}

#[test]
fn figures_are_the_events_own_then_the_nodes() {
    let fits =
        |text: &str, event: &Event, tree: &Tree| breakpoint(text, MIDDLEGAME).holds(event, tree);
    let run = run_chess(Algorithm::AlphaBeta, MIDDLEGAME, 10_000);
    let tree = &run.tree;
    let mut met = [0; 4];
    for event in run.events.iter().take(20_000) {
        match *event {
            Event::Enter {
                alpha, beta, depth, ..
            } => {
                let text = format!(
                    "when depth = {depth} and beta - alpha = {}",
                    f64::from(beta.raw()) - f64::from(alpha.raw())
                );
                let open = alpha.raw() < -32_000 || beta.raw() > 32_000;
                assert_eq!(fits(&text, event, tree), !open, "{text}");
                met[0] += 1;
            }
            Event::Evaluate { value, .. } => {
                let text = format!("when value = {0} and static = {0}", value.raw());
                assert!(fits(&text, event, tree), "{text}");
                met[1] += 1;
            }
            Event::Cut {
                fate:
                    Fate::BetaCutoff {
                        value,
                        beta,
                        searched,
                        ..
                    },
                ..
            } => {
                let text = format!(
                    "when value >= beta and value = {} and beta = {} and searched = {searched}",
                    value.raw(),
                    beta.raw()
                );
                assert!(fits(&text, event, tree), "{text}");
                met[2] += 1;
            }
            Event::Prune {
                fate:
                    Fate::Futility {
                        static_value,
                        margin,
                        alpha,
                        ..
                    },
                ..
            } => {
                let text = format!(
                    "when static + margin <= alpha and static = {} and margin = {margin} and alpha = {}",
                    static_value.raw(),
                    alpha.raw()
                );
                assert!(fits(&text, event, tree), "{text}");
                met[3] += 1;
            }
            _ => {}
        }
        let ply = tree.moves_to(event.node()).len();
        assert!(fits(&format!("when ply = {ply}"), event, tree));
        // Figures of best-first searches are absent, whichever way the question is put.
        assert!(!fits("when policy < 2", event, tree) && !fits("when policy >= 2", event, tree));
        assert!(fits("not when policy < 2", event, tree));
        let back_up = event.kind() == EventKind::BackUp;
        assert!(back_up || !fits("when before <= 1", event, tree));
    }
    assert!(met.iter().all(|n| *n > 50), "{met:?}");
}

/// In a toy tree scores are in the file's unit.
#[test]
fn toy_scores_are_in_the_files_unit() {
    let situation = toy(
        &Shape::parse("[[3,12,8],[2,4,6],[14,5,2]]"),
        Side::White,
        0.0,
    );
    let subject = Subject::from(situation.clone());
    let run = run_toy(Algorithm::AlphaBeta, &situation, 100);
    let fired = |text: &str| -> usize {
        let asked = Breakpoint::parse(text, &subject).expect(text);
        run.events
            .iter()
            .filter(|e| asked.holds(e, &run.tree))
            .count()
    };
    assert_eq!(fired("on leave at \"\" when value = 3"), 1);
    assert_eq!(fired("on end when value = 4"), 0, "4 is cut off");
    assert_eq!(
        fired("on cutoff at \"rb\" when searched = 1 and |value| = 2"),
        1
    );
    let refused = Breakpoint::parse("at \"ra rax\"", &subject).expect_err("no such child");
    assert_eq!(
        refused.to_string(),
        "column 8: found \"rax\", expected one of raa, rab, rac"
    );
}

#[test]
fn a_proof_is_caught() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        let asked = breakpoint("on prove at root when lower = 1", MATE);
        let mut matcher = asked.matcher();
        let mut state = breakpoint("at root when proven", MATE).matcher();
        let (mut proofs, mut states) = (0, 0);
        live_chess(algorithm, MATE, 50_000, |number, event, tree| {
            proofs += u32::from(matcher.matches(number, event, tree));
            states += u32::from(state.matches(number, event, tree));
        });
        assert!(proofs >= 1, "{algorithm}");
        assert_eq!(states, 1, "{algorithm}");
    }
}
