//! The user's place, kept from one tree to the next: what was open and selected, as moves.

use std::time::{Duration, Instant};

use super::{Explorer, RowKey};
use game::MoveCode;
use session::Reader;
use tree::{NodeId, Tree};

/// How long a new tree has to grow what was open in the old one; after that the rest is forgotten.
const PATIENCE: Duration = Duration::from_secs(5);

/// The same where the tree of another program's search has to be read first.
const LONG_PATIENCE: Duration = Duration::from_secs(100);

/// The lines from the root that were open, and the selected one.
#[derive(Debug, Clone)]
pub struct SavedSelection {
    open: Vec<Vec<MoveCode>>,
    selected: Option<Vec<MoveCode>>,
    /// The rows above the selected one in the viewport.
    above: usize,
    /// What has not grown by then is forgotten.
    until: Instant,
}

impl SavedSelection {
    /// A line with its last move selected, in a tree that may take a while to begin to grow.
    pub fn of_line(line: Vec<MoveCode>) -> SavedSelection {
        SavedSelection {
            open: (1..=line.len()).map(|n| line[..n].to_vec()).collect(),
            selected: Some(line),
            above: 0,
            until: Instant::now() + LONG_PATIENCE,
        }
    }

    /// What was open and selected, in a tree that is there already or `grows`.
    pub fn of_lines(
        open: Vec<Vec<MoveCode>>,
        selected: Option<Vec<MoveCode>>,
        above: usize,
        grows: bool,
    ) -> SavedSelection {
        let patience = if grows { LONG_PATIENCE } else { PATIENCE };
        SavedSelection {
            open,
            selected,
            above,
            until: Instant::now() + patience,
        }
    }

    /// Returns the lines to the open nodes, the selected one, and the rows above it in the viewport.
    pub fn into_lines(self) -> (Vec<Vec<MoveCode>>, Option<Vec<MoveCode>>, usize) {
        (self.open, self.selected, self.above)
    }

    /// The same place, to be gone back to from now on.
    #[must_use]
    pub fn renewed(self) -> SavedSelection {
        SavedSelection {
            until: Instant::now() + PATIENCE,
            ..self
        }
    }

    /// Returns the same place after the game went on by these moves: lines that do not continue them are dropped.
    #[must_use]
    pub fn after(self, moves: &[MoveCode]) -> SavedSelection {
        let rest = |line: &Vec<MoveCode>| {
            let rest = line.strip_prefix(moves).filter(|rest| !rest.is_empty());
            rest.map(<[MoveCode]>::to_vec)
        };
        SavedSelection {
            open: self.open.iter().filter_map(rest).collect(),
            selected: self.selected.as_ref().and_then(rest),
            above: self.above,
            until: self.until,
        }
    }
}

impl Explorer {
    /// Returns what is open and selected in the present tree.
    pub fn place(&self, reader: Reader) -> SavedSelection {
        let own = |n: &&NodeId| **n != Tree::ROOT && !self.followed.contains(n);
        let nodes = self.open.keys().filter(own);
        let mut open: Vec<_> = nodes.map(|&n| reader.tree.moves_to(n)).collect();
        open.sort_unstable_by_key(Vec::len);
        let selected = self.selected_row().map(|row| self.moves_to(reader, &row));
        SavedSelection {
            open,
            selected: selected.filter(|line| !line.is_empty()),
            above: self.list.selected.saturating_sub(self.list.top),
            until: Instant::now() + PATIENCE,
        }
    }

    /// Goes back to a place, step by step as the new tree grows there.
    pub fn resume(&mut self, place: SavedSelection) {
        self.pending = Some(place);
    }

    /// Opens and selects what the tree has so far. A selection that the user has made in the meantime stays.
    pub(super) fn go_on_resuming(&mut self, reader: Reader) {
        let Some(mut place) = self.pending.take() else {
            return;
        };
        place.open.retain(|line| {
            let node = follow(reader.tree, line);
            !node.is_some_and(|n| self.open_node(reader, n))
        });
        if self.key != RowKey::ROOT {
            place.selected = None;
        }
        let found = place.selected.as_deref().and_then(|line| {
            let (code, before) = line.split_last()?;
            let parent = follow(reader.tree, before)?;
            let shown = parent == Tree::ROOT || self.open.contains_key(&parent);
            let legal = reader.tree.child_by_move(parent, *code).is_some();
            (shown && legal).then_some(RowKey {
                parent,
                code: *code,
            })
        });
        if let Some(key) = found {
            self.key = key;
            // The selected row stays where it is in the viewport, wherever it will be among the rows.
            (self.list.selected, self.list.top) = (place.above, 0);
            place.selected = None;
            self.touch();
        }
        let done = place.open.is_empty() && place.selected.is_none();
        if !done && Instant::now() < place.until {
            self.pending = Some(place);
        }
    }
}

fn follow(tree: &Tree, line: &[MoveCode]) -> Option<NodeId> {
    line.iter()
        .try_fold(Tree::ROOT, |node, &m| tree.child_by_move(node, m))
}
