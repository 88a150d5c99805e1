//! The page on spread: how sure beliefs are under several back-up rules, and whether they are right.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen, source};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use crate::tabs::lab::runs::Asked;
use crate::tabs::lab::spread::{Show, SpreadPage};
use crate::tabs::lab::{LabTab, Positions, keys, view};
use belief::{ParseRuleError, Rule};
use lab::calibration::{self, Case};
use lab::kept::Kept;
use lab::spread::{self, MEASURED, Plan, Settings, TELLING};
use report::lab::verdict::{self, Verdict};
use report::number;
use screen::pen::{Line, Pen};
use session::{Budget, Config};
use studies::compare::ColumnSpec;

/// A back-up rule, by its row, can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RuleTarget(pub usize);

/// The page.
#[derive(Debug)]
pub struct BeliefsPage;

const POSITIONS: &str = "beliefs-positions";
const TOY: &str = "beliefs-toy";
const CALIBRATION: &str = "beliefs-calibration";

/// Returns what the page shows of an experiment.
fn show_of(experiment: &str) -> Show {
    match experiment {
        TOY => Show::Toy,
        CALIBRATION => Show::Calibration,
        _ => Show::Positions,
    }
}

/// The seconds that a node takes: 960,000 nodes of `distress` took 1.9 s.
const NODE: f64 = 2e-6;

impl PageScreen for BeliefsPage {
    fn name(&self) -> &'static str {
        "Beliefs"
    }

    fn question(&self, lab: &LabTab) -> &'static str {
        match lab.spread.show {
            Show::Positions => verdict::SEARCHES,
            Show::Toy => verdict::TREES,
            Show::Calibration => verdict::CALIBRATION,
        }
    }

    fn keys(&self) -> &'static Group {
        &keys::SPREAD
    }

    fn experiment(&self, lab: &LabTab) -> &'static str {
        match lab.spread.show {
            Show::Positions => POSITIONS,
            Show::Toy => TOY,
            Show::Calibration => CALIBRATION,
        }
    }

    fn job<'a>(&self, lab: &'a LabTab, experiment: &str) -> Option<&'a dyn AnyJob> {
        lab.spread.job_of(show_of(experiment))
    }

    fn is_running(&self, lab: &LabTab) -> bool {
        let jobs = [POSITIONS, TOY, CALIBRATION].map(|experiment| self.job(lab, experiment));
        jobs.into_iter().flatten().any(|job| !job.has_ended())
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        let config = cx.config_of(spread::ALGORITHM);
        let at_a_time = cx.config.threads;
        let page = &lab.spread;
        match page.show {
            Show::Positions => {
                let plan = Plan {
                    positions: lab.lab_positions(cx, page.count),
                    rules: MEASURED.map(String::from).into(),
                    nodes: page.nodes,
                    at_a_time,
                    config,
                };
                let run = spread::start_searches(plan, Kept::default());
                lab.spread.searches.hold(run.map_err(|e| e.to_string())?);
            }
            Show::Toy => {
                let settings = Settings {
                    branching: page.branching,
                    ..Settings::default()
                };
                let rules: Result<Vec<Rule>, ParseRuleError> =
                    TELLING.iter().map(|rule| rule.parse()).collect();
                let rules = rules.map_err(|e| e.to_string())?;
                let run = spread::start_population(settings, rules, at_a_time, Kept::default());
                lab.spread.population.hold(run.map_err(|e| e.to_string())?);
            }
            Show::Calibration => {
                let base = Config {
                    threads: 1,
                    ..config
                };
                let column = |rule| spread::config_of(&base, rule).map(ColumnSpec::Own);
                let columns: Result<Vec<_>, _> = MEASURED.into_iter().map(column).collect();
                let positions = lab.lab_positions(cx, page.count);
                // Every rule is judged by searches ten times longer with the same rule.
                let plan = calibration::Plan {
                    cases: positions.into_iter().map(Case::unknown).collect(),
                    columns: columns.map_err(|e| e.to_string())?,
                    budget: Budget::Nodes(page.nodes),
                    longer: Some(Budget::Nodes(page.nodes * SpreadPage::LONGER)),
                    at_a_time,
                };
                let run = calibration::start(plan, Kept::default());
                lab.spread.calibration.hold(run.map_err(|e| e.to_string())?);
            }
        }
        Ok(())
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let page = &lab.spread;
        let (rules, measured) = (TELLING.len(), page.names().len());
        let (count, from) = (page.count, source(lab, cx));
        let nodes = number::count(page.nodes);
        let searches = (count * measured) as f64 * page.nodes as f64;
        let (words, cpu, items) = match page.show {
            Show::Positions => (
                format!(
                    "Searches up to {count} positions of {from} with {nodes} nodes under each of {rules} back-up rules (distress), and with bpip"
                ),
                searches * NODE,
                count * measured,
            ),
            Show::Toy => {
                let settings = Settings::default();
                (
                    format!(
                        "Grows {} random trees of {} moves to depth {} under each of {rules} back-up rules; the minimax of hidden values is the truth",
                        settings.population, page.branching, settings.depth,
                    ),
                    // With 8 moves it took 12 s, with 30 moves 17 s.
                    10.4 + 0.2 * page.branching as f64,
                    rules,
                )
            }
            Show::Calibration => (
                format!(
                    "Searches up to {count} positions of {from} with {nodes} nodes under each of {rules} back-up rules and with bpip, and judges them by searches of {}",
                    number::count(page.nodes * SpreadPage::LONGER),
                ),
                searches * NODE * (1 + SpreadPage::LONGER) as f64,
                count,
            ),
        };
        Asked {
            experiment: self.experiment(lab),
            words,
            cpu,
            at_a_time: cx.config.threads.min(items),
            seed: match page.show {
                Show::Toy => Settings::default().seed,
                Show::Positions | Show::Calibration => cx.config.seed,
            },
        }
    }

    fn verdict(&self, lab: &LabTab, experiment: &str) -> Option<Verdict> {
        let page = &lab.spread;
        match show_of(experiment) {
            Show::Positions => page.searches.known.as_ref().map(verdict::searches),
            Show::Toy => page.population.known.as_ref().map(verdict::trees),
            Show::Calibration => {
                let known = page.calibration.known.as_ref();
                known.map(|known| verdict::calibration(known, page.names()))
            }
        }
    }

    fn update(&self, lab: &mut LabTab) {
        lab.spread.update();
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::spread::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        match event.of() {
            Event::Click(Some(RuleTarget(rule)), _) => lab.spread.rule = rule,
            Event::Wheel(_, by) => lab.spread.walk(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        let page = &lab.spread;
        Some(match (command, page.show) {
            ("spread-run", _) if self.is_running(lab) => "stop",
            ("spread-run", Show::Positions) => "search",
            ("spread-run", Show::Toy) => "grow",
            ("spread-run", Show::Calibration) => "judge",
            ("spread-trees", Show::Positions) => "toy trees",
            ("spread-trees", _) => "positions",
            ("spread-calibration", Show::Calibration) => "spread",
            ("spread-positions", _) if lab.positions == Positions::Samples => "use the open file",
            ("spread-positions", _) => "use the samples",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::spread::legend(pen, width)
    }
}
