//! `plyscope lab spread`: how the spread of beliefs develops, without a screen.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Positions, Shown, config, usage, verdict};
use super::part::{Part, of_positions};
use belief::Rule;
use lab::spread::{self, MEASURED, Plan, Settings, TELLING, start_population, start_searches};
use report::lab::spread::{Grown, Searched};
use search::quantity;
use studies::compare::ColumnSpec;

/// Measure how the spread of the belief develops with nodes and with depth, under several back-up rules.
///
/// Without --toy, distress searches every position with each of the rules. The standard deviation of the root's belief
/// (expected score, -1 to 1) is recorded after 1,000, 2,000, 4,000 nodes and so on up to --nodes, and averaged over the
/// positions; positions that some rule solved are left out. The figures by ply are those of the final tree: expanded nodes
/// weighted by their visits, and unexpanded nodes with equal weights; proven nodes are left out.
///
/// With --toy there is no search but a population of random trees, built ply by ply. A move is worth N(0, --shift^2), which
/// is known; a leaf's error is N(0, --error^2), exactly as wide as its belief; the errors of leaves k plies below their
/// last common ancestor have the correlation --correlation^k. The truth is the minimax of the true values. Shown by depth:
/// the standard deviation, the coverage of the central 50, 80 and 90 % intervals, the mean continuous ranked probability
/// score, and that score relative to the oracle's, which takes the best of the rules' means with a location and a width
/// fitted to the truths.
///
/// With --json, there is one object: question, verdict, decided; experiment, trees (chess or toy), complete. Chess:
/// source, positions, searched, solved, nodes (where the root was looked at), options; rules (backup; below_moves:
/// share of nodes below the root's moves; by_nodes: sd, error, n; moved: how far the mean moved from one to the next;
/// by_ply: ply, expanded, leaves, each sd, error, n). Toy: branching, depth, population, shift, error, correlation,
/// seed, levels; oracle (by depth); rules (backup; by_depth: depth, sd, coverage, crps, relative, bias).
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(
    mut_arg("file", |arg| arg.conflicts_with("toy")),
    mut_arg("positions", |arg| arg.default_value("20").conflicts_with("toy")),
    mut_arg("threads", |arg| arg.help("How many searches or rules run at a time, each on one thread [default: all cores but one, at least 1]")),
    after_help = "Examples:
  plyscope lab spread
  plyscope lab spread games.pgn --positions 50 --nodes 100k --backup r-opt --backup cuadras-auge:.5
  plyscope lab spread --toy --branching 30
  plyscope lab spread --toy --correlation 0 --backup r-opt --json")]
pub struct Spread {
    #[command(flatten)]
    positions: Positions,

    /// Test this back-up rule, as in the option backup of distress, or bpip without --toy (repeatable) [default: r-pick,
    /// constant:.5, r-opt, entropy, exp:1.5, cuadras-auge:.5, frechet:.8, gumbel:2, and bpip without --toy]
    #[arg(long, value_name = "RULE")]
    backup: Vec<String>,

    /// Nodes per search
    #[arg(long, value_name = "N", default_value = "30k", value_parser = quantity::count, conflicts_with = "toy")]
    nodes: u64,

    /// Use random toy trees instead of chess
    #[arg(long)]
    toy: bool,

    /// The number of moves per node of a toy tree [default: 8]
    #[arg(long, value_name = "N", requires = "toy")]
    branching: Option<usize>,

    /// The depth of the deepest toy trees in plies [default: 12]
    #[arg(long, value_name = "N", requires = "toy")]
    depth: Option<usize>,

    /// The number of toy trees of each depth [default: 1000]
    #[arg(long, value_name = "N", requires = "toy")]
    population: Option<usize>,

    /// The standard deviation of a move's known worth [default: 0.6]
    #[arg(long, value_name = "SD", requires = "toy")]
    shift: Option<f64>,

    /// The standard deviation of a leaf's error [default: 0.9]
    #[arg(long, value_name = "SD", requires = "toy")]
    error: Option<f64>,

    /// The correlation of siblings' errors [default: 0.5]
    #[arg(long, value_name = "SHARE", requires = "toy")]
    correlation: Option<f64>,

    /// The seed of the toy trees [default: 1]
    #[arg(long, value_name = "N", requires = "toy")]
    seed: Option<u64>,

    #[command(flatten)]
    at_a_time: AtATime,

    /// Set an option of distress (repeatable)
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "toy")]
    set: Vec<String>,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Spread {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let rules: Vec<String> = match (self.backup.is_empty(), self.toy) {
            (true, true) => TELLING.map(String::from).into(),
            (true, false) => MEASURED.map(String::from).into(),
            (false, _) => self.backup.clone(),
        };
        let at_a_time = self.at_a_time.count();
        if self.toy {
            self.grow(&rules, at_a_time)
        } else {
            self.search(rules, at_a_time)
        }
    }

    fn search(&self, rules: Vec<String>, at_a_time: usize) -> Result<(), Failure> {
        let config = config(spread::ALGORITHM, &self.set)?;
        for rule in &rules {
            let measured = spread::config_of(&config, rule);
            measured.map_err(|e| Failure::Usage(format!("--backup: {e}")))?;
        }
        let options = config.options.clone();
        let gathered = self.positions.gather()?;
        let asked = vec![
            of_positions(&gathered.positions),
            format!("back-ups {}", rules.join(" ")),
            format!("nodes {}", self.nodes),
            format!("search {}", ColumnSpec::Own(config.clone())),
        ];
        let width = rules.len();
        let units = gathered.positions.len() * width;
        let (kept, rest) = self.part.kept("spread", asked, (units, width))?;
        let plan = Plan {
            positions: gathered.positions,
            rules,
            nodes: self.nodes,
            at_a_time,
            config,
        };
        let found = self
            .shown
            .run(start_searches(plan, kept).map_err(usage)?, "");
        rest.check()?;
        self.shown.print(&Searched {
            source: &gathered.source,
            options: &options,
            complete: rest.is_whole(),
            found: &found,
        })?;
        verdict(gathered.refused)
    }

    fn grow(&self, rules: &[String], at_a_time: usize) -> Result<(), Failure> {
        let mut parsed = Vec::new();
        for rule in rules {
            let rule: Rule = rule
                .parse()
                .map_err(|e| Failure::Usage(format!("--backup with --toy: {e}")))?;
            parsed.push(rule);
        }
        let usual = Settings::default();
        let settings = Settings {
            branching: self.branching.unwrap_or(usual.branching),
            depth: self.depth.unwrap_or(usual.depth),
            population: self.population.unwrap_or(usual.population),
            shift: self.shift.unwrap_or(usual.shift),
            error: self.error.unwrap_or(usual.error),
            correlation: self.correlation.unwrap_or(usual.correlation),
            seed: self.seed.unwrap_or(usual.seed),
        };
        let asked = vec![
            format!("back-ups {}", rules.join(" ")),
            format!("trees {settings:?}"),
        ];
        let (kept, rest) = self.part.kept("toy trees", asked, (rules.len(), 1))?;
        let run = start_population(settings, parsed, at_a_time, kept);
        let run = run.map_err(|e| Failure::Usage(format!("--toy: {e}")))?;
        let found = self.shown.run(run, " rules");
        rest.check()?;
        self.shown.print(&Grown {
            complete: rest.is_whole(),
            found: &found,
        })
    }
}
