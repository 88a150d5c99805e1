//! Programs that send a trace by plyscope's own emitters, built with the system's compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The toy alpha-beta, built with the system's compiler; `None` if there is none.
pub fn alpha_beta(plies: u32) -> Option<Vec<String>> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let program = folder.join(format!("toy_alpha_beta-{}", std::process::id()));
        let built = Command::new("cc")
            .args(["-O1", "-pthread", "-DPLYSCOPE_TRACE", "-I"])
            .arg(root().join("src/open_trace/emitters"))
            .arg(root().join("tests/fixtures/open_trace/toy_alpha_beta.c"))
            .arg("-o")
            .arg(&program)
            .status();
        let Ok(status) = built else {
            eprintln!("skipped: no C compiler");
            return None;
        };
        assert!(status.success());
        // Another run of the tests may have it open.
        let named = folder.join("toy_alpha_beta");
        std::fs::rename(&program, &named).expect("renamed");
        Some(named)
    });
    let program = built.as_ref()?.to_str()?.to_owned();
    Some(vec![program, plies.to_string()])
}

/// A toy in Python with these arguments; `None` if there is no Python.
pub fn python(file: &str, arguments: &[&str]) -> Option<Vec<String>> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: no Python");
        return None;
    }
    let path = |part: &str| root().join(part).display().to_string();
    let emitters = format!("PYTHONPATH={}", path("src/open_trace/emitters"));
    let program = path(&format!("tests/fixtures/open_trace/{file}"));
    let words = [
        "env",
        &emitters,
        "PYTHONDONTWRITEBYTECODE=1",
        "python3",
        &program,
    ];
    Some(
        words
            .iter()
            .chain(arguments)
            .map(|word| (*word).to_owned())
            .collect(),
    )
}
