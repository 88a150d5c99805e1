//! The page on sweeps: numbers in an algorithm's options are varied, and every variant is judged.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen, source};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use crate::tabs::lab::runs::Asked;
use crate::tabs::lab::sweep::{Of, SweepPage};
use crate::tabs::lab::{LabTab, Positions, keys, view};
use games::samples;
use lab::kept::Kept;
use lab::searched::Labelled;
use lab::sweep::{self, JUDGE_NODES, Judge, Material, Plan, Spec, Tried, Units};
use report::lab::verdict::{Verdict, sweep as verdict};
use report::number;
use screen::pen::{Line, Pen};
use session::{Budget, Config};
use studies::suite::Task;

/// A variant can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VariantTarget(pub usize);

/// The page.
#[derive(Debug)]
pub struct SweepsPage;

/// The processor time of a node, in seconds.
const NODE: f64 = 3e-6;
/// The moves of a game, by both sides.
const MOVES: f64 = 130.0;

impl PageScreen for SweepsPage {
    fn name(&self) -> &'static str {
        "Sweep"
    }

    fn question(&self, _: &LabTab) -> &'static str {
        verdict::QUESTION
    }

    fn keys(&self) -> &'static Group {
        &keys::SWEEP
    }

    fn experiment(&self, _: &LabTab) -> &'static str {
        "sweep"
    }

    fn job<'a>(&self, lab: &'a LabTab, _: &str) -> Option<&'a dyn AnyJob> {
        lab.sweep.run.job()
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        let page = &lab.sweep;
        let (judge, budget) = (page.judge, Budget::Nodes(page.nodes));
        let spec: Spec = page.line.parse()?;
        let base = Config {
            threads: 1,
            ..cx.config.clone()
        };
        let (tried, columns) = spec.columns(&base)?;
        let units = units(lab, cx)?;
        let of = Of {
            spec,
            columns: columns.clone(),
            budget,
            source: source_of(lab, cx),
            wanted: units.len(),
            seed: cx.config.seed,
            tried,
        };
        let plan = Plan::new(judge, &of.tried, columns, budget, units);
        let plan = Plan {
            seed: cx.config.seed,
            at_a_time: cx.config.threads,
            ..plan.map_err(|e| e.to_string())?
        };
        let run = sweep::start(plan, Kept::default()).map_err(|e| e.to_string())?;
        let page = &mut lab.sweep;
        page.run.hold(run);
        page.variant = 0;
        page.of = Some(of);
        Ok(())
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let page = &lab.sweep;
        let tried = page.line.parse::<Spec>();
        let tried = tried.and_then(|spec| Tried::of(&spec.set, &spec.over));
        let (count, nodes) = (page.count, number::count(page.nodes));
        let variants = tried.as_ref().map_or(1, |tried| tried.names.len());
        let searches = (count * variants) as f64 * page.nodes as f64;
        let from = source_of(lab, cx);
        let (how, cpu) = match page.judge {
            Judge::Solved => (
                format!("counts those that it solves, of up to {count} of {from}"),
                searches,
            ),
            Judge::Points => (
                format!("adds up its points, on up to {count} of {from}"),
                searches,
            ),
            Judge::Belief => (
                format!("scores its belief (CRPS) on up to {count} of {from}"),
                searches,
            ),
            Judge::Loss => (
                format!(
                    "lets alpha-beta judge its moves with {} nodes, on up to {count} of {from}",
                    number::count(JUDGE_NODES)
                ),
                searches + (count * 4) as f64 * JUDGE_NODES as f64,
            ),
            Judge::Audit => (
                format!("counts wrong prunes, on up to {count} of {from}"),
                1.5 * searches,
            ),
            Judge::Match => (
                format!("lets it play what is built in from {count} openings, two games each"),
                2.0 * MOVES * searches,
            ),
        };
        let words = match tried {
            Ok(tried) => format!(
                "{}: searches with each of {} and as built in, {nodes} nodes each, and {how}",
                page.line,
                tried.counted(),
            ),
            Err(what) => format!("{}: {what}", page.line),
        };
        Asked {
            experiment: self.experiment(lab),
            words,
            cpu: cpu * NODE,
            at_a_time: cx.config.threads.min(count),
            seed: cx.config.seed,
        }
    }

    fn verdict(&self, lab: &LabTab, _: &str) -> Option<Verdict> {
        let known = lab.sweep.run.known.as_ref()?;
        known.fault.is_none().then(|| verdict::verdict(known))
    }

    fn update(&self, lab: &mut LabTab) {
        lab.sweep.run.update();
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::sweep::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        match event.of() {
            Event::Click(Some(VariantTarget(variant)), _) => lab.sweep.variant = variant,
            Event::Wheel(_, by) => lab.sweep.walk(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        Some(match command {
            "sweep-run" if self.is_running(lab) => "stop",
            "sweep-positions" if lab.positions == Positions::Samples => "use the open file",
            "sweep-positions" => "use the built-in",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::sweep::legend(pen, width)
    }
}

/// Returns what the variants are tried on.
///
/// # Errors
/// If the judge can use none of the positions.
fn units(lab: &LabTab, cx: &Context) -> Result<Units, String> {
    let SweepPage { judge, count, .. } = &lab.sweep;
    let most = *count;
    let problems = match (judge.material(), lab.positions) {
        (Material::Openings, _) => {
            return Ok(Units::Openings((0..most).collect()));
        }
        (Material::Values | Material::Tasks, Positions::Samples) => {
            return Ok(Units::Labelled(Labelled::BuiltIn { most }));
        }
        (Material::Values, Positions::Opened) => {
            let path = cx.document.path.clone();
            let path = path.ok_or("no file is open: open one with labelled positions")?;
            return Ok(Units::Labelled(Labelled::File { path, most }));
        }
        (Material::Positions, _) => Units::of_positions(lab.lab_positions(cx, most)),
        (Material::Tasks | Material::Points, _) => tasks(lab, cx),
    };
    match problems.is_empty() {
        true => Err(format!(
            "{}: found no position that the judge {} can use, expected {}",
            source_of(lab, cx),
            judge.name(),
            judge.material().expected(),
        )),
        false => Ok(Units::Problems(problems)),
    }
}

/// Returns the positions of the opened file or of the samples that have a task of the judge's kind.
fn tasks(lab: &LabTab, cx: &Context) -> Vec<studies::suite::Problem> {
    let mut problems = Vec::new();
    let mut take = |entry: &games::Entry| {
        let Some(task) = entry.epd().and_then(|epd| Task::read(epd).0) else {
            return;
        };
        if lab.sweep.judge.can_use(&task) && problems.len() < lab.sweep.count {
            let subject = entry.subject();
            problems.push(Units::problem(
                problems.len() + 1,
                String::new(),
                subject,
                task,
            ));
        }
    };
    match lab.positions {
        Positions::Opened => {
            for entry in (0..cx.document.len()).filter_map(|i| cx.document.entry(i).ok()) {
                take(&entry);
            }
        }
        Positions::Samples => {
            for document in samples::all().iter().filter_map(|s| s.open().ok()) {
                document.entries().flatten().for_each(|entry| take(&entry));
            }
        }
    }
    problems
}

/// Returns the name of the source of positions.
fn source_of(lab: &LabTab, cx: &Context) -> String {
    match (lab.sweep.judge.material(), lab.positions) {
        (Material::Openings, _) => "the Lab's openings".to_owned(),
        (Material::Values | Material::Tasks, Positions::Samples) => {
            "the built-in labels".to_owned()
        }
        _ => source(lab, cx),
    }
}
