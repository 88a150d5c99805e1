//! Reading the tree and the log.

use serde::Serialize;
use serde_json::json;

use super::control::started;
use super::{Call, needed};
use crate::describe::{self, PointReport, RowReport, Spot, StatusReport, still};
use crate::rpc::desk::{Desks, Outcome, answer};
use crate::rpc::message::RpcError;
use report::answer as answers;
use report::event::json::EventJson;
use report::lens::{Lens, Scores};
use report::text::Style;
use session::breakpoint::{Breakpoint, Measure, Predicate};
use session::{NodeValue, Reader, Row};
use tree::{NodeId, NodeView, Tree};

pub fn status(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    answer(&StatusReport::new(desks.session(call)?))
}

pub fn node(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let session = desks.session(call)?;
    let spot = call.spot(session)?;
    answer(&describe::node(session, spot).ok_or_else(not_legal)?)
}

pub fn explain(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let session = desks.session(call)?;
    let spot = call.spot(session)?;
    answer(&describe::explain(session, spot, Lens::OWN).ok_or_else(not_legal)?)
}

fn not_legal() -> RpcError {
    RpcError::parameter("line", "expected legal moves")
}

/// The order of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Preference,
    Recorded,
    Nodes,
    Visits,
    Value,
    Policy,
    Sd,
}

const SORTS: [(&str, Sort); 7] = [
    ("preference", Sort::Preference),
    ("recorded", Sort::Recorded),
    ("nodes", Sort::Nodes),
    ("visits", Sort::Visits),
    ("value", Sort::Value),
    ("policy", Sort::Policy),
    ("sd", Sort::Sd),
];

impl Sort {
    /// Returns the rows, the greatest figure first; moves without one come last.
    fn rows(self, reader: &Reader, node: NodeId) -> Vec<Row> {
        let mut rows = match self {
            Sort::Recorded => return reader.rows(node),
            _ => reader.rows_best_first(node),
        };
        let key = |row: &Row| match self {
            Sort::Nodes => row.view.nodes as f64,
            Sort::Visits => f64::from(row.view.visits),
            Sort::Value => row.view.expected.map_or(-2.0, f64::from),
            Sort::Policy => row.view.policy.map_or(-1.0, f64::from),
            Sort::Sd => row.belief.as_ref().map_or(-1.0, |b| f64::from(b.sd)),
            Sort::Preference | Sort::Recorded => 0.0,
        };
        rows.sort_by(|a, b| key(b).total_cmp(&key(a)));
        rows
    }
}

pub fn rows(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let given = &call.parameters;
    let sort = given.word("sort", &SORTS)?.unwrap_or(Sort::Preference);
    let offset = given.whole("offset", 0, u32::MAX.into())?.unwrap_or(0) as usize;
    let count = given.whole("count", 0, u32::MAX.into())?;
    let filter = given.text("filter")?;
    let session = desks.session(call)?;
    let spot = call.spot(session)?;
    let filter = filter
        .map(|text| Predicate::parse(&text, session.subject()))
        .transpose()
        .map_err(|e| RpcError::parameter("filter", e.to_string()))?;
    let reader = session.reader();
    let mut rows = spot
        .node()
        .map_or_else(Vec::new, |node| sort.rows(&reader, node));
    if let Some(filter) = filter {
        let still = still(session);
        let fits = |row: &Row| row.id.node().is_some_and(|id| filter.holds_at(&still, id));
        rows.retain(fits);
    }
    let total = rows.len();
    let shown = rows.iter().skip(offset);
    let shown = shown.take(count.map_or(usize::MAX, |n| n as usize));
    let rows: Vec<RowReport> = shown.map(|row| RowReport::new(&reader, row)).collect();
    #[derive(Serialize)]
    struct RowsReport {
        node: Option<u32>,
        total: usize,
        rows: Vec<RowReport>,
    }
    answer(&RowsReport {
        node: spot.node().map(|id| id.0),
        total,
        rows,
    })
}

pub fn why_not(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let session = desks.session(call)?;
    let (parent, code) = match call.spot(session)? {
        Spot::Node(Tree::ROOT) => {
            return Err(RpcError::parameter(
                "line",
                "found the root, expected a move",
            ));
        }
        Spot::Node(id) => {
            let node = session.tree().node(id);
            (node.parent(), node.move_code())
        }
        Spot::Move { parent, code } => (parent, code),
    };
    let reader = session.reader();
    let found = reader.answer(parent, code).ok_or_else(not_legal)?;
    let scale = reader.scale();
    let scores = Scores::plain(scale);
    let value = |view: &NodeView| scores.value(&NodeValue::of(view, scale), None);
    answer(&json!({
        "question": answers::question(&reader, &found),
        "verdict": answers::verdict(&reader, &found, &value),
        "effort": answers::effort(&reader, &found),
        "assumption": answers::assumption(&found),
        "is_best": found.is_best,
        "place": found.place.0,
        "of": found.place.1,
    }))
}

pub fn measure(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let text = call.parameters.text("text")?;
    let text = needed(text, "text", "an expression such as `sd of \"e4\"`")?;
    let session = desks.session(call)?;
    let node = call.spot(session)?.node().ok_or_else(not_legal)?;
    let named = call.names_node();
    let still = still(session);
    let number = Measure::parse(&text, session.subject());
    if let Ok(measure) = &number {
        let value = match named {
            true => measure.at(&still, node),
            false => measure.of(&still),
        };
        return answer(&json!({ "value": value }));
    }
    match (Predicate::parse(&text, session.subject()), number) {
        (Ok(claim), _) => {
            let holds = match named {
                true => claim.holds_at(&still, node),
                false => claim.holds(&still),
            };
            answer(&json!({ "holds": holds }))
        }
        (Err(e), _) => Err(RpcError::parameter("text", e.to_string())),
    }
}

/// The events in an answer at most.
const MOST_EVENTS: u64 = 10_000;

pub fn events(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let given = &call.parameters;
    let count = given.whole("count", 1, MOST_EVENTS)?.unwrap_or(100) as usize;
    let from = given.whole("from", 0, u64::MAX)?;
    let filter = given.text("filter")?;
    let session = desks.session(call)?;
    let filter = filter
        .map(|text| Breakpoint::parse(&text, session.subject()))
        .transpose()
        .map_err(|e| RpcError::parameter("filter", e.to_string()))?;
    let reader = session.reader();
    let fits = |event: &search::Event| {
        let filter = filter.as_ref();
        filter.is_none_or(|filter| filter.holds(event, reader.tree))
    };
    let now = session.event_position().now;
    let (first, end, found) = session.with_log(|log| {
        let known = log.iter().filter(|(n, event)| *n <= now && fits(event));
        let copy = |(n, event): (u64, &search::Event)| (n, event.clone());
        let found: Vec<(u64, search::Event)> = match from {
            Some(from) => {
                let later = known.filter(|(n, _)| *n >= from);
                later.take(count).map(copy).collect()
            }
            None => {
                let mut last: Vec<_> = known.rev().take(count).map(copy).collect();
                last.reverse();
                last
            }
        };
        (log.first(), log.end().min(now + 1), found)
    });
    let events: Vec<EventJson> = found
        .iter()
        .map(|(n, event)| EventJson::new(&reader, *n, event, Style::default()))
        .collect();
    #[derive(Serialize)]
    struct LogReport {
        /// The first event that is kept, and the number after the last.
        first: u64,
        end: u64,
        events: Vec<EventJson>,
    }
    answer(&LogReport { first, end, events })
}

pub fn progress(desks: &mut Desks, call: &Call) -> Result<Outcome, RpcError> {
    let after = call.parameters.whole("after", 0, u64::MAX)?.unwrap_or(0);
    let session = &*started(desks, call)?;
    let Some(session) = session.search.session() else {
        return Err(super::not_started());
    };
    let all = session.progress();
    let skipped = usize::try_from(after).unwrap_or(usize::MAX);
    let points: Vec<PointReport> = all
        .iter()
        .skip(skipped)
        .map(|point| PointReport::new(session, point))
        .collect();
    #[derive(Serialize)]
    struct ProgressReport {
        total: usize,
        points: Vec<PointReport>,
    }
    answer(&ProgressReport {
        total: all.len(),
        points,
    })
}
