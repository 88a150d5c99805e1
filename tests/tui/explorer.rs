//! The explorer, controlled by keys and clicks, on trees built by hand.

use crate::tui_support;

use crossterm::event::MouseEventKind;
use tui::app::App;
use tui::context::Effect;
use tui::tabs::Tab;
use tui_support::{alpha_beta, app, click, distress, find, mouse, press, screen, text};

const SIZE: (u16, u16) = (160, 40);
/// The root and its 39 moves.
const ALL: usize = 40;

fn shown(app: &mut App) -> String {
    text(&screen(app, SIZE.0, SIZE.1))
}

fn opened() -> App {
    let mut app = app();
    app.show_still(distress());
    // Every move has a row of its own.
    press(&mut app, "g v");
    shown(&mut app);
    app
}

/// Returns a time at which a digit can no longer become a count.
fn later() -> std::time::Instant {
    std::time::Instant::now() + std::time::Duration::from_secs(1)
}

fn rows(app: &App) -> usize {
    app.cx.explore.tree.rows().len()
}

fn line(app: &App) -> String {
    app.selected_line()
}

#[test]
fn opening_walking_and_closing() {
    let mut app = opened();
    assert_eq!(rows(&app), ALL);
    press(&mut app, "j l");
    assert!(rows(&app) > ALL);
    press(&mut app, "l");
    assert_eq!(line(&app).split(' ').count(), 2);
    press(&mut app, "h");
    assert_eq!(line(&app).split(' ').count(), 1);
    press(&mut app, "h");
    assert_eq!(rows(&app), ALL);
    press(&mut app, "h");
    assert_eq!(app.cx.explore.tree.selected(), 0);
    press(&mut app, "G");
    assert_eq!(app.cx.explore.tree.selected(), ALL - 1);
    press(&mut app, "g g");
    assert_eq!(app.cx.explore.tree.selected(), 0);
    press(&mut app, "1 2 j");
    assert_eq!(app.cx.explore.tree.selected(), 12);
    press(&mut app, "5 G");
    assert_eq!(app.cx.explore.tree.selected(), 4);
    press(&mut app, "PgDn PgDn PgDn");
    assert_eq!(app.cx.explore.tree.selected(), ALL - 1);
}

#[test]
fn the_best_line_opens_and_is_walked() {
    let mut app = opened();
    press(&mut app, "o");
    assert!(app.cx.explore.tree.deepest() >= 3);
    press(&mut app, "* * *");
    assert_eq!(line(&app).split(' ').count(), 3, "{}", line(&app));
    press(&mut app, "O");
    assert_eq!((rows(&app), app.cx.explore.tree.deepest()), (ALL, 1));
    assert_eq!(
        line(&app).split(' ').count(),
        1,
        "the selection stays on its branch"
    );
    press(&mut app, "g g 4 l");
    assert_eq!(app.cx.explore.tree.selected_row().map(|r| r.depth), Some(3));
}

#[test]
fn sorting_keeps_the_selected_row() {
    let mut app = opened();
    press(&mut app, "j j j");
    let before = line(&app);
    for order in ["v a l u e", "o r d e r", "m o v e", "w o r k", "b e s t"] {
        press(&mut app, "S");
        press(&mut app, order);
        press(&mut app, "Enter");
        shown(&mut app);
        assert_eq!(line(&app), before, "{order}");
    }
    press(&mut app, "S m o v e Enter");
    shown(&mut app);
    let reader = app.cx.session.as_ref().expect("a tree").reader();
    let names: Vec<String> = app.cx.explore.tree.rows()[1..]
        .iter()
        .map(|r| reader.label(r.parent, r.code))
        .collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn filters_hide_rows_but_not_the_way_to_them() {
    let mut app = opened();
    press(&mut app, "j l f p r o v e n Enter");
    shown(&mut app);
    // The root, the proven draw, and the proven reply with its parent.
    assert_eq!(rows(&app), 4, "{}", shown(&mut app));
    assert!(app.cx.explore.tree.hidden() > 50);
    press(&mut app, "f N x d 5 End Enter");
    let picture = shown(&mut app);
    assert!(picture.contains("only \"Nxd5\""), "{picture}");
    assert!(app.cx.explore.tree.rows().len() < 10);
    press(&mut app, "f a l l Enter");
    shown(&mut app);
    assert_eq!(app.cx.explore.tree.hidden(), 0);
}

#[test]
fn pruned_moves_can_be_listed_alone() {
    let mut app = app();
    app.show_still(alpha_beta());
    shown(&mut app);
    press(&mut app, "j l f p r u n e d Enter");
    let picture = shown(&mut app);
    assert!(
        picture.contains("futile") && picture.contains("L⊘"),
        "{picture}"
    );
    assert!(!picture.contains("H◌"), "{picture}");
}

#[test]
fn finding_moves_and_lines() {
    let mut app = opened();
    press(&mut app, "/ d x c 5 Enter");
    assert_eq!(line(&app), "9.dxc5");
    press(&mut app, "/ c x d 5 Enter");
    let first = line(&app);
    press(&mut app, "/ z z");
    let picture = shown(&mut app);
    assert!(
        picture.contains("no row shown is called \"zz\""),
        "{picture}"
    );
    press(&mut app, "Esc");
    assert_eq!(line(&app), first, "leaving goes back");
    // A line opens what is closed on its way.
    let reader = app.cx.session.as_ref().expect("a tree").reader();
    let names = reader.best_names(tree::Tree::ROOT);
    let query = format!("{} {}", names[0].san, names[1].san);
    press(&mut app, "O /");
    app.paste(&query);
    press(&mut app, "Enter");
    assert_eq!(
        app.cx.explore.tree.selected_row().map(|r| r.depth),
        Some(2),
        "{query}"
    );
}

#[test]
fn the_board_follows_the_chosen_node() {
    let mut app = opened();
    press(&mut app, "/ c x d 5 Enter Enter");
    let picture = shown(&mut app);
    assert!(picture.contains("9. Black to move"), "{picture}");
    press(&mut app, "Enter");
    assert!(shown(&mut app).contains("9. White to move"));
    let before = shown(&mut app);
    press(&mut app, "F");
    assert_ne!(shown(&mut app), before);
}

#[test]
fn copies_go_out() {
    let mut app = opened();
    press(&mut app, "y");
    press(&mut app, "/ c x d 5 Enter Y y");
    let copied: Vec<&str> = app
        .cx
        .effects
        .iter()
        .filter_map(|e| match e {
            Effect::Copy(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(copied[0], tui_support::FEN);
    assert_eq!(copied[1], "9.cxd5");
    assert!(copied[2].contains(" b "), "{}", copied[2]);
}

/// Returns the position of a text on the screen.
fn place(app: &mut App, what: &str) -> (u16, u16) {
    find(&shown(app), what)
}

#[test]
fn the_mouse_does_what_keys_do() {
    let mut app = opened();
    let (x, y) = place(&mut app, "▸ ");
    click(&mut app, x, y);
    shown(&mut app);
    assert!(rows(&app) > ALL, "the mark opens");
    click(&mut app, x, y);
    shown(&mut app);
    assert_eq!(rows(&app), ALL, "and closes");
    click(&mut app, x + 10, y + 3);
    assert_eq!(app.cx.explore.tree.selected(), 4);
    let (x, y) = place(&mut app, "? help");
    click(&mut app, x, y);
    assert!(shown(&mut app).contains("Explore · tree"));
    let (x, y) = place(&mut app, " messages ");
    click(&mut app, x + 2, y);
    assert!(shown(&mut app).contains("no messages so far"));
    press(&mut app, "Esc S");
    let (x, y) = place(&mut app, "search order");
    click(&mut app, x, y);
    assert!(shown(&mut app).contains("tree by search order"));
    let (x, y) = place(&mut app, "3 Game");
    click(&mut app, x, y);
    assert_eq!(app.cx.tab, Tab::Game);
    assert!(shown(&mut app).contains("the sketch"));
    press(&mut app, "1");
    app.tick(later());
    shown(&mut app);
    let top = app.cx.explore.tree.list.top;
    mouse(&mut app, MouseEventKind::ScrollDown, 60, 20);
    assert_eq!(
        app.cx.explore.tree.list.top,
        (top + 3).min(ALL.saturating_sub(app.cx.explore.tree.list.height()))
    );
}

#[test]
fn a_second_click_meets_the_row_of_the_first() {
    let mut app = opened();
    // Fewer rows are in view than there are.
    screen(&mut app, 160, 24);
    mouse(&mut app, MouseEventKind::ScrollDown, 60, 6);
    screen(&mut app, 160, 24);
    let top = app.cx.explore.tree.list.top;
    assert!(top > 0);
    for _ in 0..2 {
        click(&mut app, 60, 3);
        screen(&mut app, 160, 24);
        assert_eq!(app.cx.explore.tree.list.selected, top);
        assert_eq!(app.cx.explore.tree.list.top, top);
    }
}

#[test]
fn what_is_pasted_into_a_prompt_is_looked_for_at_once() {
    let mut app = opened();
    press(&mut app, "6 G");
    let name = line(&app);
    press(&mut app, "g g /");
    app.paste(&name);
    assert_eq!((line(&app), app.cx.explore.tree.selected()), (name, 5));
    press(&mut app, "Esc");
    assert_eq!(app.cx.explore.tree.selected(), 0);
}

#[test]
fn options_are_checked_in_place() {
    use algorithms::ALGORITHMS;
    use search::Range;
    let mut app = opened();
    // The first algorithm with a numeric option.
    let (row, option) = ALGORITHMS
        .iter()
        .enumerate()
        .find_map(|(i, a)| {
            let number = |o: &&search::OptionSpec| {
                matches!(o.range, Range::Number { .. } | Range::Integer { .. })
            };
            Some((i, a.options.iter().position(|o| number(&o))?))
        })
        .expect("an algorithm with a number among its options");
    press(&mut app, "a");
    for _ in 0..ALGORITHMS.len() {
        press(&mut app, "k");
    }
    for _ in 0..row {
        press(&mut app, "j");
    }
    press(&mut app, "Tab");
    for _ in 0..option {
        press(&mut app, "j");
    }
    // What is wrong is said before it is confirmed, and a right value takes the words away.
    press(&mut app, "Enter Ctrl-u m a n y");
    assert!(shown(&mut app).contains("\"many\""));
    press(&mut app, "Ctrl-u 1");
    assert!(!shown(&mut app).contains("\"many\""));
    press(&mut app, "Ctrl-u m a n y Enter");
    let picture = shown(&mut app);
    assert!(
        picture.contains("\"many\"") && picture.contains("expected"),
        "{picture}"
    );
    press(&mut app, "Esc Esc");
    assert!(app.cx.overlay.is_none());
}

#[test]
fn a_count_is_not_mistaken_for_a_tab() {
    let mut app = opened();
    press(&mut app, "1 j");
    assert_eq!(
        (app.cx.tab, app.cx.explore.tree.selected()),
        (Tab::Explore, 1)
    );
    press(&mut app, "1 3 j");
    assert_eq!(
        (app.cx.tab, app.cx.explore.tree.selected()),
        (Tab::Explore, 14)
    );
    press(&mut app, "3");
    assert_eq!(app.cx.tab, Tab::Explore, "it may become a count");
    app.tick(later());
    assert_eq!(app.cx.tab, Tab::Game);
    press(&mut app, "1");
    app.tick(later());
    assert_eq!(app.cx.tab, Tab::Explore);
}

/// Another search of the same position grows its tree below the rows that were open and selected.
#[test]
fn a_new_search_keeps_the_place() {
    let mut app = app();
    // Every move has a row of its own: how many are folded depends on how far the search has come.
    press(&mut app, "g v");
    app.cx.start_search();
    let wait = |app: &mut App, what: &str, done: &dyn Fn(&App) -> bool| {
        let start = std::time::Instant::now();
        while !done(app) {
            let waited = start.elapsed().as_secs();
            assert!(waited < 60, "{what}: {} rows, {}", rows(app), line(app));
            std::thread::sleep(std::time::Duration::from_millis(20));
            app.cx.explore.tree.touch();
            shown(app);
        }
    };
    wait(&mut app, "the root's moves", &|app| rows(app) > 20);
    // Two plies down, along the best line.
    wait(&mut app, "a best line", &|app| {
        app.cx
            .status()
            .is_some_and(|s| s.totals.depth >= 4 || s.totals.playouts > 1_000)
    });
    press(&mut app, "o * *");
    let before = line(&app);
    assert_eq!(before.split(' ').count(), 2, "{before}");
    app.cx.start_search();
    shown(&mut app);
    wait(&mut app, "the place", &|app| line(app) == before);
    assert!(app.cx.explore.tree.deepest() >= 2);
}

/// A large file loads in the background; what was open stays until it is there.
#[test]
fn a_large_file_is_read_while_the_screen_goes_on() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("large.epd");
    let line = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - bm cxd5;\n";
    std::fs::write(&path, line.repeat(60_000)).expect("a file");
    let mut app = app();
    app.open_path(&path);
    assert_eq!(app.cx.document.file_name(), "the sketch");
    assert!(
        app.cx
            .messages
            .all
            .last()
            .is_some_and(|m| m.text.contains("is being read"))
    );
    let begin = std::time::Instant::now();
    while app.cx.document.file_name() == "the sketch" {
        assert!(begin.elapsed().as_secs() < 60, "it is never opened");
        let due = app.deadline().expect("it is asked for again");
        std::thread::sleep(due.saturating_duration_since(std::time::Instant::now()));
        app.tick(std::time::Instant::now());
    }
    assert_eq!(app.cx.document.len(), 60_000);
    assert_eq!(app.deadline(), None);
}
