//! Finding particular rows: failed audits, a proof.

use crate::component::Request;
use crate::context::{Ask, Context, Level};
use crate::panes::tree::Filter;
use report::why::proven_in_full;

impl Context {
    /// Goes to the next (previous) node that was pruned although it was best.
    pub(super) fn next_failed_audit(&mut self, by: isize) {
        match self.with_tree(|e, r| e.next_failed_audit(r, by)).flatten() {
            Some((at, count)) => {
                self.explore.inspector_top = 0;
                self.say(
                    Level::Info,
                    format!("pruned, but it was best: {at} of {count}"),
                );
            }
            None => self.say(Level::Info, self.no_failed_audit()),
        }
    }

    /// Applies a filter; the filter for failed audits also opens the paths to them.
    pub(crate) fn show_only(&mut self, filter: Filter) {
        if filter == Filter::Proof {
            self.asks.push(Ask::Request(Request::Proof));
            return;
        }
        let failed = filter == Filter::FailedAudit;
        self.explore.tree.set_filter(filter);
        if failed && self.with_tree(|e, r| e.open_failed_audits(r)) == Some(0) {
            self.say(Level::Info, self.no_failed_audit());
        } else {
            self.tell_if_nothing_fits();
        }
    }

    /// Shows only the part of the tree that proves the selected node's result, or all of it again.
    pub fn toggle_proof(&mut self) {
        if self.explore.tree.filter == Filter::Proof {
            self.explore.tree.set_filter(Filter::All);
        } else {
            self.asks.push(Ask::Request(Request::Proof));
        }
    }

    pub(super) fn show_proof(&mut self) {
        let lens = self.lens;
        let shown = self.with_tree(|explorer, reader| {
            let (top, size) = explorer.show_proof(reader)?;
            let view = reader.view(top);
            let words = proven_in_full(view.proof, &lens.at(&reader, top));
            Some((words, size))
        });
        let Some((words, size)) = shown.flatten() else {
            let what =
                "nothing is proven here that the tree could show: mcts and distress prove results";
            self.say(Level::Info, what);
            return;
        };
        self.explore.inspector_top = 0;
        let over = if size.complete { "" } else { "more than " };
        let condition = if size.path_dependent {
            ", on this path to the position"
        } else {
            ""
        };
        self.say(
            Level::Info,
            format!(
                "{words}, shown by {over}{} nodes, {over}{} plies{condition}",
                size.nodes, size.plies
            ),
        );
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
