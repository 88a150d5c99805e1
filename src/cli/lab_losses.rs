//! `plyscope lab losses`: where searches lose their games, without a screen.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Shown, usage, write};
use super::part::Part;
use ::report::lab::losses::Results;
use ::report::lab::losses_pgn::pgn;
use algorithms::Algorithm;
use lab::losses::{Plan, start};
use lab::statistics::Resamples;
use search::quantity;
use session::Config;
use studies::compare::ColumnSpec;

/// Let two algorithms play, judge every move, and see where they lose their games and whether they know their doubt there.
///
/// Each opening is played with both colours: first 24 lines, then the same lines with random plies after which a short
/// search finds the position about even. Each side has one thread and keeps its tree, if it reuses one, and its tables during
/// a game, as in UCI. A game ends by the rules, or as a draw after 200 moves each.
///
/// All values are in points of the game, from 0 (lost) to 1 (won): a score is (1 + tanh(cp / 360)) / 2. The judge searches
/// each position afresh. A move falls by the value after the judge's own move less the value after the move played, both
/// searched equally long; by 0 if they are the same move. A fall of at least --fall has the first kind that holds: repetition
/// (it comes back to a position, or lets the other side claim a draw, and was better than a draw by all of the fall),
/// conversion (from at least 0.85 to less), tactic 1-4, 5-8 or 9-12 (at half of the fall or more in the judge's iterations
/// from that many plies on), else quiet. Smaller falls add up to drift. The control is the other side's moves in the same
/// games.
///
/// With --json, there is one object: question, verdict, decided; experiment, complete, games, played, judge, judge_nodes,
/// fall, won, longest, seed; budgets (nodes, played; ends: end, games; columns: name, won, drawn, lost, pairs, score,
/// interval, elo, elo_interval, unjudged moves; mean_fall of all, lost and other games; lost_games and all_games: own and
/// control with games, moves, kinds (kind, falls, sum, a_game, phases), at the end drift and all; beliefs, null if it has
/// none, at moves from positions of 0.15 to 0.85: at_falls and elsewhere with moves, share of the policy of the judge's move (median), as_low: how probable a value as
/// low as the judge's was, sd, coverage of the central 50, 80 and 90 %; sd_ratio of both). A figure has value and interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab losses
  plyscope lab losses -a distress -a mcts --nodes 2k,20k --games 100 --pgn games.pgn
  plyscope lab losses -a distress -a distress:backup=r-opt --judge-nodes 1M --json")]
pub struct Losses {
    /// A side (twice): an algorithm, optionally with its options [default: distress, alpha-beta]
    #[arg(short, long, value_name = "NAME[:KEY=VALUE,…]")]
    algorithm: Vec<String>,

    /// Games for each budget; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,

    /// Nodes per move; each of several budgets has its own games
    #[arg(long, value_name = "N[,N…]", default_value = "20k", value_delimiter = ',', value_parser = quantity::count)]
    nodes: Vec<u64>,

    /// The judge: a depth-first algorithm, optionally with its options
    #[arg(long, value_name = "NAME[:KEY=VALUE,…]", default_value = "alpha-beta")]
    judge: String,

    /// Nodes per search of the judge
    #[arg(long, value_name = "N", default_value = "200k", value_parser = quantity::count)]
    judge_nodes: u64,

    /// The least fall that has a kind, in points from 0 (lost) to 1 (won)
    #[arg(long, value_name = "POINTS", default_value_t = 0.1, value_parser = points)]
    fall: f64,

    /// The seed of the openings, the searches and the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The number of bootstrap samples
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=1_000_000))]
    resamples: u32,

    /// Write the games with the judge's values into this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

/// The sides unless others are given.
const USUAL: [&str; 2] = ["distress", "alpha-beta"];

fn points(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|p| *p > 0.0 && *p <= 1.0);
    found.ok_or_else(|| format!("found {text:?}, expected a number above 0 and at most 1"))
}

impl Losses {
    /// Plays and judges the games, and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let plan = self.plan()?;
        let columns: Vec<String> = plan.columns.iter().map(ToString::to_string).collect();
        let asked = vec![
            format!("columns {}", columns.join(" ")),
            format!("nodes {:?} seed {}", self.nodes, self.seed),
            format!(
                "judge {} nodes {} fall {}",
                plan.judge, self.judge_nodes, self.fall
            ),
        ];
        let budgets = plan.nodes.len();
        let units = 2 * plan.games.div_ceil(2) * budgets;
        let (kept, rest) = self.part.kept("losses", asked, (units, 2 * budgets))?;
        let run = start(plan.clone(), kept).map_err(usage)?;
        let found = self.shown.run(run, " games");
        rest.check()?;
        let resamples = (0..plan.nodes.len()).map(|budget| {
            let games = found.played(budget).count();
            Resamples::new(games, self.resamples as usize, self.seed)
        });
        let results = Results {
            plan: &plan,
            resamples: &resamples.collect::<Vec<Resamples>>(),
            found: &found,
        };
        if let Some(path) = &self.pgn {
            write(path, &pgn(&results))?;
        }
        self.shown.print(&results)
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let usual = USUAL.map(str::to_owned);
        let given = match self.algorithm.as_slice() {
            [] => usual.as_slice(),
            given => given,
        };
        let columns = given.iter().map(|text| column("-a", text));
        Ok(Plan {
            columns: columns.collect::<Result<_, _>>()?,
            games: self.games as usize,
            nodes: self.nodes.clone(),
            judge: column("--judge", &self.judge)?,
            judge_nodes: self.judge_nodes,
            fall: self.fall,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        })
    }
}

fn column(option: &str, text: &str) -> Result<ColumnSpec, Failure> {
    let base = Config::new(Algorithm::DEFAULT);
    ColumnSpec::parse(text, &base).map_err(|e| Failure::Usage(format!("{option} {text}: {e}")))
}
