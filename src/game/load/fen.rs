//! Positions in Forsyth-Edwards Notation, for standard chess and Chess960 (X-FEN and Shredder-FEN). The reader is
//! lenient: what is merely untidy is corrected with a warning, and what cannot be a position is refused with the place
//! and the reason.

mod legal;

use std::borrow::Cow;

use shakmaty::fen::Fen;

use super::{LoadError, pgn};
use crate::ChessPosition;
use legal::legal;
use text::quote;

pub use legal::IS_CHESS960;

/// A position, with notes on what was corrected.
#[derive(Clone, Debug)]
pub struct ReadFen {
    pub position: ChessPosition,
    /// One sentence each, without a full stop.
    pub warnings: Vec<String>,
    /// The number of input bytes that belong to the position. The operations of an EPD may follow.
    pub consumed: usize,
}

/// Parses a line that contains a FEN and nothing else; it may be in quotation marks or the value of a tag.
///
/// # Errors
/// Names the column and what was expected there.
pub fn parse(line: &str) -> Result<ReadFen, LoadError> {
    let line = &*bare(line);
    let read = parse_prefix(line)?;
    let rest = &line[read.consumed..];
    if let Some(word) = rest.split_whitespace().next() {
        let offset = read.consumed + rest.find(word).unwrap_or(0);
        return Err(
            LoadError::new(quote(word), "the end of the FEN").at_column(column(line, offset))
        );
    }
    Ok(read)
}

/// Returns a line without what surrounds a FEN that was copied from somewhere: quotation marks, or the tag `[FEN "…"]`,
/// perhaps with other tags. It is replaced by white space, so that every column stays the same.
pub fn bare(line: &str) -> Cow<'_, str> {
    let trimmed = line.trim();
    let marks = || trimmed.strip_prefix('"')?.strip_suffix('"');
    let fen = match trimmed.starts_with('[') {
        true => pgn::value_of(line.as_bytes(), "FEN"),
        false => marks()
            .filter(|inner| !inner.contains('"'))
            .map(str::to_owned),
    };
    let found = fen.and_then(|fen| Some((line.find(&fen)?, fen)));
    found.map_or(Cow::Borrowed(line), |(at, fen)| {
        let before = line[..at].chars().count();
        Cow::Owned(" ".repeat(before) + &fen)
    })
}

/// Parses a FEN (or the four fields of an EPD) at the beginning of a line.
///
/// # Errors
/// Names the column and what was expected there.
pub fn parse_prefix(line: &str) -> Result<ReadFen, LoadError> {
    let mut fields = Fields::new(line);
    let mut warnings = Vec::new();
    let Some((offset, board)) = fields.next() else {
        return Err(LoadError::new("nothing", "a position in FEN"));
    };
    if board == "startpos" {
        return Ok(ReadFen {
            position: ChessPosition::default(),
            warnings,
            consumed: fields.consumed,
        });
    }
    check_board(board).map_err(|(at, e)| e.at_column(column(line, offset + at)))?;

    let turn = fields.take(|word| word.len() <= 2 && word.chars().all(char::is_alphabetic));
    let turn = match turn {
        Some((_, "w" | "W")) => 'w',
        Some((_, "b" | "B")) => 'b',
        None if fields.rest().is_empty() => {
            warnings.push("the side to move is missing: assuming White".to_owned());
            'w'
        }
        other => {
            let (at, word) = other.unwrap_or_else(|| fields.peek());
            let error = LoadError::new(quote(word), "\"w\" or \"b\" for the side to move");
            return Err(error.at_column(column(line, at)));
        }
    };
    let castling = castling_field(line, &mut fields)?;
    let ep = en_passant_field(line, &mut fields, &mut warnings)?;
    let (halfmoves, fullmoves) = counters(&mut fields, &mut warnings);

    let text = format!("{board} {turn} {castling} {ep} {halfmoves} {fullmoves}");
    let fen: Fen = text.parse().map_err(|_| {
        LoadError::new(quote(&text), "a position in FEN").at_column(column(line, offset))
    })?;
    let named = castling.contains(|c: char| matches!(c.to_ascii_lowercase(), 'a'..='h'));
    let position =
        legal(fen, named, &mut warnings).map_err(|e| e.at_column(column(line, offset)))?;
    Ok(ReadFen {
        position,
        warnings,
        consumed: fields.consumed,
    })
}

fn column(line: &str, offset: usize) -> u32 {
    1 + line.get(..offset).unwrap_or(line).chars().count() as u32
}

/// Fields separated by white space, with their byte offsets. A semicolon begins an EPD's operations.
struct Fields<'a> {
    line: &'a str,
    consumed: usize,
}

impl<'a> Fields<'a> {
    fn new(line: &'a str) -> Self {
        Fields { line, consumed: 0 }
    }

    fn rest(&self) -> &'a str {
        self.line[self.consumed..].trim_start_matches(is_space)
    }

    /// Returns the next field without consuming it; empty at the end or before a semicolon.
    fn peek(&self) -> (usize, &'a str) {
        let rest = self.rest();
        let end = rest
            .find(|c: char| is_space(c) || c == ';')
            .unwrap_or(rest.len());
        (self.line.len() - rest.len(), &rest[..end])
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        self.take(|_| true)
    }

    /// Consumes the next field if there is one and it fits.
    fn take(&mut self, fits: impl Fn(&str) -> bool) -> Option<(usize, &'a str)> {
        let (offset, word) = self.peek();
        if word.is_empty() || !fits(word) {
            return None;
        }
        self.consumed = offset + word.len();
        Some((offset, word))
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Checks the board field rank by rank, so that an error can name the place.
fn check_board(board: &str) -> Result<(), (usize, LoadError)> {
    let ranks: Vec<&str> = board.split('/').collect();
    let mut offset = 0;
    for (i, rank) in ranks.iter().enumerate() {
        let name = 8_usize.saturating_sub(i);
        let mut width = 0;
        for (at, c) in rank.char_indices() {
            width += match c {
                '1'..='8' => c as usize - '0' as usize,
                'p' | 'n' | 'b' | 'r' | 'q' | 'k' | 'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => 1,
                // Crazyhouse marks promoted pieces like this, which does no harm.
                '~' => 0,
                '[' => {
                    let error = LoadError::new(
                        "a Crazyhouse pocket",
                        "standard chess or Chess960: other variants are not supported",
                    );
                    return Err((offset + at, error));
                }
                _ => {
                    let expected = format!("a piece or a number in rank {name} of the board");
                    return Err((offset + at, LoadError::new(quote(&c.to_string()), expected)));
                }
            };
        }
        if ranks.len() == 8 && width != 8 {
            let found = format!("{width} squares ({})", quote(rank));
            let expected = format!("8 squares in rank {name} of the board");
            return Err((offset, LoadError::new(found, expected)));
        }
        offset += rank.len() + 1;
    }
    if ranks.len() != 8 {
        let found = format!("{} ranks ({})", ranks.len(), quote(board));
        return Err((0, LoadError::new(found, "8 ranks separated by \"/\"")));
    }
    Ok(())
}

/// A single dash, also one of the longer ones that word processors substitute.
fn is_dash(word: &str) -> bool {
    matches!(word, "-" | "–" | "—" | "−")
}

fn castling_field<'a>(line: &str, fields: &mut Fields<'a>) -> Result<&'a str, LoadError> {
    let Some((at, word)) = fields.next() else {
        return Ok("-");
    };
    if is_dash(word) {
        return Ok("-");
    }
    let good = |c: char| matches!(c.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h');
    match word.chars().find(|&c| !good(c)) {
        None => Ok(word),
        Some(_) => Err(LoadError::new(
            quote(word),
            "castling rights (such as \"KQkq\" or \"HAha\") or \"-\"",
        )
        .at_column(column(line, at))),
    }
}

fn en_passant_field(
    line: &str,
    fields: &mut Fields<'_>,
    warnings: &mut Vec<String>,
) -> Result<String, LoadError> {
    let Some((at, word)) = fields.next() else {
        return Ok("-".to_owned());
    };
    if is_dash(word) {
        return Ok("-".to_owned());
    }
    // `-0 1` instead of `- 0 1`: a space was lost.
    if let Some(number) = word.strip_prefix('-')
        && number.chars().all(|c| c.is_ascii_digit())
    {
        fields.consumed = at + 1;
        warnings.push(format!("no space between \"-\" and \"{number}\""));
        return Ok("-".to_owned());
    }
    let lower = word.to_ascii_lowercase();
    match lower.as_bytes() {
        [b'a'..=b'h', b'1'..=b'8'] => Ok(lower),
        _ => Err(LoadError::new(quote(word), "an en passant square or \"-\"")
            .at_column(column(line, at))),
    }
}

/// Returns the half-move clock and the move number, with defaults if they are missing.
fn counters(fields: &mut Fields<'_>, warnings: &mut Vec<String>) -> (u32, u32) {
    let fits = |word: &str| is_dash(word) || word.chars().all(|c| c.is_ascii_digit());
    let words = [(); 2].map(|()| fields.take(fits).map(|(_, word)| word));
    if words.iter().flatten().any(|word| is_dash(word)) {
        let what = "\"-\" in place of the half-move clock or the move number: ignored";
        warnings.push(what.to_owned());
    }
    let number = |word: Option<&str>, missing| match word {
        Some(word) if !is_dash(word) => word.parse().unwrap_or(u32::MAX),
        _ => missing,
    };
    let (half, full) = (number(words[0], 0), number(words[1], 1));
    // A game ends at 150 at the latest. Far beyond that the number is a mistake, but the board can still be searched.
    if half > 200 {
        warnings.push(format!("the half-move clock says {half}: using 100"));
    }
    // Many programs write 0 for the first move.
    (if half > 200 { 100 } else { half }, full.clamp(1, 9_999))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game as _;
    use shakmaty::CastlingMode;

    fn refused(line: &str) -> String {
        parse(line).expect_err("refused").to_string()
    }

    #[test]
    fn errors_name_column_found_and_expected() {
        assert_eq!(
            refused("rnbqkbnr/ppppippp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            "column 14: found \"i\", expected a piece or a number in rank 7 of the board"
        );
        assert_eq!(
            refused("rnbqkbnr/pppppppp/8/6/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            "column 21: found 6 squares (\"6\"), expected 8 squares in rank 5 of the board"
        );
        assert_eq!(
            refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR K KQkq - 0 1"),
            "column 45: found \"K\", expected \"w\" or \"b\" for the side to move"
        );
        assert_eq!(
            refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQXb - 0 1"),
            "column 47: found \"KQXb\", expected castling rights (such as \"KQkq\" or \"HAha\") or \"-\""
        );
        assert_eq!(
            refused("8/1p6/K7/8/8/2B5/1k6/8 w - -"),
            "column 1: found the side that just moved in check, expected only the side to move in check"
        );
        assert_eq!(
            refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4"),
            "column 58: found \"moves\", expected the end of the FEN"
        );
        assert_eq!(refused("  "), "found nothing, expected a position in FEN");
    }

    #[test]
    fn what_is_untidy_is_put_right() {
        let start = ChessPosition::default().fen();
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w\tKQkq  -  ",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha – 0 0",
            "startpos",
        ] {
            assert_eq!(parse(line).expect(line).position.fen(), start, "{line}");
        }
        let read = parse("4k3/8/8/8/8/8/8/4K3 b - -3 7").expect("a space was lost");
        assert_eq!(read.position.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 3 7");
        let read = parse("4k3/8/8/8/8/8/8/4K3 b KQkq e3 9 7").expect("legal");
        assert_eq!(read.warnings.len(), 2, "{:?}", read.warnings);
        assert_eq!(read.position.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 9 7");
    }

    #[test]
    fn chess960_is_recognised_by_its_rights() {
        let read = parse("nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1").expect("");
        assert_eq!(read.position.castling_mode(), CastlingMode::Chess960);
        assert_eq!(read.warnings, [IS_CHESS960]);
        let read = parse("nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w GDgd - 0 1").expect("");
        assert_eq!(read.position.castling_mode(), CastlingMode::Chess960);
        assert!(read.warnings.is_empty());
        // A castling right without its rook does not make it a Chess960 position.
        let read =
            parse("2b1kbnQ/rpq1pp1p/2n3p1/8/8/2P5/PP3PPP/RN2KBNR b KQk - 0 9").expect("legal");
        assert_eq!(read.position.castling_mode(), CastlingMode::Standard);
        assert_eq!(read.warnings.len(), 1);
    }

    /// Each position with the rights that are kept, and whether it is one of standard chess.
    #[test]
    fn rights_are_kept_where_a_game_can_have_them() {
        const IGNORED: &str =
            "castling rights without king and rook on their home squares: ignored";
        for (line, kept, standard, warnings) in [
            // King and rook at home, and rights as they should be.
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "KQkq",
                true,
                &[][..],
            ),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", true, &[]),
            // A king in the corner.
            ("r6k/8/8/8/8/8/8/4K3 b q - 0 1", "-", true, &[IGNORED]),
            ("4k3/8/8/8/8/8/8/K6R w K - 0 1", "-", true, &[IGNORED]),
            ("4k3/8/8/8/8/8/8/R6K w A - 0 1", "-", true, &[IGNORED]),
            ("r6k/7p/8/8/8/8/8/R3K2R w KQq - 0 1", "KQ", true, &[IGNORED]),
            // A king at home, a rook that is not.
            (
                "4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1",
                "K",
                false,
                &[IS_CHESS960],
            ),
            (
                "4k3/8/8/8/8/8/4P3/4K1R1 w K - 0 1",
                "K",
                false,
                &[IS_CHESS960],
            ),
            ("4k3/8/8/8/8/8/4P3/4K1R1 w G - 0 1", "K", false, &[]),
            (
                "1r2k3/8/8/8/8/8/8/4K3 b q - 0 1",
                "q",
                false,
                &[IS_CHESS960],
            ),
            // A rook at home, a king that is not.
            ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "K", false, &[IS_CHESS960]),
            ("r2k4/8/8/8/8/8/8/4K3 b q - 0 1", "q", false, &[IS_CHESS960]),
            // No rook, none on that side, and a king off its back rank.
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "-", true, &[IGNORED]),
            ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "-", true, &[IGNORED]),
            ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-", true, &[IGNORED]),
            ("8/4k3/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQ", true, &[IGNORED]),
            ("4k3/8/8/8/8/8/8/r2NKN1r w KQ - 0 1", "-", true, &[IGNORED]),
            // One side of each kind.
            (
                "r6k/8/8/8/8/8/8/4KR2 w Kq - 0 1",
                "K",
                false,
                &[IGNORED, IS_CHESS960],
            ),
            (
                "r3k3/8/8/8/8/8/8/4KR2 w Kq - 0 1",
                "Kq",
                false,
                &[IS_CHESS960],
            ),
        ] {
            let read = parse(line).expect(line);
            let fen = read.position.fen();
            assert_eq!(fen.split(' ').nth(2), Some(kept), "{line}");
            let mode = CastlingMode::from_standard(standard);
            assert_eq!(read.position.castling_mode(), mode, "{line}");
            assert_eq!(read.warnings, warnings, "{line}");
            // What was dropped is never used, and what was kept is not asked about again.
            let castles = read.position.legal_moves().iter().any(|m| m.is_castle());
            assert!(kept != "-" || !castles, "{line}");
            let again = parse(&fen).expect("as it was written");
            assert_eq!(again.position.fen(), fen, "{line}");
        }
    }

    #[test]
    fn en_passant_squares_that_cannot_be_are_dropped() {
        for (line, kept) in [
            ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", true),
            // No pawn, another rank, a pawn of the wrong side, and squares that are not empty.
            ("4k3/8/8/8/5p2/8/8/4K3 b - e3 0 1", false),
            ("4k3/8/8/8/4Pp2/8/8/4K3 b - e4 0 1", false),
            ("4k3/8/8/8/4Pp2/8/8/4K3 w - e3 0 1", false),
            ("4k3/8/8/8/4Pp2/8/8/4K3 w - e6 0 1", false),
            ("4k3/8/8/8/4Pp2/4N3/8/4K3 b - e3 0 1", false),
            ("4k3/8/8/8/4Pp2/8/4N3/4K3 b - e3 0 1", false),
        ] {
            let read = parse(line).expect(line);
            let dropped = read.warnings.len();
            assert_eq!(dropped, usize::from(!kept), "{line}: {:?}", read.warnings);
            assert_eq!(read.position.fen().contains(" e3 "), kept, "{line}");
        }
    }

    #[test]
    fn a_fen_may_be_copied_with_what_surrounds_it() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7";
        for line in [
            format!("[FEN \"{fen}\"]"),
            format!(" [FEN \"{fen}\"] "),
            format!("[fen '{fen}']"),
            format!("[FEN {fen}]"),
            format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n"),
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]"),
            format!("\"{fen}\""),
        ] {
            let read = parse(&line).expect(&line);
            assert_eq!(read.position.fen(), fen, "{line}");
        }
        assert_eq!(
            refused("[FEN \"4k3/8/8/8/8/8/4P3/4K2 w - - 0 1\"]"),
            "column 25: found 7 squares (\"4K2\"), expected 8 squares in rank 1 of the board"
        );
        assert_eq!(
            refused("[FEN \"\"]"),
            "found nothing, expected a position in FEN"
        );
        assert!(refused("[Event \"x\"]").starts_with("column 1: found"));
    }

    #[test]
    fn a_dash_in_place_of_a_counter_is_ignored() {
        for (counters, fen) in [("- -", "0 1"), ("-", "0 1"), ("- 7", "0 7"), ("3 –", "3 1")] {
            let read = parse(&format!("4k3/8/8/8/8/8/8/4K3 b - - {counters}")).expect(counters);
            assert_eq!(
                read.position.fen(),
                format!("4k3/8/8/8/8/8/8/4K3 b - - {fen}")
            );
            assert_eq!(read.warnings.len(), 1, "{counters}");
        }
        assert!(refused("4k3/8/8/8/8/8/8/4K3 b - - 0 1 -").contains("the end of the FEN"));
    }
}
