//! In which order moves are searched: table move, captures, killers, counter-move, histories.

use arrayvec::ArrayVec;

use super::line::Line;
use crate::game::{FOOTPRINTS, Footprint, Game, MAX_MOVES, MoveCode, Moves};

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 22;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 22);
/// A history value stays within ± this.
const HISTORY_LIMIT: i32 = 1 << 14;
/// Three histories together stay within ± this.
const HIGHEST: i32 = 3 * HISTORY_LIMIT;
const PLIES: usize = 256;

/// Which memories are used.
#[derive(Clone, Copy, Debug)]
pub struct MemoryRules {
    pub killers: bool,
    pub counter_moves: bool,
    pub history: bool,
    pub continuation_history: bool,
}

/// By the footprint of an earlier move, and by piece and square of the one after it.
#[derive(Debug)]
struct Pairs(Box<[i16]>);

impl Pairs {
    fn new() -> Self {
        Pairs(bytemuck::allocation::zeroed_slice_box(
            FOOTPRINTS * Footprint::PIECES_AND_SQUARES,
        ))
    }

    /// By piece and square of what comes after a move.
    #[inline]
    fn after(&self, earlier: Footprint) -> &[i16] {
        let start = earlier.index() * Footprint::PIECES_AND_SQUARES;
        &self.0[start..start + Footprint::PIECES_AND_SQUARES]
    }

    #[inline]
    fn entry(&mut self, earlier: Footprint, later: Footprint) -> &mut i16 {
        let start = earlier.index() * Footprint::PIECES_AND_SQUARES;
        &mut self.0[start + later.piece_and_square()]
    }
}

/// Quiet moves that were good elsewhere: two killers a ply, the answer to the opponent's last move (counter-move),
/// and histories by side and move, and by the move together with the one before it and the one before that.
#[derive(Debug)]
pub struct Memory {
    rules: MemoryRules,
    killers: Box<[[MoveCode; 2]; PLIES]>,
    counters: Box<[MoveCode; FOOTPRINTS]>,
    history: Box<[[i16; 1 << 12]; 2]>,
    /// One and two plies back.
    continuations: [Pairs; 2],
}

impl Memory {
    #[must_use]
    pub fn new(rules: MemoryRules) -> Self {
        Memory {
            rules,
            killers: Box::new([[MoveCode::NONE; 2]; PLIES]),
            counters: Box::new([MoveCode::NONE; FOOTPRINTS]),
            history: Box::new([[0; 1 << 12]; 2]),
            continuations: [Pairs::new(), Pairs::new()],
        }
    }

    fn place(m: MoveCode) -> usize {
        usize::from(m.0 & 0xfff)
    }

    /// What is remembered of quiet moves at `ply` of the line, looked up once for all of them.
    #[inline]
    #[must_use]
    pub fn judge<G: Game>(&self, position: &G, line: &Line, ply: u16) -> Judge<'_> {
        let last = line.before(ply, 1);
        Judge {
            killers: self.killers[usize::from(ply) % PLIES],
            counter: self.counters[last.index()],
            history: &self.history[position.turn() as usize],
            continuations: [
                self.continuations[0].after(last),
                self.continuations[1].after(line.before(ply, 2)),
            ],
        }
    }

    /// The quiet move `m` cut off with `depth` plies left; `tried` are the quiet moves searched in vain before it.
    pub fn reward<G: Game>(
        &mut self,
        position: &G,
        line: &Line,
        ply: u16,
        depth: i32,
        m: MoveCode,
        tried: &[MoveCode],
    ) {
        let rules = self.rules;
        if rules.killers {
            let killers = &mut self.killers[usize::from(ply) % PLIES];
            if killers[0] != m {
                *killers = [m, killers[0]];
            }
        }
        let last = line.before(ply, 1);
        if rules.counter_moves && last != Footprint::NONE {
            self.counters[last.index()] = m;
        }
        if rules.history || rules.continuation_history {
            let bonus = (depth * depth * 16).min(1_600);
            self.adjust(position, line, ply, m, bonus);
            for &loser in tried {
                self.adjust(position, line, ply, loser, -bonus);
            }
        }
    }

    fn adjust<G: Game>(&mut self, position: &G, line: &Line, ply: u16, code: MoveCode, bonus: i32) {
        if self.rules.history {
            let side = position.turn() as usize;
            gravitate(&mut self.history[side][Self::place(code)], bonus);
        }
        if !self.rules.continuation_history {
            return;
        }
        let Some(m) = position.decode_known(code) else {
            return;
        };
        let footprint = position.footprint(m);
        for (i, pairs) in self.continuations.iter_mut().enumerate() {
            let earlier = line.before(ply, i as u16 + 1);
            if earlier != Footprint::NONE {
                gravitate(pairs.entry(earlier, footprint), bonus);
            }
        }
    }
}

/// What is remembered of quiet moves at one node.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    killers: [MoveCode; 2],
    counter: MoveCode,
    history: &'a [i16; 1 << 12],
    continuations: [&'a [i16]; 2],
}

impl Judge<'_> {
    /// How promising a quiet move is: killers, counter-move, histories (these alone within ± 3 · 2^14).
    #[inline]
    #[must_use]
    pub fn score<G: Game>(&self, position: &G, m: G::Move) -> i32 {
        let code = position.encode(m);
        if self.killers[0] == code {
            KILLER
        } else if self.killers[1] == code {
            KILLER - 1
        } else if self.counter == code {
            KILLER - 2
        } else {
            let after = position.footprint(m).piece_and_square();
            let pair = |i: usize| i32::from(self.continuations[i][after]);
            i32::from(self.history[Memory::place(code)]) + pair(0) + pair(1)
        }
    }
}

/// Moves towards ±limit, the slower the nearer.
#[inline]
fn gravitate(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Gives out moves, best first; scored and sorted only as far as they are asked for.
///
/// The order: table move, captures that don't lose material, quiet moves by killers and history, losing captures.
/// Quiet moves are scored when their turn comes: most cutoffs come before.
#[derive(Debug)]
pub struct Picker<'m, M: Copy> {
    /// Borrowed: the list is large, and moving it costs as much as filling it.
    moves: &'m mut Moves<M>,
    /// Scores of the first moves, parallel to `moves`.
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    /// `false`: the moves stay in the game's own order (toy trees: as in the file).
    ordered: bool,
}

impl<'m, M: Copy + PartialEq> Picker<'m, M> {
    /// Moves in the order they come.
    #[inline]
    #[must_use]
    pub fn new(moves: &'m mut Moves<M>) -> Self {
        Picker {
            moves,
            scores: ArrayVec::new(),
            next: 0,
            ordered: false,
        }
    }

    /// Orders all moves of an inner node.
    pub fn order<G: Game<Move = M>>(&mut self, position: &G, table_move: MoveCode) {
        self.ordered = true;
        for i in 0..self.moves.len() {
            let m = self.moves[i];
            let score = if table_move != MoveCode::NONE && position.encode(m) == table_move {
                TABLE_MOVE
            } else if position.is_noisy(m) {
                // The most valuable victim first, by the least valuable attacker.
                let gain = position.capture_gain(m) * 8 - position.attacker(m);
                if position.see_ge(m, 0) {
                    GOOD_CAPTURE + gain
                } else {
                    BAD_CAPTURE + gain
                }
            } else {
                continue;
            };
            self.moves.swap(self.scores.len(), i);
            self.scores.push(score);
        }
    }

    /// Orders the moves of a quiescence node by what they take.
    pub fn order_noisy<G: Game<Move = M>>(&mut self, position: &G) {
        self.ordered = true;
        for &m in self.moves.iter() {
            self.scores.push(position.capture_gain(m));
        }
    }

    /// The moves not yet given out.
    #[must_use]
    pub fn rest(&self) -> &[M] {
        &self.moves[self.next..]
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The next move; `judge` is asked once, when the first quiet move is due, for what scores each of them.
    #[inline]
    pub fn next<Q: Fn(M) -> i32>(&mut self, judge: impl FnOnce() -> Q) -> Option<M> {
        let at = self.next;
        let m = *self.moves.get(at)?;
        self.next += 1;
        if !self.ordered {
            return Some(m);
        }
        let mut best = self.best_from(at);
        let quiets_due = best.is_none_or(|i| self.scores[i] < 0);
        if quiets_due && self.scores.len() < self.moves.len() {
            let quiet_score = judge();
            for i in self.scores.len()..self.moves.len() {
                self.scores.push(quiet_score(self.moves[i]));
            }
            best = self.best_from(at);
        }
        let best = best?;
        self.scores.swap(at, best);
        self.moves.swap(at, best);
        Some(self.moves[at])
    }

    /// The next move where all have a score.
    #[inline]
    pub fn next_noisy(&mut self) -> Option<M> {
        self.next(|| |_| 0)
    }

    /// The place of the highest score from `at` on.
    #[inline]
    fn best_from(&self, at: usize) -> Option<usize> {
        let rest = self.scores.get(at..)?;
        let mut best = (at, *rest.first()?);
        for (i, &score) in rest.iter().enumerate().skip(1) {
            if score > best.1 {
                best = (at + i, score);
            }
        }
        Some(best.0)
    }

    /// What the histories say of the quiet move given out last; killers and counter-moves have the best there is.
    #[inline]
    #[must_use]
    pub fn history(&self) -> i32 {
        let given = self.next.checked_sub(1).and_then(|i| self.scores.get(i));
        given.map_or(0, |&score| score.clamp(-HIGHEST, HIGHEST))
    }

    /// Takes out those of the moves not yet given out that `skip` says yes to.
    pub fn drop_rest(&mut self, mut skip: impl FnMut(M) -> bool) {
        let mut kept = self.next;
        let scored = self.scores.len();
        for i in self.next..self.moves.len() {
            if !skip(self.moves[i]) {
                self.moves[kept] = self.moves[i];
                if i < scored {
                    self.scores[kept] = self.scores[i];
                }
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
    }
}

/// The next move in the order: by killers and history among the quiet ones, or as the game has them.
#[inline]
pub fn next<G: Game>(
    memory: Option<&Memory>,
    line: &Line,
    position: &G,
    ply: u16,
    moves: &mut Picker<'_, G::Move>,
) -> Option<G::Move> {
    moves.next(|| {
        let judge = memory.map(|memory| memory.judge(position, line, ply));
        move |m| judge.map_or(0, |judge| judge.score(position, m))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ChessPosition;

    #[test]
    fn the_table_move_comes_first_and_losing_captures_last() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        let mode = shakmaty::CastlingMode::Standard;
        let position = ChessPosition::new(fen.into_position(mode).expect("a position"), mode);
        let code = |uci: &str| {
            let moves = position.legal_moves();
            let m = moves
                .into_iter()
                .find(|&m| position.uci(m) == uci)
                .expect("a legal move");
            position.encode(m)
        };
        let (table_move, killer) = (code("a1b1"), code("e1g1"));
        let mut memory = Memory::new(MemoryRules {
            killers: true,
            counter_moves: true,
            history: true,
            continuation_history: true,
        });
        let line = Line::default();
        memory.reward(&position, &line, 0, 5, killer, &[]);
        let mut list = position.legal_moves();
        let mut picker = Picker::new(&mut list);
        picker.order(&position, table_move);
        let mut order = Vec::new();
        while let Some(m) = next(Some(&memory), &line, &position, 0, &mut picker) {
            order.push(m);
        }
        assert_eq!(order.len(), 48);
        assert_eq!(position.encode(order[0]), table_move);
        let kind = |m| match (position.is_noisy(m), position.see_ge(m, 0)) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => 2,
        };
        assert!(order[1..].is_sorted_by_key(|&m| kind(m)));
        let first_quiet = order[1..]
            .iter()
            .find(|&&m| kind(m) == 1)
            .expect("a quiet move");
        assert_eq!(position.encode(*first_quiet), killer);
    }
}
