//! Search traces of other programs, in both forms.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::open_trace::{
    At, Cause, Form, Names, Reader as Trace, Record, RecordKind, Told, Writer, limits,
};
use text::sanitise;

use super::{Reader, told};

const GOOD: &str = r#"{"plyscope-trace":1,"engine":"toy 1.0","game":"toy","value":{"unit":"points","infinite":32001,"win":32000},"reasons":[{"n":1,"name":"futility","class":"skip","numbers":[["static","value"],["margin","difference"],["m","move"],["p","share"],["b","bound"]]}]}
{"kind":"search","root":"three moves","side":"first","moves":["x"],"limits":{"depth":3},"options":{"hash":16},"threads":2}
{"kind":"iteration","depth":1}
{"kind":"enter","move":null,"alpha":null,"beta":5,"depth":1,"ply":0}
{"kind":"key","key":"0123456789abcdef"}
{"kind":"evaluate","value":0.5,"sd":2}
{"kind":"stand","value":0}
{"kind":"moves","names":["a","b","c"]}
{"kind":"depth-change","plies":-1,"why":"futility"}
{"kind":"enter","move":"a","alpha":-4,"beta":-3,"depth":0,"side":"chance"}
{"kind":"leave","value":-3,"bound":"upper","best":"b","nodes":12}
{"kind":"try","why":1,"static":3}
{"kind":"tried","value":2}
{"kind":"prune","move":"c","why":"futility","static":0,"margin":2,"m":"a","p":0.25,"b":"lower"}
{"kind":"back-up","move":"a","worth":4}
{"kind":"leave","value":3}
{"kind":"unwind","open":0}
{"kind":"skip","events":4,"nodes":2}
{"kind":"expand","node":0,"first":1,"moves":["a","b"],"priors":[0.5,0.25],"values":[null,1]}
{"kind":"visit","node":1,"value":1,"weight":2}
{"kind":"update","node":1,"visits":3,"value":2,"prior":0.5,"sd":1,"urgency":0.125}
{"kind":"at","node":2}
{"kind":"edge","node":1,"move":"b","to":2}
{"kind":"prove","node":1,"lower":-1,"upper":1,"plies":3}
{"kind":"note","text":"a note","t":1}
{"kind":"render","text":"..x\n.o."}
{"kind":"mark","n":30,"hash":"ff","waiting":true}
{"kind":"best-change","to":"a"}
{"kind":"iteration-done","best":"a","value":3,"depth":1}
{"kind":"pass","alpha":1,"beta":2}
{"kind":"pass-done","value":2}
{"kind":"end","nodes":3,"best":"a","value":3,"stopped-by":"depth"}
"#;

/// What was read of a stream.
struct Read {
    /// The events of each thread, with the names of moves in place of their numbers.
    events: BTreeMap<u8, Vec<String>>,
    /// All of it, written again. `None`: it has records that cannot be.
    copy: Option<Vec<u8>>,
    /// What was wrong in it.
    causes: Vec<Cause>,
}

/// Reads a stream to its end, and copies it in a form, unless it is refused.
fn read(input: &[u8], copied: Form) -> Result<Read, String> {
    let mut reader = Trace::new(input);
    let header = match reader.read_header() {
        Ok(header) => header.expect("it does not stop"),
        Err(refused) => return Err(refused.to_string()),
    };
    let names = Arc::clone(reader.names());
    let copy = Vec::new();
    let mut writer = Writer::new(copy, copied, header, Arc::clone(&names)).ok();
    let mut events = BTreeMap::<u8, Vec<String>>::new();
    let mut place = 0;
    while let Some((at, record)) = reader.next().expect("it has a header") {
        assert!(place == 0 || at.event <= i64::MAX as u64);
        place += 1;
        if let Record::Note(text) | Record::Render(text) = record {
            let mut lines = text.split('\n');
            assert!(
                lines.all(|line| sanitise(line) == line),
                "it could steer a terminal"
            );
        }
        if record.is_event() {
            let of = events.entry(at.thread).or_default();
            of.push(named(&record, &names));
        }
        let is_copied = matches!(record, Record::Mark { waiting: false, .. })
            || writer
                .as_mut()
                .is_some_and(|writer| writer.write(at.thread, &record).is_ok());
        if !is_copied {
            writer = None;
        }
    }
    assert!(reader.is_over());
    for trouble in reader.troubles().iter() {
        let told = trouble.to_string();
        assert_eq!(sanitise(&told), told, "it could steer a terminal");
    }
    assert!(names.len() <= limits::NAMES + 1);
    let causes = reader.troubles().iter().map(|trouble| trouble.cause);
    let copy = writer.and_then(|writer| writer.finish().ok());
    let causes = causes.collect();
    Ok(Read {
        events,
        copy,
        causes,
    })
}

/// A record as text, with the names of its moves. A number that is a move is left out, as its id may be another one.
fn named(record: &Record, names: &Names) -> String {
    let with_numbers = |of: &Told| {
        let numbers = of.numbers.iter().enumerate();
        let others = numbers.filter(|(i, _)| of.reason != 1 || *i != 2);
        format!("{} {:?}", of.reason, others.collect::<Vec<_>>())
    };
    let mut text = match record {
        Record::Why(of) | Record::Try(of) => format!("{:?} {}", record.kind(), with_numbers(of)),
        Record::Prune { m, why } => format!("prune {m:?} {}", with_numbers(why)),
        record => format!("{record:?}"),
    };
    while let Some(at) = text.find("MoveId(") {
        let id = &text[at + 7..];
        let end = id.find(')').expect("an id");
        let name = names.text(::open_trace::MoveId(id[..end].parse().expect("a number")));
        // What looks like an id in a name is none.
        let name = name.replace("MoveId(", "(");
        text = format!("{}{name}{}", &text[..at], &id[end + 1..]);
    }
    text
}

/// Reads an input to its end. Of one in 64, what was read, when it is written in either form and read again, is the same.
fn whole(input: &[u8], turn: &mut u32) -> String {
    *turn += 1;
    if turn.is_multiple_of(64) {
        for form in [Form::Binary, Form::Lines] {
            let Read {
                events,
                copy,
                causes,
            } = match read(input, form) {
                Ok(read) => read,
                Err(refused) => return refused,
            };
            // In lines, the numbers of a reason have the names that are declared.
            let has_bare = causes.contains(&Cause::ReasonNumbers);
            if let Some(copy) = copy.filter(|_| form == Form::Binary || !has_bare) {
                let again = read(&copy, form).expect("what was written");
                assert_eq!(again.events, events);
            }
        }
    }
    let mut reader = Trace::new(input);
    let (mut last, mut records) = (None, 0);
    let refused = loop {
        match reader.next() {
            Ok(Some((at, record))) => (last, records) = (Some((at, record.kind())), records + 1),
            Ok(None) => break None,
            Err(refused) => break Some(refused),
        }
    };
    if let Some(refused) = refused {
        return told(Err::<(), _>(refused), |()| String::new());
    }
    let troubles: Vec<_> = reader.troubles().iter().collect();
    assert_eq!(by_chunks(input), (last, records, format!("{troubles:?}")));
    let causes: Vec<Cause> = troubles.iter().map(|trouble| trouble.cause).collect();
    format!("{causes:?} {:?}", last.map(|(_, kind)| kind))
}

/// The last record, the number of records and the troubles of a stream that is read chunk by chunk.
fn by_chunks(input: &[u8]) -> (Option<(At, RecordKind)>, u32, String) {
    let mut reader = Trace::new(input);
    let (mut last, mut records) = (None, 0);
    while let Some((at, record)) = reader.next().expect("it was read before") {
        (last, records) = (Some((at, record.kind())), records + 1);
        let run: Result<(), ()> = reader.run(|at, record| {
            assert_eq!(record.is_event(), record.record().is_event());
            (last, records) = (Some((at, record.record().kind())), records + 1);
            Ok(())
        });
        run.expect("nothing stops it");
    }
    let troubles: Vec<_> = reader.troubles().iter().collect();
    (last, records, format!("{troubles:?}"))
}

const WORDS: [&str; 40] = [
    "{\"kind\":\"",
    "\"}\n",
    "\n",
    "\"move\":",
    "null",
    ",\"t\":1",
    ",\"t\":255",
    "\"value\":",
    "-1e999",
    "NaN",
    "Infinity",
    "\"why\":\"futility\"",
    "\"why\":7",
    "\\u001b",
    "\\ud800",
    "enter",
    "leave",
    "search",
    "expand",
    "render",
    "\"names\":[",
    "]",
    "\"alpha\":",
    "\"beta\":",
    "\"depth\":",
    "2147483647",
    "-2147483648",
    "32768",
    "\"plyscope-trace\":1",
    "\"numbers\":",
    "\"step\":0.01",
    "\"infinite\":5",
    "\"n\":",
    "\"events\":9223372036854775807",
    "{",
    "}",
    "[[",
    "\"\"",
    ",",
    ":",
];

#[test]
fn trace_lines() {
    let lines: Vec<&str> = GOOD.lines().collect();
    let mut good = vec![GOOD.into()];
    // Each record alone, so that changes are more likely to meet it.
    good.extend(
        lines[1..]
            .iter()
            .map(|line| format!("{}\n{line}\n", lines[0]).into_bytes()),
    );
    let reader = Reader {
        name: "trace-lines",
        good,
        words: &WORDS,
        longest: 4_000,
    };
    let mut turn = 0;
    reader.fuzz(|input| whole(input, &mut turn));
}

#[test]
fn trace_chunks() {
    let copied = |text: &str| {
        let read = read(text.as_bytes(), Form::Binary).expect("a stream");
        read.copy.expect("a copy")
    };
    let mut good = vec![copied(GOOD)];
    let lines: Vec<&str> = GOOD.lines().collect();
    for line in &lines[1..] {
        good.push(copied(&format!("{}\n{line}\n{line}\n", lines[0])));
    }
    let reader = Reader {
        name: "trace-chunks",
        good,
        words: &[
            "\x01\x01\x02\x02\x02",
            "\x02\x02",
            "\x05\x01\x01\x00",
            "\x10\x01\x01a",
            "\x12\x05\x01",
            "\x14",
            "\x17\x00\x01\x02\x01\x05\x01\x06",
            "\x1f\x02",
            "\x20\x05",
            "\x22\x01\x02",
            "\x00\x00\x00\x00",
            "\x00\x00\x01\x00",
            "\x00\x00\x02\x00",
            "{\"kind\":\"search\"}\n",
            "\x7f\x7f\x7f\x7f",
        ],
        longest: 3_000,
    };
    let mut turn = 0;
    reader.fuzz(|input| whole(input, &mut turn));
}
