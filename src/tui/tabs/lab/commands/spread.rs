//! Commands of the Lab's page on spread.

use super::next;
use crate::app::{App, Level};
use crate::tabs::lab::spread::{Cells, Show, SpreadPage};
use lab::calibration::{self, Case};
use lab::spread::{self, MEASURED, Plan};
use session::Budget;
use session::Config;
use studies::compare::ColumnSpec;

impl App {
    /// Starts the experiment that the page shows, or stops it.
    pub fn toggle_spread(&mut self) {
        if self.lab.spread.stop_shown() {
            let what = "the experiment is stopped: what it found stays";
            self.say(Level::Info, what);
            return;
        }
        if let Some(what) = self.lab_busy() {
            self.say(Level::Warning, what);
            return;
        }
        let begun = match self.lab.spread.show {
            Show::Positions => self.search_spread(),
            Show::Toy => self.lab.spread.grow(self.config.threads),
            Show::Calibration => self.judge_spread(),
        };
        match begun {
            Ok(()) => self.lab_began(),
            Err(what) => self.say(Level::Error, what),
        }
    }

    fn search_spread(&mut self) -> Result<(), String> {
        let plan = Plan {
            positions: self.lab_positions(self.lab.spread.count),
            rules: MEASURED.map(String::from).into(),
            nodes: self.lab.spread.nodes,
            at_a_time: self.config.threads,
            config: self.distress(),
        };
        self.lab.spread.search(plan)
    }

    /// Judges the searches of every back-up rule by searches ten times longer with the same rule.
    fn judge_spread(&mut self) -> Result<(), String> {
        let base = Config {
            threads: 1,
            ..self.distress()
        };
        let mut columns = Vec::new();
        for rule in MEASURED {
            let config = spread::config_of(&base, rule);
            columns.push(ColumnSpec::Own(config.map_err(|e| e.to_string())?));
        }
        let page = &self.lab.spread;
        let positions = self.lab_positions(page.count);
        let plan = calibration::Plan {
            cases: positions.into_iter().map(Case::unknown).collect(),
            columns,
            budget: Budget::Nodes(page.nodes),
            longer: Some(Budget::Nodes(page.nodes * SpreadPage::LONGER)),
            at_a_time: self.config.threads,
        };
        self.lab.spread.judge(plan)
    }

    /// Returns the configuration in Explore if it is of DISTRESS, otherwise DISTRESS's defaults with Explore's threads
    /// and memory.
    fn distress(&self) -> Config {
        self.config_of(spread::ALGORITHM)
    }

    /// Switches between positions and toy trees.
    pub fn toggle_spread_trees(&mut self) {
        let page = &mut self.lab.spread;
        page.show = match page.show {
            Show::Positions => Show::Toy,
            Show::Toy | Show::Calibration => Show::Positions,
        };
        page.rule %= page.names().len();
    }

    pub fn toggle_spread_calibration(&mut self) {
        let page = &mut self.lab.spread;
        page.show = match page.show {
            Show::Calibration => Show::Positions,
            Show::Positions | Show::Toy => Show::Calibration,
        };
    }

    pub fn next_spread_cells(&mut self) {
        let page = &mut self.lab.spread;
        page.cells = next(&[Cells::Sd, Cells::Coverage, Cells::Score], &page.cells);
    }

    pub fn next_spread_nodes(&mut self) {
        let page = &mut self.lab.spread;
        page.nodes = next(&SpreadPage::NODES, &page.nodes);
        self.say_spread_next();
    }

    pub fn next_spread_count(&mut self) {
        let page = &mut self.lab.spread;
        page.count = next(&SpreadPage::COUNTS, &page.count);
        self.say_spread_next();
    }

    pub fn next_spread_branching(&mut self) {
        let page = &mut self.lab.spread;
        page.branching = next(&SpreadPage::BRANCHING, &page.branching);
        self.say_spread_next();
    }

    pub fn toggle_spread_positions(&mut self) {
        self.turn_lab_positions();
        self.say_spread_next();
    }

    fn say_spread_next(&mut self) {
        if self.lab.spread.progress().is_some() {
            self.say(Level::Info, "for the next experiment");
        }
    }

    pub fn walk_spread(&mut self, by: isize) {
        let n = self.lab.spread.names().len() as isize;
        self.lab.spread.rule = (self.lab.spread.rule as isize + by).rem_euclid(n) as usize;
    }

    /// Uses the chosen back-up rule for DISTRESS in Explore, whose search restarts.
    pub fn use_spread_rule(&mut self) {
        let rule = self.lab.spread.chosen();
        match spread::config_of(&self.distress(), rule) {
            Ok(config) => {
                let name = config.algorithm.name();
                self.config = config;
                self.start_search();
                let what = match name == rule {
                    true => format!("{name} searches (1 shows it)"),
                    false => format!("{name} searches with backup = {rule} (1 shows it)"),
                };
                self.say(Level::Info, what);
            }
            Err(what) => self.say(Level::Error, what.to_string()),
        }
    }
}
