//! Going through the audits that failed: what was pruned, but was best.

use super::Explorer;
use crate::engine::Reader;
use crate::tree::NodeId;

/// So many ways are opened at once, the shortest first: nobody reads more.
const MOST: usize = 200;

impl Explorer {
    /// Opens the way to the failed audits nearest to the root. Answers how many there are.
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

    /// Goes to the failed audit `by` further on in the tree (negative: back), through closed rows too; behind the last one
    /// comes the first. Answers which of how many it is, from 1; `None` where there is none.
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
