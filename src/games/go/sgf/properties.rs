//! What properties mean: the size of the board, stones, moves, glyphs and marks.

use std::ops::RangeInclusive;

use super::super::{Colour, Komi, Play, Stones};
use super::parse::{Node, Property, Tree, unescaped};
use game::Cell;
use game::load::LoadError;
use text::sanitise;

/// Properties and values that say how good a move is, and the numeric annotation glyphs of PGN for them.
pub(super) const GLYPHS: [(&str, &str, u8); 6] = [
    ("TE", "1", 1),
    ("BM", "1", 2),
    ("TE", "2", 3),
    ("BM", "2", 4),
    ("IT", "", 5),
    ("DO", "", 6),
];

/// Properties that mark points, and with which sign.
const MARKS: [(&str, char); 5] = [
    ("TR", '△'),
    ("SQ", '□'),
    ("CR", '○'),
    ("MA", '×'),
    ("SL", '◇'),
];

/// What may be said of a move and of the position after it (FF4's move properties, and those without a type), apart from glyphs
/// and marks.
const OF_MOVES: [&str; 23] = [
    "AR", "BL", "C", "DD", "DM", "FG", "GB", "GW", "HO", "KO", "LB", "LN", "MN", "N", "OB", "OW",
    "PM", "TB", "TW", "UC", "V", "VW", "WL",
];

/// Whether a property says something of a move, and not of the game. What nobody knows says something of the game.
pub(super) fn is_of_move(name: &str) -> bool {
    let glyphs = GLYPHS.iter().map(|(name, ..)| *name);
    let marks = MARKS.iter().map(|(name, _)| *name);
    glyphs
        .chain(marks)
        .chain(OF_MOVES)
        .any(|known| known == name)
}

pub(super) fn glyph(property: &Property) -> Option<u8> {
    let value = property.values.first().map_or("", String::as_str);
    let named = || GLYPHS.iter().filter(|(name, ..)| *name == property.name);
    // A value that means nothing is as good as none.
    let glyph = named().find(|(_, strength, _)| *strength == value);
    glyph.or_else(|| named().next()).map(|(.., glyph)| *glyph)
}

/// The cells that a property marks.
pub(super) fn marks(property: &Property, size: u8) -> Vec<(Cell, char)> {
    let cell = |m: Play| {
        let (column, row) = m.place()?;
        Some((usize::from(column), usize::from(size - 1 - row)))
    };
    if property.name == "LB" {
        let labels = property.values.iter().filter_map(|value| {
            let (at, label) = value.split_once(':')?;
            Some((
                cell(point(at, size)?)?,
                sanitise(&unescaped(label)).chars().next()?,
            ))
        });
        return labels.collect();
    }
    let sign = MARKS.iter().find(|(name, _)| *name == property.name);
    let marked = sign.into_iter().flat_map(|(_, sign)| {
        let lists = property.values.iter().filter_map(|v| points(v, size));
        lists.flatten().filter_map(|m| Some((cell(m)?, *sign)))
    });
    marked.collect()
}

/// The moves of a node, in the order in which they are written: their colours, their points, and the properties that name
/// them. There should be one at most.
pub(super) fn moves_of(node: &Node) -> impl Iterator<Item = (Colour, &str, &Property)> {
    let moves = node.properties.iter().filter_map(|property| {
        let colour = match property.name.as_str() {
            "B" => Colour::Black,
            "W" => Colour::White,
            _ => return None,
        };
        Some((colour, property))
    });
    moves.flat_map(|(colour, property)| {
        let values = property.values.iter();
        values.map(move |value| (colour, value.trim(), property))
    })
}

/// Who makes the first move of a node.
pub(super) fn mover(node: &Node) -> Option<Colour> {
    moves_of(node).next().map(|(colour, ..)| colour)
}

/// Whether a node sets stones up.
pub(super) fn has_stones(node: &Node) -> bool {
    ["AB", "AW", "AE"]
        .iter()
        .any(|name| node.get(name).is_some())
}

/// Who is to move from a node on, if it says so. Where there is a move, the move tells.
pub(super) fn says_turn(node: &Node) -> Option<Colour> {
    let said = node.value("PL").filter(|_| mover(node).is_none())?;
    match said.trim().chars().next()?.to_ascii_uppercase() {
        'B' => Some(Colour::Black),
        'W' => Some(Colour::White),
        _ => None,
    }
}

/// What is wrong at a line and column.
pub(super) fn fault(
    (line, column): (u32, u32),
    found: impl Into<String>,
    expected: impl Into<String>,
) -> LoadError {
    LoadError::new(found, expected).at(line, column)
}

pub(super) fn large(root: &Node) -> LoadError {
    fault(
        root.at,
        "no SZ, which means a board of 19×19",
        expected_size(),
    )
}

fn expected_size() -> String {
    let (from, to) = (Stones::SMALLEST, Stones::LARGEST);
    format!("a square board of {from} to {to} lines, such as SZ[9]")
}

/// The size of the board, in a file of Go.
pub(super) fn size_of(root: &Node) -> Result<u8, LoadError> {
    if let Some(game) = root.get("GM")
        && root.value("GM").is_none_or(|value| value.trim() != "1")
    {
        let found = format!("GM[{}]", root.value("GM").unwrap_or_default());
        return Err(fault(game.at, found, "GM[1], a game of Go"));
    }
    let Some(property) = root.get("SZ") else {
        return Err(large(root));
    };
    let written = root.value("SZ").unwrap_or_default().trim();
    let sides = written.split_once(':').unwrap_or((written, written));
    let size = sides.0.parse().ok().filter(|_| sides.0 == sides.1);
    let size = size.filter(|size| (Stones::SMALLEST..=Stones::LARGEST).contains(size));
    size.ok_or_else(|| fault(property.at, format!("SZ[{written}]"), expected_size()))
}

/// The komi: none where the file names none.
pub(super) fn komi_of(root: &Node) -> Result<Komi, LoadError> {
    let Some(property) = root.get("KM") else {
        return Ok(Komi::NONE);
    };
    let written = root.value("KM").unwrap_or_default().trim();
    // Some programs write a comma.
    let points = written.replace(',', ".").parse().ok();
    let komi = match written {
        "" => Some(Komi::NONE),
        _ => points.and_then(Komi::of),
    };
    komi.ok_or_else(|| {
        fault(
            property.at,
            format!("KM[{written}]"),
            "a number of half points, such as 7.5",
        )
    })
}

/// Who begins: as said at the start, or as the first move after it says, or who would move in any case.
pub(super) fn turn_of(
    tree: &Tree,
    start: RangeInclusive<usize>,
    otherwise: Option<Colour>,
) -> Colour {
    let at = *start.start();
    let said = tree[start].iter().rev().find_map(says_turn);
    // A subtree's nodes are neighbours.
    let below = tree[at + 1..].iter();
    let below = below.take_while(|node| node.parent >= Some(at));
    let mut nodes = std::iter::once(&tree[at]).chain(below);
    let mut moved = || nodes.find_map(mover);
    said.or_else(|| moved().or(otherwise))
        .unwrap_or(Colour::Black)
}

/// White begins after handicap stones. Many files without them have `HA[0]`.
pub(super) fn handicap(root: &Node, stones: &Stones) -> Option<Colour> {
    let number = root.value("HA").and_then(|n| n.trim().parse::<u32>().ok());
    let has_stones = stones.of(Colour::Black).next().is_some();
    (number >= Some(1) && has_stones).then_some(Colour::White)
}

/// Adds and removes the stones of a node.
pub(super) fn set_up(stones: &mut Stones, node: &Node, size: u8) -> Result<(), LoadError> {
    let kinds = [
        ("AE", None),
        ("AB", Some(Colour::Black)),
        ("AW", Some(Colour::White)),
    ];
    for (name, colour) in kinds {
        let Some(property) = node.get(name) else {
            continue;
        };
        for value in &property.values {
            let Some(points) = points(value, size) else {
                let expected = format!("points of a board of {size}×{size}, such as ee or aa:cc");
                return Err(fault(
                    property.at,
                    format!("{name}[{}]", sanitise(value)),
                    expected,
                ));
            };
            points.into_iter().for_each(|m| stones.set(m, colour));
        }
    }
    Ok(())
}

/// The move that a value names; nothing is a pass, and so was `tt` on boards of up to 19 lines.
pub(super) fn point(value: &str, size: u8) -> Option<Play> {
    if matches!(value, "" | "tt") {
        return Some(Play::PASS);
    }
    let &[column, row] = value.as_bytes() else {
        return None;
    };
    let [column, row] = [column, row].map(|letter| letter.wrapping_sub(b'a'));
    (column < size && row < size).then(|| Play::at(column, size - 1 - row))
}

/// The points of a value: one, or those of a rectangle.
pub(super) fn points(value: &str, size: u8) -> Option<Vec<Play>> {
    let value = value.trim();
    let (a, b) = value.split_once(':').unwrap_or((value, value));
    let [a, b] = [a, b].map(|corner| point(corner, size).and_then(Play::place));
    let ((a, b), (c, d)) = (a?, b?);
    let columns = a.min(c)..=a.max(c);
    let rows = b.min(d)..=b.max(d);
    Some(
        columns
            .flat_map(|column| rows.clone().map(move |row| Play::at(column, row)))
            .collect(),
    )
}
