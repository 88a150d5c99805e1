//! Overlays, which open above the tab: lists to choose from, prompts, the options editor, the help.

pub(crate) mod chooser;
pub(crate) mod expression;
pub(crate) mod help;
mod keys;
pub(crate) mod options;
mod palette;
pub(crate) mod prompt;
pub mod setup;
pub(crate) mod start;

use crate::app::{App, Context, Level};
use crate::commands::ASKING;
use crate::exporting::Offer;
use crate::overlays::chooser::{Choice, Chooser, Item};
use crate::overlays::expression::Expression;
use crate::overlays::help::Help;
use crate::overlays::options::{Editor, Outcome};
use crate::overlays::prompt::{Prompt, Typed};
use crate::overlays::setup::SetUp;
use crate::overlays::start::Way;
use crate::panes::tree::{Filter, Sort};
use crate::tabs::compare::Ask;
use algorithms::ALGORITHMS;
use screen::keys::Key;
use screen::list::ListState;

/// What can be clicked in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverlayTarget {
    /// The whole popup.
    Frame,
    /// A row of its list.
    Item(usize),
}

/// The open overlay.
#[derive(Debug)]
pub enum Overlay {
    Choose(Answer, Box<Chooser>),
    Prompt(Answer, Prompt),
    Options(Box<Editor>),
    Help(Help),
    SetUp(Box<SetUp>),
    /// The list of breakpoints.
    Breakpoints(ListState),
    Expression(Purpose, Box<Expression>),
}

/// What a choice or a text is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command to run, of these rows of the table.
    Command(Vec<usize>),
    /// The theme to restore on Esc.
    Theme(String),
    Sort,
    Filter,
    /// The kind of node to find.
    FindKind,
    /// The way in, of these.
    Start(Vec<Way>),
    /// The row to restore on Esc.
    Find(usize),
    File,
    /// A move to make on the board.
    Move,
    /// What the pawn becomes, by these moves.
    Promotion(Vec<game::MoveCode>),
    /// The number of an event to go to.
    Event,
    FindEvent,
    /// The previous query in the list of games, to restore on Esc.
    FindGame(String),
    ReviewColumns,
    ReviewBudget,
    /// A better move than the marked one.
    RetryGuess,
    /// The file that a game is written to.
    Export,
    /// What is exported, of these.
    ExportOffer(Vec<Offer>),
    /// The file that it is written to.
    ExportOfferTo(Offer),
    /// Whether to replace that file.
    ExportOfferOver(Offer, std::path::PathBuf),
    /// The file that the session is saved in.
    SaveSession,
    /// Whether to replace the session saved in this file.
    SaveOver(std::path::PathBuf),
    /// A note on the selected node.
    Note,
    /// The file that the grid of point differentials is written to.
    ExportGrid,
    /// What to do with the evaluations that a game already has, and the file it is written to.
    ExportExisting(std::path::PathBuf),
    /// Whether to overwrite an existing file.
    ExportOver(std::path::PathBuf),
    /// Whether the other games of the file are written as well.
    ExportGames(std::path::PathBuf),
    /// The answer to a lesson's question.
    Guess,
    /// A choice or text of the Compare tab.
    Compare(Ask),
}

/// What an expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    NewBreakpoint,
    /// A new breakpoint, requested in the list, which opens again afterwards.
    AddedToList,
    /// A new text for an existing breakpoint, by its index.
    Breakpoint(usize),
    LogFilter,
}

impl Context {
    pub fn ask_theme(&mut self) {
        let names = self.looks.themes.names();
        let at = names
            .iter()
            .position(|n| *n == self.looks.name)
            .unwrap_or(0);
        let items = names
            .into_iter()
            .map(|label| Item {
                label,
                ..Item::default()
            })
            .collect();
        let before = self.looks.name.clone();
        self.choose(Answer::Theme(before), Chooser::new("theme", items, at));
    }

    pub fn ask_sort(&mut self) {
        let at = Sort::ALL.iter().position(|s| *s == self.explore.tree.sort);
        let items = Sort::ALL
            .iter()
            .map(|s| Item {
                label: s.name().to_owned(),
                detail: s.summary().to_owned(),
                ..Item::default()
            })
            .collect();
        self.choose(
            Answer::Sort,
            Chooser::new("order of the rows", items, at.unwrap_or(0)),
        );
    }

    pub fn ask_file(&mut self) {
        let prompt = Prompt::new("open", "a .pgn, .fen, .epd or .tree file");
        self.overlay = Some(Overlay::Prompt(Answer::File, prompt));
    }

    pub fn show_help(&mut self) {
        let mut help = Help::default();
        help.show(self.tab.kind().help_page);
        self.overlay = Some(Overlay::Help(help));
    }

    pub(crate) fn choose(&mut self, answer: Answer, chooser: Chooser) {
        self.overlay = Some(Overlay::Choose(answer, Box::new(chooser)));
    }
}

impl App {
    pub fn ask_algorithm(&mut self) {
        self.tabs.compare.editing = None;
        let editor = Editor::new(&self.cx.config);
        self.cx.overlay = Some(Overlay::Options(Box::new(editor)));
    }

    /// Acts on the outcome of a key in the options editor; returns whether the editor stays open.
    pub(crate) fn edited(&mut self, editor: &mut Editor, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Stays => true,
            Outcome::Cancelled => {
                self.tabs.compare.editing = None;
                false
            }
            Outcome::Accepted => {
                if let Some(column) = self.tabs.compare.editing.take() {
                    self.tabs
                        .compare
                        .column_edited(&mut self.cx, column, editor);
                    return false;
                }
                self.cx.config.algorithm = editor.algorithm();
                self.cx.config.options = editor.options().clone();
                let name = ALGORITHMS[editor.algorithm() as usize].name;
                self.cx.say(Level::Info, format!("searching with {name}"));
                self.cx.start_search();
                false
            }
        }
    }
}

impl App {
    /// Handles a key while an overlay is open.
    pub(crate) fn overlay_key(&mut self, key: Key) {
        let Some(mut overlay) = self.cx.overlay.take() else {
            return;
        };
        let stays = match &mut overlay {
            Overlay::Choose(answer, chooser) => {
                let choice = chooser.key(key);
                self.chosen(answer, chooser, choice)
            }
            Overlay::Prompt(answer, prompt) => {
                let typed = prompt.key(key);
                self.typed(answer, prompt, typed)
            }
            Overlay::Options(editor) => {
                let outcome = editor.key(key);
                self.edited(editor, outcome)
            }
            Overlay::Help(help) => help.key(key),
            Overlay::SetUp(setup) => {
                let wish = setup.key(key);
                self.set_up(setup, wish)
            }
            Overlay::Breakpoints(list) => self.cx.breakpoints_key(list, key),
            Overlay::Expression(purpose, expression) => {
                let written = expression.key(key);
                self.cx.written(*purpose, expression, written)
            }
        };
        // The choice may have opened another overlay.
        if stays && self.cx.overlay.is_none() {
            self.cx.overlay = Some(overlay);
        }
    }

    /// Acts on a choice; returns whether the list stays open.
    pub(crate) fn chosen(
        &mut self,
        answer: &Answer,
        chooser: &mut Chooser,
        choice: Choice,
    ) -> bool {
        match (answer, choice) {
            (_, Choice::Nothing) => true,
            (Answer::Theme(_), Choice::Moved) => {
                // The theme is previewed at once.
                if let Some(i) = chooser.selected() {
                    let name = chooser.item(i).label.clone();
                    self.cx.set_theme(&name);
                }
                true
            }
            (Answer::Theme(before), Choice::Cancelled) => {
                self.cx.set_theme(&before.clone());
                false
            }
            (Answer::Filter, Choice::Moved) => {
                let last = chooser.len() - 1;
                let query = chooser.query.clone();
                if let Some(item) = chooser.item_mut(last) {
                    let name = if query.is_empty() {
                        "…".to_owned()
                    } else {
                        format!("\"{query}\"")
                    };
                    item.label = format!("moves named {name}");
                }
                chooser.pin(Filter::named(&Filter::choices(), &query));
                true
            }
            (Answer::FindKind, Choice::Moved) => {
                chooser.pin(Filter::named(&Filter::findable(), &chooser.query));
                true
            }
            (Answer::Start(ways), Choice::Moved) => {
                let typed = ways.iter().position(|way| *way == Way::Typed);
                chooser.pin(typed.filter(|_| self.cx.can_open(&chooser.query)));
                true
            }
            (Answer::Command(_), Choice::Moved) => !self.asks(&chooser.query),
            (_, Choice::Moved) => true,
            (_, Choice::Cancelled) => false,
            (_, Choice::Taken(i)) => self.taken(answer, chooser, i),
        }
    }

    /// Opens the prompt of a command that asks for a text, once its name and a space were typed.
    fn asks(&mut self, query: &str) -> bool {
        let named = query.strip_suffix(' ').map(|name| name.replace(' ', "-"));
        let id = ASKING.iter().find(|id| Some(**id) == named.as_deref());
        if let Some(id) = id {
            self.run(id);
        }
        id.is_some() && self.cx.overlay.is_some()
    }

    fn taken(&mut self, answer: &Answer, chooser: &Chooser, i: usize) -> bool {
        match answer {
            Answer::Command(rows) => self.run_from_palette(rows[i]),
            Answer::Theme(_) => {
                let name = chooser.item(i).label.clone();
                self.cx.set_theme(&name);
            }
            Answer::Sort => self.cx.explore.tree.set_sort(Sort::ALL[i]),
            Answer::Filter => match Filter::choices().get(i) {
                Some(filter) => self.cx.show_only(filter.clone()),
                None if chooser.query.is_empty() => {
                    self.cx
                        .say(Level::Info, "type a part of a move's name first");
                    return true;
                }
                None => self.cx.show_only(Filter::Text(chooser.query.clone())),
            },
            Answer::FindKind => {
                if let Some(kind) = Filter::findable().get(i) {
                    self.cx.find_kind(kind.clone(), 1);
                }
            }
            Answer::Start(ways) => return self.start_taken(&ways[i], &chooser.query),
            Answer::Compare(ask) => self
                .tabs
                .compare
                .compare_taken(&mut self.cx, *ask, chooser, i),
            Answer::ExportGames(path) => self.tabs.game.export_games(&mut self.cx, path, i),
            Answer::Promotion(codes) => self.cx.make_chosen(codes[i]),
            Answer::ExportOver(path) => return self.tabs.game.export_over(&mut self.cx, path, i),
            Answer::ExportExisting(path) => self.tabs.game.export_existing(&mut self.cx, path, i),
            Answer::ExportOffer(offers) => {
                self.cx.ask_offer_path(offers[i]);
                return true;
            }
            Answer::ExportOfferOver(offer, path) => return self.offer_over(*offer, path, i),
            Answer::SaveOver(path) => return self.save_over(path, i),
            _ => {}
        }
        false
    }

    /// Acts on typed text; returns whether the prompt stays open.
    fn typed(&mut self, answer: &Answer, prompt: &mut Prompt, typed: Typed) -> bool {
        match (answer, typed) {
            (Answer::Find(from), Typed::Cancelled) => {
                self.cx.explore.tree.select(*from);
                false
            }
            (Answer::FindGame(before), Typed::Cancelled) => {
                self.tabs.game.find_games(&mut self.cx, before);
                false
            }
            (_, Typed::Cancelled) => false,
            (Answer::FindGame(_), Typed::Changed) => {
                self.tabs.game.find_games(&mut self.cx, prompt.text());
                true
            }
            (Answer::FindGame(_), Typed::Next(by)) => {
                self.tabs.game.game_rows(&mut self.cx, by);
                true
            }
            (Answer::FindGame(_), Typed::Done) => false,
            (Answer::ReviewColumns, Typed::Done) => {
                let text = prompt.text().to_owned();
                self.noted(prompt, |app| {
                    app.tabs.game.typed_columns(&mut app.cx, &text)
                })
            }
            (Answer::ReviewBudget, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| {
                    app.tabs.game.typed_review_budget(&mut app.cx, &text)
                })
            }
            (Answer::RetryGuess, Typed::Done) => {
                let text = prompt.text().to_owned();
                self.noted(prompt, |app| app.tabs.game.typed_guess(&mut app.cx, &text))
            }
            (Answer::Export, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| app.tabs.game.typed_export(&mut app.cx, &text))
            }
            (Answer::ExportOfferTo(offer), Typed::Done) => {
                let (offer, text) = (*offer, prompt.text().trim().to_owned());
                self.noted(prompt, |app| app.typed_offer_path(offer, &text))
            }
            (Answer::SaveSession, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| app.typed_save(&text))
            }
            (Answer::Note, Typed::Done) => {
                let text = prompt.text().to_owned();
                self.cx.typed_note(&text);
                false
            }
            (Answer::ExportGrid, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| {
                    app.tabs.lab.typed_differential_export(&mut app.cx, &text)
                })
            }
            (Answer::Find(from), Typed::Changed) => {
                // Single moves are searched for while the user types; a line only when it is complete.
                let query = prompt.text().trim().to_owned();
                let from = *from;
                // In a drawing, Esc would not undo what finding a node has opened, so the search waits for Enter.
                let waits = query.contains(' ') || query.is_empty() || self.cx.is_drawn();
                prompt.note = match waits {
                    true => String::new(),
                    false => match self.cx.with_tree(|e, r| e.find(r, &query, from)) {
                        Some(Err(what)) => what,
                        _ => String::new(),
                    },
                };
                true
            }
            (Answer::Find(from), Typed::Done) => {
                let query = prompt.text().to_owned();
                let from = *from;
                match self.cx.find(&query, from) {
                    Some(Err(what)) => {
                        prompt.note = what;
                        true
                    }
                    _ => false,
                }
            }
            (Answer::Find(_), Typed::Next(by)) => {
                if let Some(Err(what)) = self.cx.find_next(by) {
                    prompt.note = what;
                }
                true
            }
            (Answer::File, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                if !text.is_empty() {
                    self.open_path(&crate::app::place::home_expanded(&text));
                }
                false
            }
            (Answer::Move, Typed::Changed) => {
                prompt.note = self.cx.remark_on_moves(prompt.text());
                true
            }
            (Answer::Move, Typed::Done) => {
                let text = prompt.text().to_owned();
                self.noted(prompt, |app| app.cx.make_typed(&text))
            }
            (Answer::Guess, Typed::Done) => {
                let text = prompt.text().to_owned();
                self.noted(prompt, |app| app.cx.guess_number(&text))
            }
            (Answer::Event, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| app.cx.typed_event(&text))
            }
            (Answer::FindEvent, Typed::Done) => {
                let text = prompt.text().trim().to_owned();
                self.noted(prompt, |app| app.cx.find_event(&text, 1))
            }
            (Answer::Compare(ask), Typed::Done) => {
                let (ask, text) = (*ask, prompt.text().to_owned());
                self.noted(prompt, |app| {
                    app.tabs.compare.compare_typed(&mut app.cx, ask, &text)
                })
            }
            _ => true,
        }
    }

    /// Calls `act`; if it fails, the prompt stays open and shows the error beside the text.
    fn noted(
        &mut self,
        prompt: &mut Prompt,
        act: impl FnOnce(&mut App) -> Result<(), String>,
    ) -> bool {
        match act(self) {
            Ok(()) => false,
            Err(what) => {
                prompt.note = what;
                true
            }
        }
    }
}
