//! The game moves on along the tree of MCTS: what is kept, what is withdrawn, and that nothing false remains.

use std::collections::{BTreeMap, HashSet};

use ::algorithms::Algorithm;
use common::endgame::Endgame;
use common::{chess, run_probed, until};
use eval::HandCrafted;
use game::{ChessPosition, Game, MoveCode, Situation};
use proptest::prelude::*;
use search::common::table::Tables;
use search::{
    Choices, Control, Decision, EndEarly, Free, Job, Limits, Options, Reuse, Start, StopReason,
    Totals,
};
use session::{Config, Next, Session, State, Subject};
use shakmaty::{CastlingMode, Role};
use tree::{Fate, Node, NodeId, Tree};

fn mcts(pairs: &[&str]) -> Options {
    let mut options = Algorithm::Mcts.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option");
    }
    options
}

fn new_tree(budget: u64) -> Tree {
    Tree::new(Algorithm::Mcts.tree_spec(game::Scale::Logistic, budget, u16::MAX))
}

fn search(
    tree: &Tree,
    situation: &Situation<ChessPosition>,
    options: &Options,
    limits: Limits,
) -> (Totals, Option<StopReason>) {
    run_probed(
        Algorithm::Mcts,
        situation,
        &HandCrafted::default(),
        options,
        limits,
        tree,
        &mut Free,
    )
}

/// Moves the root of the tree; `situation` is the one after the moves.
fn move_on(
    tree: &Tree,
    situation: &Situation<ChessPosition>,
    options: &Options,
    moves: &[MoveCode],
) -> Option<Reuse> {
    let control = Control::new(Limits::default(), 1);
    let job = Job {
        recorded: None,
        endgames: None,
        situation,
        evaluator: &HandCrafted::default(),
        tree,
        tables: &Tables::new(0),
        options,
        control: &control,
        start: Start::default(),
        choices: &Choices::default(),
        seed: 1,
    };
    common::job::move_on(Algorithm::Mcts, &job, moves)
}

/// Returns the nodes reachable from the root with their plies, parents first, and checks that they are connected.
fn reachable(tree: &Tree) -> Vec<(NodeId, usize)> {
    let mut found = vec![(Tree::ROOT, 0)];
    let mut seen = HashSet::from([Tree::ROOT]);
    assert!(tree.node(Tree::ROOT).parent().is_none());
    let mut at = 0;
    while let Some(&(id, ply)) = found.get(at) {
        at += 1;
        let block = tree.children_block(tree.node(id)).len();
        let children: Vec<NodeId> = tree.children(id).collect();
        assert_eq!(children.len(), block);
        for child in children {
            assert!(seen.insert(child), "{child:?} stands twice in the tree");
            assert_eq!(tree.node(child).parent(), id);
            found.push((child, ply + 1));
        }
    }
    found
}

/// Whether the look-ahead gave the node a visit.
fn is_given(node: &Node) -> bool {
    matches!(node.fate(), Fate::Ended(_)) && node.visits() > 0
}

/// Returns the visits of a node that did not go to its children. The look-ahead creates some children with a visit of
/// their own.
fn own_visits(tree: &Tree, id: NodeId) -> i64 {
    let through = |child: NodeId| {
        let node = tree.node(child);
        i64::from(node.visits()) - i64::from(is_given(node))
    };
    let below: i64 = tree.children(id).map(through).sum();
    i64::from(tree.node(id).visits()) - below
}

/// Returns the sum of a node's values that did not come from its children.
fn own_total(tree: &Tree, id: NodeId) -> f64 {
    let through = |child: NodeId| {
        let node = tree.node(child);
        let given = if is_given(node) { node.expected() } else { 0.0 };
        node.total() - f64::from(given)
    };
    tree.node(id).total() + tree.children(id).map(through).sum::<f64>()
}

fn is_two_fold(tree: &Tree, id: NodeId) -> Option<usize> {
    match tree.node(id).fate() {
        Fate::Repetition {
            times: 1,
            plies_back,
        } => Some(usize::from(plies_back)),
        _ => None,
    }
}

/// Checks what must hold after every search and every reuse.
fn check(tree: &Tree, situation: &Situation<ChessPosition>, truth: Option<&Endgame>) {
    for (id, ply) in reachable(tree) {
        let node = tree.node(id);
        assert!(
            own_visits(tree, id) >= 0 || node.child_count() == 0,
            "{id:?}"
        );
        assert!(node.total().abs() <= f64::from(node.visits()) + 1e-3);
        if let Some(back) = is_two_fold(tree, id) {
            assert!(back <= ply, "{id:?} repeats the past: {back} of {ply}");
        }
        let Some(endgame) = truth.filter(|_| !node.is_path_dependent() && ply <= 3) else {
            continue;
        };
        let mut position = situation.position.clone();
        for code in tree.moves_to(id) {
            let m = position.decode(code).expect("a legal move");
            position.play(m);
        }
        let (truth, proof) = (endgame.truth(position.chess()), node.proof());
        // If the search did not look at a node, the look-ahead only shows that there is no mate.
        if node.visits() > 0 {
            assert!(
                proof.lower <= truth && truth <= proof.upper,
                "{}: {proof:?}, in truth {truth:?}",
                position.fen()
            );
        }
    }
}

/// Plays `moves` and moves the root; checks that nothing changed except draws that were withdrawn. Returns `false` if
/// nothing could be kept.
fn follow(
    tree: &Tree,
    situation: &mut Situation<ChessPosition>,
    options: &Options,
    moves: &[MoveCode],
) -> bool {
    let place = moves.iter().fold(Tree::ROOT, |at, &m| {
        tree.child_by_move(at, m).expect("a node")
    });
    let below = |id: NodeId| tree.path(id).contains(&place);
    let renamed = |id: NodeId| if id == place { Tree::ROOT } else { id };
    let before: BTreeMap<NodeId, (i64, f64, bool)> = reachable(tree)
        .into_iter()
        .filter(|&(id, _)| below(id))
        .map(|(id, ply)| {
            let gone = is_two_fold(tree, id).is_some_and(|back| back + moves.len() > ply);
            let own = (own_visits(tree, id), own_total(tree, id), gone);
            (renamed(id), own)
        })
        .collect();
    let visits = tree.node(place).visits();
    assert!(moves.iter().all(|&m| situation.follow(m)));
    let Some(reuse) = move_on(tree, situation, options, moves) else {
        assert_eq!(before.len(), 1, "only the node itself");
        return false;
    };
    assert_eq!(reuse.place, place);
    assert_eq!(reuse.visits, tree.node(Tree::ROOT).visits());
    let after = reachable(tree);
    assert_eq!(after.len(), before.len());
    let mut opened = 0;
    for (id, _) in after {
        let (visits, total, gone) = before[&id];
        let node = tree.node(id);
        if gone {
            assert_eq!((node.fate(), node.visits()), (Fate::Unvisited, 0));
            assert!(!node.is_path_dependent());
            opened += 1;
        } else if node.child_count() > 0 {
            assert_eq!(own_visits(tree, id), visits, "{id:?}");
            let close = (own_total(tree, id) - total).abs() < 1e-3;
            // Above a proven win a draw's visit counted as more than 0: what is left of it is cut to the visits that remain.
            let cut = (node.total().abs() - f64::from(node.visits())).abs() < 1e-6;
            assert!(close || cut || id == Tree::ROOT, "{id:?}");
        }
    }
    assert_eq!(reuse.taken_back, opened);
    assert!(opened > 0 || reuse.visits == visits);
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn random_games_with_reuse_never_exclude_the_truth(
        start in 0usize..400,
        queen: bool,
        picks in prop::collection::vec((0usize..40, 1usize..=3), 8),
        amount in 200u64..1_200,
    ) {
        use std::sync::OnceLock;
        static SOLVED: [OnceLock<Endgame>; 2] = [OnceLock::new(), OnceLock::new()];
        let piece = if queen { Role::Queen } else { Role::Rook };
        let endgame = SOLVED[usize::from(queen)].get_or_init(|| Endgame::solve(piece));
        let (position, _) = endgame.sample(31, 400)[start].clone();
        let mut situation = Situation::new(ChessPosition::new(position, CastlingMode::Standard));
        let options = mcts(&[]);
        let tree = new_tree(64 << 20);
        search(&tree, &situation, &options, common::nodes(amount));
        check(&tree, &situation, Some(endgame));
        for (pick, count) in picks {
            let mut moves = Vec::new();
            let mut at = Tree::ROOT;
            for _ in 0..count {
                // Most visited first, so that there is something below.
                let mut children: Vec<NodeId> = tree.children(at).collect();
                children.sort_by_key(|&c| std::cmp::Reverse(tree.node(c).visits()));
                let Some(&next) = children.get(pick % children.len().clamp(1, 3)) else { break };
                moves.push(tree.node(next).move_code());
                at = next;
            }
            if moves.is_empty() || !follow(&tree, &mut situation, &options, &moves) {
                break;
            }
            check(&tree, &situation, Some(endgame));
            let (totals, _) = search(&tree, &situation, &options, common::nodes(amount));
            prop_assert!(totals.nodes <= amount);
            check(&tree, &situation, Some(endgame));
        }
    }
}

const SHUFFLE: &str = "8/8/8/4k3/8/8/4R3/4K3 b - - 0 1";

#[test]
fn a_repetition_of_the_past_is_no_draw_any_more() {
    let options = mcts(&[]);
    let mut situation = chess(SHUFFLE);
    let tree = new_tree(64 << 20);
    search(&tree, &situation, &options, common::nodes(60_000));
    // The root's own position again, after both sides moved back and forth.
    let back = reachable(&tree)
        .into_iter()
        .find(|&(id, ply)| is_two_fold(&tree, id) == Some(4) && ply == 4);
    let (back, _) = back.expect("a repetition of the root");
    let line = tree.moves_to(back);
    assert!(tree.node(back).visits() > 0);
    assert!(follow(&tree, &mut situation, &options, &line[..1]));
    // A search that starts here does not count it as a draw either.
    let fresh = new_tree(64 << 20);
    search(&fresh, &situation, &options, common::nodes(60_000));
    let find = |tree: &Tree| {
        line[1..]
            .iter()
            .try_fold(Tree::ROOT, |at, &m| tree.child_by_move(at, m))
    };
    assert_eq!(find(&tree), Some(back));
    let elsewhere = find(&fresh).filter(|&id| fresh.node(id).visits() > 0);
    assert!(elsewhere.is_none_or(|id| is_two_fold(&fresh, id).is_none()));
    // And neither does one that continues.
    search(&tree, &situation, &options, common::nodes(60_000));
    assert!(is_two_fold(&tree, back).is_none());
    check(&tree, &situation, None);
}

#[test]
fn a_third_occurrence_stays_a_draw() {
    let options = mcts(&[]);
    // Moved back and forth once: the next recurrence is the second occurrence, then the third.
    let mut situation = chess(SHUFFLE);
    let shuffle = ["Kd5", "Rd2", "Ke5", "Re2"];
    let play = |situation: &mut Situation<ChessPosition>, text: &str| {
        let m = game::notation::parse_move(&situation.position, text).expect(text);
        let code = situation.position.encode(m);
        situation.play(m);
        code
    };
    for text in shuffle {
        play(&mut situation, text);
    }
    let tree = new_tree(64 << 20);
    search(&tree, &situation, &options, common::nodes(120_000));
    let mut later = situation.clone();
    let line: Vec<MoveCode> = shuffle.iter().map(|text| play(&mut later, text)).collect();
    let third = line
        .iter()
        .try_fold(Tree::ROOT, |at, &m| tree.child_by_move(at, m));
    let third = third.filter(|&id| tree.node(id).visits() > 0);
    let Some(third) = third else {
        panic!("the search never went there");
    };
    let times = |id| match tree.node(id).fate() {
        Fate::Repetition { times, .. } => times,
        _ => 0,
    };
    assert_eq!(times(third), 2);
    let proof = tree.node(third).proof();
    assert!(follow(&tree, &mut situation, &options, &line[..2]));
    assert_eq!((times(third), tree.node(third).proof()), (2, proof));
}

#[test]
fn where_nothing_is_known_nothing_is_kept() {
    let options = mcts(&["hunt-share=0"]);
    let situation = chess(common::KIWIPETE);
    let tree = new_tree(64 << 20);
    search(&tree, &situation, &options, common::nodes(300));
    let leaf = tree
        .children(Tree::ROOT)
        .find(|&c| tree.node(c).child_count() == 0)
        .expect("a leaf");
    let code = tree.node(leaf).move_code();
    let mut after = situation.clone();
    assert!(after.follow(code));
    let before = tree.copy();
    assert_eq!(move_on(&tree, &after, &options, &[code]), None);
    assert_eq!(move_on(&tree, &situation, &options, &[]), None);
    assert_eq!(tree.difference(&before), None);
}

/// What was left behind makes room: the search continues where it would otherwise have no memory left.
#[test]
fn places_left_behind_are_given_out_again() {
    let options = mcts(&[]);
    let mut situation = chess(common::KIWIPETE);
    let tree = new_tree(64 * 20_000);
    let (_, reason) = search(&tree, &situation, &options, common::nodes(1_000_000));
    assert_eq!(reason, Some(StopReason::Memory));
    let mut grew = 0;
    for _ in 0..6 {
        assert!(tree.is_full());
        let best = tree.node(Tree::ROOT).fate().best().expect("a best move");
        assert!(follow(&tree, &mut situation, &options, &[best]));
        assert!(!tree.is_full(), "there are places left behind");
        let copy = tree.copy();
        let kept = reachable(&tree).len();
        let (_, reason) = search(&tree, &situation, &options, common::nodes(1_000_000));
        assert_eq!(reason, Some(StopReason::Memory));
        let now = reachable(&tree).len();
        // Everything is reused except gaps that are too small for a block of children.
        assert!(now > 14_000 && now >= kept, "{kept} grew to {now}");
        grew += now - kept;
        assert!(tree.len() <= tree.capacity());
        check(&tree, &situation, None);
        // A copy hands out the same places, so a rewind is exact.
        search(&copy, &situation, &options, common::nodes(1_000_000));
        assert_eq!(copy.difference(&tree), None);
    }
    assert!(grew > 1_000, "{grew}");
}

#[test]
fn a_proof_found_before_is_the_roots_at_once() {
    let options = mcts(&[]);
    let mut situation = chess("7k/8/8/8/8/1R6/R7/K7 w - - 0 1");
    let tree = new_tree(64 << 20);
    let (_, reason) = search(&tree, &situation, &options, common::nodes(20_000));
    assert_eq!(reason, Some(StopReason::Solved));
    let best = tree.node(Tree::ROOT).fate().best().expect("a best move");
    assert!(follow(&tree, &mut situation, &options, &[best]));
    assert_eq!(
        tree.node(Tree::ROOT).proof(),
        tree::Proof::exact(game::Score::loss_in(2))
    );
    let (totals, reason) = search(&tree, &situation, &options, common::nodes(20_000));
    assert_eq!((totals.nodes, reason), (0, Some(StopReason::Solved)));
}

fn session(situation: &Situation<ChessPosition>, options: &Options, limits: Limits) -> Session {
    Session::start(Subject::from(situation.clone()), config(options, limits))
}

fn config(options: &Options, limits: Limits) -> Config {
    Config {
        options: options.clone(),
        limits,
        memory: 64 << 20,
        ..Config::new(Algorithm::Mcts)
    }
}

fn wait(session: &mut Session) {
    until("the end of the search", || {
        matches!(session.status().state, State::Finished(_))
    });
    session.join();
}

#[test]
fn a_session_follows_another_and_can_be_rewound_to_its_beginning() {
    let situation = chess(common::KIWIPETE);
    let options = mcts(&[]);
    let mut old = session(&situation, &options, common::nodes(20_000));
    wait(&mut old);
    let best = old.best_to_play().expect("a move");
    let mut after = situation.clone();
    assert!(after.follow(best));
    let next = Next {
        steps_back: true,
        ..Next::default()
    };
    let subject = Subject::from(after.clone());
    let (mut new, reuse) =
        Session::start_after(old, subject, config(&options, common::nodes(3_000)), next);
    let reuse = reuse.expect("a tree to begin on");
    assert!(reuse.visits > 1_000 && reuse.visits < reuse.visits_before);
    wait(&mut new);
    assert_eq!(new.status().totals.nodes, 3_000);
    let end = new.tree().copy();
    let last = new.event_position().now;
    assert_eq!(new.event_position().first, 0);
    new.step_back(last / 2);
    until("the way back", || {
        new.tend();
        !new.is_stepping()
    });
    assert!(new.event_position().now < last);
    assert!(new.tree().difference(&end).is_some());
    new.go_to(0);
    until("the beginning", || {
        new.tend();
        !new.is_stepping()
    });
    assert_eq!(new.tree().node(Tree::ROOT).visits(), reuse.visits);
    new.resume();
    wait(&mut new);
    assert_eq!(new.tree().difference(&end), None);
}

#[test]
fn another_game_other_options_or_the_switch_begin_afresh() {
    let situation = chess(common::KIWIPETE);
    let begin = |pairs: &[&str], later: &[&str], history: bool| {
        let options = mcts(pairs);
        let mut old = session(&situation, &options, common::nodes(3_000));
        wait(&mut old);
        let best = old.best_to_play().expect("a move");
        let mut after = situation.clone();
        assert!(after.follow(best));
        if !history {
            after = Situation::new(after.position);
        }
        let config = config(&mcts(later), common::nodes(10));
        Session::start_after(old, Subject::from(after), config, Next::default())
            .1
            .is_some()
    };
    assert!(begin(&[], &[], true));
    assert!(!begin(&[], &[], false), "nobody knows that it follows");
    assert!(!begin(&[], &["fpu=0.3"], true));
    assert!(!begin(&["tree-reuse=off"], &["tree-reuse=off"], true));
}

/// Excluded moves below the new root stay excluded; those of the old root are gone with it.
#[test]
fn choices_below_stay() {
    let situation = chess(common::KIWIPETE);
    let options = mcts(&[]);
    let mut old = session(&situation, &options, common::nodes(20_000));
    wait(&mut old);
    let best = old.best_to_play().expect("a move");
    let node = old.tree().child_by_move(Tree::ROOT, best).expect("a node");
    let reply = old.tree().node(node).fate().best().expect("a reply");
    let other = old
        .tree()
        .children(Tree::ROOT)
        .map(|c| old.tree().node(c).move_code())
        .find(|&m| m != best)
        .expect("another move");
    for (parent, m) in [(node, reply), (Tree::ROOT, other)] {
        old.set_excluded(parent, &[m]).expect("moves are left");
        until("the change", || {
            old.tend();
            !old.is_stepping()
        });
    }
    let mut after = situation.clone();
    assert!(after.follow(best));
    let subject = Subject::from(after);
    let config = config(&options, common::nodes(3_000));
    let (mut new, reuse) = Session::start_after(old, subject, config, Next::default());
    assert!(reuse.is_some());
    wait(&mut new);
    let mut expected = Choices::default();
    expected.set(Tree::ROOT, reply, true);
    assert_eq!(*new.choices(), expected);
    assert!(new.best_to_play().is_some_and(|m| m != reply));
}

#[test]
fn smart_stopping_ends_when_no_other_move_can_catch_up() {
    // The queen hangs.
    let situation = chess("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1");
    let limits = common::nodes(60_000);
    let whole = new_tree(64 << 20);
    let (totals, reason) = search(&whole, &situation, &mcts(&[]), limits);
    assert_eq!((totals.nodes, reason), (60_000, Some(StopReason::Nodes)));
    let options = mcts(&["smart-stopping=on"]);
    let mut session = session(&situation, &options, limits);
    wait(&mut session);
    let status = session.status();
    assert_eq!(status.state, State::Finished(StopReason::Decided));
    assert!(status.totals.nodes < 50_000);
    let words = session.decision().expect("a reason");
    assert!(
        words.starts_with("Nxh4 has ") && words.contains(" visits more than the next move; about "),
        "{words}"
    );
    assert_eq!(session.best_to_play(), whole.node(Tree::ROOT).fate().best());
    // The lead is the one in the tree.
    let mut visits: Vec<u32> = session
        .tree()
        .children(Tree::ROOT)
        .map(|c| session.tree().node(c).visits())
        .collect();
    visits.sort_unstable();
    let lead = visits[visits.len() - 1] - visits[visits.len() - 2];
    let lead = text::thousands(lead.into());
    assert!(words.contains(&format!(" has {lead} visits")), "{words}");
}

#[test]
fn an_only_move_is_not_thought_about() {
    let situation = chess("k7/8/1K6/8/8/8/8/7R b - - 0 1");
    let decided = |early| {
        let control = Control::new(
            Limits {
                early,
                ..common::nodes(50_000)
            },
            1,
        );
        let options = mcts(&[]);
        let job = Job {
            recorded: None,
            endgames: None,
            situation: &situation,
            evaluator: &HandCrafted::default(),
            tree: &new_tree(64 << 20),
            tables: &Tables::new(0),
            options: &options,
            control: &control,
            start: Start::default(),
            choices: &Choices::default(),
            seed: 1,
        };
        let start = common::job::run(Algorithm::Mcts, &job, 0, &mut Free);
        (control.decision(), control.stopped(), start.best)
    };
    let (decision, reason, best) = decided(EndEarly::ByClock);
    assert_eq!(decision, Some(Decision::OnlyMove(best)));
    assert_eq!(reason, Some(StopReason::Decided));
    let (decision, reason, _) = decided(EndEarly::IfSet);
    assert!(decision.is_none() && reason != Some(StopReason::Decided));
}

/// At the root a move that certainly loses is left alone, whether or not the distance is exact.
#[test]
fn the_root_does_not_visit_proven_losses() {
    let situation = chess("6k1/5pp1/7p/8/8/8/r4PPP/1R4K1 w - - 0 1");
    let options = mcts(&[]);
    let tree = new_tree(64 << 20);
    let lost = |tree: &Tree| -> BTreeMap<NodeId, u32> {
        let children = tree.children(Tree::ROOT);
        let children = children.filter(|&c| tree.node(c).proof().is_win());
        children.map(|c| (c, tree.node(c).visits())).collect()
    };
    // Most rook moves allow a mate on the first rank.
    search(&tree, &situation, &options, common::nodes(5_000));
    let before = lost(&tree);
    search(&tree, &situation, &options, common::nodes(20_000));
    let after = lost(&tree);
    for (id, visits) in before {
        assert_eq!(after.get(&id), Some(&visits));
    }
    assert!(!after.is_empty(), "some moves lose");
}
