//! `plyscope trace`: the events of a search, one JSON object per line.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::input::{Inputs, OfGames};
use super::options::{InputOptions, SearchOptions, ShowOptions};
use super::output;
use super::{Failure, headless};
use game::MoveCode;
use open_trace::Form;
use report::event::json::EventJson;
use report::text::Style;
use session::breakpoint::Breakpoint;
use session::{
    Config, LeafTraceError, Session, Sink, Subject, TellError, TraceRequest, tell, trace,
    trace_leaf,
};
use tree::{NodeId, Tree};

/// The time limit of a search without any other limit.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Search one position and print what the search does, event by event, as JSON lines.
///
/// Events are numbered from 1. The search runs on one thread, so the same position, options and seed give the same events
/// with the same numbers, byte for byte; only a time limit may end it earlier or later from run to run. Without any limit
/// (of the search, --events or --break) it runs for 2 seconds. --filter and --break only look at events from --from on.
/// Scores are from the view of the side to move at the event's node.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope trace sample-positions/textbook.tree
  plyscope trace -a distress --moves \"e4 e5\" --nodes 10k | jq -r .text
  plyscope trace --depth 6 --from 1M --events 100
  plyscope trace -a distress --nodes 10k --leaf \"e4 e5\" | jq -r .text
  plyscope trace -a mcts --nodes 10k --format open > search.plytrace
  plyscope trace -a mcts --filter 'at \"1.e4\"' --break 'on best-change when visits >= 1000'")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    show: ShowOptions,

    /// Search the position after this many half-moves of a game [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<u32>,

    /// Trace how this leaf was searched when it was last visited (distress), given by the moves to it ("e4 e5")
    ///
    /// The search runs to its limit first, and once more, unseen, up to the leaf.
    #[arg(long, value_name = "MOVES")]
    leaf: Option<String>,

    /// What is printed: JSON lines with a sentence for each event, or the open trace, which any program may write and which
    /// `plyscope FILE.plytrace` opens: as JSON lines (open) or in its binary form
    ///
    /// The open trace has the whole search: --events and --break end it early, --from, --filter and --leaf don't go with it.
    /// Of a recorded trace it makes the other form.
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,

    /// Begin with this event; earlier ones are only counted
    #[arg(long, value_name = "N", default_value = "1", value_parser = search::quantity::count)]
    from: u64,

    /// Print at most this many events
    #[arg(long, value_name = "N", value_parser = search::quantity::count)]
    events: Option<u64>,

    /// Print only events that match this condition, in the language of breakpoints ('on cutoff under "1.e4"')
    #[arg(long, value_name = "EXPR")]
    filter: Option<String>,

    /// End with the first event that triggers this breakpoint; it is printed whatever the filter says
    #[arg(long = "break", value_name = "EXPR")]
    break_at: Option<String>,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One object an event, with a sentence
    Json,
    /// The open trace, as JSON lines
    Open,
    /// The open trace in its binary form
    OpenBinary,
}

impl Format {
    /// The form of the open trace that it is.
    fn form(self) -> Option<Form> {
        match self {
            Format::Json => None,
            Format::Open => Some(Form::Lines),
            Format::OpenBinary => Some(Form::Binary),
        }
    }
}

/// Runs the search and prints its events.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = arguments.config()?;
    let ply = arguments.ply.map_or(OfGames::Last, OfGames::Ply);
    let (input, verdict) = Inputs::gather(&arguments.input, ply)?.single()?;
    let request = TraceRequest {
        from: arguments.from,
        most: arguments.events,
        filter: breakpoint("--filter", arguments.filter.as_deref(), &input.subject)?,
        break_at: breakpoint("--break", arguments.break_at.as_deref(), &input.subject)?,
    };
    let style = Style {
        ascii: arguments.show.ascii,
    };
    headless::catch_interrupt();
    if let Some(form) = arguments.format.form() {
        arguments.is_whole()?;
        let config = input.config(&arguments.search, &config);
        let out = BufWriter::new(output::stdout());
        let told = tell(
            &input.subject,
            &config,
            &request,
            headless::interrupted,
            out,
            form,
        );
        let mut out = told.map_err(|error| match error {
            TellError::Io(error) => Failure::from(error),
            TellError::Fault(fault) => Failure::Input(format!("the search: {fault}")),
        })?;
        out.flush()?;
        return verdict;
    }
    let mut out = BufWriter::new(output::stdout());
    let mut written: Result<(), Failure> = Ok(());
    let sink: &mut Sink = &mut |n, event, reader| {
        written = write(&mut out, &EventJson::new(reader, n, event, style));
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let halted = headless::interrupted;
    let config = input.config(&arguments.search, &config);
    let traced = match &arguments.leaf {
        None => trace(&input.subject, &config, &request, halted, sink)
            .map_err(|fault| format!("the search: {fault}")),
        Some(moves) => {
            let (session, leaf) = searched_to(&input.subject, config, moves)?;
            trace_leaf(&session, leaf, &request, halted, sink).map_err(|why| match why {
                LeafTraceError::NoLeafSearch(why) => {
                    format!("--leaf: found {moves:?}, expected a leaf with a search to show: {why}")
                }
                LeafTraceError::Fault(fault) => format!("the search: {fault}"),
            })
        }
    };
    written?;
    out.flush()?;
    traced.map_err(Failure::Input)?;
    verdict
}

/// Runs a search to its end, and finds the node to which `moves` lead.
fn searched_to(
    subject: &Subject,
    config: Config,
    moves: &str,
) -> Result<(Session, NodeId), Failure> {
    let line = subject
        .read_line(moves)
        .map_err(|e| Failure::Usage(format!("--leaf: {e}")))?;
    let mut session = Session::start(subject.clone(), config);
    session.wait(headless::interrupted);
    let tree = session.tree();
    let child = |node, code: &MoveCode| tree.child_by_move(node, *code);
    let leaf = line
        .moves
        .iter()
        .try_fold(Tree::ROOT, child)
        .ok_or_else(|| {
            Failure::Input(format!(
                "--leaf: found {moves:?}, expected moves to a node that the search has reached"
            ))
        })?;
    Ok((session, leaf))
}

impl Arguments {
    /// Refuses what would leave out a part of an open trace.
    fn is_whole(&self) -> Result<(), Failure> {
        let parts = [
            ("--from", self.from > 1),
            ("--filter", self.filter.is_some()),
            ("--leaf", self.leaf.is_some()),
        ];
        match parts.into_iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::Usage(format!(
                "{option}: found with --format open, expected without: an open trace has the whole search"
            ))),
        }
    }

    /// Returns the configuration, with one thread.
    fn config(&self) -> Result<Config, Failure> {
        if let Some(threads) = self.search.machine.threads.filter(|n| *n > 1) {
            return Err(Failure::Usage(format!(
                "--threads: found {threads}, expected 1: only a single-threaded search has a fixed order of events"
            )));
        }
        let endless = self.leaf.is_none() && (self.events.is_some() || self.break_at.is_some());
        let config = if endless {
            self.search.config()?
        } else {
            self.search.limited(DEFAULT_TIME)?
        };
        Ok(Config {
            threads: 1,
            ..config
        })
    }
}

fn breakpoint(
    option: &str,
    text: Option<&str>,
    subject: &Subject,
) -> Result<Option<Breakpoint>, Failure> {
    text.map(|text| Breakpoint::parse(text, subject))
        .transpose()
        .map_err(|e| Failure::Usage(format!("{option}: {e}")))
}

fn write(out: &mut impl Write, event: &EventJson) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, event)?;
    out.write_all(b"\n")?;
    Ok(())
}
