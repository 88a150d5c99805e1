//! The results of a sweep.

use serde_json::{Value, json};

use super::verdict::{Verdict, sweep as verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, fixed, percent};
use lab::sweep::{Gain, Judge, Row, Sweep, Variable};
use session::Budget;

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    /// The algorithm, with the options that are the same in all variants.
    pub algorithm: &'a str,
    /// The options that name variables, as given.
    pub swept: &'a [String],
    pub over: &'a [Variable],
    /// The positions or openings that are to be answered.
    pub wanted: usize,
    pub budget: Budget,
    pub threads: usize,
    pub seed: u64,
    pub found: &'a Sweep,
}

impl Results<'_> {
    fn over(&self) -> impl Iterator<Item = String> {
        self.over.iter().map(Variable::to_string)
    }

    fn rows(&self) -> Vec<(&str, Row)> {
        let names = self.found.names.iter().map(String::as_str);
        names.zip(self.found.rows()).collect()
    }
}

/// A figure of the judge.
pub fn figure(judge: Judge, x: f64) -> Cell {
    match judge {
        // Few prunes are wrong.
        Judge::Audit => Cell::number(format!("{:.2} %", 100.0 * x)),
        _ if judge.is_share() => percent(x),
        _ => fixed(x, 4),
    }
}

/// A difference of two figures, with its sign.
fn difference(judge: Judge, gain: &Gain) -> Cell {
    let write = |x: f64| {
        Cell::number(number::minus(&match judge.is_share() {
            true if judge == Judge::Audit => format!("{:+.2} %", 100.0 * x),
            true => format!("{:+.1} %", 100.0 * x),
            false => format!("{x:+.4}"),
        }))
    };
    write(gain.value).within(gain.interval, write)
}

/// Returns the table of all variants over all positions.
pub fn table(found: &Sweep) -> Table {
    let judge = found.judge;
    let names = found.names.iter().map(String::as_str);
    let rows: Vec<(&str, Row)> = names.zip(found.rows()).collect();
    let any = |read: fn(&Row) -> Option<f64>| rows.iter().any(|(_, row)| read(row).is_some());
    let mut table = Table::of(&rows)
        .column("", |row| row.0)
        .column(judge.heading(), |row| figure(judge, row.1.mean))
        .column("more than built in", |row| {
            row.1.gain.as_ref().map(|gain| difference(judge, gain))
        });
    if any(|row| row.nodes) {
        table = table.column("nodes", |row| row.1.nodes.map(|n| number::count(n as u64)));
    }
    if any(|row| row.depth) {
        table = table.column("depth", |row| row.1.depth.map(|depth| fixed(depth, 1)));
    }
    table.into()
}

/// Says what the figures of the table rest on.
pub fn remark(found: &Sweep) -> String {
    let judge = found.judge;
    let mut said = format!(
        "over all {} · intervals at 95 % for {} variants together (Bonferroni)",
        judge.units(),
        found.names.len().saturating_sub(1),
    );
    let of = found
        .rule
        .map_or("all rules".to_owned(), |rule| format!("the rule {rule}"));
    said.push_str(&match judge {
        Judge::Belief => " · CRPS: less is better".to_owned(),
        Judge::Loss => " · less is better; won 1, drawn 0.5, lost 0".to_owned(),
        Judge::Audit => format!(
            " · of {of}, one prune in {} · less is better, but read it beside nodes and depth: who prunes less is wrong less often",
            lab::sweep::AUDITED
        ),
        Judge::Match => " · two games from each opening against what is built in".to_owned(),
        Judge::Solved | Judge::Points => String::new(),
    });
    if found.left_out > 0 {
        said.push_str(&format!(
            " · {} left out: some variant pruned nothing that was audited",
            found.left_out
        ));
    }
    said
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::verdict(self.found)
    }

    fn sheet(&self) -> Sheet {
        let judge = self.found.judge;
        let swept = self.swept.iter().cloned();
        let swept: Vec<String> = swept.chain(self.over()).collect();
        let mut sheet = Sheet::new(format!(
            "sweep · {} · {} · {} of {} {} of {} · {} · {} thread{} · seed {}",
            self.algorithm,
            swept.join(" "),
            self.found.done(),
            self.wanted,
            judge.units(),
            self.source,
            self.budget,
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            self.seed,
        ));
        if self.found.done() < self.wanted {
            sheet.note("UNFINISHED: what is missing was not searched by all variants");
        }
        sheet.table("", table(self.found));
        sheet.note(remark(self.found));
        if let Some(chosen) = self.found.chosen() {
            let variant = chosen.variant.unwrap_or(0);
            let halves = [(variant, chosen.means.0), (0, chosen.means.1)];
            let names = &self.found.names;
            let table = Table::of(&halves[..1 + usize::from(variant > 0)])
                .column("chosen on one half", |row| names[row.0].as_str())
                .column("on the other", |row| figure(judge, row.1))
                .column("more than built in", |row| {
                    (row.0 > 0).then(|| difference(judge, &chosen.gain))
                });
            sheet.table("", table);
            sheet.note(format!(
                "chosen on the {} {} with odd numbers, judged on the {} others",
                chosen.positions.0,
                judge.units(),
                chosen.positions.1
            ));
        }
        sheet
    }

    fn json(&self) -> Value {
        let variant = |(name, row): &(&str, Row)| json!({"name": name, "mean": row.mean, "gain": row.gain, "nodes": row.nodes, "depth": row.depth});
        let chosen = self.found.chosen().map(|chosen| {
            json!({
                "name": self.found.names[chosen.variant.unwrap_or(0)],
                "chosen_on": chosen.positions.0,
                "judged_on": chosen.positions.1,
                "mean": chosen.means.0,
                "built_in": chosen.means.1,
                "gain": chosen.gain,
            })
        });
        json!({
            "version": VERSION,
            "experiment": "sweep",
            "source": self.source,
            "algorithm": self.algorithm,
            "swept": self.swept,
            "over": self.over().collect::<Vec<String>>(),
            "judge": self.found.judge,
            "rule": self.found.rule,
            "wanted": self.wanted,
            "positions": self.found.positions.len(),
            "left_out": self.found.left_out,
            "complete": self.found.done() >= self.wanted,
            "budget": self.budget.to_string(),
            "threads": self.threads,
            "seed": self.seed,
            "variants": self.rows().iter().map(variant).collect::<Vec<Value>>(),
            "chosen": chosen,
        })
    }
}
