//! Commands that act on the tree, the search and the screen.

use std::time::{Duration, Instant};

use super::{Ask, Context, Effect, Level};
use crate::app::App;
use crate::overlays::chooser::Item;
use crate::panes::Pane;
use crate::panes::tree::Row;
use crate::source::Source;
use crate::tabs::Tab;
use game::{Game, Scale};
use report::lens::{Lens, Unit, Viewpoint};
use session::{Reader, State, Status, Subject};
use studies::lesson::Fact;
use tree::Tree;

impl Context {
    /// Searches the selected node again if it was searched but its subtree was not recorded. The node opens as soon as
    /// it has children. Returns whether such a search was started.
    pub(crate) fn search_again(&mut self) -> bool {
        let (Some(row), Some(source)) = (self.explore.tree.selected_row(), &self.session) else {
            return false;
        };
        if !source.can_search_again(row.node) {
            return false;
        }
        source.search_again(row.node);
        self.explore.again = Some((row.node, Instant::now() + Duration::from_secs(1)));
        self.say(
            Level::Info,
            "not recorded: searching it again with its window and depth",
        );
        true
    }

    /// Opens the node that was searched again, once it has children.
    pub(crate) fn open_searched_again(&mut self) {
        let Some((node, until)) = self.explore.again else {
            return;
        };
        let opened = self.with_tree(|e, r| e.open_node(r, node)) == Some(true);
        if opened || Instant::now() >= until {
            self.explore.again = None;
        }
    }

    /// Returns the selected row, if the search has started.
    pub fn selected(&self) -> Option<(Row, Reader<'_>)> {
        Some((
            self.explore.tree.selected_row()?,
            self.session.as_ref()?.reader(),
        ))
    }

    pub fn toggle_pause(&mut self) {
        let Some(session) = &mut self.session else {
            self.start_search();
            return;
        };
        let state = session.status().state;
        if self.explore.debug.shown && state == State::Paused {
            self.mark_from_here();
        }
        if state == State::Paused {
            self.go_past_limit();
        }
        // An external engine is paused and resumed as a column.
        if let (Some(Source::Told(..)), Some(column)) = (&self.session, self.columns.lent_column())
        {
            self.pause_or_resume(column, state == State::Running);
            return;
        }
        let Some(session) = &mut self.session else {
            return;
        };
        match state {
            State::Running => session.pause(),
            State::Paused => session.resume(),
            State::Finished(_) => self.say(Level::Info, "search finished – x restarts"),
        }
        self.explore.tree.touch();
    }

    pub fn restart(&mut self) {
        self.give_up_search("restart the search", |app| {
            if !app.cx.run_again_whole() {
                app.cx.start_search();
            }
        });
    }

    /// What is known of the search that is shown, if it has run for so long that it is not soon repeated.
    pub(crate) fn long_search(&mut self) -> Option<Status> {
        /// A search of this length is soon repeated.
        const SOON: Duration = Duration::from_secs(10);
        let long = self.status().filter(|status| status.elapsed >= SOON);
        long.filter(|_| self.live().is_some() && !self.reading.is_under_way())
    }

    /// Does what ends the search that is shown; asks first if that search has run for long.
    pub(crate) fn give_up_search(&mut self, what: &'static str, act: fn(&mut App)) {
        let Some(status) = self.long_search() else {
            self.asks.push(Ask::Do(act));
            return;
        };
        let lost = format!(
            "its {} nodes of {} are lost",
            text::count_of(status.totals.nodes),
            text::duration(status.elapsed)
        );
        self.confirm(what, Item::new(what, lost), act);
    }

    /// Returns the moves that lead to the selected row, without move numbers: `e4 e5 Nf3`.
    pub fn selected_moves(&self) -> String {
        let Some((row, reader)) = self.selected() else {
            return String::new();
        };
        let codes = self.explore.tree.moves_to(reader, &row);
        let names = reader.names(Tree::ROOT, &codes);
        let names: Vec<String> = names.into_iter().map(|n| n.san).collect();
        names.join(" ")
    }

    pub(crate) fn copy(&mut self, text: String) {
        if text.is_empty() {
            self.say(Level::Info, "nothing to copy at the root");
            return;
        }
        self.say(Level::Info, format!("copied: {text}"));
        self.effects.push(Effect::Copy(text));
    }

    /// Shows or hides the best lines from the root, whatever the room.
    pub fn toggle_root_lines(&mut self) {
        let shown = self.explore.root_lines_shown;
        self.explore.root_lines = Some(!shown);
    }

    /// Shows scores in the next unit.
    pub fn next_unit(&mut self) {
        let unit = after(&Unit::ALL, self.lens.unit);
        self.turn_lens(Lens { unit, ..self.lens });
    }

    /// Shows scores from the next viewpoint.
    pub fn next_viewpoint(&mut self) {
        let viewpoint = after(&Viewpoint::SHOWN, self.lens.viewpoint);
        self.turn_lens(Lens {
            viewpoint,
            ..self.lens
        });
    }

    fn turn_lens(&mut self, lens: Lens) {
        if let Some(what) = Lens::fixed(&self.subject.position) {
            return self.say(Level::Info, what);
        }
        self.lens = lens;
        self.chosen_lens.note(lens);
        self.say(Level::Info, format!("scores: {}", self.lens_words()));
    }

    /// Returns the unit and the viewpoint of the scores on the screen: `pawns, White's view`.
    pub fn lens_words(&self) -> String {
        let position = &self.subject.position;
        let root = position.side_name(position.turn());
        self.lens.words(self.scale(), root)
    }

    /// Returns the viewpoint of the scores on the screen: `White's view`.
    pub fn view_words(&self) -> String {
        let position = &self.subject.position;
        let root = position.side_name(position.turn());
        self.lens.view_words(self.scale(), root)
    }

    /// Returns how the scores on the screen are written: another program's in its own unit.
    pub fn scale(&self) -> Scale {
        let of_position = || self.subject.position.scale();
        match &self.columns.running {
            Some(running) if self.tab == Tab::Compare => running.merged(None).scale(),
            _ if !self.in_explore() => of_position(),
            _ => {
                { self.session.as_ref() }.map_or_else(of_position, |source| source.reader().scale())
            }
        }
    }

    /// Whether the live search's tree is on the screen: in Explore, and beside a lesson or quiz.
    pub fn in_explore(&self) -> bool {
        (self.tab.kind().shows_tree)(self)
    }

    /// Shows the live search, beside the text if a text is open.
    pub(crate) fn show_explore(&mut self) {
        if !self.in_explore() {
            self.tab = Tab::Explore;
        }
    }

    /// Whether the tab's search, or the search that its status shows, is running.
    pub(crate) fn search_runs(&self) -> bool {
        match self.tab.kind().has_cores {
            true => self.comparison_runs(),
            false => self.state() == Some(State::Running),
        }
    }

    /// Whether what is shown of the live search, of the columns or of the file changes by itself.
    pub(crate) fn is_live(&self) -> bool {
        let again = self
            .explore
            .again
            .is_some_and(|(_, until)| Instant::now() < until);
        again
            || self.explore.hunt.is_some()
            || self.explore.board.threats.is_searching()
            || self
                .explore
                .asking
                .as_ref()
                .is_some_and(|asking| asking.is_searching())
            || !self.document.is_complete()
            || self.search_runs()
    }

    pub fn next_pane(&mut self, by: isize) {
        self.explore.focus = self.pane_after(by);
        self.show_explore();
    }

    /// Returns the panes of the live search that can have the focus, in the order in which `Tab` goes through them.
    pub(crate) fn panes(&self) -> Vec<Pane> {
        const ORDER: [Pane; 4] = [Pane::Tree, Pane::Log, Pane::Inspector, Pane::Board];
        let shown = |p: &Pane| match p {
            Pane::Log => self.explore.debug.shown && self.shows(Fact::Log) && !self.presenting,
            Pane::Inspector => {
                let is_minor = self.presenting && self.tab == Tab::Learn;
                self.shows(Fact::Inspector) && !is_minor
            }
            Pane::Tree | Pane::Board => true,
        };
        ORDER.into_iter().filter(shown).collect()
    }

    /// Returns the focused pane's place among [`Context::panes`].
    pub(crate) fn pane_place(&self) -> usize {
        let place = self.panes().iter().position(|p| *p == self.explore.focus);
        place.unwrap_or(0)
    }

    /// Returns the pane that `Tab` goes to: so many panes after the focused one.
    pub(crate) fn pane_after(&self, by: isize) -> Pane {
        let panes = self.panes();
        let at = self.pane_place() as isize + by;
        panes[at.rem_euclid(panes.len() as isize) as usize]
    }
}

/// Returns what follows in a list, beginning again after the last.
fn after<T: Copy + PartialEq>(list: &[T; 3], now: T) -> T {
    let at = list.iter().position(|&one| one == now).unwrap_or(2);
    list[(at + 1) % list.len()]
}

/// Returns moves from the root as a line of play: `9.cxd5 Nxd5`, or names joined by `›`.
pub fn line_of(reader: Reader, codes: &[game::MoveCode]) -> String {
    line_from(reader.subject, codes)
}

/// Returns moves from a position as a line of play, in the format of [`line_of`].
pub fn line_from(start: &Subject, codes: &[game::MoveCode]) -> String {
    let line = start.line_of(codes);
    text::sanitise(&line)
}
