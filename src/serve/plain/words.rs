//! The words that can be typed: one table, which the answers, `help` and the tests read.

use super::desk::{self, Answer, Desk};
use text::{nearest, quote};

/// A word.
#[derive(Debug)]
pub struct Word {
    pub name: &'static str,
    /// What comes after it.
    pub after: &'static str,
    pub summary: &'static str,
    /// Whether it is about a search, which then has to be there.
    pub(super) needs_search: bool,
    pub(super) run: fn(&mut Desk, &str) -> Answer,
}

impl Word {
    /// Finds a word by its name or the beginning of its name; where several begin so, it is the first of the table.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(text: &str) -> Result<&'static Word, String> {
        let exact = WORDS.iter().find(|word| word.name == text);
        let found = exact.or_else(|| WORDS.iter().find(|word| word.name.starts_with(text)));
        found.ok_or_else(|| {
            let meant = nearest(text, WORDS.iter().map(|word| word.name));
            let meant = meant.map_or_else(String::new, |name| format!(" Did you mean {name}?"));
            format!("{} is no word here.{meant} Type help for all.", quote(text))
        })
    }

    /// How it is typed.
    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.after)
            .trim_end()
            .to_owned()
    }
}

/// Every word. Where two begin alike, the shortened word means the first.
pub static WORDS: &[Word] = &[
    Word {
        name: "help",
        after: "[WORD]",
        summary: "says what the words do",
        needs_search: false,
        run: desk::help,
    },
    Word {
        name: "board",
        after: "",
        summary: "says what is on the board, and who is to move",
        needs_search: false,
        run: desk::board,
    },
    Word {
        name: "search",
        after: "[ALGORITHM] [LIMIT]",
        summary: "searches; LIMIT is a number of nodes (200k), a time (10s), or depth N",
        needs_search: false,
        run: desk::search,
    },
    Word {
        name: "moves",
        after: "[N | all]",
        summary: "says the moves here, the best first: ten of them unless told otherwise",
        needs_search: true,
        run: desk::moves,
    },
    Word {
        name: "here",
        after: "",
        summary: "says which node this is, what it is worth, and why",
        needs_search: true,
        run: desk::here,
    },
    Word {
        name: "go",
        after: "MOVE...",
        summary: "goes down the tree, by moves or by a place in the list of moves",
        needs_search: true,
        run: desk::go,
    },
    Word {
        name: "up",
        after: "[N]",
        summary: "goes up the tree, one ply or N",
        needs_search: true,
        run: desk::up,
    },
    Word {
        name: "top",
        after: "",
        summary: "goes to the root of the tree",
        needs_search: true,
        run: desk::top,
    },
    Word {
        name: "line",
        after: "",
        summary: "says the best line from here",
        needs_search: true,
        run: desk::line,
    },
    Word {
        name: "why",
        after: "[MOVE]",
        summary: "says how the search comes to the value of this node; of a move, why it is chosen or not",
        needs_search: true,
        run: desk::why,
    },
    Word {
        name: "result",
        after: "",
        summary: "says how far the search is, and what it would play",
        needs_search: true,
        run: desk::result,
    },
    Word {
        name: "stop",
        after: "",
        summary: "stops the search; continue goes on",
        needs_search: true,
        run: desk::stop,
    },
    Word {
        name: "continue",
        after: "",
        summary: "goes on: to the next breakpoint if there is one, else to the end",
        needs_search: true,
        run: desk::resume,
    },
    Word {
        name: "debug",
        after: "[ALGORITHM] [LIMIT]",
        summary: "begins a search that waits before its first event",
        needs_search: false,
        run: desk::debug,
    },
    Word {
        name: "step",
        after: "[over|out] [N]",
        summary: "goes on by an event, over a child, or out of the node; N times",
        needs_search: true,
        run: desk::step,
    },
    Word {
        name: "back",
        after: "[N]",
        summary: "goes back by an event, or N",
        needs_search: true,
        run: desk::back,
    },
    Word {
        name: "event",
        after: "N",
        summary: "goes to an event by its number, forwards or back",
        needs_search: true,
        run: desk::event,
    },
    Word {
        name: "break",
        after: "[CONDITION | off]",
        summary: "adds a breakpoint (on cutoff, at \"e4\", when depth > 3), or says them; off takes all away",
        needs_search: false,
        run: desk::breakpoint,
    },
    Word {
        name: "set",
        after: "[OPTION=VALUE]",
        summary: "sets an option of the next search, or says the options that differ from their defaults",
        needs_search: false,
        run: desk::set,
    },
    Word {
        name: "play",
        after: "MOVE...",
        summary: "plays moves in the game; the next search is of the position after them",
        needs_search: false,
        run: desk::play,
    },
    Word {
        name: "open",
        after: "FILE [N]",
        summary: "opens a file, or its Nth game or position",
        needs_search: false,
        run: desk::open,
    },
    Word {
        name: "fen",
        after: "[FEN]",
        summary: "opens a position, or says this one's",
        needs_search: false,
        run: desk::fen,
    },
    Word {
        name: "quit",
        after: "",
        summary: "ends plyscope",
        needs_search: false,
        run: desk::quit,
    },
];
