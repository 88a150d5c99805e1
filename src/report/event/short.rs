//! One short line per event.

use super::figures::{Figures, other_side};
use super::sentence::words;
use crate::engine::{Reader, other_side as other_bound};
use crate::game::{Ending, MoveCode, Scale, Score};
use crate::report::number;
use crate::report::why::sentence::{plural, window};
use crate::report::why::{bound_sign, brief, proven_words};
use crate::search::{Estimate, Event};
use crate::tree::{DepthChange, Fate, NodeId, Proof, Tree};

/// Describes an event in a few words, about 40 columns (`Nf6 cut −0.42 < −0.35`). It begins with the move's name; for
/// the root this is `position`. All numbers are from the view of the side that plays that move, as in the rows of the
/// tree, and at the root from the side to move.
pub fn short(reader: &Reader, event: &Event) -> String {
    Short(Figures::new(reader)).tell(event)
}

struct Short<'a>(Figures<'a>);

impl Short<'_> {
    fn tell(&self, event: &Event) -> String {
        let name = match *event {
            Event::Iteration { .. } | Event::IterationDone { .. } | Event::Best { .. } => None,
            Event::Prune {
                parent: node, m, ..
            }
            | Event::Audit { node, m, .. }
                if m != MoveCode::NONE =>
            {
                self.0.name(node, m)
            }
            _ => Some(
                self.0
                    .node_name(event.node())
                    .unwrap_or_else(|| "position".into()),
            ),
        };
        let what = self.what(event);
        match name {
            Some(name) => format!("{name} {what}"),
            None => what,
        }
    }

    fn what(&self, event: &Event) -> String {
        let f = self.0;
        match *event {
            Event::Iteration { .. } if f.best_first => "search begins".into(),
            Event::Iteration { depth } => format!("iteration {depth} begins"),
            Event::IterationDone { depth, best, score } => {
                let name = f.name(Tree::ROOT, best).unwrap_or_else(|| "no move".into());
                let value = f.value(score);
                if f.best_first {
                    format!("search ends: {name} {value}")
                } else {
                    format!("iteration {depth} done: {name} {value}")
                }
            }
            Event::Best { from, to } => {
                let name = |code| f.name(Tree::ROOT, code);
                let to = name(to).unwrap_or_else(|| "none".into());
                let from = name(from).map_or_else(String::new, |from| format!(", was {from}"));
                format!("best move {to}{from}")
            }
            Event::Enter {
                node,
                alpha,
                beta,
                depth,
            } => self.enter(node, alpha, beta, depth),
            Event::Evaluate { node, value, sd } => self.evaluate(node, value, sd),
            Event::Ask {
                node,
                alpha,
                beta,
                depth,
            } => {
                let (alpha, beta) = match node {
                    Tree::ROOT => (alpha, beta),
                    _ => (-beta, -alpha),
                };
                let question = f.question(alpha, beta);
                let question = question.replace("for its value ", "").replace("it is ", "");
                format!("ask d{depth} {question}")
            }
            Event::Answer {
                node, value, bound, ..
            } => {
                let bound = if node == Tree::ROOT {
                    bound
                } else {
                    other_bound(bound)
                };
                let value = number::score(f.scale, self.mover(node, value));
                format!("answer {}{value}", bound_sign(bound))
            }
            Event::Expand { moves, .. } => plural(moves, "move"),
            Event::BackUp {
                node,
                child,
                before,
                after,
                ..
            } => self.back_up(node, child, before, after),
            Event::Prove { node, proof } => self.proven(node, proof),
            Event::Leave { node, score, bound } => {
                let (score, bound) = if node == Tree::ROOT {
                    (score, bound)
                } else {
                    (score.one_ply_up(), other_bound(bound))
                };
                format!("leave {}{}", bound_sign(bound), f.value(score))
            }
            Event::Try {
                node, rule, bound, ..
            } => format!(
                "try {} {}",
                words(rule.name()),
                f.value(self.mover(node, bound))
            ),
            Event::Tried {
                node, rule, value, ..
            } => format!(
                "{}: {}",
                words(rule.name()),
                f.value(self.mover(node, value))
            ),
            Event::Depth { change, .. } => match change {
                DepthChange::Reduced { again: true, .. } => "in full again".into(),
                DepthChange::Reduced { plies, number, .. } => {
                    format!("{plies} shallower, as move {number}")
                }
                DepthChange::Check => "check, a ply deeper".into(),
                DepthChange::Singular { plies } => format!("singular, {plies} deeper"),
                DepthChange::None => "as usual".into(),
            },
            Event::Audit {
                node,
                m,
                value,
                failed,
                ..
            } => {
                let value = match m {
                    MoveCode::NONE => self.mover(node, value),
                    _ => value,
                };
                let verdict = if failed { "wrong" } else { "right" };
                format!("audit {}: {verdict}", f.value(value))
            }
            Event::Prune { fate, .. }
            | Event::TableHit { fate, .. }
            | Event::End { fate, .. }
            | Event::Cut { fate, .. } => self.fate(event, fate),
        }
    }

    fn fate(&self, event: &Event, fate: Fate) -> String {
        let view = self.0.fated(event, fate);
        match *event {
            Event::End { node, score, .. } if fate == Fate::Ended(Ending::Leaf) => {
                format!(
                    "leaf {}",
                    number::score(self.0.scale, self.mover(node, score))
                )
            }
            _ => brief(&view, self.0.scale),
        }
    }

    /// Converts a node's own score to the view of the side that moved there.
    fn mover(&self, node: NodeId, score: Score) -> Score {
        if node == Tree::ROOT {
            score
        } else {
            score.one_ply_up()
        }
    }

    fn enter(&self, node: NodeId, alpha: Score, beta: Score, depth: i8) -> String {
        let (alpha, beta) = if node == Tree::ROOT {
            (alpha, beta)
        } else {
            (beta.one_ply_up(), alpha.one_ply_up())
        };
        let (alpha, beta) = if self.0.best_first {
            self.0.relevant(alpha, beta)
        } else {
            (alpha, beta)
        };
        if self.0.best_first && self.0.is_open(alpha, beta) {
            return "enter".into();
        }
        let window = window(self.0.scale, alpha, beta, " to ");
        let depth = match depth {
            _ if self.0.best_first => String::new(),
            ..=0 if self.0.scale == Scale::Logistic => " quiet".into(),
            n => format!(" d{n}"),
        };
        format!("enter {window}{depth}")
    }

    fn evaluate(&self, node: NodeId, value: Score, sd: Option<f32>) -> String {
        let value = self.mover(node, value);
        if !self.0.best_first && sd.is_none() {
            return format!("static {}", number::score(self.0.scale, value));
        }
        let mean = self.0.scale.expected(value);
        format!("eval {}", self.0.estimate(Estimate { mean, sd }, " ±"))
    }

    fn back_up(
        &self,
        node: NodeId,
        child: NodeId,
        before: Option<Estimate>,
        after: Estimate,
    ) -> String {
        let turned = |e| {
            if node == Tree::ROOT { e } else { other_side(e) }
        };
        let before = before.map_or_else(String::new, |b| format!("{} ", self.0.mean(turned(b))));
        let through = self
            .0
            .node_name(child)
            .map_or_else(String::new, |child| format!(" by {child}"));
        format!(
            "{before}→ {}{through}",
            self.0.estimate(turned(after), " ±")
        )
    }

    fn proven(&self, node: NodeId, proof: Proof) -> String {
        let proof = if node == Tree::ROOT {
            proof
        } else {
            proof.one_ply_up()
        };
        match proven_words(proof, self.0.scale).as_str() {
            "open" => {
                let plies = |s: Score| s.mate_plies().map_or(0, i16::unsigned_abs);
                let (loss, win) = (plies(proof.lower), plies(proof.upper));
                format!("proven loss ≥ {loss}, win ≥ {win} plies")
            }
            words => format!("proven {words}"),
        }
    }
}
