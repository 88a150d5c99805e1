//! Which part of a chess tree is drawn: the root's few best moves with their best lines, and every other move in a
//! counted stub. What was chosen stays where it is while the search runs; only what becomes the best move is added.

mod choice;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::sketch::{Part, Sketch, Stub};
use choice::Choice;
use game::MoveCode;
use tree::Fate;

/// The moves from the root to a node.
type Path = Vec<MoveCode>;

/// The number of nodes whose moves are read for one sketch.
const READ: usize = 96;

/// The number of moves that an opened stub shows at a time.
const SHOWN: usize = 8;

/// A move at a node, as far as the choice depends on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub code: MoveCode,
    pub is_best: bool,
    /// The share of the work at the node, in [0, 1].
    pub share: f32,
    pub fate: Fate,
    /// The number of moves recorded below it; 0 if there is nothing to open.
    pub replies: u32,
}

/// How much is drawn unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The moves at the root.
    pub moves: usize,
    /// The moves beside the best one along the best line.
    pub beside: usize,
    /// The plies of the best line.
    pub line: usize,
    /// The plies of the best lines of the root's other moves, their first move included.
    pub lines: usize,
}

/// What was chosen, and what the user opened and closed.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The moves drawn at each node, from left to right.
    chosen: HashMap<Path, Vec<MoveCode>>,
    /// The nodes that were open of themselves when the choice was made.
    unasked: BTreeSet<Path>,
    /// What the user opened (true) or closed.
    asked: BTreeMap<Path, bool>,
    /// The stubs that the user opened.
    parts: BTreeSet<(Path, Part)>,
}

impl Lines {
    /// Opens or closes a node.
    pub fn set_open(&mut self, path: &[MoveCode], open: bool) {
        self.asked.insert(path.to_vec(), open);
    }

    /// Opens a stub, so that its moves are drawn: all of one fate together first, if there are several.
    pub fn open_part(&mut self, path: &[MoveCode], stub: &Stub) {
        let part = match (stub.part, stub.fates.as_slice()) {
            (Part::Rest, [(fate, _)]) => {
                self.parts.insert((path.to_vec(), Part::Rest));
                Part::Fate(fate.letter())
            }
            (part, _) => part,
        };
        self.parts.insert((path.to_vec(), part));
    }

    /// Puts the moves of an opened stub back into it; returns false if none of the node's stubs is open.
    pub fn close_part(&mut self, path: &[MoveCode], part: Part) -> bool {
        let own = self.parts.remove(&(path.to_vec(), part));
        // Moves of one fate are within all moves.
        let rest = !own && self.parts.remove(&(path.to_vec(), Part::Rest));
        own || rest
    }

    /// Forgets everything that the user opened and closed.
    pub fn close_all(&mut self) {
        self.asked.clear();
        self.parts.clear();
    }

    /// Opens the nodes on the way to a node again.
    pub fn uncover(&mut self, path: &[MoveCode]) {
        for plies in 0..path.len() {
            if self.asked.get(&path[..plies]) == Some(&false) {
                self.asked.remove(&path[..plies]);
            }
        }
    }

    /// Returns what to draw. `anew` chooses the moves again, with those that are drawn already staying in place as long as
    /// they are among the first; otherwise only a new best move and the way to the selected node are added. `moves` returns
    /// the moves at a node, all of them, in the search's own order; it is asked for at most 96 nodes.
    pub fn sketch(
        &mut self,
        extent: Extent,
        selected: &[MoveCode],
        anew: bool,
        moves: impl FnMut(&[MoveCode]) -> Vec<Candidate>,
    ) -> Sketch {
        if anew {
            self.unasked.clear();
        }
        let mut choice = Choice {
            lines: self,
            extent,
            selected,
            anew,
            moves,
            left: READ,
            sketch: Sketch::default(),
        };
        let root = choice.add(None, MoveCode::NONE);
        choice.grow(root, &mut Path::new(), true, 0);
        choice.sketch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Shape;
    use proptest::prelude::*;

    const EXTENT: Extent = Extent {
        moves: 3,
        beside: 1,
        line: 3,
        lines: 2,
    };

    const LATE: Fate = Fate::SiblingCutoff {
        by: MoveCode(0),
        value: game::Score::DRAW,
        beta: game::Score::DRAW,
    };

    /// Six moves at every node, numbered; the work falls from move to move, the last two were skipped.
    fn six(best: u16) -> impl Fn(&[MoveCode]) -> Vec<Candidate> {
        move |path| {
            let moves = (0..6).map(|i| Candidate {
                code: MoveCode(i),
                is_best: i == if path.is_empty() { best } else { 0 },
                share: 0.4 / f32::from(i + 1),
                fate: if i < 4 { Fate::Frontier } else { LATE },
                replies: if path.len() < 6 { 6 } else { 0 },
            });
            moves.collect()
        }
    }

    fn codes(sketch: &Sketch, node: u32) -> Vec<Option<u16>> {
        let children = sketch.children(node).iter();
        let branches = children.map(|child| &sketch.branches[*child as usize]);
        branches
            .map(|b| b.stub.is_none().then_some(b.code.0))
            .collect()
    }

    fn at(sketch: &Sketch, path: &[u16]) -> u32 {
        let path: Path = path.iter().copied().map(MoveCode).collect();
        sketch.find(&path).expect("it is drawn")
    }

    #[test]
    fn the_best_lines_are_drawn_and_the_rest_is_counted() {
        let mut lines = Lines::default();
        let sketch = lines.sketch(EXTENT, &[], true, six(0));
        assert_eq!(codes(&sketch, 0), [Some(0), Some(1), Some(2), None]);
        let stub = sketch.branches[*sketch.children(0).last().expect("a stub") as usize].clone();
        let stub = stub.stub.expect("it is one");
        assert_eq!((stub.part, stub.count), (Part::Rest, 3));
        let letters: Vec<(char, u32)> = stub.fates.iter().map(|(f, n)| (f.letter(), *n)).collect();
        assert_eq!(letters, [(LATE.letter(), 2), (Fate::Frontier.letter(), 1)]);
        // Along the best line one move stands beside the best, for three plies; the others' lines have two.
        assert_eq!(codes(&sketch, at(&sketch, &[0])), [None, Some(1), Some(0)]);
        assert_eq!(
            codes(&sketch, at(&sketch, &[0, 0])),
            [Some(0), Some(1), None]
        );
        let end = at(&sketch, &[0, 0, 0]);
        assert_eq!((codes(&sketch, end), sketch.hidden(end)), (vec![], 6));
        assert_eq!(codes(&sketch, at(&sketch, &[1])), [None, Some(0)]);
        assert_eq!(sketch.hidden(at(&sketch, &[1, 0])), 6);
        assert_eq!(
            sketch.path(at(&sketch, &[1, 0])),
            [MoveCode(1), MoveCode(0)]
        );
    }

    #[test]
    fn nothing_moves_while_the_values_change() {
        let mut lines = Lines::default();
        let before = lines.sketch(EXTENT, &[], true, six(0));
        // The fourth move becomes the best: it is added beside the others, which stay, and its line is drawn.
        let after = lines.sketch(EXTENT, &[], false, six(3));
        assert_eq!(codes(&after, 0), [Some(0), Some(1), Some(2), Some(3), None]);
        assert!(before.branches.len() < after.branches.len());
        assert_eq!(
            codes(&after, at(&after, &[0])),
            codes(&before, at(&before, &[0]))
        );
        assert!(!after.children(at(&after, &[3, 0])).is_empty());
        // Chosen anew, one of the others goes, and those that stay keep their order.
        let anew = lines.sketch(EXTENT, &[], true, six(3));
        assert_eq!(codes(&anew, 0), [Some(0), Some(1), Some(3), None]);
    }

    #[test]
    fn stubs_open_by_fate_and_then_by_move() {
        let mut lines = Lines::default();
        let stub = |sketch: &Sketch, i: usize| {
            let node = sketch.children(0)[i] as usize;
            sketch.branches[node].stub.clone().expect("a stub")
        };
        let first = lines.sketch(EXTENT, &[], true, six(0));
        lines.open_part(&[], &stub(&first, 3));
        let split = lines.sketch(EXTENT, &[], false, six(0));
        assert_eq!(codes(&split, 0), [Some(0), Some(1), Some(2), None, None]);
        let late = stub(&split, 3);
        assert_eq!((late.part, late.count), (Part::Fate(LATE.letter()), 2));
        lines.open_part(&[], &late);
        let opened = lines.sketch(EXTENT, &[], false, six(0));
        let expected = [Some(0), Some(1), Some(2), Some(4), Some(5), None];
        assert_eq!(codes(&opened, 0), expected);
        let skipped = at(&opened, &[4]);
        assert!(opened.branches[skipped as usize].skipped);
        assert_eq!(opened.hidden(skipped), 0, "nothing is below it");
        // Back by fate, then all together.
        assert!(lines.close_part(&[], Part::Fate(LATE.letter())));
        assert_eq!(lines.sketch(EXTENT, &[], false, six(0)), split);
        assert!(lines.close_part(&[], Part::Fate(LATE.letter())));
        assert_eq!(lines.sketch(EXTENT, &[], false, six(0)), first);
        assert!(!lines.close_part(&[], Part::Rest));
    }

    #[test]
    fn the_user_opens_and_closes_and_what_is_selected_is_always_drawn() {
        let mut lines = Lines::default();
        let path = |codes: &[u16]| -> Path { codes.iter().copied().map(MoveCode).collect() };
        lines.set_open(&path(&[1, 0]), true);
        lines.set_open(&path(&[0]), false);
        let sketch = lines.sketch(EXTENT, &[], true, six(0));
        assert_eq!(sketch.hidden(at(&sketch, &[0])), 6);
        assert_eq!(codes(&sketch, at(&sketch, &[1, 0])).len(), 4);
        let deep = path(&[0, 3, 5]);
        let sketch = lines.sketch(EXTENT, &deep, false, six(0));
        assert!(sketch.find(&deep).is_some());
        lines.uncover(&deep);
        lines.close_all();
        let sketch = lines.sketch(EXTENT, &[], false, six(0));
        assert!(sketch.find(&deep).is_none() && sketch.find(&path(&[0, 0])).is_some());
    }

    #[test]
    fn the_work_is_bounded() {
        let mut lines = Lines::default();
        let mut asked = 0;
        let wide = Extent {
            moves: 6,
            beside: 5,
            line: 99,
            lines: 99,
        };
        let source = six(0);
        let endless = |path: &[MoveCode]| {
            asked += 1;
            let mut moves = source(path);
            moves.iter_mut().for_each(|m| m.replies = 6);
            moves
        };
        let sketch = lines.sketch(wide, &[], true, endless);
        assert_eq!(asked, READ);
        assert!(sketch.branches.len() < READ * 8);
    }

    proptest! {
        /// Whatever is opened, closed and selected, every move of a drawn node is there once: drawn, or in a stub.
        #[test]
        fn every_move_is_drawn_or_counted(
            acts in prop::collection::vec((0u8..5, any::<prop::sample::Index>()), 0..30),
            best in 0u16..4,
        ) {
            let mut lines = Lines::default();
            let mut sketch = lines.sketch(EXTENT, &[], true, six(0));
            let mut selected = Path::new();
            for (act, index) in acts {
                let node = index.index(sketch.branches.len()) as u32;
                let path = sketch.path(node);
                match (act, &sketch.branches[node as usize].stub) {
                    (0, Some(stub)) => lines.open_part(&path, stub),
                    (1, Some(stub)) => { lines.close_part(&path, stub.part); }
                    (0, None) => lines.set_open(&path, true),
                    (1, None) => lines.set_open(&path, false),
                    (2, _) => selected = path,
                    _ => {}
                }
                sketch = lines.sketch(EXTENT, &selected, act == 3, six(best));
                prop_assert!(sketch.find(&selected).is_some());
                prop_assert!(sketch.child(0, MoveCode(best)).is_some(), "the best move is drawn");
                for branch in sketch.branches.iter().filter(|b| !b.children.is_empty()) {
                    let mut drawn = BTreeSet::new();
                    let mut counted = 0;
                    for child in &branch.children {
                        let child = &sketch.branches[*child as usize];
                        match &child.stub {
                            Some(stub) => counted += stub.count as usize,
                            None => prop_assert!(drawn.insert(child.code)),
                        }
                    }
                    prop_assert_eq!(drawn.len() + counted, 6);
                }
            }
        }
    }
}
