//! The sizes of the network, and the arrays that its numbers are kept in.

/// Sixteen 16-bit numbers, the unit of all vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Block(pub [i16; 16]);

impl Block {
    pub const ZERO: Block = Block([0; 16]);
}

/// The neurons of one accumulator.
pub(super) const NEURONS: usize = 128;
/// The neurons of the value's first and second layer.
pub(super) const VALUE: [usize; 2] = [8, 16];
/// The neurons of the hidden layer that belief and policy share.
pub(super) const HIDDEN: usize = 64;
/// The neurons of the belief's second layer.
pub(super) const BELIEF: usize = 32;
/// The numbers that the policy sums up the position in; the last one is always 1.
pub(super) const CONTEXT: usize = 32;
/// Sets of last layers, chosen by the number of pieces.
pub(super) const BUCKETS: usize = 8;
/// What an accumulator counts: twelve kinds of pieces on 64 squares, then four rights to castle.
pub(super) const INPUTS: usize = FIRST_RIGHT + 4;
/// The first input that is a right to castle.
pub(super) const FIRST_RIGHT: usize = 12 * 64;
/// Twelve kinds of pieces with six states on 64 squares, then nine states of empty squares.
pub(super) const ATTACK_INPUTS: usize = FIRST_EMPTY + 9 * 64;
/// The first attack input that is an empty square.
pub(super) const FIRST_EMPTY: usize = 12 * 6 * 64;
/// The rows from which moves are added up, in five groups; a move has at most one of each.
pub(super) const MOVE_GROUPS: [usize; 5] = [6 * 64, 6 * 64, 6 * 6 * 3 * 3, 4, 6];
pub(super) const MOVE_ROWS: usize = 2 * 6 * 64 + 6 * 6 * 3 * 3 + 4 + 6;
/// The bins of a belief that do not mean certainty.
pub(super) const MASSES: usize = 61;
/// The entries of the table of powers of two, which are as many steps to the octave.
pub(super) const POWERS: usize = 1024;
/// The kinds of positions whose beliefs are sharpened alike: quiet, with a pending capture, in check.
pub(super) const STATES: usize = 3;

/// The most inputs that a position can have: 32 pieces and four rights.
pub(super) const MOST_INPUTS: usize = 36;

/// Blocks of the activations of both accumulators.
pub(super) const BOTH_BLOCKS: usize = 2 * NEURONS / 16;
pub(super) const SIDE_BLOCKS: usize = NEURONS / 16;
pub(super) const HIDDEN_BLOCKS: usize = HIDDEN / 16;
pub(super) const BELIEF_BLOCKS: usize = BELIEF / 16;
pub(super) const CONTEXT_BLOCKS: usize = CONTEXT / 16;

/// The numbers of one accumulator: the sum of the rows of its inputs, 2^8 standing for 1.
pub(super) type Side = [Block; SIDE_BLOCKS];

/// A dense layer with `16 * BLOCKS` inputs. Weights have 8 binary places, biases 20.
#[derive(Clone, Debug)]
pub(super) struct Layer<const BLOCKS: usize, const OUTPUTS: usize> {
    pub weights: [[Block; BLOCKS]; OUTPUTS],
    pub bias: [i32; OUTPUTS],
}

/// The last layers for positions with about as many pieces.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    pub value_1: Layer<BOTH_BLOCKS, { VALUE[0] }>,
    pub value_2: Layer<1, { VALUE[1] }>,
    pub value_3: Layer<1, 1>,
    pub belief_2: Layer<HIDDEN_BLOCKS, BELIEF>,
    /// The last rows are padding.
    pub belief_3: Layer<BELIEF_BLOCKS, PADDED_MASSES>,
    /// By state, 2^8 standing for 1; at least 1.
    pub sharpness: [i16; STATES],
}

/// [`MASSES`] rounded up to whole vectors.
pub(super) const PADDED_MASSES: usize = 64;
