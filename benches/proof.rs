//! The cost of showing a proof in the explorer of a large tree.
//!
//! `cargo bench --bench proof`; `PROOF_NODES=1000000` uses a smaller tree than ten million nodes.

use std::time::Instant;

use algorithms::Algorithm;
use game::Situation;
use game::load::fen;
use session::{Config, Session, Subject};
use tree::NodeId;
use tui::panes::tree::{Explorer, Filter};

/// A mate in four that visits alone do not prove.
const POSITION: &str = "6K1/1B1NR2p/2rpP3/1p1k1p2/1R4Pn/1pB5/2N1P3/rbbq4 w - - 0 1";

fn main() {
    let set = std::env::var("PROOF_NODES").ok();
    let nodes: u64 = set.and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let situation = Situation::new(fen::parse(POSITION).expect("a FEN").position);
    let mut config = Config {
        memory: nodes * 64,
        threads: 1,
        ..Config::new(Algorithm::Mcts)
    };
    config.options.set("hunt-share", "0").expect("an option");
    let mut session = Session::start(Subject::from(situation), config);
    session.join();
    let reader = session.reader();
    let tree = reader.tree;
    // Places that were allocated but not used have no parent.
    let used = |id: NodeId| !tree.node(id).parent().is_none();
    let proven = |id: &NodeId| used(*id) && tree.node(*id).proof().is_certain();
    let mut found: Vec<(usize, NodeId)> = tree
        .ids()
        .filter(proven)
        .filter_map(|id| Some((reader.proof_size(id, 4_000)?.nodes, id)))
        .collect();
    found.sort_unstable();
    println!("{} nodes, {} of them proven", tree.len(), found.len());
    for &(size, id) in found.iter().rev().step_by(found.len() / 5 + 1) {
        let mut explorer = Explorer::default();
        explorer.refresh(reader, false);
        explorer.reveal(reader, id);
        let began = Instant::now();
        let shown = explorer.show_proof(reader);
        explorer.refresh(reader, false);
        let took = began.elapsed();
        let (rows, hidden) = (explorer.rows().len(), explorer.hidden());
        assert!(shown.is_some() && explorer.filter == Filter::Proof);
        println!(
            "  a proof of {size} nodes (counted up to 4,000): {took:?}, {rows} rows, {hidden} hidden"
        );
    }
}
