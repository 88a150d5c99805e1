//! Works through the positions or openings of a sweep, in the background.

use super::{Found, Judge, Material, Sweep, Tried};
use crate::calibration::Case;
use crate::kept::Kept;
use crate::searched::Labelled;
use crate::{PlanError, Position};
use search::Rule;
use session::Budget;
use session::Subject;
use session::jobs::{BackgroundJob, Pool, Shared, Worker};
use studies::compare::ColumnSpec;
use studies::suite::{ColumnRunner, Problem, Task};

/// One prune in this many is audited by [`Judge::Audit`].
pub const AUDITED: u32 = 8;

/// The nodes of each search that judges moves, by [`Judge::Loss`].
pub const JUDGE_NODES: u64 = 200_000;

/// What the variants are tried on.
#[derive(Clone, Debug)]
pub enum Units {
    Problems(Vec<Problem>),
    /// Positions with values and best moves, which the job reads first.
    Labelled(Labelled),
    /// The openings with these numbers, from 0.
    Openings(Vec<usize>),
}

impl Units {
    pub fn len(&self) -> usize {
        match self {
            Units::Problems(problems) => problems.len(),
            Units::Labelled(labelled) => labelled.most(),
            Units::Openings(numbers) => numbers.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns them with everything read that the judge can use.
    fn read(self, judge: Judge) -> Result<Units, String> {
        let Units::Labelled(labelled) = self else {
            return Ok(self);
        };
        let mut problems = Units::of_cases(labelled.cases()?);
        problems.retain(|problem| judge.can_use(&problem.task));
        Ok(Units::Problems(problems))
    }

    /// Returns labelled positions as units, numbered from 1.
    pub fn of_cases(cases: Vec<Case>) -> Vec<Problem> {
        let problem = |(case, number): (Case, usize)| {
            let task = Task::labelled(case.verdict, case.best);
            Units::problem(number, String::new(), case.subject, task)
        };
        cases.into_iter().zip(1..).map(problem).collect()
    }

    /// Returns positions without a task as units, numbered from 1.
    pub fn of_positions(positions: Vec<Position>) -> Vec<Problem> {
        let problem = |(position, number): (Position, usize)| {
            let task = Task::labelled(None, Vec::new());
            Units::problem(number, position.title, position.subject, task)
        };
        positions.into_iter().zip(1..).map(problem).collect()
    }

    /// Returns a position as a unit.
    pub fn problem(number: usize, title: String, subject: Subject, task: Task) -> Problem {
        Problem {
            number,
            title,
            fen: subject.position.fen().unwrap_or_default(),
            subject,
            task,
        }
    }

    /// The number under which the figures of a unit stand, from 1.
    fn number(&self, place: usize) -> usize {
        match self {
            Units::Problems(problems) => problems[place].number,
            Units::Labelled(_) => place + 1,
            Units::Openings(numbers) => numbers[place] + 1,
        }
    }
}

/// What to try, and how it is judged.
#[derive(Clone, Debug)]
pub struct Plan {
    pub judge: Judge,
    /// The names of the variants, what is built in first.
    pub names: Vec<String>,
    /// The variants.
    pub columns: Vec<ColumnSpec>,
    /// The rule whose prunes are audited; `None` means all rules.
    pub rule: Option<Rule>,
    /// What each search may spend; of a move, in games.
    pub budget: Budget,
    pub units: Units,
    /// The nodes of each search of the judge of moves.
    pub judge_nodes: u64,
    /// The seed of openings and games.
    pub seed: u64,
    /// The number of searches or games at a time.
    pub at_a_time: usize,
}

impl Plan {
    /// Creates a plan; the rule to be audited is the one whose options are varied.
    ///
    /// # Errors
    /// If the judge can do nothing with the algorithm, the units or the budget.
    pub fn new(
        judge: Judge,
        tried: &Tried,
        mut columns: Vec<ColumnSpec>,
        budget: Budget,
        units: Units,
    ) -> Result<Plan, PlanError> {
        let plays = judge.material() == Material::Openings;
        if plays && !matches!(budget, Budget::Nodes(_)) {
            return Err(PlanError::NodesOnly(budget.to_string()));
        }
        if units.is_empty() {
            return Err(PlanError::NoPosition);
        }
        for column in &mut columns {
            match column {
                ColumnSpec::Own(config) if judge == Judge::Audit => {
                    let audit = config.options.set("audit", &AUDITED.to_string());
                    audit.map_err(|_| PlanError::NoAudits(config.algorithm))?;
                }
                ColumnSpec::Own(_) => {}
                ColumnSpec::External(engine) => {
                    return Err(PlanError::ExternalPlayer(engine.name.clone()));
                }
            }
        }
        let rule = (judge == Judge::Audit).then(|| rule_of(tried)).flatten();
        Ok(Plan {
            judge,
            names: tried.names.clone(),
            columns,
            rule,
            budget,
            units,
            judge_nodes: JUDGE_NODES,
            seed: 0,
            at_a_time: 1,
        })
    }
}

/// The rule whose options are varied, if it is one.
fn rule_of(tried: &Tried) -> Option<Rule> {
    let of = |key: &str| {
        let rules = algorithms::RULES.iter().map(|row| row.rule);
        let mut rules = rules.filter(|rule| {
            let rest = key.strip_prefix(rule.name());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        rules.next()
    };
    let mut rules = tried.keys().map(of);
    let first = rules.next()??;
    rules.all(|rule| rule == Some(first)).then_some(first)
}

/// Starts a sweep. A unit is a position or an opening, with what all variants did there.
///
/// # Errors
/// If the system starts no thread.
pub fn start(
    plan: Plan,
    kept: Kept<Option<Vec<Found>>>,
) -> Result<BackgroundJob<Sweep>, PlanError> {
    let nothing = Sweep {
        judge: plan.judge,
        rule: plan.rule.map(Rule::name),
        names: plan.names.clone(),
        positions: Vec::new(),
        left_out: 0,
        fault: None,
    };
    let most = plan.units.len();
    let pool = Pool::new("lab", plan.at_a_time.min(most), (0, most));
    let job = BackgroundJob::drive(pool, nothing, move |shared| {
        match plan.units.clone().read(plan.judge) {
            Ok(units) => Plan { units, ..plan }.work(kept, shared),
            Err(what) => {
                shared.update(|sweep| sweep.fault = Some(what));
                None
            }
        }
    })?;
    Ok(job)
}

impl Plan {
    /// Works through what is not known; `None` if it was stopped.
    fn work(&self, mut kept: Kept<Option<Vec<Found>>>, shared: &Shared<Sweep>) -> Option<()> {
        let (units, pool) = (&self.units, &shared.pool);
        pool.leave_out(pool.progress().1.saturating_sub(units.len()));
        let enter = |sweep: &mut Sweep, place: usize, found| {
            sweep.enter(units.number(place), found);
        };
        let open = kept.enter_known(shared, (units.len(), 1), enter);
        let runner = || ColumnRunner::new(&self.columns, self.budget);
        let find = |runner: &mut ColumnRunner, place: usize, worker: &Worker| {
            self.look(place, runner, worker).ok()
        };
        kept.pass(shared, &open, runner, find, enter)
    }
}

#[cfg(test)]
mod tests;
