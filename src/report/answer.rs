//! The answer to why a move was not chosen, or was, in sentences.

use super::number;
use super::why::sentence::plural;
use session::answer::{Answer, Candidate, Evidence};
use session::forced::Found;
use session::{Policy, Reader};
use text::thousands;
use tree::{Fate, NodeView};

/// Writes the value of a move, given by the side that plays it; empty if it has none.
pub type WriteValue<'a> = &'a dyn Fn(&NodeView) -> String;

/// Returns the question: `why not b3`, `why cxd5`.
pub fn question(reader: &Reader, answer: &Answer) -> String {
    let name = reader.label(answer.parent, answer.asked.code);
    let name = reader
        .numbered_move(answer.parent, answer.asked.code)
        .unwrap_or(name);
    match answer.is_best {
        true => format!("why {name}"),
        false => format!("why not {name}"),
    }
}

/// Returns what the search makes of the move, compared with its rival.
pub fn verdict(reader: &Reader, answer: &Answer, value: WriteValue) -> String {
    let name = |c: &Candidate| reader.label(answer.parent, c.code);
    let asked = name(&answer.asked);
    let worth = |c: &Candidate| match value(&c.view) {
        text if text.is_empty() => String::new(),
        text => format!(" ({text})"),
    };
    let (place, count) = answer.place;
    let of_all = format!("{} of {}", ordinal(place), plural(count as u64, "move"));
    let own = worth(&answer.asked);
    let reply = answer.asked.line.get(1);
    let reply = reply.and_then(|_| reader.names(answer.parent, &answer.asked.line[..2]).pop());
    if answer.is_best {
        let first = format!("{asked} would be played{own}.");
        return match &answer.rival {
            None => format!("{first} No other move was looked at."),
            Some(rival) => {
                let met = reader.names(answer.parent, rival.line.get(..2).unwrap_or_default());
                let met = met
                    .get(1)
                    .map_or_else(String::new, |m| format!("; it is met by {}", m.san));
                format!(
                    "{first} The next best is {}{}{met}.",
                    name(rival),
                    worth(rival)
                )
            }
        };
    }
    let first = match answer.evidence {
        Evidence::NotSearched => format!("{asked} was not searched."),
        Evidence::NotYet => format!("The search has not come to {asked} yet."),
        Evidence::TakenOut => match value(&answer.asked.view) {
            text if text.is_empty() => format!("{asked} is taken out of the search."),
            text => format!("{asked} is taken out of the search; before, it was worth {text}."),
        },
        Evidence::Known | Evidence::NotRecorded => format!("{asked} is {of_all}{own}."),
        Evidence::Line => match reply {
            Some(reply) if answer.asked.view.fate.is_cutoff() => {
                format!("{asked} is refuted by {}{own}; it is {of_all}.", reply.san)
            }
            Some(reply) => format!("{asked} is {of_all}{own}: it is met by {}.", reply.san),
            None => format!("{asked} is {of_all}{own}."),
        },
    };
    match &answer.rival {
        Some(rival) => format!("{first} {} would be played{}.", name(rival), worth(rival)),
        None => first,
    }
}

/// Returns what the rule that decided took for granted; `None` where nothing was.
pub fn assumption(answer: &Answer) -> Option<&'static str> {
    Some(match answer.asked.view.fate {
        Fate::Futility { .. } => {
            "The rule assumes that a quiet move adds no more than the margin in the plies that are left."
        }
        Fate::DeltaPruning { .. } => {
            "The rule assumes that a capture adds no more than what it takes and the margin."
        }
        Fate::LosingCaptures => {
            "The rule assumes that a capture that loses the exchange on its square has no other point."
        }
        Fate::LosingMoves { .. } => {
            "The rule assumes that a move that loses so much by exchange has no other point."
        }
        Fate::LateMovePruning { .. } => {
            "The rule assumes that a quiet move ordered so late does not beat those before it."
        }
        Fate::ReverseFutility { .. } => {
            "The rule assumes that a side so far ahead has a move that keeps all but the margin."
        }
        Fate::Razoring { .. } => {
            "The rule assumes that where captures do not help, no quiet move does in the plies that are left."
        }
        Fate::NullMove { .. } => {
            "The rule assumes that some move is better than passing, which is wrong in zugzwang."
        }
        Fate::ProbCut { .. } => {
            "The rule assumes that a full search comes near to the value of a shallow one."
        }
        Fate::MultiCut { .. } => {
            "The rule assumes that where several moves suffice in a shallow search, one does in a full one."
        }
        Fate::SiblingCutoff { .. } => {
            "No guess: one refutation is enough, so the other side would not let it come to this."
        }
        Fate::SiblingProbabilisticCutoff { .. } => {
            "A guess, and wrong as often as the confidence allows: one of the moves before it is enough."
        }
        _ => return None,
    })
}

/// Returns how much work went into the move, how likely it is to be the best (or seemed before it was searched), and how
/// likely it is to be better than its rival.
pub fn effort(reader: &Reader, answer: &Answer) -> Option<String> {
    let mut parts = Vec::new();
    let what = match reader.is_best_first() {
        true => "visits",
        false => "nodes",
    };
    if let Some(share) = answer.share {
        parts.push(format!(
            "{} of the {what} here",
            number::percent(share as f32)
        ));
    }
    let policy = answer.asked.view.policy.map(number::percent);
    match (reader.policy(), policy) {
        (Some(Policy::Best), Some(chance)) => parts.push(format!("chance to be best {chance}")),
        (Some(Policy::Prior), Some(prior)) => parts.push(format!("prior {prior}")),
        _ => {}
    }
    if let (Some(chance), Some(rival)) = (answer.chance, &answer.rival) {
        let rival = reader.label(answer.parent, rival.code);
        parts.push(format!(
            "better than {rival} with probability {}",
            number::percent(chance as f32)
        ));
    }
    if parts.is_empty() {
        return None;
    }
    let mut text = parts.join(", ") + ".";
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Some(text)
}

/// Returns what a search of the move that was forced has found: its value and how far it went, and whether the rule was
/// right to skip the move.
pub fn forced(reader: &Reader, answer: &Answer, found: &Found, value: WriteValue) -> String {
    let depth = match found.depth {
        0 => String::new(),
        depth => format!("to depth {depth}, "),
    };
    let nodes = thousands(found.nodes);
    let worth = match value(&found.view) {
        text if text.is_empty() => "no value yet".to_owned(),
        text => text,
    };
    if !found.done {
        return format!("Searching it anyway: {depth}{nodes} nodes so far, {worth}.");
    }
    let better = match (found.view.expected, answer.rival.as_ref()) {
        (Some(own), Some(rival)) if !answer.is_best => rival.view.expected.map(|other| {
            let rival = reader.label(answer.parent, rival.code);
            match own > other {
                true => {
                    format!(" That is better than {rival}: the search would have found more here.")
                }
                false => format!(" That is not better than {rival}."),
            }
        }),
        _ => None,
    };
    let better = better.unwrap_or_default();
    format!("Searched anyway {depth}with {nodes} nodes: {worth}.{better}")
}

/// Returns `1st`, `2nd`, `3rd`, `11th`.
fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (1, 11) | (2, 12) | (3, 13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::{ALGORITHMS, Algorithm};
    use session::testing::searched;
    use tree::{FATES, NodeId, Tree};

    fn plain(view: &NodeView) -> String {
        view.expected.map(number::expected).unwrap_or_default()
    }

    #[test]
    fn ordinals_are_english() {
        let shown: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111]
            .map(ordinal)
            .into();
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_answer_is_told_in_sentences() {
        for row in &ALGORITHMS {
            let session = searched(row.algorithm, 3_000);
            let reader = session.reader();
            for (place, of) in reader.rows_best_first(Tree::ROOT).iter().enumerate() {
                let answer = reader.answer(Tree::ROOT, of.move_code).expect("legal");
                let told = verdict(&reader, &answer, &plain);
                assert!(told.contains(&of.label) && told.ends_with('.'), "{told}");
                assert!(!told.contains("  ") && !told.contains(" ."), "{told}");
                assert!(told.contains("would be played"), "{told}");
                let asked = question(&reader, &answer);
                assert_eq!(asked.starts_with("why not 9."), place > 0, "{asked}");
            }
        }
    }

    /// Every rule that prunes says what it takes for granted.
    #[test]
    fn every_rule_tells_its_assumption() {
        let session = searched(Algorithm::AlphaBeta, 20_000);
        let reader = session.reader();
        let mut seen = std::collections::HashSet::new();
        for id in (0..reader.tree.len()).map(NodeId) {
            if reader.tree.node(id).child_count() == 0 || seen.len() > 8 {
                continue;
            }
            for (code, fate) in reader.fates(id) {
                if fate.info().by_rule && seen.insert(fate.name()) {
                    let answer = reader.answer(id, code).expect("legal");
                    assert!(assumption(&answer).is_some(), "{}", fate.name());
                }
            }
        }
        let rules = FATES.iter().filter(|f| f.by_rule).count();
        assert!(seen.len() >= 5 && seen.len() <= rules, "{seen:?}");
    }
}
