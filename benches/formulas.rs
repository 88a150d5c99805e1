//! What a formula costs in a hot place: nodes per second of processor time with one, divided by those with what is built in and
//! grows the same tree.
//!
//! `cargo bench --bench formulas`: both take turns, and each figure is the median of several turns' ratios.

use algorithms::Algorithm;
use game::Situation;
use game::load::fen;
use session::{Config, Session, Subject};

const POSITIONS: [(&str, &str); 2] = [
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        "quiet-middlegame",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    ),
];
const TURNS: usize = 9;

/// An algorithm, the options of what is built in, those of the formula, and the nodes of a turn.
type Case = (
    Algorithm,
    &'static [&'static str],
    &'static [&'static str],
    u64,
);

const CASES: [Case; 9] = [
    (
        Algorithm::Mcts,
        &[],
        &["select=Q + 1.5*P*sqrt(N)/(1 + n)"],
        300_000,
    ),
    (Algorithm::Mcts, &[], &["back-up=1*mean"], 300_000),
    (
        Algorithm::Distress,
        &["backup=exp:1.5"],
        &["backup=1 - exp(-1.5*H)"],
        60_000,
    ),
    (
        Algorithm::Distress,
        &["allocation=criticality"],
        &["allocation=policy*urgency"],
        60_000,
    ),
    (
        Algorithm::Distress,
        &[],
        &["leaf-urgency=sd/sqrt(price)"],
        60_000,
    ),
    (
        Algorithm::Distress,
        &[],
        &["expand-depth=min(3 + max(0, log(0.1/criticality)/log(4)), 8)"],
        60_000,
    ),
    (Algorithm::Distress, &[], &["choose=1*policy"], 60_000),
    (
        Algorithm::AlphaBeta,
        &[],
        &["futility-when=depth <= 6"],
        500_000,
    ),
    (
        Algorithm::AlphaBeta,
        &[],
        &["reverse-futility-when=depth <= 8"],
        500_000,
    ),
];

fn main() {
    for (algorithm, built_in, formula, nodes) in CASES {
        for (name, position) in POSITIONS {
            let mut ratios: Vec<f64> = (0..TURNS)
                .map(|_| {
                    let plain = seconds_a_node(algorithm, built_in, position, nodes);
                    let own = [built_in, formula].concat();
                    plain / seconds_a_node(algorithm, &own, position, nodes)
                })
                .collect();
            ratios.sort_by(f64::total_cmp);
            let (low, middle, high) = (ratios[1], ratios[TURNS / 2], ratios[TURNS - 2]);
            println!(
                "{algorithm} {} {name}: {middle:.3} of the nodes per second ({low:.3} to {high:.3})",
                formula.join(" ")
            );
        }
    }
}

/// The processor time that a node takes.
fn seconds_a_node(algorithm: Algorithm, options: &[&str], position: &str, nodes: u64) -> f64 {
    let position = fen::parse(position).expect("a FEN").position;
    let mut config = Config::new(algorithm);
    config.threads = 1;
    config.limits.nodes = Some(nodes);
    for pair in options {
        config.options.set_pair(pair).expect("an option");
    }
    let mut session = Session::start(Subject::from(Situation::new(position)), config);
    session.join();
    let status = session.status();
    status.cpu.as_secs_f64() / status.totals.nodes as f64
}
