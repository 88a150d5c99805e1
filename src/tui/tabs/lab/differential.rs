//! The page on point differential: the settings of its matches, their results, and where these are kept.

use std::path::PathBuf;

use super::keys::walk;
use lab::differential::{GridCell, Matches, Plan, Results, SHARES, Settings, Tally, start};
use session::jobs::BackgroundJob;

/// The main figure in the cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figure {
    #[default]
    Score,
    Elo,
    Games,
}

impl Figure {
    pub const ALL: [Figure; 3] = [Figure::Score, Figure::Elo, Figure::Games];
}

/// The state of the page.
#[derive(Debug)]
pub struct DifferentialPage {
    pub matches: Option<BackgroundJob<Matches>>,
    /// The results shown.
    pub results: Results,
    /// Games per cell.
    pub games: usize,
    /// The chosen cell: row (w at the start of a game) and column (at its end).
    pub row: usize,
    pub column: usize,
    pub figure: Figure,
    /// The folder for results; `None` if they are not kept.
    pub folder: Option<PathBuf>,
    /// The file that the shown results were read from.
    read: Option<PathBuf>,
    /// Why the results kept there cannot be used.
    pub fault: Option<String>,
    generation: u64,
}

impl Default for DifferentialPage {
    fn default() -> Self {
        DifferentialPage {
            matches: None,
            results: Results::new(Settings::default()),
            games: 20,
            row: 0,
            column: 0,
            figure: Figure::default(),
            folder: None,
            read: None,
            fault: None,
            generation: 0,
        }
    }
}

impl DifferentialPage {
    /// The choices of games per cell.
    pub const GAMES: [usize; 8] = [20, 40, 100, 200, 400, 1000, 2000, 4000];
    /// The choices of playouts per move.
    pub const PLAYOUTS: [u32; 6] = [25, 50, 100, 200, 400, 800];

    /// Returns the file for the results of these settings.
    pub fn file(&self) -> Option<PathBuf> {
        let playouts = self.results.settings.playouts;
        let name = format!("point-differential-{playouts}.json");
        Some(self.folder.as_ref()?.join(name))
    }

    /// Reads the results kept for the present settings, unless that was done already.
    pub fn open(&mut self) {
        let file = self.file();
        if file.is_none() || file == self.read || self.is_running() {
            return;
        }
        self.read = file.clone();
        self.fault = None;
        let settings = self.results.settings.clone();
        self.results = Results::new(settings.clone());
        match file.as_deref().map(Results::open) {
            Some(Ok(Some(found))) if found.settings == settings => self.results = found,
            Some(Ok(Some(_))) => {
                let file = file.unwrap_or_default();
                self.fault = Some(format!(
                    "{}: found games of other settings, expected the page's; move the file away",
                    file.display()
                ));
            }
            Some(Err(what)) => self.fault = Some(format!("{what}; move the file away")),
            Some(Ok(None)) | None => {}
        }
    }

    /// Starts the matches, or continues where they were left.
    ///
    /// # Errors
    /// The file there cannot be used, or see [`lab::PlanError`].
    pub fn start(&mut self, at_a_time: usize) -> Result<(), String> {
        self.update();
        // The file may have been removed or repaired.
        if self.fault.is_some() {
            self.read = None;
        }
        self.open();
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let plan = Plan {
            games: self.games,
            at_a_time,
            file: self.file(),
            ..Plan::new(self.results.clone())
        };
        self.matches = Some(start(plan).map_err(|e| e.to_string())?);
        self.generation = 0;
        self.update();
        Ok(())
    }

    /// Takes new results.
    pub fn update(&mut self) {
        let Some(matches) = &self.matches else {
            return;
        };
        let generation = matches.generation();
        if self.generation != generation {
            self.results = matches.read(|known| known.results.clone());
            self.generation = generation;
        }
    }

    pub fn is_running(&self) -> bool {
        self.matches.as_ref().is_some_and(|t| !t.has_ended())
    }

    /// Sets another number of playouts per move, which means another experiment with its own file.
    pub fn set_playouts(&mut self, playouts: u32) {
        self.matches = None;
        let settings = Settings {
            playouts,
            ..self.results.settings.clone()
        };
        self.results = Results::new(settings);
        self.read = None;
        self.fault = None;
        self.open();
    }

    pub fn walk(&mut self, rows: isize, columns: isize) {
        walk(&mut self.row, rows, SHARES.len());
        walk(&mut self.column, columns, SHARES.len());
    }

    /// Returns the chosen cell.
    pub fn cell(&self) -> GridCell {
        GridCell::at(self.row, self.column)
    }

    pub fn tally(&self, cell: GridCell) -> Tally {
        self.results.tally(cell)
    }
}

/// Returns where results are kept (`~/.local/state/plyscope` on Linux), whether or not the folder exists.
pub fn folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().ok()?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Some(state.join("plyscope"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_neither_used_nor_lost() {
        let folder = std::env::temp_dir().join(format!("plyscope-page-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut page = DifferentialPage {
            folder: Some(folder.clone()),
            ..DifferentialPage::default()
        };
        let file = page.file().expect("a file");
        std::fs::write(&file, "{\"version\": 1").expect("written");
        page.open();
        let fault = page.fault.clone().expect("a fault");
        assert!(fault.contains("point-differential-100.json"), "{fault}");
        assert_eq!(page.start(1), Err(fault));
        assert!(page.matches.is_none());
        let kept = std::fs::read_to_string(&file).expect("still there");
        assert_eq!(kept, "{\"version\": 1");
        // A fault of one file does not affect another file, and ends when the file is removed.
        page.set_playouts(25);
        assert_eq!(page.fault, None);
        page.set_playouts(100);
        assert!(page.fault.is_some());
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(page.start(1), Ok(()));
        drop(page);
        let _ = std::fs::remove_dir_all(&folder);
    }
}
