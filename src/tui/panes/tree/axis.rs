//! The part of the value axis on which the rows stand. It follows the leading moves, but does not change from frame to frame.

use chart::value::{Span, Style};
use report::axis::{Reach, span};
use report::lens::Lens;
use session::Reader;
use tree::{NodeId, Tree};

/// How the rows stand on the value axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub reach: Reach,
    pub style: Style,
    span: Span,
    /// What the span was found for: the node whose moves matter, how much is shown, and through which lens.
    of: Option<(NodeId, Reach, Lens)>,
}

impl Default for Axis {
    fn default() -> Axis {
        Axis {
            reach: Reach::default(),
            style: Style::default(),
            span: Span::WHOLE,
            of: None,
        }
    }
}

impl Axis {
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the node whose moves the scale is for.
    pub fn parent(&self) -> NodeId {
        self.of.map_or(Tree::ROOT, |(parent, ..)| parent)
    }

    /// Returns the same settings for another tree.
    #[must_use]
    pub fn renewed(self) -> Axis {
        Axis { of: None, ..self }
    }

    /// Fits the span to the moves at a node. While they change little it stays.
    pub fn fit(&mut self, reader: Reader, parent: NodeId, lens: Lens) {
        let of = Some((parent, self.reach, lens));
        let span = span(&reader, parent, self.reach, lens);
        if self.of != of || !self.span.is_near(span) {
            self.span = span;
            self.of = of;
        }
    }

    /// Shows more or less of the axis.
    pub fn cycle_reach(&mut self) {
        self.reach = self.reach.next();
    }

    /// Draws beliefs in another way.
    pub fn cycle_style(&mut self) {
        self.style = match self.style {
            Style::Chance => Style::Whiskers,
            Style::Whiskers => Style::Density,
            Style::Density => Style::Chance,
        };
    }

    /// Returns what bars mean, in words.
    pub fn style_name(self) -> &'static str {
        match self.style {
            Style::Chance => "the chance of at least so much",
            Style::Whiskers => "5, 25, 50, 75 and 95 % quantiles",
            Style::Density => "densities",
        }
    }
}
