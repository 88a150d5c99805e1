//! An inner node distributes its descents to the children.

use super::scoring::{Implicit, Plain, Scaled, Scoring, Weighted};
use super::select::{self, Choice};
use super::softmax::Softmax;
use super::{Batch, Mcts, OPEN, Relevant};
use crate::by_formula::Select;
use crate::proofs;
use crate::search_thread::expanded;
use eval::Evaluator;
use game::{Game, MoveCode, Score};
use search::Probe;
use tree::{Fate, Node, NodeId, Proof};

/// Younger nodes change too often for a lead.
const LEADS_FROM: u32 = 32;

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Passes `budget` descents to the children, and chooses again after each batch.
    pub(super) fn inner(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        budget: u32,
        window: Relevant,
    ) -> Batch {
        let mut batch = Batch::default();
        let children = self.thread.tree.children_block(node);
        while batch.done < budget {
            let relevance = self.relevance(node, ply, window);
            let forced = self.forced(ply + 1);
            let Some(choice) = self.choose(children, node, ply, relevance, forced) else {
                // The node is proven, or no longer matters, because of what another thread or an earlier descent found.
                if batch.done == 0 {
                    self.thread.line.enter(ply + 1, NodeId::NONE);
                }
                let rest = budget - batch.done;
                batch.add(Batch::of(
                    node.expected().into(),
                    self.weight_at(node),
                    rest,
                ));
                batch.proven = true;
                break;
            };
            if let Some(select) = &self.settings.select {
                self.thread.context.worker.undefined += select.take_undefined();
            }
            if let Some((favourite, searched)) = choice.favourite {
                let mut favourite = self.thread.to_play(id, favourite);
                if ply == 0 && self.settings.solver.two_fold_draws {
                    favourite = self.by_parents_evaluation(children, favourite);
                }
                self.note_favourite(node, favourite, searched);
            }
            let below = if forced.is_none() {
                Relevant {
                    alpha: window.beta.one_ply_down(),
                    beta: relevance,
                }
            } else {
                OPEN
            };
            let share = self.budget(choice.node).min(budget - batch.done);
            self.thread.line.enter(ply + 1, choice.id);
            let brought = self.descend(choice.id, choice.node, ply + 1, share, below);
            batch.sum -= brought.sum;
            batch.weight += brought.weight;
            batch.done += brought.done;
            batch.nodes += brought.nodes;
            if brought.proven {
                batch.proven |= self.thread.propagate(id);
                if node.proof().is_exact() {
                    // A proven value replaces the estimates collected on the way.
                    break;
                }
                if choice.node.proof().is_win() {
                    // Perhaps the last visit: nobody plays into a proven loss.
                    self.favour_anew(id, node, children);
                }
            }
            if brought.done < share || self.thread.stopping {
                break;
            }
        }
        batch
    }

    /// The lower bound at which a child of the node at `ply` can be left alone.
    #[inline]
    pub(super) fn relevance(&self, node: &Node, ply: usize, window: Relevant) -> Score {
        let solver = &self.settings.solver;
        match (solver.propagation, ply) {
            (true, 0) if solver.open_root => proofs::relevance_at_open_root(node),
            (true, 0) => proofs::relevance_at_root(node),
            (true, _) if !self.settings.visit_certain => proofs::relevance(node, window.alpha),
            // Certain nodes are still visited, as in MCTS without proofs.
            _ => Score::MAX,
        }
    }

    /// Opens a root that is already proven when the run begins, where it is to stay open.
    pub(super) fn open_root(&self, root: &Node) {
        if let Fate::Proven { by, .. } = root.fate()
            && self.settings.solver.open_root
            && !root.first_child().is_none()
        {
            let children = self.thread.tree.children_block(root);
            let searched = children.iter().filter(|c| c.visits() > 0).count();
            root.set_fate(expanded(by, searched, children.len()));
        }
    }

    /// Chooses between a certain draw and a repetition that the other side may still avoid. The evaluation of the root
    /// decides: the side that is ahead plays on.
    ///
    /// Source: Videodr0me, *Porting certainty propagation to new codebase* (lc0, GitHub issue, 2018) ("for choosing
    /// between a terminal threefold and a two-fold, I used NN eval of parent").
    #[cold]
    fn by_parents_evaluation(&self, children: &[Node], favourite: MoveCode) -> MoveCode {
        let two_fold = |c: &&Node| matches!(c.fate(), Fate::Repetition { times: 1, .. });
        let certain = |c: &&Node| c.proof() == Proof::exact(Score::DRAW);
        let chosen = children.iter().find(|c| c.move_code() == favourite);
        if !chosen.is_some_and(|c| two_fold(&c) || certain(&c)) {
            return favourite;
        }
        let line = &self.thread.line;
        let evaluator = self.thread.job.evaluator;
        let ahead = evaluator.value(line.state(0), line.position(0)) > Score::DRAW;
        let candidates = children.iter().filter(|c| !c.is_excluded());
        let wanted = candidates.filter(|c| if ahead { two_fold(c) } else { certain(c) });
        let best = wanted.max_by_key(|c| c.visits());
        best.map_or(favourite, Node::move_code)
    }

    /// The node that every descent has to take at `ply`, on its way to the focus.
    #[inline]
    fn forced(&self, ply: usize) -> Option<NodeId> {
        if self.guided {
            self.thread.forced.get(ply).copied()
        } else {
            None
        }
    }

    /// The child to which the next descents go; `None` where no child matters any more.
    #[inline]
    fn choose<'t>(
        &self,
        children: &'t [Node],
        node: &Node,
        ply: usize,
        relevance: Score,
        forced: Option<NodeId>,
    ) -> Option<Choice<'t>> {
        let settings = &self.settings;
        if let Some(select) = settings.select.as_ref().filter(|_| forced.is_none()) {
            return self.choice_by_formula(select, children, node, ply, relevance);
        }
        if let Some(softmax) = settings.softmax.filter(|_| forced.is_none()) {
            return self.drawn_choice(&softmax, children, node, relevance);
        }
        if settings.implicit_minimax > 0.0 {
            let scoring = Implicit(settings);
            return self.choose_by(&scoring, children, node, ply, relevance, forced);
        }
        if settings.variance_scaled > 0.0 {
            let scoring = Scaled(settings);
            return self.choose_by(&scoring, children, node, ply, relevance, forced);
        }
        if settings.uncertainty_weighting {
            let scoring = Weighted(settings);
            return self.choose_by(&scoring, children, node, ply, relevance, forced);
        }
        self.choose_by(&Plain(settings), children, node, ply, relevance, forced)
    }

    /// The choice by somebody's formula; the move that would be played is the one that was visited most.
    #[inline(never)]
    fn choice_by_formula<'t>(
        &self,
        select: &Select,
        children: &'t [Node],
        node: &Node,
        ply: usize,
        relevance: Score,
    ) -> Option<Choice<'t>> {
        let fpu = self.settings.fpu;
        let narrowed = node.is_narrowed();
        let counts =
            |c: &Node| !(narrowed && c.is_excluded()) && select::matters(c.proof(), relevance);
        let leads = SOLO && !self.guided;
        let known = self.formula_leads.get(node).filter(|_| leads);
        let known = known.filter(|(bound, _)| *bound == relevance);
        let leader = known.and_then(|(_, lead)| select.leader(&lead, children, node, counts));
        let place = match leader {
            Some(place) => place,
            None if leads && node.visits() >= LEADS_FROM => {
                let (place, lead) = select.best_and_lead(children, node, fpu, counts)?;
                let lead = lead.map(|lead| (relevance, lead));
                self.formula_leads.keep(node, lead);
                place
            }
            None => select.best((children, Node::policy), node, fpu, counts)?,
        };
        let wanted = self.wants_favourite(node, ply);
        Some(Choice {
            id: NodeId(node.first_child().0 + place as u32),
            node: &children[place],
            favourite: wanted.then(|| select::favourite(children, node)),
            lead: None,
        })
    }

    /// Whether the favourite is computed at this visit: at every eighth, but at the root and at young nodes at each.
    #[inline]
    fn wants_favourite(&self, node: &Node, ply: usize) -> bool {
        let visits = node.visits();
        !SOLO || ply == 0 || visits < LEADS_FROM || visits.is_multiple_of(8)
    }

    /// The choice by a softmax; the move that would be played is the one of PUCT.
    fn drawn_choice<'t>(
        &self,
        softmax: &Softmax,
        children: &'t [Node],
        node: &Node,
        relevance: Score,
    ) -> Option<Choice<'t>> {
        let drawn = softmax.choose(children, node, relevance, self.thread.job.seed)?;
        Some(Choice {
            favourite: Some(select::favourite(children, node)),
            ..drawn
        })
    }

    #[inline]
    fn choose_by<'t>(
        &self,
        scoring: &impl Scoring,
        children: &'t [Node],
        node: &Node,
        ply: usize,
        relevance: Score,
        forced: Option<NodeId>,
    ) -> Option<Choice<'t>> {
        if let Some(gumbel) = self
            .gumbel
            .as_ref()
            .filter(|_| ply == 0 && forced.is_none())
        {
            return gumbel.choose(children, node, relevance);
        }
        if self.guided && (forced.is_some() || node.is_narrowed()) {
            return self.guided_choice(scoring, children, node, relevance, forced);
        }
        let fpu = self.settings.fpu;
        let visits = node.visits();
        let wanted = self.wants_favourite(node, ply);
        // Other threads, and descents to a focus, visit children that are not the best.
        let leads = SOLO && !self.guided;
        if leads
            && !wanted
            && let Some(best) = self.leads.best(children, node, relevance, scoring)
        {
            return Some(Choice {
                id: NodeId(node.first_child().0 + best as u32),
                node: &children[best],
                favourite: None,
                lead: None,
            });
        }
        let choice = if wanted {
            select::select::<true, false, _>(children, node, relevance, fpu, scoring)
        } else {
            select::select::<false, false, _>(children, node, relevance, fpu, scoring)
        };
        if leads && visits >= LEADS_FROM {
            self.leads.keep(node, choice.and_then(|choice| choice.lead));
        }
        choice
    }

    /// The choice where the user intervened: the next node on the way to the focus, whatever the children's scores are,
    /// or one of those that are not out.
    #[cold]
    #[inline(never)]
    fn guided_choice<'t>(
        &self,
        scoring: &impl Scoring,
        children: &'t [Node],
        node: &Node,
        relevance: Score,
        forced: Option<NodeId>,
    ) -> Option<Choice<'t>> {
        let fpu = self.settings.fpu;
        let Some(next) = forced else {
            return select::select::<true, true, _>(children, node, relevance, fpu, scoring);
        };
        let chosen = select::select::<true, true, _>(children, node, Score::MAX, fpu, scoring);
        let place = (next.0 - node.first_child().0) as usize;
        Some(Choice {
            id: next,
            node: children.get(place)?,
            favourite: chosen.and_then(|c| c.favourite),
            lead: None,
        })
    }

    /// Updates the move to play at a node whose children's bounds changed.
    pub(super) fn favour_anew(&self, id: NodeId, node: &Node, children: &[Node]) {
        let narrowed = node.is_narrowed();
        let visits = |c: &Node| c.visits() as f32;
        let best = proofs::choose(children, narrowed, visits, |c| -c.expected());
        let favourite = self.thread.to_play(id, proofs::move_of(best));
        let searched = children.iter().filter(|c| c.visits() > 0).count();
        self.note_favourite(node, favourite, searched);
    }

    /// Keeps the node's fate up to date: which child is the favourite, and how many were searched.
    #[inline(always)]
    pub(super) fn note_favourite(&self, node: &Node, favourite: MoveCode, searched: usize) {
        let moves = usize::from(node.child_count());
        if SOLO {
            node.set_fate(expanded(favourite, searched, moves));
            return;
        }
        // The fate is read first: if another thread names the move of a fresh proof meanwhile, the claim fails.
        let before = node.fate();
        let favourite = proofs::proven_best(self.thread.tree, node).unwrap_or(favourite);
        let now = expanded(favourite, searched, moves);
        if before != now && matches!(before, Fate::Expanded { .. }) {
            node.claim(before, now);
        }
    }
}
