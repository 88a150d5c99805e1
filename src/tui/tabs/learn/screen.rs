//! The Learn tab as a component: the list of lessons, or the text beside the live search.

use ratatui::layout::Rect;

use super::layout::{Beside, Places};
use super::{LearnTarget, view};
use crate::component::{Component, Event, Handled, Request, without_repeats};
use crate::context::{Ask, Context, Level};
use crate::exporting::Offer;
use crate::overlays::help::Help;
use crate::panes::drawing::view as drawing_view;
use crate::panes::drawing::view::update_below_rows;
use crate::tabs::explore::layout::Layout;
use crate::tabs::explore::{draw_panes, update_panes};
use crate::tabs::learn::LearnTab;
use crate::tabs::{Kind, Tab, TabScreen};
use screen::pen::Pen;
use studies::lesson::Fact;

fn layout(cx: &Context, area: Rect) -> Places {
    let panes = match cx.reading.is_open() {
        true if cx.small.on && cx.small.part > 0 => Layout::single(area, cx.explore.focus, false),
        true if !cx.small.on => {
            return Places::beside_text(area, cx.explore.focus, Beside::of(cx));
        }
        _ => Layout {
            text: Some(area),
            ..Layout::default()
        },
    };
    Places {
        panes,
        drawing: None,
    }
}

impl LearnTab {
    pub const KIND: Kind = Kind {
        shows_tree: |cx| cx.reading.is_open(),
        help_page: Help::GLOSSARY,
        ..Kind::new("Learn")
    };
}

impl Component for LearnTab {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        let Places { panes, drawing } = layout(cx, area);
        update_panes(cx, &panes);
        if let Some(rect) = drawing {
            update_below_rows(cx, rect);
        }
        if let Some(rect) = panes.text {
            view::update(self, cx, rect);
        }
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        let Places { panes, drawing } = layout(cx, area);
        draw_panes(cx, pen, &panes);
        if let Some(rect) = drawing {
            drawing_view::draw(cx, pen, rect);
        }
        if let Some(rect) = panes.text {
            view::draw(self, cx, pen, rect);
        }
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        let lessons = !cx.reading.is_open();
        match event.of() {
            Event::Key(key, _) => return Handled::when(cx.answer_key(key)),
            Event::Request(Request::FollowBest(_) | Request::OpenBestLine) if cx.hides_best() => {
                cx.say(
                    Level::Info,
                    "the best line is shown when the question is answered – H gives a hint",
                );
            }
            Event::Request(request) if lessons => {
                let count = self.shelf().rows();
                return Handled::when(request.moves(&mut self.list, count));
            }
            Event::Click(Some(LearnTarget::Lesson(at)), _) => {
                // A second click opens the lesson.
                if self.list.click(at) {
                    cx.asks.push(Ask::Run("lesson-next"));
                }
            }
            Event::Click(Some(LearnTarget::Choice(at)), _) => cx.choose_answer(at),
            Event::Click(Some(LearnTarget::Text), _) if cx.presenting => {
                cx.asks.push(Ask::Run("lesson-next"))
            }
            Event::Wheel(Some(LearnTarget::Text), by) => cx.scroll_text(by.signum()),
            Event::LastTop(Some(LearnTarget::Text), last) => {
                if let Some(playing) = &mut cx.reading.playing {
                    playing.top = last.min(playing.top);
                }
            }
            Event::Wheel(_, by) if lessons => {
                let count = self.shelf().rows();
                self.list.scroll(by, count);
            }
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, cx: &Context) -> Vec<&'static str> {
        if cx.presenting && cx.reading.is_open() {
            return Vec::new();
        }
        let mut hints = match (cx.reading.is_open(), &cx.reading.quiz) {
            (false, _) => vec!["lesson-next", "down", "up"],
            (true, Some(_)) => vec!["lesson-next", "lesson-leave", "help", "next-pane"],
            (true, None) => vec![
                "lesson-next",
                "lesson-hint",
                "lesson-leave",
                "lesson-back",
                "help",
                "lesson-return",
                "next-pane",
            ],
        };
        if !cx.reading.is_asking() {
            hints.retain(|id| *id != "lesson-hint");
        }
        if cx.reading.playing.is_some() && !cx.has_wandered() {
            hints.retain(|id| *id != "lesson-return");
        }
        if cx.reading.is_open() {
            hints.extend(["down", "open", "up", "close"]);
            // The first lessons have not introduced what other keys do.
            if cx.shows(Fact::Work) || cx.shows(Fact::Fates) {
                hints.extend(cx.explore.focus.component().hints(cx));
                hints.extend(["step", "step-back", "drawing"]);
            }
        }
        hints.extend(["palette", "help", "quit"]);
        if cx.hides_best() {
            hints.retain(|id| !matches!(*id, "best" | "open-best" | "sort" | "why"));
        }
        without_repeats(hints)
    }

    fn name_of(&self, cx: &Context, command: &str) -> Option<&'static str> {
        let here = cx.tab == Tab::Learn;
        let asked = cx
            .reading
            .asked()
            .is_some_and(|(_, answer)| answer.is_none());
        match command {
            "lesson-next" if here && !cx.reading.is_open() => Some("start"),
            "lesson-next" if asked => Some("answer"),
            "help" if here => Some("terms"),
            "tab-learn" if cx.reading.is_open() => Some("back to the text"),
            _ => None,
        }
    }

    fn is_stepping(&self, cx: &Context) -> bool {
        cx.reading.is_under_way()
    }

    fn tend(&mut self, cx: &mut Context) {
        self.tend_learn(cx);
    }
}

impl TabScreen for LearnTab {
    fn exports(&self, cx: &Context) -> Vec<Offer> {
        super::exports::offers(self, cx)
    }

    fn parts(&self, cx: &Context) -> Vec<&'static str> {
        if !cx.reading.is_open() {
            return Vec::new();
        }
        let panes = cx.panes().into_iter();
        let panes = panes.map(|pane| pane.title());
        std::iter::once("text").chain(panes).collect()
    }

    fn part(&self, cx: &Context) -> usize {
        match cx.small.part {
            0 => 0,
            _ => cx.pane_place() + 1,
        }
    }

    fn show_part(&mut self, cx: &mut Context, part: usize) {
        cx.small.part = part;
        if let Some(pane) = part.checked_sub(1) {
            cx.explore.focus = cx.panes()[pane];
        }
    }

    fn pane_name(&self, cx: &Context) -> Option<&'static str> {
        let beside = cx.reading.is_open();
        beside.then(|| cx.explore.focus.title())
    }

    /// What the lesson has not introduced is not shown, nor is anything beside the text when it is shown to a class.
    fn shows_search(&self, cx: &Context) -> bool {
        let shown = cx.reading.shows(Fact::Status) && !cx.presenting;
        shown || !cx.reading.is_open()
    }
}
