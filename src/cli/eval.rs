//! `plyscope eval`: static values, and beliefs about what a deep search would say.

use std::io::Write;

use clap::Args;
use clap::builder::PossibleValuesParser;
use schemars::JsonSchema;
use serde::Serialize;

use super::Failure;
use super::eval_depths::{self, DepthJson};
use super::eval_parts::{self, MoveJson, PieceJson};
use super::eval_terms::{self, TermsJson};
use super::input::{Input, Inputs, OfGames};
use super::options::{InputOptions, ShowOptions};
use super::output;
use belief::{BINS, Cdf, Grid};
use eval::{Breakdown, ChessEvaluator, Evaluation, Evaluator, LeafShape, Width, WonPawn};
use game::{Game, KnownDraw, Scale, Score};
use report::json::{MomentsJson, ScoreJson, VERSION, Version};
use report::number;
use report::schema::{EvaluationName, KnownDrawName};
use report::text::{Style, strip};
use session::NodeValue;
use tree::{Bound, Proof};

/// Print the static value of a position and the belief about it, for the side to move.
///
/// The static value is that of the position as it stands, without quiescence: pieces that can be taken still count. The
/// belief is what a deep search would say, as an expected score, so its mean may be far from the static value's.
///
/// With a file, every position in it is evaluated, and every position of a game's main line.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope eval --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  plyscope eval --pieces --policy --with network game.pgn
  plyscope eval --terms --moves \"e4 d5 exd5\"
  plyscope eval --depth 8 sample-positions/kiwipete.fen
  plyscope eval game.pgn --json
  cut -d, -f1 positions.csv | plyscope eval - --json")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    show: ShowOptions,

    /// Show what each term of the hand-written evaluation contributes (chess; White's view)
    #[arg(long)]
    terms: bool,

    /// Show what each piece adds to the value: the value without it is taken from the value with it (chess)
    #[arg(long)]
    pieces: bool,

    /// Show how likely each move looks to be the best: the prior of `mcts` (chess)
    #[arg(long)]
    policy: bool,

    /// Search every depth up to this one and show how sure each value is (chess, with both, 1M nodes at most)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=32))]
    depth: Option<u16>,

    /// Which evaluation of chess positions [default: both; hand with --terms]
    #[arg(long, value_name = "WHICH", value_parser = PossibleValuesParser::new(Evaluation::NAMES))]
    with: Option<String>,

    /// Print one JSON object per position, one per line
    #[arg(long)]
    json: bool,
}

/// The evaluation of one position.
struct Evaluated {
    value: Score,
    /// The standard deviation, in the logit (chess) or in the expected score (toy trees).
    spread: f32,
    belief: Cdf,
    ending: bool,
    known_draw: Option<KnownDraw>,
    scale: Scale,
    grid: Grid,
}

/// The static evaluation of a position, from the view of the side to move.
#[derive(Serialize, JsonSchema)]
pub(super) struct EvalJson {
    version: Version,
    /// The title of the position in its file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The position; null for a toy tree.
    fen: Option<String>,
    /// Whether the game is over here, so that the value is exact.
    ended: bool,
    /// What a draw rests on that is known without a search: searches count the position as one, whatever the static value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<KnownDrawName>")]
    known_draw: Option<&'static str>,
    /// What is known about the value of such an endgame.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_value: Option<&'static str>,
    /// The static value: without quiescence, so that pieces that can be taken still count.
    score: ScoreJson,
    /// The belief: what a deep search would say. Its mean need not be the static value's.
    belief: Belief,
    /// Which evaluation, for a chess position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<EvaluationName>")]
    with: Option<&'static str>,
    /// With --terms, for a chess position.
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<TermsJson>,
    /// With --pieces, for a chess position: what each piece adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<PieceJson>>,
    /// With --policy, for a chess position: how likely each move looks, the likeliest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Vec<MoveJson>>,
    /// With --depth, for a chess position: how sure the value of a search is, by its depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    depths: Option<Vec<DepthJson>>,
}

/// What a deep search would say, as a distribution over the expected score.
#[derive(Serialize, JsonSchema)]
struct Belief {
    #[serde(flatten)]
    moments: MomentsJson,
    /// One standard deviation in the logit (chess) or in expected score (toy trees).
    #[schemars(range(min = 0))]
    width: f32,
    /// The edges of the bins in expected score, one more than there are values in `pmf`.
    #[schemars(inner(range(min = -1, max = 1)))]
    edges: Vec<f32>,
    /// The probability of each bin.
    #[schemars(inner(range(min = 0)))]
    pmf: Vec<f32>,
}

/// Evaluates the positions and prints the results.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut inputs = Inputs::gather(&arguments.input, OfGames::All)?;
    let style = Style {
        ascii: arguments.show.ascii,
    };
    let named = arguments.with.as_deref().and_then(Evaluation::of_name);
    let which = match (named, arguments.terms) {
        (Some(named @ (Evaluation::Network | Evaluation::Both)), true) => {
            let found = named.name();
            let why =
                format!("--terms: found --with {found}, expected hand: a network has no terms");
            return Err(Failure::Usage(why));
        }
        (Some(named), _) => named,
        (None, true) => Evaluation::HandCrafted,
        (None, false) => Evaluation::default(),
    };
    if arguments.depth.is_some() && which != Evaluation::Both {
        let found = which.name();
        let why = format!(
            "--depth: found the evaluation {found}, expected both: the belief was fitted to its values"
        );
        return Err(Failure::Usage(why));
    }
    let evaluator = ChessEvaluator::new(which);
    let mut out = std::io::BufWriter::new(output::stdout());
    for input in inputs.positions.drain(..) {
        let position = &input.subject.position;
        let evaluation = match position.as_chess() {
            Some(chess) => evaluate(&evaluator, chess),
            None => evaluate(&position.evaluator(which), position),
        };
        let chess = position.as_chess().filter(|_| !evaluation.ending);
        let known = chess.and_then(WonPawn::of).map(WonPawn::sentence);
        let terms = chess.filter(|_| arguments.terms).map(Breakdown::new);
        let pieces = chess.filter(|_| arguments.pieces);
        let pieces = pieces.map(|p| eval_parts::of_pieces(&evaluator, p));
        let policy = chess.filter(|_| arguments.policy);
        let policy = policy.map(|p| eval_parts::of_moves(&evaluator, p));
        let depths = chess.and(arguments.depth);
        let depths = depths.map(|d| eval_depths::of_depths(&input.subject, d, style));
        if arguments.json {
            let with = position.as_chess().map(|_| which.name());
            let mut json = as_json(input, &evaluation);
            json.with = with;
            json.known_value = known;
            json.breakdown = terms.as_ref().map(eval_terms::as_json);
            json.pieces = pieces;
            json.policy = policy;
            json.depths = depths;
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", style.apply(as_text(&input, &evaluation, style)))?;
            if let Some(draw) = evaluation.known_draw {
                let (words, reason) = (draw.words(), draw.reason());
                writeln!(
                    out,
                    "  a known draw, and a search counts it as one: {words}. {reason}"
                )?;
            }
            if let Some(sentence) = known {
                writeln!(out, "  {sentence}")?;
            }
            if let Some(terms) = &terms {
                writeln!(out, "{}", style.apply(eval_terms::as_text(terms)))?;
            }
            if let Some(pieces) = &pieces {
                writeln!(out, "{}", style.apply(eval_parts::pieces_text(pieces)))?;
            }
            if let Some(policy) = &policy {
                writeln!(out, "{}", style.apply(eval_parts::moves_text(policy)))?;
            }
            if let Some(depths) = &depths {
                writeln!(out, "{}", style.apply(eval_depths::depths_text(depths)))?;
            }
        }
    }
    out.flush()?;
    inputs.verdict()
}

fn evaluate<G: Game, E: Evaluator<G>>(evaluator: &E, position: &G) -> Evaluated {
    let grid = Grid::of(position.scale().points());
    let state = evaluator.start(position);
    let has_moves = !position.legal_moves().is_empty();
    let ending = position.ending(has_moves);
    let value = match ending {
        Some(ending) => position.ending_score(ending),
        None => evaluator.value(&state, position),
    };
    let shape = LeafShape {
        width: Width::Fitted,
        bias: 0.0,
    };
    let (spread, belief) = match ending {
        Some(_) => (
            0.0,
            Cdf::atom(grid.bin_of(position.scale().expected(value))),
        ),
        None => (
            evaluator.spread(&state, position, value),
            evaluator.belief(&state, position, value, &shape),
        ),
    };
    Evaluated {
        value,
        spread,
        belief,
        ending: ending.is_some(),
        known_draw: position.known_draw(),
        scale: position.scale(),
        grid,
    }
}

fn as_json(input: Input, e: &Evaluated) -> EvalJson {
    let verdict = NodeValue {
        wide: None,
        expected: Some(e.scale.expected(e.value)),
        score: Some(e.value),
        bound: Some(Bound::Exact),
        proof: if e.ending {
            Proof::exact(e.value)
        } else {
            Proof::OPEN
        },
        is_line_short: false,
    };
    EvalJson {
        version: VERSION,
        fen: input.fen(),
        title: input.title,
        ended: e.ending,
        known_draw: e.known_draw.map(KnownDraw::words),
        known_value: None,
        score: ScoreJson::new(&verdict, e.scale),
        belief: Belief {
            moments: MomentsJson {
                mean: e.belief.mean(&e.grid),
                sd: e.belief.sd(&e.grid),
            },
            width: e.spread,
            edges: e.grid.edges()[..=BINS].to_vec(),
            pmf: e.belief.density().0[..BINS].to_vec(),
        },
        with: None,
        breakdown: None,
        pieces: None,
        policy: None,
        depths: None,
    }
}

fn as_text(input: &Input, e: &Evaluated, style: Style) -> String {
    let name = input
        .fen()
        .or_else(|| input.title.clone())
        .unwrap_or_default();
    format!(
        "{:<9} {:>7}  e {}  belief {} ±{:.2}  {}  {name}",
        if e.ending { "game over" } else { "static" },
        number::score(e.scale, e.value),
        number::expected(e.scale.expected(e.value)),
        number::expected(e.belief.mean(&e.grid)),
        e.belief.sd(&e.grid),
        strip(&e.belief.density(), 21, style),
    )
}
