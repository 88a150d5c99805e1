//! The Lab's page on values by depth: snapshots of made-up figures, every key, and a real run on the built-in labels.

use crate::tui_support;

use std::sync::Arc;

use eval::fitted::Searched;
use games::Document;
use lab::searched::{Fitted, Judged, Known, OfDepth};
use screen::theme::Depth;
use session::jobs::JobState;
use tui::app::App;
use tui::tabs::Tab;
use tui::tabs::lab::LabPage;
use tui::tabs::lab::Positions;
use tui::tabs::lab::depths::Shown;
use tui_support::{app, app_with, press, screen, text};

fn shown(mut app: App) -> App {
    app.run("tab-lab");
    press(&mut app, "P P P");
    app
}

/// A workbench with figures like those of many positions: the control is worse and too narrow.
fn judged(mut app: App) -> App {
    let depth = |depth: u8| {
        let share = f64::from(depth) / 8.0;
        let judged = |crps: f64, off: f64| Judged {
            n: 500 - 10 * usize::from(depth),
            crps,
            coverage: [0.5 + off, 0.8 + off, 0.9 + off / 2.0],
        };
        OfDepth {
            depth,
            fitted: judged(0.0613 - 0.0225 * share, 0.01),
            in_use: judged(0.0615 - 0.0225 * share, 0.02),
            constant: judged(0.0665 - 0.0212 * share, -0.05 - 0.15 * share),
            gain: (-0.0051 - 0.0014 * share, 0.0004),
            width: 0.3,
        }
    };
    app.tabs.lab.depths.run.known = Some(Known {
        found: Vec::new(),
        fitted: Some(Arc::new(Fitted {
            model: Searched::IN_USE,
            trained: 500,
            held_out: 500,
            depths: (0..=8).map(depth).collect(),
        })),
        fault: None,
    });
    app.tabs.lab.depths.source = "the built-in labels".to_owned();
    app
}

#[test]
fn the_page_is_reached_and_left() {
    let mut app = shown(app());
    assert_eq!(app.tabs.lab.page, LabPage::Depths);
    picture!("depths_empty_80x24", app, 80 x 24);
    press(&mut app, "1 5");
    assert_eq!((app.cx.tab, app.tabs.lab.page), (Tab::Lab, LabPage::Depths));
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Sweep);
}

#[test]
fn figures_by_depth() {
    let mut app = judged(shown(app()));
    picture!("depths_80x24", app, 80 x 24);
    picture!("depths_120x36", app, 120 x 36);
    picture!("depths_200x50", app, 200 x 50);
    // Where there is room for one coverage, it can be chosen.
    press(&mut app, "Tab Tab");
    assert_eq!(app.tabs.lab.depths.shown, Shown::Control);
    let narrow = text(&screen(&mut app, 80, 24));
    assert!(
        narrow.contains("control %") && narrow.contains("30/60/80!"),
        "{narrow}"
    );
}

#[test]
fn ascii_says_the_same() {
    for depth in [Depth::None, Depth::Sixteen, Depth::True] {
        let mut app = judged(shown(app_with("dark", depth, true)));
        let shown = text(&screen(&mut app, 120, 36));
        assert!(shown.is_ascii(), "{shown}");
        for letter in ['B', 'C'] {
            assert!(shown.matches(letter).count() >= 3, "{letter}\n{shown}");
        }
    }
}

#[test]
fn keys_set_what_is_asked() {
    let mut app = shown(app());
    press(&mut app, "g c l g o");
    let page = &app.tabs.lab.depths;
    assert_eq!((page.count, page.depth), (500, 9));
    assert_eq!(app.tabs.lab.positions, Positions::Opened);
    press(&mut app, "l l h h h");
    assert_eq!(app.tabs.lab.depths.depth, 7);
    // The sketch is no file.
    press(&mut app, "space");
    assert!(app.tabs.lab.lab_busy().is_none());
    let said = text(&screen(&mut app, 120, 36));
    assert!(said.contains("no file is open"), "{said}");
}

/// Real searches of the built-in labels, and of a file.
#[test]
fn the_experiment_runs_and_stops() {
    let mut app = shown(app());
    app.tabs.lab.depths.count = 100;
    app.tabs.lab.depths.depth = 1;
    press(&mut app, "space");
    app.tabs.lab.depths.run.join();
    let progress = app.tabs.lab.depths.run.progress();
    assert_eq!(progress, Some((JobState::Done, 100, 100)));
    let done = text(&screen(&mut app, 120, 36));
    assert!(done.contains("the built-in labels: fitted to"), "{done}");

    app.tabs.lab.depths.depth = 10;
    press(&mut app, "space");
    assert!(app.tabs.lab.lab_busy().is_some());
    press(&mut app, "space");
    app.tabs.lab.depths.run.join();
    let progress = app.tabs.lab.depths.run.progress();
    assert_eq!(progress.map(|p| p.0), Some(JobState::Stopped));

    let path = std::env::temp_dir().join(format!("plyscope-tui-{}.epd", std::process::id()));
    std::fs::write(&path, "8/8/6R1/5k2/3K4/8/8/8 b - - ce 0;\n").expect("a file");
    app.tabs
        .game
        .open_document(&mut app.cx, Document::open(&path).expect("an EPD"));
    app.run("tab-lab");
    press(&mut app, "g o space");
    app.tabs.lab.depths.run.join();
    let few = text(&screen(&mut app, 200, 50));
    assert!(
        few.contains("1 positions with a verdict, expected at least 40"),
        "{few}"
    );
    std::fs::remove_file(&path).expect("removed");
}
