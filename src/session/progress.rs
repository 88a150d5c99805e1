//! How the root's value and best move changed with the nodes spent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::line::best_move;
use super::reader::{now, view};
use super::segment::Baseline;
use algorithms::Algorithm;
use game::MoveCode;
use search::Control;
use tree::{Family, Tree};

/// What a search believed about its root at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The event at which it was taken, from 1; 0 for an external engine.
    pub event: u64,
    /// The nodes up to this event: those of the main thread exactly, those of each helper at most 256 too few.
    pub nodes: u64,
    /// The CPU time up to this point, all threads together.
    pub cpu: Duration,
    /// The expected score for the root's side to move; `None` if nothing is known yet.
    pub expected: Option<f32>,
    /// The standard deviation, if the algorithm keeps a belief.
    pub sd: Option<f32>,
    /// The move that would be played; `NONE` before anything is known.
    pub best: MoveCode,
}

/// Returns what the tree now says about its root; `grown_by` is `None` for an external engine's tree.
pub fn point(
    grown_by: Option<Algorithm>,
    tree: &Tree,
    event: u64,
    nodes: u64,
    cpu: Duration,
) -> Point {
    // What is held for a frame is no point of the search.
    let best_first = tree.family() == Family::BestFirst;
    let (root, belief) = match best_first {
        true => (now(tree, Tree::ROOT), tree.live_belief(Tree::ROOT)),
        false => (view(tree, Tree::ROOT), tree.belief(Tree::ROOT)),
    };
    Point {
        event,
        nodes,
        cpu,
        expected: root.expected,
        sd: belief.map(|b| b.density().sd(tree.grid())),
        best: grown_by
            .filter(|_| best_first)
            .and_then(|algorithm| algorithm.best_move(tree, Tree::ROOT))
            .or_else(|| best_move(grown_by, tree, Tree::ROOT))
            .unwrap_or(MoveCode::NONE),
    }
}

/// The points of one run, in order of their events.
pub type Points = Arc<Mutex<Vec<Point>>>;

/// Returns a copy of the points so far.
pub fn read(points: &Points) -> Vec<Point> {
    points
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Returns the event at which the next point is taken. The points are 1 to 2 % apart, about 1,200 in ten million
/// events, and they are the same every time, wherever a run begins.
pub fn next_point(event: u64) -> u64 {
    let step = 1 << event.checked_ilog2().unwrap_or(0).saturating_sub(6);
    (event / step + 1) * step
}

/// Records the points on the search's main thread.
#[derive(Debug)]
pub struct PointRecorder {
    pub algorithm: Algorithm,
    pub points: Points,
    pub control: Arc<Control>,
    pub base: Baseline,
}

impl PointRecorder {
    /// Takes a point after `event` events.
    pub fn take(&self, event: u64, tree: &Tree) {
        let nodes = self.base.totals.nodes + self.control.totals().nodes;
        let cpu = self.base.cpu + self.control.cpu();
        let point = point(Some(self.algorithm), tree, event, nodes, cpu);
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.push(point);
    }
}
