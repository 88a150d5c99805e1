//! Whether probabilistic cuts hold as often as they claim: a sample of them is asked of a deeper alpha-beta.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Position;
use super::kept::Kept;
use super::plan::PlanError;
use super::statistics::{Figure, Resamples};
use algorithms::Algorithm;
use session::Reader;
use session::jobs::BackgroundJob;
use session::{Budget, Config};
use studies::compare::ColumnSpec;
use studies::suite::ColumnRunner;
use studies::suite::statistics::wilson;
use tree::Fate;

/// The algorithm whose cuts are judged.
pub const ALGORITHM: Algorithm = Algorithm::ProbAlphaBeta;

/// So many groups of equal size are made of the cuts by what they claim.
pub const GROUPS: usize = 10;

/// The columns that are searched unless others are asked for; the last one is the control.
pub const USUAL: [&str; 5] = [
    "prob-alpha-beta",
    "prob-alpha-beta:refuted=literal",
    "prob-alpha-beta:width=40",
    "prob-alpha-beta:width=searched",
    "prob-alpha-beta:width=0",
];

/// What to search.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// One cut in so many is audited.
    pub audit: u64,
    /// How many plies deeper the judge looks.
    pub plies: u64,
    pub at_a_time: usize,
}

/// An audited cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// The probability with which it claims that the node is worth at least beta.
    pub claim: f32,
    /// The plies left at the node.
    pub depth: u16,
    /// Whether the node is, by the judge.
    pub held: bool,
}

/// Returns the audited cuts of a tree, each as it was when its node was last cut off.
pub fn audited(reader: &Reader) -> Vec<Cut> {
    let cut = |id| {
        let view = reader.view(id);
        let Fate::ProbabilisticCutoff { probability, .. } = view.fate else {
            return None;
        };
        Some(Cut {
            claim: f32::from(probability) / f32::from(u16::MAX),
            depth: view.window.map_or(0, |window| window.depth.max(0) as u16),
            held: !view.audit()?.failed,
        })
    };
    reader.tree.ids().filter_map(cut).collect()
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    pub columns: Vec<String>,
    /// By position, then by column: the audited cuts; `None` before they are known.
    pub searched: Vec<Vec<Option<Vec<Cut>>>>,
}

/// Some cuts of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claims {
    pub cuts: usize,
    /// The lowest and the highest claim.
    pub from: f64,
    pub to: f64,
    /// The mean claim.
    pub claimed: f64,
    /// The share that holds; the interval is over resampled positions, and not narrower than Wilson's over the cuts.
    pub held: Figure,
}

impl Claims {
    /// Whether more is claimed than holds, beyond chance.
    pub fn is_too_much(&self) -> bool {
        self.held.interval.is_some_and(|(_, to)| to < self.claimed)
    }

    /// Whether less is claimed than holds, beyond chance.
    pub fn is_too_little(&self) -> bool {
        self.held
            .interval
            .is_some_and(|(from, _)| from > self.claimed)
    }
}

/// Starts the experiment.
///
/// # Errors
/// See [`PlanError`].
pub fn start(plan: Plan, kept: Kept<Vec<Cut>>) -> Result<BackgroundJob<Cuts>, PlanError> {
    let columns = audited_columns(&plan)?;
    let width = columns.len();
    let empty = Cuts {
        columns: plan.columns.iter().map(ToString::to_string).collect(),
        searched: vec![vec![None; width]; plan.positions.len()],
    };
    let (budget, positions) = (plan.budget, Arc::new(plan.positions));
    let searches = positions.len() * width;
    let job = kept.start(
        plan.at_a_time,
        (searches, width),
        empty,
        move || ColumnRunner::new(&columns, budget),
        move |runner, number, worker| {
            let halted = || worker.pool.is_stopped();
            let subject = &positions[number / width].subject;
            let found = runner.search(subject, number % width, halted, |face| {
                audited(&face.reader())
            });
            found.ok().filter(|_| !halted())
        },
        move |known, number, cuts| known.searched[number / width][number % width] = Some(cuts),
    )?;
    Ok(job)
}

/// The columns, with audits.
fn audited_columns(plan: &Plan) -> Result<Vec<ColumnSpec>, PlanError> {
    if plan.positions.is_empty() {
        return Err(PlanError::NoPosition);
    }
    if plan.columns.is_empty() {
        return Err(PlanError::NoColumn);
    }
    let audited = |column: &ColumnSpec| match column {
        ColumnSpec::Own(config) if config.algorithm == ALGORITHM => {
            let mut config: Config = config.clone();
            config.options.set("audit", &plan.audit.to_string())?;
            config.options.set("audit-plies", &plan.plies.to_string())?;
            Ok(ColumnSpec::Own(config))
        }
        ColumnSpec::Own(config) => Err(PlanError::Algorithm(config.algorithm, ALGORITHM)),
        ColumnSpec::External(engine) => Err(PlanError::ExternalPlayer(engine.name.clone())),
    };
    plan.columns.iter().map(audited).collect()
}

impl Cuts {
    /// Returns the number of positions that all columns have searched.
    pub fn searched(&self) -> usize {
        self.whole().count()
    }

    /// The positions that all columns have searched: by column, the cuts.
    fn whole(&self) -> impl Iterator<Item = Vec<&[Cut]>> {
        let rows = self.searched.iter();
        rows.filter_map(|row| row.iter().map(Option::as_deref).collect())
    }

    /// Returns what the cuts of a column claim that `belongs` takes, and what holds; `None` if there are none.
    pub fn claims(
        &self,
        column: usize,
        resamples: &Resamples,
        belongs: impl Fn(&Cut) -> bool,
    ) -> Option<Claims> {
        // By position: the number of cuts that hold, and of all.
        let mut by_position = Vec::new();
        let (mut from, mut to, mut sum, mut cuts) = (f64::INFINITY, 0.0_f64, 0.0, 0);
        for row in self.whole() {
            let (mut all, mut held) = (0.0, 0.0);
            for cut in row[column].iter().filter(|cut| belongs(cut)) {
                let claim = f64::from(cut.claim);
                (from, to, sum, cuts) = (from.min(claim), to.max(claim), sum + claim, cuts + 1);
                all += 1.0;
                held += f64::from(u8::from(cut.held));
            }
            by_position.push((held, all));
        }
        let mut held = resamples.ratio(&by_position)?;
        // Where nearly all hold, resamples show next to no doubt.
        let counted = wilson((held.value * cuts as f64).round() as usize, cuts);
        held.interval = held
            .interval
            .zip(counted)
            .map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Some(Claims {
            cuts,
            from,
            to,
            claimed: sum / cuts as f64,
            held,
        })
    }

    /// Returns a column's cuts in groups of about equal size by what they claim, the lowest claims first. Equal claims are in the
    /// same group, so there may be fewer groups.
    pub fn by_claim(&self, column: usize, resamples: &Resamples) -> Vec<Claims> {
        let mut all: Vec<f32> = self
            .whole()
            .flat_map(|row| row[column].iter().map(|cut| cut.claim))
            .collect();
        all.sort_by(f32::total_cmp);
        let mut borders: Vec<f32> = (1..GROUPS)
            .filter_map(|i| all.get(i * all.len() / GROUPS).copied())
            .collect();
        borders.dedup();
        let group = |cut: &Cut| borders.partition_point(|border| *border <= cut.claim);
        (0..=borders.len())
            .filter_map(|i| self.claims(column, resamples, |cut| group(cut) == i))
            .collect()
    }

    /// Returns a column's cuts by the plies left at the node.
    pub fn by_depth(&self, column: usize, resamples: &Resamples) -> Vec<(u16, Claims)> {
        let mut depths: Vec<u16> = self
            .whole()
            .flat_map(|row| row[column].iter().map(|cut| cut.depth))
            .collect();
        depths.sort_unstable();
        depths.dedup();
        let of = |depth| Some((depth, self.claims(column, resamples, |c| c.depth == depth)?));
        depths.into_iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(claim: f32, depth: u16, held: bool) -> Cut {
        Cut { claim, depth, held }
    }

    fn cuts(searched: Vec<Vec<Option<Vec<Cut>>>>) -> Cuts {
        Cuts {
            columns: vec![String::from("prob-alpha-beta")],
            searched,
        }
    }

    #[test]
    fn claims_are_held_against_what_was_found() {
        let some =
            |claim: f32, depth: u16, held: usize| (0..20).map(move |i| cut(claim, depth, i < held));
        // The same in each of two positions; a third was not searched.
        let one: Vec<Cut> = some(0.9, 1, 18).chain(some(1.0, 2, 12)).collect();
        let found = cuts(vec![vec![Some(one.clone())], vec![Some(one)], vec![None]]);
        assert_eq!(found.searched(), 2);
        let resamples = Resamples::new(2, 100, 1);
        let groups = found.by_claim(0, &resamples);
        assert_eq!(groups.len(), 2, "equal claims are one group");
        assert_eq!((groups[0].cuts, groups[0].held.value), (40, 0.9));
        assert!((groups[0].claimed - 0.9).abs() < 1e-6);
        assert!(!groups[0].is_too_much() && !groups[0].is_too_little());
        assert_eq!((groups[1].from, groups[1].held.value), (1.0, 0.6));
        // The positions are alike, so resamples show no doubt; Wilson's interval does.
        assert_eq!(groups[1].held.interval, wilson(24, 40));
        assert!(groups[1].is_too_much() && !groups[1].is_too_little());
        let depths = found.by_depth(0, &resamples);
        let shares: Vec<(u16, f64)> = depths.iter().map(|(d, c)| (*d, c.held.value)).collect();
        assert_eq!(shares, [(1, 0.9), (2, 0.6)]);
        let all = found.claims(0, &resamples, |_| true).expect("cuts");
        assert_eq!((all.cuts, all.held.value), (80, 0.75));
        assert_eq!(found.claims(0, &resamples, |c| c.depth == 9), None);
    }

    #[test]
    fn cuts_come_in_ten_groups_of_equal_size() {
        let many = (0..1000).map(|i| cut(0.9 + i as f32 / 10_000.0, 3, i % 2 == 0));
        let found = cuts(vec![vec![Some(many.collect())]]);
        let groups = found.by_claim(0, &Resamples::new(1, 20, 1));
        assert!(groups.iter().all(|g| g.cuts == 100 && g.held.value == 0.5));
        assert_eq!(groups.len(), GROUPS);
        assert!(groups.is_sorted_by(|a, b| a.to < b.from));
    }
}
