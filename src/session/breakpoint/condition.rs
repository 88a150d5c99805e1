//! The condition of a breakpoint after parsing.

use std::fmt;

use super::facts::Facts;
use super::measure::Wide;
use super::place::NamedNode;
use super::words::{ALL_KINDS, Figure, KindWord, WITH_FATE, bit};
use crate::legality::Rules;
use formula::{Comparison, Expression, Given};
use search::EventKind;
use tree::Fate;

/// A condition on one event and the tree in which it happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    On(Kinds),
    At(NamedNode),
    Under(NamedNode),
    Changes(NamedNode),
    /// A figure that is a condition by itself.
    Flag(Figure),
    /// A number that is a condition by itself: it holds if the number is not 0.
    Holds(Number),
    Compare(Number, Comparison, Number),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// A set of kinds of events and of fates.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Kinds {
    names: Vec<&'static str>,
    kinds: u32,
    fates: u32,
    /// Reasons that another program declared, by their names.
    declared: Vec<&'static str>,
    unexplained: bool,
    illegal: bool,
    /// The rules that illegal moves are against. To ask them takes some microseconds at a node.
    rules: Option<Rules>,
}

/// A number in a condition.
pub(super) type Number = Expression<Quantity, Condition>;

/// What the name of a number stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Figure(Figure),
    /// A number of a reason that another program declared.
    Declared(&'static str),
    /// Allowed only in measures.
    Wide(Box<Wide>),
}

impl Kinds {
    /// Adds a word; `rules` are those of the game that is searched.
    pub fn add(&mut self, word: &KindWord, rules: impl FnOnce() -> Option<Rules>) {
        if !self.names.contains(&word.name) {
            self.names.push(word.name);
            self.kinds |= word.kinds;
            self.fates |= word.fates;
            self.unexplained |= word.unexplained;
            if word.illegal {
                self.illegal = true;
                self.rules = rules();
            }
        }
    }

    /// Adds a reason that another program declared.
    pub fn add_declared(&mut self, name: &'static str) {
        if !self.names.contains(&name) {
            self.names.push(name);
            self.declared.push(name);
        }
    }

    #[inline]
    fn has(&self, facts: &Facts) -> bool {
        let event = facts.event;
        if self.kinds & bit(event.kind()) != 0 {
            return true;
        }
        if self.unexplained
            && event.kind() == EventKind::Leave
            && facts.tree.unexplained(event.node()).is_some()
        {
            return true;
        }
        if let Some(rules) = &self.rules {
            let found = match event.kind() {
                EventKind::Enter => rules.forbid(facts.tree, event.node()),
                EventKind::Expand => rules.forbid_any_at(facts.tree, event.node()),
                _ => false,
            };
            if found {
                return true;
            }
        }
        let has = |fate: Fate| {
            self.fates >> fate.meant() & 1 == 1
                || matches!(fate, Fate::Told { .. }) && self.declared.contains(&fate.name())
        };
        (self.fates != 0 || !self.declared.is_empty()) && event.fate().is_some_and(has)
    }

    /// Returns its fates, one bit each, if it names nothing else.
    pub fn only_fates(&self) -> Option<u32> {
        let nothing_else =
            self.kinds == 0 && self.declared.is_empty() && !self.unexplained && !self.illegal;
        nothing_else.then_some(self.fates)
    }

    /// Returns the kinds of events that it can name.
    fn reach(&self) -> u32 {
        let by_fate = self.fates != 0 || !self.declared.is_empty();
        let with_fate = if by_fate { WITH_FATE } else { 0 };
        let left = if self.unexplained {
            bit(EventKind::Leave)
        } else {
            0
        };
        let made = match self.illegal {
            true => bit(EventKind::Enter) | bit(EventKind::Expand),
            false => 0,
        };
        self.kinds | with_fate | left | made
    }
}

/// When a condition that holds makes the breakpoint fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// At every event: the condition asks for something that happens.
    Event,
    /// Unless it held at the same node when that node was last seen: the condition asks for a node's state.
    Node,
    /// Unless it held at the event before: the condition asks where the search is.
    Search,
}

impl Condition {
    /// Joins conditions that must all hold, the cheapest to evaluate first.
    pub fn all(conditions: Vec<Condition>) -> Condition {
        let mut flat = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match condition {
                Condition::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        flat.sort_by_key(Condition::cost);
        single(flat, Condition::All)
    }

    pub fn any(conditions: Vec<Condition>) -> Condition {
        let mut flat = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match condition {
                Condition::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        single(flat, Condition::Any)
    }

    fn cost(&self) -> u8 {
        match self {
            Condition::On(_) => 0,
            Condition::Changes(_) => 1,
            Condition::At(_) => 2,
            Condition::Under(_) => 3,
            Condition::Flag(_) | Condition::Holds(_) | Condition::Compare(..) => 4,
            Condition::Not(inner) => inner.cost(),
            Condition::All(inner) | Condition::Any(inner) => {
                inner.iter().map(Condition::cost).max().unwrap_or(0)
            }
        }
    }

    pub fn holds(&self, facts: &mut Facts) -> bool {
        match self {
            Condition::On(kinds) => kinds.has(facts),
            Condition::At(place) => place.is_of(facts.event, facts.tree),
            Condition::Under(place) => facts.is_below(place),
            Condition::Changes(place) => facts.has_changed(place),
            Condition::Flag(figure) => facts.known(*figure).is_some_and(|v| v != 0.0),
            Condition::Holds(number) => number.value(facts).is_some_and(|v| v != 0.0),
            Condition::Compare(a, comparison, b) => match (a.value(facts), b.value(facts)) {
                (Some(a), Some(b)) => comparison.holds(a, b),
                _ => false,
            },
            Condition::Not(inner) => !inner.holds(facts),
            Condition::All(inner) => inner.iter().all(|c| c.holds(facts)),
            Condition::Any(inner) => inner.iter().any(|c| c.holds(facts)),
        }
    }

    /// Returns the kinds of events at which the condition can hold at all.
    pub fn kinds(&self) -> u32 {
        match self {
            Condition::On(kinds) => kinds.reach(),
            Condition::At(_) | Condition::Under(_) | Condition::Changes(_) => ALL_KINDS,
            Condition::Flag(figure) => told_by(*figure),
            Condition::Holds(number) => kinds(number),
            Condition::Compare(a, _, b) => kinds(a) & kinds(b),
            Condition::Not(inner) => match &**inner {
                Condition::On(kinds) if kinds.reach() == kinds.kinds => ALL_KINDS & !kinds.kinds,
                _ => ALL_KINDS,
            },
            Condition::All(inner) => inner.iter().fold(ALL_KINDS, |k, c| k & c.kinds()),
            Condition::Any(inner) => inner.iter().fold(0, |k, c| k | c.kinds()),
        }
    }

    pub fn edge(&self) -> Edge {
        match self {
            Condition::On(_) | Condition::Changes(_) => Edge::Event,
            Condition::At(_) | Condition::Under(_) => Edge::Search,
            _ if self.kinds() != ALL_KINDS && self.is_figures() => Edge::Event,
            Condition::Flag(_) | Condition::Holds(_) | Condition::Compare(..) => Edge::Node,
            Condition::Not(inner) => inner.edge(),
            Condition::All(inner) | Condition::Any(inner) => {
                let edges = inner.iter().map(Condition::edge);
                edges.fold(Edge::Search, |a, b| match (a, b) {
                    (Edge::Event, _) | (_, Edge::Event) => Edge::Event,
                    (Edge::Node, _) | (_, Edge::Node) => Edge::Node,
                    _ => Edge::Search,
                })
            }
        }
    }

    fn is_figures(&self) -> bool {
        matches!(self, Condition::Flag(_) | Condition::Compare(..))
    }

    /// Collects the places that must be looked at after every event.
    pub fn watched<'a>(&'a self, places: &mut Vec<&'a NamedNode>) {
        match self {
            Condition::Changes(place) => places.push(place),
            Condition::Not(inner) => inner.watched(places),
            Condition::All(inner) | Condition::Any(inner) => {
                inner.iter().for_each(|c| c.watched(places));
            }
            _ => {}
        }
    }
}

fn single(mut conditions: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
    if conditions.len() == 1 {
        conditions.swap_remove(0)
    } else {
        join(conditions)
    }
}

fn told_by(figure: Figure) -> u32 {
    figure.info().only.map_or(ALL_KINDS, bit)
}

impl Given<Quantity, Condition> for Facts<'_> {
    fn number(&mut self, quantity: &Quantity) -> Option<f64> {
        match quantity {
            Quantity::Figure(figure) => self.known(*figure),
            Quantity::Declared(name) => self.declared(name),
            Quantity::Wide(wide) => wide.of(self),
        }
    }

    fn holds(&mut self, condition: &Condition) -> Option<bool> {
        Some(condition.holds(self))
    }
}

/// Returns the kinds of events at which a number can be known.
fn kinds(number: &Number) -> u32 {
    match number {
        Number::Named(Quantity::Figure(figure)) => told_by(*figure),
        Number::Named(Quantity::Declared(_)) => WITH_FATE,
        // One of the two numbers may be known where the other is not.
        Number::Constant(_) | Number::Named(Quantity::Wide(_)) | Number::If(..) => ALL_KINDS,
        Number::Negated(inner) | Number::Absolute(inner) => kinds(inner),
        Number::Join(a, _, b) => kinds(a) & kinds(b),
        Number::Call(_, numbers) => numbers.iter().fold(ALL_KINDS, |k, n| k & kinds(n)),
    }
}

/// Writes the condition so that it can be parsed again, with no more parentheses than necessary. In the alternate form
/// it is that of an `if`, where `when` is understood.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = f.alternate();
        let when = if bare { "" } else { "when " };
        match self {
            Condition::On(kinds) => write!(f, "on {}", kinds.names.join(",")),
            Condition::At(place) => write!(f, "at {place}"),
            Condition::Under(place) => write!(f, "under {place}"),
            Condition::Changes(place) => write!(f, "changes {place}"),
            Condition::Flag(figure) => write!(f, "{when}{}", figure.info().name),
            Condition::Holds(number) => write!(f, "{when}{number}"),
            Condition::Compare(a, comparison, b) => {
                write!(f, "{when}{a} {} {b}", comparison.name())
            }
            Condition::Not(inner) => {
                f.write_str("not ")?;
                inner.write_within(
                    f,
                    matches!(**inner, Condition::All(_) | Condition::Any(_)),
                    bare,
                )
            }
            Condition::All(inner) => join(f, inner, if bare { " and " } else { " " }, bare),
            Condition::Any(inner) => join(f, inner, " or ", bare),
        }
    }
}

impl Condition {
    fn write_within(
        &self,
        f: &mut fmt::Formatter<'_>,
        parentheses: bool,
        bare: bool,
    ) -> fmt::Result {
        match (parentheses, bare) {
            (true, true) => write!(f, "({self:#})"),
            (true, false) => write!(f, "({self})"),
            (false, true) => write!(f, "{self:#}"),
            (false, false) => write!(f, "{self}"),
        }
    }
}

fn join(
    f: &mut fmt::Formatter<'_>,
    conditions: &[Condition],
    between: &str,
    bare: bool,
) -> fmt::Result {
    for (i, condition) in conditions.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        condition.write_within(f, matches!(condition, Condition::Any(_)), bare)?;
    }
    Ok(())
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Figure(figure) => f.write_str(figure.info().name),
            Quantity::Declared(name) => f.write_str(name),
            // Measures are displayed as the user wrote them.
            Quantity::Wide(wide) => write!(f, "{wide:?}"),
        }
    }
}
