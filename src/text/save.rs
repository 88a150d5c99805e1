//! Writes files atomically, so that there is never a half-written one.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Writes a file to replace the one at `path`: see [`Draft`].
///
/// # Errors
/// If it cannot be written, or `write` fails. The file at `path` is then unchanged, and no temporary file is left.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut draft = Draft::begin(path)?;
    write(&mut draft)?;
    draft.publish()
}

/// A file that replaces the one at `path` when everything has been written. Until then it is a temporary file beside
/// that one, which is removed if the draft is dropped. Symbolic links are followed and permissions kept.
#[derive(Debug)]
pub struct Draft {
    /// `None` when it is published.
    out: Option<BufWriter<File>>,
    beside: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If no file can be created beside the target.
    pub fn begin(path: &Path) -> io::Result<Draft> {
        let target = match path.canonicalize() {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(error),
        };
        // A device or a pipe is written to, never replaced by a file.
        if fs::metadata(&target).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            let why = "not an ordinary file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let name = target.file_name();
        let name = name
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
        remove_litter(&target, name);
        let (file, beside) = create_beside(&target, name)?;
        let permissions = fs::metadata(&target).map(|old| old.permissions());
        let draft = Draft {
            out: Some(BufWriter::new(file)),
            beside,
            target,
        };
        // Before anything is written, so that nobody can read in the meantime what they should not.
        if let (Ok(old), Some(out)) = (permissions, &draft.out) {
            out.get_ref().set_permissions(old)?;
        }
        Ok(draft)
    }

    /// Replaces the target.
    ///
    /// # Errors
    /// If something cannot be written. The target is then unchanged.
    pub fn publish(mut self) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            let done = out
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&self.beside, &self.target));
            if done.is_err() {
                // The original error says more than one from the cleanup would.
                let _ = fs::remove_file(&self.beside);
            }
            return done;
        }
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Does something with the file at `path`, for example reads and rewrites it, while no other plyscope does so in the
/// same folder.
///
/// # Errors
/// If another plyscope does not finish within half a second, or `work` fails.
pub fn alone<R>(path: &Path, work: impl FnOnce() -> io::Result<R>) -> io::Result<R> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let _held = hold(folder.unwrap_or_else(|| Path::new(".")))?;
    work()
}

/// Locks a folder until the returned file is dropped. Returns `None` if folders cannot be locked.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    const PATIENCE: Duration = Duration::from_millis(500);
    let Ok(file) = File::open(folder) else {
        return Ok(None);
    };
    let late = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if Instant::now() < late => {
                thread::sleep(Duration::from_millis(2));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other(
                    "another plyscope is writing in this folder",
                ));
            }
        }
    }
}

/// Returns the beginning and the end of the names of temporary files for `name`.
fn marks(name: &OsStr) -> (OsString, &'static str) {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".");
    (hidden, ".tmp")
}

/// Removes the temporary files left by a program that was killed, which are those that nobody has locked.
fn remove_litter(target: &Path, name: &OsStr) {
    let (begin, end) = marks(name);
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or_else(|| Path::new(".")));
    for entry in entries.into_iter().flatten().flatten() {
        let found = entry.file_name();
        let found = found.as_encoded_bytes();
        let is_ours =
            found.starts_with(begin.as_encoded_bytes()) && found.ends_with(end.as_bytes());
        if is_ours
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates a new file in the same folder, under an unused name, locked until it is dropped.
fn create_beside(target: &Path, name: &OsStr) -> io::Result<(File, PathBuf)> {
    const TRIES: u32 = 100;
    let (begin, end) = marks(name);
    let mut number = 0;
    loop {
        let mut hidden = begin.clone();
        hidden.push(format!("{}-{number}{end}", std::process::id()));
        let beside = target.with_file_name(hidden);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside);
        match file {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < TRIES => {
                number += 1;
            }
            Err(error) => return Err(error),
            Ok(file) => {
                // Where files cannot be locked, they are not cleaned up either.
                let _ = file.try_lock();
                // Another program may have removed it before it was locked.
                if beside.exists() || number >= TRIES {
                    return Ok((file, beside));
                }
                number += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the test");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder").flatten();
        entries
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn a_file_is_written_wholly_or_not_at_all() {
        let folder = folder("save");
        let path = folder.join("games.pgn");
        save(&path, |out| out.write_all(b"first")).expect("a new file");
        assert_eq!(fs::read(&path).expect("it"), b"first");
        let failed = save(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert_eq!(failed.expect_err("it stopped").to_string(), "stopped");
        assert_eq!(fs::read(&path).expect("it"), b"first");
        save(&path, |out| out.write_all(b"second")).expect("in place of the first");
        assert_eq!(fs::read(&path).expect("it"), b"second");
        assert_eq!(names(&folder), ["games.pgn"]);
        assert!(save(&folder.join("no/such/folder"), |_| Ok(())).is_err());
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_is_being_written_is_not() {
        let folder = folder("save-litter");
        let path = folder.join("learn.json");
        fs::write(folder.join(".learn.json.99999-0.tmp"), "half").expect("litter");
        fs::write(folder.join(".other.json.99999-0.tmp"), "half").expect("another's");
        let (held, beside) = create_beside(&path, OsStr::new("learn.json")).expect("a file");
        save(&path, |out| out.write_all(b"{}")).expect("written");
        let mut left = names(&folder);
        left.sort();
        let mine = beside.file_name().expect("a name").to_string_lossy();
        assert_eq!(left, [&mine, ".other.json.99999-0.tmp", "learn.json"]);
        drop(held);
        save(&path, |out| out.write_all(b"{}")).expect("written");
        assert_eq!(names(&folder).len(), 2);
        let _ = fs::remove_dir_all(&folder);
    }

    #[cfg(unix)]
    #[test]
    fn many_writers_at_once_lose_nothing() {
        let folder = folder("save-alone");
        let path = folder.join("count");
        fs::write(&path, "0").expect("a file");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let count_on = || {
                        alone(&path, || {
                            let count: u32 = fs::read_to_string(&path)?.parse().expect("a number");
                            save(&path, |out| write!(out, "{}", count + 1))
                        })
                    };
                    for _ in 0..25 {
                        // On a busy disk one may be refused, and then has done nothing.
                        while let Err(refused) = count_on() {
                            assert!(
                                refused.to_string().contains("another plyscope"),
                                "{refused}"
                            );
                        }
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&path).expect("it"), "100");
        assert_eq!(names(&folder), ["count"]);
        let _ = fs::remove_dir_all(&folder);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = folder("save-link");
        let (path, link) = (folder.join("games.pgn"), folder.join("link.pgn"));
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink("games.pgn", &link).expect("a link");
        save(&link, |out| out.write_all(b"new")).expect("through the link");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).expect("it"), b"new");
        let mode = fs::metadata(&path).expect("it").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let _ = fs::remove_dir_all(&folder);
    }
}
