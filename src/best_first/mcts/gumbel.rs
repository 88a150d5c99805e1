//! The root as in Gumbel AlphaZero: a few moves are drawn by their priors, and sequential halving gives the visits to
//! those that hold out.
//!
//! Source: Danihelka, Guez, Schrittwieser and Silver, *Policy Improvement by Planning with Gumbel*, ICLR 2022. Which
//! visit goes where depends on the visits of the root's moves alone, so a run can be taken up on its tree.

use super::select::Choice;
use crate::proofs;
use game::Score;
use search::explanation::{Block, Column, Reading, Row, Tone, Unit, phrase};
use search::{Limits, OptionSpec, Options, Range};
use tree::{Node, NodeId, Tree};

pub(super) const MOVES: OptionSpec = OptionSpec {
    key: "gumbel-root",
    default: "0",
    range: Range::Integer { min: 0, max: 256 },
    summary: "choose among this many of the root's moves by sequential halving over the limit of nodes or playouts (0: off, PUCT; Danihelka and others 2022, who take 16)",
};

pub(super) const NOISE: OptionSpec = OptionSpec {
    key: "gumbel-noise",
    default: "off",
    range: Range::Switch,
    summary: "gumbel-root: draw the root's moves by their priors, from the seed; off: take the likeliest ones",
};

pub(super) const SCALE: OptionSpec = OptionSpec {
    key: "gumbel-scale",
    default: "1",
    range: Range::Number {
        min: 0.0,
        max: 10.0,
    },
    summary: "gumbel-root: how much values count against priors (c_scale)",
};

/// c_visit: values count as much as they would after so many more visits.
const MORE_VISITS: f64 = 50.0;
/// Without a limit the schedule begins with this many visits, and each time it is used up the number doubles.
const FIRST_BUDGET: u64 = 256;

/// How the root's visits are handed out.
#[derive(Clone, Copy, Debug)]
pub(super) struct GumbelRoot {
    moves: usize,
    scale: f64,
    noise: Option<u64>,
    /// The visits that the search may make; `None`: no limit says.
    limit: Option<u64>,
}

impl GumbelRoot {
    /// `None` where the option is off.
    pub fn new(options: &Options, limits: &Limits, seed: u64) -> Option<GumbelRoot> {
        let moves = options.integer(MOVES.key) as usize;
        (moves > 0).then(|| GumbelRoot {
            moves,
            scale: options.number(SCALE.key),
            noise: options.switch(NOISE.key).then_some(seed),
            limit: limits.playouts.or(limits.nodes),
        })
    }

    /// The number of visits to the root's moves over which the schedule reaches, when `made` were made.
    fn budget(&self, made: u64) -> u64 {
        match self.limit {
            Some(limit) if made < limit => limit,
            // Moves whose visits cost no node go on after the last one.
            _ => (FIRST_BUDGET.max(made + 1)).next_power_of_two(),
        }
    }

    /// The root's move to visit, and the one to play.
    pub fn choose<'t>(
        &self,
        children: &'t [Node],
        node: &Node,
        relevance: Score,
    ) -> Option<Choice<'t>> {
        let ranks = self.ranks(children, node);
        let made = children.iter().map(|c| u64::from(c.visits())).sum();
        let count = self.moves.min(children.len());
        let wanted = considered(count, self.budget(made), made);
        let matters = |c: &Node| {
            let proof = c.proof();
            !c.is_excluded() && proof.lower < relevance && proof.upper != Score::SOME_LOSS
        };
        let open = |i: &usize| matters(&children[*i]);
        let due = (0..children.len()).filter(open);
        let due = due.filter(|&i| u64::from(children[i].visits()) == wanted);
        // Where a move of the schedule was proven, its visits go to the best of the others.
        let place =
            best_of(due, &ranks).or_else(|| best_of((0..children.len()).filter(open), &ranks))?;
        let favourite = favourite(children, node, &ranks);
        let searched = children.iter().filter(|c| c.visits() > 0).count();
        Some(Choice {
            id: NodeId(node.first_child().0 + place as u32),
            node: &children[place],
            favourite: Some((favourite, searched)),
            lead: None,
        })
    }

    /// The figures by which the root's moves are compared: g + logit + σ(q).
    fn ranks(&self, children: &[Node], node: &Node) -> Vec<f64> {
        let completed = completed(children, node);
        let most = children.iter().map(Node::visits).max().unwrap_or(0);
        let sigma = |q: f64| sigma(q, most, self.scale);
        let ranks = children.iter().zip(completed);
        ranks
            .map(|(c, q)| self.gumbel(c) + logit(c) + sigma(q))
            .collect()
    }

    /// The noise of a move: the same one throughout a search.
    fn gumbel(&self, child: &Node) -> f64 {
        let Some(seed) = self.noise else {
            return 0.0;
        };
        let key = seed ^ (u64::from(child.move_code().0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let uniform = fastrand::Rng::with_seed(key)
            .f64()
            .clamp(1e-12, 1.0 - 1e-12);
        -(-uniform.ln()).ln()
    }
}

fn logit(child: &Node) -> f64 {
    f64::from(child.policy()).max(1e-9).ln()
}

/// Values in [0, 1], from the view of the side to move at the node.
fn sigma(q: f64, most_visits: u32, scale: f64) -> f64 {
    (MORE_VISITS + f64::from(most_visits)) * scale * q
}

fn best_of(places: impl Iterator<Item = usize>, ranks: &[f64]) -> Option<usize> {
    places.fold(None, |best, i| match best {
        Some(b) if ranks[i] <= ranks[b] => best,
        _ => Some(i),
    })
}

/// The move that would be played: of the most visited ones the one with the highest rank.
fn favourite(children: &[Node], node: &Node, ranks: &[f64]) -> game::MoveCode {
    let proof = node.proof();
    if proof.lower.is_loss() && proof.upper.is_win() {
        let counted = |c: &Node| match c.proof().is_win() || c.is_excluded() {
            true => 0,
            false => c.visits(),
        };
        let most = children.iter().map(counted).max().unwrap_or(0);
        let among = (0..children.len()).filter(|&i| counted(&children[i]) == most);
        if let Some(best) = best_of(among, ranks).filter(|_| most > 0) {
            return children[best].move_code();
        }
    }
    proofs::move_of(proofs::choose(
        children,
        node.is_narrowed(),
        |c| c.visits() as f32,
        |c| -c.expected(),
    ))
}

/// The number of visits that the move to be visited next has already: `made` of `budget` visits were made to `moves`
/// moves. In each of ⌈log₂ moves⌉ rounds the moves that are left get equally many visits, one each in turn; then the
/// better half of them is left, but no fewer than two.
fn considered(moves: usize, budget: u64, made: u64) -> u64 {
    if moves <= 1 {
        return made;
    }
    let rounds = u64::from(usize::BITS - (moves - 1).leading_zeros());
    let (mut left, mut visits, mut before) = (moves as u64, 0, 0);
    loop {
        let each = (budget / (rounds * left)).max(1);
        if made < before + each * left {
            return visits + (made - before) / left;
        }
        before += each * left;
        visits += each;
        left = (left / 2).max(2);
    }
}

/// The values of a node's children in [0, 1], those that were not visited completed by the mixed value.
fn completed(children: &[Node], node: &Node) -> Vec<f64> {
    let unit = |e: f64| (e + 1.0) / 2.0;
    let visits: u32 = children.iter().map(Node::visits).sum();
    let seen = |c: &&Node| c.visits() > 0;
    // The node was visited by itself before it had children.
    let own = node.visits().saturating_sub(visits);
    let brought: f64 = children.iter().filter(seen).map(|c| -c.total()).sum();
    let first = match own {
        0 => f64::from(node.expected()),
        own => ((node.total() - brought) / f64::from(own)).clamp(-1.0, 1.0),
    };
    let values: Vec<(f64, f64)> = children
        .iter()
        .filter(seen)
        .map(|c| (f64::from(c.policy()), unit(f64::from(-c.expected()))))
        .collect();
    let mixed = mixed_value(unit(first), visits, &values);
    let value = |c: &Node| match c.visits() {
        0 => mixed,
        _ => unit(f64::from(-c.expected())),
    };
    children.iter().map(value).collect()
}

/// v_mix: the node's own value and the values of the visited moves, given with their priors.
fn mixed_value(own: f64, visits: u32, visited: &[(f64, f64)]) -> f64 {
    let prior: f64 = visited.iter().map(|(p, _)| p).sum();
    let weighed: f64 = visited.iter().map(|(p, q)| p * q).sum();
    let visits = f64::from(visits);
    let mean = if prior > 0.0 { weighed / prior } else { own };
    (own + visits * mean) / (1.0 + visits)
}

/// π′: the softmax of logits and values.
fn improved(logits: &[f64], sigmas: &[f64]) -> Vec<f64> {
    let sums: Vec<f64> = logits.iter().zip(sigmas).map(|(l, s)| l + s).collect();
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = sums.iter().map(|s| (s - most).exp()).collect();
    let whole: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / whole).collect()
}

/// The terms by which the root's moves are compared, the best first.
pub(super) fn explain(reading: &Reading, id: NodeId) -> Option<Block> {
    let root = GumbelRoot::new(
        reading.options,
        &Limits::default(),
        reading.seed.unwrap_or(0),
    )?;
    let node = reading.tree.node(id);
    if id != Tree::ROOT || !node.is_expanded() {
        return None;
    }
    let children = reading.tree.children_block(node);
    let completed = completed(children, node);
    let most = children.iter().map(Node::visits).max().unwrap_or(0);
    let sigmas: Vec<f64> = completed
        .iter()
        .map(|&q| sigma(q, most, root.scale))
        .collect();
    let logits: Vec<f64> = children.iter().map(logit).collect();
    let policy = improved(&logits, &sigmas);
    let ranks = root.ranks(children, node);
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]));
    let two = Unit::Fixed(2);
    let row = |i: usize| Row {
        child: NodeId(node.first_child().0 + i as u32),
        cells: vec![
            (Tone::default(), phrase![(root.gumbel(&children[i]), two)]),
            (Tone::default(), phrase![(logits[i], two)]),
            (Tone::default(), phrase![(sigmas[i], two)]),
            (Tone::default(), phrase![(policy[i], Unit::Share)]),
        ],
    };
    let column = |name, width, dispensable| Column {
        name,
        width,
        dispensable,
    };
    Some(Block {
        title: "the root's choice: g + ln P + σ(q)",
        columns: vec![
            column("g", 5, 2),
            column("ln P", 6, 1),
            column("σ(q)", 6, 0),
            column("π′", 5, 0),
        ],
        rows: order.into_iter().map(row).collect(),
        ..Block::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The visits that moves of fixed ranks get, best first.
    fn visits(moves: usize, budget: u64) -> Vec<u64> {
        let mut visits = vec![0; moves];
        for made in 0..budget {
            let wanted = considered(moves, budget, made);
            let due = visits.iter().position(|&v| v == wanted);
            visits[due.expect("a move that is due")] += 1;
        }
        visits
    }

    #[test]
    fn visits_are_halved_as_in_the_published_library() {
        let of = |groups: &[(usize, u64)]| -> Vec<u64> {
            let visits = groups.iter();
            visits.flat_map(|&(n, v)| vec![v; n]).collect()
        };
        assert_eq!(visits(4, 16), [6, 6, 2, 2]);
        assert_eq!(visits(16, 32), of(&[(4, 4), (4, 2), (8, 1)]));
        assert_eq!(visits(8, 50), [15, 15, 6, 6, 2, 2, 2, 2]);
        assert_eq!(visits(16, 200), of(&[(2, 49), (2, 21), (4, 9), (8, 3)]));
        assert_eq!(visits(2, 9), [5, 4]);
        assert_eq!(visits(1, 5), [5]);
    }

    #[test]
    fn unvisited_moves_get_the_mixed_value() {
        let mixed = mixed_value(0.5, 4, &[(0.5, 0.6), (0.3, 0.2)]);
        assert!((mixed - 0.46).abs() < 1e-12, "{mixed}");
        let logits = [0.5f64, 0.3, 0.2].map(f64::ln);
        for (scale, sigmas, policy) in [
            (1.0, [31.8, 10.6, 24.38], [0.999760, 0.0, 0.000240]),
            (0.1, [3.18, 1.06, 2.438], [0.792090, 0.057045, 0.150865]),
        ] {
            let found = [0.6, 0.2, mixed].map(|q| sigma(q, 3, scale));
            for (found, expected) in found.iter().zip(sigmas) {
                assert!((found - expected).abs() < 1e-9, "{found}");
            }
            for (found, expected) in improved(&logits, &found).iter().zip(policy) {
                assert!((found - expected).abs() < 1e-6, "{found}");
            }
        }
    }

    #[test]
    fn without_a_limit_the_schedule_doubles() {
        let options = crate::mcts::default_options();
        assert!(GumbelRoot::new(&options, &Limits::default(), 1).is_none());
        let mut options = options;
        options.set("gumbel-root", "16").expect("a number");
        let root = GumbelRoot::new(&options, &Limits::default(), 1).expect("it is on");
        assert_eq!(root.budget(0), 256);
        assert_eq!(root.budget(255), 256);
        assert_eq!(root.budget(256), 512);
    }
}
