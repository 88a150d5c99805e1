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
    /// Lessons, and the quiz.
    Learn,
    /// Experiments: how scores change with depth, and the margins that rest on that.
    Lab,
}

/// The tabs there are: number, name.
pub const TABS: [(char, &str, Tab); 5] = [
    ('1', "Explore", Tab::Explore),
    ('2', "Compare", Tab::Compare),
    ('3', "Game", Tab::Game),
    ('4', "Learn", Tab::Learn),
    ('5', "Lab", Tab::Lab),
];

/// The pages of the Lab tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LabPage {
    /// Changes of score with depth, and futility margins.
    #[default]
    Futility,
    /// The grid of point differentials.
    Differential,
    /// The spread of beliefs under several back-up rules, and calibration.
    Spread,
}

/// Where keys mean something: a tab, or one page of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    pub tab: Tab,
    /// `None`: all of them.
    pub page: Option<LabPage>,
}

impl From<Tab> for Scope {
    fn from(tab: Tab) -> Scope {
        Scope { tab, page: None }
    }
}

impl From<LabPage> for Scope {
    fn from(page: LabPage) -> Scope {
        Scope {
            tab: Tab::Lab,
            page: Some(page),
        }
    }
}
