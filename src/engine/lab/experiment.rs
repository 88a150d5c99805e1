//! The experiment in the background.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::fit::{Fits, beyond, fits};
use super::ladder::{Ladder, climb};
use super::pool::Pool;
use super::trial::{self, Seek, Tested, Trial, unbiased};
use super::{Changes, Origin, Position};
use crate::engine::config::Config;
use crate::engine::run::{NoThread, spawn};
use crate::search::depth_first::margin::{FAMILIES, Formula, Margin};
use crate::search::{Algorithm, AuditRow, Limits, OptionError, Options};

/// What to find out, and with what.
#[derive(Clone, Debug)]
pub struct Plan {
    pub positions: Vec<Position>,
    /// Every position is searched to every depth up to this, and in the trials to this one. 2 at least: a rule needs a
    /// depth to prune at.
    pub depth: u16,
    /// A position is left where it is when its searches took so many nodes. What is not reached is missing, and it is
    /// missing where trees are large: better none.
    pub nodes: Option<u64>,
    pub tested: Tested,
    /// Of each, only the family counts. The first one says how many nodes are to be saved.
    pub families: Vec<Formula>,
    /// The margin whose savings all families are to equal; `None`: the first family's, fitted.
    pub reference: Option<Margin>,
    /// The share of changes that may go beyond a margin.
    pub level: f64,
    /// One in so many prunes is audited; 0: no trials, only the measurement.
    pub audit: u32,
    /// Searches at a time, each on one thread.
    pub at_a_time: usize,
    /// Alpha-beta with its options; of its limits none counts.
    pub config: Config,
}

impl Plan {
    /// All families, depth 8, 5 %, one audit in 16, one search at a time. What `config` says of memory and recording is
    /// not used: nobody looks at the trees.
    #[must_use]
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

/// A table that the searches to a depth about fill: a larger one costs more time to take than they do.
fn table(depth: u16) -> u64 {
    const LEAST: u64 = 2 << 20;
    (LEAST << (depth.saturating_sub(8) / 2).min(6)).min(64 << 20)
}

/// Only the root is recorded, and nothing is shared with other searches.
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

/// A plan that can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("found no chess position with legal moves, expected at least one")]
    NoPosition,
    #[error("found depth {0}, expected at least 2")]
    TooShallow(u16),
    #[error("found {0}, expected alpha-beta")]
    Algorithm(Algorithm),
    #[error("found no family, expected at least one")]
    NoFamily,
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// What the experiment is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Changes of score are measured.
    Measuring,
    /// All positions are searched with the tested rule off: what there is to save.
    Without,
    /// A family's scale is sought: the place in the plan, and which attempt it is.
    Family {
        place: usize,
        attempt: usize,
    },
    Done,
    /// By a person, before the end.
    Stopped,
}

impl Stage {
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Stage::Done | Stage::Stopped)
    }
}

/// What is known so far; whole in itself at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    pub stage: Stage,
    pub tested: Tested,
    pub depth: u16,
    pub families: Vec<Formula>,
    pub level: f64,
    pub audit: u32,
    /// Positions there are.
    pub positions: usize,
    /// One for each position that was measured, in their order.
    pub ladders: Vec<Ladder>,
    /// Nodes of all positions with the tested rule off.
    pub without: Option<u64>,
    /// By family, as far as tried.
    pub trials: Vec<Trial>,
}

impl Findings {
    #[must_use]
    pub fn changes(&self, origin: Origin) -> Changes {
        Changes::of(&self.ladders, origin)
    }

    /// The share of the changes that go beyond a margin, by depth from 1 on.
    #[must_use]
    pub fn beyond(&self, margin: &Margin) -> Vec<f64> {
        beyond(&self.ladders, self.tested, margin)
    }

    #[must_use]
    pub fn fits(&self) -> Fits {
        fits(&self.ladders, self.tested, &self.families, self.level)
    }
}

/// What the thread and its readers share.
#[derive(Debug)]
struct Shared {
    plan: Plan,
    pool: Pool,
    /// Positions done in the stage at hand.
    done: AtomicUsize,
    /// Rises with every change of the findings.
    generation: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    stage: Stage,
    /// By position.
    ladders: Vec<Option<Ladder>>,
    without: Option<u64>,
    trials: Vec<Trial>,
}

/// A running experiment. Reading it never waits for a search; dropping it stops it.
#[derive(Debug)]
pub struct Experiment {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Experiment {
    /// Begins.
    ///
    /// # Errors
    /// The plan can't be carried out.
    pub fn start(mut plan: Plan) -> Result<Experiment, PlanError> {
        check(&plan)?;
        plan.config.table = table(plan.depth);
        let shared = Arc::new(Shared {
            pool: Pool::new(plan.at_a_time.min(plan.positions.len())),
            done: AtomicUsize::new(0),
            generation: AtomicU64::new(0),
            state: Mutex::new(State {
                stage: Stage::Measuring,
                ladders: vec![None; plan.positions.len()],
                without: None,
                trials: Vec::new(),
            }),
            plan,
        });
        let worker = Arc::clone(&shared);
        let thread = spawn(String::from("lab"), move || {
            let ended = worker.run();
            let stage = if ended.is_some() {
                Stage::Done
            } else {
                Stage::Stopped
            };
            worker.enter(stage);
        })?;
        Ok(Experiment {
            shared,
            thread: Some(thread),
        })
    }

    /// Rises whenever there is something new in [`Experiment::findings`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.generation.load(Relaxed)
    }

    /// Of the stage at hand: positions done, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (Stage, usize, usize) {
        let stage = self.shared.lock().stage;
        let done = self.shared.done.load(Relaxed);
        (stage, done, self.shared.plan.positions.len())
    }

    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// A copy of what is known by now.
    #[must_use]
    pub fn findings(&self) -> Findings {
        let plan = &self.shared.plan;
        let state = self.shared.lock();
        Findings {
            stage: state.stage,
            tested: plan.tested,
            depth: plan.depth,
            families: plan.families.clone(),
            level: plan.level,
            audit: plan.audit,
            positions: plan.positions.len(),
            ladders: state.ladders.iter().flatten().cloned().collect(),
            without: state.without,
            trials: state.trials.clone(),
        }
    }

    /// Asks it to stop, which it does within milliseconds; what was found stays.
    pub fn stop(&self) {
        self.shared.pool.halt();
    }

    /// Whether its threads have ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end.
    pub fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the panic hook; what was found stands.
            let _ = thread.join();
        }
    }
}

impl Drop for Experiment {
    fn drop(&mut self) {
        self.stop();
        self.join();
    }
}

fn check(plan: &Plan) -> Result<(), PlanError> {
    if plan.config.algorithm != Algorithm::AlphaBeta {
        return Err(PlanError::Algorithm(plan.config.algorithm));
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

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.generation.fetch_add(1, Relaxed);
    }

    fn enter(&self, stage: Stage) {
        self.done.store(0, Relaxed);
        self.tell(|state| state.stage = stage);
    }

    /// `None`: halted.
    fn run(&self) -> Option<()> {
        self.measure()?;
        if self.plan.audit > 0 {
            self.compare()?;
        }
        Some(())
    }

    fn measure(&self) -> Option<()> {
        let plan = &self.plan;
        let options = unbiased(&plan.config.options);
        let limits = Limits {
            nodes: plan.nodes,
            ..Limits::default()
        };
        let config = trial::config(&plan.config, options, limits);
        self.pool.work(plan.positions.len(), |i, desk| {
            let ladder = climb(&plan.positions[i], &config, plan.depth, desk);
            self.done.fetch_add(1, Relaxed);
            self.tell(|state| state.ladders[i] = ladder);
        });
        (!self.pool.is_halted()).then_some(())
    }

    /// Every family at the scale where it saves as much as the first one.
    fn compare(&self) -> Option<()> {
        let plan = &self.plan;
        self.enter(Stage::Without);
        let mut options = self.base_options()?;
        options.set(plan.tested.name(), "off").ok()?;
        let (without, ..) = self.try_out(options)?;
        self.tell(|state| state.without = Some(without));
        let ladders: Vec<Ladder> = self.lock().ladders.iter().flatten().cloned().collect();
        let fitted = fits(&ladders, plan.tested, &plan.families, plan.level).fits;
        let mut wanted = None;
        for (place, fit) in fitted.iter().enumerate() {
            match (wanted, plan.reference) {
                (None, Some(reference)) => wanted = Some(self.reference(reference, without)?),
                (None, None) => {
                    self.enter(Stage::Family { place, attempt: 1 });
                    let trial = self.trial(fit.margin, without, None)?;
                    wanted = Some(without.saturating_sub(trial.nodes));
                    self.tell(|state| state.trials.push(trial));
                    continue;
                }
                (Some(_), _) => {}
            }
            self.seek(place, fit.margin.formula(), without, wanted?)?;
        }
        Some(())
    }

    /// Nodes the reference margin saves.
    fn reference(&self, margin: Margin, without: u64) -> Option<u64> {
        self.enter(Stage::Family {
            place: 0,
            attempt: 0,
        });
        let trial = self.trial(margin, without, None)?;
        Some(without.saturating_sub(trial.nodes))
    }

    /// Brings a family to the wanted savings; the attempt that came nearest stays.
    fn seek(&self, place: usize, formula: Formula, without: u64, wanted: u64) -> Option<()> {
        /// A part of the savings that is near enough.
        const NEAR: f64 = 0.02;
        let target = without.saturating_sub(wanted);
        let mut seek = Seek::new(formula, target, NEAR * wanted as f64);
        let mut nearest: Option<u64> = None;
        for attempt in 1.. {
            self.enter(Stage::Family { place, attempt });
            let trial = self.trial(seek.margin(), without, Some(wanted))?;
            let nodes = trial.nodes;
            if nearest.is_none_or(|known| nodes.abs_diff(target) < known.abs_diff(target)) {
                self.tell(|state| {
                    if nearest.is_some() {
                        state.trials.pop();
                    }
                    state.trials.push(trial);
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
        let (nodes, finished, audits) = self.try_out(options)?;
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

    fn try_out(&self, options: Options) -> Option<(u64, usize, Vec<AuditRow>)> {
        let plan = &self.plan;
        let limits = Limits {
            depth: Some(plan.depth),
            nodes: plan.nodes,
            ..Limits::default()
        };
        let config = trial::config(&plan.config, options, limits);
        trial::search(&plan.positions, &config, &self.pool, &self.done)
    }

    /// The plan's options with the audit on, and with the tested rule allowed at every depth there is, so that its
    /// failures can be seen at each of them.
    fn base_options(&self) -> Option<Options> {
        let plan = &self.plan;
        let mut options = plan.config.options.clone();
        options.set("audit", &plan.audit.to_string()).ok()?;
        let deepest = (plan.depth - 1).min(16);
        options
            .set(&plan.tested.depth_key(), &deepest.to_string())
            .ok()?;
        Some(options)
    }
}
