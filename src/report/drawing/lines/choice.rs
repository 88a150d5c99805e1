//! The choice of one sketch: which moves are drawn at a node, which were opened, and what the stubs hold.

use super::{Candidate, Extent, Lines, Path, SHOWN};
use crate::drawing::sketch::{Branch, Part, Sketch, Stub};
use game::MoveCode;
use tree::Fate;

/// The choice in progress.
pub(super) struct Choice<'a, F> {
    pub lines: &'a mut Lines,
    pub extent: Extent,
    /// The moves to the selected node, which is always drawn.
    pub selected: &'a [MoveCode],
    pub anew: bool,
    pub moves: F,
    pub left: usize,
    pub sketch: Sketch,
}

impl<F: FnMut(&[MoveCode]) -> Vec<Candidate>> Choice<'_, F> {
    pub fn add(&mut self, parent: Option<u32>, code: MoveCode) -> u32 {
        let node = self.sketch.branches.len() as u32;
        self.sketch.branches.push(Branch {
            parent,
            code,
            children: Vec::new(),
            hidden: 0,
            stub: None,
            skipped: false,
            part: None,
        });
        if let Some(parent) = parent {
            self.sketch.branches[parent as usize].children.push(node);
        }
        node
    }

    /// Adds what is drawn below a node. `main` tells whether the node is on the best line; `replies` is the number of moves
    /// recorded below it.
    pub fn grow(&mut self, node: u32, path: &mut Path, main: bool, replies: u32) {
        if !self.opens(path, main) || self.left == 0 {
            self.sketch.branches[node as usize].hidden = replies;
            return;
        }
        self.left -= 1;
        let moves = (self.moves)(path);
        let drawn = self.choose(path, main, &moves);
        let opened = self.opened(path, &moves, &drawn);
        for code in drawn.iter().chain(&opened) {
            let Some(candidate) = moves.iter().find(|m| m.code == *code) else {
                continue;
            };
            let child = self.add(Some(node), *code);
            let branch = &mut self.sketch.branches[child as usize];
            branch.skipped = candidate.fate.is_skip();
            let came = opened.contains(code);
            branch.part = came.then_some(Part::Fate(candidate.fate.letter()));
            path.push(*code);
            let replies = if candidate.fate.is_skip() {
                0
            } else {
                candidate.replies
            };
            if replies > 0 {
                self.grow(child, path, main && candidate.is_best, replies);
            }
            path.pop();
        }
        let rest = moves
            .iter()
            .filter(|m| !drawn.contains(&m.code) && !opened.contains(&m.code));
        self.stubs(node, path, rest.copied().collect());
        if path.len() % 2 == 1 {
            // With the stubs now on the one side and now on the other, the best line does not drift away.
            self.sketch.branches[node as usize].children.reverse();
        }
    }

    /// Whether a node is drawn with what is below it.
    fn opens(&mut self, path: &Path, main: bool) -> bool {
        let selected = self.selected.len() > path.len() && self.selected.starts_with(path);
        if path.is_empty() || selected {
            return true;
        }
        if let Some(asked) = self.lines.asked.get(path) {
            return *asked;
        }
        let plies = if main {
            self.extent.line
        } else {
            self.extent.lines
        };
        let unasked = path.len() < plies || !self.anew && self.lines.unasked.contains(path);
        if unasked {
            self.lines.unasked.insert(path.clone());
        }
        unasked
    }

    /// Returns the moves to draw at a node, from left to right.
    fn choose(&mut self, path: &Path, main: bool, moves: &[Candidate]) -> Vec<MoveCode> {
        let wanted = match (path.is_empty(), main) {
            (true, _) => self.extent.moves,
            (false, true) => 1 + self.extent.beside,
            // What the user opened shows what there is to choose from.
            (false, false) if self.lines.asked.get(path) == Some(&true) => 3,
            (false, false) => 1,
        };
        let mut ranked: Vec<&Candidate> = moves.iter().filter(|m| !m.fate.is_skip()).collect();
        // The sort is stable: without work the search's own order decides.
        ranked.sort_by(|a, b| {
            let best = b.is_best.cmp(&a.is_best);
            best.then_with(|| b.share.total_cmp(&a.share))
        });
        let before = self.lines.chosen.get(path).cloned().unwrap_or_default();
        let exists = |code: &MoveCode| moves.iter().any(|m| m.code == *code);
        let mut drawn: Vec<MoveCode> = before.into_iter().filter(exists).collect();
        if self.anew {
            let first = &ranked[..ranked.len().min(wanted + 2)];
            drawn.retain(|code| first.iter().any(|m| m.code == *code));
            // The best one stays, whatever else has to go.
            while drawn.len() > wanted {
                let worst = first.iter().rev().map(|m| m.code);
                let Some(worst) = worst.into_iter().find(|code| drawn.contains(code)) else {
                    break;
                };
                drawn.retain(|code| *code != worst);
            }
        }
        for candidate in &ranked {
            if drawn.len() >= wanted && !candidate.is_best {
                break;
            }
            if !drawn.contains(&candidate.code) {
                drawn.push(candidate.code);
            }
        }
        self.lines.chosen.insert(path.clone(), drawn.clone());
        // The way to the selected node is not kept.
        if self.selected.starts_with(path)
            && let Some(next) = self.selected.get(path.len())
            && !drawn.contains(next)
            && exists(next)
        {
            drawn.push(*next);
        }
        drawn
    }

    /// Returns the moves of opened stubs that are drawn one by one.
    fn opened(&self, path: &Path, moves: &[Candidate], drawn: &[MoveCode]) -> Vec<MoveCode> {
        let mut opened = Vec::new();
        for (_, part) in self.lines.parts.iter().filter(|(at, _)| at == path) {
            let Part::Fate(letter) = part else { continue };
            let own = moves.iter().filter(|m| m.fate.letter() == *letter);
            let own = own.map(|m| m.code).filter(|code| !drawn.contains(code));
            opened.extend(own.take(SHOWN));
        }
        opened
    }

    /// Adds the stubs of the moves that are left: one for all, or if it was opened one for each fate.
    fn stubs(&mut self, node: u32, path: &Path, rest: Vec<Candidate>) {
        let mut fates: Vec<(Fate, u32)> = Vec::new();
        for candidate in &rest {
            let letter = candidate.fate.letter();
            match fates.iter_mut().find(|(fate, _)| fate.letter() == letter) {
                Some((_, count)) => *count += 1,
                None => fates.push((candidate.fate, 1)),
            }
        }
        fates.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.letter().cmp(&b.0.letter())));
        if fates.is_empty() {
            return;
        }
        let split = self.lines.parts.contains(&(path.clone(), Part::Rest));
        let stubs = match split {
            false => vec![(Part::Rest, fates)],
            true => {
                let parts = fates.into_iter();
                parts
                    .map(|(fate, n)| (Part::Fate(fate.letter()), vec![(fate, n)]))
                    .collect()
            }
        };
        for (part, fates) in stubs {
            let stub = self.add(Some(node), MoveCode::NONE);
            self.sketch.branches[stub as usize].stub = Some(Stub {
                part,
                count: fates.iter().map(|(_, count)| count).sum(),
                fates,
            });
        }
    }
}
