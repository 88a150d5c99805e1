//! `plyscope lab`: the Lab's experiments without a screen.

use std::sync::Arc;

use clap::{Args, Subcommand};

use super::Failure;
use super::lab_calibration::Calibration;
use super::lab_cuts::Cuts;
use super::lab_depths::Depths;
use super::lab_differential::Differential;
use super::lab_focus::Focus;
use super::lab_losses::Losses;
use super::lab_maximum::Maximum;
use super::lab_playouts::Playouts;
use super::lab_plies::Plies;
use super::lab_prob_cut::ProbCut;
use super::lab_refutation::Refutation;
use super::lab_spread::Spread;
use super::lab_support::{AtATime, Positions, Shown, config, usage, verdict};
use super::lab_sweep::Sweep;
use super::lab_truth::Truth;
use super::lab_walks::Walks;
use super::part::{Part, of_positions};
use ::lab::{self, Entered, Experiment, Findings, Plan, Position, Stage, Tested};
use depth_first::margin::{FAMILIES, Family, Formula, Margin};
use report::lab::futility::Results;
use search::quantity;
use studies::compare::ColumnSpec;

/// Run experiments on the algorithms.
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
    Plies(Plies),
    Refutation(Refutation),
    Losses(Losses),
    Calibration(Calibration),
    Cuts(Cuts),
    Focus(Focus),
    Maximum(Maximum),
    Depths(Depths),
    Playouts(Playouts),
    Walks(Walks),
    Truth(Truth),
    Sweep(Sweep),
}

/// Measure how scores change with depth, fit futility margins to that, and compare how often each family of margins fails.
///
/// Alpha-beta searches every position to every depth, with all rules off that prune by a margin or a count; null move,
/// reductions and extensions stay as they are. The change of score from the static value, and from quiescence, is shown by
/// depth: quantiles, spread, and fits of the spread. Each family of margins is scaled so that a share of --level of the
/// changes exceeds it.
///
/// With --audit K the families are then compared at equal savings. The fitted margin of the first family (or --margin)
/// determines how many nodes the rule saves; the scales of the others are adjusted until they save as many; and one prune
/// in K is searched anyway, without affecting the score. A family is judged by the factor by which the odds of failure
/// change from depth to depth. In these trials the rule prunes at all depths, and the other rules are as --set leaves them.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, rule, positions, measured,
/// in_check, depth, complete; changes (from, shares; depths: n, mates, mean, sd, robust_sd, quantiles, distance_95,
/// distance_99; spreads: root, linear, exponent; variance); fits (level, branching; families and law: margin,
/// centipawns, beyond, rms); nodes_without; trials (margin, nodes, saved, saving, evenness, rules).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab futility
  plyscope lab futility games.pgn --positions 300 --depth 9
  plyscope lab futility wac.epd --family linear --family probability --audit 16 --json > lab.json
  plyscope lab futility games.pgn --rule reverse-futility --margin linear:75 --audit 16")]
struct Futility {
    #[command(flatten)]
    positions: Positions,

    /// Search every depth up to this one
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=32))]
    depth: u16,

    /// Stop searching a position after this many nodes; depths that it did not reach lack it
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    nodes: Option<u64>,

    /// The rule to test
    #[arg(long, value_name = "RULE", default_value = "futility", value_parser = rules())]
    rule: Tested,

    /// Test this family of margins (repeatable) [default: all]
    #[arg(long, value_name = "NAME", value_parser = families())]
    family: Vec<String>,

    /// The share of changes that may exceed a fitted margin
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    level: f64,

    /// Compare the families, searching one prune in K anyway [default: only measure and fit]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    audit: Option<u32>,

    /// The margin whose savings all families are adjusted to [default: the fitted margin of the first family]
    #[arg(long, value_name = "MARGIN", requires = "audit")]
    margin: Option<Margin>,

    #[command(flatten)]
    at_a_time: AtATime,

    /// Set an option of alpha-beta (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    part: Part,

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
        Experiments::Plies(plies) => plies.run(),
        Experiments::Refutation(refutation) => refutation.run(),
        Experiments::Losses(losses) => losses.run(),
        Experiments::Calibration(calibration) => calibration.run(),
        Experiments::Maximum(maximum) => maximum.run(),
        Experiments::Focus(focus) => focus.run(),
        Experiments::Cuts(cuts) => cuts.run(),
        Experiments::Depths(calibration) => calibration.run(),
        Experiments::Playouts(playouts) => playouts.run(),
        Experiments::Walks(walks) => walks.run(),
        Experiments::Truth(truth) => truth.run(),
        Experiments::Sweep(sweep) => sweep.run(),
    }
}

impl Futility {
    fn run(&self) -> Result<(), Failure> {
        let gathered = self.positions.gather()?;
        let findings = run_futility(
            "futility",
            self.plan(gathered.positions)?,
            &self.part,
            &self.shown,
        )?;
        self.shown.print(&Results {
            source: &gathered.source,
            findings: &findings,
        })?;
        verdict(gathered.refused)
    }

    fn plan(&self, positions: Vec<Position>) -> Result<Plan, Failure> {
        let config = config(lab::ALGORITHM, &self.set)?;
        let wanted =
            |f: &&Family| self.family.is_empty() || self.family.iter().any(|name| name == f.name);
        let mut families: Vec<Formula> =
            FAMILIES.iter().filter(wanted).map(|f| f.example).collect();
        // In the order in which they were named, because the first one is the reference for the others.
        let place = |f: &Formula| self.family.iter().position(|n| n == f.family().name);
        families.sort_by_key(place);
        Ok(Plan {
            depth: self.depth,
            nodes: self.nodes,
            families,
            reference: self.margin,
            level: self.level,
            audit: self.audit.unwrap_or(0),
            at_a_time: self.at_a_time.count(),
            ..Plan::new(positions, self.rule, config)
        })
    }
}

/// Runs the experiment on futility, and shows its progress until it ends.
///
/// # Errors
/// If the plan cannot be carried out.
pub(super) fn run_futility(
    name: &str,
    plan: Plan,
    part: &Part,
    shown: &Shown,
) -> Result<Findings, Failure> {
    if plan.audit > 0 && part.shard.is_some() {
        return Err(usage(
            "--shard: found --audit, expected none: the trials need the measurements of all parts. Measure them in parts, and run \
             the trials on the merged record (--resume)",
        ));
    }
    let asked = vec![
        of_positions(&plan.positions),
        format!("depth {} nodes {:?}", plan.depth, plan.nodes),
        format!("search {}", ColumnSpec::Own(plan.config.clone())),
    ];
    let (kept, rest) = part.kept(name, asked, (plan.positions.len(), 1))?;
    let mut experiment = Experiment::start(plan, kept).map_err(usage)?;
    let plan = Arc::clone(experiment.plan());
    let message = |entered: &Entered| stage_name(entered.stage(), &plan);
    shown.watch(&mut experiment.job, "{bar:24} {pos}/{len}  {msg}", message);
    rest.check()?;
    let mut findings = experiment.findings();
    if !rest.is_whole() {
        findings.stage = Stage::Stopped;
    }
    Ok(findings)
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
