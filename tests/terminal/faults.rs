//! The workbench on a system that fails beneath it: a folder that can't be written to, permissions that are lost, a file that is gone.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;

use crate::pty::{Terminal, folder, sample};

/// `EROFS` and `EACCES`.
const READ_ONLY: &str = "30";
const DENIED: &str = "13";

fn with(faults: &[(&str, &str)], arguments: &[&str], folder: &PathBuf) -> Terminal {
    let library = common::faults::library().to_str().expect("a path");
    let environment = [&[("LD_PRELOAD", library)], faults].concat();
    Terminal::start(arguments, &environment, folder)
}

#[test]
fn a_folder_for_settings_that_is_read_only_is_named_and_nothing_else_fails() {
    let folder = folder("read-only");
    let game = sample("opera-game.pgn");
    let faults = [
        ("FAULT_CALL", "create"),
        ("FAULT_ERRNO", READ_ONLY),
        ("FAULT_PATH", "read-only"),
    ];
    let mut t = with(
        &faults,
        &[game.to_str().expect("a path"), "--nodes", "2k"],
        &folder,
    );
    t.shows("Morphy");
    t.press("1");
    t.shows("node limit");
    // A note wants to be kept, and so does the session at the end.
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    t.shows("Read-only file system");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn without_a_home_it_runs_and_keeps_nothing() {
    let folder = folder("homeless");
    let unset = [
        ("HOME", ""),
        ("XDG_CONFIG_HOME", ""),
        ("XDG_STATE_HOME", ""),
    ];
    let mut t = Terminal::start(
        &["--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"],
        &unset,
        &folder,
    );
    t.shows("White to move");
    t.until("a tree", |text| text.contains('★'));
    t.press("q");
    assert_eq!(t.end(), 0);
    t.assert_given_back();
    fs::remove_dir_all(folder).expect("removed");
}

/// Games are read from the file when they are shown.
#[test]
fn a_file_that_is_lost_while_it_is_open_is_named_and_what_is_shown_stays() {
    let game = fs::read_to_string(sample("opera-game.pgn")).expect("a game");
    for (what, wanted) in [
        ("gone", "No such file"),
        ("shorter", "changed"),
        ("another", "changed"),
        ("denied", "ermission denied"),
    ] {
        let folder = folder(&format!("lost-{what}"));
        let path = folder.join("many.pgn");
        let many: String = (0..3000)
            .map(|i| game.replace("Morphy", &format!("Player{i}")))
            .collect();
        fs::write(&path, &many).expect("written");
        let name = path.to_str().expect("a path");
        let when = folder.join("denied");
        let faults = [
            ("FAULT_CALL", "open"),
            ("FAULT_ERRNO", DENIED),
            ("FAULT_PATH", "many.pgn"),
            ("FAULT_WHEN", when.to_str().expect("a path")),
        ];
        let mut t = match what {
            "denied" => with(&faults, &[name], &folder),
            _ => Terminal::start(&[name], &[], &folder),
        };
        t.shows("Player");
        t.shows("3,000");
        match what {
            "gone" => fs::remove_file(&path).expect("removed"),
            "shorter" => fs::write(&path, &many[..many.len() / 2]).expect("written"),
            "another" => fs::write(&path, "[Event \"x\"]\n\n1. e4 e5 *\n").expect("written"),
            _ => fs::write(&when, "").expect("written"),
        }
        // To the last game.
        t.press("gG\r");
        t.until(what, |text| {
            text.contains(wanted) || text.contains("1. e4 e5")
        });
        // It still answers.
        t.press("q");
        assert_eq!(t.end(), 0, "{what}");
        t.assert_given_back();
        fs::remove_dir_all(folder).expect("removed");
    }
}
