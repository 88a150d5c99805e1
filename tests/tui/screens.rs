//! Snapshots of the screen, including styles.

use crate::tui_support;

use screen::theme::{Depth, ThemeStore};
use tui::app::App;
use tui::context::Level;
use tui_support::{alpha_beta, app, app_with, distress, press, screen, styled, text};

#[test]
fn explore_wide() {
    let mut app = app();
    app.show_still(distress());
    screen(&mut app, 200, 50);
    press(&mut app, "l j l j j");
    picture!("explore_200x50", app, 200 x 50);
}

#[test]
fn explore_small() {
    let mut app = app();
    app.show_still(distress());
    screen(&mut app, 80, 24);
    press(&mut app, "j l j");
    picture!("explore_80x24", app, 80 x 24);
    press(&mut app, "Tab");
    picture!("inspector_80x24", app, 80 x 24);
    press(&mut app, &["j"; 60].join(" "));
    let lower = text(&screen(&mut app, 80, 24));
    insta::assert_snapshot!("inspector_next_80x24", lower);
    assert!(lower.contains("is the highest score"), "{lower}");
    press(&mut app, "Tab");
    picture!("board_80x24", app, 80 x 24);
}

#[test]
fn explore_in_between() {
    let mut app = app();
    app.show_still(distress());
    picture!("explore_120x36", app, 120 x 36);
}

#[test]
fn depth_first_fates_and_their_reasons() {
    let mut app = app();
    app.show_still(alpha_beta());
    screen(&mut app, 200, 50);
    press(&mut app, "g v j l j j");
    let buffer = screen(&mut app, 200, 50);
    let shown = text(&buffer);
    for part in ["refutes", "F⊘ futile", "L⊘", "x┄", "H◌"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    // The sentence about the selected futility skip has all its numbers.
    let sentence = shown.replace(['│', '\n'], " ");
    for number in ["3.10", "1.42", "0.95"] {
        assert!(sentence.contains(number), "{number}\n{shown}");
    }
    insta::assert_snapshot!("alpha_beta_200x50", styled(&buffer));
}

#[test]
fn too_small_says_so() {
    let mut app = app();
    app.show_still(distress());
    picture!("too_small_39x11", app, 39 x 11);
}

#[test]
fn popups() {
    let mut app = app();
    app.show_still(distress());
    press(&mut app, "?");
    picture!("help_100x30", app, 100 x 30);
    press(&mut app, "Tab Tab");
    picture!("help_signs_100x30", app, 100 x 30);
    press(&mut app, "Esc : b e s t");
    picture!("palette_100x30", app, 100 x 30);
    press(&mut app, "Esc S");
    picture!("sort_100x30", app, 100 x 30);
    press(&mut app, "Esc i");
    picture!("start_80x24", app, 80 x 24);
    picture!("start_160x40", app, 160 x 40);
    press(&mut app, "Esc a");
    let options = text(&screen(&mut app, 120, 40));
    for name in ["alpha-beta", "prob-alpha-beta", "mcts", "distress"] {
        assert!(options.contains(name), "{options}");
    }
}

#[test]
fn every_theme() {
    for name in ThemeStore::default().names() {
        let depth = if name == ThemeStore::MONOCHROME {
            Depth::None
        } else {
            Depth::True
        };
        let mut app = app_with(&name, depth, false);
        app.show_still(distress());
        screen(&mut app, 80, 24);
        press(&mut app, "j l j");
        let buffer = screen(&mut app, 80, 24);
        insta::assert_snapshot!(format!("theme_{name}_80x24"), styled(&buffer));
    }
}

#[test]
fn without_colours_none_is_left_and_the_selection_is_seen() {
    use ratatui::style::{Color, Modifier};
    let mut app = app_with("dark", Depth::None, false);
    app.show_still(distress());
    screen(&mut app, 120, 36);
    press(&mut app, "j j");
    let buffer = screen(&mut app, 120, 36);
    assert!(
        buffer
            .content
            .iter()
            .all(|c| c.fg == Color::Reset && c.bg == Color::Reset)
    );
    let reversed = (0..36).filter(|y| {
        let row = (2..60).filter(|x| buffer[(*x, *y)].modifier.contains(Modifier::REVERSED));
        row.count() == 58
    });
    assert_eq!(reversed.count(), 1);
}

#[test]
fn ascii_is_ascii() {
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = app_with("dark", Depth::True, true);
        app.show_still(distress());
        screen(&mut app, width, height);
        press(&mut app, "j l j");
        for keys in [
            "h", "?", "Tab", "Tab", "Esc :", "Esc a", "Esc t", "Esc f", "Esc i", "Esc /", "Esc E",
            "Esc m",
        ] {
            press(&mut app, keys);
            let shown = text(&screen(&mut app, width, height));
            let foreign: String = shown.chars().filter(|c| !c.is_ascii()).collect();
            assert!(foreign.is_empty(), "{keys}: {foreign}\n{shown}");
        }
    }
    let mut app = app_with("dark", Depth::True, true);
    app.show_still(alpha_beta());
    picture!("ascii_120x36", app, 120 x 36);
}

#[test]
fn messages_are_seen_and_kept() {
    let mut app = app();
    app.show_still(distress());
    app.cx.say(
        Level::Error,
        "bad.pgn:3:7: found \"Qz9\"\u{1b}[2J, expected a legal move",
    );
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("error: bad.pgn:3:7: found \"Qz9\"␛[2J"),
        "{shown}"
    );
    press(&mut app, "j");
    assert!(!text(&screen(&mut app, 80, 24)).contains("bad.pgn"));
    press(&mut app, "? Tab Tab Tab Tab Tab");
    assert!(text(&screen(&mut app, 80, 24)).contains("bad.pgn"));
}

/// Any size, any state: no panic, and nothing outside the screen.
#[test]
fn every_size_is_survived() {
    let mut app = app();
    app.show_still(distress());
    for keys in [
        "j", "Tab", "Tab", "Tab", "o", "?", "Esc :", "Esc a", "Esc t", "Esc i", "Esc /", "Esc 3",
        "1",
    ] {
        press(&mut app, keys);
        for width in [1, 2, 5, 79, 80, 81, 99, 109, 110, 139, 140, 199, 300] {
            for height in [1, 2, 3, 23, 24, 25, 30, 50, 120] {
                screen(&mut app, width, height);
            }
        }
    }
}

#[test]
fn what_is_typed_or_pasted_at_the_start_is_opened() {
    const FEN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    let begun = || {
        let mut app = app();
        app.cx.wait_to_search();
        app.cx.ask_start();
        app
    };
    let fen = |app: &App| app.cx.subject.position.fen().expect("chess");
    // Nothing is searched before a way is chosen.
    let mut app = begun();
    press(&mut app, "Esc");
    assert_eq!(app.cx.status().expect("a search").totals.nodes, 0);
    // Typed moves.
    let mut app = begun();
    press(&mut app, "e 4 space e 5 Enter");
    assert!(app.cx.overlay.is_none());
    assert!(
        fen(&app).starts_with("r1bq1rk1/pp2bppp/2n2n2/2ppp3/2PPP3/2NB1N2/"),
        "{}",
        fen(&app)
    );
    // A pasted position, also where no list is open.
    let mut app = begun();
    app.paste(FEN);
    assert!(app.cx.overlay.is_none());
    assert_eq!(fen(&app), FEN);
    app.paste("[White \"A\"]\n[Black \"B\"]\n\n1. d4 d5 *\n");
    assert_eq!(app.cx.current.plies(), 2);
    // What is nothing of that kind is refused in one line, and the list stays.
    let mut app = begun();
    press(&mut app, "z z z z Enter");
    assert!(app.cx.overlay.is_some());
    let shown = text(&screen(&mut app, 80, 24));
    assert!(shown.contains("found \"zzzz\", expected"), "{shown}");
}

#[test]
fn the_start_screen_shows_what_each_way_leads_to() {
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = app();
        app.cx.wait_to_search();
        app.cx.ask_start();
        let shown = text(&screen(&mut app, width, height));
        for group in [
            "learn",
            "position",
            "game",
            "compare",
            "engine",
            "tree",
            "new board",
            "more",
        ] {
            assert!(shown.contains(&format!("│ {group} ")), "{group}: {shown}");
        }
        assert!(shown.contains("1  Minimax"), "{shown}");
        // A position has its board, a tree its drawing, each with its whole description.
        press(&mut app, "Down");
        let shown = text(&screen(&mut app, width, height));
        assert!(
            shown.contains(" a ") && shown.contains("Tension in the centre"),
            "{shown}"
        );
        if width < 200 {
            insta::assert_snapshot!(format!("start_preview_{width}x{height}"), shown);
        }
        press(&mut app, "End Up");
        text(&screen(&mut app, width, height));
        press(&mut app, "f i g u r e");
        let shown = text(&screen(&mut app, width, height));
        assert!(shown.contains("root") && shown.contains("2013"), "{shown}");
        // What is typed is shown as well.
        press(&mut app, "Ctrl-u");
        app.paste("8/8/8/4k3");
        press(&mut app, "Esc");
        app.cx.ask_start();
        for c in "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1".chars() {
            let key = if c == ' ' {
                "space".to_owned()
            } else {
                c.to_string()
            };
            press(&mut app, &key);
        }
        let shown = text(&screen(&mut app, width, height));
        assert!(
            shown.contains("What I typed") && shown.contains(" e "),
            "{shown}"
        );
    }
}
