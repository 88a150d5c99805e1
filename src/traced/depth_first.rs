//! Grows a tree from nodes that are entered and left.

mod close;
mod course;
mod frame;
mod leave;
mod told;

use std::sync::Arc;

use super::codes::Way;
use super::pen::{Pen, Reads, read};
use super::reasons::Place;
use super::values::Sides;
use eval::Evaluator;
use frame::{Frame, Kind, Worth};
use game::{Game, MoveCode, Score, Side};
use open_trace::{
    Bound as ToldBound, Class, Distance, Fail, MoveId, Record, Side as ToldSide, Told, Trials,
    Value, Window as ToldWindow,
};
use search::{Event, Interrupt, Job, Probe, Recorded, RootLine, Start, StopReason, Told as What};
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
                value,
                bound,
                best,
                nodes,
            } => self.leave(value, bound, best, nodes),
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
                self.pen.ended = true;
                self.close_to(0);
                if !reply.best.is_none() {
                    self.best = self.root_code(reply.best);
                }
                self.told(What::End);
            }
            Record::Skip { nodes, events } => self.skip(events, nodes),
            Record::Prove {
                lower,
                upper,
                plies,
                ..
            } => self.prove(lower, upper, plies),
            Record::Note(text) => {
                if let Some(node) = self.here() {
                    self.pen.tree.note(node, &Arc::from(text));
                }
            }
            Record::Render(text) => {
                let node = self.here().unwrap_or(Tree::ROOT);
                self.pen.tree.draw_position(node, &Arc::from(text));
            }
            Record::Key(key) => {
                if let Some(node) = self.here() {
                    self.pen.tree.set_told_key(node, key);
                }
            }
            Record::Search(_) | Record::Mark { .. } => {}
            // They belong to best-first searches.
            Record::Expand { .. }
            | Record::Visit { .. }
            | Record::Update { .. }
            | Record::At { .. }
            | Record::Edge { .. } => self.told(What::Unused),
        }
        Ok(())
    }
}

impl<G: Game, P: Probe> Search<'_, G, P> {
    /// The innermost open node, if it is in the tree.
    #[inline]
    fn here(&self) -> Option<NodeId> {
        let frame = self.frames.last()?;
        (!frame.node.is_none()).then_some(frame.node)
    }

    /// The innermost open node in an event: the root before there is one.
    #[inline]
    fn at(&self) -> NodeId {
        self.frames.last().map_or(Tree::ROOT, |frame| frame.node)
    }

    fn told(&mut self, what: What) {
        let node = self.at();
        self.pen.emit(|_| Event::Told { node, what });
    }

    /// Whose views the values of the innermost open node can have, and how far it is from the root.
    #[inline]
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

    /// The way to an open node.
    #[inline]
    fn way_at(&self, at: usize) -> Way {
        match self.frames.get(at) {
            Some(frame) => frame.way,
            None => self.pen.way(),
        }
    }

    #[inline]
    fn code_below(&mut self, at: usize, id: MoveId) -> MoveCode {
        let way = self.way_at(at);
        let parent = self.frames.get(at).map_or(Tree::ROOT, |frame| frame.node);
        self.pen.code(id, way, parent)
    }

    fn root_code(&mut self, id: MoveId) -> MoveCode {
        let way = self.pen.way();
        self.pen.code(id, way, Tree::ROOT)
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
        if self.frames.is_empty() {
            let mut root = Frame::root(self.pen.turn(), self.pen.way());
            root.nodes_before = self.pen.worker.nodes();
            if m.is_none() {
                self.open(root, window, depth);
                return Ok(());
            }
            // A program need not enter the root.
            root.why = Some(Fate::Unvisited);
            self.frames.push(root);
        }
        let parent = self.frames.len() - 1;
        let (kind, code) = match m.is_none() {
            true => (Kind::Same, MoveCode::SAME),
            false => (Kind::Move, self.code_below(parent, m)),
        };
        let from = &mut self.frames[parent];
        let mut frame = Frame::below(from, kind, m, code, side_of(side));
        let node = self
            .pen
            .child(from.node, from.last_child, code, frame.tree_ply);
        frame.node = node;
        if !node.is_none() {
            from.last_child = node;
            let node = self.pen.recorder.node(node, frame.tree_ply);
            self.pen.tree.prefetch_around(node);
            if frame.side == from.side {
                self.pen.tree.set_same_side(node);
            }
            let again = || {
                let mut searched = from.worths(&self.worths).iter();
                from.may_have_searched(m) && searched.any(|worth| worth.m == m)
            };
            frame.note_change(node, change, again);
        }
        frame.nodes_before = self.pen.worker.nodes();
        if kind == Kind::Move {
            self.pen.worker.count_node()?;
        }
        self.open(frame, window, depth);
        Ok(())
    }

    #[inline]
    fn open(&mut self, mut frame: Frame, window: Option<ToldWindow>, depth: Option<i16>) {
        // One in which no value lies says nothing.
        if let Some(window) = window.filter(|window| !window.is_empty()) {
            let sides = frame.place().sides;
            let values = &self.pen.values;
            let own = |end: Option<Value>| end.map(|end| values.own(end, sides));
            let (alpha, beta) = match values.turns(sides) {
                true => (own(window.beta), own(window.alpha)),
                false => (own(window.alpha), own(window.beta)),
            };
            frame.alpha = alpha.unwrap_or(f64::NEG_INFINITY);
            frame.beta = beta.unwrap_or(f64::INFINITY);
            frame.window = (
                values.end(alpha, frame.ply, Score::MIN),
                values.end(beta, frame.ply, Score::MAX),
            );
        }
        frame.depth = match (depth, self.pen.depth_step) {
            (None, _) => i16::from(Window::UNTOLD),
            (Some(depth), 1) => depth,
            (Some(depth), step) => depth.div_euclid(step),
        };
        frame.worths_from = self.worths.len() as u32;
        let selective = &mut self.pen.worker.selective_depth;
        *selective = (*selective).max(frame.ply);
        if !frame.node.is_none() {
            let node = self.pen.recorder.node(frame.node, frame.tree_ply);
            self.pen.tree.forget_later(node);
        }
        let (alpha, beta) = frame.window;
        let (node, depth) = (frame.node, frame.plies());
        self.frames.push(frame);
        self.pen.emit(|_| Event::Enter {
            node,
            alpha,
            beta,
            depth,
        });
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

    #[inline]
    fn own_here(&self, value: Option<Value>) -> Option<f64> {
        let sides = self.place().sides;
        value.map(|value| self.pen.values.own(value, sides))
    }

    #[inline]
    fn score_here(&self, own: f64) -> Score {
        self.pen.values.score(own, self.place().ply)
    }

    fn stand(&mut self, value: Option<Value>) {
        let own = self.own_here(value);
        let score = own.map(|own| self.score_here(own));
        if let Some(frame) = self.frames.last_mut() {
            if let Some(own) = own {
                frame.set_stand(own);
            }
            frame.static_value = score.or(frame.static_value);
        }
        self.told(What::Stand { value: score });
    }

    #[inline]
    fn set_worth(&mut self, at: usize, m: MoveId, code: MoveCode, own: f64) {
        let frame = &mut self.frames[at];
        if frame.may_have_searched(m) {
            let mut known = self.worths[frame.worths_from as usize..].iter_mut().rev();
            if let Some(worth) = known.find(|worth| worth.m == m) {
                worth.own = own;
                return;
            }
        }
        self.worths.push(Worth { m, code, own });
        frame.note_searched(m);
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
