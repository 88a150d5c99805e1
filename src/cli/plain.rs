//! `plyscope --plain`: the workbench line by line.

use std::io::{BufReader, BufWriter, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;
use super::options::InputOptions;
use super::output::Output;
use ::serve::plain::{Desk, Talk, restored, talk};
use ::serve::{Place, Search};
use session::Config;
use session::saved::is_saved;

/// Whether Ctrl-C was pressed and not yet heard.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Answers what is typed, until `quit` or the end of the input.
///
/// # Errors
/// See [`Failure`].
pub fn run(input: &InputOptions, config: Config) -> Result<(), Failure> {
    let file = input.file.as_ref();
    let (search, said) = match file.filter(|file| is_saved(file)) {
        Some(file) => (restored(file).map_err(Failure::Input)?, Vec::new()),
        None => {
            let place = Place {
                fen: input.fen.clone(),
                file: file.map(|file| file.display().to_string()),
                moves: input.moves.clone(),
                ..Place::default()
            };
            let opened = place.open()?;
            let warnings = opened.warnings.clone();
            (Search::new(opened), warnings)
        }
    };
    // Without a handler Ctrl-C ends the program, which is no worse.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let stdin = std::io::stdin();
    let how = Talk {
        is_person: stdin.is_terminal(),
        interrupted: &INTERRUPTED,
    };
    let mut output = BufWriter::new(Output);
    let desk = Desk::new(search, config);
    talk(desk, said, &how, BufReader::new(stdin), &mut output)?;
    output.flush()?;
    Ok(())
}
