//! The limit of nodes of a search that was given none of its own: it pauses there, and a key lets it go on.

use super::{Context, Level};
use search::Limits;

/// The usual limit: some ten seconds of a fast search, and less memory than a small machine has.
pub(super) const NODES: u64 = 10_000_000;

impl Context {
    /// Sets the limit of a search that has just been started.
    pub(super) fn limit_search(&mut self) {
        let limits = &self.config.limits;
        let own = limits.nodes.is_some()
            || limits.time.is_some()
            || limits.cpu.is_some()
            || limits.depth.is_some()
            || limits.playouts.is_some();
        let limit = self.node_limit.filter(|_| !own);
        if let Some(session) = self.live() {
            // Another program's search has the length that it has.
            let is_told = session.config().algorithm.is_told();
            session.set_pause_after(limit.filter(|_| !is_told));
        }
    }

    /// Raises the limit of the search that is shown, by so many million nodes, or to twice as many.
    pub fn raise_limit(&mut self, millions: Option<usize>) {
        let Some(limit) = self.session.as_ref().and_then(|s| s.pause_after()) else {
            let what = match self.config.limits == Limits::default() {
                true => "nothing limits the nodes of this search",
                false => "this search ends at the limits it was started with",
            };
            self.say(Level::Info, what);
            return;
        };
        let raised = match millions {
            Some(n) => limit.saturating_add((n as u64).saturating_mul(1_000_000)),
            None => limit.saturating_mul(2),
        };
        if let Some(session) = self.live() {
            session.set_pause_after(Some(raised));
        }
        self.say(
            Level::Info,
            format!("the search pauses at {} nodes", text::count_of(raised)),
        );
    }

    /// Raises the limit if the search has reached it and is asked to go on.
    pub(crate) fn go_past_limit(&mut self) {
        let over = self.live().is_some_and(|session| session.is_over_goal());
        if over {
            self.raise_limit(None);
        }
    }

    /// Says that the search has paused at its limit, once; ends a run to a breakpoint there.
    pub(crate) fn look_at_limit(&mut self) {
        let Some(session) = self.live() else {
            return;
        };
        let Some(limit) = session.pause_after() else {
            return;
        };
        let running = session.is_stepping() && session.event_position().under_way.is_none();
        let reached = session.has_reached_goal();
        if running && session.is_over_goal() {
            session.cancel();
        } else if !reached {
            return;
        }
        if self.explore.limit_told != Some(limit) {
            self.explore.limit_told = Some(limit);
            let key = crate::views::bar::key_of_command(self, "pause");
            self.say(
                Level::Info,
                format!(
                    "paused at the limit of {} nodes · {key} continues to {}",
                    text::count_of(limit),
                    text::count_of(limit.saturating_mul(2))
                ),
            );
        }
    }
}
