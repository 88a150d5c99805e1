//! The audits that failed, among the rows.

use super::{App, Level};
use crate::tui::explorer::Filter;

impl App {
    /// To the next (previous) node that was pruned although it was best.
    pub fn next_failed_audit(&mut self, by: isize) {
        if self.in_compare() {
            self.say(Level::Info, "failed audits are looked for in Explore");
            return;
        }
        match self.with_tree(|e, r| e.next_failed_audit(r, by)).flatten() {
            Some((at, count)) => {
                self.inspector_top = 0;
                self.say(
                    Level::Info,
                    format!("pruned, but it was best: {at} of {count}"),
                );
            }
            None => self.say(Level::Info, self.no_failed_audit()),
        }
    }

    /// Shows some of the rows; where failed audits are asked for, opens the way to them.
    pub(super) fn show_only(&mut self, filter: Filter) {
        let failed = filter == Filter::FailedAudit;
        self.explorer.set_filter(filter);
        if failed && self.with_tree(|e, r| e.open_failed_audits(r)) == Some(0) {
            self.say(Level::Info, self.no_failed_audit());
        }
    }

    fn no_failed_audit(&self) -> &'static str {
        let options = self.config.options.iter();
        let audits = options
            .filter(|(spec, _)| spec.key == "audit")
            .any(|(_, value)| value.to_string() != "0");
        if audits {
            "no audit has failed so far"
        } else {
            "nothing is audited: a, and among alpha-beta's options audit (20: one in twenty)"
        }
    }
}
