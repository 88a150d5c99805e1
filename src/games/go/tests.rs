//! The rules against a second implementation that shares nothing with them, and against published counts.

use std::collections::HashSet;

use super::*;

/// A board as rows of signs; everything is found out anew by flooding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Plain {
    size: usize,
    cells: Vec<char>,
}

impl Plain {
    fn of(stones: &Stones) -> Plain {
        let sign = |p| match stones.at(p) {
            At::Stone(Colour::Black) => 'X',
            At::Stone(Colour::White) => 'O',
            _ => '.',
        };
        Plain {
            size: stones.size().into(),
            cells: stones.all().map(sign).collect(),
        }
    }

    fn beside(&self, cell: usize) -> Vec<usize> {
        let (row, column) = (cell / self.size, cell % self.size);
        let mut cells = Vec::new();
        if row > 0 {
            cells.push(cell - self.size);
        }
        if row + 1 < self.size {
            cells.push(cell + self.size);
        }
        if column > 0 {
            cells.push(cell - 1);
        }
        if column + 1 < self.size {
            cells.push(cell + 1);
        }
        cells
    }

    /// The cells connected with one of the same sign, and those beside them.
    fn region(&self, cell: usize) -> (HashSet<usize>, HashSet<usize>) {
        let (mut inside, mut edge, mut left) = (HashSet::from([cell]), HashSet::new(), vec![cell]);
        while let Some(cell) = left.pop() {
            for next in self.beside(cell) {
                if self.cells[next] != self.cells[cell] {
                    edge.insert(next);
                } else if inside.insert(next) {
                    left.push(next);
                }
            }
        }
        (inside, edge)
    }

    fn liberties(&self, cell: usize) -> Vec<usize> {
        let (_, edge) = self.region(cell);
        edge.into_iter().filter(|c| self.cells[*c] == '.').collect()
    }

    /// The board after a stone, if it is no suicide.
    fn after(&self, cell: usize, sign: char) -> Option<Plain> {
        let mut next = self.clone();
        next.cells[cell] = sign;
        for beside in self.beside(cell) {
            let other = next.cells[beside];
            if other != '.' && other != sign && next.liberties(beside).is_empty() {
                for taken in next.region(beside).0 {
                    next.cells[taken] = '.';
                }
            }
        }
        (!next.liberties(cell).is_empty()).then_some(next)
    }

    fn area(&self) -> i32 {
        let value = |cell: usize| match self.cells[cell] {
            'X' => 1,
            'O' => -1,
            _ => {
                let (_, edge) = self.region(cell);
                let touches = |sign| edge.iter().any(|c| self.cells[*c] == sign);
                i32::from(touches('X') && !touches('O')) - i32::from(touches('O') && !touches('X'))
            }
        };
        (0..self.cells.len()).map(value).sum()
    }

    fn point(&self, cell: usize) -> Point {
        let row = self.size - 1 - cell / self.size;
        point((cell % self.size) as u8, row as u8)
    }
}

fn sign(colour: Colour) -> char {
    match colour {
        Colour::Black => 'X',
        Colour::White => 'O',
    }
}

/// Everything that the fast board says of a position is what flooding says.
fn check(position: &Go, plain: &Plain, seen: &HashSet<Vec<char>>) -> Vec<Play> {
    let stones = &position.stones;
    assert_eq!(&Plain::of(stones), plain);
    assert_eq!(stones.area(), plain.area());
    assert_eq!(
        stones.count() as usize,
        plain.cells.iter().filter(|c| **c != '.').count()
    );
    let mut legal = Vec::new();
    for cell in 0..plain.cells.len() {
        let at = plain.point(cell);
        if plain.cells[cell] != '.' {
            let liberties = plain.liberties(cell);
            let last = (liberties.len() == 1).then(|| plain.point(liberties[0]));
            assert_eq!(stones.last_liberty(at), last);
            let chain: HashSet<Point> = stones.chain_at(at).collect();
            let region = plain.region(cell).0;
            assert_eq!(chain, region.into_iter().map(|c| plain.point(c)).collect());
            continue;
        }
        let after = plain.after(cell, sign(position.turn));
        assert_eq!(stones.lives(at, position.turn), after.is_some());
        if let Some(after) = after
            && !seen.contains(&after.cells)
        {
            legal.push(Play(at));
        }
    }
    legal.push(Play::PASS);
    assert_eq!(position.legal_moves().to_vec(), legal);
    legal
}

#[test]
fn random_games_go_as_by_flooding() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut repeats, mut kos) = (0, 0);
    for game in 0..35 {
        let size = [2, 3, 4, 5, 7, 9, 13][game % 7];
        let mut position = Go::new(size, Komi::NONE).expect("a board");
        let mut plain = Plain::of(&position.stones);
        let mut seen = HashSet::from([plain.cells.clone()]);
        for _ in 0..120 {
            let legal = check(&position, &plain, &seen);
            let alive = |p: &Point| {
                position.stones.at(*p) == At::Empty && position.stones.lives(*p, position.turn)
            };
            let alive = position.stones.all().filter(alive).count() + 1;
            repeats += alive - legal.len();
            kos += usize::from(position.stones.all().any(|p| position.stones.is_ko(p)));
            // Passing is for those who have nothing else, or one in fifty.
            let m = match random.u32(..50) {
                0 => Play::PASS,
                _ => legal[random.usize(..(legal.len() - 1).max(1))],
            };
            if let Some((column, row)) = m.place() {
                let cell = (usize::from(size - 1 - row)) * usize::from(size) + usize::from(column);
                plain = plain
                    .after(cell, sign(position.turn))
                    .expect("a legal move");
                seen.insert(plain.cells.clone());
            }
            position.play(m);
            if position.passes >= 2 {
                break;
            }
        }
    }
    assert!(repeats > 20 && kos > 10, "{repeats} repetitions, {kos} kos");
}

/// Sequences of moves by flooding; a position may not come up twice.
fn sequences(
    plain: &Plain,
    turn: Colour,
    seen: &mut Vec<Vec<char>>,
    passes: u32,
    plies: u32,
) -> u64 {
    if plies == 0 {
        return 1;
    }
    if passes == 2 {
        return 0;
    }
    let mut count = sequences(plain, turn.other(), seen, passes + 1, plies - 1);
    for cell in (0..plain.cells.len()).filter(|cell| plain.cells[*cell] == '.') {
        let Some(after) = plain.after(cell, sign(turn)) else {
            continue;
        };
        if !seen.contains(&after.cells) {
            seen.push(after.cells.clone());
            count += sequences(&after, turn.other(), seen, 0, plies - 1);
            seen.pop();
        }
    }
    count
}

#[test]
fn sequences_of_moves_are_as_many_as_by_flooding() {
    for (size, most) in [(2, 10), (3, 5)] {
        let start = Go::new(size, Komi::NONE).expect("a board");
        let plain = Plain::of(&start.stones);
        for plies in 1..=most {
            let mut seen = vec![plain.cells.clone()];
            let count = sequences(&plain, Colour::Black, &mut seen, 0, plies);
            let found = game::perft(&start, plies, &|| true);
            assert_eq!(found, Some(count), "{size}×{size}, {plies} plies");
        }
    }
}

/// John Tromp and Gunnar Farnebäck, *Combinatorics of Go*, 2007: legal positions of 2×2 and 3×3.
#[test]
fn legal_positions_are_as_many_as_published() {
    for (size, count) in [(2, 57), (3, 12_675)] {
        let mut left = vec![Stones::new(size).expect("a board")];
        let mut seen: HashSet<u64> = left.iter().map(Stones::hash).collect();
        while let Some(stones) = left.pop() {
            // With passes either side can be to move everywhere.
            for colour in [Colour::Black, Colour::White] {
                for &point in stones.empty() {
                    if stones.lives(point, colour) {
                        let mut next = stones.clone();
                        next.play(point, colour);
                        assert_eq!(next.hash(), stones.hash_after(point, colour));
                        if seen.insert(next.hash()) {
                            left.push(next);
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), count, "{size}×{size}");
    }
}

#[test]
fn playouts_end_where_only_eyes_are_left() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut games, mut plies) = (0, 0);
    for size in [5, 9, 13] {
        for _ in 0..15 {
            let stones = Stones::new(size).expect("a board");
            let mut game = Light::new(stones, Colour::Black, 0);
            while !game.is_over() {
                game.step(&mut random);
                let plain = Plain::of(&game.stones);
                for cell in (0..plain.cells.len()).filter(|c| plain.cells[*c] != '.') {
                    assert!(!plain.liberties(cell).is_empty(), "{plain:?}");
                }
            }
            games += 1;
            plies += u32::from(game.plies());
            let left = game.stones.empty().to_vec();
            for point in left {
                for colour in [Colour::Black, Colour::White] {
                    let is_move = game.stones.lives(point, colour)
                        && !game.stones.is_eye(point, colour)
                        && !game.stones.is_ko(point);
                    let is_cut_off = u32::from(game.plies()) >= 3 * game.stones.points();
                    assert!(!is_move || is_cut_off);
                }
            }
        }
    }
    assert!(plies / games > 60, "{plies} plies in {games} games");
}

#[test]
fn files_may_go_on_after_two_passes() {
    for (text, plies) in [
        ("(;SZ[9];B[ee];W[];B[];W[])", 4),
        ("(;SZ[9];B[ee];W[];B[];W[cc];B[gg])", 5),
        ("(;SZ[9];B[ee];W[];B[];W[ee])", 3),
    ] {
        let read = crate::Document::from_bytes("a.sgf", text.as_bytes().to_vec());
        let entry = read.and_then(|read| read.entry(0)).expect("a game");
        assert_eq!(entry.plies(), plies, "{text}");
        assert_eq!(entry.problems.len(), usize::from(plies == 3));
    }
}

/// Neither the order of moves, nor stones that were taken on the way, change what playouts say.
#[test]
fn the_same_position_has_the_same_playouts() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut differ = 0;
    for game in 0..16 {
        let size = [3, 5, 9, 13][game % 4];
        let stones = Stones::new(size).expect("a board");
        let mut played = Light::new(stones, Colour::Black, 0);
        for _ in 0..random.u32(20..u32::from(size) * 20) {
            played.step(&mut random);
        }
        let mut stones = played.stones;
        stones.pass();
        let list = stones.of(Colour::Black).map(|m| (m, Colour::Black));
        let mut list: Vec<_> = list
            .chain(stones.of(Colour::White).map(|m| (m, Colour::White)))
            .collect();
        random.shuffle(&mut list);
        let mut set_up = Stones::new(size).expect("a board");
        for (m, colour) in list {
            set_up.set(m, Some(colour));
        }
        differ += u32::from(set_up.empty() != stones.empty());
        let [played, set_up] = [stones, set_up].map(|stones| {
            let mut sorted = stones.clone();
            sorted.sort();
            let position = Go::from_setup(stones, Colour::White, Komi::USUAL);
            check(
                &Go {
                    stones: sorted,
                    ..position.clone()
                },
                &Plain::of(&position.stones),
                &HashSet::new(),
            );
            (position.notated(), Counted::of(&position, 32))
        });
        assert_eq!(played, set_up);
    }
    assert!(differ > 8, "{differ}");
}
