//! Commands of the Lab tab.

mod depths;
mod differential;
mod spread;

use super::pages::PAGES;
use super::{LabPage, LabPanel, LabTab, Positions};
use crate::app::{App, Level, Tab};
use ::lab::{self, Origin, Plan, Position, Sampler, Tested};
use algorithms::Algorithm;
use depth_first::margin::FAMILIES;
use game::samples;
use session::{Config, State};

impl App {
    /// Starts the experiment, or stops the running one.
    pub fn toggle_lab(&mut self) {
        if let Some(experiment) = self.lab.experiment.as_ref().filter(|e| !e.job.has_ended()) {
            experiment.job.stop();
            self.say(
                Level::Info,
                "the experiment is stopped: what it found stays",
            );
            return;
        }
        if let Some(what) = self.lab_busy() {
            self.say(Level::Warning, what);
            return;
        }
        let positions = self.lab_positions(self.lab.count);
        let config = self.alpha_beta();
        let at_a_time = config.threads;
        let plan = Plan {
            at_a_time,
            ..Plan::new(Vec::new(), self.lab.tested, config)
        };
        match self.lab.start(positions, plan) {
            Ok(()) => self.lab_began(),
            Err(what) => self.say(Level::Error, what.to_string()),
        }
    }

    /// Returns what uses the cores in the Lab, as a message for a user who needs them for something else.
    pub fn lab_busy(&self) -> Option<&'static str> {
        PAGES.iter().find_map(|(_, page)| page.busy(self))
    }

    /// Called when an experiment of the shown page has begun: notes what was asked, and pauses Explore's search, since
    /// the experiment needs the cores.
    pub(crate) fn lab_began(&mut self) {
        let page = self.lab.page;
        let asked = page.screen().asked(self);
        self.lab.runs.begin(page, asked);
        if self.state() == Some(State::Running)
            && let Some(session) = &mut self.session
        {
            session.pause();
            self.say(
                Level::Info,
                "the search in Explore is paused: the experiment has the cores",
            );
        }
    }

    /// Returns the configuration in Explore if it is of alpha-beta, otherwise alpha-beta's defaults with Explore's
    /// threads and memory.
    fn alpha_beta(&self) -> Config {
        self.config_of(lab::ALGORITHM)
    }

    /// Returns the configuration in Explore if it is of this algorithm, otherwise the algorithm's defaults with
    /// Explore's threads and memory.
    pub(crate) fn config_of(&self, algorithm: Algorithm) -> Config {
        if self.config.algorithm == algorithm {
            return self.config.clone();
        }
        Config {
            algorithm,
            options: algorithm.default_options(),
            ..self.config.clone()
        }
    }

    /// Returns at most `count` of the samples' positions, or of the open ones.
    pub(crate) fn lab_positions(&self, count: usize) -> Vec<Position> {
        let mut sampler = Sampler::new(count);
        match self.lab.positions {
            Positions::Samples => {
                for document in samples::all().iter().filter_map(|s| s.open().ok()) {
                    for entry in document.entries().flatten() {
                        sampler.offer_entry(&entry);
                    }
                }
            }
            Positions::Opened
                if self.current.moves.is_empty() && self.document.games().is_none() =>
            {
                for (i, entry) in
                    (0..self.document.len()).filter_map(|i| Some((i, self.document.entry(i).ok()?)))
                {
                    sampler.offer(|| Position::new(self.document.title_of(i), entry.at(0)));
                }
            }
            Positions::Opened => {
                for ply in 0..=self.current.moves.len() {
                    sampler.offer(|| Position::new(format!("ply {ply}"), self.current.at(ply)));
                }
            }
        }
        sampler.finish()
    }

    pub fn toggle_lab_positions(&mut self) {
        self.turn_lab_positions();
        self.say_lab_next();
    }

    /// Switches between the samples' positions and the open ones, for all pages.
    pub(crate) fn turn_lab_positions(&mut self) {
        self.lab.positions = match self.lab.positions {
            Positions::Samples => Positions::Opened,
            Positions::Opened => Positions::Samples,
        };
    }

    pub fn next_lab_count(&mut self) {
        self.lab.count = next(&LabTab::COUNTS, &self.lab.count);
        self.say_lab_next();
    }

    pub fn next_lab_rule(&mut self) {
        self.lab.tested = next(&Tested::ALL, &self.lab.tested);
        let options = self.alpha_beta().options;
        self.lab.read(&options);
        self.say_lab_next();
    }

    pub fn change_lab_depth(&mut self, by: isize) {
        let depth = (self.lab.depth as isize).saturating_add(by).clamp(2, 20);
        self.lab.depth = depth as u16;
        self.say_lab_next();
    }

    /// Doubles or halves the number of audits; none at all beyond the rarest.
    pub fn change_lab_audit(&mut self, more: bool) {
        self.lab.audit = match (self.lab.audit, more) {
            (0, true) => LabTab::RAREST,
            (0, false) => 0,
            (k, true) => (k / 2).max(1),
            (k, false) if k >= LabTab::RAREST => 0,
            (k, false) => k * 2,
        };
        self.say_lab_next();
    }

    pub fn next_lab_level(&mut self) {
        self.lab.level = next(&LabTab::LEVELS, &self.lab.level);
        self.say_lab_next();
    }

    /// Reports that a setting takes effect with the next experiment; the present one keeps its settings.
    fn say_lab_next(&mut self) {
        if self.lab.experiment.is_some() {
            self.say(Level::Info, "for the next experiment");
        }
    }

    pub fn walk_lab(&mut self, by: isize) {
        let n = FAMILIES.len() as isize;
        self.lab.family = (self.lab.family as isize + by).rem_euclid(n) as usize;
    }

    pub fn toggle_lab_origin(&mut self) {
        self.lab.origin = match self.lab.origin {
            Origin::Static => Origin::Quiescence,
            Origin::Quiescence => Origin::Static,
        };
    }

    pub fn next_lab_panel(&mut self) {
        self.lab.panel = match self.lab.panel {
            LabPanel::Margins => LabPanel::Audit,
            LabPanel::Audit => LabPanel::Margins,
        };
    }

    pub fn fit_lab(&mut self) {
        if self.lab.fit() {
            let share =
                crate::text::percent(self.lab.known.as_ref().map_or(0.0, |k| k.fits.level) as f32);
            self.say(
                Level::Info,
                format!("fitted: {share} of the changes go beyond each margin"),
            );
        } else {
            self.say(Level::Info, "nothing measured yet");
        }
    }

    pub fn equal_lab(&mut self) {
        let what = if self.lab.equal() {
            "the trials' margins, which save as many nodes as the first"
        } else {
            "no trial is finished yet"
        };
        self.say(Level::Info, what);
    }

    /// Uses the chosen family's margin for alpha-beta in Explore, whose search restarts.
    pub fn use_lab_margin(&mut self) {
        let tested = self
            .lab
            .known
            .as_ref()
            .map_or(self.lab.tested, |k| k.findings.tested);
        let margin = self.lab.margins[self.lab.family];
        let config = self.alpha_beta();
        match tested.with_margin(&config.options, &margin) {
            Ok(options) => {
                self.config = Config { options, ..config };
                self.start_search();
                let key = tested.margin_key();
                self.say(
                    Level::Info,
                    format!("alpha-beta searches with {key} = {margin} (1 shows it)"),
                );
            }
            Err(what) => self.say(Level::Error, what.to_string()),
        }
    }

    pub fn next_lab_page(&mut self) {
        self.show_lab_page(self.lab.page.next());
    }

    pub fn previous_lab_page(&mut self) {
        self.show_lab_page(self.lab.page.previous());
    }

    pub fn show_lab_page(&mut self, page: LabPage) {
        self.lab.page = page;
        page.screen().comes(self);
    }

    /// Called when the tab is shown: the margin in use is shown if there are no results yet.
    pub(in crate::tabs::lab) fn open_lab(&mut self, before: Tab) {
        if before != Tab::Lab && self.lab.experiment.is_none() {
            let options = self.alpha_beta().options;
            self.lab.read(&options);
        }
        self.lab.page.screen().comes(self);
    }
}

/// Returns the item after `at`; the first one follows the last.
fn next<T: Copy + PartialEq>(all: &[T], at: &T) -> T {
    let place = all.iter().position(|x| x == at).map_or(0, |i| i + 1);
    all[place % all.len()]
}
