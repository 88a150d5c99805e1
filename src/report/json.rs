//! Results as JSON, in the form described in the docs of the command line. A number that an algorithm does not have is
//! `null`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::event::{AnyFate, FateJson};
use super::explained::{BackUpJson, ExplainedJson, StaircaseJson};
use super::rules::AuditJson;
use super::schema::{BoundName, Counts, FateName, OptionValue, RuleName};
use algorithms::Algorithm;
use belief::{BINS, Grid};
use game::{MoveCode, Scale, Score};
use search::{NamedNumbers, Options, StopReason, Totals, Value, Viewpoint};
use session::MoveName;
use session::{Config, MoveSummary, NodeBelief, NodeValue, Reader, Session, Source, Summary};
use tree::{Bound, FATES, Tree};

/// The version of the format, raised when a field changes its meaning or disappears.
#[derive(Serialize, JsonSchema, Debug, Clone, Copy)]
#[schemars(inline, extend("const" = VERSION))]
pub struct Version(u32);

/// The version of all formats.
pub const VERSION: Version = Version(1);

/// The result of one search. Everything is from the view of the side to move at the root.
#[derive(Serialize, JsonSchema, Debug)]
pub struct SearchResult {
    pub version: Version,
    /// The name of the algorithm, or of an external engine.
    pub algorithm: String,
    /// The title of the position in its file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The position; null for a toy tree.
    pub fen: Option<String>,
    /// Search threads.
    pub threads: usize,
    /// The seed of everything random; null for an external engine.
    pub seed: Option<u64>,
    pub options: OptionsJson,
    /// Nodes: moves made on the board and the positions looked at, quiescence included.
    pub nodes: u64,
    /// Positions that the endgame tables knew.
    pub tbhits: u64,
    /// Running time in milliseconds; null for the trace of another program, which does not say how long its search took.
    pub time_ms: Option<u64>,
    /// What ended the search; null if it was not ended.
    pub stopped_by: Option<StopReason>,
    /// Why the search ended early, in words, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The last finished iteration; null in a best-first search.
    pub depth: Option<u16>,
    /// The deepest ply reached.
    pub selective_depth: u16,
    /// Nodes in the tree.
    pub tree_nodes: u32,
    /// The move to play; null if the game is over.
    pub best: Option<Name>,
    /// The value of the best move.
    pub score: ScoreJson,
    /// The belief reported for the root; null if the algorithm has a value but no distribution. Its mean differs from the
    /// score, which is the best move's.
    pub belief: Option<BeliefJson>,
    /// The root's belief as backed up from all moves; null if there is none. Its mean is that of the best of all moves,
    /// whichever that turns out to be, and therefore higher than any single move's.
    pub backed_up: Option<MomentsJson>,
    /// With a back-up of numbers: those of the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    /// What went into the root's belief as backed up from all moves; null before the root was expanded, with other
    /// algorithms than `distress`, and for each of the searches that are compared.
    pub back_up: Option<BackUpJson>,
    /// With `conspiracy`: what it takes to move the root's value; null with other algorithms, and for each of the searches
    /// that are compared.
    pub conspiracies: Option<StaircaseJson>,
    /// The principal variation, in standard algebraic notation.
    pub pv: Vec<String>,
    /// Every legal move, best first.
    pub moves: Vec<MoveJson>,
    /// How often each fate was given; only fates that were.
    #[serde(serialize_with = "fates")]
    #[schemars(with = "Counts<FateName>")]
    pub fates: Totals,
    /// How often each rule was applied (of singular-extension: its tests); only rules that were.
    #[serde(serialize_with = "super::rules::rules")]
    #[schemars(with = "Counts<RuleName>")]
    pub rules: Totals,
    /// How often a formula that was given had no finite value, so that the built-in one was used; left out if never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<u64>,
    /// With --set audit=K: what the audits found, by rule and depth; null without audits.
    pub audit: Option<Vec<AuditJson>>,
}

/// Options of an algorithm by their keys; of an external engine as they were given.
#[derive(Serialize, JsonSchema, Debug)]
#[serde(untagged)]
#[schemars(with = "BTreeMap<String, OptionValue>")]
pub enum OptionsJson {
    #[serde(serialize_with = "options")]
    Own(Options),
    Given(BTreeMap<String, String>),
}

/// A move.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// In UCI notation, e2e4; for a toy tree the name of the node.
    pub uci: String,
    /// In standard algebraic notation, e4; for a toy tree the name of the node.
    pub san: String,
}

/// What is known about a value.
#[derive(Serialize, JsonSchema, Debug)]
pub struct ScoreJson {
    /// Expected score: −1 a certain loss, +1 a certain win; null if nothing is known, and in the unit of another program that
    /// has no range.
    #[schemars(range(min = -1, max = 1))]
    pub expected: Option<f32>,
    /// Centipawns, e = tanh(cp / 360); null for mates, for toy trees and if nothing is known.
    pub cp: Option<i32>,
    /// Toy trees only: the value in the file's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Full moves to mate: positive for a win, negative for a loss; null without a mate.
    pub mate: Option<i16>,
    /// Whether `mate` is proven to be the exact distance, and not only the most that it takes; null without a mate.
    pub mate_exact: Option<bool>,
    /// The expected score is proven to be at least this.
    #[schemars(range(min = -1, max = 1))]
    pub lower: f32,
    /// The expected score is proven to be at most this.
    #[schemars(range(min = -1, max = 1))]
    pub upper: f32,
    /// How `expected` relates to the true value: at least (lower), at most (upper) or exact; null if unknown.
    #[schemars(with = "Option<BoundName>")]
    pub bound: Option<&'static str>,
}

/// A distribution over the expected score.
#[derive(Serialize, JsonSchema, Debug)]
pub struct BeliefJson {
    #[serde(flatten)]
    pub moments: MomentsJson,
    /// Where it comes from: the algorithm's own (stored), a fitted report (calibrated), an engine's won, drawn and lost games
    /// (outcomes), the moves' values by their visits (visits).
    #[schemars(extend("enum" = ["stored", "calibrated", "outcomes", "visits"]))]
    pub kind: &'static str,
    /// The edges of the bins in expected score, one more than there are values in `pmf`.
    #[schemars(inner(range(min = -1, max = 1)))]
    pub edges: Vec<f32>,
    /// The probability of each bin.
    #[schemars(inner(range(min = 0)))]
    pub pmf: Vec<f32>,
}

/// Mean and spread of a belief.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MomentsJson {
    /// The mean, in expected score.
    #[schemars(range(min = -1, max = 1))]
    pub mean: f32,
    /// The standard deviation, in expected score.
    #[schemars(range(min = 0))]
    pub sd: f32,
}

/// The numbers that a node keeps under a back-up of numbers, in expected score: `s`, `v`, `f`, `c` (expected score,
/// variance, the probabilities of being fortuitously better and catastrophically worse) and `b` (how strongly the move
/// is believed to be optimal, not at the root), or `q5`, `q50`, `q95` (the 5, 50 and 95 % points).
#[derive(JsonSchema, Debug)]
#[schemars(with = "BTreeMap<String, f64>")]
pub struct NumbersJson(pub NamedNumbers);

impl Serialize for NumbersJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A move at the root, from the view of the side that plays it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct MoveJson {
    #[serde(flatten)]
    pub name: Name,
    /// Another program's search only: false for a move that the rules do not have; missing for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<bool>,
    /// Nodes searched below it.
    pub nodes: u64,
    /// Visits.
    pub visits: u32,
    /// Its share of the prior or policy; null if the algorithm has none.
    #[schemars(range(min = 0, max = 1))]
    pub policy: Option<f32>,
    /// The standard deviation of its belief, in expected score, or in the unit of another program that has no range; null without a
    /// distribution.
    #[schemars(range(min = 0))]
    pub sd: Option<f32>,
    #[serde(flatten)]
    pub score: ScoreJson,
    /// With a back-up of numbers: those of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    #[schemars(with = "FateName")]
    pub fate: &'static str,
    /// The fate with the numbers that decided it. They are from the view of the side to move after the move; those of a move
    /// that was not searched, from the view of the side that could have played it.
    #[schemars(with = "AnyFate")]
    pub decided: FateJson,
    /// The principal variation after it, without the move itself.
    pub pv: Vec<String>,
    /// The probability of each bin of its belief, on the edges of the root's; null without a distribution.
    #[schemars(inner(range(min = 0)))]
    pub pmf: Option<Vec<f32>>,
}

impl SearchResult {
    /// Returns the object for a session as it is now; `title` is that of the position in its file.
    pub fn of_session(session: &Session, title: Option<String>) -> SearchResult {
        let mut summary = session.summary();
        summary.status.tree_nodes = session.tree().count();
        let reader = session.reader();
        let explained = ExplainedJson::of(&reader, Tree::ROOT, Viewpoint::Own);
        SearchResult {
            title,
            back_up: explained.back_up,
            conspiracies: explained.conspiracies,
            ..SearchResult::new(&summary, session.config(), &reader)
        }
    }

    /// Returns the object of `plyscope search --json`; the summary is the reader's.
    pub fn new(summary: &Summary, config: &Config, reader: &Reader) -> SearchResult {
        SearchResult {
            algorithm: config.name().to_owned(),
            threads: config.threads,
            seed: Some(config.seed),
            options: OptionsJson::Own(config.options.clone()),
            ..SearchResult::unnamed(summary, reader)
        }
    }

    /// Returns the same object for an external engine, with the options that it was given.
    pub fn of_program(
        summary: &Summary,
        name: String,
        options: &[(String, String)],
        reader: &Reader,
    ) -> SearchResult {
        SearchResult {
            algorithm: name,
            options: OptionsJson::Given(options.iter().cloned().collect()),
            ..SearchResult::unnamed(summary, reader)
        }
    }

    /// Returns the result without the fields that say what searched.
    fn unnamed(summary: &Summary, reader: &Reader) -> SearchResult {
        let (scale, grid) = (reader.scale(), reader.tree.grid());
        let totals = &summary.status.totals;
        let is_told = reader.searcher.algorithm().is_some_and(Algorithm::is_told);
        SearchResult {
            version: VERSION,
            algorithm: String::new(),
            title: None,
            fen: summary.fen.clone(),
            threads: summary.status.threads,
            seed: None,
            options: OptionsJson::Given(BTreeMap::new()),
            nodes: totals.nodes,
            tbhits: totals.table_hits(),
            time_ms: Some(summary.status.elapsed.as_millis() as u64).filter(|_| !is_told),
            stopped_by: summary.stopped_by(),
            decision: summary.decision.clone(),
            depth: (totals.depth > 0).then_some(totals.depth),
            selective_depth: totals.selective_depth,
            tree_nodes: summary.status.tree_nodes,
            best: summary.best.as_ref().map(Name::from),
            score: ScoreJson::new(&summary.score, scale),
            belief: summary
                .belief
                .as_ref()
                .and_then(|b| BeliefJson::new(b, grid)),
            backed_up: summary.backed_up.as_ref().map(|b| MomentsJson {
                mean: b.mean,
                sd: b.sd,
            }),
            numbers: summary.numbers.clone().map(NumbersJson),
            back_up: None,
            conspiracies: None,
            pv: sans(&summary.pv),
            moves: summary
                .moves
                .iter()
                .map(|m| MoveJson::new(m, reader))
                .collect(),
            fates: totals.clone(),
            rules: totals.clone(),
            undefined: Some(totals.undefined).filter(|n| *n > 0),
            audit: summary
                .status
                .audit
                .as_ref()
                .map(|rows| rows.iter().map(AuditJson::from).collect()),
        }
    }
}

impl From<&MoveName> for Name {
    fn from(name: &MoveName) -> Name {
        Name {
            uci: name.uci.clone(),
            san: name.san.clone(),
        }
    }
}

impl ScoreJson {
    pub fn new(verdict: &NodeValue, scale: Scale) -> ScoreJson {
        let ordinary = verdict.score.filter(|s| !s.is_decided());
        let chess = scale == Scale::Logistic;
        ScoreJson {
            expected: verdict.expected.and_then(|e| expected_shown(e, scale)),
            cp: match verdict.wide {
                Some(wide) if chess => Some(wide.round() as i32),
                _ => ordinary.filter(|_| chess).map(|score| score.raw().into()),
            },
            value: match verdict.wide {
                Some(wide) if !chess => Some(wide),
                _ => verdict.toy_units(scale).map(short),
            },
            mate: verdict.mate(),
            mate_exact: verdict.mate_is_exact(),
            lower: scale.expected(verdict.proof.lower),
            upper: scale.expected(verdict.proof.upper),
            bound: verdict.bound.and_then(bound_name),
        }
    }
}

/// Returns an expected score, unless it stands for a value in a unit without a range, which has none.
pub(super) fn expected_shown(expected: f32, scale: Scale) -> Option<f32> {
    (!scale.is_boundless() || expected.abs() >= 1.0).then_some(expected)
}

/// Returns a score as a whole number of the integer unit.
pub(super) fn integer(score: Score, scale: Scale) -> i32 {
    match scale {
        Scale::Linear(axis) if !score.is_decided() => axis.steps(score),
        _ => score.raw().into(),
    }
}

/// Returns an end of a window in the integer unit; `None` if it is open.
pub(super) fn end(score: Score, scale: Scale) -> Option<i32> {
    (Score::MIN < score && score < Score::MAX).then(|| integer(score, scale))
}

/// Returns a standard deviation in expected score, or in a unit without a range.
pub(super) fn sd_shown(sd: f32, scale: Scale) -> f32 {
    match scale {
        Scale::Linear(axis) if scale.is_boundless() => sd * axis.range(),
        _ => sd,
    }
}

/// Returns the number with the digits of the smaller type, and no others.
fn short(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(value.into())
}

/// Returns the name of the bound in JSON.
pub fn bound_name(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::None => None,
        Bound::Lower => Some("lower"),
        Bound::Upper => Some("upper"),
        Bound::Exact => Some("exact"),
    }
}

impl BeliefJson {
    /// Returns the object, or `None` for a point: the algorithm has a value but no distribution.
    pub fn new(belief: &NodeBelief, grid: &Grid) -> Option<BeliefJson> {
        let kind = match belief.source {
            Source::Stored => "stored",
            Source::Calibrated => "calibrated",
            Source::Outcomes => "outcomes",
            Source::Visits => "visits",
            // The ends of an interval are among the numbers.
            Source::Point | Source::Interval => return None,
        };
        Some(BeliefJson {
            moments: MomentsJson {
                mean: belief.mean,
                sd: belief.sd,
            },
            kind,
            edges: edges(grid),
            pmf: pmf(belief),
        })
    }
}

/// Returns the edges of the bins in expected score.
pub(super) fn edges(grid: &Grid) -> Vec<f32> {
    grid.edges()[..=BINS].to_vec()
}

/// Returns the probability of each bin.
pub(super) fn pmf(belief: &NodeBelief) -> Vec<f32> {
    belief.density.0[..BINS].to_vec()
}

impl MoveJson {
    fn new(m: &MoveSummary, reader: &Reader) -> MoveJson {
        let view = &m.row.view;
        debug_assert!(view.move_code != MoveCode::NONE);
        let belief = m.row.belief.as_ref().filter(|b| b.is_distribution());
        MoveJson {
            name: Name {
                uci: m.row.uci.clone(),
                san: m.row.label.clone(),
            },
            legal: reader.is_illegal(view.id).then_some(false),
            nodes: view.nodes,
            visits: view.visits,
            policy: view.policy,
            sd: belief.map(|b| sd_shown(b.sd, reader.scale())),
            score: ScoreJson::new(&m.score, reader.scale()),
            numbers: m.numbers.clone().map(NumbersJson),
            fate: view.fate.name(),
            decided: FateJson::of(reader, view),
            pv: sans(&m.pv),
            pmf: belief.filter(|_| !reader.scale().is_boundless()).map(pmf),
        }
    }
}

fn sans(line: &[MoveName]) -> Vec<String> {
    line.iter().map(|m| m.san.clone()).collect()
}

/// Serialises options as an object, with numbers and switches in their JSON types.
pub fn options<S: Serializer>(options: &Options, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (spec, value) in options.iter() {
        match value {
            Value::Number(v) => map.serialize_entry(spec.key, v)?,
            Value::Integer(v) => map.serialize_entry(spec.key, v)?,
            Value::Switch(v) => map.serialize_entry(spec.key, v)?,
            Value::Word(v) => map.serialize_entry(spec.key, v)?,
        }
    }
    map.end()
}

/// Serialises how often each fate was given; only fates that were given.
fn fates<S: Serializer>(totals: &Totals, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (kind, count) in FATES.iter().zip(totals.fates).filter(|(_, n)| *n > 0) {
        map.serialize_entry(kind.name, &count)?;
    }
    map.end()
}
