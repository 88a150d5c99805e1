//! Selects the moves of a node, best first.

use arrayvec::ArrayVec;

use super::ordering::{HIGHEST, Judge};
use game::{Checks, Game, Listed, MAX_MOVES, MoveCode, MoveList};

const TABLE_MOVE: i32 = Key::MOST;
const GOOD_CAPTURE: i32 = 1 << 22;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 22);

/// A selected move.
#[derive(Clone, Copy, Debug)]
pub struct Pick<M> {
    pub m: M,
    pub code: MoveCode,
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// The histories' score of a quiet move; killers and counter-moves have the highest there is.
    pub history: i32,
}

/// A move packed into one integer, of which the smallest is the best: score (29 bits, reversed), whether it is quiet
/// (1), rank among equal scores (9), and the rest of how it is listed (hint and code, 25).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    const MOST: i32 = (1 << 28) - 1;
    const SCORE: u32 = 35;
    const RANK: u32 = 25;
    /// A move without a score.
    const UNSCORED: u64 = (Self::MOST as u64) << Self::SCORE;

    #[inline(always)]
    fn new(place: usize, listed: Listed) -> Key {
        Key(Self::UNSCORED | listed.bits() | (place as u64) << Self::RANK)
    }

    #[inline(always)]
    fn listed(self) -> Listed {
        Listed::from_bits(self.0)
    }

    /// The same move with another score, and a rank that orders equal scores.
    #[inline]
    fn scored(self, score: i32, rank: usize) -> Key {
        let kept = self.listed().bits();
        Key(kept | ((Self::MOST - score) as u64) << Self::SCORE | (rank as u64) << Self::RANK)
    }

    /// The same move at the same rank with another score.
    #[inline]
    fn with_score(self, score: i32) -> Key {
        let kept = self.0 & ((1 << Self::SCORE) - 1);
        Key(kept | ((Self::MOST - score) as u64) << Self::SCORE)
    }

    #[inline]
    fn score(self) -> i32 {
        Self::MOST - (self.0 >> Self::SCORE) as i32
    }

    #[inline]
    fn is_quiet(self) -> bool {
        self.0 >> Listed::QUIET & 1 == 1
    }

    #[inline]
    fn code(self) -> MoveCode {
        MoveCode(self.0 as u16)
    }

    #[inline]
    fn pick<G: Game>(self, position: &G) -> Pick<G::Move> {
        Pick {
            m: position.listed(self.listed()),
            code: self.code(),
            quiet: self.is_quiet(),
            history: self.score().clamp(-HIGHEST, HIGHEST),
        }
    }
}

/// The moves of one node in their order. The caller owns them because they are too large to be moved.
#[derive(Debug, Default)]
pub struct Keys(ArrayVec<Key, MAX_MOVES>);

impl Keys {
    #[inline]
    pub fn new() -> Keys {
        Keys(ArrayVec::new())
    }
}

impl MoveList for Keys {
    #[inline(always)]
    fn push(&mut self, listed: Listed) {
        self.0.push(Key::new(self.0.len(), listed));
    }
}

/// Selects moves, best first; they are scored and sorted only as far as they are needed.
///
/// The order: table move, captures that lose no material, quiet moves by killers and history, losing captures. Quiet
/// moves are scored when their turn comes, killers and counter-move before the others, because most cutoffs come
/// before.
#[derive(Debug)]
pub struct Picker<'m, G> {
    position: &'m G,
    /// All moves: first those selected, then those scored, then the others.
    keys: &'m mut Keys,
    /// Whether the moves were listed.
    listed: bool,
    /// How many quiet moves were counted instead of being listed.
    left_out: usize,
    /// How many moves were selected.
    next: usize,
    /// How many of the keys have a score.
    scored: usize,
    /// Whether killers and counter-move were looked for.
    favourites_known: bool,
    /// How many moves are still searched for one by one before the rest is sorted.
    singly: u8,
    sorted: bool,
}

/// Few nodes need more moves than these, and those that do need most of them.
const PICKED_SINGLY: u8 = 6;

impl<'m, G: Game> Picker<'m, G> {
    /// All legal moves, which [`Picker::list`] or [`Picker::list_most`] is still to list.
    #[inline]
    pub fn unlisted(position: &'m G, keys: &'m mut Keys) -> Self {
        keys.0.clear();
        Picker {
            position,
            keys,
            listed: false,
            left_out: 0,
            next: 0,
            scored: 0,
            favourites_known: true,
            singly: 0,
            sorted: true,
        }
    }

    /// All legal moves in the order in which the game lists them.
    #[inline]
    pub fn all(position: &'m G, keys: &'m mut Keys) -> Self {
        let mut picker = Self::unlisted(position, keys);
        picker.list();
        picker
    }

    /// The moves of quiescence ([`Game::list_noisy`]).
    #[inline]
    pub fn noisy(position: &'m G, keys: &'m mut Keys) -> Self {
        let mut picker = Self::unlisted(position, keys);
        picker.list_by(|list| {
            position.list_noisy(list);
            0
        });
        picker
    }

    /// Quiet moves that give check ([`Game::list_quiet_checks`]) and lose nothing by exchange.
    #[inline]
    pub fn safe_checks(position: &'m G, keys: &'m mut Keys) -> Self {
        let mut picker = Self::unlisted(position, keys);
        picker.list_by(|list| {
            position.list_quiet_checks(list);
            0
        });
        picker.drop_rest(|pick| !position.see_ge(pick.m, 0));
        picker
    }

    #[inline(always)]
    fn list_by(&mut self, list: impl FnOnce(&mut Keys) -> usize) {
        self.left_out = list(self.keys);
        self.scored = self.keys.0.len();
        self.listed = true;
    }

    /// Lists all moves, unless they already are.
    #[inline]
    pub fn list(&mut self) {
        let position = self.position;
        if !self.listed {
            self.list_by(|list| {
                position.list(list);
                0
            });
        }
    }

    /// Lists all moves but quiet ones that give no check, which are counted ([`Game::list_most`]), except `kept`.
    #[inline]
    pub fn list_most(&mut self, checks: &Checks, kept: MoveCode) {
        let position = self.position;
        self.list_by(|list| position.list_most(checks, kept, list));
    }

    #[inline]
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// How many moves [`Picker::list_most`] left out.
    #[inline]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The move with this code, if there is one; where the moves are not listed, only if it can be found without that.
    #[inline]
    pub fn find(&self, code: MoveCode) -> Option<Pick<G::Move>> {
        if code == MoveCode::NONE {
            return None;
        }
        let listed = if self.listed {
            let key = self.keys.0.iter().find(|key| key.code() == code)?;
            key.listed()
        } else {
            self.position.note(self.position.decode_quickly(code)?)
        };
        let key = Key::new(0, listed).scored(TABLE_MOVE, 0);
        Some(key.pick(self.position))
    }

    /// Orders all moves of an inner node.
    pub fn order(&mut self, table_move: MoveCode) {
        let position = self.position;
        self.begin_ordering();
        let mut scored = 0;
        for i in 0..self.keys.0.len() {
            let key = self.keys.0[i];
            let score = if key.code() == table_move && table_move != MoveCode::NONE {
                TABLE_MOVE
            } else if key.is_quiet() {
                continue;
            } else {
                // The most valuable victim comes first, captured by the least valuable attacker.
                let m = position.listed(key.listed());
                GOOD_CAPTURE + position.capture_gain(m) * 8 - position.attacker(m)
            };
            self.keys.0[i] = self.keys.0[scored];
            self.keys.0[scored] = key.scored(score, scored);
            scored += 1;
        }
        self.scored = scored;
    }

    /// Orders the moves of a quiescence node by what they capture.
    pub fn order_noisy(&mut self) {
        self.begin_ordering();
        for (rank, key) in self.keys.0.iter_mut().enumerate() {
            let m = self.position.listed(key.listed());
            *key = key.scored(self.position.capture_gain(m), rank);
        }
    }

    fn begin_ordering(&mut self) {
        self.favourites_known = false;
        self.singly = PICKED_SINGLY;
        self.sorted = false;
    }

    /// How many moves there are, those that were left out included.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.0.len() + self.left_out
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Selects the next move; `judge` is called when quiet moves are due.
    #[inline]
    pub fn next<'j>(&mut self, judge: impl Fn() -> Option<Judge<'j>>) -> Option<Pick<G::Move>> {
        let mut best = self.best();
        while let Some(i) = best
            && self.defer_if_losing(i)
        {
            best = self.best();
        }
        if self.scored < self.keys.0.len() && best.is_none_or(|i| self.keys.0[i].score() < 0) {
            best = self.best_quiet(judge);
        }
        let best = best?;
        let key = self.keys.0[best];
        self.keys.0[best] = self.keys.0[self.next];
        self.keys.0[self.next] = key;
        self.next += 1;
        Some(key.pick(self.position))
    }

    /// Moves a capture that turns out to lose material behind the quiet moves. The exchange is computed only now that the
    /// capture would be selected, because most cutoffs come before.
    #[inline]
    fn defer_if_losing(&mut self, i: usize) -> bool {
        let key = self.keys.0[i];
        let score = key.score();
        if score <= KILLER || score == TABLE_MOVE {
            return false;
        }
        let loses = !self.position.see_ge(self.position.listed(key.listed()), 0);
        if loses {
            self.keys.0[i] = key.with_score(score - GOOD_CAPTURE + BAD_CAPTURE);
            self.sorted = false;
        }
        loses
    }

    /// The index of the best move once quiet moves have a score.
    #[inline]
    fn best_quiet<'j>(&mut self, judge: impl Fn() -> Option<Judge<'j>>) -> Option<usize> {
        let judge = judge();
        if !self.favourites_known {
            self.favourites_known = true;
            if let Some(judge) = &judge
                && self.score_favourites(judge.favourites())
            {
                return self.best();
            }
        }
        self.score_quiets(judge);
        self.best()
    }

    /// Selects the next move where all have a score.
    #[inline]
    pub fn next_noisy(&mut self) -> Option<Pick<G::Move>> {
        self.next(|| None)
    }

    /// Scores killers and counter-move. Returns whether there are any.
    fn score_favourites(&mut self, favourites: [MoveCode; 3]) -> bool {
        let before = self.scored;
        for (rank, favourite) in (0..).zip(favourites) {
            let mut unscored = self.keys.0[self.scored..].iter();
            if let Some(i) = unscored.position(|key| key.code() == favourite) {
                let found = self.keys.0[self.scored + i];
                self.keys.0[self.scored + i] = self.keys.0[self.scored];
                self.keys.0[self.scored] = found.scored(KILLER - rank, self.scored);
                self.scored += 1;
            }
        }
        self.scored > before
    }

    fn score_quiets(&mut self, judge: Option<Judge>) {
        let position = self.position;
        for (rank, key) in self.keys.0.iter_mut().enumerate().skip(self.scored) {
            let score = |judge: &Judge| judge.score(position, key.listed());
            *key = key.scored(judge.as_ref().map_or(0, score), rank);
        }
        self.scored = self.keys.0.len();
    }

    /// The index of the best scored move that was not yet selected.
    #[inline]
    fn best(&mut self) -> Option<usize> {
        let all_scored = self.scored == self.keys.0.len();
        let rest = self.keys.0.get_mut(self.next..self.scored)?;
        if all_scored && !self.sorted {
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

    /// The moves not yet selected.
    pub fn rest(&self) -> impl Iterator<Item = Pick<G::Move>> {
        self.keys.0[self.next..]
            .iter()
            .map(|key| key.pick(self.position))
    }

    /// Drops all quiet moves not yet selected that give no check, except `kept`, and reports each. Returns how many.
    #[inline(always)]
    pub fn drop_quiets(
        &mut self,
        checks: &Checks,
        kept: MoveCode,
        mut report: impl FnMut(Listed),
    ) -> usize {
        let position = self.position;
        let before = self.keys.0.len();
        self.drop_keys(|key| {
            let drop = key.is_quiet()
                && key.code() != kept
                && !position.listed_gives_check(checks, key.listed());
            if drop {
                report(key.listed());
            }
            drop
        });
        before - self.keys.0.len()
    }

    /// Drops those of the moves not yet selected for which `skip` returns true.
    pub fn drop_rest(&mut self, mut skip: impl FnMut(Pick<G::Move>) -> bool) {
        let position = self.position;
        self.drop_keys(|key| skip(key.pick(position)));
    }

    #[inline(always)]
    fn drop_keys(&mut self, mut skip: impl FnMut(Key) -> bool) {
        let (next, scored, all) = (self.next, self.scored, self.keys.0.len());
        let keys = self.keys.0.as_mut_slice();
        let mut retain = |from: usize, to: usize, mut kept: usize| {
            for i in from..to {
                let key = keys[i];
                if !skip(key) {
                    keys[kept] = key;
                    kept += 1;
                }
            }
            kept
        };
        self.scored = retain(next, scored, next);
        let kept = retain(scored, all, self.scored);
        self.keys.0.truncate(kept);
    }
}
