//! MCTS: PUCT with certainty propagation.
//!
//! Source: seed 4 (certainty propagation), bounds and distances as in algorithms.md, E; PUCT as in AlphaZero.

mod select;

use std::hint::spin_loop;

use super::expand::Expansion;
use super::ground::{Ground, NOT_MATED, Seen, expanded, leaf_option};
use super::prior::{CHECK_GAIN, EVEN_PRIOR, Prior, TEMPERATURE};
use super::proofs;
use crate::eval::Evaluator;
use crate::game::{Game, MoveCode, Score};
use crate::search::{Estimate, Event, Job, OptionSpec, Options, Probe, Range, Start};
use crate::tree::{Bound, Fate, Node, NodeId, Proof, Tree};
use select::{Choice, select};

/// The options of `mcts`.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "exploration",
        default: "1.5",
        range: Range::Number {
            min: 0.0,
            max: 10.0,
        },
        summary: "c of PUCT: Q + c P sqrt(N) / (1 + n)",
    },
    OptionSpec {
        key: "fpu",
        default: "0.4",
        range: Range::Number { min: 0.0, max: 2.0 },
        summary: "first-play urgency: an unvisited move counts as its parent's value minus this times the root of the visited prior",
    },
    TEMPERATURE,
    OptionSpec {
        key: "expand_at",
        default: "3",
        range: Range::Integer { min: 1, max: 1000 },
        summary: "a leaf is expanded on this visit: later saves memory and time, earlier sees replies sooner",
    },
    EVEN_PRIOR,
    CHECK_GAIN,
    leaf_option("static"),
    OptionSpec {
        key: "batch",
        default: "32",
        range: Range::Integer { min: 1, max: 1024 },
        summary: "with several threads: descents handed down together, at most 1/64 of a node's visits",
    },
];

/// Descents that found nothing new before the search ends by itself: nothing is left to look at.
const IDLE_LIMIT: u32 = 20_000;

/// Descents to a focus that found nothing new before it ends: those to leaves that are not due for expansion yet are
/// part of the game.
const FOCUS_PATIENCE: u32 = 1_000;

struct Settings {
    exploration: f32,
    fpu: f32,
    expand_at: u32,
    batch: u32,
    prior: Prior,
}

impl Settings {
    fn new(options: &Options) -> Self {
        Settings {
            exploration: options.number("exploration") as f32,
            fpu: options.number("fpu") as f32,
            expand_at: options.integer("expand_at") as u32,
            batch: options.integer("batch") as u32,
            prior: Prior::new(options),
        }
    }
}

/// What a batch of descents through one node brought, from that node's side to move.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    /// Sum of the values.
    sum: f64,
    /// Descents finished: fewer than asked for when the search is stopping or another thread is in the way.
    done: u32,
    /// Nodes counted.
    nodes: u32,
    /// The node's bounds changed.
    proven: bool,
}

/// The window of proof: a result outside it can't change the root's bounds. From the node's side to move.
#[derive(Clone, Copy, Debug)]
struct Relevant {
    alpha: Score,
    beta: Score,
}

const OPEN: Relevant = Relevant {
    alpha: Score::MIN,
    beta: Score::MAX,
};

/// Runs one thread.
pub fn run<G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<G, E>,
    thread: usize,
    probe: &mut P,
) -> Start {
    let settings = Settings::new(job.options);
    let ground = Ground::new(job, thread, probe);
    // A single thread needs no locked instructions, and where nobody had a say no step needs to ask.
    let solo = job.control.threads() == 1;
    let guided = !job.choices.is_empty() || job.start.focus.is_some();
    match (solo, guided) {
        (true, false) => Mcts::<G, E, P, true, false> { ground, settings }.run(),
        (true, true) => Mcts::<G, E, P, true, true> { ground, settings }.run(),
        (false, false) => Mcts::<G, E, P, false, false> { ground, settings }.run(),
        (false, true) => Mcts::<G, E, P, false, true> { ground, settings }.run(),
    }
}

/// One thread; `SOLO`: the only one. `GUIDED`: moves are out, or the run has a focus.
struct Mcts<'a, G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool, const GUIDED: bool> {
    ground: Ground<'a, G, E, P>,
    settings: Settings,
}

impl<G: Game, E: Evaluator<G>, P: Probe, const SOLO: bool, const GUIDED: bool>
    Mcts<'_, G, E, P, SOLO, GUIDED>
{
    fn run(&mut self) -> Start {
        let root = self.ground.root();
        let mut idle = 0;
        self.ground.begin();
        while self.ground.goes_on(idle, FOCUS_PATIENCE) {
            let budget = self.budget(root);
            if !SOLO {
                root.add_visits(budget);
            }
            let batch = self.descend(Tree::ROOT, root, 0, budget, OPEN);
            if !SOLO && batch.done < budget {
                self.take_back(root, budget - batch.done);
            }
            self.ground.worker().playouts += u64::from(batch.done);
            self.ground.note_best();
            if batch.done == 0 {
                // Another thread holds the leaf, and may have lost its core: that is no sign of an end.
                std::thread::yield_now();
                self.ground.poll();
                continue;
            }
            idle = if batch.nodes > 0 { 0 } else { idle + 1 };
            if idle % 64 == 63 {
                self.ground.poll();
            }
            if idle >= IDLE_LIMIT {
                break;
            }
        }
        self.ground.finish()
    }

    /// Takes back virtual visits of descents that were not finished, and what they did to the mean.
    #[cold]
    fn take_back(&self, node: &Node, visits: u32) {
        node.add_visits(visits.wrapping_neg());
        self.set_mean(node, node.proof());
    }

    /// The mean of what was backed up, within the proven bounds.
    #[inline]
    fn set_mean(&self, node: &Node, proof: Proof) -> f32 {
        let mean = (node.total() / f64::from(node.visits().max(1))) as f32;
        let mean = self.ground.clamp(mean, proof);
        node.set_expected(mean);
        mean
    }

    /// How many descents a node is given at a time.
    #[inline]
    fn budget(&self, node: &Node) -> u32 {
        if SOLO {
            1
        } else {
            (node.visits() / 64).clamp(1, self.settings.batch)
        }
    }

    /// `budget` descents through a node. Its virtual visits have been added already, where there are several threads.
    fn descend(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        budget: u32,
        window: Relevant,
    ) -> Batch {
        self.ground.report(|| Event::Enter {
            node: id,
            alpha: window.alpha,
            beta: window.beta,
            depth: 0,
        });
        self.ground.worker().steps += 1;
        let batch = match node.fate() {
            _ if node.is_expanded() => self.inner(id, node, ply, budget, window),
            Fate::Unvisited => self.first_visit(id, node, ply, window),
            Fate::Frontier if self.is_due(node, ply) => self.grow(id, node, ply, window),
            Fate::Interrupted => self.wait_for(node),
            // Nothing below: its value counts again.
            _ => Batch {
                sum: f64::from(node.expected()) * f64::from(budget),
                done: budget,
                ..Batch::default()
            },
        };
        self.back_up(id, node, ply, batch)
    }

    fn is_due(&self, node: &Node, ply: usize) -> bool {
        let visits = node.visits() + u32::from(SOLO);
        visits >= self.settings.expand_at && ply < self.ground.deepest
    }

    /// Another thread is at work on this leaf, which takes about a microsecond.
    #[cold]
    fn wait_for(&mut self, node: &Node) -> Batch {
        for _ in 0..100 {
            if node.fate() != Fate::Interrupted {
                break;
            }
            spin_loop();
        }
        // The batch ends here; the next descent will find the leaf done, or another one.
        self.ground.poll();
        Batch::default()
    }

    /// Takes a leaf for this thread alone.
    #[inline]
    fn claim(&self, node: &Node, from: Fate) -> bool {
        SOLO || node.claim(from, Fate::Interrupted)
    }

    fn first_visit(&mut self, id: NodeId, node: &Node, ply: usize, window: Relevant) -> Batch {
        if !self.claim(node, Fate::Unvisited) {
            return Batch::default();
        }
        let mut batch = Batch {
            done: 1,
            ..Batch::default()
        };
        if ply > 0 {
            self.ground.count_node();
            batch.nodes = 1;
        }
        self.ground.line.catch_up(self.ground.tree, ply);
        self.ground.worker().selective_depth = self.ground.worker().selective_depth.max(ply as u16);
        match self.ground.look(ply) {
            Seen::Over(fate, score) => {
                self.ground.end(id, fate, score);
                batch.proven = node.proof().is_exact();
                batch.sum = f64::from(node.expected());
            }
            seen => {
                node.tighten(NOT_MATED);
                let (value, nodes) = self.ground.evaluate(ply);
                batch.nodes += nodes;
                let Some(value) = value else {
                    node.set_fate(Fate::Unvisited);
                    batch.done = 0;
                    return batch;
                };
                let expected = self.ground.scale.expected(value);
                node.set_expected(expected);
                self.ground.report(|| Event::Evaluate {
                    node: id,
                    value,
                    sd: None,
                });
                batch.sum = f64::from(expected);
                if seen == Seen::Leaf {
                    let fate = Fate::Horizon {
                        static_value: value,
                    };
                    self.ground.set_fate(node, fate);
                    return batch;
                }
                self.ground.set_fate(node, Fate::Frontier);
                let single = seen == Seen::Open { single_reply: true };
                if ply >= self.ground.deepest || self.ground.stopping {
                    return batch;
                }
                // A single reply is followed at once, so that its value becomes the node's own.
                if single {
                    let nodes = batch.nodes;
                    batch = self.grow(id, node, ply, window);
                    batch.nodes += nodes;
                } else if self.settings.expand_at == 1 {
                    let (_, nodes) = self.expand(id, node, ply);
                    batch.nodes += nodes;
                    batch.proven = self.ground.propagate(id);
                }
            }
        }
        batch
    }

    fn expand(&mut self, id: NodeId, node: &Node, ply: usize) -> (Expansion, u32) {
        if !self.claim(node, Fate::Frontier) {
            return (Expansion::Stopped, 0);
        }
        self.ground.line.catch_up(self.ground.tree, ply);
        let (expansion, nodes) = self.ground.expand(id, ply, &self.settings.prior);
        if expansion == Expansion::Stopped {
            node.set_fate(Fate::Frontier);
        }
        // Of its children none was entered yet.
        self.ground.line.enter(ply + 1, NodeId::NONE);
        (expansion, nodes)
    }

    /// Expands a leaf and goes on to its first child.
    fn grow(&mut self, id: NodeId, node: &Node, ply: usize, window: Relevant) -> Batch {
        let (expansion, nodes) = self.expand(id, node, ply);
        let mut batch = match expansion {
            Expansion::Stopped => Batch::default(),
            Expansion::Over => Batch {
                sum: f64::from(node.expected()),
                done: 1,
                proven: true,
                ..Batch::default()
            },
            Expansion::Done => {
                let proven = self.ground.propagate(id);
                let mut batch = if node.proof().is_exact() {
                    Batch {
                        sum: f64::from(self.ground.scale.expected(node.proof().lower)),
                        done: 1,
                        ..Batch::default()
                    }
                } else if self.ground.stopping {
                    Batch::default()
                } else {
                    self.inner(id, node, ply, 1, window)
                };
                batch.proven |= proven;
                batch
            }
        };
        batch.nodes += nodes;
        batch
    }

    /// Hands `budget` descents to the children, choosing anew after each batch.
    fn inner(
        &mut self,
        id: NodeId,
        node: &Node,
        ply: usize,
        budget: u32,
        window: Relevant,
    ) -> Batch {
        let mut batch = Batch::default();
        let children = self.ground.tree.children_block(node);
        while batch.done < budget {
            let relevance = proofs::relevance(node, window.alpha);
            // The favourite is looked for at every eighth visit, and at the root and young nodes at each.
            let visits = node.visits();
            let forced = if GUIDED {
                self.ground.forced.get(ply + 1).copied()
            } else {
                None
            };
            let choice = if GUIDED && (forced.is_some() || node.is_narrowed()) {
                self.guided_choice(children, node, relevance, forced)
            } else if ply == 0 || visits < 32 || visits.is_multiple_of(8) || !SOLO {
                select::<true, false>(children, node, relevance, &self.settings)
            } else {
                select::<false, false>(children, node, relevance, &self.settings)
            };
            let Some(choice) = choice else {
                // Proven, or beside the point, by what another thread or an earlier descent found.
                if batch.done == 0 {
                    self.ground.line.enter(ply + 1, NodeId::NONE);
                }
                let rest = budget - batch.done;
                batch.sum += f64::from(node.expected()) * f64::from(rest);
                batch.done = budget;
                batch.proven = true;
                break;
            };
            if let Some((favourite, searched)) = choice.favourite {
                self.note_favourite(node, favourite, searched);
            }
            let below = if forced.is_none() {
                Relevant {
                    alpha: window.beta.one_ply_down(),
                    beta: relevance,
                }
            } else {
                OPEN
            };
            let child = choice.node;
            let share = self.budget(child).min(budget - batch.done);
            if !SOLO {
                child.add_visits(share);
            }
            self.ground.line.enter(ply + 1, choice.id);
            let brought = self.descend(choice.id, child, ply + 1, share, below);
            if !SOLO && brought.done < share {
                self.take_back(child, share - brought.done);
            }
            batch.sum -= brought.sum;
            batch.done += brought.done;
            batch.nodes += brought.nodes;
            if brought.proven {
                batch.proven |= self.ground.propagate(id);
                if node.proof().is_exact() {
                    // What is proven replaces what was guessed on the way.
                    break;
                }
            }
            if brought.done < share || self.ground.stopping {
                break;
            }
        }
        batch
    }

    /// The choice where a person had a say: the next node on the way to the focus, whatever the children's scores say,
    /// or one of those that are not out.
    #[cold]
    #[inline(never)]
    fn guided_choice<'t>(
        &self,
        children: &'t [Node],
        node: &Node,
        relevance: Score,
        forced: Option<NodeId>,
    ) -> Option<Choice<'t>> {
        let Some(next) = forced else {
            return select::<true, true>(children, node, relevance, &self.settings);
        };
        let chosen = select::<true, true>(children, node, Score::MAX, &self.settings);
        let place = (next.0 - node.first_child().0) as usize;
        Some(Choice {
            id: next,
            node: children.get(place)?,
            favourite: chosen.and_then(|c| c.favourite),
        })
    }

    /// Keeps the node's fate telling which child is favoured and how many were looked at.
    #[inline]
    fn note_favourite(&self, node: &Node, favourite: MoveCode, searched: usize) {
        let now = expanded(favourite, searched, usize::from(node.child_count()));
        if SOLO {
            node.set_fate(now);
        } else {
            let before = node.fate();
            if before != now && matches!(before, Fate::Expanded { .. }) {
                node.claim(before, now);
            }
        }
    }

    /// Adds what a batch brought to a node, and holds it within the node's bounds.
    fn back_up(&mut self, id: NodeId, node: &Node, ply: usize, mut batch: Batch) -> Batch {
        if batch.done == 0 {
            self.back_up_unfinished(node, batch.nodes);
            self.leave(id, node);
            return batch;
        }
        let proof = node.proof();
        let before = node.expected();
        if batch.done == 1 {
            batch.sum = f64::from(self.ground.clamp(batch.sum as f32, proof));
        } else {
            let done = f64::from(batch.done);
            let mean = self.ground.clamp((batch.sum / done) as f32, proof);
            batch.sum = f64::from(mean) * done;
        }
        let visited = node.visits() > if SOLO { 0 } else { batch.done };
        if SOLO {
            node.set_visits(node.visits() + batch.done);
            node.set_total(node.total() + batch.sum);
            node.set_nodes(node.nodes() + u64::from(batch.nodes));
        } else {
            node.add_total(batch.sum);
            node.add_nodes(u64::from(batch.nodes));
        }
        let after = self.set_mean(node, proof);
        self.ground.worker().back_ups += 1;
        let (tree, line) = (self.ground.tree, &self.ground.line);
        let child = if node.is_expanded() {
            line.at(ply + 1)
        } else {
            NodeId::NONE
        };
        self.ground.report(|| Event::BackUp {
            node: id,
            child,
            worth: (!child.is_none()).then(|| -tree.node(child).expected()),
            before: visited.then_some(Estimate::point(before)),
            after: Estimate::point(after),
        });
        self.leave(id, node);
        batch
    }

    /// A descent that was stopped: its nodes were searched all the same, and what it proved stays proven.
    #[cold]
    fn back_up_unfinished(&self, node: &Node, nodes: u32) {
        if SOLO {
            node.set_nodes(node.nodes() + u64::from(nodes));
        } else {
            node.add_nodes(u64::from(nodes));
        }
        node.set_expected(self.ground.clamp(node.expected(), node.proof()));
    }

    #[inline]
    fn leave(&mut self, id: NodeId, node: &Node) {
        let scale = self.ground.scale;
        self.ground.report(|| Event::Leave {
            node: id,
            score: exact_or_expected(node, scale),
            bound: Bound::None,
        });
    }
}

fn exact_or_expected(node: &Node, scale: crate::game::Scale) -> Score {
    let proof = node.proof();
    if proof.is_exact() {
        proof.lower
    } else {
        scale.score(node.expected())
    }
}
