//! Games other than chess are searched through pointers. Chess, which is also searched in its own types, shows that both
//! ways are the same search.

use algorithms::{ALGORITHMS, Algorithm, JobParts, with_erased_job, with_job};
use common::KIWIPETE;
use game::Game;
use search::common::table::Tables;
use search::{Choices, Control, Options, Start, Subject};
use tree::Tree;

/// A pawn ending: passing, mobility and material matter in other ways than with many pieces.
const ENDING: &str = "8/8/1p1k4/p1p2p1p/P1P2K1P/1P6/8/8 w - - 0 1";

/// Nodes of each search.
const NODES: u64 = 20_000;

/// Returns the best move and every node that the search recorded, in words.
pub fn searched(
    algorithm: Algorithm,
    subject: &Subject,
    options: &Options,
    nodes: u64,
    erased: bool,
) -> (Start, Vec<String>) {
    let tree = Tree::new(algorithm.tree_spec(subject.position.scale(), 64 << 20, u16::MAX));
    let parts = JobParts {
        algorithm,
        tree: &tree,
        tables: &Tables::new(1 << 20),
        endgames: None,
        options,
        control: &Control::new(common::nodes(nodes), 1),
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    let end = match erased {
        true => with_erased_job(subject, parts, |job| job.run_unwatched()),
        false => with_job(subject, parts, |job| job.run_unwatched()),
    };
    let nodes = tree.ids().map(|id| format!("{:?}", tree.view(id)));
    (end, nodes.collect())
}

#[test]
fn chess_through_pointers_is_the_same_search() {
    for fen in [KIWIPETE, ENDING] {
        let subject = Subject::from(common::chess(fen));
        for row in &ALGORITHMS {
            let options = row.algorithm.default_options();
            let (end, nodes) = searched(row.algorithm, &subject, &options, NODES, false);
            let (erased_end, erased) = searched(row.algorithm, &subject, &options, NODES, true);
            assert!(nodes.len() > 30, "{}: {} nodes", row.name, nodes.len());
            let apart = nodes.iter().zip(&erased).position(|(a, b)| a != b);
            let at = apart.map(|i| (i, &nodes[i], &erased[i]));
            assert_eq!(at, None, "{} {fen}", row.name);
            assert_eq!(
                (end, nodes.len()),
                (erased_end, erased.len()),
                "{}",
                row.name
            );
        }
    }
}
