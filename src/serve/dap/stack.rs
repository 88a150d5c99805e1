//! Where the search is: the line of play from the root to the node of the last event, as a stack.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::describe::Spot;
use crate::search::Stop;
use ::text::thousands;
use report::event::sentence;
use report::lens::{Lens, Unit, Viewpoint};
use session::{Reader, Row, Session};
use tree::{NodeView, Tree};

/// The stack at one stop, the root first.
#[derive(Clone, Debug)]
pub struct Stack {
    pub frames: Vec<Spot>,
    /// The event as a sentence.
    pub sentence: Option<String>,
    heading: String,
    /// Whether anything has happened.
    begun: bool,
}

/// The line of the text on which the root stands.
const ROOT_LINE: u64 = 4;

impl Stack {
    /// Reads the stack of a search that has stopped.
    pub fn new(session: &Session, stop: &Stop) -> Stack {
        let reader = session.reader();
        let spot = match &stop.standing {
            Some(at) => Spot::of_event(session, &at.event),
            None => Spot::Node(Tree::ROOT),
        };
        let above = match spot {
            Spot::Node(id) => id,
            Spot::Move { parent, .. } => parent,
        };
        let mut frames: Vec<Spot> = reader
            .tree
            .path(above)
            .into_iter()
            .map(Spot::Node)
            .collect();
        if spot.node().is_none() {
            frames.push(spot);
        }
        let algorithm = session.config().name();
        Stack {
            frames,
            sentence: stop
                .standing
                .as_ref()
                .map(|at| sentence(&reader, &at.event)),
            heading: format!("{algorithm} · event {}", thousands(stop.at)),
            begun: stop.at > 0,
        }
    }

    /// The frame that the editor calls by this number, from 1 for the root.
    pub fn frame(&self, number: u64) -> Option<Spot> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.frames.get(index).copied()
    }

    /// The innermost frame.
    pub fn innermost(&self) -> Spot {
        self.frames
            .last()
            .copied()
            .unwrap_or(Spot::Node(Tree::ROOT))
    }

    /// Describes the frames for the editor, innermost first.
    pub fn describe(&self, session: &Session, place: &Source, first_line: u64) -> Vec<Value> {
        let reader = session.reader();
        let frame = |(index, spot): (usize, &Spot)| {
            let (source, line) = place.of(&reader, *spot, index);
            json!({
                "id": index + 1,
                "name": name(&reader, *spot),
                "source": source,
                "line": line - 1 + first_line,
                "column": first_line,
            })
        };
        self.frames.iter().enumerate().rev().map(frame).collect()
    }

    /// Returns what is shown in place of a source: the event, the line of play, and the moves below its end.
    pub fn text(&self, session: &Session) -> String {
        let reader = session.reader();
        let without = match self.begun {
            true => "It ran freely: no event is shown.",
            false => "Nothing has happened yet.",
        };
        let sentence = self.sentence.as_deref().unwrap_or(without);
        let values = LENS.words_at(&reader);
        let mut out = format!("{} · values: {values}\n{sentence}\n\n", self.heading);
        for (ply, spot) in self.frames.iter().enumerate() {
            match spot.row(&reader) {
                Some(row) => line(&reader, &row.view, &row.label, ply, &mut out),
                None => line(&reader, &reader.view(Tree::ROOT), "root", ply, &mut out),
            }
        }
        if let Spot::Node(id) = self.innermost() {
            for row in reader.rows_best_first(id) {
                line(&reader, &row.view, &row.label, self.frames.len(), &mut out);
            }
        }
        out
    }
}

/// Names a frame: the last move with its number.
fn name(reader: &Reader, spot: Spot) -> String {
    let named = match spot {
        Spot::Node(Tree::ROOT) => return "root".into(),
        Spot::Node(id) => reader.numbered(id),
        Spot::Move { parent, code } => {
            let name = reader.numbered_move(parent, code);
            name.map(|name| format!("{name} (not searched)"))
        }
    };
    named.unwrap_or_default()
}

/// Writes a move with its value, work and reason.
fn line(reader: &Reader, view: &NodeView, name: &str, ply: usize, out: &mut String) {
    let indented = format!("{}{name}", "  ".repeat(ply));
    let nodes = thousands(view.nodes);
    let seen = LENS.row(reader, view, None);
    let (value, brief) = (seen.value(), seen.brief());
    let _ = writeln!(out, "{indented:<20} {value:>8} {nodes:>12}  {brief}");
}

/// How an editor shows values: in pawns from White's view.
pub const LENS: Lens = Lens {
    unit: Unit::Pawns,
    viewpoint: Viewpoint::White,
};

/// Describes a move in a few words: its value, spread, work and reason.
pub fn summary(reader: &Reader, row: &Row) -> String {
    let seen = LENS.row(reader, &row.view, row.belief.as_ref());
    let nodes = match row.view.nodes {
        1 => "1 node".to_owned(),
        nodes => format!("{} nodes", thousands(nodes)),
    };
    let (value, spread, brief) = (seen.value(), seen.spread(), seen.brief());
    format!("{value}{spread} · {nodes} · {brief}")
}

/// What an editor shows as the source.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file of a toy tree, and the line of each of its nodes.
    pub file: Option<(String, Vec<u32>)>,
    /// Counts the stops, so that the editor reads the text anew at each.
    pub stops: u64,
}

impl Source {
    /// Returns the source of a frame and its line in it, from 1.
    fn of(&self, reader: &Reader, spot: Spot, ply: usize) -> (Value, u64) {
        if let Some((path, lines)) = &self.file
            && let Some(line) = line_of(reader, spot, lines)
        {
            let name = Path::new(path).file_name();
            let name = name.map_or_else(|| path.clone(), |n| n.to_string_lossy().into_owned());
            return (json!({"name": name, "path": path}), line.into());
        }
        let text = json!({
            "name": "line of play",
            "sourceReference": self.stops,
            "presentationHint": "normal",
        });
        (text, ROOT_LINE + ply as u64)
    }
}

/// Returns the line of a toy tree's node in its file.
fn line_of(reader: &Reader, spot: Spot, lines: &[u32]) -> Option<u32> {
    let mut at = reader.subject.clone();
    for code in spot.moves(reader.tree) {
        if !at.follow(code) {
            return None;
        }
    }
    let index = at.position.as_toy()?.index();
    lines.get(usize::try_from(index).ok()?).copied()
}
