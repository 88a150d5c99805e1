//! The running product of probabilistic alpha-beta: what each move added to P(max ≥ β), or to the maximum where beta is
//! open.

use super::super::facts::Numbers;
use super::Line;
use super::content::Content;
use crate::engine::{Product, Reader, Step};
use crate::report::number;
use crate::tree::NodeId;
use crate::tui::text;
use crate::tui::theme::Role;

/// A node's product with the names of its moves.
pub(super) struct Shares {
    product: Product,
    names: Vec<String>,
}

/// As many moves are listed; the others add least.
const LISTED: usize = 12;
/// What is less than this is not worth a line.
const LEAST: f32 = 0.005;

impl Shares {
    pub fn of(reader: &Reader, node: NodeId) -> Option<Shares> {
        if node.is_none() {
            return None;
        }
        let product = reader.product(node).filter(|p| !p.steps.is_empty())?;
        let rows = reader.rows(node);
        let name = |step: &Step| {
            let row = rows.iter().find(|r| r.move_code == step.code);
            row.map_or_else(String::new, |r| text::harmless(&r.label))
        };
        let names = product.steps.iter().map(name).collect();
        Some(Shares { product, names })
    }
}

/// A heading, a line for each move that added something, and what became of it.
pub(super) fn lines(content: &Content, numbers: &Numbers, room: usize) -> Vec<Line> {
    let Some(Shares { product, names }) = &content.product else {
        return Vec::new();
    };
    // The figures are the mover's, the product is the node's own.
    let own = if content.is_root { 1.0 } else { -1.0 };
    let worth = |step: &Step| match product.beta {
        Some(_) => step.reaches,
        None => own * step.max.mean,
    };
    let word = |value: f32| match product.beta {
        Some(_) => share(value),
        None => numbers.expected(value),
    };
    let heading = match product.beta {
        Some(_) => "P(max ≥ β) as the replies came",
        None => "expected max as the replies came",
    };
    let steps = &product.steps;
    let before = |i: usize| match (i.checked_sub(1), product.beta) {
        (Some(last), _) => Some(worth(&steps[last])),
        (None, Some(_)) => Some(0.0),
        (None, None) => None,
    };
    let added = |i: usize| before(i).map_or(f32::INFINITY, |b| (worth(&steps[i]) - b).abs());
    let mut listed: Vec<usize> = (0..steps.len()).filter(|&i| added(i) >= LEAST).collect();
    listed.sort_by(|a, b| added(*b).total_cmp(&added(*a)));
    listed.truncate(LISTED);
    listed.sort_unstable();
    let mut lines = vec![Vec::new(), vec![(heading.to_owned(), Role::Heading)]];
    for &i in &listed {
        let from = before(i).map(|b| format!("{} → ", word(b)));
        lines.push(vec![
            (format!("{:<9}", names[i]), Role::Move),
            (from.unwrap_or_default(), Role::Dim),
            (word(worth(&steps[i])), Role::Spread),
        ]);
    }
    let more = steps.len() - listed.len();
    if more > 0 {
        let words = if more == 1 {
            "other adds"
        } else {
            "others add"
        };
        lines.push(vec![(format!("{more} {words} less"), Role::Dim)]);
    }
    if let (Some(beta), Some(last)) = (product.beta, steps.last()) {
        let level = share(product.confidence);
        let verdict = if last.reaches >= product.confidence {
            format!(
                "cut: {} is at least the confidence {level}",
                share(last.reaches)
            )
        } else {
            format!(
                "no cut: {} is below the confidence {level}",
                share(last.reaches)
            )
        };
        // In a move's view the replier's beta stands where the mover's alpha is.
        let beta = match content.is_root {
            true => format!("β {}", numbers.score(beta)),
            false => format!("the replier's β is α {}", numbers.score(beta.one_ply_up())),
        };
        let words = format!("{beta}; {verdict}");
        let wrapped = text::wrap(&words, room).into_iter();
        lines.extend(wrapped.map(|l| vec![(l, Role::Text)]));
    }
    if !product.is_complete {
        let note = "not all that was searched is in the tree, or it was searched again since";
        let wrapped = text::wrap(note, room).into_iter();
        lines.extend(wrapped.map(|l| vec![(l, Role::Dim)]));
    }
    lines
}

/// A probability as elsewhere in the program.
fn share(probability: f32) -> String {
    number::probability((probability.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16)
}
