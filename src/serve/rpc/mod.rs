//! JSON-RPC 2.0: whatever the workbench can do to a search, by name.
//!
//! `message` reads requests, `parameters` their parameters, `calls` is the table of methods, `desk` what is kept for each
//! session, `server` answers, and `notices` tells what was not asked for.

mod calls;
mod desk;
mod message;
mod notices;
mod parameters;
mod server;

pub use calls::{METHODS, Method, config};
pub use message::RpcError;
pub use parameters::Parameters;
pub use server::serve;
