//! An independent judge of claimed results, which knows the rules of chess (by shakmaty) and nothing about the
//! searches.
//!
//! [`Arbiter::walk`] goes through a claimed proof move by move and says where it breaks. [`Arbiter::mates_within`]
//! finds short mates by trying every move. Both count the half-move clock and repetitions, including those of the game
//! before.

use std::collections::HashMap;
use std::fmt;

use shakmaty::{Chess, Color, EnPassantMode, Move, Position, san::SanPlus, zobrist::Zobrist64};

use super::ChessPosition;
use crate::{Game, History, MoveCode, Situation};

/// What a side is claimed to achieve, whatever the other side plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To mate within this many plies.
    Mate(u32),
    /// To win, without a claim how soon.
    Win,
    /// Not to lose.
    Draw,
}

/// A claimed proof: one move at each turn of the side with the aim, and every move of the other side.
pub trait Proof {
    /// A place in the proof.
    type Place: Clone;

    fn start(&self) -> Self::Place;

    /// The moves that the proof has at a place, and where they lead. Empty where the position itself shows the result.
    fn moves(&self, place: &Self::Place) -> Vec<(MoveCode, Self::Place)>;

    /// What the result at this place is taken from, if not from moves.
    fn source(&self, place: &Self::Place) -> Option<Source>;
}

/// What a result may be taken from that the arbiter does not check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    EndgameTable,
    /// A draw by theory ([`KnownDraw`](crate::KnownDraw)).
    KnownDraw,
}

/// The most positions that are visited where a proof ends in a mate without showing it.
const MOST_TRIED: u64 = 5_000_000;

/// The work that it took to verify a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Positions visited.
    pub positions: u64,
    /// Plies of the longest line.
    pub plies: u32,
    /// Ends of lines that rest on an endgame table.
    pub by_tables: u64,
    /// Ends of lines that rest on a known draw.
    pub by_known_draws: u64,
    /// Mates that the proof does not show move by move and that were found by trying every move.
    pub by_trying: u64,
}

impl Walked {
    /// Adds the work for another part of the same proof.
    pub fn add(&mut self, other: Walked) {
        self.positions += other.positions;
        self.plies = self.plies.max(other.plies);
        self.by_tables += other.by_tables;
        self.by_known_draws += other.by_known_draws;
        self.by_trying += other.by_trying;
    }
}

/// Where a claimed proof breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the proof breaks after {}: {fault}", Line(.line))]
pub struct Break {
    /// The moves that lead to the place, in SAN.
    pub line: Vec<String>,
    pub fault: Fault,
}

struct Line<'a>(&'a [String]);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("no move");
        }
        f.write_str(&self.0.join(" "))
    }
}

/// What is wrong at a place in a claimed proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the position is a draw by {0}")]
    Drawn(&'static str),
    #[error("the side to win is mated")]
    Mated,
    #[error("no proof is given for the reply {0}")]
    Unanswered(String),
    #[error("the move {0} is not legal")]
    Illegal(String),
    #[error(
        "no move is given, the position itself shows nothing, and trying everything takes too long"
    )]
    Open,
    #[error("no mate within the claimed number of moves")]
    TooLong,
}

/// The verdict of the rules on a position, taking the game before it into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruling {
    /// The side to move is mated.
    Mated,
    Drawn(&'static str),
    Open,
}

/// A judge of claims about one position, with the game before it.
#[derive(Clone, Debug)]
pub struct Arbiter {
    /// The position on the board.
    board: Chess,
    /// The keys of the positions before it, from the start of the game, and its own.
    keys: Vec<u64>,
    /// The moves since the start, for reports.
    line: Vec<String>,
    /// What [`Arbiter::mates_within`] found: a number of plies within which there is a mate, and a number such that
    /// there is no mate in fewer plies.
    known: HashMap<Known, (u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Known {
    key: u64,
    clock: u32,
    attacker: Color,
}

impl Arbiter {
    pub fn new(situation: &Situation<ChessPosition>) -> Arbiter {
        Arbiter::of(situation.position.chess().clone(), &situation.history)
    }

    /// Creates an arbiter for a position, given the keys of those before it.
    pub fn of(board: Chess, history: &History) -> Arbiter {
        let mut keys = history.keys().to_vec();
        keys.push(key_of(&board));
        Arbiter {
            board,
            keys,
            line: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The verdict on the current position. Repetitions are counted among the game's first `counted` positions.
    fn ruling(&self, replies: usize, counted: usize) -> Ruling {
        if replies == 0 {
            return if self.board.is_check() {
                Ruling::Mated
            } else {
                Ruling::Drawn("stalemate")
            };
        }
        if self.board.halfmoves() >= 100 {
            return Ruling::Drawn("the fifty-move rule");
        }
        if self.board.is_insufficient_material() {
            return Ruling::Drawn("insufficient material");
        }
        if !self.line.is_empty() && self.occurrences(counted) >= 2 {
            return Ruling::Drawn("threefold repetition");
        }
        Ruling::Open
    }

    /// How often the position occurred before, among the first `counted` of the game.
    fn occurrences(&self, counted: usize) -> usize {
        let Some((now, before)) = self.keys.split_last() else {
            return 0;
        };
        let since = before.len().saturating_sub(self.board.halfmoves() as usize);
        let counted = before.get(since..counted.min(before.len()));
        let counted = counted.unwrap_or_default();
        counted.iter().filter(|key| *key == now).count()
    }

    fn play(&mut self, m: Move) -> Chess {
        let before = self.board.clone();
        self.line
            .push(SanPlus::from_move(before.clone(), m).to_string());
        self.board.play_unchecked(m);
        self.keys.push(key_of(&self.board));
        before
    }

    fn take_back(&mut self, before: Chess) {
        self.board = before;
        self.keys.pop();
        self.line.pop();
    }

    /// Walks through a claimed proof that `side` reaches `aim`.
    ///
    /// # Errors
    /// The first place where the proof breaks.
    pub fn walk<P: Proof>(&mut self, proof: &P, side: Color, aim: Aim) -> Result<Walked, Break> {
        let mut walk = Walk {
            arbiter: self,
            proof,
            side,
            walked: Walked::default(),
        };
        walk.step(&proof.start(), aim)?;
        Ok(walk.walked)
    }

    fn fault<T>(&self, fault: Fault) -> Result<T, Break> {
        Err(Break {
            line: self.line.clone(),
            fault,
        })
    }

    /// Makes a move, given by its code; what is asked next concerns the position after it. Returns false if it is not
    /// legal.
    pub fn make(&mut self, code: MoveCode) -> bool {
        let position = ChessPosition::new(self.board.clone(), shakmaty::CastlingMode::Chess960);
        let Some(m) = position.decode(code) else {
            return false;
        };
        self.play(m);
        true
    }

    /// Whether the side to move is mated.
    pub fn is_mate(&self) -> bool {
        self.board.is_checkmate()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.board.turn()
    }

    /// Whether `attacker` mates within this many plies, whatever the other side plays, found by trying every move.
    /// `budget` is the number of positions that may still be visited. `None` if they do not suffice.
    ///
    /// The result is exact for the path to the position in question. Of the positions that recur on the way, only those
    /// that had occurred twice in the game count as draws, since the shortest mate never repeats a position of its own.
    pub fn mates_within(&mut self, attacker: Color, plies: u32, budget: &mut u64) -> Option<bool> {
        let asked = self.keys.len();
        self.mates(attacker, plies, asked, budget)
    }

    /// `asked` is the number of keys when the question was asked.
    fn mates(
        &mut self,
        attacker: Color,
        plies: u32,
        asked: usize,
        budget: &mut u64,
    ) -> Option<bool> {
        *budget = budget.checked_sub(1)?;
        let known = Known {
            key: self.keys.last().copied().unwrap_or(0),
            clock: self.board.halfmoves(),
            attacker,
        };
        let (within, beyond) = self.known.get(&known).copied().unwrap_or((u32::MAX, 0));
        if plies >= within {
            return Some(true);
        }
        if plies < beyond {
            return Some(false);
        }
        let found = self.tries(attacker, plies, asked, budget)?;
        let entry = self.known.entry(known).or_insert((u32::MAX, 0));
        if found {
            entry.0 = entry.0.min(plies);
        } else {
            entry.1 = entry.1.max(plies + 1);
        }
        Some(found)
    }

    fn tries(
        &mut self,
        attacker: Color,
        plies: u32,
        asked: usize,
        budget: &mut u64,
    ) -> Option<bool> {
        let attacks = self.board.turn() == attacker;
        let mut legal = self.board.legal_moves();
        match self.ruling(legal.len(), asked) {
            Ruling::Mated => return Some(!attacks),
            Ruling::Drawn(_) => return Some(false),
            Ruling::Open if plies == 0 => return Some(false),
            Ruling::Open => {}
        }
        if attacks {
            let checks = |m: &Move| {
                let mut next = self.board.clone();
                next.play_unchecked(*m);
                next.is_check()
            };
            let mut noted: Vec<(bool, Move)> = legal.iter().map(|m| (checks(m), *m)).collect();
            if plies == 1 {
                noted.retain(|(check, _)| *check);
            }
            noted.sort_by_key(|(check, _)| !check);
            legal = noted.into_iter().map(|(_, m)| m).collect();
        }
        for m in legal {
            let before = self.play_quietly(m);
            let found = self.mates(attacker, plies - 1, asked, budget);
            self.take_back(before);
            if found? == attacks {
                return Some(attacks);
            }
        }
        Some(!attacks)
    }

    /// Like [`Arbiter::play`], without the move's name.
    fn play_quietly(&mut self, m: Move) -> Chess {
        let before = self.board.clone();
        self.board.play_unchecked(m);
        self.keys.push(key_of(&self.board));
        self.line.push(String::new());
        before
    }
}

/// One walk through a claimed proof.
struct Walk<'a, P> {
    arbiter: &'a mut Arbiter,
    proof: &'a P,
    side: Color,
    walked: Walked,
}

impl<P: Proof> Walk<'_, P> {
    fn step(&mut self, place: &P::Place, aim: Aim) -> Result<(), Break> {
        self.walked.positions += 1;
        self.walked.plies = self.walked.plies.max(self.arbiter.line.len() as u32);
        let legal = self.arbiter.board.legal_moves();
        match (self.arbiter.ruling(legal.len(), usize::MAX), aim) {
            (Ruling::Mated, _) if self.arbiter.board.turn() != self.side => return Ok(()),
            (Ruling::Mated, _) => return self.arbiter.fault(Fault::Mated),
            (Ruling::Drawn(_), Aim::Draw) => return Ok(()),
            (Ruling::Drawn(by), _) => return self.arbiter.fault(Fault::Drawn(by)),
            (Ruling::Open, _) => {}
        }
        if aim == Aim::Draw && self.arbiter.board.has_insufficient_material(!self.side) {
            return Ok(());
        }
        let rest = match aim {
            Aim::Mate(0) => return self.arbiter.fault(Fault::TooLong),
            Aim::Mate(plies) => Aim::Mate(plies - 1),
            other => other,
        };
        let given = self.proof.moves(place);
        if given.is_empty() {
            match (self.proof.source(place), aim) {
                (Some(Source::EndgameTable), Aim::Win | Aim::Draw) => {
                    self.walked.by_tables += 1;
                    return Ok(());
                }
                (Some(Source::KnownDraw), Aim::Draw) => {
                    self.walked.by_known_draws += 1;
                    return Ok(());
                }
                _ => {}
            }
        }
        if let (true, Aim::Mate(plies)) = (given.is_empty(), aim) {
            return match self
                .arbiter
                .mates_within(self.side, plies, &mut MOST_TRIED.clone())
            {
                Some(true) => {
                    self.walked.by_trying += 1;
                    Ok(())
                }
                Some(false) => self.arbiter.fault(Fault::TooLong),
                None => self.arbiter.fault(Fault::Open),
            };
        }
        let position =
            ChessPosition::new(self.arbiter.board.clone(), shakmaty::CastlingMode::Chess960);
        let find = |code: MoveCode| legal.iter().find(|m| position.encode(**m) == code).copied();
        if self.arbiter.board.turn() == self.side {
            let Some((code, next)) = given.first() else {
                return self.arbiter.fault(Fault::Open);
            };
            let Some(m) = find(*code) else {
                return self.arbiter.fault(Fault::Illegal(format!("{code:?}")));
            };
            return self.follow(m, next, rest);
        }
        if given.is_empty() {
            return self.arbiter.fault(Fault::Open);
        }
        for m in &legal {
            let code = position.encode(*m);
            let Some((_, next)) = given.iter().find(|(given, _)| *given == code) else {
                let san = SanPlus::from_move(self.arbiter.board.clone(), *m).to_string();
                return self.arbiter.fault(Fault::Unanswered(san));
            };
            self.follow(*m, next, rest)?;
        }
        Ok(())
    }

    fn follow(&mut self, m: Move, next: &P::Place, aim: Aim) -> Result<(), Break> {
        let before = self.arbiter.play(m);
        let found = self.step(next, aim);
        self.arbiter.take_back(before);
        found
    }
}

fn key_of(board: &Chess) -> u64 {
    board.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}
