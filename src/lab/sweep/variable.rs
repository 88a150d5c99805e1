//! Names in options, the numbers that take their place, and the variants that follow.

use std::fmt;
use std::str::FromStr;

use text::quote;

/// The maximum number of variants.
pub const MOST: usize = 64;

/// A name in options, and the numbers that take its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub values: Vec<f64>,
}

/// Options in which every variable has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Such as `k = 0.5`.
    pub name: String,
    /// `KEY=VALUE`.
    pub pairs: Vec<String>,
}

impl fmt::Display for Variable {
    /// Writes the values one by one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        write!(f, "{}={}", self.name, values.join(","))
    }
}

impl FromStr for Variable {
    type Err = String;

    /// Parses `k=0.5..3:0.5` (from, to, step) or `k=0.5,1,2`.
    fn from_str(text: &str) -> Result<Variable, String> {
        let expected = || {
            format!(
                "found {}, expected NAME=FROM..TO:STEP or NAME=A,B,… such as k=0.5..3:0.5",
                quote(text)
            )
        };
        let (name, values) = text.split_once('=').ok_or_else(expected)?;
        let name = name.trim();
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !begins || !name.chars().all(is_of_name) {
            return Err(expected());
        }
        let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
        let values = match values.split_once("..") {
            None => values.split(',').map(number).collect::<Option<Vec<f64>>>(),
            Some((from, rest)) => rest.split_once(':').and_then(|(to, step)| {
                let (from, to, step) = (number(from)?, number(to)?, number(step)?);
                steps(from, to, step)
            }),
        };
        let values = values.ok_or_else(expected)?;
        let name = name.to_owned();
        Ok(Variable { name, values })
    }
}

/// The numbers from one to another; `None` if there are none or too many.
fn steps(from: f64, to: f64, step: f64) -> Option<Vec<f64>> {
    // A step too few by rounding alone is none too few.
    let count = ((to - from) / step + 1e-9).floor();
    let fits = step > 0.0 && (0.0..MOST as f64).contains(&count);
    // The decimals of the step, so that 0.1 three times is 0.3.
    let rounded = |x: f64| (x * 1e9).round() / 1e9;
    fits.then(|| {
        (0..=count as u32)
            .map(|i| rounded(from + f64::from(i) * step))
            .collect()
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Whether an option's text names a variable.
pub(super) fn is_named(pair: &str, variable: &str) -> bool {
    substituted(pair, variable, 0.0) != pair
}

/// The option with a number in place of a name, after the `=`.
fn substituted(pair: &str, variable: &str, value: f64) -> String {
    let Some((key, text)) = pair.split_once('=') else {
        return pair.to_owned();
    };
    let of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let number = match value < 0.0 {
        // Not a second sign behind another, except where the number is the whole value.
        true if text.trim() != variable => format!("({value})"),
        _ => value.to_string(),
    };
    let mut out = format!("{key}=");
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match rest.strip_prefix(variable) {
            Some(after) if !after.starts_with(of_word) => {
                out.push_str(&number);
                rest = after;
                continue;
            }
            _ if of_word(first) => rest.find(|c| !of_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// Every variant of options that name variables. A variable that no option names is itself the key of one.
///
/// # Errors
/// If there is no variable, one is given twice, or there are more than [`MOST`] variants.
pub(super) fn variants(pairs: &[String], variables: &[Variable]) -> Result<Vec<Variant>, String> {
    let mut pairs = pairs.to_vec();
    for (i, variable) in variables.iter().enumerate() {
        if variables[..i].iter().any(|v| v.name == variable.name) {
            return Err(format!("found {} twice, expected it once", variable.name));
        }
        if !pairs.iter().any(|pair| is_named(pair, &variable.name)) {
            pairs.push(format!("{0}={0}", variable.name));
        }
    }
    let count: usize = variables.iter().map(|v| v.values.len()).product();
    if variables.is_empty() {
        return Err("found no name with values, expected at least one".to_owned());
    }
    if count > MOST {
        return Err(format!("found {count} variants, expected 1 to {MOST}"));
    }
    let mut all = vec![Variant {
        name: String::new(),
        pairs,
    }];
    for variable in variables {
        let with = |variant: &Variant, value: f64| Variant {
            name: [
                variant.name.as_str(),
                &format!("{} = {value}", variable.name),
            ]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", "),
            pairs: { variant.pairs.iter() }
                .map(|pair| substituted(pair, &variable.name, value))
                .collect(),
        };
        all = { all.iter() }
            .flat_map(|variant| variable.values.iter().map(|value| with(variant, *value)))
            .collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        text.parse::<Variable>().expect(text).values
    }

    #[test]
    fn variables_are_read() {
        assert_eq!(values("k=0.5..3:0.5"), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(values("k=0..0.3:0.1"), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(values("leaf-depth=1, 2,5"), [1.0, 2.0, 5.0]);
        assert_eq!(values("k=-1..1:2"), [-1.0, 1.0]);
        let k: Variable = "k=0..1:0.5".parse().expect("three");
        assert_eq!(k.to_string(), "k=0,0.5,1");
        for wrong in [
            "",
            "k",
            "k=",
            "k=a",
            "=1",
            "1k=1",
            "k=1..2",
            "k=2..1:1",
            "k=1..2:0",
            "k=1..2:-1",
            "k=0..1000:1",
            "k=NaN",
            "k=1,,2",
            "k=0..inf:1",
        ] {
            let said = wrong.parse::<Variable>().expect_err(wrong);
            assert!(said.contains("expected NAME=FROM..TO:STEP"), "{said}");
        }
    }

    #[test]
    fn a_name_is_replaced_where_it_is_a_whole_word_of_a_value() {
        let put = |pair: &str, value| substituted(pair, "k", value);
        assert_eq!(put("backup-us=1-exp(-k*H)", 0.5), "backup-us=1-exp(-0.5*H)");
        assert_eq!(put("k=k", 2.0), "k=2");
        assert_eq!(put("a=ak+k1+k.+k", 2.0), "a=ak+k1+k.+2");
        assert_eq!(put("a=2-k", -1.5), "a=2-(-1.5)");
        assert_eq!(put("bias= k", -1.5), "bias= -1.5");
        assert_eq!(put("a=ä·k", 1.0), "a=ä·1");
    }

    #[test]
    fn every_pair_of_values_is_a_variant() {
        let of = |pairs: &[&str], variables: &[&str]| {
            let pairs: Vec<String> = pairs.iter().map(|p| (*p).to_owned()).collect();
            let variables: Vec<Variable> = variables.iter().map(|v| v.parse().expect(v)).collect();
            variants(&pairs, &variables)
        };
        let two = of(&["x=a*b", "y=1"], &["a=1,2", "b=3,4"]).expect("four");
        let names: Vec<&str> = two.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "a = 1, b = 3",
                "a = 1, b = 4",
                "a = 2, b = 3",
                "a = 2, b = 4"
            ]
        );
        assert_eq!(two[1].pairs, ["x=1*4", "y=1"]);
        let key = of(&[], &["leaf-depth=1,2"]).expect("two");
        assert_eq!(key[1].pairs, ["leaf-depth=2"]);
        for (wrong, said) in [
            (of(&[], &["a=1", "a=2"]), "twice"),
            (of(&[], &[]), "at least one"),
            (of(&[], &["a=1..9:1", "b=1..9:1"]), "found 81 variants"),
        ] {
            let wrong = wrong.expect_err(said);
            assert!(wrong.contains(said), "{wrong}");
        }
    }
}
