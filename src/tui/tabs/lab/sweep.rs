//! The page on sweeps: what is varied and how it is judged, and the results.

use super::keys::walk;
use super::spread::Held;
use lab::sweep::{Judge, Spec, Sweep, Tried};
use session::Budget;
use studies::compare::ColumnSpec;

/// A sweep that is ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// As on the command line of `plyscope lab sweep`.
    pub line: &'static str,
    pub judge: Judge,
}

/// The sweeps that are offered; each can be changed by typing.
pub const READY: [Ready; 6] = [
    // The DISTRESS essay: the blend of r_opt and r_pick by the dispersion of the policy.
    Ready {
        line: "-a distress --set backup=1-exp(-k*H) --over k=0.5..3:0.5",
        judge: Judge::Solved,
    },
    // The post on futility margins: a margin that grows with the root of the depth, or with the depth.
    Ready {
        line: "-a alpha-beta --set futility-margin=k*sqrt(depth) --over k=60..300:60",
        judge: Judge::Audit,
    },
    Ready {
        line: "-a alpha-beta --set reverse-futility-margin=k*depth --over k=40..140:20",
        judge: Judge::Audit,
    },
    Ready {
        line: "-a distress --over tails=0.003,0.01,0.03,0.1",
        judge: Judge::Belief,
    },
    Ready {
        line: "-a mcts --set select=Q+c*P*sqrt(N)/(1+n) --over c=0.75..3:0.75",
        judge: Judge::Loss,
    },
    Ready {
        line: "-a mcts --over fpu=0,0.2,0.6",
        judge: Judge::Match,
    },
];

/// What the results shown are of.
#[derive(Clone, Debug)]
pub struct Of {
    pub spec: Spec,
    pub tried: Tried,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    pub source: String,
    pub wanted: usize,
    pub seed: u64,
}

/// The state of the page.
#[derive(Debug)]
pub struct SweepPage {
    pub run: Held<Sweep>,
    pub of: Option<Of>,
    /// What is varied, as typed.
    pub line: String,
    pub judge: Judge,
    /// The nodes of each search; of a move, in games.
    pub nodes: u64,
    /// The largest number of positions, or the number of openings.
    pub count: usize,
    /// The chosen variant, by its number in the results.
    pub variant: usize,
}

impl Default for SweepPage {
    fn default() -> Self {
        let [first, ..] = READY;
        SweepPage {
            run: Held::default(),
            of: None,
            line: first.line.to_owned(),
            judge: first.judge,
            nodes: 5_000,
            count: 100,
            variant: 0,
        }
    }
}

impl SweepPage {
    /// The choices for the nodes of a search.
    pub const NODES: [u64; 6] = [1_000, 2_000, 5_000, 10_000, 20_000, 100_000];
    /// The choices for the number of positions.
    pub const COUNTS: [usize; 5] = [25, 50, 100, 200, 400];

    /// Takes the next of the sweeps that are ready to run; the first one after a typed one.
    pub fn next_ready(&mut self) {
        let at = READY.iter().position(|ready| ready.line == self.line);
        let next = READY[at.map_or(0, |at| (at + 1) % READY.len())];
        self.line = next.line.to_owned();
        self.judge = next.judge;
    }

    /// Goes to another variant of the results.
    pub fn walk(&mut self, by: isize) {
        let n = self.of.as_ref().map_or(0, |of| of.tried.names.len());
        if n > 0 {
            walk(&mut self.variant, by, n);
        }
    }
}
