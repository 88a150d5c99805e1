//! The review of a game: several columns evaluate all its positions in the background, coarse to fine.

mod annotate;
mod desk;
mod disagreement;
mod found;
mod marks;
mod order;
mod work;

use std::sync::Arc;

use super::compare::{Budget, ColumnSpec};
use super::external::Trouble;
use super::run::spawn;
use super::{MoveName, reader};
use crate::game::{Game, Side, Situation, Subject};
use desk::Desk;

pub use annotate::Wanted;
pub use disagreement::{Disagreement, disagreement, rank};
pub use found::{Found, SHARES};
pub use marks::{FORMULA, Loss, Mark, MarkKind, Tally, chances, loss, mark, tally};
pub use order::coarse_to_fine;

/// A review under way. All that reads is quick and waits for no search; dropping it ends the searches, in the
/// background.
///
/// Ply 0 is the position before the first move; a *move of ply p* is the one played there, which led to ply p + 1.
#[derive(Debug)]
pub struct Review {
    desk: Arc<Desk>,
    /// The move of each ply but the last; `None` for a null move.
    played: Vec<Option<MoveName>>,
}

impl Review {
    /// Starts to search the positions of a game, in its order and with their history; `budget` is for each position
    /// and column (an unlimited one would never leave the first). `cores` searches run at a time, each of ours on one
    /// thread. Does not wait for anything.
    #[must_use]
    pub fn start(
        positions: Vec<Subject>,
        columns: Vec<ColumnSpec>,
        budget: Budget,
        cores: usize,
    ) -> Review {
        let pairs = positions.windows(2);
        let played = pairs.map(|pair| played(&pair[0], &pair[1])).collect();
        let workers = cores.max(1);
        let desk = Arc::new(Desk::new(positions, columns, budget, workers));
        let mut trouble = None;
        let mut started = 0;
        for worker in 0..workers {
            let shared = Arc::clone(&desk);
            match spawn(format!("review-{worker}"), move || {
                work::work(&shared, worker);
            }) {
                Ok(_) => started += 1,
                Err(error) => trouble = Some(error),
            }
        }
        if let Some(error) = trouble.filter(|_| started == 0) {
            for column in 0..desk.columns.len() {
                let message = format!("no thread could be started ({error})");
                let last_lines = Vec::new();
                desk.give_up(
                    column,
                    Trouble {
                        message,
                        last_lines,
                    },
                );
            }
        }
        Review { desk, played }
    }

    /// Positions of the game: one more than moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.desk.positions.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.desk.positions.is_empty()
    }

    #[must_use]
    pub fn columns(&self) -> &[ColumnSpec] {
        &self.desk.columns
    }

    #[must_use]
    pub fn budget(&self) -> Budget {
        self.desk.budget
    }

    /// The position of a ply, with the game before it.
    #[must_use]
    pub fn position(&self, ply: usize) -> Option<&Subject> {
        self.desk.positions.get(ply)
    }

    /// The move played at a ply; `None` at the last, and for a null move.
    #[must_use]
    pub fn played(&self, ply: usize) -> Option<&MoveName> {
        self.played.get(ply)?.as_ref()
    }

    /// What a column found at a ply, once it has.
    #[must_use]
    pub fn result(&self, column: usize, ply: usize) -> Option<Arc<Found>> {
        self.desk.result(column, ply).cloned()
    }

    /// Why nothing (more) comes from a column.
    #[must_use]
    pub fn trouble(&self, column: usize) -> Option<Trouble> {
        self.desk.trouble(column).cloned()
    }

    /// How many results there are, and how many there will be; a column in trouble brings no more.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        self.desk.progress()
    }

    /// Whether every column that can has found something in every position.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let (done, all) = self.progress();
        done == all
    }

    /// Whether it is at work: not complete, not paused, not stopped.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !self.is_complete() && !self.desk.is_halted()
    }

    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.desk.is_paused()
    }

    /// Changes when there is something new to show.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.desk.generation()
    }

    /// Somebody looks at this ply: it comes next with its neighbours, then the others go on in their order.
    pub fn prefer(&self, ply: usize) {
        self.desk.prefer(ply);
    }

    /// Halts the searches where they are.
    pub fn pause(&self) {
        self.desk.set_paused(true);
    }

    pub fn resume(&self) {
        self.desk.set_paused(false);
    }

    /// Ends it for good; what was found stays. Does not wait.
    pub fn stop(&self) {
        self.desk.stop();
    }

    /// The moves that lost something in a column's eyes, by the ply they were played at.
    #[must_use]
    pub fn marks(&self, column: usize) -> Vec<Option<Mark>> {
        self.judged(column, mark)
    }

    /// What each move lost in a column's eyes, by the ply it was played at.
    #[must_use]
    pub fn losses(&self, column: usize) -> Vec<Option<Loss>> {
        self.judged(column, loss)
    }

    /// `judge` of the results before and after each move.
    fn judged<T>(
        &self,
        column: usize,
        judge: impl Fn(&Found, &Found, &MoveName) -> Option<T>,
    ) -> Vec<Option<T>> {
        let result = |ply| self.desk.result(column, ply);
        let moves = self.played.iter().enumerate();
        let judged =
            moves.map(|(ply, played)| judge(result(ply)?, result(ply + 1)?, played.as_ref()?));
        judged.collect()
    }

    /// The losses of White's and of Black's moves in a column's eyes.
    #[must_use]
    pub fn tally(&self, column: usize) -> [Tally; 2] {
        let losses = self.losses(column).into_iter().enumerate();
        // Of moves whose positions were both searched.
        let searched = |ply: usize| {
            self.played(ply)?;
            self.desk.result(column, ply)?;
            self.desk.result(column, ply + 1)
        };
        tally(losses.filter_map(|(ply, loss)| {
            searched(ply)?;
            Some((self.side(ply)?, loss))
        }))
    }

    /// Who is to move at a ply.
    #[must_use]
    pub fn side(&self, ply: usize) -> Option<Side> {
        Some(found::to_move(self.position(ply)?))
    }

    /// How far the columns are apart at a ply; `None` while fewer than two have a value there.
    #[must_use]
    pub fn disagreement(&self, ply: usize) -> Option<Disagreement> {
        let columns = 0..self.columns().len();
        let found: Vec<Option<&Found>> = columns
            .map(|column| self.desk.result(column, ply).map(Arc::as_ref))
            .collect();
        disagreement(ply, &found)
    }

    /// The `most` positions in which the columns disagree most: see [`rank`].
    #[must_use]
    pub fn disagreements(&self, most: usize) -> Vec<Disagreement> {
        let plies = 0..self.len();
        rank(
            plies.filter_map(|ply| self.disagreement(ply)).collect(),
            most,
        )
    }
}

impl Drop for Review {
    fn drop(&mut self) {
        self.desk.stop();
    }
}

/// The move that leads from one position to the next, if any does.
fn played(before: &Subject, after: &Subject) -> Option<MoveName> {
    fn find<G: Game>(before: &Situation<G>, after: &Situation<G>) -> Option<MoveName> {
        let position = &before.position;
        let leads_there = |&m: &G::Move| {
            let mut next = position.clone();
            next.play(m);
            next.key() == after.position.key()
        };
        let m = position.legal_moves().into_iter().find(leads_there)?;
        Some(reader::name(position, m))
    }
    match (before, after) {
        (Subject::Chess(before), Subject::Chess(after)) => find(before, after),
        (Subject::Toy(before), Subject::Toy(after)) => find(before, after),
        _ => None,
    }
}
