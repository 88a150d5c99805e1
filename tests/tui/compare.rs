//! The Compare tab: columns, the merged tree, differences, stepping, and opening a column's search in Explore.

use crate::tui_support;

use algorithms::Algorithm;
use crossterm::event::MouseEventKind;
use external::EngineSpec;
use open_trace::Form;
use screen::theme::Depth;
use session::Budget;
use session::debug::Why;
use session::{Config, State, TraceRequest, tell};
use studies::compare::{ColumnSpec, Face, Filter, Order};
use tui::app::App;
use tui::tabs::Tab;
use tui_support::toy::{sample, searched, wait};
use tui_support::{Folder, app_with, click, look, mouse, press, screen, text};

const NODES: u64 = 4_000;

/// A workbench on a fixed position whose columns have spent their nodes.
fn compared(columns: &[&str]) -> App {
    with_signs(columns, false)
}

fn with_signs(columns: &[&str], ascii: bool) -> App {
    let mut app = prepared(columns, ascii);
    app.run("tab-compare");
    finish(&mut app);
    app
}

fn prepared(columns: &[&str], ascii: bool) -> App {
    let mut app = app_with("dark", Depth::True, ascii);
    app.cx.config = Config {
        memory: 64 << 20,
        ..Config::new(Algorithm::Distress)
    };
    let spec = |text: &&str| ColumnSpec::parse(text, &app.cx.config).expect(text);
    app.tabs.compare.specs = columns.iter().map(spec).collect();
    app.tabs.compare.budget = Budget::Nodes(NODES);
    app
}

/// Does what the loop does until all columns have finished or wait.
fn finish(app: &mut App) {
    wait("the columns", || {
        app.tend();
        !app.is_running() && !app.is_stepping()
    });
    app.tabs.compare.outline.touch();
    look(app);
}

/// Does what the loop does until the step is finished.
fn settle(app: &mut App) {
    wait("the step", || {
        app.tend();
        !app.is_stepping() && (0..4).all(|column| app.cx.columns.stepping(column).then.is_none())
    });
    app.tend();
    look(app);
}

/// Returns the moves shown, from the first row on.
fn moves(app: &App) -> Vec<String> {
    let outline = &app.tabs.compare.outline;
    let merged = app.cx.columns.comparison().expect("columns").merged(None);
    let name = |at| merged.line(&outline.path(at).expect("a row"));
    (0..outline.len()).map(name).collect()
}

fn state(app: &App, column: usize) -> State {
    app.cx.faces()[column].expect("a column").status().state
}

#[test]
fn pictures() {
    let mut app = compared(&["alpha-beta", "distress"]);
    screen(&mut app, 80, 24);
    picture!("columns_80x24", app, 80 x 24);
    press(&mut app, "l j P");
    picture!("beliefs_80x24", app, 80 x 24);
    press(&mut app, "P");
    picture!("chart_80x24", app, 80 x 24);
    press(&mut app, "P");
    picture!("columns_200x50", app, 200 x 50);
    press(&mut app, "? Tab Tab Tab");
    picture!("help_100x40", app, 100 x 40);
}

#[test]
fn a_fifth_column_replaces_the_focused_one_and_its_letters_are_no_commands() {
    let mut app = compared(&["alpha-beta", "prob-alpha-beta", "mcts", "distress"]);
    app.tabs.compare.focus_column(1);
    press(&mut app, "A");
    assert!(look(&mut app).contains("replace the focused column"));
    press(&mut app, "m c t s Enter");
    finish(&mut app);
    let names: Vec<String> = app
        .tabs
        .compare
        .specs
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["alpha-beta", "mcts", "mcts", "distress"]);
    assert!(!app.cx.leaving);
}

#[test]
fn pictures_of_three_and_four() {
    let mut app = compared(&["alpha-beta", "mcts", "distress:backup=gumbel:2"]);
    press(&mut app, "l : d e n s i t i e s Enter C");
    screen(&mut app, 120, 36);
    picture!("columns_120x36", app, 120 x 36);
    let mut app = compared(&["alpha-beta", "prob-alpha-beta", "mcts", "distress"]);
    screen(&mut app, 200, 50);
    picture!("four_columns_200x50", app, 200 x 50);
    screen(&mut app, 80, 24);
    picture!("four_columns_80x24", app, 80 x 24);
}

#[test]
fn ascii_is_ascii() {
    let mut app = with_signs(&["alpha-beta", "mcts", "distress"], true);
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        for keys in [
            "l", "j", "P", "P", "P", "Ctrl-n", "S", "Esc f", "Esc A", "Esc T", "Esc",
        ] {
            press(&mut app, keys);
            let picture = text(&screen(&mut app, width, height));
            let foreign: String = picture.chars().filter(|c| !c.is_ascii()).collect();
            assert!(foreign.is_empty(), "{keys}: {foreign}\n{picture}");
        }
    }
}

#[test]
fn every_size_is_survived() {
    let mut app = compared(&["alpha-beta", "prob-alpha-beta", "mcts", "distress"]);
    for keys in [
        "l",
        "j",
        ": d e n s i t i e s Enter",
        "C",
        "P",
        "*",
        "S",
        "Esc",
    ] {
        press(&mut app, keys);
        for width in [1, 79, 80, 81, 109, 110, 159, 160, 240] {
            for height in [1, 23, 24, 25, 31, 50, 120] {
                screen(&mut app, width, height);
            }
        }
    }
}

#[test]
fn the_cores_are_the_columns_while_they_are_shown() {
    let mut app = prepared(&["mcts", "distress"], false);
    app.cx.start_search();
    assert_eq!(app.cx.status().map(|s| s.state), Some(State::Running));
    app.run("tab-compare");
    assert_eq!(app.cx.status().map(|s| s.state), Some(State::Paused));
    assert!(text(&screen(&mut app, 160, 40)).contains("Explore waits"));
    app.run("tab-explore");
    assert_eq!(app.cx.status().map(|s| s.state), Some(State::Running));
    assert!((0..2).all(|column| state(&app, column) != State::Running));
    app.run("tab-compare");
    finish(&mut app);
    for column in 0..2 {
        let nodes = app.cx.faces()[column]
            .expect("a column")
            .status()
            .totals
            .nodes;
        assert!(nodes.abs_diff(NODES) <= 100, "{nodes}");
    }
    // The same position: the results remain.
    let before = moves(&app);
    app.run("tab-game");
    app.run("tab-compare");
    assert!(!app.is_running());
    look(&mut app);
    assert_eq!(moves(&app), before);
}

#[test]
fn columns_come_and_go_and_change() {
    let mut app = prepared(&[], false);
    app.run("tab-compare");
    let names = |app: &App| -> Vec<String> {
        app.tabs
            .compare
            .specs
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(names(&app), ["distress", "alpha-beta"]);
    press(&mut app, "A m c t s Enter");
    assert_eq!(names(&app), ["distress", "alpha-beta", "mcts"]);
    assert_eq!(app.tabs.compare.focus, 2);
    press(&mut app, "A End Enter");
    let type_in = |app: &mut App, what: &str| {
        press(app, "Ctrl-u");
        app.paste(what);
        press(app, "Enter");
    };
    type_in(&mut app, "distress:ties=nonsense");
    assert!(
        look(&mut app).contains("column: distress:ties=nonsense"),
        "refused, and stays"
    );
    type_in(&mut app, "distress:ties=essay");
    assert_eq!(names(&app)[3], "distress:ties=essay");
    press(&mut app, "A");
    assert!(look(&mut app).contains("four are the most"));
    press(&mut app, "Esc");
    press(&mut app, "Delete Enter Tab Delete Enter");
    assert_eq!(names(&app), ["alpha-beta", "mcts"]);
    // The option editor changes the focused column.
    press(&mut app, "Tab a");
    assert!(look(&mut app).contains("prob-alpha-beta"));
    let focus = app.tabs.compare.focus;
    press(&mut app, "Up Tab x");
    assert_ne!(names(&app)[focus], ["alpha-beta", "mcts"][focus]);
    press(&mut app, "Delete Enter Delete");
    assert_eq!(names(&app).len(), 1, "the last one stays");
    assert_eq!(
        app.cx.config.algorithm,
        Algorithm::Distress,
        "Explore's is not touched"
    );
}

#[test]
fn a_budget_is_asked_for_and_checked() {
    let mut app = compared(&["mcts"]);
    press(&mut app, "T Ctrl-u");
    app.paste("5 parsecs");
    press(&mut app, "Enter");
    assert!(look(&mut app).contains("expected 100k nodes"));
    press(&mut app, "Ctrl-u");
    app.paste("1k nodes");
    press(&mut app, "Enter");
    assert_eq!(app.tabs.compare.budget, Budget::Nodes(1_000));
    finish(&mut app);
    let nodes = app.cx.faces()[0].expect("a column").status().totals.nodes;
    assert!(nodes.abs_diff(1_000) <= 100, "{nodes}");
}

#[test]
fn rows_are_sorted_by_any_figure() {
    let mut app = compared(&["alpha-beta", "distress"]);
    press(&mut app, "S m o v e Enter");
    look(&mut app);
    let by_name = moves(&app);
    let mut sorted = by_name.clone();
    sorted.sort();
    assert_eq!(by_name, sorted);
    // A click on a heading sorts by B's score; a second click by disagreement.
    let (x, y) = last_place(&mut app, "pawns   sd");
    click(&mut app, x, y);
    assert_eq!(app.tabs.compare.outline.order(), Order::Expected(1));
    look(&mut app);
    let merged = app.cx.columns.comparison().expect("columns").merged(None);
    let mut rows = merged.rows(&[]);
    rows.sort_by(|a, b| {
        let e = |row: &studies::compare::MergedRow| {
            row.cells[1]
                .as_ref()
                .and_then(|c| c.expected())
                .unwrap_or(-2.0)
        };
        e(b).total_cmp(&e(a))
    });
    assert_eq!(
        app.tabs.compare.outline.path(0),
        Some(vec![rows[0].name.code])
    );
    click(&mut app, x, y);
    assert_eq!(app.tabs.compare.outline.order(), Order::Disagreement);
}

#[test]
fn from_difference_to_difference() {
    let mut app = compared(&["mcts", "distress"]);
    let worst = |app: &App| {
        let merged = app.cx.columns.comparison().expect("columns").merged(None);
        let row = merged
            .row(app.tabs.compare.outline.selected_path())
            .expect("a row");
        row.differences.iter().filter(|found| found.flagged).count()
    };
    let go = |app: &mut App, key: &str| {
        press(app, key);
        (app.tabs.compare.outline.selected_path().to_vec(), look(app))
    };
    let (first, told) = go(&mut app, "Ctrl-n");
    assert!(worst(&app) > 0);
    assert!(told.contains("difference 1 of "), "{told}");
    assert!(
        go(&mut app, "Ctrl-p")
            .1
            .contains("the first flagged difference")
    );
    assert_eq!(app.tabs.compare.outline.selected_path(), first);
    // The smaller ones too, and back.
    press(&mut app, "f a l l space d i f f Enter");
    assert_eq!(app.tabs.compare.outline.filter(), Filter::Noted);
    let mut seen = vec![go(&mut app, "Ctrl-n").0];
    seen.extend((0..5).map(|_| go(&mut app, "Ctrl-n").0));
    for path in seen.iter().rev().skip(1) {
        assert_eq!(go(&mut app, "Ctrl-p").0, *path);
    }
    press(&mut app, "f a l l space m o v e s Enter");
    let all = app.tabs.compare.outline.len();
    press(&mut app, "f f l a g g e d Enter");
    assert_eq!(app.tabs.compare.outline.filter(), Filter::FLAGGED);
    assert!(app.tabs.compare.outline.len() < all && app.tabs.compare.outline.hidden() > 0);
    assert!(look(&mut app).contains("only flagged differences"));
    // The sentence is below the rows, and names the columns where they differ.
    press(&mut app, "g g");
    let names_both = |app: &mut App| {
        let told = look(app).contains("B (distress)");
        press(app, "j");
        told
    };
    assert!((0..30).any(|_| names_both(&mut app)));
}

#[test]
fn all_columns_follow_a_line() {
    let mut app = compared(&["alpha-beta", "distress"]);
    press(&mut app, "Tab");
    let line = {
        let merged = app.cx.columns.comparison().expect("columns").merged(None);
        merged.best_line(1, &[])
    };
    // The row selected at first may be on the line already.
    let here = app.tabs.compare.outline.selected_path().len();
    let on_line = line.starts_with(app.tabs.compare.outline.selected_path());
    let plies = if on_line { here + 3 } else { 3 };
    press(&mut app, "* * *");
    assert_eq!(
        app.tabs.compare.outline.selected_path(),
        &line[..line.len().min(plies)]
    );
    look(&mut app);
    press(&mut app, "h h h h h h");
    assert_eq!(app.tabs.compare.outline.selected_path(), &line[..1]);
    press(&mut app, "/");
    app.paste("cxd5 exd5 dxc5");
    press(&mut app, "Enter");
    assert_eq!(app.tabs.compare.outline.selected_path().len(), 3);
    assert!(look(&mut app).contains("10.dxc5"));
    press(&mut app, "/");
    app.paste("Qxh7");
    press(&mut app, "Enter");
    assert!(look(&mut app).contains("not legal there"));
}

#[test]
fn the_game_is_walked_and_compared() {
    let path = tui_support::root().join("sample-positions/opera-game.pgn");
    let mut app = prepared(&["alpha-beta", "mcts"], false);
    app.open_path(&path);
    app.cx.stop_search();
    app.run("tab-compare");
    press(&mut app, ">");
    assert_eq!(app.cx.ply, 1);
    assert_eq!(app.cx.tab, Tab::Compare);
    finish(&mut app);
    assert!(
        moves(&app).contains(&"1...e5".to_owned()),
        "{:?}",
        moves(&app)
    );
    assert_eq!(
        app.cx.status().map(|s| s.state),
        Some(State::Paused),
        "Explore waits there"
    );
    // A row's position is itself compared.
    press(&mut app, "/");
    app.paste("e5");
    press(&mut app, "Enter p");
    finish(&mut app);
    assert!(
        moves(&app).contains(&"2.Nf3".to_owned()),
        "{:?}",
        moves(&app)
    );
}

#[test]
fn columns_wait_and_go_on() {
    let mut app = prepared(&["mcts", "distress"], false);
    app.tabs.compare.budget = Budget::Unlimited;
    app.run("tab-compare");
    assert!(app.is_running());
    press(&mut app, "space");
    assert!(!app.is_running(), "nothing is drawn for columns that wait");
    press(&mut app, "g space");
    assert_eq!(state(&app, 0), State::Running);
    assert_eq!(state(&app, 1), State::Paused);
    press(&mut app, "g space space");
    assert!((0..2).all(|column| state(&app, column) == State::Running));
    press(&mut app, "space");
    assert!(!app.is_running());
}

#[test]
fn a_column_in_explore_and_back() {
    let mut app = prepared(&["alpha-beta", "distress"], false);
    app.cx.config.algorithm = Algorithm::Mcts;
    app.cx.config.options = Algorithm::Mcts.default_options();
    app.cx.start_search();
    app.run("tab-compare");
    finish(&mut app);
    press(&mut app, "Tab *");
    let path = app.tabs.compare.outline.selected_path().to_vec();
    press(&mut app, "Enter");
    assert_eq!(
        (app.cx.tab, app.cx.columns.lent_column()),
        (Tab::Explore, Some(1))
    );
    assert_eq!(app.cx.config.algorithm, Algorithm::Distress);
    let reader = app.cx.session.as_ref().expect("a search").reader();
    let row = app.cx.explore.tree.selected_row().expect("a row");
    assert_eq!(reader.tree.moves_to(row.node), path);
    press(&mut app, "s");
    wait("the step", || {
        app.tend();
        !app.is_stepping() && app.cx.explore.debug.then.is_none()
    });
    app.run("tab-compare");
    assert_eq!(app.cx.columns.lent_column(), None);
    let Some(Face::Own(session)) = app.cx.faces()[1] else {
        panic!("the column has its search again")
    };
    assert!(session.standing().is_some(), "where it was left");
    assert_eq!(app.cx.config.algorithm, Algorithm::Mcts);
    // Explore's own search is back, unchanged.
    app.run("tab-explore");
    assert_eq!(app.cx.status().map(|s| s.state), Some(State::Running));
    app.run("tab-compare");
    press(&mut app, "Enter x");
    assert_eq!(
        app.cx.columns.lent_column(),
        None,
        "another search gives it back"
    );
    app.run("tab-compare");
    assert!(app.cx.faces().iter().all(Option::is_some));
}

#[test]
fn a_column_is_stepped_through_where_it_stands() {
    let mut app = compared(&["alpha-beta", "distress"]);
    press(&mut app, "Tab s");
    settle(&mut app);
    assert_eq!(app.cx.tab, Tab::Compare);
    assert!(
        app.cx.columns.stepping(0).stop.is_none(),
        "the other one does not"
    );
    let first = app.cx.columns.stepping(1).stop.expect("an event").number;
    press(&mut app, "s");
    settle(&mut app);
    press(&mut app, "s");
    settle(&mut app);
    let third = app.cx.columns.stepping(1).stop.expect("an event").number;
    assert_eq!(third, first + 2);
    assert!(look(&mut app).contains(&format!("event {third}")));
    press(&mut app, "b");
    settle(&mut app);
    assert_eq!(
        app.cx.columns.stepping(1).stop.map(|s| s.number),
        Some(third - 1)
    );
    // Other steps of the debugger apply to Explore's search.
    press(&mut app, "(");
    assert_eq!(app.cx.tab, Tab::Compare);
    assert!(look(&mut app).contains("in Explore"));
    press(&mut app, "space");
    finish(&mut app);
    assert!(matches!(state(&app, 1), State::Finished(_)));
    assert!(
        app.cx
            .columns
            .stepping(1)
            .stop
            .is_none_or(|s| s.number > third)
    );
}

#[test]
fn breakpoints_stop_any_column() {
    let mut app = compared(&["mcts", "alpha-beta"]);
    press(&mut app, "r");
    assert!(look(&mut app).contains("no breakpoint is set"));
    press(&mut app, "B a");
    app.paste("on cutoff");
    press(&mut app, "Enter Esc Tab r");
    settle(&mut app);
    let stop = app.cx.columns.stepping(1).stop.expect("a cutoff");
    assert_eq!(stop.why, Why::Breakpoint(1));
    let picture = look(&mut app);
    assert!(picture.contains("breakpoint 1"), "{picture}");
    assert!(
        matches!(state(&app, 0), State::Finished(_)),
        "the other one stays"
    );
    press(&mut app, "r");
    settle(&mut app);
    assert!(app.cx.columns.stepping(1).stop.expect("another").number > stop.number);
}

/// Neither MCTS search ever comes to a cutoff, so both run to the breakpoint until they are cancelled.
#[test]
fn a_column_is_cancelled_and_not_the_search_in_explore() {
    let mut app = prepared(&["mcts", "alpha-beta"], false);
    app.tabs.compare.budget = Budget::Unlimited;
    app.cx.config.algorithm = Algorithm::Mcts;
    app.cx.config.options = Algorithm::Mcts.default_options();
    app.cx.start_search();
    press(&mut app, "B a");
    app.paste("on cutoff");
    press(&mut app, "Enter Esc r");
    app.run("tab-compare");
    press(&mut app, "r");
    let stepping = |face: Face| matches!(face, Face::Own(session) if session.is_stepping());
    assert!(app.cx.faces()[0].is_some_and(stepping));
    press(&mut app, "Esc");
    wait("the cancelled column", || {
        app.tend();
        app.cx.columns.stepping(0).stop.is_some()
    });
    let explore = app.cx.session.as_ref().expect("a search");
    assert!(explore.is_stepping());
}

#[test]
fn another_program_in_trouble_is_told_and_the_others_go_on() {
    let mut app = prepared(&["mcts"], false);
    let engine = EngineSpec::parse("/nowhere/no-such-engine --quiet").expect("a command");
    app.tabs.compare.specs.push(ColumnSpec::External(engine));
    app.run("tab-compare");
    wait("the trouble", || {
        app.cx.faces()[1].expect("a column").trouble().is_some()
    });
    finish(&mut app);
    press(&mut app, "Tab");
    let picture = look(&mut app);
    assert!(
        picture.contains("in trouble") && picture.contains("no-such-engine"),
        "{picture}"
    );
    assert!(matches!(state(&app, 0), State::Finished(_)));
    for (key, told) in [
        ("s", "can't be stepped"),
        ("Enter", "has told nothing yet"),
        ("a", "configuration"),
    ] {
        press(&mut app, key);
        assert!(look(&mut app).contains(told), "{key}");
        assert_eq!(app.cx.tab, Tab::Compare);
    }
}

/// The last position of a text in the first line that contains it.
fn last_place(app: &mut App, what: &str) -> (u16, u16) {
    let picture = look(app);
    for (y, line) in picture.lines().enumerate() {
        if let Some(at) = line.rfind(what) {
            return (line[..at].chars().count() as u16, y as u16);
        }
    }
    panic!("{what} is not shown\n{picture}");
}

#[test]
fn the_mouse_does_what_keys_do() {
    let mut app = compared(&["alpha-beta", "distress"]);
    let rows = app.tabs.compare.outline.len();
    let (x, y) = last_place(&mut app, "▸ ");
    click(&mut app, x, y);
    look(&mut app);
    assert!(app.tabs.compare.outline.len() > rows, "the mark opens");
    click(&mut app, x + 4, y + 2);
    assert_eq!(app.tabs.compare.outline.selected(), 2);
    let (x, y) = last_place(&mut app, " B  distress");
    click(&mut app, x + 5, y);
    assert_eq!(app.tabs.compare.focus, 1);
    let (x, y) = last_place(&mut app, "on one axis");
    click(&mut app, x, y);
    assert!(text(&screen(&mut app, 80, 24)).contains("on one axis"));
    mouse(&mut app, MouseEventKind::ScrollDown, 20, 12);
    assert_eq!(app.tabs.compare.view.top, 3);
}

/// A file with the trace of alpha-beta on the textbook's tree.
fn trace_of_the_textbook(folder: &Folder) -> String {
    let (_, entry) = sample("textbook.tree").first_entry().expect("a tree");
    let config = Config::new(Algorithm::AlphaBeta);
    let request = TraceRequest::default();
    let told = tell(
        &entry.subject(),
        &config,
        &request,
        || false,
        Vec::new(),
        Form::Lines,
    );
    let path = folder.file().with_extension("plytrace");
    std::fs::write(&path, told.expect("a trace")).expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_trace_is_put_beside_the_place_that_it_is_of() {
    let folder = Folder::new("beside");
    let file = trace_of_the_textbook(&folder);
    let typed: Vec<String> = file.chars().map(String::from).collect();
    let mut app = searched(sample("textbook.tree"), Algorithm::Mcts, false);
    app.run("tab-compare");
    finish(&mut app);
    let names = |app: &App| -> Vec<String> {
        let specs = &app.tabs.compare.specs;
        specs.iter().map(ToString::to_string).collect()
    };
    let before = names(&app);
    press(&mut app, &format!("A End Enter {} Enter", typed.join(" ")));
    finish(&mut app);
    let own = format!("plyscope {} alpha-beta", env!("CARGO_PKG_VERSION"));
    assert_eq!(names(&app), [before.clone(), vec![own]].concat());
    let shown = look(&mut app);
    assert!(
        shown.contains("alpha-beta ■ read           A      +3"),
        "{shown}"
    );
    // At another place it is no search any more.
    app.run("tab-explore");
    app.tabs
        .game
        .open_document(&mut app.cx, sample("wide-and-narrow.tree"));
    app.run("tab-compare");
    finish(&mut app);
    assert_eq!(names(&app), before);
    // A trace of another position is refused.
    press(&mut app, &format!("A End Enter {} Enter", typed.join(" ")));
    let shown = look(&mut app);
    assert!(shown.contains("expected"), "{shown}");
}
