//! Tests of rows over hand-made trees.

use std::sync::OnceLock;

use super::*;
use crate::{GrownBy, Source};
use algorithms::Algorithm;
use game::{ChessPosition, Scale, Score, Situation};
use search::Options;
use tree::{Bound, Family, Recorder, Tree, TreeSpec, Window};

fn tree(family: Family) -> Tree {
    Tree::new(TreeSpec {
        family,
        scale: Scale::Logistic,
        beliefs: false,
        budget: 1 << 20,
        record_plies: u16::MAX,
    })
}

/// Reads a tree as alpha-beta grew it.
fn read<'a>(tree: &'a Tree, subject: &'a Subject) -> Reader<'a> {
    static OPTIONS: OnceLock<Options> = OnceLock::new();
    let options = OPTIONS.get_or_init(|| Algorithm::AlphaBeta.default_options());
    read_as(Algorithm::AlphaBeta, options, tree, subject)
}

fn read_as<'a>(
    algorithm: Algorithm,
    options: &'a Options,
    tree: &'a Tree,
    subject: &'a Subject,
) -> Reader<'a> {
    Reader {
        tree,
        subject,
        searcher: GrownBy::Own(algorithm, options),
    }
}

fn start() -> Subject {
    Subject::from(Situation::new(ChessPosition::default()))
}

fn code(san: &str) -> MoveCode {
    let tree = tree(Family::DepthFirst);
    let subject = start();
    let reader = read(&tree, &subject);
    let row = reader
        .rows(Tree::ROOT)
        .into_iter()
        .find(|r| r.label == san)
        .expect("a legal move");
    row.move_code
}

fn searched(tree: &Tree, id: NodeId, value: i32, bound: Bound) {
    let node = tree.node(id);
    node.set_visits(1);
    node.set_window(Window {
        alpha: Score::new(-100),
        beta: Score::new(300),
        depth: 2,
        value: Score::new(value),
        bound,
    });
    node.set_fate(Fate::Horizon {
        static_value: Score::new(value),
    });
}

#[test]
fn unsearched_positions_have_all_their_moves_unvisited() {
    let tree = tree(Family::DepthFirst);
    let subject = start();
    let rows = read(&tree, &subject).rows(Tree::ROOT);
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|r| r.view.fate == Fate::Unvisited));
    assert!(rows.iter().all(|r| r.view.expected.is_none()));
    assert!(rows.iter().all(|r| r.belief.is_none()));
}

#[test]
fn moves_behind_a_beta_cutoff_are_rows_with_that_reason() {
    let tree = tree(Family::DepthFirst);
    let subject = start();
    let mut recorder = Recorder::new(&tree);
    let (e4, d4) = (code("e4"), code("d4"));
    let first = recorder.child(Tree::ROOT, NodeId::NONE, d4, 1);
    searched(&tree, first, 20, Bound::Lower);
    let second = recorder.child(Tree::ROOT, first, e4, 1);
    searched(&tree, second, -40, Bound::Exact);
    let beta = Score::new(35);
    tree.node(Tree::ROOT).set_fate(Fate::BetaCutoff {
        by: e4,
        value: Score::new(40),
        beta,
        searched: 2,
    });
    let reader = read(&tree, &subject);
    let rows = reader.rows(Tree::ROOT);
    assert_eq!(rows.len(), 20);
    assert_eq!(
        (rows[0].label.as_str(), rows[1].label.as_str()),
        ("d4", "e4")
    );
    // From the view of the side that plays the move: values are negated and bounds swapped.
    assert_eq!(rows[1].view.score, Some(Score::new(40)));
    assert_eq!(rows[0].view.window.map(|w| w.bound), Some(Bound::Upper));
    assert_eq!(rows[0].view.window.map(|w| w.alpha), Some(Score::new(-300)));
    let belief = rows[0].belief.as_ref().expect("a point");
    assert_eq!(belief.bound, Bound::Upper);
    assert!(belief.mean < 0.0 && belief.sd == 0.0);
    for row in &rows[2..] {
        assert_eq!(
            row.view.fate,
            Fate::SiblingCutoff {
                by: e4,
                value: Score::new(40),
                beta
            }
        );
        assert_eq!(row.id.node(), None);
    }
    assert_eq!(reader.best_line(Tree::ROOT), [second]);
    assert_eq!(reader.best_names(Tree::ROOT)[0].san, "e4");
}

#[test]
fn below_the_recorded_plies_moves_are_unrecorded_not_cut_off() {
    let tree = Tree::new(TreeSpec {
        record_plies: 0,
        family: Family::DepthFirst,
        scale: Scale::Logistic,
        beliefs: false,
        budget: 1 << 20,
    });
    let subject = start();
    tree.node(Tree::ROOT).set_fate(Fate::Expanded {
        best: code("e4"),
        searched: 20,
        skipped: 0,
        moves: 20,
        margin: 0,
    });
    let rows = read(&tree, &subject).rows(Tree::ROOT);
    assert!(rows.iter().all(|r| r.view.fate == Fate::Unrecorded));
}

#[test]
fn an_unfinished_value_is_not_shown() {
    let tree = tree(Family::DepthFirst);
    let subject = start();
    let child = Recorder::new(&tree).child(Tree::ROOT, NodeId::NONE, code("e4"), 1);
    searched(&tree, child, 0, Bound::None);
    let reader = read(&tree, &subject);
    let row = &reader.rows(Tree::ROOT)[0];
    assert_eq!((row.view.expected, row.view.score), (None, None));
    assert!(row.belief.is_none());
}

/// Three visits at -0.5 and one at +0.5 (in the children's view) give a belief with mean +0.25 and two peaks.
#[test]
fn mcts_believes_the_mixture_of_its_visits() {
    let tree = tree(Family::BestFirst);
    let subject = start();
    let moves = [code("e4"), code("d4"), code("a3")];
    let first = tree
        .allocate_children(Tree::ROOT, moves.into_iter())
        .expect("room");
    tree.attach(Tree::ROOT, first, 3);
    for (i, (visits, e)) in [(3, -0.5), (1, 0.5), (0, 0.0)].into_iter().enumerate() {
        let node = tree.node(NodeId(first.0 + i as u32));
        node.set_visits(visits);
        node.set_expected(e);
    }
    let root = tree.node(Tree::ROOT);
    root.set_visits(5);
    root.set_expected(0.25);
    let options = Algorithm::Mcts.default_options();
    let reader = read_as(Algorithm::Mcts, &options, &tree, &subject);
    let belief = reader.belief(Tree::ROOT).expect("a mixture");
    assert_eq!((belief.source, belief.mean), (Source::Visits, 0.25));
    assert!((belief.sd - 0.433).abs() < 0.001, "{}", belief.sd);
    let grid = tree.grid();
    assert!((belief.density.0[grid.bin_of(0.5)] - 0.75).abs() < 1e-6);
    assert!((belief.density.0[grid.bin_of(-0.5)] - 0.25).abs() < 1e-6);
    // No best move is recorded, so it is the most visited one.
    assert_eq!(reader.best_move(Tree::ROOT), Some(moves[0]));
    assert_eq!(reader.follow(Tree::ROOT, "d2d4"), Ok(NodeId(first.0 + 1)));
    assert!(reader.follow(Tree::ROOT, "e5").is_err());
}
