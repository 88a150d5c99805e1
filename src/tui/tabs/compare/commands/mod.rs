//! Commands of the Compare tab: when its searches start, pause and resume, and how they share the cores with Explore's.

mod columns;
mod rows;
mod step;

use std::sync::Arc;

use ratatui::layout::Rect;

use super::{letter, view};
use crate::commands::Command;
use crate::component::{Component, Event, Handled};
use crate::context::{Context, Level};
use crate::exporting::Offer;
use crate::panes::debugger;
use crate::source::Source;
use crate::tabs::compare::{Beside, Compare};
use crate::tabs::{Kind, Tab, TabScreen};
use screen::pen::Pen;
use search::{Recorded, is_same_search};
use session::{Config, State, Subject};
use studies::compare::{ColumnSpec, Comparison, Face, Merged, Outline};

impl Compare {
    pub const KIND: Kind = Kind {
        has_cores: true,
        ..Kind::new("Compare")
    };
}

impl Component for Compare {
    fn update(&mut self, cx: &mut Context, area: Rect) {
        view::update(self, cx, area);
    }

    fn draw(&self, cx: &Context, pen: &mut Pen, area: Rect) {
        view::draw(self, cx, pen, area);
    }

    fn handle(&mut self, cx: &mut Context, event: &Event) -> Handled {
        match event.of() {
            Event::Request(request) => return self.ask_rows(cx, request),
            Event::Click(Some(spot), _) => self.click_compare(cx, spot),
            Event::Wheel(_, by) => self.with_view(|list, count| list.scroll(by, count)),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, _: &Context) -> Vec<&'static str> {
        vec![
            "next-difference",
            "compare-pause",
            "open",
            "add-column",
            "next-column",
            "open-column",
            "remove-column",
            "edit-column",
            "budget",
            "compare-sort",
            "differences",
            "best",
            "panel",
            "step-column",
            "next-move",
            "palette",
            "help",
            "quit",
        ]
    }

    fn is_stepping(&self, cx: &Context) -> bool {
        cx.tab == Tab::Compare && cx.columns_step()
    }

    fn tend(&mut self, cx: &mut Context) {
        if cx.tab == Tab::Compare {
            self.tend_columns(cx);
        }
    }
}

impl TabScreen for Compare {
    fn exports(&self, cx: &Context) -> Vec<Offer> {
        super::exports::offers(cx)
    }

    fn parts(&self, _: &Context) -> Vec<&'static str> {
        view::PARTS.to_vec()
    }

    fn show_part(&mut self, cx: &mut Context, part: usize) {
        cx.small.part = part;
        if let Some(panel) = view::panel_of(part) {
            self.panel = panel;
        }
    }

    fn comes(&mut self, cx: &mut Context, before: Tab) {
        if before != Tab::Compare {
            self.open_comparison(cx);
        }
    }

    fn goes(&mut self, cx: &mut Context) {
        cx.leave_comparison();
    }

    fn search_began(&mut self, cx: &mut Context) {
        self.open_comparison(cx);
    }

    /// Refuses the debugger's keys that mean Explore's search.
    fn refuses(&self, command: &Command) -> Option<String> {
        let of_debugger = debugger::keys::COMMANDS.commands.iter();
        let refused = of_debugger.map(|c| c.id).any(|id| id == command.id)
            && !["breakpoints", "break", "cancel"].contains(&command.id);
        refused.then(|| {
            format!(
                "{}: in Explore (Enter shows the column there)",
                command.name
            )
        })
    }

    /// It has searches of its own.
    fn shows_search(&self, _: &Context) -> bool {
        false
    }

    fn draw_status(&self, cx: &Context, pen: &mut Pen, area: Rect, left: u16) {
        view::draw_status(self, cx, pen, area, left);
    }

    fn selected_subject(&self, cx: &Context) -> Option<Subject> {
        self.outline_subject(cx)
    }

    fn selected_line(&self, cx: &Context) -> String {
        self.outline_line(cx)
    }
}

impl Context {
    /// Called when another tab is shown: Explore's search resumes if it was running, and then the columns pause.
    pub(super) fn leave_comparison(&mut self) {
        if self.session.is_none() {
            self.start_search();
            return;
        }
        if std::mem::take(&mut self.columns.explore_held) {
            self.columns.hold();
            if let Some(session) = &mut self.session {
                session.resume();
            }
            self.explore.tree.touch();
        }
    }

    /// Takes back a column's search that Explore shows; Explore shows again what it showed before.
    pub(crate) fn return_column(&mut self) {
        let Some(lent) = self.columns.lent.take() else {
            return;
        };
        self.config = lent.config.clone();
        self.columns.lent = Some(lent);
        self.columns.touched = true;
        if let Some(source) = self.session_to_end() {
            self.look_at(source);
            self.set_breakpoints();
        }
    }

    /// Ends the comparison for good.
    pub(crate) fn stop_comparison(&mut self) {
        self.columns.end();
    }

    /// Returns what Explore shows, for the caller to end; a column's search goes back to its column instead.
    pub(crate) fn session_to_end(&mut self) -> Option<Source> {
        self.drop_leaf_search();
        let shown = self.session.take();
        let Some(lent) = self.columns.lent.take() else {
            return shown;
        };
        if let (Some(Source::Live(session)), Some(running)) = (shown, &mut self.columns.running) {
            running.give_back(lent.column, session);
        }
        lent.aside
    }

    /// Returns the columns for reading.
    pub fn faces(&self) -> Vec<Option<Face<'_>>> {
        let running = self.columns.comparison();
        running.map_or_else(Vec::new, |r| r.faces(self.lent_session()))
    }

    fn lent_session(&self) -> Option<&session::Session> {
        self.columns.lent.as_ref()?;
        self.searched()?.live()
    }

    /// Returns the merged trees.
    pub(crate) fn merged(&self) -> Option<Merged<'_>> {
        let running = self.columns.running.as_ref()?;
        Some(running.merged(self.lent_session()))
    }

    /// Whether figures of the tab change by themselves.
    pub(crate) fn comparison_runs(&self) -> bool {
        let mut faces = self.faces().into_iter().flatten();
        faces.any(|face| face.status().state == State::Running && face.trouble().is_none())
    }

    /// Pauses or resumes a column; returns false if it has ended, or is in that state already.
    pub(crate) fn pause_or_resume(&mut self, column: usize, pause: bool) -> bool {
        let Some(running) = &mut self.columns.running else {
            return false;
        };
        let Some(Some(face)) = running.faces(None).get(column).copied() else {
            return false;
        };
        match (face.status().state, pause) {
            (State::Running, true) => running.pause(column),
            (State::Paused, false) => {
                running.resume(column);
                if let Some(stepping) = self.columns.stepping.get_mut(column) {
                    stepping.stop = None;
                }
            }
            _ => return false,
        }
        self.columns.touched = true;
        true
    }
}

/// The columns of the present place: the search that is shown there; if it is one of several threads of another program, those
/// threads.
fn columns_here(cx: &Context) -> Vec<Config> {
    let here = super::own_column(&cx.config_here());
    let Some(shown) = here.recorded.clone() else {
        return vec![here];
    };
    let entries = (0..cx.document.len()).filter_map(|i| cx.document.entry(i).ok());
    let mut threads: Vec<Arc<dyn Recorded>> = entries
        .filter_map(|entry| entry.recorded.clone())
        .filter(|recorded| is_same_search(recorded.as_ref(), shown.as_ref()))
        .collect();
    threads.sort_by_key(|thread| thread.thread());
    let threads: Vec<Config> = threads
        .into_iter()
        .map(|recorded| super::own_column(&here.reading(recorded)))
        .collect();
    // A program that is still telling has no entries.
    match threads.is_empty() {
        true => vec![here],
        false => threads,
    }
}

impl Compare {
    /// Called when the Compare tab is shown: the columns get the cores. A comparison of the same position resumes;
    /// otherwise a new one starts.
    pub(super) fn open_comparison(&mut self, cx: &mut Context) {
        cx.return_column();
        if let Some(session) = &mut cx.session
            && session.status().state == State::Running
            && !session.is_stepping()
        {
            session.pause();
            cx.columns.explore_held = true;
        }
        self.fill_here(cx);
        if cx.columns.is_about(&cx.subject) {
            cx.columns.release();
            self.outline.touch();
        } else {
            self.start_comparison(cx);
        }
    }

    /// Fills in the initial columns at the present place, if there are none.
    fn fill_here(&mut self, cx: &Context) {
        let brought = cx.engines.get(..cx.brought_engines).unwrap_or_default();
        self.fill(columns_here(cx), &cx.subject, brought);
    }

    /// Starts all columns on the workbench's position.
    pub(super) fn start_comparison(&mut self, cx: &mut Context) {
        cx.return_column();
        self.follow_recorded(cx);
        let specs = self.specs.clone();
        let own = specs.iter().filter(|s| matches!(s, ColumnSpec::Own(_)));
        let columns = own.count().max(1) as u64;
        let (memory, table) = (cx.config.memory / columns, cx.config.table / columns);
        let threads = specs.iter().map(|spec| match spec {
            ColumnSpec::Own(config) => config.threads,
            ColumnSpec::External(_) => 1,
        });
        let cores = cx.config.threads.max(threads.max().unwrap_or(1));
        // The trees share the memory of one search.
        let shared = |spec| match spec {
            ColumnSpec::Own(config) => ColumnSpec::Own(Config {
                memory,
                table,
                ..config
            }),
            other => other,
        };
        let specs: Vec<ColumnSpec> = specs.into_iter().map(shared).collect();
        let budget = self.budget;
        cx.read_breakpoints_again();
        // Columns that breakpoints may stop wait until these are set.
        let waits = cx.explore.debug.has_active_breakpoint();
        let comparison = Comparison::start(cx.subject.clone(), specs, budget, cores, waits);
        self.put_comparison(cx, comparison);
        cx.set_breakpoints();
        for column in (0..self.specs.len()).filter(|_| waits) {
            cx.pause_or_resume(column, false);
        }
    }

    /// Columns that show another program's search show that of the present place, a column for each of its threads; one of them
    /// becomes one of plyscope's own where there is none. Traces that were put beside another place go.
    fn follow_recorded(&mut self, cx: &Context) {
        let mut here = columns_here(cx).into_iter();
        let beside = &self.beside;
        self.specs.retain_mut(|spec| {
            let ColumnSpec::Own(config) = spec else {
                return true;
            };
            let Some(shown) = config.recorded.as_deref() else {
                return true;
            };
            let is_it = |beside: &&Beside| is_same_search(&*beside.recorded, shown);
            if let Some(beside) = beside.iter().find(is_it) {
                return beside.is_of(&cx.subject);
            }
            let next = here.next();
            let is_here = next.is_some();
            next.into_iter().for_each(|next| *config = next);
            is_here
        });
        self.fill_here(cx);
        self.focus_column(self.focus);
    }

    /// Puts these columns in place of the present ones.
    pub(crate) fn put_comparison(&mut self, cx: &mut Context, comparison: Comparison) {
        let same = cx.columns.is_about(comparison.subject());
        self.begin(comparison.columns().len(), same);
        cx.columns.begin(comparison);
    }

    /// Calls `f` with the outline and the merged trees.
    pub(crate) fn with_outline<R>(
        &mut self,
        cx: &mut Context,
        f: impl FnOnce(&mut Outline, &Merged) -> R,
    ) -> Option<R> {
        let lent = cx.columns.lent.is_some();
        let outer = cx.explore.outer.as_ref().map(|outer| &outer.source);
        let shown = outer.or(cx.session.as_ref());
        let lent = shown.filter(|_| lent).and_then(Source::live);
        let running = cx.columns.running.as_ref()?;
        let merged = running.merged(lent);
        Some(f(&mut self.outline, &merged))
    }

    /// Pauses all columns, or resumes all that can run on.
    pub fn pause_columns(&mut self, cx: &mut Context) {
        let runs = cx.comparison_runs();
        cx.columns.held.clear();
        let columns = self.specs.len();
        let mut changed = false;
        for column in 0..columns {
            changed |= cx.pause_or_resume(column, runs);
        }
        if !changed {
            cx.say(
                Level::Info,
                "all columns finished – x restarts, T raises the budget",
            );
        }
    }

    /// Pauses or resumes the focused column.
    pub fn pause_column(&mut self, cx: &mut Context) {
        let column = self.focus;
        let face = cx.faces().get(column).copied().flatten();
        let Some(state) = face.map(|face| face.status().state) else {
            return;
        };
        cx.columns.held.remove(&column);
        if !cx.pause_or_resume(column, state == State::Running) {
            let what = format!("{} finished – x restarts", letter(column));
            cx.say(Level::Info, what);
        }
    }

    /// Returns the text of the top bar while columns are compared.
    pub fn comparison_words(&self, cx: &Context) -> Vec<String> {
        let columns = self.specs.len();
        let what = match columns {
            1 => "1 column".to_owned(),
            n => format!("{n} columns"),
        };
        let budget = match self.budget {
            session::Budget::Unlimited => "no limit".to_owned(),
            session::Budget::Cpu(_) => format!("{} CPU each", self.budget),
            _ => format!("{} each", self.budget),
        };
        let mut words = vec![format!("{what}, {budget}"), budget];
        if cx.columns.explore_held {
            words.insert(0, format!("{}, Explore waits", words[0]));
        }
        words
    }
}
