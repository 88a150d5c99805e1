//! The reference: a search of the same position as an assignment asks for it, told as a trace.

use std::io::{self, Write};
use std::sync::Arc;

use algorithms::Algorithm;
use game::{Game, MoveCode, Side, Sided};
use open_trace::{
    Form, Header, MoveId, Names, Record, Reply, SearchStart, Side as ToldSide, Unit, Value,
    ValueSpec, Window, Writer,
};
use search::{AnyPosition, Subject};
use session::{Config, TellError, TraceRequest, tell};

use super::assignment::{Assignment, Kind};
use super::judge::{Leaves, Worth, over};

/// Searches a position as an assignment asks and writes that as a trace: textbook minimax or alpha-beta, which takes the moves in
/// the order of the game's rules, or plyscope's own MCTS.
///
/// # Errors
/// If it cannot be searched or written.
pub fn write<W: Write + Send>(
    assignment: &Assignment,
    root: &Subject,
    halted: impl Fn() -> bool,
    out: W,
) -> io::Result<W> {
    let kind = assignment.kind.ok_or_else(|| {
        io::Error::other("found no algorithm, expected one: a reference is a search by it")
    })?;
    if kind == Kind::Uct {
        let mut config = Config::new(Algorithm::Mcts);
        config.limits.playouts = Some(assignment.simulations.unwrap_or(1_000));
        let request = TraceRequest::default();
        let told = tell(root, &config, &request, halted, out, Form::Lines);
        return told.map_err(|error| match error {
            TellError::Io(error) => error,
            TellError::Fault(fault) => io::Error::other(fault.to_string()),
        });
    }
    let names = Arc::new(Names::default());
    let header = Arc::new(header(kind, assignment, &root.position));
    let writer = Writer::new(out, Form::Lines, header, Arc::clone(&names))?;
    let mut textbook = Textbook {
        task: assignment,
        cuts: kind == Kind::AlphaBeta,
        names,
        writer,
        nodes: 0,
        best: MoveId::NONE,
        halted,
    };
    textbook.begin(root)?;
    let open = [f64::NEG_INFINITY, f64::INFINITY];
    let value = textbook.search(&root.position, MoveId::NONE, open, 0)?;
    textbook.writer.write(
        0,
        &Record::End(Reply {
            nodes: Some(textbook.nodes),
            best: textbook.best,
            value: Value::new(value),
            stopped_by: None,
        }),
    )?;
    textbook.writer.finish()
}

fn header(kind: Kind, task: &Assignment, root: &AnyPosition) -> Header {
    let is_material = task.rules.leaves == Leaves::Material;
    let unit = match is_material {
        true => Unit::Centipawns,
        false => Unit::Named("points".into()),
    };
    // Beside other numbers a win has to be told from them; where there are only results, a win is the greatest value.
    let win = Value::new(task.rules.win()).filter(|_| is_material);
    Header {
        engine: format!("textbook {}", kind.name()).into(),
        game: root.game_name().into(),
        value: ValueSpec {
            unit,
            infinite: Value::MAX,
            win,
            ..ValueSpec::default()
        },
        ..Header::default()
    }
}

/// A search as textbooks have it, which tells what it does.
struct Textbook<'a, W: Write, H> {
    task: &'a Assignment,
    cuts: bool,
    names: Arc<Names>,
    writer: Writer<W>,
    nodes: u64,
    best: MoveId,
    halted: H,
}

impl<W: Write, H: Fn() -> bool> Textbook<'_, W, H> {
    fn begin(&mut self, root: &Subject) -> io::Result<()> {
        let position = &root.position;
        let is_chess = position.as_chess().is_some();
        let start = SearchStart {
            fen: position.fen().filter(|_| is_chess),
            root: position.fen().filter(|_| !is_chess),
            side: Some(match position.turn() {
                Side::White => ToldSide::First,
                Side::Black => ToldSide::Second,
            }),
            ..SearchStart::default()
        };
        self.writer.write(0, &Record::Search(&start))
    }

    /// Returns what a position is worth for its side to move.
    fn search(
        &mut self,
        at: &AnyPosition,
        m: MoveId,
        [alpha, beta]: [f64; 2],
        ply: u32,
    ) -> io::Result<f64> {
        if (self.halted)() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.nodes += 1;
        let window = Window {
            alpha: Value::new(alpha),
            beta: Value::new(beta),
        };
        self.writer.write(
            0,
            &Record::Enter {
                m,
                window: self.cuts.then_some(window),
                depth: None,
                ply: None,
                side: None,
            },
        )?;
        let value = match self.leaf(at, ply)? {
            Some(worth) => worth,
            None => self.best_of(at, [alpha, beta], ply)?,
        };
        self.writer.write(
            0,
            &Record::Leave {
                value: Value::new(value),
                bound: None,
                best: MoveId::NONE,
                nodes: None,
            },
        )?;
        Ok(value)
    }

    /// Returns the value of a leaf; `None` if the search goes on.
    fn leaf(&self, at: &AnyPosition, ply: u32) -> io::Result<Option<f64>> {
        let is_last = self.task.depth.is_some_and(|depth| ply >= depth);
        let worth = match over(at) {
            None if is_last => self.task.rules.leaves.of(at).map(Some).ok_or_else(|| {
                io::Error::other(
                    "found no value of unfinished positions, expected an assignment with leaves = \"zero\" or \"material\", or no depth",
                )
            })?,
            over => over,
        };
        let win = self.task.rules.win();
        Ok(worth.map(|worth| match worth {
            Worth::Number(number) => number,
            Worth::Result(result) => f64::from(result) * win,
        }))
    }

    fn best_of(&mut self, at: &AnyPosition, window: [f64; 2], ply: u32) -> io::Result<f64> {
        let [mut least, most] = window;
        let mut best = f64::NEG_INFINITY;
        for code in at.legal_moves() {
            let name = self.names.intern(&at.uci(code));
            let below = match self.cuts {
                true => [most.turned(), least.turned()],
                false => window,
            };
            let worth = self
                .search(&next(at, code)?, name, below, ply + 1)?
                .turned();
            if worth > best {
                best = worth;
                if ply == 0 {
                    self.best = name;
                }
            }
            least = least.max(best);
            if self.cuts && best >= most {
                break;
            }
        }
        Ok(best)
    }
}

fn next(at: &AnyPosition, code: MoveCode) -> io::Result<AnyPosition> {
    let next = at.after(code);
    next.ok_or_else(|| io::Error::other("a legal move cannot be made"))
}
