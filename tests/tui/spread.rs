//! The Lab's page on spread: snapshots of small reproducible experiments, and every key.

use crate::tui_support;

use algorithms::Algorithm;
use belief::score::Pit;
use lab::calibration;
use lab::kept::Kept;
use lab::spread::{self, MEASURED, TELLING};
use screen::theme::Depth;
use session::jobs::JobState;
use tui::app::App;
use tui::tabs::Tab;
use tui::tabs::lab::LabPage;
use tui::tabs::lab::spread::{Cells, Show};
use tui_support::{app, app_with, press, screen, text};

fn shown(mut app: App) -> App {
    app.run("tab-lab");
    press(&mut app, "P P");
    app
}

/// A workbench with random toy trees.
fn grown(mut app: App) -> App {
    let rules = TELLING.iter().map(|r| r.parse().expect("a rule")).collect();
    let settings = spread::Settings {
        branching: 3,
        depth: 6,
        population: 12,
        ..spread::Settings::default()
    };
    let run = spread::start_population(settings, rules, 1, Kept::default()).expect("a plan");
    app.tabs.lab.spread.population.hold(run);
    app.tabs.lab.spread.population.join();
    app
}

/// A workbench with made-up searches that show what the rules are known for, on three positions, the last of which is
/// solved.
fn searched(mut app: App) -> App {
    let nodes = spread::stops(10_000);
    let course = |place: usize, rule: usize| {
        let ends = [0.35, 0.43, 0.09, 0.28, 0.2, 0.11, 0.13, 0.12];
        let point = |i: usize| {
            let share = i as f64 / (nodes.len() - 1) as f64;
            let sd = 0.24 + share * (ends[rule] - 0.24) + 0.01 * place as f64;
            (0.1 + 0.02 * share * rule as f64, sd)
        };
        let ply = |ply: usize| spread::Ply {
            expanded: (ply < 5).then(|| point(nodes.len() - 1).1 * (1.0 - 0.1 * ply as f64)),
            leaves: (ply > 0).then_some(0.25),
        };
        Some(spread::SpreadCurve {
            below: 0.8,
            points: (0..nodes.len()).map(point).collect(),
            plies: (0..7).map(ply).collect(),
            solved: place == 2,
        })
    };
    let row = |place| (0..TELLING.len()).map(|rule| course(place, rule)).collect();
    let curves = (0..3).map(row).collect();
    app.tabs.lab.spread.searches.known = Some(spread::Searches {
        rules: TELLING.map(String::from).into(),
        nodes: nodes.clone(),
        curves,
    });
    app
}

/// A workbench with forty scored positions: the first rules are too wide, the later ones too narrow.
fn judged(mut app: App) -> App {
    let answer = |place: usize, rule: usize| {
        let far = (place as f64 + 0.5) / 40.0 - 0.5;
        let pit = 0.5 + far * (0.3 + 0.2 * rule as f64);
        let pit = pit.clamp(0.0, 1.0);
        Some(Ok(calibration::Answer {
            mean: far,
            is_point: false,
            judged: Some(calibration::Judged {
                pit: Pit {
                    low: pit,
                    high: pit,
                },
                crps: 0.05 + 0.01 * (rule as f64 - 4.0).abs(),
                error: 0.1 * far - 0.01 * rule as f64,
            }),
            agrees: Some(place % 8 <= rule),
            nodes: 10_000,
            sample: None,
        }))
    };
    let row = |place| (0..TELLING.len()).map(|rule| answer(place, rule)).collect();
    app.tabs.lab.spread.calibration.known = Some(calibration::Calibration {
        columns: TELLING.map(|rule| format!("distress:backup={rule}")).into(),
        answers: (0..40).map(row).collect(),
    });
    app
}

#[test]
fn the_page_is_reached_and_left() {
    let mut app = shown(app());
    assert_eq!(app.tabs.lab.page, LabPage::Spread);
    picture!("spread_empty_80x24", app, 80 x 24);
    press(&mut app, "1 5");
    assert_eq!((app.cx.tab, app.tabs.lab.page), (Tab::Lab, LabPage::Spread));
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Depths);
}

#[test]
fn positions_by_nodes() {
    let mut app = searched(shown(app()));
    picture!("spread_positions_80x24", app, 80 x 24);
    picture!("spread_positions_200x50", app, 200 x 50);
}

#[test]
fn toy_trees_by_depth() {
    let mut app = grown(shown(app()));
    press(&mut app, "Tab j j");
    picture!("spread_toy_80x24", app, 80 x 24);
    press(&mut app, "g F g F");
    picture!("spread_toy_200x50", app, 200 x 50);
}

#[test]
fn calibration_by_longer_searches() {
    let mut app = judged(shown(app()));
    press(&mut app, "g C j");
    picture!("spread_calibration_80x24", app, 80 x 24);
    picture!("spread_calibration_200x50", app, 200 x 50);
}

#[test]
fn ascii_and_few_colours_say_the_same() {
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        let mut app = grown(shown(app_with("dark", depth, true)));
        press(&mut app, "Tab");
        let shown = text(&screen(&mut app, 120, 36));
        assert!(shown.is_ascii(), "{shown}");
        // Every rule has its letter, in the table and on its curve.
        for letter in 'A'..='G' {
            assert!(shown.matches(letter).count() >= 2, "{letter}\n{shown}");
        }
    }
}

#[test]
fn every_size_can_be_drawn() {
    let mut app = judged(grown(searched(shown(app()))));
    for (w, h) in [(80, 24), (81, 25), (110, 30), (140, 34), (400, 120)] {
        for keys in ["Tab", "g C", "g C", "g F"] {
            press(&mut app, keys);
            let shown = text(&screen(&mut app, w, h));
            assert!(shown.contains("cuadras-auge:.5"), "{shown}");
        }
    }
}

#[test]
fn keys_choose_and_set_what_is_asked() {
    let mut app = shown(app());
    press(&mut app, "k");
    assert_eq!(app.tabs.lab.spread.rule, MEASURED.len() - 1);
    assert_eq!(app.tabs.lab.spread.chosen(), "bpip");
    press(&mut app, "k g n g c g M g F");
    let page = &app.tabs.lab.spread;
    assert_eq!((page.nodes, page.count, page.branching), (30_000, 20, 16));
    assert_eq!(page.cells, Cells::Coverage);
    press(&mut app, "Tab");
    assert_eq!(app.tabs.lab.spread.show, Show::Toy);
    press(&mut app, "g C");
    assert_eq!(app.tabs.lab.spread.show, Show::Calibration);
    app.cx.config.limits.nodes = Some(500);
    press(&mut app, "Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::Distress);
    assert_eq!(app.cx.config.options.word("backup"), "gumbel:2");
    press(&mut app, "j Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::Bpip);
}

/// Real searches: started, watched from another tab, stopped.
#[test]
fn experiments_are_begun_and_stopped() {
    let mut app = shown(app());
    app.tabs.lab.spread.nodes = 300_000;
    for keys in ["", "Tab", "g C"] {
        if !keys.is_empty() {
            press(&mut app, keys);
        }
        press(&mut app, "space");
        assert!(app.tabs.lab.lab_busy().is_some());
        // It continues while another tab is shown, and keeps the cores.
        press(&mut app, "1");
        screen(&mut app, 80, 24);
        assert!(app.tabs.lab.lab_busy().is_some());
        press(&mut app, "5 P P P P space");
        assert!(app.tabs.lab.experiment.is_none());
        press(&mut app, "P P");
        screen(&mut app, 80, 24);
        press(&mut app, "space");
        let page = &mut app.tabs.lab.spread;
        match page.show {
            Show::Positions => page.searches.join(),
            Show::Toy => page.population.join(),
            Show::Calibration => page.calibration.join(),
        }
        assert_eq!(page.progress().map(|p| p.0), Some(JobState::Stopped));
        assert!(app.tabs.lab.lab_busy().is_none());
    }
}
