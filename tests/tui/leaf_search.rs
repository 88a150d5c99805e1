//! The search of a leaf in place of the tree that it is in, and back.

use crate::tui_support;

use algorithms::Algorithm;
use search::EventKind;
use session::State;
use tree::Family;
use tui::app::App;
use tui_support::toy::{finished, settle, wait, waiting};
use tui_support::{press, screen, text};

fn look(app: &mut App) -> String {
    // The second frame has what the first one found.
    screen(app, 80, 24);
    text(&screen(app, 80, 24))
}

/// A finished search by distress, with its best move selected and open.
fn searched() -> App {
    let mut app = finished("quiet-middlegame.fen", Algorithm::Distress, false);
    look(&mut app);
    press(&mut app, "j");
    look(&mut app);
    app
}

fn family(app: &App) -> Family {
    app.cx
        .session
        .as_ref()
        .expect("a tree")
        .reader()
        .tree
        .family()
}

fn open(app: &mut App) {
    press(app, "g l");
    assert_eq!(
        family(app),
        Family::DepthFirst,
        "{:?}",
        app.cx.messages.all.last()
    );
}

fn ended(app: &mut App) {
    wait("the leaf's search", || {
        app.tend();
        matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)))
    });
}

#[test]
fn a_leafs_search_opens_and_the_tree_comes_back_as_it_was() {
    let mut app = searched();
    let before = look(&mut app);
    let line = app.selected_line();
    for back in ["Esc", "g l"] {
        open(&mut app);
        ended(&mut app);
        let shown = look(&mut app);
        assert!(shown.contains("distress › leaf ■ finished"), "{shown}");
        assert_eq!(app.selected_line(), line, "{shown}");
        press(&mut app, back);
        assert_eq!(family(&app), Family::BestFirst);
        app.cx.messages.fresh = false;
        assert_eq!(look(&mut app), before, "after {back}");
    }
}

#[test]
fn who_debugs_steps_through_it_from_its_beginning() {
    let mut app = searched();
    press(&mut app, "D");
    open(&mut app);
    press(&mut app, "s");
    settle(&mut app);
    let stop = app.cx.explore.debug.stop.clone().expect("it stands");
    assert_eq!((stop.number, stop.event.kind()), (1, EventKind::Ask));
    press(&mut app, "3 s");
    settle(&mut app);
    assert_eq!(
        app.cx.explore.debug.stop.as_ref().map(|s| s.number),
        Some(4)
    );
    press(&mut app, "b");
    settle(&mut app);
    assert_eq!(
        app.cx.explore.debug.stop.as_ref().map(|s| s.number),
        Some(3)
    );
    // Nothing is forced on it.
    for key in ["+", "-", "="] {
        press(&mut app, key);
        let said = &app.cx.messages.all.last().expect("a message").text;
        assert!(said.contains("can't be changed"), "{key}: {said}");
    }
    // A new search of the position ends both.
    press(&mut app, "x");
    assert_eq!(family(&app), Family::BestFirst);
    press(&mut app, "Esc");
    assert_eq!(family(&app), Family::BestFirst);
}

/// Waits until nothing moves.
fn still(app: &mut App) {
    wait("a stop", || {
        app.tend();
        !app.is_stepping() && app.cx.state() != Some(State::Running)
    });
    app.tend();
}

/// Opens the search of the first leaf among the root's moves, and checks that there is something in it; then goes back.
fn leaf_has_a_tree(app: &mut App, stop: &str) {
    look(app);
    press(app, "g g j");
    look(app);
    let leaf = app.selected_line();
    open(app);
    ended(app);
    let shown = look(app);
    let nodes = app.cx.status().map_or(0, |s| s.tree_nodes);
    assert!(nodes > 10, "{stop}: {nodes} nodes\n{shown}");
    assert!(!shown.contains("not begun"), "{stop}: {shown}");
    // Futility is found there, if the leaf is always the same one.
    press(app, "/ o n space f u t i l i t y Enter");
    still(app);
    look(app);
    let fate = (app.cx.selected()).map(|(row, reader)| reader.tree.node(row.node).fate());
    let found = format!("{fate:?}");
    let is_any = stop == "running";
    assert!(
        is_any || found.contains("Futility"),
        "{stop}, {leaf}: {found}"
    );
    press(app, "Esc");
    assert_eq!(family(app), Family::BestFirst, "{stop}");
}

#[test]
fn a_leafs_search_opens_at_any_stop() {
    let mut app = waiting("quiet-middlegame.fen", Algorithm::Distress);
    app.cx.config.limits = search::Limits::default();
    app.cx.node_limit = Some(20_000);
    press(&mut app, "x");
    still(&mut app);
    leaf_has_a_tree(&mut app, "at the limit");
    press(&mut app, "s");
    still(&mut app);
    leaf_has_a_tree(&mut app, "stepping");
    press(&mut app, "1 0 0 b");
    still(&mut app);
    leaf_has_a_tree(&mut app, "after going back");
    app.cx.node_limit = None;
    press(&mut app, "x");
    wait("a tree", || {
        app.cx.status().is_some_and(|s| s.totals.nodes > 20_000)
    });
    press(&mut app, "space");
    still(&mut app);
    leaf_has_a_tree(&mut app, "paused");
    press(&mut app, "space");
    leaf_has_a_tree(&mut app, "running");
    assert_eq!(app.cx.state(), Some(State::Running));
    app.cx.config.limits.nodes = Some(20_000);
    press(&mut app, "x");
    still(&mut app);
    leaf_has_a_tree(&mut app, "finished");
}

#[test]
fn what_has_no_search_says_so() {
    let said = |app: &mut App| {
        press(app, "g l");
        app.cx.messages.all.last().expect("a message").text.clone()
    };
    let mut app = searched();
    press(&mut app, "k");
    assert!(said(&mut app).contains("below the root"));
    let mut app = finished("textbook.tree", Algorithm::AlphaBeta, false);
    look(&mut app);
    assert!(said(&mut app).contains("distress"));
}
