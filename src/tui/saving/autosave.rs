//! Keeps the session by itself, so that the next start can go on with it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::context::Context;
use crate::source::Source;
use search::Recorded;
use session::{Session, State};
use studies::compare::{ColumnSpec, Comparison};
use text::sanitise;

/// The session that is kept by itself, in the state folder.
#[derive(Debug, Default)]
pub struct Autosave {
    file: Option<PathBuf>,
    /// What was searched when it was written last, or looked at.
    nodes: u64,
    /// The nodes of the session that was saved or opened last.
    saved: Option<u64>,
    /// When the user last wanted to leave.
    asked: Option<Instant>,
    looked: Option<Instant>,
    /// Why the session could not be kept the last time.
    pub(super) fault: Option<String>,
}

/// Larger trees are saved only when the user asks: it takes a second or more.
const LARGEST: u64 = 256 << 20;
/// How often to look whether there is something new to keep.
const PERIOD: Duration = Duration::from_secs(30);

impl Autosave {
    const FILE: &'static str = "last.plyscope";

    /// Keeps the session in a folder; nothing is kept without one.
    pub fn open(folder: Option<PathBuf>) -> Autosave {
        Autosave {
            file: folder.map(|folder| folder.join(Self::FILE)),
            ..Autosave::default()
        }
    }

    /// Returns the file with the last session, if there is one.
    pub fn last(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| file.is_file())
    }

    pub(super) fn is_own(&self, path: &Path) -> bool {
        self.file.as_deref() == Some(path)
    }

    /// Stops keeping the session.
    pub fn switch_off(&mut self) {
        self.file = None;
    }
}

impl Context {
    /// Returns when to look again whether there is something new to keep; `None` if nothing has changed.
    pub(crate) fn autosave_due(&self) -> Option<Instant> {
        let looked = self.autosave.looked?;
        let waits = self.saving.is_none() && self.to_be_kept().is_some();
        waits.then_some(looked + PERIOD)
    }

    /// Returns where to keep the session and the nodes of its searches, if there is anything new to keep.
    fn to_be_kept(&self) -> Option<(PathBuf, u64)> {
        let (file, nodes) = self.kept()?;
        if let Some(folder) = file.parent() {
            // If it can't be created, nothing can be saved there.
            std::fs::create_dir_all(folder).ok()?;
        }
        let new = nodes > 0 && nodes != self.autosave.nodes;
        new.then_some((file, nodes))
    }

    /// Returns where the session is kept and the nodes of its searches; `None` if it is not kept by itself.
    fn kept(&self) -> Option<(PathBuf, u64)> {
        let file = self.autosave.file.clone()?;
        if self.reading.is_under_way() {
            return None;
        }
        let mut recorded = self.recorded();
        if recorded.any(|recorded| !recorded.is_in_a_file()) {
            // Its trace would have to be written with it.
            return None;
        }
        let (nodes, bytes) = self.work();
        (bytes <= LARGEST).then_some((file, nodes))
    }

    /// Leaves the program. Asks first if that loses the work of a long search, unless it has just asked.
    pub fn quit(&mut self) {
        const JUST: Duration = Duration::from_secs(2);
        let (nodes, _) = self.work();
        let asked = self.autosave.asked.replace(Instant::now());
        let has_asked = asked.is_some_and(|asked| asked.elapsed() < JUST);
        if has_asked || self.autosave.saved == Some(nodes) || self.kept().is_some() {
            self.leaving = true;
        } else {
            self.give_up_search("quit", |app| app.cx.leaving = true);
        }
    }

    /// Notes that a file has the session as it is now.
    pub(super) fn note_saved(&mut self) {
        self.autosave.saved = Some(self.work().0);
    }

    /// Returns the sessions that are shown.
    fn shown(&self) -> impl Iterator<Item = &Session> {
        let aside = self
            .columns
            .lent
            .as_ref()
            .and_then(|lent| lent.aside.as_ref());
        let shown = [self.searched(), aside].into_iter().flatten();
        shown.filter_map(Source::live)
    }

    /// Returns the traces that the session reads.
    fn recorded(&self) -> impl Iterator<Item = &Arc<dyn Recorded>> {
        let recorded = self.shown().map(|session| &session.config().recorded);
        let columns = self.columns.running.iter().flat_map(Comparison::columns);
        let in_columns = columns.filter_map(|column| match &column.spec {
            ColumnSpec::Own(config) => Some(&config.recorded),
            ColumnSpec::External(_) => None,
        });
        let recorded = recorded.chain(in_columns);
        recorded.chain([&self.current.recorded]).flatten()
    }

    /// Returns the nodes of all searches, and the bytes of their trees.
    fn work(&self) -> (u64, u64) {
        let faces = self.faces().into_iter().flatten();
        let statuses = self.shown().map(Session::status);
        let statuses = statuses.chain(faces.map(|face| face.status()));
        statuses.fold((0, 0), |(nodes, bytes), status| {
            (nodes + status.totals.nodes, bytes + status.tree_bytes)
        })
    }
}

impl App {
    /// Keeps the session now and then, while no search is running: saving would hold it up.
    pub(crate) fn tend_autosave(&mut self, now: Instant) {
        let due = self.cx.autosave.looked.is_none_or(|at| now >= at + PERIOD);
        if !due || self.cx.saving.is_some() || self.cx.state() == Some(State::Running) {
            return;
        }
        self.cx.autosave.looked = Some(now);
        if let Some((path, nodes)) = self.cx.to_be_kept() {
            self.cx.autosave.nodes = nodes;
            self.save_session(path, true);
        }
    }

    /// Keeps the session before the program ends, and waits until that is done or `halted` returns true. The terminal has
    /// been given back: if it takes long, that is said on standard error.
    pub(crate) fn keep_at_end(&mut self, halted: &impl Fn() -> bool) {
        // One that is being saved already is finished first.
        let goes_on = self.finish_saving(halted);
        // Notes, and what is open, may be new where the search is not.
        self.cx.autosave.nodes = 0;
        if let Some((path, _)) = self.cx.to_be_kept().filter(|_| goes_on) {
            self.save_session(path, true);
            self.finish_saving(halted);
        }
    }

    /// Waits until the session is saved. Returns false if it was given up.
    fn finish_saving(&mut self, halted: &impl Fn() -> bool) -> bool {
        /// The longest time for what nobody asked for.
        const LONGEST: Duration = Duration::from_secs(5);
        /// What is done within this time needs no words.
        const LONG: Duration = Duration::from_millis(300);
        // If standard error is gone, nobody reads it.
        let say = |what: String| drop(writeln!(std::io::stderr(), "plyscope: {what}"));
        let begun = Instant::now();
        let mut told = false;
        while let Some(saving) = &self.cx.saving {
            let name = sanitise(&saving.path.display().to_string());
            let why = match () {
                () if halted() => Some("interrupted"),
                () if saving.quiet && begun.elapsed() >= LONGEST => Some("it takes too long"),
                () => None,
            };
            if let Some(why) = why {
                say(format!("{name}: not saved: {why}"));
                return false;
            }
            if !told && begun.elapsed() >= LONG {
                told = true;
                say(format!(
                    "saving the session to {name} · Ctrl-C ends without it"
                ));
            }
            std::thread::sleep(Duration::from_millis(5));
            self.cx.tend_saving();
        }
        if let Some(why) = self.cx.autosave.fault.take() {
            say(why);
        }
        true
    }
}
