//! Writes evaluations, marks and better lines into the text of a game. They are inserted where they belong, and every
//! existing byte is kept.

mod tail;

use std::collections::BTreeSet;

use tail::Tail;

use super::{
    GameTree,
    annotation::{Evaluation, command_range},
    index::index,
    read::{Placed, read_placed},
    source::LineEnds,
    words::Kind,
};
use crate::load::LoadError;
use crate::{ChessPosition, Game as _, MoveCode, Side, notation};
use text::sanitise;

/// What to write at a move of a game.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    /// The node of the [`GameTree`] whose move is annotated (0: before the first move).
    pub node: usize,
    /// The evaluation after the move from White's view, with the depth in plies if known: `[%eval 0.31,18]`, `[%eval
    /// #-3]`.
    pub evaluation: Option<(Evaluation, Option<u16>)>,
    /// 2 mistake `?`, 4 blunder `??`, 6 inaccuracy `?!`. Not written if the move already has one of 1 to 6.
    pub nag: Option<u8>,
    /// A better line in place of this move, from the position before it. Not written if the game already has it.
    pub variation: Vec<MoveCode>,
    /// A comment at the beginning of the variation: "alpha-beta, 20000 nodes: 0.31".
    pub remark: Option<String>,
}

/// What happens to an evaluation that the game already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    Keep,
    Replace,
}

/// Writes `annotations` into `text`; `plain` is the same text with line feeds as line ends.
///
/// # Errors
/// See [`super::Games::annotated`].
pub(super) fn annotate(
    text: &[u8],
    plain: &[u8],
    ends: LineEnds,
    first_line: u32,
    annotations: &[Annotation],
    existing: Existing,
) -> Result<Vec<u8>, LoadError> {
    let game = read_placed(plain, first_line)?;
    let mut writer = Writer {
        text,
        plain,
        ends,
        existing,
        edits: Vec::new(),
        evaluated: BTreeSet::new(),
        marked: BTreeSet::new(),
        numbered: BTreeSet::new(),
        variations: Vec::new(),
        words: 0,
        game: &game,
    };
    for annotation in annotations {
        writer.annotate(annotation)?;
    }
    let added = writer.added();
    let written = writer.apply();
    let mut again = written.clone();
    ends.plain(&mut again);
    let unspoilt = ends_alike(plain, &again, !game.words.is_empty())
        && read_placed(&again, first_line)
            .is_ok_and(|after| same_game(&game.tree, &after.tree, added));
    if unspoilt {
        Ok(written)
    } else {
        let text = "annotations would change how this game is read, so nothing is written into it";
        Err(LoadError::message(text).at_line(first_line))
    }
}

/// Whether the text after a game is still read in the same way: a move that follows belongs to the game or not as
/// before, and the tags of the next game still begin one. (If the game has nothing but tags, they need not: further
/// tags would then have been its own.)
fn ends_alike(before: &[u8], after: &[u8], has_words: bool) -> bool {
    let games = |text: &[u8], next: &[u8]| index(&[text, next].concat()).len();
    let tags = b"\n[A \"\"]\n\ne4";
    games(before, b"\ne4") == games(after, b"\ne4")
        && (games(before, tags) == games(after, tags) || !has_words && games(after, b"") == 1)
}

/// The number of items in a game.
#[derive(Default, PartialEq, Eq)]
struct Counts {
    moves: usize,
    marks: usize,
    evaluations: usize,
    /// In comments.
    words: usize,
}

impl Counts {
    /// `added` is what will be added.
    fn of(game: &GameTree, added: Counts) -> Counts {
        game.nodes.iter().fold(added, |counts, node| Counts {
            moves: counts.moves + 1,
            marks: counts.marks + node.nags.len(),
            evaluations: counts.evaluations + usize::from(node.evaluation().is_some()),
            words: counts.words + node.text().split_whitespace().count(),
        })
    }
}

/// Whether the old content is unchanged apart from what was `added`.
fn same_game(before: &GameTree, after: &GameTree, added: Counts) -> bool {
    let (old, new) = (before.main_line(), after.main_line());
    let said_the_same = old.iter().zip(&new).all(|(&o, &n)| {
        let (old, new) = (&before.nodes[o], &after.nodes[n]);
        // No comment may be lost.
        (&old.san, old.text(), old.clock()) == (&new.san, new.text(), new.clock())
            && old.nags.iter().all(|nag| new.nags.contains(nag))
            && (new.evaluation().is_some() || old.evaluation().is_none())
    });
    before.headers == after.headers
        && before.outcome == after.outcome
        && before.problems.len() == after.problems.len()
        && before.warnings.len() == after.warnings.len()
        && Counts::of(before, added) == Counts::of(after, Counts::default())
        && old.len() == new.len()
        && said_the_same
}

/// Bytes to insert in place of others.
struct Edit {
    at: usize,
    /// The number of bytes that are replaced.
    removed: usize,
    /// The order of insertions at the same place.
    rank: Rank,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Mark,
    Evaluation,
    Variation,
    Number,
}

struct Writer<'a> {
    text: &'a [u8],
    plain: &'a [u8],
    ends: LineEnds,
    existing: Existing,
    game: &'a Placed,
    edits: Vec<Edit>,
    /// Nodes that got an evaluation in this run.
    evaluated: BTreeSet<usize>,
    marked: BTreeSet<usize>,
    numbered: BTreeSet<usize>,
    /// The node they follow, and the moves.
    variations: Vec<(usize, Vec<MoveCode>)>,
    /// The number of words in the variations' remarks.
    words: usize,
}

impl Writer<'_> {
    fn added(&self) -> Counts {
        let had_none = |node: &&usize| self.game.tree.nodes[**node].evaluation().is_none();
        Counts {
            moves: self.variations.iter().map(|(_, line)| line.len()).sum(),
            marks: self.marked.len(),
            evaluations: self.evaluated.iter().filter(had_none).count(),
            words: self.words,
        }
    }

    fn annotate(&mut self, annotation: &Annotation) -> Result<(), LoadError> {
        let tail = self.tail(annotation.node)?;
        let mut interrupts = false;
        if let Some(nag) = annotation.nag {
            self.mark(annotation.node, nag, &tail);
        }
        if let Some((evaluation, depth)) = annotation.evaluation
            && self.evaluated.insert(annotation.node)
        {
            let depth = depth.map_or_else(String::new, |depth| format!(",{depth}"));
            let command = format!("[%eval {evaluation}{depth}]");
            interrupts |= self.evaluate(annotation.node, &command, &tail);
        }
        if !annotation.variation.is_empty() {
            interrupts |= self.vary(annotation, &tail)?;
        }
        if interrupts {
            self.number(&tail);
        }
        Ok(())
    }

    fn mark(&mut self, node: usize, nag: u8, tail: &Tail) {
        let stands = self.game.tree.nodes[node].nags.iter();
        if node != 0 && !stands.into_iter().any(|n| (1..=6).contains(n)) && self.marked.insert(node)
        {
            self.insert(tail.glyphs, false, Rank::Mark, format!("${nag}"));
        }
    }

    /// Returns whether a comment was written where there was none.
    fn evaluate(&mut self, node: usize, command: &str, tail: &Tail) -> bool {
        let stands = self.game.tree.nodes[node].evaluation().is_some();
        if stands && self.existing == Existing::Keep {
            return false;
        }
        let comments = self.game.comments.iter().filter(|(n, _)| *n == node);
        let inner: Vec<_> = comments
            .map(|(_, word)| &self.game.words[*word].range)
            .map(|range| range.start + 1..range.end - 1)
            .collect();
        let written = inner.iter().find_map(|inner| {
            let found = command_range(&self.plain[inner.clone()], "eval")?;
            Some(inner.start + found.start..inner.start + found.end)
        });
        if let Some(old) = written.filter(|_| self.existing == Existing::Replace) {
            self.edits.push(Edit {
                at: old.start,
                removed: old.len(),
                rank: Rank::Evaluation,
                text: command.to_owned(),
            });
            return false;
        }
        let Some(first) = inner.first() else {
            let opening = tail.opening.unwrap_or_default();
            let comment = format!("{opening}{{ {command} }}");
            let beginning = tail.opening.is_some();
            self.insert(tail.glyphs, beginning, Rank::Evaluation, comment);
            return true;
        };
        let spaced = self.plain[first.start].is_ascii_whitespace();
        self.edits.push(Edit {
            at: first.start,
            removed: 0,
            rank: Rank::Evaluation,
            text: if spaced {
                format!(" {command}")
            } else {
                format!("{command} ")
            },
        });
        false
    }

    /// Returns whether a variation was written.
    fn vary(&mut self, annotation: &Annotation, tail: &Tail) -> Result<bool, LoadError> {
        let tree = &self.game.tree;
        let Some(parent) = tree.nodes[annotation.node].parent else {
            return Err(LoadError::new(
                "a variation before the first move",
                "one in place of a move",
            ));
        };
        let codes = &annotation.variation;
        let position = tree.situation_of(parent).position;
        if !is_playable(&position, codes) {
            return Err(LoadError::new(
                format!("a variation in place of {}", tree.numbered(annotation.node)),
                "legal moves",
            ));
        }
        let key = (parent, codes.clone());
        if tree.has_line(parent, codes) || self.variations.contains(&key) {
            return Ok(false);
        }
        self.variations.push(key);
        let line = notation::codes_text(&position, codes);
        let remark = annotation.remark.as_deref().map(remark);
        let remark = remark.filter(|r| !r.trim().is_empty());
        self.words += remark.iter().flat_map(|r| r.split_whitespace()).count();
        let text = match remark {
            Some(remark) => format!("({{ {remark} }} {line})"),
            None => format!("({line})"),
        };
        self.insert(tail.end, tail.new_line, Rank::Variation, text);
        Ok(true)
    }

    /// Writes the number of the next move if that is Black's and has none, because it no longer directly follows
    /// White's move.
    fn number(&mut self, tail: &Tail) {
        let numbered = tail
            .next
            .checked_sub(1)
            .and_then(|i| self.game.words.get(i));
        if numbered.is_some_and(|w| w.kind == Kind::Number) {
            return;
        }
        let tree = &self.game.tree;
        let node = self.game.moves.iter().position(|w| *w == Some(tail.next));
        if let Some(node) = node
            && tree.mover(node) == Some(Side::Black)
            && let Some(number) = tree.number(node)
            && self.numbered.insert(node)
        {
            let at = self.game.words[tail.next].range.start;
            self.insert(at, true, Rank::Number, number);
        }
    }

    /// Inserts a word with a space before it, or, at the beginning of something else, after it.
    fn insert(&mut self, at: usize, beginning: bool, rank: Rank, word: String) {
        let line_end = self.ends.written();
        let rest = &self.plain[at..];
        let at_space = at == 0 || self.plain[at - 1].is_ascii_whitespace();
        let before = match (beginning, rest) {
            (true, []) if !self.plain.ends_with(b"\n") => line_end,
            (true, _) if at_space => "",
            _ => " ",
        };
        let line = rest.split(|&b| b == b'\n').next().unwrap_or_default();
        let blank = line.trim_ascii().is_empty() && self.plain[..at].ends_with(b"\n");
        let after = match (beginning, rest.first()) {
            // A blank line must stay blank.
            (true, next) if blank || next.is_none() => line_end,
            (false, None) => "",
            (false, Some(next)) if next.is_ascii_whitespace() || b"{}();".contains(next) => "",
            _ => " ",
        };
        self.edits.push(Edit {
            at,
            removed: 0,
            rank,
            text: format!("{before}{word}{after}"),
        });
    }

    fn apply(mut self) -> Vec<u8> {
        self.edits.sort_by_key(|edit| (edit.at, edit.rank));
        let mut written = Vec::with_capacity(self.text.len() + 64 * self.edits.len());
        let mut at = 0;
        for edit in &self.edits {
            written.extend_from_slice(&self.text[at..edit.at]);
            written.extend_from_slice(edit.text.as_bytes());
            at = edit.at + edit.removed;
        }
        written.extend_from_slice(&self.text[at..]);
        written
    }
}

fn is_playable(start: &ChessPosition, codes: &[MoveCode]) -> bool {
    let mut position = start.clone();
    codes.iter().all(|&code| {
        let m = position.decode(code);
        m.inspect(|&m| position.play(m)).is_some()
    })
}

/// Returns the text as words that may appear in a comment.
fn remark(text: &str) -> String {
    sanitise(text).replace('{', "(").replace('}', ")")
}
