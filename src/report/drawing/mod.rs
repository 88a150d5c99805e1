//! Toy trees drawn as in a textbook: the root on top, Max and Min level by level, with all nodes of the file, including
//! those that no search visited. This module computes the positions; the views decide what to write there.

mod layout;

pub use layout::{Layout, Place};
