//! What is done with searches: comparing algorithms on one position, reviewing games, test suites, lessons and courses of them, and
//! grading the searches of students.

pub mod compare;
pub mod course;
pub mod grade;
pub mod lesson;
pub mod review;
pub mod suite;
