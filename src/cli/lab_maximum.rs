//! `plyscope lab maximum`: how well three numbers of each move tell those of the best, without a screen.

use clap::Args;

use super::Failure;
use super::lab_support::{AtATime, Shown};
use super::part::Part;
use ::report::lab::maximum::Results;
use lab::maximum::{Plan, start, units};

/// See how well the largest of several values can be told from three numbers of each: the median and the distances to the 5 % and
/// 95 % points.
///
/// That was the first form of beliefs in the DISTRESS essay, whose author found no acceptable approximation. Values are drawn at
/// random: medians from a normal distribution with standard deviation 1, and both distances so that their logarithms lie evenly
/// around that of a normal distribution's, up to a ratio of the widest to the narrowest. The exact points of the largest, by the
/// product of the distribution functions, are held against four formulas of the numbers: those of the value with the highest median
/// (the control); Clark's moments for the larger of two, one after the other; the exact moments of normal distributions; and
/// Clark's with three constants fitted to other draws of the same kind. Errors are root mean squares over the three points, by the
/// exact distance from the 5 % to the 95 % point.
///
/// Then whole trees are backed up, where errors add up; there also by the product, read at three points at each node. Intervals are
/// at 95 %, by a bootstrap over the draws.
///
/// With --json, there is one object: question, verdict, decided; experiment, complete, draws, seed; once and trees (number, ratio,
/// plies; off: way, error, shift, width). A figure has value and interval.
///
/// Ctrl-C ends the experiment and prints the results so far; a second Ctrl-C ends the program.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plyscope lab maximum
  plyscope lab maximum --draws 2000 --ratio 8 --json")]
pub struct Maximum {
    /// Draws of each kind
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    draws: u32,

    /// By how much the widest leaf of a tree may be wider than the narrowest
    #[arg(long, value_name = "N", default_value_t = 4.0, value_parser = ratio)]
    ratio: f64,

    /// The seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    at_a_time: AtATime,

    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    shown: Shown,
}

fn ratio(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|r| (1.0..=100.0).contains(r));
    found.ok_or_else(|| format!("found {text:?}, expected a number from 1 to 100"))
}

impl Maximum {
    /// Runs the experiment and prints the results.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self) -> Result<(), Failure> {
        let plan = Plan {
            draws: self.draws as usize,
            ratio: self.ratio,
            seed: self.seed,
            at_a_time: self.at_a_time.count(),
        };
        let asked = vec![
            format!("draws {} seed {}", self.draws, self.seed),
            format!("ratio {}", self.ratio),
        ];
        let (kept, rest) = self.part.kept("maximum", asked, (units(), 1))?;
        let run = start(plan, kept).map_err(|e| Failure::Input(e.to_string()))?;
        let found = self.shown.run(run, "");
        rest.check()?;
        self.shown.print(&Results {
            plan: &plan,
            complete: rest.is_whole(),
            found: &found,
        })
    }
}
