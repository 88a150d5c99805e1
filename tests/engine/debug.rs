//! The debugger: a search that is stepped through, stopped and rewound behaves as if nobody were watching.

use std::time::Duration;

use algorithms::{ALGORITHMS, Algorithm};
use common::{KIWIPETE, any_shape, chess, settle, toy};
use eval::{ChessEvaluator, ToyEvaluator};
use game::Side;
use proptest::prelude::*;
use search::{Event, EventKind, Limits};
use session::breakpoint::Breakpoint;
use session::debug::{CantExclude, News, Standing, Step, Why};
use session::{Config, Session, State, Subject};
use tree::{NodeId, Tree};

const WIN_AT_CHESS: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
const FEW_CAPTURES: &str = "r4rk1/1p3ppp/p2p4/8/4P3/2N5/PPP2PPP/3R1RK1 w - - 0 17";

fn config(algorithm: Algorithm, nodes: u64) -> Config {
    Config {
        limits: common::nodes(nodes),
        memory: 256 << 20,
        // In the order of the recorded runs.
        table: 4 << 20,
        options: algorithm.default_options(),
        ..Config::new(algorithm)
    }
}

fn step(session: &mut Session, step: Step, times: u32) -> Option<Standing> {
    session.step(step, times);
    settle(session);
    session.standing()
}

/// Runs a search to its end without anyone watching.
fn free_run(subject: &Subject, config: &Config) -> Session {
    let mut session = Session::start(subject.clone(), config.clone());
    session.join();
    session
}

/// Returns every event of the search, recorded by a probe that does nothing else.
fn events_of(subject: &Subject, config: &Config) -> Vec<Event> {
    let (algorithm, options) = (config.algorithm, &config.options);
    let (limits, memory) = (config.limits, config.memory);
    let run = if let Some(s) = subject.chess() {
        let evaluator = ChessEvaluator::default();
        common::run(algorithm, &s, &evaluator, options, limits, memory)
    } else {
        let s = subject.downcast().expect("a toy tree");
        let evaluator = ToyEvaluator;
        common::run(algorithm, &s, &evaluator, options, limits, memory)
    };
    run.events
}

fn assert_same(a: &Tree, b: &Tree) {
    if let Some(difference) = a.difference(b) {
        panic!("{difference}");
    }
}

/// Steps through a search in the given portions and back again, and compares everything with an unwatched run.
fn stepping_changes_nothing(subject: &Subject, config: &Config, walk: &[(u8, u32)]) {
    let free = free_run(subject, config);
    let mut whole = Session::start_paused(subject.clone(), config.clone());
    let end = step(&mut whole, Step::Into, u32::MAX).expect("an event");
    assert_eq!(end.why, Why::Ended);
    assert_same(free.tree(), whole.tree());
    assert_eq!(free.status().totals, whole.status().totals);
    let events = events_of(subject, config);
    assert_eq!(end.number, events.len() as u64);
    whole.with_log(|log| {
        for (number, event) in log.iter() {
            assert_eq!(*event, events[number as usize - 1], "event {number}");
        }
    });

    let mut walked = Session::start_paused(subject.clone(), config.clone());
    for &(kind, count) in walk {
        let before = walked.event_position().now;
        match kind {
            0 => walked.step(Step::Into, count),
            1 => walked.step(Step::Over, count % 8 + 1),
            2 => walked.step(Step::Out, count % 3 + 1),
            3 => walked.step_back(u64::from(count)),
            _ => walked.go_to(u64::from(count) * events.len() as u64 / 600),
        }
        settle(&mut walked);
        let place = walked.event_position();
        if kind == 3 {
            assert_eq!(place.now, before.saturating_sub(u64::from(count)));
        }
        if let Some(standing) = walked.standing() {
            assert_eq!(standing.number, place.now);
            let event = &events[place.now as usize - 1];
            assert_eq!(&standing.event, event, "{}, {place:?}", config.algorithm);
        } else {
            assert_eq!(place.now, 0);
        }
        walked.with_log(|log| {
            for (number, event) in log.iter() {
                assert_eq!(*event, events[number as usize - 1], "event {number}");
            }
        });
    }
    // The state here equals that of a run that went straight to this event.
    if walked.standing().is_some_and(|s| s.why == Why::Ended) {
        // After its last event a search still cleans up.
        walked.step_back(1);
        settle(&mut walked);
    }
    let now = walked.event_position().now;
    let mut straight = Session::start_paused(subject.clone(), config.clone());
    straight.go_to(now);
    settle(&mut straight);
    assert_eq!(straight.event_position().now, now);
    assert_same(straight.tree(), walked.tree());
    // And so does the end.
    step(&mut walked, Step::Into, u32::MAX);
    assert_same(free.tree(), walked.tree());
    assert_eq!(walked.event_position().now, events.len() as u64);
}

fn any_walk() -> impl Strategy<Value = Vec<(u8, u32)>> {
    prop::collection::vec((0u8..5, 1u32..600), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn stepping_through_toy_trees_changes_nothing(
        shape in any_shape(5),
        white in any::<bool>(),
        spread in prop_oneof![Just(0.0f32), Just(3.0)],
        nodes in 10u64..400,
        walk in any_walk(),
    ) {
        let side = if white { Side::White } else { Side::Black };
        let subject = Subject::from(toy(&shape, side, spread));
        for row in &ALGORITHMS {
            stepping_changes_nothing(&subject, &config(row.algorithm, nodes), &walk);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn stepping_through_chess_changes_nothing(
        fen in prop_oneof![Just(KIWIPETE), Just(WIN_AT_CHESS)],
        nodes in 500u64..3_000,
        walk in any_walk(),
    ) {
        let subject = Subject::from(chess(fen));
        for row in &ALGORITHMS {
            stepping_changes_nothing(&subject, &config(row.algorithm, nodes), &walk);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn stepping_through_playouts_changes_nothing(
        shape in any_shape(5),
        nodes in 500u64..3_000,
        walk in any_walk(),
    ) {
        let toy = Subject::from(toy(&shape, Side::White, 3.0));
        for subject in [toy, Subject::from(chess(KIWIPETE))] {
            let mut config = config(Algorithm::Mcts, nodes);
            config.options.set("leaf", "playouts").expect("an option");
            config.options.set("differential", "declining").expect("an option");
            stepping_changes_nothing(&subject, &config, &walk);
        }
    }
}

#[test]
fn a_running_search_can_be_stepped_through_and_rewound() {
    for row in &ALGORITHMS {
        let subject = Subject::from(chess(KIWIPETE));
        let mut config = config(row.algorithm, 1);
        config.limits = Limits::default();
        let mut session = Session::start(subject.clone(), config.clone());
        while session.status().totals.nodes < 2_000 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let at = step(&mut session, Step::Into, 1).expect("it stands");
        assert_eq!(at.why, Why::Asked, "{}", row.name);
        assert_eq!(session.status().state, State::Paused);
        let next = step(&mut session, Step::Into, 1).expect("it stands");
        assert_eq!((next.number, next.why), (at.number + 1, Why::Step));
        let before = session.tree().copy();
        step(&mut session, Step::Into, 500);
        session.step_back(500);
        let news = settle(&mut session);
        assert!(news.contains(&News::TreeReplaced), "{}: {news:?}", row.name);
        let again = session.standing().expect("it stands");
        assert_eq!((again.number, again.event), (next.number, next.event));
        assert_same(&before, session.tree());
        session.resume();
        assert_eq!(session.status().state, State::Running);
        session.stop();
    }
}

#[test]
fn several_threads_become_one_at_a_clean_point() {
    for row in &ALGORITHMS {
        let subject = Subject::from(chess(KIWIPETE));
        let mut config = config(row.algorithm, 1);
        config.limits = Limits::default();
        config.threads = 2;
        let mut session = Session::start(subject, config);
        while session.status().totals.nodes < 20_000 {
            std::thread::sleep(Duration::from_millis(1));
        }
        session.step(Step::Into, 1);
        let news = settle(&mut session);
        assert!(news.contains(&News::OneThread), "{}: {news:?}", row.name);
        let at = session.standing().expect("it stands");
        assert_eq!(session.status().threads, 1);
        assert!(session.status().totals.nodes >= 20_000);
        let first = session.event_position().first;
        assert!(first < at.number);
        let before = session.tree().copy();
        step(&mut session, Step::Into, 300);
        session.step_back(300);
        settle(&mut session);
        assert_eq!(session.standing().map(|s| s.number), Some(at.number));
        assert_same(&before, session.tree());
        // Not beyond the point at which it became one.
        session.step_back(u64::MAX);
        let news = settle(&mut session);
        assert!(
            news.contains(&News::AtTheBeginning),
            "{}: {news:?}",
            row.name
        );
        assert_eq!(session.event_position().now, first);
        assert!(step(&mut session, Step::Into, 1).is_some_and(|s| s.number == first + 1));
    }
}

#[test]
fn what_several_threads_finished_is_gone_through_by_one() {
    let subject = Subject::from(chess(KIWIPETE));
    for row in &ALGORITHMS {
        let mut config = config(row.algorithm, 3_000);
        config.threads = 2;
        let mut session = free_run(&subject, &config);
        session.step(Step::Into, 1);
        assert_eq!(settle(&mut session), [News::HasEnded]);
        session.step_back(1);
        assert_eq!(settle(&mut session), [News::NotRepeatable]);
        session.go_to(0);
        let news = settle(&mut session);
        assert_eq!(news, [News::AgainByOne, News::TreeReplaced]);
        assert_eq!(session.event_position().now, 0);
        step(&mut session, Step::Into, u32::MAX);
        config.threads = 1;
        assert_same(free_run(&subject, &config).tree(), session.tree());
    }
}

#[test]
fn a_move_taken_out_is_not_searched_from_there_on_and_going_back_ends_there() {
    let subject = Subject::from(chess(KIWIPETE));
    for row in &ALGORITHMS {
        let mut session = Session::start_paused(subject.clone(), config(row.algorithm, 30_000));
        step(&mut session, Step::Into, 40_000).expect("it stands");
        let best = session
            .tree()
            .node(Tree::ROOT)
            .fate()
            .best()
            .or(session.rows(Tree::ROOT).first().map(|r| r.view.move_code))
            .expect("a move");
        session
            .set_excluded(Tree::ROOT, &[best])
            .expect("there are others");
        let news = settle(&mut session);
        assert!(news.contains(&News::NewBeginning), "{}: {news:?}", row.name);
        assert!(session.choices().excludes(Tree::ROOT, best));
        // Its threads have started when they reach the waiting point.
        common::until(&format!("{}'s pause", row.name), || {
            session.status().state == State::Paused
        });
        let first = session.event_position().first;
        assert_eq!(first, session.event_position().now);
        let out = session.tree().child_by_move(Tree::ROOT, best);
        step(&mut session, Step::Into, 5_000);
        session.with_log(|log| {
            let entered = |e: &Event| matches!(e, Event::Enter { node, .. } if Some(*node) == out);
            let after = log.iter().filter(|(number, _)| *number > first);
            assert!(!after.map(|(_, e)| e).any(entered), "{}", row.name);
        });
        // Run again from the beginning of the segment, it is the same.
        let (standing, before) = (session.standing(), session.tree().copy());
        session.step_back(4_000);
        settle(&mut session);
        step(&mut session, Step::Into, 4_000);
        assert_eq!(
            session.standing().map(|s| s.event),
            standing.map(|s| s.event)
        );
        assert_same(&before, session.tree());
        session.step_back(u64::MAX);
        assert!(settle(&mut session).contains(&News::AtTheBeginning));
        assert_eq!(session.event_position().now, first);
        // It returns.
        session
            .set_excluded(Tree::ROOT, &[])
            .expect("all moves can");
        settle(&mut session);
        assert!(session.choices().is_empty());
    }
}

#[test]
fn the_last_move_stays() {
    let shape = common::Shape::parse("[[3,12,8],[2,4,6]]");
    let subject = Subject::from(toy(&shape, Side::White, 0.0));
    let mut session = Session::start_paused(subject, config(Algorithm::Mcts, 100));
    let moves: Vec<_> = session
        .rows(Tree::ROOT)
        .iter()
        .map(|r| r.view.move_code)
        .collect();
    assert_eq!(
        session.set_excluded(Tree::ROOT, &moves),
        Err(CantExclude::LastMove)
    );
    assert_eq!(session.set_excluded(Tree::ROOT, &moves[..1]), Ok(()));
    assert_eq!(
        session.set_excluded(Tree::ROOT, &[]),
        Err(CantExclude::Busy)
    );
    settle(&mut session);
    // Replacing it by the other one is a single change.
    assert_eq!(session.set_excluded(Tree::ROOT, &moves[1..]), Ok(()));
    settle(&mut session);
    assert_eq!(session.choices().excluded(Tree::ROOT), &moves[1..]);
    // Asking for the current state does not restart anything.
    assert_eq!(session.set_excluded(Tree::ROOT, &moves[1..]), Ok(()));
    assert_eq!(settle(&mut session), []);
}

#[test]
fn a_node_is_given_the_next_nodes_and_the_search_pauses_again() {
    /// More than any one expansion takes with the quiescence of its children: one that is interrupted brings nothing.
    const MORE: u64 = 20_000;
    let subject = Subject::from(chess(FEW_CAPTURES));
    for row in &ALGORITHMS {
        let config = config(row.algorithm, 1_000_000);
        let mut session = Session::start_paused(subject.clone(), config);
        step(&mut session, Step::Into, 20_000).expect("it stands");
        let tree = session.tree().clone();
        let open = |id: &NodeId| {
            let view = tree.view(*id);
            view.visits > 0 && !view.proof.is_exact()
        };
        let node = tree
            .children(Tree::ROOT)
            .filter(open)
            .nth(1)
            .expect("a child");
        let (before, all) = (tree.view(node).nodes, session.status().totals.nodes);
        session.search_more(node, MORE);
        settle(&mut session);
        while session.status().state == State::Running {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(session.status().state, State::Paused, "{}", row.name);
        let view = session.tree().view(node);
        let brought = view.nodes - before;
        let counted = session.status().totals.nodes - all;
        assert!(
            (MORE..MORE + 200).contains(&counted),
            "{}: {counted}",
            row.name
        );
        // What was begun elsewhere is finished first.
        assert!(
            brought * 10 >= counted * 8 || view.proof.is_exact(),
            "{}: {brought} of {counted}",
            row.name
        );
    }
}

#[test]
fn copies_stay_within_the_memory_given() {
    let subject = Subject::from(chess(KIWIPETE));
    for memory in [4 << 20, 8 << 20] {
        let config = Config {
            memory,
            limits: Limits::default(),
            ..config(Algorithm::Distress, 1)
        };
        let mut session = Session::start_paused(subject.clone(), config);
        session.step(Step::Into, u32::MAX);
        while session.is_stepping() {
            session.tend();
            let used = session.tree().bytes() + session.bytes_of_copies();
            // A tree may exceed its limit by the chunks already started.
            assert!(used <= memory + (2 << 20), "{used} of {memory}");
            std::thread::sleep(Duration::from_millis(1));
        }
        let end = session.event_position().now;
        session.step_back(10);
        let news = settle(&mut session);
        assert_eq!(session.event_position().now, end - 10, "{news:?}");
    }
}

#[test]
fn breakpoints_stop_the_search_at_every_step_and_outlive_going_back() {
    let subject = Subject::from(chess(KIWIPETE));
    for row in &ALGORITHMS {
        let config = Config {
            limits: Limits::default(),
            ..config(row.algorithm, 1)
        };
        let mut session = Session::start_paused(subject.clone(), config);
        let breakpoint = |text| Breakpoint::parse(text, &subject).expect("a breakpoint");
        session.set_breakpoints([
            (4, breakpoint("on best-change")),
            (7, breakpoint("when visits >= 3 under root")),
        ]);
        let first = step(&mut session, Step::ToBreak, 1).expect("it stands");
        assert!(matches!(first.why, Why::Breakpoint(4 | 7)), "{first:?}");
        let second = step(&mut session, Step::ToBreak, 1).expect("it stands");
        assert!(second.number > first.number);
        // A large step also stops there, and so does going forward after stepping back.
        session.go_to(first.number);
        settle(&mut session);
        assert_eq!(
            step(&mut session, Step::Into, 1_000_000),
            Some(second.clone())
        );
        // So does a run to the next breakpoint requested while stepping back, and one requested while stepping back to
        // the start.
        for back in [first.number, 0] {
            session.go_to(back);
            session.step(Step::ToBreak, 1);
            settle(&mut session);
            let stop = session.standing().expect("it stands");
            assert!(matches!(stop.why, Why::Breakpoint(4 | 7)), "{stop:?}");
            assert!(stop.number > back && stop.number <= second.number);
        }
        // Stepping back from a run to a breakpoint that never fires.
        session.set_breakpoints([(9, breakpoint("on iteration-done at root when depth > 90"))]);
        session.step(Step::ToBreak, 1);
        std::thread::sleep(Duration::from_millis(3));
        session.go_to(first.number - 1);
        settle(&mut session);
        session.step(Step::ToBreak, 1);
        std::thread::sleep(Duration::from_millis(3));
        session.set_breakpoints([(4, breakpoint("on back-up"))]);
        settle(&mut session);
        let stop = session.standing().expect("it stands");
        assert_eq!(
            (stop.why, stop.event.kind()),
            (Why::Breakpoint(4), EventKind::BackUp)
        );
    }
}
