//! Finding nodes of a kind in the whole tree, through closed rows; filters that find nothing.

use crate::tui_support;

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use session::{Config, State};
use tree::Fate;
use tui::app::App;
use tui_support::{alpha_beta, app, huge, press, text_at};

fn said(app: &App) -> &str {
    &app.cx.messages.all.last().expect("a message").text
}

/// Waits until nothing is looked for any more.
fn found(app: &mut App) {
    let begin = Instant::now();
    while app.is_running() {
        app.tend();
        assert!(begin.elapsed() < Duration::from_secs(60), "it never ends");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn fate(app: &App) -> Fate {
    let (row, reader) = app.cx.selected().expect("a row");
    match row.node.is_none() {
        true => {
            let fates = reader.fates(row.parent);
            fates
                .iter()
                .find(|(code, _)| *code == row.code)
                .expect("a move")
                .1
        }
        false => reader.tree.node(row.node).fate(),
    }
}

fn opened() -> App {
    let mut app = app();
    app.show_still(alpha_beta());
    text_at(&mut app, 120, 36);
    app
}

#[test]
fn a_fate_is_found_through_closed_rows_and_back_again() {
    let mut app = opened();
    press(&mut app, "g f");
    app.paste("on futility");
    insta::assert_snapshot!("find_kind_80x24", text_at(&mut app, 80, 24));
    insta::assert_snapshot!("find_kind_120x36", text_at(&mut app, 120, 36));
    insta::assert_snapshot!("find_kind_200x50", text_at(&mut app, 200, 50));
    press(&mut app, "Enter");
    found(&mut app);
    let mut lines = vec![app.selected_line()];
    assert!(matches!(fate(&app), Fate::Futility { .. }));
    assert_eq!(lines[0].split(' ').count(), 2, "below the best move");
    assert!(
        said(&app).starts_with("futility · Ctrl-n the next one"),
        "{}",
        said(&app)
    );
    for _ in 0..11 {
        press(&mut app, "Ctrl-n");
        found(&mut app);
        assert!(matches!(fate(&app), Fate::Futility { .. }));
        lines.push(app.selected_line());
    }
    let mut different = lines.clone();
    different.sort();
    different.dedup();
    assert_eq!(
        different.len(),
        12,
        "one for each of the moves searched: {lines:?}"
    );
    press(&mut app, "Ctrl-n");
    found(&mut app);
    assert_eq!(app.selected_line(), lines[0], "around");
    press(&mut app, "2 Ctrl-p");
    found(&mut app);
    assert_eq!(app.selected_line(), lines[10]);
    // A move that was cut off with its siblings has no node.
    press(&mut app, "/");
    app.paste("on sibling-cutoff");
    press(&mut app, "Enter");
    found(&mut app);
    assert!(matches!(fate(&app), Fate::SiblingCutoff { .. }));
    press(&mut app, "/");
    app.paste("on nonsense");
    press(&mut app, "Enter");
    let shown = text_at(&mut app, 120, 36);
    assert!(
        shown.contains("no kind of node is called \"nonsense\""),
        "{shown}"
    );
}

#[test]
fn a_filter_that_finds_nothing_among_the_open_rows_offers_to_look_further() {
    let mut app = opened();
    press(&mut app, "f");
    app.paste("on futility");
    press(&mut app, "Enter");
    let expected = "no open row is \"futility\": Ctrl-n looks in the whole tree";
    assert_eq!(said(&app), expected);
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let shown = text_at(&mut app, width, height);
        assert!(shown.contains("Ctrl-n looks in the whole tree"), "{shown}");
    }
    press(&mut app, "Ctrl-n");
    found(&mut app);
    assert!(matches!(fate(&app), Fate::Futility { .. }));
    assert_eq!(
        app.cx.explore.tree.filter.name(),
        "futility",
        "the filter stays"
    );
    // What no node is.
    press(&mut app, "g f");
    app.paste("stand-pat");
    press(&mut app, "Enter");
    found(&mut app);
    assert_eq!(said(&app), "nothing in the whole tree is \"stand-pat\"");
    // Another kind than the one that is shown takes the filter away.
    press(&mut app, "g f");
    app.paste("beta-cutoff");
    press(&mut app, "Enter");
    found(&mut app);
    assert!(matches!(fate(&app), Fate::BetaCutoff { .. }));
    assert_eq!(app.cx.explore.tree.filter.name(), "all");
}

#[test]
fn the_value_that_a_step_changed_is_found() {
    let mut app = tui_support::toy::finished("textbook.tree", Algorithm::AlphaBeta, false);
    press(&mut app, "d");
    text_at(&mut app, 120, 36);
    press(&mut app, "g f");
    app.paste("changed");
    press(&mut app, "Enter");
    assert!(
        said(&app).starts_with("nothing has changed yet"),
        "{}",
        said(&app)
    );
    press(&mut app, "X");
    tui_support::toy::settle(&mut app);
    press(&mut app, "4 s");
    tui_support::toy::settle(&mut app);
    text_at(&mut app, 120, 36);
    press(&mut app, "g g g f");
    app.paste("changed");
    press(&mut app, "Enter");
    found(&mut app);
    assert!(said(&app).starts_with("changed value"), "{}", said(&app));
    assert_ne!(app.selected_line(), "");
}

#[test]
fn a_changed_value_is_found_below_closed_rows() {
    let mut app = app();
    app.cx.config = Config {
        memory: 64 << 20,
        ..Config::new(Algorithm::Mcts)
    };
    app.cx.start_search();
    press(&mut app, "X");
    tui_support::toy::settle(&mut app);
    for _ in 0..2 {
        press(&mut app, "9 0 0 s");
        tui_support::toy::settle(&mut app);
        text_at(&mut app, 120, 36);
    }
    press(&mut app, "O g g g f");
    app.paste("changed");
    press(&mut app, "Enter");
    let mut deepest = 0;
    for _ in 0..30 {
        found(&mut app);
        assert!(said(&app).starts_with("changed value"), "{}", said(&app));
        let row = app.cx.explore.tree.selected_row().expect("a row");
        deepest = deepest.max(row.depth);
        press(&mut app, "Ctrl-n");
    }
    assert!(deepest > 1, "{deepest}");
}

#[test]
fn a_big_tree_is_looked_through_beside_the_screen_and_esc_gives_up() {
    let mut app = app();
    app.show_still(huge(3_000_000, false));
    text_at(&mut app, 120, 36);
    press(&mut app, "g f");
    app.paste("futility");
    press(&mut app, "Enter");
    let begin = Instant::now();
    let shown = text_at(&mut app, 120, 36);
    assert!(shown.contains("looking for futility"), "{shown}");
    // Only a screen that waited for it would take so long.
    assert!(begin.elapsed() < Duration::from_secs(2));
    press(&mut app, "Esc");
    assert_eq!(said(&app), "no longer looking for \"futility\"");
    assert!(!app.is_running());
    press(&mut app, "Ctrl-n");
    found(&mut app);
    assert_eq!(said(&app), "nothing in the whole tree is \"futility\"");
}

#[test]
fn implied_skips_of_a_real_search_are_found_below_the_best_move() {
    let mut app = app();
    app.cx.config = Config {
        memory: 64 << 20,
        limits: common::nodes(30_000),
        ..Config::new(Algorithm::AlphaBeta)
    };
    app.cx.start_search();
    tui_support::toy::wait("its end", || {
        matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)))
    });
    text_at(&mut app, 120, 36);
    press(&mut app, "*");
    let best = app.selected_line();
    press(&mut app, "/");
    app.paste("on move-futility");
    press(&mut app, "Enter");
    found(&mut app);
    assert!(matches!(fate(&app), Fate::Futility { .. }));
    assert!(
        app.selected_line().starts_with(&best),
        "{best}: {}",
        app.selected_line()
    );
    let shown = text_at(&mut app, 200, 50);
    assert!(shown.contains("Not searched: static value"), "{shown}");
    app.cx.stop_search();
}
