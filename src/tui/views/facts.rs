//! The figures of one row, from the view of the side that plays its move (at the root: of the side to move).

use std::collections::HashMap;

use crate::context::Context;
use crate::panes::debugger::marks::Figures;
use crate::panes::tree::Row;
use game::{MoveCode, Scale, Score, Side, Sided};
use report::explanation;
use report::lens::{self, Given, Lens, Scores};
use report::{number, why};
use screen::glyphs::Glyphs;
use screen::theme::Role;
use search::explanation::Unit;
use session::{NodeBelief, Reader, Source};
use tree::{Bound, Family, Fate, FateInfo, FateRole, NodeId, NodeView, Proof};

/// What is known of one row at one moment.
#[derive(Clone, Debug)]
pub struct Facts {
    pub view: NodeView,
    pub belief: Option<NodeBelief>,
    /// Whether it was searched again since its parent's figures were computed: see [`Reader::is_ahead`].
    pub ahead: bool,
    /// Whether the rules do not have the move.
    pub illegal: bool,
}

/// The fate keeps its own view.
impl Sided for Facts {
    fn turned(self) -> Facts {
        Facts {
            view: self.view.turned(),
            belief: self.belief.turned(),
            ahead: self.ahead,
            illegal: self.illegal,
        }
    }
}

/// The rows of moves without a node, whose reason depends on the parent; cached for one frame.
#[derive(Debug, Default)]
pub struct Withheld {
    rows: HashMap<NodeId, Vec<session::Row>>,
}

impl Facts {
    pub fn of(reader: Reader, row: &Row, withheld: &mut Withheld) -> Option<Facts> {
        if row.node.is_none() {
            let rows = withheld
                .rows
                .entry(row.parent)
                .or_insert_with(|| reader.rows(row.parent));
            let found = rows.iter().find(|r| r.move_code == row.code)?;
            return Some(Facts {
                view: found.view,
                belief: found.belief.clone(),
                ahead: false,
                illegal: false,
            });
        }
        Some(Facts::of_node(reader, row.parent, row.node))
    }

    /// Returns the facts of a node; those of the root, which has no parent, from its own side's view.
    pub fn of_node(reader: Reader, parent: NodeId, node: NodeId) -> Facts {
        let (mut view, mut belief) = (reader.view(node), reader.belief(node));
        if reader.tree.family() == Family::DepthFirst {
            view.nodes = reader.nodes_shown(node);
        }
        if parent.is_none() {
            return Facts {
                view,
                belief,
                ahead: false,
                illegal: false,
            };
        }
        view = view.one_ply_up();
        belief = belief.turned();
        let ahead = reader.is_ahead(node);
        let above = reader.view(parent);
        // The parent's value is the one that its best move had then.
        if ahead && above.expected.is_some() && reader.best_move(parent) == Some(view.move_code) {
            view.expected = above.expected;
            view.score = above.score;
            view.window = above.window;
            belief = reader.belief(parent);
        }
        Facts {
            view,
            belief,
            ahead,
            illegal: reader.is_illegal(node),
        }
    }

    /// Whether the search did not look at the move.
    pub fn is_skipped(&self) -> bool {
        self.view.fate.is_skip() || self.view.fate == Fate::Unvisited
    }

    /// Returns visits (best-first) or nodes (depth-first).
    pub fn work(&self, family: Family) -> u64 {
        match family {
            Family::BestFirst => u64::from(self.view.visits),
            Family::DepthFirst => self.view.nodes,
        }
    }
}

/// How scores are written on the screen. They are given as the lens shows them: see [`Scores::seen`].
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    scores: Scores,
    pub glyphs: &'static Glyphs,
}

impl Numbers {
    /// Returns how the scores of a game with this scale are written.
    pub fn new(cx: &Context, scale: Scale, glyphs: &'static Glyphs) -> Numbers {
        Numbers::of(cx.lens, scale, glyphs)
    }

    pub fn of(lens: Lens, scale: Scale, glyphs: &'static Glyphs) -> Numbers {
        let any = Given::by(Side::White, Side::White);
        Numbers {
            scores: lens.scores(scale, any).as_shown().tight(),
            glyphs,
        }
    }

    pub fn scale(&self) -> Scale {
        self.scores.scale
    }

    /// Whether these are chess scores in pawns.
    pub fn in_pawns_of_chess(&self) -> bool {
        self.scores.unit() == Some(lens::Unit::Pawns)
    }

    /// Returns the text in the characters of the screen; a column has one for the sign of a bound.
    fn glyphs(&self, text: &str) -> String {
        let text = text
            .replace('≤', self.glyphs.at_most.encode_utf8(&mut [0; 4]))
            .replace('≥', self.glyphs.at_least.encode_utf8(&mut [0; 4]));
        self.glyphs.text(&text)
    }

    /// Returns an expected score: `+.08`, in pawns `+0.29`, in a toy tree in the file's unit.
    pub fn expected(&self, e: f32) -> String {
        self.glyphs(&self.scores.mean(e))
    }

    /// Returns a quantile of a belief in the unit of the means; where that is games won, drawn and lost, which three shares
    /// of several quantiles in a row would garble, as an expected score.
    pub fn quantile(&self, e: f32) -> String {
        match self.scores.unit() {
            Some(lens::Unit::Outcomes) => number::expected(e),
            _ => self.expected(e),
        }
    }

    /// Returns the mean of a belief, with which its spread may be shown too.
    pub fn belief(&self, belief: &NodeBelief) -> String {
        let told = belief.source == Source::Outcomes;
        self.glyphs(&self.scores.outcome(belief.mean, belief.sd, told))
    }

    /// Returns a value that no integer score stands for, exactly.
    pub fn wide(&self, value: f64) -> Option<String> {
        Some(self.glyphs(&self.scores.wide(value)?))
    }

    /// Returns a score in the unit of the means.
    pub fn score(&self, score: Score) -> String {
        self.glyphs(&self.scores.score(score))
    }

    /// Returns what a piece is worth to its side in pawns, whatever the unit of the means: no score, and without a plus.
    pub fn worth(&self, centipawns: i32) -> String {
        self.glyphs(&number::amount(self.scores.scale, centipawns))
    }

    /// Returns the mean of a row, with the sign of a bound: the distance for a mate, otherwise the expected score.
    pub fn mean(&self, facts: &Facts) -> String {
        self.mean_of(&Figures::of(facts))
    }

    /// Returns the mean for these figures, as it was shown or would be.
    pub fn mean_of(&self, figures: &Figures) -> String {
        let view = &figures.view;
        let Some(e) = view.expected else {
            return String::new();
        };
        if let Some(score) = view.score.filter(|s| s.is_decided()) {
            let Proof { lower, upper } = view.proof;
            let bound = (lower.is_win() || upper.is_loss()) && lower != upper;
            if bound && !score.is_without_length() {
                return format!("{}{}", self.glyphs.at_most, self.score(score));
            }
            let searched = view.window.map_or(Bound::Exact, |w| w.bound);
            let bound = if lower == upper {
                Bound::Exact
            } else {
                searched
            };
            return self.glyphs(&self.scores.bounded(bound, score));
        }
        let bound = view.window.map_or(Bound::Exact, |w| w.bound);
        if let Some(wide) = view.wide.and_then(|wide| self.scores.wide(wide)) {
            return self.glyphs(&(self.scores.sign(bound).to_owned() + &wide));
        }
        // If the search keeps a distribution, its mean is more precise than the score it was rounded to.
        let (mean, sd, told) = figures.belief.unwrap_or((e, 0.0, false));
        let text = self.scores.sign(bound).to_owned() + &self.scores.outcome(mean, sd, told);
        self.glyphs(&text)
    }

    /// Returns the standard deviation of a belief around a mean, with the sign ±, in the unit of
    /// [`Numbers::expected`]; `None` in a unit without spreads.
    pub fn spread_at(&self, mean: f32, sd: f32) -> Option<String> {
        let spread = match self.scores.scale {
            Scale::Logistic => self.scores.spread(mean, sd)?,
            Scale::Linear(_) => self.spread(sd),
        };
        Some(format!("{}{spread}", self.glyphs.plus_minus))
    }

    /// Returns a belief's mean with its spread: `+.08 ±.21`.
    pub fn with_spread(&self, belief: &NodeBelief) -> String {
        match self.spread_at(belief.mean, belief.sd) {
            Some(spread) => format!("{} {spread}", self.belief(belief)),
            None => self.belief(belief),
        }
    }

    /// Returns a standard deviation in a toy tree's unit, otherwise of the expected score.
    pub fn spread(&self, sd: f32) -> String {
        match self.scores.scale {
            Scale::Logistic => text::spread(sd),
            Scale::Linear(axis) => {
                let sd = sd * axis.range();
                let digits = match sd {
                    10.0.. => 0,
                    0.995.. => 1,
                    _ => 2,
                };
                let text = format!("{sd:.digits$}");
                text.strip_prefix('0').map_or(text.clone(), str::to_owned)
            }
        }
    }

    /// Returns what is proven, in at most five columns: `#3`, `−#4`, `=`, `≤#5`, `exact`.
    pub fn proof(&self, proof: Proof) -> String {
        if proof.is_exact() {
            return match (proof.lower.is_decided(), self.scores.scale) {
                (true, _) => self.score(proof.lower),
                (false, Scale::Logistic) => "=".to_owned(),
                (false, Scale::Linear(_)) => "exact".to_owned(),
            };
        }
        let at_most = self.glyphs.at_most;
        if proof.lower == Score::SOME_WIN || proof.upper == Score::SOME_LOSS {
            let win = proof.lower == Score::SOME_WIN;
            self.score(if win { proof.lower } else { proof.upper })
        } else if proof.is_win() {
            format!("{at_most}{}", self.score(proof.lower))
        } else if proof.is_loss() {
            format!("{at_most}{}", self.score(proof.upper))
        } else if proof.lower == Score::DRAW {
            format!("{}=", self.glyphs.at_least)
        } else if proof.upper == Score::DRAW {
            format!("{at_most}=")
        } else {
            String::new()
        }
    }
}

impl explanation::Write for Numbers {
    fn number(&self, value: f64, unit: Unit, mean: Option<f32>) -> String {
        match (unit, mean) {
            (Unit::Expected, _) => self.expected(value as f32),
            (Unit::Spread, Some(mean)) if self.scores.scale == Scale::Logistic => {
                let spread = self.scores.spread(mean, value as f32);
                spread.unwrap_or_else(|| self.spread(value as f32))
            }
            (Unit::Spread, _) => self.spread(value as f32),
            (Unit::Score, _) => self.score(Score::new(value as i32)),
            (Unit::Share, _) => text::percent(value as f32),
            (Unit::Count, _) => text::count(value as u64),
            _ => number::of_unit(self.scores.scale, value, unit),
        }
    }
}

/// The letter of a node that was entered for the first time and not left yet.
pub const IN_SEARCH: char = 'B';

/// Returns the letter of a row's fate with its colour, and the sign with its colour. If the search is in the middle of
/// the node, both show that, but an earlier fate keeps its letter.
pub fn fate_cell(facts: &Facts, in_search: bool, glyphs: &Glyphs) -> [(char, Role); 2] {
    let fate = facts.view.fate;
    let (sign, role) = fate_sign(fate, glyphs);
    let failed = facts.view.audit().is_some_and(|audit| audit.failed);
    match in_search {
        false if facts.ahead => [(fate.letter(), role), (glyphs.ahead, Role::Line)],
        false if facts.illegal => [(fate.letter(), role), (glyphs.failed, Role::Error)],
        false if failed => [(fate.letter(), role), (glyphs.failed, Role::Error)],
        false => [(fate.letter(), role), (sign, role)],
        true if facts.view.visits == 0 => [(IN_SEARCH, Role::Line), (glyphs.in_search, Role::Line)],
        true => [(fate.letter(), role), (glyphs.in_search, Role::Line)],
    }
}

/// Returns the sign and the colour of a fate. The fate's letter is beside the sign.
pub fn fate_sign(fate: Fate, glyphs: &Glyphs) -> (char, Role) {
    info_sign(fate.info(), glyphs)
}

/// Returns [`fate_sign`] for a row of the table of fates.
pub fn info_sign(info: &FateInfo, glyphs: &Glyphs) -> (char, Role) {
    let role = fate_role(info.role);
    (if glyphs.ascii { ' ' } else { info.glyph }, role)
}

/// Returns the colour of a kind of fates.
pub fn fate_role(role: FateRole) -> Role {
    match role {
        FateRole::Dim => Role::Dim,
        FateRole::Searched => Role::FateSearched,
        FateRole::Cut => Role::FateCut,
        FateRole::Skipped => Role::FateSkipped,
        FateRole::Ended => Role::FateEnded,
        FateRole::Proven => Role::Proven,
    }
}

/// Returns the reason in a few characters, without what the letter says already. The facts and the scores are as the side
/// that plays the move gives them.
pub fn brief(reader: Reader, facts: &Facts, scores: &Scores) -> String {
    let view = &facts.view;
    let reason = || {
        let by = why::move_in_fate(&reader, view).map(|name| text::sanitise(&name));
        why::brief_with(view, scores, by.as_deref())
    };
    let reason = match view.fate {
        Fate::Unvisited | Fate::Frontier => String::new(),
        _ if facts.ahead => format!("searched again, now {}", reason()),
        _ => reason(),
    };
    match (facts.illegal, reason.is_empty()) {
        (false, _) => reason,
        (true, true) => "illegal".to_owned(),
        (true, false) => format!("illegal: {reason}"),
    }
}

/// Returns the name of a row's move; the root's is `position`.
pub fn label(explorer: &crate::panes::tree::Explorer, row: &Row) -> String {
    if row.parent.is_none() {
        return "position".to_owned();
    }
    match explorer.names(row.parent).and_then(|n| n.get(row.code)) {
        Some(name) => name.to_owned(),
        None => format!("{:?}", MoveCode(row.code.0)),
    }
}
