//! The data of the chart above the game: scores by ply, from White's view.

use super::review::Reviewed;
use game::load::GameTree;
use game::load::pgn::annotation::Evaluation;
use game::{Game, Scale, Score};

/// One curve: the known values by ply, from White's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Ply and expected score.
    pub points: Vec<(usize, f32)>,
    /// Ply and the 10 % and 90 % quantiles of the belief, if there is a belief.
    pub band: Vec<(usize, [f32; 2])>,
}

impl Curve {
    /// Returns the curve up to a ply, for a game whose rest is hidden.
    #[must_use]
    pub fn until(mut self, last: usize) -> Curve {
        self.points.retain(|(ply, _)| *ply <= last);
        self.band.retain(|(ply, _)| *ply <= last);
        self
    }
}

/// Returns a column's curve, as far as it is known.
pub fn curve(reviewed: &Reviewed, column: usize) -> Curve {
    let mut curve = Curve::default();
    for ply in 0..reviewed.line.len() {
        let Some(found) = reviewed.found(column, ply) else {
            continue;
        };
        if let Some(e) = found.white() {
            curve.points.push((ply, e));
        }
        if let Some([low, _, _, _, high]) = found.band {
            curve.band.push((ply, [low, high]));
        }
    }
    curve
}

/// Returns the evaluations in the file, along a line of the game.
pub fn file_curve(game: &GameTree, line: &[usize]) -> Curve {
    let scale = game.start.scale();
    let value = |(ply, &node): (usize, &usize)| {
        let e = match game.nodes.get(node)?.evaluation()? {
            Evaluation::Centipawns(cp) => expected(scale, cp),
            Evaluation::Mate(moves) => {
                if moves < 0 {
                    -1.0
                } else {
                    1.0
                }
            }
        };
        Some((ply, e))
    };
    Curve {
        points: line.iter().enumerate().filter_map(value).collect(),
        band: Vec::new(),
    }
}

fn expected(scale: Scale, centipawns: i32) -> f32 {
    scale.expected(Score::new(centipawns.clamp(-20_000, 20_000)))
}

/// Returns the place of a ply on an axis of `places` places, with the first ply at the first place and the last at the
/// last.
pub fn place_of(ply: usize, plies: usize, places: usize) -> usize {
    let last = plies.saturating_sub(1).max(1);
    let end = places.saturating_sub(1);
    (ply.min(last) * end + last / 2) / last
}

/// Returns the ply under a column of a chart of a game with `plies` positions.
pub fn ply_at(column: u16, width: u16, plies: usize) -> usize {
    let end = usize::from(width.saturating_sub(1)).max(1);
    let last = plies.saturating_sub(1);
    ((usize::from(column) * last + end / 2) / end).min(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::load::pgn::Games;
    use proptest::prelude::*;

    #[test]
    fn the_file_s_evaluations_are_expected_scores() {
        let text = "1. e4 {[%eval 0.36]} e5 (1... c5 {[%eval 9.0]}) 2. Nf3 {[%eval #-3]} *";
        let game = Games::new(text.as_bytes().to_vec())
            .game(0)
            .expect("a game");
        let curve = file_curve(&game, &game.main_line());
        assert_eq!(curve.points.len(), 2);
        let (ply, e) = curve.points[0];
        // tanh(36 / 360).
        assert!(ply == 1 && (e - 0.099_668).abs() < 1e-3, "{e}");
        assert_eq!(curve.points[1], (3, -1.0));
    }

    proptest! {
        /// A click on a ply's column leads to a ply that is drawn there.
        #[test]
        fn columns_lead_to_the_plies_drawn_in_them(plies in 1usize..700, width in 2u16..300, column in 0u16..300) {
            let column = column % width;
            let ply = ply_at(column, width, plies);
            prop_assert!(ply < plies);
            if plies > usize::from(width) {
                prop_assert_eq!(place_of(ply, plies, usize::from(width)), usize::from(column));
            }
        }

        #[test]
        fn the_ends_are_the_ends(plies in 2usize..700, places in 2usize..600) {
            prop_assert_eq!(place_of(0, plies, places), 0);
            prop_assert_eq!(place_of(plies - 1, plies, places), places - 1);
        }
    }
}
