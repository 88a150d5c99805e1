//! The drawings of `plyscope tree`: each is well formed, complete in itself, and shows every row.

use crate::cli_support;

use cli_support::{elements, file, plyscope, with_input};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R2Q1RK1 b - - 0 9";

fn drawn(format: &str, algorithm: &str) -> String {
    let run = plyscope(&[
        "tree",
        "-a",
        algorithm,
        "--fen",
        MIDDLEGAME,
        "--nodes",
        "20k",
        "--threads",
        "1",
        "--max-nodes",
        "120",
        "--format",
        format,
    ]);
    run.clean().out
}

/// The number of rows that the same selection has in JSON, the root included.
fn rows(algorithm: &str) -> usize {
    let json: serde_json::Value = serde_json::from_str(&drawn("json", algorithm)).expect("JSON");
    1 + json["written"].as_u64().expect("a number") as usize
}

#[test]
fn the_drawing_has_a_row_for_each_move_and_a_strip_for_each_belief() {
    for (algorithm, has_beliefs) in [("distress", true), ("alpha-beta", false)] {
        let svg = drawn("svg", algorithm);
        let all = elements(&svg);
        let count = |name: &str| all.iter().filter(|n| *n == name).count();
        assert_eq!(count("circle"), rows(algorithm), "{algorithm}");
        assert_eq!(svg.contains("fill-opacity"), has_beliefs, "{algorithm}");
        assert!(svg.contains("<title>") && !svg.contains("href"));
    }
    // The windows of a depth-first search are shown.
    assert!(drawn("svg", "alpha-beta").contains("\u{2003}["), "a window");
}

#[test]
fn the_page_opens_every_row_without_scripts_or_a_network() {
    let page = drawn("html", "distress");
    let all = elements(&page);
    let count = |name: &str| all.iter().filter(|n| *n == name).count();
    assert_eq!(count("details"), rows("distress"));
    assert_eq!(count("summary"), rows("distress"));
    assert_eq!(count("script") + count("link") + count("img"), 0);
    assert!(!page.contains("http"), "an address");
    // Each row that is a node has its board, with the pieces where they stand.
    let root = "♜ · ♝ ♛ · ♜ ♚ · \n♟ ♟ · · ♝ ♟ ♟ ♟ \n";
    assert!(page.contains(root), "the root's board");
    assert!(count("pre") > 20);
}

#[test]
fn the_graph_has_a_node_for_each_row_and_an_edge_to_its_parent() {
    let dot = drawn("dot", "alpha-beta");
    let lines: Vec<&str> = dot.lines().collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("digraph tree {", "}"));
    let edges = lines.iter().filter(|l| l.contains(" -> ")).count();
    let nodes = lines
        .iter()
        .filter(|l| l.starts_with("  n") && l.contains("tooltip") && !l.contains(" -> "));
    assert_eq!(nodes.count(), rows("alpha-beta"));
    assert_eq!(edges + 1, rows("alpha-beta"));
    assert!(dot.contains("style=dashed"), "a move that was skipped");
    // Quotation marks in names are escaped.
    let tree = "max\nroot\n  \"A\" 3\n  B 2\n";
    let run = with_input(&["tree", "-", "--format", "dot"], tree.as_bytes());
    assert!(run.status == 1 || run.out.contains("\\\"A\\\""), "{run:?}");
}

#[test]
fn the_game_can_be_read_back_with_all_its_rows() {
    let pgn = drawn("pgn", "mcts");
    let name = file("tree.pgn", &pgn);
    let run = plyscope(&["search", &name, "--ply", "1", "--nodes", "100"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{pgn}");
    assert_eq!(pgn.matches('(').count(), pgn.matches(')').count());
    assert!(pgn.matches('(').count() > 20, "{pgn}");
    assert!(pgn.contains(&format!("[FEN \"{MIDDLEGAME}\"]")));
    let run = plyscope(&["tree", "sample-positions/textbook.tree", "--format", "pgn"]);
    run.refused(2);
}
