//! Reasons that another program declared, in its own words.

use super::pruned::BEFORE_MOVES;
use super::sentence::Teller;
use crate::lens::Scores;
use crate::number;
use game::MoveCode;
use session::Reader;
use tree::{Bound, Class, Fate, NodeId, Tree, Unexplained, Value};

impl Teller<'_> {
    /// Returns the sentence for a declared reason: its text with its numbers, or else its name with them.
    pub(super) fn declared(&self, fate: Fate) -> String {
        let at = match fate.is_skip() {
            true => self.view.parent,
            false => self.view.id,
        };
        let words = words(self.reader, fate, at, &self.scores);
        match fate.info().class {
            Class::Skip | Class::SiblingCut => format!("Not searched: {words}."),
            Class::CutBeforeMoves => format!("{BEFORE_MOVES}: {words}."),
            Class::Cutoff => format!("Cut off: {words}."),
            Class::Known => format!("Known without a search: {words}."),
            Class::Open => format!("{}.", capital(&words)),
        }
    }
}

impl Teller<'_> {
    /// Returns what else a program told of the node: a value that does not follow, nodes that were not sent, a note.
    /// `said` is what is said already.
    pub(super) fn told_besides(&self, said: &str) -> String {
        let (tree, id) = (self.reader.tree, self.view.id);
        let mut text = String::new();
        if self.reader.is_illegal(id) {
            text += " Illegal: the rules of chess do not have this move here.";
        }
        if let Some(Unexplained { left, gives }) = tree.unexplained(id) {
            let number = |own: f64| {
                number::told(if self.scores.is_turned() {
                    0.0 - own
                } else {
                    own
                })
            };
            let gives = gives.map_or_else(|| "no value".to_owned(), number);
            text += &format!(
                " Unexplained: left with {}, its moves give {gives}.",
                number(left)
            );
        }
        if let Some(value) = tree.wide(id) {
            let exact = self.scores.wide(value).unwrap_or_else(|| {
                let own = if self.scores.is_turned() {
                    0.0 - value
                } else {
                    value
                };
                number::told(own)
            });
            if !said.contains(&exact) {
                text += &format!(" The value is exactly {exact}.");
            }
        }
        if let Some(left_out) = tree.left_out(id) {
            text += &format!(" {} below it were not sent.", nodes(left_out.nodes));
        }
        if let Some(other) = tree.same_as(id) {
            let line = self.reader.names(Tree::ROOT, &tree.moves_to(other));
            let line: Vec<String> = line.into_iter().map(|name| name.san).collect();
            text += &format!(" It is the position after {}.", line.join(" "));
        }
        if let Some(note) = tree.note_of(id) {
            text += &format!(" The program notes: {note}");
        }
        text
    }
}

fn nodes(count: u64) -> String {
    number::counted(count, "node")
}

/// Returns what a program says of a reason, without a full stop. Moves are named at `at`.
pub(crate) fn words(reader: &Reader, fate: Fate, at: NodeId, scores: &Scores) -> String {
    let numbers = reader.tree.numbers_of(fate);
    let told = |value| value_words(value, reader, at, scores);
    let Fate::Told { reason, .. } = fate else {
        return fate.name().to_owned();
    };
    let Some(declared) = reason.declared() else {
        return "a reason that the program does not declare".to_owned();
    };
    if let Some(text) = declared.text {
        let number = |name: &str| {
            let found = numbers.iter().find(|number| number.name == name)?;
            match found.value {
                // The text says what it is: `depth {depth}`, `after {ply} plies`.
                Value::Plies(n) => Some(n.to_string()),
                value => told(value),
            }
        };
        return filled(text.trim().trim_end_matches('.'), number);
    }
    let listed: Vec<String> = numbers
        .iter()
        .filter_map(|number| Some(format!("{} {}", number.name, told(number.value)?)))
        .collect();
    let name = declared.info.name.replace('-', " ");
    match listed.is_empty() {
        true => name,
        false => format!("{name} ({})", listed.join(", ")),
    }
}

/// Puts numbers where a text has their names in braces; one that is missing stays as it is written.
fn filled(text: &str, number: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some((name, after)) => {
                match number(name) {
                    Some(told) => out.push_str(&told),
                    None => out.push_str("(not told)"),
                }
                rest = after;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns a number of a fate in words; `None` where it says nothing. Moves are named at `at`.
pub(crate) fn value_words(
    value: Value,
    reader: &Reader,
    at: NodeId,
    scores: &Scores,
) -> Option<String> {
    Some(match value {
        Value::Score(score) => scores.score(score),
        Value::Margin(margin) => scores.amount(i32::from(margin)),
        Value::Plies(1) => "1 ply".to_owned(),
        Value::Plies(n) => format!("{n} plies"),
        Value::Count(n) => n.to_string(),
        Value::Probability(of_65535) => number::probability(of_65535),
        Value::Bin(bin) => scores.mean(reader.tree.grid().edges()[usize::from(bin)]),
        Value::Move(MoveCode::NONE) => return None,
        Value::Move(code) => reader.label(at, code),
        Value::Flag(yes) => if yes { "yes" } else { "no" }.to_owned(),
        Value::Bound(bound) => match scores.seen(bound) {
            Bound::Lower => "at least",
            Bound::Upper => "at most",
            Bound::Exact => "exact",
            Bound::None => return None,
        }
        .to_owned(),
        Value::Ending(ending) => super::ending_words(ending).to_owned(),
        Value::Known(draw) => draw.words().to_owned(),
        Value::Number(number) => number::told(number),
        Value::Wide(value) => scores.wide(value).unwrap_or_else(|| number::told(value)),
        Value::Table(_) | Value::Place(_) | Value::Reason(_) => return None,
    })
}

/// Returns a text with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gets_its_numbers() {
        let number = |name: &str| (name == "a").then(|| "7".to_owned());
        assert_eq!(filled("{a} is {b}, {", number), "7 is (not told), {");
        assert_eq!(filled("{{a}", number), "(not told)");
        assert_eq!(filled("plain", number), "plain");
    }
}
