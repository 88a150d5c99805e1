//! What each experiment asks, and what its figures answer: one sentence with the numbers that decide it and the control. Where
//! they decide nothing yet, the sentence says what is missing.

pub mod cuts;
pub mod focus;
pub mod losses;
pub mod maximum;
pub mod playouts;
pub mod refutation;
pub mod sweep;
pub mod truth;
pub mod walks;

use crate::number;
use lab::calibration::Calibration;
use lab::differential::{GridCell, Tally};
use lab::pairs::{LEAST_CORRELATION, Line, PairFit};
use lab::plies::Verdicts;
use lab::report::Fitted as LeafFit;
use lab::searched::{Fitted, OfDepth};
use lab::spread::{Population, Searches};
use lab::statistics::{Resamples, two_sided};
use lab::{Evenness, Findings, Trial};

/// What an experiment answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer.
    Known(String),
    /// What is missing for one.
    Open(String),
}

impl Verdict {
    /// Returns the sentence.
    pub fn sentence(&self) -> &str {
        match self {
            Verdict::Known(text) | Verdict::Open(text) => text,
        }
    }

    /// Whether the figures decide the question.
    pub fn is_known(&self) -> bool {
        matches!(self, Verdict::Known(_))
    }

    /// Says what is missing.
    fn open(what: impl AsRef<str>) -> Verdict {
        Verdict::Open(format!("No verdict yet: {}.", what.as_ref()))
    }
}

/// The questions, as each experiment opens with it.
pub const MARGINS: &str = "Which margin errs evenly at every depth?";
pub const PAIRS: &str = "How well does a shallow search foretell a deeper one?";
pub const PLAYOUTS: &str = "Do playouts gain by counting material?";
pub const PLAYOUTS_OF_GO: &str = "Do playouts gain by counting points?";
pub const SEARCHES: &str = "Do beliefs narrow as a search grows?";
pub const TREES: &str = "Which back-up comes nearest the truth?";
pub const CALIBRATION: &str = "Is the truth where beliefs say it is?";
pub const DEPTHS: &str = "How sure is a value, by search depth?";
pub const PLIES: &str = "Do beliefs stay right from ply to ply?";
pub const LEAF: &str = "How wide should the belief about a leaf be?";

/// The number of standard deviations around the mean that contain 95 % of a normal distribution.
const Z: f64 = 1.96;
/// Fewer positions than this decide nothing about a regression, or about beliefs.
const POSITIONS: usize = 30;
/// Fewer searches of whole trees than this decide nothing.
const FEW: usize = 10;
/// Fewer random trees than this decide nothing about a share of 90 %.
const TREES_LEAST: usize = 50;

fn rare(share: f64) -> String {
    number::rare(share)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn within((low, high): (f64, f64)) -> String {
    format!("[{:.0}, {:.0}]", 100.0 * low, 100.0 * high)
}

/// Which margin fails least evenly, and which most evenly, at equal savings.
pub fn margins(findings: &Findings) -> Verdict {
    if findings.measured.is_empty() {
        return Verdict::open("no position has been measured");
    }
    let all = findings.families.len().max(findings.trials.len());
    match (findings.trials.len(), findings.audit) {
        (0, 0) => {
            return Verdict::open(
                "margins were fitted but not tried, so nothing shows how often they are wrong",
            );
        }
        (0, _) => return Verdict::open("margins were fitted and have still to be tried"),
        _ => {}
    }
    let rule = findings.tested.rule();
    let slope = |trial: &'_ Trial| {
        let slope = Evenness::of(&trial.audits, rule).slope?;
        slope.error.map(|error| (slope.value, error))
    };
    let known = findings
        .trials
        .iter()
        .filter_map(|trial| Some((trial, slope(trial)?)));
    let mut known: Vec<(&Trial, (f64, f64))> = known.collect();
    known.sort_by(|a, b| a.1.0.abs().total_cmp(&b.1.0.abs()));
    let tried = findings.trials.len();
    let so_far = match tried < all {
        true => format!(" ({tried} of {all} margins tried)"),
        false => String::new(),
    };
    let [even, .., uneven] = known.as_slice() else {
        let failed: u64 = { findings.trials.iter() }
            .map(|trial| Evenness::of(&trial.audits, rule).failed)
            .sum();
        return Verdict::open(format!(
            "fewer than two margins failed at more than one depth ({failed} failures in all){so_far}"
        ));
    };
    let apart = uneven.1.0.abs() - even.1.0.abs();
    let error = uneven.1.1.hypot(even.1.1);
    let (least, most) = (
        format!("{} ({})", uneven.0.margin, ends(uneven.0, rule)),
        format!("{} ({})", even.0.margin, ends(even.0, rule)),
    );
    if apart <= Z * error {
        return Verdict::open(format!(
            "{least} and {most} are no more apart than chance allows{so_far}"
        ));
    }
    Verdict::Known(format!(
        "{} fails least evenly: {}; the control, {} at equal savings, {}{so_far}.",
        uneven.0.margin,
        ends(uneven.0, rule),
        even.0.margin,
        range(even.0, rule),
    ))
}

/// The depths at which a rule was tried in a trial, with the share that failed.
fn shares(trial: &Trial, rule: search::Rule) -> Vec<(u8, f64)> {
    let rows = trial.audits.iter();
    rows.filter(|row| row.rule == rule && row.tried > 0)
        .map(|row| (row.depth, row.failed as f64 / row.tried as f64))
        .collect()
}

/// Says how often a margin is wrong at the first and the last depth.
fn ends(trial: &Trial, rule: search::Rule) -> String {
    let shares = shares(trial, rule);
    match shares.as_slice() {
        [] => "never tried".to_owned(),
        [(depth, share)] => format!("{} at depth {depth}", rare(*share)),
        [first, .., last] => format!(
            "{} at depth {}, {} at depth {}",
            rare(first.1),
            first.0,
            rare(last.1),
            last.0
        ),
    }
}

/// Says between which shares a margin is wrong, over all depths.
fn range(trial: &Trial, rule: search::Rule) -> String {
    let shares = shares(trial, rule);
    let low = shares.iter().map(|s| s.1).fold(f64::INFINITY, f64::min);
    let high = shares.iter().map(|s| s.1).fold(0.0, f64::max);
    format!("{} to {}", rare(low.min(high)), rare(high))
}

/// How well a shallow search foretells a deeper one, against no shallow search at all.
pub fn pairs(pairs: &[PairFit]) -> Verdict {
    let known = pairs.iter().filter_map(|pair| Some((pair, pair.line?)));
    let known: Vec<(&PairFit, Line)> = known.filter(|(_, line)| line.n >= POSITIONS).collect();
    let best = known.iter().max_by(|a, b| a.1.r.total_cmp(&b.1.r));
    let Some((pair, line)) = best else {
        return Verdict::open(format!("no pair of depths has {POSITIONS} positions"));
    };
    let usable = known.iter().filter(|(_, line)| line.is_usable()).count();
    if usable == 0 {
        return Verdict::Known(format!(
            "No shallow search foretells a deeper one well enough for a cut: the best pair, depth {} for depth {}, has a correlation of {:.2} over {} positions (a cut needs {LEAST_CORRELATION}).",
            pair.shallow, pair.deep, line.r, line.n
        ));
    }
    let without = line.sigma / (1.0 - line.r * line.r).max(1e-9).sqrt();
    Verdict::Known(format!(
        "Depth {} foretells depth {} to ±{:.0} centipawns, without it (control) ±{without:.0} (correlation {:.2}, {} positions); {usable} of {} pairs {} good enough for a cut.",
        pair.shallow,
        pair.deep,
        line.sigma,
        line.r,
        line.n,
        known.len(),
        if usable == 1 { "is" } else { "are" },
    ))
}

/// Whether playouts that count material win more than those that do not. The best of many cells is better than even by chance
/// alone, so its interval is widened for that.
pub fn playouts(cells: &[(GridCell, Tally)]) -> Verdict {
    let counting = cells.iter().filter(|(cell, _)| !cell.is_control());
    let known = counting.filter_map(|(cell, tally)| Some((cell, tally, tally.score()?)));
    let known: Vec<_> = known.collect();
    let z = two_sided(0.05 / known.len().max(1) as f64);
    let best = known.iter().max_by(|a, b| a.2.total_cmp(&b.2));
    let Some((cell, tally, score, interval)) =
        best.and_then(|(cell, tally, score)| Some((cell, tally, score, tally.interval_at(z)?)))
    else {
        return Verdict::open("no game has been played with a weighting that counts something");
    };
    let best = format!(
        "{cell} (weights in % at the start and the end of a game) scores {:.1} % {} of {} games against playouts that count nothing (control: 50 %)",
        100.0 * score,
        within(interval),
        tally.games(),
    );
    let of = match known.len() {
        1 => "the only weighting".to_owned(),
        n => format!("the best of {n} weightings (so the interval is widened)"),
    };
    if interval.0 > 0.5 {
        return Verdict::Known(format!("Yes: {best}, {of}."));
    }
    // A gain that would matter can be ruled out.
    if interval.1 < 0.55 {
        return Verdict::Known(format!("No: {best}, {of}."));
    }
    Verdict::open(format!("{best}, {of}; that may be chance"))
}

/// How the spread of the root's belief changes as a search grows.
pub fn searches(found: &Searches) -> Verdict {
    let (searched, solved) = found.searched();
    let n = searched - solved;
    if n < FEW {
        return Verdict::open(format!(
            "{n} unsolved positions were searched, of at least {FEW}"
        ));
    }
    let course = |rule: usize| {
        let means = found.by_nodes(rule);
        let mut known = means.iter().flatten();
        let (first, last) = (*known.next()?, *known.next_back()?);
        (first.value > 0.0).then_some((rule, first, last))
    };
    let courses: Vec<_> = (0..found.rules.len()).filter_map(course).collect();
    let by_growth = |c: &&(usize, lab::spread::Mean, lab::spread::Mean)| c.2.value / c.1.value;
    let least = courses
        .iter()
        .min_by(|a, b| by_growth(a).total_cmp(&by_growth(b)));
    let most = courses
        .iter()
        .max_by(|a, b| by_growth(a).total_cmp(&by_growth(b)));
    let (Some(least), Some(most)) = (least, most) else {
        return Verdict::open("no search is long enough for two figures");
    };
    let narrows = |c: &&(usize, lab::spread::Mean, lab::spread::Mean)| {
        let error = c.1.error.unwrap_or(0.0).hypot(c.2.error.unwrap_or(0.0));
        c.1.value - c.2.value > Z * error
    };
    let narrowing = courses.iter().filter(narrows).count();
    let told = |c: &(usize, lab::spread::Mean, lab::spread::Mean)| {
        format!(
            "{} from {:.2} to {:.2} (×{:.2})",
            found.rules[c.0],
            c.1.value,
            c.2.value,
            c.2.value / c.1.value
        )
    };
    let [first, last] = [found.nodes.first(), found.nodes.last()];
    let nodes = |n: Option<&u64>| number::count(n.copied().unwrap_or(0));
    let most = match least.0 == most.0 {
        true => String::new(),
        false => format!(", least {}", told(most)),
    };
    Verdict::Known(format!(
        "{narrowing} of {} back-ups narrow the root's belief from {} to {} nodes: most {}{most}; standard deviations over {n} positions.",
        courses.len(),
        nodes(first),
        nodes(last),
        told(least),
    ))
}

/// Which back-up comes nearest to the oracle in trees whose truth is known.
pub fn trees(found: &Population) -> Verdict {
    let reached = found.depths.iter().map(Vec::len).min().unwrap_or(0);
    if reached == 0 {
        return Verdict::open("not every back-up has finished the first depth");
    }
    let n = found.settings.population;
    if n < TREES_LEAST {
        return Verdict::open(format!(
            "{n} trees a depth were grown, of at least {TREES_LEAST}"
        ));
    }
    let at = |rule: usize| {
        let depth = &found.depths[rule][reached - 1];
        Some((
            super::spread::relative(found, depth)?,
            rule,
            depth.coverage[2],
        ))
    };
    let mut all: Vec<(f64, usize, f64)> = (0..found.rules.len()).filter_map(at).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [best, .., worst] = all.as_slice() else {
        return Verdict::open("there are not two back-ups to compare");
    };
    let told = |(score, rule, covered): &(f64, usize, f64)| {
        format!(
            "{} (×{score:.2}, {} of truths within its central 90 %)",
            found.rules[*rule],
            percent(*covered)
        )
    };
    Verdict::Known(format!(
        "At depth {reached} {} comes nearest to the score of the oracle (control), {} stays furthest from it; {n} trees a depth.",
        told(best),
        told(worst),
    ))
}

/// Whether the best column's belief holds the truths it promises, and says more than its value alone. The columns are called by
/// these names.
pub fn calibration(found: &Calibration, names: &[&str]) -> Verdict {
    let figures = (0..found.columns.len()).filter_map(|i| Some((i, found.figures(i)?)));
    let believing: Vec<_> = figures.filter(|(_, f)| f.points < f.n).collect();
    let best = { believing.iter() }.min_by(|a, b| a.1.crps.value.total_cmp(&b.1.crps.value));
    let Some((column, figures)) = best else {
        return Verdict::open("no belief has been compared with a truth");
    };
    if figures.n < POSITIONS {
        return Verdict::open(format!(
            "{} beliefs were compared with a truth, of at least {POSITIONS}",
            figures.n
        ));
    }
    let [.., (covered, interval)] = figures.coverage;
    let right = interval.0 <= 0.9 && 0.9 <= interval.1;
    let control = match found.against_control(*column, *column) {
        None => String::new(),
        Some(apart) => {
            let error = apart.error.unwrap_or(f64::INFINITY);
            let what = match (apart.value + Z * error < 0.0, apart.value - Z * error > 0.0) {
                (true, _) => "a better score than",
                (_, true) => "a worse score than",
                _ => "no better score than",
            };
            let by = number::minus(&format!("{:+.4} ± {error:.4}", apart.value));
            format!(", with {what} its value and an error bar (control, CRPS {by})")
        }
    };
    Verdict::Known(format!(
        "{}: the central 90 % of {} holds {} {} of {} truths{control}.",
        if right { "Yes" } else { "No" },
        names.get(*column).copied().unwrap_or_default(),
        percent(covered),
        within(interval),
        figures.n,
    ))
}

/// Whether a belief fitted to what a search found beats one width for its depth.
pub fn depths(fitted: Option<&Fitted>) -> Verdict {
    let Some((fitted, first, last)) =
        fitted.and_then(|f| Some((f, f.depths.first()?, f.depths.last()?)))
    else {
        return Verdict::open("too few positions have been searched for a fit");
    };
    if fitted.held_out < POSITIONS {
        return Verdict::open(format!(
            "the belief was judged on {} positions, of at least {POSITIONS}",
            fitted.held_out
        ));
    }
    let better = |at: &&OfDepth| at.gain.0 + Z * at.gain.1 < 0.0;
    let better = fitted.depths.iter().filter(better).count();
    let all = fitted.depths.len();
    let begin = match better {
        0 => {
            "A belief that knows more than the depth is at no depth better than one width for each"
                .to_owned()
        }
        n => format!(
            "A belief that knows more than the depth is better at {n} of {all} depths than one width for each"
        ),
    };
    let told = |at: &OfDepth| {
        let gain = number::minus(&format!("{:+.4} ± {:.4}", at.gain.0, at.gain.1));
        format!("{:.4} at depth {} ({gain})", at.fitted.crps, at.depth)
    };
    Verdict::Known(format!(
        "{begin} (control): error (CRPS) {}, {}, on {} other positions.",
        told(first),
        told(last),
        fitted.held_out,
    ))
}

/// Which back-ups keep spread and coverage from ply to ply, against the search's own.
pub fn plies(found: &Verdicts, resamples: &Resamples) -> Verdict {
    if found.trees() < FEW {
        return Verdict::open(format!(
            "{} trees were grown, of at least {FEW}",
            found.trees()
        ));
    }
    let wholes = (0..found.candidates.len()).filter_map(|i| Some((i, found.whole(i, resamples)?)));
    let wholes: Vec<_> = wholes.collect();
    let Some(own) = wholes.iter().find(|w| w.0 == 0) else {
        return Verdict::open("too few nodes with a label were drawn");
    };
    let told = |(i, w): &(usize, lab::plies::Whole)| {
        format!(
            "{} (spread ×{:.2} over the plies, intervals off by {:.0} points, CRPS {:.4})",
            found.candidates[*i],
            w.range.value,
            100.0 * w.miss.value,
            w.crps.value,
        )
    };
    let right = wholes.iter().filter(|(_, w)| w.is_stable() && w.is_held());
    let right: Vec<_> = right.collect();
    let by_crps = |a: &&(usize, lab::plies::Whole), b: &&(usize, lab::plies::Whole)| {
        a.1.crps.value.total_cmp(&b.1.crps.value)
    };
    let all = wholes.len();
    let best = right.iter().copied().min_by(by_crps);
    Verdict::Known(match best {
        Some(best) if best.0 == own.0 => format!(
            "Yes, under the search's own back-up: {}; so they do under {} of {all}.",
            told(own),
            right.len()
        ),
        Some(best) => format!(
            "Under {} of {all} back-ups, best {}; the search's own (control): {}.",
            right.len(),
            told(best),
            told(own)
        ),
        None => {
            let nearest = wholes.iter().min_by(by_crps).unwrap_or(own);
            format!(
                "No, under none of {all} back-ups: the best score has {}; the search's own (control): {}.",
                told(nearest),
                told(own)
            )
        }
    })
}

/// Whether a fitted width of a leaf's belief is better than the one in use.
pub fn leaf(fitted: &LeafFit) -> Verdict {
    let (now, then) = (fitted.now.loss, fitted.then.loss);
    let what = match then < now {
        true => "The fitted width is better than the one in use (control)",
        false => "The width in use (control) is at least as good as the fitted one",
    };
    Verdict::Known(format!(
        "{what}: a negative log-likelihood of {then:.4} against {now:.4} on {} other leaves.",
        fitted.held_out
    ))
}

#[cfg(test)]
mod tests;
