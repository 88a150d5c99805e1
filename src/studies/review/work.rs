//! One search of a review: by one column in one position.

use std::sync::{Arc, Mutex, PoisonError};

use super::Found;
use super::queue::Search;
use crate::compare::ColumnSpec;
use external::{EngineSpec, External, Trouble};
use search::common::table::Tables;
use search::{Cores, StopReason};
use session::Budget;
use session::jobs::Worker;
use session::{Config, Session, State, Subject};

/// What is reviewed, by which columns, and what each search may spend.
#[derive(Debug)]
pub(super) struct Plan {
    pub positions: Vec<Subject>,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
}

/// The engine processes of external columns between two of their positions. They end with the review's last worker.
#[derive(Debug)]
pub(super) struct Programs(Vec<Mutex<Option<External>>>);

impl Programs {
    pub fn of(columns: usize) -> Self {
        Programs((0..columns).map(|_| Mutex::default()).collect())
    }

    fn take(&self, column: usize) -> Option<External> {
        let mut program = self.0[column].lock();
        program
            .as_deref_mut()
            .unwrap_or_else(|e| e.get_mut())
            .take()
    }

    fn put_back(&self, column: usize, program: External) {
        let slot = self.0[column].lock();
        *slot.unwrap_or_else(PoisonError::into_inner) = Some(program);
    }
}

impl Plan {
    /// Returns what the column found, or `None` if it was stopped.
    pub fn search(
        &self,
        at: Search,
        programs: &Programs,
        worker: &Worker,
    ) -> Result<Option<Found>, Trouble> {
        match &self.columns[at.column] {
            ColumnSpec::Own(config) => self.search_own(at, config, worker),
            ColumnSpec::External(spec) => self.ask(at, spec, programs, worker),
        }
    }

    /// Searches with one of plyscope's algorithms; returns no result if it was stopped. If the budget ends in an
    /// iteration that contradicts the previous one, that iteration is completed first, with at most [`LONGER`] times
    /// the budget.
    fn search_own(
        &self,
        at: Search,
        config: &Config,
        worker: &Worker,
    ) -> Result<Option<Found>, Trouble> {
        let mut config = sized(config, self.budget);
        // The second search uses what the first one found.
        config.tables = Some(Arc::new(Tables::new(config.table)));
        let (found, depth) = match self.search_once(at, &config, worker)? {
            Some(Searched { found, open: None }) => return Ok(Some(found)),
            Some(Searched {
                found,
                open: Some(depth),
            }) => (found, depth),
            None => return Ok(None),
        };
        let limits = &mut config.limits;
        limits.nodes = limits.nodes.map(|n| n.saturating_mul(LONGER));
        limits.cpu = limits.cpu.map(|t| t.saturating_mul(LONGER as u32));
        limits.depth = Some(depth);
        let again = self.search_once(at, &config, worker)?;
        Ok(again.map(
            |Searched {
                 found: longer,
                 open,
             }| {
                let (nodes, cpu) = (found.nodes + longer.nodes, found.cpu + longer.cpu);
                let best = if open.is_none() { longer } else { found };
                Found { nodes, cpu, ..best }
            },
        ))
    }

    /// Runs one search; returns no result if it was stopped.
    fn search_once(
        &self,
        at: Search,
        config: &Config,
        worker: &Worker,
    ) -> Result<Option<Searched>, Trouble> {
        let mut session = Session::start(self.positions[at.ply].clone(), config.clone());
        worker.watch(Some(Arc::clone(session.control())));
        session.join();
        worker.watch(None);
        match session.status() {
            status if status.state == State::Finished(StopReason::User) => Ok(None),
            status if matches!(status.state, State::Finished(_)) && session.fault().is_none() => {
                let reader = session.reader();
                let mut found = Found::read(&reader, &status);
                let iterations = session.iterations_after(0);
                let settled = found.settle(iterations.last(), &reader);
                let open = (!settled).then_some(found.depth + 1);
                Ok(Some(Searched { found, open }))
            }
            _ => {
                let why = session
                    .fault()
                    .map_or_else(String::new, |f| format!(": {f}"));
                Err(Trouble {
                    message: format!(
                        "{} broke off at ply {}{why}",
                        self.columns[at.column], at.ply
                    ),
                    last_lines: Vec::new(),
                })
            }
        }
    }

    /// Asks an external engine; returns no result if it was stopped.
    fn ask(
        &self,
        at: Search,
        spec: &EngineSpec,
        programs: &Programs,
        worker: &Worker,
    ) -> Result<Option<Found>, Trouble> {
        let subject = self.positions[at.ply].clone();
        let mut program = match programs.take(at.column) {
            Some(mut program) => {
                program.search(subject, self.budget);
                program
            }
            // The engine needs no turn on shared cores, because the worker waits while it searches.
            None => External::start(
                spec.clone().with_one_line(),
                subject,
                self.budget,
                Arc::new(Cores::new(1)),
            ),
        };
        while !program.wait(|| worker.pool.is_halted()) {
            if let Some(trouble) = program.trouble() {
                return Err(trouble);
            }
            if worker.pool.is_stopped() {
                return Ok(None);
            }
            program.pause();
            worker.pool.wait_while_paused();
            program.resume();
        }
        let found = Found::read(&program.reader(), &program.status());
        programs.put_back(at.column, program);
        Ok(Some(found))
    }
}

/// The maximum cost of completing an iteration, in multiples of the budget.
const LONGER: u64 = 4;

struct Searched {
    found: Found,
    /// The iteration that has to be completed before the position is judged.
    open: Option<u16>,
}

/// Returns the configuration for one thread, with memory for what the budget can fill.
pub fn sized(config: &Config, budget: Budget) -> Config {
    /// More than plyscope's searches need per node; memory that is not needed is not taken.
    const TREE_PER_NODE: u64 = 8 << 10;
    /// A table larger than the search fills costs time, because its pages are touched here and there.
    const TABLE_PER_NODE: u64 = 1 << 6;
    let size = |per_node: u64, least: u64, most: u64| match budget {
        Budget::Nodes(nodes) => nodes.saturating_mul(per_node).max(least).min(most),
        _ => most,
    };
    Config {
        limits: budget.limits(),
        threads: 1,
        memory: size(TREE_PER_NODE, 8 << 20, config.memory),
        table: size(TABLE_PER_NODE, 1 << 20, config.table),
        cores: None,
        ..config.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::ALGORITHMS;
    use game::Situation;
    use game::load::fen;
    use session::Subject;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn the_tree_is_never_full_before_the_budget_is_spent() {
        let position = fen::parse(KIWIPETE).expect("a FEN").position;
        let subject = Subject::from(Situation::new(position));
        for nodes in [1, 300, 20_000] {
            for row in &ALGORITHMS {
                let config = sized(&Config::new(row.algorithm), Budget::Nodes(nodes));
                let mut session = Session::start(subject.clone(), config);
                session.join();
                let status = session.status();
                let reason = State::Finished(StopReason::Nodes);
                assert_eq!(status.state, reason, "{} {nodes}", row.name);
                assert!(!status.tree_full, "{} {nodes}", row.name);
            }
        }
    }
}
