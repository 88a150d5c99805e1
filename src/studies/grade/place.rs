//! The position that a trace is about, and the names of its moves.

use game::load::LoadError;
use game::{Game, MoveCode, Moves};
use games::{Document, trace};
use open_trace::{Header, SearchStart};
use search::{AnyPosition, Subject};
use text::{quote, sanitise};

/// Returns the legal move that a program calls so: by the name that files and UCI have for it, or by that of the board.
pub(super) fn named(
    position: &AnyPosition,
    legal: &Moves<MoveCode>,
    name: &str,
) -> Option<MoveCode> {
    let by = |of: &dyn Fn(MoveCode) -> String| legal.iter().copied().find(|&code| of(code) == name);
    by(&|code| position.uci(code)).or_else(|| by(&|code| position.label(code)))
}

/// Returns the names of legal moves.
pub(super) fn names<'a>(
    position: &AnyPosition,
    moves: impl IntoIterator<Item = &'a MoveCode>,
) -> Vec<String> {
    moves.into_iter().map(|&code| position.uci(code)).collect()
}

/// Reads a position that is written where a file's name could stand: a toy tree, or a line of another game's file.
///
/// # Errors
/// What was found in it, and what was expected.
pub fn of_text(text: &str) -> Result<Subject, LoadError> {
    let document = Document::from_bytes("position", text.as_bytes().to_vec())?;
    of_document(&document)
}

/// Returns the only position of a document; of a game the last one.
///
/// # Errors
/// If it has several, or cannot be read.
pub fn of_document(document: &Document) -> Result<Subject, LoadError> {
    let refuse = |found: String, expected: &str| {
        Err(LoadError::new(found, expected).in_file(&document.name))
    };
    if let Some(problem) = document.problems.first() {
        return Err(problem.clone());
    }
    let (_, entry) = document.first_entry()?;
    if entry.recorded.is_some() {
        return refuse("a search trace".into(), "a position, a game or a toy tree");
    }
    match document.len() {
        1 => Ok(entry.subject_at(u32::MAX)),
        n => refuse(format!("{n} positions"), "one"),
    }
}

/// Returns the position that a search is told to be of; `None` where its root is no text that plyscope reads.
///
/// # Errors
/// If it is chess, and its position cannot be read.
pub(super) fn told(header: &Header, start: &SearchStart) -> Result<Option<Subject>, LoadError> {
    if trace::is_chess(header, start) {
        let is_told = start.fen.is_some() || !start.moves.is_empty();
        return trace::chess(start).map(|subject| Some(subject).filter(|_| is_told));
    }
    let Some(root) = &start.root else {
        return Ok(None);
    };
    let Ok(subject) = of_text(root) else {
        return Ok(None);
    };
    match start.moves.is_empty() {
        true => Ok(Some(subject)),
        false => subject.play_text(&start.moves.join(" ")).map(Some),
    }
}

/// Whether a trace can be of this position's game, as far as it says of which it is. Returns what it says if it cannot.
pub(super) fn other_game(
    header: &Header,
    start: &SearchStart,
    position: &AnyPosition,
) -> Option<String> {
    let said = header.game.to_lowercase();
    let letters: String = said.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_told_chess = trace::is_chess(header, start);
    let name = letters.as_str();
    let own: &[&str] = match () {
        () if position.as_chess().is_some() => &["chess", "chess960"],
        () if position.as_toy().is_some() => &["tree", "toy", "toytree"],
        () if position
            .fen()
            .is_some_and(|line| line.starts_with("tictactoe")) =>
        {
            TIC_TAC_TOE
        }
        () if position
            .fen()
            .is_some_and(|line| line.starts_with("connect4")) =>
        {
            CONNECT_FOUR
        }
        () => return None,
    };
    let known = [
        "chess", "chess960", "go", "checkers", "draughts", "othello", "reversi",
    ];
    let known = known.iter().chain(TIC_TAC_TOE).chain(CONNECT_FOUR);
    let is_chess = position.as_chess().is_some();
    let is_other = is_told_chess != is_chess && (is_told_chess || !name.is_empty());
    let is_another = known.into_iter().any(|one| *one == name) && !own.contains(&name);
    (is_other || is_another).then(|| match said.is_empty() {
        true => "chess".to_owned(),
        false => sanitise(&header.game),
    })
}

const TIC_TAC_TOE: &[&str] = &["tictactoe", "noughtsandcrosses"];
const CONNECT_FOUR: &[&str] = &["connect4", "connectfour", "fourinarow"];

/// Returns a position in a few words.
pub(super) fn in_words(subject: &Subject) -> String {
    let position = &subject.position;
    match (position.fen(), position.as_toy()) {
        (Some(line), _) => quote(&line),
        (None, Some(_)) => {
            let moves = names(position, &position.legal_moves());
            format!("a toy tree with the moves {}", moves.join(" "))
        }
        (None, None) => "a position".to_owned(),
    }
}
