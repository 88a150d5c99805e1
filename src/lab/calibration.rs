//! The Lab's experiment on calibration: compares what searches believe about a root with the verdict of a stronger
//! search, or of the same search after many more nodes.

use std::sync::Arc;

use fastrand::Rng;

use super::control;
pub use super::figures::{Figures, Judged};
use super::kept::Kept;
use super::report::Sample;
use super::spread::Mean;
use super::{PlanError, Position};
use belief::score::Forecast;
use eval::fitted::Features;
use game::load::Label;
use game::{MoveCode, Situation};
use search::StopReason;
use session::Budget;
use session::jobs::{BackgroundJob, Worker};
use session::{Subject, Summary};
use studies::compare::{ColumnSpec, Face};
use studies::suite::ColumnRunner;
use studies::suite::statistics::{Interval, wilson};

/// A position, and what is taken as the truth about it.
#[derive(Clone, Debug)]
pub struct Case {
    pub subject: Subject,
    /// The expected score for the side to move; `None` if only moves are known.
    pub verdict: Option<f32>,
    /// The best moves, if they are known.
    pub best: Vec<MoveCode>,
}

impl Case {
    pub fn labelled(label: Label) -> Case {
        Case {
            subject: Subject::from(Situation::new(label.position)),
            verdict: label.verdict,
            best: label.best,
        }
    }

    /// Returns a case whose truth is to be found by a longer search.
    pub fn unknown(position: Position) -> Case {
        Case {
            subject: position.subject,
            verdict: None,
            best: Vec::new(),
        }
    }
}

/// Selects this many labels at random from however many are offered (Vitter's algorithm R), reproducibly for a given
/// seed.
#[derive(Debug)]
pub struct Reservoir {
    wanted: usize,
    rng: Rng,
    offered: usize,
    kept: Vec<Label>,
}

impl Reservoir {
    pub fn new(wanted: usize, seed: u64) -> Self {
        Reservoir {
            wanted: wanted.max(1),
            rng: Rng::with_seed(seed),
            offered: 0,
            kept: Vec::new(),
        }
    }

    pub fn offer(&mut self, label: Label) {
        self.offered += 1;
        if self.kept.len() < self.wanted {
            self.kept.push(label);
            return;
        }
        let place = self.rng.usize(..self.offered);
        if let Some(slot) = self.kept.get_mut(place) {
            *slot = label;
        }
    }

    /// Returns how many labels were offered.
    pub fn offered(&self) -> usize {
        self.offered
    }

    /// Returns the labels in the order of their file.
    pub fn finish(mut self) -> Vec<Label> {
        self.kept.sort_by_key(|label| label.line);
        self.kept
    }
}

/// What is asked of which searches.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cases: Vec<Case>,
    pub columns: Vec<ColumnSpec>,
    pub budget: Budget,
    /// Each column's truth is its own search with this budget; `None` means the cases' verdicts.
    pub longer: Option<Budget>,
    /// The number of positions searched at a time.
    pub at_a_time: usize,
}

/// What one search said about one position.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// The expected score for the side to move.
    pub mean: f64,
    /// Whether it has a value but no distribution, at least for this position.
    pub is_point: bool,
    /// The answer compared with the truth, if that is a value.
    pub judged: Option<Judged>,
    /// Whether its move is among the best ones, if those are known.
    pub agrees: Option<bool>,
    pub nodes: u64,
    /// The data from which its reported belief can be fitted, with the truth.
    pub sample: Option<Sample>,
}

/// What is known so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The columns as written on the command line.
    pub columns: Vec<String>,
    /// By position, then by column; `Err` if the column failed.
    pub answers: Vec<Vec<Option<Result<Answer, String>>>>,
}

impl Calibration {
    fn whole(&self) -> impl Iterator<Item = Vec<&Answer>> {
        self.answers.iter().filter_map(|row| {
            let answers = row.iter().map(|a| a.as_ref().and_then(|a| a.as_ref().ok()));
            answers.collect::<Option<Vec<&Answer>>>()
        })
    }

    /// Returns the number of positions that all columns have answered.
    pub fn answered(&self) -> usize {
        self.whole().count()
    }

    /// Returns why columns failed to answer, each reason once.
    pub fn troubles(&self) -> Vec<&str> {
        let all = self.answers.iter().flatten().flatten();
        let mut troubles: Vec<&str> = all
            .filter_map(|a| a.as_ref().err())
            .map(String::as_str)
            .collect();
        troubles.sort_unstable();
        troubles.dedup();
        troubles
    }

    /// Returns the data from which a column's reported belief can be fitted, position by position.
    pub fn samples(&self, column: usize) -> Vec<Sample> {
        self.whole().filter_map(|row| row[column].sample).collect()
    }

    /// Returns a column's answers for positions whose truth is a value, with their judgements.
    fn judged(&self, column: usize) -> Vec<(&Answer, Judged)> {
        let answers = self.whole().map(|row| row[column]);
        answers.filter_map(|a| Some((a, a.judged?))).collect()
    }

    /// Returns a column's figures, or `None` before there are any.
    pub fn figures(&self, column: usize) -> Option<Figures> {
        let answers = self.judged(column);
        let judged: Vec<Judged> = answers.iter().map(|(_, judged)| *judged).collect();
        let points = answers.iter().filter(|(a, _)| a.is_point).count();
        Figures::of(&judged, points)
    }

    /// Returns the figures of the control: a column's mean with a width from the errors of the other positions
    /// ([`control::judge`]). `None` if there are too few positions.
    pub fn control(&self, column: usize) -> Option<Figures> {
        Figures::of(&self.controlled(column)?, 0)
    }

    fn controlled(&self, column: usize) -> Option<Vec<Judged>> {
        let answers = self.judged(column);
        let pair = |(a, judged): &(&Answer, Judged)| (a.mean, a.mean - judged.error);
        control::judge(&answers.iter().map(pair).collect::<Vec<_>>())
    }

    /// Returns how much worse the score of a column's belief is than that of a column's control (its own if the two are
    /// the same), position by position. Below 0 the belief says more than that value with an error bar.
    pub fn against_control(&self, column: usize, other: usize) -> Option<Mean> {
        let (told, control) = (self.judged(column), self.controlled(other)?);
        let differences = told.iter().zip(&control).map(|((_, a), b)| a.crps - b.crps);
        Mean::of(&differences.collect::<Vec<f64>>())
    }

    /// Returns how often a column's move is among the best ones, the number of positions where those are known, and the
    /// 95 % interval of the share (Wilson). `None` if they are known nowhere.
    pub fn agreement(&self, column: usize) -> Option<(usize, usize, Interval)> {
        let known: Vec<bool> = self.whole().filter_map(|row| row[column].agrees).collect();
        let hits = known.iter().filter(|a| **a).count();
        Some((hits, known.len(), wilson(hits, known.len())?))
    }
}

/// Starts the experiment: position after position, each with all columns.
///
/// # Errors
/// See [`PlanError`].
pub fn start(
    plan: Plan,
    kept: Kept<Result<Answer, String>>,
) -> Result<BackgroundJob<Calibration>, PlanError> {
    if plan.cases.is_empty() {
        return Err(PlanError::NoCase);
    }
    if plan.columns.is_empty() {
        return Err(PlanError::NoColumn);
    }
    let width = plan.columns.len();
    let empty = Calibration {
        columns: plan.columns.iter().map(ToString::to_string).collect(),
        answers: vec![vec![None; width]; plan.cases.len()],
    };
    let searches = plan.cases.len() * width;
    let plan = Arc::new(plan);
    let asked = Arc::clone(&plan);
    let job = kept.only(Result::is_ok).start(
        plan.at_a_time,
        (searches, width),
        empty,
        move || Asker::new(&asked),
        move |asker, number, worker| asker.ask(&plan.cases[number / width], number % width, worker),
        move |known, number, answer| {
            known.answers[number / width][number % width] = Some(answer);
        },
    )?;
    Ok(job)
}

/// Runs one search at a time, followed by the longer one that judges it.
#[derive(Debug)]
struct Asker {
    runner: ColumnRunner,
    longer: Option<ColumnRunner>,
}

/// The data taken from a search.
struct SearchReading {
    summary: Summary,
    forecast: Option<Forecast>,
    trouble: Option<String>,
    /// See [`search::Fitted`].
    basis: Option<(f32, Features)>,
}

impl Asker {
    fn new(plan: &Plan) -> Asker {
        Asker {
            runner: ColumnRunner::new(&plan.columns, plan.budget),
            longer: plan
                .longer
                .map(|budget| ColumnRunner::new(&plan.columns, budget)),
        }
    }

    /// Returns the answer, or `None` if the search was stopped before there was one.
    fn ask(
        &mut self,
        case: &Case,
        column: usize,
        worker: &Worker,
    ) -> Option<Result<Answer, String>> {
        let reading = match search(&mut self.runner, case, column, worker)? {
            Ok(reading) => reading,
            Err(trouble) => return Some(Err(trouble)),
        };
        let Some(longer) = &mut self.longer else {
            return Some(reading.answer(case.verdict.map(f64::from), &case.best));
        };
        let truth = match search(longer, case, column, worker)? {
            Ok(truth) => truth.summary,
            Err(trouble) => return Some(Err(trouble)),
        };
        let best: Vec<MoveCode> = truth.best.iter().map(|b| b.code).collect();
        Some(reading.answer(mean(&truth), &best))
    }
}

fn search(
    runner: &mut ColumnRunner,
    case: &Case,
    column: usize,
    worker: &Worker,
) -> Option<Result<SearchReading, String>> {
    let halted = || worker.pool.is_stopped();
    let reading = runner.search(&case.subject, column, halted, SearchReading::of);
    let broken_off = match &reading {
        Ok(reading) => matches!(reading.summary.stopped_by(), None | Some(StopReason::User)),
        Err(_) => false,
    };
    if halted() || (broken_off && reading.as_ref().is_ok_and(|s| s.trouble.is_none())) {
        return None;
    }
    Some(reading)
}

/// Returns the root's expected score: the belief's mean if there is a belief.
fn mean(summary: &Summary) -> Option<f64> {
    let belief = summary.belief.as_ref().map(|b| b.mean);
    belief.or(summary.score.expected).map(f64::from)
}

impl SearchReading {
    fn of(face: Face) -> SearchReading {
        let summary = face.summary();
        let grid = face.reader().tree.grid();
        let forecast = summary.belief.as_ref().map(|belief| belief.forecast(grid));
        SearchReading {
            basis: face.reader().fitted().map(|fitted| fitted.basis),
            forecast,
            trouble: face.trouble().map(|t| t.message),
            summary,
        }
    }

    fn answer(&self, truth: Option<f64>, best: &[MoveCode]) -> Result<Answer, String> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let nothing = || String::from("found no value for a position, expected one");
        let (Some(mean), Some(forecast)) = (mean(&self.summary), &self.forecast) else {
            return Err(nothing());
        };
        let point = |b: &session::NodeBelief| !b.is_distribution();
        let played = self.summary.best.as_ref().map(|b| b.code);
        Ok(Answer {
            mean,
            is_point: self.summary.belief.as_ref().is_none_or(point),
            judged: truth.map(|truth| Judged {
                pit: forecast.pit(truth),
                crps: forecast.crps(truth),
                error: mean - truth,
            }),
            agrees: (!best.is_empty()).then(|| played.is_some_and(|m| best.contains(&m))),
            nodes: self.summary.status.totals.nodes,
            sample: self
                .basis
                .zip(truth)
                .map(|((mean_logit, features), truth)| Sample {
                    mean_logit,
                    features,
                    truth,
                }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;
    use game::load::labels;
    use session::Config;

    fn labels(n: usize) -> Vec<Label> {
        let lines = include_str!("../../sample-positions/labels/sample.tsv").lines();
        let mut reservoir = Reservoir::new(n, 7);
        for (i, line) in lines.enumerate() {
            let label = labels::parse(line).expect("a label");
            reservoir.offer(Label {
                line: i as u32 + 1,
                ..label
            });
        }
        assert_eq!(reservoir.offered(), 526);
        reservoir.finish()
    }

    fn plan(columns: &[&str], n: usize) -> Plan {
        let base = Config {
            memory: 32 << 20,
            ..Config::new(Algorithm::AlphaBeta)
        };
        let column = |c: &&str| ColumnSpec::parse(c, &base).expect("a column");
        Plan {
            cases: labels(n).into_iter().map(Case::labelled).collect(),
            columns: columns.iter().map(column).collect(),
            budget: Budget::Nodes(300),
            longer: None,
            at_a_time: 2,
        }
    }

    fn found(plan: Plan) -> Calibration {
        let mut run = start(plan, Kept::default()).expect("a plan");
        run.join();
        run.findings()
    }

    #[test]
    fn samples_are_seeded_and_in_order() {
        let lines = |labels: Vec<Label>| labels.iter().map(|l| l.line).collect::<Vec<u32>>();
        let one = lines(labels(40));
        assert_eq!(one, lines(labels(40)));
        assert!(one.is_sorted_by(|a, b| a < b) && one.len() == 40);
        assert_ne!(one, (1..=40).collect::<Vec<u32>>());
    }

    #[test]
    fn columns_are_judged_on_the_same_positions() {
        let known = found(plan(&["distress", "alpha-beta"], 24));
        assert_eq!(known.answered(), 24);
        let [wide, point] = [0, 1].map(|c| known.figures(c).expect("figures"));
        assert_eq!((wide.n, point.n), (24, 24));
        assert!(point.points > wide.points);
        for figures in [&wide, &point] {
            assert!((figures.pit.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let [half, most, nearly] = figures.coverage.map(|c| c.0);
            assert!(half <= most && most <= nearly);
            // This is better than knowing nothing at all, which scores at least 1/6.
            assert!(
                figures.crps.value > 0.0 && figures.crps.value < 0.3,
                "{figures:?}"
            );
            assert!(figures.rmse >= figures.bias.value.abs());
        }
        // The score of a point is its distance.
        let row = &known.answers[0][1];
        let answer = row
            .as_ref()
            .and_then(|a| a.as_ref().ok())
            .expect("an answer");
        let judged = answer.judged.expect("a value");
        assert!((judged.crps - judged.error.abs()).abs() < 1e-6);
        let (hits, n, (low, high)) = known.agreement(0).expect("moves");
        let share = hits as f64 / n as f64;
        assert!(n == 24 && low <= share && share <= high);
    }

    #[test]
    fn a_search_can_be_its_own_judge() {
        let longer = Plan {
            longer: Some(Budget::Nodes(1_500)),
            ..plan(&["distress"], 6)
        };
        let known = found(longer);
        let figures = known.figures(0).expect("figures");
        assert_eq!((figures.n, known.answered()), (6, 6));
        // The same budget finds the same value, so there is no error at all.
        let same = Plan {
            longer: Some(Budget::Nodes(300)),
            ..plan(&["distress"], 6)
        };
        let known = found(same);
        let figures = known.figures(0).expect("figures");
        assert_eq!((figures.rmse, figures.bias.value), (0.0, 0.0));
        let (hits, n, _) = known.agreement(0).expect("moves");
        assert_eq!(hits, n);
    }

    #[test]
    fn nothing_to_do_is_refused() {
        let nothing = plan(&[], 3);
        assert_eq!(
            start(nothing, Kept::default()).err(),
            Some(PlanError::NoColumn)
        );
        let nobody = Plan {
            cases: Vec::new(),
            ..plan(&["mcts"], 1)
        };
        assert_eq!(
            start(nobody, Kept::default()).err(),
            Some(PlanError::NoCase)
        );
    }
}
