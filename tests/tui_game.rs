//! The Game tab: games to choose from, moves with variations, the review, and writing it back.

mod tui_support;

use std::time::{Duration, Instant};

use plyscope::engine::compare::Budget;
use plyscope::game::load;
use plyscope::tui::app::{App, Setup, Tab};
use plyscope::tui::document::Document;
use plyscope::tui::theme::{Depth, ThemeStore};
use tui_support::{press, screen, text};

/// A workbench on a file, in the Game tab, with nothing searched.
fn opened(name: &str, content: &str) -> App {
    opened_with(name, content, "dark", Depth::True, false)
}

fn opened_with(name: &str, content: &str, theme: &str, depth: Depth, ascii: bool) -> App {
    let file = load::Document::from_bytes(name, content.as_bytes().to_vec()).expect("readable");
    let document = Document::of_file(file, None);
    let entry = document.first_entry().expect("an entry");
    let mut app = App::new(Setup {
        document,
        entry,
        config: plyscope::engine::Config::new(plyscope::search::Algorithm::Distress),
        theme: theme.to_owned(),
        themes: ThemeStore::default(),
        depth,
        ascii,
    });
    app.timeless = true;
    app.run("tab-game");
    app
}

fn shown(app: &mut App, width: u16, height: u16) -> String {
    text(&screen(app, width, height))
}

/// Waits until the review is complete.
fn reviewed(app: &mut App) {
    let begin = Instant::now();
    while app.game.is_running() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "the review does not end"
        );
        std::thread::sleep(Duration::from_millis(10));
        app.tend();
    }
}

/// Short, with a blunder (3...Nf6 allows mate), variations, comments, clocks, evaluations.
const GAME: &str = "[Event \"Rated Blitz game\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"1800\"]\n[Result \"1-0\"]\n\
[UTCDate \"2024.01.03\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn Game: Wayward Queen Attack\"]\n\n\
{A short one.} 1. e4 { [%eval 0.36] [%clk 0:03:00] } 1... e5 { [%eval 0.3] [%clk 0:03:00] } \
(1... c5 2. Nf3 (2. c3 {the Alapin}) 2... d6) (1... e6 2. d4) 2. Qh5 $6 { [%eval -0.2] } 2... Nc6 { [%eval -0.1] } \
3. Bc4 { [%eval -0.3] } 3... Nf6 $4 { [%eval #1] loses at once } (3... g6 $1 4. Qf3 Nf6) 4. Qxf7# 1-0\n";

#[test]
fn look() {
    for (w, h) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = opened("game.pgn", GAME);
        app.game.budget = Budget::Nodes(2_000);
        println!("{}", shown(&mut app, w, h));
        press(&mut app, "R");
        reviewed(&mut app);
        press(&mut app, "n");
        println!("{}", shown(&mut app, w, h));
        press(&mut app, "Tab");
        println!("{}", shown(&mut app, w, h));
    }
}
