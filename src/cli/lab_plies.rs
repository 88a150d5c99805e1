//! `plyscope lab plies`: how right the beliefs inside a tree are, ply by ply, without a screen.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::failure::complain;
use super::lab_support::{AtATime, Positions, Shown, config, source, usage, verdict, write};
use super::part::{Part, of_positions};
use super::{Failure, headless};
use ::report::lab::{plies as report, plies_picture};
use external::find_engine;
use lab::plies::fit::{Aim, Family, Fitted, Halves, correlation};
use lab::plies::{Candidate, Draws, Labelled, Labels, Length, Plan, Truth, Verdicts, start};
use lab::spread;
use lab::statistics::Resamples;
use search::quantity;
use session::Config;
use studies::compare::ColumnSpec;

/// Judge the beliefs inside the trees of distress, ply by ply, under several back-ups of the same leaves.
///
/// Distress grows one tree for each position. From each ply below the root --draws inner nodes are drawn with a probability
/// in proportion to their visits, and as many leaves, all alike; a node may be drawn twice. Each is labelled by a search of
/// its own position with --label-times as many nodes as the tree spent there, and with at least --label-nodes. Proven
/// nodes are left out. Then the inner beliefs are computed again under each back-up, from the same leaves. The figures of
/// two back-ups therefore differ by the rule alone. Intervals are at 95 %, by a bootstrap over the positions.
///
/// A back-up is a rule of the option backup of distress, or best-child (the belief of the best move), blend:A,B,C (r_opt
/// with the weight 1 / (1 + e^-(A + B H + C r)), where H is the entropy of the policy and r the correlation of the
/// children's errors), or width:SCALE (the control: the mean that the search has, with the same width everywhere). The
/// first one is that of the search.
///
/// With --fit, the families of back-ups get the parameters that serve them best on every second position and are judged on
/// the others: once for a spread that is stable over the plies and intervals that hold what they promise, once for the
/// ranked probability score.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, complete, positions, trees, nodes,
/// options, truth, unlabelled; correlation (up_to, by_gap, pairs); back_ups (backup; by_ply, by_height: at, n, trees,
/// sd, rmse, bias, coverage, crps, pit, distance; crps_above_first by ply; whole: growth, range, miss, crps, distance,
/// stable, held); leaves; fits (fitted_on, judged_on, correlation; back_ups: backup, family, aim, loss, whole). A
/// figure has value and interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(
    mut_arg("positions", |arg| arg.default_value("20")),
    mut_arg("threads", |arg| arg.help("How many positions are examined at a time, each on one thread [default: all cores but one, at least 1]")),
    after_help = "Examples:
  plyscope lab plies games.pgn --positions 50
  plyscope lab plies quiet.epd --positions 200 --nodes 100k --fit --svg plies.svg
  plyscope lab plies quiet.epd --engine stockfish --write-labels deep.epd
  plyscope lab plies quiet.epd --labels deep.epd --backup r-opt --backup blend:-1,1,0 --csv nodes.csv")]
pub struct Plies {
    #[command(flatten)]
    positions: Positions,

    /// Compare this back-up (repeatable) [default: r-opt, r-pick, constant:.5, entropy, exp:1.5, cuadras-auge:.5,
    /// frechet:.8, best-child]
    #[arg(long, value_name = "BACKUP")]
    backup: Vec<String>,

    /// Nodes per tree
    #[arg(long, value_name = "N", default_value = "50k", value_parser = quantity::count)]
    nodes: u64,

    /// The last ply from which nodes are drawn
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=32))]
    plies: u16,

    /// Draw this many inner nodes and this many leaves at each ply
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    draws: u16,

    /// Label by this algorithm, optionally with its options
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]", default_value = "alpha-beta")]
    label: String,

    /// Label by this UCI engine, given as a command
    #[arg(long, value_name = "COMMAND", conflicts_with = "label")]
    engine: Option<String>,

    /// The least number of nodes of a label's search
    #[arg(long, value_name = "N", default_value = "50k", value_parser = quantity::count)]
    label_nodes: u64,

    /// The number of nodes of a label's search, as a multiple of what the tree spent on the node
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    label_times: u64,

    /// Take the labels from this file instead: tab-separated lines as in lab calibration, or EPD with ce or dm
    #[arg(long, value_name = "FILE", conflicts_with_all = ["label", "engine", "label_nodes", "label_times"])]
    labels: Option<PathBuf>,

    /// Write the labels to this file, as EPD
    #[arg(long, value_name = "FILE")]
    write_labels: Option<PathBuf>,

    /// Fit the families of back-ups on every second position, and judge them on the others
    #[arg(long)]
    fit: bool,

    /// The number of bootstrap samples
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    resamples: u32,

    /// The seed of the draws and of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Write one line per drawn node and back-up to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the figures by ply into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    /// Set an option of distress (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    shown: Shown,
}

/// The back-ups beside the search's own that are compared unless others are given.
const USUAL: [&str; 8] = [
    "r-opt",
    "r-pick",
    "constant:.5",
    "entropy",
    "exp:1.5",
    "cuadras-auge:.5",
    "frechet:.8",
    "best-child",
];

impl Plies {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let config = config(spread::ALGORITHM, &self.set)?;
        let options = config.options.clone();
        let candidates = self.candidates(options.word("backup"))?;
        let mut refused = false;
        let (truth, truth_name) = self.truth(&mut refused)?;
        let gathered = self.positions.gather()?;
        let positions = gathered.positions.len();
        let asked = vec![
            of_positions(&gathered.positions),
            format!("search {}", ColumnSpec::Own(config.clone())),
            format!(
                "nodes {} plies {} draws {}",
                self.nodes, self.plies, self.draws
            ),
            format!("labels {truth_name}"),
            format!("seed {}", self.seed),
        ];
        let (kept, rest) = self.part.kept("plies", asked, (positions, 1))?;
        let plan = Plan {
            positions: gathered.positions,
            config,
            nodes: self.nodes,
            draws: Draws {
                plies: self.plies,
                per_ply: usize::from(self.draws),
            },
            truth,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let run = start(plan, kept).map_err(usage)?;
        let trees = self.shown.run(run, " positions").done();
        rest.check()?;
        if let Some(path) = &self.write_labels {
            write(path, &epd(&trees))?;
        }
        let halves = Halves::of(&trees);
        let measured = correlation(&trees);
        let verdicts = Verdicts::new(&trees, &candidates, &measured, usize::from(self.plies));
        let resamples = Resamples::new(trees.len(), self.resamples as usize, self.seed);
        let fits = self.fits(&halves);
        let judged = self.judged(&halves, &fits, candidates[0]);
        let results = report::Results {
            source: &gathered.source,
            truth: &truth_name,
            options: &options,
            nodes: self.nodes,
            positions,
            complete: rest.is_whole(),
            trees: &trees,
            correlation: &measured,
            verdicts: &verdicts,
            resamples: &resamples,
            fits: &fits,
            judged: judged.as_ref(),
        };
        if let Some(path) = &self.csv {
            write(path, &results.csv())?;
        }
        if let Some(path) = &self.svg {
            write(path, &plies_picture::svg(&results))?;
        }
        self.shown.print(&results)?;
        verdict(gathered.refused || refused)
    }

    /// Returns the back-ups to compare, that of the search first.
    fn candidates(&self, own: &str) -> Result<Vec<Candidate>, Failure> {
        let usual = USUAL.map(str::to_owned);
        let given = if self.backup.is_empty() {
            usual.as_slice()
        } else {
            &self.backup
        };
        let mut candidates: Vec<Candidate> = Vec::new();
        for text in [own.to_owned()].iter().chain(given) {
            let candidate = text
                .parse()
                .map_err(|e| Failure::Usage(format!("--backup: {e}")))?;
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        Ok(candidates)
    }

    /// Returns where the labels come from, with the words for it.
    fn truth(&self, refused: &mut bool) -> Result<(Truth, String), Failure> {
        if let Some(path) = &self.labels {
            let labels = Labels::read(path, |problem| {
                complain(&problem.to_string());
                *refused = true;
            })?;
            let name = source(Some(path));
            if labels.is_empty() {
                return Err(Failure::Input(format!(
                    "{name}: found no label, expected at least one"
                )));
            }
            let words = format!("{} labels of {name}", labels.len());
            return Ok((Truth::File(Arc::new(labels)), words));
        }
        let column = match &self.engine {
            Some(command) => {
                let engine = find_engine(command, &[]);
                let engine = engine.map_err(|e| Failure::Usage(format!("--engine: {e}")))?;
                ColumnSpec::External(engine)
            }
            None => {
                let base = Config::new(spread::ALGORITHM);
                ColumnSpec::parse(&self.label, &base)
                    .map_err(|e| Failure::Usage(format!("--label {}: {e}", self.label)))?
            }
        };
        let words = format!(
            "{column}, {} times the nodes of the tree and at least {}",
            self.label_times, self.label_nodes
        );
        let length = Length {
            times: self.label_times,
            least: self.label_nodes,
        };
        let column = Box::new(column);
        Ok((Truth::Search { column, length }, words))
    }

    /// Fits every family for every aim.
    fn fits(&self, halves: &Halves) -> Vec<Fitted> {
        if !self.fit {
            return Vec::new();
        }
        let plies = usize::from(self.plies);
        let pairs = Aim::ALL
            .into_iter()
            .flat_map(|aim| Family::ALL.map(|f| (f, aim)));
        let wanted = pairs.take_while(|_| !headless::interrupted());
        wanted
            .filter_map(|(family, aim)| halves.fit(family, aim, plies))
            .collect()
    }

    /// Judges what was fitted, and what has no parameters, on the other half.
    fn judged(&self, halves: &Halves, fits: &[Fitted], own: Candidate) -> Option<report::Judged> {
        if fits.is_empty() {
            return None;
        }
        let mut candidates = vec![own];
        let plain = report::WITHOUT_PARAMETERS.iter();
        candidates.extend(plain.filter_map(|text| text.parse::<Candidate>().ok()));
        candidates.extend(fits.iter().map(|f| f.candidate));
        let plies = usize::from(self.plies);
        let correlation = &halves.correlation;
        Some(report::Judged {
            verdicts: Verdicts::new(&halves.judged, &candidates, correlation, plies),
            resamples: Resamples::new(halves.judged.len(), self.resamples as usize, self.seed),
            correlation: correlation.clone(),
            fitted_on: halves.fitted.len(),
        })
    }
}

/// Returns the labels as EPD, each position once, in the order of the positions.
fn epd(trees: &[Arc<Labelled>]) -> String {
    let mut seen = std::collections::HashSet::new();
    let mut out = String::new();
    for (fen, truth) in trees.iter().flat_map(|t| &t.labels) {
        if seen.insert(fen) {
            let _ = match *truth {
                truth if truth.abs() >= 1.0 => writeln!(out, "{fen} dm {};", truth.signum()),
                truth => {
                    let cp = f64::from(game::Scale::CENTIPAWNS) * truth.atanh();
                    writeln!(out, "{fen} ce {};", cp.round())
                }
            };
        }
    }
    out
}
