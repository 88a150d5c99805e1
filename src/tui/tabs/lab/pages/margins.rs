//! The page on futility: how far scores move with depth, and margins that allow for it.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen, source};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::{LabPanel, LabTab, Positions, keys, view};
use ::lab::{self, Origin, Plan, Stage};
use depth_first::margin::FAMILIES;
use report::lab::verdict::{self, Verdict};
use report::number;
use screen::pen::{Line, Pen};

/// The page.
#[derive(Debug)]
pub struct MarginsPage;

/// The passes over all positions that the trials take: one without the rule, one for the first family, and about three
/// for each of the others, whose scales have to be found.
const TRIALS: usize = 2 + 3 * (FAMILIES.len() - 1);

impl PageScreen for MarginsPage {
    fn name(&self) -> &'static str {
        "Margins"
    }

    fn question(&self, _: &LabTab) -> &'static str {
        verdict::MARGINS
    }

    fn keys(&self) -> &'static Group {
        &keys::FUTILITY
    }

    fn experiment(&self, _: &LabTab) -> &'static str {
        "margins"
    }

    fn job<'a>(&self, lab: &'a LabTab, _: &str) -> Option<&'a dyn AnyJob> {
        lab.experiment
            .as_ref()
            .map(|experiment| &experiment.job as _)
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        let config = cx.config_of(lab::ALGORITHM);
        let plan = Plan {
            at_a_time: config.threads,
            ..Plan::new(lab.lab_positions(cx, lab.count), lab.tested, config)
        };
        lab.start(plan).map_err(|e| e.to_string())
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let trials = match lab.audit {
            0 => String::new(),
            1 => format!(
                ", then tries {} margins, searching every prune anyway",
                FAMILIES.len()
            ),
            k => format!(
                ", then tries {} margins, searching one prune in {k} anyway",
                FAMILIES.len()
            ),
        };
        // Six positions of the samples took 0.11 s to depth 6 and 0.54 s to depth 8; with trials 0.79 s and 3.7 s.
        let each = if lab.audit == 0 { 0.09 } else { 0.62 };
        let depth = i32::from(lab.depth) - 8;
        Asked {
            experiment: self.experiment(lab),
            words: format!(
                "Measures up to {} positions of {} to depth {}{trials} ({}, {})",
                lab.count,
                source(lab, cx),
                lab.depth,
                lab.tested.name(),
                number::percent(lab.level as f32),
            ),
            cpu: each * lab.count as f64 * 2.2f64.powi(depth),
            at_a_time: cx.config.threads.min(lab.count),
            seed: cx.config.seed,
        }
    }

    fn course(&self, lab: &LabTab, _: &str) -> Option<Course> {
        let experiment = lab.experiment.as_ref()?;
        let (stage, done, all) = experiment.progress();
        let trials = if experiment.plan().audit > 0 {
            TRIALS
        } else {
            0
        };
        let before = match stage {
            Stage::Measuring => 0,
            Stage::Without => 1,
            Stage::Family { place: 0, .. } => 2,
            Stage::Family { place, attempt } => 3 * place + attempt.saturating_sub(1).min(2),
            Stage::Done | Stage::Stopped => 1 + trials,
        };
        let part = done as f64 / all.max(1) as f64;
        let passes = match stage.has_ended() {
            true => before as f64,
            false => before as f64 + part,
        };
        Some(Course {
            has_ended: stage.has_ended(),
            is_complete: stage == Stage::Done,
            // A run that was stopped says nothing of its speed: which pass it was in is no longer known.
            share: match stage {
                Stage::Stopped => 0.0,
                _ => passes / (1 + trials) as f64,
            },
        })
    }

    fn verdict(&self, lab: &LabTab, _: &str) -> Option<Verdict> {
        let known = lab.known.as_ref()?;
        Some(verdict::margins(&known.findings))
    }

    fn update(&self, lab: &mut LabTab) {
        lab.update();
    }

    fn parts(&self) -> &'static [&'static str] {
        &["chart", "margins", "audit"]
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::margins::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        let Event::Wheel(_, by) = event else {
            return Handled::No;
        };
        keys::walk(&mut lab.family, by.signum(), FAMILIES.len());
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        Some(match command {
            "lab-run" if self.is_running(lab) => "stop",
            "lab-panel" if lab.panel == LabPanel::Margins => "audit",
            "lab-panel" => "margins",
            "lab-positions" if lab.positions == Positions::Samples => "use the open file",
            "lab-positions" => "use the samples",
            "lab-origin" if lab.origin == Origin::Static => "from quiescence",
            "lab-origin" => "from static",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::margins::legend(pen, width)
    }
}
