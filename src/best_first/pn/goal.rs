//! The yes-or-no question that a proof-number search answers.

use game::{Game, Scale, Score};
use search::explanation::{Phrase, Reading, Viewpoint, phrase};
use tree::{Fate, Node, NodeId, Proof, Tree};

/// Values closer than this are the same.
const SAME: f32 = 1e-6;

/// The longest mate that may be asked for, in moves.
const FARTHEST: u16 = 60;

pub(super) const EXPECTS: &str =
    "auto | win | mate | mate:N (1 to 60 moves) | not-lose | at-least:VALUE (in a toy tree)";

/// What the side to move at the root is to achieve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    Win,
    /// A win, and when one is proved the next shorter mate, until there is none; when none is possible, not to lose.
    Shortest,
    NotLose,
    /// Mate after at most so many plies, an odd number.
    Mate(u16),
    /// Toy trees: an expected score from the root's side.
    AtLeast(f32),
}

/// A goal as the user wrote it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wish {
    Auto,
    Win,
    Shortest,
    NotLose,
    Mate(u16),
    /// In the units of the toy tree's file.
    AtLeast(f64),
}

impl Wish {
    fn parse(text: &str) -> Option<Wish> {
        match text.split_once(':') {
            None => match text {
                "auto" => Some(Wish::Auto),
                "win" => Some(Wish::Win),
                "mate" => Some(Wish::Shortest),
                "not-lose" => Some(Wish::NotLose),
                _ => None,
            },
            Some(("mate", moves)) => {
                let moves: u16 = moves.parse().ok()?;
                let asked = (1..=FARTHEST).contains(&moves);
                asked.then(|| Wish::Mate(2 * moves - 1))
            }
            Some(("at-least", value)) => {
                let value: f64 = value.parse().ok()?;
                value.is_finite().then_some(Wish::AtLeast(value))
            }
            Some(_) => None,
        }
    }
}

/// Whether the text is a goal.
pub(super) fn is_goal(text: &str) -> bool {
    Wish::parse(text).is_some()
}

impl Goal {
    /// The goal of a search that starts at this position.
    pub fn of<G: Game>(text: &str, position: &G) -> Goal {
        Goal::among(text, position.scale(), &position.static_values())
    }

    /// The goal of the search that is read.
    pub fn read(reading: &Reading) -> Goal {
        let values = reading.subject.position.static_values();
        Goal::among(reading.options.word("goal"), reading.tree.scale(), &values)
    }

    /// In a toy tree always a value, by default half way between the lowest and the highest of its file, which are `values`; in a
    /// game that is no finite tree, which has none, never.
    fn among(text: &str, scale: Scale, values: &[f32]) -> Goal {
        let wish = Wish::parse(text).unwrap_or(Wish::Auto);
        let (Scale::Linear(axis), false) = (scale, values.is_empty()) else {
            return match wish {
                Wish::NotLose => Goal::NotLose,
                Wish::Mate(plies) => Goal::Mate(plies),
                Wish::Auto | Wish::Shortest => Goal::Shortest,
                Wish::Win | Wish::AtLeast(_) => Goal::Win,
            };
        };
        if let Wish::AtLeast(value) = wish {
            return Goal::AtLeast(value as f32 / axis.range());
        }
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Goal::AtLeast((low + high) / 2.0)
    }

    /// The question that the search is at: for the shortest mate it depends on what is proved about the root.
    pub fn question(self, root: &Node) -> Goal {
        if self != Goal::Shortest {
            return self;
        }
        let proof = root.proof();
        match proof.lower.mate_plies().map(u16::try_from) {
            Some(Ok(plies)) if proof.is_exact() => Goal::Mate(plies),
            Some(Ok(plies @ 3..)) => Goal::Mate(plies - 2),
            _ if proof.upper <= Score::DRAW => Goal::NotLose,
            _ => Goal::Win,
        }
    }

    /// Whether the goal is reached below a node, or out of reach; `None` where that is open. `proves`: the side that wants
    /// to reach it is to move there.
    ///
    /// A repetition is taken for the draw that it will be: on the path from the root, which is all that a tree without
    /// shared nodes knows. A win or a mate is proved without any repetition.
    pub fn verdict(self, tree: &Tree, id: NodeId, proves: bool) -> Option<bool> {
        let node = tree.node(id);
        let own = node.proof();
        let proof = if proves { own } else { reversed(own) };
        let known = match self {
            Goal::Win | Goal::Shortest => decided(proof, Score::SOME_WIN),
            Goal::NotLose => decided(proof, Score::DRAW),
            Goal::Mate(plies) => {
                let left = i32::from(plies) - ply(tree, id);
                // Too late: nothing is as much as this.
                let wanted = u16::try_from(left).map_or(Score::MAX, Score::win_in);
                decided(proof, wanted)
            }
            Goal::AtLeast(_) => None,
        };
        known.or_else(|| self.by_value(node, proves))
    }

    /// The verdict about a node where nothing can be searched, by its value.
    fn by_value(self, node: &Node, proves: bool) -> Option<bool> {
        let over = match node.fate() {
            Fate::Unvisited | Fate::Frontier | Fate::Interrupted | Fate::Expanded { .. } => {
                node.proof().is_exact()
            }
            _ => true,
        };
        if !over {
            return None;
        }
        let value = if proves {
            node.expected()
        } else {
            -node.expected()
        };
        match self {
            Goal::AtLeast(least) => Some(value >= least - SAME),
            Goal::Win | Goal::Shortest => Some(value > 0.0),
            Goal::NotLose => Some(value >= 0.0),
            // An endgame table may know the result, but not how long it takes.
            Goal::Mate(_) => (value <= 0.0).then_some(false),
        }
    }

    /// The goal in words that follow "whether the side to move at the root".
    pub fn words(self, reading: &Reading) -> Phrase {
        match self {
            Goal::Win | Goal::Shortest => phrase!["wins"],
            Goal::NotLose => phrase!["does not lose"],
            Goal::Mate(plies) => phrase![format!("mates in {} or sooner", plies.div_ceil(2))],
            Goal::AtLeast(value) => {
                // The root's own side is meant, whoever reads.
                let at_root = Reading {
                    viewpoint: Viewpoint::Own,
                    ..*reading
                };
                phrase!["gets at least ", at_root.expected(value)]
            }
        }
    }
}

/// Plies from the root.
pub(super) fn ply(tree: &Tree, id: NodeId) -> i32 {
    let parents = std::iter::successors(Some(id), |&id| Some(tree.node(id).parent()));
    parents.skip(1).take_while(|id| !id.is_none()).count() as i32
}

/// The bounds as the other side sees them.
fn reversed(proof: Proof) -> Proof {
    Proof {
        lower: -proof.upper,
        upper: -proof.lower,
    }
}

/// Whether the bounds say that a score is reached, or that it is not.
fn decided(proof: Proof, wanted: Score) -> Option<bool> {
    if proof.lower >= wanted {
        Some(true)
    } else {
        (proof.upper < wanted).then_some(false)
    }
}
