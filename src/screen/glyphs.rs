//! The glyphs on the screen, in Unicode and in ASCII.

use chart::value::Sign;
use ratatui::symbols::border;

/// One set of glyphs. Each is one column wide.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    pub ascii: bool,
    pub closed: char,
    pub open: char,
    pub leaf: char,
    /// Searched, but not recorded: a re-search opens it.
    pub unrecorded: char,
    pub ellipsis: char,
    pub minus: char,
    pub plus_minus: &'static str,
    pub horizontal: char,
    pub vertical: char,
    pub frame: border::Set<'static>,
    /// The heights of a bar, from empty to full.
    pub levels: &'static [char],
    pub bar: char,
    pub bar_half: char,
    pub running: char,
    pub paused: char,
    pub finished: char,
    pub scroll: char,
    pub at_most: char,
    pub at_least: char,
    pub dot: char,
    pub best: char,
    pub window: char,
    /// The value of the best move, through the rows of its siblings.
    pub rule: char,
    /// On the value axis: see [`Glyphs::axis`].
    on_axis: [char; 14],
    pub cursor: char,
    /// In the scrubber: the part that has been searched, the starts of iterations, and the current place.
    pub track_done: char,
    pub tick: char,
    pub handle: char,
    /// In the scrubber: a breakpoint was hit.
    pub hit: char,
    pub breakpoint_on: char,
    /// The user has written a note on the node.
    pub note: char,
    pub breakpoint_off: char,
    /// Beside the rows of the line being searched.
    pub line: char,
    /// Beside a row or a drawn node: the lesson talks about it.
    pub marked: char,
    /// After a letter: the search is in the middle of this node.
    pub in_search: char,
    /// After a letter: searched again since the parent's figures were computed.
    pub ahead: char,
    /// After a letter: an audit found that the pruned move was best.
    pub failed: char,
    /// What was forced: never searched, or the only one searched.
    pub never: char,
    pub only: char,
    /// A drawn tree: Max's and Min's nodes; horizontal and vertical edges that were not searched; the bar across a cut
    /// edge.
    pub max: char,
    pub min: char,
    pub dashed: [char; 2],
    pub cut: char,
}

pub static UNICODE: Glyphs = Glyphs {
    ascii: false,
    closed: '▸',
    open: '▾',
    leaf: '·',
    unrecorded: '▹',
    ellipsis: '…',
    minus: '−',
    plus_minus: "±",
    horizontal: '─',
    vertical: '│',
    frame: border::ROUNDED,
    levels: &['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    bar: '▇',
    bar_half: '▍',
    running: '▶',
    paused: '‖',
    finished: '■',
    scroll: '┃',
    at_most: '≤',
    at_least: '≥',
    dot: '·',
    best: '★',
    window: '┊',
    rule: '│',
    on_axis: [
        '●', '○', '─', '━', '╌', '┤', '├', '▒', 's', '╋', '·', '┊', '◂', '▸',
    ],
    cursor: '▏',
    track_done: '━',
    tick: '╋',
    handle: '●',
    hit: '▼',
    breakpoint_on: '●',
    note: '¶',
    breakpoint_off: '○',
    line: '┃',
    marked: '◆',
    in_search: '◎',
    ahead: '⟳',
    failed: '✗',
    never: '⊝',
    only: '⊜',
    max: '△',
    min: '▽',
    dashed: ['╌', '┆'],
    cut: '╪',
};

pub static ASCII: Glyphs = Glyphs {
    ascii: true,
    closed: '>',
    open: 'v',
    leaf: ' ',
    unrecorded: '?',
    ellipsis: '~',
    minus: '-',
    plus_minus: "~",
    horizontal: '-',
    vertical: '|',
    frame: border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    },
    levels: &['.', '_', ',', '-', '=', '+', '*', '%', '#'],
    bar: '#',
    bar_half: '-',
    running: '>',
    paused: '=',
    finished: '.',
    scroll: '#',
    at_most: '<',
    at_least: '>',
    dot: '-',
    best: '*',
    window: ':',
    rule: '|',
    on_axis: [
        'o', '.', '-', '=', '.', ']', '[', ':', 's', '+', '.', ':', '<', '>',
    ],
    cursor: '_',
    track_done: '=',
    tick: '+',
    handle: 'O',
    hit: '*',
    breakpoint_on: '*',
    note: '"',
    breakpoint_off: 'o',
    line: '|',
    marked: '#',
    in_search: '@',
    ahead: '^',
    failed: '!',
    never: '-',
    only: '=',
    max: '^',
    min: 'v',
    dashed: ['.', ':'],
    cut: '/',
};

impl Glyphs {
    /// Returns what stands in a cell of the value axis.
    pub fn axis(&self, sign: Sign) -> char {
        let at = match sign {
            Sign::Level(level) => return self.levels[usize::from(level.min(8))],
            Sign::Point => 0,
            Sign::FaintPoint => 1,
            Sign::Line => 2,
            Sign::Heavy => 3,
            Sign::Dashes => 4,
            Sign::Closes => 5,
            Sign::Opens => 6,
            Sign::Hatch => 7,
            Sign::Static => 8,
            Sign::Carried => 9,
            Sign::Gap => 10,
            Sign::Bound => 11,
            Sign::Below => 12,
            Sign::Above => 13,
        };
        self.on_axis[at]
    }

    pub fn of(ascii: bool) -> &'static Glyphs {
        if ascii { &ASCII } else { &UNICODE }
    }

    /// Returns text for the screen: in ASCII mode the signs of our own sentences are spelt in ASCII, and any other sign
    /// that is not ASCII becomes `?`.
    pub fn text(&self, text: &str) -> String {
        if !self.ascii || text.is_ascii() {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                c if c.is_ascii() => plain.push(c),
                '−' | '–' | '—' | '─' => plain.push('-'),
                '…' => plain.push_str("..."),
                '±' => plain.push_str("+-"),
                '≤' => plain.push_str("<="),
                '≥' => plain.push_str(">="),
                '·' => plain.push('-'),
                '→' => plain.push_str("->"),
                '×' => plain.push('x'),
                '›' => plain.push('>'),
                '“' | '”' => plain.push('"'),
                '’' | '‘' => plain.push('\''),
                'σ' => plain.push_str("sd"),
                'μ' => plain.push_str("mu"),
                'π' => plain.push_str("pi"),
                'Σ' => plain.push_str("sum "),
                '∏' => plain.push_str("prod"),
                '√' => plain.push_str("sqrt "),
                'α' => plain.push_str("alpha"),
                'β' => plain.push_str("beta"),
                '∞' => plain.push_str("inf"),
                '½' => plain.push_str("1/2"),
                '#' => plain.push('#'),
                _ => plain.push('?'),
            }
        }
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthChar;

    #[test]
    fn signs_are_one_column_wide_and_ascii_is_ascii() {
        for g in [&UNICODE, &ASCII] {
            let mut all = vec![
                g.closed,
                g.open,
                g.leaf,
                g.unrecorded,
                g.ellipsis,
                g.minus,
                g.horizontal,
                g.vertical,
                g.bar,
                g.bar_half,
                g.running,
                g.paused,
                g.finished,
                g.scroll,
                g.at_most,
                g.at_least,
                g.dot,
                g.best,
                g.window,
                g.cursor,
                g.track_done,
                g.tick,
                g.handle,
                g.hit,
                g.breakpoint_on,
                g.note,
                g.marked,
                g.breakpoint_off,
                g.line,
                g.in_search,
                g.ahead,
                g.failed,
                g.never,
                g.only,
                g.max,
                g.min,
                g.cut,
            ];
            all.extend(g.dashed);
            all.push(g.rule);
            all.extend(g.on_axis);
            let frame = [
                g.frame.top_left,
                g.frame.top_right,
                g.frame.bottom_left,
                g.frame.bottom_right,
            ];
            all.extend(frame.iter().flat_map(|sign| sign.chars()));
            all.extend(g.levels);
            for c in all {
                assert_eq!(c.width(), Some(1), "{c}");
                assert!(!g.ascii || c.is_ascii(), "{c}");
            }
        }
        assert!(ASCII.text("−0.3 ± 0.2 ≤ α … 棋").is_ascii());
    }
}
