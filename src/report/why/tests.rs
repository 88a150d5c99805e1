//! Tests of the sentence and the short form of every fate, over hand-made trees.

mod best_first;
mod pruned;
mod tables;
mod viewpoints;

use std::sync::OnceLock;

use super::*;
use algorithms::Algorithm;
use depth_first::alpha_beta::without_rules;
use game::{ChessPosition, KnownDraw, MoveCode, Situation};
use search::Options;
use session::{GrownBy, Subject};
use tree::Bound;
use tree::{Family, Fate, Recorder, Tree, TreeSpec, Window};

/// Returns the reason in a few words, in pawns from the view of the side that plays the move.
fn brief(view: &NodeView, scale: Scale) -> String {
    brief_with(view, &Scores::plain(scale), None)
}

/// A root with one recorded child, 1.e4, whose fate and window the tests set.
struct Stage {
    tree: Tree,
    subject: Subject,
    child: NodeId,
}

fn read<'a>(tree: &'a Tree, subject: &'a Subject) -> Reader<'a> {
    static OPTIONS: OnceLock<Options> = OnceLock::new();
    Reader {
        tree,
        subject,
        searcher: GrownBy::Own(
            Algorithm::AlphaBeta,
            OPTIONS.get_or_init(|| without_rules(&Algorithm::AlphaBeta.default_options())),
        ),
    }
}

const CP: fn(i32) -> Score = Score::new;

fn find(reader: &Reader, at: NodeId, san: &str) -> MoveCode {
    let row = reader.rows(at).into_iter().find(|r| r.label == san);
    row.expect("a legal move").move_code
}

impl Stage {
    fn new(family: Family) -> Stage {
        let tree = Tree::new(TreeSpec {
            family,
            scale: Scale::Logistic,
            beliefs: false,
            budget: 1 << 20,
            record_plies: u16::MAX,
        });
        let subject = Subject::from(Situation::new(ChessPosition::default()));
        let e4 = find(&read(&tree, &subject), Tree::ROOT, "e4");
        let child = Recorder::new(&tree).child(Tree::ROOT, NodeId::NONE, e4, 1);
        Stage {
            tree,
            subject,
            child,
        }
    }

    fn depth_first() -> Stage {
        let stage = Stage::new(Family::DepthFirst);
        stage.window(2, CP(-40), Bound::Exact);
        stage
    }

    fn window(&self, depth: i8, value: Score, bound: Bound) {
        let node = self.tree.node(self.child);
        node.set_visits(1);
        node.set_window(Window {
            alpha: CP(-95),
            beta: CP(35),
            depth,
            value,
            bound,
        });
    }

    fn reader(&self) -> Reader<'_> {
        read(&self.tree, &self.subject)
    }

    /// The code of Black's reply to 1.e4.
    fn reply(&self, san: &str) -> MoveCode {
        find(&self.reader(), self.child, san)
    }

    fn child_fate(&self, fate: Fate) -> String {
        self.tree.node(self.child).set_fate(fate);
        why_node(&self.reader(), self.child)
    }

    /// Returns what is said about a move at the root that has no node (1.d4).
    fn withheld(&self, root_fate: Fate) -> String {
        self.tree.node(Tree::ROOT).set_fate(root_fate);
        let rows = self.reader().rows(Tree::ROOT);
        let row = rows.iter().find(|r| r.label == "d4").expect("1.d4");
        assert_eq!(row.id.node(), None);
        why(&self.reader(), row)
    }
}

fn brief_of(fate: Fate) -> String {
    let stage = Stage::depth_first();
    stage.tree.node(stage.child).set_fate(fate);
    brief(&stage.reader().view(stage.child), Scale::Logistic)
}

#[test]
fn futility_names_value_margin_depth_alpha_and_shortfall() {
    let fate = Fate::Futility {
        static_value: CP(-310),
        margin: 142,
        alpha: CP(-95),
        depth: 2,
    };
    assert_eq!(
        Stage::depth_first().child_fate(fate),
        "Not searched: static value −3.10 + margin 1.42 (depth 2) = −1.68 is 0.73 below alpha −0.95 (White's view)."
    );
    assert_eq!(brief_of(fate), "futile: at best −1.68");
    let equal = Fate::Futility {
        static_value: CP(-100),
        margin: 100,
        alpha: CP(0),
        depth: 1,
    };
    assert_eq!(
        Stage::depth_first().child_fate(equal),
        "Not searched: static value −1.00 + margin 1.00 (depth 1) = +0.00 is not above alpha +0.00 (White's view)."
    );
    let mate = Fate::DeltaPruning {
        static_value: CP(-100),
        margin: 280,
        alpha: Score::win_in(5),
    };
    assert_eq!(
        Stage::depth_first().child_fate(mate),
        "Not searched: static value −1.00 + capture and margin 2.80 = +1.80 is below alpha #3 (White's view)."
    );
    assert_eq!(brief_of(mate), "delta: at best +1.80");
}

#[test]
fn cutoffs_name_the_move_that_made_them() {
    let stage = Stage::depth_first();
    let by = stage.reply("Nf6");
    let fate = Fate::BetaCutoff {
        by,
        value: CP(42),
        beta: CP(35),
        searched: 1,
    };
    assert_eq!(
        stage.child_fate(fate),
        "Cut off after 1 of 20 moves: Nf6 scored +0.42, at least beta +0.35 (Black's view)."
    );
    assert_eq!(brief_of(fate), "refuted: ≤ −0.42");
    stage.window(-1, CP(42), Bound::Lower);
    assert!(
        stage
            .child_fate(fate)
            .starts_with("Cut off after 1 move: Nf6")
    );
    let probable = Fate::ProbabilisticCutoff {
        searched: 3,
        probability: 64_000,
        confidence: 63_900,
        beta_bin: 31,
    };
    stage.window(2, CP(42), Bound::Lower);
    let text = stage.child_fate(probable);
    assert_eq!(
        text,
        "Cut off after 3 of 20 moves: the best of them reaches beta −0.07 with probability 97.7 %, at least the confidence 97.5 % (Black's view)."
    );
    assert_eq!(brief_of(probable), "cut 97.7 % ≥ 97.5 %");
}

#[test]
fn moves_behind_a_cutoff_name_their_sibling() {
    let stage = Stage::depth_first();
    let by = stage.reader().rows(Tree::ROOT)[0].move_code;
    assert_eq!(
        stage.withheld(Fate::BetaCutoff {
            by,
            value: CP(42),
            beta: CP(35),
            searched: 1
        }),
        "Not searched: e4 had already scored +0.42, at least beta +0.35 (White's view)."
    );
    assert_eq!(
        stage.withheld(Fate::ProbabilisticCutoff {
            searched: 1,
            probability: 64_000,
            confidence: 63_900,
            beta_bin: 31
        }),
        "Not searched: the moves before it reach beta with probability 97.7 %, at least the confidence 97.5 %."
    );
    assert_eq!(
        brief_of(Fate::SiblingCutoff {
            by,
            value: CP(42),
            beta: CP(35)
        }),
        "not needed: refuted"
    );
}

#[test]
fn unvisited_moves_say_what_kept_the_search_away() {
    let stage = Stage::depth_first();
    let expanded = Fate::Expanded {
        best: MoveCode::NONE,
        searched: 1,
        skipped: 0,
        moves: 20,
        margin: 0,
    };
    assert_eq!(stage.withheld(expanded), "Not visited yet.");
    assert_eq!(
        stage.withheld(Fate::StandPat {
            static_value: CP(90),
            beta: CP(35)
        }),
        "Not searched: the static value +0.90 before it is already at least beta +0.35."
    );
    let root = stage.tree.node(Tree::ROOT);
    root.set_visits(1);
    root.set_window(Window {
        alpha: CP(0),
        beta: CP(1),
        depth: 0,
        value: CP(0),
        bound: Bound::Exact,
    });
    assert!(
        stage
            .withheld(expanded)
            .contains("only captures and promotions")
    );
    for (fate, part) in [
        (Fate::Interrupted, "stopped before"),
        (Fate::Frontier, "not expanded"),
        (Fate::Ended(Ending::FiftyMoves), "fifty moves"),
        (
            Fate::KnownDraw {
                draw: KnownDraw::TwoKnights,
            },
            "known draw (two knights against king)",
        ),
        (
            Fate::Repetition {
                times: 1,
                plies_back: 4,
            },
            "repetition",
        ),
        (
            Fate::TableHit {
                value: CP(0),
                depth: 3,
                bound: Bound::Exact,
            },
            "transposition table",
        ),
    ] {
        assert!(stage.withheld(fate).contains(part), "{fate:?}");
    }
}

#[test]
fn searched_nodes_say_where_their_value_comes_from() {
    let stage = Stage::depth_first();
    let best = stage.reply("c5");
    let fate = Fate::Expanded {
        best,
        searched: 20,
        skipped: 0,
        moves: 20,
        margin: 0,
    };
    assert_eq!(
        stage.child_fate(fate),
        "Value −0.40 comes from c5; 20 of 20 moves searched to depth 2, window −0.95 to +0.35 (Black's view)."
    );
    stage.window(2, CP(-102), Bound::Upper);
    assert_eq!(
        stage.child_fate(fate),
        "No move beat alpha −0.95: the value is at most −1.02; 20 of 20 moves searched to depth 2, window −0.95 to +0.35 (Black's view)."
    );
    assert_eq!(brief_of(fate), "20 moves");
}

#[test]
fn figures_of_an_earlier_iteration_say_so() {
    let stage = Stage::depth_first();
    stage
        .tree
        .node(stage.child)
        .set_static_and_iteration(None, 4, false);
    stage
        .tree
        .node(Tree::ROOT)
        .set_static_and_iteration(None, 6, false);
    let text = stage.child_fate(Fate::LosingCaptures);
    assert_eq!(
        text,
        "Not searched: the exchange on its square loses material. \
         Last seen in iteration 4; its parent was searched again in 6."
    );
}

#[test]
fn what_was_searched_again_says_so() {
    let stage = Stage::depth_first();
    stage
        .tree
        .node(stage.child)
        .set_static_and_iteration(None, 0, true);
    let text = stage.child_fate(Fate::LosingCaptures);
    assert!(text.ends_with("Recorded by searching again when it was opened."));
}

#[test]
fn proofs_say_by_which_move() {
    let stage = Stage::depth_first();
    let by = stage.reply("Nf6");
    let node = stage.tree.node(stage.child);
    let prove = |lower: Score, upper: Score| {
        node.set_proof(Proof { lower, upper });
        stage.child_fate(Fate::Proven { by, children: 5 })
    };
    assert_eq!(
        prove(Score::win_in(5), Score::win_in(5)),
        "Proven win in 3: Nf6 leaves no defence (Black's view)."
    );
    assert_eq!(
        prove(Score::win_in(9), Score::win_in(1)),
        "Proven win in at most 5 (in 1 not excluded): Nf6 leaves no defence (Black's view)."
    );
    assert_eq!(
        prove(Score::loss_in(4), Score::loss_in(4)),
        "Proven loss in 2: all 5 moves lose, Nf6 holds out longest (Black's view)."
    );
    assert_eq!(
        prove(Score::DRAW, Score::DRAW),
        "Proven draw: Nf6 holds it, and none of 5 moves wins (Black's view)."
    );
    let view = stage.reader().view(stage.child);
    assert_eq!(brief(&view, Scale::Logistic), "draw");
}

#[test]
fn toy_scores_are_in_the_files_unit() {
    let toy = Scale::linear(100.0, 5.0);
    let view = NodeView {
        fate: Fate::Futility {
            static_value: CP(-120),
            margin: 50,
            alpha: CP(100),
            depth: 1,
        },
        ..Stage::depth_first().reader().view(Tree::ROOT)
    };
    assert_eq!(brief(&view, toy), "futile: at best −0.7");
}

#[test]
fn endings_and_the_rest() {
    let stage = Stage::depth_first();
    for (fate, long, short) in [
        (
            Fate::Ended(Ending::Checkmate),
            "Checkmate: the side to move has lost.",
            "checkmate",
        ),
        (
            Fate::Ended(Ending::Stalemate),
            "Stalemate: no legal move and no check, a draw.",
            "stalemate",
        ),
        (
            Fate::Ended(Ending::InsufficientMaterial),
            "A draw: neither side has the material to mate.",
            "too little material",
        ),
        (
            Fate::Ended(Ending::FiftyMoves),
            "A draw by the fifty-move rule: no capture and no pawn move for fifty moves.",
            "fifty moves",
        ),
        (
            Fate::KnownDraw {
                draw: KnownDraw::WrongBishop,
            },
            "Not searched: a known draw (wrong bishop). The bishop does not control the corner where the pawn promotes, so the king cannot be driven out of it.",
            "known draw",
        ),
        (
            Fate::Ended(Ending::Leaf),
            "A leaf with the exact value −0.40 (Black's view).",
            "leaf",
        ),
        (
            Fate::Repetition {
                times: 1,
                plies_back: 4,
            },
            "Counted as a draw by repetition: the position stood 4 plies ago (a second time, not yet a third).",
            "stood 4 plies ago",
        ),
        (
            Fate::Repetition {
                times: 2,
                plies_back: 8,
            },
            "A draw by threefold repetition: the position stood 8 plies ago and before.",
            "stood 8 plies ago",
        ),
        (
            Fate::Horizon {
                static_value: CP(212),
            },
            "The depth ended here, and no capture changes the static value +2.12 (Black's view).",
            "static −2.12",
        ),
        (
            Fate::StandPat {
                static_value: CP(90),
                beta: CP(35),
            },
            "Stood pat: the static value +0.90 is already at least beta +0.35, so no capture was tried (Black's view).",
            "stands pat: ≤ −0.90",
        ),
        (
            Fate::TableHit {
                value: CP(42),
                depth: 6,
                bound: Bound::Lower,
            },
            "Not searched again: the transposition table says at least +0.42, from a search to depth 6 (Black's view).",
            "table: ≤ −0.42 d6",
        ),
        (
            Fate::LosingCaptures,
            "Not searched: the exchange on its square loses material.",
            "loses the exchange",
        ),
        (
            Fate::Unrecorded,
            "Searched, but not recorded: it lies below what the tree keeps.",
            "not recorded",
        ),
        (
            Fate::Interrupted,
            "The search was stopped in the middle of this node.",
            "interrupted",
        ),
        (
            Fate::Excluded,
            "Not searched: taken out by hand.",
            "taken out",
        ),
    ] {
        assert_eq!(stage.child_fate(fate), long);
        assert_eq!(brief_of(fate), short);
    }
}

#[test]
fn the_root_has_a_reason_too() {
    let stage = Stage::depth_first();
    assert_eq!(
        why_node(&stage.reader(), Tree::ROOT),
        "The search has not begun yet."
    );
    // Above the window of an iteration; nobody refuted the position.
    let root = stage.tree.node(Tree::ROOT);
    root.set_fate(Fate::BetaCutoff {
        by: MoveCode::NONE,
        value: Score::new(42),
        beta: Score::new(40),
        searched: 1,
    });
    let view = stage.reader().view(Tree::ROOT);
    assert_eq!(brief(&view, Scale::Logistic), "its best move: ≥ +0.42");
}
