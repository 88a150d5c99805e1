//! Commands that stop the search at the selected node, or at its beginning.

use crate::context::{Context, Level};
use crate::panes::debugger::breaks::Break;
use session::breakpoint::Breakpoint;
use session::debug::Step;

impl Context {
    pub(crate) fn toggle_break_at(&mut self, clause: &str) {
        let text = self.clause_at(clause);
        let breakpoint = match Breakpoint::parse(&text, &self.subject) {
            Ok(breakpoint) => breakpoint,
            Err(refused) => return self.say(Level::Error, refused.to_string()),
        };
        let breakpoints = &mut self.explore.debug.breakpoints;
        let what = match breakpoints.iter().position(|b| b.says(&breakpoint)) {
            Some(at) => {
                breakpoints.remove(at);
                format!("no breakpoint any more: {text}")
            }
            None => {
                breakpoints.push(Break::new(breakpoint));
                format!(
                    "breakpoint {}: {text} (every run stops there)",
                    breakpoints.len()
                )
            }
        };
        self.say(Level::Info, what);
        self.set_breakpoints();
    }

    /// Returns a clause of a breakpoint with the selected node as its place.
    fn clause_at(&self, clause: &str) -> String {
        match self.selected_moves() {
            root if root.is_empty() => format!("{clause} root"),
            moves => format!("{clause} \"{moves}\""),
        }
    }

    /// Runs until the search comes to the selected node, or to a breakpoint before it.
    pub fn run_to_here(&mut self) {
        if !self.can_step() {
            return;
        }
        let breakpoint = match Breakpoint::parse(&self.clause_at("at"), &self.subject) {
            Ok(breakpoint) => breakpoint,
            Err(refused) => return self.say(Level::Error, refused.to_string()),
        };
        let name = self.selected_name();
        self.say(
            Level::Info,
            format!("running until the search comes to {name}; Esc stops it"),
        );
        self.explore.debug.run_to = Some((breakpoint, name));
        self.set_breakpoints();
        self.step_to_break();
    }

    /// Forgets the place where the search was to stop once, after it has stopped.
    pub(crate) fn forget_run_to(&mut self) {
        if self.explore.debug.run_to.take().is_some() {
            self.set_breakpoints();
        }
    }

    /// Restarts the search and stops at its first event.
    pub fn restart_stopped(&mut self) {
        self.give_up_search("restart the search", |app| app.cx.restart_at_first_event());
    }

    fn restart_at_first_event(&mut self) {
        if self.run_again_to(1) {
            return;
        }
        let place = self.with_tree(|explorer, reader| explorer.place(reader));
        self.stop_search();
        self.columns.hold();
        self.wait_to_search();
        self.read_breakpoints_again();
        self.set_breakpoints();
        if let Some(place) = place {
            self.explore.tree.resume(place);
        }
        self.asks.push(crate::context::Ask::SearchBegan);
        self.step(Step::Into, None);
    }
}
