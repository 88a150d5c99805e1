//! What another program told of its search beyond the fields of a node: side tables, empty in the trees of plyscope's own
//! searches.

mod beside;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::fate::{DeclaredUnit, Number, Numbers, Value};
use super::node::Mark;
use super::{Bound, Fate, Node, NodeId, ReasonId, Tree};
use beside::Beside;
use game::{MoveCode, Score};

/// The side tables of a tree.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Whether there is anything in them, so that other trees are asked no further.
    any: AtomicBool,
    tables: RwLock<Tables>,
    numbers: Store,
    /// The numbers of legal moves that were told, plus 1.
    moves: Beside<AtomicU32>,
    /// By the parent: why its later moves, which have no node, were not searched.
    later: Beside<AtomicU64>,
}

#[derive(Clone, Debug, Default)]
struct Tables {
    unexplained: Map<Unexplained>,
    left_out: Map<LeftOut>,
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

/// Spreads the numbers of nodes.
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

/// The numbers of declared reasons that are kept, on average, for a node.
const NUMBERS_A_NODE: usize = 2;

/// Numbers of declared reasons, one after another.
#[derive(Debug, Default)]
struct Store {
    numbers: Beside<AtomicU64>,
    len: AtomicUsize,
}

impl Store {
    /// Keeps numbers, and returns the place of the first, unless there would be more than `most`.
    fn push(&self, numbers: &[f64], most: usize) -> Option<u32> {
        if self.len.load(Relaxed) + numbers.len() > most {
            return None;
        }
        let first = self.len.fetch_add(numbers.len(), Relaxed);
        self.set(first, numbers, most);
        u32::try_from(first).ok()
    }

    fn set(&self, first: usize, numbers: &[f64], most: usize) {
        for (at, number) in (first..).zip(numbers) {
            if let Some(cell) = self.numbers.reach(at, most) {
                cell.store(number.to_bits(), Relaxed);
            }
        }
    }

    fn get(&self, at: usize) -> Option<f64> {
        let cell = self.numbers.get(at).filter(|_| at < self.len.load(Relaxed));
        cell.map(|bits| f64::from_bits(bits.load(Relaxed)))
    }
}

impl Clone for Told {
    fn clone(&self) -> Told {
        let word = |cell: &AtomicU64| AtomicU64::new(cell.load(Relaxed));
        Told {
            any: AtomicBool::new(self.any.load(Relaxed)),
            tables: RwLock::new(self.read().clone()),
            numbers: Store {
                numbers: self.numbers.numbers.copy(word),
                len: AtomicUsize::new(self.numbers.len.load(Relaxed)),
            },
            moves: self.moves.copy(|cell| AtomicU32::new(cell.load(Relaxed))),
            later: self.later.copy(word),
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
        self.numbers.numbers.bytes()
            + self.moves.bytes()
            + self.later.bytes()
            + (keys * size_of::<(NodeId, u64)>()) as u64
    }
}

impl Tree {
    /// The bytes of the side tables for a node of another program's search, on average and at most, but for what is rare.
    pub const TOLD_BYTES: u64 =
        (NUMBERS_A_NODE * size_of::<f64>() + size_of::<u32>() + size_of::<u64>()) as u64;

    /// Whether it is the tree of another program's search.
    pub fn is_told(&self) -> bool {
        self.told.any.load(Relaxed)
    }

    /// The numbers of all nodes are below this.
    fn places(&self) -> usize {
        self.capacity() as usize + 1
    }

    /// How many numbers of declared reasons the tree keeps.
    fn room_for_numbers(&self) -> usize {
        self.capacity() as usize * NUMBERS_A_NODE
    }

    /// Keeps a declared reason with its numbers, in the order of the declaration: of a [`DeclaredUnit::Value`] the integer of
    /// the [`Score`] or a [`wide_number`], of the others as they are. Numbers that `before`, the node's fate so far, had for the
    /// same reason are replaced. Without numbers, once there are more than [`Tree::TOLD_BYTES`] have room for.
    pub fn told_fate(&self, before: Fate, reason: ReasonId, numbers: &[f64]) -> Fate {
        if numbers.is_empty() {
            return Fate::Told { reason, numbers: 0 };
        }
        let (store, most) = (&self.told.numbers, self.room_for_numbers());
        match before {
            Fate::Told {
                reason: same,
                numbers: place,
            } if same == reason && place > 0 => {
                store.set(place as usize - 1, numbers, most);
                before
            }
            _ => {
                let place = store.push(numbers, most);
                Fate::Told {
                    reason,
                    numbers: place.and_then(|place| place.checked_add(1)).unwrap_or(0),
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
        let store = &self.told.numbers;
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

    /// Keeps what a table has of a node, or that it has nothing. The node comes along, as whoever asks has it.
    #[inline]
    fn keep<T>(
        &self,
        (id, node): (NodeId, &Node),
        mark: Mark,
        what: Option<T>,
        table: impl FnOnce(&mut Tables) -> &mut Map<T>,
    ) {
        match what {
            Some(what) => {
                table(&mut self.told.write()).insert(id, what);
                node.mark(mark);
            }
            None if node.is_marked(mark) => {
                table(&mut self.told.write()).remove(&id);
                node.unmark(mark);
            }
            None => {}
        }
    }

    /// Returns what a table has of a node.
    #[inline]
    fn kept<T: Copy>(
        &self,
        id: NodeId,
        mark: Mark,
        table: impl FnOnce(&Tables) -> &Map<T>,
    ) -> Option<T> {
        if !self.node(id).is_marked(mark) {
            return None;
        }
        table(&self.told.read()).get(&id).copied()
    }

    /// Says that the same side is to move at a node as at its parent.
    #[inline]
    pub fn set_same_side(&self, node: &Node) {
        node.mark(Mark::SameSide);
    }

    /// Whether the same side is to move at a node as at its parent. Sides alternate unless a program says otherwise.
    #[inline]
    pub fn is_same_side(&self, id: NodeId) -> bool {
        self.node(id).is_marked(Mark::SameSide)
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
    #[inline]
    pub fn set_unexplained(&self, at: (NodeId, &Node), unexplained: Option<Unexplained>) {
        self.keep(at, Mark::Unexplained, unexplained, |tables| {
            &mut tables.unexplained
        });
    }

    pub fn unexplained(&self, id: NodeId) -> Option<Unexplained> {
        self.kept(id, Mark::Unexplained, |tables| &tables.unexplained)
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
    #[inline]
    pub fn set_later(&self, parent: (NodeId, &Node), fate: Fate) {
        let (id, node) = parent;
        let cell = self.told.later.reach(id.0 as usize, self.places());
        if let Some(cell) = cell {
            cell.store(fate.to_bits(), Relaxed);
            node.mark(Mark::Later);
        }
    }

    /// Forgets [`Tree::set_later`], as the node is entered once more. The cell keeps what it has until something else is said.
    #[inline]
    pub fn forget_later(&self, parent: &Node) {
        if parent.is_marked(Mark::Later) {
            parent.unmark(Mark::Later);
        }
    }

    pub fn later(&self, parent: NodeId) -> Option<Fate> {
        if !self.node(parent).is_marked(Mark::Later) {
            return None;
        }
        let cell = self.told.later.get(parent.0 as usize)?;
        Some(Fate::from_bits(cell.load(Relaxed)))
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
    #[inline]
    pub fn set_wide(&self, at: (NodeId, &Node), value: Option<f64>) {
        self.keep(at, Mark::Wide, value, |tables| &mut tables.wide);
    }

    /// Returns a node's value in the program's unit where it does not fit a [`Score`], from the view of its side to move.
    pub fn wide(&self, id: NodeId) -> Option<f64> {
        self.kept(id, Mark::Wide, |tables| &tables.wide)
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
        if let Some(cell) = self.told.moves.reach(id.0 as usize, self.places()) {
            cell.store(count.saturating_add(1), Relaxed);
        }
    }

    pub fn told_moves(&self, id: NodeId) -> Option<u32> {
        let cell = self.told.moves.get(id.0 as usize)?;
        cell.load(Relaxed).checked_sub(1)
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

#[cfg(test)]
mod tests;
