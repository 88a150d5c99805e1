//! Labelled positions: the verdicts of a stronger search.
//!
//! There are two kinds of lines, which may be mixed: eight tab-separated columns (FEN, `cp` or `mate`, value, win, draw
//! and loss in permille, best move, and a letter for the kind), or an EPD with `ce` (centipawns), `dm` (moves to mate)
//! or `bm`. All values are from the side to move's view. A file may be compressed with zstd.

use std::path::Path;

use super::{LoadError, epd, fen, unreadable};
use crate::{ChessPosition, Game, MoveCode, Scale, Score, notation};
use text::{decode, files, quote};

/// A position with its label.
#[derive(Clone, Debug)]
pub struct Label {
    pub position: ChessPosition,
    /// The line in the file, from 1.
    pub line: u32,
    /// The expected score from the side to move's view: tanh(cp / 360), or ±1 for a mate. `None` if the line only names
    /// moves.
    pub verdict: Option<f32>,
    /// The best moves; empty if the line does not give any.
    pub best: Vec<MoveCode>,
    /// `g` for a position from a game, `x` for some random moves away from one; EPD has none.
    pub kind: Option<char>,
}

/// The number of columns of a line that is not an EPD.
const COLUMNS: usize = 8;
const EXPECTED: &str = "FEN, cp or mate, value, win, draw, loss, best move and kind between tabs, or an EPD with ce, dm or bm";
/// The first bytes of a file that is compressed with zstd.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Calls `take` for every line of a file (standard input for `-`) with its label or the reason why it has none.
///
/// # Errors
/// If the file cannot be read or its compression is damaged.
pub fn read(path: &Path, take: impl FnMut(Result<Label, LoadError>)) -> Result<(), LoadError> {
    let name = path.to_string_lossy();
    let read = if name == "-" {
        files::read_all(std::io::stdin().lock())
    } else {
        std::fs::File::open(path).and_then(files::read_all)
    };
    let shown = if name == "-" { "standard input" } else { &name };
    let bytes = read.map_err(|e| unreadable(&e).in_file(shown))?;
    let bytes = unpacked(bytes).map_err(|e| e.in_file(shown))?;
    of_text(&decode(&bytes), shown, take);
    Ok(())
}

/// Like [`read`], for the text of a file with this name.
pub fn of_text(text: &str, shown: &str, mut take: impl FnMut(Result<Label, LoadError>)) {
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = u32::try_from(i + 1).unwrap_or(u32::MAX);
        let label = parse(line).map(|label| Label {
            line: number,
            ..label
        });
        take(label.map_err(|e| e.at_line(number).in_file(shown)));
    }
}

/// Returns the text of a file that may be compressed with zstd.
pub fn unpacked(bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    if !bytes.starts_with(&ZSTD) {
        return Ok(bytes);
    }
    let broken = |what: String| LoadError::new(format!("damaged zstd ({what})"), "a whole file");
    let decoder = ruzstd::decoding::StreamingDecoder::new(bytes.as_slice())
        .map_err(|e| broken(e.to_string()))?;
    files::read_all(decoder).map_err(|e| broken(e.to_string()))
}

/// Parses one line. The line number is left at 0.
///
/// # Errors
/// Says what was found and what was expected.
pub fn parse(line: &str) -> Result<Label, LoadError> {
    let columns: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
    match columns.len() {
        1 => of_epd(line),
        COLUMNS => of_columns(&columns),
        n => Err(LoadError::new(format!("{n} columns"), EXPECTED)),
    }
}

fn of_columns(columns: &[&str]) -> Result<Label, LoadError> {
    let position = fen::parse(columns[0])?.position;
    let value: i32 = columns[2]
        .parse()
        .map_err(|_| LoadError::new(quote(columns[2]), "a whole number in column 3"))?;
    let verdict = match columns[1] {
        "cp" => Scale::Logistic.expected(Score::new(value)),
        "mate" if value != 0 => value.signum() as f32,
        "mate" => return Err(LoadError::new("mate in 0", "a position with moves")),
        other => return Err(LoadError::new(quote(other), "cp or mate in column 2")),
    };
    let permille: Option<Vec<u32>> = columns[3..6].iter().map(|c| c.parse().ok()).collect();
    let whole =
        permille.is_some_and(|p| p.iter().all(|n| *n <= 1000) && p.iter().sum::<u32>() == 1000);
    if !whole {
        let found = quote(&columns[3..6].join(" "));
        let expected = "win, draw and loss in permille, 1000 together, in columns 4 to 6";
        return Err(LoadError::new(found, expected));
    }
    let best = notation::parse_move(&position, columns[6])
        .ok_or_else(|| LoadError::new(quote(columns[6]), "a legal move in column 7"))?;
    let mut letters = columns[7].trim().chars();
    let kind = match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => letter,
        _ => return Err(LoadError::new(quote(columns[7]), "one letter in column 8")),
    };
    let best = vec![position.encode(best)];
    finished(position, Some(verdict), best, Some(kind))
}

fn of_epd(line: &str) -> Result<Label, LoadError> {
    let epd = epd::parse(line)?;
    let verdict = match (epd.mate_in(), epd.centipawns()) {
        (Some(mate), _) if mate != 0 => Some(mate.signum() as f32),
        (_, Some(cp)) => Some(Scale::Logistic.expected(Score::new(cp))),
        _ => None,
    };
    let moves = epd.best_moves();
    let best: Vec<MoveCode> = moves.iter().map(|&m| epd.position.encode(m)).collect();
    if verdict.is_none() && best.is_empty() {
        return Err(LoadError::new("none of ce, dm and bm", EXPECTED));
    }
    finished(epd.position, verdict, best, None)
}

fn finished(
    position: ChessPosition,
    verdict: Option<f32>,
    best: Vec<MoveCode>,
    kind: Option<char>,
) -> Result<Label, LoadError> {
    if position.legal_moves().is_empty() || position.ending(true).is_some() {
        return Err(LoadError::new(
            "a game that is over",
            "a position with moves",
        ));
    }
    Ok(Label {
        position,
        line: 0,
        verdict,
        best,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn both_kinds_of_lines_are_read() {
        let label = parse(&format!("{START} 0 1\tcp\t36\t60\t920\t20\te2e4\tg")).expect("a label");
        let verdict = label.verdict.expect("a value");
        assert!((verdict - 0.1f32.tanh()).abs() < 1e-6);
        assert_eq!((label.best.len(), label.kind), (1, Some('g')));
        let mate = parse(&format!("{START} 0 1\tmate\t-3\t0\t0\t1000\te2e4\tx")).expect("a label");
        assert_eq!((mate.verdict, mate.kind), (Some(-1.0), Some('x')));
        let epd = parse(&format!("{START} ce -360; bm e4 d4; id \"a\";")).expect("a label");
        assert!((epd.verdict.expect("a value") + 1f32.tanh()).abs() < 1e-6);
        assert_eq!((epd.best.len(), epd.kind), (2, None));
        let bare = parse(&format!("{START} bm e4;")).expect("a label");
        assert_eq!(bare.verdict, None);
    }

    #[test]
    fn wrong_lines_say_what_was_expected() {
        let line = |rest: &str| format!("{START} 0 1\t{rest}").replace(' ', " ");
        for (wrong, found) in [
            (format!("{START} id \"x\";"), "none of ce, dm and bm"),
            (line("cp\t3"), "3 columns"),
            (line("pawns\t3\t0\t1000\t0\te2e4\tg"), "\"pawns\""),
            (line("cp\tmuch\t0\t1000\t0\te2e4\tg"), "\"much\""),
            (line("mate\t0\t0\t1000\t0\te2e4\tg"), "mate in 0"),
            (line("cp\t3\t0\t100\t0\te2e4\tg"), "\"0 100 0\""),
            (line("cp\t3\t0\t1000\t0\te2e5\tg"), "\"e2e5\""),
            (line("cp\t3\t0\t1000\t0\te2e4\tgame"), "\"game\""),
            (String::from("nonsense"), "\"o\""),
            (
                String::from("7k/5KQ1/8/8/8/8/8/8 b - - 0 1\tcp\t0\t0\t1000\t0\th8h7\tg"),
                "\"h8h7\"",
            ),
        ] {
            let error = parse(&wrong).expect_err(&wrong);
            assert!(error.found.contains(found), "{error}");
            assert!(!error.expected.is_empty());
        }
    }
}
