//! The files that were open last, kept between runs.

use std::path::{Path, PathBuf};

use crate::game::load::save::save;

/// The files that were open last, the newest first. Without a file of its own, the list lasts until the program ends.
#[derive(Debug, Default)]
pub struct Recent {
    own: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl Recent {
    /// The number of files that are kept.
    const KEPT: usize = 3;

    /// Reads `recent.json` in a folder. A list that is missing or damaged counts as empty.
    pub fn open(folder: Option<PathBuf>) -> Recent {
        let own = folder.map(|f| f.join("recent.json"));
        let text = own.as_ref().and_then(|f| std::fs::read(f).ok());
        let files = text.and_then(|t| serde_json::from_slice(&t).ok());
        Recent {
            own,
            files: files.unwrap_or_default(),
        }
    }

    /// Returns the files that still exist.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().filter(|f| f.is_file()).take(Self::KEPT)
    }

    /// Puts a file first. That the list can't be written must not disturb anybody: it is then of this run only.
    pub fn note(&mut self, path: &Path) {
        let Ok(path) = path.canonicalize() else {
            return;
        };
        if self.files.first() == Some(&path) {
            return;
        }
        self.files.retain(|f| *f != path);
        self.files.insert(0, path);
        self.files.truncate(Self::KEPT);
        if let (Some(own), Ok(text)) = (&self.own, serde_json::to_vec(&self.files)) {
            if let Some(folder) = own.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let _ = save(own, |out| out.write_all(&text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_file_is_first_and_the_list_outlives_the_run() {
        let folder = std::env::temp_dir().join(format!("plyscope-recent-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let at = |name: &str| folder.join(name).canonicalize().expect("there");
        for name in ["a", "b", "c", "d"] {
            std::fs::write(folder.join(name), name).expect("a file");
        }
        let mut recent = Recent::open(Some(folder.clone()));
        for name in ["a", "b", "c", "d", "b"] {
            recent.note(&folder.join(name));
        }
        recent.note(&folder.join("missing"));
        let again = Recent::open(Some(folder.clone()));
        let files: Vec<PathBuf> = again.files().cloned().collect();
        assert_eq!(files, [at("b"), at("d"), at("c")]);
        std::fs::remove_file(folder.join("d")).expect("removed");
        assert_eq!(again.files().count(), 2);
        std::fs::write(folder.join("recent.json"), "{broken").expect("written");
        assert_eq!(Recent::open(Some(folder.clone())).files().count(), 0);
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
