//! The program in a real pseudo-terminal: started, used, left, and the terminal restored.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize};

use crate::pty::{Terminal, folder, sample};

#[test]
fn a_game_is_opened_walked_searched_otherwise_and_left() {
    let folder = folder("walk");
    let pgn = sample("opera-game.pgn");
    let pgn = pgn.to_str().expect("a path");
    let mut t = Terminal::start(&[pgn, "-a", "mcts"], &[], &folder);
    t.shows("Morphy");
    t.shows("1. White to move");
    t.shows("A alpha-beta");
    // A game opens in its tab; Explore searches the place.
    t.press("1");
    t.shows("of 21 rows");
    // Go through the game; the search follows.
    t.press(">");
    t.shows("1. Black to move");
    t.press("3>");
    t.shows("3. White to move");
    t.press("<");
    t.shows("2. Black to move");
    // Open nodes.
    t.until("a tree", |text| text.contains('★'));
    t.press("*l");
    t.until("an open node", |text| text.matches('▾').count() >= 2);
    t.press("l");
    t.shows("2...");
    // Another algorithm on the same position.
    t.press("a");
    t.shows("Enter search with it");
    t.press("alpha-b\r");
    t.until("alpha-beta", |text| {
        text.lines()
            .next()
            .is_some_and(|l| l.contains("alpha-beta ▶"))
    });
    t.shows("2. Black to move");
    t.until("a depth-first tree", |text| {
        text.contains(" nodes") && text.contains("window")
    });
    t.press(" ");
    t.shows("paused");
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_search_is_stepped_through_rewound_and_run_to_a_breakpoint() {
    let folder = folder("debug");
    let tree = sample("textbook.tree");
    let tree = tree.to_str().expect("a path");
    let mut t = Terminal::start(&[tree, "-a", "alpha-beta", "--threads", "1"], &[], &folder);
    // The whole tree is searched at once, so stepping goes through it from the beginning.
    t.shows("solved");
    t.press("s");
    t.shows("event 1 · stepped");
    let mut number = 1;
    while !t.text().contains("cut off after") {
        assert!(number < 100, "no cutoff\n{}", t.text());
        number += 1;
        t.press("s");
        t.shows(&format!("event {number} · stepped"));
    }
    t.shows("B: cut off after 1 of 3 moves");
    t.press("b");
    t.shows(&format!("event {} · arrived", number - 1));
    t.until("the state before", |text| !text.contains("cut off after"));
    t.press(":break on cutoff\r");
    t.shows("breakpoint 1: on cutoff");
    t.press("r");
    t.shows(&format!(
        "event {number} · stopped: breakpoint 1 (on cutoff)"
    ));
    t.shows("B: cut off after 1 of 3 moves");
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let folder = folder("signal");
    let mut t = Terminal::start(&[], &[], &folder);
    t.shows("Review a game");
    let id = t.child.process_id().expect("a process").to_string();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(killed.is_ok_and(|s| s.success()));
    t.end();
    t.assert_given_back();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_screen_is_drawn_anew_without_a_question_to_the_terminal() {
    let folder = folder("redraw");
    let mut t = Terminal::start(&["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"], &[], &folder);
    t.shows("White to move");
    for _ in 0..3 {
        t.screen
            .lock()
            .expect("the screen")
            .process(b"\x1b[2Jspoilt");
        t.press("\x0c");
        t.until("a screen like before", |text| {
            text.contains("White to move") && !text.contains("spoilt")
        });
    }
    // This terminal does not answer queries, like any terminal whose answers another thread reads.
    let written = t.raw.lock().expect("the output").clone();
    assert!(!written.windows(4).any(|four| four == b"\x1b[6n"));
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_suspended_program_returns_to_what_was_there() {
    let folder = folder("suspend");
    let mut shell = CommandBuilder::new("sh");
    shell.arg("-i");
    let mut t = Terminal::run(shell, &[("PS1", "ready> "), ("ENV", "")], &folder);
    t.shows("ready> ");
    let program = env!("CARGO_BIN_EXE_plyscope");
    t.press(&format!("{program} --memory 64M --threads 1\n"));
    t.shows("Review a game");
    t.press("\x1b");
    t.until("the list is closed", |text| {
        !text.contains("type to filter")
    });
    let kill = "kill -s TSTP \"$(cat pid)\"";
    for (round, by_key) in [true, false].into_iter().enumerate() {
        if by_key {
            t.press("\x1a");
        } else {
            let status = std::process::Command::new("sh")
                .args(["-c", kill])
                .current_dir(&folder)
                .status();
            assert!(status.is_ok_and(|s| s.success()));
        }
        // The shell's old prompt is on the screen before the program stops, and what is typed by then is lost: only the
        // prompt behind the shell's own word of the stop counts.
        t.until("the shell", |text| {
            let told = text.rsplit_once("Stopped");
            told.is_some_and(|(_, after)| after.contains("ready> "))
        });
        t.assert_given_back();
        t.press(&format!(
            "clear; jobs -p > pid; echo st\\ill here {round}\n"
        ));
        t.shows(&format!("still here {round}"));
        t.press("fg\n");
        t.shows("1 Explore");
        t.press("?");
        t.shows("Explore · tree");
        t.press("\x1b");
        t.until("the help is closed", |text| {
            !text.contains("Explore · tree")
        });
    }
    t.press("q");
    // Its next prompt. Anything typed earlier may be lost when the mode of the terminal changes.
    t.until("the shell", |text| text.matches("ready> ").count() > 1);
    t.assert_given_back();
    t.press("exit\n");
    t.end();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_program_that_no_shell_started_is_not_suspended() {
    let folder = folder("alone");
    let mut t = Terminal::start(&["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"], &[], &folder);
    t.shows("White to move");
    t.press("\x1a");
    t.shows("no shell waits for this program");
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = folder("pipes");
    let game = folder.join("game.pgn");
    std::fs::write(&game, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n").expect("a game");
    let config = folder.join("plyscope");
    std::fs::create_dir_all(&config).expect("a folder");
    let config = config.join("config.toml");
    std::fs::write(&config, "").expect("a configuration");
    let pipe = |path: &PathBuf| {
        let _ = std::fs::remove_file(path);
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.is_ok_and(|s| s.success()));
    };
    pipe(&folder.join("pipe"));
    let mut t = Terminal::start(&["game.pgn"], &[], &folder);
    t.shows("1.e4");
    for (name, found) in [
        ("pipe", "it is a pipe, not a file"),
        ("/dev/zero", "it is a device, not a file"),
    ] {
        t.press("\x0f");
        t.shows("open a file");
        t.press(&format!("{name}\r"));
        t.shows(found);
    }
    // The open file is replaced by another one.
    pipe(&game);
    t.shows("game.pgn: cannot be read (it is a pipe");
    pipe(&config);
    t.shows("config.toml: can't be read: it is a pipe");
    t.press("?");
    t.shows("Game · moves");
    t.press("\x1b");
    t.until("the help closed", |text| !text.contains("Game · moves"));
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Uses a terminal created by `script`, which dies with it.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_vanishes_ends_the_program_quietly() {
    let folder = folder("vanish");
    let status = folder.join("status");
    for _ in 0..5 {
        let program = env!("CARGO_BIN_EXE_plyscope");
        let mut script = CommandBuilder::new("script");
        script.args(["-q", "-c"]);
        script.arg(format!(
            "trap '' HUP; {program} --memory 64M --threads 1; echo $? > status.new; mv status.new status"
        ));
        script.arg("/dev/null");
        let t = Terminal::run(script, &[], &folder);
        t.shows("Review a game");
        let id = t.child.process_id().expect("a process").to_string();
        let _ = std::process::Command::new("kill")
            .args(["-KILL", &id])
            .status();
        let begin = Instant::now();
        while !status.exists() {
            assert!(begin.elapsed() < Duration::from_secs(20), "it did not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let ended = std::fs::read_to_string(&status).expect("its status");
        assert_eq!(ended.trim(), "0");
        std::fs::remove_file(&status).expect("removed");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

/// A terminal that was made small and then large again may have lost its content.
#[test]
fn another_size_that_is_the_same_again_draws_the_screen_anew() {
    let folder = folder("same-size");
    let tree = sample("figure1.tree");
    let mut t = Terminal::start(&[tree.to_str().expect("a path")], &[], &folder);
    t.shows("Max to move");
    let id = t.child.process_id().expect("a process").to_string();
    let before = t.cleared.load(Relaxed);
    // Sent again until it is seen: on a busy machine the first may come before the program listens.
    t.until("a new screen", |_| {
        let kill = std::process::Command::new("kill")
            .args(["-WINCH", &id])
            .status();
        assert!(kill.is_ok_and(|status| status.success()));
        t.cleared.load(Relaxed) > before
    });
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn resizing_and_bad_files_are_survived() {
    let folder = folder("resize");
    std::fs::write(folder.join("bad.fen"), "8/8/8/8/8/8/8/8 w - - 0 1\n").expect("a file");
    let tree = sample("figure1.tree");
    let mut t = Terminal::start(&[tree.to_str().expect("a path")], &[], &folder);
    t.shows("Max to move");
    t.press("\x0f");
    t.shows("open a file");
    t.press("bad.fen\r");
    t.shows("error: bad.fen");
    t.shows("Max to move");
    for (cols, rows) in [(60, 16), (20, 4), (80, 24), (200, 50)] {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        t.screen
            .lock()
            .expect("the screen")
            .screen_mut()
            .set_size(rows, cols);
        t.master.resize(size).expect("resized");
        std::thread::sleep(Duration::from_millis(150));
    }
    t.shows("Max to move");
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_theme_being_edited_is_seen_at_once_and_a_broken_one_is_kept_out() {
    let folder = folder("theme");
    let themes = folder.join("plyscope").join("themes");
    std::fs::create_dir_all(&themes).expect("a folder");
    let file = themes.join("mine.toml");
    std::fs::write(&file, "inherits = \"dark\"\n").expect("a theme");
    let truecolour = [("COLORTERM", "truecolor")];
    let mut t = Terminal::start(&["--theme", "mine"], &truecolour, &folder);
    t.shows("Review a game");
    t.press("\x1b");
    t.until("the list is closed", |text| {
        !text.contains("type to filter")
    });
    let ground = |t: &Terminal| {
        let parser = t.screen.lock().expect("the screen");
        parser.screen().cell(10, 70).map(vt100::Cell::bgcolor)
    };
    assert_ne!(ground(&t), Some(vt100::Color::Rgb(1, 2, 3)));
    std::fs::write(
        &file,
        "inherits = \"dark\"\n[palette]\nground = \"#010203\"\n",
    )
    .expect("saved");
    t.until("the new ground", |_| {
        ground(&t) == Some(vt100::Color::Rgb(1, 2, 3))
    });
    std::fs::write(&file, "inherits = \"dark\"\n[palette]\nground = \"blau\"\n").expect("saved");
    t.shows("mine.toml:3: unknown colour \"blau\"");
    assert_eq!(ground(&t), Some(vt100::Color::Rgb(1, 2, 3)));
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn keys_are_remapped_while_one_watches() {
    let folder = folder("keys");
    let config = folder.join("plyscope");
    std::fs::create_dir_all(&config).expect("a folder");
    let file = config.join("config.toml");
    std::fs::write(&file, "[keys]\nhelp = \"H\"\n").expect("a configuration");
    let mut t = Terminal::start(&["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"], &[], &folder);
    t.shows("H help");
    t.press("H");
    t.shows("Explore · tree");
    t.press("\x1b");
    t.until("the help is closed", |text| {
        !text.contains("Explore · tree")
    });
    std::fs::write(&file, "[keys]\nhelp = \"E\"\nquit = \"Q\"\nfly = \"f\"\n").expect("saved");
    t.shows("unknown command \"fly\"");
    t.press("E");
    t.shows("Explore · tree");
    t.press("\x1b");
    t.until("the help is closed", |text| {
        !text.contains("Explore · tree")
    });
    t.press("Q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_changed_game_is_read_again_in_its_place() {
    let folder = folder("reload");
    let file = folder.join("game.pgn");
    std::fs::write(&file, "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n").expect("a game");
    let mut t = Terminal::start(&["game.pgn"], &[], &folder);
    t.shows("2.Nf3");
    t.press("2>");
    t.shows("2. White to move");
    // A name, since any move may also stand in a line of the search.
    let changed = "[White \"Zebra\"]\n[Black \"B\"]\n\n1. e4 e5 2. Bc4 Nc6 *\n";
    std::fs::write(&file, changed).expect("saved");
    t.shows("Zebra – B");
    t.shows("2. White to move");
    std::fs::write(&file, "[FEN \"nonsense\"]\n\n1. e4 *\n").expect("saved");
    t.shows("the old is kept");
    t.shows("Zebra – B");
    t.press("q");
    assert_eq!(t.end(), 0);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn no_color_writes_no_colour() {
    let folder = folder("mono");
    let mut t = Terminal::start(
        &["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"],
        &[("NO_COLOR", "1")],
        &folder,
    );
    t.shows("White to move");
    t.until("a tree", |text| text.contains('★'));
    t.press("jjq");
    assert_eq!(t.end(), 0);
    let raw = String::from_utf8_lossy(&t.raw.lock().expect("the output")).into_owned();
    // Every "select graphic rendition" sequence contains no colour.
    for sequence in raw.split("\x1b[").skip(1) {
        let Some(end) = sequence.find(|c: char| c.is_ascii_alphabetic()) else {
            continue;
        };
        if !sequence[end..].starts_with('m') {
            continue;
        }
        for number in sequence[..end].split(';') {
            let coloured = matches!(number.parse::<u32>(), Ok(30..=38 | 40..=48 | 90..=107));
            assert!(!coloured, "{:?}", &sequence[..=end]);
        }
    }
    assert!(raw.contains("\x1b[7m"), "nothing is reversed");
    t.assert_given_back();
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn matches_of_the_lab_are_stopped_kept_and_gone_on_with() {
    let folder = folder("matches");
    let kept = folder.join("plyscope").join("point-differential-25.json");
    let page = |t: &mut Terminal| {
        t.shows("White to move");
        // A digit may be the beginning of a count; alone it is the number of a tab.
        t.press("5");
        t.shows("margins by depth");
        t.press("P");
        t.shows("100 playouts a move");
        t.press("gngngngn");
        t.shows("25 playouts a move");
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let arguments = ["--fen", start, "-a", "mcts"];
    let mut t = Terminal::start(&arguments, &[], &folder);
    page(&mut t);
    assert!(!t.text().contains('±'));
    t.press(" ");
    t.shows("playing");
    t.until("a first pair of games", |text| text.contains('±'));
    t.press(" ");
    t.until("the end", |text| text.contains(" stopped "));
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    let first = std::fs::read_to_string(&kept).expect("kept");
    assert!(first.contains("\"playouts\":25"), "{first}");

    let mut t = Terminal::start(&arguments, &[], &folder);
    page(&mut t);
    // The games played earlier are there before any game is played.
    t.until("the games", |text| text.contains('±'));
    t.press(" ");
    t.shows("playing");
    let longer = || std::fs::read_to_string(&kept).is_ok_and(|now| now.len() > first.len());
    t.until("more games in the file", |_| longer());
    // Leaving stops them and keeps the results.
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();

    std::fs::write(&kept, "{").expect("broken");
    let mut t = Terminal::start(&arguments, &[], &folder);
    page(&mut t);
    t.shows("no JSON object");
    t.press(" ");
    t.shows("move the file away");
    t.press("q");
    assert_eq!(t.end(), 0);
    assert_eq!(std::fs::read_to_string(&kept).expect("there"), "{");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_next_start_goes_on_with_the_session_that_was_left() {
    let folder = folder("autosave");
    let game = sample("opera-game.pgn");
    let arguments = [
        game.to_str().expect("a path"),
        "-a",
        "mcts",
        "--nodes",
        "3k",
    ];
    let mut t = Terminal::start(&arguments, &[], &folder);
    t.shows("A alpha-beta");
    t.press("1");
    t.shows("node limit");
    t.press("jN");
    t.shows("note:");
    t.press("the queen goes first\r");
    t.shows("the queen goes first");
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    assert!(folder.join("plyscope/last.plyscope").is_file());
    let mut t = Terminal::start(&[], &[], &folder);
    t.shows("Last session");
    t.press("\r");
    t.shows("opened as it was saved");
    t.shows("the queen goes first");
    t.shows("Morphy");
    t.press("q");
    assert_eq!(t.end(), 0);
    // It can be switched off.
    std::fs::write(folder.join("plyscope/config.toml"), "autosave = false\n").expect("written");
    std::fs::remove_file(folder.join("plyscope/last.plyscope")).expect("removed");
    let mut t = Terminal::start(&arguments, &[], &folder);
    t.shows("A alpha-beta");
    t.press("1");
    t.shows("node limit");
    t.press("q");
    assert_eq!(t.end(), 0);
    assert!(!folder.join("plyscope/last.plyscope").exists());
    std::fs::remove_dir_all(folder).expect("removed");
}

/// A search that is graded stands beside a right one, and the first difference is a key away.
#[test]
fn a_graded_search_is_looked_at_beside_a_right_one() {
    let folder = folder("look");
    let program = env!("CARGO_BIN_EXE_plyscope");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        let out = command.args(arguments).current_dir(&folder).output();
        let out = out.expect("it runs");
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stdout).into_owned(),
        )
    };
    assert_eq!(
        run(&["grade", "--new", "alpha-beta", "homework"]).0,
        Some(0)
    );
    // Minimax where alpha-beta was asked for.
    let wanted = [
        "grade",
        "--against",
        "minimax",
        "--position",
        "homework/position.tree",
    ];
    let minimax = [&wanted[..], &["--reference", "minimax.plytrace"]].concat();
    assert_eq!(run(&minimax).0, Some(0));
    let graded = ["grade", "--assignment", "homework", "minimax.plytrace"];
    let (status, text) = run(&graded);
    assert!(status == Some(1) && text.contains("failed"), "{text}");
    let mut command = CommandBuilder::new(program);
    command.args(graded);
    command.arg("--look");
    let mut t = Terminal::run(command, &[], &folder);
    t.shows("textbook minimax");
    t.shows("textbook alpha-beta");
    t.press("\x0e");
    t.shows("difference 1 of");
    t.press("q");
    assert_eq!(t.end(), 0);
}
