//! The page on spread: the settings of its three experiments, and their results.

use super::keys::walk;
use super::pages::AnyJob;
use lab::calibration::Calibration;
use lab::spread::{MEASURED, Population, Searches, TELLING};
use session::jobs::{BackgroundJob, JobState};

/// What the page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Searches of positions: spread by nodes and by ply.
    #[default]
    Positions,
    /// Random trees whose true values are known: spread by depth.
    Toy,
    /// Searches compared with longer ones of their own.
    Calibration,
}

/// What the cells of the tables of toy trees and of positions show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Standard deviation; for positions, that of expanded nodes.
    #[default]
    Sd,
    /// Share of true values in the central 90 %; for positions, the leaves' standard deviation.
    Coverage,
    /// Ranked probability score divided by the oracle's; for positions, how far the root's mean moved.
    Score,
}

impl Cells {
    pub const ALL: [Cells; 3] = [Cells::Sd, Cells::Coverage, Cells::Score];
}

/// An experiment and its latest known results.
#[derive(Debug)]
pub struct Held<F> {
    run: Option<BackgroundJob<F>>,
    pub known: Option<F>,
    generation: u64,
}

impl<F> Default for Held<F> {
    fn default() -> Self {
        Held {
            run: None,
            known: None,
            generation: 0,
        }
    }
}

impl<F: Clone + Send + 'static> Held<F> {
    /// Replaces the experiment; the former one is stopped.
    pub fn hold(&mut self, run: BackgroundJob<F>) {
        *self = Held {
            known: Some(run.findings()),
            run: Some(run),
            ..Held::default()
        };
        self.update();
    }

    /// Takes new results.
    pub fn update(&mut self) {
        let Some(run) = &self.run else { return };
        let generation = run.generation();
        if self.generation != generation {
            self.known = Some(run.findings());
            self.generation = generation;
        }
    }

    pub fn job(&self) -> Option<&dyn AnyJob> {
        self.run.as_ref().map(|run| run as _)
    }

    /// Returns the progress; `None` before the experiment starts.
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        self.run.as_ref().map(BackgroundJob::progress)
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|r| !r.has_ended())
    }

    /// Waits for its end: for tests.
    pub fn join(&mut self) {
        if let Some(run) = &mut self.run {
            run.join();
        }
        self.update();
    }
}

/// The state of the page.
#[derive(Debug)]
pub struct SpreadPage {
    pub show: Show,
    pub cells: Cells,
    pub searches: Held<Searches>,
    pub population: Held<Population>,
    pub calibration: Held<Calibration>,
    /// The nodes of each search.
    pub nodes: u64,
    /// The largest number of positions.
    pub count: usize,
    /// The number of moves at each node of a toy tree.
    pub branching: usize,
    /// The chosen rule, by its index in [`SpreadPage::names`].
    pub rule: usize,
}

impl Default for SpreadPage {
    fn default() -> Self {
        SpreadPage {
            show: Show::default(),
            cells: Cells::default(),
            searches: Held::default(),
            population: Held::default(),
            calibration: Held::default(),
            nodes: 10_000,
            count: 10,
            branching: 8,
            rule: 0,
        }
    }
}

impl SpreadPage {
    /// The choices of nodes.
    pub const NODES: [u64; 5] = [3_000, 10_000, 30_000, 100_000, 300_000];
    /// The choices for the number of positions.
    pub const COUNTS: [usize; 5] = [1, 5, 10, 20, 50];
    /// The choices of moves per node of a toy tree.
    pub const BRANCHING: [usize; 5] = [2, 4, 8, 16, 30];
    /// How many times longer the searches are by which the others are judged.
    pub const LONGER: u64 = 10;

    /// The rules, and where positions are searched the relative.
    pub fn names(&self) -> &'static [&'static str] {
        match self.show {
            Show::Toy => &TELLING,
            Show::Positions | Show::Calibration => &MEASURED,
        }
    }

    /// The chosen one.
    pub fn chosen(&self) -> &'static str {
        let names = self.names();
        names[self.rule % names.len()]
    }

    pub fn update(&mut self) {
        self.searches.update();
        self.population.update();
        self.calibration.update();
    }

    /// Returns the experiment that is shown as `show`; `None` before it starts.
    pub fn job_of(&self, show: Show) -> Option<&dyn AnyJob> {
        match show {
            Show::Positions => self.searches.job(),
            Show::Toy => self.population.job(),
            Show::Calibration => self.calibration.job(),
        }
    }

    /// Returns the progress of what is shown; `None` before it starts.
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        self.job_of(self.show).map(AnyJob::progress)
    }

    /// Whether there is something to show.
    pub fn is_known(&self) -> bool {
        match self.show {
            Show::Positions => self.searches.known.is_some(),
            Show::Toy => self.population.known.is_some(),
            Show::Calibration => self.calibration.known.is_some(),
        }
    }

    /// Chooses another rule, so many further down.
    pub fn walk(&mut self, by: isize) {
        let rules = self.names().len();
        walk(&mut self.rule, by, rules);
    }

    /// Shows this, or the searches of positions again if it is shown already.
    pub fn turn(&mut self, show: Show) {
        self.show = match self.show {
            shown if shown == show => Show::Positions,
            Show::Calibration => Show::Positions,
            Show::Positions | Show::Toy => show,
        };
        self.rule %= self.names().len();
    }
}
