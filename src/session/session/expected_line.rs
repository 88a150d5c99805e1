//! The line that a game would take after a move: what the tree contains of it, and what the tables know beyond.

use super::Session;
use crate::line::LONGEST;
use crate::reader::name;
use crate::{Effort, MoveName, Subject, mate_line};
use game::{Ending, Game, MoveCode, Score};
use search::common::table::Tables;
use tree::{Proof, Tree};

impl Session {
    /// Returns the line that is expected after `first` at the root: as far as the tree contains it, and from there as
    /// far as the transposition table knows it. All moves are legal. The line ends where a position repeats or the game
    /// is over.
    pub fn expected_line(&self, first: MoveCode) -> Vec<MoveName> {
        let reader = self.reader();
        let mut line = vec![first];
        let mut proof = Proof::OPEN;
        if let Some(child) = self.tree().child_by_move(Tree::ROOT, first) {
            line.extend(reader.best_moves(child));
            proof = self.tree().node(child).proof().one_ply_up();
        }
        let tables = &self.run.tables;
        continue_line(self.subject().clone(), line, proof, tables)
    }
    /// Returns a line that shows the mate which the search claims for a move of the root: the move, then everything up to
    /// the mate, against the longest defence; a mate that is forced even sooner may take its place. `known` is the line of
    /// [`Session::expected_line`], and `mate` the move's score from the view of the side that plays it. Moves that the
    /// search did not keep are proven again; `None` if the effort does not suffice for that.
    pub fn mate_line(
        &self,
        known: &[MoveName],
        mate: Score,
        effort: &mut Effort,
    ) -> Option<Vec<MoveName>> {
        let known: Vec<MoveCode> = known.iter().map(|name| name.code).collect();
        let hint = |key| self.run.tables.best_move(key);
        let subject = self.subject();
        let line = match subject.chess() {
            Some(chess) => mate_line::whole(&chess, &known, mate, effort, &hint),
            None => mate_line::whole(subject, &known, mate, effort, &hint),
        };
        Some(self.reader().names(Tree::ROOT, &line?))
    }
}

/// Names the moves of a line from a position on. Continues to the mate if that is proven, otherwise by the tables: not into a mate
/// that the search did not see, since its value does not come from there.
fn continue_line(
    mut at: Subject,
    line: Vec<MoveCode>,
    proof: Proof,
    tables: &Tables,
) -> Vec<MoveName> {
    let line = if proof.is_exact() {
        mate_line::complete(&at, line, proof.lower, mate_line::FOR_A_REPORT).moves
    } else {
        line
    };
    let searched = line.len();
    let mut names = Vec::new();
    let mut known = line.into_iter();
    while names.len() < LONGEST {
        let next = known.next();
        let next = next.or_else(|| tables.best_move(at.position.key()));
        let Some(m) = next.and_then(|code| at.position.decode(code)) else {
            break;
        };
        names.push(name(&at.position, m));
        at.play(m);
        let position = &at.position;
        let seen = at
            .history
            .repetitions(position.key(), position.reversible_plies());
        let ending = position.ending(!position.legal_moves().is_empty());
        if ending.is_some_and(Ending::is_lost) {
            // The move before it was none that the side would make.
            let before = names.len().saturating_sub(2);
            names.truncate(before.max(searched));
        }
        if seen.times > 0 || ending.is_some() {
            break;
        }
    }
    names
}
