//! Faults of the system beneath a program, by a library that is loaded before the others.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the library made of `tests/fixtures/faults/faults.c`, which says what it understands: for `LD_PRELOAD`.
///
/// # Panics
/// If it cannot be built.
pub fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // Each process builds its own; the name is that of the last one.
        let folder = std::env::temp_dir();
        let library = folder.join("plyscope-faults.so");
        let beside = folder.join(format!("plyscope-faults-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/faults/faults.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .args([&beside, &source])
            .arg("-ldl")
            .output()
            .expect("a C compiler, with which Rust links");
        assert!(built.status.success(), "{built:?}");
        std::fs::rename(&beside, &library).expect("its place");
        library
    })
}
