//! The state of the options editor: the algorithm and the values of its options, which are checked at every change.

pub(crate) mod view;

use crossterm::event::KeyCode;

use super::prompt::{Prompt, Typed};
use algorithms::{ALGORITHMS, Algorithm};
use screen::keys::Key;
use screen::list::ListState;
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

/// The options editor.
#[derive(Debug)]
pub struct Editor {
    pub half: Half,
    pub algorithms: ListState,
    pub list: ListState,
    /// One set of values per algorithm, so that switching between algorithms loses nothing.
    values: Vec<Options>,
    pub editing: Option<Prompt>,
    /// Why the last change was refused.
    pub error: String,
}

/// The outcome of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Stays,
    Accepted,
    Cancelled,
}

impl Editor {
    pub fn new(config: &Config) -> Editor {
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
            algorithms: ListState {
                selected: config.algorithm as usize,
                top: 0,
            },
            list: ListState::default(),
            values,
            editing: None,
            error: String::new(),
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
        let down = matches!(key.code, KeyCode::Down | KeyCode::Char('j'));
        let up = matches!(key.code, KeyCode::Up | KeyCode::Char('k'));
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => return Outcome::Cancelled,
            KeyCode::Char('c') if key.ctrl => return Outcome::Cancelled,
            KeyCode::Char('x') => return Outcome::Accepted,
            KeyCode::Tab => self.change_half(),
            _ if down || up => self.walk(if down { 1 } else { -1 }),
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

    fn walk(&mut self, by: isize) {
        match self.half {
            Half::Algorithms => {
                self.algorithms.walk(by, ALGORITHMS.len());
                self.list = ListState::default();
            }
            Half::Options => self.list.walk(by, self.options().iter().count()),
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
        let again = self.algorithms.selected == i && self.half == Half::Algorithms;
        self.half = Half::Algorithms;
        self.editing = None;
        self.algorithms.selected = i.min(ALGORITHMS.len() - 1);
        self.list = ListState::default();
        if again {
            Outcome::Accepted
        } else {
            Outcome::Stays
        }
    }

    /// Handles a click on an option, which selects it; a second click changes it.
    pub fn click_option(&mut self, i: usize) {
        let again = self.half == Half::Options && self.list.selected == i;
        self.half = Half::Options;
        self.editing = None;
        self.list.selected = i;
        if again && let Some((spec, value)) = self.current() {
            self.begin(spec, &value);
        }
    }
}
