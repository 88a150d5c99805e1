//! Works through a suite: with a record of the results, in parts, and with a progress bar.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use indicatif::ProgressBar;

use super::columns::{ColumnOptions, identity};
use super::failure::complain;
use super::fnv::Fnv;
use super::input::{Input, Inputs, OfGames};
use super::options::InputOptions;
use super::output;
use super::part::Part;
use super::shard::Shard;
use super::{Failure, headless, progress};
use report::sheet::letter;
use report::suite;
use report::text::Style;
use session::Budget;
use studies::compare::ColumnSpec;
use studies::suite::{Answers, Header, Plan, Problem, Record, Step, Task, run as work};

/// What is shown on the way.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    pub bar: bool,
    pub ascii: bool,
    /// One JSON object per position.
    pub each: bool,
    /// One line per position.
    pub verbose: bool,
}

/// A suite to work through.
pub struct Run<'a> {
    pub suite: &'a Suite,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// The names of the columns.
    pub names: &'a [String],
    pub options: &'a ColumnOptions,
    pub part: &'a Part,
}

impl Run<'_> {
    /// Works through what has no answer yet, until the end or Ctrl-C, and returns all answers in the order of the positions.
    ///
    /// # Errors
    /// If the record belongs to another run, or it or standard output cannot be written to.
    pub fn answers(self, watch: Watch) -> Result<Vec<Answers>, Failure> {
        let Run { suite, part, .. } = self;
        let plan = Plan {
            columns: self.columns,
            budget: self.budget,
            at_a_time: self.options.at_a_time(),
        };
        let (record, answers) = match &part.resume {
            Some(path) => {
                let header = suite.header(&plan.columns, plan.budget, self.options);
                let (record, answers) = Record::open(path, &header)?;
                (Some(record), answers)
            }
            None => (None, Vec::new()),
        };
        headless::catch_interrupt();
        let wanted = suite.wanted(part.shard);
        let mut progress = Progress::new(watch, self.names, record, wanted);
        progress.earlier(answers)?;
        let open = suite.open(&progress.answers, part.shard);
        work(&open, &plan, headless::interrupted, |step| {
            progress.take(step)
        });
        let mut answers = progress.finish()?;
        answers.sort_by_key(|a| a.number);
        Ok(answers)
    }
}

/// The positions to run.
pub struct Suite {
    pub problems: Vec<Problem>,
    pub untried: Vec<String>,
    /// A hash of the positions with their tasks.
    pub hash: String,
    /// Whether all lines could be read.
    pub verdict: Result<(), Failure>,
}

impl Suite {
    /// Reads the positions of an EPD file that have a task.
    ///
    /// # Errors
    /// If the file cannot be read or has none.
    pub fn gather(file: &Path) -> Result<Suite, Failure> {
        let input = InputOptions {
            file: Some(file.to_owned()),
            ..InputOptions::default()
        };
        let mut inputs = Inputs::gather(&input, OfGames::Start)?;
        let mut hash = Fnv::new();
        let (mut problems, mut untried) = (Vec::new(), Vec::new());
        for (i, input) in inputs.positions.drain(..).enumerate() {
            let title = input.title.clone().unwrap_or_default();
            match problem(i + 1, input, &mut hash) {
                Some(problem) => problems.push(problem),
                None => untried.push(title),
            }
        }
        if problems.is_empty() {
            let file = file.to_string_lossy();
            return Err(Failure::Input(format!(
                "{file}: found no position with bm, am, dm or points in c0, expected at least one"
            )));
        }
        Ok(Suite {
            problems,
            untried,
            hash: hash.to_string(),
            verdict: inputs.verdict(),
        })
    }

    fn header(&self, columns: &[ColumnSpec], budget: Budget, options: &ColumnOptions) -> Header {
        Header {
            plyscope_suite: Header::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            suite: self.hash.clone(),
            positions: self.problems.len(),
            columns: columns.iter().map(identity).collect(),
            budget: format!("{budget:?}"),
            threads: options.threads(),
            memory: options.memory(),
            seed: options.seed(),
            syzygy: options.syzygy().map(|p| p.display().to_string()),
        }
    }

    /// Returns the positions that have no answer yet.
    fn open(&self, answers: &[Answers], shard: Option<Shard>) -> Vec<Problem> {
        let done: BTreeSet<usize> = answers.iter().map(|a| a.number).collect();
        let own = self.problems.iter().enumerate();
        let own = own.filter(|(place, _)| shard.is_none_or(|s| s.has(*place)));
        let open = own.map(|(_, p)| p).filter(|p| !done.contains(&p.number));
        open.cloned().collect()
    }

    /// The number of positions that a part of the work has.
    pub fn wanted(&self, shard: Option<Shard>) -> usize {
        let places = 0..self.problems.len();
        places
            .filter(|place| shard.is_none_or(|s| s.has(*place)))
            .count()
    }
}

/// Returns the position's task, or `None` if it has none.
fn problem(number: usize, input: Input, hash: &mut Fnv) -> Option<Problem> {
    let epd = input.epd.as_ref()?;
    hash.add(format!("{number} {epd}\n").as_bytes());
    let (task, problems) = Task::read(epd);
    let title = input.title.clone().unwrap_or_default();
    for problem in problems {
        complain(&format!("{title}: {problem}"));
    }
    Some(Problem {
        number,
        title,
        fen: input.fen()?,
        subject: input.subject.clone(),
        task: task?,
    })
}

/// Receives the answers, saves them and shows the progress.
struct Progress<'a> {
    watch: Watch,
    names: &'a [String],
    record: Option<Record>,
    answers: Vec<Answers>,
    bar: ProgressBar,
    failure: Option<Failure>,
}

impl<'a> Progress<'a> {
    fn new(watch: Watch, names: &'a [String], record: Option<Record>, positions: usize) -> Self {
        let searches = (positions * names.len()) as u64;
        let template = "{bar:24} {percent} %  {msg}  {eta} left";
        let bar = progress::bar(watch.bar, searches, template, watch.ascii);
        Progress {
            watch,
            names,
            record,
            answers: Vec::new(),
            bar,
            failure: None,
        }
    }

    /// Takes over the answers of an earlier run.
    fn earlier(&mut self, answers: Vec<Answers>) -> Result<(), Failure> {
        for answer in answers {
            self.bar.inc(self.names.len() as u64);
            self.show(&answer)?;
            self.answers.push(answer);
        }
        self.bar.reset_eta();
        self.tell();
        Ok(())
    }

    fn take(&mut self, step: Step) -> ControlFlow<()> {
        let taken = match step {
            Step::Search => {
                self.bar.inc(1);
                Ok(())
            }
            Step::Position(answers) => self.add(answers),
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn add(&mut self, answers: Answers) -> Result<(), Failure> {
        let whole = answers.columns.iter().all(|o| o.trouble.is_none());
        if let Some(record) = self.record.as_mut().filter(|_| whole) {
            record
                .append(&answers)
                .map_err(|e| Failure::Input(format!("--resume: cannot write to it ({e})")))?;
        }
        let shown = self.show(&answers);
        self.answers.push(answers);
        self.tell();
        shown
    }

    /// Prints a position as it is finished.
    fn show(&self, answers: &Answers) -> Result<(), Failure> {
        let mut line = if self.watch.each {
            serde_json::to_string(&suite::each(self.names, answers))?
        } else if self.watch.verbose {
            suite::position(
                answers,
                Style {
                    ascii: self.watch.ascii,
                },
            )
        } else {
            return Ok(());
        };
        line.push('\n');
        let write = || {
            let mut out = output::stdout();
            out.write_all(line.as_bytes())?;
            out.flush()
        };
        Ok(self.bar.suspend(write)?)
    }

    /// Shows how many positions each column has solved so far, if there is room.
    fn tell(&self) {
        const FEW: usize = 8;
        let done = self.answers.len();
        if self.names.len() > FEW {
            return self.bar.set_message(format!("{done} positions"));
        }
        let solved = |column: usize| {
            let of = |a: &&Answers| a.columns[column].solved == Some(true);
            self.answers.iter().filter(of).count()
        };
        let counts: Vec<String> = (0..self.names.len())
            .map(|i| format!("{} {}", letter(i), solved(i)))
            .collect();
        self.bar
            .set_message(format!("{} of {done}", counts.join(" ")));
    }

    fn finish(self) -> Result<Vec<Answers>, Failure> {
        self.bar.finish_and_clear();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.answers),
        }
    }
}
