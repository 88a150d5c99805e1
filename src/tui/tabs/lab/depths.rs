//! The page on how sure a value is by the depth of the search that found it: its settings and its results.

use std::ops::RangeInclusive;

use super::spread::Held;
use eval::fitted::SearchedFeatures;
use lab::searched::Known;

/// The belief whose coverage is in the table where there is room for one only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The belief fitted by the experiment.
    #[default]
    Fitted,
    /// The belief in use.
    InUse,
    /// The control: one width for each depth.
    Control,
}

impl Shown {
    pub const ALL: [Shown; 3] = [Shown::Fitted, Shown::InUse, Shown::Control];
}

/// The state of the page.
#[derive(Debug)]
pub struct DepthsPage {
    pub run: Held<Known>,
    /// Every position is searched to every depth up to this one.
    pub depth: u16,
    /// The largest number of positions.
    pub count: usize,
    pub shown: Shown,
    /// What the results shown are of: the source of the positions.
    pub source: String,
}

impl Default for DepthsPage {
    fn default() -> Self {
        DepthsPage {
            run: Held::default(),
            depth: 8,
            count: 200,
            shown: Shown::default(),
            source: String::new(),
        }
    }
}

impl DepthsPage {
    /// The choices for the number of positions.
    pub const COUNTS: [usize; 5] = [100, 200, 500, 1_000, 2_000];
    /// The depths of the deepest search; beyond them the belief stays the same.
    pub const DEPTHS: RangeInclusive<u16> = 1..=SearchedFeatures::DEEPEST as u16;
}
