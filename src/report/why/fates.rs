//! The sentence of each fate, and its short form. Every fate in the table needs one of each here.

use super::pruned::BEFORE_MOVES;
use super::sentence::{Teller, bound_words, plural, repetition};
use super::{ending_words, proven_words, raised};
use crate::lens::Scores;
use crate::number;
use game::Sided as _;
use game::{MoveCode, Score};
use tree::{Bound, Fate, NodeView, Tree};

impl Teller<'_> {
    /// Returns the sentence for the fate itself.
    pub(super) fn fate(&self) -> String {
        match self.view.fate {
            Fate::Unvisited => self.unvisited(),
            fate @ Fate::Told { .. } => self.declared(fate),
            Fate::Frontier => self.frontier(),
            Fate::Expanded {
                best,
                searched,
                moves,
                ..
            } if self.reader.is_best_first() => self.best_first(best, searched, moves),
            Fate::Expanded {
                best,
                searched,
                skipped,
                moves,
                ..
            } => self.depth_first(best, searched, skipped, moves),
            Fate::Horizon { static_value } => {
                let value = self.score(static_value);
                match self.is_chess() {
                    true => format!(
                        "The depth ended here, and no capture changes the static value {value}."
                    ),
                    false => format!("The depth ended here, at the static value {value}."),
                }
            }
            Fate::StandPat { static_value, beta } => {
                let tail = match self.is_chess() {
                    true => ", so no capture was tried",
                    false => "",
                };
                format!(
                    "Stood pat: the static value {} is already {} {} {}{tail}.",
                    self.score(static_value),
                    self.scores.at_least(),
                    self.scores.beta(),
                    self.score(beta)
                )
            }
            Fate::Ended(ending) => self.ended(ending),
            Fate::Repetition { times, plies_back } => repetition(times, plies_back),
            Fate::BetaCutoff {
                by,
                value,
                beta,
                searched,
            } => format!(
                "Cut off after {}: {} scored {}, {} {} {}.",
                self.searched_of_all(searched),
                self.own_move(by),
                self.score(value),
                self.scores.at_least(),
                self.scores.beta(),
                self.score(beta)
            ),
            Fate::ProbabilisticCutoff {
                searched,
                probability,
                confidence,
                beta_bin,
            } => format!(
                "Cut off after {}: the best of them reaches {} {} with probability {}, at least the confidence {}.",
                self.searched_of_all(searched),
                self.scores.beta(),
                self.edge(beta_bin),
                number::probability(probability),
                number::probability(confidence)
            ),
            Fate::TableHit {
                value,
                depth,
                bound,
            } => format!(
                "Not searched again: the transposition table says {} {}, from a search to depth {depth}.",
                bound_words(self.scores.seen(bound)),
                self.score(value)
            ),
            Fate::Proven { by, children } => self.proven(by, children),
            Fate::Futility {
                static_value,
                margin,
                alpha,
                depth,
            } => {
                let margin_words = format!("margin {} (depth {depth})", self.amount(margin));
                self.shortfall(
                    "Not searched",
                    static_value,
                    margin,
                    &margin_words,
                    Some(alpha),
                ) + "."
            }
            Fate::DeltaPruning {
                static_value,
                margin,
                alpha,
            } => {
                let margin_words = format!("capture and margin {}", self.amount(margin));
                self.shortfall(
                    "Not searched",
                    static_value,
                    margin,
                    &margin_words,
                    Some(alpha),
                ) + "."
            }
            Fate::Razoring {
                static_value,
                margin,
                value,
                depth,
            } => {
                let margin_words = format!("margin {} (depth {depth})", self.amount(margin));
                let alpha = self.window_now().map(|(alpha, _)| alpha);
                let sum = self.shortfall(BEFORE_MOVES, static_value, margin, &margin_words, alpha);
                format!(
                    "{sum}, and quiescence brings no {} than {}.",
                    self.scores.word("more", "less"),
                    self.score(value)
                )
            }
            Fate::ReverseFutility {
                static_value,
                margin,
                beta,
                depth,
            } => format!(
                "{BEFORE_MOVES}: static value {} {} margin {} (depth {depth}{}) = {} is {}.",
                self.score(static_value),
                self.scores.minus(),
                self.amount(margin),
                if self.now && self.improves(&self.view) {
                    ", improving"
                } else {
                    ""
                },
                self.score(raised(static_value, -margin)),
                self.against(raised(static_value, -margin), (self.scores.beta(), beta)),
            ),
            Fate::NullMove {
                value,
                beta,
                reduction,
                verified,
            } => format!(
                "{BEFORE_MOVES}: even passing brings {}, {}, in a search {} shallower{}.",
                self.score(value),
                self.against(value, (self.scores.beta(), beta)),
                plural(reduction, "ply"),
                if verified {
                    "; a search without passing agrees"
                } else {
                    ""
                }
            ),
            Fate::ProbCut {
                by,
                value,
                raised,
                depth,
            } if by == MoveCode::NONE => format!(
                "{BEFORE_MOVES}: {} {} says that a full one {} in all probability (the threshold is {}).",
                self.score(value),
                searched_to(depth),
                if value < raised {
                    format!("does not beat {}", self.scores.alpha())
                } else {
                    format!("reaches {}", self.scores.beta())
                },
                self.score(raised),
            ),
            Fate::ProbCut {
                by,
                value,
                raised,
                depth,
            } => format!(
                "{BEFORE_MOVES}: {} brings {} {}, {}.",
                self.own_move(by),
                self.score(value),
                searched_to(depth),
                self.above_raised(value, raised),
            ),
            Fate::MultiCut { value, beta, depth } => format!(
                "{BEFORE_MOVES}: without the table's move there is still {} {}, {}: more than one move reaches it.",
                self.score(value),
                searched_to(depth),
                self.against(value, (self.scores.beta(), beta)),
            ),
            Fate::LateMovePruning { searched, depth } => format!(
                "Not searched: {} came before it in vain, the limit with {} left{}.",
                plural(searched, "move"),
                plural(depth, "ply"),
                if self.parent_improves() == Some(false) {
                    " where the side to move is not improving"
                } else {
                    ""
                }
            ),
            Fate::LosingMoves { threshold, depth } => format!(
                "Not searched: by static exchange it loses more than the {} allowed with {} left.",
                self.amount(-threshold),
                plural(depth, "ply")
            ),
            Fate::LosingCaptures => {
                "Not searched: the exchange on its square loses material.".into()
            }
            Fate::SiblingCutoff { by, value, beta } => format!(
                "Not searched: {} had already scored {}, {} {} {}.",
                self.sibling(by),
                self.score(value),
                self.scores.at_least(),
                self.scores.beta(),
                self.score(beta)
            ),
            Fate::SiblingProbabilisticCutoff {
                probability,
                confidence,
            } => format!(
                "Not searched: the moves before it reach {} with probability {}, at least the confidence {}.",
                self.scores.beta(),
                number::probability(probability),
                number::probability(confidence)
            ),
            Fate::Unrecorded => {
                "Searched, but not recorded: it lies below what the tree keeps.".into()
            }
            Fate::Interrupted => "The search was stopped in the middle of this node.".into(),
            Fate::Excluded => "Not searched: taken out by hand.".into(),
            Fate::Tablebase(hit) => self.tablebase(hit),
            Fate::KnownDraw { draw } => format!(
                "Not searched: a known draw ({}). {}",
                draw.words(),
                draw.reason()
            ),
            Fate::LeafFailsLow {
                value,
                limit,
                depth,
            } => self.asked(Bound::Upper, limit, value, depth),
            Fate::LeafFailsHigh {
                value,
                limit,
                depth,
            } => self.asked(Bound::Lower, limit, value, depth),
        }
    }
}

/// Returns the reason in a few characters; see [`super::brief_with`].
pub(super) fn brief_fate(view: &NodeView, scores: &Scores, by: Option<&str>) -> String {
    let s = |score| scores.score(score);
    let least = |x: Score| scores.bounded(Bound::Lower, x);
    let most = |x: Score| scores.bounded(Bound::Upper, x);
    let at_most = |what: &str, x: Score| format!("{what}: {}", most(x));
    match view.fate {
        Fate::Unvisited => "not visited".into(),
        fate @ Fate::Told { .. } => fate.name().replace('-', " "),
        Fate::Frontier => "evaluated".into(),
        Fate::Expanded {
            searched, moves, ..
        } if searched == moves || moves == 0 => plural(searched, "move"),
        Fate::Expanded {
            searched, moves, ..
        } => format!("{searched} of {moves} moves"),
        Fate::Horizon { static_value } => format!("static {}", s(static_value.turned())),
        Fate::StandPat { static_value, .. } => at_most("stands pat", static_value.turned()),
        Fate::Ended(ending) => ending_words(ending).into(),
        Fate::Repetition { plies_back, .. } => format!("stood {plies_back} plies ago"),
        // No move led to the root: its own side's best move is beyond the window.
        Fate::BetaCutoff { value, .. } if view.id == Tree::ROOT => {
            format!("{}: {}", by.unwrap_or("its best move"), least(value))
        }
        Fate::BetaCutoff { value, .. } => {
            let refuted = by.map_or_else(|| "refuted".to_owned(), |by| format!("{by} refutes"));
            at_most(&refuted, value.one_ply_up())
        }
        Fate::ProbabilisticCutoff {
            probability,
            confidence,
            ..
        } => format!(
            "cut {} ≥ {}",
            number::probability(probability),
            number::probability(confidence)
        ),
        Fate::Futility {
            static_value,
            margin,
            ..
        } => format!("futile: at best {}", s(raised(static_value, margin))),
        Fate::DeltaPruning {
            static_value,
            margin,
            ..
        } => format!("delta: at best {}", s(raised(static_value, margin))),
        Fate::ReverseFutility {
            static_value,
            margin,
            ..
        } => format!(
            "static already {}",
            most(raised(static_value, -margin).turned())
        ),
        Fate::Razoring { value, .. } => format!("razored: {}", least(value.turned())),
        Fate::NullMove { value, .. } => at_most("passing refutes", value.one_ply_up()),
        // Where a full search does not beat alpha, in all probability.
        Fate::ProbCut { value, raised, .. } if value < raised => {
            format!("probcut: {}", least(value.one_ply_up()))
        }
        Fate::ProbCut { value, .. } => at_most("probcut", value.one_ply_up()),
        Fate::MultiCut { value, .. } => at_most("multi-cut", value.one_ply_up()),
        Fate::LateMovePruning { searched, .. } => format!("late, after {searched}"),
        Fate::LosingMoves { threshold, .. } => {
            format!("loses over {}", scores.amount(-i32::from(threshold)))
        }
        Fate::LosingCaptures => "loses the exchange".into(),
        Fate::TableHit {
            value,
            depth,
            bound,
        } => format!(
            "table: {} d{depth}",
            scores.bounded(bound.turned(), value.one_ply_up())
        ),
        Fate::Proven { .. } => proven_words(view.proof, scores),
        Fate::SiblingCutoff { .. } => match by {
            Some(by) => format!("not needed after {by}"),
            None => "not needed: refuted".into(),
        },
        Fate::SiblingProbabilisticCutoff { probability, .. } => {
            format!("siblings {}", number::probability(probability))
        }
        Fate::Unrecorded => "not recorded".into(),
        Fate::Interrupted => "interrupted".into(),
        Fate::Excluded => "taken out".into(),
        Fate::KnownDraw { .. } => "known draw".into(),
        Fate::Tablebase(hit) => {
            format!("tablebase {}", scores.seen(hit.result.turned()).short())
        }
        Fate::LeafFailsLow { value, depth, .. } => {
            format!("{} d{depth}", least(value.one_ply_up()))
        }
        Fate::LeafFailsHigh { value, depth, .. } => {
            format!("{} d{depth}", most(value.one_ply_up()))
        }
    }
}

fn searched_to(depth: u8) -> String {
    match depth {
        0 => "in quiescence".into(),
        _ => format!("in a search of {}", plural(depth, "ply")),
    }
}
