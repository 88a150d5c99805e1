//! Memory for tables, which the system hands out cleared: nobody has to clear it again, and what is read all over lies in
//! large pages where the system has such.

use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use self_cell::{MutBorrow, self_cell};
use zerocopy::FromBytes;

type Words<'a> = &'a mut [AtomicU64];

self_cell!(
    struct Mapping {
        owner: MutBorrow<MmapMut>,

        #[covariant]
        dependent: Words,
    }
);

/// Zeroed words in pages of their own, which the system takes back when they are dropped. A page takes no memory until
/// it is touched.
pub struct Pages(Mapping);

impl Pages {
    /// Words that are read and written all over, in large pages (2 MiB on most machines) if the system has them: the
    /// processor knows where a few thousand pages lie, and looks up the others each time.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn large(words: usize) -> io::Result<Pages> {
        let pages = MmapMut::map_anon(words * size_of::<u64>())?;
        // A wish: without it everything works as well, but slower.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Pages::of(pages))
    }

    /// Words of which many may stay zero, in pages of the usual size.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn sparse(words: usize) -> io::Result<Pages> {
        MmapMut::map_anon(words * size_of::<u64>()).map(Pages::of)
    }

    /// Large pages for this many blocks of `N` words, or for half as many, repeatedly, while the system lacks the memory;
    /// at least for one.
    ///
    /// # Panics
    /// If there is no memory for a single block.
    pub fn at_most<const N: usize>(mut blocks: usize) -> Pages {
        loop {
            match Pages::large(blocks * N) {
                Ok(pages) => return pages,
                Err(_) if blocks > 1 => blocks /= 2,
                Err(error) => panic!("no memory for a table of {} bytes: {error}", 8 * N),
            }
        }
    }

    fn of(pages: MmapMut) -> Pages {
        Pages(Mapping::new(MutBorrow::new(pages), |pages| {
            <[AtomicU64]>::mut_from_bytes(pages.borrow_mut())
                .expect("whole words from the start of a page")
        }))
    }
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} words", self.len())
    }
}

impl Deref for Pages {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        self.0.borrow_dependent()
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [AtomicU64] {
        self.0.with_dependent_mut(|_, words| &mut **words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn words_are_zero_and_each_is_where_it_was_written() {
        for words in [1, 8, 511, 1 << 19] {
            for mut pages in [Pages::large(words), Pages::sparse(words)].map(|p| p.expect("memory"))
            {
                assert_eq!(pages.len(), words);
                assert!(pages.iter().all(|word| word.load(Relaxed) == 0));
                for (i, word) in pages.iter_mut().enumerate() {
                    *word.get_mut() = i as u64;
                }
                pages[words - 1].fetch_add(7, Relaxed);
                let expected =
                    (0..words as u64).map(|i| i + if i + 1 == words as u64 { 7 } else { 0 });
                assert!(pages.iter().map(|word| word.load(Relaxed)).eq(expected));
            }
        }
    }

    #[test]
    fn where_memory_is_short_there_are_fewer_blocks() {
        assert!(Pages::large(1 << 58).is_err());
        let pages = Pages::at_most::<8>(1 << 55);
        assert!(pages.len() >= 8 && pages.len() < 1 << 58);
    }
}
