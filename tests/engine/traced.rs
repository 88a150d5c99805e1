//! Searches of other programs in a session: read, stepped through, gone back in, stopped at breakpoints.

use std::path::Path;

use algorithms::Algorithm;
use common::settle;
use games::Document;
use report::axis::Reach;
use report::engine::{Audit, AuditJson, Audited};
use report::event::json::EventJson;
use report::json::SearchResult;
use report::lens::{self, Lens};
use report::why;
use search::Viewpoint;
use session::breakpoint::Breakpoint;
use session::debug::{CantExclude, News, OnlyShown, Standing, Step, Why};
use session::{Config, Key, Session, Wanted, seek};
use tree::{NodeId, Tree};

const HEADER: &str = r#"{"plyscope-trace":1,"engine":"toy 1.0","game":"toy","value":{"unit":"points","infinite":32001},"reasons":[{"n":1,"name":"futility","class":"skip","numbers":[["static","value"],["margin","difference"],["alpha","value"],["depth","plies"]]},{"n":2,"name":"late-quiet","class":"skip","numbers":[["count","count"],["previous","move"]],"text":"{count} quiet moves came before, the last was {previous}"}]}"#;

const LINES: &str = r#"{"kind":"search","root":"three moves","side":"first"}
{"kind":"iteration","depth":1}
{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":1}
{"kind":"evaluate","value":0}
{"kind":"enter","move":"a","alpha":null,"beta":null,"depth":0}
{"kind":"leave","value":-3}
{"kind":"enter","move":"b","alpha":null,"beta":-3,"depth":0}
{"kind":"leave","value":-2}
{"kind":"prune","move":"c","why":"futility","static":0,"margin":2,"alpha":3,"depth":1}
{"kind":"prune","move":"d","why":"late-quiet","count":12,"previous":"b"}
{"kind":"leave","value":4}
{"kind":"iteration-done","best":"a","value":4}
{"kind":"end","nodes":3,"best":"a","value":4}
"#;

fn document() -> Document {
    let text = format!("{HEADER}\n{LINES}");
    Document::from_bytes("toy.plytrace", text.into_bytes()).expect("a stream")
}

/// Returns the session of an entry, which waits.
fn waiting(document: &Document, entry: usize) -> Session {
    let entry = document.entry(entry).expect("a search");
    let recorded = entry.recorded.clone().expect("a recorded search");
    let config = Config {
        memory: 64 << 20,
        ..Config::new(Algorithm::DEFAULT).reading(recorded)
    };
    Session::start_paused(entry.subject(), config)
}

/// Returns the session of an entry that was read to its end.
fn read(document: &Document, entry: usize) -> Session {
    let mut session = waiting(document, entry);
    session.resume();
    session.join();
    session
}

fn step(session: &mut Session, step: Step, times: u32) -> Standing {
    session.step(step, times);
    settle(session);
    session.standing().expect("an event")
}

fn assert_same(a: &Session, b: &Session) {
    if let Some(difference) = a.tree().difference(b.tree()) {
        panic!("{difference}");
    }
}

fn child(session: &Session, name: &str) -> NodeId {
    let reader = session.reader();
    let rows = reader.rows(Tree::ROOT);
    let row = rows.into_iter().find(|row| row.label == name);
    row.and_then(|row| row.id.node()).expect("a row")
}

#[test]
fn a_stream_is_a_search_with_rows_sentences_and_an_answer() {
    let session = read(&document(), 0);
    let reader = session.reader();
    let rows = reader.rows_best_first(Tree::ROOT).into_iter();
    let labels: Vec<String> = rows.map(|row| row.label).collect();
    assert_eq!((labels[0].as_str(), labels.len()), ("a", 4));
    let says = |name| why::why_node(&reader, child(&session, name));
    assert!(says("c").contains("static value"), "{}", says("c"));
    let late = "Not searched: 12 quiet moves came before, the last was b.";
    assert_eq!(says("d"), late);
    let root = why::why_node(&reader, Tree::ROOT);
    let unexplained = "Unexplained: left with 4, its moves give 3";
    assert!(root.contains(unexplained), "{root}");
    assert_eq!(session.config().name(), "toy 1.0");
    assert_eq!(session.summary().moves.len(), 4);
}

#[test]
fn breakpoints_stop_at_declared_reasons_and_at_values_that_do_not_follow() {
    let document = document();
    let root = document.entry(0).expect("a search").subject();
    for (text, event) in [
        ("on late-quiet", 9),
        ("on late-quiet when count > 11", 9),
        ("on futility", 8),
        ("on move-pruning", 8),
        ("on prune when margin >= 2", 8),
        ("on unexplained", 10),
        ("on leave when value = 4", 10),
        ("at \"b\"", 6),
    ] {
        let mut session = waiting(&document, 0);
        let breakpoint = Breakpoint::parse(text, &root).expect(text);
        session.set_breakpoints([(3, breakpoint)]);
        let stands = step(&mut session, Step::ToBreak, 1);
        assert_eq!(
            (stands.why, stands.number),
            (Why::Breakpoint(3), event),
            "{text}"
        );
    }
    let mut session = waiting(&document, 0);
    let never = Breakpoint::parse("on late-quiet when count > 12", &root).expect("good");
    session.set_breakpoints([(3, never)]);
    assert_eq!(step(&mut session, Step::ToBreak, 1).why, Why::Ended);
}

/// Every event can be stepped to and gone back to, and the tree is then what it was when it was read up to there.
fn stepping_is_exact(document: &Document, entry: usize) {
    let whole = read(document, entry);
    let mut stepped = waiting(document, entry);
    let end = step(&mut stepped, Step::Into, u32::MAX);
    assert_eq!(end.why, Why::Ended);
    assert_same(&whole, &stepped);
    let events = end.number;
    for part in [0.9, 0.35, 0.6, 0.05] {
        let to = (events as f64 * part) as u64;
        stepped.go_to(to);
        settle(&mut stepped);
        let mut fresh = waiting(document, entry);
        fresh.go_to(to);
        settle(&mut fresh);
        assert_eq!(stepped.event_position().now, to);
        assert_same(&fresh, &stepped);
    }
    stepped.step_back(1);
    settle(&mut stepped);
    step(&mut stepped, Step::Into, u32::MAX);
    assert_same(&whole, &stepped);
}

#[test]
fn whatever_was_read_can_be_stepped_through_and_gone_back_in() {
    stepping_is_exact(&document(), 0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/open_trace");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "plytrace") {
            let document = Document::open(&path).expect("a stream");
            assert!(
                document.problems.is_empty(),
                "{path:?}: {:?}",
                document.problems
            );
            (0..document.len()).for_each(|entry| stepping_is_exact(&document, entry));
            seen += 1;
        }
    }
    assert!(seen >= 2, "{seen} streams");
}

/// A search of chess that finds out by capturing the king, and that comes to a position twice.
const CHESS: &str = r#"{"plyscope-trace":1,"engine":"pseudo 1.0","game":"chess"}
{"kind":"search"}
{"kind":"enter","move":null}
{"kind":"enter","move":"e2e4"}
{"kind":"key","key":"a1"}
{"kind":"enter","move":"d7d5"}
{"kind":"enter","move":"e1e3"}
{"kind":"enter","move":"d5e4"}
{"kind":"leave","value":0}
{"kind":"leave","value":0}
{"kind":"leave","value":0}
{"kind":"leave","value":0}
{"kind":"enter","move":"e2e3"}
{"kind":"enter","move":"0000"}
{"kind":"key","key":"a1"}
{"kind":"leave","value":0}
{"kind":"leave","value":0}
{"kind":"leave","value":0}
{"kind":"end","nodes":7}
"#;

fn chess() -> Document {
    Document::from_bytes("pseudo.plytrace", CHESS.as_bytes().to_vec()).expect("a stream")
}

#[test]
fn illegal_moves_are_marked_found_and_stopped_at() {
    let document = chess();
    let session = read(&document, 0);
    let reader = session.reader();
    let at = |line: &str| reader.follow(Tree::ROOT, line);
    let pawn = at("e4 d5").expect("a line");
    let illegal = reader.tree.children(pawn).next().expect("a move");
    assert!(reader.is_illegal(illegal) && !reader.is_illegal(pawn));
    let behind = reader.tree.children(illegal).next().expect("a move");
    assert!(!reader.is_illegal(behind), "nothing is known of it");
    assert!(reader.situation(illegal).is_none());
    let says = why::why_node(&reader, illegal);
    assert!(says.contains("Illegal: the rules of chess"), "{says}");
    let found = seek::all(reader, &Wanted::Illegal, 10);
    assert_eq!(found.iter().map(|p| p.node).collect::<Vec<_>>(), [illegal]);
    let json = report::tree::node(&reader, illegal);
    assert_eq!((json.legal, json.key), (Some(false), None));
    let json = report::tree::node(&reader, pawn);
    assert_eq!(json.legal, None);

    let root = document.entry(0).expect("a search").subject();
    let mut session = waiting(&document, 0);
    let breakpoint = Breakpoint::parse("on illegal", &root).expect("a breakpoint");
    session.set_breakpoints([(3, breakpoint)]);
    let stands = step(&mut session, Step::ToBreak, 1);
    assert_eq!((stands.why, stands.number), (Why::Breakpoint(3), 4));
    assert_eq!(step(&mut session, Step::ToBreak, 1).why, Why::Ended);
}

#[test]
fn a_position_is_found_by_its_told_key_and_by_the_rules() {
    let session = read(&chess(), 0);
    let reader = session.reader();
    let places = |id| {
        let key = reader.key(id).expect("a key");
        seek::all(reader, &Wanted::Position(key), 10)
    };
    let told = reader.follow(Tree::ROOT, "e4").expect("a node");
    assert_eq!(reader.key(told), Some(Key::Told(0xa1)));
    assert_eq!(places(told).len(), 2, "as the program tells it");
    assert_eq!(
        report::tree::node(&reader, told).key.as_deref(),
        Some("00000000000000a1")
    );
    let pawn = reader.follow(Tree::ROOT, "e3").expect("a node");
    assert_eq!(places(pawn).len(), 1, "by the rules");
}

/// Without told keys the rules tell the places of a position in plyscope's own searches.
#[test]
fn transpositions_of_own_searches_are_found() {
    let session = session::testing::searched(Algorithm::AlphaBeta, 3_000);
    let reader = session.reader();
    let (tree, most) = (reader.tree, 400);
    let same = (1..tree.len().min(most)).map(NodeId).find_map(|id| {
        let places = seek::all(reader, &Wanted::Position(reader.key(id)?), 3);
        (places.len() > 1).then_some(places)
    });
    let places = same.expect("a position comes up twice");
    let fens = places.iter().map(|place| {
        let at = reader.situation(place.node).expect("a position");
        let fen = at.position.fen().expect("chess");
        fen.split(' ').take(3).collect::<Vec<_>>().join(" ")
    });
    let fens: Vec<String> = fens.collect();
    assert!(fens.windows(2).all(|two| two[0] == two[1]), "{fens:?}");
}

/// A root with moves that are left with these values, from the view of the side to move at the root.
fn points(more: &str, moves: &[(&str, i64)]) -> Document {
    let header = format!(
        r#"{{"plyscope-trace":1,"engine":"points 1.0","game":"toy","value":{{"unit":"points"{more}}}}}"#
    );
    let searched = moves.iter().map(|(name, value)| {
        format!(
            "{{\"kind\":\"enter\",\"move\":\"{name}\"}}\n{{\"kind\":\"leave\",\"value\":{}}}\n",
            -value
        )
    });
    let best = moves.iter().map(|(_, value)| value).max().expect("a move");
    let lines = [
        header + "\n{\"kind\":\"search\"}\n{\"kind\":\"enter\",\"move\":null}\n",
        searched.collect(),
        format!("{{\"kind\":\"leave\",\"value\":{best}}}\n{{\"kind\":\"end\"}}\n"),
    ];
    Document::from_bytes("points.plytrace", lines.concat().into_bytes()).expect("a stream")
}

/// The columns of so many in which the moves stand on the axis that is shown; `None` out of sight.
fn columns(session: &Session, names: &[&str]) -> Vec<Option<usize>> {
    let reader = session.reader();
    let span = report::axis::span(&reader, Tree::ROOT, Reach::Leaders, Lens::default());
    let scores = Lens::default().of_moves(&reader, Tree::ROOT);
    let rows = reader.rows(Tree::ROOT);
    let at = |name: &&str| {
        let row = rows.iter().find(|row| row.label == **name).expect("a row");
        span.column(scores.seen(row.view.expected?), 40)
    };
    names.iter().map(at).collect()
}

fn written(session: &Session, name: &str) -> String {
    let reader = session.reader();
    let rows = reader.rows(Tree::ROOT);
    let row = rows.iter().find(|row| row.label == name).expect("a row");
    Lens::default()
        .row(&reader, &row.view, row.belief.as_ref())
        .value()
}

#[test]
fn values_of_any_size_are_told_apart_and_exact() {
    let moves = [
        ("a", 2_000_000),
        ("b", 1_900_001),
        ("c", 1_234_567),
        ("d", -25_001),
        ("e", 7),
    ];
    let document = points("", &moves);
    let session = read(&document, 0);
    let reader = session.reader();
    for (name, value) in moves {
        let shown = written(&session, name).replace('−', "-").parse::<i64>();
        assert_eq!(shown, Ok(value), "{name}");
        let node = child(&session, name);
        let json = report::tree::node(&reader, node).score;
        assert_eq!(
            (json.value, json.expected, json.cp),
            (Some(-value as f64), None, None)
        );
        assert_eq!(
            reader.tree.wide(node),
            (value.abs() > 20_000).then_some(-value as f64)
        );
    }
    let at = columns(&session, &["a", "b", "c"]);
    assert!(at[0] > at[1] && at[1] > at[2] && at[2].is_some(), "{at:?}");
    assert_eq!(written(&session, "a"), "+2000000");

    let root = document.entry(0).expect("a search").subject();
    let mut session = waiting(&document, 0);
    let breakpoint = Breakpoint::parse("on leave when value = -1234567", &root).expect("good");
    session.set_breakpoints([(3, breakpoint)]);
    assert_eq!(step(&mut session, Step::ToBreak, 1).number, 7);
}

#[test]
fn a_win_does_not_squeeze_the_ordinary_values() {
    let moves = [
        ("a", 999_995),
        ("b", 5),
        ("c", 3),
        ("d", -2),
        ("e", -999_990),
    ];
    let session = read(&points(r#","win":1000000,"infinite":1000001"#, &moves), 0);
    let at = columns(&session, &["a", "b", "c", "d", "e"]);
    assert_eq!(
        (at[0], at[4]),
        (None, None),
        "wins lie beyond the ends: {at:?}"
    );
    assert!(at[1] > at[2] && at[2] > at[3] && at[3].is_some(), "{at:?}");
    assert_eq!(written(&session, "a"), "#3");
    // Nothing but wins, and a single value.
    for moves in [&[("a", 999_995)][..], &[("a", 12)], &[("a", 0), ("b", 0)]] {
        let session = read(&points(r#","win":1000000"#, moves), 0);
        let reader = session.reader();
        let span = report::axis::span(&reader, Tree::ROOT, Reach::Leaders, Lens::default());
        assert!(
            span.low < span.high && span.high < 1e-6,
            "{moves:?}: {span:?}"
        );
    }
}

#[test]
fn centipawns_beyond_the_scores_are_told_exactly() {
    let text = CHESS.replacen("\"value\":0", "\"value\":69290", 1);
    let text = text.replacen("\"chess\"", "\"chess\",\"value\":{\"unit\":\"cp\"}", 1);
    let document = Document::from_bytes("pseudo.plytrace", text.into_bytes()).expect("a stream");
    let session = read(&document, 0);
    let reader = session.reader();
    let pawn = reader.follow(Tree::ROOT, "e4 d5").expect("a node");
    let illegal = reader.tree.children(pawn).next().expect("a move");
    let behind = reader.tree.children(illegal).next().expect("a move");
    let json = report::tree::node(&reader, behind).score;
    assert_eq!((json.cp, json.value), (Some(69_290), None));
    let says = why::why_node(&reader, behind);
    assert!(says.contains("exactly +692.9"), "{says}");
}

const VISITS: &str = r#"{"plyscope-trace":1,"engine":"mcts 1.0","game":"toy","order":"best-first","value":{"unit":"expected"}}
{"kind":"search"}
{"kind":"expand","node":0,"first":1,"moves":["a","b","c"],"priors":[0.2,0.5,0.3]}
{"kind":"visit","node":1,"value":-0.5}
{"kind":"visit","node":1,"value":-0.25}
{"kind":"visit","node":2,"value":0.25}
{"kind":"update","node":1,"visits":3,"value":-0.5,"sd":0.125,"urgency":1.5}
{"kind":"update","node":2,"visits":1,"value":0.25,"urgency":0.75}
{"kind":"end"}
"#;

#[test]
fn the_moves_of_a_best_first_search_are_explained_by_what_was_told_and_counted() {
    let document = Document::from_bytes("mcts.plytrace", VISITS.as_bytes().to_vec());
    let session = read(&document.expect("a stream"), 0);
    let reader = session.reader();
    let explained = reader.explain(Tree::ROOT, Viewpoint::Own, None);
    let [block] = &explained.blocks[..] else {
        panic!("{explained:?}");
    };
    let columns: Vec<&str> = block.columns.iter().map(|column| column.name).collect();
    let all = [
        "visits", "share", "prior", "mean", "urgency", "sd", "counted", "its mean",
    ];
    assert_eq!(columns, all);
    let lens = Lens {
        unit: lens::Unit::Expected,
        ..Lens::OWN
    };
    let scores = lens.at(&reader, Tree::ROOT);
    let text = |phrase| report::explanation::text(&reader, Tree::ROOT, phrase, &scores);
    let cells = |row: usize| -> Vec<String> {
        block.rows[row]
            .cells
            .iter()
            .map(|(_, phrase)| text(phrase))
            .collect()
    };
    assert_eq!(
        cells(0),
        ["3", "75 %", "20 %", "+0.5", "1.500", "0.12", "2", "+0.38"]
    );
    assert_eq!(cells(2)[0..4], ["0", "0.0 %", "30 %", "–"]);
    assert_eq!(
        text(&block.notes[0].1),
        "a got 75 % of the visits, more than its prior of 20 %."
    );
}

#[test]
fn the_audit_says_what_the_rules_contradict_and_where_first() {
    let document = chess();
    let entry = document.entry(0).expect("a search");
    let recorded = entry.recorded.clone().expect("a recorded search");
    let root = entry.subject();
    let audited = Audited {
        name: "pseudo".to_owned(),
        audit: Audit::of(recorded.as_ref(), root.position.as_chess()),
    };
    let verdict = report::engine::verdict(&audited);
    assert!(
        verdict.contains("Illegal moves made: 1, the first at event 4."),
        "{verdict}"
    );
    assert!(
        verdict.contains("Keys of two positions: 1, the first at event 11."),
        "{verdict}"
    );
    let all = [audited];
    let json = serde_json::to_value(AuditJson::new(&all)).expect("an object");
    let rules = &json["searches"][0]["rules"];
    assert_eq!(rules["illegal"]["first"]["what"], "e1e3");
    assert_eq!(rules["illegal"]["first"]["line"], "e2e4 d7d5");
    assert_eq!(
        (&rules["keys"], &rules["shared_keys"]["count"]),
        (&2.into(), &1.into())
    );
    let text = report::engine::sheet(&all).text(Default::default());
    let row = text
        .lines()
        .find(|line| line.starts_with("illegal moves made   "));
    assert!(row.is_some() && text.contains("e2e4 d7d5"), "{text}");
}

#[test]
fn an_unfinished_iteration_says_how_many_moves_it_has_searched() {
    const BEGUN: &str = r#"{"kind":"iteration","depth":2}
{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":2}
MOVES{"kind":"enter","move":"a","alpha":null,"beta":null,"depth":1}
{"kind":"leave","value":-3}
"#;
    let lines = LINES
        .lines()
        .filter(|line| !line.contains(r#""kind":"end""#));
    let lines: Vec<&str> = lines.collect();
    for (told, expected) in [
        ("", "depth 2 unfinished: 1 move"),
        (
            r#"{"kind":"moves","count":4}
"#,
            "depth 2 unfinished: 1 of 4 moves",
        ),
    ] {
        let text = format!(
            "{HEADER}\n{}\n{}",
            lines.join("\n"),
            BEGUN.replace("MOVES", told)
        );
        let document = Document::from_bytes("toy.plytrace", text.into_bytes()).expect("a stream");
        let session = read(&document, 0);
        let unfinished = session.reader().unfinished().map(|u| u.to_string());
        assert_eq!(unfinished.as_deref(), Some(expected));
    }
}

#[test]
fn what_a_program_has_told_is_not_changed() {
    let document = document();
    let mut session = read(&document, 0);
    let before = session.tree().copy();
    let shown = Some(OnlyShown::Program);
    assert_eq!(session.only_shown(), shown);
    session.search_more(Tree::ROOT, 1_000);
    assert_eq!(settle(&mut session), [News::OnlyShown(OnlyShown::Program)]);
    let first = session.tree().children(Tree::ROOT).next().expect("a move");
    let code = session.tree().node(first).move_code();
    assert_eq!(
        session.set_excluded(Tree::ROOT, &[code]),
        Err(CantExclude::OnlyShown(OnlyShown::Program))
    );
    assert_eq!(session.tree().difference(&before), None);
}

/// The result of a trace as JSON, its rows, and the text of the report.
fn results(header: &str, lines: &str) -> (serde_json::Value, serde_json::Value, String) {
    let text = format!("{header}\n{lines}");
    let document = Document::from_bytes("toy.plytrace", text.into_bytes()).expect("a stream");
    let session = read(&document, 0);
    let result = SearchResult::of_session(&session, None);
    let reader = session.reader();
    let rows = report::tree::node(&reader, Tree::ROOT);
    let moves = reader.rows(Tree::ROOT);
    let rows: Vec<_> = { moves.iter() }
        .map(|row| report::tree::row(&reader, row))
        .chain([rows])
        .collect();
    let summary = reader.summary(session.status());
    let text = report::text::search(
        &summary,
        session.config(),
        &reader,
        Lens::default(),
        Default::default(),
    );
    let json = |value: serde_json::Result<serde_json::Value>| value.expect("JSON");
    (
        json(serde_json::to_value(&result)),
        json(serde_json::to_value(&rows)),
        text,
    )
}

#[test]
fn a_best_move_that_was_not_sent_is_the_best_move() {
    let left_out = r#"{"kind":"enter","move":"b","alpha":null,"beta":-3,"depth":0}
{"kind":"leave","value":-2}
"#;
    assert!(LINES.contains(left_out));
    let skip = "{\"kind\":\"skip\",\"events\":2,\"nodes\":1}\n";
    let lines = LINES
        .replace(left_out, skip)
        .replace("\"best\":\"a\"", "\"best\":\"b\"");
    let (result, _, text) = results(HEADER, &lines);
    assert_eq!(
        (&result["best"]["san"], &result["pv"]),
        (&"b".into(), &serde_json::json!(["b"]))
    );
    // How fast it was read says nothing of the search.
    assert_eq!(result["time_ms"], serde_json::Value::Null);
    assert!(
        text.contains("\nbest  b  ") && text.contains("line  b\n"),
        "{text}"
    );
    assert!(
        text.contains("node, read in") && !text.contains("/s)"),
        "{text}"
    );
}

#[test]
fn bounds_that_are_wins_are_shown_and_open_ends_are_null() {
    let header = HEADER.replace("\"infinite\":32001", "\"infinite\":2000,\"win\":1000");
    let lines = r#"{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":3}
{"kind":"enter","move":"a","alpha":null,"beta":null,"depth":2}
{"kind":"leave","value":-997}
{"kind":"enter","move":"b","alpha":995,"beta":null,"depth":2}
{"kind":"leave","value":995}
{"kind":"enter","move":"c","alpha":-998,"beta":-995,"depth":2}
{"kind":"leave","value":-995}
{"kind":"leave","value":997}
"#;
    let (_, rows, text) = results(&header, lines);
    let of = |name: &str| {
        let rows = rows.as_array().expect("rows");
        let row = rows.iter().find(|row| row["move"]["san"] == name);
        let row = row.expect("a row");
        [&row["mate"], &row["bound"], &row["expected"]].map(ToString::to_string)
    };
    assert_eq!(of("a"), ["2", "\"exact\"", "1.0"]);
    // A loss in so many plies at least, and a win in so many at most.
    assert_eq!(of("b"), ["-2", "\"lower\"", "-1.0"]);
    assert_eq!(of("c"), ["3", "\"upper\"", "1.0"]);
    assert!(text.contains("≥−#2") && text.contains("≤#3"), "{text}");
    let root = rows
        .as_array()
        .and_then(|rows| rows.last())
        .expect("a root");
    let open = serde_json::json!({"alpha": null, "beta": null, "depth": 3});
    assert_eq!(root["window"], open);
    // Nobody has told how many moves there are.
    assert_eq!(root["decided"]["moves"], serde_json::Value::Null, "{root}");
}

#[test]
fn the_log_writes_large_values_as_they_are_and_a_lost_node_with_its_distance() {
    let header = HEADER.replace("\"infinite\":32001", "\"infinite\":4000000,\"win\":3000000");
    let lines = r#"{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":1}
{"kind":"enter","move":"a","alpha":-20001,"beta":null,"depth":0}
{"kind":"leave","value":-1000001}
{"kind":"enter","move":"b","depth":0}
{"kind":"leave","value":-2999999}
{"kind":"leave","value":2999999}
"#;
    let document = format!("{header}\n{lines}");
    let document = Document::from_bytes("toy.plytrace", document.into_bytes()).expect("a stream");
    let mut session = waiting(&document, 0);
    let sentences: Vec<(String, serde_json::Value)> = (1..=6)
        .map(|_| {
            let standing = step(&mut session, Step::Into, 1);
            let reader = session.reader();
            let json = EventJson::new(&reader, 1, &standing.event, Default::default());
            let said = report::event::sentence(&reader, &standing.event);
            (said, serde_json::to_value(json).expect("JSON"))
        })
        .collect();
    assert_eq!(
        sentences[1].0,
        "a: entered with alpha ~−20020, beta +∞, 0 plies to go (Min's view)."
    );
    assert_eq!(
        sentences[2].0,
        "a: left with value at most −1000001 (Min's view)."
    );
    assert_eq!(sentences[2].1["value"]["expected"], serde_json::Value::Null);
    assert_eq!(sentences[4].0, "b: left with value −#0 (Min's view).");
    assert_eq!(sentences[4].1["value"]["expected"], -1.0);
}
