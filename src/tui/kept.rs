//! Files in the state folder that outlive the program and that several running plyscopes may write.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use text::files;
use text::save::{alone, save};

/// What a file holds.
pub trait Content: Default + Serialize + DeserializeOwned {
    /// The name of the file.
    const FILE: &'static str;
    /// The only version that is read.
    const VERSION: u32;

    fn version(&mut self) -> &mut u32;
}

/// A value and the file that keeps it. Without a file, it lasts until the program ends.
#[derive(Debug, Default)]
pub struct Kept<T> {
    file: Option<PathBuf>,
    value: T,
}

impl<T: Content> Kept<T> {
    /// Reads the file in a folder. If it cannot be read, the value starts anew, and the second value says why.
    pub fn open(folder: Option<PathBuf>) -> (Kept<T>, Option<String>) {
        let Some(file) = folder.map(|f| f.join(T::FILE)) else {
            return (Kept::default(), None);
        };
        let (value, fault) = match read::<T>(&file) {
            Ok(value) => (value, None),
            Err(e) => (T::default(), Some(e)),
        };
        let fault =
            fault.map(|what| format!("{}: found {what}: a new one was started", file.display()));
        // A file that cannot be read is not overwritten.
        let file = fault.is_none().then_some(file);
        (Kept { file, value }, fault)
    }

    pub fn get(&self) -> &T {
        &self.value
    }

    /// Applies a change to the present content of the file, which another plyscope may have changed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn change(&mut self, change: impl Fn(&mut T)) -> std::io::Result<()> {
        change(&mut self.value);
        let Some(file) = &self.file else {
            return Ok(());
        };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        self.value = alone(file, || {
            let mut value = read::<T>(file).map_err(std::io::Error::other)?;
            change(&mut value);
            *value.version() = T::VERSION;
            let text = serde_json::to_vec_pretty(&value)?;
            save(file, |out| out.write_all(&text))?;
            Ok(value)
        })?;
        Ok(())
    }
}

/// Reads a file; a missing file is empty. Otherwise says what is wrong with it.
fn read<T: Content>(file: &Path) -> Result<T, String> {
    match files::read_text(file) {
        Ok(text) => match serde_json::from_str::<T>(&text) {
            Ok(mut value) => match *value.version() {
                version if version == T::VERSION => Ok(value),
                version => Err(format!("version {version}")),
            },
            Err(e) => Err(e.to_string()),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(T::default()),
        Err(e) => Err(e.to_string()),
    }
}
