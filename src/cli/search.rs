//! `plyscope search`: one search without a screen.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::input::{Inputs, OfGames};
use super::options::{InputOptions, LensOptions, SearchOptions, ShowOptions};
use super::output;
use super::{Failure, headless};
use report::json::SearchResult;
use report::text::{self, Style};
use session::Session;
use session::saved::{self, Kept, Progress};

/// The time limit of a search without any other limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Run a search without a screen and print the result.
///
/// Without any limit, each position is searched for 5 seconds. Ctrl-C ends the search and prints the results so far. A file
/// with several positions gives one result for each, in order.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope search --fen \"8/8/8/8/8/4k3/8/4K2R w K - 0 1\" --depth 12
  plyscope search -a distress --moves \"e4 c5\" --nodes 200k --set width=0.58
  plyscope search suite.epd -a mcts --time 500ms --json
  plyscope search -a mcts --nodes 10M --save long.plyscope
  plyscope search sample-positions/figure1.tree -a prob-alpha-beta")]
pub struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    show: ShowOptions,
    #[command(flatten)]
    lens: LensOptions,

    /// Search the position after this many half-moves of a game [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<u32>,

    /// Print one JSON object per position, one per line
    #[arg(long)]
    json: bool,

    /// Save the search with its tree in a file that the workbench opens: `plyscope FILE.plyscope` (one position only)
    #[arg(long, value_name = "FILE.plyscope")]
    save: Option<PathBuf>,
}

/// Searches every position and prints the results as they arrive.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json {
        arguments.lens.none_for("--json")?;
    }
    let config = arguments.search.limited(DEFAULT_TIME)?;
    let ply = arguments.ply.map_or(OfGames::Last, OfGames::Ply);
    let mut inputs = Inputs::gather(&arguments.input, ply)?;
    let style = Style {
        ascii: arguments.show.ascii,
    };
    let lens = arguments.lens.lens(inputs.places())?;
    headless::catch_interrupt();
    let several = inputs.positions.len() > 1;
    if several && arguments.save.is_some() {
        let found = inputs.positions.len();
        let what = format!("--save: found {found} positions, expected one (--game, --ply)");
        return Err(Failure::Usage(what));
    }
    let mut out = output::stdout();
    for (i, input) in inputs.positions.drain(..).enumerate() {
        if headless::interrupted() {
            break;
        }
        let config = input.config(&arguments.search, &config);
        let mut session = headless::search(input.subject, config)?;
        if let Some(path) = &arguments.save {
            save(path, &mut session)?;
        }
        if arguments.json {
            let result = SearchResult::of_session(&session, input.title);
            serde_json::to_writer(&mut out, &result)?;
            writeln!(out)?;
        } else {
            if let Some(title) = input.title.filter(|t| !t.is_empty()) {
                let gap = if i > 0 { "\n" } else { "" };
                writeln!(out, "{gap}{}", style.apply(title))?;
            } else if several && i > 0 {
                writeln!(out)?;
            }
            let (summary, reader) = (session.summary(), session.reader());
            let report = text::search(&summary, session.config(), &reader, lens, style);
            out.write_all(report.as_bytes())?;
        }
        out.flush()?;
    }
    inputs.verdict()
}

/// Saves a search that has ended.
fn save(path: &Path, session: &mut Session) -> Result<(), Failure> {
    let failed = |why: String| Failure::Input(format!("{}: not saved: {why}", path.display()));
    let state = session.snapshot().map_err(|why| failed(why.to_string()))?;
    let state = state.ok_or_else(|| failed("the search has not come to rest".into()))?;
    let written = saved::write(path, &Kept::from(state), &Progress::default());
    written.map_err(|e| failed(e.to_string()))
}
