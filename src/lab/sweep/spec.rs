//! What is varied, as one types it, and the options of every variant.

use std::fmt;
use std::str::FromStr;

use super::variable::{Variable, is_named, variants};
use session::Config;
use studies::compare::ColumnSpec;
use text::quote;

/// The name of the variant that is as the algorithm is.
pub const BUILT_IN: &str = "built-in";

/// The options of all variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The options that name variables, as given.
    pub swept: Vec<String>,
    /// The names of the variants, what is built in first.
    pub names: Vec<String>,
    /// The options of each variant; those that name no variable are in all of them.
    pub options: Vec<Vec<String>>,
}

impl Tried {
    /// Puts every combination of values in the place of the variables' names.
    ///
    /// # Errors
    /// If there is no variable, one is given twice, or there are too many combinations.
    pub fn of(set: &[String], over: &[Variable]) -> Result<Tried, String> {
        let names_any = |pair: &String| over.iter().any(|v| is_named(pair, &v.name));
        let (swept, fixed): (Vec<String>, Vec<String>) = set.iter().cloned().partition(names_any);
        let all = variants(&swept, over)?;
        let options = all.iter().map(|v| [&fixed[..], &v.pairs].concat());
        Ok(Tried {
            options: std::iter::once(fixed.clone()).chain(options).collect(),
            names: { std::iter::once(BUILT_IN.to_owned()) }
                .chain(all.into_iter().map(|v| v.name))
                .collect(),
            swept,
        })
    }

    /// Says how many variants there are, without the one that is built in.
    pub fn counted(&self) -> String {
        match self.names.len() - 1 {
            1 => "1 variant".to_owned(),
            n => format!("{n} variants"),
        }
    }

    /// Returns a column for each variant.
    ///
    /// # Errors
    /// If an option is refused.
    pub fn columns(&self, base: &ColumnSpec) -> Result<Vec<ColumnSpec>, search::OptionError> {
        let with = |pairs: &Vec<String>| {
            let mut column = base.clone();
            if let ColumnSpec::Own(config) = &mut column {
                for pair in pairs {
                    config.options.set_pair(pair)?;
                }
            }
            Ok(column)
        };
        self.options.iter().map(with).collect()
    }

    /// Returns the keys of the options in which the variants differ from what is built in.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let fixed = &self.options[0];
        let first = self.options.get(1).into_iter().flatten();
        let own = first.filter(|pair| !fixed.contains(pair));
        own.filter_map(|pair| pair.split_once('=').map(|(key, _)| key.trim()))
    }
}

/// What is varied in one line, with the words of the command line: `-a distress --set backup=1-exp(-k*H) --over
/// k=0.5..3:0.5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// An algorithm, with its options.
    pub algorithm: String,
    pub set: Vec<String>,
    pub over: Vec<Variable>,
}

impl Spec {
    /// Returns the options of the variants, and a column for each.
    ///
    /// # Errors
    /// If there is no such algorithm, an option is refused, or there are too many variants.
    pub fn columns(&self, base: &Config) -> Result<(Tried, Vec<ColumnSpec>), String> {
        let column = ColumnSpec::parse(&self.algorithm, base)
            .map_err(|e| format!("-a {}: {e}", self.algorithm))?;
        let tried = Tried::of(&self.set, &self.over).map_err(|e| format!("--over: {e}"))?;
        let columns = tried.columns(&column).map_err(|e| e.to_string())?;
        Ok((tried, columns))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "-a {}", self.algorithm)?;
        for pair in &self.set {
            write!(f, " --set {pair}")?;
        }
        for variable in &self.over {
            write!(f, " --over {variable}")?;
        }
        Ok(())
    }
}

impl FromStr for Spec {
    type Err = String;

    /// Reads a line whose values may contain spaces and may stand in quotes.
    fn from_str(line: &str) -> Result<Spec, String> {
        let expected = "expected -a NAME --set KEY=FORMULA --over NAME=FROM..TO:STEP";
        let mut parts: Vec<(&str, String)> = Vec::new();
        for word in line.split_whitespace() {
            match (word, parts.last_mut()) {
                ("-a" | "--algorithm" | "--set" | "--over", _) => {
                    parts.push((word, String::new()));
                }
                (_, Some((_, value))) if value.is_empty() => word.clone_into(value),
                (_, Some((_, value))) => {
                    value.push(' ');
                    value.push_str(word);
                }
                (_, None) => return Err(format!("found {}, {expected}", quote(word))),
            }
        }
        let (mut algorithm, mut set, mut over) = (None, Vec::new(), Vec::new());
        for (flag, value) in &parts {
            let value = unquoted(value);
            match *flag {
                _ if value.is_empty() => return Err(format!("{flag}: found nothing, {expected}")),
                "--set" => set.push(value.to_owned()),
                "--over" => over.push(value.parse().map_err(|e| format!("--over: {e}"))?),
                _ if algorithm.is_some() => {
                    return Err(format!("found {flag} twice, expected it once"));
                }
                _ => algorithm = Some(value.to_owned()),
            }
        }
        Ok(Spec {
            algorithm: algorithm.ok_or_else(|| format!("found no algorithm, {expected}"))?,
            set,
            over,
        })
    }
}

/// The text without quotes around it.
fn unquoted(text: &str) -> &str {
    let inside = |mark| text.strip_prefix(mark)?.strip_suffix(mark);
    inside('\'').or_else(|| inside('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_on_the_command_line() {
        let line = "-a distress:leaf=static --set 'backup-us=1 - exp(-k*H)' --set tails=0.01 --over k=0.5..1:0.5";
        let spec: Spec = line.parse().expect("a sweep");
        assert_eq!(spec.algorithm, "distress:leaf=static");
        assert_eq!(spec.set, ["backup-us=1 - exp(-k*H)", "tails=0.01"]);
        assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
        let base = Config::new(algorithms::Algorithm::DEFAULT);
        let (tried, columns) = spec.columns(&base).expect("columns");
        assert_eq!(tried.names, [BUILT_IN, "k = 0.5", "k = 1"]);
        assert_eq!(tried.swept, ["backup-us=1 - exp(-k*H)"]);
        assert_eq!(tried.keys().collect::<Vec<_>>(), ["backup-us"]);
        assert_eq!(columns.len(), 3);
        assert!(
            columns[2].to_string().contains("backup-us=1 - exp(-1*H)"),
            "{}",
            columns[2]
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let base = Config::new(algorithms::Algorithm::DEFAULT);
        let said = |line: &str| {
            let spec = line.parse::<Spec>();
            spec.and_then(|spec| spec.columns(&base))
                .map(|_| ())
                .expect_err(line)
        };
        for (line, wrong) in [
            ("", "found no algorithm"),
            ("distress", "found \"distress\", expected -a NAME"),
            ("-a mcts -a mcts --over fpu=0,1", "found -a twice"),
            ("-a mcts --over", "--over: found nothing"),
            ("-a mcts --over fpu=a", "expected NAME=FROM..TO:STEP"),
            ("-a mcts", "--over: found no name with values"),
            ("-a nothing --over fpu=0,1", "-a nothing"),
            ("-a mcts --set select=k*R --over k=1", "\"R\""),
        ] {
            let said = said(line);
            assert!(said.contains(wrong), "{line}: {said}");
        }
    }
}
