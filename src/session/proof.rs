//! The part of a tree that proves a result: one move for the side that achieves what the claim says, and every reply
//! for the other side.
//!
//! Best-first searches create all children of a node that they expand, so their trees contain complete proofs. Of a
//! depth-first search's proofs the tree contains only what was recorded, which is not enough.

use std::cmp::Reverse;

use shakmaty::Position;

use super::{GrownBy, Reader};
use game::chess::arbiter::{self, Aim, Arbiter, Break, Walked};
use game::{MoveCode, Score};
use tree::{Family, Fate, NodeId};

/// What is to be shown about a node, from the view of its side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The side to move gets at least its proven lower bound: one move shows it.
    pub least: bool,
    /// The side to move gets at most its proven upper bound: only all moves together show it.
    pub most: bool,
}

/// The size of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofSize {
    /// The number of nodes, including the proven one.
    pub nodes: usize,
    /// The number of plies of its longest line.
    pub plies: usize,
    /// Whether everything was counted.
    pub complete: bool,
    /// Whether it rests on repetitions or the fifty-move rule, and so holds only on this path to the position.
    pub path_dependent: bool,
}

impl Reader<'_> {
    /// Returns what is proven about a node: a win by its lower bound, a loss by its upper bound, a draw by both. `None`
    /// if nothing is certain, or the tree does not contain the proof.
    pub fn claim(&self, id: NodeId) -> Option<Claim> {
        let own = matches!(self.searcher, GrownBy::Own(..));
        if !own || self.tree.family() != Family::BestFirst {
            return None;
        }
        let proof = self.tree.node(id).proof();
        let claim = Claim {
            least: proof.is_win() || proof.is_exact() && !proof.is_loss(),
            most: proof.is_loss() || proof.is_exact() && !proof.is_win(),
        };
        (claim != Claim::default()).then_some(claim)
    }

    /// Returns the children that show a claim, and what is to be shown about each. The first child is the one that
    /// would be played: the shortest way to win or the longest way to lose. The list is empty if the game has ended, or
    /// if the material and not the moves show the claim: a lone king does not win.
    pub fn proving(&self, id: NodeId, claim: Claim) -> Vec<(NodeId, Claim)> {
        let proof = |child: &NodeId| self.tree.node(*child).proof();
        let children = self.tree.children(id);
        let mut children: Vec<NodeId> = children
            .filter(|&child| !self.tree.node(child).is_excluded())
            .collect();
        children
            .sort_by_key(|child| (proof(child).upper, Reverse(self.tree.node(*child).visits())));
        if !claim.least {
            // The losing side holds out for as long as it can.
            children.sort_by_key(|child| proof(child).lower);
        }
        // What the children guarantee and what they allow.
        let node = self.tree.node(id).proof();
        let bounds = || children.iter().map(|child| proof(child).one_ply_up());
        let claim = Claim {
            least: claim.least && bounds().any(|b| b.lower >= node.lower),
            most: claim.most && bounds().all(|b| b.upper <= node.upper),
        };
        let shown = children.into_iter().enumerate().map(|(i, child)| {
            let claim = Claim {
                least: claim.most,
                most: claim.least && i == 0,
            };
            (child, claim)
        });
        shown
            .filter(|(_, claim)| *claim != Claim::default())
            .collect()
    }

    /// Returns the size of the proof of a node's result, counted up to `most` nodes; `None` as for [`Reader::claim`].
    pub fn proof_size(&self, from: NodeId, most: usize) -> Option<ProofSize> {
        let mut size = ProofSize {
            nodes: 0,
            plies: 0,
            complete: true,
            path_dependent: false,
        };
        let mut open = vec![(from, self.claim(from)?, 0)];
        while let Some((id, claim, ply)) = open.pop() {
            if size.nodes == most {
                size.complete = false;
                break;
            }
            size.nodes += 1;
            size.plies = size.plies.max(ply);
            size.path_dependent |= self.tree.node(id).is_path_dependent();
            let children = self.proving(id, claim).into_iter();
            open.extend(children.map(|(child, claim)| (child, claim, ply + 1)));
        }
        Some(size)
    }

    /// Checks the proof of a node's result with an [`Arbiter`], which knows the rules of chess but nothing about the
    /// search. `None` as for [`Reader::claim`], and for toy trees.
    ///
    /// # Errors
    /// Returns the first place where the proof fails.
    pub fn check_proof(&self, from: NodeId) -> Option<Result<Walked, Break>> {
        let claim = self.claim(from)?;
        let at = self.situation(from)?.chess()?;
        let (mover, proof) = (at.position.chess().turn(), self.tree.node(from).proof());
        let most = Claim {
            least: false,
            ..claim
        };
        let least = Claim {
            most: false,
            ..claim
        };
        let mut walked = Walked::default();
        for (side, claim, worth) in [
            (mover, least, proof.lower),
            (!mover, most, proof.upper.one_ply_down()),
        ] {
            if claim == Claim::default() {
                continue;
            }
            let shown = ShownProof {
                reader: self,
                from,
                claim,
            };
            match Arbiter::new(&at).walk(&shown, side, aim(worth, side == mover)) {
                Ok(more) => walked.add(more),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(Ok(walked))
    }
}

/// Returns what a side whose result is at least this must achieve. `moves` says whether it is to move; otherwise the
/// score counts from one ply later.
fn aim(worth: Score, moves: bool) -> Aim {
    match worth.mate_plies() {
        Some(plies) if worth.is_win() => {
            Aim::Mate(u32::from(plies.unsigned_abs()) + u32::from(!moves))
        }
        _ if worth.is_win() => Aim::Win,
        _ => Aim::Draw,
    }
}

/// One side's part of a proof in the tree, in the form that the arbiter reads.
struct ShownProof<'a, 'r> {
    reader: &'a Reader<'r>,
    from: NodeId,
    claim: Claim,
}

impl arbiter::Proof for ShownProof<'_, '_> {
    type Place = (NodeId, Claim);

    fn start(&self) -> Self::Place {
        (self.from, self.claim)
    }

    fn moves(&self, &(id, claim): &Self::Place) -> Vec<(MoveCode, Self::Place)> {
        let shown = self.reader.proving(id, claim).into_iter();
        shown
            .map(|(child, claim)| (self.reader.tree.node(child).move_code(), (child, claim)))
            .collect()
    }

    fn source(&self, &(id, _): &Self::Place) -> Option<arbiter::Source> {
        match self.reader.tree.node(id).fate() {
            Fate::Tablebase(_) => Some(arbiter::Source::EndgameTable),
            Fate::KnownDraw { .. } => Some(arbiter::Source::KnownDraw),
            _ => None,
        }
    }
}
