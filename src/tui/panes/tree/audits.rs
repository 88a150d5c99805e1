//! Navigation through the failed audits: nodes that were pruned but were best.

use super::Explorer;
use session::Reader;
use tree::NodeId;

/// The largest number of paths to open at once, the shortest first; more rows are not readable.
const MOST: usize = 200;

impl Explorer {
    /// Opens the paths to the failed audits nearest to the root. Returns the number of failed audits.
    pub fn open_failed_audits(&mut self, reader: Reader) -> usize {
        let mut failed = reader.tree.failed_audits();
        let count = failed.len();
        failed.sort_by_key(|&id| reader.tree.ply(id));
        for id in failed.into_iter().take(MOST) {
            for ancestor in reader.tree.path(reader.tree.node(id).parent()) {
                self.open_node(reader, ancestor);
            }
        }
        self.touch();
        count
    }

    /// Goes to the failed audit that is `by` places further on in the tree (negative: back), through closed rows too;
    /// the first one follows the last. Returns its number, from 1, and how many there are; `None` if there is none.
    pub fn next_failed_audit(&mut self, reader: Reader, by: isize) -> Option<(usize, usize)> {
        let failed = reader.tree.failed_audits();
        if failed.is_empty() {
            return None;
        }
        let here = self.selected_row().map_or_else(Vec::new, |row| {
            let known = if row.node.is_none() {
                row.parent
            } else {
                row.node
            };
            if known.is_none() {
                Vec::new()
            } else {
                reader.tree.path(known)
            }
        });
        let before = |id: &NodeId| reader.tree.path(*id) < here;
        let first_behind = failed.iter().take_while(|id| before(id)).count();
        let is_here = failed.get(first_behind).copied() == here.last().copied();
        let from = first_behind as isize;
        let at = match (by > 0, is_here) {
            (true, false) => from + by - 1,
            _ => from + by,
        };
        let at = at.rem_euclid(failed.len() as isize) as usize;
        self.reveal(reader, failed[at]);
        Some((at + 1, failed.len()))
    }
}
