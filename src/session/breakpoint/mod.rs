//! The language of breakpoints, which is also that of filters over events.
//!
//! ```text
//! breakpoint = all { "or" all }
//! all        = clause { ["and"] clause }
//! clause     = "on" KIND { "," KIND }
//!            | ( "at" | "under" | "changes" ) place
//!            | "when" condition
//!            | "not" clause
//!            | "(" breakpoint ")"
//! place      = '"' moves '"' | "'" moves "'" | move | "root"
//! condition  = both { "or" both }            both = negation { "and" negation }
//! negation   = "not" negation | comparison | "(" condition ")"
//! comparison = sum ( "<" | "<=" | ">" | ">=" | "=" | "!=" ) sum | "proven"
//! ```
//!
//! Sums are those of [`formula`], with the names in [`FIGURES`].
//!
//! A condition reaches as far as it can: `when a > 1 or b > 2 at "e4"` requires the place in both cases. Words may be
//! written in capitals. The words and their documentation are listed in [`KEYWORDS`], [`KINDS`], [`FIGURES`] and
//! [`SIGNS`].
//!
//! A breakpoint fires when something is new. What happens (`on`, `changes`, a figure that only an event has) is new
//! each time; a node's state (`when`) is new when it begins to hold at that node; a place by itself is new when the
//! search reaches it. Each of several alternatives (`or`) is judged separately.

mod complete;
mod condition;
mod facts;
mod matcher;
mod measure;
mod parse;
mod place;
mod reported;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;

/// Why a breakpoint was rejected, in one line.
pub use formula::ParseError as BreakpointError;

pub use complete::{Completion, complete};
pub use matcher::Matcher;
pub use measure::{Measure, NodePath, Predicate, Still};
pub use words::{EXAMPLES, FIGURES, Figure, FigureInfo, KEYWORDS, KINDS, KindWord, SIGNS, Word};

use crate::Subject;
use condition::{Condition, Edge};
use facts::Facts;
use place::NamedNode;
use search::Event;
use tree::Tree;

/// A breakpoint, as written and as parsed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    text: Arc<str>,
    parsed: Arc<Parsed>,
}

#[derive(Debug)]
struct Parsed {
    condition: Condition,
    alternatives: Vec<Alternative>,
    /// The number of places named.
    places: usize,
    /// The kinds of events at which it can fire, one bit each.
    kinds: u32,
    /// Whether places must be looked at after every event.
    watches: bool,
}

/// A part of a breakpoint that fires separately.
#[derive(Debug)]
struct Alternative {
    condition: Condition,
    edge: Edge,
    kinds: u32,
    /// The places that `changes` names.
    watched: Vec<NamedNode>,
}

impl Breakpoint {
    /// Parses a breakpoint. `subject` is the position at the tree's root, from which moves are played.
    ///
    /// # Errors
    /// Returns the first place that cannot be understood, with what was expected there.
    pub fn parse(text: &str, subject: &Subject) -> Result<Breakpoint, BreakpointError> {
        let mut parser = parse::Parser::new(text, subject);
        let condition = parser.read()?;
        Ok(Breakpoint {
            text: text.trim().into(),
            parsed: Arc::new(Parsed::new(condition, parser.places)),
        })
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the breakpoint in the language's canonical spelling: equal for breakpoints that say the same in the same
    /// order.
    pub fn canonical(&self) -> String {
        self.parsed.condition.to_string()
    }

    /// Returns a matcher that has not seen any event yet.
    pub fn matcher(&self) -> Matcher {
        Matcher::new(Arc::clone(&self.parsed))
    }

    /// Whether the event matches, regardless of earlier events; for use as a plain filter. Figures of nodes are read
    /// from the tree as it is now; `changes` matches every event that reports a change at its node.
    pub fn holds(&self, event: &Event, tree: &Tree) -> bool {
        if self.parsed.kinds & words::bit(event.kind()) == 0 {
            return false;
        }
        self.parsed.condition.holds(&mut Facts {
            event,
            tree,
            sights: None,
            missing: false,
            still: None,
        })
    }
}

impl Parsed {
    fn new(condition: Condition, places: usize) -> Parsed {
        let alternatives: Vec<Alternative> = match &condition {
            Condition::Any(conditions) => conditions.iter().map(Alternative::new).collect(),
            one => vec![Alternative::new(one)],
        };
        Parsed {
            kinds: condition.kinds(),
            watches: alternatives.iter().any(|a| !a.watched.is_empty()),
            condition,
            alternatives,
            places,
        }
    }
}

impl Alternative {
    fn new(condition: &Condition) -> Alternative {
        let mut watched = Vec::new();
        condition.watched(&mut watched);
        Alternative {
            edge: condition.edge(),
            kinds: condition.kinds(),
            watched: watched.into_iter().cloned().collect(),
            condition: condition.clone(),
        }
    }
}
