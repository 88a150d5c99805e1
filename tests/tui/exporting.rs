//! `e`: what a tab shows, as a file.

use crate::tui_support;

use algorithms::Algorithm;
use screen::theme::Depth;
use tui::app::App;
use tui::tabs::Tab;
use tui_support::toy::{finished, wait};
use tui_support::{Folder, app_with, press, screen, text};

fn look(app: &mut App) -> String {
    screen(app, 120, 40);
    text(&screen(app, 120, 40))
}

/// Chooses an offer by its name and returns the file that is written.
fn export(app: &mut App, offer: &str, folder: &Folder) -> String {
    look(app);
    press(app, "e");
    app.paste(offer);
    press(app, "Enter Ctrl-u");
    let path = folder.0.join(offer.replace(' ', "-"));
    app.paste(&path.to_string_lossy());
    press(app, "Enter");
    let said = app
        .cx
        .messages
        .all
        .last()
        .map_or(String::new(), |m| m.text.clone());
    assert!(said.contains("written, "), "{offer}: {said}\n{}", look(app));
    std::fs::read_to_string(path).expect("the file")
}

#[test]
fn the_tree_is_written_in_every_format() {
    let folder = Folder::new("export-tree");
    let mut app = finished("quiet-middlegame.fen", Algorithm::Distress, false);
    look(&mut app);
    press(&mut app, "j");
    let line = app.selected_line();
    let page = export(&mut app, "page", &folder);
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("<details"),
        "{line}"
    );
    assert!(export(&mut app, "drawing", &folder).starts_with("<svg"));
    assert!(export(&mut app, "graph", &folder).starts_with("digraph"));
    assert!(export(&mut app, "variations", &folder).contains("[FEN "));
    let json: serde_json::Value =
        serde_json::from_str(&export(&mut app, "tree", &folder)).expect("JSON");
    assert_eq!(json["algorithm"], "distress");
    assert_eq!(json["from"], "cxd5");
    assert!(!export(&mut app, "lines", &folder).is_empty());
    // A toy tree is no game.
    let mut toy = finished("textbook.tree", Algorithm::AlphaBeta, false);
    look(&mut toy);
    press(&mut toy, "e");
    let shown = look(&mut toy);
    assert!(
        shown.contains("drawing") && !shown.contains("variations"),
        "{shown}"
    );
}

/// A file has the unit and the view of the screen, and says so.
#[test]
fn what_is_written_is_in_the_unit_and_from_the_view_of_the_screen() {
    let mut app = finished("quiet-middlegame.fen", Algorithm::AlphaBeta, false);
    look(&mut app);
    for (turn, words) in [
        ("", "pawns, White's view"),
        ("U", "expected score, White's view"),
        ("V", "expected score, root's view (White)"),
        ("U", "win/draw/loss, root's view (White)"),
        ("V", "win/draw/loss, mover's view"),
    ] {
        if !turn.is_empty() {
            press(&mut app, turn);
        }
        let folder = Folder::new(&format!("export-{}", words.len()));
        for offer in ["page", "drawing", "graph", "variations", "lines"] {
            let file = export(&mut app, offer, &folder).replace('\n', " ");
            assert!(file.contains(words), "{offer}: {words}\n{file}");
        }
    }
}

#[test]
fn a_file_is_not_replaced_unasked() {
    let folder = Folder::new("export-over");
    let mut app = finished("textbook.tree", Algorithm::AlphaBeta, false);
    let path = folder.0.join("graph");
    std::fs::write(&path, "mine").expect("written");
    look(&mut app);
    press(&mut app, "e");
    app.paste("graph");
    press(&mut app, "Enter Ctrl-u");
    app.paste(&path.to_string_lossy());
    press(&mut app, "Enter");
    let shown = look(&mut app);
    assert!(shown.contains("the file exists"), "{shown}");
    press(&mut app, "Esc");
    assert_eq!(std::fs::read_to_string(&path).expect("there"), "mine");
}

#[test]
fn a_comparison_is_written() {
    let folder = Folder::new("export-compare");
    let mut app = finished("quiet-middlegame.fen", Algorithm::Mcts, false);
    app.show_tab(Tab::Compare);
    wait("the columns", || {
        app.tend();
        look(&mut app);
        app.cx.columns.comparison().is_some_and(|c| !c.is_running())
    });
    let table = export(&mut app, "comparison", &folder);
    assert!(
        table.contains("mcts") && table.contains("distress"),
        "{table}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&export(&mut app, "comparison figures", &folder)).expect("JSON");
    assert_eq!(json["columns"].as_array().map(Vec::len), Some(2));
    let csv = export(&mut app, "comparison lines", &folder);
    assert_eq!(csv.lines().count(), 3, "{csv}");
}

#[test]
fn every_tab_has_a_picture_in_full_colours() {
    let folder = Folder::new("export-screen");
    // Also where the terminal has few colours.
    for depth in [Depth::True, Depth::Indexed, Depth::None] {
        let mut app = app_with("dark", depth, false);
        for tab in [Tab::Explore, Tab::Compare, Tab::Learn, Tab::Lab] {
            app.show_tab(tab);
            app.cx.stop_search();
            let picture = export(&mut app, "screen", &folder);
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
            // What asked for the file is not in it.
            assert!(!picture.contains("write to"));
            std::fs::remove_file(folder.0.join("screen")).expect("removed");
        }
    }
}

#[test]
fn a_lesson_is_written_as_a_handout() {
    let folder = Folder::new("export-lesson");
    let mut app = finished("textbook.tree", Algorithm::AlphaBeta, false);
    app.show_tab(Tab::Learn);
    look(&mut app);
    press(&mut app, "e");
    app.paste("with answers");
    press(&mut app, "Enter Ctrl-u");
    let path = folder.0.join("handout.html");
    app.paste(&path.to_string_lossy());
    press(&mut app, "Enter");
    // Its searches are run meanwhile, and the screen goes on.
    assert!(look(&mut app).contains("is being written"));
    wait("the handout", || {
        app.tend();
        let mut said = app.cx.messages.all.iter();
        said.any(|m| m.text.contains("written, "))
    });
    let page = std::fs::read_to_string(path).expect("the file");
    assert!(page.contains("Minimax on nine leaves") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("<script"));
}
