//! Where the files of a course are: in its folder, and nowhere else.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The largest file of a course, in MiB. Lessons have a few KiB.
const MOST_MIB: u64 = 4;

/// The folder of a course.
pub(super) struct Places {
    /// As it was given.
    folder: PathBuf,
    /// Without links.
    real: PathBuf,
}

/// A file of the folder.
pub(super) struct Place {
    /// The path by which it is named in messages.
    pub path: PathBuf,
    /// The same without links, by which two names of one file are found out.
    pub real: PathBuf,
}

impl Places {
    /// # Errors
    /// If it does not exist.
    pub fn of(folder: &Path) -> io::Result<Places> {
        Ok(Places {
            folder: folder.to_owned(),
            real: folder.canonicalize()?,
        })
    }

    /// Returns the file with a name.
    ///
    /// # Errors
    /// If the name leads out of the folder, by itself or by a link; if there is no such file, it is not a regular file, or it
    /// is too large. The text says what was found.
    pub fn file(&self, name: &str) -> Result<Place, String> {
        let named = Path::new(name);
        let mut parts = named.components();
        let is_inside = parts.all(|part| matches!(part, Component::Normal(_)));
        if name.is_empty() || !is_inside {
            return Err("a path that leads out of the folder".into());
        }
        let path = self.folder.join(named);
        let real = self.real.join(named).canonicalize();
        let real = real.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "no such file".to_owned(),
            _ => error.to_string(),
        })?;
        if !real.starts_with(&self.real) {
            return Err("a link that leads out of the folder".into());
        }
        let metadata = fs::metadata(&real).map_err(|error| error.to_string())?;
        text::files::check(&metadata).map_err(|error| error.to_string())?;
        if metadata.len() > MOST_MIB << 20 {
            return Err(format!("a file of more than {MOST_MIB} MiB"));
        }
        Ok(Place { path, real })
    }
}
