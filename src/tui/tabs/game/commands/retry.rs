//! Commands that retry marked moves.

use crate::context::{Context, Level};
use crate::overlays::prompt::Prompt;
use crate::tabs::game::retry::{Retried, Retry};
use crate::tabs::game::{GamePane, GameTab};
use crate::views::bar::key_of_command;
use screen::list::List;
use session::MoveName;
use studies::review::Guessed;

impl GameTab {
    /// Retries the marked move that leads to the present place, or that is played there, or else the worst one.
    pub fn retry_mark(&mut self, cx: &mut Context) {
        self.take_results();
        let Some(reviewed) = &self.review else {
            cx.say(Level::Info, "no review yet: R begins one");
            return;
        };
        let judge = self.judge;
        let here = reviewed.ply_of(cx.node);
        let marked = |ply: &usize| {
            let marks = reviewed.marks.get(judge);
            marks.is_some_and(|marks| marks.get(*ply).is_some_and(Option::is_some))
        };
        let led = here.and_then(|ply| ply.checked_sub(1)).filter(marked);
        match led.or(here.filter(marked)) {
            Some(ply) => self.retry_at(cx, ply),
            None => self.retry_worst(cx),
        }
    }

    /// Retries the worst of the marked moves that were not retried yet.
    fn retry_worst(&mut self, cx: &mut Context) {
        let Some(reviewed) = &self.review else {
            return;
        };
        let judge = self.judge;
        let marks = reviewed.marks.get(judge).into_iter().flatten().enumerate();
        let marks = marks.filter_map(|(ply, mark)| Some((ply, mark.as_ref()?)));
        let is_open = |ply: usize| reviewed.score.of(judge, ply).is_none();
        let any = marks.clone().next().is_some();
        let open = marks.filter(|(ply, _)| is_open(*ply));
        // Of equal ones the first.
        let worst = open.min_by(|(_, a), (_, b)| b.loss.drop.total_cmp(&a.loss.drop));
        match worst.map(|(ply, _)| ply) {
            Some(ply) => self.retry_at(cx, ply),
            None if any => {
                let what = format!("all mistakes retried: {}", reviewed.score.words(judge));
                cx.say(Level::Info, what);
            }
            None if reviewed.review.is_complete() => {
                cx.say(Level::Info, "no move of this game is marked as a mistake");
            }
            None => cx.say(
                Level::Info,
                "no mistake found yet: the review is still running",
            ),
        }
    }

    /// Retries the next or the previous marked move.
    pub fn retry_next(&mut self, cx: &mut Context, by: isize) {
        self.take_results();
        let Some(reviewed) = &self.review else {
            return;
        };
        let from = match &self.retry {
            Some(retry) => Some(retry.ply),
            None => reviewed.ply_of(cx.node),
        };
        let marks = reviewed.marks.get(self.judge);
        let marked = marks.into_iter().flatten().enumerate();
        let mut plies = marked
            .filter(|(_, mark)| mark.is_some())
            .map(|(ply, _)| ply);
        let is_retried = self.retry.is_some();
        let next = match (from, by > 0) {
            (None, true) => plies.next(),
            (None, false) => plies.last(),
            (Some(from), true) => plies.find(|&ply| ply > from || (ply == from && !is_retried)),
            (Some(from), false) => plies.filter(|&ply| ply < from).last(),
        };
        match next {
            Some(ply) => self.retry_at(cx, ply),
            None if is_retried => {
                let score = reviewed.score.words(self.judge);
                cx.say(
                    Level::Info,
                    format!("no more marked moves that way: {score}"),
                );
            }
            None => {
                let key = key_of_command(cx, "previous-mark");
                let what = format!("no marked move from here on: {key} goes back to one");
                cx.say(Level::Info, what);
            }
        }
    }

    fn retry_at(&mut self, cx: &mut Context, ply: usize) {
        let Some(reviewed) = &self.review else {
            return;
        };
        let column = self.judge;
        let mark = reviewed.marks.get(column).and_then(|marks| marks.get(ply));
        let (Some(Some(mark)), Some(&node)) = (mark, reviewed.line.get(ply)) else {
            return;
        };
        let retry = Retry {
            ply,
            column,
            mark: mark.clone(),
            node,
            moves: reviewed.review.legal_moves(ply),
            list: List::default(),
            trial: None,
            guesses: Vec::new(),
            given_up: false,
        };
        self.retry = None;
        cx.go_to_node(node);
        self.retry = Some(retry);
        self.pane = GamePane::Findings;
        cx.messages.fresh = false;
    }

    /// Asks for a guess by name.
    pub fn ask_retry_guess(&mut self, cx: &mut Context) {
        match &self.retry {
            Some(_) => {
                let prompt = Prompt::new("your move", "Nf3, e8=Q, O-O or g1f3");
                cx.ask(prompt, |app, text| {
                    app.tabs.game.typed_guess(&mut app.cx, text)
                });
            }
            None => {
                let key = key_of_command(cx, "retry");
                cx.say(
                    Level::Info,
                    format!("no mistake is being retried: {key} retries one"),
                );
            }
        }
    }

    /// Takes a typed guess, or returns what is wrong with it.
    fn typed_guess(&mut self, cx: &mut Context, text: &str) -> Result<(), String> {
        let (Some(retry), Some(reviewed)) = (&self.retry, &self.review) else {
            return Ok(());
        };
        let position = reviewed.review.position(retry.ply);
        let read = position.and_then(|subject| subject.read_moves(text, false).ok());
        let code = match read.as_ref().map(|(_, moves)| moves.as_slice()) {
            Some(&[code]) => Some(code),
            _ => None,
        };
        let guess = code.and_then(|code| retry.moves.iter().find(|m| m.code == code));
        let Some(guess) = guess.cloned() else {
            return Err(
                "no legal move is named like this: expected one like Nf3 or g1f3".to_owned(),
            );
        };
        self.guess_move(cx, guess);
        Ok(())
    }

    /// Guesses the selected row.
    pub(super) fn guess_selected(&mut self, cx: &mut Context) {
        let Some(retry) = &self.retry else {
            return;
        };
        if retry.is_over() {
            return self.retry_worst(cx);
        }
        let guess = retry.moves.get(retry.list.selected).cloned();
        if let Some(guess) = guess {
            self.guess_move(cx, guess);
        }
    }

    /// Selects a row of the legal moves; the selected one is guessed.
    pub(in crate::tabs::game) fn click_guess(&mut self, cx: &mut Context, at: usize) {
        let retry = self.retry.as_mut();
        if retry.is_none_or(|retry| retry.list.click(at)) {
            self.guess_selected(cx);
        }
    }

    fn guess_move(&mut self, cx: &mut Context, guess: MoveName) {
        let (Some(retry), Some(reviewed)) = (&mut self.retry, &self.review) else {
            return;
        };
        if let Some(at) = retry.moves.iter().position(|m| m.code == guess.code) {
            retry.list.selected = at;
        }
        if retry.trial.is_some() {
            cx.say(Level::Info, "the guess before is still being judged");
            return;
        }
        if retry.guesses.iter().any(|g| g.guess.code == guess.code) {
            cx.say(Level::Info, format!("{} was guessed already", guess.san));
            return;
        }
        match Guessed::known(&retry.mark, &guess) {
            Some(known) => self.judged_guess(cx, known),
            None => retry.trial = reviewed.review.try_out(retry.column, retry.ply, &guess),
        }
    }

    /// Takes the verdict on a guess.
    fn judged_guess(&mut self, cx: &mut Context, guessed: Guessed) {
        let Some(retry) = &mut self.retry else {
            return;
        };
        retry.guesses.push(guessed);
        self.note_retried();
        cx.dirty = true;
    }

    fn note_retried(&mut self) {
        if let (Some(retry), Some(reviewed)) = (&self.retry, &mut self.review)
            && let Some(outcome) = retry.outcome()
        {
            reviewed.score.note(retry.column, retry.ply, outcome);
        }
    }

    /// Takes the verdict of a search that judges a guess, once it has ended.
    pub(super) fn tend_retry(&mut self, cx: &mut Context) {
        let trial = self.retry.as_mut().map(|retry| &mut retry.trial);
        let Some(slot) = trial.filter(|t| t.as_ref().is_some_and(|t| t.is_complete())) else {
            return;
        };
        if let Some(trial) = slot.take() {
            let loss = trial.loss();
            let guess = trial.guess;
            self.judged_guess(cx, Guessed { guess, loss });
        }
    }

    /// Gives up an open retry, which shows the solution; ends one that is over. Returns false if there is none.
    pub(super) fn leave_retry(&mut self, cx: &mut Context) -> bool {
        let Some(retry) = &mut self.retry else {
            return false;
        };
        retry.trial = None;
        if retry.outcome().is_none() {
            retry.given_up = true;
            self.note_retried();
            return true;
        }
        let ply = retry.ply;
        self.retry = None;
        let line = self.review.as_ref().map(|reviewed| &reviewed.line);
        if let Some(node) = line.and_then(|line| line.get(ply + 1).copied()) {
            cx.go_to_node(node);
        }
        true
    }

    /// Ends the retry if the user has gone to another place.
    pub(in crate::tabs::game) fn retry_left(&mut self, cx: &mut Context) {
        let node = cx.node;
        self.retry.take_if(|retry| retry.node != node);
    }

    /// Returns the score of the retried moves: `2 of 3 solved`.
    pub(in crate::tabs::game) fn retry_score(&self) -> Option<String> {
        let score = &self.review.as_ref()?.score;
        let (_, _, all) = score.counts(self.judge);
        (all > 0).then(|| score.words(self.judge))
    }

    /// Returns how the marked move of a ply was retried.
    pub fn retried(&self, ply: usize) -> Option<Retried> {
        let reviewed = self.review.as_ref()?;
        reviewed.score.of(self.judge, ply)
    }
}
