//! How scores are shown: in which unit, and from whose view. Every number with a viewpoint is written through a
//! [`Scores`], which knows from whose view its numbers are given.

use super::number;
use crate::engine::{Reader, other_side};
use crate::game::{Game, Scale, Score, Side};
use crate::search::Estimate;
use crate::tree::{Bound, NodeId, Proof, Tree};

/// The unit in which scores are shown. A toy tree's scores are always in the unit of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unit {
    /// Pawns, `+0.42`.
    #[default]
    Pawns,
    /// The expected score from −1 to +1, `+0.12`.
    Expected,
    /// Percentages of won, drawn and lost games, `46/38/16`: see [`Outcomes`].
    Outcomes,
    /// As reports write them: scores in pawns, the means of beliefs as expected scores.
    Mixed,
}

impl Unit {
    /// The units that may be chosen on the screen.
    pub const SHOWN: [Unit; 3] = [Unit::Pawns, Unit::Expected, Unit::Outcomes];

    /// Returns its name in the configuration.
    pub fn id(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected => "expected",
            Unit::Outcomes => "wdl",
            Unit::Mixed => "mixed",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected => "expected score",
            Unit::Outcomes => "win/draw/loss",
            Unit::Mixed => "pawns and expected scores",
        }
    }

    /// Returns the heading of a column of such scores, in at most seven characters.
    pub fn heading(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected | Unit::Mixed => "score",
            Unit::Outcomes => "W/D/L %",
        }
    }
}

/// From whose view scores are shown. A toy tree's scores are always from Max's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Viewpoint {
    #[default]
    White,
    /// The side to move at the root of the search.
    Root,
    /// The side whose move leads to the node; at the root, the side to move.
    Mover,
    /// The side to move at the node, as in reports.
    Own,
}

impl Viewpoint {
    /// The viewpoints that may be chosen on the screen.
    pub const SHOWN: [Viewpoint; 3] = [Viewpoint::White, Viewpoint::Root, Viewpoint::Mover];

    /// Returns its name in the configuration.
    pub fn id(self) -> &'static str {
        match self {
            Viewpoint::White => "white",
            Viewpoint::Root => "root",
            Viewpoint::Mover => "mover",
            Viewpoint::Own => "own",
        }
    }
}

/// A unit and a viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Lens {
    pub unit: Unit,
    pub viewpoint: Viewpoint,
}

impl Lens {
    /// The lens of the command line's reports: from the view of the side to move at the node.
    pub const REPORT: Lens = Lens {
        unit: Unit::Mixed,
        viewpoint: Viewpoint::Own,
    };

    /// The lens of the command line's lists of moves and of the differences between them: from the view of the side that
    /// plays the move.
    pub const ROWS: Lens = Lens {
        unit: Unit::Mixed,
        viewpoint: Viewpoint::Mover,
    };

    /// Returns the viewpoint for a game with this scale.
    fn viewpoint(self, scale: Scale) -> Viewpoint {
        match (scale, self.unit) {
            (Scale::Linear { .. }, unit) if unit != Unit::Mixed => Viewpoint::White,
            _ => self.viewpoint,
        }
    }

    /// Returns the unit and the viewpoint in words for the header: `pawns, White's view`. `root` is the name of the
    /// side to move at the root.
    pub fn words(self, scale: Scale, root: &str) -> String {
        let view = self.view_words(scale, root);
        match scale {
            Scale::Linear { .. } => format!("file's unit, {view}"),
            Scale::Logistic => format!("{}, {view}", self.unit.name()),
        }
    }

    /// Returns the viewpoint in words: `White's view`, `root's view (Black)`.
    pub fn view_words(self, scale: Scale, root: &str) -> String {
        match (scale, self.viewpoint) {
            (Scale::Linear { .. }, _) => "Max's view".to_owned(),
            (_, Viewpoint::White) => "White's view".to_owned(),
            (_, Viewpoint::Root) => format!("root's view ({root})"),
            (_, Viewpoint::Mover) => "mover's view".to_owned(),
            (_, Viewpoint::Own) => "view of the side to move".to_owned(),
        }
    }

    /// Returns what heads a column of scores.
    pub fn heading(self, scale: Scale) -> &'static str {
        match scale {
            Scale::Linear { .. } => "value",
            Scale::Logistic => self.unit.heading(),
        }
    }

    /// Returns how scores are written that are given from one side's view.
    pub fn scores(self, scale: Scale, given: Given) -> Scores {
        let side = match self.viewpoint(scale) {
            Viewpoint::White => Side::White,
            Viewpoint::Root => given.root,
            Viewpoint::Mover => given.mover,
            Viewpoint::Own => given.by,
        };
        Scores {
            scale,
            unit: self.unit,
            side,
            turned: side != given.by,
            step: given.later && self.viewpoint(scale) != Viewpoint::Own,
            tight: false,
        }
    }

    /// Returns how scores are written that are given from the view of the side to move at a node.
    pub fn at(self, reader: &Reader, node: NodeId) -> Scores {
        let root = reader.subject.position.turn();
        let inner = node != Tree::ROOT && reader.tree.contains(node);
        let by = if inner { side_at(reader, node) } else { root };
        let given = Given {
            by,
            mover: if inner { by.other() } else { by },
            root,
            later: inner,
        };
        self.scores(reader.scale(), given)
    }

    /// Returns how the scores of a move are written that are given from the view of the side that plays it at a node.
    /// For `NONE`, the root's scores, from the view of the side to move.
    pub fn of_moves(self, reader: &Reader, at: NodeId) -> Scores {
        let by = if reader.tree.contains(at) {
            side_at(reader, at)
        } else {
            reader.subject.position.turn()
        };
        self.scores(
            reader.scale(),
            Given::by(by, reader.subject.position.turn()),
        )
    }
}

fn side_at(reader: &Reader, node: NodeId) -> Side {
    let turn = reader.subject.position.turn();
    match reader.tree.ply(node) % 2 {
        0 => turn,
        _ => turn.other(),
    }
}

/// From whose view a score is given, and who the other viewpoints are.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The side from whose view it is given.
    pub by: Side,
    /// The side whose move it is about.
    pub mover: Side,
    /// The side to move at the root.
    pub root: Side,
    /// Whether it is given after that move, so that a mate is a ply further off as seen by the mover.
    pub later: bool,
}

impl Given {
    /// The score of the last of so many moves from the root, given by the side that plays it; of none, that of the root.
    pub fn after(moves: usize, root: Side) -> Given {
        let mover = match moves % 2 {
            0 if moves > 0 => root.other(),
            _ => root,
        };
        Given::by(mover, root)
    }

    /// The score of a position, given by the side to move there, where no move leads to it.
    pub fn here(turn: Side) -> Given {
        Given::by(turn, turn)
    }

    /// The score of a move, given by the side that plays it.
    pub fn by(mover: Side, root: Side) -> Given {
        Given {
            by: mover,
            mover,
            root,
            later: false,
        }
    }
}

/// Writes scores that are given from one side's view, in the unit and from the view of a lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    pub scale: Scale,
    unit: Unit,
    /// The side from whose view they are shown.
    side: Side,
    /// Whether that is the other side than the one from whose view they are given.
    turned: bool,
    /// Whether mates are shown a ply further off than they are given.
    step: bool,
    /// Whether they are written for a column: without the zero before the point.
    tight: bool,
}

impl Scores {
    /// Returns scores as reports write them, from the view from which they are given.
    pub fn plain(scale: Scale) -> Scores {
        let by = Given::by(Side::White, Side::White);
        Lens::REPORT.scores(scale, by)
    }

    /// Returns the side from whose view they are shown.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Whether they are shown from the other view than they are given.
    pub fn is_turned(&self) -> bool {
        self.turned
    }

    /// Returns the unit, or `None` for a toy tree's own.
    pub fn unit(&self) -> Option<Unit> {
        match self.scale {
            Scale::Logistic => Some(self.unit),
            Scale::Linear { .. } => None,
        }
    }

    /// Whether scores and means are in different units.
    pub fn is_mixed(&self) -> bool {
        self.unit == Unit::Mixed
    }

    /// Returns the same for scores that are given as they are shown.
    #[must_use]
    pub fn as_shown(self) -> Scores {
        Scores {
            turned: false,
            step: false,
            ..self
        }
    }

    /// Returns the same for a column: `+.12`.
    #[must_use]
    pub fn tight(self) -> Scores {
        Scores {
            tight: true,
            ..self
        }
    }

    /// Returns the same with the unit that a best-first search computes with, where reports mix units.
    #[must_use]
    pub fn in_expected(self) -> Scores {
        match self.unit {
            Unit::Mixed => Scores {
                unit: Unit::Expected,
                ..self
            },
            _ => self,
        }
    }

    /// Returns a score as it is seen.
    pub fn seen(&self, score: Score) -> Score {
        match (self.step, self.turned) {
            (false, false) => score,
            (false, true) => -score,
            (true, true) => score.one_ply_up(),
            (true, false) => -score.one_ply_up(),
        }
    }

    /// Returns an expected score as it is seen.
    pub fn seen_mean(&self, mean: f32) -> f32 {
        if self.turned { -mean } else { mean }
    }

    pub fn seen_bound(&self, bound: Bound) -> Bound {
        if self.turned {
            other_side(bound)
        } else {
            bound
        }
    }

    /// Returns a window as it is seen: [α, β] of one side is [−β, −α] of the other.
    pub fn seen_window(&self, alpha: Score, beta: Score) -> (Score, Score) {
        if self.turned {
            (self.seen(beta), self.seen(alpha))
        } else {
            (self.seen(alpha), self.seen(beta))
        }
    }

    pub fn seen_proof(&self, proof: Proof) -> Proof {
        let (lower, upper) = self.seen_window(proof.lower, proof.upper);
        Proof { lower, upper }
    }

    /// Writes a score; a win or a loss as `#3`, `−#3` in any unit.
    pub fn score(&self, score: Score) -> String {
        let seen = self.seen(score);
        let plain = |text: String| self.tightened(text);
        match self.unit() {
            Some(Unit::Expected) if !seen.is_decided() => {
                plain(number::expected(self.scale.expected(seen)))
            }
            Some(Unit::Outcomes) if !seen.is_decided() => {
                Outcomes::of(self.scale.expected(seen), 0.0).to_string()
            }
            _ => number::score(self.scale, seen),
        }
    }

    /// Writes an expected score.
    pub fn mean(&self, mean: f32) -> String {
        self.outcome(mean, 0.0, false)
    }

    /// Writes the mean of an estimate, whose spread counts where the unit is the share of games won, drawn and lost.
    pub fn mean_of(&self, estimate: Estimate) -> String {
        self.outcome(estimate.mean, estimate.sd.unwrap_or(0.0), false)
    }

    /// Writes an expected score with a standard deviation. `told` says that they are those of games won, drawn and lost
    /// themselves, as an engine tells them, and not of an expectation of how games end.
    pub fn outcome(&self, mean: f32, sd: f32, told: bool) -> String {
        let seen = self.seen_mean(mean);
        match (self.scale, self.unit) {
            (Scale::Linear { range, .. }, _) => number::units(self.scale, seen * range),
            (_, Unit::Pawns) if seen.abs() >= 1.0 => {
                let certain = if seen > 0.0 {
                    Score::SOME_WIN
                } else {
                    Score::SOME_LOSS
                };
                number::score(self.scale, certain)
            }
            (_, Unit::Pawns) => number::score(self.scale, self.scale.score(seen)),
            (_, Unit::Expected | Unit::Mixed) => self.tightened(number::expected(seen)),
            (_, Unit::Outcomes) if told => Outcomes::told(seen, sd).to_string(),
            (_, Unit::Outcomes) => Outcomes::of(seen, sd).to_string(),
        }
    }

    /// Writes a standard deviation of the expected score around a mean, without a sign: in pawns half the distance
    /// between the scores one standard deviation below and above the mean. `None` for shares of games, which have none.
    pub fn spread(&self, mean: f32, sd: f32) -> Option<String> {
        Some(match (self.scale, self.unit) {
            (Scale::Linear { range, .. }, _) => {
                let text = number::units(self.scale, sd * range);
                text.trim_start_matches('+').to_owned()
            }
            (_, Unit::Outcomes) => return None,
            (_, Unit::Pawns) => {
                let half = (self.pawns(mean + sd) - self.pawns(mean - sd)) / 2.0;
                self.amount_of(half)
            }
            _ => self.amount_of(sd),
        })
    }

    /// Writes how far two expected scores are apart, without a sign.
    pub fn apart(&self, high: f32, low: f32) -> String {
        match (self.scale, self.unit) {
            (Scale::Linear { range, .. }, _) => {
                let text = number::units(self.scale, (high - low).abs() * range);
                text.trim_start_matches('+').to_owned()
            }
            (_, Unit::Pawns) => self.amount_of((self.pawns(high) - self.pawns(low)).abs()),
            (_, Unit::Outcomes) => format!("{:.2} of expected score", (high - low).abs()),
            _ => self.amount_of((high - low).abs()),
        }
    }

    fn pawns(&self, mean: f32) -> f32 {
        const CERTAIN: f32 = 0.999;
        self.scale
            .units(self.scale.score(mean.clamp(-CERTAIN, CERTAIN)))
    }

    fn amount_of(&self, amount: f32) -> String {
        // A column has room for three characters.
        let text = match self.tight && amount >= 0.995 {
            true => format!("{amount:.1}"),
            false => format!("{amount:.2}"),
        };
        match text.strip_prefix("0.").filter(|_| self.tight) {
            Some(decimals) => format!(".{decimals}"),
            None => text,
        }
    }

    fn tightened(&self, text: String) -> String {
        if self.tight && text.len() > 3 {
            text.replacen("0.", ".", 1)
        } else {
            text
        }
    }

    /// Writes a margin given in the score's integer unit, without a sign. It is always in pawns, as the rules have it.
    pub fn amount(&self, units: i32) -> String {
        let text = number::amount(self.scale, units);
        match self.unit() {
            Some(Unit::Expected | Unit::Outcomes) => format!("{text} pawns"),
            _ => text,
        }
    }

    /// Writes how far two scores are apart; empty if they are not, or one of them is a win or a loss.
    pub fn distance(&self, one: Score, other: Score) -> String {
        let off = (i32::from(one.raw()) - i32::from(other.raw())).abs();
        if off == 0 || one.is_decided() || other.is_decided() {
            return String::new();
        }
        match self.unit() {
            Some(Unit::Expected | Unit::Outcomes) => {
                self.apart(self.scale.expected(one), self.scale.expected(other))
            }
            _ => number::amount(self.scale, off),
        }
    }

    /// Writes a window; open ends are infinite.
    pub fn window(&self, alpha: Score, beta: Score, between: &str) -> String {
        // An open end is no mate, so it is not a ply nearer or farther in another view.
        let open = (alpha <= Score::LOSS, beta >= Score::WIN);
        let (low_open, high_open) = match self.turned {
            true => (open.1, open.0),
            false => open,
        };
        let (alpha, beta) = self.seen_window(alpha, beta);
        let shown = self.as_shown();
        let low = match low_open {
            true => "−∞".to_owned(),
            false => shown.score(alpha),
        };
        let high = match high_open {
            true => "+∞".to_owned(),
            false => shown.score(beta),
        };
        format!("{low}{between}{high}")
    }

    /// Writes a score with the sign of a bound: `≤ +0.09`. Of a mate it is the number of moves that is bounded: a mate in at
    /// most two moves, which is worth at least that much, is `≤ #2`, and `≤ −#2` seen from the other side.
    pub fn bounded(&self, bound: Bound, score: Score) -> String {
        let bound = match self.seen(score).is_win() {
            true => other_side(bound),
            false => bound,
        };
        format!("{}{}", self.sign(bound), self.score(score))
    }

    /// Returns the sign of a bound with the blank after it.
    pub fn sign(&self, bound: Bound) -> &'static str {
        match (self.seen_bound(bound), self.tight) {
            (Bound::Lower, false) => "≥ ",
            (Bound::Upper, false) => "≤ ",
            (Bound::Lower, true) => "≥",
            (Bound::Upper, true) => "≤",
            (Bound::Exact | Bound::None, _) => "",
        }
    }

    /// Returns `at least` for a lower bound; seen from the other side it is an upper bound.
    pub fn at_least(&self) -> &'static str {
        if self.turned { "at most" } else { "at least" }
    }

    pub fn at_most(&self) -> &'static str {
        if self.turned { "at least" } else { "at most" }
    }

    pub fn above(&self) -> &'static str {
        if self.turned { "below" } else { "above" }
    }

    pub fn below(&self) -> &'static str {
        if self.turned { "above" } else { "below" }
    }

    /// Returns the name of the node's alpha, which the other side calls beta.
    pub fn alpha(&self) -> &'static str {
        if self.turned { "beta" } else { "alpha" }
    }

    /// Returns the name of the node's beta, which the other side calls alpha.
    pub fn beta(&self) -> &'static str {
        if self.turned { "alpha" } else { "beta" }
    }

    /// Returns the sign with which a margin is added to a score.
    pub fn plus(&self) -> char {
        if self.turned { '−' } else { '+' }
    }

    pub fn minus(&self) -> char {
        if self.turned { '+' } else { '−' }
    }

    /// Returns the name of these numbers in a sentence. Where units are mixed it is `mixed`.
    pub fn noun(&self, mixed: &'static str) -> &'static str {
        match (self.scale, self.unit) {
            (_, Unit::Mixed) => mixed,
            (Scale::Logistic, Unit::Expected) => "expected score",
            (Scale::Logistic, Unit::Outcomes) => "win/draw/loss",
            (_, Unit::Pawns) | (Scale::Linear { .. }, _) => "value",
        }
    }
}

/// How many games in a hundred are won, drawn and lost.
///
/// An expected score e in [−1, +1] leaves the draws open. plyscope takes (1 − e²) / 2 for their share, the simplest
/// share that vanishes at a certain win or loss: that of a game decided by two even chances, each won with probability
/// (1 + e) / 2, and drawn if each side has one of them. For a belief this is averaged over its distribution, which
/// leaves 1 − mean² − sd² in place of 1 − e², so that a sharp position has fewer draws than a quiet one of the same
/// expected score. What an engine tells about wins, draws and losses is taken as told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcomes {
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
}

impl Outcomes {
    /// Returns the shares for an expected score with this mean and standard deviation.
    pub fn of(mean: f32, sd: f32) -> Outcomes {
        Outcomes::with(mean, (1.0 - mean * mean - sd * sd) / 2.0)
    }

    /// Returns the shares from the mean and standard deviation of the results themselves.
    pub fn told(mean: f32, sd: f32) -> Outcomes {
        Outcomes::with(mean, 1.0 - mean * mean - sd * sd)
    }

    fn with(mean: f32, draw: f32) -> Outcomes {
        let mean = mean.clamp(-1.0, 1.0);
        let draw = draw.clamp(0.0, 1.0 - mean.abs());
        Outcomes {
            win: (1.0 + mean - draw) / 2.0,
            draw,
            loss: (1.0 - mean - draw) / 2.0,
        }
    }
}

impl std::fmt::Display for Outcomes {
    /// Writes whole percentages that add up to 100.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |share: f32| (share * 100.0).round() as i32;
        // The draws take up what rounding leaves, so that turning the view only swaps the ends.
        let (win, loss) = (percent(self.win), percent(self.loss));
        let (win, loss) = match win + loss {
            // Both were rounded up.
            101.. if self.win > self.loss => (win, 100 - win),
            101.. => (100 - loss, loss),
            _ => (win, loss),
        };
        write!(f, "{win}/{}/{loss}", 100 - win - loss)
    }
}

#[cfg(test)]
mod tests;
