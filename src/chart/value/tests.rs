//! Tests of the marks.

use super::*;
use proptest::prelude::*;

const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

fn how(style: Style, from: From) -> How {
    How {
        style,
        from,
        levels: 8,
    }
}

fn shown(mark: Mark, (low, high): (f32, f32), style: Style, from: From) -> String {
    let mut cells = [' '; 20];
    mark.draw(
        Span { low, high },
        20,
        how(style, from),
        &Grid::sinh(),
        |column, sign| {
            cells[column] = match sign {
                Sign::Level(level) => LEVELS[usize::from(level)],
                Sign::Point => '●',
                Sign::FaintPoint => '○',
                Sign::Line => '─',
                Sign::Heavy => '━',
                Sign::Dashes => '╌',
                Sign::Closes => '┤',
                Sign::Opens => '├',
                Sign::Hatch => '▒',
                Sign::Static => 's',
                Sign::Carried => '╋',
                Sign::Gap => '·',
                Sign::Bound => '┊',
                Sign::Below => '◂',
                Sign::Above => '▸',
            };
        },
    );
    cells.iter().collect()
}

fn chance(mark: Mark, span: (f32, f32), from: From) -> String {
    shown(mark, span, Style::Chance, from)
}

#[test]
fn single_values_and_bounds() {
    let show = |mark| chance(mark, (-1.0, 1.0), From::Low);
    assert_eq!(show(Mark::Nothing), "                    ");
    assert_eq!(show(Mark::Exact(0.0)), "          ●         ");
    assert_eq!(show(Mark::Exact(1.0)), "                   ●");
    assert_eq!(show(Mark::AtMost(-0.5)), "╌╌╌╌╌┤              ");
    assert_eq!(show(Mark::AtLeast(0.5)), "               ├╌╌╌╌");
    assert_eq!(show(Mark::Faint(-1.0)), "○                   ");
    let mean = Mark::Mean {
        mean: 0.0,
        error: 0.1,
    };
    assert_eq!(show(mean), "        ──●─        ");
    let near = (0.1, 0.3);
    let show = |mark| chance(mark, near, From::Low);
    assert_eq!(show(Mark::Exact(0.0)), "◂                   ");
    assert_eq!(show(Mark::Exact(0.5)), "                   ▸");
    assert_eq!(show(Mark::AtMost(0.0)), "◂                   ");
    assert_eq!(show(Mark::AtMost(0.5)), "╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌");
    assert_eq!(show(Mark::AtLeast(0.5)), "                   ▸");
    assert_eq!(show(Mark::AtLeast(0.0)), "╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌");
}

#[test]
fn margins_show_how_much_is_missing() {
    let futile = Mark::Margin {
        from: -0.8,
        to: -0.4,
        bound: 0.0,
    };
    let show = |span| chance(futile, span, From::Low);
    assert_eq!(show((-1.0, 1.0)), "  s━━━╋···┊         ");
    assert_eq!(show((-0.5, 0.5)), "◂━╋·······┊         ");
    assert_eq!(show((0.5, 1.0)), "◂                   ");
    let high = Mark::Margin {
        from: 0.8,
        to: 0.4,
        bound: 0.2,
    };
    assert_eq!(
        chance(high, (-1.0, 1.0), From::High),
        "            ┊·╋━━━s "
    );
}

#[test]
fn proofs_are_full_to_what_is_sure_and_hatched_to_what_is_possible() {
    let proof = |low, high| Mark::Proof { low, high };
    let show = |mark, from| chance(mark, (-0.5, 0.5), from);
    assert_eq!(show(proof(1.0, 1.0), From::Low), "████████████████████");
    assert_eq!(show(proof(-1.0, -1.0), From::Low), "◂                   ");
    assert_eq!(show(proof(0.0, 0.0), From::Low), "██████████          ");
    assert_eq!(show(proof(0.0, 0.0), From::High), "          ██████████");
    assert_eq!(show(proof(0.0, 1.0), From::Low), "██████████▒▒▒▒▒▒▒▒▒▒");
    assert_eq!(show(proof(-1.0, 0.0), From::Low), "▒▒▒▒▒▒▒▒▒▒          ");
    assert_eq!(show(proof(-1.0, 0.0), From::High), "▒▒▒▒▒▒▒▒▒▒██████████");
    assert_eq!(show(proof(-1.0, -1.0), From::High), "████████████████████");
}

#[test]
fn a_belief_in_one_bin_is_a_bar_with_a_sharp_end() {
    let grid = Grid::sinh();
    let atom = Mark::Belief {
        density: Density::atom(grid.bin_of(0.24)),
        mean: 0.24,
    };
    assert_eq!(chance(atom, (-1.0, 1.0), From::Low), "████████████        ");
    assert_eq!(
        chance(atom, (-1.0, 1.0), From::High),
        "            ████████"
    );
    let whiskers = shown(atom, (-1.0, 1.0), Style::Whiskers, From::Low);
    assert_eq!(whiskers, "            ●       ");
    let density = shown(atom, (-1.0, 1.0), Style::Density, From::Low);
    assert_eq!(density, "            █       ");
    assert_eq!(chance(atom, (0.3, 0.5), From::Low), "◂                   ");
    assert_eq!(chance(atom, (0.3, 0.5), From::High), "████████████████████");
}

/// The height of a bar is the chance, by a sum over the bins that shares no code with the drawing.
#[test]
fn a_bar_is_the_chance_of_at_least_so_much() {
    let grid = Grid::sinh();
    let density = Density::normal_expected(&grid, 0.1, 0.2);
    let mark = Mark::Belief { density, mean: 0.1 };
    let (low, high) = (-0.4, 0.6);
    for (i, sign) in chance(mark, (low, high), From::Low).chars().enumerate() {
        let value = low + (i as f32 + 0.5) / 20.0 * (high - low);
        let above: f32 = (0..BINS)
            .map(|bin| {
                let (from, to) = (grid.edges()[bin], grid.edges()[bin + 1]);
                density.0[bin] * ((to - value) / (to - from)).clamp(0.0, 1.0)
            })
            .sum();
        let level = LEVELS.iter().position(|&l| l == sign).expect("a level");
        // Whatever is visible at all has the lowest bar.
        let least = usize::from(above >= VISIBLE);
        let expected = ((above * 8.0).round() as usize).max(least);
        assert!(
            level.abs_diff(expected) <= 1 && (level == 0) == (expected == 0),
            "{i}: {level} {above}"
        );
    }
    let whiskers = shown(mark, (low, high), Style::Whiskers, From::Low);
    assert_eq!(whiskers.chars().nth(10), Some('●'), "{whiskers}");
}

proptest! {
    /// Bars fall from their base, both sides' are each other's mirror, and nothing is drawn outside.
    #[test]
    fn bars_fall_and_mirror(mean in -0.95f32..0.95, sd in 0.01f32..0.8, low in -1.0f32..0.9, width in 0.01f32..1.0) {
        let grid = Grid::sinh();
        let density = Density::normal_expected(&grid, mean, sd);
        let mark = Mark::Belief { density, mean };
        let other = Mark::Belief { density: density.negated(), mean: -mean };
        let high = (low + width).min(1.0);
        let bar: Vec<char> = chance(mark, (low, high), From::Low).chars().collect();
        let mirror: Vec<char> = chance(other, (-high, -low), From::High).chars().rev().collect();
        let level = |c: char| LEVELS.iter().position(|&l| l == c);
        for pair in bar.windows(2) {
            if let (Some(a), Some(b)) = (level(pair[0]), level(pair[1])) {
                prop_assert!(a >= b, "{bar:?}");
            }
        }
        for (a, b) in bar.iter().zip(&mirror) {
            if let (Some(a), Some(b)) = (level(*a), level(*b)) {
                prop_assert!(a.abs_diff(b) <= 1, "{bar:?} {mirror:?}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_outside(
        values in prop::array::uniform3(-1.0f32..=1.0), low in -1.0f32..0.99, width in 1e-4f32..2.0, columns in 1usize..60,
    ) {
        let [a, b, c] = values;
        let span = Span { low, high: (low + width).min(1.0) };
        let marks = [
            Mark::Exact(a), Mark::AtMost(a), Mark::AtLeast(a), Mark::Faint(a), Mark::Mean { mean: a, error: b.abs() },
            Mark::Between { low: a.min(b), high: a.max(b) }, Mark::Proof { low: a.min(b), high: a.max(b) },
            Mark::Margin { from: a, to: b, bound: c },
        ];
        for mark in marks {
            for from in [From::Low, From::High] {
                let mut signs = 0;
                mark.draw(span, columns, how(Style::Chance, from), &Grid::uniform(), |column, _| {
                    assert!(column < columns);
                    signs += 1;
                });
                prop_assert!(signs > 0, "{mark:?} shows nothing in {span:?}");
            }
        }
    }
}
