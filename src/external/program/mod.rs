//! A program that sends an open trace of its search: started, steered, run again, ended. It speaks UCI, or nobody talks to it.
//!
//! Everything here returns at once: what waits are threads.

mod alone;
mod status;

use std::sync::Arc;

use open_trace::log::Log;
use search::Cores;
use session::{Budget, Subject};
use traced::{Source, Spooled};

use crate::trace::{Before, Filters, Trace, Tracing};
use crate::{EngineSpec, External, Told};
use alone::Alone;
pub use status::{ProgramState, ProgramStatus};

/// Which program to run, and how.
#[derive(Clone, Debug)]
pub struct ProgramSpec {
    /// The program; without `trace` it is traced as by default.
    pub engine: EngineSpec,
    /// What it is to search if it speaks UCI. A program that does not is only started, and searches what it likes.
    pub search: Option<(Subject, Budget)>,
}

/// A program at work. Its process is killed when this is dropped, with all that it started, and what it sent is removed.
#[derive(Debug)]
pub struct Program {
    spec: ProgramSpec,
    work: Work,
}

#[derive(Debug)]
enum Work {
    Alone(Arc<Alone>),
    Uci(Box<External>),
}

impl Program {
    /// Starts a program, without waiting for it.
    pub fn start(spec: ProgramSpec) -> Program {
        Program::start_after(spec, None)
    }

    fn start_after(mut spec: ProgramSpec, before: Option<&Before>) -> Program {
        spec.engine.trace.get_or_insert_default();
        let engine = spec.engine.clone();
        let work = match spec.search.clone() {
            None => Work::Alone(Alone::start(engine, before)),
            Some((subject, budget)) => {
                let cores = Arc::new(Cores::new(1));
                let external = External::start_after(engine, subject, budget, cores, before);
                Work::Uci(Box::new(external))
            }
        };
        Program { spec, work }
    }

    pub fn spec(&self) -> &ProgramSpec {
        &self.spec
    }

    fn trace(&self) -> Option<Arc<Trace>> {
        match &self.work {
            Work::Alone(alone) => alone.trace.clone(),
            Work::Uci(external) => external.engine.trace(),
        }
    }

    /// Returns what it sends. `None` if nothing could be prepared for it; the status says why. A program that speaks UCI and was
    /// started again has another log.
    pub fn log(&self) -> Option<Arc<Log>> {
        Some(Arc::clone(&self.trace()?.log))
    }

    /// Returns its log to be read as a search: one that speaks UCI is over when it has said its best move.
    pub fn source(&self) -> Option<Arc<dyn Source>> {
        let log = self.log()?;
        Some(match self.told() {
            Some(told) => Arc::new(Spooled::until(log, move || told.is_over())),
            None => Arc::new(Spooled::new(log)),
        })
    }

    /// Returns what it tells by UCI.
    pub fn told(&self) -> Option<Told> {
        match &self.work {
            Work::Alone(_) => None,
            Work::Uci(external) => Some(external.told()),
        }
    }

    /// Returns how it stands.
    pub fn status(&self) -> ProgramStatus {
        match &self.work {
            Work::Alone(alone) => alone.status(),
            Work::Uci(external) => status::of_uci(external),
        }
    }

    /// Gives a program that speaks UCI its next position. Another one searches what it likes.
    pub fn search(&mut self, subject: Subject, budget: Budget) {
        if let Work::Uci(external) = &mut self.work {
            self.spec.search = Some((subject.clone(), budget));
            external.search(subject, budget);
        }
    }

    /// Changes what it sends from now on.
    pub fn filter(&self, filters: &Filters) {
        if let Some(trace) = self.trace() {
            trace.filter(filters);
        }
    }

    /// Ends the search: by UCI, or by asking the program to end, which is killed if it does not within its patience.
    pub fn stop(&self) {
        match &self.work {
            Work::Alone(alone) => alone.quit(),
            Work::Uci(external) => external.stop(),
        }
    }

    /// Runs the same program again, with other filters and up to some event if one is given, in a new process with the same
    /// commands: for a program that speaks UCI, the last search. What it sends is compared with this run, as far as that has come.
    ///
    /// # Errors
    /// If runs of it took different courses before, or if there is nothing to compare with; one line.
    pub fn rerun(&self, filters: Filters, until: Option<u64>) -> Result<Program, String> {
        let trace = self.trace().ok_or("it could not be traced")?;
        if let Some(difference) = trace.parted() {
            return Err(format!("it can't be repeated: it {difference}"));
        }
        let mut spec = self.spec.clone();
        let tracing = spec.engine.trace.unwrap_or_default();
        spec.engine.trace = Some(Tracing {
            filters,
            until,
            ..tracing
        });
        let traced = self.told().and_then(|told| told.traced().cloned());
        let before = trace.before(traced.map_or(0, |traced| traced.search));
        Ok(Program::start_after(spec, Some(&before)))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // An `External` ends itself.
        if let Work::Alone(alone) = &self.work {
            alone.abandon();
        }
    }
}
