//! `plyscope tree`: searches a position, then prints the tree.

use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::input::{Inputs, OfGames};
use super::options::{InputOptions, LensOptions, SearchOptions, ShowOptions};
use super::output;
use super::{Failure, headless};
use ::report::text::Style;
use ::report::tree::{self, Export, Extent};
use ::report::{self, number};
use ::tree::{NodeId, Tree};
use session::Reader;

/// The time limit of a search without any other limit.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Search one position and print the search tree.
///
/// Nodes are printed by importance: those with the most nodes searched below them are opened first, until there are
/// --max-nodes rows. Every row says why the node is as it is. Values are in pawns from White's view unless --unit and --view
/// say otherwise; --format json has all units, from the view of the side that plays the move. Without any limit the search runs for 2 seconds.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope tree --depth 4 --format text --max-nodes 100
  plyscope tree -a mcts --fen \"7k/8/8/8/8/1R6/R7/K7 w - - 0 1\" --nodes 100k --proof
  plyscope tree -a distress --nodes 50k --from \"e4 e5\" --format json > tree.json")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    show: ShowOptions,
    #[command(flatten)]
    lens: LensOptions,

    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print at most this many nodes
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_nodes: usize,

    /// Print at most this many plies
    #[arg(long, value_name = "N", default_value_t = 64)]
    max_ply: u16,

    /// With --format json: write the whole belief of every node, not only its mean, spread and quantiles
    #[arg(long, conflicts_with = "proof")]
    beliefs: bool,

    /// Begin at the node that these moves lead to ("e4 e5")
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    from: String,

    /// Print the proof of the result as PGN instead: one move for the winner, all replies of the other side; at most
    /// --max-nodes moves beside the main line (mcts and distress)
    #[arg(long, conflicts_with_all = ["format", "max_ply"])]
    proof: bool,

    /// Verify the proof with a checker that knows only the rules of chess and nothing of the search: every reply, the
    /// fifty-move clock, and repetitions since the start of the game. The result goes to standard error; the exit status is
    /// 1 if the proof fails
    #[arg(long, requires = "proof")]
    check: bool,

    /// Search the position after this many half-moves of a game [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Nested objects with all figures
    Json,
    /// Indented lines
    Text,
    /// A graph for Graphviz
    Dot,
    /// A drawing
    Svg,
    /// A page that opens and closes, without scripts
    Html,
    /// A game whose variations are the rows (chess)
    Pgn,
    /// The same (Go)
    Sgf,
}

impl From<Format> for tree::Format {
    fn from(format: Format) -> tree::Format {
        match format {
            Format::Json => tree::Format::Json,
            Format::Text => tree::Format::Text,
            Format::Dot => tree::Format::Dot,
            Format::Svg => tree::Format::Svg,
            Format::Html => tree::Format::Html,
            Format::Pgn => tree::Format::Pgn,
            Format::Sgf => tree::Format::Sgf,
        }
    }
}

/// Runs the search and prints the tree.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.beliefs && arguments.format != Format::Json {
        return Err(Failure::Usage(
            "--beliefs: found another format, expected --format json".into(),
        ));
    }
    if arguments.format == Format::Json && !arguments.proof {
        arguments.lens.none_for("--format json")?;
    }
    let config = arguments.search.limited(DEFAULT_TIME)?;
    let ply = arguments.ply.map_or(OfGames::Last, OfGames::Ply);
    let (input, verdict) = Inputs::gather(&arguments.input, ply)?.single()?;
    headless::catch_interrupt();
    let config = input.config(&arguments.search, &config);
    let session = headless::search(input.subject, config)?;
    let reader = session.reader();
    let from = reader
        .follow(Tree::ROOT, &arguments.from)
        .map_err(|e| Failure::Input(format!("--from: {e}")))?;
    if arguments.proof {
        write_proof(&reader, from, arguments.max_nodes)?;
        if arguments.check {
            check_proof(&reader, from)?;
        }
        return verdict;
    }
    let extent = Extent {
        max_nodes: arguments.max_nodes,
        max_ply: arguments.max_ply,
    };
    let file = arguments.input.file.as_ref();
    let file = file.map(|file| file.to_string_lossy());
    let export = Export {
        session: &session,
        title: input.title.as_deref(),
        file: file.as_deref(),
        from,
        after: &arguments.from,
        extent,
        style: Style {
            ascii: arguments.show.ascii,
        },
        lens: arguments.lens.lens([&session.subject().position])?,
        beliefs: arguments.beliefs,
    };
    let format = tree::Format::from(arguments.format);
    let document = export.document(format)?;
    let document =
        document.ok_or_else(|| Failure::Usage(format!("--format: {}", format.other_game())))?;
    let mut out = output::stdout();
    out.write_all(document.as_bytes())?;
    out.flush()?;
    verdict
}

/// Prints the proof of a node's result as a game.
fn write_proof(reader: &Reader, from: NodeId, max_moves: usize) -> Result<(), Failure> {
    let Some(situation) = reader.situation(from).and_then(|s| s.chess()) else {
        let found =
            "--proof: found a game other than chess, expected chess: a proof is written as a PGN";
        return Err(Failure::Input(found.into()));
    };
    let pgn = report::proof::pgn(reader, from, &situation, max_moves);
    let pgn = pgn.ok_or_else(|| {
        let found = report::why::why_node(reader, from);
        Failure::Input(format!(
            "--proof: found no proof ({found}), expected a result proven by a best-first search; a longer search may bring one"
        ))
    })?;
    let mut out = output::stdout();
    out.write_all(pgn.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Verifies the proof of a node's result by the rules alone.
fn check_proof(reader: &Reader, from: NodeId) -> Result<(), Failure> {
    let checked = reader.check_proof(from);
    let walked = match checked {
        None => return Ok(()),
        Some(Err(fault)) => return Err(Failure::Input(format!("--check: {fault}"))),
        Some(Ok(walked)) => walked,
    };
    let positions = number::count(walked.positions);
    let mut rests = String::new();
    for (count, on) in [
        (walked.by_tables, "by the endgame tables"),
        (walked.by_known_draws, "known draws"),
        (walked.by_trying, "found by trying every move"),
    ] {
        if count > 0 {
            rests += &format!(", {} {on}", number::count(count));
        }
    }
    let plies = walked.plies;
    eprintln!("the proof holds: {positions} positions checked, {plies} plies deep{rests}");
    Ok(())
}
