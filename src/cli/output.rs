//! Where a command writes its results: standard output, or a file that is replaced when all of it was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Failure;
use text::save::Draft;

/// The file of `--output`, while it is written.
static DRAFT: Mutex<Option<Target>> = Mutex::new(None);
/// Its name.
static NAME: OnceLock<String> = OnceLock::new();
static QUIET: AtomicBool = AtomicBool::new(false);

/// Where `--output` leads.
enum Target {
    /// A file, which is replaced at the end.
    Draft(Draft),
    /// A device or a pipe, such as /dev/null, which is written to as it is.
    Device(File),
}

impl Target {
    fn open(path: &Path) -> io::Result<Target> {
        let found = fs::metadata(path);
        if found.is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return OpenOptions::new()
                .write(true)
                .open(path)
                .map(Target::Device);
        }
        Draft::begin(path).map(Target::Draft)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Target::Draft(draft) => draft,
            Target::Device(file) => file,
        }
    }
}

fn draft() -> MutexGuard<'static, Option<Target>> {
    DRAFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes what the command line says: a file for the results (`-` is standard output), and whether to show no progress.
///
/// # Errors
/// If no file can be created there.
pub fn settle(file: Option<&Path>, quiet: bool) -> Result<(), Failure> {
    QUIET.store(quiet, Ordering::Relaxed);
    if let Some(path) = file.filter(|path| *path != Path::new("-")) {
        let begun = Target::open(path);
        *draft() = Some(begun.map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?);
        // The command line is settled once.
        let _ = NAME.set(path.display().to_string());
    }
    Ok(())
}

/// Whether no progress is to be shown.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// What the results are written to, for messages.
pub fn name() -> &'static str {
    NAME.get().map_or("standard output", String::as_str)
}

/// Whether the results go to a file.
pub fn is_file() -> bool {
    draft().is_some()
}

/// Puts the file in place when the command is done; leaves what was there if it was refused before it wrote anything that
/// counts.
///
/// # Errors
/// If the file can't be written.
pub fn close(done: Result<(), Failure>) -> Result<(), Failure> {
    let Some(Target::Draft(draft)) = draft().take() else {
        return done;
    };
    if matches!(done, Err(Failure::Input(_) | Failure::Usage(_))) {
        return done;
    }
    draft
        .publish()
        .map_err(|e| Failure::Input(format!("{}: {e}", name())))?;
    done
}

/// A writer to wherever the results go.
pub fn stdout() -> Output {
    Output
}

/// See [`stdout`].
#[derive(Clone, Copy, Debug)]
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *draft() {
            Some(target) => target.writer().write(bytes),
            None => io::stdout().lock().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *draft() {
            Some(target) => target.writer().flush(),
            None => io::stdout().lock().flush(),
        }
    }
}
