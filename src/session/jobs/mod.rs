//! One runner for everything that works through many items: the Lab's experiments, the review of a game, test suites.
//!
//! A [`Job`] consists of [`Items`], a record of what was found, and a function that works on one item and adds its
//! result to the record. The runner provides the rest: threads, order, progress, pausing, stopping, and handling of
//! panics. [`Job::start`] runs in the background and returns a [`BackgroundJob`]; [`Pool::work`] does the same on the
//! calling thread, for callers that wait anyway.

mod background;
mod items;
mod pool;

pub use background::{BackgroundJob, JobState};
pub use background::{Job, Shared};
pub use items::{Items, Next, Numbers};
pub use pool::{Pool, Worker};
