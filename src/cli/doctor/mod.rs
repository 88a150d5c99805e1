//! `plyscope doctor`: what one needs to know of a machine to understand a report of a mistake.

mod look;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::options::ShowOptions;
use super::{Failure, output};
use report::json::{VERSION, Version};
use report::text::Style;
use text::sanitise;

/// Show what the terminal, the files and the machine are, for a report of a mistake.
///
/// Terminal, colours and the characters that the workbench draws with; memory and cores; the configuration and other files;
/// engines and endgame tables that are found; versions. What is likely to be a problem is said at the end. Nothing is sent anywhere, no engine is
/// started, and nothing is changed.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope doctor
  plyscope doctor -o report.txt")]
pub struct Arguments {
    /// Folder of Syzygy endgame tables [default: that of the configuration]
    #[arg(long, value_name = "DIR")]
    syzygy: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    show: ShowOptions,
}

/// What was found of a machine.
#[derive(Serialize, JsonSchema, Debug)]
pub(super) struct DoctorJson {
    version: Version,
    /// The program itself.
    program: ProgramJson,
    /// The machine and its system.
    system: SystemJson,
    /// The terminal.
    terminal: TerminalJson,
    /// Files and folders that plyscope uses.
    files: Vec<FileJson>,
    /// Engines of the configuration, and those that are installed.
    engines: Vec<EngineJson>,
    /// The endgame tables; null if none are named.
    tables: Option<TablesJson>,
    /// What is likely to be a problem, each in a sentence.
    problems: Vec<String>,
}

/// The program itself.
#[derive(Serialize, JsonSchema, Debug)]
struct ProgramJson {
    /// Its version.
    version: &'static str,
    /// `release` or `debug`; a search in a debug build is slow.
    build: &'static str,
    /// Its file; null if the system does not say.
    file: Option<String>,
    /// The versions of its formats: saved sessions, and open traces.
    formats: FormatsJson,
}

/// Versions of formats.
#[derive(Serialize, JsonSchema, Debug)]
struct FormatsJson {
    /// Of saved sessions.
    session: u32,
    /// Of open traces.
    trace: u32,
}

/// The machine and its system.
#[derive(Serialize, JsonSchema, Debug)]
struct SystemJson {
    /// The system with its version, as it calls itself.
    name: String,
    /// The version of its kernel; null if it does not say.
    kernel: Option<String>,
    /// The kind of processor.
    architecture: &'static str,
    /// How many threads run at a time, as far as this process may use them.
    cores: usize,
    /// All memory, in bytes.
    memory: u64,
    /// The memory that a search takes at most, in bytes.
    for_trees: u64,
}

/// The terminal.
#[derive(Serialize, JsonSchema, Debug)]
struct TerminalJson {
    /// The environment variables that decide about it, which are set.
    variables: Vec<VariableJson>,
    /// Whether standard input is a terminal.
    input: bool,
    /// Whether standard output is one.
    output: bool,
    /// Columns and rows; null without a terminal.
    size: Option<(u16, u16)>,
    /// The colours that the workbench uses: none, 16, 256 or 16777216.
    colours: u32,
    /// Whether the locale says that characters are UTF-8.
    unicode: bool,
}

/// An environment variable.
#[derive(Serialize, JsonSchema, Debug)]
struct VariableJson {
    /// Its name.
    name: &'static str,
    /// Its value.
    value: String,
}

/// A file or folder that plyscope uses.
#[derive(Serialize, JsonSchema, Debug)]
struct FileJson {
    /// What it is.
    what: &'static str,
    /// Where it is looked for; null if there is no such place.
    path: Option<String>,
    /// What was found there.
    state: String,
}

/// An engine.
#[derive(Serialize, JsonSchema, Debug)]
struct EngineJson {
    /// Its name.
    name: String,
    /// The program and its arguments.
    command: String,
    /// Whether the configuration names it; otherwise it was found in the search path.
    configured: bool,
    /// Whether its program is there.
    found: bool,
}

/// Endgame tables.
#[derive(Serialize, JsonSchema, Debug)]
struct TablesJson {
    /// The folder, or several.
    path: String,
    /// The number of files.
    files: usize,
    /// The most pieces that any of them has.
    men: u32,
}

/// Looks at everything and prints it.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments, no_color: bool) -> Result<(), Failure> {
    let found = look::at_all(arguments.syzygy.clone(), no_color);
    let mut out = output::stdout();
    if arguments.json {
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    } else {
        let style = Style {
            ascii: arguments.show.ascii,
        };
        let mut text = found.text();
        if !style.ascii {
            text += &found.characters();
        }
        text += &found.verdict();
        out.write_all(style.apply(text).as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// The characters of the workbench, by what they draw.
const CHARACTERS: [(&str, &str); 6] = [
    ("frames", "╭─╮│╰╯ ┃ ╌┆╪"),
    ("trees", "▸▾·▹ ★ ● ○ ◆ ◎ ⟳ ✗ ⊝ ⊜ △ ▽ ⚑"),
    ("the axis", "━─╌┤├▒╋┊◂▸ ≤ ≥ ± − ∞ σ"),
    ("bars", "▁▂▃▄▅▆▇█ ▏▎▍▌▋▊▉"),
    ("curves", "⠁⠃⠇⡇⣇⣧⣷⣿ ⢀⢠⢰⢸"),
    ("chess", "♔♕♖♗♘♙ ♚♛♜♝♞♟"),
];

impl DoctorJson {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut section = |name: &str, rows: Vec<(String, String)>| {
            let width = rows.iter().map(|(name, _)| text::width(name)).max();
            text += &format!("{name}\n");
            for (name, value) in rows {
                let gap = width.unwrap_or(0) - text::width(&name);
                text += &format!("  {name}{:gap$}  {}\n", "", sanitise(&value));
            }
            text += "\n";
        };
        let row = |name: &str, value: String| (name.to_owned(), value);
        let unknown = || "unknown".to_owned();
        let program = &self.program;
        let formats = &program.formats;
        section(
            &format!("plyscope {}, {} build", program.version, program.build),
            vec![
                row("program", program.file.clone().unwrap_or_else(unknown)),
                row(
                    "formats",
                    format!("sessions {}, traces {}", formats.session, formats.trace),
                ),
            ],
        );
        let system = &self.system;
        section(
            "machine",
            vec![
                row("system", system.name.clone()),
                row("kernel", system.kernel.clone().unwrap_or_else(unknown)),
                row(
                    "processor",
                    format!("{}, {} threads", system.architecture, system.cores),
                ),
                row(
                    "memory",
                    format!(
                        "{}, of which a search takes at most {}",
                        text::bytes(system.memory),
                        text::bytes(system.for_trees)
                    ),
                ),
            ],
        );
        section("terminal", self.terminal.rows());
        let files = self.files.iter().map(|file| {
            let path = file.path.as_deref().unwrap_or("nowhere");
            row(file.what, format!("{path}: {}", file.state))
        });
        section("files", files.collect());
        let engines = self.engines.iter().map(|engine| {
            let place = match (engine.configured, engine.found) {
                (true, true) => "named in the configuration",
                (true, false) => "named in the configuration, but not found",
                (false, _) => "found in the search path",
            };
            row(
                &sanitise(&engine.name),
                format!("{} ({place})", engine.command),
            )
        });
        let mut engines: Vec<_> = engines.collect();
        if engines.is_empty() {
            engines.push(row("none", "no engine is named or found".into()));
        }
        section("engines", engines);
        let tables = self.tables.as_ref().map_or_else(
            || {
                row(
                    "none",
                    "no folder is named (syzygy in the configuration)".into(),
                )
            },
            |tables| {
                let what = format!("{} files, up to {} pieces", tables.files, tables.men);
                row(&sanitise(&tables.path), what)
            },
        );
        section("endgame tables", vec![tables]);
        text
    }

    fn characters(&self) -> String {
        let mut text =
            "characters (each group should look like its name, in a line without gaps)\n"
                .to_owned();
        for (name, characters) in CHARACTERS {
            text += &format!("  {name:<9}{characters}\n");
        }
        text + "\n"
    }

    fn verdict(&self) -> String {
        match self.problems.as_slice() {
            [] => "No problem was found.\n".to_owned(),
            problems => {
                let lines = problems
                    .iter()
                    .map(|problem| format!("  ! {}\n", sanitise(problem)));
                format!("likely problems\n{}", lines.collect::<String>())
            }
        }
    }
}

impl TerminalJson {
    fn rows(&self) -> Vec<(String, String)> {
        let size = |(columns, rows)| format!("{columns}x{rows}");
        let colours = match self.colours {
            0 => "none".to_owned(),
            16_777_216 => "16,777,216 (24 bits)".to_owned(),
            number => number.to_string(),
        };
        let is = |yes: bool| if yes { "a terminal" } else { "no terminal" };
        let mut rows = vec![
            ("size", self.size.map_or_else(|| "unknown".to_owned(), size)),
            ("colours", colours),
            (
                "locale",
                if self.unicode { "UTF-8" } else { "not UTF-8" }.to_owned(),
            ),
            ("input", is(self.input).to_owned()),
            ("output", is(self.output).to_owned()),
        ];
        let variables = self.variables.iter();
        rows.extend(variables.map(|variable| (variable.name, variable.value.clone())));
        let owned = rows.into_iter();
        owned
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
