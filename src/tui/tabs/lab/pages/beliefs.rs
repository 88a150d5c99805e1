//! The page on spread: how sure beliefs are under several back-up rules, and whether they are right.

use ratatui::layout::Rect;

use super::{PageScreen, course, source};
use crate::app::{App, Target};
use crate::component::{Event, Handled};
use crate::pen::Pen;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::spread::{Show, SpreadPage};
use crate::tabs::lab::{Positions, view};
use crate::text::Line;
use lab::calibration::{Calibration, Figures};
use lab::spread::{MEASURED, Mean, Population, Searches, Settings, TELLING};
use report::lab::spread::{growth, relative};
use report::number;

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

    fn asked(&self, app: &App) -> Asked {
        let page = &app.lab.spread;
        let (rules, measured) = (TELLING.len(), page.names().len());
        let (count, from) = (page.count, source(app));
        let nodes = number::count(page.nodes);
        let searches = (count * measured) as f64 * page.nodes as f64;
        let (experiment, words, cpu, items) = match page.show {
            Show::Positions => (
                POSITIONS,
                format!(
                    "Searches up to {count} positions of {from} with {nodes} nodes under each of {rules} back-up rules (distress), and with bpip"
                ),
                searches * NODE,
                count * measured,
            ),
            Show::Toy => {
                let settings = Settings::default();
                (
                    TOY,
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
                CALIBRATION,
                format!(
                    "Searches up to {count} positions of {from} with {nodes} nodes under each of {rules} back-up rules and with bpip, and judges them by searches of {}",
                    number::count(page.nodes * SpreadPage::LONGER),
                ),
                searches * NODE * (1 + SpreadPage::LONGER) as f64,
                count,
            ),
        };
        Asked {
            experiment,
            words,
            cpu,
            at_a_time: app.config.threads.min(items),
            seed: match page.show {
                Show::Toy => Settings::default().seed,
                Show::Positions | Show::Calibration => app.config.seed,
            },
        }
    }

    fn course(&self, app: &App, experiment: &str) -> Option<Course> {
        let page = &app.lab.spread;
        page.progress_of(show_of(experiment)).map(course)
    }

    fn figures(&self, app: &App, experiment: &str) -> Vec<String> {
        let page = &app.lab.spread;
        match show_of(experiment) {
            Show::Positions => page.searches.known.as_ref().map(of_searches),
            Show::Toy => page.population.known.as_ref().map(of_population),
            Show::Calibration => page.calibration.known.as_ref().map(of_calibration),
        }
        .unwrap_or_default()
    }

    fn busy(&self, app: &App) -> Option<&'static str> {
        let runs = app.lab.spread.is_running();
        runs.then_some("another experiment on spread has the cores: stop it first")
    }

    fn update(&self, app: &mut App) {
        app.lab.spread.update();
    }

    fn parts(&self) -> &'static [&'static str] {
        &["chart", "figures"]
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::spread::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        match event {
            Event::Click(Target::SpreadRule(place), _) => app.lab.spread.rule = place,
            Event::Wheel(_, by) => app.walk_spread(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "spread-run",
            "lab-page",
            "spread-trees",
            "spread-calibration",
            "spread-cells",
            "spread-next",
            "spread-use",
            "spread-nodes",
            "spread-count",
            "spread-branching",
            "spread-positions",
        ]
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let page = &app.lab.spread;
        Some(match (command, page.show) {
            ("spread-run", _) if page.is_running() => "stop",
            ("spread-run", Show::Positions) => "search",
            ("spread-run", Show::Toy) => "grow",
            ("spread-run", Show::Calibration) => "judge",
            ("spread-trees", Show::Positions) => "toy trees",
            ("spread-trees", _) => "positions",
            ("spread-calibration", Show::Calibration) => "spread",
            ("spread-positions", _) if app.lab.positions == Positions::Samples => "use the opened",
            ("spread-positions", _) => "use the samples",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::spread::legend(pen, width)
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.spread.has_news()
    }
}

/// Returns how the spread grew or shrank under the rules at both ends.
fn of_searches(known: &Searches) -> Vec<String> {
    let (searched, solved) = known.searched();
    let grown = |rule: usize| {
        let means: Vec<Option<Mean>> = known.by_nodes(rule);
        let last = means.iter().flatten().next_back()?.value;
        Some((rule, last, growth(&means)?))
    };
    let mut all: Vec<_> = (0..known.rules.len()).filter_map(grown).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(narrow), Some(wide)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    let end = |what: &str, (rule, last, growth): &(usize, f64, f64)| {
        format!("{what} {}: sd {last:.2}, ×{growth:.2}", known.rules[*rule])
    };
    vec![
        format!("{} positions", searched - solved),
        end("narrowest", narrow),
        end("widest", wide),
    ]
}

/// Returns the best and the worst rule at the greatest depth that all have reached.
fn of_population(known: &Population) -> Vec<String> {
    let reached = known.depths.iter().map(Vec::len).min().unwrap_or(0);
    let at = |rule: usize| {
        let depth = known.depths[rule].get(reached.checked_sub(1)?)?;
        Some((rule, relative(known, depth)?, depth.coverage[2]))
    };
    let mut all: Vec<_> = (0..known.rules.len()).filter_map(at).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(best), Some(worst)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    let told = |what: &str, (rule, score, coverage): &(usize, f64, f64)| {
        let share = number::percent(*coverage as f32);
        format!(
            "{what} {}: score ×{score:.2}, {share} of 90 % covered",
            known.rules[*rule]
        )
    };
    vec![
        format!("depth {reached}"),
        told("best", best),
        told("worst", worst),
    ]
}

/// Returns the rules with the best and the worst score.
fn of_calibration(known: &Calibration) -> Vec<String> {
    let at = |column: usize| Some((column, known.figures(column)?));
    let mut all: Vec<_> = (0..known.columns.len()).filter_map(at).collect();
    all.sort_by(|a, b| a.1.crps.value.total_cmp(&b.1.crps.value));
    let (Some(best), Some(worst)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    let told = |what: &str, (column, figures): &(usize, Figures)| {
        let rule = MEASURED.get(*column).copied().unwrap_or_default();
        let [.., (covered, _)] = figures.coverage;
        let share = number::percent(covered as f32);
        format!(
            "{what} {rule}: score {:.3}, {share} of 90 % covered",
            figures.crps.value
        )
    };
    vec![
        format!("{} positions", best.1.n),
        told("best", best),
        told("worst", worst),
    ]
}
