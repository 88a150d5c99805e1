//! The results of the experiment on walks.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::sheet::{Cell, Report, Sheet, Table, fixed, percent, signed};
use lab::statistics::Resamples;
use lab::walks::{AtPly, Bets, Kind, Walks, safe};

/// The results, with what was asked.
#[derive(Debug)]
pub struct Results<'a> {
    source: &'a str,
    positions: usize,
    complete: bool,
    walks: &'a Walks,
    growths: [Option<Growth>; 2],
    bets: Vec<Bets>,
}

/// An exponent, with its interval.
pub type Growth = (f64, Option<(f64, f64)>);

/// So many resamples of the positions give the intervals.
const RESAMPLES: usize = 1_000;

/// α² by ln A, for the slopes of margins that are shown.
const SLOPES: [f64; 6] = [0.5, 0.8, 1.0, 1.2, 1.5, 2.0];
const PLIES: [i32; 6] = [1, 2, 3, 4, 6, 8];

impl<'a> Results<'a> {
    /// Works out the intervals.
    pub fn new(source: &'a str, positions: usize, complete: bool, walks: &'a Walks) -> Self {
        let resamples = Resamples::new(walks.measured.len(), RESAMPLES, 1);
        Results {
            source,
            positions,
            complete,
            walks,
            growths: Kind::ALL.map(|kind| walks.exponent(kind, &resamples)),
            bets: walks.bets(&resamples),
        }
    }
}

fn centipawns(x: f64) -> Cell {
    fixed(x, 0)
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::walks::QUESTION
    }

    fn verdict(&self) -> Verdict {
        verdict::walks::verdict(self.walks.measured.len(), &self.growths, &self.bets)
    }

    fn sheet(&self) -> Sheet {
        let measured = self.walks.measured.len();
        let mut sheet = Sheet::new(format!(
            "walks · {} · {measured} of {} positions",
            self.source, self.positions
        ));
        if !self.complete {
            sheet.note("INTERRUPTED: what is missing was not measured");
        }
        for (kind, growth) in Kind::ALL.into_iter().zip(self.growths) {
            let rows = self.walks.by_ply(kind);
            if rows.is_empty() {
                continue;
            }
            let table = Table::of(&rows)
                .column("plies", |at| at.ply)
                .column("n", |at| at.n)
                .column("mean", |at| signed(at.mean, 0))
                .column("sd", |at| centipawns(at.sd))
                .column("sd/√d", |at| centipawns(at.sd / (at.ply as f64).sqrt()))
                .column("kurtosis", |at| signed(at.kurtosis, 1))
                .column("beyond 2 sd", |at| percent(at.beyond));
            sheet.table(
                format!(
                    "change of the static value along {}, in centipawns",
                    kind.name()
                ),
                table,
            );
            if let Some((b, interval)) = growth {
                let exponent = fixed(b, 2).within(interval, |x| fixed(x, 2));
                sheet.note(format!("sd = a d^b: b = {}", exponent.whole()));
            }
        }
        sheet.note("a normal distribution has kurtosis 0 and 4.6 % beyond 2 sd");
        if !self.bets.is_empty() {
            let table = Table::of(&self.bets)
                .column("plies", |b| b.ply)
                .column("margin", |b| b.margin)
                .column("positions", |b| centipawns(b.positions))
                .column("above", |b| percent(b.share))
                .column("lost", |b| percent(b.lost))
                .column("independent bets", |b| {
                    b.effective
                        .map(|n| fixed(n, 1).within(b.interval, |x| fixed(x, 1)))
                });
            sheet.table(
                "positions above the first value by more than a margin, for the side to move first",
                table,
            );
            sheet.note(
                "lost: at least one is · independent bets: so many of that chance would be lost as often",
            );
        }
        if let Some(branching) = self.walks.branching().filter(|a| *a > 1.0) {
            let mut table = Table::of(&SLOPES).column("α²/ln A", |slope| fixed(*slope, 1));
            for plies in PLIES {
                table = table.column(format!("{plies}"), move |slope: &f64| {
                    percent(safe((slope * branching.ln()).sqrt(), branching, plies))
                });
            }
            sheet.table(
                format!(
                    "the post's chance that no margin α d is exceeded, by plies, if all A^d positions were independent; A = {}",
                    format_args!("{branching:.1}")
                ),
                table,
            );
        }
        sheet
    }

    fn json(&self) -> Value {
        let of = |kind: Kind| {
            let at = |at: &AtPly| {
                json!({
                    "ply": at.ply, "n": at.n, "mean": at.mean, "sd": at.sd,
                    "kurtosis": at.kurtosis, "beyond_two_sd": at.beyond,
                })
            };
            let growth = self.growths[kind as usize];
            json!({
                "exponent": growth.map(|g| g.0),
                "exponent_interval": growth.and_then(|g| g.1),
                "plies": self.walks.by_ply(kind).iter().map(at).collect::<Vec<_>>(),
            })
        };
        let bets = |b: &Bets| {
            json!({
                "ply": b.ply, "margin": b.margin, "positions": b.positions, "above": b.share,
                "lost": b.lost, "independent": b.effective, "interval": b.interval,
            })
        };
        json!({
            "version": VERSION,
            "experiment": "walks",
            "source": self.source,
            "positions": self.positions,
            "measured": self.walks.measured.len(),
            "complete": self.complete,
            "branching": self.walks.branching(),
            "random": of(Kind::Random),
            "search": of(Kind::Search),
            "bets": self.bets.iter().map(bets).collect::<Vec<_>>(),
        })
    }
}
