//! How a visited node is written into the tree: its result, what it proves, and the moves skipped at it.

use super::{Context, Skips, Visit};
use crate::{Event, Interrupt, Probe, RootLine};
use game::{Ending, MAX_MOVES, MoveCode, Score};
use tree::{Bound, Fate, Lead, NodeId, Proof, Tree, Window};

impl<P: Probe> Context<'_, P> {
    /// Leaves a node: counts its fate, writes its result into the tree, and returns the value.
    #[inline]
    pub fn leave(
        &mut self,
        visit: Visit,
        value: Score,
        static_value: Option<Score>,
        fate: Fate,
    ) -> Score {
        self.leave_as(visit, value, visit.bound_of(value), static_value, fate)
    }

    /// Like [`Context::leave`], for a value whose bound does not follow from its place in the window.
    #[inline]
    pub fn leave_as(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) -> Score {
        self.worker.count_fate(fate);
        if visit.node.is_none() {
            return value;
        }
        self.record(visit, value, bound, static_value, fate);
        let node = visit.node;
        match fate {
            Fate::BetaCutoff { .. } | Fate::ProbabilisticCutoff { .. } | Fate::StandPat { .. } => {
                self.emit(|| Event::Cut { node, fate });
            }
            _ if fate.is_cut_before_moves() => self.emit(|| Event::Cut { node, fate }),
            Fate::TableHit { .. } => self.emit(|| Event::TableHit { node, fate }),
            _ if fate.is_end() => {
                self.emit(|| Event::End {
                    node,
                    fate,
                    score: value,
                });
            }
            _ => {}
        }
        self.prove(visit, value, bound, fate);
        self.emit(|| Event::Leave {
            node,
            score: value,
            bound,
        });
        value
    }

    /// Writes the result of a visit, without leaving the node.
    pub fn write(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) {
        self.record(visit, value, bound, static_value, fate);
        self.prove(visit, value, bound, fate);
    }

    #[inline]
    fn record(
        &mut self,
        visit: Visit,
        value: Score,
        bound: Bound,
        static_value: Option<Score>,
        fate: Fate,
    ) {
        let node = self.recorder.node(visit.node, visit.ply);
        node.set_visits(node.visits() + 1);
        // The node itself was counted by its parent before it was entered.
        node.set_nodes(node.nodes() + self.worker.nodes() - visit.nodes_before + 1);
        node.set_static_and_iteration(static_value, self.iteration, self.again);
        if visit.improving {
            node.set_improving();
        }
        // A proven win stays with its move and its value, whatever a later iteration found.
        if visit.node == Tree::ROOT && value < self.proven_at_root() {
            return;
        }
        node.set_window(visit.result(value, bound));
        node.set_fate(fate);
    }

    /// Writes to the root what the passes over it have found so far, and the best move with it: the last pass was a null
    /// window of its own. `moves`: how many the root has.
    pub fn settle_root(&mut self, window: Window, best: MoveCode, moves: u8) {
        let node = self.recorder.tree().node(Tree::ROOT);
        let searched = match node.fate() {
            Fate::BetaCutoff { searched, .. } | Fate::Expanded { searched, .. } => searched,
            _ => return,
        };
        if window.value < self.proven_at_root() {
            return;
        }
        node.set_window(window);
        node.set_fate(Fate::Expanded {
            best,
            searched,
            skipped: 0,
            moves,
            margin: 0,
        });
    }

    /// Records what a mate or an end of the game proves.
    #[inline]
    fn prove(&mut self, visit: Visit, value: Score, bound: Bound, fate: Fate) {
        let is_known = matches!(
            fate,
            Fate::Ended(_) | Fate::Tablebase(_) | Fate::KnownDraw { .. }
        );
        if value.is_decided() || is_known {
            let at_least = Proof {
                lower: value,
                ..Proof::OPEN
            };
            let at_most = Proof {
                upper: value,
                ..Proof::OPEN
            };
            let proof = match bound {
                _ if matches!(fate, Fate::Ended(_) | Fate::KnownDraw { .. }) => Proof::exact(value),
                _ if let Fate::Tablebase(hit) = fate => Proof::of_table(hit),
                // The moves left out may include a shorter win, but never a refutation of this one; likewise for a
                // loss.
                _ if self.selective && value.is_win() && bound != Bound::Upper => at_least,
                _ if self.selective && value.is_loss() && bound != Bound::Lower => at_most,
                _ if self.selective => return,
                Bound::Lower => at_least,
                Bound::Upper => at_most,
                _ => Proof::exact(value),
            };
            let node = self.recorder.node(visit.node, visit.ply);
            if matches!(fate, Fate::Ended(Ending::FiftyMoves)) {
                node.set_path_dependent();
            }
            if node.tighten(proof) {
                self.emit(|| Event::Prove {
                    node: visit.node,
                    proof,
                });
            }
        }
    }

    /// Keeps the root and its moves as the iteration leaves them, for everything that shows them.
    pub fn finish_iteration(&self) {
        let tree = self.recorder.tree();
        tree.finish_step(self.iteration, None);
    }

    /// Returns the best move of the root with its value, and then the `others` with theirs, each with the line that the last
    /// finished step expects after it. None where there is no best move.
    pub fn root_lines(
        &self,
        best: (MoveCode, Score),
        others: &[(MoveCode, Score)],
    ) -> Vec<RootLine> {
        let tree = self.recorder.tree();
        let first = Some(best).filter(|(code, _)| *code != MoveCode::NONE);
        let others = others.iter().copied().filter(|(code, _)| *code != best.0);
        let line = |(code, score)| RootLine {
            moves: tree.root_line_at_last_step(code),
            score,
        };
        first.into_iter().chain(others).map(line).collect()
    }

    /// Keeps them as they are when another move takes the lead within an iteration. Before the first iteration is finished
    /// they are shown as they are.
    pub fn take_lead(&self, lead: &Lead) {
        let tree = self.recorder.tree();
        if tree.last_step().is_some() {
            tree.finish_step(self.iteration, Some(lead));
        }
    }

    /// What the root is proven to be worth at least, if that is a mate; otherwise the lowest score.
    pub fn proven_at_root(&self) -> Score {
        let proof = self.recorder.tree().node(Tree::ROOT).proof();
        let mates = proof.is_win() && !proof.lower.is_without_length();
        if mates && self.worker.index() == 0 {
            proof.lower
        } else {
            Score::MIN
        }
    }

    /// Proves that the root's value is a mate of exactly this length, by `best`: no move is worth more, and this one is
    /// worth as much.
    pub fn prove_root(&mut self, value: Score, best: MoveCode) {
        let tree = self.recorder.tree();
        let child = tree.child_by_move(Tree::ROOT, best);
        let of_child = Proof::exact(value.one_ply_down());
        let proven = [(Some(Tree::ROOT), Proof::exact(value)), (child, of_child)];
        for (node, proof) in proven {
            if let Some(node) = node
                && tree.node(node).tighten(proof)
            {
                self.emit(|| Event::Prove { node, proof });
            }
        }
    }

    /// Handles a stop in the middle of a node by keeping what is known about it.
    #[cold]
    pub fn interrupt(&mut self, visit: Visit) -> Interrupt {
        if !visit.node.is_none() {
            let node = self.recorder.tree().node(visit.node);
            node.set_nodes(node.nodes() + self.worker.nodes() - visit.nodes_before + 1);
            if node.visits() == 0 {
                node.set_fate(Fate::Interrupted);
            }
        }
        Interrupt
    }

    /// Skips a move: counts it, reports it, and keeps it until the node is left.
    #[inline]
    pub fn skip(&mut self, visit: &Visit, skips: &mut Skips, m: MoveCode, fate: Fate) {
        let before = skips.len();
        if self.keeps_apart(visit, fate) {
            skips.push((m, fate));
        }
        self.skipped(visit, fate, 1, &skips[before..]);
    }

    /// Whether somebody may want to see what is skipped at a node now.
    #[inline]
    pub fn is_watched(&self, visit: &Visit) -> bool {
        /// More than the moves that a node skips and the events before them.
        const EVENTS: u64 = 2 * MAX_MOVES as u64;
        P::ACTIVE && !visit.node.is_none() && self.probe.wants_any_of(EVENTS)
    }

    /// Whether moves skipped with this fate are kept one by one until the node is left, because they are reported, or
    /// recorded: the node's own numbers may imply them (see [`Fate::Expanded`]).
    #[inline]
    pub fn keeps_apart(&self, visit: &Visit, fate: Fate) -> bool {
        let implied = visit.is_null_window() && fate.info().implied;
        !visit.node.is_none() && !implied || self.is_watched(visit)
    }

    /// Counts skipped moves that share one fate, and reports them if they are kept one by one.
    #[inline]
    pub fn skipped(&mut self, visit: &Visit, fate: Fate, count: usize, kept: &[(MoveCode, Fate)]) {
        self.worker.count_fates(fate, count);
        if !P::ACTIVE || visit.node.is_none() {
            return;
        }
        if kept.is_empty() {
            self.probe.count_unseen(count as u64);
        } else if !self.probe.passes_over(count as u64) {
            for &(m, fate) in kept {
                let parent = visit.node;
                self.emit(|| Event::Prune { parent, m, fate });
            }
        }
    }

    /// Creates children for the skipped moves, after the child `last`, unless a cutoff makes them moot or the node's own
    /// numbers imply them: in a null window most were skipped by the same numbers (see [`Fate::Expanded`]).
    pub fn record_skips(&mut self, visit: &Visit, value: Score, skips: &Skips, last: NodeId) {
        if visit.node.is_none() || value >= visit.beta {
            return;
        }
        let null_window = visit.is_null_window();
        let mut last = last;
        for &(m, fate) in skips {
            if null_window && fate.info().implied {
                continue;
            }
            let child = self.child(visit.node, last, m, visit.ply + 1);
            if child.is_none() {
                return;
            }
            self.recorder.node(child, visit.ply + 1).set_fate(fate);
            last = child;
        }
    }
}
