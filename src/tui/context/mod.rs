//! What the tabs and the panes share: the document, the searches, the text beside them, and how all is shown.

mod act;
mod document;
mod frame;
mod goal;
mod hold;
pub(crate) mod leaf;
mod looks;
mod opening;
pub(crate) mod place;
mod rate;
mod roots;
mod search;
mod small;

pub use act::{line_from, line_of};
pub use looks::Looks;
pub(crate) use opening::{Opened, Opening, Purpose, Shown};
pub(crate) use place::same_place;
pub(crate) use roots::Explored;
pub use small::Small;

use super::config::{OwnOptions, Preferences, PreferredLens};
use super::exporting::Exporting;
use super::recent::{Recent, RecentLens};
use super::saving::{Autosave, Saving};
use super::source::Source;
use crate::app::App;
use crate::commands::default_keymap;
use crate::component::Request;
use crate::overlays::Overlay;
use crate::panes::tree::Explorer;
use crate::tabs::compare::Columns;
use crate::tabs::explore::Explore;
use crate::tabs::learn::Reading;
use crate::tabs::{Scope, Tab};
use external::EngineSpec;
use game::load::fen::ReadFen;
use games::{Document, Entry};
use rate::Rate;
use report::lens::Lens;
use roots::Roots;
use screen::glyphs::Glyphs;
use screen::keys::Keymap;
use screen::target::Region;
use screen::theme::{Depth, Theme, ThemeStore};
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

/// What a part of the workbench asks of the other parts. The workbench does it as soon as that part has done its own.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The live search was started anew.
    SearchBegan,
    /// The user moved to another place in the game, which is not searched at once.
    PlaceChanged,
    /// Show another tab.
    Show(Tab),
    /// Read the opened file again, and then say this.
    ReadAgain(String),
    /// Open a position that was set up.
    Open(Box<ReadFen>),
    /// Run a command, by its id.
    Run(&'static str),
    /// Do something with the whole workbench.
    Do(fn(&mut App)),
    /// Offer a request to the focused component.
    Request(Request),
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

/// What the tabs and the panes share: what is open, what is searched, and how it is shown.
#[derive(Debug)]
pub struct Context {
    pub document: Document,
    /// The index of the open game or position in the document, and the entry itself.
    pub entry: usize,
    pub current: Entry,
    /// The files that were open last.
    pub recent: Recent,
    /// The samples, read when the start screen is opened for the first time.
    pub(crate) samples: Vec<games::samples::Sample>,
    /// The place in the game: the node of its tree, and the number of plies that lead to it.
    pub node: usize,
    pub ply: usize,
    /// The searched position and its name, if it is not in the game.
    pub detour: Option<(Subject, String)>,
    /// The entry of the document whose recorded search is not shown, because an algorithm was chosen.
    pub(crate) own_instead: Option<usize>,
    /// What was explored before.
    pub(crate) roots: Roots,
    pub config: Config,
    /// The number of nodes at which a search pauses that was given no limits of its own; `None`: it runs on.
    pub node_limit: Option<u64>,
    /// How many damaged endgame tables were reported so far.
    pub(crate) damaged_told: usize,
    /// The options with which a search by each algorithm begins.
    pub own_options: OwnOptions,
    /// External engines to search with: the command line's, then the configuration's, then those of the machine.
    pub engines: Vec<EngineSpec>,
    /// The well-known engines that are installed on the machine.
    pub(crate) installed_engines: Vec<EngineSpec>,
    /// How many of the engines come from the command line.
    pub(crate) brought_engines: usize,
    /// The tree on the screen.
    pub session: Option<Source>,
    /// The position that the next session starts from.
    pub subject: Subject,
    /// The tab on the screen.
    pub tab: Tab,
    pub explore: Explore,
    /// The searches of the Compare tab, which share the cores with the live one and can be shown in its place.
    pub columns: Columns,
    /// What is read beside the live search.
    pub reading: Reading,
    /// What is open above the tab.
    pub overlay: Option<Box<dyn Overlay>>,
    pub(crate) keymap: Keymap<Scope>,
    /// What can be clicked in the last frame.
    pub regions: Vec<Region>,
    pub messages: Messages,
    pub looks: Looks,
    pub small: Small,
    /// The unit and the viewpoint of all scores on the screen.
    pub lens: Lens,
    /// The lens of the configuration.
    preferred_lens: PreferredLens,
    /// The lens that was chosen last, kept between runs.
    chosen_lens: RecentLens,
    /// The commands that were last run from the palette, the newest first.
    pub(crate) used: Vec<usize>,
    /// The program that was started and sends its search.
    pub(crate) attached: Option<crate::app::Attached>,
    /// A file that is being read and will then be opened.
    pub(crate) opening: Option<Opening>,
    /// The session that is being saved.
    pub(crate) saving: Option<Saving>,
    /// The file that is being made of what a tab shows.
    pub(crate) exporting: Option<Exporting>,
    /// The file in which the session was saved last, or from which it was opened.
    pub(crate) saved_at: Option<std::path::PathBuf>,
    /// Whether the screen is for a class: text, board and axis are large, and what is minor is left out.
    pub presenting: bool,
    pub autosave: Autosave,
    pub effects: Vec<Effect>,
    pub(crate) asks: Vec<Ask>,
    /// The screen, in cells.
    pub(crate) area: ratatui::layout::Rect,
    pub leaving: bool,
    /// Whether something changed since the last frame.
    pub dirty: bool,
    /// Whether to hide figures that depend on the machine's speed, for reproducible snapshots.
    pub timeless: bool,
    /// Nodes per second over the last moments, and the sample it was computed from.
    rate: Rate,
}

impl Context {
    /// Creates what the tabs share, with nothing running yet.
    pub(super) fn new(setup: Setup) -> Context {
        let (entry, current) = setup.entry;
        let subject = current.subject();
        Context {
            document: setup.document,
            entry,
            current,
            recent: Recent::default(),
            samples: Vec::new(),
            node: 0,
            ply: 0,
            detour: None,
            own_instead: None,
            attached: None,
            roots: Roots::default(),
            config: setup.config,
            node_limit: Some(goal::NODES),
            damaged_told: 0,
            own_options: OwnOptions::default(),
            engines: Vec::new(),
            installed_engines: Vec::new(),
            brought_engines: 0,
            session: None,
            subject,
            tab: Tab::Explore,
            explore: Explore::default(),
            columns: Columns::default(),
            reading: Reading::default(),
            overlay: None,
            keymap: default_keymap(),
            regions: Vec::new(),
            lens: Lens::default(),
            preferred_lens: PreferredLens::default(),
            chosen_lens: RecentLens::default(),
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
            used: Vec::new(),
            opening: None,
            saving: None,
            exporting: None,
            saved_at: None,
            presenting: false,
            autosave: Autosave::default(),
            effects: Vec::new(),
            asks: Vec::new(),
            area: ratatui::layout::Rect::default(),
            leaving: false,
            dirty: true,
            timeless: false,
            rate: Rate::default(),
        }
    }

    /// Shows a message to the user.
    pub fn say(&mut self, level: Level, text: impl Into<String>) {
        const KEPT: usize = 500;
        let text = text::sanitise(&text.into());
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
        self.keymap = preferences.keymap;
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
        self.own_options = preferences.options;
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

    pub fn state(&self) -> Option<State> {
        self.session.as_ref().map(|s| s.status().state)
    }

    pub fn status(&self) -> Option<Status> {
        self.session.as_ref().map(Source::status)
    }

    /// Calls `f` with the explorer and the live tree, if there is one.
    pub(crate) fn with_tree<R>(&mut self, f: impl FnOnce(&mut Explorer, Reader) -> R) -> Option<R> {
        let session = self.session.as_ref()?;
        Some(f(&mut self.explore.tree, session.reader()))
    }
}
