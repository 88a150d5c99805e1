//! The results of the experiment on the truth.

mod tables;
mod values;

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Report, Sheet, letter};
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
