//! One runner for everything that works through many items: the Lab's experiments, the review of a game, test suites.
//!
//! A [`Job`] is made of [`Items`], a record of what was found, and a function that works on one item and enters what it
//! found in the record. The runner brings the rest: threads, order, progress, pause, stop, and what happens when an item
//! panics. [`Job::start`] runs in the background and hands out a [`BackgroundJob`]; [`Pool::work`] is the same on the
//! calling thread, for those who wait anyway.

mod background;
mod items;
mod pool;

pub use background::{BackgroundJob, JobState};
pub(in crate::engine) use background::{Job, Shared};
pub(in crate::engine) use items::{Items, Next, Numbers};
pub(in crate::engine) use pool::{Pool, Worker};
