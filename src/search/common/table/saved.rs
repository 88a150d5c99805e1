//! Writes tables to a file and reads them back.

use std::io::{self, Read, Write};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::{BeliefTable, BoundTables, Table, Tables};
use tree::binary::{self, Goes};

/// The words that are written or read together.
const STRETCH: usize = 1 << 13;

impl Tables {
    /// Writes all tables that were created. No thread may write to them meanwhile.
    ///
    /// # Errors
    /// If they cannot be written, or if `goes` says that it shall not go on.
    pub fn write(&self, out: &mut dyn Write, goes: &Goes) -> io::Result<()> {
        out.write_all(&self.bytes.to_le_bytes())?;
        let (bounds, beliefs) = (self.bounds.get(), self.beliefs.get());
        let created = [
            self.main.get().is_some(),
            self.audit.get().is_some(),
            bounds.is_some(),
            beliefs.is_some(),
        ];
        binary::write_words(out, &created.map(u32::from))?;
        let plain = [self.main.get(), self.audit.get()].into_iter().flatten();
        for table in plain.chain(
            bounds
                .into_iter()
                .flat_map(|both| [&both.lower, &both.upper]),
        ) {
            let generation = table.generation.load(Relaxed) as u32;
            binary::write_words(out, &[generation, table.buckets() as u32])?;
            write_long(out, table.words(), goes)?;
        }
        if let Some(table) = beliefs {
            binary::write_words(out, &[table.count() as u32])?;
            write_long(out, table.words(), goes)?;
        }
        Ok(())
    }

    /// Reads what [`Tables::write`] has written.
    ///
    /// # Errors
    /// If it cannot be read, or does not fit into the memory of the machine.
    pub fn read(input: &mut dyn Read, goes: &Goes) -> io::Result<Tables> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        let [main, audit, bounds, beliefs] = binary::read_words(input)?;
        let mut tables = Tables::new(u64::from_le_bytes(bytes));
        let mut read = || -> io::Result<Table> {
            let [generation, buckets] = binary::read_words(input)?;
            let mut table = Table::with_buckets(buckets as usize);
            table.generation = AtomicU64::new(u64::from(generation));
            enough(table.buckets(), buckets)?;
            read_long(input, &mut table.words, goes)?;
            Ok(table)
        };
        if main != 0 {
            tables.main = OnceLock::from(read()?);
        }
        if audit != 0 {
            tables.audit = OnceLock::from(read()?);
        }
        if bounds != 0 {
            let (lower, upper) = (read()?, read()?);
            tables.bounds = OnceLock::from(BoundTables { lower, upper });
        }
        if beliefs != 0 {
            let [buckets] = binary::read_words(input)?;
            let mut table = BeliefTable::with_buckets(buckets as usize);
            enough(table.count(), buckets)?;
            read_long(input, table.words_mut(), goes)?;
            tables.beliefs = OnceLock::from(table);
        }
        Ok(tables)
    }
}

/// # Errors
/// If the system had no memory for as many buckets as are needed.
fn enough(buckets: usize, needed: u32) -> io::Result<()> {
    if buckets == needed as usize {
        Ok(())
    } else {
        Err(binary::no_memory())
    }
}

fn write_long(out: &mut dyn Write, words: &[AtomicU64], goes: &Goes) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * STRETCH);
    for stretch in words.chunks(STRETCH) {
        bytes.clear();
        bytes.extend(
            stretch
                .iter()
                .flat_map(|word| word.load(Relaxed).to_le_bytes()),
        );
        out.write_all(&bytes)?;
        if !goes(bytes.len() as u64) {
            return Err(binary::stopped());
        }
    }
    Ok(())
}

/// Reads to words that are all zero, and leaves pages untouched for which nothing else comes.
fn read_long(input: &mut dyn Read, words: &mut [AtomicU64], goes: &Goes) -> io::Result<()> {
    let mut bytes = vec![0; 8 * STRETCH];
    for stretch in words.chunks_mut(STRETCH) {
        let bytes = &mut bytes[..8 * stretch.len()];
        input.read_exact(bytes)?;
        for (word, bytes) in stretch.iter_mut().zip(bytes.as_chunks::<8>().0) {
            let bits = u64::from_le_bytes(*bytes);
            if bits != 0 {
                *word.get_mut() = bits;
            }
        }
        if !goes(bytes.len() as u64) {
            return Err(binary::stopped());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::table::Entry;
    use game::{MoveCode, Score};
    use tree::Bound;

    #[test]
    fn what_is_read_is_what_was_written() {
        let tables = Tables::new(1 << 20);
        for key in 0..10_000u64 {
            let entry = Entry {
                best: MoveCode(key as u16),
                value: Score::new(key as i32 % 300),
                depth: (key % 60) as i8,
                bound: Bound::Exact,
                static_value: None,
            };
            let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            tables.main().put(key, entry);
            tables.bounds().upper.put(key, entry);
        }
        tables.age();
        let mut file = Vec::new();
        tables.write(&mut file, &|_| true).expect("written");
        let read = Tables::read(&mut file.as_slice(), &|_| true).expect("read");
        let words = |tables: &Tables| -> Vec<u64> {
            let words = tables.words().flatten();
            words.map(|word| word.load(Relaxed)).collect()
        };
        assert_eq!(words(&read), words(&tables));
        assert_eq!(read.main().generation.load(Relaxed), 1);
        assert!(Tables::read(&mut &file[..file.len() - 1], &|_| true).is_err());
        assert!(Tables::read(&mut file.as_slice(), &|_| false).is_err());
    }
}
