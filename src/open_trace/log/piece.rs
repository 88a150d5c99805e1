//! A piece of a log: a file that is written and read at offsets of the stream.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A part of the stream in a file of its own.
#[derive(Debug)]
pub(super) struct Piece {
    /// The offset in the stream of its first byte.
    pub start: u64,
    pub file: File,
}

/// Numbers the pieces of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Piece {
    /// Creates an empty piece in a folder, which is created too. Its file vanishes when it is closed.
    pub fn create(folder: &Path, start: u64) -> io::Result<Piece> {
        create_folder(folder)?;
        loop {
            let number = NEXT.fetch_add(1, Relaxed);
            let path = folder.join(format!("trace-{}-{number}", std::process::id()));
            let mut options = OpenOptions::new();
            options.read(true).write(true).create_new(true);
            for_us_alone(&mut options);
            match options.open(&path) {
                Ok(file) => {
                    // An open file without a name lives until it is closed.
                    #[cfg(unix)]
                    fs::remove_file(&path)?;
                    return Ok(Piece { start, file });
                }
                // Left by another process that had the same number.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    let _ = fs::remove_file(&path);
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// Writes all bytes at an offset of the stream.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut at = offset - self.start;
        let mut rest = bytes;
        while !rest.is_empty() {
            #[cfg(unix)]
            let written = std::os::unix::fs::FileExt::write_at(&self.file, rest, at);
            #[cfg(windows)]
            let written = std::os::windows::fs::FileExt::seek_write(&self.file, rest, at);
            match written {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    rest = &rest[count..];
                    at += count as u64;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Reads some bytes at an offset of the stream.
    pub fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let at = offset - self.start;
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&self.file, into, at);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&self.file, into, at);
    }
}

/// What is in a stream may be private: the folder is made for its owner.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(unix)]
fn for_us_alone(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(windows)]
fn for_us_alone(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt as _;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    options.custom_flags(DELETE_ON_CLOSE);
}
