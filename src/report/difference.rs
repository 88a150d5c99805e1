//! Describes in words how columns differ about a move.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::lens::{Given, Lens, Scores, Unit};
use super::number;
use super::why::sentence::with_view_at;
use super::why::{brief_with, proven_words, why_fate};
use game::{Game, MoveCode, Side};
use session::{Source, unrecorded_view};
use studies::compare::{Apart, Difference, Found, Merged, MergedCell, MergedRow, Stake};
use text::sanitise;
use tree::{Bound, Fate, NodeView, Proof};

/// The maximum length of the short form in characters.
pub const SHORT: usize = 24;

/// Returns one sentence about a difference at the last move of a path, with the columns' names (or their numbers if
/// they have none) and the deciding numbers (`1.e4 e5 2.Qh5: best for distress (+0.12), not searched by alpha-beta:
/// …`), and how the difference compares to the joint uncertainty of the two values (`0.34 apart, 2.1 σ`). The sentence
/// states from whose view its scores are. They are expected scores, or in a toy tree values in its unit; in the reason why
/// something was not searched they are the search's own.
pub fn sentence(merged: &Merged, path: &[MoveCode], found: &Found, names: &[String]) -> String {
    Lens::MOVER.difference(merged, path, found, names)
}

/// Returns one sentence about what a difference at the last move of a path puts at stake at the root (`If distress believed
/// alpha-beta, it would play d4 and score 0.12 less.`), or `None` if the root does not depend on it.
pub fn at_stake(
    merged: &Merged,
    path: &[MoveCode],
    difference: &Difference,
    stake: &Stake,
    names: &[String],
) -> Option<String> {
    Lens::MOVER.at_stake(merged, path, difference, stake, names)
}

impl Lens {
    /// Describes a difference like [`sentence`], with scores as seen through the lens.
    pub fn difference(
        self,
        merged: &Merged,
        path: &[MoveCode],
        found: &Found,
        names: &[String],
    ) -> String {
        let told = Told::new(self, merged, path, merged.row(path).map(Cow::Owned));
        let text = told.sentence(found, &Names(names));
        sanitise(&format!("{}: {text}", merged.line(path)))
    }

    /// Describes what is at stake like [`at_stake`], with scores as seen through the lens.
    pub fn at_stake(
        self,
        merged: &Merged,
        path: &[MoveCode],
        difference: &Difference,
        stake: &Stake,
        names: &[String],
    ) -> Option<String> {
        let told = Told::new(self, merged, path, None);
        let names = Names(names);
        let by = told.distance(stake.size());
        // A change that rounds to nothing is none.
        if !by.contains(|c: char| ('1'..='9').contains(&c)) {
            return None;
        }
        let (one, other) = difference.columns();
        let believed = if stake.column == one { other } else { one };
        let way = if stake.change > 0.0 { "more" } else { "less" };
        let play = stake.instead.map_or_else(String::new, |code| {
            format!("play {} and ", merged.label(&[], code))
        });
        let text = format!(
            "If {} believed {}, it would {play}expect {by} {way} at the root.",
            names.of(stake.column),
            names.of(believed),
        );
        Some(sanitise(&text))
    }
}

/// Returns how many times the joint uncertainty two values are apart (`2.1 σ`).
pub fn sigmas(apart: Apart) -> String {
    match apart.sigmas() {
        n if n.is_infinite() => "no spread".to_owned(),
        n => format!("{n:.1} σ"),
    }
}

/// The names of columns; one without a name has its number.
struct Names<'a>(&'a [String]);

impl Names<'_> {
    fn of(&self, column: usize) -> String {
        match self.0.get(column) {
            Some(name) => name.clone(),
            None => (column + 1).to_string(),
        }
    }
}

/// Returns a difference in at most [`SHORT`] characters, beginning with the letter of its kind and the numbers of its
/// columns, from 1 (`P1 futile −1.68 < −0.95`, `V1 +0.31, 2 −0.05`). Scores are from the view of the side that plays
/// the move.
pub fn short(merged: &Merged, path: &[MoveCode], difference: &Difference) -> String {
    let number = |column: usize| (column + 1).to_string();
    let row = merged.row(path).map(Cow::Owned);
    let told = Told::new(Lens::MOVER, merged, path, row).short(difference, number);
    let text = sanitise(&format!("{}{told}", difference.kind().letter()));
    if text.chars().count() <= SHORT {
        return text;
    }
    let begun: String = text.chars().take(SHORT - 1).collect();
    format!("{}…", begun.trim_end())
}

/// Returns the short form at full length and without the letter, for a row that has already been read, with the names
/// given to the columns.
pub fn short_of(
    lens: Lens,
    merged: &Merged,
    path: &[MoveCode],
    row: &MergedRow,
    difference: &Difference,
    name: impl Fn(usize) -> String,
) -> String {
    let told = Told::new(lens, merged, path, Some(Cow::Borrowed(row)));
    sanitise(&told.short(difference, name))
}

/// A move and what the columns say about it.
struct Told<'a> {
    lens: Lens,
    /// Writes scores that are given by the side that plays the move.
    scores: Scores,
    merged: &'a Merged<'a>,
    path: &'a [MoveCode],
    row: Option<Cow<'a, MergedRow>>,
}

impl<'a> Told<'a> {
    fn new(
        lens: Lens,
        merged: &'a Merged<'a>,
        path: &'a [MoveCode],
        row: Option<Cow<'a, MergedRow>>,
    ) -> Self {
        let root = merged
            .situation(&[])
            .map_or(Side::White, |s| s.position.turn());
        Told {
            lens,
            scores: lens.scores(merged.scale(), Given::after(path.len(), root)),
            merged,
            path,
            row,
        }
    }

    fn before(&self) -> &'a [MoveCode] {
        &self.path[..self.path.len().saturating_sub(1)]
    }

    fn cell(&self, column: usize) -> Option<&MergedCell> {
        self.row.as_ref()?.cells.get(column)?.as_ref()
    }

    fn sentence(&self, found: &Found, names: &Names) -> String {
        let name = |column: usize| names.of(column);
        match found.difference {
            Difference::PrunedHereBestThere { here, there, fate } => format!(
                "best for {}{}, not searched by {}: {}{}",
                name(there),
                self.value(there).map_or_else(String::new, |v| format!(" ({v})")),
                name(here),
                self.reason(here, fate),
                self.cost(found, &name(here), &name(there)),
            ),
            Difference::Contradiction {
                one,
                other,
                one_proof,
                other_proof,
            } => self.with_view(format!(
                "{} has proven {}, {} has proven {}; one of them is wrong, or holds only on its path.",
                name(one),
                self.proof(one_proof),
                name(other),
                self.proof(other_proof)
            )),
            Difference::ProvenHere { here, there, proof } => self.with_view(format!(
                "{} has proven {}, {} has not: {}{}.",
                name(here),
                self.proof(proof),
                name(there),
                self.value(there).unwrap_or_else(|| "no value".into()),
                self.judged(found).map_or_else(String::new, |words| format!("; {words}"))
            )),
            Difference::Value { high, low, by } => self.with_view(format!(
                "{} for {}, {} for {}: {}.",
                self.known(high),
                name(high),
                self.known(low),
                name(low),
                self.judged(found)
                    .unwrap_or_else(|| format!("{} apart", self.apart(high, low, by)))
            )),
            Difference::BestReply {
                one,
                other,
                one_reply,
                other_reply,
            } => format!(
                "the best reply is {} for {}, {} for {}{}.",
                self.reply(one_reply),
                name(one),
                self.reply(other_reply),
                name(other),
                self.judged(found)
                    .map_or_else(String::new, |words| format!("; the two are {words}"))
            ),
            Difference::NotVisited { here, there, share } => format!(
                "not visited by {}; {}.{}",
                name(here),
                self.spent(&name(there), there, share),
                self.cost(found, &name(here), &name(there)),
            ),
        }
    }

    /// Returns how far the two values are apart, beside their joint uncertainty.
    fn judged(&self, found: &Found) -> Option<String> {
        let apart = found.apart.filter(|apart| apart.by > 0.0)?;
        let by = match found.difference {
            Difference::Value { high, low, by } => self.apart(high, low, by),
            _ => self.distance(apart.by),
        };
        let joint = self.distance(apart.joint);
        let sigmas = sigmas(apart);
        Some(match (found.flagged, apart.joint > 0.0) {
            (true, true) => format!("{by} apart, {sigmas} (joint uncertainty {joint})"),
            (true, false) => format!("{by} apart; neither value has a spread"),
            (false, _) => format!("{by} apart, {sigmas}, within the joint uncertainty of {joint}"),
        })
    }

    /// Returns a second sentence: how much better the move is than what `here` plays, by the values of `there`.
    fn cost(&self, found: &Found, here: &str, there: &str) -> String {
        let words = self.judged(found);
        words.map_or_else(String::new, |words| {
            format!(" For {there} it is better than what {here} plays: {words}.")
        })
    }

    fn short(&self, difference: &Difference, name: impl Fn(usize) -> String) -> String {
        let (first, second) = difference.columns();
        let (a, b) = (name(first), name(second));
        match *difference {
            Difference::PrunedHereBestThere { fate, .. } => {
                let view = self.skipped(first, fate);
                let reason = view.map(|view| brief_with(&view, &self.scores, None));
                format!("{a} {}", reason.unwrap_or_default())
            }
            Difference::Contradiction {
                one_proof,
                other_proof,
                ..
            } => format!(
                "{a} {}, {b} {}",
                self.proof(one_proof),
                self.proof(other_proof)
            ),
            Difference::ProvenHere { proof, .. } => {
                format!("{a} {}, {b} open", self.proof(proof))
            }
            Difference::Value { .. } => {
                format!("{a} {}, {b} {}", self.known(first), self.known(second))
            }
            Difference::BestReply {
                one_reply,
                other_reply,
                ..
            } => format!(
                "{a} {}, {b} {}",
                self.reply(one_reply),
                self.reply(other_reply)
            ),
            Difference::NotVisited { share, .. } => {
                let share = share.map_or_else(|| "best".into(), number::percent);
                format!("{a} unvisited, {b} {share}")
            }
        }
    }

    /// Returns why a column did not search the move, phrased to continue a sentence.
    fn reason(&self, column: usize, fate: Fate) -> String {
        let known = self.merged.reader(column).zip(self.skipped(column, fate));
        let text = known.map_or_else(String::new, |(reader, view)| {
            why_fate(self.lens, reader, view)
        });
        match text.strip_prefix("Not searched: ") {
            Some(rest) => rest.to_owned(),
            None => text,
        }
    }

    /// Returns the move in its column's tree, with the fate named by the difference.
    fn skipped(&self, column: usize, fate: Fate) -> Option<NodeView> {
        let reader = self.merged.reader(column)?;
        let parent = self.merged.node(column, self.before())?;
        Some(match self.merged.node(column, self.path) {
            Some(id) => NodeView {
                fate,
                ..reader.view(id)
            },
            None => unrecorded_view(parent, *self.path.last()?, fate),
        })
    }

    /// Returns what a column expects, with a sign if it is a bound.
    fn value(&self, column: usize) -> Option<String> {
        let cell = self.cell(column)?;
        let mean = cell.expected()?;
        let sign = self.scores.sign(cell.verdict.bound.unwrap_or(Bound::Exact));
        let belief = cell.belief.as_ref().filter(|b| b.is_distribution());
        let sd = belief.map_or(0.0, |b| b.sd);
        let told = belief.is_some_and(|b| b.source == Source::Outcomes);
        Some(format!("{sign}{}", self.scores.outcome(mean, sd, told)))
    }

    /// Returns what a column has proven, or else what it expects.
    fn known(&self, column: usize) -> String {
        let proof = self.cell(column).map(|cell| cell.view.proof);
        match proof.filter(|p| p.is_win() || p.is_loss()) {
            Some(proof) => self.proof(proof),
            None => self.value(column).unwrap_or_else(|| "–".into()),
        }
    }

    /// Returns a distance of expected scores from 0, without a sign.
    fn distance(&self, by: f32) -> String {
        self.scores.apart(by, 0.0)
    }

    /// Returns how far two columns' expected scores are apart, without a sign.
    fn apart(&self, high: usize, low: usize, by: f32) -> String {
        let expected = |column| self.cell(column).and_then(MergedCell::expected);
        // Pawns are not evenly spaced on the expected score.
        let (low, high) = match (expected(low), expected(high)) {
            (Some(low), Some(high)) if self.scores.unit() == Some(Unit::Pawns) => (low, high),
            _ => (0.0, by),
        };
        self.scores.apart(high, low)
    }

    fn proof(&self, proof: Proof) -> String {
        proven_words(proof, &self.scores)
    }

    fn reply(&self, code: MoveCode) -> String {
        self.merged.label(self.path, code)
    }

    fn spent(&self, name: &str, column: usize, share: Option<f32>) -> String {
        let best = self.cell(column).is_some_and(|cell| cell.is_best);
        let share = share.map(|s| format!("gave it {} of its work", number::percent(s)));
        match (best, share) {
            (true, Some(share)) => format!("{name} holds it best and {share}"),
            (false, Some(share)) => format!("{name} {share}"),
            (_, None) => format!("{name} holds it best"),
        }
    }

    /// Appends from whose view the scores are.
    fn with_view(&self, text: String) -> String {
        match self.merged.situation(&[]) {
            Some(position) => with_view_at(&position, &self.scores, text),
            None => text,
        }
    }
}
