//! Reads a network from bytes, and refuses whatever could not be computed with exactly.

use sha2::{Digest, Sha256};

use super::lanes::Path;
use super::shape::*;
use super::{Network, NetworkError};

const MAGIC: [u8; 8] = *b"plynet\r\n";
const VERSION: u32 = 2;
const CHECKSUM: usize = 32;

/// The sizes that a file names, in its order. A network of other sizes needs a program compiled for them.
const SIZES: [(&str, usize); 13] = [
    ("accumulator", NEURONS),
    ("value layer 1", VALUE[0]),
    ("value layer 2", VALUE[1]),
    ("hidden", HIDDEN),
    ("belief layer 2", BELIEF),
    ("policy", CONTEXT),
    ("buckets", BUCKETS),
    ("inputs", INPUTS),
    ("attack inputs", ATTACK_INPUTS),
    ("move rows", MOVE_ROWS),
    ("masses", MASSES),
    ("powers", POWERS),
    ("states", STATES),
];

const HEADER: usize = MAGIC.len() + 4 + 4 + 4 * SIZES.len();

/// The bytes of a whole file.
const LENGTH: usize = HEADER
    + 2 * (INPUTS + 1) * NEURONS
    + BUCKETS * layer(2 * NEURONS, VALUE[0])
    + BUCKETS * layer(VALUE[0], VALUE[1])
    + BUCKETS * layer(VALUE[1], 1)
    + 2 * ATTACK_INPUTS * HIDDEN
    + layer(2 * NEURONS, HIDDEN)
    + BUCKETS * layer(HIDDEN, BELIEF)
    + BUCKETS * layer(BELIEF, MASSES)
    + layer(HIDDEN, CONTEXT - 1)
    + 2 * MOVE_ROWS * CONTEXT
    + 4 * POWERS
    + 2 * BUCKETS * STATES
    + 2 * 2
    + CHECKSUM;

const fn layer(inputs: usize, outputs: usize) -> usize {
    outputs * (2 * inputs + 4)
}

/// The largest activation of an accumulator's neuron, of a hidden neuron, and the policy's constant 1.
const MOST_ACTIVE: i64 = (255 * 255) >> 4;
const MOST_HIDDEN: i64 = (1023 * 1023) >> 8;
const MOST_CONTEXT: i64 = 1 << 12;

/// The largest power in the table: 2^30 stands for the mass of the likeliest bin.
const HIGHEST_POWER: u32 = 1 << 30;

impl Network {
    /// Reads a network from the bytes of a weights file.
    ///
    /// # Errors
    /// See [`NetworkError`]. Whatever the bytes are, a network that is returned never overflows an integer.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        check(bytes)?;
        check_sum(bytes)?;
        Network::unsealed(bytes)
    }

    /// As [`Network::from_bytes`], but for bytes whose checksum need not be looked at: it takes longer than all the rest.
    pub(super) fn unsealed(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader(&bytes[HEADER..]);
        let network = reader.network();
        network.check_sums()?;
        network.check_tables()?;
        Ok(network)
    }

    /// Checks that no position can lead to a sum that does not fit its integer.
    fn check_sums(&self) -> Result<(), NetworkError> {
        let limit = |layer, found, most| {
            if found > most {
                return Err(NetworkError::Overflow { layer, found, most });
            }
            Ok(())
        };
        let words = |x: i64| limit("the accumulator", x, i64::from(i16::MAX));
        let of_rows = |rows: &[Side]| rows.iter().flatten().map(largest).max().unwrap_or(0);
        words(MOST_INPUTS as i64 * of_rows(&self.inputs) + of_rows(&[self.bias]))?;
        let sums = |layer, x: i64| limit(layer, x, i64::from(i32::MAX));
        for bucket in &self.buckets {
            sums("value layer 1", bucket.value_1.most(MOST_ACTIVE))?;
            sums("value layer 2", bucket.value_2.most(MOST_HIDDEN))?;
            sums("value layer 3", bucket.value_3.most(MOST_HIDDEN))?;
            sums("belief layer 2", bucket.belief_2.most(MOST_HIDDEN))?;
            sums("belief layer 3", bucket.belief_3.most(MOST_HIDDEN))?;
        }
        sums("the hidden layer", self.hidden.most(MOST_ACTIVE))?;
        sums("the policy", self.policy.most(MOST_HIDDEN))?;
        let mut most = 0;
        let mut rest = &self.moves[..];
        for rows in MOVE_GROUPS {
            let (group, others) = rest.split_at(rows);
            most += group.iter().map(|row| absolute(row)).max().unwrap_or(0) * MOST_CONTEXT;
            rest = others;
        }
        sums("the moves", most)
    }

    /// Checks what the calculation of masses relies on.
    fn check_tables(&self) -> Result<(), NetworkError> {
        if self.powers[0] != HIGHEST_POWER {
            return Err(NetworkError::Table {
                name: "powers[0]",
                found: i64::from(self.powers[0]),
                expected: "1073741824",
            });
        }
        if let Some(&power) = self.powers.iter().find(|&&power| power > HIGHEST_POWER) {
            return Err(NetworkError::Table {
                name: "a power",
                found: i64::from(power),
                expected: "at most 1073741824",
            });
        }
        let mut factors = self.buckets.iter().flat_map(|b| b.sharpness);
        if let Some(factor) = factors.find(|&factor| factor < 1) {
            return Err(NetworkError::Table {
                name: "a sharpness",
                found: i64::from(factor),
                expected: "at least 1",
            });
        }
        match self.blur.iter().find(|&&octaves| octaves < 0) {
            Some(&octaves) => Err(NetworkError::Table {
                name: "blur",
                found: i64::from(octaves),
                expected: "at least 0",
            }),
            None => Ok(()),
        }
    }
}

/// Checks what can be seen without reading the weights: whether it is a network, which version, its sizes and its
/// length, in this order, so that the message names the first difference.
fn check(bytes: &[u8]) -> Result<(), NetworkError> {
    let short = NetworkError::Length {
        found: bytes.len(),
        expected: LENGTH,
    };
    let mut reader = Reader(bytes);
    if reader.take() != Some(MAGIC) {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        return Err(NetworkError::Foreign {
            start: start.escape_ascii().to_string(),
        });
    }
    let version = reader.number().ok_or_else(|| short.clone())?;
    if version != VERSION {
        return Err(NetworkError::Version {
            found: version,
            expected: VERSION,
        });
    }
    let count = reader.number().ok_or_else(|| short.clone())?;
    if count as usize != SIZES.len() {
        return Err(NetworkError::Size {
            name: "the number of sizes",
            found: count,
            expected: SIZES.len(),
        });
    }
    for (name, expected) in SIZES {
        let found = reader.number().ok_or_else(|| short.clone())?;
        if found as usize != expected {
            return Err(NetworkError::Size {
                name,
                found,
                expected,
            });
        }
    }
    if bytes.len() != LENGTH {
        return Err(short);
    }
    Ok(())
}

/// Checks that the weights are those that were written. The length is known to be right.
fn check_sum(bytes: &[u8]) -> Result<(), NetworkError> {
    let (content, checksum) = bytes
        .split_last_chunk::<CHECKSUM>()
        .unwrap_or((bytes, &[0; CHECKSUM]));
    let found: [u8; CHECKSUM] = Sha256::digest(content).into();
    if found != *checksum {
        return Err(NetworkError::Damaged {
            found: start_of(found),
            expected: start_of(*checksum),
        });
    }
    Ok(())
}

/// The first eight hexadecimal digits of a checksum, enough to tell two apart.
fn start_of([a, b, c, d, ..]: [u8; CHECKSUM]) -> u32 {
    u32::from_be_bytes([a, b, c, d])
}

/// What is still to be read. [`check`] has made sure that it is long enough; beyond the end there would be zeros.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn word(&mut self) -> i16 {
        self.take().map_or(0, i16::from_le_bytes)
    }

    /// Reads `count` words into whole blocks; what is left of the last one stays 0.
    fn blocks<const BLOCKS: usize>(&mut self, count: usize) -> [Block; BLOCKS] {
        let mut blocks = [Block::ZERO; BLOCKS];
        let words = blocks.iter_mut().flat_map(|block| &mut block.0);
        for word in words.take(count) {
            *word = self.word();
        }
        blocks
    }

    fn rows<const BLOCKS: usize>(&mut self, rows: usize) -> Vec<[Block; BLOCKS]> {
        (0..rows).map(|_| self.blocks(16 * BLOCKS)).collect()
    }

    /// Reads the weights of `BUCKETS` or of 1 layer, then their biases.
    fn layers<const BLOCKS: usize, const OUTPUTS: usize>(
        &mut self,
        layers: usize,
        inputs: usize,
        outputs: usize,
    ) -> Vec<Layer<BLOCKS, OUTPUTS>> {
        let empty = || Layer {
            weights: [[Block::ZERO; BLOCKS]; OUTPUTS],
            bias: [0; OUTPUTS],
        };
        let mut read: Vec<_> = (0..layers).map(|_| empty()).collect();
        for layer in &mut read {
            for row in layer.weights.iter_mut().take(outputs) {
                *row = self.blocks(inputs);
            }
        }
        for layer in &mut read {
            for bias in layer.bias.iter_mut().take(outputs) {
                *bias = self.take().map_or(0, i32::from_le_bytes);
            }
        }
        read
    }

    fn layer<const BLOCKS: usize, const OUTPUTS: usize>(
        &mut self,
        outputs: usize,
    ) -> Box<Layer<BLOCKS, OUTPUTS>> {
        let mut layers = self.layers(1, 16 * BLOCKS, outputs);
        Box::new(layers.remove(0))
    }

    fn network(&mut self) -> Network {
        let inputs = self.rows(INPUTS);
        let bias = self.blocks(NEURONS);
        let value_1 = self.layers(BUCKETS, 2 * NEURONS, VALUE[0]);
        let value_2 = self.layers(BUCKETS, VALUE[0], VALUE[1]);
        let value_3 = self.layers(BUCKETS, VALUE[1], 1);
        let attacks = self.rows(ATTACK_INPUTS);
        let hidden = self.layer(HIDDEN);
        let belief_2 = self.layers(BUCKETS, HIDDEN, BELIEF);
        let belief_3 = self.layers(BUCKETS, BELIEF, MASSES);
        let policy = self.layer(CONTEXT - 1);
        let moves = self.rows(MOVE_ROWS);
        let powers = Box::new(std::array::from_fn(|_| self.number().unwrap_or(0)));
        let values = value_1.into_iter().zip(value_2).zip(value_3);
        let beliefs = belief_2.into_iter().zip(belief_3);
        let buckets = values
            .zip(beliefs)
            .map(
                |(((value_1, value_2), value_3), (belief_2, belief_3))| Bucket {
                    value_1,
                    value_2,
                    value_3,
                    belief_2,
                    belief_3,
                    sharpness: std::array::from_fn(|_| self.word()),
                },
            )
            .collect();
        let blur = [self.word(), self.word()];
        let largest = attacks.iter().flatten().map(largest).max().unwrap_or(0);
        Network {
            path: Path::best(),
            inputs,
            bias,
            buckets,
            attacks,
            attacks_at_once: (i64::from(i16::MAX) / largest.max(1)).clamp(1, 64) as usize,
            hidden,
            policy,
            moves,
            powers,
            blur,
        }
    }
}

impl<const BLOCKS: usize, const OUTPUTS: usize> Layer<BLOCKS, OUTPUTS> {
    /// The largest sum that inputs up to `active` could lead to.
    fn most(&self, active: i64) -> i64 {
        let rows = self.weights.iter().zip(self.bias);
        rows.map(|(row, bias)| absolute(row) * active + i64::from(bias).abs())
            .max()
            .unwrap_or(0)
    }
}

/// The sum of the absolute weights of a row.
fn absolute(row: &[Block]) -> i64 {
    let words = row.iter().flat_map(|block| block.0);
    words.map(|word| i64::from(word).abs()).sum()
}

/// The largest absolute weight of a block.
fn largest(block: &Block) -> i64 {
    let words = block.0.iter().map(|&word| i64::from(word).abs());
    words.max().unwrap_or(0)
}
