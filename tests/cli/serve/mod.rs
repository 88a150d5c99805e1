//! `plyscope serve`, as another program uses it.

mod bad_input;
mod changes;
mod client;
mod dap;
mod page;
mod rpc;
