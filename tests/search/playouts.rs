//! Playouts and point differential: golden values, every way in which a playout ends, and MCTS with playouts.

use algorithms::Algorithm;
use best_first::mcts::playout_rules;
use common::{KIWIPETE, Run, Shape, any_shape, check_nesting, chess, run, toy};
use eval::playout::{
    Differential, Finish, Measure, Player, Playout, PlayoutRules, blended, playout_seed,
    winning_chance,
};
use eval::{Evaluator, HandCrafted, ToyEvaluator};
use game::{ChessPosition, Ending, Game, Scale, Score, Side, Situation};
use proptest::prelude::*;
use report::explanation;
use report::lens::{self, Lens};
use search::explanation::{Part, Phrase, Unit};
use search::{Limits, Options, StopReason, Viewpoint};
use session::{Config, GrownBy, Reader, Session, Subject};
use shakmaty::{CastlingMode, fen::Fen};
use tree::{Fate, NodeId, Proof, Tree};

const EXPECTED: Lens = Lens {
    unit: lens::Unit::Expected,
    ..Lens::OWN
};

fn options(pairs: &[&str]) -> Options {
    let mut options = Algorithm::Mcts.default_options();
    options.set("leaf", "playouts").expect("an option");
    for pair in pairs {
        options.set_pair(pair).expect("an option");
    }
    options
}

fn rules(pairs: &[&str]) -> PlayoutRules {
    playout_rules(&options(pairs)).expect("playouts")
}

fn play<G: Game, E: Evaluator<G>>(
    rules: PlayoutRules,
    evaluator: &E,
    position: &G,
    seed: u64,
) -> (Playout, u16) {
    let state = evaluator.start(position);
    let mut counted = 0;
    let count = || {
        counted += 1;
        Ok::<(), ()>(())
    };
    let played = Player::new(rules).play(evaluator, position, &state, seed, count);
    (played.expect("never interrupted"), counted)
}

fn play_chess(rules: PlayoutRules, fen: &str, seed: u64) -> Playout {
    play(rules, &HandCrafted::default(), &chess(fen).position, seed).0
}

/// The example in Brian Sheppard's *MCTS and Point Differential* (2011): 94 % * 1 + 6 % * .62 = .9772.
#[test]
fn the_mail_s_example() {
    assert!((blended(1.0, 0.62, 0.06) - 0.9772).abs() < 1e-12);
    assert_eq!(blended(1.0, 0.62, 0.0), 1.0);
    assert_eq!(blended(0.0, 0.62, 1.0), 0.62);
    assert_eq!(winning_chance(0, 500.0), 0.5);
    // 1 / (1 + e^-1).
    assert!((winning_chance(500, 500.0) - 0.731_058_578_630).abs() < 1e-9);
    let sum = winning_chance(321, 500.0) + winning_chance(-321, 500.0);
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn weights_go_by_the_phase_at_the_leaf() {
    let declining = Differential::Declining {
        from: 0.08,
        to: 0.0,
    };
    assert_eq!(declining.weight(1.0), 0.08);
    assert_eq!(declining.weight(0.0), 0.0);
    assert!((declining.weight(0.5) - 0.04).abs() < 1e-12);
    assert_eq!(Differential::None.weight(0.7), 0.0);
    assert_eq!(Differential::Constant(0.04).weight(0.1), 0.04);
    let rules = rules(&["differential=declining"]);
    assert_eq!(rules.differential, declining);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(play_chess(rules, start, 7).weight, 0.08);
    // Two rooks of twenty-four: w = .08 * 4 / 24, however the playout continues.
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    for seed in 0..20 {
        let weight = play_chess(rules, rooks, seed).weight;
        assert!((weight - 0.08 * 4.0 / 24.0).abs() < 1e-12, "{weight}");
    }
    let pawns = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1";
    assert_eq!(play_chess(rules, pawns, 7).weight, 0.0);
}

#[test]
fn only_who_has_a_queen_mates() {
    let rules = rules(&["playout-length=1000", "playout-margin=0"]);
    let mut mates = 0;
    for seed in 0..200 {
        for (fen, winning) in [
            ("8/8/8/4k3/8/8/8/3QK3 w - - 0 1", 1.0),
            ("8/8/8/4k3/8/8/8/3QK3 b - - 0 1", 0.0),
        ] {
            let played = play_chess(rules, fen, seed);
            match played.finish {
                Finish::Ended(Ending::Checkmate) => {
                    assert_eq!(played.outcome, winning);
                    mates += 1;
                    let ahead = if winning == 1.0 { 900 } else { -900 };
                    assert_eq!(played.difference, ahead);
                }
                Finish::Ended(_) | Finish::Repetition => assert_eq!(played.outcome, 0.5),
                other => panic!("{other:?} after {} plies", played.plies),
            }
        }
    }
    assert!(mates > 0);
}

#[test]
fn who_is_far_ahead_for_long_enough_has_won() {
    let queen_up = "3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1";
    let at_once = rules(&["playout-patience=1"]);
    let played = play_chess(at_once, queen_up, 3);
    assert_eq!((played.plies, played.finish), (0, Finish::Adjudicated));
    assert_eq!((played.outcome, played.difference), (1.0, 900));
    // From the other side's view.
    let other = queen_up.replace(" b ", " w ");
    let played = play_chess(at_once, &other, 3);
    assert_eq!((played.outcome, played.difference), (0.0, -900));
    // Without a margin nobody wins by being ahead, and at the maximum length only the rules count.
    let unjudged = rules(&["playout-margin=0", "playout-length=3"]);
    let played = play_chess(unjudged, queen_up, 3);
    assert_eq!((played.plies, played.finish), (3, Finish::Length));
    assert_eq!(played.outcome, 0.5);
    // Without a single ply, the leaf's own difference decides.
    let none = rules(&["playout-length=0", "playout-patience=9"]);
    let played = play_chess(none, queen_up, 3);
    assert_eq!(
        (played.plies, played.finish, played.outcome),
        (0, Finish::Length, 1.0)
    );
}

#[test]
fn captures_and_checks_are_preferred_as_told() {
    // One sound capture (a pawn takes a queen) among about twenty quiet moves.
    let fen = "4k3/8/8/3q4/4P3/8/PPPP4/1N2K3 w - - 0 1";
    let position = chess(fen).position;
    let quiet = position.legal_moves().len() as f64 - 1.0;
    let share = |weight: u32| {
        let weight = format!("playout-captures={weight}");
        let pairs = [
            weight.as_str(),
            "playout-checks=1",
            "playout-length=1",
            "playout-margin=0",
        ];
        let rules = rules(&pairs);
        let captured =
            |seed: &u64| play_chess(rules, fen, playout_seed(1, 1, *seed as u32)).difference > 0;
        (0..4000).filter(captured).count() as f64 / 4000.0
    };
    for weight in [1, 8, 100] {
        let expected = f64::from(weight) / (f64::from(weight) + quiet);
        let found = share(weight);
        let sd = (expected * (1.0 - expected) / 4000.0).sqrt();
        assert!(
            (found - expected).abs() < 5.0 * sd,
            "{weight}: {found} for {expected}"
        );
    }
}

/// The expected score of a toy tree under a random walk, from the side to move's view.
fn walk_value(position: &game::ToyPosition) -> f64 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        let score = position.ending_score(Ending::Leaf);
        return f64::from(position.scale().expected(score));
    }
    let below = moves.iter().map(|&m| {
        let mut after = position.clone();
        after.play(m);
        -walk_value(&after)
    });
    below.sum::<f64>() / moves.len() as f64
}

#[test]
fn toy_trees_are_walked_to_a_leaf() {
    let situation = toy(
        &Shape::parse("[[3,12,8],[2,[4,-6]],[-14,5,2]]"),
        Side::White,
        0.0,
    );
    let position = &situation.position;
    let rules = rules(&["playout-length=0", "playout-patience=1", "playout-margin=1"]);
    let evaluator = ToyEvaluator;
    let n = 4000;
    let mut sum = 0.0;
    for number in 0..n {
        let seed = playout_seed(5, 1, number);
        let (played, _) = play(rules, &evaluator, position, seed);
        assert_eq!(played.finish, Finish::Ended(Ending::Leaf));
        assert!((2..=3).contains(&played.plies));
        sum += played.expected() / f64::from(n);
    }
    assert!((sum - walk_value(position)).abs() < 0.03, "{sum}");
}

/// A position after some random moves.
fn somewhere(seed: u64, plies: u16) -> ChessPosition {
    let mut position = ChessPosition::default();
    let mut state = seed;
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.ending(true).is_some() {
            break;
        }
        state = playout_seed(state, 1, 1);
        position.play(moves[(state % moves.len() as u64) as usize]);
    }
    position
}

fn any_rules() -> impl Strategy<Value = PlayoutRules> {
    let differential = prop_oneof![
        Just(Differential::None),
        (0.0f64..=1.0).prop_map(Differential::Constant),
        (0.0f64..=1.0, 0.0f64..=1.0).prop_map(|(from, to)| Differential::Declining { from, to }),
    ];
    let measure = prop_oneof![Just(Measure::Material), Just(Measure::Evaluation)];
    (
        0u16..60,
        1u32..20,
        1u32..20,
        0i32..900,
        1u16..6,
        measure,
        differential,
    )
        .prop_map(
            |(length, capture, check, margin, patience, measure, differential)| PlayoutRules {
                length,
                capture,
                check,
                margin,
                patience,
                measure,
                differential,
                scale: 500.0,
            },
        )
}

proptest! {
    #[test]
    fn results_lie_between_outcome_and_chance(
        at in any::<u64>(),
        plies in 0u16..80,
        seed in any::<u64>(),
        rules in any_rules(),
    ) {
        let position = somewhere(at, plies);
        let evaluator = HandCrafted::default();
        let (played, counted) = play(rules, &evaluator, &position, seed);
        prop_assert_eq!(played.plies, counted);
        prop_assert!(played.plies <= rules.length);
        prop_assert!([0.0, 0.5, 1.0].contains(&played.outcome));
        let (low, high) = (played.outcome.min(played.chance), played.outcome.max(played.chance));
        prop_assert!(low - 1e-12 <= played.result() && played.result() <= high + 1e-12);
        prop_assert!((played.chance - winning_chance(played.difference, 500.0)).abs() < 1e-12);
        if rules.differential == Differential::None {
            prop_assert_eq!(played.result(), played.outcome);
        }
        // The same seed plays the same moves, whatever the weight of the differential.
        let (again, _) = play(rules, &evaluator, &position, seed);
        prop_assert_eq!(played, again);
        let bare = PlayoutRules { differential: Differential::None, ..rules };
        let (other, _) = play(bare, &evaluator, &position, seed);
        prop_assert_eq!((other.plies, other.difference, other.outcome), (played.plies, played.difference, played.outcome));
    }

    #[test]
    fn an_interrupted_playout_is_no_playout(at in any::<u64>(), most in 0u16..8) {
        let position = somewhere(at, 6);
        let evaluator = HandCrafted::default();
        let state = evaluator.start(&position);
        let mut left = most;
        let rules = rules(&["playout-margin=0", "playout-length=12"]);
        let count = || { if left == 0 { return Err("enough"); } left -= 1; Ok(()) };
        let played = Player::new(rules).play(&evaluator, &position, &state, 1, count);
        prop_assert!(played.is_err() || played.is_ok_and(|p| p.plies <= most));
        prop_assert!(left == 0 || most > 0);
    }
}

fn mcts_run(fen: &str, pairs: &[&str], limits: Limits) -> Run {
    let evaluator = HandCrafted::default();
    run(
        Algorithm::Mcts,
        &chess(fen),
        &evaluator,
        &options(pairs),
        limits,
        64 << 20,
    )
}

#[test]
fn every_ply_of_a_playout_is_a_node_and_every_run_the_same() {
    for limit in [1, 7, 100, 5_000] {
        let one = mcts_run(KIWIPETE, &[], common::nodes(limit));
        assert_eq!(one.totals.nodes, limit);
        assert_eq!(one.reason, Some(StopReason::Nodes));
        check_nesting(&one);
        let root = one.tree.node(Tree::ROOT);
        assert_eq!(u64::from(root.visits()), one.totals.playouts);
        let two = mcts_run(KIWIPETE, &[], common::nodes(limit));
        assert!(one.events == two.events, "{limit}: other events");
        assert_eq!(one.tree.difference(&two.tree), None);
    }
}

#[test]
fn no_weight_is_no_differential() {
    let none = mcts_run(KIWIPETE, &[], common::nodes(5_000));
    let nought = [
        "differential=declining",
        "differential-from=0",
        "differential-to=0",
    ];
    let nought = mcts_run(KIWIPETE, &nought, common::nodes(5_000));
    assert!(none.events == nought.events);
    let some = mcts_run(KIWIPETE, &["differential=constant"], common::nodes(5_000));
    assert!(none.events != some.events);
}

#[test]
fn a_search_ends_after_so_many_descents() {
    for wanted in [1, 2, 100, 777] {
        let limits = common::playouts(wanted);
        let run = mcts_run(KIWIPETE, &[], limits);
        assert_eq!(run.totals.playouts, wanted);
        assert_eq!(run.reason, Some(StopReason::Playouts));
        assert_eq!(u64::from(run.tree.node(Tree::ROOT).visits()), wanted);
    }
}

#[test]
fn what_is_proven_stays_proven_under_any_weight() {
    let heavy = ["differential=constant", "differential-weight=0.9"];
    let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let run = mcts_run(mate, &heavy, common::nodes(100_000));
    assert_eq!(run.reason, Some(StopReason::Solved));
    let root = run.tree.node(Tree::ROOT);
    assert_eq!(root.proof(), Proof::exact(Score::win_in(1)));
    assert_eq!(root.expected(), 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn toy_trees_are_solved_as_ever(shape in any_shape(4), weight in 0.0f64..=1.0) {
        let situation = toy(&shape, Side::White, 0.0);
        let weight = format!("differential-weight={weight}");
        let options = options(&["differential=constant", &weight]);
        let evaluator = ToyEvaluator;
        let run = run(Algorithm::Mcts, &situation, &evaluator, &options, common::nodes(100_000), 64 << 20);
        prop_assert_eq!(run.reason, Some(StopReason::Solved));
        let proof = run.tree.node(Tree::ROOT).proof();
        prop_assert_eq!(proof, Proof::exact(Score::new(shape.minimax(true))));
    }
}

/// Returns the sentence about a leaf's playout.
fn playout(reader: &Reader, id: NodeId, seed: u64) -> Option<Phrase> {
    let explained = reader.explain(id, Viewpoint::Own, Some(seed));
    explained.sentences.into_iter().next()
}

/// Returns the value in it.
fn expected(phrase: &Phrase) -> f64 {
    let value = |part: &Part| match part {
        Part::Number(value, Unit::Expected) => Some(*value),
        _ => None,
    };
    phrase.iter().find_map(value).expect("a value")
}

/// Every leaf with a single visit has the value that its playout has when it is played again.
#[test]
fn a_leaf_s_playout_is_played_again() {
    let pairs = ["differential=declining", "differential-to=0.04"];
    let run = mcts_run(KIWIPETE, &pairs, common::nodes(8_000));
    let subject = Subject::from(chess(KIWIPETE));
    let options = options(&pairs);
    let reader = Reader {
        tree: &run.tree,
        subject: &subject,
        searcher: GrownBy::Own(Algorithm::Mcts, &options),
    };
    let (mut once, mut told) = (0, 0);
    for id in (1..run.tree.len())
        .map(NodeId)
        .filter(|&id| run.tree.contains(id))
    {
        let node = run.tree.node(id);
        let Some(phrase) = playout(&reader, id, 1) else {
            assert!(node.fate() != Fate::Frontier || node.visits() == 0);
            continue;
        };
        let sentence = explanation::text(&reader, id, &phrase, &EXPECTED.at(&reader, id));
        assert!(
            sentence.contains("P(win | d)") && sentence.contains(" plies by ")
                || sentence.contains(" ply by "),
            "{sentence}"
        );
        told += 1;
        if node.visits() == 1 && node.fate() == Fate::Frontier {
            let off = f64::from(node.expected()) - expected(&phrase);
            assert!(off.abs() < 1e-6, "{id:?}: {off}");
            once += 1;
        }
    }
    assert!(once > 20 && told >= once, "{once} of {told}");
    // Unexpanded leaves of other evaluations have none.
    let default = Algorithm::Mcts.default_options();
    let other = Reader {
        searcher: GrownBy::Own(Algorithm::Mcts, &default),
        ..reader
    };
    assert_eq!(playout(&other, Tree::ROOT, 1), None);
}

#[test]
fn the_sentence_has_every_figure() {
    let fen = "3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1";
    let pairs = [
        "playout-patience=1",
        "differential=constant",
        "differential-weight=0.06",
        "differential-scale=900",
    ];
    let limits = common::playouts(1);
    let run = mcts_run(fen, &pairs, limits);
    let subject = Subject::from(chess(fen));
    let options = options(&pairs);
    let reader = Reader {
        tree: &run.tree,
        subject: &subject,
        searcher: GrownBy::Own(Algorithm::Mcts, &options),
    };
    let phrase = playout(&reader, Tree::ROOT, 1);
    let scores = EXPECTED.at(&reader, Tree::ROOT);
    let sentence = phrase.map(|phrase| explanation::text(&reader, Tree::ROOT, &phrase, &scores));
    // P = 1 / (1 + e^-1) = .7311, r = .94 + .06 * .7311 = .9839.
    assert_eq!(
        sentence.as_deref(),
        Some(
            "The playout from here ended after 0 plies by adjudication: outcome 1, d +900 cp, P(win | d) 0.7311, w 0.06, so r = 0.9839 and the value +0.97."
        )
    );
}

#[test]
fn two_threads_play_out_too() {
    let mut config = Config::new(Algorithm::Mcts);
    config.options = options(&["differential=declining"]);
    config.limits = common::nodes(60_000);
    config.threads = 2;
    config.memory = 64 << 20;
    let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
    session.join();
    let status = session.status();
    let root = session.tree().node(Tree::ROOT);
    assert_eq!(u64::from(root.visits()), status.totals.playouts);
    assert!(root.expected().abs() <= 1.0);
}

/// The default k is close to the one that fits the sample's verdicts best.
#[test]
fn the_default_scale_is_fitted() {
    let evaluator = HandCrafted::default();
    let rules = rules(&[]);
    let mut points = Vec::new();
    for (i, line) in include_str!("../../sample-positions/labels/sample.tsv")
        .lines()
        .enumerate()
    {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[7] != "g" {
            continue;
        }
        let fen: Fen = fields[0].parse().expect("a FEN");
        let position = fen.into_position(CastlingMode::Standard).expect("legal");
        let position = ChessPosition::new(position, CastlingMode::Standard);
        let value: i32 = fields[2].parse().expect("a number");
        let verdict = match fields[1] {
            "mate" => value.signum() as f32,
            _ => Scale::Logistic.expected(Score::new(value)),
        };
        let situation = Situation::new(position);
        for number in 0..4 {
            let seed = playout_seed(9, i as u32, number);
            let (played, _) = play(rules, &evaluator, &situation.position, seed);
            points.push((f64::from(played.difference), f64::from(1.0 + verdict) / 2.0));
        }
    }
    // The likelihood falls on both sides of k.
    let likelihood = |k: f64| -> f64 {
        let of = |&(d, y): &(f64, f64)| {
            let p = winning_chance(d as i32, k).clamp(1e-12, 1.0 - 1e-12);
            y * p.ln() + (1.0 - y) * (1.0 - p).ln()
        };
        points.iter().map(of).sum()
    };
    let k = rules.scale;
    assert!(points.len() > 400, "{}", points.len());
    assert!(likelihood(k) > likelihood(k / 1.5) && likelihood(k) > likelihood(k * 1.5));
}
