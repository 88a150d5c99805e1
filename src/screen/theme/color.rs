//! Colours in theme files, and their conversion to what a terminal can show.

use ratatui::style::Color;

/// The number of colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colours: only bold, reverse and underline.
    None,
    /// Sixteen for characters and eight behind them, as on the Linux console.
    Console,
    Sixteen,
    Indexed,
    True,
}

impl Depth {
    /// Returns the depth that the variables of the environment indicate. The caller checks `NO_COLOR`.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Depth {
        let term = variable("TERM").unwrap_or_default();
        let term = term.as_str();
        let says = variable("COLORTERM");
        let says_so = says.is_some_and(|c| c.contains("truecolor") || c.contains("24bit"));
        // Windows Terminal sets no COLORTERM. A multiplexer in it may have fewer colours, and has a TERM of its own.
        let is_windows = variable("WT_SESSION").is_some() && term.starts_with("xterm");
        if says_so || is_windows || term.ends_with("-direct") {
            Depth::True
        } else if term == "dumb" {
            Depth::None
        } else if term == "linux" {
            Depth::Console
        } else if matches!(term, "ansi" | "vt100" | "vt220" | "xterm" | "screen") {
            Depth::Sixteen
        } else {
            Depth::Indexed
        }
    }
}

const NAMED: [(&str, Color); 17] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("gray", Color::Gray),
    ("dark-gray", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("white", Color::White),
];

/// The usual values of the sixteen named colours.
const SIXTEEN: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 160, 90]),
    (Color::Yellow, [200, 180, 16]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [200, 200, 200]),
    (Color::DarkGray, [102, 102, 102]),
    (Color::LightRed, [241, 76, 76]),
    (Color::LightGreen, [35, 209, 139]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [59, 142, 234]),
    (Color::LightMagenta, [214, 112, 214]),
    (Color::LightCyan, [41, 184, 219]),
    (Color::White, [255, 255, 255]),
];

/// Parses `#rrggbb`, a colour's name, or an index from 0 to 255.
pub(super) fn parse(text: &str) -> Option<Color> {
    if let Some(hex) = text.strip_prefix('#') {
        let value = u32::from_str_radix(hex, 16)
            .ok()
            .filter(|_| hex.len() == 6)?;
        return Some(Color::Rgb(
            (value >> 16) as u8,
            (value >> 8) as u8,
            value as u8,
        ));
    }
    if let Ok(index) = text.parse::<u8>() {
        return Some(Color::Indexed(index));
    }
    NAMED
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, c)| *c)
}

/// Returns the nearest colour that a terminal of this depth can show.
pub(super) fn at_depth(color: Color, depth: Depth) -> Color {
    match (color, depth) {
        (_, Depth::None) => Color::Reset,
        (_, Depth::True) => color,
        (Color::Rgb(r, g, b), Depth::Indexed) => Color::Indexed(nearest_index([r, g, b])),
        (Color::Rgb(r, g, b), Depth::Sixteen | Depth::Console) => nearest_named([r, g, b]),
        (Color::Indexed(i), Depth::Sixteen | Depth::Console) => nearest_named(index_value(i)),
        _ => color,
    }
}

/// Returns the same for a colour behind characters.
pub(super) fn ground_at_depth(color: Color, depth: Depth) -> Color {
    match (at_depth(color, depth), depth) {
        // The console shows bright colours as their dark ones, and this one as black.
        (Color::DarkGray, Depth::Console) => Color::Blue,
        (Color::White, Depth::Console) => Color::Gray,
        (Color::LightRed, Depth::Console) => Color::Red,
        (Color::LightGreen, Depth::Console) => Color::Green,
        (Color::LightYellow, Depth::Console) => Color::Yellow,
        (Color::LightBlue, Depth::Console) => Color::Blue,
        (Color::LightMagenta, Depth::Console) => Color::Magenta,
        (Color::LightCyan, Depth::Console) => Color::Cyan,
        (shown, _) => shown,
    }
}

const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Returns the value of an index of the 256 colours.
fn index_value(index: u8) -> [u8; 3] {
    match index {
        0..=15 => {
            // The terminal's order: 8 dark, then 8 bright colours, where 7 is light gray and 8 dark gray.
            SIXTEEN[usize::from(index)].1
        }
        16..=231 => {
            let i = usize::from(index - 16);
            [STEPS[i / 36], STEPS[i / 6 % 6], STEPS[i % 6]]
        }
        _ => [8 + 10 * (index - 232); 3],
    }
}

fn nearest_index(rgb: [u8; 3]) -> u8 {
    (16..=255u8)
        .min_by_key(|&i| distance(index_value(i), rgb))
        .unwrap_or(7)
}

fn nearest_named(rgb: [u8; 3]) -> Color {
    SIXTEEN
        .iter()
        .min_by_key(|(_, value)| distance(*value, rgb))
        .map_or(Color::Reset, |(c, _)| *c)
}

/// Returns the squared distance, weighted roughly like human vision.
fn distance(a: [u8; 3], b: [u8; 3]) -> i32 {
    let d = |i: usize| i32::from(a[i]) - i32::from(b[i]);
    2 * d(0) * d(0) + 4 * d(1) * d(1) + 3 * d(2) * d(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_three_spellings() {
        assert_eq!(parse("#1a2b3c"), Some(Color::Rgb(0x1a, 0x2b, 0x3c)));
        assert_eq!(parse("bright-blue"), Some(Color::LightBlue));
        assert_eq!(parse("214"), Some(Color::Indexed(214)));
        for wrong in ["#12345", "#12345g", "blau", "256", ""] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_environment_tells_the_depth() {
        for (variables, depth) in [
            (&[("TERM", "xterm")][..], Depth::Sixteen),
            (
                &[("TERM", "xterm"), ("COLORTERM", "truecolor")],
                Depth::True,
            ),
            (
                &[("TERM", "xterm-256color"), ("WT_SESSION", "a-b")],
                Depth::True,
            ),
            (
                &[("TERM", "screen-256color"), ("WT_SESSION", "a-b")],
                Depth::Indexed,
            ),
            (&[("TERM", "linux")], Depth::Console),
            (&[("TERM", "dumb")], Depth::None),
            (&[("TERM", "foot")], Depth::Indexed),
            (&[], Depth::Indexed),
        ] {
            let value = |name: &str| variables.iter().find(|(key, _)| *key == name);
            let found = Depth::of_environment(|name| Some(value(name)?.1.to_owned()));
            assert_eq!(found, depth, "{variables:?}");
        }
    }

    #[test]
    fn poorer_terminals_get_the_nearest_colour() {
        let orange = Color::Rgb(255, 175, 0);
        assert_eq!(at_depth(orange, Depth::True), orange);
        assert_eq!(at_depth(orange, Depth::Indexed), Color::Indexed(214));
        assert_eq!(
            at_depth(Color::Rgb(250, 80, 80), Depth::Sixteen),
            Color::LightRed
        );
        assert_eq!(at_depth(orange, Depth::None), Color::Reset);
        assert_eq!(at_depth(Color::Reset, Depth::Sixteen), Color::Reset);
    }
}
