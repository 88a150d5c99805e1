//! Writes the reviewed game back in the format of its file, and keeps everything that was in the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::context::{Ask, Context, Level};
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::prompt::Prompt;
use crate::tabs::compare::letter;
use crate::tabs::game::GameTab;
use game::load::pgn::{Annotation, Existing};
use report::why::plural;
use text::files::modified;
use text::save::save;

impl Context {
    /// Returns `NAME-annotated.EXTENSION` beside the opened file, or in the current folder.
    fn export_default(&self) -> PathBuf {
        let opened = self.document.path.clone();
        let from = opened.unwrap_or_else(|| PathBuf::from(self.document.file_name()));
        let stem = from.file_stem().map(|s| s.to_string_lossy().into_owned());
        let extension = self.document.format.extension;
        from.with_file_name(format!(
            "{}-annotated.{extension}",
            stem.unwrap_or_default()
        ))
    }

    /// Asks whether to replace an existing file.
    fn ask_over(&mut self, path: PathBuf) {
        let name = text::sanitise(&path.display().to_string());
        let (yes, detail) = if self.is_opened_file(&path) {
            let what = match self.document.keeps_text() {
                true => "everything in it stays, the annotations are written into this game",
                false => "its games stay, the annotations are written into this game",
            };
            (format!("write into {name}"), what)
        } else {
            let what = "what is in it is lost";
            (format!("replace {name}"), what)
        };
        let items = vec![Item::new(yes, detail), Item::new("don't write", "")];
        let chooser = Chooser::new("the file is there already", items, 1);
        self.choose(chooser, move |app, answer| match answer {
            0 => app.tabs.game.ask_games(&mut app.cx, path.clone()),
            _ => app.cx.say(Level::Info, "nothing was written"),
        });
    }

    fn is_opened_file(&self, path: &Path) -> bool {
        let real = |p: &Path| p.canonicalize().ok();
        let opened = self.document.path.as_deref().and_then(real);
        opened.is_some() && opened == real(path)
    }
}

impl GameTab {
    /// Asks where to write the game with what the judging column found.
    pub fn ask_export(&mut self, cx: &mut Context) {
        self.take_results();
        if !cx.document.can_be_written() {
            let what = "only a game can be written back, not a position or a tree";
            cx.say(Level::Info, what);
            return;
        }
        let keeps_text = cx.document.keeps_text();
        if self.annotations().is_empty() {
            let what = "nothing to write yet: R reviews the game first";
            cx.say(Level::Info, what);
            return;
        }
        let default = cx.export_default();
        let what = match keeps_text {
            true => "a PGN file; the opened one may be named too",
            false => "a file for this game with its variations, values and marks",
        };
        let prompt = Prompt::new("write to", what).with_text(&default.to_string_lossy());
        cx.ask(prompt, |app, text| {
            app.tabs.game.typed_export(&mut app.cx, text.trim())
        });
    }

    /// Returns the judging column's annotations of the game.
    fn annotations(&self) -> Vec<Annotation> {
        let Some(reviewed) = &self.review else {
            return Vec::new();
        };
        reviewed.annotations(self.judge)
    }

    /// Whether the opened file is still as it was written here, in which case it was read again already.
    pub(crate) fn is_own_writing(&self, path: &Path) -> bool {
        self.written.is_some() && self.written == modified(path)
    }

    fn write_game(
        &self,
        cx: &Context,
        path: &Path,
        annotations: &[Annotation],
        existing: Existing,
    ) -> Result<(), String> {
        let annotated = cx.document.annotated(cx.entry, annotations, existing);
        let text = annotated.map_err(|e| e.to_string())?;
        let saved = match self.all_games {
            true => cx
                .document
                .save_all(path, &BTreeMap::from([(cx.entry, text)])),
            false => save(path, |out| out.write_all(&text)),
        };
        saved.map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Takes the typed path, or returns what is wrong with it.
    fn typed_export(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err("expected the name of a file".to_owned());
        }
        let path = crate::context::place::home_expanded(text);
        if path.is_dir() {
            return Err(format!("{text} is a folder, expected a file"));
        }
        if path.exists() {
            cx.ask_over(path);
        } else {
            self.ask_games(cx, path);
        }
        Ok(())
    }

    /// If the opened file has other games, asks whether to write them too: they are not reviewed.
    fn ask_games(&mut self, cx: &mut Context, path: PathBuf) {
        self.all_games = cx.is_opened_file(&path);
        let others = cx.document.len().saturating_sub(1);
        if others == 0 || self.all_games {
            return self.ask_existing(cx, path);
        }
        let games = if others == 1 { "game" } else { "games" };
        let items = vec![
            Item::new("this game only", "the file has just the reviewed game"),
            Item::new(
                format!("with the {others} other {games} of the file"),
                "as they are: they get no evaluations and no marks",
            ),
        ];
        let chooser = Chooser::new("which games to write", items, 0);
        cx.choose(chooser, move |app, answer| {
            app.tabs.game.all_games = answer == 1;
            app.tabs.game.ask_existing(&mut app.cx, path.clone());
        });
    }

    /// If the game already has evaluations, asks which ones to keep; otherwise writes the game.
    fn ask_existing(&mut self, cx: &mut Context, path: PathBuf) {
        let game = cx.current.game();
        let count = game.map_or(0, |game| {
            let line = game.main_line();
            let evaluated = line
                .iter()
                .filter(|&&n| game.nodes[n].evaluation().is_some());
            evaluated.count()
        });
        if count == 0 {
            self.export(cx, &path, Existing::Keep);
            return;
        }
        let option = |label: &str, detail: String| Item::new(label, detail);
        let judge = letter(self.judge);
        let items = vec![
            option("keep", format!("the {count} evaluations of the file stay")),
            option("replace", format!("column {judge}'s take their place")),
        ];
        let chooser = Chooser::new("evaluations that are in the game", items, 0);
        cx.choose(chooser, move |app, answer| {
            let existing = [Existing::Keep, Existing::Replace][answer];
            app.tabs.game.export(&mut app.cx, &path, existing);
        });
    }

    fn export(&mut self, cx: &mut Context, path: &Path, existing: Existing) {
        let annotations = self.annotations();
        match self.write_game(cx, path, &annotations, existing) {
            Ok(()) => {
                let what = self.told(path, &annotations);
                // The games' text has moved within the file and must not be read from the old places.
                if cx.is_opened_file(path) {
                    self.written = modified(path);
                    cx.asks.push(Ask::ReadAgain(what));
                } else {
                    cx.say(Level::Info, what);
                }
            }
            Err(what) => cx.say(Level::Error, format!("nothing was written: {what}")),
        }
    }

    /// Says what was written.
    fn told(&self, path: &Path, annotations: &[Annotation]) -> String {
        let path = path.display();
        if annotations.is_empty() {
            return format!("{path} written");
        }
        let count = |has: fn(&Annotation) -> bool, what| {
            let found = annotations.iter().filter(|annotation| has(annotation));
            plural(found.count() as u64, what)
        };
        format!(
            "{path} written: {}, {}, {} by column {}{}",
            count(|a| a.evaluation.is_some(), "evaluation"),
            count(|a| a.nag.is_some(), "mark"),
            count(|a| !a.variation.is_empty(), "better line"),
            letter(self.judge),
            match self.is_complete() {
                true => "",
                false => "; the review is not finished yet",
            },
        )
    }
}
