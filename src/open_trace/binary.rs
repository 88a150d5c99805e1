//! The records of the binary form.

mod cursor;
mod fields;

use super::decoder::{Declared, Noted};
use super::header::ValueSpec;
use super::limits;
use super::moves::Moves;
use super::names::{MoveId, Names};
use super::record::{Record, Reply, Side, Window};
use super::scratch::Scratch;
use super::trouble::Cause;
use super::value::Value;

pub(crate) use cursor::{Broken, Cursor};

/// What is written for a value or a number that is missing.
pub(crate) const NO_VALUE: i64 = -(1 << 31);
/// What is written for a depth that is missing.
pub(crate) const NO_DEPTH: i64 = -(1 << 15);
/// What is written for a prior that is missing.
pub(crate) const NO_PRIOR: u64 = 1 << 16;

/// The numbers of the records.
pub(crate) mod code {
    pub(crate) const ENTER: u8 = 1;
    pub(crate) const LEAVE: u8 = 2;
    pub(crate) const EVALUATE: u8 = 3;
    pub(crate) const STAND: u8 = 4;
    pub(crate) const PRUNE: u8 = 5;
    pub(crate) const WHY: u8 = 6;
    pub(crate) const TRY: u8 = 7;
    pub(crate) const ITERATION: u8 = 8;
    pub(crate) const ITERATION_DONE: u8 = 9;
    pub(crate) const PASS: u8 = 10;
    pub(crate) const PASS_DONE: u8 = 11;
    pub(crate) const DEPTH_CHANGE: u8 = 12;
    pub(crate) const TRIED: u8 = 13;
    pub(crate) const MOVES: u8 = 14;
    pub(crate) const BACK_UP: u8 = 15;
    pub(crate) const NAME: u8 = 16;
    pub(crate) const UNWIND: u8 = 17;
    pub(crate) const SKIP: u8 = 18;
    pub(crate) const ENTER_UNTOLD: u8 = 19;
    pub(crate) const LEAVE_UNTOLD: u8 = 20;
    pub(crate) const LEAVE_WITH: u8 = 21;
    pub(crate) const AT: u8 = 22;
    pub(crate) const EXPAND: u8 = 23;
    pub(crate) const VISIT: u8 = 24;
    pub(crate) const UPDATE: u8 = 25;
    pub(crate) const PROVE: u8 = 26;
    pub(crate) const BEST_CHANGE: u8 = 27;
    pub(crate) const KEY: u8 = 28;
    pub(crate) const END: u8 = 29;
    pub(crate) const EDGE: u8 = 30;
    pub(crate) const SIDE: u8 = 31;
    pub(crate) const PLY: u8 = 32;
    pub(crate) const EXPAND_WITH: u8 = 33;
    pub(crate) const ENTER_DEPTH: u8 = 34;
    pub(crate) const UPDATE_WITH: u8 = 35;
    pub(crate) const FIRST_UNKNOWN: u8 = 36;
}

/// What a record's bytes mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Read {
    /// A record, which is in the scratch.
    Record,
    /// Something about the records to come.
    Nothing,
    /// A record that a later version may have added.
    Unknown,
    /// An event that cannot be used.
    BadEvent,
}

/// What a thread's records depend on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    pub moves: Moves,
    side: Option<Side>,
    ply: Option<u16>,
}

/// Decodes one record.
pub(crate) struct Decode<'a, 'b> {
    pub cursor: Cursor<'b>,
    pub spec: &'a ValueSpec,
    pub declared: &'a Declared,
    pub names: &'a Names,
    pub context: &'a mut Context,
    pub scratch: &'a mut Scratch,
    pub noted: &'a mut Noted,
}

impl Decode<'_, '_> {
    #[inline]
    pub(crate) fn record(&mut self) -> Result<Read, Broken> {
        let code = self.cursor.byte()?;
        match code {
            code::ENTER => {
                let m = self.m()?;
                let window = self.window()?;
                let depth = self.depth()?;
                self.enter(m, Some(window), depth);
            }
            code::LEAVE => {
                let value = self.value()?;
                self.leave(value);
            }
            code::EVALUATE => {
                let value = self.value()?;
                return Ok(self.needed(value, Record::Evaluate { value, sd: None }));
            }
            code::STAND => {
                let value = self.value()?;
                return Ok(self.needed(value, Record::Stand { value }));
            }
            code::PRUNE => {
                let m = self.m()?;
                let why = self.reason()?;
                self.put(Record::Prune { m, why });
            }
            code::WHY => {
                let why = self.reason()?;
                self.put(Record::Why(why));
            }
            code::TRY => {
                let why = self.reason()?;
                self.put(Record::Try(why));
            }
            code::TRIED => {
                let value = self.value()?;
                self.put(Record::Tried { value });
            }
            code::ENTER_UNTOLD => {
                let m = self.m()?;
                self.enter(m, None, None);
            }
            code::ENTER_DEPTH => {
                let m = self.m()?;
                let depth = self.depth()?;
                self.enter(m, None, depth);
            }
            code::LEAVE_UNTOLD => self.leave(None),
            code::MOVES => {
                self.scratch.moves.clear();
                let count = self.cursor.u()?;
                let count = self.u32(count);
                self.put(Record::Moves { count, names: &[] });
            }
            code::NAME => {
                self.name()?;
                return Ok(Read::Nothing);
            }
            code => return self.rare(code),
        }
        Ok(Read::Record)
    }

    /// Puts a record where it is lent from: field by field, as copies of a record that was just made are slow.
    #[inline(always)]
    fn put(&mut self, record: Record<'static>) {
        self.scratch.record = record;
    }

    #[inline]
    fn enter(&mut self, m: MoveId, window: Option<Window>, depth: Option<i16>) {
        let (ply, side) = (self.context.ply.take(), self.context.side.take());
        self.put(Record::Enter {
            m,
            window,
            depth,
            ply,
            side,
        });
    }

    #[inline]
    fn leave(&mut self, value: Option<Value>) {
        self.put(Record::Leave {
            value,
            bound: None,
            best: MoveId::NONE,
            nodes: None,
        });
    }

    /// The record, unless it says nothing without the value.
    #[inline]
    fn needed(&mut self, value: Option<Value>, record: Record<'static>) -> Read {
        if value.is_some() {
            self.put(record);
            return Read::Record;
        }
        self.noted.note(Cause::MissingField);
        Read::BadEvent
    }

    /// The records that are rare in a depth-first search.
    #[inline(never)]
    fn rare(&mut self, code: u8) -> Result<Read, Broken> {
        let record = match code {
            code::ITERATION => Record::Iteration {
                depth: self.depth()?,
            },
            code::ITERATION_DONE => Record::IterationDone {
                best: self.m()?,
                value: self.value()?,
                depth: None,
            },
            code::PASS => {
                let window = self.window()?;
                Record::Pass {
                    window,
                    depth: self.depth()?,
                }
            }
            code::PASS_DONE => Record::PassDone {
                value: self.value()?,
            },
            code::DEPTH_CHANGE => {
                let plies = self.depth()?;
                let reason = self.cursor.u()?;
                match plies {
                    Some(plies) => Record::DepthChange {
                        plies,
                        reason: u8::try_from(reason).unwrap_or(0),
                    },
                    None => return Ok(Read::BadEvent),
                }
            }
            code::BACK_UP => {
                let (m, worth) = (self.m()?, self.value()?);
                return Ok(self.needed(worth, Record::BackUp { m, worth }));
            }
            code::UNWIND => {
                let open = self.cursor.u()?;
                Record::Unwind {
                    open: self.u32(open),
                }
            }
            code::SKIP => Record::Skip {
                events: self.cursor.u()?,
                nodes: self.cursor.u()?,
            },
            code::LEAVE_WITH => {
                let value = self.value()?;
                let bound = self.cursor.u()?;
                Record::Leave {
                    value,
                    bound: self.bound(bound),
                    best: self.m()?,
                    nodes: Some(self.cursor.u()?).filter(|nodes| *nodes > 0),
                }
            }
            code::AT => Record::At { node: self.node()? },
            code::EXPAND => self.expand(false)?,
            code::EXPAND_WITH => self.expand(true)?,
            code::VISIT => {
                let (node, value) = (self.node()?, self.value()?);
                let weight = self.cursor.u()?;
                Record::Visit {
                    node,
                    value,
                    weight: self.u32(weight),
                }
            }
            code::UPDATE => Record::Update {
                node: self.node()?,
                visits: Some(self.cursor.u()?),
                value: self.value()?,
                sd: self.sd()?,
                prior: None,
                urgency: None,
                nodes: 0,
            },
            code::UPDATE_WITH => Record::Update {
                node: self.node()?,
                visits: Some(self.cursor.u()?),
                value: self.value()?,
                sd: self.sd()?,
                prior: self.prior()?,
                urgency: self.value()?,
                nodes: self.cursor.u()?,
            },
            code::PROVE => Record::Prove {
                node: self.node()?,
                lower: self.value()?,
                upper: self.value()?,
                plies: None,
            },
            code::BEST_CHANGE => Record::BestChange { to: self.m()? },
            code::KEY => {
                let key = self.cursor.slice(8)?.first_chunk::<8>();
                Record::Key(u64::from_le_bytes(*key.ok_or(Broken::Cut)?))
            }
            code::END => Record::End(Reply {
                nodes: Some(self.cursor.u()?).filter(|nodes| *nodes > 0),
                best: self.m()?,
                value: self.value()?,
                stopped_by: None,
            }),
            code::EDGE => Record::Edge {
                node: self.node()?,
                m: self.m()?,
                to: self.node()?,
            },
            code::SIDE => {
                let side = self.cursor.u()?;
                self.context.side = Side::ALL.into_iter().find(|s| *s as u64 == side);
                return Ok(Read::Nothing);
            }
            code::PLY => {
                let ply = self.cursor.u()?;
                self.context.ply = u16::try_from(ply)
                    .ok()
                    .filter(|p| i64::from(*p) <= limits::DEPTH);
                return Ok(Read::Nothing);
            }
            0 | code::FIRST_UNKNOWN..128 => return Err(Broken::UnknownRecord(code)),
            128.. => {
                let len = self.cursor.u()?;
                self.cursor.slice(len)?;
                return Ok(Read::Unknown);
            }
            // All others are in `record`.
            _ => return Err(Broken::UnknownRecord(code)),
        };
        self.put(record);
        Ok(Read::Record)
    }
}
