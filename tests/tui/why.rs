//! Asking why a move was not chosen, or was; a line that is played out on the board.

use crate::tui_support;

use algorithms::Algorithm;
use session::{Config, State};
use tree::Tree;
use tui::app::App;
use tui::panes::Pane;
use tui_support::{alpha_beta, app, distress, press, text_at};

/// The text of the screen without frames and line breaks.
fn words(app: &mut App) -> String {
    let shown = text_at(app, 200, 50).replace(['│', '\n'], " ");
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn searched(algorithm: Algorithm) -> App {
    let mut app = app();
    app.cx.config = Config {
        memory: 64 << 20,
        limits: common::nodes(8_000),
        ..Config::new(algorithm)
    };
    app.cx.start_search();
    tui_support::toy::wait("its end", || {
        matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)))
    });
    text_at(&mut app, 120, 36);
    app
}

/// How many moves of the line on the board are made.
fn moves_made(app: &App) -> Option<usize> {
    app.cx.explore.board.line.as_ref().map(|line| line.played)
}

#[test]
fn the_refutation_of_a_move_is_played_out() {
    let mut app = app();
    app.show_still(alpha_beta());
    text_at(&mut app, 120, 36);
    press(&mut app, "j j w");
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let shown = text_at(&mut app, width, height);
        assert!(shown.contains("why not 9.cxd5"), "{shown}");
        assert!(shown.contains("cxd5 is refuted by exd5"), "{shown}");
    }
    insta::assert_snapshot!("why_not_80x24", text_at(&mut app, 80, 24));
    insta::assert_snapshot!("why_not_120x36", text_at(&mut app, 120, 36));
    insta::assert_snapshot!("why_not_200x50", text_at(&mut app, 200, 50));
    // The board shows the position after the move, then after the refutation.
    assert_eq!(moves_made(&app), Some(1));
    press(&mut app, "l");
    assert_eq!(moves_made(&app), Some(2));
    let shown = text_at(&mut app, 200, 50);
    assert!(shown.contains("line 2/"), "{shown}");
    press(&mut app, "h");
    assert_eq!(moves_made(&app), Some(1));
    // The answer follows the selection.
    app.cx.explore.focus = Pane::Tree;
    press(&mut app, "k");
    assert!(text_at(&mut app, 120, 36).contains("why 9.dxc5"));
    press(&mut app, "Esc");
    let shown = text_at(&mut app, 120, 36);
    assert!(!shown.contains("why 9.dxc5"), "{shown}");
    assert_eq!(moves_made(&app), None);
    assert!(app.cx.explore.asking.is_none());
}

#[test]
fn enter_asks_about_a_move_that_was_turned_down() {
    let mut app = searched(Algorithm::AlphaBeta);
    press(&mut app, "g f");
    app.paste("move-futility");
    press(&mut app, "Enter");
    tui_support::toy::wait("found", || {
        app.tend();
        !app.is_running()
    });
    text_at(&mut app, 200, 50);
    press(&mut app, "Enter");
    assert!(app.cx.explore.asking.is_some());
    let shown = words(&mut app);
    assert!(shown.contains("was not searched."), "{shown}");
    assert!(
        shown.contains("The rule assumes that a quiet move"),
        "{shown}"
    );
    // Searched anyway: its real value.
    press(&mut app, "w");
    tui_support::toy::wait("its value", || {
        app.tend();
        !app.is_running()
    });
    let shown = words(&mut app);
    assert!(shown.contains("Searched anyway"), "{shown}");
    assert!(shown.contains("That is"), "{shown}");
    // The refutation is played out on the board, although nothing below the move is recorded.
    let line = app.cx.explore.board.line.as_ref().expect("a line");
    assert!(line.moves.len() > 1, "{:?}", line.moves);
    assert_eq!(line.played, 1);
    let total = line.moves.len();
    press(&mut app, "l");
    let shown = text_at(&mut app, 120, 36);
    assert!(shown.contains(&format!("line 2/{total}")), "{shown}");
}

#[test]
fn every_algorithm_answers_at_the_root_and_below() {
    for algorithm in [
        Algorithm::AlphaBeta,
        Algorithm::ProbAlphaBeta,
        Algorithm::Mcts,
        Algorithm::Distress,
    ] {
        let mut app = searched(algorithm);
        // At the root: why the move that would be played.
        press(&mut app, "w");
        let shown = words(&mut app);
        assert!(shown.contains("would be played"), "{algorithm}: {shown}");
        assert!(shown.contains("The next best is"), "{algorithm}: {shown}");
        press(&mut app, "Esc j j w");
        let shown = words(&mut app);
        assert!(shown.contains("why not 9."), "{algorithm}: {shown}");
        if algorithm == Algorithm::Mcts {
            assert!(shown.contains("of the visits here, prior"), "{shown}");
        }
        if algorithm == Algorithm::Distress {
            assert!(shown.contains("with probability"), "{shown}");
        }
        press(&mut app, "Esc l l w");
        let shown = words(&mut app);
        assert!(shown.contains("why"), "{algorithm}: {shown}");
        app.cx.stop_search();
    }
}

#[test]
fn the_best_line_of_the_selected_node_is_played_on_the_board() {
    let mut app = app();
    app.show_still(distress());
    text_at(&mut app, 120, 36);
    press(&mut app, ".");
    let line = app.cx.selected().expect("a tree").1.best_moves(Tree::ROOT);
    let shown = app.cx.explore.board.line.as_ref().expect("a line");
    assert_eq!((&shown.moves, shown.played), (&line, 1));
    press(&mut app, ".");
    assert_eq!(moves_made(&app), Some(2));
    press(&mut app, ",");
    assert_eq!(moves_made(&app), Some(1));
    press(&mut app, "Esc");
    assert_eq!(moves_made(&app), None);
    // Another row ends it, for good.
    press(&mut app, ". j");
    text_at(&mut app, 120, 36);
    assert_eq!(moves_made(&app), None);
    press(&mut app, "k");
    text_at(&mut app, 120, 36);
    assert_eq!(moves_made(&app), None);
}
