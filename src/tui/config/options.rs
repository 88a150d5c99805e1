//! `[options.NAME]`: with which options a search by an algorithm begins.
//!
//! ```toml
//! [options.formula]
//! select = "Q + P*sqrt(N)/(1 + n)"
//! back-up = "mean"
//! ```

use toml::de::{DeTable, DeValue};

use algorithms::Algorithm;
use search::Options;

/// The options of algorithms that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnOptions(Vec<(Algorithm, Options)>);

impl OwnOptions {
    /// Returns the options with which a search begins.
    pub fn of(&self, algorithm: Algorithm) -> Options {
        let own = self.0.iter().find(|(of, _)| *of == algorithm);
        own.map_or_else(|| algorithm.default_options(), |(_, own)| own.clone())
    }

    /// Reads the table of one algorithm. An error says what is wrong with its name; warnings come with their offsets.
    pub(super) fn read(
        &mut self,
        name: &str,
        value: &DeValue,
        warnings: &mut Vec<(usize, String)>,
    ) -> Result<(), String> {
        let algorithm: Algorithm = name.parse().map_err(|e| format!("options: {e}"))?;
        let DeValue::Table(table) = value else {
            let found = value.type_str();
            return Err(format!("options.{name}: found {found}, expected a table"));
        };
        let mut options = self.of(algorithm);
        for (key, value) in super::in_order(table) {
            let set = written(value.get_ref()).and_then(|text| {
                let set = options.set(key.get_ref(), &text);
                set.map_err(|e| e.to_string())
            });
            if let Err(what) = set {
                warnings.push((key.span().start, format!("options.{name}: {what}")));
            }
        }
        self.0.retain(|(of, _)| *of != algorithm);
        self.0.push((algorithm, options));
        Ok(())
    }
}

/// A value as it would be written after `--set key=`.
fn written(value: &DeValue) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Boolean(on) => Ok(if *on { "on" } else { "off" }.to_owned()),
        DeValue::Integer(number) => Ok(number.as_str().to_owned()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        other => Err(format!(
            "found {}, expected text or a number",
            other.type_str()
        )),
    }
}

/// Returns the tables of `[options]` with their algorithms' names.
pub(super) fn read_all(own: &mut OwnOptions, table: &DeTable, warnings: &mut Vec<(usize, String)>) {
    for (name, value) in super::in_order(table) {
        if let Err(what) = own.read(name.get_ref(), value.get_ref(), warnings) {
            warnings.push((name.span().start, what));
        }
    }
}
