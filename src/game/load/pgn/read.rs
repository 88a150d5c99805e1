//! Reads the bytes of one game into a tree, using the `pgn-reader` crate.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, Reader, Skip, Visitor};
use shakmaty::{
    Move,
    san::{San, SanPlus},
};

use super::{
    GameTree,
    annotation::Sign,
    clean::{longest_comment, movetext},
    order::{Numbering, Since},
    start::start_position,
    tags::Head,
    words::{Kind, Word, words},
};
use crate::language::Languages;
use crate::load::LoadError;
use crate::{ChessKnowledge as _, ChessPosition, Game as _, MoveCode, notation};
use text::{decode, place, quote};

/// Reads the game in `bytes`, which begins on line `first_line` of its file.
///
/// # Errors
/// If it is not a game at all, is of an unsupported variant, or begins from an illegal position. A word that cannot be
/// read is not an error: its line is kept up to there, and [`GameTree::problems`] reports it.
pub(super) fn read(bytes: &[u8], first_line: u32) -> Result<GameTree, LoadError> {
    read_placed(bytes, first_line).map(|placed| placed.tree)
}

/// A game with the places of its words.
pub(super) struct Placed {
    pub(super) tree: GameTree,
    /// In the order of the file; offsets are relative to the game's bytes.
    pub(super) words: Vec<Word>,
    /// For each node the word that is its move, where known.
    pub(super) moves: Vec<Option<usize>>,
    /// Comments after a node's move, as pairs of node and word.
    pub(super) comments: Vec<(usize, usize)>,
    /// Where the moves begin.
    pub(super) start: usize,
}

/// Reads a game like [`read`] and records the places of its words.
pub(super) fn read_placed(bytes: &[u8], first_line: u32) -> Result<Placed, LoadError> {
    let head = Head::read(bytes);
    let tree = of_head(bytes, first_line, &head)?;
    let mut clean = movetext(bytes, &head);
    // The reader skips a glyph at the very end of its input, and reads no game where there is nothing; the full stop means
    // nothing to it.
    clean.extend_from_slice(b"\n.");
    let words = words(&clean);
    let mut builder = Builder {
        head: Some(tree),
        text: bytes,
        bytes: &clean,
        first_line,
        languages: languages(&clean, &words),
        words,
        next_word: 0,
        passed: 0,
    };
    // Large enough for any comment to fit. Not larger, because the reader shifts its buffer at every word.
    let mut reader = Reader::build(clean.as_slice())
        .set_supported_comment_length(longest_comment(&clean))
        .finish();
    let nothing = || {
        LoadError::new(
            quote(&decode(bytes)),
            "a game in PGN: tags in brackets, or moves",
        )
        .at_line(first_line)
    };
    match reader.read_game(&mut builder) {
        Ok(Some(Ok(game))) if is_game(&game.tree) => Ok(Placed {
            tree: game.tree,
            words: builder.words,
            moves: game.moves,
            comments: game.comments,
            start: head.end,
        }),
        Ok(Some(Err(error))) => Err(error),
        // There are moves, but even the first cannot be read.
        Ok(Some(Ok(game))) if builder.words.iter().any(|w| w.kind == Kind::Number) => Err(game
            .tree
            .problems
            .into_iter()
            .next()
            .unwrap_or_else(nothing)),
        Ok(_) => Err(nothing()),
        Err(error) => {
            let expected = match error.to_string().as_str() {
                "unterminated comment" => "a \"}\" that closes the comment".to_owned(),
                other => format!("a readable game ({other})"),
            };
            Err(LoadError::new("the end of the game", expected).at_line(first_line))
        }
    }
}

/// Whether any of it belongs to a game.
fn is_game(tree: &GameTree) -> bool {
    !tree.headers.is_empty() || tree.nodes.len() > 1 || tree.outcome.is_some()
}

/// Returns the languages that the moves may be written in, if some cannot be read.
fn languages(bytes: &[u8], words: &[Word]) -> Languages {
    let unknown = |word: &&Word| matches!(word.kind, Kind::Unknown(_));
    if !words.iter().any(|word| unknown(&word)) {
        return Languages::default();
    }
    let moves = words
        .iter()
        .filter(|word| matches!(word.kind, Kind::Unknown(_) | Kind::San(_)));
    let texts: Vec<String> = moves.map(|w| decode(&bytes[w.range.clone()])).collect();
    Languages::of(texts.iter().map(String::as_str))
}

/// Returns a game with its tags and its start position, and without moves.
fn of_head(bytes: &[u8], first_line: u32, head: &Head<'_>) -> Result<GameTree, LoadError> {
    let line = |at| place(bytes, at).0 + first_line - 1;
    let (start, mut warnings) = start_position(head, line)?;
    let warned = |at, text| LoadError::message(text).at_line(line(at));
    warnings.extend(head.tags.iter().filter_map(|(at, tag)| {
        let mended = tag.mended()?;
        let written = quote(&decode(&bytes[*at..*at + tag.length]));
        Some(warned(
            *at,
            format!("{written} is not a valid tag: read as {mended}"),
        ))
    }));
    warnings.extend(head.text.iter().map(|range| {
        let written = quote(&decode(&bytes[range.clone()]));
        warned(
            range.start,
            format!("{written} is neither a tag nor a move: ignored"),
        )
    }));
    warnings.sort_by_key(|warning| warning.line);
    let tags = head.tags.iter();
    Ok(GameTree {
        headers: tags
            .map(|(_, tag)| (decode(tag.name()), tag.value()))
            .collect(),
        warnings,
        ..GameTree::new(start)
    })
}

pub(super) struct Builder<'a> {
    /// The game without its moves, until the reader comes to them.
    head: Option<GameTree>,
    /// The game as it is, and what the reader gets of it, with every byte at the same place.
    text: &'a [u8],
    pub(super) bytes: &'a [u8],
    pub(super) first_line: u32,
    /// Everything among the moves that has a place, in the order in which the reader reports it.
    pub(super) words: Vec<Word>,
    /// The language of the moves, if it is not English.
    pub(super) languages: Languages,
    next_word: usize,
    /// Where the last unknown word ends. Anything that the reader reports from the middle of it is ignored.
    passed: usize,
}

/// A line of the game: the main line or a variation.
pub(super) struct Line {
    node: usize,
    pub(super) position: ChessPosition,
    /// The node and position before the last move, where a variation on it begins.
    pub(super) before: Option<(usize, ChessPosition)>,
    /// Comments waiting for the variation's first move.
    comments: Vec<String>,
    /// Where the variation was opened.
    open: Option<usize>,
    /// What has appeared since its last move.
    pub(super) since: Since,
    /// Whether a word could not be read; the rest of the line is skipped.
    pub(super) broken: bool,
}

pub(super) struct Movetext {
    pub(super) tree: GameTree,
    pub(super) numbering: Numbering,
    pub(super) line: Line,
    pub(super) outer: Vec<Line>,
    /// The word that is being read.
    pub(super) word: Option<usize>,
    /// See [`Placed`].
    moves: Vec<Option<usize>>,
    comments: Vec<(usize, usize)>,
}

impl Builder<'_> {
    /// Returns the line and column of an offset.
    pub(super) fn place(&self, offset: usize) -> (u32, u32) {
        let (line, column) = place(self.text, offset);
        (line + self.first_line - 1, column)
    }

    /// Advances to the word that the reader now reports, examining the words that it skipped, and returns its offset.
    fn advance(&mut self, game: &mut Movetext, is_it: impl Fn(&Kind) -> bool) -> Option<usize> {
        game.word = None;
        while let Some(word) = self.words.get(self.next_word) {
            let offset = word.range.start;
            match &word.kind {
                Kind::Unknown(text) => {
                    let text = text.clone();
                    self.passed = word.range.end;
                    game.word = Some(self.next_word);
                    self.next_word += 1;
                    self.unknown(game, offset, &text);
                    game.word = None;
                }
                kind if is_it(kind) => {
                    game.word = Some(self.next_word);
                    self.next_word += 1;
                    return Some(offset);
                }
                // The scan is out of step with the reader, which should not happen. Continue without places.
                kind if kind.is_structure() => return None,
                _ => {
                    if offset >= self.passed {
                        self.between(game, self.next_word);
                    }
                    self.next_word += 1;
                }
            }
        }
        None
    }
}

impl Movetext {
    fn push(&mut self, m: Option<MoveCode>, san: String, next: ChessPosition) {
        let parent = self.line.node;
        self.moves.push(self.word);
        let id = self.tree.add(parent, m, san);
        self.tree.nodes[id].comments_before = std::mem::take(&mut self.line.comments);
        self.line.since = Since::default();
        let before = std::mem::replace(&mut self.line.position, next);
        self.line.before = Some((parent, before));
        self.line.node = id;
    }

    /// Makes a null move, unless the side to move is in check.
    pub(super) fn pass(&mut self) -> bool {
        let next = self.line.position.pass();
        let passes = next.is_some();
        if let Some(next) = next {
            self.push(None, notation::PASS.to_owned(), next);
        }
        passes
    }

    /// Adds the glyphs of a sign after the last move.
    pub(super) fn sign(&mut self, signs: &[Sign]) {
        let node = self.line.node;
        let mover = self.tree.mover(node).filter(|_| !self.line.broken);
        if let Some(mover) = mover {
            let nags = signs.iter().map(|sign| sign.nag(mover));
            self.tree.nodes[node].nags.extend(nags);
        }
    }

    pub(super) fn play(&mut self, m: Move) {
        let san = self.line.position.label(m);
        let mut next = self.line.position.clone();
        next.play(m);
        self.push(Some(next.encode(m)), san, next);
    }

    fn end_line(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
        }
    }
}

type Flow<T = ()> = ControlFlow<Result<Movetext, LoadError>, T>;

impl Visitor for Builder<'_> {
    type Tags = ();
    type Movetext = Movetext;
    type Output = Result<Movetext, LoadError>;

    fn begin_tags(&mut self) -> Flow<Self::Tags> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> Flow<Movetext> {
        let tree = self.head.take();
        let tree = tree.unwrap_or_else(|| GameTree::new(ChessPosition::default()));
        ControlFlow::Continue(Movetext {
            line: Line {
                node: 0,
                position: tree.start.clone(),
                before: None,
                comments: Vec::new(),
                open: None,
                since: Since::default(),
                broken: false,
            },
            numbering: Numbering::default(),
            tree,
            outer: Vec::new(),
            word: None,
            moves: vec![None],
            comments: Vec::new(),
        })
    }

    fn san(&mut self, game: &mut Movetext, san_plus: SanPlus) -> Flow {
        let san = san_plus.san;
        let offset = self.advance(game, |word| matches!(word, Kind::San(s) if *s == san));
        if game.line.broken || offset.is_some_and(|offset| offset < self.passed) {
            return ControlFlow::Continue(());
        }
        if self.after_result(game) {
            return ControlFlow::Continue(());
        }
        let text = offset.map_or_else(
            || san_plus.to_string(),
            |offset| decode(self.word_at(offset)),
        );
        // Letters that name other pieces in the game's language than in English.
        if self.languages.hint(&text).is_some() {
            self.wrong(game, &text, offset);
            return ControlFlow::Continue(());
        }
        if san == San::Null {
            if game.pass() {
                return ControlFlow::Continue(());
            }
        } else if let Some(m) = notation::resolve(&game.line.position, &san) {
            game.play(m);
            return ControlFlow::Continue(());
        }
        self.wrong(game, &text, offset);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, game: &mut Movetext, nag: Nag) -> Flow {
        self.advance(game, |word| *word == Kind::Nag(Some(nag.0)));
        if let Some(word) = game.word.filter(|_| !game.line.broken) {
            self.beside(game, word);
        }
        let node = game.line.node;
        if !game.line.broken && node != 0 {
            game.tree.nodes[node].nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Movetext, comment: RawComment<'_>) -> Flow {
        self.advance(game, |word| *word == Kind::Comment);
        let text = decode(comment.as_bytes()).trim().to_owned();
        if game.line.broken {
            return ControlFlow::Continue(());
        }
        let before = game.line.before.is_none() && !game.outer.is_empty();
        let node = game.line.node;
        if let Some(word) = game.word {
            game.line.since.odd.get_or_insert(word);
        }
        if let Some(word) = game.word.filter(|_| !before) {
            game.comments.push((node, word));
        }
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        if before {
            game.line.comments.push(text);
        } else {
            game.tree.nodes[node].comments.push(text);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, game: &mut Movetext) -> Flow<Skip> {
        self.advance(game, |word| *word == Kind::Open);
        // A variation before the first move.
        let first = game.line.before.is_none() && game.outer.is_empty();
        if let Some(word) = game.word.filter(|_| first && !game.line.broken) {
            self.wrong_word(game, word);
        }
        let line = &game.line;
        let (node, position) = line
            .before
            .clone()
            .unwrap_or_else(|| (line.node, line.position.clone()));
        let variation = Line {
            node,
            position,
            before: None,
            comments: Vec::new(),
            open: game.word,
            since: Since::default(),
            broken: line.broken,
        };
        game.outer
            .push(std::mem::replace(&mut game.line, variation));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, game: &mut Movetext) -> Flow {
        self.advance(game, |word| *word == Kind::Close);
        self.end_of_line(game);
        match game.word {
            // A closing bracket without an opening one.
            Some(word) if game.outer.is_empty() && !game.line.broken => {
                self.wrong_word(game, word);
            }
            _ => game.end_line(),
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Movetext, outcome: Outcome) -> Flow {
        if game.outer.is_empty() {
            game.tree.outcome = Some(outcome.to_string());
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut game: Movetext) -> Self::Output {
        self.advance(&mut game, |_| false);
        self.end_of_line(&mut game);
        let open = game.line.open.filter(|_| !game.outer.is_empty());
        if let Some(open) = open {
            let error = LoadError::new("\"(\"", "a \")\" that closes the variation");
            let error = self.placed(error, self.words[open].range.start);
            game.tree.problems.push(error);
        }
        if game.tree.outcome.is_none() {
            game.tree.outcome = game.tree.header("Result").map(str::to_owned);
        }
        Ok(game)
    }
}
