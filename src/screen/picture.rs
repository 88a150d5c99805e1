//! A picture of the screen: SVG made from its cells.
//!
//! Characters are placed one by one on a grid, so that no font can shift them. Blocks, braille, lines and similar
//! characters, which fonts draw differently, are drawn as shapes.

use chart::svg::{self, Element, Path};
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

/// The size of a cell in the picture.
const WIDTH: f64 = 8.0;
const HEIGHT: f64 = 17.0;
/// The distance from the top of a row to the baseline of its letters.
const BASELINE: f64 = 12.8;
const MARGIN: f64 = 8.0;

/// Replacements for the terminal's own colours.
const GROUND: &str = "#12161c";
const INK: &str = "#c9d1d9";

#[derive(Clone, Debug, Default, PartialEq)]
struct Style {
    ink: Option<String>,
    ground: Option<String>,
    bold: bool,
    italic: bool,
    dim: bool,
    reversed: bool,
    underlined: bool,
}

impl Style {
    fn ink(&self) -> &str {
        let (own, usual) = if self.reversed {
            (&self.ground, GROUND)
        } else {
            (&self.ink, INK)
        };
        own.as_deref().unwrap_or(usual)
    }

    fn ground(&self) -> &str {
        let (own, usual) = if self.reversed {
            (&self.ink, INK)
        } else {
            (&self.ground, GROUND)
        };
        own.as_deref().unwrap_or(usual)
    }
}

/// Returns a colour as `#7aa2f7`, or `None` for the terminal's own ones.
fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    }
}

/// Returns the SVG of a screen. Colours other than those given by their parts become the usual ones.
pub fn svg(screen: &Buffer) -> String {
    let area = screen.area;
    let size = (
        f64::from(area.width) * WIDTH + 2.0 * MARGIN,
        f64::from(area.height) * HEIGHT + 2.0 * MARGIN,
    );
    let fonts = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
    let mut out = svg::file(size)
        .with("font-family", fonts)
        .with("font-size", 13);
    let ground = svg::rect((0.0, 0.0), size).with("rx", 6);
    out.add(ground.with("fill", GROUND));
    let mut runs: Vec<(usize, usize, Style, Vec<char>)> = Vec::new();
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let cell = &screen[(x, y)];
            let has = |modifier| cell.modifier.contains(modifier);
            let style = Style {
                ink: colour(cell.fg),
                ground: colour(cell.bg),
                bold: has(Modifier::BOLD),
                italic: has(Modifier::ITALIC),
                dim: has(Modifier::DIM),
                reversed: has(Modifier::REVERSED),
                underlined: has(Modifier::UNDERLINED),
            };
            let c = cell.symbol().chars().next().unwrap_or(' ');
            let (y, x) = (usize::from(y - area.y), usize::from(x - area.x));
            match runs.last_mut() {
                Some((ry, rx, same, text))
                    if *ry == y && *same == style && *rx + text.len() == x =>
                {
                    text.push(c);
                }
                _ => runs.push((y, x, style, vec![c])),
            }
        }
    }
    for (y, x, style, text) in &runs {
        if style.ground() != GROUND {
            let size = (text.len() as f64 * WIDTH, HEIGHT);
            let ground = svg::rect((left(*x), top(*y)), size);
            out.add(ground.with("fill", style.ground()));
        }
    }
    for (y, x, style, text) in &runs {
        run(&mut out, *y, *x, style, text);
    }
    format!("{out}\n")
}

fn left(x: usize) -> f64 {
    MARGIN + x as f64 * WIDTH
}

fn top(y: usize) -> f64 {
    MARGIN + y as f64 * HEIGHT
}

/// Writes one run of cells of one style: shapes for what is drawn, text for the rest.
fn run(out: &mut Element, y: usize, x: usize, style: &Style, text: &[char]) {
    let (mut blocks, mut strokes) = (Path::default(), Path::default());
    for (i, &c) in text.iter().enumerate() {
        let (x, y) = (left(x + i), top(y));
        if let Some(rectangles) = filled(c) {
            for [fx, fy, w, h] in rectangles {
                blocks
                    .go('M', &[x + fx * WIDTH, y + fy * HEIGHT])
                    .go('h', &[w * WIDTH])
                    .go('v', &[h * HEIGHT])
                    .go('h', &[-w * WIDTH])
                    .go('z', &[]);
            }
        } else if let Some(arms) = lines(c) {
            let (mx, my) = (x + WIDTH / 2.0, y + HEIGHT / 2.0);
            let ends = [(x, my), (x + WIDTH, my), (mx, y), (mx, y + HEIGHT)];
            for (_, end) in arms.into_iter().zip(ends).filter(|(arm, _)| *arm) {
                strokes.go('M', &[mx, my]).go('L', &[end.0, end.1]);
            }
        }
    }
    if !blocks.is_empty() {
        out.add(blocks.element().with("fill", style.ink()));
    }
    if !strokes.is_empty() {
        let strokes = strokes.element().with("stroke", style.ink());
        out.add(strokes.with("fill", "none"));
    }
    for (from, word) in words(text) {
        let places: Vec<String> = (0..word.len())
            .map(|i| svg::number(left(x + from + i)))
            .collect();
        // Letters of equal width only need the place of the first one.
        let plain = word.iter().all(char::is_ascii);
        let mut written = Element::new("text")
            .with(
                "x",
                if plain {
                    places[0].clone()
                } else {
                    places.join(" ")
                },
            )
            .at([("y", top(y) + BASELINE)]);
        if plain && word.len() > 1 {
            written = written.at([("textLength", word.len() as f64 * WIDTH)]);
        }
        written = written.with("fill", style.ink());
        for (is, name, value) in [
            (style.bold, "font-weight", "bold"),
            (style.italic, "font-style", "italic"),
            (style.dim, "opacity", "0.6"),
            (style.underlined, "text-decoration", "underline"),
        ] {
            written = written.with(name, if is { value } else { "" });
        }
        out.add(written.saying(&word.iter().collect::<String>()));
    }
}

/// Returns what is written with letters: runs without blanks and without drawn characters, with the places at which
/// they begin.
fn words(text: &[char]) -> Vec<(usize, &[char])> {
    let is_letter = |c: &char| *c != ' ' && filled(*c).is_none() && lines(*c).is_none();
    let mut words = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let length = text[from..].iter().take_while(|c| is_letter(c)).count();
        if length > 0 {
            words.push((from, &text[from..from + length]));
        }
        from += length.max(1);
    }
    words
}

/// Returns blocks and braille as rectangles (x, y, width, height) in fractions of a cell.
fn filled(c: char) -> Option<Vec<[f64; 4]>> {
    let code = u32::from(c);
    match c {
        '▁'..='█' => {
            let eighths = (code - 0x2580) as f64 / 8.0;
            Some(vec![[0.0, 1.0 - eighths, 1.0, eighths]])
        }
        '▉'..='▏' => Some(vec![[0.0, 0.0, (0x2590 - code) as f64 / 8.0, 1.0]]),
        '\u{2800}'..='\u{28ff}' => {
            let dots = [
                (0, 0),
                (0, 1),
                (0, 2),
                (1, 0),
                (1, 1),
                (1, 2),
                (0, 3),
                (1, 3),
            ];
            let set = (0..8).filter(|i| (code - 0x2800) >> i & 1 == 1);
            let dot = |i: usize| {
                let (x, y) = dots[i];
                [0.5 * x as f64 + 0.14, 0.25 * y as f64 + 0.06, 0.22, 0.11]
            };
            Some(set.map(dot).collect())
        }
        _ => None,
    }
}

/// Returns which lines lead from the middle of a cell to its left, right, upper and lower edge.
fn lines(c: char) -> Option<[bool; 4]> {
    let arms = match c {
        '─' | '━' | '╌' => "lr",
        '│' | '┃' | '┊' => "ud",
        '╭' | '┌' | '┏' => "rd",
        '╮' | '┐' | '┓' => "ld",
        '╰' | '└' | '┗' => "ru",
        '╯' | '┘' | '┛' => "lu",
        '├' | '┣' => "udr",
        '┤' => "udl",
        '┬' => "lrd",
        '┴' | '┻' | '┹' => "lru",
        '┼' | '╋' | '╃' => "lrud",
        _ => return None,
    };
    Some(['l', 'r', 'u', 'd'].map(|arm| arms.contains(arm)))
}
