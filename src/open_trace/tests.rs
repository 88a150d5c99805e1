//! The golden stream in both forms, and each row of the format's table of errors.

mod made;
mod page;
mod schema;
mod sense;
mod troubles;
mod written;

use std::io::Read;

use super::*;

/// The search of three nodes that the documentation shows, as JSON lines.
pub(crate) const GOLDEN: &str = r#"{"plyscope-trace":1,"engine":"toy 1.0","game":"toy","value":{"unit":"points","infinite":32001},"reasons":[{"n":1,"name":"futility","class":"skip","numbers":[["static","value"],["margin","difference"],["alpha","value"],["depth","plies"]]}]}
{"kind":"search","root":"three moves","side":"first"}
{"kind":"iteration","depth":1}
{"kind":"enter","move":null,"alpha":null,"beta":null,"depth":1}
{"kind":"evaluate","value":0}
{"kind":"enter","move":"a","alpha":null,"beta":null,"depth":0}
{"kind":"leave","value":-3}
{"kind":"enter","move":"b","alpha":null,"beta":-3,"depth":0}
{"kind":"leave","value":-2}
{"kind":"prune","move":"c","why":"futility","static":0,"margin":2,"alpha":3,"depth":1}
{"kind":"leave","value":3}
{"kind":"iteration-done","best":"a","value":3}
{"kind":"end","nodes":3,"best":"a","value":3}
"#;

/// The payload of the same search in the binary form.
pub(crate) const GOLDEN_BYTES: &[u8] = &[
    0x08, 0x02, 0x01, 0x00, 0x81, 0xf4, 0x03, 0x82, 0xf4, 0x03, 0x02, 0x03, 0x00, 0x10, 0x01, 0x01,
    0x61, 0x01, 0x01, 0x81, 0xf4, 0x03, 0x82, 0xf4, 0x03, 0x00, 0x02, 0x05, 0x10, 0x02, 0x01, 0x62,
    0x01, 0x02, 0x81, 0xf4, 0x03, 0xfe, 0xf9, 0x01, 0x00, 0x02, 0x03, 0x10, 0x03, 0x01, 0x63, 0x05,
    0x03, 0x01, 0x04, 0x00, 0x04, 0x06, 0x02, 0x02, 0x06, 0x09, 0x01, 0x06, 0x1d, 0x03, 0x01, 0x06,
];

/// A binary stream of chunks, each with its type, thread, events before and after, and payload.
pub(crate) fn binary(chunks: &[(u8, u16, u64, u64, &[u8])]) -> Vec<u8> {
    let mut bytes = chunk::MAGIC.to_vec();
    for (kind, thread, before, after, payload) in chunks {
        let head = chunk::Head {
            len: payload.len() as u32,
            thread: *thread,
            kind: *kind,
            before: *before,
            after: *after,
            hash: 0x1234,
        };
        bytes.extend(head.bytes());
        bytes.extend(*payload);
    }
    bytes
}

fn golden_binary() -> Vec<u8> {
    let lines: usize = GOLDEN.split_inclusive('\n').take(2).map(str::len).sum();
    binary(&[
        (chunk::LINES, 0, 0, 0, &GOLDEN.as_bytes()[..lines]),
        (chunk::RECORDS, 0, 0, 11, GOLDEN_BYTES),
    ])
}

/// Reads all records as text, with their threads and events, and what was wrong with how they are written.
pub(crate) fn told(source: impl Read) -> (Vec<String>, Vec<String>) {
    let (records, troubles) = told_all(source);
    let troubles = troubles
        .iter()
        .filter(|trouble| !trouble.cause.is_of_the_search());
    (records, troubles.map(ToString::to_string).collect())
}

fn told_all(source: impl Read) -> (Vec<String>, Vec<Trouble>) {
    let mut reader = Reader::new(source);
    let mut records = Vec::new();
    while let Some((at, record)) = reader.next().expect("a header") {
        let thread = match at.thread {
            0 => String::new(),
            thread => format!("t{thread} "),
        };
        let search = match at.search {
            0 => String::new(),
            search => format!("s{search} "),
        };
        records.push(format!("{search}{thread}{} {record:?}", at.event));
    }
    assert!(reader.is_over());
    let troubles = reader.troubles().iter().cloned().collect();
    (records, troubles)
}

#[test]
fn both_forms_of_the_golden_stream_say_the_same() {
    let (lines, troubles) = told(GOLDEN.as_bytes());
    assert_eq!(troubles, [""; 0]);
    assert_eq!(
        lines[1..4],
        [
            "1 Iteration { depth: Some(1) }",
            "2 Enter { m: MoveId(0), window: Some(Window { alpha: None, beta: None }), depth: Some(1), ply: None, side: None }",
            "3 Evaluate { value: Some(0), sd: None }",
        ]
    );
    assert_eq!(
        lines[8],
        "8 Prune { m: MoveId(3), why: Told { reason: 1, numbers: [Some(0.0), Some(2.0), Some(3.0), Some(1.0)] } }"
    );
    let (mut records, troubles) = told(golden_binary().as_slice());
    assert_eq!(troubles, [""; 0]);
    let mark = records.pop();
    assert_eq!(
        mark.as_deref(),
        Some("11 Mark { n: 11, hash: Some(4660), waiting: false }")
    );
    assert_eq!(records, lines);
}
