//! Reads assignments. Every error has its line.

use std::io;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::check::Check;
use super::super::judge::Leaves;
use super::{Assignment, Chosen, Kind, Rules, Ties};
use game::ChessKnowledge as _;
use game::load::LoadError;
use games::Document;
use search::Subject;
use text::{nearest, quote, sanitise};

type Read<T> = Result<T, LoadError>;

/// See [`Assignment::read`].
pub(super) fn read(text: &str, beside: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Read<Assignment> {
    let table = DeTable::parse(text).map_err(|error| {
        let found = LoadError::message(error.message().to_owned());
        match error.span() {
            Some(span) => found.at_line(line(text, span.start)),
            None => found,
        }
    })?;
    let mut all = Table::new(text, table.into_inner());
    let kind = all.word("algorithm")?;
    let Some((kind, at)) = kind else {
        let expected = format!("algorithm = one of {}", listed(&Kind::ALL.map(Kind::name)));
        return Err(LoadError::new("no algorithm", expected));
    };
    let known = Kind::named(&kind).ok_or_else(|| {
        let expected = format!("one of {}", listed(&Kind::ALL.map(Kind::name)));
        LoadError::new(quote(&kind), expected).at_line(at)
    })?;
    let usual = Assignment::new(Some(known));
    let root = root(&mut all, beside)?;
    let rules = rules(&mut all, &root)?;
    let assignment = Assignment {
        title: sanitise(
            &all.word("title")?
                .map_or_else(String::new, |(title, _)| title),
        ),
        text: all.word("text")?.map_or_else(String::new, |(text, _)| text),
        root: Some(root),
        depth: all.number("depth", 1.0..=200.0)?.map(|depth| depth as u32),
        simulations: all.number("simulations", 1.0..=1e9)?.map(|n| n as u64),
        tolerance: all.number("tolerance", 0.0..=1e9)?.unwrap_or(0.0),
        rules,
        points: points(&mut all, known)?.unwrap_or(usual.points),
        is_strict: true,
        ..Assignment::new(Some(known))
    };
    let against = all.word("against")?.map(|(file, _)| file);
    all.finish()?;
    Ok(match against {
        Some(file) => assignment.against(file.into()),
        None => assignment,
    })
}

/// The position: a file beside the assignment, or the text of one.
fn root(all: &mut Table, beside: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Read<Subject> {
    let Some((named, at)) = all.word("position")? else {
        let expected = "position = a file beside the assignment, or a position in a line";
        return Err(LoadError::new("no position", expected));
    };
    let subject = match beside(&named) {
        Ok(bytes) => {
            let document = Document::from_bytes(&named, bytes)?;
            document.only_position()?
        }
        Err(_) => games::position_of_text(&named).map_err(|error| {
            let expected = "a file beside the assignment, or a position in a line";
            let found = format!("position {}, which is neither ({error})", quote(&named));
            LoadError::new(found, expected).at_line(at)
        })?,
    };
    match all.word("moves")? {
        None => Ok(subject),
        Some((moves, at)) => subject.play_text(&moves).map_err(|e| LoadError {
            column: None,
            ..e.at_line(at)
        }),
    }
}

fn rules(all: &mut Table, root: &Subject) -> Read<Rules> {
    let usual = Rules::default();
    let leaves = all.one_of("leaves", &Leaves::NAMES)?;
    if let Some((Leaves::Material, at)) = leaves
        && root.position.material().is_none()
    {
        let expected = "own or zero, for only chess has material";
        let found = format!("leaves = {}", quote("material"));
        return Err(LoadError::new(found, expected).at_line(at));
    }
    let ties = all.one_of("ties", &Ties::NAMES)?;
    let answer = all.one_of("answer", &Chosen::NAMES)?;
    Ok(Rules {
        ties: ties.map_or(usual.ties, |(ties, _)| ties),
        leaves: leaves.map_or(usual.leaves, |(leaves, _)| leaves),
        exploration: all.number("exploration", 0.0..=1e6)?,
        range: match all.numbers("range")? {
            None => usual.range,
            Some((numbers, at)) => match numbers[..] {
                [low, high] if low < high => [low, high],
                _ => {
                    let found = format!("range = {numbers:?}");
                    let expected = "the least value and a greater one, such as [-1, 1]";
                    return Err(LoadError::new(found, expected).at_line(at));
                }
            },
        },
        playouts: all.truth("playouts")?.unwrap_or(usual.playouts),
        answer: answer.map_or(usual.answer, |(answer, _)| answer),
        win: all.number("win", 1e-9..=1e9)?,
    })
}

/// The points of the checks that are listed; only these are made, and whether the trace is complete.
fn points(all: &mut Table, kind: Kind) -> Read<Option<Vec<(Check, f64)>>> {
    let Some((entries, at)) = all.table("points")? else {
        return Ok(None);
    };
    if entries.is_empty() {
        let names: Vec<&str> = kind.checks().iter().map(|check| check.name()).collect();
        let expected = format!("at least one of {}", listed(&names));
        return Err(LoadError::new("no checks in [points]", expected).at_line(at));
    }
    let mut points = vec![(Check::Trace, 0.0)];
    for (name, value) in entries {
        let at = line(all.text, name.span().start);
        let name = name.get_ref();
        let checks = kind.checks().iter().copied().chain([Check::Reference]);
        let names: Vec<&str> = checks.map(Check::name).collect();
        let known = Check::named(name).filter(|check| names.contains(&check.name()));
        let Some(check) = known else {
            let expected = format!("a check of {}: {}", kind.name(), listed(&names));
            return Err(LoadError::new(quote(name), expected).at_line(at));
        };
        let number = number_of(value.get_ref()).filter(|n| (0.0..=1e6).contains(n));
        let number = number.ok_or_else(|| {
            let found = format!("{} = {}", check.name(), shown(value.get_ref()));
            LoadError::new(found, "a number of points, at least 0").at_line(at)
        })?;
        points.retain(|(other, _)| *other != check);
        points.push((check, number));
    }
    points.sort_by_key(|(check, _)| *check);
    Ok(Some(points))
}

fn listed(names: &[&str]) -> String {
    names.join(", ")
}

fn line(text: &str, offset: usize) -> u32 {
    text::place(text.as_bytes(), offset).0
}

fn number_of(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Integer(number) => number.as_str().replace('_', "").parse().ok(),
        DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
        _ => None,
    }
}

/// A value as a message shows it.
fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => quote(text),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(is_so) => is_so.to_string(),
        other => format!("a value of the kind {}", other.type_str()),
    }
}

/// The fields of a table that have not been asked for.
struct Table<'a> {
    text: &'a str,
    fields: DeTable<'a>,
    asked: Vec<&'static str>,
}

impl<'a> Table<'a> {
    fn new(text: &'a str, fields: DeTable<'a>) -> Table<'a> {
        Table {
            text,
            fields,
            asked: Vec::new(),
        }
    }

    /// The value of a field, and its line.
    fn take(&mut self, name: &'static str) -> Option<(DeValue<'a>, u32)> {
        self.asked.push(name);
        let value: Spanned<DeValue> = self.fields.remove(name)?;
        let at = line(self.text, value.span().start);
        Some((value.into_inner(), at))
    }

    fn word(&mut self, name: &'static str) -> Read<Option<(String, u32)>> {
        match self.take(name) {
            None => Ok(None),
            Some((DeValue::String(text), at)) => Ok(Some((text.into_owned(), at))),
            Some((other, at)) => Err(refused(name, &other, "a text in quotation marks", at)),
        }
    }

    fn number(
        &mut self,
        name: &'static str,
        range: std::ops::RangeInclusive<f64>,
    ) -> Read<Option<f64>> {
        let Some((value, at)) = self.take(name) else {
            return Ok(None);
        };
        match number_of(&value).filter(|number| range.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let expected = format!("a number from {} to {}", range.start(), range.end());
                Err(refused(name, &value, &expected, at))
            }
        }
    }

    fn numbers(&mut self, name: &'static str) -> Read<Option<(Vec<f64>, u32)>> {
        let Some((value, at)) = self.take(name) else {
            return Ok(None);
        };
        let read = match &value {
            DeValue::Array(all) => all.iter().map(|one| number_of(one.get_ref())).collect(),
            _ => None,
        };
        match read {
            Some(numbers) => Ok(Some((numbers, at))),
            None => Err(refused(name, &value, "numbers, such as [-1, 1]", at)),
        }
    }

    fn truth(&mut self, name: &'static str) -> Read<Option<bool>> {
        match self.take(name) {
            None => Ok(None),
            Some((DeValue::Boolean(is_so), _)) => Ok(Some(is_so)),
            Some((other, at)) => Err(refused(name, &other, "true or false", at)),
        }
    }

    /// One of these values, and its line.
    fn one_of<T: Copy>(&mut self, name: &'static str, all: &[(&str, T)]) -> Read<Option<(T, u32)>> {
        let Some((word, at)) = self.word(name)? else {
            return Ok(None);
        };
        match all.iter().find(|(one, _)| *one == word) {
            Some((_, value)) => Ok(Some((*value, at))),
            None => {
                let names: Vec<&str> = all.iter().map(|(one, _)| *one).collect();
                let expected = format!("one of {}", listed(&names));
                Err(LoadError::new(format!("{name} = {}", quote(&word)), expected).at_line(at))
            }
        }
    }

    fn table(&mut self, name: &'static str) -> Read<Option<(DeTable<'a>, u32)>> {
        match self.take(name) {
            None => Ok(None),
            Some((DeValue::Table(table), at)) => Ok(Some((table, at))),
            Some((other, at)) => Err(refused(name, &other, "a table", at)),
        }
    }

    /// Refuses a field that nobody has asked for.
    fn finish(self) -> Read<()> {
        let Some((name, _)) = self.fields.iter().next() else {
            return Ok(());
        };
        let at = line(self.text, name.span().start);
        let word = name.get_ref();
        let expected = match nearest(word, self.asked.iter().copied()) {
            Some(meant) => format!("a field of an assignment: did you mean {meant}?"),
            None => format!("one of {}", listed(&self.asked)),
        };
        Err(LoadError::new(quote(word), expected).at_line(at))
    }
}

fn refused(name: &str, found: &DeValue, expected: &str, at: u32) -> LoadError {
    LoadError::new(format!("{name} = {}", shown(found)), expected).at_line(at)
}
