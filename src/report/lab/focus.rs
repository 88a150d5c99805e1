//! The results of the experiment on moves that have little policy.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Sheet, Table, fixed, percent};
use lab::focus::{Focus, Order, Row};
use lab::statistics::{Figure, Resamples};

/// The results, with what was asked.
#[derive(Debug)]
pub struct Results<'a> {
    source: &'a str,
    column: &'a str,
    nodes: u64,
    judge_nodes: u64,
    complete: bool,
    found: &'a Focus,
    rows: Vec<Row>,
}

/// So many resamples of the positions give the intervals.
const RESAMPLES: usize = 1_000;

impl<'a> Results<'a> {
    /// Works out the intervals. `nodes` of the search whose policy is asked, and of the referee's short searches.
    pub fn new(
        (source, column): (&'a str, &'a str),
        (nodes, judge_nodes): (u64, u64),
        complete: bool,
        found: &'a Focus,
    ) -> Self {
        let resamples = Resamples::new(found.measured().len(), RESAMPLES, 1);
        Results {
            source,
            column,
            nodes,
            judge_nodes,
            complete,
            found,
            rows: found.rows(&resamples),
        }
    }
}

/// A loss, in hundredths of a point of the game.
fn hundredths(x: f64) -> Cell {
    fixed(100.0 * x, 2)
}

fn between(figure: &Figure, write: impl Fn(f64) -> Cell) -> Cell {
    write(figure.value).within(figure.interval, write)
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::focus::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::focus::verdict(self.found.measured().len(), &self.rows)
    }

    fn sheet(&self) -> Sheet {
        let measured = self.found.measured();
        let mut sheet = Sheet::new(format!(
            "focus · {} · {} of {} positions · {} · {} nodes",
            self.source,
            measured.len(),
            self.found.measured.len(),
            self.column,
            number::count(self.nodes),
        ));
        sheet.note(format!(
            "judge: alpha-beta, {} nodes after each move, ten times as many where it matters",
            number::count(self.judge_nodes)
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not searched");
        }
        let moves = measured.iter().map(|m| f64::from(m.moves)).sum::<f64>();
        let moves = moves / measured.len().max(1) as f64;
        let below = |row: &Row| Cell::number(format!("{:.1} %", 100.0 * row.threshold));
        let table = Table::of(&self.rows)
            .column("below", below)
            .column("moves kept", |row| between(&row.kept, |x| fixed(x, 1)))
            .column("ignored", |row| {
                between(&row.ignored, |x| {
                    Cell::number(format!("{:.1} %", 100.0 * x))
                })
            })
            .columns(
                Order::ALL,
                |order| format!("out: {}", name(order)),
                |row, order| percent(row.left_out[order as usize].value),
            );
        sheet.table(
            format!("moves with less of the policy than this are left out, of {moves:.1} moves"),
            table,
        );
        let controls = [Order::Network, Order::Chance];
        let table = Table::of(&self.rows)
            .column("below", below)
            .column("by policy", |row| between(&row.loss[0], hundredths))
            .columns(
                controls,
                |order| format!("by {}", name(order)),
                |row, order| hundredths(row.loss[order as usize].value),
            )
            .column("network less policy", |row| between(&row.gain, hundredths));
        sheet.table(
            "what that loses, in hundredths of a point of the game",
            table,
        );
        sheet.note("out: how often the best move is left out");
        sheet.note("network, chance (controls): as many kept, by the network's policy or any");
        sheet
    }

    fn json(&self) -> Value {
        let row = |row: &Row| {
            let by = |figures: &[Figure; 3]| json!({"policy": figures[0], "network": figures[1], "chance": figures[2]});
            json!({
                "threshold": row.threshold, "kept": row.kept, "ignored": row.ignored,
                "left_out": by(&row.left_out), "loss": by(&row.loss), "gain": row.gain,
            })
        };
        json!({
            "version": VERSION,
            "experiment": "focus",
            "source": self.source,
            "positions": self.found.measured.len(),
            "measured": self.found.measured().len(),
            "complete": self.complete,
            "column": self.column,
            "nodes": self.nodes,
            "judge_nodes": self.judge_nodes,
            "thresholds": self.rows.iter().map(row).collect::<Vec<Value>>(),
        })
    }
}

fn name(order: Order) -> &'static str {
    match order {
        Order::Policy => "policy",
        Order::Network => "network",
        Order::Chance => "chance",
    }
}
