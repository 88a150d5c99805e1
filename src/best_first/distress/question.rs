//! What a leaf's search is asked: the window that its place in the tree hands down, and where its value seems to lie outside
//! of that, first a null-window question whose answer is only a bound.

use crate::leaf_value::LeafValue;
use belief::Answer;
use eval::Evaluator;
use game::{Game, MoveCode, Scale, Score};
use search::common::context::Context;
use search::common::leaf::Leaf;
use search::{Event, Interrupt, LeafVisit, Options, Probe};
use tree::{Bound, Fate, Node, NodeId};

/// A window from the view of the side to move.
pub(super) type Window = (Score, Score);

pub(super) const OPEN: Window = (Score::MIN, Score::MAX);

/// Which siblings on the way to a leaf narrow the window of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Windows {
    Path,
    Siblings,
    Open,
}

impl Windows {
    pub fn new(options: &Options) -> Windows {
        match options.word("windows") {
            "siblings" => Windows::Siblings,
            "open" => Windows::Open,
            _ => Windows::Path,
        }
    }

    /// The window of the child at `place`, from its own view, when its parent has `(alpha, beta)`: it has to beat the best
    /// of its siblings, the favourite less a margin, since falling behind matters as well.
    pub fn hand_down(self, children: &[Node], place: usize, window: Window) -> Window {
        /// Centipawns.
        const MARGIN: i32 = 30;
        /// In logits; beyond that a sibling is as good as decided, and what would beat it is not known.
        const FAR: f32 = 8.0;
        let (alpha, beta) = match self {
            Windows::Path => window,
            Windows::Siblings => OPEN,
            Windows::Open => return OPEN,
        };
        let others = children.iter().enumerate().filter(|(i, c)| {
            *i != place && c.belief() != 0 && !c.is_excluded() && c.favour().abs() <= FAR
        });
        let best = others.map(|(_, c)| c.favour()).reduce(f32::max);
        let mut alpha = alpha;
        if let Some(best) = best {
            let ahead = children[place].favour() >= best;
            let least = centipawns(best) - if ahead { MARGIN } else { 0 };
            alpha = alpha.max(Score::new(least));
        }
        if alpha >= beta {
            alpha = below(beta);
        }
        (-beta, -alpha)
    }
}

/// Mean logit as centipawns.
pub(super) fn centipawns(favour: f32) -> i32 {
    (favour * Scale::CENTIPAWNS_A_LOGIT) as i32
}

/// The score just below another one.
pub(super) fn below(score: Score) -> Score {
    Score::from_raw(score.raw().saturating_sub(1))
}

/// What a leaf's search was asked and what it said, from the view of the leaf's side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub value: Score,
    pub answer: Answer,
    /// The window that it rests on.
    pub window: Window,
    pub depth: u8,
}

impl Found {
    pub fn new(value: Score, window: Window, depth: u8) -> Found {
        let answer = match value {
            v if v <= window.0 => Answer::AtMost,
            v if v >= window.1 => Answer::AtLeast,
            _ => Answer::Exact,
        };
        Found {
            value,
            answer,
            window,
            depth,
        }
    }

    /// What an open leaf with this fate was found to be worth at most or at least; `None` for other fates.
    pub fn bound(fate: Fate) -> Option<Found> {
        let (value, answer, window, depth) = match fate {
            Fate::LeafFailsLow {
                value,
                limit,
                depth,
            } => (value, Answer::AtMost, (limit, Score::MAX), depth),
            Fate::LeafFailsHigh {
                value,
                limit,
                depth,
            } => (value, Answer::AtLeast, (Score::MIN, limit), depth),
            _ => return None,
        };
        Some(Found {
            value,
            answer,
            window,
            depth,
        })
    }

    /// The fate of an open leaf that was asked this.
    pub fn fate(&self) -> Fate {
        let Found { value, depth, .. } = *self;
        match self.answer {
            Answer::Exact => Fate::Frontier,
            Answer::AtMost => Fate::LeafFailsLow {
                value,
                limit: self.window.0,
                depth,
            },
            Answer::AtLeast => Fate::LeafFailsHigh {
                value,
                limit: self.window.1,
                depth,
            },
        }
    }
}

/// Who is asked for the values of leaves.
pub(super) trait LeafSearcher<'a, G: Game, S, P> {
    /// Where the search counts and reports.
    fn context(&mut self) -> &mut Context<'a, P>;

    /// The value of a leaf from the view of its side to move, fail-soft.
    ///
    /// # Errors
    /// [`Interrupt`] in the middle of it.
    fn value(&mut self, leaf: &Leaf<G, S>) -> Result<Score, Interrupt>;
}

/// The leaf searches of a growing tree: nothing of them is recorded.
pub(super) struct Unrecorded<'s, 'a, E, P> {
    pub search: &'s mut LeafValue<'a, E>,
    pub evaluator: &'a E,
    pub context: &'s mut Context<'a, P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: Probe> LeafSearcher<'a, G, E::State, P>
    for Unrecorded<'_, 'a, E, P>
{
    fn context(&mut self) -> &mut Context<'a, P> {
        self.context
    }

    fn value(&mut self, leaf: &Leaf<G, E::State>) -> Result<Score, Interrupt> {
        self.search.of(self.evaluator, self.context, leaf)
    }
}

/// Asks a leaf's search for its value within `leaf.window`. Where `guess` is at the window's edge or beyond, it is first
/// asked whether the value lies there, which costs less. The leaf is `node`, or where it is not in the tree yet, the move
/// `m` of it. Questions and answers are reported for a leaf in the tree.
///
/// # Errors
/// [`Interrupt`] in the middle of it.
pub(super) fn ask<'a, G: Game, S, P: Probe + 'a>(
    searcher: &mut impl LeafSearcher<'a, G, S, P>,
    leaf: &Leaf<G, S>,
    guess: i32,
    (node, m): (NodeId, MoveCode),
) -> Result<Found, Interrupt> {
    /// Centipawns within the window from its edges that count as the edge.
    const EDGE: i32 = 5;
    let Leaf { window, depth, .. } = *leaf;
    searcher.context().tell_leaf_visit(&LeafVisit {
        node,
        m,
        depth,
        window,
        guess,
    });
    let node = if m == MoveCode::NONE {
        node
    } else {
        NodeId::NONE
    };
    let (alpha, beta) = window;
    let raw = |score: Score| i32::from(score.raw());
    let first = if guess <= raw(alpha) + EDGE {
        Some((alpha, Score::from_raw(alpha.raw().saturating_add(1))))
    } else if guess >= raw(beta) - EDGE {
        Some((below(beta), beta))
    } else {
        None
    };
    let mut asked = |leaf: &Leaf<G, S>| {
        let context = searcher.context();
        let counted = context.worker.nodes();
        tell_question(context, node, leaf.window, leaf.depth);
        let value = searcher.value(leaf)?;
        let found = Found::new(value, leaf.window, leaf.depth);
        let context = searcher.context();
        tell_answer(context, node, &found, context.worker.nodes() - counted);
        Ok(found)
    };
    if let Some(window) = first.filter(|first| *first != window) {
        let found = asked(&Leaf { window, ..*leaf })?;
        if (found.answer == Answer::AtMost) == (window.0 == alpha) {
            return Ok(found);
        }
    }
    asked(leaf)
}

/// Reports a leaf's question; nothing for a node that is not in the tree yet.
pub(super) fn tell_question<P: Probe>(
    context: &mut Context<P>,
    node: NodeId,
    (alpha, beta): Window,
    depth: u8,
) {
    if !node.is_none() {
        context.emit(|| Event::Ask {
            node,
            alpha,
            beta,
            depth: depth as i8,
        });
    }
}

/// Reports the answer to a leaf's question, which took so many nodes.
pub(super) fn tell_answer<P: Probe>(
    context: &mut Context<P>,
    node: NodeId,
    found: &Found,
    nodes: u64,
) {
    if !node.is_none() {
        context.emit(|| Event::Answer {
            node,
            value: found.value,
            bound: match found.answer {
                Answer::Exact => Bound::Exact,
                Answer::AtMost => Bound::Upper,
                Answer::AtLeast => Bound::Lower,
            },
            nodes: nodes.min(u64::from(u32::MAX)) as u32,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(centipawns: f32) -> Node {
        let node = Node::default();
        node.set_belief(1);
        node.set_favour(centipawns / 180.0);
        node
    }

    #[test]
    fn windows_come_from_the_best_sibling_and_from_above() {
        let cp = Score::new;
        let children = [child(40.0), child(10.0), child(-200.0)];
        let at = |windows: Windows, place, window| windows.hand_down(&children, place, window);
        // The favourite may fall 30 below the second; the others have to beat the favourite.
        assert_eq!(at(Windows::Path, 0, OPEN), (Score::MIN, cp(20)));
        assert_eq!(at(Windows::Path, 1, OPEN), (Score::MIN, cp(-40)));
        // What the way here asks for already is kept; an empty window becomes a null window.
        assert_eq!(at(Windows::Path, 1, (cp(60), cp(90))), (cp(-90), cp(-60)));
        assert_eq!(at(Windows::Path, 1, (cp(-90), cp(30))), (cp(-30), cp(-29)));
        assert_eq!(
            at(Windows::Siblings, 1, (cp(60), cp(90))),
            (Score::MIN, cp(-40))
        );
        assert_eq!(at(Windows::Open, 1, (cp(60), cp(90))), OPEN);
        let decided = [child(1_500.0), child(0.0)];
        assert_eq!(Windows::Path.hand_down(&decided, 1, OPEN), OPEN);
    }

    #[test]
    fn an_answer_is_what_the_value_is_to_the_window() {
        let found = |value, alpha, beta| {
            Found::new(Score::new(value), (Score::new(alpha), Score::new(beta)), 4).fate()
        };
        let (value, limit, depth) = (Score::new(-7), Score::new(10), 4);
        assert_eq!(
            found(-7, 10, 11),
            Fate::LeafFailsLow {
                value,
                limit,
                depth
            }
        );
        assert_eq!(found(15, 10, 30), Fate::Frontier);
        let (value, limit) = (Score::new(31), Score::new(30));
        assert_eq!(
            found(31, 10, 30),
            Fate::LeafFailsHigh {
                value,
                limit,
                depth
            }
        );
    }
}
