//! Stepping the focused column, and showing its search in Explore.

use crate::context::{Context, Level};
use crate::source::Source;
use crate::tabs::Tab;
use crate::tabs::compare::{Compare, Lent, Stepping, letter};
use game::MoveCode;
use search::Event;
use session::debug::{News, Standing, Step, Why};
use session::{Config, Session, State};
use studies::compare::TraceNews;
use text::{sanitise, thousands};
use tree::Tree;

impl Context {
    /// Whether any column is on its way to an event.
    pub(super) fn columns_step(&self) -> bool {
        let mut faces = self.faces().into_iter().flatten();
        faces.any(|face| face.session().is_some_and(Session::is_stepping))
    }
}

impl Compare {
    /// Takes a step in the focused column, `times` times.
    pub fn step_column(&mut self, cx: &mut Context, step: Step, times: Option<usize>) {
        if step == Step::ToBreak && !cx.explore.debug.has_active_breakpoint() {
            cx.say(
                Level::Info,
                "no breakpoint is set: B sets them for all columns, space runs on",
            );
            return;
        }
        let times = u32::try_from(times.unwrap_or(1)).unwrap_or(u32::MAX);
        let Some((column, seen)) = self.begin_stepping(cx) else {
            return;
        };
        let Some(session) = cx.columns.session_mut(column) else {
            return;
        };
        // As in Explore, stepping through a search that has ended starts at its beginning.
        let ended = matches!(session.status().state, State::Finished(_));
        if ended && !seen && session.event_position().under_way.is_none() {
            let first = session.event_position().first;
            session.go_to(first);
            cx.columns.stepping[column].then = Some((step, times));
            return;
        }
        session.step(step, times);
        if step == Step::ToBreak {
            cx.columns.stepping[column].stop = None;
        }
    }

    pub fn step_column_back(&mut self, cx: &mut Context, events: Option<usize>) {
        if let Some((column, _)) = self.begin_stepping(cx)
            && let Some(session) = cx.columns.session_mut(column)
        {
            session.step_back(events.unwrap_or(1) as u64);
        }
    }

    /// Returns the column to step, and whether it was stopped at an event already; if it cannot be stepped, says why.
    fn begin_stepping(&mut self, cx: &mut Context) -> Option<(usize, bool)> {
        let column = self.focus;
        if cx.columns.session_mut(column).is_none() {
            let what = format!(
                "{} is another program: it can't be stepped through unless it sends a trace",
                letter(column)
            );
            cx.say(Level::Info, what);
            return None;
        }
        cx.columns.held.remove(&column);
        let stepping = cx.columns.stepping.get_mut(column)?;
        stepping.begun = true;
        Some((column, stepping.stop.is_some()))
    }

    /// Cancels what the focused column is on its way to.
    pub fn cancel_column(&mut self, cx: &mut Context) {
        let column = self.focus;
        if let Some(stepping) = cx.columns.stepping.get_mut(column) {
            stepping.then = None;
        }
        if let Some(session) = cx.columns.session_mut(column) {
            session.cancel();
        }
    }

    /// Takes the results of the columns, once per turn of the main loop.
    pub(super) fn tend_columns(&mut self, cx: &mut Context) {
        self.tend_traces(cx);
        for column in 0..cx.columns.stepping.len() {
            self.tend_column(cx, column);
        }
    }

    /// Shows the trees of engines whose traces have begun, and says of the others why they have none.
    fn tend_traces(&mut self, cx: &mut Context) {
        let running = cx.columns.running.as_mut();
        let news = running.map_or_else(Vec::new, |running| running.tend());
        if news.is_empty() {
            return;
        }
        for (column, what) in news {
            if let TraceNews::None(why) = what {
                let name = self
                    .specs
                    .get(column)
                    .map_or_else(String::new, ToString::to_string);
                let what = format!("{}: {}: {why}", letter(column), sanitise(&name));
                cx.say(Level::Warning, what);
            }
        }
        cx.set_breakpoints();
        cx.columns.touched = true;
        self.outline.touch();
    }

    fn tend_column(&mut self, cx: &mut Context, column: usize) {
        let Some(session) = cx.columns.session_mut(column) else {
            return;
        };
        let news = session.tend();
        let (stepping, standing) = (session.is_stepping(), session.standing());
        let ended = matches!(session.status().state, State::Finished(_));
        for what in news {
            match what {
                News::TreeReplaced | News::NewBeginning => self.outline.touch(),
                _ => cx.say(Level::Info, format!("{}: {what}", letter(column))),
            }
        }
        if !stepping
            && !ended
            && let Some((step, times)) = cx.columns.stepping[column].then.take()
            && let Some(session) = cx.columns.session_mut(column)
        {
            session.step(step, times);
            return;
        }
        let Stepping { begun, stop, .. } = &cx.columns.stepping[column];
        let standing = standing.filter(|s| *begun || s.why != Why::Ended);
        if standing == *stop || (standing.is_none() && stepping) {
            return;
        }
        cx.columns.stepping[column].stop = standing.clone();
        cx.dirty = true;
        self.outline.touch();
        if let Some(standing) = standing {
            self.column_arrives(cx, column, &standing);
        }
    }

    /// Called when a column stopped at an event: the rows follow the focused column; a message reports any other one.
    fn column_arrives(&mut self, cx: &mut Context, column: usize, standing: &Standing) {
        cx.columns.stepping[column].begun = true;
        let faces = cx.faces();
        let Some(Some(face)) = faces.get(column) else {
            return;
        };
        let reader = face.reader();
        let path = path_of(reader.tree, &standing.event);
        let told = cx.lens.event(&reader, &standing.event);
        if column == self.focus {
            self.with_outline(cx, |outline, merged| outline.reveal(merged, &path));
        } else {
            let at = thousands(standing.number);
            let what = format!(
                "{} stopped at event {at}: {}",
                letter(column),
                sanitise(&told)
            );
            cx.say(Level::Info, what);
        }
    }

    /// Shows the focused column's search in Explore, at the selected row.
    pub fn open_column(&mut self, cx: &mut Context) {
        let column = self.focus;
        let path = self.outline.selected_path().to_vec();
        let Some(running) = &mut cx.columns.running else {
            return;
        };
        let source = match running.told(column) {
            Some(told) if told.status().totals.nodes == 0 => {
                let what = format!(
                    "{}: {} has told nothing yet",
                    letter(column),
                    sanitise(&told.name)
                );
                return cx.say(Level::Info, what);
            }
            Some(told) => Source::Told(Box::new(told), Box::new(cx.config.clone())),
            None => match running.lend(column) {
                Some(session) => Source::Live(session),
                None => return,
            },
        };
        let config = Config {
            limits: cx.config.limits,
            memory: cx.config.memory,
            cores: None,
            ..source.config().clone()
        };
        cx.columns.lent = Some(Lent {
            column,
            aside: cx.session.take(),
            config: std::mem::replace(&mut cx.config, config),
        });
        cx.tab = Tab::Explore;
        let stands = cx.columns.stepping(column).stop.is_some();
        cx.explore.debug.shown |= stands;
        cx.look_at(source);
        cx.with_tree(|explorer, reader| {
            explorer.refresh(reader, false);
            let node = path
                .iter()
                .try_fold(Tree::ROOT, |at, &code| reader.tree.child_by_move(at, code));
            if let Some(node) = node {
                explorer.reveal(reader, node);
            }
        });
        let what = format!(
            "{}: {} in Explore; 2 goes back to the columns",
            letter(column),
            self.specs[column]
        );
        cx.say(Level::Info, what);
    }
}

/// Returns the moves that lead to where an event happened.
fn path_of(tree: &Tree, event: &Event) -> Vec<MoveCode> {
    let mut path = tree.moves_to(event.node());
    if let Event::Prune { m, .. } = event {
        path.push(*m);
    }
    path
}
