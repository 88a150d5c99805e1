//! How fast an open search trace is read and written: ten million events in memory, as an alpha-beta search makes them; and how fast
//! a search becomes a tree (`into_a_tree`, beside `read_search`, which only reads the same events). `OPEN_TRACE=FILE` takes the first
//! search of a file instead of one that is made up.

use std::convert::Infallible;
use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use eval::ChessEvaluator;
use game::{ChessPosition, Situation};
use open_trace::{
    Class, Form, Header, MoveId, Names, Number, NumberUnit, Only, Reader, Reason, Record, Told,
    Value, Window, Writer,
};
use search::algorithm::Implementation as _;
use search::common::table::Tables;
use search::{Choices, Control, Free, Job, Limits, Options, Recorded as _, Start};
use traced::{Contents, DepthFirst, InMemory, Recording, Values};
use tree::{Family, Tree, TreeSpec};

const EVENTS: u64 = 10_000_000;
/// A tenth of them in JSON lines, which are some eight times as long.
const LINE_EVENTS: u64 = EVENTS / 10;

fn main() {
    divan::main();
}

/// A stream as of a search: nodes entered with a window, valued, left, and some reasons with their numbers.
fn stream(form: Form, events: u64) -> Vec<u8> {
    let unit = |name: &str, unit| Number {
        name: name.into(),
        unit,
    };
    let header = Arc::new(Header {
        game: "chess".into(),
        reasons: vec![Reason {
            n: 1,
            name: "futility".into(),
            class: Class::Skip,
            numbers: vec![
                unit("static", NumberUnit::Value),
                unit("margin", NumberUnit::Difference),
                unit("alpha", NumberUnit::Value),
                unit("plies", NumberUnit::Plies),
            ],
            text: "".into(),
        }],
        ..Header::default()
    });
    let names = Arc::new(Names::default());
    let moves: Vec<MoveId> = (0..1968).map(|i| names.intern(&format!("m{i}"))).collect();
    let mut random = fastrand::Rng::with_seed(7);
    let mut writer = Writer::new(Vec::new(), form, header, names).expect("memory");
    let mut open = 0;
    for i in 0..events {
        let value = Value::whole(random.i64(-3000..3000));
        let m = moves[random.usize(0..moves.len())];
        let numbers = [Some(120.0), Some(-65.0), value.map(Value::get), Some(3.0)];
        let record = match i % 5 {
            0 if open < 60 => {
                open += 1;
                Record::Enter {
                    m,
                    window: Some(Window {
                        alpha: value,
                        beta: value.and_then(|alpha| Value::new(alpha.get() + 1.0)),
                    }),
                    depth: Some(random.i16(-2..9)),
                    ply: None,
                    side: None,
                }
            }
            1 => Record::Evaluate { value, sd: None },
            2 if random.bool() => Record::Prune {
                m,
                why: Told {
                    reason: 1,
                    numbers: &numbers,
                },
            },
            4 if open > 0 => {
                open -= 1;
                Record::Leave {
                    value,
                    bound: None,
                    best: MoveId::NONE,
                    nodes: None,
                }
            }
            _ => Record::Moves {
                count: 34,
                names: &[],
            },
        };
        writer.write(0, &record).expect("memory");
    }
    writer.finish().expect("memory")
}

fn read(bytes: &[u8], only: Option<Only>) -> u64 {
    let mut reader = Reader::new(bytes);
    if let Some(only) = only {
        reader.only(only);
    }
    let (mut last, mut sum) = (0, 0.0);
    let whole = |value: Option<Value>| value.map_or(0.0, Value::get);
    while let Some(at) = reader.advance().expect("a header") {
        last = at.event;
        sum += match reader.record() {
            Record::Enter {
                m,
                window: Some(window),
                ..
            } => whole(window.alpha) + f64::from(m.0),
            Record::Leave { value, .. } | Record::Evaluate { value, .. } => whole(value),
            Record::Prune { why, .. } => why.numbers.iter().flatten().sum(),
            Record::Moves { count, .. } => f64::from(count),
            _ => 0.0,
        };
    }
    black_box(sum);
    last
}

#[divan::bench(sample_count = 10)]
fn read_binary(bencher: Bencher) {
    let bytes = stream(Form::Binary, EVENTS);
    bencher
        .counter(ItemsCount::new(EVENTS))
        .bench(|| assert_eq!(read(black_box(&bytes), None), EVENTS));
}

/// An alpha-beta search of a made-up game, with null windows and quiescence, until there are enough events.
struct MadeUp {
    writer: Writer<Vec<u8>>,
    moves: Vec<MoveId>,
    left: u64,
}

impl MadeUp {
    fn stream(events: u64) -> Vec<u8> {
        let header = Arc::new(Header {
            game: "made up".into(),
            ..Header::default()
        });
        let names = Arc::new(Names::default());
        let moves = (0..24).map(|i| names.intern(&format!("m{i}"))).collect();
        let writer = Writer::new(Vec::new(), Form::Binary, header, names).expect("memory");
        let mut search = MadeUp {
            writer,
            moves,
            left: events,
        };
        for depth in 1.. {
            search.write(&Record::Iteration { depth: Some(depth) });
            search.search(MoveId::NONE, 5, 0, (-30_000, 30_000), depth);
            if search.left == 0 {
                break;
            }
        }
        search.writer.finish().expect("memory")
    }

    fn write(&mut self, record: &Record) {
        if self.left > 0 {
            self.left -= 1;
            self.writer.write(0, record).expect("memory");
        }
    }

    /// `value` is the static one.
    fn search(
        &mut self,
        m: MoveId,
        key: u64,
        value: i64,
        (alpha, beta): (i64, i64),
        depth: i16,
    ) -> i64 {
        self.write(&Record::Enter {
            m,
            window: Some(Window {
                alpha: Value::whole(alpha),
                beta: Value::whole(beta),
            }),
            depth: Some(depth),
            ply: None,
            side: None,
        });
        let told = Value::whole(value);
        let mut best = if depth > 0 {
            self.write(&Record::Evaluate {
                value: told,
                sd: None,
            });
            -30_000
        } else {
            self.write(&Record::Stand { value: told });
            value
        };
        let moves = if depth > 0 { 24 } else { 3 };
        for i in 0..moves {
            if best >= beta || depth < -12 || self.left == 0 {
                break;
            }
            let key = (key + i)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29);
            let low = best.max(alpha);
            let mut window = (-beta, -low);
            let mut child = |window| {
                let value = -value - (key % 121) as i64 + 35;
                -self.search(self.moves[i as usize], key, value, window, depth - 1)
            };
            if i > 0 && beta - low > 1 {
                window = (-low - 1, -low);
            }
            let mut worth = child(window);
            if worth > low && worth < beta && window.0 > -beta {
                worth = child((-beta, -low));
            }
            best = best.max(worth);
        }
        self.write(&Record::Leave {
            value: Value::whole(best),
            bound: None,
            best: MoveId::NONE,
            nodes: None,
        });
        best
    }
}

/// The first search of the stream to make a tree of, and how many events it has.
fn search() -> (Recording, u64) {
    let contents = match std::env::var_os("OPEN_TRACE") {
        Some(path) => Contents::of_file(path.as_ref()),
        None => Contents::of(Arc::new(InMemory::new(MadeUp::stream(EVENTS)))),
    };
    let contents = contents.expect("a stream");
    let first = contents.recordings.into_iter().next().expect("a search");
    (first, contents.events)
}

/// The control of `into_a_tree`.
#[divan::bench(sample_count = 5)]
fn read_search(bencher: Bencher) {
    let (recording, events) = search();
    bencher.counter(ItemsCount::new(events)).bench(|| {
        let mut reader = recording.reader().expect("the stream");
        let mut read = 0;
        while let Ok(Some(_)) = reader.advance() {
            let run: Result<(), Infallible> = reader.run(|_, record| {
                black_box(record.record());
                read += 1;
                Ok(())
            });
            let Ok(()) = run;
        }
        read
    });
}

/// Nobody watches, and there is room for all nodes.
#[divan::bench(sample_count = 5)]
fn into_a_tree(bencher: Bencher) {
    let (recording, events) = search();
    let situation = Situation::new(ChessPosition::default());
    let evaluator = ChessEvaluator::default();
    let scale = Values::of(recording.header(), &situation.position).scale();
    let (tables, choices) = (Tables::new(0), Choices::default());
    let options = Options::defaults("trace", &[]);
    bencher.counter(ItemsCount::new(events)).bench(|| {
        let tree = Tree::new(TreeSpec {
            family: Family::DepthFirst,
            scale,
            beliefs: false,
            budget: 2 << 30,
            record_plies: u16::MAX,
        });
        let control = Control::new(Limits::default(), 1);
        let job = Job {
            recorded: Some(&recording),
            situation: &situation,
            evaluator: &evaluator,
            tree: &tree,
            tables: &tables,
            endgames: None,
            options: &options,
            control: &control,
            start: Start::default(),
            choices: &choices,
            seed: 1,
        };
        DepthFirst::run(&job, 0, &mut Free);
        tree
    });
}

/// The chunks of threads that nobody asked for.
#[divan::bench(sample_count = 10)]
fn skip_binary(bencher: Bencher) {
    let bytes = stream(Form::Binary, EVENTS);
    let only = Some(Only {
        search: 0,
        thread: Some(1),
    });
    bencher
        .counter(ItemsCount::new(EVENTS))
        .bench(|| read(black_box(&bytes), only));
}

#[divan::bench(sample_count = 10)]
fn read_lines(bencher: Bencher) {
    let bytes = stream(Form::Lines, LINE_EVENTS);
    bencher
        .counter(ItemsCount::new(LINE_EVENTS))
        .bench(|| assert_eq!(read(black_box(&bytes), None), LINE_EVENTS));
}

#[divan::bench(sample_count = 5)]
fn write_binary(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(LINE_EVENTS))
        .bench(|| stream(Form::Binary, LINE_EVENTS));
}
