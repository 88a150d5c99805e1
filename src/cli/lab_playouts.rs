//! `plyscope lab playouts`: how the ends of playouts depend on the leaves where they begin, without a screen.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Positions, Shown, verdict};
use super::part::{Part, of_positions};
use ::report::lab::playouts::Results;
use lab::playouts::{Plan, start};

/// See how the material at the end of a playout depends on that at the leaf where it began.
///
/// That is why point differential should help even in the opening, in the mail on it: the difference walks at random from the leaf
/// to the end of the game, so that a higher difference at the end tells of a higher one at the leaf. Every position is played out
/// with the moves of the playouts of mcts, up to each of several lengths; nothing but the rules of the game ends a playout before.
/// Shown are, by length, the slope of the difference at the end over that at the leaf, their correlation, and how often who is ahead
/// stays so; and the mean difference at the leaf by that at the end. Where the end told nothing, slope and correlation would be 0.
/// Intervals are at 95 %, over resampled positions.
///
/// With --json, there is one object: question, verdict, decided; experiment, source, positions, played, playouts, complete; by_length
/// (length, playouts, slope, correlation, change, kept); shown_length; by_end (from, to, playouts, leaf). A figure has value and
/// interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab playouts
  plyscope lab playouts games.pgn --positions 1000 --playouts 50 --json")]
pub struct Playouts {
    #[command(flatten)]
    positions: Positions,

    /// Playouts of each length from each position
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    playouts: u32,

    /// The seed of the playouts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

impl Playouts {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let gathered = self.positions.gather()?;
        let asked = vec![
            of_positions(&gathered.positions),
            format!("playouts {} seed {}", self.playouts, self.seed),
        ];
        let units = gathered.positions.len();
        let (kept, rest) = self.part.kept("playouts", asked, (units, 1))?;
        let plan = Plan {
            positions: gathered.positions,
            playouts: self.playouts,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let run = start(plan, kept).map_err(|e| Failure::Input(e.to_string()))?;
        let found = self.shown.run(run, " positions");
        rest.check()?;
        let results = Results::new(&gathered.source, self.playouts, rest.is_whole(), &found);
        self.shown.print(&results)?;
        verdict(gathered.refused)
    }
}
