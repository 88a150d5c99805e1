//! Overlays, which open above the tab: lists to choose from, prompts, the options editor, the help.

pub(crate) mod chooser;
pub(crate) mod expression;
pub(crate) mod help;
mod keys;
pub(crate) mod options;
pub(crate) mod prompt;
pub mod setup;
pub(crate) mod start;

use crate::context::Context;
use crate::exporting::Offer;
use crate::overlays::chooser::{Chooser, Item};
use crate::overlays::expression::Expression;
use crate::overlays::help::Help;
use crate::overlays::options::Editor;
use crate::overlays::prompt::Prompt;
use crate::overlays::setup::SetUp;
use crate::overlays::start::Way;
use crate::panes::tree::Sort;
use crate::tabs::compare::Ask;
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
            .map(|label| Item::new(label, ""))
            .collect();
        let before = self.looks.name.clone();
        self.choose(Answer::Theme(before), Chooser::new("theme", items, at));
    }

    pub fn ask_sort(&mut self) {
        let at = Sort::ALL.iter().position(|s| *s == self.explore.tree.sort);
        let items = Sort::ALL
            .iter()
            .map(|s| Item::new(s.name(), s.summary()))
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
