//! The person's `config.toml`: the theme, and keys for commands.
//!
//! ```toml
//! theme = "light"
//!
//! [keys]
//! restart = "R"
//! down = ["j", "Ctrl-j"]
//! centre = []
//! ```

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::commands::{COMMANDS, default_keymap, index_of};
use super::keys::Keymap;

/// What the file says; what it does not say is `None` or the default.
#[derive(Clone, Debug)]
pub struct Preferences {
    pub theme: Option<String>,
    pub keymap: Keymap,
    /// What was passed over, one line each.
    pub warnings: Vec<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            theme: None,
            keymap: default_keymap(),
            warnings: Vec::new(),
        }
    }
}

/// Where the file is looked for (`~/.config/plyscope/config.toml` on Linux), existing or not.
#[must_use]
pub fn path() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.config_dir().join("plyscope").join("config.toml"))
}

/// Reads the file; the defaults where there is none.
///
/// # Errors
/// File, line and what is wrong, if it is no TOML or can't be read.
pub fn load(path: &Path) -> Result<Preferences, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&path.display().to_string(), &text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Preferences::default()),
        Err(e) => Err(format!("{}: can't be read: {e}", path.display())),
    }
}

/// Reads the file's text.
///
/// # Errors
/// File, line and what is wrong, if it is no TOML. Single entries that can't be used are warnings.
pub fn parse(file: &str, text: &str) -> Result<Preferences, String> {
    let line = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
    let root = DeTable::parse(text).map_err(|e| {
        let at = e.span().map_or(0, |s| s.start);
        let what = e.message().lines().next().unwrap_or("no TOML").to_owned();
        format!("{file}:{}: {what}", line(at))
    })?;
    let mut found = Preferences::default();
    for (key, value) in root.get_ref() {
        let at = line(key.span().start);
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("theme", DeValue::String(name)) => found.theme = Some(name.to_string()),
            ("keys", DeValue::Table(keys)) => {
                for (id, keys) in keys {
                    let at = line(id.span().start);
                    if let Err(what) = bind(&mut found.keymap, id.get_ref(), keys) {
                        found.warnings.push(format!("{file}:{at}: {what}"));
                    }
                }
            }
            ("theme" | "keys", other) => {
                let what = format!("{}: found {}", key.get_ref(), other.type_str());
                found.warnings.push(format!("{file}:{at}: {what}"));
            }
            (other, _) => {
                let what = format!("unknown key \"{other}\" passed over");
                found.warnings.push(format!("{file}:{at}: {what}"));
            }
        }
    }
    Ok(found)
}

/// Gives a command the keys named, in place of those it had.
fn bind(map: &mut Keymap, id: &str, keys: &Spanned<DeValue>) -> Result<(), String> {
    let command = index_of(id).ok_or_else(|| format!("unknown command \"{id}\" passed over"))?;
    let wanted: Vec<String> = match keys.get_ref() {
        DeValue::String(key) => vec![key.to_string()],
        DeValue::Array(all) => all
            .iter()
            .map(|key| match key.get_ref() {
                DeValue::String(key) => Ok(key.to_string()),
                other => Err(format!("{id}: found {}, expected text", other.type_str())),
            })
            .collect::<Result<_, _>>()?,
        other => {
            let kind = other.type_str();
            return Err(format!(
                "{id}: found {kind}, expected a key or a list of keys"
            ));
        }
    };
    map.unbind(command);
    for key in wanted {
        if !map.bind(&key, command, COMMANDS[command].group.tab()) {
            return Err(format!(
                "{id}: \"{key}\" is no key (as in \"Ctrl-d\", \"g g\", \"PgDn\")"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::app::Tab;
    use crate::tui::keys::{Key, Meaning};

    fn keys_of(p: &Preferences, id: &str) -> Vec<String> {
        p.keymap.keys_of(index_of(id).expect("a command"))
    }

    #[test]
    fn keys_are_given_taken_and_moved() {
        let text = "theme = \"light\"\n[keys]\nrestart = \"R\"\ndown = [\"j\", \"Ctrl-j\"]\ncentre = []\nup = \"q\"\n";
        let p = parse("config.toml", text).expect("good");
        assert_eq!(p.theme.as_deref(), Some("light"));
        assert_eq!(keys_of(&p, "restart"), ["R"]);
        assert_eq!(keys_of(&p, "down"), ["j", "Ctrl-j"]);
        assert!(keys_of(&p, "centre").is_empty());
        // A key taken from another command is that one's no more.
        assert_eq!(keys_of(&p, "quit"), ["Ctrl-c"]);
        let x = Key::parse("x").expect("a key");
        assert_eq!(p.keymap.meaning(&[x], Tab::Explore), Meaning::Nothing);
        assert!(p.warnings.is_empty(), "{:?}", p.warnings);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let text = "colour = 1\ntheme = 3\n[keys]\nfly = \"f\"\nquit = \"Strg-q\"\nflip = 4\n";
        let p = parse("config.toml", text).expect("usable");
        let mut lines: Vec<&str> = p
            .warnings
            .iter()
            .map(|w| w.split(':').nth(1).expect("a line"))
            .collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1", "2", "4", "5", "6"], "{:?}", p.warnings);
        let broken = parse("config.toml", "theme = \"a\"\n[keys\n").expect_err("no TOML");
        assert!(broken.starts_with("config.toml:2:"), "{broken}");
    }
}
