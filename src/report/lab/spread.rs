//! The results of the experiment on spread: tables and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::json::{VERSION, Version, options as options_json};
use crate::number;
use crate::text::{Style, align};
use belief::score::LEVELS;
use lab::spread::{Depth, Mean, Population, Searches, letter};
use search::Options;

/// Searches of positions, with their source.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    pub source: &'a str,
    /// The options of DISTRESS; each rule has its own back-up.
    pub options: &'a Options,
    pub complete: bool,
    pub found: &'a Searches,
}

/// The experiment on positions as JSON.
#[derive(Serialize, Debug)]
pub struct SearchesJson<'a> {
    version: Version,
    experiment: &'static str,
    trees: &'static str,
    source: &'a str,
    complete: bool,
    positions: usize,
    /// The number of positions that all rules searched.
    searched: usize,
    /// Positions among them that some rule solved, which are left out of all means.
    solved: usize,
    nodes: &'a [u64],
    #[serde(serialize_with = "options_json")]
    options: Options,
    rules: Vec<RuleJson<'a>>,
}

#[derive(Serialize, Debug)]
struct RuleJson<'a> {
    backup: &'a str,
    /// The share of the nodes that lie below the root's moves.
    below_moves: f64,
    by_nodes: Vec<Option<MeanJson>>,
    /// How far the mean moved from one node count to the next.
    moved: Vec<Option<MeanJson>>,
    by_ply: Vec<PlyJson>,
}

#[derive(Serialize, Debug)]
struct PlyJson {
    ply: usize,
    expanded: Option<MeanJson>,
    leaves: Option<MeanJson>,
}

#[derive(Serialize, Debug)]
struct MeanJson {
    sd: f64,
    error: Option<f64>,
    n: usize,
}

impl From<Mean> for MeanJson {
    fn from(mean: Mean) -> MeanJson {
        MeanJson {
            sd: mean.value,
            error: mean.error,
            n: mean.n,
        }
    }
}

/// Returns the one object of the experiment on positions.
pub fn searches<'a>(results: &Searched<'a>) -> SearchesJson<'a> {
    let found = results.found;
    let (searched, solved) = found.searched();
    let means = |all: Vec<Option<Mean>>| all.into_iter().map(|m| m.map(MeanJson::from)).collect();
    let rule = |(place, backup): (usize, &'a String)| RuleJson {
        backup,
        below_moves: found.below(place),
        by_nodes: means(found.by_nodes(place)),
        moved: means(found.moves(place)),
        by_ply: (0..)
            .zip(found.by_ply(place))
            .map(|(ply, [expanded, leaves])| PlyJson {
                ply,
                expanded: expanded.map(MeanJson::from),
                leaves: leaves.map(MeanJson::from),
            })
            .collect(),
    };
    SearchesJson {
        version: VERSION,
        experiment: "spread",
        trees: "chess",
        source: results.source,
        complete: results.complete,
        positions: found.curves.len(),
        searched,
        solved,
        nodes: &found.nodes,
        options: results.options.clone(),
        rules: found.rules.iter().enumerate().map(rule).collect(),
    }
}

/// Returns the same results as text.
pub fn searches_text(results: &Searched, style: Style) -> String {
    let found = results.found;
    let (searched, solved) = found.searched();
    let last = found.nodes.last().copied().unwrap_or(0);
    let mut out = format!(
        "spread · {} · {} positions · distress, {} nodes each\n",
        results.source,
        found.curves.len(),
        number::count(last),
    );
    if !results.complete {
        let _ = writeln!(
            out,
            "INTERRUPTED: {searched} positions searched by every rule"
        );
    }
    let shallow = (0..found.rules.len()).filter(|&rule| found.below(rule) < ENOUGH_BELOW);
    let shallow: Vec<&str> = shallow.map(|rule| found.rules[rule].as_str()).collect();
    if searched > solved && !shallow.is_empty() {
        let _ = writeln!(
            out,
            "SHALLOW: less than half of the nodes lie below the root's moves under {}; this says little about back-ups",
            shallow.join(", ")
        );
    }
    let _ = writeln!(
        out,
        "\nSd of the root's belief by nodes, mean over {} positions ± standard error ({solved} solved ones left out)",
        searched - solved
    );
    let mut head = vec![String::new(), "back-up".to_owned()];
    head.extend(found.nodes.iter().map(|n| number::count(*n)));
    head.push("last/first".into());
    head.push("below".into());
    let right: Vec<usize> = (2..head.len()).collect();
    let mut rows = vec![head];
    for (place, rule) in found.rules.iter().enumerate() {
        let means = found.by_nodes(place);
        let mut row = named(place, rule);
        row.extend(means.iter().map(|m| m.map_or_else(String::new, with_error)));
        row.push(growth(&means).map_or_else(String::new, |g| format!("×{g:.2}")));
        row.push(format!("{:.0} %", 100.0 * found.below(place)));
        rows.push(row);
    }
    out.push_str(&align(&rows, &right));
    out.push_str("\nBy ply of the last trees: expanded nodes weighed by visits / leaves\n");
    let mut head = vec!["ply".to_owned()];
    head.extend((0..found.rules.len()).map(|place| letter(place).to_string()));
    let right: Vec<usize> = (0..head.len()).collect();
    let mut rows = vec![head];
    let columns: Vec<Vec<[Option<Mean>; 2]>> = (0..found.rules.len())
        .map(|place| found.by_ply(place))
        .collect();
    let deepest = columns.iter().map(Vec::len).max().unwrap_or(0);
    for ply in 0..deepest.min(PLIES) {
        let mut row = vec![ply.to_string()];
        row.extend(
            columns
                .iter()
                .map(|c| c.get(ply).map_or_else(String::new, both)),
        );
        rows.push(row);
    }
    out.push_str(&align(&rows, &right));
    style.apply(out)
}

/// The share of the nodes below the root's moves from which on the experiment is about back-ups.
const ENOUGH_BELOW: f64 = 0.5;

/// The maximum ply in the table: deeper plies contain only a few forced lines. JSON has them all.
const PLIES: usize = 12;

/// Returns the last mean divided by the first.
pub fn growth(means: &[Option<Mean>]) -> Option<f64> {
    let known: Vec<f64> = means.iter().flatten().map(|m| m.value).collect();
    let (first, last) = (known.first()?, known.last()?);
    (*first > 0.0).then(|| last / first)
}

fn named(place: usize, rule: &str) -> Vec<String> {
    vec![letter(place).to_string(), rule.to_owned()]
}

fn with_error(mean: Mean) -> String {
    match mean.error {
        Some(error) => format!("{:.3}±{error:.3}", mean.value),
        None => format!("{:.3}", mean.value),
    }
}

fn both(pair: &[Option<Mean>; 2]) -> String {
    let one = |m: &Option<Mean>| m.map_or_else(|| "·".to_owned(), |m| format!("{:.3}", m.value));
    format!("{}/{}", one(&pair[0]), one(&pair[1]))
}

/// The experiment on toy trees as JSON.
#[derive(Serialize, Debug)]
pub struct PopulationJson {
    version: Version,
    experiment: &'static str,
    trees: &'static str,
    complete: bool,
    branching: usize,
    depth: usize,
    population: usize,
    shift: f64,
    error: f64,
    correlation: f64,
    seed: u64,
    levels: [f64; 3],
    /// The oracle's score by depth, from 1 on.
    oracle: Vec<Option<f64>>,
    rules: Vec<PopulationRuleJson>,
}

#[derive(Serialize, Debug)]
struct PopulationRuleJson {
    backup: String,
    by_depth: Vec<DepthJson>,
}

#[derive(Serialize, Debug)]
struct DepthJson {
    depth: usize,
    sd: f64,
    coverage: [f64; 3],
    crps: f64,
    /// The score relative to the oracle's.
    relative: Option<f64>,
    bias: f64,
}

/// Returns a rule's score divided by the oracle's.
pub fn relative(found: &Population, at: &Depth) -> Option<f64> {
    let oracle = found.oracle(at.depth)?;
    (oracle > 0.0).then(|| at.crps / oracle)
}

/// Returns the one object of the experiment on toy trees.
pub fn population(found: &Population, complete: bool) -> PopulationJson {
    let settings = &found.settings;
    let depth = |d: &Depth| DepthJson {
        depth: d.depth,
        sd: d.sd,
        coverage: d.coverage,
        crps: d.crps,
        relative: relative(found, d),
        bias: d.bias,
    };
    let rules = found.rules.iter().zip(&found.depths);
    PopulationJson {
        version: VERSION,
        experiment: "spread",
        trees: "toy",
        complete,
        branching: settings.branching,
        depth: settings.depth,
        population: settings.population,
        shift: settings.shift,
        error: settings.error,
        correlation: settings.correlation,
        seed: settings.seed,
        levels: LEVELS,
        oracle: (1..=settings.depth).map(|d| found.oracle(d)).collect(),
        rules: rules
            .map(|(rule, depths)| PopulationRuleJson {
                backup: rule.to_string(),
                by_depth: depths.iter().map(depth).collect(),
            })
            .collect(),
    }
}

/// Returns the same results as text.
pub fn population_text(found: &Population, complete: bool, style: Style) -> String {
    let s = &found.settings;
    let mut out = format!(
        "spread · toy trees · {} moves · {} trees a depth · shift {} · error {} · correlation {} · seed {}\n",
        s.branching, s.population, s.shift, s.error, s.correlation, s.seed
    );
    if !complete {
        out.push_str("INTERRUPTED: what is missing was not reached\n");
    }
    type Cell = fn(&Population, &Depth) -> String;
    let parts: [(&str, Cell); 4] = [
        ("Sd of the belief by depth", |_, d| format!("{:.2}", d.sd)),
        (
            "Share of truths within the central 90 % interval",
            |_, d| number::percent(d.coverage[2] as f32),
        ),
        (
            "Ranked probability score over the oracle's (the best of these means, rightly placed and wide)",
            |p, d| relative(p, d).map_or_else(String::new, |r| format!("{r:.2}")),
        ),
        ("Bias: mean less truth", |_, d| {
            number::minus(&format!("{:+.2}", d.bias))
        }),
    ];
    for (title, cell) in parts {
        let _ = writeln!(out, "\n{title}");
        let mut head = vec![String::new(), "back-up".to_owned()];
        head.extend((1..=s.depth).map(|d| format!("d{d}")));
        let right: Vec<usize> = (2..head.len()).collect();
        let mut rows = vec![head];
        for (place, (rule, depths)) in found.rules.iter().zip(&found.depths).enumerate() {
            let mut row = named(place, &rule.to_string());
            row.extend(depths.iter().map(|d| cell(found, d)));
            row.resize(s.depth + 2, String::new());
            rows.push(row);
        }
        out.push_str(&align(&rows, &right));
    }
    style.apply(out)
}
