//! Draws the Game tab, and the strip of the game's moves that other tabs show.

mod chart;
mod findings;
mod layout;
mod legend;
mod list;
mod moves;
mod retry;
mod strip;
mod summary;

use ratatui::layout::Rect;

pub use legend::legend;
pub use strip::{draw_strip, strip_height};

use super::GamePane;
use super::moves::{Beside, Ink, Made};
use super::review::Reviewed;
use crate::context::Context;
use crate::panes::board;
use crate::tabs::TabScreen;
use crate::tabs::game::GameTab;
use crate::tabs::game::GameTarget;
use layout::{Contents, GameLayout};
use screen::pen::Pen;

/// Returns what there is to show.
pub(super) fn contents(game: &GameTab, cx: &Context) -> Contents {
    Contents {
        games: cx.document.len() > 1,
        findings: game.review.is_some(),
        chart: cx.current.plies() > 0,
        moves: u16::try_from(game.moves.rows.len()).unwrap_or(u16::MAX),
    }
}

fn layout(game: &GameTab, cx: &Context, area: Rect) -> GameLayout {
    if cx.small.on {
        let part = game.parts(cx)[game.part(cx)];
        return GameLayout::single(area, part);
    }
    GameLayout::of(area, game.pane, contents(game, cx))
}

/// Updates the tab before it is drawn.
pub fn update(game: &mut GameTab, cx: &mut Context, area: Rect) {
    // The next frame filters the rest of a long list.
    cx.dirty |= game.list.update(&cx.document);
    if let Some(reviewed) = &mut game.review {
        reviewed.update();
    }
    let there = contents(game, cx);
    let gone = match game.pane {
        GamePane::Games => !there.games,
        GamePane::Findings => !there.findings,
        GamePane::Moves => false,
    };
    if gone {
        game.pane = GamePane::Moves;
    }
    if let Some(rect) = layout(game, cx, area).moves {
        moves::update(game, cx, rect);
    }
    // The number of rows that the moves take decides how high their pane is.
    let layout = layout(game, cx, area);
    if let Some(rect) = layout.moves {
        moves::update(game, cx, rect);
    }
    if let Some(rect) = layout.games {
        list::update(game, cx, rect);
    }
    if let Some(rect) = layout.findings {
        findings::update(game, cx, rect);
        retry::update(game, cx, rect);
    }
}

/// Draws the whole tab.
pub fn draw(game: &GameTab, cx: &Context, pen: &mut Pen, area: Rect) {
    let layout = layout(game, cx, area);
    if let Some(rect) = layout.board {
        // While a mistake is retried, its better move is not shown.
        let shown = here(game, cx).filter(|_| !is_hiding(game));
        let best = shown.and_then(|(r, ply)| {
            let best = r.found(game.judge, ply)?.best.as_ref()?;
            Some(best.code)
        });
        board::draw_place(cx, pen, rect, best);
        pen.region(rect, GameTarget::Pane(GamePane::Moves));
    }
    if let Some(rect) = layout.moves {
        moves::draw(game, cx, pen, rect);
    }
    if let Some(rect) = layout.games {
        list::draw(game, cx, pen, rect);
    }
    match (&game.retry, layout.findings) {
        (Some(retry), Some(rect)) => retry::draw(game, cx, pen, rect, retry),
        (None, Some(rect)) => findings::draw(game, cx, pen, rect),
        (_, None) => {}
    }
    if let Some(rect) = layout.chart {
        chart::draw(game, cx, pen, rect);
    }
}

/// Returns the review and the ply of the current place, if that place is reviewed.
fn here<'a>(game: &'a GameTab, cx: &Context) -> Option<(&'a Reviewed, usize)> {
    let reviewed = game.review.as_ref()?;
    Some((reviewed, reviewed.ply_of(cx.node)?))
}

/// Whether the game after the present place is hidden, because a mistake is being retried.
fn is_hiding(game: &GameTab) -> bool {
    game.retry.as_ref().is_some_and(|r| !r.is_over())
}

/// Returns what the rows of moves depend on, at a width.
fn wanted(game: &GameTab, width: u16) -> Made {
    Made {
        width,
        clocks: game.moves.clocks,
        marks: game.review.as_ref().map(|r| (r.generation(), game.judge)),
    }
}

/// Returns the judge's mark beside the move that leads to a node.
fn beside(reviewed: Option<&Reviewed>, judge: usize, node: usize) -> Option<Beside> {
    let mark = reviewed?.mark(judge, node)?;
    let least = if mark.loss.at_least { "≥" } else { "" };
    let ink = if mark.kind == studies::review::MarkKind::Blunder {
        Ink::Bad
    } else {
        Ink::Doubtful
    };
    let drop = text::spread(mark.loss.drop);
    Some((format!("{} {least}{drop}", mark.kind.sign()), ink))
}

/// Whether a pane has the focus.
fn has_keyboard(game: &GameTab, cx: &Context, pane: GamePane) -> bool {
    game.pane == pane && cx.overlay.is_none()
}
