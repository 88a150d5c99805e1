//! What each variant does with one position, or with one opening.

use std::collections::HashMap;

use super::run::{Plan, Units};
use super::{Found, Judge};
use crate::audit::audits_of;
use crate::cuts;
use crate::losses::{Player, Referee, Stopped, mixed, opening, play};
use game::MoveCode;
use search::StopReason;
use session::jobs::Worker;
use session::{Budget, Config, Session};
use studies::compare::{ColumnSpec, Face};
use studies::suite::{ColumnRunner, Outcome, Problem};

/// What one search of a position came to.
struct Searched {
    outcome: Outcome,
    best: Option<MoveCode>,
    /// The audited prunes, and how many of them were wrong.
    audited: (u64, u64),
}

impl Plan {
    /// Returns what all variants do with a unit of the work; `None` if one of them has no figure.
    pub(super) fn look(
        &self,
        place: usize,
        runner: &mut ColumnRunner,
        worker: &Worker,
    ) -> Result<Option<Vec<Found>>, Stopped> {
        match &self.units {
            Units::Problems(problems) => self.search(&problems[place], runner, worker),
            Units::Openings(numbers) => self.play(numbers[place], worker).map(Some),
            // They have been read.
            Units::Labelled(_) => Ok(None),
        }
    }

    fn search(
        &self,
        problem: &Problem,
        runner: &mut ColumnRunner,
        worker: &Worker,
    ) -> Result<Option<Vec<Found>>, Stopped> {
        let judged = (self.judge == Judge::Loss).then(|| Judged::of(self, problem, worker));
        let mut judged = judged.transpose()?;
        let mut all = Vec::with_capacity(self.columns.len());
        for column in 0..self.columns.len() {
            let searched = self.searched(problem, column, runner, worker)?;
            let outcome = &searched.outcome;
            let figure = match self.judge {
                Judge::Solved => outcome.solved.map(|solved| f64::from(u8::from(solved))),
                Judge::Points => { outcome.points.zip(problem.task.possible()) }
                    .map(|(points, most)| f64::from(points) / f64::from(most.max(1))),
                Judge::Belief => outcome.crps,
                Judge::Loss => match (&mut judged, searched.best) {
                    (Some(judged), Some(best)) => judged.loss(best, worker)?,
                    _ => None,
                },
                Judge::Audit => {
                    let (tried, failed) = searched.audited;
                    (tried > 0).then(|| failed as f64 / tried as f64)
                }
                Judge::Match => None,
            };
            let found = figure.map(|figure| Found {
                figure,
                nodes: Some(outcome.nodes),
                depth: outcome.depth,
            });
            all.push(found);
        }
        Ok(all.into_iter().collect())
    }

    fn searched(
        &self,
        problem: &Problem,
        column: usize,
        runner: &mut ColumnRunner,
        worker: &Worker,
    ) -> Result<Searched, Stopped> {
        let halted = || worker.pool.is_stopped();
        let look = |face: Face| Searched {
            best: face.summary().best.map(|best| best.code),
            audited: match face {
                Face::Own(session) => self.audited(session),
                Face::External(_) | Face::Traced(..) => (0, 0),
            },
            outcome: Outcome::of(&problem.task, face),
        };
        let searched = runner.search(&problem.subject, column, halted, look);
        let searched = searched.map_err(|_| Stopped)?;
        match searched.outcome.stopped_by {
            None | Some(StopReason::User | StopReason::Fault) => Err(Stopped),
            Some(_) => Ok(searched),
        }
    }

    /// The audited prunes of the rule in question, or the audited probabilistic cuts, and how many were wrong.
    fn audited(&self, session: &Session) -> (u64, u64) {
        let rows = audits_of(session.control()).into_iter();
        let rows = rows.filter(|row| self.rule.is_none_or(|rule| rule == row.rule));
        let cuts = cuts::audited(&session.reader()).into_iter();
        rows.map(|row| (row.tried, row.failed))
            .chain(cuts.map(|cut| (1, u64::from(!cut.held))))
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Lets every variant play what is built in, from one opening and with both colours.
    fn play(&self, number: usize, worker: &Worker) -> Result<Vec<Found>, Stopped> {
        let Budget::Nodes(nodes) = self.budget else {
            return Err(Stopped);
        };
        let start = opening(number, self.seed, worker)?;
        let config = |column: usize| match &self.columns[column] {
            ColumnSpec::Own(config) => Ok(config),
            ColumnSpec::External(_) => Err(Stopped),
        };
        let score = |variant: usize| {
            let mut halves = 0;
            for white in 0..2 {
                let game = 2 * number + white;
                let player = |side: usize, config: &Config| {
                    Player::new(config, nodes, mixed(self.seed, 2 * game + side, 0))
                };
                let players = [player(0, config(variant)?), player(1, config(0)?)];
                halves += play(start.clone(), white, players, worker)?
                    .outcome
                    .halves();
            }
            Ok(halves as f64 / 4.0)
        };
        (0..self.columns.len())
            .map(|variant| {
                let figure = match variant {
                    // Against itself it would score as much.
                    0 => 0.5,
                    _ => score(variant)?,
                };
                Ok(Found {
                    figure,
                    nodes: None,
                    depth: None,
                })
            })
            .collect()
    }
}

/// A deep search's opinion of the moves of one position.
struct Judged<'a> {
    plan: &'a Plan,
    problem: &'a Problem,
    /// The value after the judge's own move; `None` if it has none.
    most: Option<f64>,
    /// The values after other moves.
    known: HashMap<MoveCode, Option<f64>>,
}

impl<'a> Judged<'a> {
    fn of(plan: &'a Plan, problem: &'a Problem, worker: &Worker) -> Result<Self, Stopped> {
        let mut judged = Judged {
            plan,
            problem,
            most: None,
            known: HashMap::new(),
        };
        let own = plan.referee().search(&problem.subject, worker)?;
        if let Some(best) = own.and_then(|verdict| verdict.best) {
            judged.most = judged.value(best, worker)?;
        }
        Ok(judged)
    }

    /// The value after a move, in points of the game.
    fn value(&mut self, m: MoveCode, worker: &Worker) -> Result<Option<f64>, Stopped> {
        if let Some(value) = self.known.get(&m) {
            return Ok(*value);
        }
        let verdict = self
            .plan
            .referee()
            .after(&self.problem.subject, m, worker)?;
        let value = verdict.map(|verdict| verdict.value);
        self.known.insert(m, value);
        Ok(value)
    }

    /// What a move gives away; 0 if the judge finds it better than its own.
    fn loss(&mut self, m: MoveCode, worker: &Worker) -> Result<Option<f64>, Stopped> {
        let value = self.value(m, worker)?;
        Ok(self
            .most
            .zip(value)
            .map(|(most, value)| (most - value).max(0.0)))
    }
}

impl Plan {
    /// The search that judges moves.
    fn referee(&self) -> Referee {
        Referee::new(&Config::new(crate::ALGORITHM), self.judge_nodes)
    }
}
