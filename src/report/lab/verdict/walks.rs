//! The verdict of the experiment on walks.

use super::{POSITIONS, Verdict};
use crate::lab::walks::Growth;
use lab::walks::Bets;

/// What it asks.
pub const QUESTION: &str = "Does a static value change as in a random walk?";

/// Whether the spread of changes grows with the root of the plies, as in a random walk (control), and as how many independent
/// bets the positions below one count.
pub fn verdict(measured: usize, growths: &[Option<Growth>; 2], bets: &[Bets]) -> Verdict {
    if measured < POSITIONS {
        return Verdict::open(format!(
            "{measured} positions measured, at least {POSITIONS} are needed"
        ));
    }
    let [Some((random, Some(interval))), search] = growths else {
        return Verdict::open("too few plies for an exponent");
    };
    let exponent = |b: f64, (low, high): (f64, f64)| format!("d^{b:.2} [{low:.2}, {high:.2}]");
    let is_root = |(low, high): (f64, f64)| low <= 0.5 && 0.5 <= high;
    let told = match is_root(*interval) {
        true => "as in a random walk (control: d^0.50)",
        false if interval.1 < 0.5 => "more slowly than in a random walk (control: d^0.50)",
        false => "faster than in a random walk (control: d^0.50)",
    };
    let by_search = match search {
        Some((b, Some(of))) => format!("; along a search's moves as {}", exponent(*b, *of)),
        _ => String::new(),
    };
    // The margin that is exceeded in about half of the cases says most.
    let middle = bets.iter().filter(|b| b.effective.is_some());
    let middle = middle.max_by(|a, b| {
        let far = |x: &Bets| (x.ply, -(x.lost - 0.5).abs());
        far(a)
            .partial_cmp(&far(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let bets = middle.and_then(|b| Some((b, b.effective?)));
    let bets = bets.map_or_else(String::new, |(b, n)| {
        format!(
            "; {:.0} positions {} plies on count as {n:.0} independent bets on {} centipawns",
            b.positions, b.ply, b.margin
        )
    });
    Verdict::Known(format!(
        "Along random moves its spread grows as {}, {told}{by_search}{bets} ({measured} positions).",
        exponent(*random, *interval)
    ))
}
