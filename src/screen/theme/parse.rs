//! Theme files: a palette and named roles; errors and warnings come with their line.

use std::collections::HashMap;
use std::fmt;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Pieces, ROLES, Theme, color};
use text::sanitise;

/// Why a theme cannot be used: file, line and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ThemeError {
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<usize>,
    pub what: String,
}

impl ThemeError {
    /// Creates an error. Since the message may quote the file, its control characters are escaped.
    pub(super) fn new(file: &str, line: Option<usize>, what: &str) -> ThemeError {
        ThemeError {
            file: file.to_owned(),
            line,
            what: sanitise(what),
        }
    }
}

impl fmt::Display for ThemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// One theme file as written, before its parent theme is looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The name of the theme it inherits from, with the line that says so.
    pub inherits: Option<(String, usize)>,
    pieces: Option<Pieces>,
    /// Colours as written: a colour or the name of another palette entry.
    palette: Vec<Entry>,
    roles: Vec<RoleEntry>,
    /// What was skipped, one line each.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    name: String,
    color: String,
    line: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct RoleEntry {
    role: usize,
    fg: Option<String>,
    bg: Option<String>,
    modifiers: Modifier,
    line: usize,
}

const MODIFIERS: [(&str, Modifier); 6] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed-out", Modifier::CROSSED_OUT),
];

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn line(&self, offset: usize) -> usize {
        1 + self.text[..offset.min(self.text.len())]
            .matches('\n')
            .count()
    }

    fn error(&self, offset: usize, what: &str) -> ThemeError {
        ThemeError::new(self.file, Some(self.line(offset)), what)
    }

    fn warn(&mut self, offset: usize, what: &str) {
        let warning = self.error(offset, what);
        self.warnings.push(warning.to_string());
    }

    fn text_of(&self, key: &str, value: &Spanned<DeValue>) -> Result<String, ThemeError> {
        match value.as_ref() {
            DeValue::String(s) => Ok(s.to_string()),
            // An index of the 256 colours may be written without quotes.
            DeValue::Integer(i) => Ok(i.as_str().to_owned()),
            other => Err(self.error(
                value.span().start,
                &format!("{key}: found {}, expected text", other.type_str()),
            )),
        }
    }

    fn table<'v, 'i>(
        &self,
        key: &str,
        value: &'v Spanned<DeValue<'i>>,
    ) -> Result<&'v DeTable<'i>, ThemeError> {
        value.as_ref().as_table().ok_or_else(|| {
            self.error(
                value.span().start,
                &format!(
                    "{key}: found {}, expected a table",
                    value.as_ref().type_str()
                ),
            )
        })
    }
}

/// Parses a theme file's text; `file` is its name in messages.
///
/// # Errors
/// Text that is not TOML, and values of the wrong kind. Unknown keys only give warnings.
pub fn parse(file: &str, text: &str) -> Result<Parsed, ThemeError> {
    let mut reader = Reader {
        file,
        text,
        warnings: Vec::new(),
    };
    let root = DeTable::parse(text).map_err(|e| {
        let what = e.message().lines().next().unwrap_or("no TOML").to_owned();
        match e.span() {
            Some(span) => reader.error(span.start, &what),
            None => reader.error(0, &what),
        }
    })?;
    let mut parsed = Parsed {
        inherits: None,
        pieces: None,
        palette: Vec::new(),
        roles: Vec::new(),
        warnings: Vec::new(),
    };
    for (key, value) in root.get_ref() {
        let at = key.span().start;
        match key.get_ref().as_ref() {
            "inherits" => {
                parsed.inherits = Some((reader.text_of("inherits", value)?, reader.line(at)));
            }
            "pieces" => parsed.pieces = Some(pieces(&reader, value)?),
            "palette" => parsed.palette = palette(&reader, value)?,
            "roles" => parsed.roles = roles(&mut reader, value)?,
            other => reader.warn(at, &format!("unknown key \"{other}\" passed over")),
        }
    }
    parsed.warnings = reader.warnings;
    Ok(parsed)
}

fn pieces(reader: &Reader, value: &Spanned<DeValue>) -> Result<Pieces, ThemeError> {
    match reader.text_of("pieces", value)?.as_str() {
        "filled" => Ok(Pieces::Filled),
        "outlined" => Ok(Pieces::Outlined),
        other => Err(reader.error(
            value.span().start,
            &format!("pieces: found \"{other}\", expected \"filled\" or \"outlined\""),
        )),
    }
}

fn palette(reader: &Reader, value: &Spanned<DeValue>) -> Result<Vec<Entry>, ThemeError> {
    reader
        .table("palette", value)?
        .iter()
        .map(|(key, value)| {
            Ok(Entry {
                name: key.get_ref().to_string(),
                color: reader.text_of(key.get_ref(), value)?,
                line: reader.line(value.span().start),
            })
        })
        .collect()
}

fn roles(reader: &mut Reader, value: &Spanned<DeValue>) -> Result<Vec<RoleEntry>, ThemeError> {
    let mut found = Vec::new();
    for (key, value) in reader.table("roles", value)? {
        let name = key.get_ref().as_ref();
        let Some(role) = ROLES.iter().position(|(_, n, _)| *n == name) else {
            reader.warn(
                key.span().start,
                &format!("unknown role \"{name}\" passed over"),
            );
            continue;
        };
        found.push(role_entry(reader, role, name, value)?);
    }
    Ok(found)
}

/// Parses a role: `"colour"`, or a table with `fg`, `bg` and modifiers.
fn role_entry(
    reader: &mut Reader,
    role: usize,
    name: &str,
    value: &Spanned<DeValue>,
) -> Result<RoleEntry, ThemeError> {
    let mut entry = RoleEntry {
        role,
        fg: None,
        bg: None,
        modifiers: Modifier::empty(),
        line: reader.line(value.span().start),
    };
    let Some(table) = value.as_ref().as_table() else {
        entry.fg = Some(reader.text_of(name, value)?);
        return Ok(entry);
    };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "fg" => entry.fg = Some(reader.text_of("fg", value)?),
            "bg" => entry.bg = Some(reader.text_of("bg", value)?),
            word => match MODIFIERS.iter().find(|(n, _)| *n == word) {
                Some((_, modifier)) => {
                    let on = value.as_ref().as_bool().ok_or_else(|| {
                        reader.error(
                            value.span().start,
                            &format!("{word}: expected true or false"),
                        )
                    })?;
                    entry.modifiers.set(*modifier, on);
                }
                None => {
                    let what = format!("unknown key \"{word}\" of role \"{name}\" passed over");
                    reader.warn(key.span().start, &what);
                }
            },
        }
    }
    Ok(entry)
}

/// Builds the theme from files in the order of inheritance, the requested one first. Its palette entries and roles
/// override those it inherits, and inherited roles use its palette.
///
/// # Errors
/// A colour that cannot be parsed, with its line.
pub(super) fn build(name: &str, chain: &[(String, Parsed)]) -> Result<Theme, ThemeError> {
    let mut words: HashMap<&str, (&str, &str, usize)> = HashMap::new();
    for (file, parsed) in chain.iter().rev() {
        for e in &parsed.palette {
            words.insert(&e.name, (&e.color, file, e.line));
        }
    }
    let mut theme = Theme {
        name: name.to_owned(),
        pieces: chain.iter().find_map(|(_, p)| p.pieces).unwrap_or_default(),
        styles: vec![Style::default(); ROLES.len()],
    };
    for (file, parsed) in chain.iter().rev() {
        for entry in &parsed.roles {
            let mut style = Style::default().add_modifier(entry.modifiers);
            for (text, slot) in [(&entry.fg, &mut style.fg), (&entry.bg, &mut style.bg)] {
                if let Some(text) = text {
                    *slot = Some(resolve(text, &words, file, entry.line)?);
                }
            }
            theme.styles[entry.role] = style;
        }
    }
    Ok(theme)
}

fn resolve(
    text: &str,
    words: &HashMap<&str, (&str, &str, usize)>,
    file: &str,
    line: usize,
) -> Result<Color, ThemeError> {
    let (mut text, mut file, mut line) = (text, file, line);
    // A palette entry may name another one; the loop also ends if they form a circle.
    for _ in 0..=words.len() {
        match words.get(text) {
            Some(&(next, f, l)) if next != text => (text, file, line) = (next, f, l),
            _ => break,
        }
    }
    color::parse(text).ok_or_else(|| {
        let what = format!(
            "unknown colour \"{text}\", expected #rrggbb, a name of the palette, a colour's name or 0 to 255"
        );
        ThemeError::new(file, Some(line), &what)
    })
}
