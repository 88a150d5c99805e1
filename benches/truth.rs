//! What searches claim of every position of a small game, against the exact results of a solver that shares only the rules with
//! them: proofs that are false, moves that lose something, and how good beliefs are.
//!
//! `cargo run --release --features examples --example truth [-- BOARD [NODES [EVERY]]]`
//!
//! BOARD is 3x3 (tic-tac-toe), 4x4 (the default) or another size of Connect Four, NODES the limit of each search (300), and only
//! every EVERY-th position is searched (1). Controls: the share of positions in which any move keeps the result, and the CRPS of the
//! belief that the result is one of all positions' results as often as it occurs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use algorithms::{ALGORITHMS, Algorithm};
use belief::score::Forecast;
use game::{Game, Situation};
use games::in_a_row::solver::Solver;
use games::in_a_row::{InARow, Rules};
use search::Limits;
use session::{Config, Session, Subject};
use tree::Tree;

/// What became of the searches of one algorithm.
#[derive(Clone, Debug, Default)]
struct Tally {
    searches: usize,
    /// Searches that prove a win, a loss or a draw, and those of them that are wrong.
    proven: usize,
    false_proofs: usize,
    nodes_of_proven: u64,
    /// Moves that keep the result.
    keeps: usize,
    beliefs: usize,
    crps: f64,
}

/// A position with its result, and the share of its moves that keep it.
struct Case {
    position: InARow,
    truth: i32,
    by_chance: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| {
        let text = arguments
            .get(at)
            .map(|text| text.parse().expect("a number"));
        text.unwrap_or(usual)
    };
    let board = arguments.first().map_or("4x4", String::as_str);
    let rules = rules(board).expect("a board such as 3x3, 4x4 or 7x6");
    let (nodes, every) = (number(1, 300), number(2, 1) as usize);
    let cases = cases(rules, every);
    let n = cases.len() as f64;
    let share = |truth: i32| cases.iter().filter(|c| c.truth == truth).count() as f64 / n;
    let (lost, drawn, won) = (share(-1), share(0), share(1));
    println!(
        "{board}: {n} positions, for the side to move {:.1} % won, {:.1} % drawn, {:.1} % lost; {nodes} nodes",
        100.0 * won,
        100.0 * drawn,
        100.0 * lost
    );
    println!("| | proven | false proofs | mean nodes | keeps the result | CRPS |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for row in &ALGORITHMS {
        let tally = tally(&cases, row.algorithm, nodes);
        let all = tally.searches as f64;
        let crps = match tally.beliefs {
            0 => String::new(),
            n => format!("{:.3}", tally.crps / n as f64),
        };
        println!(
            "| {} | {:.1} % | {} | {:.0} | {:.2} % | {crps} |",
            row.name,
            100.0 * tally.proven as f64 / all,
            tally.false_proofs,
            tally.nodes_of_proven as f64 / (tally.proven.max(1)) as f64,
            100.0 * tally.keeps as f64 / all,
        );
    }
    let by_chance = cases.iter().map(|c| c.by_chance).sum::<f64>() / n;
    // The squares of the differences of the distribution functions, from -1 to 0 and from 0 to 1.
    let climate = lost * (1.0 - lost) + won * (1.0 - won);
    println!(
        "| *control* | | | | {:.2} % | {climate:.3} |",
        100.0 * by_chance
    );
}

fn rules(board: &str) -> Option<Rules> {
    let (width, height) = board.split_once('x')?;
    match board {
        "3x3" => Some(Rules::TIC_TAC_TOE),
        _ => Rules::connect_four(width.parse().ok()?, height.parse().ok()?),
    }
}

/// All positions that can come up and in which the game is not over, ply by ply.
fn cases(rules: Rules, every: usize) -> Vec<Case> {
    let mut solver = Solver::new(1 << 22);
    let (mut cases, mut seen, mut number) = (Vec::new(), HashSet::new(), 0);
    let mut front = vec![InARow::new(rules)];
    while !front.is_empty() {
        let mut next = Vec::new();
        for position in front {
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let after = moves.iter().map(|m| {
                let mut after = position;
                after.play(*m);
                after
            });
            let after: Vec<InARow> = after.collect();
            if number % every == 0 {
                let results = after.iter().map(|p| -solver.solve(p).sign());
                let results: Vec<i32> = results.collect();
                let truth = *results.iter().max().expect("a move");
                let kept = results.iter().filter(|r| **r == truth).count();
                cases.push(Case {
                    position,
                    truth,
                    by_chance: kept as f64 / results.len() as f64,
                });
            }
            number += 1;
            next.extend(after.into_iter().filter(|p| seen.insert(p.key())));
        }
        front = next;
    }
    cases
}

/// Searches all positions, on all cores.
fn tally(cases: &[Case], algorithm: Algorithm, nodes: u64) -> Tally {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut tally, mut solver) = (Tally::default(), Solver::new(1 << 16));
        while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
            tally.add(case, algorithm, nodes, &mut solver);
        }
        tally
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Tally> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|t| t.join().expect("no panic"));
        ended.collect()
    });
    parts.into_iter().fold(Tally::default(), Tally::and)
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            searches: self.searches + other.searches,
            proven: self.proven + other.proven,
            false_proofs: self.false_proofs + other.false_proofs,
            nodes_of_proven: self.nodes_of_proven + other.nodes_of_proven,
            keeps: self.keeps + other.keeps,
            beliefs: self.beliefs + other.beliefs,
            crps: self.crps + other.crps,
        }
    }

    fn add(&mut self, case: &Case, algorithm: Algorithm, nodes: u64, solver: &mut Solver) {
        let config = Config {
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            memory: 8 << 20,
            table: 1 << 18,
            threads: 1,
            ..Config::new(algorithm)
        };
        let subject = Subject::of(Situation::new(case.position));
        let mut session = Session::start(subject, config);
        session.join();
        let summary = session.summary();
        let proof = summary.score.proof;
        self.searches += 1;
        if proof.is_certain() {
            self.proven += 1;
            self.nodes_of_proven += summary.status.totals.nodes;
        }
        let says = |truth: i32| match truth {
            1 => !proof.upper.is_loss() && proof.upper > game::Score::DRAW,
            -1 => !proof.lower.is_win() && proof.lower < game::Score::DRAW,
            _ => proof.lower <= game::Score::DRAW && proof.upper >= game::Score::DRAW,
        };
        self.false_proofs += usize::from(!says(case.truth));
        if let Some(best) = session.best_to_play()
            && let Some(after) = case.position.after(best)
        {
            self.keeps += usize::from(-solver.solve(&after).sign() == case.truth);
        }
        let reader = session.reader();
        if let Some(belief) = reader.tree.belief(Tree::ROOT) {
            let forecast = Forecast::of(&belief.density(), reader.tree.grid());
            self.beliefs += 1;
            self.crps += forecast.crps(case.truth.into());
        }
    }
}
