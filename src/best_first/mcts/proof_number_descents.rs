//! Descents by proof numbers, called hunts: is there a mate as short as the bounds still allow?
//!
//! PUCT returns to a quiet move of low prior too rarely to prove the mate behind it. Proof numbers lead to where the
//! fewest positions remain to be proven. The question follows from the root's own bounds: as long as a mate in n is not
//! excluded, whether there is one; then n + 2. So the first mate that these descents prove is the shortest.
//!
//! Source: proof-number search (Allis 1994), with its numbers added up as in weak PNS (Ueda et al. 2008).

use super::Mcts;
use crate::expand::Expansion;
use crate::search_thread::PositionStatus;
use eval::Evaluator;
use game::{Game, Score};
use search::{Event, Probe};
use tree::{Bound, Fate, Node, NodeId, Proof, ProofNumbers, Tree};

/// The node count at which hunts receive half of [`Settings::proof_number_share`](super::Settings::proof_number_share).
const HALF_SHARE: f64 = 20_000.0;

/// The ply by which the mate in question must be on the board. The side to move an odd number of plies before it is the
/// one that mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Horizon(usize);

impl Horizon {
    /// Beyond this, a node has no room for its numbers, and nobody waits for an answer.
    const FARTHEST: u16 = ProofNumbers::FARTHEST;

    /// The shortest mate, against either side, that the root's bounds do not exclude and earlier descents did not
    /// refute. Where a repetition is among the reasons, the descents cannot always prove what they found.
    fn of(root: &Node) -> Option<Horizon> {
        let proof = root.proof();
        let nearest = if proof.is_loss() {
            proof.lower
        } else {
            proof.upper
        };
        let mut plies = nearest.mate_plies()?.unsigned_abs();
        // Endgame tables may report one ply too few.
        plies += u16::from((plies % 2 == 1) == proof.is_loss());
        if let Some((asked, ProofNumbers::REFUTED)) = root.last_proof_numbers()
            && asked >= plies
            && asked % 2 == plies % 2
        {
            plies = asked + 2;
        }
        let open = !proof.is_exact() && plies <= Horizon::FARTHEST;
        open.then_some(Horizon(usize::from(plies)))
    }

    fn plies_left(self, ply: usize) -> u16 {
        self.0.saturating_sub(ply) as u16
    }

    /// Whether the side to move at `ply` is the one that mates.
    fn attacks(self, ply: usize) -> bool {
        self.plies_left(ply) % 2 == 1
    }

    /// The score at `ply`, from the view of the side to move, of a mate that comes just in time.
    fn in_time(self, ply: usize) -> Score {
        let left = self.plies_left(ply);
        if self.attacks(ply) {
            Score::win_in(left)
        } else {
            Score::loss_in(left)
        }
    }

    /// The answer to the question that a node's bounds at `ply` give, if any.
    fn verdict(self, proof: Proof, ply: usize) -> Option<bool> {
        let wanted = self.in_time(ply);
        let (yes, no) = if self.attacks(ply) {
            (proof.lower >= wanted, proof.upper < wanted)
        } else {
            (proof.upper <= wanted, proof.lower > wanted)
        };
        (yes || no).then_some(yes)
    }

    /// The proof numbers of a node at `ply`.
    fn numbers(self, node: &Node, ply: usize) -> ProofNumbers {
        match self.verdict(node.proof(), ply) {
            Some(true) => return ProofNumbers::SHOWN,
            Some(false) => return ProofNumbers::REFUTED,
            None => {}
        }
        match node.is_open() {
            true => self.open_numbers(node, ply),
            // A repetition, or the end of a toy tree: it proves nothing, but it is no way to a mate either.
            false => ProofNumbers::REFUTED,
        }
    }

    /// The numbers of a node whose bounds do not answer the question. For a node that has children but was not yet
    /// asked about this distance, the number of its children gives an estimate.
    fn open_numbers(self, node: &Node, ply: usize) -> ProofNumbers {
        let expanded = node.is_expanded();
        match node.last_proof_numbers() {
            Some((asked, numbers)) if asked == self.plies_left(ply) || !expanded => numbers,
            _ if expanded => {
                ProofNumbers::of_moves(usize::from(node.child_count()), self.attacks(ply))
            }
            _ => ProofNumbers::UNKNOWN,
        }
    }
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Whether a mate is certain and only its shortest distance is open: then only hunts make sense.
    pub(super) fn only_hunts(&self, root: &Node) -> bool {
        let proof = root.proof();
        let mate = if proof.is_loss() {
            proof.upper
        } else {
            proof.lower
        };
        // An open root's lower bound has a length too: that of the earliest possible mate.
        proof.is_certain() && mate.mate_plies().is_some() && self.may_descend_by_proof_numbers(root)
    }

    /// Whether hunts have used fewer nodes than their share. In a short search the share is smaller, because nodes have
    /// other uses there: it reaches half at [`HALF_SHARE`] nodes.
    #[inline]
    pub(super) fn proof_numbers_are_due(&self, root: &Node) -> bool {
        let nodes = root.nodes() as f64;
        let share = self.settings.proof_number_share * nodes / (nodes + HALF_SHARE);
        f64::from(root.hunted()) < share * nodes && self.may_descend_by_proof_numbers(root)
    }

    /// Whether a hunt may find something.
    pub(super) fn may_descend_by_proof_numbers(&self, root: &Node) -> bool {
        self.settings.proof_number_share > 0.0
            && self.settings.solver.propagation
            && self.thread.forced.is_empty()
            && root.is_expanded()
            && Horizon::of(root).is_some_and(|h| h.numbers(root, 0).is_open())
    }

    /// Makes one descent by proof numbers. Its result goes into bounds and numbers, not into visits and values. Returns
    /// the nodes it counted, which is also 0 where another thread was in the way.
    pub(super) fn descend_by_proof_numbers(&mut self, root: &Node) -> u32 {
        let Some(horizon) = Horizon::of(root) else {
            return 0;
        };
        let counted = self.thread.worker().nodes();
        let mut ply = 0;
        let mut id = Tree::ROOT;
        self.enter_hunt(id, horizon, 0);
        while let Some(next) = self.most_proving(id, horizon, ply) {
            ply += 1;
            id = next;
            self.thread.line.enter(ply, id);
            self.enter_hunt(id, horizon, ply);
        }
        self.look_for_mate(id, horizon, ply);
        let nodes = (self.thread.worker().nodes() - counted) as u32;
        let leaf = ply;
        let mut news = true;
        loop {
            let proven = self.back_up_hunt(id, horizon, ply, nodes, news);
            if ply == 0 {
                root.add_hunted(nodes);
                return nodes;
            }
            news = proven || ply == leaf;
            ply -= 1;
            id = self.thread.line.at(ply);
        }
    }

    fn enter_hunt(&mut self, id: NodeId, horizon: Horizon, ply: usize) {
        let wanted = horizon.in_time(ply);
        let (alpha, beta) = if horizon.attacks(ply) {
            (Score::from_raw(wanted.raw() - 1), wanted)
        } else {
            (wanted, Score::from_raw(wanted.raw() + 1))
        };
        self.thread.report(|| Event::Enter {
            node: id,
            alpha,
            beta,
            depth: horizon.plies_left(ply) as i8,
        });
        self.thread.worker().steps += 1;
    }

    /// The child to prove or refute first; `None` at a leaf.
    fn most_proving(&self, id: NodeId, horizon: Horizon, ply: usize) -> Option<NodeId> {
        let node = self.thread.tree.node(id);
        if !node.is_expanded() {
            return None;
        }
        let attacks = horizon.attacks(ply);
        let children = self.thread.tree.children_block(node).iter().enumerate();
        let best = children
            .filter(|(_, child)| !(self.guided && child.is_excluded()))
            .map(|(i, child)| (i, horizon.numbers(child, ply + 1)))
            .filter(|(_, numbers)| numbers.is_open())
            .min_by_key(|(_, n)| {
                if attacks {
                    (n.proof, n.disproof)
                } else {
                    (n.disproof, n.proof)
                }
            });
        best.map(|(i, _)| NodeId(node.first_child().0 + i as u32))
    }

    /// Handles a leaf: it ends the leaf if the game ends there, looks for a mate at once, or creates its children.
    fn look_for_mate(&mut self, id: NodeId, horizon: Horizon, ply: usize) {
        let tree = self.thread.tree;
        let node = tree.node(id);
        self.thread.line.catch_up(tree, ply);
        if node.fate() == Fate::Unvisited {
            if !self.claim(node, Fate::Unvisited) {
                return;
            }
            let deepest = self.thread.worker().selective_depth.max(ply as u16);
            self.thread.worker().selective_depth = deepest;
            self.thread.count_node();
            if self.thread.stopping {
                node.set_fate(Fate::Unvisited);
                return;
            }
            if let PositionStatus::Over(fate, score) = self.thread.look(ply) {
                self.thread.end(id, fate, score);
                self.thread.note_two_fold(id, fate, ply);
                return;
            }
            // Most leaves are of this kind: they get no children unless there is a mate among them.
            let last_chance = horizon.plies_left(ply) == 1 && self.settings.solver.look_ahead;
            if last_chance && (!self.thread.mates_at_once(id, ply) || self.thread.stopping) {
                node.set_fate(Fate::Unvisited);
                return;
            }
            if self.value(id, node, ply).0.is_none() {
                return;
            }
            self.thread.set_fate(node, Fate::Frontier);
        }
        let wanted = horizon.verdict(node.proof(), ply).is_none() && ply < self.thread.deepest;
        if wanted && node.fate() == Fate::Frontier && !self.thread.stopping {
            let (expansion, _) = self.expand(id, node, ply);
            if expansion == Expansion::Done && horizon.attacks(ply) && horizon.plies_left(ply) > 1 {
                self.count_replies(node, horizon, ply);
            }
        }
    }

    /// Counts the replies to each move of the mating side: moves that leave few replies are the most promising. The
    /// moves tried count as nodes.
    fn count_replies(&mut self, node: &Node, horizon: Horizon, ply: usize) {
        for child in self.thread.tree.children_block(node) {
            let open = child.fate() == Fate::Unvisited;
            if !open || horizon.verdict(child.proof(), ply + 1).is_some() {
                continue;
            }
            if self.thread.stopping {
                return;
            }
            self.thread.count_node();
            let position = self.thread.line.position(ply);
            if let Some(m) = position.decode_known(child.move_code()) {
                let numbers = ProofNumbers::of_moves(position.replies_to(m), false);
                child.set_proof_numbers(horizon.plies_left(ply + 1), numbers);
            }
        }
    }

    /// Updates the bounds (where there are `news` from below) and numbers of a node on the way back. Returns whether
    /// its bounds changed.
    fn back_up_hunt(
        &mut self,
        id: NodeId,
        horizon: Horizon,
        ply: usize,
        nodes: u32,
        news: bool,
    ) -> bool {
        let tree = self.thread.tree;
        let node = tree.node(id);
        if SOLO {
            node.set_nodes(node.nodes() + u64::from(nodes));
        } else {
            node.add_nodes(u64::from(nodes));
        }
        let mut proven = false;
        if node.is_expanded() {
            self.leads.forget(node);
            self.formula_leads.forget(node);
            let children = tree.children_block(node);
            let news = self.bound_repetitions(children, ply + 1) || news;
            proven = news && self.thread.propagate(id);
            if proven && !node.proof().is_exact() {
                self.favour_anew(id, node, children);
            }
            let below = children
                .iter()
                .filter(|child| !(self.guided && child.is_excluded()))
                .map(|child| horizon.numbers(child, ply + 1));
            let numbers = ProofNumbers::above(below, horizon.attacks(ply));
            node.set_proof_numbers(horizon.plies_left(ply), numbers);
        }
        let proof = node.proof();
        node.set_expected(self.thread.clamp(node.expected(), proof));
        let (score, bound) = match horizon.verdict(proof, ply) {
            _ if proof.is_exact() => (proof.lower, Bound::Exact),
            Some(shown) => {
                let wanted = horizon.in_time(ply);
                let above = shown == horizon.attacks(ply);
                (wanted, if above { Bound::Lower } else { Bound::Upper })
            }
            None => (self.thread.scale.score(node.expected()), Bound::None),
        };
        self.thread.report(|| Event::Leave {
            node: id,
            score,
            bound,
        });
        proven
    }

    /// Bounds repeated positions by their first occurrence. A position that comes again is no better for mating than it
    /// was the first time: whoever mates from it could have done so then, since all that has changed is that draws are
    /// nearer. Returns whether that is news for any of the children at `ply`. It does nothing where moves are out: the
    /// bounds of the first occurrence may rest on that, and moves can be let back in.
    fn bound_repetitions(&self, children: &[Node], ply: usize) -> bool {
        if self.guided {
            return false;
        }
        let mut news = false;
        for child in children {
            let Fate::Repetition { plies_back, .. } = child.fate() else {
                continue;
            };
            let Some(first) = ply.checked_sub(usize::from(plies_back)) else {
                continue;
            };
            let first = self.thread.tree.node(self.thread.line.at(first)).proof();
            news |= child.tighten(Proof {
                lower: first.lower.min(Score::DRAW),
                upper: first.upper.max(Score::DRAW),
            });
        }
        news
    }
}
