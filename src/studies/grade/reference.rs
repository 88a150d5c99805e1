//! The reference: plyscope's own search of the same position, told as a trace.

use std::io::{self, Write};

use algorithms::Algorithm;
use open_trace::Form;
use search::{Subject, Value};
use session::{Config, TellError, TraceRequest, tell};

use super::assignment::{Assignment, Kind};

/// Searches a position as an assignment asks, by plyscope's own algorithms, and writes that as a trace. Plain alpha-beta has no
/// table and no rules; minimax is the same without cutoffs.
///
/// # Errors
/// If it cannot be searched or written.
pub fn write<W: Write + Send>(
    assignment: &Assignment,
    root: &Subject,
    halted: impl Fn() -> bool,
    out: W,
) -> io::Result<W> {
    let config = config(assignment, root).map_err(io::Error::other)?;
    let request = TraceRequest::default();
    tell(root, &config, &request, halted, out, Form::Lines).map_err(|error| match error {
        TellError::Io(error) => error,
        TellError::Fault(fault) => io::Error::other(fault.to_string()),
    })
}

/// The search of an assignment's algorithm, with everything off that a textbook does not have.
fn config(assignment: &Assignment, root: &Subject) -> Result<Config, String> {
    let Some(kind) = assignment.kind else {
        return Err("found no algorithm, expected one: a reference is a search by it".to_owned());
    };
    let algorithm = match kind {
        Kind::Uct => Algorithm::Mcts,
        Kind::Minimax | Kind::AlphaBeta => Algorithm::AlphaBeta,
    };
    let mut config = Config::new(algorithm);
    config.limits.depth = assignment.depth.and_then(|depth| depth.try_into().ok());
    if kind == Kind::Uct {
        config.limits.playouts = assignment.simulations;
        return Ok(config);
    }
    let switches = config.options.iter();
    let switches = switches.filter(|(_, value)| matches!(value, Value::Switch(true)));
    let keys: Vec<&str> = switches.map(|(spec, _)| spec.key).collect();
    for key in keys {
        let stays = key == "cutoffs" && kind == Kind::AlphaBeta;
        if !stays {
            let set = config.options.set(key, "off");
            set.map_err(|error| error.to_string())?;
        }
    }
    if config.limits.depth.is_none() && root.position.as_chess().is_some() {
        return Err("found no depth, expected one: chess has no end in sight".to_owned());
    }
    Ok(config)
}
