//! How well the built-in themes can be read: the contrast ratio of the Web Content Accessibility Guidelines 2.2.

use ratatui::style::{Color, Style};

use super::{ROLES, Role, Theme, ThemeStore};

/// Roles without text of their own: lines, curves and squares.
const DRAWN: &[Role] = &[
    Role::Border,
    Role::BorderFocused,
    Role::TreeMark,
    Role::Density,
    Role::Cumulative,
    Role::Children,
    Role::Window,
    Role::Axis,
];
const SQUARES: &[Role] = &[
    Role::BoardLight,
    Role::BoardDark,
    Role::BoardLast,
    Role::BoardSelected,
];
const PIECES: &[Role] = &[Role::PieceWhite, Role::PieceBlack];

/// Relative luminance, 0 black to 1 white. `None` for a colour that is the terminal's own.
fn luminance(color: Option<Color>) -> Option<f64> {
    let Some(Color::Rgb(r, g, b)) = color else {
        return None;
    };
    let linear = |part: u8| match f64::from(part) / 255.0 {
        low @ ..=0.04045 => low / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    };
    Some(0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b))
}

fn contrast(front: Option<Color>, ground: Option<Color>) -> Option<f64> {
    let (a, b) = (luminance(front)?, luminance(ground)?);
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

/// The grounds on which text of a style is written: its own, or the screen's, a popup's and the selected row's.
fn grounds(theme: &Theme, style: Style) -> Vec<Option<Color>> {
    if style.bg.is_some() {
        return vec![style.bg];
    }
    let mut grounds = vec![theme.style(Role::Text).bg, theme.style(Role::Popup).bg];
    let selection = theme.style(Role::Selection);
    if selection.fg.is_none() {
        grounds.push(selection.bg);
    }
    grounds
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
        let drawn = |role: &Role| [DRAWN, SQUARES, PIECES].concat().contains(role);
        for (role, what, _) in ROLES.iter().filter(|(role, ..)| !drawn(role)) {
            let style = theme.style(*role);
            let front = style.fg.or(theme.style(Role::Text).fg);
            for ground in grounds(&theme, style) {
                judge(what, 4.5, front, ground);
            }
        }
        for piece in PIECES {
            for square in SQUARES {
                let what = format!("{piece:?} on {square:?}");
                let (piece, square) = (theme.style(*piece), theme.style(*square));
                judge(&what, 3.0, piece.fg, square.bg);
            }
        }
    }
    assert!(judged > 400, "{judged}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
