//! One short line per event.

use super::figures::Figures;
use super::sentence::words;
use crate::lens::Lens;
use crate::number;
use crate::why::sentence::plural;
use crate::why::{brief_with, proven_words};
use game::{Ending, MoveCode, Scale, Score};
use search::{Estimate, Event, Told};
use session::Reader;
use tree::{DepthChange, Fate, NodeId, Proof, Tree};
use unicode_width::UnicodeWidthStr;

/// Describes an event in a few words, about 40 columns (`Nf6 cut −0.42 < −0.35`). It begins with the move's name; for
/// the root this is `position`. All numbers are from the view of the side that plays that move, as in the rows of the
/// tree, and at the root from the side to move.
pub fn short(reader: &Reader, event: &Event) -> String {
    Lens::MOVER.event_line(reader, event)
}

impl Lens {
    /// Describes an event like [`short`], with scores as seen through the lens.
    pub fn event_line(self, reader: &Reader, event: &Event) -> String {
        Short(self.figures_of(reader, event)).tell(event)
    }
}

/// The largest number of parts of a budget that are listed, in at most so many columns.
const LISTED: usize = 4;
const ROOM: usize = 32;

struct Short<'a>(Figures<'a>);

impl Short<'_> {
    fn tell(&self, event: &Event) -> String {
        let name = match *event {
            Event::Iteration { .. }
            | Event::IterationDone { .. }
            | Event::Pass { .. }
            | Event::PassDone { .. }
            | Event::Best { .. } => None,
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
            Event::Pass { number, beta, .. } => {
                let question = f.pass_question(beta).replace("the value is ", "");
                format!("pass {number} asks {question}")
            }
            Event::PassDone { number, low, high } => {
                format!("pass {number} done: {}", f.between(low, high))
            }
            Event::Aim(aim) => aim.info.name.replace('-', " "),
            Event::Budget { ref budget, .. } => {
                let total = number::count(budget.total());
                let listed = |most| format!("{total}: {}", f.parts(budget, most));
                let fits = (1..=LISTED).rev().map(listed).find(|l| l.width() <= ROOM);
                fits.unwrap_or_else(|| listed(1))
            }
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
                alpha, beta, depth, ..
            } => self.enter(alpha, beta, depth),
            Event::Evaluate {
                value, mean, sd, ..
            } => self.evaluate(value, Estimate { mean, sd }),
            Event::Ask {
                alpha, beta, depth, ..
            } => {
                let question = f.question(alpha, beta);
                let question = question.replace("for its value ", "").replace("it is ", "");
                format!("ask d{depth} {question}")
            }
            Event::Answer { value, bound, .. } => {
                format!("answer {}", f.scores.bounded(bound, value))
            }
            Event::Expand { moves, .. } => plural(moves, "move"),
            Event::Told { what, .. } => self.told(event, what),
            Event::BackUp {
                child,
                before,
                after,
                ..
            } => self.back_up(child, before, after),
            Event::Prove { proof, .. } => self.proven(proof),
            Event::Leave { score, bound, .. } => {
                format!("leave {}{}", f.scores.sign(bound), f.value(score))
            }
            Event::Try { rule, bound, .. } => {
                format!("try {} {}", words(rule.name()), f.value(bound))
            }
            Event::Tried { rule, value, .. } => {
                format!("{}: {}", words(rule.name()), f.value(value))
            }
            Event::Depth { change, .. } => match change {
                DepthChange::Reduced { again: true, .. } => "in full again".into(),
                DepthChange::Reduced { plies, number, .. } => {
                    format!("{plies} shallower, as move {number}")
                }
                DepthChange::Check => "check, a ply deeper".into(),
                DepthChange::Singular { plies } => format!("singular, {plies} deeper"),
                DepthChange::None => "as usual".into(),
            },
            Event::Audit { value, failed, .. } => {
                let verdict = if failed { "wrong" } else { "right" };
                format!("audit {}: {verdict}", f.value(value))
            }
            Event::Prune { fate, .. }
            | Event::TableHit { fate, .. }
            | Event::End { fate, .. }
            | Event::Cut { fate, .. } => self.fate(event, fate),
        }
    }

    fn told(&self, event: &Event, what: Told) -> String {
        let score = |value: Option<Score>| value.map_or_else(String::new, |v| self.0.value(v));
        let mean = |value: Option<f32>| {
            value.map_or_else(String::new, |v| self.0.mean(Estimate::point(v)))
        };
        match what {
            Told::Stand { value } => format!("stands at {}", score(value)),
            Told::Reason { fate } => self.fate(event, fate),
            Told::Try { fate } => format!("try {}", words(fate.name())),
            Told::Tried { value } => format!("tried: {}", score(value)),
            Told::Visit { value, .. } => format!("visit {}", mean(value)),
            Told::Update { value, visits } => {
                let visits = visits.map_or_else(String::new, |n| format!(" n{}", number::count(n)));
                format!("is {}{visits}", mean(value))
            }
            Told::At => "meant".to_owned(),
            Told::Edge { .. } => "leads to a known position".to_owned(),
            Told::Unwind { open } => format!("all left but {open}"),
            Told::End => "search over".to_owned(),
            Told::Unused => "says nothing here".to_owned(),
        }
    }

    fn fate(&self, event: &Event, fate: Fate) -> String {
        let view = self.0.fated(event, fate);
        match *event {
            Event::End { score, .. } if fate == Fate::Ended(Ending::Leaf) => {
                format!("leaf {}", self.0.scores.score(score))
            }
            _ => {
                let by_mover = self.0.lens.of_moves(self.0.reader, view.parent);
                brief_with(&view, &by_mover, None)
            }
        }
    }

    fn enter(&self, alpha: Score, beta: Score, depth: i8) -> String {
        let (alpha, beta) = if self.0.best_first {
            self.0.relevant(alpha, beta)
        } else {
            (alpha, beta)
        };
        if self.0.best_first && self.0.is_open(alpha, beta) {
            return "enter".into();
        }
        let window = self.0.scores.window(alpha, beta, " to ");
        let depth = match depth {
            _ if self.0.best_first => String::new(),
            ..=0 if self.0.scale == Scale::Logistic => " quiet".into(),
            n => format!(" d{n}"),
        };
        format!("enter {window}{depth}")
    }

    fn evaluate(&self, value: Score, estimate: Estimate) -> String {
        if !self.0.best_first && estimate.sd.is_none() {
            return format!("static {}", self.0.scores.score(value));
        }
        format!("eval {}", self.0.estimate(estimate, " ±"))
    }

    fn back_up(&self, child: NodeId, before: Option<Estimate>, after: Estimate) -> String {
        let before = before.map_or_else(String::new, |b| format!("{} ", self.0.mean(b)));
        let through = self
            .0
            .node_name(child)
            .map_or_else(String::new, |child| format!(" by {child}"));
        format!("{before}→ {}{through}", self.0.estimate(after, " ±"))
    }

    fn proven(&self, proof: Proof) -> String {
        match proven_words(proof, &self.0.scores).as_str() {
            "open" => {
                // Counted from the node, and not from the move that leads to it.
                let plies = |s: Score| s.mate_plies().map_or(0, i16::unsigned_abs);
                let ends = (plies(proof.lower), plies(proof.upper));
                let (loss, win) = self.0.scores.word(ends, (ends.1, ends.0));
                format!("proven loss ≥ {loss}, win ≥ {win} plies")
            }
            words => format!("proven {words}"),
        }
    }
}
