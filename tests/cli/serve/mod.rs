//! `plyscope serve`, as another program uses it.

mod bad_input;
mod changes;
mod client;
mod page;
mod rpc;
