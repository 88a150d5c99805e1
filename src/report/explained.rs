//! The numbers of an algorithm's explanation, as JSON: what the inspector says about a node in words.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::MomentsJson;
use game::Game as _;
use search::Viewpoint;
use search::explanation::{BackedUp, Explanation, Staircase, Steps};
use session::Reader;
use tree::NodeId;

/// What went into a belief that `distress` backed up from the moves of a node. Expected scores are from the view from which
/// the node itself is described.
#[derive(Serialize, JsonSchema, Debug)]
pub struct BackUpJson {
    /// The sum of all `u`: the expected number of best moves, where each of several tied moves counts.
    #[schemars(range(min = 0))]
    pub s: f32,
    /// H, the entropy of the policy, in nats.
    #[schemars(range(min = 0))]
    pub entropy: f32,
    /// The number of equally good moves that would be as undecided: e to the power of the entropy.
    #[schemars(range(min = 0))]
    pub n_eff: f32,
    /// The weight of `r_opt` in a blend of `r_opt` and `r_pick`; null if the back-up blends nothing, and with a single move.
    #[schemars(range(min = 0, max = 1))]
    pub blend: Option<f32>,
    /// The distribution of the best move, whichever that turns out to be, if the moves are independent.
    pub r_opt: MomentsJson,
    /// The distribution of the move that would be picked.
    pub r_pick: MomentsJson,
    /// The moves that went into it, in the order of the tree.
    pub moves: Vec<BestShareJson>,
}

/// How likely a move is the best one.
#[derive(Serialize, JsonSchema, Debug)]
pub struct BestShareJson {
    /// In standard algebraic notation; for a toy tree the name of the node.
    #[serde(rename = "move")]
    pub name: String,
    /// Its share of the policy.
    #[schemars(range(min = 0, max = 1))]
    pub policy: f32,
    /// The probability that it is at least as good as every other move; moves that are best in the same bin all count.
    #[schemars(range(min = 0))]
    pub u: f32,
}

/// Of a search by conspiracy numbers: how many leaves below a node have to change their values together to move its value.
/// Values are from the view from which the node itself is described.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StaircaseJson {
    /// Step by step to higher values, each with more leaves than the one before.
    pub raise: Vec<StepJson>,
    /// Step by step to lower values.
    pub lower: Vec<StepJson>,
}

/// What so many leaves can bring about.
#[derive(Serialize, JsonSchema, Debug)]
pub struct StepJson {
    /// The fewest leaves that have to change; null for more than the search tells apart, or if no leaves can do it.
    #[schemars(range(min = 1))]
    pub leaves: Option<u32>,
    /// The value furthest away that they can bring about, as an expected score; null for any value.
    #[schemars(range(min = -1, max = 1))]
    pub to: Option<f32>,
}

/// The numbers of an explanation.
#[derive(Debug, Default)]
pub struct ExplainedJson {
    pub back_up: Option<BackUpJson>,
    pub conspiracies: Option<StaircaseJson>,
}

impl ExplainedJson {
    /// Returns what the algorithm explains about a node in numbers.
    pub fn of(reader: &Reader, id: NodeId, viewpoint: Viewpoint) -> ExplainedJson {
        let Explanation {
            back_up, staircase, ..
        } = reader.explain(id, viewpoint, None);
        ExplainedJson {
            back_up: back_up.map(|back_up| BackUpJson::new(reader, id, &back_up)),
            conspiracies: staircase.as_ref().map(StaircaseJson::from),
        }
    }
}

impl BackUpJson {
    fn new(reader: &Reader, id: NodeId, back_up: &BackedUp) -> BackUpJson {
        let moments = |(mean, sd)| MomentsJson { mean, sd };
        let at = reader.situation(id);
        let name = |child| {
            let code = reader.tree.node(child).move_code();
            let name = at.as_ref().and_then(|at| {
                let m = at.position.decode(code)?;
                Some(at.position.label(m))
            });
            name.unwrap_or_else(|| format!("{code:?}"))
        };
        BackUpJson {
            s: back_up.maximisers,
            entropy: back_up.entropy,
            n_eff: back_up.n_eff,
            blend: back_up.blend,
            r_opt: moments(back_up.r_opt),
            r_pick: moments(back_up.r_pick),
            moves: back_up
                .shares
                .iter()
                .map(|share| BestShareJson {
                    name: name(share.child),
                    policy: share.policy,
                    u: share.best,
                })
                .collect(),
        }
    }
}

impl From<&Staircase> for StaircaseJson {
    fn from(staircase: &Staircase) -> StaircaseJson {
        StaircaseJson {
            raise: steps(&staircase.raise),
            lower: steps(&staircase.lower),
        }
    }
}

fn steps(steps: &Steps) -> Vec<StepJson> {
    let known = steps.steps.iter().map(|step| StepJson {
        leaves: Some(step.leaves),
        to: step.to,
    });
    let beyond = steps.beyond.then_some(StepJson {
        leaves: None,
        to: None,
    });
    known.chain(beyond).collect()
}
