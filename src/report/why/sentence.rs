//! Builds the sentences.

use super::declared::capital;
use super::external::external;
use super::proven_in_full;
use crate::lens::{Lens, Scores, Unit};
use crate::number;
use game::{Ending, Game, MoveCode, Scale, Score};
use search::Term;
use search::explanation::Unit as TermUnit;
use session::{NodeBelief, Policy, Reader, Source, Subject};
use tree::{Bound, Fate, NodeId, NodeView, Tree, Window};

/// Explains one node, or one move without a node.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) view: NodeView,
    pub(super) scale: Scale,
    pub(super) lens: Lens,
    /// Writes the scores of the fate, which are from the view of the side to move where it was given.
    pub(super) scores: Scores,
    /// Whether the node's other figures may be used, because they are those with which the fate was given.
    pub(super) now: bool,
}

impl<'a> Teller<'a> {
    /// Whether the game is chess, in whose words captures are told.
    pub(super) fn is_chess(&self) -> bool {
        self.reader.subject.position.as_chess().is_some()
    }

    /// Creates a teller; `view` is from the node's own view.
    pub(super) fn new(lens: Lens, reader: &'a Reader<'a>, view: NodeView) -> Self {
        // What is said of a move without a node is given where it could have been played.
        let scores = match view.fate.is_skip() || view.id.is_none() {
            true => lens.of_moves(reader, view.parent),
            false => lens.at(reader, view.id),
        };
        Teller {
            lens,
            scores,
            reader,
            view,
            scale: reader.scale(),
            now: false,
        }
    }

    pub(super) fn tell(&self) -> String {
        let teller = Teller { now: true, ..*self };
        teller.tell_all()
    }

    fn tell_all(&self) -> String {
        let mut text = self.reason();
        let more = [self.correction(), self.audit(), self.treatment()];
        for more in more.into_iter().flatten() {
            text.push(' ');
            text.push_str(&more);
        }
        if let Some(iterations) = self.iterations() {
            text.push(' ');
            text.push_str(&iterations);
        }
        text = self.with_view(text);
        if self.view.again {
            text.push_str(" Recorded by searching again when it was opened.");
        }
        text
    }

    /// Explains the fate alone, regardless of how the node's other figures have changed since.
    pub(super) fn tell_fate(&self) -> String {
        self.with_view(self.reason())
    }

    fn with_view(&self, text: String) -> String {
        match self.is_scored() {
            true => with_view(self.reader, &self.scores, text),
            false => text,
        }
    }

    /// Whether the sentence has scores, and therefore says from whose view they are.
    fn is_scored(&self) -> bool {
        let fate = self.view.fate;
        let scored = fate.info().scored || fate == Fate::Ended(Ending::Leaf);
        scored || self.now && self.view.audit().is_some()
    }

    /// Returns the node that gave the fate: the node itself or, for a move that was not searched, its parent.
    pub(super) fn decided_at(&self) -> NodeId {
        if self.view.fate.is_skip() {
            self.view.parent
        } else {
            self.view.id
        }
    }

    pub(super) fn score(&self, score: Score) -> String {
        self.scores.score(score)
    }

    /// Writes the node's expected score, with its noun.
    fn expected(&self, mean: f32) -> String {
        format!("{} {}", self.scores.noun(), self.mean(mean))
    }

    /// Writes the node's expected score, of whose belief the spread may count too.
    fn mean(&self, mean: f32) -> String {
        let belief = self.reader.belief(self.view.id);
        match belief.filter(NodeBelief::is_distribution) {
            Some(b) if self.now => self
                .scores
                .outcome(mean, b.sd, b.source == Source::Outcomes),
            _ => self.scores.mean(mean),
        }
    }

    /// Returns the name of a move at this node.
    pub(super) fn own_move(&self, code: MoveCode) -> String {
        self.reader.label(self.view.id, code)
    }

    /// Returns the name of a move at the parent: a sibling of this one.
    pub(super) fn sibling(&self, code: MoveCode) -> String {
        self.reader.label(self.view.parent, code)
    }

    fn reason(&self) -> String {
        if let Some(told) = external(self.reader, &self.view, &self.scores) {
            return told;
        }
        let fate = self.fate();
        let besides = self.told_besides(&fate);
        fate + &besides
    }

    /// Explains a move that was not searched by what its parent says.
    pub(super) fn unvisited(&self) -> String {
        if self.view.parent.is_none() {
            return "The search has not begun yet.".into();
        }
        let parent = self.reader.view(self.view.parent);
        let quiescence = parent.window.is_some_and(Window::is_quiescence);
        match parent.fate {
            Fate::StandPat { static_value, beta } => format!(
                "Not searched: the static value {} before it is already {} {} {}.",
                self.score(static_value),
                self.scores.at_least(),
                self.scores.beta(),
                self.score(beta)
            ),
            Fate::TableHit { .. } => {
                "Not searched: the transposition table knew the value of the position before it.".into()
            }
            Fate::Repetition { .. } => {
                "Not searched: the position before it is a draw by repetition.".into()
            }
            Fate::Ended(ending) => format!(
                "Not searched: the game had ended before it ({}).",
                super::ending_words(ending)
            ),
            fate if fate.is_frontier() => "Not visited: the position before it is not expanded yet.".into(),
            Fate::Interrupted => "Not searched: the search was stopped before it came to this move.".into(),
            Fate::Horizon { .. } => "Not searched: the depth ended before it.".into(),
            Fate::Tablebase(_) => {
                "Not searched: an endgame table knew the result of the position before it.".into()
            }
            Fate::KnownDraw { draw } => format!(
                "Not searched: the position before it is a known draw ({}).",
                draw.words()
            ),
            fate if fate.is_skip() => "Not searched: the move before it was skipped.".into(),
            _ if quiescence && !self.is_chess() => "Not searched: the depth ended before it.".into(),
            _ if quiescence => {
                "Not searched: beyond the depth only captures and promotions are tried (or every move out of check)."
                    .into()
            }
            _ => match self.policy() {
                Some(policy) => format!("Not visited yet: {policy}."),
                None => "Not visited yet.".into(),
            },
        }
    }

    pub(super) fn frontier(&self) -> String {
        match self.view.expected {
            Some(e) if self.view.leaf_depth > 0 => format!(
                "Searched by alpha-beta to depth {}, not expanded yet: {} after {}{}.",
                self.view.leaf_depth,
                self.expected(e),
                visits(self.view.visits),
                self.share()
            ),
            Some(e) => format!(
                "Evaluated, not expanded yet: {} after {}{}.",
                self.expected(e),
                visits(self.view.visits),
                self.share()
            ),
            None => "Waits for its evaluation.".into(),
        }
    }

    /// A leaf's null-window question and its answer. Both are told as they are seen: what is at most some value to the side
    /// to move is at least some value to the other side, and answers the opposite question.
    pub(super) fn asked(&self, bound: Bound, limit: Score, value: Score, depth: u8) -> String {
        let (limit, value) = (self.score(limit), self.score(value));
        let answered = match self.scores.seen(bound) {
            Bound::Upper => format!("beats {limit}: no, it is at most {value}"),
            _ => format!("reaches {limit}: yes, it is at least {value}"),
        };
        let expected = self.view.expected.map_or_else(String::new, |e| {
            format!(
                ": {} after {}{}",
                self.expected(e),
                visits(self.view.visits),
                self.share()
            )
        });
        format!(
            "Alpha-beta to depth {depth} was asked whether this {answered}. Not expanded yet{expected}."
        )
    }

    /// Returns how likely the move is to be best, or seemed before it was searched; in a search that knows neither, its part
    /// of the visits.
    fn policy(&self) -> Option<String> {
        let percent = number::percent(self.view.policy?);
        Some(match self.reader.policy()? {
            Policy::Best => format!("chance to be best {percent}"),
            Policy::Prior => format!("prior {percent}"),
            Policy::Visits => format!("{percent} of the visits at its parent"),
        })
    }

    /// Returns [`Teller::policy`] and, if the algorithm has one, the figure by which it allocates visits, with its name.
    fn share(&self) -> String {
        let mut text = String::new();
        if let Some(policy) = self.policy() {
            text.push_str(&format!(", {policy}"));
        }
        if let Some(Term { name, value, unit }) = self.reader.urgency(&self.view) {
            let figure = number::small(value as f32);
            let sign = if unit == TermUnit::Spread { "±" } else { "" };
            text.push_str(&format!(", {name} {sign}{figure}"));
        }
        text
    }

    /// For a root whose belief was backed up from all its moves: says why that belief is worth more than the best move.
    fn backed_up(&self) -> Option<String> {
        let at_root = self.view.id == Tree::ROOT && self.now;
        let belief = at_root.then(|| self.reader.backed_up()).flatten()?;
        let best = self.reader.best_single_mean()?;
        let scores = &self.scores;
        // As far apart as the two are that can be read.
        let written = |e: f32| match scores.unit() {
            Some(Unit::Expected) => (e * 100.0).round() / 100.0,
            _ => e,
        };
        let apart = scores.apart(written(best), written(belief.mean));
        let seen = scores.seen(belief.mean) - scores.seen(best);
        let (single, all) = (scores.mean(best), scores.mean(belief.mean));
        let what = match () {
            _ if single == all => "that there are several adds nothing".to_owned(),
            _ if seen > 0.0 => format!("that there are several adds {apart}"),
            _ => format!("that there are several takes off {apart}"),
        };
        Some(format!(
            " {all}: the best single move's mean is {single}; {what}."
        ))
    }

    pub(super) fn best_first(&self, best_code: MoveCode, searched: u8, moves: u8) -> String {
        let noun = self.scores.noun();
        let expected = self
            .view
            .expected
            .map_or_else(|| format!("{noun} unknown"), |e| self.expected(e));
        let best = if best_code == MoveCode::NONE {
            String::new()
        } else {
            format!(", best {}", self.own_move(best_code))
        };
        let visited = if searched < moves {
            format!("; {searched} of {moves} moves visited")
        } else {
            String::new()
        };
        let certain = super::proven::so_far(&self.view, &self.scores);
        let backed_up = self.backed_up().unwrap_or_default();
        if let Some(leaders) = self.leaders(best_code) {
            return format!("{certain}{leaders}{backed_up}");
        }
        let (from, share) = (visits(self.view.visits), self.share());
        if let Some(mean) = self.mean_beside_the_best() {
            return format!(
                "{certain}Expanded: {expected}{best}; the mean of {from} is {mean}{share}{visited}."
            );
        }
        format!("{certain}Expanded: {expected} from {from}{best}{share}{visited}.{backed_up}")
    }

    /// The mean of the root's visits, where that is written otherwise than the value of its best move, which is the root's.
    fn mean_beside_the_best(&self) -> Option<String> {
        let at_root = self.view.id == Tree::ROOT && self.now;
        let belief = at_root.then(|| self.reader.belief(Tree::ROOT)).flatten()?;
        let mean = (belief.source == Source::Visits).then(|| self.scores.mean(belief.mean))?;
        (self.scores.mean(self.view.expected?) != mean).then_some(mean)
    }

    pub(super) fn depth_first(
        &self,
        best: MoveCode,
        searched: u8,
        skipped: u8,
        moves: u8,
    ) -> String {
        // Another program need not tell the number of moves.
        let known = || {
            self.reader
                .move_count(self.view.id)
                .filter(|_| self.view.id != NodeId::NONE)
        };
        let moves = match moves {
            0 => known().map_or(0, |all| all.min(255) as u8),
            moves => moves,
        };
        let of_all = match moves {
            0 => plural(searched, "move"),
            moves => format!("{searched} of {}", plural(moves, "move")),
        };
        let Some(w) = self.view.window else {
            return format!("Expanded: {of_all} searched so far.");
        };
        let depth = match w.plies_left() {
            None => String::new(),
            Some(..=0) => " in quiescence".into(),
            Some(depth) => format!(" to depth {depth}"),
        };
        let skips = match skipped {
            0 => String::new(),
            n => format!(", {n} skipped"),
        };
        let tail = format!(
            "{of_all} searched{depth}{skips}, window {}",
            self.scores.window(w.alpha, w.beta, " to ")
        );
        let exact = self.view.wide.and_then(|wide| self.scores.wide(wide));
        let value = exact.unwrap_or_else(|| self.score(w.value));
        let named = (best != MoveCode::NONE).then(|| self.own_move(best));
        match (w.bound, named) {
            (Bound::None, _) => format!("Being searched: {tail}."),
            (Bound::Upper, _) => format!(
                "No move beat {} {}: the value is {} {value}; {tail}.",
                self.scores.alpha(),
                self.score(w.alpha),
                self.scores.at_most(),
            ),
            (Bound::Lower, Some(best)) => {
                let least = self.scores.at_least();
                format!("Value {least} {value}, from {best}; {tail}.")
            }
            (_, Some(best)) => format!("Value {value} comes from {best}; {tail}."),
            (_, None) => format!("Value {value}, better than any capture; {tail}."),
        }
    }

    pub(super) fn ended(&self, ending: Ending) -> String {
        let here = self.reader.situation(self.view.id);
        if let Some(verdict) = here.and_then(|at| at.position.verdict()) {
            return format!("{}.", capital(&verdict));
        }
        match ending {
            Ending::Checkmate => "Checkmate: the side to move has lost.".into(),
            Ending::Stalemate => "Stalemate: no legal move and no check, a draw.".into(),
            Ending::InsufficientMaterial => "A draw: neither side has the material to mate.".into(),
            Ending::FiftyMoves => {
                "A draw by the fifty-move rule: no capture and no pawn move for fifty moves.".into()
            }
            Ending::Lost => "The side to move has lost.".into(),
            Ending::Won => "The side to move has won.".into(),
            Ending::Drawn => "The game has ended in a draw.".into(),
            Ending::Leaf => match self.view.score {
                Some(value) => format!("A leaf with the exact value {}.", self.score(value)),
                None => "A leaf with an exact value.".into(),
            },
        }
    }

    pub(super) fn proven(&self, by: MoveCode, children: u8) -> String {
        let words = proven_in_full(self.view.proof, &self.scores);
        let proof = self.view.proof;
        if by == MoveCode::NONE {
            return format!("Proven: {words}, by {}.", plural(children, "move"));
        }
        let code = by;
        let by = self.own_move(by);
        let all = plural(children, "move");
        if proof.is_win() {
            format!("Proven {words}: {by} leaves no defence.")
        } else if proof.is_loss() && children == 1 {
            format!("Proven {words}: {by} is the only move.")
        } else if proof.is_loss() {
            let each = super::proven::losing(*self.reader, self.view.id, code);
            format!("Proven {words}: all {all} lose, {each}.")
        } else if proof.is_exact() && self.scale == Scale::Logistic {
            format!("Proven {words}: {by} holds it, and none of {all} wins.")
        } else {
            format!("Proven {words}: none of {all} is better than {by}.")
        }
    }

    /// Returns `3 of 31 moves`, or in quiescence, which does not search all of them, `3 moves`.
    pub(super) fn searched_of_all(&self, searched: u8) -> String {
        let quiescence = self.view.window.is_some_and(Window::is_quiescence);
        match self.reader.move_count(self.view.id) {
            Some(all) if !quiescence => {
                format!("{searched} of {}", plural(all.min(255) as u8, "move"))
            }
            _ => plural(searched, "move"),
        }
    }

    /// Formats the lower edge of a bin as a score.
    pub(super) fn edge(&self, bin: u8) -> String {
        let edges = self.reader.tree.grid().edges();
        let e = edges[usize::from(bin).min(edges.len() - 1)];
        match self.scores.unit() {
            None if e.abs() >= 1.0 => number::expected(self.scores.seen(e)),
            None => self.score(self.scale.score(e)),
            Some(_) => self.scores.mean(e),
        }
    }
}

/// Appends the side from whose view the scores are.
pub fn with_view(reader: &Reader, scores: &Scores, text: String) -> String {
    with_view_at(reader.subject, scores, text)
}

/// Appends the side from whose view the scores are, by its name in a position's game.
pub fn with_view_at(position: &Subject, scores: &Scores, mut text: String) -> String {
    let side = position.position.side_name(scores.side());
    text.truncate(text.trim_end_matches('.').len());
    text.push_str(&format!(" ({side}'s view)."));
    text
}

pub(super) fn repetition(times: u8, plies_back: u16) -> String {
    if times >= 2 {
        format!(
            "A draw by threefold repetition: the position stood {plies_back} plies ago and before."
        )
    } else {
        format!(
            "Counted as a draw by repetition: the position stood {plies_back} plies ago (a second time, not yet a third)."
        )
    }
}

pub fn bound_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Lower => "at least",
        Bound::Upper => "at most",
        Bound::Exact => "exactly",
        Bound::None => "about",
    }
}

pub fn plural(n: impl Into<u64>, what: &str) -> String {
    let n = n.into();
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        (_, None) => format!("{n} {what}s"),
    }
}

fn visits(n: u32) -> String {
    number::counted(n.into(), "visit")
}
