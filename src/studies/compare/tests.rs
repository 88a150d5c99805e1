//! Tests of every kind of difference over hand-made trees.

use std::sync::OnceLock;

use super::*;
use algorithms::Algorithm;
use game::{ChessPosition, Game, MoveCode, Scale, Score, Sided as _, Situation, notation};
use search::Options;
use session::{GrownBy, RowId};
use tree::{Bound, Family, Fate, NodeId, Proof, Recorder, Tree, TreeSpec, Window};

/// A tree from the start position into which the tests write.
struct Hand {
    tree: Tree,
    searcher: Option<Algorithm>,
}

fn start() -> Subject {
    Subject::from(Situation::new(ChessPosition::default()))
}

/// Returns the move codes of a line of play.
fn path(line: &str) -> Path {
    let mut position = ChessPosition::default();
    let mut path = Path::new();
    for word in line.split_whitespace() {
        let m = notation::parse_move(&position, word).expect("a legal move");
        path.push(position.encode(m));
        position.play(m);
    }
    path
}

fn code(line: &str) -> MoveCode {
    *path(line).last().expect("a move")
}

impl Hand {
    fn new(searcher: Option<Algorithm>) -> Hand {
        let family = match searcher {
            Some(algorithm) => algorithm.tree_spec(Scale::Logistic, 0, 0).family,
            None => Family::DepthFirst,
        };
        let tree = Tree::new(TreeSpec {
            family,
            scale: Scale::Logistic,
            beliefs: false,
            budget: 1 << 20,
            record_plies: u16::MAX,
        });
        Hand { tree, searcher }
    }

    fn alpha_beta() -> Hand {
        Hand::new(Some(Algorithm::AlphaBeta))
    }

    fn mcts() -> Hand {
        Hand::new(Some(Algorithm::Mcts))
    }

    fn external() -> Hand {
        Hand::new(None)
    }

    fn reader<'a>(&'a self, subject: &'a Subject) -> Reader<'a> {
        static OPTIONS: OnceLock<Options> = OnceLock::new();
        let options = || OPTIONS.get_or_init(|| Algorithm::AlphaBeta.default_options());
        Reader {
            tree: &self.tree,
            subject,
            searcher: match self.searcher {
                Some(algorithm) => GrownBy::Own(algorithm, options()),
                None => GrownBy::External,
            },
        }
    }

    /// Returns the node of a line, creating it and all nodes on the way.
    fn node(&self, line: &str) -> NodeId {
        let mut at = Tree::ROOT;
        for (ply, code) in path(line).into_iter().enumerate() {
            at = self.tree.child_by_move(at, code).unwrap_or_else(|| {
                let last = self.tree.children(at).last().unwrap_or(NodeId::NONE);
                Recorder::new(&self.tree).child(at, last, code, ply as u16 + 1)
            });
        }
        at
    }

    /// Sets a value from the view of the side that played the line's last move, with its bound and the nodes it took.
    fn value(&self, line: &str, value: i32, bound: Bound, nodes: u64) -> &Hand {
        let node = self.tree.node(self.node(line));
        node.set_visits(nodes as u32);
        node.set_nodes(nodes);
        let score = Score::new(value);
        if self.tree.family() == Family::BestFirst {
            node.set_expected(-Scale::Logistic.expected(score));
        } else {
            node.set_window(Window {
                alpha: Score::new(-300),
                beta: Score::new(300),
                depth: 2,
                value: -score,
                bound: bound.turned(),
            });
        }
        if node.fate() == Fate::Unvisited {
            node.set_fate(Fate::Horizon {
                static_value: -score,
            });
        }
        self
    }

    fn exact(&self, line: &str, value: i32, nodes: u64) -> &Hand {
        self.value(line, value, Bound::Exact, nodes)
    }

    fn fate(&self, line: &str, fate: Fate) -> &Hand {
        self.tree.node(self.node(line)).set_fate(fate);
        self
    }

    /// Sets the move considered best at a node.
    fn best(&self, line: &str, best: &str) -> &Hand {
        let best = code(&format!("{line} {best}"));
        let fate = Fate::Expanded {
            best,
            searched: 1,
            skipped: 0,
            moves: 20,
            margin: 0,
        };
        self.fate(line, fate)
    }

    /// Sets a proof from the view of the side that played the line's last move.
    fn proof(&self, line: &str, proof: Proof) -> &Hand {
        let own = Proof {
            lower: proof.upper.one_ply_down(),
            upper: proof.lower.one_ply_down(),
        };
        self.tree.node(self.node(line)).set_proof(own);
        self
    }
}

fn rows(hands: &[&Hand], line: &str) -> Vec<MergedRow> {
    let subject = start();
    let readers = hands.iter().map(|h| Some(h.reader(&subject)));
    Merged::new(&subject, readers.collect()).rows(&path(line))
}

fn row(hands: &[&Hand], line: &str) -> MergedRow {
    let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
    let rows = rows(hands, before);
    let found = rows.into_iter().find(|row| row.name.san == last);
    found.expect("a legal move")
}

/// Returns the differences of a row, whether flagged or not.
fn found(row: &MergedRow) -> Vec<Difference> {
    row.differences.iter().map(|f| f.difference).collect()
}

const FUTILE: Fate = Fate::Futility {
    static_value: Score::from_raw(-310),
    margin: 142,
    alpha: Score::from_raw(-95),
    depth: 2,
};

#[test]
fn a_move_pruned_here_and_best_there_is_the_worst() {
    let (a, b) = (Hand::alpha_beta(), Hand::mcts());
    a.exact("d4", 20, 50).best("", "d4").fate("e4", FUTILE);
    b.exact("", 0, 100).exact("e4", 80, 60).exact("d4", 60, 40);
    b.best("", "e4");
    let row = row(&[&a, &b], "e4");
    let expected = Difference::PrunedHereBestThere {
        here: 0,
        there: 1,
        fate: FUTILE,
    };
    assert_eq!(found(&row), [expected]);
    // By the values of the second column, what the first one plays is 0.05 worse: too little to be sure of.
    let apart = row.differences[0].apart.expect("both moves have values");
    let e = |cp: f32| (cp / 360.0).tanh();
    assert!((apart.by - (e(80.0) - e(60.0))).abs() < 1e-4 && apart.sigmas() < 1.0);
    assert!(!row.is_flagged());
    assert_eq!(row.disagreement, 0.0);
    let cells: Vec<&MergedCell> = row.cells.iter().flatten().collect();
    assert_eq!((cells[0].rank, cells[1].rank), (None, Some(1)));
    assert_eq!((cells[0].expected(), cells[0].is_best), (None, false));
    assert!(cells[1].is_best && cells[1].share == Some(0.6));
    assert!(matches!(cells[0].id, RowId::Node(_)));
}

#[test]
fn a_move_cut_off_with_its_siblings_is_pruned_too() {
    let (a, b) = (Hand::alpha_beta(), Hand::mcts());
    let (value, beta) = (Score::new(320), Score::new(300));
    a.exact("d4", 320, 50).fate(
        "",
        Fate::BetaCutoff {
            by: code("d4"),
            value,
            beta,
            searched: 1,
        },
    );
    b.exact("e4", 80, 60).best("", "e4");
    let fate = Fate::SiblingCutoff {
        by: code("d4"),
        value,
        beta,
    };
    let expected = Difference::PrunedHereBestThere {
        here: 0,
        there: 1,
        fate,
    };
    assert_eq!(found(&row(&[&a, &b], "e4")), [expected]);
    let own = Difference::PrunedHereBestThere {
        here: 0,
        there: 1,
        fate: FUTILE,
    };
    assert!(own.worst_first(&expected).is_lt());
}

/// e = tanh(cp / 360).
#[test]
fn values_differ_as_far_as_their_bounds_allow() {
    let e = |cp: f32| (cp / 360.0).tanh();
    let with = |bound: Bound, value: i32| {
        let (a, b) = (Hand::alpha_beta(), Hand::mcts());
        a.value("e4", value, bound, 10).best("", "e4");
        b.exact("e4", 50, 10).best("", "e4");
        row(&[&a, &b], "e4")
    };
    let far = with(Bound::Exact, 200);
    let by = e(200.0) - e(50.0);
    assert!((far.disagreement - by).abs() < 1e-4);
    let [
        Difference::Value {
            high,
            low,
            by: told,
        },
    ] = found(&far)[..]
    else {
        panic!("{:?}", far.differences);
    };
    assert_eq!((high, low), (0, 1));
    assert!((told - by).abs() < 1e-4);
    // At most +2.00, and at least −1.00: both are consistent with +0.50.
    for (bound, value) in [(Bound::Upper, 200), (Bound::Lower, -100)] {
        let row = with(bound, value);
        assert_eq!((row.disagreement, row.differences.len()), (0.0, 0));
        let cell = row.cells[0].as_ref().expect("a node");
        assert_eq!(cell.verdict.bound, Some(bound));
    }
    // At most −1.00, and at least +2.00: neither is consistent with +0.50.
    for (bound, value, high) in [(Bound::Upper, -100, 1), (Bound::Lower, 200, 0)] {
        let row = with(bound, value);
        let difference = (e(value as f32) - e(50.0)).abs();
        assert!((row.disagreement - difference).abs() < 1e-4);
        assert_eq!(found(&row)[0].columns(), (high, 1 - high));
    }
    // Below the threshold of 0.1.
    let near = with(Bound::Exact, 60);
    assert!(near.differences.is_empty() && near.disagreement > 0.02);
    // The distance counts in units of what both values are unsure by: 150 and 50 centipawns are worth a note, no more.
    let apart = |row: &MergedRow| row.differences[0].apart.expect("two values");
    assert!(far.is_flagged() && apart(&far).sigmas() > 1.0);
    let noted = with(Bound::Exact, 120);
    assert!(!noted.is_flagged() && apart(&noted).sigmas() < 1.0);
    // A deeper search and more visits are surer, so that less is flagged.
    assert!((0.1..0.4).contains(&apart(&far).joint), "{:?}", apart(&far));
}

#[test]
fn best_replies_are_compared_where_they_mean_something() {
    let (a, b) = (Hand::alpha_beta(), Hand::mcts());
    a.exact("e4", 30, 10).exact("e4 e5", -30, 5);
    a.best("", "e4").best("e4", "e5");
    b.exact("e4", 30, 10).exact("e4 c5", -30, 5);
    b.best("", "e4").best("e4", "c5");
    let expected = Difference::BestReply {
        one: 0,
        other: 1,
        one_reply: code("e4 e5"),
        other_reply: code("e4 c5"),
    };
    assert_eq!(found(&row(&[&a, &b], "e4")), [expected]);
    // All of Black's moves failed low (White's value is at least that), so none of them is the best.
    a.value("e4", 30, Bound::Lower, 10);
    assert_eq!(found(&row(&[&a, &b], "e4")), []);
}

#[test]
fn proofs_are_told_and_contradictions_too() {
    let win = |plies| Proof::exact(Score::win_in(plies));
    let (a, b) = (Hand::alpha_beta(), Hand::mcts());
    a.exact("e4", 30, 10).best("", "e4");
    b.exact("e4", 30, 10).best("", "e4").proof("e4", win(3));
    let kinds =
        |row: &MergedRow| -> Vec<Kind> { row.differences.iter().map(Found::kind).collect() };
    let one = row(&[&a, &b], "e4");
    assert_eq!(kinds(&one), [Kind::ProvenHere, Kind::Value]);
    assert_eq!(
        one.differences[0].difference,
        Difference::ProvenHere {
            here: 1,
            there: 0,
            proof: win(3)
        }
    );
    a.proof("e4", Proof::exact(Score::DRAW));
    let both = row(&[&a, &b], "e4");
    assert_eq!(kinds(&both), [Kind::Contradiction, Kind::Value]);
    assert!(both.differences.iter().all(|f| f.flagged));
    // A proof is certain, so a win and a draw are as far apart as can be told.
    assert!(
        both.differences[1]
            .apart
            .is_some_and(|a| a.sigmas().is_infinite())
    );
    // At least a win against exactly this win is no contradiction.
    let at_least = Proof {
        lower: Score::win_in(7),
        upper: Score::win_in(1),
    };
    a.proof("e4", at_least);
    assert_eq!(kinds(&row(&[&a, &b], "e4")), []);
}

#[test]
fn a_move_that_one_never_tried_is_told_if_it_matters() {
    let (a, b, c) = (Hand::mcts(), Hand::mcts(), Hand::external());
    for hand in [&a, &b] {
        hand.exact("e4", 30, 57).best("", "e4");
    }
    c.exact("e4", 30, 57).best("", "e4");
    b.exact("d4", 20, 40).exact("a3", 0, 3);
    let hands = [&a, &b, &c];
    let expected = Difference::NotVisited {
        here: 0,
        there: 1,
        share: Some(0.4),
    };
    // An external engine does not report everything it searched.
    assert_eq!(found(&row(&hands, "d4")), [expected]);
    assert_eq!(found(&row(&hands, "a3")), []);
    // A search that stopped before the node says nothing about the moves there.
    b.exact("e4 e5", -20, 30).best("e4", "e5");
    assert_eq!(found(&row(&hands, "e4 e5")), []);
}

#[test]
fn columns_without_the_node_have_no_cell() {
    let (a, b) = (Hand::external(), Hand::external());
    a.exact("e4", 30, 10)
        .exact("e4 e5", -30, 5)
        .best("e4", "e5");
    b.exact("d4", 30, 10);
    let subject = start();
    let readers = vec![Some(a.reader(&subject)), None, Some(b.reader(&subject))];
    let merged = Merged::new(&subject, readers);
    let rows = merged.rows(&path("e4"));
    assert_eq!(rows.len(), 20);
    assert!(
        rows.iter()
            .all(|r| r.cells[0].is_some() && r.cells[1].is_none() && r.cells[2].is_none())
    );
    assert!(merged.has_children(&path("e4")) && !merged.has_children(&path("d4")));
    assert_eq!(merged.node(0, &path("e4")), Some(a.node("e4")));
    assert_eq!(
        (merged.node(1, &[]), merged.node(2, &path("e4"))),
        (None, None)
    );
    assert_eq!(merged.best_line(0, &path("e4")), path("e4 e5"));
    assert_eq!(merged.line(&path("e4 e5 Nf3")), "1.e4 e5 2.Nf3");
    assert!(
        merged.rows(&[code("e4"), code("e4")]).is_empty(),
        "an illegal line"
    );
    let none = Merged::new(&subject, vec![None, None]);
    assert_eq!(none.rows(&[]).len(), 20);
}

#[test]
fn rows_stand_by_rank_value_share_disagreement_or_name() {
    let (a, b) = (Hand::mcts(), Hand::mcts());
    a.exact("e4", 10, 70).exact("d4", 50, 20).exact("c4", 0, 10);
    a.best("", "e4");
    b.exact("c4", 40, 50)
        .exact("e4", 20, 30)
        .exact("d4", 45, 20);
    b.best("", "c4");
    let sorted = |order: Order| -> Vec<String> {
        let mut rows = rows(&[&a, &b], "");
        sort(&mut rows, order);
        rows.into_iter().take(3).map(|r| r.name.san).collect()
    };
    // The ranks are: e4 1 and 2, d4 2 and 3, c4 3 and 1.
    assert_eq!(sorted(Order::AverageRank), ["e4", "c4", "d4"]);
    assert_eq!(sorted(Order::Rank(1)), ["c4", "e4", "d4"]);
    assert_eq!(sorted(Order::Expected(0)), ["d4", "e4", "c4"]);
    assert_eq!(sorted(Order::Share(1)), ["c4", "e4", "d4"]);
    // They are 0.111, 0.028 and 0.014 apart.
    assert_eq!(sorted(Order::Disagreement), ["c4", "e4", "d4"]);
    assert_eq!(sorted(Order::Move), ["Na3", "Nc3", "Nf3"]);
}

/// An external engine reports only its best line; jumps go into a closed row on that line.
#[test]
fn jumps_go_down_the_lines_that_another_program_tells() {
    let (a, b) = (Hand::mcts(), Hand::external());
    a.exact("", 0, 100)
        .exact("e4", 30, 90)
        .exact("e4 e5", -30, 80);
    a.best("", "e4").best("e4", "e5");
    a.exact("e4 e5 Nf3", 30, 70).best("e4 e5", "Nf3");
    a.exact("e4 e5 Nf3 Nc6", -30, 60).best("e4 e5 Nf3", "Nc6");
    for (line, next) in [
        ("", "e4"),
        ("e4", "e5"),
        ("e4 e5", "Nf3"),
        ("e4 e5 Nf3", "d6"),
    ] {
        b.exact(format!("{line} {next}").trim(), 0, 1)
            .best(line, next);
    }
    let subject = start();
    let readers = vec![Some(a.reader(&subject)), Some(b.reader(&subject))];
    let merged = Merged::new(&subject, readers);
    let mut outline = Outline::default();
    let found = |smaller| {
        move |rank| Jump::Found {
            rank,
            of: 2,
            smaller,
        }
    };
    // Neither program knows the other's reply, so nothing can be flagged, and jumps go through what there is.
    assert_eq!(outline.jump(&merged, false), found(true)(1));
    assert!(outline.has_smaller_tour());
    outline.set_filter(Filter::FLAGGED);
    assert_eq!(outline.jump(&merged, false), Jump::End);
    outline.set_filter(Filter::Noted);
    outline.close_all(&merged);
    let found = found(false);
    assert_eq!(outline.jump(&merged, false), found(1));
    assert_eq!(outline.selected_path(), path("e4 e5 Nf3"));
    assert!(outline.is_open(&path("e4 e5")) && !outline.is_open(&path("e4 e5 Nf3")));
    assert_eq!(outline.jump(&merged, false), found(2));
    assert_eq!(outline.selected_path(), path("e4 e5 Nf3 d6"));
    assert_eq!(outline.jump(&merged, false), Jump::End);
    assert_eq!(outline.jump(&merged, true), found(1));
    assert_eq!(outline.jump(&merged, true), Jump::End);
    // From a row without a rank it goes on where it was.
    outline.select(0);
    assert_eq!(outline.jump(&merged, false), found(2));
}

/// e = tanh(cp / 360).
#[test]
fn what_is_at_stake_is_what_reaches_the_root() {
    let e = |cp: f32| (cp / 360.0).tanh();
    let (a, b) = (Hand::mcts(), Hand::mcts());
    for hand in [&a, &b] {
        hand.exact("", 0, 300)
            .exact("e4", 20, 100)
            .exact("c4", -50, 20);
    }
    a.exact("d4", 10, 50).exact("c4", -200, 20).best("", "e4");
    b.exact("d4", 60, 150).best("", "d4");
    // Below d4, Black's replies: by the second column d5 is worse than the first one thinks.
    a.exact("d4 d5", -10, 30).exact("d4 Nf6", -90, 10);
    b.exact("d4 d5", -60, 90).exact("d4 Nf6", -90, 10);
    let subject = start();
    let readers = vec![Some(a.reader(&subject)), Some(b.reader(&subject))];
    let merged = Merged::new(&subject, readers);
    let stake = |line: &str, high: usize| {
        let between = Difference::Value {
            high,
            low: 1 - high,
            by: 0.1,
        };
        merged.stake(&path(line), &between)
    };
    // With the other's value of d4 the first one would play it, and the second one would not.
    let change = e(60.0) - e(20.0);
    let found = stake("d4", 1);
    assert!((found.size() - change).abs() < 1e-4, "{found:?}");
    let plays = if found.column == 0 { "d4" } else { "e4" };
    assert_eq!(found.instead, Some(code(plays)));
    // The same two plies deep: d4 is as good as Black's best reply is bad.
    let found = stake("d4 d5", 0);
    assert!((found.size() - change).abs() < 1e-3, "{found:?}");
    // Neither plays c4, however bad it is.
    assert_eq!(stake("c4", 1).size(), 0.0);
    assert_eq!(stake("c4", 1).instead, None);
    // The ranks say so.
    let ranked = differences(&merged, KindSet::ALL, 10, 100);
    assert!(ranked.complete);
    let (flagged, noted): (Vec<_>, Vec<_>) = ranked.listed.iter().partition(|l| l.found.flagged);
    assert_eq!(flagged.len(), 1, "{flagged:?}");
    assert_eq!(
        (&flagged[0].path, flagged[0].stake.size()),
        (&path("c4"), 0.0)
    );
    assert!(noted[0].path.starts_with(&path("d4")), "{noted:?}");
    assert!(noted[0].stake.size() > 0.1, "{noted:?}");
}

/// A cut-off by a sibling is no judgement: the move may be as good as the other column says.
#[test]
fn a_move_that_was_only_cut_off_puts_its_own_columns_value_at_stake() {
    let (a, b) = (Hand::alpha_beta(), Hand::mcts());
    a.exact("d4", 20, 50).best("", "d4").fate("e4", FUTILE);
    b.exact("", 0, 100).exact("e4", 200, 60).exact("d4", 20, 40);
    b.best("", "e4");
    let pruned = row(&[&a, &b], "e4");
    assert!(pruned.is_flagged(), "{:?}", pruned.differences);
    let subject = start();
    let merged = Merged::new(
        &subject,
        vec![Some(a.reader(&subject)), Some(b.reader(&subject))],
    );
    let stake = merged.stake(&path("e4"), &pruned.differences[0].difference);
    let e = |cp: f32| (cp / 360.0).tanh();
    assert!(
        (stake.size() - (e(200.0) - e(20.0))).abs() < 1e-4,
        "{stake:?}"
    );
    assert_eq!(
        stake.instead,
        Some(code(if stake.column == 0 { "e4" } else { "d4" }))
    );
}
