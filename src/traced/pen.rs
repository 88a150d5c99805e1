//! What both kinds of search write with: counters, the tree, and those who watch.

use std::sync::Arc;

use super::codes::{Codes, Further, Way};
use super::line::Line;
use super::position::{TracedGame, TracedPosition};
use super::reasons::{MoveNumbers, Reasons};
use super::values::Values;
use eval::Evaluator;
use game::{ChessPosition, Game, MoveCode, Side};
use open_trace::{At, Header, Lent, MoveId, NumberUnit, Told};
use search::{AfterEvent, AnyPosition, Event, Interrupt, Job, Probe, Recorded, Worker};
use tree::{Node, NodeId, Proof, Recorder, Tree};

/// Counts events at least this often apart, so that a pause or a stop is noticed.
const POLL: u64 = 1 << 12;

/// The events for which a program that is watched gets leave at once.
const BLOCK: u64 = 1 << 10;

pub(super) struct Pen<'a, G, P> {
    pub worker: Worker<'a>,
    pub recorder: Recorder<'a>,
    pub tree: &'a Tree,
    pub values: Values,
    pub reasons: Reasons,
    pub header: &'a Header,
    /// The program's units in a ply.
    pub depth_step: i16,
    root: &'a G,
    codes: Codes<'a>,
    /// In games other than chess whose rules plyscope knows.
    line: Option<Line<G>>,
    probe: &'a mut P,
    /// Whether the program has told the end of the search.
    pub ended: bool,
    /// The number of the last event.
    events: u64,
    next_poll: u64,
}

/// The game of a job's position, if plyscope knows no more of it than the names of its moves.
fn traced_game<G: Game>(position: &G) -> Option<&Arc<TracedGame>> {
    let position = position as &dyn std::any::Any;
    let any = position.downcast_ref::<AnyPosition>();
    let traced = any.and_then(AnyPosition::downcast_ref::<TracedPosition>);
    let traced = traced.or_else(|| position.downcast_ref());
    traced.map(TracedPosition::game)
}

impl<'a, G: Game, P: Probe> Pen<'a, G, P> {
    pub fn new<E: Evaluator<G>>(
        job: &Job<'a, G, E>,
        recorded: &'a dyn Recorded,
        probe: &'a mut P,
    ) -> Self {
        let root = &job.situation.position;
        let header = recorded.header();
        let further: Option<&Further> = traced_game(root).map(|game| &game.further);
        let reasons = Reasons::new(header);
        for (n, reason) in reasons.all() {
            job.tree
                .name_move(MoveCode::trial(n), &Arc::from(&*reason.name));
        }
        job.tree.name_move(MoveCode::trial(0), &Arc::from("a rule"));
        job.tree
            .name_move(MoveCode::SAME, &Arc::from("same position"));
        Pen {
            worker: Worker::new(job.control, 0),
            recorder: Recorder::new(job.tree),
            tree: job.tree,
            values: Values::of(header, root),
            reasons,
            header,
            depth_step: header.depth_step.max(1) as i16,
            root,
            codes: Codes::new(recorded.names(), further),
            line: (further.is_none() && chess(root).is_none()).then(|| Line::new(root.clone())),
            probe,
            ended: false,
            events: 0,
            next_poll: POLL,
        }
    }

    /// Up to which event the program may go on by itself.
    pub fn leave(&self) -> Option<u64> {
        let watched = P::ACTIVE && self.probe.wants_any_of(BLOCK);
        watched.then(|| (self.events / BLOCK + 1) * BLOCK)
    }

    /// Counts the events that were left out before a record, and looks now and then whether the search shall pause or stop.
    ///
    /// # Errors
    /// [`Interrupt`] if it was stopped.
    #[inline]
    pub fn come_to(&mut self, at: At, is_event: bool) -> Result<(), Interrupt> {
        let before = at.event - u64::from(is_event && at.event > 0);
        if before > self.events {
            self.probe.count_unseen(before - self.events);
            self.events = before;
        }
        if is_event {
            self.events += 1;
            if self.events >= self.next_poll {
                self.next_poll = self.events + POLL;
                self.worker.poll()?;
            }
        }
        Ok(())
    }

    /// Reports the event that a record is.
    #[inline]
    pub fn emit(&mut self, event: impl FnOnce(&Tree) -> Event) {
        if P::ACTIVE && self.probe.wants() {
            let event = event(self.tree);
            self.report(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn report(&mut self, event: Event) {
        self.worker.publish();
        if self.probe.event(event) == AfterEvent::Hold {
            let probe = &self.probe;
            self.worker.hold(|| probe.holds());
        }
    }

    /// The side to move at the root.
    pub fn turn(&self) -> Side {
        self.root.turn()
    }

    /// The way on which nothing was played yet.
    pub fn way(&self) -> Way {
        Way::root(chess(self.root))
    }

    /// Whether plyscope knows the rules of the game.
    pub fn has_rules(&self) -> bool {
        !self.codes.are_all_that_is_known()
    }

    /// Returns the code of a move; `way` leads to its parent, whose node is `parent`, if it is in the tree.
    #[inline]
    pub fn code(&mut self, id: MoveId, way: Way, parent: NodeId) -> MoveCode {
        if id.is_none() {
            return MoveCode::NONE;
        }
        let tree = self.tree;
        let strange = |code, name: &str| tree.name_move(code, &Arc::from(name));
        match &mut self.line {
            None => self.codes.code(id, way, strange),
            Some(line) => line
                .code(self.codes.name(id), way, (tree, parent))
                .unwrap_or_else(|| self.codes.strange(id, strange)),
        }
    }

    /// The codes of the moves among a reason's numbers; `way` leads to the node whose moves they are.
    pub fn move_numbers(&mut self, way: Way, node: NodeId, why: &Told) -> MoveNumbers {
        let mut codes = [None; 2];
        let known = self.reasons.get(why.reason);
        if !known.is_some_and(|reason| reason.has_moves) {
            return codes;
        }
        let Some(reason) = self.header.reason(why.reason) else {
            return codes;
        };
        let numbers = reason.numbers.iter().zip(why.numbers);
        let moves = numbers.filter(|(number, _)| number.unit == NumberUnit::Move);
        let ids = moves.filter_map(|(_, id)| Some(MoveId((*id)? as u32)));
        for (place, id) in codes.iter_mut().zip(ids) {
            *place = Some((id, self.code(id, way, node)));
        }
        codes
    }

    /// Returns the node of a move.
    #[inline]
    pub fn child(&mut self, parent: NodeId, after: NodeId, m: MoveCode, ply: u16) -> NodeId {
        if m == MoveCode::NONE {
            return NodeId::NONE;
        }
        let child = self.recorder.child(parent, after, m, ply);
        if child.is_none() {
            self.worker.unrecorded = self.recorder.unrecorded;
        }
        child
    }
}

/// Tightens a node's proven bounds, and returns what they are then. Bounds that contradict those known replace them.
pub(super) fn prove(node: &Node, proof: Proof) -> Proof {
    let both = node.proof().and(proof);
    match both.lower <= both.upper {
        true => _ = node.tighten(proof),
        false => node.set_proof(proof),
    }
    node.proof()
}

/// Takes up every record until the search is over, or stopped.
pub(super) fn read<'a, G: Game, P: Probe + 'a, R: Reads<'a, G, P>>(
    reads: &mut R,
    recorded: &dyn Recorded,
) -> Result<(), Interrupt> {
    let Some(mut reader) = recorded.reader() else {
        return Ok(());
    };
    /// How often nothing may come after the program has said elsewhere that its search is over: some tenths of a second.
    const LATE: u32 = 15;
    let (mut allowed, mut nothing) = (Some(0), 0);
    while !reader.is_over() {
        // The program needs leave only where there is no record at hand.
        let leave = reads.pen().leave();
        if leave != allowed {
            allowed = leave;
            recorded.allow(leave);
        }
        match reader.advance() {
            Ok(Some(at)) => {
                nothing = 0;
                reads.take(at, reader.lent())?;
            }
            Ok(None) => {
                reads.pen().worker.poll()?;
                nothing += u32::from(recorded.is_over());
                if nothing >= LATE || nothing > 0 && reads.pen().ended {
                    break;
                }
            }
            Err(_) => break,
        }
        reader.run(|at, record| reads.take(at, record))?;
    }
    Ok(())
}

/// What grows a tree from records.
pub(super) trait Reads<'a, G: Game, P: Probe + 'a> {
    fn pen(&mut self) -> &mut Pen<'a, G, P>;

    /// Takes up a record; reports one event for each that is one.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped.
    fn record(&mut self, record: &open_trace::Record) -> Result<(), Interrupt>;

    /// Counts a record and takes it up.
    ///
    /// # Errors
    /// [`Interrupt`] if the search was stopped.
    #[inline]
    fn take(&mut self, at: At, record: Lent) -> Result<(), Interrupt> {
        self.pen().come_to(at, record.is_event())?;
        self.record(&record.record())
    }
}

/// The position as one of chess, if it is that.
fn chess<G: Game>(position: &G) -> Option<&ChessPosition> {
    let position = position as &dyn std::any::Any;
    let any = position.downcast_ref::<AnyPosition>();
    position
        .downcast_ref()
        .or(any.and_then(AnyPosition::as_chess))
}
