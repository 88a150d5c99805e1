//! The workbench line by line, for screen readers, braille displays and terminals that can't draw: a word is typed, and sentences are
//! printed. Nothing is drawn or written over.
//!
//! `words` is the table of what can be typed, `talk` hears and answers, `desk` does it, and `say` makes the sentences.

mod desk;
mod say;
mod talk;
mod words;

pub use desk::{Desk, restored};
pub use talk::{Talk, talk};
pub use words::{WORDS, Word};
