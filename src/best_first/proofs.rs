//! Certainty propagation: exact bounds from the children, and the best move by them.
//!
//! Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018), with distances as
//! integers.

use game::{MoveCode, Scale, Score};
use tree::{Fate, Node, NodeId, Proof, Tree};

/// The result of recomputing a node's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    Tighter(Proof),
    /// The bounds have met; the fate to give to the node.
    Exact(Proof, Fate),
}

/// Returns the score with which a node is reported: the proven one, a win or a loss of unknown length where no more than that
/// is certain, and otherwise the one nearest to what is expected.
pub(super) fn score(node: &Node, scale: Scale) -> Score {
    match node.proof() {
        proof if proof.is_exact() => proof.lower,
        proof if proof.is_win() => Score::SOME_WIN,
        proof if proof.is_loss() => Score::SOME_LOSS,
        _ => scale.score(node.expected()),
    }
}

/// Recomputes a node's bounds from its children (without those taken out): lower = maximum of what they guarantee,
/// upper = maximum of what they allow.
pub(super) fn propagate(tree: &Tree, node: &Node) -> Change {
    if node.is_narrowed() {
        propagate_among::<true>(tree, node)
    } else {
        propagate_among::<false>(tree, node)
    }
}

fn propagate_among<const NARROWED: bool>(tree: &Tree, node: &Node) -> Change {
    let children = tree.children_block(node).iter();
    let children = children.filter(|c| !(NARROWED && c.is_excluded()));
    let Some(first) = children.clone().next() else {
        return Change::None;
    };
    // `one_ply_up` reverses the order, so the maxima come from the children's minima.
    let mut by = first;
    let mut least = first.proof();
    let mut conditional = false;
    let mut count = 0usize;
    for child in children.clone() {
        count += 1;
        // The bounds come first, then whether they hold only on this path: see the orderings of `Node`.
        let proof = child.proof();
        conditional |= child.is_path_dependent();
        if proof.upper < least.upper {
            by = child;
        }
        least.upper = least.upper.min(proof.upper);
        least.lower = least.lower.min(proof.lower);
    }
    let from_children = least.one_ply_up();
    let before = node.proof();
    let after = before.and(from_children);
    if after == before {
        return Change::None;
    }
    let lower_by_condition = after.lower > before.lower && by.is_path_dependent();
    let upper_by_condition = after.upper < before.upper && conditional;
    if lower_by_condition || upper_by_condition {
        node.set_path_dependent();
    }
    if !node.tighten(from_children) {
        return Change::None;
    }
    let proof = node.proof();
    if !proof.is_exact() {
        return Change::Tighter(proof);
    }
    // Another thread may have closed the bounds by what it read from the children, which is visible here by now.
    let by = children.min_by_key(|child| child.proof().upper);
    let fate = Fate::Proven {
        by: by.map_or(MoveCode::NONE, Node::move_code),
        children: count.min(255) as u8,
    };
    Change::Exact(proof, fate)
}

/// The proven lower bound below which a child can still change its parent's bounds within the window: it would have to
/// beat its parent's lower bound and the window's `alpha`. Children at or above it can be left alone.
#[inline]
pub(super) fn relevance(node: &Node, alpha: Score) -> Score {
    node.proof().lower.max(alpha).one_ply_down()
}

/// Like [`relevance`], for the root: a certain loss is not searched there while anything else might be played, although
/// its distance may be open.
#[inline]
pub(super) fn relevance_at_root(root: &Node) -> Score {
    let relevance = relevance(root, Score::MIN);
    if root.proof().is_loss() {
        relevance
    } else {
        relevance.min(Score::SOME_WIN)
    }
}

/// Like [`relevance`], at a root that stays open whatever is proven about it: a certain loss is not searched while
/// anything else might be played.
#[inline]
pub(super) fn relevance_at_open_root(root: &Node) -> Score {
    if root.proof().is_loss() {
        Score::MAX
    } else {
        Score::SOME_WIN
    }
}

/// The child to play, given what is known: a proven win, the shortest first; otherwise the one most favoured by the
/// algorithm's own measure, unless a child with a certain result is worth more; proven losses last, the longest first.
///
/// `narrowed`: moves were taken out at the parent and are no candidates. `favour` is the algorithm's measure (visits,
/// a share, a mean logit), and `worth` the expected score for the parent's side.
pub(super) fn choose<F: PartialOrd>(
    children: &[Node],
    narrowed: bool,
    favour: impl Fn(&Node) -> F,
    worth: impl Fn(&Node) -> f32,
) -> Option<(usize, &Node)> {
    choose_by_place(children, narrowed, |_, c| favour(c), worth)
}

/// Like [`choose`], with a measure that also depends on a child's place among its siblings.
pub(super) fn choose_by_place<F: PartialOrd>(
    children: &[Node],
    narrowed: bool,
    favour: impl Fn(usize, &Node) -> F,
    worth: impl Fn(&Node) -> f32,
) -> Option<(usize, &Node)> {
    if narrowed {
        choose_among::<true, _>(children, favour, worth)
    } else {
        choose_among::<false, _>(children, favour, worth)
    }
}

fn choose_among<const NARROWED: bool, F: PartialOrd>(
    children: &[Node],
    favour: impl Fn(usize, &Node) -> F,
    worth: impl Fn(&Node) -> f32,
) -> Option<(usize, &Node)> {
    let numbered = || {
        let all = children.iter().enumerate();
        all.filter(|(_, c)| !(NARROWED && c.is_excluded()))
    };
    let win = numbered()
        .filter(|(_, c)| c.proof().is_loss())
        .min_by_key(|(_, c)| c.proof().upper);
    if win.is_some() {
        return win;
    }
    let mut best: Option<(usize, &Node)> = None;
    let mut certain: Option<(usize, &Node)> = None;
    for (i, child) in numbered() {
        let proof = child.proof();
        if proof.is_win() || child.visits() == 0 {
            continue;
        }
        if best.is_none_or(|(at, b)| favour(i, child) > favour(at, b)) {
            best = Some((i, child));
        }
        if proof.is_exact() && certain.is_none_or(|(_, c)| worth(child) > worth(c)) {
            certain = Some((i, child));
        }
    }
    match (best, certain) {
        (Some(b), Some(c)) if worth(c.1) > worth(b.1) => Some(c),
        (Some(b), _) => Some(b),
        // Every child that was searched loses: prefer one that was not searched, otherwise the one that holds out
        // longest.
        (None, _) => numbered()
            .find(|(_, c)| c.visits() == 0 && !c.proof().is_win())
            .or_else(|| numbered().min_by_key(|(_, c)| c.proof().lower)),
    }
}

/// The move that shows a node's proven win, or holds out longest in a proven loss, by its children's bounds. `None`
/// where the result is open or drawn, and where it is not the children that prove it: an endgame table reports a win
/// without its length.
///
/// Bounds only ever tighten, and a node's bounds come from its children's. So whoever reads the node first finds a
/// child whose own bounds prove at least as much, whatever other threads do meanwhile.
pub fn proven_best(tree: &Tree, node: &Node) -> Option<MoveCode> {
    let Proof { lower, upper } = node.proof();
    if lower == upper && lower == Score::DRAW && node.is_expanded() {
        // A root that stays open: the other moves were no better, and may be worse.
        let candidates = tree.children_block(node).iter();
        let drawn = candidates.filter(|c| !c.is_excluded() && c.proof().upper <= Score::DRAW);
        return drawn.max_by_key(|c| c.visits()).map(Node::move_code);
    }
    let result = match (lower.is_win(), upper.is_loss()) {
        (true, _) => lower,
        (_, true) => upper,
        _ => return None,
    };
    if result.is_without_length() || node.first_child().is_none() {
        return None;
    }
    let candidates = tree.children_block(node).iter();
    let candidates = candidates.filter(|child| !child.is_excluded());
    let (best, proves) = if result.is_win() {
        let best = candidates.min_by_key(|child| child.proof().upper)?;
        (best, best.proof().upper.one_ply_up() >= result)
    } else {
        // Among moves that hold out equally long, one whose distance is known.
        let best = candidates.min_by_key(|child| (child.proof().lower, child.proof().upper))?;
        (best, best.proof().lower.one_ply_up() <= result)
    };
    proves.then(|| best.move_code())
}

/// The move that a best-first search would play at this node: where the result is proven the one that proves it,
/// otherwise the one that its fate names. `None` before the node was expanded.
pub fn best_move(tree: &Tree, id: NodeId) -> Option<MoveCode> {
    let node = tree.node(id);
    proven_best(tree, node).or_else(|| node.fate().best())
}

/// The child of [`best_move`].
pub fn best_child(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.child_by_move(id, best_move(tree, id)?)
}

/// The move of a chosen child, for fates.
pub(super) fn move_of(chosen: Option<(usize, &Node)>) -> MoveCode {
    chosen.map_or(MoveCode::NONE, |(_, node)| node.move_code())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Scale;
    use proptest::prelude::*;
    use tree::{Family, TreeSpec};

    #[derive(Clone, Debug)]
    enum Shape {
        /// A leaf: mated, drawn, or not searched (with the true result it would turn out to have).
        Mated,
        Drawn(bool),
        Unknown(i8),
        Inner(Vec<Shape>),
    }

    fn any_shape() -> impl Strategy<Value = Shape> {
        let leaf = prop_oneof![
            Just(Shape::Mated),
            any::<bool>().prop_map(Shape::Drawn),
            (-1i8..=1).prop_map(Shape::Unknown),
        ];
        leaf.prop_recursive(5, 80, 4, |inner| {
            prop::collection::vec(inner, 1..5).prop_map(Shape::Inner)
        })
    }

    fn truth(shape: &Shape) -> Score {
        match shape {
            Shape::Mated => Score::LOSS,
            Shape::Drawn(_) | Shape::Unknown(0) => Score::DRAW,
            Shape::Unknown(1) => Score::win_in(3),
            Shape::Unknown(_) => Score::loss_in(4),
            Shape::Inner(children) => {
                let scores = children.iter().map(|c| truth(c).one_ply_up());
                scores.max().expect("a child")
            }
        }
    }

    fn grow(tree: &Tree, id: NodeId, shape: &Shape) {
        let node = tree.node(id);
        match shape {
            Shape::Mated => assert!(node.tighten(Proof::exact(Score::LOSS))),
            Shape::Drawn(conditional) => {
                node.tighten(Proof::exact(Score::DRAW));
                if *conditional {
                    node.set_path_dependent();
                }
            }
            Shape::Unknown(_) => {}
            Shape::Inner(children) => {
                let codes = (0..children.len() as u16).map(MoveCode);
                let first = tree.allocate_children(id, codes).expect("room");
                tree.attach(id, first, children.len() as u16);
                for (i, child) in children.iter().enumerate() {
                    grow(tree, NodeId(first.0 + i as u32), child);
                    // After each child, as in a search: bounds only ever tighten.
                    let before = node.proof();
                    propagate(tree, node);
                    let after = node.proof();
                    assert!(before.lower <= after.lower && after.upper <= before.upper);
                }
            }
        }
    }

    fn has(shape: &Shape, wanted: fn(&Shape) -> bool) -> bool {
        wanted(shape)
            || matches!(shape, Shape::Inner(children) if children.iter().any(|c| has(c, wanted)))
    }

    proptest! {
        #[test]
        fn bounds_hold_the_truth_and_meet_when_all_is_known(shape in any_shape()) {
            let tree = Tree::new(TreeSpec {
                family: Family::BestFirst,
                scale: Scale::Logistic,
                beliefs: false,
                budget: 1 << 20,
                record_plies: u16::MAX,
            });
            grow(&tree, Tree::ROOT, &shape);
            let root = tree.node(Tree::ROOT);
            let (proof, truth) = (root.proof(), truth(&shape));
            prop_assert!(proof.lower <= truth && truth <= proof.upper, "{proof:?} {truth:?}");
            if !has(&shape, |s| matches!(s, Shape::Unknown(_))) {
                prop_assert_eq!(proof, Proof::exact(truth));
            }
            if !has(&shape, |s| matches!(s, Shape::Drawn(true))) {
                prop_assert!(!root.is_path_dependent());
            }
            // A draw that rests only on conditional draws is conditional itself.
            let unconditional = has(&shape, |s| matches!(s, Shape::Drawn(false)));
            if proof == Proof::exact(Score::DRAW) && !unconditional {
                prop_assert!(root.is_path_dependent());
            }
        }
    }

    #[test]
    fn a_certain_draw_is_preferred_to_a_worse_guess_and_a_loss_is_never_chosen() {
        let nodes: Vec<Node> = (0..3).map(|_| Node::default()).collect();
        for (node, visits, expected, proof) in [
            (&nodes[0], 90, 0.2, Proof::OPEN),
            (&nodes[1], 5, 0.0, Proof::exact(Score::DRAW)),
            (&nodes[2], 900, 1.0, Proof::exact(Score::win_in(3))),
        ] {
            node.set_visits(visits);
            node.set_expected(expected);
            node.set_proof(proof);
        }
        let best =
            || choose(&nodes, false, |c| c.visits() as f32, |c| -c.expected()).map(|(i, _)| i);
        assert_eq!(best(), Some(1));
        nodes[0].set_expected(-0.2);
        assert_eq!(best(), Some(0));
        nodes[2].set_proof(Proof::exact(Score::loss_in(4)));
        nodes[1].set_proof(Proof::exact(Score::loss_in(2)));
        assert_eq!(best(), Some(1), "the shorter mate");
    }
}
