//! Shared code of the Lab's commands.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::failure::complain;
use super::output;
use super::{Failure, headless, progress};
use game::load::save::save;
use game::load::{Document, labels};
use game::samples;
use game::text::sanitise;
use lab::calibration::{Case, Reservoir};
use lab::{Position, Sampler};
use report::text::Style;
use session::jobs::BackgroundJob;

/// How to show an experiment.
#[derive(Args, Clone, Copy, Debug)]
pub struct Shown {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// Print ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

impl Shown {
    /// Shows the progress of an experiment until it ends, on a bar with this template and a message. Ctrl-C stops it.
    pub fn watch<R: Send + 'static>(
        &self,
        job: &mut BackgroundJob<R>,
        template: &str,
        message: impl Fn(&R) -> String,
    ) {
        headless::catch_interrupt();
        let bar = progress::bar(!self.no_progress, 1, template, self.ascii);
        let goes_on = || {
            if headless::interrupted() {
                job.stop();
            }
            !job.has_ended()
        };
        progress::follow(&bar, goes_on, |bar| {
            let (_, done, all) = job.progress();
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(job.read(&message));
        });
        job.join();
    }

    /// Like [`Shown::watch`], without a message.
    pub fn watch_plainly<R: Send + 'static>(&self, job: &mut BackgroundJob<R>, unit: &str) {
        let template = format!("{{bar:24}} {{pos}}/{{len}}{unit}  {{eta}}");
        self.watch(job, &template, |_| String::new());
    }
}

/// Positions of a file or of the samples, and whether anything was refused (and reported).
pub struct Gathered {
    pub positions: Vec<Position>,
    pub refused: bool,
}

/// Returns at most `positions` positions, evenly spread over a file or over the samples.
///
/// # Errors
/// If a file cannot be read, or has no usable position.
pub fn gather(file: Option<&Path>, positions: u32) -> Result<Gathered, Failure> {
    let mut sampler = Sampler::new(positions as usize);
    let mut refused = false;
    let documents = match file {
        Some(file) => vec![Document::open(file)?],
        None => samples::all()
            .iter()
            .map(samples::Sample::open)
            .collect::<Result<_, _>>()?,
    };
    for document in &documents {
        for problem in &document.problems {
            complain(&problem.to_string());
            refused = true;
        }
        for entry in document.entries() {
            match entry {
                Ok(entry) => {
                    for problem in &entry.problems {
                        complain(&problem.to_string());
                        refused = true;
                    }
                    sampler.offer_entry(&entry);
                }
                Err(problem) => {
                    complain(&problem.to_string());
                    refused = true;
                }
            }
        }
    }
    let positions = sampler.finish();
    if positions.is_empty() {
        let source = source(file);
        return Err(Failure::Input(format!(
            "{source}: found no chess position with legal moves, expected at least one"
        )));
    }
    Ok(Gathered { positions, refused })
}

/// Labelled positions of a file.
pub struct Labelled {
    pub cases: Vec<Case>,
    /// The labels of the wanted kind in the file.
    pub offered: usize,
    /// Whether anything was refused (and reported).
    pub refused: bool,
}

/// Returns at most `positions` labelled positions of a file, chosen at random, of one kind if one is wanted.
///
/// # Errors
/// If the file cannot be read, or everything in it is refused.
pub fn gather_labelled(
    file: &Path,
    kind: Option<char>,
    positions: u32,
    seed: u64,
) -> Result<Labelled, Failure> {
    let mut reservoir = Reservoir::new(positions as usize, seed);
    let mut refused = false;
    labels::read(file, |label| match label {
        Ok(label) if kind.is_none() || label.kind == kind => reservoir.offer(label),
        Ok(_) => {}
        Err(problem) => {
            complain(&problem.to_string());
            refused = true;
        }
    })?;
    let offered = reservoir.offered();
    if offered == 0 && refused {
        return Err(Failure::Reported);
    }
    Ok(Labelled {
        cases: reservoir.finish().into_iter().map(Case::labelled).collect(),
        offered,
        refused,
    })
}

/// Returns the name of the source of the positions.
pub fn source(file: Option<&Path>) -> String {
    file.map_or_else(
        || String::from("samples"),
        |f| sanitise(&f.to_string_lossy()),
    )
}

/// Prints one JSON object, or the text.
///
/// # Errors
/// If standard output cannot be written to.
pub fn print(
    json: Option<impl Serialize>,
    ascii: bool,
    text: impl FnOnce(Style) -> String,
) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(output::stdout());
    match json {
        Some(object) => {
            serde_json::to_writer(&mut out, &object)?;
            writeln!(out)?;
        }
        None => out.write_all(text(Style { ascii }).as_bytes())?,
    }
    out.flush()?;
    Ok(())
}

/// Returns a failure that was reported already, if there was one.
///
/// # Errors
/// If something was refused.
pub fn verdict(refused: bool) -> Result<(), Failure> {
    if refused {
        Err(Failure::Reported)
    } else {
        Ok(())
    }
}

/// Writes a whole file, or leaves it as it was.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    save(path, |out| out.write_all(text.as_bytes()))
        .map_err(|e| Failure::Input(format!("{}: {e}", source(Some(path)))))
}
