//! What a sweep works on: positions of a file or of the samples, or openings.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{Labels, Positions, source, usage, verdict};
use super::part::hashed;
use super::suite_run::Suite;
use lab::calibration::Case;
use lab::searched::Labelled;
use lab::sweep::{Judge, Material, Units};
use studies::suite::{Problem, Task};

/// The positions, or how many openings.
#[derive(Args, Clone, Debug)]
pub struct SweepMaterial {
    /// An EPD file whose positions have tasks, or labelled positions [default: the built-in labels]; for loss and audit any .pgn,
    /// .fen or .epd file [default: the samples]; none for match
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Use at most this many positions: of labels those chosen at random by --seed, of games and samples evenly spread ones; of an
    /// EPD with tasks all are used
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    positions: u32,

    /// Use only labels of this kind: g for positions from games, x for some random moves away from one
    #[arg(long, value_name = "KIND", value_parser = ["g", "x"])]
    kind: Option<String>,
}

/// What the variants are tried on.
pub struct Gathered {
    pub units: Units,
    /// The name of where it comes from.
    pub source: String,
    /// Identifies it in a record.
    pub hash: String,
    /// Whether all of it could be read.
    pub verdict: Result<(), Failure>,
}

impl SweepMaterial {
    /// Returns what the variants are tried on.
    ///
    /// # Errors
    /// If a file cannot be read, or has nothing that the judge can use.
    pub fn gather(&self, judge: Judge, seed: u64) -> Result<Gathered, Failure> {
        let most = self.positions as usize;
        let is_table = self.file.as_ref().is_some_and(|file| {
            let name = file.to_string_lossy().to_lowercase();
            let name = name.trim_end_matches(".zst");
            ![".epd", ".pgn", ".fen"]
                .iter()
                .any(|end| name.ends_with(end))
                && name != "-"
        });
        let gathered = match (judge.material(), &self.file) {
            (Material::Openings, None) => {
                return Ok(Gathered {
                    units: Units::Openings((0..most).collect()),
                    source: "the Lab's openings".to_owned(),
                    hash: "openings".to_owned(),
                    verdict: Ok(()),
                });
            }
            (Material::Openings, Some(_)) => {
                let why = "found a FILE, expected none: games begin from the Lab's openings";
                return Err(usage(format!("--judge {}: {why}", judge.name())));
            }
            (Material::Points, None) => {
                let why = "found no FILE, expected an EPD with points in c0";
                return Err(usage(format!("--judge {}: {why}", judge.name())));
            }
            (Material::Tasks | Material::Values, None) => built_in(most)?,
            (Material::Positions, _) if !is_table => self.any()?,
            (Material::Tasks | Material::Points, Some(file)) if !is_table => {
                let suite = Suite::gather(file)?;
                Gathered {
                    units: Units::Problems(suite.problems),
                    source: source(Some(file)),
                    hash: format!("positions {}", suite.hash),
                    verdict: suite.verdict,
                }
            }
            (_, Some(file)) => self.labelled(file.clone(), seed)?,
            (Material::Positions, None) => self.any()?,
        };
        gathered.of_use(judge)
    }

    fn labelled(&self, file: PathBuf, seed: u64) -> Result<Gathered, Failure> {
        let labels = Labels::new(file, self.positions, self.kind.clone());
        let labelled = labels.gather(seed)?;
        let problems = numbered(labelled.cases);
        Ok(Gathered {
            hash: of_problems(&problems),
            units: Units::Problems(problems),
            source: labelled.source,
            verdict: verdict(labelled.refused),
        })
    }

    fn any(&self) -> Result<Gathered, Failure> {
        let found = Positions::new(self.file.clone(), self.positions).gather()?;
        let problem = |(i, p): (usize, lab::Position)| {
            let task = Task::labelled(None, Vec::new());
            Units::problem(i + 1, p.title, p.subject, task)
        };
        let problems: Vec<Problem> = found
            .positions
            .into_iter()
            .enumerate()
            .map(problem)
            .collect();
        Ok(Gathered {
            hash: of_problems(&problems),
            units: Units::Problems(problems),
            source: found.source,
            verdict: verdict(found.refused),
        })
    }
}

fn built_in(most: usize) -> Result<Gathered, Failure> {
    let cases = Labelled::BuiltIn { most }.cases().map_err(Failure::Input)?;
    let problems = numbered(cases);
    Ok(Gathered {
        hash: of_problems(&problems),
        units: Units::Problems(problems),
        source: "the built-in labels".to_owned(),
        verdict: Ok(()),
    })
}

fn numbered(cases: Vec<Case>) -> Vec<Problem> {
    let cases = cases.into_iter().enumerate();
    cases
        .map(|(i, case)| Units::labelled(i + 1, case))
        .collect()
}

/// Identifies positions with their tasks.
fn of_problems(problems: &[Problem]) -> String {
    hashed(problems, |p| format!("{} {:?}", p.fen, p.task))
}

impl Gathered {
    /// Leaves out what the judge cannot use.
    fn of_use(mut self, judge: Judge) -> Result<Gathered, Failure> {
        let Units::Problems(problems) = &mut self.units else {
            return Ok(self);
        };
        problems.retain(|problem| judge.can_use(&problem.task));
        if !problems.is_empty() {
            return Ok(self);
        }
        Err(Failure::Input(format!(
            "{}: found no position that --judge {} can use, expected {}",
            self.source,
            judge.name(),
            judge.material().expected(),
        )))
    }
}
