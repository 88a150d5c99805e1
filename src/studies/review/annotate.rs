//! A review as annotations of its game, for writing back into the file.

use super::{Found, Mark, Review};
use game::load::pgn::Annotation;
use game::load::pgn::annotation::Evaluation;
use game::{Scale, Score};

/// The parts of a review to write into a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// An evaluation for every move.
    pub evaluations: bool,
    /// Marks as glyphs.
    pub marks: bool,
    /// The number of plies of the better line at a marked move; 0 for none.
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
    /// Returns what a column found as annotations of the game. `nodes` are the nodes of the
    /// [`GameTree`](game::load::GameTree) from which the positions come, in order: its main line, starting with
    /// the start.
    pub fn annotations(&self, column: usize, nodes: &[usize], wanted: Wanted) -> Vec<Annotation> {
        let marks = self.marks(column);
        // The first position has no move at which anything could be written.
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
        let Some(found) = self.result(column, ply) else {
            return;
        };
        let line = found.pv.iter().take(wanted.line);
        annotation.variation = line.map(|name| name.code).collect();
        if !annotation.variation.is_empty() {
            annotation.remark = Some(self.remark(column, &found));
        }
    }

    /// Names the source and its value, from White's view or that of whoever has White's place: `alpha-beta, 20000 nodes: +0.31`.
    fn remark(&self, column: usize, found: &Found) -> String {
        let value = match evaluation(found) {
            Some((Evaluation::Centipawns(cp), _)) => {
                format!(": {}", Scale::Logistic.format(Score::new(cp)))
            }
            Some((evaluation, _)) => format!(": {evaluation}"),
            None => String::new(),
        };
        format!("{}, {} nodes{value}", self.columns()[column], found.nodes)
    }
}

/// Returns an evaluation with the depth if there is one; see [`Found::evaluation`].
fn evaluation(found: &Found) -> Option<(Evaluation, Option<u16>)> {
    Some((
        found.evaluation()?,
        (found.depth > 0).then_some(found.depth),
    ))
}
