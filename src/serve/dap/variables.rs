//! What there is to see of a stopped search, as variables that open.

use serde::Serialize;
use serde_json::{Value, json};

use super::stack::summary;
use crate::describe::{self, Spot, StatusReport};
use report::lens::Lens;
use session::{Reader, Session};
use tree::NodeId;

/// Something that can be opened.
#[derive(Clone, Debug)]
enum Handle {
    Figures(Spot),
    Belief(NodeId),
    Why(Spot),
    Moves(NodeId),
    Search,
    Json(Value),
}

/// What the editor may open until the search goes on; it calls each by its place in the list, from 1.
#[derive(Debug, Default)]
pub struct Variables {
    handles: Vec<Handle>,
}

/// The figures of a node that come first.
const FIRST: [&str; 16] = [
    "expected", "value", "cp", "mate", "bound", "lower", "upper", "sd", "window", "static",
    "policy", "nodes", "visits", "fate", "why", "best",
];

/// Those that are shown elsewhere.
const ELSEWHERE: [&str; 2] = ["belief", "line"];

impl Variables {
    /// Forgets everything: the search goes on.
    pub fn forget(&mut self) {
        self.handles.clear();
    }

    fn reference(&mut self, handle: Handle) -> usize {
        self.handles.push(handle);
        self.handles.len()
    }

    /// Returns the scopes of a frame.
    pub fn scopes(&mut self, spot: Spot) -> Value {
        let mut scopes = vec![("Node", Handle::Figures(spot)), ("Why", Handle::Why(spot))];
        if let Spot::Node(id) = spot {
            scopes.extend([("Belief", Handle::Belief(id)), ("Moves", Handle::Moves(id))]);
        }
        scopes.push(("Search", Handle::Search));
        let scope = |(name, handle)| {
            let reference = self.reference(handle);
            json!({"name": name, "variablesReference": reference, "expensive": false})
        };
        let scopes: Vec<Value> = scopes.into_iter().map(scope).collect();
        json!({ "scopes": scopes })
    }

    /// Returns a variable for a node or move.
    pub fn of_spot(&mut self, reader: &Reader, spot: Spot) -> (String, usize) {
        let text = match spot.row(reader) {
            Some(row) => summary(reader, &row),
            None => {
                let view = reader.view(tree::Tree::ROOT);
                super::stack::LENS.row(reader, &view, None).value()
            }
        };
        (text, self.reference(Handle::Figures(spot)))
    }

    /// Returns the line to the node of a variable in an opened list of moves, for watching it.
    pub fn line_of(&self, session: &Session, reference: u64, name: &str) -> Option<String> {
        let index = usize::try_from(reference).ok()?.checked_sub(1)?;
        let spot = match self.handles.get(index)? {
            Handle::Moves(id) => {
                let reader = session.reader();
                let rows = reader.rows(*id);
                let row = rows.iter().find(|row| row.label == name)?;
                row.id.node().map(Spot::Node)?
            }
            Handle::Figures(spot @ Spot::Node(_)) => *spot,
            Handle::Belief(id) | Handle::Why(Spot::Node(id)) => Spot::Node(*id),
            _ => return None,
        };
        let moves = spot.moves(session.tree());
        let names = session.reader().names(tree::Tree::ROOT, &moves);
        let names: Vec<String> = names.into_iter().map(|m| m.san).collect();
        Some(match names.is_empty() {
            true => "root".into(),
            false => names.join(" "),
        })
    }

    /// Opens something; `None` if it is not known any more.
    pub fn open(&mut self, session: &Session, reference: u64) -> Option<Value> {
        let index = usize::try_from(reference).ok()?.checked_sub(1)?;
        let variables = match self.handles.get(index)?.clone() {
            Handle::Figures(spot) => self.figures(session, spot),
            Handle::Belief(id) => self.belief(session, id),
            Handle::Why(spot) => self.why(session, spot),
            Handle::Moves(id) => self.moves(session, id),
            Handle::Search => {
                let mut pairs = pairs(&StatusReport::new(session));
                let line = session.reader().best_names(tree::Tree::ROOT);
                let line: Vec<String> = line.into_iter().map(|m| m.san).collect();
                pairs.insert(0, ("line".into(), json!(line.join(" "))));
                self.of_pairs(pairs)
            }
            Handle::Json(value) => self.of_pairs(parts(value)),
        };
        Some(json!({ "variables": variables }))
    }

    fn figures(&mut self, session: &Session, spot: Spot) -> Vec<Value> {
        let Some(report) = describe::node(session, spot) else {
            return Vec::new();
        };
        let mut pairs = pairs(&report);
        pairs.retain(|(name, value)| !ELSEWHERE.contains(&name.as_str()) && !value.is_null());
        let place = |name: &str| FIRST.iter().position(|f| *f == name);
        pairs.sort_by_key(|(name, _)| place(name).unwrap_or(FIRST.len()));
        let mut variables = self.of_pairs(pairs);
        if let Spot::Node(id) = spot
            && session.tree().node(id).child_count() > 0
        {
            let reference = self.reference(Handle::Moves(id));
            variables.push(json!({"name": "moves", "value": "", "variablesReference": reference}));
        }
        variables
    }

    fn belief(&mut self, session: &Session, id: NodeId) -> Vec<Value> {
        let Some(belief) = session.reader().belief(id) else {
            return Vec::new();
        };
        let grid = session.tree().grid();
        let mut pairs = vec![
            ("mean".to_owned(), number(belief.mean)),
            ("sd".to_owned(), number(belief.sd)),
        ];
        for percent in [5_u8, 25, 50, 75, 95] {
            let at = belief.quantile(f32::from(percent) / 100.0, grid);
            pairs.push((format!("{percent} %"), number(at)));
        }
        let report = report::json::BeliefJson::new(&belief, grid);
        if let Some(report) = report {
            let whole = exact(&report);
            for name in ["kind", "pmf", "edges"] {
                pairs.push((name.to_owned(), whole[name].clone()));
            }
        }
        self.of_pairs(pairs)
    }

    fn why(&mut self, session: &Session, spot: Spot) -> Vec<Value> {
        let Some(report) = describe::explain(session, spot, Lens::OWN) else {
            return Vec::new();
        };
        let mut pairs = vec![("why".to_owned(), json!(report.why))];
        if !report.sentences.is_empty() {
            pairs.push(("also".to_owned(), json!(report.sentences.join(" "))));
        }
        for fact in &report.facts {
            pairs.push((fact.name.to_owned(), json!(fact.value.text)));
        }
        for block in &report.blocks {
            let mut rows: Vec<(String, Value)> = Vec::new();
            if let Some(formula) = &block.formula {
                rows.push(("formula".into(), json!(formula)));
            }
            for row in &block.rows {
                let cells = row.cells.iter().enumerate().map(|(i, cell)| {
                    let column = block.columns.get(i).copied().unwrap_or_default();
                    format!("{column} {}", cell.text).trim().to_owned()
                });
                rows.push((
                    row.name.clone(),
                    json!(cells.collect::<Vec<_>>().join(" · ")),
                ));
            }
            let notes = block.notes.iter();
            rows.extend(notes.map(|note| ("note".to_owned(), json!(note))));
            let rows: Vec<Value> = rows.into_iter().map(|(n, v)| json!([n, v])).collect();
            pairs.push((block.title.to_owned(), json!({ NAMED: rows })));
        }
        self.of_pairs(pairs)
    }

    fn moves(&mut self, session: &Session, id: NodeId) -> Vec<Value> {
        let reader = session.reader();
        let rows = reader.rows_best_first(id);
        let of_row = |row: &session::Row| {
            let spot = match row.id.node() {
                Some(id) => Spot::Node(id),
                None => Spot::Move {
                    parent: id,
                    code: row.move_code,
                },
            };
            let reference = self.reference(Handle::Figures(spot));
            json!({
                "name": row.label,
                "value": summary(&reader, row),
                "variablesReference": reference,
            })
        };
        rows.iter().map(of_row).collect()
    }

    fn of_pairs(&mut self, pairs: Vec<(String, Value)>) -> Vec<Value> {
        let of_pair = |(name, value): (String, Value)| {
            let (text, opens) = match &value {
                Value::String(text) => (text.clone(), false),
                Value::Array(list) => (format!("{} values", list.len()), !list.is_empty()),
                Value::Object(map) if map.contains_key(NAMED) => (String::new(), true),
                Value::Object(map) => (
                    map.get("san").or(map.get("name")).map_or_else(
                        || value.to_string(),
                        |name| name.as_str().unwrap_or_default().to_owned(),
                    ),
                    true,
                ),
                other => (other.to_string(), false),
            };
            let reference = if opens {
                self.reference(Handle::Json(value))
            } else {
                0
            };
            json!({"name": name, "value": text, "variablesReference": reference})
        };
        pairs.into_iter().map(of_pair).collect()
    }
}

/// The key of a list of named values in an order of its own.
const NAMED: &str = "named";

/// Returns a value with its numbers as they are written.
fn exact(of: &impl Serialize) -> Value {
    let text = serde_json::to_string(of).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn number(of: f32) -> Value {
    exact(&of)
}

fn pairs(of: &impl Serialize) -> Vec<(String, Value)> {
    parts(exact(of))
}

/// Returns the parts of an object or a list by their names.
fn parts(value: Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(mut map) => match map.remove(NAMED) {
            Some(Value::Array(list)) => list
                .into_iter()
                .map(|pair| {
                    let name = pair[0].as_str().unwrap_or_default().to_owned();
                    (name, pair[1].clone())
                })
                .collect(),
            _ => map.into_iter().collect(),
        },
        Value::Array(list) => {
            let numbered = list.into_iter().enumerate();
            numbered.map(|(i, value)| (i.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}
