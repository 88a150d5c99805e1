//! What is done with searches: comparing algorithms on one position, reviewing games, test suites, lessons, and courses of
//! lessons.

pub mod compare;
pub mod course;
pub mod lesson;
pub mod review;
pub mod suite;
