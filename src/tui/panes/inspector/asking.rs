//! Asking why a move was not chosen, or was: what the keys do, and how the answer follows the selection. The line that
//! answers is played out on the board.

use crate::context::{Context, Level};
use crate::panes::Pane;
use crate::panes::tree::RowKey;
use crate::views::bar::key_of_command;
use game::MoveCode;
use session::answer::{Answer, Evidence};
use session::forced::Forced;
use studies::lesson::Fact;
use tree::{Family, NodeId, Tree};

/// The name of the line that answers, on the board.
const ANSWER: &str = "line";

/// An open answer.
#[derive(Debug)]
pub struct Asking {
    /// The row that the line on the board belongs to; `None` before there is one.
    key: Option<RowKey>,
    /// The pane that had the keyboard.
    before: Pane,
    /// The search of the move that the user asked for.
    pub(super) forced: Option<Forced>,
}

impl Asking {
    /// Whether a search of the move is under way.
    pub fn is_searching(&self) -> bool {
        self.forced
            .as_ref()
            .is_some_and(|forced| !forced.found().done)
    }
}

impl Context {
    /// Answers why the selected move was not chosen, or was; in an open answer, searches the move anyway.
    pub fn ask_why(&mut self) {
        if self.hides_best() {
            self.say(
                Level::Info,
                "why is told when the question is answered – H gives a hint",
            );
            return;
        }
        if !self.shows(Fact::Inspector) {
            self.say(
                Level::Info,
                "this lesson explains the moves itself; later ones show the inspector",
            );
            return;
        }
        if self.explore.asking.is_some() {
            self.search_anyway();
            return;
        }
        if self.selected_answer().is_none() {
            // At the root: why the move that would be played.
            let best = self.with_tree(|explorer, reader| {
                let code = reader.best_move(Tree::ROOT)?;
                let parent = Tree::ROOT;
                explorer.reveal_row(reader, RowKey { parent, code });
                Some(())
            });
            if best.flatten().is_none() {
                self.say(
                    Level::Info,
                    "nothing was searched yet: space runs the search",
                );
                return;
            }
        }
        self.explore.asking = Some(Asking {
            key: None,
            before: self.explore.focus,
            forced: None,
        });
        self.explore.focus = Pane::Inspector;
        self.explore.inspector_top = 0;
        self.show_explore();
        self.update_answer();
    }

    /// Closes the answer; returns whether one was open.
    pub(crate) fn close_answer(&mut self) -> bool {
        let Some(asking) = self.explore.asking.take() else {
            return false;
        };
        self.stop_playing();
        if self.explore.focus == Pane::Inspector {
            self.explore.focus = asking.before;
        }
        self.explore.inspector_top = 0;
        true
    }

    /// Returns the answer about the selected move; `None` at the root.
    pub(super) fn selected_answer(&self) -> Option<Answer> {
        let (row, reader) = self.selected()?;
        if row.parent.is_none() {
            return None;
        }
        reader.answer(row.parent, row.code)
    }

    /// Whether the search turned the selected move down so clearly that one asks why: it skipped it, or found it refuted.
    pub(crate) fn is_turned_down(&self) -> bool {
        self.selected_answer().is_some_and(|answer| {
            let fate = answer.asked.view.fate;
            let refuted = fate.is_cutoff() || fate.is_cut_before_moves();
            answer.is_rejected() && (answer.evidence == Evidence::NotSearched || refuted)
        })
    }

    /// Makes the line on the board that of the selected move's answer, before a frame is drawn.
    pub(crate) fn update_answer(&mut self) {
        self.forget_old_line();
        let Some(asking) = &mut self.explore.asking else {
            return;
        };
        let key = self.explore.tree.key();
        let is_new = asking.key != Some(key);
        if is_new {
            asking.key = Some(key);
            asking.forced = None;
            self.explore.inspector_top = 0;
        }
        let forced = asking.forced.as_ref().map(|forced| forced.found().line);
        let Some(answer) = self.selected_answer() else {
            self.stop_playing();
            return;
        };
        // The search of a move that was not searched may change its mind until it ends; what is recorded stays.
        let (line, may_change) = match forced {
            Some(line) if line.len() > answer.asked.line.len() => (line, true),
            _ => (answer.asked.line.clone(), false),
        };
        let shown = self.line_played();
        let shown = shown.map(|shown| (shown.moves.clone(), shown.played));
        if is_new {
            self.show_line(ANSWER, answer.parent, line, 1);
            if answer.evidence == Evidence::NotRecorded {
                self.search_again();
            }
            return;
        }
        match shown {
            // Another line is played out, or none any more.
            None => {}
            Some((moves, played)) => {
                // The search goes on: what is played out is not exchanged under the user's eyes.
                let is_better = line.len() > moves.len() || may_change && line != moves;
                if is_better && line.starts_with(&moves[..played]) {
                    self.show_line(ANSWER, answer.parent, line, played);
                }
            }
        }
    }

    /// Searches the move of the open answer, whatever the search made of it.
    fn search_anyway(&mut self) {
        let Some(answer) = self.selected_answer() else {
            self.say(Level::Info, "this is the position searched: choose a move");
            return;
        };
        let Some(source) = &self.session else {
            return;
        };
        let reader = source.reader();
        let Some(at) = reader.situation(answer.parent) else {
            return;
        };
        // As deep as its siblings.
        let depth = match reader.tree.family() {
            Family::DepthFirst => {
                let window = reader.view(answer.parent).window;
                window.map(|w| u16::try_from(w.depth.max(0)).map_or(1, |plies| plies.max(2) - 1))
            }
            Family::BestFirst => None,
        };
        let config = source.config().clone();
        let forced = Forced::start(&at, answer.asked.code, &config, depth);
        if let Some(asking) = &mut self.explore.asking {
            asking.forced = forced;
        }
        self.explore.inspector_top = 0;
    }

    /// Steps along the line on the board; where none is shown, plays out the best line of the selected node.
    pub fn step_along(&mut self, by: isize) {
        if self.line_played().is_some() {
            if !self.step_line(by) {
                let end = if by > 0 { "end" } else { "beginning" };
                self.say(
                    Level::Info,
                    format!("the {end} of the line · Esc back to the selected row"),
                );
            }
            return;
        }
        let best = self.with_tree(|explorer, reader| {
            let row = explorer.selected_row()?;
            let from: (NodeId, Vec<MoveCode>) = match row.node.is_none() {
                true => (row.parent, vec![row.code]),
                false => (row.node, reader.best_moves(row.node)),
            };
            (!from.1.is_empty()).then_some(from)
        });
        let Some((from, moves)) = best.flatten() else {
            self.say(Level::Info, "no line is known below this node");
            return;
        };
        let played = by.max(0) as usize;
        self.show_line("best line", from, moves, played);
        let (next, back) = (
            key_of_command(self, "line-forward"),
            key_of_command(self, "line-back"),
        );
        self.say(
            Level::Info,
            format!(
                "the best line on the board: {next} on · {back} back · Esc the selected row again"
            ),
        );
    }
}
