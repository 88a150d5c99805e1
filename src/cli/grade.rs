//! `plyscope grade`: a student's search against what an assignment asks for.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::failure::complain;
use super::options::ShowOptions;
use super::{Failure, headless, output, workbench};
use game::load::LoadError;
use games::{Document, position_of_text, trace};
use report::grade::{Graded, junit};
use report::text::Style;
use search::quantity;
use studies::grade::ready::{self, Ready};
use studies::grade::{Assignment, Kind, Limits, Rules, Wanted, grade, write_reference};
use text::quote;
use traced::InMemory;

/// Check what a student's search does, from the trace that it sent: the leaves it looks at, where it cuts off, its values; of a
/// Monte Carlo tree search its choices, visits and means.
///
/// The algorithm and the position come from an assignment (--assignment, --ready), or from --against and the trace. Minimax and
/// alpha-beta are checked by the student's own order of moves: the right windows, cuts and values are those that follow from it.
/// --against FILE compares with the trace of another search, node by node.
///
/// The exit status is 0 if all traces passed, and 1 if one failed or was refused; the text, --json and --junit say which of both.
/// A trace is refused if it can't be read, is of another game or position, or has no end. The others are graded all the same.
///
/// --new writes the folder of a ready-made assignment: assignment.toml, skeletons in Python and C, and the emitters they use.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope grade --new alpha-beta homework
  plyscope grade --assignment homework student.plytrace
  plyscope grade --ready minimax */search.plytrace --junit results.xml
  plyscope grade --against alpha-beta --depth 4 --position \"connect4 5x4\" student.plytrace
  plyscope grade --against model-answer.plytrace student.plytrace --json
  plyscope grade --assignment homework student.plytrace --look
  ./search | plyscope grade --ready uct -")]
pub struct Arguments {
    /// Traces of students' searches, or - for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What the search should do: minimax, alpha-beta or mcts (uct), or what the search in this trace does
    #[arg(
        long,
        value_name = "ALGORITHM|FILE",
        help_heading = "What is asked for"
    )]
    against: Option<String>,

    /// The assignment: its file, or a folder with an assignment.toml
    #[arg(
        long,
        value_name = "FILE|FOLDER",
        conflicts_with = "ready",
        help_heading = "What is asked for"
    )]
    assignment: Option<PathBuf>,

    /// A ready-made assignment
    #[arg(long, value_name = "NAME", value_parser = ready_made(), help_heading = "What is asked for")]
    ready: Option<Ready>,

    /// The position that is searched: a file, or a position in a line [default: that of the trace]
    #[arg(long, value_name = "FILE|TEXT", conflicts_with_all = ["ready", "assignment"], help_heading = "What is asked for")]
    position: Option<String>,

    /// Play these moves first
    #[arg(
        long,
        value_name = "MOVES",
        requires = "position",
        help_heading = "What is asked for"
    )]
    moves: Option<String>,

    /// How many plies the search looks ahead [default: to the end of the game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200), conflicts_with_all = ["ready", "assignment"], help_heading = "What is asked for")]
    depth: Option<u32>,

    /// How many simulations are made [default: any number]
    #[arg(long, value_name = "N", value_parser = quantity::count, conflicts_with_all = ["ready", "assignment"], help_heading = "What is asked for")]
    simulations: Option<u64>,

    /// The constant c of UCT, in mean + c √(ln N / n) [default: choices among visited moves are not checked]
    #[arg(long, value_name = "C", conflicts_with_all = ["ready", "assignment"], help_heading = "What is asked for")]
    exploration: Option<f64>,

    /// Up to how much values may differ, in the unit of the trace
    #[arg(long, value_name = "X", conflicts_with_all = ["ready", "assignment"], help_heading = "What is asked for")]
    tolerance: Option<f64>,

    /// Grade this search of a trace with several
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    search: u32,

    /// How long reading a trace may take
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = quantity::duration)]
    limit: Duration,

    /// How long a trace may be
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = quantity::size)]
    limit_size: u64,

    /// Print one JSON object for each trace
    #[arg(long)]
    json: bool,

    /// Write the grades as JUnit XML, for a course server; - prints them in place of the text
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write a right search of the position as a trace, to look at beside the student's
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// Look at the search beside a right one, in the workbench's Compare: what differs in the trees is marked
    #[arg(long, conflicts_with_all = ["json", "junit"])]
    look: bool,

    /// Write the folder of a ready-made assignment: minimax, alpha-beta or uct
    #[arg(long, num_args = 2, value_names = ["NAME", "FOLDER"], exclusive = true)]
    new: Option<Vec<String>>,

    #[command(flatten)]
    show: ShowOptions,
}

fn ready_made() -> impl clap::builder::TypedValueParser<Value = Ready> {
    let names = ready::all().into_iter().map(|ready| ready.name);
    PossibleValuesParser::new(names).try_map(|name| ready::find(&name).ok_or("no such name"))
}

/// Grades traces, or writes a ready-made assignment.
///
/// # Errors
/// See [`Failure`]. [`Failure::Reported`] if a trace failed or was refused.
pub fn run(arguments: &Arguments, no_color: bool) -> Result<(), Failure> {
    if let Some(new) = &arguments.new {
        return write_new(new);
    }
    let assignment = arguments.assignment()?;
    if arguments.files.is_empty() && arguments.reference.is_none() {
        let why = "found no trace, expected one: plyscope grade --assignment FILE student.plytrace";
        return Err(Failure::Usage(why.into()));
    }
    let wanted = Wanted {
        search: arguments.search - 1,
        limits: Limits {
            time: arguments.limit,
            bytes: arguments.limit_size,
        },
    };
    let prints_junit = arguments.junit.as_deref() == Some(Path::new("-"));
    let prints_text = !arguments.json && !prints_junit;
    if prints_junit && arguments.json {
        let why = "--junit -: found --json too, expected one of them on standard output";
        return Err(Failure::Usage(why.into()));
    }
    headless::end_on_interrupt();
    if let Some(path) = &arguments.reference {
        write_own(&assignment, path)?;
    }
    if arguments.look {
        return look(arguments, &assignment, no_color);
    }
    let style = Style {
        ascii: arguments.show.ascii,
    };
    let mut out = output::stdout();
    let mut all = Vec::new();
    for file in &arguments.files {
        let begun = Instant::now();
        let graded = Graded {
            file: file.to_string_lossy().into_owned(),
            came: grade(&assignment, file, &wanted),
            time: begun.elapsed(),
        };
        if let Err(refusal) = &graded.came
            && !(prints_text && is_one_terminal())
        {
            complain(&refusal.to_string());
        }
        if arguments.json {
            serde_json::to_writer(&mut out, &graded.json(&assignment))?;
            writeln!(out)?;
        } else if prints_text {
            let between = if all.is_empty() { "" } else { "\n" };
            write!(out, "{between}{}", graded.text(style))?;
        }
        out.flush()?;
        all.push(graded);
    }
    if let Some(path) = &arguments.junit {
        let document = junit(&all, &assignment);
        match prints_junit {
            true => out.write_all(document.as_bytes())?,
            false => {
                let written = text::save::save(path, |out| out.write_all(document.as_bytes()));
                written.map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
            }
        }
    }
    out.flush()?;
    match all.iter().all(Graded::is_passed) {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// Whether both outputs are on a terminal, where the text says why a trace was refused.
fn is_one_terminal() -> bool {
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}

impl Arguments {
    fn assignment(&self) -> Result<Assignment, Failure> {
        let kind = self.against.as_deref().and_then(Kind::named);
        let file = self.against.as_ref().filter(|_| kind.is_none());
        let base = match (&self.assignment, &self.ready) {
            (Some(path), _) => Assignment::open(path)?,
            (None, Some(ready)) => ready.assignment()?,
            (None, None) => Assignment {
                root: self.root()?,
                depth: self.depth,
                simulations: self.simulations,
                rules: Rules {
                    exploration: self.exploration,
                    ..Rules::default()
                },
                tolerance: self.tolerance.unwrap_or(0.0),
                ..Assignment::new(kind)
            },
        };
        let is_given = self.assignment.is_some() || self.ready.is_some();
        match (file, kind) {
            (None, None) if !is_given => {
                let why = "found nothing to grade by, expected --assignment FILE, --ready NAME, or --against minimax, alpha-beta, mcts or a trace";
                Err(Failure::Usage(why.into()))
            }
            (None, Some(kind)) if is_given && base.kind != Some(kind) => {
                let asked = base.kind.map_or("a reference", Kind::name);
                let why = format!(
                    "--against: found {}, expected {asked} as in the assignment, or a trace",
                    kind.name()
                );
                Err(Failure::Usage(why))
            }
            (Some(file), _) if !Path::new(file).exists() => Err(Failure::Usage(format!(
                "--against: found {}, expected minimax, alpha-beta, mcts or the file of a trace",
                quote(file)
            ))),
            (Some(file), _) => Ok(base.against(file.into())),
            _ => Ok(base),
        }
    }

    /// The position of the command line.
    fn root(&self) -> Result<Option<search::Subject>, Failure> {
        let Some(named) = &self.position else {
            return Ok(None);
        };
        let path = Path::new(named);
        let root = match path.exists() {
            true => Document::open(path)?.only_position()?,
            false => position_of_text(named).map_err(|error| {
                let found = format!(
                    "{}, which is no file and no position ({error})",
                    quote(named)
                );
                let expected = "a file, a FEN, or such as \"tictactoe x-o/---/---\"";
                LoadError::new(found, expected).in_file("--position")
            })?,
        };
        match &self.moves {
            None => Ok(Some(root)),
            Some(moves) => {
                let played = root.play_text(moves);
                Ok(Some(played.map_err(|e| e.in_file("--moves"))?))
            }
        }
    }
}

/// Opens the workbench with a search and a right one side by side.
fn look(arguments: &Arguments, assignment: &Assignment, no_color: bool) -> Result<(), Failure> {
    let [file] = arguments.files.as_slice() else {
        let found = arguments.files.len();
        let why = format!("--look: found {found} traces, expected one");
        return Err(Failure::Usage(why));
    };
    let root = match &assignment.root {
        Some(root) => root.clone(),
        None => Document::open(file)?.first_entry()?.1.subject(),
    };
    let own = trace::first_in(file, &root)?;
    let right = match &assignment.against {
        Some(path) => trace::first_in(path, &root)?,
        None => {
            let refused = |why: std::io::Error| Failure::Input(format!("--look: {why}"));
            let told = write_reference(assignment, &root, || false, Vec::new());
            trace::first_of(Arc::new(InMemory::new(told.map_err(refused)?)), &root)?
        }
    };
    let document = Document::of_subject("the assignment", root);
    workbench::compare(document, vec![own, right], arguments.show.ascii, no_color)
}

/// Writes a right search.
fn write_own(assignment: &Assignment, path: &Path) -> Result<(), Failure> {
    let refused = |why: &dyn std::fmt::Display| {
        Failure::Input(format!("--reference: {}: {why}", path.display()))
    };
    let Some(root) = &assignment.root else {
        return Err(Failure::Usage(
            "--reference: found no position, expected an assignment or --position".into(),
        ));
    };
    let told = write_reference(assignment, root, headless::interrupted, Vec::new());
    let told = told.map_err(|e| refused(&e))?;
    text::save::save(path, |out| out.write_all(&told)).map_err(|e| refused(&e))
}

/// Writes the folder of a ready-made assignment.
fn write_new(new: &[String]) -> Result<(), Failure> {
    let [name, folder] = new else {
        return Err(Failure::Usage("--new: expected a name and a folder".into()));
    };
    let Some(ready) = ready::find(name) else {
        let names: Vec<&str> = ready::all().iter().map(|ready| ready.name).collect();
        let why = format!(
            "--new: found {}, expected one of {}",
            quote(name),
            names.join(", ")
        );
        return Err(Failure::Usage(why));
    };
    let written = ready.write(Path::new(folder));
    let written = written.map_err(|e| Failure::Input(format!("--new: {e}")))?;
    let mut out = output::stdout();
    for path in written {
        writeln!(out, "{}", path.display())?;
    }
    out.flush()?;
    Ok(())
}
