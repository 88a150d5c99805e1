//! Pictures of the pieces, as pixels: two columns and two rows of them in each cell of a square.

use shakmaty::{Color, Piece, Role as Kind};

use super::raster::Raster;
use super::squares::Squares;
use screen::theme::Role;

/// The pictures for one size of squares, in the order of [`Kind`]: pawn, knight, bishop, rook, queen, king.
struct Set {
    squares: Squares,
    rows: [&'static str; 6],
}

/// `#` is a pixel of the piece. The pixels beside it are its outline.
const SETS: [Set; 3] = [
    Set {
        squares: Squares {
            width: 4,
            height: 2,
        },
        rows: [
            "
........
........
...##...
..####..",
            "
...##...
.######.
.#..###.
...####.",
            "
...##...
..####..
...##...
..####..",
            "
........
.##..##.
..####..
.######.",
            "
.#.##.#.
.######.
..####..
.######.",
            "
...##...
.######.
..####..
.######.",
        ],
    },
    Set {
        squares: Squares {
            width: 6,
            height: 3,
        },
        rows: [
            "
............
............
.....##.....
....####....
.....##.....
...######...",
            "
....##......
..######....
.#########..
.##..#####..
....######..
..#########.",
            "
.....##.....
....####....
...######...
....####....
.....##.....
..########..",
            "
............
.##..##..##.
.##########.
...######...
...######...
.##########.",
            "
.#...##...#.
.#...##...#.
.##.####.##.
..########..
...######...
..########..",
            "
.....##.....
...######...
.....##.....
.##########.
..########..
..########..",
        ],
    },
    Set {
        squares: Squares {
            width: 8,
            height: 4,
        },
        rows: [
            "
................
................
......####......
.....######.....
......####......
......####......
.....######.....
...##########...",
            "
................
.....#..##......
....#########...
...###.######...
..####..######..
........######..
......########..
....##########..",
            "
.......##.......
......####......
.....###.###....
....####.####...
.....#######....
......####......
.....######.....
...##########...",
            "
................
..###.####.###..
..############..
....########....
....########....
....########....
...##########...
..############..",
            "
.......##.......
.##....##....##.
.##...####...##.
..##..####..##..
...##########...
....########....
....########....
..############..",
            "
.......##.......
.....######.....
.......##.......
..####.##.####..
.#####.##.#####.
..############..
....########....
..############..",
        ],
    },
];

/// Whether there are pictures for squares of a size.
pub(super) fn has_size(size: Squares) -> bool {
    SETS.iter().any(|set| set.squares == size)
}

/// Draws a piece with its outline on the square whose upper left pixel is given.
pub(super) fn stamp(raster: &mut Raster, left: usize, top: usize, size: Squares, piece: Piece) {
    let Some(set) = SETS.iter().find(|set| set.squares == size) else {
        return;
    };
    let (fill, edge) = match piece.color {
        Color::White => (Role::PieceWhite, Role::PieceWhiteEdge),
        Color::Black => (Role::PieceBlack, Role::PieceBlackEdge),
    };
    let picture: Vec<&[u8]> = rows_of(set, piece.role).collect();
    let is_set = |x: isize, y: isize| {
        let row = usize::try_from(y).ok().and_then(|y| picture.get(y));
        let pixel = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        pixel == Some(&b'#')
    };
    for (y, row) in picture.iter().enumerate() {
        for x in 0..row.len() {
            let (px, py) = (x as isize, y as isize);
            let mut around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (px + dx, py + dy)));
            if is_set(px, py) {
                raster.set(left + x, top + y, fill);
            } else if around.any(|(x, y)| is_set(x, y)) {
                raster.set(left + x, top + y, edge);
            }
        }
    }
}

fn rows_of(set: &Set, kind: Kind) -> impl Iterator<Item = &'static [u8]> {
    let picture = set.rows[usize::from(kind) - 1];
    picture.trim_start().lines().map(str::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::squares::Grid;
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn every_picture_has_the_size_of_its_square_and_no_other_looks_like_it() {
        for size in Squares::SIZES.iter().filter(|s| s.height > 1) {
            assert!(has_size(*size), "{size:?}");
        }
        for set in &SETS {
            let mut seen = std::collections::HashSet::new();
            for kind in Kind::ALL {
                let rows: Vec<&[u8]> = rows_of(set, kind).collect();
                assert_eq!(rows.len(), 2 * usize::from(set.squares.height), "{kind:?}");
                for row in &rows {
                    assert_eq!(row.len(), 2 * usize::from(set.squares.width), "{kind:?}");
                    assert!(row.iter().all(|c| b".#".contains(c)), "{kind:?}");
                }
                assert!(seen.insert(rows), "{kind:?} looks like another piece");
            }
        }
    }

    /// Every pixel of a piece touches only the piece, its outline or the edge of the square, on all eight sides.
    #[test]
    fn outlines_have_no_gaps() {
        for size in Squares::SIZES.into_iter().filter(|s| has_size(*s)) {
            let grid = Grid::new(Rect::new(0, 0, 90, 40), size, false);
            let (width, height) = (2 * usize::from(size.width), 2 * usize::from(size.height));
            for piece in Color::ALL
                .into_iter()
                .flat_map(|color| Kind::ALL.map(|role| Piece { color, role }))
            {
                let mut raster = Raster::new(&grid);
                stamp(&mut raster, width, height, size, piece);
                let mut pixels = 0;
                for y in 0..height {
                    for x in 0..width {
                        let (x, y) = (width + x, height + y);
                        let ink = raster.get(x, y);
                        if !matches!(ink, Some(Role::PieceWhite | Role::PieceBlack)) {
                            continue;
                        }
                        pixels += 1;
                        for (nx, ny) in [
                            (x - 1, y),
                            (x + 1, y),
                            (x, y - 1),
                            (x, y + 1),
                            (x - 1, y - 1),
                            (x + 1, y + 1),
                        ] {
                            let inside = (width..2 * width).contains(&nx)
                                && (height..2 * height).contains(&ny);
                            assert!(!inside || raster.get(nx, ny).is_some(), "{piece:?} {x} {y}");
                        }
                    }
                }
                assert!(pixels >= 6, "{piece:?}");
                // Nothing is drawn on the squares beside it.
                let (columns, rows) = raster.size();
                for y in 0..rows {
                    for x in 0..columns {
                        let inside =
                            (width..2 * width).contains(&x) && (height..2 * height).contains(&y);
                        assert!(inside || raster.get(x, y).is_none(), "{piece:?}");
                    }
                }
            }
        }
    }
}
