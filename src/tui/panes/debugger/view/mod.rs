//! Views of the debugger: the signs of events, the dock with the scrubber and the current event's sentence, and the
//! breakpoints.

pub(super) mod breakpoints;
mod dock;
mod legend;

pub use dock::draw as draw_dock;
pub use legend::legend;

use crate::views::facts::fate_sign;
use screen::glyphs::Glyphs;
use screen::theme::Role;
use search::{Event, EventKind};

/// Returns the sign of an event, two columns wide, and its colour; if the event has a fate, the fate's letter and sign,
/// as in the tree.
pub fn event_sign(event: &Event, glyphs: &Glyphs) -> (String, Role) {
    if let Some(fate) = event.fate() {
        let (sign, role) = fate_sign(fate, glyphs);
        return (format!("{}{sign}", fate.letter()), role);
    }
    kind_sign(event.kind(), glyphs)
}

/// Returns the sign of a kind of event that has no fate.
pub fn kind_sign(kind: EventKind, glyphs: &Glyphs) -> (String, Role) {
    let (unicode, ascii, role) = match kind {
        EventKind::Iteration => ("»", ">>", Role::Heading),
        EventKind::IterationDone => ("«", "<<", Role::Heading),
        EventKind::Pass => ("›", ">", Role::Heading),
        EventKind::PassDone => ("‹", "<", Role::Heading),
        EventKind::Aim => ("◎", "@", Role::Heading),
        EventKind::Budget => ("÷", "%", Role::Heading),
        EventKind::Enter => ("→", "->", Role::FateSearched),
        EventKind::Leave => ("←", "<-", Role::FateSearched),
        EventKind::Told => ("◇", "i", Role::Dim),
        EventKind::Evaluate => ("=", "=", Role::Count),
        EventKind::Ask => ("?", "?", Role::Count),
        EventKind::Answer => ("=", "=", Role::Count),
        EventKind::Expand => ("+", "+", Role::TreeMark),
        EventKind::BackUp => ("↑", "^", Role::Policy),
        EventKind::Prove => ("✓", "!", Role::Proven),
        EventKind::Best => ("★", "*", Role::MoveBest),
        EventKind::Cut => ("╳", "X", Role::FateCut),
        EventKind::Prune => ("⊘", "/", Role::FateSkipped),
        EventKind::Try => ("?", "?", Role::FateCut),
        EventKind::Tried => ("¿", "?", Role::FateCut),
        EventKind::Depth => ("↕", "d", Role::FateSearched),
        EventKind::Audit => ("§", "a", Role::Error),
        EventKind::TableHit => ("◆", "t", Role::FateSearched),
        EventKind::End => ("■", "#", Role::FateEnded),
    };
    let sign = if glyphs.ascii { ascii } else { unicode };
    (format!("{sign:>2}"), role)
}
