//! The review of a game as JSON. All values are from White's view, as PGN writes them.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{GameReview, disagreement};
use crate::compare::budget_json;
use crate::json::{Name, VERSION, bound_name};
use game::Side;
use game::load::GameTree;
use game::load::pgn::annotation::Evaluation;
use session::{Budget, MoveName};
use studies::review::{Found, Loss, MarkKind, Part, Phase, Review, Summary, Tally, phases};

/// One game.
#[derive(Serialize, Debug)]
pub struct GameJson<'a> {
    version: u32,
    /// The number of the game in the run, from 1.
    number: usize,
    file: &'a str,
    /// The number of the game in its file, and the line on which it begins.
    game: usize,
    line: Option<u32>,
    /// The players, the result and the year.
    title: &'a str,
    /// In the order of the file.
    #[serde(serialize_with = "tags")]
    tags: &'a [(String, String)],
    result: Option<&'a str>,
    /// The name of the last named position of the game.
    opening: Option<OpeningJson>,
    /// `null` if the game cannot be read.
    start_fen: Option<String>,
    #[serde(serialize_with = "budget_json")]
    budget: Budget,
    seed: u64,
    /// The index of the column that judges.
    judge: usize,
    /// What could not be read.
    problems: &'a [String],
    columns: Vec<ColumnJson<'a>>,
    /// The position before each move, and the last one.
    positions: Vec<PositionJson>,
    /// The largest first.
    disagreements: Vec<DisagreementJson>,
}

#[derive(Serialize, Debug)]
struct ColumnJson<'a> {
    name: &'a str,
    /// Why it gave no more results, if it failed.
    trouble: Option<String>,
    nodes: u64,
    cpu_ms: f64,
    white: SideJson,
    black: SideJson,
}

#[derive(Serialize, Debug)]
struct SideJson {
    #[serde(flatten)]
    whole: PartJson,
    /// Moves that could not be judged.
    not_judged: u32,
    opening: PartJson,
    middlegame: PartJson,
    endgame: PartJson,
}

#[derive(Serialize, Debug)]
struct PartJson {
    /// The number of moves judged.
    moves: u32,
    /// By lichess's formula; `null` without moves.
    mean_loss: Option<f32>,
    /// In per cent.
    accuracy: Option<f32>,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

#[derive(Serialize, Debug)]
struct OpeningJson {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize, Debug)]
struct PositionJson {
    ply: usize,
    side: &'static str,
    phase: &'static str,
    /// The move played here; `null` at the end and for a null move.
    played: Option<Name>,
    /// By column; `null` without a result.
    columns: Vec<Option<FoundJson>>,
    /// The largest difference between the columns' expected scores.
    apart: Option<f32>,
}

#[derive(Serialize, Debug)]
struct FoundJson {
    expected: Option<f32>,
    cp: Option<i32>,
    /// Full moves; negative if Black mates, 0 for checkmate.
    mate: Option<i32>,
    bound: Option<&'static str>,
    sd: Option<f32>,
    /// The 10, 25, 50, 75 and 90 % points of the belief.
    quantiles: Option<[f32; 5]>,
    best: Option<Name>,
    pv: Vec<String>,
    depth: Option<u16>,
    nodes: u64,
    /// Whether the game is over here.
    over: bool,
    /// What the move played here lost; `null` if it cannot be judged.
    loss: Option<f32>,
    /// Whether it lost this much or more.
    loss_at_least: Option<bool>,
    mark: Option<&'static str>,
}

#[derive(Serialize, Debug)]
struct DisagreementJson {
    ply: usize,
    amount: f32,
    best_moves_differ: bool,
    /// The indices of the columns.
    highest: usize,
    lowest: usize,
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
    let position = |(ply, phase): (usize, Phase)| {
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
            phase: phase.name(),
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
