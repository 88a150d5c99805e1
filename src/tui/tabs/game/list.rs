//! The list of games: all of them, or those that match a query. It grows while the file is being read.

use std::time::{Duration, Instant};

use game::load::pgn::Query;
use games::Document;
use screen::list::List;

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
        let entry = self.selected();
        let query = Query::parse(text);
        self.query = text.to_owned();
        self.wanted = Some(query).filter(|q| !q.is_empty());
        self.found.clear();
        self.looked = 0;
        self.state = List::default();
        self.update(document);
        if let Some(entry) = entry {
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
            let end = (self.looked + STEP).min(count);
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
        self.looked < count
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
        let all = document.len();
        let mut text = match self.wanted {
            Some(_) => format!("{} of {all}", self.found.len()),
            None => all.to_string(),
        };
        let behind = self.wanted.is_some() && self.looked < all;
        if !document.is_complete() {
            text.push_str(", still reading");
        } else if behind {
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
