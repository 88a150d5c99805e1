//! What a list shows of a game, stored compactly: a name that occurs in many games is stored once.

use std::{collections::HashMap, fmt::Write as _, ops::Range, sync::Arc};

use super::index::GameSpan;
use super::tags::Head;
use crate::Side;
use text::sanitise;

/// The tags that are stored as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    White,
    Black,
    Event,
    Site,
    Date,
    Result,
    Eco,
    Opening,
}

const FIELDS: [(&str, Field); 8] = [
    ("White", Field::White),
    ("Black", Field::Black),
    ("Event", Field::Event),
    ("Site", Field::Site),
    ("Date", Field::Date),
    ("Result", Field::Result),
    ("ECO", Field::Eco),
    ("Opening", Field::Opening),
];

/// How many characters of a tag are stored. Longer ones are not names.
const LONGEST: usize = 500;

/// The tags of one game, before they are stored.
#[derive(Debug, Default)]
pub(super) struct Tags {
    values: [Option<String>; FIELDS.len()],
    white_elo: Option<u16>,
    black_elo: Option<u16>,
}

impl Tags {
    /// Reads the tags at the beginning of a game. Of several with the same name the first counts.
    pub(super) fn read(head: &[u8]) -> Tags {
        let head = Head::read(head);
        let value = |name| head.tag(name).map(|(_, tag)| tag.value());
        let elo = |name| value(name).and_then(|text| text.trim().parse().ok());
        Tags {
            values: FIELDS.map(|(name, _)| {
                value(name).map(|text| sanitise(&text).chars().take(LONGEST).collect())
            }),
            white_elo: elo("WhiteElo").filter(|elo| *elo > 0),
            black_elo: elo("BlackElo").filter(|elo| *elo > 0),
        }
    }
}

/// Consecutive games of a file, published together.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The index of its first game in the file.
    pub(super) first: usize,
    games: Vec<Row>,
    /// All distinct texts, one after the other; number 0 is the empty one.
    text: String,
    /// Where each text ends.
    ends: Vec<u32>,
}

/// One game: 56 bytes in addition to its texts.
#[derive(Debug)]
struct Row {
    start: u64,
    length: u64,
    line: u32,
    /// The numbers of its texts.
    values: [u32; FIELDS.len()],
    /// 0 if the file does not give it.
    white_elo: u16,
    black_elo: u16,
}

impl Chunk {
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns all texts, one after the other.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of texts; there is at least the empty one.
    pub(super) fn texts(&self) -> usize {
        self.ends.len().max(1)
    }

    /// Returns the range of a text.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        let end = |n: usize| self.ends.get(n).map_or(0, |&e| e as usize);
        number.checked_sub(1).map_or(0, end)..end(number)
    }

    /// Returns the number of a game's text.
    pub(super) fn number(&self, game: usize, field: Field) -> usize {
        self.games[game].values[field as usize] as usize
    }

    /// Returns its size in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Chunk>()
            + self.games.capacity() * size_of::<Row>()
            + self.text.capacity()
            + self.ends.capacity() * size_of::<u32>()
    }
}

/// Builds a [`Chunk`].
#[derive(Debug, Default)]
pub(super) struct ChunkBuilder {
    chunk: Chunk,
    numbers: HashMap<String, u32>,
}

impl ChunkBuilder {
    pub(super) fn push(&mut self, span: GameSpan, tags: Tags) {
        let values = tags.values.map(|value| self.number(value));
        self.chunk.games.push(Row {
            start: span.start as u64,
            length: (span.end - span.start) as u64,
            line: span.line,
            values,
            white_elo: tags.white_elo.unwrap_or(0),
            black_elo: tags.black_elo.unwrap_or(0),
        });
    }

    fn number(&mut self, value: Option<String>) -> u32 {
        let Some(value) = value.filter(|v| !v.is_empty()) else {
            return 0;
        };
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let chunk = &mut self.chunk;
        if chunk.ends.is_empty() {
            chunk.ends.push(0);
        }
        let number = chunk.ends.len() as u32;
        chunk.text.push_str(&value);
        chunk.ends.push(chunk.text.len() as u32);
        self.numbers.insert(value, number);
        number
    }

    /// Returns the games collected so far, the first of which has the index `first`, and starts again with none.
    pub(super) fn take(&mut self, first: usize) -> Option<Chunk> {
        self.numbers.clear();
        let mut chunk = std::mem::take(&mut self.chunk);
        chunk.first = first;
        chunk.games.shrink_to_fit();
        chunk.text.shrink_to_fit();
        chunk.ends.shrink_to_fit();
        (!chunk.games.is_empty()).then_some(chunk)
    }
}

/// What the tags of a game say, without its moves, for lists. All text is safe to print, and empty if the file does not
/// give it.
#[derive(Clone, Debug)]
pub struct GameSummary {
    chunk: Arc<Chunk>,
    at: usize,
}

impl GameSummary {
    pub(super) fn new(chunk: &Arc<Chunk>, at: usize) -> Option<GameSummary> {
        chunk.games.get(at)?;
        Some(GameSummary {
            chunk: Arc::clone(chunk),
            at,
        })
    }

    fn row(&self) -> &Row {
        &self.chunk.games[self.at]
    }

    pub(super) fn value(&self, field: Field) -> &str {
        let range = self.chunk.range(self.chunk.number(self.at, field));
        self.chunk.text.get(range).unwrap_or_default()
    }

    pub fn white(&self) -> &str {
        self.value(Field::White)
    }

    pub fn black(&self) -> &str {
        self.value(Field::Black)
    }

    pub fn event(&self) -> &str {
        self.value(Field::Event)
    }

    pub fn site(&self) -> &str {
        self.value(Field::Site)
    }

    /// The date as written: `1997.05.11`, `????.??.??`.
    pub fn date(&self) -> &str {
        self.value(Field::Date)
    }

    /// The result as written: `1-0`, `1/2-1/2`, `*`.
    pub fn result(&self) -> &str {
        self.value(Field::Result)
    }

    pub fn opening(&self) -> &str {
        self.value(Field::Opening)
    }

    pub fn white_elo(&self) -> Option<u16> {
        Some(self.row().white_elo).filter(|elo| *elo > 0)
    }

    pub fn black_elo(&self) -> Option<u16> {
        Some(self.row().black_elo).filter(|elo| *elo > 0)
    }

    /// Returns the place of the game in the file.
    pub fn span(&self) -> GameSpan {
        let row = self.row();
        GameSpan {
            start: row.start as usize,
            end: (row.start + row.length) as usize,
            line: row.line,
        }
    }

    /// Returns the players, the result and the year.
    pub fn title(&self) -> String {
        title(Side::White, |field| self.value(field))
    }
}

/// Formats a game's tags as "White – Black, 1–0, 1858", or with Black first.
pub(super) fn title<'a>(first: Side, value: impl Fn(Field) -> &'a str) -> String {
    let value = |field| Some(value(field)).filter(|v| !v.is_empty() && !v.starts_with('?'));
    let players = match first {
        Side::White => [Field::White, Field::Black],
        Side::Black => [Field::Black, Field::White],
    };
    let mut title = match players.map(&value) {
        [None, None] => value(Field::Event).unwrap_or("A game").to_owned(),
        [first, second] => format!("{} – {}", first.unwrap_or("?"), second.unwrap_or("?")),
    };
    if let Some(result) = value(Field::Result).filter(|r| *r != "*") {
        let _ = write!(title, ", {}", result.replace("1/2", "½").replace('-', "–"));
    }
    if let Some(year) = value(Field::Date).and_then(|date| date.split(['.', '-']).next()) {
        let _ = write!(title, ", {year}");
    }
    sanitise(&title)
}

impl Field {
    /// Returns the tag's name.
    pub(super) fn tag(self) -> &'static str {
        FIELDS[self as usize].0
    }
}
