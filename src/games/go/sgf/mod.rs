//! Files of Go in SGF (Arno Hollosi, *SGF File Format, FF4*, 1997–2021): games with variations, comments and marks, and stones that
//! are set up.

mod parse;
mod write;

use super::{Colour, Go, Komi, Play, Stones};
use crate::{Entries, Entry, Format, GameTree, Opening, Reading};
use encoding_rs::Encoding;
use game::load::LoadError;
use game::{Cell, Game, Situation};
use parse::{Node, Property, Tree};
use search::AnyPosition;
use std::borrow::Cow;
use text::{decode, quote, sanitise};

pub use write::{setup, written};

pub const SGF: Format = Format {
    name: "SGF",
    one: "a Go game in SGF",
    extension: "sgf",
    detect: |line| line == "(" || line.starts_with("(;"),
    reading: Reading::Bytes(|_, bytes| read(&decoded(bytes))),
    write: Some(written),
    boards: &[
        Opening {
            title: "Go, 9×9",
            hint: "two sides surround points; White gets 7.5",
            text: "(;GM[1]FF[4]SZ[9]KM[7.5])",
        },
        Opening {
            title: "Go, 5×5",
            hint: "a board on which searches look far",
            text: "(;GM[1]FF[4]SZ[5]KM[0.5])",
        },
        Opening {
            title: "Go, 13×13",
            hint: "the largest board here",
            text: "(;GM[1]FF[4]SZ[13]KM[7.5])",
        },
    ],
};

/// Decodes a file in the encoding that its property `CA` names, and else as any text.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let named = bytes.windows(3).position(|found| found == b"CA[");
    let label = named.and_then(|at| bytes[at + 3..].split(|b| *b == b']').next());
    let encoding = label.and_then(Encoding::for_label);
    match encoding.map(|encoding| encoding.decode(bytes)) {
        Some((text, _, false)) => text,
        _ => Cow::Owned(decode(bytes)),
    }
}

/// Reads the games of a file; those with another game, or a board of another size, are refused one by one.
fn read(text: &str) -> Result<Entries, LoadError> {
    let mut read = Entries::default();
    let parse::Collection { trees, problems } = parse::collection(text);
    read.problems = problems;
    for tree in trees {
        let (line, _) = tree[0].at;
        match Building::of(tree) {
            Ok(game) => {
                let title = game.header("GN").map(str::to_owned);
                let entry = Entry::of_game(game);
                read.entries.push(Entry {
                    title: title.unwrap_or(entry.title),
                    line,
                    ..entry
                });
            }
            Err(problem) => read.problems.push(problem),
        }
    }
    if read.entries.is_empty() {
        let nothing = LoadError::new("no game", "a game such as (;SZ[9];B[ee])");
        return Err(read.problems.into_iter().next().unwrap_or(nothing));
    }
    Ok(read)
}

/// What SGF calls a property of a game, and what PGN does.
const HEADERS: [(&str, &str); 14] = [
    ("PB", "Black"),
    ("PW", "White"),
    ("RE", "Result"),
    ("DT", "Date"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Site"),
    ("BR", "BlackRank"),
    ("WR", "WhiteRank"),
    ("KM", "Komi"),
    ("HA", "Handicap"),
    ("RU", "Rules"),
    ("GN", "GN"),
    ("ON", "Opening"),
];

/// Properties whose values are set elsewhere in a game, so that they are not kept as they were.
const REPLACED: [&str; 5] = ["CA", "AB", "AW", "AE", "PL"];

/// Properties and values that say how good a move is, and the numeric annotation glyphs of PGN for them.
const GLYPHS: [(&str, &str, u8); 6] = [
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

/// Makes a game of the nodes of a file.
struct Building {
    tree: Tree,
    size: u8,
    game: game::load::pgn::GameTree<Go>,
}

/// Where a line has come to: the situation and its node in the game.
type Place = (Situation<Go>, usize);

impl Building {
    fn of(tree: Tree) -> Result<GameTree, LoadError> {
        let root = &tree[0];
        let size = size_of(root)?;
        let komi = komi_of(root)?;
        // Stones that are set up before the first move belong to the start.
        let line = (0..tree.len()).take_while(|&i| i == 0 || tree[i].parent == Some(i - 1));
        let setting = line.take_while(|&i| move_of(&tree[i]).is_none());
        let begins = setting.filter(|&i| i == 0 || has_setup(&tree[i])).last();
        let first = begins.unwrap_or(0);
        let mut stones = Stones::new(size).ok_or_else(|| large(root))?;
        for node in &tree[..=first] {
            set_up(&mut stones, node, size)?;
        }
        let without = stones.without_liberties();
        if let Some(stone) = without {
            let position = Go::from_setup(stones, Colour::Black, komi);
            let found = format!("a stone without liberties on {}", position.label(stone));
            let (line, column) = root.at;
            return Err(LoadError::new(found, "stones that have one").at(line, column));
        }
        let turn = turn_of(&tree, first, &stones);
        let start = Go::from_setup(stones, turn, komi);
        let mut building = Building {
            game: game::load::pgn::GameTree::new(start.clone()),
            tree,
            size,
        };
        building.head();
        building.play((Situation::new(start), 0), first);
        Ok(building.game.map(AnyPosition::of))
    }

    /// Reads what is said of the whole game.
    fn head(&mut self) {
        let said = self.tree[0].properties.iter();
        let said = said.filter_map(|p| {
            let (_, name) = HEADERS.iter().find(|(sgf, _)| *sgf == p.name)?;
            Some(((*name).to_owned(), sanitise(p.values.first()?.trim())))
        });
        self.game.headers = said.filter(|(_, value)| !value.is_empty()).collect();
        self.game.outcome = self.game.header("Result").map(str::to_owned);
    }

    /// Reads all nodes; those up to `first` are the start.
    fn play(&mut self, start: Place, first: usize) {
        let mut children = vec![0_usize; self.tree.len()];
        for parent in self.tree.iter().filter_map(|node| node.parent) {
            children[parent] += 1;
        }
        // Where each node has led to, until its last child is read; `None` behind a move that can't be made.
        let mut places: Vec<Option<Place>> = Vec::new();
        for i in 0..self.tree.len() {
            let before = match self.tree[i].parent {
                Some(parent) => {
                    children[parent] -= 1;
                    match children[parent] {
                        0 => places[parent].take(),
                        _ => places[parent].clone(),
                    }
                }
                None => Some(start.clone()),
            };
            let place = before.and_then(|before| self.step(before, i, i <= first));
            if let Some((_, node)) = &place {
                self.tell(*node, i);
            }
            places.push(place);
        }
    }

    /// Makes the move of a node, if it has one.
    fn step(&mut self, before: Place, i: usize, is_start: bool) -> Option<Place> {
        let node = &self.tree[i];
        if !is_start && has_setup(node) {
            self.problem(i, "stones that are set up after the first move", "moves");
            return None;
        }
        let Some((colour, property)) = move_of(node) else {
            return Some(before);
        };
        let (mut situation, mut at) = before;
        let value = property.values.first().map_or("", String::as_str).trim();
        let Some(m) = point(value, self.size) else {
            let expected = format!("a point of a board of {0}×{0}, such as ee", self.size);
            self.problem(i, quote(value), expected);
            return None;
        };
        let mut moves = vec![m];
        if colour != situation.position.to_move() {
            let (line, column) = property.at;
            let found = format!("a second move of {} in a row", super::name(colour));
            let warning = LoadError::new(found, "the other side's, who passes here");
            self.game.warnings.push(warning.at(line, column));
            moves.insert(0, Play::PASS);
        }
        for m in moves {
            let label = situation.position.label(m);
            if let Some(fault) = situation.position.fault_if_it_goes_on(m) {
                self.problem(i, format!("{} {label}", super::name(colour)), fault);
                return None;
            }
            let code = situation.position.encode(m);
            at = self.game.add(at, Some(code), label);
            situation.play(m);
        }
        Some((situation, at))
    }

    /// Notes why the line that contains a node ends there.
    fn problem(&mut self, i: usize, found: impl Into<String>, expected: impl Into<String>) {
        let (line, column) = self.tree[i].at;
        let problem = LoadError::new(found, expected).at(line, column);
        self.game.problems.push(problem);
    }

    /// Keeps what else a node says.
    fn tell(&mut self, to: usize, i: usize) {
        let size = self.size;
        let node = &mut self.game.nodes[to];
        for property in &self.tree[i].properties {
            let name = property.name.as_str();
            if matches!(name, "B" | "W") || REPLACED.contains(&name) {
                continue;
            }
            if let ("C", Some(comment)) = (name, property.values.first()) {
                node.comments.push(sanitise(comment.trim()));
            }
            node.nags.extend(glyph(property));
            node.marks.extend(marks(property, size));
            node.properties.push(property.clone().kept());
        }
    }
}

fn glyph(property: &Property) -> Option<u8> {
    let value = property.values.first().map_or("", String::as_str);
    let named = || GLYPHS.iter().filter(|(name, ..)| *name == property.name);
    // A value that means nothing is as good as none.
    let glyph = named().find(|(_, strength, _)| *strength == value);
    glyph.or_else(|| named().next()).map(|(.., glyph)| *glyph)
}

/// The cells that a property marks.
fn marks(property: &Property, size: u8) -> Vec<(Cell, char)> {
    let cell = |m: Play| {
        let (column, row) = m.place()?;
        Some((usize::from(column), usize::from(size - 1 - row)))
    };
    if property.name == "LB" {
        let labels = property.values.iter().filter_map(|value| {
            let (at, label) = value.split_once(':')?;
            Some((cell(point(at, size)?)?, sanitise(label).chars().next()?))
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

/// The move of a node, with its colour.
fn move_of(node: &Node) -> Option<(Colour, &Property)> {
    let black = node.get("B").map(|p| (Colour::Black, p));
    black.or_else(|| node.get("W").map(|p| (Colour::White, p)))
}

fn has_setup(node: &Node) -> bool {
    ["AB", "AW", "AE"]
        .iter()
        .any(|name| node.get(name).is_some())
}

fn error(property: &Property, found: impl Into<String>, expected: impl Into<String>) -> LoadError {
    let (line, column) = property.at;
    LoadError::new(found, expected).at(line, column)
}

fn large(root: &Node) -> LoadError {
    let (line, column) = root.at;
    LoadError::new("no SZ, which means a board of 19×19", expected_size()).at(line, column)
}

fn expected_size() -> String {
    let (from, to) = (Stones::SMALLEST, Stones::LARGEST);
    format!("a square board of {from} to {to} lines, such as SZ[9]")
}

/// The size of the board, in a file of Go.
fn size_of(root: &Node) -> Result<u8, LoadError> {
    if let Some(game) = root.get("GM")
        && root.value("GM").is_none_or(|value| value.trim() != "1")
    {
        let found = format!("GM[{}]", root.value("GM").unwrap_or_default());
        return Err(error(game, found, "GM[1], a game of Go"));
    }
    let Some(property) = root.get("SZ") else {
        return Err(large(root));
    };
    let written = root.value("SZ").unwrap_or_default().trim();
    let sides = written.split_once(':').unwrap_or((written, written));
    let size = sides.0.parse().ok().filter(|_| sides.0 == sides.1);
    let size = size.filter(|size| (Stones::SMALLEST..=Stones::LARGEST).contains(size));
    size.ok_or_else(|| error(property, format!("SZ[{written}]"), expected_size()))
}

/// The komi: none where the file names none.
fn komi_of(root: &Node) -> Result<Komi, LoadError> {
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
        error(
            property,
            format!("KM[{written}]"),
            "a number of half points, such as 7.5",
        )
    })
}

/// Who begins: as said, or as the first move says, or White after handicap stones.
fn turn_of(tree: &Tree, first: usize, stones: &Stones) -> Colour {
    let said = tree[..=first]
        .iter()
        .rev()
        .find_map(|node| node.value("PL"));
    let moved = || tree.iter().find_map(|node| Some(move_of(node)?.0));
    match said.map(|said| said.trim().to_ascii_uppercase()) {
        Some(said) if said.starts_with('B') => Colour::Black,
        Some(said) if said.starts_with('W') => Colour::White,
        _ => moved().unwrap_or(match tree[0].get("HA") {
            Some(_) if stones.count() > 0 => Colour::White,
            _ => Colour::Black,
        }),
    }
}

/// Adds and removes the stones of a node.
fn set_up(stones: &mut Stones, node: &Node, size: u8) -> Result<(), LoadError> {
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
                return Err(error(
                    property,
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
fn point(value: &str, size: u8) -> Option<Play> {
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
fn points(value: &str, size: u8) -> Option<Vec<Play>> {
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
