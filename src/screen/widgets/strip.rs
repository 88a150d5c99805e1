//! A distribution in one line of block characters: loss at the left, win at the right.

use crate::pen::Pen;
use crate::theme::Role;
use belief::{BINS, Density, Grid};

/// The strip of one node.
#[derive(Debug)]
pub struct Strip<'a> {
    pub density: &'a Density,
    pub grid: &'a Grid,
}

/// Returns the share of the mass in each of `columns` equal parts of the expected score from -1 to +1.
pub fn heights(density: &Density, grid: &Grid, columns: usize) -> Vec<f32> {
    let mut shares = vec![0.0; columns];
    if columns == 0 {
        return shares;
    }
    let edges = grid.edges();
    let centres = grid.centres();
    let place = |e: f32| (e + 1.0) * 0.5 * columns as f32;
    for bin in 0..BINS {
        let mass = density.0[bin];
        if mass <= 0.0 {
            continue;
        }
        // An atom is a point, however wide its bin is: it belongs to the column of the bin's centre.
        if mass > 0.999 {
            shares[(place(centres[bin]) as usize).min(columns - 1)] += mass;
            continue;
        }
        let (from, to) = (place(edges[bin]), place(edges[bin + 1]));
        let width = (to - from).max(f32::EPSILON);
        let (first, last) = (from as usize, (to.ceil() as usize).min(columns));
        for (column, share) in shares.iter_mut().enumerate().take(last).skip(first) {
            let overlap = to.min(column as f32 + 1.0) - from.max(column as f32);
            *share += mass * overlap.max(0.0) / width;
        }
    }
    shares
}

impl Strip<'_> {
    /// Draws into `columns` cells.
    pub fn draw(&self, pen: &mut Pen, x: u16, y: u16, columns: u16) {
        let shares = heights(self.density, self.grid, usize::from(columns));
        let most = shares.iter().copied().fold(0.0, f32::max);
        let levels = pen.glyphs.levels;
        let top = levels.len() - 1;
        for (i, share) in shares.iter().enumerate() {
            // Any visible share shows at least the lowest block.
            let level = if most <= 0.0 || *share < 0.004 {
                0
            } else {
                ((share / most * top as f32).round() as usize).clamp(1, top)
            };
            let role = if level == 0 {
                Role::Dim
            } else {
                side(i, shares.len())
            };
            let style = pen.style(role);
            pen.char(x + i as u16, y, levels[level], style);
        }
    }
}

/// Returns the colour of a column by its place: loss, about even, win.
pub(super) fn side(column: usize, columns: usize) -> Role {
    let middle = (column as f32 + 0.5) / columns as f32 * 2.0 - 1.0;
    if middle < -0.1 {
        Role::Loss
    } else if middle > 0.1 {
        Role::Win
    } else {
        Role::Draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use belief::MIDDLE;

    #[test]
    fn the_mass_is_all_there_and_in_its_place() {
        for grid in [Grid::sinh(), Grid::uniform()] {
            for columns in [1, 8, 13, 16] {
                let normal = Density::normal(&grid, 0.1, 0.4);
                let shares = heights(&normal, &grid, columns);
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            }
            let draw = heights(&Density::atom(MIDDLE), &grid, 13);
            assert_eq!(draw.iter().position(|&s| s > 0.9), Some(6));
            let lost = heights(&Density::atom(0), &grid, 13);
            assert!(lost[0] > 0.9);
            let won = heights(&Density::atom(BINS - 1), &grid, 13);
            assert!(won[12] > 0.9);
        }
    }
}
