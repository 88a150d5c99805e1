//! The model answer: the search with which another one is compared.

use std::path::Path;
use std::sync::Arc;

use game::load::{LoadError, unreadable};
use game::{Game, Side};
use games::trace;
use open_trace::{Header, Names, Point, Reader, Refused, SearchStart};
use search::Subject;
use text::sanitise;

use super::Refusal;
use super::judge::Judge;
use super::reading::{Search, refused};
use super::rows::Rows;
use super::stream::{Bounded, Limits};

/// A search that was read for comparing another one with it.
pub(super) struct Model {
    pub rows: Rows,
    /// The name of its file.
    name: String,
    header: Arc<Header>,
    start: SearchStart,
}

impl Model {
    /// Reads the first search of a trace.
    ///
    /// # Errors
    /// If it is no trace, or has no end.
    pub fn read(path: &Path, names: &Arc<Names>, limits: &Limits) -> Result<Model, Refusal> {
        let name = path.to_string_lossy().into_owned();
        let in_file = |error: LoadError| Refusal::Trace(error.in_file(&name));
        let opened = Bounded::open(path, limits);
        let (source, gauge) = opened.map_err(|e| in_file(unreadable(&e)))?;
        let mut reader = Reader::at(source, Point::start(Arc::clone(names)));
        let header = reader.read_header().map_err(|why| in_file(refused(why)))?;
        let header = header.ok_or_else(|| in_file(refused(Refused::Empty)))?;
        let mut search = Search::new(&mut reader, 0);
        let start = search.start().map_err(|refusal| match refusal {
            Refusal::Trace(error) => in_file(error),
            other => other,
        })?;
        let side = match start.side {
            Some(open_trace::Side::Second) => Side::Black,
            _ => Side::White,
        };
        let turn = trace::told(&header, &start).map_err(in_file)?;
        let turn = turn.map_or(side, |subject| subject.position.turn());
        let mut rows = Rows::new(Judge::new(&header, turn, 0.0, 1.0), turn);
        search.read(&gauge, &mut |event, record| {
            rows.take(event, record);
            true
        })?;
        if gauge.cut().is_some() {
            let why = format!("{}: the reference has no end", sanitise(&name));
            return Err(Refusal::Endless(why));
        }
        Ok(Model {
            rows,
            name,
            header,
            start,
        })
    }

    /// Checks that a search with this header, of this position, can be compared with it.
    ///
    /// # Errors
    /// If it is of the other order, or of another game or position.
    pub fn check(&self, header: &Header, root: &Subject) -> Result<(), LoadError> {
        let found = self.header.order;
        let checked = match found == header.order {
            true => trace::check(&self.header, &self.start, root),
            false => Err(LoadError::new(
                format!("a {} search to compare with", found.word()),
                format!(
                    "a {} one, like the search that is graded",
                    header.order.word()
                ),
            )),
        };
        checked.map_err(|error| error.in_file(&self.name))
    }
}
