//! Searches of the built-in toy trees, which are finished before anyone looks.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use games::Document;
use search::Limits;
use session::{Config, State};
use tui::app::App;

use super::{look, press, workbench};

/// A file of `sample-positions`.
pub fn sample(name: &str) -> Document {
    let path = super::root().join("sample-positions").join(name);
    Document::open(&path).expect("a sample")
}

/// A workbench on a tree of `sample-positions` whose search has finished.
pub fn finished(name: &str, algorithm: Algorithm, ascii: bool) -> App {
    searched(sample(name), algorithm, ascii)
}

/// The same after alpha-beta, shown as rows instead of a drawing.
pub fn in_rows(name: &str) -> App {
    let mut app = finished(name, Algorithm::AlphaBeta, false);
    press(&mut app, "d");
    look(&mut app);
    app
}

/// A workbench on a sample whose search waits for its first step.
pub fn waiting(name: &str, algorithm: Algorithm) -> App {
    let mut app = unsearched(sample(name), algorithm, false);
    app.cx.wait_to_search();
    app
}

/// A workbench on a document whose search has finished, on one thread and after at most 500 nodes.
pub fn searched(document: Document, algorithm: Algorithm, ascii: bool) -> App {
    let mut app = unsearched(document, algorithm, ascii);
    search(&mut app);
    app
}

fn unsearched(document: Document, algorithm: Algorithm, ascii: bool) -> App {
    let config = Config {
        memory: 32 << 20,
        limits: Limits {
            nodes: Some(500),
            ..Limits::default()
        },
        ..Config::new(algorithm)
    };
    workbench(document, config, ascii)
}

/// Searches until the search has finished.
pub fn search(app: &mut App) {
    app.cx.start_search();
    wait("its end", || {
        matches!(app.cx.status().map(|s| s.state), Some(State::Finished(_)))
    });
}

/// Presses keys and waits until the steps that they ask for are done.
pub fn step(app: &mut App, keys: &str) {
    press(app, keys);
    settle(app);
}

/// Waits for something that comes soon.
pub fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(180), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Does what the loop does after a key, until nothing is running.
pub fn settle(app: &mut App) {
    wait("the step", || {
        app.tend();
        !app.is_stepping() && app.cx.explore.debug.then.is_none()
    });
    app.tend();
}
