//! The page on spread: the settings of its three experiments, and their results.

use lab::calibration::{self, Calibration};
use lab::spread::{self, MEASURED, Population, Searches, TELLING};
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

/// An experiment and its latest known results.
#[derive(Debug)]
pub struct Held<F> {
    run: Option<BackgroundJob<F>>,
    pub known: Option<F>,
    generation: u64,
    seen: Option<(JobState, usize, usize)>,
}

impl<F> Default for Held<F> {
    fn default() -> Self {
        Held {
            run: None,
            known: None,
            generation: 0,
            seen: None,
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
        self.seen = Some(run.progress());
        let generation = run.generation();
        if self.generation != generation {
            self.known = Some(run.findings());
            self.generation = generation;
        }
    }

    /// Returns the progress; `None` before the experiment starts.
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        self.run.as_ref().map(BackgroundJob::progress)
    }

    pub fn has_news(&self) -> bool {
        self.progress() != self.seen
    }

    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|r| !r.has_ended())
    }

    /// Asks it to stop; its results stay.
    pub fn stop(&self) {
        if let Some(run) = &self.run {
            run.stop();
        }
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

    /// Whether what is shown has made progress since it was last looked at.
    pub fn has_news(&self) -> bool {
        match self.show {
            Show::Positions => self.searches.has_news(),
            Show::Toy => self.population.has_news(),
            Show::Calibration => self.calibration.has_news(),
        }
    }

    pub fn is_running(&self) -> bool {
        self.searches.is_running() || self.population.is_running() || self.calibration.is_running()
    }

    /// Stops what is shown; returns whether it was running.
    pub fn stop_shown(&self) -> bool {
        match self.show {
            Show::Positions => stop(&self.searches),
            Show::Toy => stop(&self.population),
            Show::Calibration => stop(&self.calibration),
        }
    }

    /// Returns the progress of what is shown; `None` before it starts.
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        self.progress_of(self.show)
    }

    /// Returns the progress of what is shown as `show`; `None` before it starts.
    pub fn progress_of(&self, show: Show) -> Option<(JobState, usize, usize)> {
        match show {
            Show::Positions => self.searches.progress(),
            Show::Toy => self.population.progress(),
            Show::Calibration => self.calibration.progress(),
        }
    }

    /// Whether there is something to show.
    pub fn is_known(&self) -> bool {
        match self.show {
            Show::Positions => self.searches.known.is_some(),
            Show::Toy => self.population.known.is_some(),
            Show::Calibration => self.calibration.known.is_some(),
        }
    }

    /// Starts the searches of positions.
    ///
    /// # Errors
    /// See [`spread::PlanError`].
    pub fn search(&mut self, plan: spread::Plan) -> Result<(), String> {
        let run = spread::start_searches(plan).map_err(|e| e.to_string())?;
        self.searches.hold(run);
        Ok(())
    }

    /// Starts growing the random trees.
    ///
    /// # Errors
    /// See [`spread::PopulationError`].
    pub fn grow(&mut self, at_a_time: usize) -> Result<(), String> {
        let settings = spread::Settings {
            branching: self.branching,
            ..spread::Settings::default()
        };
        let rules: Result<Vec<belief::Rule>, _> = TELLING.iter().map(|r| r.parse()).collect();
        let rules = rules.map_err(|e: belief::rule::ParseRuleError| e.to_string())?;
        let run = spread::start_population(settings, rules, at_a_time);
        self.population.hold(run.map_err(|e| e.to_string())?);
        Ok(())
    }

    /// Starts the calibration.
    ///
    /// # Errors
    /// See [`calibration::PlanError`].
    pub fn judge(&mut self, plan: calibration::Plan) -> Result<(), String> {
        let run = calibration::start(plan).map_err(|e| e.to_string())?;
        self.calibration.hold(run);
        Ok(())
    }
}

fn stop<F: Clone + Send + 'static>(held: &Held<F>) -> bool {
    let running = held.is_running();
    held.stop();
    running
}
