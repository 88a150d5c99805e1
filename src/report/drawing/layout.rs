//! The positions of nodes in a drawn tree: a tidy layout in columns of text (Reingold and Tilford, *Tidier Drawings of
//! Trees*, 1981).
//!
//! A parent is centred above its outermost children, subtrees are as close together as their outlines allow, and
//! sibling leaves get equal slots.

use std::ops::Range;

/// A tree that can be laid out: its nodes are numbered.
pub trait Shape {
    /// Returns the children of a node from left to right; none of a leaf, or of a node that is closed.
    fn children(&self, node: u32) -> &[u32];

    /// Returns how much a closed node hides.
    fn hidden(&self, node: u32) -> u32;
}

/// One drawn node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number in the shape.
    pub node: u32,
    /// Its parent's place, or `None` at the root.
    pub parent: Option<usize>,
    /// The plies from the root.
    pub depth: u16,
    /// The places of its children; none at a leaf, or if it is closed.
    pub children: Range<usize>,
    /// How much below it is not drawn because it is closed.
    pub hidden: u32,
    /// The column in which its edges meet.
    pub middle: i32,
    /// The number of columns that its label may take up, around the middle.
    pub width: u16,
}

impl Place {
    /// Returns its first column.
    pub fn left(&self) -> i32 {
        self.middle - i32::from(self.width / 2)
    }

    /// Returns the column after its last one.
    pub fn right(&self) -> i32 {
        self.left() + i32::from(self.width)
    }
}

/// All drawn nodes, level by level and from left to right.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub places: Vec<Place>,
    /// The places of each level.
    pub levels: Vec<Range<usize>>,
    /// The total number of columns.
    pub width: i32,
}

impl Layout {
    /// Lays out the part of a tree below `root`. `width` returns how many columns a node's label takes up (what a closed
    /// one hides is already known then), and `gap` is the number of free columns between neighbours.
    pub fn new(shape: &impl Shape, root: u32, gap: u16, width: impl Fn(&Place) -> u16) -> Layout {
        let mut layout = Layout::level_by_level(shape, root);
        for place in &mut layout.places {
            place.width = width(place).max(1);
        }
        let shifts = layout.shifts(i32::from(gap));
        for (i, shift) in shifts.iter().enumerate().skip(1) {
            let parent = layout.places[i].parent.unwrap_or(0);
            layout.places[i].middle = layout.places[parent].middle + shift;
        }
        // One column is left free before the first, as between neighbours, for marks.
        let left = layout.places.iter().map(Place::left).min().unwrap_or(0) - 1;
        for place in &mut layout.places {
            place.middle -= left;
        }
        layout.width = layout.places.iter().map(Place::right).max().unwrap_or(0);
        layout
    }

    /// Returns the drawn nodes, before columns are assigned.
    fn level_by_level(shape: &impl Shape, root: u32) -> Layout {
        let mut places = vec![Place {
            node: root,
            parent: None,
            depth: 0,
            children: 0..0,
            hidden: 0,
            middle: 0,
            width: 1,
        }];
        let mut levels = Vec::new();
        let mut level = 0..1;
        while !level.is_empty() {
            for i in level.clone() {
                places[i].hidden = shape.hidden(places[i].node);
                let (first, depth) = (places.len(), places[i].depth + 1);
                let children = shape.children(places[i].node).iter();
                places.extend(children.map(|&node| Place {
                    node,
                    parent: Some(i),
                    depth,
                    children: 0..0,
                    hidden: 0,
                    middle: 0,
                    width: 1,
                }));
                places[i].children = first..places.len();
            }
            let next = level.end..places.len();
            levels.push(level);
            level = next;
        }
        Layout {
            places,
            levels,
            width: 0,
        }
    }

    /// Returns how far each node is to the right of its parent.
    fn shifts(&self, gap: i32) -> Vec<i32> {
        let mut shifts = vec![0; self.places.len()];
        let mut outlines: Vec<Outline> = Vec::new();
        outlines.resize_with(self.places.len(), Outline::default);
        // Children come after their parents, so in reverse order every subtree is ready before it is needed.
        for (i, place) in self.places.iter().enumerate().rev() {
            let mut outline = Outline::default();
            for child in place.children.clone() {
                let next = std::mem::take(&mut outlines[child]);
                shifts[child] = outline.distance(&next, gap);
                outline = outline.beside(next, shifts[child]);
            }
            let (first, last) = (place.children.start, place.children.end);
            if let Some(last) = last.checked_sub(1).filter(|l| *l >= first) {
                let middle = (shifts[first] + shifts[last]).div_euclid(2);
                outline.offset -= middle;
                place.children.clone().for_each(|c| shifts[c] -= middle);
            }
            let left = -i32::from(place.width / 2);
            outline.put_on_top(left, left + i32::from(place.width));
            outlines[i] = outline;
        }
        shifts
    }

    /// Returns the place of a node, if it is drawn.
    pub fn place_of(&self, node: u32) -> Option<usize> {
        self.places.iter().position(|p| p.node == node)
    }

    /// Returns the place on a level whose middle is nearest to a column, or `None` if there is no such level.
    pub fn nearest(&self, depth: usize, column: i32) -> Option<usize> {
        let level = self.levels.get(depth)?.clone();
        level.min_by_key(|&i| (self.places[i].middle - column).abs())
    }

    /// Returns the places of a level that overlap the columns `from..to`.
    pub fn visible(&self, depth: usize, from: i32, to: i32) -> Range<usize> {
        let Some(level) = self.levels.get(depth).cloned() else {
            return 0..0;
        };
        let places = &self.places[level.clone()];
        let first = places.partition_point(|p| p.right() <= from);
        let last = places.partition_point(|p| p.left() < to);
        level.start + first..level.start + last.max(first)
    }
}

/// How far a subtree extends to either side, level by level, in columns from its root's middle.
#[derive(Debug, Default)]
struct Outline {
    /// An offset that applies to all columns, so that a subtree is moved in a single step.
    offset: i32,
    /// The first column and the one after the last, deepest level first.
    levels: Vec<(i32, i32)>,
}

impl Outline {
    /// Returns how far `right`'s root has to be to the right of this outline's origin so that the two do not touch.
    fn distance(&self, right: &Outline, gap: i32) -> i32 {
        let pairs = self.levels.iter().rev().zip(right.levels.iter().rev());
        let needed = pairs.map(|(a, b)| a.1 + self.offset + gap - b.0 - right.offset);
        needed.max().unwrap_or(0)
    }

    /// Merges both outlines, with `right` moved by `shift`. The cost is that of the shallower one.
    fn beside(mut self, mut right: Outline, shift: i32) -> Outline {
        right.offset += shift;
        let common = self.levels.len().min(right.levels.len());
        let (mine, its) = (self.levels.len() - common, right.levels.len() - common);
        for i in 0..common {
            let (a, b) = (self.levels[mine + i], right.levels[its + i]);
            let (left, end) = (a.0 + self.offset, b.1 + right.offset);
            self.levels[mine + i] = (left - self.offset, end - self.offset);
            right.levels[its + i] = (left - right.offset, end - right.offset);
        }
        if mine > 0 || its == 0 { self } else { right }
    }

    /// Adds a level above all others.
    fn put_on_top(&mut self, left: i32, right: i32) {
        self.levels.push((left - self.offset, right - self.offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::WholeTree;
    use game::load::toy_tree;
    use game::toy::ToyTree;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn tree(text: &str) -> ToyTree {
        toy_tree::parse(text).expect("a tree").tree
    }

    fn plain(text: &str, width: u16) -> Layout {
        laid_out(&tree(text), &HashSet::new(), |_| width)
    }

    fn laid_out(tree: &ToyTree, closed: &HashSet<u32>, width: impl Fn(&Place) -> u16) -> Layout {
        Layout::new(&WholeTree { tree, closed }, 0, 1, width)
    }

    #[test]
    fn parents_stand_above_the_middle_and_leaves_in_equal_slots() {
        let layout = plain("max\nA\n  a 1\n  b 2\n  c 3\nB\n  d 4\n  e 5\n", 3);
        let middles: Vec<i32> = layout.places.iter().map(|p| p.middle).collect();
        // The middles of the root; of A and B; of a, b, c and d, e.
        assert_eq!(middles, [11, 6, 16, 2, 6, 10, 14, 18]);
        assert_eq!((layout.width, layout.levels.len()), (20, 3));
    }

    #[test]
    fn a_closed_node_hides_its_leaves() {
        let tree = tree("max\nA\n  a 1\n  b\n    c 2\n    d 3\nB 4\n");
        let closed = HashSet::from([1]);
        let layout = laid_out(&tree, &closed, |_| 3);
        assert_eq!(layout.places.len(), 3);
        assert_eq!(layout.places[1].hidden, 3);
        assert!(layout.place_of(2).is_none());
        assert_eq!(layout.levels, [0..1, 1..3]);
    }

    /// Returns a tree given by the parents of its nodes, each parent before its children.
    fn random() -> impl Strategy<Value = (Vec<u32>, Vec<u16>, Vec<bool>)> {
        (2usize..60).prop_flat_map(|n| {
            let parents = (1..n as u32).map(|i| 0..i).collect::<Vec<_>>();
            let widths = prop::collection::vec(1u16..9, n);
            let closed = prop::collection::vec(prop::bool::weighted(0.1), n);
            (parents, widths, closed)
        })
    }

    fn grown(parents: &[u32]) -> ToyTree {
        let mut nodes: Vec<game::toy::ToyNode> = (0..=parents.len())
            .map(|i| game::toy::ToyNode {
                name: format!("n{i}"),
                value: Some(i as f32),
                spread: 0.0,
                children: Vec::new(),
                parent: i.checked_sub(1).map(|i| parents[i]),
            })
            .collect();
        for (i, &parent) in parents.iter().enumerate() {
            nodes[parent as usize].children.push(i as u32 + 1);
        }
        ToyTree::build(nodes, game::Side::White).expect("a tree")
    }

    proptest! {
        #[test]
        fn nothing_overlaps_and_all_is_there((parents, widths, closed) in random()) {
            let tree = grown(&parents);
            let shut: HashSet<u32> = (0..closed.len() as u32).filter(|i| closed[*i as usize]).collect();
            let layout = laid_out(&tree, &shut, |p| widths[p.node as usize]);
            let places = &layout.places;
            prop_assert!(places.iter().all(|p| p.left() > 0 && p.right() <= layout.width));
            for level in &layout.levels {
                for pair in places[level.clone()].windows(2) {
                    prop_assert!(pair[0].right() < pair[1].left(), "{:?}", pair);
                }
            }
            for (i, place) in places.iter().enumerate() {
                let children = &places[place.children.clone()];
                prop_assert!(children.iter().all(|c| c.parent == Some(i) && c.depth == place.depth + 1));
                let own = &tree.nodes[place.node as usize].children;
                let drawn: Vec<u32> = children.iter().map(|c| c.node).collect();
                if shut.contains(&place.node) {
                    prop_assert!(drawn.is_empty());
                    prop_assert_eq!(place.hidden > 0, !own.is_empty());
                } else {
                    prop_assert_eq!(&drawn, own);
                }
                if let (Some(first), Some(last)) = (children.first(), children.last()) {
                    prop_assert_eq!(place.middle, (first.middle + last.middle).div_euclid(2));
                }
            }
        }

        #[test]
        fn what_is_visible_is_what_reaches_in((parents, widths, _) in random(), from in 0i32..200, columns in 1i32..80) {
            let layout = laid_out(&grown(&parents), &HashSet::new(), |p| widths[p.node as usize]);
            for (depth, level) in layout.levels.iter().enumerate() {
                let reaches = |i: &usize| {
                    let p = &layout.places[*i];
                    p.right() > from && p.left() < from + columns
                };
                let expected: Vec<usize> = level.clone().filter(reaches).collect();
                prop_assert_eq!(layout.visible(depth, from, from + columns).collect::<Vec<_>>(), expected);
            }
        }
    }
}
