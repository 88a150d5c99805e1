//! Iterations that a depth-first search has not completed at a node, or did not reach.

use super::sentence::{Teller, plural};
use tree::Tree;

impl Teller<'_> {
    /// Returns what there is to say about the iterations of a node, its parent and its moves.
    pub(super) fn iterations(&self) -> Option<String> {
        let of_the_node = self.ahead().or_else(|| self.among_the_moves());
        let sentences = [self.earlier(), of_the_node];
        let told: Vec<String> = sentences.into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Depth-first figures remain from the last iteration at the node if later ones cut off before reaching its move.
    fn earlier(&self) -> Option<String> {
        let parent = self.view.parent;
        if self.reader.is_best_first() || parent.is_none() || self.view.id.is_none() {
            return None;
        }
        let (mine, latest) = (self.view.iteration, self.reader.view(parent).iteration);
        (mine > 0 && mine < latest).then(|| {
            format!("Last seen in iteration {mine}; its parent was searched again in {latest}.")
        })
    }

    /// Reports that the search has not yet left the parent in the iteration to which these figures belong.
    fn ahead(&self) -> Option<String> {
        if !self.reader.is_ahead(self.view.id) {
            return None;
        }
        let (_, mine) = self.reader.tree.node(self.view.id).static_and_iteration();
        let finished = self.reader.view(self.view.parent).iteration;
        Some(match self.view.iteration == mine {
            true => {
                format!(
                    "Searched again in iteration {mine}; its parent's figures are of {finished}."
                )
            }
            // A move of the root is shown as the last finished iteration left it.
            false => format!(
                "These figures are of iteration {}; {mine}, which is unfinished, has searched it again.",
                self.view.iteration
            ),
        })
    }

    /// Reports the same from the parent's side.
    fn among_the_moves(&self) -> Option<String> {
        if self.view.id.is_none() || self.view.iteration == 0 {
            return None;
        }
        if self.view.id == Tree::ROOT {
            let unfinished = self.reader.unfinished().filter(|u| !u.is_first)?;
            return Some(format!(
                "These figures are of the last finished step ({unfinished})."
            ));
        }
        let (moves, iteration) = self.reader.moves_ahead(self.view.id)?;
        let finished = self.view.iteration;
        Some(format!(
            "These figures are of iteration {finished}; {iteration} has searched {} again so far.",
            plural(moves as u64, "move")
        ))
    }
}
