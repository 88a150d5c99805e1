//! The Lab's page on point differential: snapshots of made-up results, and every key.

use crate::tui_support;

use algorithms::Algorithm;
use lab::differential::{Outcome, Results, Settings, cells};
use screen::theme::Depth;
use session::jobs::JobState;
use tui::app::App;
use tui::tabs::Tab;
use tui::tabs::lab::LabPage;
use tui::tabs::lab::differential::Figure;
use tui_support::{app, app_with, press, screen, text};

/// Made-up games: later cells win more, and the last ones were not played.
fn results() -> Results {
    use Outcome::{Drawn, Lost, Won};
    let mut results = Results::new(Settings::default());
    for (place, cell) in cells().into_iter().enumerate().take(33) {
        for number in 0..60 {
            let x = (place as u64 * 1000 + number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let outcome = |bits: u64| match bits % 100 {
                b if b < 15 + 2 * place as u64 => Won,
                b if b < 75 => Lost,
                _ => Drawn,
            };
            results.add(cell, number as usize, [outcome(x >> 20), outcome(x >> 40)]);
        }
    }
    results
}

fn shown(mut app: App) -> App {
    app.run("tab-lab");
    press(&mut app, "P");
    app.tabs.lab.differential.results = results();
    app
}

#[test]
fn the_page_is_reached_and_left() {
    let mut app = app();
    app.run("tab-lab");
    assert_eq!(app.tabs.lab.page, LabPage::Futility);
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Differential);
    picture!("grid_empty_80x24", app, 80 x 24);
    press(&mut app, "1 5");
    assert_eq!(
        (app.cx.tab, app.tabs.lab.page),
        (Tab::Lab, LabPage::Differential)
    );
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Spread);
}

#[test]
fn small() {
    let mut app = shown(app());
    press(&mut app, "j j l");
    picture!("grid_80x24", app, 80 x 24);
}

#[test]
fn wide() {
    let mut app = shown(app());
    press(&mut app, "Tab");
    picture!("grid_200x50", app, 200 x 50);
}

#[test]
fn ascii_and_few_colours_say_the_same() {
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        let mut app = shown(app_with("dark", depth, true));
        for (w, h) in [(80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, w, h));
            assert!(shown.is_ascii(), "{shown}");
            assert!(shown.contains("++!") && shown.contains("--!"), "{shown}");
        }
    }
}

#[test]
fn every_size_and_figure_can_be_drawn() {
    for (w, h) in [
        (80, 24),
        (81, 25),
        (110, 30),
        (139, 33),
        (140, 34),
        (400, 120),
    ] {
        let mut app = shown(app());
        for _ in 0..3 {
            press(&mut app, "Tab");
            let shown = text(&screen(&mut app, w, h));
            assert!(shown.contains("16 %"), "{shown}");
        }
    }
}

#[test]
fn keys_walk_and_set_what_is_asked() {
    let mut app = shown(app());
    screen(&mut app, 80, 24);
    press(&mut app, "k h");
    assert_eq!(app.tabs.lab.differential.cell().to_string(), "16x16");
    press(&mut app, "j l 4 j");
    assert_eq!(app.tabs.lab.differential.cell().to_string(), "8x0");
    press(&mut app, "g c g c");
    assert_eq!(app.tabs.lab.differential.games, 100);
    press(&mut app, "Tab");
    assert_eq!(app.tabs.lab.differential.figure, Figure::Elo);
    press(&mut app, "g n");
    let page = &app.tabs.lab.differential;
    assert_eq!(page.results.settings.playouts, 200);
    assert_eq!(page.results.games(), 0, "another experiment");
    // The selected weights in Explore.
    app.cx.config.limits.nodes = Some(500);
    press(&mut app, "Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::Mcts);
    assert_eq!(app.cx.config.options.word("leaf"), "playouts");
    assert_eq!(app.cx.config.options.number("differential-from"), 0.08);
    assert!(app.cx.session.is_some());
}

#[test]
fn the_grid_is_written() {
    let folder = std::env::temp_dir().join(format!("plyscope-grid-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut empty = app();
    empty.run("tab-lab");
    press(&mut empty, "P e");
    assert!(empty.cx.overlay.is_none());
    let mut app = shown(app());
    for name in ["grid.csv", "grid.json"] {
        let path = folder.join(name);
        press(&mut app, "e");
        assert!(app.cx.overlay.is_some());
        press(&mut app, "Ctrl-u");
        app.paste(&path.to_string_lossy());
        press(&mut app, "Enter");
        let written = std::fs::read_to_string(&path).expect(name);
        assert!(app.cx.overlay.is_none());
        if name.ends_with("csv") {
            assert_eq!(written.lines().count(), 37);
        } else {
            let json: serde_json::Value = serde_json::from_str(&written).expect("JSON");
            assert_eq!(json["games"], 33 * 120);
        }
    }
    // Neither over an existing file nor with an unknown extension.
    for name in ["grid.csv", "grid.txt"] {
        press(&mut app, "e Ctrl-u");
        app.paste(&folder.join(name).to_string_lossy());
        press(&mut app, "Enter");
        assert!(app.cx.overlay.is_some(), "{name}");
        press(&mut app, "Esc");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Real matches: started, stopped and continued.
#[test]
fn matches_are_begun_stopped_and_gone_on_with() {
    let folder = std::env::temp_dir().join(format!("plyscope-match-{}", std::process::id()));
    let mut app = app();
    app.tabs.lab.differential.folder = Some(folder.clone());
    app.run("tab-lab");
    press(&mut app, "P g n g n g n g n");
    assert_eq!(app.tabs.lab.differential.results.settings.playouts, 25);
    app.tabs.lab.differential.results.settings.plies = 6;
    press(&mut app, "space");
    assert!(app.is_running() && app.has_news() || app.tabs.lab.differential.fault.is_none());
    while app.tabs.lab.differential.results.games() == 0 {
        screen(&mut app, 80, 24);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Whatever needs the cores or other settings has to wait.
    press(&mut app, "g n");
    assert_eq!(app.tabs.lab.differential.results.settings.playouts, 25);
    press(&mut app, "space");
    let matches = app.tabs.lab.differential.matches.as_mut().expect("begun");
    matches.join();
    let stage = matches.progress().0;
    assert!(matches!(stage, JobState::Stopped | JobState::Done));
    screen(&mut app, 80, 24);
    let games = app.tabs.lab.differential.results.games();
    let file = app.tabs.lab.differential.file().expect("a file");
    let kept = Results::open(&file).expect("readable").expect("there");
    assert_eq!(kept.games(), games);
    press(&mut app, "space");
    assert!(app.tabs.lab.differential.results.games() >= games);
    drop(app);
    std::fs::remove_dir_all(folder).expect("removed");
}
