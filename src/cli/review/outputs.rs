//! Writes what a review has found, game by game in their order, and shows the progress.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use indicatif::ProgressBar;

use super::Arguments;
use super::games::{Chosen, Selection};
use crate::failure::complain;
use crate::{Failure, progress, terminal};
use ::text::sanitise;
use ::text::save::Draft;
use game::load::LoadError;
use games::GameTree;
use report::review::text::{self, Totals};
use report::review::{GameReview, html, json};
use report::text::Style;
use studies::review::{Measure, Record, Review, Saved, Step, Wanted};

/// A file to write.
struct File<'a> {
    path: &'a Path,
    draft: Draft,
}

impl<'a> File<'a> {
    fn begin(path: &'a Path) -> Result<File<'a>, Failure> {
        let draft = Draft::begin(path).map_err(|e| unwritable(path, &e))?;
        Ok(File { path, draft })
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        let written = self.draft.write_all(text);
        written.map_err(|e| unwritable(self.path, &e))
    }

    fn publish(self) -> Result<(), Failure> {
        let published = self.draft.publish();
        published.map_err(|e| unwritable(self.path, &e))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("{}: cannot be written ({error})", path.display()))
}

/// Receives the results.
pub struct Outputs<'a> {
    arguments: &'a Arguments,
    chosen: &'a Selection,
    names: &'a [String],
    games: Option<File<'a>>,
    html: Option<File<'a>>,
    record: Option<Record>,
    /// Reviewed games that wait for one before them, by number.
    waiting: BTreeMap<usize, Box<Review>>,
    /// The number of games written.
    written: usize,
    totals: Totals,
    /// Those of the games on the page.
    measures: Vec<Measure>,
    /// Whether a game could not be read or a column failed.
    troubled: bool,
    /// The failures of columns reported so far.
    told: BTreeSet<String>,
    /// Whether somebody still reads standard output.
    read: bool,
    bar: Bar,
    failure: Option<Failure>,
}

impl<'a> Outputs<'a> {
    /// Creates the files.
    pub fn begin(
        arguments: &'a Arguments,
        chosen: &'a Selection,
        names: &'a [String],
        record: Option<Record>,
    ) -> Result<Self, Failure> {
        Ok(Outputs {
            arguments,
            chosen,
            names,
            games: arguments.output().map(File::begin).transpose()?,
            html: arguments.html.as_deref().map(File::begin).transpose()?,
            record,
            waiting: BTreeMap::new(),
            written: 0,
            totals: Totals::default(),
            measures: Vec::new(),
            troubled: false,
            told: BTreeSet::new(),
            read: true,
            bar: Bar::new(arguments, chosen.games.len()),
            failure: None,
        })
    }

    pub fn take(&mut self, step: Step) -> ControlFlow<()> {
        let taken = match step {
            Step::Game(number, searches) => {
                self.bar.begin(number, searches);
                Ok(())
            }
            Step::Search {
                game,
                ply,
                column,
                found,
            } => {
                self.bar.advance(game);
                match &mut self.record {
                    Some(record) => record
                        .append(&Saved::new(game, ply, column, found))
                        .map_err(|e| Failure::Input(format!("--resume: cannot write to it ({e})"))),
                    None => Ok(()),
                }
            }
            Step::Reviewed(number, review) => {
                self.bar.end(number);
                self.waiting.insert(number, review);
                self.write_those_next()
            }
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    /// Writes the games for which none before them is missing.
    fn write_those_next(&mut self) -> Result<(), Failure> {
        while let Some(&next) = self.chosen.games.get(self.written)
            && let Some(review) = self.waiting.remove(&next.number)
        {
            self.write(next, &review)?;
        }
        Ok(())
    }

    /// Writes the games that still wait for others (after an interruption), and the end of the files. Returns whether
    /// all games could be read and no column failed.
    pub fn finish(mut self) -> Result<bool, Failure> {
        self.bar.bar.finish_and_clear();
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let chosen = self.chosen.games.iter();
        let left: Vec<Chosen> = chosen
            .filter(|c| self.waiting.contains_key(&c.number))
            .copied()
            .collect();
        for game in left {
            if let Some(review) = self.waiting.remove(&game.number) {
                self.write(game, &review)?;
            }
        }
        let (all, written) = (self.chosen.games.len(), self.written);
        if written < all {
            complain(&format!("interrupted: {written} of {all} games reviewed"));
        }
        if let Some(mut page) = self.html.take() {
            if written == 0 {
                page.write(html::head("Review").as_bytes())?;
            }
            page.write(html::foot(&self.measures).as_bytes())?;
            page.publish()?;
        }
        // An old file is worth more than an empty one.
        if let Some(games) = self.games.take().filter(|_| written > 0 || all == 0) {
            games.publish()?;
        }
        if !self.arguments.json {
            let totals = self
                .totals
                .text(self.names, self.style(), terminal::width());
            if !totals.is_empty() {
                self.print(&format!("\n{totals}"))?;
            }
        }
        Ok(!self.troubled)
    }

    fn style(&self) -> Style {
        Style {
            ascii: self.arguments.ascii,
        }
    }

    fn write(&mut self, chosen: Chosen, review: &Review) -> Result<(), Failure> {
        let entry = self.chosen.read(chosen);
        let mut problems: Vec<String> = Vec::new();
        match &entry {
            Ok(entry) => problems.extend(entry.problems.iter().map(LoadError::to_string)),
            Err(problem) => problems.push(problem.to_string()),
        }
        let document = self.chosen.file(chosen);
        let tree = entry.as_ref().ok().and_then(|entry| entry.game());
        if let Err(problem) = self.write_annotated(chosen, tree, review)? {
            problems.push(problem.in_file(&document.name).to_string());
        }
        let entry = entry.ok();
        let warnings = entry.as_ref().map_or(&[][..], |entry| &entry.warnings);
        self.tell(&problems, warnings, review);
        let title = match &entry {
            Some(entry) => entry.title.clone(),
            None => document.title(chosen.game),
        };
        let game = GameReview {
            number: chosen.number,
            file: &document.name,
            game: chosen.game + 1,
            line: document.line(chosen.game),
            title: &title,
            tree: entry.as_ref().and_then(|entry| entry.game()),
            problems: &problems,
            warnings,
            review,
            names: self.names,
            judge: self.arguments.judge,
            seed: self.arguments.columns.seed(),
        };
        self.totals.add(review);
        self.write_page(&game)?;
        self.print_game(&game)?;
        self.written += 1;
        Ok(())
    }

    /// Writes the game with what the judge found, or as it is if nothing was found or it cannot be annotated. The inner
    /// error says why not.
    fn write_annotated(
        &mut self,
        chosen: Chosen,
        tree: Option<&GameTree>,
        review: &Review,
    ) -> Result<Result<(), LoadError>, Failure> {
        let Some(out) = &mut self.games else {
            return Ok(Ok(()));
        };
        let document = self.chosen.file(chosen);
        let mut refused = Ok(());
        let annotated = tree.and_then(|tree| {
            let line = tree.main_line();
            let wanted = Wanted::default();
            let annotations = review.annotations(self.arguments.judge, &line, wanted);
            let existing = self.arguments.existing();
            let text = document.annotated(chosen.game, &annotations, existing);
            text.map_err(|problem| refused = Err(problem)).ok()
        });
        let text = match annotated {
            Some(text) => text,
            None => document.text_of(chosen.game)?,
        };
        out.write(&document.separate(chosen.game, text))?;
        Ok(refused)
    }

    /// Reports what could not be read or was corrected, and the columns that failed.
    fn tell(&mut self, problems: &[String], warnings: &[String], review: &Review) {
        let named = self.names.iter().enumerate();
        let troubles = named.filter_map(|(column, name)| {
            let trouble = review.trouble(column)?;
            Some(format!("{name}: {}", trouble.message))
        });
        let new: Vec<String> = troubles.filter(|t| self.told.insert(t.clone())).collect();
        self.troubled |= !problems.is_empty() || !self.told.is_empty();
        let all = warnings.iter().chain(problems).chain(&new);
        if all.clone().next().is_some() {
            self.bar.bar.suspend(|| all.for_each(|what| complain(what)));
        }
    }

    fn write_page(&mut self, game: &GameReview) -> Result<(), Failure> {
        let Some(out) = &mut self.html else {
            return Ok(());
        };
        let mut page = String::new();
        if self.written == 0 {
            page.push_str(&html::head(&match self.chosen.games.len() {
                1 => sanitise(game.title),
                n => format!("Review of {n} games"),
            }));
        }
        page.push_str(&html::game(game, self.chosen.games.len() == 1));
        let measure = Measure::of(game.review.scale());
        if !self.measures.contains(&measure) {
            self.measures.push(measure);
        }
        out.write(page.as_bytes())
    }

    fn print_game(&mut self, game: &GameReview) -> Result<(), Failure> {
        let text = if self.arguments.json {
            let mut line = serde_json::to_string(&json::json(game))?;
            line.push('\n');
            line
        } else {
            let gap = if self.written > 0 { "\n" } else { "" };
            format!("{gap}{}", text::game(game, self.style(), terminal::width()))
        };
        self.print(&text)
    }

    /// Prints to standard output. If nobody reads it any more, the review goes on only for the files that it writes.
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        if !self.read {
            return Ok(());
        }
        let write = || {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        };
        match self.bar.bar.suspend(write) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe && self.writes_files() => {
                self.read = false;
                Ok(())
            }
            written => Ok(written?),
        }
    }

    fn writes_files(&self) -> bool {
        self.games.is_some() || self.html.is_some() || self.record.is_some()
    }
}

/// The progress over all games. A game counts a thousand steps, whatever its length, since the lengths of later games
/// are not known yet.
struct Bar {
    bar: ProgressBar,
    games: usize,
    finished: usize,
    /// By number: the searches done and all searches of the games under way.
    under_way: BTreeMap<usize, (usize, usize)>,
}

impl Bar {
    const STEPS: usize = 1000;

    fn new(arguments: &Arguments, games: usize) -> Bar {
        let template = "{bar:24} {percent} %  {msg}  {eta} left";
        let length = (games * Self::STEPS) as u64;
        let bar = progress::bar(!arguments.no_progress, length, template, arguments.ascii);
        Bar {
            bar,
            games,
            finished: 0,
            under_way: BTreeMap::new(),
        }
    }

    fn begin(&mut self, game: usize, searches: usize) {
        self.under_way.insert(game, (0, searches.max(1)));
        self.show();
    }

    fn advance(&mut self, game: usize) {
        if let Some((done, _)) = self.under_way.get_mut(&game) {
            *done += 1;
        }
        self.show();
    }

    fn end(&mut self, game: usize) {
        self.under_way.remove(&game);
        self.finished += 1;
        self.show();
    }

    fn show(&self) {
        let parts = self.under_way.values();
        let parts: usize = parts.map(|(done, all)| done * Self::STEPS / all).sum();
        self.bar
            .set_position((self.finished * Self::STEPS + parts) as u64);
        self.bar
            .set_message(format!("{} of {} games", self.finished, self.games));
    }
}
