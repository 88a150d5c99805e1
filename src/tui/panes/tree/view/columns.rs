//! The columns of the tree and how the pane's width is divided among them.

use ratatui::layout::Rect;

use report::lens::Unit;
use screen::pen::Pen;
use screen::theme::Role;
use session::{Policy, Reader};

/// The width of each column; a column of width 0 is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Columns {
    pub name: u16,
    /// The chance to be the best move, or the share of the visits or of the work.
    pub share: u16,
    pub mean: u16,
    pub spread: u16,
    /// The value axis, with a blank on each side.
    pub axis: u16,
    /// All columns of figures that only this algorithm has.
    pub own: u16,
    pub work: u16,
    pub fate: u16,
    pub reason: u16,
}

/// What there is to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Whether there are distributions: without them there are no spreads, which would be 0 everywhere.
    pub spreads: bool,
    /// Whether the shares, the work and the fates are shown: a lesson may not have introduced them yet.
    pub shares: bool,
    pub work: bool,
    pub fates: bool,
    /// The names of the figures that only this algorithm has; they take the place of the shares.
    pub own: &'static [&'static str],
    pub unit: Unit,
    /// Whether values may have any number of digits.
    pub boundless: bool,
    /// Whether the axis takes the room of all that is minor.
    pub large: bool,
}

/// The fewest cells of the axis, those that come before longer reasons and after them, and those that it takes where there is
/// room.
const AXIS: [u16; 4] = [24, 32, 40, 64];

impl Columns {
    /// Divides the width: names, values and the axis come first, and reasons get the rest. What would be empty in every
    /// row gives way.
    pub fn of(width: u16, wanted: Wanted) -> Columns {
        // Shares of wins, draws and losses are wide, and have no spread.
        let outcomes = wanted.unit == Unit::Outcomes;
        if wanted.large {
            return Columns::large(width, wanted);
        }
        let mut c = Columns {
            name: 14,
            mean: if outcomes || wanted.boundless { 10 } else { 7 },
            work: if wanted.work { 8 } else { 0 },
            fate: if wanted.fates { 4 } else { 0 },
            ..Columns::default()
        };
        let mut left = width.saturating_sub(c.name + c.mean + c.work + c.fate);
        let mut take = |slot: &mut u16, columns: u16| {
            if left >= columns {
                *slot += columns;
                left -= columns;
            }
        };
        let own = wanted.own.iter().map(|name| own_width(name)).sum();
        take(&mut c.own, own);
        let shares = wanted.shares && wanted.own.is_empty();
        take(&mut c.share, if shares { 6 } else { 0 });
        take(&mut c.axis, AXIS[0] + 2);
        // Wide enough for "dxc4 refutes", or at least for "34 moves".
        take(&mut c.reason, if wanted.fates { 12 } else { 0 });
        if c.reason == 0 {
            take(&mut c.reason, if wanted.fates { 9 } else { 0 });
        }
        let has_axis = c.axis > 0;
        let grow = |left: &mut u16, slot: &mut u16, most: u16, part: u16| {
            let more = (*left * part / 100).min(most.saturating_sub(*slot));
            *slot += more;
            *left -= more;
        };
        if has_axis {
            grow(&mut left, &mut c.axis, AXIS[1] + 2, 100);
        }
        // Depths of search and longer reasons.
        if wanted.fates {
            grow(&mut left, &mut c.reason, 17, 100);
        }
        if has_axis {
            grow(&mut left, &mut c.axis, AXIS[2] + 2, 100);
        }
        if wanted.spreads && !outcomes && left >= 6 {
            grow(&mut left, &mut c.spread, 6, 100);
        }
        if has_axis {
            grow(&mut left, &mut c.axis, AXIS[3] + 2, 40);
        }
        let name = if wanted.fates { 30 } else { 32 };
        grow(&mut left, &mut c.name, name, 50);
        if c.reason > 0 {
            c.reason += left;
        }
        c
    }
}

impl Columns {
    /// Divides the width for a class: the names, the values, the letter of the fate, and the axis with all the rest.
    fn large(width: u16, wanted: Wanted) -> Columns {
        /// The fewest cells of the axis that still show anything.
        const LEAST: u16 = 10;
        let wide = wanted.unit == Unit::Outcomes || wanted.boundless;
        let mut c = Columns {
            name: if width < 60 { 10 } else { 16 },
            mean: if wide { 10 } else { 7 },
            fate: if wanted.fates { 4 } else { 0 },
            ..Columns::default()
        };
        let left = width.saturating_sub(c.name + c.mean + c.fate);
        match left >= LEAST + 2 {
            true => c.axis = left,
            false => c.name += left,
        }
        c
    }
}

/// The columns that a figure of the algorithm's own takes.
pub(super) fn own_width(name: &str) -> u16 {
    (name.len().min(LONGEST_HEADING) as u16 + 1).max(6)
}

/// Longer names are cut.
const LONGEST_HEADING: usize = 6;

/// Draws the headings of the columns but the axis'; `unit` is that of the scores. Returns the first column of the axis.
pub(super) fn headings(pen: &mut Pen, inner: Rect, c: Columns, reader: Reader, unit: &str) -> u16 {
    let y = inner.y;
    let mut x = inner.x + 1;
    pen.put(x, y, inner.right(), "move", Role::Dim);
    x += c.name;
    let share = share_word(&reader);
    let work = if counts_visits(&reader) { "" } else { "nodes" };
    for (columns, heading) in [(c.share, share), (c.mean, unit), (c.spread, "sd")] {
        if columns > 0 {
            pen.put_right(x, y, x + columns, heading, Role::Dim);
            x += columns;
        }
    }
    let axis = x + 1;
    x += c.axis;
    if c.own > 0 {
        for name in reader.columns() {
            let heading = name.get(..LONGEST_HEADING).unwrap_or(name);
            pen.put_right(x, y, x + own_width(name), heading, Role::Dim);
            x += own_width(name);
        }
    }
    if c.work > 0 {
        pen.put_right(x, y, x + c.work, work, Role::Dim);
        x += c.work;
    }
    if c.fate > 0 {
        let room = inner.right().saturating_sub(x + 1);
        let heading = if room > 5 { "fate" } else { "" };
        pen.put(x + 1, y, inner.right(), heading, Role::Dim);
    }
    axis
}

/// Returns what the shares of the moves at a node are called: the chance to be the best one, the visits, or the work.
pub(crate) fn share_word(reader: &Reader) -> &'static str {
    match reader.policy() {
        Some(Policy::Best) => Policy::Best.word(),
        _ if reader.is_best_first() => Policy::Visits.word(),
        _ => "work",
    }
}

/// Whether the count below a node is of visits, under one heading with their parts, and not of nodes.
pub(super) fn counts_visits(reader: &Reader) -> bool {
    reader.is_best_first() && reader.policy() != Some(Policy::Best)
}

/// Returns the indentation per ply in columns: two, or one if the deepest row would not fit otherwise.
pub(crate) fn step(deepest: u16, name: u16) -> u16 {
    if deepest.saturating_mul(2) <= name.saturating_sub(9) {
        2
    } else {
        1
    }
}

/// Returns the indentation of a row of this depth, and whether the row is too deep for it.
pub(crate) fn indent(depth: u16, step: u16, name: u16) -> (u16, bool) {
    let most = name.saturating_sub(9);
    let wanted = depth.saturating_mul(step);
    if wanted <= most {
        (wanted, false)
    } else {
        (most.max(5).min(name.saturating_sub(4)), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(spreads: bool) -> Wanted {
        Wanted {
            spreads,
            shares: true,
            work: true,
            fates: true,
            own: &[],
            unit: Unit::Pawns,
            boundless: false,
            large: false,
        }
    }

    #[test]
    fn shares_of_games_have_no_spread() {
        let shares = Wanted {
            unit: Unit::Outcomes,
            ..all(true)
        };
        assert_eq!(Columns::of(120, shares).spread, 0);
        assert!(Columns::of(120, all(true)).spread > 0);
        assert_eq!(Columns::of(120, all(false)).spread, 0);
    }

    #[test]
    fn what_a_lesson_has_not_introduced_has_no_column() {
        for width in 30..300 {
            let none = Wanted {
                shares: false,
                work: false,
                fates: false,
                ..all(false)
            };
            let c = Columns::of(width, none);
            assert_eq!((c.share, c.work, c.fate, c.reason), (0, 0, 0, 0));
            assert!((14..=32).contains(&c.name), "{width}: {c:?}");
        }
    }

    #[test]
    fn columns_use_the_width_and_never_more() {
        for (width, spreads) in (30..300).flat_map(|w| [(w, true), (w, false)]) {
            let c = Columns::of(width, all(spreads));
            let sum =
                c.name + c.share + c.mean + c.spread + c.axis + c.own + c.work + c.fate + c.reason;
            assert!(sum <= width.max(33), "{width}: {c:?}");
            assert!(c.name >= 14);
        }
    }

    /// At 80 columns, where the tree has 77, the axis has 24 cells at least; at 160 some 40.
    #[test]
    fn the_axis_has_room() {
        for spreads in [true, false] {
            assert!(Columns::of(77, all(spreads)).axis >= 26);
            assert!(Columns::of(110, all(spreads)).axis >= 42);
        }
    }

    #[test]
    fn for_a_class_the_axis_takes_what_is_left() {
        for width in 30..300 {
            let large = Wanted {
                large: true,
                ..all(true)
            };
            let (c, usual) = (Columns::of(width, large), Columns::of(width, all(true)));
            assert_eq!(c.name + c.mean + c.fate + c.axis, width, "{c:?}");
            assert!(c.axis >= usual.axis && c.name >= 10, "{width}: {c:?}");
            assert_eq!((c.share, c.work, c.reason, c.own), (0, 0, 0, 0));
        }
    }

    #[test]
    fn deep_rows_keep_room_for_their_name() {
        for depth in 0..500 {
            for name in [10, 14, 20, 40] {
                let (start, _) = indent(depth, step(depth, name), name);
                assert!(start + 4 <= name);
            }
        }
    }
}
