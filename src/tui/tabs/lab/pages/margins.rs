//! The page on futility: how far scores move with depth, and margins that allow for it.

use ratatui::layout::Rect;

use super::{PageScreen, source};
use crate::app::App;
use crate::component::{Event, Handled};
use crate::pen::Pen;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::{LabPanel, Positions, view};
use crate::text::Line;
use depth_first::margin::FAMILIES;
use lab::{Evenness, Origin, Stage};
use report::number;

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

    fn question(&self) -> &'static str {
        "How far do scores move with depth?"
    }

    fn asked(&self, app: &App) -> Asked {
        let lab = &app.lab;
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
            experiment: "margins",
            words: format!(
                "Measures up to {} positions of {} to depth {}{trials} ({}, {})",
                lab.count,
                source(app),
                lab.depth,
                lab.tested.name(),
                number::percent(lab.level as f32),
            ),
            cpu: each * lab.count as f64 * 2.2f64.powi(depth),
            at_a_time: app.config.threads.min(lab.count),
            seed: app.config.seed,
        }
    }

    fn course(&self, app: &App, _: &str) -> Option<Course> {
        let experiment = app.lab.experiment.as_ref()?;
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

    fn figures(&self, app: &App, _: &str) -> Vec<String> {
        let Some(known) = app.lab.known.as_ref() else {
            return Vec::new();
        };
        let findings = &known.findings;
        if findings.measured.is_empty() {
            return Vec::new();
        }
        let mut figures = vec![format!("{} positions measured", findings.measured.len())];
        if let Some(variance) = known.changes[0].variance {
            figures.push(format!("σ {:.0} centipawns a ply", variance.sqrt()));
        }
        let rule = findings.tested.rule();
        let trials = findings.trials.iter();
        let tried = trials.filter_map(|trial| {
            let evenness = Evenness::of(&trial.audits, rule);
            let slope = evenness.slope?.value;
            Some((trial, evenness, slope))
        });
        let evenest = tried.min_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
        match evenest {
            Some((trial, evenness, slope)) => {
                let name = trial.margin.formula().family().name;
                let interval = evenness.factor_interval();
                let interval = interval
                    .map_or_else(String::new, |(low, high)| format!(" [{low:.2}, {high:.2}]"));
                let factor = slope.exp();
                figures.push(format!(
                    "{name} fails most evenly: odds ×{factor:.2} a ply{interval}"
                ));
            }
            None => {
                let margins = known.fits.fits.iter().map(|fit| fit.margin.to_string());
                let margins: Vec<String> = margins.collect();
                if !margins.is_empty() {
                    figures.push(format!("fitted {}", margins.join(", ")));
                }
            }
        }
        figures
    }

    fn busy(&self, app: &App) -> Option<&'static str> {
        let experiment = app.lab.experiment.as_ref();
        let runs = experiment.is_some_and(|e| !e.job.has_ended());
        runs.then_some("the experiment on futility has the cores: stop it first")
    }

    fn update(&self, app: &mut App) {
        app.lab.update();
    }

    fn parts(&self) -> &'static [&'static str] {
        &["chart", "margins", "audit"]
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::margins::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        let Event::Wheel(_, by) = event else {
            return Handled::No;
        };
        app.walk_lab(by.signum());
        Handled::Yes
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "lab-run",
            "lab-page",
            "lab-fit",
            "lab-use",
            "lab-panel",
            "lab-next",
            "lab-positions",
            "lab-count",
            "lab-rule",
            "lab-equal",
            "lab-deeper",
            "lab-audit-more",
            "lab-level",
            "lab-origin",
        ]
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let lab = &app.lab;
        Some(match command {
            "lab-run" if self.busy(app).is_some() => "stop",
            "lab-panel" if lab.panel == LabPanel::Margins => "audit",
            "lab-panel" => "margins",
            "lab-positions" if lab.positions == Positions::Samples => "use the opened",
            "lab-positions" => "use the samples",
            "lab-origin" if lab.origin == Origin::Static => "from quiescence",
            "lab-origin" => "from static",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::margins::legend(pen, width)
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.has_news()
    }
}
