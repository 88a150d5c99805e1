//! The CPU time that another process has used.

use std::time::Duration;

/// The CPU time of a process and of the processes it started, all threads together. `None` where the system does not
/// tell, or there is no such process.
///
/// The scheduler's own count, in nanoseconds, brought up to date at its ticks: a running thread may be a few
/// milliseconds further. A thread that has ended is counted in the process's time only, in hundredths of a second.
#[cfg(target_os = "linux")]
pub(super) fn of_process(pid: u32) -> Option<Duration> {
    linux::of_family(pid, 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn of_process(_pid: u32) -> Option<Duration> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{read_dir, read_to_string};
    use std::time::Duration;

    /// An engine may be started by a script, that by another one; deeper nobody nests.
    const DEEPEST: u32 = 4;

    pub(super) fn of_family(pid: u32, depth: u32) -> Option<Duration> {
        let (mut threads, mut family) = (Duration::ZERO, Duration::ZERO);
        for thread in read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
            let read = |name| read_to_string(thread.path().join(name)).ok();
            threads += read("schedstat")
                .and_then(|s| nanoseconds(&s))
                .unwrap_or_default();
            let children = read("children")
                .filter(|_| depth < DEEPEST)
                .unwrap_or_default();
            let children = children.split_whitespace().filter_map(|id| id.parse().ok());
            family += children
                .filter_map(|id| of_family(id, depth + 1))
                .sum::<Duration>();
        }
        let stat = read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (own, reaped) = ticks(&stat)?;
        Some(threads.max(own) + family + reaped)
    }

    fn nanoseconds(schedstat: &str) -> Option<Duration> {
        let first = schedstat.split_whitespace().next()?;
        first.parse().ok().map(Duration::from_nanos)
    }

    /// The process's own time, and that of its children that have ended and were waited for.
    fn ticks(stat: &str) -> Option<(Duration, Duration)> {
        // The second field, the program's name in brackets, may contain anything.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_whitespace().skip(11).map(str::parse::<u64>);
        let mut next = || fields.next()?.ok();
        let (user, system, children_user, children_system) = (next()?, next()?, next()?, next()?);
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        let time = |ticks: u64| Duration::from_micros(ticks * 1_000_000 / per_second);
        Some((time(user + system), time(children_user + children_system)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_fields_are_counted_behind_the_name() {
            let stat = "7 (a) b) R 1 7 7 0 -1 4194304 86 0 0 0 250 50 25 75 20 0 1 0";
            let (own, reaped) = ticks(stat).expect("a line of stat");
            assert_eq!(
                own.as_secs(),
                3 * 100 / rustix::param::clock_ticks_per_second()
            );
            assert_eq!(own, reaped * 3);
            assert_eq!(ticks("7 (a"), None);
            assert_eq!(nanoseconds("123 4 5\n"), Some(Duration::from_nanos(123)));
        }

        #[test]
        fn the_time_of_this_process_grows_as_it_works() {
            let before = of_family(std::process::id(), 0).expect("this process");
            let clock = cpu_time::ProcessTime::now();
            let mut x = 1u64;
            while clock.elapsed() < Duration::from_millis(60) {
                x = std::hint::black_box(x.wrapping_mul(3));
            }
            let grown = of_family(std::process::id(), 0).expect("this process") - before;
            assert!(grown >= Duration::from_millis(30), "{grown:?}");
        }
    }
}
