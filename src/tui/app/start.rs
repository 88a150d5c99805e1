//! The list that plyscope opens with: the ways in, what was open last, the samples, and whatever is typed or pasted.

use std::path::{Path, PathBuf};

use super::App;
use crate::context::{Context, Level};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::tabs::Tab;
use crate::views::bar::key_of_command;
use game::ChessPosition;
use games::{Document, samples};
use session::State;

/// Where an item of the list leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The session that was kept when the program ended last.
    GoOn(PathBuf),
    Learn,
    Explore,
    Review,
    Compare,
    /// A file that was open before.
    Recent(PathBuf),
    /// A sample, by its index.
    Sample(usize),
    /// What was typed: a FEN, moves, or the name of a file.
    Typed,
}

/// Says how long ago a file was written.
fn left(path: &Path) -> String {
    let written = std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let ago = written.and_then(|at| at.elapsed().ok());
    match ago.map(|ago| ago.as_secs() / 60) {
        None => "last".to_owned(),
        Some(0) => "just now".to_owned(),
        Some(1) => "a minute ago".to_owned(),
        Some(minutes @ 2..120) => format!("{minutes} minutes ago"),
        Some(minutes @ 120..2880) => format!("{} hours ago", minutes / 60),
        Some(minutes) => format!("{} days ago", minutes / 1440),
    }
}

/// The game to try the review on.
const GAME: &str = "opera-game";

impl Context {
    /// Offers the ways in.
    pub fn ask_start(&mut self) {
        if self.samples.is_empty() {
            self.samples = samples::all();
        }
        let last = self.autosave.last().map(|file| Way::GoOn(file.to_owned()));
        let mut ways: Vec<Way> = last.into_iter().collect();
        ways.extend([Way::Learn, Way::Explore, Way::Review, Way::Compare]);
        ways.extend(self.recent.files().map(|f| Way::Recent(f.clone())));
        ways.extend((0..self.samples.len()).map(Way::Sample));
        ways.push(Way::Typed);
        let items = ways.iter().map(|way| self.item_of(way)).collect();
        let mut chooser = Chooser::new(
            "plyscope shows how a game-tree search comes to its belief",
            items,
            0,
        );
        chooser.placeholder = "type to filter, or paste a FEN, moves or a file · Esc close";
        chooser.describes = true;
        // Nothing behind it has been asked for yet.
        chooser.covers = true;
        (chooser.least, chooser.verb) = (96, "open");
        let typed = ways.len() - 1;
        chooser.takes_pasted = Some(typed);
        self.choose_while(chooser, move |app, chooser, choice| match choice {
            Choice::Moved => {
                chooser.pin(Some(typed).filter(|_| app.cx.can_open(&chooser.query)));
                true
            }
            Choice::Taken(taken) => app.start_taken(&ways[taken], &chooser.query),
            _ => false,
        });
    }

    fn item_of(&self, way: &Way) -> Item {
        let item =
            |label: &str, detail: &str| Item::new(text::sanitise(label), text::sanitise(detail));
        match way {
            Way::GoOn(path) => item(
                "Go on",
                &format!("the session that was left {}", left(path)),
            ),
            Way::Learn => item(
                "Learn",
                "lessons with questions: what a search does, step by step, from the beginning",
            ),
            Way::Explore => item(
                "Explore",
                "watch a search of the starting position grow its tree, pause it and step through it",
            ),
            Way::Review => item(
                "Review a game",
                "a famous game to try it on: find its mistakes and the better moves",
            ),
            Way::Compare => item(
                "Compare",
                "several algorithms on one position, side by side, and where they disagree",
            ),
            Way::Recent(path) => Item {
                note: "open again".to_owned(),
                ..item(
                    &path.file_name().unwrap_or_default().to_string_lossy(),
                    &path.display().to_string(),
                )
            },
            Way::Sample(i) => Item {
                note: "sample".to_owned(),
                ..item(&self.samples[*i].title, &self.samples[*i].hint)
            },
            Way::Typed => Item {
                fixed: true,
                ..item(
                    "What I typed or pasted",
                    "a FEN, moves like e4 e5 Nf3, or the name of a .pgn, .fen, .epd, .tree or .plyscope file",
                )
            },
        }
    }

    /// Whether `open_text` would open a line of text.
    fn can_open(&self, typed: &str) -> bool {
        let typed = typed.trim();
        let is_file = || crate::context::place::home_expanded(typed).is_file();
        !typed.is_empty() && (is_file() || self.can_play(typed) || Document::pasted(typed).is_ok())
    }

    fn can_play(&self, typed: &str) -> bool {
        !typed.contains(['\n', '[']) && self.can_make(typed)
    }

    /// Searches on if the search waits.
    fn search_now(&mut self) {
        if self.state() == Some(State::Paused)
            && let Some(session) = &mut self.session
        {
            session.resume();
        }
    }
}

impl App {
    /// Goes the way that was chosen; returns whether the list stays open.
    fn start_taken(&mut self, way: &Way, typed: &str) -> bool {
        match way {
            Way::Learn => self.show_tab(Tab::Learn),
            Way::Compare => self.show_tab(Tab::Compare),
            Way::Explore => {
                let start = ChessPosition::default();
                self.show_tab(Tab::Explore);
                self.tabs
                    .game
                    .open_document(&mut self.cx, Document::position("start position", start));
                self.cx.search_now();
            }
            Way::Review => {
                self.show_tab(Tab::Game);
                let name = |s: &samples::Sample| s.name.starts_with(GAME);
                if let Some(sample) = self.cx.samples.iter().find(|s| name(s)).cloned() {
                    self.tabs.game.open_sample(&mut self.cx, &sample);
                }
                let what = format!(
                    "{} reviews this game · {} opens a file of yours",
                    key_of_command(&self.cx, "review"),
                    key_of_command(&self.cx, "open-file")
                );
                self.cx.say(Level::Info, what);
            }
            Way::GoOn(path) | Way::Recent(path) => self.open_path(path),
            Way::Sample(i) => {
                let sample = self.cx.samples[*i].clone();
                self.tabs.game.open_sample(&mut self.cx, &sample);
            }
            Way::Typed => {
                if let Err(what) = self.open_text(typed) {
                    self.cx.say(Level::Error, what);
                    return true;
                }
            }
        }
        false
    }

    /// Opens what a text says: the file of this name, the moves played from the position that is searched, or the
    /// positions, games or toy tree in the text itself.
    ///
    /// # Errors
    /// If it is nothing of that kind.
    pub fn open_text(&mut self, typed: &str) -> Result<(), String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err("type or paste a FEN, moves or the name of a file first".to_owned());
        }
        let path = crate::context::place::home_expanded(typed);
        if !typed.contains('\n') && path.is_file() {
            self.open_path(&path);
            return Ok(());
        }
        if !typed.contains(['\n', '[']) && self.cx.make_typed(typed).is_ok() {
            self.show_tab(Tab::Explore);
            return Ok(());
        }
        let document = Document::pasted(typed)?;
        self.tabs.game.open_document(&mut self.cx, document);
        Ok(())
    }
}
