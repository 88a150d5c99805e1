//! What an engine does, counted from the trace that is shown: a page of tables, made on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crossbeam_channel::{Receiver, bounded};
use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::{KeyHint, Overlay};
use crate::component::Event;
use crate::context::{Context, Level};
use crate::reach::{Reach, Sight};
use crate::source::Source;
use crate::views::sheet::block_lines;
use crate::views::{popup, popup_area};
use game::Game as _;
use report::engine::{Audited, sheet, verdict};
use screen::glyphs::Glyphs;
use screen::pen::{Line, Pen};
use screen::theme::Role;
use search::{Limits, Recorded};
use session::{Config, Subject, beside};
use text::sanitise;
use traced::audit::Audit;

/// The page's text, which can be scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditTarget {
    Text,
}

/// The page, once it is counted.
struct Page {
    counting: Option<Receiver<Result<Audited, String>>>,
    counted: Vec<Audited>,
    /// What plyscope's own search is put beside, where it knows the game.
    beside: Option<(Arc<dyn Recorded>, Subject)>,
    /// Why something could not be counted.
    failed: Option<String>,
    top: usize,
    /// Set when the page closes, so that nothing is counted for nobody.
    closed: Arc<AtomicBool>,
}

impl Drop for Page {
    fn drop(&mut self) {
        self.closed.store(true, Relaxed);
    }
}

impl Page {
    fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by);
    }

    /// Counts on a thread of its own.
    fn count(
        &mut self,
        count: impl FnOnce(&AtomicBool) -> Result<Audited, String> + Send + 'static,
    ) {
        let (sender, counting) = bounded(1);
        let closed = Arc::clone(&self.closed);
        let count = move || {
            let _ = sender.send(count(&closed));
        };
        match std::thread::Builder::new()
            .name("audit".into())
            .spawn(count)
        {
            Ok(_) => self.counting = Some(counting),
            Err(e) => self.failed = Some(format!("no thread: {e}")),
        }
    }

    /// Counts what plyscope's own search of the same position does.
    fn put_beside(&mut self) {
        let Some((recorded, subject)) = self.beside.take_if(|_| self.counting.is_none()) else {
            return;
        };
        let Some(counted) = self.counted.first().map(|first| first.audit.clone()) else {
            return;
        };
        let config = beside(&recorded, &counted, None);
        self.count(move |closed| own(&subject, &config, closed));
    }

    fn lines(&self, glyphs: &Glyphs, width: usize) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for audited in &self.counted {
            lines.push(vec![(verdict(audited), Role::Hint)]);
        }
        if let Some(failed) = &self.failed {
            lines.push(vec![(failed.clone(), Role::Error)]);
        }
        if self.counting.is_some() {
            lines.push(vec![("counting …".to_owned(), Role::Dim)]);
        }
        if self.counted.is_empty() {
            return lines;
        }
        lines.push(Vec::new());
        for block in sheet(&self.counted).blocks.iter().skip(1) {
            lines.extend(block_lines(block, glyphs, width));
            lines.push(Vec::new());
        }
        lines
    }
}

impl Overlay for Page {
    fn keys(&self) -> Vec<KeyHint> {
        let mut keys = vec![("j", "down"), ("k", "up"), ("space", "page down")];
        if self.beside.is_some() && !self.counted.is_empty() {
            keys.push(("b", "plyscope's own beside it"));
        }
        keys.push(("Esc", "close"));
        keys
    }

    fn handle(&mut self, _: &mut Reach, event: &Event) -> bool {
        match event.of() {
            Event::Key(key, _) => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q') => return false,
                KeyCode::Char('c') if key.ctrl => return false,
                KeyCode::Char('b') => self.put_beside(),
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
            match counted {
                Ok(counted) => self.counted.push(counted),
                Err(failed) => self.failed = Some(failed),
            }
            self.counting = None;
        }
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        let rect = popup_area(area, 110, area.height - 2);
        let inner = popup(pen, rect, "what the engine does");
        let lines = self.lines(pen.glyphs, usize::from(inner.width.saturating_sub(2)));
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

    /// Counts what the engine whose trace is shown does, or what plyscope's own search does, and shows it.
    pub fn show_audit(&mut self) {
        let Some(session) = &self.session else {
            return self.say(Level::Info, "there is no search yet: s starts one");
        };
        if let Source::Told(..) = session {
            let what = "an engine that speaks UCI alone tells no more than its lines: with a trace the page counts what it does";
            return self.say(Level::Info, what);
        }
        let config = session.config().clone();
        let subject = session.reader().subject.clone();
        let mut page = Page {
            counting: None,
            counted: Vec::new(),
            beside: None,
            failed: None,
            top: 0,
            closed: Arc::default(),
        };
        match config.recorded.clone() {
            Some(recorded) => {
                let is_known = subject.position.has_rules();
                let root = subject.position.as_chess().cloned();
                page.beside = is_known.then(|| (Arc::clone(&recorded), subject));
                let name = sanitise(config.name());
                page.count(move |_| {
                    let audit = Audit::of(recorded.as_ref(), root.as_ref());
                    Ok(Audited { name, audit })
                });
            }
            None => {
                let config = again(&config, session.status().totals.nodes);
                page.count(move |closed| own(&subject, &config, closed));
            }
        }
        self.open(page);
    }
}

/// The search that is shown, as it is run again to count what it does: on one thread, with the nodes that it has now, but at most
/// what takes seconds.
fn again(config: &Config, nodes: u64) -> Config {
    const NODES: u64 = 1_000_000;
    let mut config = Config {
        threads: 1,
        tables: None,
        bell: None,
        ..config.clone()
    };
    config.limits = Limits {
        nodes: Some(nodes.clamp(1, NODES)),
        depth: config.limits.depth,
        ..Limits::default()
    };
    config
}

/// What a search of plyscope's own does.
fn own(subject: &Subject, config: &Config, closed: &AtomicBool) -> Result<Audited, String> {
    let audit = session::audit(subject, config, || closed.load(Relaxed));
    let audit = audit.map_err(|error| error.to_string())?;
    let name = config.name().to_owned();
    Ok(Audited { name, audit })
}
