//! A line's record.

use super::fields::Fields;
use super::scan::Inner;
use crate::header::{Header, NumberUnit};
use crate::limits;
use crate::names::{MoveId, Names};
use crate::record::{Bound, Child, NodeId, Record, RecordKind, Reply, SearchStart, Side, Told};
use crate::scratch::{NO_SEARCH, Scratch, told};
use crate::trouble::Cause;
use crate::value::{Share, Value};

/// What a line means.
#[derive(Debug, PartialEq)]
pub(crate) enum Read {
    Record(Record<'static>),
    /// An event that cannot be used.
    BadEvent,
    /// Nothing that can be used.
    Nothing,
}

/// Decodes the record of one line.
pub(crate) struct Decode<'a> {
    pub header: &'a Header,
    pub names: &'a Names,
    pub fields: &'a Fields<'a>,
    pub scratch: &'a mut Scratch,
}

impl Decode<'_> {
    pub(crate) fn record(&mut self) -> Read {
        let fields = self.fields;
        if fields.has("plyscope-trace") {
            fields.note(Cause::SecondHeader);
            return Read::Nothing;
        }
        let Some(name) = fields.needed("kind", fields.text("kind")) else {
            return Read::Nothing;
        };
        let Some(kind) = RecordKind::named(name) else {
            fields.found(Cause::UnknownKind, name);
            return Read::Nothing;
        };
        match self.of_kind(kind) {
            Some(record) => {
                fields.finish();
                Read::Record(record)
            }
            None if kind.is_event() => Read::BadEvent,
            None => Read::Nothing,
        }
    }

    /// Returns `None` if a field is missing without which the record says nothing.
    fn of_kind(&mut self, kind: RecordKind) -> Option<Record<'static>> {
        let (fields, header, names) = (self.fields, self.header, self.names);
        let value = |name| fields.value(header, name);
        let m = |name| fields.m(names, name);
        let node = |name| fields.needed(name, fields.node(name));
        Some(match kind {
            RecordKind::Search => {
                self.search();
                Record::Search(&NO_SEARCH)
            }
            RecordKind::Iteration => Record::Iteration {
                depth: fields.depth("depth"),
            },
            RecordKind::IterationDone => Record::IterationDone {
                best: m("best"),
                value: value("value"),
                depth: fields.depth("depth"),
            },
            RecordKind::Pass => Record::Pass {
                window: fields.window(header).unwrap_or_default(),
                depth: fields.depth("depth"),
            },
            RecordKind::PassDone => Record::PassDone {
                value: value("value"),
            },
            RecordKind::Enter => {
                if !fields.has("move") {
                    fields.found(Cause::MissingField, "move");
                }
                Record::Enter {
                    m: m("move"),
                    window: fields.window(header),
                    depth: fields.depth("depth"),
                    ply: fields.whole("ply", 0, limits::DEPTH).map(|ply| ply as u16),
                    side: self.side(),
                }
            }
            RecordKind::Leave => Record::Leave {
                value: value("value"),
                bound: fields.word("bound", &Bound::ALL, Bound::name),
                best: m("best"),
                nodes: fields.count("nodes").filter(|nodes| *nodes > 0),
            },
            RecordKind::Evaluate => Record::Evaluate {
                value: Some(fields.needed("value", value("value"))?),
                sd: value("sd").filter(|sd| sd.get() > 0.0),
            },
            RecordKind::Stand => Record::Stand {
                value: Some(fields.needed("value", value("value"))?),
            },
            RecordKind::Moves => self.moves()?,
            RecordKind::Why => Record::Why(self.reason()),
            RecordKind::Prune => Record::Prune {
                m: m("move"),
                why: self.reason(),
            },
            RecordKind::Try => Record::Try(self.reason()),
            RecordKind::Tried => Record::Tried {
                value: value("value"),
            },
            RecordKind::DepthChange => Record::DepthChange {
                plies: fields.needed("plies", fields.depth("plies"))?,
                reason: match fields.has("why") {
                    true => self.reason_number().unwrap_or(0),
                    false => 0,
                },
            },
            RecordKind::BackUp => Record::BackUp {
                m: m("move"),
                worth: Some(fields.needed("worth", value("worth"))?),
            },
            RecordKind::Unwind => Record::Unwind {
                open: fields.needed("open", fields.small("open"))?,
            },
            RecordKind::Expand => self.expand()?,
            RecordKind::Visit => Record::Visit {
                node: node("node")?,
                value: fields.needed("value", value("value")),
                weight: fields.small("weight").unwrap_or(1),
            },
            RecordKind::Update => Record::Update {
                node: node("node")?,
                visits: fields.count("visits"),
                value: value("value"),
                prior: fields.share("prior"),
                sd: value("sd").filter(|sd| sd.get() > 0.0),
                urgency: value("urgency"),
                nodes: fields.count("nodes").unwrap_or(0),
            },
            RecordKind::At => Record::At {
                node: node("node")?,
            },
            RecordKind::Edge => Record::Edge {
                node: node("node")?,
                m: m("move"),
                to: node("to")?,
            },
            RecordKind::Prove => Record::Prove {
                node: node("node")?,
                lower: value("lower"),
                upper: value("upper"),
                plies: fields
                    .whole("plies", 0, limits::DEPTH)
                    .map(|plies| plies as u16),
            },
            RecordKind::BestChange => Record::BestChange { to: m("to") },
            RecordKind::End => Record::End(Reply {
                nodes: fields.count("nodes").filter(|nodes| *nodes > 0),
                best: m("best"),
                value: value("value"),
                stopped_by: fields.clean("stopped-by").map(|text| {
                    self.scratch.text = text;
                    ""
                }),
            }),
            RecordKind::Key => Record::Key(fields.needed("key", fields.hex("key"))?),
            RecordKind::Note => {
                self.scratch.text = fields.needed("text", fields.clean("text"))?;
                Record::Note("")
            }
            RecordKind::Render => {
                let text = fields.needed("text", fields.text("text"))?;
                self.render(text);
                Record::Render("")
            }
            RecordKind::Skip => Record::Skip {
                events: fields.needed("events", fields.count("events"))?,
                nodes: fields.count("nodes").unwrap_or(0),
            },
            RecordKind::Mark => Record::Mark {
                n: fields.needed("n", fields.count("n"))?,
                hash: fields.hex("hash"),
                waiting: fields.boolean("waiting").unwrap_or(false),
            },
        })
    }

    fn side(&self) -> Option<Side> {
        self.fields.word("side", &Side::ALL, Side::name)
    }

    fn search(&mut self) {
        let fields = self.fields;
        let mut search = SearchStart {
            fen: fields.clean("fen"),
            root: fields.clean("root"),
            moves: Vec::new(),
            side: self.side(),
            limits: self.words("limits").map(|all| {
                let said = all.into_iter().map(|(name, value)| match name.as_str() {
                    "" => value,
                    _ => format!("{name} {value}"),
                });
                said.collect::<Vec<_>>().join(", ")
            }),
            options: self.words("options").unwrap_or_default(),
            seed: fields.clean_any("seed"),
            threads: fields.small("threads"),
        };
        if fields.is_nested("moves") {
            fields.inside("moves", |_, inner| match inner {
                Inner::Text(name) if search.moves.len() < limits::PLAYED => {
                    search
                        .moves
                        .push(crate::names::harmless(name, limits::NAME));
                }
                Inner::Text(_) => {}
                _ => fields.found(Cause::BadField, "moves"),
            });
        } else if let Some(text) = fields.text("moves") {
            let moves = text.split_whitespace().take(limits::PLAYED);
            search.moves = moves
                .map(|name| crate::names::harmless(name, limits::NAME))
                .collect();
        }
        self.scratch.search = search;
    }

    /// Names with values: of an object, of a list (without names), or one text.
    fn words(&self, name: &str) -> Option<Vec<(String, String)>> {
        let fields = self.fields;
        if !fields.is_nested(name) {
            let text = fields.clean_any(name)?;
            return Some(vec![(String::new(), text)]);
        }
        let mut all = Vec::new();
        fields.inside(name, |key, inner| {
            let value = match inner {
                Inner::Text(text) => fields.cut(text),
                Inner::Number(number) => number.to_string(),
                Inner::Null => String::from("–"),
                Inner::Unusable => return fields.found(Cause::BadField, name),
            };
            if all.len() < limits::THREADS {
                all.push((fields.cut(key.unwrap_or("")), value));
            }
        });
        Some(all)
    }

    fn moves(&mut self) -> Option<Record<'static>> {
        let fields = self.fields;
        self.scratch.moves.clear();
        let moves = &mut self.scratch.moves;
        let listed = fields.inside("names", |_, inner| match inner {
            Inner::Text(name) => moves.push(fields.intern(self.names, name)),
            _ => fields.found(Cause::BadField, "names"),
        });
        let count = fields.small("count");
        let count = match listed {
            true => Some(self.scratch.moves.len() as u32),
            false => fields.needed("count", count),
        };
        Some(Record::Moves {
            count: count?,
            names: &[],
        })
    }

    /// The number of the reason, by its name or number. `None`: it is not declared.
    fn reason_number(&self) -> Option<u8> {
        let fields = self.fields;
        if fields.is_number("why") {
            let number = fields.whole("why", 0, 255)? as u8;
            if self.header.reason(number).is_none() {
                fields.found(Cause::UndeclaredReason, &format!("reason {number}"));
            }
            return Some(number);
        }
        let name = fields.needed("why", fields.text("why"))?;
        let declared = self.header.reason_named(name);
        if declared.is_none() {
            fields.found(Cause::UndeclaredReason, name);
        }
        declared.map(|reason| reason.n)
    }

    fn reason(&mut self) -> Told<'static> {
        let number = self.reason_number().unwrap_or(0);
        let fields = self.fields;
        self.scratch.numbers.clear();
        let Some(reason) = self.header.reason(number) else {
            let numbers = &mut self.scratch.numbers;
            // These are of the record, not of the reason.
            let _ = (fields.has("t"), fields.has("move"), fields.has("kind"));
            fields.other_numbers(|number| {
                if numbers.len() < limits::NUMBERS {
                    numbers.push(number);
                }
            });
            return told(number);
        };
        for number in &reason.numbers {
            let name = &*number.name;
            if !fields.has(name) {
                fields.found(Cause::ReasonNumbers, name);
            }
            let number = match number.unit {
                NumberUnit::Value | NumberUnit::Difference => {
                    fields.value(self.header, name).map(Value::get)
                }
                NumberUnit::Move => {
                    let m = fields.m(self.names, name);
                    Some(f64::from(m.0)).filter(|_| !m.is_none())
                }
                NumberUnit::Bound => {
                    let bound = fields.word(name, &Bound::ALL, Bound::name);
                    bound.map(|bound| f64::from(bound as u8))
                }
                NumberUnit::Share => fields.share(name).map(Share::get),
                _ => fields.number(name),
            };
            self.scratch.numbers.push(number);
        }
        told(number)
    }

    fn expand(&mut self) -> Option<Record<'static>> {
        let (fields, names) = (self.fields, self.names);
        let node = fields.needed("node", fields.node("node"));
        let first = fields.needed("first", fields.node("first"));
        let children = &mut self.scratch.children;
        children.clear();
        const NONE: Child = Child {
            m: MoveId::NONE,
            prior: None,
            value: None,
        };
        fields.inside("moves", |_, inner| {
            let m = match inner {
                Inner::Text(name) => fields.intern(names, name),
                Inner::Null => MoveId::NONE,
                _ => {
                    fields.found(Cause::BadField, "moves");
                    MoveId::NONE
                }
            };
            children.push(Child { m, ..NONE });
        });
        let mut each = |name: &str, set: &mut dyn FnMut(&mut Child, f64) -> bool| {
            let mut i = 0;
            fields.inside(name, |_, inner| {
                if children.len() == i {
                    children.push(NONE);
                }
                let is_good = match inner {
                    Inner::Number(number) => set(&mut children[i], number),
                    Inner::Null => true,
                    _ => false,
                };
                if !is_good {
                    fields.found(Cause::BadField, name);
                }
                i += 1;
            });
        };
        each("priors", &mut |child, number| {
            child.prior = Share::new(number);
            child.prior.is_some()
        });
        let spec = &self.header.value;
        each("values", &mut |child, number| {
            child.value = spec.from_unit(number);
            child.value.is_some()
        });
        let (node, first): (NodeId, NodeId) = (node?, first?);
        Some(Record::Expand {
            node,
            first,
            children: &[],
        })
    }

    fn render(&mut self, text: &str) {
        let fields = self.fields;
        self.scratch.text.clear();
        let is_long = |line: &str| text::width(line) > limits::RENDER_COLUMNS;
        for (i, line) in text.lines().enumerate() {
            if i == limits::RENDER_LINES || is_long(line) {
                fields.note(Cause::LongText);
            }
            if i == limits::RENDER_LINES {
                break;
            }
            if i > 0 {
                self.scratch.text.push('\n');
            }
            // Before it is sanitised, as this makes a cut text at most as long.
            let start = &line[..line.floor_char_boundary(4 * limits::RENDER_COLUMNS)];
            let clean = text::sanitise(start);
            self.scratch
                .text
                .push_str(&text::fit(&clean, limits::RENDER_COLUMNS, '…'));
        }
        let len = self.scratch.text.trim_end_matches('\n').len();
        self.scratch.text.truncate(len);
    }
}
