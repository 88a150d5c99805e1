//! Looks through a whole tree for the next node or move of a kind, in the order of its rows.

use std::collections::HashSet;

use super::{Reader, Wanted};
use game::MoveCode;
use tree::{NodeId, Tree};

/// A row of the tree: a legal move at a node. `node` is `NONE` if the move has no node; the root has no parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub parent: NodeId,
    pub node: NodeId,
    pub code: MoveCode,
}

impl Place {
    pub const ROOT: Place = Place {
        parent: NodeId::NONE,
        node: Tree::ROOT,
        code: MoveCode::NONE,
    };

    fn of(tree: &Tree, id: NodeId) -> Place {
        if id == Tree::ROOT {
            return Place::ROOT;
        }
        Place {
            parent: tree.node(id).parent(),
            node: id,
            code: tree.node(id).move_code(),
        }
    }

    /// Whether both are the same row; a move may have got a node in the meantime.
    fn is(&self, other: &Place) -> bool {
        (self.parent, self.code) == (other.parent, other.code)
    }
}

/// Sets the weights of the children of a node.
type Weigh<'a> = dyn Fn(Reader, NodeId, &mut [(f64, Place)]) + 'a;

/// What to look for, and how.
pub struct Seek<'a> {
    pub reader: Reader<'a>,
    pub wanted: &'a Wanted,
    /// Weighs siblings: greater ones come first. `None`: as they were recorded.
    pub weigh: Option<&'a Weigh<'a>>,
    /// Whether to look backwards.
    pub back: bool,
    /// Called with every node that is looked at; returns false to give up.
    pub goes_on: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for Seek<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seek")
            .field("wanted", self.wanted)
            .field("back", &self.back)
            .finish_non_exhaustive()
    }
}

/// What is still to be done.
#[derive(Clone, Copy)]
enum Step {
    /// A row with everything below it.
    Whole(Place),
    /// The row alone.
    Alone(Place),
}

impl Seek<'_> {
    /// Returns the next row of the kind after `start` (backwards: before it), where a row is followed by everything
    /// below it, recorded or not. After the last row comes the root, so that the row itself is found last. `None` if
    /// there is none, or it was given up.
    pub fn next(&self, start: Place) -> Option<Place> {
        let mut steps = self.first_steps(start);
        let mut lap = false;
        loop {
            let Some(step) = steps.pop() else {
                if lap {
                    return None;
                }
                lap = true;
                steps.push(Step::Whole(Place::ROOT));
                continue;
            };
            let place = match (step, self.back) {
                (Step::Alone(place), _) => place,
                (Step::Whole(place), false) => {
                    steps.extend(self.below(place).into_iter().rev().map(Step::Whole));
                    place
                }
                (Step::Whole(place), true) => {
                    steps.push(Step::Alone(place));
                    steps.extend(self.below(place).into_iter().map(Step::Whole));
                    continue;
                }
            };
            if self.fits(place) {
                return Some(place);
            }
            if lap && place.is(&start) || !(self.goes_on)() {
                return None;
            }
        }
    }

    /// Moves without a node are collected only if they fit.
    fn fits(&self, place: Place) -> bool {
        place.node.is_none() || self.wanted.fits(self.reader, place.node)
    }

    /// Returns the way from the root to a row.
    fn way(&self, to: Place) -> Vec<Place> {
        let tree = self.reader.tree;
        let known = if to.node.is_none() {
            to.parent
        } else {
            to.node
        };
        let mut way: Vec<Place> = tree
            .path(known)
            .into_iter()
            .map(|id| Place::of(tree, id))
            .collect();
        if to.node.is_none() {
            way.push(to);
        }
        way
    }

    /// Returns what follows a row, the next step last.
    fn first_steps(&self, start: Place) -> Vec<Step> {
        let way = self.way(start);
        let mut steps = Vec::new();
        if self.back && way.len() > 1 {
            steps.push(Step::Alone(Place::ROOT));
        }
        for (depth, here) in way.iter().enumerate().skip(1) {
            let siblings = self.below(way[depth - 1]);
            let at = siblings.iter().position(|s| s.is(here));
            if self.back {
                let before = &siblings[..at.unwrap_or(siblings.len())];
                steps.extend(before.iter().copied().map(Step::Whole));
                if depth + 1 < way.len() {
                    steps.push(Step::Alone(*here));
                }
            } else {
                let behind = &siblings[at.map_or(siblings.len(), |at| at + 1)..];
                steps.extend(behind.iter().rev().copied().map(Step::Whole));
            }
        }
        if !self.back {
            let below = self.below(start);
            steps.extend(below.into_iter().rev().map(Step::Whole));
        }
        steps
    }

    /// Returns the rows below a row, in order: the recorded ones, then those without a node that fit.
    fn below(&self, place: Place) -> Vec<Place> {
        let tree = self.reader.tree;
        let parent = place.node;
        // A node without recorded children can't be opened.
        if parent.is_none() || tree.node(parent).child_count() == 0 {
            return Vec::new();
        }
        let mut rows: Vec<(f64, Place)> = tree
            .children(parent)
            .map(|id| (0.0, Place::of(tree, id)))
            .collect();
        if let Some(weigh) = self.weigh {
            weigh(self.reader, parent, &mut rows);
            rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        let withheld = self.wanted.withheld(self.reader, parent);
        let withheld = withheld.into_iter().map(|(code, _)| Place {
            parent,
            node: NodeId::NONE,
            code,
        });
        rows.into_iter()
            .map(|(_, row)| row)
            .chain(withheld)
            .collect()
    }
}

/// Returns the rows of a kind in their order, at most so many: for tests and counts.
pub fn all(reader: Reader, wanted: &Wanted, most: usize) -> Vec<Place> {
    let seek = Seek {
        reader,
        wanted,
        weigh: None,
        back: false,
        goes_on: &|| true,
    };
    let mut found: Vec<Place> = Vec::new();
    let mut seen = HashSet::new();
    let mut at = Place::ROOT;
    while found.len() < most
        && let Some(next) = seek.next(at)
        && seen.insert((next.parent, next.code))
    {
        found.push(next);
        at = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Before;
    use crate::testing::searched;
    use algorithms::Algorithm;
    use tree::{FATES, Family};

    fn bit(name: &str) -> u32 {
        let at = FATES.iter().position(|f| f.name == name);
        1 << at.expect("a fate")
    }

    /// Every node of the kind, and every move without a node, found without an order.
    fn counted(reader: Reader, wanted: &Wanted) -> usize {
        let mut count = 0;
        for id in (0..reader.tree.len()).map(NodeId) {
            count += usize::from(wanted.fits(reader, id));
            if reader.tree.node(id).child_count() == 0 {
                continue;
            }
            let recorded: HashSet<MoveCode> = reader
                .tree
                .children(id)
                .map(|child| reader.tree.node(child).move_code())
                .collect();
            let fates = reader.fates(id).into_iter();
            count += fates
                .filter(|(code, _)| !recorded.contains(code))
                .filter(|(_, fate)| {
                    matches!(wanted, Wanted::Fates(_)) && wanted.fits_withheld(|| Some(*fate))
                })
                .count();
        }
        count
    }

    #[test]
    fn every_row_of_a_kind_is_found_once_forwards_and_backwards() {
        let alpha_beta = searched(Algorithm::AlphaBeta, 3_000);
        let mcts = searched(Algorithm::Mcts, 3_000);
        let cases = [
            (&alpha_beta, Wanted::Fates(bit("futility"))),
            (&alpha_beta, Wanted::Fates(bit("beta-cutoff"))),
            (&alpha_beta, Wanted::Fates(bit("null-move"))),
            (&alpha_beta, Wanted::Fates(bit("delta-pruning"))),
            (&alpha_beta, Wanted::DepthChanged),
            (&mcts, Wanted::Fates(bit("frontier"))),
            (&mcts, Wanted::Searched),
        ];
        for (session, wanted) in cases {
            let reader = session.reader();
            let forwards = all(reader, &wanted, usize::MAX);
            assert_eq!(forwards.len(), counted(reader, &wanted), "{wanted:?}");
            assert!(!forwards.is_empty(), "{wanted:?}");
            let seek = Seek {
                reader,
                wanted: &wanted,
                weigh: None,
                back: true,
                goes_on: &|| true,
            };
            let mut at = Place::ROOT;
            for expected in forwards.iter().rev().filter(|p| **p != Place::ROOT) {
                let before = seek.next(at).expect("one before");
                assert_eq!(before, *expected, "{wanted:?}");
                at = before;
            }
            // After the last one the first follows again.
            let seek = Seek {
                back: false,
                ..seek
            };
            let last = *forwards.last().expect("one");
            assert_eq!(seek.next(last), forwards.first().copied());
        }
    }

    #[test]
    fn changed_values_are_found_wherever_they_are() {
        let session = searched(Algorithm::Mcts, 3_000);
        let reader = session.reader();
        let before = std::sync::Arc::new(Before::of(reader.tree).expect("a small tree"));
        let changed = Wanted::Changed(std::sync::Arc::clone(&before));
        assert_eq!(all(reader, &changed, usize::MAX), []);
        // Two nodes far below the root; what changes by less than the screen can show has not changed.
        let mut deep: Vec<NodeId> = reader.tree.ids().collect();
        deep.reverse();
        let visited = |id: &NodeId| {
            reader.tree.node(*id).visits() > 0 && !reader.tree.node(*id).proof().is_exact()
        };
        let deep: Vec<NodeId> = deep.into_iter().filter(visited).take(3).collect();
        assert!(deep.iter().all(|id| reader.tree.ply(*id) > 1), "{deep:?}");
        let by = [0.2, -0.2, 1e-7];
        for (id, by) in deep.iter().zip(by) {
            let node = reader.tree.node(*id);
            node.set_expected(node.expected() * 0.5 + by);
        }
        let node = reader.tree.node(deep[2]);
        node.set_expected((node.expected() - 1e-7) * 2.0 + 1e-7);
        let mut found: Vec<NodeId> = all(reader, &changed, usize::MAX)
            .into_iter()
            .map(|place| place.node)
            .collect();
        found.sort_unstable_by_key(|id| std::cmp::Reverse(id.0));
        assert_eq!(found, deep[..2]);
    }

    #[test]
    fn rows_come_in_the_order_of_their_weights() {
        let session = searched(Algorithm::Mcts, 2_000);
        let reader = session.reader();
        assert_eq!(reader.tree.family(), Family::BestFirst);
        let visits = |r: Reader, _: NodeId, rows: &mut [(f64, Place)]| {
            for (weight, row) in rows {
                *weight = f64::from(r.tree.node(row.node).visits());
            }
        };
        let seek = Seek {
            reader,
            wanted: &Wanted::Searched,
            weigh: Some(&visits),
            back: false,
            goes_on: &|| true,
        };
        let first = seek.next(Place::ROOT).expect("a move");
        let most = reader
            .tree
            .children(Tree::ROOT)
            .map(|id| reader.tree.node(id).visits())
            .max();
        assert_eq!(Some(reader.tree.node(first.node).visits()), most);
    }

    #[test]
    fn what_is_not_there_is_not_found_and_one_may_give_up() {
        let session = searched(Algorithm::Mcts, 1_000);
        let reader = session.reader();
        let futile = Wanted::Fates(bit("futility"));
        let (looked, give_up) = (std::cell::Cell::new(0_u32), std::cell::Cell::new(u32::MAX));
        let goes_on = || {
            looked.set(looked.get() + 1);
            looked.get() < give_up.get()
        };
        let seek = Seek {
            reader,
            wanted: &futile,
            weigh: None,
            back: false,
            goes_on: &goes_on,
        };
        assert_eq!(seek.next(Place::ROOT), None);
        let mut reachable: u32 = 0;
        let mut open = vec![Tree::ROOT];
        while let Some(id) = open.pop() {
            reachable += 1;
            open.extend(reader.tree.children(id));
        }
        // The root, where it begins, ends it.
        assert_eq!(looked.get(), reachable - 1);
        looked.set(0);
        give_up.set(10);
        assert_eq!(seek.next(Place::ROOT), None);
        assert_eq!(looked.get(), 10);
    }
}
