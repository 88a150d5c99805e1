//! The pages of the Lab: each is one experiment, or several on one question.
//!
//! To add a page, add its file here, its variant of [`LabPage`] and its row of [`PAGES`], a field for its state in
//! [`LabTab`], and its group of commands in [`keys`](super::keys) and [`commands`](crate::commands). The names and the
//! questions of the pages, what will happen, how long that takes and what came out last time are drawn for all pages in one
//! place, and their experiments are started, stopped, watched and kept in one way.

pub(super) mod beliefs;
mod depths;
mod margins;
pub(super) mod playouts;
pub(super) mod questions;
pub(super) mod sweeps;

use ratatui::layout::Rect;

use super::LabTab;
use super::runs::{Asked, Course};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use report::lab::verdict::Verdict;
use screen::pen::{Line, Pen};
use session::jobs::{BackgroundJob, JobState};

/// The pages of the tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LabPage {
    /// Changes of score with depth, and futility margins.
    #[default]
    Futility,
    /// The grid of point differentials.
    Differential,
    /// The spread of beliefs under several back-up rules, and calibration.
    Spread,
    /// How sure a value is by the depth of the search that found it.
    Depths,
    /// Numbers in options that are varied.
    Sweep,
    /// The questions that the sources leave open.
    Questions,
}

/// The pages in their order.
pub static PAGES: [(LabPage, &dyn PageScreen); 6] = [
    (LabPage::Futility, &margins::MarginsPage),
    (LabPage::Differential, &playouts::PlayoutsPage),
    (LabPage::Spread, &beliefs::BeliefsPage),
    (LabPage::Depths, &depths::DepthsPage),
    (LabPage::Sweep, &sweeps::SweepsPage),
    (LabPage::Questions, &questions::QuestionsPage),
];

impl LabPage {
    /// Returns the page's component.
    pub fn screen(self) -> &'static dyn PageScreen {
        PAGES[self as usize].1
    }

    /// Returns the page after this one; the first follows the last.
    pub fn next(self) -> LabPage {
        PAGES[(self as usize + 1) % PAGES.len()].0
    }

    /// Returns the page before this one; the last precedes the first.
    pub fn previous(self) -> LabPage {
        PAGES[(self as usize + PAGES.len() - 1) % PAGES.len()].0
    }
}

/// An experiment that has begun, whatever it finds.
pub trait AnyJob {
    /// Returns the state, the number of steps done, and the total.
    fn progress(&self) -> (JobState, usize, usize);

    /// Returns a number that increases whenever something is found.
    fn generation(&self) -> u64;

    fn has_ended(&self) -> bool;

    /// Asks it to stop; what it found stays.
    fn stop(&self);
}

impl<R: Send + 'static> AnyJob for BackgroundJob<R> {
    fn progress(&self) -> (JobState, usize, usize) {
        BackgroundJob::progress(self)
    }

    fn generation(&self) -> u64 {
        BackgroundJob::generation(self)
    }

    fn has_ended(&self) -> bool {
        BackgroundJob::has_ended(self)
    }

    fn stop(&self) {
        BackgroundJob::stop(self);
    }
}

/// A page of the Lab.
pub trait PageScreen: Sync {
    fn name(&self) -> &'static str;

    /// Returns the question that the experiment which is shown answers.
    fn question(&self, lab: &LabTab) -> &'static str;

    /// Returns the page's commands, the most useful first. The first one runs the experiment that is shown, or stops it.
    fn keys(&self) -> &'static Group;

    /// Returns the name under which the runs of the experiment that is shown are kept.
    fn experiment(&self, lab: &LabTab) -> &'static str;

    /// Returns one of the page's experiments if it has begun.
    fn job<'a>(&self, lab: &'a LabTab, experiment: &str) -> Option<&'a dyn AnyJob>;

    /// Whether any of the page's experiments is running.
    fn is_running(&self, lab: &LabTab) -> bool {
        let job = self.job(lab, self.experiment(lab));
        job.is_some_and(|job| !job.has_ended())
    }

    /// Returns the name of the page, with that of the experiment which is running where a page has many.
    fn running_name(&self, _: &LabTab) -> String {
        self.name().to_owned()
    }

    /// Returns what the run key starts now.
    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked;

    /// Starts the experiment that is shown.
    ///
    /// # Errors
    /// Why it cannot be started.
    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String>;

    /// Returns how far an experiment is, or how it ended; `None` if it has not begun.
    fn course(&self, lab: &LabTab, experiment: &str) -> Option<Course> {
        self.job(lab, experiment).map(|job| course(job.progress()))
    }

    /// Returns what an experiment answers by what is known; `None` if nothing is known.
    fn verdict(&self, lab: &LabTab, experiment: &str) -> Option<Verdict>;

    /// Called when the page is shown.
    fn comes(&self, _lab: &mut LabTab, _cx: &mut Context) {}

    /// Takes new results, before the page is drawn.
    fn update(&self, lab: &mut LabTab);

    /// Returns the parts that a small screen shows one at a time; none if there is only one.
    fn parts(&self) -> &'static [&'static str] {
        &["chart", "figures"]
    }

    /// Whether its results are lines that are scrolled, so that they leave the answer more room.
    fn is_scrolled(&self) -> bool {
        false
    }

    /// Draws the page below the lines that all pages have.
    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect);

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled;

    /// Returns what a command does now, if that differs from its name in the table.
    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str>;

    /// Returns the explanation of its signs, for the help.
    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line>;
}

/// Returns the course of a job whose steps are all alike.
fn course((state, done, all): (JobState, usize, usize)) -> Course {
    Course {
        has_ended: state != JobState::Running,
        is_complete: state == JobState::Done,
        share: done as f64 / all.max(1) as f64,
    }
}

/// Returns where the positions come from, in words.
pub fn source(lab: &LabTab, cx: &Context) -> String {
    match lab.positions {
        super::Positions::Samples => "the samples".to_owned(),
        super::Positions::Opened => {
            let name = cx.document.file_name();
            match cx.current.start.position.as_chess() {
                Some(_) => name.to_owned(),
                None => format!("{name}, which is not chess"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_stand_in_their_order() {
        for (i, (page, screen)) in PAGES.iter().enumerate() {
            assert_eq!(*page as usize, i, "{}", screen.name());
            assert_eq!(page.next().previous(), *page);
            let question = screen.question(&LabTab::default());
            assert!(question.ends_with('?'), "{question}");
        }
    }
}
