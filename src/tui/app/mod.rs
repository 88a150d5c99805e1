//! What the workbench knows and shows: the state that commands change and views draw.

mod act;
mod document;
mod hold;
mod mouse;
mod opening;
pub(in crate::tui) mod place;
mod rate;
mod search;

pub use super::overlays::{Answer, Overlay, Purpose};
pub use super::panes::Pane;
pub use super::tabs::lab::LabPage;
pub use super::tabs::{Scope, Tab};
pub use act::{line_from, line_of};
pub use mouse::{Region, Target};
pub(in crate::tui) use place::same_place;

use std::time::{Duration, Instant};

use super::commands::{COMMANDS, default_keymap};
use super::component::{Event, Handled};
use super::config::Preferences;
use super::document::{Document, Entry};
use super::glyphs::Glyphs;
use super::keys::{Key, Keymap, Meaning};
use super::source::Source;
use super::theme::{Depth, Theme, ThemeStore};
use crate::engine::external::EngineSpec;
use crate::engine::{Config, Reader, State, Status};
use crate::game::Subject;
use crate::tree::{NodeId, Tree};
use crate::tui::panes::debugger::Debugger;
use crate::tui::panes::drawing::Drawing;
use crate::tui::panes::tree::Explorer;
use crate::tui::tabs::compare::Compare;
use crate::tui::tabs::game::GameTab;
use crate::tui::tabs::lab::LabTab;
use crate::tui::tabs::learn::LearnTab;
use opening::Opening;
use rate::Rate;

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Info,
    Warning,
    Error,
}

/// Something told to the person.
#[derive(Clone, Debug)]
pub struct Message {
    pub level: Level,
    pub text: String,
}

/// What the application asks of the program around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Put a text into the clipboard (OSC 52).
    Copy(String),
    /// Draw everything, not only what changed.
    Redraw,
    /// The opened file or the theme changed: other files are to be watched.
    Watch,
    /// Give the terminal back to the shell until it calls again.
    Suspend,
}

/// How to start.
#[derive(Clone, Debug)]
pub struct Setup {
    pub document: Document,
    /// The entry to begin with, and its place in the document.
    pub entry: (usize, Entry),
    pub config: Config,
    pub theme: String,
    pub themes: ThemeStore,
    pub depth: Depth,
    pub ascii: bool,
}

/// The workbench.
#[derive(Debug)]
pub struct App {
    pub document: Document,
    /// Which game or position of it, and that one itself.
    pub entry: usize,
    pub current: Entry,
    /// The samples, read when the picker is opened for the first time.
    pub(super) samples: Vec<crate::game::samples::Sample>,
    /// The place in the game: the node of its tree, and the plies played to it.
    pub node: usize,
    pub ply: usize,
    /// The searched position left the game: what is searched, and how it is called.
    pub detour: Option<(Subject, String)>,
    pub config: Config,
    /// How many damaged endgame tables were told of.
    pub(super) damaged_told: usize,
    /// Other programs one may search with: the command line's, then the configuration's.
    pub engines: Vec<EngineSpec>,
    /// How many of them are the command line's.
    pub(super) brought_engines: usize,
    pub compare: Compare,
    /// The tree on the screen.
    pub session: Option<Source>,
    /// What the next session starts from.
    pub subject: Subject,
    pub explorer: Explorer,
    /// Of toy trees, in place of the explorer's rows.
    pub drawing: Drawing,
    pub debug: Debugger,
    /// The node on the board.
    pub board_node: NodeId,
    pub flipped: bool,
    /// Chess scores in pawns instead of the expected score.
    pub pawns: bool,
    pub tab: Tab,
    pub focus: Pane,
    /// First line shown of a pane that can be scrolled.
    pub inspector_top: usize,
    /// The Game tab.
    pub game: GameTab,
    pub lab: LabTab,
    pub learn: LearnTab,
    pub overlay: Option<Overlay>,
    pub messages: Vec<Message>,
    /// The newest message is still shown.
    pub message_fresh: bool,
    pub themes: ThemeStore,
    pub depth: Depth,
    pub theme_name: String,
    pub theme: Theme,
    /// Files the theme was made of.
    pub theme_files: Vec<std::path::PathBuf>,
    pub glyphs: &'static Glyphs,
    pub keymap: Keymap,
    pub(super) pressed: Vec<Key>,
    pub(super) count: Option<usize>,
    /// Since when a digit that may mean a tab stands alone.
    digit_at: Option<Instant>,
    /// A file that is being read and will be opened then.
    opening: Option<Opening>,
    /// What can be clicked in the last frame.
    pub regions: Vec<Region>,
    pub effects: Vec<Effect>,
    pub leaving: bool,
    /// Something changed since the last frame.
    pub dirty: bool,
    /// A node that is being searched again and shall be opened then, and until when that is waited for.
    pub(super) again: Option<(NodeId, Instant)>,
    /// No figures that depend on the machine's speed: for pictures that shall not change.
    pub timeless: bool,
    /// Nodes per second over the last moments, and from what it was taken.
    rate: Rate,
}

impl App {
    /// A workbench with nothing running yet: see [`App::start_search`].
    #[must_use]
    pub fn new(setup: Setup) -> App {
        let (entry, current) = setup.entry;
        let subject = current.at(0);
        let mut game = GameTab::new(&setup.config);
        game.begin(&setup.document);
        let mut app = App {
            document: setup.document,
            entry,
            current,
            samples: Vec::new(),
            node: 0,
            ply: 0,
            detour: None,
            config: setup.config,
            damaged_told: 0,
            engines: Vec::new(),
            brought_engines: 0,
            compare: Compare::default(),
            session: None,
            subject,
            explorer: Explorer::default(),
            drawing: Drawing::default(),
            debug: Debugger::default(),
            board_node: Tree::ROOT,
            flipped: false,
            pawns: false,
            tab: Tab::Explore,
            focus: Pane::Tree,
            inspector_top: 0,
            game,
            lab: LabTab::default(),
            learn: LearnTab::default(),
            overlay: None,
            messages: Vec::new(),
            message_fresh: false,
            themes: setup.themes,
            depth: setup.depth,
            theme_name: setup.theme,
            theme: Theme::plain(),
            theme_files: Vec::new(),
            glyphs: Glyphs::of(setup.ascii),
            keymap: default_keymap(),
            pressed: Vec::new(),
            count: None,
            digit_at: None,
            opening: None,
            regions: Vec::new(),
            effects: Vec::new(),
            leaving: false,
            dirty: true,
            again: None,
            timeless: false,
            rate: Rate::default(),
        };
        let name = app.theme_name.clone();
        if !app.set_theme(&name) {
            app.set_theme(ThemeStore::DEFAULT);
        }
        app.tell_about_entry();
        app
    }

    /// Tells the person something.
    pub fn say(&mut self, level: Level, text: impl Into<String>) {
        const KEPT: usize = 500;
        let text = super::text::harmless(&text.into());
        self.messages.push(Message { level, text });
        if self.messages.len() > KEPT {
            self.messages.remove(0);
        }
        self.message_fresh = true;
        self.dirty = true;
    }

    /// Reads and takes a theme; the old one stays where the new one can't be read. False then.
    pub fn set_theme(&mut self, name: &str) -> bool {
        // Without colours only the theme that needs none can be read.
        let wanted = if self.depth == Depth::None {
            ThemeStore::MONOCHROME
        } else {
            name
        };
        match self.themes.load(wanted) {
            Ok(loaded) => {
                self.theme = loaded.theme.at_depth(self.depth);
                self.theme_name = wanted.to_owned();
                self.theme_files = loaded.files;
                for warning in loaded.warnings {
                    self.say(Level::Warning, warning);
                }
                self.effects.push(Effect::Watch);
                self.dirty = true;
                true
            }
            Err(error) => {
                self.say(Level::Error, format!("theme kept: {error}"));
                false
            }
        }
    }

    /// Takes the programs of the command line; before the configuration is taken.
    pub fn bring_engines(&mut self, engines: Vec<EngineSpec>) {
        self.brought_engines = engines.len();
        self.engines = engines;
    }

    /// Takes the keys and engines of the configuration, and its theme if `theme` says so.
    pub fn prefer(&mut self, preferences: Preferences, theme: bool) {
        self.keymap = preferences.keymap;
        self.engines.truncate(self.brought_engines);
        self.engines.extend(preferences.engines);
        for warning in preferences.warnings {
            self.say(Level::Warning, warning);
        }
        if let Some(name) = preferences.theme.filter(|n| theme && *n != self.theme_name) {
            self.set_theme(&name);
        }
        self.dirty = true;
    }

    pub(super) fn state(&self) -> Option<State> {
        self.session.as_ref().map(|s| s.status().state)
    }

    #[must_use]
    pub fn status(&self) -> Option<Status> {
        self.session.as_ref().map(Source::status)
    }

    /// Does something with the explorer and the live tree.
    pub(super) fn with_tree<R>(&mut self, f: impl FnOnce(&mut Explorer, Reader) -> R) -> Option<R> {
        let session = self.session.as_ref()?;
        Some(f(&mut self.explorer, session.reader()))
    }

    /// A key was pressed.
    pub fn key(&mut self, key: Key) {
        self.dirty = true;
        self.message_fresh = false;
        if self.overlay.is_some() {
            self.overlay_key(key);
            return;
        }
        let event = Event::Key(key, self.count.unwrap_or(1));
        if self.count.is_none() && self.tab.screen().handle(self, event) == Handled::Yes {
            return;
        }
        if self.pressed.is_empty() && self.count_digit(key) {
            return;
        }
        self.digit_at = None;
        // Keys that mean something of their own in the pane that has the keyboard.
        if self.pressed.is_empty()
            && self.in_explore()
            && !key.shift
            && self.focus.component().handle(self, event) == Handled::Yes
        {
            self.count = None;
            return;
        }
        self.pressed.push(key);
        match self.keymap.meaning(&self.pressed, self.scope()) {
            Meaning::Command(i) => {
                self.pressed.clear();
                let count = self.count.take();
                match self.tab.screen().refuses(&COMMANDS[i]) {
                    Some(why) => self.say(Level::Info, why),
                    None => (COMMANDS[i].run)(self, count),
                }
            }
            Meaning::Prefix => {}
            Meaning::Nothing => {
                self.pressed.clear();
                self.count = None;
            }
        }
    }

    /// Text was pasted: it goes to what is being typed.
    pub fn paste(&mut self, text: &str) {
        self.dirty = true;
        match &mut self.overlay {
            Some(Overlay::Prompt(_, prompt)) => prompt.paste(text),
            Some(Overlay::Expression(_, expression)) => {
                expression.prompt.paste(text);
                self.offer_words();
            }
            Some(Overlay::Choose(_, chooser)) => {
                let line = text.lines().next().unwrap_or("");
                chooser
                    .query
                    .extend(line.chars().filter(|c| !c.is_control()));
                chooser.search();
            }
            _ => {}
        }
    }

    /// A digit begins or continues a count. One that is a tab's means the tab if nothing follows it soon.
    fn count_digit(&mut self, key: Key) -> bool {
        let Some(digit) = key.typed().and_then(|c| c.to_digit(10)) else {
            return false;
        };
        if digit == 0 && self.count.is_none() {
            return false;
        }
        let alone = self.count.is_none() && Tab::of_digit(digit as usize).is_some();
        self.digit_at = alone.then(Instant::now);
        let count = self.count.unwrap_or(0);
        self.count = Some((count * 10 + digit as usize).min(999_999_999));
        true
    }

    /// When [`App::tick`] has something to do although nothing comes in.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let read = self
            .opening
            .is_some()
            .then(|| Instant::now() + Self::OPENING);
        let digit = self.digit_due();
        digit.into_iter().chain(read).min()
    }

    fn digit_due(&self) -> Option<Instant> {
        self.digit_at.map(|at| at + Self::DIGIT_ALONE)
    }

    /// How long a digit waits to become a count before it means a tab.
    const DIGIT_ALONE: Duration = Duration::from_millis(350);

    /// Time has passed: a file may have been read, and a tab's digit that nothing followed shows the tab.
    pub fn tick(&mut self, now: Instant) {
        self.look_for_opened();
        if self.digit_due().is_none_or(|at| now < at) {
            return;
        }
        self.digit_at = None;
        let digit = self.count.take();
        if let Some(tab) = digit.and_then(Tab::of_digit) {
            self.show_tab(tab);
            self.dirty = true;
        }
    }

    /// The keys waiting for more, and the count, for the bottom line.
    #[must_use]
    pub fn pending(&self) -> String {
        let count = self.count.map(|c| c.to_string()).unwrap_or_default();
        let keys: String = self.pressed.iter().map(ToString::to_string).collect();
        count + &keys
    }

    /// Runs a command by its id: for tests and clicks.
    pub fn run(&mut self, id: &str) {
        if let Some(i) = super::commands::index_of(id) {
            self.dirty = true;
            (COMMANDS[i].run)(self, None);
        }
    }
}
