//! Searches of the built-in toy trees, which are finished before anyone looks.

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use search::Limits;
use session::{Config, State};
use tui::app::{App, Setup};
use tui::document::Document;
use tui::theme::{Depth, ThemeStore};

/// A workbench on a tree of `sample-positions` whose search has finished.
pub fn finished(name: &str, algorithm: Algorithm, ascii: bool) -> App {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample-positions")
        .join(name);
    searched(Document::open(&path).expect("a sample"), algorithm, ascii)
}

/// A workbench on a sample whose search waits for its first step.
pub fn waiting(name: &str, algorithm: Algorithm) -> App {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sample-positions")
        .join(name);
    let mut app = unsearched(Document::open(&path).expect("a sample"), algorithm, false);
    app.wait_to_search();
    app
}

/// A workbench on a document whose search has finished, on one thread and after at most 500 nodes.
pub fn searched(document: Document, algorithm: Algorithm, ascii: bool) -> App {
    let mut app = unsearched(document, algorithm, ascii);
    app.start_search();
    wait("its end", || {
        matches!(app.status().map(|s| s.state), Some(State::Finished(_)))
    });
    app
}

fn unsearched(document: Document, algorithm: Algorithm, ascii: bool) -> App {
    let entry = document.first_entry().expect("a tree");
    let mut app = App::new(Setup {
        document,
        entry,
        config: Config {
            memory: 32 << 20,
            limits: Limits {
                nodes: Some(500),
                ..Limits::default()
            },
            ..Config::new(algorithm)
        },
        theme: "dark".to_owned(),
        themes: ThemeStore::default(),
        depth: Depth::True,
        ascii,
    });
    app.timeless = true;
    app
}

/// Waits for something that comes soon.
pub fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Does what the loop does after a key, until nothing is running.
pub fn settle(app: &mut App) {
    wait("the step", || {
        app.tend();
        !app.is_stepping() && app.explore.debug.then.is_none()
    });
    app.tend();
}
