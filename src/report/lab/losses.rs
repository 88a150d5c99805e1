//! The results of the experiment on losses.

use serde_json::{Value, json};

use super::differential::{elo_words, match_json};
use super::verdict::{Verdict, losses as verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Report, Rows, Sheet, Table, fixed, percent};
use lab::losses::{
    Account, BeliefFigures, Beliefs, End, Kind, LONGEST, Losses, Plan, Sum, WON, Which,
};
use lab::statistics::{Figure, Resamples};
use studies::review::Phase;

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub plan: &'a Plan,
    /// Over the games of each budget.
    pub resamples: &'a [Resamples],
    pub found: &'a Losses,
}

/// One column in the games of one budget.
struct Row<'a> {
    name: &'a str,
    column: usize,
    falls: [Option<Figure>; Which::ALL.len()],
    beliefs: Option<Beliefs>,
}

impl Results<'_> {
    fn rows(&self, budget: usize) -> [Row<'_>; 2] {
        let (found, resamples) = (self.found, &self.resamples[budget]);
        [0, 1].map(|column| Row {
            name: &found.columns[column],
            column,
            falls: Which::ALL.map(|which| found.mean_fall(budget, (column, which), resamples)),
            beliefs: found.beliefs(budget, column, resamples),
        })
    }

    /// Returns the falls of a side in the games that a column lost.
    fn lost(&self, budget: usize, column: usize, side: usize) -> Account {
        self.found.account(budget, (column, Which::Lost), side)
    }
}

/// Writes a figure with its interval.
fn between(figure: &Figure, write: impl Fn(f64) -> Cell) -> Cell {
    write(figure.value).within(figure.interval, write)
}

/// Writes a mean of falls, which are small.
fn small(points: f64) -> Cell {
    fixed(points, 4)
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::losses(self.found, self.resamples)
    }

    fn width(&self) -> usize {
        80
    }

    fn sheet(&self) -> Sheet {
        let (plan, found) = (self.plan, self.found);
        let mut sheet = Sheet::new(format!(
            "losses · {} games · judge {}, {} nodes · fall {} · seed {}",
            found.count(),
            found.judge,
            number::count(plan.judge_nodes),
            plan.fall,
            plan.seed,
        ));
        sheet.note("points: win 1, draw 0.5, loss 0; a score in between is (1 + tanh(cp/360)) / 2");
        sheet.note("intervals: 95 %, by a bootstrap over the games; of Elo by Wilson");
        if !found.is_complete() {
            sheet.note("INTERRUPTED: not all games were played");
        }
        for budget in 0..found.nodes.len() {
            self.block(&mut sheet, budget);
        }
        sheet
    }

    fn json(&self) -> Value {
        let (plan, found) = (self.plan, self.found);
        let budgets = 0..found.nodes.len();
        json!({
            "version": VERSION,
            "experiment": "losses",
            "complete": found.is_complete(),
            "games": found.games.iter().map(Vec::len).sum::<usize>(),
            "played": found.count(),
            "judge": found.judge,
            "judge_nodes": plan.judge_nodes,
            "fall": plan.fall,
            "won": WON,
            "longest": LONGEST,
            "seed": plan.seed,
            "budgets": budgets.map(|budget| self.budget(budget)).collect::<Vec<Value>>(),
        })
    }
}

impl Results<'_> {
    /// Adds the tables of a budget.
    fn block(&self, sheet: &mut Sheet, budget: usize) {
        let rows = self.rows(budget);
        let nodes = number::count(self.found.nodes[budget]);
        sheet.table(format!("{nodes} nodes a move"), self.results(budget, &rows));
        let ends = self.found.ends(budget);
        let ends = End::ALL.into_iter().zip(ends).filter(|(_, n)| *n > 0);
        let ends: Vec<String> = ends.map(|(end, n)| format!("{} {n}", end.name())).collect();
        if !ends.is_empty() {
            sheet.note(format!("ended by: {}", ends.join(", ")));
        }
        sheet.table("Mean fall of a move, in points", falls(&rows));
        for row in &rows {
            let own = self.lost(budget, row.column, row.column);
            if own.games == 0 {
                continue;
            }
            let lost = match own.games {
                1 => String::from("game that it lost"),
                n => format!("{n} games that it lost"),
            };
            let title = format!("{}: falls in the {lost}", row.name);
            sheet.table(title, kinds(&own));
            let control = self.lost(budget, row.column, 1 - row.column);
            sheet.table(
                "the winner's moves in the same games (control)",
                kinds(&control),
            );
        }
        beliefs(sheet, &rows);
    }

    fn results(&self, budget: usize, rows: &[Row]) -> Table {
        let tally = |row: &Row| self.found.tally(budget, row.column);
        let rating = |score: f64| Cell::number(elo_words(score));
        Table::of(rows)
            .column("column", |row| row.name)
            .column("games", |row| tally(row).games())
            .column("+", |row| tally(row).won)
            .column("=", |row| tally(row).drawn)
            .column("−", |row| tally(row).lost)
            .column("Elo", |row| {
                let tally = tally(row);
                let score = tally.score();
                score.map(|score| rating(score).within(tally.interval(), rating))
            })
            .into()
    }

    fn budget(&self, budget: usize) -> Value {
        let rows = self.rows(budget);
        let ends = End::ALL.into_iter().zip(self.found.ends(budget));
        let ends: Vec<Value> = ends
            .map(|(end, games)| json!({"end": end.name(), "games": games}))
            .collect();
        let columns = rows.iter().map(|row| self.column(budget, row));
        json!({
            "nodes": self.found.nodes[budget],
            "played": self.found.played(budget).count(),
            "ends": ends,
            "columns": columns.collect::<Vec<Value>>(),
        })
    }

    fn column(&self, budget: usize, row: &Row) -> Value {
        let (found, column) = (self.found, row.column);
        let accounts = |which| {
            let of = |side| account(&found.account(budget, (column, which), side));
            json!({"own": of(column), "control": of(1 - column)})
        };
        let [all, lost, other] = row.falls;
        let mut object = match_json(&found.tally(budget, column));
        object["name"] = row.name.into();
        object["unjudged"] = found.unjudged(budget, column).into();
        object["mean_fall"] = json!({"all": all, "lost": lost, "other": other});
        object["lost_games"] = accounts(Which::Lost);
        object["all_games"] = accounts(Which::All);
        object["beliefs"] = json!(row.beliefs);
        object
    }
}

/// Returns the mean falls of both columns, a row for each kind of games: side by side, three intervals are too wide.
fn falls(rows: &[Row]) -> Table {
    let kinds: Vec<(usize, Which)> = Which::ALL.into_iter().enumerate().collect();
    Table::of(&kinds)
        .column("games", |(_, which)| match which {
            Which::All => "all",
            Which::Lost => "lost",
            Which::Other => "other",
        })
        .columns(
            rows,
            |row| row.name,
            |(i, _), row| row.falls[*i].as_ref().map(|fall| between(fall, small)),
        )
        .into()
}

/// A row of the table of kinds.
type KindRow = (&'static str, [Sum; Phase::ALL.len()]);

/// Returns the falls by kind and phase, with drift and the sum of all.
fn kind_rows(account: &Account) -> Vec<KindRow> {
    let known = Kind::ALL.map(|kind| (kind.name(), account.falls[kind as usize]));
    let drift = ("drift", account.drift);
    let all = known.iter().chain([&drift]);
    let total = all.fold([Sum::default(); 3], |total, (_, row)| {
        Phase::ALL.map(|phase| total[phase as usize].with(row[phase as usize]))
    });
    known.into_iter().chain([drift, ("all", total)]).collect()
}

fn whole(row: &KindRow) -> Sum {
    row.1.into_iter().fold(Sum::default(), Sum::with)
}

fn kinds(account: &Account) -> Table {
    let cell = |sum: Sum| {
        let text = format!("{}  {:5.2}", sum.falls, sum.sum);
        (sum.falls > 0).then(|| Cell::number(text))
    };
    let rows = kind_rows(account);
    let rows: Rows<KindRow> = Table::of(&rows)
        .column("falls, points", |row| row.0)
        .columns(Phase::ALL, Phase::name, |row, phase| {
            cell(row.1[phase as usize])
        })
        .column("all", |row| cell(whole(row)))
        .column("a game", |row| {
            let whole = whole(row);
            let a_game = whole.sum / account.games.max(1) as f64;
            (whole.falls > 0).then(|| fixed(a_game, 3))
        });
    rows.into()
}

/// Returns an account as JSON.
fn account(account: &Account) -> Value {
    let games = account.games.max(1) as f64;
    let of = |sum: Sum| json!({"falls": sum.falls, "sum": sum.sum});
    let row = |row: &KindRow| {
        let whole = whole(row);
        let phases = Phase::ALL.map(|phase| {
            let mut object = of(row.1[phase as usize]);
            object["phase"] = phase.name().into();
            object
        });
        json!({
            "kind": row.0,
            "phases": phases,
            "falls": whole.falls,
            "sum": whole.sum,
            "a_game": whole.sum / games,
        })
    };
    let rows = kind_rows(account);
    json!({
        "games": account.games,
        "moves": account.moves,
        "kinds": rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

/// Adds what the columns believed.
fn beliefs(sheet: &mut Sheet, rows: &[Row]) {
    type Line<'a> = (&'a str, &'static str, BeliefFigures);
    let lines = rows.iter().filter_map(|row| {
        let beliefs = row.beliefs.as_ref()?;
        let at = [
            ("at falls", beliefs.at_falls),
            ("elsewhere", beliefs.elsewhere),
        ];
        Some(at.map(|(place, figures)| figures.map(|figures| (row.name, place, figures))))
    });
    let lines: Vec<Line> = lines.flatten().flatten().collect();
    let table = Table::of(&lines)
        .column("column", |line| line.0)
        .column("moves", |line| line.1)
        .column("n", |line| line.2.moves)
        .column("policy", |line| {
            line.2.share.map(|share| percent(share.value))
        })
        .column("as low", |line| percent(line.2.as_low.value))
        .column("sd", |line| small(line.2.sd.value))
        .columns(
            [(0, "in 50 %"), (1, "in 80 %"), (2, "in 90 %")],
            |(_, head)| head,
            |line, (i, _)| percent(line.2.coverage[i].value),
        );
    let lost = 1.0 - WON;
    sheet.table(
        format!(
            "What the columns believed of their moves from open positions ({lost:.2} to {WON})"
        ),
        table,
    );
    for row in rows {
        let ratio = row.beliefs.as_ref().map(|beliefs| beliefs.sd_ratio);
        match ratio {
            None => sheet.note(format!("{} has no beliefs", row.name)),
            Some(None) => sheet.note(format!("{}: no falls to compare", row.name)),
            Some(Some(ratio)) => {
                let told = between(&ratio, |x| fixed(x, 2)).whole();
                sheet.note(format!("{}: sd at falls over elsewhere ×{told}", row.name));
            }
        }
    }
    if !lines.is_empty() {
        sheet.note("policy: median share of the judge's move · as low: mean chance of a value as");
        sheet.note(
            "low as the judge's · in 50 %: judge's values within the central half · sd: mean",
        );
    }
}
