//! How long an experiment will take, and what came out of it last time: kept in the state folder.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::LabPage;
use crate::kept::{Content, Kept};

/// What the key that runs the page's experiment starts now.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The name under which its runs are kept.
    pub experiment: &'static str,
    /// What will happen, with the settings: a sentence without its full stop.
    pub words: String,
    /// The seconds of one core that it takes on the machine on which this was written.
    pub cpu: f64,
    /// The number of cores that work on it.
    pub at_a_time: usize,
    pub seed: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    pub has_ended: bool,
    /// Whether it came to its end, if it has ended.
    pub is_complete: bool,
    /// The share of the work that is done, as far as that can be told.
    pub share: f64,
}

/// A run that has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The day on which it ended (UTC): `2026-11-24`.
    pub date: String,
    /// What was asked.
    pub asked: String,
    pub seed: u64,
    pub seconds: f64,
    /// The time that it took relative to the estimate for the machine on which this was written.
    pub pace: f64,
    /// False if it was stopped.
    pub complete: bool,
    pub figures: Vec<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Ended {
    version: u32,
    /// By experiment, the newest run last.
    runs: BTreeMap<String, Vec<Run>>,
}

impl Content for Ended {
    const FILE: &'static str = "lab.json";
    const VERSION: u32 = 1;

    fn version(&mut self) -> &mut u32 {
        &mut self.version
    }
}

/// A run under way.
#[derive(Debug)]
pub struct Begun {
    pub page: LabPage,
    pub asked: Asked,
    at: Instant,
}

/// The runs that have ended, and the one under way.
#[derive(Debug, Default)]
pub struct Runs {
    kept: Kept<Ended>,
    pub begun: Option<Begun>,
}

impl Runs {
    /// The number of runs kept of each experiment.
    const KEPT: usize = 10;

    /// Reads `lab.json` in a folder. If it cannot be read, nothing is known of earlier runs, and the second value says
    /// why.
    pub fn open(folder: Option<PathBuf>) -> (Runs, Option<String>) {
        let (kept, fault) = Kept::open(folder);
        let runs = Runs { kept, begun: None };
        (runs, fault)
    }

    /// Returns the last run of an experiment.
    pub fn last(&self, experiment: &str) -> Option<&Run> {
        self.kept.get().runs.get(experiment)?.last()
    }

    /// Notes that a run begins.
    pub fn begin(&mut self, page: LabPage, asked: Asked) {
        let at = Instant::now();
        self.begun = Some(Begun { page, asked, at });
    }

    /// Notes that the run under way has ended, with what came out. A run without figures leaves nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn end(&mut self, course: Course, figures: Vec<String>) -> std::io::Result<()> {
        let Some(Begun { asked, at, .. }) = self.begun.take() else {
            return Ok(());
        };
        if figures.is_empty() {
            return Ok(());
        }
        let seconds = at.elapsed().as_secs_f64();
        let run = Run {
            date: text::date::day(SystemTime::now()),
            seed: asked.seed,
            seconds,
            pace: pace(&asked, seconds, course.share),
            complete: course.is_complete,
            figures,
            asked: asked.words,
        };
        self.note(asked.experiment, run)
    }

    /// Keeps a run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note(&mut self, experiment: &str, run: Run) -> std::io::Result<()> {
        self.kept.change(|ended| {
            let runs = ended.runs.entry(experiment.to_owned()).or_default();
            runs.push(run.clone());
            let over = runs.len().saturating_sub(Self::KEPT);
            runs.drain(..over);
        })
    }

    /// Returns how long an experiment will take, and whether that rests on a run of it on this machine.
    pub fn estimate(&self, asked: &Asked) -> (Duration, bool) {
        let last = self.last(asked.experiment).filter(|run| run.pace > 0.0);
        let seconds = asked.cpu * last.map_or(1.0, |run| run.pace) / asked.at_a_time.max(1) as f64;
        (seconds_of(seconds), last.is_some())
    }

    /// Returns how long the run under way has taken, and how long it will go on: as its share of the work says, or
    /// before that says anything, as estimated.
    pub fn left(&self, course: Course) -> Option<(Duration, Duration)> {
        let begun = self.begun.as_ref()?;
        let so_far = begun.at.elapsed();
        let whole = match course.share {
            share if share > 0.02 => seconds_of(so_far.as_secs_f64() / share),
            _ => self.estimate(&begun.asked).0,
        };
        Some((so_far, whole.saturating_sub(so_far)))
    }
}

/// Returns the time that a share of the work took relative to its estimate; 0 if there was too little of it to tell.
fn pace(asked: &Asked, seconds: f64, share: f64) -> f64 {
    let estimated = asked.cpu * share / asked.at_a_time.max(1) as f64;
    match estimated > 0.0 && share > 0.02 {
        true => seconds / estimated,
        false => 0.0,
    }
}

/// Returns a duration of at most a thousand years, which no estimate exceeds by much.
fn seconds_of(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, 3e10)).unwrap_or_default()
}

/// Returns a duration as roughly as an estimate is: `about 20 s`, `about 3 min`, `about 2 h`.
pub fn about(time: Duration) -> String {
    let rounded = |x: f64| match x {
        x if x < 10.0 => x.round(),
        x if x < 30.0 => 5.0 * (x / 5.0).round(),
        x => 10.0 * (x / 10.0).round(),
    };
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 55.0 => format!("about {} s", rounded(s)),
        s if s < 55.0 * 60.0 => format!("about {} min", rounded(s / 60.0).max(1.0)),
        s if s < 48.0 * 3600.0 => format!("about {} h", rounded(s / 3600.0).max(1.0)),
        s => format!("about {} days", rounded(s / 86_400.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked = Asked {
        experiment: "trial",
        words: String::new(),
        cpu: 60.0,
        at_a_time: 2,
        seed: 7,
    };

    fn course(share: f64) -> Course {
        Course {
            has_ended: true,
            is_complete: share >= 1.0,
            share,
        }
    }

    #[test]
    fn an_estimate_rests_on_the_last_run() {
        let (mut runs, _) = Runs::open(None);
        assert_eq!(runs.estimate(&ASKED), (Duration::from_secs(30), false));
        let slow = Run {
            pace: 3.0,
            ..Run::default()
        };
        runs.note("trial", slow).expect("no file");
        assert_eq!(runs.estimate(&ASKED), (Duration::from_secs(90), true));
        // Half the work in half the estimated time is as fast as estimated; a start says nothing.
        assert_eq!(pace(&ASKED, 15.0, 0.5), 1.0);
        assert_eq!(pace(&ASKED, 15.0, 0.001), 0.0);
    }

    #[test]
    fn runs_are_kept_with_their_figures_and_only_so_many() {
        let folder = std::env::temp_dir().join(format!("plyscope-runs-{}", std::process::id()));
        let (mut runs, fault) = Runs::open(Some(folder.clone()));
        assert_eq!(fault, None);
        // Nothing came out.
        runs.begin(LabPage::Spread, ASKED);
        runs.end(course(0.0), Vec::new()).expect("nothing to write");
        assert_eq!(runs.last("trial"), None);
        for i in 0..Runs::KEPT + 3 {
            runs.begin(LabPage::Spread, ASKED);
            let figures = vec![format!("figure {i}")];
            runs.end(course(1.0), figures).expect("written");
        }
        let (read, _) = Runs::open(Some(folder.clone()));
        let last = read.last("trial").expect("a run");
        assert_eq!(last.figures, ["figure 12"]);
        assert_eq!((last.seed, last.complete), (7, true));
        assert!(last.date.starts_with("20"), "{}", last.date);
        assert_eq!(read.kept.get().runs["trial"].len(), Runs::KEPT);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn estimates_are_rough() {
        let words = |s: f64| about(Duration::from_secs_f64(s));
        assert_eq!(words(0.3), "less than a second");
        assert_eq!(words(7.2), "about 7 s");
        assert_eq!(words(23.0), "about 25 s");
        assert_eq!(words(58.0), "about 1 min");
        assert_eq!(words(200.0), "about 3 min");
        assert_eq!(words(7000.0), "about 2 h");
        assert_eq!(words(1e6), "about 10 days");
    }
}
