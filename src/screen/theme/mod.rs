//! Colours by role: a view asks for a meaning, and gets a style of the chosen theme.

mod color;
#[cfg(test)]
mod contrast;
mod parse;
mod store;

pub use color::Depth;
pub use parse::{Parsed, ThemeError, parse};
pub use store::{Loaded, ThemeStore};

use ratatui::style::{Color, Style};

/// How the white pieces are drawn, so that the sides differ without colour too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pieces {
    /// Both sides use the filled glyphs and differ by colour.
    #[default]
    Filled,
    /// White uses the outlined glyphs, Black the filled ones.
    Outlined,
}

macro_rules! roles {
    ($($variant:ident $name:literal $doc:literal,)*) => {
        /// What a style is for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Role {
            $(#[doc = $doc] $variant,)*
        }

        /// Every role: its name in a theme file and what it is for.
        pub const ROLES: &[(Role, &str, &str)] = &[$((Role::$variant, $name, $doc),)*];
    };
}

roles! {
    Text "text" "ordinary text, and the background of the whole screen",
    Dim "dim" "what matters less: separators, units, hints",
    Heading "heading" "headings inside a pane",
    Border "border" "frame of a pane",
    BorderFocused "border.focused" "frame of the pane that has the keyboard",
    Title "title" "title of a pane",
    Bar "bar" "the bar at the top",
    Brand "brand" "the program's name",
    Tab "tab" "a tab that is not shown",
    TabActive "tab.active" "the tab that is shown",
    Running "status.running" "a search that runs",
    Paused "status.paused" "a search that waits",
    Finished "status.finished" "a search that has ended",
    Selection "selection" "the selected row",
    SelectionUnfocused "selection.unfocused" "the selected row of a pane without the keyboard",
    Match "match" "the letters that a query found",
    Key "key" "a key to press",
    Hint "hint" "what the key does",
    Info "message.info" "a message",
    Warning "message.warning" "a message of something passed over",
    Error "message.error" "a message of something refused",
    BoardLight "board.light" "light squares",
    BoardDark "board.dark" "dark squares",
    BoardLast "board.last" "from and to of the last move",
    BoardSelected "board.selected" "from and to of the selected move",
    BoardBest "board.best" "from and to of the best move",
    BoardThreat "board.threat" "from and to of the threat",
    BoardCheck "board.check" "the king that is in check",
    BoardBar "board.bar" "the bar of the evaluation: White's share (foreground) and Black's (background)",
    BoardLabel "board.label" "ranks and files",
    PieceWhite "piece.white" "white pieces (foreground only)",
    PieceBlack "piece.black" "black pieces (foreground only)",
    PieceWhiteEdge "piece.white.outline" "the outline of large white pieces (foreground only)",
    PieceBlackEdge "piece.black.outline" "the outline of large black pieces (foreground only)",
    ArrowBest "arrow.best" "the arrow of the best move",
    ArrowSelected "arrow.selected" "the arrow of the selected move",
    ArrowLater "arrow.later" "the arrows of the moves after it",
    ArrowThreat "arrow.threat" "the arrow of the threat",
    Move "move" "a move in the tree",
    MoveBest "move.best" "the best move of its parent",
    MoveSkipped "move.skipped" "a move that was not searched",
    TreeMark "tree.mark" "the marks that open and close",
    Win "value.win" "the winning end of the scale",
    Draw "value.draw" "its middle",
    Loss "value.loss" "the losing end",
    Spread "spread" "standard deviation",
    Policy "policy" "shares and their bars",
    Count "count" "visits and nodes",
    Proven "proven" "a certain result",
    FateSearched "fate.searched" "fates of nodes that were searched",
    FateCut "fate.cut" "cut-offs",
    FateSkipped "fate.skipped" "moves that were not searched",
    FateEnded "fate.ended" "ends of the game and repetitions",
    Density "plot.density" "the density of the selected node",
    Cumulative "plot.cdf" "its cumulative distribution",
    Children "plot.children" "the distributions of its children",
    Window "plot.window" "alpha and beta",
    Axis "plot.axis" "axes and their labels",
    Stop "debug.stop" "the event a search stands at: its sentence",
    Line "debug.line" "the line being searched",
    Changed "debug.changed" "what changed since the last stop",
    Forced "debug.forced" "what was forced on the search",
    Breakpoint "debug.breakpoint" "breakpoints",
    ColumnA "column.1" "first column of a comparison: its letter, its curves",
    ColumnB "column.2" "second column",
    ColumnC "column.3" "third column",
    ColumnD "column.4" "fourth column",
    Disagree "compare.difference" "rows where the columns disagree, and what about",
    Popup "popup" "background of what opens above the rest",
    Input "input" "text being typed",
}

/// A theme, ready for a terminal's colour depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    pub name: String,
    pub pieces: Pieces,
    styles: Vec<Style>,
}

impl Theme {
    /// Returns the style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// Returns the same theme in the colours that a terminal has.
    pub fn at_depth(&self, depth: Depth) -> Theme {
        let mut theme = self.clone();
        for style in &mut theme.styles {
            style.fg = style.fg.map(|c| color::at_depth(c, depth));
            style.bg = style.bg.map(|c| color::ground_at_depth(c, depth));
            // The console's blue is so dark that nothing dark is read on it.
            let is_dark = matches!(style.fg, Some(Color::Black | Color::DarkGray | Color::Blue));
            if depth == Depth::Console && style.bg == Some(Color::Blue) && is_dark {
                style.fg = Some(Color::White);
            }
        }
        // Among few colours, the nearest to light squares may be the nearest to dark ones. Both sides' pieces are seen on these.
        let ground = |role| theme.style(role).bg;
        let is_one = ground(Role::BoardLight) == ground(Role::BoardDark);
        let squares = match depth {
            Depth::Console if ground(Role::BoardLight).is_some() => {
                Some([Color::Cyan, Color::Green])
            }
            Depth::Sixteen if is_one => Some([Color::LightBlue, Color::DarkGray]),
            _ => None,
        };
        if let Some([light, dark]) = squares {
            theme.styles[Role::BoardLight as usize].bg = Some(light);
            theme.styles[Role::BoardDark as usize].bg = Some(dark);
        }
        theme
    }

    /// Returns a theme without any style, as the last resort if even the built-in default cannot be read.
    pub fn plain() -> Theme {
        Theme {
            name: "plain".to_owned(),
            pieces: Pieces::Outlined,
            styles: vec![Style::default(); ROLES.len()],
        }
    }
}
