//! What is done with searches: comparing algorithms on one position, reviewing games, test suites, lessons, and grading
//! the searches of students.

pub mod compare;
pub mod grade;
pub mod lesson;
pub mod review;
pub mod suite;
