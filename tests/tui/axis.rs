//! The value axis in the tree: its marks, its scale, and the rows that stand for several moves, for searches of every kind and
//! for positions in which little or too much is known.

use crate::tui_support;

use algorithms::{ALGORITHMS, Algorithm};
use game::load::fen;
use games::Document;
use report::axis::Reach;
use tui::app::App;
use tui_support::toy::{self, searched};
use tui_support::{alpha_beta, distress, press, text_at};

const WIDE: (u16, u16) = (200, 50);
const SMALL: (u16, u16) = (80, 24);

fn shown(app: &mut App, (width, height): (u16, u16)) -> String {
    // The second frame stands on the scale that the first one found.
    text_at(app, width, height);
    text_at(app, width, height)
}

fn chess(position: &str) -> Document {
    let found = fen::parse(position).expect("a position").position;
    Document::position("a position", found)
}

/// Returns the line of a move's row.
fn row_of(picture: &str, name: &str) -> String {
    let row = picture
        .lines()
        .find(|line| line.contains(&format!("▸ {name} ")) || line.contains(&format!("· {name} ")))
        .unwrap_or_else(|| panic!("{name} has no row\n{picture}"));
    row.to_owned()
}

fn rows(app: &App) -> usize {
    app.cx.explore.tree.rows().len()
}

/// Positions with one move, no move to choose, everything proven, nothing searched, and values far from equality.
const ODD: [(&str, &str); 8] = [
    ("one move only", "7k/8/8/8/8/8/6q1/7K w - - 0 1"),
    ("all moves lose at once", "7k/8/8/8/8/5q2/7r/6K1 w - - 0 1"),
    ("a mate in one", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
    ("a known draw", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"),
    (
        "more than ten pawns up",
        "6k1/8/8/8/8/8/PPPPPPPP/RRR1K3 w - - 0 1",
    ),
    (
        "more than ten pawns down",
        "rrr1k3/pppppppp/8/8/8/8/8/6K1 w - - 0 1",
    ),
    (
        "218 moves",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ),
    (
        "in check",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ),
];

/// Whatever is searched, by whatever algorithm, the screen is drawn at all sizes and by all marks, and the tree keeps its
/// heading, with both ends of the axis or the best value.
#[test]
fn odd_positions_are_drawn_by_every_algorithm() {
    for (what, position) in ODD {
        for row in &ALGORITHMS {
            let mut app = searched(chess(position), row.algorithm, false);
            for (size, style) in [(WIDE, ""), (SMALL, "v"), ((120, 36), "v"), (WIDE, "z")] {
                if !style.is_empty() {
                    press(&mut app, style);
                }
                let picture = shown(&mut app, size);
                let name = row.algorithm.name();
                assert!(picture.contains("position"), "{what}, {name}\n{picture}");
                assert!(picture.contains(" move "), "{what}, {name}\n{picture}");
            }
        }
    }
}

/// A mate is a full bar with its distance beside it, a proven draw a bar to zero, and a move that loses no bar at all.
#[test]
fn proofs_are_told_apart_at_a_glance() {
    let mut app = searched(chess(ODD[2].1), Algorithm::Mcts, false);
    let picture = shown(&mut app, WIDE);
    let mate = row_of(&picture, "Rd8#");
    assert!(mate.contains("███") && mate.contains("#1"), "{picture}");
    let mut app = searched(chess(ODD[3].1), Algorithm::Distress, false);
    let picture = shown(&mut app, WIDE);
    assert!(picture.contains('='), "{picture}");
}

/// Values of a million stand where they are, in the unit of the file.
#[test]
fn a_tree_with_values_of_a_million_has_its_scale() {
    let tree = "max\nA\n  a1 1000000\n  a2 -1000000\nB\n  b1 999000\n  b2 250000\n";
    let path = std::env::temp_dir().join(format!("axis-{}.tree", std::process::id()));
    std::fs::write(&path, tree).expect("written");
    let document = Document::open(&path).expect("a tree");
    let mut app = searched(document, Algorithm::AlphaBeta, false);
    press(&mut app, "d");
    let picture = shown(&mut app, WIDE);
    std::fs::remove_file(&path).expect("removed");
    assert!(picture.contains("+250000"), "{picture}");
    assert!(picture.contains("★"), "{picture}");
}

/// Before anything is known there is a whole axis, and no mark.
#[test]
fn nothing_searched_is_an_empty_axis() {
    let mut app = toy::waiting("quiet-middlegame.fen", Algorithm::Distress);
    let picture = shown(&mut app, WIDE);
    assert!(
        picture.contains("loss") && picture.contains("win"),
        "{picture}"
    );
    let pane = |l: &str| l.chars().skip(56).take(86).collect::<String>();
    let rows: String = picture.lines().skip(4).map(pane).collect();
    assert!(!rows.contains('█') && !rows.contains('●'), "{picture}");
}

#[test]
fn the_scale_and_the_marks_turn_with_keys_and_say_so() {
    let mut app = tui_support::app();
    app.show_still(distress());
    shown(&mut app, SMALL);
    assert_eq!(app.cx.explore.tree.axis.reach, Reach::Leaders);
    let leaders = app.cx.explore.tree.axis.span();
    press(&mut app, "z z");
    let picture = shown(&mut app, SMALL);
    let whole = app.cx.explore.tree.axis.span();
    assert!(whole.low <= leaders.low && whole.high >= leaders.high);
    assert_eq!((whole.low, whole.high), (-1.0, 1.0));
    assert!(picture.contains("whole axis"), "{picture}");
    press(&mut app, "z v");
    let picture = shown(&mut app, SMALL);
    assert!(picture.contains('━') && picture.contains('●'), "{picture}");
    press(&mut app, "v v");
    assert!(shown(&mut app, SMALL).contains('█'));
}

/// At 80x24 the axis has 24 cells at least, with the board beside it and without.
#[test]
fn the_smallest_screen_has_room_for_the_axis() {
    let mut app = tui_support::app();
    app.show_still(distress());
    press(&mut app, "z z");
    for _ in 0..2 {
        let picture = shown(&mut app, SMALL);
        let head = picture
            .lines()
            .find(|l| l.contains("loss"))
            .expect("a heading");
        let from = head.find("loss").expect("one end");
        let to = head.find("win").expect("the other");
        let cells = head[from..to].chars().count() + 3;
        assert!(cells >= 24, "{cells}\n{picture}");
        press(&mut app, "g b");
    }
}

/// The scale stays while the leaders hardly move, and follows them when they do.
#[test]
fn the_scale_does_not_change_from_frame_to_frame() {
    let mut app = tui_support::app();
    app.show_still(distress());
    shown(&mut app, WIDE);
    let before = app.cx.explore.tree.axis.span();
    for _ in 0..5 {
        shown(&mut app, WIDE);
    }
    assert_eq!(app.cx.explore.tree.axis.span(), before);
    press(&mut app, "j l j");
    shown(&mut app, WIDE);
    assert_ne!(app.cx.explore.tree.axis.span(), before, "other moves");
}

#[test]
fn unlikely_moves_share_a_row_that_opens_and_closes() {
    let mut app = tui_support::app();
    app.show_still(distress());
    let picture = shown(&mut app, WIDE);
    assert!(picture.contains("more moves, together"), "{picture}");
    let few = rows(&app);
    press(&mut app, "G");
    let fold = app.cx.explore.tree.shown_row().expect("a row");
    assert!(fold.is_fold());
    // Until it is opened it stands for the position at which the moves are played.
    assert_eq!(app.selected_line(), "");
    press(&mut app, "l");
    shown(&mut app, WIDE);
    let all = rows(&app);
    assert!(all > few + 3);
    press(&mut app, "j j");
    assert_ne!(app.selected_line(), "");
    press(&mut app, "h");
    assert!(app.cx.explore.tree.shown_row().expect("a row").is_fold());
    press(&mut app, "h");
    shown(&mut app, WIDE);
    assert_eq!(rows(&app), few);
    press(&mut app, "g v");
    shown(&mut app, WIDE);
    assert_eq!(rows(&app), all - 1, "every move has a row of its own");
}

/// A move that is looked for is found behind the row that stands for it.
#[test]
fn a_folded_move_is_found() {
    let mut app = tui_support::app();
    app.show_still(distress());
    shown(&mut app, WIDE);
    let hidden = {
        let reader = app.cx.session.as_ref().expect("a tree").reader();
        let rows = reader.rows(tree::Tree::ROOT);
        let shown: Vec<_> = app.cx.explore.tree.rows().iter().map(|r| r.code).collect();
        let hidden = rows.into_iter().find(|r| !shown.contains(&r.move_code));
        hidden.expect("a folded move").label
    };
    press(&mut app, "/");
    for key in hidden.chars() {
        press(&mut app, &key.to_string());
    }
    press(&mut app, "Enter");
    shown(&mut app, WIDE);
    assert!(app.selected_line().ends_with(&hidden), "{hidden}");
}

/// The moves that were never searched share a row with the reasons, each with its number; together they are all moves that no
/// other row shows.
#[test]
fn moves_that_were_not_searched_are_counted_by_reason() {
    let mut app = tui_support::app();
    app.show_still(alpha_beta());
    shown(&mut app, WIDE);
    press(&mut app, "j l");
    let picture = shown(&mut app, WIDE);
    let line = picture
        .lines()
        .find(|l| l.contains("more not searched"))
        .unwrap_or_else(|| panic!("no such row\n{picture}"));
    let words = line.split("▸ ").nth(1).expect("its words");
    let count: usize = words
        .split(' ')
        .next()
        .expect("a count")
        .parse()
        .expect("a number");
    let reasons = words
        .split(": ")
        .nth(1)
        .expect("reasons")
        .split('│')
        .next()
        .expect("the pane");
    let parts = reasons
        .trim()
        .split(" · ")
        .filter_map(|part| part.split(' ').next()?.parse::<usize>().ok());
    let parts: Vec<usize> = parts.collect();
    assert!(
        parts.is_empty() || parts.iter().sum::<usize>() == count,
        "{line}"
    );
}

/// Without Unicode and without colours the axis is drawn as well.
#[test]
fn ascii_has_marks_of_its_own() {
    let mut app = searched(chess(tui_support::FEN), Algorithm::Distress, true);
    let picture = shown(&mut app, WIDE);
    assert!(picture.is_ascii(), "{picture}");
    assert!(picture.contains("####"), "{picture}");
    press(&mut app, "v");
    let picture = shown(&mut app, WIDE);
    assert!(
        picture.contains("=o") || picture.contains("o="),
        "{picture}"
    );
}

/// The inspector opens with the sentence; the axis, the groups of figures and the details come after it in this order.
#[test]
fn the_inspector_has_its_order() {
    let mut app = searched(chess(tui_support::FEN), Algorithm::Distress, false);
    let picture = shown(&mut app, (200, 80));
    let (x, _) = tui_support::find(&picture, "root position");
    let pane = |l: &str| l.chars().skip(usize::from(x) - 2).collect::<String>();
    let lines: Vec<String> = picture.lines().map(pane).collect();
    let place = |what: &str| {
        let found = lines.iter().position(|l| l.trim_start().starts_with(what));
        found.unwrap_or_else(|| panic!("{what} is not there\n{picture}"))
    };
    let order = [
        place("E● expanded"),
        place("best line"),
        place("itself"),
        place("value"),
        place("work"),
        place("decision"),
    ];
    assert!(order.is_sorted(), "{order:?}\n{picture}");
    assert!(place("where the next visit goes") > order[5], "{picture}");
}

/// A search of another program whose root has these moves, as a stream.
fn told(value: &str, moves: &[(&str, i64)]) -> Document {
    let header = format!(r#"{{"plyscope-trace":1,"game":"toy","value":{value}}}"#);
    let best = moves.iter().map(|(_, value)| value).max().expect("a move");
    let mut lines = vec![
        header,
        r#"{"kind":"search"}"#.into(),
        r#"{"kind":"enter","move":null}"#.into(),
    ];
    for (name, value) in moves {
        lines.push(format!(r#"{{"kind":"enter","move":"{name}"}}"#));
        lines.push(format!(r#"{{"kind":"leave","value":{}}}"#, -value));
    }
    lines.push(format!(r#"{{"kind":"leave","value":{best}}}"#));
    lines.push(r#"{"kind":"end"}"#.into());
    Document::from_bytes("told.plytrace", lines.join("\n").into_bytes()).expect("a stream")
}

#[test]
fn large_values_are_written_whole_and_wins_do_not_squeeze_small_ones() {
    let large = [("a", 2_000_000), ("b", 1_900_001), ("c", -1_234_567)];
    let small = [("a", 999_995), ("b", 5), ("c", 3), ("d", -2)];
    for size in [WIDE, SMALL] {
        let mut app = searched(
            told(r#"{"unit":"milli-pawns"}"#, &large),
            Algorithm::AlphaBeta,
            false,
        );
        let picture = shown(&mut app, size);
        for (name, value) in ["a ★", "b", "c"]
            .into_iter()
            .zip(["+2000000", "+1900001", "−1234567"])
        {
            let row = row_of(&picture, name);
            assert!(row.contains(value) && row.contains('●'), "{picture}");
        }
        let value = r#"{"unit":"points","win":1000000,"infinite":1000001}"#;
        let mut app = searched(told(value, &small), Algorithm::AlphaBeta, false);
        let picture = shown(&mut app, size);
        let at = |name| row_of(&picture, name).chars().position(|c| c == '●');
        assert!(
            at("b") > at("c") && at("c") > at("d") && at("d").is_some(),
            "{picture}"
        );
        let win = row_of(&picture, "a ★");
        assert!(win.contains("#3") && win.contains('▸'), "{picture}");
    }
}
