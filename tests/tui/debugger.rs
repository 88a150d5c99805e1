//! The debugger's display for a search recorded by hand: the current event, the log, the scrubber, the breakpoints.

use crate::tui_support;

use algorithms::Algorithm;
use crossterm::event::{MouseButton, MouseEventKind};
use game::{Score, Situation};
use screen::theme::Depth;
use search::{Estimate, Event};
use session::Subject;
use session::debug::{EventPosition, Log, Standing, Why};
use tree::{Bound, Tree};
use tui::app::App;
use tui::panes::Pane;
use tui::source::{Record, Still};
use tui_support::{alpha_beta, app, app_with, distress, mouse, press, screen, text_at};

/// The number of the first event in the log, and of those to which one can step back and forward.
const FIRST: u64 = 4_700;
const FURTHEST: u64 = 12_345;

/// A search stopped at the last cutoff of the depth-first tree.
fn at_cutoff() -> Still {
    let mut still = alpha_beta();
    let tree = &still.tree;
    let mut events = vec![Event::Iteration { depth: 7 }];
    for child in tree.children(Tree::ROOT) {
        events.push(Event::Enter {
            node: child,
            alpha: Score::new(-36),
            beta: Score::new(-35),
            depth: 6,
        });
        for reply in tree.children(child) {
            let n = tree.node(reply);
            if n.fate().is_skip() {
                events.push(Event::Prune {
                    parent: child,
                    m: n.move_code(),
                    fate: n.fate(),
                });
            }
        }
        events.push(Event::Cut {
            node: child,
            fate: tree.node(child).fate(),
        });
    }
    still.record = Some(record(events, Why::Breakpoint(1)));
    still
}

/// A search stopped in the middle of the first move's second reply. Neither that node nor its parent, which has figures
/// of an earlier iteration, has been left.
fn in_a_node() -> Still {
    let mut still = alpha_beta();
    let tree = &still.tree;
    let child = tree.children(Tree::ROOT).next().expect("moves");
    let replies: Vec<_> = tree.children(child).collect();
    let enter = |node, alpha, beta, depth| Event::Enter {
        node,
        alpha,
        beta,
        depth,
    };
    let back_up = |node, child, score: i32| Event::BackUp {
        node,
        child,
        worth: None,
        before: None,
        after: Estimate::point(tree.scale().expected(Score::new(score))),
    };
    let events = vec![
        Event::Iteration { depth: 8 },
        enter(Tree::ROOT, Score::MIN, Score::MAX, 8),
        enter(child, Score::MIN, Score::new(95), 7),
        Event::Expand {
            node: child,
            moves: 30,
        },
        enter(replies[0], Score::MIN, Score::MAX, 6),
        Event::Leave {
            node: replies[0],
            score: Score::new(41),
            bound: Bound::Exact,
        },
        back_up(child, replies[0], -41),
        enter(replies[1], Score::new(41), Score::new(42), 6),
        Event::Evaluate {
            node: replies[1],
            value: Score::new(17),
            mean: game::Scale::Logistic.expected(Score::new(17)),
            sd: None,
        },
    ];
    still.record = Some(record(events, Why::Step));
    still
}

/// A search stopped at a back-up of the best-first tree.
fn at_back_up() -> Still {
    let mut still = distress();
    let tree = &still.tree;
    let child = tree.children(Tree::ROOT).next().expect("moves");
    let estimate = |mean, sd| Estimate { mean, sd: Some(sd) };
    let events = vec![
        Event::Expand {
            node: child,
            moves: 31,
        },
        Event::BackUp {
            node: Tree::ROOT,
            child,
            worth: Some(0.31),
            before: Some(estimate(0.12, 0.21)),
            after: estimate(0.17, 0.18),
        },
    ];
    still.record = Some(record(events, Why::Step));
    still
}

fn record(events: Vec<Event>, why: Why) -> Record {
    let number = FIRST + events.len() as u64 - 1;
    let event = events.last().expect("events").clone();
    Record {
        log: Log::of(FIRST, events),
        standing: Standing { number, event, why },
        place: EventPosition {
            first: 0,
            now: number,
            last: FURTHEST,
            under_way: None,
        },
    }
}

fn stepping(still: Still) -> App {
    let mut app = app();
    show(&mut app, still);
    app
}

fn in_ascii(still: Still) -> App {
    let mut app = app_with("dark", Depth::True, true);
    show(&mut app, still);
    app
}

fn show(app: &mut App, still: Still) {
    app.cx.config = still.config.clone();
    press(app, "D B a");
    app.paste("on cutoff");
    press(app, "Enter Esc");
    app.cx.messages.fresh = false;
    app.show_still(still);
}

#[test]
fn stopped_at_a_cutoff() {
    let mut app = stepping(at_cutoff());
    picture!("stopped_80x24", app, 80 x 24);
    picture!("stopped_120x36", app, 120 x 36);
    picture!("stopped_200x50", app, 200 x 50);
    let small = text_at(&mut app, 80, 24);
    assert!(small.contains("event 4,748 · breakpoint 1"), "{small}");
    let wide = text_at(&mut app, 200, 50);
    assert!(
        wide.contains("event 4,748 · stopped: breakpoint 1 (on cutoff)"),
        "{wide}"
    );
    for shown in [&small, &wide] {
        assert!(shown.contains("9.Nb1: cut off after 1 of"), "{shown}");
        assert!(shown.contains("12,345"), "{shown}");
    }
    // The row and the board have followed.
    assert_eq!(app.selected_line(), "9.Nb1");
    assert!(wide.contains("9. Black to move"), "{wide}");
}

#[test]
fn in_the_middle_of_a_node() {
    let mut app = stepping(in_a_node());
    let first = app
        .cx
        .explore
        .debug
        .stop
        .clone()
        .expect("it stands")
        .event
        .node();
    // Entered for the first time, so there are no figures yet.
    picture!("in_a_node_80x24", app, 80 x 24);
    picture!("in_a_node_200x50", app, 200 x 50);
    let shown = text_at(&mut app, 200, 50);
    let one_line = shown.replace(['│', '\n'], " ");
    let words = one_line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("B◎ being searched"), "{shown}");
    assert!(!words.contains("Not visited"), "{shown}");
    assert!(app.cx.explore.debug.visit(first).is_some());
    // Its parent has figures of an earlier iteration and is being searched again.
    press(&mut app, "h");
    picture!("in_a_node_again_80x24", app, 80 x 24);
    picture!("in_a_node_again_200x50", app, 200 x 50);
    let shown = text_at(&mut app, 80, 24);
    let row = shown.lines().find(|l| l.contains("▾ dxc5"));
    assert!(row.is_some_and(|r| r.contains("X◎ dxc4 refut")), "{shown}");
    press(&mut app, "Tab Tab");
    assert_eq!(app.cx.explore.focus, Pane::Inspector);
    picture!("in_a_node_inspector_80x24", app, 80 x 24);
    // The sentence goes on below.
    press(&mut app, "k k");
    let shown = text_at(&mut app, 80, 24).replace(['│', '┃', '\n'], " ");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "The search is in this node again: window −0.95 to +∞, 7 plies to go; best so far +0.41 by \
                    dxc4; 1 of 30 moves searched (White's view). Before,";
    assert!(words.contains(sentence), "{words}");
    // In ASCII characters.
    let mut app = in_ascii(in_a_node());
    text_at(&mut app, 80, 24);
    press(&mut app, "h");
    let small = text_at(&mut app, 80, 24);
    assert!(small.contains("B@"), "{small}");
    assert!(small.contains("X@"), "{small}");
}

#[test]
fn hits_of_breakpoints_stay_in_the_scrubber() {
    let mut app = stepping(at_cutoff());
    let hit = app.cx.explore.debug.stop.clone().expect("it stands").number;
    assert_eq!(
        app.cx
            .explore
            .debug
            .hits
            .iter()
            .copied()
            .collect::<Vec<_>>(),
        [hit]
    );
    // The handle covers the last one; the others are visible.
    app.cx
        .explore
        .debug
        .hits
        .extend([900, 6_000, 6_001, FURTHEST + 5]);
    picture!("hits_80x24", app, 80 x 24);
    picture!("hits_200x50", app, 200 x 50);
    let shown = text_at(&mut app, 80, 24);
    let track = shown.lines().find(|l| l.ends_with("12,345")).expect("it");
    assert_eq!(track.matches('▼').count(), 2, "{track}");
    let mut app = in_ascii(at_cutoff());
    app.cx.explore.debug.hits.insert(900);
    let shown = text_at(&mut app, 80, 24);
    let track = shown.lines().find(|l| l.ends_with("12,345")).expect("it");
    assert_eq!(track.matches('*').count(), 1, "{track}");
    press(&mut app, "? Tab Tab End");
    let shown = text_at(&mut app, 100, 60);
    assert!(
        shown.contains("*   in the scrubber: a breakpoint stopped"),
        "{shown}"
    );
    // Another tree has other events.
    app.show_still(at_back_up());
    assert!(app.cx.explore.debug.hits.is_empty());
}

#[test]
fn stopped_at_a_back_up_of_a_best_first_search() {
    let mut app = stepping(at_back_up());
    picture!("back_up_160x40", app, 160 x 40);
    let shown = text_at(&mut app, 160, 40);
    assert!(shown.contains("+0.43 ± 0.77"), "{shown}");
}

#[test]
fn nothing_is_lost_before_anybody_steps() {
    let mut with = app();
    with.show_still(at_cutoff());
    let mut without = app();
    without.show_still(alpha_beta());
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        assert_eq!(
            screen(&mut with, width, height),
            screen(&mut without, width, height)
        );
    }
    press(&mut with, "D");
    assert!(text_at(&mut with, 80, 24).contains("events"));
    press(&mut with, "D");
    assert!(!text_at(&mut with, 80, 24).contains("events"));
}

#[test]
fn the_log_is_walked_found_in_and_filtered() {
    let mut app = stepping(at_cutoff());
    text_at(&mut app, 80, 24);
    let last = FIRST + 48;
    press(&mut app, "Tab");
    assert_eq!(app.cx.explore.focus, Pane::Log);
    assert_eq!(app.cx.explore.debug.log.selected(), Some(last));
    press(&mut app, "k k");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(last - 2));
    press(&mut app, "g g");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(FIRST));
    press(&mut app, "5 j");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(FIRST + 5));
    press(&mut app, "G");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(last));
    // Older events are further up.
    press(&mut app, "/ i t e r a t i o n Enter");
    assert_eq!(app.cx.explore.debug.log.selected(), Some(FIRST));
    press(&mut app, "/ q q q Enter");
    assert!(text_at(&mut app, 80, 24).contains("no event shown has \"qqq\""));
    // A kind alone is also a filter.
    press(&mut app, "Esc f c u t o f f Enter");
    picture!("log_filtered_120x36", app, 120 x 36);
    assert_eq!(app.cx.explore.debug.log.len(), 12);
    press(&mut app, "k Enter");
    assert_eq!(
        (app.cx.explore.focus, app.selected_line()),
        (Pane::Tree, "9.h4".into())
    );
    // From the node to its events, instead of those of all nodes.
    press(&mut app, "L");
    assert_eq!(app.cx.explore.debug.log.len(), 1, "its cutoff");
    press(&mut app, "Esc L");
    let shown = text_at(&mut app, 80, 24);
    assert!(shown.contains("events of h4"), "{shown}");
    assert_eq!(
        app.cx.explore.debug.log.len(),
        4,
        "entered, two moves skipped, cut off"
    );
    press(&mut app, "L");
    assert_eq!(app.cx.explore.debug.log.len(), 49);
}

#[test]
fn breakpoints_are_listed_added_changed_and_taken_away() {
    let mut app = stepping(at_cutoff());
    press(&mut app, "B a o n space f u t Tab Enter");
    assert_eq!(texts(&app), ["on cutoff", "on futility"]);
    press(&mut app, "Esc : b r e a k space");
    app.paste("when visits >= 1000");
    press(&mut app, "Enter");
    assert!(app.cx.overlay.is_none());
    let shown = text_at(&mut app, 80, 24);
    assert!(
        shown.contains("breakpoint 3: when visits >= 1000"),
        "{shown}"
    );
    press(&mut app, "B j space");
    picture!("breakpoints_80x24", app, 80 x 24);
    assert!(!app.cx.explore.debug.breakpoints[1].on);
    press(&mut app, "Enter Ctrl-u");
    app.paste("on prove");
    press(&mut app, "Enter d");
    assert_eq!(texts(&app), ["on cutoff", "when visits >= 1000"]);
    // A breakpoint on the selected node, and its removal.
    press(&mut app, "Esc g w");
    assert_eq!(texts(&app)[2], "changes \"Nb1\"");
    press(&mut app, "g w");
    assert_eq!(app.cx.explore.debug.breakpoints.len(), 2);
}

fn texts(app: &App) -> Vec<&str> {
    app.cx
        .explore
        .debug
        .breakpoints
        .iter()
        .map(|b| b.text.as_str())
        .collect()
}

#[test]
fn a_wrong_breakpoint_is_refused_in_its_place() {
    let mut app = stepping(at_cutoff());
    press(&mut app, "B a");
    app.paste("on cutoff when vists > 3");
    press(&mut app, "Enter");
    let shown = text_at(&mut app, 80, 24);
    let lines: Vec<&str> = shown.lines().collect();
    let at = lines
        .iter()
        .position(|l| l.contains("> on cutoff when vists"))
        .expect("the text");
    let column = |line: &str, what| line.find(what).map(|b| line[..b].chars().count());
    assert_eq!(
        column(lines[at + 1], '^'),
        column(lines[at], 'v'),
        "{shown}"
    );
    assert!(
        shown.contains("found \"vists\": did you mean visits?"),
        "{shown}"
    );
    assert!(shown.contains("visits"), "{shown}");
    picture!("refused_80x24", app, 80 x 24);
    assert_eq!(app.cx.explore.debug.breakpoints.len(), 1);
    // Completion corrects it.
    press(
        &mut app,
        "Left Left Left Left Backspace Backspace Backspace Backspace",
    );
    press(&mut app, "s Tab");
    press(&mut app, "Esc Esc");
    assert_eq!(app.cx.explore.debug.breakpoints.len(), 1);
}

#[test]
fn breakpoints_of_another_position_wait() {
    let mut app = stepping(at_cutoff());
    press(&mut app, "g w");
    let other = game::ChessPosition::default();
    app.cx.subject = Subject::from(Situation::new(other));
    app.cx.config.algorithm = Algorithm::AlphaBeta;
    app.cx.config.options = Algorithm::AlphaBeta.default_options();
    app.cx.start_search();
    assert!(app.cx.explore.debug.breakpoints[0].active().is_some());
    assert!(app.cx.explore.debug.breakpoints[1].active().is_none());
    press(&mut app, "B");
    let shown = text_at(&mut app, 120, 36);
    assert!(
        shown.contains("not here") && shown.contains("changes \"Nb1\""),
        "{shown}"
    );
    app.cx.stop_search();
}

#[test]
fn the_scrubber_is_dragged() {
    let mut app = stepping(at_cutoff());
    let shown = text_at(&mut app, 80, 24);
    let y = shown
        .lines()
        .position(|l| l.ends_with("12,345"))
        .expect("the scrubber") as u16;
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), 3, y);
    assert_eq!(app.cx.explore.debug.dragged, Some(0));
    mouse(&mut app, MouseEventKind::Drag(MouseButton::Left), 79, y);
    assert_eq!(app.cx.explore.debug.dragged, Some(FURTHEST));
    let shown = text_at(&mut app, 80, 24);
    assert!(shown.contains("to 12,345"), "{shown}");
    mouse(&mut app, MouseEventKind::Up(MouseButton::Left), 79, y);
    assert_eq!(app.cx.explore.debug.dragged, None);
}

#[test]
fn every_size_and_sign_is_survived() {
    let mut app = in_ascii(at_cutoff());
    for keys in [
        "j",
        "Tab",
        "k",
        "B",
        "a",
        "o",
        "Esc Esc",
        "Tab",
        "Tab",
        "? Tab Tab End",
    ] {
        press(&mut app, keys);
        for width in [1, 30, 79, 80, 109, 110, 119, 139, 140, 200, 300] {
            for height in [1, 3, 23, 24, 30, 36, 50, 120] {
                let shown = text_at(&mut app, width, height);
                let foreign: String = shown.chars().filter(|c| !c.is_ascii()).collect();
                assert!(foreign.is_empty(), "{keys}: {foreign}\n{shown}");
            }
        }
    }
}
