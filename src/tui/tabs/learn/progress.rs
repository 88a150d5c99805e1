//! The user's progress and scores in the lessons, kept in a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::kept::{Content, Kept};
use studies::lesson::progress::{Record, Try};

/// The progress. Without a file, it lasts until the program ends.
#[derive(Debug, Default)]
pub struct Progress {
    kept: Kept<Lessons>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Lessons {
    version: u32,
    /// By the lesson's file name.
    lessons: BTreeMap<String, Record>,
    quiz: Record,
}

impl Content for Lessons {
    const FILE: &'static str = "learn.json";
    const VERSION: u32 = 1;

    fn version(&mut self) -> &mut u32 {
        &mut self.version
    }
}

impl Progress {
    /// Reads `learn.json` in a folder. If it cannot be read, the progress starts anew, and the second value says why.
    pub fn open(folder: Option<PathBuf>) -> (Progress, Option<String>) {
        let (kept, fault) = Kept::open(folder);
        (Progress { kept }, fault)
    }

    pub fn of(&self, lesson: &str) -> Option<Record> {
        self.kept.get().lessons.get(lesson).cloned()
    }

    pub fn quiz(&self) -> Record {
        self.kept.get().quiz.clone()
    }

    /// Records how far the user got in a lesson.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(&mut self, lesson: &str, now: Record) -> std::io::Result<()> {
        let before = self.of(lesson).unwrap_or_default();
        if self.of(lesson).is_some() && before.clone().with(&now) == before {
            return Ok(());
        }
        self.kept.change(|kept| {
            let record = kept.lessons.entry(lesson.to_owned()).or_default();
            *record = record.clone().with(&now);
        })
    }

    /// Records an answer to the question of a lesson's step, which is asked in these words.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note_answer(
        &mut self,
        lesson: &str,
        step: usize,
        ask: &str,
        given: &Try,
    ) -> std::io::Result<()> {
        self.kept.change(|kept| {
            let record = kept.lessons.entry(lesson.to_owned()).or_default();
            record
                .given
                .entry(step)
                .or_default()
                .add(ask, given.clone());
        })
    }

    /// Records an answer in the quiz.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note_quiz(&mut self, right: bool) -> std::io::Result<()> {
        self.kept.change(|kept| {
            kept.quiz.asked += 1;
            kept.quiz.right += usize::from(right);
        })
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
            ..Record::default()
        };
        progress.note("a.md", record.clone()).expect("written");
        let again = Record {
            step: 1,
            done: false,
            asked: 1,
            right: 1,
            answers: BTreeMap::from([(1, true)]),
            given: BTreeMap::new(),
        };
        progress.note("a.md", again).expect("written");
        progress.note_quiz(true).expect("written");
        let (read, _) = Progress::open(Some(folder.clone()));
        // Begun again and left: the score of the complete run stays, and what was answered since is there.
        let resumed = Record {
            step: 1,
            answers: BTreeMap::from([(1, true)]),
            ..record.clone()
        };
        assert_eq!(read.of("a.md"), Some(resumed));
        assert_eq!((read.quiz().asked, read.quiz().right), (1, 1));
        // If two programs run at once, neither loses the other's record.
        let (mut other, _) = Progress::open(Some(folder.clone()));
        progress.note("b.md", record.clone()).expect("written");
        other.note_quiz(false).expect("written");
        assert_eq!(other.of("b.md"), Some(record.clone()));
        let (read, _) = Progress::open(Some(folder.clone()));
        assert_eq!(read.of("b.md"), Some(record.clone()));
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
