//! What a program's search does, counted from its stream alone: nothing here looks at the tree that is made of it.

mod places;
mod rules;
mod visits;

use std::collections::BTreeMap;
use std::convert::Infallible;

use game::ChessPosition;
use open_trace::{
    Backup, Bound, Child, Class, Distance, Fail, Header, MoveId, NodeId, Order, Record, Told,
    Value, View, Window,
};
use search::Recorded;

pub use rules::{ByRules, First, Found};
use rules::{Judge, Place};
use visits::Visited;

/// The depths that are told apart: quiescence, and 1 to this many plies or more.
pub const DEPTHS: usize = 16;

/// The move numbers that are told apart: 1 to this many or more.
pub const NUMBERS: usize = 12;

/// What was counted. A depth of 0 is 0 or less, as in quiescence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    pub events: u64,
    /// Nodes entered, the root and each visit counted; in a best-first search the root and the children that nodes got.
    pub nodes: u64,
    /// Those whose depth was told, by the plies left.
    pub by_depth: [u64; DEPTHS + 1],
    /// What the program says its nodes are.
    pub claimed: Option<u64>,
    /// What the program says the search is worth, in its unit and from its view.
    pub claimed_value: Option<f64>,
    /// Nodes that filters left out.
    pub left_out: u64,
    /// Visits at which moves were searched.
    pub inner: u64,
    /// Moves searched in all of them.
    pub moves: u64,
    /// By the number of the move that reached beta, from 1.
    pub cutoffs: [u64; NUMBERS],
    /// Moves that were searched a second time in the same visit.
    pub again: u64,
    pub reductions: u64,
    /// Of them, those searched again.
    pub reduced_again: u64,
    pub extensions: u64,
    /// Reasons that decided a node or a move, by name and depth.
    pub reasons: BTreeMap<Box<str>, Reasons>,
    /// Depth and nodes so far at the end of each iteration.
    pub iterations: Vec<(i16, u64)>,
    pub checks: Checks,
    /// What the rules of chess say; `None` of other games.
    pub rules: Option<ByRules>,
    /// Simulations, expansions and updates of a best-first search. Where no visit was told, the simulations are the root's visits
    /// by the program's figures.
    pub visits: u64,
    pub expansions: u64,
    pub updates: u64,
    /// Nodes of a best-first search that have visits, told or counted.
    pub visited: u64,
}

/// How often a reason was given, and by the depth of the node at which it was, where that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons {
    pub class: Class,
    pub total: u64,
    pub by_depth: [u64; DEPTHS + 1],
}

/// What follows from the stream, and whether the program says the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Values that must follow from the moves, and those that do not.
    pub values: u64,
    pub unexplained: u64,
    /// Left without a move, a standing value or a reason.
    pub untold: u64,
    /// Wins and losses that come before their nodes by their distance from the root.
    pub early: u64,
    /// Values outside of their windows: a fail-soft search has some, a fail-hard one has none.
    pub outside: u64,
    /// Bounds that the program told, and those that their windows contradict.
    pub bounds: u64,
    pub wrong_bounds: u64,
    /// Figures that the program told of nodes whose visits were told too, and those that differ.
    pub figures: u64,
    pub wrong_figures: u64,
    /// Values that the program told of its iterations and of the whole search, and those that are not the root's.
    pub results: u64,
    pub wrong_results: u64,
    /// Whether the last best move told is the one with the best value, or the most visits; `None` where none was told, or
    /// where moves of the root were left out.
    pub best_agrees: Option<bool>,
}

/// A move that was searched.
#[derive(Clone, Copy, Debug)]
struct Searched {
    m: MoveId,
    /// Its last value, from the view of the node.
    own: f64,
    reduced: bool,
    /// Whether the move is worth its value at most.
    at_most: bool,
}

/// An open node.
#[derive(Clone, Debug, Default)]
struct Open {
    m: MoveId,
    /// The turns since the root.
    turns: u32,
    /// The plies left, where they were told.
    depth: Option<usize>,
    window: Window,
    stand: Option<f64>,
    moves: Vec<Searched>,
    decided: bool,
    /// It is no move: the same position again, or what a rule searches.
    aside: bool,
    trial: bool,
    skipped: bool,
    reduced: bool,
    cut: bool,
    /// By the rules of chess; `None` in other games.
    place: Option<Place>,
}

/// A root that was left.
#[derive(Clone, Debug, Default)]
struct Root {
    moves: Vec<Searched>,
    value: Option<f64>,
    /// Whether some of its moves were not sent.
    skipped: bool,
}

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

    /// Returns how many moves were searched at a node at which any was.
    pub fn branching(&self) -> Option<f64> {
        share(self.moves, self.inner)
    }

    /// Returns by which factor an iteration took more nodes than the one before: the geometric mean of the last three.
    pub fn growth(&self) -> Option<f64> {
        let mut cost: Vec<f64> = Vec::new();
        let mut before = 0;
        for &(_, nodes) in &self.iterations {
            cost.push((nodes - before) as f64);
            before = nodes;
        }
        let last = &cost[cost.len().saturating_sub(4)..];
        let steps = last.len().checked_sub(1).filter(|&steps| steps > 0)?;
        (last[0] > 0.0).then(|| (last[steps] / last[0]).powf(1.0 / steps as f64))
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
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

    fn close_to_ply(&mut self, moves: usize) {
        let is_move = |open: &&Open| !open.m.is_none();
        while self.open.iter().filter(is_move).count() > moves {
            self.open.pop();
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

    /// Keeps what the root's moves are worth where it is not left any more.
    fn interrupt(&mut self) {
        if let Some(root) = self.open.first_mut().filter(|root| !root.moves.is_empty()) {
            self.interrupted = std::mem::take(&mut root.moves);
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

    fn enter(&mut self, m: MoveId, window: Window, depth: Option<i16>) {
        let reduced = std::mem::take(&mut self.reduced);
        let step = self.header.depth_step.max(1) as i16;
        let plies = depth.map(|depth| depth.div_euclid(step));
        let depth = plies.map(|plies| usize::try_from(plies).unwrap_or(0).min(DEPTHS));
        let parent = self.open.last();
        let same = m.is_none() && parent.is_some();
        let turns = match parent {
            None => 0,
            Some(parent) if same => parent.turns,
            Some(parent) => parent.turns + 1,
        };
        if let Some(depth) = depth {
            self.audit.by_depth[depth] += 1;
        }
        if !m.is_none() {
            let searched = parent.and_then(|parent| parent.moves.iter().find(|known| known.m == m));
            if let Some(before) = searched {
                self.audit.again += 1;
                self.audit.reduced_again += u64::from(before.reduced && !reduced);
            }
        }
        let place = self.place_behind(m);
        self.open.push(Open {
            m,
            turns,
            depth,
            window,
            aside: same,
            reduced,
            place,
            ..Open::default()
        });
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

    fn set_worth(&mut self, searched: Searched) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        match open.moves.iter_mut().find(|known| known.m == searched.m) {
            Some(known) => *known = searched,
            None => open.moves.push(searched),
        }
    }

    fn leave(&mut self, value: Option<Value>, bound: Option<Bound>) {
        while self.open.last().is_some_and(|open| open.trial) {
            self.open.pop();
        }
        let Some(own) = self.open.last().map(|_| self.own(value)) else {
            return;
        };
        let Some(open) = self.open.pop() else {
            return;
        };
        let view_turns = self.turns_values(open.turns);
        let end = |end: Option<Value>| end.map(|end| self.seen(end, open.turns));
        let (mut alpha, mut beta) = (end(open.window.alpha), end(open.window.beta));
        if view_turns {
            std::mem::swap(&mut alpha, &mut beta);
        }
        if !open.moves.is_empty() {
            self.audit.inner += 1;
            self.audit.moves += open.moves.len() as u64;
        }
        if let Some(own) = own {
            self.check(&open, own, (alpha, beta), bound);
        }
        if let (Some(own), false) = (own, open.aside) {
            let worth = 0.0 - self.one_ply_up(own);
            self.set_worth(Searched {
                m: open.m,
                own: worth,
                reduced: open.reduced,
                at_most: beta.is_some_and(|beta| own >= beta),
            });
            self.count_cutoff(worth);
        }
        if open.turns == 0 && !open.aside {
            self.is_left = true;
            self.root = Root {
                moves: open.moves,
                value: own,
                skipped: open.skipped,
            };
        }
    }

    /// Whether the values of a node with so many turns behind it are turned.
    fn turns_values(&self, turns: u32) -> bool {
        match self.header.value.view {
            View::Node => false,
            View::Parent => true,
            View::Root | View::First => turns % 2 == 1,
        }
    }

    /// A move has reached its parent's beta.
    fn count_cutoff(&mut self, worth: f64) {
        let Some(turns) = self.open.last().map(|open| open.turns) else {
            return;
        };
        let Some(open) = self.open.last() else {
            return;
        };
        let beta = match self.turns_values(turns) {
            true => open.window.alpha,
            false => open.window.beta,
        };
        let reached = beta.is_some_and(|beta| worth >= self.seen(beta, turns));
        let number = open.moves.len().clamp(1, NUMBERS) - 1;
        let first = !open.cut && !open.trial;
        if let Some(open) = self.open.last_mut().filter(|_| reached && first) {
            open.cut = true;
            self.audit.cutoffs[number] += 1;
        }
    }

    fn one_ply_up(&self, own: f64) -> f64 {
        let spec = &self.header.value;
        let is_win = Value::new(own)
            .and_then(|value| spec.win_in(value))
            .is_some();
        match spec.distance {
            Distance::Node if is_win => own - own.signum(),
            _ => own,
        }
    }

    fn check(
        &mut self,
        open: &Open,
        own: f64,
        (alpha, beta): (Option<f64>, Option<f64>),
        bound: Option<Bound>,
    ) {
        let checks = &mut self.audit.checks;
        let (low, high) = (
            alpha.unwrap_or(f64::NEG_INFINITY),
            beta.unwrap_or(f64::INFINITY),
        );
        checks.outside += u64::from(own < low || own > high);
        let spec = &self.header.value;
        let at = Value::new(own).and_then(|own| spec.win_in(own));
        let is_early = |at: u16| u32::from(at) < open.turns && spec.distance == Distance::Root;
        checks.early += u64::from(at.is_some_and(is_early));
        if let Some(bound) = bound {
            checks.bounds += 1;
            let right = match bound {
                Bound::Exact => own > low && own < high,
                Bound::Lower => own >= high,
                Bound::Upper => own <= low,
            };
            checks.wrong_bounds += u64::from(!right);
        }
        let moves = open.moves.iter().map(|known| known.own);
        let gives = moves.chain(open.stand).reduce(f64::max);
        match gives {
            _ if open.decided || open.skipped => {}
            None => checks.untold += 1,
            Some(gives) => {
                let expected = match self.header.value.fail {
                    Fail::Soft => gives,
                    Fail::Hard => gives.clamp(low.min(high), high),
                };
                checks.values += 1;
                checks.unexplained += u64::from(own != expected);
            }
        }
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

/// Returns the best of the moves: of those with the same value one that is not only worth it at most.
fn top(moves: &[Searched]) -> Option<Searched> {
    let better =
        |a: &Searched, b: &Searched| a.own.total_cmp(&b.own).then(b.at_most.cmp(&a.at_most));
    moves.iter().copied().max_by(better)
}
