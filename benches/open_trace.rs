//! How fast an open search trace is read and written: ten million events in memory, as an alpha-beta search makes them.

use std::sync::Arc;

use divan::{Bencher, black_box, counter::ItemsCount};
use open_trace::{
    Class, Form, Header, MoveId, Names, Number, NumberUnit, Only, Reader, Reason, Record, Told,
    Value, Window, Writer,
};

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
