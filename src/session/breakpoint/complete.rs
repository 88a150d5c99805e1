//! Completion: what could be typed next, also as a list for error messages.

use super::parse::{Expected, Parser, ROOT};
use super::words::{FIGURES, KEYWORDS, KINDS, SIGNS};
use crate::reader::{MoveName, name};
use crate::{AnyPosition, Subject};
use formula::FUNCTIONS;
use game::Game;
use tree::ReasonId;

/// A text that can be inserted at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Replaces the text between `start` and the cursor.
    pub text: String,
    /// Where the replaced text starts, in characters.
    pub start: usize,
    /// What it means, in one line; for a move this is its UCI form.
    pub summary: String,
}

/// Returns what can follow at the cursor (in characters) of a breakpoint that is being written: first words that begin
/// with the text already there, then words that contain it. `subject` is the position at the tree's root.
pub fn complete(text: &str, cursor: usize, subject: &Subject) -> Vec<Completion> {
    let end = text.char_indices().nth(cursor).map_or(text.len(), |c| c.0);
    let text = &text[..end];
    let mut parser = Parser::new(text, subject);
    // The result of parsing does not matter, only how far it got.
    let _ = parser.read();
    // A word that ends at the cursor is still that word, not yet the start of what may follow it.
    let apart = |start: usize| !text[..start].ends_with(char::is_alphanumeric);
    if let Some((start, quoted)) = parser.place
        && (quoted || apart(start) && !text[start..].contains(char::is_whitespace))
    {
        return moves(text, start, quoted, subject);
    }
    // Names of kinds contain hyphens, which are minus signs elsewhere.
    let begins = |is_part: fn(char) -> bool| text.trim_end_matches(is_part).len();
    let kind = begins(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let word = begins(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let kinds = expected_behind(&text[..kind], subject);
    if kinds.contains(&Expected::Kind) {
        return fitting(text, kind, &kinds);
    }
    fitting(text, word, &expected_behind(&text[..word], subject))
}

fn expected_behind(text: &str, subject: &Subject) -> Vec<Expected> {
    let mut parser = Parser::new(text, subject);
    let _ = parser.read();
    parser.expected_at_end().to_vec()
}

/// Returns what may follow `text[..start]` and continues the text already typed.
fn fitting(text: &str, start: usize, expected: &[Expected]) -> Vec<Completion> {
    let begun = &text[start..];
    let start = text[..start].chars().count();
    let all = expected.iter().flat_map(|e| words(*e)).collect();
    ranked(all, begun, |w: &(String, _)| &w.0)
        .map(|(text, summary)| Completion {
            text,
            start,
            summary: summary.to_owned(),
        })
        .collect()
}

/// Orders items that begin with `begun` before those that merely contain it, and drops the rest.
fn ranked<T>(all: Vec<T>, begun: &str, name: fn(&T) -> &str) -> impl Iterator<Item = T> {
    let begun = begun.to_lowercase();
    let place = |item: &T| name(item).to_lowercase().find(&begun);
    let (first, rest): (Vec<T>, Vec<T>) = all.into_iter().partition(|t| place(t) == Some(0));
    let rest = rest.into_iter().filter(|t| place(t).is_some());
    first.into_iter().chain(rest.collect::<Vec<_>>())
}

/// Returns the legal moves after those that are already written.
fn moves(text: &str, start: usize, quoted: bool, subject: &Subject) -> Vec<Completion> {
    let line = &text[start..];
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '›');
    let begun = line.rfind(separator).map_or(line, |at| {
        let width = line[at..].chars().next().map_or(1, char::len_utf8);
        &line[at + width..]
    });
    let Ok(before) = subject.read_line(&line[..line.len() - begun.len()]) else {
        return Vec::new();
    };
    // The text follows a move number, as in `1.e`.
    let begun = match begun.rfind('.') {
        Some(dot) if before.end.position.move_number().is_some() => &begun[dot + 1..],
        _ => begun,
    };
    let mut names = names(&before.end.position);
    if !quoted {
        let root = MoveName {
            san: ROOT.into(),
            uci: "the root itself".into(),
            ..MoveName::default()
        };
        names.insert(0, root);
    }
    let start = text[..text.len() - begun.len()].chars().count();
    ranked(names, begun, |m| &m.san)
        .map(|m| Completion {
            summary: if m.san == m.uci { String::new() } else { m.uci },
            text: m.san,
            start,
        })
        .collect()
}

fn names(position: &AnyPosition) -> Vec<MoveName> {
    let moves = position.legal_moves().into_iter();
    moves.map(|m| name(position, m)).collect()
}

/// Returns the words that match what is expected, each with its summary. Numbers have none.
fn words(expected: Expected) -> Vec<(String, &'static str)> {
    let one = |name: &str, summary| vec![(name.to_owned(), summary)];
    match expected {
        Expected::Keyword(keyword) => {
            let row = &KEYWORDS[keyword as usize];
            one(row.name, row.summary)
        }
        Expected::Kind => {
            let declared = ReasonId::all().map(|(_, reason)| &reason.info);
            let declared = declared.map(|info| (info.name.to_owned(), info.summary));
            let known = KINDS.iter().map(|k| (k.name.to_owned(), k.summary));
            let mut all: Vec<(String, &'static str)> = known.collect();
            for word in declared {
                if all.iter().all(|(name, _)| *name != word.0) {
                    all.push(word);
                }
            }
            all
        }
        Expected::Figure => FIGURES
            .iter()
            .map(|f| (f.name.to_owned(), f.summary))
            .collect(),
        Expected::Function => FUNCTIONS
            .iter()
            .map(|f| (f.name, f.summary))
            .chain([("if", "one number where a condition holds, else another")])
            .map(|(name, summary)| (name.to_owned(), summary))
            .collect(),
        Expected::Sign(")") => one(")", "closes the parentheses"),
        Expected::Sign(sign) => SIGNS
            .iter()
            .filter(|s| s.name == sign)
            .map(|s| (s.name.to_owned(), s.summary))
            .collect(),
        Expected::NamedNode => one("\"", "moves from the root"),
        Expected::Number | Expected::ClosingQuote | Expected::End => Vec::new(),
    }
}

/// Returns the names of all that could follow, for error messages.
pub(super) fn in_words(expected: &[Expected]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for e in expected {
        match e {
            Expected::Number => names.push("a number".into()),
            Expected::NamedNode => names.push("moves in quotes, one move, or root".into()),
            Expected::ClosingQuote => names.push("a closing quotation mark".into()),
            Expected::End => names.push("the end".into()),
            other => names.extend(words(*other).into_iter().map(|w| w.0)),
        }
    }
    names
}
