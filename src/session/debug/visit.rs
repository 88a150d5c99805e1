//! The nodes that a depth-first search is in the middle of: what its events have reported about them so far.

use super::log::Log;
use game::Score;
use search::{Estimate, Event};
use tree::NodeId;

/// A node that the search has entered and not yet left. All figures are from its side to move's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    pub node: NodeId,
    /// How it was entered; `None` if the log does not reach back that far.
    pub entered: Option<Entered>,
    /// The result of the latest back-up, and the child it came through.
    pub best: Option<(NodeId, Estimate)>,
    /// The number of children left since it was entered, as far as the log reaches back.
    pub searched: u16,
    /// The number of its moves; `None` if it is not known yet, or the log does not contain it.
    pub moves: Option<u16>,
}

/// The window and depth with which a node was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    pub alpha: Score,
    pub beta: Score,
    /// The plies left to search; at most 0 in quiescence.
    pub depth: i8,
}

impl Visit {
    fn new(node: NodeId) -> Visit {
        Visit {
            node,
            entered: None,
            best: None,
            searched: 0,
            moves: None,
        }
    }
}

/// Whether the event's node has been left or is about to be, so that its figures are in the tree.
fn is_done(event: &Event) -> bool {
    matches!(
        event,
        Event::Leave { .. }
            | Event::Cut { .. }
            | Event::TableHit { .. }
            | Event::End { .. }
            | Event::Prove { .. }
    )
}

impl Log {
    /// Returns the nodes that a depth-first search is in the middle of right after the event `now`, innermost first.
    /// `line` leads from the root to that event's node.
    pub fn visits(&self, line: &[NodeId], now: u64) -> Vec<Visit> {
        let Some(last) = self.get(now) else {
            return Vec::new();
        };
        let left_last = matches!(last, Event::Leave { .. });
        let mut inside = line.iter().rev().skip(usize::from(left_last));
        let mut visits = self.scan(&mut inside, now);
        if is_done(last) && !left_last && !visits.is_empty() {
            visits.remove(0);
        }
        visits
    }

    /// Reads the log backwards, from the entry of one node to the entry of its parent.
    fn scan<'a>(&self, inside: &mut impl Iterator<Item = &'a NodeId>, now: u64) -> Vec<Visit> {
        let mut visits = Vec::new();
        let Some(&first) = inside.next() else {
            return visits;
        };
        let mut visit = Visit::new(first);
        // The number of nodes that are left after the present position in the log and were entered before it.
        let mut below = 0u32;
        let mut child = NodeId::NONE;
        let events = self.iter().rev().skip_while(|&(number, _)| number > now);
        for (_, event) in events {
            match *event {
                // At this event the search is outside of all nodes.
                Event::Iteration { .. }
                | Event::IterationDone { .. }
                | Event::Pass { .. }
                | Event::PassDone { .. } => return visits,
                Event::Leave { node, .. } => {
                    // A child that is searched again with a wider window comes right after itself and is counted once.
                    if below == 0 && node != child {
                        visit.searched += 1;
                        child = node;
                    }
                    below += 1;
                }
                Event::Enter { .. } if below > 0 => below -= 1,
                Event::Enter {
                    node,
                    alpha,
                    beta,
                    depth,
                } => {
                    // An earlier run was stopped in the middle: this run is in none of its nodes.
                    if node != visit.node {
                        return visits;
                    }
                    visit.entered = Some(Entered { alpha, beta, depth });
                    visits.push(visit);
                    let Some(&parent) = inside.next() else {
                        return visits;
                    };
                    visit = Visit::new(parent);
                    // If it was left and entered again, it is being searched, and not yet counted as searched.
                    child = node;
                }
                Event::BackUp {
                    node, child, after, ..
                } if node == visit.node && visit.best.is_none() => {
                    visit.best = Some((child, after));
                }
                Event::Expand { node, moves } if node == visit.node => visit.moves = Some(moves),
                _ => {}
            }
        }
        // The remaining nodes were entered by events older than the log.
        visits.push(visit);
        visits.extend(inside.map(|&node| Visit::new(node)));
        visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::MoveCode;
    use tree::Bound;

    const ROOT: NodeId = NodeId(0);
    const A: NodeId = NodeId(1);
    const B: NodeId = NodeId(2);
    const B1: NodeId = NodeId(3);

    fn enter(node: NodeId, depth: i8) -> Event {
        let (alpha, beta) = (Score::new(-30), Score::MAX);
        Event::Enter {
            node,
            alpha,
            beta,
            depth,
        }
    }

    fn leave(node: NodeId) -> Event {
        let (score, bound) = (Score::DRAW, Bound::Exact);
        Event::Leave { node, score, bound }
    }

    fn back_up(node: NodeId, child: NodeId, mean: f32) -> Event {
        Event::BackUp {
            node,
            child,
            worth: None,
            before: None,
            after: Estimate::point(mean),
        }
    }

    /// The search is in B after its first child, and has searched A twice.
    fn events() -> Vec<Event> {
        vec![
            Event::Iteration { depth: 2 },
            enter(ROOT, 2),
            Event::Expand {
                node: ROOT,
                moves: 3,
            },
            enter(A, 1),
            back_up(A, B1, 0.9),
            leave(A),
            enter(A, 1),
            leave(A),
            back_up(ROOT, A, 0.3),
            enter(B, 1),
            Event::Expand { node: B, moves: 2 },
            enter(B1, 0),
            leave(B1),
            back_up(B, B1, 0.1),
        ]
    }

    fn told(log: &Log, line: &[NodeId], now: u64) -> Vec<(NodeId, Option<i8>, u16, Option<u16>)> {
        let visits = log.visits(line, now).into_iter();
        visits
            .map(|v| (v.node, v.entered.map(|e| e.depth), v.searched, v.moves))
            .collect()
    }

    #[test]
    fn what_was_entered_and_not_left_is_told_from_the_innermost_node_outwards() {
        let log = Log::of(1, events());
        let both = [(B, Some(1), 1, Some(2)), (ROOT, Some(2), 1, Some(3))];
        assert_eq!(told(&log, &[ROOT, B], 14), both);
        let visits = log.visits(&[ROOT, B], 14);
        assert_eq!(visits[0].best, Some((B1, Estimate::point(0.1))));
        assert_eq!(visits[1].best, Some((A, Estimate::point(0.3))));
        // Right after a child was left; later events do not count.
        assert_eq!(told(&log, &[ROOT, B, B1], 13), both);
        assert_eq!(log.visits(&[ROOT, B, B1], 13)[0].best, None);
        let entered = [(B1, Some(0), 0, None), (B, Some(1), 0, Some(2))];
        assert_eq!(told(&log, &[ROOT, B, B1], 12)[..2], entered);
        assert_eq!(told(&log, &[ROOT, A], 4)[1], (ROOT, Some(2), 0, Some(3)));
        assert_eq!(told(&log, &[ROOT], 1), [], "before the root");
    }

    #[test]
    fn a_node_about_to_be_left_is_not_searched_any_more() {
        let mut events = events();
        let fate = tree::Fate::SiblingCutoff {
            by: MoveCode::NONE,
            value: Score::DRAW,
            beta: Score::DRAW,
        };
        let proof = tree::Proof::exact(Score::DRAW);
        events.push(Event::Cut { node: B, fate });
        events.push(Event::Prove { node: B, proof });
        let log = Log::of(1, events);
        let root = [(ROOT, Some(2), 1, Some(3))];
        assert_eq!(told(&log, &[ROOT, B], 16), root);
        assert_eq!(told(&log, &[ROOT, B], 15), root);
    }

    #[test]
    fn where_the_log_begins_later_the_nodes_are_known_and_their_windows_are_not() {
        let log = Log::of(11, events().split_off(10));
        assert_eq!(
            told(&log, &[ROOT, B], 14),
            [(B, None, 1, Some(2)), (ROOT, None, 0, None)]
        );
    }

    #[test]
    fn nodes_of_a_run_that_was_stopped_are_not_searched_any_more() {
        let mut events = events();
        events.push(enter(A, 4));
        let log = Log::of(1, events.clone());
        assert_eq!(told(&log, &[ROOT, A], 15), [(A, Some(4), 0, None)]);
        events.push(Event::Iteration { depth: 1 });
        let log = Log::of(1, events);
        assert_eq!(told(&log, &[ROOT], 16), []);
    }
}
