//! The screens that the README and the docs show: real searches, drawn by the program. `tests/cli/picture.rs` makes SVG
//! of these snapshots.

use crate::tui_support;

use ::search::EventKind;
use algorithms::Algorithm;
use session::Config;
use tui::app::App;
use tui_support::toy::{sample, search, settle};
use tui_support::{press, screen, text, workbench};

/// A workbench on a quiet middlegame whose search, on one thread, has spent its nodes.
fn searched(config: Config, nodes: u64) -> App {
    let config = Config {
        memory: 64 << 20,
        limits: common::nodes(nodes),
        ..config
    };
    let mut app = workbench(sample("quiet-middlegame.fen"), config, false);
    search(&mut app);
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
        let stop = app.cx.explore.debug.stop.clone().expect("it stands");
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
    picture!("stopped_128x36", app, 128 x 36);
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
    picture!("beliefs_128x36", app, 128 x 36);
}
