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
