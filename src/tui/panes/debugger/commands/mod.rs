//! Stepping: what the keys ask of the search, and how the screen follows it from event to event.

mod break_list;
mod places;

use std::time::{Duration, Instant};

use ratatui::layout::Rect;

use super::view;
use crate::component::{self, Component, Handled};
use crate::context::{Context, Level};
use crate::panes::Pane;
use crate::panes::debugger::Scrubber;
use crate::source::Source;
use crate::tabs::explore::{HeldBy, OnBoard};
use screen::pen::{Line, Pen};
use search::{Event, EventKind};
use session::debug::{News, Standing, Step, Why};
use session::{Session, State};
use text::thousands;

/// How long the last event stays on the screen while a step is under way.
const PATIENCE: Duration = Duration::from_millis(150);

/// The debugger pane: the scrubber, and the sentence of the event that the search has stopped at.
#[derive(Debug)]
pub struct DebuggerPane;

impl Component for DebuggerPane {
    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw_dock(cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &component::Event) -> Handled {
        match event.of() {
            component::Event::Click(Some(Scrubber), column) => cx.drag_scrubber(column),
            component::Event::Drag(_, column) if cx.explore.debug.dragged.is_some() => {
                cx.drag_scrubber(column);
            }
            component::Event::Release => match cx.explore.debug.dragged.take() {
                Some(event) => cx.go_to_event(event),
                None => return Handled::No,
            },
            component::Event::Wheel(Some(Scrubber), _) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "step",
            "step-over",
            "step-out",
            "step-back",
            "run-to-break",
            "pause",
            "breakpoints",
            "next-pane",
            "break-on-change",
            "node-events",
            "goto",
        ]
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        (command == "pause" && cx.explore.debug.stop.is_some()).then_some("run")
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::legend(pen, width)
    }
}

/// What going back means for a search by several threads.
const BY_ONE_THREAD: &str = "step through it by one thread, from its beginning";

impl Context {
    /// Takes a step, `times` times.
    pub fn step(&mut self, step: Step, times: Option<usize>) {
        if !self.can_step() {
            return;
        }
        if step == Step::ToBreak && !self.explore.debug.has_active_breakpoint() {
            self.say(
                Level::Info,
                "no breakpoint is set: B sets them, space runs on",
            );
            return;
        }
        self.take_step(step, times);
    }

    /// Runs to the next breakpoint or to the place where the search is to stop once.
    fn step_to_break(&mut self) {
        self.take_step(Step::ToBreak, None);
    }

    fn take_step(&mut self, step: Step, times: Option<usize>) {
        self.enter_debugger();
        if step == Step::ToBreak {
            self.go_past_limit();
        }
        let times = u32::try_from(times.unwrap_or(1)).unwrap_or(u32::MAX);
        let seen = self.explore.debug.stop.is_some();
        let Some(session) = self.live() else {
            return;
        };
        // A small tree is complete before the user can press a key: stepping starts at its first event.
        let ended = matches!(session.status().state, State::Finished(_));
        if ended && !seen && session.event_position().under_way.is_none() {
            if self.loses_by_going_back() {
                self.give_up_search(BY_ONE_THREAD, |app| app.cx.step_from_first(Step::Into, 1));
                return;
            }
            self.step_from_first(step, times);
            return;
        }
        session.step(step, times);
    }

    /// Goes back to the first event of a search, and takes a step from there.
    fn step_from_first(&mut self, step: Step, times: u32) {
        let Some(session) = self.live() else {
            return;
        };
        let first = session.event_position().first;
        if self.run_again_to(first) {
            return;
        }
        if let Some(session) = self.live() {
            session.go_to(first);
        }
        self.explore.debug.then = Some((step, times));
    }

    /// Steps back by some events.
    pub fn step_back(&mut self, events: Option<usize>) {
        if !self.can_step() {
            return;
        }
        let now = self.session.as_ref().map_or(0, |source| source.place().now);
        let events = events.unwrap_or(1) as u64;
        if self.run_again_to(now.saturating_sub(events)) {
            return;
        }
        self.enter_debugger();
        self.keep_place();
        if let Some(session) = self.live() {
            session.step_back(events);
        }
    }

    /// Goes to an event, backwards or forwards.
    pub fn go_to_event(&mut self, event: u64) {
        if !self.can_step() {
            return;
        }
        let place = self.session.as_ref().map(Source::place);
        let (first, now) = place.map_or((0, 0), |place| (place.first, place.now));
        if event < now && event <= first && self.loses_by_going_back() {
            return self.give_up_search(BY_ONE_THREAD, |app| app.cx.go_back_to(0));
        }
        self.go_back_to(event);
    }

    /// Whether going back to the beginning loses the work of a long search: what several threads did can't be had again.
    fn loses_by_going_back(&mut self) -> bool {
        let several = |session: &mut Session| session.config().threads > 1;
        self.live().is_some_and(several) && self.long_search().is_some()
    }

    /// Goes to an event; one before the first that can be reached is the first.
    fn go_back_to(&mut self, event: u64) {
        let place = self.session.as_ref().map(Source::place);
        let (first, now) = place.map_or((0, 0), |place| (place.first, place.now));
        let event = event.max(first);
        if event < now && self.run_again_to(event) {
            return;
        }
        self.enter_debugger();
        self.keep_place();
        if let Some(session) = self.live() {
            session.go_to(event);
        }
    }

    /// Goes to the earliest event that can be reached, or to the furthest seen.
    pub fn go_to_end_of_time(&mut self, last: bool) {
        let Some(source) = &self.session else {
            return;
        };
        let place = source.place();
        self.go_to_event(if last { place.last } else { place.first });
    }

    /// Remembers the event under a column of the scrubber; the search goes there when the mouse button is released.
    fn drag_scrubber(&mut self, column: u16) {
        let Some(area) = self.area_of(Scrubber) else {
            return;
        };
        let place = self.explore.debug.place;
        let columns = u64::from(area.width.saturating_sub(1)).max(1);
        let at = u64::from(column.clamp(area.x, area.right() - 1) - area.x);
        let span = u128::from(place.last.saturating_sub(place.first));
        let event = place.first + (span * u128::from(at) / u128::from(columns)) as u64;
        self.explore.debug.dragged = Some(event);
    }

    pub fn toggle_debugger(&mut self) {
        self.explore.debug.shown = !self.explore.debug.shown;
        if !self.explore.debug.shown && self.explore.focus == Pane::Log {
            self.explore.focus = Pane::Tree;
        }
        self.show_explore();
    }

    pub(crate) fn live(&mut self) -> Option<&mut Session> {
        self.session.as_mut().and_then(Source::live_mut)
    }

    pub(crate) fn can_step(&mut self) -> bool {
        let live = self.live().is_some();
        if !live {
            self.say(Level::Info, "this tree is not being searched: x searches");
        }
        live
    }

    /// Shows the debugger, and remembers the current state to compare later ones with.
    pub(crate) fn enter_debugger(&mut self) {
        self.explore.debug.shown = true;
        let stepped = self.explore.outer.as_mut().map(|outer| &mut outer.stepped);
        if stepped.is_some_and(|stepped| !std::mem::replace(stepped, true)) {
            self.set_breakpoints();
        }
        self.show_explore();
        self.mark_from_here();
    }

    pub(crate) fn mark_from_here(&mut self) {
        let drawn = self.drawn_rows();
        let Some(source) = &self.session else {
            return;
        };
        let middle = self.explore.tree.list.top + self.explore.tree.list.height() / 2;
        let rows = drawn.as_deref().unwrap_or(self.explore.tree.rows());
        self.explore.debug.marks.take(source.reader(), rows, middle);
    }

    /// Remembers what is open and selected as moves, since a rewind replaces the tree.
    fn keep_place(&mut self) {
        self.explore.debug.kept = self.with_tree(|explorer, reader| explorer.place(reader));
    }

    /// Whether something is under way that will stop Explore's search at an event.
    pub(crate) fn search_is_stepping(&self) -> bool {
        self.session.as_ref().is_some_and(Source::is_stepping)
    }

    /// Reports endgame tables that turned out to be damaged; the search continues without them.
    fn take_damage(&mut self) {
        let tables = self.config.endgames.as_ref();
        let problems = tables.map_or_else(Vec::new, |tables| tables.problems());
        for problem in problems.iter().skip(self.damaged_told) {
            self.say(Level::Warning, problem.clone());
        }
        self.damaged_told = problems.len();
    }

    pub(crate) fn tend_search(&mut self) {
        self.take_news();
        self.take_damage();
        self.look_at_limit();
        self.tend_hunt();
        if !self.search_is_stepping()
            && let Some((step, times)) = self.explore.debug.then.take()
            && let Some(session) = self.live()
            && !matches!(session.status().state, State::Finished(_))
        {
            session.step(step, times);
        }
        let Some(source) = &self.session else {
            return;
        };
        let place = source.place();
        let standing = source.standing();
        if let Some(stop) = standing.as_ref()
            && matches!(stop.why, Why::Breakpoint(_))
            && source.live().is_some()
            && !self.explore.debug.hits.contains(&stop.number)
        {
            self.explore.debug.shown = true;
        }
        // If the debugger is hidden, a search that ran to its end does not show its last event; nor does that of a leaf,
        // of which the whole tree is looked at until it is stepped through.
        let is_leaf = self.explore.outer.as_ref().is_some_and(|o| !o.stepped);
        let standing = standing
            .filter(|stop| self.explore.debug.shown && !(is_leaf && stop.why == Why::Ended));
        if place != self.explore.debug.place && self.explore.debug.shown {
            // The progress of a rewind is drawn at every tick anyway.
            self.dirty |= place.under_way.is_none() && standing.is_some();
        }
        self.explore.debug.place = place;
        if standing == self.explore.debug.stop {
            self.explore.debug.left = None;
            return;
        }
        if standing.is_none() && source.is_stepping() {
            // Most steps finish within a frame, so what is on the screen stays until then.
            let left = *self.explore.debug.left.get_or_insert_with(Instant::now);
            if left.elapsed() < PATIENCE {
                return;
            }
        }
        self.explore.debug.left = None;
        self.dirty = true;
        match standing {
            Some(standing) => self.arrive(standing),
            None => self.depart(),
        }
    }

    fn take_news(&mut self) {
        let news = self.live().map(Session::tend).unwrap_or_default();
        let mut told: Vec<String> = Vec::new();
        for what in news {
            // From here on these numbers belong to other events.
            if matches!(
                what,
                News::NewBeginning | News::OneThread | News::AgainByOne
            ) {
                self.explore.debug.hits.clear();
            }
            match what {
                News::TreeReplaced => self.replant(),
                // The command that forced the search to another move has already said so.
                News::NewBeginning => {}
                _ => told.push(what.to_string()),
            }
        }
        if let Some(why) = self.live().and_then(Session::new_decision) {
            told.push(why);
        }
        if !told.is_empty() {
            // The message of the key that was pressed stays in front.
            let last = self.messages.all.last().filter(|_| self.messages.fresh);
            if let Some(last) = last.filter(|m| m.level == Level::Info) {
                told.insert(0, last.text.clone());
            }
            self.say(Level::Info, told.join("; "));
        }
    }

    /// Makes the row, the board and the log follow the search to an event.
    fn arrive(&mut self, standing: Standing) {
        self.forget_run_to();
        let Some(source) = &self.session else {
            return;
        };
        let reader = source.reader();
        let event = standing.event.clone();
        self.explore.debug.arrive(standing, reader);
        source.with_log(|log| self.explore.debug.look_into_line(reader, log));
        let node = event.node();
        let m = match event {
            Event::Prune { m, .. } => Some(m),
            _ => None,
        };
        // If the event is about the children, they are opened.
        let open = matches!(
            event.kind(),
            EventKind::Expand | EventKind::BackUp | EventKind::Cut | EventKind::Best
        );
        self.explore.tree.follow(reader, node, m, open);
        self.explore.board_node = Some(OnBoard::new(node, HeldBy::Event));
        self.explore.inspector_top = 0;
        self.explore.debug.log.newest();
    }

    /// Called when the search runs on.
    fn depart(&mut self) {
        self.explore.debug.leave();
        self.explore.tree.touch();
    }

    /// Called when the tree was replaced.
    fn replant(&mut self) {
        let place = self.explore.debug.kept.take();
        self.explore.board_node = None;
        self.explore.again = None;
        self.explore.debug.log.only = None;
        self.explore.debug.log.forget();
        // The event is shown anew even if it has the same number, since its nodes changed.
        self.explore.debug.leave();
        self.with_tree(|explorer, reader| match place {
            Some(place) => explorer.replant(reader, place),
            None => explorer.reset(),
        });
    }

    /// Returns a few words for the top bar about the event that the search has stopped at, from the longest to the
    /// shortest form.
    pub fn standing_words(&self) -> Vec<String> {
        if !self.explore.debug.shown {
            return Vec::new();
        }
        let Some(stop) = &self.explore.debug.stop else {
            return Vec::new();
        };
        let number = thousands(stop.number);
        let (why, short) = match stop.why {
            Why::Step => ("stepped".to_owned(), String::new()),
            Why::Asked => ("stopped".to_owned(), String::new()),
            Why::Arrived => ("arrived".to_owned(), String::new()),
            Why::Ended => ("the search has ended".to_owned(), "ended".to_owned()),
            Why::Breakpoint(studies::lesson::script::OWN) => {
                ("the lesson stops here".to_owned(), String::new())
            }
            Why::Breakpoint(super::RUN_TO) => ("came to the node".to_owned(), String::new()),
            Why::Breakpoint(n) => {
                let text = n
                    .checked_sub(1)
                    .and_then(|i| self.explore.debug.breakpoints.get(i));
                let text = text.map(|b| format!(" ({})", b.text)).unwrap_or_default();
                (
                    format!("stopped: breakpoint {n}{text}"),
                    format!("breakpoint {n}"),
                )
            }
        };
        let mut words = vec![format!("event {number} · {why}")];
        if !short.is_empty() {
            words.push(format!("event {number} · {short}"));
        }
        words.push(format!("event {number}"));
        words
    }
}
