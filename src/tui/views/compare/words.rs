//! What the columns differ in, in words.

use ratatui::layout::Rect;

use crate::engine::compare::{Difference, Merged, OutlineRow};
use crate::report::difference;
use crate::tui::app::App;
use crate::tui::compare::{letter, short_name};
use crate::tui::pen::Pen;
use crate::tui::text;
use crate::tui::theme::Role;

