//! Writes the reviewed game back as PGN, and keeps everything that was in the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::app::{Answer, App, Level, Overlay};
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::prompt::Prompt;
use crate::tabs::compare::letter;
use game::load::files::modified;
use game::load::pgn::{Annotation, Existing};
use game::load::save::save;

impl App {
    /// Asks where to write the game with what the judging column found.
    pub fn ask_export(&mut self) {
        self.take_results();
        if self.document.games().is_none() {
            self.say(Level::Info, "only a game of a PGN file can be written back");
            return;
        }
        if self.annotations().is_empty() {
            let what = "nothing to write yet: R reviews the game first";
            self.say(Level::Info, what);
            return;
        }
        let default = self.export_default();
        let prompt = Prompt::new("write to", "a PGN file; the opened one may be named too")
            .with_text(&default.to_string_lossy());
        self.overlay = Some(Overlay::Prompt(Answer::Export, prompt));
    }

    /// Returns `NAME-annotated.pgn` beside the opened file, or in the current folder.
    fn export_default(&self) -> PathBuf {
        let opened = self.document.path.clone();
        let from = opened.unwrap_or_else(|| PathBuf::from(self.document.file_name()));
        let stem = from.file_stem().map(|s| s.to_string_lossy().into_owned());
        from.with_file_name(format!("{}-annotated.pgn", stem.unwrap_or_default()))
    }

    /// Returns the judging column's annotations of the game.
    fn annotations(&self) -> Vec<Annotation> {
        let Some(reviewed) = &self.game.review else {
            return Vec::new();
        };
        reviewed.annotations(self.game.judge)
    }

    /// Takes the typed path, or returns what is wrong with it.
    pub(crate) fn typed_export(&mut self, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err("expected the name of a file".to_owned());
        }
        let path = crate::app::place::home_expanded(text);
        if path.is_dir() {
            return Err(format!("{text} is a folder, expected a file"));
        }
        if path.exists() {
            self.ask_over(path);
        } else {
            self.ask_games(path);
        }
        Ok(())
    }

    /// If the opened file has other games, asks whether to write them too: they are not reviewed.
    fn ask_games(&mut self, path: PathBuf) {
        self.game.all_games = self.is_opened_file(&path);
        let others = self.document.len().saturating_sub(1);
        if others == 0 || self.game.all_games {
            return self.ask_existing(path);
        }
        let games = if others == 1 { "game" } else { "games" };
        let items = vec![
            Item {
                label: "this game only".to_owned(),
                detail: "the file has just the reviewed game".to_owned(),
                ..Item::default()
            },
            Item {
                label: format!("with the {others} other {games} of the file"),
                detail: "as they are: they get no evaluations and no marks".to_owned(),
                ..Item::default()
            },
        ];
        let chooser = Chooser::new("which games to write", items, 0);
        self.choose(Answer::ExportGames(path), chooser);
    }

    /// Handles the answer to [`App::ask_games`].
    pub(crate) fn export_games(&mut self, path: &Path, answer: usize) {
        self.game.all_games = answer == 1;
        self.ask_existing(path.to_owned());
    }

    /// Asks whether to replace an existing file.
    fn ask_over(&mut self, path: PathBuf) {
        let name = crate::text::harmless(&path.display().to_string());
        let (yes, detail) = if self.is_opened_file(&path) {
            let what = "everything in it stays, the annotations are written into this game";
            (format!("write into {name}"), what)
        } else {
            let what = "what is in it is lost";
            (format!("replace {name}"), what)
        };
        let items = vec![
            Item {
                label: yes,
                detail: detail.to_owned(),
                ..Item::default()
            },
            Item {
                label: "don't write".to_owned(),
                ..Item::default()
            },
        ];
        let chooser = Chooser::new("the file is there already", items, 1);
        self.choose(Answer::ExportOver(path), chooser);
    }

    fn is_opened_file(&self, path: &Path) -> bool {
        let real = |p: &Path| p.canonicalize().ok();
        let opened = self.document.path.as_deref().and_then(real);
        opened.is_some() && opened == real(path)
    }

    /// Handles the answer to [`App::ask_over`]; returns whether the list stays open.
    pub(crate) fn export_over(&mut self, path: &Path, answer: usize) -> bool {
        if answer == 0 {
            self.ask_games(path.to_owned());
        } else {
            self.say(Level::Info, "nothing was written");
        }
        false
    }

    /// If the game already has evaluations, asks which ones to keep; otherwise writes the game.
    fn ask_existing(&mut self, path: PathBuf) {
        let game = self.current.game();
        let count = game.map_or(0, |game| {
            let line = game.main_line();
            let evaluated = line
                .iter()
                .filter(|&&n| game.nodes[n].evaluation().is_some());
            evaluated.count()
        });
        if count == 0 {
            self.export(&path, Existing::Keep);
            return;
        }
        let option = |label: &str, detail: String| Item {
            label: label.to_owned(),
            detail,
            ..Item::default()
        };
        let judge = letter(self.game.judge);
        let items = vec![
            option("keep", format!("the {count} evaluations of the file stay")),
            option("replace", format!("column {judge}'s take their place")),
        ];
        let chooser = Chooser::new("evaluations that are in the game", items, 0);
        self.choose(Answer::ExportExisting(path), chooser);
    }

    /// Handles the answer to [`App::ask_existing`].
    pub(crate) fn export_existing(&mut self, path: &Path, answer: usize) {
        let existing = if answer == 0 {
            Existing::Keep
        } else {
            Existing::Replace
        };
        self.export(path, existing);
    }

    fn export(&mut self, path: &Path, existing: Existing) {
        let annotations = self.annotations();
        match self.write_game(path, &annotations, existing) {
            Ok(()) => {
                let count =
                    |f: fn(&Annotation) -> bool| annotations.iter().filter(|a| f(a)).count();
                let what = format!(
                    "{} written: {} evaluations, {} marks, {} better lines by column {}{}",
                    path.display(),
                    count(|a| a.evaluation.is_some()),
                    count(|a| a.nag.is_some()),
                    count(|a| !a.variation.is_empty()),
                    letter(self.game.judge),
                    if self.game.is_complete() {
                        ""
                    } else {
                        "; the review is not finished yet"
                    },
                );
                // The games' text has moved within the file and must not be read from the old places.
                if self.is_opened_file(path) {
                    self.reload();
                    self.game.written = modified(path);
                }
                self.say(Level::Info, what);
            }
            Err(what) => self.say(Level::Error, format!("nothing was written: {what}")),
        }
    }

    /// Whether the opened file is still as it was written here, in which case it was read again already.
    pub(crate) fn is_own_writing(&self, path: &Path) -> bool {
        self.game.written.is_some() && self.game.written == modified(path)
    }

    fn write_game(
        &self,
        path: &Path,
        annotations: &[Annotation],
        existing: Existing,
    ) -> Result<(), String> {
        let games = self.document.games().ok_or("no games are open")?;
        let annotated = games.annotated(self.entry, annotations, existing);
        let text = annotated.map_err(|e| e.to_string())?;
        let saved = if self.game.all_games {
            games.save(path, &BTreeMap::from([(self.entry, text)]))
        } else {
            save(path, |out| out.write_all(&text))
        };
        saved.map_err(|e| format!("{}: {e}", path.display()))
    }
}
