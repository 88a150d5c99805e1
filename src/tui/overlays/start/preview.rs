//! What the start screen shows of a way: a board, a tree or a list, and words.

use std::path::Path;

use super::Way;
use crate::context::Context;
use game::{ChessPosition, MoveCode, ToyPosition};
use games::Document;
use report::why::plural;
use screen::pen::Line;
use screen::theme::Role;
use session::Subject;
use studies::lesson;

/// A picture, and what is said below it.
#[derive(Debug, Default)]
pub(super) struct Preview {
    pub picture: Picture,
    pub words: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) enum Picture {
    #[default]
    None,
    /// A position, with the move that led to it.
    Board(Box<(Subject, Option<(Subject, MoveCode)>)>),
    Tree(Box<ToyPosition>),
    Lines(Vec<Line>),
}

/// Larger files are not read for a preview.
const MOST: u64 = 1 << 20;

impl Preview {
    pub fn of(cx: &Context, way: &Way, typed: &str) -> Preview {
        match way {
            Way::GoOn(path) => Preview::said([
                "What was open, with its trees, its breakpoints and its notes. The search goes on from where it was."
                    .to_owned(),
                path.display().to_string(),
            ]),
            Way::Learn => Preview {
                picture: Picture::Lines(lessons()),
                words: vec![
                    "Each lesson runs a real search, step by step, and asks what happens next.".to_owned(),
                ],
            },
            Way::Explore => {
                let start = Document::position("start position", ChessPosition::default());
                let words = "Watch a search of the starting position grow its tree, pause it and step through it.";
                Preview::of_document(&start).saying(words)
            }
            Way::Review => {
                let words = "A famous game. The review finds its mistakes and the better moves; then find these yourself.";
                let game = cx.samples.iter().find(|s| s.name.starts_with(super::GAME));
                let opened = game.and_then(|sample| sample.open().ok());
                opened.map_or_else(Preview::default, |game| Preview::of_document(&game)).saying(words)
            }
            Way::Compare => Preview {
                picture: Picture::Board(Box::new((cx.subject.clone(), None))),
                words: vec![
                    "Several algorithms search this position side by side. Where they disagree is marked, with the reason."
                        .to_owned(),
                ],
            },
            Way::Attach => Preview::said([
                "Any program that searches a game tree, in any language, shows its tree here: explored, stepped through and gone back in like plyscope's own."
                    .to_owned(),
                "plyscope emitter c (or cpp, python, rust) prints the one file that it needs, and the guide \"Trace your engine in an afternoon\" says where its calls go."
                    .to_owned(),
                "Then give its command here, or on the command line: plyscope attach -- ./my-engine. A recorded stream opens like any file."
                    .to_owned(),
            ]),
            Way::Engine => Preview {
                picture: Picture::Lines(engines(cx)),
                words: vec![
                    "Any program that speaks UCI becomes a column of Compare, beside plyscope's own searches."
                        .to_owned(),
                    "Name yours in the configuration, or on the command line: --engine \"NAME=COMMAND\".".to_owned(),
                ],
            },
            Way::Recent(path) => Preview::of_file(path),
            Way::Sample(i) => {
                let sample = &cx.samples[*i];
                let opened = sample.open();
                opened.map_or_else(|_| Preview::default(), |document| Preview::of_document(&document))
            }
            Way::Begin(opening) => {
                let opened = Document::pasted(opening.text);
                opened
                    .map_or_else(|_| Preview::default(), |board| Preview::of_document(&board))
                    .saying(opening.hint)
            }
            Way::Typed => {
                let typed = typed.trim();
                let opened = (!typed.is_empty()).then(|| Document::pasted(typed).ok()).flatten();
                match opened {
                    Some(document) => Preview::of_document(&document),
                    None => Preview::said([
                        "Type or paste a FEN, moves like e4 e5 Nf3, or the name of a .pgn, .fen, .epd, .sgf, .c4, .ttt, .tree or .plyscope file."
                            .to_owned(),
                    ]),
                }
            }
        }
    }

    fn said(words: impl IntoIterator<Item = String>) -> Preview {
        let words = words
            .into_iter()
            .map(|line| text::sanitise(&line))
            .collect();
        Preview {
            picture: Picture::None,
            words,
        }
    }

    /// Puts words before those that are there.
    fn saying(mut self, words: &str) -> Preview {
        self.words.insert(0, words.to_owned());
        self
    }

    fn of_file(path: &Path) -> Preview {
        let small = std::fs::metadata(path).is_ok_and(|m| m.len() <= MOST);
        let is_session = path.extension().is_some_and(|e| e == "plyscope");
        let opened = (small && !is_session)
            .then(|| Document::open_file(path).ok())
            .flatten();
        let mut preview =
            opened.map_or_else(Preview::default, |document| Preview::of_document(&document));
        preview
            .words
            .push(text::sanitise(&path.display().to_string()));
        preview
    }

    /// Returns the first entry of a document: the end of a game, or a position.
    fn of_document(document: &Document) -> Preview {
        let (caption, hint) = document.caption();
        let mut words: Vec<String> = Vec::new();
        let Ok((_, entry)) = document.first_entry() else {
            return Preview::said([caption]);
        };
        let node = entry.line_through(0).last().copied().unwrap_or(0);
        let subject = entry.subject_of(node);
        let picture = match subject.position.as_toy() {
            Some(toy) => Picture::Tree(Box::new(toy.clone())),
            None => Picture::Board(Box::new((subject, entry.move_to(node)))),
        };
        words.extend(hint.map(|hint| text::sanitise(&hint)));
        match (document.len(), entry.plies()) {
            (1, 0) => {}
            (1, plies) => {
                let subject = entry.subject_of(0);
                let moves = match subject.position.as_chess() {
                    Some(_) => plies.div_ceil(2),
                    None => plies,
                };
                let moves = plural(moves, "move");
                words.push(format!("{moves}; the board shows the end."));
            }
            (count, _) => words.push(format!("{count} games or positions; here the first.")),
        }
        Preview { picture, words }
    }
}

/// Returns the lessons in their order.
fn lessons() -> Vec<Line> {
    let built_in = lesson::built_in();
    let lessons = built_in.iter().flatten();
    let line = |(i, lesson): (usize, &lesson::Lesson)| {
        vec![
            (format!("{:>3}  ", i + 1), Role::Dim),
            (text::sanitise(&lesson.title), Role::Text),
        ]
    };
    (lessons.enumerate()).map(line).collect()
}

fn engines(cx: &Context) -> Vec<Line> {
    if cx.engines.is_empty() {
        return vec![vec![("no engine is known yet".to_owned(), Role::Dim)]];
    }
    let known = vec![("known here".to_owned(), Role::Heading)];
    let line = |engine: &external::EngineSpec| {
        vec![
            (text::sanitise(&engine.name), Role::Move),
            (
                format!("  {}", text::sanitise(&engine.command.join(" "))),
                Role::Dim,
            ),
        ]
    };
    std::iter::once(known)
        .chain(cx.engines.iter().map(line))
        .collect()
}
