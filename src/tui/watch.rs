//! Watching files. Their folders are watched, since editors replace files rather than write into them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::Sender;
use notify::RecommendedWatcher;
use notify::RecursiveMode;
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};

/// How long a file must be unchanged before it is read again.
const QUIET: Duration = Duration::from_millis(60);

/// Watches the folders of some files.
pub struct Watcher {
    debouncer: Option<Debouncer<RecommendedWatcher, NoCache>>,
    folders: HashSet<PathBuf>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Watcher({:?})", self.folders)
    }
}

impl Watcher {
    /// Creates a watcher that sends changed paths to `changes`. If the system cannot watch files, it never sends any.
    pub fn new(changes: Sender<Vec<PathBuf>>) -> Watcher {
        let tell = move |result: DebounceEventResult| {
            let Ok(events) = result else { return };
            let paths: Vec<PathBuf> = events
                .into_iter()
                .filter(|e| !e.kind.is_access())
                .flat_map(|e| e.event.paths)
                .collect();
            if !paths.is_empty() {
                let _ = changes.send(paths);
            }
        };
        let config = notify::Config::default();
        Watcher {
            debouncer: new_debouncer_opt(QUIET, None, tell, NoCache, config).ok(),
            folders: HashSet::new(),
        }
    }

    /// Watches exactly the folders of these files and these folders. Returns whether one of them is new, so that what
    /// changed in it before went unseen.
    pub fn watch(&mut self, files: &[PathBuf], folders: &[PathBuf]) -> bool {
        let Some(debouncer) = &mut self.debouncer else {
            return false;
        };
        let wanted: HashSet<PathBuf> = files
            .iter()
            .filter_map(|f| folder_of(f))
            .chain(folders.iter().filter_map(|f| f.canonicalize().ok()))
            .filter(|f| f.is_dir())
            .collect();
        for old in self.folders.difference(&wanted) {
            let _ = debouncer.unwatch(old);
        }
        let mut widened = false;
        for new in wanted.difference(&self.folders) {
            widened |= debouncer.watch(new, RecursiveMode::NonRecursive).is_ok();
        }
        self.folders = wanted;
        widened
    }
}

fn folder_of(file: &Path) -> Option<PathBuf> {
    let folder = match file.parent() {
        Some(p) if p.as_os_str().is_empty() => Path::new("."),
        Some(p) => p,
        None => return None,
    };
    folder.canonicalize().ok()
}

/// Whether one of the changed paths is this file, whatever form the path has.
pub fn concerns(changed: &[PathBuf], file: &Path) -> bool {
    let folder = folder_of(file);
    changed.iter().any(|c| {
        c.file_name() == file.file_name()
            && (c == file || c.parent().and_then(|p| p.canonicalize().ok()) == folder)
    })
}
