//! The screens that the README and the docs show: real searches, drawn by the program. `tests/cli/picture.rs` makes SVG
//! of these snapshots.

use crate::tui_support;

use std::path::Path;

use algorithms::Algorithm;
use search::{EventKind, Limits};
use session::{Config, State};
use tui::app::{App, Setup};
use tui::document::Document;
use tui::theme::{Depth, ThemeStore};
use tui_support::toy::{settle, wait};
use tui_support::{press, screen, text};

/// A workbench on a quiet middlegame whose search, on one thread, has spent its nodes.
fn searched(config: Config, nodes: u64) -> App {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-positions/quiet-middlegame.fen");
    let document = Document::open(&path).expect("a sample");
    let entry = document.first_entry().expect("a position");
    let mut app = App::new(Setup {
        document,
        entry,
        config: Config {
            memory: 64 << 20,
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            ..config
        },
        theme: "dark".to_owned(),
        themes: ThemeStore::default(),
        depth: Depth::True,
        ascii: false,
    });
    app.timeless = true;
    app.start_search();
    wait("its end", || {
        matches!(app.status().map(|s| s.state), Some(State::Finished(_)))
    });
    settle(&mut app);
    app
}

/// Alpha-beta, taken back to a cutoff: why the replies after it were not searched, and the log.
#[test]
fn stopped_at_a_cutoff() {
    let mut app = searched(Config::new(Algorithm::AlphaBeta), 20_000);
    press(&mut app, "8 8 0 0 0 g e");
    settle(&mut app);
    let at_cut = |app: &App| {
        let stop = app.explore.debug.stop.expect("it stands");
        stop.event.kind() == EventKind::Cut && !app.selected_line().contains(' ')
    };
    for _ in 0..30_000 {
        if at_cut(&app) {
            break;
        }
        press(&mut app, "s");
        settle(&mut app);
    }
    assert!(at_cut(&app));
    // Opened, to show its replies.
    press(&mut app, "l");
    insta::assert_debug_snapshot!("stopped_128x36", screen(&mut app, 128, 36));
    // The best move was searched again since: its row and the strip of best lines give it the root's value all the same.
    press(&mut app, "g g");
    let shown = text(&screen(&mut app, 128, 36));
    let with_value = |name: &str| {
        let has = |line: &&str| line.contains(name) && line.contains(" +0.67 ");
        shown.lines().filter(has).count()
    };
    let counts = ["▾ position ", "cxd5 ★ ", "│ 1 "].map(with_value);
    assert_eq!(counts, [1, 1, 1], "{shown}");
}

/// DISTRESS, with a tree that goes deep: a belief at every node.
#[test]
fn beliefs() {
    let mut config = Config::new(Algorithm::Distress);
    config.options.set("leaf", "quiescence").expect("an option");
    let mut app = searched(config, 60_000);
    screen(&mut app, 128, 36);
    press(&mut app, "o");
    insta::assert_debug_snapshot!("beliefs_128x36", screen(&mut app, 128, 36));
}
