//! Fenced blocks of `key: value` lines, and the front matter.

use super::super::text::Wrong;
use game::load::LoadError;
use session::breakpoint::BreakpointError;
use text::quote;

pub(in crate::lesson) type Fault = LoadError;

/// One `key: value` line of a block.
#[derive(Clone, Debug)]
pub(in crate::lesson) struct Field {
    pub key: String,
    pub text: String,
    pub line: u32,
    /// The column of the value, from 1.
    pub column: u32,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub(in crate::lesson) struct Block {
    pub kind: String,
    /// The line of its opening fence.
    pub line: u32,
    /// Its lines, unchanged.
    pub body: String,
    fields: Vec<Field>,
}

impl Field {
    pub fn fault(&self, found: &str, expected: String) -> Fault {
        let found = if found.is_empty() {
            "nothing".to_owned()
        } else {
            quote(found)
        };
        LoadError::new(found, expected).at(self.line, self.column)
    }

    /// Converts an error in the value, found by the parser of positions or moves.
    pub fn of_load(&self, error: &LoadError) -> Fault {
        let column = self.column + error.column.unwrap_or(1) - 1;
        LoadError::new(error.found.clone(), error.expected.clone()).at(self.line, column)
    }

    pub(super) fn of_expression(&self, error: BreakpointError, skipped: usize) -> Fault {
        let column = self.column + skipped as u32 + error.column - 1;
        LoadError::new(error.found, error.expected).at(self.line, column)
    }

    pub(super) fn of_text(&self, wrong: Wrong, skipped: usize) -> Fault {
        let column = self.column + (skipped + wrong.at) as u32;
        LoadError::new(wrong.found, wrong.expected).at(self.line, column)
    }

    pub fn number<T: std::str::FromStr>(&self) -> Result<T, Fault> {
        (self.text.parse()).map_err(|_| self.fault(&self.text, "a number".into()))
    }
}

impl Block {
    pub fn get(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.key == key)
    }

    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Field> {
        self.fields.iter().filter(move |f| f.key == key)
    }

    pub fn fault(&self, found: &str, expected: String) -> Fault {
        LoadError::new(found, expected).at_line(self.line)
    }

    /// Converts an error found by the parser of the whole body.
    pub fn of_load(&self, error: &LoadError) -> Fault {
        let line = self.line + error.line.unwrap_or(1);
        let fault = LoadError::new(error.found.clone(), error.expected.clone()).at_line(line);
        match error.column {
            Some(column) => fault.at_column(column),
            None => fault,
        }
    }

    pub(super) fn require(&self, key: &str) -> Result<&Field, Fault> {
        let missing = || self.fault(&format!("no {key}"), format!("{key}: …"));
        self.get(key).ok_or_else(missing)
    }

    /// Allows only the keys of the table, each with a value, and each once unless it is in `repeated`.
    pub(super) fn know(&self, keys: &[&str], repeated: &[&str]) -> Result<(), Fault> {
        for (i, field) in self.fields.iter().enumerate() {
            if !keys.contains(&field.key.as_str()) {
                let expected = format!("one of {}", keys.join(", "));
                let fault = LoadError::new(quote(&field.key), expected);
                return Err(fault.at(field.line, 1));
            }
            if field.text.is_empty() {
                return Err(field.fault("", "a value".into()));
            }
            let twice = self.fields[..i].iter().any(|f| f.key == field.key);
            if twice && !repeated.contains(&field.key.as_str()) {
                let fault = LoadError::new(format!("a second {}", field.key), "one");
                return Err(fault.at(field.line, 1));
            }
        }
        Ok(())
    }
}

/// The lines of a file, each with its number.
pub(in crate::lesson) type Numbered<'a> = Vec<(u32, &'a str)>;

/// Returns the fields of the front matter, and the lines after it.
pub(in crate::lesson) fn front_matter(text: &str) -> Result<(Block, Numbered<'_>), Fault> {
    let mut lines = (1..).zip(
        text.lines()
            .map(|l| l.trim_end().trim_start_matches('\u{feff}')),
    );
    let opening = |line: &(u32, &str)| !line.1.is_empty();
    match lines.find(opening) {
        Some((_, "---")) => {}
        Some((line, other)) => {
            return Err(LoadError::new(quote(other), "--- and the lesson's title").at_line(line));
        }
        None => return Err(LoadError::new("nothing", "--- and the lesson's title")),
    }
    let mut block = Block {
        kind: "front matter".into(),
        line: 1,
        body: String::new(),
        fields: Vec::new(),
    };
    loop {
        match lines.next() {
            Some((_, "---")) => return Ok((block, lines.collect())),
            Some((_, "")) => {}
            Some((number, line)) => block.fields.push(field(number, line)?),
            None => {
                let fault = LoadError::new("the end", "--- after the front matter");
                return Err(fault.at_line(text.lines().count() as u32));
            }
        }
    }
}

fn field(number: u32, line: &str) -> Result<Field, Fault> {
    if let Some(item) = line.strip_prefix("- ") {
        return Ok(Field {
            key: "-".into(),
            text: item.trim().into(),
            line: number,
            column: 3,
        });
    }
    let Some((key, value)) = line.split_once(':') else {
        return Err(LoadError::new(quote(line), "key: value").at(number, 1));
    };
    let skipped = line.chars().count() - value.trim_start().chars().count();
    Ok(Field {
        key: key.trim().to_lowercase(),
        text: value.trim().into(),
        line: number,
        column: skipped as u32 + 1,
    })
}

pub(super) fn block(kind: &str, line: u32, body: &[(u32, &str)]) -> Result<Block, Fault> {
    const KINDS: [&str; 6] = ["setup", "tree", "run", "show", "formula", "question"];
    if !KINDS.contains(&kind) {
        let expected = format!("one of {}", KINDS.join(", "));
        return Err(LoadError::new(quote(kind), expected).at(line, 4));
    }
    let mut block = Block {
        kind: kind.into(),
        line,
        body: body.iter().map(|l| format!("{}\n", l.1)).collect(),
        fields: Vec::new(),
    };
    if !matches!(kind, "tree" | "formula") {
        let written = body.iter().filter(|l| !l.1.trim().is_empty());
        let fields: Result<Vec<Field>, Fault> = written.map(|l| field(l.0, l.1)).collect();
        block.fields = fields?;
    }
    Ok(block)
}
