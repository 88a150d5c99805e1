//! `plyscope --plain` as somebody types in it.

use crate::pty::{Terminal, folder, sample};

/// No sequence may move the cursor: a screen reader reads what is new.
fn assert_plain(t: &Terminal) {
    let raw = t.raw.lock().expect("the output");
    let text = String::from_utf8_lossy(&raw);
    assert!(!text.contains('\x1b'), "{text:?}");
    assert!(text.is_ascii(), "{text:?}");
}

#[test]
fn a_search_runs_while_words_are_answered_and_ctrl_c_stops_it() {
    let folder = folder("plain");
    let mut t = Terminal::start(&["--plain", "--threads", "1"], &[("TERM", "dumb")], &folder);
    t.shows("White to move, 20 legal moves.");
    t.press("search mcts 1h\n");
    t.shows("mcts searches.");
    t.press("moves 2\n");
    t.shows("1: ");
    t.press("board\n");
    t.shows("king e1, queen d1");
    t.press("\x03");
    t.shows("Stopped.");
    t.shows("It would play");
    t.press("continue\n");
    t.press("stop\n");
    t.until("a second stop", |text| {
        text.matches("Stopped.").count() == 2
    });
    // Where nothing runs, it ends.
    t.press("\x03");
    assert_eq!(t.end(), 0);
    assert_plain(&t);
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Opening something else ends the search that ran, and nothing waits for it any more.
#[test]
fn a_move_that_is_played_ends_the_search_that_runs() {
    let folder = folder("plain-play");
    let mut t = Terminal::start(&["--plain", "--threads", "1"], &[], &folder);
    t.shows("White to move, 20 legal moves.");
    t.press("search mcts 1h\n");
    t.shows("mcts searches.");
    t.press("play e4\n");
    t.shows("Black to move, 20 legal moves.");
    t.press("\x03");
    assert_eq!(t.end(), 0);
    assert_plain(&t);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_end_of_the_input_ends_it() {
    let folder = folder("plain-end");
    let tree = sample("textbook.tree");
    let mut t = Terminal::start(&["--plain", tree.to_str().expect("a path")], &[], &folder);
    t.shows("Max to move");
    t.press("search\n");
    t.shows("It would play A");
    t.press("\x04");
    assert_eq!(t.end(), 0);
    assert_plain(&t);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_terminal_that_cannot_place_its_cursor_is_told_of_it() {
    let folder = folder("dumb");
    let mut t = Terminal::start(&[], &[("TERM", "dumb")], &folder);
    t.shows("plyscope --plain");
    assert_eq!(t.end(), 1);
    assert_plain(&t);
    std::fs::remove_dir_all(folder).expect("removed");
}
