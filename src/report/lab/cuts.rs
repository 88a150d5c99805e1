//! The results of the experiment on probabilistic cuts.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Rows, Sheet, Table, count, letter};
use lab::cuts::{Claims, Cuts};
use lab::statistics::Resamples;

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    pub positions: usize,
    /// What each search may spend.
    pub budget: &'a str,
    /// One cut in so many was audited.
    pub audit: u64,
    /// How many plies deeper the judge looked.
    pub plies: u64,
    pub complete: bool,
    pub resamples: &'a Resamples,
    pub found: &'a Cuts,
}

fn share(x: f64) -> Cell {
    Cell::number(format!("{:.1} %", 100.0 * x))
}

/// A claim, which may be very near 1.
fn claim(x: f64) -> Cell {
    Cell::number(format!("{:.2} %", 100.0 * x))
}

/// Adds how many cuts there are, what they claim, and what holds.
fn claims<'a, T>(rows: Rows<'a, T>, of: impl Fn(&T) -> Option<Claims>) -> Rows<'a, T> {
    let held = |c: Claims| share(c.held.value).within(c.held.interval, share);
    rows.column("cuts", |row| of(row).map(|c| count(c.cuts as u64)))
        .column("claimed", |row| of(row).map(|c| claim(c.claimed)))
        .column("holds", |row| of(row).map(held))
        .column("claims", |row| match of(row) {
            Some(c) if c.is_too_much() => "too much",
            Some(c) if c.is_too_little() => "too little",
            _ => "",
        })
}

impl Results<'_> {
    /// All cuts of each column.
    fn all(&self) -> Vec<(usize, &str, Option<Claims>)> {
        let names = self.found.columns.iter().map(String::as_str);
        let of = |(i, name)| (i, name, self.found.claims(i, self.resamples, |_| true));
        names.enumerate().map(of).collect()
    }
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::cuts::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::cuts::verdict(self.found, self.resamples)
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(format!(
            "cuts · {} · {} of {} positions · {}",
            self.source,
            self.found.searched(),
            self.positions,
            self.budget,
        ));
        sheet.note(format!(
            "one cut in {} audited by an alpha-beta {} plies deeper",
            number::count(self.audit),
            self.plies
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not searched");
        }
        let all = self.all();
        let table = Table::of(&all)
            .column("", |row| letter(row.0))
            .column("column", |row| row.1);
        sheet.table("", claims(table, |row| row.2));
        for (i, name, _) in &all {
            let groups = self.found.by_claim(*i, self.resamples);
            if groups.len() < 2 {
                continue;
            }
            let table = Table::of(&groups)
                .column("from", |c| claim(c.from))
                .column("to", |c| claim(c.to));
            sheet.table(
                format!("{} {name}, by what is claimed", letter(*i)),
                claims(table, |c| Some(*c)),
            );
        }
        let depths = self.found.by_depth(0, self.resamples);
        let table = Table::of(&depths).column("plies left", |row| usize::from(row.0));
        if !depths.is_empty() {
            sheet.table("A by depth", claims(table, |row| Some(row.1)));
        }
        sheet.note("holds: the node is worth at least beta · intervals over resampled positions");
        sheet
    }

    fn json(&self) -> Value {
        let of = |c: &Claims| {
            json!({
                "cuts": c.cuts, "from": c.from, "to": c.to, "claimed": c.claimed,
                "held": c.held.value, "interval": c.held.interval,
            })
        };
        let column = |(i, name, claims): &(usize, &str, Option<Claims>)| {
            let depth = |(depth, claims): &(u16, Claims)| {
                let mut object = of(claims);
                object["depth"] = json!(depth);
                object
            };
            let groups = self.found.by_claim(*i, self.resamples);
            let depths = self.found.by_depth(*i, self.resamples);
            json!({
                "name": name,
                "all": claims.as_ref().map(of),
                "by_claim": groups.iter().map(of).collect::<Vec<Value>>(),
                "by_depth": depths.iter().map(depth).collect::<Vec<Value>>(),
            })
        };
        json!({
            "version": VERSION,
            "experiment": "cuts",
            "source": self.source,
            "positions": self.positions,
            "searched": self.found.searched(),
            "complete": self.complete,
            "budget": self.budget,
            "audit": self.audit,
            "plies": self.plies,
            "columns": self.all().iter().map(column).collect::<Vec<Value>>(),
        })
    }
}
