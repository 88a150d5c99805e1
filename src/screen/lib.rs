//! What draws on a terminal and reads from it, whatever is shown: colours by role, a pen, charts, lists, keys. It knows no
//! game and no search.

pub mod glyphs;
pub mod input;
pub mod keys;
pub mod list;
pub mod pen;
pub mod picture;
pub mod target;
pub mod terminal;
pub mod theme;
pub mod widgets;
