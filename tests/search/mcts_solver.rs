//! Two independent checks of the MCTS-solver's proofs, a retrograde solver of small endgames and playing proofs out
//! move by move; and its options.

use algorithms::Algorithm;
use common::endgame::Endgame;
use common::{chess, run_probed};
use eval::HandCrafted;
use game::{ChessPosition, Scale, Score, Situation};
use search::{AfterEvent, Event, Free, Options, Probe, StopReason};
use session::{Config, GrownBy, Reader, Session, Subject};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role, fen::Fen};
use tree::{Fate, NodeId, Proof, Tree};

fn mcts(pairs: &[&str]) -> Options {
    let mut options = Algorithm::Mcts.default_options();
    for pair in pairs {
        options.set_pair(pair).expect("an option");
    }
    options
}

fn solve(
    situation: &Situation<ChessPosition>,
    options: &Options,
    nodes: u64,
) -> (Tree, Option<StopReason>) {
    let scale = game::Game::scale(&situation.position);
    let tree = Tree::new(Algorithm::Mcts.tree_spec(scale, 256 << 20, u16::MAX));
    let limits = common::nodes(nodes);
    let evaluator = HandCrafted::default();
    let (_, reason) = run_probed(
        Algorithm::Mcts,
        situation,
        &evaluator,
        options,
        limits,
        &tree,
        &mut Free,
    );
    (tree, reason)
}

#[test]
fn what_is_proven_of_small_endgames_is_the_truth() {
    let (mut closed, mut all) = (0, 0);
    for piece in [Role::Queen, Role::Rook] {
        let endgame = Endgame::solve(piece);
        // Well known: the longest mates take 10 moves with the queen and 16 with the rook.
        let longest = endgame
            .scores
            .iter()
            .flatten()
            .max_by_key(|s| match s.mate_plies() {
                Some(plies) if s.is_win() => plies,
                _ => 0,
            });
        let plies = if piece == Role::Queen { 19 } else { 31 };
        assert_eq!(longest, Some(&Score::win_in(plies)));
        for (position, truth) in endgame.sample(3, 600) {
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            let situation = Situation::new(ChessPosition::new(position, CastlingMode::Standard));
            let (tree, reason) = solve(&situation, &mcts(&[]), 3_000);
            let proof = tree.node(Tree::ROOT).proof();
            assert!(
                proof.lower <= truth && truth <= proof.upper,
                "{fen}: {proof:?}, in truth {truth:?}"
            );
            if proof.is_exact() {
                closed += 1;
                assert!(
                    matches!(reason, Some(StopReason::Solved) | None),
                    "{fen}: {reason:?}"
                );
            }
            all += 1;
        }
    }
    println!("{closed} of {all} closed");
    assert!(closed >= 1_000, "{closed} of {all}");
}

/// With endgame tables the root is found in them: their result, and their distances as bounds.
#[test]
fn tables_do_not_exclude_the_truth_either() {
    let Some(tables) = common::endgames().map(std::sync::Arc::new) else {
        return;
    };
    let (mut certain, mut all) = (0, 0);
    for piece in [Role::Queen, Role::Rook] {
        let endgame = Endgame::solve(piece);
        for (position, truth) in endgame.sample(40, 60) {
            if position.is_game_over() {
                continue;
            }
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            let here = ChessPosition::new(position, CastlingMode::Standard);
            let subject = Subject::from(Situation::new(here));
            for row in &algorithms::ALGORITHMS {
                let config = Config {
                    limits: common::nodes(1_000),
                    memory: 32 << 20,
                    table: 1 << 20,
                    endgames: Some(tables.clone()),
                    ..Config::new(row.algorithm)
                };
                let mut session = Session::start(subject.clone(), config);
                session.join();
                let tree = session.tree();
                let proof = tree.node(Tree::ROOT).proof();
                let holds = proof.lower <= truth && truth <= proof.upper;
                assert!(holds, "{} {fen}: {proof:?}, in truth {truth:?}", row.name);
                // The move played keeps the result.
                let played = session
                    .best_to_play()
                    .and_then(|m| tree.child_by_move(Tree::ROOT, m));
                let after = played.map(|id| (id, session.reader().situation(id)));
                if let Some((id, Some(after))) = after {
                    let after = after.position.as_chess().expect("chess");
                    let truth_after = endgame.truth(after.chess());
                    let proof = tree.node(id).proof();
                    assert!(
                        proof.lower <= truth_after && truth_after <= proof.upper,
                        "{fen}"
                    );
                    assert_eq!(truth_after.is_loss(), truth.is_win(), "{} {fen}", row.name);
                }
                all += 1;
                certain += u32::from(proof.is_certain());
            }
        }
    }
    assert!(all > 300 && certain == all, "{certain} of {all}");
}

/// Plays a proof out on a separate board: the winner's move is legal, all of the other side's are there, and every line
/// ends in mate. Returns the longest line.
fn play_out(reader: &Reader, id: NodeId, position: &Chess, claim: session::Claim) -> u16 {
    let shown = reader.proving(id, claim);
    let legal = position.legal_moves();
    if shown.is_empty() {
        assert!(position.is_checkmate(), "{position:?}");
        return 0;
    }
    assert_eq!(shown.len(), if claim.least { 1 } else { legal.len() });
    let lines = shown.into_iter().map(|(child, claim)| {
        let code = reader.tree.node(child).move_code();
        let here = ChessPosition::new(position.clone(), CastlingMode::Standard);
        let m = game::Game::decode(&here, code).expect("a legal move");
        let mut next = position.clone();
        next.play_unchecked(m);
        1 + play_out(reader, child, &next, claim)
    });
    lines.max().unwrap_or(0)
}

#[test]
fn every_proven_mate_can_be_played_out() {
    let mut played = 0;
    for (name, moves) in [
        ("mates/sunfish_mate2.fen", 2),
        ("mates/sunfish_mate3.fen", 3),
    ] {
        for fen in &common::positions(name) {
            let situation = chess(fen);
            let options = mcts(&[]);
            let (tree, reason) = solve(&situation, &options, 200_000);
            let proof = tree.node(Tree::ROOT).proof();
            assert_eq!(proof.lower, Score::win_in(2 * moves - 1), "{fen}");
            assert_eq!(reason, Some(StopReason::Solved), "{fen}");
            let subject = Subject::from(situation.clone());
            let reader = Reader {
                tree: &tree,
                subject: &subject,
                searcher: GrownBy::Own(Algorithm::Mcts, &options),
            };
            let claim = reader.claim(Tree::ROOT).expect("a win");
            let longest = play_out(&reader, Tree::ROOT, situation.position.chess(), claim);
            assert_eq!(Score::win_in(longest), proof.lower, "{fen}");
            let size = reader.proof_size(Tree::ROOT, usize::MAX).expect("a proof");
            assert_eq!(size.plies, usize::from(longest));
            played += 1;
        }
    }
    println!("{played} played out");
}

/// What descents guided by proof numbers find is proven, and does not enter visits and values.
#[test]
fn hunts_prove_quiet_mates_and_leave_visits_alone() {
    let fen = "8/6R1/1K6/2P5/8/4k3/Q7/8 w - - 0 1";
    let situation = chess(fen);
    // Against a lone king every move tried for the prior counts as a node.
    let with = solve(&situation, &mcts(&["hunt-share=0.5"]), 800_000).0;
    let without = solve(&situation, &mcts(&["hunt-share=0"]), 800_000).0;
    let root = |tree: &Tree| tree.node(Tree::ROOT).proof();
    assert_eq!(root(&with), Proof::exact(Score::win_in(7)));
    assert!(!root(&without).is_exact());
    // Every visit of the root started a descent by visits.
    let hunted = |id: &NodeId| with.node(*id).visits() == 0 && with.node(*id).is_expanded();
    assert!(
        with.ids().any(|id| hunted(&id)),
        "hunts expand on their own"
    );
    assert!(with.ids().all(|id| with.node(id).expected().abs() <= 1.0));
    assert!(
        without
            .ids()
            .all(|id| without.node(id).last_proof_numbers().is_none())
    );
}

/// The capture shows the draw. That there is nothing better follows from the material, not from moves that were never
/// searched.
#[test]
fn a_lone_king_that_takes_the_rook_has_a_proven_draw() {
    let situation = chess("8/8/8/8/8/2k5/1R6/5K2 b - - 0 1");
    let options = mcts(&[]);
    let (tree, reason) = solve(&situation, &options, 20_000);
    assert_eq!(reason, Some(StopReason::Solved));
    assert_eq!(tree.node(Tree::ROOT).proof().lower, Score::DRAW);
    let subject = Subject::from(situation);
    let reader = Reader {
        tree: &tree,
        subject: &subject,
        searcher: GrownBy::Own(Algorithm::Mcts, &options),
    };
    let size = reader.proof_size(Tree::ROOT, usize::MAX).expect("a proof");
    assert_eq!((size.nodes, size.plies), (2, 1));
}

const MATE_IN_TWO: &str = "7k/8/8/8/8/1R6/R7/K7 w - - 0 1";

#[test]
fn without_certainty_nothing_is_handed_up() {
    let (tree, reason) = solve(&chess(MATE_IN_TWO), &mcts(&["certainty=off"]), 20_000);
    assert!(!tree.node(Tree::ROOT).proof().is_certain());
    // The visits end in the mates.
    assert_eq!(reason, Some(StopReason::Playouts));
    // The mates themselves were seen, and the values find the move.
    let mated = |id: NodeId| matches!(tree.node(id).fate(), Fate::Ended(_));
    assert!((1..tree.len()).map(NodeId).any(mated));
    let (tree, reason) = solve(&chess(MATE_IN_TWO), &mcts(&[]), 20_000);
    assert_eq!(tree.node(Tree::ROOT).proof().lower, Score::win_in(3));
    assert_eq!(reason, Some(StopReason::Solved));
}

#[test]
fn the_other_switches_cost_no_proof() {
    for pairs in [
        &["look-ahead=off"][..],
        &["single-reply=off"],
        &["two-fold=off"],
    ] {
        let (tree, reason) = solve(&chess(MATE_IN_TWO), &mcts(pairs), 300_000);
        assert_eq!(reason, Some(StopReason::Solved), "{pairs:?}");
        let proof = tree.node(Tree::ROOT).proof();
        assert_eq!(proof.lower, Score::win_in(3), "{pairs:?}");
    }
}

#[test]
fn without_two_fold_only_the_third_occurrence_is_a_draw() {
    let repeated = |pairs: &[&str]| {
        let (tree, _) = solve(
            &chess("8/8/8/4k3/8/8/4R3/4K3 b - - 0 1"),
            &mcts(pairs),
            30_000,
        );
        let times = |id: u32| match tree.node(NodeId(id)).fate() {
            Fate::Repetition { times, .. } => Some(times),
            _ => None,
        };
        (1..tree.len()).filter_map(times).min()
    };
    assert_eq!(repeated(&[]), Some(1));
    assert!(repeated(&["two-fold=off"]).is_none_or(|times| times >= 2));
}

/// Counts the descents into children whose moves are proven to lose, with the distance: at the root, and inside the
/// tree.
struct Losses<'a> {
    tree: &'a Tree,
    at_root: u32,
    inside: u32,
}

impl Probe for Losses<'_> {
    const ACTIVE: bool = true;

    fn event(&mut self, event: Event) -> AfterEvent {
        if let Event::Enter { node, .. } = event {
            let node = self.tree.node(node);
            let loses = node.proof().is_exact() && node.proof().is_win();
            if loses && node.parent() == Tree::ROOT {
                self.at_root += 1;
            } else if loses && !node.parent().is_none() {
                self.inside += 1;
            }
        }
        AfterEvent::GoOn
    }
}

/// White threatens a back-rank mate.
const BLUNDERS: &str = "6k1/5ppp/8/8/8/2q5/5PPP/3R2K1 b - - 0 1";

#[test]
fn inside_the_tree_proven_losses_are_visited_unless_told_otherwise() {
    let descents = |pairs: &[&str]| {
        let tree = Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, 256 << 20, u16::MAX));
        let limits = common::nodes(30_000);
        let mut probe = Losses {
            tree: &tree,
            at_root: 0,
            inside: 0,
        };
        let (situation, evaluator) = (chess(BLUNDERS), HandCrafted::default());
        let options = mcts(pairs);
        let algorithm = Algorithm::Mcts;
        run_probed(
            algorithm, &situation, &evaluator, &options, limits, &tree, &mut probe,
        );
        let lost = tree.children(Tree::ROOT).map(|id| tree.node(id).proof());
        let lost = lost.filter(|p| p.is_exact() && p.is_win()).count();
        assert!(lost > 5, "{lost} moves of the root lose");
        (probe.at_root, probe.inside)
    };
    let avoids = descents(&["visit-certain=off", "hunt-share=0"]);
    assert_eq!(avoids, (0, 0));
    let (at_root, inside) = descents(&["hunt-share=0"]);
    assert_eq!(at_root, 0);
    assert!(inside > 500, "{inside}");
}

#[test]
fn an_open_root_goes_on_to_its_limit_with_the_proofs_move() {
    for fen in [MATE_IN_TWO, "7k/5K2/8/6q1/8/8/8/7R b - - 0 1", BLUNDERS] {
        let (closed, reason) = solve(&chess(fen), &mcts(&[]), 40_000);
        let (open, still) = solve(&chess(fen), &mcts(&["root-open=on"]), 40_000);
        assert_ne!(still, Some(StopReason::Solved), "{fen}");
        let proofs = [&closed, &open].map(|tree| tree.node(Tree::ROOT).proof());
        if reason == Some(StopReason::Solved) {
            assert_eq!(proofs[0], proofs[1], "{fen}");
            let root = open.node(Tree::ROOT);
            assert!(matches!(root.fate(), Fate::Expanded { .. }), "{fen}");
            let best = best_first::best_child(&open, Tree::ROOT);
            let best = open.node(best.expect("a move")).proof().one_ply_up();
            assert!(best.lower >= proofs[0].lower, "{fen}: {best:?}");
            assert!(root.visits() > closed.node(Tree::ROOT).visits(), "{fen}");
        }
    }
}

#[test]
fn a_position_of_the_game_counts_as_a_draw_where_asked_for() {
    use game::Game;
    let mut situation = chess("3k4/r7/8/8/8/8/1R6/3K4 w - - 0 2");
    for m in ["d1e1", "d8e8", "e1d1", "e8d8"] {
        let legal = situation.position.legal_moves().into_iter();
        let mut found = legal.filter(|&l| situation.position.uci(l) == m);
        let found = found.next().expect("a legal move");
        situation.play(found);
    }
    let two_folds = |pairs: &[&str]| {
        let (tree, _) = solve(&situation, &mcts(pairs), 5_000);
        let of_the_game = |&id: &NodeId| {
            let ply = tree.path(id).len() - 1;
            let fate = tree.node(id).fate();
            matches!(fate, Fate::Repetition { times: 1, plies_back } if usize::from(plies_back) > ply)
        };
        (1..tree.len()).map(NodeId).filter(of_the_game).count()
    };
    assert_eq!(two_folds(&[]), 0);
    assert!(two_folds(&["two-fold-draws=on"]) > 0);
}
