//! The methods: one table, which the server, `methods` and the tests of the docs read.

mod control;
mod kept;
mod opening;
mod reading;
mod search;
mod written;

pub use search::config;

use serde::Serialize;

use super::desk::{Desks, Outcome};
use super::message::RpcError;
use super::parameters::{Parameters, missing};
use crate::describe::Spot;
use session::Session;

/// A method.
#[derive(Serialize, Debug)]
pub struct Method {
    pub name: &'static str,
    pub summary: &'static str,
    /// The parameters with what they mean.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Whether it is answered at once, even if calls before it wait for the search.
    #[serde(skip)]
    pub at_once: bool,
    #[serde(skip)]
    pub run: fn(&mut Desks, &Call) -> Result<Outcome, RpcError>,
}

/// A call of a method.
#[derive(Debug)]
pub struct Call {
    pub parameters: Parameters,
    /// The session it is about; 0 for methods that are about none.
    pub session: u64,
}

impl Method {
    /// Whether it is about a session.
    pub fn has_session(&self) -> bool {
        self.parameters
            .first()
            .is_some_and(|(name, _)| *name == SESSION.0)
    }
}

const SESSION: (&str, &str) = ("session", "its number; the one opened last");
const NODE: (&str, &str) = ("node", "the number of a node; the root");
const LINE: (&str, &str) = ("line", "the moves to the node instead of its number");
const WAIT: (&str, &str) = (
    "wait",
    "how many seconds the answer may take to say where the search has stopped",
);
const PAUSED: (&str, &str) = ("paused", "whether it waits before its first event");

/// Every method.
pub static METHODS: &[Method] = &[
    Method {
        name: "methods",
        summary: "all methods with their parameters",
        parameters: &[],
        at_once: true,
        run: opening::methods,
    },
    Method {
        name: "algorithms",
        summary: "the algorithms with their options, as `plyscope algorithms --json`",
        parameters: &[],
        at_once: true,
        run: opening::algorithms,
    },
    Method {
        name: "open",
        summary: "opens a position for a search, and returns the number of its session",
        parameters: &[
            ("fen", "a position; the start position"),
            (
                "file",
                "a .pgn, .fen, .epd, .sgf, .c4, .ttt, .tree or .plytrace file",
            ),
            ("text", "the content of such a file"),
            ("game", "the entry of the file, from 1; the first"),
            (
                "ply",
                "the position after this many half-moves of a game; the last",
            ),
            ("moves", "moves to play from there"),
        ],
        at_once: true,
        run: opening::open,
    },
    Method {
        name: "sessions",
        summary: "all sessions",
        parameters: &[],
        at_once: true,
        run: opening::sessions,
    },
    Method {
        name: "save",
        summary: "saves a search that has stopped, with its tree, in a file that the workbench opens too",
        parameters: &[SESSION, ("file", "where to (`x.plyscope`)")],
        at_once: false,
        run: kept::save,
    },
    Method {
        name: "restore",
        summary: "opens the searches of such a file, each as a session that waits; returns a list",
        parameters: &[("file", "its name")],
        at_once: true,
        run: kept::restore,
    },
    Method {
        name: "close",
        summary: "ends a session and its search",
        parameters: &[SESSION],
        at_once: true,
        run: opening::close,
    },
    Method {
        name: "shutdown",
        summary: "ends the server",
        parameters: &[],
        at_once: true,
        run: opening::shutdown,
    },
    Method {
        name: "start",
        summary: "starts the search of a session, and ends the one before",
        parameters: &[
            SESSION,
            (
                "algorithm",
                "its name; a recorded search is read without one",
            ),
            ("options", "its options, as an object"),
            ("nodes", "ends after this many nodes (100000, \"500k\")"),
            ("time", "ends after this time (\"500ms\", \"10s\")"),
            ("depth", "ends at this depth"),
            (
                "threads",
                "search threads; 1, with which a search can be repeated",
            ),
            (
                "memory",
                "memory for tree, tables and going back (\"512M\")",
            ),
            ("seed", "of everything random"),
            PAUSED,
            WAIT,
        ],
        at_once: false,
        run: search::start,
    },
    Method {
        name: "run",
        summary: "runs on: to the next breakpoint if there is one, else freely",
        parameters: &[
            SESSION,
            ("freely", "past all breakpoints"),
            (
                "nodes",
                "freely, and pauses when it has counted so many nodes in all",
            ),
            WAIT,
        ],
        at_once: false,
        run: control::run,
    },
    Method {
        name: "pause",
        summary: "pauses: with one thread at the next event, with several between two nodes",
        parameters: &[SESSION, WAIT],
        at_once: true,
        run: control::pause,
    },
    Method {
        name: "wait",
        summary: "waits until the search has stopped or ended",
        parameters: &[SESSION, WAIT],
        at_once: false,
        run: control::wait,
    },
    Method {
        name: "step",
        summary: "goes on by an event; a search that runs first stops at its next one",
        parameters: &[
            SESSION,
            (
                "kind",
                "`into`: the next event; `over` a child; `out` of the node; `to-break`",
            ),
            ("times", "how often; once"),
            WAIT,
        ],
        at_once: false,
        run: control::step,
    },
    Method {
        name: "back",
        summary: "goes back by events, by running the search again",
        parameters: &[
            SESSION,
            ("events", "how many; 1"),
            (
                "to_breakpoint",
                "instead to the last event before at which a breakpoint stops, or to the beginning",
            ),
            WAIT,
        ],
        at_once: false,
        run: control::back,
    },
    Method {
        name: "go_to",
        summary: "goes to the state after an event, backwards or forwards",
        parameters: &[
            SESSION,
            ("event", "its number; 0 is before the first"),
            WAIT,
        ],
        at_once: false,
        run: control::go_to,
    },
    Method {
        name: "breakpoints",
        summary: "sets the breakpoints, or returns them",
        parameters: &[
            SESSION,
            ("set", "all of them, in the language of the debugger"),
        ],
        at_once: true,
        run: control::breakpoints,
    },
    Method {
        name: "exclude",
        summary: "takes exactly these moves out at a node; the tree is kept",
        parameters: &[SESSION, NODE, LINE, ("moves", "a list; empty: none")],
        at_once: false,
        run: search::exclude,
    },
    Method {
        name: "search_more",
        summary: "spends the next nodes on one node, whatever the algorithm would choose; then its limits hold no more",
        parameters: &[SESSION, NODE, LINE, ("nodes", "how many; 10,000"), WAIT],
        at_once: false,
        run: search::search_more,
    },
    Method {
        name: "search_again",
        summary: "records what is below a node whose subtree was searched without being recorded",
        parameters: &[SESSION, NODE, LINE],
        at_once: false,
        run: search::search_again,
    },
    Method {
        name: "follow",
        summary: "plays moves, and starts the search after them with what the tree knows",
        parameters: &[SESSION, ("moves", "one or more"), PAUSED],
        at_once: false,
        run: search::follow,
    },
    Method {
        name: "leaf",
        summary: "opens how a leaf of `distress` was searched, as a session of its own",
        parameters: &[SESSION, NODE, LINE],
        at_once: false,
        run: search::leaf,
    },
    Method {
        name: "subscribe",
        summary: "what is told without being asked for",
        parameters: &[
            SESSION,
            ("stops", "`stopped`, `ended` and `news`; true at first"),
            (
                "progress",
                "`progress`, at most so many times a second; 0 at first",
            ),
            ("events", "`events`, as the search is followed through them"),
        ],
        at_once: true,
        run: control::subscribe,
    },
    Method {
        name: "status",
        summary: "state, counts, and the place in the sequence of events",
        parameters: &[SESSION],
        at_once: true,
        run: reading::status,
    },
    Method {
        name: "rows",
        summary: "the legal moves at a node, each from the view of the side that plays it",
        parameters: &[
            SESSION,
            NODE,
            LINE,
            (
                "sort",
                "`preference`, `recorded`, `nodes`, `visits`, `value`, `policy` or `sd`",
            ),
            (
                "filter",
                "only moves with a node for which this holds (`visits > 10 and sd < 0.1`), its values from the view of the side to move at that node",
            ),
            ("offset", "how many to leave out at the beginning"),
            ("count", "how many at most"),
        ],
        at_once: false,
        run: reading::rows,
    },
    Method {
        name: "node",
        summary: "everything about a node: figures, fate, belief, line",
        parameters: &[SESSION, NODE, LINE],
        at_once: false,
        run: reading::node,
    },
    Method {
        name: "explain",
        summary: "why a node is as it is, and what its algorithm has to say about it",
        parameters: &[SESSION, NODE, LINE],
        at_once: false,
        run: reading::explain,
    },
    Method {
        name: "why_not",
        summary: "why a move was not chosen, or was, in sentences",
        parameters: &[SESSION, NODE, LINE],
        at_once: false,
        run: reading::why_not,
    },
    Method {
        name: "measure",
        summary: "a number or a claim in the language of breakpoints (`sd of \"e4\"`)",
        parameters: &[SESSION, ("text", "the expression"), NODE, LINE],
        at_once: false,
        run: reading::measure,
    },
    Method {
        name: "events",
        summary: "the events that the search was followed through",
        parameters: &[
            SESSION,
            ("from", "the number of the first; the last `count` of them"),
            ("count", "how many at most; 100"),
            ("filter", "only those that match this condition"),
        ],
        at_once: false,
        run: reading::events,
    },
    Method {
        name: "progress",
        summary: "how the root's value and best move changed with the nodes",
        parameters: &[SESSION, ("after", "only points after so many")],
        at_once: true,
        run: reading::progress,
    },
    Method {
        name: "result",
        summary: "the result as it is now, as `plyscope search --json`",
        parameters: &[SESSION],
        at_once: false,
        run: written::result,
    },
    Method {
        name: "export",
        summary: "writes the tree, as `plyscope tree`",
        parameters: &[
            SESSION,
            (
                "format",
                "`json`, `text`, `dot`, `svg`, `html`, `pgn`, `sgf` (Go), or `proof` (the proof of a result as PGN)",
            ),
            LINE,
            ("max_nodes", "how many rows at most; 500"),
            ("max_ply", "how many plies at most; 64"),
            ("beliefs", "JSON: writes the whole belief of every node"),
            (
                "unit",
                "all but JSON: `pawns`, `expected` or `wdl`; `pawns`",
            ),
            ("view", "all but JSON: `white`, `root` or `mover`; `white`"),
            ("file", "where to; without it the answer contains the text"),
        ],
        at_once: false,
        run: written::export,
    },
];

impl Call {
    /// The node or move that the call is about; the root if it names none.
    ///
    /// # Errors
    /// If there is no such node, or a move is not legal.
    fn spot(&self, session: &Session) -> Result<Spot, RpcError> {
        let node = self.parameters.whole("node", 0, u64::MAX)?;
        let line = self.parameters.line("line")?;
        match (node, line) {
            (Some(_), Some(_)) => {
                let why = "found node and line, expected one of them";
                Err(RpcError::parameter("line", why))
            }
            (Some(number), None) => {
                Spot::of_node(session, number).map_err(|why| RpcError::parameter("node", why))
            }
            (None, line) => Spot::of_line(session, &line.unwrap_or_default())
                .map_err(|why| RpcError::parameter("line", why)),
        }
    }
}

impl Call {
    /// Whether the call names a node.
    fn names_node(&self) -> bool {
        self.parameters.has(NODE.0) || self.parameters.has(LINE.0)
    }
}

impl Desks {
    /// The search of the call's session.
    ///
    /// # Errors
    /// If none was started.
    fn session(&mut self, call: &Call) -> Result<&mut Session, RpcError> {
        let desk = self.desk(call.session)?;
        desk.search.session_mut().ok_or_else(not_started)
    }
}

fn not_started() -> RpcError {
    RpcError::refused("nothing is searched in this session yet: start begins")
}

/// The parameter that must be there.
fn needed<T>(value: Option<T>, name: &str, expected: &str) -> Result<T, RpcError> {
    value.ok_or_else(|| missing(name, expected))
}
