//! A depth-first search, event by event.

use std::io::{self, Write};

use super::Quill;
use game::{Game, MoveCode, Score};
use open_trace::{
    Bound as ToldBound, MoveId, NodeId as ToldId, Record, Told, Value, Window as ToldWindow,
};
use search::{AnyPosition, Event};
use tree::{Bound, Fate, NodeId, Proof, Tree};

pub struct DepthFirst {
    root: AnyPosition,
    open: Vec<Open>,
}

/// A node that was entered and not yet left.
struct Open {
    node: NodeId,
    position: AnyPosition,
    depth: i8,
    /// What the tree said of it when it was entered.
    nodes_before: u64,
    /// The fate and the static value that were told last.
    fate: Option<Fate>,
    static_value: Option<Score>,
    /// Moves skipped. Which of them get rows of their own shows when the node is left.
    skipped: Vec<(MoveCode, Fate)>,
}

impl DepthFirst {
    pub fn new(root: &AnyPosition) -> DepthFirst {
        DepthFirst {
            root: root.clone(),
            open: Vec::new(),
        }
    }

    /// What the root is worth.
    pub fn value<W: Write>(&self, quill: &Quill<W>, tree: &Tree) -> Option<Value> {
        let root = tree.view(Tree::ROOT);
        root.score.and_then(|score| quill.values.score(score))
    }

    /// Leaves what is open where the search was stopped.
    pub fn unwind<W: Write>(&mut self, quill: &mut Quill<W>) -> io::Result<()> {
        match self.open.is_empty() {
            true => Ok(()),
            false => quill.write(&Record::Unwind { open: 0 }),
        }
    }

    /// Whether it is the innermost open node.
    fn is_inside(&self, node: NodeId) -> bool {
        self.open.last().is_some_and(|open| open.node == node)
    }

    fn position(&self) -> &AnyPosition {
        self.open.last().map_or(&self.root, |open| &open.position)
    }

    pub fn event<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        event: &Event,
        tree: &Tree,
    ) -> io::Result<()> {
        match *event {
            Event::Iteration { depth } => quill.write(&Record::Iteration {
                depth: depth.try_into().ok(),
            }),
            Event::IterationDone { depth, best, score } => {
                let best = quill.name(&self.root, best);
                let value = quill.values.score(score);
                let depth = depth.try_into().ok();
                quill.write(&Record::IterationDone { best, value, depth })
            }
            Event::Pass { alpha, beta, .. } => quill.write(&Record::Pass {
                window: window(quill, alpha, beta),
                depth: None,
            }),
            Event::PassDone { low, high, .. } => {
                let known = if low > Score::MIN { low } else { high };
                let value = quill.values.score(known);
                quill.write(&Record::PassDone { value })
            }
            Event::Enter {
                node,
                alpha,
                beta,
                depth,
            } => self.enter(quill, tree, node, (alpha, beta), depth),
            Event::Evaluate {
                node, value, sd, ..
            } if self.is_inside(node) => {
                let open = self.open.last_mut();
                open.into_iter()
                    .for_each(|open| open.static_value = Some(value));
                let value = quill.values.score(value);
                let sd = sd.and_then(|sd| quill.values.spread(sd));
                quill.write(&Record::Evaluate { value, sd })?;
                // In quiescence it competes with the moves.
                match self.open.last() {
                    Some(open) if open.depth <= 0 => quill.write(&Record::Stand { value }),
                    _ => Ok(()),
                }
            }
            Event::Expand { node, moves } if self.is_inside(node) => quill.write(&Record::Moves {
                count: moves.into(),
                names: &[],
            }),
            Event::Prune { parent, m, fate } if self.is_inside(parent) => {
                let open = self.open.last_mut();
                open.into_iter()
                    .for_each(|open| open.skipped.push((m, fate)));
                Ok(())
            }
            Event::Try {
                node,
                rule,
                bound,
                depth,
            } if self.is_inside(node) => {
                let bound = quill.values.score(bound).map(Value::get);
                quill.write(&Record::Try(Told {
                    reason: quill.declared.search_of(rule),
                    numbers: &[bound, Some(depth.into())],
                }))
            }
            Event::Tried { node, value, .. } if self.is_inside(node) => {
                let value = quill.values.score(value);
                quill.write(&Record::Tried { value })
            }
            Event::TableHit { node, fate }
            | Event::End { node, fate, .. }
            | Event::Cut { node, fate }
                if self.is_inside(node) =>
            {
                self.why(quill, fate)
            }
            Event::BackUp { node, child, .. } if self.is_inside(node) && !child.is_none() => {
                let child = tree.node(child);
                let m = quill.name(self.position(), child.move_code());
                let worth = quill.values.score(child.window().value.one_ply_up());
                quill.write(&Record::BackUp { m, worth })
            }
            Event::Prove { node, proof }
                if self.is_inside(node) || (self.open.is_empty() && node == Tree::ROOT) =>
            {
                quill.write(&proven(quill, ToldId::ROOT, proof))
            }
            Event::Best { to, .. } => {
                let to = quill.name(&self.root, to);
                quill.write(&Record::BestChange { to })
            }
            Event::Leave { node, score, bound } if self.is_inside(node) => {
                self.leave(quill, tree, score, bound)
            }
            _ => Ok(()),
        }
    }

    fn enter<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        tree: &Tree,
        node: NodeId,
        (alpha, beta): (Score, Score),
        depth: i8,
    ) -> io::Result<()> {
        let entered = tree.node(node);
        let code = entered.move_code();
        if let Some((plies, reason)) = quill.declared.of_change(entered.treatment().depth) {
            quill.write(&Record::DepthChange { plies, reason })?;
        }
        let (m, position) = match self.open.last() {
            None => (MoveId::NONE, self.root.clone()),
            Some(above) => {
                let next = above.position.after(code);
                let next = next.unwrap_or_else(|| above.position.clone());
                (quill.name(&above.position, code), next)
            }
        };
        quill.write(&Record::Enter {
            m,
            window: Some(window(quill, alpha, beta)),
            depth: Some(depth.into()),
            ply: None,
            side: None,
        })?;
        self.open.push(Open {
            node,
            position,
            depth,
            nodes_before: entered.nodes(),
            fate: None,
            static_value: None,
            skipped: Vec::new(),
        });
        Ok(())
    }

    fn why<W: Write>(&mut self, quill: &mut Quill<W>, fate: Fate) -> io::Result<()> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        open.fate = Some(fate);
        quill.why(&open.position, fate)
    }

    fn leave<W: Write>(
        &mut self,
        quill: &mut Quill<W>,
        tree: &Tree,
        score: Score,
        bound: Bound,
    ) -> io::Result<()> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let node = tree.node(open.node);
        for (m, fate) in open.skipped {
            // It has no row of its own after a cutoff, which makes it moot, and where the node's own numbers imply the reason.
            match tree.child_by_move(open.node, m) {
                Some(row) if tree.node(row).fate() == fate => {
                    quill.prune(&open.position, m, fate)?;
                    if let Some(worth) = most_worth(fate) {
                        let m = quill.name(&open.position, m);
                        let worth = quill.values.score(worth);
                        quill.write(&Record::BackUp { m, worth })?;
                    }
                }
                _ => quill.why(&open.position, fate)?,
            }
        }
        // It may come from a table.
        let (static_value, _) = node.static_and_iteration();
        if let Some(value) = static_value.filter(|_| static_value != open.static_value) {
            let value = quill.values.score(value);
            quill.write(&Record::Evaluate { value, sd: None })?;
        }
        let fate = node.fate();
        if open.fate != Some(fate) {
            quill.why(&open.position, fate)?;
        }
        let best = fate.best().unwrap_or(MoveCode::NONE);
        let best = quill.name(&open.position, best);
        let told = match bound {
            Bound::None => None,
            Bound::Lower => Some(ToldBound::Lower),
            Bound::Upper => Some(ToldBound::Upper),
            Bound::Exact => Some(ToldBound::Exact),
        };
        quill.write(&Record::Leave {
            value: quill.values.score(score),
            bound: told,
            best,
            nodes: Some(node.nodes() - open.nodes_before),
        })
    }
}

/// What a skipped move counts as, fail-soft: the most that it might have been worth by the numbers that decided.
fn most_worth(fate: Fate) -> Option<Score> {
    match fate {
        Fate::Futility {
            static_value,
            margin,
            ..
        }
        | Fate::DeltaPruning {
            static_value,
            margin,
            ..
        } => Some(Score::new(
            i32::from(static_value.raw()) + i32::from(margin),
        )),
        _ => None,
    }
}

fn window<W: Write>(quill: &Quill<W>, alpha: Score, beta: Score) -> ToldWindow {
    ToldWindow {
        alpha: quill.values.score(alpha),
        beta: quill.values.score(beta),
    }
}

/// Proven bounds of a node.
pub fn proven<W: Write>(quill: &Quill<W>, node: ToldId, proof: Proof) -> Record<'static> {
    let bound = |score: Score, open: Score| match score == open {
        true => None,
        false => quill.values.score(score),
    };
    Record::Prove {
        node,
        lower: bound(proof.lower, Proof::OPEN.lower),
        upper: bound(proof.upper, Proof::OPEN.upper),
        plies: None,
    }
}
