//! The board: arrows, the bar, moves made by keys and by the mouse, lines, the threat, and the editor of positions.

use crate::tui_support;

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use crossterm::event::{MouseButton, MouseEventKind};
use game::load::fen;
use game::{ChessPosition, Game};
use games::Document;
use proptest::prelude::*;
use screen::target::Target;
use screen::theme::{Depth, ThemeStore};
use session::Config;
use shakmaty::Square;
use tui::app::App;
use tui::overlays::setup::Part;
use tui::panes::board::BoardTarget;
use tui_support::{app, app_with, distress, position, press, screen, text, workbench};

/// A workbench on a position that was searched a little.
fn searched(position: &str, nodes: u64) -> App {
    let position = fen::parse(position).expect("a position").position;
    let document = Document::position("a position", position);
    let config = Config {
        limits: common::nodes(nodes),
        memory: 32 << 20,
        table: 1 << 20,
        ..Config::new(Algorithm::AlphaBeta)
    };
    let mut app = workbench(document, config, false);
    app.cx.start_search();
    finish(&mut app);
    screen(&mut app, 120, 36);
    app
}

fn finish(app: &mut App) {
    wait_until(app, |app| !app.is_running());
    app.cx.explore.tree.touch();
    screen(app, 120, 36);
}

fn wait_until(app: &mut App, done: impl Fn(&App) -> bool) {
    let begun = Instant::now();
    while !done(app) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it takes too long"
        );
        app.tend();
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn opened() -> App {
    let mut app = app();
    app.show_still(distress());
    screen(&mut app, 120, 36);
    app
}

fn type_move(app: &mut App, text: &str) {
    press(app, "m");
    for c in text.chars() {
        press(
            app,
            if c == ' ' {
                "space".to_owned()
            } else {
                c.to_string()
            }
            .as_str(),
        );
    }
    press(app, "Enter");
}

fn fen_of(app: &App) -> String {
    let subject = app.selected_subject().expect("a position");
    subject.position.fen().expect("chess")
}

fn after(position: &ChessPosition, m: <ChessPosition as Game>::Move) -> String {
    let mut next = position.clone();
    next.play(m);
    next.fen()
}

/// Clicks on the middle of a square.
fn click(app: &mut App, square: Square) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), square);
    mouse(app, MouseEventKind::Up(MouseButton::Left), square);
}

fn mouse(app: &mut App, kind: MouseEventKind, square: Square) {
    let here = |target: &Target| target.is(BoardTarget::Square(square));
    let found = app.cx.regions.iter().find(|r| here(&r.target));
    let area = found.expect("the square is on the screen").area;
    let (column, row) = (area.x + area.width / 2, area.y + area.height / 2);
    tui_support::mouse(app, kind, column, row);
    screen(app, 120, 36);
}

#[test]
fn arrows_and_the_bar_follow_the_selection() {
    let mut app = opened();
    let shown = text(&screen(&mut app, 200, 50));
    // At the root the best line; every arrow is named on the frame.
    assert!(shown.contains(" ★ dxc5 2 dxc4 3 a3 "), "{shown}");
    press(&mut app, "j j");
    let shown = text(&screen(&mut app, 200, 50));
    let line = app.selected_line();
    let name = line.rsplit(['.', ' ']).next().expect("a move");
    assert!(shown.contains(" ★ dxc5 "), "{shown}");
    assert!(shown.contains(&format!(" 1 {name} ")), "{line}\n{shown}");
    press(&mut app, "F");
    insta::assert_snapshot!("board_flipped_200x50", text(&screen(&mut app, 200, 50)));
    // The whole of it turns: the labels, the squares, the bar.
    let turned = text(&screen(&mut app, 200, 50));
    assert!(
        turned.contains("h     g     f     e     d     c     b     a"),
        "{turned}"
    );
}

#[test]
fn the_bar_is_full_for_a_mate_and_turns_with_the_board() {
    let mut app = searched("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 20_000);
    let bar = |app: &mut App| {
        let buffer = screen(app, 120, 36);
        let shown = text(&buffer);
        assert!(shown.contains(" #1 "), "{shown}");
        // The bar is the column beside the h-file.
        let squares = app
            .cx
            .regions
            .iter()
            .filter(|r| matches!(r.target.of(), Some(BoardTarget::Square(_))));
        let right = squares
            .clone()
            .map(|r| r.area.right())
            .max()
            .expect("squares");
        let (top, bottom) = (
            squares
                .clone()
                .map(|r| r.area.top())
                .min()
                .expect("squares"),
            squares.map(|r| r.area.bottom()).max().expect("squares"),
        );
        (top..bottom)
            .map(|y| buffer[(right + 1, y)].symbol().to_owned())
            .collect::<String>()
    };
    assert_eq!(bar(&mut app), "█".repeat(16));
    press(&mut app, "F");
    assert_eq!(bar(&mut app), "█".repeat(16));
}

#[test]
fn no_meaning_is_carried_by_colour_alone() {
    for (depth, ascii) in [(Depth::True, true), (Depth::None, false)] {
        let mut app = app_with("dark", depth, ascii);
        app.show_still(distress());
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            screen(&mut app, width, height);
            let buffer = screen(&mut app, width, height);
            let at = |app: &App, square| {
                let squares = app.cx.regions.iter();
                let mut squares = squares.filter(|r| r.target.is(BoardTarget::Square(square)));
                squares.next().expect("a square").area
            };
            // The best move has its sign on both squares.
            let sign = if ascii { "*" } else { "★" };
            for square in [Square::D4, Square::C5] {
                let cell = at(&app, square);
                let row: String = (cell.x..cell.right())
                    .map(|x| buffer[(x, cell.y + cell.height / 2)].symbol())
                    .collect();
                assert!(row.contains(sign), "{square}: {row:?} at {width}x{height}");
            }
        }
    }
}

#[test]
fn a_typed_move_is_selected_in_the_tree_or_explored() {
    let mut app = opened();
    // In closed rows.
    type_move(&mut app, "dxc5");
    assert_eq!(app.selected_line(), "9.dxc5");
    let reply = {
        let reader = app.cx.session.as_ref().expect("a tree").reader();
        let node = app.cx.selected().expect("a row").0.node;
        let first = reader.tree.children(node).next().expect("replies");
        reader.label(node, reader.tree.node(first).move_code())
    };
    // The next move is made from the position after it.
    type_move(&mut app, &reply);
    assert_eq!(app.selected_line(), format!("9.dxc5 {reply}"));
    let before = app.cx.session.as_ref().expect("a tree").reader().tree.len();
    type_move(&mut app, "zz");
    assert!(app.cx.overlay.is_some(), "a mistake leaves the prompt open");
    let shown = text(&screen(&mut app, 120, 36));
    assert!(
        shown.contains("found \"zz\", expected a legal move"),
        "{shown}"
    );
    press(&mut app, "Esc");
    // Two moves after one that has no node: another root, and back again.
    press(&mut app, "g g");
    app.cx.config.limits.nodes = Some(2_000);
    type_move(&mut app, "h3 h6 g4 g5");
    let subject = app.cx.subject.position.fen().expect("chess");
    assert!(
        subject.starts_with("r1bq1rk1/pp2bp2/2n1pn1p/2pp2p1/2PP2P1/2NBPN1P/PP3P2/R1BQ1RK1 w"),
        "{subject}"
    );
    finish(&mut app);
    let there = app.cx.session.as_ref().expect("a tree").reader().tree.len();
    press(&mut app, "Alt-Left");
    screen(&mut app, 120, 36);
    let back = app.cx.session.as_ref().expect("a tree").reader().tree.len();
    assert_eq!(
        (app.cx.subject.position.fen(), back),
        (Some(position().fen()), before)
    );
    press(&mut app, "Alt-Left");
    assert!(
        app.cx
            .messages
            .all
            .last()
            .expect("a message")
            .text
            .contains("no position was explored before")
    );
    press(&mut app, "g >");
    screen(&mut app, 120, 36);
    let again = app.cx.session.as_ref().expect("a tree").reader().tree.len();
    assert_eq!(
        (app.cx.subject.position.fen(), again),
        (Some(subject), there)
    );
    app.cx.stop_search();
}

#[test]
fn what_was_searched_is_reachable_after_a_paste() {
    let mut app = opened();
    let before = app.cx.session.as_ref().expect("a tree").reader().tree.len();
    app.cx.config.limits.nodes = Some(500);
    app.paste("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
    finish(&mut app);
    assert_eq!(app.cx.document.file_name(), "pasted text");
    press(&mut app, "g <");
    assert_eq!(app.cx.document.file_name(), "the sketch");
    assert_eq!(
        app.cx.session.as_ref().expect("a tree").reader().tree.len(),
        before
    );
    // Pasted moves go on from the position on the board.
    type_move(&mut app, "dxc5");
    app.cx.config.limits.nodes = Some(500);
    app.paste("Bxc5 10. a3 a6 11. b4");
    let subject = app.cx.subject.position.fen().expect("chess");
    assert!(
        subject.starts_with("r1bq1rk1/1p3ppp/p1n1pn2/2bp4/1PP5/P1NBPN2/5PPP/R1BQ1RK1 b"),
        "{subject}"
    );
    app.cx.stop_search();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every legal move, in SAN and in UCI, leads to the position after it, and so does clicking.
    #[test]
    fn any_move_leads_to_its_position(choices in proptest::collection::vec(0usize..1000, 2)) {
        let mut app = opened();
        let root = position();
        let moves = root.legal_moves();
        let m = moves[choices[0] % moves.len()];
        let (san, uci) = (root.label(m), root.uci(m));
        for written in [&san, &uci] {
            press(&mut app, "g g");
            type_move(&mut app, written);
            screen(&mut app, 120, 36);
            prop_assert_eq!(fen_of(&app), after(&root, m), "{}", written);
        }
        // The board shows the position after it, so that a second move is a reply.
        let mut next = root.clone();
        next.play(m);
        let replies = next.legal_moves();
        let reply = replies[choices[1] % replies.len()];
        app.cx.config.limits.nodes = Some(300);
        type_move(&mut app, &next.label(reply));
        let there = match app.cx.detour.is_some() {
            true => app.cx.subject.position.fen().expect("chess"),
            false => fen_of(&app),
        };
        prop_assert_eq!(there, after(&next, reply));
        app.cx.stop_search();
    }
}

#[test]
fn clicks_on_two_squares_make_a_move() {
    let mut app = opened();
    click(&mut app, Square::E3);
    assert_eq!(app.cx.explore.board.picked, Some(Square::E3));
    // A second piece instead of the first, and a click on the same square puts it down.
    click(&mut app, Square::D4);
    assert_eq!(app.cx.explore.board.picked, Some(Square::D4));
    click(&mut app, Square::D4);
    assert_eq!(app.cx.explore.board.picked, None);
    click(&mut app, Square::D4);
    insta::assert_snapshot!("board_picked_120x36", text(&screen(&mut app, 120, 36)));
    click(&mut app, Square::C5);
    assert_eq!(app.selected_line(), "9.dxc5");
    // Black's pieces can be moved now, and White's can't.
    click(&mut app, Square::E3);
    assert_eq!(app.cx.explore.board.picked, None);
    // By dragging.
    mouse(
        &mut app,
        MouseEventKind::Down(MouseButton::Left),
        Square::E7,
    );
    mouse(
        &mut app,
        MouseEventKind::Drag(MouseButton::Left),
        Square::C5,
    );
    mouse(&mut app, MouseEventKind::Up(MouseButton::Left), Square::C5);
    assert_eq!(app.selected_line(), "9.dxc5 Bxc5");
    // A key puts the piece down.
    click(&mut app, Square::E3);
    press(&mut app, "k");
    assert_eq!(app.cx.explore.board.picked, None);
}

#[test]
fn castling_and_promotion_are_made_by_clicks() {
    let mut app = searched("1n2k3/P7/8/8/8/8/8/4K2R w K - 0 1", 3_000);
    click(&mut app, Square::E1);
    click(&mut app, Square::G1);
    assert_eq!(app.selected_line(), "1.O-O");
    press(&mut app, "g g");
    screen(&mut app, 120, 36);
    click(&mut app, Square::A7);
    click(&mut app, Square::B8);
    let shown = text(&screen(&mut app, 120, 36));
    assert!(
        shown.contains("the pawn becomes") && shown.contains("knight"),
        "{shown}"
    );
    press(&mut app, "r o o k Enter");
    screen(&mut app, 120, 36);
    assert_eq!(app.selected_line(), "1.axb8=R+");
}

#[test]
fn the_threat_is_shown_and_named() {
    let mut app = searched(
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        2_000,
    );
    press(&mut app, "!");
    wait_until(&mut app, |app| {
        app.cx.explore.board.threats.shown
            && !app.cx.explore.board.threats.is_searching()
            && app.cx.dirty
    });
    for _ in 0..1000 {
        app.tend();
        if !app.cx.explore.board.threats.is_searching() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let shown = text(&screen(&mut app, 120, 36));
    assert!(shown.contains("! Qxf7#"), "{shown}");
    press(&mut app, "!");
    assert!(!text(&screen(&mut app, 120, 36)).contains("! Qxf7#"));
    // In check one can't pass.
    let mut app = searched("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", 500);
    press(&mut app, "!");
    let said = &app.cx.messages.all.last().expect("a message").text;
    assert!(said.contains("White is in check"), "{said}");
}

/// What chess calls otherwise, or alone has, is told in the words of the game that is open.
#[test]
fn other_games_are_not_spoken_of_as_chess() {
    let last = |app: &App| app.cx.messages.all.last().expect("a message").text.clone();
    for (name, file, threat, side) in [
        ("g.sgf", "(;GM[1]SZ[5]KM[0];B[cc])", " passed", "White"),
        ("g.c4", "connect4 44", "Yellow can't pass", "Yellow"),
        ("g.ttt", "tictactoe b2", "X can't pass", "X"),
    ] {
        let document = Document::from_bytes(name, file.as_bytes().to_vec()).expect("readable");
        let mut app = workbench(document, Config::new(Algorithm::AlphaBeta), false);
        press(&mut app, "!");
        assert!(last(&app).contains(threat), "{name}: {}", last(&app));
        press(&mut app, "U");
        let view = format!("always expected scores, from {side}'s view");
        assert!(last(&app).ends_with(&view), "{name}: {}", last(&app));
        press(&mut app, "E");
        assert!(
            last(&app).contains("set up in chess alone"),
            "{name}: {}",
            last(&app)
        );
    }
}

#[test]
fn a_position_is_set_up_and_opened() {
    let mut app = opened();
    app.cx.config.limits.nodes = Some(500);
    press(&mut app, "E");
    insta::assert_snapshot!("set_up_80x24", text(&screen(&mut app, 80, 24)));
    insta::assert_snapshot!("set_up_200x50", text(&screen(&mut app, 200, 50)));
    press(&mut app, "c Enter");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("not possible: found an empty board, expected a king on each side"),
        "{shown}"
    );
    press(&mut app, "K Up Up Up Up Up Up k Right Q Enter");
    assert!(app.cx.overlay.is_some());
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("the side that just moved in check"),
        "{shown}"
    );
    press(&mut app, "w Enter");
    assert!(app.cx.overlay.is_none());
    let fen = app.cx.subject.position.fen().expect("chess");
    assert_eq!(fen, "4kQ2/8/8/8/8/8/4K3/8 b - - 0 1");
    finish(&mut app);
    press(&mut app, "Alt-Left");
    assert_eq!(app.cx.document.file_name(), "the sketch");
    // Esc changes nothing.
    press(&mut app, "E c Esc");
    assert!(app.cx.overlay.is_none());
    assert_eq!(app.cx.subject.position.fen(), Some(position().fen()));
}

#[test]
fn the_editor_is_worked_by_the_mouse_at_80x24() {
    let mut app = opened();
    press(&mut app, "E");
    screen(&mut app, 80, 24);
    let names = [
        "clear",
        "open",
        "cancel",
        "start position",
        "take away",
        "side to move",
        "half-move clock",
    ];
    let shown = text(&screen(&mut app, 80, 24));
    for name in names {
        assert!(shown.contains(name), "{name}\n{shown}");
        let (y, line) = shown
            .lines()
            .enumerate()
            .find(|(_, l)| l.contains(name))
            .expect("a line");
        let x = line[..line.find(name).expect("there")].chars().count();
        let here = ratatui::layout::Position::new(x as u16, y as u16);
        let over = app.cx.regions.iter().rev().find(|r| r.area.contains(here));
        assert!(
            over.expect("a region").target.of::<Part>().is_some(),
            "{name}"
        );
    }
    // A click beside it loses nothing.
    tui_support::click(&mut app, 0, 0);
    assert!(app.cx.overlay.is_some());
}

#[test]
fn every_theme_draws_pictures_where_it_has_colours() {
    for name in ThemeStore::default().names() {
        for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
            let mut app = app_with(&name, depth, false);
            app.show_still(distress());
            let shown = text(&screen(&mut app, 200, 50));
            let pictures = !shown.contains('♟') && !shown.contains('♙');
            let coloured = name != ThemeStore::MONOCHROME;
            // The sixteen colours may not tell pieces from squares; then there are letters.
            assert!(
                pictures == coloured || depth == Depth::Sixteen,
                "{name} {depth:?}"
            );
        }
    }
    let mut app = app_with("light", Depth::True, false);
    app.show_still(distress());
    screen(&mut app, 120, 36);
    press(&mut app, "j j");
    picture!("board_light_120x36", app, 120 x 36);
}
