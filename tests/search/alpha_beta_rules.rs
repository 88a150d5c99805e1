//! Alpha-beta's rules: switched on and off, what they leave out, what audits find, and that no mate is lost or
//! invented.

use std::collections::HashMap;

use ::algorithms::{Algorithm, RULES};
use ::search::common::table::Tables;
use ::search::{
    AuditRow, Choices, Control, Effect, Event, Free, Job, Limits, Options, Record, Rule, Start,
    StopReason,
};
use common::{KIWIPETE, check_nesting, chess, run};
use depth_first::alpha_beta::without_rules;
use eval::HandCrafted;
use game::{ChessKnowledge as _, Game, MoveCode, Score};
use tree::{DepthChange, Fate, Tree};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

fn options(pairs: &[&str]) -> Options {
    let mut options = Algorithm::AlphaBeta.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option");
    }
    options
}

fn search(fen: &str, options: &Options, limits: Limits) -> common::Run {
    run(
        Algorithm::AlphaBeta,
        &chess(fen),
        &HandCrafted::default(),
        options,
        limits,
        256 << 20,
    )
}

/// How often a rule was applied, by its fate or by its counter.
fn applied(run: &common::Run, rule: Rule) -> u64 {
    let by_event = |e: &Event| match *e {
        Event::Prune { fate, .. } | Event::Cut { fate, .. } => Rule::of(fate) == Some(rule),
        Event::Depth { change, .. } => matches!(
            (change, rule),
            (DepthChange::Reduced { .. }, Rule::LateMoveReduction)
                | (DepthChange::Check, Rule::CheckExtension)
                | (DepthChange::Singular { .. }, Rule::SingularExtension)
        ),
        _ => false,
    };
    if rule == Rule::InternalReduction {
        return run.totals.rules[rule as usize];
    }
    run.events.iter().filter(|e| by_event(e)).count() as u64
}

#[test]
fn every_rule_is_applied_when_on_and_never_when_off() {
    let limits = common::nodes(400_000);
    let all = search(KIWIPETE, &options(&[]), limits);
    check_nesting(&all);
    for info in &RULES {
        assert!(
            applied(&all, info.rule) > 0,
            "{} is never applied",
            info.name()
        );
        let off = search(
            KIWIPETE,
            &options(&[&format!("{}=off", info.name())]),
            common::nodes(60_000),
        );
        assert_eq!(applied(&off, info.rule), 0, "{} is off", info.name());
        check_nesting(&off);
        assert!(off.tree.node(Tree::ROOT).fate().best().is_some());
    }
}

#[test]
fn a_search_without_rules_prunes_nothing_but_in_quiescence() {
    let plain = without_rules(&options(&[]));
    let run = search(MIDDLEGAME, &plain, common::depth(4));
    for info in &RULES {
        let quiescence = matches!(info.rule, Rule::DeltaPruning | Rule::LosingCaptures);
        assert_eq!(applied(&run, info.rule) > 0, quiescence, "{}", info.name());
    }
}

/// With a quiet check at the horizon a mate in two is seen one ply earlier; proving that it is the shortest takes one
/// ply more.
#[test]
fn quiescence_sees_mates_by_quiet_checks() {
    let fen = "7k/8/8/8/8/1R6/R7/K7 w - - 0 1";
    let value = |switch: &str, plies: u16| {
        let run = search(fen, &options(&[switch]), common::depth(plies));
        run.tree.view(Tree::ROOT).score.expect("a value")
    };
    assert!(!value("quiescence-checks=off", 2).is_win());
    assert_eq!(value("quiescence-checks=on", 2), Score::win_in(3));
    assert_eq!(value("quiescence-checks=off", 3), Score::win_in(3));
}

/// Move ordering, tables and windows are not rules: they change the work, not the value.
#[test]
fn ordering_table_and_aspiration_leave_the_value_as_it_is() {
    for fen in [KIWIPETE, MIDDLEGAME, ENDGAME] {
        let value = |pairs: &[&str]| {
            let mut all = vec!["delta-pruning=off"];
            all.extend_from_slice(pairs);
            let plain = without_rules(&options(&all));
            search(fen, &plain, common::depth(4))
                .tree
                .view(Tree::ROOT)
                .score
                .expect("a value")
        };
        let expected = value(&["table=off", "aspiration=off"]);
        for pairs in [
            &["table=off"][..],
            &["aspiration=off", "table=off", "killers=off"],
            &["table=off", "history=off", "continuation-history=off"],
            &["table=off", "counter-moves=off"],
        ] {
            assert_eq!(value(pairs), expected, "{fen}: {pairs:?}");
        }
    }
}

/// A cutoff or a skip only claims what its numbers support.
#[test]
fn the_numbers_of_every_fate_bear_it_out() {
    let raw = |s: Score| i32::from(s.raw());
    let run = search(KIWIPETE, &options(&[]), common::nodes(300_000));
    for event in &run.events {
        let (Event::Cut { fate, .. } | Event::Prune { fate, .. }) = *event else {
            continue;
        };
        match fate {
            Fate::ReverseFutility {
                static_value,
                margin,
                beta,
                ..
            } => assert!(raw(static_value) - i32::from(margin) >= raw(beta)),
            Fate::Futility {
                static_value,
                margin,
                alpha,
                ..
            } => assert!(raw(static_value) + i32::from(margin) <= raw(alpha)),
            Fate::NullMove { value, beta, .. } | Fate::MultiCut { value, beta, .. } => {
                assert!(value >= beta);
            }
            Fate::ProbCut { value, raised, .. } => assert!(value >= raised),
            Fate::LosingMoves { threshold, .. } => assert!(threshold <= 0),
            _ => {}
        }
    }
}

/// Every side search is opened and closed around its own moves, and a cutoff by it follows from its result.
#[test]
fn tries_and_their_answers_nest() {
    let run = search(KIWIPETE, &options(&[]), common::nodes(200_000));
    let mut open = Vec::new();
    let mut answered = 0;
    for event in &run.events {
        match *event {
            Event::Try {
                node, rule, bound, ..
            } => open.push((node, rule, bound)),
            Event::Tried {
                node, rule, bound, ..
            } => {
                assert_eq!(open.pop(), Some((node, rule, bound)));
                answered += 1;
            }
            _ => {}
        }
    }
    assert!(answered > 100, "{answered}");
}

#[test]
fn a_null_move_is_a_child_one_can_go_to() {
    let situation = chess(MIDDLEGAME);
    let run = search(MIDDLEGAME, &options(&[]), common::nodes(100_000));
    let mut stack = vec![(Tree::ROOT, situation.position.clone())];
    let mut passes = 0;
    while let Some((id, position)) = stack.pop() {
        for child in run.tree.children(id) {
            let code = run.tree.node(child).move_code();
            let next = position.after(code).expect("a legal move or a pass");
            if code == MoveCode::PASS {
                passes += 1;
                assert_ne!(next.turn(), position.turn());
                assert!(!position.is_check() && position.has_pieces());
            }
            if run.tree.node(child).child_count() > 0 && stack.len() < 3_000 {
                stack.push((child, next));
            }
        }
    }
    assert!(passes > 50, "{passes}");
}

struct Audited {
    rows: Vec<AuditRow>,
    events: Vec<Event>,
    totals: search::Totals,
    tree: Tree,
}

fn audited(fen: &str, every: u32, limit: u64) -> Audited {
    let situation = chess(fen);
    let tree =
        Tree::new(Algorithm::AlphaBeta.tree_spec(situation.position.scale(), 1 << 30, u16::MAX));
    let control = Control::new(common::nodes(limit), 1);
    let mut probe = Record::default();
    let job = Job {
        recorded: None,
        situation: &situation,
        evaluator: &HandCrafted::default(),
        tree: &tree,
        tables: &Tables::new(4 << 20),
        endgames: None,
        options: &options(&[&format!("audit={every}")]),
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    common::job::run(Algorithm::AlphaBeta, &job, 0, &mut probe);
    Audited {
        rows: control.audits().map(|a| a.rows()).unwrap_or_default(),
        events: probe.0,
        totals: control.totals(),
        tree,
    }
}

/// Returns what the search reports, without the ids of nodes, because audits create nodes of their own.
fn course(events: &[Event]) -> Vec<(u8, i16)> {
    let told = |e: &Event| match *e {
        Event::Audit { .. } => None,
        Event::Enter { alpha, .. } => Some(alpha.raw()),
        Event::Leave { score, .. } | Event::IterationDone { score, .. } => Some(score.raw()),
        Event::Best { to, .. } => Some(to.0 as i16),
        Event::Prune { m, .. } => Some(m.0 as i16),
        _ => Some(0),
    };
    events
        .iter()
        .filter_map(|e| Some((e.kind() as u8, told(e)?)))
        .collect()
}

#[test]
fn an_audit_leaves_the_search_as_it_was() {
    for fen in [KIWIPETE, MIDDLEGAME] {
        let (without, with) = (audited(fen, 0, 60_000), audited(fen, 7, 60_000));
        assert!(without.rows.is_empty());
        assert!(course(&without.events) == course(&with.events), "{fen}");
        assert_eq!(without.totals, with.totals);
        let audits = with
            .events
            .iter()
            .filter(|e| matches!(e, Event::Audit { .. }))
            .count();
        let tried: u64 = with.rows.iter().map(|r| r.tried).sum();
        // Helper nodes for which there is no room report nothing; here all of them have room.
        assert!(audits > 0 && audits as u64 <= tried, "{audits} of {tried}");
    }
}

#[test]
fn audits_are_drawn_for_every_pruning_rule_and_counted_by_depth() {
    let found = audited(KIWIPETE, 3, 400_000);
    let mut by_rule: HashMap<Rule, (u64, u64, u64)> = HashMap::new();
    for row in &found.rows {
        assert!(row.failed <= row.tried && row.tried <= row.pruned);
        let quiescence = matches!(row.rule, Rule::DeltaPruning | Rule::LosingCaptures);
        assert_eq!(row.depth == 0, quiescence, "{row:?}");
        let sum = by_rule.entry(row.rule).or_default();
        sum.0 += row.pruned;
        sum.1 += row.tried;
        sum.2 += row.nodes;
    }
    for info in &RULES {
        if matches!(info.effect, Effect::CutsNode | Effect::SkipsMove) {
            let (pruned, tried, nodes) = by_rule.get(&info.rule).copied().unwrap_or_default();
            assert!(tried > 0, "{} is never audited", info.name());
            assert!(nodes >= tried, "{}", info.name());
            // One in three, within five standard deviations.
            let (n, expected) = (pruned as f64, pruned as f64 / 3.0);
            let off = (tried as f64 - expected).abs();
            assert!(off <= 5.0 * (n * 2.0 / 9.0).sqrt() + 1.0, "{}", info.name());
        }
    }
}

/// An audit is kept at its move's node, with its latest result, until the move is searched.
#[test]
fn audits_can_be_found_in_the_tree() {
    let found = audited(KIWIPETE, 2, 200_000);
    let mut last = HashMap::new();
    for event in &found.events {
        if let Event::Audit {
            node,
            m,
            value,
            failed,
            ..
        } = *event
            && m != MoveCode::NONE
        {
            last.insert((node, m), (value, failed));
        }
    }
    let (mut stand, mut failures) = (0, 0);
    for (&(parent, m), &(value, failed)) in &last {
        let mut children = found.tree.children(parent);
        let child = children.find(|&c| found.tree.node(c).move_code() == m);
        let node = found.tree.node(child.expect("the audited move has a node"));
        // The search may have been stopped within a move that it had skipped earlier.
        if node.visits() == 0 && node.fate() != Fate::Interrupted {
            let audit = node.treatment().audit.expect("an audit");
            assert_eq!((audit.value, audit.failed), (value, failed));
            stand += 1;
            failures += usize::from(failed);
        }
    }
    assert!(stand > 100 && failures > 0, "{stand}, {failures} failed");
}

#[test]
fn mates_are_never_shorter_than_the_truth_and_exact_when_solved() {
    for (file, distance, limit, least) in [
        ("sunfish_mate1.fen", 1, 50_000, 1.0),
        // A quiet mating threat can hide behind the rules for a while.
        ("sunfish_mate2.fen", 2, 300_000, 0.98),
        ("sunfish_mate3.fen", 3, 1_500_000, 0.7),
    ] {
        let fens = common::positions(&format!("mates/{}", file));
        let mut found = 0;
        for fen in &fens {
            let situation = chess(fen);
            let control = Control::new(common::nodes(limit), 1);
            let spec = Algorithm::AlphaBeta.tree_spec(situation.position.scale(), 1 << 20, 1);
            let tree = Tree::new(spec);
            let job = Job {
                recorded: None,
                situation: &situation,
                evaluator: &HandCrafted::default(),
                tree: &tree,
                tables: &Tables::new(4 << 20),
                endgames: None,
                options: &options(&[]),
                control: &control,
                start: Start::default(),
                choices: &Choices::default(),
                seed: 1,
            };
            common::job::run(Algorithm::AlphaBeta, &job, 0, &mut Free);
            let view = tree.view(Tree::ROOT);
            let mate = view.score.and_then(Score::mate_moves);
            if let Some(mate) = mate {
                assert!(
                    mate >= distance,
                    "{fen}: mate in {mate}, {distance} is the truth"
                );
            }
            if view.proof.is_exact() {
                assert_eq!(mate, Some(distance), "{fen}: said to be exact");
                found += 1;
            }
            let solved = control.stopped() == Some(StopReason::Solved);
            assert!(
                !solved || view.proof.is_exact(),
                "{fen}: solved without a proof"
            );
        }
        let need = (fens.len() as f64 * least).ceil() as usize;
        assert!(found >= need, "{file}: {found} of {} solved", fens.len());
    }
}
