//! The patterns of lines, in dots and in SVG.

/// The pattern of a line, which identifies it without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    #[default]
    Solid,
    Dashed,
    Dotted,
    Mixed,
}

impl Dash {
    /// Returns the pattern of the `n`th of several lines.
    pub fn nth(n: usize) -> Dash {
        [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::Mixed][n % 4]
    }

    /// Whether the dot at this distance along the line is set.
    pub fn sets(self, dot: usize) -> bool {
        match self {
            Dash::Solid => true,
            Dash::Dashed => dot % 7 < 4,
            Dash::Dotted => dot.is_multiple_of(3),
            Dash::Mixed => matches!(dot % 9, 0..5 | 7),
        }
    }

    /// Returns the pattern as an SVG has it; empty for a solid line.
    pub fn in_svg(self) -> &'static str {
        match self {
            Dash::Solid => "",
            Dash::Dashed => "6 3",
            Dash::Dotted => "2 2",
            Dash::Mixed => "8 2 2 2",
        }
    }
}
