//! The results of a sweep.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
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
    /// The positions that are to be answered.
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
fn figure(judge: Judge, x: f64) -> Cell {
    match judge {
        Judge::Solved | Judge::Points => percent(x),
        Judge::Belief => fixed(x, 4),
    }
}

/// A difference of two figures, with its sign.
fn difference(judge: Judge, gain: &Gain) -> Cell {
    let write = |x: f64| {
        Cell::number(number::minus(&match judge {
            Judge::Solved | Judge::Points => format!("{:+.1} %", 100.0 * x),
            Judge::Belief => format!("{x:+.4}"),
        }))
    };
    write(gain.value).within(gain.interval, write)
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::SWEEP
    }

    fn verdict(&self) -> Verdict {
        verdict::sweep(self.found)
    }

    fn sheet(&self) -> Sheet {
        let judge = self.found.judge;
        let swept = self.swept.iter().cloned();
        let swept: Vec<String> = swept.chain(self.over()).collect();
        let mut sheet = Sheet::new(format!(
            "sweep · {} · {} · {} of {} positions of {} · {} · {} thread{} · seed {}",
            self.algorithm,
            swept.join(" "),
            self.found.positions.len(),
            self.wanted,
            self.source,
            self.budget,
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            self.seed,
        ));
        if self.found.positions.len() < self.wanted {
            sheet.note("UNFINISHED: what is missing was not searched by all variants");
        }
        let rows = self.rows();
        let table = Table::of(&rows)
            .column("", |row| row.0)
            .column(judge.heading(), |row| figure(judge, row.1.mean))
            .column("more than built in", |row| {
                row.1.gain.as_ref().map(|gain| difference(judge, gain))
            });
        sheet.table("", table);
        sheet.note(format!(
            "over all positions · intervals at 95 % for {} variants together (Bonferroni){}",
            rows.len().saturating_sub(1),
            match judge {
                Judge::Belief => " · CRPS: less is better",
                Judge::Solved | Judge::Points => "",
            },
        ));
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
                "chosen on the {} positions with odd numbers, judged on the {} others",
                chosen.positions.0, chosen.positions.1
            ));
        }
        sheet
    }

    fn json(&self) -> Value {
        let variant =
            |(name, row): &(&str, Row)| json!({"name": name, "mean": row.mean, "gain": row.gain});
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
            "wanted": self.wanted,
            "positions": self.found.positions.len(),
            "complete": self.found.positions.len() >= self.wanted,
            "budget": self.budget.to_string(),
            "threads": self.threads,
            "seed": self.seed,
            "variants": self.rows().iter().map(variant).collect::<Vec<Value>>(),
            "chosen": chosen,
        })
    }
}
