//! The results of the experiment on beliefs by depth.

use serde_json::{Value, json};

use super::verdict::{self, Verdict};
use crate::json::VERSION;
use crate::number;
use crate::sheet::{Cell, Kind, Report, Sheet, Table, fixed, signed};
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

/// How far a coverage may be off before it is marked.
const OFF: f64 = 0.03;

/// Returns the coverage of all levels, marked if one of them is off.
fn covered(judged: &Judged) -> Cell {
    let shares = judged.coverage.iter();
    let texts: Vec<String> = shares.map(|c| format!("{:.0}", 100.0 * c)).collect();
    let text = texts.join("/");
    let off = |(share, level): (&f64, f64)| (share - level).abs() > OFF;
    match judged.coverage.iter().zip(LEVELS).any(off) {
        true => Cell {
            kind: Kind::Off,
            ..Cell::word(text + "!")
        },
        false => Cell::number(text),
    }
}

/// A belief that is judged.
type Belief = (&'static str, fn(&OfDepth) -> &Judged);

/// The fitted belief, the one in use, and the control: one width for each depth.
const BELIEFS: [Belief; 3] = [
    ("belief", |at| &at.fitted),
    ("in use", |at| &at.in_use),
    ("control", |at| &at.constant),
];

/// Returns the figures by depth: the score of every belief, the difference between the first and the last, and the coverage
/// of each, of which that of `main` matters most.
pub fn by_depth(depths: &[OfDepth], main: usize) -> Table {
    let mut table = Table::of(depths)
        .column("depth", |at| at.depth)
        .column("n", |at| at.fitted.n)
        .columns(
            BELIEFS,
            |belief| belief.0,
            |at, belief| fixed(belief.1(at).crps, 4),
        )
        .column("difference", |at| {
            signed(at.gain.0, 4).or_error(Some(at.gain.1), 4)
        });
    for (i, (name, belief)) in BELIEFS.iter().enumerate() {
        table = table.column(format!("{name} %"), |at| covered(belief(at)));
        table = table.minor(usize::from(i != main));
    }
    table.into()
}

/// Returns what every search found, with the truth: a row for each position and depth.
pub fn searches(found: &Found) -> Table {
    let samples = found.iter().enumerate();
    let samples = samples.flat_map(|(i, of)| of.iter().flat_map(|s| s.iter()).map(move |s| (i, s)));
    let samples: Vec<_> = samples.collect();
    let table = Table::of(&samples)
        .column("position", |s| s.0)
        .column("depth", |s| s.1.found.depth)
        .column("value", |s| s.1.found.value)
        .column("before", |s| s.1.found.before)
        .column("mean", |s| s.1.found.mean)
        .column("spread", |s| s.1.found.spread)
        .column("phase", |s| s.1.found.phase)
        .column("pending", |s| u8::from(s.1.found.pending))
        .column("truth", |s| s.1.truth);
    table.into()
}

impl Report for Results<'_> {
    fn question(&self) -> &'static str {
        verdict::DEPTHS
    }

    fn verdict(&self) -> Verdict {
        verdict::depths(Some(self.fitted))
    }

    fn sheet(&self) -> Sheet {
        let fitted = self.fitted;
        let mut sheet = Sheet::new(format!(
            "{}: fitted to {} positions, judged on {} others{}",
            self.source,
            fitted.trained,
            fitted.held_out,
            if self.complete { "" } else { " (stopped)" },
        ));
        let levels = LEVELS.map(|level| number::percent(level as f32));
        sheet.table(
            format!(
                "CRPS, and the shares of truths in the central {}",
                levels.join(", ")
            ),
            by_depth(&fitted.depths, 0),
        );
        sheet.note("control: the same values with one width for each depth · !: more than three points off");
        let list = |weights: &[f32]| {
            let texts: Vec<String> = weights.iter().map(|w| format!("{w:.3}")).collect();
            texts.join(", ")
        };
        sheet.table("", Table::default());
        sheet.note(format!("location [{}]", list(&fitted.model.location)));
        sheet.note(format!("width    [{}]", list(&fitted.model.width)));
        sheet
    }

    fn json(&self) -> Value {
        let depth = |at: &OfDepth| {
            json!({
                "depth": at.depth,
                "fitted": at.fitted,
                "in_use": at.in_use,
                "constant": at.constant,
                "constant_width": at.width,
                "gain": at.gain.0,
                "gain_error": at.gain.1,
            })
        };
        let fitted = self.fitted;
        json!({
            "version": VERSION,
            "experiment": "depths",
            "source": self.source,
            "positions": self.positions,
            "complete": self.complete,
            "levels": LEVELS,
            "trained": fitted.trained,
            "held_out": fitted.held_out,
            "location": fitted.model.location,
            "width": fitted.model.width,
            "depths": fitted.depths.iter().map(depth).collect::<Vec<_>>(),
        })
    }
}
