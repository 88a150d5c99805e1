//! The specification of a column: an algorithm with its options, or an external engine.

use std::fmt;

use algorithms::UnknownAlgorithm;
use external::EngineSpec;
use search::OptionError;
use session::Config;

/// What a column searches with.
#[derive(Clone, Debug)]
pub enum ColumnSpec {
    /// One of plyscope's own algorithms. Its limits are those of the comparison's budget.
    Own(Config),
    External(EngineSpec),
}

/// Why a column cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl ColumnSpec {
    /// Parses `NAME` or `NAME:KEY=VALUE,KEY=VALUE`: an algorithm with some of its options. Threads, memory and seed are
    /// taken from `base`.
    ///
    /// # Errors
    /// If there is no such algorithm or option, or a value is out of range; the error says what was expected.
    pub fn parse(text: &str, base: &Config) -> Result<ColumnSpec, ColumnError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let algorithm: algorithms::Algorithm = name.trim().parse()?;
        let mut config = Config {
            algorithm,
            options: algorithm.default_options(),
            ..base.clone()
        };
        config.options.set_pairs(options)?;
        Ok(ColumnSpec::Own(config))
    }
}

impl fmt::Display for ColumnSpec {
    /// Writes the column as [`ColumnSpec::parse`] reads it, with only those options that differ from their defaults.
    /// For an external engine this is its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let config = match self {
            ColumnSpec::Own(config) => config,
            ColumnSpec::External(engine) => return f.write_str(&engine.name),
        };
        f.write_str(config.name())?;
        let thread = config.recorded.as_ref().and_then(|of| of.thread());
        if let Some(thread) = thread.filter(|thread| *thread > 0) {
            write!(f, ", thread {thread}")?;
        }
        let defaults = config.algorithm.default_options();
        let changed = config.options.iter().zip(defaults.iter());
        let changed = changed.filter(|((_, value), (_, default))| value != default);
        for (i, ((spec, value), _)) in changed.enumerate() {
            let sign = if i == 0 { ':' } else { ',' };
            write!(f, "{sign}{}={value}", spec.key)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use algorithms::Algorithm;

    #[test]
    fn a_column_is_written_as_it_is_read() {
        let base = Config::new(Algorithm::AlphaBeta);
        for text in [
            "mcts",
            "distress:backup=frechet:.8,ties=essay",
            "distress:backup-us=max(.2, 1 - exp(-2*H)),backup-opponent=if(N == 2, .5, 1),bins=31",
            "alpha-beta:futility-margin=min(130*depth, 400)",
        ] {
            let spec = ColumnSpec::parse(text, &base).expect(text);
            assert_eq!(spec.to_string(), text);
        }
        for wrong in ["", "minimax", "mcts:fly=1", "mcts:fpu", "distress:ties=no"] {
            assert!(ColumnSpec::parse(wrong, &base).is_err(), "{wrong}");
        }
    }
}
