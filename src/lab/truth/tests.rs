//! Trees made by hand, whose truth is plain from the board, and runs on tic-tac-toe.

mod runs;

use std::sync::OnceLock;

use super::*;
use algorithms::Algorithm;
use belief::{Cdf, Density};
use games::in_a_row::Rules;
use search::Options;
use session::{GrownBy, Reader};
use tree::{Bound, Family, Fate, NodeId, Proof, Recorder, TreeSpec, Window};

use game::{MoveCode, Score};

/// A tree below a position of tic-tac-toe.
struct Hand {
    tree: Tree,
    root: InARow,
    subject: Subject,
}

/// X to move: x at a1 and b1, o at a3 and b3. c1 wins at once, and c3, which stops o's row, makes two threats; every other move
/// loses, because o then plays c3.
/// ```text
/// oo-
/// ---
/// xx-
/// ```
fn sharp() -> InARow {
    after(&["a1", "a3", "b1", "b3"])
}

fn after(moves: &[&str]) -> InARow {
    let mut position = InARow::new(Rules::TIC_TAC_TOE);
    for name in moves {
        let m = code(&position, name);
        position = position.after(m).expect("a move");
    }
    position
}

fn code(position: &InARow, name: &str) -> MoveCode {
    let mut moves = position.legal_moves().into_iter();
    let m = moves
        .find(|m| position.label(*m) == name)
        .expect("a legal move");
    position.encode(m)
}

const DEPTH_FIRST: Family = Family::DepthFirst;

impl Hand {
    fn new(family: Family, beliefs: bool) -> Hand {
        let root = sharp();
        Hand {
            tree: Tree::new(TreeSpec {
                family,
                scale: root.scale(),
                beliefs,
                budget: 1 << 20,
                record_plies: u16::MAX,
            }),
            root,
            subject: Subject::of(Situation::new(root)),
        }
    }

    /// Returns the node of a move of the root, searched with this fate.
    fn child(&self, name: &str, fate: Fate) -> NodeId {
        let last = self.tree.children(Tree::ROOT).last();
        let m = code(&self.root, name);
        let id = Recorder::new(&self.tree).child(Tree::ROOT, last.unwrap_or(NodeId::NONE), m, 1);
        let node = self.tree.node(id);
        node.set_visits(u32::from(!fate.is_skip()));
        node.set_fate(fate);
        id
    }

    fn window(&self, id: NodeId, (alpha, beta): (i32, i32), value: Score, bound: Bound) {
        self.tree.node(id).set_window(Window {
            alpha: Score::new(alpha),
            beta: Score::new(beta),
            depth: 1,
            value,
            bound,
        });
    }

    fn judged(&self) -> (Tally, Option<judge::Wrong>) {
        static OPTIONS: OnceLock<Options> = OnceLock::new();
        let options = OPTIONS.get_or_init(|| Algorithm::AlphaBeta.default_options());
        let reader = Reader {
            tree: &self.tree,
            subject: &self.subject,
            searcher: GrownBy::Own(Algorithm::AlphaBeta, options),
        };
        let mut tally = Tally::default();
        let wrong = Judge::new(reader, self.root).judge(&mut Solver::new(1 << 12), &mut tally);
        (tally, wrong)
    }
}

fn futility(alpha: i32) -> Fate {
    Fate::Futility {
        static_value: Score::new(-300),
        margin: 10,
        alpha: Score::new(alpha),
        depth: 1,
    }
}

fn beta_cutoff(beta: i32) -> Fate {
    Fate::BetaCutoff {
        by: MoveCode::NONE,
        value: Score::new(beta),
        beta: Score::new(beta),
        searched: 1,
    }
}

#[test]
fn the_truth_has_its_distance() {
    let mut solver = Solver::new(1 << 12);
    let mut of = |moves: &[&str]| score_of(&after(moves), &mut solver);
    let sharp = ["a1", "a3", "b1", "b3"];
    assert_eq!(of(&[]), Score::DRAW);
    assert_eq!(of(&sharp), Score::win_in(1));
    assert_eq!(of(&[&sharp[..], &["c1"]].concat()), Score::loss_in(0));
    assert_eq!(of(&[&sharp[..], &["a2"]].concat()), Score::win_in(1));
    // Blocked, x has two threats, c1 and b2, of which o meets one.
    assert_eq!(of(&[&sharp[..], &["c3"]].concat()), Score::loss_in(2));
}

#[test]
fn false_proofs_are_counted_with_their_kind() {
    let sure = |score| Proof::exact(score);
    let (win, loss, draw) = (Score::win_in, Score::loss_in, Score::DRAW);
    let some_win = Proof {
        lower: Score::SOME_WIN,
        upper: Score::win_in(1),
    };
    let no_win = Proof {
        lower: Score::LOSS,
        upper: draw,
    };
    // The truth of the root is a win in 1; that of a2 is a win in 1, for the other side.
    for (node, proof, false_results, false_distances) in [
        ("", sure(win(1)), 0, 0),
        ("", some_win, 0, 0),
        ("", sure(win(3)), 0, 1),
        ("", sure(draw), 1, 0),
        ("", no_win, 1, 0),
        ("", sure(loss(2)), 1, 0),
        ("a2", sure(win(1)), 0, 0),
        ("a2", sure(win(3)), 0, 1),
        ("a2", sure(loss(2)), 1, 0),
        ("c3", sure(loss(2)), 0, 0),
        ("c3", sure(draw), 1, 0),
        ("c1", sure(Score::LOSS), 0, 0),
        (
            "c1",
            Proof {
                lower: draw,
                upper: win(1),
            },
            1,
            0,
        ),
    ] {
        let hand = Hand::new(DEPTH_FIRST, false);
        let id = match node {
            "" => Tree::ROOT,
            name => hand.child(name, Fate::Frontier),
        };
        hand.tree.node(id).set_proof(proof);
        let (tally, wrong) = hand.judged();
        let found = tally.proofs;
        assert_eq!(found.bounds, 1, "{node} {proof:?}");
        let wrongs = (found.false_results, found.false_distances);
        assert_eq!(wrongs, (false_results, false_distances), "{node} {proof:?}");
        assert_eq!(wrong.is_some(), false_results + false_distances > 0);
        if let Some(wrong) = wrong {
            assert_eq!(
                (wrong.is_of_result, wrong.proof),
                (false_results > 0, proof)
            );
            assert_eq!(line(hand.root, &wrong.moves).concat(), node);
        }
    }
    // A false result comes before a false distance, wherever it stands.
    let hand = Hand::new(DEPTH_FIRST, false);
    hand.tree.node(Tree::ROOT).set_proof(sure(win(3)));
    let late = hand.child("a2", Fate::Frontier);
    hand.tree.node(late).set_proof(sure(draw));
    let (tally, wrong) = hand.judged();
    assert_eq!(
        (tally.proofs.false_results, tally.proofs.false_distances),
        (1, 1)
    );
    let wrong = wrong.expect("a false proof");
    assert_eq!((wrong.truth, wrong.is_of_result), (win(1), true));
}

/// A win or a loss that a value says is not a proof, but can be judged.
#[test]
fn what_values_say_is_counted_apart() {
    let (win, loss) = (Score::win_in(3), Score::loss_in(2));
    for (value, bound, all, wrong) in [
        (win, Bound::Lower, 1, 0),
        (win, Bound::Exact, 1, 0),
        (win, Bound::Upper, 0, 0),
        (loss, Bound::Upper, 1, 1),
        (loss, Bound::Exact, 1, 1),
        (loss, Bound::Lower, 0, 0),
        (Score::new(20), Bound::Exact, 0, 0),
    ] {
        let hand = Hand::new(DEPTH_FIRST, false);
        hand.tree.node(Tree::ROOT).set_visits(1);
        hand.window(Tree::ROOT, (-10, 10), value, bound);
        let said = hand.judged().0.said;
        assert_eq!((said.all, said.wrong), (all, wrong), "{value:?} {bound:?}");
    }
}

/// c1 and c3 win; a2, b2 and c2 lose.
#[test]
fn a_skipped_move_is_a_loss_only_if_no_searched_one_is_as_good() {
    let hand = |searched: &[&str], skipped: &[&str]| {
        let hand = Hand::new(DEPTH_FIRST, false);
        searched.iter().for_each(|name| {
            hand.child(name, Fate::Frontier);
        });
        skipped.iter().for_each(|name| {
            hand.child(name, futility(-100));
        });
        hand.judged().0.fates.remove("futility").unwrap_or_default()
    };
    let lost = hand(&["a2", "b2", "c2"], &["c1"]);
    assert_eq!((lost.decisions, lost.moves, lost.lost), (1, 1, 1));
    // One of four moves is left out, and one is the only best.
    assert!((lost.lost_by_chance - 0.25).abs() < 1e-12);
    let fine = hand(&["c1", "c3"], &["a2", "b2"]);
    assert_eq!((fine.decisions, fine.moves, fine.lost), (1, 2, 0));
    assert!((fine.lost_by_chance - 1.0 / 6.0).abs() < 1e-12);
    let equal = hand(&["a2"], &["b2"]);
    assert_eq!(
        (equal.decisions, equal.lost, equal.lost_by_chance),
        (1, 0, 0.0)
    );
    // With no searched move there is nothing to compare with; the claim is judged all the same.
    let alone = hand(&[], &["c1"]);
    assert_eq!((alone.decisions, alone.claims, alone.wrong), (0, 1, 1));
}

/// A skipped move is claimed to be worth at most alpha, for the side that would play it.
#[test]
fn claims_of_skipped_moves_are_from_the_view_of_their_parent() {
    for (name, alpha, wrong) in [
        ("c1", -100, 1),
        ("c1", 900, 1),
        ("a2", -100, 0),
        ("a2", -990, 0),
    ] {
        let hand = Hand::new(DEPTH_FIRST, false);
        hand.child(name, futility(alpha));
        let of = hand.judged().0.fates["futility"];
        assert_eq!(
            (of.claims, of.wrong, of.proven),
            (1, wrong, 0),
            "{name} {alpha}"
        );
        assert!((of.wrong_by_chance - f64::from(wrong as u8)).abs() < 1e-12);
    }
}

#[test]
fn cutoffs_leave_out_all_moves_that_were_not_searched() {
    // The root is won. By c1 it was cut off rightly; by b2 a better move was left out, though the claim is true.
    for (searched, beta, lost, wrong) in [("c1", 300, 0, 0), ("b2", 300, 1, 0), ("b2", -300, 1, 0)]
    {
        let hand = Hand::new(DEPTH_FIRST, false);
        hand.child(searched, Fate::Frontier);
        hand.tree.node(Tree::ROOT).set_visits(1);
        hand.tree.node(Tree::ROOT).set_fate(beta_cutoff(beta));
        let of = hand.judged().0.fates["beta-cutoff"];
        assert_eq!(
            (of.decisions, of.moves, of.lost),
            (1, 4, lost),
            "{searched}"
        );
        // Four of five moves are left out, and two are the best.
        assert!((of.lost_by_chance - 0.8 * 0.75).abs() < 1e-12);
        assert_eq!((of.claims, of.wrong), (1, wrong), "{searched} {beta}");
    }
    // Below c3 the side to move is lost, so that a claim to be worth beta is wrong unless beta is as low.
    for (beta, wrong) in [(100, 1), (-100, 1), (-1_000, 0)] {
        let hand = Hand::new(DEPTH_FIRST, false);
        hand.child("c3", beta_cutoff(beta));
        let of = hand.judged().0.fates["beta-cutoff"];
        assert_eq!((of.claims, of.wrong, of.decisions), (1, wrong, 0), "{beta}");
    }
}

#[test]
fn other_fates_claim_what_they_compare_with() {
    let (score, bound) = (Score::new, Bound::Lower);
    let razoring = Fate::Razoring {
        static_value: score(-300),
        margin: 50,
        value: score(-200),
        depth: 1,
    };
    let prob_cut = |value: i32| Fate::ProbCut {
        by: MoveCode::NONE,
        value: score(value),
        raised: score(200),
        depth: 1,
    };
    let reverse = Fate::ReverseFutility {
        static_value: score(300),
        margin: 50,
        beta: score(100),
        depth: 1,
    };
    let hit = |value, bound| Fate::TableHit {
        value: score(value),
        depth: 1,
        bound,
    };
    let low = Fate::LeafFailsLow {
        value: score(-50),
        limit: score(0),
        depth: 1,
    };
    let high = Fate::LeafFailsHigh {
        value: score(50),
        limit: score(0),
        depth: 1,
    };
    // a2 is won for its side to move, c3 lost. The window is from -100 to 100.
    for (fate, wrong_if_won, wrong_if_lost) in [
        (razoring, 1, 0),
        (prob_cut(300), 0, 1),
        (prob_cut(-300), 1, 0),
        (reverse, 0, 1),
        (hit(100, bound), 0, 1),
        (hit(100, Bound::Upper), 1, 0),
        (low, 1, 0),
        (high, 0, 1),
    ] {
        for (name, wrong) in [("a2", wrong_if_won), ("c3", wrong_if_lost)] {
            let hand = Hand::new(DEPTH_FIRST, false);
            let id = hand.child(name, fate);
            hand.window(id, (-100, 100), score(0), Bound::Exact);
            let tally = hand.judged().0;
            let of = tally.fates[fate.name()];
            assert_eq!((of.claims, of.wrong), (1, wrong), "{name} {fate:?}");
        }
    }
    let hand = Hand::new(DEPTH_FIRST, false);
    hand.child("a2", hit(100, Bound::Exact));
    assert!(
        hand.judged().0.fates.is_empty(),
        "an exact value claims no bound"
    );
}

/// The control of a claim is the same claim about all nodes of the ply, and a claim may be proven.
#[test]
fn a_claim_has_a_control_and_may_be_proven() {
    let hand = Hand::new(DEPTH_FIRST, false);
    let cut = hand.child("a2", beta_cutoff(100));
    hand.tree
        .node(cut)
        .set_proof(Proof::exact(Score::win_in(1)));
    hand.child("b2", Fate::Frontier);
    hand.child("c3", Fate::Frontier);
    hand.child("c1", Fate::Frontier);
    let of = hand.judged().0.fates["beta-cutoff"];
    assert_eq!((of.claims, of.wrong, of.proven), (1, 0, 1));
    // a2 and b2 are won for the side to move there, c3 and c1 lost.
    assert!((of.wrong_by_chance - 0.5).abs() < 1e-12);
}

#[test]
fn beliefs_are_judged_at_their_ply() {
    let hand = Hand::new(Family::BestFirst, true);
    let lost = hand.child("c3", Fate::Frontier);
    let won = hand.child("a2", Fate::Frontier);
    hand.tree
        .node(won)
        .set_proof(Proof::exact(Score::win_in(1)));
    let first = hand.tree.allocate_beliefs(2).expect("room");
    for (id, place, bin) in [(lost, first, 0), (won, first + 1, belief::BINS - 1)] {
        // Slots hold the view of the side that moved there: the sure and true belief about c3 is its win.
        let own = Cdf::from(Density::atom(bin));
        let slot = hand.tree.belief_slot(place);
        slot.lock().write(&own.negated());
        hand.tree.node(id).set_belief(place);
    }
    let tally = hand.judged().0;
    assert_eq!(tally.plies.len(), 2);
    assert_eq!(tally.plies[0].all.count(), 0);
    let (all, open) = (tally.plies[1].all, tally.plies[1].open);
    assert_eq!((all.results, open.results), ([1, 0, 1], [1, 0, 0]));
    // Sure and right: no more is missing than half of the outermost bin, and each level covers what it says.
    assert!(all.crps / 2.0 < 0.02, "{all:?}");
    assert!((all.covered[2] / 2.0 - 0.9).abs() < 1e-6, "{all:?}");
}
