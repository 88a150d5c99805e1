//! Tests of the sentence about an endgame table.

use super::*;
use game::{TableHit, TableResult};

/// King and rook against king; the child is 1.Rd1, after which Black is to move.
fn stage() -> Stage {
    let tree = Stage::new(Family::BestFirst).tree;
    let fen = "8/8/8/3k4/8/8/8/KR6 w - - 4 1";
    let read_fen = game::load::fen::parse(fen).expect("a position");
    let subject = Subject::from(Situation::new(read_fen.position));
    let m = find(&read(&tree, &subject), Tree::ROOT, "Rd1+");
    let child = Recorder::new(&tree).child(Tree::ROOT, NodeId::NONE, m, 1);
    Stage {
        tree,
        subject,
        child,
    }
}

fn hit(result: TableResult, dtz: Option<i16>, clock: u8) -> Fate {
    Fate::Tablebase(TableHit { result, dtz, clock })
}

#[test]
fn the_table_is_named_with_what_it_says() {
    for (fate, long, short) in [
        (
            hit(TableResult::Loss, None, 0),
            "Not searched: the table KRvK says loss (Black's view).",
            "tablebase win",
        ),
        (
            hit(TableResult::Loss, Some(-24), 5),
            "Not searched: the table KRvK says loss, 24 plies to the next capture, pawn move or mate, with 5 plies on the fifty-move clock (Black's view).",
            "tablebase win",
        ),
        (
            hit(TableResult::BlessedLoss, Some(-99), 5),
            "Not searched: the table KRvK says blessed loss, 99 plies to the next capture, pawn move or mate, with 5 plies on the fifty-move clock: a draw by the fifty-move rule (Black's view).",
            "tablebase cursed win",
        ),
        (
            hit(TableResult::Draw, Some(0), 5),
            "Not searched: the table KRvK says draw (Black's view).",
            "tablebase draw",
        ),
    ] {
        assert_eq!(stage().child_fate(fate), long);
        let stage = stage();
        stage.tree.node(stage.child).set_fate(fate);
        let view = stage.reader().view(stage.child);
        assert_eq!(brief(&view, Scale::Logistic), short);
    }
}

#[test]
fn a_move_that_throws_the_win_away_says_so() {
    let stage = stage();
    let win = Proof {
        lower: Score::SOME_WIN,
        upper: Score::win_in(5),
    };
    stage.tree.node(Tree::ROOT).tighten(win);
    assert_eq!(
        stage.child_fate(hit(TableResult::Draw, Some(0), 5)),
        "Not searched: it throws the win away; the table KRvK says draw (Black's view)."
    );
    assert_eq!(
        proven_words(win, &Scores::plain(Scale::Logistic)),
        "a win of unknown length"
    );
}
