//! Judges words that the reader does not recognise as moves: moves with unusual spelling, signs, and errors.

use super::{
    annotation::signs,
    order::{NumberCheck, is_sign},
    read::{Builder, Movetext},
    words::Kind,
};
use crate::load::LoadError;
use crate::{Game as _, notation};
use text::{decode, quote};

impl Builder<'_> {
    /// Judges a word that the reader does not know: it may still be a move, or a sign after one.
    pub(super) fn unknown(&self, game: &mut Movetext, offset: usize, text: &str) {
        if game.line.broken {
            return;
        }
        let text = match notation::without_number(text) {
            "" if text.contains(|c: char| c.is_ascii_digit()) => text,
            "" => return,
            bare => bare,
        };
        if let Some((m, signs)) = notation::parse_annotated(&game.line.position, text) {
            if !self.after_result(game) {
                game.play(m);
                game.sign(&signs);
            }
            return;
        }
        if notation::is_pass(text) && (self.after_result(game) || game.pass()) {
            return;
        }
        match game.word.filter(|_| is_sign(text)) {
            Some(word) => {
                self.beside(game, word);
                game.sign(&signs(text).unwrap_or_default());
            }
            None => self.wrong(game, text, Some(offset)),
        }
    }

    /// Judges a word that is not part of the tree: a number, a result, or a glyph that is out of range.
    pub(super) fn between(&self, game: &mut Movetext, word: usize) {
        if game.line.broken {
            return;
        }
        match self.words[word].kind {
            Kind::Number => self.number(game, word),
            Kind::Outcome => {
                game.line.since.result.get_or_insert(word);
                game.line.since.odd.get_or_insert(word);
            }
            Kind::Nag(_) => self.beside(game, word),
            _ => {}
        }
    }

    /// Judges a sign or glyph. It belongs after a move; between a number and its move it is in the move's place.
    pub(super) fn beside(&self, game: &mut Movetext, word: usize) {
        let first = game.line.before.is_none() && game.outer.is_empty();
        if game.line.since.number || first {
            self.wrong_word(game, word);
        } else {
            game.line.since.odd.get_or_insert(word);
        }
    }

    pub(super) fn number(&self, game: &mut Movetext, word: usize) {
        let Movetext {
            line, numbering, ..
        } = game;
        let text = decode(&self.bytes[self.words[word].range.clone()]);
        let next = line.position.move_number().unwrap_or(1);
        let turn = line.position.turn();
        let odd = line.since.odd.is_some();
        match numbering.look(&text, next, turn, odd) {
            NumberCheck::Right => line.since.number = true,
            NumberCheck::MoveMissing => {
                let word = line.since.odd.unwrap_or(word);
                self.wrong_word(game, word);
            }
            // `2. 5f3` has one number too many.
            NumberCheck::Other if line.since.number => self.wrong_word(game, word),
            NumberCheck::Other => {
                line.since.odd.get_or_insert(word);
                line.since.stray.get_or_insert(word);
            }
        }
    }

    /// Whether a result came before what is now read as a move, which is an error.
    pub(super) fn after_result(&self, game: &mut Movetext) -> bool {
        let result = game.line.since.result;
        if let Some(word) = result {
            self.wrong_word(game, word);
        }
        result.is_some()
    }

    /// Ends a line. A stray number in it is an error.
    pub(super) fn end_of_line(&self, game: &mut Movetext) {
        if let Some(word) = game.line.since.stray.filter(|_| !game.line.broken) {
            self.wrong_word(game, word);
        }
    }

    /// Reports a word in the place of a move.
    pub(super) fn wrong_word(&self, game: &mut Movetext, word: usize) {
        let range = self.words[word].range.clone();
        let end = self.word_at(range.start).len().max(range.len());
        let text = decode(&self.bytes[range.start..range.start + end]);
        self.wrong(game, &text, Some(range.start));
    }

    pub(super) fn wrong(&self, game: &mut Movetext, text: &str, offset: Option<usize>) {
        let position = &game.line.position;
        let number = position.move_number().unwrap_or(1);
        let found = format!("{} at move {number}", quote(text));
        let mut error = notation::no_move(position, found, self.languages.hint(text));
        error.expected.push_str("; the line ends before it");
        let error = match offset {
            Some(offset) => self.placed(error, offset),
            None => error.at_line(self.first_line),
        };
        game.tree.problems.push(error);
        game.line.broken = true;
    }

    pub(super) fn placed(&self, error: LoadError, offset: usize) -> LoadError {
        let (line, column) = self.place(offset);
        error.at(line, column)
    }

    /// Returns the bytes up to the next white space or bracket.
    pub(super) fn word_at(&self, offset: usize) -> &[u8] {
        let rest = &self.bytes[offset..];
        let end = rest.iter().position(|b| b" \t\r\n{}();$".contains(b));
        &rest[..end.unwrap_or(rest.len())]
    }
}
