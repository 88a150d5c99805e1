//! Sentences, short lines and JSON objects for real runs of every algorithm.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use algorithms::{ALGORITHMS, Algorithm};
use game::load::fen;
use game::{MoveCode, Situation};
use games::samples;
use report::event::json::EventJson;
use report::event::{sentence, short};
use report::number;
use report::text::Style;
use search::{EVENTS, Event};
use session::{Config, Subject, TraceRequest, trace};
use tree::Family;

/// One event in all its forms.
struct Told {
    number: u64,
    event: Event,
    sentence: String,
    short: String,
    json: Value,
}

fn sample(name: &str) -> Subject {
    let document = samples::find(name).expect("a sample").open();
    let document = document.expect("a document");
    document.entry(0).expect("an entry").subject_at(u32::MAX)
}

fn chess(text: &str) -> Subject {
    let read = fen::parse(text).expect("a FEN");
    Subject::from(Situation::new(read.position))
}

fn told(algorithm: Algorithm, subject: &Subject, nodes: u64) -> Vec<Told> {
    told_of(&[], algorithm, subject, nodes, |_| true)
}

/// The events of a search that are asked for.
fn told_of(
    options: &[(&str, &str)],
    algorithm: Algorithm,
    subject: &Subject,
    nodes: u64,
    mut asked: impl FnMut(&Event) -> bool + Send,
) -> Vec<Told> {
    let mut config = Config {
        memory: 64 << 20,
        table: 1 << 20,
        limits: common::nodes(nodes),
        ..Config::new(algorithm)
    };
    for (key, value) in options {
        config.options.set(key, value).expect("an option");
    }
    let mut told = Vec::new();
    let never = || false;
    trace(
        subject,
        &config,
        &TraceRequest::default(),
        never,
        &mut |n, event, reader| {
            if !asked(event) {
                return ControlFlow::Continue(());
            }
            let json = EventJson::new(reader, n, event, Style::default());
            told.push(Told {
                number: n,
                event: event.clone(),
                sentence: sentence(reader, event),
                short: short(reader, event),
                json: serde_json::to_value(json).expect("JSON"),
            });
            ControlFlow::Continue(())
        },
    )
    .expect("a thread");
    told
}

/// Sentences and short lines of these kinds, in order.
fn lines(told: &[Told], kinds: &[&str]) -> Vec<String> {
    told.iter()
        .filter(|t| kinds.contains(&t.event.kind().name()))
        .map(|t| format!("{} / {}", t.sentence, t.short))
        .collect()
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 b - - 0 9";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// A position in which mates, stalemates and promotions are near.
const PAWN_ENDING: &str = "8/2P5/8/8/8/1k6/8/1K6 w - - 4 61";

/// The fields of every object.
const COMMON: [&str; 6] = ["n", "kind", "node", "ply", "line", "text"];

/// The fields of a kind in addition to [`COMMON`], in any order.
fn fields(kind: &str) -> &'static [&'static str] {
    match kind {
        "iteration" => &["depth"],
        "iteration-done" => &["best", "depth", "value"],
        "pass" => &["alpha", "beta", "pass"],
        "pass-done" => &["lower", "pass", "upper"],
        "aim" => &["aim", "numbers"],
        "budget" => &["parts", "total", "unit"],
        "enter" => &["alpha", "beta", "depth"],
        "evaluate" => &["mean", "sd", "value"],
        "ask" => &["alpha", "beta", "depth"],
        "answer" => &["bound", "nodes", "value"],
        "expand" => &["moves"],
        "prune" => &["fate", "move"],
        "table-hit" | "cutoff" => &["fate"],
        "end" => &["fate", "value"],
        "back-up" => &["after", "before", "child", "move", "worth"],
        "prove" => &["lower", "upper"],
        "best-change" => &["from", "to"],
        "leave" => &["bound", "value"],
        "try" => &["bound", "depth", "rule"],
        "tried" => &["bound", "rule", "value"],
        "depth-change" => &["again", "change", "number", "plies"],
        "audit" => &["failed", "fate", "move", "value"],
        other => panic!("no fields for {other}"),
    }
}

fn check_sentence(t: &Told) {
    let text = &t.sentence;
    assert!(!text.contains(", ,"), "{text}");
    let numbers = text.replace("...", "");
    assert!(text.ends_with('.') && !numbers.contains(".."), "{text}");
    assert!(!text.contains("  ") && text.trim() == text, "{text}");
    let first = text.chars().next().expect("a letter");
    assert!(first.is_alphanumeric() && text.len() > 6, "{text}");
    check_words(text);
    // A sentence with a signed score says from whose view it is.
    let mut pairs = text.chars().zip(text.chars().skip(1));
    let scored = pairs.any(|(a, b)| "+−".contains(a) && (b.is_ascii_digit() || b == '#'));
    assert!(text.contains("'s view).") || !scored, "{text}");
}

fn check_words(text: &str) {
    for wrong in [
        "NaN", "inf", "None", "Some(", "{", "}", "\n", "ffff", "32001", "-",
    ] {
        let castling = text
            .replace("O-O-O", "")
            .replace("O-O", "")
            .replace("--", "");
        let mut prose = castling;
        for word in ["alpha-beta", "fifty-move", "infinite", "multi-cut"] {
            prose = prose.replace(word, "");
        }
        assert!(!prose.contains(wrong), "{wrong}: {text}");
    }
    let plain = number::ascii(text);
    assert!(plain.is_ascii() && !plain.contains('?'), "{plain}");
}

fn check_json(t: &Told) {
    let object = t.json.as_object().expect("an object");
    let kind = t.event.kind().name();
    let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    let expected: BTreeSet<&str> = COMMON.iter().chain(fields(kind)).copied().collect();
    assert_eq!(found, expected, "{kind}");
    assert_eq!(object["n"], t.number, "{kind}");
    assert_eq!(object["kind"], kind);
    assert_eq!(object["text"], t.sentence.as_str());
    let line = object["line"].as_array().expect("a line");
    assert_eq!(object["ply"], line.len());
    if let Some(fate) = t.event.fate() {
        assert_eq!(object["fate"]["name"], fate.name());
    }
    if kind == "prune" {
        assert!(object["move"].is_string());
    }
    if let Event::Audit { m, failed, .. } = t.event {
        assert_eq!(object["move"].is_null(), m == MoveCode::NONE);
        assert_eq!(object["failed"], failed);
    }
}

#[test]
fn every_event_of_every_algorithm_is_told() {
    /// A position, the nodes of a search, and whether it is one of chess.
    type Asked = (Subject, u64, bool);
    let subjects: [Asked; 5] = [
        (chess(MIDDLEGAME), 500, true),
        (chess(PAWN_ENDING), 400, true),
        (sample("repetition.pgn"), 400, true),
        (sample("figure1.tree"), 500, false),
        (sample("textbook.tree"), 500, false),
    ];
    let mut seen = BTreeSet::new();
    let mut check = |options: &[(&str, &str)], algorithm, (subject, nodes, is_chess): &Asked| {
        // The first of each kind.
        let mut counts = BTreeMap::new();
        let told = told_of(options, algorithm, subject, *nodes, |event| {
            let count = counts.entry(event.kind().name()).or_insert(0);
            *count += 1;
            *count <= 60
        });
        for t in &told {
            seen.insert(t.event.kind().name());
            check_sentence(t);
            check_words(&t.short);
            assert!(!t.short.trim().is_empty());
            let width = t.short.width();
            assert!(!is_chess || width <= 42, "{width}: {}", t.short);
            check_json(t);
        }
        told.len()
    };
    let audited = (chess(KIWIPETE), 20_000, true);
    check(&[("audit", "5")], Algorithm::AlphaBeta, &audited);
    for subject in &subjects {
        check(&[("descent", "budget")], Algorithm::Distress, subject);
        for driver in ["negascout", "mtdf", "sss*", "dual*"] {
            check(&[("driver", driver)], Algorithm::AlphaBeta, subject);
        }
        for info in &ALGORITHMS {
            let told = check(&[], info.algorithm, subject);
            assert!(told > 20, "{}: {told} events", info.name);
        }
    }
    // Only other programs have more to tell.
    let all = EVENTS.iter().map(|e| e.name).filter(|name| *name != "told");
    assert_eq!(seen, all.collect::<BTreeSet<&str>>());
}

#[test]
fn the_textbooks_tree_by_alpha_beta() {
    let told = told(Algorithm::AlphaBeta, &sample("textbook.tree"), 1_000);
    insta::assert_snapshot!(
        lines(
            &told,
            &[
                "iteration",
                "cutoff",
                "back-up",
                "best-change",
                "iteration-done"
            ]
        )
        .join("\n")
    );
    let b = told.iter().find(|t| t.sentence.starts_with("B: entered"));
    let b = b.expect("B is entered");
    assert_eq!(
        b.sentence,
        "B: entered with alpha −∞, beta −3, 1 ply to go (Min's view)."
    );
    assert_eq!(b.short, "B enter +3 to +∞ d1");
}

#[test]
fn beliefs_are_told_with_their_spread() {
    let subject = sample("figure1.tree");
    for info in ALGORITHMS
        .iter()
        .filter(|a| a.algorithm != Algorithm::AlphaBeta)
    {
        let told = told(info.algorithm, &subject, 100);
        let lines = lines(
            &told,
            &[
                "iteration",
                "enter",
                "evaluate",
                "prove",
                "back-up",
                "leave",
            ],
        );
        insta::assert_snapshot!(format!("figure1-{}", info.name), lines[..16].join("\n"));
    }
}

fn read(name: &str, text: &str) -> Subject {
    let document = games::Document::from_bytes(name, text.as_bytes().to_vec());
    document
        .expect("readable")
        .entry(0)
        .expect("a game")
        .subject_at(u32::MAX)
}

/// A search that has proven a win ends with its distance, in games and in chess.
#[test]
fn a_search_ends_with_what_is_proven() {
    let fork = read("fork.ttt", "tictactoe x-o/o--/x--");
    let mate = chess("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    for (subject, best, moves) in [(fork, "c1", 2), (mate, "Rd8#", 1)] {
        for info in ALGORITHMS.iter().filter(|a| a.family == Family::BestFirst) {
            let told = told(info.algorithm, &subject, 20_000);
            let proven = told.iter().rev().find_map(|t| match t.event {
                Event::Prove {
                    node: tree::Tree::ROOT,
                    proof,
                } => Some(proof),
                _ => None,
            });
            let last = told
                .iter()
                .rev()
                .find(|t| matches!(t.event, Event::IterationDone { .. }));
            let last = last.expect("it ends");
            match proven.filter(|proof| proof.is_exact()) {
                Some(_) => {
                    let words = format!("best move {best}, value #{moves} ");
                    assert!(
                        last.sentence.contains(&words),
                        "{}: {}",
                        info.name,
                        last.sentence
                    );
                    assert_eq!(
                        last.json["value"]["mate"], moves,
                        "{}: {}",
                        info.name, last.json
                    );
                }
                None if proven.is_some_and(|proof| proof.is_win()) => {
                    assert!(
                        last.sentence.contains("value win"),
                        "{}: {}",
                        info.name,
                        last.sentence
                    );
                }
                None => {}
            }
            if info.algorithm == Algorithm::Mcts {
                assert!(
                    proven.is_some_and(|proof| proof.is_exact()),
                    "{}",
                    info.name
                );
            }
        }
    }
}

/// A line of the log counts plies from the node, as the sentence does.
#[test]
fn bounds_of_a_proof_are_counted_from_one_place() {
    let told = told(Algorithm::Mcts, &read("small.c4", "connect4 5x4"), 3_000);
    let mut seen = 0;
    for t in &told {
        let Some((_, bounds)) = t.short.split_once("proven loss ≥ ") else {
            continue;
        };
        let bounds = bounds.trim_end_matches(" plies").replace("win ≥ ", "");
        let bounds: Vec<u16> = bounds.split(", ").filter_map(|n| n.parse().ok()).collect();
        let [loss, win] = bounds[..] else {
            panic!("{}", t.short);
        };
        // The sentence is from the node's own view, the line from Yellow's.
        let (loss, win) = match t.sentence.ends_with("(Yellow's view).") {
            true => (loss, win),
            false => (win, loss),
        };
        // It leaves out what says only that the game goes on.
        for (what, plies) in [("loss", loss), ("win", win)] {
            if t.sentence.contains(&format!("no {what} in fewer")) {
                let words = format!("no {what} in fewer than {plies} pl");
                assert!(t.sentence.contains(&words), "{}: {}", t.short, t.sentence);
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// The first event of each kind and fate in chess.
fn first_of_each(algorithm: Algorithm, subject: &Subject, nodes: u64) -> String {
    let mut seen = BTreeSet::new();
    let told = told_of(&[], algorithm, subject, nodes, |event| {
        let fate = event.fate().map_or("", |f| f.name());
        seen.insert((event.kind().name(), fate))
    });
    told.iter()
        .map(|t| format!("{}\n  {}\n", t.sentence, t.short))
        .collect()
}

#[test]
fn a_chess_search_by_each_algorithm() {
    for info in &ALGORITHMS {
        let depth_first = info.family == Family::DepthFirst;
        let position = if depth_first { MIDDLEGAME } else { PAWN_ENDING };
        let told = first_of_each(info.algorithm, &chess(position), 3_000);
        insta::assert_snapshot!(info.name, told);
    }
}

#[test]
fn a_cutoff_in_json_has_its_numbers() {
    let told = told(Algorithm::AlphaBeta, &sample("textbook.tree"), 1_000);
    let cut = told
        .iter()
        .find(|t| matches!(t.event, Event::Cut { .. }))
        .expect("the textbook's cutoff");
    let Event::Cut { node, .. } = cut.event else {
        unreachable!()
    };
    assert_eq!(
        cut.json,
        serde_json::json!({
            "n": cut.json["n"], "kind": "cutoff", "node": node.0, "ply": 1, "line": ["B"],
            "fate": {"name": "beta-cutoff", "by": "b1", "value": -2, "beta": -3, "searched": 1},
            "text": cut.sentence,
        })
    );
}
