//! Writes what an external engine reports into a tree.

use super::uci::{Info, Outcomes, Statistics};
use belief::{BINS, Cdf, Density, LANES, MIDDLE};
use game::Sided as _;
use game::notation::parse_uci;
use game::{ChessPosition, Game, MoveCode, Score};
use tree::{Bound, Fate, NodeId, Proof, Recorder, Tree, Window};

/// Grows the tree of one search: the root's legal moves at once, and the lines below them as the engine reports them.
///
/// A reported value is no proof: the bounds stay open even if the engine says "mate".
#[derive(Debug)]
pub(super) struct TreeWriter<'a> {
    tree: &'a Tree,
    pen: Recorder<'a>,
    root: ChessPosition,
    /// The first move of the best line reported last.
    best: MoveCode,
    /// Whether the engine reports figures for every move. Scores are then made from those, so that all moves have the
    /// same scale.
    has_statistics: bool,
}

/// What is reported about a position, from the view of its side to move.
#[derive(Clone, Copy, Debug)]
struct Value {
    score: Score,
    bound: Bound,
    /// The plies searched below it.
    depth: i32,
    outcomes: Option<Outcomes>,
}

impl Value {
    /// Returns the same value one move further down its line.
    fn one_ply_down(self) -> Value {
        Value {
            score: self.score.one_ply_down(),
            bound: self.bound.turned(),
            depth: self.depth - 1,
            outcomes: self.outcomes.turned(),
        }
    }
}

impl<'a> TreeWriter<'a> {
    pub fn new(tree: &'a Tree, root: ChessPosition) -> Self {
        let mut writer = TreeWriter {
            tree,
            pen: Recorder::new(tree),
            root,
            best: MoveCode::NONE,
            has_statistics: false,
        };
        let moves = writer.root.legal_moves();
        let mut last = NodeId::NONE;
        for m in &moves {
            let code = writer.root.encode(*m);
            last = writer.pen.child(Tree::ROOT, last, code, 1);
        }
        if moves.is_empty() {
            writer.game_over();
        }
        writer
    }

    /// Writes the root's value when the game has ended, so that there is nothing to search.
    fn game_over(&self) {
        let Some(ending) = self.root.ending(false) else {
            return;
        };
        let score = self.root.ending_score(ending);
        let value = Value {
            score,
            bound: Bound::Exact,
            depth: 0,
            outcomes: None,
        };
        self.put(Tree::ROOT, value, None);
        let node = self.tree.node(Tree::ROOT);
        node.set_proof(Proof::exact(score));
        node.set_fate(Fate::Ended(ending));
    }

    /// Records a line with its value. Returns whether it is the best line.
    pub fn info(&mut self, info: &Info) -> bool {
        let (Some(score), Some(first)) = (self.score(info), info.line.first()) else {
            return false;
        };
        let Some(first) = parse_uci(&self.root, first) else {
            return false;
        };
        let is_best = info.rank.unwrap_or(1) <= 1;
        let value = Value {
            score: score.0,
            bound: score.1,
            depth: info.depth.map_or(0, i32::from),
            outcomes: info.outcomes,
        };
        if is_best {
            self.best = self.root.encode(first);
            self.put(Tree::ROOT, value, info.depth);
        }
        self.line(&info.line, value, info.depth);
        is_best
    }

    fn score(&self, info: &Info) -> Option<(Score, Bound)> {
        match (info.score, info.outcomes) {
            (Some((score, bound)), Some(outcomes))
                if self.has_statistics && !score.is_decided() =>
            {
                Some((self.tree.scale().score(outcomes.expected()), bound))
            }
            (None, Some(outcomes)) => {
                Some((self.tree.scale().score(outcomes.expected()), Bound::Exact))
            }
            (score, _) => score,
        }
    }

    /// Records the moves of a line one below the other, as far as they are legal and there is room.
    fn line(&mut self, line: &[String], value: Value, depth: Option<u16>) {
        let mut position = self.root.clone();
        let (mut at, mut value) = (Tree::ROOT, value);
        for (ply, word) in (1..).zip(line) {
            let Some(m) = parse_uci(&position, word) else {
                break;
            };
            let code = position.encode(m);
            let child = self.pen.child(at, NodeId::NONE, code, ply);
            if child.is_none() {
                break;
            }
            value = value.one_ply_down();
            self.put(child, value, depth);
            let best = if at == Tree::ROOT { self.best } else { code };
            self.expanded(at, &position, best);
            position.play(m);
            at = child;
        }
        if at != Tree::ROOT {
            self.end_line(at, &position);
        }
    }

    fn expanded(&self, at: NodeId, position: &ChessPosition, best: MoveCode) {
        let told = self
            .tree
            .children(at)
            .filter(|&child| self.tree.node(child).visits() > 0);
        let few = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        self.tree.node(at).set_fate(Fate::Expanded {
            best,
            searched: few(told.count()),
            skipped: 0,
            moves: few(position.legal_moves().len()),
            margin: 0,
        });
    }

    /// Records the end of a line: the game ends there, or the line went no further. What an earlier line reported below
    /// it is kept.
    fn end_line(&self, at: NodeId, position: &ChessPosition) {
        let node = self.tree.node(at);
        let ending = position.ending(!position.legal_moves().is_empty());
        match ending {
            Some(ending) => node.set_fate(Fate::Ended(ending)),
            None if node.is_expanded() => {}
            None => node.set_fate(Fate::Frontier),
        }
    }

    /// Writes a value to its node.
    fn put(&self, id: NodeId, value: Value, depth: Option<u16>) {
        let node = self.tree.node(id);
        node.set_window(Window {
            alpha: Score::MIN,
            beta: Score::MAX,
            depth: value.depth.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8,
            value: value.score,
            bound: value.bound,
        });
        let (static_value, _) = node.static_and_iteration();
        let iteration = depth.map_or(0, |d| d.min(255) as u8);
        node.set_static_and_iteration(static_value, iteration, false);
        self.believe(id, value.outcomes);
        node.set_visits(node.visits().max(1));
    }

    /// Stores the outcomes as the node's belief, or removes the belief.
    fn believe(&self, id: NodeId, outcomes: Option<Outcomes>) {
        let node = self.tree.node(id);
        let Some(outcomes) = outcomes else {
            node.set_belief(0);
            return;
        };
        // The slot is in the view of the side that moved to the node.
        let belief = three_bars(outcomes.turned());
        match node.belief() {
            0 => {
                let Some(place) = self.tree.allocate_beliefs(1) else {
                    return;
                };
                self.tree.belief_slot(place).initialise(&belief);
                node.set_belief(place);
            }
            place => self.tree.belief_slot(place).write(&belief),
        }
    }

    /// Records the figures of one move of the root, or for `None` those of the root itself, of which only the visits
    /// are new.
    pub fn statistics(&mut self, whose: Option<&str>, statistics: &Statistics) {
        self.has_statistics = true;
        let Some(whose) = whose else {
            self.visits(Tree::ROOT, statistics.visits);
            return;
        };
        let Some(m) = parse_uci(&self.root, whose) else {
            return;
        };
        let code = self.root.encode(m);
        let id = self.pen.child(Tree::ROOT, NodeId::NONE, code, 1);
        if id.is_none() {
            return;
        }
        let node = self.tree.node(id);
        if let Some(policy) = statistics.policy {
            // A share of zero means that none was reported.
            node.set_policy(policy.max(f32::MIN_POSITIVE));
        }
        let evaluation = statistics
            .evaluation
            .map(|e| self.tree.scale().score(e.turned()));
        let (earlier, iteration) = node.static_and_iteration();
        node.set_static_and_iteration(evaluation.or(earlier), iteration, false);
        if let Some(value) = statistics.value {
            self.put_statistics(id, value, statistics);
        }
        self.visits(id, statistics.visits);
    }

    fn put_statistics(&mut self, id: NodeId, value: f32, statistics: &Statistics) {
        let node = self.tree.node(id);
        let before = (node.visits() > 0).then(|| node.window());
        // A reported mate says more than the move's expected score.
        let mate = before.map(|w| w.value).filter(|s| s.is_decided());
        let (_, iteration) = node.static_and_iteration();
        let depth = before.map_or(0, |w| i32::from(w.depth));
        let value = Value {
            score: mate.unwrap_or_else(|| self.tree.scale().score(value.turned())),
            bound: Bound::Exact,
            depth,
            outcomes: statistics.outcomes().turned(),
        };
        self.put(id, value, Some(iteration.into()));
        if node.fate() == Fate::Unvisited {
            node.set_fate(Fate::Frontier);
            let root = self.root.clone();
            self.expanded(Tree::ROOT, &root, self.best);
        }
    }

    fn visits(&self, id: NodeId, visits: u64) {
        let node = self.tree.node(id);
        node.set_nodes(visits);
        node.set_visits(visits.min(u64::from(u32::MAX)) as u32);
    }

    /// Records the nodes of the whole search.
    pub fn nodes(&self, nodes: u64) {
        self.tree.node(Tree::ROOT).set_nodes(nodes);
    }

    /// Records the move that the engine would play. Returns false if it is illegal.
    pub fn best_move(&mut self, text: &str) -> bool {
        let Some(m) = parse_uci(&self.root, text) else {
            return false;
        };
        self.best = self.root.encode(m);
        let root = self.root.clone();
        self.expanded(Tree::ROOT, &root, self.best);
        true
    }
}

/// Returns a belief of three bars: lost, drawn, won.
fn three_bars(outcomes: Outcomes) -> Cdf {
    let mut mass = [0.0; LANES];
    mass[0] = outcomes.loss;
    mass[MIDDLE] = outcomes.draw;
    mass[BINS - 1] = outcomes.win;
    Density(mass).cdf()
}
