//! The page on spread: what its three experiments are asked, and what they have found.

use crate::engine::jobs::{BackgroundJob, JobState};
use crate::engine::lab::calibration::{self, Calibration};
use crate::engine::lab::spread::{self, Population, Searches, TELLING};

/// What the page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// Searches of positions: spread by nodes and by ply.
    #[default]
    Positions,
    /// Random trees: spread by depth, with the truth known.
    Toy,
    /// Searches against longer ones of their own.
    Calibration,
}

/// What the table of toy trees and that of positions have in their cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// Standard deviation; of positions that of expanded nodes.
    #[default]
    Sd,
    /// Share of truths in the central 90 %; of positions the leaves' standard deviation.
    Coverage,
    /// Ranked probability score over the oracle's; of positions how far the root's mean moved.
    Score,
}

/// An experiment with what was last seen of it.
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
    /// Takes the place of the one before, which is stopped.
    pub fn hold(&mut self, run: BackgroundJob<F>) {
        *self = Held {
            known: Some(run.findings()),
            run: Some(run),
            ..Held::default()
        };
        self.update();
    }

    /// Takes over what is new.
    pub fn update(&mut self) {
        let Some(run) = &self.run else { return };
        self.seen = Some(run.progress());
        let generation = run.generation();
        if self.generation != generation {
            self.known = Some(run.findings());
            self.generation = generation;
        }
    }

    /// How far it is; `None` before it began.
    #[must_use]
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        self.run.as_ref().map(BackgroundJob::progress)
    }

    #[must_use]
    pub fn has_news(&self) -> bool {
        self.progress() != self.seen
    }

    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|r| !r.has_ended())
    }

    /// Asks it to stop; what was found stays.
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

/// The page.
#[derive(Debug)]
pub struct SpreadPage {
    pub show: Show,
    pub cells: Cells,
    pub searches: Held<Searches>,
    pub population: Held<Population>,
    pub calibration: Held<Calibration>,
    /// Nodes of each search.
    pub nodes: u64,
    /// At most so many positions.
    pub count: usize,
    /// Moves of each node of a toy tree.
    pub branching: usize,
    /// The chosen rule, by its place in [`TELLING`].
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
    /// Nodes to choose from.
    pub const NODES: [u64; 5] = [3_000, 10_000, 30_000, 100_000, 300_000];
    /// Numbers of positions to choose from.
    pub const COUNTS: [usize; 5] = [1, 5, 10, 20, 50];
    /// Moves of toy trees to choose from.
    pub const BRANCHING: [usize; 5] = [2, 4, 8, 16, 30];
    /// How many times longer the searches are that the others are judged by.
    pub const LONGER: u64 = 10;

    pub fn update(&mut self) {
        self.searches.update();
        self.population.update();
        self.calibration.update();
    }

    /// Whether what is shown went on since it was looked at last.
    #[must_use]
    pub fn has_news(&self) -> bool {
        match self.show {
            Show::Positions => self.searches.has_news(),
            Show::Toy => self.population.has_news(),
            Show::Calibration => self.calibration.has_news(),
        }
    }

    #[must_use]
    pub fn is_running(&self) -> bool {
        self.searches.is_running() || self.population.is_running() || self.calibration.is_running()
    }

    /// Stops what is shown, if it runs.
    pub fn stop_shown(&self) -> bool {
        match self.show {
            Show::Positions => stop(&self.searches),
            Show::Toy => stop(&self.population),
            Show::Calibration => stop(&self.calibration),
        }
    }

    /// How what is shown goes; `None` before it began.
    #[must_use]
    pub fn progress(&self) -> Option<(JobState, usize, usize)> {
        match self.show {
            Show::Positions => self.searches.progress(),
            Show::Toy => self.population.progress(),
            Show::Calibration => self.calibration.progress(),
        }
    }

    /// Whether there is something to show.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match self.show {
            Show::Positions => self.searches.known.is_some(),
            Show::Toy => self.population.known.is_some(),
            Show::Calibration => self.calibration.known.is_some(),
        }
    }

    /// # Errors
    /// See [`spread::PlanError`].
    pub fn search(&mut self, plan: spread::Plan) -> Result<(), String> {
        let run = spread::start_searches(plan).map_err(|e| e.to_string())?;
        self.searches.hold(run);
        Ok(())
    }

    /// # Errors
    /// See [`spread::PopulationError`].
    pub fn grow(&mut self, at_a_time: usize) -> Result<(), String> {
        let settings = spread::Settings {
            branching: self.branching,
            ..spread::Settings::default()
        };
        let rules: Result<Vec<crate::belief::Rule>, _> =
            TELLING.iter().map(|r| r.parse()).collect();
        let rules = rules.map_err(|e: crate::belief::rule::ParseRuleError| e.to_string())?;
        let run = spread::start_population(settings, rules, at_a_time);
        self.population.hold(run.map_err(|e| e.to_string())?);
        Ok(())
    }

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
