//! What is known of a drawn node, from the view of the lens (Max's in a toy tree).

use std::collections::HashMap;

use super::Picture;
use crate::panes::tree::Row;
use crate::text;
use crate::views::facts::{Facts, Numbers, Withheld};
use game::{Scale, Seen, Side, Sided};
use report::lens::Scores;
use report::{number, why};
use session::debug::Visit;
use studies::lesson::Fact;
use tree::{Bound, Fate, NodeId, NodeView};

/// What the search did at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
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

/// One node in the present state of the search.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub done: Done,
    pub row: Option<Row>,
    /// From the view of the side whose move leads there, as in the rows.
    pub facts: Option<Facts>,
    /// From the view of the lens.
    pub view: Option<NodeView>,
    /// The mean and spread of its belief, if it has one, from the view of the lens.
    belief: Option<(f32, f32)>,
    visit: Option<Visit>,
    /// The share of the work at its parent.
    pub share: Option<f32>,
    toy: bool,
    /// The side to move at the node.
    turn: Side,
    /// How scores are written that are given by the side whose move leads there.
    pub scores: Scores,
    beliefs: bool,
    pub windows: bool,
    /// False while a lesson has not introduced windows; in a best-first search, visits.
    shows_windows: bool,
}

/// Reads what one frame draws, each node once.
pub(super) struct Reading<'a> {
    picture: &'a Picture<'a>,
    withheld: Withheld,
    known: HashMap<usize, Known>,
    pub best: Vec<usize>,
}

impl<'a> Reading<'a> {
    pub fn new(picture: &'a Picture<'a>) -> Reading<'a> {
        Reading {
            picture,
            withheld: Withheld::default(),
            known: HashMap::new(),
            best: picture.best_line(),
        }
    }

    pub fn known(&mut self, place: usize) -> Known {
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let known = self.read(place);
        self.known.insert(place, known.clone());
        known
    }

    fn read(&mut self, place: usize) -> Known {
        let p = self.picture;
        let depth = p.layout.places[place].depth;
        let drawing = &p.app.explore.drawing;
        let stub = p.content.stub(p.layout.places[place].node);
        let row = drawing.row_of(p.reader.tree, place);
        let row = row.filter(|_| stub.is_none());
        let facts = row.and_then(|row| Facts::of(p.reader, &row, &mut self.withheld));
        let visit = row.and_then(|row| p.app.explore.debug.visit(row.node).copied());
        // Facts are from the mover's view; at the root, from the view of the side to move. A toy tree's mates, which have
        // no distance, are Max's.
        let parent = row.map_or(NodeId::NONE, |row| row.parent);
        let scores = p.app.lens.of_moves(&p.reader, parent).tight();
        let toy = p.content.is_toy();
        let view = facts.as_ref().map(|f| match scores.is_turned() && toy {
            true => f.view.one_ply_up(),
            false => scores.seen(f.view),
        });
        let belief = facts.as_ref().and_then(|f| f.belief.as_ref());
        let belief = belief.filter(|b| b.is_distribution());
        let belief = belief.map(|b| (scores.seen(b.mean), b.sd));
        let all_skipped = stub.map(|stub| stub.fates.iter().all(|(fate, _)| fate.is_skip()));
        let done = match (&facts, visit) {
            _ if all_skipped == Some(true) => Done::BelowCut,
            _ if all_skipped == Some(false) => Done::Waiting,
            (_, Some(_)) => Done::Inside,
            (None, None) => self.above(place),
            (Some(f), None) if f.view.fate.is_skip() => Done::Cut(f.view.fate),
            (Some(f), None) if f.view.visits == 0 => Done::Waiting,
            (Some(_), None) => Done::Searched,
        };
        let share = facts.as_ref().and_then(|facts| self.share(place, facts));
        Known {
            done,
            row,
            facts,
            view,
            belief,
            visit,
            share,
            toy,
            turn: p.side_at(depth),
            scores,
            beliefs: p.reader.searcher.has_beliefs(),
            windows: !p.reader.is_best_first(),
            shows_windows: p.app.shows(match p.reader.is_best_first() {
                true => Fact::Work,
                false => Fact::Windows,
            }),
        }
    }

    /// Returns the share of a place in the work at its parent.
    fn share(&mut self, place: usize, facts: &Facts) -> Option<f32> {
        let p = self.picture;
        let parent = p.layout.places[place].parent?;
        let family = p.reader.tree.family();
        let all = self.known(parent).facts?.work(family);
        (all > 0).then(|| (facts.work(family) as f32 / all as f32).min(1.0))
    }

    /// Returns why nothing is known of a place: a cut further up, or the search has not reached it yet.
    fn above(&mut self, place: usize) -> Done {
        let p = self.picture;
        let mut at = place;
        while let Some(parent) = p.layout.places[at].parent {
            at = parent;
            if p.app.explore.drawing.row_of(p.reader.tree, at).is_some() {
                break;
            }
        }
        match self.known(at).done {
            Done::Cut(_) | Done::BelowCut => Done::BelowCut,
            _ => Done::Waiting,
        }
    }
}

impl Known {
    pub fn was_searched(&self) -> bool {
        matches!(self.done, Done::Searched | Done::Inside)
    }

    /// Returns the expected score from the view of the lens, with its spread and bound; `None` if there is none yet.
    pub fn figure(&self) -> Option<(f32, Option<f32>, Bound)> {
        if let Some(visit) = &self.visit {
            let (_, best) = visit.best?;
            let mean = Seen::new(self.turn, best.mean).seen_by(self.scores.side());
            return Some((mean, best.sd, Bound::None));
        }
        let view = self.view.as_ref().filter(|_| self.was_searched())?;
        let bound = view.window.map_or(Bound::None, |w| w.bound);
        let belief = self.belief.filter(|_| self.beliefs);
        let mean = belief.map(|b| b.0).or(view.expected)?;
        Some((mean, belief.map(|b| b.1), bound))
    }

    /// Returns the value in at most `columns` columns beside its sign, and its spread in at most `spread`.
    pub fn value(&self, numbers: &Numbers, columns: usize, spread: usize) -> Option<String> {
        let scale = numbers.scale();
        let (mean, sd, bound) = self.figure()?;
        if !self.toy {
            return Some(self.game_value(numbers, (mean, sd, bound), spread));
        }
        let sign = match bound {
            Bound::Lower => "≥",
            Bound::Upper => "≤",
            Bound::Exact => "=",
            Bound::None => "",
        };
        let range = match scale {
            Scale::Linear { range, .. } => range,
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
    fn game_value(
        &self,
        numbers: &Numbers,
        (mean, sd, bound): (f32, Option<f32>, Bound),
        spread: usize,
    ) -> String {
        let decided = self.view.and_then(|view| view.score);
        if let Some(score) = decided.filter(|s| s.is_decided() && self.visit.is_none()) {
            return numbers.score(score);
        }
        let sign = match bound {
            Bound::Lower => "≥",
            Bound::Upper => "≤",
            Bound::Exact | Bound::None => "",
        };
        let mut text = format!("{sign}{}", numbers.expected(mean));
        if let Some(sd) = sd.filter(|_| spread > 1) {
            let sd = numbers.spread_at(mean, sd);
            if let Some(sd) = sd.filter(|sd| text::width(sd) < spread) {
                text += &format!("±{sd}");
            }
        }
        text
    }

    /// Returns in a few words why the search did not look at a move of a game.
    pub fn reason(&self) -> Option<String> {
        let facts = self.facts.as_ref()?;
        let Done::Cut(_) = self.done else { return None };
        (!self.toy).then(|| why::brief_with(&facts.view, &self.scores, None))
    }

    /// Returns the window with which the node was entered, from the view of the lens; in a best-first search, its visits.
    pub fn window(&self, scale: Scale, columns: usize) -> Option<String> {
        if !self.shows_windows {
            return None;
        }
        if !self.windows {
            let visits = u64::from(self.view.as_ref()?.visits);
            let text = format!("n={}", text::count(visits));
            return (visits > 0 && text.len() <= columns).then_some(text);
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
            (None, Some(view)) if self.was_searched() => {
                let w = view.window?;
                (w.alpha, w.beta)
            }
            _ => return None,
        };
        if !self.toy {
            let window = self.scores.as_shown().window(alpha, beta, ", ");
            return Some(format!("[{window}]")).filter(|text| text::width(text) <= columns);
        }
        number::window(scale, alpha, beta, columns)
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
