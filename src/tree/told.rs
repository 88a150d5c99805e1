//! What another program told of its search beyond the fields of a node: side tables, empty in the trees of plyscope's own
//! searches.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::fate::{DeclaredUnit, Number, Numbers, Value};
use super::{Bound, Fate, NodeId, ReasonId, Tree};
use game::{MoveCode, Score};

/// The side tables of a tree.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Whether there is anything in them, so that other trees are asked no further.
    any: AtomicBool,
    tables: RwLock<Tables>,
    numbers: RwLock<Store>,
}

#[derive(Clone, Debug, Default)]
struct Tables {
    /// The nodes at which the same side is to move as at their parents.
    same_side: HashSet<NodeId, ById>,
    unexplained: Map<Unexplained>,
    left_out: Map<LeftOut>,
    /// By the parent: why its later moves, which have no node, were not searched.
    later: Map<Fate>,
    /// The numbers of legal moves that were told.
    moves: Map<u32>,
    /// By a move's code: its name where the game does not know it.
    names: HashMap<MoveCode, Arc<str>>,
    notes: Map<Arc<str>>,
    drawings: Map<Arc<str>>,
    /// Values that do not fit a [`Score`], in the program's unit, from the view of the side to move.
    wide: Map<f64>,
    same_as: Map<NodeId>,
    /// What had been counted from visits when other figures were told.
    counted: Map<Counted>,
    /// The keys of positions that were told.
    keys: Map<u64>,
}

type Map<T> = HashMap<NodeId, T, ById>;
type ById = BuildHasherDefault<IdHasher>;

/// Spreads the numbers of nodes: a stream asks the tables for several at every event.
#[derive(Debug, Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(20);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A value that does not follow from the moves: what the node was left with, and what its moves give, from the view of its
/// side to move, in the program's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unexplained {
    pub left: f64,
    /// `None` where nothing was searched.
    pub gives: Option<f64>,
}

/// Visits that were counted, and the mean of their values from the view of the node's side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    pub visits: u64,
    pub mean: f32,
}

/// What a filter left out below a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub events: u64,
    pub nodes: u64,
}

/// Numbers of declared reasons, one after another.
#[derive(Clone, Debug, Default)]
struct Store {
    chunks: Vec<Box<[f64]>>,
    len: usize,
}

const CHUNK: usize = 4096;

impl Store {
    fn push(&mut self, number: f64) {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(vec![0.0; CHUNK].into_boxed_slice());
        }
        self.chunks[self.len / CHUNK][self.len % CHUNK] = number;
        self.len += 1;
    }

    fn get(&self, at: usize) -> Option<f64> {
        (at < self.len).then(|| self.chunks[at / CHUNK][at % CHUNK])
    }

    fn set(&mut self, at: usize, number: f64) {
        self.chunks[at / CHUNK][at % CHUNK] = number;
    }
}

impl Clone for Told {
    fn clone(&self) -> Told {
        Told {
            any: AtomicBool::new(self.any.load(Relaxed)),
            tables: RwLock::new(self.read().clone()),
            numbers: RwLock::new(self.store().clone()),
        }
    }
}

impl Told {
    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Tables> {
        self.any.store(true, Relaxed);
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> RwLockReadGuard<'_, Store> {
        self.numbers.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks into the tables; `None` at once where they are empty.
    fn look<T>(&self, look: impl FnOnce(&Tables) -> Option<T>) -> Option<T> {
        if !self.any.load(Relaxed) {
            return None;
        }
        look(&self.read())
    }

    pub fn bytes(&self) -> u64 {
        let keys = self
            .look(|tables| Some(tables.keys.capacity()))
            .unwrap_or(0);
        (self.store().chunks.len() * CHUNK * size_of::<f64>()) as u64
            + (keys * size_of::<(NodeId, u64)>()) as u64
    }
}

impl Tree {
    /// Keeps a declared reason with its numbers, in the order of the declaration: of a [`DeclaredUnit::Value`] the integer of
    /// the [`Score`] or a [`wide_number`], of the others as they are. Numbers that `before`, the node's fate so far, had for the same reason are
    /// replaced.
    pub fn told_fate(&self, before: Fate, reason: ReasonId, numbers: &[f64]) -> Fate {
        if numbers.is_empty() {
            return Fate::Told { reason, numbers: 0 };
        }
        let mut store = self
            .told
            .numbers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        match before {
            Fate::Told {
                reason: same,
                numbers: place,
            } if same == reason && place > 0 => {
                for (at, &number) in (place as usize - 1..).zip(numbers) {
                    store.set(at, number);
                }
                before
            }
            _ => {
                let Ok(place) = u32::try_from(store.len + 1) else {
                    return Fate::Told { reason, numbers: 0 };
                };
                for &number in numbers {
                    store.push(number);
                }
                Fate::Told {
                    reason,
                    numbers: place,
                }
            }
        }
    }

    /// Returns the numbers of a fate of this tree, also those of a declared reason.
    pub fn numbers_of(&self, fate: Fate) -> Numbers {
        let Fate::Told { reason, numbers } = fate else {
            return fate.numbers();
        };
        let mut told = Numbers::new();
        let Some(declared) = reason.declared().filter(|_| numbers > 0) else {
            return told;
        };
        let store = self.told.store();
        let fields = declared.info.fields.iter().zip(declared.units);
        for ((field, unit), at) in fields.zip(numbers as usize - 1..) {
            let Some(number) = store.get(at).filter(|n| n.is_finite()) else {
                continue;
            };
            told.push(Number {
                name: field.name,
                value: value_of(*unit, number),
            });
        }
        told
    }

    /// Returns one of [`Tree::numbers_of`] by its name.
    pub fn number_of(&self, fate: Fate, name: &str) -> Option<Value> {
        match fate {
            Fate::Told { .. } => {
                let numbers = self.numbers_of(fate);
                numbers.iter().find(|n| n.name == name).map(|n| n.value)
            }
            _ => fate.number(name),
        }
    }

    /// Says that the same side is to move at a node as at its parent.
    pub fn set_same_side(&self, id: NodeId) {
        self.told.write().same_side.insert(id);
    }

    /// Whether the same side is to move at a node as at its parent. Sides alternate unless a program says otherwise.
    pub fn is_same_side(&self, id: NodeId) -> bool {
        let found = self
            .told
            .look(|tables| Some(tables.same_side.contains(&id)));
        found.unwrap_or(false)
    }

    /// Returns how many times the move has passed to the other side from the root to a node.
    pub fn turns(&self, id: NodeId) -> u16 {
        let path = self.path(id);
        let passed = path
            .iter()
            .skip(1)
            .filter(|&&node| !self.is_same_side(node));
        passed.count() as u16
    }

    /// Notes that a value does not follow from the moves; `None` that it does.
    pub fn set_unexplained(&self, id: NodeId, unexplained: Option<Unexplained>) {
        match unexplained {
            Some(found) => {
                self.told.write().unexplained.insert(id, found);
            }
            None if self.unexplained(id).is_some() => {
                self.told.write().unexplained.remove(&id);
            }
            None => {}
        }
    }

    pub fn unexplained(&self, id: NodeId) -> Option<Unexplained> {
        self.told
            .look(|tables| tables.unexplained.get(&id).copied())
    }

    /// Returns the nodes whose values do not follow from their moves, and how many nodes that are.
    pub fn all_unexplained(&self) -> Vec<NodeId> {
        let all = self
            .told
            .look(|tables| Some(tables.unexplained.keys().copied().collect()));
        let mut all: Vec<NodeId> = all.unwrap_or_default();
        all.sort_unstable();
        all
    }

    /// Adds to what was left out below a node.
    pub fn add_left_out(&self, id: NodeId, more: LeftOut) {
        let mut tables = self.told.write();
        let sum = tables.left_out.entry(id).or_default();
        sum.events += more.events;
        sum.nodes += more.nodes;
    }

    /// Returns what a filter left out below a node.
    pub fn left_out(&self, id: NodeId) -> Option<LeftOut> {
        self.told.look(|tables| tables.left_out.get(&id).copied())
    }

    /// Says why the later moves of a node, which have no nodes, were not searched.
    pub fn set_later(&self, parent: NodeId, fate: Option<Fate>) {
        match fate {
            Some(fate) => {
                self.told.write().later.insert(parent, fate);
            }
            None if self.later(parent).is_some() => {
                self.told.write().later.remove(&parent);
            }
            None => {}
        }
    }

    pub fn later(&self, parent: NodeId) -> Option<Fate> {
        self.told.look(|tables| tables.later.get(&parent).copied())
    }

    /// Names a move that the game does not know.
    pub fn name_move(&self, code: MoveCode, name: &Arc<str>) {
        self.told.write().names.insert(code, Arc::clone(name));
    }

    /// Returns the name that a program gave to a move or to one of its rules, where the game has none.
    pub fn told_name(&self, code: MoveCode) -> Option<Arc<str>> {
        self.told.look(|tables| tables.names.get(&code).cloned())
    }

    /// Keeps free text about a node.
    pub fn note(&self, id: NodeId, text: &Arc<str>) {
        self.told.write().notes.insert(id, Arc::clone(text));
    }

    pub fn note_of(&self, id: NodeId) -> Option<Arc<str>> {
        self.told.look(|tables| tables.notes.get(&id).cloned())
    }

    /// Keeps the position at a node, drawn as text.
    pub fn draw_position(&self, id: NodeId, text: &Arc<str>) {
        self.told.write().drawings.insert(id, Arc::clone(text));
    }

    pub fn drawing_of(&self, id: NodeId) -> Option<Arc<str>> {
        self.told.look(|tables| tables.drawings.get(&id).cloned())
    }

    /// Keeps a value that does not fit a [`Score`], in the program's unit; `None` where it fits.
    pub fn set_wide(&self, id: NodeId, value: Option<f64>) {
        match value {
            Some(value) => {
                self.told.write().wide.insert(id, value);
            }
            None if self.wide(id).is_some() => {
                self.told.write().wide.remove(&id);
            }
            None => {}
        }
    }

    /// Returns a node's value in the program's unit where it does not fit a [`Score`], from the view of its side to move.
    pub fn wide(&self, id: NodeId) -> Option<f64> {
        self.told.look(|tables| tables.wide.get(&id).copied())
    }

    /// Says that a node is the position of another one.
    pub fn set_same_as(&self, id: NodeId, other: NodeId) {
        self.told.write().same_as.insert(id, other);
    }

    pub fn same_as(&self, id: NodeId) -> Option<NodeId> {
        self.told.look(|tables| tables.same_as.get(&id).copied())
    }

    /// Keeps what was counted of a node whose figures are now told.
    pub fn set_counted(&self, id: NodeId, counted: Counted) {
        self.told.write().counted.insert(id, counted);
    }

    /// Returns what had been counted of a node when its figures were told last; `None` where they were never both.
    pub fn counted(&self, id: NodeId) -> Option<Counted> {
        self.told.look(|tables| tables.counted.get(&id).copied())
    }

    /// Keeps the key of a node's position as the program has it.
    pub fn set_told_key(&self, id: NodeId, key: u64) {
        self.told.write().keys.insert(id, key);
    }

    pub fn told_key(&self, id: NodeId) -> Option<u64> {
        self.told.look(|tables| tables.keys.get(&id).copied())
    }

    /// Keeps the number of legal moves at a node.
    pub fn set_told_moves(&self, id: NodeId, count: u32) {
        self.told.write().moves.insert(id, count);
    }

    pub fn told_moves(&self, id: NodeId) -> Option<u32> {
        self.told.look(|tables| tables.moves.get(&id).copied())
    }
}

/// What is added to the size of a number that is none of the integer scores, to tell it from them.
const WIDE: f64 = 65_536.0;

/// Returns a value or a difference in the program's unit as a number of [`Tree::told_fate`], where it has no integer score.
pub fn wide_number(number: f64) -> f64 {
    number + WIDE.copysign(number)
}

fn value_of(unit: DeclaredUnit, number: f64) -> Value {
    let exact = number - WIDE.copysign(number);
    match unit {
        DeclaredUnit::Value if number.abs() >= WIDE => return Value::Wide(exact),
        DeclaredUnit::Difference if number.abs() >= WIDE => return Value::Number(exact),
        _ => {}
    }
    let whole = number as i64;
    let is_whole = whole as f64 == number;
    let small = |make: fn(u16) -> Value| match u16::try_from(whole) {
        Ok(n) if is_whole => make(n),
        _ => Value::Number(number),
    };
    match unit {
        DeclaredUnit::Value => match i16::try_from(whole) {
            Ok(raw) if is_whole => Value::Score(Score::from_raw(raw)),
            _ => Value::Number(number),
        },
        DeclaredUnit::Difference => match i16::try_from(whole) {
            Ok(raw) if is_whole => Value::Margin(raw),
            _ => Value::Number(number),
        },
        DeclaredUnit::Plies => small(Value::Plies),
        DeclaredUnit::Count => small(Value::Count),
        DeclaredUnit::Share => Value::Probability((number.clamp(0.0, 1.0) * 65535.0) as u16),
        DeclaredUnit::Move => small(|code| Value::Move(MoveCode(code))),
        DeclaredUnit::Bound => Value::Bound(Bound::from_bits(whole as u8)),
        DeclaredUnit::Number => Value::Number(number),
    }
}
