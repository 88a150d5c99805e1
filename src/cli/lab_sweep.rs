//! `plyscope lab sweep`: numbers in an algorithm's options are varied and judged, without a screen.

use clap::Args;

use super::Failure;
use super::columns::ColumnOptions;
use super::lab_support::{Shown, usage};
use super::part::{Part, of_columns};
use super::sweep_material::{Gathered, SweepMaterial};
use ::report::lab::sweep as report;
use lab::sweep::{Judge, Plan, Tried, Variable, start};
use text::sanitise;

/// The nodes per position if no budget is given.
const DEFAULT_NODES: u64 = 10_000;

/// Vary numbers in an algorithm's options, and see whether any value does better than what is built in.
///
/// --over gives a name its values: from, to and step, or a list. The name stands for a number in the options of --set, which may
/// be formulas (--set 'backup-us=1-exp(-k*H)' --over k=0.5..3:0.5); a name that no option mentions is an option itself (--over
/// leaf-depth=0,1,2). Several names are varied together, up to 64 variants. The control, what is built in, has all options of
/// --set that mention no name, and is always among them.
///
/// Every variant searches every position with the same budget, by default 10,000 nodes on one thread. --judge says what makes one
/// better than another: solved (bm, am or dm of an EPD, or the best move of a label), points (c0), belief (the continuous ranked
/// probability score of the root's belief against a label's value), loss (the points of the game that its move gives away, by an
/// alpha-beta of 200,000 nodes), audit (the share of pruned moves and nodes that turn out wrong: one prune in eight is searched
/// anyway), or match (two games from each opening against what is built in; --positions is the number of openings).
///
/// The best of many variants looks better than it is. So the variant is chosen on the positions with odd numbers and judged on
/// the others, and the intervals of all variants are widened for their number (Bonferroni).
///
/// With --json, there is one object: question, verdict, decided; experiment, source, algorithm, swept, over, judge, rule, wanted,
/// positions, left_out, complete, budget, threads, seed; variants (name, mean, gain: value, interval; nodes, depth), the control
/// first; chosen (name, chosen_on, judged_on, mean, built_in, gain).
///
/// Ctrl-C ends the run and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab sweep wac.epd -a distress --set 'backup-us=1-exp(-k*H)' --over k=0.5..3:0.5
  plyscope lab sweep wac.epd -a alpha-beta --set 'futility-margin=a+b*depth' --over a=0,60 --over b=60..140:20 --nodes 100k
  plyscope lab sweep labels.tsv.zst --judge belief -a distress --over tails=0.01,0.03,0.1 --positions 2000
  plyscope lab sweep games.pgn --judge audit -a alpha-beta --set 'futility-margin=k*sqrt(depth)' --over k=60..300:60 --depth 9
  plyscope lab sweep --judge match -a mcts --over fpu=0,0.2,0.6 --nodes 2k --positions 200
  seq 4 | xargs -P 4 -I K plyscope lab sweep wac.epd -a mcts --over fpu=0,0.2 --shard K/4 --resume K.part -q
  cat *.part > all; plyscope lab sweep wac.epd -a mcts --over fpu=0,0.2 --resume all")]
pub struct Sweep {
    #[command(flatten)]
    material: SweepMaterial,

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
        let tried = Tried::of(options.set(), &self.over);
        let tried = tried.map_err(|e| usage(format!("--over: {e}")))?;
        let at_a_time = options.at_a_time();
        let columns = tried.columns(&options.one(at_a_time)?)?;
        let control = columns[0].to_string();
        let budget = options.budget(DEFAULT_NODES)?;
        let Gathered {
            units,
            source,
            hash,
            verdict,
        } = self.material.gather(self.judge, options.seed())?;
        let mut asked = vec![hash, format!("judge {}", self.judge.name())];
        asked.extend(of_columns(options, &columns, budget));
        let (kept, rest) = self.part.kept("sweep", asked, (units.len(), 1))?;
        let plan = Plan {
            seed: options.seed(),
            at_a_time,
            ..Plan::new(self.judge, &tried, columns, budget, units).map_err(usage)?
        };
        let job = start(plan, kept).map_err(usage)?;
        let found = self.shown.run(job, &format!(" {}", self.judge.units()));
        rest.check()?;
        self.shown.print(&report::Results {
            source: &source,
            algorithm: &sanitise(&control),
            swept: &tried.swept,
            over: &self.over,
            wanted: rest.own,
            budget,
            threads: options.threads(),
            seed: options.seed(),
            found: &found,
        })?;
        verdict
    }
}
