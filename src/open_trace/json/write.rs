//! Writes a header or a record as a line.

use super::wire::{
    BackupName, BoundName, ClassName, DistanceName, FailName, HeaderLine, Num, Number, Numbers,
    OrderName, ReasonLine, ReasonName, SideName, TrialsName, UnitName, ValueLine, ViewName, What,
    Words,
};
use crate::encode::units;
use crate::header::{Header, NumberUnit, Unit, ValueSpec};
use crate::limits;
use crate::names::{MoveId, Names};
use crate::record::{Bound, Child, Record, SearchStart, Told, Window};
use crate::value::{Share, Value};

/// A number of steps in the value's unit, without what rounding adds to it.
fn in_unit(spec: &ValueSpec, number: f64) -> Num {
    let steps = (1.0 / spec.step).round();
    let is_fraction = (steps * spec.step - 1.0).abs() < 1e-12;
    Num(match is_fraction {
        true => number / steps,
        false => number * spec.step,
    })
}

/// Something that is not the default, and so has to be told.
fn other<T: PartialEq + Default>(found: T) -> Option<T> {
    (found != T::default()).then_some(found)
}

/// The line of a header.
pub(crate) fn header(header: &Header) -> HeaderLine {
    let text = |text: &str| other(text.to_owned());
    let spec = &header.value;
    let reasons: Vec<ReasonLine> = header
        .reasons
        .iter()
        .map(|reason| ReasonLine {
            n: Some(reason.n),
            name: reason.name.to_string(),
            class: other(reason.class).map(|class| ClassName(class.word())),
            numbers: other(&*reason.numbers).map(|numbers| {
                let number = numbers.iter();
                number
                    .map(|number| (number.name.to_string(), UnitName(number.unit.word())))
                    .collect()
            }),
            text: text(&reason.text),
        })
        .collect();
    HeaderLine {
        plyscope_trace: header.version,
        engine: text(&header.engine),
        game: text(&header.game),
        order: other(header.order).map(|order| OrderName(order.word())),
        value: (*spec != ValueSpec::default()).then(|| values(spec)),
        backup: other(header.backup).map(|backup| BackupName(backup.word())),
        trials: other(header.trials).map(|trials| TrialsName(trials.word())),
        depth_step: Some(header.depth_step).filter(|step| *step != 1),
        reasons: Some(reasons).filter(|reasons| !reasons.is_empty()),
        control: other(header.control),
    }
}

fn values(spec: &ValueSpec) -> ValueLine {
    let number = |value: Value| in_unit(spec, value.get());
    let unit = match &spec.unit {
        Unit::Named(name) => name,
        unit => unit.name(),
    };
    ValueLine {
        unit: other(unit.to_owned()),
        range: spec.range.map(|(low, high)| [number(low), number(high)]),
        view: other(spec.view).map(|view| ViewName(view.word())),
        infinite: (spec.infinite != Value::MAX).then(|| number(spec.infinite)),
        win: spec.win.map(number),
        distance: other(spec.distance).map(|distance| DistanceName(distance.word())),
        step: (spec.step != 1.0).then_some(Num(spec.step)),
        fail: other(spec.fail).map(|fail| FailName(fail.word())),
    }
}

/// Writes records as lines.
pub(crate) struct Lines<'a> {
    pub header: &'a Header,
    pub names: &'a Names,
}

type Ends = (Option<Option<Num>>, Option<Option<Num>>);

impl Lines<'_> {
    /// The line of a record, without its thread.
    pub(crate) fn line(&self, record: &Record) -> What {
        let (m, v) = (|m| self.m(m), |value| self.value(value));
        match *record {
            Record::Search(start) => search(start),
            Record::Iteration { depth } => What::Iteration { depth },
            Record::IterationDone { best, value, depth } => What::IterationDone {
                best: m(best),
                value: v(value),
                depth,
            },
            Record::Pass { window, depth } => {
                let (alpha, beta) = self.ends(Some(window));
                What::Pass { alpha, beta, depth }
            }
            Record::PassDone { value } => What::PassDone { value: v(value) },
            Record::Enter {
                m: by,
                window,
                depth,
                ply,
                side,
            } => {
                let (alpha, beta) = self.ends(window);
                What::Enter {
                    r#move: m(by),
                    alpha,
                    beta,
                    depth,
                    ply,
                    side: side.map(|side| SideName(side.name())),
                }
            }
            Record::Leave {
                value,
                bound,
                best,
                nodes,
            } => What::Leave {
                value: v(value),
                bound: bound.map(|bound| BoundName(bound.name())),
                best: m(best),
                nodes,
            },
            Record::Evaluate { value, sd } => What::Evaluate {
                value: v(value),
                sd: v(sd),
            },
            Record::Stand { value } => What::Stand { value: v(value) },
            Record::Moves { count, names } => match names {
                [] => What::Moves {
                    count: Some(count),
                    names: None,
                },
                names => What::Moves {
                    count: None,
                    names: Some(names.iter().map(|name| self.name(*name)).collect()),
                },
            },
            Record::Why(told) => What::Why {
                why: self.reason(told.reason),
                numbers: self.numbers(&told),
            },
            Record::Prune { m: by, why } => What::Prune {
                r#move: m(by),
                why: self.reason(why.reason),
                numbers: self.numbers(&why),
            },
            Record::Try(told) => What::Try {
                why: self.reason(told.reason),
                numbers: self.numbers(&told),
            },
            Record::Tried { value } => What::Tried { value: v(value) },
            Record::DepthChange { plies, reason } => What::DepthChange {
                plies,
                why: (reason > 0).then(|| self.reason(reason)),
            },
            Record::BackUp { m: by, worth } => What::BackUp {
                r#move: m(by),
                worth: v(worth),
            },
            Record::Unwind { open } => What::Unwind { open },
            Record::Expand {
                node,
                first,
                children,
            } => self.expand(node.0, first.0, children),
            Record::Visit {
                node,
                value,
                weight,
            } => What::Visit {
                node: node.0,
                value: v(value),
                weight: Some(weight).filter(|weight| *weight != 1),
            },
            Record::Update {
                node,
                visits,
                value,
                prior,
                sd,
                urgency,
                nodes,
            } => What::Update {
                node: node.0,
                visits,
                value: v(value),
                prior: prior.map(share),
                sd: v(sd),
                urgency: v(urgency),
                nodes: other(nodes),
            },
            Record::At { node } => What::At { node: node.0 },
            Record::Edge { node, m: by, to } => What::Edge {
                node: node.0,
                r#move: m(by),
                to: to.0,
            },
            Record::Prove {
                node,
                lower,
                upper,
                plies,
            } => What::Prove {
                node: node.0,
                lower: v(lower),
                upper: v(upper),
                plies,
            },
            Record::BestChange { to } => What::BestChange { to: m(to) },
            Record::End(reply) => What::End {
                nodes: reply.nodes,
                best: m(reply.best),
                value: v(reply.value),
                stopped_by: reply.stopped_by.map(str::to_owned),
            },
            Record::Key(key) => What::Key {
                key: format!("{key:016x}"),
            },
            Record::Note(text) => What::Note {
                text: text.to_owned(),
            },
            Record::Render(text) => What::Render {
                text: text.to_owned(),
            },
            Record::Skip { events, nodes } => What::Skip {
                events,
                nodes: other(nodes),
            },
            Record::Mark { n, hash, waiting } => What::Mark {
                n,
                hash: hash.map(|hash| format!("{hash:016x}")),
                waiting: other(waiting),
            },
        }
    }

    fn value(&self, value: Option<Value>) -> Option<Num> {
        value.map(|value| in_unit(&self.header.value, value.get()))
    }

    fn name(&self, m: MoveId) -> String {
        self.names.text(m).to_owned()
    }

    fn m(&self, m: MoveId) -> Option<String> {
        (!m.is_none()).then(|| self.name(m))
    }

    fn ends(&self, window: Option<Window>) -> Ends {
        match window {
            None => (None, None),
            Some(window) => (
                Some(self.value(window.alpha)),
                Some(self.value(window.beta)),
            ),
        }
    }

    fn reason(&self, reason: u8) -> ReasonName {
        match self.header.reason(reason) {
            Some(reason) => ReasonName::Name(reason.name.to_string()),
            None => ReasonName::Number(reason),
        }
    }

    fn numbers(&self, told: &Told) -> Numbers {
        let declared = self.header.reason(told.reason);
        let declared = declared.filter(|reason| reason.numbers.len() == told.numbers.len());
        let written = units(self.header, told)
            .enumerate()
            .map(|(i, (number, unit))| {
                let name = match declared {
                    Some(reason) => reason.numbers[i].name.to_string(),
                    None => format!("number {}", i + 1),
                };
                let number = match (number, unit) {
                    (None, _) => Number::Missing,
                    (Some(number), NumberUnit::Value | NumberUnit::Difference) => {
                        Number::Told(in_unit(&self.header.value, number))
                    }
                    (Some(number), NumberUnit::Move) => {
                        Number::Name(self.name(MoveId(number as u32)))
                    }
                    (Some(number), NumberUnit::Bound) => {
                        let bound = Bound::ALL
                            .into_iter()
                            .find(|b| f64::from(*b as u8) == number);
                        bound.map_or(Number::Missing, |bound| {
                            Number::Name(bound.name().to_owned())
                        })
                    }
                    (Some(number), _) => Number::Told(Num(number)),
                };
                (name, number)
            });
        Numbers(written.collect())
    }

    fn expand(&self, node: u32, first: u32, children: &[Child]) -> What {
        let children = &children[..children.len().min(limits::MOVES)];
        let listed = |of: &dyn Fn(&Child) -> Option<Num>| {
            let all: Vec<Option<Num>> = children.iter().map(of).collect();
            Some(all).filter(|all| all.iter().any(Option::is_some))
        };
        What::Expand {
            node,
            first,
            moves: Some(children.iter().map(|child| self.name(child.m)).collect()),
            priors: listed(&|child| child.prior.map(share)),
            values: listed(&|child| self.value(child.value)),
        }
    }
}

fn share(share: Share) -> Num {
    // As many digits as tell one share from the next.
    Num((share.get() * 1e6).round() / 1e6)
}

fn search(start: &SearchStart) -> What {
    let moves = Some(start.moves.clone());
    What::Search {
        fen: start.fen.clone(),
        root: start.root.clone(),
        moves: moves.filter(|moves| !moves.is_empty()),
        side: start.side.map(|side| SideName(side.name())),
        limits: start.limits.clone().map(Words::Text),
        options: (!start.options.is_empty()).then(|| Words::Named(start.options.clone())),
        seed: start.seed.clone(),
        threads: start.threads,
    }
}
