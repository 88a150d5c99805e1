//! What is known of a drawn node, with its row in the explorer.

use std::collections::HashMap;

use super::Picture;
use crate::panes::tree::Row;
use crate::views::facts::{Facts, Withheld};
use report::drawing::{self, Done};
use studies::lesson::Fact;
use tree::NodeId;

/// One node in the present state of the search.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub seen: drawing::Known,
    pub row: Option<Row>,
    /// From the view of the side whose move leads there, as in the rows.
    pub facts: Option<Facts>,
    /// The share of the work at its parent.
    pub share: Option<f32>,
    /// False while a lesson has not introduced windows; in a best-first search, visits.
    shows_windows: bool,
}

/// Reads what one frame draws, each node once.
pub(super) struct Reading<'a> {
    picture: &'a Picture<'a>,
    withheld: Withheld,
    known: HashMap<usize, Known>,
    pub best: Vec<usize>,
}

impl<'a> Reading<'a> {
    pub fn new(picture: &'a Picture<'a>) -> Reading<'a> {
        Reading {
            picture,
            withheld: Withheld::default(),
            known: HashMap::new(),
            best: picture.best_line(),
        }
    }

    pub fn known(&mut self, place: usize) -> Known {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let known = self.read(place);
        self.known.insert(place, known.clone());
        known
    }

    fn read(&mut self, place: usize) -> Known {
        let p = self.picture;
        let depth = p.layout.places[place].depth;
        let drawing = &p.cx.explore.drawing;
        let stub = p.content.stub(p.layout.places[place].node);
        let row = drawing.row_of(p.reader.tree, place);
        let row = row.filter(|_| stub.is_none());
        let facts = row.and_then(|row| Facts::of(p.reader, &row, &mut self.withheld));
        let visit = row.and_then(|row| p.cx.explore.debug.visit(row.node).copied());
        let parent = row.map_or(NodeId::NONE, |row| row.parent);
        let known = facts.as_ref().map(|f| (&f.view, f.belief.as_ref()));
        let turn = p.side_at(depth);
        let mut seen = drawing::Known::of(&p.reader, p.cx.lens, (parent, turn), known, visit);
        match stub {
            Some(stub) if stub.fates.iter().all(|(fate, _)| fate.is_skip()) => {
                seen.done = Done::BelowCut;
            }
            Some(_) => seen.done = Done::Waiting,
            None if facts.is_none() && visit.is_none() => seen.done = self.above(place).below(),
            None => {}
        }
        let share = facts.as_ref().and_then(|facts| self.share(place, facts));
        Known {
            seen,
            row,
            facts,
            share,
            shows_windows: p.cx.shows(match p.reader.is_best_first() {
                true => Fact::Work,
                false => Fact::Windows,
            }),
        }
    }

    /// Returns the share of a place in the work at its parent.
    fn share(&mut self, place: usize, facts: &Facts) -> Option<f32> {
        let p = self.picture;
        let parent = p.layout.places[place].parent?;
        let family = p.reader.tree.family();
        let all = self.known(parent).facts?.work(family);
        (all > 0).then(|| (facts.work(family) as f32 / all as f32).min(1.0))
    }

    /// Returns what the search did at the nearest place above that has a row.
    fn above(&mut self, place: usize) -> Done {
        let p = self.picture;
        let mut at = place;
        while let Some(parent) = p.layout.places[at].parent {
            at = parent;
            if p.cx.explore.drawing.row_of(p.reader.tree, at).is_some() {
                break;
            }
        }
        self.known(at).seen.done
    }
}

impl Known {
    /// Returns in a few words why the search did not look at a move of a game.
    pub fn reason(&self) -> Option<String> {
        self.seen.reason(&self.facts.as_ref()?.view)
    }

    /// Returns the window with which the node was entered; in a best-first search, its visits.
    pub fn window(&self, columns: usize) -> Option<String> {
        if !self.shows_windows {
            return None;
        }
        let visits = self.seen.visits().map(|n| format!("n={}", text::count(n)));
        let visits = visits.filter(|text| text.len() <= columns);
        visits.or_else(|| self.seen.window(columns))
    }
}
