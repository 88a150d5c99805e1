//! Won endgames of king and one piece against king, played out against a defender who knows every distance to mate.

use ::algorithms::Algorithm;
use eval::HandCrafted;
use game::{ChessPosition, Ending, Game, MoveCode, Scale, Situation};
use search::common::table::Tables;
use search::{Choices, Control, Free, Job, Limits, Options, Start};
use shakmaty::{CastlingMode, Chess, Color, Position};
use tree::Tree;

use crate::endgame::Endgame;
use crate::job;

/// How an endgame went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Mate after this many moves by the winner.
    Mate(u32),
    /// By the fifty-move rule, a third repetition, stalemate or the loss of the piece.
    Drawn(&'static str),
}

/// The winner's search.
#[derive(Clone, Debug)]
pub struct Winner {
    pub options: Options,
    /// Nodes per move.
    pub nodes: u64,
    /// Whether the tree is reused from move to move.
    pub reuses: bool,
}

/// Returns different won positions with White (who has the piece) to move, from a fixed seed, with their moves to mate.
pub fn won(endgame: &Endgame, count: usize, seed: u64) -> Vec<(Chess, u32)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut chosen: Vec<(Chess, u32)> = Vec::new();
    while chosen.len() < count {
        let index = random.usize(0..endgame.scores.len());
        let Some(score) = endgame.scores[index].filter(|s| s.is_win()) else {
            continue;
        };
        let Some(position) = endgame.at(index).filter(|p| p.turn() == Color::White) else {
            continue;
        };
        let moves = score.mate_moves().unwrap_or(0).unsigned_abs();
        chosen.push((position, moves.into()));
    }
    chosen
}

/// Plays one out, starting with a half-move clock of 0.
pub fn play_out(endgame: &Endgame, from: &Chess, winner: &Winner) -> Outcome {
    let mut game = Situation::new(ChessPosition::new(from.clone(), CastlingMode::Standard));
    let evaluator = HandCrafted::default();
    let tables = Tables::new(0);
    let mut tree: Option<Tree> = None;
    let mut since: Vec<MoveCode> = Vec::new();
    for moves in 1.. {
        let control = Control::new(
            Limits {
                nodes: Some(winner.nodes),
                ..Limits::default()
            },
            1,
        );
        let kept = tree.take().filter(|_| winner.reuses);
        let (now, best) = think(&game, kept, &since, winner, &evaluator, &tables, &control);
        tree = Some(now);
        assert!(game.follow(best), "a legal move");
        if let Some(outcome) = over(&game, moves) {
            return outcome;
        }
        let reply = longest(endgame, &game.position);
        assert!(game.follow(reply), "a legal reply");
        if let Some(outcome) = over(&game, moves) {
            return outcome;
        }
        since = vec![best, reply];
    }
    unreachable!("the fifty-move rule ends it")
}

/// Returns the winner's tree and move. `kept` is the tree of the previous move, from which `since` led here.
fn think(
    game: &Situation<ChessPosition>,
    kept: Option<Tree>,
    since: &[MoveCode],
    winner: &Winner,
    evaluator: &HandCrafted,
    tables: &Tables,
    control: &Control,
) -> (Tree, MoveCode) {
    let choices = Choices::default();
    let job = Job {
        recorded: None,
        situation: game,
        evaluator,
        tree: &Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, 1 << 20, u16::MAX)),
        tables,
        options: &winner.options,
        control,
        start: Start::default(),
        endgames: None,
        choices: &choices,
        seed: 1,
    };
    let kept =
        kept.filter(|tree| job::move_on(Algorithm::Mcts, &Job { tree, ..job }, since).is_some());
    let tree = kept.unwrap_or_else(|| {
        Tree::new(Algorithm::Mcts.tree_spec(Scale::Logistic, 256 << 20, u16::MAX))
    });
    let best = job::run(Algorithm::Mcts, &Job { tree: &tree, ..job }, 0, &mut Free).best;
    (tree, best)
}

/// Returns the reply after which the mate takes longest, or one that draws if there is one.
fn longest(endgame: &Endgame, position: &ChessPosition) -> MoveCode {
    let moves = position.legal_moves().into_iter();
    let worth = |m: &shakmaty::Move| {
        let mut after = position.clone();
        after.play(*m);
        endgame.truth(after.chess()).one_ply_up()
    };
    let best = moves.max_by_key(worth).expect("a legal move");
    position.encode(best)
}

fn over(game: &Situation<ChessPosition>, moves: u32) -> Option<Outcome> {
    let position = &game.position;
    let again = game
        .history
        .repetitions(position.key(), position.reversible_plies());
    match position.ending(!position.legal_moves().is_empty()) {
        Some(Ending::Checkmate) => Some(Outcome::Mate(moves)),
        Some(Ending::FiftyMoves) => Some(Outcome::Drawn("fifty moves")),
        Some(Ending::Stalemate) => Some(Outcome::Drawn("stalemate")),
        Some(_) => Some(Outcome::Drawn("too little material")),
        None => (again.times >= 2).then_some(Outcome::Drawn("third repetition")),
    }
}
