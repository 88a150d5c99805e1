//! Jumps from one difference to the next, also through closed rows.

use super::merge::{Merged, MergedRow, Path, Want};
use super::order::sort;
use super::outline::Outline;
use crate::game::MoveCode;

/// The maximum number of merged nodes that one jump examines: a few milliseconds of work.
const BUDGET: usize = 48;

/// Jumps enter a closed node if at least two columns gave it this share of their work.
const COMMON: f32 = 0.001;

/// The result of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A difference was found and selected.
    Found,
    /// There is none in that direction.
    End,
    /// None was found so far. The next jump in the same direction continues where this one stopped.
    Further,
}

/// The state of a jump that used up its budget.
#[derive(Clone, Debug)]
pub(super) struct Resume {
    back: bool,
    /// The path that was selected then.
    selected: Path,
    steps: Vec<Step>,
}

/// A step that is still to be taken; the next one is last in the list.
#[derive(Clone, Debug)]
enum Step {
    /// A row, and whether it has a difference.
    Row { path: Path, differs: bool },
    /// The rows below a node.
    Below(Path),
}

/// One row of a node on the way.
#[derive(Debug)]
struct Passed {
    path: Path,
    differs: bool,
    goes_down: bool,
}

impl Outline {
    /// Selects the next row (`back`: the previous one) that has a difference matching the filter, in the order of the
    /// rows: each row before those below it. Goes through closed rows too and opens the way. It enters a closed row
    /// only if at least two columns gave it a thousandth of their work, because below that each tree is noise. Examines
    /// at most 48 merged nodes.
    pub fn jump(&mut self, merged: &Merged, back: bool) -> Jump {
        let selected = self.selected_path().to_vec();
        let resumed = self.resume.take();
        let resumed = resumed.filter(|r| r.back == back && r.selected == selected);
        let mut walk = Walk {
            outline: self,
            merged,
            back,
            steps: Vec::new(),
            left: BUDGET,
        };
        match resumed {
            Some(resume) => walk.steps = resume.steps,
            None => walk.begin(&selected),
        }
        let reached = walk.go();
        let steps = walk.steps;
        match reached {
            Some(path) => {
                self.reveal(merged, &path);
                Jump::Found
            }
            None if steps.is_empty() => Jump::End,
            None => {
                self.resume = Some(Resume {
                    back,
                    selected,
                    steps,
                });
                Jump::Further
            }
        }
    }
}

struct Walk<'a> {
    outline: &'a Outline,
    merged: &'a Merged<'a>,
    back: bool,
    steps: Vec<Step>,
    /// The number of merged nodes that may still be examined.
    left: usize,
}

impl Walk<'_> {
    /// Queues everything after (before) a row, or everything if there is no row.
    fn begin(&mut self, from: &[MoveCode]) {
        if from.is_empty() {
            self.steps.push(Step::Below(Path::new()));
        }
        for plies in 0..from.len() {
            let own = &from[..=plies];
            let is_last = plies + 1 == from.len();
            for row in self.rows(&from[..plies]) {
                if row.path != own {
                    self.push(row);
                    continue;
                }
                if self.back && !is_last {
                    let Passed { path, differs, .. } = row;
                    self.steps.push(Step::Row { path, differs });
                } else if !self.back && is_last && row.goes_down {
                    self.steps.push(Step::Below(row.path));
                }
                break;
            }
        }
    }

    /// Returns the next difference, or `None` if nothing is left or the budget is used up.
    fn go(&mut self) -> Option<Path> {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Row { path, differs } => {
                    if differs {
                        return Some(path);
                    }
                }
                Step::Below(path) if self.left == 0 => {
                    self.steps.push(Step::Below(path));
                    return None;
                }
                Step::Below(path) => {
                    self.left -= 1;
                    for row in self.rows(&path) {
                        self.push(row);
                    }
                }
            }
        }
        None
    }

    /// Queues a row and what is below it in the order of the walk's direction.
    fn push(&mut self, row: Passed) {
        let Passed {
            path,
            differs,
            goes_down,
        } = row;
        let below = goes_down.then(|| Step::Below(path.clone()));
        let row = Step::Row { path, differs };
        if self.back {
            self.steps.push(row);
            self.steps.extend(below);
        } else {
            self.steps.extend(below);
            self.steps.push(row);
        }
    }

    /// Returns the rows below a node, the one to be visited last first. The siblings of a row that are in the walk's
    /// direction come before it.
    fn rows(&self, path: &[MoveCode]) -> Vec<Passed> {
        let (merged, outline) = (self.merged, self.outline);
        let Some(merged_node) = merged.merged_node(path) else {
            return Vec::new();
        };
        let filter = outline.filter();
        let want = Want {
            differences: filter.kinds(),
            ..outline.order().needs()
        };
        let mut rows = merged.read(&merged_node);
        merged.complete(&merged_node, &mut rows, want);
        sort(&mut rows, outline.order());
        if !self.back {
            rows.reverse();
        }
        let passed = |row: MergedRow| {
            let mut below = path.to_vec();
            below.push(row.name.code);
            Passed {
                differs: filter.is_difference(&row),
                goes_down: outline.is_open(&below) || merged.is_common(&row, COMMON),
                path: below,
            }
        };
        rows.into_iter().map(passed).collect()
    }
}
