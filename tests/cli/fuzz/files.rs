//! Whole files: games, toy trees, lessons, settings, and files of unknown kind.

use std::collections::BTreeMap;
use std::fs;

use game::load::pgn::{Annotation, Existing, Games};
use game::load::toy_tree;
use games::Document;
use screen::theme::ThemeStore;
use studies::lesson::{Glossary, Lesson};
use text::decode;
use tui::config;

use super::{Reader, contents, fixture, root, scratch, small, told};

pub const PGN_WORDS: [&str; 34] = [
    "[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"]\n",
    "[SetUp \"1\"]\n",
    "[Variant \"Chess960\"]\n",
    "[Event \"",
    "\"]\n",
    "\n\n",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n%",
    "$1",
    "$300",
    "!?",
    "1.",
    "1...",
    "e4",
    "Nf3",
    "O-O",
    "0-0-0",
    "--",
    "Z0",
    "e8=Q+",
    "1-0",
    "1/2-1/2",
    "*",
    "[%eval 0.2]",
    "[%eval #-3,12]",
    "[%clk 0:01:02]",
    "[%emt",
    "e2e4",
    "N@f3",
    "...",
];

pub fn games() -> Vec<Vec<u8>> {
    let mut all = small(&fixture("pgn"), "pgn", 8_000);
    all.extend(small(&root("sample-positions"), "pgn", 20_000));
    all.extend(contents(&fixture("bad_input/chessops_fuzz_pgn")));
    all
}

#[test]
fn pgn() {
    let reader = Reader {
        name: "pgn",
        good: games(),
        words: &PGN_WORDS,
        longest: 8_000,
    };
    reader.fuzz(|input| {
        let games = Games::new(input.to_vec());
        let mut told_of = String::new();
        for i in 0..games.len().min(8) {
            assert!(games.summary(i).is_some_and(|s| s.title().len() < 10_000));
            told_of += &told(games.game(i), |game| {
                // Every node can be visited, and writing and reading give the same game again.
                for node in [0, game.nodes.len() / 2, game.nodes.len() - 1] {
                    let _ = game.situation_of(node);
                    let _ = game.numbered(node);
                }
                let written = told(
                    games.annotated(i, &[Annotation::default()], Existing::Keep),
                    |text| {
                        let mut whole = Vec::new();
                        let replaced = BTreeMap::from([(i, text)]);
                        games.write_with(&mut whole, &replaced).expect("written");
                        let again = Games::new(whole);
                        assert_eq!(again.len(), games.len());
                        let again = again.game(i).expect("what was written");
                        assert_eq!(again.nodes.len(), game.nodes.len());
                        String::new()
                    },
                );
                let problems: Vec<String> = game.problems.iter().map(ToString::to_string).collect();
                written + &problems.concat()
            });
        }
        told_of
    });
}

#[test]
fn toy_trees() {
    let reader = Reader {
        name: "toy-trees",
        good: small(&root("sample-positions"), "tree", 8_000),
        words: &[
            "max\n",
            "min\n",
            "\n  A 0.5",
            "\n\t",
            " ± 0.1",
            " +- ",
            "# ",
            "A",
            "\n",
            "  ",
            "win",
            "loss",
            "draw",
            "-0.0",
            "1.5",
        ],
        longest: 3_000,
    };
    reader.fuzz(|input| {
        told(toy_tree::parse(&decode(input)), |read| {
            let written = read.tree.to_text();
            let again = toy_tree::parse(&written).unwrap_or_else(|e| panic!("{e}: {written}"));
            assert_eq!(again.tree.to_text(), written);
            String::new()
        })
    });
}

#[test]
fn documents() {
    let mut good = small(&root("sample-positions"), "fen", 4_000);
    for ending in ["epd", "tree", "pgn", "sgf", "c4", "ttt"] {
        good.extend(small(&root("sample-positions"), ending, 2_000));
    }
    good.extend(
        contents(&fixture("bad_input/python-chess_fuzz"))
            .into_iter()
            .filter(|text| text.len() < 4_000),
    );
    let wide = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    good.push(wide("\u{feff}8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n"));
    let reader = Reader {
        name: "documents",
        good,
        words: &PGN_WORDS,
        longest: 4_000,
    };
    let mut turn = 0;
    reader.fuzz(|input| {
        const NAMES: [&str; 9] = [
            "x.fen", "x.epd", "x.pgn", "x.tree", "x.sgf", "x.c4", "x.ttt", "x.txt", "x",
        ];
        turn = (turn + 1) % NAMES.len();
        told(
            Document::from_bytes(NAMES[turn], input.to_vec()),
            |document| {
                assert!(!document.is_empty());
                let mut kinds = document.format.name.to_owned();
                for i in 0..document.len().min(20) {
                    let _ = document.title(i);
                    kinds += &told(document.entry(i), |entry| {
                        let _ = entry.subject();
                        let kinds = [
                            (entry.epd().is_some(), "position"),
                            (entry.game().is_some(), "game"),
                        ];
                        kinds
                            .into_iter()
                            .find(|k| k.0)
                            .map_or("tree", |k| k.1)
                            .into()
                    });
                    // A format that is written anew is read again as it was.
                    if let (false, Ok(text)) = (document.keeps_text(), document.text_of(i)) {
                        let name = format!("x.{}", document.format.extension);
                        let again = Document::from_bytes(&name, text.clone()).expect("a game");
                        let (a, b) = (document.entry(i), again.entry(0));
                        let plies = [a, b].map(|entry| entry.expect("a game").plies());
                        assert_eq!(plies[0], plies[1], "{}", decode(&text));
                        assert_eq!(again.text_of(0).expect("a game"), text);
                    }
                }
                kinds
            },
        )
    });
}

#[test]
fn lessons() {
    // Only one step each, so that a change anywhere is likely to be the first error.
    let mut good = Vec::new();
    for lesson in small(&root("sample-positions/lessons"), "md", 30_000) {
        let text = decode(&lesson);
        let mut steps = text.split("\n## ");
        let head = steps.next().unwrap_or("");
        good.extend(steps.map(|step| format!("{head}\n## {step}").into_bytes()));
    }
    let reader = Reader {
        name: "lessons",
        good,
        words: &[
            "```setup\n",
            "```show\n",
            "```run\n",
            "```question\n",
            "```formula\n",
            "```\n",
            "ask: ",
            "reveal: ",
            "row: ",
            "number: ",
            "to: ",
            "view: ",
            "set: ",
            "sample: ",
            "[[",
            "]]",
            "{value of \"A\"}",
            "\n# ",
            "\n## ",
            "---\n",
            "title: ",
            "**",
            "*",
            "[",
            "](",
            "{",
            "}",
            "`",
            "|",
            "\n- ",
            "\n> ",
            "algorithm: ",
            "nodes: ",
            "depth: ",
        ],
        longest: 6_000,
    };
    reader.fuzz(|input| {
        let lesson = told(Lesson::read("x.md", input), |_| String::from("a lesson"));
        let glossary = told(Glossary::read("x.md", input), |_| {
            String::from("a glossary")
        });
        lesson + &glossary
    });
}

const TOML_WORDS: [&str; 20] = [
    "[keys]\n",
    "[[engine]]\n",
    "theme = ",
    "\"Ctrl-x\" = ",
    "\"help\"",
    "true",
    "1e9",
    "[",
    "]",
    "=",
    "\n",
    "{ a = 1 }",
    "'''",
    "\"\"\"",
    "#ff0000",
    "bold",
    "command = ",
    "name = ",
    "options = ",
    "1979-05-27",
];

#[test]
fn settings() {
    let example = "theme = \"dark\"\nmouse = true\n[keys]\n\"Ctrl-x\" = \"help\"\n[[engine]]\nname = \"a\"\ncommand = \"sh -c x\"\n\
                   options = { Hash = 16, Style = \"Solid\" }\n";
    let reader = Reader {
        name: "settings",
        good: vec![example.into()],
        words: &TOML_WORDS,
        longest: 2_000,
    };
    reader.fuzz(|input| {
        told(config::parse("config.toml", &decode(input)), |read| {
            read.warnings.concat()
        })
    });
}

#[test]
fn themes() {
    let folder = scratch().join("themes");
    fs::create_dir_all(&folder).expect("a folder");
    let store = ThemeStore::new(vec![folder.clone()]);
    let reader = Reader {
        name: "themes",
        good: small(&root("themes"), "toml", 8_000),
        words: &TOML_WORDS,
        longest: 6_000,
    };
    reader.fuzz(|input| {
        fs::write(folder.join("fuzz.toml"), input).expect("a file");
        told(store.load("fuzz"), |read| read.warnings.concat())
    });
}
