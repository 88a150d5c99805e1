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
            "{name} lost too few games at {nodes} nodes a move, {} of at least {FEW}",
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
    // Narrower, or a difference that would matter can be ruled out.
    if high < 1.0 || (0.8 < low && high < 1.25) {
        return Verdict::Known(format!(
            "it does not know its doubt: its belief there is {told}"
        ));
    }
    Verdict::Open(format!("its belief there is {told}, which may be chance"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::score::Pit;
    use game::MoveCode;
    use lab::differential::Outcome;
    use lab::losses::{Doubt, End, Judged, JudgedGame, JudgedMove};

    /// A lost game: the first column falls by 0.3 and by 0.01, the other by 0.1, with these spreads at the first's moves.
    fn game([at_fall, elsewhere]: [f64; 2]) -> JudgedGame {
        let one = |column, fall: f64, sd| JudgedMove {
            played: MoveCode(1),
            column,
            phase: Phase::Middlegame,
            judged: Some(Judged {
                before: 0.5,
                after: 0.5 - fall,
                kind: (fall > 0.05).then_some(Kind::Tactic8),
            }),
            doubt: (column == 0).then_some(Doubt {
                share: None,
                pit: Pit {
                    low: 0.1,
                    high: 0.1,
                },
                sd,
            }),
        };
        JudgedGame {
            white: 0,
            opening: Vec::new(),
            moves: vec![
                one(0, 0.3, at_fall),
                one(1, 0.1, 0.0),
                one(0, 0.01, elsewhere),
            ],
            end: End::Checkmate,
            outcome: Outcome::Lost,
        }
    }

    fn told(games: usize, spreads: impl Fn(usize) -> [f64; 2]) -> Verdict {
        let played = (0..games).map(|i| Some(game(spreads(i)))).collect();
        let found = Losses {
            columns: ["A", "B"].map(String::from),
            has_beliefs: [true, false],
            judge: String::from("alpha-beta"),
            nodes: vec![1_000],
            games: vec![played],
        };
        losses(&found, &[Resamples::new(games, 200, 1)])
    }

    #[test]
    fn the_verdict_follows_the_figures() {
        let wider = told(20, |i| [0.2 + 0.01 * i as f64, 0.1]);
        assert!(wider.is_known(), "{wider:?}");
        for part in [
            "At 1000 nodes a move A loses most by falls of the kind tactic 5-8 in the middlegame",
            "0.30 points in each of 20 lost games, the winner (control) 0.10",
            "it knows its doubt: its belief there is ×2.9",
        ] {
            assert!(wider.sentence().contains(part), "{part}: {wider:?}");
        }
        let same = told(20, |_| [0.1, 0.1]);
        assert!(same.is_known(), "{same:?}");
        assert!(same.sentence().contains("it does not know its doubt"));
        let unclear = told(20, |i| [if i % 4 == 0 { 0.5 } else { 0.05 }, 0.1]);
        assert!(!unclear.is_known(), "{unclear:?}");
        assert!(!told(9, |_| [0.2, 0.1]).is_known(), "few games");
        assert!(!told(0, |_| [0.2, 0.1]).is_known());
    }
}
