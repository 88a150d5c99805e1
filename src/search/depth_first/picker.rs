//! The moves of a node, given out best first.

use arrayvec::ArrayVec;

use super::ordering::{HIGHEST, Judge};
use crate::game::{Game, MAX_MOVES, MoveCode, Moves};

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 22;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 22);

/// A move given out.
#[derive(Clone, Copy, Debug)]
pub struct Pick<M> {
    pub m: M,
    pub code: MoveCode,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// What the histories say of a quiet move; killers and counter-moves have the best there is.
    pub history: i32,
}

/// A scored move in one integer, the best the smallest: score (high half, reversed), place in the list, whether it
/// is quiet, code. Of equal scores the one comes first that the game has first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    #[inline]
    fn new(score: i32, place: usize, quiet: bool, code: MoveCode) -> Key {
        let reversed = (score as u32) ^ 0x7fff_ffff;
        let low = (place as u64) << 24 | u64::from(quiet) << 16 | u64::from(code.0);
        Key(u64::from(reversed) << 32 | low)
    }

    #[inline]
    fn score(self) -> i32 {
        ((self.0 >> 32) as u32 ^ 0x7fff_ffff) as i32
    }

    #[inline]
    fn pick<M: Copy>(self, moves: &[M]) -> Pick<M> {
        Pick {
            m: moves[(self.0 >> 24 & 0xff) as usize],
            code: MoveCode(self.0 as u16),
            quiet: self.0 >> 16 & 1 == 1,
            history: self.score().clamp(-HIGHEST, HIGHEST),
        }
    }
}

/// Gives out moves, best first; scored and sorted only as far as they are asked for.
///
/// The order: table move, captures that don't lose material, quiet moves by killers and history, losing captures.
/// Quiet moves are scored when their turn comes, killers and counter-move before the others: most cutoffs come before.
#[derive(Debug)]
pub struct Picker<'m, M: Copy> {
    /// Borrowed: the list is large, and moving it costs as much as filling it. The scored moves stand first.
    moves: &'m mut Moves<M>,
    /// Of the scored moves; those given out stand first.
    keys: ArrayVec<Key, MAX_MOVES>,
    /// How many were given out.
    next: usize,
    /// `false`: the moves stay in the game's own order (toy trees: as in the file).
    ordered: bool,
    /// How many of the moves have, or had, a key.
    scored: usize,
    /// Killers and counter-move were looked for.
    favourites_known: bool,
    /// Moves still to be looked for one by one before the rest is sorted.
    singly: u8,
    sorted: bool,
}

/// Few nodes want more moves than these, and those that do want most.
const PICKED_SINGLY: u8 = 2;

impl<'m, M: Copy + PartialEq> Picker<'m, M> {
    /// Moves in the order they come.
    #[inline]
    #[must_use]
    pub fn new(moves: &'m mut Moves<M>) -> Self {
        Picker {
            moves,
            keys: ArrayVec::new(),
            next: 0,
            ordered: false,
            scored: 0,
            favourites_known: false,
            singly: PICKED_SINGLY,
            sorted: false,
        }
    }

    /// Orders all moves of an inner node.
    pub fn order<G: Game<Move = M>>(&mut self, position: &G, table_move: MoveCode) {
        self.ordered = true;
        for i in 0..self.moves.len() {
            let m = self.moves[i];
            let (code, noisy) = (position.encode(m), position.is_noisy(m));
            let score = if table_move != MoveCode::NONE && code == table_move {
                TABLE_MOVE
            } else if noisy {
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
            let place = self.keys.len();
            self.moves.swap(place, i);
            self.keys.push(Key::new(score, place, !noisy, code));
        }
        self.scored = self.keys.len();
    }

    /// Orders the moves of a quiescence node by what they take.
    pub fn order_noisy<G: Game<Move = M>>(&mut self, position: &G) {
        self.ordered = true;
        for (place, &m) in self.moves.iter().enumerate() {
            let (gain, quiet) = (position.capture_gain(m), !position.is_noisy(m));
            self.keys
                .push(Key::new(gain, place, quiet, position.encode(m)));
        }
        self.scored = self.keys.len();
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The next move; `judge` is asked when quiet moves are due.
    #[inline]
    pub fn next<'j, G: Game<Move = M>>(
        &mut self,
        position: &G,
        judge: impl Fn() -> Option<Judge<'j>>,
    ) -> Option<Pick<M>> {
        if !self.ordered {
            let m = *self.moves.get(self.next)?;
            self.next += 1;
            return Some(as_it_comes(position, m));
        }
        let mut best = self.best();
        let quiets_due = |picker: &Self, best: Option<usize>| {
            let none_left = best.is_none_or(|i| picker.keys[i].score() < 0);
            none_left && picker.scored < picker.moves.len()
        };
        if quiets_due(self, best) && !self.favourites_known {
            self.favourites_known = true;
            if let Some(judge) = judge() {
                self.score_favourites(position, judge.favourites());
            }
            best = self.best();
        }
        if quiets_due(self, best) {
            self.score_quiets(position, judge());
            best = self.best();
        }
        let best = best?;
        let key = self.keys[best];
        self.keys.swap(self.next, best);
        self.next += 1;
        Some(key.pick(self.moves))
    }

    /// The next move where all have a score.
    #[inline]
    pub fn next_noisy<G: Game<Move = M>>(&mut self, position: &G) -> Option<Pick<M>> {
        self.next(position, || None)
    }

    fn score_favourites<G: Game<Move = M>>(&mut self, position: &G, favourites: [MoveCode; 3]) {
        for (rank, favourite) in (0..).zip(favourites) {
            let unscored = &self.moves[self.scored..];
            let found = unscored
                .iter()
                .position(|&m| position.encode(m) == favourite);
            if let Some(i) = found {
                self.moves.swap(self.scored, self.scored + i);
                self.keys
                    .push(Key::new(KILLER - rank, self.scored, true, favourite));
                self.scored += 1;
            }
        }
    }

    fn score_quiets<G: Game<Move = M>>(&mut self, position: &G, judge: Option<Judge>) {
        for place in self.scored..self.moves.len() {
            let m = self.moves[place];
            let code = position.encode(m);
            let score = judge.map_or(0, |judge| judge.score(position, m, code));
            self.keys.push(Key::new(score, place, true, code));
        }
        self.scored = self.moves.len();
    }

    /// Where the best stands of the scored moves that were not given out.
    #[inline]
    fn best(&mut self) -> Option<usize> {
        let rest = self.keys.get_mut(self.next..)?;
        if self.scored == self.moves.len() && !self.sorted {
            if self.singly == 0 {
                rest.sort_unstable();
                self.sorted = true;
            } else {
                self.singly -= 1;
            }
        }
        let mut best = (0, *rest.first()?);
        if !self.sorted {
            for (i, &key) in rest.iter().enumerate().skip(1) {
                if key < best.1 {
                    best = (i, key);
                }
            }
        }
        Some(self.next + best.0)
    }

    /// The moves not yet given out.
    pub fn rest<G: Game<Move = M>>(&self, position: &G) -> impl Iterator<Item = Pick<M>> {
        let scored = self.keys.get(self.next..).unwrap_or_default().iter();
        let unscored = &self.moves[self.scored.max(self.next).min(self.moves.len())..];
        scored
            .map(|key| key.pick(self.moves))
            .chain(unscored.iter().map(|&m| as_it_comes(position, m)))
    }

    /// Takes out those of the moves not yet given out that `skip` says yes to.
    pub fn drop_rest<G: Game<Move = M>>(
        &mut self,
        position: &G,
        mut skip: impl FnMut(Pick<M>) -> bool,
    ) {
        let mut kept = self.next;
        for i in self.next..self.keys.len() {
            let key = self.keys[i];
            if !skip(key.pick(self.moves)) {
                self.keys[kept] = key;
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        let unscored = self.scored.max(self.next);
        let mut kept = unscored;
        for i in unscored..self.moves.len() {
            let m = self.moves[i];
            if !skip(as_it_comes(position, m)) {
                self.moves[kept] = m;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }
}

/// A move that has no score.
#[inline]
fn as_it_comes<G: Game>(position: &G, m: G::Move) -> Pick<G::Move> {
    Pick {
        m,
        code: position.encode(m),
        quiet: !position.is_noisy(m),
        history: 0,
    }
}
