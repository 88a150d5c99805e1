//! What the screen shows of a search beside a lesson's text: only what the lesson has introduced.

/// A part of the screen that a lesson can leave out until it has introduced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Windows,
    Work,
    Fates,
    Depths,
    Beliefs,
    Policy,
    Proofs,
    BackUp,
    Allocation,
    Rules,
    Inspector,
    Log,
    Status,
}

/// A row of the table of facts.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub fact: Fact,
    /// The word for it in `shows:` and `adds:`.
    pub name: &'static str,
    /// The words of a measure that read it. A lesson that prints such a number must show the fact too.
    reads: &'static [&'static str],
    /// Whether the screen has it as a number, which is hidden while a question asks for it.
    is_figure: bool,
}

const fn row(fact: Fact, name: &'static str, reads: &'static [&'static str]) -> Entry {
    Entry {
        fact,
        name,
        reads,
        is_figure: false,
    }
}

const fn figure(fact: Fact, name: &'static str, reads: &'static [&'static str]) -> Entry {
    Entry {
        is_figure: true,
        ..row(fact, name, reads)
    }
}

impl Fact {
    /// All facts, in the order of the enumeration.
    pub const ALL: [Entry; 13] = [
        // The window of each node, in a drawing and in the inspector.
        row(Fact::Windows, "windows", &["alpha", "beta"]),
        // How much was searched: shares, nodes or visits in the rows, in a drawing, and in the inspector.
        row(Fact::Work, "work", &["visits", "nodes", "share", "total"]),
        // What became of each row, and why: the letter and the reason.
        row(Fact::Fates, "fates", &["sentence", "count"]),
        // Iterations, and the plies that were left.
        row(Fact::Depths, "depths", &["depth", "iteration"]),
        // Distributions: strips and spreads in the rows, the plot and the quantiles in the inspector.
        row(
            Fact::Beliefs,
            "beliefs",
            &["sd", "chance", "quantile", "r_opt_sd", "r_pick_sd"],
        ),
        // Priors, and the policy that follows from beliefs.
        figure(Fact::Policy, "policy", &["policy"]),
        // What is proven: the column of the rows.
        row(Fact::Proofs, "proofs", &["lower", "upper", "proven"]),
        // How the algorithm backed up a belief, in the inspector.
        figure(
            Fact::BackUp,
            "back-up",
            &["r_opt", "r_pick", "blend", "entropy", "choices"],
        ),
        // By what the next visit chooses, in the inspector.
        figure(
            Fact::Allocation,
            "allocation",
            &["score", "bonus", "information", "part", "urgency"],
        ),
        // How often each rule was applied, and what the static evaluation sees, in the inspector.
        row(Fact::Rules, "rules", &[]),
        row(Fact::Inspector, "inspector", &[]),
        row(Fact::Log, "log", &[]),
        // The search's state in the top bar: events, nodes, iterations, memory.
        row(Fact::Status, "status", &[]),
    ];

    /// Returns the words for all facts, for messages.
    pub fn names() -> String {
        Fact::ALL.map(|entry| entry.name).join(", ")
    }

    pub fn name(self) -> &'static str {
        Fact::ALL[self as usize].name
    }
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

    /// Returns the facts that are in this set and not in the other.
    #[must_use]
    pub fn without(mut self, other: Facts) -> Facts {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own &= !other;
        }
        self
    }

    /// Returns the facts that a measure's text reads.
    pub fn read_by(measure: &str) -> Facts {
        let mut facts = Facts::VALUES;
        // Places are in quotation marks, and their moves are no words of the language.
        let outside = measure.split('"').step_by(2);
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let words: Vec<&str> = outside.flat_map(|part| part.split(|c| !word(c))).collect();
        for entry in Fact::ALL {
            if entry.reads.iter().any(|read| words.contains(read)) {
                facts.add(entry.fact);
            }
        }
        facts
    }

    /// Returns those that the screen has as numbers.
    #[must_use]
    pub fn figures(self) -> Facts {
        let mut facts = Facts::VALUES;
        for entry in Fact::ALL {
            if entry.is_figure && self.has(entry.fact) {
                facts.add(entry.fact);
            }
        }
        facts
    }

    pub fn iter(self) -> impl Iterator<Item = Fact> {
        let all = Fact::ALL.into_iter().map(|entry| entry.fact);
        all.filter(move |fact| self.has(*fact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_added() {
        for (i, entry) in Fact::ALL.into_iter().enumerate() {
            let fact = entry.fact;
            assert_eq!(fact as usize, i, "{}", entry.name);
            let mut facts = Facts::VALUES;
            assert!(!facts.has(fact) && Facts::ALL.has(fact));
            facts.add(fact);
            assert!(facts.has(fact));
            assert_eq!(facts.iter().collect::<Vec<_>>(), [fact]);
            assert_eq!(facts.with(Facts::VALUES), facts);
            assert_eq!(facts.with(Facts::ALL), Facts::ALL);
            assert!(!Facts::ALL.without(facts).has(fact));
        }
    }

    #[test]
    fn a_measure_reads_what_its_words_say() {
        let read = |text: &str| Facts::read_by(text).iter().collect::<Vec<_>>();
        assert_eq!(read("31.5 * expected of root"), []);
        assert_eq!(read("-value of \"A nodes\""), [], "a name is not a word");
        assert_eq!(
            read("policy of \"A\" * sqrt(visits of root)"),
            [Fact::Work, Fact::Policy]
        );
        assert_eq!(read("r_opt_sd of \"N\""), [Fact::Beliefs]);
        let figures = Facts::read_by("score of \"A\" + visits of root").figures();
        assert_eq!(figures.iter().collect::<Vec<_>>(), [Fact::Allocation]);
    }
}
