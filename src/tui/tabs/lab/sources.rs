//! The questions that the sources leave open, each with the experiment that answers it.

use super::questions::{Answer, AnyRun, Question, Run, Setting};
use algorithms::{ALGORITHMS, Algorithm};
use lab::kept::Kept;
use lab::statistics::Resamples;
use lab::{cuts, focus, maximum, playouts, refutation, truth, walks};
use report::lab::{self as results, verdict};
use report::number;
use session::jobs::BackgroundJob;
use session::{Budget, Config};
use studies::compare::ColumnSpec;

/// All questions in their order.
pub static ALL: [Question; 7] = [WALKS, CUTS, MAXIMUM, FOCUS, REFUTATION, PLAYOUTS, TRUTH];

/// So many resamples give the intervals of those experiments that do not choose it themselves.
const RESAMPLES: usize = 1_000;

/// The post on futility margins: the change of the static value along walks, and the number of independent bets.
const WALKS: Question = Question {
    name: "walks",
    question: verdict::walks::QUESTION,
    unit: "positions",
    needs_positions: true,
    counts: [50, 100, 200, 400, 1_000],
    nodes: &[500, 2_000, 10_000],
    words: |Setting { count, nodes }, from| {
        format!(
            "Walks from up to {count} positions of {from}, 12 plies of moves at random and of an alpha-beta's with {} nodes each, and looks at all positions up to 3 plies away",
            number::count(*nodes)
        )
    },
    cpu: |s| s.count as f64 * (0.007 + 5e-6 * s.nodes as f64),
    start: |with| {
        let all = with.positions.len();
        let plan = walks::Plan {
            positions: with.positions,
            plies: 12,
            walks: 8,
            nodes: with.nodes,
            tree: 3,
            seed: with.seed,
            at_a_time: with.at_a_time,
        };
        begun(walks::start(plan, Kept::default()), move |found, whole| {
            Answer::of(&results::walks::Results::new(
                &with.source,
                all,
                whole,
                found,
            ))
        })
    },
};

/// Imperfect players: what probabilistic cuts claim against what holds.
const CUTS: Question = Question {
    name: "cuts",
    question: verdict::cuts::QUESTION,
    unit: "searches",
    needs_positions: true,
    counts: [25, 50, 100, 200, 400],
    nodes: &[5_000, 20_000, 100_000],
    words: |Setting { count, nodes }, from| {
        format!(
            "Searches up to {count} positions of {from} by prob-alpha-beta with {} nodes, as in Explore and with other doubts, and asks an alpha-beta that looks 2 plies deeper about one cut in 20",
            number::count(*nodes)
        )
    },
    cpu: |s| 5e-6 * s.count as f64 * s.nodes as f64,
    start: |with| {
        let columns = columns(&with.config, &cuts::USUAL, cuts::ALGORITHM)?;
        let (all, seed) = (with.positions.len(), with.seed);
        let budget = Budget::Nodes(with.nodes);
        let (audit, plies) = (20, 2);
        let plan = cuts::Plan {
            positions: with.positions,
            columns,
            budget,
            audit,
            plies,
            at_a_time: with.at_a_time,
        };
        begun(cuts::start(plan, Kept::default()), move |found, whole| {
            Answer::of(&results::cuts::Results {
                source: &with.source,
                positions: all,
                budget: &budget.to_string(),
                audit,
                plies,
                complete: whole,
                resamples: &Resamples::new(found.searched(), RESAMPLES, seed),
                found,
            })
        })
    },
};

/// The DISTRESS essay: whether three numbers of each move can tell those of the best.
const MAXIMUM: Question = Question {
    name: "maximum",
    question: verdict::maximum::QUESTION,
    unit: "cases",
    needs_positions: false,
    counts: [10, 20, 50, 100, 200],
    nodes: &[],
    words: |Setting { count, .. }, _| {
        format!(
            "Draws {count} sets of values for each number of moves from 2 to 218, each ratio of spreads from 1 to 8 and each of six trees, and compares ways to their maximum with the exact one"
        )
    },
    cpu: |s| 0.7 * s.count as f64,
    start: |with| {
        let plan = maximum::Plan {
            draws: with.count,
            ratio: 4.0,
            seed: with.seed,
            at_a_time: with.at_a_time,
        };
        begun(
            maximum::start(plan, Kept::default()),
            move |found, complete| {
                Answer::of(&results::maximum::Results {
                    plan: &plan,
                    complete,
                    found,
                })
            },
        )
    },
};

/// The DISTRESS essay: cutting off moves of little policy.
const FOCUS: Question = Question {
    name: "focus",
    question: verdict::focus::QUESTION,
    unit: "positions",
    needs_positions: true,
    counts: [10, 25, 50, 100, 200],
    nodes: &[500, 2_000, 20_000],
    words: |Setting { count, nodes }, from| {
        format!(
            "Searches up to {count} positions of {from} by distress with {} nodes, leaves out moves of little policy, and lets alpha-beta say with 10k nodes a move what that loses",
            number::count(*nodes)
        )
    },
    cpu: |s| s.count as f64 * (0.38 + 1e-6 * s.nodes as f64),
    start: |with| {
        let config = own(&with.config, focus::ALGORITHM);
        let config = config.unwrap_or_else(|| Config::new(focus::ALGORITHM));
        let column = ColumnSpec::Own(config.clone()).to_string();
        let nodes = (with.nodes, 10_000);
        let plan = focus::Plan {
            positions: with.positions,
            config,
            nodes: nodes.0,
            judge_nodes: nodes.1,
            seed: with.seed,
            at_a_time: with.at_a_time,
        };
        begun(focus::start(plan, Kept::default()), move |found, whole| {
            let of = (with.source.as_str(), column.as_str());
            Answer::of(&results::focus::Results::new(of, nodes, whole, found))
        })
    },
};

/// The DISTRESS essay: "overcome given provocation".
const REFUTATION: Question = Question {
    name: "refutation",
    question: verdict::refutation::QUESTION,
    unit: "searches",
    needs_positions: false,
    counts: [10, 25, 50, 100, 200],
    nodes: &[10_000, 50_000, 200_000],
    words: |Setting { count, nodes }, _| {
        format!(
            "Searches {count} random trees, in which a reply hidden for 5 plies refutes the move that looks best, by distress with several back-ups and by alpha-beta, {} nodes each",
            number::count(*nodes)
        )
    },
    cpu: |s| 1.3e-5 * s.count as f64 * s.nodes as f64,
    start: |with| {
        let plan = refutation::Plan {
            columns: columns(&with.config, &refutation::USUAL, Algorithm::Distress)?,
            branching: 8,
            hidden: 5,
            trees: with.count,
            nodes: with.nodes,
            seed: with.seed,
            at_a_time: with.at_a_time,
        };
        let run = refutation::start(plan.clone(), Kept::default());
        begun(run, move |found, complete| {
            Answer::of(&results::refutation::Results {
                plan: &plan,
                complete,
                resamples: &Resamples::new(found.searched(), RESAMPLES, plan.seed),
                found,
            })
        })
    },
};

/// The mail on point differential: whether the end of a playout tells of its leaf.
const PLAYOUTS: Question = Question {
    name: "playouts",
    question: verdict::playouts::QUESTION,
    unit: "positions",
    needs_positions: true,
    counts: [50, 100, 200, 400, 1_000],
    nodes: &[],
    words: |Setting { count, .. }, from| {
        format!(
            "Plays from up to {count} positions of {from} 20 playouts of each length from 4 to 256 plies, and compares the material at their ends with that where they began"
        )
    },
    cpu: |s| 0.0025 * s.count as f64,
    start: |with| {
        let plan = playouts::Plan {
            positions: with.positions,
            playouts: 20,
            seed: with.seed,
            at_a_time: with.at_a_time,
        };
        let playouts = plan.playouts;
        begun(
            playouts::start(plan, Kept::default()),
            move |found, whole| {
                Answer::of(&results::playouts::Results::new(
                    &with.source,
                    playouts,
                    whole,
                    found,
                ))
            },
        )
    },
};

/// The board on which the workbench looks for the truth.
const BOARD: truth::Board = truth::Board::TIC_TAC_TOE;

/// Whether searches prove what is so: known truth, where a game can be solved.
const TRUTH: Question = Question {
    name: "truth",
    question: verdict::truth::QUESTION,
    unit: "positions",
    needs_positions: false,
    counts: [50, 100, 200, 1_000, 10_000],
    nodes: &[100, 300, 1_000],
    words: |Setting { count, nodes }, _| {
        format!(
            "Searches up to {} positions of tic-tac-toe by every algorithm with {} nodes each, and judges all nodes of the trees by an exact solver",
            number::count(*count as u64),
            number::count(*nodes)
        )
    },
    cpu: |s| 2e-5 * s.count.min(4_520) as f64 * s.nodes.min(500) as f64,
    start: |with| {
        let columns = ALGORITHMS.each_ref().map(|row| row.name);
        let which = truth::Which::Drawn {
            count: with.count,
            seed: with.seed,
        };
        let positions = truth::Positions::of(BOARD, which);
        let plan = truth::Plan {
            positions,
            columns: columns_of(&columns)?,
            nodes: with.nodes,
            at_a_time: with.at_a_time,
        };
        let (wanted, seed) = (plan.positions.cases.len(), with.seed);
        let spent = (wanted, with.nodes);
        begun(truth::start(plan, Kept::default()), move |found, whole| {
            let resamples = Resamples::new(found.known().count(), RESAMPLES, seed);
            let report = results::truth::Results::new(BOARD, spent, whole, &resamples, found);
            Answer::of(&report)
        })
    },
};

/// Returns Explore's configuration on one thread, if it is of this algorithm.
fn own(explore: &Config, algorithm: Algorithm) -> Option<Config> {
    (explore.algorithm == algorithm).then(|| Config {
        options: explore.options.clone(),
        ..Config::new(algorithm)
    })
}

/// Returns the usual columns, before them Explore's if it is of this algorithm and not among them.
///
/// # Errors
/// If a column cannot be made.
fn columns(
    explore: &Config,
    usual: &[&str],
    algorithm: Algorithm,
) -> Result<Vec<ColumnSpec>, String> {
    let mut columns = columns_of(usual)?;
    if let Some(own) = own(explore, algorithm).map(ColumnSpec::Own)
        && columns
            .iter()
            .all(|usual| usual.to_string() != own.to_string())
    {
        columns.insert(0, own);
    }
    Ok(columns)
}

/// Returns the columns of these names.
///
/// # Errors
/// If a column cannot be made.
fn columns_of(names: &[&str]) -> Result<Vec<ColumnSpec>, String> {
    let base = Config::new(Algorithm::DEFAULT);
    let columns = names.iter().map(|text| ColumnSpec::parse(text, &base));
    columns.collect::<Result<_, _>>().map_err(|e| e.to_string())
}

/// Returns an experiment that has begun, with its results.
fn begun<F, E>(
    job: Result<BackgroundJob<F>, E>,
    answer: impl Fn(&F, bool) -> Answer + Clone + Send + 'static,
) -> Result<Box<dyn AnyRun>, String>
where
    F: Clone + Send + 'static,
    E: std::fmt::Display,
{
    let job = job.map_err(|e| e.to_string())?;
    Ok(Box::new(Run { job, answer }))
}
