//! `plyscope perft`: counting the lines of play by root move.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::input::{Inputs, OfGames};
use super::options::InputOptions;
use super::{Failure, headless, output};
use game::{Game, perft};
use report::json::{VERSION, Version};
use report::why::plural;
use text::thousands;

/// Count the lines of N moves, by the first move.
///
/// The counts of a correct move generator are known (perft), so a wrong one is found where it differs. Lines that end before
/// they are N moves long are not counted.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope perft 5
  plyscope perft 4 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\" --json")]
pub struct Arguments {
    /// How many moves
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,

    #[command(flatten)]
    input: InputOptions,

    /// Print one JSON object per position, one per line
    #[arg(long)]
    json: bool,
}

/// The number of lines from a position.
#[derive(Serialize, JsonSchema)]
pub(super) struct PerftJson<'a> {
    version: Version,
    /// The position; null for a toy tree.
    fen: Option<String>,
    /// The length of the lines in plies.
    #[schemars(range(min = 1))]
    depth: u32,
    /// The number of lines.
    nodes: u64,
    /// How long it took, in seconds.
    #[schemars(range(min = 0))]
    seconds: f64,
    /// The lines by their first move.
    moves: Vec<MoveJson<'a>>,
}

/// One first move.
#[derive(Serialize, JsonSchema)]
struct MoveJson<'a> {
    /// The move in UCI notation; for a toy tree the name of the node.
    #[serde(rename = "move")]
    name: &'a str,
    /// The number of lines that begin with it.
    nodes: u64,
}

/// Counts at every position.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut inputs = Inputs::gather(&arguments.input, OfGames::Last)?;
    headless::catch_interrupt();
    let mut out = output::stdout();
    for input in inputs.positions.drain(..) {
        let position = &input.subject.position;
        let since = Instant::now();
        let mut counts: Vec<(String, u64)> = Vec::new();
        for m in position.legal_moves() {
            let mut next = position.clone();
            next.play(m);
            let goes_on = || !headless::interrupted();
            let Some(count) = perft(&next, arguments.depth - 1, &goes_on) else {
                return Err(Failure::Interrupted);
            };
            counts.push((position.uci(m), count));
        }
        let nodes = counts.iter().map(|(_, n)| n).sum();
        let seconds = since.elapsed().as_secs_f64();
        if arguments.json {
            let json = PerftJson {
                version: VERSION,
                fen: input.fen(),
                depth: arguments.depth,
                nodes,
                seconds,
                moves: counts
                    .iter()
                    .map(|(name, n)| MoveJson { name, nodes: *n })
                    .collect(),
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        } else {
            for (name, count) in &counts {
                writeln!(out, "{name}: {count}")?;
            }
            let speed = thousands((nodes as f64 / seconds.max(1e-6)) as u64);
            let lines = match nodes {
                1 => "1 line".to_owned(),
                nodes => format!("{} lines", thousands(nodes)),
            };
            let moves = plural(arguments.depth, "move");
            writeln!(out, "\n{lines} of {moves}, {speed} a second")?;
        }
    }
    out.flush()?;
    inputs.verdict()
}
