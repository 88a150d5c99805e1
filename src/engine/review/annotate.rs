//! A review as annotations of its game, to be written back into the file.

use super::{Found, Mark, Review};
use crate::game::load::pgn::Annotation;
use crate::game::load::pgn::annotation::Evaluation;
use crate::game::{Game as _, Scale, Score, Side};

/// What of a review is written into a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// An evaluation for every move.
    pub evaluations: bool,
    /// Marks as glyphs.
    pub marks: bool,
    /// Plies of the better line at a marked move; 0: none.
    pub line: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted {
            evaluations: true,
            marks: true,
            line: 8,
        }
    }
}

impl Review {
    /// What a column found as annotations of the game. `nodes` are the nodes of the
    /// [`GameTree`](crate::game::load::GameTree) that the positions are of, in order: its main line, the start first.
    #[must_use]
    pub fn annotations(&self, column: usize, nodes: &[usize], wanted: Wanted) -> Vec<Annotation> {
        let marks = self.marks(column);
        // The first has no move to be written at.
        let moves = nodes.iter().enumerate().skip(1).take(marks.len());
        let annotations = moves.map(|(ply, &node)| {
            let mut annotation = Annotation {
                node,
                ..Annotation::default()
            };
            if wanted.evaluations {
                let found = self.result(column, ply);
                annotation.evaluation = found.and_then(|found| evaluation(&found));
            }
            if let Some(mark) = &marks[ply - 1] {
                self.write_mark(&mut annotation, column, ply - 1, mark, wanted);
            }
            annotation
        });
        annotations
            .filter(|a| a.evaluation.is_some() || a.nag.is_some() || !a.variation.is_empty())
            .collect()
    }

    fn write_mark(
        &self,
        annotation: &mut Annotation,
        column: usize,
        ply: usize,
        mark: &Mark,
        wanted: Wanted,
    ) {
        annotation.nag = wanted.marks.then(|| mark.kind.nag());
        let before = self.position(ply).and_then(|s| s.position.as_chess());
        let (Some(before), Some(found)) = (before, self.result(column, ply)) else {
            return;
        };
        let mut position = before.clone();
        for name in found.pv.iter().take(wanted.line) {
            let Some(m) = position.decode(name.code) else {
                break;
            };
            annotation.variation.push(m);
            position.play(m);
        }
        if !annotation.variation.is_empty() {
            annotation.remark = Some(self.remark(column, &found));
        }
    }

    /// Who says so, and what it is worth: `alpha-beta, 20000 nodes: +0.31`, White's view.
    fn remark(&self, column: usize, found: &Found) -> String {
        let value = match evaluation(found) {
            Some((Evaluation::Centipawns(cp), _)) => {
                format!(": {}", Scale::Logistic.format(Score::new(cp)))
            }
            Some((Evaluation::Mate(moves), _)) => format!(": #{moves}"),
            None => String::new(),
        };
        format!("{}, {} nodes{value}", self.columns()[column], found.nodes)
    }
}

/// As PGN has evaluations, with the depth where there is one; of a bound its value, since PGN can't say more. None for
/// checkmate, which the move says already.
fn evaluation(found: &Found) -> Option<(Evaluation, Option<u16>)> {
    let score = found.score.score?;
    let sign = match found.side {
        Side::White => 1,
        Side::Black => -1,
    };
    let evaluation = match score.mate_moves() {
        Some(0) => return None,
        Some(moves) => Evaluation::Mate(sign * i32::from(moves)),
        None => Evaluation::Centipawns(sign * i32::from(score.centipawns())),
    };
    Some((evaluation, (found.depth > 0).then_some(found.depth)))
}
