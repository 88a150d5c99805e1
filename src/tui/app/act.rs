//! Commands that concern the tab on the screen, whichever it is.

use super::App;
use crate::component::{Component, Event, Handled, Request};
use crate::panes::drawing::DrawingPane;
use crate::panes::tree::TreePane;
use crate::tabs::{Scope, Tab};
use session::Subject;

impl App {
    /// Sends a request to the focused component, then to the tree if that component does not handle it.
    pub fn request(&mut self, request: Request) {
        let event = request.into();
        let tree: [Box<dyn Component>; 2] = [Box::new(DrawingPane), Box::new(TreePane)];
        let focused = self
            .cx
            .in_explore()
            .then(|| self.cx.explore.focus.component());
        self.offer(&event, focused.into_iter().chain(tree));
    }

    /// Offers an event to the tab, then to these panes; returns whether one of them handled it.
    pub(crate) fn offer(
        &mut self,
        event: &Event,
        panes: impl IntoIterator<Item = Box<dyn Component>>,
    ) -> bool {
        let cx = &mut self.cx;
        self.tabs.get_mut(cx.tab).handle(cx, event) == Handled::Yes
            || panes
                .into_iter()
                .any(|mut pane| pane.handle(cx, event) == Handled::Yes)
    }

    /// Returns the position at the selection.
    pub fn selected_subject(&self) -> Option<Subject> {
        self.tab().selected_subject(&self.cx)
    }

    /// Searches the position of the selected node.
    pub fn search_here(&mut self) {
        let Some(subject) = self.selected_subject() else {
            return;
        };
        let line = self.selected_line();
        if line.is_empty() {
            return;
        }
        self.cx.leave_tree_to_next();
        let before = self.cx.detour.take().map(|(_, name)| name + " ");
        self.cx.subject = subject.clone();
        self.cx.detour = Some((subject, before.unwrap_or_default() + &line));
        self.cx.start_search();
    }

    /// Returns the moves that lead to the selection, in the usual notation.
    pub fn selected_line(&self) -> String {
        self.tab().selected_line(&self.cx)
    }

    pub fn copy_fen(&mut self) {
        let text = match self.selected_subject() {
            Some(s) => s.position.fen().unwrap_or_else(|| self.selected_line()),
            None => return,
        };
        self.cx.copy(text);
    }

    pub fn copy_line(&mut self) {
        let line = self.selected_line();
        self.cx.copy(line);
    }

    pub fn show_tab(&mut self, tab: Tab) {
        let before = std::mem::replace(&mut self.cx.tab, tab);
        self.tabs
            .game
            .hold_review(&mut self.cx, tab.kind().has_cores);
        if before != tab {
            self.cx.small.part = 0;
            self.tabs.get_mut(before).goes(&mut self.cx);
        }
        self.tabs.get_mut(tab).comes(&mut self.cx, before);
    }

    /// Returns where keys are pressed: the tab, and its page if it has pages.
    pub fn scope(&self) -> Scope {
        Scope {
            tab: self.cx.tab,
            page: self.tab().page(&self.cx),
        }
    }

    /// Whether something that runs has produced a result that is not on the screen yet.
    pub fn has_news(&self) -> bool {
        self.tab().has_news(&self.cx)
            || self.cx.explore.again.is_some()
            || self.cx.again_share().is_some()
            || self.cx.search_runs()
    }

    /// Whether figures change by themselves: a search or something else that a tab began runs, or a node is being searched
    /// again.
    pub fn is_running(&self) -> bool {
        self.cx.is_live()
            || self.cx.is_attached()
            || self.cx.is_overlay_busy()
            || self.tabs.all().any(|tab| tab.is_running(&self.cx))
    }
}
