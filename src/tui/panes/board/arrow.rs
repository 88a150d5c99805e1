//! Arrows from square to square, as pixels over the board.

use shakmaty::Square;

use super::raster::Raster;
use super::squares::Grid;
use screen::theme::Role;

/// What an arrow stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The best move of the position on the board.
    Best,
    /// The selected move, or the first of a line that is shown.
    Selected,
    /// A later move of that line: the second is 2.
    Later(u8),
    /// What the other side would play if the side to move passed.
    Threat,
}

/// An arrow between two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: Square,
    pub to: Square,
    pub meaning: Meaning,
}

impl Meaning {
    /// Returns the colour of the arrow.
    pub fn role(self) -> Role {
        match self {
            Meaning::Best => Role::ArrowBest,
            Meaning::Selected => Role::ArrowSelected,
            Meaning::Later(_) => Role::ArrowLater,
            Meaning::Threat => Role::ArrowThreat,
        }
    }

    /// Returns the colour of its squares, if they have one.
    pub fn square(self) -> Option<Role> {
        match self {
            Meaning::Best => Some(Role::BoardBest),
            Meaning::Selected => Some(Role::BoardSelected),
            Meaning::Later(_) => None,
            Meaning::Threat => Some(Role::BoardThreat),
        }
    }

    /// Returns the sign that tells the arrows apart without colour.
    pub fn sign(self, best: char) -> char {
        match self {
            Meaning::Best => best,
            Meaning::Selected => '1',
            Meaning::Later(ply) => char::from_digit(u32::from(ply), 10).unwrap_or('+'),
            Meaning::Threat => '!',
        }
    }

    /// Returns how far above the others its arrow is drawn.
    pub fn height(self) -> u8 {
        match self {
            Meaning::Later(ply) => 9 - ply.min(9),
            Meaning::Best => 10,
            Meaning::Selected => 11,
            Meaning::Threat => 12,
        }
    }

    /// Whether its shaft has gaps: what is not played now, or only in thought.
    fn has_gaps(self) -> bool {
        matches!(self, Meaning::Later(_) | Meaning::Threat)
    }
}

/// The middle of a square in units of a cell's width, which are half a cell's height.
fn middle(grid: &Grid, square: Square) -> (f32, f32) {
    let (column, row) = grid.place(square);
    let (width, height) = (
        f32::from(grid.size.width),
        2.0 * f32::from(grid.size.height),
    );
    // Slightly off the boundary between two pixels, so that a thin line has one row and not two.
    const OFF: f32 = 0.01;
    (
        (f32::from(column) + 0.5) * width - OFF,
        (f32::from(row) + 0.5) * height - OFF,
    )
}

/// Draws an arrow over the squares and other arrows, but behind the pieces.
pub(super) fn stamp(raster: &mut Raster, grid: &Grid, arrow: Arrow) {
    let ((x0, y0), (x1, y1)) = (middle(grid, arrow.from), middle(grid, arrow.to));
    let length = (x1 - x0).hypot(y1 - y0);
    if length == 0.0 {
        return;
    }
    let (dx, dy) = ((x1 - x0) / length, (y1 - y0) / length);
    let square = f32::from(grid.size.width);
    // The shaft begins beside the middle of its square, so that the piece stays recognisable.
    let begin = 0.3 * square;
    let thick = (0.08 * square).max(0.5);
    let head = (0.45 * square).max(2.0);
    let wide = (0.32 * square).max(1.4);
    let gap = (0.3 * square).max(1.5);
    let (columns, rows) = raster.size();
    for y in 0..rows {
        for x in 0..columns {
            let (px, py) = ((x as f32 + 0.5) / 2.0 - x0, y as f32 + 0.5 - y0);
            let along = px * dx + py * dy;
            let beside = (px * dy - py * dx).abs();
            let to_tip = length - along;
            let in_head = (0.0..=head).contains(&to_tip) && beside <= wide * to_tip / head;
            let in_shaft = along >= begin && to_tip > head && beside <= thick;
            let in_gap = arrow.meaning.has_gaps() && (to_tip / gap) as i32 % 2 == 1;
            if (in_head || in_shaft && !in_gap) && !raster.has_piece(x, y) {
                raster.set(x, y, arrow.meaning.role());
            }
        }
    }
}

/// Returns the cell for the sign of an arrow: the one nearest to the middle of its way that shows nothing of a piece, if
/// there is one.
pub(super) fn sign_at(raster: &Raster, grid: &Grid, arrow: Arrow) -> Option<(u16, u16)> {
    let ((x0, y0), (x1, y1)) = (middle(grid, arrow.from), middle(grid, arrow.to));
    // From the middle alternately towards both ends.
    let steps = (0..=16).map(|i: i16| f32::from((i + 1) / 2 * (1 - i % 2 * 2)) / 20.0);
    let cells = steps.map(|step| {
        let share = 0.5 + step;
        (
            (x0 + (x1 - x0) * share) as u16,
            ((y0 + (y1 - y0) * share) / 2.0) as u16,
        )
    });
    let is_free = |&(x, y): &(u16, u16)| {
        let (x, y) = (2 * usize::from(x), 2 * usize::from(y));
        let pixels = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        pixels.iter().all(|&(x, y)| !raster.has_piece(x, y))
    };
    let mut free = cells.filter(is_free);
    free.next().map(|(x, y)| (grid.left + x, grid.top + y))
}

#[cfg(test)]
mod tests {
    use super::super::squares::Squares;
    use super::*;
    use ratatui::layout::Rect;

    const MEANINGS: [Meaning; 4] = [
        Meaning::Best,
        Meaning::Selected,
        Meaning::Later(2),
        Meaning::Threat,
    ];

    fn drawn(size: Squares, flipped: bool, arrow: Arrow) -> (Grid, Vec<(usize, usize)>) {
        let grid = Grid::new(Rect::new(0, 0, 80, 40), size, flipped);
        let mut raster = Raster::new(&grid);
        stamp(&mut raster, &grid, arrow);
        let (columns, rows) = raster.size();
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let set = all.filter(|&(x, y)| raster.get(x, y).is_some()).collect();
        (grid, set)
    }

    /// The square of a pixel.
    fn square_at(grid: &Grid, (x, y): (usize, usize)) -> Square {
        let (x, y) = ((x / 2) as u16, (y / 2) as u16);
        grid.seen(x / grid.size.width, y / grid.size.height)
    }

    #[test]
    fn every_arrow_goes_from_its_square_to_its_square() {
        for size in Squares::SIZES.into_iter().filter(|s| s.height > 1) {
            for from in Square::ALL {
                for to in Square::ALL.into_iter().filter(|to| *to != from) {
                    let meaning = MEANINGS[usize::from(from) % 4];
                    let arrow = Arrow { from, to, meaning };
                    let (grid, set) = drawn(size, false, arrow);
                    let squares: Vec<Square> = set.iter().map(|&p| square_at(&grid, p)).collect();
                    assert!(squares.contains(&to), "{arrow:?} {size:?}");
                    // Nothing leaves the squares between the two, and those beside them.
                    let between = |a: u32, b: u32, c: u32| a.min(b) <= c + 1 && c <= a.max(b) + 1;
                    for s in &squares {
                        assert!(
                            between(from.file().into(), to.file().into(), s.file().into())
                                && between(from.rank().into(), to.rank().into(), s.rank().into()),
                            "{arrow:?} {size:?}: {s}"
                        );
                    }
                    let raster = Raster::new(&grid);
                    let (x, y) = sign_at(&raster, &grid, arrow).expect("an empty board");
                    assert!(grid.area().contains(ratatui::layout::Position::new(x, y)));
                }
            }
        }
    }

    #[test]
    fn whole_arrows_hang_together_and_others_have_gaps() {
        for size in Squares::SIZES.into_iter().filter(|s| s.height > 1) {
            for (from, to) in [
                (Square::A1, Square::H8),
                (Square::G1, Square::F3),
                (Square::E2, Square::E4),
                (Square::A5, Square::H5),
                (Square::C8, Square::H3),
            ] {
                for meaning in MEANINGS {
                    let arrow = Arrow { from, to, meaning };
                    let (_, set) = drawn(size, false, arrow);
                    let mut reached = vec![set[0]];
                    let mut next = 0;
                    while next < reached.len() {
                        let (x, y) = reached[next];
                        next += 1;
                        for &p in &set {
                            let near = p.0.abs_diff(x) <= 1 && p.1.abs_diff(y) <= 1;
                            if near && !reached.contains(&p) {
                                reached.push(p);
                            }
                        }
                    }
                    let whole = reached.len() == set.len();
                    let far = from.distance(to) > 3;
                    assert!(
                        whole || meaning.has_gaps(),
                        "{arrow:?} {size:?}: {} of {}",
                        reached.len(),
                        set.len()
                    );
                    assert!(!(whole && far && meaning.has_gaps()), "{arrow:?} {size:?}");
                }
            }
        }
    }

    #[test]
    fn no_arrow_hides_anything_of_a_piece() {
        use super::super::sprite;
        for size in Squares::SIZES.into_iter().filter(|s| s.height > 1) {
            let grid = Grid::new(Rect::new(0, 0, 80, 40), size, false);
            let mut raster = Raster::new(&grid);
            let (width, height) = (2 * usize::from(size.width), 2 * usize::from(size.height));
            for square in Square::ALL {
                let (column, row) = grid.place(square);
                let (left, top) = (usize::from(column) * width, usize::from(row) * height);
                let role = shakmaty::Role::ALL[usize::from(square) % 6];
                let color = shakmaty::Color::from_white(usize::from(square) % 2 == 0);
                sprite::stamp(
                    &mut raster,
                    left,
                    top,
                    size,
                    shakmaty::Piece { color, role },
                );
            }
            let (columns, rows) = raster.size();
            let all = || (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
            let pieces: Vec<_> = all().map(|(x, y)| raster.get(x, y)).collect();
            for (from, to) in [
                (Square::A1, Square::H8),
                (Square::E2, Square::E4),
                (Square::G1, Square::F3),
            ] {
                let meaning = Meaning::Best;
                stamp(&mut raster, &grid, Arrow { from, to, meaning });
            }
            for ((x, y), piece) in all().zip(pieces) {
                assert!(
                    piece.is_none() || raster.get(x, y) == piece,
                    "{size:?} {x} {y}"
                );
            }
        }
    }

    #[test]
    fn a_flipped_board_turns_its_arrows() {
        let size = Squares::SIZES[1];
        let arrow = |from, to| Arrow {
            from,
            to,
            meaning: Meaning::Best,
        };
        let (_, seen) = drawn(size, true, arrow(Square::B1, Square::C3));
        let (_, same) = drawn(size, false, arrow(Square::G8, Square::F6));
        assert_eq!(seen, same);
    }
}
