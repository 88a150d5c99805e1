//! Finds the differences between columns at a merged node, and judges them by how sure the columns are.

use super::apart::{Apart, Sureness};
use super::difference::{Difference, Found, Kind, KindSet};
use super::interval::Interval;
use super::merge::{Merged, MergedCell, MergedNode, MergedRow, held_best};
use game::Sided as _;
use game::{MoveCode, Scale};
use session::{GrownBy, NodeValue, Reader};
use tree::{Fate, NodeId, Window};

/// The two columns whose expected scores are furthest apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widest {
    high: usize,
    low: usize,
    pub by: f32,
}

/// Returns `None` if no two columns differ: one interval's lower end must be above another's upper end.
pub(super) fn widest(cells: &[Option<MergedCell>]) -> Option<Widest> {
    let mut high: Option<(usize, f32)> = None;
    let mut low: Option<(usize, f32)> = None;
    for (column, cell) in known(cells) {
        let Some(interval) = Interval::of(cell) else {
            continue;
        };
        if high.is_none_or(|(_, e)| interval.low > e) {
            high = Some((column, interval.low));
        }
        if low.is_none_or(|(_, e)| interval.high < e) {
            low = Some((column, interval.high));
        }
    }
    let ((high, top), (low, bottom)) = high.zip(low)?;
    (top > bottom).then_some(Widest {
        high,
        low,
        by: top - bottom,
    })
}

/// The merged node at which moves are compared.
pub(super) struct Here<'a> {
    merged: &'a Merged<'a>,
    sureness: Sureness<'a>,
    /// For each column, whether an unvisited move here means anything.
    chose: Vec<bool>,
    /// For each column, the move that it plays here, if it has chosen one.
    choices: Vec<Option<MoveCode>>,
    /// For each column, what every column knows about that move.
    chosen: Vec<Vec<Option<Known>>>,
}

/// A value as a column knows it.
#[derive(Clone, Copy, Debug)]
struct Known {
    interval: Interval,
    sd: f32,
}

impl<'a> Here<'a> {
    /// `rows` are all rows of the merged node.
    pub fn new(merged: &'a Merged<'a>, merged_node: &MergedNode, rows: &[MergedRow]) -> Here<'a> {
        let nodes = merged_node.nodes.iter().enumerate();
        let chose = nodes.map(|(column, node)| {
            let reader = merged.reader(column);
            reader.zip(*node).is_some_and(|(r, node)| chooses(r, node))
        });
        let mut here = Here {
            merged,
            sureness: Sureness::at(merged, merged_node),
            chose: chose.collect(),
            choices: Vec::new(),
            chosen: Vec::new(),
        };
        for column in 0..merged.columns() {
            let is_choice = |row: &&MergedRow| {
                let cell = row.cells.get(column).and_then(Option::as_ref);
                cell.is_some_and(|cell| cell.is_best)
            };
            let choice = rows.iter().find(is_choice);
            here.choices.push(choice.map(|row| row.name.code));
            here.chosen.push(match choice {
                Some(row) => here.known(&row.cells),
                None => vec![None; merged.columns()],
            });
        }
        here
    }

    fn known(&self, cells: &[Option<MergedCell>]) -> Vec<Option<Known>> {
        let columns = cells.iter().enumerate();
        let known = columns.map(|(column, cell)| self.known_by(column, cell.as_ref()?));
        known.collect()
    }

    fn known_by(&self, column: usize, cell: &MergedCell) -> Option<Known> {
        Some(Known {
            interval: Interval::of(cell)?,
            sd: self.sureness.of(self.merged, column, cell),
        })
    }

    /// Returns the differences of the given kinds, the flagged ones first, then the worst first.
    pub fn differences(&self, row: &MergedRow, kinds: KindSet) -> Vec<Found> {
        let cells = &row.cells;
        let mut found = Vec::new();
        if kinds.has(Kind::PrunedHereBestThere) {
            self.pruned(cells, &mut found);
        }
        if kinds.has(Kind::Contradiction) {
            found.extend(contradiction(cells));
        }
        if kinds.has(Kind::ProvenHere) {
            found.extend(self.proven(cells));
        }
        if kinds.has(Kind::Value) {
            found.extend(self.value(cells));
        }
        if kinds.has(Kind::BestReply) {
            found.extend(self.reply(cells));
        }
        if kinds.has(Kind::NotVisited) {
            self.not_visited(cells, &mut found);
        }
        found.sort_by(Found::worst_first);
        found
    }

    /// Judges a difference by two values.
    fn judged(&self, difference: Difference, apart: Option<Apart>) -> Found {
        let sigmas = self.merged.thresholds.sigmas;
        Found {
            difference,
            apart,
            flagged: apart.is_some_and(|a| a.sigmas() > sigmas),
        }
    }

    /// Returns what it costs `chooser` to play its own choice here instead of a move, by the values of `judge`, which knows
    /// that much about the move. `None` if it plays the move, or nothing.
    fn cost(&self, chooser: usize, judge: usize, cell: &MergedCell) -> Option<Apart> {
        if self.choices[chooser] == Some(cell.view.move_code) {
            return None;
        }
        let chosen = self.chosen[chooser][judge]?;
        Some(apart(self.known_by(judge, cell)?, chosen))
    }

    fn value(&self, cells: &[Option<MergedCell>]) -> Option<Found> {
        let widest = widest(cells)?;
        if widest.by < self.merged.thresholds.value {
            return None;
        }
        let Widest { high, low, by } = widest;
        Some(self.judged(
            Difference::Value { high, low, by },
            self.between(cells, high, low),
        ))
    }

    /// Returns how far one column's value of a move is above another's.
    fn between(&self, cells: &[Option<MergedCell>], high: usize, low: usize) -> Option<Apart> {
        let known = |column: usize| self.known_by(column, cells.get(column)?.as_ref()?);
        Some(apart(known(high)?, known(low)?))
    }

    fn pruned(&self, cells: &[Option<MergedCell>], found: &mut Vec<Found>) {
        let best = known(cells).find(|(_, cell)| cell.is_best && cell.is_visited());
        let Some((there, best)) = best else {
            return;
        };
        let skipped = known(cells).filter(|(_, cell)| cell.view.fate.is_skip());
        found.extend(skipped.map(|(here, cell)| {
            let difference = Difference::PrunedHereBestThere {
                here,
                there,
                fate: cell.view.fate,
            };
            self.judged(difference, self.cost(here, there, best))
        }));
    }

    fn proven(&self, cells: &[Option<MergedCell>]) -> Option<Found> {
        let (here, cell) = known(cells).find(|(_, cell)| cell.view.proof.is_certain())?;
        // Where the game has ended nothing is left to prove, whether or not the search recorded a proof.
        let open = |cell: &MergedCell| {
            cell.is_visited()
                && !cell.view.proof.is_certain()
                && !matches!(cell.view.fate, Fate::Ended(_))
        };
        let (there, _) = known(cells).find(|(_, cell)| open(cell))?;
        let (up, down) = (
            self.between(cells, here, there),
            self.between(cells, there, here),
        );
        let further = |a: &Apart, b: &Apart| a.by.total_cmp(&b.by);
        Some(self.judged(
            Difference::ProvenHere {
                here,
                there,
                proof: cell.view.proof,
            },
            [up, down].into_iter().flatten().max_by(further),
        ))
    }

    /// Compares the first column that has a reply with the first one that has a different reply.
    fn reply(&self, cells: &[Option<MergedCell>]) -> Option<Found> {
        let searched = known(cells).filter(|(_, cell)| cell.is_visited() && cell.view.children > 0);
        let mut replies = searched.filter_map(|(column, cell)| {
            let reader = self.merged.reader(column)?;
            let node = cell.id.node()?;
            Some((column, node, held_best(reader, node)?))
        });
        let (one, one_node, one_reply) = replies.next()?;
        let (other, other_node, other_reply) = replies.find(|(_, _, r)| *r != one_reply)?;
        let costs = [
            self.cost_of_reply(one, one_node, one_reply, other_reply),
            self.cost_of_reply(other, other_node, other_reply, one_reply),
        ];
        let costs = costs.into_iter().flatten();
        Some(self.judged(
            Difference::BestReply {
                one,
                other,
                one_reply,
                other_reply,
            },
            costs.max_by(|a, b| a.sigmas().total_cmp(&b.sigmas())),
        ))
    }

    /// Returns what it costs to give another reply than a column's best one, by the column's own values.
    fn cost_of_reply(
        &self,
        column: usize,
        node: NodeId,
        best: MoveCode,
        other: MoveCode,
    ) -> Option<Apart> {
        let reader = self.merged.reader(column)?;
        let known = |code: MoveCode| {
            let view = reader.view(reader.tree.child_by_move(node, code)?);
            let seen = view.one_ply_up();
            let verdict = NodeValue::of(&seen, reader.scale());
            Some(Known {
                interval: Interval::of_value(&seen, &verdict)?,
                sd: self.sureness.of_view(reader, &seen, verdict.expected),
            })
        };
        Some(apart(known(best)?, known(other)?))
    }

    fn not_visited(&self, cells: &[Option<MergedCell>], found: &mut Vec<Found>) {
        let least = self.merged.thresholds.share;
        let much = known(cells)
            .filter(|(_, c)| c.is_visited() && (c.is_best || c.share.is_some_and(|s| s >= least)));
        let share = |cell: &MergedCell| cell.share.unwrap_or(0.0);
        let most = much.reduce(|most, next| {
            if share(next.1) > share(most.1) {
                next
            } else {
                most
            }
        });
        let Some((there, cell)) = most else {
            return;
        };
        let missing = known(cells).filter(|(column, other)| {
            self.chose[*column] && other.view.fate == Fate::Unvisited && other.view.visits == 0
        });
        found.extend(missing.map(|(here, _)| {
            let difference = Difference::NotVisited {
                here,
                there,
                share: cell.share,
            };
            self.judged(difference, self.cost(here, there, cell))
        }));
    }
}

fn apart(above: Known, below: Known) -> Apart {
    Apart {
        by: (above.interval.low - below.interval.high).max(0.0),
        joint: above.sd.hypot(below.sd),
    }
}

/// Whether a column chose among the moves of a node. At a leaf it did not, and in quiescence it looks only at captures,
/// which is a matter of depth. An external engine does not report everything it searched.
fn chooses(reader: &Reader, node: NodeId) -> bool {
    if matches!(reader.searcher, GrownBy::External) {
        return false;
    }
    let quiescence = reader.scale() == Scale::Logistic
        && reader.view(node).window.is_some_and(Window::is_quiescence);
    let tree = reader.tree;
    !quiescence
        && tree
            .children(node)
            .any(|child| tree.node(child).visits() > 0)
}

fn known(cells: &[Option<MergedCell>]) -> impl Iterator<Item = (usize, &MergedCell)> {
    let cells = cells.iter().enumerate();
    cells.filter_map(|(column, cell)| Some((column, cell.as_ref()?)))
}

fn contradiction(cells: &[Option<MergedCell>]) -> Option<Found> {
    let proofs = || known(cells).map(|(column, cell)| (column, cell.view.proof));
    proofs().find_map(|(one, one_proof)| {
        let later = proofs().filter(|(column, _)| *column > one);
        let mut against =
            later.filter(|(_, p)| one_proof.lower > p.upper || p.lower > one_proof.upper);
        let (other, other_proof) = against.next()?;
        Some(Found {
            difference: Difference::Contradiction {
                one,
                other,
                one_proof,
                other_proof,
            },
            apart: None,
            flagged: true,
        })
    })
}
