//! Shares of games won, drawn and lost.

/// How many games in a hundred are won, drawn and lost.
///
/// An expected score e in [−1, +1] leaves the draws open. plyscope takes (1 − e²) / 2 for their share, the simplest
/// share that vanishes at a certain win or loss: that of a game decided by two even chances, each won with probability
/// (1 + e) / 2, and drawn if each side has one of them. For a belief this is averaged over its distribution, which
/// leaves 1 − mean² − sd² in place of 1 − e², so that a sharp position has fewer draws than a quiet one of the same
/// expected score. What an engine tells about wins, draws and losses is taken as told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcomes {
    pub win: f32,
    pub draw: f32,
    pub loss: f32,
}

impl Outcomes {
    /// Returns the shares for an expected score with this mean and standard deviation.
    pub fn of(mean: f32, sd: f32) -> Outcomes {
        Outcomes::with(mean, (1.0 - mean * mean - sd * sd) / 2.0)
    }

    /// Returns the shares from the mean and standard deviation of the results themselves.
    pub fn told(mean: f32, sd: f32) -> Outcomes {
        Outcomes::with(mean, 1.0 - mean * mean - sd * sd)
    }

    fn with(mean: f32, draw: f32) -> Outcomes {
        let mean = mean.clamp(-1.0, 1.0);
        let draw = draw.clamp(0.0, 1.0 - mean.abs());
        Outcomes {
            win: (1.0 + mean - draw) / 2.0,
            draw,
            loss: (1.0 - mean - draw) / 2.0,
        }
    }
}

impl std::fmt::Display for Outcomes {
    /// Writes whole percentages that add up to 100.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |share: f32| (share * 100.0).round() as i32;
        // The draws take up what rounding leaves, so that turning the view only swaps the ends.
        let (win, loss) = (percent(self.win), percent(self.loss));
        let (win, loss) = match win + loss {
            // Both were rounded up.
            101.. if self.win > self.loss => (win, 100 - win),
            101.. => (100 - loss, loss),
            _ => (win, loss),
        };
        write!(f, "{win}/{}/{loss}", 100 - win - loss)
    }
}
