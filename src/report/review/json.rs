//! The review of a game as JSON. All values are from White's view, as PGN writes them, or from that of the side that has White's place
//! in another game.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{GameReview, disagreement};
use crate::json::{Name, VERSION, Version, bound_name};
use crate::schema::{BoundName, MarkName, PhaseName};
use game::Side;
use game::load::pgn::annotation::Evaluation;
use games::GameTree;
use session::{Budget, MoveName};
use studies::review::{Found, Loss, MarkKind, Part, Phase, Review, Summary, Tally, phases};

/// One game, also one that cannot be read. All values are from White's view; in Connect Four and tic-tac-toe the side that begins has
/// White's place.
#[derive(Serialize, JsonSchema, Debug)]
pub struct GameJson<'a> {
    version: Version,
    /// The number of the game over all files, from 1.
    number: usize,
    /// The file of the game.
    file: &'a str,
    /// The number of the game in its file, from 1.
    game: usize,
    /// The line on which the game begins; null if unknown.
    line: Option<u32>,
    /// The players, the result and the year.
    title: &'a str,
    /// The tags of the game, in the order of the file.
    #[serde(serialize_with = "tags")]
    #[schemars(with = "BTreeMap<String, String>")]
    tags: &'a [(String, String)],
    /// The result as in the file; null if it has none.
    result: Option<&'a str>,
    /// The last named opening that the game reached; null without one.
    opening: Option<OpeningJson>,
    /// The position in which the game begins, in FEN or as the game's files have it; null if it cannot be read.
    start_fen: Option<String>,
    budget: Budget,
    /// The seed of everything random.
    seed: u64,
    /// The index of the column whose marks and evaluations -o writes.
    judge: usize,
    /// What could not be read.
    problems: &'a [String],
    /// What was corrected or ignored, such as a tag without quotation marks.
    warnings: &'a [String],
    /// The columns, in the order of the command line.
    columns: Vec<ColumnJson<'a>>,
    /// The position before each move, and the last one.
    positions: Vec<PositionJson>,
    /// At most ten positions in which the columns are furthest apart, the largest difference first.
    disagreements: Vec<DisagreementJson>,
}

/// One column over the game.
#[derive(Serialize, JsonSchema, Debug)]
struct ColumnJson<'a> {
    /// The name of the column.
    name: &'a str,
    /// Why it gave no more results; null if it did not fail.
    trouble: Option<String>,
    /// Nodes over all positions.
    nodes: u64,
    /// CPU time over all positions, in milliseconds.
    #[schemars(range(min = 0))]
    cpu_ms: f64,
    /// How White played, by this column.
    white: SideJson,
    /// How Black played, by this column.
    black: SideJson,
}

/// How one side played.
#[derive(Serialize, JsonSchema, Debug)]
struct SideJson {
    #[serde(flatten)]
    whole: PartJson,
    /// Moves that could not be judged.
    not_judged: u32,
    /// In the opening. In games other than chess, no phase has moves.
    opening: PartJson,
    /// In the middlegame.
    middlegame: PartJson,
    /// In the endgame.
    endgame: PartJson,
}

/// How one side played in one phase.
#[derive(Serialize, JsonSchema, Debug)]
struct PartJson {
    /// Moves judged.
    moves: u32,
    /// The mean loss in expected score (in chess lichess's); null without moves.
    #[schemars(range(min = 0))]
    mean_loss: Option<f32>,
    /// The mean accuracy in per cent; null without moves.
    #[schemars(range(min = 0, max = 100))]
    accuracy: Option<f32>,
    /// Inaccuracies.
    inaccuracies: u32,
    /// Mistakes.
    mistakes: u32,
    /// Blunders.
    blunders: u32,
}

/// A named opening.
#[derive(Serialize, JsonSchema, Debug)]
struct OpeningJson {
    /// The code of the opening in the Encyclopaedia of Chess Openings.
    eco: &'static str,
    /// Its name.
    name: &'static str,
}

/// One position.
#[derive(Serialize, JsonSchema, Debug)]
struct PositionJson {
    /// Plies from the beginning of the game.
    ply: usize,
    /// The side to move.
    #[schemars(extend("enum" = ["white", "black"]))]
    side: &'static str,
    /// The phase of a game of chess; null in other games.
    #[schemars(with = "Option<PhaseName>")]
    phase: Option<&'static str>,
    /// The move played here; null at the end and for a null move.
    played: Option<Name>,
    /// What each column found; null without a result.
    columns: Vec<Option<FoundJson>>,
    /// The largest difference between the columns' expected scores; null for fewer than two.
    #[schemars(range(min = 0))]
    apart: Option<f32>,
}

/// What one column found in one position.
#[derive(Serialize, JsonSchema, Debug)]
struct FoundJson {
    /// Expected score of White, in chess e = tanh(cp / 360); null if unknown.
    #[schemars(range(min = -1, max = 1))]
    expected: Option<f32>,
    /// Centipawns for White; null for a mate, in other games than chess, or if unknown.
    cp: Option<i32>,
    /// Full moves to mate (in other games to the move that wins), negative if Black mates, 0 for checkmate; null without a mate.
    mate: Option<i32>,
    /// How `expected` relates to the true value, from White's view.
    #[schemars(with = "Option<BoundName>")]
    bound: Option<&'static str>,
    /// The standard deviation of its belief, in expected score; null without a distribution.
    #[schemars(range(min = 0))]
    sd: Option<f32>,
    /// The 10, 25, 50, 75 and 90 % points of its belief; null without a distribution.
    #[schemars(inner(range(min = -1, max = 1)))]
    quantiles: Option<[f32; 5]>,
    /// The move that it would play; null if the game is over.
    best: Option<Name>,
    /// Its principal variation, in the game's notation.
    pv: Vec<String>,
    /// The last finished iteration; null in a best-first search.
    depth: Option<u16>,
    /// Nodes searched.
    nodes: u64,
    /// Whether the game is over here.
    over: bool,
    /// What the move played here lost, in the expected score (in chess lichess's) of the side that played it; null if it cannot
    /// be judged.
    #[schemars(range(min = 0))]
    loss: Option<f32>,
    /// Whether it lost this much or more; null if it cannot be judged.
    loss_at_least: Option<bool>,
    /// The mark of the move played here; null without one.
    #[schemars(with = "Option<MarkName>")]
    mark: Option<&'static str>,
}

/// A position in which the columns are far apart.
#[derive(Serialize, JsonSchema, Debug)]
struct DisagreementJson {
    /// Plies from the beginning of the game.
    ply: usize,
    /// The difference between the highest and the lowest expected score.
    #[schemars(range(min = 0, max = 2))]
    amount: f32,
    /// Whether these two columns would play different moves.
    best_moves_differ: bool,
    /// The index of the column with the highest value for White.
    highest: usize,
    /// The index of the column with the lowest value for White.
    lowest: usize,
    /// The disagreement as a sentence.
    text: String,
}

/// The number of disagreements listed.
const LISTED: usize = 10;

/// Returns the object for one game.
pub fn json<'a>(game: &GameReview<'a>) -> GameJson<'a> {
    let review = game.review;
    let columns = 0..review.columns().len();
    let losses: Vec<Vec<Option<Loss>>> = columns.clone().map(|c| review.losses(c)).collect();
    let start = review.position(0);
    let listed = review.disagreements(LISTED).into_iter();
    let named = game.names.iter().enumerate();
    GameJson {
        version: VERSION,
        number: game.number,
        file: game.file,
        game: game.game,
        line: game.line,
        title: game.title,
        tags: game.tree.map_or(&[], |tree| &tree.headers),
        result: game.tree.and_then(|tree| tree.outcome.as_deref()),
        opening: game.tree.and_then(GameTree::opening).map(|o| OpeningJson {
            eco: o.eco,
            name: o.name,
        }),
        start_fen: start.and_then(|start| start.position.fen()),
        budget: review.budget(),
        seed: game.seed,
        judge: game.judge,
        problems: game.problems,
        warnings: game.warnings,
        columns: named.map(|(c, name)| column(review, c, name)).collect(),
        positions: positions(review, &losses),
        disagreements: listed
            .map(|at| DisagreementJson {
                ply: at.ply,
                amount: at.amount,
                best_moves_differ: at.best_moves_differ,
                highest: at.highest,
                lowest: at.lowest,
                text: disagreement(review, &at),
            })
            .collect(),
    }
}

/// Serialises tags as an object. Of several with the same name the first is kept.
fn tags<S: Serializer>(tags: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (i, (name, value)) in tags.iter().enumerate() {
        if tags[..i].iter().all(|(other, _)| other != name) {
            map.serialize_entry(name, value)?;
        }
    }
    map.end()
}

fn column<'a>(review: &Review, column: usize, name: &'a str) -> ColumnJson<'a> {
    let found = (0..review.len()).filter_map(|ply| review.result(column, ply));
    let (nodes, cpu) = found.fold((0, std::time::Duration::ZERO), |(nodes, cpu), found| {
        (nodes + found.nodes, cpu + found.cpu)
    });
    let (summary, tallies) = (review.summary(column), review.tally(column));
    ColumnJson {
        name,
        trouble: review.trouble(column).map(|t| t.message),
        nodes,
        cpu_ms: cpu.as_micros() as f64 / 1e3,
        white: side(&summary, &tallies, Side::White),
        black: side(&summary, &tallies, Side::Black),
    }
}

fn side(summary: &Summary, tallies: &[Tally; 2], side: Side) -> SideJson {
    let phase = |phase: Phase| part(&summary.phases[side as usize][phase as usize]);
    SideJson {
        whole: part(&summary.whole[side as usize]),
        not_judged: tallies[side as usize].unjudged,
        opening: phase(Phase::Opening),
        middlegame: phase(Phase::Middlegame),
        endgame: phase(Phase::Endgame),
    }
}

fn part(part: &Part) -> PartJson {
    let [inaccuracies, mistakes, blunders] = part.marks;
    PartJson {
        moves: part.moves,
        mean_loss: part.mean_loss(),
        accuracy: part.accuracy(),
        inaccuracies,
        mistakes,
        blunders,
    }
}

fn positions(review: &Review, losses: &[Vec<Option<Loss>>]) -> Vec<PositionJson> {
    let subjects = (0..review.len()).filter_map(|ply| review.position(ply));
    let phases = phases(subjects).into_iter().enumerate();
    let position = |(ply, phase): (usize, Option<Phase>)| {
        let cell = |(column, losses): (usize, &Vec<Option<Loss>>)| {
            let loss = losses.get(ply).copied().flatten();
            review.result(column, ply).map(|f| found(&f, loss))
        };
        PositionJson {
            ply,
            side: match review.side(ply) {
                Some(Side::Black) => "black",
                _ => "white",
            },
            phase: phase.map(Phase::name),
            played: review.played(ply).map(name),
            columns: losses.iter().enumerate().map(cell).collect(),
            apart: review.disagreement(ply).map(|d| d.amount),
        }
    };
    phases.map(position).collect()
}

fn found(found: &Found, loss: Option<Loss>) -> FoundJson {
    let (cp, mate) = match found.evaluation() {
        Some(Evaluation::Centipawns(cp)) => (Some(cp), None),
        Some(Evaluation::Mate(moves)) => (None, Some(moves)),
        Some(Evaluation::Expected(_)) => (None, None),
        None => (None, found.score.mate().map(i32::from)),
    };
    let mark = loss.and_then(|loss| MarkKind::of(loss.drop));
    FoundJson {
        expected: found.white(),
        cp,
        mate,
        bound: found.white_bound().and_then(bound_name),
        sd: found.sd,
        quantiles: found.band,
        best: found.best.as_ref().map(name),
        pv: found.pv.iter().map(|m| m.san.clone()).collect(),
        depth: (found.depth > 0).then_some(found.depth),
        nodes: found.nodes,
        over: found.is_over(),
        loss: loss.map(|loss| loss.drop),
        loss_at_least: loss.map(|loss| loss.at_least),
        mark: mark.map(MarkKind::name),
    }
}

fn name(m: &MoveName) -> Name {
    Name {
        uci: m.uci.clone(),
        san: m.san.clone(),
    }
}
