//! The rows of a search, one for each move that it looked at, for comparing two of them.

use std::collections::HashMap;

use game::{Side, Sided};
use open_trace::{MoveId, Names, Record};

use super::check::{Check, Ledger};
use super::fault::Fault;
use super::judge::{Judge, Sides};
use super::whole::Ending;

/// The most rows that are kept of a search.
const ROWS: usize = 4_000_000;

#[derive(Clone, Debug)]
struct Row {
    parent: u32,
    m: MoveId,
    side: Side,
    /// For the side to move; of a best-first search the sum.
    value: Option<f64>,
    visits: u64,
    has_children: bool,
    /// The last event at which something was told of it.
    event: u64,
}

/// The rows of a search; of several searches of the root, those of the last one.
pub(super) struct Rows {
    judge: Judge,
    rows: Vec<Row>,
    places: HashMap<(u32, MoveId), u32>,
    open: Vec<Option<u32>>,
    /// The rows of a best-first search by the program's numbers.
    numbers: HashMap<u32, u32>,
    is_best_first: bool,
    pub is_full: bool,
}

impl Rows {
    pub fn new(judge: Judge, root: Side) -> Rows {
        let top = Row {
            parent: 0,
            m: MoveId::NONE,
            side: root,
            value: None,
            visits: 0,
            has_children: false,
            event: 0,
        };
        Rows {
            judge,
            rows: vec![top],
            places: HashMap::new(),
            open: Vec::new(),
            numbers: HashMap::from([(0, 0)]),
            is_best_first: false,
            is_full: false,
        }
    }

    /// How the search ended.
    pub fn ending(&self) -> Ending {
        Ending {
            has_begun: self.is_best_first || self.rows[0].event > 0 || self.rows.len() > 1,
            is_over: self.open.is_empty(),
            line: Vec::new(),
            lost: None,
        }
    }

    /// Takes up the next record.
    pub fn take(&mut self, event: u64, record: &Record) {
        match *record {
            Record::Enter { m, .. } => self.enter(event, m),
            Record::Leave { value, .. } => {
                let Some(left) = self.open.pop() else {
                    return;
                };
                let Some(at) = left else {
                    return;
                };
                let sides = self.sides(at);
                let own = value.map(|value| self.judge.own(value, sides));
                let row = &mut self.rows[at as usize];
                (row.value, row.event) = (own, event);
            }
            Record::Unwind { open } => self.open.truncate(open as usize),
            Record::Iteration { .. } | Record::IterationDone { .. } => self.open.clear(),
            Record::Expand {
                node,
                first,
                children,
            } => {
                self.is_best_first = true;
                let Some(&parent) = self.numbers.get(&node.0) else {
                    return;
                };
                for (child, number) in children.iter().zip(first.0..) {
                    if let Some(place) = self.row(event, parent, child.m) {
                        self.numbers.insert(number, place);
                    }
                }
            }
            Record::Visit {
                node,
                value,
                weight,
            } => {
                self.is_best_first = true;
                let Some(&place) = self.numbers.get(&node.0) else {
                    return;
                };
                let sides = self.sides(place);
                let mut own = value.map(|value| self.judge.own(value, sides));
                let mut at = place;
                loop {
                    let row = &mut self.rows[at as usize];
                    row.visits += u64::from(weight);
                    row.value =
                        Some(row.value.unwrap_or(0.0) + own.unwrap_or(0.0) * f64::from(weight));
                    row.event = event;
                    own = own.turned();
                    if at == 0 {
                        break;
                    }
                    at = row.parent;
                }
            }
            _ => {}
        }
    }

    fn enter(&mut self, event: u64, m: MoveId) {
        let Some(parent) = self.open.last().copied() else {
            // Another search of the root: only the last one counts.
            self.rows.truncate(1);
            self.rows[0].visits = 1;
            self.rows[0].has_children = false;
            self.places.clear();
            self.open.push(Some(0));
            return;
        };
        let place = parent.and_then(|parent| match m.is_none() {
            true => Some(parent),
            false => self.row(event, parent, m),
        });
        if let Some(place) = place.filter(|_| !m.is_none()) {
            self.rows[place as usize].visits += 1;
        }
        self.open.push(place);
    }

    /// The row of a move, which is a new one if it was not looked at before.
    fn row(&mut self, event: u64, parent: u32, m: MoveId) -> Option<u32> {
        if let Some(&known) = self.places.get(&(parent, m)) {
            return Some(known);
        }
        if self.rows.len() >= ROWS {
            self.is_full = true;
            return None;
        }
        let place = self.rows.len() as u32;
        let side = self.rows[parent as usize].side.other();
        self.rows[parent as usize].has_children = true;
        self.rows.push(Row {
            parent,
            m,
            side,
            value: None,
            visits: 0,
            has_children: false,
            event,
        });
        self.places.insert((parent, m), place);
        Some(place)
    }

    fn sides(&self, at: u32) -> Sides {
        let row = &self.rows[at as usize];
        Sides {
            node: row.side,
            parent: (at != 0).then(|| self.rows[row.parent as usize].side),
        }
    }

    fn line(&self, names: &Names, at: u32) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = at;
        while at != 0 {
            let row = &self.rows[at as usize];
            line.push(names.text(row.m).to_owned());
            at = row.parent;
        }
        line.reverse();
        line
    }

    /// What a row is worth: the value, or the mean of the visits.
    fn worth(&self, at: u32) -> Option<f64> {
        let row = &self.rows[at as usize];
        match self.is_best_first {
            true => row
                .value
                .filter(|_| row.visits > 0)
                .map(|sum| sum / row.visits as f64),
            false => row.value,
        }
    }

    /// Whether the value of a row has to be the same in another search: an inner node's may be a bound, which each search has
    /// in its own way.
    fn is_compared(&self, at: u32) -> bool {
        self.is_best_first || at == 0 || !self.rows[at as usize].has_children
    }

    /// Compares this search with a reference whose moves have the same names.
    pub fn compare(&self, reference: &Rows, names: &Names, ledger: &mut Ledger) {
        let mut counterparts: Vec<Option<u32>> = Vec::with_capacity(self.rows.len());
        let mut found: Vec<(u64, u32, Fault)> = Vec::new();
        for (at, row) in (0..).zip(&self.rows) {
            let parent = (at != 0).then(|| counterparts[row.parent as usize]);
            let counterpart = match parent {
                None => Some(0),
                Some(parent) => {
                    parent.and_then(|parent| reference.places.get(&(parent, row.m)).copied())
                }
            };
            counterparts.push(counterpart);
            let fault = match (counterpart, parent) {
                (Some(other), _) => self.differs(at, reference, other),
                (None, Some(Some(_))) => Some(Fault::Extra {
                    m: names.text(row.m).to_owned(),
                }),
                (None, _) => continue,
            };
            match fault {
                None => ledger.right(Check::Reference),
                Some(fault) => found.push((row.event, at, fault)),
            }
        }
        // What was told last of the root follows from what differs below it.
        found.sort_by_key(|(event, at, _)| (*event, std::cmp::Reverse(*at)));
        for (event, at, fault) in found {
            let place = match fault {
                Fault::Extra { .. } => self.rows[at as usize].parent,
                _ => at,
            };
            ledger.wrong(Check::Reference, event, || (self.line(names, place), fault));
        }
        self.find_missing(reference, names, ledger);
    }

    fn differs(&self, at: u32, reference: &Rows, other: u32) -> Option<Fault> {
        let (row, known) = (&self.rows[at as usize], &reference.rows[other as usize]);
        if self.is_best_first && row.visits != known.visits {
            return Some(Fault::VisitsDiffer {
                told: row.visits,
                reference: known.visits,
            });
        }
        if !self.is_compared(at) || !reference.is_compared(other) {
            return None;
        }
        let (own, right) = self.worth(at).zip(reference.worth(other))?;
        let right = self.judge.of_unit(reference.judge.in_unit(right));
        let sides = self.sides(at);
        (!self.judge.is_near(own, right)).then(|| Fault::Differs {
            told: self.judge.told(own, sides),
            reference: self.judge.told(right, sides),
        })
    }

    /// Finds what the reference looked at and this search did not.
    fn find_missing(&self, reference: &Rows, names: &Names, ledger: &mut Ledger) {
        let mut counterparts: Vec<Option<u32>> = Vec::with_capacity(reference.rows.len());
        for (at, row) in (0..).zip(&reference.rows) {
            let parent = match at {
                0 => None,
                _ => counterparts[row.parent as usize],
            };
            let counterpart = match at {
                0 => Some(0),
                _ => parent.and_then(|parent| self.places.get(&(parent, row.m)).copied()),
            };
            counterparts.push(counterpart);
            let Some(parent) = parent.filter(|_| counterpart.is_none()) else {
                continue;
            };
            let event = self.rows[parent as usize].event;
            ledger.wrong(Check::Reference, event, || {
                let m = names.text(row.m).to_owned();
                (self.line(names, parent), Fault::Missing { m })
            });
        }
    }
}
