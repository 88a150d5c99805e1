//! The beginning of a game: its variant and its position.

use shakmaty::CastlingMode;

use super::tags::Head;
use crate::ChessPosition;
use crate::load::{LoadError, fen};
use text::quote;

/// Returns the start position of a game, and what was corrected in its FEN. `line` is the line of an offset.
///
/// # Errors
/// If the variant is not supported, or the position is not legal.
pub(super) fn start_position(
    head: &Head<'_>,
    line: impl Fn(usize) -> u32,
) -> Result<(ChessPosition, Vec<LoadError>), LoadError> {
    let chess960 = match head.tag("Variant") {
        Some((at, tag)) => is_chess960(&tag.value()).ok_or_else(|| {
            LoadError::new(
                format!("the variant {}", quote(&tag.value())),
                "standard chess or Chess960",
            )
            .at_line(line(at))
        })?,
        None => false,
    };
    let Some((at, tag)) = head.tag("FEN") else {
        let mode = CastlingMode::from_chess960(chess960);
        let start = ChessPosition::default();
        return Ok((ChessPosition::new(start.chess().clone(), mode), Vec::new()));
    };
    let read = fen::parse(&tag.value()).map_err(|e| LoadError {
        column: None,
        ..e.at_line(line(at))
    })?;
    let warnings = read.warnings.into_iter();
    let warned = |text| LoadError::message(text).at_line(line(at));
    Ok(match chess960 {
        true => {
            let start = ChessPosition::new(read.position.chess().clone(), CastlingMode::Chess960);
            let warnings = warnings.filter(|text| text != fen::IS_CHESS960);
            (start, warnings.map(warned).collect())
        }
        false => (read.position, warnings.map(warned).collect()),
    })
}

/// Whether the variant is Chess960; `None` if it is neither that nor standard chess.
fn is_chess960(variant: &str) -> Option<bool> {
    let plain: String = variant
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    match plain.as_str() {
        "" | "standard" | "chess" | "normal" | "fromposition" | "regular" | "classic" => {
            Some(false)
        }
        "chess960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle" | "freestylechess"
        | "960" => Some(true),
        _ => None,
    }
}
