//! Softmax back-up and choice (maximum entropy planning): a node is worth the soft maximum of its moves, and moves are
//! drawn by their soft values.
//!
//! Source: Xiao, Huang, Mei, Schuurmans and Müller, *Maximum Entropy Monte-Carlo Planning*, NeurIPS 2019. A draw
//! depends on the search's seed, the node and its visits, so a run can be taken up on its tree. Values are in [0, 1] here,
//! as the temperature is.

use super::select::Choice;
use game::Score;
use search::explanation::{Block, Column, Reading, Row, Tone, Unit, phrase};
use search::{OptionSpec, Options, Range};
use tree::{Node, NodeId};

pub(super) const TEMPERATURE: OptionSpec = OptionSpec {
    key: "softmax-backup",
    default: "0",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "temperature of a softmax by which values are backed up and moves are drawn, for values from 0 to 1 (0: off, means and PUCT; Xiao and others 2019, who take 0.1)",
};

pub(super) const EXPLORATION: OptionSpec = OptionSpec {
    key: "softmax-exploration",
    default: "0.1",
    range: Range::Number { min: 0.0, max: 1.0 },
    summary: "softmax-backup: how often a move is drawn evenly, less and less with the visits (ε)",
};

pub(super) const SUM: OptionSpec = OptionSpec {
    key: "softmax-sum",
    default: "off",
    range: Range::Switch,
    summary: "softmax-backup: the sum of the paper, which exceeds the best move's value the more moves there are; off: their mean (mellowmax)",
};

/// What an unvisited move is worth less than its node.
const UNSEEN: f64 = 0.1;

/// The softmax that the options describe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Softmax {
    temperature: f64,
    exploration: f64,
    sums: bool,
}

impl Softmax {
    /// `None` where the option is off.
    pub fn new(options: &Options) -> Option<Softmax> {
        let temperature = options.number(TEMPERATURE.key);
        (temperature > 0.0).then(|| Softmax {
            temperature,
            exploration: options.number(EXPLORATION.key),
            sums: options.switch(SUM.key),
        })
    }

    /// The value of a node with visited children, as an expected score; `None` if it has none.
    pub fn back_up(&self, children: &[Node]) -> Option<f32> {
        let visited = children
            .iter()
            .filter(|c| c.visits() > 0 && !c.is_excluded());
        let values: Vec<f64> = visited.map(worth).collect();
        (!values.is_empty()).then(|| {
            let value = soft_maximum(&values, self.temperature, self.sums);
            (2.0 * value - 1.0).clamp(-1.0, 1.0) as f32
        })
    }

    /// Draws the child to which the next descent goes.
    pub fn choose<'t>(
        &self,
        children: &'t [Node],
        node: &Node,
        relevance: Score,
        seed: u64,
    ) -> Option<Choice<'t>> {
        let matters = |c: &Node| {
            let proof = c.proof();
            !c.is_excluded() && proof.lower < relevance && proof.upper != Score::SOME_LOSS
        };
        let open: Vec<usize> = (0..children.len())
            .filter(|&i| matters(&children[i]))
            .collect();
        let policy = self.policy(open.iter().map(|&i| &children[i]), node);
        let at = seed ^ u64::from(node.first_child().0) << 32 ^ u64::from(node.visits());
        let mut drawn = fastrand::Rng::with_seed(at).f64();
        let place = open.iter().zip(&policy).find(|(_, share)| {
            drawn -= **share;
            drawn < 0.0
        });
        let place = place.map_or_else(|| open.last().copied(), |(&i, _)| Some(i))?;
        Some(Choice {
            id: NodeId(node.first_child().0 + place as u32),
            node: &children[place],
            favourite: None,
            lead: None,
        })
    }

    /// The chances with which these children are drawn.
    fn policy<'c>(&self, children: impl Iterator<Item = &'c Node>, node: &Node) -> Vec<f64> {
        let own = (f64::from(node.expected()) + 1.0) / 2.0;
        let value = |c: &Node| match c.visits() {
            0 => own - UNSEEN,
            _ => worth(c),
        };
        let values: Vec<f64> = children.map(value).collect();
        shares(
            &values,
            self.temperature,
            self.exploration,
            node.visits().into(),
        )
    }
}

/// A child's value to the side that chooses, in [0, 1].
fn worth(child: &Node) -> f64 {
    (1.0 - f64::from(child.expected())) / 2.0
}

/// τ ln Σ exp(q / τ), or with the mean in place of the sum.
fn soft_maximum(values: &[f64], temperature: f64, sums: bool) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = values
        .iter()
        .map(|v| ((v - most) / temperature).exp())
        .sum();
    let among = if sums { 1.0 } else { values.len() as f64 };
    most + temperature * (sum / among).ln()
}

/// E2W: the softmax of the values, mixed with an even share λ = ε n / ln(visits + 1).
fn shares(values: &[f64], temperature: f64, exploration: f64, visits: f64) -> Vec<f64> {
    let count = values.len() as f64;
    let even = (exploration * count / (visits + 1.0).ln()).min(1.0);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = values
        .iter()
        .map(|v| ((v - most) / temperature).exp())
        .collect();
    let whole: f64 = weights.iter().sum();
    let share = |w: f64| (1.0 - even) * w / whole + even / count;
    weights.into_iter().map(share).collect()
}

/// By what the next descent is drawn at a node, the likeliest move first.
pub(super) fn explain(reading: &Reading, id: NodeId) -> Option<Block> {
    let softmax = Softmax::new(reading.options)?;
    let node = reading.tree.node(id);
    if !node.is_expanded() || node.visits() == 0 {
        return None;
    }
    let children = reading.tree.children_block(node);
    let policy = softmax.policy(children.iter(), node);
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by(|&a, &b| policy[b].total_cmp(&policy[a]));
    let row = |i: usize| Row {
        child: NodeId(node.first_child().0 + i as u32),
        cells: vec![
            (Tone::Plain, phrase![(worth(&children[i]), Unit::Fraction)]),
            (Tone::Policy, phrase![(policy[i], Unit::Share)]),
        ],
    };
    let column = |name| Column {
        name,
        width: 6,
        dispensable: 0,
    };
    Some(Block {
        title: "drawn by the softmax of the values",
        columns: vec![column("value"), column("chance")],
        rows: order.into_iter().map(row).collect(),
        ..Block::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn soft_maxima_and_shares_are_the_published_ones() {
        let values = [0.0, 2.0f64.ln(), 4.0f64.ln()];
        close(&[soft_maximum(&values, 1.0, true)], &[7.0f64.ln()]);
        close(&[soft_maximum(&values, 1.0, false)], &[0.847298]);
        let greedy = shares(&values, 1.0, 0.0, 8.0);
        close(&greedy, &[1.0 / 7.0, 2.0 / 7.0, 4.0 / 7.0]);
        let mixed = shares(&values, 1.0, 0.1, 8.0);
        close(&mixed, &[0.168864, 0.292216, 0.538920]);
    }

    /// Max chooses between B, worth 5 or 2, and C, worth 3 or 4, which Min chooses.
    #[test]
    fn soft_values_go_up_the_conspirators_tree() {
        for (temperature, b, c, root) in [
            (1.0, 1.951413, 2.686738, 3.078341),
            (0.5, 1.998762, 2.936536, 3.007837),
            (0.1, 2.0, 2.999995, 3.0),
        ] {
            let least = |values: [f64; 2]| -soft_maximum(&values.map(|v| -v), temperature, true);
            let (low, high) = (least([5.0, 2.0]), least([3.0, 4.0]));
            let found = soft_maximum(&[low, high], temperature, true);
            close(&[low, high, found], &[b, c, root]);
        }
    }
}
