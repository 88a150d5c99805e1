//! DISTRESS with the back-ups of the precursors: whole searches, including proofs.

use algorithms::Algorithm;
use belief::numbers::{Form, Optimal, Played};
use belief::precursors::{Svfc, ThreePoint};
use belief::{Numbers, Rule};
use best_first::distress;
use common::legs::Stage;
use common::{KIWIPETE, Shape, any_shape, chess, toy};
use eval::{HandCrafted, ToyEvaluator};
use game::{Score, Side};
use proptest::prelude::*;
use report::json::SearchResult;
use search::{Start, StopReason};
use session::{Config, Session, Subject};
use tree::{Fate, NodeId, Proof, Tree};

const RULES: [&str; 3] = ["svfc", "svfc:0", "three-point"];

/// Inner nodes without any proof that have at least two children.
fn open_nodes(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    (1..=tree.len()).map(NodeId).filter(|&id| {
        let node = tree.node(id);
        let proof = node.proof();
        let open = proof.lower.is_loss() && proof.upper.is_win();
        matches!(node.fate(), Fate::Expanded { .. }) && open && node.child_count() > 1
    })
}

/// A child's numbers from its parent's view: those it keeps, or those of a leaf's belief.
fn from_parent(tree: &Tree, rule: Rule, child: NodeId) -> Numbers {
    let place = tree.node(child).belief();
    let kept = tree.numbers(place);
    match kept.and_then(|words| Numbers::from_words(rule, words)) {
        Some(numbers) => numbers,
        None => {
            let belief = tree.belief(child).expect("a belief").negated();
            Numbers::read(rule, &belief, tree.grid()).expect("a precursor")
        }
    }
}

/// Every inner node without a proof keeps exactly what the precursor's formula computes from its children's numbers,
/// over any number of plies; its belief is written from that.
#[test]
fn every_node_keeps_the_numbers_of_the_formula() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for word in RULES {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.options.set("backup", word).expect("a rule");
        stage.options.set("leaf", "static").expect("a word");
        let (_, events) = stage.leg(Start::default(), 700);
        assert!(events.len() > 100);
        let (tree, grid) = (&stage.tree, stage.tree.grid());
        let rule: Rule = word.parse().expect("a rule");
        let (mut checked, mut deep) = (0, 0);
        for id in open_nodes(tree) {
            let children: Vec<Numbers> = tree
                .children(id)
                .map(|c| from_parent(tree, rule, c))
                .collect();
            let expected = match rule {
                Rule::Svfc(b) => {
                    let four: Vec<Svfc> = belief::forms::four(&children);
                    let b = f64::from(b);
                    let (own, played) = Svfc::back_up(&four, (b, b)).expect("children");
                    for (child, p) in tree.children(id).zip(played) {
                        assert_eq!(tree.node(child).policy(), p as f32);
                    }
                    Numbers::Svfc(own)
                }
                _ => {
                    let three = |n: &Numbers| match n {
                        Numbers::ThreePoint(n) => *n,
                        Numbers::Svfc(_) => panic!("three points"),
                    };
                    let read: Vec<ThreePoint> = children.iter().map(three).collect();
                    Numbers::ThreePoint(ThreePoint::maximum(&read).expect("children"))
                }
            };
            let (kept, _) = distress::numbers(tree, &stage.options, id).expect("numbers");
            assert_eq!(kept, expected, "{word} at {id:?}");
            assert_eq!(
                tree.belief(id),
                Some(expected.belief(grid)),
                "{word} at {id:?}"
            );
            checked += 1;
            deep += u32::from(tree.moves_to(id).len() > 1);
        }
        assert!(checked > 3 && deep > 0, "{word}: {checked} {deep}");
    }
}

/// What was lost when only a distribution was kept: (f, c) of (.25, .04) came back as (.005, .019) after one ply.
#[test]
fn numbers_of_a_line_come_up_unchanged() {
    let line = (0..5).fold(Shape::Leaf(30), |below, _| Shape::Node(vec![below]));
    let (situation, evaluator) = (toy(&line, Side::White, 9.0), ToyEvaluator);
    for word in RULES {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        stage.options.set("backup", word).expect("a rule");
        stage.leg(Start::default(), 100);
        let tree = &stage.tree;
        let rule: Rule = word.parse().expect("a rule");
        let path: Vec<NodeId> = (1..=tree.len()).map(NodeId).collect();
        let leaf = *path.last().expect("a leaf");
        let words = [0.1, 0.02, 0.25, 0.04];
        let given = Numbers::from_words(rule, words).expect("a precursor");
        assert!(tree.moves_to(leaf).len() > 3);
        // The leaf gets numbers that no distribution on the grid has.
        let place = tree.node(leaf).belief();
        let held = tree.belief_slot(place).lock();
        tree.set_numbers(place, given.negated().words());
        drop(held);
        let mut expected = given;
        for id in path.iter().rev() {
            let mut sides = distress::Sides::new(&stage.options, tree.grid());
            if *id != leaf {
                let child = NodeId(id.0 + 1);
                let detail =
                    distress::detail(tree, sides.at(|| true), *id, &[child]).expect("numbers");
                let node = detail.precursor.expect("numbers").node();
                expected = expected.negated();
                assert_eq!(node, expected, "{word} at {id:?}");
                let slot = tree.node(*id).belief();
                let _held = tree.belief_slot(slot).lock();
                tree.set_numbers(slot, node.negated().words());
            }
            let (kept, _) = distress::numbers(tree, &stage.options, *id).expect("numbers");
            assert_eq!(kept, expected, "{word} at {id:?}");
        }
        assert_eq!(tree.copy().difference(tree), None);
    }
}

/// The DISTRESS essay's own parts: who is played also depends on v, f and c, beliefs in the best start at 1/2 or 1/N,
/// and the opponent has a blend of its own.
#[test]
fn the_essays_parts_are_used_at_every_node() {
    let (situation, evaluator) = (chess(KIWIPETE), HandCrafted::default());
    for (played, optimal, form) in [
        ("tails", "half", (Played::Tails, Optimal::Half)),
        ("optimal", "share", (Played::Optimal, Optimal::Share)),
        ("optimal", "log-odds", (Played::Optimal, Optimal::LogOdds)),
        ("optimal", "score", (Played::Optimal, Optimal::Score)),
    ] {
        let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
        for (key, word) in [
            ("backup", "svfc:.3"),
            ("leaf", "static"),
            ("svfc-played", played),
            ("svfc-optimal", optimal),
            ("svfc-opponent", "0.8"),
        ] {
            stage.options.set(key, word).expect("an option");
        }
        stage.leg(Start::default(), 300);
        let tree = &stage.tree;
        let rule: Rule = "svfc:.3".parse().expect("a rule");
        let form = Form {
            played: form.0,
            optimal: form.1,
            opponent: Some(0.8),
        };
        let mut sides = [0, 0];
        for id in open_nodes(tree) {
            let places: Vec<u32> = tree.children(id).map(|c| tree.node(c).belief()).collect();
            let numbers: Vec<Numbers> = tree
                .children(id)
                .map(|c| from_parent(tree, rule, c))
                .collect();
            let children = belief::forms::four(&numbers);
            let b: Vec<f64> = places
                .iter()
                .map(|p| tree.optimal(*p).expect("a belief in it"))
                .collect();
            assert!(b.iter().all(|b| (0.0..=1.0).contains(b)));
            if form.optimal == Optimal::Score {
                assert_eq!(b, form.optimal(&children, &vec![None; b.len()]));
            }
            let ply = tree.moves_to(id).len() % 2;
            let blend = if ply == 0 {
                f64::from(0.3f32)
            } else {
                f64::from(0.8f32)
            };
            let p = form.played(&children, &b);
            let expected = Svfc::combine(&children, &p, (blend, blend)).expect("children");
            let (kept, _) = distress::numbers(tree, &stage.options, id).expect("numbers");
            assert_eq!(
                kept,
                Numbers::Svfc(expected),
                "{played} {optimal} at {id:?}"
            );
            sides[ply] += 1;
        }
        assert!(
            sides[0] > 0 && sides[1] > 0,
            "{played} {optimal}: {sides:?}"
        );
    }
}

/// The JSON output contains what the nodes keep.
#[test]
fn json_shows_the_numbers() {
    for (word, keys) in [
        ("svfc", &["s", "v", "f", "c"][..]),
        ("three-point", &["q5", "q50", "q95"]),
    ] {
        let mut config = Config::new(Algorithm::Distress);
        config.limits.nodes = Some(200);
        config.options.set("backup", word).expect("a rule");
        config.options.set("leaf", "static").expect("a word");
        let mut session = Session::start(Subject::from(chess(KIWIPETE)), config);
        session.join();
        let reader = session.reader();
        let json = SearchResult::new(&session.summary(), session.config(), &reader);
        let json = serde_json::to_value(json).expect("JSON");
        let (kept, _) =
            distress::numbers(reader.tree, &session.config().options, Tree::ROOT).expect("numbers");
        let [a, b, c, d] = kept.words();
        let expected = match kept {
            Numbers::Svfc(_) => vec![a, b, c, d],
            Numbers::ThreePoint(_) => vec![a - b, a, a + c],
        };
        for (key, expected) in keys.iter().zip(expected) {
            assert_eq!(
                json["numbers"][key].as_f64(),
                Some(expected),
                "{word} {key}"
            );
            for m in json["moves"].as_array().expect("moves") {
                assert!(m["numbers"][key].is_f64(), "{word} {key}");
            }
        }
        assert_eq!(json["moves"][0]["numbers"]["b"].is_f64(), word == "svfc");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn exact_trees_are_solved(shape in any_shape(3), max in any::<bool>()) {
        let side = if max { Side::White } else { Side::Black };
        let (situation, evaluator) = (toy(&shape, side, 0.0), ToyEvaluator);
        let value = shape.minimax(max) * if max { 1 } else { -1 };
        for word in RULES {
            let mut stage = Stage::new(Algorithm::Distress, &situation, &evaluator);
            stage.options.set("backup", word).expect("a rule");
            let (leg, _) = stage.leg(Start::default(), 10_000);
            prop_assert_eq!(leg.reason, Some(StopReason::Solved), "{}", word);
            prop_assert_eq!(stage.tree.node(Tree::ROOT).proof(), Proof::exact(Score::new(value)));
        }
    }
}
