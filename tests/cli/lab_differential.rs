//! `plyscope lab differential`, as run by a user or a script.

use crate::cli_support;

use cli_support::{file, plyscope};
use serde_json::Value;

/// Short games with few playouts.
const SHORT: [&str; 8] = [
    "lab",
    "differential",
    "--playouts",
    "6",
    "--plies",
    "12",
    "--set",
    "playout-length=6",
];

fn lab(more: &[&str]) -> cli_support::Run {
    plyscope(&[&SHORT[..], more].concat())
}

/// Returns the path of a file that does not exist yet.
fn fresh(name: &str) -> String {
    let path = file(name, "");
    std::fs::remove_file(&path).expect("removed");
    path
}

#[test]
fn every_cell_is_played() {
    let run = lab(&["--games", "2", "--json"]).clean();
    let grid = run.json_lines().remove(0);
    assert_eq!(grid["version"], 1);
    assert_eq!(grid["experiment"], "point-differential");
    assert_eq!(grid["complete"], true);
    assert_eq!(grid["playouts"], 6);
    assert_eq!(grid["options"]["playout-length"], "6");
    let cells = grid["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 36);
    assert_eq!(grid["games"], 72);
    for cell in cells {
        let n = |key: &str| cell[key].as_u64().expect("a number");
        assert_eq!(n("games"), 2);
        assert_eq!(n("won") + n("drawn") + n("lost"), 2);
        let score = cell["score"].as_f64().expect("a score");
        assert_eq!(score, (n("won") as f64 + n("drawn") as f64 / 2.0) / 2.0);
        let interval = cell["interval"].as_array().expect("an interval");
        let (low, high) = (interval[0].as_f64(), interval[1].as_f64());
        assert!(low <= Some(score) && Some(score) <= high);
        let pairs = cell["pairs"].as_array().expect("pairs");
        assert_eq!(pairs.iter().filter_map(Value::as_u64).sum::<u64>(), 1);
    }
    // With a weight of 0 both sides run the same search, so with the same seed a pair is the same game twice.
    assert_eq!(
        (&cells[0]["from"], &cells[0]["to"]),
        (&0.0.into(), &0.0.into())
    );
}

#[test]
fn tables_and_csv_are_printed() {
    let arguments = ["--games", "4", "--cells", "8x0,4x4", "--threads", "1"];
    let run = lab(&arguments).clean();
    for part in [
        "6 playouts a move",
        "playout-length=6",
        "\n8x0 ",
        "\n4x4 ",
        "Wilson",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    run.harmless();
    assert_eq!(lab(&arguments).clean().out, run.out);
    let ascii = lab(&[&arguments[..], &["--ascii"]].concat()).clean();
    assert!(ascii.out.is_ascii(), "{}", ascii.out);
    let csv = lab(&[&arguments[..], &["--csv"]].concat()).clean().out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("from,to,games,won,drawn,lost,score"));
    assert!(lines[1].starts_with("0.08,0.0,4,"), "{}", lines[1]);
}

#[test]
fn threads_and_resuming_find_the_same_games() {
    let cells = ["--cells", "8x0,16x16", "--json"];
    let whole = lab(&[&cells[..], &["--games", "6", "--threads", "1"]].concat());
    let whole = whole.clean().json_lines().remove(0);
    let two = lab(&[&cells[..], &["--games", "6", "--threads", "2"]].concat());
    assert_eq!(two.clean().json_lines()[0], whole);
    let kept = fresh("grid.json");
    let part = lab(&[&cells[..], &["--games", "2", "--resume", &kept]].concat());
    assert_eq!(part.clean().json_lines()[0]["games"], 4);
    // Settings that are in the file need not be repeated.
    let go_on = ["lab", "differential", "--resume", &kept, "--games", "6"];
    let resumed = plyscope(&[&go_on[..], &cells].concat());
    assert_eq!(resumed.clean().json_lines()[0], whole);
    // Nothing is left to play.
    let again = plyscope(&[&go_on[..], &cells].concat());
    assert_eq!(again.clean().json_lines()[0], whole);
}

/// The files of the parts, one after another, are the file of the whole.
#[test]
fn parts_make_a_whole() {
    let cells = ["--cells", "8x0,4x4,16x16", "--games", "4", "--json"];
    let whole = lab(&cells).clean().json_lines().remove(0);
    let mut all = String::new();
    for part in ["1/2", "2/2"] {
        let path = fresh(&format!("grid-{}.json", &part[..1]));
        let further = ["--shard", part, "--resume", &path];
        let found = lab(&[&cells[..], &further].concat());
        let found = found.clean().json_lines().remove(0);
        assert_eq!(
            (&found["complete"], &found["games"]),
            (&false.into(), &6.into())
        );
        all += &std::fs::read_to_string(&path).expect("kept");
    }
    let path = file("grid-all.json", &all);
    let further = ["--resume", path.as_str()];
    let merged = lab(&[&cells[..], &further].concat()).clean();
    assert_eq!(merged.json_lines()[0], whole);
    let others = file(
        "grid-others.json",
        all.replacen("\"seed\":1", "\"seed\":2", 1),
    );
    let refused = lab(&[&cells[..], &["--resume", &others]].concat());
    refused.refused(1);
    assert!(refused.err.contains("several settings"), "{}", refused.err);
}

#[test]
fn what_does_not_fit_is_refused() {
    let kept = fresh("other.json");
    lab(&["--games", "2", "--cells", "1x1", "--resume", &kept]).clean();
    let before = std::fs::read_to_string(&kept).expect("kept");
    let other = ["lab", "differential", "--resume", &kept, "--playouts", "7"];
    let run = plyscope(&other);
    run.refused(1);
    assert!(
        run.err.contains("6 playouts") && run.err.contains("7 playouts"),
        "{}",
        run.err
    );
    for broken in [
        "",
        "{",
        "[]",
        "{\"version\":1}",
        &before.replace("1,\"exp", "9,\"exp"),
    ] {
        let path = file("broken-grid.json", broken);
        let run = plyscope(&["lab", "differential", "--resume", &path]);
        assert_eq!(run.status, 1, "{broken}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
        assert!(run.err.contains("broken-grid.json"), "{}", run.err);
        run.harmless();
        // The existing file is left unchanged.
        assert_eq!(std::fs::read_to_string(&path).expect("there"), broken);
    }
    assert_eq!(std::fs::read_to_string(&kept).expect("kept"), before);
    for wrong in [
        ["--cells", "3x0"],
        ["--cells", "8"],
        ["--set", "fpu=x"],
        ["--set", "depth=3"],
        ["--games", "0"],
        ["--playouts", "0"],
    ] {
        let run = lab(&wrong);
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        run.harmless();
    }
}

/// Ctrl-C prints the results so far; continuing gives the same results as an uninterrupted run.
#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_and_can_go_on() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let kept = fresh("interrupted-grid.json");
    let arguments = ["--cells", "8x0", "--threads", "1", "--json"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(SHORT)
        .args(arguments)
        .args(["--games", "100000", "--resume", &kept])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !std::path::Path::new(&kept).exists() && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let part: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(part["complete"], false);
    let games = part["games"].as_u64().expect("a number");
    assert!((2..100_000).contains(&games), "{games}");
    let wanted = (games + 2).to_string();
    let more = ["--games", &wanted, "--resume", &kept];
    let resumed = lab(&[&arguments[..], &more].concat()).clean();
    let whole = lab(&[&arguments[..], &["--games", &wanted]].concat()).clean();
    assert_eq!(resumed.json_lines(), whole.json_lines());
}
