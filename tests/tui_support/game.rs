//! Games in the Game tab.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use games::Document;
use screen::theme::Depth;
use session::{Budget, Config};
use tui::app::App;
use tui::tabs::game::GamePane;

use super::{press, workbench_with};

/// A workbench on a file, in the Game tab, without any search.
pub fn opened(name: &str, content: &str) -> App {
    opened_with(name, content, "dark", Depth::True, false)
}

pub fn opened_with(name: &str, content: &str, theme: &str, depth: Depth, ascii: bool) -> App {
    let document = Document::from_bytes(name, content.as_bytes().to_vec()).expect("readable");
    let config = Config::new(Algorithm::Distress);
    let mut app = workbench_with(document, config, theme, depth, ascii);
    app.run("tab-game");
    app.tabs.game.pane = GamePane::Moves;
    app
}

/// Waits until the review is complete.
pub fn reviewed(app: &mut App) {
    let begin = Instant::now();
    while app.tabs.game.is_running() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "the review does not end"
        );
        std::thread::sleep(Duration::from_millis(10));
        app.tend();
    }
}

/// A short game with a blunder (3...Nf6 allows mate), variations, comments, clocks and evaluations.
pub const GAME: &str = "[Event \"Rated Blitz game\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"1800\"]\n[Result \"1-0\"]\n\
[UTCDate \"2024.01.03\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn Game: Wayward Queen Attack\"]\n\n\
{A short one.} 1. e4 { [%eval 0.36] [%clk 0:03:00] } 1... e5 { [%eval 0.3] [%clk 0:03:00] } \
(1... c5 2. Nf3 (2. c3 {the Alapin}) 2... d6) (1... e6 2. d4) 2. Qh5 $6 { [%eval -0.2] } 2... Nc6 { [%eval -0.1] } \
3. Bc4 { [%eval -0.3] } 3... Nf6 $4 { [%eval #1] loses at once } (3... g6 $1 4. Qf3 Nf6) 4. Qxf7# 1-0\n";

/// Three games, the second without moves.
pub fn three() -> String {
    format!(
        "{GAME}\n[Event \"Empty\"]\n[White \"Cid\"]\n[Black \"Bob\"]\n[Result \"*\"]\n\n*\n\n\
         [Event \"Match\"]\n[White \"Tal, Mikhail\"]\n[Black \"Botvinnik\"]\n[Date \"1960.03.15\"]\n\
         [Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 1/2-1/2\n"
    )
}

/// Returns the current move.
pub fn san(app: &App) -> &str {
    let game = app.cx.current.game().expect("a game");
    &game.nodes[app.cx.node].san
}

/// A finished review with few nodes.
pub fn with_review(mut app: App) -> App {
    app.tabs.game.budget = Budget::Nodes(2_000);
    press(&mut app, "R");
    assert!(app.tabs.game.review.is_some());
    reviewed(&mut app);
    app
}
