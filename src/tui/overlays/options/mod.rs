//! The state of the options editor: the algorithm and the values of its options, which are checked at every change.

mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::chooser::{Chooser, Item};
use super::prompt::{Prompt, Typed};
use super::{KeyHint, Overlay};
use crate::app::App;
use crate::component::Event;
use crate::config::OwnOptions;
use crate::context::{Context, Level};
use crate::reach::{Reach, Sight};
use algorithms::{ALGORITHMS, Algorithm};
use screen::keys::Key;
use screen::list::List;
use screen::pen::Pen;
use search::{OptionSpec, Options, Range};
use session::Config;

/// What can be clicked in the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionsTarget {
    Algorithm(usize),
    Option(usize),
}

/// The half of the editor that has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    Algorithms,
    Options,
}

/// What is done with the algorithm and its options.
type Accept = Box<dyn FnMut(&mut App, Algorithm, &Options)>;

/// The options editor.
pub struct Editor {
    pub half: Half,
    /// The algorithms, filtered by what is typed.
    pub algorithms: Chooser,
    /// The index of the algorithm that was selected last.
    chosen: usize,
    pub list: List,
    /// One set of values per algorithm, so that switching between algorithms loses nothing.
    values: Vec<Options>,
    pub editing: Option<Prompt>,
    /// Why the last change was refused.
    pub error: String,
    accept: Accept,
}

/// The outcome of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Stays,
    Accepted,
    Cancelled,
}

impl Editor {
    /// Edits a configuration; `accept` gets what it is changed to. Other algorithms have the options of `own`.
    pub fn new(
        config: &Config,
        own: &OwnOptions,
        accept: impl FnMut(&mut App, Algorithm, &Options) + 'static,
    ) -> Editor {
        let values = ALGORITHMS
            .iter()
            .map(|a| {
                if a.algorithm == config.algorithm {
                    config.options.clone()
                } else {
                    own.of(a.algorithm)
                }
            })
            .collect();
        let items = ALGORITHMS
            .iter()
            .map(|info| Item::new(info.name, info.summary))
            .collect();
        let chosen = config.algorithm as usize;
        Editor {
            half: Half::Algorithms,
            algorithms: Chooser::new("algorithm", items, chosen),
            chosen,
            list: List::default(),
            values,
            editing: None,
            error: String::new(),
            accept: Box::new(accept),
        }
    }

    pub fn algorithm(&self) -> Algorithm {
        ALGORITHMS[self.chosen].algorithm
    }

    pub fn options(&self) -> &Options {
        &self.values[self.chosen]
    }

    /// Returns the selected option with its value.
    pub fn current(&self) -> Option<(&'static OptionSpec, String)> {
        self.options()
            .iter()
            .nth(self.list.selected)
            .map(|(spec, value)| (spec, value.to_string()))
    }

    pub fn key(&mut self, key: Key) -> Outcome {
        if self.editing.is_some() {
            self.editing_key(key);
            return Outcome::Stays;
        }
        self.error.clear();
        match (key.code, self.half) {
            (KeyCode::Esc, _) => return Outcome::Cancelled,
            (KeyCode::Char('c'), _) if key.ctrl => return Outcome::Cancelled,
            (KeyCode::Tab, _) | (KeyCode::Right, Half::Algorithms) => self.change_half(),
            // Letters filter the algorithms.
            (KeyCode::Enter, Half::Algorithms) if self.algorithms.selected().is_none() => {}
            (KeyCode::Enter, Half::Algorithms) => return Outcome::Accepted,
            (_, Half::Algorithms) => {
                self.algorithms.key(key);
                self.follow_selection();
            }
            (KeyCode::Char('q'), Half::Options) => return Outcome::Cancelled,
            (KeyCode::Char('x'), Half::Options) => return Outcome::Accepted,
            (_, Half::Options) => {
                let count = self.options().iter().count();
                if !self.list.letter(key, count) {
                    self.option_key(key);
                }
            }
        }
        Outcome::Stays
    }

    /// Takes the algorithm that is selected in the list; where nothing matches, the last one stays.
    fn follow_selection(&mut self) {
        let chosen = self.algorithms.selected().unwrap_or(self.chosen);
        if chosen != self.chosen {
            self.chosen = chosen;
            self.list = List::default();
        }
    }

    fn change_half(&mut self) {
        self.half = match self.half {
            Half::Algorithms if self.options().iter().next().is_some() => Half::Options,
            _ => Half::Algorithms,
        };
    }

    /// Scrolls the list that has the focus.
    fn scroll(&mut self, by: isize) {
        match self.half {
            Half::Algorithms => {
                let count = self.algorithms.shown().len();
                self.algorithms.list.scroll(by, count);
                self.follow_selection();
            }
            Half::Options => {
                let count = self.options().iter().count();
                self.list.scroll(by, count);
            }
        }
    }

    fn option_key(&mut self, key: Key) {
        let Some((spec, value)) = self.current() else {
            return;
        };
        match key.code {
            KeyCode::Enter => self.begin(spec, &value),
            KeyCode::Char(' ' | 'l') | KeyCode::Right => self.step(spec, &value, 1),
            KeyCode::Left | KeyCode::Char('h') => self.step(spec, &value, -1),
            KeyCode::Char('d') => self.set(spec.key, spec.default),
            _ => {}
        }
    }

    /// Handles Enter: steps through the values of a switch or a choice; any other value is typed.
    fn begin(&mut self, spec: &'static OptionSpec, value: &str) {
        match spec.range {
            Range::Switch | Range::Choice(_) => self.step(spec, value, 1),
            _ => self.editing = Some(Prompt::new(spec.key, "").with_text(value)),
        }
    }

    /// Changes an option to its next or previous value; a word is typed instead.
    fn step(&mut self, spec: &'static OptionSpec, value: &str, by: isize) {
        let next = match spec.range {
            Range::Switch => if value == "on" { "off" } else { "on" }.to_owned(),
            Range::Choice(words) => {
                let at = words.iter().position(|w| *w == value).unwrap_or(0) as isize;
                words[(at + by).rem_euclid(words.len() as isize) as usize].to_owned()
            }
            Range::Integer { min, max } => {
                let now: i64 = value.parse().unwrap_or(min);
                now.saturating_add(by as i64).clamp(min, max).to_string()
            }
            Range::Number { min, max } => {
                let now: f64 = value.parse().unwrap_or(min);
                // The step is the largest power of ten that is at most half of the value.
                let unit = 10f64.powf((now.abs().max(1e-3) / 2.0).log10().floor());
                let next = ((now + by as f64 * unit) / unit).round() * unit;
                let digits = (-unit.log10()).max(0.0).ceil() as usize;
                format!("{:.digits$}", next.clamp(min, max))
            }
            Range::Word { .. } | Range::Formula(_) => {
                self.editing = Some(Prompt::new(spec.key, "").with_text(value));
                return;
            }
        };
        self.set(spec.key, &next);
    }

    fn editing_key(&mut self, key: Key) {
        let Some(prompt) = &mut self.editing else {
            return;
        };
        match prompt.key(key) {
            Typed::Done => {
                let text = prompt.text().to_owned();
                let spec_key = prompt.label;
                self.set(spec_key, &text);
                if self.error.is_empty() {
                    self.editing = None;
                }
            }
            Typed::Cancelled => {
                self.editing = None;
                self.error.clear();
            }
            Typed::Changed => {
                // What is wrong so far, with its column, before it is confirmed.
                let text = prompt.text().to_owned();
                let parsed = self.current().map(|(spec, _)| spec.parse(&text));
                self.error = match parsed {
                    Some(Err(e)) => e.to_string(),
                    _ => String::new(),
                };
            }
            _ => {}
        }
    }

    fn set(&mut self, key: &str, text: &str) {
        self.error = match self.values[self.chosen].set(key, text) {
            Ok(()) => String::new(),
            Err(e) => e.to_string(),
        };
    }

    /// Handles a click on an algorithm, which selects it; a second click accepts it.
    pub fn click_algorithm(&mut self, i: usize) -> Outcome {
        let focused = std::mem::replace(&mut self.half, Half::Algorithms) == Half::Algorithms;
        self.editing = None;
        let again = self.algorithms.list.click(i);
        self.follow_selection();
        match again && focused {
            true => Outcome::Accepted,
            false => Outcome::Stays,
        }
    }

    /// Handles a click on an option, which selects it; a second click changes it.
    pub fn click_option(&mut self, i: usize) {
        let focused = std::mem::replace(&mut self.half, Half::Options) == Half::Options;
        self.editing = None;
        if self.list.click(i)
            && focused
            && let Some((spec, value)) = self.current()
        {
            self.begin(spec, &value);
        }
    }
}

impl Overlay for Editor {
    fn keys(&self) -> Vec<KeyHint> {
        match (self.editing.is_some(), self.half) {
            (true, _) => vec![("Enter", "keep the value"), ("Esc", "close")],
            (_, Half::Algorithms) => vec![
                ("Enter", "search with it"),
                ("Tab", "options"),
                ("Up Down", "select"),
                ("Esc", "close"),
            ],
            (_, Half::Options) => vec![
                ("Enter", "change"),
                ("space", "next value"),
                ("d", "default"),
                ("x", "search with it"),
                ("Tab", "algorithms"),
                ("Esc", "close"),
            ],
        }
    }

    fn handle(&mut self, reach: &mut Reach, event: &Event) -> bool {
        let outcome = match event.of() {
            Event::Key(key, _) => self.key(key),
            Event::Click(Some(OptionsTarget::Algorithm(i)), _) => self.click_algorithm(i),
            Event::Click(Some(OptionsTarget::Option(i)), _) => {
                self.click_option(i);
                Outcome::Stays
            }
            Event::Wheel(_, by) if self.editing.is_none() => {
                self.scroll(by);
                Outcome::Stays
            }
            _ => Outcome::Stays,
        };
        if outcome == Outcome::Accepted {
            let algorithm = self.algorithm();
            (self.accept)(reach.app(), algorithm, &self.values[self.chosen]);
        }
        outcome == Outcome::Stays
    }

    fn update(&mut self, _: &Context, area: Rect) {
        view::update(area, self);
    }

    fn draw(&self, _: Sight, pen: &mut Pen, area: Rect) {
        view::draw(pen, area, self);
    }
}

impl Context {
    pub fn ask_algorithm(&mut self) {
        let editor = Editor::new(
            &self.config,
            &self.own_options,
            |app, algorithm, options| {
                app.cx.config.algorithm = algorithm;
                app.cx.config.options = options.clone();
                app.cx.own_instead = Some(app.cx.entry);
                let name = algorithm.info().name;
                app.cx.say(Level::Info, format!("searching with {name}"));
                app.cx.start_search();
            },
        );
        self.open(editor);
    }
}
