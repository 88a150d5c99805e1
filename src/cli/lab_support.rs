//! What the Lab's commands share: their options, how an experiment is run, and how its results are printed.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::complain;
use super::options::default_threads;
use super::output;
use super::{Failure, headless, progress};
use algorithms::Algorithm;
use game::load::labels;
use games::{Document, samples};
use lab::calibration::{Case, Reservoir};
use lab::{Position, Sampler};
use report::sheet::Report;
use report::text::Style;
use session::Config;
use session::jobs::BackgroundJob;
use studies::compare::ColumnSpec;
use text::sanitise;
use text::save::save;

/// How to show an experiment.
#[derive(Args, Clone, Copy, Debug)]
pub struct Shown {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

impl Shown {
    /// Shows the progress of an experiment until it ends, on a bar with this template and a message. Ctrl-C stops it.
    pub fn watch<R: Send + 'static>(
        &self,
        job: &mut BackgroundJob<R>,
        template: &str,
        message: impl Fn(&R) -> String,
    ) {
        headless::catch_interrupt();
        let bar = progress::bar(!self.no_progress, 1, template, self.ascii);
        let goes_on = || {
            if headless::interrupted() {
                job.stop();
            }
            !job.has_ended()
        };
        progress::follow(&bar, goes_on, |bar| {
            let (_, done, all) = job.progress();
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(job.read(&message));
        });
        job.join();
    }

    /// Like [`Shown::watch`], without a message.
    pub fn watch_plainly<R: Send + 'static>(&self, job: &mut BackgroundJob<R>, unit: &str) {
        let template = format!("{{bar:24}} {{pos}}/{{len}}{unit}  {{eta}}");
        self.watch(job, &template, |_| String::new());
    }

    /// Runs an experiment to its end or until it is stopped, and returns what was found.
    pub fn run<R: Clone + Send + 'static>(&self, mut job: BackgroundJob<R>, unit: &str) -> R {
        self.watch_plainly(&mut job, unit);
        job.findings()
    }

    /// Prints results as one JSON object or as text.
    ///
    /// # Errors
    /// If standard output cannot be written to.
    pub fn print(&self, results: &impl Report) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(output::stdout());
        if self.json {
            serde_json::to_writer(&mut out, &results.object())?;
            writeln!(out)?;
        } else {
            let style = Style { ascii: self.ascii };
            out.write_all(results.text(style).as_bytes())?;
        }
        out.flush()?;
        Ok(())
    }
}

/// Returns the refusal of a plan that the command line asked for.
pub fn usage(why: impl Display) -> Failure {
    Failure::Usage(why.to_string())
}

/// Returns an algorithm's configuration with these options.
///
/// # Errors
/// If an option is unknown or out of range.
pub fn config(algorithm: Algorithm, set: &[String]) -> Result<Config, Failure> {
    let mut config = Config::new(algorithm);
    for pair in set {
        config.options.set_pair(pair)?;
    }
    Ok(config)
}

/// Returns the columns of these names, or without any those of `usual`.
///
/// # Errors
/// If a column cannot be made.
pub fn columns_or(given: &[String], usual: &[&str]) -> Result<Vec<ColumnSpec>, Failure> {
    let names: Vec<&str> = match given.is_empty() {
        true => usual.to_vec(),
        false => given.iter().map(String::as_str).collect(),
    };
    let base = Config::new(Algorithm::DEFAULT);
    let column = |text: &str| {
        ColumnSpec::parse(text, &base).map_err(|e| Failure::Usage(format!("-a {text}: {e}")))
    };
    names.into_iter().map(column).collect()
}

/// How much is worked on at a time.
#[derive(Args, Clone, Copy, Debug)]
pub struct AtATime {
    /// How many searches run at a time, each on one thread [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl AtATime {
    pub fn count(self) -> usize {
        usize::from(self.threads.unwrap_or_else(default_threads))
    }
}

/// The positions that an experiment works on.
#[derive(Args, Clone, Debug)]
pub struct Positions {
    /// A .pgn, .fen or .epd file, or - for standard input; every position of a game's main line is used [default: the
    /// samples]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Use at most this many positions, evenly spread over the file
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
}

/// Positions of a file or of the samples.
pub struct Gathered {
    pub positions: Vec<Position>,
    /// The name of their source.
    pub source: String,
    /// Whether anything was refused (and reported).
    pub refused: bool,
}

impl Positions {
    pub fn new(file: Option<PathBuf>, positions: u32) -> Positions {
        Positions { file, positions }
    }

    /// Returns positions that are evenly spread over the file, or over the samples.
    ///
    /// # Errors
    /// If the file cannot be read, or has no usable position.
    pub fn gather(&self) -> Result<Gathered, Failure> {
        let mut sampler = Sampler::new(self.positions as usize);
        let documents = match &self.file {
            Some(file) => vec![Document::open(file)?],
            None => samples::all()
                .iter()
                .map(samples::Sample::open)
                .collect::<Result<_, _>>()?,
        };
        let mut refused = false;
        let mut refuse = |problem: &dyn Display| {
            complain(&problem.to_string());
            refused = true;
        };
        for document in &documents {
            document.problems.iter().for_each(|problem| refuse(problem));
            for entry in document.entries() {
                match entry {
                    Ok(entry) => {
                        entry.warnings.iter().for_each(|warning| complain(warning));
                        entry.problems.iter().for_each(|problem| refuse(problem));
                        sampler.offer_entry(&entry);
                    }
                    Err(problem) => refuse(&problem),
                }
            }
        }
        let positions = sampler.finish();
        let source = source(self.file.as_deref());
        if positions.is_empty() {
            return Err(Failure::Input(format!(
                "{source}: found no chess position with legal moves, expected at least one"
            )));
        }
        Ok(Gathered {
            positions,
            source,
            refused,
        })
    }
}

/// The labelled positions that an experiment works on.
#[derive(Args, Clone, Debug)]
pub struct Labels {
    /// Labelled positions, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Use at most this many positions, chosen at random by --seed
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// Use only labels of this kind: g for positions from games, x for some random moves away from one
    #[arg(long, value_name = "KIND", value_parser = ["g", "x"])]
    kind: Option<String>,
}

/// Labelled positions of a file.
pub struct Labelled {
    pub cases: Vec<Case>,
    /// The name of the file.
    pub source: String,
    /// The kind that was asked for.
    pub kind: Option<char>,
    /// The labels of that kind in the file.
    pub offered: usize,
    /// Whether anything was refused (and reported).
    pub refused: bool,
}

impl Labels {
    pub fn new(file: PathBuf, positions: u32, kind: Option<String>) -> Labels {
        Labels {
            file,
            positions,
            kind,
        }
    }

    /// Returns labelled positions, chosen at random.
    ///
    /// # Errors
    /// If the file cannot be read, or everything in it is refused.
    pub fn gather(&self, seed: u64) -> Result<Labelled, Failure> {
        let kind = self.kind.as_ref().and_then(|kind| kind.chars().next());
        let mut reservoir = Reservoir::new(self.positions as usize, seed);
        let mut refused = false;
        labels::read(&self.file, |label| match label {
            Ok(label) if kind.is_none() || label.kind == kind => reservoir.offer(label),
            Ok(_) => {}
            Err(problem) => {
                complain(&problem.to_string());
                refused = true;
            }
        })?;
        let offered = reservoir.offered();
        if offered == 0 && refused {
            return Err(Failure::Reported);
        }
        Ok(Labelled {
            cases: reservoir.finish().into_iter().map(Case::labelled).collect(),
            source: source(Some(&self.file)),
            kind,
            offered,
            refused,
        })
    }
}

/// Returns the name of the source of the positions.
pub fn source(file: Option<&Path>) -> String {
    file.map_or_else(
        || String::from("samples"),
        |f| sanitise(&f.to_string_lossy()),
    )
}

/// Returns a failure that was reported already, if there was one.
///
/// # Errors
/// If something was refused.
pub fn verdict(refused: bool) -> Result<(), Failure> {
    if refused {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// Writes a whole file, or leaves it as it was.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    save(path, |out| out.write_all(text.as_bytes()))
        .map_err(|e| Failure::Input(format!("{}: {e}", source(Some(path)))))
}
