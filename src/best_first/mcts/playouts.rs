//! Leaves evaluated by playouts: each visit to a leaf plays another one, until the leaf is expanded.

use super::{Batch, Mcts};
use eval::Evaluator;
use eval::playout::{Differential, Measure, Playout, PlayoutRules, playout_seed};
use game::Game;
use search::{Event, OptionSpec, Options, Probe, Range};
use tree::{Node, NodeId};

const SHARE: Range = Range::Number { min: 0.0, max: 1.0 };

/// By how many times a kind of move may be made more likely.
const TIMES: Range = Range::Integer { min: 1, max: 1000 };

pub(super) const LENGTH: OptionSpec = OptionSpec {
    key: "playout-length",
    default: "16",
    range: Range::Integer { min: 0, max: 1000 },
    summary: "with playouts: plies after which one ends (0: the leaf's own difference decides); a toy tree is played to its leaf",
};

pub(super) const CAPTURES: OptionSpec = OptionSpec {
    key: "playout-captures",
    default: "8",
    range: TIMES,
    summary: "with playouts: how many times likelier than any other move a capture or promotion is that loses nothing by exchange",
};

pub(super) const CHECKS: OptionSpec = OptionSpec {
    key: "playout-checks",
    default: "2",
    range: TIMES,
    summary: "with playouts: how many times likelier a move is that gives check",
};

pub(super) const MARGIN: OptionSpec = OptionSpec {
    key: "playout-margin",
    default: "300",
    range: Range::Integer {
        min: 0,
        max: 10_000,
    },
    summary: "with playouts: who is so many centipawns ahead at the end, or for playout-patience plies before it, has won (0: only by mate)",
};

pub(super) const PATIENCE: OptionSpec = OptionSpec {
    key: "playout-patience",
    default: "2",
    range: Range::Integer { min: 1, max: 1000 },
    summary: "with playouts: plies in a row that end one early where a side is ahead by playout-margin",
};

pub(super) const MEASURE: OptionSpec = OptionSpec {
    key: "playout-measure",
    default: "material",
    range: Range::Choice(&["material", "evaluation"]),
    summary: "with playouts: what the difference between the sides is read from",
};

pub(super) const DIFFERENTIAL: OptionSpec = OptionSpec {
    key: "differential",
    default: "none",
    range: Range::Choice(&["none", "constant", "declining"]),
    summary: "point differential: r = (1 - w) outcome + w P(win | difference at the playout's end), with w the same everywhere or by the phase at the leaf (Sheppard 2011)",
};

pub(super) const CONSTANT: OptionSpec = OptionSpec {
    key: "differential-weight",
    default: "0.02",
    range: SHARE,
    summary: "w of the constant point differential (Fuego .02, Pachi .04)",
};

pub(super) const FROM: OptionSpec = OptionSpec {
    key: "differential-from",
    default: "0.08",
    range: SHARE,
    summary: "w of the declining point differential with all pieces on the board (Pebbles .08)",
};

pub(super) const TO: OptionSpec = OptionSpec {
    key: "differential-to",
    default: "0",
    range: SHARE,
    summary: "w of the declining point differential with kings and pawns alone",
};

pub(super) const SCALE: OptionSpec = OptionSpec {
    key: "differential-scale",
    default: "500",
    range: Range::Number {
        min: 1.0,
        max: 100_000.0,
    },
    summary: "k of P(win | d) = 1/(1 + exp(-d/k)), centipawns; the default is fitted to verdicts on positions of games",
};

/// The rules of the playouts that the options select; `None` where leaves are evaluated in another way.
pub fn rules(options: &Options) -> Option<PlayoutRules> {
    if options.word("leaf") != "playouts" {
        return None;
    }
    let times = |key| options.integer(key) as u32;
    Some(PlayoutRules {
        length: options.integer(LENGTH.key) as u16,
        capture: times(CAPTURES.key),
        check: times(CHECKS.key),
        margin: options.integer(MARGIN.key) as i32,
        patience: options.integer(PATIENCE.key) as u16,
        measure: match options.word(MEASURE.key) {
            "evaluation" => Measure::Evaluation,
            _ => Measure::Material,
        },
        differential: match options.word(DIFFERENTIAL.key) {
            "constant" => Differential::Constant(options.number(CONSTANT.key)),
            "declining" => Differential::Declining {
                from: options.number(FROM.key),
                to: options.number(TO.key),
            },
            _ => Differential::None,
        },
        scale: options.number(SCALE.key),
    })
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool> Mcts<'_, G, E, P, SOLO> {
    /// Plays out the leaf at `ply`, to which the line was caught up, for the `number`-th time. Returns the playout and
    /// the nodes it counted; `None` if the search was interrupted in the middle.
    pub(super) fn play_out(
        &mut self,
        id: NodeId,
        ply: usize,
        number: u32,
    ) -> (Option<Playout>, u32) {
        let Some(player) = &mut self.player else {
            return (None, 0);
        };
        if self.thread.stopping {
            // The leaf itself was the last node.
            return (None, 0);
        }
        let thread = &mut self.thread;
        let counted = thread.context.worker.nodes();
        let worker = &mut thread.context.worker;
        let played = player.play(
            thread.job.evaluator,
            thread.line.position(ply),
            thread.line.state(ply),
            playout_seed(thread.job.seed, id.0, number),
            || worker.count_node(),
        );
        let nodes = (thread.context.worker.nodes() - counted) as u32;
        thread.stopping |= played.is_err();
        (played.ok(), nodes)
    }

    /// Visits to a leaf that was played out before and is not due for expansion: each plays it out once more.
    #[cold]
    pub(super) fn visit_again(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        budget: u32,
    ) -> Batch {
        self.thread.line.catch_up(self.thread.tree, ply);
        let before = node.visits() - if SOLO { 0 } else { budget };
        let mut batch = Batch::default();
        for number in before..before + budget {
            let (played, nodes) = self.play_out(id, ply, number);
            batch.nodes += nodes;
            let Some(played) = played else { break };
            let value = self.thread.scale.score(played.expected() as f32);
            self.thread.report(|| Event::Evaluate {
                node: id,
                value,
                mean: played.expected() as f32,
                sd: None,
            });
            batch.add(Batch::of(played.expected(), 1.0, 1));
        }
        batch
    }
}
