//! The results of the experiment on the largest of several values.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, fixed};
use lab::maximum::{Maximum, Off, Plan, Row, Way};

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub plan: &'a Plan,
    pub complete: bool,
    pub found: &'a Maximum,
}

/// An error, in per cent of the exact width.
fn error(row: &Row, way: Way) -> Option<Cell> {
    let percent = |x: f64| fixed(100.0 * x, 1);
    let error = row.of(way)?.error;
    Some(percent(error.value).within(error.interval, percent))
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::maximum::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::maximum::verdict(self.plan, self.found)
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(format!(
            "maximum · {} draws of each kind · seed {}",
            number::count(self.plan.draws as u64),
            self.plan.seed
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not drawn");
        }
        let once = [Way::Best, Way::Clark, Way::Moments, Way::Fitted];
        let table = Table::of(&self.found.once)
            .column("values", |row| row.number)
            .column("ratio", |row| fixed(row.ratio, 0))
            .columns(once, Way::name, error);
        sheet.table(
            "how far off the three points are, in per cent of the exact distance from the 5 % to the 95 % point",
            table,
        );
        sheet.note("best: the points of the one with the highest median (control)");
        sheet.note("Clark, moments: those of normal distributions");
        sheet.note("fitted: Clark's with three constants for each row · ratio: of the widest to the narrowest");
        let trees = Table::of(&self.found.trees)
            .column("moves", |row| row.number)
            .column("plies", |row| row.plies as usize)
            .columns(Way::ALL, Way::name, error);
        sheet.table(
            format!("the same after several plies, ratio {}", self.plan.ratio),
            trees,
        );
        let width = |row: &Row, way: Way| Some(fixed(row.of(way)?.width.value, 2));
        let widths = Table::of(&self.found.trees)
            .column("moves", |row| row.number)
            .column("plies", |row| row.plies as usize)
            .columns(Way::ALL, Way::name, width);
        sheet.table("their width there, by the exact one", widths);
        sheet.note("product: read from the product of the distribution functions at each node");
        sheet
    }

    fn json(&self) -> Value {
        let off = |off: &Off| json!(off);
        let row = |row: &Row| {
            json!({
                "number": row.number, "ratio": row.ratio, "plies": row.plies,
                "off": row.off.iter().map(off).collect::<Vec<Value>>(),
            })
        };
        json!({
            "version": VERSION,
            "experiment": "maximum",
            "complete": self.complete,
            "draws": self.plan.draws,
            "seed": self.plan.seed,
            "once": self.found.once.iter().map(row).collect::<Vec<Value>>(),
            "trees": self.found.trees.iter().map(row).collect::<Vec<Value>>(),
        })
    }
}
