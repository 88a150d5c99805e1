//! A toy tree as a shape: all nodes of the file, except below those that are closed.

use std::collections::HashSet;

use super::Shape;
use game::toy::ToyTree;

/// A toy tree with its closed nodes.
#[derive(Clone, Copy, Debug)]
pub struct WholeTree<'a> {
    pub tree: &'a ToyTree,
    pub closed: &'a HashSet<u32>,
}

impl WholeTree<'_> {
    fn is_closed(&self, node: u32) -> bool {
        self.closed.contains(&node) && !self.tree.nodes[node as usize].children.is_empty()
    }
}

impl Shape for WholeTree<'_> {
    fn children(&self, node: u32) -> &[u32] {
        match self.is_closed(node) {
            true => &[],
            false => &self.tree.nodes[node as usize].children,
        }
    }

    /// Returns the number of leaves below a closed node.
    fn hidden(&self, node: u32) -> u32 {
        if !self.is_closed(node) {
            return 0;
        }
        let mut open = vec![node];
        let mut leaves = 0;
        while let Some(next) = open.pop() {
            let children = &self.tree.nodes[next as usize].children;
            leaves += u32::from(children.is_empty());
            open.extend(children);
        }
        leaves
    }
}
