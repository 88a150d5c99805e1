//! The page on point differential: matches of playouts that count material against playouts that do not.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::{Context, Level};
use crate::tabs::lab::differential::Figure;
use crate::tabs::lab::runs::Asked;
use crate::tabs::lab::{LabTab, keys, view};
use lab::differential::cells;
use report::lab::differential::words;
use report::lab::verdict::{self, Verdict};
use screen::pen::{Line, Pen};

/// A cell of the grid can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellTarget {
    pub row: usize,
    pub column: usize,
}

/// The page.
#[derive(Debug)]
pub struct PlayoutsPage;

impl PageScreen for PlayoutsPage {
    fn name(&self) -> &'static str {
        "Playouts"
    }

    fn question(&self, _: &LabTab) -> &'static str {
        verdict::PLAYOUTS
    }

    fn keys(&self) -> &'static Group {
        &keys::DIFFERENTIAL
    }

    fn experiment(&self, _: &LabTab) -> &'static str {
        "playouts"
    }

    fn job<'a>(&self, lab: &'a LabTab, _: &str) -> Option<&'a dyn AnyJob> {
        lab.differential
            .matches
            .as_ref()
            .map(|matches| matches as _)
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        lab.differential.start(cx.config.threads)
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let page = &lab.differential;
        let settings = &page.results.settings;
        let played = |cell| page.tally(cell).games().min(page.games);
        let done: usize = cells().into_iter().map(played).sum();
        let all = cells().len() * page.games;
        let how = words(settings);
        let words = match (done, all - done) {
            (0, _) => format!(
                "Plays {} games for each of {} pairs of weights ({how})",
                page.games,
                cells().len()
            ),
            (_, 0) => format!("All {all} games have been played ({how})"),
            (_, left) => {
                format!("Plays {left} of {all} games; the others have been played ({how})")
            }
        };
        Asked {
            experiment: self.experiment(lab),
            words,
            // Six games with 100 playouts a move took 0.15 s.
            cpu: 0.026 * (all - done) as f64 * f64::from(settings.playouts) / 100.0,
            at_a_time: cx.config.threads,
            seed: settings.seed,
        }
    }

    fn verdict(&self, lab: &LabTab, _: &str) -> Option<Verdict> {
        let page = &lab.differential;
        let tallies = cells().into_iter().map(|cell| (cell, page.tally(cell)));
        let tallies: Vec<_> = tallies.collect();
        let is_played = page.results.games() > 0;
        is_played.then(|| verdict::playouts(&tallies))
    }

    /// Reads the saved results.
    fn comes(&self, lab: &mut LabTab, cx: &mut Context) {
        let page = &mut lab.differential;
        let known = page.fault.clone();
        page.open();
        let fault = page.fault.clone();
        if let Some(what) = fault.filter(|f| Some(f) != known.as_ref()) {
            cx.say(Level::Error, what);
        }
    }

    fn update(&self, lab: &mut LabTab) {
        lab.differential.update();
    }

    fn parts(&self) -> &'static [&'static str] {
        &[]
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::differential::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        let page = &mut lab.differential;
        match event.of() {
            Event::Click(Some(CellTarget { row, column }), _) => {
                page.row = row;
                page.column = column;
            }
            Event::Wheel(_, by) => page.walk(by.signum(), 0),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        let page = &lab.differential;
        Some(match (command, page.figure) {
            ("grid-run", _) if page.is_running() => "stop",
            ("grid-run", _) if page.results.games() > 0 => "play on",
            ("grid-figure", Figure::Score) => "show Elo",
            ("grid-figure", Figure::Elo) => "show games",
            ("grid-figure", Figure::Games) => "show scores",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::differential::legend(pen, width)
    }
}
