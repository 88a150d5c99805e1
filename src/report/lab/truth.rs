//! The results of the experiment on the truth.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Kind, Report, Sheet, Table, count, fixed, letter, rare, signed};
use belief::score::LEVELS;
use game::Score;
use lab::statistics::{Figure, Resamples};
use lab::truth::{Beliefs, Board, FalseProof, LeftOut, Tally, Truths};
use text::thousands;

/// The results, with what was asked.
#[derive(Debug)]
pub struct Results<'a> {
    board: Board,
    /// The number of positions asked for, and the nodes of each search.
    wanted: usize,
    nodes: u64,
    complete: bool,
    resamples: &'a Resamples,
    found: &'a Truths,
    totals: Vec<Tally>,
}

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

/// Returns a score as words: `win in 3`, `draw`.
pub(super) fn told(score: Score) -> String {
    match score.mate_plies() {
        _ if score == Score::DRAW => "draw".to_owned(),
        Some(plies) if plies > 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {}", -plies),
        None => format!("{score:?}"),
    }
}

/// Returns what a false proof says and what is true: `win in 3 after 1 2, which is a draw, in connect4 …`.
pub(super) fn told_falsely(proof: &FalseProof) -> String {
    let says = match proof.lower == proof.upper {
        true => told(proof.lower),
        false => format!("between {} and {}", told(proof.lower), told(proof.upper)),
    };
    let line = match proof.line.as_slice() {
        [] => "of the root".to_owned(),
        moves => format!("after {}", moves.join(" ")),
    };
    let truth = told(proof.truth);
    format!("{says} {line} in {}; the truth is {truth}", proof.position)
}

fn share(x: f64) -> Cell {
    rare(x)
}

fn figure(of: Option<Figure>, write: impl Fn(f64) -> Cell) -> Cell {
    of.map(|f| write(f.value).within(f.interval, &write)).into()
}

/// A number of things of which there should be none.
fn none(n: u64) -> Cell {
    let cell = Cell::number(thousands(n));
    match n {
        0 => cell,
        _ => Cell {
            kind: Kind::Off,
            ..cell
        },
    }
}

fn crps(x: f64) -> Cell {
    fixed(x, 3)
}

fn part(sum: f64, n: u64) -> Option<f64> {
    (n > 0).then(|| sum / n as f64)
}

impl<'a> Results<'a> {
    /// `wanted`: the number of positions asked for; `nodes`: those of each search. `resamples` are of the blocks that were searched.
    pub fn new(
        board: Board,
        (wanted, nodes): (usize, u64),
        complete: bool,
        resamples: &'a Resamples,
        found: &'a Truths,
    ) -> Results<'a> {
        let columns = 0..found.columns.len();
        Results {
            board,
            wanted,
            nodes,
            complete,
            resamples,
            found,
            totals: columns.map(|column| found.total(column)).collect(),
        }
    }

    /// Returns each column with its place and its name.
    fn columns(&self) -> Vec<(usize, &'a str, &Tally)> {
        let names = self.found.columns.iter().map(String::as_str).enumerate();
        let columns = names.zip(&self.totals);
        columns.map(|((i, name), tally)| (i, name, tally)).collect()
    }

    fn proven(&self, column: usize) -> Option<Figure> {
        self.found
            .share(column, self.resamples, |t| (t.proven(), t.searches))
    }

    fn keeps(&self, column: usize) -> Option<Figure> {
        self.found
            .share(column, self.resamples, |t| (t.keeps, t.searches))
    }

    /// The mean score of the beliefs that `read` takes.
    fn crps(&self, column: usize, read: impl Fn(&Tally) -> Option<&Beliefs>) -> Option<Figure> {
        self.found.mean(column, self.resamples, |tally| {
            read(tally).map_or((0.0, 0.0), |b| (b.crps, b.count() as f64))
        })
    }

    fn of_fate(
        &self,
        (column, fate): (usize, &str),
        read: impl Fn(&LeftOut) -> (u64, u64),
    ) -> Option<Figure> {
        self.found.share(column, self.resamples, |tally| {
            tally.fates.get(fate).map_or((0, 0), &read)
        })
    }

    /// The score of the belief that a position has each result as often as all of them.
    fn climate(&self) -> Option<f64> {
        let all = Beliefs {
            results: self.found.results(),
            ..Beliefs::default()
        };
        all.climate()
    }

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

    fn columns_table(&self) -> Table {
        /// A column, or the control.
        type Row<'r> = Option<(usize, &'r str, &'r Tally)>;
        let columns = self.columns().into_iter().map(Some);
        let rows: Vec<Row> = columns.chain([None]).collect();
        let of = |row: &Row, read: &dyn Fn(usize, &Tally) -> Cell, control: Option<Cell>| match row
        {
            Some((i, _, tally)) => read(*i, tally),
            None => control.unwrap_or_default(),
        };
        let whole = |x: f64| Cell::number(thousands(x.round() as u64));
        let table = Table::of(&rows)
            .column("", |row| row.map(|r| letter(r.0)))
            .column("column", |row| row.map_or("control", |r| r.1))
            .column("root proven", |row| {
                of(row, &|i, _| figure(self.proven(i), share), None)
            })
            .column("false proofs", |row| {
                of(row, &|_, t| none(t.proofs.false_results), None)
            })
            .column("nodes to proof: mean", |row| {
                of(
                    row,
                    &|_, t| t.nodes_to_proof().map(|n| fixed(n.0, 1)).into(),
                    None,
                )
            })
            .column("median", |row| {
                of(
                    row,
                    &|_, t| t.nodes_to_proof().map(|n| whole(n.1)).into(),
                    None,
                )
            })
            .column("keeps the result", |row| {
                let exact = |x: f64| Cell::number(format!("{:.2} %", 100.0 * x));
                let control = self.found.kept_by_chance().map(exact);
                of(row, &|i, _| figure(self.keeps(i), exact), control)
            })
            .column("root's CRPS", |row| {
                let root = |t: &Tally| t.plies.first().map(|at| at.all);
                let of_column = |i: usize, tally: &Tally| -> Cell {
                    root(tally)
                        .filter(|b| b.count() > 0)
                        .map(|_| figure(self.crps(i, |t| t.plies.first().map(|at| &at.all)), crps))
                        .into()
                };
                of(row, &of_column, self.climate().map(crps))
            });
        table.into()
    }

    fn proofs_table(&self) -> Table {
        let rows = self.columns();
        let table = Table::of(&rows)
            .column("", |r| letter(r.0))
            .column("nodes", |r| count(r.2.nodes))
            .column("with bounds", |r| count(r.2.proofs.bounds))
            .column("results proven", |r| count(r.2.proofs.certain))
            .column("false results", |r| none(r.2.proofs.false_results))
            .column("false distances", |r| none(r.2.proofs.false_distances))
            .column("said without proof", |r| {
                (r.2.said.all > 0).then(|| count(r.2.said.all))
            })
            .column("of these false", |r| {
                (r.2.said.all > 0).then(|| none(r.2.said.wrong))
            });
        table.into()
    }

    fn fates_table(&self) -> Table {
        let rows: Vec<(usize, &String, &LeftOut)> = self
            .columns()
            .into_iter()
            .flat_map(|(i, _, tally)| tally.fates.iter().map(move |(name, of)| (i, name, of)))
            .collect();
        let table = Table::of(&rows)
            .column("", |r| letter(r.0))
            .column("fate", |r| r.1)
            .column("nodes", |r| {
                (r.2.decisions > 0).then(|| count(r.2.decisions))
            })
            .column("moves left out", |r| {
                (r.2.decisions > 0).then(|| count(r.2.moves))
            })
            .column("result lost", |r| {
                figure(
                    self.of_fate((r.0, r.1), |of| (of.lost, of.decisions)),
                    share,
                )
            })
            .column("at random", |r| {
                part(r.2.lost_by_chance, r.2.decisions).map(share)
            })
            .column("claims", |r| (r.2.claims > 0).then(|| count(r.2.claims)))
            .column("false", |r| {
                figure(self.of_fate((r.0, r.1), |of| (of.wrong, of.claims)), share)
            })
            .column("of any node", |r| {
                part(r.2.wrong_by_chance, r.2.claims).map(share)
            })
            .column("proven", |r| part(r.2.proven as f64, r.2.claims).map(share));
        table.into()
    }

    fn beliefs_table(&self, column: usize, tally: &Tally) -> Table {
        let known = tally.plies.iter().enumerate();
        let rows: Vec<_> = known.filter(|(_, at)| at.all.count() > 0).collect();
        let within = |i: usize| {
            move |row: &(usize, &lab::truth::AtPly)| {
                part(row.1.all.covered[i], row.1.all.count()).map(share)
            }
        };
        let open = |b: &Beliefs| (b.count() > 0).then(|| count(b.count()));
        let table = Table::of(&rows)
            .column("ply", |r| r.0)
            .column("beliefs", |r| count(r.1.all.count()))
            .column("CRPS", |r| {
                let ply = r.0;
                figure(
                    self.crps(column, |t| t.plies.get(ply).map(|at| &at.all)),
                    crps,
                )
            })
            .column("control", |r| r.1.all.climate().map(crps))
            .column("within 50 %", within(0))
            .column("80 %", within(1))
            .column("90 %", within(2))
            .column("mean − result", |r| {
                part(r.1.all.above, r.1.all.count()).map(|x| signed(x, 3))
            })
            .column("not proven", move |r| open(&r.1.open))
            .column("their CRPS", |r| {
                let ply = r.0;
                figure(
                    self.crps(column, |t| t.plies.get(ply).map(|at| &at.open)),
                    crps,
                )
            })
            .column("control", |r| r.1.open.climate().map(crps));
        table.into()
    }

    fn json_of(&self, (i, name, tally): &(usize, &str, &Tally)) -> Value {
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
        let ply = |(ply, at): (usize, &lab::truth::AtPly)| {
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

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::truth::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::truth::verdict(self.found, &self.totals)
    }

    fn sheet(&self) -> Sheet {
        let searched = self.found.positions();
        let mut sheet = Sheet::new(format!(
            "truth · {} {} · {} of {} positions · {} nodes",
            self.board.game(),
            self.board,
            thousands(searched),
            thousands(self.found.of),
            number::count(self.nodes),
        ));
        let [lost, drawn, won] = self.found.results().map(|n| part(n as f64, searched));
        let of = |share: Option<f64>| share.map_or_else(String::new, number::rare);
        sheet.note(format!(
            "for the side to move {} won, {} drawn, {} lost",
            of(won),
            of(drawn),
            of(lost)
        ));
        sheet.note(match self.found.is_census() {
            true => "all positions with the game not over: no figure is a sample",
            false => "a sample: intervals at 95 %, over resampled positions",
        });
        if !self.complete {
            sheet.note(format!(
                "INTERRUPTED: {} positions were not searched",
                thousands((self.wanted as u64).saturating_sub(searched))
            ));
        }
        sheet.table("by column", self.columns_table());
        sheet.note(
            "control: a move at random · the belief that a position has each result as often as all of them",
        );
        sheet.table(
            "what the nodes of all trees prove and say",
            self.proofs_table(),
        );
        for (i, _, tally) in self.columns() {
            if let Some(first) = &tally.first {
                sheet.note(format!("{} proves {}", letter(i), told_falsely(first)));
            }
        }
        let fates = self.fates_table();
        if fates.height() > 0 {
            sheet.table("moves left out and claims, by fate", fates);
            sheet.note(
                "result lost: the best move left out has a better result than the best one searched · at random: with as many of the same moves left out",
            );
            sheet.note(
                "false: the result is on the other side of the bound that the fate names · of any node: of the same tree and ply · proven: the node's own proof implies the claim",
            );
        }
        for (i, name, tally) in self.columns() {
            let beliefs = self.beliefs_table(i, tally);
            if beliefs.height() > 0 {
                sheet.table(
                    format!("{} {name}: beliefs by ply below the root", letter(i)),
                    beliefs,
                );
            }
        }
        sheet
    }

    fn json(&self) -> Value {
        let columns = self.columns();
        json!({
            "version": VERSION,
            "experiment": "truth",
            "board": self.board.to_string(),
            "game": self.board.game(),
            "of": self.found.of,
            "positions": self.wanted,
            "searched": self.found.positions(),
            "all": self.found.is_census(),
            "complete": self.complete,
            "nodes": self.nodes,
            "results": self.found.results(),
            "kept_by_chance": self.found.kept_by_chance(),
            "climate": self.climate(),
            "columns": columns.iter().map(|column| self.json_of(column)).collect::<Vec<Value>>(),
        })
    }
}
