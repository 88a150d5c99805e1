//! Nodes found in an endgame table: what the table says, and which table it is.

use super::sentence::{Teller, plural};
use game::Sided as _;
use game::{Score, TableHit, TableResult};
use tree::Tree;

impl Teller<'_> {
    /// Describes what an endgame table said, and which one. A root move that the tables advise against is described as
    /// such.
    pub(super) fn tablebase(&self, hit: TableHit) -> String {
        let table = self.reader.table_name(self.view.id);
        let table = table.map_or_else(
            || "the endgame table".into(),
            |name| format!("the table {name}"),
        );
        let mut words = hit.result.words().to_owned();
        if let Some(plies) = hit.dtz.filter(|d| *d != 0) {
            let plies = plural(plies.unsigned_abs(), "ply");
            words.push_str(&format!(", {plies} to the next capture, pawn move or mate"));
        }
        if hit.depends_on_clock() {
            let clock = plural(hit.clock, "ply");
            words.push_str(&format!(", with {clock} on the fifty-move clock"));
        }
        if matches!(
            hit.result,
            TableResult::CursedWin | TableResult::BlessedLoss
        ) {
            words.push_str(": a draw by the fifty-move rule");
        }
        match self.promised(hit) {
            Some(promised) => {
                format!("Not searched: it throws the {promised} away; {table} says {words}.")
            }
            None => format!("Not searched: {table} says {words}."),
        }
    }

    /// Returns what the tables promise at the root, if this move does not preserve it.
    fn promised(&self, hit: TableHit) -> Option<&'static str> {
        if self.view.parent != Tree::ROOT {
            return None;
        }
        let root = self.reader.tree.node(Tree::ROOT).proof();
        match hit.result.turned().score() {
            score if root.is_win() && !score.is_win() => Some("win"),
            score if root.lower == Score::DRAW && score.is_loss() => Some("draw"),
            _ => None,
        }
    }
}
