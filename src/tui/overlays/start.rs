//! The list that plyscope opens with: the ways in, what was open last, the samples, and whatever is typed or pasted.

use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::overlays::Answer;
use crate::overlays::chooser::{Chooser, Item};
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
pub(crate) const GAME: &str = "opera-game";

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
        self.choose(Answer::Start(ways), chooser);
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
    pub(crate) fn can_open(&self, typed: &str) -> bool {
        let typed = typed.trim();
        let is_file = || crate::context::place::home_expanded(typed).is_file();
        !typed.is_empty() && (is_file() || self.can_play(typed) || Document::pasted(typed).is_ok())
    }

    fn can_play(&self, typed: &str) -> bool {
        !typed.contains(['\n', '[']) && self.can_make(typed)
    }

    /// Searches on if the search waits.
    pub(crate) fn search_now(&mut self) {
        if self.state() == Some(State::Paused)
            && let Some(session) = &mut self.session
        {
            session.resume();
        }
    }
}
