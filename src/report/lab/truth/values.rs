//! The figures of the experiment on the truth for programs: JSON and comma-separated values.

use serde_json::{Value, json};

use super::{Results, part, told};
use crate::sheet::Table;
use belief::score::LEVELS;
use lab::statistics::Figure;
use lab::truth::{AtPly, Beliefs, LeftOut, Tally};

/// A figure in a line of its own, for programs that read tables.
#[derive(Debug)]
struct Line<'a> {
    column: &'a str,
    what: String,
    /// The ply, or the name of the fate.
    at: String,
    /// The number of cases.
    n: u64,
    value: Option<f64>,
    control: Option<f64>,
}

impl Results<'_> {
    /// Returns all figures as comma-separated values: a line for each figure of each column.
    pub fn csv(&self) -> String {
        let mut lines = Vec::new();
        for (_, name, tally) in self.columns() {
            self.lines(name, tally, &mut lines);
        }
        let exact = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
        let table = Table::of(&lines)
            .column("column", |l| l.column)
            .column("figure", |l| &l.what)
            .column("at", |l| &l.at)
            .column("n", |l| l.n)
            .column("value", move |l| exact(l.value))
            .column("control", move |l| exact(l.control));
        Table::from(table).csv()
    }

    fn lines<'n>(&self, column: &'n str, tally: &Tally, lines: &mut Vec<Line<'n>>) {
        let mut line = |what: &str, at: &str, n: u64, value: Option<f64>, control: Option<f64>| {
            lines.push(Line {
                column,
                what: what.to_owned(),
                at: at.to_owned(),
                n,
                value,
                control,
            });
        };
        let (all, proofs) = (tally.searches, tally.proofs);
        line(
            "proven",
            "root",
            all,
            part(tally.proven() as f64, all),
            None,
        );
        let nodes = tally.nodes_to_proof();
        line(
            "mean nodes to proof",
            "root",
            tally.proven(),
            nodes.map(|n| n.0),
            None,
        );
        line(
            "median nodes to proof",
            "root",
            tally.proven(),
            nodes.map(|n| n.1),
            None,
        );
        line(
            "keeps the result",
            "root",
            all,
            part(tally.keeps as f64, all),
            self.found.kept_by_chance(),
        );
        line(
            "false results",
            "nodes",
            proofs.bounds,
            part(proofs.false_results as f64, proofs.bounds),
            None,
        );
        line(
            "false distances",
            "nodes",
            proofs.bounds,
            part(proofs.false_distances as f64, proofs.bounds),
            None,
        );
        line(
            "said falsely",
            "nodes",
            tally.said.all,
            part(tally.said.wrong as f64, tally.said.all),
            None,
        );
        for (fate, of) in &tally.fates {
            line(
                "lost",
                fate,
                of.decisions,
                part(of.lost as f64, of.decisions),
                part(of.lost_by_chance, of.decisions),
            );
            line(
                "wrong claims",
                fate,
                of.claims,
                part(of.wrong as f64, of.claims),
                part(of.wrong_by_chance, of.claims),
            );
        }
        for (ply, at) in tally.plies.iter().enumerate() {
            for (of, which) in [(&at.all, ""), (&at.open, " unproven")] {
                let (n, ply) = (of.count(), ply.to_string());
                line(
                    &format!("crps{which}"),
                    &ply,
                    n,
                    part(of.crps, n),
                    of.climate(),
                );
                line(
                    &format!("mean less result{which}"),
                    &ply,
                    n,
                    part(of.above, n),
                    None,
                );
                for (level, covered) in LEVELS.iter().zip(of.covered) {
                    let what = format!("within {:.0} %{which}", 100.0 * level);
                    line(&what, &ply, n, part(covered, n), Some(*level));
                }
            }
        }
    }

    pub(super) fn json_of(&self, (i, name, tally): &(usize, &str, &Tally)) -> Value {
        let figure =
            |f: Option<Figure>| f.map(|f| json!({"value": f.value, "interval": f.interval}));
        let nodes = tally.nodes_to_proof();
        let fate = |(fate, of): (&String, &LeftOut)| {
            json!({
                "fate": fate,
                "decisions": of.decisions,
                "moves": of.moves,
                "lost": figure(self.of_fate((*i, fate), |of| (of.lost, of.decisions))),
                "lost_by_chance": part(of.lost_by_chance, of.decisions),
                "claims": of.claims,
                "false": figure(self.of_fate((*i, fate), |of| (of.wrong, of.claims))),
                "false_by_chance": part(of.wrong_by_chance, of.claims),
                "proven": of.proven,
            })
        };
        let beliefs = |of: &Beliefs, read: &dyn Fn(&Tally) -> Option<&Beliefs>| {
            let n = of.count();
            json!({
                "n": n,
                "results": of.results,
                "crps": figure(self.crps(*i, read)),
                "control": of.climate(),
                "coverage": part(1.0, n).map(|each| of.covered.map(|sum| sum * each)),
                "mean_less_result": part(of.above, n),
            })
        };
        let ply = |(ply, at): (usize, &AtPly)| {
            json!({
                "ply": ply,
                "all": beliefs(&at.all, &|t| t.plies.get(ply).map(|at| &at.all)),
                "unproven": beliefs(&at.open, &|t| t.plies.get(ply).map(|at| &at.open)),
            })
        };
        let first = tally.first.as_ref().map(|first| {
            json!({
                "position": first.position,
                "line": first.line,
                "lower": told(first.lower),
                "upper": told(first.upper),
                "truth": told(first.truth),
                "of_result": first.is_of_result,
            })
        });
        json!({
            "name": name,
            "searches": tally.searches,
            "proven": figure(self.proven(*i)),
            "nodes_to_proof": nodes.map(|(mean, median)| json!({"mean": mean, "median": median})),
            "keeps": figure(self.keeps(*i)),
            "nodes": tally.nodes,
            "bounds": tally.proofs.bounds,
            "results_proven": tally.proofs.certain,
            "false_results": tally.proofs.false_results,
            "false_distances": tally.proofs.false_distances,
            "first_false_proof": first,
            "said": tally.said.all,
            "said_falsely": tally.said.wrong,
            "fates": tally.fates.iter().map(fate).collect::<Vec<Value>>(),
            "plies": tally.plies.iter().enumerate().map(ply).collect::<Vec<Value>>(),
        })
    }
}
