//! Runs the experiment on futility in the background.

use std::sync::{Arc, Mutex, PoisonError};

use super::depth_series::{DepthSeries, search_every_depth};
use super::fit::{Fits, beyond, fits};
use super::kept::Kept;
use super::trial::{self, Seek, Sum, Tested, Trial, unbiased};
use super::{Changes, Origin, PlanError, Position};
use depth_first::margin::{FAMILIES, Formula, Margin};
use search::{Limits, Options};
use session::Config;
use session::jobs::{BackgroundJob, JobState, Numbers, Pool, Shared, Worker};

/// What to find out, and with what.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// Every position is searched to every depth up to this one, and in the trials to this one. It must be at least 2,
    /// because a rule needs a depth at which to prune.
    pub depth: u16,
    /// The node limit for the searches of one position. Depths beyond it are missing, and they are missing where trees
    /// are large, so it is better to set no limit.
    pub nodes: Option<u64>,
    pub tested: Tested,
    /// Only the family of each formula counts. The first one determines how many nodes are to be saved.
    pub families: Vec<Formula>,
    /// The margin whose savings all families are to match; `None` means the first family's fitted margin.
    pub reference: Option<Margin>,
    /// The share of changes that may exceed a margin.
    pub level: f64,
    /// One in this many prunes is audited; 0 means no trials, only the measurement.
    pub audit: u32,
    /// The number of searches at a time, each on one thread.
    pub at_a_time: usize,
    /// Alpha-beta with its options; its limits are ignored.
    pub config: Config,
}

impl Plan {
    /// Returns a plan with all families, depth 8, 5 %, one audit in 16, and one search at a time. The settings in
    /// `config` for memory and recording are not used, because the trees are not looked at.
    pub fn new(positions: Vec<Position>, tested: Tested, config: Config) -> Self {
        Plan {
            positions,
            depth: 8,
            nodes: None,
            tested,
            families: FAMILIES.iter().map(|f| f.example).collect(),
            reference: None,
            level: 0.05,
            audit: 16,
            at_a_time: 1,
            config: lean(config),
        }
    }
}

/// Returns the size of a table that searches to this depth about fill: allocating a larger one would take longer than
/// the searches.
fn table(depth: u16) -> u64 {
    const LEAST: u64 = 2 << 20;
    (LEAST << (depth.saturating_sub(8) / 2).min(6)).min(64 << 20)
}

/// Returns the configuration with only the root recorded and nothing shared with other searches.
fn lean(config: Config) -> Config {
    Config {
        record_plies: 0,
        memory: 1 << 20,
        table: table(0),
        threads: 1,
        cores: None,
        tables: None,
        bell: None,
        ..config
    }
}

/// The stage of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The changes of score are being measured.
    Measuring,
    /// All positions are searched with the tested rule off, to find how much there is to save.
    Without,
    /// A family's scale is being sought; with its index in the plan and the number of the attempt.
    Family {
        place: usize,
        attempt: usize,
    },
    Done,
    /// Stopped by the user before the end.
    Stopped,
}

impl Stage {
    pub fn has_ended(self) -> bool {
        matches!(self, Stage::Done | Stage::Stopped)
    }
}

/// What is known so far, consistent at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    pub stage: Stage,
    pub tested: Tested,
    pub depth: u16,
    pub families: Vec<Formula>,
    pub level: f64,
    pub audit: u32,
    /// The total number of positions.
    pub positions: usize,
    /// One entry for each position measured, in their order.
    pub measured: Vec<DepthSeries>,
    /// The nodes of all positions with the tested rule off.
    pub without: Option<u64>,
    /// The trials so far, by family.
    pub trials: Vec<Trial>,
}

impl Findings {
    pub fn changes(&self, origin: Origin) -> Changes {
        Changes::of(&self.measured, origin)
    }

    /// Returns the share of the changes that exceed a margin, by depth from 1 on.
    pub fn beyond(&self, margin: &Margin) -> Vec<f64> {
        beyond(&self.measured, self.tested, margin)
    }

    pub fn fits(&self) -> Fits {
        fits(&self.measured, self.tested, &self.families, self.level)
    }
}

/// What the searches have recorded so far.
#[derive(Debug)]
pub struct Entered {
    stage: Stage,
    /// By position.
    measured: Vec<Option<DepthSeries>>,
    without: Option<u64>,
    trials: Vec<Trial>,
}

impl Entered {
    /// Returns the present stage, or the last one.
    pub fn stage(&self) -> Stage {
        self.stage
    }
}

/// A running experiment.
#[derive(Debug)]
pub struct Experiment {
    plan: Arc<Plan>,
    pub job: BackgroundJob<Entered>,
}

impl Experiment {
    /// Starts the experiment. What is kept are the measurements; trials need all of them, and begin anew.
    ///
    /// # Errors
    /// If the plan cannot be carried out.
    pub fn start(mut plan: Plan, kept: Kept<Option<DepthSeries>>) -> Result<Experiment, PlanError> {
        check(&plan)?;
        plan.config.table = table(plan.depth);
        let positions = plan.positions.len();
        let pool = Pool::new("lab", plan.at_a_time.min(positions), (0, positions));
        let nothing = Entered {
            stage: Stage::Measuring,
            measured: vec![None; positions],
            without: None,
            trials: Vec::new(),
        };
        let plan = Arc::new(plan);
        let carried_out = Arc::clone(&plan);
        let job = BackgroundJob::drive(pool, nothing, move |shared| {
            let plan = &*carried_out;
            Passes { plan, shared }.run(kept)
        })?;
        Ok(Experiment { plan, job })
    }

    /// Returns the stage, the number of positions done in it, and their total.
    pub fn progress(&self) -> (Stage, usize, usize) {
        let (state, done, all) = self.job.progress();
        (self.stage(state), done, all)
    }

    fn stage(&self, state: JobState) -> Stage {
        match state {
            JobState::Running => self.job.read(|entered| entered.stage),
            JobState::Done => Stage::Done,
            JobState::Stopped => Stage::Stopped,
        }
    }

    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns a copy of what is known so far.
    pub fn findings(&self) -> Findings {
        let plan = &self.plan;
        let stage = self.progress().0;
        self.job.read(|entered| Findings {
            stage,
            tested: plan.tested,
            depth: plan.depth,
            families: plan.families.clone(),
            level: plan.level,
            audit: plan.audit,
            positions: plan.positions.len(),
            measured: entered.measured.iter().flatten().cloned().collect(),
            without: entered.without,
            trials: entered.trials.clone(),
        })
    }
}

fn check(plan: &Plan) -> Result<(), PlanError> {
    if plan.config.algorithm != super::ALGORITHM {
        return Err(PlanError::Algorithm(
            plan.config.algorithm,
            super::ALGORITHM,
        ));
    }
    if plan.positions.is_empty() {
        return Err(PlanError::NoPosition);
    }
    if plan.depth < 2 {
        return Err(PlanError::TooShallow(plan.depth));
    }
    let first = plan.families.first().ok_or(PlanError::NoFamily)?;
    if plan.audit > 0 {
        let options = &plan.config.options;
        options.clone().set("audit", "1")?;
        plan.tested.with_margin(options, &Margin::new(*first))?;
    }
    Ok(())
}

/// The experiment's passes over all positions, one after another; each returns `None` if it was stopped.
struct Passes<'a> {
    plan: &'a Plan,
    shared: &'a Shared<Entered>,
}

impl Passes<'_> {
    fn run(&self, kept: Kept<Option<DepthSeries>>) -> Option<()> {
        self.measure(kept)?;
        if self.plan.audit > 0 {
            self.compare()?;
        }
        Some(())
    }

    fn enter(&self, stage: Stage) {
        self.shared.pool.start_over();
        self.shared.update(|entered| entered.stage = stage);
    }

    /// Makes one pass.
    fn work(&self, each: impl Fn(usize, &Worker) + Sync) -> Option<()> {
        let positions = Numbers::below(self.plan.positions.len());
        let pool = &self.shared.pool;
        pool.work(&positions, || (), |(), i, worker| each(i, worker))
    }

    fn measure(&self, mut kept: Kept<Option<DepthSeries>>) -> Option<()> {
        let plan = self.plan;
        let options = unbiased(&plan.config.options);
        let limits = Limits {
            nodes: plan.nodes,
            ..Limits::default()
        };
        let config = trial::config(&plan.config, options, limits);
        let find = |(): &mut (), i: usize, worker: &Worker| {
            let subject = &plan.positions[i].subject;
            let series = search_every_depth(subject, &config, plan.depth, worker);
            (!worker.pool.is_stopped()).then_some(series)
        };
        let enter = |entered: &mut Entered, i: usize, series| entered.measured[i] = series;
        let open = kept.enter_known(self.shared, (plan.positions.len(), 1), enter);
        kept.pass(self.shared, &open, || (), find, enter)
    }

    /// Tries every family at the scale where it saves as many nodes as the first one.
    fn compare(&self) -> Option<()> {
        let plan = self.plan;
        self.enter(Stage::Without);
        let mut options = self.base_options()?;
        options.set(plan.tested.name(), "off").ok()?;
        let without = self.try_out(options)?.nodes;
        self.shared
            .update(|entered| entered.without = Some(without));
        let measured: Vec<DepthSeries> = self
            .shared
            .read(|entered| entered.measured.iter().flatten().cloned().collect());
        let fitted = fits(&measured, plan.tested, &plan.families, plan.level).fits;
        let mut wanted = None;
        for (place, fit) in fitted.iter().enumerate() {
            match (wanted, plan.reference) {
                (None, Some(reference)) => wanted = Some(self.reference(reference, without)?),
                (None, None) => {
                    self.enter(Stage::Family { place, attempt: 1 });
                    let trial = self.trial(fit.margin, without, None)?;
                    wanted = Some(without.saturating_sub(trial.nodes));
                    self.shared.update(|entered| entered.trials.push(trial));
                    continue;
                }
                (Some(_), _) => {}
            }
            self.seek(place, fit.margin.formula(), without, wanted?)?;
        }
        Some(())
    }

    /// Returns the nodes that the reference margin saves.
    fn reference(&self, margin: Margin, without: u64) -> Option<u64> {
        self.enter(Stage::Family {
            place: 0,
            attempt: 0,
        });
        let trial = self.trial(margin, without, None)?;
        Some(without.saturating_sub(trial.nodes))
    }

    /// Adjusts a family to the wanted savings and keeps the attempt that came nearest.
    fn seek(&self, place: usize, formula: Formula, without: u64, wanted: u64) -> Option<()> {
        /// The tolerance, as a share of the savings.
        const NEAR: f64 = 0.02;
        let target = without.saturating_sub(wanted);
        let mut seek = Seek::new(formula, target, NEAR * wanted as f64);
        let mut nearest: Option<u64> = None;
        for attempt in 1.. {
            self.enter(Stage::Family { place, attempt });
            let trial = self.trial(seek.margin(), without, Some(wanted))?;
            let nodes = trial.nodes;
            if nearest.is_none_or(|known| nodes.abs_diff(target) < known.abs_diff(target)) {
                self.shared.update(|entered| {
                    if nearest.is_some() {
                        entered.trials.pop();
                    }
                    entered.trials.push(trial);
                });
                nearest = Some(nodes);
            }
            if !seek.goes_on(nodes) {
                break;
            }
        }
        Some(())
    }

    fn trial(&self, margin: Margin, without: u64, wanted: Option<u64>) -> Option<Trial> {
        let options = self
            .plan
            .tested
            .with_margin(&self.base_options()?, &margin)
            .ok()?;
        let Sum {
            nodes,
            finished,
            audits,
        } = self.try_out(options)?;
        let saved = without as f64 - nodes as f64;
        Some(Trial {
            margin,
            nodes,
            finished,
            saving: match wanted {
                None => Some(1.0),
                Some(0) => None,
                Some(wanted) => Some(saved / wanted as f64),
            },
            audits,
        })
    }

    fn try_out(&self, options: Options) -> Option<Sum> {
        let plan = self.plan;
        let limits = Limits {
            depth: Some(plan.depth),
            nodes: plan.nodes,
            ..Limits::default()
        };
        let config = trial::config(&plan.config, options, limits);
        let sum = Mutex::new(Sum::default());
        self.work(|i, worker| {
            if let Some(control) = trial::search(&plan.positions[i], &config, worker) {
                sum.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(&control);
                worker.pool.advance(1);
            }
        })?;
        Some(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the plan's options with the audit on and the tested rule allowed at every depth, so that its failures
    /// can be seen at each of them.
    fn base_options(&self) -> Option<Options> {
        let plan = self.plan;
        let mut options = plan.config.options.clone();
        options.set("audit", &plan.audit.to_string()).ok()?;
        let deepest = (plan.depth - 1).min(16);
        options
            .set(&plan.tested.depth_key(), &deepest.to_string())
            .ok()?;
        Some(options)
    }
}
