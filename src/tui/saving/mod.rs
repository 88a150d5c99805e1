//! Saving the session and opening a saved one: its searches are written and read on another thread, while the screen
//! goes on.

mod autosave;
mod notes;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use serde_json::Value;

use crate::app::App;
use crate::context::place::home_expanded;
use crate::context::{Context, Level};
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::prompt::Prompt;
use crate::source::Source;
use games::Document;
use games::trace::TRACE;
use search::{Limits, Recorded};
use session::saved::{self, Kept, Progress, SavedSearch};
use session::{Config, Session, State};
use studies::compare::{ColumnSpec, Comparison};
use text::sanitise;

pub use autosave::Autosave;
pub use notes::Notes;
use view::{SavedColumn, SavedCompare, SavedView};

/// A session that is being saved.
#[derive(Debug)]
pub struct Saving {
    path: PathBuf,
    /// Whether nobody asked for it, so that nobody is told.
    quiet: bool,
    view: SavedView,
    /// The searches to be saved, with their states as soon as they are at rest.
    searches: Vec<(Owner, Option<SavedSearch>)>,
    begun: Instant,
    writer: Option<Writer>,
    /// The trace that is open, and the search of it.
    trace: Option<(Document, usize)>,
}

#[derive(Debug)]
struct Writer {
    progress: Arc<Progress>,
    done: Receiver<std::io::Result<()>>,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// It is the one that Explore shows.
    Explore,
    /// Explore shows a column's instead.
    Aside,
    Column(usize),
}

/// A search that does not come to rest within this time is not waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// The ending of the files' names.
const EXTENSION: &str = "plyscope";

impl Context {
    /// Asks where to save the session.
    pub fn ask_save(&mut self) {
        if self.reading.is_under_way() {
            let what = "a lesson is open: it keeps its own place, and can't be saved";
            return self.say(Level::Info, what);
        }
        if self.saving.as_ref().is_some_and(|saving| !saving.quiet) {
            return self.say(Level::Info, "the session is being saved already");
        }
        let path = self.saved_at.clone().unwrap_or_else(|| self.save_default());
        let what = match self.shown_trace() {
            Some(_) => "NAME.plyscope keeps what is open, NAME.plytrace the trace alone",
            None => "a file: everything that is open, with its trees",
        };
        let prompt = Prompt::new("save session", what).with_text(&path.to_string_lossy());
        self.ask(prompt, |app, text| app.typed_save(text.trim()));
    }

    /// The search of another program that is shown, or is to be searched.
    fn shown_trace(&self) -> Option<Arc<dyn Recorded>> {
        let shown = self.session.as_ref();
        let shown = shown.and_then(|session| session.config().recorded.clone());
        shown.or_else(|| self.current.recorded.clone())
    }

    /// The trace that is open, and which of its searches.
    fn open_trace(&self) -> Option<(Document, usize)> {
        self.current.recorded.as_ref()?;
        Some((self.document.clone(), self.entry))
    }

    /// Saves a trace alone.
    fn save_trace(&mut self, recorded: &dyn Recorded, path: &Path) -> Result<(), String> {
        if path.exists() {
            return Err("there is such a file already: choose another name".to_owned());
        }
        let copy = || {
            let found = recorded.save(path)?;
            if found != path {
                std::fs::copy(found, path)?;
            }
            Ok(std::fs::metadata(path)?.len())
        };
        let bytes = copy().map_err(|error: std::io::Error| error.to_string())?;
        let name = sanitise(&path.display().to_string());
        self.say(
            Level::Info,
            format!("{name}: saved, {}", text::bytes(bytes)),
        );
        self.recent.note(path);
        Ok(())
    }

    /// Returns `NAME.plyscope` in the folder of the opened file, or in the current one.
    fn save_default(&self) -> PathBuf {
        let from = self.document.path.clone();
        let from = from
            .unwrap_or_else(|| PathBuf::from(self.document.file_name().replace(['/', ' '], "-")));
        from.with_extension(EXTENSION)
    }

    fn session_of(&mut self, owner: Owner) -> Option<&mut Session> {
        let lent = self.columns.lent.as_ref().map(|lent| lent.column);
        let outer = match owner {
            Owner::Column(column) if lent != Some(column) => {
                return self.columns.session_mut(column);
            }
            Owner::Aside => {
                let aside = self.columns.lent.as_mut()?.aside.as_mut()?;
                return aside.live_mut();
            }
            Owner::Column(_) | Owner::Explore => self.explore.outer.as_mut(),
        };
        let shown = outer
            .map(|outer| &mut outer.source)
            .or(self.session.as_mut());
        shown?.live_mut()
    }

    /// Goes on with saving: once all searches are at rest they are written on another thread, and then go on.
    pub(crate) fn tend_saving(&mut self) {
        let Some(mut saving) = self.saving.take() else {
            return;
        };
        if let Some(writer) = &saving.writer {
            let done = match writer.done.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.dirty |= !saving.quiet;
                    self.saving = Some(saving);
                    return;
                }
                Err(TryRecvError::Disconnected) => {
                    Err("broke off by a mistake of the program".into())
                }
                Ok(done) => done.map_err(|e| e.to_string()),
            };
            self.told_of_saving(&saving, done);
            for (owner, _) in saving.searches {
                if let Some(session) = self.session_of(owner) {
                    session.go_on();
                }
            }
            return;
        }
        for (owner, state) in &mut saving.searches {
            if state.is_none()
                && let Some(session) = self.session_of(*owner)
            {
                session.go_on();
                match session.snapshot() {
                    Ok(found) => *state = found,
                    Err(why) => {
                        let why = why.to_string();
                        return self.told_of_saving(&saving, Err(why));
                    }
                }
            }
        }
        let at_rest = saving.searches.iter().all(|(_, state)| state.is_some());
        if at_rest {
            saving.write();
        } else if saving.begun.elapsed() > PATIENCE {
            let why = "a search did not come to rest".to_owned();
            return self.told_of_saving(&saving, Err(why));
        }
        self.saving = Some(saving);
    }

    fn told_of_saving(&mut self, saving: &Saving, done: Result<(), String>) {
        self.dirty = true;
        let name = sanitise(&saving.path.display().to_string());
        match done {
            Err(why) if !saving.quiet => {
                self.say(Level::Error, format!("{name}: not saved: {why}"))
            }
            Ok(()) if !saving.quiet => {
                let bytes = std::fs::metadata(&saving.path).map_or(0, |m| m.len());
                let size = text::bytes(bytes);
                self.say(Level::Info, format!("{name}: saved, {size}"));
                self.recent.note(&saving.path);
                self.saved_at = Some(saving.path.clone());
                self.note_saved();
            }
            // Nobody asked for it: it is said at the end.
            Ok(()) => self.autosave.fault = None,
            Err(why) => self.autosave.fault = Some(format!("{name}: not saved: {why}")),
        }
    }

    /// Says how far a session has been saved or opened, if that takes long.
    pub(crate) fn transfer_words(&self) -> Option<String> {
        /// What is done within this time needs no words.
        const LONG: Duration = Duration::from_millis(300);
        let percent = |what, share: f64| format!("{what} {:.0} %", 100.0 * share);
        if let Some(share) = self.opened_share() {
            return Some(percent("opening", share));
        }
        let is_long = |saving: &&Saving| !saving.quiet && saving.begun.elapsed() > LONG;
        let saving = self.saving.as_ref().filter(is_long)?;
        let writer = saving.writer.as_ref();
        Some(percent(
            "saving",
            writer.map_or(0.0, |writer| writer.progress.share()),
        ))
    }
}

impl App {
    /// Takes the typed path, or returns what is wrong with it.
    fn typed_save(&mut self, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Err("expected the name of a file".to_owned());
        }
        let path = home_expanded(text);
        if path.is_dir() {
            return Err(format!("{text} is a folder, expected a file"));
        }
        if path.extension().is_some_and(|is| is == TRACE.extension)
            && let Some(recorded) = self.cx.shown_trace()
        {
            return self.cx.save_trace(&*recorded, &path);
        }
        if path.exists() && !saved::is_saved(&path) {
            let what = "no saved session: what is in it would be lost, choose another name";
            return Err(what.to_owned());
        }
        if !path.exists() || self.cx.saved_at.as_ref() == Some(&path) {
            self.save_session(path, false);
            return Ok(());
        }
        let items = vec![
            Item::new(
                format!("replace {}", sanitise(text)),
                "what was saved there is lost",
            ),
            Item::new("another name", ""),
        ];
        let chooser = Chooser::new("there is a saved session already", items, 1);
        self.cx.choose(chooser, move |app, answer| match answer {
            0 => app.save_session(path.clone(), false),
            _ => app.cx.ask_save(),
        });
        Ok(())
    }

    /// Begins to save the session.
    pub fn save_session(&mut self, path: PathBuf, quiet: bool) {
        let mut view = SavedView::of(&mut self.cx);
        let mut searches = Vec::new();
        let lent = self.cx.columns.lent.as_ref().map(|lent| lent.column);
        let explore = if lent.is_some() {
            Owner::Aside
        } else {
            Owner::Explore
        };
        if self.cx.session_of(explore).is_some() {
            view.explore.search = Some(searches.len());
            searches.push((explore, None));
        }
        if let Some(running) = &self.cx.columns.running {
            let specs: Vec<ColumnSpec> = running.columns().iter().map(|c| c.spec.clone()).collect();
            let column = |(i, spec): (usize, &ColumnSpec)| match spec {
                ColumnSpec::Own(_) => {
                    searches.push((Owner::Column(i), None));
                    SavedColumn::Search(searches.len() - 1)
                }
                ColumnSpec::External(engine) => SavedColumn::Engine(engine.name.clone()),
            };
            view.compare = Some(SavedCompare {
                columns: specs.iter().enumerate().map(column).collect(),
                budget: running.budget().to_string(),
                focus: self.tabs.compare.focus,
                lent,
            });
        }
        self.cx.saving = Some(Saving {
            path,
            quiet,
            view,
            searches,
            begun: Instant::now(),
            writer: None,
            trace: self.cx.open_trace(),
        });
        self.cx.tend_saving();
    }

    fn restore_columns(&mut self, compare: &SavedCompare, searches: &mut [Option<SavedSearch>]) {
        let mut columns = Vec::new();
        for column in &compare.columns {
            match column {
                SavedColumn::Search(i) => {
                    let Some(search) = searches.get_mut(*i).and_then(Option::take) else {
                        continue;
                    };
                    columns.push((ColumnSpec::Own(search.config().clone()), Some(search)));
                }
                SavedColumn::Engine(name) => {
                    match self.cx.engines.iter().find(|engine| engine.name == *name) {
                        Some(engine) => columns.push((ColumnSpec::External(engine.clone()), None)),
                        None => {
                            let what = format!("the engine {} is not known here", sanitise(name));
                            self.cx.say(Level::Warning, what);
                        }
                    }
                }
            }
        }
        let Some(subject) = columns
            .iter()
            .find_map(|(_, search)| Some(search.as_ref()?.subject().clone()))
        else {
            return;
        };
        let own = |(spec, _): &(ColumnSpec, Option<SavedSearch>)| match spec.clone() {
            ColumnSpec::Own(config) => ColumnSpec::Own(Config {
                limits: Limits::default(),
                memory: self.cx.config.memory,
                table: self.cx.config.table,
                ..config
            }),
            engine => engine,
        };
        self.tabs.compare.specs = columns.iter().map(own).collect();
        self.tabs.compare.budget = compare.budget.parse().unwrap_or(self.tabs.compare.budget);
        self.tabs.compare.focus = compare.focus;
        let budget = self.tabs.compare.budget;
        let comparison = Comparison::restore(subject, columns, budget, self.cx.config.threads);
        self.tabs.compare.put_comparison(&mut self.cx, comparison);
        if let Some(column) = compare
            .lent
            .filter(|&column| column < self.tabs.compare.specs.len())
        {
            self.tabs.compare.focus = column;
            self.tabs.compare.open_column(&mut self.cx);
        }
    }

    /// How often to look after a session that is being saved.
    pub(crate) const SAVING: Duration = Duration::from_millis(20);

    /// Shows a saved session in place of what is open.
    pub(crate) fn take_session(&mut self, path: &Path, kept: Kept) {
        let Kept {
            view,
            searches,
            trace,
        } = kept;
        let name = sanitise(&path.display().to_string());
        let view = match view {
            // A search without a screen has kept nothing of one.
            Value::Null => SavedView::bare(searches.first()),
            view => serde_json::from_value(view),
        };
        let view: SavedView = match view {
            Ok(view) => view,
            Err(e) => {
                return self
                    .cx
                    .say(Level::Error, format!("{name}: the file is damaged ({e})"));
            }
        };
        let document = match trace {
            Some((document, i)) => document.entry(i).map(|entry| (document, i, entry, 0)),
            None => view
                .document()
                .map(|(document, entry, node)| (document, 0, entry, node)),
        };
        let (document, number, entry, node) = match document {
            Ok(found) => found,
            Err(what) => return self.cx.say(Level::Error, format!("{name}: {what}")),
        };
        self.cx.stop_comparison();
        self.cx.entry = number;
        self.tabs.game.put_document(&mut self.cx, document, entry);
        self.cx.set_node(node);
        self.cx.subject = self.cx.current.subject_of(node);
        self.cx.detour = None;
        let probes = searches.iter().any(SavedSearch::has_probed);
        if probes && self.cx.config.endgames.is_none() {
            let what = "it was searched with endgame tables, which are not given now (--syzygy)";
            self.cx.say(Level::Warning, format!("{name}: {what}"));
        }
        let endgames = self.cx.config.endgames.clone();
        let mut searches: Vec<Option<SavedSearch>> = searches
            .into_iter()
            .map(|search| {
                let endgames = endgames.clone().filter(|_| search.has_probed());
                Some(search.with_config(|config| Config { endgames, ..config }))
            })
            .collect();
        self.cx.node_limit = view.node_limit;
        self.cx.explore.notes.restore(&view.notes);
        let search = view
            .explore
            .search
            .and_then(|i| searches.get_mut(i)?.take());
        let mut told = false;
        match search {
            Some(search) => {
                told = search.config().recorded.is_some();
                if !told {
                    self.cx.own_instead = self.cx.current.recorded.is_some().then_some(number);
                    self.cx.config = Config {
                        endgames,
                        ..search.config().clone()
                    };
                }
                self.cx.subject = search.subject().clone();
                self.cx
                    .look_at(Source::Live(Box::new(Session::restore(search))));
            }
            None => self.cx.wait_to_search(),
        }
        self.cx.detour = view
            .detour
            .as_ref()
            .map(|name| (self.cx.subject.clone(), sanitise(name)));
        self.cx.explore.tree.set_sort(view.explore.sort());
        self.cx.explore.debug.shown = view.explore.debugger;
        self.cx.restore_breakpoints(&view.breakpoints);
        if let Some(compare) = &view.compare {
            self.restore_columns(compare, &mut searches);
        }
        self.cx.set_breakpoints();
        self.cx
            .with_tree(|explorer, reader| explorer.refresh(reader, false));
        self.cx.explore.tree.resume(view.explore.selection(told));
        if !self.cx.autosave.is_own(path) {
            self.cx.saved_at = Some(path.to_owned());
            self.cx.recent.note(path);
        }
        self.cx.note_saved();
        self.cx.tab = view.tab();
        let what = match self.cx.status() {
            Some(_) if told => {
                "opened as it was saved: its trace is read again up to there".to_owned()
            }
            status => {
                let waits = status
                    .as_ref()
                    .is_some_and(|status| status.state == State::Paused);
                let nodes = text::count(status.map_or(0, |status| status.totals.nodes));
                let next = if waits { "; space resumes" } else { "" };
                format!("opened as it was saved, {nodes} nodes{next}")
            }
        };
        self.cx.say(Level::Info, format!("{name}: {what}"));
    }
}

impl Saving {
    /// Writes everything on another thread.
    fn write(&mut self) {
        let states = std::mem::take(&mut self.searches);
        let owners = states.iter().map(|(owner, _)| (*owner, None)).collect();
        let states: Vec<SavedSearch> = states.into_iter().filter_map(|(_, state)| state).collect();
        let progress = Arc::new(Progress::default());
        let (sender, done) = bounded(1);
        let kept = Kept {
            view: serde_json::to_value(&self.view).unwrap_or_default(),
            searches: states,
            trace: self.trace.take(),
        };
        let (path, told) = (self.path.clone(), Arc::clone(&progress));
        let work = move || {
            let written = saved::write(&path, &kept, &told);
            // The searches go on from here.
            drop(kept);
            let _ = sender.send(written);
        };
        let thread = std::thread::Builder::new().name("saver".into()).spawn(work);
        // Without a thread the sender is gone, which is reported as an error.
        drop(thread);
        self.searches = owners;
        self.writer = Some(Writer { progress, done });
    }
}
