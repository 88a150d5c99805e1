//! Leaving the workbench: what is typed behind the key that leaves it belongs to the shell.

use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;

use crate::pty::{Terminal, folder, sample};

/// A shell in a terminal, with the workbench running in it. The process of the workbench is in the file `pid`.
fn started(folder: &PathBuf, arguments: &str) -> Terminal {
    let mut shell = CommandBuilder::new("sh");
    shell.arg("-i");
    let mut t = Terminal::run(shell, &[("PS1", "ready> "), ("ENV", "")], folder);
    t.shows("ready> ");
    let program = env!("CARGO_BIN_EXE_plyscope");
    let line = format!("echo $$ > pid; exec {program} --memory 64M --threads 1 {arguments}");
    t.press(&format!("sh -c '{line}'\n"));
    t
}

/// Checks that the shell reads what was typed, and ends it.
fn shell_reads(mut t: Terminal, folder: &Path) {
    t.shows("typed 2");
    t.assert_given_back();
    t.press("exit\n");
    t.end();
    std::fs::remove_dir_all(folder).expect("removed");
}

/// Typed in one go with the key before it.
const TYPED: &str = "echo typed $((1+1))\n";
const ENDGAME: &str = "--fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"";

#[test]
fn what_is_typed_behind_the_key_that_quits_reaches_the_shell() {
    for (name, keys) in [
        ("q", "q"),
        ("ctrl-c", "\x03"),
        ("palette", ":quit\r"),
        // An unknown sequence and the wheel before it, as they come.
        ("wheel", "\x1b[<65;6;7M\x1b[99~q"),
        ("paste", "\x1b[200~pasted\x1b[201~q"),
    ] {
        let folder = folder(&format!("typed-{name}"));
        let mut t = started(&folder, ENDGAME);
        t.shows("White to move");
        t.press(&format!("{keys}{TYPED}"));
        shell_reads(t, &folder);
    }
}

#[test]
fn a_long_search_and_the_saving_of_its_session_keep_no_keys() {
    let folder = folder("typed-long");
    let game = sample("opera-game.pgn");
    let mut t = started(&folder, &format!("{} -a mcts", game.display()));
    t.shows("A alpha-beta");
    // A game opens in its tab; Explore searches the place.
    t.press("1");
    t.until("a tree", |text| text.contains("▾ position"));
    t.press("q");
    for part in TYPED.split_inclusive(' ') {
        std::thread::sleep(std::time::Duration::from_millis(5));
        t.press(part);
    }
    t.shows("typed 2");
    assert!(folder.join("plyscope/last.plyscope").is_file());
    shell_reads(t, &folder);
}

#[test]
fn a_signal_leaves_what_is_typed_to_the_shell() {
    let folder = folder("typed-signal");
    let mut t = started(&folder, ENDGAME);
    t.shows("White to move");
    let kill = "kill -s TERM \"$(cat pid)\"";
    let status = std::process::Command::new("sh")
        .args(["-c", kill])
        .current_dir(&folder)
        .status();
    assert!(status.is_ok_and(|s| s.success()));
    // Keys that come before the signal are the workbench's.
    t.until("the shell", |text| text.matches("ready> ").count() > 1);
    t.press(TYPED);
    shell_reads(t, &folder);
}

#[test]
fn what_is_typed_behind_the_key_that_suspends_reaches_the_shell() {
    let folder = folder("typed-suspend");
    let mut t = started(&folder, ENDGAME);
    t.shows("White to move");
    t.press(&format!("\x1a{TYPED}"));
    t.shows("typed 2");
    t.press("fg\n");
    t.shows("White to move");
    t.press(&format!("q{TYPED}"));
    shell_reads(t, &folder);
}
