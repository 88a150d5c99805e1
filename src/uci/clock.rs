//! Time management: turns `go` into the limits of a search.

use std::time::Duration;

use super::command::Go;
use game::Side;
use search::{EndEarly, Limits};
use tree::Family;

/// What the limits depend on besides `go`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    /// The side whose clock counts.
    pub turn: Side,
    pub family: Family,
    /// Whether more than one move may be played.
    pub has_choice: bool,
    /// Whether a search by a clock may end as soon as its move is certain.
    pub ends_early: bool,
    /// Reserved for the delay between the end of the search and the other program's clock.
    pub overhead: Duration,
}

/// The number of moves that a game without a time control is assumed to last from here.
const MOVES_LEFT: f64 = 32.0;

/// Returns the limits that `go` asks for.
///
/// Under a clock a move gets an equal share of the remaining time plus most of the increment. A depth-first search
/// starts no new iteration after [`SOFT`] of that ([`Limits::soft`] stretches and shrinks it) and stops after [`HARD`]
/// of it at the latest; a best-first search, which can stop at any time, uses exactly its share. No search takes more
/// than [`MOST`] of the remaining time minus the overhead.
pub(super) fn limits(go: &Go, here: &Circumstances) -> Limits {
    let mut limits = Limits {
        nodes: go.nodes,
        depth: go.depth,
        time: go.move_time,
        ..Limits::default()
    };
    let side = here.turn as usize;
    if go.waits_for_stop() {
        return Limits {
            time: None,
            ..limits
        };
    }
    if go.move_time.is_some() || go.time[side].is_some() {
        limits.early = match here.ends_early {
            true => EndEarly::ByClock,
            false => EndEarly::IfSet,
        };
    }
    if let (None, Some(left)) = (go.move_time, go.time[side]) {
        let increment = go.increment[side].unwrap_or(0);
        let share = Share::of(left, increment, go.moves_to_go, here.overhead);
        match here.family {
            Family::DepthFirst => {
                limits.time = Some(share.hard());
                limits.soft = Some(share.soft());
            }
            Family::BestFirst => limits.time = Some(share.plain()),
        }
        if !here.has_choice {
            // There is no choice to make; only a score is wanted.
            limits.soft = limits.soft.map(|soft| soft / ONLY_MOVE);
            if here.family == Family::BestFirst {
                limits.time = limits.time.map(|time| time / ONLY_MOVE);
            }
        }
    }
    limits
}

/// The share of the time after which no iteration is started. An iteration takes about as long as all before it
/// together.
const SOFT: f64 = 0.6;
/// How much longer an iteration may run that has run into trouble.
const HARD: f64 = 4.0;
/// The largest part of the remaining time that one move may take; the last move before a time control may take more.
const MOST: f64 = 0.35;
const MOST_OF_LAST: f64 = 0.85;
/// The part of the increment that a move takes.
const OF_INCREMENT: f64 = 0.75;
/// What is kept, in milliseconds, where no time control brings new time: a busy machine may let a process wait so long. Below it
/// a move takes less of the increment, so that the clock fills up again.
const RESERVE: f64 = 100.0;
/// The divisor of the time for a position with a single legal move.
const ONLY_MOVE: u32 = 10;

/// A move's share of the clock, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Share {
    plan: f64,
    most: f64,
}

impl Share {
    fn of(left: i64, increment: i64, moves_to_go: Option<u32>, overhead: Duration) -> Share {
        let overhead = overhead.as_secs_f64() * 1e3;
        // Even if the clock is (almost) used up, a move has to be made.
        let usable = (left as f64 - overhead).max(1.0);
        let increment = increment.max(0) as f64;
        let moves = moves_to_go.map_or(MOVES_LEFT, |n| f64::from(n).min(MOVES_LEFT));
        let most = match moves_to_go {
            Some(1) => MOST_OF_LAST,
            Some(2) => (MOST + MOST_OF_LAST) / 2.0,
            _ => MOST,
        };
        // Each of the later moves has an overhead of its own.
        let later = (moves - 1.0) * overhead.min(usable / (2.0 * moves));
        let (reserve, filled) = match moves_to_go {
            Some(_) => (0.0, 1.0),
            None => (RESERVE, (usable / RESERVE).clamp(1.0 / 3.0, 1.0)),
        };
        Share {
            plan: (usable - later - reserve).max(1.0) / moves + filled * OF_INCREMENT * increment,
            most: most * usable,
        }
    }

    fn times(self, factor: f64) -> Duration {
        let milliseconds = (self.plan * factor).min(self.most).max(0.5);
        Duration::from_secs_f64(milliseconds / 1e3)
    }

    fn soft(self) -> Duration {
        self.times(SOFT)
    }

    fn hard(self) -> Duration {
        self.times(HARD)
    }

    fn plain(self) -> Duration {
        self.times(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn here(family: Family) -> Circumstances {
        Circumstances {
            turn: Side::White,
            family,
            has_choice: true,
            ends_early: true,
            overhead: Duration::from_millis(10),
        }
    }

    fn on_clock(time: i64, increment: i64, moves_to_go: Option<u32>) -> Go {
        Go {
            time: [Some(time), Some(1)],
            increment: [Some(increment), None],
            moves_to_go,
            ..Go::default()
        }
    }

    /// Plays a game in which every move takes its maximum time; the flag must never fall.
    #[test]
    fn the_clock_outlasts_a_game_of_hard_limits() {
        let lag = 8;
        for (start, increment, session) in [(1000, 10, None), (5000, 50, Some(7))] {
            let mut left: i64 = start;
            for n in 0..300u32 {
                let to_go = session.map(|s| s - n % s);
                let go = on_clock(left, increment, to_go);
                let hard = limits(&go, &here(Family::DepthFirst))
                    .time
                    .expect("a limit");
                left -= hard.as_millis() as i64 + lag;
                assert!(left > 0, "{n}: {left}");
                left += increment;
                if to_go == Some(1) {
                    left += start;
                }
            }
        }
    }

    /// With an increment the clock does not run down to where a stall of the machine would lose the game.
    #[test]
    fn a_small_increment_leaves_a_reserve() {
        for family in [Family::DepthFirst, Family::BestFirst] {
            let (mut left, mut least) = (1000.0, f64::INFINITY);
            for _ in 0..400 {
                let limits = limits(&on_clock(left as i64, 10, None), &here(family));
                let time = limits.soft.or(limits.time).expect("a limit");
                // A move takes one or two milliseconds more than it is told to.
                left += 10.0 - time.as_secs_f64() * 1e3 - 1.5;
                least = least.min(left);
            }
            assert!(least > 80.0, "{family:?}: {least}");
        }
    }

    #[test]
    fn an_ordinary_move_gets_its_share() {
        let soft = |time, increment, to_go| {
            let limits = limits(&on_clock(time, increment, to_go), &here(Family::DepthFirst));
            limits.soft.expect("a limit").as_millis()
        };
        assert!((10..30).contains(&soft(1000, 10, None)));
        assert!((900..1500).contains(&soft(60_000, 600, None)));
        assert!(
            (600..800).contains(&soft(40_000, 0, Some(40))),
            "at most as with no control"
        );
        assert!((550..650).contains(&soft(1000, 0, Some(1))));
    }

    #[test]
    fn one_legal_move_takes_little() {
        for family in [Family::DepthFirst, Family::BestFirst] {
            let go = on_clock(60_000, 0, None);
            let only = Circumstances {
                has_choice: false,
                ..here(family)
            };
            let time = |here| {
                let limits = limits(&go, here);
                limits.soft.or(limits.time).expect("a limit")
            };
            assert!(time(&only) * 9 < time(&here(family)));
        }
    }

    #[test]
    fn what_is_not_a_clock() {
        let here = here(Family::BestFirst);
        let exact = Go {
            move_time: Some(Duration::from_millis(77)),
            ..on_clock(1000, 0, None)
        };
        assert_eq!(limits(&exact, &here).time, exact.move_time);
        assert_eq!(limits(&exact, &here).soft, None);
        assert_eq!(limits(&exact, &here).early, EndEarly::ByClock);
        let counted = Go {
            nodes: Some(1000),
            ..Go::default()
        };
        assert_eq!(limits(&counted, &here).early, EndEarly::IfSet);
        let endless = Go {
            infinite: true,
            ..exact
        };
        assert_eq!(limits(&endless, &here), Limits::default());
    }

    proptest! {
        #[test]
        fn never_more_than_there_is(
            time in -100_000i64..10_000_000,
            increment in -10i64..100_000,
            to_go in proptest::option::of(1u32..200),
            overhead in 0u64..5000,
            best_first: bool,
        ) {
            let family = if best_first { Family::BestFirst } else { Family::DepthFirst };
            let overhead = Duration::from_millis(overhead);
            let here = Circumstances { overhead, ..here(family) };
            let limits = limits(&on_clock(time, increment, to_go), &here);
            let usable = Duration::from_millis(time.max(0) as u64).saturating_sub(overhead);
            let hard = limits.time.expect("a limit");
            prop_assert!(hard <= usable.max(Duration::from_millis(1)));
            prop_assert!(limits.soft.is_none_or(|soft| soft <= hard));
        }
    }
}
