//! The list of games: all of them, or those that match a query. It grows while the file is being read.

use std::time::{Duration, Instant};

use game::load::pgn::Query;
use games::Document;
use screen::list::List;
use text::thousands;

/// The list with its query.
#[derive(Debug, Default)]
pub struct GameList {
    /// The selection and the viewport, in rows.
    pub state: List,
    query: String,
    wanted: Option<Query>,
    /// With a query: the matching entries among the first `looked`.
    found: Vec<u32>,
    looked: usize,
    /// The entry that was selected before the query, until it is looked at.
    before: Option<usize>,
}

impl GameList {
    /// The time that one step of filtering may take.
    const SLICE: Duration = Duration::from_millis(4);

    /// Returns the query; all games are shown if it is empty.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Sets another query. The selected entry stays selected if it matches.
    pub fn set_query(&mut self, text: &str, document: &Document) {
        if self.query == text {
            return;
        }
        self.before = self.selected();
        let query = Query::parse(text);
        self.query = text.to_owned();
        self.wanted = Some(query).filter(|q| !q.is_empty());
        self.found.clear();
        self.looked = 0;
        self.state = List::default();
        self.update(document);
        if self.wanted.is_none()
            && let Some(entry) = self.before.take()
        {
            self.select(entry);
        }
    }

    /// Called when the document was replaced or changed.
    pub fn forget(&mut self) {
        self.found.clear();
        self.looked = 0;
        if self.wanted.is_none() {
            self.state = List::default();
        }
    }

    /// Checks newly read games for a few milliseconds; returns whether there are more to check.
    pub fn update(&mut self, document: &Document) -> bool {
        const STEP: usize = 4096;
        let Some(wanted) = &self.wanted else {
            return false;
        };
        let begin = Instant::now();
        let count = document.len();
        while self.looked < count {
            let end = match document.games() {
                Some(games) => games.together(self.looked),
                None => (self.looked + STEP).min(count),
            };
            if end == self.looked {
                break;
            }
            let range = self.looked..end;
            let found = match document.games() {
                Some(games) => games.matching(wanted, range),
                None => range
                    .filter(|&i| titled(document, i, &self.query))
                    .collect(),
            };
            self.found.extend(found.into_iter().map(|i| i as u32));
            self.looked = end;
            if begin.elapsed() > Self::SLICE {
                break;
            }
        }
        // What was selected before stays selected, unless the user has gone on.
        if let Some(entry) = self.before.take_if(|entry| *entry < self.looked)
            && self.state.selected == 0
        {
            self.select(entry);
        }
        self.looked < count
    }

    /// Whether there may be rows that were not found yet.
    pub fn is_behind(&self, document: &Document) -> bool {
        self.wanted.is_some() && (self.looked < document.len() || !document.is_complete())
    }

    /// Returns the number of rows.
    pub fn len(&self, document: &Document) -> usize {
        match self.wanted {
            Some(_) => self.found.len(),
            None => document.len(),
        }
    }

    /// Returns the entry of a row.
    pub fn entry(&self, row: usize) -> Option<usize> {
        match self.wanted {
            Some(_) => self.found.get(row).map(|&i| i as usize),
            None => Some(row),
        }
    }

    /// Returns the entry of the selected row.
    pub fn selected(&self) -> Option<usize> {
        self.entry(self.state.selected)
    }

    /// Selects an entry's row, if it has one.
    pub fn select(&mut self, entry: usize) {
        match self.wanted {
            Some(_) => {
                if let Ok(row) = self.found.binary_search(&(entry as u32)) {
                    self.state.selected = row;
                }
            }
            None => self.state.selected = entry,
        }
    }

    /// Returns how many games are shown, and out of how many if they differ: `12 of 347, still reading`.
    pub fn count_text(&self, document: &Document) -> String {
        let all = thousands(document.len() as u64);
        let mut text = match self.wanted {
            Some(_) => format!("{} of {all}", thousands(self.found.len() as u64)),
            None => all,
        };
        if !document.is_complete() {
            text.push_str(", still reading");
        } else if self.is_behind(document) {
            text.push_str(", still looking");
        }
        text
    }
}

/// Whether the title of an entry that is not a game contains all words.
fn titled(document: &Document, entry: usize, words: &str) -> bool {
    let title = document.title(entry).to_lowercase();
    let words = words.to_lowercase();
    words.split_whitespace().all(|word| title.contains(word))
}
