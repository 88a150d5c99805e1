//! Reads `course.toml` and what it names.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::places::{Place, Places};
use super::{Assignment, Course, FILE, Listed};
use crate::grade;
use crate::lesson::{Glossary, Lesson, built_in, is_named, own};
use game::load::{LoadError, unreadable};
use text::{files, nearest, quote, sanitise};

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: Spanned<String>,
    author: Option<Spanned<String>>,
    glossary: Option<Spanned<String>>,
    lessons: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    assignments: Vec<WrittenAssignment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAssignment {
    title: Spanned<String>,
    file: Spanned<String>,
}

/// Reads a course while its file is at hand.
struct Reader<'a> {
    /// The name of `course.toml` in messages.
    file: String,
    text: &'a str,
    places: Places,
    /// The files and built-in lessons named so far.
    named: HashSet<PathBuf>,
    /// The built-in lessons, read when the first one is named.
    built_in: OnceCell<Vec<Lesson>>,
}

pub(super) fn open(folder: &Path) -> Result<Course, LoadError> {
    let path = folder.join(FILE);
    let file = path.to_string_lossy().into_owned();
    let refused = |e: &std::io::Error| unreadable(e).in_file(&file);
    let places = Places::of(folder).map_err(|e| refused(&e))?;
    // The file itself may not be a link to somewhere else, nor without an end.
    let place = places.file(FILE).map_err(|found| match found.as_str() {
        "no such file" => {
            LoadError::message("no such file: a course is a folder with a course.toml")
        }
        _ => LoadError::message(found),
    });
    place.map_err(|e| e.in_file(&file))?;
    let text = files::read_text(&path).map_err(|e| refused(&e))?;
    let reader = Reader {
        file,
        text: &text,
        places,
        named: HashSet::new(),
        built_in: OnceCell::new(),
    };
    reader.course(folder)
}

impl Reader<'_> {
    fn course(mut self, folder: &Path) -> Result<Course, LoadError> {
        let written: Written = toml::from_str(self.text).map_err(|e| {
            let what = e.message().lines().next().unwrap_or("no TOML").to_owned();
            self.at(e.span().unwrap_or_default(), LoadError::message(what))
        })?;
        let title = self.words(&written.title, "the course's title")?;
        let author = written.author.as_ref();
        let author = author.map(|a| self.words(a, "the author's name"));
        let glossary = match &written.glossary {
            Some(name) => self.glossary(name)?,
            None => Glossary::built_in()?,
        };
        if written.lessons.get_ref().is_empty() {
            let none = LoadError::new("no lessons", "at least one");
            return Err(self.at(written.lessons.span(), none));
        }
        let lessons = written.lessons.get_ref().iter();
        let lessons: Vec<Listed> = lessons.map(|name| self.listed(name, &title)).collect();
        let assignments = written.assignments.iter();
        let assignments = assignments.map(|one| self.assignment(one)).collect();
        Ok(Course {
            folder: folder.to_owned(),
            author: author.transpose()?,
            title,
            lessons,
            assignments,
            glossary,
        })
    }

    /// Adds the place in the file to an error.
    fn at(&self, span: Range<usize>, error: LoadError) -> LoadError {
        let (line, column) = text::place(self.text.as_bytes(), span.start);
        error.at(line, column).in_file(&self.file)
    }

    fn words(&self, written: &Spanned<String>, what: &str) -> Result<String, LoadError> {
        let words = sanitise(written.get_ref().trim());
        if words.is_empty() {
            return Err(self.at(written.span(), LoadError::new("nothing", what)));
        }
        Ok(words)
    }

    /// Returns the file with a name that was not named before.
    fn file(&mut self, name: &Spanned<String>, expected: &str) -> Result<Place, LoadError> {
        let place = self.places.file(name.get_ref()).map_err(|found| {
            let found = format!("{} ({found})", quote(name.get_ref()));
            self.at(name.span(), LoadError::new(found, expected))
        })?;
        self.once(name, place.real.clone())?;
        Ok(place)
    }

    fn once(&mut self, name: &Spanned<String>, what: PathBuf) -> Result<(), LoadError> {
        if self.named.insert(what) {
            return Ok(());
        }
        let found = format!("{} a second time", quote(name.get_ref()));
        Err(self.at(name.span(), LoadError::new(found, "each only once")))
    }

    fn glossary(&mut self, name: &Spanned<String>) -> Result<Glossary, LoadError> {
        let place = self.file(name, "a glossary in the course's folder")?;
        let shown = place.path.to_string_lossy();
        let bytes = files::read(&place.path).map_err(|e| unreadable(&e).in_file(&shown))?;
        let own = Glossary::read(&shown, &bytes)?;
        Ok(own.over(Glossary::built_in()?))
    }

    fn listed(&mut self, name: &Spanned<String>, title: &str) -> Listed {
        let own_name = name.get_ref().clone();
        let (lesson, path) = match is_named(Path::new(&own_name)) {
            true => match self.file(name, "a lesson's file in the course's folder") {
                Ok(place) => (own(&place.path), Some(place.path)),
                Err(error) => (Err(error), None),
            },
            false => (self.built_in(name), None),
        };
        let kept_as = match (&path, &lesson) {
            (None, Ok(lesson)) => lesson.name.clone(),
            _ => format!("{title}/{own_name}"),
        };
        Listed {
            name: sanitise(&own_name),
            lesson: lesson.map(Arc::new),
            path,
            kept_as,
        }
    }

    fn built_in(&mut self, name: &Spanned<String>) -> Result<Lesson, LoadError> {
        let all = || built_in().into_iter().flatten().collect();
        let all = self.built_in.get_or_init(all);
        let stems = || all.iter().map(|lesson| lesson.name.trim_end_matches(".md"));
        let Some(at) = stems().position(|stem| stem == name.get_ref()) else {
            let expected = match nearest(name.get_ref(), stems()) {
                Some(meant) => format!("a file ….md, or a built-in lesson such as {meant}"),
                None => "a file ….md, or a built-in lesson such as 01-minimax".into(),
            };
            let found = quote(name.get_ref());
            return Err(self.at(name.span(), LoadError::new(found, expected)));
        };
        let lesson = all[at].clone();
        self.once(name, PathBuf::from(name.get_ref()))?;
        Ok(lesson)
    }

    fn assignment(&mut self, written: &WrittenAssignment) -> Result<Assignment, LoadError> {
        let title = self.words(&written.title, "the assignment's title")?;
        let place = self.file(&written.file, "an assignment's file in the course's folder")?;
        grade::Assignment::open(&place.path)?;
        Ok(Assignment {
            title,
            name: sanitise(written.file.get_ref()),
            path: place.path,
        })
    }
}
