//! The search of a leaf that is shown is the one that the tree tells of.

use std::collections::BTreeMap;

use algorithms::Algorithm;
use common::{KIWIPETE, chess, settle};
use eval::ChessEvaluator;
use game::{MoveCode, Score};
use search::Event;
use session::debug::{CantExclude, News, OnlyShown, Step};
use session::{Config, NoLeafSearch, Session, Subject};
use tree::{Bound, NodeId, Tree};

const OPEN_GAME: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

fn config(nodes: u64) -> Config {
    Config {
        limits: common::nodes(nodes),
        memory: 64 << 20,
        table: 4 << 20,
        ..Config::new(Algorithm::Distress)
    }
}

/// What was told of a leaf's last visit.
#[derive(Clone, Copy, Debug)]
struct Told {
    value: Score,
    bound: Bound,
    depth: i8,
    nodes: u64,
    /// Of these, moves that were made before the leaf was searched.
    moves: u64,
    visits: u32,
}

/// By leaf, its last visit, as a probe recorded it that knows nothing of sessions.
fn told(subject: &Subject, config: &Config) -> BTreeMap<NodeId, Told> {
    let run = common::run(
        Algorithm::Distress,
        &subject.chess().expect("chess"),
        &ChessEvaluator::default(),
        &config.options,
        config.limits,
        config.memory,
    );
    let mut all: BTreeMap<NodeId, Told> = BTreeMap::new();
    let (mut asked, mut spent, mut entered) = (0, 0, NodeId::NONE);
    for event in &run.events {
        match *event {
            Event::Enter { node, .. } => entered = node,
            Event::Ask { depth, .. } => asked = depth,
            Event::Answer {
                node,
                value,
                bound,
                nodes,
            } => {
                spent += u64::from(nodes);
                let visits = all.get(&node).map_or(0, |t| t.visits);
                // At the expansion of its parent, the move to the leaf is counted with the leaf's search.
                let moves = u64::from(entered != node);
                all.insert(
                    node,
                    Told {
                        value,
                        bound,
                        depth: asked,
                        nodes: spent,
                        moves,
                        visits,
                    },
                );
            }
            Event::Evaluate { node, .. } => {
                spent = 0;
                if let Some(told) = all.get_mut(&node) {
                    told.visits += 1;
                }
            }
            _ => {}
        }
    }
    all
}

fn finished(subject: &Subject, config: &Config) -> Session {
    let mut session = Session::start(subject.clone(), config.clone());
    session.join();
    session
}

/// The last answer that the shown search reported, and the nodes that it took in all.
fn shown(session: &mut Session) -> Option<(Score, Bound, u64)> {
    session.step(Step::Into, u32::MAX);
    settle(session);
    let answers: Vec<_> = session.with_log(|log| {
        let answer = |event: &Event| match *event {
            Event::Answer { value, bound, .. } => Some((value, bound)),
            _ => None,
        };
        log.iter().filter_map(|(_, e)| answer(e)).collect()
    });
    let (value, bound) = *answers.last()?;
    Some((value, bound, session.status().totals.nodes))
}

fn shows_what_was_told(fen: &str, nodes: u64, every: usize) {
    let (subject, config) = (Subject::from(chess(fen)), config(nodes));
    let told = told(&subject, &config);
    let session = finished(&subject, &config);
    let mut checked = 0;
    let mut from_table = 0;
    for (&node, told) in told.iter().step_by(every) {
        let leaf = session.open_leaf(node, true).expect("a leaf");
        let mut leaf = leaf;
        let way = session.tree().moves_to(node);
        assert_eq!(leaf.way_to_leaf(), Some(&way[..]));
        let Some((value, bound, nodes)) = shown(&mut leaf) else {
            // The transposition table knew the value: only the move was counted.
            assert_eq!((told.visits, told.nodes), (1, 1), "{told:?}");
            from_table += 1;
            continue;
        };
        let searched = told.nodes - told.moves;
        assert_eq!(
            (value, bound, nodes),
            (told.value, told.bound, searched),
            "{way:?} {told:?}"
        );
        // All of it hangs below the leaf.
        let tree = leaf.tree();
        let mut at = Tree::ROOT;
        for m in &way {
            assert_eq!(tree.children(at).count(), 1);
            at = tree.child_by_move(at, *m).expect("the way");
        }
        let window = tree.view(at).window.expect("a window");
        // Internal reduction may have taken a ply.
        assert!(i32::from(window.depth) + 1 >= i32::from(told.depth));
        checked += 1;
    }
    assert!(
        checked >= 10 && from_table < checked,
        "{checked}, {from_table}"
    );
}

#[test]
fn a_leafs_search_is_the_one_that_the_tree_tells_of() {
    shows_what_was_told(OPEN_GAME, 8_000, 23);
    shows_what_was_told(KIWIPETE, 12_000, 37);
}

#[test]
fn an_opened_leaf_is_stepped_through_and_back() {
    let (subject, config) = (Subject::from(chess(KIWIPETE)), config(12_000));
    let session = finished(&subject, &config);
    let log = |leaf: &Session| -> Vec<Event> {
        leaf.with_log(|log| log.iter().map(|(_, e)| e.clone()).collect())
    };
    // A tree grows by lots of nodes, so that a small search would not show that it shrinks.
    let searched = |node| {
        let mut leaf = session.open_leaf(node, true).ok()?;
        leaf.step(Step::Into, u32::MAX);
        settle(&mut leaf);
        Some(leaf)
    };
    let children = session.tree().children(Tree::ROOT);
    let leaves = children.filter_map(searched);
    let mut leaf = leaves
        .max_by_key(|leaf| log(leaf).len())
        .expect("a leaf search");
    let all = log(&leaf);
    assert!(matches!(all[0], Event::Ask { .. }));
    assert!(matches!(all[1], Event::Enter { .. }));
    let end = leaf.tree().len();
    leaf.go_to(3);
    settle(&mut leaf);
    assert_eq!(
        leaf.standing().map(|s| (s.number, s.event)),
        Some((3, all[2].clone()))
    );
    assert!(
        leaf.tree().len() < end,
        "{} {end} {}",
        leaf.tree().len(),
        all.len()
    );
    leaf.step(Step::Into, 1);
    settle(&mut leaf);
    assert_eq!(leaf.standing().map(|s| s.event), Some(all[3].clone()));
    // It is what it was.
    assert_eq!(
        leaf.set_excluded(Tree::ROOT, &[MoveCode::NONE]),
        Err(CantExclude::OnlyShown(OnlyShown::Leaf))
    );
    leaf.search_more(Tree::ROOT, 100);
    assert!(leaf.tend().contains(&News::OnlyShown(OnlyShown::Leaf)));
}

#[test]
fn what_has_no_search_of_its_own_says_so() {
    let subject = Subject::from(chess(KIWIPETE));
    let refused = |session: &Session, node| session.open_leaf(node, false).err();
    let first = |session: &Session| session.tree().children(Tree::ROOT).next().expect("a child");

    let session = finished(&subject, &config(8_000));
    assert_eq!(refused(&session, Tree::ROOT), Some(NoLeafSearch::Unvisited));
    assert_eq!(
        refused(&session, NodeId::NONE),
        Some(NoLeafSearch::Unvisited)
    );

    let two = Config {
        threads: 2,
        ..config(8_000)
    };
    let session = finished(&subject, &two);
    assert_eq!(
        refused(&session, first(&session)),
        Some(NoLeafSearch::NotRepeatable)
    );

    let mut unsearched = config(8_000);
    unsearched
        .options
        .set("leaf", "quiescence")
        .expect("a word");
    let session = finished(&subject, &unsearched);
    assert_eq!(
        refused(&session, first(&session)),
        Some(NoLeafSearch::NotSearched)
    );

    let other = Config {
        limits: config(8_000).limits,
        ..Config::new(Algorithm::AlphaBeta)
    };
    let session = finished(&subject, &other);
    assert_eq!(
        refused(&session, first(&session)),
        Some(NoLeafSearch::NotSearched)
    );
}
