//! The columns of the tree and how the pane's width is divided among them.

use ratatui::layout::Rect;

use report::lens::Unit;
use screen::pen::Pen;
use screen::theme::Role;
use session::Reader;
use tree::Family;

/// The width of each column; a column of width 0 is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Columns {
    pub name: u16,
    pub mean: u16,
    pub spread: u16,
    pub strip: u16,
    pub share: u16,
    /// All columns of figures that only this algorithm has.
    pub own: u16,
    pub work: u16,
    pub proof: u16,
    pub fate: u16,
    pub reason: u16,
}

/// What there is to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Whether there are distributions: without them there are neither spreads nor strips, which would show a point each.
    pub spreads: bool,
    /// Whether anything is proven about a visible row.
    pub proofs: bool,
    /// Whether the shares, the work and the fates are shown: a lesson may not have introduced them yet.
    pub shares: bool,
    pub work: bool,
    pub fates: bool,
    /// The names of the figures that only this algorithm has; they take the place of the shares.
    pub own: &'static [&'static str],
    pub unit: Unit,
}

impl Columns {
    /// Divides the width: the most informative columns come first, and names and reasons get the rest. What would be
    /// empty in every row gives way.
    pub fn of(width: u16, wanted: Wanted) -> Columns {
        let Wanted {
            spreads,
            proofs,
            own,
            unit,
            ..
        } = wanted;
        // Shares of wins, draws and losses are wide, and have no spread.
        let outcomes = unit == Unit::Outcomes;
        let mut c = Columns {
            mean: if outcomes { 10 } else { 7 },
            strip: if spreads { 9 } else { 0 },
            work: if wanted.work { 7 } else { 0 },
            fate: if wanted.fates { 4 } else { 0 },
            ..Columns::default()
        };
        let mut left = width.saturating_sub(c.mean + c.strip + c.work + c.fate + 14);
        let mut take = |slot: &mut u16, columns: u16| {
            if left >= columns {
                *slot += columns;
                left -= columns;
            }
        };
        take(&mut c.proof, if proofs { 6 } else { 0 });
        take(&mut c.own, own.iter().map(|name| own_width(name)).sum());
        let shares = wanted.shares && own.is_empty();
        take(&mut c.share, if shares { 6 } else { 0 });
        if spreads {
            take(&mut c.spread, if outcomes { 0 } else { 5 });
            take(&mut c.strip, 4);
        }
        // Wide enough for "32 of 32 moves".
        take(&mut c.reason, if wanted.fates { 15 } else { 0 });
        if spreads {
            take(&mut c.strip, 4);
        }
        c.name = 14;
        let more = left.min(16);
        c.name += more / 2;
        if c.reason > 0 {
            c.reason += more - more / 2;
            let rest = left - more;
            c.reason += (rest / 2).min(14);
            c.name += rest - (rest / 2).min(14);
        } else {
            // Without reasons, values stay near their names.
            c.name = (c.name + more - more / 2 + left - more).min(if wanted.fates {
                u16::MAX
            } else {
                32
            });
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

/// Draws the headings of the columns; `unit` is that of the scores.
pub(super) fn headings(pen: &mut Pen, inner: Rect, c: Columns, reader: Reader, unit: &str) {
    let own = reader.columns();
    let work = match reader.tree.family() {
        Family::BestFirst => "visits",
        Family::DepthFirst => "nodes",
    };
    let share = "share";
    let y = inner.y;
    let mut x = inner.x + 1;
    pen.put(x, y, inner.right(), "move", Role::Dim);
    x += c.name;
    for (columns, heading) in [(c.mean, unit), (c.spread, "sd")] {
        if columns > 0 {
            pen.put_right(x, y, x + columns, heading, Role::Dim);
            x += columns;
        }
    }
    if c.strip > 0 {
        let minus = pen.glyphs.minus;
        pen.put(x + 1, y, x + c.strip, &format!("{minus}1"), Role::Dim);
        pen.put(x + 1 + (c.strip - 1) / 2, y, x + c.strip, "0", Role::Dim);
        pen.put_right(x, y, x + c.strip, "+1", Role::Dim);
        x += c.strip;
    }
    if c.own > 0 {
        for name in own {
            let heading = name.get(..LONGEST_HEADING).unwrap_or(name);
            pen.put_right(x, y, x + own_width(name), heading, Role::Dim);
            x += own_width(name);
        }
    }
    for (columns, heading) in [(c.share, share), (c.work, work)] {
        if columns > 0 {
            pen.put_right(x, y, x + columns, heading, Role::Dim);
            x += columns;
        }
    }
    if c.proof > 0 {
        pen.put(x + 1, y, x + c.proof, "proof", Role::Dim);
        x += c.proof;
    }
    if c.fate == 0 {
        return;
    }
    let room = inner.right().saturating_sub(x + 1);
    pen.put(
        x + 1,
        y,
        inner.right(),
        if room > 5 { "fate" } else { "" },
        Role::Dim,
    );
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
            proofs: true,
            shares: true,
            work: true,
            fates: true,
            own: &[],
            unit: Unit::Pawns,
        }
    }

    #[test]
    fn what_is_empty_gives_way_to_the_reason() {
        let none = Wanted {
            proofs: false,
            ..all(false)
        };
        let (without, with) = (Columns::of(60, none), Columns::of(60, all(false)));
        assert_eq!((without.proof, without.spread, without.strip), (0, 0, 0));
        assert!(without.name + without.reason == with.name + with.reason + with.proof);
        let shares = Wanted {
            unit: Unit::Outcomes,
            ..all(true)
        };
        assert_eq!(Columns::of(120, shares).spread, 0);
    }

    #[test]
    fn what_a_lesson_has_not_introduced_has_no_column() {
        for width in 30..300 {
            let c = Columns::of(
                width,
                Wanted {
                    proofs: false,
                    shares: false,
                    work: false,
                    fates: false,
                    ..all(false)
                },
            );
            assert_eq!(
                (c.proof, c.share, c.work, c.fate, c.reason),
                (0, 0, 0, 0, 0)
            );
            assert!((14..=32).contains(&c.name), "{width}: {c:?}");
        }
    }

    #[test]
    fn columns_use_the_width_and_never_more() {
        for (width, spreads) in (30..300).flat_map(|w| [(w, true), (w, false)]) {
            let c = Columns::of(width, all(spreads));
            let sum = c.name
                + c.mean
                + c.spread
                + c.strip
                + c.share
                + c.own
                + c.work
                + c.proof
                + c.fate
                + c.reason;
            assert!(sum <= width.max(41), "{width}: {c:?}");
            assert!(c.name >= 14);
        }
        let c = Columns::of(77, all(true));
        assert!(
            c.proof > 0 && c.share > 0 && c.spread > 0 && c.strip >= 13,
            "{c:?}"
        );
    }

    #[test]
    fn deep_rows_keep_room_for_their_name() {
        for depth in 0..500 {
            for name in [14, 20, 40] {
                let (start, _) = indent(depth, step(depth, name), name);
                assert!(start + 4 <= name);
            }
        }
    }
}
