//! The open search trace: the stream in which any program that searches a game tree tells what it does.
//!
//! The stream has two forms with one vocabulary. [`Header`] is what it says of itself, [`Record`] one thing that the search
//! did. `docs/src/trace-format.md` describes both forms for the authors of engines.
//!
//! Nothing in a stream may stop the reader. What it does not understand is counted in [`Troubles`], by cause and with the
//! place of the first, and skipped.

mod binary;
mod chunk;
mod decoder;
mod emitters;
mod encode;
mod header;
mod input;
mod json;
pub mod limits;
pub mod log;
mod moves;
mod names;
mod reader;
mod record;
mod schema;
mod scratch;
mod sense;
#[cfg(test)]
mod tests;
mod trouble;
mod value;
mod writer;

pub use decoder::{Decoder, Form};
pub use emitters::Language;
pub use header::{
    Backup, Class, Distance, Fail, Header, Number, NumberUnit, Order, Reason, Refused, Trials,
    UNKNOWN_PLIES, Unit, VERSION, ValueSpec, View,
};
pub use names::{MoveId, Names};
pub use reader::{Lent, Only, Point, Reader};
pub use record::{
    At, Bound, Child, NodeId, Record, RecordKind, Reply, SearchStart, Side, Told, Window,
};
pub use schema::schema;
pub use trouble::{Cause, Place, Trouble, Troubles};
pub use value::{Share, Value};
pub use writer::Writer;
