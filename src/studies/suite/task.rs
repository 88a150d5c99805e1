//! The task of a position in a test suite, and whether an answer solves it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use game::load::Epd;
use game::{Game, MoveCode, notation};
use session::{Point, Summary};
use text::quote;

/// The task given by an EPD's operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What counts as solved.
    pub aim: Option<Aim>,
    /// Points for moves (`c0 "e4=10, d4=5"`); empty if there are none.
    pub points: Vec<(MoveCode, u32)>,
    /// The expected score for the side to move, if it is known.
    pub truth: Option<f32>,
}

/// What solves a position. If there are several operations, the first in this order decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// `bm`: one of these moves.
    Best(Vec<MoveCode>),
    /// `am`: any other move.
    Avoid(Vec<MoveCode>),
    /// `dm`: a mate in at most this many full moves, beginning with the chosen move. Negative: being mated in exactly
    /// that many.
    Mate(i32),
}

/// The operation from which an aim comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum AimKind {
    #[serde(rename = "bm")]
    Best,
    #[serde(rename = "am")]
    Avoid,
    #[serde(rename = "dm")]
    Mate,
}

impl AimKind {
    /// Returns the EPD opcode.
    pub fn opcode(self) -> &'static str {
        match self {
            AimKind::Best => "bm",
            AimKind::Avoid => "am",
            AimKind::Mate => "dm",
        }
    }
}

impl Task {
    /// Reads `bm`, `am`, `dm` and the points of `c0`; the task is `None` if there is none. Also returns one sentence
    /// for each part of the points that cannot be used.
    pub fn read(epd: &Epd) -> (Option<Task>, Vec<String>) {
        let (points, problems) = points(epd);
        let aim = aim(epd);
        let any = aim.is_some() || !points.is_empty();
        let task = Task {
            aim,
            points,
            truth: None,
        };
        (any.then_some(task), problems)
    }

    /// The task of a position whose value is known, and perhaps its best moves.
    pub fn labelled(truth: Option<f32>, best: Vec<MoveCode>) -> Task {
        Task {
            aim: (!best.is_empty()).then_some(Aim::Best(best)),
            points: Vec::new(),
            truth,
        }
    }

    pub fn kind(&self) -> Option<AimKind> {
        self.aim.as_ref().map(|aim| match aim {
            Aim::Best(_) => AimKind::Best,
            Aim::Avoid(_) => AimKind::Avoid,
            Aim::Mate(_) => AimKind::Mate,
        })
    }

    /// Returns the maximum number of points, or `None` if there are none.
    pub fn possible(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    /// Returns the points for a move.
    pub fn points_of(&self, best: Option<MoveCode>) -> Option<u32> {
        self.possible()?;
        let hit = self.points.iter().find(|(code, _)| Some(*code) == best);
        Some(hit.map_or(0, |(_, points)| *points))
    }
}

impl Aim {
    /// Whether a search's result solves the position.
    pub fn is_met(&self, summary: &Summary) -> bool {
        let Some(best) = summary.best.as_ref().map(|b| b.code) else {
            return false;
        };
        match self {
            Aim::Best(moves) => moves.contains(&best),
            Aim::Avoid(moves) => !moves.contains(&best),
            Aim::Mate(moves) => {
                let mate = summary.score.mate().map(i32::from);
                mate.is_some_and(|found| {
                    if *moves > 0 {
                        (1..=*moves).contains(&found)
                    } else {
                        found == *moves
                    }
                })
            }
        }
    }

    /// Whether the search already held its final opinion at this point. Points record which side mates but not how
    /// fast, so for a mate this is the final move with a decided value.
    pub fn is_met_at(&self, point: &Point, last: MoveCode) -> bool {
        match self {
            Aim::Best(moves) => moves.contains(&point.best),
            Aim::Avoid(moves) => point.best != MoveCode::NONE && !moves.contains(&point.best),
            Aim::Mate(moves) => {
                let decided = point
                    .expected
                    .is_some_and(|e| e * moves.signum() as f32 >= 1.0);
                point.best == last && decided
            }
        }
    }
}

fn aim(epd: &Epd) -> Option<Aim> {
    let codes = |moves: Vec<_>| -> Vec<MoveCode> {
        moves.into_iter().map(|m| epd.position.encode(m)).collect()
    };
    let (best, avoid) = (codes(epd.best_moves()), codes(epd.avoid_moves()));
    if !best.is_empty() {
        Some(Aim::Best(best))
    } else if !avoid.is_empty() {
        Some(Aim::Avoid(avoid))
    } else {
        epd.mate_in().filter(|n| *n != 0).map(Aim::Mate)
    }
}

/// Parses `c0 "e4=10, d4=5"`; a `c0` that contains no such pair is a comment.
fn points(epd: &Epd) -> (Vec<(MoveCode, u32)>, Vec<String>) {
    let (mut points, mut problems) = (Vec::new(), Vec::new());
    let text = epd.text("c0").unwrap_or_default();
    for pair in text.split(',') {
        // Splits at the last sign, because a promotion contains one of its own.
        let Some((word, number)) = pair.rsplit_once('=') else {
            continue;
        };
        let Ok(number) = number.trim().parse::<u32>() else {
            continue;
        };
        match notation::parse_move(&epd.position, word.trim()) {
            Some(m) => points.push((epd.position.encode(m), number)),
            None => problems.push(format!(
                "found {} with points in c0, expected a legal move",
                quote(word)
            )),
        }
    }
    (points, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::load::epd;

    fn task(operations: &str) -> Option<Task> {
        let line = format!("4k3/P7/8/8/8/8/4P3/4K2R w K - {operations}");
        Task::read(&epd::parse(&line).expect("an EPD")).0
    }

    #[test]
    fn the_first_operation_decides() {
        let kind = |operations| task(operations).and_then(|t| t.kind());
        assert_eq!(kind("bm e4; am Kd1; dm 2;"), Some(AimKind::Best));
        assert_eq!(kind("dm 2; am Kd1;"), Some(AimKind::Avoid));
        assert_eq!(kind("dm 2;"), Some(AimKind::Mate));
        // An illegal move gives no task.
        assert_eq!(kind("bm Qh8;"), None);
        assert_eq!(task("id \"x\"; c0 \"just words\"; dm 0;"), None);
    }

    #[test]
    fn points_are_read_promotions_too() {
        let task = task("c0 \"a8=Q=10, e4=5, O-O=3, a6=1\";").expect("points");
        let points: Vec<u32> = task.points.iter().map(|p| p.1).collect();
        assert_eq!(points, [10, 5, 3]);
        assert_eq!(task.possible(), Some(10));
        assert_eq!(task.points_of(Some(task.points[1].0)), Some(5));
        assert_eq!(task.points_of(None), Some(0));
        assert_eq!(task.kind(), None);
    }

    #[test]
    fn what_is_no_move_among_points_is_named() {
        let line = "4k3/8/8/8/8/8/8/4K3 w - - c0 \"Ke2=10, Qe2=4\";";
        let problems = Task::read(&epd::parse(line).expect("an EPD")).1;
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("\"Qe2\""), "{problems:?}");
    }
}
