//! What is told of some nodes, beside the nodes.

use std::sync::OnceLock;

const CHUNK: usize = 4096;

/// A cell for each place, in chunks that are made when one is used: most programs tell a thing of many nodes or of none. A long
/// search never waits for a table to grow, nor does whoever looks on.
#[derive(Debug)]
pub(super) struct Beside<T>(OnceLock<Box<[Part<T>]>>);

/// Cells that are made when one of them is needed.
type Part<T> = OnceLock<Box<[T]>>;

impl<T> Default for Beside<T> {
    fn default() -> Self {
        Beside(OnceLock::new())
    }
}

impl<T: Default> Beside<T> {
    /// Returns the cell of a place, of at most so many; `None` beyond.
    #[inline]
    pub fn reach(&self, at: usize, most: usize) -> Option<&T> {
        let chunks = self.0.get_or_init(|| {
            let empty = std::iter::repeat_with(OnceLock::new);
            empty.take(most / CHUNK + 1).collect()
        });
        let chunk = chunks.get(at / CHUNK)?.get_or_init(|| {
            let cells = std::iter::repeat_with(T::default);
            cells.take(CHUNK).collect()
        });
        Some(&chunk[at % CHUNK])
    }

    /// Returns the cell of a place, if its chunk is made.
    pub fn get(&self, at: usize) -> Option<&T> {
        let chunk = self.0.get()?.get(at / CHUNK)?.get()?;
        Some(&chunk[at % CHUNK])
    }

    pub fn bytes(&self) -> u64 {
        let chunks = self.0.get().into_iter().flatten();
        let made = chunks.filter(|chunk| chunk.get().is_some()).count();
        (made * CHUNK * size_of::<T>()) as u64
    }

    pub fn copy(&self, cell: impl Fn(&T) -> T) -> Beside<T> {
        let chunk = |chunk: &OnceLock<Box<[T]>>| match chunk.get() {
            Some(cells) => OnceLock::from(cells.iter().map(&cell).collect::<Box<[T]>>()),
            None => OnceLock::new(),
        };
        Beside(match self.0.get() {
            Some(chunks) => OnceLock::from(chunks.iter().map(chunk).collect::<Box<[_]>>()),
            None => OnceLock::new(),
        })
    }
}
