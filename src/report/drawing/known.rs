//! What is known of a drawn node, from the view of the lens (Max's in a toy tree).

use unicode_width::UnicodeWidthStr;

use crate::lens::{Lens, Scores};
use crate::{number, why};
use game::{Scale, Seen, Side, Sided as _};
use session::debug::Visit;
use session::{NodeBelief, Reader};
use tree::{Bound, Fate, NodeId, NodeView};

/// What the search did at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Searched,
    /// The search is in the middle of it.
    Inside,
    /// The search skipped or cut it off; the fate has the letter.
    Cut(Fate),
    /// The search never came near it, because of a cut further up.
    BelowCut,
    /// The search has not looked at it yet.
    Waiting,
}

impl Done {
    /// Returns what the search did at a node without a row, from what it did at the nearest node above that has one.
    pub fn below(self) -> Done {
        match self {
            Done::Cut(_) | Done::BelowCut => Done::BelowCut,
            _ => Done::Waiting,
        }
    }

    /// Whether the search has been there, or is there.
    pub fn is_searched(self) -> bool {
        matches!(self, Done::Searched | Done::Inside)
    }
}

/// One node in the present state of the search.
#[derive(Clone, Debug)]
pub struct Known {
    pub done: Done,
    /// From the view of the lens.
    pub view: Option<NodeView>,
    /// The mean and spread of its belief, if it has one, from the view of the lens.
    belief: Option<(f32, f32)>,
    visit: Option<Visit>,
    toy: bool,
    /// The side to move at the node.
    turn: Side,
    /// How scores are written that are given by the side whose move leads there.
    scores: Scores,
    /// Whether nodes have windows; in a best-first search they have visits.
    pub windows: bool,
}

impl Known {
    /// Returns what is known of a node with this parent (none at the root) at which `turn` has the move. View and belief, if
    /// the search has a row for it, are those of the side whose move leads there (at the root, of the side to move);
    /// `visit` is that of a node in which the search is.
    pub fn of(
        reader: &Reader,
        lens: Lens,
        (parent, turn): (NodeId, Side),
        row: Option<(&NodeView, Option<&NodeBelief>)>,
        visit: Option<Visit>,
    ) -> Known {
        let scores = lens.of_moves(reader, parent).tight();
        let toy = reader.subject.position.as_toy().is_some();
        // A toy tree's mates, which have no distance, are Max's.
        let view = row.map(|(view, _)| match scores.is_turned() && toy {
            true => view.one_ply_up(),
            false => scores.seen(*view),
        });
        let belief = row.and_then(|(_, belief)| belief);
        let belief = belief.filter(|b| b.is_distribution());
        let belief = belief.map(|b| (scores.seen(b.mean), b.sd));
        let done = match (row, visit) {
            (_, Some(_)) => Done::Inside,
            (Some((view, _)), _) if view.fate.is_skip() => Done::Cut(view.fate),
            (Some((view, _)), _) if view.visits > 0 => Done::Searched,
            _ => Done::Waiting,
        };
        Known {
            done,
            view,
            belief: belief.filter(|_| reader.searcher.has_beliefs()),
            visit,
            toy,
            turn,
            scores,
            windows: !reader.is_best_first(),
        }
    }

    /// Returns the cutoff that the search made at the node, if it did.
    pub fn cutoff(&self) -> Option<Fate> {
        let fate = self.view.map(|view| view.fate);
        fate.filter(|fate| self.done.is_searched() && fate.is_cutoff())
    }

    /// Returns the expected score from the view of the lens, with its spread and bound; `None` if there is none yet.
    pub fn figure(&self) -> Option<(f32, Option<f32>, Bound)> {
        if let Some(visit) = &self.visit {
            let (_, best) = visit.best?;
            let mean = Seen::new(self.turn, best.mean).seen_by(self.scores.side());
            return Some((mean, best.sd, Bound::None));
        }
        let view = self.view.as_ref().filter(|_| self.done.is_searched())?;
        let bound = view.window.map_or(Bound::None, |w| w.bound);
        let mean = self.belief.map(|b| b.0).or(view.expected)?;
        Some((mean, self.belief.map(|b| b.1), bound))
    }

    /// Returns the value in at most `columns` columns beside its sign, and its spread in at most `spread`.
    pub fn value(&self, columns: usize, spread: usize) -> Option<String> {
        let scale = self.scores.scale;
        let (mean, sd, bound) = self.figure()?;
        if !self.toy {
            return Some(self.game_value((mean, sd, bound), spread));
        }
        let sign = match bound {
            Bound::Lower => "≥",
            Bound::Upper => "≤",
            Bound::Exact => "=",
            Bound::None => "",
        };
        let range = match scale {
            Scale::Linear(axis) => axis.range(),
            Scale::Logistic => 1.0,
        };
        let mut text = sign.to_owned() + &number::bare(scale, mean * range, columns)?;
        let sd = sd.filter(|_| spread > 1);
        if let Some(sd) = sd.and_then(|sd| short(scale, sd * range, spread - 1)) {
            text.push('±');
            text += &sd;
        }
        Some(text)
    }

    /// Returns the value of a position of a game, in the unit of the rows.
    fn game_value(&self, (mean, sd, bound): (f32, Option<f32>, Bound), spread: usize) -> String {
        let scores = self.scores.as_shown();
        let decided = self.view.and_then(|view| view.score);
        if let Some(score) = decided.filter(|s| s.is_decided() && self.visit.is_none()) {
            return scores.score(score);
        }
        let sign = match bound {
            Bound::Lower => "≥",
            Bound::Upper => "≤",
            Bound::Exact | Bound::None => "",
        };
        let sd = sd.filter(|_| spread > 1);
        let sd = sd.and_then(|sd| scores.spread(mean, sd));
        let sd = sd.filter(|sd| sd.width() + 1 < spread);
        let sd = sd.map_or_else(String::new, |sd| format!("±{sd}"));
        format!("{sign}{}{sd}", scores.mean(mean))
    }

    /// Returns in a few words why the search did not look at a move of a game, whose view is `row`.
    pub fn reason(&self, row: &NodeView) -> Option<String> {
        let cut = matches!(self.done, Done::Cut(_)) && !self.toy;
        cut.then(|| why::brief_with(row, &self.scores, None))
    }

    /// Returns the visits in a best-first search, whose nodes have no windows, if there are any.
    pub fn visits(&self) -> Option<u64> {
        let visits = self.view.filter(|_| !self.windows)?.visits;
        (visits > 0).then(|| visits.into())
    }

    /// Returns the window with which the node was entered, from the view of the lens.
    pub fn window(&self, columns: usize) -> Option<String> {
        if !self.windows {
            return None;
        }
        let (alpha, beta) = match (&self.visit, &self.view) {
            (Some(visit), _) => {
                let entered = visit.entered?;
                let own = entered.alpha..=entered.beta;
                match self.turn == self.scores.side() {
                    true => own.into_inner(),
                    false => own.one_ply_up().into_inner(),
                }
            }
            (None, Some(view)) if self.done.is_searched() => {
                let w = view.window?;
                (w.alpha, w.beta)
            }
            _ => return None,
        };
        if !self.toy {
            let window = self.scores.as_shown().window(alpha, beta, ", ");
            return Some(format!("[{window}]")).filter(|text| text.width() <= columns);
        }
        number::window(self.scores.scale, alpha, beta, columns)
    }
}

/// Returns a spread; two significant digits are enough.
fn short(scale: Scale, sd: f32, columns: usize) -> Option<String> {
    let text = match sd {
        10.0.. => format!("{sd:.0}"),
        1.0..10.0 => format!("{sd:.1}").trim_end_matches(".0").to_owned(),
        _ => number::bare(scale, sd, columns + 1)?,
    };
    let text = text
        .strip_prefix("0.")
        .map_or(text.clone(), |d| format!(".{d}"));
    (text != "0" && text.len() <= columns).then_some(text)
}
