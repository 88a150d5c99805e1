//! Commands of the Lab's page on values by depth.

use super::next;
use crate::app::{App, Level};
use crate::tabs::lab::Positions;
use crate::tabs::lab::depths::{DepthsPage, Shown};
use lab::searched::{Labelled, Plan};

impl App {
    /// Starts the experiment, or stops it.
    pub fn toggle_depths(&mut self) {
        if self.lab.depths.run.is_running() {
            self.lab.depths.run.stop();
            let what = "the experiment is stopped: what it found stays";
            self.say(Level::Info, what);
            return;
        }
        if let Some(what) = self.lab_busy() {
            self.say(Level::Warning, what);
            return;
        }
        let most = self.lab.depths.count;
        let labelled = match (self.lab.positions, &self.document.path) {
            (Positions::Samples, _) => Labelled::BuiltIn { most },
            (Positions::Opened, Some(path)) => Labelled::File {
                path: path.clone(),
                most,
            },
            (Positions::Opened, None) => {
                let what =
                    "no file is open: open one with labelled positions, or take the built-in ones";
                self.say(Level::Error, what);
                return;
            }
        };
        let plan = Plan {
            labelled,
            depth: self.lab.depths.depth,
            nodes: DepthsPage::NODES,
            at_a_time: self.config.threads,
            early: true,
        };
        let source = self.labels_name();
        match self.lab.depths.start(plan, source) {
            Ok(()) => self.lab_began(),
            Err(what) => self.say(Level::Error, what),
        }
    }

    /// Returns the name of the source of labelled positions.
    pub(in crate::tabs::lab) fn labels_name(&self) -> String {
        match self.lab.positions {
            Positions::Samples => "the built-in labels".to_owned(),
            Positions::Opened => crate::text::harmless(&self.document.title),
        }
    }

    pub fn next_depths_count(&mut self) {
        let page = &mut self.lab.depths;
        page.count = next(&DepthsPage::COUNTS, &page.count);
        self.say_depths_next();
    }

    pub fn change_depths_depth(&mut self, by: isize) {
        let page = &mut self.lab.depths;
        let depth = (page.depth as isize).saturating_add(by);
        page.depth = depth.clamp(1, DepthsPage::DEEPEST as isize) as u16;
        self.say_depths_next();
    }

    pub fn toggle_depths_positions(&mut self) {
        self.turn_lab_positions();
        self.say_depths_next();
    }

    pub fn next_depths_shown(&mut self) {
        let page = &mut self.lab.depths;
        page.shown = next(&Shown::ALL, &page.shown);
    }

    fn say_depths_next(&mut self) {
        if self.lab.depths.run.progress().is_some() {
            self.say(Level::Info, "for the next experiment");
        }
    }
}
