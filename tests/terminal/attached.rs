//! A program that is attached to the workbench: run again for what a filter left out, or to go back beyond what was kept.

use std::time::Instant;

use external::{EngineSpec, Filters, ProgramSpec, Tracing};
use games::Document;
use tui::app::App;
use tui::context::{Effect, Level};

use crate::pty::{Terminal, folder};
use crate::toys::alpha_beta;
use crate::tui_support;
use tui_support::toy::{settle, wait};
use tui_support::{press, screen, text};

/// A workbench in which a program has sent its search, unless there is no compiler to build it.
fn attached(words: Vec<String>, tracing: Tracing) -> App {
    let mut app = tui_support::app();
    let engine = EngineSpec {
        trace: Some(tracing),
        ..EngineSpec::of_words(words).expect("a program")
    };
    app.attach(ProgramSpec {
        engine,
        search: None,
    });
    shows(&mut app, "read to its end");
    app
}

fn shallow() -> Tracing {
    Tracing {
        filters: Filters {
            ply: Some(3),
            ..Filters::default()
        },
        ..Tracing::default()
    }
}

fn look(app: &mut App) -> String {
    app.tick(Instant::now());
    app.tend();
    text(&screen(app, 200, 50))
}

/// Waits until the screen shows something.
fn shows(app: &mut App, what: &str) -> String {
    let mut last = String::new();
    let begin = Instant::now();
    while !last.contains(what) {
        assert!(
            begin.elapsed().as_secs() < 60,
            "{what} is not shown\n{last}"
        );
        last = look(app);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    last
}

/// Selects the first row at the filter's edge.
fn select_left_out(app: &mut App) -> String {
    press(app, "g g");
    let mut shown = look(app);
    for _ in 0..8 {
        if shown.contains("Its moves were searched, but a filter") {
            return app.selected_line();
        }
        press(app, "l");
        shown = look(app);
    }
    panic!("{shown}");
}

#[test]
fn a_row_that_a_filter_left_out_is_opened_by_running_the_program_again() {
    let Some(words) = alpha_beta(9) else { return };
    let mut app = attached(words, shallow());
    let line = select_left_out(&mut app);
    let before = look(&mut app);
    press(&mut app, "l");
    let shown = shows(&mut app, "the same search: its marks agree up to event ");
    assert!(shown.contains("run again below"), "{shown}");
    // The same row, now with its moves.
    assert_eq!(app.selected_line(), line, "{shown}");
    press(&mut app, "l");
    look(&mut app);
    assert!(app.selected_line().starts_with(&line) && app.selected_line() != line);
    // Back to the shallow tree, and forward again.
    press(&mut app, "Esc");
    shows(&mut app, "with its tree");
    look(&mut app);
    assert_eq!(app.selected_line(), line);
    let rows = |shown: &str| shown.matches("not sent").count();
    assert_eq!(rows(&look(&mut app)), rows(&before));
    press(&mut app, "Alt-Right");
    look(&mut app);
    look(&mut app);
    assert!(app.selected_line().starts_with(&line));
    // Any row can be asked for, also in what was run again.
    press(&mut app, "g g l");
    app.run("run-again");
    shows(&mut app, "the same search: its marks agree up to event ");
    assert_eq!(
        app.selected_line().split(' ').count(),
        1,
        "{}",
        app.selected_line()
    );
}

#[test]
fn a_run_again_can_be_cancelled() {
    let Some(words) = alpha_beta(15) else { return };
    let mut app = attached(words, shallow());
    select_left_out(&mut app);
    press(&mut app, "l");
    let said = |app: &App| app.cx.messages.all.last().map(|m| m.text.clone());
    assert!(said(&app).is_some_and(|what| what.ends_with("Esc cancels")));
    press(&mut app, "Esc");
    assert!(said(&app).is_some_and(|what| what.contains("is not run again below")));
    let shown = look(&mut app);
    assert!(shown.contains("not sent"), "{shown}");
}

#[test]
fn a_program_that_takes_another_course_leaves_the_tree_as_it_is() {
    let Some(words) = alpha_beta(9) else { return };
    let folder = folder("course");
    // The second run has another seed than the first.
    let seeded = format!(
        "if [ -e {0} ]; then exec {1} 9 2; fi; : > {0}; exec {1} 9",
        folder.join("second").display(),
        words[0]
    );
    let words = ["sh", "-c", &seeded].map(str::to_owned).to_vec();
    let mut app = attached(words, shallow());
    let line = select_left_out(&mut app);
    press(&mut app, "l");
    shows(&mut app, "took another course between events ");
    let said = app.cx.messages.all.last().expect("a message").clone();
    assert_eq!(said.level, Level::Error);
    assert!(
        said.text
            .contains("usual causes: several threads, a limit by time"),
        "{}",
        said.text
    );
    assert_eq!(app.selected_line(), line);
    // No more runs are offered.
    press(&mut app, "l");
    let shown = look(&mut app);
    assert!(shown.contains("can't be repeated"), "{shown}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_recorded_trace_says_why_it_has_no_more() {
    let Some(words) = alpha_beta(9) else { return };
    let folder = folder("recorded");
    let file = folder.join("shallow.plytrace");
    let made = std::process::Command::new(&words[0])
        .arg("9")
        .env("PLYSCOPE_TRACE", &file)
        .env("PLYSCOPE_TRACE_LIMIT", "ply 3")
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    let document = Document::open(&file).expect("a trace");
    let mut app = tui_support::app();
    app.tabs.game.open_document(&mut app.cx, document);
    shows(&mut app, "read to its end");
    select_left_out(&mut app);
    press(&mut app, "l");
    let shown = look(&mut app);
    assert!(
        shown.contains("below it were not sent: this trace is recorded"),
        "{shown}"
    );
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn what_was_forgotten_is_run_again_to_go_back() {
    let Some(words) = alpha_beta(32) else { return };
    let tracing = Tracing {
        log_budget: 4 << 20,
        ..Tracing::default()
    };
    let mut app = attached(words, tracing);
    press(&mut app, "3 0 0 0 g e");
    let said = app.cx.messages.all.last().map(|m| m.text.clone());
    let said = said.unwrap_or_default();
    assert!(
        said.contains("again up to event 3,000"),
        "{said}\n{}",
        look(&mut app)
    );
    let shown = shows(&mut app, "event 3,000");
    wait("its arrival", || {
        look(&mut app);
        app.cx
            .explore
            .debug
            .stop
            .as_ref()
            .is_some_and(|stop| stop.number == 3_000)
    });
    assert!(!shown.contains("error"), "{shown}");
    // From there on it is stepped through like any search.
    press(&mut app, "s");
    settle(&mut app);
    assert_eq!(
        app.cx.explore.debug.stop.as_ref().map(|stop| stop.number),
        Some(3_001)
    );
}

#[test]
fn what_was_forgotten_is_run_again_to_restart() {
    let Some(words) = alpha_beta(32) else { return };
    let tracing = Tracing {
        log_budget: 4 << 20,
        ..Tracing::default()
    };
    let mut app = attached(words, tracing);
    press(&mut app, "x");
    let said = app.cx.messages.all.last().map(|m| m.text.clone());
    let said = said.unwrap_or_default();
    assert!(said.contains("again as a whole"), "{said}");
    let shown = shows(&mut app, "the same search: its marks agree up to event ");
    assert!(!shown.contains("not searched yet"), "{shown}");
}

#[test]
fn the_command_that_stops_gdb_at_the_event_shown_is_copied() {
    let Some(words) = alpha_beta(9) else { return };
    let program = words[0].clone();
    let mut app = attached(words, Tracing::default());
    press(&mut app, "4 7 1 1 g e");
    wait("the event", || {
        look(&mut app);
        app.cx.explore.debug.stop.is_some()
    });
    press(&mut app, "g y");
    let copied = app.cx.effects.iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text.clone()),
        _ => None,
    });
    let expected =
        format!("PLYSCOPE_TRACE=/dev/null PLYSCOPE_TRACE_TRAP=4711 gdb -ex run --args {program} 9");
    assert_eq!(copied, Some(expected));
}

#[test]
fn a_row_is_opened_by_running_the_program_again_in_a_terminal() {
    let Some(words) = alpha_beta(9) else { return };
    let folder = folder("again");
    let mut arguments = vec!["attach", "--only-ply", "3", "--"];
    arguments.extend(words.iter().map(String::as_str));
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_plyscope"));
    command.args(&arguments);
    let mut t = Terminal::run(command, &[], &folder);
    t.shows("read to its end");
    for _ in 0..8 {
        if !t.text().contains("a filter") {
            t.press("l");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    }
    t.shows("a filter");
    t.press("l");
    t.shows("the same search: its marks agree up to event ");
    t.press("\x1b");
    t.shows("with its tree");
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    let _ = std::fs::remove_dir_all(folder);
}
