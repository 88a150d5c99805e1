//! The log of events: moving through it, finding and filtering, and going from an event to its node and back.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{LogTarget, OnlyRow, view};
use crate::component::{self, Component, Handled, Request};
use crate::context::{Context, Level};
use crate::overlays::prompt::Prompt;
use crate::panes::Pane;
use crate::tabs::explore::{HeldBy, OnBoard};
use screen::pen::Pen;
use search::Event;
use text::thousands;

/// The log pane: the events of the search.
#[derive(Debug)]
pub struct LogPane;

impl Component for LogPane {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        view::update(cx, area);
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw(cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &component::Event) -> Handled {
        match event.of() {
            // These keys move in time, while the other keys move through what is shown.
            component::Event::Key(key, _) if key.is(KeyCode::Home) || key.is(KeyCode::End) => {
                cx.go_to_end_of_time(key.is(KeyCode::End));
            }
            component::Event::Request(request) if cx.explore.debug.shown => {
                return asked(cx, request);
            }
            component::Event::Click(Some(LogTarget::Frame), _) => cx.explore.focus = Pane::Log,
            component::Event::Click(Some(LogTarget::Event(row)), _) => {
                cx.explore.focus = Pane::Log;
                // A second click goes to its node.
                if cx.explore.debug.log.with_list(|list, _| list.click(row)) {
                    cx.jump_to_node();
                }
            }
            component::Event::Wheel(Some(_), by) => {
                let log = &mut cx.explore.debug.log;
                log.with_list(|list, count| list.scroll(by, count));
            }
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "step",
            "step-back",
            "board-here",
            "goto",
            "filter",
            "find",
            "cancel",
            "next-pane",
        ]
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        match command {
            _ if !(cx.explore.debug.shown && cx.explore.focus == Pane::Log) => None,
            "board-here" => Some("to its node"),
            "cancel" => Some("all events"),
            _ => None,
        }
    }
}

/// Handles a request; the log has rows, but none that open.
fn asked(cx: &mut Context, request: Request) -> Handled {
    let log = &mut cx.explore.debug.log;
    match request {
        _ if log.with_list(|list, count| request.moves(list, count)) => {}
        Request::Find => cx.ask_find_event(),
        Request::FindAgain(by) => {
            let query = log.query.clone();
            if let Err(what) = cx.find_event(&query, by) {
                cx.say(Level::Info, what);
            }
        }
        Request::Filter => cx.ask_log_filter(),
        Request::ShowOnBoard => cx.jump_to_node(),
        _ => return Handled::No,
    }
    Handled::Yes
}

impl Context {
    /// Whether the log has the focus, so that movement keys act on it.
    pub(crate) fn in_log(&self) -> bool {
        self.explore.focus == Pane::Log && self.in_explore() && self.explore.debug.shown
    }

    /// Updates the log before it is drawn or moved through.
    pub(crate) fn refresh_log(&mut self) {
        let Some(source) = &self.session else {
            return;
        };
        let now = self.explore.debug.place.now;
        let (view, tree) = (&mut self.explore.debug.log, source.reader().tree);
        source.with_log(|log| view.refresh(log, now, tree));
        // The next frame reads the rest.
        self.dirty |= self.explore.debug.log.is_behind();
    }

    /// Goes from the selected event to its node in the tree.
    pub(crate) fn jump_to_node(&mut self) {
        let Some(event) = self.selected_event() else {
            return;
        };
        let m = match event {
            Event::Prune { m, .. } => Some(m),
            _ => None,
        };
        let node = event.node();
        let there = self.with_tree(|explorer, reader| {
            let there = reader.tree.contains(node);
            explorer.follow(reader, node, m, false);
            there
        });
        if there == Some(true) {
            self.explore.focus = Pane::Tree;
            self.explore.board_node = Some(OnBoard::new(node, HeldBy::Event));
            self.explore.inspector_top = 0;
        } else {
            self.say(Level::Info, "its node is not in the tree any more");
        }
    }

    fn selected_event(&self) -> Option<Event> {
        let number = self.explore.debug.log.selected()?;
        self.session
            .as_ref()?
            .with_log(|log| log.get(number).cloned())?
    }

    /// Shows only the selected row's events, or all again.
    pub fn show_node_events(&mut self) {
        let Some(row) = self.explore.tree.selected_row() else {
            return;
        };
        let name = self.selected_name();
        let only = OnlyRow {
            key: row.key(),
            node: row.node,
            name,
        };
        self.explore.debug.shown = true;
        let log = &mut self.explore.debug.log;
        log.only = Some(only).filter(|o| log.only.as_ref() != Some(o));
        log.forget();
        self.refresh_log();
        if self.explore.debug.log.is_filtered() && self.explore.debug.log.is_empty() {
            self.say(Level::Info, "no event of this node in the log");
        }
    }

    /// Removes the log's filters.
    pub(crate) fn show_all_events(&mut self) {
        let log = &mut self.explore.debug.log;
        if !log.is_filtered() {
            return;
        }
        log.only = None;
        log.filter = None;
        log.forget();
    }

    /// Goes to an event in time: by its number, to the one selected in the log, or to one that the user is asked for.
    pub fn ask_event(&mut self, number: Option<usize>) {
        let selected = self
            .in_log()
            .then(|| self.explore.debug.log.selected())
            .flatten();
        match number.map(|n| n as u64).or(selected) {
            Some(number) => self.go_to_event(number),
            None => {
                let prompt = Prompt::new("go to event", "its number, as in the log");
                self.ask(prompt, |app, text| app.cx.typed_event(text.trim()));
            }
        }
    }

    /// Goes to the event whose number was typed, or returns what is wrong with the text.
    fn typed_event(&mut self, text: &str) -> Result<(), String> {
        let digits: String = text.chars().filter(|c| !matches!(c, ',' | ' ')).collect();
        let number: u64 = digits
            .parse()
            .map_err(|_| format!("found \"{text}\", expected the number of an event"))?;
        let place = self.explore.debug.place;
        if number < place.first {
            return Err(format!(
                "the earliest event that can be reached is {}",
                thousands(place.first)
            ));
        }
        self.go_to_event(number);
        Ok(())
    }

    pub(crate) fn ask_find_event(&mut self) {
        let prompt = Prompt::new("find in the log", "a part of an event's line");
        self.ask(prompt, |app, text| app.cx.find_event(text.trim(), 1));
    }

    /// Goes to the next event, upwards or downwards, whose line contains the text. Earlier events are further up.
    pub(crate) fn find_event(&mut self, query: &str, by: isize) -> Result<(), String> {
        /// The largest number of lines to build; each takes some microseconds.
        const MOST: usize = 20_000;
        self.explore.debug.log.query = query.to_owned();
        if query.is_empty() {
            return Err("nothing to look for yet: / finds".to_owned());
        }
        let Some(source) = &self.session else {
            return Ok(());
        };
        let (view, wanted) = (&self.explore.debug.log, query.to_lowercase());
        let reader = source.reader();
        let count = view.len();
        let from = view.list.selected;
        let lens = self.lens;
        let fits = |row: usize| {
            let event = view
                .number(row)
                .and_then(|n| source.with_log(|log| log.get(n).cloned()).flatten());
            event.is_some_and(|e| {
                lens.event_line(&reader, &e)
                    .to_lowercase()
                    .contains(&wanted)
            })
        };
        let found = (1..=count.min(MOST))
            .map(|i| (from as isize - by.signum() * i as isize).rem_euclid(count as isize) as usize)
            .find(|&row| fits(row));
        match found {
            Some(row) => {
                let log = &mut self.explore.debug.log;
                log.with_list(|list, count| list.select(row, count));
                Ok(())
            }
            None if count > MOST => Err(format!(
                "no event with \"{query}\" among {} looked at",
                thousands(MOST as u64)
            )),
            None => Err(format!("no event shown has \"{query}\" in its line")),
        }
    }
}
