//! Sweeps: numbers in an algorithm's options are varied, and every variant is judged on the same positions.
//!
//! The variant that looks best does so by chance as well, the more so the more are tried. So it is chosen on one half of the
//! positions and judged on the other, always against what is built in; and intervals over all variants are widened for their
//! number (Bonferroni).

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::statistics::{moments, two_sided};
use studies::suite::{Answers, Outcome};
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
pub fn is_named(pair: &str, variable: &str) -> bool {
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
pub fn variants(pairs: &[String], variables: &[Variable]) -> Result<Vec<Variant>, String> {
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
    if variables.is_empty() || count > MOST {
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

/// What makes one search of a position better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// It solves the position (bm, am, dm).
    Solved,
    /// The points of its move (c0), as a share of the most.
    Points,
    /// The CRPS of its belief, which is better the lower it is.
    Belief,
}

impl Judge {
    pub const ALL: [Judge; 3] = [Judge::Solved, Judge::Points, Judge::Belief];

    pub const fn name(self) -> &'static str {
        match self {
            Judge::Solved => "solved",
            Judge::Points => "points",
            Judge::Belief => "belief",
        }
    }

    /// The heading of its figures.
    pub const fn heading(self) -> &'static str {
        match self {
            Judge::Solved => "solved",
            Judge::Points => "points",
            Judge::Belief => "CRPS",
        }
    }

    /// The figure of an outcome; `None` if the position has none of this kind or the column failed.
    fn figure(self, outcome: &Outcome, possible: Option<u32>) -> Option<f64> {
        match self {
            Judge::Solved => outcome.solved.map(|solved| f64::from(u8::from(solved))),
            Judge::Points => Some(f64::from(outcome.points?) / f64::from(possible?.max(1))),
            Judge::Belief => outcome.crps,
        }
    }

    /// +1 if more is better, -1 if less is.
    pub const fn sign(self) -> f64 {
        match self {
            Judge::Solved | Judge::Points => 1.0,
            Judge::Belief => -1.0,
        }
    }
}

/// The figures of all variants by position, the first one being what is built in.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub judge: Judge,
    /// The names of the variants.
    pub names: Vec<String>,
    /// The number of each position that every variant answered, and the variants' figures there.
    pub positions: Vec<(usize, Vec<f64>)>,
}

/// How much more the figures of one variant are than those of what is built in, over the same positions, with an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    pub value: f64,
    /// `None` if there are too few positions.
    pub interval: Option<(f64, f64)>,
}

/// One variant over all positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub mean: f64,
    /// With an interval widened for the number of variants; `None` for what is built in.
    pub gain: Option<Gain>,
}

/// A variant that was chosen on one half of the positions and judged on the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The best variant on the first half; `None` if nothing beats what is built in there.
    pub variant: Option<usize>,
    /// The positions used for choosing, and those kept back.
    pub positions: (usize, usize),
    /// The mean figure of the variant and of what is built in, on those kept back.
    pub means: (f64, f64),
    /// Between these two, at 95 %.
    pub gain: Gain,
}

impl Sweep {
    /// The figures that the judge reads from a suite's answers.
    pub fn of(judge: Judge, names: Vec<String>, answers: &[Answers]) -> Sweep {
        let row = |a: &Answers| {
            let figures = a.columns.iter().map(|o| judge.figure(o, a.possible));
            Some((a.number, figures.collect::<Option<Vec<f64>>>()?))
        };
        let positions = answers.iter().filter_map(row).collect();
        Sweep {
            judge,
            names,
            positions,
        }
    }

    /// Every variant over all positions; empty without positions.
    pub fn rows(&self) -> Vec<Row> {
        let all: Vec<&[f64]> = self.positions.iter().map(|(_, row)| &row[..]).collect();
        let z = two_sided(0.05 / (self.names.len() - 1).max(1) as f64);
        let row = |variant: usize| {
            Some(Row {
                mean: mean(&all, variant)?,
                gain: (variant > 0).then(|| gain(&all, variant, z)).flatten(),
            })
        };
        (0..self.names.len()).filter_map(row).collect()
    }

    /// The variant that is best on the positions with odd numbers, judged on the others; `None` if one of the halves is empty.
    pub fn chosen(&self) -> Option<Chosen> {
        let half = |odd: bool| -> Vec<&[f64]> {
            let of = self.positions.iter();
            of.filter(|(number, _)| (number % 2 == 1) == odd)
                .map(|(_, row)| &row[..])
                .collect()
        };
        let (first, second) = (half(true), half(false));
        let better = |variant: usize| Some(self.judge.sign() * mean(&first, variant)?);
        let mut best = (better(0)?, 0);
        for variant in 1..self.names.len() {
            let here = better(variant)?;
            // The first of those that are level.
            if here > best.0 + 1e-12 {
                best = (here, variant);
            }
        }
        let variant = best.1;
        Some(Chosen {
            variant: (variant > 0).then_some(variant),
            positions: (first.len(), second.len()),
            means: (mean(&second, variant)?, mean(&second, 0)?),
            gain: gain(&second, variant, two_sided(0.05))?,
        })
    }
}

fn mean(rows: &[&[f64]], variant: usize) -> Option<f64> {
    let figures: Vec<f64> = rows.iter().map(|row| row[variant]).collect();
    moments(&figures).map(|(mean, _)| mean)
}

fn gain(rows: &[&[f64]], variant: usize, z: f64) -> Option<Gain> {
    let gains: Vec<f64> = rows.iter().map(|row| row[variant] - row[0]).collect();
    let (value, sd) = moments(&gains)?;
    let half = sd.map(|sd| z * sd / (gains.len() as f64).sqrt());
    Some(Gain {
        value,
        interval: half.map(|half| (value - half, value + half)),
    })
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
            (of(&[], &[]), "1 to 64"),
            (of(&[], &["a=1..9:1", "b=1..9:1"]), "found 81 variants"),
        ] {
            let wrong = wrong.expect_err(said);
            assert!(wrong.contains(said), "{wrong}");
        }
    }

    fn sweep(judge: Judge, rows: &[[f64; 3]]) -> Sweep {
        Sweep {
            judge,
            names: ["built-in", "a", "b"].map(str::to_owned).to_vec(),
            positions: { rows.iter().enumerate() }
                .map(|(i, row)| (i + 1, row.to_vec()))
                .collect(),
        }
    }

    /// By hand: on odd positions the means are 0, 1/2 and 1, on even ones 1/2, 1 and 0.
    #[test]
    fn a_variant_is_chosen_on_one_half_and_judged_on_the_other() {
        let rows = [
            [0.0, 1.0, 1.0],
            [1.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 1.0, 0.0],
        ];
        let chosen = sweep(Judge::Solved, &rows).chosen().expect("halves");
        assert_eq!((chosen.variant, chosen.positions), (Some(2), (2, 2)));
        assert_eq!((chosen.means, chosen.gain.value), ((0.0, 0.5), -0.5));
        // -1 and 0: sd .70711, error .5, and 1.96 of these.
        let (low, high) = chosen.gain.interval.expect("two positions");
        assert!((low + 1.479_98).abs() < 1e-4 && (high - 0.479_98).abs() < 1e-4);
        let less = sweep(Judge::Belief, &rows).chosen().expect("halves");
        assert_eq!((less.variant, less.gain.value), (None, 0.0));
        assert_eq!(sweep(Judge::Solved, &rows[..1]).chosen(), None);
    }

    /// By hand: of -1, 0, 1, 1 the mean is .25 and the error .478714; for two variants the interval takes 2.2414 of it.
    #[test]
    fn intervals_are_widened_for_the_number_of_variants() {
        let rows = [
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        let rows = sweep(Judge::Solved, &rows).rows();
        assert_eq!(
            (rows[0].mean, rows[1].mean, rows[0].gain),
            (0.25, 0.5, None)
        );
        let gain = rows[1].gain.expect("a gain");
        let (low, high) = gain.interval.expect("an interval");
        assert_eq!(gain.value, 0.25);
        assert!((high - low - 2.0 * 2.241_40 * 0.478_714).abs() < 1e-4);
        assert!(sweep(Judge::Solved, &[]).rows().is_empty());
    }
}
