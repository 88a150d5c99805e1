//! What a file says of a saved search besides its trees and tables.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::trace::{SavedRecording, Traces};
use super::{Course, Place, SavedOrigin, SavedSearch};
use crate::Subject;
use crate::config::Config;
use crate::job_inputs::new_tree;
use crate::progress::Point;
use crate::segment::{Baseline, Segment};
use algorithms::Algorithm;
use game::{Game, History, MoveCode, Score, Situation};
use games::{Document, Entry};
use search::common::table::Tables;
use search::{AuditRow, Choices, EndEarly, Limits, Rule, Start, StopReason, Totals};
use tree::{FATES, NodeId, Tree};

#[derive(Debug, Serialize, Deserialize)]
pub struct SavedIndex {
    subject: SavedSubject,
    algorithm: String,
    /// All options, the defaults included.
    options: BTreeMap<String, String>,
    limits: SavedLimits,
    threads: usize,
    memory: u64,
    table: u64,
    seed: u64,
    record_plies: u16,
    probed: bool,
    segment: SavedSegment,
    course: SavedCourse,
    origin: SavedBegin,
    /// Whether its tables follow its tree in the file.
    pub tables: bool,
    furthest: u64,
    pause_after: Option<u64>,
    points: Vec<SavedPoint>,
    audit: Option<Vec<SavedAudit>>,
    /// The search of another program, which is read again.
    #[serde(default)]
    pub recorded: Option<SavedRecording>,
}

/// A position with the game that led to it.
#[derive(Debug, Serialize, Deserialize)]
struct SavedSubject {
    /// A position in Forsyth-Edwards Notation, or the text of a file of another game, such as a toy tree.
    fen: Option<String>,
    toy: Option<String>,
    /// The keys of the positions before that one.
    before: Vec<u64>,
    /// The codes of the moves since.
    moves: Vec<u16>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedLimits {
    nodes: Option<u64>,
    time_ns: Option<u64>,
    cpu_ns: Option<u64>,
    depth: Option<u16>,
    soft_ns: Option<u64>,
    playouts: Option<u64>,
    early: u8,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedSegment {
    depth: u16,
    best: u16,
    score: i16,
    midway: bool,
    events: u64,
    elapsed_ns: u64,
    cpu_ns: u64,
    totals: SavedTotals,
    limits: SavedLimits,
    threads: usize,
    /// The moves taken out, by node.
    excluded: Vec<(u32, Vec<u16>)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedTotals {
    nodes: u64,
    steps: u64,
    back_ups: u64,
    #[serde(default)]
    undefined: u64,
    playouts: u64,
    unrecorded: u64,
    depth: u16,
    selective_depth: u16,
    fates: BTreeMap<String, u64>,
    rules: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedCourse {
    AgainToEvent(u64),
    AgainToNodes(u64),
    FromHere,
    Ended(StopReason),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedBegin {
    Empty(SavedSegment),
    /// Its tree and tables follow in the file.
    Kept(SavedSegment),
    Lost,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedPoint {
    event: u64,
    nodes: u64,
    cpu_ns: u64,
    expected: Option<f32>,
    sd: Option<f32>,
    best: u16,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedAudit {
    rule: String,
    depth: u8,
    pruned: u64,
    tried: u64,
    failed: u64,
    nodes: u64,
    lost: i64,
    decided: u64,
    lost_expected: f64,
}

/// More threads than any search has.
const MOST_THREADS: usize = 1 << 10;

/// The trees and tables of one search.
#[derive(Debug)]
pub struct Grown {
    pub tree: Tree,
    pub tables: Option<Tables>,
    pub origin: Option<(Tree, Tables)>,
}

impl SavedIndex {
    /// Describes a search. Where it is another program's, its trace is added to `traces`.
    ///
    /// # Errors
    /// If that trace can't be written.
    pub fn of(search: &SavedSearch, traces: &mut Traces) -> io::Result<SavedIndex> {
        let config = &search.config;
        let options = config.options.iter();
        let recorded = config.recorded.as_deref();
        Ok(SavedIndex {
            recorded: recorded.map(|recorded| traces.add(recorded)).transpose()?,
            subject: SavedSubject::of(&search.subject),
            algorithm: config.algorithm.name().into(),
            options: options
                .map(|(spec, value)| (spec.key.into(), value.to_string()))
                .collect(),
            limits: SavedLimits::of(&config.limits),
            threads: config.threads,
            memory: config.memory,
            table: config.table,
            seed: config.seed,
            record_plies: config.record_plies,
            probed: search.probed,
            segment: SavedSegment::of(&search.segment),
            course: match search.course {
                Course::Again(Place::Event(event)) => SavedCourse::AgainToEvent(event),
                Course::Again(Place::Nodes(nodes)) => SavedCourse::AgainToNodes(nodes),
                Course::FromHere => SavedCourse::FromHere,
                Course::Ended(reason) => SavedCourse::Ended(reason),
            },
            origin: match &search.origin {
                SavedOrigin::Empty(segment) => SavedBegin::Empty(SavedSegment::of(segment)),
                SavedOrigin::Kept(segment, ..) => SavedBegin::Kept(SavedSegment::of(segment)),
                SavedOrigin::Lost => SavedBegin::Lost,
            },
            tables: search.tables.is_some(),
            furthest: search.furthest,
            pause_after: search.pause_after,
            points: search.points.iter().map(SavedPoint::of).collect(),
            audit: search
                .audit
                .as_ref()
                .map(|rows| rows.iter().map(SavedAudit::of).collect()),
        })
    }

    /// Returns another program's search, whose tree is still to be grown from its trace.
    pub fn told(self, entry: &Entry) -> SavedSearch {
        let config = Config {
            memory: self.memory,
            record_plies: self.record_plies,
            ..Config::new(Algorithm::DEFAULT)
        };
        let config = match &entry.recorded {
            Some(recorded) => config.reading(Arc::clone(recorded)),
            None => config,
        };
        let subject = entry.subject();
        let segment = Segment::whole(&config);
        let course = match self.course.course() {
            Course::Ended(StopReason::User) => {
                Course::Again(Place::Nodes(self.segment.totals.nodes))
            }
            course => course,
        };
        SavedSearch {
            tree: Arc::new(new_tree(&subject, &config)),
            subject: Arc::new(subject),
            probed: false,
            tables: None,
            origin: SavedOrigin::Empty(segment.clone()),
            segment,
            course,
            furthest: self.furthest,
            pause_after: self.pause_after,
            points: Vec::new(),
            audit: None,
            config: Arc::new(config),
            _hold: None,
        }
    }

    /// Whether tree and tables of the search's beginning follow in the file.
    pub fn has_origin(&self) -> bool {
        matches!(self.origin, SavedBegin::Kept(_))
    }

    /// Returns the search with its trees and tables.
    ///
    /// # Errors
    /// What of it is unknown or can't be.
    pub fn search(self, mut grown: Grown) -> Result<SavedSearch, String> {
        let algorithm: Algorithm = self.algorithm.parse().map_err(|e| format!("{e}"))?;
        let mut config = Config {
            limits: self.limits.limits(),
            threads: self.threads.clamp(1, MOST_THREADS),
            memory: self.memory,
            table: self.table,
            seed: self.seed,
            record_plies: self.record_plies,
            ..Config::new(algorithm)
        };
        for (key, value) in &self.options {
            config.options.set(key, value).map_err(|e| e.to_string())?;
        }
        let subject = self.subject.subject()?;
        let spec =
            algorithm.tree_spec(subject.position.scale(), config.memory, config.record_plies);
        let is_like = |tree: &mut Tree| tree.family() == spec.family && tree.take_names(spec.scale);
        let has_origin = { grown.origin.as_mut() }.is_some_and(|(tree, _)| is_like(tree));
        let origin = match (self.origin, grown.origin) {
            (SavedBegin::Kept(segment), Some((tree, tables))) if has_origin => {
                SavedOrigin::Kept(segment.segment(), Arc::new(tree), Arc::new(tables))
            }
            (SavedBegin::Empty(segment), _) => SavedOrigin::Empty(segment.segment()),
            _ => SavedOrigin::Lost,
        };
        if !is_like(&mut grown.tree) {
            return Err(format!("its tree is not one of {}", algorithm.name()));
        }
        let segment = self.segment.segment();
        let begin = match &origin {
            SavedOrigin::Kept(segment, tree, _) => Some((segment, &**tree)),
            SavedOrigin::Empty(_) | SavedOrigin::Lost => None,
        };
        for (segment, tree) in [(&segment, &grown.tree)].into_iter().chain(begin) {
            if !segment.choices.nodes().all(|node| tree.contains(node)) {
                return Err("moves are taken out where there is no node".into());
            }
        }
        let audit = self
            .audit
            .map(|rows| rows.into_iter().filter_map(SavedAudit::row).collect());
        Ok(SavedSearch {
            subject: Arc::new(subject),
            config: Arc::new(config),
            probed: self.probed,
            tree: Arc::new(grown.tree),
            tables: grown.tables.map(Arc::new),
            segment,
            course: self.course.course(),
            origin,
            furthest: self.furthest,
            pause_after: self.pause_after,
            points: self.points.iter().map(SavedPoint::point).collect(),
            audit,
            _hold: None,
        })
    }
}

impl SavedCourse {
    fn course(&self) -> Course {
        match *self {
            SavedCourse::AgainToEvent(event) => Course::Again(Place::Event(event)),
            SavedCourse::AgainToNodes(nodes) => Course::Again(Place::Nodes(nodes)),
            SavedCourse::FromHere => Course::FromHere,
            SavedCourse::Ended(reason) => Course::Ended(reason),
        }
    }
}

impl SavedSubject {
    fn of(subject: &Subject) -> SavedSubject {
        let played = subject.played();
        let keys = subject.history.keys();
        let before = keys.len().saturating_sub(played.moves.len());
        let (text, mut moves) = played.start.written().unzip();
        moves.get_or_insert_default().extend(&played.moves);
        let moves = moves.into_iter().flatten();
        let fen = played.start.fen();
        SavedSubject {
            toy: text.filter(|_| fen.is_none()),
            fen,
            before: keys[..before].to_vec(),
            moves: moves.map(|code| code.0).collect(),
        }
    }

    fn subject(self) -> Result<Subject, String> {
        let history = History::new(self.before);
        let text = self.fen.or(self.toy).ok_or("no position")?;
        let read = Document::pasted(&text).and_then(|document| document.entry(0));
        let start = read.map_err(|e| e.to_string())?.subject();
        let start = Situation::with_history(start.position.clone(), history);
        let mut subject = Subject::from(start);
        for code in self.moves {
            if !subject.follow(MoveCode(code)) {
                return Err(format!("the move {code} is not possible"));
            }
        }
        Ok(subject)
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl SavedLimits {
    fn of(limits: &Limits) -> SavedLimits {
        SavedLimits {
            nodes: limits.nodes,
            time_ns: limits.time.map(nanoseconds),
            cpu_ns: limits.cpu.map(nanoseconds),
            depth: limits.depth,
            soft_ns: limits.soft.map(nanoseconds),
            playouts: limits.playouts,
            early: match limits.early {
                EndEarly::IfSet => 0,
                EndEarly::ByClock => 1,
                EndEarly::Never => 2,
            },
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes,
            time: self.time_ns.map(Duration::from_nanos),
            cpu: self.cpu_ns.map(Duration::from_nanos),
            depth: self.depth,
            soft: self.soft_ns.map(Duration::from_nanos),
            playouts: self.playouts,
            early: match self.early {
                0 => EndEarly::IfSet,
                1 => EndEarly::ByClock,
                _ => EndEarly::Never,
            },
        }
    }
}

impl SavedSegment {
    fn of(segment: &Segment) -> SavedSegment {
        let Segment {
            start,
            base,
            limits,
            threads,
            choices,
        } = segment;
        let codes = |node| choices.excluded(node).iter().map(|code| code.0).collect();
        SavedSegment {
            depth: start.depth,
            best: start.best.0,
            score: start.score.raw(),
            midway: start.midway,
            events: base.events,
            elapsed_ns: nanoseconds(base.elapsed),
            cpu_ns: nanoseconds(base.cpu),
            totals: SavedTotals::of(&base.totals),
            limits: SavedLimits::of(limits),
            threads: *threads,
            excluded: choices.nodes().map(|node| (node.0, codes(node))).collect(),
        }
    }

    fn segment(&self) -> Segment {
        let mut choices = Choices::default();
        for (node, codes) in &self.excluded {
            let codes: Vec<MoveCode> = codes.iter().map(|&code| MoveCode(code)).collect();
            choices.replace(NodeId(*node), &codes);
        }
        Segment {
            start: Start {
                depth: self.depth,
                best: MoveCode(self.best),
                score: Score::from_raw(self.score),
                midway: self.midway,
                focus: None,
            },
            base: Baseline {
                events: self.events,
                totals: self.totals.totals(),
                elapsed: Duration::from_nanos(self.elapsed_ns),
                cpu: Duration::from_nanos(self.cpu_ns),
            },
            limits: self.limits.limits(),
            threads: self.threads.clamp(1, MOST_THREADS),
            choices: Arc::new(choices),
        }
    }
}

impl SavedTotals {
    fn of(totals: &Totals) -> SavedTotals {
        let fates = FATES.iter().zip(totals.fates);
        let rules = Rule::ALL.into_iter().zip(totals.rules);
        SavedTotals {
            nodes: totals.nodes,
            steps: totals.steps,
            back_ups: totals.back_ups,
            undefined: totals.undefined,
            playouts: totals.playouts,
            unrecorded: totals.unrecorded,
            depth: totals.depth,
            selective_depth: totals.selective_depth,
            fates: fates
                .filter(|(_, n)| *n > 0)
                .map(|(fate, n)| (fate.name.into(), n))
                .collect(),
            rules: rules
                .filter(|(_, n)| *n > 0)
                .map(|(rule, n)| (rule.name().into(), n))
                .collect(),
        }
    }

    fn totals(&self) -> Totals {
        let of =
            |counts: &BTreeMap<String, u64>, name: &str| counts.get(name).copied().unwrap_or(0);
        Totals {
            nodes: self.nodes,
            steps: self.steps,
            back_ups: self.back_ups,
            undefined: self.undefined,
            playouts: self.playouts,
            unrecorded: self.unrecorded,
            depth: self.depth,
            selective_depth: self.selective_depth,
            fates: FATES.each_ref().map(|fate| of(&self.fates, fate.name)),
            rules: Rule::ALL.map(|rule| of(&self.rules, rule.name())),
        }
    }
}

impl SavedPoint {
    fn of(point: &Point) -> SavedPoint {
        SavedPoint {
            event: point.event,
            nodes: point.nodes,
            cpu_ns: nanoseconds(point.cpu),
            expected: point.expected,
            sd: point.sd,
            best: point.best.0,
        }
    }

    fn point(&self) -> Point {
        Point {
            event: self.event,
            nodes: self.nodes,
            cpu: Duration::from_nanos(self.cpu_ns),
            expected: self.expected,
            sd: self.sd,
            best: MoveCode(self.best),
        }
    }
}

impl SavedAudit {
    fn of(row: &AuditRow) -> SavedAudit {
        SavedAudit {
            rule: row.rule.name().into(),
            depth: row.depth,
            pruned: row.pruned,
            tried: row.tried,
            failed: row.failed,
            nodes: row.nodes,
            lost: row.lost,
            decided: row.decided,
            lost_expected: row.lost_expected,
        }
    }

    /// Returns `None` for a rule that is not known.
    fn row(self) -> Option<AuditRow> {
        Some(AuditRow {
            rule: Rule::ALL
                .into_iter()
                .find(|rule| rule.name() == self.rule)?,
            depth: self.depth,
            pruned: self.pruned,
            tried: self.tried,
            failed: self.failed,
            nodes: self.nodes,
            lost: self.lost,
            decided: self.decided,
            lost_expected: self.lost_expected,
        })
    }
}
