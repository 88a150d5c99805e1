//! Another program as a column of Compare.

use algorithms::Algorithm;
use external::EngineSpec;
use session::Budget;
use studies::compare::ColumnSpec;
use tui::tabs::Tab;

use crate::tui_support;
use tui_support::toy::wait;
use tui_support::{press, screen, text};

/// What another program tells is a tree like any other: its rows can be walked in Explore.
#[test]
fn the_tree_of_another_program_opens_in_explore() {
    let mut app = tui_support::toy::finished("quiet-middlegame.fen", Algorithm::Mcts, false);
    let engine = format!(
        "{} uci -a alpha-beta --threads 1",
        env!("CARGO_BIN_EXE_plyscope")
    );
    let engine = EngineSpec {
        name: "the-other".to_owned(),
        lines: 3,
        ..EngineSpec::parse(&engine).expect("a command")
    };
    app.tabs.compare.specs = vec![ColumnSpec::External(engine)];
    app.tabs.compare.budget = Budget::Nodes(20_000);
    app.show_tab(Tab::Compare);
    wait("the engine's answer", || {
        app.tend();
        screen(&mut app, 120, 40);
        app.cx.columns.comparison().is_some_and(|c| !c.is_running())
    });
    press(&mut app, "Enter");
    assert_eq!(app.cx.tab, Tab::Explore);
    press(&mut app, "O g g * l j");
    screen(&mut app, 120, 40);
    let shown = text(&screen(&mut app, 120, 40));
    assert!(shown.contains("the-other"), "{shown}");
    let line = app.selected_line();
    assert_eq!(line.split(' ').count(), 2, "{line}: {shown}");
    // It can neither be stepped through nor searched further, and says so.
    for keys in ["s", "b", "+", "space"] {
        press(&mut app, keys);
        app.tend();
    }
    app.show_tab(Tab::Compare);
    app.show_tab(Tab::Explore);
    let shown = text(&screen(&mut app, 120, 40));
    assert!(!shown.contains("the-other"), "{shown}");
}

/// An engine that sends a trace is stepped through in its column, and opens in Explore as a search that can be rewound.
#[cfg(unix)]
#[test]
fn the_trace_of_another_program_is_a_column_to_step_through() {
    let Some(words) = crate::toys::python("toy_uci.py", &[]) else {
        return;
    };
    let mut app = tui_support::app();
    app.cx.subject = session::Subject::from(game::Situation::new(game::ChessPosition::default()));
    let engine = EngineSpec {
        name: "toy".to_owned(),
        trace: Some(external::Tracing::default()),
        ..EngineSpec::of_words(words).expect("a command")
    };
    app.tabs.compare.specs = vec![ColumnSpec::External(engine)];
    app.tabs.compare.budget = Budget::Depth(2);
    app.show_tab(Tab::Compare);
    wait("the engine's tree", || {
        app.tend();
        screen(&mut app, 160, 50);
        let column = app.cx.faces().first().copied().flatten();
        column.is_some_and(|face| face.session().is_some() && face.status().totals.nodes == 8)
    });
    wait("its end", || {
        app.tend();
        app.cx.columns.comparison().is_some_and(|c| !c.is_running())
    });
    press(&mut app, "s s s");
    let number = |app: &tui::app::App| app.cx.columns.stepping(0).stop.map(|stop| stop.number);
    wait("the third event", || {
        app.tend();
        screen(&mut app, 160, 50);
        number(&app) == Some(3)
    });
    press(&mut app, "Enter");
    assert_eq!(app.cx.tab, Tab::Explore);
    press(&mut app, "b");
    tui_support::toy::settle(&mut app);
    let shown = text(&screen(&mut app, 160, 50));
    assert!(shown.contains("event 2"), "{shown}");
}
