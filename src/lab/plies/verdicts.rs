//! What each candidate makes of the same draws.

use std::sync::Arc;

use super::correlation::Correlation;
use super::figures::{PlyFigures, Summed, Sums, Table, Whole, distance, figures, reached, total};
use super::{Candidate, Labelled};
use crate::figures::Judged;
use crate::statistics::{Figure, Resamples};
use belief::score::Forecast;

/// Whether a belief was backed up, or is that of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Inner,
    Leaf,
}

impl Kind {
    pub(super) fn of(is_inner: bool) -> Kind {
        if is_inner { Kind::Inner } else { Kind::Leaf }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Inner => "inner",
            Kind::Leaf => "leaf",
        }
    }
}

/// How inner nodes are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// By their ply.
    Ply,
    /// By the number of back-ups between them and the leaf at the end of their most probable line.
    Height,
}

/// What the candidates make of the same draws.
#[derive(Clone, Debug)]
pub struct Verdicts {
    pub candidates: Vec<Candidate>,
    /// By candidate.
    inner: Vec<[Table; 2]>,
    leaves: Table,
    /// The draws, for a file: tree, specimen, and the belief of each candidate as mean, sd and judgement.
    pub lines: Vec<Line>,
    /// The last ply.
    pub plies: usize,
}

/// One draw with what each candidate believes.
#[derive(Clone, Debug)]
pub struct Line {
    pub tree: usize,
    pub specimen: usize,
    pub beliefs: Vec<Belief>,
}

/// The figures of one belief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    pub mean: f64,
    pub sd: f64,
    pub judged: Option<Judged>,
}

impl Verdicts {
    /// Computes the beliefs of all drawn nodes under all candidates.
    pub fn new(
        trees: &[Arc<Labelled>],
        candidates: &[Candidate],
        correlation: &Correlation,
        plies: usize,
    ) -> Verdicts {
        let empty = || vec![vec![Sums::default(); plies + 1]; trees.len()];
        let mut verdicts = Verdicts {
            candidates: candidates.to_vec(),
            inner: candidates.iter().map(|_| [empty(), empty()]).collect(),
            leaves: empty(),
            lines: Vec::new(),
            plies,
        };
        for (number, labelled) in trees.iter().enumerate() {
            let found: Vec<Vec<Belief>> = candidates
                .iter()
                .map(|candidate| believed(labelled, *candidate, correlation))
                .collect();
            for (place, specimen) in labelled.specimens.iter().enumerate() {
                let beliefs: Vec<Belief> = found.iter().map(|f| f[place]).collect();
                verdicts.enter(number, specimen, &beliefs);
                verdicts.lines.push(Line {
                    tree: number,
                    specimen: place,
                    beliefs,
                });
            }
        }
        verdicts
    }

    fn enter(&mut self, tree: usize, specimen: &super::Specimen, beliefs: &[Belief]) {
        let ply = usize::from(specimen.ply);
        if specimen.kind == Kind::Leaf {
            // No candidate changes a leaf.
            if let (Some(sums), Some(b)) = (self.leaves[tree].get_mut(ply), beliefs.first()) {
                sums.add(b.sd, b.judged);
            }
            return;
        }
        for (tables, belief) in self.inner.iter_mut().zip(beliefs) {
            for (table, at) in tables.iter_mut().zip([ply, usize::from(specimen.height)]) {
                if let Some(sums) = table[tree].get_mut(at) {
                    sums.add(belief.sd, belief.judged);
                }
            }
        }
    }

    /// Returns the number of trees.
    pub fn trees(&self) -> usize {
        self.leaves.len()
    }

    fn table(&self, candidate: usize, band: Band) -> &Table {
        &self.inner[candidate][band as usize]
    }

    /// Returns the figures of a candidate's inner nodes, by ply from 0 or by the number of back-ups from 1.
    pub fn figures(&self, candidate: usize, band: Band, resamples: &Resamples) -> Vec<PlyFigures> {
        figures(self.table(candidate, band), resamples)
    }

    /// Returns the figures of the leaves by ply.
    pub fn leaves(&self, resamples: &Resamples) -> Vec<PlyFigures> {
        figures(&self.leaves, resamples)
    }

    /// Returns by ply how much higher a candidate's score is than another's, node by node.
    pub fn against(
        &self,
        candidate: usize,
        other: usize,
        resamples: &Resamples,
    ) -> Vec<Option<Figure>> {
        let (a, b) = (
            self.table(candidate, Band::Ply),
            self.table(other, Band::Ply),
        );
        let at = |ply: usize| {
            let difference = |weights: Option<&[f64]>| {
                let (x, y) = (total(a, ply, weights), total(b, ply, weights));
                x.share(x.crps - y.crps)
            };
            resamples.figure(difference)
        };
        (0..=self.plies).map(at).collect()
    }

    /// Returns how much higher a candidate's mean score over the plies is than another's.
    pub fn whole_against(
        &self,
        candidate: usize,
        other: usize,
        resamples: &Resamples,
    ) -> Option<Figure> {
        let (a, b) = (
            self.table(candidate, Band::Ply),
            self.table(other, Band::Ply),
        );
        let plies = reached(a);
        resamples.figure(|weights| {
            Some(Summed::of(a, &plies, weights)?.crps - Summed::of(b, &plies, weights)?.crps)
        })
    }

    /// Returns the figures of a candidate over the plies from 1 on that a quarter of the trees reach. `None` if there
    /// are fewer than two such plies, or nothing is labelled.
    pub fn whole(&self, candidate: usize, resamples: &Resamples) -> Option<Whole> {
        let table = self.table(candidate, Band::Ply);
        let plies = reached(table);
        let of = |read: fn(&Summed) -> f64| {
            resamples.figure(|weights| Summed::of(table, &plies, weights).map(|s| read(&s)))
        };
        let pit = Summed::of(table, &plies, None)?.pit;
        Some(Whole {
            growth: of(|s| s.growth)?,
            range: of(|s| s.range)?,
            miss: of(|s| s.miss)?,
            crps: of(|s| s.crps)?,
            pit,
            distance: distance(&pit),
        })
    }

    /// Returns what a fit minimises for a candidate: see [`super::fit::Aim`]. `None` as for [`Verdicts::whole`].
    pub(super) fn loss(&self, candidate: usize, aim: super::fit::Aim) -> Option<f64> {
        let table = self.table(candidate, Band::Ply);
        let summed = Summed::of(table, &reached(table), None)?;
        Some(match aim {
            super::fit::Aim::Spread => summed.unevenness + summed.square_miss,
            super::fit::Aim::Score => summed.crps,
        })
    }

    /// Returns the plies from 1 on that enter [`Verdicts::whole`].
    pub fn reached(&self) -> Vec<usize> {
        self.inner
            .first()
            .map_or_else(Vec::new, |tables| reached(&tables[0]))
    }
}

/// Returns the beliefs of a tree's specimens under a candidate.
fn believed(labelled: &Labelled, candidate: Candidate, correlation: &Correlation) -> Vec<Belief> {
    let beliefs = labelled.tree.backed_up(candidate, correlation);
    let grid = labelled.tree.grid();
    let of = |specimen: &super::Specimen| {
        let density = beliefs[specimen.place].negated().density();
        let mean = f64::from(density.mean(grid));
        let judged = specimen.truth.map(|truth| {
            let forecast = Forecast::of(&density, grid);
            Judged {
                pit: forecast.pit(truth),
                crps: forecast.crps(truth),
                error: mean - truth,
            }
        });
        Belief {
            mean,
            sd: f64::from(density.sd(grid)),
            judged,
        }
    };
    labelled.specimens.iter().map(of).collect()
}
