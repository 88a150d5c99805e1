//! Jumps from one difference to the next in the order of what they matter, also through closed rows.

use std::time::{Duration, Instant};

use super::difference::{Kind, KindSet};
use super::list::{Ranked, differences};
use super::merge::{Merged, Path};
use super::outline::{Filter, Outline};

/// The number of merged nodes that a jump examines at first: a few milliseconds of work.
const BUDGET: usize = 96;

/// The largest number, reached by asking again at the end: at most about a tenth of a second.
const MOST: usize = 1_536;

/// The number of differences that jumps go through.
const LENGTH: usize = 200;

/// While the searches run, the ranks are kept for so long, so that jumps in a row neither skip nor repeat a place.
const KEPT: Duration = Duration::from_secs(10);

/// The result of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A difference was found and selected; the rank of its row, from 1, and the number of rows known.
    Found {
        rank: usize,
        of: usize,
        /// Whether the rows are those with smaller differences, because none is flagged.
        smaller: bool,
    },
    /// There is none in that direction.
    End,
    /// None was found so far. The next jump looks at more nodes.
    Further,
}

/// The rows to visit, in the order of their ranks.
#[derive(Clone, Debug)]
pub(super) struct Tour {
    paths: Vec<Path>,
    /// The row visited last.
    at: Option<usize>,
    budget: usize,
    complete: bool,
    /// Whether it goes through smaller differences because none is flagged.
    smaller: bool,
    made: Instant,
}

impl Tour {
    fn new(merged: &Merged, filter: Filter, budget: usize) -> Tour {
        let Ranked { listed, complete } = match filter {
            Filter::Disagreement(least) => {
                let mut merged = merged.clone();
                merged.thresholds.value = least;
                differences(&merged, KindSet::from_iter([Kind::Value]), LENGTH, budget)
            }
            _ => differences(merged, filter.kinds(), LENGTH, budget),
        };
        let is_all = complete || budget >= MOST;
        let none_flagged = || listed.iter().all(|listed| !listed.found.flagged);
        let smaller = filter == Filter::All && is_all && none_flagged();
        let any = smaller || matches!(filter, Filter::Noted | Filter::Disagreement(_));
        let mut paths: Vec<Path> = Vec::new();
        for listed in listed.into_iter().filter(|l| any || l.found.flagged) {
            if !paths.contains(&listed.path) {
                paths.push(listed.path);
            }
        }
        Tour {
            paths,
            at: None,
            budget,
            complete,
            smaller,
            made: Instant::now(),
        }
    }

    /// Returns the tour with the place kept at which another one was.
    fn after(mut self, old: &Tour) -> Tour {
        let last = old.at.and_then(|at| old.paths.get(at));
        self.at = last.and_then(|last| self.paths.iter().position(|path| path == last));
        self
    }
}

impl Outline {
    /// Whether the last jump found anything to go through.
    pub fn is_on_tour(&self) -> bool {
        self.tour
            .as_ref()
            .is_some_and(|tour| !tour.paths.is_empty())
    }

    /// Whether the last jump went through smaller differences, because none is flagged.
    pub fn has_smaller_tour(&self) -> bool {
        self.tour.as_ref().is_some_and(|tour| tour.smaller)
    }

    /// Selects the row whose difference comes next (`back`: before) in the ranks of the filter's differences, the flagged
    /// ones if there are any and the filter does not say otherwise: see [`differences`]. From a row that has no rank it goes on where it was
    /// last, or begins with the first. Goes through closed rows too and opens the way. Examines at most 96 merged nodes,
    /// and more when asked again at the end.
    pub fn jump(&mut self, merged: &Merged, back: bool) -> Jump {
        let filter = self.filter();
        let mut tour = match self.tour.take() {
            Some(tour) if tour.made.elapsed() < KEPT => tour,
            Some(old) => Tour::new(merged, filter, old.budget).after(&old),
            None => Tour::new(merged, filter, BUDGET),
        };
        let selected = self.selected_path();
        if let Some(at) = tour.paths.iter().position(|path| path == selected) {
            tour.at = Some(at);
        }
        let next = |tour: &Tour| match (tour.at, back) {
            (None, false) => Some(0),
            (None, true) => None,
            (Some(at), false) => Some(at + 1),
            (Some(at), true) => at.checked_sub(1),
        };
        let mut more = !back;
        loop {
            let to = next(&tour).filter(|at| *at < tour.paths.len());
            if let Some((to, path)) = to.and_then(|at| Some((at, tour.paths.get(at)?.clone()))) {
                tour.at = Some(to);
                let found = Jump::Found {
                    rank: to + 1,
                    of: tour.paths.len(),
                    smaller: tour.smaller,
                };
                self.tour = Some(tour);
                self.reveal(merged, &path);
                return found;
            }
            let ended = tour.complete || tour.budget >= MOST || back;
            if ended || !more {
                self.tour = Some(tour);
                return if ended { Jump::End } else { Jump::Further };
            }
            more = false;
            tour = Tour::new(merged, filter, tour.budget * 4).after(&tour);
        }
    }
}
