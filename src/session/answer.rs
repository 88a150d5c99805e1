//! Why a move is not the one that would be played, or why it is: read from the tree, as plain data.

use super::{BareRow, NodeBelief, Reader};
use game::MoveCode;
use game::Sided as _;
use tree::{Fate, NodeId, NodeView};

/// The answer to why a move was not chosen, or was. Figures are from the view of the side that plays the move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The node at which the move is played.
    pub parent: NodeId,
    pub asked: Candidate,
    /// Whether it is the move that would be played there.
    pub is_best: bool,
    /// The move to compare it with: the one that would be played; for that one itself, the next best. `None` if nothing
    /// else was looked at.
    pub rival: Option<Candidate>,
    /// Its place among all moves of the position in the order of preference, counted from 1, and their number.
    pub place: (usize, usize),
    pub evidence: Evidence,
    /// The probability that the move is better than its rival if both beliefs are right and independent; only where the
    /// search keeps distributions.
    pub chance: Option<f64>,
    /// The share of the work at the parent that went into the move: visits, or nodes in a depth-first search.
    pub share: Option<f64>,
}

/// A move with what is known of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub code: MoveCode,
    /// `None` for a move without a node.
    pub node: Option<NodeId>,
    /// From the view of the side that plays the move; the fate keeps its own view.
    pub view: NodeView,
    /// The move, then the best line after it as far as it is recorded.
    pub line: Vec<MoveCode>,
}

/// What shows that the move is worth what the search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The line after it was searched and is recorded.
    Line,
    /// It was searched, but what is below it was not recorded: it can be searched again with the recorded window.
    NotRecorded,
    /// The value is known without a line: the game ends, a table knows it, or a rule cut the node off before its moves.
    Known,
    /// The search did not look at it: a rule or an earlier move made that unnecessary.
    NotSearched,
    /// The search has not come to it yet.
    NotYet,
    /// The user took it out of the search.
    TakenOut,
}

impl Answer {
    /// Whether the search turned the move down: it skipped it, or found it refuted or worse.
    pub fn is_rejected(&self) -> bool {
        !self.is_best && self.evidence != Evidence::NotYet
    }

    /// By how much the move's expected score is above its rival's.
    pub fn margin(&self) -> Option<f32> {
        let rival = self.rival.as_ref()?;
        Some(self.asked.view.expected? - rival.view.expected?)
    }
}

impl Reader<'_> {
    /// Answers why a move at a node was not chosen, or was. `None` if the move is not legal there.
    pub fn answer(&self, parent: NodeId, code: MoveCode) -> Option<Answer> {
        let at = self.situation(parent)?;
        let rows = self.bare_rows_best_first(parent, &at);
        let place = rows.iter().position(|row| row.view.move_code == code)?;
        let row = &rows[place];
        let best = self.best_move(parent);
        let is_best = best == Some(code);
        let other = rows.iter().find(|row| match is_best {
            true => row.view.move_code != code && was_searched(row),
            false => Some(row.view.move_code) == best,
        });
        let asked = self.candidate(row);
        let rival = other.map(|row| self.candidate(row));
        let chance = rival.as_ref().and_then(|rival| self.chance(&asked, rival));
        Some(Answer {
            parent,
            is_best,
            place: (place + 1, rows.len()),
            evidence: self.evidence(&asked),
            chance,
            share: self.share(row, &rows),
            asked,
            rival,
        })
    }

    fn candidate(&self, row: &BareRow) -> Candidate {
        let code = row.view.move_code;
        let node = row.id.node();
        let mut line = vec![code];
        if let Some(node) = node.filter(|_| was_searched(row)) {
            line.extend(self.best_moves(node));
        }
        Candidate {
            code,
            node,
            view: row.view,
            line,
        }
    }

    fn evidence(&self, asked: &Candidate) -> Evidence {
        let fate = asked.view.fate;
        let is_quiet_end = matches!(
            fate,
            Fate::Horizon { .. } | Fate::StandPat { .. } | Fate::Frontier
        );
        let is_out = |node| self.tree.node(node).is_excluded();
        if asked.node.is_some_and(is_out) {
            Evidence::TakenOut
        } else if fate.is_skip() {
            Evidence::NotSearched
        } else if asked.node.is_none() || asked.view.visits == 0 {
            match fate {
                Fate::Unrecorded => Evidence::NotRecorded,
                _ => Evidence::NotYet,
            }
        } else if asked.line.len() > 1 {
            Evidence::Line
        } else if matches!(
            fate,
            Fate::TableHit { .. }
                | Fate::Expanded { .. }
                | Fate::BetaCutoff { .. }
                | Fate::Unrecorded
        ) {
            Evidence::NotRecorded
        } else if is_quiet_end {
            Evidence::Line
        } else {
            Evidence::Known
        }
    }

    /// Returns the probability that one move is worth more than another.
    fn chance(&self, asked: &Candidate, rival: &Candidate) -> Option<f64> {
        // A mixture of visited values is no belief of the search.
        if !self.searcher.has_beliefs() {
            return None;
        }
        let belief = |c: &Candidate| self.belief(c.node?).filter(NodeBelief::is_distribution);
        // The beliefs are from the view of the side to move after the moves.
        let (asked, rival) = (belief(asked)?.turned(), belief(rival)?.turned());
        let (a, b) = (&asked.density.0, &rival.density.0);
        let mut below = 0.0;
        let mut chance = 0.0;
        for (a, b) in a.iter().zip(b) {
            // Where both are in one bin, either may be the greater.
            chance += f64::from(*a) * (below + f64::from(*b) / 2.0);
            below += f64::from(*b);
        }
        Some(chance.clamp(0.0, 1.0))
    }

    fn share(&self, row: &BareRow, rows: &[BareRow]) -> Option<f64> {
        let work = |row: &BareRow| self.work(&row.view) as f64;
        let all: f64 = rows.iter().map(work).sum();
        (all > 0.0 && was_searched(row)).then(|| work(row) / all)
    }
}

fn was_searched(row: &BareRow) -> bool {
    row.view.visits > 0 && !row.view.fate.is_skip() && row.view.move_code.is_move()
}

#[cfg(test)]
mod tests;
