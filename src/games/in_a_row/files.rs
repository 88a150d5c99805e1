//! Files of tic-tac-toe and Connect Four: one game a line.

use super::{InARow, Rules, words};
use crate::{Entries, Entry, Format, GameTree, Opening, Reading};
use game::load::LoadError;
use game::load::pgn::GameNode;
use game::load::pgn::annotation::sign;
use game::{Game, MoveCode, Side, Situation};
use search::AnyPosition;
use text::{quote, sanitise};

/// `connect4`, then the position where the game begins unless the board is empty, as rows from the top
/// (`-------/…/--xo---`) or as a size (`6x5`), and moves: the numbers of columns.
pub const CONNECT_FOUR: Format = Format {
    name: "Connect Four",
    one: "a game of Connect Four",
    extension: "c4",
    detect: |line| first_word(line) == Some(CONNECT4),
    reading: Reading::Whole(|_, text| read(text, Rules::CONNECT_FOUR)),
    write: Some(written_game),
    boards: &[
        Opening {
            title: "Connect Four",
            hint: "four in a row on 7×6; the first player wins",
            text: "connect4",
        },
        Opening {
            title: "Connect Four, 5×4",
            hint: "small enough to be searched to its end; a draw",
            text: "connect4 5x4",
        },
    ],
};

/// `tictactoe`, then the same: rows as `x-o/---/---`, moves as `b2`.
pub const TIC_TAC_TOE: Format = Format {
    name: "tic-tac-toe",
    one: "a game of tic-tac-toe",
    extension: "ttt",
    detect: |line| first_word(line) == Some(TICTACTOE),
    reading: Reading::Whole(|_, text| read(text, Rules::TIC_TAC_TOE)),
    write: Some(written_game),
    boards: &[Opening {
        title: "Tic-tac-toe",
        hint: "three in a row; a draw",
        text: "tictactoe",
    }],
};

/// The tags that have the `#` lines above a game.
const TITLE: &str = "Title";
const HINT: &str = "Hint";
/// The tag of the file's last game that has the `#` lines below it.
const BELOW: &str = "Below";

pub(super) const CONNECT4: &str = "connect4";
pub(super) const TICTACTOE: &str = "tictactoe";

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

fn name_of(rules: Rules) -> &'static str {
    match rules.falls {
        true => CONNECT4,
        false => TICTACTOE,
    }
}

/// Returns a position as a line of a file.
pub(super) fn written(position: &InARow) -> String {
    let rules = position.rules;
    let cell = |column: u8, row: u8| {
        let bit = u32::from(column) * rules.stride() + u32::from(row);
        match [Side::White, Side::Black].map(|side| position.of(side) >> bit & 1 == 1) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '-',
        }
    };
    let row = |row| (0..rules.width).map(|column| cell(column, row)).collect();
    let rows: Vec<String> = (0..rules.height).rev().map(row).collect();
    format!("{} {}", name_of(rules), rows.join("/"))
}

/// Reads a file. `#` lines above a game are its title and hint.
fn read(text: &str, usual: Rules) -> Result<Entries, LoadError> {
    let mut read = Entries::default();
    let mut comments: Vec<&str> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if let Some(comment) = line.strip_prefix('#') {
            comments.push(comment.trim());
            continue;
        }
        let mut said = std::mem::take(&mut comments).into_iter();
        if line.is_empty() {
            continue;
        }
        match read_game(line, usual) {
            Ok(mut game) => {
                let title = said.next().map(sanitise).filter(|title| !title.is_empty());
                let hint = sanitise(said.collect::<Vec<_>>().join(" ").trim());
                let hint = Some(hint).filter(|hint| !hint.is_empty());
                let tags = [(TITLE, &title), (HINT, &hint)].into_iter();
                game.headers = tags
                    .filter_map(|(name, text)| Some((name.to_owned(), text.clone()?)))
                    .collect();
                let entry = Entry::of_game(game);
                read.entries.push(Entry {
                    title: title.unwrap_or_else(|| format!("Game in line {number}")),
                    hint: hint.or(entry.hint),
                    line: number,
                    ..entry
                });
            }
            Err(error) => read.problems.push(error.at_line(number)),
        }
    }
    let below = sanitise(comments.join(" ").trim());
    if let Some(game) = read
        .entries
        .last_mut()
        .and_then(|entry| entry.game.as_mut())
        && !below.is_empty()
    {
        game.headers.push((BELOW.to_owned(), below));
    }
    if read.entries.is_empty() {
        let nothing = LoadError::new(
            "no game",
            format!("lines that begin with {}", name_of(usual)),
        );
        return Err(LoadError::of_all(read.problems, nothing));
    }
    Ok(read)
}

fn read_game(line: &str, usual: Rules) -> Result<GameTree, LoadError> {
    let name = name_of(usual);
    let Some(rest) = line
        .strip_prefix(name)
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
    else {
        let found = first_word(line).unwrap_or_default();
        return Err(LoadError::new(quote(found), name).at_column(1));
    };
    // Columns are counted in the whole line.
    let column = |at: usize| line[..at].chars().count() as u32 + 1;
    let begin = line.len() - rest.trim_start().len();
    let word = first_word(rest).unwrap_or_default();
    let is_size = |word: &str| {
        let sides = word.split_once('x');
        let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        sides.is_some_and(|(w, h)| is_number(w) && is_number(h))
    };
    let (start, moves) = match word {
        word if word.starts_with(['{', '(']) => (InARow::new(usual), begin),
        word if word.contains('/') || word.len() > 2 && is_drawn(word) => {
            let start = read_rows(word, usual).map_err(|e| e.at_column(column(begin)))?;
            (start, begin + word.len())
        }
        word if usual.falls && is_size(word) => {
            let start = read_size(word).map_err(|e| e.at_column(column(begin)))?;
            (start, begin + word.len())
        }
        _ => (InARow::new(usual), begin),
    };
    let mut reading = MovesRead {
        game: game::load::GameTree::new(start),
        at: (Situation::new(start), 0),
        before: None,
        open: Vec::new(),
    };
    reading
        .read(&line[moves..])
        .map_err(|(at, error)| error.at_column(column(moves + at)))?;
    Ok(reading.game.map(AnyPosition::of))
}

fn is_drawn(word: &str) -> bool {
    word.chars()
        .all(|c| matches!(c, '-' | '.' | 'x' | 'o' | 'X' | 'O'))
}

fn read_size(word: &str) -> Result<InARow, LoadError> {
    let sides = word.split_once('x');
    let rules = sides.and_then(|(w, h)| Rules::connect_four(w.parse().ok()?, h.parse().ok()?));
    let rules = rules.ok_or_else(|| LoadError::new(quote(word), expected_size()))?;
    Ok(InARow::new(rules))
}

fn expected_size() -> String {
    let (from, to) = (Rules::SIDES.start(), Rules::SIDES.end());
    format!("a board of {from} to {to} columns and rows and not more than 56 cells, such as 7x6")
}

/// Reads a position that is drawn row by row from the top.
fn read_rows(word: &str, usual: Rules) -> Result<InARow, LoadError> {
    let rows: Vec<&str> = word.split('/').collect();
    let width = rows[0].chars().count();
    let size = format!("{width}x{}", rows.len());
    let rules = match usual.falls {
        true => read_size(&size)?.rules,
        false if size == "3x3" => usual,
        false => {
            return Err(LoadError::new(
                format!("a board of {size}"),
                "3 rows of 3 cells",
            ));
        }
    };
    let mut stones = [0_u64; 2];
    for (row, cells) in (0..rules.height).rev().zip(&rows) {
        if cells.chars().count() != width {
            return Err(LoadError::new(
                quote(cells),
                format!("{width} cells as in the first row"),
            ));
        }
        for (column, cell) in (0..).zip(cells.chars()) {
            let bit = 1 << (column * rules.stride() + u32::from(row));
            match cell {
                'x' | 'X' => stones[0] |= bit,
                'o' | 'O' => stones[1] |= bit,
                '-' | '.' => {}
                _ => return Err(LoadError::new(quote(&cell.to_string()), "x, o or -")),
            }
        }
    }
    position(rules, stones)
}

/// Returns the position with these stones, if it can come up.
fn position(rules: Rules, [first, second]: [u64; 2]) -> Result<InARow, LoadError> {
    let [x, o] = [first, second].map(u64::count_ones);
    if x != o && x != o + 1 {
        return Err(LoadError::new(
            format!("{x} stones of x and {o} of o"),
            "as many of both, or one more of x, which begins",
        ));
    }
    let all = first | second;
    let below = (all & !rules.bottom()) >> 1;
    if rules.falls && below & !all != 0 {
        return Err(LoadError::new(
            "a stone above an empty cell",
            "stones that have fallen",
        ));
    }
    let own = if x == o { first } else { second };
    if rules.has_row(own) {
        return Err(LoadError::new(
            "a row of the side to move",
            "a game that goes on or was ended by the last move",
        ));
    }
    if !rules.was_open(all ^ own, all) {
        return Err(LoadError::new(
            "a row that was complete before the last move",
            "a game that ends with its first row",
        ));
    }
    Ok(InARow { rules, own, all })
}

/// Reads moves with comments in braces, variations in parentheses and glyphs as `?!`.
struct MovesRead {
    game: game::load::GameTree<InARow>,
    /// Where the next move is made: the situation, and its node.
    at: (Situation<InARow>, usize),
    /// The same before the last move, from which a variation begins.
    before: Option<(Situation<InARow>, usize)>,
    /// What to go back to at the end of each open variation, and the place where it began.
    open: Vec<Variation>,
}

type Variation = (
    (Situation<InARow>, usize),
    Option<(Situation<InARow>, usize)>,
    usize,
);

impl MovesRead {
    /// Returns what is wrong, with its place.
    fn read(&mut self, text: &str) -> Result<(), (usize, LoadError)> {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            match rest.as_bytes()[0] {
                b'{' => {
                    let Some(end) = rest.find('}') else {
                        return Err((at, LoadError::new("a comment without an end", "}")));
                    };
                    let comment = sanitise(rest[1..end].trim());
                    self.game.nodes[self.at.1].comments.push(comment);
                    at += end + 1;
                }
                b'(' => {
                    let Some(before) = self.before.take() else {
                        let expected = "a variation behind the move that it replaces";
                        return Err((at, LoadError::new("(", expected)));
                    };
                    let after = std::mem::replace(&mut self.at, before.clone());
                    self.open.push((after, Some(before), at));
                    at += 1;
                }
                b')' => {
                    let Some((back, before, _)) = self.open.pop() else {
                        return Err((at, LoadError::new(")", "a variation that it ends")));
                    };
                    (self.at, self.before) = (back, before);
                    at += 1;
                }
                b'!' | b'?' => {
                    let end = rest.find(|c| !matches!(c, '!' | '?'));
                    let glyph = &rest[..end.unwrap_or(rest.len())];
                    let nag = GLYPHS.into_iter().find(|nag| sign(*nag) == Some(glyph));
                    let follows_move = text[..at].ends_with(char::is_alphanumeric);
                    let Some(nag) = nag.filter(|_| follows_move && self.at.1 > 0) else {
                        let expected = "one of ! ? !! ?? !? ?! behind a move";
                        return Err((at, LoadError::new(quote(glyph), expected)));
                    };
                    self.game.nodes[self.at.1].nags.push(nag);
                    at += glyph.len();
                }
                _ => {
                    let end = rest.find(['{', '(', ')', '!', '?']).unwrap_or(rest.len());
                    self.moves(&rest[..end])
                        .map_err(|(place, e)| (at + place, e))?;
                    at += end;
                }
            }
        }
        match self.open.pop() {
            Some((_, _, begun)) => Err((begun, LoadError::new("a variation without an end", ")"))),
            None => Ok(()),
        }
    }

    fn moves(&mut self, text: &str) -> Result<(), (usize, LoadError)> {
        for (place, word) in words(text, self.game.start.rules.falls) {
            let read = InARow::read_moves(&self.at.0, word, false);
            let (next, codes) = read.map_err(|error| (place, error))?;
            let code: Option<MoveCode> = codes.first().copied();
            let node = self.game.add(self.at.1, code, word.to_owned());
            self.before = Some(std::mem::replace(&mut self.at, (next, node)));
        }
        Ok(())
    }
}

/// The glyphs that a file may have behind a move, as the numbers of PGN.
const GLYPHS: std::ops::RangeInclusive<u8> = 1..=6;

/// Returns a game with its variations as lines of a file; `None` if it is neither of these games.
fn written_game(game: &GameTree) -> Option<String> {
    let start = game.start.downcast_ref::<InARow>()?;
    let mut text = String::new();
    for line in [TITLE, HINT].into_iter().filter_map(|tag| game.header(tag)) {
        text += &format!("# {line}\n");
    }
    // A file without a title has none, whatever its hint.
    if game.header(TITLE).is_none() && game.header(HINT).is_some() {
        text.insert_str(0, "#\n");
    }
    let rules = start.rules;
    text += &match start.stones() {
        0 if rules == Rules::CONNECT_FOUR || !rules.falls => name_of(rules).to_owned(),
        0 => format!("{} {}x{}", name_of(rules), rules.width, rules.height),
        _ => written(start),
    };
    push_comments(&mut text, &game.nodes[0]);
    push_line(&mut text, game, 0);
    text.push('\n');
    if let Some(below) = game.header(BELOW) {
        text += &format!("# {below}\n");
    }
    Some(text)
}

/// Writes what follows a node. Variations are no deeper than a game is long.
fn push_line(text: &mut String, game: &GameTree, mut after: usize) {
    while let Some((&next, variations)) = game.nodes[after].children.split_first() {
        text.push(' ');
        push_move(text, game, next);
        for &variation in variations {
            text.push_str(" (");
            push_move(text, game, variation);
            push_line(text, game, variation);
            text.push(')');
        }
        after = next;
    }
}

fn push_move(text: &mut String, game: &GameTree, node: usize) {
    let node = &game.nodes[node];
    text.push_str(&node.san);
    let glyphs = node.nags.iter().filter(|nag| GLYPHS.contains(nag));
    // A move has room for one.
    text.extend(glyphs.take(1).filter_map(|nag| sign(*nag)));
    push_comments(text, node);
}

fn push_comments(text: &mut String, node: &GameNode) {
    for comment in &node.comments {
        let comment = comment.replace('{', "(").replace('}', ")");
        *text += &format!(" {{{}}}", sanitise(comment.trim()));
    }
}
