//! Writing a file so that there is never a half-written one.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes a file in place of the one at `path`: into a temporary file beside it first, which takes its name when all
/// is written. Symbolic links are followed and permissions kept.
///
/// # Errors
/// If it can't be written, or `write` fails. The file at `path` is then as it was, and nothing is left beside it.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let (file, beside) = create_beside(&target)?;
    let done = fill(file, &target, write).and_then(|()| fs::rename(&beside, &target));
    if done.is_err() {
        // The error at hand says more than one about the rest of it.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// A new file in the same folder, with a name that nothing has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    const TRIES: u32 = 100;
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
    let mut number = 0;
    loop {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{number}.tmp", std::process::id()));
        let beside = target.with_file_name(hidden);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside);
        match file {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < TRIES => {
                number += 1;
            }
            file => return Ok((file?, beside)),
        }
    }
}

fn fill(
    file: File,
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // First, so that nobody reads in the meantime what is not for them.
    if let Ok(old) = fs::metadata(target) {
        file.set_permissions(old.permissions())?;
    }
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
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
