//! Grades in writing: sentences, text, JSON, and JUnit for course servers.

mod junit;
mod sentence;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::json::{VERSION, Version};
use super::number;
use super::schema::{CheckName, VerdictName};
use super::sheet::{Cell, Kind, Table, count};
use super::text::Style;
use studies::grade::{Assignment, Checked, Counts, Finding, Grade, Refusal};
use text::sanitise;

pub use junit::junit;
pub use sentence::sentence;

/// What came of one trace.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The name of its file as given.
    pub file: String,
    pub came: Result<Grade, Refusal>,
    /// How long it took.
    pub time: Duration,
}

impl Graded {
    /// Whether it was graded and passed.
    pub fn is_passed(&self) -> bool {
        self.came.as_ref().is_ok_and(Grade::is_passed)
    }

    /// Returns the verdict in a word.
    pub fn verdict(&self) -> &'static str {
        match &self.came {
            Err(_) => "refused",
            Ok(grade) if grade.is_passed() => "passed",
            Ok(_) => "failed",
        }
    }

    /// Returns the grade as text: the verdict, what is wrong first, and the checks.
    pub fn text(&self, style: Style) -> String {
        let file = sanitise(&self.file);
        let grade = match &self.came {
            Err(refusal) => {
                return style.apply(format!("{file}: refused, not graded\n{refusal}\n"));
            }
            Ok(grade) => grade,
        };
        let (earned, all) = grade.points();
        let points = match all {
            0.0 => String::new(),
            all => format!(", {} of {} points", number::told(earned), number::told(all)),
        };
        let mut text = format!("{file}: {}{points}\n", self.verdict());
        if let Some((_, finding)) = grade.first() {
            text += &format!("First difference: {}\n", placed(finding));
        }
        text += &format!("{}\n\n", counted(&grade.counts, grade.events));
        let mut text = style.apply(text);
        text += &table(&grade.checks).text(style);
        text += &style.apply(further(grade));
        text
    }

    /// Returns the grade as an object.
    pub fn json(&self, assignment: &Assignment) -> GradeJson {
        let grade = self.came.as_ref().ok();
        let points = grade.map(Grade::points);
        GradeJson {
            version: VERSION,
            file: sanitise(&self.file),
            title: assignment.title.clone(),
            algorithm: assignment.kind.map(|kind| kind.name()),
            verdict: self.verdict(),
            reason: self.came.as_ref().err().map(Refusal::to_string),
            engine: grade.map(|grade| grade.engine.clone()),
            points: points.map(|points| points.0),
            of: points.map(|points| points.1),
            first: grade
                .and_then(Grade::first)
                .map(|(_, finding)| FindingJson::new(finding)),
            checks: grade.map_or_else(Vec::new, |grade| {
                grade.checks.iter().map(CheckJson::new).collect()
            }),
            counts: grade.map(CountsJson::new),
        }
    }
}

/// Returns a sentence with its place in the trace.
pub fn placed(finding: &Finding) -> String {
    match finding.event {
        0 | u64::MAX => sentence(finding),
        event => format!("{} (event {})", sentence(finding), text::thousands(event)),
    }
}

/// What each of the other checks found first, a line each.
fn further(grade: &Grade) -> String {
    let first = grade.first().map(|(_, finding)| finding);
    let is_first = |finding: &Finding| first.is_some_and(|first| first.fault == finding.fault);
    // What is the same for several checks is said once.
    let mut others: Vec<(Vec<&str>, &Finding)> = Vec::new();
    for checked in &grade.checks {
        let Some(finding) = checked.first.as_ref().filter(|finding| !is_first(finding)) else {
            continue;
        };
        let name = checked.check.name();
        match others.iter_mut().find(|(_, other)| *other == finding) {
            Some((names, _)) => names.push(name),
            None => others.push((vec![name], finding)),
        }
    }
    let others = others.iter();
    let lines: String = others
        .map(|(names, finding)| format!("{}: {}\n", names.join(", "), placed(finding)))
        .collect();
    match lines.is_empty() {
        true => lines,
        false => format!("\nWhat else is wrong, by check:\n{lines}"),
    }
}

/// What the search did, in numbers.
fn counted(counts: &Counts, events: u64) -> String {
    let of = |n: u64, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{} {many}", text::thousands(n)),
    };
    let mut parts = Vec::new();
    if counts.simulations > 0 {
        parts.push(of(counts.simulations, "simulation", "simulations"));
    }
    if counts.nodes > 0 {
        parts.push(of(counts.nodes, "node", "nodes"));
    }
    if counts.leaves > 0 && counts.simulations == 0 {
        parts.push(of(counts.leaves, "leaf", "leaves"));
        parts.push(of(counts.cutoffs, "cutoff", "cutoffs"));
    }
    parts.push(of(events, "event", "events"));
    format!("The search: {}.", parts.join(", "))
}

fn table(checks: &[Checked]) -> Table {
    let mark = |checked: &Checked| match (checked.is_passed(), checked.is_made()) {
        (true, true) => "passed",
        (true, false) => "–",
        (false, _) => "failed",
    };
    Table::of(checks)
        .column("check", |checked| checked.check.name())
        .column("", mark)
        .column("points", |checked| {
            let of = number::told(checked.points);
            let earned = number::told(checked.earned());
            Some(Cell::number(format!("{earned}/{of}"))).filter(|_| checked.points > 0.0)
        })
        .column("checked", |checked| count(checked.occasions))
        .column("wrong", |checked| match checked.wrong {
            0 => None,
            wrong => Some(Cell {
                kind: Kind::Off,
                ..count(wrong)
            }),
        })
        .column("what is checked", |checked| checked.check.rule())
        .into()
}

/// A grade as JSON.
#[derive(Serialize, JsonSchema, Debug)]
pub struct GradeJson {
    /// The version of the format.
    version: Version,
    /// The trace's file as it was named.
    file: String,
    /// The title of the assignment; empty if it has none.
    title: String,
    /// The algorithm that was asked for; null if the search was only compared with another one.
    algorithm: Option<&'static str>,
    /// Whether every check passed. `refused`: the trace was not graded, since it cannot be read, is of another game or position, or
    /// has no end.
    #[schemars(with = "VerdictName")]
    verdict: &'static str,
    /// Why the trace was refused; null if it was graded.
    reason: Option<String>,
    /// The program's name and version, as it says; null if the trace was refused.
    engine: Option<String>,
    /// The points earned; null if the trace was refused.
    points: Option<f64>,
    /// The points that can be earned; null if the trace was refused.
    of: Option<f64>,
    /// What was wrong first, by the order of events; null if nothing was.
    first: Option<FindingJson>,
    /// The checks; empty if the trace was refused.
    checks: Vec<CheckJson>,
    /// What the search did, in numbers; null if the trace was refused.
    counts: Option<CountsJson>,
}

/// One check.
#[derive(Serialize, JsonSchema, Debug)]
struct CheckJson {
    /// Its name.
    #[schemars(with = "CheckName")]
    name: &'static str,
    /// What a search does that passes it.
    rule: &'static str,
    /// Whether nothing was wrong in the whole search, also where there was nothing to check.
    passed: bool,
    /// The points earned: all or none.
    points: f64,
    /// The points that it is worth.
    of: f64,
    /// How often there was something to check.
    checked: u64,
    /// How often it was wrong.
    wrong: u64,
    /// What was wrong first, or that the trace stops before the search is over; null if neither.
    first: Option<FindingJson>,
}

/// Something wrong.
#[derive(Serialize, JsonSchema, Debug)]
struct FindingJson {
    /// The number of the event at which it shows; null if it shows at no event.
    event: Option<u64>,
    /// The moves from the root to the node that it is about.
    line: Vec<String>,
    /// What is wrong, with its numbers. Values are in the program's unit and from its own view.
    sentence: String,
}

/// What a search did, in numbers.
#[derive(Serialize, JsonSchema, Debug)]
struct CountsJson {
    /// The nodes of the last search of the root, or of the tree.
    nodes: u64,
    /// Those of them without moves searched, or at which simulations ended.
    leaves: u64,
    /// The nodes at which moves were cut off.
    cutoffs: u64,
    /// The simulations of a best-first search.
    simulations: u64,
    /// The events of the search.
    events: u64,
    /// The searches that the trace has, as far as it was read.
    searches: u32,
}

impl CheckJson {
    fn new(checked: &Checked) -> CheckJson {
        CheckJson {
            name: checked.check.name(),
            rule: checked.check.rule(),
            passed: checked.is_passed(),
            points: checked.earned(),
            of: checked.points,
            checked: checked.occasions,
            wrong: checked.wrong,
            first: checked.first.as_ref().map(FindingJson::new),
        }
    }
}

impl FindingJson {
    fn new(finding: &Finding) -> FindingJson {
        FindingJson {
            event: (!matches!(finding.event, 0 | u64::MAX)).then_some(finding.event),
            line: finding.line.iter().map(|m| sanitise(m)).collect(),
            sentence: sentence(finding),
        }
    }
}

impl CountsJson {
    fn new(grade: &Grade) -> CountsJson {
        CountsJson {
            nodes: grade.counts.nodes,
            leaves: grade.counts.leaves,
            cutoffs: grade.counts.cutoffs,
            simulations: grade.counts.simulations,
            events: grade.events,
            searches: grade.searches,
        }
    }
}
