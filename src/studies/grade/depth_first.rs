//! Checks a minimax or an alpha-beta search from its own trace: the student's order of moves is replayed, so that the right
//! windows, values and cuts are those that follow from it.
//!
//! Nothing here is shared with plyscope's own searches. Every fault is judged by the values that the search itself has told
//! for the moves below, so that one mistake is told once and not at every node above it.

mod answer;
mod node;

use game::{Game, MoveCode, Moves, Side, Sided};
use open_trace::{MoveId, Names, Record, Value, Window};
use search::AnyPosition;

use super::assignment::{Assignment, Kind, Ties};
use super::check::{Check, Found, Ledger};
use super::fault::{Fault, names};
use super::judge::{Judge, Sides, Worth, over};
use super::whole::Ending;

/// An open node. Values are those of its side to move.
struct Open {
    m: MoveId,
    /// The move, if it is legal.
    code: Option<MoveCode>,
    side: Side,
    /// `None` behind a move that the position does not have.
    at: Option<At>,
    /// The window that follows, as numbers of which infinite ones are open.
    alpha: f64,
    beta: f64,
    /// What the best move was worth so far, and which it is.
    best: f64,
    best_move: MoveId,
    cut: Cut,
    /// The moves searched: name, code and worth.
    searched: Vec<(MoveId, Option<MoveCode>, Option<f64>)>,
    /// The same position, entered again.
    is_aside: bool,
}

/// A position on the way.
struct At {
    position: AnyPosition,
    over: Option<Worth>,
    legal: Moves<MoveCode>,
}

/// Whether what is left of a node's moves is cut off.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    No,
    May,
    Must(MoveId),
}

/// What a search has done, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves searched, and the root.
    pub nodes: u64,
    pub leaves: u64,
    /// Nodes at which moves were cut off.
    pub cutoffs: u64,
    pub simulations: u64,
}

pub(super) struct DepthFirst<'a> {
    kind: Kind,
    task: &'a Assignment,
    judge: Judge,
    names: &'a Names,
    root: AnyPosition,
    open: Vec<Open>,
    /// The depth of the present iteration, where the program tells it.
    iteration: Option<u32>,
    /// That of the last search of the root.
    searched_to: Option<u32>,
    depth_step: u32,
    /// Where the root's window ends: such values are open further down too.
    widest: f64,
    told_best: MoveId,
    told_value: Option<Value>,
    root_value: Option<f64>,
    root_moves: Vec<(MoveId, Option<MoveCode>, Option<f64>)>,
    is_cut_short: bool,
    has_told_windows: bool,
    /// The first node that seems not to have been left. It was not if nodes remain open; otherwise the search made a wrong move there.
    not_left: Option<(u64, Found)>,
    pub counts: Counts,
}

impl<'a> DepthFirst<'a> {
    pub fn new(
        (kind, task): (Kind, &'a Assignment),
        judge: Judge,
        names: &'a Names,
        root: &AnyPosition,
        depth_step: u16,
    ) -> DepthFirst<'a> {
        DepthFirst {
            kind,
            task,
            judge,
            names,
            root: root.clone(),
            open: Vec::new(),
            iteration: None,
            searched_to: None,
            depth_step: u32::from(depth_step.max(1)),
            widest: f64::INFINITY,
            told_best: MoveId::NONE,
            told_value: None,
            root_value: None,
            root_moves: Vec::new(),
            is_cut_short: false,
            has_told_windows: false,
            not_left: None,
            counts: Counts::default(),
        }
    }

    /// Takes up the next record.
    pub fn take(&mut self, event: u64, record: &Record, ledger: &mut Ledger) {
        match *record {
            Record::Iteration { depth } => {
                self.interrupt(event, 0, ledger);
                self.iteration = depth.and_then(|depth| u32::try_from(depth).ok());
            }
            Record::IterationDone { best, value, .. } => {
                self.interrupt(event, 0, ledger);
                self.answer(best, value);
            }
            Record::End(reply) => {
                self.interrupt(event, 0, ledger);
                self.answer(reply.best, reply.value);
            }
            Record::Enter {
                m,
                window,
                depth,
                ply,
                side,
            } => {
                if let Some(ply) = ply {
                    let open = usize::from(ply) + usize::from(m.is_none());
                    self.interrupt(event, open, ledger);
                }
                self.enter(event, (m, window, depth, side), ledger);
            }
            Record::Leave { value, .. } => self.leave(event, value, ledger),
            Record::Unwind { open } => self.interrupt(event, open as usize, ledger),
            _ => {}
        }
    }

    fn answer(&mut self, best: MoveId, value: Option<Value>) {
        if !best.is_none() {
            self.told_best = best;
        }
        self.told_value = value.or(self.told_value);
    }

    /// Closes what was not left, down to so many nodes.
    fn interrupt(&mut self, event: u64, open: usize, ledger: &mut Ledger) {
        if self.open.len() <= open {
            return;
        }
        let left = self.open.len() - open;
        self.is_cut_short = true;
        let found = self.not_left.take();
        let (event, found) = found.unwrap_or_else(|| {
            let unfinished = Fault::Unfinished { open: left };
            (event, (self.line(), unfinished))
        });
        ledger.wrong(Check::Trace, event, || found);
        self.open.truncate(open);
    }

    /// The moves to the innermost node.
    fn line(&self) -> Vec<String> {
        let moves = self.open.iter().filter(|open| !open.m.is_none());
        moves.map(|open| self.name(open.m)).collect()
    }

    fn name(&self, m: MoveId) -> String {
        self.names.text(m).to_owned()
    }

    fn sides(&self, at: usize) -> Sides {
        Sides {
            node: self.open[at].side,
            parent: at.checked_sub(1).map(|parent| self.open[parent].side),
        }
    }

    /// The plies from the root to the innermost node.
    fn ply(&self) -> u32 {
        let moves = self.open.iter().filter(|open| !open.m.is_none());
        moves.count() as u32
    }

    /// How deep the present search of the root may go.
    fn depth(&self) -> Option<u32> {
        match (self.iteration, self.task.depth) {
            (Some(iteration), Some(depth)) => Some(iteration.min(depth)),
            (iteration, depth) => depth.or(iteration).or(self.told_depth()),
        }
    }

    /// The depth that the program tells at the root. An assignment says itself how deep a search has to go.
    fn told_depth(&self) -> Option<u32> {
        self.searched_to.filter(|_| !self.task.is_strict)
    }

    fn enter(
        &mut self,
        event: u64,
        (m, window, depth, side): (
            MoveId,
            Option<Window>,
            Option<i16>,
            Option<open_trace::Side>,
        ),
        ledger: &mut Ledger,
    ) {
        self.has_told_windows |= window.is_some();
        if self.open.is_empty() {
            self.enter_root(window, depth);
            return self.judge_root(event, m, window, ledger);
        }
        let parent = &self.open[self.open.len() - 1];
        if m.is_none() {
            let aside = Open {
                m,
                at: None,
                is_aside: true,
                searched: Vec::new(),
                ..*parent
            };
            self.open.push(aside);
            return;
        }
        self.counts.nodes += 1;
        let side = match side {
            Some(open_trace::Side::First) => Side::White,
            Some(open_trace::Side::Second) => Side::Black,
            _ => parent.side.other(),
        };
        let code = self.judge_move(event, m, ledger);
        self.look_for_a_missing_leave(event, m, code.is_some());
        let parent = &self.open[self.open.len() - 1];
        let next = parent.at.as_ref().zip(code);
        let next = next.and_then(|(at, code)| at.position.after(code));
        let alpha = parent.alpha.max(parent.best);
        let (alpha, beta) = match self.kind {
            Kind::AlphaBeta => (parent.beta.turned(), alpha.turned()),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        self.open.push(Open {
            m,
            code,
            side,
            at: next.map(At::of),
            alpha,
            beta,
            best: f64::NEG_INFINITY,
            best_move: MoveId::NONE,
            cut: Cut::No,
            searched: Vec::new(),
            is_aside: false,
        });
        if self.kind == Kind::AlphaBeta
            && let Some(window) = window
        {
            self.judge_window(event, window, ledger);
        }
    }

    fn enter_root(&mut self, window: Option<Window>, depth: Option<i16>) {
        self.counts = Counts {
            nodes: 1,
            ..Counts::default()
        };
        let told = depth.and_then(|depth| u32::try_from(depth).ok());
        self.searched_to = told.map(|depth| depth / self.depth_step);
        let ends = window.map(|window| [window.alpha, window.beta]);
        let ends = ends.into_iter().flatten().flatten();
        self.widest = ends
            .map(|end| end.get().abs())
            .fold(f64::INFINITY, f64::min);
        let turn = self.root.turn();
        self.open.push(Open {
            m: MoveId::NONE,
            code: None,
            side: turn,
            at: Some(At::of(self.root.clone())),
            alpha: f64::NEG_INFINITY,
            beta: f64::INFINITY,
            best: f64::NEG_INFINITY,
            best_move: MoveId::NONE,
            cut: Cut::No,
            searched: Vec::new(),
            is_aside: false,
        });
    }

    /// Whether a move may be searched at the innermost node. Returns it if it is legal.
    fn judge_move(&self, event: u64, m: MoveId, ledger: &mut Ledger) -> Option<MoveCode> {
        let node = self.open.last()?;
        let at = node.at.as_ref()?;
        let name = self.names.text(m);
        let found = |fault: Fault| -> Found { (self.line(), fault) };
        let told = || name.to_owned();
        if at.over.is_some() {
            ledger.wrong(Check::Leaves, event, || {
                found(Fault::BeyondEnd { m: told() })
            });
            return None;
        }
        let depth = self.depth();
        if let Some(depth) = depth.filter(|&depth| self.ply() >= depth) {
            ledger.wrong(Check::Leaves, event, || {
                found(Fault::TooDeep { m: told(), depth })
            });
        }
        let code = traced::named(&at.position, &at.legal, name);
        let is_twice = node.searched.iter().any(|known| known.0 == m);
        let fault = match code {
            None => Some(Fault::Illegal {
                m: told(),
                legal: names(&at.position, &at.legal),
            }),
            Some(_) if is_twice => Some(Fault::Twice { m: told() }),
            Some(_) => None,
        };
        ledger.note(Check::Moves, event, fault.map(|fault| || found(fault)));
        if self.kind == Kind::AlphaBeta {
            let sides = self.sides(self.open.len() - 1);
            let fault = match node.cut {
                Cut::Must(by) => Some(Fault::Uncut {
                    m: told(),
                    by: self.name(by),
                    worth: self.judge.told(node.best, sides),
                    bound: self.judge.told(node.beta, sides),
                }),
                _ => None,
            };
            ledger.note(Check::Cuts, event, fault.map(|fault| || found(fault)));
        }
        code
    }

    fn leave(&mut self, event: u64, value: Option<Value>, ledger: &mut Ledger) {
        let Some(at) = self.open.len().checked_sub(1) else {
            return ledger.wrong(Check::Trace, event, || (Vec::new(), Fault::NoneOpen));
        };
        let own = value.map(|value| self.judge.own(value, self.sides(at)));
        if !self.open[at].is_aside {
            self.judge_node(event, own, ledger);
        }
        let Some(node) = self.open.pop() else {
            return;
        };
        if self.open.is_empty() {
            self.root_value = own;
            self.root_moves = node.searched;
            return;
        }
        if node.is_aside {
            return;
        }
        let worth = own.map(|own| self.judge.one_ply_up(own));
        let ties = self.task.rules.ties;
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        parent.searched.push((node.m, node.code, worth));
        let Some(worth) = worth else {
            return;
        };
        if worth > parent.best {
            (parent.best, parent.best_move) = (worth, node.m);
        }
        let was_open = parent.cut == Cut::No;
        parent.cut = match parent.cut {
            Cut::Must(by) => Cut::Must(by),
            _ if worth > parent.beta => Cut::Must(node.m),
            _ if worth == parent.beta && ties == Ties::Cut => Cut::Must(node.m),
            _ if worth == parent.beta && ties == Ties::Either => Cut::May,
            before => before,
        };
        self.counts.cutoffs += u64::from(was_open && parent.cut != Cut::No);
    }
}

impl At {
    fn of(position: AnyPosition) -> At {
        let over = over(&position);
        let legal = match over {
            Some(_) => Moves::new(),
            None => position.legal_moves(),
        };
        At {
            position,
            over,
            legal,
        }
    }
}
