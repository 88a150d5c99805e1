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
    /// Returns them as the words of the control channel, one filter each.
    pub fn words(&self) -> Vec<String> {
        let moves = self.path.iter().map(|name| one_word(name));
        let path: Vec<String> = moves.collect();
        [
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.from.map(|from| format!("from {from}")),
            self.ply.map(|ply| format!("ply {ply}")),
            self.key.map(|key| format!("key {key:016x}")),
            (!path.is_empty()).then(|| format!("path {}", path.join(" "))),
        ]
        .into_iter()
        .flatten()
        .collect()
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
    /// Writes them as in `PLYSCOPE_TRACE_LIMIT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join("; "))
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
            "nodes 1000; from 12; ply 3; key 0000000000000abc; path e2e4 e7e5quit"
        );
        assert_eq!(filters.words().len(), 5);
    }
}
