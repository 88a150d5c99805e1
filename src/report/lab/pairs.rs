//! Regressions by pairs of depths, as text and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::json::{VERSION, Version};
use crate::text::{Style, align};
use lab::pairs::{LEAST_CORRELATION, PairFit};

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

/// The one JSON object.
#[derive(Serialize, Debug)]
pub struct PairsJson<'a> {
    version: Version,
    experiment: &'static str,
    source: &'a str,
    positions: usize,
    measured: usize,
    complete: bool,
    within: u32,
    pairs: Vec<PairJson>,
}

#[derive(Serialize, Debug)]
struct PairJson {
    deep: u16,
    shallow: u16,
    n: usize,
    left_out: usize,
    a: Option<f64>,
    b: Option<f64>,
    sigma: Option<f64>,
    r: Option<f64>,
    usable: bool,
}

/// Returns everything as one JSON object.
pub fn pairs_json<'a>(results: &PairResults<'a>) -> PairsJson<'a> {
    let pair = |p: &PairFit| PairJson {
        deep: p.deep,
        shallow: p.shallow,
        n: p.line.map_or(0, |l| l.n),
        left_out: p.left_out,
        a: p.line.map(|l| l.a),
        b: p.line.map(|l| l.b),
        sigma: p.line.map(|l| l.sigma),
        r: p.line.map(|l| l.r),
        usable: p.line.is_some_and(|l| l.is_usable()),
    };
    PairsJson {
        version: VERSION,
        experiment: "prob-cut",
        source: results.source,
        positions: results.positions,
        measured: results.measured,
        complete: results.complete,
        within: results.within,
        pairs: results.pairs.iter().map(pair).collect(),
    }
}

/// Returns everything as a table.
pub fn pairs_text(results: &PairResults, style: Style) -> String {
    let mut out = format!(
        "prob-cut · {} · {} positions · shallow values within ±{} centipawns\n",
        results.source, results.positions, results.within
    );
    if !results.complete {
        let _ = writeln!(out, "INTERRUPTED: {} positions measured", results.measured);
    }
    out.push_str("\nv = a v' + b + e, v after `deep` plies, v' after `shallow` ones; b and sigma, the error's deviation, in centipawns\n\n");
    let mut rows = vec![
        [
            "deep", "shallow", "n", "left out", "a", "b", "sigma", "r", "",
        ]
        .map(String::from),
    ];
    for pair in results.pairs {
        let figure = |of: fn(&lab::pairs::Line) -> f64, digits: usize| {
            pair.line
                .as_ref()
                .map_or_else(String::new, |l| format!("{:.*}", digits, of(l)))
        };
        let refused = pair.line.is_none_or(|l| !l.is_usable());
        rows.push([
            pair.deep.to_string(),
            pair.shallow.to_string(),
            pair.line.map_or(0, |l| l.n).to_string(),
            pair.left_out.to_string(),
            figure(|l| l.a, 3),
            figure(|l| l.b, 1),
            figure(|l| l.sigma, 1),
            figure(|l| l.r, 3),
            if refused {
                "refused".into()
            } else {
                String::new()
            },
        ]);
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    out.push_str(&align(&rows, &[]));
    let _ = writeln!(
        out,
        "\nrefused: a is not above 0, or r is below {LEAST_CORRELATION}: no cut may rest on it"
    );
    style.apply(out)
}
