//! What is wrong in a stream is counted and skipped; what comes after it is read.

use super::{GOLDEN, GOLDEN_BYTES, binary, golden_binary, told};
use crate::{Reader, Refused, chunk, limits};

const HEADER: &str = r#"{"plyscope-trace":1,"value":{"infinite":1000},"reasons":[{"n":3,"name":"futility","numbers":[["static","value"],["share","share"],["best","move"]]}]}
"#;

/// What is told of JSON lines after a header: records and troubles.
fn lines(lines: &str) -> (Vec<String>, Vec<String>) {
    told(format!("{HEADER}{lines}").as_bytes())
}

/// What is told of binary records after a header, in a chunk after which there were `after` events, and of a chunk after that.
fn records(after: u64, payload: &[u8]) -> (Vec<String>, Vec<String>) {
    let bytes = binary(&[
        (chunk::LINES, 0, 0, 0, HEADER.as_bytes()),
        (chunk::RECORDS, 0, 0, after, payload),
        (chunk::RECORDS, 0, after, after + 1, &[20]),
    ]);
    let (records, troubles) = told(bytes.as_slice());
    let last = format!(
        "{} Leave {{ value: None, bound: None, best: MoveId(0), nodes: None }}",
        after + 1
    );
    assert_eq!(
        records[records.len() - 2],
        last,
        "the next chunk is read: {records:?}"
    );
    let marks = 2 + 1;
    (records[..records.len() - marks].to_vec(), troubles)
}

fn has(troubles: &[String], told: &str) {
    assert!(
        troubles.iter().any(|trouble| trouble.starts_with(told)),
        "{told}: {troubles:?}"
    );
}

#[test]
fn a_stream_cut_anywhere_is_read_up_to_there() {
    let whole = golden_binary();
    let (all, _) = told(whole.as_slice());
    let first =
        chunk::MAGIC.len() + chunk::Head::SIZE + GOLDEN.lines().next().expect("a header").len() + 1;
    let mut most = 0;
    for len in 0..whole.len() {
        let mut reader = Reader::new(&whole[..len]);
        let mut read = 0;
        let refused = loop {
            match reader.next() {
                Ok(Some((_, record))) => {
                    assert!(all[read].ends_with(&format!("{record:?}")), "{len}");
                    read += 1;
                }
                Ok(None) => break false,
                Err(_) => break true,
            }
        };
        assert_eq!(refused, len < first, "{len}");
        assert!(read >= most);
        most = read;
        let boundary = len == whole.len() - GOLDEN_BYTES.len() - chunk::Head::SIZE;
        if !refused {
            assert_eq!(
                reader.troubles().is_empty(),
                boundary,
                "{len}: {:?}",
                reader.troubles()
            );
        }
    }
    assert_eq!(most, all.len() - 2, "all but the last record and the mark");
    for len in 0..GOLDEN.len() {
        let mut reader = Reader::new(&GOLDEN.as_bytes()[..len]);
        let mut read = 0;
        while let Ok(Some(_)) = reader.next() {
            read += 1;
        }
        let lines = GOLDEN[..len].lines().count();
        let is_whole = len > 0 && GOLDEN[..=len].ends_with("}\n") || GOLDEN[..len].ends_with('\n');
        if lines > 1 {
            assert_eq!(read, lines - 1 - usize::from(!is_whole), "{len}");
            assert_eq!(reader.troubles().is_empty(), is_whole, "{len}");
        }
    }
}

#[test]
fn what_is_no_stream_is_refused_at_once() {
    let refused = |bytes: &[u8]| Reader::new(bytes).next().expect_err("refused");
    assert_eq!(refused(b""), Refused::Empty);
    assert_eq!(refused(b" \n\n"), Refused::Empty);
    assert!(matches!(refused(b"\x7fELF\x02"), Refused::NoHeader { .. }));
    assert!(matches!(
        refused(b"\x89PNG\r\n\x1a\n"),
        Refused::NoHeader { .. }
    ));
    assert!(matches!(refused(b"rnbqkbnr/8"), Refused::NoHeader { .. }));
    assert!(matches!(
        refused(b"{\"kind\":\"enter\"}\n"),
        Refused::NoHeader { .. }
    ));
    let mut endless = Reader::new(std::io::repeat(b'{'));
    assert!(matches!(endless.next(), Err(Refused::NoHeader { .. })));
    assert_eq!(refused(b"{\"plyscope-trace\":7}"), Refused::Version(7));
    // The records come too early.
    let early = binary(&[(chunk::RECORDS, 0, 0, 1, &[20])]);
    assert!(matches!(refused(&early), Refused::NoHeader { .. }));
}

#[test]
fn blank_lines_and_a_mark_of_byte_order_do_not_matter() {
    let text = format!("\u{feff}{}", GOLDEN.replace('\n', "\r\n\r\n"));
    assert_eq!(told(text.as_bytes()), told(GOLDEN.as_bytes()));
}

#[test]
fn lines_that_are_no_records_are_skipped_and_counted() {
    let (records, troubles) = lines(
        "nonsense\n{\"kind\":\"enter\",\"move\":null\n[1]\n{\"kind\":\"jump\"}\n{}\n{\"kind\":\"leave\",\"value\":1,\"colour\":2}\n{\"plyscope-trace\":1}\n",
    );
    assert_eq!(
        records,
        ["1 Leave { value: Some(1), bound: None, best: MoveId(0), nodes: None }"]
    );
    assert_eq!(
        troubles,
        [
            "3 × line that is not a JSON object, skipped (first at line 2: \"nonsense\")",
            "unknown record, skipped (line 5: \"jump\")",
            "record without a field that it needs, skipped (line 6: \"kind\")",
            "unknown field, ignored (line 7: \"colour\")",
            "second header, ignored (line 8, event 1)",
        ]
    );
}

#[test]
fn numbers_that_cannot_be_are_taken_as_missing() {
    let (records, troubles) = lines(
        "{\"kind\":\"leave\",\"value\":NaN}\n{\"kind\":\"leave\",\"value\":1e999}\n{\"kind\":\"leave\",\"value\":3000000000}\n\
         {\"kind\":\"enter\",\"move\":\"a\",\"alpha\":5,\"beta\":5,\"depth\":32768}\n{\"kind\":\"enter\",\"move\":\"a\",\"alpha\":-5000,\"beta\":5e99,\"depth\":1.5}\n\
         {\"kind\":\"evaluate\",\"value\":Infinity}\n{\"kind\":\"leave\",\"value\":\"much\"}\n",
    );
    let left = "Leave { value: None, bound: None, best: MoveId(0), nodes: None }";
    assert_eq!(
        records,
        [
            format!("1 {left}"),
            format!("2 {left}"),
            format!("3 {left}"),
            "4 Enter { m: MoveId(1), window: Some(Window { alpha: Some(5), beta: Some(5) }), depth: None, ply: None, side: None }".into(),
            "5 Enter { m: MoveId(1), window: Some(Window { alpha: None, beta: None }), depth: None, ply: None, side: None }".into(),
            // The sixth says nothing without its value, but has a number.
            format!("7 {left}"),
        ]
    );
    has(
        &troubles,
        "5 × number out of range, taken as missing (first at line 2)",
    );
    has(
        &troubles,
        "window whose beta is not above its alpha, taken as missing (line 5, event 3)",
    );
    has(
        &troubles,
        "record without a field that it needs, skipped (line 7, event 5: \"value\")",
    );
    has(
        &troubles,
        "2 × field with a value it cannot have, taken as missing (first at line 6, event 4: \"depth\")",
    );

    // In binary: leave 2^31, leave −2^31 (missing), enter with width 0 and depth 32,768.
    let (records, troubles) = self::records(
        3,
        &[
            2, 0x80, 0x80, 0x80, 0x80, 0x10, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0, 10, 0, 0x80,
            0x80, 0x04,
        ],
    );
    assert_eq!(
        records,
        [
            format!("1 {left}"),
            format!("2 {left}"),
            "3 Enter { m: MoveId(0), window: Some(Window { alpha: Some(5), beta: Some(5) }), depth: None, ply: None, side: None }".into(),
        ]
    );
    assert_eq!(troubles.len(), 2);
    has(
        &troubles,
        "2 × number out of range, taken as missing (first at byte 222)",
    );
    has(&troubles, "window whose beta");
}

/// A window that was swapped is told as it is, in either form.
#[test]
fn windows_are_told_as_they_are() {
    let window = "Window { alpha: Some(7), beta: Some(-3) }";
    let (told, troubles) = lines("{\"kind\":\"enter\",\"move\":null,\"alpha\":7,\"beta\":-3}\n");
    assert!(told[0].contains(window), "{told:?}");
    has(&troubles, "window whose beta is not above its alpha");
    let ten_less = [
        0xf6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0,
    ];
    let (told, _) = records(1, &[&[1, 0, 14][..], &ten_less].concat());
    assert!(told[0].contains(window), "{told:?}");
}

#[test]
fn what_cannot_be_decoded_ends_at_the_chunk() {
    let long = [
        2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 20, 20,
    ];
    for (payload, told) in [
        (
            &long[..],
            "number of more than 10 bytes; the rest of the chunk is dropped",
        ),
        (
            &[120, 1, 2, 3],
            "unknown record number; the rest of the chunk is dropped (byte 223, event 1: \"record 120\")",
        ),
        (
            &[16, 1, 200, 65],
            "record that goes beyond its chunk, dropped",
        ),
        (
            &[23, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 1],
            "record that goes beyond its chunk, dropped",
        ),
        (
            &[5, 1, 3, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 1],
            "record that goes beyond its chunk, dropped",
        ),
    ] {
        let payload = [&[20], payload].concat();
        let (records, troubles) = records(9, &payload);
        assert_eq!(records.len(), 1, "{records:?}");
        has(&troubles, told);
        assert!(
            troubles.iter().all(|t| !t.contains("event count")),
            "{troubles:?}"
        );
    }
    // Records that a later version may add are passed over, whether they are events or not.
    let (records, troubles) = records(3, &[20, 200, 2, 1, 1, 20]);
    assert_eq!(records.len(), 2);
    assert_eq!(troubles, ["unknown record, skipped (byte 223, event 1)"]);
}

#[test]
fn damaged_chunks_are_passed_over() {
    let good = golden_binary();
    let (all, _) = told(good.as_slice());
    let more = binary(&[(chunk::RECORDS, 0, 11, 13, &[20, 20])]);
    for damage in [&[0xff; 40][..], &[0; 3], b"{\"kind\":\"leave\"}\n"] {
        let spliced = [&good, damage, &more[chunk::MAGIC.len()..]].concat();
        let (records, troubles) = told(spliced.as_slice());
        assert_eq!(records[..all.len()], all);
        assert_eq!(
            records[records.len() - 3..]
                .iter()
                .filter(|r| r.contains("Leave"))
                .count(),
            2
        );
        has(
            &troubles,
            "damaged bytes between chunks; reading went on at the next chunk (",
        );
    }
    // A chunk too long to be one.
    let mut long = good.clone();
    long.extend([0xff, 0xff, 0xff, 0x7f]);
    long.extend([0; 28]);
    long.extend(&more[chunk::MAGIC.len()..]);
    assert_eq!(told(long.as_slice()).0.len(), all.len() + 3);
    // A lost chunk: the count of the next one tells.
    let gap = [&good, &binary(&[(chunk::RECORDS, 0, 50, 51, &[20])])[8..]].concat();
    let (records, troubles) = told(gap.as_slice());
    assert!(records[all.len()].starts_with("51 Leave"));
    assert_eq!(
        troubles,
        [
            "event count that differs from the events counted; the stream's is used (byte 430, event 11: \"50, counted 11\")"
        ]
    );
    // Types of a later version, and threads beyond the limit.
    let other = binary(&[
        (7, 0, 11, 11, b"abc" as &[u8]),
        (chunk::RECORDS, 300, 0, 1, &[20][..]),
    ]);
    let (records, troubles) = told([&good, &other[8..]].concat().as_slice());
    assert_eq!(records, all);
    has(
        &troubles,
        "chunk of an unknown type, skipped (byte 430, event 11: \"type 7\")",
    );
    has(
        &troubles,
        "more threads than the limit, skipped (byte 465, event 11)",
    );
}

#[test]
fn reasons_that_do_not_fit_keep_their_bare_numbers() {
    let (records, troubles) = records(
        4,
        &[
            6, 7, 2, 2, 3, 6, 3, 1, 8, 6, 3, 3, 8, 0xfe, 0xff, 0x07, 2, 6, 0x80, 0x10, 0,
        ],
    );
    assert_eq!(
        records,
        [
            "1 Why(Told { reason: 7, numbers: [Some(1.0), Some(-2.0)] })",
            "2 Why(Told { reason: 3, numbers: [Some(4.0)] })",
            "3 Why(Told { reason: 3, numbers: [Some(4.0), Some(1.0), Some(1.0)] })",
            "4 Why(Told { reason: 0, numbers: [] })",
        ]
    );
    has(
        &troubles,
        "2 × reason that the header does not declare (first at byte 222: \"reason 7\")",
    );
    has(
        &troubles,
        "reason with another count of numbers than declared (byte",
    );
    has(&troubles, "move number without a name (byte");
    let (records, troubles) = lines(
        "{\"kind\":\"why\",\"why\":\"razor\",\"x\":1,\"y\":null,\"z\":\"no\"}\n{\"kind\":\"why\",\"why\":\"futility\",\"static\":2,\"best\":\"a\",\"extra\":4}\n\
         {\"kind\":\"why\",\"why\":3,\"static\":0,\"share\":2,\"best\":\"a\"}\n{\"kind\":\"prune\",\"move\":\"b\"}\n",
    );
    assert_eq!(
        records,
        [
            "1 Why(Told { reason: 0, numbers: [Some(1.0), None] })",
            "2 Why(Told { reason: 3, numbers: [Some(2.0), None, Some(1.0)] })",
            "3 Why(Told { reason: 3, numbers: [Some(0.0), None, Some(1.0)] })",
            "4 Prune { m: MoveId(2), why: Told { reason: 0, numbers: [] } }",
        ]
    );
    has(
        &troubles,
        "reason that the header does not declare (line 2: \"razor\")",
    );
    has(
        &troubles,
        "reason with another count of numbers than declared (line 3, event 1: \"share\")",
    );
    has(
        &troubles,
        "2 × unknown field, ignored (first at line 2: \"z\")",
    );
    has(
        &troubles,
        "number out of range, taken as missing (line 4, event 2)",
    );
}

#[test]
fn hostile_texts_are_harmless_and_short() {
    let name = format!(
        "{{\"kind\":\"enter\",\"move\":\"\\u001b[2J{}\"}}\n",
        "é".repeat(100)
    );
    let note = format!(
        "{{\"kind\":\"note\",\"text\":\"\\u202e\\u0007{}\"}}\n",
        "x".repeat(10_000)
    );
    let drawn = format!(
        "{{\"kind\":\"render\",\"text\":\"{}\"}}\n",
        "\\u001b棋x\\n".repeat(100)
    );
    let wide = format!(
        "{{\"kind\":\"render\",\"text\":\"{}\"}}\n",
        "棋".repeat(5_000)
    );
    let text = format!("{HEADER}{name}{note}{drawn}{wide}");
    let mut reader = Reader::new(text.as_bytes());
    let mut shown = Vec::new();
    while let Some((_, record)) = reader.next().expect("a header") {
        match record {
            crate::Record::Note(text) => {
                assert_eq!(text.len(), limits::TEXT);
                shown.push(text.to_owned());
            }
            crate::Record::Render(text) => {
                assert!(text.lines().count() <= limits::RENDER_LINES);
                assert!(
                    text.lines()
                        .all(|line| text::width(line) <= limits::RENDER_COLUMNS)
                );
                shown.extend(text.lines().map(str::to_owned));
            }
            _ => {}
        }
    }
    let name = reader.names().text(crate::MoveId(1));
    assert!(
        name.starts_with("␛[2J") && name.len() <= limits::NAME,
        "{name}"
    );
    shown.push(name.to_owned());
    shown.extend(reader.troubles().iter().map(ToString::to_string));
    for text in &shown {
        assert!(
            !text.chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{text}"
        );
    }
    assert_eq!(reader.troubles().count(crate::Cause::LongText), 4);
}

#[test]
fn lines_over_the_limit_and_bytes_that_are_no_text() {
    let long = format!(
        "{{\"kind\":\"note\",\"text\":\"{}\"}}\n",
        "x".repeat(limits::CHUNK)
    );
    let (records, troubles) = lines(&format!("{long}{{\"kind\":\"stand\",\"value\":1}}\n"));
    assert_eq!(records, ["1 Stand { value: Some(1) }"]);
    assert_eq!(troubles, ["line longer than 1 MiB, skipped (line 2)"]);
    let latin = [
        HEADER.as_bytes(),
        b"{\"kind\":\"best-change\",\"to\":\"M\xfcller\"}\n",
    ]
    .concat();
    let (records, troubles) = told(latin.as_slice());
    assert_eq!(records, ["1 BestChange { to: MoveId(1) }"]);
    has(&troubles, "text that is not UTF-8 (line 2)");
}

#[test]
fn every_thread_counts_for_itself_in_every_search() {
    let (records, troubles) = lines(
        "{\"kind\":\"search\"}\n{\"kind\":\"stand\",\"value\":1}\n{\"kind\":\"stand\",\"value\":2,\"t\":1}\n{\"kind\":\"stand\",\"value\":3}\n\
         {\"kind\":\"skip\",\"events\":10,\"nodes\":4}\n{\"kind\":\"stand\",\"value\":4}\n{\"kind\":\"search\"}\n{\"kind\":\"stand\",\"value\":5,\"t\":1}\n\
         {\"kind\":\"stand\",\"value\":6}\n{\"kind\":\"mark\",\"n\":1,\"hash\":\"00ff\"}\n{\"kind\":\"mark\",\"n\":5,\"waiting\":true}\n{\"kind\":\"stand\",\"value\":7}\n\
         {\"kind\":\"stand\",\"value\":8,\"t\":256}\n",
    );
    let told: Vec<&str> = records
        .iter()
        .map(|r| r.split(" {").next().expect("a name"))
        .collect();
    assert_eq!(
        told,
        [
            "0 Search(SearchStart",
            "1 Stand",
            "t1 1 Stand",
            "2 Stand",
            "2 Skip",
            "13 Stand",
            "s1 0 Search(SearchStart",
            "s1 t1 1 Stand",
            "s1 1 Stand",
            "s1 1 Mark",
            "s1 5 Mark",
            "s1 6 Stand",
        ]
    );
    assert_eq!(
        records[9],
        "s1 1 Mark { n: 1, hash: Some(255), waiting: false }"
    );
    has(
        &troubles,
        "mark that differs from the events counted (line 12, event 1: \"5, counted 1\")",
    );
    has(&troubles, "more threads than the limit, skipped (line 14");
}

#[test]
fn a_binary_stream_cut_off_in_its_header_and_compressed_files_are_named() {
    let refused = |bytes: &[u8]| {
        let mut reader = Reader::new(bytes);
        let refused = reader.read_header().expect_err("no header");
        refused.to_string()
    };
    let header = b"{\"plyscope-trace\":1}\n";
    let mut stream = chunk::MAGIC.to_vec();
    let mut head = [0; 32];
    head[0] = header.len() as u8;
    head[6] = 1;
    stream.extend(head);
    stream.extend(header);
    assert!(Reader::new(&stream[..]).read_header().is_ok());
    for len in 1..stream.len() - 1 {
        let said = refused(&stream[..len]);
        assert!(
            said.starts_with("found a binary search trace that is cut off"),
            "{len}: {said}"
        );
    }
    let others: [(&[u8], &str); 3] = [
        (
            b"\x1f\x8b\x08\x00\x00",
            "found a file that gzip has compressed, expected",
        ),
        (
            b"\x28\xb5\x2f\xfd\x04",
            "found a file that zstd has compressed, expected",
        ),
        (
            b"\x00\xff\xfe\x80",
            "found bytes that are no text, expected",
        ),
    ];
    for (bytes, expected) in others {
        let said = refused(bytes);
        assert!(said.starts_with(expected), "{said}");
    }
}
