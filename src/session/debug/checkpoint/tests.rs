use proptest::prelude::*;

use super::*;
use algorithms::Algorithm;
use game::Scale;

/// Returns a checkpoint with an unsearched tree; the store is told its size separately.
fn checkpoint(at: u64) -> Checkpoint {
    thread_local! {
        static TREE: Arc<Tree> = Arc::new(Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, 0, u16::MAX)));
    }
    Checkpoint {
        at,
        tree: TREE.with(Arc::clone),
        tables: None,
        start: Start::default(),
        totals: Totals::default(),
        elapsed: Duration::ZERO,
        cpu: Duration::ZERO,
    }
}

fn events(store: &Checkpoints) -> Vec<u64> {
    store.kept.iter().map(|k| k.checkpoint.at).collect()
}

fn with(budget: u64, events: &[u64]) -> Checkpoints {
    let mut store = Checkpoints::new(budget);
    for &at in events {
        assert!(store.insert(checkpoint(at), 10));
    }
    store
}

#[test]
fn the_bytes_are_those_of_tree_and_tables() {
    let tables = Tables::new(1 << 20);
    let one = Checkpoint {
        tables: Some(Arc::new(tables)),
        ..checkpoint(0)
    };
    assert_eq!(one.bytes(), one.tree.bytes());
    assert_eq!(one.tree.bytes(), 4096 * 64);
    let mut store = Checkpoints::new(one.bytes());
    assert!(store.push(one.clone()));
    assert_eq!(store.bytes(), one.bytes());
    assert!(!store.push(checkpoint(1)), "no room beside the origin");
    assert_eq!(events(&store), [0]);
}

#[test]
fn the_latest_at_or_before_an_event() {
    let store = with(100, &[0, 70, 20]);
    let latest = |event| store.latest_at_or_before(event).map(|c| c.at);
    assert_eq!(latest(0), Some(0));
    assert_eq!(latest(19), Some(0));
    assert_eq!(latest(20), Some(20));
    assert_eq!(latest(69), Some(20));
    assert_eq!(latest(u64::MAX), Some(70));
    assert_eq!(
        Checkpoints::new(100).latest_at_or_before(5).map(|c| c.at),
        None
    );
}

#[test]
fn one_at_the_same_event_is_kept_once() {
    let mut store = with(30, &[0, 20, 70]);
    assert!(store.insert(checkpoint(20), 10) && store.insert(checkpoint(0), 10));
    assert_eq!((events(&store), store.bytes()), (vec![0, 20, 70], 30));
}

#[test]
fn one_that_cannot_fit_costs_no_other() {
    let mut store = with(30, &[0, 20, 70]);
    assert!(!store.insert(checkpoint(90), 21));
    assert!(!store.make_room(90, u64::MAX));
    assert_eq!(events(&store), [0, 20, 70]);
    assert!(store.insert(checkpoint(90), 20));
    assert_eq!((events(&store), store.bytes()), (vec![0, 90], 30));
}

#[test]
fn when_to_take_the_next() {
    let ms = Duration::from_millis;
    assert!(Checkpoints::new(100).wants(0, ms(0), ms(0)), "the origin");
    let store = with(100, &[0, 50]);
    assert!(!store.wants(80, ms(249), ms(1)));
    assert!(store.wants(80, ms(250), ms(1)));
    assert!(!store.wants(80, ms(799), ms(400)), "a dear one");
    assert!(store.wants(80, ms(800), ms(400)));
    assert!(!store.wants(50, ms(1_200), ms(1)), "one stands there");
}

#[test]
fn far_from_where_the_search_is_the_gaps_grow_geometrically() {
    const ROOM: u64 = 24;
    let mut store = Checkpoints::new(ROOM * 10);
    for step in 0..100_000u64 {
        assert!(store.insert(checkpoint(step * 7), 10));
    }
    let events = events(&store);
    let now = *events.last().expect("some");
    assert_eq!(events.len() as u64, ROOM);
    assert_eq!(events[..1], [0]);
    // All the most recent steps are kept.
    assert!(events.ends_with(&[now - 14, now - 7, now]), "{events:?}");
    for pair in events.windows(2) {
        let (gap, distance) = (pair[1] - pair[0], now - pair[1]);
        assert!(gap <= 7 + 2 * distance, "{events:?}");
    }
}

#[test]
fn back_at_an_early_event_the_store_gets_dense_there_again() {
    let mut store = with(200, &(0..1_000).map(|i| i * 100).collect::<Vec<_>>());
    let gap_at = |store: &Checkpoints, event: u64| {
        event - store.latest_at_or_before(event).expect("the origin").at
    };
    let before = gap_at(&store, 30_000);
    for at in 300..=310 {
        assert!(store.insert(checkpoint(at * 100 - 50), 10));
    }
    assert!(before > 50 && gap_at(&store, 30_950) == 0 && gap_at(&store, 30_900) <= 50);
    assert!(
        events(&store).last() >= Some(&90_000),
        "the way forward is not forgotten"
    );
}

proptest! {
    /// Checkpoints after any events, of any sizes, with rewinds in between.
    #[test]
    fn the_budget_holds_and_the_origin_stays(
        budget in 1u64..3_000,
        steps in prop::collection::vec((any::<prop::sample::Index>(), 1u64..400, 1u64..700, 0u8..10), 1..150),
    ) {
        let mut store = Checkpoints::new(budget);
        let mut origin = None;
        let mut last = 0;
        for (back, on, bytes, choice) in steps {
            let at = match choice {
                0 | 1 => back.index(last as usize + 1) as u64,
                _ => last + on,
            };
            last = last.max(at);
            let room = store.kept.first().map_or(0, |k| k.bytes) + bytes <= budget;
            let there = store.kept.iter().any(|k| k.checkpoint.at == at);
            // Nothing can be before the origin: the first checkpoint is that of the first event.
            if origin.is_some_and(|origin| at < origin) { continue; }
            prop_assert_eq!(store.insert(checkpoint(at), bytes), room || there);
            if origin.is_none() && room { origin = Some(at); }
            let events = events(&store);
            prop_assert!(events.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", events);
            prop_assert_eq!(events.first().copied(), origin);
            prop_assert!(!(room || there) || events.contains(&at), "{:?} without {}", events, at);
            prop_assert!(store.bytes() <= budget);
            prop_assert_eq!(store.bytes(), store.kept.iter().map(|k| k.bytes).sum::<u64>());
        }
    }

    /// The search runs on, its tree grows and its steps are uneven. From every event, the way back to a checkpoint is
    /// at most a few times as long as the way forward to the search.
    #[test]
    fn the_gaps_stay_in_proportion(
        slots in 12u64..40,
        steps in prop::collection::vec(500u64..1_500, 100..600),
    ) {
        let most = steps.len() as u64;
        let mut store = Checkpoints::new(slots * (1_000 + most));
        let mut at = 0;
        for (i, step) in steps.iter().enumerate() {
            prop_assert!(store.insert(checkpoint(at), 1_000 + i as u64));
            at += step;
        }
        let events = events(&store);
        let now = *events.last().expect("some");
        for pair in events.windows(2) {
            let (gap, distance) = (pair[1] - pair[0], now - pair[1]);
            prop_assert!(gap <= 1_500 + 3 * distance, "{} slots: {:?}", slots, events);
        }
    }
}
