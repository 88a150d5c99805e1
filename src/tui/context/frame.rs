//! What a frame shows: one moment of each search, although they go on while it is drawn.

use super::Context;
use session::Reader;
use studies::compare::Face;

use crate::source::Source;

impl Context {
    /// Holds the root of each search on the screen, with its moves, as they are at this moment.
    pub(crate) fn begin_frame(&self) {
        self.each_shown(|reader| reader.hold());
    }

    /// Ends [`Context::begin_frame`].
    pub(crate) fn end_frame(&self) {
        self.each_shown(|reader| reader.tree.release());
    }

    fn each_shown(&self, act: impl Fn(Reader)) {
        self.session.as_ref().map(Source::reader).map(&act);
        let faces = self.faces().into_iter().flatten();
        faces.map(Face::reader).for_each(act);
    }
}
