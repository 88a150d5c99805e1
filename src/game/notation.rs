//! Moves and lines as people write them: reading SAN and UCI leniently, writing numbered lines.

use shakmaty::{CastlingMode, Move, Position as _, san::San, uci::UciMove};

use super::{
    ChessPosition, Game, MoveCode, Situation, Subject, ToyPosition, load::LoadError, text::quote,
};

/// The legal move that `text` means, in SAN, UCI or long notation (`Ng1-f3`). Forgiven are a missing or superfluous capture sign, check and
/// annotation signs, castling with zeros, promotion without `=`, and a lower-case promoted piece.
#[must_use]
pub fn parse_move(position: &ChessPosition, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    // `e2-e4` and `Ng1-f3`, but not `O-O`.
    let joined = text.replace('-', "");
    let text = if joined.contains(|c: char| ('1'..='8').contains(&c)) {
        joined.as_str()
    } else {
        text
    };
    if let Ok(san) = San::from_ascii(text.replace('0', "O").as_bytes())
        .or_else(|_| San::from_ascii(text.as_bytes()))
        && let Some(m) = resolve(position, &san)
    {
        return Some(m);
    }
    if let Some(m) = parse_uci(position, &text.to_ascii_lowercase()) {
        return Some(m);
    }
    // `e8Q` and `e8=q`.
    let (square, role) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let role = role.to_ascii_uppercase();
    let square = square.trim_end_matches('=');
    if !matches!(role.as_str(), "Q" | "R" | "B" | "N") || !square.ends_with(['1', '8']) {
        return None;
    }
    let san = San::from_ascii(format!("{square}={role}").as_bytes()).ok()?;
    resolve(position, &san)
}

/// The legal move that `text` means in UCI, strictly; castling as the king's two steps or as taking the rook.
#[must_use]
pub fn parse_uci(position: &ChessPosition, text: &str) -> Option<Move> {
    let uci = UciMove::from_ascii(text.as_bytes()).ok()?;
    uci.to_move(position.chess()).ok()
}

/// The legal move a SAN means: exactly, or the only one it can mean if the capture sign is not looked at, or in
/// the long form (`e1g1`) the castling of that king.
#[must_use]
pub fn resolve(position: &ChessPosition, san: &San) -> Option<Move> {
    let chess = position.chess();
    if let Ok(m) = san.to_move(chess) {
        return Some(m);
    }
    let San::Normal {
        role,
        file,
        rank,
        to,
        promotion,
        ..
    } = *san
    else {
        return None;
    };
    let long = file.is_some() && rank.is_some() && role == shakmaty::Role::Pawn;
    let fits = |m: &Move| {
        let from = m.from();
        let place = file.is_none_or(|f| from.is_some_and(|s| s.file() == f))
            && rank.is_none_or(|r| from.is_some_and(|s| s.rank() == r));
        let castles = long && m.is_castle() && {
            let standard = m.to_uci(CastlingMode::Standard).to_string();
            m.to() == to || standard.ends_with(&to.to_string())
        };
        place
            && promotion == m.promotion()
            && (castles || !m.is_castle() && (long || role == m.role()) && m.to() == to)
    };
    let legal = chess.legal_moves();
    let mut fitting = legal.iter().copied().filter(fits);
    let found = fitting.next()?;
    fitting.next().is_none().then_some(found)
}

/// Plays moves written like `1. e4 e5 2.Nf3` or `e2e4 e7e5` from `start`; numbers, dots and results are skipped.
///
/// # Errors
/// The first word that is no legal move, with its column and the number of legal moves there.
pub fn play_moves(
    start: &Situation<ChessPosition>,
    text: &str,
) -> Result<(Situation<ChessPosition>, Vec<Move>), LoadError> {
    let mut situation = start.clone();
    let mut moves = Vec::new();
    for (offset, word) in words(text) {
        let Some(m) = parse_move(&situation.position, word) else {
            let count = situation.position.legal_moves().len();
            return Err(
                LoadError::new(quote(word), legal_move(&situation.position, count))
                    .at_column(1 + text[..offset].chars().count() as u32),
            );
        };
        situation.play(m);
        moves.push(m);
    }
    Ok((situation, moves))
}

/// "a legal move for White (20 of them)".
pub(super) fn legal_move(position: &ChessPosition, count: usize) -> String {
    let side = match position.turn() {
        super::Side::White => "White",
        super::Side::Black => "Black",
    };
    match count {
        0 => format!("no move: {side} has none here"),
        1 => format!("a legal move for {side} (there is only one)"),
        _ => format!("a legal move for {side} (there are {count})"),
    }
}

/// Words that could be moves, with their byte offsets: move numbers (also stuck to the move), dots and results are
/// left out.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split([' ', '\t', '\n', '\r', ','])
        .filter(|word| !matches!(*word, "" | "1-0" | "0-1" | "1/2-1/2" | "*"))
        .map(without_number)
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - base, word))
}

/// `12.Nf3` and `12...Nf6` without the number; a bare number is nothing.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// A line of play that was read.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it leads.
    pub end: Subject,
    /// As the tree stores them.
    pub moves: Vec<MoveCode>,
    /// As [`line_text`] writes it.
    pub text: String,
}

impl Subject {
    /// Reads moves as a person writes them: SAN or UCI in chess, names of children (separated by spaces, commas or
    /// `›`) in a toy tree.
    ///
    /// # Errors
    /// The first word that is no move there, with its column.
    pub fn read_line(&self, text: &str) -> Result<Line, LoadError> {
        fn line<G: Game>(
            start: &Situation<G>,
            (end, moves): (Situation<G>, Vec<G::Move>),
            subject: fn(Situation<G>) -> Subject,
        ) -> Line {
            let mut position = start.position.clone();
            let codes = moves.iter().map(|&m| {
                let code = position.encode(m);
                position.play(m);
                code
            });
            Line {
                moves: codes.collect(),
                text: line_text(&start.position, &moves),
                end: subject(end),
            }
        }
        Ok(match self {
            Subject::Chess(start) => line(start, play_moves(start, text)?, Subject::Chess),
            Subject::Toy(start) => line(start, play_names(start, text)?, Subject::Toy),
        })
    }

    /// Goes on by moves as [`Subject::read_line`] reads them.
    ///
    /// # Errors
    /// The first word that is no move there, with its column.
    pub fn play_text(&self, text: &str) -> Result<Subject, LoadError> {
        Ok(self.read_line(text)?.end)
    }

    /// A move here with its number (`14...Nf6`; a toy child's bare name); `None` where it is not legal.
    #[must_use]
    pub fn numbered_move(&self, code: MoveCode) -> Option<String> {
        fn text<G: Game>(position: &G, code: MoveCode) -> Option<String> {
            Some(line_text(position, &[position.decode(code)?]))
        }
        match self {
            Subject::Chess(s) => text(&s.position, code),
            Subject::Toy(s) => text(&s.position, code),
        }
    }
}

fn play_names(
    start: &Situation<ToyPosition>,
    text: &str,
) -> Result<(Situation<ToyPosition>, Vec<u16>), LoadError> {
    let mut situation = start.clone();
    let mut played = Vec::new();
    let mut rest = text;
    while let Some((word, behind)) = next_name(rest) {
        let position = &situation.position;
        let moves = position.legal_moves();
        let Some(m) = moves.iter().copied().find(|&m| position.label(m) == word) else {
            let names: Vec<String> = moves.iter().map(|&m| position.label(m)).collect();
            let expected = match names.len() {
                0 => "no move: this is a leaf".to_owned(),
                1..=8 => format!("one of {}", names.join(", ")),
                n => format!("one of its {n} children"),
            };
            let before = &text[..text.len() - behind.len() - word.len()];
            return Err(
                LoadError::new(quote(word), expected).at_column(1 + before.chars().count() as u32)
            );
        };
        situation.play(m);
        played.push(m);
        rest = behind;
    }
    Ok((situation, played))
}

/// The first name in a line of a toy tree, and what stands behind it.
fn next_name(text: &str) -> Option<(&str, &str)> {
    let separator = |c: char| matches!(c, ' ' | ',' | '›' | '\t');
    let text = text.trim_start_matches(separator);
    let end = text.find(separator).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A line of play from `start`: `9.cxd5 Nxd5 10.Nxd5` in chess (`9...Nxd5 10.Nxd5` if Black begins), names joined
/// by ` › ` in a toy tree. The moves must be legal one after the other.
#[must_use]
pub fn line_text<G: Game>(start: &G, moves: &[G::Move]) -> String {
    let mut position = start.clone();
    let mut parts = Vec::with_capacity(moves.len());
    for (i, &m) in moves.iter().enumerate() {
        let label = position.label(m);
        parts.push(match (position.move_number(), position.turn()) {
            (Some(n), super::Side::White) => format!("{n}.{label}"),
            (Some(n), super::Side::Black) if i == 0 => format!("{n}...{label}"),
            _ => label,
        });
        position.play(m);
    }
    let separator = if start.move_number().is_some() {
        " "
    } else {
        " › "
    };
    parts.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::load::fen;

    fn situation(text: &str) -> Situation<ChessPosition> {
        Situation::new(fen::parse(text).expect("a legal position").position)
    }

    #[test]
    fn lines_are_numbered_as_in_books() {
        let start = situation("r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9");
        let (_, moves) = play_moves(&start, "cxd5 Nxd5 Nxd5").expect("legal");
        assert_eq!(line_text(&start.position, &moves), "9.cxd5 Nxd5 10.Nxd5");
        let mut after = start.clone();
        after.play(moves[0]);
        assert_eq!(line_text(&after.position, &moves[1..]), "9...Nxd5 10.Nxd5");
    }

    #[test]
    fn moves_are_read_in_many_spellings() {
        let start = Situation::new(ChessPosition::default());
        for text in [
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O 1/2-1/2",
            "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bc6 dc6 5.0-0!?",
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1",
        ] {
            let (end, moves) = play_moves(&start, text).expect(text);
            assert_eq!(moves.len(), 9);
            assert_eq!(end.history.len(), 9);
            assert!(end.position.fen().starts_with("r1bqkbnr/1pp2ppp/p1p5/"));
        }
        let promotion = situation("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        for text in ["a8=Q", "a8Q", "a8=q", "a7a8q", "a8=Q!"] {
            assert!(play_moves(&promotion, text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_bad_move_is_named_with_its_place_and_the_alternatives() {
        let start = Situation::new(ChessPosition::default());
        let error = play_moves(&start, "1. e4 Qz9 2. d4").expect_err("Qz9 is no move");
        assert_eq!(
            error.to_string(),
            "column 7: found \"Qz9\", expected a legal move for Black (there are 20)"
        );
        let error = play_moves(&start, "f3 e5 g4 Qh4 a3").expect_err("mated");
        assert_eq!(
            error.to_string(),
            "column 14: found \"a3\", expected no move: White has none here"
        );
    }
}
