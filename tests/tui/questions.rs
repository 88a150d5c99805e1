//! The Lab's page on the sources' questions: every question is asked with few positions, and its answer is read, scrolled, kept
//! and written.

use crate::tui_support;

use session::jobs::JobState;
use tui::app::App;
use tui::tabs::lab::LabPage;
use tui::tabs::lab::questions::Setting;
use tui::tabs::lab::sources::ALL;
use tui_support::{app, app_with, click, find, press, screen, text, text_at};

fn shown(mut app: App) -> App {
    app.run("tab-lab");
    press(&mut app, "g P");
    app
}

/// Asks the question that is shown of very little.
fn ask(app: &mut App) {
    *app.tabs.lab.questions.setting_mut() = Setting {
        count: 1,
        nodes: 200,
    };
    press(app, "space");
    app.tabs.lab.questions.asking_mut().join();
    app.tend();
    text_at(app, 80, 24);
}

#[test]
fn questions_are_chosen() {
    let mut app = shown(app());
    assert_eq!(app.tabs.lab.page, LabPage::Questions);
    picture!("questions_empty_80x24", app, 80 x 24);
    picture!("questions_empty_200x50", app, 200 x 50);
    for question in ALL.iter().skip(1) {
        press(&mut app, "Tab");
        let shown = text_at(&mut app, 120, 36);
        assert!(shown.contains(question.question), "{shown}");
        assert!(shown.contains(&format!("plyscope lab {}", question.name)));
    }
    press(&mut app, "P");
    assert_eq!(app.tabs.lab.page, LabPage::Futility);
    press(&mut app, "g P Tab Tab Shift-Tab");
    assert_eq!(app.tabs.lab.questions.question().name, "walks");
    let shown = text_at(&mut app, 120, 36);
    let (x, y) = find(&shown, "maximum");
    click(&mut app, x, y);
    assert_eq!(app.tabs.lab.questions.question().name, "maximum");
}

#[test]
fn keys_set_what_is_asked() {
    let mut app = shown(app());
    press(&mut app, "g n g c");
    let setting = app.tabs.lab.questions.setting();
    assert_eq!((setting.count, setting.nodes), (400, 10_000));
    // Where no nodes are asked for, the key changes nothing.
    press(&mut app, "Tab Tab g n g c");
    let setting = app.tabs.lab.questions.setting();
    assert_eq!((setting.count, setting.nodes), (100, 0));
}

/// Every experiment runs, and what comes out is what the command line prints.
#[test]
fn every_question_is_answered() {
    let mut app = shown(app());
    for question in &ALL {
        assert_eq!(app.tabs.lab.questions.question().name, question.name);
        ask(&mut app);
        let asking = app.tabs.lab.questions.asking();
        let progress = asking.job().map(|job| job.progress());
        assert_eq!(progress.map(|p| p.0), Some(JobState::Done));
        let answer = asking.answer.as_ref().expect("an answer");
        let object = report::sheet::Report::object(answer);
        assert_eq!(object["experiment"], question.name);
        assert_eq!(object["complete"], true);
        assert_eq!(object["question"], question.question);
        let head = answer.sheet.blocks[0].title.clone();
        let screen = text_at(&mut app, 200, 50);
        assert!(screen.contains(&head), "{head}\n{screen}");
        assert!(!screen.contains("INTERRUPTED"), "{screen}");
        press(&mut app, "Tab");
    }
    // All of them are still there, and what came out is kept.
    press(&mut app, "Tab");
    assert!(app.tabs.lab.questions.asking().answer.is_some());
    for question in &ALL {
        let last = app.tabs.lab.runs.last(question.name);
        assert!(last.is_some_and(|run| run.complete), "{}", question.name);
    }
}

#[test]
fn results_are_scrolled_and_fit() {
    let mut app = shown(app());
    ask(&mut app);
    picture!("questions_80x24", app, 80 x 24);
    let before = text_at(&mut app, 80, 24);
    press(&mut app, "j j");
    assert_eq!(app.tabs.lab.questions.top, 2);
    press(&mut app, "PgDn PgDn PgDn PgDn PgDn PgDn");
    let end = text_at(&mut app, 80, 24);
    let top = app.tabs.lab.questions.top;
    press(&mut app, "k");
    assert_eq!(app.tabs.lab.questions.top, top - 1, "{end}");
    press(&mut app, "9 9 k");
    assert_eq!(text_at(&mut app, 80, 24), before);
    let mut app = shown(app_with("dark", ::screen::theme::Depth::None, true));
    ask(&mut app);
    let shown = text(&screen(&mut app, 120, 36));
    assert!(shown.is_ascii(), "{shown}");
}

/// A stopped experiment keeps what it found and says that something is missing.
#[test]
fn a_question_is_stopped() {
    let mut app = shown(app());
    press(&mut app, "Tab Tab");
    app.tabs.lab.questions.setting_mut().count = 200;
    press(&mut app, "space");
    let others = text_at(&mut app, 120, 36);
    assert!(others.contains("running"), "{others}");
    press(&mut app, "Tab space");
    let said = text_at(&mut app, 120, 36);
    assert!(said.contains("Questions (maximum) has the cores"), "{said}");
    press(&mut app, "Shift-Tab space");
    app.tabs.lab.questions.asking_mut().join();
    let shown = text_at(&mut app, 120, 36);
    assert!(shown.contains("INTERRUPTED"), "{shown}");
    assert!(app.tabs.lab.lab_busy().is_none());
}

/// As long as the last answer is being worked out the workbench does not come to rest.
#[test]
fn the_screen_waits_for_the_last_answer() {
    let mut app = shown(app());
    press(&mut app, "Shift-Tab Shift-Tab");
    assert_eq!(app.tabs.lab.questions.question().name, "playouts");
    app.tabs.lab.questions.setting_mut().count = 40;
    press(&mut app, "space");
    while app.is_running() {
        app.tend();
        text_at(&mut app, 80, 24);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let answer = app.tabs.lab.questions.asking().answer.as_ref();
    let answer = report::sheet::Report::object(answer.expect("an answer"));
    assert_eq!(answer["complete"], true);
    assert!(text_at(&mut app, 120, 36).contains("40 of 40 positions"));
}
