//! What a sentence claims is true from whichever side's view it is told: the claims of the sentences about leaves are
//! evaluated, and every other sentence of real searches is turned and compared with what the other side is told.

use super::*;
use crate::lens::{Unit, Viewpoint};
use session::testing::searched;

/// Reads the first signed number of pawns in a text: `+0.42`, `−1.05`.
fn pawns(text: &str) -> f64 {
    let start = text.find(['+', '−']).expect("a signed number");
    let sign = if text[start..].starts_with('+') {
        1.0
    } else {
        -1.0
    };
    let digits = text[start..].trim_start_matches(['+', '−']);
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.');
    let digits = digits[..end.unwrap_or(digits.len())].trim_end_matches('.');
    sign * digits.parse::<f64>().expect("a number")
}

/// A leaf is asked whether its value exceeds a limit, or reaches it. Whatever its value may be by the answer, question and
/// answer as told must be true of it.
#[test]
fn the_answer_to_a_leafs_question_is_true_of_every_value_that_it_leaves_open() {
    let mut told = 0;
    for (ply, value, limit) in [
        (1, -7, 10),
        (1, 10, 10),
        (1, 31, 30),
        (1, -10, -9),
        (2, 10, 9),
        (2, -40, -38),
        (2, 25, 25),
        (2, 0, 0),
        (1, 0, -1),
        (2, -1, 0),
    ] {
        for high in [false, true] {
            let (value, limit) = match high == (value >= limit) || value == limit {
                true => (value, limit),
                false => (limit, value),
            };
            let stage = Stage::new(Family::BestFirst);
            let node = match ply {
                1 => stage.child,
                _ => {
                    let reply = stage.reply("e5");
                    Recorder::new(&stage.tree).child(stage.child, NodeId::NONE, reply, 2)
                }
            };
            let (value, limit, depth) = (CP(value), CP(limit), 4);
            stage.tree.node(node).set_fate(match high {
                true => Fate::LeafFailsHigh {
                    value,
                    limit,
                    depth,
                },
                false => Fate::LeafFailsLow {
                    value,
                    limit,
                    depth,
                },
            });
            let options = Algorithm::Distress.default_options();
            let reader = Reader {
                searcher: GrownBy::Own(Algorithm::Distress, &options),
                ..stage.reader()
            };
            for viewpoint in [
                Viewpoint::White,
                Viewpoint::Root,
                Viewpoint::Mover,
                Viewpoint::Own,
            ] {
                let lens = Lens {
                    unit: Unit::Pawns,
                    viewpoint,
                };
                let text = lens.why_node(&reader, node);
                // Ply 1 is Black's to move; the side that moved there is White.
                let is_turned = match viewpoint {
                    Viewpoint::White | Viewpoint::Root => ply == 1,
                    Viewpoint::Mover => true,
                    Viewpoint::Own => false,
                };
                let (question, answer) = text.split_once(": ").expect("a question");
                let asked = pawns(question);
                let claimed = pawns(answer);
                for centipawns in -100..=100 {
                    let own = f64::from(centipawns) / 100.0;
                    let is_open = match high {
                        true => centipawns >= i32::from(value.raw()),
                        false => centipawns <= i32::from(value.raw()),
                    };
                    let seen = if is_turned { -own } else { own };
                    // By the answer alone.
                    let claims = match () {
                        _ if answer.contains("at least") => seen >= claimed - 1e-9,
                        _ if answer.contains("at most") => seen <= claimed + 1e-9,
                        () => panic!("{text}"),
                    };
                    assert_eq!(claims, is_open, "{text}: {seen}");
                    if !is_open {
                        continue;
                    }
                    let is_so = match () {
                        _ if question.contains("beats") => seen > asked + 1e-9,
                        _ if question.contains("reaches") => seen >= asked - 1e-9,
                        () => panic!("{text}"),
                    };
                    assert_eq!(is_so, answer.starts_with("yes"), "{text}: {seen}");
                }
                told += 1;
            }
        }
    }
    assert_eq!(told, 80);
}

/// Returns the words of a sentence as the other side would be told them, in the order of the alphabet: scores change their
/// sign, and what is above for one side is below for the other.
fn words(text: &str, turned: bool) -> Vec<String> {
    const OTHER: [(&str, &str); 16] = [
        ("least", "most"),
        ("above", "below"),
        ("alpha", "beta"),
        ("BEATS", "REACHES"),
        ("YES", "NO"),
        ("more", "less"),
        ("win", "loss"),
        ("won", "lost"),
        ("wins", "loses"),
        ("≥", "≤"),
        ("<", ">"),
        ("+", "−"),
        ("adds", "TAKES"),
        ("far", "far"),
        ("lower", "upper"),
        ("White", "Black"),
    ];
    let turn = |word: &str| -> String {
        if !turned {
            return word.to_owned();
        }
        if let Some(other) = OTHER.iter().find_map(|&(a, b)| match word {
            w if w == a => Some(b),
            w if w == b => Some(a),
            _ => None,
        }) {
            return other.to_owned();
        }
        match (word.strip_prefix('+'), word.strip_prefix('−')) {
            (Some(rest), _) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '∞') => {
                format!("−{rest}")
            }
            (_, Some(rest)) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '∞') => {
                format!("+{rest}")
            }
            _ => word.to_owned(),
        }
    };
    let bare = text.rsplit_once(" (").map_or(text, |(text, _)| text);
    // How deeply a move was searched has no view; it had to beat the bound of the side that played it.
    let bare = bare.split_once(" Move ").map_or(bare, |(fate, _)| fate);
    let bare = bare.replace("−0.00", "+0.00");
    let mut bare = bare;
    for (phrase, word) in [
        (": yes,", " YES"),
        (": no,", " NO"),
        ("takes off", "TAKES"),
        ("whether this beats", "BEATS"),
        ("whether this reaches", "REACHES"),
        // A probability has no view.
        ("at least the confidence", "confidence"),
    ] {
        bare = bare.replace(phrase, word);
    }
    let split = bare.split_whitespace();
    let trimmed = split.map(|word| word.trim_matches([',', ';', ':', '.', '(', ')', '=']));
    let mut words: Vec<String> = trimmed
        .filter(|word| !word.is_empty())
        .map(|word| turn(word).replace("−0.00", "+0.00"))
        .collect();
    words.sort();
    words
}

/// Every node of real searches: what the side to move is told, turned, is what the other side is told.
#[test]
fn the_other_side_is_told_the_same_turned() {
    let lens = |viewpoint| Lens {
        unit: Unit::Pawns,
        viewpoint,
    };
    let mut told = 0;
    for algorithm in [
        Algorithm::AlphaBeta,
        Algorithm::ProbAlphaBeta,
        Algorithm::Distress,
        Algorithm::Mcts,
    ] {
        let session = searched(algorithm, 6_000);
        let reader = session.reader();
        for id in reader.tree.ids().take(4_000) {
            if reader.tree.node(id).visits() == 0 && reader.tree.fate(id) == Fate::Unvisited {
                continue;
            }
            let own = lens(Viewpoint::Own).why_node(&reader, id);
            let mover = lens(Viewpoint::Mover).why_node(&reader, id);
            // The distance to a mate is counted from the mover, a ply earlier. A proof is told in words of its own.
            if own.contains('#')
                || own.contains("Proven")
                || mover.contains('#')
                || id == Tree::ROOT
            {
                continue;
            }
            let is_skip = reader.tree.fate(id).is_skip();
            assert_eq!(
                words(&own, !is_skip),
                words(&mover, false),
                "{own}\n{mover}"
            );
            told += 1;
        }
    }
    assert!(told > 5_000, "{told}");
}
