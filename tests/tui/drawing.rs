//! Drawings of toy trees: snapshots, moving among the nodes, stepping, the mouse, and that no tree is drawn with
//! overlaps.

use crate::tui_support;

use algorithms::Algorithm;
use games::Document;
use proptest::prelude::*;
use ratatui::layout::Rect;
use session::debug::Why;
use tui::app::App;
use tui::panes::drawing::DrawingTarget;
use tui_support::toy::{finished, searched, settle};
use tui_support::{click, look, press, screen, text};

const TREES: [&str; 4] = ["textbook", "sixteen-leaves", "figure1", "wide-and-narrow"];

fn drawn(name: &str, algorithm: Algorithm) -> App {
    finished(&format!("{name}.tree"), algorithm, false)
}

/// Returns the part of the screen with the drawing.
fn pane(shown: &str) -> String {
    let lines = shown.lines().map(|line| line.chars().take(78).collect());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn pictures_after_alpha_beta() {
    for name in TREES {
        let mut app = drawn(name, Algorithm::AlphaBeta);
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            let picture = format!("{name}_{width}x{height}");
            insta::assert_snapshot!(picture, text(&screen(&mut app, width, height)));
        }
    }
    // Once with all its styles.
    let mut app = drawn("textbook", Algorithm::AlphaBeta);
    press(&mut app, "j");
    picture!("textbook_styles", app, 80 x 24);
}

#[test]
fn every_algorithm_s_tree_is_drawn() {
    let mut shown = Vec::new();
    for algorithm in [
        Algorithm::ProbAlphaBeta,
        Algorithm::Mcts,
        Algorithm::Distress,
    ] {
        let mut app = drawn("figure1", algorithm);
        shown.push(pane(&text(&screen(&mut app, 120, 36))));
    }
    let [prob, mcts, distress] = shown.as_slice() else {
        unreachable!("three algorithms");
    };
    assert!(prob.contains("[−∞,∞]") && prob.contains('±'), "{prob}");
    assert!(mcts.contains("n=") && !mcts.contains('['), "{mcts}");
    assert!(
        distress.contains("n=") && distress.contains("±."),
        "{distress}"
    );
    // The leaves are those of the file, with their spread.
    for picture in &shown {
        assert!(
            picture.contains("1.2±1") && picture.contains("−5±1"),
            "{picture}"
        );
    }
}

#[test]
fn ascii_has_other_signs_for_everything() {
    let mut app = finished("textbook.tree", Algorithm::AlphaBeta, true);
    let shown = text(&screen(&mut app, 80, 24));
    assert!(shown.is_ascii(), "{shown}");
    for part in ["/x", "vB <2X", "[-inf,inf]", "#"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}

#[test]
fn what_was_cut_has_a_bar_and_a_letter_and_windows_stand_below_values() {
    let mut app = drawn("textbook", Algorithm::AlphaBeta);
    let shown = look(&mut app);
    let lines: Vec<&str> = shown.lines().collect();
    let line = |part: &str| {
        let at = lines.iter().position(|line| line.contains(part));
        at.unwrap_or_else(|| panic!("{part}\n{shown}"))
    };
    assert_eq!(line("[3,∞]"), line("▽B ≤2X") + 1);
    assert_eq!(line("╪x"), line("b2") - 1);
    let bars = lines[line("╪x")].matches('╪').count();
    assert_eq!(bars, 2, "{shown}");
}

#[test]
fn arrows_go_where_they_point_and_letters_as_in_the_rows() {
    let mut app = drawn("textbook", Algorithm::AlphaBeta);
    look(&mut app);
    let mut after = |keys: &str| {
        press(&mut app, keys);
        look(&mut app);
        app.selected_line()
    };
    // Down follows the best line; left and right go to neighbours, cousins included.
    assert_eq!(after("Down"), "A");
    assert_eq!(after("Right"), "B");
    assert_eq!(after("Left Down"), "A › a1");
    assert_eq!(after("Right Right Right"), "B › b1");
    assert_eq!(after("Right"), "B › b2", "cut, but in the drawing");
    assert_eq!(after("Up"), "B");
    assert_eq!(after("l"), "B › b1");
    assert_eq!(after("j j j"), "C");
    assert_eq!(after("k"), "B › b3");
    assert_eq!(after("K"), "B › b2");
    assert_eq!(after("K K J"), "B › b2", "siblings only");
    assert_eq!(after("g g"), "");
    assert_eq!(after("G"), "C › c3");
    assert_eq!(after("3 h"), "");
    assert_eq!(after("*"), "A");
}

#[test]
fn the_inspector_tells_why_the_selected_cut_move_was_not_searched() {
    let mut app = drawn("textbook", Algorithm::AlphaBeta);
    look(&mut app);
    press(&mut app, "Down Right Down Right");
    let shown = text(&screen(&mut app, 200, 50));
    assert!(shown.contains("sibling-cutoff"), "{shown}");
    // It has no events, and asking for them is not an error.
    press(&mut app, "L");
    look(&mut app);
    assert_eq!(app.selected_line(), "B › b2");
}

#[test]
fn subtrees_close_into_their_leaves_and_the_rows_are_one_key_away() {
    let mut app = drawn("sixteen-leaves", Algorithm::AlphaBeta);
    screen(&mut app, 200, 50);
    press(&mut app, "Down Left h");
    let shown = text(&screen(&mut app, 200, 50));
    assert!(shown.contains("… 8 leaves"), "{shown}");
    assert!(!shown.contains("101"), "{shown}");
    press(&mut app, "l");
    let shown = text(&screen(&mut app, 200, 50));
    assert!(shown.contains("101"), "{shown}");
    press(&mut app, "l O");
    let shown = text(&screen(&mut app, 200, 50));
    assert_eq!(shown.matches("… 8 leaves").count(), 2, "{shown}");
    assert_eq!(app.selected_line(), "A");
    // The row is the same in the other view.
    press(&mut app, "Right d");
    let shown = text(&screen(&mut app, 200, 50));
    assert!(shown.contains("tree, best first"), "{shown}");
    assert_eq!(app.selected_line(), "B");
    press(&mut app, "d");
    assert!(text(&screen(&mut app, 200, 50)).contains("values for Max"));
}

#[test]
fn nothing_can_be_selected_below_a_cut() {
    let mut app = drawn("sixteen-leaves", Algorithm::AlphaBeta);
    look(&mut app);
    press(&mut app, "/ H Enter");
    look(&mut app);
    assert_eq!(app.selected_line(), "A › F › H");
    press(&mut app, "l");
    assert!(look(&mut app).contains("nothing was searched below"));
    assert_eq!(app.selected_line(), "A › F › H");
    press(&mut app, "/ h 1 Enter");
    assert!(look(&mut app).contains("no node that was looked at"));
}

#[test]
fn chess_begins_as_rows_and_d_draws_its_lines() {
    let mut app = tui_support::app();
    app.show_still(tui_support::alpha_beta());
    assert!(look(&mut app).contains("tree, best first"));
    press(&mut app, "d");
    let shown = look(&mut app);
    assert!(shown.contains("lines, values for White"), "{shown}");
    press(&mut app, "d");
    assert!(look(&mut app).contains("tree, best first"));
}

/// Returns the columns of the mark of the event, with its row.
fn marked(app: &mut App) -> Option<(usize, usize)> {
    let shown = pane(&text(&screen(app, 120, 36)));
    let mut found = shown.lines().enumerate().filter_map(|(y, line)| {
        let x = line.chars().position(|c| c == '▶')?;
        Some((x, y))
    });
    found.next()
}

#[test]
fn stepping_moves_the_mark_and_the_tree_fills() {
    let mut app = drawn("textbook", Algorithm::AlphaBeta);
    look(&mut app);
    let mut places = std::collections::BTreeSet::new();
    let mut lines = std::collections::BTreeSet::new();
    press(&mut app, "s");
    settle(&mut app);
    let begin = pane(&look(&mut app));
    assert!(!begin.contains("╪x") && begin.contains("▽B"), "{begin}");
    for _ in 0..400 {
        let stop = app.cx.explore.debug.stop.clone().expect("it stands");
        if stop.why == Why::Ended {
            break;
        }
        places.extend(marked(&mut app));
        lines.insert(app.selected_line());
        press(&mut app, "s");
        settle(&mut app);
    }
    // The root, three moves, and the seven leaves that are read.
    assert!(places.len() >= 10, "{places:?}");
    assert!(lines.contains("B › b1") && lines.contains("C"), "{lines:?}");
    let end = pane(&look(&mut app));
    assert!(end.contains("╪x") && end.contains("△=3"), "{end}");
}

#[test]
fn clicks_select_and_the_wheel_scrolls() {
    let mut app = drawn("sixteen-leaves", Algorithm::AlphaBeta);
    press(&mut app, "D");
    screen(&mut app, 80, 24);
    let spots = |app: &App| -> Vec<(Rect, usize)> {
        let places = app.cx.regions.iter().filter_map(|r| match r.target.of() {
            Some(DrawingTarget::Node(place)) => Some((r.area, place)),
            _ => None,
        });
        places.collect()
    };
    let (area, place) = *spots(&app).iter().find(|(_, p)| *p == 2).expect("B");
    click(&mut app, area.x, area.y);
    assert_eq!((place, app.selected_line()), (2, "B".to_owned()));
    screen(&mut app, 80, 24);
    let leaves = spots(&app).len();
    click(&mut app, area.x, area.y);
    screen(&mut app, 80, 24);
    assert!(spots(&app).len() < leaves, "a second click closes");
}

/// A file of one hundred leaves with long names.
fn large() -> Document {
    let mut file = "max\n".to_owned();
    for i in 0..10 {
        file += &format!("inner{i}\n");
        for j in 0..10 {
            file += &format!("  leaf-{i}-{j} {}\n", i * j);
        }
    }
    document(&file)
}

fn document(file: &str) -> Document {
    Document::from_bytes("a tree", file.into()).expect("a tree")
}

#[test]
fn a_large_tree_scrolls_with_the_selection() {
    let mut app = searched(large(), Algorithm::AlphaBeta, false);
    let shown = text(&screen(&mut app, 80, 24));
    assert!(shown.contains("columns "), "{shown}");
    press(&mut app, "G");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("leaf-9-9") && !shown.contains("leaf-0-0"),
        "{shown}"
    );
    press(&mut app, "g g");
    press(&mut app, "l l");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("leaf-0-0") && !shown.contains("leaf-9-9"),
        "{shown}"
    );
    press(&mut app, "PgDn PgDn");
    let shown = text(&screen(&mut app, 80, 24));
    let selected = app.selected_line();
    let leaf = selected.split(" › ").last().expect("a name");
    assert!(
        leaf != "leaf-0-0" && shown.contains(leaf),
        "{selected}\n{shown}"
    );
}

/// Files of any shape: each node's depth is at most one more than the previous node's.
fn files() -> impl Strategy<Value = String> {
    prop::collection::vec((0usize..5, -9i32..100), 1..40).prop_map(|rows| {
        let mut depth = 0;
        let mut lines: Vec<(usize, String, i32)> = Vec::new();
        for (i, (wanted, value)) in rows.into_iter().enumerate() {
            depth = wanted.min(if i == 0 { 0 } else { depth + 1 });
            lines.push((depth, format!("n{i}"), value));
        }
        let mut file = "max\n".to_owned();
        for (i, (depth, name, value)) in lines.iter().enumerate() {
            let inner = lines.get(i + 1).is_some_and(|next| next.0 > *depth);
            let value = if inner {
                String::new()
            } else {
                format!(" {value}")
            };
            file += &format!("{:1$}{name}{value}\n", "", 2 * depth);
        }
        file
    })
}

const UP: &str = "│┃└┘┴├┤┼┕┙┖┚┗┛┷┸┻┶┵┺┹┾┽┿╀┞┡┦┩╂╃╄╁╅╆╇╈╉╊╋┠┨┝┥┣┫┢┪┟┧";

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn every_edge_leads_from_a_child_to_its_parent(file in files(), ascii: bool) {
        let mut app = searched(document(&file), Algorithm::AlphaBeta, ascii);
        let buffer = screen(&mut app, 200, 50);
        let (layout, detail) = app.cx.explore.drawing.layout().expect("drawn");
        let (columns, rows) = app.cx.explore.drawing.reach();
        prop_assume!((columns, rows) == (0, 0));
        let regions: Vec<(Rect, usize)> = app.cx.regions.iter().filter_map(|r| match r.target.of() {
            Some(DrawingTarget::Node(place)) => Some((r.area, place)),
            _ => None,
        }).collect();
        // All nodes are drawn, none over another.
        prop_assert_eq!(regions.len(), layout.places.len());
        for (i, (a, _)) in regions.iter().enumerate() {
            prop_assert!(regions[i + 1..].iter().all(|(b, _)| a.intersection(*b).is_empty()));
        }
        // Follows the edge from above each node to below its parent, without a gap.
        let area_of = |place: usize| regions.iter().find(|r| r.1 == place).expect("drawn").0;
        for (i, place) in layout.places.iter().enumerate().skip(1) {
            let parent = place.parent.expect("below the root");
            let (own, above) = (area_of(i), area_of(parent));
            let x = |p: &report::drawing::Place, area: Rect| {
                (i32::from(area.x) + p.middle - p.left()) as u16
            };
            let (from, to) = (x(place, own), x(&layout.places[parent], above));
            // Long edges branch halfway.
            let (top, bus) = (above.y + detail.level, above.y + detail.level + (detail.links - 1) / 2);
            let sign = |x: u16, y: u16| buffer[(x, y)].symbol().to_owned();
            for y in top..bus {
                prop_assert!(sign(to, y) != " ", "{i} at {to},{y}\n{}", text(&buffer));
            }
            for y in bus..own.y {
                prop_assert!(sign(from, y) != " ", "{i} at {from},{y}\n{}", text(&buffer));
            }
            for x in from.min(to)..=from.max(to) {
                prop_assert!(sign(x, bus) != " ", "{i} at {x},{bus}\n{}", text(&buffer));
            }
            if !ascii && from != to && sign(to, bus) != "╪" {
                prop_assert!(UP.contains(&sign(to, bus)), "{}\n{}", sign(to, bus), text(&buffer));
            }
        }
    }
}
