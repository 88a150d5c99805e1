//! Several runs over one tree.

use crate::job::{self, Named};
use ::algorithms::Algorithm;
use eval::Evaluated;
use game::Situation;
use search::common::table::Tables;
use search::{
    Choices, Control, Event, Free, Job, Limits, Options, Probe, Record, Start, StopReason, Totals,
};
use tree::{Fate, Node, NodeId, NodeView, Tree};

pub const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::AlphaBeta,
    Algorithm::ProbAlphaBeta,
    Algorithm::Mcts,
    Algorithm::Distress,
];

/// A tree with its tables, and everything that the runs over it share.
pub struct Stage<'a, G: Evaluated, E: Named<G>> {
    pub algorithm: Algorithm,
    pub situation: &'a Situation<G>,
    pub evaluator: &'a E,
    pub options: Options,
    pub tree: Tree,
    pub tables: Tables,
    pub choices: Choices,
}

/// One run.
pub struct Leg {
    pub next: Start,
    pub totals: Totals,
    pub reason: Option<StopReason>,
}

impl<'a, G: Evaluated, E: Named<G>> Stage<'a, G, E> {
    pub fn new(algorithm: Algorithm, situation: &'a Situation<G>, evaluator: &'a E) -> Self {
        let spec = algorithm.tree_spec(situation.position.scale(), 128 << 20, u16::MAX);
        Stage {
            algorithm,
            situation,
            evaluator,
            options: algorithm.default_options(),
            tree: Tree::new(spec),
            tables: Tables::new(4 << 20),
            choices: Choices::default(),
        }
    }

    /// Returns the position at a node.
    pub fn position_at(&self, id: NodeId) -> G {
        let mut position = self.situation.position.clone();
        for code in self.tree.moves_to(id) {
            let m = position.decode(code).expect("a legal move");
            position.play(m);
        }
        position
    }

    fn job<'j>(
        &'j self,
        control: &'j Control,
        choices: &'j Choices,
        start: Start,
    ) -> Job<'j, G, E> {
        Job {
            recorded: None,
            situation: self.situation,
            evaluator: self.evaluator,
            tree: &self.tree,
            tables: &self.tables,
            endgames: None,
            options: &self.options,
            control,
            start,
            choices,
            seed: 1,
        }
    }

    /// Excludes or includes moves, between a run that ended at `start` and the next one.
    pub fn choose(&mut self, start: Start, choices: Choices) -> Start {
        let before = std::mem::replace(&mut self.choices, choices);
        let control = Control::new(Limits::default(), 1);
        let job = self.job(&control, &self.choices, start);
        job::apply_choices(self.algorithm, &job, &before)
    }

    /// A single-threaded run with its own control switches.
    pub fn under(&self, control: &Control, start: Start, probe: &mut impl Probe) -> Start {
        job::run(
            self.algorithm,
            &self.job(control, &self.choices, start),
            0,
            probe,
        )
    }

    /// A single-threaded run with a probe.
    pub fn probed(&self, start: Start, limits: Limits, probe: &mut impl Probe) -> Leg {
        let control = Control::new(limits, 1);
        let next = self.under(&control, start, probe);
        let (totals, reason) = (control.totals(), control.stopped());
        Leg {
            next,
            totals,
            reason,
        }
    }

    /// A single-threaded run that records every event.
    pub fn leg(&self, start: Start, nodes: u64) -> (Leg, Vec<Event>) {
        let mut probe = Record::default();
        let leg = self.probed(start, crate::nodes(nodes), &mut probe);
        (leg, probe.0)
    }

    /// A run with several threads.
    pub fn threads(&self, start: Start, nodes: u64, threads: usize) -> Leg {
        let control = Control::new(crate::nodes(nodes), threads);
        let job = self.job(&control, &self.choices, start);
        let next = std::thread::scope(|scope| {
            for thread in 1..threads {
                let job = &job;
                scope.spawn(move || job::run(self.algorithm, job, thread, &mut Free));
            }
            job::run(self.algorithm, &job, 0, &mut Free)
        });
        let (totals, reason) = (control.totals(), control.stopped());
        Leg {
            next,
            totals,
            reason,
        }
    }
}

/// Returns every node of the tree, parents before children.
pub fn walk(tree: &Tree) -> Vec<NodeId> {
    let mut all = vec![Tree::ROOT];
    let mut at = 0;
    while at < all.len() {
        all.extend(tree.children(all[at]));
        at += 1;
    }
    all
}

/// Returns the whole tree as text, for comparisons.
pub fn snapshot(tree: &Tree) -> Vec<String> {
    let line = |id: NodeId| {
        let view: NodeView = tree.view(id);
        let belief = tree.belief(id).map(|b| b.0);
        format!("{view:?} {} {belief:?}", tree.node(id).total())
    };
    walk(tree).into_iter().map(line).collect()
}

/// Checks what must hold for a best-first tree between two runs: no leaf is claimed, visits add up, and urgencies are
/// those of the children.
pub fn check_best_first(tree: &Tree, algorithm: Algorithm) {
    for id in walk(tree) {
        let node = tree.node(id);
        let fate = node.fate();
        assert!(fate != Fate::Interrupted, "{id:?} is still claimed");
        let children = tree.children_block(node);
        if children.is_empty() {
            continue;
        }
        let narrowed = node.is_narrowed();
        let counts = |c: &&Node| !(narrowed && c.is_excluded());
        let nodes: u64 = children.iter().map(|c| c.nodes()).sum();
        assert!(nodes <= node.nodes(), "{id:?}: {nodes} > {}", node.nodes());
        if algorithm == Algorithm::Mcts {
            // A child that ends the game got its visit when its parent was expanded.
            let below: u32 = children
                .iter()
                .filter(counts)
                .map(|c| c.visits() - u32::from(matches!(c.fate(), Fate::Ended(_))))
                .sum();
            let own = node.visits() - below;
            // A node has visits of its own when it was first looked at, found to be due, or proven by other threads.
            assert!(
                node.visits() >= below,
                "{id:?}: {below} > {}",
                node.visits()
            );
            assert!(own < 1 << 20, "{id:?}: {own}");
            assert!(node.total().abs() <= f64::from(node.visits()) + 1e-3);
        } else if matches!(fate, Fate::Expanded { .. }) {
            let relevance = node.proof().lower.one_ply_down();
            let urgency = children
                .iter()
                .filter(counts)
                .filter(|c| c.proof().lower < relevance)
                .filter(|c| c.urgency() > 0.0)
                // Above 0 wherever something can be searched.
                .map(|c| (c.policy() * c.urgency()).max(f32::MIN_POSITIVE))
                .fold(0.0, f32::max);
            assert_eq!(node.urgency(), urgency, "{id:?}");
        }
    }
}
