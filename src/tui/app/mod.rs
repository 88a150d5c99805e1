//! The state of the workbench, which commands change and views draw.

mod act;
mod document;
mod goal;
mod hold;
mod keyboard;
pub(crate) mod leaf;
mod looks;
mod mouse;
mod opening;
pub(crate) mod place;
mod rate;
mod roots;
mod search;
mod small;

pub use super::overlays::{Answer, Overlay, Purpose};
pub use super::panes::Pane;
pub use super::tabs::lab::LabPage;
pub use super::tabs::{Scope, Tab};
pub use act::{line_from, line_of};
pub use looks::Looks;
pub use mouse::{Region, Target};
pub(crate) use place::same_place;
pub use small::Small;

use super::commands::COMMANDS;
use super::config::{Preferences, PreferredLens};
use super::exporting::Exporting;
use super::glyphs::Glyphs;
use super::recent::{Recent, RecentLens};
use super::saving::{Autosave, Saving};
use super::source::Source;
use super::theme::{Depth, Theme, ThemeStore};
use crate::panes::tree::Explorer;
use crate::tabs::compare::Compare;
use crate::tabs::explore::Explore;
use crate::tabs::game::GameTab;
use crate::tabs::lab::LabTab;
use crate::tabs::learn::LearnTab;
use ::search::Subjects as _;
use external::EngineSpec;
use game::load::{Document, Entry};
use keyboard::Keyboard;
use opening::Opening;
use rate::Rate;
use report::lens::Lens;
use roots::Roots;
use session::{Config, Reader, State, Status, Subject};

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Info,
    Warning,
    Error,
}

/// A message to the user.
#[derive(Clone, Debug)]
pub struct Message {
    pub level: Level,
    pub text: String,
}

/// The messages so far.
#[derive(Debug, Default)]
pub struct Messages {
    pub all: Vec<Message>,
    /// Whether the newest message is still shown.
    pub fresh: bool,
}

/// What the application asks of the program around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Put a text into the clipboard (OSC 52).
    Copy(String),
    /// Redraw everything, not only what changed.
    Redraw,
    /// Watch other files, since the opened file or the theme changed.
    Watch,
    /// Give the terminal back to the shell until the shell resumes the program.
    Suspend,
}

/// How the workbench starts.
#[derive(Clone, Debug)]
pub struct Setup {
    pub document: Document,
    /// The index of the first entry to show in the document, and that entry.
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
    /// The index of the open game or position in the document, and the entry itself.
    pub entry: usize,
    pub current: Entry,
    /// The files that were open last.
    pub recent: Recent,
    /// The samples, read when the list of ways in is opened for the first time.
    pub(super) samples: Vec<game::samples::Sample>,
    /// The place in the game: the node of its tree, and the number of plies that lead to it.
    pub node: usize,
    pub ply: usize,
    /// The searched position and its name, if it is not in the game.
    pub detour: Option<(Subject, String)>,
    /// What was explored before.
    pub(super) roots: Roots,
    pub config: Config,
    /// The number of nodes at which a search pauses that was given no limits of its own; `None`: it runs on.
    pub node_limit: Option<u64>,
    /// How many damaged endgame tables were reported so far.
    pub(super) damaged_told: usize,
    /// External engines to search with: the command line's, then the configuration's, then those of the machine.
    pub engines: Vec<EngineSpec>,
    /// The well-known engines that are installed on the machine.
    pub(super) installed_engines: Vec<EngineSpec>,
    /// How many of the engines come from the command line.
    pub(super) brought_engines: usize,
    /// The tree on the screen.
    pub session: Option<Source>,
    /// The position that the next session starts from.
    pub subject: Subject,
    /// The tab on the screen.
    pub tab: Tab,
    pub explore: Explore,
    pub compare: Compare,
    pub game: GameTab,
    pub lab: LabTab,
    pub learn: LearnTab,
    pub overlay: Option<Overlay>,
    pub messages: Messages,
    pub looks: Looks,
    pub small: Small,
    /// The unit and the viewpoint of all scores on the screen.
    pub lens: Lens,
    /// The lens of the configuration.
    preferred_lens: PreferredLens,
    /// The lens that was chosen last, kept between runs.
    chosen_lens: RecentLens,
    pub(super) keyboard: Keyboard,
    /// The commands that were last run from the palette, the newest first.
    pub(super) used: Vec<usize>,
    /// A file that is being read and will then be opened.
    opening: Option<Opening>,
    /// The session that is being saved.
    pub(super) saving: Option<Saving>,
    /// The file that is being made of what a tab shows.
    pub(super) exporting: Option<Exporting>,
    /// The file in which the session was saved last, or from which it was opened.
    pub(super) saved_at: Option<std::path::PathBuf>,
    pub autosave: Autosave,
    /// What can be clicked in the last frame.
    pub regions: Vec<Region>,
    pub effects: Vec<Effect>,
    /// The screen, in cells.
    pub(super) area: ratatui::layout::Rect,
    pub leaving: bool,
    /// Whether something changed since the last frame.
    pub dirty: bool,
    /// Whether to hide figures that depend on the machine's speed, for reproducible snapshots.
    pub timeless: bool,
    /// Nodes per second over the last moments, and the sample it was computed from.
    rate: Rate,
}

impl App {
    /// Creates a workbench in which nothing runs yet: see [`App::start_search`].
    pub fn new(setup: Setup) -> App {
        let (entry, current) = setup.entry;
        let subject = current.subject();
        let mut game = GameTab::new(&setup.config);
        game.begin(&setup.document);
        let mut app = App {
            document: setup.document,
            entry,
            current,
            recent: Recent::default(),
            samples: Vec::new(),
            node: 0,
            ply: 0,
            detour: None,
            roots: Roots::default(),
            config: setup.config,
            node_limit: Some(goal::NODES),
            damaged_told: 0,
            engines: Vec::new(),
            installed_engines: Vec::new(),
            brought_engines: 0,
            compare: Compare::default(),
            session: None,
            subject,
            tab: Tab::Explore,
            explore: Explore::default(),
            game,
            lab: LabTab::default(),
            learn: LearnTab::default(),
            lens: Lens::default(),
            preferred_lens: PreferredLens::default(),
            chosen_lens: RecentLens::default(),
            overlay: None,
            messages: Messages::default(),
            looks: Looks {
                themes: setup.themes,
                depth: setup.depth,
                name: setup.theme,
                theme: Theme::plain(),
                files: Vec::new(),
                glyphs: Glyphs::of(setup.ascii),
            },
            small: Small::default(),
            keyboard: Keyboard::default(),
            used: Vec::new(),
            opening: None,
            saving: None,
            exporting: None,
            saved_at: None,
            autosave: Autosave::default(),
            regions: Vec::new(),
            effects: Vec::new(),
            area: ratatui::layout::Rect::default(),
            leaving: false,
            dirty: true,
            timeless: false,
            rate: Rate::default(),
        };
        let name = app.looks.name.clone();
        if !app.set_theme(&name) {
            app.set_theme(ThemeStore::DEFAULT);
        }
        app.tell_about_entry();
        app
    }

    /// Shows a message to the user.
    pub fn say(&mut self, level: Level, text: impl Into<String>) {
        const KEPT: usize = 500;
        let text = super::text::harmless(&text.into());
        self.messages.all.push(Message { level, text });
        if self.messages.all.len() > KEPT {
            self.messages.all.remove(0);
        }
        self.messages.fresh = true;
        self.dirty = true;
    }

    /// Takes the engines of the command line and those of the machine; to be called before the configuration is
    /// applied.
    pub fn bring_engines(&mut self, engines: Vec<EngineSpec>, installed: Vec<EngineSpec>) {
        self.brought_engines = engines.len();
        self.engines = engines;
        self.installed_engines = installed;
    }

    /// Takes the lens that was chosen last, and keeps what will be chosen there; to be called before the configuration is
    /// applied, which goes before it.
    pub fn keep_lens(&mut self, chosen: RecentLens) {
        if let Some(lens) = chosen.lens() {
            self.lens = lens;
        }
        self.chosen_lens = chosen;
    }

    /// Applies the keys and engines of the configuration, and its theme if `theme` is true.
    pub fn prefer(&mut self, preferences: Preferences, theme: bool) {
        self.keyboard.keymap = preferences.keymap;
        if let Some(limit) = preferences.nodes {
            self.node_limit = limit;
        }
        if !preferences.autosave {
            self.autosave.switch_off();
        }
        // What was chosen with a key stays when other settings of the file change.
        if preferences.lens != self.preferred_lens {
            self.lens = preferences.lens.over(self.lens);
            self.preferred_lens = preferences.lens;
        }
        self.engines.truncate(self.brought_engines);
        self.engines.extend(preferences.engines);
        for engine in &self.installed_engines {
            if self.engines.iter().all(|known| known.name != engine.name) {
                self.engines.push(engine.clone());
            }
        }
        for warning in preferences.warnings {
            self.say(Level::Warning, warning);
        }
        if let Some(name) = preferences.theme.filter(|n| theme && *n != self.looks.name) {
            self.set_theme(&name);
        }
        self.dirty = true;
    }

    pub(super) fn state(&self) -> Option<State> {
        self.session.as_ref().map(|s| s.status().state)
    }

    pub fn status(&self) -> Option<Status> {
        self.session.as_ref().map(Source::status)
    }

    /// Calls `f` with the explorer and the live tree, if there is one.
    pub(super) fn with_tree<R>(&mut self, f: impl FnOnce(&mut Explorer, Reader) -> R) -> Option<R> {
        let session = self.session.as_ref()?;
        Some(f(&mut self.explore.tree, session.reader()))
    }

    /// Passes pasted text to the field that is being edited.
    pub fn paste(&mut self, text: &str) {
        self.dirty = true;
        match &mut self.overlay {
            Some(Overlay::Prompt(_, prompt)) => prompt.paste(text),
            Some(Overlay::SetUp(setup)) => setup.paste(text),
            Some(Overlay::Expression(_, expression)) => {
                expression.prompt.paste(text);
                self.offer_words();
            }
            // What is pasted where nothing is asked, or where plyscope starts, is opened.
            None | Some(Overlay::Choose(Answer::Start(_), _)) => match self.open_text(text) {
                Ok(()) => self.overlay = None,
                Err(what) => self.say(Level::Error, what),
            },
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

    /// Runs a command by its id: for tests and clicks.
    pub fn run(&mut self, id: &str) {
        if let Some(i) = super::commands::index_of(id) {
            self.dirty = true;
            (COMMANDS[i].run)(self, None);
        }
    }
}
