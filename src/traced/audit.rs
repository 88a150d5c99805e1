//! What a program's search does, counted from its stream alone: nothing here looks at the tree that is made of it.

mod counted;
mod open_nodes;
mod places;
mod rules;
mod visits;

use std::convert::Infallible;

use game::ChessPosition;
use open_trace::{Backup, Child, Class, Header, MoveId, NodeId, Order, Record, Told, Value};
use search::Recorded;

pub use counted::{Audit, Checks, DEPTHS, NUMBERS, Reasons};
use open_nodes::{Open, Root, Searched, top};
use rules::Judge;
pub use rules::{ByRules, First, Found};
use visits::Visited;

struct Auditor<'a> {
    header: &'a Header,
    audit: Audit,
    open: Vec<Open>,
    reduced: bool,
    /// The root as it was left last, and whether that was in this iteration.
    root: Root,
    is_left: bool,
    /// The same at the end of the last iteration that was finished.
    finished: Root,
    /// The root's moves where the search was stopped between them.
    interrupted: Vec<Searched>,
    best: MoveId,
    /// What the program says in the end.
    told: Option<Value>,
    /// Whether events were left out by a filter.
    is_filtered: bool,
    nodes: Vec<Option<Visited>>,
    /// The node that records without a number are about.
    at: u32,
    /// The number of the last event.
    event: u64,
    judge: Option<Judge<'a>>,
}

impl Audit {
    /// Reads a search that is over. `root` is its position if the game is chess: moves, lists of moves and keys are compared
    /// with the rules.
    pub fn of(recorded: &dyn Recorded, root: Option<&ChessPosition>) -> Audit {
        let mut auditor = Auditor {
            header: recorded.header(),
            audit: Audit::default(),
            open: Vec::new(),
            reduced: false,
            root: Root::default(),
            is_left: false,
            finished: Root::default(),
            interrupted: Vec::new(),
            best: MoveId::NONE,
            told: None,
            is_filtered: false,
            nodes: vec![Some(Visited::default())],
            at: 0,
            event: 0,
            judge: root.map(|root| Judge::new(root.clone(), recorded.names())),
        };
        let Some(mut reader) = recorded.reader() else {
            return auditor.finish();
        };
        // What has not come yet is not counted.
        while let Ok(Some((at, record))) = reader.next() {
            auditor.event = at.event;
            auditor.take(&record);
            let taken: Result<(), Infallible> = reader.run(|at, record| {
                auditor.event = at.event;
                auditor.take(&record.record());
                Ok(())
            });
            let Ok(()) = taken;
        }
        auditor.finish()
    }
}

impl Auditor<'_> {
    fn take(&mut self, record: &Record) {
        self.audit.events += u64::from(record.is_event());
        self.audit.nodes = record.nodes_after(self.audit.nodes);
        match *record {
            Record::Enter {
                m,
                window,
                depth,
                ply,
                ..
            } => {
                if let Some(ply) = ply {
                    // What was left without a word, as by an exception.
                    let moves = usize::from(ply).saturating_sub(usize::from(!m.is_none()));
                    self.close_to_ply(moves);
                }
                let window = window.filter(|window| !window.is_empty());
                self.enter(m, window.unwrap_or_default(), depth);
            }
            Record::Leave { value, bound, .. } => self.leave(value, bound),
            Record::Stand { value } => {
                let own = self.own(value);
                if let Some(open) = self.open.last_mut() {
                    open.stand = own.or(open.stand);
                }
            }
            Record::Why(ref why) => {
                let decides = self.count_reason(why);
                if let Some(open) = self.open.last_mut().filter(|_| decides) {
                    open.decided = true;
                }
            }
            Record::Prune { ref why, .. } => {
                self.count_reason(why);
            }
            Record::Try(ref why) => {
                self.count_reason(why);
                let trial = Open {
                    trial: true,
                    aside: true,
                    ..Open::default()
                };
                self.open.push(match self.open.last() {
                    None => trial,
                    Some(parent) => Open {
                        turns: parent.turns,
                        depth: parent.depth,
                        place: parent.place.clone(),
                        ..trial
                    },
                });
            }
            Record::Tried { .. } if self.open.last().is_some_and(|open| open.trial) => {
                self.open.pop();
            }
            Record::DepthChange { plies, .. } => {
                self.reduced = plies < 0;
                self.audit.reductions += u64::from(plies < 0);
                self.audit.extensions += u64::from(plies > 0);
            }
            Record::BackUp { m, worth } => {
                if let Some(own) = self.own(worth) {
                    self.set_worth(Searched {
                        m,
                        own,
                        reduced: false,
                        at_most: false,
                    });
                }
            }
            Record::Unwind { open } => {
                if open == 0 {
                    self.interrupt();
                }
                while self.open.iter().filter(|open| !open.trial).count() > open as usize {
                    self.open.pop();
                }
            }
            Record::Iteration { .. } => {
                self.open.clear();
                self.is_left = false;
            }
            Record::IterationDone { depth, best, value } => {
                self.open.clear();
                self.interrupted.clear();
                if self.is_left {
                    self.finished.clone_from(&self.root);
                    self.count_result(value);
                }
                let last = self.audit.iterations.last().map_or(0, |(depth, _)| *depth);
                let nodes = self.audit.nodes + self.audit.left_out;
                self.audit
                    .iterations
                    .push((depth.unwrap_or(last + 1), nodes));
                self.best = best;
            }
            Record::Skip { nodes, .. } => {
                self.is_filtered = true;
                self.audit.left_out += nodes;
                for open in &mut self.open {
                    open.skipped = true;
                }
            }
            Record::End(reply) => {
                self.interrupt();
                self.audit.claimed = reply.nodes;
                self.told = reply.value;
                if !reply.best.is_none() {
                    self.best = reply.best;
                }
            }
            Record::Expand {
                node,
                first,
                children,
            } => {
                self.at = node.0;
                self.expand(node, first, children);
            }
            Record::Visit {
                node,
                value,
                weight,
            } => {
                self.at = node.0;
                self.visit(node, value, weight);
            }
            Record::Update {
                node,
                visits,
                value,
                ..
            } => {
                self.at = node.0;
                self.update(node, visits, value);
            }
            Record::At { node } => self.at = node.0,
            Record::Prove { node, .. } => self.prove(node),
            Record::Moves { count, names } => {
                let (line, place) = self.here();
                let judged = self.judge.as_mut().zip(place);
                if let Some((judge, at)) = judged {
                    judge.list(&at, self.event, &line, count, names);
                }
            }
            Record::Key(key) => {
                let (line, place) = self.here();
                let judged = self.judge.as_mut().zip(place);
                if let Some((judge, at)) = judged {
                    judge.key(&at, self.event, &line, key);
                }
            }
            _ => {}
        }
    }

    /// Returns a value from the view of the innermost node's side to move.
    fn own(&self, value: Option<Value>) -> Option<f64> {
        let open = self.open.last()?;
        Some(self.seen(value?, open.turns))
    }

    fn seen(&self, value: Value, turns: u32) -> f64 {
        let own = value.get() - self.header.value.centre();
        match self.turns_values(turns) {
            true => 0.0 - own,
            false => own,
        }
    }

    /// Compares a value that the program tells of the search with that of its root.
    fn count_result(&mut self, told: Option<Value>) {
        let Some((told, _)) = told.zip(self.root.value) else {
            return;
        };
        let told = Some(self.seen(told, 0));
        let interrupted = top(&self.interrupted).map(|top| top.own);
        let known = [self.root.value, self.finished.value, interrupted];
        self.audit.checks.results += 1;
        self.audit.checks.wrong_results += u64::from(!known.contains(&told));
    }

    fn count_reason(&mut self, why: &Told) -> bool {
        let depth = self.open.last().and_then(|open| open.depth);
        let (name, class) = match self.header.reason(why.reason) {
            Some(reason) => (reason.name.clone(), reason.class),
            None => ("not declared".into(), Class::Info),
        };
        let empty = Reasons {
            class,
            total: 0,
            by_depth: [0; DEPTHS + 1],
        };
        let counted = self.audit.reasons.entry(name).or_insert(empty);
        counted.total += 1;
        if let Some(depth) = depth {
            counted.by_depth[depth] += 1;
        }
        !matches!(class, Class::Info | Class::Try)
    }

    fn finish(mut self) -> Audit {
        let spec = &self.header.value;
        self.audit.claimed_value = self.told.map(|told| spec.in_unit(told));
        match self.header.order {
            Order::DepthFirst => {
                self.count_result(self.told);
                let agrees = |moves: &[Searched]| {
                    let own = moves.iter().find(|known| known.m == self.best)?;
                    let top = top(moves)?;
                    // A move that is worth so much at most is not the best if another one is worth it.
                    Some(own.own >= top.own && own.at_most <= top.at_most)
                };
                let roots = [&self.root, &self.finished];
                let whole = roots.into_iter().filter(|root| !root.skipped);
                let by_roots = whole.filter_map(|root| agrees(&root.moves));
                // After a stop within an iteration, what that has found is as right as what the one before had.
                let found = by_roots.chain(agrees(&self.interrupted));
                self.audit.checks.best_agrees = found.reduce(|one, other| one || other);
            }
            Order::BestFirst => self.finish_visits(),
        }
        self.audit.rules = self.judge.map(|judge| judge.found);
        self.audit
    }
}
