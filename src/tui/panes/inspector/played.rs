//! A line of moves that is played out on the board, as far as its nodes are recorded.

use crate::game::MoveCode;
use crate::tree::NodeId;
use crate::tui::app::App;
use crate::tui::panes::tree::RowKey;

/// A line that is played out. It stays until another row is selected.
#[derive(Clone, Debug)]
pub struct Played {
    /// The selected row, to which the line belongs.
    row: RowKey,
    /// The node from whose position the moves are played.
    pub from: NodeId,
    pub moves: Vec<MoveCode>,
    /// How many of the moves have been made on the board.
    pub made: usize,
}

impl App {
    /// Plays a line out from the position of a node, with the first `made` moves made.
    pub(super) fn play_out(&mut self, from: NodeId, moves: Vec<MoveCode>, made: usize) {
        self.explore.played = Some(Played {
            row: self.explore.tree.key(),
            from,
            made: made.min(moves.len()),
            moves,
        });
        self.show_played();
    }

    /// Returns the line that is played out, if it belongs to the selected row.
    pub(in crate::tui) fn line_played(&self) -> Option<&Played> {
        let line = self.explore.played.as_ref()?;
        (line.row == self.explore.tree.key()).then_some(line)
    }

    /// Makes further moves of the line, or takes some back; returns whether there were any.
    pub(super) fn play_on(&mut self, by: isize) -> bool {
        let Some(line) = &mut self.explore.played else {
            return false;
        };
        let next = line.made.saturating_add_signed(by).min(line.moves.len());
        let moved = next != line.made;
        line.made = next;
        self.show_played();
        moved
    }

    /// Shows the position of the selection again; returns whether a line was played out.
    pub(in crate::tui) fn stop_playing(&mut self) -> bool {
        if self.explore.played.take().is_none() {
            return false;
        }
        self.explore.board_node = None;
        self.dirty = true;
        true
    }

    /// Puts the node that the line has come to on the board.
    fn show_played(&mut self) {
        let Some(line) = &self.explore.played else {
            return;
        };
        let moves = &line.moves[..line.made];
        let tree = match &self.session {
            Some(source) => source.reader().tree,
            None => return,
        };
        let mut at = line.from;
        for &code in moves {
            match tree.child_by_move(at, code) {
                Some(next) => at = next,
                None => break,
            }
        }
        self.explore.board_node = Some(at);
        self.dirty = true;
    }
}
