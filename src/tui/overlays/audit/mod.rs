//! What an engine does, counted from the trace that is shown: a page of tables, made on a thread of its own.

use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{KeyHint, Overlay};
use crate::component::Event;
use crate::context::{Context, Level};
use crate::reach::{Reach, Sight};
use crate::views::{popup, popup_area};
use report::engine::{Audited, sheet, verdict};
use report::text::Style;
use screen::pen::{Line, Pen};
use screen::theme::Role;
use text::sanitise;
use traced::audit::Audit;

/// The page's text, which can be scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditTarget {
    Text,
}

/// The page, once it is counted.
struct Page {
    counting: Option<Receiver<Audited>>,
    counted: Option<Audited>,
    top: usize,
}

impl Page {
    fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by);
    }

    fn lines(&self, ascii: bool) -> Vec<Line> {
        let Some(audited) = &self.counted else {
            return vec![vec![("counting …".to_owned(), Role::Dim)]];
        };
        let mut lines = vec![vec![(verdict(audited), Role::Hint)], Vec::new()];
        for block in sheet(std::slice::from_ref(audited)).blocks.iter().skip(1) {
            lines.push(vec![(block.title.clone(), Role::Heading)]);
            for (i, row) in block.table.text(Style { ascii }).lines().enumerate() {
                let role = if i == 0 { Role::Dim } else { Role::Hint };
                lines.push(vec![(format!("  {row}"), role)]);
            }
            lines.push(Vec::new());
        }
        lines
    }
}

impl Overlay for Page {
    fn keys(&self) -> Vec<KeyHint> {
        vec![
            ("j", "down"),
            ("k", "up"),
            ("space", "page down"),
            ("Esc", "close"),
        ]
    }

    fn handle(&mut self, _: &mut Reach, event: &Event) -> bool {
        match event.of() {
            Event::Key(key, _) => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return false,
                KeyCode::Char('c') if key.ctrl => return false,
                KeyCode::Char('j') | KeyCode::Down => self.scroll(1),
                KeyCode::Char('k') | KeyCode::Up => self.scroll(-1),
                KeyCode::PageDown | KeyCode::Char(' ') => self.scroll(15),
                KeyCode::PageUp => self.scroll(-15),
                KeyCode::Home | KeyCode::Char('g') => self.top = 0,
                KeyCode::End | KeyCode::Char('G') => self.top = usize::MAX / 2,
                _ => {}
            },
            Event::LastTop(Some(AuditTarget::Text), last) => self.top = last.min(self.top),
            Event::Wheel(_, by) => self.scroll(by),
            _ => {}
        }
        true
    }

    fn is_busy(&self) -> bool {
        self.counting.is_some()
    }

    fn update(&mut self, _: &Context, _: Rect) {
        if let Some(counted) = self
            .counting
            .as_ref()
            .and_then(|counting| counting.try_recv().ok())
        {
            self.counted = Some(counted);
            self.counting = None;
        }
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        let rect = popup_area(area, 110, area.height - 2);
        let inner = popup(pen, rect, "what the engine does");
        let lines = self.lines(pen.glyphs.ascii);
        let height = usize::from(inner.height);
        let top = pen.scrolled(AuditTarget::Text, self.top, lines.len(), height);
        let text = Rect {
            x: inner.x + 1,
            width: inner.width.saturating_sub(1),
            ..inner
        };
        pen.lines(text, lines.iter().skip(top));
        if lines.len() > height {
            let last = (top + height).min(lines.len());
            let note = format!("{last} of {} lines", lines.len());
            pen.frame_note(rect, rect.bottom() - 1, &note, Role::Dim);
        }
    }
}

impl Context {
    /// Whether what is open above the tab waits for another thread.
    pub(crate) fn is_overlay_busy(&self) -> bool {
        self.overlay
            .as_ref()
            .is_some_and(|overlay| overlay.is_busy())
    }

    /// Counts what the engine whose trace is shown does, and shows it.
    pub fn show_audit(&mut self) {
        let config = self
            .session
            .as_ref()
            .map(|session| session.config().clone());
        let Some((config, recorded)) = config.and_then(|c| Some((c.clone(), c.recorded?))) else {
            let what = "this is plyscope's own search: the page counts what another engine does, from its trace";
            return self.say(Level::Info, what);
        };
        let (sender, counting) = bounded(1);
        let name = sanitise(config.name());
        let recorded = Arc::clone(&recorded);
        let root = self.subject.position.as_chess().cloned();
        let count = move || {
            let audit = Audit::of(recorded.as_ref(), root.as_ref());
            let _ = sender.send(Audited { name, audit });
        };
        if let Err(e) = std::thread::Builder::new()
            .name("audit".into())
            .spawn(count)
        {
            return self.say(Level::Error, format!("no thread: {e}"));
        }
        self.open(Page {
            counting: Some(counting),
            counted: None,
            top: 0,
        });
    }
}
