//! Grows a tree from nodes that are entered and left.

mod frame;

use std::sync::Arc;

use super::pen::{Pen, Reads, read};
use super::reasons::Place;
use super::values::Sides;
use eval::Evaluator;
use frame::{Frame, Kind, Worth};
use game::{Game, MoveCode, Score, Side};
use open_trace::{
    Bound as ToldBound, Class, Distance, Fail, MoveId, Record, Side as ToldSide, Told, Value,
    Window as ToldWindow,
};
use search::{Event, Interrupt, Job, Probe, Recorded, Start, StopReason, Told as What};
use tree::{Bound, DepthChange, Fate, Lead, LeftOut, NodeId, Tree, Unexplained, Window};

/// Reads a whole search. Returns where it ended.
pub(super) fn run<'a, G: Game, E: Evaluator<G>, P: Probe>(
    job: &Job<'a, G, E>,
    recorded: &'a dyn Recorded,
    probe: &'a mut P,
) -> Start {
    let mut search = Search {
        pen: Pen::new(job, recorded, probe),
        frames: Vec::new(),
        worths: Vec::new(),
        iteration: 0,
        pass: 0,
        best: job.start.best,
        score: job.start.score,
        change: DepthChange::None,
        side: None,
        finished: 0,
        whole: false,
        deeper: 0,
    };
    if read(&mut search, recorded).is_ok() {
        search.end();
    }
    search.pen.worker.publish();
    Start {
        depth: search.finished,
        best: search.best,
        score: search.score,
        ..Start::default()
    }
}

struct Search<'a, G, P> {
    pen: Pen<'a, G, P>,
    frames: Vec<Frame>,
    /// What the moves of the open nodes are worth by their last searches, from the view of the node: each frame knows where its
    /// own begin.
    worths: Vec<Worth>,
    iteration: u16,
    pass: u16,
    best: MoveCode,
    score: Score,
    /// How the next node's depth was changed.
    change: DepthChange,
    /// Who is to move at the next node, where the program says so.
    side: Option<ToldSide>,
    /// The last finished iteration.
    finished: u16,
    /// Whether the root was left in this iteration, and not only interrupted.
    whole: bool,
    /// How many nodes are open below the deepest that is shown.
    deeper: u64,
}

impl<'a, G: Game, P: Probe + 'a> Reads<'a, G, P> for Search<'a, G, P> {
    fn pen(&mut self) -> &mut Pen<'a, G, P> {
        &mut self.pen
    }

    #[inline]
    fn record(&mut self, record: &Record) -> Result<(), Interrupt> {
        if self.frames.len() >= open_trace::limits::OPEN_NODES && self.is_too_deep(record) {
            return self.count_deeper(record);
        }
        match *record {
            Record::Enter {
                m,
                window,
                depth,
                ply,
                side,
            } => {
                if let Some(ply) = ply {
                    // A move leads to one ply more, the same position to none.
                    self.close_to_ply(usize::from(ply).saturating_sub(usize::from(!m.is_none())));
                }
                self.enter(m, window, depth, side)?;
            }
            Record::Leave {
                value, bound, best, ..
            } => self.leave(value, bound, best),
            Record::Evaluate { value, .. } => self.evaluate(value),
            Record::Stand { value } => self.stand(value),
            Record::Prune { m, ref why } => self.prune(m, why),
            Record::Why(ref why) => self.why(why),
            Record::Try(ref why) => self.begin_trial(why),
            Record::Tried { value } => self.tried(value),
            Record::Moves { count, names } => self.moves(count, names),
            Record::DepthChange { plies, reason } => self.change_depth(plies, reason),
            Record::BackUp { m, worth } => self.back_up(m, worth),
            Record::Unwind { open } => {
                self.close_to(open as usize);
                self.told(What::Unwind {
                    open: open.min(u32::from(u16::MAX)) as u16,
                });
            }
            Record::Iteration { depth } => self.begin_iteration(depth),
            Record::IterationDone { best, value, depth } => {
                self.finish_iteration(best, value, depth)
            }
            Record::Pass { window, .. } => self.begin_pass(window),
            Record::PassDone { value } => self.finish_pass(value),
            Record::BestChange { to } => self.change_best(to),
            Record::End(reply) => {
                self.close_to(0);
                if !reply.best.is_none() {
                    self.best = self.root_code(reply.best);
                }
                self.told(What::End);
            }
            Record::Skip { nodes, events } => self.skip(events, nodes),
            Record::Note(text) => {
                if let Some(node) = self.here() {
                    self.pen.tree.note(node, &Arc::from(text));
                }
            }
            Record::Render(text) => {
                let node = self.here().unwrap_or(Tree::ROOT);
                self.pen.tree.draw_position(node, &Arc::from(text));
            }
            Record::Search(_) | Record::Key(_) | Record::Mark { .. } => {}
            // They belong to best-first searches.
            Record::Expand { .. }
            | Record::Visit { .. }
            | Record::Update { .. }
            | Record::At { .. }
            | Record::Edge { .. }
            | Record::Prove { .. } => self.told(What::Unused),
        }
        Ok(())
    }
}

impl<G: Game, P: Probe> Search<'_, G, P> {
    /// The innermost open node, if it is in the tree.
    fn here(&self) -> Option<NodeId> {
        let frame = self.frames.last()?;
        (!frame.node.is_none()).then_some(frame.node)
    }

    /// The innermost open node in an event: the root before there is one.
    fn at(&self) -> NodeId {
        self.frames.last().map_or(Tree::ROOT, |frame| frame.node)
    }

    fn told(&mut self, what: What) {
        let node = self.at();
        self.pen.emit(|_| Event::Told { node, what });
    }

    /// Whose views the values of the innermost open node can have, and how far it is from the root.
    fn place(&self) -> Place {
        match self.frames.last() {
            Some(frame) => frame.place(),
            None => Place {
                sides: Sides {
                    node: self.pen.turn(),
                    parent: None,
                },
                ply: 0,
            },
        }
    }

    fn code_below(&mut self, at: usize, id: MoveId) -> MoveCode {
        let way = match self.frames.get(at) {
            Some(frame) => frame.way,
            None => self.pen.way(),
        };
        self.pen.code(id, way)
    }

    fn root_code(&mut self, id: MoveId) -> MoveCode {
        let way = self.pen.way();
        self.pen.code(id, way)
    }

    fn enter(
        &mut self,
        m: MoveId,
        window: Option<ToldWindow>,
        depth: Option<i16>,
        side: Option<ToldSide>,
    ) -> Result<(), Interrupt> {
        let side = side.or(self.side.take());
        let change = std::mem::take(&mut self.change);
        let mut root = Frame::root(self.pen.turn(), self.pen.way());
        root.nodes_before = self.pen.worker.nodes();
        if self.frames.is_empty() && m.is_none() {
            self.open(&mut root, window, depth);
            return Ok(());
        }
        if self.frames.is_empty() {
            // A program need not enter the root.
            root.why = Some(Fate::Unvisited);
            self.frames.push(root);
        }
        let parent = self.frames.len() - 1;
        let code = match m.is_none() {
            true => MoveCode::SAME,
            false => self.code_below(parent, m),
        };
        let from = &mut self.frames[parent];
        let kind = match m.is_none() {
            true => Kind::Same,
            false => Kind::Move,
        };
        let mut frame = Frame::below(from, kind, m, code, side_of(side));
        let node = self
            .pen
            .child(from.node, from.last_child, code, frame.tree_ply);
        frame.node = node;
        if !node.is_none() {
            from.last_child = node;
            if frame.side == from.side {
                self.pen.tree.set_same_side(node);
            }
            let mut searched = self.worths[from.worths_from..].iter();
            let again = searched.any(|worth| worth.m == m);
            frame.note_change(self.pen.tree.node(node), change, again);
        }
        frame.nodes_before = self.pen.worker.nodes();
        if kind == Kind::Move {
            self.pen.worker.count_node()?;
        }
        self.open(&mut frame, window, depth);
        Ok(())
    }

    fn open(&mut self, frame: &mut Frame, window: Option<ToldWindow>, depth: Option<i16>) {
        let sides = frame.place().sides;
        let values = &self.pen.values;
        if let Some(window) = window {
            let own = |end: Option<Value>| end.map(|end| values.own(end, sides));
            let (alpha, beta) = (own(window.alpha), own(window.beta));
            (frame.alpha, frame.beta) = match values.turns(sides) {
                true => (beta, alpha),
                false => (alpha, beta),
            };
            frame.windowed = true;
        }
        frame.depth = depth.map_or(0, |depth| {
            depth.div_euclid(self.pen.header.depth_step.max(1) as i16)
        });
        frame.worths_from = self.worths.len();
        let selective = &mut self.pen.worker.selective_depth;
        *selective = (*selective).max(frame.ply);
        if !frame.node.is_none() {
            self.pen.tree.set_later(frame.node, None);
        }
        let (alpha, beta) = self.window_of(frame);
        let (node, depth) = (frame.node, frame.plies());
        self.frames.push(frame.clone());
        self.pen.emit(|_| Event::Enter {
            node,
            alpha,
            beta,
            depth,
        });
    }

    fn window_of(&self, frame: &Frame) -> (Score, Score) {
        let values = &self.pen.values;
        (
            values.end(frame.alpha, frame.ply, Score::MIN),
            values.end(frame.beta, frame.ply, Score::MAX),
        )
    }

    fn evaluate(&mut self, value: Option<Value>) {
        let score = self.own_here(value).map(|own| self.score_here(own));
        if let (Some(score), Some(frame)) = (score, self.frames.last_mut()) {
            frame.static_value = Some(score);
        }
        let node = self.at();
        match score {
            Some(value) => self.pen.emit(|tree| Event::Evaluate {
                node,
                value,
                mean: tree.scale().expected(value),
                sd: None,
            }),
            None => self.told(What::Unused),
        }
    }

    fn own_here(&self, value: Option<Value>) -> Option<f64> {
        let sides = self.place().sides;
        value.map(|value| self.pen.values.own(value, sides))
    }

    fn score_here(&self, own: f64) -> Score {
        self.pen.values.score(own, self.place().ply)
    }

    fn stand(&mut self, value: Option<Value>) {
        let own = self.own_here(value);
        let score = own.map(|own| self.score_here(own));
        if let Some(frame) = self.frames.last_mut() {
            frame.stand = own.or(frame.stand);
            frame.static_value = score.or(frame.static_value);
        }
        self.told(What::Stand { value: score });
    }

    fn prune(&mut self, m: MoveId, why: &Told) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return self.told(What::Unused);
        };
        let code = self.code_below(at, m);
        let frame = &self.frames[at];
        let (parent, ply, place) = (frame.node, frame.tree_ply + 1, frame.place());
        let child = self.pen.child(parent, frame.last_child, code, ply);
        let before = match child.is_none() {
            true => Fate::default(),
            false => self.pen.tree.node(child).fate(),
        };
        let fate = self.fate(before, why, place);
        if !child.is_none() {
            self.pen.tree.node(child).set_fate(fate);
            self.frames[at].last_child = child;
        } else if m.is_none() && !parent.is_none() {
            self.pen.tree.set_later(parent, Some(fate));
        }
        self.frames[at].skipped += 1;
        self.pen.worker.count_fate(fate);
        self.pen.emit(|_| Event::Prune {
            parent,
            m: code,
            fate,
        });
    }

    /// The fate for a reason at the innermost open node.
    fn fate(&mut self, before: Fate, why: &Told, place: Place) -> Fate {
        let at = self.frames.len().saturating_sub(1);
        let codes = self.move_numbers(at, why);
        let (tree, values) = (self.pen.tree, &self.pen.values);
        match self.pen.reasons.get(why.reason) {
            Some(reason) => {
                let code = |number: u32| {
                    let known = codes.iter().flatten().find(|(id, _)| *id == number);
                    known.map_or(MoveCode::NONE, |(_, code)| *code)
                };
                reason.fate(tree, before, why, values, place, code)
            }
            None => tree.told_fate(before, tree::ReasonId::UNKNOWN, &[]),
        }
    }

    /// The codes of the moves among a reason's numbers.
    fn move_numbers(&mut self, at: usize, why: &Told) -> [Option<(u32, MoveCode)>; 2] {
        let mut codes = [None; 2];
        let Some(reason) = self.pen.header.reason(why.reason) else {
            return codes;
        };
        let numbers = reason.numbers.iter().zip(why.numbers);
        let moves = numbers.filter(|(number, _)| number.unit == open_trace::NumberUnit::Move);
        let ids = moves.filter_map(|(_, id)| Some((*id)? as u32));
        for (place, id) in codes.iter_mut().zip(ids) {
            *place = Some((id, self.code_below(at, MoveId(id))));
        }
        codes
    }

    fn why(&mut self, why: &Told) {
        let (node, place) = (self.at(), self.place());
        let before = match self.here() {
            Some(node) => self.pen.tree.node(node).fate(),
            None => Fate::default(),
        };
        let fate = self.fate(before, why, place);
        let class = self.pen.reasons.get(why.reason).map(|reason| reason.class);
        let decides = !matches!(class, Some(Class::Info | Class::Try));
        if let Some(frame) = self.frames.last_mut().filter(|_| decides) {
            frame.why = Some(fate);
        }
        self.pen.emit(|_| match class {
            Some(Class::Cut | Class::Cutoff) => Event::Cut { node, fate },
            Some(Class::Known) if matches!(fate, Fate::TableHit { .. }) => {
                Event::TableHit { node, fate }
            }
            _ => Event::Told {
                node,
                what: What::Reason { fate },
            },
        });
    }

    fn begin_trial(&mut self, why: &Told) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return self.told(What::Unused);
        };
        let place = self.frames[at].place();
        let code = MoveCode::trial(why.reason);
        let from = &mut self.frames[at];
        let mut frame = Frame::below(from, Kind::Trial, MoveId::NONE, code, None);
        (frame.alpha, frame.beta, frame.depth) = (from.alpha, from.beta, from.depth);
        frame.windowed = from.windowed;
        frame.node = self
            .pen
            .child(from.node, NodeId::NONE, code, frame.tree_ply);
        frame.nodes_before = self.pen.worker.nodes();
        frame.worths_from = self.worths.len();
        let node = from.node;
        if !frame.node.is_none() {
            self.pen.tree.set_same_side(frame.node);
        }
        let before = match frame.node.is_none() {
            true => Fate::default(),
            false => self.pen.tree.node(frame.node).fate(),
        };
        let fate = self.fate(before, why, place);
        frame.why = Some(fate);
        let rule = self
            .pen
            .reasons
            .get(why.reason)
            .and_then(|reason| reason.rule());
        let (_, beta) = self.window_of(&frame);
        let depth = frame.plies();
        self.frames.push(frame);
        self.pen.emit(|_| match rule {
            Some(rule) => Event::Try {
                node,
                rule,
                bound: beta,
                depth,
            },
            None => Event::Told {
                node,
                what: What::Try { fate },
            },
        });
    }

    fn tried(&mut self, value: Option<Value>) {
        if !self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Trial)
        {
            return self.told(What::Unused);
        }
        let own = self.own_here(value);
        let score = own.map(|own| self.score_here(own));
        self.pop(own, None, MoveId::NONE);
        self.told(What::Tried { value: score });
    }

    fn moves(&mut self, count: u32, names: &[MoveId]) {
        let node = self.at();
        if let Some(at) = self.frames.len().checked_sub(1) {
            self.frames[at].moves = Some(count);
            // Where plyscope has no rules, it knows a move that was not searched by its name alone.
            if !super::pen::is_chess(self.pen.root()) {
                for id in names {
                    let code = self.code_below(at, *id);
                    let frame = &self.frames[at];
                    let (parent, ply) = (frame.node, frame.tree_ply + 1);
                    self.pen.child(parent, NodeId::NONE, code, ply);
                }
            }
            if !node.is_none() && names.is_empty() {
                self.pen.tree.set_told_moves(node, count);
            }
        }
        let moves = count.min(u32::from(u16::MAX)) as u16;
        self.pen.emit(|_| Event::Expand { node, moves });
    }

    fn change_depth(&mut self, plies: i16, reason: u8) {
        let plies = f64::from(plies) / f64::from(self.pen.header.depth_step);
        let size = plies.abs().ceil().min(15.0) as u8;
        let name = self
            .pen
            .reasons
            .get(reason)
            .map_or("", |reason| &reason.name);
        let number = self.frames.last().map_or(0, |frame| frame.searched + 1);
        self.change = if plies < 0.0 {
            DepthChange::Reduced {
                plies: size,
                number: number.min(255) as u8,
                again: false,
            }
        } else if name.contains("check") && size == 1 {
            DepthChange::Check
        } else {
            DepthChange::Singular { plies: size }
        };
        let (node, change) = (self.at(), self.change);
        self.pen.emit(|_| Event::Depth { node, change });
    }

    fn back_up(&mut self, m: MoveId, worth: Option<Value>) {
        let own = self.own_here(worth);
        let Some(at) = self.frames.len().checked_sub(1).filter(|_| own.is_some()) else {
            return self.told(What::Unused);
        };
        let own = own.unwrap_or_default();
        let code = self.code_below(at, m);
        let before = self.frames[at].gives(&self.worths);
        self.set_worth(at, m, code, own);
        let node = self.frames[at].node;
        let ply = self.frames[at].ply;
        let values = &self.pen.values;
        let estimate = |own: f64| search::Estimate::point(values.expected(own));
        let (worth, before) = (estimate(own), before.map(estimate));
        let after = before.filter(|b| b.mean > worth.mean).unwrap_or(worth);
        let _ = ply;
        self.pen.emit(|tree| Event::BackUp {
            node,
            child: match node.is_none() {
                true => NodeId::NONE,
                false => tree.child_by_move(node, code).unwrap_or(NodeId::NONE),
            },
            worth: Some(worth.mean),
            before,
            after,
        });
    }

    fn set_worth(&mut self, at: usize, m: MoveId, code: MoveCode, own: f64) {
        let from = self.frames[at].worths_from;
        let known = self.worths[from..]
            .iter_mut()
            .rev()
            .find(|worth| worth.m == m);
        match known {
            Some(worth) => worth.own = own,
            None => {
                self.worths.push(Worth { m, code, own });
                self.frames[at].searched += 1;
            }
        }
    }

    fn leave(&mut self, value: Option<Value>, bound: Option<ToldBound>, best: MoveId) {
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == Kind::Trial)
        {
            self.pop(None, None, MoveId::NONE);
        }
        if self.frames.is_empty() {
            return self.told(What::Unused);
        }
        let own = self.own_here(value);
        let (node, score, bound) = self.pop(own, bound, best);
        self.pen.emit(|_| Event::Leave { node, score, bound });
    }

    /// Leaves the innermost frame with a value from its own view. Returns its node, score and bound.
    fn pop(
        &mut self,
        own: Option<f64>,
        bound: Option<ToldBound>,
        best: MoveId,
    ) -> (NodeId, Score, Bound) {
        let best = match best.is_none() {
            true => None,
            false => Some(self.code_below(self.frames.len() - 1, best)),
        };
        let Some(frame) = self.frames.pop() else {
            return (NodeId::NONE, Score::DRAW, Bound::None);
        };
        let gives = frame.gives(&self.worths);
        let score = own.map(|own| self.pen.values.score(own, frame.ply));
        let bound = match (bound, own) {
            (_, None) => Bound::None,
            (Some(told), _) => turned_if(self.pen.values.turns(frame.place().sides), told),
            (None, Some(own)) => frame.bound_of(own),
        };
        if !frame.node.is_none() {
            let fate = self.fate_of(&frame, own, best);
            self.write(&frame, own, score, bound, fate);
            self.explain(&frame, own, gives);
            self.pen.worker.count_fate(fate);
        }
        self.worths.truncate(frame.worths_from);
        self.whole |= frame.kind == Kind::Root;
        if let (Some(own), Kind::Move) = (own, frame.kind) {
            self.pass_up(&frame, own);
        }
        (frame.node, score.unwrap_or(Score::DRAW), bound)
    }

    /// Tells the parent what a move is worth.
    fn pass_up(&mut self, frame: &Frame, own: f64) {
        let Some(at) = self.frames.len().checked_sub(1) else {
            return;
        };
        let up = self.one_ply_up(own);
        let worth = match frame.side == self.frames[at].side {
            true => up,
            false => 0.0 - up,
        };
        if at == 0 {
            self.note_lead(frame, worth);
        }
        self.set_worth(at, frame.m, frame.code, worth);
    }

    /// A win that is counted from the node is one ply further away at its parent.
    fn one_ply_up(&self, own: f64) -> f64 {
        let spec = self.pen.values.spec();
        let is_win = Value::new(own)
            .and_then(|value| spec.win_in(value))
            .is_some();
        match spec.distance {
            Distance::Node if is_win => own - own.signum(),
            _ => own,
        }
    }

    /// A move of the root has taken the lead within an iteration.
    fn note_lead(&mut self, frame: &Frame, worth: f64) {
        let root = &self.frames[0];
        let leads = root.gives(&self.worths).is_none_or(|best| worth > best)
            && root.alpha.is_none_or(|alpha| worth > alpha);
        if !leads || frame.node.is_none() {
            return;
        }
        self.best = frame.code;
        self.score = self.pen.values.score(worth, 0);
        if self.pen.tree.last_step().is_none() {
            return;
        }
        let (alpha, beta) = self.window_of(root);
        let lead = Lead {
            window: Window {
                alpha,
                beta,
                depth: root.plies(),
                value: self.score,
                bound: match root.bound_of(worth) {
                    Bound::Upper => Bound::None,
                    bound => bound,
                },
            },
            fate: Fate::Expanded {
                best: frame.code,
                searched: root.searched.min(255) as u8,
                skipped: 0,
                moves: root.moves.unwrap_or(0).min(255) as u8,
                margin: 0,
            },
            belief: None,
        };
        self.pen
            .tree
            .finish_step(self.iteration_byte(), Some(&lead));
    }

    fn iteration_byte(&self) -> u8 {
        self.iteration.min(255) as u8
    }

    /// Why a node is as it is, by what its search did.
    fn fate_of(&self, frame: &Frame, own: Option<f64>, best: Option<MoveCode>) -> Fate {
        if let Some(why) = frame.why {
            return why;
        }
        let worths = &self.worths[frame.worths_from..];
        let score = |own| self.pen.values.score(own, frame.ply);
        let few = |count: u32| count.min(255) as u8;
        let (alpha, beta) = self.window_of(frame);
        let _ = alpha;
        // The last search of a move decides, and the first of equal moves.
        let top = worths.iter().rev().max_by(|a, b| a.own.total_cmp(&b.own));
        let reached = |own: f64| frame.beta.is_some_and(|beta| own >= beta);
        match (top, frame.stand, own) {
            (Some(top), _, _) if reached(top.own) => Fate::BetaCutoff {
                by: best.unwrap_or(top.code),
                value: score(top.own),
                beta,
                searched: few(frame.searched),
            },
            (_, Some(stand), _) if reached(stand) => Fate::StandPat {
                static_value: score(stand),
                beta,
            },
            (Some(top), stand, _) => Fate::Expanded {
                best: match stand.is_some_and(|stand| stand >= top.own) {
                    true => best.unwrap_or(MoveCode::NONE),
                    false => best.unwrap_or(top.code),
                },
                searched: few(frame.searched),
                skipped: 0,
                moves: few(frame.moves.unwrap_or(0)),
                margin: 0,
            },
            (None, Some(stand), _) => Fate::Horizon {
                static_value: score(stand),
            },
            (None, None, _) => match frame.static_value {
                Some(static_value) if own.map(score) == Some(static_value) => {
                    Fate::Horizon { static_value }
                }
                _ => Fate::Told {
                    reason: super::reasons::untold(),
                    numbers: 0,
                },
            },
        }
    }

    fn write(
        &mut self,
        frame: &Frame,
        own: Option<f64>,
        score: Option<Score>,
        bound: Bound,
        fate: Fate,
    ) {
        let tree = self.pen.tree;
        let node = tree.node(frame.node);
        let (alpha, beta) = self.window_of(frame);
        let before = node.window();
        node.set_window(Window {
            alpha,
            beta,
            depth: frame.plies(),
            value: score.unwrap_or(before.value),
            bound,
        });
        tree.set_wide(frame.node, own.and_then(|own| self.pen.values.wide(own)));
        let (static_before, _) = node.static_and_iteration();
        let static_value = frame.static_value.or(static_before);
        node.set_static_and_iteration(static_value, self.iteration_byte(), false);
        let below = self.pen.worker.nodes() - frame.nodes_before;
        node.set_nodes(node.nodes() + below + frame.left_out);
        node.set_visits(node.visits() + 1);
        node.set_fate(fate);
    }

    /// Notes whether the value follows from the moves.
    fn explain(&self, frame: &Frame, own: Option<f64>, gives: Option<f64>) {
        let is_open = frame.why.is_none() && frame.kind != Kind::Trial && frame.left_out == 0;
        let follows = match (own, gives) {
            (Some(own), Some(gives)) if is_open => {
                let expected = match self.pen.values.spec().fail {
                    Fail::Soft => gives,
                    Fail::Hard => frame.clamped(gives),
                };
                own == expected
            }
            _ => true,
        };
        let found = own.filter(|_| !follows).map(|own| Unexplained {
            left: self.pen.values.in_unit(own),
            gives: gives.map(|gives| self.pen.values.in_unit(gives)),
        });
        self.pen.tree.set_unexplained(frame.node, found);
    }

    /// Closes nodes as interrupted until so many are open.
    fn close_to(&mut self, open: usize) {
        while self
            .frames
            .iter()
            .filter(|frame| frame.kind != Kind::Trial)
            .count()
            > open
        {
            self.interrupt();
        }
    }

    /// Closes nodes as interrupted until the innermost one is at this ply.
    fn close_to_ply(&mut self, ply: usize) {
        while self
            .frames
            .iter()
            .filter(|frame| frame.kind == Kind::Move)
            .count()
            > ply
        {
            self.interrupt();
        }
    }

    /// Whether a record is about nodes that are too deep to be shown, now that as many are open as can be.
    fn is_too_deep(&mut self, record: &Record) -> bool {
        match record {
            // Nodes are closed down to a place that is shown.
            Record::Enter { ply: Some(ply), .. } => {
                let moves = self.frames.iter().filter(|frame| frame.kind == Kind::Move);
                let is_inside = usize::from(*ply) <= moves.count();
                if is_inside {
                    self.deeper = 0;
                }
                !is_inside
            }
            Record::Unwind { open } => {
                let kept = self.frames.iter().filter(|frame| frame.kind != Kind::Trial);
                let is_inside = *open as usize <= kept.count();
                if is_inside {
                    self.deeper = 0;
                }
                !is_inside
            }
            Record::Iteration { .. }
            | Record::IterationDone { .. }
            | Record::Pass { .. }
            | Record::End(_) => {
                self.deeper = 0;
                false
            }
            Record::Enter { .. } | Record::Try(_) => true,
            _ => self.deeper > 0,
        }
    }

    /// Counts what is too deep to be shown.
    fn count_deeper(&mut self, record: &Record) -> Result<(), Interrupt> {
        match record {
            Record::Enter { .. } | Record::Try(_) => self.deeper = self.deeper.saturating_add(1),
            Record::Leave { .. } | Record::Tried { .. } => self.deeper -= 1,
            _ => {}
        }
        if let Record::Enter { m, .. } = record
            && !m.is_none()
        {
            self.pen.worker.count_node()?;
        }
        if record.is_event() {
            self.told(What::Unused);
        }
        Ok(())
    }

    fn interrupt(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.worths.truncate(frame.worths_from);
        if !frame.node.is_none() {
            self.pen.tree.set_unexplained(frame.node, None);
            let before = self.pen.tree.node(frame.node).window();
            self.write(&frame, None, None, before.bound, Fate::Interrupted);
        }
    }

    fn begin_iteration(&mut self, depth: Option<i16>) {
        self.close_to(0);
        self.settle();
        let plies =
            depth.map(|depth| (depth / self.pen.header.depth_step.max(1) as i16).max(0) as u16);
        self.iteration = plies.unwrap_or(self.iteration + 1);
        self.pass = 0;
        let depth = self.iteration;
        self.pen.emit(|_| Event::Iteration { depth });
    }

    fn finish_iteration(&mut self, best: MoveId, value: Option<Value>, depth: Option<i16>) {
        self.close_to(0);
        if let Some(depth) = depth {
            self.iteration = (depth / self.pen.header.depth_step.max(1) as i16).max(0) as u16;
        }
        if !best.is_none() {
            self.best = self.root_code(best);
        }
        if let Some(own) = self.own_here(value) {
            self.score = self.score_here(own);
        }
        self.name_best();
        self.settle();
        let (depth, best, score) = (self.iteration, self.best, self.score);
        self.pen
            .emit(|_| Event::IterationDone { depth, best, score });
    }

    /// The root's best move is the one that the program names.
    fn name_best(&self) {
        let root = self.pen.tree.node(Tree::ROOT);
        if let Fate::Expanded {
            searched,
            skipped,
            moves,
            margin,
            ..
        } = root.fate()
        {
            root.set_fate(Fate::Expanded {
                best: self.best,
                searched,
                skipped,
                moves,
                margin,
            });
        }
    }

    /// Keeps the root and its moves as an iteration has left them, once.
    fn settle(&mut self) {
        if !std::mem::take(&mut self.whole) {
            return;
        }
        self.finished = self.iteration;
        self.pen.worker.publish();
        self.pen.tree.finish_step(self.iteration_byte(), None);
        let control = self.pen.worker.control();
        control.finish_iteration(self.iteration, self.best, self.score, Vec::new());
    }

    fn begin_pass(&mut self, window: ToldWindow) {
        self.close_to(0);
        self.pass += 1;
        let sides = self.place().sides;
        let values = &self.pen.values;
        let end = |end: Option<Value>, open| values.end(end.map(|e| values.own(e, sides)), 0, open);
        let (mut low, mut high) = (window.alpha, window.beta);
        if values.turns(sides) {
            std::mem::swap(&mut low, &mut high);
        }
        let (number, alpha, beta) = (self.pass, end(low, Score::MIN), end(high, Score::MAX));
        self.pen.emit(|_| Event::Pass {
            number,
            alpha,
            beta,
        });
    }

    fn finish_pass(&mut self, value: Option<Value>) {
        let score = self.own_here(value).map(|own| self.score_here(own));
        let window = self.pen.tree.node(Tree::ROOT).window();
        let low = match window.bound {
            Bound::Upper => Score::MIN,
            _ => score.unwrap_or(Score::MIN),
        };
        let high = match window.bound {
            Bound::Lower => Score::MAX,
            _ => score.unwrap_or(Score::MAX),
        };
        let number = self.pass;
        self.pen.emit(|_| Event::PassDone { number, low, high });
    }

    fn change_best(&mut self, to: MoveId) {
        let from = self.best;
        self.best = self.root_code(to);
        let to = self.best;
        self.pen.emit(|_| Event::Best { from, to });
    }

    fn skip(&mut self, events: u64, nodes: u64) {
        if let Some(frame) = self.frames.last_mut() {
            frame.left_out = frame.left_out.saturating_add(nodes);
            if !frame.node.is_none() {
                self.pen
                    .tree
                    .add_left_out(frame.node, LeftOut { events, nodes });
            }
        }
        for frame in self.frames.iter_mut().rev().skip(1) {
            frame.left_out = frame.left_out.saturating_add(nodes);
        }
    }

    /// The stream has ended.
    fn end(&mut self) {
        self.close_to(0);
        self.settle();
        self.pen.worker.control().stop(StopReason::Told);
    }
}

fn side_of(side: Option<ToldSide>) -> Option<Side> {
    match side? {
        ToldSide::First => Some(Side::White),
        ToldSide::Second => Some(Side::Black),
        // Nobody's turn counts as that of the side that would have it.
        ToldSide::Chance => None,
    }
}

fn turned_if(turned: bool, bound: ToldBound) -> Bound {
    match (bound, turned) {
        (ToldBound::Exact, _) => Bound::Exact,
        (ToldBound::Lower, false) | (ToldBound::Upper, true) => Bound::Lower,
        (ToldBound::Upper, false) | (ToldBound::Lower, true) => Bound::Upper,
    }
}
