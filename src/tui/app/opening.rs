//! Files are opened on a separate thread. The screen waits briefly for a small file, which is there at once, and not
//! for a large one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, TryRecvError, bounded};

use super::App;
use crate::context::place::home_expanded;
use crate::context::{Level, Opened, Opening, Purpose, Shown};
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::tabs::Tab;
use session::saved::Progress;

impl App {
    /// How often to check whether a file has been read.
    pub(super) const OPENING: Duration = Duration::from_millis(50);

    /// Begins with what was opened first: shows a game move by move, and searches a position.
    pub fn begin(&mut self) {
        if self.cx.current.plies() > 0 && self.cx.detour.is_none() {
            self.cx.wait_to_search();
            self.show_tab(Tab::Game);
        } else {
            self.cx.start_search();
        }
    }

    /// Opens a file; the open document stays until the new one is read, and also if it cannot be read.
    pub fn open_path(&mut self, path: &Path) {
        self.read_aside(path.to_owned(), Purpose::Open);
    }

    /// Asks for a file, and lists those that match what is typed.
    pub fn ask_file(&mut self) {
        let mut chooser = Chooser::new("open a file", Vec::new(), 0);
        chooser.placeholder = "type a name or a path · ~ is the home folder";
        (chooser.least, chooser.verb, chooser.completes) = (72, "open", true);
        let mut folder = Folder::default();
        folder.list(&mut chooser);
        self.cx
            .choose_while(chooser, move |app, chooser, choice| match choice {
                Choice::Moved => {
                    folder.list(chooser);
                    true
                }
                // A path that is typed whole goes before what it is the beginning of.
                Choice::Taken(_) if folder.typed_file(chooser).is_some() => {
                    let path = folder.typed_file(chooser);
                    path.into_iter().for_each(|path| app.open_path(&path));
                    false
                }
                Choice::Taken(i) if !folder.entries[i].is_folder => {
                    app.open_path(&folder.path.join(&folder.entries[i].name));
                    false
                }
                Choice::Taken(i) | Choice::Completed(i) => {
                    folder.complete(chooser, i);
                    true
                }
                Choice::Typed => {
                    app.open_path(&home_expanded(chooser.query.trim()));
                    false
                }
                Choice::Cancelled | Choice::Nothing => false,
            });
    }

    /// Reads the opened file again after it changed. The place in the file and in the game is kept where it still
    /// exists, and the search continues if the position is the same.
    pub fn reload(&mut self) {
        let path = self.cx.document.path.as_ref();
        if path.is_some_and(|path| !self.tabs.game.is_own_writing(path)) {
            self.read_again();
        }
    }

    /// Reads the opened file again, whoever changed it.
    pub(super) fn read_again(&mut self) {
        if let Some(path) = self.cx.document.path.clone() {
            self.read_aside(path, Purpose::Reload);
        }
    }

    /// Reads a file on its own thread; it replaces one that is still being read.
    fn read_aside(&mut self, path: PathBuf, purpose: Purpose) {
        /// A file of up to this many bytes is read before a user would notice.
        const SMALL: u64 = 1 << 20;
        /// Long enough for a busy machine; a file system that does not answer must not block the screen for longer.
        const AT_ONCE: Duration = Duration::from_secs(1);
        let (sender, answer) = bounded(1);
        let progress = Arc::new(Progress::default());
        let read = {
            let (path, progress) = (path.clone(), Arc::clone(&progress));
            let shown = Shown {
                entry: self.cx.entry,
                title: self.cx.document.title(self.cx.entry),
            };
            move || {
                let read = Opened::read(&path, &progress).map(|read| match read {
                    // A large file takes a while to come to the entry that is shown.
                    Opened::Document(document) if purpose == Purpose::Reload => {
                        let at = shown.find_in(&document);
                        Opened::Again(document, at)
                    }
                    other => other,
                });
                drop(sender.send(read));
            }
        };
        if let Err(e) = std::thread::Builder::new()
            .name("reader".into())
            .spawn(read)
        {
            self.cx
                .say(Level::Error, format!("{}: no thread: {e}", path.display()));
            return;
        }
        let is_large = std::fs::metadata(&path).is_ok_and(|m| m.len() > SMALL);
        let patience = if is_large { Self::OPENING } else { AT_ONCE };
        self.cx.opening = None;
        match answer.recv_timeout(patience) {
            Ok(read) => self.take_read(&path, read, purpose),
            Err(RecvTimeoutError::Disconnected) => {
                self.take_read(&path, Err(broke_off(&path)), purpose);
            }
            Err(RecvTimeoutError::Timeout) => {
                self.cx
                    .say(Level::Info, format!("{} is being read …", path.display()));
                self.cx.opening = Some(Opening {
                    path,
                    purpose,
                    answer,
                    progress,
                });
            }
        }
    }

    /// Takes a file that has been read in the meantime.
    pub(super) fn look_for_opened(&mut self) {
        let Some(opening) = &self.cx.opening else {
            return;
        };
        let read = match opening.answer.try_recv() {
            Err(TryRecvError::Empty) => {
                self.cx.dirty |= opening.progress.share() > 0.0;
                return;
            }
            Err(TryRecvError::Disconnected) => Err(broke_off(&opening.path)),
            Ok(read) => read,
        };
        let (purpose, path) = (opening.purpose, opening.path.clone());
        self.cx.opening = None;
        self.cx.dirty = true;
        // That it is awaited is no longer true.
        let newest = self.cx.messages.all.last();
        let waits = newest.is_some_and(|message| message.level == Level::Info);
        self.cx.messages.fresh &= !waits;
        self.take_read(&path, read, purpose);
    }

    fn take_read(&mut self, path: &Path, read: Result<Opened, String>, purpose: Purpose) {
        match (read, purpose) {
            (Ok(Opened::Session(kept)), _) => {
                self.cx.opening = None;
                self.cx.leave_text();
                self.cx.leave_for_another();
                self.take_session(path, kept);
            }
            (Ok(Opened::Document(document)), _) => {
                self.tabs.game.open_document(&mut self.cx, document)
            }
            (Ok(Opened::Again(document, at)), _) => {
                self.tabs.game.take_reloaded(&mut self.cx, document, at)
            }
            (Err(what), Purpose::Open) => self.cx.say(Level::Error, what),
            (Err(what), Purpose::Reload) => self
                .cx
                .say(Level::Error, format!("{what} (the old is kept)")),
        }
        self.do_asked();
    }
}

/// A file or folder that can be opened.
#[derive(Clone, Debug)]
struct FileEntry {
    is_folder: bool,
    name: String,
}

/// The folder of the path that is being typed.
#[derive(Debug, Default)]
struct Folder {
    /// As it was typed, with the separator at its end; `None` before anything was listed.
    typed: Option<String>,
    path: PathBuf,
    /// Whether hidden files are listed.
    hidden: bool,
    /// Folders first.
    entries: Vec<FileEntry>,
}

impl Folder {
    /// The extensions of the files that can be opened.
    fn is_known(name: &str) -> bool {
        let formats = games::FORMATS.iter().map(|format| format.extension);
        let known = formats.chain(["plyscope"]);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|own| {
            known
                .into_iter()
                .any(|known| own.eq_ignore_ascii_case(known))
        })
    }

    /// Lists what matches the query of a chooser.
    fn list(&mut self, chooser: &mut Chooser) {
        if chooser.query == "~" {
            chooser.query.push('/');
        }
        let typed = chooser.query.clone();
        let (folder, rest) = match typed.rsplit_once('/') {
            Some((folder, rest)) => (format!("{folder}/"), rest),
            None => (String::new(), typed.as_str()),
        };
        let hidden = rest.starts_with('.');
        if self.typed.as_ref() == Some(&folder) && self.hidden == hidden {
            return;
        }
        self.path = match folder.as_str() {
            "" => PathBuf::from("."),
            _ => home_expanded(&folder),
        };
        self.hidden = hidden;
        self.entries = entries(&self.path, hidden);
        let item = |entry: &FileEntry| {
            let slash = if entry.is_folder { "/" } else { "" };
            Item::new(text::sanitise(&format!("{}{slash}", entry.name)), "")
        };
        chooser.lead.clone_from(&folder);
        chooser.set_items(self.entries.iter().map(item).collect());
        self.typed = Some(folder);
    }

    /// Completes what is typed by an entry.
    fn complete(&mut self, chooser: &mut Chooser, i: usize) {
        let Some(entry) = self.entries.get(i) else {
            return;
        };
        let slash = if entry.is_folder { "/" } else { "" };
        let typed = self.typed.as_deref().unwrap_or_default();
        chooser.query = format!("{typed}{}{slash}", entry.name);
        self.list(chooser);
        chooser.search();
    }

    /// Returns the file whose path is typed whole, unless another one was selected.
    fn typed_file(&self, chooser: &Chooser) -> Option<PathBuf> {
        let typed = chooser.query.trim();
        let path = home_expanded(typed);
        let is_other = chooser.list.selected > 0 || typed.is_empty();
        (!is_other && path.exists() && !path.is_dir()).then_some(path)
    }
}

/// Returns the folders and the files of known kinds in a folder, by name; none if it can't be read.
fn entries(path: &Path, hidden: bool) -> Vec<FileEntry> {
    let found = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut entries: Vec<FileEntry> = found
        .filter_map(|entry| {
            // What is no text can't be typed.
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.path().is_dir();
            let shown = hidden || !name.starts_with('.');
            (shown && (is_folder || Folder::is_known(&name)))
                .then_some(FileEntry { is_folder, name })
        })
        .collect();
    entries.sort_by_key(|entry| (!entry.is_folder, entry.name.clone()));
    entries
}

fn broke_off(path: &Path) -> String {
    format!(
        "{}: reading it broke off by a mistake of the program",
        path.display()
    )
}
