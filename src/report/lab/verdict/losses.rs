//! The verdict of the experiment on losses.

use super::{FEW, Verdict};
use crate::number;
use lab::losses::{Account, Kind, Losses, Which};
use lab::statistics::Resamples;
use studies::review::Phase;

/// What it asks.
pub const QUESTION: &str = "Where does a search lose its games, and does it know its doubt there?";

/// In which kind of moves and in which phase the first column loses most, against the winner's moves in the same games, and
/// whether its beliefs are wider there. Of several budgets the largest counts.
pub fn losses(found: &Losses, resamples: &[Resamples]) -> Verdict {
    let largest = (0..found.nodes.len()).max_by_key(|budget| found.nodes[*budget]);
    let Some(budget) = largest else {
        return Verdict::open("there is no budget");
    };
    let own = found.account(budget, (0, Which::Lost), 0);
    let control = found.account(budget, (0, Which::Lost), 1);
    let name = &found.columns[0];
    let nodes = number::count(found.nodes[budget]);
    if own.games < FEW {
        return Verdict::open(format!(
            "{name} lost {} games at {nodes} nodes a move, of at least {FEW}",
            own.games
        ));
    }
    let Some((kind, phase)) = most(&own) else {
        return Verdict::open(format!("{name} lost {} games without a fall", own.games));
    };
    let a_game =
        |account: &Account| account.falls[kind as usize][phase as usize].sum / account.games as f64;
    let lost = format!(
        "At {nodes} nodes a move {name} loses most by falls of the kind {} in the {}: {:.2} points in each of {} lost games, the winner (control) {:.2}",
        kind.name(),
        phase.name(),
        a_game(&own),
        own.games,
        a_game(&control),
    );
    match doubt(found, budget, &resamples[budget]) {
        Verdict::Known(doubt) => Verdict::Known(format!("{lost}; {doubt}.")),
        Verdict::Open(doubt) => Verdict::open(format!("{lost}; {doubt}")),
    }
}

/// Returns the kind and the phase with the most points.
fn most(account: &Account) -> Option<(Kind, Phase)> {
    let places = Kind::ALL.into_iter();
    let places = places.flat_map(|kind| Phase::ALL.map(|phase| (kind, phase)));
    let sum = |(kind, phase): &(Kind, Phase)| account.falls[*kind as usize][*phase as usize].sum;
    let places = places.filter(|place| sum(place) > 0.0);
    places.max_by(|a, b| sum(a).total_cmp(&sum(b)))
}

/// Says whether the belief is wider at falls than elsewhere.
fn doubt(found: &Losses, budget: usize, resamples: &Resamples) -> Verdict {
    let Some(beliefs) = found.beliefs(budget, 0, resamples) else {
        return Verdict::Known(String::from("it has no beliefs"));
    };
    let ratio = beliefs.sd_ratio;
    let Some((ratio, (low, high))) = ratio.and_then(|r| Some((r.value, r.interval?))) else {
        return Verdict::Open(String::from("too few of its falls have a belief"));
    };
    let told = format!("×{ratio:.2} [{low:.2}, {high:.2}] as wide as elsewhere (control)");
    if low > 1.0 {
        return Verdict::Known(format!("it knows its doubt: its belief there is {told}"));
    }
    if high < 1.0 {
        return Verdict::Known(format!(
            "it does not know its doubt: its belief there is {told}"
        ));
    }
    // A difference that would matter can be ruled out.
    if 0.8 < low && high < 1.25 {
        return Verdict::Known(format!(
            "it does not know its doubt: its belief there is {told}"
        ));
    }
    Verdict::Open(format!("its belief there is {told}, which may be chance"))
}
