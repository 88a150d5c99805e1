//! The list of breakpoints, adding and changing them, and the expression that filters the log.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::component::Event;
use crate::context::{Context, Level};
use crate::overlays::expression::{Expression, Purpose, Written};
use crate::overlays::{KeyHint, Overlay, OverlayTarget};
use crate::panes::debugger::RUN_TO;
use crate::panes::debugger::breaks::{Break, read_filter};
use crate::panes::debugger::view::breakpoints as view;
use crate::reach::{Reach, Sight};
use screen::keys::Key;
use screen::list::List;
use screen::pen::Pen;
use session::breakpoint::{Breakpoint, Completion, complete};

/// The list of breakpoints. While there is none, it offers some to use.
#[derive(Debug, Default)]
struct BreakList(List);

impl Overlay for BreakList {
    fn keys(&self) -> Vec<KeyHint> {
        vec![
            ("a", "add"),
            ("space", "on or off"),
            ("Enter", "change"),
            ("d", "delete"),
            ("Esc", "close"),
        ]
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        let (cx, list) = (reach.cx(), &mut self.0);
        match event.of() {
            Event::Key(key, _) => return cx.breakpoints_key(list, key),
            Event::Click(Some(OverlayTarget::Item(row)), _) => {
                // A second click toggles the breakpoint, or uses the example.
                match list.click(row) {
                    true if cx.explore.debug.breakpoints.is_empty() => cx.use_offer(row),
                    true => cx.toggle_breakpoint(row),
                    false => {}
                }
            }
            Event::Wheel(_, by) => list.scroll(by, cx.rows_of_breakpoints()),
            _ => {}
        }
        true
    }

    fn update(&mut self, cx: &Context, area: Rect) {
        view::update(cx, area, &mut self.0);
    }

    fn draw(&self, sight: Sight, pen: &mut Pen, area: Rect) {
        view::draw(sight.cx(), pen, area, &self.0);
    }
}

impl Context {
    /// Tells the searches which breakpoints are on.
    pub(crate) fn set_breakpoints(&mut self) {
        let on: Vec<_> = (1..)
            .zip(&self.explore.debug.breakpoints)
            .filter_map(|(number, b)| Some((number, b.active()?.clone())))
            .collect();
        if self.columns.is_about(&self.subject) {
            self.columns.set_breakpoints(&on);
        }
        let once = self.explore.debug.run_to.as_ref();
        let once = once.map(|(breakpoint, _)| (RUN_TO, breakpoint.clone()));
        if let Some(session) = self.live() {
            session.set_breakpoints(on.into_iter().chain(once));
        }
    }

    pub fn show_breakpoints(&mut self) {
        self.open(BreakList::default());
    }

    /// Returns the number of breakpoints, or of those that the empty list offers.
    fn rows_of_breakpoints(&self) -> usize {
        match self.explore.debug.breakpoints.len() {
            0 => self.explore.debug.offers().len(),
            count => count,
        }
    }

    /// Handles a key while the list is open; returns whether it stays open.
    fn breakpoints_key(&mut self, list: &mut List, key: Key) -> bool {
        let count = self.explore.debug.breakpoints.len();
        let rows = self.rows_of_breakpoints();
        let at = list.selected.min(count.saturating_sub(1));
        match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'B') => return false,
            KeyCode::Char('c') if key.ctrl => return false,
            _ if list.letter(key, rows) => {}
            KeyCode::Char('a') => self.write_breakpoint(Purpose::AddedToList),
            KeyCode::Enter if count == 0 => self.use_offer(list.selected),
            KeyCode::Enter => self.write_breakpoint(Purpose::Breakpoint(at)),
            KeyCode::Char(' ') if count > 0 => self.toggle_breakpoint(at),
            KeyCode::Char('d') | KeyCode::Delete if count > 0 => {
                self.explore.debug.breakpoints.remove(at);
                list.walk(0, count - 1);
                self.set_breakpoints();
            }
            _ => {}
        }
        true
    }

    fn toggle_breakpoint(&mut self, at: usize) {
        if let Some(breakpoint) = self.explore.debug.breakpoints.get_mut(at) {
            breakpoint.on = !breakpoint.on;
            self.set_breakpoints();
        }
    }

    /// Prompts for a new breakpoint.
    pub fn ask_breakpoint(&mut self) {
        self.write_breakpoint(Purpose::NewBreakpoint);
    }

    /// Sets one of the breakpoints that the empty list offers; one that names a move of another position is opened for
    /// a change.
    fn use_offer(&mut self, at: usize) {
        let Some((text, _)) = self.explore.debug.offers().into_iter().nth(at) else {
            return;
        };
        match Breakpoint::parse(&text, &self.subject) {
            Ok(breakpoint) => {
                self.add_breakpoint(breakpoint);
                self.set_breakpoints();
            }
            Err(refused) => {
                let purpose = Purpose::AddedToList;
                let mut expression = Expression::new(purpose, "a new breakpoint", &text);
                expression.refused = Some(refused);
                self.open(expression);
            }
        }
    }

    fn add_breakpoint(&mut self, breakpoint: Breakpoint) {
        let text = breakpoint.text().to_owned();
        self.explore.debug.recent.note(&text);
        let never = breakpoint.never_under(&self.config);
        self.explore.debug.breakpoints.push(Break::new(breakpoint));
        let number = self.explore.debug.breakpoints.len();
        match never {
            None => self.say(
                Level::Info,
                format!("breakpoint {number}: {text} (every run stops there)"),
            ),
            Some(why) => self.say(
                Level::Warning,
                format!("breakpoint {number}: {text}: {why}"),
            ),
        }
    }

    fn write_breakpoint(&mut self, purpose: Purpose) {
        let old = match purpose {
            Purpose::Breakpoint(at) => self.explore.debug.breakpoints.get(at),
            _ => None,
        };
        let (title, text) = match old {
            Some(b) => ("change the breakpoint", b.text.clone()),
            None => ("a new breakpoint", String::new()),
        };
        self.ask_expression(Expression::new(purpose, title, &text));
    }

    pub fn ask_log_filter(&mut self) {
        let filter = self.explore.debug.log.filter.as_ref();
        let text = filter.map(|f| f.text().to_owned()).unwrap_or_default();
        let title = "events to show in the log (nothing: all)";
        self.ask_expression(Expression::new(Purpose::LogFilter, title, &text));
    }

    fn ask_expression(&mut self, mut expression: Expression) {
        self.offer_words(&mut expression);
        self.open(expression);
    }

    /// Acts on a key in an expression; returns whether its prompt stays open.
    pub(crate) fn written(&mut self, expression: &mut Expression, written: Written) -> bool {
        match written {
            Written::Changed => {
                self.offer_words(expression);
                true
            }
            Written::Nothing => true,
            Written::Cancelled => {
                self.back_to_list(expression.purpose);
                false
            }
            Written::Done => self.finish(expression),
        }
    }

    /// Updates the completions of an expression.
    fn offer_words(&self, expression: &mut Expression) {
        let words = if expression.text().is_empty() {
            let offers = self.explore.debug.offers().into_iter();
            let whole = |(text, summary)| Completion {
                text,
                start: 0,
                summary,
            };
            offers.map(whole).collect()
        } else {
            complete(expression.text(), expression.prompt.cursor, &self.subject)
        };
        expression.offer(words);
    }

    /// Accepts the expression, or marks what is wrong with it. Returns whether the prompt stays open.
    fn finish(&mut self, expression: &mut Expression) -> bool {
        let purpose = expression.purpose;
        let text = expression.text().trim().to_owned();
        if text.is_empty() {
            if purpose == Purpose::LogFilter {
                self.explore.debug.log.filter = None;
                self.explore.debug.log.forget();
            }
            self.back_to_list(purpose);
            return false;
        }
        let read = match purpose {
            Purpose::LogFilter => read_filter(expression.text(), &self.subject),
            _ => Breakpoint::parse(expression.text(), &self.subject),
        };
        let breakpoint = match read {
            Ok(breakpoint) => breakpoint,
            Err(refused) => {
                expression.refused = Some(refused);
                return true;
            }
        };
        match purpose {
            Purpose::NewBreakpoint | Purpose::AddedToList => self.add_breakpoint(breakpoint),
            Purpose::Breakpoint(at) => {
                if let Some(old) = self.explore.debug.breakpoints.get_mut(at) {
                    let on = old.on;
                    *old = Break::new(breakpoint);
                    old.on = on;
                }
            }
            Purpose::LogFilter => {
                self.explore.debug.log.filter = Some(breakpoint);
                self.explore.debug.log.forget();
                self.explore.debug.shown = true;
                return false;
            }
        }
        self.set_breakpoints();
        self.back_to_list(purpose);
        false
    }

    /// Opens the list again if the user came from there.
    fn back_to_list(&mut self, purpose: Purpose) {
        let last = self.explore.debug.breakpoints.len().saturating_sub(1);
        let at = match purpose {
            Purpose::Breakpoint(at) => Some(at),
            Purpose::AddedToList => Some(last),
            Purpose::NewBreakpoint | Purpose::LogFilter => None,
        };
        if let Some(at) = at {
            self.open(BreakList(List::at(at)));
        }
    }

    /// Sets the breakpoints that were saved, by their texts; one that is not possible here is told.
    pub(crate) fn restore_breakpoints(&mut self, saved: &[(String, bool)]) {
        self.explore.debug.breakpoints.clear();
        for (text, on) in saved {
            match Breakpoint::parse(text, &self.subject) {
                Ok(parsed) => {
                    let mut breakpoint = Break::new(parsed);
                    breakpoint.on = *on;
                    self.explore.debug.breakpoints.push(breakpoint);
                }
                Err(e) => self.say(Level::Warning, e.to_string()),
            }
        }
    }

    /// Parses the breakpoints and the filter again after the searched position changed, since their lines start there.
    pub(crate) fn read_breakpoints_again(&mut self) {
        for breakpoint in &mut self.explore.debug.breakpoints {
            breakpoint.read_again(&self.subject);
        }
        let log = &mut self.explore.debug.log;
        log.filter =
            (log.filter.take()).and_then(|f| Breakpoint::parse(f.text(), &self.subject).ok());
        log.forget();
    }
}
