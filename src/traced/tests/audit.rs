//! What the audit finds by the rules of chess.

use super::*;

/// The audit of a depth-first search of chess from the usual position.
fn audit_of_chess(lines: &str) -> crate::audit::ByRules {
    let stream =
        format!("{{\"plyscope-trace\":1,\"game\":\"chess\"}}\n{{\"kind\":\"search\"}}\n{lines}");
    let contents = contents(&stream);
    let root = game::ChessPosition::default();
    let audit = crate::audit::Audit::of(&contents.recordings[0], Some(&root));
    audit.rules.expect("a game with rules")
}

/// Lines that enter these moves, tell something there and leave them.
pub(super) fn entered(line: &str, inside: &str) -> String {
    let moves = line.split_whitespace();
    let enter: String = moves
        .clone()
        .map(|m| format!("{{\"kind\":\"enter\",\"move\":\"{m}\"}}\n"))
        .collect();
    enter + inside + &"{\"kind\":\"leave\",\"value\":0}\n".repeat(moves.count())
}

#[test]
fn the_audit_finds_illegal_moves_and_wrong_lists() {
    let root = "{\"kind\":\"enter\",\"move\":null}\n";
    let names = |names: &[&str]| {
        let names = names.join("\",\"");
        format!("{{\"kind\":\"moves\",\"names\":[\"{names}\"]}}\n")
    };
    let count = |n| format!("{{\"kind\":\"moves\",\"count\":{n}}}\n");
    let checked = "f2f3 e7e5 g2g4 d8h4";
    let lines = [
        root.to_owned(),
        count(20),
        // Behind an illegal move nothing is known.
        entered("e2e5 a7a5 a2a8", &count(99)),
        entered("e2e4 e7e5 e1e2 d8h4", &count(30)),
        // Mate: none is legal; a pseudo-legal list has many.
        entered(checked, &names(&["a2a3", "e1f2"])),
        entered(
            "e2e4 d7d5 f1b5",
            &names(&["c7c6", "b8c6", "c8d7", "b8d7", "e8d7"]),
        ),
        // The null move, the same position and castling are none of it.
        entered("0000 g8f6", &count(20)),
        entered("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8", &count(31)),
        entered("g1f3 g8f6 e1g1", ""),
    ];
    let found = audit_of_chess(&lines.concat());
    let first = |found: &crate::audit::Found| {
        let first = found.first.as_ref().expect("a place");
        (
            found.count,
            first.event,
            first.line.to_string(),
            first.what.to_string(),
        )
    };
    assert_eq!(first(&found.illegal), (2, 3, String::new(), "e2e5".into()));
    let after = "f2f3 e7e5 g2g4 d8h4".to_owned();
    assert_eq!(first(&found.listed).2, after);
    assert_eq!(found.listed.count, 3);
    let after = "e2e4 d7d5 f1b5".to_owned();
    assert_eq!((found.missing.count, first(&found.missing).2), (1, after));
    assert_eq!(first(&found.missing).3, "d8d7");
    let after = "e2e4 e7e5 e1e2 d8h4".to_owned();
    assert_eq!(found.counts, 4);
    assert_eq!(first(&found.miscounted).2, after);
    assert_eq!((found.lists, found.miscounted.count), (2, 2));
}

#[test]
fn the_audit_finds_two_keys_for_a_position_and_a_key_for_two() {
    let key = |key: &str| format!("{{\"kind\":\"key\",\"key\":\"{key}\"}}\n");
    let of = |keys: [(&str, &str); 4]| {
        let lines = keys.map(|(line, told)| entered(line, &key(told)));
        let found =
            audit_of_chess(&("{\"kind\":\"enter\",\"move\":null}\n".to_owned() + &lines.concat()));
        let counts = [&found.two_keys, &found.by_square, &found.shared_key].map(|f| f.count);
        (found.keys, counts)
    };
    let (one, other) = ("g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3");
    // A pawn's double step that no pawn can answer: some programs count its square.
    let (idle, usual) = ("g1f3 a7a6 e2e4", "e2e4 a7a6 g1f3");
    let right = [(one, "a1"), (other, "a1"), (idle, "b1"), (usual, "b1")];
    assert_eq!(of(right), (4, [0, 0, 0]));
    let two = [(one, "a1"), (other, "a2"), (usual, "b1"), (idle, "b2")];
    assert_eq!(of(two), (4, [1, 1, 0]));
    let shared = [(one, "a1"), (other, "a1"), (idle, "a1"), (usual, "b1")];
    assert_eq!(of(shared), (4, [0, 0, 1]));
}

/// The audit of a search whose rules nobody knows.
fn audit_of(header: &str, lines: &str) -> crate::audit::Audit {
    let contents = contents(&format!("{{\"plyscope-trace\":1,{header}}}\n{lines}"));
    crate::audit::Audit::of(&contents.recordings[0], None)
}

const POINTS: &str = r#""value":{"unit":"points","infinite":32001}"#;

#[test]
fn the_audit_counts_the_root_as_programs_do() {
    let audit = audit_of(POINTS, EXAMPLE);
    assert_eq!((audit.nodes, audit.claimed), (3, Some(3)));
    assert_eq!((audit.by_depth[0], audit.by_depth[1]), (2, 1));
    assert_eq!(audit.claimed_value, Some(3.0));
    assert_eq!((audit.checks.results, audit.checks.wrong_results), (2, 0));
    assert_eq!(audit.checks.best_agrees, Some(true));
    // A reason is counted where no depth is told too.
    let without_depths = EXAMPLE
        .replace(",\"depth\":0", "")
        .replace(",\"depth\":1", "");
    let reasons = r#""reasons":[{"name":"futility","class":"skip"}]"#;
    let audit = audit_of(&format!("{POINTS},{reasons}"), &without_depths);
    assert_eq!(audit.by_depth.iter().sum::<u64>(), 0);
    let futility = audit.reasons["futility"];
    assert_eq!((futility.total, futility.by_depth[0]), (1, 0));
}

#[test]
fn results_that_are_not_those_of_the_root_are_found() {
    let of = |from: &str, to: &str| {
        assert!(EXAMPLE.contains(from));
        let checks = audit_of(POINTS, &EXAMPLE.replace(from, to)).checks;
        (checks.results, checks.wrong_results, checks.best_agrees)
    };
    let (done, end) = (
        r#""best":"a","value":3}
{"kind":"end""#,
        r#""nodes":3,"best":"a","value":3"#,
    );
    assert_eq!(of(done, &done.replace("3}", "10}")), (2, 1, Some(true)));
    assert_eq!(of(end, &end.replace("e\":3", "e\":-3")), (2, 1, Some(true)));
    assert_eq!(of(end, &end.replace("\"a\"", "\"b\"")), (2, 0, Some(false)));
    // b is worth 3 at most, as it failed high against a's value: that does not make it the best.
    let tie = "\"value\":-2}";
    let tied = EXAMPLE.replace(tie, "\"value\":-3}");
    let checks = audit_of(POINTS, &tied.replace(end, &end.replace("\"a\"", "\"b\""))).checks;
    assert_eq!(checks.best_agrees, Some(false));
    assert_eq!(audit_of(POINTS, &tied).checks.best_agrees, Some(true));
    // Stopped within an iteration, a program may tell what that has found so far.
    let stopped = EXAMPLE.replace(
        "{\"kind\":\"end\",\"nodes\":3,\"best\":\"a\",\"value\":3}",
        r#"{"kind":"iteration","depth":2}
{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":2}
{"kind":"enter","move":"b","alpha":null,"beta":null,"depth":1}
{"kind":"leave","value":-5}
{"kind":"unwind","open":0}
{"kind":"end","nodes":5,"best":"b","value":5}"#,
    );
    let checks = audit_of(POINTS, &stopped).checks;
    let found = (checks.results, checks.wrong_results, checks.best_agrees);
    assert_eq!(found, (2, 0, Some(true)));
}

#[test]
fn what_a_best_first_search_says_in_the_end_is_compared() {
    let header = |more: &str| {
        format!(r#""order":"best-first"{more},"value":{{"unit":"expected","step":0.0001}}"#)
    };
    let lines = |value: f64, best: &str| {
        format!(
            r#"{{"kind":"expand","node":0,"first":1,"moves":["a","b"]}}
{{"kind":"visit","node":1,"value":-0.5}}
{{"kind":"visit","node":1,"value":-0.25}}
{{"kind":"visit","node":2,"value":0.5}}
{{"kind":"end","nodes":3,"best":"{best}","value":{value}}}
"#
        )
    };
    let of = |value, best| {
        let audit = audit_of(&header(""), &lines(value, best));
        assert_eq!((audit.nodes, audit.visits, audit.visited), (3, 3, 3));
        let checks = audit.checks;
        (checks.results, checks.wrong_results, checks.best_agrees)
    };
    // The mean of the root, and that of its best move.
    assert_eq!(of(0.0833, "a"), (1, 0, Some(true)));
    assert_eq!(of(0.375, "a"), (1, 0, Some(true)));
    assert_eq!(of(0.95, "b"), (1, 1, Some(false)));
    let told = r#"{"kind":"expand","node":0,"first":1,"moves":["a"]}
{"kind":"update","node":0,"visits":40,"value":0.25}
{"kind":"update","node":1,"visits":39,"value":-0.25}
{"kind":"end","best":"a","value":0.25}
"#;
    let audit = audit_of(&header(r#","backup":"none""#), told);
    assert_eq!((audit.visits, audit.visited, audit.nodes), (40, 2, 2));
    assert_eq!((audit.checks.results, audit.checks.wrong_results), (1, 0));
    assert_eq!(audit.checks.best_agrees, Some(true));
}

#[test]
fn wins_before_their_own_ply_are_found() {
    let header = r#""value":{"unit":"points","infinite":2000,"win":1000}"#;
    let of = |value: i32| {
        let lines = format!(
            "{}{{\"kind\":\"enter\",\"move\":\"b\"}}\n{{\"kind\":\"leave\",\"value\":{value}}}\n",
            "{\"kind\":\"enter\",\"move\":null}\n{\"kind\":\"enter\",\"move\":\"a\"}\n"
        );
        let early = audit_of(header, &lines).checks.early;
        let grown = grow(&format!("{{\"plyscope-trace\":1,{header}}}\n{lines}"));
        (early, grown.view("a b").score)
    };
    assert_eq!(of(997), (0, Some(Score::win_in(1))));
    assert_eq!(of(-997), (0, Some(Score::loss_in(1))));
    assert_eq!(of(999), (1, Some(Score::SOME_WIN)));
    assert_eq!(of(-1000), (1, Some(Score::SOME_LOSS)));
}
