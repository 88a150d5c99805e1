//! The judge: searches every position of a game afresh.

use super::doubt::Doubt;
use super::game::{Played, to_move};
use super::kind::{self, Fallen};
use super::{Judged, JudgedGame, JudgedMove, Stopped, finish, points};
use ::game::{Game as _, MoveCode};
use session::jobs::Worker;
use session::{Budget, Config, Session, Subject};
use studies::review::{Found, Phase, phases, sized};

/// A depth-first search that always begins without knowing anything, so that its values depend on nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    config: Config,
}

/// What the judge found in a position, in points for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// The value of the last finished iteration.
    pub value: f64,
    /// `None` where the game is over.
    pub best: Option<MoveCode>,
    /// The value of each iteration with its depth.
    pub course: Vec<(u16, f64)>,
}

impl Verdict {
    /// Returns it from the other side's view, as a verdict on the move that led there.
    fn for_the_mover(mut self) -> Verdict {
        let turned = |value: f64| 1.0 - value;
        self.value = turned(self.value);
        self.course.iter_mut().for_each(|at| at.1 = turned(at.1));
        self
    }
}

impl Judge {
    pub fn new(config: &Config, nodes: u64) -> Judge {
        let config = sized(config, Budget::Nodes(nodes));
        Judge { config }
    }

    /// Searches a position. The verdict is `None` if not one iteration was finished.
    pub fn search(&self, at: &Subject, worker: &Worker) -> Result<Option<Verdict>, Stopped> {
        if let Some(over) = Found::over(at, true) {
            let value = over.score.expected.map(points);
            return Ok(value.map(|value| Verdict {
                value,
                best: None,
                course: Vec::new(),
            }));
        }
        let mut session = Session::start(at.clone(), self.config.clone());
        finish(&mut session, worker)?;
        let scale = at.position.scale();
        let iterations = session.iterations_after(0);
        let course = iterations.iter();
        let course: Vec<(u16, f64)> = course
            .map(|i| (i.depth, points(scale.expected(i.score))))
            .collect();
        let last = iterations.last().zip(course.last());
        Ok(last.map(|(iteration, &(_, value))| Verdict {
            value,
            best: Some(iteration.best).filter(|m| m.is_move()),
            course: course.clone(),
        }))
    }

    /// Judges all moves of a game. Falls of at least `least` get a kind.
    pub fn game(&self, played: Played, least: f64, worker: &Worker) -> Result<JudgedGame, Stopped> {
        let positions = positions(&played);
        let mut moves = Vec::with_capacity(played.moves.len());
        let mut here = self.search(&positions[0], worker)?;
        let of_game = phases(&positions);
        for (ply, (code, opinion)) in played.moves.into_iter().enumerate() {
            let (at, next) = (&positions[ply], &positions[ply + 1]);
            let there = self.search(next, worker)?;
            let asked = here.as_ref().and_then(|v| v.best);
            let after = there.clone().map(Verdict::for_the_mover);
            let before = match asked {
                Some(best) if best == code => after.clone(),
                Some(best) => self.after(at, best, worker)?,
                None => None,
            };
            let judged = before
                .zip(after)
                .map(|(before, after)| judged(before.value, &after, least, || kind::repeats(next)));
            moves.push(JudgedMove {
                played: code,
                column: to_move(at, played.white),
                phase: of_game[ply].unwrap_or(Phase::Opening),
                judged,
                doubt: judged
                    .zip(opinion)
                    .map(|(judged, opinion)| Doubt::of(&opinion, judged.after, asked)),
            });
            here = there;
        }
        Ok(JudgedGame {
            white: played.white,
            opening: played.start.played().moves.clone(),
            moves,
            end: played.end,
            outcome: played.outcome,
        })
    }

    /// Searches the position after a move, and returns the verdict from the mover's view.
    pub fn after(
        &self,
        at: &Subject,
        m: MoveCode,
        worker: &Worker,
    ) -> Result<Option<Verdict>, Stopped> {
        let mut next = at.clone();
        if !next.follow(m) {
            return Ok(None);
        }
        Ok(self.search(&next, worker)?.map(Verdict::for_the_mover))
    }
}

/// Returns the positions of a game, one more than its moves.
fn positions(played: &Played) -> Vec<Subject> {
    let mut all = vec![played.start.clone()];
    let mut at = played.start.clone();
    for (code, _) in &played.moves {
        at.follow_known(*code);
        all.push(at.clone());
    }
    all
}

/// Compares the value after the judge's own move with the verdict on the move played.
fn judged(before: f64, after: &Verdict, least: f64, repeats: impl FnOnce() -> bool) -> Judged {
    let bare = Judged {
        before,
        after: after.value,
        kind: None,
    };
    let kind = (bare.fall() >= least).then(|| {
        let fallen = Fallen {
            before,
            after: after.value,
            repeats: repeats(),
            course: &after.course,
        };
        fallen.kind()
    });
    Judged { kind, ..bare }
}
