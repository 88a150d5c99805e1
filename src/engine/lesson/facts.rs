//! What the screen shows of a search beside a lesson's text: only what the lesson has introduced.

/// A part of the screen that a lesson can leave out until it has introduced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The window of each node.
    Windows,
    /// The columns of the rows besides move and value: shares, nodes or visits, proofs, fates with their reasons.
    Columns,
    /// The inspector pane.
    Inspector,
    /// The search's state in the top bar: events, nodes, iterations, memory.
    Status,
}

impl Fact {
    pub const ALL: [(&'static str, Fact); 4] = [
        ("windows", Fact::Windows),
        ("columns", Fact::Columns),
        ("inspector", Fact::Inspector),
        ("status", Fact::Status),
    ];
}

/// A set of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts([bool; Fact::ALL.len()]);

impl Facts {
    /// Everything, which is what a lesson shows that says nothing about it.
    pub const ALL: Facts = Facts([true; Fact::ALL.len()]);
    /// Only moves and values.
    pub const VALUES: Facts = Facts([false; Fact::ALL.len()]);

    pub fn has(self, fact: Fact) -> bool {
        self.0[fact as usize]
    }

    pub fn add(&mut self, fact: Fact) {
        self.0[fact as usize] = true;
    }

    /// Returns the facts of both sets.
    #[must_use]
    pub fn with(mut self, other: Facts) -> Facts {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_added() {
        for (i, (name, fact)) in Fact::ALL.into_iter().enumerate() {
            assert_eq!(fact as usize, i, "{name}");
            let mut facts = Facts::VALUES;
            assert!(!facts.has(fact) && Facts::ALL.has(fact));
            facts.add(fact);
            assert!(facts.has(fact));
            assert_eq!(facts.with(Facts::VALUES), facts);
            assert_eq!(facts.with(Facts::ALL), Facts::ALL);
        }
    }
}
