//! Regressions by pairs of depths.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::sheet::{Report, Sheet, Table, fixed};
use lab::pairs::{LEAST_CORRELATION, Line, PairFit};

/// The measured regressions and the positions behind them.
#[derive(Debug)]
pub struct PairResults<'a> {
    pub source: &'a str,
    pub positions: usize,
    pub measured: usize,
    pub complete: bool,
    /// In centipawns.
    pub within: u32,
    pub pairs: &'a [PairFit],
}

impl Report for PairResults<'_> {
    fn question(&self) -> &'static str {
        verdict::PAIRS
    }

    fn verdict(&self) -> Verdict {
        verdict::pairs(self.pairs)
    }

    fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(format!(
            "prob-cut · {} · {} positions · shallow values within ±{} centipawns",
            self.source, self.positions, self.within
        ));
        if !self.complete {
            sheet.note(format!("INTERRUPTED: {} positions measured", self.measured));
        }
        let usable = |pair: &PairFit| pair.line.is_some_and(|line| line.is_usable());
        let table = Table::of(self.pairs)
            .column("deep", |p| p.deep)
            .column("shallow", |p| p.shallow)
            .column("n", |p| p.line.map_or(0, |l| l.n))
            .column("left out", |p| p.left_out)
            .column("a", |p| p.line.map(|l| fixed(l.a, 3)))
            .column("b", |p| p.line.map(|l| fixed(l.b, 1)))
            .column("sigma", |p| p.line.map(|l| fixed(l.sigma, 1)))
            .column("r", |p| p.line.map(|l| fixed(l.r, 3)))
            .column("", |p| (!usable(p)).then_some("refused"));
        sheet.table(
            "v = a v' + b + e, v after `deep` plies, v' after `shallow` ones; b and sigma, the error's deviation, in centipawns",
            table,
        );
        sheet.note(format!(
            "refused: a is not above 0, or r is below {LEAST_CORRELATION}: no cut may rest on it"
        ));
        sheet
    }

    fn json(&self) -> Value {
        let pair = |p: &PairFit| {
            json!({
                "deep": p.deep,
                "shallow": p.shallow,
                "n": p.line.map_or(0, |l| l.n),
                "left_out": p.left_out,
                "a": p.line.map(|l| l.a),
                "b": p.line.map(|l| l.b),
                "sigma": p.line.map(|l| l.sigma),
                "r": p.line.map(|l| l.r),
                "usable": p.line.as_ref().is_some_and(Line::is_usable),
            })
        };
        json!({
            "version": VERSION,
            "experiment": "prob-cut",
            "source": self.source,
            "positions": self.positions,
            "measured": self.measured,
            "complete": self.complete,
            "within": self.within,
            "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>(),
        })
    }
}
