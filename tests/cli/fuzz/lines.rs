//! Single lines: positions, labels, moves, breakpoints, options and quantities.

use std::fmt::Write as _;

use algorithms::{ALGORITHMS, Algorithm};
use external::EngineSpec;
use formula::{Column, Formula, Sheet};
use game::Game as _;
use game::load::pgn::Query;
use game::load::{epd, fen, labels};
use games::Document;
use lab::differential::parse_cells;
use screen::keys::Key;
use search::{FormulaRange, Range, Rule, quantity};
use session::Budget;
use session::breakpoint::{Breakpoint, Measure};
use session::{Config, Subject, default_memory};
use studies::compare::ColumnSpec;
use text::{decode, quote, sanitise};

use super::{Reader, contents, fixture, lines_of, root, small, told};

/// Positions from bug reports and forums, good and bad, and those of the samples.
pub fn positions() -> Vec<Vec<u8>> {
    let bad = fixture("bad_input");
    let mut all = Vec::new();
    for table in [
        "destruction-test.labelled.tsv",
        "forum_fens.tsv",
        "stockfish_issue_fens.tsv",
    ] {
        let text = std::fs::read_to_string(bad.join(table)).expect(table);
        let fields = text.lines().flat_map(|line| line.split('\t'));
        all.extend(
            fields
                .filter(|f| f.contains('/'))
                .map(|f| f.as_bytes().to_vec()),
        );
    }
    let samples = root("sample-positions");
    for (folder, ending) in [(&samples, "fen"), (&samples, "epd"), (&bad, "epd")] {
        let texts = small(folder, ending, 1 << 20);
        all.extend(texts.iter().flat_map(|text| lines_of(&decode(text))));
    }
    all
}

pub const POSITION_WORDS: [&str; 30] = [
    " w ",
    " b ",
    " KQkq ",
    " - ",
    " HAha ",
    " e3 ",
    " a6 ",
    " 0 1",
    " 99 50",
    "/",
    "8",
    "1",
    "k",
    "K",
    "P",
    "p~",
    "bm ",
    "am ",
    "id ",
    ";",
    "\"",
    "c9 ",
    "dm 3;",
    "ce -30;",
    "pv e2e4 e7e5;",
    "[QNnr]",
    "3+3",
    "startpos",
    "9",
    "pppppppp",
];

#[test]
fn fen() {
    let reader = Reader {
        name: "fen",
        good: positions(),
        words: &POSITION_WORDS,
        longest: 300,
    };
    reader.fuzz(|input| {
        told(fen::parse(&decode(input)), |read| {
            let position = &read.position;
            // Whatever is accepted can be searched, and is written as it was read.
            let moves = position.legal_moves();
            for m in &moves {
                let mut after = position.clone();
                after.play(*m);
                after.noisy_moves();
            }
            let written = position.fen().to_string();
            let again = fen::parse(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
            assert_eq!(again.position.fen().to_string(), written);
            assert_eq!(again.position.key(), position.key(), "{written}");
            read.warnings.concat()
        })
    });
}

#[test]
fn epd() {
    let reader = Reader {
        name: "epd",
        good: positions(),
        words: &POSITION_WORDS,
        longest: 600,
    };
    reader.fuzz(|input| {
        told(epd::parse(&decode(input)), |read| {
            let figures = (read.mate_in(), read.centipawns(), read.id());
            let moves = (read.best_moves(), read.avoid_moves(), read.variation());
            let written = read.to_string();
            let again = epd::parse(&written).unwrap_or_else(|e| panic!("{written}: {e}"));
            assert_eq!(again.to_string(), written);
            assert_eq!(
                moves,
                (again.best_moves(), again.avoid_moves(), again.variation())
            );
            assert_eq!(
                figures,
                (again.mate_in(), again.centipawns(), again.id()),
                "{written}"
            );
            "w".repeat(read.warnings.len().min(8))
        })
    });
}

#[test]
fn labels() {
    let sample = include_str!("../../../sample-positions/labels/sample.tsv");
    let reader = Reader {
        name: "labels",
        good: lines_of(sample),
        words: &["cp", "mate", "\t", "-32000", "1000", "g", "x", "e2e4"],
        longest: 400,
    };
    reader.fuzz(|input| {
        told(labels::parse(&decode(input)), |label| {
            assert!(!label.position.legal_moves().is_empty() || label.best.is_empty());
            String::new()
        })
    });
}

/// A chess position in which castling, en passant and a promotion are possible, and a toy tree.
fn subjects() -> [Subject; 2] {
    let chess = "r3k2r/1P4pp/8/3pP3/8/2n5/6p1/R3K2R w KQkq d6 0 1";
    let chess = Document::from_bytes("x.fen", chess.into()).expect("a position");
    let toy = Document::open_file(&root("sample-positions/figure1.tree")).expect("a tree");
    [&chess, &toy].map(|document| document.entry(0).expect("an entry").subject())
}

#[test]
fn moves() {
    let subjects = subjects();
    let reader = Reader {
        name: "moves",
        good: lines_of(
            "exd6 O-O\nb8=Q Kd7 O-O-O\ne1c1 g2h1q\n1. exd6 Nb1 2. bxa8=N+ -- --\nA B C\nA › B\nb7a8q",
        ),
        words: &[
            "O-O", "0-0-0", "--", "Kxe8", "=Q", "=K", "e.p.", "1...", "!?", "#", "P@e4", "A", "›",
            ",",
        ],
        longest: 200,
    };
    reader.fuzz(|input| {
        let text = decode(input);
        let mut kinds = String::new();
        for subject in &subjects {
            kinds += &told(subject.read_line(&text), |line| {
                let again = subject.read_line(&line.text);
                let again = again.unwrap_or_else(|e| panic!("{}: {e}", line.text));
                assert_eq!(again.moves, line.moves, "{text:?} as {:?}", line.text);
                format!("{} moves", "m".repeat(line.moves.len().min(8)))
            });
        }
        kinds
    });
}

#[test]
fn breakpoints() {
    let subjects = subjects();
    // Breakpoints as in the documentation.
    let docs = std::fs::read_to_string(root("docs/src/debugger.md")).expect("the page");
    let mut good: Vec<Vec<u8>> = docs
        .split('`')
        .map(|text| text.as_bytes().to_vec())
        .collect();
    good.retain(|text| text.len() < 120 && !text.contains(&b'\n'));
    good.extend(lines_of("on cutoff\nwhen depth > 2 and not in check\non back-up at e4 e5 when value < -0.3\nwhen changes best"));
    let words = "on when and or not at below above under in ( ) < > <= >= = != , changes value depth ply alpha beta nodes visits \
                 policy mean sd spread bound expected best window fate futile cutoff proven win loss draw every 10 0.5 e4 -- A";
    let words: Vec<String> = words.split_whitespace().map(|w| format!(" {w} ")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let reader = Reader {
        name: "breakpoints",
        good,
        words: &words,
        longest: 300,
    };
    reader.fuzz(|input| {
        let text = decode(input);
        let mut kinds = String::new();
        for subject in &subjects {
            kinds += &told(Breakpoint::parse(&text, subject), |read| {
                let written = read.canonical();
                let again = Breakpoint::parse(&written, subject);
                let again = again.unwrap_or_else(|e| panic!("{text:?} as {written:?}: {e}"));
                assert_eq!(again.canonical(), written, "{text:?}");
                "a breakpoint".to_owned()
            });
            kinds += &told(Measure::parse(&text, subject), |_| "a measure".to_owned());
        }
        kinds
    });
}

#[test]
fn options() {
    let mut good = Vec::new();
    let mut words = vec![
        "=".to_owned(),
        ":".into(),
        ",".into(),
        "on".into(),
        "off".into(),
    ];
    for row in &ALGORITHMS {
        let (algorithm, name) = (row.algorithm, row.name);
        words.push(name.to_owned());
        let mut all = String::from(name);
        for (i, (spec, value)) in algorithm.default_options().iter().enumerate() {
            let sign = if i == 0 { ':' } else { ',' };
            good.push(format!("{name}:{}={value}", spec.key).into_bytes());
            words.push(spec.key.to_owned());
            words.extend(spec.default.split([':', ',']).map(str::to_owned));
            let _ = write!(all, "{sign}{}={value}", spec.key);
        }
        good.push(all.into_bytes());
    }
    words.extend(Rule::ALL.map(|rule| rule.name().to_owned()));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let base = Config::new(Algorithm::Distress);
    let reader = Reader {
        name: "options",
        good,
        words: &words,
        longest: 600,
    };
    reader.fuzz(|input| {
        let text = decode(input);
        told(ColumnSpec::parse(&text, &base), |column| {
            let written = column.to_string();
            let again = ColumnSpec::parse(&written, &base);
            let again = again.unwrap_or_else(|e| panic!("{text:?} as {written:?}: {e}"));
            let (ColumnSpec::Own(one), ColumnSpec::Own(other)) = (&column, &again) else {
                panic!("{text:?} is no program");
            };
            assert_eq!(one.options, other.options, "{text:?} as {written:?}");
            String::new()
        })
    });
}

/// Every formula and condition that an option takes: what is read is written so that it reads back, and has values for any
/// numbers, for one move at a time or for several at once.
#[test]
fn formulas() {
    let ranges: Vec<&FormulaRange> = ALGORITHMS
        .iter()
        .flat_map(|row| row.options)
        .filter_map(|spec| match spec.range {
            Range::Formula(range) => Some(range),
            _ => None,
        })
        .collect();
    let written = ranges.iter().filter_map(|range| {
        let words = range.words.split([',', ' ']);
        words.filter_map(|word| (range.written)(word)).next()
    });
    let mut good: Vec<Vec<u8>> = written.map(String::into_bytes).collect();
    good.extend(lines_of(
        "if(n = 0, 9 - rank/1k, Q + sqrt(8*log(N)/n))\n0.1*log(sum(exp(Q/0.1))/moves)\ndepth <= 6 and not (static > alpha)\n\
         clamp(|sd|, 0, 1)*inv_phi(phi(mean))\nmost(if(n > 0 and P < .5, Q, -9)) - least(sd)",
    ));
    let mut words: Vec<&str> =
        "+ - * / | ( ) , < > <= >= = != and or not if( sum( most( least( 0 1 .5 1e9 10k 2M 9e999"
            .split(' ')
            .collect();
    words.extend(formula::FUNCTIONS.iter().map(|f| f.form));
    words.extend(ranges.iter().flat_map(|r| r.scope.names).map(|n| n.name));
    let numbers = [
        0.0,
        1.0,
        -0.5,
        30_000.0,
        f64::INFINITY,
        7.0,
        0.25,
        1e-9,
        3.0,
    ];
    let each = [
        [0.0, 1.0, -1.0],
        [3.0, 0.0, 1.0],
        [0.5, 0.5, 0.0],
        [0.0; 3],
        [1.0, 2.0, 3.0],
    ];
    let reader = Reader {
        name: "formulas",
        good,
        words: &words,
        longest: 1_200,
    };
    reader.fuzz(|input| {
        let text = decode(input);
        let mut kinds = String::new();
        for range in &ranges {
            let parse = |text: &str| match range.is_condition {
                true => Formula::condition(text, &range.scope),
                false => Formula::parse(text, &range.scope),
            };
            kinds += &told(parse(&text), |formula| {
                if !range.is_condition {
                    let written = formula.to_string();
                    // Parentheses that are added may go beyond the longest text.
                    if written.chars().count() <= Formula::LONGEST {
                        let again = parse(&written);
                        let again =
                            again.unwrap_or_else(|e| panic!("{text:?} as {written:?}: {e}"));
                        assert_eq!(again, formula, "{text:?} as {written:?}");
                    }
                }
                let own = &numbers[..range.scope.names.len()];
                let value = formula.value(own);
                assert!(value.is_none_or(f64::is_finite));
                let same: Vec<Column> = own.iter().map(|n| Column::Same(*n as f32)).collect();
                let mut sheet = Sheet::default();
                assert_eq!(formula.values(3, &same, &mut sheet).len(), 3);
                let columns: Vec<Column> = each.iter().map(|c| Column::Each(c)).collect();
                let moves = &columns[..range.scope.each.len()];
                let folded = formula.folded(own, (3, moves), &mut sheet);
                assert!(folded.is_none_or(f64::is_finite));
                let refused = (range.check)(&formula).is_err();
                format!("{} {} {refused}", value.is_some(), folded.is_some())
            });
        }
        kinds
    });
}

/// Amounts, sizes, durations, cells, keys, queries, engine commands: the short inputs of the command line and the
/// prompts.
#[test]
fn quantities() {
    let words = "k M G ms s m h min nodes depth 0x 8x0 4x4 , Ctrl- Alt- Shift- Tab F12 space white: -result: elo> \" ' \\ _ . e";
    let words: Vec<&str> = words.split_whitespace().collect();
    let reader = Reader {
        name: "quantities",
        good: lines_of(
            "100k\n500ms\n1.5h\n2G\n65536K\n8x0,4x4\nCtrl-d\nShift-Tab\nwhite:tal year>1960 \"a b\"\nsh -c 'x y'\ndepth 5\n1_000",
        ),
        words: &words,
        longest: 100,
    };
    assert!(default_memory() > 0);
    reader.fuzz(|input| {
        let text = decode(input);
        let amounts = [
            told(quantity::count(&text), |n| {
                assert!(n > 0);
                "a count".into()
            }),
            told(quantity::size(&text), |bytes| {
                assert!(bytes >= 1024);
                "a size".into()
            }),
            told(quantity::duration(&text), |_| "a duration".into()),
            told(parse_cells(&text), |_| "cells".into()),
            told(EngineSpec::parse(&text), |spec| {
                assert!(!spec.command.is_empty());
                "a program".into()
            }),
            text.parse::<Budget>().map_or_else(
                |_| "no budget".into(),
                |budget| {
                    let written = budget.to_string();
                    assert_eq!(
                        written.parse::<Budget>().ok(),
                        Some(budget),
                        "{text:?} as {written:?}"
                    );
                    "a budget".into()
                },
            ),
        ];
        let key = Key::parse(&text).is_some();
        let query = Query::parse(&text).is_empty();
        format!("{} {key} {query}", amounts.concat())
    });
}

/// No displayed text may control a terminal or change the text direction.
#[test]
fn texts() {
    let reader = Reader {
        name: "texts",
        good: contents(&fixture("bad_input"))
            .into_iter()
            .map(|mut text| {
                text.truncate(400);
                text
            })
            .collect(),
        words: &[
            "\u{9b}",
            "\u{2028}",
            "\u{2066}",
            "\u{e0001}",
            "\u{fff9}",
            "\u{d7ff}",
        ],
        longest: 400,
    };
    reader.fuzz(|input| {
        let shown = sanitise(&decode(input));
        assert_eq!(sanitise(&shown), shown);
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
        assert!(
            !shown.contains(|c: char| ('\u{202a}'..='\u{202e}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c))
        );
        assert!(quote(&shown).chars().count() <= 42);
        String::new()
    });
}
