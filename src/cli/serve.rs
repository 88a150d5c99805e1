//! `plyscope serve`: the debugger for other programs.

use std::io::{BufReader, BufWriter};

use clap::Args;

use super::Failure;
use super::options::SearchOptions;
use serve::{dap, rpc};
use session::Config;

/// Let another program run, step through, rewind and read searches: JSON-RPC on standard input and output.
///
/// One JSON object a line, or each after a Content-Length header. Whatever the workbench can do to a search can be asked
/// for by name; `{"jsonrpc":"2.0","id":1,"method":"methods"}` lists the methods. The options given here hold for every search that does not
/// bring its own. A search takes one thread unless told otherwise, so that it can be repeated.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope serve
  plyscope serve -a distress --memory 1G
  plyscope serve --dap
  echo '[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"start\",\"params\":{\"nodes\":1000,\"wait\":10}}]' | plyscope serve")]
pub struct Arguments {
    #[command(flatten)]
    search: SearchOptions,

    /// Speak the Debug Adapter Protocol instead, with which editors drive debuggers
    #[arg(long)]
    dap: bool,
}

/// Serves until the other program says so or closes the connection.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let threads = arguments.search.machine.threads.map_or(1, usize::from);
    let config = Config {
        threads,
        ..arguments.search.config()?
    };
    let input = BufReader::new(std::io::stdin());
    let output = BufWriter::new(std::io::stdout());
    match arguments.dap {
        true => dap::serve(config, input, output)?,
        false => rpc::serve(config, input, output)?,
    }
    Ok(())
}
