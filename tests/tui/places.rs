//! Stopping at a place: run to here, break here, restart at the first event, breakpoints to choose from; the limit of
//! nodes; the frozen order of rows.

use crate::tui_support;

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use search::EventKind;
use session::debug::Why;
use session::{Config, State};
use tui::app::App;
use tui::overlays::expression::Expression;
use tui::panes::debugger::RUN_TO;
use tui_support::toy::{in_rows, step};
use tui_support::{look, press, screen, text};

/// A chess search that runs, with a limit of nodes.
fn running(algorithm: Algorithm, limit: u64) -> App {
    let mut app = tui_support::app();
    app.cx.config = Config {
        memory: 64 << 20,
        ..Config::new(algorithm)
    };
    app.cx.node_limit = Some(limit);
    app.cx.start_search();
    app
}

/// Waits until the search has paused.
fn until_paused(app: &mut App) -> u64 {
    let begin = Instant::now();
    loop {
        app.tend();
        let status = app.cx.status().expect("a search");
        if status.state == State::Paused
            && app
                .cx
                .session
                .as_ref()
                .is_some_and(|s| s.has_reached_goal())
        {
            // What it says of the pause it may say only now.
            app.tend();
            return status.totals.nodes;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{status:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_search_runs_to_the_selected_node() {
    let mut app = in_rows("textbook.tree");
    step(&mut app, "X");
    let stop = app.cx.explore.debug.stop.clone().expect("stopped");
    assert_eq!(
        (stop.number, stop.why),
        (1, Why::Step),
        "at its first event"
    );
    // The third move of the root, before anything is searched.
    press(&mut app, "/ C Enter");
    assert_eq!(app.selected_line(), "C");
    step(&mut app, "c");
    let stop = app.cx.explore.debug.stop.clone().expect("stopped");
    assert_eq!(stop.why, Why::Breakpoint(RUN_TO));
    assert_eq!(stop.event.kind(), EventKind::Enter);
    assert_eq!(app.selected_line(), "C");
    assert!(app.cx.explore.debug.run_to.is_none() && app.cx.explore.debug.breakpoints.is_empty());
    assert!(
        look(&mut app).contains("came to the node"),
        "{}",
        look(&mut app)
    );
    let there = stop.number;
    // It stops there once only: the next run goes on to the end.
    step(&mut app, "space");
    tui_support::toy::wait("its end", || {
        matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)))
    });
    // Backwards and forwards again, to the same event.
    step(&mut app, "(");
    press(&mut app, "/ C Enter");
    step(&mut app, "c");
    assert_eq!(
        app.cx.explore.debug.stop.as_ref().map(|s| s.number),
        Some(there)
    );
}

#[test]
fn a_breakpoint_is_set_at_the_selected_node_and_taken_away() {
    let mut app = in_rows("textbook.tree");
    press(&mut app, "j j M");
    let name = app.selected_line();
    let texts: Vec<String> = app
        .cx
        .explore
        .debug
        .breakpoints
        .iter()
        .map(|b| b.text.clone())
        .collect();
    assert_eq!(texts, [format!("at \"{name}\"")]);
    step(&mut app, "X");
    step(&mut app, "r");
    let stop = app.cx.explore.debug.stop.clone().expect("stopped");
    assert_eq!(stop.why, Why::Breakpoint(1));
    assert_eq!(app.selected_line(), name);
    press(&mut app, "M");
    assert!(app.cx.explore.debug.breakpoints.is_empty());
}

#[test]
fn breakpoints_are_chosen_from_examples_and_recent_ones() {
    let mut app = in_rows("textbook.tree");
    press(&mut app, "B");
    insta::assert_snapshot!("offers_80x24", text(&screen(&mut app, 80, 24)));
    insta::assert_snapshot!("offers_120x36", text(&screen(&mut app, 120, 36)));
    insta::assert_snapshot!("offers_200x50", text(&screen(&mut app, 200, 50)));
    press(&mut app, "j j Enter");
    assert_eq!(app.cx.explore.debug.breakpoints[0].text, "on futility");
    // The list is open; another one is written, beginning with the offers.
    press(&mut app, "a");
    let shown = look(&mut app);
    assert!(shown.contains("used before"), "{shown}");
    press(&mut app, "Down Down Enter");
    let overlay = app.cx.overlay.as_ref().expect("an overlay");
    let expression = overlay.of::<Expression>().expect("an expression");
    assert_eq!(expression.text().trim(), "on cutoff");
    press(&mut app, "Enter");
    assert_eq!(app.cx.explore.debug.breakpoints[1].text, "on cutoff");
    let recent: Vec<&str> = app.cx.explore.debug.recent.texts().collect();
    assert_eq!(recent, ["on cutoff", "on futility"]);
    // Where nothing is chosen, Enter adds nothing.
    press(&mut app, "a Enter");
    assert_eq!(app.cx.explore.debug.breakpoints.len(), 2);
}

#[test]
fn recent_breakpoints_come_first_in_the_next_run() {
    let mut app = in_rows("textbook.tree");
    app.cx.explore.debug.recent.note("on prove when ply < 3");
    press(&mut app, "B Enter");
    assert_eq!(
        app.cx.explore.debug.breakpoints[0].text,
        "on prove when ply < 3"
    );
}

#[test]
fn a_misspelt_word_is_guessed_and_tab_corrects_it() {
    let mut app = in_rows("textbook.tree");
    press(&mut app, "B a");
    app.paste("on futilty when depth > 1");
    press(&mut app, "Enter");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("did you mean futility? (Tab takes it)"),
        "{shown}"
    );
    press(&mut app, "Tab Enter");
    assert_eq!(
        app.cx.explore.debug.breakpoints[0].text,
        "on futility when depth > 1"
    );
}

#[test]
fn a_breakpoint_at_which_the_search_never_stops_is_told() {
    let mut app = tui_support::app();
    press(&mut app, "B j j Enter");
    let said = &app.cx.messages.all.last().expect("a message").text;
    assert!(
        said.contains("on futility: distress has no such rule"),
        "{said}"
    );
}

#[test]
fn a_search_pauses_at_its_limit_and_goes_on() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts, Algorithm::Distress] {
        let mut app = running(algorithm, 20_000);
        let nodes = until_paused(&mut app);
        assert!((20_000..21_000).contains(&nodes), "{algorithm}: {nodes}");
        let said = app.cx.messages.all.last().expect("a message").text.clone();
        let expected = "paused at the limit of 20,000 nodes · space continues to 40,000";
        assert_eq!(said, expected);
        app.cx.messages.fresh = false;
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, width, height));
            assert!(shown.contains("at its limit"), "{shown}");
            // On a screen of 120 columns the unit and the view of the scores take its place.
            assert!(width < 160 || shown.contains("of 20,000 nodes"), "{shown}");
            assert!(shown.contains("space resume"), "{shown}");
        }
        press(&mut app, "space");
        let nodes = until_paused(&mut app);
        assert!((40_000..41_000).contains(&nodes), "{algorithm}: {nodes}");
        // One goes back in time and on again, and begins anew with the usual limit.
        if algorithm == Algorithm::AlphaBeta {
            step(&mut app, "s");
            step(&mut app, "b");
            assert!(app.cx.explore.debug.stop.is_some());
            step(&mut app, "1 0 0 g e");
            assert_eq!(
                app.cx.explore.debug.stop.as_ref().map(|s| s.number),
                Some(100)
            );
            press(&mut app, "space");
            let nodes = until_paused(&mut app);
            assert!((40_000..41_000).contains(&nodes), "{nodes}");
        }
        press(&mut app, "x");
        let limit = app.cx.session.as_ref().and_then(|s| s.pause_after());
        assert_eq!(limit, Some(20_000));
        press(&mut app, "g n 3 g n");
        let limit = app.cx.session.as_ref().and_then(|s| s.pause_after());
        assert_eq!(limit, Some(3_040_000));
        app.cx.stop_search();
    }
}

#[test]
fn a_run_to_a_breakpoint_that_never_comes_ends_at_the_limit() {
    let mut app = running(Algorithm::AlphaBeta, 30_000);
    until_paused(&mut app);
    press(&mut app, ": b r e a k space");
    app.paste("when nodes > 1000000000");
    press(&mut app, "Enter");
    // The limit is raised to twice as many, where the run ends.
    step(&mut app, "r");
    assert!(app.cx.explore.debug.stop.is_some());
    let nodes = app.cx.status().map(|s| s.totals.nodes).expect("a search");
    assert!(nodes >= 60_000, "{nodes}");
    let limit = app.cx.session.as_ref().and_then(|s| s.pause_after());
    assert_eq!(limit, Some(60_000));
    app.cx.stop_search();
}

#[test]
fn limits_of_the_command_line_take_the_place_of_the_usual_one() {
    let mut app = tui_support::app();
    app.cx.config = Config::new(Algorithm::AlphaBeta);
    app.cx.config.limits.nodes = Some(5_000);
    app.cx.start_search();
    assert_eq!(app.cx.session.as_ref().and_then(|s| s.pause_after()), None);
    press(&mut app, "g n");
    let said = &app.cx.messages.all.last().expect("a message").text;
    assert!(
        said.contains("ends at the limits it was started with"),
        "{said}"
    );
    app.cx.stop_search();
}

#[test]
fn the_order_of_the_rows_is_frozen_and_let_go() {
    let mut app = running(Algorithm::Mcts, 5_000);
    until_paused(&mut app);
    look(&mut app);
    let order = |app: &App| {
        app.cx
            .explore
            .tree
            .rows()
            .iter()
            .map(|r| r.code)
            .collect::<Vec<_>>()
    };
    press(&mut app, "Z");
    let before = order(&app);
    assert!(look(&mut app).contains("tree, best first (frozen)"));
    press(&mut app, "5 g n space");
    std::thread::sleep(Duration::from_millis(700));
    look(&mut app);
    assert_eq!(order(&app), before);
    press(&mut app, "space");
    look(&mut app);
    assert_eq!(order(&app), before, "frozen still");
    press(&mut app, "Z");
    let shown = look(&mut app);
    assert!(!shown.contains("frozen)"), "{shown}");
    app.cx.stop_search();
}

#[test]
fn the_best_root_lines_stand_below_the_tree_where_there_is_room() {
    let mut app = tui_support::app();
    app.show_still(tui_support::alpha_beta());
    let title = "best lines from the root";
    let small = text(&screen(&mut app, 80, 24));
    assert!(!small.contains(title), "{small}");
    insta::assert_snapshot!("root_lines_120x36", text(&screen(&mut app, 120, 36)));
    insta::assert_snapshot!("root_lines_200x50", text(&screen(&mut app, 200, 50)));
    // The key hides them, and shows them on a small screen too.
    press(&mut app, "g t");
    let wide = text(&screen(&mut app, 200, 50));
    assert!(!wide.contains(title), "{wide}");
    text(&screen(&mut app, 80, 24));
    press(&mut app, "g t");
    insta::assert_snapshot!("root_lines_80x24", text(&screen(&mut app, 80, 24)));
}
