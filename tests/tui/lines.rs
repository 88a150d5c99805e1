//! Drawings of chess trees: the best lines with counted stubs, moving among them, and the selection that the rows share.

use crate::tui_support;

use algorithms::Algorithm;
use session::Config;
use tree::Tree;
use tui::app::App;
use tui::panes::drawing::DrawingTarget;
use tui_support::toy::{search, wait};
use tui_support::{click, look, press, screen, sketch, text};

const ALL: [Algorithm; 4] = [
    Algorithm::AlphaBeta,
    Algorithm::ProbAlphaBeta,
    Algorithm::Mcts,
    Algorithm::Distress,
];

/// A workbench on a middlegame whose search has finished, with its lines drawn.
fn drawn(algorithm: Algorithm, ascii: bool) -> App {
    let mut app = workbench(algorithm, ascii, 5_000);
    search(&mut app);
    press(&mut app, "d");
    app
}

fn workbench(algorithm: Algorithm, ascii: bool, nodes: u64) -> App {
    let config = Config {
        memory: 64 << 20,
        limits: common::nodes(nodes),
        ..Config::new(algorithm)
    };
    tui_support::workbench(sketch(), config, ascii)
}

/// Returns where the nodes are drawn, with the moves to each; a stub has one more, which is no move.
fn places(app: &App) -> Vec<(u16, u16, usize)> {
    let drawn = app.cx.regions.iter().filter_map(|r| match r.target.of() {
        Some(DrawingTarget::Node(place)) => Some((r.area.x, r.area.y, place)),
        _ => None,
    });
    drawn.collect()
}

#[test]
fn pictures_of_lines() {
    for (algorithm, sizes) in [
        (Algorithm::AlphaBeta, &[(80, 24), (120, 36), (200, 50)][..]),
        (Algorithm::Distress, &[(120, 36)]),
    ] {
        let mut app = drawn(algorithm, false);
        for &(width, height) in sizes {
            let picture = format!("lines_{}_{width}x{height}", algorithm.name());
            insta::assert_snapshot!(picture, text(&screen(&mut app, width, height)));
        }
    }
}

#[test]
fn every_algorithm_s_best_line_is_drawn_and_every_move_counted() {
    for algorithm in ALL {
        let mut app = drawn(algorithm, false);
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, width, height));
            assert!(shown.contains("lines, values for White"), "{shown}");
            let reader = app.cx.session.as_ref().expect("a search").reader();
            let best = reader.best_names(Tree::ROOT);
            for name in &best[..2] {
                assert!(
                    shown.contains(&name.san),
                    "{algorithm:?} {}\n{shown}",
                    name.san
                );
            }
            assert!(shown.contains('…') && shown.contains('%'), "{shown}");
            // Nothing is drawn over something else, and not too much is read.
            let places = places(&app);
            assert!(
                (6..150).contains(&places.len()),
                "{}\n{shown}",
                places.len()
            );
        }
    }
}

#[test]
fn lines_in_ascii() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Distress] {
        let mut app = drawn(algorithm, true);
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, width, height));
            assert!(shown.is_ascii(), "{shown}");
        }
    }
}

#[test]
fn arrows_walk_and_the_rows_have_the_same_selection() {
    let mut app = drawn(Algorithm::AlphaBeta, false);
    look(&mut app);
    let best = |app: &App, at: usize| {
        let reader = app.cx.session.as_ref().expect("a search").reader();
        reader.best_names(Tree::ROOT)[at].san.clone()
    };
    press(&mut app, "Down");
    look(&mut app);
    assert!(
        app.selected_line().ends_with(&best(&app, 0)),
        "{}",
        app.selected_line()
    );
    press(&mut app, "Down");
    look(&mut app);
    assert!(app.selected_line().ends_with(&best(&app, 1)));
    press(&mut app, "Up Up");
    look(&mut app);
    assert_eq!(app.selected_line(), "");
    // As rows and drawn again, the same move is selected.
    press(&mut app, "Down Right");
    look(&mut app);
    let line = app.selected_line();
    assert!(!line.is_empty() && !line.ends_with(&best(&app, 0)));
    press(&mut app, "d");
    assert!(!look(&mut app).contains("values for White"));
    assert_eq!(app.selected_line(), line);
    press(&mut app, "d");
    look(&mut app);
    assert_eq!(app.selected_line(), line);
    // What the rows select is drawn, however deep or bad it is.
    press(&mut app, "d g g l G");
    let last = app.selected_line();
    press(&mut app, "d");
    let shown = look(&mut app);
    assert_eq!(app.selected_line(), last);
    let name = last.rsplit(' ').next().expect("a move");
    let name = name.rsplit('.').next().expect("a move");
    assert!(shown.contains(name), "{name}\n{shown}");
}

#[test]
fn stubs_open_and_close() {
    let mut app = drawn(Algorithm::AlphaBeta, false);
    look(&mut app);
    let count = |app: &App| {
        let layout = app.cx.explore.drawing.layout();
        layout.map_or(0, |(layout, _)| layout.places.len())
    };
    let before = count(&app);
    // The last place beside the best move is the stub of the root.
    press(&mut app, "Down 9 9 Right");
    let shown = look(&mut app);
    assert_eq!(app.selected_line(), "", "a stub belongs to its node");
    assert!(shown.contains(" more: "), "{shown}");
    press(&mut app, "l");
    let split = look(&mut app);
    assert!(count(&app) > before, "{split}");
    assert!(split.contains(" more: "), "{split}");
    press(&mut app, "l");
    let opened = look(&mut app);
    assert_ne!(app.selected_line(), "", "{opened}");
    press(&mut app, "h");
    look(&mut app);
    assert_eq!(app.selected_line(), "");
    // All of it back.
    press(&mut app, "O");
    look(&mut app);
    assert_eq!(count(&app), before);
}

#[test]
fn a_closed_line_opens_and_a_click_selects() {
    let mut app = drawn(Algorithm::Mcts, false);
    look(&mut app);
    // Also what was scrolled out of view.
    let count = |app: &App| {
        let layout = app.cx.explore.drawing.layout();
        layout.map_or(0, |(layout, _)| layout.places.len())
    };
    let before = count(&app);
    press(&mut app, "Down h");
    look(&mut app);
    assert!(count(&app) < before, "the best line is closed");
    press(&mut app, "l");
    look(&mut app);
    assert_eq!(count(&app), before);
    let (x, y, _) = places(&app)[2];
    let target = app.selected_line();
    click(&mut app, x, y);
    look(&mut app);
    assert_ne!(app.selected_line(), target);
}

/// While a search runs, what is drawn stays where it is from one frame to the next, as long as nothing is added.
#[test]
fn nothing_jumps_while_the_search_runs() {
    let mut app = workbench(Algorithm::Mcts, false, 1_000_000);
    app.cx.start_search();
    press(&mut app, "d");
    let names = |app: &mut App| {
        look(app);
        let (layout, _) = app.cx.explore.drawing.layout()?;
        let content = app.cx.explore.drawing.content()?;
        let named = layout.places.iter().filter(|p| p.depth == 1);
        let named = named.map(|p| content.name(p.node).to_owned());
        let named: Vec<String> = named.filter(|name| !name.is_empty()).collect();
        (!named.is_empty()).then_some(named)
    };
    let mut first = None;
    wait("the first moves", || {
        first = names(&mut app);
        first.is_some()
    });
    for _ in 0..40 {
        let (before, now) = (first.take().unwrap_or_default(), names(&mut app));
        let now = now.expect("moves");
        // Those that stay keep their order.
        let kept = |names: &[String], of: &[String]| -> Vec<String> {
            names
                .iter()
                .filter(|name| of.contains(name))
                .cloned()
                .collect()
        };
        assert_eq!(kept(&before, &now), kept(&now, &before));
        first = Some(now);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    app.cx.stop_search();
}
