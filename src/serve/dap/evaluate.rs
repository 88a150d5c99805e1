//! What is typed into the editor's console, watched, or pointed at: a number, a claim, or a line of moves.

use super::variables::Variables;
use crate::describe::{Spot, still};
use session::breakpoint::{Measure, Predicate};
use session::{Reader, Session};
use tree::Tree;

/// The answer to an expression, and what opens below it (0: nothing).
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    pub reference: usize,
}

/// Evaluates an expression at a node: bare figures are read there.
///
/// # Errors
/// If it is neither a number, a claim nor a line of moves; says what was expected.
pub fn evaluate(
    session: &Session,
    at: Spot,
    text: &str,
    variables: &mut Variables,
) -> Result<Answer, String> {
    let text = text.trim();
    let node = at.node().unwrap_or(Tree::ROOT);
    let still = still(session);
    let plain = |text: String| Answer { text, reference: 0 };
    let wrong = match Measure::parse(text, session.subject()) {
        Ok(measure) => {
            let value = measure.at(&still, node);
            return Ok(plain(value.map_or_else(|| "not known".into(), written)));
        }
        Err(wrong) => wrong,
    };
    if let Ok(claim) = Predicate::parse(text, session.subject()) {
        return Ok(plain(claim.holds_at(&still, node).to_string()));
    }
    let reader = session.reader();
    let spot = of_moves(session, at, text).or_else(|| of_name(session, &reader, text));
    match spot {
        Some(spot) => {
            let (text, reference) = variables.of_spot(&reader, spot);
            Ok(Answer { text, reference })
        }
        None => Err(wrong.to_string()),
    }
}

fn written(value: f64) -> String {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => format!("{value:.0}"),
        false => format!("{value:.4}"),
    }
}

/// Reads moves from the root, or else from a node on.
fn of_moves(session: &Session, at: Spot, text: &str) -> Option<Spot> {
    let text = text.trim_matches(['"', '\'']);
    if text.eq_ignore_ascii_case("root") {
        return Some(Spot::Node(Tree::ROOT));
    }
    if text.is_empty() {
        return None;
    }
    let from_root = Spot::of_line(session, text).ok();
    from_root.or_else(|| {
        let node = at.node()?;
        let there = session.situation(node)?;
        let mut moves = session.tree().moves_to(node);
        moves.extend(there.read_line(text).ok()?.moves);
        Spot::of_moves(session, &moves)
    })
}

/// Finds the only node of a toy tree that has this name.
fn of_name(session: &Session, reader: &Reader, name: &str) -> Option<Spot> {
    let root = reader.subject.position.as_toy()?;
    let nodes = &root.tree().nodes;
    let mut named = nodes.iter().enumerate().filter(|(_, n)| n.name == name);
    let (mut at, _) = named.next().filter(|_| named.next().is_none())?;
    let mut names = Vec::new();
    while at as u32 != root.index() {
        names.push(nodes[at].name.as_str());
        at = nodes[at].parent? as usize;
    }
    names.reverse();
    Spot::of_line(session, &names.join(" ")).ok()
}
