//! Looks at the machine, and judges what is found.

use std::env;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use super::{
    DoctorJson, EngineJson, FileJson, FormatsJson, ProgramJson, SystemJson, TablesJson,
    TerminalJson, VERSION, VariableJson,
};
use external::{EngineSpec, installed};
use game::EndgameTables;
use screen::theme::{Depth, ThemeStore};
use session::{default_memory, machine_memory, saved};
use sysinfo::System;
use tui::config::{self, Preferences};

/// The variables that decide about the terminal.
const VARIABLES: [&str; 16] = [
    "TERM",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "WT_SESSION",
    "NO_COLOR",
    "COLUMNS",
    "TMUX",
    "STY",
    "SSH_TTY",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
];

/// The least screen of the workbench.
const LEAST: (u16, u16) = (40, 12);

/// Looks at everything.
pub fn at_all(syzygy: Option<PathBuf>, no_color: bool) -> DoctorJson {
    let mut problems = Vec::new();
    let own = config::own();
    let program = program(&mut problems);
    let terminal = terminal(no_color, &mut problems);
    let files = files(&own, &mut problems);
    let own = own.unwrap_or_default();
    let engines = engines(&own.engines, &mut problems);
    let tables = syzygy
        .or(own.syzygy)
        .and_then(|path| tables(&path, &mut problems));
    DoctorJson {
        version: VERSION,
        program,
        system: SystemJson {
            name: System::long_os_version().unwrap_or_else(|| env::consts::OS.to_owned()),
            kernel: System::kernel_version(),
            architecture: env::consts::ARCH,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: machine_memory(),
            for_trees: own.memory.unwrap_or_else(default_memory),
        },
        terminal,
        files,
        engines,
        tables,
        problems,
    }
}

fn program(problems: &mut Vec<String>) -> ProgramJson {
    let is_debug = cfg!(debug_assertions);
    if is_debug {
        problems.push("this is a debug build: searches are slow".into());
    }
    ProgramJson {
        version: env!("CARGO_PKG_VERSION"),
        build: if is_debug { "debug" } else { "release" },
        file: env::current_exe()
            .ok()
            .map(|file| file.display().to_string()),
        formats: FormatsJson {
            session: saved::VERSION,
            trace: open_trace::VERSION,
        },
    }
}

/// An environment variable, unless it is empty.
fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

fn terminal(no_color: bool, problems: &mut Vec<String>) -> TerminalJson {
    let variables = VARIABLES.iter().filter_map(|name| {
        let value = variable(name)?;
        Some(VariableJson { name, value })
    });
    let (input, output) = (io::stdin().is_terminal(), io::stdout().is_terminal());
    let size = (input || output)
        .then(crossterm::terminal::size)
        .and_then(Result::ok);
    let depth = match no_color || variable("NO_COLOR").is_some() {
        true => Depth::None,
        false => Depth::of_environment(variable),
    };
    // The first of them that is set holds.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(variable);
    let unicode = locale.as_deref().is_some_and(is_utf8);
    if !unicode {
        let locale = locale.unwrap_or_else(|| "none".into());
        problems.push(format!(
            "the locale is {locale}, not one with UTF-8: if the characters above look wrong, set LANG (to C.UTF-8, say) or start with --ascii"
        ));
    }
    match variable("TERM").as_deref() {
        None if output => problems.push("TERM is not set: the terminal can't be told what to draw".into()),
        Some("dumb") => problems.push("TERM is dumb: the workbench needs a terminal that can place the cursor".into()),
        Some("linux") => problems.push(
            "this is the Linux console: it has 16 colours and no braille, so curves look broken; --ascii draws them otherwise".into(),
        ),
        Some(term @ ("xterm" | "screen")) if depth == Depth::Sixteen => problems.push(format!(
            "TERM is {term}, which stands for 16 colours; if the terminal has more, set it to {term}-256color, or COLORTERM to truecolor"
        )),
        _ => {}
    }
    if size.is_some_and(|(columns, rows)| columns < LEAST.0 || rows < LEAST.1) {
        problems.push(format!(
            "the terminal is smaller than {}x{}: the workbench says so and draws nothing",
            LEAST.0, LEAST.1
        ));
    }
    let in_tmux = variable("TMUX").is_some();
    if in_tmux && depth != Depth::True && depth != Depth::None {
        problems.push(
            "in tmux, 24-bit colours need: set -g default-terminal tmux-256color; set -as terminal-features ',*:RGB'; and COLORTERM=truecolor".into(),
        );
    }
    TerminalJson {
        variables: variables.collect(),
        input,
        output,
        size,
        colours: match depth {
            Depth::None => 0,
            Depth::Console | Depth::Sixteen => 16,
            Depth::Indexed => 256,
            Depth::True => 1 << 24,
        },
        unicode,
    }
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

fn files(own: &Result<Preferences, String>, problems: &mut Vec<String>) -> Vec<FileJson> {
    let mut files = Vec::new();
    let mut add = |what, path: Option<&Path>, state: String| {
        files.push(FileJson {
            what,
            path: path.map(|path| path.display().to_string()),
            state,
        });
    };
    let path = config::path();
    let is_there = path.as_deref().is_some_and(Path::exists);
    let state = match own {
        Err(wrong) => {
            problems.push(format!("the configuration is not used: {wrong}"));
            "wrong".to_owned()
        }
        Ok(_) if !is_there => "not there, so the defaults hold".to_owned(),
        Ok(own) if own.warnings.is_empty() => "read".to_owned(),
        Ok(own) => {
            problems.extend(
                own.warnings
                    .iter()
                    .map(|warning| format!("the configuration: {warning}")),
            );
            "read, but not all of it can be used".to_owned()
        }
    };
    add("configuration", path.as_deref(), state);
    let themes = ThemeStore::of_environment();
    let names = themes.names();
    for folder in themes.folders() {
        let state = match folder.is_dir() {
            true => format!("{} themes with the built-in ones", names.len()),
            false => "not there; the built-in themes are".to_owned(),
        };
        add("themes", Some(folder), state);
    }
    let theme = own.as_ref().ok().and_then(|own| own.theme.clone());
    if let Some(wrong) = theme.and_then(|theme| themes.load(&theme).err()) {
        problems.push(format!("the theme: {wrong}"));
    }
    let state = tui::state_folder();
    let kept = state.as_deref().map_or_else(
        || Err("found no folder, expected one (set HOME)".to_owned()),
        is_writable,
    );
    let words = match kept {
        Ok(words) => words.to_owned(),
        Err(why) => {
            problems.push(format!("answers, sessions and places can't be kept: {why}"));
            why
        }
    };
    add("state", state.as_deref(), words);
    let faults = state.as_deref().map_or(0, faults);
    if faults > 0 {
        problems.push(format!(
            "there {} of crashes in the state folder (fault-N.txt): please attach the last one",
            if faults == 1 {
                "is 1 report".to_owned()
            } else {
                format!("are {faults} reports")
            }
        ));
    }
    files
}

/// Whether files can be written in a folder, which need not exist yet; nothing is written.
fn is_writable(folder: &Path) -> Result<&'static str, String> {
    let there = folder.ancestors().find(|above| above.exists());
    let Some(there) = there else {
        return Err(format!("{}: no part of it exists", folder.display()));
    };
    match text::files::may_write(there) {
        Ok(()) if there == folder => Ok("there"),
        Ok(()) => Ok("not there yet"),
        Err(why) => Err(format!("{}: {why}", there.display())),
    }
}

/// The number of reports of crashes.
fn faults(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_fault = |name: &str| name.starts_with("fault-") && name.ends_with(".txt");
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| is_fault(name)).count()
}

fn engines(own: &[EngineSpec], problems: &mut Vec<String>) -> Vec<EngineJson> {
    let engine = |spec: &EngineSpec, configured| EngineJson {
        name: spec.name.clone(),
        command: spec.command.join(" "),
        configured,
        found: spec
            .command
            .first()
            .is_some_and(|program| external::is_found(program)),
    };
    let mut all: Vec<EngineJson> = own.iter().map(|spec| engine(spec, true)).collect();
    for missing in all.iter().filter(|engine| !engine.found) {
        problems.push(format!(
            "the engine {}: its program is not found: {}",
            missing.name, missing.command
        ));
    }
    let others = installed();
    let others = others
        .iter()
        .filter(|spec| own.iter().all(|known| known.name != spec.name));
    all.extend(others.map(|spec| engine(spec, false)));
    all
}

fn tables(path: &Path, problems: &mut Vec<String>) -> Option<TablesJson> {
    match EndgameTables::open(path) {
        Ok((tables, passed_over)) => {
            problems.extend(
                passed_over
                    .into_iter()
                    .map(|what| format!("endgame tables: {what}")),
            );
            Some(TablesJson {
                path: path.display().to_string(),
                files: tables.files(),
                men: tables.men(),
            })
        }
        Err(why) => {
            problems.push(format!("endgame tables: {why}"));
            None
        }
    }
}
