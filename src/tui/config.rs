//! The user's `config.toml`: the theme, how to search, external engines, and keys for commands.
//!
//! ```toml
//! theme = "light"
//! algorithm = "mcts"
//! threads = 2
//! memory = "512M"
//! nodes = "20M"
//! syzygy = "/home/me/tables"
//! unit = "wdl"
//! viewpoint = "mover"
//!
//! [options.formula]
//! select = "Q + P*sqrt(N)/(1 + n)"
//!
//! [engines]
//! stockfish = "stockfish"
//!
//! [keys]
//! restart = "R"
//! down = ["j", "Ctrl-j"]
//! centre = []
//! ```

mod engines;
mod options;
mod template;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::commands::{default_keymap, group_of, index_of};
use crate::tabs::Scope;
use algorithms::Algorithm;
use external::EngineSpec;
pub use options::OwnOptions;
use report::lens::{Lens, Unit, Viewpoint};
use screen::keys::Keymap;
use search::quantity;
pub use template::TEMPLATE;
use text::files;
use text::quote;

/// The settings in the file; a missing setting is `None` or the default.
#[derive(Clone, Debug)]
pub struct Preferences {
    pub theme: Option<String>,
    pub keymap: Keymap<Scope>,
    /// External engines that speak UCI.
    pub engines: Vec<EngineSpec>,
    pub algorithm: Option<Algorithm>,
    /// The options with which a search by each algorithm begins.
    pub options: OwnOptions,
    pub threads: Option<u16>,
    /// Memory for the tree, in bytes.
    pub memory: Option<u64>,
    /// The number of nodes at which a search pauses; `Some(None)`: it runs on.
    pub nodes: Option<Option<u64>>,
    /// The unit and the viewpoint of scores; `None`: those that were chosen last.
    pub lens: PreferredLens,
    /// Whether the session is kept by itself for the next start.
    pub autosave: bool,
    /// Whether the workbench begins with the presenter's view.
    pub presenter: bool,
    /// Folders of endgame tables.
    pub syzygy: Option<PathBuf>,
    /// Entries that were skipped, one line each.
    pub warnings: Vec<String>,
}

/// What is set of the unit and the viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PreferredLens {
    pub unit: Option<Unit>,
    pub viewpoint: Option<Viewpoint>,
}

impl PreferredLens {
    /// Returns a lens with what is set here.
    pub fn over(self, lens: Lens) -> Lens {
        Lens {
            unit: self.unit.unwrap_or(lens.unit),
            viewpoint: self.viewpoint.unwrap_or(lens.viewpoint),
        }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            theme: None,
            keymap: default_keymap(),
            engines: Vec::new(),
            algorithm: None,
            options: OwnOptions::default(),
            threads: None,
            memory: None,
            nodes: None,
            lens: PreferredLens::default(),
            autosave: true,
            presenter: false,
            syzygy: None,
            warnings: Vec::new(),
        }
    }
}

/// The file that takes the place of the user's own.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Reads this file from now on in place of the user's own.
pub fn choose(path: PathBuf) {
    // It is chosen once, on the command line.
    let _ = CHOSEN.set(path);
}

/// Returns where the file is looked for: the one that was chosen, otherwise `~/.config/plyscope/config.toml` on Linux, whether
/// or not it exists.
pub fn path() -> Option<PathBuf> {
    if let Some(chosen) = CHOSEN.get() {
        return Some(chosen.clone());
    }
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.config_dir().join("plyscope").join("config.toml"))
}

/// Reads the user's own file from its default place: see [`load`].
///
/// # Errors
/// As [`load`].
pub fn own() -> Result<Preferences, String> {
    path()
        .as_deref()
        .map_or_else(|| Ok(Preferences::default()), load)
}

/// Reads the file; returns the defaults if it does not exist.
///
/// # Errors
/// File, line and what is wrong, if it is not TOML or cannot be read.
pub fn load(path: &Path) -> Result<Preferences, String> {
    match files::read_text(path) {
        Ok(text) => parse(&path.display().to_string(), &text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Preferences::default()),
        Err(e) => Err(format!("{}: can't be read: {e}", path.display())),
    }
}

/// Parses the file's text.
///
/// # Errors
/// File, line and what is wrong, if it is not TOML. Single entries that cannot be used give warnings.
pub fn parse(file: &str, text: &str) -> Result<Preferences, String> {
    let line = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
    let root = DeTable::parse(text).map_err(|e| {
        let at = e.span().map_or(0, |s| s.start);
        let what = e.message().lines().next().unwrap_or("no TOML").to_owned();
        format!("{file}:{}: {what}", line(at))
    })?;
    let mut found = Preferences::default();
    let mut warnings = Vec::new();
    for (key, value) in in_order(root.get_ref()) {
        if let Err(what) = entry(&mut found, key.get_ref(), value.get_ref(), &mut warnings) {
            warnings.push((key.span().start, what));
        }
    }
    let warnings = warnings.into_iter();
    let warnings = warnings.map(|(at, what)| format!("{file}:{}: {what}", line(at)));
    found.warnings = warnings.collect();
    Ok(found)
}

/// Takes one entry of the file. `Err` says what is wrong with the whole entry; a warning is about a part of it and
/// carries its offset.
fn entry(
    found: &mut Preferences,
    key: &str,
    value: &DeValue,
    warnings: &mut Vec<(usize, String)>,
) -> Result<(), String> {
    let wrong = |what: String| format!("{key}: {what}");
    match (key, value) {
        ("theme", DeValue::String(name)) => found.theme = Some(name.to_string()),
        ("algorithm", DeValue::String(name)) => {
            found.algorithm = Some(name.parse().map_err(|e| wrong(format!("{e}")))?);
        }
        ("threads", value) => found.threads = Some(whole(value, 1..=256).map_err(wrong)? as u16),
        ("memory", DeValue::String(text)) => {
            let size = quantity::size(text);
            found.memory = Some(size.map_err(|e| wrong(format!("found {}, {e}", quote(text))))?);
        }
        ("nodes", DeValue::String(text)) if text == "none" => found.nodes = Some(None),
        ("nodes", DeValue::String(text)) => {
            let nodes = quantity::count(text);
            let nodes = nodes.map_err(|e| wrong(format!("found {}, {e}, or none", quote(text))))?;
            found.nodes = Some(Some(nodes));
        }
        ("nodes", DeValue::Integer(_)) => {
            found.nodes = Some(Some(whole(value, 1..=u64::MAX / 4).map_err(wrong)?));
        }
        ("unit", DeValue::String(name)) => {
            found.lens.unit = Some(named(name, &Unit::ALL, Unit::id).map_err(wrong)?);
        }
        ("viewpoint", DeValue::String(name)) => {
            let viewpoint = named(name, &Viewpoint::SHOWN, Viewpoint::id).map_err(wrong)?;
            found.lens.viewpoint = Some(viewpoint);
        }
        ("syzygy", DeValue::String(path)) => found.syzygy = Some(PathBuf::from(path.as_ref())),
        ("keys", DeValue::Table(keys)) => {
            for (id, keys) in in_order(keys) {
                if let Err(what) = bind(&mut found.keymap, id.get_ref(), keys) {
                    warnings.push((id.span().start, what));
                }
            }
        }
        ("options", DeValue::Table(table)) => {
            options::read_all(&mut found.options, table, warnings);
        }
        ("engines", DeValue::Table(table)) => {
            for (name, value) in in_order(table) {
                match engines::read(name.get_ref(), value.get_ref(), warnings) {
                    Ok(engine) => found.engines.push(engine),
                    Err(what) => warnings.push((name.span().start, what)),
                }
            }
        }
        ("autosave", DeValue::Boolean(on)) => found.autosave = *on,
        ("presenter", DeValue::Boolean(on)) => found.presenter = *on,
        ("autosave" | "presenter", other) => {
            let found = other.type_str();
            return Err(wrong(format!("found {found}, expected true or false")));
        }
        ("theme" | "algorithm" | "memory" | "nodes" | "syzygy" | "unit" | "viewpoint", other) => {
            return Err(wrong(format!("found {}, expected text", other.type_str())));
        }
        ("keys" | "engines" | "options", other) => {
            return Err(wrong(format!(
                "found {}, expected a table",
                other.type_str()
            )));
        }
        (other, _) => return Err(format!("unknown key \"{other}\" passed over")),
    }
    Ok(())
}

/// Returns a table's entries in the order of the file.
fn in_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Returns the one of several that has this name.
fn named<T: Copy>(name: &str, all: &[T], id: fn(T) -> &'static str) -> Result<T, String> {
    let found = all.iter().find(|&&one| id(one) == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| id(one)).collect();
        format!("found {}, expected {}", quote(name), names.join(", "))
    })
}

fn integer(value: &DeValue) -> Option<i64> {
    let DeValue::Integer(number) = value else {
        return None;
    };
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Returns a whole number within a range.
fn whole(value: &DeValue, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = integer(value).and_then(|n| u64::try_from(n).ok());
    number.filter(|n| range.contains(n)).ok_or_else(|| {
        let found = match value {
            DeValue::Integer(number) => number.as_str(),
            other => other.type_str(),
        };
        let (least, most) = (range.start(), range.end());
        format!("found {found}, expected a whole number from {least} to {most}")
    })
}

/// Binds a command to the given keys, in place of those it had.
fn bind(map: &mut Keymap<Scope>, id: &str, keys: &Spanned<DeValue>) -> Result<(), String> {
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
        if !map.bind(&key, command, group_of(command).scope) {
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
    use screen::keys::{Key, Meaning};

    #[test]
    fn options_of_algorithms_are_read_and_checked() {
        let text = "[options.formula]\nselect = \"Q + prior\"\nback-up = \"most(Q)\"\nfpu = 0.25\ntree-reuse = false\n\
                    [options.distres]\ntails = 1\n[options.mcts]\nexpand-at = 2\nno = 1\nfpu = []\n";
        let p = parse("config.toml", text).expect("good");
        let formula = p.options.of(Algorithm::Formula);
        assert_eq!(formula.word("back-up"), "most(Q)");
        assert_eq!(
            (formula.number("fpu"), formula.switch("tree-reuse")),
            (0.25, false)
        );
        assert_eq!(
            formula.word("select"),
            "puct",
            "what is wrong is passed over"
        );
        assert_eq!(p.options.of(Algorithm::Mcts).integer("expand-at"), 2);
        let distress = Algorithm::Distress;
        assert_eq!(p.options.of(distress), distress.default_options());
        let [select, name, key, kind] = &p.warnings[..] else {
            panic!("{:?}", p.warnings);
        };
        let begins =
            "config.toml:2: options.formula: select = \"Q + prior\", column 5: found \"prior\"";
        assert!(select.starts_with(begins), "{select}");
        assert!(
            name.starts_with("config.toml:6: options: unknown algorithm"),
            "{name}"
        );
        assert!(
            key.starts_with("config.toml:10: options.mcts: unknown option"),
            "{key}"
        );
        assert!(
            kind.contains("found array, expected text or a number"),
            "{kind}"
        );
    }

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
        // The command that had the key before loses it.
        assert_eq!(keys_of(&p, "quit"), ["Ctrl-c"]);
        let x = Key::parse("x").expect("a key");
        assert_eq!(p.keymap.meaning(&[x], &[None]), Meaning::Nothing);
        assert!(p.warnings.is_empty(), "{:?}", p.warnings);
    }

    #[test]
    fn every_line_of_the_template_is_good_as_it_is_and_without_its_mark() {
        let p = parse("config.toml", TEMPLATE).expect("good");
        assert!(p.warnings.is_empty() && p.algorithm.is_none());
        let settings: String = TEMPLATE
            .lines()
            .map(|line| match line.strip_prefix('#') {
                Some(rest) if !rest.starts_with(' ') => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let p = parse("config.toml", &settings).expect("good");
        assert!(p.warnings.is_empty(), "{:?}", p.warnings);
        assert_eq!(p.algorithm, Some(Algorithm::DEFAULT));
        assert_eq!(p.engines.len(), 3);
        for key in [
            "theme",
            "threads",
            "memory",
            "nodes",
            "autosave",
            "syzygy",
            "unit",
            "viewpoint",
        ] {
            assert!(settings.contains(&format!("\n{key} = ")), "{key}");
        }
    }

    #[test]
    fn how_to_search_and_with_what() {
        let text = "algorithm = \"mcts\"\nthreads = 0x2\nmemory = \"512M\"\n[engines]\nfish = \"stockfish -x\"\n\
                    [engines.lc0]\ncommand = \"'/my lc0' --a\"\nlines = 3\npatience = 60\n\
                    options = { Hash = 256, Ponder = false, Path = \"/x y\", Cpuct = 1.5 }\n";
        let p = parse("config.toml", text).expect("good");
        assert!(p.warnings.is_empty(), "{:?}", p.warnings);
        assert_eq!((p.algorithm, p.threads), (Some(Algorithm::Mcts), Some(2)));
        assert_eq!(p.memory, Some(512 << 20));
        let [fish, lc0] = &p.engines[..] else {
            panic!("two engines")
        };
        assert_eq!(
            (fish.name.as_str(), &fish.command[..]),
            ("fish", &["stockfish".into(), "-x".into()][..])
        );
        assert_eq!((lc0.command[0].as_str(), lc0.lines), ("/my lc0", 3));
        assert_eq!(lc0.patience.ready.as_secs(), 60);
        let options: Vec<String> = lc0
            .options
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        assert_eq!(
            options,
            ["Hash=256", "Ponder=false", "Path=/x y", "Cpuct=1.5"]
        );
    }

    #[test]
    fn an_engine_may_be_traced() {
        let text = "[engines]\na = { command = \"a\", trace = true }\nb = { command = \"b\", trace = false }\n\
                    c = { command = \"c\", trace = 1 }\n";
        let p = parse("config.toml", text).expect("usable");
        let traced: Vec<bool> = p.engines.iter().map(|e| e.trace.is_some()).collect();
        assert_eq!(traced, [true, false, false]);
        let warning = "config.toml:4: c: trace: found integer, expected true or false";
        assert_eq!(p.warnings, [warning]);
    }

    #[test]
    fn the_unit_and_the_viewpoint_of_scores() {
        let p = parse("config.toml", "unit = \"wdl\"\nviewpoint = \"mover\"\n").expect("good");
        let lens = PreferredLens {
            unit: Some(Unit::Outcomes),
            viewpoint: Some(Viewpoint::Mover),
        };
        assert_eq!((p.lens, p.warnings.len()), (lens, 0));
        let p = parse("config.toml", "unit = \"feet\"\nviewpoint = 3\n").expect("usable");
        assert_eq!(p.lens, PreferredLens::default());
        let warnings = [
            "config.toml:1: unit: found \"feet\", expected pawns, expected, wdl",
            "config.toml:2: viewpoint: found integer, expected text",
        ];
        assert_eq!(p.warnings, warnings);
    }

    #[test]
    fn what_is_wrong_with_an_engine_is_said_with_its_line() {
        let text = "algorithm = \"minimax\"\nthreads = 0\nmemory = \"much\"\n[engines]\na = 3\nb = \"'x\"\n\
                    c = { lines = 2 }\nd = { command = \"d\", lines = 0 }\ne = { command = \"e\", speed = 1 }\n\
                    f = { command = \"f\", options = { X = [] } }\n";
        let p = parse("config.toml", text).expect("usable");
        let mut places: Vec<u32> = p
            .warnings
            .iter()
            .filter_map(|w| w.split(':').nth(1)?.parse().ok())
            .collect();
        places.sort_unstable();
        assert_eq!(places, [1, 2, 3, 5, 6, 7, 8, 9, 10], "{:?}", p.warnings);
        let kept: Vec<&str> = p.engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(kept, ["d", "e", "f"]);
        assert!(
            p.warnings
                .iter()
                .any(|w| w
                    == "config.toml:2: threads: found 0, expected a whole number from 1 to 256")
        );
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
