//! The Lab tab: snapshots of made-up results, and every key.

use crate::tui_support;

use algorithms::Algorithm;
use depth_first::margin::FAMILIES;
use game::Score;
use lab::{DepthSeries, Findings, Origin, Stage, Tested, Trial};
use screen::theme::Depth;
use search::{AuditRow, Rule};
use tui::app::App;
use tui::tabs::Tab;
use tui::tabs::lab::{Known, LabPanel, Positions};
use tui_support::{app, app_with, press, screen, text};

/// Changes of score that look random: a jump at depth 1, then slow growth.
fn findings() -> Findings {
    let series = |i: u64| {
        let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let share = (x % 2001) as f64 / 1000.0 - 1.0;
        let far = |d: u16| 300.0 * share.powi(3) * (0.5 + 0.2 * f64::from(d).sqrt());
        DepthSeries {
            static_value: (!i.is_multiple_of(17)).then_some(Score::new(10)),
            quiescence: Score::new(12),
            scores: (1..=8).map(|d| Score::new(10 + far(d) as i32)).collect(),
            nodes: (1..=8).map(|d| 30 * 3u64.pow(d)).collect(),
        }
    };
    let tally = |depth: u8, failed: u64| AuditRow {
        rule: Rule::Futility,
        depth,
        pruned: 64_000 >> depth,
        tried: 4_000 >> depth,
        failed,
        nodes: 400_000,
        lost: 90 * failed as i64,
        decided: 0,
        lost_expected: 0.1 * failed as f64,
    };
    let trial = |i: usize| Trial {
        margin: FAMILIES[i].example.to_string().parse().expect("a margin"),
        nodes: 3_210_000 + 1000 * i as u64,
        finished: 100,
        saving: Some(1.0 - 0.004 * i as f64),
        audits: (1..=6)
            .map(|d| tally(d, [3, 1 << d, 9, 7][i].min(30)))
            .collect(),
    };
    Findings {
        stage: Stage::Done,
        tested: Tested::Futility,
        depth: 8,
        families: FAMILIES.iter().map(|f| f.example).collect(),
        level: 0.05,
        audit: 16,
        positions: 100,
        measured: (0..100).map(series).collect(),
        without: Some(5_000_000),
        trials: (0..4).map(trial).collect(),
    }
}

fn found(mut app: App) -> App {
    app.tabs.lab.known = Some(Known::of(findings(), 0));
    app.run("tab-lab");
    app
}

#[test]
fn before_anything_is_measured() {
    let mut app = app();
    app.run("tab-lab");
    assert_eq!(app.cx.tab, Tab::Lab);
    picture!("empty_80x24", app, 80 x 24);
}

/// An experiment with chess positions does not offer to measure those of another game.
#[test]
fn another_game_has_no_positions_for_the_lab() {
    let game = games::Document::from_bytes("game.c4", b"connect4 4 4".to_vec());
    let config = session::Config::new(Algorithm::AlphaBeta);
    let mut app = tui_support::workbench(game.expect("a game"), config, false);
    app.run("tab-lab");
    assert_eq!(app.cx.tab, Tab::Lab);
    app.tabs.lab.positions = Positions::Opened;
    let shown = text(&screen(&mut app, 200, 50));
    assert!(
        shown.contains("positions of game.c4, which is not chess"),
        "{shown}"
    );
}

#[test]
fn small() {
    let mut app = found(app());
    press(&mut app, "g m");
    screen(&mut app, 80, 24);
    app.cx.messages.fresh = false;
    picture!("margins_80x24", app, 80 x 24);
    press(&mut app, "Tab");
    picture!("audit_80x24", app, 80 x 24);
}

#[test]
fn wide() {
    let mut app = found(app());
    press(&mut app, "g m j");
    picture!("lab_200x50", app, 200 x 50);
}

#[test]
fn ascii_has_no_other_signs() {
    let mut app = found(app_with("dark", Depth::None, true));
    press(&mut app, "g m");
    for (w, h) in [(80, 24), (120, 36), (200, 50)] {
        let shown = text(&screen(&mut app, w, h));
        assert!(shown.is_ascii(), "{shown}");
    }
}

#[test]
fn every_size_and_state_can_be_drawn() {
    for (w, h) in [
        (80, 24),
        (81, 25),
        (110, 30),
        (139, 33),
        (140, 34),
        (400, 120),
    ] {
        let mut app = found(app());
        for key in ["g s", "Tab", "g m", "g =", "g r", "g s"] {
            press(&mut app, key);
            screen(&mut app, w, h);
        }
        // One position, one depth, no trial.
        let mut few = findings();
        few.measured.truncate(1);
        few.measured[0].scores.truncate(1);
        few.trials.clear();
        app.tabs.lab.known = Some(Known::of(few, 0));
        screen(&mut app, w, h);
        let mut none = findings();
        none.measured.clear();
        none.trials.clear();
        none.without = None;
        app.tabs.lab.known = Some(Known::of(none, 0));
        screen(&mut app, w, h);
    }
}

#[test]
fn keys_set_what_is_asked() {
    let mut app = app();
    app.run("tab-lab");
    screen(&mut app, 80, 24);
    press(&mut app, "l l h");
    assert_eq!(app.tabs.lab.depth, 9);
    press(&mut app, "g +");
    assert_eq!(app.tabs.lab.audit, 8);
    press(&mut app, "g - g -");
    assert_eq!(app.tabs.lab.audit, 32);
    press(&mut app, "g - g - g - g - g - g -");
    assert_eq!(app.tabs.lab.audit, 0);
    press(&mut app, "g - g +");
    assert_eq!(app.tabs.lab.audit, 1024);
    press(&mut app, "g % g c g o g s g r Tab");
    assert!((app.tabs.lab.level - 0.1).abs() < 1e-12);
    assert_eq!(app.tabs.lab.count, 200);
    assert_eq!(app.tabs.lab.positions, Positions::Opened);
    assert_eq!(app.tabs.lab.origin, Origin::Quiescence);
    assert_eq!(app.tabs.lab.tested, Tested::ReverseFutility);
    assert_eq!(app.tabs.lab.panel, LabPanel::Audit);
    // The margin that the rule currently has is shown and selected.
    let word = Algorithm::AlphaBeta.default_options();
    let word = word.word("reverse-futility-margin").to_owned();
    assert_eq!(app.tabs.lab.margins[app.tabs.lab.family].to_string(), word);
    let family = app.tabs.lab.family;
    press(&mut app, "j j j k");
    assert_eq!(app.tabs.lab.family, (family + 2) % FAMILIES.len());
    // There is nothing to fit or to apply.
    let margins = app.tabs.lab.margins;
    press(&mut app, "g m e");
    assert_eq!(app.tabs.lab.margins, margins);
}

#[test]
fn fitted_margins_are_drawn_and_used_in_explore() {
    let mut app = found(app());
    let before = app.tabs.lab.margins;
    press(&mut app, "g m");
    let known = app.tabs.lab.known.as_ref().expect("findings");
    let fitted: Vec<String> = known
        .fits
        .fits
        .iter()
        .map(|f| f.margin.to_string())
        .collect();
    assert_ne!(app.tabs.lab.margins, before);
    let shown = text(&screen(&mut app, 200, 50));
    for word in &fitted {
        assert!(shown.contains(word), "{word}\n{shown}");
    }
    // Whatever algorithm was used before, it is now alpha-beta with this margin.
    assert_eq!(app.cx.config.algorithm, Algorithm::Distress);
    app.cx.config.limits.nodes = Some(500);
    app.tabs.lab.family = 1;
    press(&mut app, "Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::AlphaBeta);
    assert_eq!(app.cx.config.options.word("futility-margin"), fitted[1]);
    assert!(app.cx.session.is_some());
    press(&mut app, "g =");
    assert_eq!(
        app.tabs.lab.margins.map(|m| m.formula()),
        FAMILIES.each_ref().map(|f| f.example)
    );
}

/// A real experiment on the open position, started and stopped with the same key.
#[test]
fn an_experiment_is_begun_and_stopped() {
    let mut app = app();
    app.run("tab-lab");
    // Too deep to end on its own.
    app.tabs.lab.depth = 20;
    press(&mut app, "g o space");
    assert!(app.is_running());
    let shown = text(&screen(&mut app, 80, 24));
    assert!(shown.contains("measuring"), "{shown}");
    press(&mut app, "space");
    let experiment = app.tabs.lab.experiment.as_mut().expect("begun");
    experiment.job.join();
    assert_eq!(experiment.findings().stage, Stage::Stopped);
    // The end of the experiment counts as news until it is drawn.
    assert!(app.has_news());
    assert!(text(&screen(&mut app, 80, 24)).contains("stopped"));
    assert!(!app.has_news());
}

fn wait_for_the_end(app: &mut App) {
    let since = std::time::Instant::now();
    while app.tabs.lab.lab_busy().is_some() || app.tabs.lab.runs.begun.is_some() {
        app.tend();
        assert!(since.elapsed().as_secs() < 120, "no end");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Above every page: the question, what will happen, how long that takes, and the answer.
#[test]
fn an_experiment_says_what_it_will_do_and_what_came_out() {
    let mut app = app();
    app.cx.config.threads = 2;
    app.cx.timeless = false;
    app.run("tab-lab");
    let before = text(&screen(&mut app, 120, 36));
    for part in [
        "Measures up to 100 positions of the samples to depth 8",
        "searching one prune in 16 anyway",
        "Takes about 30 s (not timed on this machine yet).",
        "Which margin errs evenly at every depth?",
        "Not run yet: space runs it.",
        "space measure",
    ] {
        assert!(before.contains(part), "{part}\n{before}");
    }
    app.tabs.lab.count = 1;
    app.tabs.lab.depth = 2;
    app.tabs.lab.audit = 0;
    press(&mut app, "space");
    assert!(app.tabs.lab.runs.begun.is_some());
    wait_for_the_end(&mut app);
    let run = app.tabs.lab.runs.last("margins").expect("a run").clone();
    let open = "No verdict yet: margins were fitted but not tried";
    assert!(
        run.complete && run.figures.len() == 1 && run.figures[0].starts_with(open),
        "{run:?}"
    );
    assert!(run.asked.contains("to depth 2"), "{run:?}");
    let after = text(&screen(&mut app, 120, 36));
    assert!(after.contains(open), "{after}");
}

/// The bar says what a key does now.
#[test]
fn the_bar_follows_what_runs_and_what_is_shown() {
    let mut app = app();
    app.run("tab-lab");
    let bar = |app: &mut App| {
        // A message would hide it.
        app.cx.messages.fresh = false;
        let shown = text(&screen(app, 200, 50));
        shown.lines().last().expect("a bar").to_owned()
    };
    assert!(bar(&mut app).contains("P Playouts"), "{}", bar(&mut app));
    app.tabs.lab.depth = 20;
    press(&mut app, "g o space");
    assert!(bar(&mut app).contains("space stop"), "{}", bar(&mut app));
    press(&mut app, "space");
    wait_for_the_end(&mut app);
    assert!(bar(&mut app).contains("space measure"), "{}", bar(&mut app));
    press(&mut app, "P P");
    assert_eq!(app.tabs.lab.page, tui::tabs::lab::LabPage::Spread);
    assert!(bar(&mut app).contains("Tab toy trees"), "{}", bar(&mut app));
    press(&mut app, "Tab");
    assert!(bar(&mut app).contains("Tab positions"), "{}", bar(&mut app));
}

/// Every page at the three sizes, with a former run.
#[test]
fn pages_show_their_last_run() {
    let mut app = app();
    app.run("tab-lab");
    let run = tui::tabs::lab::runs::Run {
        date: "2026-11-24".to_owned(),
        seed: 1,
        seconds: 75.0,
        pace: 1.2,
        complete: true,
        figures: vec![
            "linear:130 fails least evenly: 0.40 % at depth 1, 3.1 % at depth 6; the control, quadratic:70 at equal savings, 0.90 % to 1.1 %.".to_owned(),
        ],
        ..Default::default()
    };
    app.tabs.lab.runs.note("margins", run).expect("no file");
    picture!("last_run_80x24", app, 80 x 24);
    picture!("last_run_120x36", app, 120 x 36);
}
