//! The options shared by the commands that run several searches side by side.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::options::{Defaults, EngineOptions, LimitOptions, MachineOptions};
use algorithms::Algorithm;
use external::EngineSpec;
use search::Recorded;
use session::Budget;
use session::{Config, Subject, default_memory};
use studies::compare::ColumnSpec;
use tui::config;

/// The largest number of columns. More would not be readable side by side.
const MOST: usize = 8;

/// Returns the text that identifies a column in a record: also an external engine's command and options, since its name
/// alone does not identify the program.
pub fn identity(column: &ColumnSpec) -> String {
    match column {
        ColumnSpec::Own(_) => column.to_string(),
        ColumnSpec::External(e) => {
            let set: Vec<String> = e.options.iter().map(|(k, v)| format!("{k}={v}")).collect();
            [std::slice::from_ref(&e.name), &e.command, &set]
                .concat()
                .join(" ")
        }
    }
}

/// Which searches to run, and the budget of each.
#[derive(Args, Debug, Clone)]
#[command(
    mut_arg("nodes", |arg| arg.help("Budget of each column: nodes (100000, 500k, 2M)")),
    mut_arg("time", |arg| arg.help(
        "Budget of each column: CPU time, added up over its threads (500ms, 10s)"
    )),
    mut_arg("depth", |arg| arg.help(
        "Budget of each column: a depth-first search finishes iteration N; a best-first one ends when its best line is N plies \
         long and none of its moves has changed while the nodes doubled, or when nothing is left to expand above ply N"
    )),
    mut_arg("threads", |arg| arg.help("Search threads of each column [default: 1, which makes results reproducible]")),
    mut_arg("memory", |arg| arg.help(
        "Memory for each column's tree (512M, 2G) [default: the columns share a quarter of the machine's, at most 4G]"
    ))
)]
pub struct ColumnOptions {
    /// Add a column (repeatable): an algorithm, optionally with its options (mcts, distress:width=0.5,ties=essay) [default:
    /// all algorithms]
    #[arg(short, long, value_name = "NAME[:KEY=VALUE,…]")]
    algorithm: Vec<String>,

    #[command(flatten)]
    engines: EngineOptions,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    machine: MachineOptions,

    /// How many threads may run at a time, over all columns [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    cores: Option<u16>,

    /// Set an option in every column that has it (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Refuses more columns than can be read side by side.
fn fits(count: usize) -> Result<(), Failure> {
    match count <= MOST {
        true => Ok(()),
        false => Err(Failure::Usage(format!(
            "found {count} columns, expected 1 to {MOST}"
        ))),
    }
}

impl ColumnOptions {
    /// Returns the columns, algorithms first. Their trees share the machine's memory, `at_a_time` of them at once.
    ///
    /// # Errors
    /// If a column cannot be made, if there are too many of them, or if none of them has a given option.
    pub fn columns(&self, at_a_time: impl Fn(usize) -> usize) -> Result<Vec<ColumnSpec>, Failure> {
        self.columns_or(&Algorithm::COMPARED, at_a_time)
    }

    /// Returns the columns like [`ColumnOptions::columns`]; without any, those of `default`.
    ///
    /// # Errors
    /// See [`ColumnOptions::columns`].
    pub fn columns_or(
        &self,
        default: &[Algorithm],
        at_a_time: impl Fn(usize) -> usize,
    ) -> Result<Vec<ColumnSpec>, Failure> {
        let all: Vec<String>;
        let mut names = &self.algorithm;
        if self.algorithm.is_empty() {
            all = default.iter().map(|a| a.name().to_owned()).collect();
            names = &all;
        }
        let count = names.len() + self.engines.engine.len();
        fits(count)?;
        let base = self.base(at_a_time(count))?;
        let mut columns = Vec::with_capacity(count);
        for text in names {
            let column = ColumnSpec::parse(text, &base)
                .map_err(|e| Failure::Usage(format!("-a {text}: {e}")))?;
            columns.push(column);
        }
        self.set_everywhere(&mut columns)?;
        columns.extend(self.engines()?.into_iter().map(ColumnSpec::External));
        Ok(columns)
    }

    /// Returns the external engines, which may be named as in the user's configuration.
    fn engines(&self) -> Result<Vec<EngineSpec>, Failure> {
        if self.engines.engine.is_empty() {
            return Ok(Vec::new());
        }
        let known = config::own().map_err(Failure::Input)?.engines;
        self.engines.specs(&known)
    }

    /// Returns the configuration that the columns share. Of the user's configuration memory and endgame tables hold, but neither
    /// the algorithm nor the threads: comparisons name their columns, and those of one thread can be repeated.
    fn base(&self, at_a_time: usize) -> Result<Config, Failure> {
        let own = Defaults::own(self.machine.syzygy.is_none())?;
        let at_a_time = at_a_time.max(1) as u64;
        let own_share = own.memory.map(|bytes| bytes / at_a_time);
        let memory = self.machine.memory.or(own_share);
        Ok(Config {
            threads: self.threads(),
            seed: self.machine.seed,
            endgames: self.machine.endgames()?.or(own.endgames),
            ..Config::new(Algorithm::DEFAULT)
        }
        .within(memory.unwrap_or_else(|| default_memory() / at_a_time)))
    }

    fn set_everywhere(&self, columns: &mut [ColumnSpec]) -> Result<(), Failure> {
        for pair in &self.set {
            let key = pair.split('=').next().unwrap_or_default().trim();
            let mut refusal = None;
            let mut set = false;
            for column in columns.iter_mut() {
                let ColumnSpec::Own(config) = column else {
                    continue;
                };
                let known = config.options.iter().any(|(spec, _)| spec.key == key);
                match config.options.set_pair(pair) {
                    Ok(()) => set = true,
                    Err(e) if known || !pair.contains('=') => return Err(e.into()),
                    Err(e) => refusal = Some(e),
                }
            }
            if let (false, Some(refusal)) = (set, refusal) {
                return Err(refusal.into());
            }
        }
        Ok(())
    }

    /// Returns the one algorithm that is named; the options of `--set` are not among its own. The trees share the machine's
    /// memory, `at_a_time` of them at once.
    ///
    /// # Errors
    /// If not exactly one algorithm of plyscope's own is named.
    pub fn one(&self, at_a_time: usize) -> Result<ColumnSpec, Failure> {
        let [name] = self.algorithm.as_slice() else {
            let found = self.algorithm.len();
            return Err(Failure::Usage(format!(
                "found {found} algorithms, expected one (-a NAME)"
            )));
        };
        if !self.engines.engine.is_empty() {
            let why = "found an engine, expected one of plyscope's own algorithms";
            return Err(Failure::Usage(why.into()));
        }
        ColumnSpec::parse(name, &self.base(at_a_time)?)
            .map_err(|e| Failure::Usage(format!("-a {name}: {e}")))
    }

    /// Returns the options of `--set`, as given.
    pub fn set(&self) -> &[String] {
        &self.set
    }

    /// Whether any columns are named.
    pub fn are_named(&self) -> bool {
        !self.algorithm.is_empty() || !self.engines.engine.is_empty()
    }

    /// Returns the threads of another program's search as columns, as many as there is room for, and plyscope's own search of its
    /// kind, if it knows the game.
    ///
    /// # Errors
    /// See [`ColumnOptions::columns`].
    pub fn recorded(
        &self,
        threads: Vec<Arc<dyn Recorded>>,
        knows_game: bool,
    ) -> Result<Vec<ColumnSpec>, Failure> {
        let threads = threads.into_iter().take(MOST - 1);
        let base = self.base(threads.len() + 1)?;
        let mut columns: Vec<Config> = threads.map(|thread| base.reading(thread)).collect();
        let own = columns.first().filter(|_| knows_game);
        if let Some(algorithm) = own.map(|of| of.algorithm.rival()) {
            columns.push(Config {
                algorithm,
                options: algorithm.default_options(),
                ..base
            });
        }
        let mut columns = columns.into_iter().map(ColumnSpec::Own).collect::<Vec<_>>();
        self.set_everywhere(&mut columns)?;
        Ok(columns)
    }

    /// Returns the searches of these traces as columns beside others.
    ///
    /// # Errors
    /// If one has no search of this position, or there are too many columns.
    pub fn traces(
        &self,
        files: &[PathBuf],
        root: &Subject,
        columns: &mut Vec<ColumnSpec>,
    ) -> Result<(), Failure> {
        let count = columns.len() + files.len();
        fits(count)?;
        let base = self.base(count)?;
        for file in files {
            let recorded = games::trace::first_in(file, root)?;
            columns.push(ColumnSpec::Own(base.reading(recorded)));
        }
        Ok(())
    }

    /// Returns the budget of each column: `default` nodes if none is given.
    ///
    /// # Errors
    /// If more than one is given.
    pub fn budget(&self, default: u64) -> Result<Budget, Failure> {
        self.limits.budget(default)
    }

    /// Returns the number of threads per column.
    pub fn threads(&self) -> usize {
        self.machine.threads.map_or(1, usize::from)
    }

    /// Returns the number of threads that may run at a time.
    pub fn cores(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.cores.map_or_else(all, usize::from)
    }

    /// Returns how many columns may search at a time.
    pub fn at_a_time(&self) -> usize {
        (self.cores() / self.threads()).max(1)
    }

    /// Returns the number of threads as given, without its default.
    pub fn given_threads(&self) -> Option<usize> {
        self.machine.threads.map(usize::from)
    }

    /// Returns the folders of endgame tables as given, on the command line or in the configuration.
    pub fn syzygy(&self) -> Option<PathBuf> {
        let own = || config::own().ok()?.syzygy;
        self.machine.syzygy.clone().or_else(own)
    }

    /// Returns the memory as given, on the command line or in the configuration, without its default.
    pub fn memory(&self) -> Option<u64> {
        let own = || config::own().ok()?.memory;
        self.machine.memory.or_else(own)
    }

    pub fn seed(&self) -> u64 {
        self.machine.seed
    }
}
