//! Saving the session and opening it again.

use crate::tui_support;

use std::path::Path;

use algorithms::Algorithm;
use session::State;
use tui::app::App;
use tui::tabs::Tab;
use tui_support::toy::{finished, settle, wait};
use tui_support::{Folder, press, screen, text};

fn look(app: &mut App) -> String {
    screen(app, 120, 40);
    text(&screen(app, 120, 40))
}

/// Types the name of a file after `W`.
fn save(app: &mut App, path: &Path) {
    press(app, "W Ctrl-u");
    app.paste(&path.to_string_lossy());
    press(app, "Enter");
    let before = app.cx.messages.all.len();
    wait("the session is saved", || {
        app.tend();
        let mut said = app.cx.messages.all[before..].iter();
        said.any(|m| m.text.contains(": saved, "))
    });
}

fn reopened(path: &Path) -> App {
    let mut app = finished("start.fen", Algorithm::Mcts, false);
    look(&mut app);
    app.open_path(path);
    wait("the session is opened", || {
        app.tend();
        app.tick(std::time::Instant::now());
        app.cx
            .messages
            .all
            .iter()
            .any(|m| m.text.contains("opened as"))
    });
    app
}

/// Compares what the screens show without bar and messages.
fn assert_same_rows(before: &str, after: &str) {
    let lines = before.lines().zip(after.lines());
    for (one, other) in lines.skip(1).take(30) {
        assert_eq!(one, other, "\n{before}\n{after}");
    }
}

#[test]
fn what_was_open_is_open_again() {
    let folder = Folder::new("saving-open");
    let mut app = finished("quiet-middlegame.fen", Algorithm::Distress, false);
    look(&mut app);
    press(&mut app, "j l j");
    look(&mut app);
    press(&mut app, "N");
    app.paste("why not this one?");
    press(&mut app, "Enter");
    let line = app.selected_line();
    let before = look(&mut app);
    assert!(before.contains("why not this one?"), "{before}");
    save(&mut app, &folder.file());
    let mut again = reopened(&folder.file());
    let after = look(&mut again);
    assert_eq!(again.selected_line(), line);
    assert_same_rows(&before, &after);
    assert!(matches!(
        again.cx.status().map(|s| s.state),
        Some(State::Finished(_))
    ));
    // A note is taken away by an empty text.
    press(&mut again, "N Ctrl-u Enter");
    assert!(!look(&mut again).contains("why not"));
}

#[test]
fn breakpoints_and_the_place_in_the_events_are_kept() {
    let folder = Folder::new("saving-events");
    let mut app = tui_support::toy::waiting("quiet-middlegame.fen", Algorithm::AlphaBeta);
    app.cx.explore.debug.shown = true;
    press(&mut app, "5 0 0 s");
    settle(&mut app);
    let place = app.cx.session.as_ref().expect("a search").place();
    let before = look(&mut app);
    save(&mut app, &folder.file());
    let mut again = reopened(&folder.file());
    assert_eq!(
        again.cx.session.as_ref().expect("a search").place().now,
        place.now
    );
    let shown = look(&mut again);
    assert!(shown.contains("event"), "{shown}");
    for app in [&mut app, &mut again] {
        press(app, "b");
        settle(app);
    }
    assert_eq!(
        again.cx.session.as_ref().map(|s| s.standing()),
        app.cx.session.as_ref().map(|s| s.standing())
    );
    assert!(before.contains("500"), "{before}");
}

#[test]
fn columns_come_back_with_their_trees() {
    let folder = Folder::new("saving-columns");
    let mut app = finished("quiet-middlegame.fen", Algorithm::Mcts, false);
    app.show_tab(Tab::Compare);
    wait("the columns", || {
        app.tend();
        look(&mut app);
        let comparison = app.cx.columns.comparison();
        comparison.is_some_and(|c| !c.is_running())
    });
    let before = look(&mut app);
    save(&mut app, &folder.file());
    let mut again = reopened(&folder.file());
    assert_eq!(again.cx.tab, Tab::Compare);
    let after = look(&mut again);
    // The heads of the columns; rows that rank equally may have changed places.
    for (one, other) in before.lines().zip(after.lines()).take(6) {
        assert_eq!(one, other);
    }
    for (one, other) in app.cx.faces().into_iter().zip(again.cx.faces()) {
        let (one, other) = one.zip(other).expect("two columns");
        let (one, other) = (one.reader().tree, other.reader().tree);
        assert!(one.difference(other).is_none());
    }
    // Each tree can be looked at in Explore.
    press(&mut again, "Enter");
    assert_eq!(again.cx.tab, Tab::Explore);
}

#[test]
fn a_game_and_the_place_in_it_are_kept() {
    let folder = Folder::new("saving-game");
    let mut app = tui_support::toy::waiting("opera-game.pgn", Algorithm::Mcts);
    press(&mut app, "> > > >");
    settle(&mut app);
    app.cx.session.as_mut().expect("a search").pause();
    let (ply, fen) = (app.cx.ply, app.cx.subject.position.fen());
    assert_eq!(ply, 4);
    save(&mut app, &folder.file());
    let again = reopened(&folder.file());
    assert_eq!((again.cx.ply, again.cx.subject.position.fen()), (ply, fen));
    let moves = |app: &App| app.cx.current.names_of(&app.cx.current.line_through(0));
    assert_eq!(moves(&again), moves(&app));
}

#[test]
fn other_files_are_not_overwritten_and_broken_ones_change_nothing() {
    let folder = Folder::new("saving-refused");
    let mut app = finished("quiet-middlegame.fen", Algorithm::Mcts, false);
    let other = folder.0.join("game.pgn");
    std::fs::write(&other, "1. e4 *").expect("written");
    press(&mut app, "W Ctrl-u");
    app.paste(&other.to_string_lossy());
    press(&mut app, "Enter");
    let shown = look(&mut app);
    assert!(shown.contains("no saved session"), "{shown}");
    press(&mut app, "Esc");
    assert_eq!(std::fs::read_to_string(&other).expect("there"), "1. e4 *");
    save(&mut app, &folder.file());
    // The same name again needs no question; from another workbench it does.
    save(&mut app, &folder.file());
    let mut second = finished("quiet-middlegame.fen", Algorithm::AlphaBeta, false);
    press(&mut second, "W Ctrl-u");
    second.paste(&folder.file().to_string_lossy());
    press(&mut second, "Enter");
    let shown = look(&mut second);
    assert!(shown.contains("replace"), "{shown}");
    press(&mut second, "Esc");
    let mut bytes = std::fs::read(folder.file()).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.file(), &bytes).expect("written");
    let before = second.cx.subject.position.fen();
    second.open_path(&folder.file());
    wait("it is refused", || {
        second.tend();
        second.tick(std::time::Instant::now());
        second
            .cx
            .messages
            .all
            .iter()
            .any(|m| m.text.contains("damaged"))
    });
    assert_eq!(second.cx.subject.position.fen(), before);
    assert!(second.cx.session.is_some());
}

#[test]
fn another_programs_search_is_open_again_where_it_was() {
    let folder = Folder::new("saving-traced");
    let trace = tui_support::root().join("tests/fixtures/open_trace/toy_alpha_beta.plytrace");
    let here = folder.file().with_file_name("toy_alpha_beta.plytrace");
    std::fs::copy(trace, &here).expect("copied");
    let document = games::Document::open(&here).expect("a trace");
    let mut app = tui_support::toy::searched(document, Algorithm::DEFAULT, false);
    look(&mut app);
    press(&mut app, "j l j");
    look(&mut app);
    let line = app.selected_line();
    assert!(line.len() > 1, "{line:?}");
    let before = look(&mut app);
    save(&mut app, &folder.file());
    let mut again = reopened(&folder.file());
    wait("the trace is read", || {
        again.tend();
        again.tick(std::time::Instant::now());
        look(&mut again);
        matches!(again.cx.status().map(|s| s.state), Some(State::Finished(_)))
            && again.selected_line() == line
    });
    let after = look(&mut again);
    assert_same_rows(&before, &after);
    // The trace alone.
    let copy = folder.file().with_file_name("copy.plytrace");
    press(&mut again, "W Ctrl-u");
    again.paste(&copy.to_string_lossy());
    press(&mut again, "Enter");
    assert_eq!(std::fs::read(&copy).ok(), std::fs::read(&here).ok());
}
