//! Proves a mate without any results of a search, and shows its line.
//!
//! Depth-first proof-number search (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002)
//! within a number of plies: the same position with fewer plies left is another node, so there are no cycles.

use std::collections::HashMap;
use std::time::Instant;

use game::{Ending, Game, History, MoveCode, Situation};

/// How much a proof may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The positions that may still be looked at; about a million take a second.
    pub positions: u32,
    /// When to give up, whatever is left.
    pub until: Option<Instant>,
}

impl Effort {
    pub fn positions(positions: u32) -> Effort {
        Effort {
            positions,
            until: None,
        }
    }

    /// Takes up to half of what is left.
    pub(super) fn half(&mut self) -> Effort {
        let half = self.positions / 2;
        self.positions -= half;
        Effort {
            positions: half,
            ..*self
        }
    }

    fn spend(&mut self) -> Option<()> {
        self.positions = self.positions.checked_sub(1)?;
        let looks = self.positions.is_multiple_of(256);
        let is_late = || self.until.is_some_and(|until| Instant::now() >= until);
        (!looks || !is_late()).then_some(())
    }
}

/// What was found out about a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict<M> {
    /// It can be forced; with the longest line that the defender can choose against this way of mating.
    Forced(Vec<M>),
    /// It cannot be forced within the plies.
    Refuted,
    /// The effort did not suffice.
    Open,
}

/// Looks for a mate of one side within `plies`. The side to move is the one that mates if the number is odd, and the one
/// that is mated if it is even. `hint` names moves that are likely to mate, by the keys of their positions.
pub(super) fn prove<G: Game>(
    from: &Situation<G>,
    plies: usize,
    effort: &mut Effort,
    hint: &dyn Fn(u64) -> Option<MoveCode>,
) -> Verdict<G::Move> {
    let moves = from.position.legal_moves();
    if let Some(ending) = from.position.ending(!moves.is_empty()) {
        return match ending.is_lost() && plies.is_multiple_of(2) {
            true => Verdict::Forced(Vec::new()),
            false => Verdict::Refuted,
        };
    }
    if plies == 0 {
        return Verdict::Refuted;
    }
    let mut unlimited = Effort::positions(u32::MAX);
    let mut prover = Prover {
        effort,
        history: from.history.clone(),
        known: HashMap::new(),
        hint,
    };
    match prover.search(&from.position, plies, Numbers::ENDLESS) {
        None => Verdict::Open,
        Some(found) if found.proof > 0 => Verdict::Refuted,
        Some(_) => {
            // Showing what was proven looks at each of its positions once more.
            prover.effort = &mut unlimited;
            prover.history.clone_from(&from.history);
            match prover.line(&from.position, plies) {
                Some(line) => Verdict::Forced(line),
                None => Verdict::Open,
            }
        }
    }
}

/// The least number of positions that have to be solved to prove the mate, and to refute it.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const NEVER: u32 = u32::MAX / 4;
    const PROVEN: Numbers = Numbers {
        proof: 0,
        disproof: Self::NEVER,
    };
    const REFUTED: Numbers = Numbers {
        proof: Self::NEVER,
        disproof: 0,
    };
    const ENDLESS: Numbers = Numbers {
        proof: Self::NEVER,
        disproof: Self::NEVER,
    };

    /// The two numbers with those of the side that has to find a single move first.
    fn of(self, mates: bool) -> (u32, u32) {
        match mates {
            true => (self.proof, self.disproof),
            false => (self.disproof, self.proof),
        }
    }

    /// The inverse of [`Numbers::of`].
    fn from(mates: bool, one: u32, all: u32) -> Numbers {
        let (proof, disproof) = match mates {
            true => (one, all),
            false => (all, one),
        };
        Numbers { proof, disproof }
    }
}

fn sum(a: u32, b: u32) -> u32 {
    match a == Numbers::NEVER || b == Numbers::NEVER {
        true => Numbers::NEVER,
        false => (a + b).min(Numbers::NEVER - 1),
    }
}

struct Child<G: Game> {
    m: G::Move,
    position: G,
    key: u64,
    /// Its numbers before it is searched.
    first: Numbers,
}

struct Prover<'a> {
    effort: &'a mut Effort,
    /// The positions on the way to the current one.
    history: History,
    known: HashMap<u64, Numbers>,
    hint: &'a dyn Fn(u64) -> Option<MoveCode>,
}

/// Whether the side to move with so many plies left is the one that mates.
fn is_attackers(plies: usize) -> bool {
    plies % 2 == 1
}

/// The same position is another node with fewer plies left, and nearer to the fifty-move rule.
fn key<G: Game>(position: &G, plies: usize) -> u64 {
    let place = (plies as u64) << 32 | u64::from(position.reversible_plies());
    position.key() ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Prover<'_> {
    /// Returns the node's numbers as soon as they reach a limit, or `None` if the effort does not suffice.
    fn search<G: Game>(&mut self, position: &G, plies: usize, limit: Numbers) -> Option<Numbers> {
        let mates = is_attackers(plies);
        let children = self.children(position, plies)?;
        let (one_limit, all_limit) = limit.of(mates);
        self.history.push(position.key());
        let found = loop {
            let (mut one, mut next, mut all) = (Numbers::NEVER, Numbers::NEVER, 0);
            let mut best = None;
            for child in &children {
                let (least, rest) = self.numbers(child).of(mates);
                all = sum(all, rest);
                if least < one || best.is_none() {
                    next = one;
                    one = least;
                    best = Some((child, rest));
                } else {
                    next = next.min(least);
                }
            }
            let Some((child, rest)) = best.filter(|_| one < one_limit && all < all_limit) else {
                break Numbers::from(mates, one, all);
            };
            // A margin, so that the search does not go back and forth between two children.
            let one = one_limit.min(next.saturating_add(next / 4 + 1));
            let all = match all_limit {
                Numbers::NEVER => Numbers::NEVER,
                limit => limit - all + rest,
            };
            let limit = Numbers::from(mates, one, all);
            let found = self.search(&child.position, plies - 1, limit)?;
            self.known.insert(child.key, found);
        };
        self.history.pop();
        Some(found)
    }

    fn numbers<G: Game>(&self, child: &Child<G>) -> Numbers {
        self.known.get(&child.key).copied().unwrap_or(child.first)
    }

    /// Returns the moves from here, without those that surely do not matter. If one of them decides the node, there may be
    /// no others.
    fn children<G: Game>(&mut self, position: &G, plies: usize) -> Option<Vec<Child<G>>> {
        let mates = is_attackers(plies);
        let hinted = (self.hint)(position.key()).filter(|_| mates);
        let checks = position.checks();
        let mut children = Vec::new();
        self.history.push(position.key());
        for m in position.legal_moves() {
            if plies == 1 && !position.may_win(&checks, m) {
                continue;
            }
            self.effort.spend()?;
            let mut after = position.clone();
            after.play(m);
            let replies = after.legal_moves().len();
            let seen = self
                .history
                .repetitions(after.key(), after.reversible_plies());
            let first = match after.ending(replies > 0) {
                Some(ending) if mates && ending.is_lost() => Numbers::PROVEN,
                // The third time ends the game, too.
                ending if ending.is_some() || seen.times >= 2 || plies == 1 => Numbers::REFUTED,
                _ if !mates || hinted == Some(position.encode(m)) => Numbers {
                    proof: 1,
                    disproof: 1,
                },
                _ => Numbers {
                    proof: replies as u32,
                    disproof: 1,
                },
            };
            let decides = first.of(mates).0 == 0;
            children.push(Child {
                m,
                key: key(&after, plies - 1),
                position: after,
                first,
            });
            if decides {
                break;
            }
        }
        self.history.pop();
        Some(children)
    }

    /// Returns the longest line of what was proven.
    fn line<G: Game>(&mut self, from: &G, plies: usize) -> Option<Vec<G::Move>> {
        let mut lengths = HashMap::new();
        self.length(from, plies, &mut lengths)?;
        let (mut at, mut left, mut line) = (from.clone(), plies, Vec::new());
        while let Some(&(_, m)) = lengths.get(&key(&at, left)) {
            line.push(m);
            at.play(m);
            left = left.checked_sub(1)?;
        }
        let mated = at.ending(at.has_moves()).is_some_and(Ending::is_lost);
        mated.then_some(line)
    }

    /// Returns in how many plies the proof mates at the latest, and notes the moves.
    fn length<G: Game>(
        &mut self,
        position: &G,
        plies: usize,
        lengths: &mut HashMap<u64, (usize, G::Move)>,
    ) -> Option<usize> {
        let at = key(position, plies);
        if let Some((length, _)) = lengths.get(&at) {
            return Some(*length);
        }
        let mates = is_attackers(plies);
        let children = self.children(position, plies)?;
        self.history.push(position.key());
        let mut best: Option<(usize, G::Move)> = None;
        for child in &children {
            if self.numbers(child).proof > 0 {
                continue;
            }
            let length = match child.first.proof {
                0 => 1,
                _ => 1 + self.length(&child.position, plies - 1, lengths)?,
            };
            let is_better = best.is_none_or(|(known, _)| match mates {
                true => length < known,
                false => length > known,
            });
            if is_better {
                best = Some((length, child.m));
            }
        }
        self.history.pop();
        let best = best?;
        lengths.insert(at, best);
        Some(best.0)
    }
}
