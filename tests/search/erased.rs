//! Games other than chess are searched through pointers. Chess, which is also searched in its own types, shows that both
//! ways are the same search.

use algorithms::{ALGORITHMS, Algorithm, JobParts, with_erased_job, with_job};
use belief::Density;
use common::KIWIPETE;
use game::{Game, MoveCode};
use search::common::table::Tables;
use search::{Choices, Control, Options, Reading, Start, Subject, Viewpoint};
use tree::{NodeView, Tree};

/// A pawn ending: passing, mobility and material matter in other ways than with many pieces.
pub const ENDING: &str = "8/8/1p1k4/p1p2p1p/P1P2K1P/1P6/8/8 w - - 0 1";

/// Nodes of each search.
const NODES: u64 = 5_000;

/// What a search found, and every node that it recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    end: Start,
    best: Option<MoveCode>,
    /// The belief about the root that is reported where the algorithm fits one.
    reported: Option<Density>,
    nodes: Vec<NodeView>,
}

/// Runs a search by one thread.
pub fn searched(
    algorithm: Algorithm,
    subject: &Subject,
    options: &Options,
    nodes: u64,
    erased: bool,
) -> Searched {
    let tree = Tree::new(algorithm.tree_spec(subject.position.scale(), 64 << 20, u16::MAX));
    let parts = JobParts {
        recorded: None,
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
    let reading = Reading {
        tree: &tree,
        subject,
        options,
        viewpoint: Viewpoint::Own,
        seed: None,
    };
    Searched {
        end,
        best: algorithm.best_move(&tree, Tree::ROOT),
        reported: algorithm.fitted(&reading).and_then(|fit| fit.belief),
        nodes: tree.ids().map(|id| tree.view(id)).collect(),
    }
}

#[test]
fn chess_through_pointers_is_the_same_search() {
    for fen in [KIWIPETE, ENDING] {
        let subject = Subject::from(common::chess(fen));
        for row in &ALGORITHMS {
            let options = row.algorithm.default_options();
            let own = searched(row.algorithm, &subject, &options, NODES, false);
            let erased = searched(row.algorithm, &subject, &options, NODES, true);
            let nodes = own.nodes.len();
            assert!(nodes > 30, "{}: {nodes} nodes", row.name);
            let mut pairs = own.nodes.iter().zip(&erased.nodes);
            let apart = pairs.find(|(a, b)| a != b);
            assert_eq!(apart, None, "{} {fen}", row.name);
            assert!(own == erased, "{} {fen}", row.name);
        }
    }
}
