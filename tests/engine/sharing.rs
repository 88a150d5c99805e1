//! Searches that share cores, and how a search's value developed with its nodes.

use std::sync::Arc;
use std::time::Duration;

use algorithms::{ALGORITHMS, Algorithm};
use common::{KIWIPETE, chess, settle, until};
use game::MoveCode;
use search::Cores;
use session::debug::Step;
use session::{Config, Point, Session, State, Subject};

fn config(algorithm: Algorithm) -> Config {
    Config {
        memory: 64 << 20,
        table: 1 << 20,
        ..Config::new(algorithm)
    }
}

fn kiwipete(config: Config) -> Session {
    Session::start(Subject::from(chess(KIWIPETE)), config)
}

/// Everything that does not depend on the machine's speed.
fn timeless(points: &[Point]) -> Vec<(u64, u64, Option<f32>, MoveCode)> {
    let all = points.iter();
    all.map(|p| (p.event, p.nodes, p.expected, p.best))
        .collect()
}

#[test]
fn the_same_search_takes_the_same_points() {
    for row in &ALGORITHMS {
        let mut limited = config(row.algorithm);
        limited.limits.nodes = Some(20_000);
        let mut runs = [kiwipete(limited.clone()), kiwipete(limited)];
        runs.iter_mut().for_each(Session::join);
        let [a, b] = runs.map(|s| (timeless(&s.progress()), s.summary()));
        assert!(a.0 == b.0, "{}", row.name);
        let last = a.0.last().expect("the end is a point");
        assert_eq!(last.1, a.1.status.totals.nodes, "{}", row.name);
        assert_eq!(Some(last.3), a.1.best.map(|m| m.code), "{}", row.name);
        assert!(a.0.len() > 100, "{}: {} points", row.name, a.0.len());
        assert!(a.0.windows(2).all(|p| p[0].0 <= p[1].0 && p[0].1 <= p[1].1));
    }
}

#[test]
fn points_follow_the_search_back_and_forth() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        let mut limited = config(algorithm);
        limited.limits.nodes = Some(5_000);
        let mut free = kiwipete(limited.clone());
        free.join();
        let mut session = Session::start_paused(Subject::from(chess(KIWIPETE)), limited);
        session.step(Step::Into, 3_000);
        settle(&mut session);
        session.step_back(1_000);
        settle(&mut session);
        let points = session.progress();
        assert!(points.iter().all(|p| p.event <= 2_000), "{points:?}");
        assert!(points.len() > 50);
        session.resume();
        until("the end", || {
            matches!(session.status().state, State::Finished(_))
        });
        session.join();
        let whole = session.progress();
        // Nodes are counted in batches, which stepping divides differently.
        let told = |points: &[Point]| -> Vec<_> {
            let all = points.iter();
            all.map(|p| (p.event, p.expected, p.best)).collect()
        };
        assert!(told(&whole) == told(&free.progress()), "{algorithm}");
    }
}

#[test]
fn a_search_in_the_queue_can_be_paused_stepped_and_dropped() {
    let cores = Arc::new(Cores::new(1));
    assert!(cores.take_while(|| true), "nobody else is there");
    let mut shared = config(Algorithm::Mcts);
    shared.cores = Some(Arc::clone(&cores));
    let mut waiting = kiwipete(shared.clone());
    until("queueing", || cores.has_queue());
    assert_eq!(waiting.status().totals.nodes, 0);
    waiting.pause();
    until("standing still", || waiting.is_still());
    assert!(!cores.has_queue());
    waiting.resume();
    until("queueing again", || cores.has_queue());
    drop(kiwipete(shared));
    cores.give();
    until("its turn", || waiting.status().totals.nodes > 1_000);
    waiting.step(Step::Into, 5);
    settle(&mut waiting);
    // A paused search does not keep others from running.
    assert!(cores.take_while(|| true));
    cores.give();
    let standing = waiting.standing().expect("it stands");
    waiting.step(Step::Into, 1);
    settle(&mut waiting);
    let next = waiting.standing().expect("it stands");
    assert_eq!(next.number, standing.number + 1);
}

#[test]
fn searches_on_one_core_get_the_same_cpu_time() {
    let cores = Arc::new(Cores::new(1));
    let sessions: Vec<Session> = ALGORITHMS
        .iter()
        .map(|row| {
            let mut shared = config(row.algorithm);
            shared.cores = Some(Arc::clone(&cores));
            kiwipete(shared)
        })
        .collect();
    // Little enough for every tree to have room.
    let enough = Duration::from_millis(200);
    until("some work", || {
        sessions.iter().all(|s| s.status().cpu >= enough)
    });
    let used: Vec<Duration> = sessions.iter().map(|s| s.status().cpu).collect();
    let least = used.iter().min().expect("there are searches");
    let most = used.iter().max().expect("there are searches");
    // A turn takes 5 ms, if the machine is idle, and longer if it is not; without turns one search would have it all.
    assert!(*most < *least * 3, "{used:?}");
}
