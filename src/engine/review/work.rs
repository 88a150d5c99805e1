//! The workers of a review: each takes one job after another.

use std::sync::Arc;

use super::Found;
use super::desk::{Desk, Job};
use crate::engine::compare::{Budget, ColumnSpec};
use crate::engine::external::{EngineSpec, External, Trouble};
use crate::engine::{Config, Session, State};
use crate::search::depth_first::table::Tables;
use crate::search::{Cores, StopReason};

/// Takes jobs until there are none.
pub(super) fn work(desk: &Desk, worker: usize) {
    while let Some(job) = desk.take() {
        let found = match &desk.columns[job.column] {
            ColumnSpec::Own(config) => search(desk, worker, job, config),
            ColumnSpec::External(spec) => ask(desk, job, spec),
        };
        match found {
            Ok(found) => desk.finish(job, found),
            Err(trouble) => desk.give_up(job.column, trouble),
        }
    }
    // Programs that nobody needs any more end.
    for column in 0..desk.columns.len() {
        let program = desk.program(column).take();
        drop(program);
    }
}

/// A search of our own; no result if it was stopped. Where the budget ends in an iteration that contradicts the one
/// before, that iteration is finished first, with at most [`LONGER`] times the budget.
fn search(desk: &Desk, worker: usize, job: Job, config: &Config) -> Result<Option<Found>, Trouble> {
    let mut config = sized(config, desk.budget);
    // What the first search found out serves the second.
    config.tables = Some(Arc::new(Tables::new(config.table)));
    let (found, depth) = match search_once(desk, worker, job, &config)? {
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
    let again = search_once(desk, worker, job, &config)?;
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

/// What an unfinished iteration may cost, in budgets.
const LONGER: u64 = 4;

struct Searched {
    found: Found,
    /// The iteration that has to be finished before the position is judged.
    open: Option<u16>,
}

/// One search; none if it was stopped.
fn search_once(
    desk: &Desk,
    worker: usize,
    job: Job,
    config: &Config,
) -> Result<Option<Searched>, Trouble> {
    let mut session = Session::start(desk.positions[job.ply].clone(), config.clone());
    desk.set_running(worker, Some(Arc::clone(&session.run.control)));
    session.join();
    desk.set_running(worker, None);
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
                    desk.columns[job.column], job.ply
                ),
                last_lines: Vec::new(),
            })
        }
    }
}

/// One thread, and memory for what the budget can fill.
fn sized(config: &Config, budget: Budget) -> Config {
    /// More than a search of ours grows for a node; none is taken that is not needed.
    const TREE_PER_NODE: u64 = 8 << 10;
    /// A table larger than the search fills costs time: its pages are touched here and there.
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

/// Another program's search; no result if it was stopped.
fn ask(desk: &Desk, job: Job, spec: &EngineSpec) -> Result<Option<Found>, Trouble> {
    let subject = desk.positions[job.ply].clone();
    let idle = desk.program(job.column).take();
    let mut program = match idle {
        Some(mut program) => {
            program.search(subject, desk.budget);
            program
        }
        // The worker itself waits while the program works: that is its turn.
        None => External::start(
            spec.clone().with_one_line(),
            subject,
            desk.budget,
            Arc::new(Cores::new(1)),
        ),
    };
    while !program.wait(|| desk.is_halted()) {
        if let Some(trouble) = program.trouble() {
            return Err(trouble);
        }
        if desk.is_stopped() {
            return Ok(None);
        }
        program.pause();
        desk.wait_while_paused();
        program.resume();
    }
    let found = Found::read(&program.reader(), &program.status());
    *desk.program(job.column) = Some(program);
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::load::fen;
    use crate::game::{Situation, Subject};
    use crate::search::ALGORITHMS;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn the_tree_is_never_full_before_the_budget_is_spent() {
        let position = fen::parse(KIWIPETE).expect("a FEN").position;
        let subject = Subject::Chess(Situation::new(position));
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
