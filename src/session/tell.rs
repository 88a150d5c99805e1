//! One of plyscope's own searches, told as an open trace; and another program's trace in the other form.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::config::Config;
use super::session::Fault;
use super::trace::{TraceRequest, trace};
use crate::Subject;
use algorithms::Algorithm;
use game::MoveCode;
use open_trace::{Form, Record, Writer};
use search::{Limits, Recorded};
use traced::audit::Audit;
use traced::teller::{Introduction, Teller};
use traced::{Contents, InMemory};
use tree::{Family, Tree};

/// Why a search could not be told.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the search: {0}")]
    Fault(#[from] Fault),
}

/// Runs a single-threaded search and writes it as an open trace, up to the end that `request` may set. Returns what was written to.
///
/// # Errors
/// [`TellError`].
pub fn tell<W: Write + Send>(
    subject: &Subject,
    config: &Config,
    request: &TraceRequest,
    halted: impl Fn() -> bool,
    out: W,
    form: Form,
) -> Result<W, TellError> {
    if let Some(recorded) = &config.recorded {
        return Ok(copy(&**recorded, halted, out, form)?);
    }
    let algorithm = config.algorithm;
    let moments = |tree: &Tree, node| algorithm.moments(tree, node);
    let options = config.options.iter();
    let mut teller = Teller::new(
        out,
        form,
        &Introduction {
            subject,
            algorithm: algorithm.info(),
            engine: format!("plyscope {} {}", env!("CARGO_PKG_VERSION"), config.name()),
            limits: Some(words(&config.limits)).filter(|words| !words.is_empty()),
            options: options
                .map(|(spec, value)| (spec.key.to_owned(), value.to_string()))
                .collect(),
            seed: Some(config.seed.to_string()),
            moments: &moments,
        },
    )?;
    let mut written = Ok(());
    let traced = trace(subject, config, request, halted, &mut |_, event, reader| {
        written = teller.event(event, reader.tree);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    written?;
    let best = algorithm.best_move(&traced.tree, Tree::ROOT);
    let stopped = traced.stopped.map(|why| format!("{why:?}").to_lowercase());
    Ok(teller.end(
        &traced.tree,
        &subject.position,
        best.unwrap_or(MoveCode::NONE),
        traced.nodes,
        stopped.as_deref(),
    )?)
}

/// The search of plyscope's own that is put beside one of another program, of which this was counted: the usual one of the same
/// kind, or this algorithm, with as much work, but at most what takes seconds.
pub fn beside(
    recorded: &Arc<dyn Recorded>,
    counted: &Audit,
    algorithm: Option<Algorithm>,
) -> Config {
    const NODES: u64 = 1_000_000;
    const PLAYOUTS: u64 = 50_000;
    let reading = Config::new(Algorithm::DEFAULT).reading(Arc::clone(recorded));
    let algorithm = algorithm.unwrap_or(reading.algorithm.rival());
    let mut config = Config::new(algorithm);
    let work = counted
        .nodes
        .max(counted.visits)
        .max(counted.expansions)
        .max(1);
    match algorithm.info().family {
        Family::DepthFirst => config.limits.nodes = Some(work.min(NODES)),
        Family::BestFirst => config.limits.playouts = Some(work.min(PLAYOUTS)),
    }
    config
}

/// What a search of plyscope's own does, counted from its trace as that of another program is.
///
/// # Errors
/// [`TellError`].
pub fn audit(
    subject: &Subject,
    config: &Config,
    halted: impl Fn() -> bool,
) -> Result<Audit, TellError> {
    let request = TraceRequest::default();
    let told = tell(subject, config, &request, halted, Vec::new(), Form::Binary)?;
    let contents = Contents::of(Arc::new(InMemory::new(told))).map_err(io::Error::other)?;
    let search = contents.recordings.first();
    let root = subject.position.as_chess();
    Ok(search
        .map(|search| Audit::of(search, root))
        .unwrap_or_default())
}

/// Writes another program's search in a form, record by record.
fn copy<W: Write>(
    recorded: &dyn Recorded,
    halted: impl Fn() -> bool,
    out: W,
    form: Form,
) -> io::Result<W> {
    let header = recorded.header().clone().into();
    let mut writer = Writer::new(out, form, header, recorded.names().clone())?;
    writer.write(0, &Record::Search(recorded.start()))?;
    let Some(mut reader) = recorded.reader() else {
        return writer.finish();
    };
    while !reader.is_over() && !halted() {
        if let Some((at, record)) = reader.next().map_err(io::Error::other)? {
            writer.write(at.thread, &record)?;
        }
    }
    writer.finish()
}

/// The limits in words.
fn words(limits: &Limits) -> String {
    let of = |name: &str, number: Option<u64>| number.map(|n| format!("{name} {n}"));
    let millis = |time: Option<std::time::Duration>| time.map(|time| time.as_millis() as u64);
    let all = [
        of("depth", limits.depth.map(u64::from)),
        of("nodes", limits.nodes),
        of("playouts", limits.playouts),
        of("movetime", millis(limits.time)),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
