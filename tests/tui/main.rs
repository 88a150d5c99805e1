//! Tests of the workbench.

#[path = "../tui_support/mod.rs"]
mod tui_support;

/// Compares the screen of an app, its characters and all their styles, with a snapshot.
macro_rules! picture {
    ($name:expr, $app:expr, $width:literal x $height:literal) => {{
        let screen = $crate::tui_support::screen(&mut $app, $width, $height);
        let styled = $crate::tui_support::styled(&screen);
        insta::assert_snapshot!($name, styled);
    }};
}

mod audits;
mod axis;
mod board;
mod classroom;
mod compare;
mod debugger;
mod depths;
mod differential;
mod drawing;
mod engine_ahead;
mod explorer;
mod exporting;
mod game;
mod game_write;
mod keys;
mod kinds;
mod lab;
mod leaf_search;
mod learn;
mod lens;
mod lines;
mod picture;
mod places;
mod proof;
mod questions;
mod saving;
mod screens;
mod small;
mod spread;
mod stepping;
mod styles;
mod sweep;
mod why;
