//! The figures of a sweep: every variant over all positions, and the one that was chosen on one half, judged on the other.

use serde::{Deserialize, Serialize};

use super::Judge;
use crate::statistics::{moments, two_sided};

/// What one variant did with one position, or with one opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The judge's figure.
    pub figure: f64,
    /// The nodes that it searched; `None` for games.
    pub nodes: Option<u64>,
    /// Its last finished iteration; `None` in a best-first search and for games.
    pub depth: Option<u16>,
}

/// The figures of all variants by position, the first one being what is built in.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub judge: Judge,
    /// The rule whose prunes are audited; `None` means all rules, or another judge.
    pub rule: Option<&'static str>,
    /// The names of the variants.
    pub names: Vec<String>,
    /// The number of each position for which every variant has a figure, and what the variants did there, in the order of the
    /// positions.
    pub positions: Vec<(usize, Vec<Found>)>,
    /// The positions for which some variant has no figure: it audited no prune there.
    pub left_out: usize,
    /// Why nothing can be tried.
    pub fault: Option<String>,
}

/// How much more the figures of one variant are than those of what is built in, over the same positions, with an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    pub value: f64,
    /// `None` if there are too few positions.
    pub interval: Option<(f64, f64)>,
}

/// One variant over all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub mean: f64,
    /// With an interval widened for the number of variants; `None` for what is built in.
    pub gain: Option<Gain>,
    /// The mean number of nodes, if it is known.
    pub nodes: Option<f64>,
    /// The mean of the last finished iterations, if every search has one.
    pub depth: Option<f64>,
}

/// A variant that was chosen on one half of the positions and judged on the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The best variant on the first half; `None` if nothing beats what is built in there.
    pub variant: Option<usize>,
    /// The positions used for choosing, and those kept back.
    pub positions: (usize, usize),
    /// The mean figure of the variant and of what is built in, on those kept back.
    pub means: (f64, f64),
    /// Between these two, at 95 %.
    pub gain: Gain,
}

impl Sweep {
    /// Adds what all variants did with a position, or that some have no figure there.
    pub fn enter(&mut self, number: usize, found: Option<Vec<Found>>) {
        let Some(found) = found else {
            self.left_out += 1;
            return;
        };
        let place = self.positions.partition_point(|(n, _)| *n < number);
        self.positions.insert(place, (number, found));
    }

    /// The number of positions that are done, with figures or without.
    pub fn done(&self) -> usize {
        self.positions.len() + self.left_out
    }

    /// Every variant over all positions; empty without positions.
    pub fn rows(&self) -> Vec<Row> {
        let all: Vec<&[Found]> = self.positions.iter().map(|(_, row)| &row[..]).collect();
        let z = two_sided(0.05 / (self.names.len() - 1).max(1) as f64);
        let row = |variant: usize| {
            Some(Row {
                mean: mean(&all, variant)?,
                gain: (variant > 0).then(|| gain(&all, variant, z)).flatten(),
                nodes: average(&all, variant, |found| found.nodes.map(|n| n as f64)),
                depth: average(&all, variant, |found| found.depth.map(f64::from)),
            })
        };
        (0..self.names.len()).filter_map(row).collect()
    }

    /// The variant that is best on the positions with odd numbers, judged on the others; `None` if one of the halves is empty.
    pub fn chosen(&self) -> Option<Chosen> {
        let half = |odd: bool| -> Vec<&[Found]> {
            let of = self.positions.iter();
            of.filter(|(number, _)| (number % 2 == 1) == odd)
                .map(|(_, row)| &row[..])
                .collect()
        };
        let (first, second) = (half(true), half(false));
        let better = |variant: usize| Some(self.judge.sign() * mean(&first, variant)?);
        let mut best = (better(0)?, 0);
        for variant in 1..self.names.len() {
            let here = better(variant)?;
            // The first of those that are level.
            if here > best.0 + 1e-12 {
                best = (here, variant);
            }
        }
        let variant = best.1;
        Some(Chosen {
            variant: (variant > 0).then_some(variant),
            positions: (first.len(), second.len()),
            means: (mean(&second, variant)?, mean(&second, 0)?),
            gain: gain(&second, variant, two_sided(0.05))?,
        })
    }
}

fn mean(rows: &[&[Found]], variant: usize) -> Option<f64> {
    average(rows, variant, |found| Some(found.figure))
}

/// The mean of what is read; `None` if it is missing somewhere.
fn average(rows: &[&[Found]], variant: usize, read: impl Fn(&Found) -> Option<f64>) -> Option<f64> {
    let figures = rows.iter().map(|row| read(&row[variant]));
    let figures: Vec<f64> = figures.collect::<Option<_>>()?;
    moments(&figures).map(|(mean, _)| mean)
}

fn gain(rows: &[&[Found]], variant: usize, z: f64) -> Option<Gain> {
    let gains = rows.iter().map(|row| row[variant].figure - row[0].figure);
    let gains: Vec<f64> = gains.collect();
    let (value, sd) = moments(&gains)?;
    let half = sd.map(|sd| z * sd / (gains.len() as f64).sqrt());
    Some(Gain {
        value,
        interval: half.map(|half| (value - half, value + half)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(judge: Judge, rows: &[[f64; 3]]) -> Sweep {
        let mut sweep = Sweep {
            judge,
            rule: None,
            names: ["built-in", "a", "b"].map(str::to_owned).to_vec(),
            positions: Vec::new(),
            left_out: 0,
            fault: None,
        };
        // Whatever the order in which they are done.
        for (i, row) in rows.iter().enumerate().rev() {
            let found = |(variant, figure): (u64, &f64)| Found {
                figure: *figure,
                nodes: Some(10 * variant),
                depth: (variant > 0).then_some(4 + i as u16),
            };
            sweep.enter(i + 1, Some((0..).zip(row).map(found).collect()));
        }
        sweep
    }

    /// By hand: on odd positions the means are 0, 1/2 and 1, on even ones 1/2, 1 and 0.
    #[test]
    fn a_variant_is_chosen_on_one_half_and_judged_on_the_other() {
        let rows = [
            [0.0, 1.0, 1.0],
            [1.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
        ];
        let chosen = sweep(Judge::Solved, &rows).chosen().expect("halves");
        assert_eq!((chosen.variant, chosen.positions), (Some(2), (2, 2)));
        assert_eq!((chosen.means, chosen.gain.value), ((0.0, 0.5), -0.5));
        // -1 and 0: sd .70711, error .5, and 1.96 of these.
        let (low, high) = chosen.gain.interval.expect("two positions");
        assert!((low + 1.479_98).abs() < 1e-4 && (high - 0.479_98).abs() < 1e-4);
        let less = sweep(Judge::Belief, &rows).chosen().expect("halves");
        assert_eq!((less.variant, less.gain.value), (None, 0.0));
        assert_eq!(sweep(Judge::Solved, &rows[..1]).chosen(), None);
    }

    /// By hand: of -1, 0, 1, 1 the mean is .25 and the error .478714; for two variants the interval takes 2.2414 of it.
    #[test]
    fn intervals_are_widened_for_the_number_of_variants() {
        let rows = [
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let rows = sweep(Judge::Solved, &rows).rows();
        assert_eq!(
            (rows[0].mean, rows[1].mean, rows[0].gain),
            (0.25, 0.5, None)
        );
        let gain = rows[1].gain.expect("a gain");
        let (low, high) = gain.interval.expect("an interval");
        assert_eq!(gain.value, 0.25);
        assert!((high - low - 2.0 * 2.241_40 * 0.478_714).abs() < 1e-4);
        assert!(sweep(Judge::Solved, &[]).rows().is_empty());
    }

    #[test]
    fn what_the_figures_took_stands_beside_them() {
        let mut sweep = sweep(Judge::Audit, &[[0.0; 3], [1.0; 3]]);
        sweep.enter(3, None);
        let rows = sweep.rows();
        assert_eq!((rows[0].nodes, rows[0].depth), (Some(0.0), None));
        assert_eq!((rows[2].nodes, rows[2].depth), (Some(20.0), Some(4.5)));
        assert_eq!((sweep.positions.len(), sweep.done()), (2, 3));
    }
}
