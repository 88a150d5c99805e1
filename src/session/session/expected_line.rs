//! The line that a game would take after a move: what the tree contains of it, and what the tables know beyond.

use super::Session;
use crate::line::LONGEST;
use crate::reader::name;
use crate::{Effort, MoveName, Subject, mate_line};
use game::{Ending, Game, MoveCode, Score};
use tree::{Proof, Tree};

impl Session {
    /// Returns the line that is expected after `first` at the root, as far as the tree contains it now.
    pub fn recorded_line(&self, first: MoveCode) -> Vec<MoveCode> {
        let child = self.tree().child_by_move(Tree::ROOT, first);
        let after = child.map_or_else(Vec::new, |child| self.reader().best_moves(child));
        std::iter::once(first).chain(after).collect()
    }

    /// Returns the line that is expected with a move of the root, of which `recorded` is what a search recorded, and `score`
    /// the value from the view of the side that plays it. Behind that it goes on as far as a proof or the transposition
    /// table knows. All moves are legal. The line ends where a position repeats or the game is over, but not in a mate
    /// unless the score is one: then it is newer than the score, and ends before the move that nobody would play.
    pub fn expected_line(&self, recorded: Vec<MoveCode>, score: Score) -> Vec<MoveName> {
        let child = recorded
            .first()
            .and_then(|&first| self.tree().child_by_move(Tree::ROOT, first));
        let mut at = self.subject().clone();
        let line = match child.filter(|_| score.is_decided()) {
            Some(child) => {
                let proof = self.tree().node(child).proof().one_ply_up();
                up_to_the_mate(&at, recorded, proof)
            }
            None => recorded,
        };
        let mut names = Vec::new();
        let mut known = line.into_iter();
        while names.len() < LONGEST {
            let next = known.next();
            let next = next.or_else(|| self.run.tables.best_move(at.position.key()));
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
            if ending.is_some_and(Ending::is_lost) && !score.is_decided() {
                names.truncate(names.len().saturating_sub(2).max(1));
            }
            if seen.times > 0 || ending.is_some() {
                break;
            }
        }
        names
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

/// Completes a line whose result is proven with everything up to the mate, as far as that is found quickly.
fn up_to_the_mate(at: &Subject, line: Vec<MoveCode>, proof: Proof) -> Vec<MoveCode> {
    match proof.is_exact() {
        true => mate_line::complete(at, line, proof.lower, mate_line::FOR_A_REPORT).moves,
        false => line,
    }
}
