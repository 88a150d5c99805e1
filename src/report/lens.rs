//! How scores are shown: in which unit, and from whose view. Every number with a viewpoint is written through a
//! [`Scores`], which knows from whose view its numbers are given.

mod outcomes;
mod rows;
mod scores;

pub use outcomes::Outcomes;
pub use rows::Seen;
pub use scores::Scores;

use game::{Game, Scale, Side};
use search::AnyPosition;
use session::Reader;
use tree::{NodeId, Tree};

/// The unit in which scores are shown. A toy tree's scores are always in the unit of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unit {
    /// Pawns, `+0.42`.
    #[default]
    Pawns,
    /// The expected score from −1 to +1, `+0.12`.
    Expected,
    /// Percentages of won, drawn and lost games, `46/38/16`: see [`Outcomes`].
    Outcomes,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Unit; 3] = [Unit::Pawns, Unit::Expected, Unit::Outcomes];

    /// Returns its name in the configuration.
    pub fn id(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected => "expected",
            Unit::Outcomes => "wdl",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected => "expected score",
            Unit::Outcomes => "win/draw/loss",
        }
    }

    /// Returns the heading of a column of such scores, in at most seven characters.
    pub fn heading(self) -> &'static str {
        match self {
            Unit::Pawns => "pawns",
            Unit::Expected => "score",
            Unit::Outcomes => "W/D/L %",
        }
    }
}

/// From whose view scores are shown. A toy tree's scores are from Max's view, unless it is that of the side to move at the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Viewpoint {
    #[default]
    White,
    /// The side to move at the root of the search.
    Root,
    /// The side whose move leads to the node; at the root, the side to move.
    Mover,
    /// The side to move at the node, as in JSON.
    Own,
}

impl Viewpoint {
    /// The viewpoints that may be chosen.
    pub const SHOWN: [Viewpoint; 3] = [Viewpoint::White, Viewpoint::Root, Viewpoint::Mover];

    /// Returns its name in the configuration.
    pub fn id(self) -> &'static str {
        match self {
            Viewpoint::White => "white",
            Viewpoint::Root => "root",
            Viewpoint::Mover => "mover",
            Viewpoint::Own => "own",
        }
    }
}

/// A unit and a viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Lens {
    pub unit: Unit,
    pub viewpoint: Viewpoint,
}

impl Lens {
    /// The lens of sentences in JSON, beside figures from the same view: that of the side to move at the node.
    pub const OWN: Lens = Lens {
        unit: Unit::Pawns,
        viewpoint: Viewpoint::Own,
    };

    /// The lens of sentences in JSON about moves, beside figures from the same view: that of the side that plays the move.
    pub const MOVER: Lens = Lens {
        unit: Unit::Pawns,
        viewpoint: Viewpoint::Mover,
    };

    /// Returns the viewpoint for a game with this scale.
    fn viewpoint(self, scale: Scale) -> Viewpoint {
        match (scale, self.viewpoint) {
            (Scale::Linear(_), shown) if shown != Viewpoint::Own => Viewpoint::White,
            (_, shown) => shown,
        }
    }

    /// Says in which unit and from whose view the scores of a game are where no lens changes that; `None` in chess.
    pub fn fixed(position: &AnyPosition) -> Option<String> {
        match (position.scale(), position.as_toy()) {
            (Scale::Logistic, _) => None,
            (_, Some(_)) => Some(
                "a toy tree's scores are always in its file's unit, from Max's view".to_owned(),
            ),
            (_, None) => Some(format!(
                "this game's scores are always expected scores, from {}'s view",
                position.side_name(Side::White)
            )),
        }
    }

    /// Returns the unit and the viewpoint in words for the header: `pawns, White's view`. `root` is the name of the
    /// side to move at the root.
    pub fn words(self, scale: Scale, root: &str) -> String {
        let view = self.view_words(scale, root);
        match scale {
            Scale::Linear(axis) => format!("{}, {view}", axis.unit()),
            Scale::Logistic => format!("{}, {view}", self.unit.name()),
        }
    }

    /// Returns the unit and the viewpoint in the shortest form: `pawns·White`.
    pub fn brief(self, scale: Scale) -> String {
        let unit = match (scale, self.unit) {
            (Scale::Linear(axis), _) => return format!("{}'s view", axis.side()),
            (Scale::Logistic, Unit::Outcomes) => "W/D/L",
            (Scale::Logistic, unit) => unit.heading(),
        };
        let view = match self.viewpoint {
            Viewpoint::White => "White",
            Viewpoint::Root => "root",
            Viewpoint::Mover => "mover",
            Viewpoint::Own => "side to move",
        };
        format!("{unit}·{view}")
    }

    /// Returns the viewpoint in words: `White's view`, `root's view (Black)`.
    pub fn view_words(self, scale: Scale, root: &str) -> String {
        match (scale, self.viewpoint) {
            (_, Viewpoint::Own) => "view of the side to move".to_owned(),
            (Scale::Linear(axis), _) => format!("{}'s view", axis.side()),
            (_, Viewpoint::White) => "White's view".to_owned(),
            (_, Viewpoint::Root) => format!("root's view ({root})"),
            (_, Viewpoint::Mover) => "mover's view".to_owned(),
        }
    }

    /// Returns what heads a column of scores.
    pub fn heading(self, scale: Scale) -> &'static str {
        match scale {
            Scale::Linear(_) => "value",
            Scale::Logistic => self.unit.heading(),
        }
    }

    /// Returns how scores are written that are given from one side's view.
    pub fn scores(self, scale: Scale, given: Given) -> Scores {
        let side = match self.viewpoint(scale) {
            Viewpoint::White => Side::White,
            Viewpoint::Root => given.root,
            Viewpoint::Mover => given.mover,
            Viewpoint::Own => given.by,
        };
        Scores {
            scale,
            unit: self.unit,
            side,
            turned: side != given.by,
            step: given.later && self.viewpoint(scale) != Viewpoint::Own,
            tight: false,
        }
    }

    /// Returns how scores are written that are given from the view of the side to move at a node.
    pub fn at(self, reader: &Reader, node: NodeId) -> Scores {
        let root = reader.subject.position.turn();
        let inner = node != Tree::ROOT && reader.tree.contains(node);
        let by = if inner { reader.turn(node) } else { root };
        let given = Given {
            by,
            mover: if inner { by.other() } else { by },
            root,
            later: inner,
        };
        self.scores(reader.scale(), given)
    }

    /// Returns how the scores of a move are written that are given from the view of the side that plays it at a node.
    /// For `NONE`, the root's scores, from the view of the side to move.
    pub fn of_moves(self, reader: &Reader, at: NodeId) -> Scores {
        let root = reader.subject.position.turn();
        let by = match reader.tree.contains(at) {
            true => reader.turn(at),
            false => root,
        };
        self.scores(reader.scale(), Given::by(by, root))
    }
}

/// From whose view a score is given, and who the other viewpoints are.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The side from whose view it is given.
    pub by: Side,
    /// The side whose move it is about.
    pub mover: Side,
    /// The side to move at the root.
    pub root: Side,
    /// Whether it is given after that move, so that a mate is a ply further off as seen by the mover.
    pub later: bool,
}

impl Given {
    /// The score of the last of so many moves from the root, given by the side that plays it; of none, that of the root.
    pub fn after(moves: usize, root: Side) -> Given {
        let mover = match moves % 2 {
            0 if moves > 0 => root.other(),
            _ => root,
        };
        Given::by(mover, root)
    }

    /// The score of a position of a game, after so many plies and with `turn` to move.
    pub fn in_game(by: Side, turn: Side, plies: usize) -> Given {
        let mover = if plies == 0 { turn } else { turn.other() };
        Given {
            by,
            mover,
            root: turn,
            later: false,
        }
    }

    /// The score of a position, given by the side to move there, where no move leads to it.
    pub fn here(turn: Side) -> Given {
        Given::by(turn, turn)
    }

    /// The score of a move, given by the side that plays it.
    pub fn by(mover: Side, root: Side) -> Given {
        Given {
            by: mover,
            mover,
            root,
            later: false,
        }
    }
}

#[cfg(test)]
mod tests;
