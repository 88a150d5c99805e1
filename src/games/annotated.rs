//! Writing games with annotations: into their text where a format keeps it, and otherwise anew, with marks as glyphs, values as
//! comments and better lines as variations.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::{Document, GameTree};
use game::Game as _;
use game::load::LoadError;
use game::load::pgn::annotation::{ToldValue, tell_value, told_value};
use game::load::pgn::{Annotation, Existing, GameNode};

/// The property of SGF whose values are the first comments, as they are in the file.
const COMMENT: &str = "C";

impl Document {
    /// Whether games are written into the text that they were read from, which keeps all of it.
    pub fn keeps_text(&self) -> bool {
        self.games().is_some()
    }

    /// Whether a game of this document can be written.
    pub fn can_be_written(&self) -> bool {
        self.format.has_games()
    }

    /// Returns the text of entry `i`, a game, with annotations. A format that does not [keep its text](Document::keeps_text) has
    /// their evaluations as comments.
    ///
    /// # Errors
    /// If it is no game, or can't be written.
    pub fn annotated(
        &self,
        i: usize,
        annotations: &[Annotation],
        existing: Existing,
    ) -> Result<Vec<u8>, LoadError> {
        if let Some(games) = self.games() {
            return games.annotated(i, annotations, existing);
        }
        let mut entry = self.entry(i)?;
        let none = || LoadError::new("no game", "one that can be written");
        let (Some(game), Some(write)) = (entry.game.as_mut(), self.format.write) else {
            return Err(none());
        };
        annotate(game, annotations, existing)?;
        write(game).map(String::into_bytes).ok_or_else(none)
    }

    /// Returns the text of entry `i`, a game: as it is in the file, or as its format is written.
    ///
    /// # Errors
    /// See [`Document::annotated`].
    pub fn text_of(&self, i: usize) -> Result<Vec<u8>, LoadError> {
        match self.games() {
            Some(games) => games.text_of(i),
            None => self.annotated(i, &[], Existing::Keep),
        }
    }

    /// Writes all games to a file, those in `replaced` with their new text, and the others as [`Document::text_of`] has them. The
    /// file may be the opened one, which must then be opened again.
    ///
    /// # Errors
    /// If a game cannot be read or written, or the file can't be; it is then unchanged.
    pub fn save_all(&self, path: &Path, replaced: &BTreeMap<usize, Vec<u8>>) -> io::Result<()> {
        if let Some(games) = self.games() {
            return games.save(path, replaced);
        }
        // What could not be read would be lost.
        if let Some(unread) = self.problems.first() {
            return Err(io::Error::other(unread.clone()));
        }
        let texts = (0..self.len()).map(|i| match replaced.get(&i) {
            Some(text) => Ok(text.clone()),
            None => self.text_of(i).map_err(io::Error::other),
        });
        let texts: Vec<Vec<u8>> = texts.collect::<io::Result<_>>()?;
        text::save::save(path, |out| {
            texts.iter().try_for_each(|text| out.write_all(text))
        })
    }

    /// Makes the text of game `i`, annotated or not, one that can be written before and after games of other files in the same
    /// format; see [`Games::separate`](game::load::pgn::Games::separate).
    pub fn separate(&self, i: usize, text: Vec<u8>) -> Vec<u8> {
        match self.games() {
            Some(games) => games.separate(i, text),
            None => text,
        }
    }
}

/// Writes annotations into a game, as [`Games::annotated`](game::load::pgn::Games::annotated) does into the text of one.
///
/// # Errors
/// If an annotation is for a move that the game does not have, or its variation can't be played.
fn annotate(
    game: &mut GameTree,
    annotations: &[Annotation],
    existing: Existing,
) -> Result<(), LoadError> {
    for annotation in annotations {
        let Some(node) = game.nodes.get_mut(annotation.node) else {
            let found = format!("an annotation of move {}", annotation.node);
            return Err(LoadError::new(found, "one of a move of the game"));
        };
        let has_mark = node.nags.iter().any(|nag| (1..=6).contains(nag));
        node.nags.extend(annotation.nag.filter(|_| !has_mark));
        if let Some((evaluation, depth)) = annotation.evaluation {
            if existing == Existing::Replace {
                forget_value(node);
            }
            if node.evaluation().is_none() {
                let value = tell_value(evaluation, depth, |side| game.start.side_name(side));
                game.nodes[annotation.node].comments.push(value);
            }
        }
        if !annotation.variation.is_empty() {
            vary(game, annotation)?;
        }
    }
    Ok(())
}

/// Takes out what an earlier review has written, also of what SGF keeps of the file.
fn forget_value(node: &mut GameNode) {
    let kept = node.properties.iter_mut().filter(|p| p.name == COMMENT);
    let texts = node
        .comments
        .iter_mut()
        .chain(kept.flat_map(|p| &mut p.values));
    for text in texts {
        if let Some(ToldValue { range, .. }) = told_value(text) {
            text.replace_range(range, "");
            *text = text.trim().to_owned();
        }
    }
    node.comments.retain(|text| !text.is_empty());
    node.properties.retain_mut(|p| {
        if p.name == COMMENT {
            p.values.retain(|text| !text.trim().is_empty());
        }
        p.name != COMMENT || !p.values.is_empty()
    });
}

/// Adds a better line beside the move, unless the game has it.
fn vary(game: &mut GameTree, annotation: &Annotation) -> Result<(), LoadError> {
    let codes = &annotation.variation;
    let Some(parent) = game.nodes[annotation.node].parent else {
        let found = "a variation before the first move";
        return Err(LoadError::new(found, "one in place of a move"));
    };
    if game.has_line(parent, codes) {
        return Ok(());
    }
    let mut position = game.situation_of(parent).position;
    let mut at = parent;
    for (nth, &code) in codes.iter().enumerate() {
        let Some(after) = position.after(code) else {
            let found = format!("a variation in place of {}", game.numbered(annotation.node));
            return Err(LoadError::new(found, "legal moves"));
        };
        at = game.add(at, Some(code), position.label(code));
        if nth == 0 {
            game.nodes[at].comments.extend(annotation.remark.clone());
        }
        position = after;
    }
    Ok(())
}
