//! What a program is asked to leave out of its trace.

use std::fmt;

/// Which part of a search is sent. What is left out is still counted: an event has the same number whatever is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Only the first nodes, and what closes them.
    pub nodes: Option<u64>,
    /// Nothing before this iteration.
    pub from: Option<u32>,
    /// Nothing deeper than this.
    pub ply: Option<u32>,
    /// Only below the position with this key.
    pub key: Option<u64>,
    /// Nothing beside or below other moves than these.
    pub path: Vec<String>,
}

impl Filters {
    /// Returns them as words of the control channel, one filter each. A filter that is not set is `None`.
    fn words(&self) -> [(&'static str, Option<String>); 5] {
        let moves: Vec<String> = self.path.iter().map(|name| one_word(name)).collect();
        [
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("from", self.from.map(|from| from.to_string())),
            ("ply", self.ply.map(|ply| ply.to_string())),
            ("key", self.key.map(|key| format!("{key:016x}"))),
            ("path", (!moves.is_empty()).then(|| moves.join(" "))),
        ]
    }

    /// Returns the lines that make a program use these filters and no others: a filter without a value ends.
    pub fn lines(&self) -> Vec<String> {
        let line = |(word, value): (&str, Option<String>)| match value {
            Some(value) => format!("{word} {value}"),
            None => word.to_owned(),
        };
        self.words().map(line).to_vec()
    }

    pub fn is_empty(&self) -> bool {
        *self == Filters::default()
    }
}

/// A move's name comes from the program; a space, a semicolon or the end of a line in it would begin another word.
fn one_word(name: &str) -> String {
    let keeps = |c: &char| !c.is_whitespace() && !c.is_control() && *c != ';';
    name.chars().filter(keeps).collect()
}

impl fmt::Display for Filters {
    /// Writes them as in `PLYSCOPE_TRACE_LIMIT`. The path is the last: it goes on to the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = self.words().into_iter();
        let set = set.filter_map(|(word, value)| Some(format!("{word} {}", value?)));
        f.write_str(&set.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_words() {
        assert!(Filters::default().is_empty());
        assert_eq!(Filters::default().to_string(), "");
        let filters = Filters {
            nodes: Some(1_000),
            from: Some(12),
            ply: Some(3),
            key: Some(0xabc),
            path: vec!["e2e4".to_owned(), "e7\ne5 ;quit".to_owned()],
        };
        assert_eq!(
            filters.to_string(),
            "nodes 1000 from 12 ply 3 key 0000000000000abc path e2e4 e7e5quit"
        );
        let ply = Filters {
            ply: Some(3),
            ..Filters::default()
        };
        assert_eq!(ply.lines(), ["nodes", "from", "ply 3", "key", "path"]);
    }
}
