//! How the table's width is divided: the most informative parts are dropped last.

use report::lens::Unit;

/// The widths of the cells from left to right; a cell of width 0 is not shown. A group is repeated for every column of
/// the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Widths {
    /// The mark of a row that differs.
    pub mark: u16,
    pub name: u16,
    pub groups: u16,
    pub rank: u16,
    pub score: u16,
    pub spread: u16,
    pub share: u16,
    /// The value axis.
    pub axis: u16,
    pub fate: u16,
    /// What differs, in a few words, after the groups.
    pub words: u16,
}

/// The width of the line between groups.
const LINE: u16 = 1;

impl Widths {
    pub fn of(width: u16, groups: u16, unit: Unit) -> Widths {
        // Shares of wins, draws and losses are wide, and have no spread.
        let shares = unit == Unit::Outcomes;
        let mut w = Widths {
            mark: 2,
            name: 10,
            groups,
            score: if shares { 10 } else { 7 },
            fate: 3,
            ..Widths::default()
        };
        let mut left = width.saturating_sub(w.total());
        let mut take = |slot: &mut u16, columns: u16, times: u16| {
            if left >= columns * times {
                *slot += columns;
                left -= columns * times;
            }
        };
        take(&mut w.rank, 3, groups);
        take(&mut w.share, 7, groups);
        take(&mut w.spread, if shares { 0 } else { 5 }, groups);
        take(&mut w.words, 14, 1);
        take(&mut w.name, 2, 1);
        take(&mut w.name, 2, 1);
        take(&mut w.words, 10, 1);
        take(&mut w.axis, 10, groups);
        take(&mut w.name, 8, 1);
        take(&mut w.axis, 4, groups);
        for _ in 0..6 {
            take(&mut w.axis, 4, groups);
        }
        if w.words > 0 {
            let more = (left / 2).min(16);
            w.words += more;
            left -= more;
        }
        w.name += left;
        w
    }

    /// Returns the width of one group without the line before it.
    pub fn group(&self) -> u16 {
        self.rank + self.score + self.spread + self.share + self.axis + self.fate
    }

    pub fn total(&self) -> u16 {
        self.mark + self.name + self.groups * (LINE + self.group()) + self.words
    }

    /// Returns where a group begins: at the line before it.
    pub fn start(&self, group: u16) -> u16 {
        self.mark + self.name + group * (LINE + self.group())
    }
}

/// Returns the width of the table, including the frame, beyond which additional room is better used for a board.
pub(super) fn wanted(groups: u16) -> u16 {
    2 + 2 + 14 + groups * (LINE + 3 + 7 + 5 + 6 + 3) + 24
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_used_and_never_exceeded() {
        for (width, groups) in (78..400).flat_map(|w| (1..=4).map(move |g| (w, g))) {
            let w = Widths::of(width, groups, Unit::Pawns);
            assert_eq!(w.total(), width, "{groups} groups: {w:?}");
            assert!(w.name >= 10 && w.start(groups) <= width);
        }
    }

    #[test]
    fn two_columns_on_the_smallest_screen_have_all_their_figures() {
        let w = Widths::of(78, 2, Unit::Pawns);
        assert!(
            w.rank > 0 && w.share > 0 && w.spread > 0 && w.words >= 12,
            "{w:?}"
        );
        let w = Widths::of(78, 4, Unit::Pawns);
        assert!(w.rank > 0 && w.score > 0, "{w:?}");
        let w = Widths::of(160, 4, Unit::Pawns);
        assert!(w.spread > 0 && w.words >= 24, "{w:?}");
    }
}
