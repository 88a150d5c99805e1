//! At which values the beliefs of a toy tree are kept: the exact values themselves, and between them as close together
//! as the spreads around there need, most of them where the root's value can lie.

use std::collections::BTreeMap;

use super::ToyTree;
use crate::{Axis, Side};

/// So many standard deviations around a value its belief is resolved.
const REACH: f32 = 3.0;
/// How much less a belief counts that has no say in the root's value.
const ASIDE: f64 = 0.2;
/// How much finer a belief is resolved that is wider than the narrowest: by this power of the ratio, down to a share.
const WIDE: f64 = 0.15;
const FINEST: f64 = 0.4;
/// Points per axis that are placed evenly, where nothing is uncertain.
const EVEN: f64 = 0.02;
/// At most so many exact values have a point of their own beside uncertain ones.
const MOST_EXACT: usize = Axis::POINTS / 2;

/// Returns the points above 0 of a tree's beliefs, in expected score, ascending; `range` in the file's unit is 1.
///
/// A belief holds what both sides see, so the points below 0 are the same: a value and its negative are one.
pub fn points(tree: &ToyTree, range: f32) -> [f32; Axis::POINTS] {
    let intervals = intervals(tree);
    let focus = folded(intervals.first().copied().unwrap_or_default());
    let (exact, spread) = leaves(tree, &intervals);
    let wishes = Wishes::new(&spread, range);
    let most = if spread.is_empty() {
        Axis::POINTS
    } else {
        MOST_EXACT
    };
    let mut stops = vec![0.0];
    stops.extend(thinned(exact, focus, most));
    let last = stops.last().copied().unwrap_or(0.0);
    let end = match wishes.end().max(last) {
        0.0 => f64::from(range),
        end => end.min(f64::from(range)),
    };
    // The next point goes where the distance is the largest, measured by the wishes.
    let mut gaps: Vec<Gap> = stops
        .windows(2)
        .map(|w| Gap::new(w[0], w[1], false))
        .collect();
    let open = end > last || gaps.is_empty();
    gaps.extend(open.then(|| Gap::new(last, end, true)));
    for _ in stops.len() - 1..Axis::POINTS {
        let widest =
            |a: &&mut Gap, b: &&mut Gap| a.distance(&wishes).total_cmp(&b.distance(&wishes));
        if let Some(gap) = gaps.iter_mut().max_by(widest) {
            gap.points += 1;
        }
    }
    let inside = gaps.iter().flat_map(|gap| gap.places(&wishes));
    let mut all: Vec<f32> = stops[1..]
        .iter()
        .copied()
        .chain(inside)
        .map(|x| x as f32 / range)
        .collect();
    all.sort_by(f32::total_cmp);
    ascending(&all)
}

/// The exact values' sizes, ascending, and the uncertain values: their sizes from and to which they reach, and the
/// distance wished for between points there. What is guessed about an inner node without a value counts for nothing.
fn leaves(tree: &ToyTree, intervals: &[(f64, f64)]) -> (Vec<f64>, Vec<(f64, f64, f64)>) {
    let matters = matters(tree, intervals);
    let spreads = tree.nodes.iter().map(|n| n.spread).filter(|&sd| sd > 0.0);
    let narrowest = f64::from(spreads.fold(f32::INFINITY, f32::min));
    let mut exact = Vec::new();
    let mut spread = Vec::new();
    for (node, matters) in tree.nodes.iter().zip(matters) {
        let Some(value) = node.value.map(f64::from) else {
            continue;
        };
        let sd = node.spread;
        if sd == 0.0 {
            exact.push(value.abs());
            continue;
        }
        let (sd, reach) = (f64::from(sd), f64::from(REACH * sd));
        let distance = match matters {
            // The error of a mean grows with the spread: a wide belief is resolved finer, by its own measure.
            true => sd * (narrowest / sd).powf(WIDE).max(FINEST),
            false => sd / ASIDE,
        };
        let (from, to) = folded((value - reach, value + reach));
        spread.push((from, to, distance));
    }
    exact.retain(|&value| value > 0.0);
    exact.sort_by(f64::total_cmp);
    exact.dedup();
    (exact, spread)
}

/// The lowest and the highest value that each node can have, if no leaf is further off than [`REACH`], in Max's view.
fn intervals(tree: &ToyTree) -> Vec<(f64, f64)> {
    let mut sides = vec![tree.root_side; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for &child in &node.children {
            sides[child as usize] = sides[i].other();
        }
    }
    let mut intervals = vec![(0.0, 0.0); tree.nodes.len()];
    // A child stands after its parent.
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        let children = node.children.iter().map(|&child| intervals[child as usize]);
        let best = |a: (f64, f64), b: (f64, f64)| match sides[i] {
            Side::White => (a.0.max(b.0), a.1.max(b.1)),
            Side::Black => (a.0.min(b.0), a.1.min(b.1)),
        };
        intervals[i] = children.reduce(best).unwrap_or_else(|| {
            let value = f64::from(node.value.unwrap_or(0.0));
            let reach = f64::from(REACH * node.spread);
            (value - reach, value + reach)
        });
    }
    intervals
}

/// Whether a node can have a say in the root's value: whether it reaches its parent's, and that the parent of the parent.
fn matters(tree: &ToyTree, intervals: &[(f64, f64)]) -> Vec<bool> {
    let mut matters = vec![true; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for &child in &node.children {
            let (own, parent) = (intervals[child as usize], intervals[i]);
            let reaches = own.1 >= parent.0 && own.0 <= parent.1;
            matters[child as usize] = matters[i] && reaches;
        }
    }
    matters
}

/// The sizes of the values of an interval.
fn folded((low, high): (f64, f64)) -> (f64, f64) {
    match low <= 0.0 && high >= 0.0 {
        true => (0.0, high.max(-low)),
        false => (low.abs().min(high.abs()), low.abs().max(high.abs())),
    }
}

/// At most so many of the values: first those in the focus, then the others, evenly by their order.
fn thinned(exact: Vec<f64>, (low, high): (f64, f64), most: usize) -> Vec<f64> {
    let (inside, outside): (Vec<f64>, Vec<f64>) =
        exact.into_iter().partition(|&x| (low..=high).contains(&x));
    let evenly = |values: &[f64], most: usize| -> Vec<f64> {
        let take = values.len().min(most);
        let at = |i: usize| match take {
            1 => 0,
            _ => i * (values.len() - 1) / (take - 1),
        };
        (0..take).map(|i| values[at(i)]).collect()
    };
    let mut kept = evenly(&inside, most);
    kept.extend(evenly(&outside, most - kept.len()));
    kept.sort_by(f64::total_cmp);
    kept
}

/// How close together points are wished for: a step function, as the starts of its steps with the wish from there on and
/// the sum of all before.
struct Wishes(Vec<Step>);

struct Step {
    from: f64,
    density: f64,
    before: f64,
}

impl Wishes {
    /// One point per distance, the least of those that are wished for at each place.
    fn new(spread: &[(f64, f64, f64)], range: f32) -> Wishes {
        let range = f64::from(range);
        // Where a belief begins (true) and ends.
        let mut turns: Vec<(f64, bool, f64)> = Vec::new();
        for &(from, to, distance) in spread {
            turns.extend([(from, true, distance), (to.min(range), false, distance)]);
        }
        turns.sort_by(|a, b| a.0.total_cmp(&b.0));
        let even = EVEN / range;
        // The distances at a place, by their order as bits: none is negative.
        let mut here: BTreeMap<u64, usize> = BTreeMap::new();
        let mut steps = vec![Step {
            from: 0.0,
            density: even,
            before: 0.0,
        }];
        for (at, begins, distance) in turns {
            let last = &steps[steps.len() - 1];
            let before = last.before + (at - last.from) * last.density;
            let count = here.entry(distance.to_bits()).or_default();
            match begins {
                true => *count += 1,
                false => *count -= 1,
            }
            if *count == 0 {
                here.remove(&distance.to_bits());
            }
            let least = here
                .keys()
                .next()
                .map_or(f64::INFINITY, |&bits| f64::from_bits(bits));
            steps.push(Step {
                from: at,
                density: (1.0 / least).max(even),
                before,
            });
        }
        Wishes(steps)
    }

    /// Where the wishes end, but for the even ones.
    fn end(&self) -> f64 {
        self.0.last().map_or(0.0, |step| step.from)
    }

    /// The points wished for from 0 to a place.
    fn to(&self, x: f64) -> f64 {
        let step = &self.0[self.0.partition_point(|step| step.from <= x).max(1) - 1];
        step.before + (x - step.from) * step.density
    }

    /// The place to which so many points are wished for.
    fn place(&self, points: f64) -> f64 {
        let step = &self.0[self.0.partition_point(|step| step.before <= points).max(1) - 1];
        step.from + (points - step.before) / step.density
    }
}

/// The points between two exact values, or after the last.
struct Gap {
    from: f64,
    to: f64,
    /// Whether a point may lie at its end.
    open: bool,
    points: usize,
}

impl Gap {
    fn new(from: f64, to: f64, open: bool) -> Gap {
        Gap {
            from,
            to,
            open,
            points: 0,
        }
    }

    /// The distance between its points, in wishes.
    fn distance(&self, wishes: &Wishes) -> f64 {
        (wishes.to(self.to) - wishes.to(self.from)) / self.parts()
    }

    fn parts(&self) -> f64 {
        match self.open && self.points > 0 {
            true => self.points as f64,
            false => (self.points + 1) as f64,
        }
    }

    fn places(&self, wishes: &Wishes) -> impl Iterator<Item = f64> {
        let (from, to) = (wishes.to(self.from), wishes.to(self.to));
        let step = (to - from) / self.parts();
        (1..=self.points).map(move |i| {
            wishes
                .place(from + step * i as f64)
                .clamp(self.from, self.to)
        })
    }
}

/// The points made strictly ascending, the last at most 1.
fn ascending(sorted: &[f32]) -> [f32; Axis::POINTS] {
    let mut points = [0.0; Axis::POINTS];
    let mut before = 0.0_f32;
    for (point, &wish) in points.iter_mut().zip(sorted) {
        *point = wish.max(before.next_up());
        before = *point;
    }
    let mut above = 1.0_f32.next_up();
    for point in points.iter_mut().rev() {
        *point = point.min(above.next_down());
        above = *point;
    }
    points
}

#[cfg(test)]
mod tests {
    use crate::load::toy_tree::parse;

    fn points_of(text: &str) -> Vec<f32> {
        let tree = parse(text).expect(text).tree;
        let crate::Scale::Linear(axis) = tree.scale else {
            panic!("a toy tree's scale is linear");
        };
        axis.points().iter().map(|p| p * axis.range()).collect()
    }

    #[test]
    fn exact_values_have_points_and_points_ascend() {
        for text in [
            "max\nA 1.5\nB -3.25\nC 100",
            "max\nA 1 ± 0.1\nB\n  b1 1.3 ± 0.1\n  b2 1.4 ± 0.1\nC -100",
            "max\nA 1000000\nB 0.001",
            "max\nA 0\nB 0",
            "min\nA -5 ± 5\nB 1e-30",
        ] {
            let points = points_of(text);
            assert!(
                points[0] > 0.0 && points.windows(2).all(|w| w[0] < w[1]),
                "{text}: {points:?}"
            );
            let values = text.lines().filter(|line| !line.contains('±'));
            for value in
                values.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f32>().ok())
            {
                let near = points
                    .iter()
                    .any(|p| (p - value.abs()).abs() <= 1e-6 * value.abs());
                assert!(value == 0.0 || near, "{text}: {value} of {points:?}");
            }
        }
    }

    #[test]
    fn most_points_lie_where_the_root_is_decided() {
        let near = "max\nA 1 ± 0.1\nB\n  b1 1.3 ± 0.1\n  b2 1.4 ± 0.1";
        for far in ["", "\nC -100", "\nC -5 ± 5", "\nC -2000 ± 0.5"] {
            let points = points_of(&format!("{near}{far}"));
            let between = points.iter().filter(|&&p| (0.9..1.8).contains(&p)).count();
            assert!(between >= 12, "{far}: {between} of {points:?}");
        }
    }
}
