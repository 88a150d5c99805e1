//! All parts of the screen show the same snapshot: a search stopped in the middle of an iteration shows nothing
//! contradictory.

use crate::tui_support;

use std::collections::BTreeSet;
use std::time::Duration;

use algorithms::Algorithm;
use common::{KIWIPETE, chess};
use games::Document;
use report::why;
use search::Event;
use session::debug::Step;
use session::{Config, Session, Subject};
use tree::{NodeId, Tree};
use tui_support::toy::{searched, settle};
use tui_support::{press, screen, text};

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

fn step(session: &mut Session, times: u32) {
    session.step(Step::Into, times);
    loop {
        session.tend();
        if !session.is_stepping() {
            break;
        }
        std::thread::sleep(Duration::from_micros(50));
    }
    session.tend();
}

/// Returns, from the events, the nodes already left in the current iteration, if that is not finished, and its depth.
fn left_since(session: &Session) -> Option<(u16, BTreeSet<NodeId>)> {
    session.with_log(|log| {
        let mut left = BTreeSet::new();
        for (_, event) in log.iter().rev() {
            match *event {
                Event::Iteration { depth } => return Some((depth, left)),
                // Everything is shown as this iteration left it.
                Event::IterationDone { depth, .. } => return Some((depth, BTreeSet::new())),
                // What the table knows is left at once.
                Event::Leave { node, .. } | Event::TableHit { node, .. } => {
                    left.insert(node);
                }
                _ => {}
            }
        }
        None
    })
}

#[test]
fn moves_are_ahead_that_were_left_in_an_iteration_which_the_root_was_not() {
    let (mut compared, mut ahead) = (0, 0);
    for fen in [KIWIPETE, QUIET] {
        let config = Config {
            limits: common::nodes(60_000),
            memory: 256 << 20,
            table: 4 << 20,
            ..Config::new(Algorithm::AlphaBeta)
        };
        let mut session = Session::start_paused(Subject::from(chess(fen)), config);
        for chunk in 1..60 {
            step(&mut session, 40 * chunk);
            let reader = session.reader();
            let path = reader.best_line(Tree::ROOT);
            for &at in [Tree::ROOT].iter().chain(&path) {
                let most = reader.nodes_shown(at);
                for child in reader.tree.children(at) {
                    assert!(reader.nodes_shown(child) <= most, "{fen} {chunk}");
                }
            }
            let Some((depth, left)) = left_since(&session) else {
                continue;
            };
            let first = reader.tree.view(Tree::ROOT).iteration == 0;
            // A move that has taken the lead in the iteration brings those before it up to date.
            let whole = reader.tree.last_step().is_none_or(|(_, whole)| whole);
            for child in reader.tree.children(Tree::ROOT) {
                let expected = left.contains(&child) && !first;
                let is_ahead = reader.is_ahead(child);
                let agrees = is_ahead == expected || !whole && !is_ahead;
                assert!(agrees, "{fen} {chunk} {depth}: {is_ahead}");
                compared += 1;
                ahead += usize::from(expected);
            }
            let unfinished = reader.unfinished().is_some_and(|u| !u.is_first);
            let sentence = why::why_node(&reader, Tree::ROOT);
            assert_eq!(sentence.contains("unfinished"), unfinished, "{sentence}");
        }
    }
    println!("{compared} moves, {ahead} of them ahead");
    assert!(compared > 1_000 && ahead > 50, "{compared} {ahead}");
}

/// Returns the number after a name in a row, without the sign of a bound.
fn score_after(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(name)?;
    // Before the score there may be the move's part.
    let words = rest.split_whitespace().take(2);
    let mut scores = words.map(|word| word.trim_start_matches(['≤', '≥']));
    let score = scores.find(|word| word.starts_with(['+', '−', '#']))?;
    Some(score.to_owned())
}

/// In every frame, the root's value is that of its best move.
#[test]
fn the_best_move_has_the_roots_value_in_every_frame() {
    let mut app = searched(
        Document::position("a middlegame", chess(QUIET).position),
        Algorithm::AlphaBeta,
        false,
    );
    let (mut frames, mut ahead) = (0, 0);
    for event in (50..1_500).step_by(29) {
        let digits: Vec<String> = event.to_string().chars().map(String::from).collect();
        press(&mut app, &format!("{} g e", digits.join(" ")));
        settle(&mut app);
        press(&mut app, "*");
        for (width, height) in [(200, 50), (80, 24)] {
            let screen = text(&screen(&mut app, width, height));
            let rows = screen.lines().filter(|line| line.starts_with('│'));
            // The heading has the values that are marked through all rows.
            let rows = rows.filter(|line| !line.contains(" move "));
            let rows: Vec<&str> = rows.collect();
            let root = rows.iter().find_map(|row| score_after(row, "position "));
            let best = rows.iter().find_map(|row| score_after(row, "★ "));
            let (Some(root), Some(best)) = (root, best) else {
                continue;
            };
            assert_eq!(root, best, "event {event}:\n{screen}");
            frames += 1;
            ahead += usize::from(screen.contains('⟳'));
        }
    }
    println!("{frames} frames, {ahead} with moves ahead");
    assert!(frames > 30 && ahead > 5, "{frames} {ahead}");
}
