//! The unit and the viewpoint of scores: every pane obeys them, and all figures about a move agree.

use crate::tui_support;

use algorithms::Algorithm;
use game::load::fen;
use games::Document;
use report::lens::{Lens, Unit, Viewpoint};
use session::Budget;
use studies::compare::ColumnSpec;
use tui::app::App;
use tui_support::toy::{searched, settle, wait};
use tui_support::{press, screen, text};

/// White is a rook and a pawn up, whatever either side plays first: every score is good for White.
const AHEAD: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1";
const GAME: &str =
    "[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ra7 Kd8 2. Kd2 Kc8 *\n";

fn ahead(algorithm: Algorithm) -> App {
    let read = fen::parse(AHEAD).expect("a FEN");
    let document = Document::position("a rook up", read.position);
    searched(document, algorithm, false)
}

/// Returns the signs of the scores in a text: `+0.42`, `−.31`, `≤#3`, `46/38/16`. Numbers without a sign are no scores.
fn signs(text: &str) -> Vec<(char, String)> {
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "│,;()".contains(c)) {
        let word = word
            .trim_start_matches(['≤', '≥'])
            .trim_end_matches(['.', ':']);
        let shares: Vec<i32> = word.split('/').filter_map(|n| n.parse().ok()).collect();
        if let [win, _, loss] = shares[..]
            && shares.iter().sum::<i32>() == 100
        {
            // A draw has no sign.
            if win != loss {
                found.push((if win > loss { '+' } else { '−' }, word.to_owned()));
            }
            continue;
        }
        let (sign, rest) = match word.chars().next() {
            Some(sign @ ('+' | '−')) => (sign, &word[sign.len_utf8()..]),
            Some('#') => ('+', word),
            _ => continue,
        };
        let decimals = rest.split_once('.').is_some_and(|(whole, decimals)| {
            whole.chars().all(|c| c.is_ascii_digit())
                && decimals.len() == 2
                && decimals.chars().all(|c| c.is_ascii_digit())
        });
        if decimals || rest.starts_with('#') {
            found.push((sign, word.to_owned()));
        }
    }
    found
}

/// Asserts that there are scores, all of this sign and in the lens's unit.
fn agree(lens: Lens, shown: &str, sign: char, least: usize) {
    // Quantiles of a belief are expected scores where shares of games have none.
    let quantiles = |line: &&str| lens.unit == Unit::Outcomes && line.contains("5/50/95");
    let shown: String = shown
        .lines()
        .filter(|l| !quantiles(l))
        .map(|l| l.to_owned() + "\n")
        .collect();
    let found = signs(&shown);
    assert!(found.len() >= least, "{lens:?} {found:?}\n{shown}");
    for (seen, word) in &found {
        assert_eq!(*seen, sign, "{lens:?} {word}\n{shown}");
        let right = match lens.unit {
            Unit::Outcomes => word.contains(['/', '#']),
            Unit::Pawns => !word.contains('/'),
            _ => word.contains('#') || word[sign.len_utf8()..].parse().is_ok_and(|e: f32| e <= 1.0),
        };
        assert!(right, "{lens:?} {word}\n{shown}");
    }
}

fn lenses() -> impl Iterator<Item = Lens> {
    let units = Unit::ALL.into_iter();
    units.flat_map(|unit| Viewpoint::SHOWN.map(|viewpoint| Lens { unit, viewpoint }))
}

#[test]
fn in_explore_all_scores_have_one_sign_from_one_side() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Mcts] {
        let mut app = ahead(algorithm);
        screen(&mut app, 200, 50);
        press(&mut app, "j l j D");
        for lens in lenses() {
            app.cx.lens = lens;
            let shown = text(&screen(&mut app, 200, 50));
            if lens.viewpoint != Viewpoint::Mover {
                agree(lens, &shown, '+', 20);
            }
        }
    }
}

#[test]
fn a_reply_s_row_sentence_inspector_and_log_agree() {
    let mut app = ahead(Algorithm::AlphaBeta);
    screen(&mut app, 160, 40);
    press(&mut app, "j l j");
    let (row, reader) = app.cx.selected().expect("a reply");
    assert_eq!(row.depth, 2);
    let rows = reader.rows(row.parent);
    let own = rows
        .iter()
        .find(|r| r.move_code == row.code)
        .expect("its row");
    let events: Vec<_> = lenses()
        .map(|lens| (lens, lens.why(&reader, own)))
        .collect();
    for (lens, sentence) in events {
        let sign = match lens.viewpoint {
            Viewpoint::Mover => '−',
            _ => '+',
        };
        agree(lens, &sentence, sign, 1);
        app.cx.lens = lens;
        press(&mut app, "h l j");
        let shown = text(&screen(&mut app, 160, 40));
        // The inspector's headline names the side.
        let side = if sign == '+' {
            "for White"
        } else {
            "for Black"
        };
        assert!(shown.contains(side), "{shown}");
        let headline = shown.lines().find(|line| line.contains(side)).expect("it");
        let part = headline.rsplit_once(side).expect("it").0;
        let begin = part.rfind('│').map_or(0, |at| at + '│'.len_utf8());
        agree(lens, &part[begin..], sign, 1);
    }
}

#[test]
fn the_log_and_the_dock_obey() {
    let mut app = ahead(Algorithm::AlphaBeta);
    screen(&mut app, 200, 50);
    press(&mut app, "D");
    press(&mut app, "s");
    settle(&mut app);
    press(&mut app, "4 0 0 s");
    settle(&mut app);
    for lens in lenses().filter(|lens| lens.viewpoint != Viewpoint::Mover) {
        app.cx.lens = lens;
        let session = app.cx.session.as_ref().expect("a search");
        let reader = session.reader();
        let log: Vec<_> = session
            .with_log(|log| (1..=300).filter_map(|n| log.get(n).cloned()).collect())
            .unwrap_or_default();
        assert!(log.len() > 100);
        for event in &log {
            let (line, sentence) = (lens.event_line(&reader, event), lens.event(&reader, event));
            agree(lens, &line, '+', 0);
            agree(lens, &sentence, '+', 0);
            assert!(!sentence.contains("Black's view"), "{sentence}");
        }
        agree(lens, &text(&screen(&mut app, 200, 50)), '+', 10);
    }
}

#[test]
fn compare_obeys() {
    let mut app = ahead(Algorithm::Distress);
    let spec = |text: &str| ColumnSpec::parse(text, &app.cx.config).expect(text);
    app.tabs.compare.specs = vec![spec("alpha-beta"), spec("mcts")];
    app.tabs.compare.budget = Budget::Nodes(2_000);
    app.run("tab-compare");
    wait("the columns", || {
        app.tend();
        !app.is_running() && !app.is_stepping()
    });
    app.tabs.compare.outline.touch();
    screen(&mut app, 200, 50);
    press(&mut app, "l j");
    for lens in lenses().filter(|lens| lens.viewpoint != Viewpoint::Mover) {
        app.cx.lens = lens;
        let shown = text(&screen(&mut app, 200, 50));
        agree(lens, &shown, '+', 10);
        let view = match lens.viewpoint {
            Viewpoint::White => "White's view",
            _ => "root's view (White)",
        };
        assert!(shown.contains(view), "{shown}");
    }
}

#[test]
fn the_review_obeys() {
    let mut app = tui_support::game::opened("ahead.pgn", GAME);
    app.tabs.game.budget = Budget::Nodes(300);
    app.run("review");
    tui_support::game::reviewed(&mut app);
    press(&mut app, "l");
    for unit in Unit::ALL {
        let lens = Lens {
            unit,
            viewpoint: Viewpoint::White,
        };
        app.cx.lens = lens;
        let shown = text(&screen(&mut app, 200, 50));
        let review: String = shown
            .lines()
            .filter(|line| line.contains("alpha-beta") || line.contains(" d"))
            .collect::<Vec<_>>()
            .join("\n");
        agree(lens, &review, '+', 1);
        assert!(shown.contains(unit.name()), "{shown}");
    }
}

#[test]
fn keys_turn_the_unit_and_the_view_and_the_screen_names_them() {
    let mut app = ahead(Algorithm::AlphaBeta);
    screen(&mut app, 120, 36);
    let mut seen = Vec::new();
    for key in ["U", "U", "U", "V", "V", "V"] {
        press(&mut app, key);
        let shown = text(&screen(&mut app, 200, 50));
        let top = shown.lines().next().unwrap_or_default().to_owned();
        assert!(top.contains(&app.cx.lens_words()), "{top}");
        for (width, height) in [(80, 24), (120, 36)] {
            let shown = text(&screen(&mut app, width, height));
            assert!(shown.contains(&app.cx.view_words()), "{shown}");
            assert!(shown.contains(app.cx.lens.unit.heading()), "{shown}");
        }
        seen.push(app.cx.lens_words());
    }
    assert_eq!(
        seen,
        [
            "expected score, White's view",
            "win/draw/loss, White's view",
            "pawns, White's view",
            "pawns, root's view (White)",
            "pawns, mover's view",
            "pawns, White's view",
        ]
    );
}

#[test]
fn a_toy_tree_keeps_its_unit_and_max_s_view() {
    let mut app = tui_support::toy::finished("textbook.tree", Algorithm::AlphaBeta, false);
    press(&mut app, "d");
    let before = text(&screen(&mut app, 120, 36));
    press(&mut app, "U V");
    assert_eq!(app.cx.lens, Lens::default());
    assert_eq!(app.cx.lens_words(), "file's unit, Max's view");
    assert!(before.contains("Max's view"), "{before}");
    // A, which Max plays and Min answers, is worth as much in both rows.
    let row = before
        .lines()
        .find(|l| l.contains(" A "))
        .unwrap_or_default();
    assert!(row.contains("+3"), "{before}");
}

/// What the screens look like in each unit, at three sizes.
#[test]
fn the_same_search_through_other_lenses() {
    for (name, keys) in [("expected_mover", "U V V"), ("wdl_root", "U U V")] {
        let mut app = tui_support::app();
        app.show_still(tui_support::distress());
        screen(&mut app, 120, 36);
        press(&mut app, &format!("j l j {keys}"));
        for (width, height) in [(80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, width, height));
            insta::assert_snapshot!(format!("{name}_{width}x{height}"), shown);
        }
    }
}

/// A tree with a reply of Black's selected, seen through a lens.
fn reply_selected(viewpoint: Viewpoint) -> App {
    let mut app = tui_support::app();
    app.show_still(tui_support::distress());
    app.cx.lens.viewpoint = viewpoint;
    screen(&mut app, 120, 36);
    press(&mut app, "j l j");
    app
}

#[test]
fn the_board_s_number_is_that_of_the_selected_row() {
    let numbers = Viewpoint::SHOWN.map(|viewpoint| {
        let mut app = reply_selected(viewpoint);
        let shown = text(&screen(&mut app, 120, 36));
        let (line, _) = app
            .selected_line()
            .rsplit_once(' ')
            .map_or_else(Default::default, |(a, b)| (b.to_owned(), a.to_owned()));
        let name = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let row = shown.lines().find(|l| l.contains(&format!("▸ {name} ")));
        let row = row.unwrap_or_else(|| panic!("{name}\n{shown}"));
        // On the lower edge of the board: the arrows, then the number.
        let edge = shown.lines().find(|l| l.contains("─ ★ ")).expect("an edge");
        let number = signs(edge).pop().unwrap_or_else(|| panic!("{edge}")).1;
        assert!(row.contains(&number), "{viewpoint:?} {number}\n{shown}");
        number
    });
    // It is White's move at the root, and Black's reply.
    assert_eq!(numbers[0], numbers[1]);
    assert_ne!(numbers[0], numbers[2]);
}

#[test]
fn a_drawing_of_a_game_obeys_the_viewpoint() {
    let notes = Viewpoint::SHOWN.map(|viewpoint| {
        let mut app = reply_selected(viewpoint);
        press(&mut app, "d");
        let shown = text(&screen(&mut app, 200, 50));
        let name = app.selected_line();
        let name = name.rsplit([' ', '.']).next().expect("a name").to_owned();
        let note = format!("─ {name} ");
        let note = shown.lines().find_map(|l| l.split_once(&note)).map(|l| l.1);
        let note = note.unwrap_or_else(|| panic!("{name}\n{shown}"));
        note.split([' ', '±']).next().expect("a value").to_owned()
    });
    assert_eq!(notes[0], notes[1]);
    // Black's view of Black's reply is the opposite one.
    let amount = |note: &str| note.trim_start_matches(['+', '−']).to_owned();
    assert_eq!(amount(&notes[0]), amount(&notes[2]));
    assert_ne!(notes[0], notes[2]);
}

#[test]
fn the_header_names_unit_and_view_at_every_width() {
    for lens in lenses() {
        let mut app = tui_support::app();
        app.show_still(tui_support::alpha_beta());
        app.cx.lens = lens;
        for (width, height) in [(60, 20), (80, 24), (120, 36), (200, 50)] {
            let shown = text(&screen(&mut app, width, height));
            let header = shown.lines().next().expect("a header");
            let names = |what: &str| header.contains(what);
            let (unit, view) = match lens.viewpoint {
                Viewpoint::White => (lens.unit.heading(), "White"),
                Viewpoint::Root => (lens.unit.heading(), "root"),
                _ => (lens.unit.heading(), "mover"),
            };
            let unit = unit.trim_end_matches(" %");
            let long = names(lens.unit.name()) && names(view);
            assert!(long || names(&format!("{unit}·{view}")), "{header}");
            assert!(names("node limit"), "{header}");
        }
    }
}
