//! Closes nodes that the program left without saying so, and counts those that are too deep to show.

use super::*;

impl<G: Game, P: Probe> Search<'_, G, P> {
    /// Closes nodes as interrupted until so many are open.
    pub(super) fn close_to(&mut self, open: usize) {
        while self
            .frames
            .iter()
            .filter(|frame| frame.kind != Kind::Trial)
            .count()
            > open
        {
            self.interrupt();
        }
    }

    /// Closes nodes as interrupted until the innermost one is at this ply.
    pub(super) fn close_to_ply(&mut self, ply: usize) {
        while self
            .frames
            .last()
            .is_some_and(|frame| usize::from(frame.ply) > ply)
        {
            self.interrupt();
        }
    }

    /// Whether a record is about nodes that are too deep to be shown, now that as many are open as can be.
    pub(super) fn is_too_deep(&mut self, record: &Record) -> bool {
        match record {
            // Nodes are closed down to a place that is shown.
            Record::Enter { ply: Some(ply), .. } => {
                let moves = self.frames.iter().filter(|frame| frame.kind == Kind::Move);
                let is_inside = usize::from(*ply) <= moves.count();
                if is_inside {
                    self.deeper = 0;
                }
                !is_inside
            }
            Record::Unwind { open } => {
                let kept = self.frames.iter().filter(|frame| frame.kind != Kind::Trial);
                let is_inside = *open as usize <= kept.count();
                if is_inside {
                    self.deeper = 0;
                }
                !is_inside
            }
            Record::Iteration { .. }
            | Record::IterationDone { .. }
            | Record::Pass { .. }
            | Record::End(_) => {
                self.deeper = 0;
                false
            }
            Record::Enter { .. } | Record::Try(_) => true,
            _ => self.deeper > 0,
        }
    }

    /// Counts what is too deep to be shown.
    pub(super) fn count_deeper(&mut self, record: &Record) -> Result<(), Interrupt> {
        match record {
            Record::Enter { .. } | Record::Try(_) => self.deeper = self.deeper.saturating_add(1),
            Record::Leave { .. } | Record::Tried { .. } => self.deeper -= 1,
            _ => {}
        }
        if let Record::Enter { m, .. } = record
            && !m.is_none()
        {
            self.pen.worker.count_node()?;
        }
        if record.is_event() {
            self.told(What::Unused);
        }
        Ok(())
    }

    /// Whether a frame has a row of its own in the tree.
    #[inline]
    pub(super) fn has_row(&self, frame: &Frame) -> bool {
        !frame.node.is_none() && (frame.kind != Kind::Trial || self.trials_are_apart())
    }

    /// Ends what a frame, which is no longer open, was counted in.
    #[inline]
    pub(super) fn close(&mut self, frame: &Frame) {
        self.worths.truncate(frame.worths_from as usize);
        if let Some(above) = self.frames.last_mut() {
            above.miscounted = above.miscounted.saturating_add(frame.miscounted);
        }
    }

    pub(super) fn interrupt(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.close(&frame);
        if self.has_row(&frame) {
            let node = self.pen.tree.node(frame.node);
            self.pen.tree.set_unexplained((frame.node, node), None);
            let before = node.window();
            self.write(&frame, None, None, before.bound, Fate::Interrupted);
        }
    }
}
