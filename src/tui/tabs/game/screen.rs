//! The Game tab as a component: its keys, its mouse, and what it shows.

use crate::tabs::game::GameTab;
use ratatui::layout::Rect;

use super::chart::ply_at;
use super::retry::Retry;
use super::review::Reviewed;
use super::{GamePane, GameTarget, view};
use crate::app::{App, Context};
use crate::component::{Component, Event, Handled};
use crate::tabs::{Tab, TabScreen};
use screen::pen::Line;
use screen::pen::Pen;

/// Draws the tab and handles its keys.
#[derive(Debug)]
pub struct GameScreen;

impl Component for GameScreen {
    fn title(&self) -> &'static str {
        "Game"
    }

    fn update(&self, app: &mut App, area: Rect) {
        view::update(app, area);
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: &Event) -> Handled {
        match event.of() {
            Event::Click(Some(target), column) => app.click_game(target, column),
            Event::Drag(Some(GameTarget::Chart), column) => app.cx.click_chart(column),
            Event::Wheel(target, by) => app.game.wheel_game(&mut app.cx, target, by),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        let mut hints = match app.game.pane {
            _ if app.game.retry.is_some() => vec![
                "retry-guess",
                "game-enter",
                "game-leave",
                "next-mark",
                "game-down",
                "game-pane",
            ],
            GamePane::Games => vec![
                "game-enter",
                "find-game",
                "game-pane",
                "game-leave",
                "review",
            ],
            GamePane::Moves | GamePane::Findings => vec![
                "review",
                "game-pane",
                "next-mark",
                "retry",
                "next-disagreement",
                "game-enter",
                "find-game",
                "export",
                "judge",
                "review-columns",
                "review-budget",
                "game-next",
                "game-down",
            ],
        };
        if app.game.review.is_none() {
            // Without a review nothing is marked.
            let of_marks = ["next-mark", "retry", "next-disagreement", "judge"];
            hints.retain(|hint| !of_marks.contains(hint));
        }
        hints.extend(["palette", "help", "quit"]);
        hints
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let here = app.cx.tab == Tab::Game;
        let retry = app.game.retry.as_ref().filter(|_| here);
        let over = retry.is_some_and(Retry::is_over);
        match (command, app.game.pane) {
            ("next-mark", _) if retry.is_some() => Some("next mistake"),
            ("game-leave", _) if over => Some("back to the game"),
            ("game-leave", _) if retry.is_some() => Some("give up"),
            ("game-enter", GamePane::Findings) if over => Some("next mistake"),
            ("game-enter", GamePane::Findings) if retry.is_some() => Some("guess"),
            ("game-enter", GamePane::Games) => Some("open"),
            ("game-enter", GamePane::Moves) => Some("search in Explore"),
            _ => None,
        }
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::legend(pen, width)
    }

    fn is_running(&self, app: &App) -> bool {
        let judged = app.game.retry.as_ref().is_some_and(|r| r.trial.is_some());
        app.game.is_running() || judged
    }

    fn tend(&self, app: &mut App) {
        app.game.tend_review(&mut app.cx);
    }
}

/// A part of the tab, and the pane that has the keyboard meanwhile.
const PARTS: [(&str, GamePane); 5] = [
    ("moves", GamePane::Moves),
    ("board", GamePane::Moves),
    ("chart", GamePane::Moves),
    ("findings", GamePane::Findings),
    ("games", GamePane::Games),
];

impl TabScreen for GameScreen {
    fn parts(&self, app: &App) -> Vec<&'static str> {
        let there = view::contents(&app.game, &app.cx);
        let shown = |name: &&str| match *name {
            "chart" => there.chart,
            "findings" => there.findings,
            "games" => there.games,
            _ => true,
        };
        PARTS.iter().map(|(name, _)| *name).filter(shown).collect()
    }

    /// A pane with a keyboard of its own is shown while it has that.
    fn part(&self, app: &App) -> usize {
        let pane = app.game.pane;
        let parts = self.parts(app);
        let place = |name| parts.iter().position(|part| *part == name);
        let found = match pane {
            GamePane::Moves => parts.get(app.cx.small.part).filter(|name| {
                let of = PARTS.iter().find(|(part, _)| part == *name);
                of.is_some_and(|(_, of)| *of == pane)
            }),
            _ => PARTS
                .iter()
                .find(|(_, of)| *of == pane)
                .map(|(name, _)| name),
        };
        found.and_then(|name| place(*name)).unwrap_or(0)
    }

    fn show_part(&self, app: &mut App, part: usize) {
        let name = self.parts(app)[part];
        app.cx.small.part = part;
        if let Some((_, pane)) = PARTS.iter().find(|(part, _)| *part == name) {
            app.game.pane = *pane;
        }
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        Some(match app.game.pane {
            GamePane::Games => "games",
            GamePane::Moves => "moves",
            GamePane::Findings => "findings",
        })
    }

    fn comes(&self, app: &mut App, _: Tab) {
        app.game.list.select(app.cx.entry);
    }

    /// The new place is not searched until the user asks for it.
    fn searches_places(&self) -> bool {
        false
    }

    fn place_changed(&self, app: &mut App) {
        app.game.retry_left(&mut app.cx);
        app.game.look_at_place(&mut app.cx);
    }

    fn has_news(&self, app: &App) -> bool {
        let review = app.game.review.as_ref().is_some_and(Reviewed::has_news);
        let judged = app.game.retry.as_ref().is_some_and(|r| r.trial.is_some());
        review || judged || !app.cx.document.is_complete()
    }
}

impl Context {
    /// Goes to the ply under a column of the chart.
    fn click_chart(&mut self, column: u16) {
        let Some(area) = self.area_of(GameTarget::Chart) else {
            return;
        };
        let line = self.current.line_through(0);
        let ply = ply_at(column - area.x, area.width, line.len());
        self.go_to_node(line[ply]);
    }
}

impl GameTab {
    fn wheel_game(&mut self, cx: &mut Context, target: Option<GameTarget>, by: isize) {
        match target {
            Some(GameTarget::Entry(_) | GameTarget::Pane(GamePane::Games)) => {
                self.list.walk(by, &cx.document);
            }
            Some(GameTarget::Move(_) | GameTarget::Pane(GamePane::Moves)) => {
                self.moves.scroll(by);
            }
            Some(GameTarget::Finding(_) | GameTarget::Pane(GamePane::Findings)) => {
                if let Some(retry) = &mut self.retry {
                    let count = retry.moves.len();
                    retry.list.walk(by, count);
                    return;
                }
                let count = self.review.as_ref().map_or(0, |r| r.ranked.len());
                self.ranked.walk(by, count);
            }
            Some(GameTarget::Chart) => cx.walk_game(by.signum()),
            _ => {}
        }
    }
}

impl App {
    fn click_game(&mut self, target: GameTarget, column: u16) {
        match target {
            GameTarget::Entry(row) => {
                self.game.pane = GamePane::Games;
                // A second click opens the game.
                if self.game.list.state.selected == row {
                    self.game_enter();
                } else {
                    self.game.list.state.selected = row;
                }
            }
            GameTarget::Move(node) => {
                self.game.pane = GamePane::Moves;
                self.cx.go_to_node(node);
            }
            GameTarget::Chart => self.cx.click_chart(column),
            GameTarget::Finding(at) => {
                self.game.pane = GamePane::Findings;
                if self.game.retry.is_some() {
                    self.game.click_guess(&mut self.cx, at);
                } else {
                    self.game.go_to_finding(&mut self.cx, at);
                }
            }
            GameTarget::Pane(pane) => self.game.pane = pane,
        }
    }
}
