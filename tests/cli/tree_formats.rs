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
fn the_drawing_has_a_row_for_each_move_and_a_mark_on_the_axis_for_what_is_known() {
    // Bars of beliefs, or half-lines of bounds.
    for (algorithm, mark) in [
        ("distress", "<path"),
        ("alpha-beta", "stroke-dasharray=\"4 3\""),
    ] {
        let svg = drawn("svg", algorithm);
        let all = elements(&svg);
        let count = |name: &str| all.iter().filter(|n| *n == name).count();
        assert!(count("circle") >= rows(algorithm), "{algorithm}");
        assert!(svg.matches(mark).count() > 5, "{algorithm}");
        assert!(svg.contains("White's view") && count("g") >= rows(algorithm));
        assert!(svg.contains("<title>") && !svg.contains("href"));
    }
    // The windows of a depth-first search are shown.
    assert!(drawn("svg", "alpha-beta").contains("\u{2003}["), "a window");
}

#[test]
fn the_page_opens_every_row_without_scripts_or_a_network() {
    for algorithm in ["distress", "alpha-beta"] {
        let page = drawn("html", algorithm);
        let all = elements(&page);
        let count = |name: &str| all.iter().filter(|n| *n == name).count();
        let rows = rows(algorithm);
        assert_eq!(count("details"), rows);
        assert_eq!(count("summary"), rows);
        assert_eq!(count("script") + count("link") + count("img"), 0);
        assert!(
            !page.contains("http") && !page.contains("url("),
            "an address"
        );
        assert!(page.contains("prefers-color-scheme:dark"));
        // Each row has its axis, its sentence and its numbers, and each that is a node its board.
        assert_eq!(page.matches("class=\"axis\"").count(), rows);
        assert_eq!(count("dl"), rows);
        assert!(page.matches("class=\"board\"").count() > 20);
        assert_eq!(page.matches("id=\"squares\"").count(), 1);
        // The root's rooks and king.
        assert!(page.matches("♜\u{FE0E}</text>").count() > 4 && page.contains("♚\u{FE0E}"));
        assert!(page.contains("nodes · pawns, White's view</h1>"));
        assert!(page.contains(MIDDLEGAME));
    }
    // What decided a fate is there in numbers.
    let page = drawn("html", "alpha-beta");
    for name in ["searched", "window", "beta", "fate"] {
        assert!(page.contains(&format!("<dt>{name}</dt>")), "{name}");
    }
    // The command that it names makes it.
    for made in [
        &[
            "-a",
            "distress",
            "--moves",
            "e4 c5 Nf3",
            "--set",
            "width=0.6",
            "--nodes",
            "2000",
        ][..],
        &[
            "--fen", MIDDLEGAME, "--depth", "4", "--view", "mover", "--unit", "wdl",
        ],
        &[
            "-a",
            "mcts",
            "--fen",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "--nodes",
            "3000",
            "--from",
            "Rd8",
        ],
        &["sample-positions/textbook.tree"],
    ] {
        let options = [
            "tree",
            "--threads",
            "1",
            "--format",
            "html",
            "--max-nodes",
            "60",
        ];
        let page = plyscope(&[&options[..], made].concat()).clean().out;
        let command = page.split("<code>plyscope ").nth(1).expect("a command");
        let command = command.split("</code>").next().expect("its end");
        let words = words(command);
        let again = plyscope(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(again.clean().out, page, "{command}");
    }
}

/// Splits a command line as a shell does, as far as it is quoted here.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part
            .split_whitespace()
            .map(String::from)
            .collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Whatever stands in a file, the page has it as text.
#[test]
fn the_page_escapes_what_comes_from_a_file() {
    let tree = "max\nroot\n  <b>&amp;\"x 3\n  B 2\n";
    let name = file("hostile <i>.tree", tree);
    let run = plyscope(&["tree", &name, "--format", "html"]);
    let page = run.clean().out;
    assert!(
        !page.contains("<b>&amp;\"x") && !page.contains("<i>"),
        "{page}"
    );
    assert!(page.contains("&lt;b&gt;&amp;amp;&quot;x"), "{page}");
    assert!(!elements(&page).iter().any(|name| name == "i"));
    let page = plyscope(&["tree", "sample-positions/textbook.tree", "--format", "html"])
        .clean()
        .out;
    assert!(
        page.contains("file's unit, Max's view") || page.contains("file&#39;s unit"),
        "{page}"
    );
    assert!(
        page.contains("sample-positions/textbook.tree --nodes"),
        "the command"
    );
    assert!(!page.contains("class=\"board\""));
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

#[test]
fn a_tree_of_go_can_be_read_back_as_a_game() {
    let go = "sample-positions/go.sgf";
    let run = plyscope(&[
        "tree",
        go,
        "-a",
        "mcts",
        "--set",
        "leaf=playouts",
        "--nodes",
        "20k",
        "--threads",
        "1",
        "--max-nodes",
        "200",
        "--format",
        "sgf",
    ]);
    assert_eq!((run.status, run.err.as_str()), (0, ""), "{}", run.out);
    let name = file("tree.sgf", &run.out);
    let moves = run.out.matches(";W[").count() + run.out.matches(";B[").count();
    assert!(moves > 30, "{}", run.out);
    assert!(run.out.contains("values: expected score, White's view"));
    let read = plyscope(&["search", &name, "--ply", "0", "--nodes", "100"]);
    assert_eq!((read.status, read.err.as_str()), (0, ""), "{}", run.out);
    let chess = plyscope(&["tree", "--nodes", "100", "--format", "sgf"]);
    chess.refused(2);
}

#[test]
fn with_less_room_than_moves_the_best_are_written_and_the_others_counted() {
    let written = |format: &str, most: &str| {
        let run = plyscope(&[
            "tree",
            "--fen",
            MIDDLEGAME,
            "--depth",
            "2",
            "--format",
            format,
            "--max-nodes",
            most,
        ]);
        run.clean().out
    };
    let whole: serde_json::Value = serde_json::from_str(&written("json", "500")).expect("JSON");
    let few: serde_json::Value = serde_json::from_str(&written("json", "3")).expect("JSON");
    let names = |tree: &serde_json::Value| -> Vec<String> {
        let moves = tree["root"]["children"].as_array().expect("moves");
        moves
            .iter()
            .map(|of| of["move"]["san"].to_string())
            .collect()
    };
    let all = names(&whole);
    assert_eq!(
        (names(&few), &few["written"]),
        (all[..3].to_vec(), &3.into())
    );
    assert_eq!(few["left_out"], all.len() - 3);
    assert_eq!(whole["left_out"], 0);
    let text = written("text", "3");
    let left_out = format!(
        "{} more moves: --max-nodes leaves no room for them",
        all.len() - 3
    );
    assert_eq!(text.lines().last(), Some(&*left_out));
    assert!(!written("text", "500").contains("more move"));
}

/// A lost position of another game says by which move and how soon it is lost, without the words of chess and with names that are
/// numbers apart from counts.
#[test]
fn a_lost_game_of_connect_four_is_told_without_chess() {
    let lost = [
        "tree",
        "--fen",
        "connect4 4444412226665",
        "-a",
        "mcts",
        "--nodes",
        "2000",
    ];
    let text = plyscope(&[&lost[..], &["--format", "json"]].concat())
        .clean()
        .out;
    let at = text.find("moves lose, ").expect("a lost position");
    assert!(!text.contains("moves to mate"), "{}", &text[at..at + 200]);
    let told = text[at..].split(['"', '(', ')']).nth(1).unwrap_or_default();
    assert!(
        told.starts_with("each in ") || told.starts_with("in "),
        "{told}"
    );
}

/// The command in a page that ended by itself has the limit that was given.
#[test]
fn a_page_names_the_limit_it_was_made_with() {
    let page = [
        "tree",
        "--fen",
        "tictactoe x-o/o--/x--",
        "-a",
        "mcts",
        "--nodes",
        "5000",
        "--format",
        "html",
    ];
    let page = plyscope(&page).clean().out;
    assert!(
        page.contains("--nodes 5000 "),
        "{}",
        &page[..4000.min(page.len())]
    );
}
