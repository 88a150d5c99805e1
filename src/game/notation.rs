//! Moves and lines in human notation: reads SAN and UCI leniently, writes numbered lines.

use shakmaty::{CastlingMode, Move, Position as _, san::San, uci::UciMove};

use super::{
    ChessKnowledge as _, ChessPosition, Game, MoveCode, Situation,
    language::{Languages, without_figurines},
    load::LoadError,
    load::pgn::annotation::{Sign, signs},
};
use text::quote;

/// A null move in a line of play, as PGN writes it.
pub const PASS: &str = "--";

/// Whether a word is a null move: as PGN writes it ([`PASS`]), or as programs and books do.
pub fn is_pass(word: &str) -> bool {
    matches!(word, PASS | "Z0" | "@@@@" | "0000" | "<>")
        || ["null", "pass"]
            .iter()
            .any(|pass| word.eq_ignore_ascii_case(pass))
}

/// The legal move that `text` means, in SAN, UCI or long notation (`Ng1-f3`), with English letters or figurines for the
/// pieces. It tolerates a missing or superfluous capture sign, check and annotation signs, castling with zeros,
/// promotion without `=`, and a lower-case promoted piece.
pub fn parse_move(position: &ChessPosition, text: &str) -> Option<Move> {
    parse_annotated(position, text).map(|(m, _)| m)
}

/// Like [`parse_move`]; returns the move with the signs behind it (`Nf3+=`, `e8=Q±`).
pub(crate) fn parse_annotated(position: &ChessPosition, text: &str) -> Option<(Move, Vec<Sign>)> {
    let text = &*without_figurines(text);
    let ends = text.char_indices().skip(1).map(|(at, _)| at);
    let annotated = ends.into_iter().find_map(|end| {
        let (text, behind) = text.split_at(end);
        let marked = behind.strip_prefix('+').and_then(signs);
        let signs = signs(behind);
        if marked.is_none() && signs.is_none() {
            return None;
        }
        let m = plain_move(position, text)?;
        let mut next = position.clone();
        next.play(m);
        // A plus says that a check is given, where one is; otherwise it belongs to the sign.
        let found = match next.is_check() {
            true => marked.or(signs),
            false => signs.or(marked),
        };
        Some((m, found?))
    });
    annotated.or_else(|| Some((plain_move(position, text)?, Vec::new())))
}

fn plain_move(position: &ChessPosition, text: &str) -> Option<Move> {
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

/// The legal move that `text` means in strict UCI; castling is the king's two steps or the capture of the rook.
pub fn parse_uci(position: &ChessPosition, text: &str) -> Option<Move> {
    let uci = UciMove::from_ascii(text.as_bytes()).ok()?;
    uci.to_move(position.chess()).ok()
}

/// The legal move that a SAN means: exactly, or the only one it can mean if the capture sign is ignored, or, in the
/// long form (`e1g1`), the castling of that king.
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
/// The first word that is not a legal move, with its column and the number of legal moves there.
pub fn play_moves(
    start: &Situation<ChessPosition>,
    text: &str,
) -> Result<(Situation<ChessPosition>, Vec<Move>), LoadError> {
    let (end, codes) = play_codes(start, text, false)?;
    let mut position = start.position.clone();
    let moves = codes.into_iter().map_while(|code| {
        let m = position.decode(code)?;
        position.play(m);
        Some(m)
    });
    Ok((end, moves.collect()))
}

/// Like [`play_moves`]; null moves ([`PASS`]) are allowed if `may_pass`.
pub(super) fn play_codes(
    start: &Situation<ChessPosition>,
    text: &str,
    may_pass: bool,
) -> Result<(Situation<ChessPosition>, Vec<MoveCode>), LoadError> {
    let mut situation = start.clone();
    let mut codes = Vec::new();
    for (offset, word) in words(text) {
        let position = &situation.position;
        let code = if may_pass && is_pass(word) {
            Some(MoveCode::PASS)
        } else {
            parse_move(position, word).map(|m| position.encode(m))
        };
        let Some(code) = code.filter(|&code| situation.follow(code)) else {
            let languages = Languages::of(words(text).map(|(_, word)| word));
            return Err(
                no_move(&situation.position, quote(word), languages.hint(word))
                    .at_column(1 + text[..offset].chars().count() as u32),
            );
        };
        codes.push(code);
    }
    Ok((situation, codes))
}

/// The error for a word that is not a move in `position`: `found` names it, `hint` is what [`Languages`] say about it.
pub(super) fn no_move(position: &ChessPosition, found: String, hint: Option<String>) -> LoadError {
    match hint {
        Some(hint) => LoadError::new(
            format!("{found} ({hint})"),
            "a move in English letters or figurines",
        ),
        None => LoadError::new(found, legal_move(position, position.legal_moves().len())),
    }
}

/// Says what was expected: "a legal move for White (20 of them)".
fn legal_move(position: &ChessPosition, count: usize) -> String {
    let side = position.side_name(position.turn());
    match count {
        0 => format!("no move: {side} has none here"),
        1 => format!("a legal move for {side} (there is only one)"),
        _ => format!("a legal move for {side} (there are {count})"),
    }
}

/// The words that could be moves, with their byte offsets; move numbers (even without a space before the move), dots
/// and results are left out.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split([' ', '\t', '\n', '\r', ','])
        .filter(|word| !matches!(*word, "" | "1-0" | "0-1" | "1/2-1/2" | "*"))
        .map(|word| match is_pass(word) {
            true => word,
            false => without_number(word),
        })
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - base, word))
}

/// Removes the number from `12.Nf3` and `12...Nf6`; a bare number becomes empty.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// A line of play that was read.
#[derive(Clone, Debug)]
pub struct Line<G> {
    /// The situation to which it leads.
    pub end: Situation<G>,
    /// The moves as the tree stores them.
    pub moves: Vec<MoveCode>,
    /// The line as [`line_text`] writes it.
    pub text: String,
}

impl<G: Game> Situation<G> {
    /// Reads moves in human notation: SAN or UCI in chess, with null moves (`--`) as a search tries them; in other
    /// games names of moves (separated by spaces, commas or `›`).
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn read_line(&self, text: &str) -> Result<Line<G>, LoadError> {
        let (end, moves) = G::read_moves(self, text, true)?;
        Ok(Line {
            text: self.line_of(&moves),
            moves,
            end,
        })
    }

    /// Continues with legal moves, like [`Situation::read_line`] but without null moves.
    ///
    /// # Errors
    /// The first word that is not a move there, with its column.
    pub fn play_text(&self, text: &str) -> Result<Situation<G>, LoadError> {
        Ok(G::read_moves(self, text, false)?.0)
    }

    /// A move from here, or a null move, with its number (`14...Nf6`; a toy child's bare name); `None` if it cannot be
    /// played.
    pub fn numbered_move(&self, code: MoveCode) -> Option<String> {
        Some(self.line_of(&[code])).filter(|text| !text.is_empty())
    }

    /// The line of moves from here on, as [`codes_text`] writes it.
    pub fn line_of(&self, codes: &[MoveCode]) -> String {
        codes_text(&self.position, codes)
    }
}

/// Plays moves written by their names; see [`Game::read_moves`].
pub(super) fn play_names<G: Game>(
    start: &Situation<G>,
    text: &str,
) -> Result<(Situation<G>, Vec<MoveCode>), LoadError> {
    play_words(start, text, |position, word| {
        let moves = position.legal_moves();
        let named = moves.iter().copied().find(|&m| position.label(m) == word);
        named.ok_or_else(|| {
            let names: Vec<String> = moves.iter().map(|&m| position.label(m)).collect();
            match names.len() {
                0 => "no move: this is a leaf".to_owned(),
                1..=8 => format!("one of {}", names.join(", ")),
                n => format!("one of its {n} children"),
            }
        })
    })
}

/// Plays moves that are words, separated by spaces, commas or `›`. `read` returns the move of a word in a position, or what is expected
/// there.
///
/// # Errors
/// The first word that is no move, with its column.
pub fn play_words<G: Game>(
    start: &Situation<G>,
    text: &str,
    read: impl Fn(&G, &str) -> Result<G::Move, String>,
) -> Result<(Situation<G>, Vec<MoveCode>), LoadError> {
    let mut situation = start.clone();
    let mut codes = Vec::new();
    let mut rest = text;
    while let Some((word, behind)) = next_name(rest) {
        let m = read(&situation.position, word).map_err(|expected| {
            let before = &text[..text.len() - behind.len() - word.len()];
            let column = 1 + before.chars().count() as u32;
            LoadError::new(quote(word), expected).at_column(column)
        })?;
        codes.push(situation.position.encode(m));
        situation.play(m);
        rest = behind;
    }
    Ok((situation, codes))
}

/// The first name in a line, and the text after it.
fn next_name(text: &str) -> Option<(&str, &str)> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '›');
    let text = text.trim_start_matches(separator);
    let end = text.find(separator).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A line of play from `start`: `9.cxd5 Nxd5 10.Nxd5` in chess (`9...Nxd5 10.Nxd5` if Black begins), names joined by `
/// › ` in a toy tree. The moves must be legal one after the other.
pub fn line_text<G: Game>(start: &G, moves: &[G::Move]) -> String {
    let mut position = start.clone();
    let labels = moves.iter().map(|&m| {
        let label = numbered(&position, position.label(m));
        position.play(m);
        label
    });
    join(start, labels.collect())
}

/// A line of play given by codes, with null moves as [`PASS`], as far as it can be played.
pub fn codes_text<G: Game>(start: &G, codes: &[MoveCode]) -> String {
    let mut position = start.clone();
    let labels = codes.iter().map_while(|&code| {
        let (label, next) = if code == MoveCode::PASS {
            (PASS.to_owned(), position.pass()?)
        } else {
            let m = position.decode(code)?;
            let mut next = position.clone();
            next.play(m);
            (position.label(m), next)
        };
        let label = numbered(&position, label);
        position = next;
        Some(label)
    });
    join(start, labels.collect())
}

/// A move's name, with the move number before White's moves.
fn numbered<G: Game>(position: &G, label: String) -> String {
    match (position.move_number(), position.turn()) {
        (Some(n), super::Side::White) => format!("{n}.{label}"),
        _ => label,
    }
}

fn join<G: Game>(start: &G, mut labels: Vec<String>) -> String {
    let number = start.move_number();
    if let (Some(n), super::Side::Black, Some(first)) = (number, start.turn(), labels.first_mut()) {
        first.insert_str(0, &format!("{n}..."));
    }
    labels.join(if number.is_some() { " " } else { " › " })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::fen;

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
    fn null_moves_stand_in_lines_and_not_in_games() {
        let start = Situation::new(ChessPosition::default());
        let line = start
            .read_line("e4 -- d4 Nf6")
            .expect("a line with a null move");
        assert_eq!(line.text, "1.e4 -- 2.d4 Nf6");
        assert_eq!(line.moves[1], MoveCode::PASS);
        for pass in ["Z0", "@@@@", "0000", "<>", "null", "pass"] {
            let other = start.read_line(&format!("e4 {pass} d4 Nf6")).expect(pass);
            assert_eq!(other.moves, line.moves, "{pass}");
        }
        let again = start.read_line(&line.text).expect("as it was written");
        assert_eq!(again.moves, line.moves);
        assert_eq!(start.line_of(&line.moves), line.text);
        assert!(
            line.end
                .position
                .fen()
                .starts_with("rnbqkb1r/pppppppp/5n2/8/3PP3/8")
        );
        let error = start.play_text("e4 -- d4").expect_err("not in a game");
        assert!(
            error.to_string().starts_with("column 4: found \"--\""),
            "{error}"
        );
        // A side in check cannot pass.
        let error = start.read_line("e4 f6 Qh5+ --").expect_err("in check");
        assert!(error.to_string().starts_with("column 12"), "{error}");
        let passed = line.moves[..1].to_vec();
        let after = start.read_line("e4").expect("legal").end;
        assert_eq!(
            after.numbered_move(MoveCode::PASS).as_deref(),
            Some("1...--")
        );
        assert_eq!(after.numbered_move(passed[0]), None);
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
        for text in [
            "e4+= e5=+",
            "e4∞ e5N",
            "e4⩲ e5±",
            "e4!= e5?!",
            "e4+/- e5-/+",
            "e4+- e5",
        ] {
            assert!(play_moves(&start, text).is_ok(), "{text}");
        }
        for text in ["a8=Q", "a8Q", "a8=q", "a7a8q", "a8=Q!", "a8=Q+=", "a8Q±"] {
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
        let error = play_moves(&start, "1. e4 e5 2. Sf3 Sc6").expect_err("German");
        assert_eq!(
            error.to_string(),
            "column 13: found \"Sf3\" (looks like German or Polish: S is the knight), expected a move in English letters or figurines"
        );
    }

    #[test]
    fn figurines_of_either_colour_are_read() {
        let start = Situation::new(ChessPosition::default());
        let (letters, _) =
            play_moves(&start, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. Qe2").expect("legal");
        for text in [
            "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♞f6 4. ♕e2",
            "1.♙e4 ♟e5 2.♞\u{fe0e}f3 ♘\u{fe0f}c6 3.♗\u{fe0e}b5 ♞f6 4.♛d1-e2!",
        ] {
            let (end, _) = play_moves(&start, text).expect(text);
            assert_eq!(end.position.fen(), letters.position.fen());
        }
        let promotion = situation("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        for text in ["a8=♕", "a8♕+", "a8=♛\u{fe0e}"] {
            assert!(play_moves(&promotion, text).is_ok(), "{text}");
        }
    }
}
