//! Marks moves by what they lose: in chess by lichess's formula, in other games by the expected score itself.

use super::Found;
use game::Sided as _;
use game::{Scale, Side};
use session::{MoveName, NodeValue};
use tree::Bound;

/// The expected score in which losses are counted, which determines the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// lichess's formula. It differs from e = tanh(cp / 360), which is used everywhere else in chess.
    Lichess,
    /// The expected score of a game that has one of its own.
    Expected,
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MarkKind {
    pub const ALL: [MarkKind; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the mark for a drop in expected score, or `None` for a small one.
    pub fn of(drop: f32) -> Option<MarkKind> {
        Self::ALL.into_iter().rev().find(|k| drop >= k.least())
    }

    /// Returns the smallest drop that earns the mark, in the game's [`Measure`].
    pub fn least(self) -> f32 {
        [0.1, 0.2, 0.3][self as usize]
    }

    /// Returns the numeric annotation glyph.
    pub fn nag(self) -> u8 {
        [6, 2, 4][self as usize]
    }

    /// Returns the usual symbol.
    pub fn sign(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }

    pub fn name(self) -> &'static str {
        ["inaccuracy", "mistake", "blunder"][self as usize]
    }
}

/// What a move cost, in the expected score of its game's [`Measure`] from the view of the side that played it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Never negative; 0 for the best move.
    pub drop: f32,
    /// Whether one of the two values is a bound, so that the move lost this much or more.
    pub at_least: bool,
    /// The value with best play.
    pub before: f32,
    /// The value after the move played.
    pub after: f32,
}

/// A move that lost something.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub kind: MarkKind,
    pub loss: Loss,
    /// The side that played it.
    pub mover: Side,
    pub played: MoveName,
    /// The move that the column would have played.
    pub best: MoveName,
}

/// The totals of one side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of moves that could be judged.
    pub moves: u32,
    /// The number of moves that could not be judged although both positions were searched: a value is missing or only a
    /// bound.
    pub unjudged: u32,
    /// By [`MarkKind`].
    pub marks: [u32; 3],
    /// The mean of [`Loss::drop`]; 0 without moves.
    pub mean_loss: f32,
}

const PER_CENTIPAWN: f32 = 0.003_682_08;

impl Measure {
    /// Returns the measure of a game with scores of this scale.
    pub fn of(scale: Scale) -> Measure {
        match scale {
            Scale::Logistic => Measure::Lichess,
            Scale::Linear(_) => Measure::Expected,
        }
    }

    /// Returns how it is computed, as text.
    pub fn words(self) -> &'static str {
        match self {
            Measure::Lichess => "w = 2 / (1 + exp(−0.00368208 cp)) − 1, mate ±1",
            Measure::Expected => "w = the expected score, from −1 to 1",
        }
    }

    /// Returns the value in this measure, from the same view. A best-first search has no centipawns, so they are computed from
    /// its expected score e = tanh(cp / 360).
    pub fn chances(self, value: &NodeValue) -> Option<f32> {
        match (value.score, self) {
            (Some(score), _) if score.is_win() => Some(1.0),
            (Some(score), _) if score.is_loss() => Some(-1.0),
            (_, Measure::Expected) => value.expected,
            // 2 / (1 + exp(-x)) - 1 = tanh(x / 2).
            (_, Measure::Lichess) => value.expected.map(|e| {
                let centipawns = Scale::CENTIPAWNS * e.clamp(-1.0, 1.0).atanh();
                (PER_CENTIPAWN * centipawns / 2.0).tanh()
            }),
        }
    }

    /// Returns the expected score that is used everywhere else for one in this measure: the inverse of [`Measure::chances`].
    pub fn expected(self, chances: f32) -> f32 {
        match self {
            _ if chances.abs() >= 1.0 => chances.signum(),
            Measure::Expected => chances,
            Measure::Lichess => {
                let centipawns = 2.0 * chances.atanh() / PER_CENTIPAWN;
                (centipawns / Scale::CENTIPAWNS).tanh()
            }
        }
    }
}

/// Returns what the move played between two successive positions lost. `None` if a value is missing, or is a bound that
/// says nothing about a loss (an upper bound before the move, or an upper bound for the opponent after it).
pub fn loss(before: &Found, after: &Found, played: &MoveName) -> Option<Loss> {
    let best = before.best.as_ref()?;
    let measure = Measure::of(before.scale);
    let chances = |found: &Found| measure.chances(&found.score);
    let (was, is) = (chances(before)?, chances(after)?.turned());
    if best.code == played.code {
        return Some(Loss {
            drop: 0.0,
            at_least: false,
            before: was,
            after: is,
        });
    }
    let bounds = [before.score.bound?, after.score.bound?];
    let says = |bound| matches!(bound, Bound::Exact | Bound::Lower);
    bounds.into_iter().all(says).then_some(Loss {
        drop: (was - is).max(0.0),
        at_least: bounds.contains(&Bound::Lower),
        before: was,
        after: is,
    })
}

/// Returns the mark for a move, if it deserves one: see [`loss`].
pub fn mark(before: &Found, after: &Found, played: &MoveName) -> Option<Mark> {
    let loss = loss(before, after, played)?;
    Some(Mark {
        kind: MarkKind::of(loss.drop)?,
        loss,
        mover: before.side,
        played: played.clone(),
        best: before.best.clone()?,
    })
}

/// Adds up each side's losses, White first; `None` is a move that cannot be judged.
pub fn tally(losses: impl IntoIterator<Item = (Side, Option<Loss>)>) -> [Tally; 2] {
    let mut tallies = [Tally::default(); 2];
    for (side, loss) in losses {
        let tally = &mut tallies[side as usize];
        let Some(loss) = loss else {
            tally.unjudged += 1;
            continue;
        };
        tally.moves += 1;
        tally.mean_loss += loss.drop;
        if let Some(kind) = MarkKind::of(loss.drop) {
            tally.marks[kind as usize] += 1;
        }
    }
    for tally in &mut tallies {
        tally.mean_loss /= tally.moves.max(1) as f32;
    }
    tallies
}
