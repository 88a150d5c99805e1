//! The Lab's page on sweeps: snapshots of made-up figures, every key, typed formulas, and real runs.

use crate::tui_support;

use algorithms::Algorithm;
use lab::sweep::{Found, Judge, Spec, Sweep};
use screen::theme::Depth;
use session::jobs::JobState;
use session::{Budget, Config};
use tui::app::App;
use tui::tabs::Tab;
use tui::tabs::lab::LabPage;
use tui::tabs::lab::sweep::{Of, READY};
use tui_support::{app, app_with, find, press, screen, text, text_at};

fn shown(mut app: App) -> App {
    app.run("tab-lab");
    press(&mut app, "g P g P");
    app
}

/// A workbench with figures of eighty positions: the wider the margin, the fewer prunes are wrong, and the less deep the search.
fn tried(mut app: App) -> App {
    let page = &mut app.tabs.lab.sweep;
    page.line = READY[1].line.to_owned();
    page.judge = READY[1].judge;
    let spec: Spec = page.line.parse().expect("a sweep");
    let base = Config::new(Algorithm::DEFAULT);
    let (tried, columns) = spec.columns(&base).expect("columns");
    let mut sweep = Sweep {
        judge: page.judge,
        rule: Some("futility"),
        names: tried.names.clone(),
        positions: Vec::new(),
        left_out: 2,
        fault: None,
    };
    for number in 1..=80 {
        let found = |variant: usize| {
            let by_chance = f64::from((number * 7 + variant as u32 * 3) % 11) / 110.0;
            Found {
                figure: 0.16 - 0.025 * variant as f64 + by_chance,
                nodes: Some(5_000),
                depth: Some(9 - variant as u16 / 2),
            }
        };
        let found = (0..tried.names.len()).map(found).collect();
        let number = number as usize;
        sweep.enter(number, Some(found));
    }
    page.run.known = Some(sweep);
    page.of = Some(Of {
        spec,
        tried,
        columns,
        budget: Budget::Nodes(5_000),
        source: "the samples".to_owned(),
        wanted: 82,
        seed: 1,
    });
    app
}

#[test]
fn the_page_is_reached_and_left() {
    let mut app = shown(app());
    assert_eq!(app.tabs.lab.page, LabPage::Sweep);
    picture!("sweep_empty_80x24", app, 80 x 24);
    press(&mut app, "1 5");
    assert_eq!((app.cx.tab, app.tabs.lab.page), (Tab::Lab, LabPage::Sweep));
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Questions);
}

#[test]
fn variants_beside_what_is_built_in() {
    let mut app = tried(shown(app()));
    picture!("sweep_80x24", app, 80 x 24);
    press(&mut app, "j j");
    picture!("sweep_200x50", app, 200 x 50);
    let shown = text_at(&mut app, 120, 36);
    let (x, y) = find(&shown, "k = 240");
    tui_support::click(&mut app, x, y);
    assert_eq!(app.tabs.lab.sweep.variant, 4);
    press(&mut app, "j j");
    assert_eq!(app.tabs.lab.sweep.variant, 0);
    for depth in [Depth::None, Depth::Sixteen, Depth::True] {
        let mut app = tried(self::shown(app_with("dark", depth, true)));
        let shown = text(&screen(&mut app, 120, 36));
        assert!(shown.is_ascii(), "{shown}");
    }
}

/// What is wrong is said while it is typed; what is right is taken.
#[test]
fn formulas_are_typed_and_checked() {
    let mut app = shown(app());
    press(&mut app, "g V Ctrl-u");
    let say = |app: &mut App, typed: &str| {
        app.paste(typed);
        text_at(app, 80, 24)
    };
    let wrong = say(
        &mut app,
        "-a distress --set backup=1-exp(-k*Z) --over k=1,2",
    );
    for part in ["column 10", "found \"Z\"", "H, N", "vary: -a distress"] {
        assert!(wrong.contains(part), "{part}\n{wrong}");
    }
    press(&mut app, "Enter");
    assert!(app.cx.overlay.is_some());
    press(&mut app, "Ctrl-u");
    let right = say(
        &mut app,
        "-a mcts --set select=Q+c*P*sqrt(N)/(1+n) --over c=1,2,4",
    );
    assert!(right.contains("3 variants and what is built in"), "{right}");
    press(&mut app, "Enter");
    assert!(app.cx.overlay.is_none());
    assert!(app.tabs.lab.sweep.line.ends_with("--over c=1,2,4"));
}

#[test]
fn keys_set_what_is_asked() {
    let mut app = shown(app());
    press(&mut app, "g n g c");
    let page = &app.tabs.lab.sweep;
    assert_eq!((page.nodes, page.count), (10_000, 200));
    for _ in 1..Judge::ALL.len() {
        press(&mut app, "g j");
    }
    assert_eq!(app.tabs.lab.sweep.judge, Judge::Match);
    // Every sweep that is offered can be run.
    for _ in READY {
        let page = &app.tabs.lab.sweep;
        let spec: Spec = page.line.parse().expect("a sweep");
        spec.columns(&app.cx.config).expect("columns");
        press(&mut app, "Tab");
    }
    assert_eq!(app.tabs.lab.sweep.line, READY[0].line);
    press(&mut app, "Enter");
    let said = text_at(&mut app, 120, 36);
    assert!(said.contains("nothing tried yet"), "{said}");
}

/// Real searches, by a judge of each kind, and the chosen variant in Explore.
#[test]
fn sweeps_run_and_variants_are_used() {
    let mut app = shown(app());
    app.tabs.lab.sweep.nodes = 300;
    app.tabs.lab.sweep.count = 4;
    app.tabs.lab.sweep.line = "-a mcts --over fpu=0,1".to_owned();
    // Solved, points (of which the samples have none), belief, then games.
    for (judge, done) in [
        (Judge::Solved, true),
        (Judge::Points, false),
        (Judge::Belief, true),
        (Judge::Audit, false),
    ] {
        app.tabs.lab.sweep.judge = judge;
        app.tabs.lab.sweep.run = Default::default();
        press(&mut app, "space");
        app.tabs.lab.sweep.run.join();
        let progress = app.tabs.lab.sweep.run.progress();
        assert_eq!(
            progress.is_some_and(|p| p.0 == JobState::Done),
            done,
            "{judge:?}"
        );
        if !done {
            let said = text_at(&mut app, 120, 36);
            let why = match judge {
                Judge::Points => "expected points in c0",
                _ => "found mcts, expected an algorithm that prunes",
            };
            assert!(said.contains(why), "{said}");
        }
    }
    app.tabs.lab.sweep.judge = Judge::Solved;
    press(&mut app, "space");
    app.tabs.lab.sweep.run.join();
    let found = app.tabs.lab.sweep.run.known.as_ref().expect("figures");
    assert!(found.done() <= 4 && found.done() > 0);
    press(&mut app, "j j Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::Mcts);
    let mut options = app.cx.config.options.iter();
    let fpu = options.find(|(spec, _)| spec.key == "fpu");
    assert_eq!(
        fpu.map(|(_, value)| value.to_string()),
        Some("1".to_owned())
    );
}
