//! Random trees in which the best move has a refutation that the evaluation does not see until it is close.
//!
//! Every move is worth N(−[`EXPECTED_BEST`], [`WORTH`]²) centipawns to its side, so that the better side of a choice changes
//! the value little; one move at the root is better than the next by [`MARGIN`]. A position's static value is the sum of
//! what its moves are worth, with an error of Student's distribution with three degrees of freedom, whose tails are heavy.
//! After the best move one reply costs the side of the root [`LOSS`], whatever follows. The static value knows that only
//! from [`Settings::hidden`] plies after the reply on. Nothing is stored: every number follows from the path by a hash, so
//! the tree has no end.

use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use belief::{Cdf, Density, Grid};
use eval::{Evaluated, Evaluator, LeafShape, Width};
use game::{ChessKnowledge, Ending, Game, MoveCode, Moves, Scale, Score, Side};

/// The standard deviation of what a move is worth, in centipawns.
pub const WORTH: f64 = 60.0;
/// What is taken off every move's worth: about what the best of eight random ones has on average.
pub const EXPECTED_BEST: f64 = 1.42 * WORTH;
/// How much better the refuted move looks than the next.
pub const MARGIN: f64 = 60.0;
/// What the refutation costs, in centipawns.
pub const LOSS: f64 = 400.0;
/// The scale of the error of a static value, in centipawns.
pub const ERROR: f64 = 25.0;

/// The kind of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of moves in each position.
    pub branching: u8,
    /// The number of plies after the refuting reply for which the static value does not know of it.
    pub hidden: u16,
    /// Whether there is a refutation at all; without one the tree is the control.
    pub refuted: bool,
}

/// A tree, with what its searches have seen of it.
#[derive(Debug)]
pub(super) struct HiddenTree {
    settings: Settings,
    seed: u64,
    /// The root's move that looks best, its bonus, and the reply that refutes it.
    favourite: (u8, f64),
    reply: u8,
    /// The positions reached so far.
    plays: AtomicU64,
    /// How many had been reached when a position first showed the refutation; 0 before.
    sighted: AtomicU64,
}

/// A position in such a tree.
#[derive(Clone, Debug)]
pub(super) struct HiddenPosition {
    tree: Arc<HiddenTree>,
    /// The hash of the path from the root.
    key: u64,
    /// The sum of what the moves are worth, from the view of the root's side.
    sum: f64,
    ply: u16,
    /// Whether the path begins with the favourite, and with the favourite and its refutation.
    is_favourite: bool,
    is_refuted: bool,
}

/// Mixes a number into a hash (the finaliser of MurmurHash3).
fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

/// The quantiles of a distribution at 4,096 even shares: a search asks for many.
struct Table(Vec<f64>);

impl Table {
    fn of(distribution: &impl ContinuousCDF<f64, f64>) -> Table {
        let at = |i: usize| distribution.inverse_cdf((i as f64 + 0.5) / 4096.0);
        Table((0..4096).map(at).collect())
    }

    fn draw(&self, hash: u64) -> f64 {
        self.0[(mix(hash) >> 52) as usize]
    }
}

static NORMAL: LazyLock<Table> = LazyLock::new(|| Table::of(&Normal::standard()));
static STUDENT: LazyLock<Option<Table>> =
    LazyLock::new(|| Some(Table::of(&StudentsT::new(0.0, 1.0, 3.0).ok()?)));
static GRID: LazyLock<Grid> = LazyLock::new(Grid::sinh);

impl HiddenTree {
    pub fn new(settings: Settings, seed: u64) -> Arc<HiddenTree> {
        let mut rng = Rng::with_seed(seed);
        let reply = rng.u8(..settings.branching);
        let mut tree = HiddenTree {
            settings,
            seed: rng.u64(..),
            favourite: (0, 0.0),
            reply,
            plays: AtomicU64::new(0),
            sighted: AtomicU64::new(0),
        };
        let mut worths: Vec<(u8, f64)> = (0..settings.branching)
            .map(|m| (m, tree.worth(tree.seed, m)))
            .collect();
        worths.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let [first, second, ..] = worths.as_slice() {
            tree.favourite = (first.0, MARGIN - (first.1 - second.1));
        }
        Arc::new(tree)
    }

    fn worth(&self, key: u64, m: u8) -> f64 {
        WORTH * NORMAL.draw(key ^ mix(u64::from(m) + 1)) - EXPECTED_BEST
    }

    /// Returns the code of the move that looks best.
    pub fn favourite(&self) -> MoveCode {
        MoveCode(self.favourite.0.into())
    }

    /// Returns how far a search had come when it first saw the refutation, as a share of all the positions that it
    /// reached; `None` if it never did.
    pub fn sighted(&self) -> Option<f64> {
        let at = self.sighted.load(Ordering::Relaxed);
        (at > 0).then(|| at as f64 / self.plays.load(Ordering::Relaxed).max(1) as f64)
    }
}

impl HiddenPosition {
    pub fn root(tree: Arc<HiddenTree>) -> HiddenPosition {
        HiddenPosition {
            key: tree.seed,
            tree,
            sum: 0.0,
            ply: 0,
            is_favourite: false,
            is_refuted: false,
        }
    }

    /// Returns the static value from the view of the root's side, in centipawns.
    fn value(&self) -> f64 {
        let error = STUDENT
            .as_ref()
            .map_or(0.0, |table| ERROR * table.draw(self.key ^ 0x5bd1_e995));
        let shows = self.is_refuted && self.ply >= 2 + self.tree.settings.hidden;
        let loss = if shows { LOSS } else { 0.0 };
        if shows {
            let now = self.tree.plays.load(Ordering::Relaxed);
            let sighted = &self.tree.sighted;
            // Only the first sight counts.
            let _ = sighted.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.sum + error - loss
    }

    fn sign(&self) -> f64 {
        if self.ply.is_multiple_of(2) {
            1.0
        } else {
            -1.0
        }
    }
}

impl ChessKnowledge<u8> for HiddenPosition {}

impl Game for HiddenPosition {
    type Move = u8;

    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) {
            Side::White
        } else {
            Side::Black
        }
    }

    fn legal_moves(&self) -> Moves<u8> {
        (0..self.tree.settings.branching).collect()
    }

    fn play(&mut self, m: u8) {
        self.tree.plays.fetch_add(1, Ordering::Relaxed);
        let bonus = match self.ply {
            0 if m == self.tree.favourite.0 => self.tree.favourite.1,
            _ => 0.0,
        };
        self.sum += self.sign() * (self.tree.worth(self.key, m) + bonus);
        match self.ply {
            0 => self.is_favourite = m == self.tree.favourite.0,
            1 => {
                let is_reply = self.is_favourite && m == self.tree.reply;
                self.is_refuted = is_reply && self.tree.settings.refuted;
            }
            _ => {}
        }
        self.key = mix(self.key ^ mix(u64::from(m) + 1)).wrapping_add(1);
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn ending(&self, _: bool) -> Option<Ending> {
        None
    }

    fn encode(&self, m: u8) -> MoveCode {
        MoveCode(m.into())
    }

    fn label(&self, m: u8) -> String {
        (m + 1).to_string()
    }

    fn scale(&self) -> Scale {
        Scale::Logistic
    }
}

impl Evaluated for HiddenPosition {
    type Evaluator = HiddenEvaluator;
}

/// The static value of the tree, with the width of its error.
#[derive(Clone, Debug, Default)]
pub(super) struct HiddenEvaluator;

impl Evaluator<HiddenPosition> for HiddenEvaluator {
    type State = ();

    fn start(&self, _: &HiddenPosition) {}

    fn after(&self, &(): &(), _: &HiddenPosition, _: u8) {}

    fn value(&self, &(): &(), position: &HiddenPosition) -> Score {
        Score::new(
            (position.sign() * position.value())
                .clamp(-3_000.0, 3_000.0)
                .round() as i32,
        )
    }

    fn gain(&self, &(): &(), position: &HiddenPosition, m: u8) -> i32 {
        position.tree.worth(position.key, m).round() as i32
    }

    fn spread(&self, &(): &(), _: &HiddenPosition, _: Score) -> f32 {
        0.3
    }

    fn belief(&self, &(): &(), at: &HiddenPosition, value: Score, shape: &LeafShape) -> Cdf {
        if value.is_decided() {
            return Cdf::atom(GRID.bin_of(at.scale().expected(value)));
        }
        let logit = value.logit();
        let width = match shape.width {
            Width::Fixed(width) => width,
            Width::Fitted => 0.3,
        };
        Density::logistic(&GRID, logit + shape.bias, width).cdf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        branching: 8,
        hidden: 3,
        refuted: true,
    };

    /// The value along the refutation drops by the loss, exactly when it comes into sight.
    #[test]
    fn the_refutation_shows_after_the_hidden_plies() {
        let along = |refuted: bool| {
            let tree = HiddenTree::new(settings_with(refuted), 7);
            let mut at = HiddenPosition::root(Arc::clone(&tree));
            at.play(tree.favourite.0);
            at.play(tree.reply);
            let mut values = vec![at.value()];
            for m in [0, 1, 2, 3] {
                at.play(m);
                values.push(at.value());
            }
            (values, tree.sighted())
        };
        let ((with, sighted), (without, never)) = (along(true), along(false));
        let losses: Vec<f64> = without.iter().zip(&with).map(|(a, b)| a - b).collect();
        for (found, golden) in losses.iter().zip([0.0, 0.0, 0.0, LOSS, LOSS]) {
            assert!((found - golden).abs() < 1e-9, "{losses:?}");
        }
        // Five of the six moves had been made.
        assert_eq!((sighted, never), (Some(5.0 / 6.0), None));
    }

    fn settings_with(refuted: bool) -> Settings {
        Settings {
            refuted,
            ..SETTINGS
        }
    }

    #[test]
    fn the_favourite_looks_better_by_the_margin() {
        for seed in 0..20 {
            let tree = HiddenTree::new(SETTINGS, seed);
            let root = HiddenPosition::root(Arc::clone(&tree));
            let mut sums: Vec<(f64, u8)> = (0..8)
                .map(|m| {
                    let mut child = root.clone();
                    child.play(m);
                    (child.sum, m)
                })
                .collect();
            sums.sort_by(|a, b| b.0.total_cmp(&a.0));
            assert_eq!(sums[0].1, tree.favourite.0);
            assert!((sums[0].0 - sums[1].0 - MARGIN).abs() < 1e-9, "{sums:?}");
        }
    }

    /// Mean and spread of the tabulated errors: heavy tails, but none without end.
    #[test]
    fn errors_are_heavy_tailed() {
        let table = STUDENT.as_ref().expect("a distribution");
        let errors: Vec<f64> = (0..100_000).map(|i| table.draw(mix(i))).collect();
        let n = errors.len() as f64;
        let beyond = |x: f64| errors.iter().filter(|e| e.abs() > x).count() as f64 / n;
        // Student's distribution with three degrees of freedom: 5 % beyond 3.182, 1 % beyond 5.841.
        assert!((beyond(3.182) - 0.05).abs() < 0.004, "{}", beyond(3.182));
        assert!((beyond(5.841) - 0.01).abs() < 0.002, "{}", beyond(5.841));
    }
}
