//! A line of moves that is played out on the board.

use crate::context::Context;
use crate::panes::tree::RowKey;
use game::MoveCode;
use tree::NodeId;

/// A line of moves on the board, in place of the position that the selection stands for. The moves need not be in the
/// tree. It stays until another row is selected.
#[derive(Clone, Debug)]
pub struct ShownLine {
    /// What the line is, for the title: `best line`. Empty for a move that was made by hand.
    pub name: String,
    /// The node from whose position the moves are played.
    pub from: NodeId,
    pub moves: Vec<MoveCode>,
    /// How many of the moves have been made on the board; the next ones are arrows.
    pub played: usize,
    /// The selected row, to which the line belongs.
    row: RowKey,
}

impl Context {
    /// Plays a line out on the board: from the position of node `from`, with the first `played` moves made and the next
    /// ones drawn as arrows. It stays until another row is selected, [`Context::end_line`] or another line.
    pub(crate) fn show_line(
        &mut self,
        name: &str,
        from: NodeId,
        moves: Vec<MoveCode>,
        played: usize,
    ) {
        self.explore.board.line = Some(ShownLine {
            name: name.to_owned(),
            from,
            played: played.min(moves.len()),
            moves,
            row: self.explore.tree.key(),
        });
        self.dirty = true;
    }

    /// Returns the line that is played out on the board, if there is one for the selected row.
    pub(crate) fn shown_line(&self) -> Option<&ShownLine> {
        let line = self.explore.board.line.as_ref()?;
        (line.row == self.explore.tree.key()).then_some(line)
    }

    /// Returns the line that is played out for the selected row, unless it is a move that was made by hand.
    pub(crate) fn line_played(&self) -> Option<&ShownLine> {
        self.shown_line().filter(|line| !line.name.is_empty())
    }

    /// Shows the position of the selection again; returns whether a line was played out.
    pub(crate) fn stop_playing(&mut self) -> bool {
        self.line_played().is_some() && self.end_line()
    }

    /// Forgets the line of a row that is no longer selected.
    pub(crate) fn forget_old_line(&mut self) {
        if self.shown_line().is_none() {
            self.explore.board.line = None;
        }
    }

    /// Makes the next move of the line on the board, or takes back the last, `by` times; returns false where there is
    /// none.
    pub(crate) fn step_line(&mut self, by: isize) -> bool {
        let row = self.explore.tree.key();
        let line = self.explore.board.line.as_mut();
        let Some(line) = line.filter(|line| line.row == row) else {
            return false;
        };
        let next = line.played.saturating_add_signed(by).min(line.moves.len());
        let moved = next != line.played;
        line.played = next;
        self.dirty |= moved;
        moved
    }

    /// Shows the position that the selection stands for again. Returns false where no line was shown.
    pub(crate) fn end_line(&mut self) -> bool {
        let shown = self.shown_line().is_some();
        self.explore.board.line = None;
        self.dirty |= shown;
        shown
    }
}
