//! What was used last, kept between runs: the files that were open, the breakpoints that were set, and the unit and the
//! viewpoint of scores.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use report::lens::{Lens, Unit, Viewpoint};
use text::save::save;

/// A short list, the newest first. Without a file of its own, it lasts until the program ends.
#[derive(Debug)]
struct Kept<T> {
    own: Option<PathBuf>,
    items: Vec<T>,
    /// The number of items that are kept.
    most: usize,
}

impl<T: PartialEq + Serialize + DeserializeOwned> Kept<T> {
    /// Reads the file `name` in a folder. A list that is missing or damaged counts as empty.
    fn open(folder: Option<PathBuf>, name: &str, most: usize) -> Kept<T> {
        let own = folder.map(|f| f.join(name));
        let text = own.as_ref().and_then(|f| std::fs::read(f).ok());
        let items = text.and_then(|t| serde_json::from_slice(&t).ok());
        Kept {
            own,
            items: items.unwrap_or_default(),
            most,
        }
    }

    /// Puts an item first. That the list can't be written must not disturb anybody: it is then of this run only.
    fn put_first(&mut self, item: T) {
        if self.items.first() == Some(&item) {
            return;
        }
        self.items.retain(|i| *i != item);
        self.items.insert(0, item);
        self.items.truncate(self.most);
        if let (Some(own), Ok(text)) = (&self.own, serde_json::to_vec(&self.items)) {
            if let Some(folder) = own.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let _ = save(own, |out| out.write_all(&text));
        }
    }
}

/// The files that were open last, the newest first.
#[derive(Debug)]
pub struct Recent(Kept<PathBuf>);

impl Default for Recent {
    fn default() -> Recent {
        Recent::open(None)
    }
}

impl Recent {
    /// The number of files that are kept.
    const KEPT: usize = 3;

    /// Reads `recent.json` in a folder. A list that is missing or damaged counts as empty.
    pub fn open(folder: Option<PathBuf>) -> Recent {
        Recent(Kept::open(folder, "recent.json", Self::KEPT))
    }

    /// Returns the files that still exist.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let files = self.0.items.iter().filter(|f| f.is_file());
        files.take(Self::KEPT)
    }

    /// Puts a file first.
    pub fn note(&mut self, path: &Path) {
        if let Ok(path) = path.canonicalize() {
            self.0.put_first(path);
        }
    }
}

/// The texts of the breakpoints that were set last, the newest first.
#[derive(Debug)]
pub struct RecentBreakpoints(Kept<String>);

impl Default for RecentBreakpoints {
    fn default() -> RecentBreakpoints {
        RecentBreakpoints::open(None)
    }
}

impl RecentBreakpoints {
    /// The number of breakpoints that are kept.
    const KEPT: usize = 5;

    /// Reads `breakpoints.json` in a folder. A list that is missing or damaged counts as empty.
    pub fn open(folder: Option<PathBuf>) -> RecentBreakpoints {
        RecentBreakpoints(Kept::open(folder, "breakpoints.json", Self::KEPT))
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.0.items.iter().map(String::as_str);
        texts.take(Self::KEPT)
    }

    /// Puts a breakpoint first.
    pub fn note(&mut self, text: &str) {
        self.0.put_first(text.to_owned());
    }
}

/// The unit and the viewpoint that were chosen last.
#[derive(Debug)]
pub struct RecentLens(Kept<(String, String)>);

impl Default for RecentLens {
    fn default() -> RecentLens {
        RecentLens::open(None)
    }
}

impl RecentLens {
    /// Reads `lens.json` in a folder. A file that is missing or damaged counts as empty.
    pub fn open(folder: Option<PathBuf>) -> RecentLens {
        RecentLens(Kept::open(folder, "lens.json", 1))
    }

    /// Returns the lens, if one was chosen.
    pub fn lens(&self) -> Option<Lens> {
        let (unit, viewpoint) = self.0.items.first()?;
        Some(Lens {
            unit: Unit::ALL.into_iter().find(|u| u.id() == unit)?,
            viewpoint: Viewpoint::SHOWN.into_iter().find(|v| v.id() == viewpoint)?,
        })
    }

    pub fn note(&mut self, lens: Lens) {
        let ids = (lens.unit.id(), lens.viewpoint.id());
        self.0.put_first((ids.0.to_owned(), ids.1.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn the_newest_file_is_first_and_the_list_outlives_the_run() {
        let folder = folder("recent");
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

    #[test]
    fn breakpoints_outlive_the_run_too() {
        let folder = folder("breakpoints");
        let mut recent = RecentBreakpoints::open(Some(folder.clone()));
        for text in ["on cut", "on prove", "a", "b", "c", "d", "on prove"] {
            recent.note(text);
        }
        let again = RecentBreakpoints::open(Some(folder.clone()));
        let texts: Vec<&str> = again.texts().collect();
        assert_eq!(texts, ["on prove", "d", "c", "b", "a"]);
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn the_lens_outlives_the_run_unless_its_file_is_damaged() {
        let folder = folder("lens");
        let open = || RecentLens::open(Some(folder.clone()));
        assert_eq!(open().lens(), None);
        let lens = Lens {
            unit: Unit::Outcomes,
            viewpoint: Viewpoint::Root,
        };
        open().note(Lens::default());
        open().note(lens);
        assert_eq!(open().lens(), Some(lens));
        for damaged in ["[[\"feet\",\"white\"]]", "{", "[]"] {
            std::fs::write(folder.join("lens.json"), damaged).expect("written");
            assert_eq!(open().lens(), None);
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
