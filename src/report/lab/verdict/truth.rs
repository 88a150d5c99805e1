//! The verdict of the experiment on the truth.

use super::{Verdict, rare};
use crate::lab::truth::told_falsely;
use lab::truth::{LeftOut, Tally, Truths};
use text::thousands;

/// What it asks.
pub const QUESTION: &str = "Does any search prove what is not so?";

/// Fewer decisions than this decide nothing about a fate.
const LEAST: u64 = 200;

/// Whether anything false was proven, with the first example, and which fate loses the result most often; its control leaves out as
/// many moves at random. `totals`: what was found, by column.
pub fn verdict(found: &Truths, totals: &[Tally]) -> Verdict {
    let positions = found.positions();
    if positions == 0 {
        return Verdict::open("no position was searched");
    }
    let of = match found.is_census() {
        true => format!("all {} positions", thousands(positions)),
        false => format!(
            "{} of {} positions",
            thousands(positions),
            thousands(found.of)
        ),
    };
    let named = || found.columns.iter().zip(totals);
    let sum = |read: fn(&Tally) -> u64| totals.iter().map(read).sum::<u64>();
    let wrong = sum(|t| t.proofs.false_results);
    let wrong_distances = sum(|t| t.proofs.false_distances);
    let proofs = thousands(sum(|t| t.proofs.bounds));
    let lost = most_lost(found, totals);
    let first = named().filter_map(|(name, tally)| Some((name, tally.first.as_ref()?)));
    let first = first.min_by_key(|(_, first)| (!first.is_of_result, first.number));
    let sentence = match (wrong, first) {
        (0, None) => format!(
            "No search proved anything false in {of} ({proofs} nodes with proven bounds{lost})."
        ),
        (0, Some((name, first))) => format!(
            "No search proved a false result in {of}, but {} of {proofs} proven bounds have a false distance, first {name}: {}{lost}.",
            thousands(wrong_distances),
            told_falsely(first)
        ),
        (_, Some((name, first))) => format!(
            "{name} proved something false: {} ({} of {proofs} proven bounds in {of} are false{lost}).",
            told_falsely(first),
            thousands(wrong)
        ),
        (_, None) => format!(
            "{} of {proofs} proven bounds in {of} are false{lost}.",
            thousands(wrong)
        ),
    };
    Verdict::Known(sentence)
}

/// Says which fate loses the result most often.
fn most_lost(found: &Truths, totals: &[Tally]) -> String {
    let share = |of: &LeftOut| of.lost as f64 / of.decisions as f64;
    let columns = found.columns.iter().zip(totals);
    let all = columns.flat_map(|(name, tally)| tally.fates.iter().map(move |f| (name, f.0, f.1)));
    let judged = all.filter(|(.., of)| of.decisions >= LEAST);
    let most = judged.max_by(|a, b| share(a.2).total_cmp(&share(b.2)));
    most.map_or_else(String::new, |(name, fate, of)| {
        format!(
            "; moves left out lose the result most often by {fate} of {name}, at {} of the nodes (as many at random: {})",
            rare(share(of)),
            rare(of.lost_by_chance / of.decisions as f64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Score;
    use lab::truth::{FalseProof, Found};

    fn told(tally: Tally, of: u64) -> String {
        let block = Found {
            positions: 10,
            columns: vec![Tally::default(), tally],
            ..Found::default()
        };
        let found = Truths {
            columns: vec!["pn".into(), "mcts".into()],
            of,
            blocks: vec![Some(block), None],
        };
        let totals = [found.total(0), found.total(1)];
        let verdict = verdict(&found, &totals);
        assert!(verdict.is_known());
        verdict.sentence().to_owned()
    }

    fn first(is_of_result: bool) -> Option<FalseProof> {
        Some(FalseProof {
            number: 3,
            position: "tictactoe x--/---/---".into(),
            line: vec!["b2".into(), "c1".into()],
            lower: Score::win_in(3),
            upper: Score::win_in(1),
            truth: Score::DRAW,
            is_of_result,
        })
    }

    #[test]
    fn a_false_proof_is_named() {
        let mut tally = Tally::default();
        tally.proofs.bounds = 12_000;
        let all = told(tally.clone(), 10);
        assert!(
            all.starts_with("No search proved anything false in all 10 positions (12,000 "),
            "{all}"
        );
        assert!(told(tally.clone(), 99).contains("in 10 of 99 positions"));
        tally.proofs.false_distances = 2;
        tally.first = first(false);
        let distance = told(tally.clone(), 10);
        assert!(
            distance.contains("2 of 12,000 proven bounds have a false distance, first mcts"),
            "{distance}"
        );
        tally.proofs.false_results = 1;
        tally.first = first(true);
        let wrong = told(tally, 10);
        let says = "mcts proved something false: between win in 3 and win in 1 after b2 c1 in tictactoe x--/---/---; the truth is draw (1 of";
        assert!(wrong.starts_with(says), "{wrong}");
    }

    #[test]
    fn the_fate_that_loses_most_is_named_with_its_control() {
        let mut tally = Tally::default();
        for (name, decisions, lost) in [
            ("few", 10, 10),
            ("beta-cutoff", 1_000, 20),
            ("futility", 400, 40),
        ] {
            let of = LeftOut {
                decisions,
                lost,
                lost_by_chance: 100.0,
                ..LeftOut::default()
            };
            tally.fates.insert(name.into(), of);
        }
        let says = "most often by futility of mcts, at 10 % of the nodes (as many at random: 25 %)";
        let found = told(tally, 10);
        assert!(found.contains(says), "{found}");
        let nothing = Truths {
            columns: vec!["pn".into()],
            of: 10,
            blocks: vec![None],
        };
        assert!(!verdict(&nothing, &[Tally::default()]).is_known());
    }
}
