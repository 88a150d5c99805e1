//! The breakpoints of an editor: lines of a toy tree, expressions, kinds of events, and values to watch.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::place::way_to_line;
use crate::search::Search;

/// The kinds of events that an editor offers as exceptions: name, label, breakpoint.
const EVENTS: [(&str, &str, &str); 4] = [
    ("best-change", "The best move changes", "on best-change"),
    (
        "iteration-done",
        "An iteration is finished",
        "on iteration-done",
    ),
    ("prove", "A result is proven", "on prove"),
    ("cutoff", "A node is cut off", "on cutoff"),
];

/// Describes the kinds of events for `initialize`.
pub fn filters() -> Value {
    let filter =
        |(filter, label, _): &(&str, &str, &str)| json!({"filter": filter, "label": label});
    EVENTS.iter().map(filter).collect()
}

/// Where a breakpoint comes from. An editor sets all those of one kind at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What `launch` asked for.
    Launch,
    Line,
    Expression,
    Event,
    Data,
}

/// A breakpoint, or why it can't be one.
#[derive(Clone, Debug)]
struct Break {
    kind: Kind,
    id: u64,
    text: Result<String, String>,
    line: Option<u64>,
    /// Its number in the search, if it was understood.
    number: Option<usize>,
}

/// A breakpoint as an editor gives it: its expression, or why there is none, and its line.
pub type Read = (Result<String, String>, Option<u64>);

/// All breakpoints.
#[derive(Debug, Default)]
pub struct Breaks {
    all: Vec<Break>,
    given: u64,
}

impl Breaks {
    /// Replaces those of one kind, and returns what became of them.
    pub fn set(&mut self, kind: Kind, texts: Vec<Read>, search: Option<&mut Search>) -> Value {
        self.all.retain(|b| b.kind != kind);
        for (text, line) in texts {
            self.given += 1;
            self.all.push(Break {
                kind,
                id: self.given,
                text,
                line,
                number: None,
            });
        }
        self.apply(search);
        let report = |b: &Break| {
            let mut report = json!({"id": b.id, "verified": b.number.is_some()});
            if let Err(why) = &b.text {
                report["message"] = json!(why);
            }
            if let Some(line) = b.line {
                report["line"] = json!(line);
            }
            report
        };
        let reports = self.all.iter().filter(|b| b.kind == kind).map(report);
        json!({ "breakpoints": reports.collect::<Vec<_>>() })
    }

    /// Gives all breakpoints to the search.
    pub fn apply(&mut self, search: Option<&mut Search>) {
        let Some(search) = search else {
            return;
        };
        let texts: Vec<String> = self
            .all
            .iter()
            .filter_map(|b| b.text.clone().ok())
            .collect();
        let mut outcomes = search.set_breakpoints(&texts).into_iter();
        for b in self.all.iter_mut().filter(|b| b.text.is_ok()) {
            match outcomes.next() {
                Some(Ok((number, _))) => b.number = Some(number),
                Some(Err(why)) => {
                    b.number = None;
                    b.text = Err(why.to_string());
                }
                None => b.number = None,
            }
        }
    }

    /// Returns the editor's number of a breakpoint, the reason to give for it, and its text.
    pub fn hit(&self, number: usize) -> Option<(u64, &'static str, String)> {
        let b = self.all.iter().find(|b| b.number == Some(number))?;
        let reason = match b.kind {
            Kind::Launch | Kind::Line => "breakpoint",
            Kind::Expression => "function breakpoint",
            Kind::Event => "exception",
            Kind::Data => "data breakpoint",
        };
        Some((b.id, reason, b.text.clone().ok()?))
    }

    /// Returns why those of `launch` that were not understood were not.
    pub fn refused_at_launch(&self) -> Vec<String> {
        let of_launch = self.all.iter().filter(|b| b.kind == Kind::Launch);
        let refused = of_launch.filter_map(|b| b.text.as_ref().err());
        refused.map(|why| format!("breakpoints: {why}")).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.all.iter().all(|b| b.number.is_none())
    }
}

fn text<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    let text = of.get(name).and_then(Value::as_str)?.trim();
    (!text.is_empty()).then_some(text)
}

fn list<'a>(arguments: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a Value> {
    let list = arguments.get(name).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// Returns an expression with the condition that goes with it.
fn with_condition(expression: String, of: &Value) -> String {
    match text(of, "condition") {
        Some(condition) => format!("({expression}) and when {condition}"),
        None => expression,
    }
}

/// Reads those of `setBreakpoints`: a line is a node of the toy tree in `file`.
pub fn of_lines(
    arguments: &Map<String, Value>,
    search: Option<&Search>,
    file: Option<&str>,
    first_line: u64,
) -> Vec<Read> {
    let path = arguments
        .get("source")
        .and_then(|source| source.get("path"));
    let full = |path: &str| Path::new(path).canonicalize().ok();
    let is_file = path.and_then(Value::as_str).zip(file);
    let is_file = is_file.is_some_and(|(a, b)| a == b || full(a).is_some() && full(a) == full(b));
    let way = |line: u64| -> Result<String, String> {
        let search = search.filter(|_| is_file && first_line <= line);
        let search = search.ok_or("only lines of the toy tree that is searched are breakpoints")?;
        let line = u32::try_from(line - first_line + 1).map_err(|e| e.to_string())?;
        way_to_line(&search.subject, &search.lines, line)
    };
    let read = |b: &Value| {
        let line = b.get("line").and_then(Value::as_u64);
        let at = way(line.unwrap_or(0)).map(|way| match way.as_str() {
            "" => "at root".to_owned(),
            way => format!("at {}", quoted(way)),
        });
        (at.map(|at| with_condition(at, b)), line)
    };
    list(arguments, "breakpoints").map(read).collect()
}

/// Puts moves in quotation marks, as expressions have them.
pub fn quoted(moves: &str) -> String {
    let quote = if moves.contains('"') { '\'' } else { '"' };
    format!("{quote}{moves}{quote}")
}

/// Reads those of `setFunctionBreakpoints`: the name is an expression.
pub fn of_names(arguments: &Map<String, Value>) -> Vec<Read> {
    let read = |b: &Value| {
        let name = text(b, "name").unwrap_or_default().to_owned();
        (Ok(with_condition(name, b)), None)
    };
    list(arguments, "breakpoints").map(read).collect()
}

/// Reads those of `setExceptionBreakpoints`: kinds of events.
pub fn of_events(arguments: &Map<String, Value>) -> Vec<Read> {
    let read = |filter: &Value| {
        let name = filter.as_str().unwrap_or_default();
        let known = EVENTS.iter().find(|(filter, ..)| *filter == name);
        let text = known.map(|(.., text)| (*text).to_owned());
        (text.ok_or_else(|| format!("unknown filter {name:?}")), None)
    };
    list(arguments, "filters").map(read).collect()
}

/// Reads those of `setDataBreakpoints`: the data is the line to a node.
pub fn of_data(arguments: &Map<String, Value>) -> Vec<Read> {
    let read = |b: &Value| {
        let text = match text(b, "dataId") {
            None => "changes root".to_owned(),
            Some("root") => "changes root".to_owned(),
            Some(way) => format!("changes {}", quoted(way)),
        };
        (Ok(with_condition(text, b)), None)
    };
    list(arguments, "breakpoints").map(read).collect()
}
