//! However often the program is killed, its record stays intact and grows, and no temporary files remain.
//!
//! `PLYSCOPE_KILLS=500 cargo test --release --test cli kills -- --nocapture` kills each program that often.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fastrand::Rng;

fn kills() -> usize {
    let told = std::env::var("PLYSCOPE_KILLS").ok();
    told.and_then(|text| text.parse().ok()).unwrap_or(12)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("plyscope-kills-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A run with its record in `folder`; its output goes to files there.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    let errors = fs::File::create(folder.join("errors")).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_plyscope"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .expect("the program starts")
}

/// Runs and kills it `times` times. After each, `kept` returns how much its record holds, which must never shrink.
fn kill_again_and_again(name: &str, arguments: &[&str], kept: impl Fn(&Path) -> usize) {
    let folder = folder(name);
    let mut rng = Rng::with_seed(7);
    let (mut before, mut ended) = (0, 0);
    let times = kills();
    for kill in 0..times {
        // On a busy machine the first record takes longer: until there is one, every run gets more time.
        let longest = 120 << if before == 0 { kill.min(6) } else { 0 };
        let mut child = start(&folder, arguments);
        std::thread::sleep(Duration::from_millis(rng.u64(1..longest)));
        ended += usize::from(child.try_wait().expect("its state").is_some());
        let _ = child.kill();
        let status = child.wait().expect("its end");
        let told = fs::read_to_string(folder.join("errors")).unwrap_or_default();
        assert!(
            status.code().is_none_or(|code| code == 0),
            "{status}: {told}"
        );
        let now = kept(&folder);
        assert!(now >= before, "{name}: {now} after {before}");
        before = now;
    }
    println!("{name}: {times} kills ({ended} had ended before), {before} kept");
    assert!(before > 0, "{name}: nothing was ever kept");
    // Runs to the end, or at least once undisturbed, which removes temporary files.
    let mut last = start(&folder, arguments);
    std::thread::sleep(Duration::from_millis(1500));
    let _ = Command::new("kill")
        .args(["-INT", &last.id().to_string()])
        .status();
    let status = last.wait().expect("its end");
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    assert!(kept(&folder) >= before);
    let litter = fs::read_dir(&folder).expect("the folder").flatten();
    let litter: Vec<_> = litter
        .map(|e| e.file_name())
        .filter(|n| n.to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(litter.is_empty(), "{litter:?}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_grid_of_point_differential() {
    let arguments = [
        "lab",
        "differential",
        "--cells",
        "8x0,0x8",
        "--games",
        "100000",
        "--playouts",
        "4",
        "--plies",
        "12",
        "--set",
        "playout-length=6",
        "--threads",
        "2",
        "--resume",
        "grid.json",
        "--no-progress",
    ];
    kill_again_and_again("differential", &arguments, |folder| {
        let Ok(text) = fs::read_to_string(folder.join("grid.json")) else {
            return 0;
        };
        let grid: serde_json::Value = serde_json::from_str(&text).expect("whole");
        let records = grid["records"].as_array().expect("records");
        let pairs = records
            .iter()
            .filter_map(|r| r["pairs"].as_array())
            .flatten();
        pairs.filter(|pair| !pair.is_null()).count()
    });
}

/// Returns the number of results in a record of JSON lines, which must be whole.
fn whole_lines(record: &Path) -> usize {
    let text = fs::read(record).unwrap_or_default();
    let lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
    // The last line may be incomplete; the next run cuts it off.
    let whole = &lines[..lines.len() - 1];
    for line in whole {
        serde_json::from_slice::<serde_json::Value>(line).expect("a whole line");
    }
    whole.len().saturating_sub(1)
}

#[test]
fn a_suite() {
    let positions =
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id \"a\";\n"
            .repeat(400);
    let place = std::env::temp_dir().join(format!("plyscope-kills-{}.epd", std::process::id()));
    fs::write(&place, positions).expect("a file");
    let file = place.to_string_lossy().into_owned();
    let arguments = [
        "suite",
        &file,
        "-a",
        "alpha-beta",
        "--nodes",
        "3k",
        "--cores",
        "2",
        "--resume",
        "suite.jsonl",
        "--no-progress",
    ];
    kill_again_and_again("suite", &arguments, |folder| {
        whole_lines(&folder.join("suite.jsonl"))
    });
    fs::remove_file(place).expect("removed");
}

#[test]
fn a_review() {
    let game =
        "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n".repeat(60);
    let place = std::env::temp_dir().join(format!("plyscope-kills-{}.pgn", std::process::id()));
    fs::write(&place, game).expect("a file");
    let file = place.to_string_lossy().into_owned();
    let arguments = [
        "review",
        &file,
        "-a",
        "alpha-beta",
        "--nodes",
        "3k",
        "--threads",
        "2",
        "--resume",
        "review.jsonl",
        "-o",
        "out.pgn",
        "--html",
        "out.html",
        "--no-progress",
    ];
    kill_again_and_again("review", &arguments, |folder| {
        // A file is there completely or not at all.
        if let Ok(page) = fs::read_to_string(folder.join("out.html")) {
            assert!(page.ends_with("</html>\n"));
        }
        whole_lines(&folder.join("review.jsonl"))
    });
    fs::remove_file(place).expect("removed");
}
