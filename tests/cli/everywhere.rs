//! What holds for every command: mistyped names, values that mean nothing, the configuration, where results go.

use crate::cli_support;

use std::fs;

use cli_support::{folder, plyscope, with_input};

#[test]
fn a_mistyped_command_is_named() {
    for (word, meant) in [
        ("serach", "search"),
        ("comapre", "compare"),
        ("sutie", "suite"),
    ] {
        let run = plyscope(&[word]);
        assert_eq!(run.status, 2, "{word}");
        let said = format!("did you mean plyscope {meant}?");
        assert!(run.err.contains(&said), "{}", run.err);
    }
    // What is nothing like a command is a file that is not there.
    let run = plyscope(&["nosuchgame.pgn"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("nosuchgame.pgn"), "{}", run.err);
}

#[test]
fn what_means_nothing_is_refused() {
    for (arguments, said) in [
        (
            &["search", "--theme", "dark"][..],
            "unexpected argument '--theme'",
        ),
        (&["search", "--ply", "3"], "--ply: found no file"),
        (
            &["search", "--nodes", "-5"],
            "invalid value '-5' for '--nodes <N>'",
        ),
        (
            &["search", "--depth", "-1"],
            "invalid value '-1' for '--depth <N>'",
        ),
        (&["search", "--nodes", "1e30"], "less than 2^63"),
        (&["search", "--time", "5m30"], "5m30s"),
        (&["search", "--set", "kilers=off"], "did you mean killers?"),
        (
            &["compare", "-a", "mcts:explration=2"],
            "did you mean exploration?",
        ),
        (&["uci", "-o", "x"], "there is no result to write"),
        (&["man", "serach"], "did you mean search?"),
    ] {
        let run = plyscope(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(said), "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty());
    }
}

#[test]
fn a_ply_that_the_game_has_not_is_refused_with_its_file() {
    let game = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n";
    let fine = with_input(
        &["search", "-", "--ply", "3", "--nodes", "200"],
        game.as_bytes(),
    );
    assert_eq!(fine.status, 0, "{}", fine.err);
    let run = with_input(
        &["search", "-", "--ply", "999", "--nodes", "200"],
        game.as_bytes(),
    );
    assert_eq!(run.status, 1);
    let said = "found a game of 3 half-moves, expected at least 999 half-moves for --ply";
    assert!(run.err.contains(said), "{}", run.err);
    let position = b"8/8/8/8/8/4k3/8/4K2R w K - 0 1\n";
    let run = with_input(&["search", "-", "--ply", "1", "--nodes", "200"], position);
    assert!(
        run.err.contains("found a position without a game"),
        "{}",
        run.err
    );
}

#[test]
fn amounts_are_read_as_people_write_them() {
    let nodes = |text: &str| {
        let run = plyscope(&["search", "--nodes", text, "--threads", "1", "--json"]).clean();
        let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        json["nodes"].as_u64()
    };
    assert_eq!(nodes("2e3"), Some(2000));
    assert_eq!(nodes("2k"), Some(2000));
    let run = plyscope(&[
        "search", "--time", "1m0s", "--memory", "1T", "--nodes", "100",
    ]);
    assert!(!run.err.contains("invalid value"), "{}", run.err);
}

#[test]
fn the_configuration_holds_for_commands_and_flags_win() {
    let folder = folder("everywhere-config");
    let file = folder.join("mine.toml");
    fs::write(
        &file,
        "algorithm = \"mcts\"\nthreads = \"many\"\nmemory = \"64M\"\n",
    )
    .expect("a file");
    let name = file.display().to_string();
    let run = plyscope(&["search", "--config", &name, "--nodes", "500"]);
    assert_eq!(run.status, 0);
    assert!(run.out.starts_with("mcts"), "{}", run.out);
    // A bad value is named with its line, and the others hold.
    let said = format!("{name}:2: threads: found string, expected a whole number from 1 to 256");
    assert!(run.err.contains(&said), "{}", run.err);
    let run = plyscope(&[
        "search", "--config", &name, "--nodes", "500", "-a", "distress",
    ]);
    assert!(run.out.starts_with("distress"), "{}", run.out);
    fs::write(&file, "algorithm = \"mcts\nx").expect("a file");
    let run = plyscope(&["search", "--config", &name, "--nodes", "500"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("mine.toml:2: "), "{}", run.err);
    let run = plyscope(&["search", "--config", "no-such.toml"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("--config: found no file no-such.toml"),
        "{}",
        run.err
    );
}

#[test]
fn the_printed_configuration_is_read_without_a_complaint() {
    let folder = folder("everywhere-template");
    let file = folder.join("config.toml");
    let name = file.display().to_string();
    plyscope(&["config", "-o", &name]).clean();
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.contains("#algorithm = "), "{text}");
    plyscope(&["search", "--config", &name, "--nodes", "100"]).clean();
    let path = plyscope(&["config", "--path", "--config", &name]).clean();
    assert_eq!(path.out.trim(), name);
}

#[test]
fn results_go_to_a_file_that_is_replaced_whole() {
    let folder = folder("everywhere-output");
    let file = folder.join("result.json");
    let name = file.display().to_string();
    let run = plyscope(&[
        "search",
        "--nodes",
        "500",
        "--json",
        "-q",
        "--no-color",
        "-o",
        &name,
    ])
    .clean();
    assert!(run.out.is_empty());
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with('{') && text.ends_with("}\n"), "{text}");
    // A command that is refused leaves what was there.
    let run = plyscope(&["search", "no-such.pgn", "--json", "-o", &name]);
    assert_eq!(run.status, 1);
    assert_eq!(fs::read_to_string(&file).expect("a file"), text);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    let run = plyscope(&["search", "--nodes", "500", "-o", "/no/such/folder/x"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("/no/such/folder/x"), "{}", run.err);
    for command in ["algorithms", "tree", "eval", "perft", "compare"] {
        let target = folder.join(command).display().to_string();
        let more: &[&str] = match command {
            "perft" => &["3"],
            "tree" | "compare" => &["--nodes", "300"],
            _ => &[],
        };
        let run = plyscope(&[&[command, "-o", &target], more].concat()).clean();
        assert!(run.out.is_empty(), "{command}: {}", run.out);
        assert!(
            fs::metadata(&target).expect("a file").len() > 50,
            "{command}"
        );
    }
}

#[test]
fn lines_of_play_are_counted() {
    let run = plyscope(&["perft", "4", "--json"]).clean();
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["nodes"], 197_281);
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 20);
    let sum: u64 = moves.iter().filter_map(|m| m["nodes"].as_u64()).sum();
    assert_eq!(sum, 197_281);
    let run = plyscope(&["perft", "2", "--fen", "8/8/8/8/8/4k3/8/4K2R w K - 0 1"]).clean();
    assert!(run.out.contains(" lines of 2 moves"), "{}", run.out);
}

#[test]
fn every_command_has_a_manual_page_with_its_examples_as_they_are() {
    let folder = folder("everywhere-man");
    let name = folder.display().to_string();
    plyscope(&["man", "--folder", &name]).clean();
    let pages: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|page| {
            page.expect("a page")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    for page in [
        "plyscope.1",
        "plyscope-search.1",
        "plyscope-lab-spread.1",
        "plyscope-perft.1",
    ] {
        assert!(pages.iter().any(|p| p == page), "{pages:?}");
    }
    let page = fs::read_to_string(folder.join("plyscope-search.1")).expect("a page");
    let examples = page.split(".SH EXAMPLES\n.nf\n").nth(1).expect("examples");
    let first = "  plyscope search --fen \"8/8/8/8/8/4k3/8/4K2R w K - 0 1\" --depth 12\n";
    assert!(examples.starts_with(first), "{examples}");
    assert!(page.contains(".TH plyscope-search 1"), "{}", &page[..300]);
}

#[test]
fn a_game_that_is_over_says_so_in_words() {
    let run = plyscope(&[
        "search",
        "--fen",
        "8/8/8/4k3/8/8/4K2R/8 w - - 100 90",
        "--nodes",
        "100",
    ]);
    assert!(
        run.out.contains("the game is over: fifty moves"),
        "{}",
        run.out
    );
}

/// An engine on another machine is a command like any other. Here a stand-in for ssh runs it on this one.
#[cfg(unix)]
#[test]
fn an_engine_behind_ssh_is_a_column() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("everywhere-ssh");
    let ssh = folder.join("ssh");
    fs::write(&ssh, "#!/bin/sh\nshift\nexec \"$@\"\n").expect("a file");
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("permissions");
    let program = env!("CARGO_BIN_EXE_plyscope");
    let engine = format!(
        "{} far.example {program} uci -a mcts --threads 1",
        ssh.display()
    );
    let run = plyscope(&[
        "compare",
        "-a",
        "alpha-beta",
        "--engine",
        &engine,
        "--nodes",
        "3000",
        "--json",
    ])
    .clean();
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let columns = json["columns"].as_array().expect("columns");
    assert_eq!(columns.len(), 2);
    assert!(
        columns
            .iter()
            .all(|c| c["search"]["best"]["uci"].is_string()),
        "{}",
        run.out
    );
}

/// A device is written to; to replace it by a file would break the machine. A pipe stands for one here.
#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_never_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = folder("everywhere-device");
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("text")
    });
    plyscope(&["perft", "2", "-o", &pipe.display().to_string()]).clean();
    assert!(
        reader
            .join()
            .expect("no panic")
            .contains("400 lines of 2 moves")
    );
    assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
    // What replaces files refuses it.
    let game = "[White \"A\"]\n\n1. e4 e5 *\n";
    let name = pipe.display().to_string();
    let run = with_input(
        &["review", "-", "-a", "mcts", "--nodes", "50", "-o", &name],
        game.as_bytes(),
    );
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("not an ordinary file"), "{}", run.err);
    assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
}
