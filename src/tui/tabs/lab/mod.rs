//! The state of the Lab tab: the settings of the experiment on futility, its results, and the margins drawn above them;
//! the state of the other pages, and what came out of earlier runs.

mod commands;
pub mod depths;
pub mod differential;
mod exports;
pub(crate) mod keys;
pub mod pages;
pub mod questions;
pub mod runs;
mod screen;
pub mod sources;
pub mod spread;
pub mod sweep;
pub(crate) mod view;

use ::screen::theme::Role;
use depth_first::margin::{FAMILIES, Margin};
use depths::DepthsPage;
use differential::DifferentialPage;
use lab::kept::Kept;
use lab::{Changes, Experiment, Findings, Fits, Origin, Plan, PlanError, Tested};
use pages::AnyJob;
pub use pages::LabPage;
use questions::QuestionsPage;
use runs::Runs;
use search::Options;
use session::jobs::JobState;
use spread::SpreadPage;
use sweep::SweepPage;

/// The source of the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    #[default]
    Samples,
    /// The current game; for a file without games, all its positions.
    Opened,
}

impl Positions {
    pub const ALL: [Positions; 2] = [Positions::Samples, Positions::Opened];
}

/// The panel below the chart that is shown if there is room for only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabPanel {
    #[default]
    Margins,
    Audit,
}

impl LabPanel {
    pub const ALL: [LabPanel; 2] = [LabPanel::Margins, LabPanel::Audit];
}

/// The results of the experiment, and what follows from them.
#[derive(Debug)]
pub struct Known {
    pub findings: Findings,
    /// From the static value, and from quiescence.
    pub changes: [Changes; 2],
    pub fits: Fits,
    /// The experiment's generation as of these findings.
    generation: u64,
}

impl Known {
    /// Derives what follows from findings.
    pub fn of(findings: Findings, generation: u64) -> Known {
        Known {
            changes: [Origin::Static, Origin::Quiescence].map(|o| findings.changes(o)),
            fits: findings.fits(),
            findings,
            generation,
        }
    }
}

/// The state of the tab.
#[derive(Debug)]
pub struct LabTab {
    pub page: LabPage,
    /// The experiments that have ended, and the one under way.
    pub runs: Runs,
    pub differential: DifferentialPage,
    pub spread: SpreadPage,
    pub depths: DepthsPage,
    pub sweep: SweepPage,
    pub questions: QuestionsPage,
    pub experiment: Option<Experiment>,
    pub known: Option<Known>,
    pub positions: Positions,
    /// The largest number of positions.
    pub count: usize,
    pub tested: Tested,
    pub depth: u16,
    pub level: f64,
    /// One prune in this many is audited; with 0 the families are not tried.
    pub audit: u32,
    pub origin: Origin,
    /// The chosen family, by its index in [`FAMILIES`].
    pub family: usize,
    /// The margins as drawn and as used, by family.
    pub margins: [Margin; FAMILIES.len()],
    pub panel: LabPanel,
    /// The progress of the shown experiment when it was last drawn, and its generation.
    seen: Option<((JobState, usize, usize), u64)>,
}

impl Default for LabTab {
    fn default() -> Self {
        LabTab {
            page: LabPage::default(),
            runs: Runs::default(),
            differential: DifferentialPage::default(),
            spread: SpreadPage::default(),
            depths: DepthsPage::default(),
            sweep: SweepPage::default(),
            questions: QuestionsPage::default(),
            experiment: None,
            known: None,
            positions: Positions::default(),
            count: 100,
            tested: Tested::Futility,
            depth: 8,
            level: 0.05,
            audit: 16,
            origin: Origin::Static,
            family: 0,
            margins: FAMILIES.each_ref().map(|f| Margin::new(f.example)),
            panel: LabPanel::default(),
            seen: None,
        }
    }
}

impl LabTab {
    /// The choices for the number of positions.
    pub const COUNTS: [usize; 5] = [25, 50, 100, 200, 400];
    /// The choices of levels.
    pub const LEVELS: [f64; 3] = [0.01, 0.05, 0.1];
    /// The rarest audit.
    pub const RAREST: u32 = 1024;

    /// Starts the experiment on futility; the one that ran is stopped.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn start(&mut self, plan: Plan) -> Result<(), PlanError> {
        let plan = Plan {
            depth: self.depth,
            level: self.level,
            audit: self.audit,
            ..plan
        };
        self.experiment = Some(Experiment::start(plan, Kept::default())?);
        self.known = None;
        self.update();
        Ok(())
    }

    /// Takes new results of the experiment on futility.
    pub fn update(&mut self) {
        let Some(experiment) = &self.experiment else {
            return;
        };
        let generation = experiment.job.generation();
        if self
            .known
            .as_ref()
            .is_none_or(|k| k.generation != generation)
        {
            self.known = Some(Known::of(experiment.findings(), generation));
        }
    }

    /// Returns the experiment that is shown, if it has begun.
    fn job(&self) -> Option<&dyn AnyJob> {
        let page = self.page.screen();
        page.job(self, page.experiment(self))
    }

    fn progress(&self) -> Option<((JobState, usize, usize), u64)> {
        self.job().map(|job| (job.progress(), job.generation()))
    }

    /// Doubles or halves the number of audits; none at all beyond the rarest.
    fn change_audit(&mut self, more: bool) {
        self.audit = match (self.audit, more) {
            (0, true) => Self::RAREST,
            (0, false) => 0,
            (k, true) => (k / 2).max(1),
            (k, false) if k >= Self::RAREST => 0,
            (k, false) => k * 2,
        };
    }

    /// Reads the margin in use from the options, if they have one, and chooses its family.
    pub fn read(&mut self, options: &Options) {
        let key = self.tested.margin_key();
        let word = options.iter().find(|(spec, _)| spec.key == key);
        if let Some(margin) = word.and_then(|(_, value)| value.to_string().parse::<Margin>().ok()) {
            let place = place_of(&margin);
            self.margins[place] = margin;
            self.family = place;
        }
    }

    /// Fits the drawn margins to the changes measured so far; returns false if there are none.
    pub fn fit(&mut self) -> bool {
        self.update();
        let fits = self.known.as_ref().map_or(&[][..], |k| &k.fits.fits);
        for fit in fits {
            self.margins[place_of(&fit.margin)] = fit.margin;
        }
        !fits.is_empty()
    }

    /// Takes the margins of the trials, which save equal numbers of nodes; returns false if no trial is finished.
    pub fn equal(&mut self) -> bool {
        self.update();
        let trials = self.known.as_ref().map_or(&[][..], |k| &k.findings.trials);
        for trial in trials {
            self.margins[place_of(&trial.margin)] = trial.margin;
        }
        !trials.is_empty()
    }

    /// Returns the changes shown.
    pub fn changes(&self) -> Option<&Changes> {
        let known = self.known.as_ref()?;
        Some(&known.changes[usize::from(self.origin == Origin::Quiescence)])
    }
}

/// Returns the index of a margin's family in [`FAMILIES`].
pub fn place_of(margin: &Margin) -> usize {
    let name = margin.formula().family().name;
    FAMILIES.iter().position(|f| f.name == name).unwrap_or(0)
}

/// Returns a family's colour.
pub fn role_of(place: usize) -> Role {
    crate::tabs::compare::role(place)
}
