//! Commands of the Game tab: moving in the game and the lists, and the review.

mod export;
mod retry;

use super::review::Reviewed;
use super::{GamePane, GameTab};
use crate::app::{Answer, App, Level, Overlay, Tab};
use crate::overlays::prompt::Prompt;
use crate::tabs::compare::letter;
use search::Subjects as _;
use session::Budget;
use session::State;
use studies::compare::ColumnSpec;
use studies::review::Review;

impl App {
    /// Moves up or down by rows in the focused pane: games, lines of moves, findings.
    pub fn game_rows(&mut self, by: isize) {
        match self.game.pane {
            GamePane::Games => self.game.list.walk(by, &self.document),
            GamePane::Moves => {
                if let Some(node) = self.game.moves.beside(self.node, by) {
                    self.go_to_node(node);
                }
            }
            GamePane::Findings if self.game.retry.is_some() => {
                if let Some(retry) = &mut self.game.retry {
                    let count = retry.moves.len();
                    retry.list.walk(by, count);
                }
            }
            GamePane::Findings => {
                let count = self.game.review.as_ref().map_or(0, |r| r.ranked.len());
                self.game.ranked.walk(by, count);
            }
        }
    }

    /// Moves by pages of rows.
    pub fn game_page(&mut self, pages: isize) {
        let height = match self.game.pane {
            GamePane::Games => self.game.list.height,
            _ => self.game.moves.height,
        };
        self.game_rows(pages.saturating_mul(height.max(2) as isize - 1));
    }

    /// Goes to the beginning or the end: of the focused list, or of the line of the game.
    pub fn game_end(&mut self, by: isize) {
        if self.game.pane == GamePane::Moves {
            self.go_to_ply(if by < 0 { 0 } else { usize::MAX });
        } else {
            self.game_rows(by);
        }
    }

    /// Goes to the next or previous alternative to the current move.
    pub fn other_variation(&mut self, by: isize) {
        let found = self.current.game().and_then(|game| {
            let siblings = &game.nodes[game.nodes.get(self.node)?.parent?].children;
            let at = siblings.iter().position(|&n| n == self.node)? as isize;
            let next = (at + by).rem_euclid(siblings.len() as isize) as usize;
            Some(siblings[next]).filter(|&n| n != self.node)
        });
        match found {
            Some(node) => self.go_to_node(node),
            None => self.say(Level::Info, "no other move here in the file"),
        }
    }

    /// Handles Enter in the focused pane.
    pub fn game_enter(&mut self) {
        match self.game.pane {
            GamePane::Findings if self.game.retry.is_some() => self.guess_selected(),
            GamePane::Games => {
                if let Some(entry) = self.game.list.selected() {
                    self.open_entry(entry);
                    self.game.pane = GamePane::Moves;
                }
            }
            GamePane::Moves => self.show_tab(Tab::Explore),
            GamePane::Findings => self.go_to_finding(self.game.ranked.selected),
        }
    }

    /// Goes back: from a filter to all games, from a variation to the game, from the tab to Explore.
    pub fn game_leave(&mut self) {
        if self.game.pane == GamePane::Games && !self.game.list.query().is_empty() {
            self.game.list.set_query("", &self.document);
            return;
        }
        if self.leave_retry() {
            return;
        }
        if self.game.pane != GamePane::Moves {
            self.game.pane = GamePane::Moves;
            return;
        }
        match self.main_line_before(self.node) {
            Some(node) if node != self.node => self.go_to_node(node),
            _ => self.show_tab(Tab::Explore),
        }
    }

    /// Returns the last node of the main line on the path to a node, which is the node itself if it is on the main
    /// line.
    fn main_line_before(&self, node: usize) -> Option<usize> {
        let game = self.current.game()?;
        let line = game.main_line();
        let path = std::iter::successors(Some(node), |&n| game.nodes.get(n)?.parent);
        path.into_iter().find(|n| line.binary_search(n).is_ok())
    }

    /// Moves the focus to another pane of the tab.
    pub fn game_pane(&mut self, by: isize) {
        let all = [GamePane::Moves, GamePane::Findings, GamePane::Games];
        let there = |p: &&GamePane| match p {
            GamePane::Games => self.document.len() > 1,
            GamePane::Findings => self.game.review.is_some(),
            GamePane::Moves => true,
        };
        let panes: Vec<&GamePane> = all.iter().filter(there).collect();
        let at = panes.iter().position(|p| **p == self.game.pane);
        let at = at.unwrap_or(0) as isize;
        self.game.pane = *panes[(at + by).rem_euclid(panes.len() as isize) as usize];
    }

    /// Asks which games to show.
    pub fn ask_find_game(&mut self) {
        self.game.pane = GamePane::Games;
        let before = self.game.list.query().to_owned();
        let hint = "words; white: black: player: event: year: result: eco:";
        let prompt = Prompt::new("games", hint).with_text(&before);
        self.overlay = Some(Overlay::Prompt(Answer::FindGame(before), prompt));
    }

    pub(crate) fn find_games(&mut self, text: &str) {
        self.game.list.set_query(text, &self.document);
    }

    pub fn toggle_clocks(&mut self) {
        self.game.moves.clocks = !self.game.moves.clocks;
    }

    /// Copies the current position as FEN; a toy tree has none.
    pub fn copy_place(&mut self) {
        match self.subject.position.fen() {
            Some(fen) => self.copy(fen),
            None => self.copy_fen(),
        }
    }

    /// Copies the moves that lead to the current position.
    pub fn copy_place_line(&mut self) {
        let line = self.current.line_through(self.node);
        let line = &line[..=self.ply.min(line.len() - 1)];
        self.copy(self.current.names_of(line).join(" "));
    }

    /// Searches the current position in Explore's tree without leaving the tab.
    pub fn search_place_here(&mut self) {
        self.search_place();
        let what = self.place_name();
        self.say(Level::Info, format!("Explore searches {what}"));
    }

    /// Returns the current place in words: `after 12...Nf6`.
    pub fn place_name(&self) -> String {
        let numbered = self.current.game().map(|g| g.numbered(self.node));
        match numbered.filter(|n| !n.is_empty()) {
            Some(name) => format!("after {}", crate::text::harmless(&name)),
            None => "the start".to_owned(),
        }
    }
}

/// The review.
impl App {
    /// Starts the review of the game, pauses a running one, or resumes a paused one.
    pub fn toggle_review(&mut self) {
        let outdated = self.review_is_outdated();
        match &self.game.review {
            Some(r) if r.review.is_running() => {
                r.review.pause();
                let (done, all) = r.review.progress();
                self.say(
                    Level::Info,
                    format!("review halted: {done} of {all} searches"),
                );
            }
            Some(r) if r.review.is_paused() && !outdated => {
                r.review.resume();
                self.hold_explore();
            }
            Some(r) if r.review.is_complete() && !outdated => {
                self.say(
                    Level::Info,
                    "the review is finished: other columns (A) or another budget (T) begin one anew",
                );
            }
            _ => self.start_review(),
        }
    }

    fn review_is_outdated(&self) -> bool {
        let names = |columns: &[ColumnSpec]| -> Vec<String> {
            columns.iter().map(ToString::to_string).collect()
        };
        self.game.review.as_ref().is_some_and(|r| {
            r.review.budget() != self.game.budget
                || names(r.review.columns()) != names(&self.game.columns)
        })
    }

    /// Starts a review of the main line.
    pub fn start_review(&mut self) {
        if self.current.plies() == 0 {
            self.say(Level::Info, "no game here: only a position");
            return;
        }
        let line = self.current.line_through(0);
        let positions = self.current.subjects_of(&line);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let columns = self.game.columns.clone();
        let review = Review::start(positions, columns, self.game.budget, cores);
        self.game.retry = None;
        self.game.review = Some(Reviewed::new(review, line));
        self.game.judge = self.game.judge.min(self.game.columns.len() - 1);
        self.game.ranked = crate::list::ListState::default();
        self.game.moves.forget();
        if self.game.pane == GamePane::Games {
            // On a small screen the list would hide the results.
            self.game.pane = GamePane::Moves;
        }
        self.look_at_place();
        self.hold_explore();
    }

    /// Pauses Explore's search, since the review needs the cores.
    fn hold_explore(&mut self) {
        let running = self.state() == Some(State::Running);
        if let Some(session) = self.session.as_mut().filter(|_| running) {
            session.pause();
            self.game.paused_explore = true;
            self.say(
                Level::Info,
                "reviewing: Explore's search is paused meanwhile",
            );
        }
    }

    /// Takes care of the tab's background work.
    pub(super) fn tend_review(&mut self) {
        self.tend_retry();
        if self.game.paused_explore && !self.game.is_running() && !self.tab.screen().has_cores() {
            self.game.paused_explore = false;
            let paused = self.state() == Some(State::Paused);
            if let Some(session) = self.session.as_mut().filter(|_| paused) {
                session.resume();
            }
        }
        let trouble = self.game.review.as_mut().and_then(Reviewed::new_trouble);
        if let Some((column, trouble)) = trouble {
            let name = letter(column);
            let words = std::iter::once(&trouble.message).chain(&trouble.last_lines);
            let words: Vec<&str> = words.map(String::as_str).collect();
            self.say(Level::Error, format!("{name}: {}", words.join(" · ")));
        }
    }

    /// Makes the review turn to the current position first.
    pub(super) fn look_at_place(&mut self) {
        if let Some(reviewed) = &self.game.review
            && let Some(ply) = reviewed.ply_of(self.node)
        {
            reviewed.review.prefer(ply);
        }
    }

    /// Pauses the review while a comparison is shown, which needs the cores.
    pub(crate) fn hold_review(&mut self, comparing: bool) {
        let Some(reviewed) = &self.game.review else {
            return;
        };
        if comparing && reviewed.review.is_running() {
            reviewed.review.pause();
            self.game.held = true;
            self.say(Level::Info, "comparing: the review is paused meanwhile");
        } else if !comparing && std::mem::take(&mut self.game.held) {
            reviewed.review.resume();
        }
    }

    /// Takes what the review has found in the meantime.
    pub(crate) fn take_results(&mut self) {
        if let Some(reviewed) = &mut self.game.review {
            reviewed.update();
        }
    }

    /// Pauses or resumes an unfinished review; otherwise Explore's search.
    pub fn pause_review(&mut self) {
        let open = self.game.review.as_ref().map(|r| r.review.is_complete());
        match open {
            Some(false) => self.toggle_review(),
            _ => self.toggle_pause(),
        }
    }

    /// Switches to another column's marks.
    pub fn next_judge(&mut self, by: isize) {
        let count = self.game.shown_columns().len().max(1) as isize;
        self.game.judge = (self.game.judge as isize + by).rem_euclid(count) as usize;
        self.game.retry = None;
    }

    /// Goes to the next or previous move with a mark.
    pub fn next_mark(&mut self, by: isize) {
        if self.game.retry.is_some() {
            return self.retry_next(by);
        }
        self.take_results();
        let Some(reviewed) = &self.game.review else {
            self.say(Level::Info, "no review yet: R begins one");
            return;
        };
        let here = reviewed.ply_of(self.main_line_before(self.node).unwrap_or(0));
        let here = here.unwrap_or(0);
        let marks = reviewed.marks.get(self.game.judge);
        let marked = marks.into_iter().flatten().enumerate();
        // The mark of the move played at a ply belongs to the node after it.
        let mut plies = marked.filter(|(_, m)| m.is_some()).map(|(ply, _)| ply + 1);
        let next = if by > 0 {
            plies.find(|&p| p > here)
        } else {
            plies.filter(|&p| p < here).last()
        };
        match next {
            Some(ply) => self.go_to_node(reviewed.line[ply]),
            None => self.say(Level::Info, "no more marked moves that way"),
        }
    }

    /// Goes to the next position of the list of disagreements.
    pub fn next_disagreement(&mut self, by: isize) {
        self.take_results();
        let Some(count) = self.game.review.as_ref().map(|r| r.ranked.len()) else {
            self.say(Level::Info, "no review yet: R begins one");
            return;
        };
        if count == 0 {
            self.say(Level::Info, "the columns agree so far");
            return;
        }
        let shown = self.selected_finding();
        let next = match shown {
            // The first visit goes to the first entry.
            Some(at) if self.game.visited => (at as isize + by).rem_euclid(count as isize) as usize,
            _ => 0,
        };
        self.go_to_finding(next);
    }

    fn selected_finding(&self) -> Option<usize> {
        let count = self.game.review.as_ref()?.ranked.len();
        Some(self.game.ranked.selected.min(count.checked_sub(1)?))
    }

    /// Goes to a position of the list of disagreements.
    pub(super) fn go_to_finding(&mut self, at: usize) {
        let Some(reviewed) = &self.game.review else {
            return;
        };
        if let Some(found) = reviewed.ranked.get(at) {
            let node = reviewed.line[found.ply];
            self.game.ranked.selected = at;
            self.game.visited = true;
            self.go_to_node(node);
        }
    }

    /// Asks for all columns in one line.
    pub fn ask_columns(&mut self) {
        let names: Vec<String> = self.game.columns.iter().map(ToString::to_string).collect();
        let hint = "alpha-beta mcts distress:backup=gumbel:2 stockfish";
        let prompt = Prompt::new("columns", hint).with_text(&names.join(" "));
        self.overlay = Some(Overlay::Prompt(Answer::ReviewColumns, prompt));
    }

    /// Takes the typed columns, or returns what is wrong with them.
    pub(crate) fn typed_columns(&mut self, text: &str) -> Result<(), String> {
        let words = text.split_whitespace();
        let columns: Vec<ColumnSpec> = words
            .map(|word| self.read_column(word))
            .collect::<Result<_, _>>()?;
        if columns.is_empty() || columns.len() > GameTab::MOST_COLUMNS {
            return Err(format!(
                "found {} columns, expected 1 to {}",
                columns.len(),
                GameTab::MOST_COLUMNS
            ));
        }
        self.set_columns(columns);
        Ok(())
    }

    /// Removes the judging column.
    pub fn remove_review_column(&mut self) {
        if self.game.columns.len() < 2 {
            self.say(Level::Info, "one column is the least");
            return;
        }
        let mut columns = self.game.columns.clone();
        columns.remove(self.game.judge.min(columns.len() - 1));
        self.set_columns(columns);
    }

    /// Sets the columns; a review that has already started is restarted with them.
    fn set_columns(&mut self, columns: Vec<ColumnSpec>) {
        self.game.judge = self.game.judge.min(columns.len() - 1);
        self.game.columns = columns;
        self.review_anew();
    }

    fn review_anew(&mut self) {
        if self.game.review.is_some() && self.review_is_outdated() {
            self.start_review();
        }
    }

    pub fn ask_review_budget(&mut self) {
        let prompt = Prompt::new("budget for each position", "20k nodes, 500ms, depth 6")
            .with_text(&self.game.budget.to_string());
        self.overlay = Some(Overlay::Prompt(Answer::ReviewBudget, prompt));
    }

    /// Takes the typed budget, or returns what is wrong with it.
    pub(crate) fn typed_review_budget(&mut self, text: &str) -> Result<(), String> {
        let budget: Budget = text.parse().map_err(|e| format!("{e}"))?;
        if budget == Budget::Unlimited {
            return Err("a review needs an end: expected 20k nodes, 500ms or depth 6".to_owned());
        }
        self.game.budget = budget;
        self.review_anew();
        Ok(())
    }
}
