use super::*;
use proptest::prelude::*;

const EXAMPLE: &str = r#"{"plyscope-trace":1,"engine":"toy 1.0","control":true}
{"kind":"search","root":"three moves"}
{"kind":"iteration","depth":1}
{"kind":"enter","move":null}
{"kind":"note","text":"enter"}
{"kind":"unheard-of"}
{"kind":"leave","value":3}
{"kind":"mark","n":3,"hash":"00000000000000ff","waiting":true}
"#;

fn chunk(thread: u8, kind: u8, events: [u64; 2], hash: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
    bytes.extend([thread, 0, kind, 0]);
    for number in [events[0], events[1], hash] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(payload);
    bytes
}

fn of(bytes: &[u8], step: usize) -> Gauge {
    let mut gauge = Gauge::default();
    for part in bytes.chunks(step) {
        gauge.feed(part).expect("a stream");
    }
    gauge
}

#[test]
fn events_marks_and_waiting_are_seen_in_both_forms_however_the_bytes_come() {
    let mut binary = MAGIC.to_vec();
    let head = EXAMPLE.split_inclusive('\n').take(2).collect::<String>();
    binary.extend(chunk(0, 1, [0, 0], 0, head.trim_end().as_bytes()));
    binary.extend(chunk(0, 0, [0, 3], 0xff, &[8, 2, 0x13, 0, 2, 6]));
    binary.extend(chunk(0, 9, [3, 3], 0, b"unknown"));
    binary.extend(chunk(0, 2, [3, 3], 0xff, b""));
    for bytes in [EXAMPLE.as_bytes(), &binary] {
        for step in [1, 7, 4_096] {
            let gauge = of(bytes, step);
            assert_eq!((gauge.events, gauge.searches), (3, 1));
            assert_eq!((gauge.furthest(), gauge.waiting()), (3, Some(3)));
            assert_eq!(gauge.control, Some(true));
            let mut later = Gauge::default();
            later.compare_with(gauge.marks, Parted::default());
            later.feed(bytes).expect("a stream");
            let repeat = later.repeat().map(|repeat| repeat.to_string());
            assert_eq!(repeat.as_deref(), Some("the same search up to event 3"));
        }
    }
    let mut on = of(&binary, 100);
    on.feed(&chunk(0, 0, [3, 4], 1, &[2, 6])).expect("a stream");
    assert_eq!((on.furthest(), on.waiting()), (4, None));
}

#[test]
fn what_was_left_out_is_counted() {
    let lines = "{\"plyscope-trace\":1}\n{\"kind\":\"skip\",\"events\":40}\n{\"kind\":\"enter\"}\n\
                     {\"kind\":\"enter\",\"t\":1}\n";
    let gauge = of(lines.as_bytes(), 5);
    assert_eq!((gauge.events, gauge.furthest()), (42, 41));
}

proptest! {
    /// Whatever comes, and however it is cut into pieces: nothing panics, and the same is counted.
    #[test]
    fn the_pieces_do_not_matter(
        start in 0..3,
        parts in proptest::collection::vec((0..6, any::<u8>(), 0_u64..5_000, any::<u64>()), 0..30),
        sizes in proptest::collection::vec(1_usize..200, 1..20),
    ) {
        let mut bytes: Vec<u8> = match start {
            0 => b"{\"plyscope-trace\":1}\n".to_vec(),
            1 => MAGIC.to_vec(),
            _ => Vec::new(),
        };
        let mut event = 0;
        for (kind, small, number, hash) in parts {
            let thread = small % 3;
            match kind {
                0 => bytes.extend(chunk(thread, small % 4, [event, event + number], hash, &vec![small; number as usize % 300])),
                1 => bytes.extend(chunk(thread, 1, [0, 0], 0, b"{\"kind\":\"search\"}")),
                2 => bytes.extend(format!("{{\"kind\":\"enter\",\"t\":{thread}}}\n").bytes()),
                3 => bytes.extend(format!("{{\"kind\":\"mark\",\"n\":{number},\"hash\":\"{hash:x}\"}}\n").bytes()),
                4 => bytes.extend(format!("{{\"kind\":\"skip\",\"events\":{hash}}}\n{{\"kind\":\"search\"}}\n").bytes()),
                _ => bytes.extend(hash.to_le_bytes()),
            }
            event += number;
        }
        let mut whole = Gauge::default();
        let verdict = whole.feed(&bytes);
        let mut cut = Gauge::default();
        let mut rest = &bytes[..];
        let mut fed = Ok(());
        for size in sizes.iter().cycle() {
            if rest.is_empty() || fed.is_err() {
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(*size));
            fed = cut.feed(now);
            rest = later;
        }
        prop_assert_eq!(fed.is_err(), verdict.is_err());
        let facts = |gauge: &Gauge| (gauge.events, gauge.searches, gauge.furthest(), gauge.waiting());
        prop_assert_eq!(facts(&whole), facts(&cut));
        prop_assert_eq!(whole.marks, cut.marks);
    }
}

#[test]
fn garbage_is_named_and_broken_chunks_end_the_counting() {
    let mut gauge = Gauge::default();
    let error = gauge.feed(b"Hello \x1b[2J world\n").expect_err("no stream");
    assert!(
        error.starts_with("sends no trace: found \"Hello ␛[2J world\""),
        "{error}"
    );
    assert!(Gauge::default().feed(b"\x89PNG\r\n").is_err());
    let mut broken = MAGIC.to_vec();
    broken.extend(chunk(0, 0, [0, 5], 1, &[0; 9]));
    broken.extend([0xff; 32]);
    broken.extend(chunk(0, 0, [5, 9], 1, &[0; 9]));
    assert_eq!(of(&broken, 10).events, 5);
    // Lines without an end take no memory.
    let mut gauge = of(b"{", 1);
    for _ in 0..40 {
        gauge.feed(&[b'x'; 100_000]).expect("a stream");
    }
    gauge.feed(b"\n{\"kind\":\"enter\"}\n").expect("a stream");
    assert_eq!(gauge.events, 1);
    assert!(matches!(&gauge.form, Form::Lines(line) if line.bytes.capacity() < 2 * CHUNK));
}
