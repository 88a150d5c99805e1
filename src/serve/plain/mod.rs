//! The workbench line by line, for people who listen to it or feel it: a word is typed, sentences are printed, nothing is drawn and
//! nothing is written over.
//!
//! `words` is the table of what can be typed, `talk` hears and answers, `desk` does it, and `say` makes the sentences.

mod desk;
mod say;
mod talk;
mod words;

pub use desk::{Desk, restored};
pub use talk::{Talk, talk};
pub use words::{WORDS, Word};
