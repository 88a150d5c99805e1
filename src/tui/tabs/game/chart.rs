//! The data of the chart above the game: scores by ply, from White's view.

use super::review::Reviewed;
use chart::Chart;
use game::load::pgn::annotation::Evaluation;
use game::{Game, Scale, Score};
use games::GameTree;
use report::review;

/// Returns the chart of a review as far as it is known, up to a ply, for a game whose rest is hidden.
pub fn reviewed(reviewed: &Reviewed, judge: usize, last: usize) -> Chart {
    let columns = reviewed.review.columns();
    let names: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let marks = reviewed.marks.get(judge).map_or(&[][..], Vec::as_slice);
    // A mark is at the position after its move.
    let marks = &marks[..marks.len().min(last)];
    review::chart(&reviewed.review, &names, judge, marks, |column, ply| {
        let found = reviewed.found.get(column)?.get(ply)?;
        found.clone().filter(|_| ply <= last)
    })
}

/// Returns the evaluations in the file, along a line of the game.
pub fn in_file(game: &GameTree, line: &[usize]) -> Vec<(f64, f64)> {
    let scale = game.start.scale();
    let value = |(ply, &node): (usize, &usize)| {
        let e = match game.nodes.get(node)?.evaluation()? {
            Evaluation::Centipawns(cp) => expected(scale, cp),
            Evaluation::Expected(e) => e,
            Evaluation::Mate(moves) => {
                if moves < 0 {
                    -1.0
                } else {
                    1.0
                }
            }
        };
        Some((ply as f64, f64::from(e)))
    };
    line.iter().enumerate().filter_map(value).collect()
}

fn expected(scale: Scale, centipawns: i32) -> f32 {
    scale.expected(Score::new(centipawns.clamp(-20_000, 20_000)))
}

/// Returns the ply under a column of a chart of a game with `plies` positions.
pub fn ply_at(column: u16, width: u16, plies: usize) -> usize {
    let last = plies.saturating_sub(1);
    let (column, width) = (usize::from(column), usize::from(width.max(1)));
    // The nearest ply to the middle of the column; of two equally near ones the first, which begins in this column.
    let doubled = (2 * column + 1) * last;
    doubled.saturating_sub(width).div_ceil(2 * width).min(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Document;
    use proptest::prelude::*;

    #[test]
    fn the_file_s_evaluations_are_expected_scores() {
        let text = "1. e4 {[%eval 0.36]} e5 (1... c5 {[%eval 9.0]}) 2. Nf3 {[%eval #-3]} *";
        let game = Document::pasted(text).and_then(|d| d.entry(0));
        let game = *game.expect("a text").game.expect("a game");
        let points = in_file(&game, &game.main_line());
        assert_eq!(points.len(), 2);
        let (ply, e) = points[0];
        // tanh(36 / 360).
        assert!(ply == 1.0 && (e - 0.099_668).abs() < 1e-3, "{e}");
        assert_eq!(points[1], (3.0, -1.0));
    }

    /// By hand: of 190 plies over 189 columns the middle of column 119 lies at ply 119.5, between two equally near ones.
    #[test]
    fn of_two_equally_near_plies_the_first_is_taken() {
        assert_eq!(ply_at(119, 189, 190), 119);
    }

    proptest! {
        /// A click on a ply's column leads to a ply that is drawn there.
        #[test]
        fn columns_lead_to_the_plies_drawn_in_them(plies in 1usize..700, width in 2u16..300, column in 0u16..300) {
            let column = column % width;
            let ply = ply_at(column, width, plies);
            prop_assert!(ply < plies);
            if plies > usize::from(width) {
                let share = ply as f64 / (plies - 1) as f64;
                prop_assert_eq!(chart::column(share, usize::from(width)), usize::from(column));
            }
        }
    }
}
