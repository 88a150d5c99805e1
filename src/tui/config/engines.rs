//! `[engines]`: external engines by name.
//!
//! ```toml
//! [engines]
//! stockfish = "stockfish"
//! lc0 = { command = "lc0 --weights=x", lines = 3, patience = 60, options = { Hash = 256, Threads = 2 } }
//! mine = { command = "/home/me/engine", trace = true }
//! ```

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use external::{EngineSpec, Patience, Tracing};

/// Reads one entry. An error says what is wrong, without its place; warnings come with their offsets.
pub(super) fn read(
    name: &str,
    value: &DeValue,
    warnings: &mut Vec<(usize, String)>,
) -> Result<EngineSpec, String> {
    let table = match value {
        DeValue::String(command) => return named(name, command),
        DeValue::Table(table) => table,
        other => {
            let kind = other.type_str();
            return Err(format!(
                "{name}: found {kind}, expected a command or a table with one"
            ));
        }
    };
    let command = match table.get("command").map(Spanned::get_ref) {
        Some(DeValue::String(command)) => command,
        Some(other) => {
            let kind = other.type_str();
            return Err(format!("{name}: command: found {kind}, expected text"));
        }
        None => return Err(format!("{name}: found no command, expected one")),
    };
    let mut spec = named(name, command)?;
    for (key, value) in super::in_order(table) {
        let key = (key.get_ref().as_ref(), key.span().start);
        if let Err(what) = entry(&mut spec, key.0, value, warnings) {
            warnings.push((key.1, format!("{name}: {what}")));
        }
    }
    Ok(spec)
}

fn named(name: &str, command: &str) -> Result<EngineSpec, String> {
    let spec = EngineSpec::parse(command).map_err(|e| format!("{name}: {e}"))?;
    Ok(EngineSpec {
        name: name.to_owned(),
        ..spec
    })
}

fn entry(
    spec: &mut EngineSpec,
    key: &str,
    value: &Spanned<DeValue>,
    warnings: &mut Vec<(usize, String)>,
) -> Result<(), String> {
    let value = value.get_ref();
    match (key, value) {
        ("command", _) => {}
        ("lines", value) => spec.lines = super::whole(value, 1..=500)? as u16,
        ("patience", value) => {
            let seconds = super::whole(value, 1..=3600)?;
            spec.patience = Patience {
                ready: Duration::from_secs(seconds),
                idle: Duration::from_secs(seconds),
                ..spec.patience
            };
        }
        ("trace", DeValue::Boolean(on)) => spec.trace = on.then(Tracing::default),
        ("trace", other) => {
            let kind = other.type_str();
            return Err(format!("trace: found {kind}, expected true or false"));
        }
        ("options", DeValue::Table(options)) => {
            spec.options = read_options(&spec.name, options, warnings);
        }
        ("options", other) => {
            let kind = other.type_str();
            return Err(format!("options: found {kind}, expected a table"));
        }
        (other, _) => return Err(format!("unknown key \"{other}\" passed over")),
    }
    Ok(())
}

fn read_options(
    engine: &str,
    options: &DeTable,
    warnings: &mut Vec<(usize, String)>,
) -> Vec<(String, String)> {
    let mut read = Vec::new();
    for (name, value) in super::in_order(options) {
        let value = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(yes) => yes.to_string(),
            DeValue::Integer(_) => match super::integer(value.get_ref()) {
                Some(number) => number.to_string(),
                None => continue,
            },
            DeValue::Float(number) => number.as_str().to_owned(),
            other => {
                let (name, kind) = (name.get_ref(), other.type_str());
                let what = format!("{engine}: {name}: found {kind}, expected text or a number");
                warnings.push((value.span().start, what));
                continue;
            }
        };
        read.push((name.get_ref().to_string(), value));
    }
    read
}
