//! The moves of a game set as running text: the main line runs on, and variations are indented below the move that they
//! replace.

use game::load::GameNode;
use game::load::pgn::Token;
use games::GameTree;
use screen::glyphs::Glyphs;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A move of the main line.
    Main,
    /// A move of a variation.
    Variation,
    /// Parentheses of variations.
    Bracket,
    Comment,
    Clock,
    /// The file's own annotation glyphs.
    Sign,
    /// A mark of the review for an inaccuracy or a mistake.
    Doubtful,
    /// A mark for a blunder, or a problem in the file.
    Bad,
    /// How the game ended.
    Outcome,
}

/// A piece of text at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub column: u16,
    pub text: String,
    pub ink: Ink,
    /// The node that a click on it leads to, if any.
    pub node: Option<usize>,
}

/// One line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub spans: Vec<Span>,
}

/// A mark beside a move: its text and how it is drawn.
pub type Beside = (String, Ink);

/// What the rows were made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    pub width: u16,
    pub clocks: bool,
    /// The generation of the review's results, and its judge.
    pub marks: Option<(u64, usize)>,
}

/// The rows of the current game, with the viewport.
#[derive(Debug, Default)]
pub struct MovesView {
    pub rows: Vec<Row>,
    made: Option<Made>,
    pub top: usize,
    /// The node that was last scrolled into view.
    shown: Option<usize>,
    pub height: usize,
    /// Whether the movers' clocks are shown.
    pub clocks: bool,
}

impl MovesView {
    /// Called when the game, or what is shown beside its moves, changed.
    pub fn forget(&mut self) {
        self.made = None;
        self.shown = None;
    }

    /// Lays out the rows unless they are up to date; `beside` gives the mark of a node's move.
    pub fn update(
        &mut self,
        game: &GameTree,
        wanted: Made,
        glyphs: &Glyphs,
        beside: impl Fn(usize) -> Option<Beside>,
    ) {
        if self.made == Some(wanted) {
            return;
        }
        let moved = self.made.is_none_or(|m| m.width != wanted.width);
        self.rows = lay_out(game, wanted, glyphs, beside);
        self.made = Some(wanted);
        if moved {
            self.shown = None;
        }
    }

    /// Scrolls a node into view if it is not the one shown last; otherwise the viewport stays where the user scrolled
    /// it.
    pub fn keep_in_view(&mut self, node: usize, height: usize) {
        self.height = height;
        let last = self.rows.len().saturating_sub(height);
        if self.shown != Some(node) {
            self.shown = Some(node);
            let row = self.row_of(node).unwrap_or(0);
            // Some lines around it, if there is room.
            let margin = (height / 4).min(4);
            self.top = self.top.min(row.saturating_sub(margin));
            let below = (row + margin + 1).saturating_sub(height);
            self.top = self.top.max(below);
        }
        self.top = self.top.min(last);
    }

    pub fn scroll(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    fn row_of(&self, node: usize) -> Option<usize> {
        let holds = |row: &Row| row.spans.iter().any(|s| is_move(s) && s.node == Some(node));
        self.rows.iter().position(holds)
    }

    /// Returns the nearest move that is `by` rows with moves further down (or up): where the selection goes from
    /// `node`. Beyond the ends, it is in the first or last row.
    pub fn beside(&self, node: usize, by: isize) -> Option<usize> {
        let with_moves: Vec<usize> = (0..self.rows.len())
            .filter(|&i| self.rows[i].spans.iter().any(is_move))
            .collect();
        let (at, column) = match self.row_of(node) {
            Some(row) => {
                let span = self.rows[row].spans.iter().find(|s| s.node == Some(node))?;
                (with_moves.binary_search(&row).ok()? as isize, span.column)
            }
            // The start is before the first row.
            None => (-1, 0),
        };
        let wanted = at.saturating_add(by);
        if wanted < 0 {
            return Some(0);
        }
        let row = *with_moves.get((wanted as usize).min(with_moves.len().checked_sub(1)?))?;
        let moves = self.rows[row].spans.iter().filter(|s| is_move(s));
        moves.min_by_key(|s| s.column.abs_diff(column))?.node
    }
}

fn is_move(span: &Span) -> bool {
    matches!(span.ink, Ink::Main | Ink::Variation)
}

/// Sets words one after the other and breaks lines at the width.
struct Setter {
    rows: Vec<Row>,
    width: u16,
    indent: u16,
    /// Where the next word may begin.
    column: u16,
    /// Whether the next word follows the last one without a gap.
    joined: bool,
}

/// Variations deeper than this are indented like their parents.
const DEEPEST: usize = 6;

impl Setter {
    fn row(&mut self) -> &mut Row {
        if self.rows.is_empty() {
            self.rows.push(Row::default());
        }
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// Continues in a new row at an indentation.
    fn break_line(&mut self, depth: usize) {
        self.indent = (2 * depth.min(DEEPEST) as u16).min(self.width / 3);
        if !self.row().spans.is_empty() {
            self.rows.push(Row::default());
        }
        self.column = self.indent;
        self.joined = true;
    }

    /// Sets pieces that stay together, with a gap before them.
    fn word(&mut self, pieces: &[(String, Ink)], node: Option<usize>) {
        let wide: usize = pieces.iter().map(|p| text::width(&p.0)).sum();
        let wide = u16::try_from(wide).unwrap_or(u16::MAX);
        let gap = u16::from(!self.joined);
        if self.column + gap + wide > self.width && self.column > self.indent {
            self.rows.push(Row::default());
            self.column = self.indent;
        } else {
            self.column += gap;
        }
        self.joined = false;
        for (text, ink) in pieces {
            let (column, room) = (self.column, self.width.saturating_sub(self.column));
            let text = text::fit(text, usize::from(room), '~');
            self.column += text::width(&text) as u16;
            let span = Span {
                column,
                text,
                ink: *ink,
                node,
            };
            self.row().spans.push(span);
        }
    }

    /// Sets running text.
    fn prose(&mut self, prose: &str, ink: Ink, node: Option<usize>) {
        let room = usize::from(self.width.saturating_sub(self.indent)).max(8);
        for word in prose.split_whitespace() {
            // Text without spaces (a link) is split into pieces that fit.
            for piece in text::wrap(word, room) {
                self.word(&[(piece, ink)], node);
            }
        }
    }
}

/// Lays out the whole game as rows.
fn lay_out(
    game: &GameTree,
    made: Made,
    glyphs: &Glyphs,
    beside: impl Fn(usize) -> Option<Beside>,
) -> Vec<Row> {
    let mut setter = Setter {
        rows: Vec::new(),
        width: made.width.max(8),
        indent: 0,
        column: 0,
        joined: true,
    };
    let mut depth = 0usize;
    // A variation has ended: what follows does not continue its row.
    let mut after_variation = false;
    for token in game.walk() {
        match token {
            Token::Open => {
                depth += 1;
                setter.break_line(depth);
                setter.word(&[("(".to_owned(), Ink::Bracket)], None);
                setter.joined = true;
                after_variation = false;
            }
            Token::Close => {
                setter.joined = true;
                setter.word(&[(")".to_owned(), Ink::Bracket)], None);
                depth = depth.saturating_sub(1);
                after_variation = true;
            }
            Token::Comment { node, before } => {
                if std::mem::take(&mut after_variation) {
                    setter.break_line(depth);
                }
                let comment = glyphs.text(&game.nodes[node].text_beside(before));
                setter.prose(&comment, Ink::Comment, Some(node).filter(|n| *n > 0));
            }
            Token::Move { node, number } => {
                if std::mem::take(&mut after_variation) {
                    setter.break_line(depth);
                }
                let pieces = pieces(&game.nodes[node], number, depth, made, glyphs, beside(node));
                setter.word(&pieces, Some(node));
            }
        }
    }
    finish(game, &mut setter, glyphs, after_variation);
    setter.rows
}

/// Returns a move with its number, signs, mark and clock.
fn pieces(
    node: &GameNode,
    number: Option<String>,
    depth: usize,
    made: Made,
    glyphs: &Glyphs,
    mark: Option<Beside>,
) -> Vec<(String, Ink)> {
    let ink = if depth == 0 {
        Ink::Main
    } else {
        Ink::Variation
    };
    let name = format!("{}{}", number.unwrap_or_default(), node.san);
    let mut pieces = vec![(glyphs.text(&text::sanitise(&name)), ink)];
    let signs = node.signs();
    if !signs.is_empty() {
        pieces.push((glyphs.text(&signs), Ink::Sign));
    }
    if let Some((text, ink)) = mark {
        // A sign that the file has already is not repeated.
        let text = text.strip_prefix(signs.as_str()).unwrap_or(&text);
        pieces.push((glyphs.text(text), ink));
    }
    if let Some(clock) = node.clock().filter(|_| made.clocks) {
        pieces.push((format!(" {}", glyphs.text(&clock)), Ink::Clock));
    }
    pieces
}

/// Sets how the game ended, and which parts of it could not be read.
fn finish(game: &GameTree, setter: &mut Setter, glyphs: &Glyphs, after_variation: bool) {
    if after_variation {
        setter.break_line(0);
    }
    if let Some(outcome) = game.outcome.as_deref().filter(|o| *o != "*") {
        let outcome = glyphs.text(&text::sanitise(outcome));
        setter.word(&[(outcome, Ink::Outcome)], None);
    }
    for problem in &game.problems {
        setter.break_line(0);
        let problem = glyphs.text(&text::sanitise(&problem.to_string()));
        setter.prose(&problem, Ink::Bad, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Document;
    use screen::glyphs;

    const MADE: Made = Made {
        width: 40,
        clocks: false,
        marks: None,
    };

    fn view(text: &str, made: Made) -> (GameTree, MovesView) {
        let game = Document::pasted(text).and_then(|d| d.entry(0));
        let game = *game.expect("a text").game.expect("a game");
        let mut view = MovesView::default();
        view.update(&game, made, &glyphs::UNICODE, |_| None);
        (game, view)
    }

    fn printed(view: &MovesView) -> Vec<String> {
        let line = |row: &Row| {
            let mut line = String::new();
            for span in &row.spans {
                while text::width(&line) < usize::from(span.column) {
                    line.push(' ');
                }
                line.push_str(&span.text);
            }
            line
        };
        view.rows.iter().map(line).collect()
    }

    const NESTED: &str = "{A word before.} 1. e4 $1 {[%clk 0:03:00]} e5 (1... c5 2. Nf3 (2. c3 {Alapin}) 2... d6) \
                          ({French} 1... e6) 2. Nf3 {[%eval 0.3] good} Nc6 3. Bb5 a6 1-0";

    #[test]
    fn variations_stand_below_and_indented() {
        let (_, view) = view(NESTED, MADE);
        assert_eq!(
            printed(&view),
            [
                "A word before. 1.e4! e5",
                "  (1...c5 2.Nf3",
                "    (2.c3 Alapin)",
                "  2...d6)",
                "  (French 1...e6)",
                "2.Nf3 good 2...Nc6 3.Bb5 a6 1-0",
            ]
        );
    }

    #[test]
    fn rows_keep_to_the_width_and_hold_every_move() {
        for width in [8, 11, 20, 60] {
            let (game, view) = view(NESTED, Made { width, ..MADE });
            for row in &view.rows {
                let last = row.spans.last().expect("no empty row");
                assert!(usize::from(last.column) + text::width(&last.text) <= usize::from(width));
            }
            let moves = view
                .rows
                .iter()
                .flat_map(|r| &r.spans)
                .filter(|s| is_move(s));
            let mut nodes: Vec<usize> = moves.filter_map(|s| s.node).collect();
            nodes.sort_unstable();
            assert!(nodes.into_iter().eq(1..game.nodes.len()), "{width}");
        }
    }

    #[test]
    fn up_and_down_go_to_the_nearest_move() {
        let (game, view) = view(NESTED, MADE);
        let node = |san: &str| game.nodes.iter().position(|n| n.san == san).expect(san);
        // Nearer to e4's column than the first move of the row.
        assert_eq!(view.beside(node("e4"), 1), Some(node("Nf3")));
        assert_eq!(view.beside(node("c5"), 1), Some(node("c3")));
        assert_eq!(view.beside(node("e6"), -1), Some(node("d6")));
        assert_eq!(view.beside(0, 1), Some(node("e4")));
        assert_eq!(view.beside(node("e5"), -1), Some(0));
        // Beyond the end: the last row.
        assert_eq!(view.beside(node("c3"), 99), Some(game.main_line()[3]));
    }

    #[test]
    fn clocks_and_marks_stand_beside_their_moves() {
        let game = Document::pasted(NESTED).and_then(|d| d.entry(0));
        let game = *game.expect("a text").game.expect("a game");
        let mut view = MovesView::default();
        let made = Made {
            clocks: true,
            ..MADE
        };
        view.update(&game, made, &glyphs::ASCII, |node| {
            (node == 1).then(|| ("?? .31".to_owned(), Ink::Bad))
        });
        assert_eq!(printed(&view)[0], "A word before. 1.e4!?? .31 0:03:00 e5");
    }

    #[test]
    fn the_viewport_follows_the_place_and_stays_where_it_is_scrolled() {
        let moves: String = (1..80)
            .map(|i| format!("{i}. Nf3 Nf6 {}. Ng1 Ng8 ", i))
            .collect();
        let (_, mut view) = view(&moves, MADE);
        view.keep_in_view(100, 8);
        let at = view.row_of(100).expect("a row");
        assert!((view.top..view.top + 8).contains(&at));
        view.scroll(-3);
        let top = view.top;
        view.keep_in_view(100, 8);
        assert_eq!(view.top, top);
        view.keep_in_view(1, 8);
        assert_eq!(view.top, 0);
    }
}
