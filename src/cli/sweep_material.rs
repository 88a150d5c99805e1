//! What a sweep works on: positions of a file or of the samples, or openings.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::lab_support::{Labels, Positions, source, usage, verdict};
use super::part::hashed;
use super::suite_run::Suite;
use lab::searched::Labelled;
use lab::sweep::{Judge, Material, Units};
use studies::suite::Problem;

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
        let labelled = |file: &PathBuf| {
            let labels = Labels::new(file.clone(), self.positions, self.kind.clone());
            let found = labels.gather(seed)?;
            let problems = Units::of_cases(found.cases);
            Ok::<_, Failure>(Gathered::of(problems, found.source, found.refused))
        };
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
            (Material::Tasks | Material::Values, None) => {
                let cases = Labelled::BuiltIn { most }.cases().map_err(Failure::Input)?;
                let source = "the built-in labels".to_owned();
                Gathered::of(Units::of_cases(cases), source, false)
            }
            (_, Some(file)) if is_table(file) => labelled(file)?,
            (Material::Values, Some(file)) => labelled(file)?,
            (Material::Positions, file) => {
                let found = Positions::new(file.clone(), self.positions).gather()?;
                let problems = Units::of_positions(found.positions);
                Gathered::of(problems, found.source, found.refused)
            }
            (Material::Tasks | Material::Points, Some(file)) => {
                let suite = Suite::gather(file)?;
                Gathered {
                    units: Units::Problems(suite.problems),
                    source: source(Some(file)),
                    hash: format!("positions {}", suite.hash),
                    verdict: suite.verdict,
                }
            }
        };
        gathered.of_use(judge)
    }
}

/// Whether a file is a table of labels by its name: neither positions nor games.
fn is_table(file: &Path) -> bool {
    let name = file.to_string_lossy().to_lowercase();
    let name = name.trim_end_matches(".zst");
    let others = [".epd", ".pgn", ".fen"];
    name != "-" && !others.iter().any(|end| name.ends_with(end))
}

impl Gathered {
    /// Positions of a source, of which something may have been refused.
    fn of(problems: Vec<Problem>, source: String, refused: bool) -> Gathered {
        Gathered {
            hash: hashed(&problems, |p| format!("{} {:?}", p.fen, p.task)),
            units: Units::Problems(problems),
            source,
            verdict: verdict(refused),
        }
    }

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
