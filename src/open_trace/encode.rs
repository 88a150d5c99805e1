//! Writes records in the binary form.

use super::binary::{NO_DEPTH, NO_PRIOR, NO_VALUE, code};
use super::header::{Header, NumberUnit};
use super::limits;
use super::names::MoveId;
use super::record::{NodeId, Record, Told, Window};
use super::value::{Share, Value};

/// The bytes of a record.
pub(crate) struct Encoder<'a> {
    pub header: &'a Header,
    pub bytes: &'a mut Vec<u8>,
}

/// The binary form has no room for something in the record.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct NoRoom;

type Done = Result<(), NoRoom>;

/// Calls `each` with the moves that a record names.
pub(crate) fn moves_of(header: &Header, record: &Record, mut each: impl FnMut(MoveId)) {
    let of_reason = |told: &Told, each: &mut dyn FnMut(MoveId)| {
        for (number, unit) in units(header, told) {
            if let (Some(number), NumberUnit::Move) = (number, unit) {
                each(MoveId(number as u32));
            }
        }
    };
    match record {
        Record::Enter { m, .. } | Record::BackUp { m, .. } | Record::Edge { m, .. } => each(*m),
        Record::Leave { best, .. } | Record::IterationDone { best, .. } => each(*best),
        Record::End(reply) => each(reply.best),
        Record::BestChange { to } => each(*to),
        Record::Why(told) | Record::Try(told) => of_reason(told, &mut each),
        Record::Prune { m, why } => {
            each(*m);
            of_reason(why, &mut each);
        }
        Record::Expand { children, .. } => children.iter().for_each(|child| each(child.m)),
        _ => {}
    }
}

/// The numbers of a reason with the units that the header declares. Where these do not fit, the numbers are bare.
pub(crate) fn units<'a>(
    header: &'a Header,
    told: &Told<'a>,
) -> impl Iterator<Item = (Option<f64>, NumberUnit)> + use<'a> {
    let declared = header.reason(told.reason).map(|reason| &*reason.numbers);
    let declared = declared.filter(|declared| declared.len() == told.numbers.len());
    let numbers = told.numbers.iter().take(limits::NUMBERS).enumerate();
    numbers.map(move |(i, number)| {
        let unit = declared.map_or(NumberUnit::Number, |declared| declared[i].unit);
        (*number, unit)
    })
}

impl Encoder<'_> {
    pub(crate) fn u(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn s(&mut self, number: i64) {
        self.u((number << 1 ^ number >> 63).cast_unsigned());
    }

    pub(crate) fn name(&mut self, m: MoveId, name: &str) {
        self.bytes.push(code::NAME);
        self.m(m);
        self.u(name.len() as u64);
        self.bytes.extend_from_slice(name.as_bytes());
    }

    /// # Errors
    /// If the record needs a JSON line. Something may have been written all the same.
    pub(crate) fn record(&mut self, record: &Record) -> Done {
        match *record {
            Record::Enter {
                m,
                window,
                depth,
                ply,
                side,
            } => {
                if let Some(ply) = ply {
                    self.with(code::PLY, u64::from(ply));
                }
                if let Some(side) = side {
                    self.with(code::SIDE, side as u64);
                }
                match (window, depth) {
                    (None, None) => self.with(code::ENTER_UNTOLD, u64::from(m.0)),
                    (None, Some(_)) => {
                        self.with(code::ENTER_DEPTH, u64::from(m.0));
                        self.depth(depth);
                    }
                    (Some(window), _) => {
                        self.with(code::ENTER, u64::from(m.0));
                        self.window(window)?;
                        self.depth(depth);
                    }
                }
            }
            Record::Leave {
                value,
                bound: None,
                best: MoveId::NONE,
                nodes: None,
            } => match value {
                None => self.bytes.push(code::LEAVE_UNTOLD),
                Some(_) => {
                    self.bytes.push(code::LEAVE);
                    self.value(value)?;
                }
            },
            Record::Leave {
                value,
                bound,
                best,
                nodes,
            } => {
                self.bytes.push(code::LEAVE_WITH);
                self.value(value)?;
                self.u(bound.map_or(0, |bound| bound as u64));
                self.m(best);
                self.u(nodes.unwrap_or(0));
            }
            Record::Evaluate { value, sd: None } => self.with_value(code::EVALUATE, value)?,
            Record::Stand { value } => self.with_value(code::STAND, value)?,
            Record::Tried { value } => self.with_value(code::TRIED, value)?,
            Record::PassDone { value } => self.with_value(code::PASS_DONE, value)?,
            Record::Prune { m, why } => {
                self.with(code::PRUNE, u64::from(m.0));
                self.reason(&why)?;
            }
            Record::Why(told) => {
                self.bytes.push(code::WHY);
                self.reason(&told)?;
            }
            Record::Try(told) => {
                self.bytes.push(code::TRY);
                self.reason(&told)?;
            }
            Record::Iteration { depth } => {
                self.bytes.push(code::ITERATION);
                self.depth(depth);
            }
            Record::IterationDone {
                best,
                value,
                depth: None,
            } => {
                self.with(code::ITERATION_DONE, u64::from(best.0));
                self.value(value)?;
            }
            Record::Pass { window, depth } => {
                self.bytes.push(code::PASS);
                self.window(window)?;
                self.depth(depth);
            }
            Record::DepthChange { plies, reason } => {
                self.bytes.push(code::DEPTH_CHANGE);
                self.s(i64::from(plies));
                self.u(u64::from(reason));
            }
            Record::Moves { count, names: [] } => self.with(code::MOVES, u64::from(count)),
            Record::BackUp { m, worth } => {
                self.with(code::BACK_UP, u64::from(m.0));
                self.value(worth)?;
            }
            Record::Unwind { open } => self.with(code::UNWIND, u64::from(open)),
            Record::Skip { events, nodes } => {
                self.with(code::SKIP, events);
                self.u(nodes);
            }
            _ => return self.best_first(record),
        }
        Ok(())
    }

    /// The records of best-first searches, and those about the whole search.
    fn best_first(&mut self, record: &Record) -> Done {
        match *record {
            Record::At { node } => self.with(code::AT, u64::from(node.0)),
            Record::Expand {
                node,
                first,
                children,
            } => {
                let with_values = children.iter().any(|child| child.value.is_some());
                self.with(
                    if with_values {
                        code::EXPAND_WITH
                    } else {
                        code::EXPAND
                    },
                    u64::from(node.0),
                );
                self.node(first);
                self.u(children.len() as u64);
                for child in children {
                    self.m(child.m);
                    self.prior(child.prior);
                    if with_values {
                        self.value(child.value)?;
                    }
                }
            }
            Record::Visit {
                node,
                value,
                weight,
            } => {
                self.with(code::VISIT, u64::from(node.0));
                self.value(value)?;
                self.u(u64::from(weight));
            }
            Record::Update {
                node,
                visits: Some(visits),
                value,
                prior,
                sd,
                urgency,
                nodes,
            } => {
                let is_short = prior.is_none() && urgency.is_none() && nodes == 0;
                let code = match is_short {
                    true => code::UPDATE,
                    false => code::UPDATE_WITH,
                };
                self.with(code, u64::from(node.0));
                self.u(visits);
                self.value(value)?;
                let sd = sd.map_or(Some(0), Value::as_whole).ok_or(NoRoom)?;
                self.u(u64::try_from(sd).map_err(|_| NoRoom)?);
                if !is_short {
                    self.prior(prior);
                    self.value(urgency)?;
                    self.u(nodes);
                }
            }
            Record::Edge { node, m, to } => {
                self.with(code::EDGE, u64::from(node.0));
                self.m(m);
                self.node(to);
            }
            Record::Prove {
                node,
                lower,
                upper,
                plies: None,
            } => {
                self.with(code::PROVE, u64::from(node.0));
                self.value(lower)?;
                self.value(upper)?;
            }
            Record::BestChange { to } => self.with(code::BEST_CHANGE, u64::from(to.0)),
            Record::Key(key) => {
                self.bytes.push(code::KEY);
                self.bytes.extend(key.to_le_bytes());
            }
            Record::End(reply) if reply.stopped_by.is_none() => {
                self.with(code::END, reply.nodes.unwrap_or(0));
                self.m(reply.best);
                self.value(reply.value)?;
            }
            _ => return Err(NoRoom),
        }
        Ok(())
    }

    fn with(&mut self, code: u8, number: u64) {
        self.bytes.push(code);
        self.u(number);
    }

    fn with_value(&mut self, code: u8, value: Option<Value>) -> Done {
        self.bytes.push(code);
        self.value(value)
    }

    fn m(&mut self, m: MoveId) {
        self.u(u64::from(m.0));
    }

    fn node(&mut self, node: NodeId) {
        self.u(u64::from(node.0));
    }

    fn value(&mut self, value: Option<Value>) -> Done {
        let number = match value {
            None => NO_VALUE,
            Some(value) => value.as_whole().ok_or(NoRoom)?,
        };
        self.s(number);
        Ok(())
    }

    fn prior(&mut self, prior: Option<Share>) {
        self.u(prior.map_or(NO_PRIOR, |Share(prior)| u64::from(prior)));
    }

    fn depth(&mut self, depth: Option<i16>) {
        self.s(depth.map_or(NO_DEPTH, i64::from));
    }

    fn window(&mut self, window: Window) -> Done {
        let infinite = self.header.value.infinite;
        let alpha = window.alpha.unwrap_or(infinite.negated());
        let beta = window.beta.unwrap_or(infinite);
        let (alpha, beta) = alpha.as_whole().zip(beta.as_whole()).ok_or(NoRoom)?;
        self.s(alpha);
        self.u((beta - alpha).cast_unsigned());
        Ok(())
    }

    fn reason(&mut self, told: &Told) -> Done {
        let header = self.header;
        self.u(u64::from(told.reason));
        self.u(told.numbers.len().min(limits::NUMBERS) as u64);
        for (number, unit) in units(header, told) {
            let number = match (number, unit) {
                (None, _) => NO_VALUE,
                (Some(number), NumberUnit::Share) => i64::from(Share::new(number).ok_or(NoRoom)?.0),
                (Some(number), _) => {
                    let whole = number as i64;
                    if whole as f64 != number || whole == NO_VALUE {
                        return Err(NoRoom);
                    }
                    whole
                }
            };
            self.s(number);
        }
        Ok(())
    }
}
