//! A snapshot with styles determines every cell of the screen.

use crate::tui_support;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use screen::theme::{Depth, ThemeStore};
use tui_support::{alpha_beta, app_with, distress, press, read, screen, styled};

/// Screens of both kinds of trees in every theme and with every number of colours.
fn screens() -> Vec<Buffer> {
    let mut screens = Vec::new();
    for theme in ThemeStore::default().names() {
        for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
            for (still, ascii) in [(alpha_beta(), false), (distress(), true)] {
                let mut app = app_with(&theme, depth, ascii);
                app.show_still(still);
                for (keys, width, height) in [("j", 200, 50), ("l", 80, 24), ("?", 60, 20)] {
                    press(&mut app, keys);
                    screens.push(screen(&mut app, width, height));
                }
            }
        }
    }
    screens
}

#[test]
fn real_screens_read_back() {
    let screens = screens();
    assert!(screens.len() >= 100);
    for screen in screens {
        assert_eq!(read(&styled(&screen)), screen);
    }
}

#[test]
fn whatever_changes_in_a_cell_changes_the_snapshot() {
    let mut app = app_with("dark", Depth::True, false);
    app.show_still(distress());
    let shown = screen(&mut app, 80, 24);
    let form = styled(&shown);
    let changes: [fn(&mut Cell); 5] = [
        |cell| _ = cell.set_char('x'),
        |cell| _ = cell.set_char('\u{a0}'),
        |cell| cell.fg = Color::Rgb(1, 2, 3),
        |cell| cell.bg = Color::Indexed(200),
        |cell| cell.modifier.toggle(Modifier::ITALIC),
    ];
    for (i, change) in (0..shown.content.len())
        .step_by(7)
        .zip(changes.iter().cycle())
    {
        let mut other = shown.clone();
        change(&mut other.content[i]);
        let changed = other != shown;
        let other_form = styled(&other);
        assert_eq!(read(&other_form), other);
        assert_eq!(other_form != form, changed, "{i}");
    }
}

#[test]
fn unusual_cells_read_back() {
    let mut screen = Buffer::with_lines([
        "",
        "\"quoted\", \\ and 3x2",
        "",
        "1: 2 on 3",
        "局面 ▾é",
        " \u{a0}",
        "",
        "",
    ]);
    assert_eq!(read(&styled(&screen)), screen);
    for (cell, i) in screen.content.iter_mut().zip(0..) {
        cell.modifier = Modifier::from_bits_truncate(i * 7);
        cell.fg = Color::Indexed(i as u8);
        cell.bg = [Color::LightYellow, Color::DarkGray, Color::White][usize::from(i) % 3];
    }
    assert_eq!(read(&styled(&screen)), screen);
}
