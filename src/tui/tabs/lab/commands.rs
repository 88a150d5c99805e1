//! What the commands of the Lab tab do to the rest of the workbench.

use std::fmt::Display;
use std::path::Path;

use super::differential::DifferentialPage;
use super::keys::next;
use super::pages::PAGES;
use super::{LabPage, LabTab, Positions};
use crate::context::{Context, Level};
use crate::overlays::prompt::{Prompt, Typed};
use crate::tabs::Tab;
use ::lab::differential::{self, cells};
use ::lab::sweep::Spec;
use ::lab::{self, Position, Sampler, Tested, spread};
use algorithms::Algorithm;
use games::samples;
use report::lab::differential::Grid;
use report::sheet::Report as _;
use session::jobs::JobState;
use session::{Config, State};
use studies::compare::ColumnSpec;
use text::save::save;

impl Context {
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
}

impl LabTab {
    /// Returns what uses the cores in the Lab, as a message for a user who needs them for something else.
    pub fn lab_busy(&self) -> Option<String> {
        let mut pages = PAGES.iter().map(|(_, page)| page);
        let page = pages.find(|page| page.is_running(self))?;
        let name = page.running_name(self);
        Some(format!(
            "the experiment on the page {name} has the cores: stop it first"
        ))
    }

    /// Changes a setting. It takes effect with the next experiment; the present one keeps its settings.
    pub(super) fn set_lab(&mut self, cx: &mut Context, change: impl FnOnce(&mut LabTab)) {
        change(self);
        if self.job().is_some() {
            cx.say(Level::Info, "for the next experiment");
        }
    }

    /// Returns at most `count` of the samples' positions, or of the open ones.
    pub(super) fn lab_positions(&self, cx: &Context, count: usize) -> Vec<Position> {
        let mut sampler = Sampler::new(count);
        match self.positions {
            Positions::Samples => {
                for document in samples::all().iter().filter_map(|s| s.open().ok()) {
                    for entry in document.entries().flatten() {
                        sampler.offer_entry(&entry);
                    }
                }
            }
            Positions::Opened if cx.current.plies() == 0 && cx.document.games().is_none() => {
                for (i, entry) in
                    (0..cx.document.len()).filter_map(|i| Some((i, cx.document.entry(i).ok()?)))
                {
                    sampler.offer(|| Position::new(cx.document.title(i), entry.subject()));
                }
            }
            Positions::Opened => {
                for ply in 0..=cx.current.plies() {
                    sampler
                        .offer(|| Position::new(format!("ply {ply}"), cx.current.subject_at(ply)));
                }
            }
        }
        sampler.finish()
    }

    /// Tests the next rule, with the margin that it has now.
    pub(super) fn next_lab_rule(&mut self, cx: &mut Context) {
        let options = cx.config_of(lab::ALGORITHM).options;
        self.set_lab(cx, |lab| {
            next(&mut lab.tested, &Tested::ALL);
            lab.read(&options);
        });
    }

    /// Fits the margins to what was measured so far.
    pub(super) fn fit_lab(&mut self, cx: &mut Context) {
        if !self.fit() {
            cx.say(Level::Info, "nothing measured yet");
            return;
        }
        let level = self.known.as_ref().map_or(0.0, |k| k.fits.level);
        let share = text::percent(level as f32);
        let what = format!("fitted: {share} of the changes go beyond each margin");
        cx.say(Level::Info, what);
    }

    /// Takes the margins of the trials.
    pub(super) fn equal_lab(&mut self, cx: &mut Context) {
        let what = match self.equal() {
            true => "the trials' margins, which save as many nodes as the first",
            false => "no trial is finished yet",
        };
        cx.say(Level::Info, what);
    }

    /// Uses the chosen family's margin for alpha-beta in Explore, whose search restarts.
    pub(super) fn use_lab_margin(&mut self, cx: &mut Context) {
        let known = self.known.as_ref();
        let tested = known.map_or(self.tested, |k| k.findings.tested);
        let margin = self.margins[self.family];
        let config = cx.config_of(lab::ALGORITHM);
        let options = tested.with_margin(&config.options, &margin);
        let key = tested.margin_key();
        cx.search_with(
            options.map(|options| Config { options, ..config }),
            format!("alpha-beta searches with {key} = {margin}"),
        );
    }

    /// Uses the chosen back-up rule for DISTRESS in Explore, whose search restarts.
    pub(super) fn use_spread_rule(&mut self, cx: &mut Context) {
        let rule = self.spread.chosen();
        let config = spread::config_of(&cx.config_of(spread::ALGORITHM), rule);
        let what = match rule == spread::RELATIVE.name() {
            true => format!("{rule} searches"),
            false => format!("{} searches with backup = {rule}", spread::ALGORITHM),
        };
        cx.search_with(config, what);
    }

    /// Uses the chosen cell's point differential for MCTS in Explore, whose search restarts.
    pub(super) fn use_differential(&mut self, cx: &mut Context) {
        let page = &self.differential;
        let cell = page.cell();
        let config = page
            .results
            .settings
            .side(Some(cell))
            .map(|options| Config {
                algorithm: differential::ALGORITHM,
                options,
                ..cx.config.clone()
            });
        let (from, to) = (cell.from(), cell.to());
        let what = format!("mcts searches by playouts with w from {from} % to {to} %");
        cx.search_with(config, what);
    }

    /// Asks what is varied, and says while it is typed what is wrong with it.
    pub(super) fn ask_sweep(&mut self, cx: &mut Context) {
        let base = cx.config.clone();
        let check = move |text: &str| -> Result<String, String> {
            let (tried, _) = text.parse::<Spec>()?.columns(&base)?;
            Ok(format!("{} and what is built in", tried.counted()))
        };
        let hint = "-a NAME --set KEY=FORMULA --over NAME=FROM..TO:STEP";
        let prompt = Prompt::new("vary", hint).with_text(&self.sweep.line);
        let while_typing = check.clone();
        cx.ask_while(
            prompt,
            move |_, prompt, typed| {
                if typed == Typed::Changed {
                    prompt.note = while_typing(prompt.text()).unwrap_or_else(|wrong| wrong);
                }
            },
            move |app, text| {
                check(text)?;
                let line = text.trim().to_owned();
                app.tabs
                    .lab
                    .set_lab(&mut app.cx, |lab| lab.sweep.line = line);
                Ok(())
            },
        );
    }

    /// Uses the chosen variant in Explore, whose search restarts.
    pub(super) fn use_variant(&mut self, cx: &mut Context) {
        let page = &self.sweep;
        let column = page.of.as_ref().and_then(|of| of.columns.get(page.variant));
        let Some(ColumnSpec::Own(config)) = column else {
            cx.say(Level::Info, "nothing tried yet");
            return;
        };
        let config = Config {
            algorithm: config.algorithm,
            options: config.options.clone(),
            ..cx.config.clone()
        };
        let what = format!("searches as {}", ColumnSpec::Own(config.clone()));
        cx.search_with(Ok::<_, String>(config), what);
    }

    /// Chooses another number of playouts a move, with its own results.
    pub(super) fn next_differential_playouts(&mut self, cx: &mut Context) {
        let page = &mut self.differential;
        if page.is_running() {
            let what = "matches are under way: stop them first";
            cx.say(Level::Warning, what);
            return;
        }
        let mut playouts = page.results.settings.playouts;
        next(&mut playouts, &DifferentialPage::PLAYOUTS);
        page.set_playouts(playouts);
        if let Some(what) = page.fault.clone() {
            cx.say(Level::Error, what);
        }
    }

    /// Asks for the file to which the grid is written.
    pub(super) fn ask_differential_export(&mut self, cx: &mut Context) {
        self.differential.update();
        if self.differential.results.games() == 0 {
            cx.say(Level::Info, "nothing to write yet: no game was played");
            return;
        }
        let playouts = self.differential.results.settings.playouts;
        let prompt = Prompt::new("write to", "a .csv or .json file")
            .with_text(&format!("point-differential-{playouts}.csv"));
        cx.ask(prompt, |app, text| {
            let lab = &mut app.tabs.lab;
            lab.typed_differential_export(&mut app.cx, text.trim())
        });
    }

    /// Takes the typed path, or returns what is wrong with it.
    fn typed_differential_export(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let path = crate::context::place::home_expanded(text);
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
        let games = self.differential.results.games();
        let what = format!("{} written: {games} games", path.display());
        cx.say(Level::Info, what);
        Ok(())
    }

    fn write_grid(&mut self, path: &Path, json: bool) -> std::io::Result<()> {
        let page = &mut self.differential;
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

    /// Starts the experiment that is shown, or stops it.
    pub fn toggle_lab(&mut self, cx: &mut Context) {
        let page = self.page.screen();
        if let Some(job) = self.job().filter(|job| !job.has_ended()) {
            job.stop();
            let what = match self.page {
                LabPage::Differential => {
                    "the matches are stopped: what was played stays, the same key goes on"
                }
                _ => "the experiment is stopped: what it found stays",
            };
            cx.say(Level::Info, what);
        } else if let Some(what) = self.lab_busy() {
            cx.say(Level::Warning, what);
        } else {
            match page.begin(self, cx) {
                Ok(()) => self.lab_began(cx),
                Err(what) => cx.say(Level::Error, what),
            }
        }
    }

    /// Called when an experiment of the shown page has begun: notes what was asked, and pauses Explore's search, since
    /// the experiment needs the cores.
    fn lab_began(&mut self, cx: &mut Context) {
        let page = self.page;
        let asked = page.screen().asked(self, cx);
        self.runs.begin(page, asked);
        if cx.state() == Some(State::Running)
            && let Some(session) = &mut cx.session
        {
            session.pause();
            cx.say(
                Level::Info,
                "the search in Explore is paused: the experiment has the cores",
            );
        }
    }

    /// Shows a page of the Lab.
    pub(super) fn show_lab_page(&mut self, cx: &mut Context, page: LabPage) {
        self.page = page;
        page.screen().comes(self, cx);
    }

    /// Called when the tab is shown: the margin in use is shown if there are no results yet.
    pub(super) fn open_lab(&mut self, cx: &mut Context, before: Tab) {
        if before != Tab::Lab && self.experiment.is_none() {
            self.read(&cx.config_of(lab::ALGORITHM).options);
        }
        self.page.screen().comes(self, cx);
    }
}
