//! A classroom: answers are saved, a course takes the place of the built-in lessons, and the presenter's view shows a search to
//! a class.

use crate::tui_support;

use algorithms::Algorithm;
use tui::panes::Pane;
use tui_support::toy::searched;
use tui_support::{app, press, sketch, text_at};

use crate::learn::{OWN, answer, choose, pressed, settle, shown};

/// Returns an empty folder for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("plyscope-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Every answer of every run is saved, wrong ones too, with the question and whether the hint was there.
#[test]
fn answers_are_saved_with_the_progress() {
    use tui::tabs::learn::progress::Progress;

    let folder = folder("answers");
    let mut app = app();
    app.tabs.learn.progress = Progress::open(Some(folder.clone())).0;
    choose(&mut app, "01-minimax.md");
    // The first question is answered by a row; the second, wrong and then right, by a number.
    pressed(&mut app, "Enter Enter");
    answer(&mut app);
    pressed(&mut app, "Enter 1 2 Enter");
    pressed(&mut app, "3 Enter");
    let read = || {
        let (progress, fault) = Progress::open(Some(folder.clone()));
        assert_eq!(fault, None);
        progress.of("01-minimax.md").expect("a record")
    };
    let record = read();
    let given = &record.given[&2];
    assert_eq!(given.ask, "What is A worth to Max?");
    let tries: Vec<_> = given
        .tries
        .iter()
        .map(|t| (t.answer.as_str(), t.right, t.hinted))
        .collect();
    assert_eq!(tries, [("12", false, false), ("3", true, true)]);
    assert!(record.given[&1].is_solved() || record.given[&1].tries.len() == 2);
    // Left and begun again: the earlier answers stay, and new ones are added.
    pressed(&mut app, "Backspace Enter Esc");
    app.open_lesson(0);
    settle(&mut app);
    assert_eq!(read().given, record.given);
    // The user's own lesson is being written, not learnt from.
    let file = folder.join("own.md");
    std::fs::write(&file, OWN).expect("written");
    app.open_own_lesson(&file).expect("a lesson");
    settle(&mut app);
    pressed(&mut app, "Enter 7 Enter");
    let text = std::fs::read_to_string(folder.join("learn.json")).expect("a file");
    assert!(!text.contains("own.md"), "{text}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_course_takes_the_place_of_the_lessons() {
    use tui::tabs::learn::progress::Progress;

    let folder = folder("course");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let toml = "title = \"Our course\"\nlessons = [\"02-alpha-beta\", \"own.md\", \"none.md\"]\n[[assignments]]\ntitle = \"Sixteen leaves\"\nfile = \"task.toml\"\n";
    write("course.toml", toml);
    write("own.md", OWN);
    write(
        "task.toml",
        "algorithm = \"minimax\"\nposition = \"tictactoe\"\n",
    );
    let mut app = app();
    app.tabs.learn.progress = Progress::open(Some(folder.clone())).0;
    app.open_course(&folder).expect("a course");
    let picture = shown(&mut app);
    for words in [
        "Our course",
        "  2  Mine",
        "none.md",
        "  A  Sixteen leaves",
        "assignment",
    ] {
        assert!(picture.contains(words), "{words}\n{picture}");
    }
    assert!(!picture.contains("Minimax on nine leaves"), "{picture}");
    // Its own lesson is learnt from: progress is saved under the name of the course.
    app.tabs.learn.list.selected = 1;
    pressed(&mut app, "Enter Enter 7 Enter");
    let record = app
        .tabs
        .learn
        .progress
        .of("Our course/own.md")
        .expect("a record");
    assert!(record.given[&1].is_solved());
    // And it is read again when it is saved.
    write("own.md", &OWN.replace("It is", "Now"));
    app.cx.reload_lesson();
    settle(&mut app);
    assert!(shown(&mut app).contains("Now 3."), "{}", shown(&mut app));
    pressed(&mut app, "Esc");
    // What is broken says so, and an assignment how it is judged.
    app.tabs.learn.list.selected = 2;
    pressed(&mut app, "Enter");
    assert!(
        app.cx
            .messages
            .all
            .last()
            .is_some_and(|m| m.text.contains("no such file"))
    );
    app.tabs.learn.list.selected = 3;
    pressed(&mut app, "Enter");
    assert!(
        app.cx
            .messages
            .all
            .last()
            .is_some_and(|m| m.text.contains("plyscope grade --assignment"))
    );
    assert!(app.cx.reading.playing.is_none());
    // The course is read again when its file is saved; a broken one leaves the old one.
    write("course.toml", &toml.replace("Our course", "Other course"));
    app.reload_course();
    assert!(shown(&mut app).contains("Other course"));
    write("course.toml", "title = ");
    app.reload_course();
    assert!(shown(&mut app).contains("Other course"));
    assert!(
        app.cx
            .messages
            .all
            .last()
            .is_some_and(|m| m.text.contains("course.toml:1:"))
    );
    let _ = std::fs::remove_dir_all(folder);
}

/// In the presenter's view of Explore the board and the axis have the screen, and what is minor is left out.
#[test]
fn the_presenters_view_of_a_search() {
    let mut app = searched(sketch(), Algorithm::AlphaBeta, false);
    let longest = |picture: &str| {
        // The axis' heading is the longest line below the frame of the tree.
        let heading = picture
            .lines()
            .find(|line| line.contains(" move "))
            .expect("headings");
        heading.matches(['─', '★']).count()
    };
    for (width, height) in [(80, 24), (120, 36), (200, 50)] {
        let before = text_at(&mut app, width, height);
        press(&mut app, "F5");
        text_at(&mut app, width, height);
        let presented = text_at(&mut app, width, height);
        for word in ["nodes", "inspector", "palette", "refutes", "best lines"] {
            assert!(!presented.contains(word), "{word}\n{presented}");
        }
        assert!(
            presented.contains("end presenting") && presented.contains("White to move"),
            "{presented}"
        );
        assert!(
            width < 200 || longest(&presented) > longest(&before),
            "{presented}"
        );
        press(&mut app, "F5");
        text_at(&mut app, width, height);
        assert_eq!(text_at(&mut app, width, height), before);
    }
    press(&mut app, "F5");
    picture!("search_80x24", app, 80 x 24);
    picture!("search_120x36", app, 120 x 36);
    picture!("search_200x50", app, 200 x 50);
    // The debugger's sentence stays, its log does not, and `Tab` does not go to it.
    press(&mut app, "D");
    let picture = text_at(&mut app, 120, 36);
    assert!(!picture.contains("─ events"), "{picture}");
    for _ in 0..4 {
        press(&mut app, "Tab");
        assert_ne!(app.cx.explore.focus, Pane::Log);
    }
}

#[test]
fn the_presenters_key_works_in_every_tab() {
    let mut app = searched(sketch(), Algorithm::AlphaBeta, false);
    for tab in ["2", "3", "5", "4", "1"] {
        press(&mut app, tab);
        press(&mut app, "F5");
        assert!(app.cx.presenting, "{tab}");
        text_at(&mut app, 80, 24);
        press(&mut app, "F5");
        assert!(!app.cx.presenting, "{tab}");
    }
}
