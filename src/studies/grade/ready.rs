//! The ready-made assignments: positions, skeletons in Python and C, and what to tell the students.

use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::assignment::{Assignment, FILE};
use game::load::LoadError;
use open_trace::Language;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../sample-positions/assignments");

/// A ready-made assignment.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// Its name: that of its folder.
    pub name: &'static str,
    folder: &'static Dir<'static>,
}

/// Returns all of them, in the order in which they are taught.
pub fn all() -> Vec<Ready> {
    let order = ["minimax", "alpha-beta", "uct"];
    let folder = |name: &&'static str| Some((*name, FILES.get_dir(*name)?));
    let found = order.iter().filter_map(folder);
    found.map(|(name, folder)| Ready { name, folder }).collect()
}

/// Returns the one with this name.
pub fn find(name: &str) -> Option<Ready> {
    all().into_iter().find(|ready| ready.name == name)
}

impl Ready {
    /// Returns a file of it.
    fn file(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = self.folder.get_file(self.folder.path().join(name));
        let bytes = file.map(|file| file.contents().to_vec());
        bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Reads the assignment.
    ///
    /// # Errors
    /// Never in practice, since a test reads it.
    pub fn assignment(&self) -> Result<Assignment, LoadError> {
        let text = self.file(FILE).unwrap_or_default();
        let text = text::decode(&text);
        let read = Assignment::read(&text, &|name| self.file(name));
        read.map_err(|error| error.in_file(FILE))
    }

    /// Returns its files, and the emitters that its skeletons need, by their names.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let own = self.folder.files().filter_map(|file| {
            let name = file.path().file_name()?;
            Some((PathBuf::from(name), file.contents().to_vec()))
        });
        let emitters = [Language::Python, Language::C].map(|language| {
            let text = language.emitter().as_bytes();
            (PathBuf::from(language.file_name()), text.to_vec())
        });
        let guide = (PathBuf::from("README.md"), self.guide().into_bytes());
        own.chain(emitters).chain([guide]).collect()
    }

    /// What the students read first.
    fn guide(&self) -> String {
        let assignment = self.assignment().ok();
        let (title, text) = assignment.map_or_else(Default::default, |a| (a.title, a.text));
        let build = match self.name {
            "uct" => "cc skeleton.c -o search -lpthread -lm",
            _ => "cc skeleton.c -o search -lpthread",
        };
        format!(
            "# {title}\n\n{}\n\nRun your program so that it writes what it does, and look at that:\n\n```sh\n\
             PLYSCOPE_TRACE=search.plytrace python3 skeleton.py\n\
             {build} && PLYSCOPE_TRACE=search.plytrace ./search\n\
             plyscope search.plytrace\n\
             plyscope grade --assignment . search.plytrace\n```\n",
            text.trim()
        )
    }

    /// Writes its files to a folder, which is made if it is missing. Returns their paths.
    ///
    /// # Errors
    /// If a file is there already or cannot be written; then none is written.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let files = self.files();
        let path = |name: &PathBuf| folder.join(name);
        if let Some((name, _)) = files.iter().find(|(name, _)| path(name).exists()) {
            let why = format!("{} exists already", path(name).display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        }
        std::fs::create_dir_all(folder)?;
        for (name, bytes) in &files {
            text::save::save(&path(name), |out| out.write_all(bytes))?;
        }
        Ok(files.iter().map(|(name, _)| path(name)).collect())
    }
}
