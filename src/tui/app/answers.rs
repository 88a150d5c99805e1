//! Keys and answers in overlays, and what they do.

use super::App;
use crate::commands::ASKING;
use crate::context::Level;
use crate::overlays::chooser::{Choice, Chooser};
use crate::overlays::options::{Editor, Outcome};
use crate::overlays::prompt::{Prompt, Typed};
use crate::overlays::setup::{SetUp, Wish};
use crate::overlays::start::{GAME, Way};
use crate::overlays::{Answer, Overlay};
use crate::panes::tree::{Filter, Sort};
use crate::tabs::Tab;
use crate::views::bar::key_of_command;
use algorithms::ALGORITHMS;
use game::ChessPosition;
use games::{Document, samples};
use screen::keys::Key;

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
            (Answer::Find(_), Typed::Next(by)) => {
                if let Some(Err(what)) = self.cx.find_next(by) {
                    prompt.note = what;
                }
                true
            }
            (Answer::Move, Typed::Changed) => {
                prompt.note = self.cx.remark_on_moves(prompt.text());
                true
            }
            (_, Typed::Done) => match self.done(answer, prompt.text()) {
                Ok(()) => false,
                Err(what) => {
                    prompt.note = what;
                    true
                }
            },
            _ => true,
        }
    }

    /// Acts on a text that is complete. If it fails, the prompt stays open and shows the error beside the text.
    fn done(&mut self, answer: &Answer, text: &str) -> Result<(), String> {
        let trimmed = text.trim();
        let cx = &mut self.cx;
        match answer {
            Answer::ReviewColumns => self.tabs.game.typed_columns(cx, text),
            Answer::ReviewBudget => self.tabs.game.typed_review_budget(cx, trimmed),
            Answer::RetryGuess => self.tabs.game.typed_guess(cx, text),
            Answer::Export => self.tabs.game.typed_export(cx, trimmed),
            Answer::ExportOfferTo(offer) => self.typed_offer_path(*offer, trimmed),
            Answer::SaveSession => self.typed_save(trimmed),
            Answer::Note => {
                cx.typed_note(text);
                Ok(())
            }
            Answer::ExportGrid => self.tabs.lab.typed_differential_export(cx, trimmed),
            Answer::Find(from) => match cx.find(text, *from) {
                Some(Err(what)) => Err(what),
                _ => Ok(()),
            },
            Answer::File => {
                if !trimmed.is_empty() {
                    self.open_path(&crate::context::place::home_expanded(trimmed));
                }
                Ok(())
            }
            Answer::Move => cx.make_typed(text),
            Answer::Guess => cx.guess_number(text),
            Answer::Event => cx.typed_event(trimmed),
            Answer::FindEvent => cx.find_event(trimmed, 1),
            Answer::Compare(ask) => self.tabs.compare.compare_typed(cx, *ask, text),
            _ => Ok(()),
        }
    }

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

    /// Goes the way that was chosen; returns whether the list stays open.
    pub(crate) fn start_taken(&mut self, way: &Way, typed: &str) -> bool {
        match way {
            Way::Learn => self.show_tab(Tab::Learn),
            Way::Compare => self.show_tab(Tab::Compare),
            Way::Explore => {
                let start = ChessPosition::default();
                self.show_tab(Tab::Explore);
                self.tabs
                    .game
                    .open_document(&mut self.cx, Document::position("start position", start));
                self.cx.search_now();
            }
            Way::Review => {
                self.show_tab(Tab::Game);
                let name = |s: &samples::Sample| s.name.starts_with(GAME);
                if let Some(sample) = self.cx.samples.iter().find(|s| name(s)).cloned() {
                    self.tabs.game.open_sample(&mut self.cx, &sample);
                }
                let what = format!(
                    "{} reviews this game · {} opens a file of yours",
                    key_of_command(&self.cx, "review"),
                    key_of_command(&self.cx, "open-file")
                );
                self.cx.say(Level::Info, what);
            }
            Way::GoOn(path) | Way::Recent(path) => self.open_path(path),
            Way::Sample(i) => {
                let sample = self.cx.samples[*i].clone();
                self.tabs.game.open_sample(&mut self.cx, &sample);
            }
            Way::Typed => {
                if let Err(what) = self.open_text(typed) {
                    self.cx.say(Level::Error, what);
                    return true;
                }
            }
        }
        false
    }

    /// Opens what a text says: the file of this name, the moves played from the position that is searched, or the
    /// positions, games or toy tree in the text itself.
    ///
    /// # Errors
    /// If it is nothing of that kind.
    pub fn open_text(&mut self, typed: &str) -> Result<(), String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err("type or paste a FEN, moves or the name of a file first".to_owned());
        }
        let path = crate::context::place::home_expanded(typed);
        if !typed.contains('\n') && path.is_file() {
            self.open_path(&path);
            return Ok(());
        }
        if !typed.contains(['\n', '[']) && self.cx.make_typed(typed).is_ok() {
            self.show_tab(Tab::Explore);
            return Ok(());
        }
        let document = Document::pasted(typed)?;
        self.tabs.game.open_document(&mut self.cx, document);
        Ok(())
    }

    /// Acts on what was asked of the editor; returns whether it stays open.
    pub(crate) fn set_up(&mut self, setup: &mut SetUp, wish: Wish) -> bool {
        match wish {
            Wish::Stay => true,
            Wish::Cancel => false,
            Wish::Open => match setup.position() {
                Ok(position) => {
                    self.show_tab(Tab::Explore);
                    self.tabs.game.open_document(
                        &mut self.cx,
                        Document::position("position set up", position),
                    );
                    self.cx.say(Level::Info, "the position that was set up");
                    false
                }
                Err(why) => {
                    setup.fault = why;
                    true
                }
            },
        }
    }
}
