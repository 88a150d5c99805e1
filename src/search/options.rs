//! One table of options per algorithm, which the command line, the screen, UCI and the tests read.

use std::fmt;

use belief::{Grid, Resolution};
use eval::Evaluation;
use formula::{Formula, ParseError, Scope, Unit};
use text::{nearest, quote};

/// The values that an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    Number {
        min: f64,
        max: f64,
    },
    Integer {
        min: i64,
        max: i64,
    },
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A word with its own grammar, such as `gumbel:2`: the check, and a description of what it expects.
    Word {
        check: fn(&str) -> bool,
        expects: &'static str,
    },
    /// A formula, or a word that stands for one.
    Formula(&'static FormulaRange),
}

/// The formulas that an option takes.
#[derive(Debug)]
pub struct FormulaRange {
    /// Whether a text is a word that stands for a formula.
    pub is_word: fn(&str) -> bool,
    /// A description of these words.
    pub words: &'static str,
    /// What a formula can name, and its unit.
    pub scope: Scope,
    /// Whether it is a condition, which holds or does not, rather than a number.
    pub is_condition: bool,
    /// Refuses a formula that has no use there; the error says why.
    pub check: fn(&Formula) -> Result<(), String>,
    /// The formula that a word stands for.
    pub written: fn(&str) -> Option<String>,
}

impl FormulaRange {
    /// Returns the formula that an option's text is, or that its word stands for.
    ///
    /// # Panics
    /// If the table of options has not checked the text, or the word stands for none.
    pub fn of(&self, text: &str) -> Formula {
        let word = (self.is_word)(text).then(|| (self.written)(text)).flatten();
        let parsed = self.parsed(word.as_deref().unwrap_or(text));
        parsed.expect("the table of options has checked it")
    }

    fn parsed(&self, text: &str) -> Result<Formula, ParseError> {
        match self.is_condition {
            true => Formula::condition(text, &self.scope),
            false => Formula::parse(text, &self.scope),
        }
    }
}

impl PartialEq for FormulaRange {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Range::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Range::Switch => f.write_str("on or off"),
            Range::Choice(words) => f.write_str(&words.join(" | ")),
            Range::Word { expects, .. } => f.write_str(expects),
            Range::Formula(range) => {
                let names: Vec<&str> = range.scope.names.iter().map(|n| n.name).collect();
                let kind = if range.is_condition {
                    "condition on"
                } else {
                    "formula of"
                };
                write!(f, "a {kind} {}", names.join(", "))?;
                match range.scope.result {
                    Unit::NONE => {}
                    unit => write!(f, " in {unit}")?,
                }
                write!(f, ", or {}", range.words)
            }
        }
    }
}

/// One option of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    pub key: &'static str,
    /// The default, as it would be written after `--set key=`.
    pub default: &'static str,
    pub range: Range,
    /// A summary of one line, with the source where there is one.
    pub summary: &'static str,
}

/// Which static evaluation chess positions get.
pub const EVAL: OptionSpec = OptionSpec {
    key: "eval",
    default: Evaluation::DEFAULT.name(),
    range: Range::Choice(Evaluation::NAMES),
    summary: "the static evaluation of chess positions: written by hand, a small trained network, or a mean of both values",
};

/// The evaluation that the option asks for.
pub fn evaluation(options: &Options) -> Evaluation {
    // Another program's search has no evaluation here.
    let word = options.has(EVAL.key).then(|| options.word(EVAL.key));
    word.and_then(Evaluation::of_name).unwrap_or_default()
}

/// At how many places a leaf's belief may lie.
pub const BINS: OptionSpec = OptionSpec {
    key: "bins",
    default: if belief::BINS == 63 { "63" } else { "255" },
    range: Range::Integer {
        min: 3,
        max: belief::BINS as i64,
    },
    summary: "at how many places of the scale a leaf's belief may lie; what lies between two of them is shared out, so that its mean stays",
};

/// Which places those are.
pub const GRID: OptionSpec = OptionSpec {
    key: "grid",
    default: "usual",
    range: Range::Choice(&["usual", "wdl"]),
    summary: "the places of bins, or just three (wdl): \"distributions over { loss, draw, win}\" (the DISTRESS essay)",
};

/// The resolution of leaves' beliefs that [`BINS`] and [`GRID`] ask for.
pub fn resolution(options: &Options, grid: &Grid) -> Resolution {
    match options.word(GRID.key) {
        "wdl" => Resolution::loss_draw_win(grid),
        _ => Resolution::of_bins(options.integer(BINS.key) as usize, grid),
    }
}

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Integer(i64),
    Switch(bool),
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(v) => write!(f, "{v}"),
            Value::Integer(v) => write!(f, "{v}"),
            Value::Switch(v) => f.write_str(if *v { "on" } else { "off" }),
            Value::Word(v) => f.write_str(v),
        }
    }
}

/// Why an option cannot be set to a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("unknown option {key:?} of {algorithm}{meant}, expected one of: {known}")]
    Unknown {
        algorithm: &'static str,
        key: String,
        /// A question after the one that was probably meant, or nothing.
        meant: String,
        known: String,
    },
    #[error("{key} = {found:?}: expected {expected}")]
    Value {
        key: &'static str,
        found: String,
        expected: String,
    },
    #[error("{key} = {}, {error}", quote(.found))]
    Formula {
        key: &'static str,
        found: String,
        error: ParseError,
    },
    #[error("{key} = {}: {why}", quote(.found))]
    Useless {
        key: &'static str,
        found: String,
        why: String,
    },
    #[error("found {found:?}, expected KEY=VALUE")]
    Form { found: String },
}

impl OptionSpec {
    /// Parses a value from the user's text.
    ///
    /// # Errors
    /// The error says what was found and what was expected.
    pub fn parse(&self, text: &str) -> Result<Value, OptionError> {
        let text = text.trim();
        let value = match self.range {
            Range::Number { min, max } => text
                .parse()
                .ok()
                .filter(|v| (min..=max).contains(v))
                .map(Value::Number),
            Range::Integer { min, max } => text
                .parse()
                .ok()
                .filter(|v| (min..=max).contains(v))
                .map(Value::Integer),
            Range::Switch => match text {
                "on" | "true" | "yes" | "1" => Some(Value::Switch(true)),
                "off" | "false" | "no" | "0" => Some(Value::Switch(false)),
                _ => None,
            },
            Range::Choice(words) => words.contains(&text).then(|| Value::Word(text.to_string())),
            Range::Word { check, .. } => check(text).then(|| Value::Word(text.to_string())),
            Range::Formula(range) if (range.is_word)(text) => Some(Value::Word(text.to_string())),
            // No formula has a colon, but every word has.
            Range::Formula(_) if text.contains(':') => None,
            Range::Formula(range) => Some(self.formula(range, text)?),
        };
        value.ok_or_else(|| OptionError::Value {
            key: self.key,
            found: text.to_string(),
            expected: self.range.to_string(),
        })
    }

    fn formula(&self, range: &FormulaRange, text: &str) -> Result<Value, OptionError> {
        let (key, found) = (self.key, text.to_owned());
        let formula = match range.parsed(text) {
            Ok(formula) => formula,
            Err(error) => return Err(OptionError::Formula { key, found, error }),
        };
        match (range.check)(&formula) {
            Ok(()) => Ok(Value::Word(found)),
            Err(why) => Err(OptionError::Useless { key, found, why }),
        }
    }
}

/// The values of all options of one algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    algorithm: &'static str,
    specs: &'static [OptionSpec],
    values: Vec<Value>,
}

impl PartialEq for OptionSpec {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Options {
    /// The default values. A default outside its own range is a mistake in the table, which a test finds.
    pub fn defaults(algorithm: &'static str, specs: &'static [OptionSpec]) -> Self {
        let values = specs
            .iter()
            .map(|s| s.parse(s.default).expect("a default within its own range"))
            .collect();
        Options {
            algorithm,
            specs,
            values,
        }
    }

    /// Sets one option from text.
    ///
    /// # Errors
    /// An unknown key or a value out of its range; the error says what was expected.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), OptionError> {
        let hyphenated = key.replace('_', "-");
        let Some(i) = self.specs.iter().position(|s| s.key == hyphenated) else {
            let meant = nearest(&hyphenated, self.specs.iter().map(|s| s.key));
            return Err(OptionError::Unknown {
                algorithm: self.algorithm,
                key: key.to_string(),
                meant: meant.map_or_else(String::new, |m| format!(" (did you mean {m}?)")),
                known: self
                    .specs
                    .iter()
                    .map(|s| s.key)
                    .collect::<Vec<_>>()
                    .join(", "),
            });
        };
        self.values[i] = self.specs[i].parse(text)?;
        Ok(())
    }

    /// Sets one option from `KEY=VALUE`.
    ///
    /// # Errors
    /// Those of [`Options::set`], and a missing `=`.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), OptionError> {
        let (key, value) = pair.split_once('=').ok_or_else(|| OptionError::Form {
            found: pair.to_string(),
        })?;
        self.set(key.trim(), value)
    }

    /// Sets options from `KEY=VALUE,KEY=VALUE`. A comma before anything but another key belongs to the value.
    ///
    /// # Errors
    /// Those of [`Options::set_pair`] for the first pair that is wrong.
    pub fn set_pairs(&mut self, text: &str) -> Result<(), OptionError> {
        let begins_pair = |rest: &str| {
            let (key, value) = rest.split_once('=').unwrap_or((rest, "="));
            let is_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            // `==` compares.
            key.trim().chars().all(is_key) && !key.trim().is_empty() && !value.starts_with('=')
        };
        let commas = text.match_indices(',').map(|(at, _)| at);
        let mut from = 0;
        for at in commas.chain([text.len()]) {
            if at == text.len() || begins_pair(&text[at + 1..]) || text[at + 1..].trim().is_empty()
            {
                let pair = text[from..at].trim();
                from = at + 1;
                if !pair.is_empty() {
                    self.set_pair(pair)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the algorithm has this option.
    pub fn has(&self, key: &str) -> bool {
        self.specs.iter().any(|spec| spec.key == key)
    }

    /// Whether a search keeps its tree when the game moves on.
    pub fn reuses_tree(&self) -> bool {
        self.has("tree-reuse") && self.switch("tree-reuse")
    }

    /// Every option with its value, in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static OptionSpec, &Value)> {
        self.specs.iter().zip(&self.values)
    }

    fn get(&self, key: &str) -> &Value {
        let i = self.specs.iter().position(|s| s.key == key);
        &self.values[i.unwrap_or_else(|| panic!("{} has no option {key}", self.algorithm))]
    }

    /// The value of a number. To ask for a key that is not in the algorithm's table is a bug in the program.
    pub fn number(&self, key: &str) -> f64 {
        match self.get(key) {
            Value::Number(v) => *v,
            Value::Integer(v) => *v as f64,
            _ => 0.0,
        }
    }

    pub fn integer(&self, key: &str) -> i64 {
        match self.get(key) {
            Value::Integer(v) => *v,
            _ => 0,
        }
    }

    pub fn switch(&self, key: &str) -> bool {
        matches!(self.get(key), Value::Switch(true))
    }

    /// Whether the algorithm has this option, set to this word.
    pub fn is(&self, key: &str, word: &str) -> bool {
        let mut all = self.iter();
        all.any(|(spec, value)| spec.key == key && *value == Value::Word(word.to_owned()))
    }

    pub fn word(&self, key: &str) -> &str {
        match self.get(key) {
            Value::Word(v) => v,
            _ => "",
        }
    }
}
