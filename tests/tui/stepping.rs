//! Stepping through a real search with keys: the row, the board, the log and the marks follow it.

use crate::tui_support;

use algorithms::Algorithm;
use search::EventKind;
use session::debug::Why;
use session::{Config, State};
use tree::Tree;
use tui::app::App;
use tui::panes::Pane;
use tui::tabs::explore::{HeldBy, OnBoard};
use tui_support::toy::{in_rows, settle, step, wait, waiting};
use tui_support::{look, press, screen, text, text_at};

fn number(app: &App) -> Option<u64> {
    app.cx.explore.debug.stop.as_ref().map(|s| s.number)
}

/// Returns the keys that type a number.
fn typed(number: u64) -> String {
    let digits: Vec<String> = number.to_string().chars().map(String::from).collect();
    digits.join(" ")
}

/// Steps from the start to the first cutoff of `textbook.tree`, at B; returns the number of that event.
fn at_cutoff() -> (App, u64) {
    let mut app = in_rows("textbook.tree");
    step(&mut app, "s");
    assert_eq!(number(&app), Some(1), "from the beginning");
    let at_cut = |app: &App| {
        app.cx
            .explore
            .debug
            .stop
            .as_ref()
            .is_some_and(|s| s.event.kind() == EventKind::Cut)
    };
    for _ in 0..100 {
        if at_cut(&app) {
            break;
        }
        step(&mut app, "s");
    }
    assert!(at_cut(&app));
    let cutoff = number(&app).expect("it stands");
    // The same with a count.
    step(&mut app, "1 g e");
    step(&mut app, &format!("{} s", typed(cutoff - 1)));
    assert_eq!(number(&app), Some(cutoff));
    (app, cutoff)
}

#[test]
fn a_finished_search_is_stepped_through_from_its_beginning() {
    let (mut app, cutoff) = at_cutoff();
    let stop = app.cx.explore.debug.stop.clone().expect("it stands");
    assert_eq!((stop.event.kind(), stop.why), (EventKind::Cut, Why::Step));
    assert_eq!(app.selected_line(), "B");
    let at_event = OnBoard::new(stop.event.node(), HeldBy::Event);
    assert_eq!(app.cx.explore.board_node, Some(at_event));
    // The board says why it does not follow the selection: the user has kept nothing.
    let shown = text_at(&mut app, 200, 50);
    assert!(shown.contains("Min to move (at the event)"), "{shown}");
    assert_eq!(app.cx.explore.debug.line, [Tree::ROOT, stop.event.node()]);
    let shown = look(&mut app);
    let stepped = format!("event {cutoff} · stepped");
    assert!(shown.contains(&stepped), "{shown}");
    assert!(shown.contains("B: cut off after 1 of 3 moves"), "{shown}");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(cutoff));
    // One step back, to the state before it.
    step(&mut app, "b");
    assert_eq!(number(&app), Some(cutoff - 1));
    assert!(!look(&mut app).contains("cut off"));
    step(&mut app, &format!("{} b", typed(cutoff - 2)));
    assert_eq!(number(&app), Some(1));
}

#[test]
fn a_node_that_is_entered_and_not_left_is_being_searched() {
    let (mut app, cutoff) = at_cutoff();
    // B after its first leaf, at most three events before the cutoff.
    step(&mut app, "b");
    let words = |app: &mut App| {
        let shown = text(&screen(app, 200, 50)).replace(['│', '\n'], " ");
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(app.selected_line(), "B");
    let shown = words(&mut app);
    assert!(
        shown.contains("window +3 to +∞") || shown.contains("window −∞ to −3"),
        "{shown}"
    );
    assert!(shown.contains("B◎ being searched"), "{shown}");
    assert!(!shown.contains("Not visited yet"), "{shown}");
    // The root, from which it went there.
    press(&mut app, "g g");
    // The inspector's pane, at the right.
    let shown = text(&screen(&mut app, 200, 50));
    let pane = |line: &str| line.chars().skip(144).collect::<String>();
    let told: String = shown
        .lines()
        .map(|l| pane(l).replace('│', " ") + " ")
        .collect();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains(
            "The search is in this node: window −∞ to +∞, 2 plies to go; best so far +3 by A; \
             1 of 3 moves searched (Max's view)."
        ),
        "{shown}"
    );
    // After the cutoff its figures are in the tree.
    step(&mut app, &format!("{} g e", typed(cutoff)));
    assert_eq!(words(&mut app).matches("B◎").count(), 1, "the root");
    // Once the search has left all nodes, no node is being searched.
    step(&mut app, ")");
    assert!(!words(&mut app).contains('◎'));
}

#[test]
fn hits_of_breakpoints_are_kept_until_the_search_goes_another_way() {
    let (mut app, cutoff) = at_cutoff();
    press(&mut app, ": b r e a k space");
    app.paste("on cutoff");
    press(&mut app, "Enter");
    let hits = |app: &App| {
        app.cx
            .explore
            .debug
            .hits
            .iter()
            .copied()
            .collect::<Vec<_>>()
    };
    assert!(hits(&app).is_empty());
    step(&mut app, "1 g e");
    step(&mut app, "r");
    assert_eq!(hits(&app), [cutoff]);
    step(&mut app, "r");
    let both = hits(&app);
    assert!(both.len() <= 2 && both[0] == cutoff);
    step(&mut app, "2 g e");
    assert_eq!(hits(&app), both, "they are there to go to");
    assert!(look(&mut app).contains('▼'));
    press(&mut app, "g g j");
    step(&mut app, "-");
    assert!(hits(&app).is_empty());
}

#[test]
fn one_goes_anywhere_in_time() {
    let (mut app, cutoff) = at_cutoff();
    step(&mut app, "5 g e");
    assert_eq!(number(&app), Some(5));
    step(&mut app, "(");
    assert_eq!(number(&app), None);
    assert!(look(&mut app).contains("before the first event: s steps into the search"));
    step(&mut app, ")");
    let last = app.cx.explore.debug.place.last;
    assert!(last >= cutoff && app.cx.explore.debug.place.now == last);
    // In the log the selected event is the current one.
    look(&mut app);
    press(&mut app, "Tab k k k");
    let wanted = app.cx.explore.debug.log.selected().expect("an event");
    step(&mut app, "g e");
    assert_eq!(
        (number(&app), app.cx.explore.focus),
        (Some(wanted), Pane::Log)
    );
    step(&mut app, "Home");
    assert_eq!(app.cx.explore.debug.place.now, 0);
    step(&mut app, "End");
    assert_eq!(app.cx.explore.debug.place.now, last);
    press(&mut app, "Tab Tab Tab : g o t o space 1 2 Enter");
    settle(&mut app);
    assert_eq!(number(&app), Some(12));
    press(&mut app, "g e t w o Enter");
    let shown = look(&mut app);
    assert!(
        shown.contains("found \"two\", expected the number"),
        "{shown}"
    );
}

#[test]
fn breakpoints_stop_the_search_and_outlive_it() {
    let mut app = in_rows("textbook.tree");
    press(&mut app, "r");
    assert!(look(&mut app).contains("no breakpoint is set"));
    press(&mut app, ": b r e a k space");
    app.paste("on cutoff");
    press(&mut app, "Enter");
    step(&mut app, "r");
    let stop = app.cx.explore.debug.stop.clone().expect("it stands");
    assert_eq!(
        (stop.event.kind(), stop.why),
        (EventKind::Cut, Why::Breakpoint(1))
    );
    let shown = look(&mut app);
    let words = format!("event {} · stopped: breakpoint 1", stop.number);
    assert!(shown.contains(&words), "{shown}");
    app.cx.start_search();
    stopped(&mut app);
    look(&mut app);
    assert_eq!(number(&app), Some(stop.number));
    // The next change of the selected node, with one key.
    step(&mut app, "1 g e");
    press(&mut app, "g g j g w");
    let watched = app.selected_line();
    let shown = look(&mut app);
    assert!(
        shown.lines().any(|l| l.contains(" A ") && l.contains('●')),
        "{shown}"
    );
    step(&mut app, "r");
    assert_eq!(
        app.cx.explore.debug.stop.as_ref().map(|s| s.why),
        Some(Why::Breakpoint(2))
    );
    assert_eq!(watched, "A");
}

#[test]
fn what_changed_is_marked() {
    let (mut app, cutoff) = at_cutoff();
    step(&mut app, "1 g e");
    step(&mut app, &format!("{} g e", typed(cutoff)));
    let shown = look(&mut app);
    let row = shown
        .lines()
        .find(|l| l.contains("▾ B") || l.contains("▸ B"));
    assert!(row.is_some_and(|r| r.contains("new")), "{shown}");
    // Back: the same rows in reverse order.
    step(&mut app, "s s s s");
    let shown = look(&mut app);
    assert!(
        !shown
            .lines()
            .any(|l| l.contains(" B ") && l.contains("new")),
        "{shown}"
    );
}

#[test]
fn what_was_opened_for_the_line_is_closed_again_and_what_the_person_opened_is_not() {
    let (mut app, _) = at_cutoff();
    let open = |app: &App| {
        let rows = app.cx.explore.tree.rows();
        let open = rows.iter().filter(|r| app.cx.explore.tree.is_open(r.node));
        open.count()
    };
    assert_eq!(open(&app), 2, "the root and B");
    press(&mut app, "g g j l");
    assert_eq!((app.selected_line().as_str(), open(&app)), ("A", 3));
    step(&mut app, "4 s");
    assert!(
        app.selected_line().starts_with('C'),
        "{}",
        app.selected_line()
    );
    let reader = app.cx.session.as_ref().expect("a search").reader();
    let named = |name: &str| reader.follow(Tree::ROOT, name).expect("a node");
    assert!(app.cx.explore.tree.is_open(named("A")));
    assert!(!app.cx.explore.tree.is_open(named("B")));
}

/// If there is no room for two trees, the earlier state's tree replaces the present one, but only after the workbench
/// was told.
#[test]
fn going_back_in_little_memory_and_at_once_elsewhere() {
    let mut app = tui_support::app();
    app.cx.config = Config {
        memory: 4 << 20,
        ..Config::new(Algorithm::AlphaBeta)
    };
    app.cx.start_search();
    wait("a full tree", || {
        app.cx.status().is_some_and(|s| s.tree_full)
    });
    press(&mut app, "space");
    wait("a pause", || {
        app.cx.status().is_some_and(|s| s.state == State::Paused)
    });
    press(&mut app, "* * *");
    look(&mut app);
    let (line, nodes) = (app.selected_line(), app.cx.status().map(|s| s.tree_nodes));
    press(&mut app, "1 0 g e");
    assert_eq!(app.selected_line(), line);
    assert_eq!(app.cx.status().map(|s| s.tree_nodes), nodes);
    app.cx.start_search();
    look(&mut app);
    settle(&mut app);
    look(&mut app);
}

#[test]
fn moves_are_left_out_and_let_back_in() {
    let (mut app, _) = at_cutoff();
    press(&mut app, "g g j");
    let name = app.selected_line();
    step(&mut app, "-");
    let excluded = |app: &App| {
        let choices = app.cx.session.as_ref().and_then(|s| s.choices());
        choices.map_or(0, |c| c.excluded(Tree::ROOT).len())
    };
    assert_eq!(excluded(&app), 1);
    let shown = look(&mut app);
    let row = shown.lines().find(|l| l.contains('⊝')).expect("a mark");
    assert!(row.contains(&name), "{shown}");
    // "Only this move": the move is included and all others are excluded in one step.
    step(&mut app, "=");
    assert_eq!(excluded(&app), 2);
    let shown = look(&mut app);
    assert!(
        shown.contains(&format!("only {name} is searched")),
        "{shown}"
    );
    let row = shown.lines().find(|l| l.contains('⊜')).expect("a mark");
    assert!(row.contains(&name), "{shown}");
    step(&mut app, "=");
    assert_eq!(excluded(&app), 0);
    assert!(!look(&mut app).contains(['⊜', '⊝']));
    // Changes from one only move to another, and then tries to exclude that one too, which would leave no move.
    step(&mut app, "=");
    step(&mut app, "j =");
    assert_eq!(excluded(&app), 2);
    step(&mut app, "-");
    assert!(look(&mut app).contains("the last move that is left can't be taken out"));
    assert_eq!(excluded(&app), 2);
    step(&mut app, "=");
    assert_eq!(excluded(&app), 0);
    press(&mut app, "g g -");
    assert!(look(&mut app).contains("choose a move"));
}

/// Sets a breakpoint by typing it.
fn break_at(app: &mut App, text: &str) {
    let keys: Vec<String> = text
        .chars()
        .map(|c| match c {
            ' ' => "space".to_owned(),
            c => c.to_string(),
        })
        .collect();
    press(app, &format!("B a {} Enter Esc", keys.join(" ")));
    assert!(app.cx.explore.debug.has_active_breakpoint(), "{text}");
}

fn at_breakpoint(app: &App) -> Option<usize> {
    match app.cx.explore.debug.stop.as_ref()?.why {
        Why::Breakpoint(n) => Some(n),
        _ => None,
    }
}

/// Waits until the search has stopped or ended.
fn stopped(app: &mut App) {
    wait("a stop", || {
        app.tend();
        app.cx.state() != Some(State::Running)
    });
    app.tend();
}

#[test]
fn every_run_stops_at_a_breakpoint() {
    let mut app = waiting("quiet-middlegame.fen", Algorithm::AlphaBeta);
    break_at(&mut app, "on cutoff");
    assert!(!app.cx.explore.debug.shown);
    // A free run that has not begun, one that was stopped, and a new one.
    for key in ["space", "space", "x", "space"] {
        let before = number(&app).filter(|_| key == "space").unwrap_or(0);
        press(&mut app, key);
        stopped(&mut app);
        assert_eq!(at_breakpoint(&app), Some(1), "after {key}");
        assert!(number(&app) > Some(before) && app.cx.explore.debug.shown);
        let stop = app.cx.explore.debug.stop.as_ref().expect("a stop");
        assert_eq!(stop.event.kind(), EventKind::Cut);
    }
    // One that is off stops nothing.
    press(&mut app, "B space Esc space");
    stopped(&mut app);
    assert!(matches!(app.cx.state(), Some(State::Finished(_))));
}

#[test]
fn a_breakpoint_that_is_set_while_the_search_runs_stops_it() {
    for threads in [1, 2] {
        let mut app = waiting("quiet-middlegame.fen", Algorithm::Distress);
        app.cx.config.limits = search::Limits::default();
        app.cx.config.threads = threads;
        press(&mut app, "x");
        wait("a tree", || {
            app.cx.status().is_some_and(|s| s.totals.nodes > 2_000)
        });
        break_at(&mut app, "on expand");
        settle(&mut app);
        stopped(&mut app);
        assert_eq!(at_breakpoint(&app), Some(1), "{threads} threads");
        // Started anew, it stops at the first of them: nothing happens before the breakpoints are set.
        press(&mut app, "x");
        settle(&mut app);
        stopped(&mut app);
        if threads == 1 {
            let first = number(&app);
            press(&mut app, "x");
            stopped(&mut app);
            assert_eq!(number(&app), first);
        }
        assert_eq!(at_breakpoint(&app), Some(1), "{threads} threads, anew");
    }
}

#[test]
fn a_run_with_breakpoints_still_pauses_at_its_limit_and_by_hand() {
    let mut app = waiting("quiet-middlegame.fen", Algorithm::Distress);
    app.cx.config.limits = search::Limits::default();
    app.cx.node_limit = Some(3_000);
    break_at(&mut app, "when visits >= 1000000");
    press(&mut app, "x");
    stopped(&mut app);
    let nodes = app.cx.status().map_or(0, |s| s.totals.nodes);
    assert!((3_000..4_000).contains(&nodes), "{nodes}");
    assert_eq!(at_breakpoint(&app), None);
    app.cx.node_limit = None;
    press(&mut app, "x space");
    stopped(&mut app);
    assert_eq!(app.cx.state(), Some(State::Paused));
}

#[test]
fn moves_that_a_program_tells_later_get_their_rows() {
    let trace = tui_support::root().join("tests/fixtures/open_trace/toy_alpha_beta.plytrace");
    let document = games::Document::open(&trace).expect("a trace");
    let mut app = tui_support::toy::searched(document, Algorithm::DEFAULT, false);
    look(&mut app);
    // Nobody knows the moves of the program's game before it tells them.
    step(&mut app, "1 g e");
    let shown = look(&mut app);
    assert!(!shown.contains(" a "), "{shown}");
    step(&mut app, "1 0 s");
    let shown = look(&mut app);
    for row in ["· a ", "· b ", "· c ", "· d "] {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
}

/// Where there is no room for a second tree, the one that is shown is replaced at once by a smaller one. Nothing on the screen may
/// still mean a node of the old tree.
#[test]
fn going_back_without_room_for_a_second_tree_leaves_a_screen() {
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        for memory in [24u64, 32, 40] {
            let read = game::load::fen::parse(KIWIPETE).expect("a position");
            let config = Config {
                threads: 1,
                ..Config::new(algorithm).within(memory << 20)
            };
            let most = config.memory;
            let document = games::Document::of_fen("kiwipete", read);
            let mut app = tui_support::workbench(document, config, false);
            app.cx.start_search();
            let bytes = |app: &App| app.cx.status().map_or(0, |status| status.tree_bytes);
            // More than half of it, so that a second one has no room, and not all.
            wait("a tree", || {
                app.tend();
                look(&mut app);
                bytes(&app) > most * 6 / 10
            });
            press(&mut app, "space O");
            look(&mut app);
            step(&mut app, "s");
            look(&mut app);
            step(&mut app, "5 s");
            look(&mut app);
            let selected = app.selected_line();
            press(&mut app, "b");
            // What the loop does: a turn, a frame, and sometimes a key between.
            for key in ["", "j", "", "k", "", "j"] {
                app.tend();
                if !key.is_empty() {
                    press(&mut app, key);
                }
                look(&mut app);
            }
            settle(&mut app);
            let shown = look(&mut app);
            assert!(
                shown.contains("of "),
                "{algorithm:?} {memory} {selected}: {shown}"
            );
        }
    }
}
