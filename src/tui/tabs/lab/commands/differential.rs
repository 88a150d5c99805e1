//! Commands of the Lab's page on point differential.

use std::path::Path;

use crate::app::{Answer, App, Level, Overlay};
use crate::overlays::prompt::Prompt;
use crate::tabs::lab::differential::{DifferentialPage, Figure};
use ::report::lab::differential as report;
use game::load::save::save;
use lab::differential::{self, cells};
use session::Config;
use session::jobs::JobState;

impl App {
    /// Starts the matches, resumes them, or stops them.
    pub fn toggle_differential(&mut self) {
        let page = &mut self.lab.differential;
        if let Some(matches) = page.matches.as_ref().filter(|t| !t.has_ended()) {
            matches.stop();
            let what = "the matches are stopped: what was played stays, the same key goes on";
            self.say(Level::Info, what);
            return;
        }
        if let Some(what) = self.lab_busy() {
            self.say(Level::Warning, what);
            return;
        }
        match self.lab.differential.start(self.config.threads) {
            Ok(()) => self.lab_began(),
            Err(what) => self.say(Level::Error, what),
        }
    }

    pub fn walk_differential(&mut self, rows: isize, columns: isize) {
        self.lab.differential.walk(rows, columns);
    }

    pub fn next_differential_games(&mut self) {
        let page = &mut self.lab.differential;
        page.games = super::next(&DifferentialPage::GAMES, &page.games);
        if self.lab.differential.is_running() {
            self.say(Level::Info, "from the next start on");
        }
    }

    pub fn next_differential_playouts(&mut self) {
        if self.lab.differential.is_running() {
            let what = "matches are under way: stop them first";
            self.say(Level::Warning, what);
            return;
        }
        let page = &mut self.lab.differential;
        let playouts = page.results.settings.playouts;
        page.set_playouts(super::next(&DifferentialPage::PLAYOUTS, &playouts));
        if let Some(what) = page.fault.clone() {
            self.say(Level::Error, what);
        }
    }

    pub fn next_differential_figure(&mut self) {
        let page = &mut self.lab.differential;
        page.figure = match page.figure {
            Figure::Score => Figure::Elo,
            Figure::Elo => Figure::Games,
            Figure::Games => Figure::Score,
        };
    }

    /// Uses the chosen cell's point differential for MCTS in Explore, whose search restarts.
    pub fn use_differential(&mut self) {
        let page = &self.lab.differential;
        let cell = page.cell();
        match page.results.settings.side(Some(cell)) {
            Ok(options) => {
                self.config = Config {
                    algorithm: differential::ALGORITHM,
                    options,
                    ..self.config.clone()
                };
                self.start_search();
                let what = format!(
                    "mcts searches by playouts with w from {} % to {} % (1 shows it)",
                    cell.from(),
                    cell.to()
                );
                self.say(Level::Info, what);
            }
            Err(what) => self.say(Level::Error, what.to_string()),
        }
    }

    pub fn ask_differential_export(&mut self) {
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
        let complete = stage == Some(JobState::Done);
        let results = &page.results;
        save(path, |out| {
            if json {
                report::json(results, &cells(), complete, out)
            } else {
                report::csv(results, &cells(), out).map_err(std::io::Error::other)
            }
        })
    }
}
