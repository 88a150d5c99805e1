//! Endgame tables on the command line and in UCI, intact and damaged.

use crate::cli_support;
use crate::uci_support;

use std::path::{Path, PathBuf};

use algorithms::ALGORITHMS;
use cli_support::plyscope;
use common::data;
use game::load::fen;
use game::{ChessKnowledge as _, ChessPosition, EndgameTables, Situation};
use uci_support::Server;

/// White wins by capturing the pawn, which leaves a queen against a king.
const TAKES_INTO_THE_TABLES: &str = "4k3/8/8/8/8/1p1p4/2Q5/K6b w - - 0 1";
const ROOK: &str = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";

fn tables() -> Option<PathBuf> {
    data("syzygy/regular")
}

/// A folder with some of the tables, each modified as given.
fn folder(name: &str, from: &Path, files: &[&str], change: impl Fn(&mut Vec<u8>)) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in files {
        let mut bytes = std::fs::read(from.join(file)).expect("a table");
        change(&mut bytes);
        std::fs::write(folder.join(file), bytes).expect("a file");
    }
    folder
}

#[test]
fn no_tables_at_the_place_is_one_clear_line() {
    let here = env!("CARGO_MANIFEST_DIR");
    let empty = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-tables");
    std::fs::create_dir_all(&empty).expect("a folder");
    let file = format!("{here}/Cargo.toml");
    for place in [
        "/no/such/folder",
        &empty.to_string_lossy(),
        &file,
        "\u{1b}[2J",
    ] {
        for command in [
            &["search", "--nodes", "100"][..],
            &["tree", "--nodes", "100"],
            &["trace", "--nodes", "100"],
            &["uci"],
            &["compare", "-a", "mcts", "--fen", ROOK, "--nodes", "100"],
        ] {
            let mut arguments = command.to_vec();
            arguments.extend(["--syzygy", place]);
            plyscope(&arguments).refused(1);
        }
    }
}

#[test]
fn a_search_says_how_often_the_tables_knew() {
    let Some(folder) = tables() else { return };
    let folder = folder.to_string_lossy();
    for row in &ALGORITHMS {
        let arguments = [
            "search",
            "-a",
            row.name,
            "--nodes",
            "3000",
            "--json",
            "--threads",
            "1",
            "--fen",
        ];
        let with = |more: &[&str]| {
            let all = [&arguments[..], more].concat();
            plyscope(&all).clean().json_lines().remove(0)
        };
        let without = with(&[ROOK]);
        assert_eq!(without["tbhits"], 0);
        let known = with(&[ROOK, "--syzygy", &folder]);
        assert!(known["tbhits"].as_u64() > Some(0), "{known}");
        assert_eq!(known["score"]["lower"], 1.0, "{}", row.name);
        assert_eq!(known["score"]["expected"], 1.0, "{}", row.name);
        let off = with(&[ROOK, "--syzygy", &folder, "--set", "table-men=2"]);
        assert_eq!(off["tbhits"], 0);
    }
    let run = plyscope(&["search", "--fen", ROOK, "--syzygy", &folder, "--depth", "4"]).clean();
    assert!(run.out.contains("win"), "{}", run.out);
}

#[test]
fn damaged_tables_are_named_and_done_without() {
    let Some(from) = tables() else { return };
    let both = ["KRvK.rtbw", "KRvK.rtbz"];
    // A size that no table has, so the file is skipped at once.
    let cut = folder("cut-tables", &from, &both, |bytes| bytes.truncate(100));
    let run = plyscope(&[
        "search",
        "--fen",
        ROOK,
        "--nodes",
        "500",
        "--syzygy",
        &cut.to_string_lossy(),
    ]);
    assert_eq!((run.status, run.err.lines().count()), (0, 2), "{run:?}");
    assert!(run.err.contains("KRvK.rtbw: passed over"), "{}", run.err);
    // Damage that only shows when the tables are read.
    let noise = folder("noise-tables", &from, &both, |bytes| bytes[..4].fill(0));
    for row in &ALGORITHMS {
        let noise = noise.to_string_lossy();
        let arguments = [
            "search", "-a", row.name, "--fen", ROOK, "--nodes", "500", "--syzygy", &noise,
        ];
        let run = plyscope(&arguments);
        assert_eq!((run.status, run.err.lines().count()), (0, 1), "{run:?}");
        assert!(run.err.contains("endgame table KRvK"), "{}", run.err);
        run.harmless();
    }
}

/// Positions with the men of one table, probed one after another.
fn ask(tables: &EndgameTables, fens: &[&str]) -> usize {
    let known = |text: &&&str| {
        let position: ChessPosition = fen::parse(text).expect("a position").position;
        let alone = Situation::new(position.clone());
        let moves = position.look_up_moves(tables, &alone);
        moves.is_some() || position.look_up(tables, true).is_some()
    };
    fens.iter().filter(known).count()
}

#[test]
fn no_damage_makes_a_look_up_panic() {
    let Some(from) = tables() else { return };
    let files = [
        "KRvK.rtbw",
        "KRvK.rtbz",
        "KPvK.rtbw",
        "KPvK.rtbz",
        "KQvK.rtbw",
        "KQvK.rtbz",
    ];
    let fens = [
        ROOK,
        "8/8/8/3k4/8/8/8/KR6 b - - 3 1",
        "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
        "8/4P3/4K3/8/8/8/8/4k3 w - - 2 1",
        "8/8/8/3k4/8/8/8/KQ6 w - - 1 1",
    ];
    let whole = folder("whole-tables", &from, &files, |_| {});
    let (tables, _) = EndgameTables::open(&whole).expect("tables");
    assert_eq!(ask(&tables, &fens), fens.len());
    assert!(tables.problems().is_empty());
    let mut damaged = 0;
    for seed in 0..200u64 {
        let change = |bytes: &mut Vec<u8>| {
            let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as usize
            };
            if seed % 4 == 0 {
                // Truncated to a size that a table can have.
                let blocks = bytes.len() / 64;
                bytes.truncate(64 * (random() % blocks.max(1)) + 16);
            } else {
                // Mostly the header and its length tables.
                let within = if seed % 2 == 0 {
                    bytes.len()
                } else {
                    bytes.len().min(64)
                };
                (0..4).for_each(|_| bytes[random() % within] = random() as u8);
            }
        };
        let place = folder("damaged-tables", &from, &files, change);
        let (tables, _) = EndgameTables::open(&place).expect("a folder with tables");
        ask(&tables, &fens);
        damaged += usize::from(!tables.problems().is_empty());
    }
    assert!(damaged > 50, "{damaged}");
}

#[test]
fn the_other_program_can_give_the_tables() {
    let Some(folder) = tables() else { return };
    let folder = folder.to_string_lossy();
    for row in &ALGORITHMS {
        let mut server = Server::of(row.name);
        server.send("setoption name SyzygyPath value /no/such/folder");
        let refusal = server.hear();
        assert!(
            refusal.contains("expected a folder of Syzygy tables"),
            "{refusal}"
        );
        server.send(&format!("setoption name SyzygyPath value {folder}"));
        server.position(ROOK, &[]);
        server.send("go nodes 2000");
        let lines = server.hear_until("bestmove");
        let told = lines
            .iter()
            .rfind(|l| l.contains(" score "))
            .expect("an info line");
        assert!(
            told.contains(" tbhits ") && !told.contains(" tbhits 0 "),
            "{told}"
        );
        assert!(
            told.contains("score cp 20000") || told.contains("score mate"),
            "{told}"
        );
        server.send("setoption name SyzygyPath value <empty>");
        server.position(TAKES_INTO_THE_TABLES, &[]);
        server.send("go nodes 500");
        let lines = server.hear_until("bestmove");
        assert!(!lines.iter().any(|l| l.contains("tbhits")), "{lines:?}");
        server.quit();
    }
}
