//! The belief of any algorithm's node, as one kind of distribution on the tree's grid.

use super::reader::{GrownBy, Reader};
use belief::score::Forecast;
use belief::{Density, Grid};
use game::{Scale, Sided};
use tree::{Bound, NodeView, Tree};

/// The origin of a displayed belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The algorithm keeps this distribution at the node.
    Stored,
    /// The belief that is justified when the algorithm's own distribution is this one: see [`Reader::reported`].
    Calibrated,
    /// An external engine's shares of won, drawn and lost games.
    Outcomes,
    /// An interval without a distribution in it, drawn as if every value were as likely (B*).
    Interval,
    /// The children's values weighted by their visits, where the node's value is the mean of its visits (MCTS keeps no
    /// distribution).
    Visits,
    /// A single value; [`NodeBelief::bound`] says whether it is exact or a bound.
    Point,
}

/// A node's belief as a distribution over the expected score.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeBelief {
    /// Mass per bin of the tree's grid.
    pub density: Density,
    /// The expected score: the algorithm's own number if it has one, otherwise the density's mean.
    pub mean: f32,
    /// The standard deviation of the expected score; 0 for a point, which does not mean that the value is certain.
    pub sd: f32,
    pub source: Source,
    /// Depth-first: whether the truth may lie above (lower bound) or below (upper bound).
    pub bound: Bound,
}

impl NodeBelief {
    /// Returns the belief as a forecast of the truth; a value without a distribution forecasts itself.
    pub fn forecast(&self, grid: &Grid) -> Forecast {
        match self.source {
            Source::Point => Forecast::point_on(f64::from(self.mean), grid),
            _ => Forecast::of(&self.density, grid),
        }
    }

    /// Returns the belief with a fitted distribution instead of the search's own.
    pub(super) fn calibrated(self, density: Density, grid: &Grid) -> NodeBelief {
        NodeBelief {
            mean: density.mean(grid),
            sd: density.sd(grid),
            density,
            source: Source::Calibrated,
            ..self
        }
    }

    /// Returns the belief at a node from its own view, or `None` if nothing is known about it.
    pub(super) fn of(reader: &Reader, view: &NodeView) -> Option<NodeBelief> {
        let grid = reader.tree.grid();
        let bound = view.window.map_or(Bound::Exact, |w| w.bound);
        if let Some(stored) = view
            .has_belief
            .then(|| reader.tree.belief(view.id))
            .flatten()
        {
            let density = stored.density();
            // An exact value is more precise than its bin.
            let exact = stored.is_atom().and(view.expected);
            // The root's belief is that of all moves.
            let has_own = reader.values_moves_beside_beliefs() && view.id != Tree::ROOT;
            let own = exact.or(view.expected.filter(|_| has_own));
            let sd = density.sd(grid);
            return Some(NodeBelief {
                mean: own.unwrap_or_else(|| stored.mean(grid)),
                sd: given_spread(reader, view)
                    .filter(|given| near(*given, sd))
                    .unwrap_or(sd),
                density,
                source: match reader.searcher {
                    GrownBy::Own(..) => Source::Stored,
                    GrownBy::External => Source::Outcomes,
                },
                bound,
            });
        }
        let expected = view.expected?;
        if let Some((mean, sd)) = reader.moments(view.id)
            && !view.proof.is_exact()
        {
            if reader.scale().is_boundless() {
                // The bins have no place for values whose size nobody knows.
                return Some(NodeBelief {
                    sd,
                    source: Source::Visits,
                    ..NodeBelief::point(grid, expected, false, bound)
                });
            }
            return Some(NodeBelief {
                density: Density::normal_expected(grid, mean, sd),
                mean,
                sd,
                source: Source::Stored,
                bound,
            });
        }
        if let Some((lower, upper)) = reader.interval(view.id) {
            let decided = view.score.is_some_and(|s| s.is_decided());
            return Some(NodeBelief {
                density: Density::interval(grid, lower, upper),
                source: Source::Interval,
                ..NodeBelief::point(grid, expected, decided, bound)
            });
        }
        if reader.averages_visits()
            && !view.proof.is_exact()
            && let mean = reader.tree.view(view.id).expected.unwrap_or(expected)
            && let Some(shown) = by_visits(reader, view, mean)
        {
            return Some(shown);
        }
        let decided = view.score.is_some_and(|s| s.is_decided());
        Some(NodeBelief::point(grid, expected, decided, bound))
    }

    /// Returns a belief with all its mass at one expected score. `certain` allows the end bins that stand for a proven
    /// win or loss.
    pub fn point(grid: &Grid, expected: f32, certain: bool, bound: Bound) -> NodeBelief {
        let bin = if certain {
            grid.bin_of(expected)
        } else {
            grid.bin_inner(expected)
        };
        NodeBelief {
            density: Density::atom(bin),
            mean: expected,
            sd: 0.0,
            source: Source::Point,
            bound,
        }
    }

    /// Returns the expected score below which a share `p` of the mass lies.
    pub fn quantile(&self, p: f32, grid: &Grid) -> f32 {
        match self.source {
            Source::Point => self.mean,
            _ => self.density.quantile(p, grid),
        }
    }

    /// Whether its mean is this expected score.
    pub fn is_about(&self, expected: f32) -> bool {
        const SAME: f32 = 0.005;
        (self.mean - expected).abs() < SAME
    }

    /// Whether this is a distribution and not a single value.
    pub fn is_distribution(&self) -> bool {
        !matches!(self.source, Source::Point | Source::Interval)
    }
}

/// The spread that a toy tree's file gives a leaf.
fn given_spread(reader: &Reader, view: &NodeView) -> Option<f32> {
    let Scale::Linear(axis) = reader.scale() else {
        return None;
    };
    let at = reader.situation(view.id)?;
    let leaf = at.position.as_toy()?.node();
    leaf.children.is_empty().then(|| leaf.spread / axis.range())
}

/// Whether a spread differs from another by no more than what the width of the bins adds to it.
fn near(given: f32, sd: f32) -> bool {
    (sd / given - 1.0).abs() < 0.1
}

impl Sided for NodeBelief {
    fn turned(self) -> NodeBelief {
        NodeBelief {
            density: self.density.negated(),
            mean: self.mean.turned(),
            bound: self.bound.turned(),
            ..self
        }
    }
}

/// Returns the visit-weighted mixture of the children's values, one level deep, or `None` while no child has been
/// visited.
fn by_visits(reader: &Reader, view: &NodeView, mean: f32) -> Option<NodeBelief> {
    let grid = reader.tree.grid();
    let (mut weights, mut parts, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for child in reader.tree.children(view.id) {
        let child = reader.tree.view(child);
        let Some(e) = child.expected.turned().filter(|_| child.visits > 0) else {
            continue;
        };
        let certain = child.score.is_some_and(|s| s.is_decided());
        let bin = if certain {
            grid.bin_of(e)
        } else {
            grid.bin_inner(e)
        };
        weights.push(child.visits as f32);
        parts.push(Density::atom(bin));
        values.push(e);
    }
    let density = Density::mixture(&weights, &parts)?;
    let total: f32 = weights.iter().sum();
    let pairs = || weights.iter().zip(&values);
    let centre = pairs().map(|(w, v)| w * v).sum::<f32>() / total;
    let variance = pairs().map(|(w, v)| w * (v - centre).powi(2)).sum::<f32>() / total;
    Some(NodeBelief {
        density,
        mean,
        sd: variance.max(0.0).sqrt(),
        source: Source::Visits,
        bound: Bound::Exact,
    })
}
