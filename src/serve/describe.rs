//! What there is to see of a search, as JSON: nodes, rows, explanations, where it has stopped.

use serde::Serialize;

use super::search::{Reason, Search, Stop, counts_events};
use ::tree::{NodeId, Tree};
use game::{Game as _, MoveCode};
use report::event::FateJson;
use report::event::json::EventJson;
use report::explanation::{self, Telling};
use report::json::{BeliefJson, Name};
use report::lens::Lens;
use report::text::Style;
use report::tree::{self, NodeJson};
use search::explanation::{Block, Part, Phrase};
use search::{AuditRow, Event, StopReason};
use session::breakpoint::Still;
use session::debug::{News, OnlyShown};
use session::{Point, Reader, Row, Session, State};

/// A node, or a legal move at one that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    Node(NodeId),
    Move { parent: NodeId, code: MoveCode },
}

impl Spot {
    /// Finds a node by its number.
    ///
    /// # Errors
    /// If the tree has no such node.
    pub fn of_node(session: &Session, number: u64) -> Result<Spot, String> {
        let node = u32::try_from(number).map(NodeId).ok();
        node.filter(|id| session.tree().contains(*id))
            .map(Spot::Node)
            .ok_or_else(|| format!("found {number}, expected the number of a node of the tree"))
    }

    /// Finds the node to which moves lead, or the last move itself if it has no node.
    ///
    /// # Errors
    /// If a move is not legal, or one before the last has no node.
    pub fn of_line(session: &Session, moves: &str) -> Result<Spot, String> {
        let line = session.subject().read_line(moves);
        let line = line.map_err(|e| e.to_string())?.moves;
        Spot::of_moves(session, &line).ok_or_else(|| {
            format!("found {moves:?}, expected moves of which all but the last are in the tree")
        })
    }

    /// Like [`Spot::of_line`], for legal moves by their codes; `None` if one before the last has no node.
    pub fn of_moves(session: &Session, line: &[MoveCode]) -> Option<Spot> {
        let tree = session.tree();
        let step = |at, code: &MoveCode| tree.child_by_move(at, *code);
        if let Some(node) = line.iter().try_fold(Tree::ROOT, step) {
            return Some(Spot::Node(node));
        }
        let (&code, before) = line.split_last()?;
        let parent = before.iter().try_fold(Tree::ROOT, step)?;
        Some(Spot::Move { parent, code })
    }

    /// The node at which an event happened; for a pruned move the move itself.
    pub fn of_event(session: &Session, event: &Event) -> Spot {
        match *event {
            Event::Prune { parent, m, .. } => {
                let child = session.tree().child_by_move(parent, m);
                child.map_or(Spot::Move { parent, code: m }, Spot::Node)
            }
            _ => Spot::Node(event.node()),
        }
    }

    pub fn node(self) -> Option<NodeId> {
        match self {
            Spot::Node(id) => Some(id),
            Spot::Move { .. } => None,
        }
    }

    /// The moves from the root.
    pub fn moves(self, tree: &Tree) -> Vec<MoveCode> {
        match self {
            Spot::Node(id) => tree.moves_to(id),
            Spot::Move { parent, code } => {
                let mut moves = tree.moves_to(parent);
                moves.push(code);
                moves
            }
        }
    }

    /// Its row among the moves of its parent; `None` for the root.
    pub fn row(self, reader: &Reader) -> Option<Row> {
        let (parent, code) = match self {
            Spot::Node(Tree::ROOT) => return None,
            Spot::Node(id) => {
                let node = reader.tree.node(id);
                (node.parent(), node.move_code())
            }
            Spot::Move { parent, code } => (parent, code),
        };
        let mut rows = reader.rows(parent).into_iter();
        rows.find(|row| row.move_code == code)
    }
}

/// Everything about one node.
#[derive(Serialize, Debug)]
pub struct NodeReport {
    /// `null` for a move without a node.
    pub node: Option<u32>,
    pub parent: Option<u32>,
    pub ply: usize,
    /// The moves from the root.
    pub line: Vec<String>,
    /// `null` in a toy tree.
    pub fen: Option<String>,
    /// Who moves there.
    pub side: Option<&'static str>,
    /// From the view of the side to move; for a move without a node, of the side that plays it.
    #[serde(flatten)]
    pub figures: NodeJson,
    pub belief: Option<BeliefJson>,
    pub best: Option<Name>,
    /// The best line from here.
    pub pv: Vec<String>,
}

/// Describes a node, or a move without one; `None` if the move is not legal.
pub fn node(session: &Session, spot: Spot) -> Option<NodeReport> {
    let reader = session.reader();
    let moves = spot.moves(reader.tree);
    let line = reader.names(Tree::ROOT, &moves);
    let mut report = NodeReport {
        node: spot.node().map(|id| id.0),
        parent: None,
        ply: moves.len(),
        line: line.into_iter().map(|m| m.san).collect(),
        fen: None,
        side: None,
        figures: match spot {
            Spot::Node(id) => tree::node(&reader, id),
            Spot::Move { .. } => tree::row(&reader, &spot.row(&reader)?),
        },
        belief: None,
        best: None,
        pv: Vec::new(),
    };
    match spot {
        Spot::Move { parent, .. } => report.parent = Some(parent.0),
        Spot::Node(id) => {
            let parent = reader.tree.node(id).parent();
            report.parent = (!parent.is_none()).then_some(parent.0);
            report.figures.name = spot.row(&reader).map(|row| Name {
                uci: row.uci,
                san: row.label,
            });
            if let Some(at) = reader.situation(id) {
                report.fen = at.position.fen();
                report.side = Some(at.position.side_name(at.position.turn()));
            }
            let belief = reader.belief(id);
            report.belief = belief.and_then(|b| BeliefJson::new(&b, reader.tree.grid()));
            let pv = reader.best_names(id);
            report.best = pv.first().map(Name::from);
            report.pv = pv.into_iter().map(|m| m.san).collect();
        }
    }
    Some(report)
}

/// A legal move at a node.
#[derive(Serialize, Debug)]
pub struct RowReport {
    /// `null` for a move without a node.
    pub node: Option<u32>,
    /// From the view of the side that plays the move.
    #[serde(flatten)]
    pub figures: NodeJson,
}

impl RowReport {
    pub fn new(reader: &Reader, row: &Row) -> RowReport {
        RowReport {
            node: row.id.node().map(|id| id.0),
            figures: tree::row(reader, row),
        }
    }
}

/// A phrase of an explanation.
#[derive(Serialize, Debug)]
pub struct PhraseReport {
    pub text: String,
    /// The number, if the phrase is nothing else.
    pub value: Option<f64>,
}

#[derive(Serialize, Debug)]
pub struct FactReport {
    pub name: &'static str,
    #[serde(flatten)]
    pub value: PhraseReport,
}

/// A table about a node's children.
#[derive(Serialize, Debug)]
pub struct BlockReport {
    pub title: &'static str,
    pub formula: Option<String>,
    pub columns: Vec<&'static str>,
    pub rows: Vec<BlockRow>,
    pub notes: Vec<String>,
}

#[derive(Serialize, Debug)]
pub struct BlockRow {
    pub node: u32,
    #[serde(rename = "move")]
    pub name: String,
    pub cells: Vec<PhraseReport>,
}

/// Why a node is as it is.
#[derive(Serialize, Debug)]
pub struct ExplanationReport {
    pub node: Option<u32>,
    pub line: Vec<String>,
    /// The reason as a sentence.
    pub why: String,
    /// The fate with the numbers that decided it.
    pub decided: FateJson,
    pub sentences: Vec<String>,
    pub facts: Vec<FactReport>,
    pub blocks: Vec<BlockReport>,
}

/// Explains a node as the inspector does; `None` if the move is not legal.
pub fn explain(session: &Session, spot: Spot, lens: Lens) -> Option<ExplanationReport> {
    let reader = session.reader();
    let line = reader.names(Tree::ROOT, &spot.moves(reader.tree));
    let (why, view) = match spot {
        Spot::Node(id) => (lens.why_node(&reader, id), reader.view(id)),
        Spot::Move { .. } => {
            let row = spot.row(&reader)?;
            (lens.why(&reader, &row), row.view)
        }
    };
    let decided = FateJson::of(&reader, &view);
    let mut report = ExplanationReport {
        node: spot.node().map(|id| id.0),
        line: line.into_iter().map(|m| m.san).collect(),
        why,
        decided,
        sentences: Vec::new(),
        facts: Vec::new(),
        blocks: Vec::new(),
    };
    let Spot::Node(id) = spot else {
        return Some(report);
    };
    let scores = lens.at(&reader, id);
    let explained = reader.explain(id, scores.viewpoint(), Some(session.config().seed));
    let shown = scores.as_shown();
    let text = |phrase: &Phrase| explanation::text(&reader, id, phrase, &shown);
    let name = |child| explanation::child_name(&reader, id, child);
    let told = |telling: &mut Telling<_>, phrase: &Phrase| PhraseReport {
        text: telling.text(phrase, name),
        value: match phrase.as_slice() {
            [Part::Number(value, _)] => Some(*value),
            _ => None,
        },
    };
    let block = |block: &Block| BlockReport {
        title: block.title,
        formula: block.formula.as_ref().map(text),
        columns: block.columns.iter().map(|c| c.name).collect(),
        rows: block
            .rows
            .iter()
            .map(|row| BlockRow {
                node: row.child.0,
                name: reader.label(id, reader.tree.node(row.child).move_code()),
                cells: {
                    let telling = &mut Telling::new(&shown);
                    let cells = row.cells.iter();
                    cells.map(|(_, cell)| told(telling, cell)).collect()
                },
            })
            .collect(),
        notes: block.notes.iter().map(|(_, note)| text(note)).collect(),
    };
    report.sentences = explained.sentences.iter().map(text).collect();
    let facts = explained.facts.iter();
    report.facts = facts
        .map(|fact| FactReport {
            name: fact.name,
            value: told(&mut Telling::new(&shown), &fact.value),
        })
        .collect();
    report.blocks = explained.blocks.iter().map(block).collect();
    Some(report)
}

/// What came up while the search was driven.
#[derive(Serialize, Debug, Clone)]
pub struct NewsReport {
    pub kind: &'static str,
    pub text: String,
}

impl From<News> for NewsReport {
    fn from(news: News) -> NewsReport {
        let kind = match news {
            News::TreeReplaced => "tree-replaced",
            News::OneThread => "one-thread",
            News::NewBeginning => "new-beginning",
            News::NoRoomForCopy => "no-room-for-copy",
            News::NoRoomForAnother => "no-room-for-another",
            News::AtTheBeginning => "at-the-beginning",
            News::NotRepeatable => "not-repeatable",
            News::AgainByOne => "again-by-one",
            News::HasEnded => "has-ended",
            News::OnlyShown(_) => "only-shown",
            News::RunsAgain => "runs-again",
        };
        let text = match news {
            // Those that name keys of the workbench.
            News::TreeReplaced => "the search was run again: the tree is another one".into(),
            News::NotRepeatable => {
                "what several threads did can't be run again: start with one thread to step back"
                    .into()
            }
            News::HasEnded => "the search has ended: it can only be stepped back".into(),
            News::OnlyShown(OnlyShown::Leaf) => {
                "a leaf's search is shown as it was and can't be changed".into()
            }
            other => other.to_string(),
        };
        NewsReport { kind, text }
    }
}

/// Where a search has stopped, or that it runs.
#[derive(Serialize, Debug)]
pub struct StopReport {
    pub session: u64,
    /// `running`, `paused` or `finished`.
    pub state: &'static str,
    /// `null` while it runs.
    pub reason: Option<&'static str>,
    /// The number of the breakpoint.
    pub breakpoint: Option<usize>,
    /// What ended the search.
    pub stopped_by: Option<StopReason>,
    /// The number of the last event that has happened; `null` while it runs, and after a run of several threads, whose events
    /// have no numbers.
    pub at: Option<u64>,
    /// That event, if the search was followed from event to event.
    pub event: Option<EventJson>,
    pub news: Vec<NewsReport>,
}

/// Describes where a search has stopped.
pub fn stop(number: u64, search: &Search, stop: Option<&Stop>, news: Vec<News>) -> StopReport {
    let event = stop
        .and_then(|stop| stop.standing.as_ref())
        .zip(search.session());
    let ended = stop.and_then(|stop| stop.ended);
    StopReport {
        session: number,
        state: match (stop, ended) {
            (None, _) => "running",
            (Some(_), None) => "paused",
            (Some(_), Some(_)) => "finished",
        },
        reason: stop.map(|stop| stop.reason.name()),
        breakpoint: match stop.map(|stop| stop.reason) {
            Some(Reason::Breakpoint(number)) => Some(number),
            _ => None,
        },
        stopped_by: ended,
        at: stop
            .map(|stop| stop.at)
            .filter(|_| search.session().is_some_and(counts_events)),
        event: event.map(|(at, session)| {
            EventJson::new(&session.reader(), at.number, &at.event, Style::default())
        }),
        news: news.into_iter().map(NewsReport::from).collect(),
    }
}

/// The figures of a search at one moment.
#[derive(Serialize, Debug)]
pub struct StatusReport {
    pub algorithm: String,
    /// `running`, `paused` or `finished`.
    pub state: &'static str,
    pub stopped_by: Option<StopReason>,
    /// What broke the search off, if anything did.
    pub fault: Option<String>,
    pub nodes: u64,
    pub nodes_per_second: f64,
    pub time_ms: u64,
    pub cpu_ms: u64,
    pub threads: usize,
    pub tree_nodes: u32,
    pub tree_bytes: u64,
    pub tree_full: bool,
    /// Where it is in its sequence of events.
    pub events: EventsReport,
}

/// The earliest event that can be gone back to, the last one that has happened, and the last one that was ever seen.
#[derive(Serialize, Debug)]
pub struct EventsReport {
    pub first: u64,
    /// `null` while it runs freely, and after a run of several threads, whose events have no numbers.
    pub now: Option<u64>,
    pub last: u64,
    /// How much of the way to an event is done, in [0, 1].
    pub under_way: Option<f32>,
}

impl StatusReport {
    pub fn new(session: &Session) -> StatusReport {
        let status = session.status();
        let place = session.event_position();
        let (state, stopped_by) = match status.state {
            State::Running => ("running", None),
            State::Paused => ("paused", None),
            State::Finished(reason) => ("finished", Some(reason)),
        };
        StatusReport {
            algorithm: session.config().name().to_owned(),
            state,
            stopped_by,
            fault: session.fault().map(|fault| fault.to_string()),
            nodes: status.totals.nodes,
            nodes_per_second: status.nodes_per_second().round(),
            time_ms: status.elapsed.as_millis() as u64,
            cpu_ms: status.cpu.as_millis() as u64,
            threads: status.threads,
            tree_nodes: session.tree().count(),
            tree_bytes: status.tree_bytes,
            tree_full: status.tree_full,
            events: EventsReport {
                first: place.first,
                now: Some(place.now).filter(|_| state != "running" && counts_events(session)),
                last: place.last,
                under_way: place.under_way,
            },
        }
    }
}

/// What the search believed about its root at one moment.
#[derive(Serialize, Debug)]
pub struct PointReport {
    pub event: u64,
    pub nodes: u64,
    pub cpu_ms: u64,
    pub expected: Option<f32>,
    pub sd: Option<f32>,
    pub best: Option<String>,
}

impl PointReport {
    pub fn new(session: &Session, point: &Point) -> PointReport {
        let best = (point.best != MoveCode::NONE).then_some(point.best);
        PointReport {
            event: point.event,
            nodes: point.nodes,
            cpu_ms: point.cpu.as_millis() as u64,
            expected: point.expected,
            sd: point.sd,
            best: best.map(|code| session.reader().label(Tree::ROOT, code)),
        }
    }
}

/// Returns a search for expressions about it, at the event at which it has stopped.
pub fn still(session: &Session) -> Still<'_> {
    let status = session.status();
    let count = |rows: &Vec<AuditRow>| {
        let sum = |f: fn(&AuditRow) -> u64| rows.iter().map(f).sum();
        (sum(|row| row.tried), sum(|row| row.failed))
    };
    Still {
        reader: session.reader(),
        event: session.standing().map(|at| at.event),
        nodes: status.totals.nodes,
        audited: status.audit.as_ref().map(count),
    }
}
