//! `plyscope lab sweep`: numbers in an algorithm's options are varied and judged, without a screen.

use clap::Args;

use super::columns::ColumnOptions;
use super::fnv::Fnv;
use super::lab_support::{Labels, Shown, usage};
use super::suite_run::{Part, Run, Suite, Watch};
use super::{Failure, lab_support};
use ::report::lab::sweep as report;
use lab::sweep::{Judge, Sweep as Found, Variable, is_named, variants};
use studies::suite::{Problem, Task};
use text::sanitise;

/// The nodes per position if no budget is given.
const DEFAULT_NODES: u64 = 10_000;
/// The name of the variant that is as the algorithm is.
const BUILT_IN: &str = "built-in";

/// Vary numbers in an algorithm's options, and see whether any value does better than what is built in.
///
/// --over gives a name its values: from, to and step, or a list. The name stands for a number in the options of --set, which may
/// be formulas (--set 'backup-us=1-exp(-k*H)' --over k=0.5..3:0.5); a name that no option mentions is an option itself (--over
/// leaf-depth=0,1,2). Several names are varied together, up to 64 variants. The control, what is built in, has all options of
/// --set that mention no name, and is always among them.
///
/// Every variant searches every position with the same budget, by default 10,000 nodes on one thread. A position is judged by
/// --judge: solved (bm, am or dm of an EPD, or the best move of a label), points (c0), or belief (the continuous ranked
/// probability score of the root's belief against a label's value).
///
/// The best of many variants looks better than it is. So the variant is chosen on the positions with odd numbers and judged on
/// the others, and the intervals of all variants are widened for their number (Bonferroni).
///
/// With --json, there is one object: question, verdict, decided; experiment, source, algorithm, swept, over, judge, wanted,
/// positions, complete, budget, threads, seed; variants (name, mean, gain: value, interval), the control first; chosen (name,
/// chosen_on, judged_on, mean, built_in, gain).
///
/// Ctrl-C ends the run and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab sweep wac.epd -a distress --set 'backup-us=1-exp(-k*H)' --over k=0.5..3:0.5
  plyscope lab sweep wac.epd -a alpha-beta --set 'futility-margin=a+b*depth' --over a=0,60 --over b=60..140:20 --nodes 100k
  plyscope lab sweep labels.tsv.zst --judge belief -a distress --over tails=0.01,0.03,0.1 --positions 2000
  seq 4 | xargs -P 4 -I K plyscope lab sweep wac.epd -a mcts --over fpu=0,0.2 --shard K/4 --resume K.part -q
  cat *.part > all; plyscope lab sweep wac.epd -a mcts --over fpu=0,0.2 --resume all")]
pub struct Sweep {
    #[command(flatten)]
    positions: Labels,

    /// Give a name these values (repeatable)
    #[arg(long, value_name = "NAME=FROM..TO:STEP", required = true)]
    over: Vec<Variable>,

    /// What makes one search better than another [default: solved]
    #[arg(long, value_name = "JUDGE", default_value = "solved", hide_default_value = true, value_parser = judges())]
    judge: Judge,

    #[command(flatten)]
    columns: ColumnOptions,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

fn judges() -> impl clap::builder::TypedValueParser<Value = Judge> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Judge::ALL.map(Judge::name)).try_map(|name| {
        let known = Judge::ALL.into_iter().find(|j| j.name() == name);
        known.ok_or("no such judge")
    })
}

impl Sweep {
    /// Runs the sweep and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let options = &self.columns;
        let at_a_time = options.at_a_time();
        let names_any = |pair: &String| self.over.iter().any(|v| is_named(pair, &v.name));
        let (swept, fixed): (Vec<String>, Vec<String>) =
            options.set().iter().cloned().partition(names_any);
        let all = variants(&swept, &self.over).map_err(|e| usage(format!("--over: {e}")))?;
        let lists: Vec<Vec<String>> = std::iter::once(fixed.clone())
            .chain(all.iter().map(|v| [&fixed[..], &v.pairs].concat()))
            .collect();
        let columns = options.variants(at_a_time, lists.iter().map(Vec::as_slice))?;
        let budget = options.budget(DEFAULT_NODES)?;
        let suite = self.suite()?;
        let names: Vec<String> = std::iter::once(BUILT_IN.to_owned())
            .chain(all.into_iter().map(|v| v.name))
            .collect();
        let control = columns[0].to_string();
        let run = Run {
            suite: &suite,
            columns,
            budget,
            names: &names,
            options,
            part: &self.part,
        };
        let answers = run.answers(Watch {
            bar: !self.shown.no_progress,
            ascii: self.shown.ascii,
            each: false,
            verbose: false,
        })?;
        self.shown.print(&report::Results {
            source: &self.positions.source(),
            algorithm: &sanitise(&control),
            swept: &swept,
            over: &self.over,
            wanted: suite.wanted(self.part.shard),
            budget,
            threads: options.threads(),
            seed: options.seed(),
            found: &Found::of(self.judge, names, &answers),
        })?;
        suite.verdict
    }

    /// The positions: those of an EPD that have a task, or labelled ones.
    fn suite(&self) -> Result<Suite, Failure> {
        let mut suite = match self.judge {
            Judge::Solved | Judge::Points if !self.positions.is_table() => {
                Suite::gather(self.positions.file())?
            }
            _ => self.labelled()?,
        };
        let fits = |task: &Task| match self.judge {
            Judge::Solved => task.aim.is_some(),
            Judge::Points => !task.points.is_empty(),
            Judge::Belief => task.truth.is_some(),
        };
        suite.problems.retain(|p| fits(&p.task));
        if !suite.problems.is_empty() {
            return Ok(suite);
        }
        Err(Failure::Input(format!(
            "{}: found no position that --judge {} can use, expected {}",
            self.positions.source(),
            self.judge.name(),
            match self.judge {
                Judge::Solved => "bm, am or dm",
                Judge::Points => "points in c0",
                Judge::Belief => "labels with a value",
            },
        )))
    }

    fn labelled(&self) -> Result<Suite, Failure> {
        let labelled = self.positions.gather(self.columns.seed())?;
        let mut hash = Fnv::new();
        let problem = |(i, case): (usize, lab::calibration::Case)| {
            let fen = case.subject.position.fen().unwrap_or_default();
            let verdict = case.verdict;
            hash.add(format!("{i} {fen} {verdict:?} {:?}\n", case.best).as_bytes());
            Problem {
                number: i + 1,
                title: String::new(),
                fen,
                task: Task::labelled(verdict, case.best),
                subject: case.subject,
            }
        };
        Ok(Suite {
            problems: labelled
                .cases
                .into_iter()
                .enumerate()
                .map(problem)
                .collect(),
            untried: Vec::new(),
            hash: hash.to_string(),
            verdict: lab_support::verdict(labelled.refused),
        })
    }
}
