//! What is known of a drawn node, from Max's (White's) view, and the text for it.

use std::collections::HashMap;

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Picture;
use crate::engine::debug::Visit;
use crate::engine::lesson::Fact;
use crate::engine::seen_by_mover;
use crate::game::{Scale, Side};
use crate::report::drawing::Stub;
use crate::report::{number, why};
use crate::tree::{Bound, Fate, NodeView};
use crate::tui::panes::drawing::{NAME, REASON, Windows, detail_leaf, stub_words};
use crate::tui::panes::tree::Row;
use crate::tui::panes::tree::view::changed::Changed;
use crate::tui::panes::tree::view::selected_bg;
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::views::facts::{Facts, Numbers, Withheld, fate_sign};

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
    facts: Option<Facts>,
    /// From Max's view.
    view: Option<NodeView>,
    /// The mean and spread of its belief, if it has one, from Max's view.
    belief: Option<(f32, f32)>,
    visit: Option<Visit>,
    /// The share of the work at its parent.
    share: Option<f32>,
    toy: bool,
    /// Whether the side to move at the node is Max.
    own: bool,
    beliefs: bool,
    windows: bool,
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
        // Facts are from the mover's view; at the root, from the view of the side to move.
        let mover = if depth == 0 { 0 } else { depth - 1 };
        let turned = p.side_at(mover) == Side::Black;
        let view = facts.as_ref().map(|f| match turned {
            true => seen_by_mover(&f.view),
            false => f.view,
        });
        let belief = facts.as_ref().and_then(|f| f.belief.as_ref());
        let belief = belief.filter(|b| b.is_distribution());
        let belief = belief.map(|b| (if turned { -b.mean } else { b.mean }, b.sd));
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
            toy: p.content.is_toy(),
            own: p.side_at(depth) == Side::White,
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
    fn was_searched(&self) -> bool {
        matches!(self.done, Done::Searched | Done::Inside)
    }

    /// Returns the expected score from Max's view, with its spread and bound; `None` if there is none yet.
    fn figure(&self) -> Option<(f32, Option<f32>, Bound)> {
        if let Some(visit) = &self.visit {
            let (_, best) = visit.best?;
            let mean = if self.own { best.mean } else { -best.mean };
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
        (!self.toy).then(|| why::brief(&facts.view, Scale::Logistic))
    }

    /// Returns the window with which the node was entered, from Max's view; in a best-first search, its visits.
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
                match self.own {
                    true => (entered.alpha, entered.beta),
                    false => (entered.beta.one_ply_up(), entered.alpha.one_ply_up()),
                }
            }
            (None, Some(view)) if self.was_searched() => {
                let w = view.window?;
                (w.alpha, w.beta)
            }
            _ => return None,
        };
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

impl Picture<'_> {
    /// Draws a node; returns where it can be clicked.
    pub fn node(
        &self,
        pen: &mut Pen,
        numbers: &Numbers,
        place: usize,
        known: &Known,
    ) -> Option<Rect> {
        let here = &self.layout.places[place];
        let top = self.detail.top(here.depth);
        let leaf = self.is_leaf(place);
        let rows = match leaf && !self.detail.names {
            true => 1,
            false => self.detail.level,
        };
        let area = self
            .sheet
            .area_of(here.left(), here.right(), top, top + i32::from(rows))?;
        let selected = self.selected == Some(place);
        if selected {
            let role = if self.focused {
                Role::Selection
            } else {
                Role::SelectionUnfocused
            };
            let style = pen.style(role);
            pen.tint(area, style);
        }
        let words = Words {
            picture: self,
            place,
            known,
            selected,
            top,
        };
        let stub = self.content.stub(here.node);
        let begin = if let Some(stub) = stub {
            words.stub(pen, stub)
        } else if leaf {
            words.leaf(pen)
        } else {
            words.inner(pen, numbers)
        };
        words.mark(pen, begin - 1);
        Some(area)
    }
}

/// The text of one node.
struct Words<'a> {
    picture: &'a Picture<'a>,
    place: usize,
    known: &'a Known,
    selected: bool,
    top: i32,
}

/// Words with their roles, and whether they changed; changed words are underlined.
type Marked = Vec<(String, Role, bool)>;

impl Words<'_> {
    fn name(&self, pen: &Pen) -> String {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        if here.parent.is_none() || !p.detail.names {
            return String::new();
        }
        let name = pen.glyphs.text(&text::harmless(p.content.name(here.node)));
        text::fit(&name, NAME, pen.glyphs.ellipsis)
    }

    fn role(&self) -> Role {
        match self.known.done {
            Done::Waiting => Role::Dim,
            Done::Cut(_) | Done::BelowCut => Role::MoveSkipped,
            _ => Role::Move,
        }
    }

    /// Draws the name above the value; the value is the file's, whether or not the search evaluated the leaf.
    fn leaf(&self, pen: &mut Pen) -> i32 {
        let p = self.picture;
        let scale = p.reader.scale();
        let (value, spread) = p
            .content
            .leaf(p.layout.places[self.place].node)
            .unwrap_or_default();
        let value = detail_leaf(scale, value, spread);
        let role = match self.known.was_searched() {
            true => Role::Text,
            false => self.role(),
        };
        let changed = self.changed(None);
        if p.detail.names && p.detail.level > 1 {
            let name = self.name(pen);
            self.line(pen, 1, vec![(value, role, changed)]);
            self.line(pen, 0, vec![(name, self.role(), false)])
        } else {
            self.line(pen, 0, vec![(value, role, changed)])
        }
    }

    /// Draws the player, name and value above the window.
    fn inner(&self, pen: &mut Pen, numbers: &Numbers) -> i32 {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let scale = p.reader.scale();
        let detail = p.detail;
        let player = match (p.content.is_toy(), p.side_at(here.depth)) {
            (true, Side::White) => pen.glyphs.max.to_string(),
            (true, Side::Black) => pen.glyphs.min.to_string(),
            // A move's name tells who played it.
            (false, _) => String::new(),
        };
        let mut line: Marked = vec![(player, self.role(), false)];
        let name = self.name(pen);
        let gap = if name.is_empty() { "" } else { " " };
        line.push((name, self.role(), false));
        let (columns, spread) = (usize::from(detail.value), usize::from(detail.spread));
        if let Some(value) = self.known.value(numbers, columns, spread) {
            let role = match self.known.figure().map_or(0.0, |f| f.0) {
                0.02.. => Role::Win,
                ..=-0.02 => Role::Loss,
                _ => Role::Draw,
            };
            line.push((gap.to_owned(), Role::Text, false));
            line.push((value, role, self.changed(Some(numbers))));
        }
        if self.known.done == Done::Inside {
            line.push((pen.glyphs.in_search.to_string(), Role::Line, false));
        } else if let Some(fate) = self.known.view.map(|v| v.fate).filter(|f| f.is_cutoff()) {
            line.push((
                fate.letter().to_string(),
                fate_sign(fate, pen.glyphs).1,
                false,
            ));
        }
        let begin = self.line(pen, 0, line);
        if !p.content.is_toy() {
            self.work(pen);
            return begin;
        }
        if here.hidden > 0 {
            let words = p.content.hidden_words(here.hidden, detail.names);
            if detail.level > 1 {
                self.line(pen, 1, vec![(words, Role::TreeMark, false)]);
            } else {
                self.closed(pen);
            }
            return begin;
        }
        let shown = match detail.windows {
            Windows::All => true,
            Windows::Path => self.is_on_path(),
            Windows::No => false,
        };
        let room = match detail.windows {
            Windows::All => usize::from(here.width.max(detail.window)),
            _ => usize::from(detail.window),
        };
        if let Some(window) = self.known.window(scale, room).filter(|_| shown) {
            let role = match self.known.windows {
                true => Role::Window,
                false => Role::Count,
            };
            self.line(pen, 1, vec![(window, role, false)]);
        }
        begin
    }

    /// Draws below a move of a game its share of the work, and what is closed below it; or why it was skipped.
    fn work(&self, pen: &mut Pen) {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let mut line: Marked = Vec::new();
        if let Some(reason) = self.known.reason() {
            let reason = text::fit(&reason, REASON, pen.glyphs.ellipsis);
            line.push((reason, Role::MoveSkipped, false));
        } else if let Some(share) = self.known.share.filter(|_| self.known.was_searched()) {
            line.push((text::percent(share), Role::Policy, false));
        }
        if here.hidden > 0 {
            let gap = if line.is_empty() { "" } else { " " };
            let words = p.content.hidden_words(here.hidden, false);
            line.push((format!("{gap}{words}"), Role::TreeMark, false));
        }
        self.line(pen, 1, line);
    }

    /// Draws how many moves a stub stands for, and how many of each fate.
    fn stub(&self, pen: &mut Pen, stub: &Stub) -> i32 {
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let long = stub_words(stub, true);
        let room = usize::from(here.width);
        let fits = long.iter().all(|line| text::width(line) <= room);
        let [count, fates] = if fits { long } else { stub_words(stub, false) };
        let role = match stub.fates.first() {
            Some((fate, _)) => fate_sign(*fate, pen.glyphs).1,
            None => Role::Dim,
        };
        self.line(pen, 1, vec![(fates, role, false)]);
        self.line(pen, 0, vec![(count, Role::TreeMark, false)])
    }

    /// Whether the selected node is this one or is below it.
    fn is_on_path(&self) -> bool {
        let places = &self.picture.layout.places;
        let mut at = self.picture.selected;
        while let Some(place) = at {
            if place == self.place {
                return true;
            }
            at = places[place].parent;
        }
        false
    }

    /// Whether its value changed since the search last stopped; without numbers to compare, whether the node is new.
    fn changed(&self, numbers: Option<&Numbers>) -> bool {
        let (Some(row), Some(facts)) = (&self.known.row, &self.known.facts) else {
            return false;
        };
        let p = self.picture;
        let new =
            || p.app.explore.debug.stop.is_some() && p.app.explore.debug.marks.is_new(row.node);
        numbers.map_or_else(new, |numbers| {
            let changed = Changed::of(p.app, numbers, row, facts, false);
            changed.new || changed.value.is_some()
        })
    }

    /// Draws a line around the node's middle; returns its first column.
    fn line(&self, pen: &mut Pen, row: i32, line: Marked) -> i32 {
        let line: Marked = line
            .into_iter()
            .map(|(word, role, changed)| (pen.glyphs.text(&word_signs(pen, &word)), role, changed))
            .collect();
        let width: usize = line.iter().map(|(word, ..)| text::width(word)).sum();
        let p = self.picture;
        let here = &p.layout.places[self.place];
        let mut x = here.middle - (width / 2) as i32;
        if width <= usize::from(here.width) {
            x = x.clamp(here.left(), here.right() - width as i32);
        } else {
            // Only the windows on the selected path are wider than their node, and no other window shares their row.
            let all = p
                .layout
                .width
                .max(p.sheet.left + i32::from(p.sheet.area.width));
            x = x.clamp(0, (all - width as i32).max(0));
        }
        let begin = x;
        for (word, role, changed) in line {
            let mut style = pen.style(role);
            if self.selected {
                let role = if p.focused {
                    Role::Selection
                } else {
                    Role::SelectionUnfocused
                };
                style = style.patch(selected_bg(pen.style(role)));
            }
            if self.is_best() && role == Role::Move {
                let best = pen.style(Role::MoveBest);
                style.fg = best.fg.or(style.fg);
                style = style.add_modifier(best.add_modifier);
            }
            if changed {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            x = p.sheet.text(pen, x, self.top + row, &word, style);
        }
        begin
    }

    fn is_best(&self) -> bool {
        let p = self.picture;
        if p.app.hides_best() {
            return false;
        }
        self.known.row.is_some_and(|row| {
            row.parent.is_none() || p.reader.best_move(row.parent) == Some(row.code)
        }) && self.known.was_searched()
    }

    /// In a drawing with one row per level, only a mark shows that a node is closed.
    fn closed(&self, pen: &mut Pen) {
        let here = &self.picture.layout.places[self.place];
        let style = pen.style(Role::TreeMark);
        let (x, mark) = (here.right(), pen.glyphs.closed);
        self.picture.sheet.char(pen, x, self.top, mark, style);
    }

    /// Draws the mark before the text, at `x`: the current event, or the line being searched.
    fn mark(&self, pen: &mut Pen, x: i32) {
        let Some(row) = &self.known.row else { return };
        let p = self.picture;
        let style = pen.style(Role::Line);
        if p.app.is_marked(row.key()) {
            let style = pen.style(Role::Match);
            p.sheet.char(pen, x, self.top, pen.glyphs.marked, style);
        } else if p.app.explore.debug.is_at(row) {
            p.sheet.char(pen, x, self.top, pen.glyphs.running, style);
        } else if p.app.explore.debug.on_line(row.node) {
            p.sheet.char(pen, x, self.top, pen.glyphs.line, style);
        }
    }
}

/// Replaces each sign by one of a single column, also in ASCII.
fn word_signs(pen: &Pen, word: &str) -> String {
    let g = pen.glyphs;
    if !g.ascii {
        return word.to_owned();
    }
    word.chars()
        .map(|c| match c {
            '≤' => g.at_most,
            '≥' => g.at_least,
            '±' => '~',
            '…' => g.ellipsis,
            c => c,
        })
        .collect()
}
