//! The state of the options editor: the algorithm and the values of its options, which are checked at every change.

mod view;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::prompt::{Prompt, Typed};
use super::{KeyHint, Overlay};
use crate::app::App;
use crate::component::Event;
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
    pub algorithms: List,
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
    /// Edits a configuration; `accept` gets what it is changed to.
    pub fn new(
        config: &Config,
        accept: impl FnMut(&mut App, Algorithm, &Options) + 'static,
    ) -> Editor {
        let values = ALGORITHMS
            .iter()
            .map(|a| {
                if a.algorithm == config.algorithm {
                    config.options.clone()
                } else {
                    a.algorithm.default_options()
                }
            })
            .collect();
        Editor {
            half: Half::Algorithms,
            algorithms: List::at(config.algorithm as usize),
            list: List::default(),
            values,
            editing: None,
            error: String::new(),
            accept: Box::new(accept),
        }
    }

    pub fn algorithm(&self) -> Algorithm {
        ALGORITHMS[self.algorithms.selected].algorithm
    }

    pub fn options(&self) -> &Options {
        &self.values[self.algorithms.selected]
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
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Outcome::Cancelled,
            KeyCode::Char('c') if key.ctrl => return Outcome::Cancelled,
            KeyCode::Char('x') => return Outcome::Accepted,
            KeyCode::Tab => self.change_half(),
            _ if self.move_list(|list, count| list.letter(key, count)) => {}
            _ => match self.half {
                Half::Algorithms => match key.code {
                    KeyCode::Enter => return Outcome::Accepted,
                    KeyCode::Right | KeyCode::Char('l') => self.change_half(),
                    _ => {}
                },
                Half::Options => self.option_key(key),
            },
        }
        Outcome::Stays
    }

    fn change_half(&mut self) {
        self.half = match self.half {
            Half::Algorithms if self.options().iter().next().is_some() => Half::Options,
            _ => Half::Algorithms,
        };
    }

    /// Moves the list that has the focus.
    fn move_list<R>(&mut self, act: impl FnOnce(&mut List, usize) -> R) -> R {
        match self.half {
            Half::Algorithms => {
                let before = self.algorithms.selected;
                let done = act(&mut self.algorithms, ALGORITHMS.len());
                if self.algorithms.selected != before {
                    self.list = List::default();
                }
                done
            }
            Half::Options => {
                let count = self.options().iter().count();
                act(&mut self.list, count)
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
            Range::Word { .. } => {
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
            Typed::Changed => self.error.clear(),
            _ => {}
        }
    }

    fn set(&mut self, key: &str, text: &str) {
        let at = self.algorithms.selected;
        self.error = match self.values[at].set(key, text) {
            Ok(()) => String::new(),
            Err(e) => e.to_string(),
        };
    }

    /// Handles a click on an algorithm, which selects it; a second click accepts it.
    pub fn click_algorithm(&mut self, i: usize) -> Outcome {
        let focused = std::mem::replace(&mut self.half, Half::Algorithms) == Half::Algorithms;
        self.editing = None;
        self.list = List::default();
        match self.algorithms.click(i) && focused {
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
                ("j", "down"),
                ("k", "up"),
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
                self.move_list(|list, count| list.scroll(by, count));
                Outcome::Stays
            }
            _ => Outcome::Stays,
        };
        if outcome == Outcome::Accepted {
            let algorithm = self.algorithm();
            (self.accept)(
                reach.app(),
                algorithm,
                &self.values[self.algorithms.selected],
            );
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
        let editor = Editor::new(&self.config, |app, algorithm, options| {
            app.cx.config.algorithm = algorithm;
            app.cx.config.options = options.clone();
            let name = algorithm.info().name;
            app.cx.say(Level::Info, format!("searching with {name}"));
            app.cx.start_search();
        });
        self.open(editor);
    }
}
