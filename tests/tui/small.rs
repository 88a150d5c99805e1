//! Screens too small for several panes show one part of a tab at a time, and on no screen is anything cut beside empty
//! space.

use std::collections::BTreeSet;

use crate::learn::settle;
use crate::tui_support;

use tui::app::App;
use tui::tabs::Tab;
use tui_support::{alpha_beta, app, distress, press, screen, text};

const SMALL: [(u16, u16); 7] = [
    (40, 12),
    (40, 23),
    (60, 16),
    (79, 24),
    (79, 60),
    (100, 12),
    (200, 12),
];
const TABS: [Tab; 5] = [Tab::Explore, Tab::Compare, Tab::Game, Tab::Learn, Tab::Lab];

fn prepared() -> App {
    let mut app = app();
    app.show_still(distress());
    app
}

fn shown(app: &mut App, (width, height): (u16, u16)) -> String {
    text(&screen(app, width, height))
}

/// The first word of the key bar, which names the part that is shown.
fn part(shown: &str) -> String {
    let bar = shown.lines().last().unwrap_or_default();
    bar.split("  ").next().unwrap_or_default().trim().to_owned()
}

/// Goes through the parts of the tab; returns their names.
fn parts(app: &mut App, size: (u16, u16)) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for _ in 0..8 {
        let picture = shown(app, size);
        assert!(!picture.contains("plyscope needs"), "{picture}");
        names.insert(part(&picture));
        press(app, "Tab");
    }
    names
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_part_of_every_tab_is_a_key_away() {
    for size in SMALL {
        let mut app = prepared();
        assert_eq!(
            parts(&mut app, size),
            names(&["tree", "inspector", "board"]),
            "{size:?}"
        );
        app.show_still(alpha_beta());
        app.cx.explore.debug.shown = true;
        let of_explore = names(&["tree", "events", "inspector", "board"]);
        assert_eq!(parts(&mut app, size), of_explore, "{size:?}");
        app.show_tab(Tab::Compare);
        let of_compare = names(&["rows", "columns", "sentences", "beliefs", "chart"]);
        assert_eq!(parts(&mut app, size), of_compare, "{size:?}");
        app.show_tab(Tab::Game);
        assert_eq!(
            parts(&mut app, size),
            names(&["moves", "board"]),
            "{size:?}"
        );
        app.show_tab(Tab::Lab);
        assert_eq!(
            parts(&mut app, size),
            names(&["chart", "margins", "audit"]),
            "{size:?}"
        );
        press(&mut app, "P");
        shown(&mut app, size);
        press(&mut app, "P");
        assert_eq!(
            parts(&mut app, size),
            names(&["chart", "figures"]),
            "{size:?}"
        );
    }
}

#[test]
fn a_lesson_is_read_and_its_tree_seen_on_a_small_screen() {
    for size in SMALL {
        let mut app = prepared();
        app.show_tab(Tab::Learn);
        shown(&mut app, size);
        app.open_lesson(0);
        settle(&mut app);
        // The first lesson has introduced neither inspector nor log.
        let of_lesson = names(&["text", "tree", "board"]);
        assert_eq!(parts(&mut app, size), of_lesson, "{size:?}");
        let steps = app
            .cx
            .reading
            .playing
            .as_ref()
            .expect("a lesson")
            .lesson
            .steps
            .len();
        for _ in 0..steps {
            shown(&mut app, size);
            press(&mut app, "Enter");
            settle(&mut app);
        }
        press(&mut app, "Esc");
        shown(&mut app, size);
    }
}

#[test]
fn what_opens_above_the_tabs_fits_on_a_small_screen() {
    for size in SMALL {
        let mut app = prepared();
        for tab in TABS {
            app.show_tab(tab);
            for keys in [
                ":",
                ": b e",
                "?",
                "? ?",
                "? Tab Tab",
                "a",
                "a Tab",
                "t",
                "S",
                "f",
                "i",
                "/",
                "B",
                "B a",
                "Ctrl-o",
                "A",
                "T",
                "R",
            ] {
                press(&mut app, keys);
                let picture = shown(&mut app, size);
                assert_eq!(picture.lines().count(), usize::from(size.1));
                press(&mut app, "Esc");
                press(&mut app, "Esc");
            }
        }
    }
}

#[test]
fn a_small_screen_shows_the_focused_pane_alone() {
    let mut app = prepared();
    insta::assert_snapshot!("tree_40x12", shown(&mut app, (40, 12)));
    press(&mut app, "Tab");
    insta::assert_snapshot!("inspector_40x12", shown(&mut app, (40, 12)));
    press(&mut app, "Tab");
    insta::assert_snapshot!("board_40x12", shown(&mut app, (40, 12)));
    // The same keys have the same panes where there is room for all.
    let large = shown(&mut app, (120, 36));
    assert!(
        large.contains("tree, best first") && large.contains("to move"),
        "{large}"
    );
    app.show_tab(Tab::Learn);
    app.open_lesson(0);
    settle(&mut app);
    insta::assert_snapshot!("lesson_60x16", shown(&mut app, (60, 16)));
}

/// Whether a line of a screen has a text that was cut although there is room behind it.
fn is_cut_beside_room(line: &str) -> bool {
    const ROOM: usize = 4;
    // The edge of a frame or a popup is passed: beyond it there may be empty space as well.
    let is_edge = |c: char| "│┃║|".contains(c);
    line.match_indices('…').any(|(at, sign)| {
        let (before, after) = (&line[..at], &line[at + sign.len()..]);
        // A range such as `−0.36 … −0.35` has blanks on both sides.
        let cut = before.chars().next_back().is_some_and(|c| c != ' ');
        let behind: Vec<char> = after.chars().collect();
        let blanks = behind.iter().take_while(|c| **c == ' ').count();
        let edge = behind.get(blanks).is_some_and(|c| is_edge(*c));
        let beyond = behind.iter().skip(blanks + 1);
        let all_blank = edge && beyond.len() >= 3 * ROOM && beyond.into_iter().all(|c| *c == ' ');
        cut && (blanks >= ROOM || all_blank)
    })
}

#[test]
fn a_cut_text_beside_room_is_recognised() {
    assert!(is_cut_beside_room("│ a sample that is c…        │"));
    assert!(is_cut_beside_room(
        "      │ a sample that is c… │            "
    ));
    assert!(!is_cut_beside_room("│ a sample that is c… │"));
    assert!(!is_cut_beside_room("│ window    −0.36 …          │"));
    assert!(!is_cut_beside_room("╭─ a long titl… ─╮"));
}

/// What opens above the tabs is as wide as its lines need, if the screen is.
#[test]
fn dialogs_cut_nothing_beside_empty_space() {
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = prepared();
        for tab in TABS {
            app.show_tab(tab);
            for keys in [":", "?", "? ?", "a", "a Tab", "t", "S", "i", "T", "A"] {
                press(&mut app, keys);
                let picture = shown(&mut app, (width, height));
                let cut: Vec<&str> = picture.lines().filter(|l| is_cut_beside_room(l)).collect();
                assert!(cut.is_empty(), "{keys} in {tab:?}: {cut:#?}\n{picture}");
                press(&mut app, "Esc");
                press(&mut app, "Esc");
            }
        }
    }
}

/// Every screen that a snapshot shows, at whatever size.
#[test]
fn nothing_is_cut_beside_empty_space() {
    let folder = tui_support::root().join("tests/tui/snapshots");
    let mut judged = 0;
    let mut bad = Vec::new();
    for file in std::fs::read_dir(folder).expect("the snapshots") {
        let file = file.expect("a file").path();
        let text = std::fs::read_to_string(&file).expect("a snapshot");
        for line in text.lines() {
            // Whole buffers are stored as quoted lines.
            let quoted = line
                .trim()
                .strip_prefix('"')
                .and_then(|l| l.strip_suffix("\","));
            let line = quoted.unwrap_or(line);
            judged += 1;
            if is_cut_beside_room(line) {
                bad.push(format!("{}: {line}", file.display()));
            }
        }
    }
    assert!(judged > 2000, "{judged}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
