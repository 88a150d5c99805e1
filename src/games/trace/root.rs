//! The position at the root of a search, as a program tells it.

use crate::position_of_text;
use game::load::{LoadError, fen};
use game::{ChessPosition, Game as _, Situation};
use open_trace::{Header, SearchStart};
use search::{AnyPosition, Subject};
use text::{quote, sanitise};

/// Returns the position that a search is told to be of; `None` where it is not told, or is no text that plyscope reads.
///
/// # Errors
/// If the text of the root of chess, or the moves that lead from it, cannot be read.
pub fn told(header: &Header, start: &SearchStart) -> Result<Option<Subject>, LoadError> {
    if is_chess(header, start) {
        let is_told = start.fen.is_some() || !start.moves.is_empty();
        return is_told.then(|| chess(start)).transpose();
    }
    // Other programs have texts of their own for positions of games of their own.
    let root = start.root.as_deref().map(position_of_text);
    let Some(Ok(subject)) = root else {
        return Ok(None);
    };
    match start.moves.is_empty() {
        true => Ok(Some(subject)),
        false => subject.play_text(&start.moves.join(" ")).map(Some),
    }
}

/// Whether a search is told to be one of chess.
pub fn is_chess(header: &Header, start: &SearchStart) -> bool {
    header.game.eq_ignore_ascii_case("chess") || start.fen.is_some()
}

/// The root of a search of chess.
fn chess(start: &SearchStart) -> Result<Subject, LoadError> {
    let position = match &start.fen {
        Some(text) if text != "startpos" => fen::parse(text)?.position,
        _ => ChessPosition::default(),
    };
    let subject = Subject::from(Situation::new(position));
    match start.moves.is_empty() {
        true => Ok(subject),
        false => subject.play_text(&start.moves.join(" ")),
    }
}

/// Checks that a search can be one of this position, as far as the program says of which it is.
///
/// # Errors
/// Says what it is told to be of, and of what it should be.
pub fn check(header: &Header, start: &SearchStart, root: &Subject) -> Result<(), LoadError> {
    if let Some(other) = other_game(header, start, &root.position) {
        let found = format!("a search of the game {}", quote(&other));
        return Err(LoadError::new(found, in_words(root)));
    }
    match told(header, start)? {
        Some(told) if !told.position.is_same_position(&root.position) => {
            let found = format!("a search of {}", in_words(&told));
            Err(LoadError::new(found, in_words(root)))
        }
        _ => Ok(()),
    }
}

/// Whether a trace can be of this position's game, as far as it says of which it is. Returns what it says if it cannot.
fn other_game(header: &Header, start: &SearchStart, position: &AnyPosition) -> Option<String> {
    let said = header.game.to_lowercase();
    let letters: String = said.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_told_chess = is_chess(header, start);
    let name = letters.as_str();
    let own = SPELLINGS
        .iter()
        .find(|(game, _)| *game == position.game_name());
    let is_own = own.is_some_and(|(_, names)| names.contains(&name));
    let mut known = SPELLINGS.iter().flat_map(|(_, names)| *names).chain(OTHERS);
    let is_chess = position.as_chess().is_some();
    let is_other = is_told_chess != is_chess && (is_told_chess || !name.is_empty());
    let is_another = !is_own && known.any(|one| *one == name);
    (is_other || is_another).then(|| match said.is_empty() {
        true => "chess".to_owned(),
        false => sanitise(&header.game),
    })
}

/// What programs call the games that plyscope knows.
const SPELLINGS: [(&str, &[&str]); 5] = [
    ("chess", &["chess", "chess960"]),
    ("tree", &["tree", "toy", "toytree"]),
    ("tictactoe", &["tictactoe", "noughtsandcrosses"]),
    ("connect4", &["connect4", "connectfour", "fourinarow"]),
    ("go", &["go", "weiqi", "baduk"]),
];

/// Games that it does not know.
const OTHERS: &[&str] = &["checkers", "draughts", "othello", "reversi", "hex"];

/// Returns a position in a few words.
pub(super) fn in_words(subject: &Subject) -> String {
    let position = &subject.position;
    match (position.fen(), position.as_toy()) {
        (Some(line), _) => quote(&line),
        (None, Some(_)) => {
            let moves = position.legal_moves().into_iter();
            let names: Vec<String> = moves.map(|code| position.uci(code)).collect();
            format!("a toy tree with the moves {}", names.join(" "))
        }
        (None, None) => "a position".to_owned(),
    }
}
