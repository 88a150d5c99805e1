//! The lessons that a command is about: the built-in ones, those of a course, or files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Failure;
use game::load::LoadError;
use studies::course::{Assignment, Course, Listed};
use studies::lesson::{Glossary, own};

/// A lesson with its number.
pub(super) struct Numbered {
    /// Its number in the list, from 1.
    pub number: usize,
    /// Whether it comes with the program.
    pub is_built_in: bool,
    pub listed: Listed,
}

/// The lessons that were asked for, with what belongs to them.
pub(super) struct Shelf {
    pub lessons: Vec<Numbered>,
    pub glossary: Glossary,
    /// The course, if one is given.
    pub course: Option<Head>,
}

/// What a course is beside its lessons.
pub(super) struct Head {
    pub title: String,
    pub author: Option<String>,
    pub assignments: Vec<Result<Assignment, LoadError>>,
}

impl Shelf {
    /// Returns the requested lessons, or all of the course or built-in ones if none was named.
    ///
    /// # Errors
    /// If there is no such course.
    pub fn of(asked: &[String], course: Option<&Path>) -> Result<Shelf, Failure> {
        let mut shelf = match course {
            Some(folder) => Shelf::of_course(Course::open(folder)?),
            None => Shelf {
                lessons: all_built_in(),
                glossary: Glossary::built_in()?,
                course: None,
            },
        };
        if !asked.is_empty() {
            shelf.pick(asked);
        }
        Ok(shelf)
    }

    fn of_course(course: Course) -> Shelf {
        let lessons = (1..).zip(course.lessons).map(|(number, listed)| Numbered {
            number,
            is_built_in: listed.path.is_none(),
            listed,
        });
        Shelf {
            lessons: lessons.collect(),
            glossary: course.glossary,
            course: Some(Head {
                title: course.title,
                author: course.author,
                assignments: course.assignments,
            }),
        }
    }

    /// Leaves the named lessons: by their number or name, or files beside them.
    fn pick(&mut self, asked: &[String]) {
        // Only the lessons that are named are of interest then.
        if let Some(course) = &mut self.course {
            course.assignments.clear();
        }
        let mut left = std::mem::take(&mut self.lessons);
        for name in asked {
            let is = |one: &Numbered| {
                let own_name = &one.listed.name;
                one.number.to_string() == *name
                    || own_name == name
                    || own_name.trim_end_matches(".md") == name
            };
            let file = PathBuf::from(name);
            let place = self.lessons.len() + 1;
            self.lessons.push(match left.iter().position(is) {
                Some(at) if self.course.is_some() || !file.exists() => left.remove(at),
                _ => Numbered {
                    number: place,
                    is_built_in: false,
                    listed: Listed {
                        name: name.clone(),
                        lesson: own(&file).map(Arc::new),
                        path: Some(file),
                        kept_as: name.clone(),
                    },
                },
            });
        }
    }
}

fn all_built_in() -> Vec<Numbered> {
    let all = (1..).zip(Listed::built_in());
    let numbered = all.map(|(number, listed)| Numbered {
        number,
        is_built_in: true,
        listed,
    });
    numbered.collect()
}
