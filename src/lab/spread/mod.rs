//! The Lab's experiment on spread: how wide the root's belief is under several back-up rules, as a search goes on, by
//! depth, and where the truth is known. If the errors of siblings are not independent, a product of distribution
//! functions collapses and a mixture by policy diffuses.
//!
//! [`start_searches`]: DISTRESS on chess positions, one search for each position and rule ([`Searches`]).
//! [`start_population`]: random trees by population dynamics, with the minimax of their hidden values as the truth
//! ([`Population`]). No search is involved.

mod population;
mod searches;

pub use population::{
    Depth, Population, PopulationError, Settings, calibrated, start as start_population,
};
pub use searches::{Mean, Plan, Ply, Searches, SpreadCurve, start as start_searches, stops};

use algorithms::Algorithm;
use search::OptionError;
use session::Config;

/// The algorithm whose back-up rules are measured here.
pub const ALGORITHM: Algorithm = Algorithm::Distress;

/// Back-up rules that together show most: both extremes, blends that diffuse and one that hardly does, dependent
/// maxima.
pub const TELLING: [&str; 8] = [
    "r-pick",
    "constant:.5",
    "r-opt",
    "entropy",
    "exp:1.5",
    "cuadras-auge:.5",
    "frechet:.8",
    "gumbel:2",
];

/// The nearest relative of DISTRESS. It has a back-up of its own and is measured beside the rules where positions are
/// searched.
pub const RELATIVE: Algorithm = Algorithm::Bpip;

/// What is measured where positions are searched: [`TELLING`], and the relative.
pub const MEASURED: [&str; 9] = [
    "r-pick",
    "constant:.5",
    "r-opt",
    "entropy",
    "exp:1.5",
    "cuadras-auge:.5",
    "frechet:.8",
    "gumbel:2",
    "bpip",
];

/// Returns DISTRESS with this back-up rule, or for its relative's name that one, with the same limits and evaluation.
///
/// # Errors
/// Anything else; the error says what was expected.
pub fn config_of(distress: &Config, measured: &str) -> Result<Config, OptionError> {
    let mut config = distress.clone();
    if measured != RELATIVE.name() {
        config.options.set("backup", measured)?;
        return Ok(config);
    }
    config.algorithm = RELATIVE;
    config.options = RELATIVE.default_options();
    config.options.set("eval", distress.options.word("eval"))?;
    Ok(config)
}
