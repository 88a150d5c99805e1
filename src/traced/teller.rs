//! Tells a search of plyscope's own as an open trace: what this crate reads, written.
//!
//! A depth-first search is told event by event. Of a best-first one the figures of the nodes are told as they change, because
//! they follow from rules that are not those of the trace. The table of what has no place in a trace is in the documentation
//! of the format; a test holds both to it.

mod best_first;
mod depth_first;
mod reasons;
mod values;

use std::io::{self, Write};
use std::sync::Arc;

use game::{Game, MoveCode, Side};
use open_trace::{
    Backup, Form, Header, MoveId, Names, Order, Record, Reply, SearchStart, Side as ToldSide, Told,
    Trials, Writer,
};
use search::algorithm::AlgorithmInfo;
use search::{AnyPosition, Event, Subject};
use tree::{Family, Fate, NodeId, Tree};

use reasons::Declared;
use values::ToldValues;

/// What is told of a search before its first event.
pub struct Introduction<'a> {
    pub subject: &'a Subject,
    pub algorithm: &'static AlgorithmInfo,
    /// The program's name and version, with what distinguishes the search.
    pub engine: String,
    pub limits: Option<String>,
    /// The options, with their values.
    pub options: Vec<(String, String)>,
    pub seed: Option<String>,
    /// Mean and spread of what is believed of a node, where the algorithm keeps them elsewhere than in a belief.
    pub moments: Moments<'a>,
}

/// See [`search::algorithm::Implementation::moments`].
pub type Moments<'a> = &'a (dyn Fn(&Tree, NodeId) -> Option<(f32, f32)> + Sync);

/// Writes a search as it happens.
pub struct Teller<'a, W: Write> {
    quill: Quill<W>,
    by: By<'a>,
}

enum By<'a> {
    DepthFirst(depth_first::DepthFirst),
    BestFirst(Box<best_first::BestFirst<'a>>),
}

impl<'a, W: Write> Teller<'a, W> {
    /// Begins a stream with its header and the search's start.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W, form: Form, of: &Introduction<'a>) -> io::Result<Self> {
        let root = &of.subject.position;
        let family = of.algorithm.family;
        let values = ToldValues::new(root.scale(), family);
        let declared = Declared::new();
        let header = Header {
            engine: of.engine.as_str().into(),
            game: root.game_name().into(),
            order: match family {
                Family::DepthFirst => Order::DepthFirst,
                Family::BestFirst => Order::BestFirst,
            },
            value: values.spec().clone(),
            backup: match family {
                Family::DepthFirst => Backup::default(),
                Family::BestFirst => Backup::None,
            },
            trials: Trials::Among,
            reasons: declared.reasons().to_vec(),
            ..Header::default()
        };
        let names = Arc::new(Names::default());
        let writer = Writer::new(out, form, Arc::new(header), Arc::clone(&names))?;
        let mut quill = Quill {
            writer,
            names,
            values,
            declared,
        };
        quill.write(&Record::Search(&start(of)))?;
        let by = match family {
            Family::DepthFirst => By::DepthFirst(depth_first::DepthFirst::new(root)),
            Family::BestFirst => {
                By::BestFirst(Box::new(best_first::BestFirst::new(root, of.moments)))
            }
        };
        Ok(Teller { quill, by })
    }

    /// Tells an event, with the tree as it is at that moment.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn event(&mut self, event: &Event, tree: &Tree) -> io::Result<()> {
        match &mut self.by {
            By::DepthFirst(search) => search.event(&mut self.quill, event, tree),
            By::BestFirst(search) => search.event(&mut self.quill, event, tree),
        }
    }

    /// Ends the stream. `nodes` were counted, and `stopped_by` says why there are no more.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(
        mut self,
        tree: &Tree,
        root: &AnyPosition,
        best: MoveCode,
        nodes: u64,
        stopped_by: Option<&str>,
    ) -> io::Result<W> {
        let value = match &mut self.by {
            By::DepthFirst(search) => {
                search.unwind(&mut self.quill)?;
                search.value(&self.quill, tree)
            }
            By::BestFirst(search) => {
                search.tell_all(&mut self.quill, tree)?;
                self.quill.values.expected(tree.node(Tree::ROOT).expected())
            }
        };
        let best = self.quill.name(root, best);
        self.quill.write(&Record::End(Reply {
            nodes: Some(nodes),
            best,
            value,
            stopped_by,
        }))?;
        self.quill.writer.finish()
    }
}

/// The beginning of a search. The game before the root counts, as positions may be repeated.
fn start(of: &Introduction) -> SearchStart {
    let root = &of.subject.position;
    let is_chess = root.as_chess().is_some();
    let played = of.subject.played();
    let mut position = played.start.clone();
    let mut moves = Vec::new();
    let text = played.start.fen();
    for &code in played.moves.iter().filter(|_| text.is_some()) {
        moves.push(position.uci(code));
        position = position.after(code).unwrap_or(position);
    }
    SearchStart {
        fen: text.clone().filter(|_| is_chess),
        root: text.filter(|_| !is_chess),
        moves,
        side: Some(match root.turn() {
            Side::White => ToldSide::First,
            Side::Black => ToldSide::Second,
        }),
        limits: of.limits.clone(),
        options: of.options.clone(),
        seed: of.seed.clone(),
        threads: Some(1),
    }
}

/// What both kinds of search write with.
struct Quill<W: Write> {
    writer: Writer<W>,
    names: Arc<Names>,
    values: ToldValues,
    declared: Declared,
}

impl<W: Write> Quill<W> {
    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.writer.write(0, record)
    }

    /// The name of a move of a position.
    fn name(&self, position: &AnyPosition, code: MoveCode) -> MoveId {
        if code == MoveCode::NONE {
            return MoveId::NONE;
        }
        if code == MoveCode::PASS {
            return self.names.intern("0000");
        }
        let name = position.uci(code);
        let name = match name.is_empty() {
            // A move that the position does not have is told all the same.
            true => super::uci_name(code).unwrap_or_else(|| format!("#{}", code.0)),
            false => name,
        };
        self.names.intern(&name)
    }

    /// Tells the fate of the node that the records are about.
    fn why(&mut self, position: &AnyPosition, fate: Fate) -> io::Result<()> {
        match self.reason(position, fate) {
            None => Ok(()),
            Some((reason, numbers)) => self.write(&Record::Why(Told {
                reason,
                numbers: &numbers,
            })),
        }
    }

    fn prune(&mut self, position: &AnyPosition, m: MoveCode, fate: Fate) -> io::Result<()> {
        let m = self.name(position, m);
        match self.reason(position, fate) {
            None => Ok(()),
            Some((reason, numbers)) => self.write(&Record::Prune {
                m,
                why: Told {
                    reason,
                    numbers: &numbers,
                },
            }),
        }
    }

    /// A fate as a declared reason with its numbers; `None` for one that no search gives.
    fn reason(&self, position: &AnyPosition, fate: Fate) -> Option<(u8, Vec<Option<f64>>)> {
        let reason = self.declared.of_fate(fate)?;
        let numbers = fate.numbers().into_iter().map(|number| match number.value {
            tree::Value::Score(score) => self.values.number(score),
            tree::Value::Margin(margin) => Some(self.values.difference(margin)),
            tree::Value::Move(code) => {
                let m = self.name(position, code);
                (!m.is_none()).then_some(f64::from(m.0))
            }
            value => value.as_told(),
        });
        Some((reason, numbers.collect()))
    }
}
