//! The hidden layer that belief and policy share.

use shakmaty::{Chess, Position as _};

use super::accumulator::View;
use super::attacks::Threats;
use super::lanes::{Lanes, Task};
use super::layers::{activate, activation};
use super::shape::{BOTH_BLOCKS, Block, HIDDEN, HIDDEN_BLOCKS};
use super::{Accumulators, Network};

/// What belief and policy of one position are read from: the activations of 64 neurons, and the attacks on the board.
#[derive(Clone, Copy, Debug)]
pub struct HiddenLayer {
    /// With 12 binary places.
    pub(super) neurons: [Block; HIDDEN_BLOCKS],
    pub(super) threats: Threats,
}

impl Network {
    /// Computes the hidden layer of a position, of which [`Network::belief`] and [`Network::policy`] are read.
    pub fn hidden(&self, accumulators: &Accumulators, chess: &Chess) -> HiddenLayer {
        self.path.run(Hidden {
            network: self,
            accumulators,
            chess,
        })
    }
}

struct Hidden<'a> {
    network: &'a Network,
    accumulators: &'a Accumulators,
    chess: &'a Chess,
}

impl Task for Hidden<'_> {
    type Output = HiddenLayer;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> HiddenLayer {
        let (board, us) = (self.chess.board(), self.chess.turn());
        let threats = Threats::new(board, us);
        let rows = threats.rows(board, View::of(board, us));
        let attacks = self.attack_sums(l, &rows);
        let mut a = [Block::ZERO; BOTH_BLOCKS];
        activate(l, self.accumulators, self.chess, &mut a);
        let sums = self.network.hidden.sums(l, &a);
        let mut neurons = [Block::ZERO; HIDDEN_BLOCKS];
        let sums = sums.as_chunks::<16>().0.iter();
        let attacks = attacks.as_chunks::<16>().0;
        for (block, (sums, attacks)) in neurons.iter_mut().zip(sums.zip(attacks)) {
            for (word, (sum, attack)) in block.0.iter_mut().zip(sums.iter().zip(attacks)) {
                *word = activation((sum >> 10) + attack);
            }
        }
        HiddenLayer { neurons, threats }
    }
}

impl Hidden<'_> {
    /// Adds up the rows of the attack inputs, as many in 16 bits as surely fit.
    #[inline(always)]
    fn attack_sums<L: Lanes>(&self, l: L, rows: &[u16]) -> [i32; HIDDEN] {
        let table = &self.network.attacks;
        let mut totals = [0; HIDDEN];
        for rows in rows.chunks(self.network.attacks_at_once) {
            let mut sums = [l.load(&Block::ZERO); HIDDEN_BLOCKS];
            for &row in rows {
                for (sum, x) in sums.iter_mut().zip(&table[usize::from(row)]) {
                    *sum = l.add(*sum, l.load(x));
                }
            }
            for (totals, sum) in totals.as_chunks_mut::<16>().0.iter_mut().zip(&sums) {
                let sum = l.store(*sum);
                for (total, x) in totals.iter_mut().zip(&sum.0) {
                    *total += i32::from(*x);
                }
            }
        }
        totals
    }
}
