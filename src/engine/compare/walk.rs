//! From one difference to the next, through closed rows too.

use super::merge::{Merged, MergedRow, Path, Want};
use super::order::sort;
use super::outline::Outline;
use crate::game::MoveCode;

/// How many merged nodes one jump looks at: some milliseconds of work.
const BUDGET: usize = 48;

/// A closed node is looked into where at least two columns gave it this share of their work.
const COMMON: f32 = 0.001;

/// What became of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// The difference found is selected.
    Found,
    /// There is none in that direction.
    End,
    /// None so far: the next jump in the same direction goes on where this one ended.
    Further,
}

/// Where a jump ran out of its budget.
#[derive(Clone, Debug)]
pub(super) struct Resume {
    back: bool,
    /// What was selected then.
    selected: Path,
    steps: Vec<Step>,
}

/// What is still to come, the next one last.
#[derive(Clone, Debug)]
enum Step {
    /// A row: a difference or not.
    Row { path: Path, differs: bool },
    /// The rows below a node.
    Below(Path),
}

/// One row of a node walked through.
#[derive(Debug)]
struct Passed {
    path: Path,
    differs: bool,
    goes_down: bool,
}

impl Outline {
    /// Selects the next row (`back`: the previous one) that has a difference the filter asks for, in the order of the
    /// rows: each row before those below it. Goes through closed rows too and opens the way; into a closed one only
    /// where at least two columns gave it a thousandth of their work, for below that each tree is noise. Looks at no
    /// more than 48 merged nodes.
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
    /// Merged nodes that may still be looked at.
    left: usize,
}

impl Walk<'_> {
    /// What comes after (before) a row. With no row: everything.
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

    /// The next difference; `None` where nothing is left, or the budget is used up.
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

    /// A row with what is below it, to be taken in the walk's direction.
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

    /// The rows below a node, the one to be taken last first: those beside a row that lie in the walk's direction come
    /// before it.
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
