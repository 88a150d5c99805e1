//! Positions in Forsyth-Edwards Notation, for standard chess and Chess960 (X-FEN and Shredder-FEN). The reader is
//! lenient: what is merely untidy is corrected with a warning, and what cannot be a position is refused with the place
//! and the reason.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Position as _, PositionError,
    PositionErrorKinds, Role, fen::Fen,
};

use super::LoadError;
use crate::{ChessPosition, MAX_MOVES};
use text::quote;

/// A position, with notes on what was corrected.
#[derive(Clone, Debug)]
pub struct ReadFen {
    pub position: ChessPosition,
    /// One sentence each, without a full stop.
    pub warnings: Vec<String>,
    /// The number of input bytes that belong to the position. The operations of an EPD may follow.
    pub consumed: usize,
}

/// Parses a line that contains a FEN and nothing else.
///
/// # Errors
/// Names the column and what was expected there.
pub fn parse(line: &str) -> Result<ReadFen, LoadError> {
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
    let position = legal(fen, &mut warnings).map_err(|e| e.at_column(column(line, offset)))?;
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
    let number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let Some((_, half)) = fields.take(number) else {
        return (0, 1);
    };
    let full = fields.take(number).map_or("1", |(_, full)| full);
    let half = half.parse().unwrap_or(u32::MAX);
    let full = full.parse().unwrap_or(u32::MAX);
    // A game ends at 150 at the latest. Far beyond that the number is a mistake, but the board can still be searched.
    if half > 200 {
        warnings.push(format!("the half-move clock says {half}: using 100"));
    }
    // Many programs write 0 for the first move.
    (if half > 200 { 100 } else { half }, full.clamp(1, 9_999))
}

/// Turns a parsed FEN into a position that can be searched.
fn legal(fen: Fen, warnings: &mut Vec<String>) -> Result<ChessPosition, LoadError> {
    let board = fen.as_setup().board.clone();
    let mode = CastlingMode::detect(fen.as_setup());
    let chess = match fen.into_position::<Chess>(mode) {
        Ok(chess) => chess,
        Err(error) => tolerate(error, &board, warnings)?,
    };
    // Once invalid rights have been dropped, it may be a standard position after all.
    let setup = chess.to_setup(EnPassantMode::Always);
    let mode = CastlingMode::detect(&setup);
    let chess = match setup.position::<Chess>(mode) {
        Ok(standard) => standard,
        // Standard rules refuse again what was just tolerated.
        Err(_) => chess,
    };
    Ok(ChessPosition::new(chess, mode))
}

/// Accepts what a search can cope with and refuses the rest with the reason.
fn tolerate(
    error: PositionError<Chess>,
    board: &Board,
    warnings: &mut Vec<String>,
) -> Result<Chess, LoadError> {
    let kinds = error.kinds();
    let has = |kind| kinds.contains(kind);
    if let Some((found, expected)) = refusal(kinds, board) {
        return Err(LoadError::new(found, expected));
    }
    if has(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
        warnings.push(
            "castling rights without king and rook on their home squares: ignored".to_owned(),
        );
    }
    if has(PositionErrorKinds::INVALID_EP_SQUARE) {
        warnings
            .push("an en passant square without a pawn that has just moved: ignored".to_owned());
    }
    if has(PositionErrorKinds::IMPOSSIBLE_CHECK) {
        warnings.push("a check that can't arise in a game".to_owned());
    }
    if has(PositionErrorKinds::TOO_MUCH_MATERIAL) {
        warnings.push("more pieces than can arise in a game".to_owned());
    }
    error
        .ignore_invalid_castling_rights()
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|e| LoadError::new(e.to_string(), "a legal position"))
}

fn refusal(kinds: PositionErrorKinds, board: &Board) -> Option<(String, &'static str)> {
    let has = |kind| kinds.contains(kind);
    let text = if has(PositionErrorKinds::EMPTY_BOARD) {
        ("an empty board".to_owned(), "a king on each side")
    } else if has(PositionErrorKinds::MISSING_KING) || has(PositionErrorKinds::TOO_MANY_KINGS) {
        let count = |color| (board.kings() & board.by_color(color)).count();
        let (white, black) = (count(Color::White), count(Color::Black));
        (
            format!("{white} white and {black} black kings"),
            "one king on each side",
        )
    } else if has(PositionErrorKinds::PAWNS_ON_BACKRANK) {
        let square = (board.pawns() & Bitboard::BACKRANKS).first()?;
        (
            format!("a pawn on {square}"),
            "none on the first or last rank",
        )
    } else if has(PositionErrorKinds::OPPOSITE_CHECK) {
        (
            "the side that just moved in check".to_owned(),
            "only the side to move in check",
        )
    } else if has(PositionErrorKinds::TOO_MUCH_MATERIAL) && !fits_in_a_move_list(board) {
        (
            "far more pieces than a game can have".to_owned(),
            "few enough for all moves to be listed",
        )
    } else {
        return None;
    };
    Some(text)
}

/// Whether neither side can ever have more moves than a list holds.
///
/// No position that can arise in a game has more than 218 moves (Petrović's position; proven by exhaustive
/// computation). Pieces beyond that material add at most the moves they have on an empty board. With few strong pieces
/// the plain sum is lower.
fn fits_in_a_move_list(board: &Board) -> bool {
    const REACH: [(Role, usize); 5] = [
        (Role::Knight, 8),
        (Role::Bishop, 13),
        (Role::Rook, 14),
        (Role::Pawn, 27),
        (Role::Queen, 27),
    ];
    Color::ALL.into_iter().all(|color| {
        let count = |role| (board.by_color(color) & board.by_role(role)).count();
        let sum: usize = REACH.iter().map(|&(role, reach)| reach * count(role)).sum();
        // How many pieces of a role there are beyond the initial army, counting pawns and promoted pieces together.
        let beyond = |role| match role {
            Role::Pawn => count(role),
            Role::Queen => count(role).saturating_sub(1),
            _ => count(role).saturating_sub(2),
        };
        let mut excess = REACH
            .iter()
            .map(|&(role, _)| beyond(role))
            .sum::<usize>()
            .saturating_sub(8);
        let mut added = 0;
        for (role, reach) in REACH {
            let here = beyond(role).min(excess);
            added += here * reach;
            excess -= here;
        }
        // A margin, because lists are generated before pins are taken into account.
        const MARGIN: usize = 20;
        (sum + 8 + MARGIN).min(218 + added + MARGIN) <= MAX_MOVES
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(read.warnings.is_empty());
        // A castling right without its rook does not make it a Chess960 position.
        let read =
            parse("2b1kbnQ/rpq1pp1p/2n3p1/8/8/2P5/PP3PPP/RN2KBNR b KQk - 0 9").expect("legal");
        assert_eq!(read.position.castling_mode(), CastlingMode::Standard);
        assert_eq!(read.warnings.len(), 1);
    }
}
