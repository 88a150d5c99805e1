//! Parses lessons.
//!
//! ````text
//! ---
//! title: …            teaches: …         minutes: 6        sources: one; another       shows: values windows
//! ---
//! ## A step's heading
//!
//! ```setup            ```tree             ```run               ```show
//! sample: NAME        max                 to: BREAKPOINT       view: tree
//! algorithm: NAME     a 1                 times: 2             select: "a"
//! set: KEY=VALUE …    b 2                 ```                  open: "a" "b"
//! ```                 ```                                      adds: columns
//!                                                              ```
//!
//! Text with **bold**, `code`, [[terms]] and {numbers of the search}.
//!
//! ```formula          ```question
//! 1 − 2 = {1 - 2}     ask: Which?
//! ```                 hint: Look at B.
//!                     reveal: BREAKPOINT
//!                     row: next  |  number: MEASURE  |  - text :: CLAIM
//!                     ```
//! Text below the question is shown when it has been answered.
//! ````

mod block;

pub(super) use block::{Block, Fault, Field, front_matter};

use super::text::inlines;
use super::{
    Choice, Expected, Fact, Facts, Kind, Lesson, Prose, Question, Row, Run, Shape, Show, Step,
    Target, View, setup,
};
use block::block;
use game::load::LoadError;
use session::Subject;
use session::breakpoint::{Breakpoint, Measure, NodePath, Predicate};
use text::{decode, quote};

/// A part of a step, in the order of the file.
enum Part {
    Block(Block),
    Line(u32, String),
}

/// A step as it is in the file.
struct Raw {
    heading: String,
    line: u32,
    parts: Vec<Part>,
}

impl Lesson {
    /// Parses a lesson; `name` is the name of its file.
    ///
    /// # Errors
    /// Returns the first error, with file and line, and what was found and expected there.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Lesson, LoadError> {
        read(name, &decode(bytes)).map_err(|e| e.in_file(name))
    }
}

impl Question {
    /// Parses the text of a question block.
    ///
    /// # Errors
    /// Returns the first error, with its line.
    pub fn of_text(text: &str, subject: &Subject) -> Result<Question, LoadError> {
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        question(&block("question", 0, &lines)?, subject)
    }
}

fn read(name: &str, text: &str) -> Result<Lesson, Fault> {
    let (front, lines) = front_matter(text)?;
    front.know(&["title", "teaches", "minutes", "sources", "shows"], &[])?;
    let raw = split(&lines)?;
    if raw.is_empty() {
        let end = text.lines().count() as u32;
        return Err(LoadError::new("the end", "## and a step's heading").at_line(end));
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut subject = None;
    for raw in &raw {
        let step = step(raw, subject.as_ref())?;
        if let Some(setup) = &step.setup {
            subject = Some(setup.subject.clone());
        }
        steps.push(step);
    }
    let sources = front.require("sources")?.text.split(';');
    Ok(Lesson {
        name: name.into(),
        title: front.require("title")?.text.clone(),
        teaches: front.require("teaches")?.text.clone(),
        minutes: front.require("minutes")?.number()?,
        sources: sources.map(|s| s.trim().to_owned()).collect(),
        shows: front.get("shows").map(facts).transpose()?,
        steps,
    })
}

/// Splits the lines into steps, and these into blocks and lines.
fn split(lines: &[(u32, &str)]) -> Result<Vec<Raw>, Fault> {
    let mut steps: Vec<Raw> = Vec::new();
    let mut lines = lines.iter();
    while let Some(&(number, line)) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            steps.push(Raw {
                heading: heading.trim().into(),
                line: number,
                parts: Vec::new(),
            });
            continue;
        }
        let part = match line.strip_prefix("```") {
            Some(kind) => {
                let body: Vec<(u32, &str)> = lines
                    .by_ref()
                    .copied()
                    .take_while(|l| l.1 != "```")
                    .collect();
                Part::Block(block(kind.trim(), number, &body)?)
            }
            None => Part::Line(number, line.to_owned()),
        };
        match steps.last_mut() {
            Some(step) => step.parts.push(part),
            None if line.is_empty() => {}
            None => {
                let fault = LoadError::new(quote(line), "## and a step's heading");
                return Err(fault.at_line(number));
            }
        }
    }
    Ok(steps)
}

fn step(raw: &Raw, before: Option<&Subject>) -> Result<Step, Fault> {
    let blocks = || {
        raw.parts.iter().filter_map(|p| match p {
            Part::Block(block) => Some(block),
            Part::Line(..) => None,
        })
    };
    let of_kind = |kind: &'static str| blocks().filter(move |b| b.kind == kind);
    for kind in ["setup", "tree", "show", "question"] {
        if let Some(second) = of_kind(kind).nth(1) {
            return Err(second.fault(&format!("a second {kind}"), "one in a step".into()));
        }
    }
    let tree = of_kind("tree").next();
    let setup = match of_kind("setup").next() {
        Some(block) => {
            block.know(&setup::KEYS, &["set"])?;
            Some(setup::read(block, tree)?)
        }
        None => None,
    };
    let Some(subject) = setup.as_ref().map(|s| &s.subject).or(before) else {
        let fault = LoadError::new("no setup", "a setup in the first step");
        return Err(fault.at_line(raw.line));
    };
    if let (Some(tree), None) = (tree, &setup) {
        return Err(tree.fault("a tree alone", "a setup in the same step".into()));
    }
    let mut step = Step {
        heading: raw.heading.clone(),
        line: raw.line,
        setup: None,
        runs: Vec::new(),
        show: Show::default(),
        text: Vec::new(),
        question: None,
        after: Vec::new(),
    };
    for run in of_kind("run") {
        run.know(&["to", "times"], &[])?;
        step.runs
            .push(target(run.require("to")?, run.get("times"), subject)?);
    }
    if let Some(block) = of_kind("show").next() {
        step.show = show(block, subject)?;
    }
    if let Some(block) = of_kind("question").next() {
        step.question = Some(question(block, subject)?);
    }
    let asked = raw
        .parts
        .iter()
        .position(|p| matches!(p, Part::Block(b) if b.kind == "question"));
    let (text, after) = raw.parts.split_at(asked.unwrap_or(raw.parts.len()));
    step.text = prose(text, subject)?;
    step.after = prose(after, subject)?;
    if step.text.is_empty() {
        let (found, expected) = match step.after.is_empty() {
            true => ("no text", "what the step says"),
            false => (
                "text only after the question",
                "some before it, which is there while the question is open",
            ),
        };
        return Err(LoadError::new(found, expected).at_line(raw.line));
    }
    step.setup = setup;
    Ok(step)
}

/// Parses paragraphs, items and formulas.
fn prose(parts: &[Part], subject: &Subject) -> Result<Vec<Prose>, Fault> {
    let mut all: Vec<Prose> = Vec::new();
    let mut open: Option<(Shape, Vec<(u32, String)>)> = None;
    let mut close = |open: &mut Option<(Shape, Vec<(u32, String)>)>| -> Result<(), Fault> {
        if let Some((shape, lines)) = open.take() {
            all.push(paragraph(shape, &lines, subject)?);
        }
        Ok(())
    };
    for part in parts {
        match part {
            Part::Block(block) if block.kind == "formula" => {
                close(&mut open)?;
                for (number, line) in (block.line + 1..).zip(block.body.lines()) {
                    let mut one = Some((Shape::Formula, vec![(number, line.to_owned())]));
                    close(&mut one)?;
                }
            }
            Part::Block(_) => close(&mut open)?,
            Part::Line(_, line) if line.trim().is_empty() => close(&mut open)?,
            Part::Line(number, line) if line.starts_with("- ") => {
                close(&mut open)?;
                open = Some((Shape::Item, vec![(*number, line[2..].to_owned())]));
            }
            Part::Line(number, line) => {
                let (_, lines) = open.get_or_insert_with(|| (Shape::Paragraph, Vec::new()));
                lines.push((*number, line.trim().to_owned()));
            }
        }
    }
    close(&mut open)?;
    Ok(all)
}

/// Parses a paragraph. A placeholder may continue on the next line, but not beyond its paragraph.
fn paragraph(shape: Shape, lines: &[(u32, String)], subject: &Subject) -> Result<Prose, Fault> {
    let text: Vec<&str> = lines.iter().map(|l| l.1.as_str()).collect();
    let read = inlines(&text.join(" "), subject).map_err(|wrong| {
        let mut before = wrong.at;
        let mut at = &lines[0];
        for line in lines {
            at = line;
            let length = line.1.chars().count() + 1;
            if before < length {
                break;
            }
            before -= length;
        }
        LoadError::new(wrong.found, wrong.expected).at(at.0, before as u32 + 1)
    });
    Ok(Prose {
        shape,
        line: lines[0].0,
        inlines: read?,
    })
}

fn target(field: &Field, times: Option<&Field>, subject: &Subject) -> Result<Run, Fault> {
    let to = match field.text.split_whitespace().collect::<Vec<_>>()[..] {
        ["end"] => Target::End,
        ["event", number] => {
            let read = search::quantity::count(number);
            Target::Event(read.map_err(|_| field.fault(number, "a number".into()))?)
        }
        _ => {
            let read = Breakpoint::parse(&field.text, subject);
            let breakpoint = read.map_err(|e| field.of_expression(e, 0))?;
            let times = times.map_or(Ok(1), Field::number)?;
            Target::Break(breakpoint, times)
        }
    };
    Ok(Run {
        line: field.line,
        to,
    })
}

fn show(block: &Block, subject: &Subject) -> Result<Show, Fault> {
    block.know(&["view", "select", "open", "mark", "adds"], &[])?;
    let mut show = Show::default();
    if let Some(field) = block.get("view") {
        let known = View::ALL.iter().find(|v| v.0 == field.text);
        let names = View::ALL.map(|v| v.0).join(", ");
        let fault = || field.fault(&field.text, format!("one of {names}"));
        show.view = known.ok_or_else(fault)?.1;
    }
    if let Some(field) = block.get("select") {
        show.select = Some(spot(field, &field.text, 0, subject)?);
    }
    for (key, into) in [("open", &mut show.open), ("mark", &mut show.mark)] {
        if let Some(field) = block.get(key) {
            *into = spots(field, subject)?;
        }
    }
    if let Some(field) = block.get("adds") {
        show.adds = Some(facts(field)?);
    }
    Ok(show)
}

/// Parses what the screen shows: `values`, which are always there, and any of the facts.
fn facts(field: &Field) -> Result<Facts, Fault> {
    let mut facts = Facts::VALUES;
    for word in field
        .text
        .split_whitespace()
        .filter(|word| *word != "values")
    {
        let known = Fact::ALL.iter().find(|entry| entry.name == word);
        let fault = || field.fault(word, format!("one of values, {}", Fact::names()));
        facts.add(known.ok_or_else(fault)?.fact);
    }
    Ok(facts)
}

fn spot(field: &Field, text: &str, skipped: usize, subject: &Subject) -> Result<NodePath, Fault> {
    let quoted = usize::from(text.starts_with('"'));
    NodePath::parse(text, subject).map_err(|e| field.of_expression(e, skipped + quoted))
}

/// Parses several places in quotation marks, or a single one without.
fn spots(field: &Field, subject: &Subject) -> Result<Vec<NodePath>, Fault> {
    if !field.text.starts_with('"') {
        return Ok(vec![spot(field, &field.text, 0, subject)?]);
    }
    let mut spots = Vec::new();
    let mut skipped = 0;
    for (i, part) in field.text.split('"').enumerate() {
        if i % 2 == 1 {
            spots.push(spot(field, part, skipped, subject)?);
        } else if !part.trim().is_empty() {
            return Err(field.fault(part, "places in quotation marks".into()));
        }
        skipped += part.chars().count() + 1;
    }
    Ok(spots)
}

fn question(block: &Block, subject: &Subject) -> Result<Question, Fault> {
    block.know(
        &[
            "ask",
            "hint",
            "reveal",
            "times",
            "row",
            "number",
            "tolerance",
            "-",
            "expect",
        ],
        &["-"],
    )?;
    let ask = block.require("ask")?;
    let reveal = match block.get("reveal") {
        Some(field) => Some(target(field, block.get("times"), subject)?),
        None => None,
    };
    let choices: Result<Vec<Choice>, Fault> =
        block.all("-").map(|field| choice(field, subject)).collect();
    let choices = choices?;
    let kind = match (block.get("row"), block.get("number"), &choices[..]) {
        (Some(field), None, []) => Kind::Row(row(field, reveal.is_some(), subject)?),
        (None, Some(field), []) => Kind::Number {
            measure: Measure::parse(&field.text, subject).map_err(|e| field.of_expression(e, 0))?,
            tolerance: block.get("tolerance").map_or(Ok(0.0), Field::number)?,
        },
        (None, None, [_, _, ..]) => Kind::Choice(choices),
        _ => {
            let expected = "row: …, number: … or at least two lines - text :: claim";
            return Err(block.fault("no answer, or several kinds of it", expected.into()));
        }
    };
    Ok(Question {
        line: block.line,
        ask: inlines(&ask.text, subject).map_err(|w| ask.of_text(w, 0))?,
        hint: match block.get("hint") {
            Some(hint) => inlines(&hint.text, subject).map_err(|w| hint.of_text(w, 0))?,
            None => Vec::new(),
        },
        reveal,
        expect: match block.get("expect") {
            Some(field) => Some(expected(field, &kind, subject)?),
            None => None,
        },
        kind,
    })
}

/// Parses the answer that the author expects, in the form in which a reader gives it: a row, a number, or the number of a
/// choice, from 1.
fn expected(field: &Field, kind: &Kind, subject: &Subject) -> Result<Expected, Fault> {
    match kind {
        Kind::Row(_) => Ok(Expected::Row(spot(field, &field.text, 0, subject)?)),
        Kind::Number { .. } => Ok(Expected::Number(field.number()?)),
        Kind::Choice(choices) => match field.number() {
            Ok(number) if (1..=choices.len()).contains(&number) => Ok(Expected::Choice(number - 1)),
            _ => {
                let expected = format!("the number of a choice, 1 to {}", choices.len());
                Err(field.fault(&field.text, expected))
            }
        },
    }
}

fn row(field: &Field, reveals: bool, subject: &Subject) -> Result<Row, Fault> {
    let text = field.text.as_str();
    if text == "next" {
        return if reveals {
            Ok(Row::Next)
        } else {
            Err(field.fault(text, "with it reveal: and a breakpoint".into()))
        };
    }
    let expected = "next, most MEASURE in PLACE, or least MEASURE in PLACE";
    let wrong = || field.fault(text, expected.into());
    let (greatest, rest) = match text.split_once(' ') {
        Some(("most", rest)) => (true, rest),
        Some(("least", rest)) => (false, rest),
        _ => return Err(wrong()),
    };
    let (measure, among) = rest.rsplit_once(" in ").ok_or_else(wrong)?;
    let skipped = text.chars().count() - rest.chars().count();
    let behind = text.chars().count() - among.chars().count();
    Ok(Row::Extreme {
        measure: Measure::parse(measure, subject).map_err(|e| field.of_expression(e, skipped))?,
        among: spot(field, among.trim(), behind, subject)?,
        greatest,
    })
}

fn choice(field: &Field, subject: &Subject) -> Result<Choice, Fault> {
    let Some((text, claim)) = field.text.rsplit_once("::") else {
        return Err(field.fault(&field.text, "- text :: claim".into()));
    };
    let skipped =
        text.chars().count() + 2 + claim.chars().count() - claim.trim_start().chars().count();
    Ok(Choice {
        text: inlines(text.trim(), subject).map_err(|w| field.of_text(w, 0))?,
        claim: Predicate::parse(claim.trim(), subject)
            .map_err(|e| field.of_expression(e, skipped))?,
    })
}
