//! The grammar of SGF (Arno Hollosi, *SGF File Format, FF4*, 1997–2021): game trees of nodes of properties.

use game::load::LoadError;
use std::borrow::Cow;
use text::quote;

/// A property as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub name: String,
    /// With their escapes: [`unescaped`] gives their text.
    pub values: Vec<String>,
    /// Where it begins: line and column, from 1.
    pub at: (u32, u32),
}

impl Property {
    /// Returns it without its place: as it is written, but comments, to which others may be added, as text.
    pub fn kept(self) -> game::load::pgn::Property {
        let Property { name, values, .. } = self;
        let values = match name.as_str() {
            "C" => values.iter().map(|v| unescaped(v).into_owned()).collect(),
            _ => values,
        };
        game::load::pgn::Property { name, values }
    }
}

/// A node of a game tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Node {
    /// `None` for the root.
    pub parent: Option<usize>,
    pub properties: Vec<Property>,
    /// Where it begins: line and column, from 1.
    pub at: (u32, u32),
}

impl Node {
    /// The property of this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|p| p.name == name)
    }

    /// The first value of the property of this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.get(name)?.values.first().map(String::as_str)
    }
}

/// A game tree: a parent comes before its children, variations in the order of the file.
pub(super) type Tree = Vec<Node>;

/// A game tree as it was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub tree: Tree,
    /// Where it begins in the text.
    pub from: usize,
    /// What was ignored in it.
    pub warnings: Vec<LoadError>,
    /// Where its first character is that stands for what could not be decoded: line and column, from 1.
    pub replaced: Option<(u32, u32)>,
}

/// What was read: game trees, and why the rest of the last one could not be read.
#[derive(Debug, Default)]
pub(super) struct Collection {
    pub games: Vec<Read>,
    pub problems: Vec<LoadError>,
}

/// Reads a text. What comes before the first game tree, and between two, is no part of them.
pub(super) fn collection(text: &str) -> Collection {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        column: 1,
        line_end: match text.contains('\n') {
            true => '\n',
            false => '\r',
        },
        replaced: None,
        warnings: Vec::new(),
        is_warned: false,
    };
    let mut read = Collection::default();
    while reader.seek_tree() {
        let (from, mut tree) = (reader.at, Tree::new());
        (reader.replaced, reader.warnings) = (None, Vec::new());
        let ended = reader.tree(&mut tree);
        if !tree.is_empty() {
            read.games.push(Read {
                tree,
                from,
                replaced: reader.replaced,
                warnings: std::mem::take(&mut reader.warnings),
            });
        }
        if let Err(problem) = ended {
            read.problems.push(problem);
        }
    }
    read
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// From 1, like the column.
    line: u32,
    column: u32,
    /// What lines end with, or end with among other things: a carriage return in files of old computers.
    line_end: char,
    /// See [`Read::replaced`].
    replaced: Option<(u32, u32)>,
    /// See [`Read::warnings`].
    warnings: Vec<LoadError>,
    /// Whether there is a warning of the current node: the first one may lead to others.
    is_warned: bool,
}

impl Reader<'_> {
    /// More warnings of a game say no more.
    const MOST_WARNINGS: usize = 100;

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == char::REPLACEMENT_CHARACTER {
            self.replaced.get_or_insert((self.line, self.column));
        }
        self.column += 1;
        if c == self.line_end {
            self.line += 1;
            self.column = 1;
        }
        Some(c)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Line and column, from 1.
    fn place(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    fn error(&self, found: impl Into<String>, expected: &str) -> LoadError {
        let (line, column) = self.place();
        LoadError::new(found, expected).at(line, column)
    }

    /// Notes that something is ignored.
    fn ignore(&mut self, (line, column): (u32, u32), found: &str, expected: &str) {
        if !self.is_warned && self.warnings.len() < Self::MOST_WARNINGS {
            let expected = format!("{expected}; it is ignored");
            let warning = LoadError::new(quote(found), expected).at(line, column);
            self.warnings.push(warning);
        }
        self.is_warned = true;
    }

    /// Goes to the next parenthesis that begins a game tree.
    fn seek_tree(&mut self) -> bool {
        loop {
            match self.peek() {
                None => return false,
                Some('(') if self.text[self.at + 1..].trim_start().starts_with(';') => return true,
                Some(_) => self.next(),
            };
        }
    }

    /// Reads a game tree with all its variations.
    fn tree(&mut self, tree: &mut Tree) -> Result<(), LoadError> {
        // The node at which each open parenthesis begins, and the one that comes before the next node.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut last: Option<usize> = None;
        loop {
            self.skip_spaces();
            match self.peek() {
                Some('(') => {
                    self.next();
                    open.push(last);
                }
                Some(')') => {
                    self.next();
                    last = open.pop().flatten();
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                Some(';') => {
                    let at = self.place();
                    self.next();
                    self.is_warned = false;
                    tree.push(Node {
                        parent: last,
                        properties: Vec::new(),
                        at,
                    });
                    last = Some(tree.len() - 1);
                }
                Some(c) if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    let node = last.and_then(|last| tree.get_mut(last));
                    if let (Some(node), Some(property)) = (node, property) {
                        add(node, property);
                    }
                }
                Some('[') => {
                    self.ignore(self.place(), "[", "the name of a property before it");
                    self.value()?;
                }
                Some(c) => {
                    let found = c.to_string();
                    self.ignore(self.place(), &found, "a property, or one of ; ( )");
                    self.next();
                }
                None => {
                    let missing = match open.len() {
                        1 => "a closing parenthesis".to_owned(),
                        n => format!("{n} closing parentheses"),
                    };
                    return Err(self.error("the end of the file", &missing));
                }
            }
        }
    }

    /// A name and its values; `None` if one of them is missing.
    fn property(&mut self) -> Result<Option<Property>, LoadError> {
        let (at, from) = (self.place(), self.at);
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
            // Old files write names out, `White`, of which the capitals count.
            if !c.is_ascii_lowercase() {
                name.push(c);
            }
            self.next();
        }
        let written = &self.text[from..self.at];
        let mut values = Vec::new();
        loop {
            self.skip_spaces();
            if self.peek() != Some('[') {
                break;
            }
            values.push(self.value()?);
        }
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.ignore(at, written, "a property in capitals, such as B[dd]");
            return Ok(None);
        }
        if values.is_empty() {
            self.ignore(at, written, "a property with a value, such as B[dd]");
            return Ok(None);
        }
        Ok(Some(Property { name, values, at }))
    }

    /// What is between brackets, as it is written.
    fn value(&mut self) -> Result<String, LoadError> {
        let (line, column) = self.place();
        self.next();
        let from = self.at;
        loop {
            let to = self.at;
            match self.next() {
                Some(']') => return Ok(self.text[from..to].to_owned()),
                Some('\\') => {
                    self.next();
                }
                Some(_) => {}
                None => {
                    let error = LoadError::new("a value without an end", "]");
                    return Err(error.at(line, column));
                }
            }
        }
    }
}

/// Returns the text of a value: without its escapes, and each of its lines ends with a line feed. A line break behind a backslash
/// is none.
pub(super) fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '\r']) {
        return Cow::Borrowed(value);
    }
    let is_break = |c: char| matches!(c, '\n' | '\r');
    let mut chars = value.chars().peekable();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        let (c, is_escaped) = match c {
            '\\' => (chars.next().unwrap_or('\n'), true),
            c => (c, false),
        };
        if !is_break(c) {
            text.push(c);
            continue;
        }
        // A line feed and a carriage return make one line break, in either order.
        chars.next_if(|next| is_break(*next) && *next != c);
        if !is_escaped {
            text.push('\n');
        }
    }
    Cow::Owned(text)
}

/// Returns a text as a value has it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Adds a property to a node; of one that comes again, as some programs write lists, the values are added. Moves stay in
/// their order.
fn add(node: &mut Node, property: Property) {
    let is_move = matches!(property.name.as_str(), "B" | "W");
    let mut known = node.properties.iter_mut();
    match known.find(|p| p.name == property.name && !is_move) {
        Some(known) => known.values.extend(property.values),
        None => node.properties.push(property),
    }
}
