//! plyscope: a debugger for game-tree search.
//!
//! Engines answer "what is the best move"; plyscope shows how the search came to believe that. Every algorithm grows
//! the same kind of [tree](tree::Tree), in which each node has a [fate](tree::Fate): the reason for its
//! state, with the numbers that decided. A move that was *not* searched has one, too.
//!
//! # Searching a position
//!
//! A [`Document`](games::Document) reads FEN, PGN, EPD and toy trees; a [`Session`](session::Session)
//! searches in the background. Its [`Summary`](session::Summary) is the result so far:
//!
//! ```
//! use plyscope::session::{Config, Session};
//! use plyscope::games::Document;
//! use plyscope::algorithms::Algorithm;
//! use plyscope::search::Limits;
//!
//! let fen = b"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
//! let document = Document::from_bytes("position.fen", fen.to_vec())?;
//! let config = Config {
//!     limits: Limits { nodes: Some(3_000), ..Limits::default() },
//!     memory: 16 << 20,
//!     ..Config::new(Algorithm::Distress)
//! };
//! let mut session = Session::start(document.entry(0)?.subject(), config);
//! session.wait(|| false);
//!
//! let found = session.summary();
//! assert_eq!(found.best.expect("a legal move").san, "Qxf7#");
//! // The belief about the position: it is certainly won.
//! let belief = found.belief.expect("DISTRESS keeps one");
//! assert_eq!((belief.mean, belief.sd), (1.0, 0.0));
//! # Ok::<(), plyscope::game::load::LoadError>(())
//! ```
//!
//! # Reading the tree
//!
//! [`rows`](session::Reader::rows) lists every legal move of a node with its figures and its fate;
//! [`why`](report::why::why) puts the fate into a sentence. On the textbook's tree of nine leaves alpha-beta
//! never looks at two of them:
//!
//! ```
//! use plyscope::session::{Config, Session};
//! use plyscope::games::Document;
//! use plyscope::report::why::why;
//! use plyscope::algorithms::Algorithm;
//! use plyscope::tree::Tree;
//!
//! let text = "max\nA\n a1 3\n a2 12\n a3 8\nB\n b1 2\n b2 4\n b3 6\nC\n c1 14\n c2 5\n c3 2\n";
//! let document = Document::from_bytes("textbook.tree", text.into())?;
//! let config = Config { memory: 16 << 20, ..Config::new(Algorithm::AlphaBeta) };
//! let mut session = Session::start(document.entry(0)?.subject(), config);
//! session.wait(|| false);
//!
//! let reader = session.reader();
//! let root = reader.rows(Tree::ROOT);
//! let fates = |rows: &[plyscope::session::Row]| -> Vec<(String, &str)> {
//!     rows.iter().map(|row| (row.label.clone(), row.view.fate.name())).collect()
//! };
//! assert_eq!(
//!     fates(&root),
//!     [("A".into(), "expanded"), ("B".into(), "beta-cutoff"), ("C".into(), "beta-cutoff")]
//! );
//! let replies = reader.rows(root[1].id.node().expect("B was searched"));
//! assert_eq!(
//!     fates(&replies),
//!     [("b1".into(), "ended"), ("b2".into(), "sibling-cutoff"), ("b3".into(), "sibling-cutoff")]
//! );
//! assert!(why(&reader, &replies[1]).contains("b1"));
//! # Ok::<(), plyscope::game::load::LoadError>(())
//! ```
//!
//! # Beliefs
//!
//! A [belief] is a distribution over the expected score. Its algebra knows nothing of games:
//!
//! ```
//! use plyscope::belief::{BackUp, Grid, Rule, Ties, leaf};
//!
//! let grid = Grid::sinh();
//! // Two moves, equally good so far; the second is less certain.
//! let children = [leaf(&grid, 0.0, 0.1), leaf(&grid, 0.0, 0.5)];
//! let mut policy = [0.0; 2];
//! let best = BackUp::new(Rule::Optimal, Ties::Split).run(&children, &mut policy);
//! // A side that can still choose later expects more than either move promises now.
//! assert!(best.mean(&grid) > 0.05);
//! assert!((policy[0] - policy[1]).abs() < 0.01);
//! ```
//!
//! # The floors
//!
//! Each crate uses only those below it; `src/README.md` lists them. This one only gathers them. The book in `docs/` has the
//! mathematics, the architecture, and how to add an algorithm, a rule, a tab or a game.

// The program's heap: see `main.rs`.
#[cfg(unix)]
use dlmalloc as _;

pub use {
    algorithms, belief, best_first, cli, depth_first, eval, external, game, games, lab, open_trace,
    report, screen, search, serve, session, studies, text, tree, tui, uci,
};
