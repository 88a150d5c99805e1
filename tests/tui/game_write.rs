//! Saving the reviewed game as PGN.

use crate::tui_support;

use std::time::Duration;

use game::load;
use game::load::pgn::Games;
use games::Document;
use tui::app::App;
use tui_support::game::{GAME, opened, san, three, with_review};
use tui_support::{press, text_at};

fn temporary(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn type_in(app: &mut App, text: &str) {
    press(app, "Ctrl-u");
    app.paste(text);
    press(app, "Enter");
}

#[test]
fn the_game_is_written_back_with_all_that_was_in_it() {
    let mut app = with_review(opened("game.pgn", GAME));
    let path = temporary("written-annotated.pgn");
    let _ = std::fs::remove_file(&path);
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    // The file has evaluations, so the prompt asks about them.
    press(&mut app, "Down Enter");
    let told = app.cx.messages.all.last().expect("a message").text.clone();
    assert!(
        told.contains("written") && told.contains("evaluations"),
        "{told}"
    );
    let bytes = std::fs::read(&path).expect("written");
    let game = Games::new(bytes.clone()).game(0).expect("a game");
    let before = Games::new(GAME.as_bytes().to_vec())
        .game(0)
        .expect("a game");
    let sans = |g: &load::GameTree| -> Vec<String> {
        g.main_line()
            .iter()
            .map(|&n| g.nodes[n].san.clone())
            .collect()
    };
    assert_eq!(sans(&game), sans(&before));
    let text = String::from_utf8(bytes).expect("text");
    for kept in [
        "A short one.",
        "the Alapin",
        "[%clk 0:03:00]",
        "loses at once",
        "3... g6 $1 4. Qf3 Nf6",
    ] {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    let blunder = game
        .nodes
        .iter()
        .find(|n| n.san == "Nf6" && n.ply == 6)
        .expect("3...Nf6");
    let parent = &game.nodes[blunder.parent.expect("a parent")];
    assert!(parent.children.len() > 1, "a better line stands beside it");
    // The last position is mate, so there is nothing to evaluate.
    let line = game.main_line();
    let mut evaluated = line[1..line.len() - 1].iter();
    assert!(evaluated.all(|&n| game.nodes[n].evaluation().is_some()));
}

/// A game of Connect Four is reviewed with the names of its sides, and what was found is in the file and drawn from there.
#[test]
fn a_game_of_connect_four_is_written_with_what_was_found() {
    let mut app = with_review(opened("game.c4", "# Short\nconnect4 4 4 3 7 (5) 2 1\n"));
    let shown = text_at(&mut app, 160, 50);
    for part in [
        "╭─ Short ─",
        "judges: Yellow loses",
        "Yellow's view",
        "w = the expected",
        "Yellow ?!  ? ??",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for part in ["White", "lichess counts", "middlegame", "centipawn"] {
        assert!(!shown.contains(part), "{part}: {shown}");
    }
    let path = temporary("written.c4");
    let _ = std::fs::remove_file(&path);
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    let told = app.cx.messages.all.last().expect("a message").text.clone();
    assert!(
        told.ends_with("written: 6 evaluations, 1 mark, 1 better line by column A"),
        "{told}"
    );
    let text = std::fs::read_to_string(&path).expect("written");
    assert!(
        text.starts_with("# Short\nconnect4 4")
            && text.contains("7?? {plyscope: +1.00 (Yellow wins in 2, depth 3)} (5)"),
        "{text}"
    );
    let document = Document::open(&path).expect("readable");
    let entry = document.entry(0).expect("a game");
    let line = entry.line_through(0);
    let nodes = &entry.game().expect("a game").nodes;
    assert!(line[1..].iter().all(|&n| nodes[n].evaluation().is_some()));
    app.tabs.game.open_document(&mut app.cx, document);
    let shown = text_at(&mut app, 160, 50);
    assert!(
        shown.contains("2. 3 7??") && !shown.contains("plyscope: "),
        "{shown}"
    );
}

/// The other games of a file can be written with the reviewed one, and the opened file keeps them.
#[test]
fn the_other_games_of_any_format_are_kept() {
    let text = "connect4 4 4 3 7 2 1\nconnect4 5x4 1 1\n";
    let written = |typed: &str, keys: &str| {
        let opened_file = temporary("several.c4");
        std::fs::write(&opened_file, text).expect("a file");
        let document = Document::open(&opened_file).expect("readable");
        let mut app = opened("game.pgn", GAME);
        app.tabs.game.open_document(&mut app.cx, document);
        let mut app = with_review(app);
        let path = temporary(typed);
        if path != opened_file {
            let _ = std::fs::remove_file(&path);
        }
        press(&mut app, "e");
        type_in(&mut app, &path.display().to_string());
        press(&mut app, keys);
        let told = &app.cx.messages.all.last().expect("a message").text;
        assert!(told.contains("written"), "{told}");
        let text = std::fs::read_to_string(&path).expect("written");
        let (first, rest) = text.split_once('\n').expect("lines");
        assert!(first.contains("{plyscope: "), "{first}");
        rest.to_owned()
    };
    assert_eq!(written("one-of-several.c4", "Enter"), "");
    assert_eq!(
        written("all-of-several.c4", "Down Enter"),
        "connect4 5x4 1 1\n"
    );
    // Into the opened file: the first answer is to leave it alone.
    assert_eq!(written("several.c4", "Up Enter"), "connect4 5x4 1 1\n");
}

/// Writing to the opened file does not lose the current move.
#[test]
fn writing_into_the_opened_file_keeps_the_place() {
    let path = temporary("opened.pgn");
    std::fs::write(&path, three()).expect("a file");
    let document = Document::open(&path).expect("readable");
    let mut app = opened("game.pgn", GAME);
    app.tabs.game.open_document(&mut app.cx, document);
    let mut app = with_review(app);
    press(&mut app, "l l J l");
    assert_eq!(san(&app), "Nf3");
    let place = app.cx.current.subject_of(app.cx.node);
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    // Yes, into this file; the existing evaluations stay.
    press(&mut app, "Up Enter Enter");
    let written = std::fs::read_to_string(&path).expect("written");
    assert!(
        written.contains("Tal, Mikhail") && written.contains("0.36"),
        "{written}"
    );
    assert_ne!(written, three());
    assert_eq!((san(&app), app.cx.ply, app.cx.entry), ("Nf3", 3, 0));
    assert!(place.is_same(&app.cx.current.subject_of(app.cx.node)));
    assert!(app.tabs.game.review.is_some(), "its main line is the same");
    assert!(
        app.cx
            .messages
            .all
            .last()
            .is_some_and(|m| m.text.contains("written"))
    );
    // The change that the watcher then reports is already known; a different one is not.
    let messages = app.cx.messages.all.len();
    app.reload();
    assert_eq!(app.cx.messages.all.len(), messages);
    let more = written.replace("{A short one.}", "{A short one.} {Two comments.}");
    std::thread::sleep(Duration::from_millis(20));
    std::fs::write(&path, more).expect("a file");
    app.reload();
    assert!(app.cx.messages.all.len() > messages);
    assert_eq!((san(&app), app.cx.ply), ("Nf3", 3));
    assert!(app.tabs.game.review.is_some());
    text_at(&mut app, 120, 36);
}

#[test]
fn nothing_is_written_without_a_review_or_a_yes() {
    let mut app = opened("game.pgn", GAME);
    for (name, text) in [("game.c4", "connect4 4 4 3\n"), ("game.pgn", GAME)] {
        app = opened(name, text);
        press(&mut app, "e");
        assert!(app.cx.overlay.is_none(), "{name}");
        let told = &app.cx.messages.all.last().expect("a message").text;
        assert!(told.contains("R reviews the game first"), "{name}: {told}");
    }
    let mut app = with_review(app);
    let path = temporary("precious.pgn");
    std::fs::write(&path, "precious").expect("a file");
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    press(&mut app, "Enter");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "precious");
    assert!(app.cx.overlay.is_none());
}

/// The other games of the file, which nobody reviewed, are written only if one says so.
#[test]
fn unreviewed_games_are_not_written_unasked() {
    let mut app = with_review(opened("three.pgn", &three()));
    let path = temporary("reviewed-only.pgn");
    let _ = std::fs::remove_file(&path);
    let games = || Games::new(std::fs::read(&path).expect("written")).len();
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    assert!(text_at(&mut app, 80, 24).contains("this game only"));
    // This game; its evaluations stay.
    press(&mut app, "Enter Enter");
    assert_eq!(games(), 1);
    // Now over that file, with all games.
    press(&mut app, "e");
    type_in(&mut app, &path.display().to_string());
    press(&mut app, "Up Enter Down Enter Enter");
    assert_eq!(games(), 3);
}
