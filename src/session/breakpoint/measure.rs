//! Numbers and claims about a paused search in the language of breakpoints: what a lesson asks and displays.
//!
//! ```text
//! measure = sum                                   claim = condition
//! factor  = … | FIGURE "of" place                 a node's own figure, its side to move's view
//!         | OWN "of" place                        a number that only its algorithm knows: see `AlgorithmInfo::figures`
//!         | "chance" "(" sum ")" "of" place       P(expected score > sum)
//!         | "quantile" "(" sum ")" "of" place     the expected score below which that share lies
//!         | "rank" "of" place                     1: the best of its siblings, as the explorer sorts them
//!         | "share" "of" place                    of its parent's children's visits
//!         | "count" "(" FATE [ "," place ] ")"    rows of that fate (or family of fates) below the place
//!         | "has" "(" FATE ")" "of" place         1 or 0, and a claim by itself
//!         | "leaves" | "total"                    leaves searched, and all nodes searched
//!         | "audited" | "wrong"                   prunings audited, and found wrong
//! ```
//!
//! A bare figure belongs to the event at which the search has paused.

use super::BreakpointError;
use super::condition::{Condition, Number};
use super::facts::Facts;
use super::parse::Parser;
use super::place::NamedNode;
use super::words::Figure;
use crate::{Reader, Subject};
use game::{Game as _, MoveCode};
use search::Event;
use text::quote;
use tree::{FATE_FAMILIES, FATES, FateFamily, NodeId, Tree, named_fates};

/// A number that can be read off a search.
#[derive(Clone, Debug)]
pub struct Measure {
    number: Number,
    text: String,
}

/// A claim that holds or does not hold for a search.
#[derive(Clone, Debug)]
pub struct Predicate {
    condition: Condition,
    text: String,
}

/// A node, or a move that has none, named by the moves to it from the root.
#[derive(Clone, Debug)]
pub struct NodePath(NamedNode);

/// A search that has paused.
#[derive(Clone, Debug)]
pub struct Still<'a> {
    pub reader: Reader<'a>,
    /// The event at which it paused.
    pub event: Option<Event>,
    /// Nodes searched, as counted by `--nodes`.
    pub nodes: u64,
    /// The number of audits and how many of them found a rule wrong; `None` if there are none.
    pub audited: Option<(u64, u64)>,
}

/// What a measure may ask beyond the node of one event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wide {
    Of(Figure, NamedNode),
    /// A number known only to the node's algorithm, by its name.
    Own(&'static str, NamedNode),
    Chance(Box<Number>, NamedNode),
    Quantile(Box<Number>, NamedNode),
    Rank(NamedNode),
    Share(NamedNode),
    /// Fates by name, one bit each.
    Count(Fates, Option<NamedNode>),
    Has(Fates, NamedNode),
    Leaves,
    Total,
    /// The number of audits, or of those that found a rule wrong.
    Audited {
        wrong: bool,
    },
}

/// A set of fates, by the name of one fate or of a family.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fates {
    pub name: &'static str,
    bits: u32,
}

impl Fates {
    /// Returns the fate or family of this name.
    pub fn named(name: &str) -> Option<Fates> {
        let family = FATE_FAMILIES.iter().find(|f| f.name == name);
        if let Some(family) = family {
            return Some(Fates {
                name: family.name,
                bits: FateFamily::bits(family),
            });
        }
        let kind = FATES.iter().position(|f| f.name == name)?;
        Some(Fates {
            name: FATES[kind].name,
            bits: 1 << kind,
        })
    }

    /// Returns all names.
    pub fn names() -> String {
        let families = FATE_FAMILIES.iter().map(|f| f.name);
        let names: Vec<&str> = named_fates().map(|(_, f)| f.name).chain(families).collect();
        names.join(", ")
    }

    fn has(&self, fate: tree::Fate) -> bool {
        self.bits >> fate.kind() & 1 == 1
    }
}

impl Measure {
    /// Parses a measure; `subject` is the position at the tree's root.
    ///
    /// # Errors
    /// Returns the first place that cannot be understood, with what was expected there.
    pub fn parse(text: &str, subject: &Subject) -> Result<Measure, BreakpointError> {
        let number = Parser::measuring(text, subject).read_number()?;
        let text = text.trim().to_owned();
        Ok(Measure { number, text })
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number, or `None` if a figure in it is missing.
    pub fn of(&self, still: &Still) -> Option<f64> {
        still.with_facts(|facts| self.number.value(facts))
    }

    /// Returns the number with bare figures read at a node, or `None` if such a figure is missing.
    pub fn at(&self, still: &Still, node: NodeId) -> Option<f64> {
        let event = own_figures(still.reader.tree, node);
        let there = Still {
            event: Some(event),
            ..*still
        };
        self.of(&there)
    }
}

impl Predicate {
    /// Parses a claim; see [`Measure::parse`].
    ///
    /// # Errors
    /// Returns the same errors as [`Measure::parse`].
    pub fn parse(text: &str, subject: &Subject) -> Result<Predicate, BreakpointError> {
        let condition = Parser::measuring(text, subject).read_truth()?;
        let text = text.trim().to_owned();
        Ok(Predicate { condition, text })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the claim holds; a claim about a missing figure does not.
    pub fn holds(&self, still: &Still) -> bool {
        still
            .with_facts(|facts| Some(self.condition.holds(facts)))
            .unwrap_or(false)
    }

    /// Whether the claim holds with bare figures read at a node.
    pub fn holds_at(&self, still: &Still, node: NodeId) -> bool {
        let event = own_figures(still.reader.tree, node);
        self.holds(&Still {
            event: Some(event),
            ..*still
        })
    }
}

impl NodePath {
    /// Parses a place: moves, or nothing (or `root`) for the root, with or without quotation marks.
    ///
    /// # Errors
    /// Returns the first word that is not a move there.
    pub fn parse(text: &str, subject: &Subject) -> Result<NodePath, BreakpointError> {
        let text = text.trim();
        let inner = text
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'))
            .unwrap_or(text);
        let moves = match inner.trim() {
            word if word.eq_ignore_ascii_case(super::parse::ROOT) => "",
            moves => moves,
        };
        let line = subject.read_line(moves).map_err(|e| BreakpointError {
            column: e.column.unwrap_or(1),
            found: e.found,
            expected: e.expected,
            meant: None,
        })?;
        Ok(NodePath(NamedNode {
            moves: line.moves.into(),
            text: line.text,
            slot: 0,
        }))
    }

    /// Returns the moves in the usual notation; empty at the root.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns its node, or `None` if the tree has none.
    pub fn node(&self, tree: &Tree) -> Option<NodeId> {
        find(tree, &self.0)
    }

    /// Returns its parent's node and the move, or `None` at the root and where the parent is not in the tree.
    pub fn row(&self, tree: &Tree) -> Option<(NodeId, MoveCode)> {
        let (&last, before) = self.0.moves.split_last()?;
        Some((follow(tree, before)?, last))
    }
}

fn follow(tree: &Tree, moves: &[MoveCode]) -> Option<NodeId> {
    let step = |id, &m: &MoveCode| tree.child_by_move(id, m);
    moves.iter().try_fold(Tree::ROOT, step)
}

fn find(tree: &Tree, place: &NamedNode) -> Option<NodeId> {
    follow(tree, &place.moves)
}

/// Returns an event that reports nothing but the node's own state.
fn own_figures(tree: &Tree, node: NodeId) -> Event {
    let proof = tree.node(node).proof();
    Event::Prove { node, proof }
}

impl Still<'_> {
    fn with_facts<R>(&self, ask: impl FnOnce(&mut Facts) -> Option<R>) -> Option<R> {
        // Without an event, bare figures belong to the root.
        let event = self
            .event
            .clone()
            .unwrap_or_else(|| own_figures(self.reader.tree, Tree::ROOT));
        ask(&mut Facts {
            event: &event,
            tree: self.reader.tree,
            sights: None,
            missing: false,
            still: Some(self),
        })
    }

    fn belief(&self, place: &NamedNode) -> Option<crate::NodeBelief> {
        self.reader.belief(find(self.reader.tree, place)?)
    }
}

impl Wide {
    /// Returns the number, or `None` if there is no such node or figure, or if only an event is known.
    pub fn of(&self, facts: &mut Facts) -> Option<f64> {
        let still = facts.still?;
        let tree = still.reader.tree;
        match self {
            Wide::Of(figure, place) => {
                let event = own_figures(tree, find(tree, place)?);
                let mut there = Facts {
                    event: &event,
                    tree,
                    sights: None,
                    missing: false,
                    still: Some(still),
                };
                there.known(*figure)
            }
            Wide::Own(name, place) => still.reader.figure(find(tree, place)?, name),
            Wide::Chance(above, place) => {
                let above = above.value(facts)? as f32;
                Some(chance(&still.belief(place)?, above, tree.grid()).into())
            }
            Wide::Quantile(share, place) => {
                let share = share.value(facts)? as f32;
                let shown = still.belief(place)?;
                Some(shown.quantile(share, tree.grid()).into())
            }
            Wide::Rank(place) => {
                let (&last, before) = place.moves.split_last()?;
                let rows = still.reader.rows_best_first(follow(tree, before)?);
                let rank = rows.iter().position(|row| row.move_code == last)?;
                Some((rank + 1) as f64)
            }
            Wide::Share(place) => {
                let node = find(tree, place)?;
                let visits = |id| f64::from(tree.node(id).visits());
                let all: f64 = tree.children(tree.node(node).parent()).map(visits).sum();
                (all > 0.0).then(|| visits(node) / all)
            }
            Wide::Count(fates, place) => {
                let top = match place {
                    Some(place) => find(tree, place)?,
                    None => Tree::ROOT,
                };
                Some(count(still.reader, top, fates) as f64)
            }
            Wide::Has(fates, place) => Some(f64::from(u8::from(has(still.reader, place, fates)?))),
            Wide::Leaves => Some(leaves(still.reader) as f64),
            Wide::Total => Some(still.nodes as f64),
            Wide::Audited { wrong } => {
                let (tried, failed) = still.audited?;
                Some(if *wrong { failed } else { tried } as f64)
            }
        }
    }
}

/// Returns P(value > above), linear within bins.
fn chance(shown: &crate::NodeBelief, above: f32, grid: &belief::Grid) -> f32 {
    if !shown.is_distribution() {
        return f32::from(u8::from(shown.mean > above));
    }
    let edges = grid.edges();
    let mut mass = 0.0;
    for (bin, p) in shown.density.0.iter().enumerate().take(belief::BINS) {
        let (low, high) = (edges[bin], edges[bin + 1]);
        let inside = if high > low {
            ((high - above) / (high - low)).clamp(0.0, 1.0)
        } else {
            f32::from(u8::from(high > above))
        };
        mass += p * inside;
    }
    mass
}

/// Counts the rows below a node that have one of the fates.
fn count(reader: Reader, top: NodeId, fates: &Fates) -> usize {
    let mut found = 0;
    let mut open = vec![top];
    while let Some(node) = open.pop() {
        if reader.tree.node(node).child_count() > 0 {
            let rows = reader.fates(node);
            found += rows.iter().filter(|(_, fate)| fates.has(*fate)).count();
            open.extend(reader.tree.children(node));
        }
    }
    found
}

fn has(reader: Reader, place: &NamedNode, fates: &Fates) -> Option<bool> {
    let Some((&last, before)) = place.moves.split_last() else {
        return Some(fates.has(reader.tree.node(Tree::ROOT).fate()));
    };
    let parent = follow(reader.tree, before)?;
    let rows = reader.fates(parent);
    let (_, fate) = rows.iter().find(|(code, _)| *code == last)?;
    Some(fates.has(*fate))
}

/// Counts the leaves that were searched: in a toy tree those of the file, elsewhere the nodes without children.
fn leaves(reader: Reader) -> usize {
    let tree = reader.tree;
    // A search that grows its tree also looks at inner nodes of the file that it does not open.
    let is_inner = |id| {
        let is_toy = reader.subject.position.as_toy().is_some();
        is_toy
            && reader
                .situation(id)
                .is_some_and(|at| at.position.has_moves())
    };
    let mut found = 0;
    let mut open = vec![Tree::ROOT];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        if node.child_count() > 0 {
            open.extend(tree.children(id));
        } else if node.visits() > 0 && !node.fate().is_skip() && !is_inner(id) {
            found += 1;
        }
    }
    found
}

/// Returns the error for an unknown fate.
pub(super) fn no_fate(column: u32, found: &str) -> BreakpointError {
    BreakpointError {
        column,
        found: quote(found),
        expected: format!("one of: {}", Fates::names()),
        meant: None,
    }
}

impl Wide {
    /// Whether it is a claim by itself.
    pub fn is_flag(&self) -> bool {
        matches!(self, Wide::Has(..))
    }
}
