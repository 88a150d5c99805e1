//! How the difference at the end of a playout depends on that at the leaf where it began.
//!
//! Source: Brian Sheppard, *MCTS and Point Differential* (Computer-go mailing list, July 2011): "the larger the point differential
//! of the terminal position, the higher (on average) was the point differential of the leaf node", because the difference walks at
//! random from one to the other.

use serde::{Deserialize, Serialize};

use super::Position;
use super::kept::Kept;
use super::statistics::{Figure, Resamples};
use algorithms::Algorithm;
use best_first::mcts::playout_rules;
use eval::playout::{Player, PlayoutRules, playout_seed};
use eval::{Evaluator as _, HandCrafted};
use session::NoThread;
use session::jobs::BackgroundJob;

/// The greatest lengths of playouts, in plies.
pub const LENGTHS: [u16; 6] = [4, 8, 16, 32, 64, 256];

/// Borders between groups of final differences, in centipawns.
pub const BORDERS: [i32; 7] = [-900, -500, -200, 0, 200, 500, 900];

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// Playouts of each length from each position.
    pub playouts: u32,
    pub seed: u64,
    pub at_a_time: usize,
}

/// What was found in one position: the difference there, and by length those at the ends of its playouts, in centipawns for the
/// side to move there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    pub leaf: i32,
    pub ends: [Vec<i32>; LENGTHS.len()],
}

/// What is known so far, by position.
#[derive(Clone, Debug, PartialEq)]
pub struct Playouts {
    pub played: Vec<Option<Played>>,
}

/// The playouts of one length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OfLength {
    pub length: u16,
    pub playouts: usize,
    /// The slope of the final difference over the leaf's: 1 where it walks at random; `None` where all leaves have the same.
    pub slope: Option<Figure>,
    pub correlation: Option<Figure>,
    /// The standard deviation of the change, in centipawns.
    pub change: Figure,
    /// Of playouts from leaves where a side is ahead, the share at whose end the other is not.
    pub kept: Option<Figure>,
}

/// The playouts that end within one group of differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OfEnd {
    /// In centipawns, from (inclusive) and to; `None` without an end.
    pub from: Option<i32>,
    pub to: Option<i32>,
    pub playouts: usize,
    /// The mean difference at their leaves, in centipawns.
    pub leaf: Figure,
}

impl Playouts {
    /// Returns what was played.
    pub fn known(&self) -> Vec<&Played> {
        self.played.iter().flatten().collect()
    }

    /// Returns the figures of each length; resamples are of the positions.
    pub fn by_length(&self, resamples: &Resamples) -> Vec<OfLength> {
        let known = self.known();
        let of = |(at, length): (usize, u16)| {
            let playouts = known.iter().map(|p| p.ends[at].len()).sum();
            let figure = |read: fn(&Sums) -> Option<f64>| {
                resamples.figure(|weights| {
                    let mut sums = Sums::default();
                    for (i, played) in known.iter().enumerate() {
                        sums.add(played, at, weights.map_or(1.0, |w| w[i]));
                    }
                    read(&sums)
                })
            };
            Some(OfLength {
                length,
                playouts,
                slope: figure(Sums::slope),
                correlation: figure(Sums::correlation),
                change: figure(Sums::change)?,
                kept: figure(Sums::kept),
            })
        };
        LENGTHS.into_iter().enumerate().filter_map(of).collect()
    }

    /// Returns the mean difference at the leaves by that at the ends of playouts of this length (its place in [`LENGTHS`]).
    pub fn by_end(&self, at: usize, resamples: &Resamples) -> Vec<OfEnd> {
        let known = self.known();
        let group = |end: i32| BORDERS.partition_point(|border| *border <= end);
        let of = |place: usize| {
            let count = |p: &&&Played| {
                p.ends[at]
                    .iter()
                    .filter(|end| group(**end) == place)
                    .count()
            };
            let counts: Vec<usize> = known.iter().map(|p| count(&p)).collect();
            let parts = known.iter().zip(&counts);
            let parts = parts.map(|(p, n)| (*n as f64 * f64::from(p.leaf), *n as f64));
            let leaf = resamples.ratio(&parts.collect::<Vec<_>>())?;
            Some(OfEnd {
                from: place.checked_sub(1).map(|i| BORDERS[i]),
                to: BORDERS.get(place).copied(),
                playouts: counts.iter().sum(),
                leaf,
            })
        };
        (0..=BORDERS.len()).filter_map(of).collect()
    }
}

/// Weighted sums over playouts.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    n: f64,
    leaf: f64,
    end: f64,
    leaf_squared: f64,
    end_squared: f64,
    product: f64,
    /// From leaves where a side is ahead, and of those that end with it ahead.
    ahead: f64,
    kept: f64,
}

impl Sums {
    fn add(&mut self, played: &Played, at: usize, weight: f64) {
        let leaf = f64::from(played.leaf);
        for end in &played.ends[at] {
            let end = f64::from(*end);
            self.n += weight;
            self.leaf += weight * leaf;
            self.end += weight * end;
            self.leaf_squared += weight * leaf * leaf;
            self.end_squared += weight * end * end;
            self.product += weight * leaf * end;
            if leaf != 0.0 {
                self.ahead += weight;
                self.kept += weight * f64::from(u8::from(leaf * end > 0.0));
            }
        }
    }

    /// Variances of leaf and end, and their covariance.
    fn moments(&self) -> [f64; 3] {
        let of = |sum: f64, a: f64, b: f64| (sum - a * b / self.n) / self.n;
        [
            of(self.leaf_squared, self.leaf, self.leaf),
            of(self.end_squared, self.end, self.end),
            of(self.product, self.leaf, self.end),
        ]
    }

    fn slope(&self) -> Option<f64> {
        let [leaf, _, both] = self.moments();
        (leaf > 0.0).then(|| both / leaf)
    }

    fn correlation(&self) -> Option<f64> {
        let [leaf, end, both] = self.moments();
        (leaf > 0.0 && end > 0.0).then(|| both / (leaf * end).sqrt())
    }

    fn change(&self) -> Option<f64> {
        let [leaf, end, both] = self.moments();
        (self.n > 0.0).then(|| (leaf + end - 2.0 * both).max(0.0).sqrt())
    }

    fn kept(&self) -> Option<f64> {
        (self.ahead > 0.0).then(|| self.kept / self.ahead)
    }
}

/// The rules of playouts by default, but only those of the game end one before its length.
fn rules() -> Option<PlayoutRules> {
    let mut options = Algorithm::Mcts.default_options();
    options.set("leaf", "playouts").ok()?;
    playout_rules(&options).map(|rules| PlayoutRules { margin: 0, ..rules })
}

/// Starts the experiment.
///
/// # Errors
/// If the system starts no thread.
pub fn start(plan: Plan, kept: Kept<Option<Played>>) -> Result<BackgroundJob<Playouts>, NoThread> {
    let units = plan.positions.len();
    let empty = Playouts {
        played: vec![None; units],
    };
    kept.start(
        plan.at_a_time,
        (units, 1),
        empty,
        HandCrafted::default,
        move |evaluator, number, worker| {
            let found = play(&plan, number, evaluator);
            (!worker.pool.is_stopped()).then_some(found)
        },
        |known, number, played| known.played[number] = played,
    )
}

/// Plays one position out; `None` for one that is no chess.
fn play(plan: &Plan, number: usize, evaluator: &HandCrafted) -> Option<Played> {
    let position = plan.positions[number].subject.position.as_chess()?;
    let state = evaluator.start(position);
    let rules = rules()?;
    let difference = |length: u16, seed: u64| {
        let mut player = Player::new(PlayoutRules { length, ..rules });
        let played = player.play(evaluator, position, &state, seed, || Ok::<(), ()>(()));
        played.ok().map(|played| played.difference)
    };
    let leaf = difference(0, 0)?;
    let ends = LENGTHS.map(|length| {
        (0..plan.playouts)
            .filter_map(|i| difference(length, playout_seed(plan.seed, number as u32, i)))
            .collect()
    });
    Some(Played { leaf, ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Playouts {
        // Every playout adds or takes a hundred to what its leaf has.
        let one = |leaf: i32| {
            Some(Played {
                leaf,
                ends: LENGTHS.map(|_| vec![leaf - 100, leaf + 100]),
            })
        };
        Playouts {
            played: vec![one(-300), one(50), one(300), None],
        }
    }

    #[test]
    fn figures_by_hand() {
        let found = found();
        let resamples = Resamples::new(3, 50, 1);
        let all = found.by_length(&resamples);
        assert_eq!(all.len(), LENGTHS.len());
        let first = all[0];
        assert_eq!((first.length, first.playouts), (4, 6));
        assert!(first.slope.is_some_and(|s| (s.value - 1.0).abs() < 1e-9));
        // The variance of the leaves is 60,556 and of the changes 10,000.
        let golden = (60_555.6f64 / 70_555.6).sqrt();
        let correlation = first.correlation.expect("a correlation").value;
        assert!((correlation - golden).abs() < 1e-4);
        assert!((first.change.value - 100.0).abs() < 1e-6);
        // Of six playouts only the one from 50 down to −50 changes who is ahead.
        assert_eq!(first.kept.map(|k| k.value), Some(5.0 / 6.0));
        let ends = found.by_end(0, &resamples);
        let means: Vec<(Option<i32>, f64)> = ends.iter().map(|e| (e.from, e.leaf.value)).collect();
        assert_eq!(
            means,
            [
                (Some(-500), -300.0),
                (Some(-200), -125.0),
                (Some(0), 50.0),
                (Some(200), 300.0)
            ]
        );
    }
}
