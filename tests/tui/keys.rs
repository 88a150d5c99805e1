//! How the keys are told: the key bar, the line of messages, the box of what may follow, the help and the palette.

use std::time::{Duration, Instant};

use crate::tui_support;

use algorithms::Algorithm;
use tui::app::App;
use tui::context::Level;
use tui::overlays::chooser::Choosing;
use tui::panes::Pane;
use tui::tabs::Tab;
use tui_support::{alpha_beta, app, click, distress, find, press, screen, text, text_at};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 50)];

fn prepared(width: u16, height: u16) -> App {
    let mut app = app();
    app.show_still(distress());
    screen(&mut app, width, height);
    app
}

/// The rows of the screen.
fn rows(app: &mut App, width: u16, height: u16) -> Vec<String> {
    let shown = text(&screen(app, width, height));
    shown.lines().map(str::to_owned).collect()
}

fn bar(app: &mut App, width: u16, height: u16) -> String {
    rows(app, width, height).pop().expect("a bar")
}

/// Lets the pause pass after which something is offered.
fn wait(app: &mut App) {
    app.tick(Instant::now() + Duration::from_secs(2));
}

#[test]
fn a_message_has_a_line_of_its_own() {
    for (width, height) in [(40, 12), (60, 20)].into_iter().chain(SIZES) {
        let mut app = prepared(width, height);
        let before = rows(&mut app, width, height);
        let line = usize::from(height) - 2;
        assert_eq!(before[line], "", "nothing else is there");
        app.cx.say(Level::Info, "something happened");
        let shown = rows(&mut app, width, height);
        assert_eq!(shown[line], " something happened");
        assert_eq!(shown[..line], before[..line], "nothing is covered or moved");
        assert_eq!(shown.last(), before.last(), "the key bar stays");
        // A long message takes further lines from the panes, which stay whole.
        app.cx.say(Level::Error, "a long message ".repeat(30));
        let shown = rows(&mut app, width, height);
        assert_eq!(shown.last(), before.last());
        let most = (usize::from(height) - 2) / 6;
        let own = shown[..=line].iter().rev();
        let own = own.take_while(|l| l.contains("message")).count();
        assert!(own >= 1 && own <= most.max(1), "{shown:#?}");
        let above = &shown[line - own];
        assert!(above.contains('└') || above.contains('╰'), "{shown:#?}");
        press(&mut app, "j");
        let shown = rows(&mut app, width, height);
        assert!(shown.iter().all(|line| !line.contains("message")));
    }
}

#[test]
fn a_message_and_a_prompt_have_a_line_each() {
    for (width, height) in [(40, 12)].into_iter().chain(SIZES) {
        let mut app = prepared(width, height);
        press(&mut app, "/");
        app.cx.say(Level::Info, "something happened");
        let shown = rows(&mut app, width, height);
        let line = usize::from(height) - 2;
        assert_eq!(shown[line - 1], " something happened");
        assert!(!shown[line].contains("something"), "{shown:#?}");
        assert!(shown[line].len() > 1, "{shown:#?}");
    }
}

#[test]
fn a_message_leaves_the_sentence_of_the_event() {
    let mut app = app();
    app.show_still(alpha_beta());
    app.cx.explore.debug.shown = true;
    let before = rows(&mut app, 80, 24);
    app.cx.say(Level::Info, "something happened");
    let shown = rows(&mut app, 80, 24);
    // The dock has three lines at this width.
    assert_eq!(shown[..22], before[..22]);
    assert!(shown[22].contains("something happened"), "{shown:#?}");
}

#[test]
fn the_key_bar_follows_the_focused_pane() {
    for (width, height) in SIZES {
        let mut app = prepared(width, height);
        let tree = bar(&mut app, width, height);
        assert!(
            tree.contains("l open") && tree.contains("Tab inspector"),
            "{tree}"
        );
        press(&mut app, "Tab");
        assert_eq!(app.cx.explore.focus, Pane::Inspector);
        let inspector = bar(&mut app, width, height);
        assert!(
            inspector.contains("j scroll down") && inspector.contains("Tab board"),
            "{inspector}"
        );
        press(&mut app, "Tab");
        let board = bar(&mut app, width, height);
        assert!(
            board.contains("> next move") && board.contains("Tab tree"),
            "{board}"
        );
        for shown in [tree, inspector, board] {
            for always in [": commands", "? help", "q quit"] {
                assert!(shown.contains(always), "{shown}");
            }
        }
    }
}

#[test]
fn the_key_bar_has_the_keys_of_what_is_open() {
    let mut app = prepared(80, 24);
    for (keys, expected) in [
        (":", "Enter run"),
        ("t", "Enter choose"),
        ("a", "Tab options"),
        ("?", "? all keys"),
        ("/", "Down next one"),
        ("B", "a add"),
        ("i", "Enter open"),
        ("Ctrl-o", "Tab complete"),
    ] {
        press(&mut app, keys);
        let shown = bar(&mut app, 80, 24);
        assert!(
            shown.contains(expected) && shown.contains("Esc "),
            "{keys}: {shown}"
        );
        assert!(!shown.contains("quit"), "{keys}: {shown}");
        press(&mut app, "Esc");
        assert!(app.cx.overlay.is_none(), "{keys}");
    }
}

#[test]
fn what_may_follow_a_prefix_is_offered_after_a_pause() {
    let mut app = prepared(80, 24);
    press(&mut app, "g");
    let before = text(&screen(&mut app, 80, 24));
    assert!(!before.contains("go to event"), "{before}");
    assert!(app.deadline().is_some());
    wait(&mut app);
    let shown = text(&screen(&mut app, 80, 24));
    for part in ["g…", "e  go to event", "p  proof", "b  board", "g  first"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    insta::assert_snapshot!("after_a_prefix_80x24", shown);
    // Esc leaves the sequence, and nothing else.
    press(&mut app, "Esc");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(!shown.contains("go to event"), "{shown}");
    // Those who are quick never see it.
    press(&mut app, "j j g g");
    wait(&mut app);
    assert!(!text(&screen(&mut app, 80, 24)).contains("go to event"));
    assert_eq!(app.pending(), "");
}

#[test]
fn what_may_follow_a_count_is_what_counts() {
    let mut app = prepared(80, 24);
    press(&mut app, "1 2");
    wait(&mut app);
    let shown = text(&screen(&mut app, 80, 24));
    for part in ["12…", "down", "open"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!shown.contains("theme"), "{shown}");
    // Once the box is there, it follows at once.
    press(&mut app, "g");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("12g…") && shown.contains("go to event"),
        "{shown}"
    );
    press(&mut app, "Esc");
    assert_eq!(app.pending(), "");
    assert_eq!(app.cx.tab, Tab::Explore);
}

#[test]
fn a_click_in_the_box_runs_the_command() {
    let mut app = prepared(80, 24);
    press(&mut app, "G");
    screen(&mut app, 80, 24);
    assert!(app.cx.explore.tree.selected() > 0);
    press(&mut app, "g");
    wait(&mut app);
    let shown = text(&screen(&mut app, 80, 24));
    let (column, row) = find(&shown, "g  first");
    click(&mut app, column, row);
    assert_eq!(app.cx.explore.tree.selected(), 0);
    assert_eq!(app.pending(), "");
}

#[test]
fn the_help_begins_with_the_present_pane_and_fits() {
    let mut app = prepared(80, 24);
    press(&mut app, "?");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("Explore · tree") && shown.contains("find a row by its move"),
        "{shown}"
    );
    assert!(!shown.contains(" lines ─"), "it does not fit\n{shown}");
    insta::assert_snapshot!("help_here_80x24", shown);
    // A second `?` shows all keys, a third one leaves.
    press(&mut app, "?");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(shown.contains("Walk the tree"), "{shown}");
    press(&mut app, "?");
    assert!(app.cx.overlay.is_none());
    press(&mut app, "Tab ?");
    let shown = text(&screen(&mut app, 80, 24));
    assert!(
        shown.contains("Explore · inspector") && shown.contains("scroll down"),
        "{shown}"
    );
    press(&mut app, "Esc");
    for (tab, name) in [
        (Tab::Compare, "Compare"),
        (Tab::Game, "Game · moves"),
        (Tab::Lab, "Lab · "),
    ] {
        app.show_tab(tab);
        press(&mut app, "?");
        let shown = text(&screen(&mut app, 80, 24));
        assert!(shown.contains(name), "{shown}");
        assert!(!shown.contains(" lines ─"), "it does not fit\n{shown}");
        press(&mut app, "Esc");
    }
}

/// The labels of the palette, in their order.
fn palette(app: &App) -> Vec<String> {
    let overlay = app.cx.overlay.as_ref().expect("an overlay");
    let chooser = &overlay.of::<Choosing>().expect("the palette").chooser;
    let shown = chooser.shown().iter();
    shown.map(|s| chooser.item(s.item).label.clone()).collect()
}

#[test]
fn the_palette_begins_with_what_is_likely() {
    let mut app = prepared(80, 24);
    press(&mut app, ":");
    let all = palette(&app);
    assert_eq!(all[..3], ["restart", "open", "close"]);
    let place = |list: &[String], name: &str| list.iter().position(|l| l == name);
    // Commands of other tabs come last.
    assert!(place(&all, "theme") < place(&all, "add column"));
    let (unique, count) = (
        all.iter().collect::<std::collections::HashSet<_>>().len(),
        all.len(),
    );
    assert_eq!(unique, count);
    // What was used is first next time.
    press(&mut app, "f l i p Enter");
    assert!(app.cx.overlay.is_none());
    press(&mut app, ":");
    assert_eq!(palette(&app)[..3], ["flip", "restart", "open"]);
    assert_eq!(palette(&app).len(), count);
    press(&mut app, "Esc");
    app.show_tab(Tab::Compare);
    press(&mut app, ":");
    let here = palette(&app);
    assert!(place(&here, "add column") < place(&here, "theme"));
    assert_eq!(here[..2], ["flip", "next difference"]);
    press(&mut app, "b e s t");
    assert_eq!(palette(&app)[..2], ["best", "open best"]);
}

/// Types a word into the palette; returns the first commands that it finds.
fn found(app: &mut App, word: &str) -> Vec<String> {
    press(app, ":");
    app.paste(word);
    let labels = palette(app).into_iter().take(8).collect();
    press(app, "Esc");
    labels
}

#[test]
fn the_palette_knows_the_words_that_users_type() {
    let mut app = prepared(80, 24);
    for (word, command) in [
        ("certain", "proof"),
        ("worst", "retry"),
        ("best move", "best"),
        ("stop", "pause"),
        ("speed", "more threads"),
        ("reset", "restart"),
        ("undo", "step back"),
        ("eval", "units"),
        ("probability", "units"),
        ("mate", "proof"),
        ("prune", "find kind"),
        ("futility", "leaf search"),
        ("light", "theme"),
        ("mouse", "help"),
        ("colour", "theme"),
        ("exit", "quit"),
        ("help", "help"),
        ("depth", "more nodes"),
        ("mistakes", "review"),
        ("screenshot", "export view"),
        ("load", "open file"),
        ("home", "samples"),
        ("cores", "more threads"),
        ("perspective", "viewpoint"),
        ("clipboard", "copy fen"),
        ("reason", "why"),
    ] {
        let found = found(&mut app, word);
        assert!(found.iter().any(|f| f == command), "{word}: {found:?}");
    }
}

#[test]
fn algorithms_are_filtered_by_typing() {
    let mut app = prepared(80, 24);
    press(&mut app, "a m c t s");
    let shown = text_at(&mut app, 80, 24);
    assert!(shown.contains("> mcts"), "{shown}");
    assert!(!shown.contains("alpha-beta "), "{shown}");
    press(&mut app, "Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::Mcts);
    app.cx.stop_search();
    press(&mut app, "a z z z Enter");
    assert!(text_at(&mut app, 80, 24).contains("no matching algorithm"));
    press(&mut app, "Esc");
    assert!(app.cx.overlay.is_none());
    assert_eq!(app.cx.config.algorithm, Algorithm::Mcts);
}

#[test]
fn files_are_listed_and_completed_as_they_are_typed() {
    let folder = std::env::temp_dir().join(format!("plyscope-files-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub/deep")).expect("a folder");
    let fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n";
    for name in [
        "ends.fen",
        "notes.md",
        "sub/other.fen",
        "plain",
        ".hidden.fen",
    ] {
        std::fs::write(folder.join(name), fen).expect("written");
    }
    let mut app = prepared(80, 24);
    let typed = |app: &App| {
        let overlay = app.cx.overlay.as_ref().expect("a prompt");
        let chooser = &overlay.of::<Choosing>().expect("a list").chooser;
        let labels: Vec<String> = chooser
            .shown()
            .iter()
            .map(|s| chooser.item(s.item).label.clone())
            .collect();
        (chooser.query.clone(), labels)
    };
    let within = format!("{}/", folder.display());
    press(&mut app, "Ctrl-o");
    app.paste(&within);
    // Folders first; what can't be opened and what is hidden is left out.
    assert_eq!(typed(&app).1, ["sub/", "ends.fen"]);
    press(&mut app, ".");
    assert!(typed(&app).1.contains(&".hidden.fen".to_owned()));
    press(&mut app, "Backspace s u Tab");
    assert_eq!(
        typed(&app),
        (
            format!("{within}sub/"),
            vec!["deep/".to_owned(), "other.fen".to_owned()]
        )
    );
    // Enter goes into a folder, and opens a file.
    press(&mut app, "Enter");
    assert_eq!(typed(&app).0, format!("{within}sub/deep/"));
    press(&mut app, "Ctrl-u");
    app.paste(&format!("{within}sub/oth"));
    press(&mut app, "Enter");
    assert!(app.cx.overlay.is_none());
    assert_eq!(
        app.cx.subject.position.fen().as_deref(),
        Some(fen.trim_end())
    );
    let opened = |app: &App| {
        app.cx
            .document
            .path
            .as_ref()
            .map(|p| p.display().to_string())
    };
    assert_eq!(opened(&app), Some(format!("{within}sub/other.fen")));
    // A name that is typed whole is opened whatever it ends in; one that does not exist is told.
    press(&mut app, "Ctrl-o");
    app.paste(&format!("{within}plain"));
    press(&mut app, "Enter");
    assert_eq!(opened(&app), Some(format!("{within}plain")));
    press(&mut app, "Ctrl-o");
    app.paste(&format!("{within}nothing"));
    press(&mut app, "Enter");
    let said = &app.cx.messages.all.last().expect("a message").text;
    assert!(said.contains("nothing"), "{said}");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn what_would_be_lost_is_asked_about() {
    let mut app = prepared(80, 24);
    app.show_still(distress());
    // A short search, or one that does not run, is restarted at once.
    press(&mut app, "x");
    assert!(app.cx.overlay.is_none());
    app.cx.stop_search();
    app.run("tab-compare");
    let columns = app.tabs.compare.specs.len();
    press(&mut app, "Delete");
    let shown = text_at(&mut app, 80, 24);
    assert!(shown.contains("its search is lost"), "{shown}");
    press(&mut app, "Down Enter");
    assert_eq!(app.tabs.compare.specs.len(), columns);
    press(&mut app, "Delete Enter");
    assert_eq!(app.tabs.compare.specs.len(), columns - 1);
}
