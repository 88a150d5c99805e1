//! The workbench as an overlay gets it: to act on it, or to see it while drawing. An overlay uses the context alone. Three hand the
//! whole on to what is done with an answer, which is written where the question is asked, as the table of commands does.

use crate::app::App;
use crate::context::Context;

/// The workbench to act on.
#[derive(Debug)]
pub struct Reach<'a>(pub(super) &'a mut App);

impl Reach<'_> {
    pub fn cx(&mut self) -> &mut Context {
        &mut self.0.cx
    }

    pub(super) fn app(&mut self) -> &mut App {
        self.0
    }
}

/// The workbench to see.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a>(pub(super) &'a App);

impl<'a> Sight<'a> {
    pub fn cx(self) -> &'a Context {
        &self.0.cx
    }

    /// Returns the whole workbench, for the help.
    pub(super) fn app(self) -> &'a App {
        self.0
    }
}
