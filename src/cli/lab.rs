//! `plyscope lab`: the Lab's experiments without a screen.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::Failure;
use super::lab_calibration::Calibration;
use super::lab_differential::Differential;
use super::lab_prob_cut::ProbCut;
use super::lab_spread::Spread;
use super::lab_support::{Shown, gather, print, source, verdict};
use super::options::default_threads;
use crate::engine::Config;
use crate::engine::lab::{Entered, Experiment, Plan, Position, Stage, Tested};
use crate::report::lab::{Results, text, whole};
use crate::search::depth_first::margin::{FAMILIES, Family, Formula, Margin};
use crate::search::{Algorithm, quantity};

/// Experiments on the algorithms.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    experiment: Experiments,
}

#[derive(Subcommand, Debug)]
enum Experiments {
    Futility(Futility),
    Differential(Differential),
    ProbCut(ProbCut),
    Spread(Spread),
    Calibration(Calibration),
}

/// How scores change with depth, margins fitted to that, and how often each family of margins fails.
///
/// Every position is searched by alpha-beta to every depth, with the rules off that prune by a margin or a count; null
/// move, reductions and extensions are as they are. The change of score from the static value, and from quiescence, is
/// shown by depth: quantiles, spread, fits of the spread. Each family of margins gets the scale beyond which a share of
/// --level of the changes lies.
///
/// With --audit K the families are then compared at equal savings: the first one's fitted margin (or --margin) says how many
/// nodes the rule saves, the others' scales are sought at which it saves as many, and one prune in K is searched all the
/// same, outside the score. A family is judged by the factor by which the odds of failing change from depth to depth.
/// In these trials the rule prunes at all depths, and the other rules as --set has them.
///
/// With --json there is one object: rule, positions, measured, in_check, depth, complete; changes (from, shares; depths:
/// n, mates, mean, sd, robust_sd, quantiles, distance_95, distance_99; spreads: root, linear, exponent; variance); fits
/// (level, branching; families and law: margin, centipawns, beyond, rms); nodes_without; trials (margin, nodes, saved,
/// saving, evenness, rules).
///
/// Ctrl-C ends the experiment and prints what it has; a second one ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab futility
  plyscope lab futility games.pgn --positions 300 --depth 9
  plyscope lab futility wac.epd --family linear --family probability --audit 16 --json > lab.json
  plyscope lab futility games.pgn --rule reverse-futility --margin linear:75 --audit 16")]
struct Futility {
    /// A .pgn, .fen or .epd file, or - for standard input; of games every position of the main line [default: the samples]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Search to every depth up to this
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=32))]
    depth: u16,

    /// At most so many positions, evenly spread over the file
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Leave a position where it is after so many nodes; depths it did not reach lack it
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    nodes: Option<u64>,

    /// The rule under test
    #[arg(long, value_name = "RULE", default_value = "futility", value_parser = rules())]
    rule: Tested,

    /// A family of margins (repeatable) [default: all]
    #[arg(long, value_name = "NAME", value_parser = families())]
    family: Vec<String>,

    /// The share of changes that may go beyond a fitted margin
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    level: f64,

    /// Compare the families, with one prune in K searched all the same [default: only measure and fit]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    audit: Option<u32>,

    /// The margin whose savings all families shall equal [default: the first family's fitted one]
    #[arg(long, value_name = "MARGIN", requires = "audit")]
    margin: Option<Margin>,

    /// Searches at a time, each on one thread [default: all cores but one, at least 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Set an option of alpha-beta (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    shown: Shown,
}

fn rules() -> impl clap::builder::TypedValueParser<Value = Tested> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(Tested::ALL.map(Tested::name)).try_map(|name| {
        let known = Tested::ALL.into_iter().find(|t| t.name() == name);
        known.ok_or("no such rule")
    })
}

fn families() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(FAMILIES.iter().map(|f| f.name))
}

fn share(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|s| *s > 0.0 && *s <= 0.5);
    found.ok_or_else(|| format!("found {text:?}, expected a number above 0 and at most 0.5"))
}

/// Runs the experiment.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.experiment {
        Experiments::Futility(futility) => futility.run(),
        Experiments::Differential(differential) => differential.run(),
        Experiments::ProbCut(prob_cut) => prob_cut.run(),
        Experiments::Spread(spread) => spread.run(),
        Experiments::Calibration(calibration) => calibration.run(),
    }
}

impl Futility {
    fn run(&self) -> Result<(), Failure> {
        let file = self.file.as_deref();
        let gathered = gather(file, self.positions)?;
        let experiment = Experiment::start(self.plan(gathered.positions)?);
        let mut experiment = experiment.map_err(|e| Failure::Usage(e.to_string()))?;
        watch(&mut experiment, &self.shown);
        let results = Results {
            source: &source(file),
            findings: &experiment.findings(),
        };
        let json = self.shown.json.then(|| whole(&results));
        print(json, self.shown.ascii, |style| text(&results, style))?;
        verdict(gathered.refused)
    }

    fn plan(&self, positions: Vec<Position>) -> Result<Plan, Failure> {
        let mut config = Config::new(Algorithm::AlphaBeta);
        for pair in &self.set {
            config.options.set_pair(pair)?;
        }
        let wanted =
            |f: &&Family| self.family.is_empty() || self.family.iter().any(|name| name == f.name);
        let mut families: Vec<Formula> =
            FAMILIES.iter().filter(wanted).map(|f| f.example).collect();
        // In the order in which they were named: the first one is the measure of the others.
        let place = |f: &Formula| self.family.iter().position(|n| n == f.family().name);
        families.sort_by_key(place);
        Ok(Plan {
            depth: self.depth,
            nodes: self.nodes,
            families,
            reference: self.margin,
            level: self.level,
            audit: self.audit.unwrap_or(0),
            at_a_time: usize::from(self.threads.unwrap_or_else(default_threads)),
            ..Plan::new(positions, self.rule, config)
        })
    }
}

/// Shows how far the experiment on futility is until it has ended.
pub(super) fn watch(experiment: &mut Experiment, shown: &Shown) {
    let plan = Arc::clone(experiment.plan());
    let message = |entered: &Entered| stage_name(entered.stage(), &plan);
    shown.watch(&mut experiment.job, "{bar:24} {pos}/{len}  {msg}", message);
}

fn stage_name(stage: Stage, plan: &Plan) -> String {
    match stage {
        Stage::Measuring => "changes of score".into(),
        Stage::Without => format!("without {}", plan.tested.name()),
        Stage::Family { place, attempt } => {
            let name = plan.families.get(place).map_or("", |f| f.family().name);
            format!("{name}, attempt {attempt}")
        }
        Stage::Done | Stage::Stopped => String::new(),
    }
}
