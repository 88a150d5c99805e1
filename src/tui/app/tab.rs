//! The tabs.

/// A whole screen of panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tab {
    /// One search: tree, inspector, board, events.
    Explore,
    /// Several searches of one position.
    Compare,
    /// The games of the file, their moves, the review.
    Game,
    /// Experiments: how scores change with depth, and the margins that rest on that.
    Lab,
}

/// The tabs there are: number, name.
pub const TABS: [(char, &str, Tab); 4] = [
    ('1', "Explore", Tab::Explore),
    ('2', "Compare", Tab::Compare),
    ('3', "Game", Tab::Game),
    ('5', "Lab", Tab::Lab),
];
