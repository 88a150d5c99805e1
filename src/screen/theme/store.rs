//! Sources of themes: the user's folders, then the built-in themes.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::Theme;
use super::parse::{Parsed, ThemeError, build, parse};
use text::files;

static EMBEDDED: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../themes");

/// Finds themes by name or file. Folders named earlier win.
#[derive(Clone, Debug, Default)]
pub struct ThemeStore {
    folders: Vec<PathBuf>,
}

/// A theme with the warnings about its files.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub theme: Theme,
    pub warnings: Vec<String>,
    /// The files on disk that it was read from.
    pub files: Vec<PathBuf>,
}

impl ThemeStore {
    /// The theme that is used by default.
    pub const DEFAULT: &'static str = "dark";
    /// The theme for terminals without colours.
    pub const MONOCHROME: &'static str = "monochrome";

    pub fn new(folders: Vec<PathBuf>) -> Self {
        ThemeStore { folders }
    }

    /// Returns the folders that are searched, whether or not they exist.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Creates a store with the user's folders: `themes/` of a checkout, then the configuration's.
    pub fn of_environment() -> Self {
        use etcetera::BaseStrategy as _;
        let mut folders = Vec::new();
        if let Ok(here) = std::env::current_dir() {
            let themes = here.join("themes");
            // Any folder may have a `themes/`; that of a checkout contains our default.
            if themes.join("dark.toml").is_file() && here.join("Cargo.toml").is_file() {
                folders.push(themes);
            }
        }
        if let Ok(base) = etcetera::choose_base_strategy() {
            folders.push(base.config_dir().join("plyscope").join("themes"));
        }
        ThemeStore { folders }
    }

    /// Returns the names of all themes, each once, in alphabetical order with the default first.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = EMBEDDED.files().filter_map(|f| stem(f.path())).collect();
        for folder in &self.folders {
            let Ok(entries) = std::fs::read_dir(folder) else {
                continue;
            };
            names.extend(entries.flatten().filter_map(|e| stem(&e.path())));
        }
        names.sort();
        names.dedup();
        names.sort_by_key(|n| n != Self::DEFAULT);
        names
    }

    /// Reads a theme by name, or by the path of a file (with `/` in it or ending in `.toml`).
    ///
    /// # Errors
    /// The file, the line and what is wrong.
    pub fn load(&self, name: &str) -> Result<Loaded, ThemeError> {
        let mut loaded = Loaded {
            theme: Theme::plain(),
            warnings: Vec::new(),
            files: Vec::new(),
        };
        let mut chain: Vec<(String, Parsed)> = Vec::new();
        let mut names = vec![name.to_owned()];
        let mut next = Some((name.to_owned(), None::<(String, usize)>));
        while let Some((wanted, asked_by)) = next.take() {
            let Some((file, text)) = self.text(&wanted, &mut loaded.files)? else {
                let (file, line) = asked_by.map_or((wanted.clone(), None), |(f, l)| (f, Some(l)));
                let what = format!(
                    "unknown theme \"{wanted}\", expected a file or one of: {}",
                    self.names().join(", ")
                );
                return Err(ThemeError::new(&file, line, &what));
            };
            let parsed = parse(&file, &text)?;
            loaded.warnings.extend(parsed.warnings.iter().cloned());
            if let Some((parent, line)) = &parsed.inherits {
                if names.contains(parent) {
                    names.push(parent.clone());
                    let what = format!("inherits in a circle: {}", names.join(" → "));
                    return Err(ThemeError::new(&file, Some(*line), &what));
                }
                names.push(parent.clone());
                next = Some((parent.clone(), Some((file.clone(), *line))));
            }
            chain.push((file, parsed));
        }
        loaded.theme = build(name, &chain)?;
        Ok(loaded)
    }

    /// Returns a theme file's name for messages and its text; `None` if there is no theme of this name.
    fn text(
        &self,
        name: &str,
        files: &mut Vec<PathBuf>,
    ) -> Result<Option<(String, String)>, ThemeError> {
        let by_path = name.contains(['/', '\\']) || name.ends_with(".toml");
        let candidates: Vec<PathBuf> = if by_path {
            vec![PathBuf::from(name)]
        } else {
            let file = format!("{name}.toml");
            self.folders.iter().map(|f| f.join(&file)).collect()
        };
        for path in candidates {
            match files::read_text(&path) {
                Ok(text) => {
                    let shown = path.display().to_string();
                    files.push(path);
                    return Ok(Some((shown, text)));
                }
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => {
                    let what = format!("can't be read: {e}");
                    return Err(ThemeError::new(&path.display().to_string(), None, &what));
                }
            }
        }
        let built_in = EMBEDDED.get_file(format!("{name}.toml"));
        Ok(built_in
            .and_then(|f| f.contents_utf8())
            .map(|text| (format!("themes/{name}.toml (built in)"), text.to_owned())))
    }
}

fn stem(path: &Path) -> Option<String> {
    (path.extension()? == "toml").then(|| path.file_stem()?.to_str().map(str::to_owned))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{ROLES, Role};
    use ratatui::style::{Color, Modifier};

    fn folder(test: &str, files: &[(&str, &str)]) -> (ThemeStore, PathBuf) {
        let dir =
            std::env::temp_dir().join(format!("plyscope-theme-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder");
        for (name, text) in files {
            std::fs::write(dir.join(name), text).expect("a file");
        }
        (ThemeStore::new(vec![dir.clone()]), dir)
    }

    #[test]
    fn every_built_in_theme_loads_without_a_warning() {
        let store = ThemeStore::default();
        let names = store.names();
        for expected in [
            "dark",
            "light",
            "high-contrast",
            "colour-blind",
            "projector",
            "monochrome",
        ] {
            assert!(names.iter().any(|n| n == expected), "{expected}");
        }
        for name in names {
            let loaded = store.load(&name).expect(&name);
            assert_eq!(loaded.warnings, Vec::<String>::new(), "{name}");
            let selection = loaded.theme.style(Role::Selection);
            let visible = selection.bg.is_some_and(|c| c != Color::Reset)
                || selection.add_modifier.contains(Modifier::REVERSED);
            assert!(visible, "{name}: the selection can't be seen");
        }
    }

    #[test]
    fn the_monochrome_theme_has_no_colour() {
        let theme = ThemeStore::default()
            .load("monochrome")
            .expect("built in")
            .theme;
        for (role, name, _) in ROLES {
            let style = theme.style(*role);
            for c in [style.fg, style.bg].into_iter().flatten() {
                assert_eq!(c, Color::Reset, "{name}");
            }
        }
    }

    #[test]
    fn a_person_s_file_wins_inherits_and_warns() {
        let (store, dir) = folder(
            "wins",
            &[(
                "mine.toml",
                "inherits = \"dark\"\nshade = 1\n[palette]\nsea = \"#001122\"\n[roles]\ntext = { fg = \"sea\", blink = true }\nfoo = \"sea\"\n",
            )],
        );
        let loaded = store.load("mine").expect("good");
        assert_eq!(
            loaded.theme.style(Role::Text).fg,
            Some(Color::Rgb(0, 0x11, 0x22))
        );
        let dark = store.load("dark").expect("built in").theme;
        assert_eq!(loaded.theme.style(Role::Win), dark.style(Role::Win));
        assert_eq!(loaded.warnings.len(), 3, "{:?}", loaded.warnings);
        assert!(
            loaded
                .warnings
                .iter()
                .any(|w| w.contains("mine.toml:2:") && w.contains("shade"))
        );
        assert_eq!(loaded.files, [dir.join("mine.toml")]);
        std::fs::remove_dir_all(dir).expect("removed");
    }

    #[test]
    fn broken_themes_name_file_line_and_fault() {
        let (store, dir) = folder(
            "broken",
            &[
                ("syntax.toml", "inherits = \"dark\"\n[roles\n"),
                (
                    "colour.toml",
                    "[palette]\na = \"b\"\nb = \"blau\"\n[roles]\ntext = \"a\"\n",
                ),
                ("a.toml", "\ninherits = \"b\"\n"),
                ("b.toml", "inherits = \"a\"\n"),
                ("orphan.toml", "inherits = \"nobody\"\n"),
                ("kind.toml", "[roles]\ntext = [1]\n"),
            ],
        );
        for (name, line, part) in [
            ("syntax", 2, "roles"),
            ("colour", 3, "\"blau\""),
            ("a", 1, "circle: a → b → a"),
            ("orphan", 1, "\"nobody\""),
            ("kind", 2, "array"),
        ] {
            let error = store.load(name).expect_err(name);
            assert_eq!(error.line, Some(line), "{error}");
            if name != "syntax" {
                assert!(error.to_string().contains(part), "{error}");
            }
            assert!(error.to_string().contains(".toml"), "{error}");
        }
        assert!(store.load("none").is_err());
        std::fs::remove_dir_all(dir).expect("removed");
    }
}
