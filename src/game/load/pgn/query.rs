//! Finds games in a list by words: `carlsen 2013`, `white:tal result:1-0`.

use std::ops::Range;

use super::summary::{Chunk, Field, GameSummary};

/// A query: all of its words must match, each anywhere or in one field.
///
/// A plain word matches anywhere in the names, event, site, date, result, or the code or name of the opening, ignoring
/// case. `white:`, `black:`, `player:`, `event:`, `site:` and `opening:` search only there; `year:`, `date:`, `result:`
/// and `eco:` must match at the beginning. Quotation marks keep words together; `½` means `1/2`. Parsing never fails:
/// an unknown field is a plain word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    fields: &'static [Field],
    /// Whether to match only at the beginning.
    prefix: bool,
    /// In the form returned by [`fold`].
    text: Vec<u8>,
}

const ANYWHERE: &[Field] = &[
    Field::White,
    Field::Black,
    Field::Event,
    Field::Site,
    Field::Date,
    Field::Result,
    Field::Eco,
    Field::Opening,
];

/// The name, the fields to search, and whether to match only at the beginning.
const NAMED: [(&str, &[Field], bool); 10] = [
    ("white", &[Field::White], false),
    ("black", &[Field::Black], false),
    ("player", &[Field::White, Field::Black], false),
    ("event", &[Field::Event], false),
    ("site", &[Field::Site], false),
    ("opening", &[Field::Opening], false),
    ("year", &[Field::Date], true),
    ("date", &[Field::Date], true),
    ("result", &[Field::Result], true),
    ("eco", &[Field::Eco], true),
];

impl Query {
    pub fn parse(text: &str) -> Query {
        Query {
            terms: words(text).iter().filter_map(|w| Term::parse(w)).collect(),
        }
    }

    /// Whether the query is empty, so that every game matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn is_match(&self, game: &GameSummary) -> bool {
        self.terms.iter().all(|term| {
            let mut fields = term.fields.iter();
            fields.any(|&field| term.is_in(&fold(game.value(field))))
        })
    }

    /// Returns the matching ones among some games of a chunk. Each text is examined once, however many games share it.
    pub(super) fn matches_in(&self, chunk: &Chunk, games: Range<usize>) -> Vec<usize> {
        let folded = fold(chunk.text());
        let terms = self.terms.iter();
        let hits: Vec<_> = terms
            .map(|term| (term.fields, term.hits(chunk, &folded)))
            .collect();
        let is_match = |game: &usize| {
            hits.iter().all(|(fields, hits)| {
                let mut numbers = fields.iter().map(|&field| chunk.number(*game, field));
                numbers.any(|number| hits[number])
            })
        };
        games.filter(is_match).collect()
    }
}

/// Converts upper case to lower case where that takes the same number of bytes.
fn fold(text: &str) -> Vec<u8> {
    let mut folded = text.to_ascii_lowercase().into_bytes();
    let mut rest = text;
    while let Some(found) = rest.bytes().position(|b| !b.is_ascii()) {
        let at = text.len() - rest.len() + found;
        let mut chars = rest[found..].chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
        let mut lower = c.to_lowercase();
        if let (Some(lower), None) = (lower.next(), lower.next())
            && lower.len_utf8() == c.len_utf8()
        {
            lower.encode_utf8(&mut folded[at..]);
        }
    }
    folded
}

/// Splits into words, keeping quoted text together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in text.chars().chain([' ']) {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|w| !w.trim().is_empty());
    words
}

impl Term {
    /// Returns `None` for a field without a word (while the user is still typing).
    fn parse(word: &str) -> Option<Term> {
        let named = word.split_once(':').and_then(|(name, text)| {
            let name = name.to_lowercase();
            let &(_, fields, prefix) = NAMED.iter().find(|(n, ..)| *n == name)?;
            Some((fields, prefix, text))
        });
        let (fields, prefix, text) = named.unwrap_or((ANYWHERE, false, word));
        let text = fold(&text.trim().replace('½', "1/2").replace('–', "-"));
        (!text.is_empty()).then_some(Term {
            fields,
            prefix,
            text,
        })
    }

    fn is_in(&self, folded: &[u8]) -> bool {
        if self.prefix {
            folded.starts_with(&self.text)
        } else {
            memchr::memmem::find(folded, &self.text).is_some()
        }
    }

    /// Returns for each text of a chunk whether it matches.
    fn hits(&self, chunk: &Chunk, folded: &[u8]) -> Vec<bool> {
        let mut hits = vec![false; chunk.texts()];
        let finder = memchr::memmem::Finder::new(&self.text);
        let (mut at, mut number) = (0, 0);
        while let Some(found) = finder.find(&folded[at..]) {
            let start = at + found;
            while chunk.range(number).end <= start {
                number += 1;
            }
            let range = chunk.range(number);
            let whole = start + self.text.len() <= range.end;
            let hit = whole && (start == range.start || !self.prefix);
            hits[number] |= hit;
            at = if hit || self.prefix {
                range.end
            } else {
                start + 1
            };
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::pgn::Games;

    fn found(query: &str) -> Vec<usize> {
        let text = "[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[Event \"WCh 2013\"]\n[Date \"2013.11.22\"]\n\
            [Result \"1/2-1/2\"]\n[ECO \"B90\"]\n\n*\n\n[White \"M\u{fc}ller\"]\n[Black \"Carlsen, Henrik\"]\n\
            [Site \"\u{d6}sterreich\"]\n[Date \"1999.01.01\"]\n[Result \"1-0\"]\n\n*\n\n1. e4 *\n";
        let games = Games::new(text.as_bytes().to_vec());
        assert_eq!(games.len(), 3);
        let query = Query::parse(query);
        let found = games.matching(&query, 0..usize::MAX);
        let one_by_one = (0..3).filter(|&i| games.summary(i).is_some_and(|s| query.is_match(&s)));
        assert_eq!(found, one_by_one.collect::<Vec<_>>());
        found
    }

    #[test]
    fn every_word_must_be_found_somewhere() {
        assert_eq!(found(""), [0, 1, 2]);
        assert_eq!(found("carlsen"), [0, 1]);
        assert_eq!(found("CARLSEN  2013"), [0]);
        assert_eq!(found("carlsen tal"), [] as [usize; 0]);
        assert_eq!(found("\"carlsen, h\""), [1]);
        assert_eq!(found("\u{f6}STER"), [1]);
        assert_eq!(found("m\u{dc}ller"), [1]);
        assert_eq!(found("\u{bd}"), [0]);
        // Does not match across fields that are stored next to each other.
        assert_eq!(found("vwch"), [] as [usize; 0]);
    }

    #[test]
    fn fields_are_looked_at_alone() {
        assert_eq!(found("white:carlsen"), [0]);
        assert_eq!(found("Black:carlsen"), [1]);
        assert_eq!(found("player:carlsen"), [0, 1]);
        assert_eq!(found("player:2013"), [] as [usize; 0]);
        assert_eq!(found("event:2013"), [0]);
        assert_eq!(found("year:1999"), [1]);
        assert_eq!(found("year:99"), [] as [usize; 0]);
        assert_eq!(found("result:1-0"), [1]);
        assert_eq!(found("result:\u{bd}-\u{bd}"), [0]);
        assert_eq!(found("eco:b9"), [0]);
        assert_eq!(found("eco:9"), [] as [usize; 0]);
        assert_eq!(found("white:\"carlsen, magnus\""), [0]);
        // While the user is typing, and for an unknown field.
        assert_eq!(found("white:"), [0, 1, 2]);
        assert_eq!(found("clock:5"), [] as [usize; 0]);
    }
}
