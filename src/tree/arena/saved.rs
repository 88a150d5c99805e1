//! Writes an arena to a file and reads it back.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Arena, CHUNK, Cursor, Pooled, fresh};
use crate::binary::{self, Goes};

/// An element as words of 32 bits.
pub trait Stored: Sized {
    const WORDS: usize;

    /// Writes the element to `words`, which has the length [`Stored::WORDS`].
    fn to_words(&self, words: &mut [u32]);

    fn of_words(words: &[u32]) -> Self;
}

/// The words of one kind of a chunk, with a gap before the next kind: at distances of a power of two they would compete
/// for the same lines of the cache.
const COLUMN: usize = CHUNK + 16;

/// Splits a column into its lowest bytes, the next bytes, and so on, each word as the difference from the one before.
fn spread(column: &[u32], bytes: &mut [u8]) {
    let (low, high) = bytes.split_at_mut(2 * CHUNK);
    let ((first, second), (third, fourth)) = (low.split_at_mut(CHUNK), high.split_at_mut(CHUNK));
    let mut before = 0u32;
    for (at, word) in column.iter().enumerate() {
        let change = word.wrapping_sub(std::mem::replace(&mut before, *word));
        [first[at], second[at], third[at], fourth[at]] = change.to_le_bytes();
    }
}

/// Reverses [`spread`].
fn gather(bytes: &[u8], column: &mut [u32]) {
    let (low, high) = bytes.split_at(2 * CHUNK);
    let ((first, second), (third, fourth)) = (low.split_at(CHUNK), high.split_at(CHUNK));
    let mut before = 0u32;
    for (at, word) in column.iter_mut().enumerate() {
        let change = u32::from_le_bytes([first[at], second[at], third[at], fourth[at]]);
        before = before.wrapping_add(change);
        *word = before;
    }
}

impl Cursor {
    fn set(&mut self, next: u32) -> io::Result<()> {
        let next = binary::within(next, self.first..=self.end, "places")?;
        self.next = AtomicU32::new(next);
        Ok(())
    }
}

impl<T: Pooled + Stored> Arena<T> {
    const ELEMENT_BYTES: usize = 4 * T::WORDS;

    /// Writes everything: which places were handed out, and the elements. No thread may write to it meanwhile.
    ///
    /// A chunk is stored byte by byte: the lowest bytes of the first word of all its elements, then the next bytes, and
    /// so on, each as the difference from the element before. Neighbours are alike, so that this compresses well.
    pub fn write(&self, out: &mut dyn Write, goes: &Goes) -> io::Result<()> {
        let [main, kept] = self.used();
        let refused = u32::from(self.refused.load(Ordering::Relaxed));
        binary::write_words(out, &[main.end, kept.end, refused])?;
        let made = self.chunks.iter().enumerate();
        let made: Vec<_> = made
            .filter_map(|(i, chunk)| Some((i, chunk.get()?)))
            .collect();
        binary::write_words(out, &[made.len() as u32])?;
        let mut words = vec![0; T::WORDS];
        let mut columns = vec![0; T::WORDS * COLUMN];
        let mut bytes = vec![0; CHUNK * Self::ELEMENT_BYTES];
        for (index, chunk) in made {
            for (at, element) in chunk.iter().enumerate() {
                element.to_words(&mut words);
                for (column, word) in columns.chunks_exact_mut(COLUMN).zip(&words) {
                    column[at] = *word;
                }
            }
            let columns = columns.chunks_exact(COLUMN);
            for (column, bytes) in columns.zip(bytes.chunks_exact_mut(4 * CHUNK)) {
                spread(&column[..CHUNK], bytes);
            }
            binary::write_words(out, &[index as u32])?;
            out.write_all(&bytes)?;
            if !goes(bytes.len() as u64) {
                return Err(binary::stopped());
            }
        }
        Ok(())
    }

    /// Reads what [`Arena::write`] has written, to this arena of the same capacity in place of all it has.
    pub fn read(&mut self, input: &mut dyn Read, goes: &Goes) -> io::Result<()> {
        let [main, kept, refused, made] = binary::read_words(input)?;
        self.main.set(main)?;
        self.kept.set(kept)?;
        *self.refused.get_mut() = refused != 0;
        for chunk in &mut self.chunks {
            T::pool().give(chunk.take().into_iter(), 0);
        }
        let mut words = vec![0; T::WORDS];
        let mut columns = vec![0; T::WORDS * COLUMN];
        let mut bytes = vec![0; CHUNK * Self::ELEMENT_BYTES];
        for _ in 0..made {
            let [index] = binary::read_words(input)?;
            let most = self.chunks.len() as u32 - 1;
            let index = binary::within(index, 0..=most, "places")? as usize;
            input.read_exact(&mut bytes)?;
            let mut chunk = fresh().ok_or_else(binary::no_memory)?;
            let bytes_of_words = bytes.chunks_exact(4 * CHUNK);
            for (column, bytes) in columns.chunks_exact_mut(COLUMN).zip(bytes_of_words) {
                gather(bytes, &mut column[..CHUNK]);
            }
            for (at, element) in chunk.iter_mut().enumerate() {
                for (column, word) in columns.chunks_exact(COLUMN).zip(&mut words) {
                    *word = column[at];
                }
                *element = T::of_words(&words);
            }
            // A chunk that comes twice is taken once.
            let _ = self.chunks[index].set(chunk);
            if !goes(bytes.len() as u64) {
                return Err(binary::stopped());
            }
        }
        Ok(())
    }

    /// The bytes that [`Arena::write`] writes, but for a few.
    pub fn bytes_to_write(&self) -> u64 {
        let made = self.chunks.iter().filter(|chunk| chunk.get().is_some());
        made.count() as u64 * (CHUNK * Self::ELEMENT_BYTES) as u64
    }
}
