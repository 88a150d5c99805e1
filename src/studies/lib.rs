//! What is done with searches: comparing algorithms on one position, reviewing games, test suites, and lessons.

pub mod compare;
pub mod lesson;
pub mod review;
pub mod suite;
