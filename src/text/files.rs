//! Opens a path given by the user, which may turn out to be a pipe, a terminal or a device without an end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// The most that is read into memory at once, in MiB. Game files are read one game at a time and may be larger.
pub const MOST_MIB: u64 = 256;

/// Opens a file that can be read at any offset and never blocks, and refuses everything else.
///
/// # Errors
/// If it does not exist or is not a regular file; the error says what it is.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe without a writer would block.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// # Errors
/// If it is not a regular file; the error says what it is.
pub fn check(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "it is {}, not a file",
        kind_of(metadata)
    )))
}

/// When a file last changed, where the system tells.
pub fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

fn kind_of(metadata: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "a pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if metadata.is_dir() {
        "a folder"
    } else {
        "something else"
    }
}

/// Reads all bytes of a file, a pipe or a device, up to [`MOST_MIB`].
///
/// # Errors
/// If it cannot be read or is larger.
pub fn read_all(source: impl Read) -> io::Result<Vec<u8>> {
    let most = MOST_MIB << 20;
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("more than {MOST_MIB} MiB")));
    }
    Ok(bytes)
}

/// Reads all bytes of a file.
///
/// # Errors
/// See [`open`] and [`read_all`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(open(path)?)
}

/// Reads a text file.
///
/// # Errors
/// See [`read`]; also if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// Whether this process may make files in a folder; none is made.
///
/// # Errors
/// Why it may not.
pub fn may_write(folder: &Path) -> io::Result<()> {
    if !folder.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    #[cfg(unix)]
    {
        use rustix::fs::Access;
        rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_are_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let this = read(&folder.join("files.rs"));
        assert!(this.is_ok_and(|bytes| bytes.starts_with(b"//!")));
        let error = read(folder).expect_err("a folder");
        assert_eq!(error.to_string(), "it is a folder, not a file");
        let missing = read(&folder.join("none")).expect_err("nothing");
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/tty"] {
            // Without a controlling terminal there is no /dev/tty.
            let error = read(Path::new(device)).expect_err("a device").to_string();
            assert!(
                error.contains("a device") || device == "/dev/tty",
                "{error}"
            );
        }
    }

    #[test]
    fn what_never_ends_is_cut() {
        let error = read_all(io::repeat(b'x')).expect_err("without an end");
        assert_eq!(error.to_string(), "more than 256 MiB");
    }
}
