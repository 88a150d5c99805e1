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
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
}

impl<M: Copy + PartialEq> Picker<M> {
    /// In the order of the game's own list (toy trees: as in the file).
    #[must_use]
    pub fn in_order(moves: Moves<M>) -> Self {
        Picker {
            moves,
            scores: ArrayVec::new(),
            next: 0,
        }
    }

    /// All moves of an inner node.
    pub fn full<G: Game<Move = M>>(
        position: &G,
        moves: Moves<M>,
        table_move: MoveCode,
        memory: &Memory,
        ply: u16,
    ) -> Self {
        let side = position.turn();
        let scores = moves
            .iter()
            .map(|&m| {
                let code = position.encode(m);
                if code == table_move {
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
                }
            })
            .collect();
        Picker {
            moves,
            scores,
            next: 0,
        }
    }

    /// The moves of a quiescence node: by what they take.
    pub fn noisy<G: Game<Move = M>>(position: &G, moves: Moves<M>) -> Self {
        let scores = moves.iter().map(|&m| position.capture_gain(m)).collect();
        Picker {
            moves,
            scores,
            next: 0,
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
        if at >= self.moves.len() {
            return None;
        }
        if !self.scores.is_empty() {
            let mut best = at;
            for i in at + 1..self.scores.len() {
                if self.scores[i] > self.scores[best] {
                    best = i;
                }
            }
            self.scores.swap(at, best);
            self.moves.swap(at, best);
        }
        self.next += 1;
        Some(self.moves[at])
    }
}
