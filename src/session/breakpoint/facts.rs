//! The figures of one event and of the node at which it happened.

use super::measure::Still;
use super::place::{Finder, NamedNode, ply};
use super::words::Figure;
use crate::reader::live;
use game::{Scale, Score};
use search::{Event, EventKind};
use tree::{Family, Fate, Node, NodeId, Proof, Tree, Value, Window, told_depth};

/// What a matcher remembers of a place.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub finder: Finder,
    /// `changes`: the figures after the previous event; `None` before the first.
    pub figures: Option<Figures>,
    /// `changes`: whether this event changed the figures.
    pub changed: bool,
}

impl Sight {
    pub fn new() -> Sight {
        Sight {
            finder: Finder::new(),
            figures: None,
            changed: false,
        }
    }

    /// Looks at the place after an event.
    pub fn look(&mut self, place: &NamedNode, tree: &Tree) {
        let now = match self.finder.node(place, tree) {
            Some(id) => Figures::of(tree, id),
            None => Figures::default(),
        };
        self.changed = self.figures.is_some_and(|before| before != now);
        self.figures = Some(now);
    }
}

/// The figures that `changes` compares. A node that has not been searched yet has the same figures as a missing one.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Figures {
    value: Option<Score>,
    expected: Option<f32>,
    fate: Fate,
    proof: Option<Proof>,
    children: u16,
    belief: Option<belief::Cdf>,
}

impl Figures {
    fn of(tree: &Tree, id: NodeId) -> Figures {
        let node = tree.node(id);
        let view = tree.live_view(id);
        if view.fate == Fate::Unvisited && view.children == 0 {
            return Figures::default();
        }
        Figures {
            value: view.window.map(|w| w.value),
            expected: view.expected,
            fate: view.fate,
            proof: Some(node.proof()),
            children: view.children,
            belief: tree.live_belief(id),
        }
    }
}

/// One event and its tree, as a condition queries them.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub event: &'a Event,
    pub tree: &'a Tree,
    /// What is remembered about the breakpoint's places; `None` if it is used without memory.
    pub sights: Option<&'a mut [Sight]>,
    /// Whether a figure was needed that is missing.
    pub missing: bool,
    /// The search, if it has paused so that measures may look at all of it.
    pub still: Option<&'a Still<'a>>,
}

impl Facts<'_> {
    #[inline]
    pub fn is_below(&mut self, place: &NamedNode) -> bool {
        let (event, tree) = (self.event, self.tree);
        match &mut self.sights {
            Some(sights) => {
                let finder = &mut sights[place.slot].finder;
                finder.is_above(place, tree, event.node()) || place.is_pruned_by(event, tree)
            }
            None => place.is_above(event, tree),
        }
    }

    /// Whether the figures at the place have changed. Without memory: whether the event reports a change at the place.
    #[inline]
    pub fn has_changed(&self, place: &NamedNode) -> bool {
        match &self.sights {
            Some(sights) => sights[place.slot].changed,
            None => {
                let told = !matches!(
                    self.event.kind(),
                    EventKind::Iteration
                        | EventKind::IterationDone
                        | EventKind::Pass
                        | EventKind::Enter
                        | EventKind::Prune
                        | EventKind::Best
                );
                told && place.is_of(self.event, self.tree)
                    || place.is_pruned_by(self.event, self.tree)
            }
        }
    }

    /// Like [`Facts::figure`], but remembers that a figure was missing.
    #[inline]
    pub fn known(&mut self, figure: Figure) -> Option<f64> {
        let value = self.figure(figure);
        self.missing |= value.is_none();
        value
    }

    /// Returns a number of the reason that the event carries, as another program declared it.
    pub fn declared(&mut self, name: &str) -> Option<f64> {
        let number = self
            .event
            .fate()
            .and_then(|fate| self.tree.number_of(fate, name));
        let number = number.and_then(|number| match number {
            Value::Score(score) => Some(units(self.tree.scale(), score)),
            Value::Margin(margin) => Some(units(self.tree.scale(), Score::new(margin.into()))),
            Value::Plies(n) | Value::Count(n) => Some(n.into()),
            Value::Probability(of_65535) => Some(f64::from(of_65535) / 65535.0),
            Value::Number(number) | Value::Wide(number) => Some(number),
            Value::Flag(yes) => Some(f64::from(u8::from(yes))),
            _ => None,
        });
        self.missing |= number.is_none();
        number
    }

    /// Returns a figure: the event's own if it has one, otherwise its node's. See [`super::words::FIGURES`] for units
    /// and viewpoint.
    fn figure(&self, figure: Figure) -> Option<f64> {
        let score = |s: Score| units(self.tree.scale(), s);
        let expected = |s: Score| f64::from(self.tree.scale().expected(s));
        match figure {
            Figure::Visits => Some(f64::from(self.node().visits())),
            Figure::Nodes => Some(self.node().nodes() as f64),
            Figure::Children => Some(f64::from(self.node().child_count())),
            Figure::Ply => Some(ply(self.tree, self.event.node()) as f64),
            Figure::Depth => self.depth(),
            Figure::Iteration => self.iteration(),
            Figure::Alpha => self.alpha().map(score),
            Figure::Beta => self.beta().map(score),
            Figure::Value => self.wide().or_else(|| self.value().map(score)),
            Figure::Static => self.static_value().map(score),
            Figure::Margin => self.margin(),
            Figure::Expected => self.expected(),
            Figure::Before => match *self.event {
                Event::BackUp { before, .. } => before.map(|e| f64::from(e.mean)),
                _ => None,
            },
            Figure::Sd => self.sd(),
            Figure::Policy => self
                .best_first(|node| node.policy())
                .filter(|_| !self.is_root()),
            Figure::Urgency => self.best_first(Node::urgency),
            Figure::Lower => Some(expected(self.proof().lower)),
            Figure::Upper => Some(expected(self.proof().upper)),
            Figure::Proven => Some(f64::from(u8::from(self.proof().is_certain()))),
            Figure::Moves => self.moves(),
            Figure::Searched => self.searched(),
            Figure::Failed => match *self.event {
                Event::Audit { failed, .. } => Some(f64::from(u8::from(failed))),
                _ => None,
            },
        }
    }

    fn node(&self) -> &Node {
        self.tree.node(self.event.node())
    }

    fn is_root(&self) -> bool {
        self.event.node() == Tree::ROOT
    }

    fn best_first(&self, figure: impl Fn(&Node) -> f32) -> Option<f64> {
        (self.tree.family() == Family::BestFirst).then(|| f64::from(figure(self.node())))
    }

    /// Depth-first: returns the latest window of a node that the search has left before.
    fn window(&self) -> Option<Window> {
        self.tree.live_view(self.event.node()).window
    }

    fn depth(&self) -> Option<f64> {
        if self.tree.family() == Family::BestFirst {
            return None;
        }
        Some(match *self.event {
            Event::Iteration { depth } | Event::IterationDone { depth, .. } => depth.into(),
            Event::Enter { depth, .. } | Event::Try { depth, .. } => told_depth(depth)?.into(),
            _ => self.window()?.plies_left()?.into(),
        })
    }

    fn iteration(&self) -> Option<f64> {
        if self.tree.family() == Family::BestFirst {
            return None;
        }
        match *self.event {
            Event::Iteration { depth } | Event::IterationDone { depth, .. } => Some(depth.into()),
            _ => match self.node().static_and_iteration().1 {
                0 => None,
                iteration => Some(iteration.into()),
            },
        }
    }

    /// Returns a score of the fate that the event reports, by its name in the table of fates.
    #[inline]
    fn told_score(&self, name: &str) -> Option<Score> {
        self.event.fate()?.score(name)
    }

    fn alpha(&self) -> Option<Score> {
        match *self.event {
            Event::Enter { alpha, .. } | Event::Ask { alpha, .. } | Event::Pass { alpha, .. } => {
                Some(alpha)
            }
            _ => (self.told_score("alpha")).or_else(|| self.window().map(|w| w.alpha)),
        }
    }

    fn beta(&self) -> Option<Score> {
        match *self.event {
            Event::Enter { beta, .. } | Event::Ask { beta, .. } | Event::Pass { beta, .. } => {
                Some(beta)
            }
            _ => (self.told_score("beta")).or_else(|| self.window().map(|w| w.beta)),
        }
    }

    /// A value that another program leaves a node with, where no integer score stands for it.
    fn wide(&self) -> Option<f64> {
        match self.event {
            Event::Leave { node, .. } => self.tree.wide(*node),
            _ => None,
        }
    }

    fn value(&self) -> Option<Score> {
        let told = match *self.event {
            Event::Evaluate { value, .. }
            | Event::Answer { value, .. }
            | Event::Tried { value, .. }
            | Event::Audit { value, .. } => Some(value),
            Event::End { score, .. }
            | Event::Leave { score, .. }
            | Event::IterationDone { score, .. } => Some(score),
            Event::Cut {
                fate: Fate::StandPat { static_value, .. },
                ..
            } => Some(static_value),
            Event::Cut { .. } | Event::TableHit { .. } => self.told_score("value"),
            _ => None,
        };
        told.or_else(|| {
            let view = live(self.tree, self.event.node());
            let scale = self.tree.scale();
            view.score.or_else(|| view.expected.map(|e| scale.score(e)))
        })
    }

    fn static_value(&self) -> Option<Score> {
        match *self.event {
            Event::Evaluate { value, .. } => Some(value),
            _ => (self.told_score("static"))
                .or_else(|| self.tree.live_view(self.event.node()).static_value),
        }
    }

    fn margin(&self) -> Option<f64> {
        match self.tree.number_of(self.event.fate()?, "margin")? {
            Value::Margin(margin) => Some(units(self.tree.scale(), Score::new(margin.into()))),
            _ => None,
        }
    }

    fn expected(&self) -> Option<f64> {
        match *self.event {
            Event::BackUp { after, .. } => Some(after.mean.into()),
            _ => live(self.tree, self.event.node()).expected.map(f64::from),
        }
    }

    fn sd(&self) -> Option<f64> {
        let told = match *self.event {
            Event::Evaluate { sd, .. } => sd,
            Event::BackUp { after, .. } => after.sd,
            _ => None,
        };
        let stored = || {
            let belief = self.tree.live_belief(self.event.node())?;
            Some(belief.sd(self.tree.grid()))
        };
        told.or_else(stored).map(f64::from)
    }

    fn proof(&self) -> Proof {
        match *self.event {
            Event::Prove { proof, .. } => proof,
            _ => self.node().proof(),
        }
    }

    fn moves(&self) -> Option<f64> {
        match *self.event {
            Event::Expand { moves, .. } => Some(moves.into()),
            _ => count(self.node().fate(), "moves"),
        }
    }

    fn searched(&self) -> Option<f64> {
        let fate = self.event.fate().unwrap_or_else(|| self.node().fate());
        count(fate, "searched")
    }
}

#[inline]
fn count(fate: Fate, name: &str) -> Option<f64> {
    match fate.number(name)? {
        Value::Count(n) => Some(n.into()),
        _ => None,
    }
}

/// Converts a score to the unit of the language: centipawns, or the toy tree's own unit. Wins and losses stay integers
/// that contain their distance, and open windows are infinite.
fn units(scale: Scale, score: Score) -> f64 {
    match (score, scale) {
        (Score::MIN, _) => f64::NEG_INFINITY,
        (Score::MAX, _) => f64::INFINITY,
        (_, Scale::Linear(_)) if !score.is_decided() => scale.units(score).into(),
        _ => score.raw().into(),
    }
}
