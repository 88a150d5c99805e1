//! The Game tab: the list of games, moves with variations, the review.

use crate::tui_support;

use screen::theme::Depth;
use session::Budget;
use session::State;
use tui::app::App;
use tui::tabs::Tab;
use tui_support::game::{GAME, opened, opened_with, reviewed, san, three, with_review};
use tui_support::{click, find, press, text_at};

#[test]
fn games_are_listed_found_and_opened() {
    let mut app = opened("three.pgn", &three());
    press(&mut app, "Shift-Tab");
    let list = text_at(&mut app, 100, 24);
    for part in ["three.pgn: 3", "Ann 1800", "Botvinnik", "½–½", "1960"] {
        assert!(list.contains(part), "{part}\n{list}");
    }
    press(&mut app, "/ t a l");
    let found = text_at(&mut app, 100, 24);
    assert!(
        found.contains("1 of 3") && !found.contains("Ann"),
        "{found}"
    );
    // Cancelled: what was shown before is shown again.
    press(&mut app, "Esc");
    assert!(text_at(&mut app, 100, 24).contains("three.pgn: 3"));
    press(&mut app, "/ r e s u l t : 1 / 2 Enter Enter");
    assert_eq!((app.cx.entry, app.cx.current.plies()), (2, 3));
    // The filter stays until Esc removes it.
    press(&mut app, "Shift-Tab Esc");
    assert!(text_at(&mut app, 100, 24).contains("three.pgn: 3"));
    press(&mut app, "/ n o b o d y");
    assert!(text_at(&mut app, 100, 24).contains("no game has these words"));
}

#[test]
fn moves_and_variations_are_walked() {
    let mut app = opened("game.pgn", GAME);
    text_at(&mut app, 80, 24);
    press(&mut app, "l l");
    assert_eq!((san(&app), app.cx.ply), ("e5", 2));
    // Down into the variation below, along it, and deeper.
    press(&mut app, "j");
    assert_eq!(san(&app), "Nf3");
    press(&mut app, "h");
    assert_eq!((san(&app), app.cx.ply), ("c5", 2));
    press(&mut app, "l l");
    assert_eq!((san(&app), app.cx.ply), ("d6", 4));
    press(&mut app, "h J");
    assert_eq!((san(&app), app.cx.ply), ("c3", 3));
    // Back to where the game was left, then to its start and end.
    press(&mut app, "Esc");
    assert_eq!(san(&app), "e4");
    press(&mut app, "G");
    assert_eq!((san(&app), app.cx.ply), ("Qxf7#", 7));
    press(&mut app, "l");
    assert_eq!(app.cx.ply, 7);
    press(&mut app, "g g");
    assert_eq!((app.cx.node, app.cx.ply), (0, 0));
    assert!(app.cx.session.is_none(), "walking searches nothing");
}

/// When Explore is shown, its search follows the current move, also into variations.
#[test]
fn explore_searches_the_place_that_was_gone_to() {
    let mut app = opened("game.pgn", GAME);
    app.run("tab-explore");
    app.cx.config.limits.nodes = Some(200);
    app.cx.start_search();
    app.run("tab-game");
    text_at(&mut app, 80, 24);
    press(&mut app, "l l J J");
    assert_eq!(san(&app), "e6");
    let searched = |app: &App| {
        let reader = app.cx.session.as_ref().expect("a search").reader();
        reader
            .subject
            .is_same(&app.cx.current.subject_of(app.cx.node))
    };
    assert!(!searched(&app));
    press(&mut app, "Enter");
    assert_eq!(app.cx.tab, Tab::Explore);
    assert!(searched(&app));
    // And < and > continue along the variation there.
    press(&mut app, ">");
    assert_eq!(san(&app), "d4");
    assert!(searched(&app));
    let status = app.cx.status().map(|s| s.totals.nodes);
    app.run("tab-game");
    app.run("tab-explore");
    assert!(searched(&app) && app.cx.status().map(|s| s.totals.nodes) >= status);
}

#[test]
fn a_review_marks_the_blunder_and_leads_to_it() {
    let mut app = with_review(opened("game.pgn", GAME));
    // A lesser mark may come before it.
    press(&mut app, "Ctrl-n");
    if san(&app) != "Nf6" {
        press(&mut app, "Ctrl-n");
    }
    assert_eq!(san(&app), "Nf6");
    let picture = text_at(&mut app, 120, 36);
    for part in [
        "A alpha-beta",
        "B mcts",
        "C distress",
        "Nf6??",
        "(blunder)",
        "exp(−0.00368208 cp)",
    ] {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
    press(&mut app, "Ctrl-n");
    assert_eq!(san(&app), "Nf6", "there is no other");
    press(&mut app, "G Ctrl-p");
    assert_eq!(san(&app), "Nf6");
    // The best move of the previous position is not the one that was played.
    let reviewed = app.tabs.game.review.as_ref().expect("a review");
    let mark = reviewed.mark(0, app.cx.node).expect("a mark");
    assert_eq!((mark.kind.sign(), mark.played.san.as_str()), ("??", "Nf6"));
    assert_ne!(mark.best.san, "Nf6");
}

#[test]
fn disagreements_are_ranked_and_one_key_away() {
    let mut app = with_review(opened("game.pgn", GAME));
    press(&mut app, "g d");
    let reviewed = app.tabs.game.review.as_ref().expect("a review");
    let ranked: Vec<usize> = reviewed
        .ranked
        .iter()
        .map(|d| reviewed.line[d.ply])
        .collect();
    assert!(ranked.len() > 1);
    assert!(
        reviewed
            .ranked
            .windows(2)
            .all(|w| w[0].amount >= w[1].amount)
    );
    assert_eq!(app.cx.node, ranked[0]);
    press(&mut app, "g d");
    assert_eq!(app.cx.node, ranked[1]);
    press(&mut app, "Tab Home Enter");
    assert_eq!(app.cx.node, ranked[0]);
    let picture = text_at(&mut app, 120, 36);
    assert!(
        picture.contains("where the columns disagree most"),
        "{picture}"
    );
}

#[test]
fn another_column_judges() {
    let mut app = with_review(opened("game.pgn", GAME));
    let star = |app: &mut App| {
        let picture = text_at(app, 120, 36);
        let line = picture
            .lines()
            .find(|l| l.contains("A alpha-beta"))
            .expect("a legend")
            .to_owned();
        line.split('★').next().expect("a judge").to_owned()
    };
    assert!(!star(&mut app).contains("mcts"));
    press(&mut app, "g j");
    assert!(star(&mut app).ends_with("mcts"));
    press(&mut app, "g j g j");
    assert!(star(&mut app).ends_with("alpha-beta"));
}

#[test]
fn columns_and_budget_are_typed_and_checked() {
    let mut app = opened("game.pgn", GAME);
    press(&mut app, "a Ctrl-u m c t s : f l y = 1 Enter");
    let picture = text_at(&mut app, 120, 36);
    assert!(
        app.cx.overlay.is_some() && picture.contains("fly"),
        "{picture}"
    );
    press(&mut app, "Ctrl-u m c t s space d i s t r e s s Enter");
    assert_eq!(app.tabs.game.columns.len(), 2);
    press(&mut app, "T Ctrl-u n o n e Enter");
    assert!(app.cx.overlay.is_some());
    press(&mut app, "Ctrl-u 3 0 0 Enter");
    assert_eq!(app.tabs.game.budget, Budget::Nodes(300));
    press(&mut app, "R");
    reviewed(&mut app);
    // Another budget restarts the review, and so do fewer columns.
    press(&mut app, "T Ctrl-u 2 0 0 Enter");
    reviewed(&mut app);
    press(&mut app, "Delete Enter");
    reviewed(&mut app);
    let review = &app.tabs.game.review.as_ref().expect("a review").review;
    assert_eq!(
        (review.budget(), review.columns().len()),
        (Budget::Nodes(200), 1)
    );
    assert_eq!(review.columns()[0].to_string(), "distress");
    press(&mut app, "Delete Enter");
    assert_eq!(app.tabs.game.columns.len(), 1);
}

#[test]
fn explore_s_search_waits_for_the_review() {
    let mut app = opened("game.pgn", GAME);
    app.run("tab-explore");
    app.cx.start_search();
    app.run("tab-game");
    app.tabs.game.budget = Budget::Nodes(500);
    press(&mut app, "R");
    let state = |app: &App| app.cx.status().map(|s| s.state);
    if app.tabs.game.is_running() {
        assert_eq!(state(&app), Some(State::Paused));
    }
    reviewed(&mut app);
    app.tend();
    assert_eq!(state(&app), Some(State::Running));
    app.cx.stop_search();
}

#[test]
fn a_review_is_halted_goes_on_and_is_kept() {
    let mut app = opened("three.pgn", &three());
    app.tabs.game.budget = Budget::Nodes(20_000);
    press(&mut app, "R R");
    assert!(!app.tabs.game.is_running());
    let halted = text_at(&mut app, 120, 36);
    assert!(halted.contains("R resumes"), "{halted}");
    app.tabs.game.budget = Budget::Nodes(300);
    press(&mut app, "R");
    reviewed(&mut app);
    // Another game and back.
    press(&mut app, "} }");
    assert!(app.tabs.game.review.is_none());
    press(&mut app, "{ {");
    assert!(
        app.tabs
            .game
            .review
            .as_ref()
            .is_some_and(|r| r.review.is_complete())
    );
}

#[test]
fn nothing_is_drawn_when_nothing_is_new() {
    let mut app = with_review(opened("game.pgn", GAME));
    text_at(&mut app, 80, 24);
    app.cx.dirty = false;
    app.tend();
    assert!(!app.cx.dirty && !app.has_news() && !app.is_running());
}

#[test]
fn the_mouse_goes_to_moves_plies_and_findings() {
    let mut app = with_review(opened("game.pgn", GAME));
    let picture = text_at(&mut app, 120, 36);
    let (x, y) = find(&picture, "2...d6");
    click(&mut app, x + 2, y);
    assert_eq!(san(&app), "d6");
    // The ends of the chart are those of the game.
    let (left, axis) = find(&picture, "   loss ");
    click(&mut app, left + 8, axis);
    assert_eq!(app.cx.ply, 0);
    click(&mut app, 118, axis);
    assert_eq!(san(&app), "Qxf7#");
    let (x, y) = find(&picture, "disagree most");
    click(&mut app, x, y + 1);
    let reviewed = app.tabs.game.review.as_ref().expect("a review");
    assert_eq!(app.cx.node, reviewed.line[reviewed.ranked[0].ply]);
}

#[test]
fn what_has_no_moves_is_shown_too() {
    let samples = [
        ("empty.pgn", "[White \"Ann\"]\n[Result \"*\"]\n\n*\n"),
        (
            "one.fen",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9\n",
        ),
        (
            "two.epd",
            "8/8/8/8/8/4k3/4p3/4K3 w - - id \"a\";\n8/8/8/8/8/4k3/4p3/4K3 b - - id \"b\";\n",
        ),
        ("toy.tree", "max\na 1\nb 2\n"),
    ];
    for (name, content) in samples {
        let mut app = opened(name, content);
        for (w, h) in [(80, 24), (120, 36), (200, 50)] {
            for keys in [
                "R", "l", "j", "Ctrl-n", "g d", "g j", "e", "Tab", "G", "Esc", "g k", "y",
            ] {
                app.run("tab-game");
                press(&mut app, keys);
                let picture = text_at(&mut app, w, h);
                assert!(picture.contains("3 Game"), "{name} {keys}\n{picture}");
                app.cx.overlay = None;
            }
        }
        assert!(app.tabs.game.review.is_none(), "{name}");
    }
    let mut app = opened("two.epd", samples[2].1);
    press(&mut app, "Shift-Tab / b");
    assert!(text_at(&mut app, 80, 24).contains("1 of 2"));
}

#[test]
fn the_positions_of_a_line_are_those_of_its_nodes() {
    let text = format!("{GAME}\n1. e4 -- 2. d4 (2. Nf3 d5 3. e5) 2... d5 *\n");
    let app = opened("two.pgn", &text);
    for i in 0..2 {
        let entry = app.cx.document.entry(i).expect("a game");
        let nodes = entry.game().expect("a game").nodes.len();
        for node in 0..nodes {
            let line = entry.line_through(node);
            assert!(line.contains(&node) && line[0] == 0);
            let positions = entry.subjects_of(&line);
            assert_eq!(positions.len(), line.len());
            for (subject, &node) in positions.iter().zip(&line) {
                assert!(subject.is_same(&entry.subject_of(node)), "{i} {node}");
            }
        }
    }
}

#[test]
fn pictures_of_games() {
    let mut app = opened("three.pgn", &three());
    press(&mut app, "l l");
    picture!("game_80x24", app, 80 x 24);
    picture!("game_120x36", app, 120 x 36);
    picture!("game_200x50", app, 200 x 50);
    press(&mut app, "C Shift-Tab");
    picture!("games_80x24", app, 80 x 24);
}

#[test]
fn pictures_of_a_review() {
    let mut app = with_review(opened("three.pgn", &three()));
    press(&mut app, "Ctrl-n");
    picture!("review_80x24", app, 80 x 24);
    press(&mut app, "Tab");
    picture!("findings_80x24", app, 80 x 24);
    picture!("review_200x50", app, 200 x 50);
    let app = opened_with("three.pgn", &three(), "dark", Depth::None, true);
    let mut app = with_review(app);
    press(&mut app, "Ctrl-n");
    picture!("review_ascii_120x36", app, 120 x 36);
}

#[test]
fn ascii_is_ascii() {
    for (w, h) in [(80, 24), (120, 36), (200, 50)] {
        let app = opened_with("three.pgn", &three(), "dark", Depth::True, true);
        let mut app = with_review(app);
        for keys in [
            "Ctrl-n", "Tab", "Tab", "/", "Esc", "a", "Esc", "?", "Tab", "Esc",
        ] {
            press(&mut app, keys);
            let picture = text_at(&mut app, w, h);
            let foreign: String = picture.chars().filter(|c| !c.is_ascii()).collect();
            assert!(foreign.is_empty(), "{keys}: {foreign}\n{picture}");
        }
    }
}

/// Waits until the search has judged the guess.
fn judged(app: &mut App) {
    let begin = std::time::Instant::now();
    while app
        .tabs
        .game
        .retry
        .as_ref()
        .is_some_and(|r| r.trial.is_some())
    {
        assert!(begin.elapsed().as_secs() < 120, "no verdict");
        std::thread::sleep(std::time::Duration::from_millis(5));
        app.tend();
    }
}

#[test]
fn a_mistake_is_retried_and_the_search_judges_the_guesses() {
    use tui::tabs::game::retry::Retried;
    let mut app = with_review(opened("game.pgn", GAME));
    press(&mut app, "G Ctrl-p Q");
    assert_eq!(san(&app), "Bc4", "the position before the mistake");
    for (w, h) in [(80, 24), (120, 36), (200, 50)] {
        let picture = text_at(&mut app, w, h);
        assert!(
            picture.contains("A calls the game move a blunder."),
            "{picture}"
        );
        // Neither the move played nor the better line is told.
        for hidden in ["Nf6??", "Qxf7#", "(3...g6", "3...g6 4.", "disagree", "??"] {
            assert!(!picture.contains(hidden), "{hidden}\n{picture}");
        }
    }
    assert!(text_at(&mut app, 200, 50).contains(" hidden "));
    picture!("retry_80x24", app, 80 x 24);
    picture!("retry_120x36", app, 120 x 36);
    picture!("retry_200x50", app, 200 x 50);
    // What is not a legal move is refused.
    press(&mut app, "m x y Enter");
    assert!(app.cx.overlay.is_some());
    press(&mut app, "Esc");
    // A guess that has to be searched: it does not stop the mate either.
    press(&mut app, "m a 6 Enter");
    judged(&mut app);
    let picture = text_at(&mut app, 120, 36);
    assert!(picture.contains("3...a6 would be a blunder"), "{picture}");
    press(&mut app, "m N f 6 Enter");
    let picture = text_at(&mut app, 120, 36);
    assert!(picture.contains("which is marked"), "{picture}");
    // The better move, in the notation of UCI.
    press(&mut app, "m g 7 g 6 Enter");
    judged(&mut app);
    let picture = text_at(&mut app, 120, 36);
    assert!(picture.contains("3...g6 is"), "{picture}");
    assert!(
        picture.contains("Nf6??") && picture.contains("Best line:"),
        "{picture}"
    );
    assert!(
        picture.contains("1 of 1 solved, 0 on the first try"),
        "{picture}"
    );
    assert_eq!(app.tabs.game.retried(5), Some(Retried::Solved(3)));
    // Another guess, out of curiosity, changes nothing.
    press(&mut app, "m h 6 Enter");
    judged(&mut app);
    assert!(text_at(&mut app, 120, 36).contains("3...h6 would be"));
    assert_eq!(app.tabs.game.retried(5), Some(Retried::Solved(3)));
    press(&mut app, "Esc");
    assert!(app.tabs.game.retry.is_none());
    assert_eq!(san(&app), "Nf6");
    // Once more, now by choosing a row, then given up; the first time counts.
    press(&mut app, "Q End Enter");
    judged(&mut app);
    let retry = app.tabs.game.retry.as_ref().expect("a retry");
    assert_eq!((retry.guesses.len(), retry.is_over()), (1, false));
    press(&mut app, "Esc");
    assert!(text_at(&mut app, 120, 36).contains("Best line:"));
    assert_eq!(app.tabs.game.retried(5), Some(Retried::Solved(3)));
    // Who goes on in the game has left the retry.
    press(&mut app, "Esc Q Tab l");
    assert!(app.tabs.game.retry.is_none());
}

#[test]
fn a_game_without_a_review_has_nothing_to_retry() {
    let mut app = opened("game.pgn", GAME);
    press(&mut app, "Q m");
    assert!(app.tabs.game.retry.is_none() && app.cx.overlay.is_none());
    let mut app = with_review(app);
    // Away from the marks it begins with the worst one, and goes on until all were retried.
    let marks = |app: &App| {
        let reviewed = app.tabs.game.review.as_ref().expect("a review");
        reviewed.marks[0].clone()
    };
    text_at(&mut app, 120, 36);
    let all = marks(&app);
    let mut losses = Vec::new();
    let mut plies = Vec::new();
    for _ in 0..all.iter().flatten().count() {
        app.cx.go_to_node(0);
        press(&mut app, "Q");
        let retry = app.tabs.game.retry.as_ref().expect("a retry");
        losses.push(retry.mark.loss.drop);
        plies.push(retry.ply);
        press(&mut app, "Esc Esc");
    }
    plies.sort_unstable();
    let marked: Vec<usize> = (0..all.len()).filter(|&ply| all[ply].is_some()).collect();
    assert_eq!(plies, marked);
    assert!(
        !losses.is_empty() && losses.is_sorted_by(|a, b| a >= b),
        "{losses:?}"
    );
    app.cx.go_to_node(0);
    press(&mut app, "Q");
    assert!(app.tabs.game.retry.is_none());
    let said = &app.cx.messages.all.last().expect("a message").text;
    assert!(said.contains("all mistakes retried: 0 of"), "{said}");
}

#[test]
fn the_summary_tells_phases_and_sides_apart() {
    let mut app = with_review(opened("game.pgn", GAME));
    let picture = text_at(&mut app, 120, 36);
    let reviewed = app.tabs.game.review.as_ref().expect("a review");
    let [white, black] = reviewed.summaries[0].whole;
    assert!(white.accuracy() > black.accuracy(), "{white:?} {black:?}");
    assert_eq!(black.marks[2], 1);
    assert!(picture.contains("White  96 %  0?! 0? 0??"), "{picture}");
    let picture = text_at(&mut app, 200, 50);
    assert!(
        picture.contains("White ?!  ? ??   Black ?!  ? ??"),
        "{picture}"
    );
}

/// What is corrected in a file, and what is left out of it, is told on opening.
#[test]
fn what_is_wrong_in_a_file_is_told_on_opening() {
    let said = |app: &App| {
        app.cx
            .messages
            .all
            .iter()
            .map(|m| m.text.clone())
            .collect::<Vec<_>>()
    };
    let broken = "[Event \"x\"]\n[WhiteElo 2400]\n\n1. e4 *\n";
    let told = "broken.pgn:2: \"[WhiteElo 2400]\" is not a valid tag: read as [WhiteElo \"2400\"]";
    let app = opened("broken.pgn", broken);
    assert!(
        said(&app).last().is_some_and(|last| last.ends_with(told)),
        "{:?}",
        said(&app)
    );
    assert_eq!(app.cx.current.plies(), 1);
    // Pasted, with a first game that has no start position.
    let mut app = opened("game.pgn", GAME);
    app.paste(&format!(
        "[FEN 4k3/8/8/8/8/8/8/8 w - - 0 1]\n\n1. e4 *\n\n{broken}"
    ));
    assert_eq!((app.cx.entry, app.cx.current.plies()), (1, 1));
    let said = said(&app);
    let second = "pasted text:6: game 2: \"[WhiteElo 2400]\"";
    for told in [
        "pasted text:1: game 1: found 0 white and 1 black kings",
        second,
    ] {
        assert!(
            said.iter().any(|said| said.starts_with(told)),
            "{told}: {said:?}"
        );
    }
}

/// A tag with a FEN is a position where one is expected.
#[test]
fn a_pasted_fen_tag_is_its_position() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for tag in [format!("[FEN \"{fen}\"]"), format!("[FEN {fen}]")] {
        let mut app = opened("game.pgn", GAME);
        app.paste(&tag);
        assert_eq!(app.cx.subject.position.fen().as_deref(), Some(fen), "{tag}");
    }
}
