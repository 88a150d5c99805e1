//! The policy: each move's share, from the rows of what it moves, where to, and what that does.

use shakmaty::{CastlingSide, Move, Position as _, Role, Square};

use super::accumulator::View;
use super::lanes::{Lanes, Task};
use super::layers::activations;
use super::shape::{Block, CONTEXT_BLOCKS, MOVE_GROUPS};
use super::{HiddenLayer, Network};
use game::{Checks, ChessKnowledge as _, ChessPosition, MAX_MOVES, PerMove};

/// Where each group of rows starts: role and origin, role and target, what the move captures and risks, promotion, check.
const FIRST: [usize; 5] = {
    let mut first = [0; 5];
    let mut group = 1;
    while group < 5 {
        first[group] = first[group - 1] + MOVE_GROUPS[group - 1];
        group += 1;
    }
    first
};

impl Network {
    /// Returns each move's share of the policy, in the order of `moves`; they sum to 1. `moves` are all legal moves of the
    /// position, and `hidden` belongs to it.
    pub fn policy(
        &self,
        hidden: &HiddenLayer,
        position: &ChessPosition,
        moves: &[Move],
    ) -> PerMove<f32> {
        let logits = self.move_logits(hidden, position, moves);
        let highest = logits.iter().fold(i32::MIN, |a, &b| a.max(b));
        let power = |z: &i32| self.power(highest.abs_diff(*z) >> 10);
        let powers: PerMove<u32> = logits.iter().map(power).collect();
        let sum: u64 = powers.iter().map(|&power| u64::from(power)).sum();
        // Both are exact in 64 bits of floating point, so the shares are the same on every machine.
        let share = |&power: &u32| (f64::from(power) / sum as f64) as f32;
        powers.iter().map(share).collect()
    }

    /// Returns the logit of each move to the base 2, with 20 binary places.
    pub(super) fn move_logits(
        &self,
        hidden: &HiddenLayer,
        position: &ChessPosition,
        moves: &[Move],
    ) -> PerMove<i32> {
        self.path.run(Policy {
            network: self,
            hidden,
            position,
            moves,
        })
    }
}

struct Policy<'a> {
    network: &'a Network,
    hidden: &'a HiddenLayer,
    position: &'a ChessPosition,
    moves: &'a [Move],
}

impl Task for Policy<'_> {
    type Output = PerMove<i32>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> PerMove<i32> {
        let sums = self.network.policy.sums(l, &self.hidden.neurons);
        let mut context: [Block; CONTEXT_BLOCKS] = activations(&sums);
        context[CONTEXT_BLOCKS - 1].0[15] = 1 << 12;
        let context = [l.load(&context[0]), l.load(&context[1])];
        let chess = self.position.chess();
        let view = View::of(chess.board(), chess.turn());
        let checks = self.position.checks();
        let table = &self.network.moves;
        // A loop, because closures within the calls of a library would be compiled without the vector instructions.
        let mut logits = PerMove::new();
        for &m in self.moves.iter().take(MAX_MOVES) {
            let mut sums = l.zero();
            for &row in self.rows(view, &checks, m).iter().flatten() {
                for (x, part) in table[row].iter().zip(&context) {
                    sums = l.add_products(sums, l.load(x), *part);
                }
            }
            logits.push(l.total(sums));
        }
        logits
    }
}

impl Policy<'_> {
    /// Returns the rows whose sum stands for a move, one of a group at most.
    #[inline(always)]
    fn rows(&self, view: View, checks: &Checks, m: Move) -> [Option<usize>; 5] {
        let (role, from) = (m.role(), m.from().unwrap_or(Square::A1));
        // Castling is a move of the king alone, to its own square.
        let to = match m {
            Move::Castle { king, rook } => {
                CastlingSide::from_queen_side(rook < king).king_to(view.color)
            }
            _ => m.to(),
        };
        let kind = role as usize - 1;
        let victim = m.capture().map_or(0, |victim| victim as usize);
        let enemy = &self.hidden.threats.enemy;
        let risk = enemy.level(role, to) * 3 + enemy.level(role, from);
        let promotion = m.promotion();
        let is_check = checks.direct(promotion.unwrap_or(role)).contains(to);
        [
            Some(FIRST[0] + kind * 64 + view.square(from)),
            Some(FIRST[1] + kind * 64 + view.square(to)),
            Some(FIRST[2] + (kind * 6 + victim) * 9 + risk),
            promotion.map(|role| FIRST[3] + role as usize - Role::Knight as usize),
            is_check.then_some(FIRST[4] + kind),
        ]
    }
}
