//! Reads the parameters of a call by name and type.

use std::time::Duration;

use serde_json::{Map, Value};

use super::message::{RpcError, WRONG_PARAMETERS, kind};
use search::quantity;
use text::{nearest, quote};

/// The parameters of one call.
#[derive(Clone, Debug)]
pub struct Parameters(Map<String, Value>);

type Read<T> = Result<Option<T>, RpcError>;

impl Parameters {
    /// Takes the parameters if each has one of the names in `known`.
    ///
    /// # Errors
    /// Names the first that is unknown, and what was probably meant.
    pub fn new(
        map: Map<String, Value>,
        known: &[(&'static str, &'static str)],
    ) -> Result<Parameters, RpcError> {
        let names = || known.iter().map(|(name, _)| *name);
        if let Some(unknown) = map.keys().find(|key| !names().any(|name| name == *key)) {
            let meant = nearest(unknown, names());
            let meant = meant.map_or_else(String::new, |m| format!(" (did you mean {m}?)"));
            let all: Vec<&str> = names().collect();
            let expected = match all.as_slice() {
                [] => "no parameters".to_owned(),
                all => format!("one of: {}", all.join(", ")),
            };
            let found = quote(unknown);
            return Err(RpcError::new(
                WRONG_PARAMETERS,
                format!("unknown parameter {found}{meant}, expected {expected}"),
            ));
        }
        Ok(Parameters(map))
    }

    /// Takes parameters of any name.
    pub fn unchecked(map: Map<String, Value>) -> Parameters {
        Parameters(map)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn read<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Read<T> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let why = || format!("found {}, expected {expected}", kind(value));
        read(value)
            .map(Some)
            .ok_or_else(|| RpcError::parameter(name, why()))
    }

    /// # Errors
    /// If it is no text. (All of these say what was found and what was expected.)
    pub fn text(&self, name: &str) -> Read<String> {
        self.read(name, "a text", |v| v.as_str().map(str::to_owned))
    }

    /// A line of moves: one text, or a list of moves.
    ///
    /// # Errors
    /// If it is neither.
    pub fn line(&self, name: &str) -> Read<String> {
        let list = self.texts_or(name, "moves in a text or a list", |text| {
            vec![text.to_owned()]
        })?;
        Ok(list.map(|list| list.join(" ")))
    }

    /// A list of texts, or a single one.
    ///
    /// # Errors
    /// If it is neither.
    pub fn texts(&self, name: &str) -> Read<Vec<String>> {
        self.texts_or(name, "a list of texts", |text| vec![text.to_owned()])
    }

    fn texts_or(
        &self,
        name: &str,
        expected: &str,
        split: impl FnOnce(&str) -> Vec<String>,
    ) -> Read<Vec<String>> {
        self.read(name, expected, |value| match value {
            Value::String(text) => Some(split(text)),
            Value::Array(list) => list
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect(),
            _ => None,
        })
    }

    /// # Errors
    /// If it is neither true nor false.
    pub fn flag(&self, name: &str) -> Result<bool, RpcError> {
        Ok(self.optional_flag(name)?.unwrap_or(false))
    }

    /// # Errors
    /// If it is neither true nor false.
    pub fn optional_flag(&self, name: &str) -> Read<bool> {
        self.read(name, "true or false", Value::as_bool)
    }

    /// Whether it is there.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is none, or not in the range.
    pub fn whole(&self, name: &str, least: u64, most: u64) -> Read<u64> {
        let expected = match most {
            u64::MAX => format!("a whole number from {least} on"),
            most => format!("a whole number from {least} to {most}"),
        };
        self.read(name, &expected, |v| {
            v.as_u64().filter(|n| (least..=most).contains(n))
        })
    }

    /// A count as a number or as on the command line (`"500k"`).
    ///
    /// # Errors
    /// If it is neither.
    pub fn count(&self, name: &str) -> Read<u64> {
        match self.get(name) {
            Some(Value::String(text)) => amount(name, text, quantity::count),
            _ => self.whole(name, 1, u64::MAX),
        }
    }

    /// A size in bytes as a number or as on the command line (`"512M"`).
    ///
    /// # Errors
    /// If it is neither.
    pub fn size(&self, name: &str) -> Read<u64> {
        match self.get(name) {
            Some(Value::String(text)) => amount(name, text, quantity::size),
            Some(value) => amount(name, &value.to_string(), quantity::size),
            None => Ok(None),
        }
    }

    /// A duration as on the command line (`"500ms"`).
    ///
    /// # Errors
    /// If it is none.
    pub fn duration(&self, name: &str) -> Read<Duration> {
        match self.get(name) {
            Some(Value::String(text)) => amount(name, text, quantity::duration),
            _ => self.read(name, "a duration such as \"500ms\" or \"10s\"", |_| None),
        }
    }

    /// A number of seconds.
    ///
    /// # Errors
    /// If it is none, or not in the range.
    pub fn seconds(&self, name: &str, most: f64) -> Read<Duration> {
        let expected = format!("a number of seconds from 0 to {most}");
        self.read(name, &expected, |v| {
            v.as_f64()
                .filter(|s| (0.0..=most).contains(s))
                .map(Duration::from_secs_f64)
        })
    }

    /// A number.
    ///
    /// # Errors
    /// If it is none, or not in the range.
    pub fn number(&self, name: &str, least: f64, most: f64) -> Read<f64> {
        let expected = format!("a number from {least} to {most}");
        self.read(name, &expected, |v| {
            v.as_f64().filter(|n| (least..=most).contains(n))
        })
    }

    /// An object of texts, numbers and switches, as texts.
    ///
    /// # Errors
    /// If it is none, or a value is something else.
    pub fn settings(&self, name: &str) -> Read<Vec<(String, String)>> {
        self.read(name, "an object of texts, numbers, true and false", |v| {
            let text = |v: &Value| match v {
                Value::String(text) => Some(text.clone()),
                Value::Number(_) | Value::Bool(_) => Some(v.to_string()),
                _ => None,
            };
            let pairs = v.as_object()?.iter();
            pairs
                .map(|(key, v)| Some((key.clone(), text(v)?)))
                .collect()
        })
    }

    /// One of some words.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)]) -> Read<T> {
        let names: Vec<&str> = words.iter().map(|w| w.0).collect();
        let expected = format!("one of: {}", names.join(", "));
        self.read(name, &expected, |v| {
            let found = v.as_str()?;
            words.iter().find(|w| w.0 == found).map(|w| w.1)
        })
    }
}

fn amount<T>(name: &str, text: &str, read: fn(&str) -> Result<T, String>) -> Read<T> {
    read(text)
        .map(Some)
        .map_err(|expected| RpcError::parameter(name, format!("found {}, {expected}", quote(text))))
}

/// Says that a parameter is missing.
pub fn missing(name: &str, expected: &str) -> RpcError {
    RpcError::parameter(name, format!("found nothing, expected {expected}"))
}
