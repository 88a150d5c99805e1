//! The positions along a line of a game whose rules plyscope knows, for the codes of moves: in most games the same name is
//! another move at another position.

use super::codes::Way;
use game::{Game, MoveCode, Moves};
use tree::{NodeId, Tree};

/// The line that was asked about last. A depth-first search asks along its open nodes, so that no position is made twice.
#[derive(Debug)]
pub(super) struct Line<G> {
    root: G,
    steps: Vec<Step<G>>,
}

#[derive(Debug)]
struct Step<G> {
    /// The way that ends with this move.
    way: u64,
    code: MoveCode,
    /// The position after the move, if somebody has asked for it: the inner one is `None` if the rules do not lead there.
    position: Option<Option<G>>,
}

impl<G: Game> Line<G> {
    pub fn new(root: G) -> Line<G> {
        Line {
            root,
            steps: Vec::new(),
        }
    }

    /// Returns the code of the legal move with this name; `way` and `node` lead to its parent. `None` if there is none, or the rules
    /// do not lead to the parent.
    pub fn code(
        &mut self,
        name: &str,
        way: Way,
        (tree, node): (&Tree, NodeId),
    ) -> Option<MoveCode> {
        self.go_to(way, (tree, node));
        let position = self.position()?;
        let code = named(position, &position.legal_moves(), name)?;
        self.push(way.on(code), code);
        Some(code)
    }

    fn push(&mut self, way: Way, code: MoveCode) {
        self.steps.push(Step {
            way: way.key,
            code,
            position: None,
        });
    }

    /// Makes the line end where the way does.
    fn go_to(&mut self, way: Way, (tree, node): (&Tree, NodeId)) {
        let known = self.steps.iter().rposition(|step| step.way == way.key);
        if way.key == Way::default().key {
            self.steps.clear();
        } else if let Some(known) = known {
            self.steps.truncate(known + 1);
        } else {
            self.replay(way, (tree, node));
        }
    }

    /// Follows the tree from the root; where it does not have the node, the line ends in no position.
    fn replay(&mut self, way: Way, (tree, node): (&Tree, NodeId)) {
        let codes = match node.is_none() {
            true => Vec::new(),
            false => tree.moves_to(node),
        };
        let mut on = Way::default();
        let played = |code: &MoveCode| code.is_move() || *code == MoveCode::PASS;
        for (i, code) in codes.into_iter().filter(played).enumerate() {
            on = on.on(code);
            if self.steps.get(i).is_none_or(|step| step.way != on.key) {
                self.steps.truncate(i);
                self.push(on, code);
            }
        }
        if on.key != way.key {
            self.steps.clear();
            self.steps.push(Step {
                way: way.key,
                code: MoveCode::NONE,
                position: Some(None),
            });
        }
    }

    /// The position at the line's end.
    fn position(&mut self) -> Option<&G> {
        let from = self.steps.iter().rposition(|step| step.position.is_some());
        for i in from.map_or(0, |from| from + 1)..self.steps.len() {
            let before = match i.checked_sub(1).map(|i| &self.steps[i].position) {
                Some(position) => position.as_ref()?.as_ref(),
                None => Some(&self.root),
            };
            let after = before.and_then(|before| before.after(self.steps[i].code));
            self.steps[i].position = Some(after);
        }
        match self.steps.last() {
            Some(last) => last.position.as_ref()?.as_ref(),
            None => Some(&self.root),
        }
    }
}

/// Returns the code of the legal move that a program calls by this name: the one that files and UCI have for it, or that of the
/// board.
pub fn named<G: Game>(position: &G, legal: &Moves<G::Move>, name: &str) -> Option<MoveCode> {
    let by = |of: &dyn Fn(G::Move) -> String| legal.iter().copied().find(|&m| of(m) == name);
    let found = by(&|m| position.uci(m)).or_else(|| by(&|m| position.label(m)));
    if found.is_none() && name == NULL_MOVE {
        return position.pass().map(|_| MoveCode::PASS);
    }
    found.map(|m| position.encode(m))
}

/// What programs call passing where the rules have no such move.
pub(super) const NULL_MOVE: &str = "0000";
