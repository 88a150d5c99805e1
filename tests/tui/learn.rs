//! The Learn tab: every lesson on the smallest screen, with right and wrong answers; leaving, exploring, reloading; the
//! quiz.

use crate::tui_support;

use std::time::{Duration, Instant};

use algorithms::Algorithm;
use games::samples;
use studies::lesson::Kind;
use tui::app::App;
use tui::panes::Pane;
use tui::tabs::Tab;
use tui_support::{app, press, screen, text};

/// Tends the search until nothing is running, drawing as the loop does.
pub(crate) fn settle(app: &mut App) {
    let since = Instant::now();
    loop {
        app.tend();
        let _ = screen(app, 80, 24);
        if !app.is_stepping() {
            return;
        }
        assert!(since.elapsed() < Duration::from_secs(120), "no end");
        std::thread::sleep(Duration::from_micros(200));
    }
}

pub(crate) fn pressed(app: &mut App, keys: &str) {
    for key in keys.split(' ') {
        press(app, key);
        settle(app);
    }
}

pub(crate) fn shown(app: &mut App) -> String {
    text(&screen(app, 80, 24))
}

/// Returns the list with a lesson of this file selected.
pub(crate) fn choose(app: &mut App, name: &str) {
    app.show_tab(Tab::Learn);
    let lessons = &app.tabs.learn.shelf().lessons;
    let at = lessons.iter().position(|listed| listed.name == name);
    let at = at.expect("the lesson");
    app.tabs.learn.list.selected = at;
}

/// Answers the question on the screen until it is judged: a wrong first guess has a second try.
pub(crate) fn answer(app: &mut App) {
    guess(app);
    if app.cx.reading.quiz.is_none() && app.cx.reading.asked().is_some_and(|a| a.1.is_none()) {
        let hinted = app
            .cx
            .reading
            .playing
            .as_ref()
            .is_some_and(|p| p.is_hinted());
        assert!(hinted, "{}", shown(app));
        let picture = shown(app);
        assert!(
            picture.contains(" is not right.") && picture.contains("Hint: "),
            "{picture}"
        );
        assert!(!picture.contains(" for more"), "{picture}");
        guess(app);
    }
}

/// Guesses once, whatever the right answer is.
fn guess(app: &mut App) {
    let kind = app.cx.reading.asked().expect("a question").0.kind.clone();
    match kind {
        Kind::Row(_) => {
            app.cx.explore.focus = Pane::Tree;
            if app
                .cx
                .explore
                .tree
                .selected_row()
                .is_some_and(|r| r.parent.is_none())
            {
                app.cx
                    .explore
                    .tree
                    .with_list(|list, count| list.walk(1, count));
            }
            pressed(app, "Enter");
        }
        Kind::Number { .. } => pressed(app, "1 Enter"),
        Kind::Choice(_) => pressed(app, "1"),
    }
}

/// Returns what is on the screen beside the text of a lesson, without the bottom line.
fn beside_text(app: &mut App, width: u16, height: u16) -> String {
    let picture = text(&screen(app, width, height));
    let left = usize::from((width * 36 / 100).clamp(38, 64));
    let lines = picture.lines().take(usize::from(height) - 1);
    let lines = lines.map(|line| line.chars().skip(left).collect::<String>());
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether something beside the text marks a best move: a row, an arrow, or a line of the drawing.
fn marks_best(picture: &str) -> bool {
    // A margin on the value axis is a thick line too.
    let drawn = picture.contains(['△', '▽']);
    picture.contains(['★', '┏', '┓']) || drawn && picture.contains('━')
}

/// Checks that nothing beside the text tells the answer to the open question.
fn tells_nothing(app: &mut App) {
    use studies::lesson::Fact;
    use studies::lesson::answer::Answer;
    use studies::lesson::script::{Script, begin, still};

    let playing = app.cx.reading.playing.as_ref().expect("a lesson");
    let (lesson, step) = (playing.lesson.clone(), playing.step);
    let question = playing.question().expect("a question").clone();
    let name = format!("{}: step {}", lesson.name, step + 1);
    // The answer, found by another search.
    let mut session = begin(lesson.setup_of(step).expect("a setup"));
    let mut script = Script::to_step(&lesson, step, true);
    while !script.is_done() {
        session.tend();
        script.tend(&mut session).expect("it comes to its stop");
    }
    let right = question.answer(&still(&session)).expect("an answer");
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let picture = beside_text(app, width, height);
        assert!(!marks_best(&picture), "{name}\n{picture}");
        for words in [
            "best line",
            "of the replies",
            "to the replies",
            "below the replies",
        ] {
            assert!(!picture.contains(words), "{name}: {words}\n{picture}");
        }
    }
    if let Answer::Row { parent, m } = right {
        let row = app.cx.explore.tree.selected_row().expect("a row");
        assert_ne!((row.parent, row.code), (parent, m), "{name}: selected");
        // Rows by name: their order tells nothing.
        let rows = app.cx.explore.tree.rows().iter();
        let siblings: Vec<&str> = rows
            .filter(|r| r.parent == parent)
            .filter_map(|r| app.cx.explore.tree.names(parent)?.get(r.code))
            .collect();
        let mut sorted = siblings.clone();
        sorted.sort_unstable();
        if !app.cx.is_drawn() {
            assert_eq!(siblings, sorted, "{name}");
        }
    }
    if let Kind::Number { measure, .. } = &question.kind {
        let reads = |word| measure.text().contains(word);
        assert!(
            !reads("policy of") || !app.cx.reading.shows(Fact::Policy),
            "{name}"
        );
    }
}

/// Text and question fit beside the tree on 80x24, and so do the question and the text after it. While a question is
/// open, nothing tells its answer.
#[test]
fn every_lesson_can_be_gone_through_on_the_smallest_screen() {
    let mut app = app();
    app.show_tab(Tab::Learn);
    let count = app.tabs.learn.shelf().lessons.len();
    let mut marked = 0;
    for lesson in 0..count {
        app.open_lesson(lesson);
        settle(&mut app);
        // The message that the lesson before is done goes with the next key.
        app.cx.messages.fresh = false;
        let playing = app.cx.reading.playing.as_ref().expect("a lesson");
        let (name, steps) = (playing.lesson.name.clone(), playing.lesson.steps.len());
        for step in 0..steps {
            let picture = shown(&mut app);
            assert!(
                picture.contains(&format!("step {} of {steps}", step + 1)),
                "{picture}"
            );
            assert!(
                !picture.contains(" for more"),
                "{name}: step {}\n{picture}",
                step + 1
            );
            assert!(!app.cx.has_wandered(), "{name}: step {}", step + 1);
            if app.cx.reading.asked().is_some() {
                tells_nothing(&mut app);
                answer(&mut app);
                marked += usize::from(marks_best(&beside_text(&mut app, 200, 50)));
                let picture = shown(&mut app);
                let judged = app.cx.reading.asked().and_then(|a| a.1).is_some();
                assert!(judged, "{name}: step {}\n{picture}", step + 1);
                assert!(
                    !picture.contains(" for more"),
                    "{name}: answer {}\n{picture}",
                    step + 1
                );
            }
            pressed(&mut app, "Enter");
        }
        assert!(
            app.cx.reading.playing.is_none() && app.cx.tab == Tab::Learn,
            "{name} has ended"
        );
        assert!(
            app.tabs.learn.progress.of(&name).is_some_and(|r| r.done),
            "{name}"
        );
    }
    assert!(
        marked > 50,
        "{marked}: an answered question shows best moves"
    );
}

#[test]
fn the_list_and_a_lesson_look_well() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    picture!("list_80x24", app, 80 x 24);
    pressed(&mut app, "Enter");
    picture!("first_step_80x24", app, 80 x 24);
    pressed(&mut app, "Enter");
    picture!("question_200x50", app, 200 x 50);
    answer(&mut app);
    picture!("answered_80x24", app, 80 x 24);
    pressed(&mut app, "?");
    picture!("terms_80x24", app, 80 x 24);
}

#[test]
fn what_was_explored_before_is_there_again() {
    let mut app = app();
    app.tabs.game.open_document(
        &mut app.cx,
        samples::find("figure1.tree")
            .expect("a sample")
            .open()
            .expect("it opens"),
    );
    app.cx.start_search();
    let before = app.cx.session.as_ref().expect("a search").reader().tree as *const _;
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter");
    assert_eq!(app.cx.config.algorithm, Algorithm::AlphaBeta);
    pressed(&mut app, "Enter Esc");
    assert!(app.cx.reading.playing.is_none());
    let after = app.cx.session.as_ref().expect("a search").reader().tree as *const _;
    assert_eq!(before, after);
    assert_eq!(app.cx.config.algorithm, Algorithm::Distress);
    // It continues where it was left.
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter");
    assert_eq!(app.cx.reading.playing.as_ref().expect("a lesson").step, 1);
}

#[test]
fn who_wanders_off_comes_back_by_x() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter Enter");
    let stood = app.cx.explore.debug.stop.clone().expect("a stop").number;
    pressed(&mut app, "s s");
    assert!(app.cx.has_wandered());
    assert_eq!(app.cx.tab, Tab::Learn, "stepping stays beside the text");
    assert!(shown(&mut app).contains("wandered"));
    // An answer from elsewhere does not count.
    guess(&mut app);
    assert!(app.cx.reading.asked().is_some_and(|a| a.1.is_none()));
    assert_eq!(
        app.cx.explore.debug.stop.clone().expect("a stop").number,
        stood
    );
    pressed(&mut app, "s x");
    assert!(!app.cx.has_wandered());
    assert_eq!(
        app.cx.explore.debug.stop.clone().expect("a stop").number,
        stood
    );
    // To another tab and back.
    app.show_tab(Tab::Explore);
    app.show_tab(Tab::Learn);
    assert!(app.cx.reading.playing.is_some() && !app.cx.has_wandered());
    pressed(&mut app, "Backspace");
    assert_eq!(app.cx.reading.playing.as_ref().expect("a lesson").step, 0);
}

pub(crate) const OWN: &str = "---\ntitle: Mine\nteaches: x\nminutes: 1\nsources: s\n---\n## One\n```setup\nsample: textbook.tree\nalgorithm: alpha-beta\n```\nFirst words.\n## Two\n```run\nto: end\n```\nIt is {value of root}.\n```question\nask: How many?\nnumber: leaves\n```\nSeen.\n";

#[test]
fn an_own_lesson_is_read_again_when_it_changes_and_kept_when_it_breaks() {
    let file = std::env::temp_dir().join(format!("plyscope-lesson-{}.md", std::process::id()));
    std::fs::write(&file, OWN).expect("written");
    let mut app = app();
    app.open_own_lesson(&file).expect("a lesson");
    settle(&mut app);
    pressed(&mut app, "Enter 7 Enter");
    let picture = shown(&mut app);
    assert!(
        picture.contains("Right: 7.") && picture.contains("Seen."),
        "{picture}"
    );
    std::fs::write(
        &file,
        OWN.replace("Seen.", "Other words.").replace("It is", "Now"),
    )
    .expect("written");
    app.cx.reload_lesson();
    settle(&mut app);
    let picture = shown(&mut app);
    assert!(
        picture.contains("Now 3.") && picture.contains("step 2 of 2"),
        "{picture}"
    );
    assert!(
        app.cx.reading.asked().is_some_and(|a| a.1.is_none()),
        "asked again"
    );
    std::fs::write(&file, OWN.replace("to: end", "to: ond")).expect("written");
    app.cx.reload_lesson();
    let told = app.cx.messages.all.last().expect("a message").text.clone();
    assert!(
        told.contains(":15:5: found \"ond\"") && told.contains("the old is kept"),
        "{told}"
    );
    assert!(shown(&mut app).contains("Now 3."));
    let _ = std::fs::remove_file(&file);
    assert!(
        app.open_own_lesson(&file)
            .is_err_and(|e| e.contains("cannot be read"))
    );
    // None of it is recorded as learnt.
    assert_eq!(app.tabs.learn.progress.of(&file.to_string_lossy()), None);
}

#[test]
fn the_quiz_asks_on_any_algorithm_and_the_search_answers() {
    for algorithm in [
        Algorithm::AlphaBeta,
        Algorithm::ProbAlphaBeta,
        Algorithm::Mcts,
        Algorithm::Distress,
    ] {
        for sample in ["textbook.tree", "quiet-middlegame.fen"] {
            let mut app = app();
            let found = samples::find(sample).expect("a sample");
            app.cx.config.algorithm = algorithm;
            app.cx.config.options = algorithm.default_options();
            app.cx.config.limits.nodes = Some(5000);
            app.tabs
                .game
                .open_document(&mut app.cx, found.open().expect("it opens"));
            pressed(&mut app, "Q");
            // If a search ends before the answer is known, the quiz asks something else.
            for _ in 0..6 {
                let asked = app.cx.reading.asked().is_some();
                assert!(asked, "{algorithm} {sample}: {}", shown(&mut app));
                answer(&mut app);
                if app.cx.reading.asked().is_some_and(|a| a.1.is_some()) {
                    pressed(&mut app, "Enter");
                }
            }
            let quiz = app.cx.reading.quiz.as_ref().expect("a quiz");
            assert!(quiz.asked > 1, "{algorithm} {sample}: {}", quiz.asked);
            pressed(&mut app, "Esc");
            assert!(app.cx.reading.quiz.is_none() && app.cx.tab == Tab::Explore);
        }
    }
}

/// Nothing that is selected or drawn tells the answer while a question is open.
#[test]
fn an_open_question_shows_neither_the_best_move_nor_its_answer() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter Enter");
    let row = app.cx.explore.tree.selected_row().expect("a row");
    assert!(row.parent.is_none(), "the root is selected");
    // To the question which move Max chooses, when all values are known.
    while !shown(&mut app).contains("Which move does Max choose?") {
        if app.cx.reading.asked().is_some() {
            answer(&mut app);
        }
        pressed(&mut app, "Enter");
    }
    let best = |app: &mut App| {
        let picture = screen(app, 200, 50);
        text(&picture).contains('━')
    };
    assert!(!best(&mut app), "{}", shown(&mut app));
    app.cx
        .explore
        .tree
        .with_list(|list, count| list.walk(1, count));
    pressed(&mut app, "Enter");
    assert!(best(&mut app), "{}", shown(&mut app));
}

#[test]
fn a_wrong_guess_has_a_second_try_with_a_hint() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter Enter");
    let stood = app.cx.explore.debug.stop.clone().expect("a stop").number;
    // The hint can be asked for before.
    assert!(!shown(&mut app).contains("Hint: "));
    pressed(&mut app, "H");
    assert!(shown(&mut app).contains("Hint: "));
    // Not a1, where the search is.
    app.cx
        .explore
        .tree
        .with_list(|list, count| list.walk(1, count));
    app.cx
        .explore
        .tree
        .with_list(|list, count| list.walk(1, count));
    pressed(&mut app, "Enter");
    let picture = shown(&mut app);
    assert!(picture.contains(" is not right. Try again."), "{picture}");
    assert!(app.cx.reading.asked().is_some_and(|a| a.1.is_none()));
    let now = app.cx.explore.debug.stop.clone().expect("a stop").number;
    assert_eq!(now, stood, "the search on the screen has not moved");
    picture!("second_try_80x24", app, 80 x 24);
    guess(&mut app);
    assert!(app.cx.reading.asked().is_some_and(|a| a.1.is_some()));
}

/// Lesson 1 shows no windows, iterations and quiescence.
#[test]
fn a_lesson_shows_only_what_it_has_introduced() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter");
    let steps = app
        .cx
        .reading
        .playing
        .as_ref()
        .expect("a lesson")
        .lesson
        .steps
        .len();
    for step in 0..steps {
        for (w, h) in [(80, 24), (120, 36), (200, 50)] {
            let picture = text(&screen(&mut app, w, h));
            for word in [
                "[−∞",
                "∞]",
                "window",
                "quiescence",
                "iteration",
                "nodes",
                "share",
                "inspector",
                "events",
            ] {
                assert!(!picture.contains(word), "step {step}: {word}\n{picture}");
            }
        }
        if app.cx.reading.asked().is_some() {
            answer(&mut app);
        }
        pressed(&mut app, "Enter");
    }
    // Explore and later lessons show everything.
    choose(&mut app, "07-square-root.md");
    pressed(&mut app, "Enter");
    let picture = text(&screen(&mut app, 200, 50));
    assert!(picture.contains("nodes"), "{picture}");
}

#[test]
fn a_lesson_is_resumed_at_its_step_with_its_score() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter Enter");
    answer(&mut app);
    let score = app.cx.reading.playing.as_ref().expect("a lesson").score();
    assert_eq!(score.0, 1);
    pressed(&mut app, "Enter Esc");
    assert!(
        shown(&mut app).contains("at step 3 of"),
        "{}",
        shown(&mut app)
    );
    pressed(&mut app, "Enter");
    let playing = app.cx.reading.playing.as_ref().expect("a lesson");
    assert_eq!((playing.step, playing.score()), (2, score));
}

#[test]
fn a_lesson_is_presented_to_a_class() {
    let mut app = app();
    choose(&mut app, "01-minimax.md");
    pressed(&mut app, "Enter F5");
    let picture = text(&screen(&mut app, 120, 36));
    assert!(!picture.contains("Backspace step back"), "{picture}");
    assert!(!picture.contains("alpha-beta"), "{picture}");
    picture!("presented_120x36", app, 120 x 36);
    // A click on the text goes on.
    let (x, y) = tui_support::find(&picture, "This is a game tree");
    tui_support::click(&mut app, x, y);
    settle(&mut app);
    assert_eq!(app.cx.reading.playing.as_ref().expect("a lesson").step, 1);
    pressed(&mut app, "F5");
    assert!(
        shown(&mut app).contains("Enter answer"),
        "{}",
        shown(&mut app)
    );
}

#[test]
fn the_first_lesson_shows_no_word_that_it_has_not_introduced() {
    // What later lessons introduce.
    const LATER: [&str; 17] = [
        "filter",
        "search here",
        "policy",
        "window",
        "alpha",
        "beta",
        "depth",
        "iteration",
        "nodes",
        "visits",
        "belief",
        "inspector",
        "event",
        "bound",
        "cut",
        "horizon",
        "fate",
    ];
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let mut app = app();
        choose(&mut app, "01-minimax.md");
        pressed(&mut app, "Enter");
        let playing = app.cx.reading.playing.as_ref().expect("a lesson");
        let steps = playing.lesson.steps.len();
        for step in 0..steps {
            // The drawing and the rows, and each pane.
            for keys in ["", "d", "d", "Tab", "Tab"] {
                if !keys.is_empty() {
                    pressed(&mut app, keys);
                }
                let bar = text(&screen(&mut app, width, height));
                let bar = bar.lines().last().unwrap_or_default().to_owned();
                let shown = beside_text(&mut app, width, height) + &bar;
                for word in LATER {
                    assert!(
                        !shown.contains(word),
                        "step {step}, {keys}: {word}\n{shown}"
                    );
                }
            }
            pressed(&mut app, "x");
            while app.cx.reading.asked().is_some_and(|a| a.1.is_none()) {
                answer(&mut app);
            }
            if step + 1 < steps {
                pressed(&mut app, "Enter");
            }
        }
    }
}

/// A question for a row that follows where the search has ended is asked at the root: neither the board nor a mark stands at the
/// row, which may be the answer; and a key has one meaning.
#[test]
fn a_question_does_not_stand_at_its_answer() {
    let text = "---\ntitle: Fork\nteaches: x\nminutes: 1\nsources: s\n---\n## One\n```setup\nposition: tictactoe x-o/o--/x--\nalgorithm: alpha-beta\n```\n```run\nto: end\n```\nOver.\n## Two\nWell?\n```question\nask: Which move is best?\nrow: most -value in root\n```\nc1.\n";
    let file = std::env::temp_dir().join(format!("plyscope-fork-{}.md", std::process::id()));
    std::fs::write(&file, text).expect("written");
    let mut app = app();
    app.open_own_lesson(&file).expect("a lesson");
    settle(&mut app);
    assert!(app.cx.explore.board_node.is_some());
    let picture = beside_text(&mut app, 200, 50);
    assert!(
        picture.contains('▶') && picture.contains("O to move"),
        "{picture}"
    );
    pressed(&mut app, "Enter");
    assert_eq!(app.cx.explore.board_node, None);
    let picture = beside_text(&mut app, 200, 50);
    assert!(
        !picture.contains('▶') && picture.contains("X to move"),
        "{picture}"
    );
    let whole = text_of(&mut app);
    let bar = whole.lines().last().expect("a key bar");
    assert_eq!(bar.matches("Enter").count(), 1, "{bar}");
    let _ = std::fs::remove_file(&file);
}

fn text_of(app: &mut App) -> String {
    text(&screen(app, 200, 50))
}
