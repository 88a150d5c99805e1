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
use lab::calibration::{self, Calibration, Case, Figures};
use lab::spread::{self, MEASURED, Mean, Plan, Population, Searches, Settings, TELLING};
use report::lab::spread::{growth, relative};
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

    fn question(&self) -> &'static str {
        "How sure is a belief, and is it right?"
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
                let run = spread::start_searches(Plan {
                    positions: lab.lab_positions(cx, page.count),
                    rules: MEASURED.map(String::from).into(),
                    nodes: page.nodes,
                    at_a_time,
                    config,
                });
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
                let run = spread::start_population(settings, rules, at_a_time);
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
                let run = calibration::start(calibration::Plan {
                    cases: positions.into_iter().map(Case::unknown).collect(),
                    columns: columns.map_err(|e| e.to_string())?,
                    budget: Budget::Nodes(page.nodes),
                    longer: Some(Budget::Nodes(page.nodes * SpreadPage::LONGER)),
                    at_a_time,
                });
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

    fn figures(&self, lab: &LabTab, experiment: &str) -> Vec<String> {
        let page = &lab.spread;
        match show_of(experiment) {
            Show::Positions => page.searches.known.as_ref().map(of_searches),
            Show::Toy => page.population.known.as_ref().map(of_population),
            Show::Calibration => page.calibration.known.as_ref().map(of_calibration),
        }
        .unwrap_or_default()
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
            ("spread-positions", _) if lab.positions == Positions::Samples => "use the opened",
            ("spread-positions", _) => "use the samples",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::spread::legend(pen, width)
    }
}

/// Returns what is said of the rules at both ends of a score, after a heading; nothing without rules.
fn ends(heading: String, names: [&str; 2], mut rules: Vec<(f64, String)>) -> Vec<String> {
    rules.sort_by(|a, b| a.0.total_cmp(&b.0));
    match (rules.first(), rules.last()) {
        (Some(first), Some(last)) => {
            let told = |name: &str, rule: &(f64, String)| format!("{name} {}", rule.1);
            vec![heading, told(names[0], first), told(names[1], last)]
        }
        _ => Vec::new(),
    }
}

/// Returns how the spread grew or shrank under the rules at both ends.
fn of_searches(known: &Searches) -> Vec<String> {
    let (searched, solved) = known.searched();
    let grown = |rule: usize| {
        let means: Vec<Option<Mean>> = known.by_nodes(rule);
        let last = means.iter().flatten().next_back()?.value;
        let (name, growth) = (&known.rules[rule], growth(&means)?);
        Some((last, format!("{name}: sd {last:.2}, ×{growth:.2}")))
    };
    let rules = (0..known.rules.len()).filter_map(grown).collect();
    let heading = format!("{} positions", searched - solved);
    ends(heading, ["narrowest", "widest"], rules)
}

/// Returns the best and the worst rule at the greatest depth that all have reached.
fn of_population(known: &Population) -> Vec<String> {
    let reached = known.depths.iter().map(Vec::len).min().unwrap_or(0);
    let at = |rule: usize| {
        let depth = known.depths[rule].get(reached.checked_sub(1)?)?;
        let (name, score) = (known.rules[rule], relative(known, depth)?);
        let share = number::percent(depth.coverage[2] as f32);
        Some((
            score,
            format!("{name}: score ×{score:.2}, {share} of 90 % covered"),
        ))
    };
    let rules = (0..known.rules.len()).filter_map(at).collect();
    ends(format!("depth {reached}"), ["best", "worst"], rules)
}

/// Returns the rules with the best and the worst score.
fn of_calibration(known: &Calibration) -> Vec<String> {
    let all = (0..known.columns.len()).filter_map(|column| Some((column, known.figures(column)?)));
    let all: Vec<(usize, Figures)> = all.collect();
    let told = |(column, figures): &(usize, Figures)| {
        let rule = MEASURED.get(*column).copied().unwrap_or_default();
        let [.., (covered, _)] = figures.coverage;
        let (score, share) = (figures.crps.value, number::percent(covered as f32));
        (
            score,
            format!("{rule}: score {score:.3}, {share} of 90 % covered"),
        )
    };
    let positions = all.first().map_or(0, |(_, figures)| figures.n);
    let rules = all.iter().map(told).collect();
    ends(format!("{positions} positions"), ["best", "worst"], rules)
}
