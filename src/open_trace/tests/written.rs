//! What is written is read back.

use std::io::Read;
use std::sync::Arc;

use proptest::prelude::*;

use super::made::{Dice, header};
use super::{GOLDEN, GOLDEN_BYTES, golden_binary};
use crate::scratch::Scratch;
use crate::*;

/// Copies a stream in another form, or in the same.
fn copied(source: impl Read, form: Form) -> Vec<u8> {
    let mut reader = Reader::new(source);
    let header = reader.read_header().expect("a header").expect("all of it");
    let names = Arc::clone(reader.names());
    let mut writer = Writer::new(Vec::new(), form, header, names).expect("memory");
    while let Some((at, record)) = reader.next().expect("a header") {
        // The other form has its own marks.
        if !matches!(record, Record::Mark { waiting: false, .. }) {
            writer.write(at.thread, &record).expect("memory");
        }
    }
    assert_clean(reader.troubles());
    writer.finish().expect("memory")
}

/// All records but the marks that nobody waits at, with the places of all.
fn all(source: impl Read) -> Vec<String> {
    let mut reader = Reader::new(source);
    let header = reader.read_header().expect("a header").expect("all of it");
    let names = Arc::clone(reader.names());
    let mut told = Vec::new();
    while let Some((at, record)) = reader.next().expect("a header") {
        if !matches!(record, Record::Mark { waiting: false, .. }) {
            told.push(named(&header, &names, at, &record));
        }
    }
    assert_clean(reader.troubles());
    told
}

/// A record with the names of its moves. Their ids depend on the order in which threads come, and on what is skipped.
fn named(header: &Header, names: &Names, at: At, record: &Record) -> String {
    let mut text = format!("{at:?} {record:?} ");
    if let Record::Why(of) | Record::Try(of) | Record::Prune { why: of, .. } = record {
        text = format!("{at:?} {:?} {}", record.kind(), of.reason);
        if let Record::Prune { m, .. } = record {
            text += &format!(" {m:?}");
        }
        for (number, unit) in encode::units(header, of) {
            text += &match (number, unit) {
                (Some(number), NumberUnit::Move) => format!(" {:?}", MoveId(number as u32)),
                _ => format!(" {number:?}"),
            };
        }
    }
    while let Some(at) = text.find("MoveId(") {
        let id = &text[at + 7..];
        let end = id.find(')').expect("an id");
        let name = names.text(MoveId(id[..end].parse().expect("a number")));
        text = format!("{}<{name}>{}", &text[..at], &id[end + 1..]);
    }
    text
}

/// Only reasons that nobody declared are strange in what is written. What random searches do makes no sense.
fn assert_clean(troubles: &Troubles) {
    let mut others = troubles
        .iter()
        .filter(|trouble| trouble.cause != Cause::UndeclaredReason)
        .filter(|trouble| !trouble.cause.is_of_the_search());
    assert_eq!(others.next(), None);
}

fn without_marks(lines: &[u8]) -> String {
    let text = String::from_utf8_lossy(lines);
    let lines = text.lines().filter(|line| !line.contains("\"mark\""));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_golden_stream_is_written_as_it_is_documented() {
    let lines = copied(golden_binary().as_slice(), Form::Lines);
    assert_eq!(without_marks(&lines), GOLDEN);
    let bytes = copied(GOLDEN.as_bytes(), Form::Binary);
    assert!(bytes.ends_with(GOLDEN_BYTES));
    let hash = |line: &str| line.split("\"hash\":\"").nth(1).map(|h| h[..16].to_owned());
    let told = String::from_utf8_lossy(&lines)
        .lines()
        .last()
        .and_then(hash);
    let head = bytes.len() - GOLDEN_BYTES.len() - 8;
    let in_chunk = u64::from_le_bytes(*bytes[head..].first_chunk().expect("a hash"));
    assert_eq!(
        told,
        Some(format!("{in_chunk:016x}")),
        "the same in both forms"
    );
    assert_eq!(copied(bytes.as_slice(), Form::Binary), bytes);
}

/// A stream of random records.
pub(super) fn stream(choices: &[u32], form: Form) -> (Vec<u8>, usize) {
    let mut dice = Dice(choices);
    let names = Arc::new(Names::default());
    let header = Arc::new(header());
    let mut writer =
        Writer::new(Vec::new(), form, Arc::clone(&header), Arc::clone(&names)).expect("memory");
    let mut scratch = Scratch::default();
    let mut count = 0;
    while !dice.is_over() {
        let thread = [0, 0, 0, 1, 255][dice.roll(5) as usize];
        let record = dice.record(&header, &names, &mut scratch);
        // What comes late belongs to the search before, but only in the binary form.
        if matches!(record, Record::Search(_)) && thread != 0 {
            continue;
        }
        scratch.record = record;
        writer.write(thread, &scratch.lend()).expect("memory");
        count += usize::from(record.is_event());
    }
    (writer.finish().expect("memory"), count)
}

pub(super) fn choices(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..most)
}

/// Who reads one search of a program that goes on to the next is not kept waiting.
#[test]
fn a_search_is_over_when_the_next_begins() {
    /// More is to come, but nobody knows when.
    struct Waits<'a>(&'a [u8]);
    impl Read for Waits<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(to) {
                Ok(0) => Err(std::io::ErrorKind::WouldBlock.into()),
                read => read,
            }
        }
    }
    let twice = format!("{GOLDEN}{}", GOLDEN.split_once('\n').expect("lines").1);
    for (search, is_over) in [(0, true), (1, false)] {
        for thread in [None, Some(0)] {
            let mut reader = Reader::new(Waits(twice.as_bytes()));
            reader.only(Only { search, thread });
            let mut count = 0;
            while reader.next().expect("a header").is_some() {
                count += 1;
            }
            assert_eq!((count, reader.is_over()), (12, is_over));
        }
    }
}

/// Reads everything, whatever it is.
fn read_all(bytes: &[u8]) -> usize {
    let mut reader = Reader::new(bytes);
    let mut count = 0;
    while let Ok(Some(_)) = reader.next() {
        count += 1;
    }
    count
}

proptest! {
    #[test]
    fn both_forms_say_the_same_and_what_was_written(choices in choices(600)) {
        let (lines, count) = stream(&choices, Form::Lines);
        let (binary, _) = stream(&choices, Form::Binary);
        let (told, same) = (all(lines.as_slice()), all(binary.as_slice()));
        let by_thread = |all: &[String], thread: u8| -> Vec<String> {
            let of = format!("thread: {thread},");
            all.iter().filter(|told| told.contains(&of)).cloned().collect()
        };
        // Chunks of threads come when they are full, so only each thread's own order is the same.
        for thread in [0, 1, 255] {
            let (told, same) = (by_thread(&told, thread), by_thread(&same, thread));
            prop_assert_eq!(told, same);
        }
        prop_assert!(told.len() >= count);
    }

    #[test]
    fn lines_to_binary_and_back_are_the_same(choices in choices(600)) {
        let (lines, _) = stream(&choices, Form::Lines);
        let one_thread = String::from_utf8_lossy(&lines).lines()
            .filter(|line| !line.contains(",\"t\":"))
            .flat_map(|line| [line, "\n"])
            .collect::<String>();
        let lines = copied(one_thread.as_bytes(), Form::Lines);
        let binary = copied(lines.as_slice(), Form::Binary);
        let again = copied(binary.as_slice(), Form::Lines);
        prop_assert_eq!(without_marks(&again), without_marks(&lines));
    }

    #[test]
    fn reading_goes_on_from_any_point(choices in choices(200), form in prop_oneof![Just(Form::Lines), Just(Form::Binary)]) {
        let (bytes, _) = stream(&choices, form);
        let mut reader = Reader::new(bytes.as_slice());
        let mut told = Vec::new();
        let mut points = Vec::new();
        while let Some((at, record)) = reader.next().expect("a header") {
            told.push(format!("{at:?} {record:?}"));
            points.push(reader.point());
        }
        for (i, point) in points.into_iter().enumerate() {
            let mut rest = Reader::at(&bytes[point.offset as usize..], point);
            let mut from_there = Vec::new();
            while let Some((at, record)) = rest.next().expect("a header") {
                from_there.push(format!("{at:?} {record:?}"));
            }
            prop_assert_eq!(&from_there, &told[i + 1..]);
        }
    }

    #[test]
    fn one_thread_of_one_search_is_read_alone(choices in choices(300), search in 0u32..4, thread in prop_oneof![Just(0u8), Just(1u8)],
        form in prop_oneof![Just(Form::Lines), Just(Form::Binary)]) {
        let (bytes, _) = stream(&choices, form);
        let read = |only: Option<Only>| {
            let mut reader = Reader::new(bytes.as_slice());
            let header = reader.read_header().expect("a header").expect("all of it");
            let names = Arc::clone(reader.names());
            if let Some(only) = only {
                reader.only(only);
            }
            let mut told = Vec::new();
            while let Some((at, record)) = reader.next().expect("a header") {
                if (at.search, at.thread) == (search, thread) {
                    told.push(named(&header, &names, at, &record));
                } else {
                    assert!(only.is_none());
                }
            }
            told
        };
        let alone = read(Some(Only { search, thread: Some(thread) }));
        prop_assert_eq!(alone, read(None));
    }

    #[test]
    fn damaged_streams_are_read_to_their_end(choices in choices(200), form in prop_oneof![Just(Form::Lines), Just(Form::Binary)],
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..8)) {
        let (mut bytes, _) = stream(&choices, form);
        for (place, byte, how) in damage {
            if bytes.is_empty() {
                break;
            }
            let place = place.index(bytes.len());
            match how {
                0 => bytes[place] = byte,
                1 => bytes.truncate(place),
                2 => drop(bytes.drain(place / 2..place)),
                _ => bytes.extend_from_within(place / 2..place),
            }
        }
        read_all(&bytes);
    }

    #[test]
    fn any_bytes_are_read_to_their_end(payload in prop::collection::vec(any::<u8>(), 0..400), small in prop::collection::vec(0u8..36, 0..400)) {
        for payload in [payload, small] {
            let lines = GOLDEN.lines().next().expect("a header").as_bytes();
            let bytes = super::binary(&[(chunk::LINES, 0, 0, 0, lines), (chunk::RECORDS, 0, 0, 9, &payload), (chunk::RECORDS, 0, 9, 10, &[20])]);
            read_all(&bytes);
            let mut reader = Reader::new(bytes.as_slice());
            let mut last = None;
            while let Some((at, record)) = reader.next().expect("a header") {
                last = Some((at.event, matches!(record, Record::Mark { .. })));
            }
            prop_assert_eq!(last, Some((10, true)), "the next chunk is read");
            read_all(&[GOLDEN.as_bytes(), &payload].concat());
            read_all(&payload);
        }
    }
}
