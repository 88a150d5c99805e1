//! Finds well-known engines among the programs of this machine.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::EngineSpec;

/// Programs that speak UCI when they are started without arguments, by the names under which they are installed.
const NAMES: [&str; 14] = [
    "stockfish",
    "lc0",
    "berserk",
    "clover",
    "ethereal",
    "fruit",
    "glaurung",
    "igel",
    "koivisto",
    "obsidian",
    "rubichess",
    "stormphrax",
    "toga2",
    "viridithas",
];

/// Where distributions put games; the search path of a service or of root often leaves it out.
const GAMES: &str = "/usr/games";

/// Whether the program of a command is there: the file of this name, or one in the search path. It is not started.
pub fn is_found(program: &str) -> bool {
    let file = Path::new(program);
    let is_path = file.components().count() > 1;
    let path = env::var_os("PATH").filter(|_| !is_path);
    let mut folders = path.iter().flat_map(env::split_paths);
    is_path && is_program(file) || folders.any(|folder| is_program(&folder.join(file)))
}

/// Returns the well-known engines of the search path, in the order of [`NAMES`]. It looks for files and starts none.
pub fn installed() -> Vec<EngineSpec> {
    in_folders(env::var_os("PATH").as_deref())
}

fn in_folders(path: Option<&OsStr>) -> Vec<EngineSpec> {
    let mut folders: Vec<PathBuf> = path
        .map(|path| env::split_paths(path).collect())
        .unwrap_or_default();
    folders.push(PathBuf::from(GAMES));
    let program = |name: &&str| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let found = folders.iter().map(|folder| folder.join(&file));
        let program = found.into_iter().find(|program| is_program(program))?;
        Some(EngineSpec {
            name: (*name).to_owned(),
            ..EngineSpec::of_program(program.to_str()?)
        })
    };
    NAMES.iter().filter_map(program).collect()
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let executable = |data: std::fs::Metadata| data.permissions().mode() & 0o111 != 0;
    file.is_file() && file.metadata().is_ok_and(executable)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn programs_of_the_search_path_are_found_and_other_files_are_not() {
        let folder = env::temp_dir().join(format!("plyscope-installed-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for (name, mode) in [("viridithas", 0o755), ("koivisto", 0o644), ("vi", 0o755)] {
            fs::write(folder.join(name), "").expect("a file");
            fs::set_permissions(folder.join(name), Permissions::from_mode(mode)).expect("a mode");
        }
        let found = in_folders(Some(folder.as_os_str()));
        let here = |engine: &&EngineSpec| Path::new(&engine.command[0]).starts_with(&folder);
        let names: Vec<&str> = found.iter().filter(here).map(|e| e.name.as_str()).collect();
        fs::remove_dir_all(&folder).expect("the folder again");
        assert_eq!(names, ["viridithas"]);
    }
}
