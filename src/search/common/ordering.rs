//! The order in which moves are searched: table move, captures, killers, counter-move, histories.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use super::histories::{self, After, ByMove, Histories};
use super::picker::{Pick, Picker};
use super::played_line::PlayedLine;
use game::{FOOTPRINTS, Footprint, Game, Listed, MoveCode};

/// The sum of the three histories stays within ± this.
pub const HIGHEST: i32 = 3 * histories::LIMIT;
const PLIES: usize = 256;

/// Which memories are used.
#[derive(Clone, Copy, Debug)]
pub struct MemoryRules {
    pub killers: bool,
    pub counter_moves: bool,
    pub history: bool,
    pub continuation_history: bool,
}

/// Quiet moves that were good elsewhere: two killers per ply, the answer to the opponent's last move (counter-move),
/// and histories by side and move, and by the move together with the move one and two plies before it.
#[derive(Debug)]
pub struct Memory {
    rules: MemoryRules,
    killers: Box<[[MoveCode; 2]; PLIES]>,
    counters: Box<[MoveCode; FOOTPRINTS]>,
    histories: Histories,
}

impl Memory {
    pub fn new(rules: MemoryRules) -> Self {
        Memory {
            rules,
            killers: Box::new([[MoveCode::NONE; 2]; PLIES]),
            counters: Box::new([MoveCode::NONE; FOOTPRINTS]),
            histories: Histories::default(),
        }
    }

    /// The same memory, learning with all who have these histories.
    pub fn sharing(self, histories: &Histories) -> Self {
        Memory {
            histories: histories.clone(),
            ..self
        }
    }

    /// Forgets all moves.
    pub fn forget(&mut self) {
        *self.killers = [[MoveCode::NONE; 2]; PLIES];
        self.counters.fill(MoveCode::NONE);
        self.histories.forget();
    }

    /// What is remembered about quiet moves at `ply` of the line, looked up once for all of them.
    #[inline]
    pub fn judge<G: Game>(&self, position: &G, line: &PlayedLine, ply: u16) -> Judge<'_> {
        let last = line.before(ply, 1);
        Judge {
            killers: self.killers[usize::from(ply) % PLIES],
            counter: self.counters[last.index()],
            history: self.histories.of(position.turn()),
            continuations: [
                self.histories.after(0, last),
                self.histories.after(1, line.before(ply, 2)),
            ],
        }
    }

    /// Rewards the quiet move `m`, which cut off with `depth` plies remaining; `tried` are the quiet moves searched in
    /// vain before it.
    pub fn reward<G: Game>(
        &mut self,
        position: &G,
        line: &PlayedLine,
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

    fn adjust<G: Game>(
        &self,
        position: &G,
        line: &PlayedLine,
        ply: u16,
        code: MoveCode,
        bonus: i32,
    ) {
        if self.rules.history {
            self.histories.adjust(position.turn(), code, bonus);
        }
        if !self.rules.continuation_history {
            return;
        }
        let Some(m) = position.decode_known(code) else {
            return;
        };
        let footprint = position.footprint(m);
        for back in 0..2 {
            let earlier = line.before(ply, back + 1);
            if earlier != Footprint::NONE {
                self.histories
                    .adjust_after(usize::from(back), earlier, footprint, bonus);
            }
        }
    }
}

/// What is remembered about quiet moves at one node.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    killers: [MoveCode; 2],
    counter: MoveCode,
    history: &'a ByMove,
    continuations: [&'a After; 2],
}

impl Judge<'_> {
    /// The moves that come before all other quiet ones: killers and counter-move.
    #[inline]
    pub fn favourites(&self) -> [MoveCode; 3] {
        [self.killers[0], self.killers[1], self.counter]
    }

    /// The sum of the histories of a quiet move, within ± 3 · 2^14.
    #[inline]
    pub fn score<G: Game>(&self, position: &G, listed: Listed) -> i32 {
        let after = position.listed_piece_and_square(listed);
        let single = &self.history[histories::place(listed.code())];
        let [one, two] = self.continuations;
        let value = |value: &AtomicI16| i32::from(value.load(Relaxed));
        value(single) + value(&one[after]) + value(&two[after])
    }
}

/// The next move in the order: quiet ones by killers and history, or in the order the game lists them.
#[inline]
pub fn next<G: Game>(
    memory: Option<&Memory>,
    line: &PlayedLine,
    position: &G,
    ply: u16,
    moves: &mut Picker<'_, G>,
) -> Option<Pick<G::Move>> {
    moves.next(|| memory.map(|memory| memory.judge(position, line, ply)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::picker::Keys;
    use game::{ChessKnowledge as _, ChessPosition};

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
        let rules = MemoryRules {
            killers: true,
            counter_moves: true,
            history: true,
            continuation_history: true,
        };
        let mut memory = Memory::new(rules);
        let line = PlayedLine::default();
        memory.reward(&position, &line, 0, 5, killer, &[]);
        let mut keys = Keys::new();
        let mut picker = Picker::all(&position, &mut keys);
        picker.order(table_move);
        let mut order = Vec::new();
        while let Some(pick) = next(Some(&memory), &line, &position, 0, &mut picker) {
            assert_eq!(pick.code, position.encode(pick.m));
            assert_eq!(pick.quiet, !position.is_noisy(pick.m));
            order.push(pick.m);
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
