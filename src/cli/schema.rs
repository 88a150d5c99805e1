//! `plyscope schema`: JSON Schemas of what the commands print.

use std::io::Write;

use clap::Args;
use clap::builder::PossibleValuesParser;
use schemars::Schema;

use super::lessons::CourseJson;
use super::{Failure, bench, doctor, eval, output, perft};
use report::algorithms::AlgorithmJson;
use report::compare::CompareJson;
use report::engine::AuditJson;
use report::event::json::EventJson;
use report::grade::GradeJson;
use report::json::SearchResult;
use report::lab::schema as lab;
use report::lesson::LessonJson;
use report::lesson::progress::{CollectedJson, ReportJson};
use report::review::json::GameJson;
use report::schema::{Either, of};
use report::sheet::Table;
use report::suite::{EachJson, SuiteJson};
use report::text::Style;
use report::tree::TreeJson;

/// Print the JSON Schema of what a command prints as JSON, or list the schemas.
///
/// A schema (draft 2020-12) describes every field: its unit, from whose view it is, and whether it can be null. A field that
/// is not described is refused.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope schema
  plyscope schema search > search.json")]
pub struct Arguments {
    /// Which schema [default: list them]
    #[arg(value_parser = PossibleValuesParser::new(OUTPUTS.iter().map(|output| output.name)))]
    name: Option<String>,
}

/// What a command prints as JSON.
struct Output {
    name: &'static str,
    command: &'static str,
    /// What is printed, in words.
    prints: &'static str,
    /// Returns the schema, given its title.
    schema: fn(&str) -> Schema,
}

const fn output(
    name: &'static str,
    command: &'static str,
    prints: &'static str,
    schema: fn(&str) -> Schema,
) -> Output {
    Output {
        name,
        command,
        prints,
        schema,
    }
}

const POSITIONS: &str = "an object for each position";

static OUTPUTS: [Output; 34] = [
    output("search", "search --json", POSITIONS, of::<SearchResult>),
    output("compare", "compare --json", POSITIONS, of::<CompareJson>),
    output(
        "suite",
        "suite --json",
        "an object at the end, with --each before it one for each position",
        of::<Either<SuiteJson, EachJson>>,
    ),
    output(
        "review",
        "review --json",
        "an object for each game",
        of::<GameJson>,
    ),
    output("tree", "tree --format json", "one object", of::<TreeJson>),
    output(
        "trace",
        "trace",
        "an object for each event",
        of::<EventJson>,
    ),
    output(
        "open-trace",
        "trace --format open",
        "a line of a search trace of any program",
        open_trace::schema,
    ),
    output("audit", "audit --json", "one object", of::<AuditJson>),
    output("eval", "eval --json", POSITIONS, of::<eval::EvalJson>),
    output("perft", "perft --json", POSITIONS, of::<perft::PerftJson>),
    output(
        "algorithms",
        "algorithms --json",
        "one array",
        of::<Vec<AlgorithmJson>>,
    ),
    output(
        "lessons",
        "lessons --json",
        "one array",
        of::<Vec<LessonJson>>,
    ),
    output(
        "grade",
        "grade --json",
        "an object for each trace",
        of::<GradeJson>,
    ),
    output(
        "course",
        "lessons --course DIR --json",
        "one object",
        of::<CourseJson>,
    ),
    output(
        "lessons-report",
        "lessons --report --json",
        "one object",
        of::<ReportJson>,
    ),
    output(
        "lessons-collected",
        "lessons --collect FILE --json",
        "one array",
        of::<Vec<CollectedJson>>,
    ),
    output(
        "bench",
        "bench --json",
        "an object for each algorithm",
        of::<bench::Report>,
    ),
    output(
        "doctor",
        "doctor --json",
        "one object",
        of::<doctor::DoctorJson>,
    ),
    output(
        "lab-futility",
        "lab futility --json",
        "one object",
        of::<lab::Futility>,
    ),
    output(
        "lab-differential",
        "lab differential --json",
        "one object",
        of::<lab::Differential>,
    ),
    output(
        "lab-spread",
        "lab spread --json",
        "one object",
        of::<Either<lab::Searches, lab::Population>>,
    ),
    output(
        "lab-plies",
        "lab plies --json",
        "one object",
        of::<lab::Plies>,
    ),
    output(
        "lab-refutation",
        "lab refutation --json",
        "one object",
        of::<lab::Refutation>,
    ),
    output(
        "lab-sweep",
        "lab sweep --json",
        "one object",
        of::<lab::Sweep>,
    ),
    output(
        "lab-losses",
        "lab losses --json",
        "one object",
        of::<lab::Losses>,
    ),
    output(
        "lab-prob-cut",
        "lab prob-cut --json",
        "one object",
        of::<lab::ProbCut>,
    ),
    output("lab-cuts", "lab cuts --json", "one object", of::<lab::Cuts>),
    output(
        "lab-maximum",
        "lab maximum --json",
        "one object",
        of::<lab::Maximum>,
    ),
    output(
        "lab-focus",
        "lab focus --json",
        "one object",
        of::<lab::Focus>,
    ),
    output(
        "lab-depths",
        "lab depths --json",
        "one object",
        of::<lab::Depths>,
    ),
    output(
        "lab-playouts",
        "lab playouts --json",
        "one object",
        of::<lab::Playouts>,
    ),
    output(
        "lab-walks",
        "lab walks --json",
        "one object",
        of::<lab::Walks>,
    ),
    output(
        "lab-truth",
        "lab truth --json",
        "one object",
        of::<lab::Truth>,
    ),
    output(
        "lab-calibration",
        "lab calibration --json",
        "one object",
        of::<Either<lab::Calibration, lab::LeafFit>>,
    ),
];

/// Prints a schema, or the list of all.
///
/// # Errors
/// See [`Failure`].
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = output::stdout();
    let wanted = |output: &&Output| Some(output.name) == arguments.name.as_deref();
    match OUTPUTS.iter().find(wanted) {
        Some(output) => {
            let title = format!("plyscope {}: {}", output.command, output.prints);
            serde_json::to_writer_pretty(&mut out, &(output.schema)(&title))?;
            writeln!(out)?;
        }
        None => {
            let table = Table::of(&OUTPUTS)
                .column("schema", |o| o.name)
                .column("of", |o| format!("plyscope {}", o.command))
                .column("what is printed", |o| o.prints);
            write!(out, "{}", Table::from(table).text(Style::default()))?;
        }
    }
    out.flush()?;
    Ok(())
}
