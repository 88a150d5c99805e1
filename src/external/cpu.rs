//! The CPU time that another process has used.

use std::time::Duration;

/// What the system counted for a process and the processes it started, all threads together, up to one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    /// The living threads: the scheduler's count, in nanoseconds. It is brought up to date at the scheduler's ticks, so
    /// a running thread may be a few milliseconds ahead.
    threads: Duration,
    /// All threads, including those that have ended, in hundredths of a second.
    process: Duration,
}

impl Reading {
    /// The coarse count consists of two parts, each rounded down.
    const ROUNDING: Duration = Duration::from_millis(20);

    /// Returns the time used since an earlier reading: exact if no thread ended in between, otherwise at most
    /// [`Reading::ROUNDING`] too little.
    pub fn since(self, earlier: Reading) -> Duration {
        let coarse = self
            .process
            .saturating_sub(earlier.process + Self::ROUNDING);
        self.threads.saturating_sub(earlier.threads).max(coarse)
    }
}

/// Reads the CPU time of a process. Returns `None` if the system does not report it or there is no such process.
#[cfg(target_os = "linux")]
pub(super) fn of_process(pid: u32) -> Option<Reading> {
    linux::of_family(pid, 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn of_process(_pid: u32) -> Option<Reading> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{read_dir, read_to_string};
    use std::time::Duration;

    use super::Reading;

    /// An engine may be started by a script, and that by another one; deeper nesting does not occur.
    const DEEPEST: u32 = 4;

    pub(super) fn of_family(pid: u32, depth: u32) -> Option<Reading> {
        let mut sum = Reading::default();
        for thread in read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
            let read = |name| read_to_string(thread.path().join(name)).ok();
            sum.threads += read("schedstat")
                .and_then(|s| nanoseconds(&s))
                .unwrap_or_default();
            let children = read("children").filter(|_| depth < DEEPEST);
            for id in children.unwrap_or_default().split_whitespace() {
                let child = id.parse().ok().and_then(|id| of_family(id, depth + 1));
                let child = child.unwrap_or_default();
                sum.threads += child.threads;
                sum.process += child.process;
            }
        }
        let stat = read_to_string(format!("/proc/{pid}/stat")).ok()?;
        sum.process += ticks(&stat)?;
        Some(sum)
    }

    fn nanoseconds(schedstat: &str) -> Option<Duration> {
        let first = schedstat.split_whitespace().next()?;
        first.parse().ok().map(Duration::from_nanos)
    }

    /// Returns the process's own time and that of its children that have ended and were waited for.
    fn ticks(stat: &str) -> Option<Duration> {
        // The second field, the program's name in parentheses, may contain anything.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields = rest.split_whitespace().skip(11).take(4);
        let fields: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        let all = fields.iter().sum::<u64>();
        (fields.len() == 4).then(|| Duration::from_micros(all * 1_000_000 / per_second))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_fields_are_counted_behind_the_name() {
            let stat = "7 (a) b) R 1 7 7 0 -1 4194304 86 0 0 0 250 50 25 75 20 0 1 0";
            let ticks_of =
                |n: u64| Duration::from_secs(n) / rustix::param::clock_ticks_per_second() as u32;
            assert_eq!(ticks(stat), Some(ticks_of(400)));
            assert_eq!(ticks("7 (a"), None);
            assert_eq!(nanoseconds("123 4 5\n"), Some(Duration::from_nanos(123)));
        }

        #[test]
        fn threads_that_end_are_counted_coarsely() {
            let at = |threads, process| Reading {
                threads: Duration::from_millis(threads),
                process: Duration::from_millis(process),
            };
            // The threads' count is exact, however the other count is rounded.
            assert_eq!(at(303, 700).since(at(3, 390)), Duration::from_millis(300));
            assert_eq!(at(10, 700).since(at(3, 390)), Duration::from_millis(290));
        }

        #[test]
        fn the_time_of_this_process_grows_as_it_works() {
            let before = of_family(std::process::id(), 0).expect("this process");
            let clock = cpu_time::ProcessTime::now();
            let mut x = 1u64;
            while clock.elapsed() < Duration::from_millis(60) {
                x = std::hint::black_box(x.wrapping_mul(3));
            }
            let now = of_family(std::process::id(), 0).expect("this process");
            let grown = now.since(before);
            assert!(grown >= Duration::from_millis(30), "{grown:?}");
        }
    }
}
