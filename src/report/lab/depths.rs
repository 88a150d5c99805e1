//! The results of the experiment on beliefs by depth: a table and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::json::VERSION;
use crate::number;
use crate::text::{Style, align};
use belief::score::LEVELS;
use lab::searched::{Fitted, Found, Judged, OfDepth};

/// The results, with what was asked.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    pub source: &'a str,
    pub positions: usize,
    pub complete: bool,
    pub fitted: &'a Fitted,
}

fn covered(judged: &Judged) -> String {
    let shares = judged.coverage.iter();
    let texts: Vec<String> = shares.map(|&c| number::percent(c as f32)).collect();
    texts.join(" ")
}

/// Returns the results as text.
pub fn text(results: &Results, style: Style) -> String {
    let fitted = results.fitted;
    let mut out = format!(
        "{}: fitted to {} positions, judged on {} others{}\n\n",
        results.source,
        fitted.trained,
        fitted.held_out,
        if results.complete { "" } else { " (stopped)" },
    );
    let levels: Vec<String> = LEVELS.iter().map(|l| format!("{:.0}", 100.0 * l)).collect();
    let mut rows = vec![vec![
        "depth".to_owned(),
        "n".to_owned(),
        "CRPS".to_owned(),
        format!("within {} %", levels.join("/")),
        "in use".to_owned(),
        "one width".to_owned(),
        "within".to_owned(),
        "fitted less one width".to_owned(),
    ]];
    for at in &fitted.depths {
        rows.push(vec![
            at.depth.to_string(),
            at.fitted.n.to_string(),
            format!("{:.4}", at.fitted.crps),
            covered(&at.fitted),
            format!("{:.4}", at.in_use.crps),
            format!("{:.4}", at.constant.crps),
            covered(&at.constant),
            format!("{:+.4} ± {:.4}", at.gain.0, at.gain.1),
        ]);
    }
    out.push_str(&align(&rows, &[0, 1, 2, 4, 5]));
    let list = |weights: &[f32]| {
        let texts: Vec<String> = weights.iter().map(|w| format!("{w:.3}")).collect();
        texts.join(", ")
    };
    let _ = write!(
        out,
        "\nlocation [{}]\nwidth    [{}]",
        list(&fitted.model.location),
        list(&fitted.model.width)
    );
    style.apply(out)
}

fn judged_json(judged: &Judged) -> Value {
    json!({"n": judged.n, "crps": judged.crps, "coverage": judged.coverage})
}

/// Returns what every search found, with the truth, as CSV: a line for each position and depth.
pub fn csv(found: &Found) -> String {
    let mut out = String::from("position,depth,value,before,mean,spread,phase,pending,truth\n");
    for (position, samples) in found.iter().enumerate() {
        for sample in samples.iter().flat_map(|s| s.iter()) {
            let at = &sample.found;
            let _ = writeln!(
                out,
                "{position},{},{},{},{},{},{},{},{}",
                at.depth,
                at.value,
                at.before,
                at.mean,
                at.spread,
                at.phase,
                u8::from(at.pending),
                sample.truth,
            );
        }
    }
    out
}

/// Returns the results as one JSON object.
pub fn json(results: &Results) -> Value {
    let depth = |at: &OfDepth| {
        json!({
            "depth": at.depth,
            "fitted": judged_json(&at.fitted),
            "in_use": judged_json(&at.in_use),
            "constant": judged_json(&at.constant),
            "constant_width": at.width,
            "gain": at.gain.0,
            "gain_error": at.gain.1,
        })
    };
    let fitted = results.fitted;
    json!({
        "version": VERSION,
        "experiment": "depths",
        "source": results.source,
        "positions": results.positions,
        "complete": results.complete,
        "levels": LEVELS,
        "trained": fitted.trained,
        "held_out": fitted.held_out,
        "location": fitted.model.location,
        "width": fitted.model.width,
        "depths": fitted.depths.iter().map(depth).collect::<Vec<_>>(),
    })
}
