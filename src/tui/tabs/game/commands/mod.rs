//! Commands of the Game tab: moving in the game and the lists, and the review.

mod document;
mod export;
mod retry;

use super::review::Reviewed;
use super::{GamePane, GameTab};
use crate::context::{Ask, Context, Level};
use crate::overlays::chooser::Item;
use crate::overlays::prompt::{Prompt, Typed};
use crate::tabs::Tab;
use crate::tabs::compare::letter;
use screen::list::List;
use session::{Budget, State};
use studies::compare::ColumnSpec;
use studies::review::Review;

impl Context {
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

    /// Returns the last node of the main line on the path to a node, which is the node itself if it is on the main
    /// line.
    fn main_line_before(&self, node: usize) -> Option<usize> {
        let game = self.current.game()?;
        let line = game.main_line();
        let path = std::iter::successors(Some(node), |&n| game.nodes.get(n)?.parent);
        path.into_iter().find(|n| line.binary_search(n).is_ok())
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
            Some(name) => format!("after {}", text::sanitise(&name)),
            None => "the start".to_owned(),
        }
    }
}

impl GameTab {
    /// Returns the list in a pane, if it has one, and the number of its rows: games, guesses, findings.
    pub(super) fn list_of(&mut self, cx: &Context, pane: GamePane) -> Option<(&mut List, usize)> {
        match (pane, &mut self.retry) {
            (GamePane::Games, _) => {
                let count = self.list.len(&cx.document);
                Some((&mut self.list.state, count))
            }
            (GamePane::Moves, _) => None,
            (GamePane::Findings, Some(retry)) => Some((&mut retry.list, retry.moves.len())),
            (GamePane::Findings, None) => {
                let count = self.review.as_ref().map_or(0, |r| r.ranked.len());
                Some((&mut self.ranked, count))
            }
        }
    }

    /// Moves up or down in the focused pane: by rows of its list, or by lines of moves.
    pub fn game_rows(&mut self, cx: &mut Context, by: isize) {
        if let Some((list, count)) = self.list_of(cx, self.pane) {
            list.walk(by, count);
        } else if let Some(node) = self.moves.beside(cx.node, by) {
            cx.go_to_node(node);
        }
    }

    /// Moves by pages of rows.
    pub fn game_page(&mut self, cx: &mut Context, pages: isize) {
        if let Some((list, count)) = self.list_of(cx, self.pane) {
            list.pages(pages, count);
        } else {
            let rows = self.moves.height.max(2) as isize - 1;
            self.game_rows(cx, pages.saturating_mul(rows));
        }
    }

    /// Goes to the beginning or the end: of the focused list, or of the line of the game.
    pub fn game_end(&mut self, cx: &mut Context, by: isize) {
        if self.pane == GamePane::Moves {
            cx.go_to_ply(if by < 0 { 0 } else { usize::MAX });
        } else {
            self.game_rows(cx, by);
        }
    }

    /// Moves the focus to another pane of the tab.
    pub fn game_pane(&mut self, cx: &mut Context, by: isize) {
        let all = [GamePane::Moves, GamePane::Findings, GamePane::Games];
        let there = |p: &&GamePane| match p {
            GamePane::Games => cx.document.len() > 1,
            GamePane::Findings => self.review.is_some(),
            GamePane::Moves => true,
        };
        let panes: Vec<&GamePane> = all.iter().filter(there).collect();
        let at = panes.iter().position(|p| **p == self.pane);
        let at = at.unwrap_or(0) as isize;
        self.pane = *panes[(at + by).rem_euclid(panes.len() as isize) as usize];
    }

    /// Asks which games to show.
    pub fn ask_find_game(&mut self, cx: &mut Context) {
        self.pane = GamePane::Games;
        let before = self.list.query().to_owned();
        let hint = "words; white: black: player: event: year: result: eco:";
        let mut prompt = Prompt::new("games", hint).with_text(&before);
        prompt.keys = &[
            ("Enter", "keep these"),
            ("Down", "next game"),
            ("Up", "previous game"),
            ("Esc", "undo"),
        ];
        cx.ask_while(
            prompt,
            move |app, prompt, typed| {
                let (game, cx) = (&mut app.tabs.game, &mut app.cx);
                match typed {
                    Typed::Changed => game.list.set_query(prompt.text(), &cx.document),
                    Typed::Cancelled => game.list.set_query(&before, &cx.document),
                    Typed::Next(by) => game.game_rows(cx, by),
                    _ => {}
                }
            },
            |_, _| Ok(()),
        );
    }

    /// Handles Enter in the focused pane.
    pub fn game_enter(&mut self, cx: &mut Context) {
        match self.pane {
            GamePane::Findings if self.retry.is_some() => self.guess_selected(cx),
            GamePane::Games => {
                if let Some(entry) = self.list.selected() {
                    self.open_entry(cx, entry);
                    self.pane = GamePane::Moves;
                }
            }
            GamePane::Moves => cx.asks.push(Ask::Show(Tab::Explore)),
            GamePane::Findings => self.go_to_finding(cx, self.ranked.selected),
        }
    }

    /// Goes back: from a filter to all games, from a variation to the game, from the tab to Explore.
    pub fn game_leave(&mut self, cx: &mut Context) {
        if self.pane == GamePane::Games && !self.list.query().is_empty() {
            self.list.set_query("", &cx.document);
            return;
        }
        if self.leave_retry(cx) {
            return;
        }
        if self.pane != GamePane::Moves {
            self.pane = GamePane::Moves;
            return;
        }
        match cx.main_line_before(cx.node) {
            Some(node) if node != cx.node => cx.go_to_node(node),
            _ => cx.asks.push(Ask::Show(Tab::Explore)),
        }
    }

    /// Copies the current position as FEN; a toy tree has none.
    pub fn copy_place(&mut self, cx: &mut Context) {
        match cx.subject.position.fen() {
            Some(fen) => cx.copy(fen),
            None => cx.asks.push(Ask::Run("copy-fen")),
        }
    }
}

/// The review.
impl GameTab {
    /// Starts the review of the game, pauses a running one, or resumes a paused one.
    pub fn toggle_review(&mut self, cx: &mut Context) {
        let outdated = self.review_is_outdated();
        match &self.review {
            Some(r) if r.review.is_running() => {
                r.review.pause();
                let (done, all) = r.review.progress();
                cx.say(
                    Level::Info,
                    format!("review halted: {done} of {all} searches"),
                );
            }
            Some(r) if r.review.is_paused() && !outdated => {
                r.review.resume();
                self.hold_explore(cx);
            }
            Some(r) if r.review.is_complete() && !outdated => {
                cx.say(
                    Level::Info,
                    "the review is finished: other columns (a) or another budget (T) start a new one",
                );
            }
            _ => self.start_review(cx),
        }
    }

    fn review_is_outdated(&self) -> bool {
        let names = |columns: &[ColumnSpec]| -> Vec<String> {
            columns.iter().map(ToString::to_string).collect()
        };
        self.review.as_ref().is_some_and(|r| {
            r.review.budget() != self.budget || names(r.review.columns()) != names(&self.columns)
        })
    }

    /// Starts a review of the main line.
    pub fn start_review(&mut self, cx: &mut Context) {
        if cx.current.plies() == 0 {
            cx.say(Level::Info, "no game here: only a position");
            return;
        }
        let line = cx.current.line_through(0);
        let positions = cx.current.subjects_of(&line);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let columns = self.columns.clone();
        let review = Review::start(positions, columns, self.budget, cores);
        self.retry = None;
        self.review = Some(Reviewed::new(review, line));
        self.judge = self.judge.min(self.columns.len() - 1);
        self.ranked = List::default();
        self.moves.forget();
        if self.pane == GamePane::Games {
            // On a small screen the list would hide the results.
            self.pane = GamePane::Moves;
        }
        self.look_at_place(cx);
        self.hold_explore(cx);
    }

    /// Pauses Explore's search, since the review needs the cores.
    fn hold_explore(&mut self, cx: &mut Context) {
        let running = cx.state() == Some(State::Running);
        if let Some(session) = cx.session.as_mut().filter(|_| running) {
            session.pause();
            self.paused_explore = true;
            cx.say(
                Level::Info,
                "reviewing: Explore's search is paused meanwhile",
            );
        }
    }

    /// Takes care of the tab's background work.
    pub(super) fn tend_review(&mut self, cx: &mut Context) {
        self.tend_retry(cx);
        if self.paused_explore && !self.is_running() && !cx.tab.kind().has_cores {
            self.paused_explore = false;
            let paused = cx.state() == Some(State::Paused);
            if let Some(session) = cx.session.as_mut().filter(|_| paused) {
                session.resume();
            }
        }
        let trouble = self.review.as_mut().and_then(Reviewed::new_trouble);
        if let Some((column, trouble)) = trouble {
            let name = letter(column);
            let words = std::iter::once(&trouble.message).chain(&trouble.last_lines);
            let words: Vec<&str> = words.map(String::as_str).collect();
            cx.say(Level::Error, format!("{name}: {}", words.join(" · ")));
        }
    }

    /// Makes the review turn to the current position first.
    pub(super) fn look_at_place(&mut self, cx: &mut Context) {
        if let Some(reviewed) = &self.review
            && let Some(ply) = reviewed.ply_of(cx.node)
        {
            reviewed.review.prefer(ply);
        }
    }

    /// Pauses the review while a comparison is shown, which needs the cores.
    pub(crate) fn hold_review(&mut self, cx: &mut Context, comparing: bool) {
        let Some(reviewed) = &self.review else {
            return;
        };
        if comparing && reviewed.review.is_running() {
            reviewed.review.pause();
            self.held = true;
            cx.say(Level::Info, "comparing: the review is paused meanwhile");
        } else if !comparing && std::mem::take(&mut self.held) {
            reviewed.review.resume();
        }
    }

    /// Takes what the review has found in the meantime.
    pub(crate) fn take_results(&mut self) {
        if let Some(reviewed) = &mut self.review {
            reviewed.update();
        }
    }

    /// Pauses or resumes an unfinished review; otherwise Explore's search.
    pub fn pause_review(&mut self, cx: &mut Context) {
        let open = self.review.as_ref().map(|r| r.review.is_complete());
        match open {
            Some(false) => self.toggle_review(cx),
            _ => cx.toggle_pause(),
        }
    }

    /// Switches to another column's marks.
    pub fn next_judge(&mut self, by: isize) {
        let count = self.shown_columns().len().max(1) as isize;
        self.judge = (self.judge as isize + by).rem_euclid(count) as usize;
        self.retry = None;
    }

    /// Goes to the next or previous move with a mark.
    pub fn next_mark(&mut self, cx: &mut Context, by: isize) {
        if self.retry.is_some() {
            return self.retry_next(cx, by);
        }
        self.take_results();
        let Some(reviewed) = &self.review else {
            cx.say(Level::Info, "no review yet: R begins one");
            return;
        };
        let here = reviewed.ply_of(cx.main_line_before(cx.node).unwrap_or(0));
        let here = here.unwrap_or(0);
        let marks = reviewed.marks.get(self.judge);
        let marked = marks.into_iter().flatten().enumerate();
        // The mark of the move played at a ply belongs to the node after it.
        let mut plies = marked.filter(|(_, m)| m.is_some()).map(|(ply, _)| ply + 1);
        let next = if by > 0 {
            plies.find(|&p| p > here)
        } else {
            plies.filter(|&p| p < here).last()
        };
        match next {
            Some(ply) => cx.go_to_node(reviewed.line[ply]),
            None => cx.say(Level::Info, "no more marked moves that way"),
        }
    }

    /// Goes to the next position of the list of disagreements.
    pub fn next_disagreement(&mut self, cx: &mut Context, by: isize) {
        self.take_results();
        let Some(count) = self.review.as_ref().map(|r| r.ranked.len()) else {
            cx.say(Level::Info, "no review yet: R begins one");
            return;
        };
        if count == 0 {
            cx.say(Level::Info, "the columns agree so far");
            return;
        }
        let shown = self.selected_finding();
        let next = match shown {
            // The first visit goes to the first entry.
            Some(at) if self.visited => (at as isize + by).rem_euclid(count as isize) as usize,
            _ => 0,
        };
        self.go_to_finding(cx, next);
    }

    fn selected_finding(&self) -> Option<usize> {
        let count = self.review.as_ref()?.ranked.len();
        Some(self.ranked.selected.min(count.checked_sub(1)?))
    }

    /// Goes to a position of the list of disagreements.
    pub(super) fn go_to_finding(&mut self, cx: &mut Context, at: usize) {
        let Some(reviewed) = &self.review else {
            return;
        };
        if let Some(found) = reviewed.ranked.get(at) {
            let node = reviewed.line[found.ply];
            self.ranked.selected = at;
            self.visited = true;
            cx.go_to_node(node);
        }
    }

    /// Asks for all columns in one line.
    pub fn ask_columns(&mut self, cx: &mut Context) {
        let names: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
        let hint = "alpha-beta mcts distress:backup=gumbel:2 stockfish";
        let prompt = Prompt::new("columns", hint).with_text(&names.join(" "));
        cx.ask(prompt, |app, text| {
            app.tabs.game.typed_columns(&mut app.cx, text)
        });
    }

    /// Takes the typed columns, or returns what is wrong with them.
    fn typed_columns(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let words = text.split_whitespace();
        let columns: Vec<ColumnSpec> = words
            .map(|word| cx.read_column(word))
            .collect::<Result<_, _>>()?;
        if columns.is_empty() || columns.len() > GameTab::MOST_COLUMNS {
            return Err(format!(
                "found {} columns, expected 1 to {}",
                columns.len(),
                GameTab::MOST_COLUMNS
            ));
        }
        self.set_columns(cx, columns);
        Ok(())
    }

    /// Removes the judging column.
    pub fn remove_review_column(&mut self, cx: &mut Context) {
        if self.columns.len() < 2 {
            cx.say(Level::Info, "the last column stays");
            return;
        }
        let column = self.judge.min(self.columns.len() - 1);
        let name = format!("remove {}", self.columns[column]);
        let yes = Item::new(text::sanitise(&name), "its marks are lost");
        cx.confirm("remove a column", yes, move |app| {
            let game = &mut app.tabs.game;
            let mut columns = game.columns.clone();
            if columns.len() > 1 && column < columns.len() {
                columns.remove(column);
                game.set_columns(&mut app.cx, columns);
            }
        });
    }

    /// Sets the columns; a review that has already started is restarted with them.
    fn set_columns(&mut self, cx: &mut Context, columns: Vec<ColumnSpec>) {
        self.judge = self.judge.min(columns.len() - 1);
        self.columns = columns;
        self.review_anew(cx);
    }

    fn review_anew(&mut self, cx: &mut Context) {
        if self.review.is_some() && self.review_is_outdated() {
            self.start_review(cx);
        }
    }

    pub fn ask_review_budget(&mut self, cx: &mut Context) {
        let prompt = Prompt::new("budget for each position", "20k nodes, 500ms, depth 6")
            .with_text(&self.budget.to_string());
        cx.ask(prompt, |app, text| {
            app.tabs.game.typed_review_budget(&mut app.cx, text.trim())
        });
    }

    /// Takes the typed budget, or returns what is wrong with it.
    fn typed_review_budget(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let budget: Budget = text.parse().map_err(|e| format!("{e}"))?;
        if budget == Budget::Unlimited {
            return Err("a review needs an end: expected 20k nodes, 500ms or depth 6".to_owned());
        }
        self.budget = budget;
        self.review_anew(cx);
        Ok(())
    }
}
