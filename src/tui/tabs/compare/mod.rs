//! The state of the Compare tab: the columns and their budget, the running searches, and what is open, selected and
//! shown.

mod commands;
mod exports;
pub(crate) mod keys;
mod name;
pub(crate) mod view;

use ::chart::value::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::source::Source;
use external::EngineSpec;
use game::Game as _;
use screen::list::List;
use search::Recorded;
use session::Budget;
use session::breakpoint::Breakpoint;
use session::debug::{Standing, Step};
use session::{Config, Session, State, Subject, drop_aside};
use studies::compare::{ColumnSpec, Comparison, Filter, Order, Outline};

pub use name::{filter_choices, filter_name, order_choices, order_name, role, short_name};
pub use report::sheet::letter;

/// The largest number of columns; more could not be told apart.
pub const MOST: usize = 4;

/// The panel at the bottom of the tab that is shown if there is room for only one, and otherwise comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// The differences of the selected row in sentences.
    #[default]
    Words,
    /// The columns' beliefs about the selected row.
    Beliefs,
    /// The score and the best move over the nodes spent.
    Chart,
}

impl Panel {
    pub const ALL: [Panel; 3] = [Panel::Words, Panel::Beliefs, Panel::Chart];

    /// Returns the panel this many places after this one.
    #[must_use]
    pub fn after(self, places: usize) -> Panel {
        Panel::ALL[(self as usize + places) % Panel::ALL.len()]
    }
}

/// A target for clicks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareTarget {
    Row(usize),
    /// The mark that opens and closes a row.
    Mark(usize),
    Column(usize),
    /// A heading of the rows.
    Heading(Order),
    Panel(Panel),
}

/// The state of stepping through a column.
#[derive(Clone, Debug, Default)]
pub struct Stepping {
    /// Whether the user has begun to step here, so that the search also stops at its end.
    pub begun: bool,
    /// The event it has stopped at, as the screen shows it.
    pub stop: Option<Standing>,
    /// The step to take when the search is back at its beginning.
    pub then: Option<(Step, u32)>,
}

/// A column whose search is shown in Explore.
#[derive(Debug)]
pub struct Lent {
    pub column: usize,
    /// What Explore showed before, and its configuration.
    pub aside: Option<Source>,
    pub config: Config,
}

/// The searches of the Compare tab.
#[derive(Debug, Default)]
pub struct Columns {
    pub(crate) running: Option<Comparison>,
    pub(crate) lent: Option<Lent>,
    pub(crate) stepping: Vec<Stepping>,
    /// The columns that were running when Explore got the cores.
    pub(crate) held: BTreeSet<usize>,
    /// Whether Explore's search was running when the columns got the cores.
    pub(crate) explore_held: bool,
    /// Whether what the tab shows of them is to be brought up to date although their trees have not changed.
    pub(crate) touched: bool,
}

/// The search of a trace, put beside those of a place.
#[derive(Clone, Debug)]
pub struct Beside {
    pub recorded: Arc<dyn Recorded>,
    /// The position that it is a search of.
    pub root: Subject,
}

/// The state of the Compare tab.
#[derive(Debug)]
pub struct Compare {
    /// The columns that the user chose; empty before the tab is opened for the first time.
    pub specs: Vec<ColumnSpec>,
    /// The searches of traces that were put beside those of the place.
    pub beside: Vec<Beside>,
    pub budget: Budget,
    /// The column that keys for one column apply to.
    pub focus: usize,
    pub outline: Outline,
    pub view: List,
    pub panel: Panel,
    /// The part of the value axis on which the rows of all columns stand.
    pub span: Span,
    /// Whether the chart's axis of nodes is linear instead of logarithmic.
    pub linear: bool,
}

impl Default for Compare {
    fn default() -> Self {
        Compare {
            specs: Vec::new(),
            beside: Vec::new(),
            budget: Budget::Nodes(200_000),
            focus: 0,
            outline: outline(Order::BestRank, Filter::All),
            view: List::default(),
            panel: Panel::default(),
            span: Span::WHOLE,
            linear: false,
        }
    }
}

impl Beside {
    /// Whether it is a search of this position.
    pub fn is_of(&self, place: &Subject) -> bool {
        self.root.position.is_same_position(&place.position)
    }

    /// The column that shows it.
    pub fn column(&self, base: &Config) -> Config {
        own_column(&base.reading(Arc::clone(&self.recorded)))
    }
}

impl Compare {
    /// Fills in the initial columns: the workbench's algorithm, or the threads of another program's search, against the traces that
    /// were put beside it or another algorithm, and the engines of the command line.
    pub(crate) fn fill(&mut self, here: Vec<Config>, place: &Subject, engines: &[EngineSpec]) {
        let Some(own) = here.first().filter(|_| self.specs.is_empty()) else {
            return;
        };
        let beside = self.beside.iter().filter(|beside| beside.is_of(place));
        let mut others: Vec<Config> = beside.map(|beside| beside.column(own)).collect();
        // The workbench's own algorithm was not asked for beside traces.
        let is_asked = others.is_empty() || own.recorded.is_some();
        if others.is_empty() && place.position.has_moves() {
            let other = own.algorithm.rival();
            others.push(Config {
                algorithm: other,
                options: other.default_options(),
                recorded: None,
                ..own.clone()
            });
        }
        let engines = engines.iter().cloned().map(ColumnSpec::External);
        let room = MOST - others.len().min(MOST - 1);
        let here = here.into_iter().filter(|_| is_asked).take(room);
        self.specs = here
            .chain(others)
            .map(ColumnSpec::Own)
            .chain(engines)
            .take(MOST)
            .collect();
    }

    /// Shows other columns; what was open stays open if they are of the same position.
    fn begin(&mut self, columns: usize, same: bool) {
        self.focus = self.focus.min(columns.saturating_sub(1));
        if !same {
            self.outline = outline(self.outline.order(), self.outline.filter());
            self.view = List::default();
        }
        self.outline.restart();
    }
}

impl Columns {
    pub fn comparison(&self) -> Option<&Comparison> {
        self.running.as_ref()
    }

    /// Returns the state of stepping through a column.
    pub fn stepping(&self, column: usize) -> Stepping {
        self.stepping.get(column).cloned().unwrap_or_default()
    }

    /// Returns the column that Explore shows.
    pub fn lent_column(&self) -> Option<usize> {
        self.lent.as_ref().map(|lent| lent.column)
    }

    /// Whether the column was paused for Explore's search.
    pub fn is_held(&self, column: usize) -> bool {
        self.held.contains(&column)
    }

    /// Replaces the running searches.
    pub(crate) fn begin(&mut self, comparison: Comparison) {
        self.stepping = vec![Stepping::default(); comparison.columns().len()];
        self.held.clear();
        self.end();
        self.running = Some(comparison);
    }

    /// Ends the searches without waiting for them.
    pub(crate) fn end(&mut self) {
        if let Some(old) = self.running.take() {
            old.stop();
            drop_aside(old);
        }
    }

    /// Pauses the columns while something else needs the cores.
    pub(crate) fn hold(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        for column in 0..running.columns().len() {
            let face = running.faces(None)[column];
            let at_work = face.is_some_and(|face| {
                face.status().state == State::Running && face.trouble().is_none()
            });
            if at_work {
                running.pause(column);
                self.held.insert(column);
            }
        }
    }

    /// Resumes the columns that [`Columns::hold`] paused.
    pub(crate) fn release(&mut self) {
        let held = std::mem::take(&mut self.held);
        if let Some(running) = &mut self.running {
            for column in held {
                running.resume(column);
            }
        }
    }

    /// Returns a column's session, if the column is a search of our own and not in Explore.
    pub(crate) fn session_mut(&mut self, column: usize) -> Option<&mut Session> {
        self.running.as_mut()?.session_mut(column)
    }

    /// Sets the breakpoints in all columns that are searches of our own.
    pub(crate) fn set_breakpoints(&mut self, on: &[(usize, Breakpoint)]) {
        for column in 0..self.stepping.len() {
            if let Some(session) = self.session_mut(column) {
                session.set_breakpoints(on.iter().cloned());
            }
        }
    }

    /// Whether the searches are of this position.
    pub fn is_about(&self, subject: &Subject) -> bool {
        let running = self.running.as_ref();
        running.is_some_and(|r| r.subject().position.is_same_position(&subject.position))
    }
}

/// Returns an outline in which nothing is open yet.
fn outline(order: Order, filter: Filter) -> Outline {
    let mut outline = Outline::default();
    outline.set_order(order);
    outline.set_filter(filter);
    outline
}

/// Returns a column's configuration based on the workbench's: with one thread, so that the search is reproducible and
/// can be stepped through.
pub(super) fn own_column(config: &Config) -> Config {
    Config {
        threads: 1,
        limits: search::Limits::default(),
        cores: None,
        ..config.clone()
    }
}
