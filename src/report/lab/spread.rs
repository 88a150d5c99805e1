//! The results of the experiment on spread, in positions and in toy trees.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::{OptionsJson, VERSION};
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, factor, fixed, letter, percent, signed};
use belief::score::LEVELS;
use lab::spread::{Depth, Mean, Population, Searches};
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

/// Random trees, whose truth is known.
#[derive(Clone, Copy, Debug)]
pub struct Grown<'a> {
    pub complete: bool,
    pub found: &'a Population,
}

/// The share of the nodes below the root's moves from which on the experiment is about back-ups.
const ENOUGH_BELOW: f64 = 0.5;

/// The maximum ply in the table: deeper plies contain only a few forced lines. JSON has them all.
const PLIES: usize = 12;

impl Report for Searched<'_> {
    fn question(&self) -> &'static str {
        verdict::SEARCHES
    }

    fn verdict(&self) -> Verdict {
        verdict::searches(self.found)
    }

    fn sheet(&self) -> Sheet {
        let found = self.found;
        let (searched, solved) = found.searched();
        let last = found.nodes.last().copied().unwrap_or(0);
        let mut sheet = Sheet::new(format!(
            "spread · {} · {} positions · distress, {} nodes each",
            self.source,
            found.curves.len(),
            number::count(last),
        ));
        if !self.complete {
            sheet.note(format!(
                "INTERRUPTED: {searched} positions searched by every rule"
            ));
        }
        let shallow = (0..found.rules.len()).filter(|&rule| found.below(rule) < ENOUGH_BELOW);
        let shallow: Vec<&str> = shallow.map(|rule| found.rules[rule].as_str()).collect();
        if searched > solved && !shallow.is_empty() {
            sheet.note(format!(
                "SHALLOW: less than half of the nodes lie below the root's moves under {}; this says little about back-ups",
                shallow.join(", ")
            ));
        }
        let rules: Vec<_> = (0..found.rules.len())
            .map(|rule| (rule, found.by_nodes(rule)))
            .collect();
        let by_nodes = Table::of(&rules)
            .column("", |rule| letter(rule.0))
            .column("back-up", |rule| &found.rules[rule.0])
            .columns(
                0..found.nodes.len(),
                |i| number::count(found.nodes[i]),
                |rule, i| rule.1[i].map(|mean| fixed(mean.value, 3).or_error(mean.error, 3)),
            )
            .column("last/first", |rule| growth(&rule.1).map(|g| factor(g, 2)))
            .column("below", |rule| {
                Cell::number(format!("{:.0} %", 100.0 * found.below(rule.0)))
            });
        sheet.table(
            format!(
                "Sd of the root's belief by nodes, mean over {} positions ± standard error ({solved} solved ones left out)",
                searched - solved
            ),
            by_nodes,
        );
        for (which, title) in SEARCHED.iter().enumerate() {
            sheet.table(*title, of_searches(found, which, PLIES));
        }
        sheet
    }

    fn json(&self) -> Value {
        let found = self.found;
        let (searched, solved) = found.searched();
        let ply = |(ply, [expanded, leaves]): (usize, [Option<Mean>; 2])| json!({"ply": ply, "expanded": expanded, "leaves": leaves});
        let rule = |rule: usize| {
            json!({
                "backup": found.rules[rule],
                "below_moves": found.below(rule),
                "by_nodes": found.by_nodes(rule),
                "moved": found.moves(rule),
                "by_ply": (0..).zip(found.by_ply(rule)).map(ply).collect::<Vec<_>>(),
            })
        };
        json!({
            "version": VERSION,
            "experiment": "spread",
            "trees": "chess",
            "source": self.source,
            "complete": self.complete,
            "positions": found.curves.len(),
            "searched": searched,
            "solved": solved,
            "nodes": found.nodes,
            "options": OptionsJson::Own(self.options.clone()),
            "rules": (0..found.rules.len()).map(rule).collect::<Vec<_>>(),
        })
    }
}

/// Returns the last mean divided by the first.
pub fn growth(means: &[Option<Mean>]) -> Option<f64> {
    let known: Vec<f64> = means.iter().flatten().map(|m| m.value).collect();
    let (first, last) = (known.first()?, known.last()?);
    (*first > 0.0).then(|| last / first)
}

/// What the tables of searched positions beside that by nodes have, rule by rule.
pub const SEARCHED: [&str; 3] = [
    "By ply of the last trees: sd of expanded nodes, weighed by visits",
    "By ply of the last trees: sd of leaves",
    "How far the root's mean moved up to so many nodes",
];

/// Returns one of the tables of [`SEARCHED`], up to a ply.
pub fn of_searches(found: &Searches, which: usize, plies: usize) -> Table {
    let by_rule = |rule: usize| -> Vec<Option<Mean>> {
        match which {
            2 => found.moves(rule),
            _ => found
                .by_ply(rule)
                .into_iter()
                .map(|ply| ply[which])
                .take(plies)
                .collect(),
        }
    };
    let rows: Vec<_> = found
        .rules
        .iter()
        .zip((0..).map(by_rule))
        .enumerate()
        .collect();
    let wide = rows.iter().map(|row| row.1.1.len()).max().unwrap_or(0);
    let head = |i: usize| match which {
        2 => number::count(found.nodes[i + 1]),
        _ => format!("p{i}"),
    };
    let dot = || Cell::number("·".to_owned());
    let table = Table::of(&rows)
        .column("", |row| letter(row.0))
        .column("back-up", |row| row.1.0)
        .columns(0..wide, head, |row, i| {
            let mean = row.1.1.get(i).copied().flatten();
            mean.map_or_else(dot, |mean| fixed(mean.value, 3))
        });
    table.into()
}

/// Returns a rule's score divided by the oracle's.
pub fn relative(found: &Population, at: &Depth) -> Option<f64> {
    let oracle = found.oracle(at.depth)?;
    (oracle > 0.0).then(|| at.crps / oracle)
}

/// What the tables of toy trees have, by rule and depth.
pub const GROWN: [&str; 4] = [
    "Sd of the belief by depth",
    "Share of truths within the central 90 % interval",
    "Ranked probability score over the oracle's (the best of these means, rightly placed and wide)",
    "Bias: mean less truth",
];

/// Returns one of the tables of [`GROWN`].
pub fn of_population(found: &Population, which: usize) -> Table {
    let cell = |at: &Depth| match which {
        0 => fixed(at.sd, 2),
        1 => percent(at.coverage[2]),
        2 => relative(found, at).map(|r| fixed(r, 2)).into(),
        _ => signed(at.bias, 2),
    };
    let rows: Vec<_> = found.rules.iter().zip(&found.depths).enumerate().collect();
    let table = Table::of(&rows)
        .column("", |row| letter(row.0))
        .column("back-up", |row| row.1.0.to_string())
        .columns(
            0..found.settings.depth,
            |i| format!("d{}", i + 1),
            |row, i| row.1.1.get(i).map(cell),
        );
    table.into()
}

impl Report for Grown<'_> {
    fn question(&self) -> &'static str {
        verdict::TREES
    }

    fn verdict(&self) -> Verdict {
        verdict::trees(self.found)
    }

    fn sheet(&self) -> Sheet {
        let found = self.found;
        let s = &found.settings;
        let mut sheet = Sheet::new(format!(
            "spread · toy trees · {} moves · {} trees a depth · shift {} · error {} · correlation {} · seed {}",
            s.branching, s.population, s.shift, s.error, s.correlation, s.seed
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not reached");
        }
        for (which, title) in GROWN.iter().enumerate() {
            sheet.table(*title, of_population(found, which));
        }
        sheet
    }

    fn json(&self) -> Value {
        let found = self.found;
        let s = &found.settings;
        let depth = |d: &Depth| {
            json!({
                "depth": d.depth,
                "sd": d.sd,
                "coverage": d.coverage,
                "crps": d.crps,
                "relative": relative(found, d),
                "bias": d.bias,
            })
        };
        let rules = found.rules.iter().zip(&found.depths).map(|(rule, depths)| {
            let by_depth: Vec<Value> = depths.iter().map(depth).collect();
            json!({"backup": rule.to_string(), "by_depth": by_depth})
        });
        json!({
            "version": VERSION,
            "experiment": "spread",
            "trees": "toy",
            "complete": self.complete,
            "branching": s.branching,
            "depth": s.depth,
            "population": s.population,
            "shift": s.shift,
            "error": s.error,
            "correlation": s.correlation,
            "seed": s.seed,
            "levels": LEVELS,
            "oracle": (1..=s.depth).map(|d| found.oracle(d)).collect::<Vec<_>>(),
            "rules": rules.collect::<Vec<_>>(),
        })
    }
}
