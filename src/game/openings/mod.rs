//! The names of chess openings.
//!
//! Source: the table of opening names of the lichess project (chess-openings, dedicated to the public domain by CC0 1.0),
//! sorted by its moves.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::notation::parse_move;
use super::{ChessPosition, Game};

const TABLE: &str = include_str!("openings.tsv");

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, such as `C41`.
    pub eco: &'static str,
    pub name: &'static str,
}

impl Opening {
    /// Returns the name of a position; `None` for a position without one, for the start position, and in other games than
    /// chess, whose keys are not in the table.
    pub fn of(position: &impl Game) -> Option<Opening> {
        table().get(&position.key()).copied()
    }
}

impl std::fmt::Display for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// The longest line of the table, in half-moves: what comes later in a game need not be looked up.
pub const LONGEST: usize = 36;

/// The openings by the keys of their positions.
fn table() -> &'static HashMap<u64, Opening> {
    static FOUND: OnceLock<HashMap<u64, Opening>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = HashMap::new();
        // Lines are sorted by their moves, so that most begin as the one before.
        let mut line: Vec<(&str, ChessPosition)> = Vec::new();
        for row in TABLE.lines().skip(1) {
            let mut cells = row.split('\t');
            let (Some(eco), Some(name), Some(moves)) = (cells.next(), cells.next(), cells.next())
            else {
                continue;
            };
            if let Some(position) = play(&mut line, moves) {
                // Where several lines lead to a position, the first name stands.
                found.entry(position.key()).or_insert(Opening { eco, name });
            }
        }
        found
    })
}

/// Replaces the line by these moves. Returns the position after them, or `None` if one of them can't be played.
fn play<'l>(
    line: &'l mut Vec<(&'static str, ChessPosition)>,
    moves: &'static str,
) -> Option<&'l ChessPosition> {
    let shared = line
        .iter()
        .zip(moves.split(' '))
        .take_while(|((known, _), m)| known == m);
    let shared = shared.count();
    line.truncate(shared);
    for text in moves.split(' ').skip(shared) {
        let mut next = line
            .last()
            .map_or_else(ChessPosition::default, |(_, p)| p.clone());
        let m = parse_move(&next, text)?;
        next.play(m);
        line.push((text, next));
    }
    line.last().map(|(_, position)| position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Vec<ChessPosition> {
        let mut positions = vec![ChessPosition::default()];
        for text in moves.split(' ') {
            let mut next = positions.last().expect("a position").clone();
            next.play(parse_move(&next, text).expect(text));
            positions.push(next);
        }
        positions
    }

    #[test]
    fn every_line_of_the_table_is_legal_and_none_is_longer_than_said() {
        let rows = TABLE.lines().skip(1);
        let mut longest = 0;
        for row in rows {
            let moves = row.split('\t').nth(2).expect("moves");
            let mut line = Vec::new();
            assert!(play(&mut line, moves).is_some(), "{row}");
            longest = longest.max(line.len());
        }
        assert_eq!(longest, LONGEST);
        assert!(table().len() > 3_700, "{}", table().len());
    }

    #[test]
    fn openings_have_their_names_however_they_are_reached() {
        let name = |moves: &str| {
            after(moves)
                .iter()
                .rev()
                .find_map(Opening::of)
                .map(|o| o.to_string())
        };
        assert_eq!(
            name("e4 e5 Nf3 d6").as_deref(),
            Some("C41 Philidor Defense")
        );
        assert_eq!(
            name("Nf3 d6 e4 e5").as_deref(),
            Some("C41 Philidor Defense")
        );
        // The last named position counts.
        let later = name("e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 h3");
        assert!(later.is_some_and(|n| n.starts_with("C41 Philidor Defense")));
        assert_eq!(Opening::of(&ChessPosition::default()), None);
    }
}
