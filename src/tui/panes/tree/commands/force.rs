//! Forced changes of a search: more nodes for one node, moves left out.

use crate::context::{Context, Level};
use game::MoveCode;
use text::thousands;
use tree::NodeId;

/// The nodes that one press of the key gives.
const MORE: u64 = 10_000;

impl Context {
    /// Gives the next `times` × 10,000 nodes to the selected node.
    pub fn search_more(&mut self, times: usize) {
        let Some(row) = self.explore.tree.selected_row() else {
            return;
        };
        if row.node.is_none() {
            self.say(
                Level::Info,
                "nothing is known of this move yet: search its parent more",
            );
            return;
        }
        if !self.can_step() {
            return;
        }
        if let Some(shown) = self.live().and_then(|session| session.only_shown()) {
            self.say(Level::Info, shown.to_string());
            return;
        }
        let (node, parent, code) = (row.node, row.parent, row.code);
        let name = self.selected_name();
        let proven = self.with_tree(|_, reader| reader.view(node).proof.is_exact());
        let refused = if !parent.is_none() && self.excluded(parent).contains(&code) {
            Some("was taken out: let it in first (-)")
        } else if proven == Some(true) {
            Some("is proven: nothing is left to search there")
        } else {
            None
        };
        if let Some(why) = refused {
            self.say(Level::Info, format!("{name} {why}"));
            return;
        }
        let nodes = MORE.saturating_mul(times as u64);
        self.mark_from_here();
        if let Some(session) = self.live() {
            session.search_more(node, nodes);
        }
        self.say(
            Level::Info,
            format!(
                "{name} gets the next {} nodes; one can step back to here",
                thousands(nodes)
            ),
        );
    }

    /// Takes the selected move out of the search, or lets it back in.
    pub fn never(&mut self) {
        let Some((parent, code)) = self.selected_legal_move() else {
            return;
        };
        let mut excluded = self.excluded(parent);
        let known = excluded.len();
        excluded.retain(|&m| m != code);
        let out = excluded.len() == known;
        if out {
            excluded.push(code);
        }
        let name = self.selected_name();
        if self.set_excluded(parent, &excluded) {
            let what = if out {
                format!(
                    "{name} is never searched from here on (again: let it back in); one can step back to here"
                )
            } else {
                format!("{name} is searched again")
            };
            self.say(Level::Info, what);
        }
    }

    /// Takes all other moves of the selected move's position out of the search, whatever was out before; if they are
    /// out already, it lets all of them in.
    pub fn only(&mut self) {
        let Some((parent, code)) = self.selected_legal_move() else {
            return;
        };
        let legal = self.explore.tree.names(parent).map(|n| n.codes().collect());
        let mut others: Vec<MoveCode> = legal.unwrap_or_default();
        others.retain(|&m| m != code);
        let name = self.selected_name();
        if others.is_empty() {
            self.say(Level::Info, format!("{name} is the only move there"));
            return;
        }
        let excluded = self.excluded(parent);
        let all_out = others.iter().all(|m| excluded.contains(m)) && !excluded.contains(&code);
        let wanted = if all_out { &[][..] } else { &others };
        if self.set_excluded(parent, wanted) {
            let what = if all_out {
                "all moves are searched there again".to_owned()
            } else {
                format!(
                    "only {name} is searched there from here on (again: all); one can step back to here"
                )
            };
            self.say(Level::Info, what);
        }
    }

    /// Returns the moves that are taken out at a node.
    fn excluded(&self, parent: NodeId) -> Vec<MoveCode> {
        let choices = self.session.as_ref().and_then(|s| s.choices());
        choices.map_or_else(Vec::new, |c| c.excluded(parent).to_vec())
    }

    /// Takes exactly `moves` out at a node; returns whether that was possible.
    fn set_excluded(&mut self, parent: NodeId, moves: &[MoveCode]) -> bool {
        if !self.can_step() {
            return false;
        }
        self.mark_from_here();
        let Some(session) = self.live() else {
            return false;
        };
        let done = session.set_excluded(parent, moves);
        if let Err(what) = &done {
            self.say(Level::Warning, what.to_string());
        }
        self.explore.tree.touch();
        done.is_ok()
    }

    /// Returns the selected row's move and the node where it is played; the root has none.
    fn selected_move(&mut self) -> Option<(NodeId, MoveCode)> {
        let row = self.explore.tree.selected_row()?;
        if row.parent.is_none() {
            self.say(Level::Info, "this is the position searched: choose a move");
            return None;
        }
        Some((row.parent, row.code))
    }

    /// Like [`Context::selected_move`], but only for legal moves of the game.
    fn selected_legal_move(&mut self) -> Option<(NodeId, MoveCode)> {
        let (parent, code) = self.selected_move()?;
        if code == MoveCode::PASS {
            let what = "passing is no move: the option null-move decides whether it is tried (a)";
            self.say(Level::Info, what);
            return None;
        }
        Some((parent, code))
    }

    /// Returns the name of the selected row.
    pub(crate) fn selected_name(&self) -> String {
        match self.selected() {
            Some((row, reader)) if !row.parent.is_none() => {
                text::sanitise(&reader.label(row.parent, row.code))
            }
            _ => "the position".to_owned(),
        }
    }
}
