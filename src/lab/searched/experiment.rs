//! The experiment in the background: labelled positions are searched to every depth, then the belief is fitted and judged.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Found, Sample, config, samples};
use crate::calibration::{Case, Reservoir};
use crate::depth_series::search_every_depth;
use crate::kept::{Kept, within};
use eval::{ChessEvaluator, Evaluation};
use game::load::{Label, LoadError, labels};
use games::samples as built_in;
use session::NoThread;
use session::jobs::{BackgroundJob, Pool, Shared, Worker};

use super::fit::{Fitted, LEAST, fit};

/// Where labelled positions come from.
#[derive(Clone, Debug)]
pub enum Labelled {
    Cases(Vec<Case>),
    /// At most so many of a file, chosen at random; the experiment reads it first.
    File {
        path: PathBuf,
        most: usize,
    },
    /// At most so many of the built-in ones.
    BuiltIn {
        most: usize,
    },
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Plan {
    pub labelled: Labelled,
    /// Every position is searched to every depth up to this one.
    pub depth: u16,
    /// At most so many nodes for the searches of one position.
    pub nodes: u64,
    /// The number of searches at a time, each on one thread.
    pub at_a_time: usize,
    /// Whether the belief is also fitted before all positions are done, for those who watch.
    pub early: bool,
}

/// What is known so far.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub found: Found,
    /// The fit to the positions done when it was last made; `None` while they are too few.
    pub fitted: Option<Arc<Fitted>>,
    /// Why nothing can be measured.
    pub fault: Option<String>,
}

impl Labelled {
    /// The seed of the choice of positions.
    pub const SEED: u64 = 1;

    pub(crate) fn most(&self) -> usize {
        match self {
            Labelled::Cases(cases) => cases.len(),
            Labelled::File { most, .. } | Labelled::BuiltIn { most } => *most,
        }
    }

    /// Returns the positions that have a verdict, in the order of their file.
    ///
    /// # Errors
    /// If the file cannot be read, or has too few of them.
    pub fn cases(self) -> Result<Vec<Case>, String> {
        let mut reservoir = Reservoir::new(self.most(), Self::SEED);
        let mut refused = None;
        let take = |label: Result<Label, LoadError>| match label {
            Ok(label) if label.verdict.is_some() => reservoir.offer(label),
            Ok(_) => {}
            Err(what) => refused = refused.take().or(Some(what)),
        };
        let shown = match self {
            Labelled::Cases(cases) => return Ok(cases),
            Labelled::File { path, .. } => {
                labels::read(&path, take).map_err(|e| e.to_string())?;
                path.display().to_string()
            }
            Labelled::BuiltIn { .. } => {
                labels::of_text(built_in::labels(), "the built-in labels", take);
                "the built-in labels".to_owned()
            }
        };
        let offered = reservoir.offered();
        if offered >= LEAST {
            return Ok(reservoir.finish().into_iter().map(Case::labelled).collect());
        }
        Err(match refused {
            Some(what) if offered == 0 => what.to_string(),
            _ => format!("{shown}: {offered} positions with a verdict, expected at least {LEAST}"),
        })
    }
}

/// Starts the searches, with the default evaluation.
///
/// # Errors
/// If the system starts no thread.
pub fn start(plan: Plan, kept: Kept<Vec<Sample>>) -> Result<BackgroundJob<Known>, NoThread> {
    let most = plan.labelled.most();
    let pool = Pool::new("lab", plan.at_a_time, (0, most));
    BackgroundJob::drive(pool, Known::default(), move |shared| {
        match plan.labelled.clone().cases() {
            Ok(cases) => {
                shared.pool.leave_out(most.saturating_sub(cases.len()));
                measure(&plan, &cases, kept, shared)
            }
            Err(what) => {
                shared.update(|known| known.fault = Some(what));
                None
            }
        }
    })
}

fn measure(
    plan: &Plan,
    cases: &[Case],
    mut kept: Kept<Vec<Sample>>,
    shared: &Shared<Known>,
) -> Option<()> {
    let config = config(plan.nodes);
    shared.update(|known| known.found = vec![None; cases.len()]);
    let find = |evaluator: &mut ChessEvaluator, place: usize, worker: &Worker| {
        let case = &cases[place];
        let series = search_every_depth(&case.subject, &config, plan.depth, worker);
        let found = || series.map(|series| samples(evaluator, case, &series));
        (!worker.pool.is_stopped()).then(|| found().unwrap_or_default())
    };
    let enter = |known: &mut Known, place: usize, found: Vec<Sample>| {
        known.found[place] = Some(Arc::new(found));
    };
    let open = kept.enter_known(shared, (cases.len(), 1), enter);
    let mut begin = 0;
    for end in stages(cases.len(), plan.early) {
        let open = within(&open, &(begin..end));
        let evaluator = || ChessEvaluator::new(Evaluation::Both);
        let work = kept.pass(shared, &open, evaluator, find, enter);
        // What a stopped experiment found is judged as well.
        let found = shared.read(|known| known.found.clone());
        if let Some(fitted) = fit(&found) {
            shared.update(|known| known.fitted = Some(Arc::new(fitted)));
        }
        work?;
        begin = end;
    }
    Some(())
}

/// Returns after how many positions the belief is fitted: each time after half as many again, so that the fits take a share of
/// the time that does not grow.
fn stages(positions: usize, early: bool) -> Vec<usize> {
    let mut stages = vec![positions];
    while early && stages[stages.len() - 1] * 2 / 3 >= LEAST {
        stages.push(stages[stages.len() - 1] * 2 / 3);
    }
    stages.reverse();
    stages
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::jobs::JobState;

    fn plan(labelled: Labelled) -> Plan {
        Plan {
            labelled,
            depth: 1,
            nodes: 10_000,
            at_a_time: 2,
            early: true,
        }
    }

    #[test]
    fn fits_are_made_on_the_way_and_at_the_end() {
        assert_eq!(stages(500, false), [500]);
        assert_eq!(stages(100, true), [44, 66, 100]);
        assert_eq!(stages(41, true), [41]);
    }

    #[test]
    fn the_built_in_positions_are_searched_and_judged() {
        let mut job =
            start(plan(Labelled::BuiltIn { most: 60 }), Kept::default()).expect("a thread");
        job.join();
        assert_eq!(job.progress(), (JobState::Done, 60, 60));
        let known = job.findings();
        let fitted = known.fitted.expect("enough positions");
        // Those that are mate at depth 1 have no samples.
        assert!(known.found.len() == 60 && fitted.trained + fitted.held_out >= 55);
        let depths: Vec<u8> = fitted.depths.iter().map(|d| d.depth).collect();
        assert_eq!((known.fault, depths), (None, vec![0, 1]));
    }

    #[test]
    fn what_has_no_verdicts_is_refused_in_one_line() {
        let path = std::env::temp_dir().join(format!("plyscope-depths-{}.epd", std::process::id()));
        let refused = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            let labelled = Labelled::File {
                path: path.clone(),
                most: 60,
            };
            let mut job = start(plan(labelled), Kept::default()).expect("a thread");
            job.join();
            assert_eq!(job.progress().0, JobState::Stopped);
            job.findings().fault.expect("a fault")
        };
        let few =
            refused("8/8/6R1/5k2/3K4/8/8/8 b - - ce 0;\n8/8/6R1/5k2/3K4/8/8/8 b - - bm Kxg6;\n");
        assert!(
            few.ends_with(".epd: 1 positions with a verdict, expected at least 40"),
            "{few}"
        );
        let other = refused("8/8/6R1/5k2/3K4/8/8/8 b - -\n");
        assert!(
            other.contains(".epd:1: found none of ce, dm and bm, expected"),
            "{other}"
        );
        std::fs::remove_file(&path).expect("removed");
    }
}
