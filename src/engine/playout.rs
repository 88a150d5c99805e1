//! A leaf's playout, played again.

use super::reader::{Reader, Searcher};
use crate::eval::playout::{Player, Playout, PlayoutRules, playout_seed};
use crate::eval::{Evaluator, HandCrafted, ToyEvaluator};
use crate::game::{Game, Situation, Subject};
use crate::search::best_first::mcts;
use crate::tree::{Fate, NodeId};

impl Reader<'_> {
    /// The first playout from a leaf, played again from the search's seed; a node that was expanded for its proof numbers,
    /// but not visited since, is a leaf too. `None` for what was not valued by a playout.
    #[must_use]
    pub fn playout(&self, id: NodeId, seed: u64) -> Option<Playout> {
        let Searcher::Own(_, options) = self.searcher else {
            return None;
        };
        if !self.has_playouts() || !self.tree.contains(id) {
            return None;
        }
        let node = self.tree.node(id);
        let is_leaf = match node.fate() {
            Fate::Frontier => node.visits() > 0,
            Fate::Expanded { searched: 0, .. } => node.visits() == 1,
            _ => false,
        };
        if !is_leaf {
            return None;
        }
        let rules = mcts::playout_rules(options)?;
        let seed = playout_seed(seed, id.0, 0);
        match self.situation(id)? {
            Subject::Chess(s) => play(rules, &HandCrafted::default(), &s, seed),
            Subject::Toy(s) => play(rules, &ToyEvaluator::default(), &s, seed),
        }
    }

    /// Whether the search values its leaves by playouts.
    #[must_use]
    pub fn has_playouts(&self) -> bool {
        match self.searcher {
            Searcher::Own(crate::search::Algorithm::Mcts, options) => {
                mcts::playout_rules(options).is_some()
            }
            _ => false,
        }
    }
}

fn play<G: Game, E: Evaluator<G>>(
    rules: PlayoutRules,
    evaluator: &E,
    situation: &Situation<G>,
    seed: u64,
) -> Option<Playout> {
    let position = &situation.position;
    let state = evaluator.start(position);
    let uncounted = || Ok::<(), ()>(());
    let mut player = Player::new(rules);
    player
        .play(evaluator, position, state, seed, uncounted)
        .ok()
}
