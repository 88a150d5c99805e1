//! A toy tree drawn as in a textbook: the root on top, Max and Min level by level, all of the file's nodes, those too
//! that no search looked at. Where everything stands is computed here; what is written there is the views' business.

mod layout;

pub use layout::{Layout, Place};
