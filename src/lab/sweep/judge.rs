//! What makes one variant better than another.

use serde::Serialize;

use studies::suite::Task;

/// What makes one variant better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judge {
    /// It solves the position (bm, am, dm).
    Solved,
    /// The points of its move (c0), as a share of the most.
    Points,
    /// The CRPS of its belief, which is better the lower it is.
    Belief,
    /// The points of the game that its move gives away by the judgement of a deep alpha-beta, which are better the fewer they
    /// are.
    Loss,
    /// The share of its audited prunes that were wrong, which is better the lower it is.
    Audit,
    /// Its score in two games from an opening, against what is built in.
    Match,
}

/// What a judge works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// Positions with a task that is met or not.
    Tasks,
    /// Positions with points for moves.
    Points,
    /// Positions whose value is known.
    Values,
    /// Any positions.
    Positions,
    /// Openings, from which games are played.
    Openings,
}

impl Material {
    /// Says what a position must have.
    pub const fn expected(self) -> &'static str {
        match self {
            Material::Tasks => "bm, am or dm",
            Material::Points => "points in c0",
            Material::Values => "labels with a value",
            Material::Positions | Material::Openings => "at least one",
        }
    }
}

impl Judge {
    /// Whether a position with this task can be judged.
    pub fn can_use(self, task: &Task) -> bool {
        match self.material() {
            Material::Tasks => task.aim.is_some(),
            Material::Points => !task.points.is_empty(),
            Material::Values => task.truth.is_some(),
            Material::Positions | Material::Openings => true,
        }
    }

    pub const ALL: [Judge; 6] = [
        Judge::Solved,
        Judge::Points,
        Judge::Belief,
        Judge::Loss,
        Judge::Audit,
        Judge::Match,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Judge::Solved => "solved",
            Judge::Points => "points",
            Judge::Belief => "belief",
            Judge::Loss => "loss",
            Judge::Audit => "audit",
            Judge::Match => "match",
        }
    }

    /// The heading of its figures.
    pub const fn heading(self) -> &'static str {
        match self {
            Judge::Solved => "solved",
            Judge::Points => "points",
            Judge::Belief => "CRPS",
            Judge::Loss => "points lost a move",
            Judge::Audit => "wrong prunes",
            Judge::Match => "score",
        }
    }

    /// Whether its figures are shares, which are written in per cent.
    pub const fn is_share(self) -> bool {
        !matches!(self, Judge::Belief | Judge::Loss)
    }

    pub const fn material(self) -> Material {
        match self {
            Judge::Solved => Material::Tasks,
            Judge::Points => Material::Points,
            Judge::Belief => Material::Values,
            Judge::Loss | Judge::Audit => Material::Positions,
            Judge::Match => Material::Openings,
        }
    }

    /// What it counts: positions, or openings.
    pub const fn units(self) -> &'static str {
        match self {
            Judge::Match => "openings",
            _ => "positions",
        }
    }

    /// +1 if more is better, -1 if less is.
    pub const fn sign(self) -> f64 {
        match self {
            Judge::Solved | Judge::Points | Judge::Match => 1.0,
            Judge::Belief | Judge::Loss | Judge::Audit => -1.0,
        }
    }
}
