//! Writing SGF.

use std::fmt::Write as _;

use super::super::{Colour, Go, Komi, Play, Stones, name};
use super::parse;
use super::properties::GLYPHS;
use crate::GameTree;
use game::load::pgn::{GameNode, Property};
use game::{Game, MoveCode};

/// Returns stones and who is to move as a file on one line.
pub fn setup(stones: &Stones, turn: Colour, komi: Komi) -> String {
    let size = stones.size();
    let mut text = format!("(;GM[1]FF[4]CA[UTF-8]SZ[{size}]KM[{}]", komi.points());
    for (property, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
        let points: Vec<Play> = stones.of(colour).collect();
        if !points.is_empty() {
            text += property;
            points
                .into_iter()
                .for_each(|m| push_point(&mut text, m, size));
        }
    }
    // Black begins where there is nothing.
    if turn != Colour::Black || stones.count() > 0 {
        let _ = write!(text, "PL[{}]", &name(turn)[..1]);
    }
    text + ")"
}

/// Writes a point in brackets; a pass has none.
fn push_point(text: &mut String, m: Play, size: u8) {
    text.push('[');
    if let Some((column, row)) = m.place() {
        text.push(char::from(b'a' + column));
        text.push(char::from(b'a' + size - 1 - row));
    }
    text.push(']');
}

/// What is written next.
enum Step {
    Open,
    Node(usize),
    Close,
}

/// Returns a game with its variations as a file; `None` if it is not one of Go. What its own file said, and plyscope has no use for,
/// is written as it was.
pub fn written(game: &GameTree) -> Option<String> {
    let start = game.start.downcast_ref::<Go>()?;
    let mut text = String::new();
    // The last one is written next.
    let mut left = vec![Step::Close, Step::Node(0), Step::Open];
    while let Some(step) = left.pop() {
        let id = match step {
            Step::Open => {
                text.push('(');
                continue;
            }
            Step::Close => {
                text.push_str(")\n");
                continue;
            }
            Step::Node(id) => id,
        };
        let node = &game.nodes[id];
        text.push(';');
        let properties = with_additions(node);
        match node.parent {
            None => push_properties(&mut text, &of_root(start, properties)),
            Some(_) => {
                push_move(&mut text, game, start, id);
                push_properties(&mut text, &properties);
            }
        }
        text.push('\n');
        match node.children.as_slice() {
            [only] => left.push(Step::Node(*only)),
            several => {
                let variations = several.iter().rev();
                left.extend(variations.flat_map(|n| [Step::Close, Step::Node(*n), Step::Open]));
            }
        }
    }
    Some(text)
}

/// The properties of a node, with the comments and glyphs that were added to those of the file. All comments make one.
fn with_additions(node: &GameNode) -> Vec<Property> {
    let mut properties = node.properties.clone();
    let at = properties.iter().position(|p| p.name == "C");
    let mut texts = at.map_or_else(Vec::new, |at| std::mem::take(&mut properties[at].values));
    // Each of the file's is among those of the node.
    let added = node.comments.iter().skip(texts.len());
    texts.extend(added.cloned());
    if texts.len() > 1 {
        texts.retain(|text| !text.is_empty());
        texts = vec![texts.join("\n\n")];
    }
    let texts: Vec<String> = texts.iter().map(|text| parse::escaped(text)).collect();
    match at {
        Some(at) => properties[at].values = texts,
        None if !texts.is_empty() => {
            let comment = Property {
                name: "C".to_owned(),
                values: texts,
            };
            properties.insert(0, comment);
        }
        None => {}
    }
    for nag in &node.nags {
        let known = GLYPHS.iter().find(|(.., glyph)| glyph == nag);
        if let Some((name, value, _)) = known
            && properties.iter().all(|p| p.name != *name)
        {
            properties.push(Property {
                name: (*name).to_owned(),
                values: vec![(*value).to_owned()],
            });
        }
    }
    properties
}

/// Adds the properties that say which game it is, which come first; the file's own remain as they are.
fn of_root(start: &Go, mut own: Vec<Property>) -> Vec<Property> {
    let setup = setup(start.stones(), start.to_move(), start.komi());
    let games = parse::collection(&setup).games.into_iter();
    let known = games.flat_map(|read| read.tree);
    let known = known.flat_map(|node| node.properties);
    let mut all: Vec<Property> = known.map(parse::Property::kept).collect();
    for property in &mut all {
        if let Some(at) = own.iter().position(|p| p.name == property.name) {
            *property = own.remove(at);
        }
    }
    all.append(&mut own);
    all
}

fn push_move(text: &mut String, game: &GameTree, start: &Go, id: usize) {
    let node = &game.nodes[id];
    text.push_str(match game.mover(id).map(|side| start.side_name(side)) {
        Some("White") => "W",
        _ => "B",
    });
    let code = node.m.unwrap_or(MoveCode::NONE);
    let m = start.decode_known(code).unwrap_or(Play::PASS);
    push_point(text, m, start.stones().size());
}

/// Writes properties with their values, which have their escapes.
fn push_properties(text: &mut String, properties: &[Property]) {
    for Property { name, values } in properties {
        text.push_str(name);
        for value in values {
            let _ = write!(text, "[{value}]");
        }
    }
}
