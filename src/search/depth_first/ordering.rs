//! In which order moves are searched: table move, captures, killers, history.

use arrayvec::ArrayVec;

use crate::game::{Game, MAX_MOVES, MoveCode, Moves, Side};

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const BAD_CAPTURE: i32 = -(1 << 20);
/// History stays within ± this.
const HISTORY_LIMIT: i32 = 1 << 14;
const PLIES: usize = 256;

/// Quiet moves that were good elsewhere: two killers a ply, and a history by side and move.
#[derive(Debug)]
pub struct Memory {
    killers: Box<[[MoveCode; 2]; PLIES]>,
    history: Box<[[i16; 1 << 12]; 2]>,
    use_killers: bool,
    use_history: bool,
}

impl Memory {
    #[must_use]
    pub fn new(use_killers: bool, use_history: bool) -> Self {
        Memory {
            killers: Box::new([[MoveCode::NONE; 2]; PLIES]),
            history: Box::new([[0; 1 << 12]; 2]),
            use_killers,
            use_history,
        }
    }

    fn place(m: MoveCode) -> usize {
        usize::from(m.0 & 0xfff)
    }

    #[inline]
    fn quiet_score(&self, side: Side, ply: u16, m: MoveCode) -> i32 {
        let killers = &self.killers[usize::from(ply) % PLIES];
        if killers[0] == m {
            KILLER
        } else if killers[1] == m {
            KILLER - 1
        } else {
            i32::from(self.history[side as usize][Self::place(m)])
        }
    }

    /// A quiet move cut off with `depth` plies left; `tried` are the quiet moves searched in vain before it.
    pub fn reward(&mut self, side: Side, ply: u16, depth: i32, m: MoveCode, tried: &[MoveCode]) {
        if self.use_killers {
            let killers = &mut self.killers[usize::from(ply) % PLIES];
            if killers[0] != m {
                *killers = [m, killers[0]];
            }
        }
        if self.use_history {
            let bonus = (depth * depth * 16).min(1_600);
            self.adjust(side, m, bonus);
            for &loser in tried {
                self.adjust(side, loser, -bonus);
            }
        }
    }

    /// Moves towards ±limit, the slower the nearer.
    fn adjust(&mut self, side: Side, m: MoveCode, bonus: i32) {
        let entry = &mut self.history[side as usize][Self::place(m)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

/// Gives out moves, best first; sorted only as far as they are asked for.
#[derive(Debug)]
pub struct Picker<M: Copy> {
    moves: Moves<M>,
    /// Empty: the moves stay in the game's own order (toy trees: as in the file).
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
}

impl<M: Copy + PartialEq> Picker<M> {
    /// Moves in the order they come.
    #[inline]
    #[must_use]
    pub fn new(moves: Moves<M>) -> Self {
        Picker {
            moves,
            scores: ArrayVec::new(),
            next: 0,
        }
    }

    /// Orders all moves of an inner node.
    pub fn order<G: Game<Move = M>>(
        &mut self,
        position: &G,
        table_move: MoveCode,
        memory: &Memory,
        ply: u16,
    ) {
        let side = position.turn();
        for &m in &self.moves {
            let code = position.encode(m);
            self.scores.push(if code == table_move {
                TABLE_MOVE
            } else if position.is_noisy(m) {
                let gain = position.capture_gain(m);
                if position.see_ge(m, 0) {
                    GOOD_CAPTURE + gain
                } else {
                    BAD_CAPTURE + gain
                }
            } else {
                memory.quiet_score(side, ply, code)
            });
        }
    }

    /// Orders the moves of a quiescence node by what they take.
    pub fn order_noisy<G: Game<Move = M>>(&mut self, position: &G) {
        for &m in &self.moves {
            self.scores.push(position.capture_gain(m));
        }
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The next move.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<M> {
        let at = self.next;
        let m = *self.moves.get(at)?;
        self.next += 1;
        if self.scores.is_empty() {
            return Some(m);
        }
        let rest = &self.scores[at..];
        let mut best = 0;
        for (i, &score) in rest.iter().enumerate().skip(1) {
            if score > rest[best] {
                best = i;
            }
        }
        if best > 0 {
            self.scores.swap(at, at + best);
            self.moves.swap(at, at + best);
        }
        Some(self.moves[at])
    }

    /// Takes out those of the moves not yet given out that `skip` says yes to.
    pub fn drop_rest(&mut self, mut skip: impl FnMut(M) -> bool) {
        let mut kept = self.next;
        for i in self.next..self.moves.len() {
            if !skip(self.moves[i]) {
                self.moves[kept] = self.moves[i];
                if !self.scores.is_empty() {
                    self.scores[kept] = self.scores[i];
                }
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
    }
}
