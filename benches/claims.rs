//! Compares what searches claim to be certain with truths that share no code with them.
//!
//! ```text
//! cargo run --release --features examples --example claims -- [--claims N] [--seed N] [--kind NAME]… [--first N] [--jobs N]
//! cargo run --release --features examples --example claims -- [--share N] [--part NAME]… [--syzygy FOLDER] FILE…
//! ```
//!
//! Without a FILE it makes positions of each kind at random ([`common::made`]) until N claims (100,000) have been checked,
//! of all algorithms with one thread and with two. `--first N` begins with the N-th position of each kind; with `--claims 1`
//! that repeats the searches of one position. The exit status is 1 if a claim is false.
//!
//! FILE has positions as FEN or EPD, one per line, or lichess puzzles as CSV. `--share N` uses one position in N.
//! Parts: `mates` (the files' positions at many node limits), `long` (a million nodes), `clocks` (three-man endgames
//! from clock 80 on, with a solver that takes the clock into account), `four` (four men), `known` (endings with known draws; with
//! `--syzygy` every claim is asked of the tables, otherwise bare minor pieces of a solver), `histories` (the same
//! positions with one and two earlier occurrences), `threads`, `options`.

use common::claims;
use common::clocked;
use common::made::Kind;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use algorithms::{ALGORITHMS, Algorithm};
use claims::{Judge, OPTIONS, THREADS, Tally, Truth, ask_about, config, shuffled};
use clocked::Clocked;
use common::minors::Minors;
use game::load::fen;
use game::{ChessPosition, EndgameTables, Game, MoveCode, Situation};
use session::{Session, Subject};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Piece, Role, Setup, Square};

const LIMITS: [u64; 27] = [
    40, 50, 60, 70, 80, 90, 100, 120, 140, 160, 180, 200, 220, 240, 256, 280, 300, 340, 380, 420,
    480, 550, 650, 800, 1000, 1250, 1500,
];
const LONG: [u64; 3] = [20_000, 150_000, 1_000_000];

/// What is asked for on the command line.
struct Asked {
    share: usize,
    parts: Vec<String>,
    files: Vec<String>,
    /// Endgame tables for the part `known`.
    tables: Option<EndgameTables>,
    seed: u64,
    /// The number of the first position that is made.
    first: u64,
    /// Positions are made until so many claims have been checked.
    claims: u64,
    kinds: Vec<Kind>,
    jobs: usize,
}

impl Asked {
    fn read() -> Asked {
        let mut asked = Asked {
            share: 1,
            parts: Vec::new(),
            files: Vec::new(),
            tables: None,
            seed: 1,
            first: 0,
            claims: 100_000,
            kinds: Vec::new(),
            jobs: 2,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || -> u64 {
                let number = words.next().and_then(|n| n.parse().ok());
                number.unwrap_or_else(|| panic!("{word}: expected a number"))
            };
            match word.as_str() {
                "--share" => asked.share = number().max(1) as usize,
                "--seed" => asked.seed = number(),
                "--first" => asked.first = number(),
                "--claims" => asked.claims = number(),
                "--jobs" => asked.jobs = number().max(1) as usize,
                "--part" => asked.parts.extend(words.next()),
                "--syzygy" => {
                    let folder = words.next().unwrap_or_default();
                    let opened = EndgameTables::open(folder.as_ref());
                    asked.tables = Some(opened.expect("a folder of Syzygy tables").0);
                }
                "--kind" => {
                    let name = words.next().unwrap_or_default();
                    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name);
                    let names = Kind::ALL.map(Kind::name).join(", ");
                    asked.kinds.push(kind.unwrap_or_else(|| {
                        panic!("--kind: found {name:?}, expected one of {names}")
                    }));
                }
                "--bench" => {}
                _ => asked.files.push(word),
            }
        }
        if asked.kinds.is_empty() {
            asked.kinds = Kind::ALL.to_vec();
        }
        asked
    }
}

fn main() {
    let asked = Asked::read();
    let wrong = match asked.files.is_empty() {
        true => of_made(&asked),
        false => of_files(&asked),
    };
    std::process::exit(i32::from(wrong > 0));
}

/// The tallies of one kind of position: by algorithm and number of threads.
type Rows = Vec<[Tally; THREADS.len()]>;

/// Checks claims about positions that are made at random, and returns the number of false ones.
fn of_made(asked: &Asked) -> usize {
    let Asked {
        seed, first, kinds, ..
    } = asked;
    let begin = Instant::now();
    let clocked = Clocked::solve([0, 1, 2, 3]);
    println!("seed {seed}, from position {first} on");
    let next = AtomicU64::new(*first);
    let checked = AtomicU64::new(0);
    let empty = || ALGORITHMS.iter().map(|_| Default::default()).collect();
    let all: Mutex<Vec<Rows>> = Mutex::new(kinds.iter().map(|_| empty()).collect());
    let work = || {
        while checked.load(Relaxed) < asked.claims {
            let number = next.fetch_add(1, Relaxed);
            for (place, &kind) in kinds.iter().enumerate() {
                let found = ask_about(kind, *seed, number, Some(&clocked));
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                for (row, (name, found)) in all[place].iter_mut().zip(ALGORITHMS.iter().zip(found))
                {
                    for (kept, tally) in row.iter_mut().zip(found) {
                        for wrong in &tally.wrong {
                            println!("FALSE: {wrong}");
                            println!(
                                "  --seed {seed} --kind {} --first {number} --claims 1 ({})",
                                kind.name(),
                                name.name
                            );
                        }
                        checked.fetch_add(tally.claims, Relaxed);
                        kept.add(tally);
                    }
                }
            }
        }
    };
    // The outcome of a position is found by recursion, which takes more than the usual stack.
    std::thread::scope(|scope| {
        for _ in 0..asked.jobs {
            let worker = std::thread::Builder::new().stack_size(256 << 20);
            worker.spawn_scoped(scope, work).expect("a thread");
        }
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{:<16} {:<20}{}",
        "kind",
        "algorithm",
        THREADS
            .map(|n| format!("{:>39}", format!("{n} threads: claims    false  undecided")))
            .concat()
    );
    let line = |kind: &str, name: &str, row: &[Tally; THREADS.len()]| {
        let cells = row.iter().map(|tally| {
            let (claims, wrong) = (tally.claims, tally.wrong.len());
            format!("{claims:>19} {wrong:>8} {:>10}", tally.unchecked)
        });
        println!("{kind:<16} {name:<20}{}", cells.collect::<String>());
    };
    let mut total: [Tally; THREADS.len()] = Default::default();
    for (kind, rows) in kinds.iter().zip(&all) {
        let mut sum: [Tally; THREADS.len()] = Default::default();
        for (algorithm, row) in ALGORITHMS.iter().zip(rows) {
            line(kind.name(), algorithm.name, row);
            for (sum, tally) in sum.iter_mut().zip(row) {
                sum.add(tally.clone());
            }
        }
        line(kind.name(), "in all", &sum);
        for (total, sum) in total.iter_mut().zip(sum) {
            total.add(sum);
        }
    }
    line("in all", "", &total);
    let mut whole = Tally::default();
    total.into_iter().for_each(|tally| whole.add(tally));
    let positions = (next.into_inner() - first) * kinds.len() as u64;
    println!("{whole}");
    println!(
        "{positions} positions up to {first}..{}, {:.0} s",
        first + positions / kinds.len() as u64,
        begin.elapsed().as_secs_f64()
    );
    whole.wrong.len()
}

/// Checks claims about the positions of files, and returns the number of false ones.
fn of_files(asked: &Asked) -> usize {
    let Asked {
        share,
        parts,
        files,
        tables,
        ..
    } = asked;
    let share = *share;
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|p| p == part);
    let positions: Vec<_> = files.iter().flat_map(|f| read(f)).step_by(share).collect();
    println!("{} positions from {} files", positions.len(), files.len());
    let mut all = Report::default();
    if wanted("mates") {
        all.part("mates", |report| {
            for situation in &positions {
                let mut judge = Judge::new(situation.clone(), None);
                for nodes in LIMITS {
                    report.all_algorithms(&mut judge, nodes, 1);
                }
            }
        });
    }
    if wanted("long") {
        all.part("long", |report| {
            for (i, situation) in positions.iter().enumerate() {
                let mut judge = Judge::new(situation.clone(), None);
                for (k, nodes) in LONG.into_iter().enumerate() {
                    // The longest limit only for a few of them.
                    if i % [1, 8, 48][k] == 0 {
                        report.all_algorithms(&mut judge, nodes, 1);
                    }
                }
            }
        });
    }
    if wanted("clocks") {
        let clocked = Clocked::solve([0, 1, 2, 3]);
        all.part("clocks", |report| {
            for (i, situation) in endings(&[Role::Queen, Role::Rook, Role::Pawn], 900 / share)
                .into_iter()
                .enumerate()
            {
                let mut judge = Judge::new(situation, Some(&clocked));
                for nodes in [100, 1_000, 10_000 + 40_000 * u64::from(i % 16 == 0)] {
                    report.all_algorithms(&mut judge, nodes, 1);
                }
            }
        });
    }
    if wanted("four") {
        all.part("four", |report| {
            for situation in four_men(400 / share) {
                let mut judge = Judge::new(situation, None);
                for nodes in [100, 1_000, 10_000] {
                    report.all_algorithms(&mut judge, nodes, 1);
                }
            }
        });
    }
    if wanted("known") {
        let minors: Vec<Minors> = match tables {
            Some(_) => Vec::new(),
            None => MINORS.map(Minors::solve).into(),
        };
        let truth = tables.as_ref().map_or(&minors as &dyn Truth, |t| t);
        all.part("known", |report| {
            for situation in known_endings(600 / share) {
                let mut judge = Judge::new(situation, None).knowing(truth);
                for nodes in [40, 1_000, 10_000] {
                    report.all_algorithms(&mut judge, nodes, 1);
                }
            }
        });
    }
    if wanted("histories") {
        all.part("histories", |report| {
            for situation in &positions {
                for history in histories(situation) {
                    let mut judge = Judge::new(history, None);
                    for nodes in [60, 250, 1_000, 4_000] {
                        report.all_algorithms(&mut judge, nodes, 1);
                    }
                }
            }
        });
    }
    if wanted("threads") {
        all.part("threads", |report| {
            for situation in positions.iter().step_by(7) {
                let mut judge = Judge::new(situation.clone(), None);
                for threads in [2, 4, 8, 16] {
                    for nodes in [500, 2_000, 8_000] {
                        report.all_algorithms(&mut judge, nodes, threads);
                    }
                }
            }
        });
    }
    if wanted("options") {
        all.part("options", |report| {
            for situation in positions.iter().step_by(5) {
                let mut judge = Judge::new(situation.clone(), None);
                for (algorithm, pairs) in OPTIONS {
                    for nodes in [100, 500, 5_000] {
                        let mut config = config(algorithm, nodes, 1);
                        for pair in pairs {
                            config.options.set_pair(pair).expect("an option");
                        }
                        let name = format!("{algorithm} {}", pairs.join(" "));
                        report.count(name, judge.ask(config));
                    }
                }
            }
        });
    }
    all.print("all");
    all.total().wrong.len()
}

#[derive(Default)]
struct Report {
    rows: BTreeMap<String, Tally>,
}

impl Report {
    fn part(&mut self, name: &str, run: impl FnOnce(&mut Report)) {
        let begin = Instant::now();
        let mut part = Report::default();
        run(&mut part);
        part.print(name);
        println!("  {:.0} s", begin.elapsed().as_secs_f64());
        for (row, tally) in part.rows {
            self.count(row, tally);
        }
    }

    fn all_algorithms(&mut self, judge: &mut Judge, nodes: u64, threads: usize) {
        for row in &ALGORITHMS {
            let tally = judge.ask(config(row.algorithm, nodes, threads));
            self.count(row.name.to_owned(), tally);
        }
    }

    fn count(&mut self, row: String, tally: Tally) {
        let kept = self.rows.entry(row).or_default();
        kept.add(tally);
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.rows.values().for_each(|t| total.add(t.clone()));
        total
    }

    fn print(&self, name: &str) {
        println!("{name}");
        for (row, tally) in &self.rows {
            println!("  {row:<32} {tally}");
            for wrong in tally.wrong.iter().take(4) {
                println!("      {wrong}");
            }
        }
        println!("  {:<32} {}", "in all", self.total());
    }
}

/// Returns the positions of a file.
fn read(file: &str) -> Vec<Situation<ChessPosition>> {
    let text = std::fs::read_to_string(file).expect("a file of positions");
    text.lines().filter_map(position).collect()
}

fn position(line: &str) -> Option<Situation<ChessPosition>> {
    let puzzle: Vec<&str> = line.split(',').collect();
    if puzzle.len() < 3 {
        let fen = line.split(';').next()?;
        let fields: Vec<&str> = fen.split_whitespace().take(6).collect();
        let read = fen::parse(&fields.join(" ")).ok()?;
        return Some(Situation::new(read.position));
    }
    // A puzzle begins with the other side's move.
    let read = fen::parse(puzzle[1]).ok()?;
    let mut situation = Situation::new(read.position);
    let first = puzzle[2].split_whitespace().next()?;
    let m = situation.position.legal_moves().into_iter();
    let m = m
        .into_iter()
        .find(|m| situation.position.uci(*m) == first)?;
    situation.play(m);
    Some(situation)
}

/// A random number generator that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn set(men: &[(Color, Role, u64)], turn: Color, clock: u32) -> Option<Situation<ChessPosition>> {
    let mut setup = Setup::empty();
    setup.turn = turn;
    setup.halfmoves = clock;
    for &(color, role, square) in men {
        let square = Square::new(square as u32);
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color, role });
    }
    let chess = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let position = ChessPosition::new(chess, CastlingMode::Standard);
    position
        .ending(!position.legal_moves().is_empty())
        .is_none()
        .then(|| Situation::new(position))
}

/// King and one man against king at clocks from 80 to 99.
fn endings(men: &[Role], count: usize) -> Vec<Situation<ChessPosition>> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut made = Vec::new();
    while made.len() < count {
        let role = men[made.len() % men.len()];
        let square = match role {
            // Files a to d, which the solver knows.
            Role::Pawn => (1 + numbers.below(6)) * 8 + numbers.below(4),
            _ => numbers.below(64),
        };
        let men = [
            (Color::White, Role::King, numbers.below(64)),
            (Color::Black, Role::King, numbers.below(64)),
            (Color::White, role, square),
        ];
        let turn = [Color::White, Color::Black][numbers.below(2) as usize];
        let clock = 80 + numbers.below(20) as u32;
        made.extend(set(&men, turn, clock));
    }
    made
}

/// Bare minor pieces, as [`Minors`] solves them.
const MINORS: [[(Color, Role); 2]; 4] = [
    [(Color::White, Role::Knight), (Color::White, Role::Knight)],
    [(Color::White, Role::Knight), (Color::Black, Role::Knight)],
    [(Color::White, Role::Bishop), (Color::Black, Role::Knight)],
    [(Color::White, Role::Bishop), (Color::Black, Role::Bishop)],
];

/// Endings with known draws among them: king and pawn, rook pawn and bishop, bare minor pieces with a king on the edge; at
/// any clock.
fn known_endings(count: usize) -> Vec<Situation<ChessPosition>> {
    let mut numbers = Numbers(0xd1b5_4a32_d192_ed03);
    let mut made = Vec::new();
    while made.len() < count {
        let mut men = vec![(Color::White, Role::King, numbers.below(64))];
        let corner = [56, 57, 48, 49, 55, 62, 63, 54][numbers.below(8) as usize];
        let edge = [0, 1, 7, 8, 15, 24, 39, 58][numbers.below(8) as usize];
        match made.len() % 6 {
            0 => {
                men.push((Color::Black, Role::King, numbers.below(64)));
                men.push((Color::White, Role::Pawn, 8 + numbers.below(48)));
            }
            1 => {
                let king = [corner, numbers.below(64)][numbers.below(2) as usize];
                let file = [0, 7][numbers.below(2) as usize];
                men.push((Color::Black, Role::King, king));
                men.push((Color::White, Role::Pawn, 8 * (1 + numbers.below(6)) + file));
                men.push((Color::White, Role::Bishop, numbers.below(64)));
            }
            kind => {
                men.push((Color::Black, Role::King, edge));
                let minors = MINORS[kind - 2].into_iter();
                men.extend(minors.map(|(color, role)| (color, role, numbers.below(64))));
            }
        }
        let turn = [Color::White, Color::Black][numbers.below(2) as usize];
        let clock = [0, numbers.below(100) as u32][numbers.below(2) as usize];
        made.extend(set(&men, turn, clock));
    }
    made
}

/// Two men besides the kings, at clocks from 80 to 99.
fn four_men(count: usize) -> Vec<Situation<ChessPosition>> {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let mut made = Vec::new();
    while made.len() < count {
        let other = [Color::White, Color::Black][numbers.below(2) as usize];
        let men = [
            (Color::White, Role::King, numbers.below(64)),
            (
                Color::Black,
                Role::King,
                [0, 7, 56, 63, 4, 31][numbers.below(6) as usize],
            ),
            (
                Color::White,
                roles[numbers.below(2) as usize],
                numbers.below(64),
            ),
            (other, roles[numbers.below(4) as usize], numbers.below(64)),
        ];
        let clock = 80 + numbers.below(20) as u32;
        made.extend(set(&men, Color::White, clock));
    }
    made
}

/// The position after the side to move has gone back and forth, once and twice, with the moves of a search's line; and
/// the same after its first move, so that the position that the line leads to has already occurred.
fn histories(situation: &Situation<ChessPosition>) -> Vec<Situation<ChessPosition>> {
    let mut session = Session::start(
        Subject::from(situation.clone()),
        config(Algorithm::Mcts, 2_000, 1),
    );
    session.join();
    let line: Vec<MoveCode> = session.summary().pv.iter().map(|m| m.code).collect();
    let histories = (1..=2).filter_map(|times| shuffled(situation, &line, times));
    histories.collect()
}
