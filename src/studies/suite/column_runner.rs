//! Runs searches of many positions by several columns, one at a time.

use std::sync::Arc;

use crate::compare::{ColumnSpec, Face, PATIENCE, own_config};
use external::{EngineSpec, External};
use search::Cores;
use session::Budget;
use session::{Session, Subject};

/// Runs one search at a time, with a separate process for each column that is an external engine.
#[derive(Debug)]
pub struct ColumnRunner {
    columns: Vec<ColumnSpec>,
    budget: Budget,
    externals: Vec<Option<External>>,
    /// The number of consecutive failures, by column.
    troubles: Vec<usize>,
}

impl ColumnRunner {
    pub fn new(columns: &[ColumnSpec], budget: Budget) -> Self {
        ColumnRunner {
            columns: columns.to_vec(),
            budget,
            externals: columns.iter().map(|_| None).collect(),
            troubles: vec![0; columns.len()],
        }
    }

    /// Sets the budget of the searches to come.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Searches a position by one of the columns until its budget is spent or `halted` returns true, and reads the
    /// result.
    ///
    /// # Errors
    /// If the column failed. An engine with too many consecutive failures is not asked any more.
    pub fn search<T>(
        &mut self,
        subject: &Subject,
        column: usize,
        halted: impl Fn() -> bool,
        look: impl FnOnce(Face) -> T,
    ) -> Result<T, String> {
        match &self.columns[column] {
            ColumnSpec::Own(config) => {
                let config = own_config(config, self.budget, None);
                let mut session = Session::start(subject.clone(), config);
                session.wait(halted);
                Ok(look(Face::Own(&session)))
            }
            ColumnSpec::External(engine) => {
                let engine = engine.clone();
                self.ask(subject, column, engine, halted, look)
            }
        }
    }

    fn ask<T>(
        &mut self,
        subject: &Subject,
        column: usize,
        engine: EngineSpec,
        halted: impl Fn() -> bool,
        look: impl FnOnce(Face) -> T,
    ) -> Result<T, String> {
        if self.troubles[column] >= PATIENCE {
            let name = &engine.name;
            return Err(format!(
                "{name}: given up after {PATIENCE} troubles in a row"
            ));
        }
        let (subject, budget) = (subject.clone(), self.budget);
        let external = match self.externals[column].take() {
            Some(mut external) => {
                external.search(subject, budget);
                external
            }
            None => External::start(
                engine.with_one_line(),
                subject,
                budget,
                Arc::new(Cores::new(1)),
            ),
        };
        external.wait(halted);
        let found = look(Face::External(&external));
        if external.trouble().is_some() {
            self.troubles[column] += 1;
        } else {
            self.troubles[column] = 0;
            self.externals[column] = Some(external);
        }
        Ok(found)
    }
}
