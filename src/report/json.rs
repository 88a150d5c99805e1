//! Results as JSON, in the form described in the docs of the command line. A number that an algorithm does not have is
//! `null`.

use std::collections::BTreeMap;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::rules::AuditJson;
use belief::{BINS, Grid};
use game::{MoveCode, Scale, Score};
use search::{NamedNumbers, Options, StopReason, Totals, Value};
use session::MoveName;
use session::{Config, MoveSummary, NodeBelief, NodeValue, Session, Source, Summary};
use tree::{Bound, FATES};

/// The version of the format, raised when a field changes its meaning or disappears.
pub const VERSION: u32 = 1;

/// The result of one search.
#[derive(Serialize, Debug)]
pub struct SearchResult {
    pub version: u32,
    /// The name of an algorithm or of an external engine.
    pub algorithm: String,
    /// The title of the position in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `null` for a toy tree.
    pub fen: Option<String>,
    pub threads: usize,
    /// `null` for an external engine.
    pub seed: Option<u64>,
    pub options: OptionsJson,
    pub nodes: u64,
    /// The number of positions found in endgame tables.
    pub tbhits: u64,
    pub time_ms: u64,
    pub stopped_by: Option<StopReason>,
    /// What decided the search, in words, if that is why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Depth-first: the last finished iteration; otherwise `null`.
    pub depth: Option<u16>,
    pub selective_depth: u16,
    pub tree_nodes: u32,
    pub best: Option<Name>,
    pub score: ScoreJson,
    /// The reported belief about the root. Its mean differs from the score, which is the best move's.
    pub belief: Option<BeliefJson>,
    /// Mean and standard deviation of the root's belief as backed up from all moves; `null` if there is none.
    pub backed_up: Option<MomentsJson>,
    /// For a back-up of numbers: those of the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    pub pv: Vec<String>,
    pub moves: Vec<MoveJson>,
    #[serde(serialize_with = "fates")]
    pub fates: Totals,
    /// How often each rule was applied, by its name ([`search::Rule::name`]); only rules that were.
    #[serde(serialize_with = "super::rules::rules")]
    pub rules: Totals,
    /// What audits found, by rule and depth; `null` without audits.
    pub audit: Option<Vec<AuditJson>>,
}

/// The settings of a search, as an object.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum OptionsJson {
    #[serde(serialize_with = "options")]
    Own(Options),
    /// The options as they were given to an external engine.
    Given(BTreeMap<String, String>),
}

/// A move.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub uci: String,
    pub san: String,
}

/// What is known about a value; see [`NodeValue`].
#[derive(Serialize, Debug)]
pub struct ScoreJson {
    pub expected: Option<f32>,
    /// Chess only, and not for mates.
    pub cp: Option<i16>,
    /// Toy trees only: in the file's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Full moves, with a sign.
    pub mate: Option<i16>,
    /// Whether `mate` is proven to be the exact distance.
    pub mate_exact: Option<bool>,
    /// Proven bounds on the expected score.
    pub lower: f32,
    pub upper: f32,
    /// `lower` or `upper` if the value is only known to be at least or at most this, otherwise `exact`.
    pub bound: Option<&'static str>,
}

/// A distribution over the expected score.
#[derive(Serialize, Debug)]
pub struct BeliefJson {
    pub mean: f32,
    pub sd: f32,
    /// `stored` for the algorithm's own belief, `visits` for its children's values weighted by their visits.
    pub kind: &'static str,
    /// The bin edges in expected score, one more than there are values in `pmf`.
    pub edges: Vec<f32>,
    pub pmf: Vec<f32>,
}

/// Mean and standard deviation in expected score.
#[derive(Serialize, Debug)]
pub struct MomentsJson {
    pub mean: f32,
    pub sd: f32,
}

/// The numbers that a node keeps under a back-up of numbers, in expected score: `s`, `v`, `f`, `c` (expected score,
/// variance, the probabilities of being fortuitously better and catastrophically worse) and `b` (how strongly the move
/// is believed to be optimal, not at the root), or `q5`, `q50`, `q95` (the 5, 50 and 95 % points).
#[derive(Debug)]
pub struct NumbersJson(pub NamedNumbers);

impl Serialize for NumbersJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// A root move, from the view of the side that plays it.
#[derive(Serialize, Debug)]
pub struct MoveJson {
    pub uci: String,
    pub san: String,
    pub nodes: u64,
    pub visits: u32,
    pub policy: Option<f32>,
    pub sd: Option<f32>,
    #[serde(flatten)]
    pub score: ScoreJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersJson>,
    pub fate: &'static str,
    pub pv: Vec<String>,
    pub pmf: Option<Vec<f32>>,
}

impl SearchResult {
    /// Returns the object for a session as it is now; `title` is that of the position in its file.
    pub fn of_session(session: &Session, title: Option<String>) -> SearchResult {
        let mut summary = session.summary();
        summary.status.tree_nodes = session.tree().count();
        let (scale, grid) = (session.tree().scale(), session.tree().grid());
        SearchResult {
            title,
            ..SearchResult::new(&summary, session.config(), scale, grid)
        }
    }

    /// Returns the object of `plyscope search --json`.
    pub fn new(summary: &Summary, config: &Config, scale: Scale, grid: &Grid) -> SearchResult {
        SearchResult {
            algorithm: config.algorithm.name().to_owned(),
            threads: config.threads,
            seed: Some(config.seed),
            options: OptionsJson::Own(config.options.clone()),
            ..SearchResult::unnamed(summary, scale, grid)
        }
    }

    /// Returns the same object for an external engine, with the options that it was given.
    pub fn of_program(
        summary: &Summary,
        name: String,
        options: &[(String, String)],
        scale: Scale,
        grid: &Grid,
    ) -> SearchResult {
        SearchResult {
            algorithm: name,
            options: OptionsJson::Given(options.iter().cloned().collect()),
            ..SearchResult::unnamed(summary, scale, grid)
        }
    }

    /// Returns the result without the fields that say what searched.
    fn unnamed(summary: &Summary, scale: Scale, grid: &Grid) -> SearchResult {
        let totals = &summary.status.totals;
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
            time_ms: summary.status.elapsed.as_millis() as u64,
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
            pv: sans(&summary.pv),
            moves: summary
                .moves
                .iter()
                .map(|m| MoveJson::new(m, scale))
                .collect(),
            fates: totals.clone(),
            rules: totals.clone(),
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
            expected: verdict.expected,
            cp: ordinary.filter(|_| chess).map(Score::raw),
            value: verdict.toy_units(scale),
            mate: verdict.mate(),
            mate_exact: verdict.mate_is_exact(),
            lower: scale.expected(verdict.proof.lower),
            upper: scale.expected(verdict.proof.upper),
            bound: verdict.bound.and_then(bound_name),
        }
    }
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
            mean: belief.mean,
            sd: belief.sd,
            kind,
            edges: grid.edges()[..=BINS].to_vec(),
            pmf: pmf(belief),
        })
    }
}

fn pmf(belief: &NodeBelief) -> Vec<f32> {
    belief.density.0[..BINS].to_vec()
}

impl MoveJson {
    fn new(m: &MoveSummary, scale: Scale) -> MoveJson {
        let view = &m.row.view;
        debug_assert!(view.move_code != MoveCode::NONE);
        let belief = m.row.belief.as_ref().filter(|b| b.is_distribution());
        MoveJson {
            uci: m.row.uci.clone(),
            san: m.row.label.clone(),
            nodes: view.nodes,
            visits: view.visits,
            policy: view.policy,
            sd: belief.map(|b| b.sd),
            score: ScoreJson::new(&m.score, scale),
            numbers: m.numbers.clone().map(NumbersJson),
            fate: view.fate.name(),
            pv: sans(&m.pv),
            pmf: belief.map(pmf),
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
