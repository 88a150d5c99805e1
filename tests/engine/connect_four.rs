//! Connect Four, a game that plyscope does not know: everything that works with chess and toy trees also works with it,
//! and what the algorithms find near the end of a game is true.

mod game;

use std::ops::ControlFlow;

use game::ConnectFour;
use plyscope::engine::breakpoint::Breakpoint;
use plyscope::engine::debug::Step;
use plyscope::engine::{Config, Session, Subject, TraceRequest, trace};
use plyscope::game::{Game, Situation};
use plyscope::report::event::json::EventJson;
use plyscope::report::event::sentence;
use plyscope::report::text::Style;
use plyscope::report::tree::{self, Extent, Selection};
use plyscope::report::why::why_node;
use plyscope::search::{ALGORITHMS, Algorithm, Limits};
use plyscope::tree::Tree;
use plyscope::tui::panes::tree::Explorer;

/// Positions with twelve empty cells, reached by pseudo-random moves.
fn late_positions(count: usize) -> Vec<ConnectFour> {
    let mut random = 1u64;
    let mut number = move |below: usize| {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (random >> 33) as usize % below
    };
    let game = || {
        let mut position = ConnectFour::default();
        while position.all().count_ones() < 30 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.play(moves[number(moves.len())]);
        }
        (!position.is_lost()).then_some(position)
    };
    std::iter::repeat_with(game).flatten().take(count).collect()
}

fn config(algorithm: Algorithm, nodes: u64) -> Config {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    Config {
        limits,
        memory: 64 << 20,
        ..Config::new(algorithm)
    }
}

#[test]
fn what_the_algorithms_find_near_the_end_is_true() {
    let mut seen = [0; 3];
    for position in late_positions(30) {
        let truth = position.minimax();
        seen[(truth + 1) as usize] += 1;
        for row in &ALGORITHMS {
            let subject = Subject::from(Situation::new(position));
            let mut session = Session::start(subject, config(row.algorithm, 100_000));
            session.join();
            let summary = session.summary();
            let found = summary.score.score.expect("a score").raw().signum();
            let what = format!("{} {position:?}: {:?}", row.name, summary.score);
            assert_eq!(i32::from(found), truth, "{what}");
            let best = session.best_to_play().expect("a move");
            let mut after = position;
            after.play(best.0 as u8);
            assert_eq!(-after.minimax(), truth, "{what}");
            assert!(truth == 0 || summary.score.proof.is_certain(), "{what}");
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn every_face_of_a_search_shows_the_game() {
    let start = Subject::from(Situation::new(ConnectFour::default()));
    for row in &ALGORITHMS {
        let config = config(row.algorithm, 3_000);
        let mut session = Session::start_paused(start.clone(), config.clone());
        let breakpoint = Breakpoint::parse("on enter under \"4 4\"", &start).expect("a breakpoint");
        session.set_breakpoints([(1, breakpoint)]);
        session.step(Step::ToBreak, 1);
        while session.is_stepping() {
            session.tend();
        }
        let at = session.standing().expect("at the breakpoint").number;
        session.step_back(1);
        while session.is_stepping() {
            session.tend();
        }
        assert_eq!(session.event_position().now, at - 1);
        session.resume();
        session.join();
        let reader = session.reader();
        let rows = reader.rows_best_first(Tree::ROOT);
        assert_eq!(rows.len(), 7);
        assert_eq!(
            reader
                .numbered(rows[0].id.node().expect("a node"))
                .as_deref(),
            Some(&*rows[0].label)
        );
        let mut explorer = Explorer::default();
        explorer.refresh(reader, false);
        assert_eq!(explorer.rows().len(), 8);
        let selection = Selection::new(
            &reader,
            Tree::ROOT,
            Extent {
                max_nodes: 50,
                max_ply: 4,
            },
        );
        assert!(
            tree::text(&reader, &selection, Style::default())
                .lines()
                .count()
                >= 8
        );
        let json = serde_json::to_string(&tree::json(&reader, &selection)).expect("JSON");
        assert!(json.contains("\"4\""), "{json}");
        let mut sentences = 0;
        let traced = trace(
            &start,
            &config,
            &TraceRequest::default(),
            || false,
            &mut |n, event, reader| {
                serde_json::to_value(EventJson::new(reader, n, event, Style::default()))
                    .expect("JSON");
                sentences += usize::from(!sentence(reader, event).is_empty());
                ControlFlow::Continue(())
            },
        );
        assert_eq!(traced.expect("a thread").written, sentences as u64);
        assert!(why_node(&reader, rows[0].id.node().expect("a node")).ends_with('.'));
    }
}
