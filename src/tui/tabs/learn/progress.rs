//! The user's progress and scores in the lessons, kept in a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::game::load::files;
use crate::game::load::save::{alone, save};

/// The progress. Without a file, it lasts until the program ends.
#[derive(Debug, Default)]
pub struct Progress {
    file: Option<PathBuf>,
    kept: Kept,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// By the lesson's file name.
    lessons: BTreeMap<String, Record>,
    quiz: Record,
}

/// The progress in one lesson, or in the quiz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The furthest step seen, from 0.
    pub step: usize,
    pub done: bool,
    /// The questions answered in the last complete run (in the first run, so far), and those answered correctly.
    pub asked: usize,
    pub right: usize,
}

const VERSION: u32 = 1;

impl Progress {
    /// Reads `learn.json` in a folder. If it cannot be read, the progress starts anew, and the second value says why.
    pub fn open(folder: Option<PathBuf>) -> (Progress, Option<String>) {
        let Some(file) = folder.map(|f| f.join("learn.json")) else {
            return (Progress::default(), None);
        };
        let (kept, fault) = match Kept::read(&file) {
            Ok(kept) => (kept, None),
            Err(e) => (Kept::default(), Some(e)),
        };
        let fault = fault.map(|what| format!("{}: found {what}: begun anew", file.display()));
        // A file that cannot be read is not overwritten.
        let file = fault.is_none().then_some(file);
        (Progress { file, kept }, fault)
    }

    pub fn of(&self, lesson: &str) -> Option<Record> {
        self.kept.lessons.get(lesson).copied()
    }

    pub fn quiz(&self) -> Record {
        self.kept.quiz
    }

    /// Records how far the user got in a lesson.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(&mut self, lesson: &str, now: Record) -> std::io::Result<()> {
        let before = self.of(lesson).unwrap_or_default();
        if self.of(lesson).is_some() && before.with(now) == before {
            return Ok(());
        }
        self.change(|kept| {
            let record = kept.lessons.entry(lesson.to_owned()).or_default();
            *record = record.with(now);
        })
    }

    /// Records an answer in the quiz.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note_quiz(&mut self, right: bool) -> std::io::Result<()> {
        self.change(|kept| {
            kept.quiz.asked += 1;
            kept.quiz.right += usize::from(right);
        })
    }

    /// Applies a change to the present content of the file, which another plyscope may have changed.
    fn change(&mut self, change: impl Fn(&mut Kept)) -> std::io::Result<()> {
        change(&mut self.kept);
        let Some(file) = &self.file else {
            return Ok(());
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        self.kept = alone(file, || {
            let mut kept = Kept::read(file).map_err(std::io::Error::other)?;
            change(&mut kept);
            kept.version = VERSION;
            let text = serde_json::to_vec_pretty(&kept)?;
            save(file, |out| out.write_all(&text))?;
            Ok(kept)
        })?;
        Ok(())
    }
}

impl Kept {
    /// Reads a file; a missing file is empty. Otherwise says what is wrong with it.
    fn read(file: &Path) -> Result<Kept, String> {
        match files::read_text(file) {
            Ok(text) => match serde_json::from_str::<Kept>(&text) {
                Ok(kept) if kept.version == VERSION => Ok(kept),
                Ok(kept) => Err(format!("version {}", kept.version)),
                Err(e) => Err(e.to_string()),
            },
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Kept::default()),
            Err(e) => Err(e.to_string()),
        }
    }
}

impl Record {
    /// Combines the record with a later one. The score of a completed lesson stays until the lesson is completed again.
    fn with(self, now: Record) -> Record {
        let scored = if self.done && !now.done { self } else { now };
        Record {
            step: self.step.max(now.step),
            done: self.done || now.done,
            ..scored
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_there_again_and_a_broken_file_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("plyscope-learn-{}", std::process::id()));
        let (mut progress, fault) = Progress::open(Some(folder.clone()));
        assert_eq!(fault, None);
        let record = Record {
            step: 4,
            done: true,
            asked: 3,
            right: 2,
        };
        progress.note("a.md", record).expect("written");
        let again = Record {
            step: 1,
            done: false,
            asked: 1,
            right: 1,
        };
        progress.note("a.md", again).expect("written");
        progress.note_quiz(true).expect("written");
        let (read, _) = Progress::open(Some(folder.clone()));
        assert_eq!(read.of("a.md"), Some(record), "begun again, not done");
        assert_eq!((read.quiz().asked, read.quiz().right), (1, 1));
        // If two programs run at once, neither loses the other's record.
        let (mut other, _) = Progress::open(Some(folder.clone()));
        progress.note("b.md", record).expect("written");
        other.note_quiz(false).expect("written");
        assert_eq!(other.of("b.md"), Some(record));
        let (read, _) = Progress::open(Some(folder.clone()));
        assert_eq!(read.of("b.md"), Some(record));
        assert_eq!((read.quiz().asked, read.quiz().right), (2, 1));
        std::fs::write(folder.join("learn.json"), "{").expect("written");
        let (mut broken, fault) = Progress::open(Some(folder.clone()));
        assert!(fault.is_some_and(|f| f.contains("learn.json")));
        broken.note("a.md", record).expect("nothing to write");
        let left = std::fs::read_to_string(folder.join("learn.json")).expect("a file");
        assert_eq!(left, "{");
        let _ = std::fs::remove_dir_all(folder);
    }
}
