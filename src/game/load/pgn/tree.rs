//! A game as a tree: the main line, variations, annotations.

use super::{annotation, summary};
use crate::load::LoadError;
use crate::openings::{self, Opening};
use crate::{Cell, ChessPosition, Game, History, MoveCode, Side, Situation};
use text::sanitise;

/// One game that was read from a file.
#[derive(Clone, Debug)]
pub struct GameTree<G = ChessPosition> {
    /// The tags in the order of the file, with their names as written.
    pub headers: Vec<(String, String)>,
    pub start: G,
    /// Node 0 is the start position; a parent comes before its children.
    pub nodes: Vec<GameNode>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`: the result after the moves, or else the `Result` tag.
    pub outcome: Option<String>,
    /// What could not be read. The line that contains it is kept up to there, everything else completely.
    pub problems: Vec<LoadError>,
    /// What was corrected or ignored in the tags.
    pub warnings: Vec<LoadError>,
}

/// One move of a game.
#[derive(Clone, Debug, Default)]
pub struct GameNode {
    pub parent: Option<usize>,
    /// The first child continues the line, the others are variations.
    pub children: Vec<usize>,
    /// `None` at the start and for a null move.
    pub m: Option<MoveCode>,
    /// The move as its game names it (in SAN), `--` for a null move, empty at the start.
    pub san: String,
    /// Plies since the start position.
    pub ply: u32,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub nags: Vec<u8>,
    /// Comments before the move (at the beginning of a variation).
    pub comments_before: Vec<String>,
    /// Comments after the move, with their `[%eval …]` and `[%clk …]`.
    pub comments: Vec<String>,
    /// Cells that the file marks, each with a sign.
    pub marks: Vec<(Cell, char)>,
    /// What else the file says, in a format that is written as it was read.
    pub properties: Vec<Property>,
}

/// A property of a move or of the game, as files of Go have them. Comments are text, all other values have their escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub values: Vec<String>,
}

impl<G: Game> GameTree<G> {
    /// Returns a game without moves.
    pub fn new(start: G) -> GameTree<G> {
        GameTree {
            headers: Vec::new(),
            start,
            nodes: vec![GameNode::default()],
            outcome: None,
            problems: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the same game in other types; codes of moves stay the same.
    pub fn map<H>(self, form: impl FnOnce(G) -> H) -> GameTree<H> {
        GameTree {
            headers: self.headers,
            start: form(self.start),
            nodes: self.nodes,
            outcome: self.outcome,
            problems: self.problems,
            warnings: self.warnings,
        }
    }

    /// Adds a move after a node, as a variation if it already has one, and returns its node. A name of `--` and no move
    /// stand for a null move.
    pub fn add(&mut self, parent: usize, m: Option<MoveCode>, san: String) -> usize {
        let id = self.nodes.len();
        let before = &mut self.nodes[parent];
        before.children.push(id);
        let ply = before.ply + 1;
        self.nodes.push(GameNode {
            parent: Some(parent),
            m,
            san,
            ply,
            ..GameNode::default()
        });
        id
    }

    /// Whether it has this line of moves after a node.
    pub fn has_line(&self, after: usize, codes: &[MoveCode]) -> bool {
        let mut at = vec![after];
        for code in codes {
            let next = at.iter().flat_map(|&n| &self.nodes[n].children).copied();
            at = next.filter(|&n| self.nodes[n].m == Some(*code)).collect();
        }
        !at.is_empty()
    }

    /// Returns the value of a header, whose name may be written in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the nodes of the main line, beginning with the start position.
    pub fn main_line(&self) -> Vec<usize> {
        self.line_through(0)
    }

    /// Returns the nodes from the start to `node`.
    pub fn line_to(&self, node: usize) -> Vec<usize> {
        let parent = |&i: &usize| self.nodes.get(i)?.parent;
        let mut line: Vec<usize> = std::iter::successors(Some(node), parent).collect();
        line.reverse();
        line
    }

    /// Returns the line through a node, beginning at the start: the moves to the node, then the first move of each
    /// position after it. Each node's index in the line is its ply.
    pub fn line_through(&self, node: usize) -> Vec<usize> {
        let mut line = self.line_to(node);
        let next = |&i: &usize| self.nodes.get(i)?.children.first().copied();
        line.extend(std::iter::successors(Some(node), next).skip(1));
        line
    }

    /// Returns the moves that lead to a node, in SAN.
    pub fn moves_to(&self, node: usize) -> impl Iterator<Item = &str> {
        let line = self.line_to(node).into_iter().skip(1);
        line.map(|i| self.nodes[i].san.as_str())
    }

    /// Returns the node that is reached by moves in SAN from the start, or by as many of them as exist here.
    pub fn node_after<'a>(&self, moves: impl IntoIterator<Item = &'a str>) -> usize {
        let mut at = 0;
        for san in moves {
            let mut children = self.nodes[at].children.iter();
            match children.find(|&&child| self.nodes[child].san == san) {
                Some(&child) => at = child,
                None => break,
            }
        }
        at
    }

    /// Returns the moves of a line from the start, numbered as in books: `12.Nf3`, `Nf6`.
    pub fn names_of(&self, line: &[usize]) -> Vec<String> {
        let name = |(i, &node): (usize, &usize)| {
            // White's moves are numbered; Black's only at the beginning.
            if i == 0 || self.start.numbers_plies() || self.mover(node) == Some(Side::White) {
                self.numbered(node)
            } else {
                self.nodes[node].san.clone()
            }
        };
        line.iter().skip(1).enumerate().map(name).collect()
    }

    /// Returns the length of the main line in plies.
    pub fn plies(&self) -> u32 {
        self.main_line().len() as u32 - 1
    }

    /// Returns the position after `ply` plies of the main line (its end if it is shorter), with the moves before it.
    pub fn situation_at(&self, ply: u32) -> Situation<G> {
        let line = self.main_line();
        let last = line.len() - 1;
        self.situation_of(line[(ply as usize).min(last)])
    }

    /// Returns the name of the opening: that of the last named position of the main line.
    pub fn opening(&self) -> Option<Opening> {
        let line = self.main_line();
        let early = line.iter().take(openings::LONGEST + 1);
        let mut position = self.start.clone();
        let mut found = Opening::of(&position);
        for &node in early.skip(1) {
            // What comes after a null move was not played.
            let next = self.nodes[node].m.and_then(|m| position.after(m));
            let Some(next) = next else { break };
            position = next;
            found = Opening::of(&position).or(found);
        }
        found
    }

    /// Returns the position at a node, with the moves before it. A null move starts a new history.
    pub fn situation_of(&self, node: usize) -> Situation<G> {
        let mut situation = Situation::new(self.start.clone());
        for node in self.line_to(node).into_iter().skip(1) {
            match self.nodes[node].m {
                Some(m) => {
                    situation.follow_known(m);
                }
                None => {
                    if let Some(passed) = situation.position.pass() {
                        situation.position = passed;
                        situation.history = History::default();
                        situation.restart();
                    }
                }
            }
        }
        situation
    }

    /// Returns the positions at the nodes of a line from the start, each with the moves before it.
    pub fn situations_of(&self, line: &[usize]) -> impl Iterator<Item = Situation<G>> {
        let mut at = self.situation_of(0);
        line.iter().map(move |&node| {
            match self.nodes.get(node).and_then(|n| n.m) {
                Some(m) => {
                    at.follow_known(m);
                }
                None => at = self.situation_of(node),
            }
            at.clone()
        })
    }

    /// Returns a node's move with its number: `12.Nf3`, `12...Nf6`; empty at the start.
    pub fn numbered(&self, node: usize) -> String {
        match (self.number(node), self.nodes.get(node)) {
            (Some(number), Some(found)) => format!("{number}{}", found.san),
            _ => String::new(),
        }
    }

    /// Returns the number of a node's move: `12.` for White, `12...` for Black; `None` at the start. In a game whose moves are
    /// named by numbers it ends with a space, as `12. 3` would otherwise read as a fraction.
    pub fn number(&self, node: usize) -> Option<String> {
        let mut number = self.bare_number(node)?;
        let name = &self.nodes.get(node)?.san;
        if self.start.move_number().is_none() && name.starts_with(|c: char| c.is_ascii_digit()) {
            number.push(' ');
        }
        Some(number)
    }

    fn bare_number(&self, node: usize) -> Option<String> {
        if self.start.numbers_plies() {
            return Some(format!(
                "{}.",
                self.nodes.get(node).filter(|n| n.parent.is_some())?.ply
            ));
        }
        let plies = self.plies_before(node)?;
        let first = self.start.move_number().unwrap_or(1);
        let dots = if plies.is_multiple_of(2) { "." } else { "..." };
        Some(format!("{}{dots}", first + plies / 2))
    }

    /// Returns who made a node's move; `None` at the start.
    pub fn mover(&self, node: usize) -> Option<Side> {
        let plies = self.plies_before(node)?;
        Some(if plies.is_multiple_of(2) {
            Side::White
        } else {
            Side::Black
        })
    }

    /// Returns the number of plies before a node's move, counted from White's first.
    fn plies_before(&self, node: usize) -> Option<u32> {
        let found = self.nodes.get(node).filter(|n| n.parent.is_some())?;
        let offset = match self.start.turn() {
            Side::White => 0,
            Side::Black => 1,
        };
        Some(found.ply - 1 + offset)
    }

    /// Returns the players, White first, the result and the year.
    pub fn title(&self) -> String {
        self.title_with(Side::White)
    }

    /// Returns the same with another side's player first.
    pub fn title_with(&self, first: Side) -> String {
        summary::title(first, |field| self.header(field.tag()).unwrap_or_default())
    }

    /// Returns a hint about what to look at: the event, or a comment before the first move.
    pub fn hint(&self) -> Option<String> {
        let comments = self.nodes.first().map(|root| root.comments.iter());
        let mut words = comments.into_iter().flatten().map(|c| annotation::plain(c));
        words.find(|w| !w.is_empty()).or_else(|| {
            self.header("Event")
                .filter(|event| !matches!(*event, "" | "?"))
                .map(sanitise)
        })
    }
}
