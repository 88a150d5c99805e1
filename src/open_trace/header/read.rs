//! Reads a header: leniently, as anything but a missing or higher version is better shown with a default than refused.

use serde_json::{Map, Value as Json};

use super::{
    Backup, Class, Distance, Fail, Header, Number, NumberUnit, Order, Reason, Trials, Unit,
    VERSION, ValueSpec, View,
};
use crate::limits;
use crate::names::harmless;
use crate::value::Value;

/// Why a stream cannot be read at all.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Refused {
    #[error("found {found}, expected a search trace: a line with \"plyscope-trace\"")]
    NoHeader { found: String },
    /// It begins as a header does.
    #[error("found a header that is cut off or not JSON, {found}, expected a whole line of JSON")]
    BrokenHeader { found: String },
    #[error("nothing found, expected a search trace")]
    Empty,
    /// It is in the binary form.
    #[error("found a binary search trace that is cut off within its header, expected a whole one")]
    CutOff,
    /// The source has failed before the end of the header.
    #[error("cannot be read ({0})")]
    ReadFailed(String),
    #[error(
        "found version {0} of the search trace, expected at most {VERSION}: a newer plyscope may read it"
    )]
    Version(u64),
}

impl Refused {
    /// Why these bytes, the first ones of a stream, are no header.
    pub(crate) fn header(bytes: &[u8]) -> Refused {
        let quoted = || text::quote(&String::from_utf8_lossy(bytes));
        if bytes.trim_ascii_start().starts_with(b"{\"plyscope-trace\"") {
            return Refused::BrokenHeader { found: quoted() };
        }
        let found = match (bytes, std::str::from_utf8(bytes)) {
            ([0x1f, 0x8b, ..], _) => "a file that gzip has compressed".to_owned(),
            ([0x28, 0xb5, 0x2f, 0xfd, ..], _) => "a file that zstd has compressed".to_owned(),
            // The end of a text may be cut off.
            (_, Err(error)) if error.error_len().is_some() => "bytes that are no text".to_owned(),
            _ => quoted(),
        };
        Refused::NoHeader { found }
    }
}

/// Reads a header from its line. `bad` is told of each field that is replaced by its default.
///
/// # Errors
/// If it is no header, or of a higher version.
pub(crate) fn header(line: &[u8], bad: &mut dyn FnMut(&str)) -> Result<Header, Refused> {
    let no_header = || Refused::header(&line[..line.len().min(200)]);
    let object: Map<String, Json> = serde_json::from_slice(line).map_err(|_| no_header())?;
    match object.get("plyscope-trace").map(Json::as_u64) {
        Some(Some(1)) => {}
        Some(Some(version)) if version > u64::from(VERSION) => {
            return Err(Refused::Version(version));
        }
        _ => {
            let found = text::quote(&String::from_utf8_lossy(line));
            return Err(Refused::NoHeader { found });
        }
    }
    let mut fields = Fields {
        object: &object,
        bad,
        place: "",
    };
    let value = fields.part("value", value_spec);
    let reasons = fields.list("reasons", limits::THREADS);
    let header = Header {
        version: VERSION,
        engine: fields.text("engine", limits::NAME).unwrap_or_default(),
        game: fields.text("game", limits::NAME).unwrap_or_default(),
        order: fields.word("order", Order::named),
        value: value.unwrap_or_default(),
        backup: fields.word("backup", Backup::named),
        trials: fields.word("trials", Trials::named),
        depth_step: fields
            .number("depth-step", |n| {
                (n.fract() == 0.0 && (1.0..=32_767.0).contains(&n)).then_some(n as u16)
            })
            .unwrap_or(1),
        reasons: read_reasons(&reasons, fields.bad),
        control: fields.get("control").is_some_and(|control| control == true),
    };
    Ok(header)
}

/// The fields of an object in the header.
struct Fields<'a> {
    object: &'a Map<String, Json>,
    bad: &'a mut dyn FnMut(&str),
    /// The name of the object.
    place: &'static str,
}

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a Json> {
        self.object.get(name).filter(|found| !found.is_null())
    }

    /// Reads a field, and tells if it cannot be read.
    fn read<T>(&mut self, name: &str, read: impl FnOnce(&'a Json) -> Option<T>) -> Option<T> {
        let found = self.get(name)?;
        let done = read(found);
        if done.is_none() {
            let dot = if self.place.is_empty() { "" } else { "." };
            (self.bad)(&format!("{}{dot}{name}", self.place));
        }
        done
    }

    fn text(&mut self, name: &str, longest: usize) -> Option<Box<str>> {
        let clean = |found: &Json| Some(harmless(found.as_str()?, longest).into());
        self.read(name, clean)
    }

    fn word<T: Default>(&mut self, name: &str, named: impl Fn(&str) -> Option<T>) -> T {
        self.read(name, |found| named(found.as_str()?))
            .unwrap_or_default()
    }

    fn number<T>(&mut self, name: &str, read: impl FnOnce(f64) -> Option<T>) -> Option<T> {
        self.read(name, |found| read(found.as_f64()?))
    }

    fn list(&mut self, name: &str, most: usize) -> Vec<&'a Json> {
        let list = self.read(name, Json::as_array);
        list.map_or(Vec::new(), |all| all.iter().take(most).collect())
    }

    fn part<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Fields) -> T) -> Option<T> {
        let object = self.read(name, Json::as_object)?;
        let mut inside = Fields {
            object,
            bad: &mut *self.bad,
            place: name,
        };
        Some(read(&mut inside))
    }
}

fn value_spec(fields: &mut Fields) -> ValueSpec {
    let unit = match fields.text("unit", limits::NAME) {
        None => Unit::Named("".into()),
        Some(name) => match &*name {
            "cp" => Unit::Centipawns,
            "win" => Unit::Win,
            "expected" => Unit::Expected,
            _ => Unit::Named(name),
        },
    };
    let step = fields.number("step", |step| {
        (step.is_finite() && step > 1e-12).then_some(step)
    });
    let mut spec = ValueSpec {
        unit,
        step: step.unwrap_or(1.0),
        view: fields.word("view", View::named),
        distance: fields.word("distance", Distance::named),
        fail: fields.word("fail", Fail::named),
        ..ValueSpec::default()
    };
    let positive = |number: f64| spec.from_unit(number).filter(|v| v.get() > 0.0);
    let infinite = fields.number("infinite", positive);
    let win = fields.number("win", positive);
    let range = fields.read("range", |range| {
        let [low, high] = range.as_array()?.as_slice() else {
            return None;
        };
        let end = |end: &Json| spec.from_unit(end.as_f64()?);
        let (low, high) = (end(low)?, end(high)?);
        (low < high).then_some((low, high))
    });
    spec.infinite = infinite.unwrap_or(Value::MAX);
    spec.win = win;
    spec.range = range;
    spec
}

fn read_reasons(list: &[&Json], bad: &mut dyn FnMut(&str)) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for (i, found) in list.iter().enumerate() {
        let reason = found.as_object().and_then(|object| {
            let mut fields = Fields {
                object,
                bad: &mut *bad,
                place: "reasons",
            };
            reason(&mut fields, i + 1)
        });
        match reason {
            Some(reason)
                if reasons
                    .iter()
                    .all(|other| other.n != reason.n && other.name != reason.name) =>
            {
                reasons.push(reason);
            }
            _ => bad(&format!("reasons[{i}]")),
        }
    }
    reasons
}

fn reason(fields: &mut Fields, place: usize) -> Option<Reason> {
    let n = match fields.get("n") {
        Some(n) => u8::try_from(n.as_u64()?),
        None => u8::try_from(place),
    };
    let numbers = fields.list("numbers", limits::NUMBERS);
    let number = |found: &Json| {
        // A name alone is a number without a unit.
        let (name, unit) = match found {
            Json::String(name) => (name.as_str(), None),
            _ => match found.as_array()?.as_slice() {
                [name] => (name.as_str()?, None),
                [name, unit] => (name.as_str()?, NumberUnit::named(unit.as_str()?)),
                _ => return None,
            },
        };
        // These are fields of the record.
        if ["kind", "move", "why", "t"].contains(&name) {
            return None;
        }
        Some(Number {
            name: harmless(name, limits::NAME).into(),
            unit: unit.unwrap_or_default(),
        })
    };
    let numbers: Vec<Number> = numbers.into_iter().map(number).collect::<Option<_>>()?;
    let is_twice =
        |(i, number): (usize, &Number)| numbers[..i].iter().any(|n| n.name == number.name);
    if numbers.iter().enumerate().any(is_twice) {
        return None;
    }
    Some(Reason {
        n: n.ok().filter(|n| *n > 0)?,
        name: fields
            .text("name", limits::NAME)
            .filter(|name| !name.is_empty())?,
        class: fields.word("class", Class::named),
        numbers,
        text: fields.text("text", limits::TEXT).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Result<Header, Refused>, Vec<String>) {
        let mut bad = Vec::new();
        let read = header(line.as_bytes(), &mut |field| bad.push(field.to_owned()));
        (read, bad)
    }

    #[test]
    fn a_header_needs_nothing_but_its_version() {
        let (header, bad) = read(r#"{"plyscope-trace":1}"#);
        assert_eq!(header, Ok(Header::default()));
        assert!(bad.is_empty());
    }

    #[test]
    fn what_is_no_header_is_refused_with_what_was_found() {
        let told = |line| read(line).0.expect_err("refused").to_string();
        assert_eq!(
            told(r#"{"plyscope-trace":2,"engine":"x"}"#),
            "found version 2 of the search trace, expected at most 1: a newer plyscope may read it"
        );
        for line in [
            "{}",
            "[]",
            "plyscope",
            r#"{"plyscope-trace":"1"}"#,
            r#"{"plyscope-trace":0}"#,
            "\u{1b}[2J",
        ] {
            let told = told(line);
            assert!(told.starts_with("found \""), "{told}");
            assert!(!told.contains('\u{1b}'));
        }
    }

    #[test]
    fn values_are_in_steps() {
        let (header, bad) = read(
            r#"{"plyscope-trace":1,"value":{"unit":"win","view":"parent","step":0.0001,"range":[0,1],"infinite":2,"win":1.5}}"#,
        );
        let value = header.expect("a header").value;
        assert!(bad.is_empty());
        assert_eq!((value.unit.name(), value.view), ("win", View::Parent));
        assert_eq!(value.infinite, Value::whole(20_000).expect("a value"));
        assert_eq!(value.win, Value::whole(15_000));
        assert_eq!(value.range, Value::whole(0).zip(Value::whole(10_000)));
        let half = value.from_unit(0.57).expect("a value");
        assert_eq!(half.as_whole(), Some(5_700));
        assert!((value.expected(half).expect("a range") - 0.14).abs() < 1e-9);
    }

    #[test]
    fn each_bad_part_is_told_and_replaced() {
        let (header, bad) = read(
            r#"{"plyscope-trace":1,"engine":7,"order":"sideways","depth-step":0,"value":{"step":-1,"view":"mine","infinite":-5,"range":[1,0]},
                "reasons":[{"name":"a"},{"n":2},{"n":1,"name":"b"},{"n":256,"name":"c"},{"name":"d","numbers":[["x","miles"],"y"]},
                {"name":"e","numbers":["x","x"]},{"name":"f","numbers":["move"]}]}"#,
        );
        let header = header.expect("a header");
        assert_eq!(
            bad,
            [
                "value.step",
                "value.view",
                "value.infinite",
                "value.range",
                "engine",
                "order",
                "depth-step",
                "reasons[1]",
                "reasons[2]",
                "reasons[3]",
                "reasons[5]",
                "reasons[6]",
            ]
        );
        assert_eq!(header.value, ValueSpec::default());
        assert_eq!(header.reasons.len(), 2);
        let d = header.reason(5).expect("the fifth");
        assert_eq!(d.numbers.len(), 2);
        assert_eq!(header.reason_named("d"), Some(d));
    }
}
