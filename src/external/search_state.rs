//! One search by an external engine, as seen by its watchers and its driver.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::TracedSearch;
use game::Scale;
use search::{Clock, StopReason, Totals};
use session::Budget;
use session::Point;
use session::{GrownBy, Reader, State, Status, Subject};
use tree::{Family, Tree, TreeSpec};

/// A search that was ordered, and what the engine has reported so far.
#[derive(Debug)]
pub(super) struct SearchState {
    pub subject: Subject,
    pub budget: Budget,
    pub tree: Tree,
    stop: AtomicBool,
    paused: AtomicBool,
    figures: Mutex<Figures>,
    /// Signalled when the search has ended.
    ended: Condvar,
    /// Its trace, if the engine is traced, from when the engine is ready.
    traced: OnceLock<TracedSearch>,
}

#[derive(Debug, Default)]
struct Figures {
    nodes: u64,
    depth: u16,
    selective_depth: u16,
    threads: usize,
    cpu: Duration,
    clock: Clock,
    reason: Option<StopReason>,
    points: Points,
}

/// At most [`Points::MOST`] points. When there are more, every second one is dropped and the stride doubles.
#[derive(Debug, Default)]
struct Points {
    kept: Vec<Point>,
    /// Keeps one point in `2^stride_log2`.
    stride_log2: u32,
    /// The number of points offered so far.
    offered: u64,
}

impl Points {
    const MOST: usize = 1_000;

    fn push(&mut self, point: Point) {
        let wanted = self.offered.is_multiple_of(1 << self.stride_log2);
        self.offered += 1;
        if !wanted {
            return;
        }
        self.kept.push(point);
        if self.kept.len() > Self::MOST {
            let mut even = false;
            self.kept.retain(|_| {
                even = !even;
                even
            });
            self.stride_log2 += 1;
        }
    }
}

impl SearchState {
    /// The bytes for the tree: several hundred thousand nodes, far more than its lines can contain.
    const MEMORY: u64 = 64 << 20;

    pub fn new(subject: Subject, budget: Budget) -> Self {
        let tree = Tree::new(TreeSpec {
            family: Family::DepthFirst,
            scale: Scale::Logistic,
            beliefs: true,
            budget: Self::MEMORY,
            record_plies: u16::MAX,
        });
        SearchState {
            subject,
            budget,
            tree,
            stop: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            figures: Mutex::default(),
            ended: Condvar::new(),
            traced: OnceLock::new(),
        }
    }

    pub fn set_traced(&self, traced: Option<TracedSearch>) {
        if let Some(traced) = traced {
            // A search is ordered once.
            let _ = self.traced.set(traced);
        }
    }

    pub fn traced(&self) -> Option<&TracedSearch> {
        self.traced.get()
    }

    fn figures(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn ask_to_stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_to_stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Relaxed);
    }

    pub fn is_paused(&self) -> bool {
        self.paused.load(Relaxed)
    }

    /// Starts or stops the clock.
    pub fn run_clock(&self, runs: bool) {
        let mut figures = self.figures();
        if runs {
            figures.clock.go();
        } else {
            figures.clock.halt();
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.figures().clock.elapsed()
    }

    pub fn set_threads(&self, threads: usize) {
        self.figures().threads = threads;
    }

    pub fn set_cpu(&self, cpu: Duration) {
        self.figures().cpu = cpu;
    }

    /// Stores the latest figures reported; figures that were not reported keep their value.
    pub fn told(&self, nodes: Option<u64>, depth: Option<u16>, selective_depth: Option<u16>) {
        let mut figures = self.figures();
        figures.nodes = nodes.unwrap_or(figures.nodes);
        figures.depth = depth.unwrap_or(figures.depth);
        figures.selective_depth = figures.selective_depth.max(selective_depth.unwrap_or(0));
    }

    /// Adds the root's value as reported now; nodes and CPU time are taken from the figures.
    pub fn add_point(&self, point: impl FnOnce(u64, Duration) -> Point) {
        let mut figures = self.figures();
        let point = point(figures.nodes, figures.cpu);
        figures.points.push(point);
    }

    pub fn points(&self) -> Vec<Point> {
        self.figures().points.kept.clone()
    }

    /// Records that the search has ended; the first reason is kept.
    pub fn end(&self, reason: StopReason) {
        let mut figures = self.figures();
        figures.clock.halt();
        figures.reason.get_or_insert(reason);
        self.ended.notify_all();
    }

    /// Waits for the end, for at most `most`. Returns whether it has come.
    pub fn wait_for_end(&self, most: Duration) -> bool {
        let figures = self.figures();
        let (figures, _) = self
            .ended
            .wait_timeout_while(figures, most, |f| f.reason.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        figures.reason.is_some()
    }

    /// Returns what the engine has reported as a tree.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            tree: &self.tree,
            subject: &self.subject,
            searcher: GrownBy::External,
        }
    }

    pub fn status(&self) -> Status {
        let figures = self.figures();
        let state = match figures.reason {
            Some(reason) => State::Finished(reason),
            None if self.is_paused() => State::Paused,
            None => State::Running,
        };
        Status {
            state,
            totals: Totals {
                nodes: figures.nodes,
                depth: figures.depth,
                selective_depth: figures.selective_depth,
                ..Totals::default()
            },
            elapsed: figures.clock.elapsed(),
            cpu: figures.cpu,
            tree_nodes: self.tree.len(),
            tree_bytes: self.tree.bytes(),
            tree_full: self.tree.is_full(),
            threads: figures.threads.max(1),
            audit: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::MoveCode;

    #[test]
    fn points_stay_few_and_even() {
        let mut points = Points::default();
        for nodes in 0..100_000 {
            points.push(Point {
                event: 0,
                nodes,
                cpu: Duration::ZERO,
                expected: None,
                sd: None,
                best: MoveCode::NONE,
            });
        }
        let kept: Vec<u64> = points.kept.iter().map(|p| p.nodes).collect();
        assert!(
            (Points::MOST / 2..=Points::MOST).contains(&kept.len()),
            "{}",
            kept.len()
        );
        let steps: Vec<u64> = kept.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(steps.iter().all(|s| *s == steps[0]), "{steps:?}");
    }
}
