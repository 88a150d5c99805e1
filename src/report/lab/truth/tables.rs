//! The tables of the experiment on the truth.

use super::{Results, part};
use crate::sheet::{Cell, Kind, Table, count, fixed, letter, rare as share, signed};
use lab::statistics::Figure;
use lab::truth::{AtPly, Beliefs, LeftOut, Tally};
use text::thousands;

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

impl Results<'_> {
    pub(super) fn columns_table(&self) -> Table {
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

    pub(super) fn proofs_table(&self) -> Table {
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

    pub(super) fn fates_table(&self) -> Table {
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

    pub(super) fn beliefs_table(&self, column: usize, tally: &Tally) -> Table {
        let known = tally.plies.iter().enumerate();
        let rows: Vec<_> = known.filter(|(_, at)| at.all.count() > 0).collect();
        let within = |i: usize| {
            move |row: &(usize, &AtPly)| part(row.1.all.covered[i], row.1.all.count()).map(share)
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
}
