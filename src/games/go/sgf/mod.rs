//! Files of Go in SGF (Arno Hollosi, *SGF File Format, FF4*, 1997–2021): games with variations, comments and marks, and stones that
//! are set up.

mod encoding;
mod parse;
mod properties;
mod write;

use super::{Colour, Go, Komi, Play, Stones};
use crate::{Entries, Entry, Format, Opening, Reading};
use game::load::LoadError;
use game::{Game, Side, Situation};
use parse::{Tree, unescaped};
use properties::{
    fault, glyph, handicap, has_stones, is_of_move, komi_of, large, marks, mover, moves_of, point,
    says_turn, set_up, size_of, turn_of,
};
use search::AnyPosition;
use text::{quote, sanitise};

pub use write::{setup, written};

pub const SGF: Format = Format {
    name: "SGF",
    one: "a Go game in SGF",
    extension: "sgf",
    detect: |line| line == "(" || line.starts_with("(;"),
    reading: Reading::Bytes(|_, bytes| read(bytes)),
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

/// Reads the games of a file; those with another game, or a board of another size, are refused one by one.
fn read(bytes: &[u8]) -> Result<Entries, LoadError> {
    let (text, pieces) = encoding::decoded(bytes);
    let mut read = Entries::default();
    let parse::Collection { games, problems } = parse::collection(&text);
    read.problems = problems;
    for game in games {
        let undecoded = encoding::warning(&pieces, &game);
        let mut warnings = game.warnings;
        warnings.extend(undecoded);
        match Building::of(game.tree) {
            Ok(mut parts) => {
                if let Some(first) = parts.first_mut() {
                    first.game.warnings.splice(0..0, warnings);
                }
                read.entries.extend(parts.into_iter().map(Part::entry));
            }
            Err(problem) => read.problems.push(problem),
        }
    }
    if read.entries.is_empty() {
        let nothing = LoadError::new("no game", "a game such as (;SZ[9];B[ee])");
        return Err(LoadError::of_all(read.problems, nothing));
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

/// Properties that say which game it is.
const OF_ROOT: [&str; 4] = ["FF", "GM", "KM", "SZ"];

/// Makes games of the nodes of a file: one of them all, but for stones that are set up after a move, or another side that is to
/// move. No moves lead there, so a game of its own begins with them.
struct Building {
    tree: Tree,
    /// How many children each node has.
    children: Vec<usize>,
    size: u8,
    komi: Komi,
    parts: Vec<Part>,
}

/// A game that begins at a node.
struct Part {
    /// The line of the file.
    line: u32,
    /// The last node whose stones belong to the start.
    start: usize,
    game: game::load::pgn::GameTree<Go>,
}

/// A move as it is written: what it says if that is no point.
struct Stone {
    colour: Colour,
    m: Result<Play, String>,
    at: (u32, u32),
}

/// Where a line has come to.
#[derive(Clone)]
struct Place {
    part: usize,
    situation: Situation<Go>,
    /// In the part's game.
    node: usize,
}

impl Part {
    /// More games than this in one are an accident.
    const MOST: usize = 1_000;

    /// Whether it is an empty board of which nothing is said.
    fn is_bare(&self) -> bool {
        let game = &self.game;
        let is_empty = game.start.stones().count() == 0 && game.nodes.len() == 1;
        is_empty && game.problems.is_empty() && game.nodes[0].comments.is_empty()
    }

    fn entry(self) -> Entry {
        let named = self.game.header("GN").map(str::to_owned);
        // Black begins.
        let title = named.unwrap_or_else(|| self.game.title_with(Side::Black));
        Entry {
            title,
            line: self.line,
            ..Entry::of_game(self.game.map(AnyPosition::of))
        }
    }
}

impl Building {
    /// So many variations within one another are read.
    const MOST_OPEN: usize = 1_000;

    fn of(tree: Tree) -> Result<Vec<Part>, LoadError> {
        let root = &tree[0];
        let (size, komi) = (size_of(root)?, komi_of(root)?);
        let stones = Stones::new(size).ok_or_else(|| large(root))?;
        let mut children = vec![0; tree.len()];
        for parent in tree.iter().filter_map(|node| node.parent) {
            children[parent] += 1;
        }
        let mut building = Building {
            tree,
            children,
            size,
            komi,
            parts: Vec::new(),
        };
        let start = building.begin(0, stones, None)?;
        building.play(start);
        let mut parts = building.parts;
        // Of a collection of positions in variations, the root is just the board.
        if let [first, _, ..] = &parts[..]
            && first.is_bare()
        {
            parts.remove(0);
        }
        Ok(parts)
    }

    /// Begins a game at a node, with the stones before it and the side that would move. Stones that are set up before its
    /// first move belong to its start.
    fn begin(
        &mut self,
        at: usize,
        mut stones: Stones,
        turn: Option<Colour>,
    ) -> Result<Place, LoadError> {
        let Building {
            tree,
            size,
            children,
            ..
        } = &*self;
        // What is set up in one variation is not there in the others.
        let goes_on = |i: usize| children[i - 1] == 1 && tree[i].parent == Some(i - 1);
        let line = (at..tree.len()).take_while(|&i| i == at || goes_on(i));
        let setting = line.take_while(|&i| mover(&tree[i]).is_none());
        let sets_up = |i: usize| has_stones(&tree[i]) || says_turn(&tree[i]).is_some();
        let start = setting
            .filter(|&i| i == at || sets_up(i))
            .last()
            .unwrap_or(at);
        for node in &tree[at..=start] {
            set_up(&mut stones, node, *size)?;
        }
        if let Some(stone) = stones.without_liberties() {
            let position = Go::from_setup(stones, Colour::Black, self.komi);
            let found = format!("a stone without liberties on {}", position.label(stone));
            return Err(fault(tree[at].at, found, "stones that have one"));
        }
        let turn = turn_of(tree, at..=start, turn.or(handicap(&tree[0], &stones)));
        let position = Go::from_setup(stones, turn, self.komi);
        self.parts.push(Part {
            line: tree[at].at.0,
            start,
            game: game::load::pgn::GameTree::new(position.clone()),
        });
        self.head();
        Ok(Place {
            part: self.parts.len() - 1,
            situation: Situation::new(position),
            node: 0,
        })
    }

    /// Tells the last part what is said of the whole game; handicap and result are those of the first alone.
    fn head(&mut self) {
        let is_first = self.parts.len() == 1;
        let Some(Part { game, .. }) = self.parts.last_mut() else {
            return;
        };
        for property in &self.tree[0].properties {
            let Some((sgf, name)) = HEADERS.iter().find(|(sgf, _)| *sgf == property.name) else {
                continue;
            };
            if !is_first {
                if matches!(*sgf, "HA" | "RE") {
                    continue;
                }
                game.nodes[0].properties.push(property.clone().kept());
            }
            let value = property.values.first().map_or("", String::as_str);
            let value = sanitise(unescaped(value).trim());
            if !value.is_empty() {
                game.headers.push(((*name).to_owned(), value));
            }
        }
        game.outcome = game.header("Result").map(str::to_owned);
    }

    /// Reads all nodes.
    fn play(&mut self, start: Place) {
        let mut children = self.children.clone();
        // Where each node has led to, until its last child is read; `None` behind a move that can't be made. A position of Go
        // takes kilobytes.
        let mut places: Vec<Option<Box<Place>>> = Vec::new();
        let mut open = 0;
        for i in 0..self.tree.len() {
            let before = match self.tree[i].parent {
                Some(parent) => {
                    children[parent] -= 1;
                    match children[parent] {
                        0 => {
                            open -= usize::from(places[parent].is_some());
                            places[parent].take()
                        }
                        _ => places[parent].clone(),
                    }
                }
                None => Some(Box::new(start.clone())),
            };
            let place = before.and_then(|before| self.step(before, i));
            if let Some(place) = &place {
                self.tell(place, i);
            }
            let mut needed = place.filter(|_| children[i] > 0);
            if open == Self::MOST_OPEN
                && let Some(place) = needed.take()
            {
                let found = format!("more than {open} variations in one another");
                self.problem(place.part, i, found, "fewer");
            }
            open += usize::from(needed.is_some());
            places.push(needed);
        }
    }

    /// Sets up the stones of a node and makes its moves, if it has them.
    fn step(&mut self, before: Box<Place>, i: usize) -> Option<Box<Place>> {
        let set = match i > self.parts[before.part].start {
            true => self.set_anew(&before, i),
            false => None,
        };
        let mut place = match set {
            Some(what) => Box::new(self.begin_anew(&before, i, what)?),
            None => before,
        };
        let size = self.size;
        let mut moves = moves_of(&self.tree[i]).map(|(colour, value, property)| Stone {
            colour,
            m: point(value, size).ok_or_else(|| quote(value)),
            at: property.at,
        });
        let first = moves.next();
        // Nearly always there are none.
        let others: Vec<Stone> = moves.collect();
        if let Some(second) = others.first() {
            let expected = "one; they are read one after the other";
            let warning = fault(second.at, "several moves in a node", expected);
            self.parts[place.part].game.warnings.push(warning);
        }
        for (nth, stone) in first.into_iter().chain(others).enumerate() {
            if self.make(&mut place, i, stone).is_none() {
                // What the node says is kept with the moves before.
                if nth > 0 {
                    self.tell(&place, i);
                }
                return None;
            }
        }
        Some(place)
    }

    /// Makes a move of a node. If it is not its side's turn, the other side passes.
    fn make(&mut self, place: &mut Place, i: usize, stone: Stone) -> Option<()> {
        let Stone { colour, m, at } = stone;
        let Place {
            part,
            situation,
            node,
        } = place;
        let part = *part;
        let m = match m {
            Ok(m) => m,
            Err(written) => {
                let expected = format!("a point of a board of {0}×{0}, such as ee", self.size);
                self.problem(part, i, written, expected);
                return None;
            }
        };
        let mut moves = vec![m];
        if colour != situation.position.to_move() {
            let found = format!("a second move of {} in a row", super::name(colour));
            let warning = fault(at, found, "the other side's, who passes here");
            self.parts[part].game.warnings.push(warning);
            moves.insert(0, Play::PASS);
        }
        for m in moves {
            let label = situation.position.label(m);
            if let Some(fault) = situation.position.fault_if_it_goes_on(m) {
                self.problem(part, i, format!("{} {label}", super::name(colour)), fault);
                return None;
            }
            let code = situation.position.encode(m);
            *node = self.parts[part].game.add(*node, Some(code), label);
            situation.play(m);
        }
        Some(())
    }

    /// What a node sets up that moves can't bring about.
    fn set_anew(&self, before: &Place, i: usize) -> Option<&'static str> {
        let node = &self.tree[i];
        if has_stones(node) {
            return Some(match before.node {
                0 => "stones that are set up in a variation",
                _ => "stones that are set up after the first move",
            });
        }
        let turn = before.situation.position.to_move();
        let other = says_turn(node).filter(|said| *said != turn);
        other.map(|turn| match turn {
            Colour::Black => "Black to move, where it is White's turn",
            Colour::White => "White to move, where it is Black's turn",
        })
    }

    /// Begins another part with what a node sets up.
    fn begin_anew(&mut self, before: &Place, i: usize, found: &str) -> Option<Place> {
        let (part, position) = (before.part, &before.situation.position);
        if self.parts.len() == Part::MOST {
            self.problem(part, i, found, "moves, in so many parts of one game");
            return None;
        }
        match self.begin(i, position.stones().clone(), Some(position.to_move())) {
            Ok(begun) => {
                let expected = "moves; a game of its own begins there";
                let warning = fault(self.tree[i].at, found, expected);
                self.parts[part].game.warnings.push(warning);
                Some(begun)
            }
            Err(problem) => {
                self.parts[part].game.problems.push(problem);
                None
            }
        }
    }

    /// Notes why the line that contains a node ends there.
    fn problem(
        &mut self,
        part: usize,
        i: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let problem = fault(self.tree[i].at, found, expected);
        self.parts[part].game.problems.push(problem);
    }

    /// Keeps what else a node says. Where the root has a move, what is said of the whole game stays with the start.
    fn tell(&mut self, at: &Place, i: usize) {
        let size = self.size;
        let game = &mut self.parts[at.part].game;
        for property in &self.tree[i].properties {
            let name = property.name.as_str();
            if matches!(name, "B" | "W") || REPLACED.contains(&name) {
                continue;
            }
            // Only the root says which game it is.
            if i != 0 && at.node == 0 && OF_ROOT.contains(&name) {
                continue;
            }
            let is_of_game = i == 0 && !is_of_move(name);
            let node = &mut game.nodes[if is_of_game { 0 } else { at.node }];
            if name == "C" {
                let comments = property.values.iter();
                node.comments
                    .extend(comments.map(|text| sanitise(unescaped(text).trim())));
            }
            node.nags.extend(glyph(property));
            node.marks.extend(marks(property, size));
            // Several nodes of the file may lead to the same position: a property comes once.
            let kept = property.clone().kept();
            match node.properties.iter_mut().find(|p| p.name == name) {
                None => node.properties.push(kept),
                Some(known) if name == "C" => known.values.extend(kept.values),
                Some(known) => {
                    for value in kept.values {
                        if !known.values.contains(&value) {
                            known.values.push(value);
                        }
                    }
                }
            }
        }
    }
}
