//! One turn of the main loop, and what concerns all searches.

use super::App;
use crate::component::Request;
use crate::tabs::Tab;

impl App {
    /// Cancels what is under way in the tab's own searches; a tab without any cancels what is under way in Explore's, or
    /// otherwise goes back from a leaf's search, or removes the log's filter.
    pub fn cancel(&mut self) {
        if self.offer(&Request::Cancel.into(), None)
            || self.cx.cancel_again()
            || self.cx.cancel_hunt()
            || self.cx.close_answer()
            || self.cx.stop_playing()
        {
            return;
        }
        self.cx.explore.debug.then = None;
        self.cx.forget_run_to();
        if !self.cx.search_is_stepping() {
            if self.cx.end_line() || self.cx.close_leaf_search() {
                return;
            }
            if self.cx.explore.debug.shown {
                self.cx.show_all_events();
            } else if self.cx.in_explore() && self.cx.is_again_shown() {
                self.go_back(1);
            }
        } else if let Some(session) = self.cx.live() {
            session.cancel();
        }
    }

    /// Whether something is under way that will stop any search at an event.
    pub fn is_stepping(&self) -> bool {
        self.cx.search_is_stepping() || self.tabs.all().any(|tab| tab.is_stepping(&self.cx))
    }

    /// Takes the results of the searches, once per turn of the main loop.
    pub fn tend(&mut self) {
        self.cx.tend_saving();
        self.cx.tend_exporting();
        self.cx.tend_search();
        self.cx.tend_threat();
        self.cx.tend_attached();
        self.tend_reruns();
        self.cx.dirty |= self.cx.is_overlay_busy();
        for tab in Tab::ALL {
            self.tabs.get_mut(*tab).tend(&mut self.cx);
        }
        self.do_asked();
    }
}
