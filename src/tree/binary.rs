//! Numbers in files: little-endian words, and lists with their lengths.

use std::io::{self, Read, Write};
use std::ops::RangeInclusive;

/// Told how many bytes were just written or read, before compression; returns whether to go on.
pub type Goes<'a> = dyn Fn(u64) -> bool + 'a;

/// A file contains something that no tree can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("damaged: {0} are not those of a tree")]
pub struct Damaged(pub &'static str);

impl From<Damaged> for io::Error {
    fn from(damaged: Damaged) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, damaged)
    }
}

/// The error of a transfer that was told not to go on.
pub fn stopped() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "stopped")
}

/// Returns the error of a machine that lacks the memory for what is in a file.
pub fn no_memory() -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, "not enough memory")
}

pub fn write_words(out: &mut dyn Write, words: &[u32]) -> io::Result<()> {
    words
        .iter()
        .try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

pub fn read_words<const N: usize>(input: &mut dyn Read) -> io::Result<[u32; N]> {
    let mut words = [0; N];
    for word in &mut words {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        *word = u32::from_le_bytes(bytes);
    }
    Ok(words)
}

/// Writes a list after its length.
pub fn write_list(out: &mut dyn Write, list: impl Iterator<Item = u32>) -> io::Result<()> {
    let list: Vec<u32> = list.collect();
    let length = u32::try_from(list.len()).map_err(io::Error::other)?;
    write_words(out, &[length])?;
    write_words(out, &list)
}

/// Reads a list that [`write_list`] has written.
pub fn read_list(input: &mut dyn Read) -> io::Result<Vec<u32>> {
    let [length] = read_words(input)?;
    // Grows as it is read, so that a wrong length can't ask for much memory.
    (0..length)
        .map(|_| read_words(input).map(|[word]| word))
        .collect()
}

/// Returns the number if it is within the range.
///
/// # Errors
/// If it is not; `what` names it.
pub fn within(number: u32, range: RangeInclusive<u32>, what: &'static str) -> io::Result<u32> {
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(Damaged(what).into())
    }
}
