//! The start screen: what plyscope offers, what was open last, the samples, and whatever is typed or pasted.

use std::path::Path;

use super::App;
use crate::context::{Context, Level};
use crate::overlays::chooser::Choosing;
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::overlays::start::{GAME, Way};
use crate::tabs::Tab;
use crate::views::bar::key_of_command;
use game::ChessPosition;
use games::{Document, FORMATS, Opening, samples};
use session::State;

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

/// The sample of the starting position, which has a way of its own.
const START: &str = "start.fen";

impl Context {
    /// Opens the start screen.
    pub fn ask_start(&mut self) {
        if self.samples.is_empty() {
            self.samples = samples::all();
        }
        let sample = |name: &str| self.samples.iter().position(|s| s.name.starts_with(name));
        let samples = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| sample(name))
                .map(Way::Sample)
                .collect()
        };
        let last = self.autosave.last().map(|file| Way::GoOn(file.to_owned()));
        let recent = self.recent.files().map(|file| Way::Recent(file.clone()));
        let boards = FORMATS
            .iter()
            .filter_map(|format| format.boards.split_first());
        let (first, others): (Vec<&Opening>, Vec<&[Opening]>) = boards.unzip();
        let mut groups: Vec<(&'static str, Vec<Way>)> = vec![
            ("go on", last.into_iter().chain(recent).collect()),
            ("learn", vec![Way::Learn]),
            ("position", samples(&["quiet-middlegame", "tactics"])),
            ("", vec![Way::Explore]),
            ("game", vec![Way::Review]),
            ("compare", vec![Way::Compare]),
            ("engine", vec![Way::Attach, Way::Engine]),
            ("tree", samples(&["textbook", "figure1.tree"])),
            ("new board", first.into_iter().map(Way::Begin).collect()),
        ];
        let listed: Vec<Way> = groups.iter().flat_map(|(_, ways)| ways.clone()).collect();
        let all = (0..self.samples.len()).map(Way::Sample);
        // Those that another way opens are not listed twice.
        let opened = [sample(START), sample(GAME)].map(|i| i.map(Way::Sample));
        let is_left = |way: &Way| !listed.contains(way) && !opened.contains(&Some(way.clone()));
        let left = all.filter(is_left);
        let others = others.into_iter().flatten().map(Way::Begin);
        groups.push(("more", left.chain(others).collect()));
        groups.push(("typed", vec![Way::Typed]));
        let mut group = "";
        let mut ways = Vec::new();
        let mut items = Vec::new();
        for (name, of_group) in groups {
            // A group without a name goes on with the one before.
            group = if name.is_empty() { group } else { name };
            for way in of_group {
                items.push(Item {
                    group,
                    ..self.item_of(&way)
                });
                ways.push(way);
            }
        }
        let mut chooser = Chooser::new(
            "plyscope shows how a game-tree search comes to its belief",
            items,
            0,
        );
        chooser.placeholder = "type to filter, or paste a FEN";
        chooser.verb = "open";
        let typed = ways.len() - 1;
        chooser.takes_pasted = Some(typed);
        let offered = ways.clone();
        let choosing = Choosing::new(chooser, move |app, chooser, choice| match choice {
            Choice::Moved => {
                chooser.pin(Some(typed).filter(|_| app.cx.can_open(&chooser.query)));
                true
            }
            Choice::Taken(taken) => app.start_taken(&ways[taken], &chooser.query),
            _ => false,
        });
        self.open_start(offered, choosing);
    }

    fn item_of(&self, way: &Way) -> Item {
        let item =
            |label: &str, detail: &str| Item::new(text::sanitise(label), text::sanitise(detail));
        match way {
            Way::GoOn(path) => Item {
                note: left(path),
                also: "continue resume session",
                ..item("Last session", "go on where you were")
            },
            Way::Learn => Item {
                also: "tutorial course beginner introduction questions",
                ..item("Lessons with questions", "what a search does, step by step")
            },
            Way::Explore => Item {
                also: "explore watch search initial start position",
                ..item("The starting position", "watch a search grow its tree")
            },
            Way::Review => Item {
                also: "mistakes blunders analyse analyze pgn opera morphy",
                ..item("Review a game", "find its mistakes and the better moves")
            },
            Way::Compare => Item {
                also: "difference versus",
                ..item("Algorithms side by side", "and where they disagree")
            },
            Way::Engine => Item {
                also: "uci stockfish program",
                ..item(
                    "An engine that speaks UCI",
                    "as a column beside the searches",
                )
            },
            Way::Attach => Item {
                also: "own program trace emitter live debugger",
                ..item("Your own engine", "its tree, by the trace that it sends")
            },
            Way::Recent(path) => item(
                &path.file_name().unwrap_or_default().to_string_lossy(),
                &path.display().to_string(),
            ),
            Way::Sample(i) => item(&self.samples[*i].title, &self.samples[*i].hint),
            Way::Begin(opening) => Item {
                also: "new board empty game",
                ..item(opening.title, opening.hint)
            },
            Way::Typed => Item {
                fixed: true,
                ..item("What I typed or pasted", "")
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
    pub(crate) fn search_now(&mut self) {
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
            Way::Attach => {
                self.show_tab(Tab::Explore);
                self.cx.ask_attach();
            }
            Way::Engine => {
                self.show_tab(Tab::Compare);
                self.tabs.compare.ask_column(&mut self.cx);
            }
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
            Way::Begin(opening) => {
                if let Ok(board) = Document::from_bytes(opening.title, opening.text.into()) {
                    self.show_tab(Tab::Explore);
                    self.tabs.game.open_document(&mut self.cx, board);
                    self.cx.search_now();
                }
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
