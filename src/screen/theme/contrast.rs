//! How well the built-in themes can be read: the contrast ratio of the Web Content Accessibility Guidelines 2.2, and how
//! colours differ for the colour-blind.

use ratatui::style::{Color, Modifier, Style};

use super::{Depth, ROLES, Role, Theme, ThemeStore};

/// Frames of panes without the keyboard only separate: nothing is lost where they are faint.
const DECORATION: &[Role] = &[Role::Border];
/// Lines and curves, which need less contrast than letters.
const DRAWN: &[Role] = &[
    Role::BorderFocused,
    Role::TreeMark,
    Role::Density,
    Role::Cumulative,
    Role::Children,
    Role::Window,
];
/// Arrows have a sign and the name of their move besides, so that they need less contrast than the pieces.
const ARROWS: &[Role] = &[
    Role::ArrowBest,
    Role::ArrowSelected,
    Role::ArrowLater,
    Role::ArrowThreat,
];
const SQUARES: &[Role] = &[
    Role::BoardLight,
    Role::BoardDark,
    Role::BoardLast,
    Role::BoardSelected,
];
/// Squares that have a sign, an arrow or a word of their own besides.
const TINTS: &[Role] = &[Role::BoardBest, Role::BoardThreat, Role::BoardCheck];
const EDGES: &[Role] = &[Role::PieceWhiteEdge, Role::PieceBlackEdge, Role::BoardBar];
const PIECES: &[Role] = &[Role::PieceWhite, Role::PieceBlack];

/// Returns a part of an sRGB colour as light, 0 to 1.
fn linear(part: u8) -> f64 {
    match f64::from(part) / 255.0 {
        low @ ..=0.04045 => low / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    }
}

/// Relative luminance, 0 black to 1 white. `None` for a colour that is the terminal's own.
fn luminance(color: Option<Color>) -> Option<f64> {
    let Some(Color::Rgb(r, g, b)) = color else {
        return None;
    };
    Some(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b))
}

fn contrast(front: Option<Color>, ground: Option<Color>) -> Option<f64> {
    let (a, b) = (luminance(front)?, luminance(ground)?);
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

/// The grounds on which text of a style is written: its own, or the screen's, a popup's, the bars' and the selected
/// row's with and without the keyboard.
fn grounds(theme: &Theme, style: Style) -> Vec<Option<Color>> {
    if style.bg.is_some() {
        return vec![style.bg];
    }
    let grounds = [
        Role::Text,
        Role::Popup,
        Role::Bar,
        Role::Selection,
        Role::SelectionUnfocused,
    ];
    grounds.map(|role| theme.style(role).bg).to_vec()
}

/// With few colours, too, the board has two kinds of squares, and the pieces of both sides are seen on each.
#[test]
fn a_board_of_few_colours_is_chequered() {
    let store = ThemeStore::default();
    for name in store.names() {
        let theme = store.load(&name).expect("a built-in theme").theme;
        for depth in [Depth::Sixteen, Depth::Console] {
            let theme = theme.at_depth(depth);
            let [light, dark] =
                [Role::BoardLight, Role::BoardDark].map(|role| theme.style(role).bg);
            assert!(light.is_none() || light != dark, "{name}: {light:?}");
            for piece in PIECES {
                let ink = theme.style(*piece).fg;
                let is_seen = ink.is_none() || ink != light && ink != dark;
                assert!(is_seen, "{name}, {depth:?}: {ink:?}");
            }
        }
    }
}

/// The console shows no bright colour behind a character.
#[test]
fn the_console_has_eight_grounds() {
    let store = ThemeStore::default();
    for name in store.names() {
        let theme = store.load(&name).expect("a built-in theme").theme;
        let theme = theme.at_depth(Depth::Console);
        for (role, what, _) in ROLES {
            let Some(ground) = theme.style(*role).bg else {
                continue;
            };
            let is_there = matches!(
                ground,
                Color::Reset
                    | Color::Black
                    | Color::Red
                    | Color::Green
                    | Color::Yellow
                    | Color::Blue
                    | Color::Magenta
                    | Color::Cyan
                    | Color::Gray
            );
            assert!(is_there, "{name}: {what}: {ground:?}");
            let ink = theme.style(*role).fg;
            let is_read = ground != Color::Blue || ink != Some(Color::Black);
            assert!(is_read, "{name}: {what}: {ink:?} on {ground:?}");
        }
    }
}

#[test]
fn text_and_pieces_can_be_read_in_every_theme() {
    let store = ThemeStore::default();
    let mut judged = 0;
    let mut bad = Vec::new();
    for name in store.names() {
        let theme = store.load(&name).expect("a built-in theme").theme;
        let mut judge = |what: &str, least: f64, front, ground| {
            if let Some(found) = contrast(front, ground) {
                judged += 1;
                if found < least {
                    bad.push(format!(
                        "{name}: {what}: found {found:.2}, expected {least}"
                    ));
                }
            }
        };
        let drawn = |role: &Role| {
            let all = [DECORATION, DRAWN, SQUARES, TINTS, PIECES, EDGES, ARROWS];
            all.concat().contains(role)
        };
        for (role, what, _) in ROLES.iter().filter(|(role, ..)| !drawn(role)) {
            let style = theme.style(*role);
            let front = style.fg.or(theme.style(Role::Text).fg);
            for ground in grounds(&theme, style) {
                judge(what, 4.5, front, ground);
            }
        }
        for role in DRAWN {
            let (line, ground) = (theme.style(*role), theme.style(Role::Text));
            judge(&format!("{role:?}"), 3.0, line.fg, ground.bg);
        }
        for piece in PIECES {
            for square in SQUARES.iter().chain(TINTS) {
                let what = format!("{piece:?} on {square:?}");
                let (piece, square) = (theme.style(*piece), theme.style(*square));
                judge(&what, 3.0, piece.fg, square.bg);
            }
        }
        for (piece, edge) in [
            (Role::PieceWhite, Role::PieceWhiteEdge),
            (Role::PieceBlack, Role::PieceBlackEdge),
        ] {
            let (fill, edge) = (theme.style(piece).fg, theme.style(edge).fg);
            judge(&format!("the outline of {piece:?}"), 3.0, fill, edge);
        }
        for arrow in ARROWS {
            let ink = theme.style(*arrow).fg;
            for square in SQUARES.iter().chain(TINTS) {
                let what = format!("{arrow:?} on {square:?}");
                judge(&what, 2.3, ink, theme.style(*square).bg);
            }
            // The sign is written on the arrow.
            let sign = theme.style(Role::PieceWhiteEdge).fg;
            judge(&format!("the sign of {arrow:?}"), 4.5, sign, ink);
        }
        let bar = theme.style(Role::BoardBar);
        judge("the bar", 3.0, bar.fg, bar.bg);
    }
    assert!(judged > 400, "{judged}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// A projector washes colours out: its theme has the contrast of WCAG's level AAA on light grounds, bold words, and few hues.
#[test]
fn the_projector_theme_stands_out_from_afar() {
    let store = ThemeStore::default();
    let theme = store.load("projector").expect("built in").theme;
    let ground = theme.style(Role::Text).bg;
    assert!(
        luminance(ground).is_some_and(|light| light > 0.9),
        "{ground:?}"
    );
    let words = ROLES.iter().filter(|(role, ..)| {
        let drawn = [DECORATION, DRAWN, SQUARES, TINTS, PIECES, EDGES, ARROWS];
        !drawn.concat().contains(role)
    });
    let mut hues = std::collections::BTreeSet::new();
    let mut bold = 0;
    let mut bad = Vec::new();
    for (role, what, _) in words {
        let style = theme.style(*role);
        let front = style.fg.or(theme.style(Role::Text).fg);
        for ground in grounds(&theme, style) {
            let found = contrast(front, ground).expect("RGB colours");
            if found < 7.0 {
                bad.push(format!("{what}: {found:.2}"));
            }
        }
        bold += usize::from(style.add_modifier.contains(Modifier::BOLD));
        if let Some(Color::Rgb(r, g, b)) = style.fg.filter(|fg| !is_gray(*fg)) {
            hues.insert((r, g, b));
        }
    }
    for role in DRAWN {
        let found = contrast(theme.style(*role).fg, ground).expect("RGB colours");
        if found < 4.5 {
            bad.push(format!("{role:?}: {found:.2}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(hues.len() <= 4, "{hues:x?}");
    assert!(bold > 40, "{bold}");
}

fn is_gray(color: Color) -> bool {
    matches!(color, Color::Rgb(r, g, b) if r == g && g == b)
}

/// A selected row keeps the colours of its words: a theme that gave it one colour of text would hide fates and values,
/// and the views lay only its background over their words.
#[test]
fn a_selection_has_no_colour_of_text() {
    let store = ThemeStore::default();
    for name in store.names() {
        let theme = store.load(&name).expect("a built-in theme").theme;
        for role in [Role::Selection, Role::SelectionUnfocused] {
            let front = theme.style(role).fg;
            assert!(
                matches!(front, None | Some(Color::Reset)),
                "{name}: {front:?}"
            );
        }
    }
}

/// How a colour looks to somebody without one kind of cone: Machado, Oliveira and Fernandes, A Physiologically-based
/// Model for Simulation of Color Vision Deficiency, 2009, at full severity. The matrices are for linear RGB.
const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
    ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// Roles that stand beside each other and mean different things.
const APART: &[&[Role]] = &[
    &[Role::Win, Role::Draw, Role::Loss],
    &[
        Role::FateSearched,
        Role::FateCut,
        Role::FateSkipped,
        Role::FateEnded,
    ],
    &[Role::Move, Role::MoveBest],
    &[Role::Move, Role::Disagree],
    &[Role::ColumnA, Role::ColumnB, Role::ColumnC, Role::ColumnD],
    &[Role::Running, Role::Paused, Role::Finished],
    &[Role::Info, Role::Warning, Role::Error],
    &[
        Role::Density,
        Role::Cumulative,
        Role::Children,
        Role::Window,
    ],
    &[Role::Line, Role::Changed, Role::Forced, Role::Breakpoint],
    SQUARES,
];

/// Returns the CIE 1976 L*a*b* coordinates (white D65) of a colour as somebody sees it.
fn lab(color: Color, vision: &[[f64; 3]; 3]) -> Option<[f64; 3]> {
    let Color::Rgb(r, g, b) = color else {
        return None;
    };
    let rgb = [r, g, b].map(linear);
    let sum = |row: &[f64; 3], v: &[f64; 3]| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
    let seen = vision.map(|row| sum(&row, &rgb).clamp(0.0, 1.0));
    // From IEC 61966-2-1 (sRGB) to XYZ, each by the white's.
    let xyz = [
        sum(&[0.4124564, 0.3575761, 0.1804375], &seen) / 0.95047,
        sum(&[0.2126729, 0.7151522, 0.0721750], &seen),
        sum(&[0.0193339, 0.1191920, 0.9503041], &seen) / 1.08883,
    ];
    let [x, y, z] = xyz.map(|t| match t {
        t if t > 216.0 / 24389.0 => t.cbrt(),
        t => (24389.0 / 27.0 * t + 16.0) / 116.0,
    });
    Some([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])
}

/// Returns the distance between two colours; about 2 is the least difference that is seen side by side.
fn difference(a: Color, b: Color, vision: &[[f64; 3]; 3]) -> Option<f64> {
    let (a, b) = (lab(a, vision)?, lab(b, vision)?);
    let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
    Some(squares.sum::<f64>().sqrt())
}

#[test]
fn the_colour_blind_theme_keeps_apart_what_means_different_things() {
    const LEAST: f64 = 20.0;
    let store = ThemeStore::default();
    let theme = store.load("colour-blind").expect("built in").theme;
    let color = |role: Role| {
        let style = theme.style(role);
        if SQUARES.contains(&role) {
            style.bg
        } else {
            style.fg
        }
    };
    let mut judged = 0;
    let mut bad = Vec::new();
    for (name, vision) in &VISIONS {
        for roles in APART {
            for (i, a) in roles.iter().enumerate() {
                for b in &roles[i + 1..] {
                    let (Some(one), Some(other)) = (color(*a), color(*b)) else {
                        panic!("{a:?} or {b:?} has no colour")
                    };
                    let found = difference(one, other, vision).expect("an RGB colour");
                    judged += 1;
                    if found < LEAST {
                        bad.push(format!("{name}: {a:?} and {b:?}: {found:.1}"));
                    }
                }
            }
        }
    }
    assert!(judged > 150, "{judged}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The measure finds what it is for: the usual red and green are far apart, but not for everybody.
#[test]
fn red_and_green_are_alike_without_a_kind_of_cone() {
    let (red, green) = (Color::Rgb(0xc0, 0x60, 0x20), Color::Rgb(0x7c, 0x7c, 0x20));
    let found: Vec<f64> = VISIONS
        .iter()
        .filter_map(|(_, vision)| difference(red, green, vision))
        .collect();
    assert!(found[0] > 40.0, "{found:?}");
    assert!(found[2] < found[0] / 2.0, "{found:?}");
    // Black and white are at both ends of the lightness, for everybody.
    for (_, vision) in &VISIONS {
        let most = difference(Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255), vision);
        assert!(
            most.is_some_and(|most| (most - 100.0).abs() < 1.0),
            "{most:?}"
        );
    }
}
