//! What the commands of the Lab tab do to the rest of the workbench.

use search::Subjects as _;
use std::fmt::Display;
use std::path::Path;

use super::differential::DifferentialPage;
use super::keys::next;
use super::pages::PAGES;
use super::{LabPage, LabTab, Positions};
use crate::app::{Answer, App, Level, Overlay, Tab};
use crate::overlays::prompt::Prompt;
use ::lab::differential::{self, cells};
use ::lab::{self, Position, Sampler, Tested, spread};
use algorithms::Algorithm;
use game::load::save::save;
use game::samples;
use report::lab::differential::Grid;
use report::sheet::Report as _;
use session::jobs::JobState;
use session::{Config, State};

impl App {
    /// Starts the experiment that is shown, or stops it.
    pub fn toggle_lab(&mut self) {
        let page = self.lab.page.screen();
        if let Some(job) = self.lab.job().filter(|job| !job.has_ended()) {
            job.stop();
            let what = match self.lab.page {
                LabPage::Differential => {
                    "the matches are stopped: what was played stays, the same key goes on"
                }
                _ => "the experiment is stopped: what it found stays",
            };
            self.say(Level::Info, what);
        } else if let Some(what) = self.lab_busy() {
            self.say(Level::Warning, what);
        } else {
            match page.begin(self) {
                Ok(()) => self.lab_began(),
                Err(what) => self.say(Level::Error, what),
            }
        }
    }

    /// Returns what uses the cores in the Lab, as a message for a user who needs them for something else.
    pub fn lab_busy(&self) -> Option<String> {
        let mut pages = PAGES.iter().map(|(_, page)| page);
        let page = pages.find(|page| page.is_running(&self.lab))?;
        let name = page.name();
        Some(format!(
            "the experiment on the page {name} has the cores: stop it first"
        ))
    }

    /// Called when an experiment of the shown page has begun: notes what was asked, and pauses Explore's search, since
    /// the experiment needs the cores.
    fn lab_began(&mut self) {
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

    /// Changes a setting. It takes effect with the next experiment; the present one keeps its settings.
    pub(super) fn set_lab(&mut self, change: impl FnOnce(&mut LabTab)) {
        change(&mut self.lab);
        if self.lab.job().is_some() {
            self.say(Level::Info, "for the next experiment");
        }
    }

    /// Returns the configuration in Explore if it is of this algorithm, otherwise the algorithm's defaults with
    /// Explore's threads and memory.
    pub(super) fn config_of(&self, algorithm: Algorithm) -> Config {
        if self.config.algorithm == algorithm {
            return self.config.clone();
        }
        Config {
            algorithm,
            options: algorithm.default_options(),
            ..self.config.clone()
        }
    }

    /// Searches in Explore with another configuration, or says why that cannot be.
    fn search_with(&mut self, config: Result<Config, impl Display>, what: impl Into<String>) {
        match config {
            Ok(config) => {
                self.config = config;
                self.start_search();
                self.say(Level::Info, format!("{} (1 shows it)", what.into()));
            }
            Err(what) => self.say(Level::Error, what.to_string()),
        }
    }

    /// Returns at most `count` of the samples' positions, or of the open ones.
    pub(super) fn lab_positions(&self, count: usize) -> Vec<Position> {
        let mut sampler = Sampler::new(count);
        match self.lab.positions {
            Positions::Samples => {
                for document in samples::all().iter().filter_map(|s| s.open().ok()) {
                    for entry in document.entries().flatten() {
                        sampler.offer_entry(&entry);
                    }
                }
            }
            Positions::Opened if self.current.plies() == 0 && self.document.games().is_none() => {
                for (i, entry) in
                    (0..self.document.len()).filter_map(|i| Some((i, self.document.entry(i).ok()?)))
                {
                    sampler.offer(|| Position::new(self.document.title(i), entry.subject()));
                }
            }
            Positions::Opened => {
                for ply in 0..=self.current.plies() {
                    sampler.offer(|| {
                        Position::new(format!("ply {ply}"), self.current.subject_at(ply))
                    });
                }
            }
        }
        sampler.finish()
    }

    /// Shows a page of the Lab.
    pub(super) fn show_lab_page(&mut self, page: LabPage) {
        self.lab.page = page;
        page.screen().comes(self);
    }

    /// Called when the tab is shown: the margin in use is shown if there are no results yet.
    pub(super) fn open_lab(&mut self, before: Tab) {
        if before != Tab::Lab && self.lab.experiment.is_none() {
            self.lab.read(&self.config_of(lab::ALGORITHM).options);
        }
        self.lab.page.screen().comes(self);
    }

    /// Tests the next rule, with the margin that it has now.
    pub(super) fn next_lab_rule(&mut self) {
        let options = self.config_of(lab::ALGORITHM).options;
        self.set_lab(|lab| {
            next(&mut lab.tested, &Tested::ALL);
            lab.read(&options);
        });
    }

    /// Fits the margins to what was measured so far.
    pub(super) fn fit_lab(&mut self) {
        if !self.lab.fit() {
            self.say(Level::Info, "nothing measured yet");
            return;
        }
        let level = self.lab.known.as_ref().map_or(0.0, |k| k.fits.level);
        let share = crate::text::percent(level as f32);
        let what = format!("fitted: {share} of the changes go beyond each margin");
        self.say(Level::Info, what);
    }

    /// Takes the margins of the trials.
    pub(super) fn equal_lab(&mut self) {
        let what = match self.lab.equal() {
            true => "the trials' margins, which save as many nodes as the first",
            false => "no trial is finished yet",
        };
        self.say(Level::Info, what);
    }

    /// Uses the chosen family's margin for alpha-beta in Explore, whose search restarts.
    pub(super) fn use_lab_margin(&mut self) {
        let known = self.lab.known.as_ref();
        let tested = known.map_or(self.lab.tested, |k| k.findings.tested);
        let margin = self.lab.margins[self.lab.family];
        let config = self.config_of(lab::ALGORITHM);
        let options = tested.with_margin(&config.options, &margin);
        let key = tested.margin_key();
        self.search_with(
            options.map(|options| Config { options, ..config }),
            format!("alpha-beta searches with {key} = {margin}"),
        );
    }

    /// Uses the chosen back-up rule for DISTRESS in Explore, whose search restarts.
    pub(super) fn use_spread_rule(&mut self) {
        let rule = self.lab.spread.chosen();
        let config = spread::config_of(&self.config_of(spread::ALGORITHM), rule);
        let what = match rule == spread::RELATIVE.name() {
            true => format!("{rule} searches"),
            false => format!("{} searches with backup = {rule}", spread::ALGORITHM),
        };
        self.search_with(config, what);
    }

    /// Uses the chosen cell's point differential for MCTS in Explore, whose search restarts.
    pub(super) fn use_differential(&mut self) {
        let page = &self.lab.differential;
        let cell = page.cell();
        let config = page
            .results
            .settings
            .side(Some(cell))
            .map(|options| Config {
                algorithm: differential::ALGORITHM,
                options,
                ..self.config.clone()
            });
        let (from, to) = (cell.from(), cell.to());
        let what = format!("mcts searches by playouts with w from {from} % to {to} %");
        self.search_with(config, what);
    }

    /// Chooses another number of playouts a move, with its own results.
    pub(super) fn next_differential_playouts(&mut self) {
        let page = &mut self.lab.differential;
        if page.is_running() {
            let what = "matches are under way: stop them first";
            self.say(Level::Warning, what);
            return;
        }
        let mut playouts = page.results.settings.playouts;
        next(&mut playouts, &DifferentialPage::PLAYOUTS);
        page.set_playouts(playouts);
        if let Some(what) = page.fault.clone() {
            self.say(Level::Error, what);
        }
    }

    /// Asks for the file to which the grid is written.
    pub(super) fn ask_differential_export(&mut self) {
        self.lab.differential.update();
        if self.lab.differential.results.games() == 0 {
            self.say(Level::Info, "nothing to write yet: no game was played");
            return;
        }
        let playouts = self.lab.differential.results.settings.playouts;
        let prompt = Prompt::new("write to", "a .csv or .json file")
            .with_text(&format!("point-differential-{playouts}.csv"));
        self.overlay = Some(Overlay::Prompt(Answer::ExportGrid, prompt));
    }

    /// Takes the typed path, or returns what is wrong with it.
    pub(crate) fn typed_differential_export(&mut self, text: &str) -> Result<(), String> {
        let path = crate::app::place::home_expanded(text);
        let kind = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let json = match kind.as_deref() {
            Some("json") => true,
            Some("csv") => false,
            _ => return Err("expected a name that ends in .csv or .json".to_owned()),
        };
        if path.exists() {
            return Err("there is such a file already: expected another name".to_owned());
        }
        self.write_grid(&path, json)
            .map_err(|e| format!("can't be written: {e}"))?;
        let games = self.lab.differential.results.games();
        let what = format!("{} written: {games} games", path.display());
        self.say(Level::Info, what);
        Ok(())
    }

    fn write_grid(&mut self, path: &Path, json: bool) -> std::io::Result<()> {
        let page = &mut self.lab.differential;
        page.update();
        let stage = page.matches.as_ref().map(|t| t.progress().0);
        let grid = Grid {
            results: &page.results,
            cells: &cells(),
            complete: stage == Some(JobState::Done),
        };
        let text = match json {
            true => format!("{:#}\n", grid.json()),
            false => grid.csv(),
        };
        save(path, |out| out.write_all(text.as_bytes()))
    }
}
