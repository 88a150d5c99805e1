//! Where in the game the records are: the moves to a node, and its position by the rules of chess.

use super::rules::Place;
use super::*;

impl Auditor<'_> {
    /// Returns the moves to the node that records are about, and its position by the rules.
    pub(super) fn here(&mut self) -> (Vec<MoveId>, Option<Place>) {
        if self.judge.is_none() {
            return (Vec::new(), None);
        }
        match self.header.order {
            Order::DepthFirst => {
                let place = match self.open.last() {
                    Some(open) => open.place.clone(),
                    None => self.judge.as_ref().map(Judge::root),
                };
                (line(&self.open), place)
            }
            Order::BestFirst => (self.line_of(self.at), self.place_of(self.at)),
        }
    }

    /// The moves to a node of a best-first search.
    pub(super) fn line_of(&self, node: u32) -> Vec<MoveId> {
        let known = |number: u32| self.nodes.get(number as usize).copied().flatten();
        let way = std::iter::successors(known(node), |node| known(node.parent?));
        let moves = way.take(10_000).map(|node| node.m);
        let mut line: Vec<MoveId> = moves.filter(|m| !m.is_none()).collect();
        line.reverse();
        line
    }

    pub(super) fn place_of(&mut self, node: u32) -> Option<Place> {
        let line = self.judge.is_some().then(|| self.line_of(node))?;
        self.judge.as_mut().map(|judge| judge.follow(&line))
    }

    /// Notes an illegal move of a best-first search.
    pub(super) fn note_illegal(&mut self, node: u32, m: MoveId) {
        let line = self.line_of(node);
        if let Some(judge) = &mut self.judge {
            judge.note_illegal(self.event, &line, m);
        }
    }

    /// Returns the position behind a move of the innermost node by the rules, and notes it if they do not have it.
    pub(super) fn place_behind(&mut self, m: MoveId) -> Option<Place> {
        let judge = self.judge.as_mut()?;
        let from = match self.open.last() {
            Some(open) => open.place.clone()?,
            None => judge.root(),
        };
        if m.is_none() {
            return Some(from);
        }
        let (place, forbidden) = judge.play(&from, m);
        if forbidden {
            let line = line(&self.open);
            judge.note_illegal(self.event, &line, m);
        }
        Some(place)
    }
}

/// The moves that are open.
fn line(open: &[Open]) -> Vec<MoveId> {
    let moves = open.iter().map(|open| open.m);
    moves.filter(|m| !m.is_none()).collect()
}
