//! A small neural network that values a position, believes in a distribution over its expected score, and has a policy
//! over its legal moves.
//!
//! All three read one accumulator for each side, which is updated move by move. Belief and policy read the attacks on the
//! board as well, and cost more; they are computed only when they are asked for. Everything is integer arithmetic, so that
//! a network says the same on every machine. How it is trained, what each layer computes and the format of its file are
//! told in `benches/network/README.md`; `benches/network/golden.tsv` holds values that another implementation computed.
//!
//! Sources: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi" (2018);
//! Stockfish's NNUE documentation, for squared activations and layers chosen by the number of pieces.

mod accumulator;
mod attacks;
mod beliefs;
mod format;
mod hidden;
mod lanes;
mod layers;
mod learned;
mod policy;
mod shape;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

pub use accumulator::Accumulators;
pub use hidden::HiddenLayer;
pub use learned::{Learned, LearnedState};

use lanes::Path;
use shape::*;

/// The numbers of a network, checked so that no position can make a sum overflow.
#[derive(Clone, Debug)]
pub struct Network {
    path: Path,
    /// A row for each input of an accumulator.
    inputs: Vec<Side>,
    bias: Side,
    buckets: Vec<Bucket>,
    /// A row for each attack input, 2^10 standing for 1.
    attacks: Vec<[Block; HIDDEN_BLOCKS]>,
    /// So many rows of `attacks` can be added up in 16 bits.
    attacks_at_once: usize,
    hidden: Box<Layer<BOTH_BLOCKS, HIDDEN>>,
    /// The last row is padding.
    policy: Box<Layer<HIDDEN_BLOCKS, CONTEXT>>,
    /// The rows from which moves are added up, 2^8 standing for 1.
    moves: Vec<[Block; CONTEXT_BLOCKS]>,
    /// 2^(30 - i/1024), rounded.
    powers: Box<[u32; POWERS]>,
    /// From which width on beliefs are blurred, and how much for each octave more, with 10 binary places.
    blur: [i16; 2],
}

impl Network {
    /// Returns the network that comes with plyscope; it is read once.
    pub fn embedded() -> Arc<Network> {
        static EMBEDDED: OnceLock<Arc<Network>> = OnceLock::new();
        let read = || Network::unsealed(EMBEDDED_WEIGHTS).expect("a test reads these weights");
        EMBEDDED.get_or_init(|| Arc::new(read())).clone()
    }

    /// Returns the network that evaluations use: the one that was put in use, else the one that comes with plyscope.
    pub fn in_use() -> Arc<Network> {
        IN_USE.get_or_init(Network::embedded).clone()
    }

    /// Puts a network in use for the whole program.
    ///
    /// # Errors
    /// The network itself, if one has been used or put in use before: a program uses one network from start to end.
    pub fn put_in_use(self) -> Result<(), Arc<Network>> {
        IN_USE.set(Arc::new(self))
    }
}

static IN_USE: OnceLock<Arc<Network>> = OnceLock::new();

/// The weights file that comes with plyscope.
static EMBEDDED_WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// Why bytes are not a network that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file is something else.
    #[error("not a network: starts with \"{start}\", expected \"plynet\\r\\n\"")]
    Foreign { start: String },
    #[error("version {found} of the network's format, expected version {expected}")]
    Version { found: u32, expected: u32 },
    /// The network has another shape than this program computes.
    #[error("network of another shape: {name} is {found}, expected {expected}")]
    Size {
        name: &'static str,
        found: u32,
        expected: usize,
    },
    /// The file was cut, or something follows it.
    #[error("network of {found} bytes, expected {expected}")]
    Length { found: usize, expected: usize },
    #[error("damaged network: checksum {found:08x}…, expected {expected:08x}…")]
    Damaged { found: u32, expected: u32 },
    /// The weights are so large that a sum may not fit its integer.
    #[error("weights too large: sums of {layer} reach {found}, expected at most {most}")]
    Overflow {
        layer: &'static str,
        found: i64,
        most: i64,
    },
    /// A number in one of the tables is out of range.
    #[error("network with a wrong table: {name} is {found}, expected {expected}")]
    Table {
        name: &'static str,
        found: i64,
        expected: &'static str,
    },
}
