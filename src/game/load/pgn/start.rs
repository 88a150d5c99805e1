//! The beginning of a game: its variant and its position.

use shakmaty::CastlingMode;

use super::read::Builder;
use crate::ChessPosition;
use crate::load::{LoadError, fen};
use text::quote;

/// Returns the line of a tag, for errors about it.
fn tag_line(builder: &Builder<'_>, name: &str) -> u32 {
    let tag = format!("[{name} ");
    let found = builder
        .bytes
        .windows(tag.len())
        .position(|w| w == tag.as_bytes());
    builder.place(found.unwrap_or(0)).0
}

/// Returns the start position of a game with these tags.
///
/// # Errors
/// If the variant is not supported, or the position is not legal.
pub(super) fn start_position(
    builder: &Builder<'_>,
    headers: &[(String, String)],
) -> Result<ChessPosition, LoadError> {
    let value = |name: &str| {
        let found = headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    };
    let chess960 = match value("Variant") {
        Some(variant) => is_chess960(variant).ok_or_else(|| {
            LoadError::new(
                format!("the variant {}", quote(variant)),
                "standard chess or Chess960",
            )
            .at_line(tag_line(builder, "Variant"))
        })?,
        None => false,
    };
    let start = match value("FEN") {
        Some(text) => {
            let read = fen::parse(text).map_err(|e| LoadError {
                column: None,
                ..e.at_line(tag_line(builder, "FEN"))
            })?;
            read.position
        }
        None => ChessPosition::default(),
    };
    Ok(if chess960 {
        ChessPosition::new(start.chess().clone(), CastlingMode::Chess960)
    } else {
        start
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
