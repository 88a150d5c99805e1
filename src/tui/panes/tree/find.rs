//! Finding a row by its move, or a node by its line.

use super::{Explorer, RowKey};
use session::Reader;
use tree::Tree;

impl Explorer {
    /// Returns the last query.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Sets the query after a search outside the rows.
    pub fn set_query(&mut self, query: &str) {
        self.sought = None;
        query.clone_into(&mut self.query);
    }

    /// Finds one move among the rows shown (starting at `from` and wrapping around), or a line of several moves from
    /// the root in the whole tree.
    ///
    /// # Errors
    /// What was not found, in words.
    pub fn find(&mut self, reader: Reader, query: &str, from: usize) -> Result<(), String> {
        let words = without_numbers(query);
        self.sought = None;
        self.query = query.trim().to_owned();
        match words.as_slice() {
            [] => Ok(()),
            [word] => {
                let count = self.rows.len();
                let found = (0..count)
                    .map(|i| (from + i) % count)
                    .find(|&i| self.matches(i, word));
                match found {
                    Some(at) => {
                        self.select(at);
                        Ok(())
                    }
                    None => self.find_folded(reader, word),
                }
            }
            _ => {
                let node = reader.follow(Tree::ROOT, &words.join(" "))?;
                self.reveal(reader, node);
                Ok(())
            }
        }
    }

    /// Goes to the next (or previous) row that matches the last query.
    ///
    /// # Errors
    /// There is no query, or nothing else matches.
    pub fn find_again(&mut self, reader: Reader, by: isize) -> Result<(), String> {
        let words = without_numbers(&self.query.clone());
        let word = match words.as_slice() {
            [] => return Err("nothing to look for yet: / finds".to_owned()),
            [word] => word.clone(),
            _ => return self.find(reader, &self.query.clone(), 0),
        };
        let count = self.rows.len() as isize;
        let step = by.signum();
        for _ in 0..by.unsigned_abs() {
            let found = (1..=count)
                .map(|i| (self.list.selected as isize + i * step).rem_euclid(count) as usize)
                .find(|&i| self.matches(i, &word));
            match found {
                Some(at) => self.select(at),
                None => self.find_folded(reader, &word)?,
            }
        }
        Ok(())
    }

    /// Finds one of the moves for which another row stands, and shows it.
    fn find_folded(&mut self, reader: Reader, word: &str) -> Result<(), String> {
        let named = |key: &RowKey| {
            let names = self.open.get(&key.parent);
            let name = names.and_then(|names| names.get(key.code));
            name.is_some_and(|name| name.starts_with(word))
        };
        let mut found: Vec<RowKey> = self.folds.hidden().filter(named).collect();
        found.sort_by_key(|key| (key.parent.0, key.code.0));
        match found.first() {
            Some(&key) => {
                self.reveal_row(reader, key);
                Ok(())
            }
            None => Err(format!("no row shown is called \"{word}\"")),
        }
    }

    /// Whether a row's name begins with `word`.
    fn matches(&self, at: usize, word: &str) -> bool {
        let row = &self.rows[at];
        self.open
            .get(&row.parent)
            .and_then(|names| names.get(row.code))
            .is_some_and(|name| name.starts_with(word))
    }
}

/// Returns the moves of a line that is written with or without numbers.
fn without_numbers(text: &str) -> Vec<String> {
    text.split([' ', '›', ','])
        .map(|word| {
            let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
            if rest.starts_with('.') {
                rest.trim_start_matches('.')
            } else {
                word
            }
        })
        .filter(|word| !word.is_empty() && !word.chars().all(|c| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn lines_may_be_numbered() {
        assert_eq!(without_numbers("1. e4 e5 2.Nf3"), ["e4", "e5", "Nf3"]);
        assert_eq!(without_numbers("1...e5"), ["e5"]);
        assert_eq!(without_numbers("C A"), ["C", "A"]);
        assert!(without_numbers("  ").is_empty());
    }
}
