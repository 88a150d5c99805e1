//! Courses: a folder with lessons in an order of its own, assignments, and terms.
//!
//! ````text
//! title = "Search, first semester"          course.toml
//! author = "A. Teacher"
//! glossary = "glossary.md"
//! lessons = ["01-minimax", "my-engine.md"]
//!
//! [[assignments]]
//! title = "Alpha-beta on sixteen leaves"
//! file = "assignments/sixteen.toml"
//! ````
//!
//! A lesson's name that ends in `.md` is a file of the folder, every other one a built-in lesson. No name leads out of the
//! folder. What is wrong with one lesson or assignment does not keep the others from being used.

mod places;
mod read;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::lesson::{Glossary, Lesson, built_in};
use game::load::LoadError;

/// The file of a folder that makes it a course.
pub const FILE: &str = "course.toml";

/// A course as read from its folder.
#[derive(Clone, Debug)]
pub struct Course {
    /// The folder, as it was given.
    pub folder: PathBuf,
    pub title: String,
    pub author: Option<String>,
    /// In the order in which they are taught.
    pub lessons: Vec<Listed>,
    pub assignments: Vec<Result<Assignment, LoadError>>,
    /// The course's own terms, and those of the built-in glossary that it does not explain itself.
    pub glossary: Glossary,
}

/// A lesson of a course.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name in `course.toml`.
    pub name: String,
    /// The lesson, or what is wrong with it.
    pub lesson: Result<Arc<Lesson>, LoadError>,
    /// Its file; `None` if it is built in.
    pub path: Option<PathBuf>,
    /// The name under which progress in it is saved. A built-in lesson has its own name, so that progress counts in every
    /// course that has it.
    pub kept_as: String,
}

/// An assignment of a course, which `plyscope grade` judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub title: String,
    /// Its name in `course.toml`.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
}

impl Listed {
    /// Returns the built-in lessons in their order.
    pub fn built_in() -> Vec<Listed> {
        let listed = |lesson: Result<Lesson, LoadError>| {
            let name = lesson.as_ref().map(|lesson| lesson.name.clone());
            let name = name.unwrap_or_default();
            Listed {
                kept_as: name.clone(),
                name,
                lesson: lesson.map(Arc::new),
                path: None,
            }
        };
        built_in().into_iter().map(listed).collect()
    }
}

impl Assignment {
    /// Returns the command with which a student's work is judged.
    pub fn command(&self) -> String {
        format!(
            "plyscope grade --assignment {} student.plytrace",
            quoted(&self.path)
        )
    }
}

/// Returns a path as a word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    match text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

impl Course {
    /// Reads a course from its folder.
    ///
    /// # Errors
    /// If there is no `course.toml`, or it is not a course: the file, the line, and what was found and expected there. What
    /// is wrong with a single lesson or assignment is in its place in the lists.
    pub fn open(folder: &Path) -> Result<Course, LoadError> {
        read::open(folder)
    }

    /// Whether a folder has the file that makes it a course.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Returns what is wrong with its lessons and assignments, in the order of the file.
    pub fn faults(&self) -> impl Iterator<Item = &LoadError> {
        let lessons = self
            .lessons
            .iter()
            .map(|listed| listed.lesson.as_ref().err());
        let assignments = self.assignments.iter().map(|one| one.as_ref().err());
        lessons.chain(assignments).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_one_for_a_shell() {
        assert_eq!(quoted(Path::new("a/b-c_d.toml")), "a/b-c_d.toml");
        assert_eq!(
            quoted(Path::new("our course/it's")),
            r"'our course/it'\''s'"
        );
    }
}
