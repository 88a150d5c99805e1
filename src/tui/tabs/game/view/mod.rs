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
use crate::app::{App, Tab, Target};
use crate::panes::board;
use crate::pen::Pen;
use crate::text;
use layout::{Contents, GameLayout};

/// Returns what there is to show.
pub(super) fn contents(app: &App) -> Contents {
    Contents {
        games: app.document.len() > 1,
        findings: app.game.review.is_some(),
        chart: app.current.plies() > 0,
        moves: u16::try_from(app.game.moves.rows.len()).unwrap_or(u16::MAX),
    }
}

fn layout(app: &App, area: Rect) -> GameLayout {
    if app.small.on {
        let screen = Tab::Game.screen();
        let part = screen.parts(app)[screen.part(app)];
        return GameLayout::single(area, part);
    }
    GameLayout::of(area, app.game.pane, contents(app))
}

/// Updates the tab before it is drawn.
pub fn update(app: &mut App, area: Rect) {
    // The next frame filters the rest of a long list.
    app.dirty |= app.game.list.update(&app.document);
    if let Some(reviewed) = &mut app.game.review {
        reviewed.update();
    }
    let there = contents(app);
    let gone = match app.game.pane {
        GamePane::Games => !there.games,
        GamePane::Findings => !there.findings,
        GamePane::Moves => false,
    };
    if gone {
        app.game.pane = GamePane::Moves;
    }
    if let Some(rect) = layout(app, area).moves {
        moves::update(app, rect);
    }
    // The number of rows that the moves take decides how high their pane is.
    let layout = layout(app, area);
    if let Some(rect) = layout.moves {
        moves::update(app, rect);
    }
    if let Some(rect) = layout.games {
        list::update(app, rect);
    }
    if let Some(rect) = layout.findings {
        findings::update(app, rect);
        retry::update(app, rect);
    }
}

/// Draws the whole tab.
pub fn draw(app: &App, pen: &mut Pen, area: Rect) {
    let layout = layout(app, area);
    if let Some(rect) = layout.board {
        // While a mistake is retried, its better move is not shown.
        let shown = here(app).filter(|_| !is_hiding(app));
        let best = shown.and_then(|(r, ply)| {
            let best = r.found(app.game.judge, ply)?.best.as_ref()?;
            Some(best.code)
        });
        board::draw_place(app, pen, rect, best);
        pen.region(rect, Target::GamePane(GamePane::Moves));
    }
    if let Some(rect) = layout.moves {
        moves::draw(app, pen, rect);
    }
    if let Some(rect) = layout.games {
        list::draw(app, pen, rect);
    }
    match (&app.game.retry, layout.findings) {
        (Some(retry), Some(rect)) => retry::draw(app, pen, rect, retry),
        (None, Some(rect)) => findings::draw(app, pen, rect),
        (_, None) => {}
    }
    if let Some(rect) = layout.chart {
        chart::draw(app, pen, rect);
    }
}

/// Returns the review and the ply of the current place, if that place is reviewed.
fn here(app: &App) -> Option<(&Reviewed, usize)> {
    let reviewed = app.game.review.as_ref()?;
    Some((reviewed, reviewed.ply_of(app.node)?))
}

/// Whether the game after the present place is hidden, because a mistake is being retried.
fn is_hiding(app: &App) -> bool {
    app.game.retry.as_ref().is_some_and(|r| !r.is_over())
}

/// Returns what the rows of moves depend on, at a width.
fn wanted(app: &App, width: u16) -> Made {
    Made {
        width,
        clocks: app.game.moves.clocks,
        marks: app
            .game
            .review
            .as_ref()
            .map(|r| (r.generation(), app.game.judge)),
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
fn has_keyboard(app: &App, pane: GamePane) -> bool {
    app.game.pane == pane && app.overlay.is_none()
}
