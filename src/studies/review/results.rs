//! What a review has found so far.

use std::sync::Arc;

use super::Found;
use super::queue::Search;
use external::Trouble;

/// The results by position and column, and the columns that will give no more.
#[derive(Debug)]
pub(super) struct Results {
    /// By ply, then by column.
    found: Vec<Vec<Option<Arc<Found>>>>,
    /// By column.
    troubles: Vec<Option<Trouble>>,
}

impl Results {
    pub fn new(plies: usize, columns: usize) -> Self {
        Results {
            found: vec![vec![None; columns]; plies],
            troubles: vec![None; columns],
        }
    }

    pub fn get(&self, column: usize, ply: usize) -> Option<&Arc<Found>> {
        self.found.get(ply)?.get(column)?.as_ref()
    }

    pub fn trouble(&self, column: usize) -> Option<&Trouble> {
        self.troubles.get(column)?.as_ref()
    }

    /// Returns the number of results.
    pub fn count(&self) -> usize {
        self.found.iter().flatten().flatten().count()
    }

    /// Returns the number of results that will never come, because their columns were given up.
    pub fn never(&self) -> usize {
        let given_up = |column: usize| self.troubles[column].is_some();
        let missing = |row: &Vec<Option<Arc<Found>>>| {
            let columns = row.iter().enumerate();
            columns
                .filter(|(c, found)| found.is_none() && given_up(*c))
                .count()
        };
        self.found.iter().map(missing).sum()
    }

    /// Records the result of a position that no column needs to search.
    pub fn enter_for_all(&mut self, ply: usize, found: &Arc<Found>) {
        self.found[ply].fill(Some(Arc::clone(found)));
    }

    /// Records a result. Returns false if the column was given up meanwhile, so that nothing from it counts any more.
    pub fn enter(&mut self, search: Search, found: Found) -> bool {
        let counts = self.trouble(search.column).is_none();
        if counts {
            self.found[search.ply][search.column] = Some(Arc::new(found));
        }
        counts
    }

    /// Records that nothing more comes from a column; returns how many results it will never have.
    pub fn give_up(&mut self, column: usize, trouble: Trouble) -> usize {
        let slot = &mut self.troubles[column];
        if slot.is_some() {
            return 0;
        }
        *slot = Some(trouble);
        self.found
            .iter()
            .filter(|row| row[column].is_none())
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Situation;
    use game::load::fen;
    use session::Subject;

    #[test]
    fn a_column_in_trouble_brings_no_more() {
        let mated = fen::parse("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").expect("a FEN");
        let subject = Subject::from(Situation::new(mated.position));
        let mate = Found::over(&subject, true).expect("the game is over");
        let mut results = Results::new(3, 2);
        results.enter_for_all(2, &Arc::new(mate.clone()));
        assert!(results.enter(Search { ply: 0, column: 1 }, mate.clone()));
        let trouble = Trouble {
            message: "it died".into(),
            last_lines: Vec::new(),
        };
        assert_eq!(results.give_up(1, trouble.clone()), 1);
        assert_eq!(results.give_up(1, trouble.clone()), 0);
        assert!(!results.enter(Search { ply: 1, column: 1 }, mate.clone()));
        assert_eq!(
            (results.trouble(0), results.trouble(1)),
            (None, Some(&trouble))
        );
        assert!(results.get(1, 0).is_some() && results.get(1, 1).is_none());
        assert!(results.get(0, 2).is_some() && results.get(2, 0).is_none());
    }
}
