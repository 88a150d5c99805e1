//! The stones on a board, their chains and liberties, updated stone by stone: fast enough for playouts.

mod order;

use super::Play;

/// From a point to the one above it: the widest board, and the border between its rows.
pub(super) const STRIDE: usize = Stones::LARGEST as usize + 1;
/// Rows below and above the board, a column beside it.
pub(super) const POINTS: usize = STRIDE * (STRIDE + 1) + 1;

/// A place in the array of points: on the board, or on its border.
pub(super) type Point = u8;

/// The colour of a stone. Black begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    Black,
    White,
}

impl Colour {
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

/// What is on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Stone(Colour),
    Empty,
    Border,
}

/// What is known of a chain, in the place of its first stone. A liberty counts once for each stone that it is next to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Chain {
    stones: u16,
    liberties: u16,
    /// The sums of their points and of the squares of those: all are the same point if and only if `liberties * squares` is
    /// `sum` squared.
    sum: u32,
    squares: u32,
}

impl Chain {
    #[inline]
    fn add(&mut self, liberty: Point) {
        let point = u32::from(liberty);
        self.liberties += 1;
        self.sum += point;
        self.squares += point * point;
    }

    #[inline]
    fn remove(&mut self, liberty: Point) {
        let point = u32::from(liberty);
        self.liberties -= 1;
        self.sum -= point;
        self.squares -= point * point;
    }

    /// The only liberty of a chain that has just one.
    #[inline]
    fn last_liberty(&self) -> Option<Point> {
        let (liberties, sum) = (u64::from(self.liberties), u64::from(self.sum));
        let is_last = liberties > 0 && liberties * u64::from(self.squares) == sum * sum;
        is_last.then(|| (self.sum / u32::from(self.liberties)) as Point)
    }
}

/// The stones of a board of some size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones {
    size: u8,
    at: [At; POINTS],
    /// The first stone of a stone's chain, and the next one in a ring through all of them.
    first: [Point; POINTS],
    next: [Point; POINTS],
    chains: [Chain; POINTS],
    /// The empty points in any order, and where each of them is in that list.
    empty: [Point; (Stones::LARGEST as usize).pow(2)],
    place: [u8; POINTS],
    empties: u8,
    stones: [u8; 2],
    /// Where the side to move must not play at once: a single stone was taken there by a stone that now could be taken back.
    ko: Option<Point>,
    hash: u64,
}

/// Numbers for the hash of stones.
static HASHES: [[u64; POINTS]; 2] = {
    let mut table = [[0; POINTS]; 2];
    let mut i = 0;
    while i < 2 * POINTS {
        table[i / POINTS][i % POINTS] = mixed(i as u64 + 1);
        i += 1;
    }
    table
};

/// A number that depends on all bits of another one (SplitMix64).
pub(super) const fn mixed(x: u64) -> u64 {
    let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The points next to one.
#[inline]
pub(super) fn beside(point: Point) -> [Point; 4] {
    let up = STRIDE as Point;
    [point - up, point - 1, point + 1, point + up]
}

#[inline]
fn index(colour: Colour) -> usize {
    colour as usize
}

impl Stones {
    /// The sizes that a board may have.
    pub const SMALLEST: u8 = 2;
    pub const LARGEST: u8 = 13;

    /// Returns an empty board; `None` if it is too small or too large.
    pub fn new(size: u8) -> Option<Stones> {
        if !(Self::SMALLEST..=Self::LARGEST).contains(&size) {
            return None;
        }
        let mut stones = Stones {
            size,
            at: [At::Border; POINTS],
            first: [0; POINTS],
            next: [0; POINTS],
            chains: [Chain::default(); POINTS],
            empty: [0; (Stones::LARGEST as usize).pow(2)],
            place: [0; POINTS],
            empties: 0,
            stones: [0; 2],
            ko: None,
            hash: 0,
        };
        for point in (0..size).flat_map(|row| (0..size).map(move |column| point(column, row))) {
            stones.clear(point);
        }
        Some(stones)
    }

    pub fn size(&self) -> u8 {
        self.size
    }

    /// Returns the number of points.
    pub fn points(&self) -> u32 {
        u32::from(self.size) * u32::from(self.size)
    }

    /// Returns the number of stones of both sides.
    pub fn count(&self) -> u32 {
        self.stones.iter().map(|n| u32::from(*n)).sum()
    }

    /// The number of a side's stones.
    #[inline]
    pub(super) fn count_of(&self, colour: Colour) -> i32 {
        i32::from(self.stones[index(colour)])
    }

    /// A number for the stones, whoever is to move.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    pub(super) fn at(&self, point: Point) -> At {
        self.at[usize::from(point)]
    }

    /// Whether it is a point of this board.
    #[inline]
    pub(super) fn has(&self, point: Point) -> bool {
        self.at
            .get(usize::from(point))
            .is_some_and(|at| *at != At::Border)
    }

    /// Whether a point beside it is empty.
    #[inline]
    pub(super) fn is_open(&self, point: Point) -> bool {
        beside(point)
            .into_iter()
            .any(|next| self.at(next) == At::Empty)
    }

    #[inline]
    pub(super) fn is_ko(&self, point: Point) -> bool {
        self.ko == Some(point)
    }

    /// The empty points, in no particular order.
    #[inline]
    pub(super) fn empty(&self) -> &[Point] {
        &self.empty[..usize::from(self.empties)]
    }

    /// Exchanges two empty points in their list.
    #[inline]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.empty.swap(a, b);
        for i in [a, b] {
            self.place[usize::from(self.empty[i])] = i as u8;
        }
    }

    /// All points of the board, row by row from above.
    pub(super) fn all(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        let rows = (0..size).rev();
        rows.flat_map(move |row| (0..size).map(move |column| point(column, row)))
    }

    #[inline]
    fn chain(&mut self, stone: Point) -> &mut Chain {
        &mut self.chains[usize::from(self.first[usize::from(stone)])]
    }

    #[inline]
    fn chain_of(&self, stone: Point) -> &Chain {
        &self.chains[usize::from(self.first[usize::from(stone)])]
    }

    /// The only liberty of a stone's chain, if it has just one.
    #[inline]
    pub(super) fn last_liberty(&self, stone: Point) -> Option<Point> {
        self.chain_of(stone).last_liberty()
    }

    /// The stones of a stone's chain.
    pub(super) fn chain_at(&self, stone: Point) -> impl Iterator<Item = Point> {
        let next = move |&at: &Point| Some(self.next[usize::from(at)]).filter(|at| *at != stone);
        std::iter::successors(Some(stone), next)
    }

    /// Whether a stone on an empty point would have a liberty, or takes something: all that the rules ask but for repetition.
    #[inline]
    pub(super) fn lives(&self, point: Point, colour: Colour) -> bool {
        let lives = |next: Point| match self.at(next) {
            // A point beside a chain with one liberty is that liberty.
            At::Stone(other) => (other == colour) == self.last_liberty(next).is_none(),
            _ => false,
        };
        self.is_open(point) || beside(point).into_iter().any(lives)
    }

    /// Whether it is an eye of this colour: only such stones beside it, and too few others at its corners to make it a false one.
    #[inline]
    pub(super) fn is_eye(&self, point: Point, colour: Colour) -> bool {
        let is_closed = |next: Point| {
            matches!(self.at(next), At::Border | At::Stone(_))
                && self.at(next) != At::Stone(colour.other())
        };
        if !beside(point).into_iter().all(is_closed) {
            return false;
        }
        let up = STRIDE as Point;
        let corners = [
            point - up - 1,
            point - up + 1,
            point + up - 1,
            point + up + 1,
        ];
        let (mut outside, mut others) = (0, 0);
        for corner in corners {
            match self.at(corner) {
                At::Border => outside = 1,
                At::Stone(other) if other != colour => others += 1,
                _ => {}
            }
        }
        outside + others < 2
    }

    /// The hash after a legal move.
    pub(super) fn hash_after(&self, point: Point, colour: Colour) -> u64 {
        let own = HASHES[index(colour)][usize::from(point)];
        let mut taken = Vec::new();
        for next in beside(point) {
            let is_taken =
                self.at(next) == At::Stone(colour.other()) && self.last_liberty(next).is_some();
            let first = self.first[usize::from(next)];
            if is_taken && !taken.contains(&first) {
                taken.push(first);
            }
        }
        let stones = taken.into_iter().flat_map(|first| self.chain_at(first));
        stones.fold(self.hash ^ own, |hash, stone| {
            hash ^ HASHES[index(colour.other())][usize::from(stone)]
        })
    }

    /// Whether a legal move takes stones.
    pub(super) fn takes(&self, point: Point, colour: Colour) -> bool {
        beside(point).into_iter().any(|next| {
            self.at(next) == At::Stone(colour.other()) && self.last_liberty(next).is_some()
        })
    }

    /// Plays on an empty point where the stone [lives](Stones::lives).
    #[inline]
    pub(super) fn play(&mut self, point: Point, colour: Colour) {
        self.place_stone(point, colour);
        let mut taken = (0, point);
        for next in beside(point) {
            if self.at(next) == At::Stone(colour.other()) && self.chain(next).liberties == 0 {
                taken = (taken.0 + self.take(next), next);
            }
        }
        let own = self.chain_of(point);
        let is_ko = taken.0 == 1 && own.stones == 1 && own.liberties == 1;
        self.ko = is_ko.then_some(taken.1);
    }

    /// Nobody plays: what was forbidden because of a ko is so no longer.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.ko = None;
    }

    /// Puts a stone on an empty point, whatever liberties it has, and takes none away.
    #[inline]
    pub(super) fn place_stone(&mut self, point: Point, colour: Colour) {
        let p = usize::from(point);
        self.at[p] = At::Stone(colour);
        self.hash ^= HASHES[index(colour)][p];
        self.stones[index(colour)] += 1;
        // The last one of the list takes its place there.
        self.empties -= 1;
        let last = self.empty[usize::from(self.empties)];
        self.empty[usize::from(self.place[p])] = last;
        self.place[usize::from(last)] = self.place[p];

        (self.first[p], self.next[p]) = (point, point);
        let mut chain = Chain {
            stones: 1,
            ..Chain::default()
        };
        for next in beside(point) {
            match self.at(next) {
                At::Empty => chain.add(next),
                At::Stone(_) => self.chain(next).remove(point),
                At::Border => {}
            }
        }
        self.chains[p] = chain;
        for next in beside(point) {
            if self.at(next) == At::Stone(colour) {
                self.join(point, next);
            }
        }
    }

    /// Makes one chain of those of two stones.
    fn join(&mut self, a: Point, b: Point) {
        let [a, b] = [a, b].map(|stone| self.first[usize::from(stone)]);
        if a == b {
            return;
        }
        let stones = |first: Point| self.chains[usize::from(first)].stones;
        let (large, small) = if stones(a) >= stones(b) {
            (a, b)
        } else {
            (b, a)
        };
        let part = self.chains[usize::from(small)];
        let whole = &mut self.chains[usize::from(large)];
        whole.stones += part.stones;
        whole.liberties += part.liberties;
        whole.sum += part.sum;
        whole.squares += part.squares;
        let mut stone = small;
        loop {
            self.first[usize::from(stone)] = large;
            stone = self.next[usize::from(stone)];
            if stone == small {
                break;
            }
        }
        self.next.swap(usize::from(large), usize::from(small));
    }

    /// Takes the chain of a stone off the board and returns the number of its stones.
    fn take(&mut self, stone: Point) -> u32 {
        let At::Stone(colour) = self.at(stone) else {
            return 0;
        };
        let (mut at, mut taken) = (stone, 0);
        loop {
            let next = self.next[usize::from(at)];
            self.hash ^= HASHES[index(colour)][usize::from(at)];
            self.stones[index(colour)] -= 1;
            self.clear(at);
            for beside in beside(at) {
                if self.at(beside) == At::Stone(colour.other()) {
                    self.chain(beside).add(at);
                }
            }
            taken += 1;
            if next == stone {
                return taken;
            }
            at = next;
        }
    }

    /// Makes a point an empty one.
    #[inline]
    fn clear(&mut self, point: Point) {
        self.at[usize::from(point)] = At::Empty;
        self.list(point);
    }

    /// Adds a point to the list of empty ones.
    #[inline]
    fn list(&mut self, point: Point) {
        self.empty[usize::from(self.empties)] = point;
        self.place[usize::from(point)] = self.empties;
        self.empties += 1;
    }

    /// The stones of a colour.
    pub(super) fn of(&self, colour: Colour) -> impl Iterator<Item = Play> {
        let points = self.all();
        points
            .filter(move |p| self.at(*p) == At::Stone(colour))
            .map(Play)
    }

    /// A stone whose chain has no liberty, as can only be set up.
    pub(super) fn without_liberties(&self) -> Option<Play> {
        let is_stone = |p: &Point| matches!(self.at(*p), At::Stone(_));
        let mut stones = self.all().filter(is_stone);
        stones.find(|p| self.chain_of(*p).liberties == 0).map(Play)
    }

    /// Sets up a stone, or none, on a point, whatever is there.
    pub(super) fn set(&mut self, m: Play, colour: Option<Colour>) {
        let now = match self.at(m.0) {
            At::Stone(colour) => Some(colour),
            _ => None,
        };
        if now == colour || m == Play::PASS {
            return;
        }
        // Chains may fall apart: everything is set up anew.
        let sides = [Colour::Black, Colour::White];
        let old = sides
            .into_iter()
            .flat_map(|side| self.of(side).map(move |m| (m, side)));
        let mut all: Vec<(Play, Colour)> = old.filter(|(other, _)| *other != m).collect();
        all.extend(colour.map(|colour| (m, colour)));
        if let Some(empty) = Stones::new(self.size) {
            *self = empty;
        }
        for (m, colour) in all {
            self.place_stone(m.0, colour);
        }
    }
}

/// The point in a column and a row, both counted from 0 at the lower left corner.
#[inline]
pub(super) const fn point(column: u8, row: u8) -> Point {
    (row + 1) * STRIDE as u8 + column + 1
}

/// The column and the row of a point.
#[inline]
pub(super) const fn place(point: Point) -> (u8, u8) {
    (point % STRIDE as u8 - 1, point / STRIDE as u8 - 1)
}
