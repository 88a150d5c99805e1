//! Whether a trace is whole: what was not understood in it, whether it has an end, and what the checks did not get to see.

use std::io::Read;

use open_trace::{Cause, Reader};

use super::check::{Check, Ledger};
use super::fault::Fault;

/// How a search ended in its trace, by what it did.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    /// Whether a node was entered, or a simulation made.
    pub has_begun: bool,
    /// Whether the search had nothing more to do: its root was left, or all simulations were made.
    pub is_over: bool,
    /// The moves to the node in which the trace stops.
    pub line: Vec<String>,
    /// What the program forgot, if records are of nodes that are not in the tree.
    pub lost: Option<Fault>,
}

/// How a trace came to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The number of the last event.
    pub event: u64,
    /// Whether the program told that the search is over.
    pub has_end: bool,
    /// Whether a trace has to tell that.
    pub is_strict: bool,
}

/// What is additional in a stream, or is judged elsewhere, does no harm.
const HARMLESS: [Cause; 4] = [
    Cause::BadWindow,
    Cause::UnknownField,
    Cause::UnknownKind,
    Cause::UndeclaredReason,
];

/// Judges whether the stream was understood and has an end. A search that is not over when its trace stops passes no check: what
/// it would have done wrong later is not known.
pub(super) fn judge<R: Read>(reader: &Reader<R>, read: Stop, ending: &Ending, ledger: &mut Ledger) {
    ledger.right(Check::Trace);
    let troubles = || reader.troubles().iter();
    let cut = troubles().find(|trouble| trouble.cause == Cause::Truncated);
    let is_finished = ending.has_begun && ending.is_over;
    if !read.has_end && (read.is_strict || cut.is_some() || !is_finished) {
        ledger.wrong(Check::Trace, read.event, || {
            let cut_at = cut.map(|trouble| trouble.first.to_string());
            (ending.line.clone(), Fault::NoEnd { cut_at })
        });
    }
    let other = |cause: Cause| cause != Cause::Truncated || read.has_end;
    let harmful = troubles().filter(|t| !HARMLESS.contains(&t.cause) && other(t.cause));
    for trouble in harmful {
        ledger.wrong(Check::Trace, trouble.first.at.event, || {
            let lost = ending.lost.clone();
            let fault = lost.filter(|_| trouble.cause == Cause::UnknownNode);
            let fault = fault.unwrap_or_else(|| Fault::Troubled {
                what: trouble.to_string(),
            });
            (Vec::new(), fault)
        });
    }
    if !read.has_end && !is_finished {
        ledger.cut_short(read.is_strict || !ending.has_begun);
    }
}
