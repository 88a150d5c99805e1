//! Sentences and short forms over real searches, with made-up differences.

use std::sync::{Arc, OnceLock};

use super::*;
use algorithms::Algorithm;
use game::load::{fen, toy_tree};
use game::{Score, Situation, ToyPosition};
use search::Limits;
use session::{Config, Session, Subject};
use studies::compare::Path;
use tree::NodeId;

fn searched(subject: Subject, algorithm: Algorithm) -> Session {
    let limits = Limits {
        nodes: Some(2_000),
        ..Limits::default()
    };
    let config = Config {
        limits,
        memory: 64 << 20,
        ..Config::new(algorithm)
    };
    let mut session = Session::start(subject, config);
    session.join();
    session
}

/// White mates with Ra8.
fn mate() -> &'static (Session, Session) {
    static BOTH: OnceLock<(Session, Session)> = OnceLock::new();
    BOTH.get_or_init(|| {
        let position = fen::parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").expect("a FEN");
        let subject = Subject::from(Situation::new(position.position));
        (
            searched(subject.clone(), Algorithm::AlphaBeta),
            searched(subject, Algorithm::Distress),
        )
    })
}

fn merged(both: &(Session, Session)) -> Merged<'_> {
    let readers = vec![Some(both.0.reader()), Some(both.1.reader())];
    Merged::new(both.0.subject(), readers)
}

fn path(merged: &Merged, line: &str) -> Path {
    let mut path = Path::new();
    for word in line.split_whitespace() {
        let rows = merged.rows(&path);
        let row = rows.iter().find(|r| r.name.san == word);
        path.push(row.expect("a legal move").name.code);
    }
    path
}

fn names() -> Vec<String> {
    vec!["alpha-beta".into(), "distress\u{1b}[2J".into()]
}

/// A difference without values to judge it by.
fn noted(difference: Difference) -> Found {
    Found {
        difference,
        apart: None,
        flagged: false,
    }
}

fn told(line: &str, difference: &Difference) -> (String, String) {
    let merged = merged(mate());
    let path = path(&merged, line);
    (
        sentence(&merged, &path, &noted(*difference), &names()),
        short(&merged, &path, difference),
    )
}

const FUTILE: Fate = Fate::Futility {
    static_value: Score::from_raw(-310),
    margin: 142,
    alpha: Score::from_raw(-95),
    depth: 2,
};

#[test]
fn a_pruned_move_is_told_with_the_fates_numbers() {
    let difference = Difference::PrunedHereBestThere {
        here: 0,
        there: 1,
        fate: FUTILE,
    };
    let (sentence, short) = told("Ra8#", &difference);
    assert_eq!(
        sentence,
        "1.Ra8#: best for distress␛[2J (win), not searched by alpha-beta: static value −3.10 + margin 1.42 (depth 2) = \
         −1.68 is 0.73 below alpha −0.95 (White's view)."
    );
    assert_eq!(short, "P1 futile: at best −1.68");
}

#[test]
fn proofs_are_told_from_the_side_that_plays_the_move() {
    let proof = Proof::exact(Score::win_in(1));
    let other_proof = Proof::exact(Score::DRAW);
    let (sentence, short) = told(
        "Ra8#",
        &Difference::Contradiction {
            one: 1,
            other: 0,
            one_proof: proof,
            other_proof,
        },
    );
    assert_eq!(
        sentence,
        "1.Ra8#: distress␛[2J has proven win in 1, alpha-beta has proven draw; one of them is wrong, or holds only on \
         its path (White's view)."
    );
    assert_eq!(short, "C2 win in 1, 1 draw");
    let open = Difference::ProvenHere {
        here: 1,
        there: 0,
        proof,
    };
    let (sentence, short) = told("Ra8#", &open);
    assert!(
        sentence.starts_with("1.Ra8#: distress␛[2J has proven win in 1, alpha-beta has not: win"),
        "{sentence}"
    );
    assert_eq!(short, "!2 win in 1, 1 open");
}

#[test]
fn replies_and_moves_not_visited_are_told_by_name() {
    let merged = merged(mate());
    let reply = |san: &str| *path(&merged, &format!("Ra7 {san}")).last().expect("a move");
    let difference = Difference::BestReply {
        one: 0,
        other: 1,
        one_reply: reply("Kf8"),
        other_reply: reply("h6"),
    };
    let (sentence, short) = told("Ra7", &difference);
    assert_eq!(
        sentence,
        "1.Ra7: the best reply is Kf8 for alpha-beta, h6 for distress␛[2J."
    );
    assert_eq!(short, "R1 Kf8, 2 h6");
    let difference = Difference::NotVisited {
        here: 0,
        there: 1,
        share: Some(0.41),
    };
    let (sentence, short) = told("Ra7", &difference);
    assert_eq!(
        sentence,
        "1.Ra7: not visited by alpha-beta; distress␛[2J gave it 41 % of its work."
    );
    assert_eq!(short, "N1 unvisited, 2 41 %");
}

#[test]
fn values_of_a_toy_tree_stand_in_its_unit() {
    let text = "max\nleft\n  a 3\n  b 5\nright\n  c 2\n  d 9\n";
    let tree = Arc::new(toy_tree::parse(text).expect("a tree").tree);
    let subject = Subject::from(Situation::new(ToyPosition::root(tree)));
    let both = (
        searched(subject.clone(), Algorithm::AlphaBeta),
        searched(subject, Algorithm::Mcts),
    );
    let merged = merged(&both);
    let line = path(&merged, "left");
    let difference = Difference::Value {
        high: 0,
        low: 1,
        by: 0.5,
    };
    let told = sentence(&merged, &line, &noted(difference), &[]);
    assert!(told.starts_with("left: +3 for 1, "), "{told}");
    assert!(told.ends_with(" apart (Max's view)."), "{told}");
    // Beside how sure both are.
    let apart = Apart {
        by: 0.5,
        joint: 0.25,
    };
    let found = |flagged, joint| Found {
        difference,
        apart: Some(Apart { joint, ..apart }),
        flagged,
    };
    let told = |flagged, joint| sentence(&merged, &line, &found(flagged, joint), &[]);
    let flagged = told(true, 0.25);
    assert!(
        flagged.contains(" apart, 2.0 σ (joint uncertainty "),
        "{flagged}"
    );
    let within = told(false, 1.0);
    assert!(
        within.contains(" apart, 0.5 σ, within the joint uncertainty of "),
        "{within}"
    );
    let certain = told(true, 0.0);
    assert!(
        certain.contains(" apart; neither value has a spread"),
        "{certain}"
    );
    let stake = Stake {
        column: 1,
        change: -0.25,
        instead: Some(path(&merged, "right")[0]),
    };
    let told = at_stake(&merged, &line, &difference, &stake, &[]).expect("much");
    assert!(
        told.starts_with("If 2 believed 1, it would play right and expect "),
        "{told}"
    );
    assert!(told.ends_with(" less at the root."), "{told}");
    let nothing = Stake {
        change: 0.0,
        ..stake
    };
    assert_eq!(at_stake(&merged, &line, &difference, &nothing, &[]), None);
}

/// The short form of any difference is short.
#[test]
fn short_forms_fit_their_column() {
    let merged = merged(mate());
    let line = path(&merged, "Ra7");
    let sibling = Fate::SiblingCutoff {
        by: line[0],
        value: Score::from_raw(-12_345),
        beta: Score::from_raw(-12_399),
    };
    let at_most = Proof {
        lower: Score::win_in(99),
        upper: Score::win_in(1),
    };
    let differences = [
        Difference::PrunedHereBestThere {
            here: 0,
            there: 1,
            fate: sibling,
        },
        Difference::Contradiction {
            one: 0,
            other: 1,
            one_proof: at_most,
            other_proof: Proof::exact(Score::loss_in(98)),
        },
    ];
    let mut cut = 0;
    for difference in &differences {
        let short = short(&merged, &line, difference);
        let length = short.chars().count();
        assert!(length <= SHORT, "{short}");
        cut += usize::from(length == SHORT && short.ends_with('…'));
    }
    assert!(cut + 1 >= differences.len(), "{cut}");
    // A missing node is no reason to fail.
    let nowhere = [line[0], line[0]];
    for difference in &differences {
        assert!(!sentence(&merged, &nowhere, &noted(*difference), &[]).is_empty());
    }
    assert_eq!(merged.node(0, &nowhere), None::<NodeId>);
}
