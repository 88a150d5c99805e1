//! The Game tab as a component: its keys, its mouse, and what it shows.

use ratatui::layout::Rect;

use super::chart::ply_at;
use super::retry::Retry;
use super::review::Reviewed;
use super::{GamePane, GameTarget, view};
use crate::component::{Component, Event, Handled};
use crate::context::Context;
use crate::tabs::game::GameTab;
use crate::tabs::{Kind, Tab, TabScreen};
use screen::pen::{Line, Pen};

impl GameTab {
    pub const KIND: Kind = Kind {
        searches_places: false,
        ..Kind::new("Game")
    };
}

impl Component for GameTab {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        view::update(self, cx, area);
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw(self, cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        match event.of() {
            Event::Click(Some(target), column) => self.click_game(cx, target, column),
            Event::Drag(Some(GameTarget::Chart), column) => cx.click_chart(column),
            Event::Wheel(target, by) => self.wheel_game(cx, target, by),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        let mut hints = match self.pane {
            _ if self.retry.is_some() => vec![
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
        if self.review.is_none() {
            // Without a review nothing is marked.
            let of_marks = ["next-mark", "retry", "next-disagreement", "judge"];
            hints.retain(|hint| !of_marks.contains(hint));
        }
        hints.extend(["palette", "help", "quit"]);
        hints
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        let here = cx.tab == Tab::Game;
        let retry = self.retry.as_ref().filter(|_| here);
        let over = retry.is_some_and(Retry::is_over);
        match (command, self.pane) {
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

    fn is_running(&self, _: &Context) -> bool {
        let judged = self.retry.as_ref().is_some_and(|r| r.trial.is_some());
        self.is_running() || judged
    }

    fn tend(&mut self, cx: &mut Context) {
        self.tend_review(cx);
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

impl TabScreen for GameTab {
    fn parts(&self, cx: &Context) -> Vec<&'static str> {
        let there = view::contents(self, cx);
        let shown = |name: &&str| match *name {
            "chart" => there.chart,
            "findings" => there.findings,
            "games" => there.games,
            _ => true,
        };
        PARTS.iter().map(|(name, _)| *name).filter(shown).collect()
    }

    /// A pane with a keyboard of its own is shown while it has that.
    fn part(&self, cx: &Context) -> usize {
        let pane = self.pane;
        let parts = self.parts(cx);
        let place = |name| parts.iter().position(|part| *part == name);
        let found = match pane {
            GamePane::Moves => parts.get(cx.small.part).filter(|name| {
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

    fn show_part(&mut self, cx: &mut Context, part: usize) {
        let name = self.parts(cx)[part];
        cx.small.part = part;
        if let Some((_, pane)) = PARTS.iter().find(|(part, _)| *part == name) {
            self.pane = *pane;
        }
    }

    fn pane_name(&self, _: &Context) -> Option<&'static str> {
        Some(match self.pane {
            GamePane::Games => "games",
            GamePane::Moves => "moves",
            GamePane::Findings => "findings",
        })
    }

    fn comes(&mut self, cx: &mut Context, _: Tab) {
        self.list.select(cx.entry);
    }

    fn place_changed(&mut self, cx: &mut Context) {
        self.retry_left(cx);
        self.look_at_place(cx);
    }

    fn has_news(&self, cx: &Context) -> bool {
        let review = self.review.as_ref().is_some_and(Reviewed::has_news);
        let judged = self.retry.as_ref().is_some_and(|r| r.trial.is_some());
        review || judged || !cx.document.is_complete()
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
            Some(GameTarget::Move(_) | GameTarget::Pane(GamePane::Moves)) => {
                self.moves.scroll(by);
            }
            Some(GameTarget::Entry(_)) => self.wheel_list(cx, GamePane::Games, by),
            Some(GameTarget::Finding(_)) => self.wheel_list(cx, GamePane::Findings, by),
            Some(GameTarget::Pane(pane)) => self.wheel_list(cx, pane, by),
            Some(GameTarget::Chart) => cx.walk_game(by.signum()),
            _ => {}
        }
    }

    fn wheel_list(&mut self, cx: &Context, pane: GamePane, by: isize) {
        if let Some((list, count)) = self.list_of(cx, pane) {
            list.scroll(by, count);
        }
    }

    fn click_game(&mut self, cx: &mut Context, target: GameTarget, column: u16) {
        match target {
            GameTarget::Entry(row) => {
                self.pane = GamePane::Games;
                // A second click opens the game.
                if self.list.state.click(row) {
                    self.game_enter(cx);
                }
            }
            GameTarget::Move(node) => {
                self.pane = GamePane::Moves;
                cx.go_to_node(node);
            }
            GameTarget::Chart => cx.click_chart(column),
            GameTarget::Finding(at) => {
                self.pane = GamePane::Findings;
                if self.retry.is_some() {
                    self.click_guess(cx, at);
                } else {
                    self.go_to_finding(cx, at);
                }
            }
            GameTarget::Pane(pane) => self.pane = pane,
        }
    }
}
