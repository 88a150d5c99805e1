//! What a record borrows: lists and texts, kept by the reader until the next record.

use super::names::MoveId;
use super::record::{Child, Record, Reply, SearchStart, Told};

/// The last record, which has empty lists and texts, and those that it really has.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub record: Record<'static>,
    pub numbers: Vec<Option<f64>>,
    pub moves: Vec<MoveId>,
    pub children: Vec<Child>,
    pub text: String,
    pub search: SearchStart,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            record: Record::Key(0),
            numbers: Vec::new(),
            moves: Vec::new(),
            children: Vec::new(),
            text: String::new(),
            search: SearchStart::default(),
        }
    }
}

/// A search without anything, until [`Scratch::lend`] puts the real one in its place.
pub(crate) static NO_SEARCH: SearchStart = SearchStart {
    fen: None,
    root: None,
    moves: Vec::new(),
    side: None,
    limits: None,
    options: Vec::new(),
    seed: None,
    threads: None,
};

/// A reason whose numbers are in the scratch.
pub(crate) fn told(reason: u8) -> Told<'static> {
    Told {
        reason,
        numbers: &[],
    }
}

impl Scratch {
    /// Returns the record with its lists and texts.
    #[inline]
    pub(crate) fn lend(&self) -> Record<'_> {
        let with_numbers = |told: Told| Told {
            reason: told.reason,
            numbers: &self.numbers,
        };
        match self.record {
            // The most frequent ones, field by field.
            Record::Enter {
                m,
                window,
                depth,
                ply,
                side,
            } => Record::Enter {
                m,
                window,
                depth,
                ply,
                side,
            },
            Record::Leave {
                value,
                bound,
                best,
                nodes,
            } => Record::Leave {
                value,
                bound,
                best,
                nodes,
            },
            Record::Evaluate { value, sd } => Record::Evaluate { value, sd },
            Record::Why(told) => Record::Why(with_numbers(told)),
            Record::Try(told) => Record::Try(with_numbers(told)),
            Record::Prune { m, why } => Record::Prune {
                m,
                why: with_numbers(why),
            },
            Record::Moves { count, .. } => Record::Moves {
                count,
                names: &self.moves,
            },
            Record::Expand { node, first, .. } => Record::Expand {
                node,
                first,
                children: &self.children,
            },
            Record::Search(_) => Record::Search(&self.search),
            Record::Note(_) => Record::Note(&self.text),
            Record::Render(_) => Record::Render(&self.text),
            Record::End(reply) => Record::End(Reply {
                stopped_by: reply.stopped_by.map(|_| self.text.as_str()),
                ..reply
            }),
            record => record,
        }
    }
}
