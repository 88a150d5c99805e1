//! What the rules of chess say of a stream: whether its moves are legal, its lists of moves complete, and its keys those of
//! positions.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use game::{ChessPosition, Game as _, MoveCode};
use open_trace::{MoveId, Names};
use shakmaty::{EnPassantMode, Position as _};

use super::super::codes::{Codes, Way};

/// What was found where a program and the rules of chess say different things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByRules {
    /// Moves entered, or expanded, that the rules do not have.
    pub illegal: Found,
    /// Lists of moves that were compared, and counts of moves.
    pub lists: u64,
    pub counts: u64,
    /// Moves listed that the rules do not have, and moves of the rules that are not listed.
    pub listed: Found,
    pub missing: Found,
    /// Counts of moves that are not those of the rules.
    pub miscounted: Found,
    /// Keys that were compared.
    pub keys: u64,
    /// A position that had another key before.
    pub two_keys: Found,
    /// The same where the positions differ by an en passant square that no pawn can use.
    pub by_square: Found,
    /// A key that another position had before.
    pub shared_key: Found,
}

/// How often something was found, and where first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub count: u64,
    pub first: Option<First>,
}

/// Where something was found first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// The number of the last event.
    pub event: u64,
    /// The moves from the root.
    pub line: Box<str>,
    /// What it is about: a move, two counts, two keys.
    pub what: Box<str>,
}

impl Found {
    fn note(&mut self, first: impl FnOnce() -> First) {
        self.count += 1;
        if self.first.is_none() {
            self.first = Some(first());
        }
    }
}

impl ByRules {
    /// All that can be found, each with what it is, in few words.
    pub fn all(&self) -> [(&'static str, &Found); 7] {
        [
            ("illegal moves made", &self.illegal),
            ("illegal moves listed", &self.listed),
            ("legal moves not listed", &self.missing),
            ("counts of moves that are wrong", &self.miscounted),
            ("positions with two keys", &self.two_keys),
            (
                "with two keys by an en passant square of no use",
                &self.by_square,
            ),
            ("keys of two positions", &self.shared_key),
        ]
    }
}

/// The position at a node, as far as the rules lead there.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// `None` behind an illegal move.
    position: Option<ChessPosition>,
    way: Way,
}

/// The most positions whose keys are remembered: memory stays bounded in the longest streams.
const REMEMBERED: usize = 1 << 21;

/// Compares what a program says with the rules of chess.
pub(super) struct Judge<'a> {
    root: ChessPosition,
    names: &'a Names,
    codes: Codes<'a>,
    /// The key told last for a position, and for an en passant square that no pawn can use (0: none).
    keys: HashMap<(u64, u8), u64>,
    /// The position for which a key was told first.
    positions: HashMap<u64, u64>,
    pub found: ByRules,
}

impl<'a> Judge<'a> {
    pub fn new(root: ChessPosition, names: &'a Names) -> Judge<'a> {
        Judge {
            root,
            names,
            codes: Codes::new(names, None),
            keys: HashMap::new(),
            positions: HashMap::new(),
            found: ByRules::default(),
        }
    }

    pub fn root(&self) -> Place {
        Place {
            position: Some(self.root.clone()),
            way: Way::root(Some(&self.root)),
        }
    }

    /// Returns the place behind a move, and whether the rules do not have it there.
    pub fn play(&mut self, from: &Place, m: MoveId) -> (Place, bool) {
        let code = self.codes.code(m, from.way, |_, _| {});
        let way = from.way.on(code);
        let Some(at) = &from.position else {
            let position = None;
            return (Place { position, way }, false);
        };
        let forbidden = code.is_move() && !at.has_move(code);
        let position = (!forbidden).then(|| at.after(code)).flatten();
        (Place { position, way }, forbidden)
    }

    /// Returns the place at the end of moves.
    pub fn follow(&mut self, moves: &[MoveId]) -> Place {
        let root = self.root();
        moves.iter().fold(root, |at, &m| self.play(&at, m).0)
    }

    /// Notes an illegal move that was made; `line` leads to it.
    pub fn note_illegal(&mut self, event: u64, line: &[MoveId], m: MoveId) {
        let first = self.first(event, line, || self.names.text(m).to_owned());
        self.found.illegal.note(|| first);
    }

    fn first(&self, event: u64, line: &[MoveId], what: impl FnOnce() -> String) -> First {
        let names: Vec<&str> = line.iter().map(|&m| self.names.text(m)).collect();
        First {
            event,
            line: names.join(" ").into(),
            what: what().into(),
        }
    }

    /// Compares a list of moves with the rules.
    pub fn list(&mut self, at: &Place, event: u64, line: &[MoveId], count: u32, names: &[MoveId]) {
        let Some(position) = &at.position else {
            return;
        };
        let mut legal: Vec<MoveCode> = position
            .legal_moves()
            .into_iter()
            .map(|m| position.encode(m))
            .collect();
        if names.is_empty() {
            self.found.counts += 1;
            let right = legal.len();
            if right != count as usize {
                let first = self.first(event, line, || format!("{count}, and the rules {right}"));
                self.found.miscounted.note(|| first);
            }
            return;
        }
        self.found.lists += 1;
        for &id in names {
            let code = self.codes.code(id, at.way, |_, _| {});
            match legal.iter().position(|&legal| legal == code) {
                Some(known) => {
                    legal.swap_remove(known);
                }
                // A null move is none of the rules', and a move may be listed twice.
                None if !code.is_move() || position.has_move(code) => {}
                None => {
                    let first = self.first(event, line, || self.names.text(id).to_owned());
                    self.found.listed.note(|| first);
                }
            }
        }
        for code in legal {
            let name = position.decode(code).map(|m| position.uci(m));
            let first = self.first(event, line, || name.unwrap_or_default());
            self.found.missing.note(|| first);
        }
    }

    /// Compares a position's key with those told before.
    pub fn key(&mut self, at: &Place, event: u64, line: &[MoveId], key: u64) {
        let Some(position) = &at.position else {
            return;
        };
        let own = position.key();
        let legal = position.chess().ep_square(EnPassantMode::Legal);
        let always = position.chess().ep_square(EnPassantMode::Always);
        let square = match (legal, always) {
            (None, Some(square)) => 1 + u8::from(square),
            _ => 0,
        };
        self.found.keys += 1;
        let has_room = self.keys.len() < REMEMBERED;
        let (before, usual) = (
            self.keys.get(&(own, square)).copied(),
            self.keys.get(&(own, 0)).copied(),
        );
        let two = |before: u64| format!("{key:016x}, before {before:016x}");
        match (before, usual) {
            (Some(before), _) if before != key => {
                let first = self.first(event, line, || two(before));
                self.found.two_keys.note(|| first);
            }
            (None, Some(usual)) if usual != key => {
                let first = self.first(event, line, || two(usual));
                self.found.by_square.note(|| first);
            }
            _ => {}
        }
        if before.is_some() || has_room {
            self.keys.insert((own, square), key);
        }
        let has_room = self.positions.len() < REMEMBERED;
        match self.positions.entry(key) {
            Entry::Occupied(known) if *known.get() != own => {
                let first = self.first(event, line, || format!("{key:016x}"));
                self.found.shared_key.note(|| first);
            }
            Entry::Vacant(free) if has_room => {
                free.insert(own);
            }
            _ => {}
        }
    }
}
