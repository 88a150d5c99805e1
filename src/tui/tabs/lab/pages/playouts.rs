//! The page on point differential: matches of playouts that count material against playouts that do not.

use ratatui::layout::Rect;

use super::{PageScreen, course};
use crate::app::{App, Level, Target};
use crate::component::{Event, Handled};
use crate::pen::Pen;
use crate::tabs::lab::differential::Figure;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::view;
use crate::text::Line;
use lab::differential::{SHARES, cells};
use report::lab::differential::words;

/// The page.
#[derive(Debug)]
pub struct PlayoutsPage;

impl PageScreen for PlayoutsPage {
    fn name(&self) -> &'static str {
        "Playouts"
    }

    fn question(&self) -> &'static str {
        "Do playouts gain by counting material?"
    }

    fn asked(&self, app: &App) -> Asked {
        let page = &app.lab.differential;
        let settings = &page.results.settings;
        let played = |cell| page.tally(cell).games().min(page.games);
        let done: usize = cells().into_iter().map(played).sum();
        let all = cells().len() * page.games;
        let how = words(settings);
        let words = match (done, all - done) {
            (0, _) => format!(
                "Plays {} games for each of {} pairs of weights ({how})",
                page.games,
                cells().len()
            ),
            (_, 0) => format!("All {all} games are played ({how})"),
            (_, left) => format!("Plays {left} of {all} games; the others are played ({how})"),
        };
        Asked {
            experiment: "playouts",
            words,
            // Six games with 100 playouts a move took 0.15 s.
            cpu: 0.026 * (all - done) as f64 * f64::from(settings.playouts) / 100.0,
            at_a_time: app.config.threads,
            seed: settings.seed,
        }
    }

    fn course(&self, app: &App, _: &str) -> Option<Course> {
        let matches = app.lab.differential.matches.as_ref()?;
        Some(course(matches.progress()))
    }

    fn figures(&self, app: &App, _: &str) -> Vec<String> {
        let page = &app.lab.differential;
        let tallies = cells().into_iter().map(|cell| (cell, page.tally(cell)));
        let known: Vec<_> = tallies
            .filter_map(|(cell, tally)| Some((cell, tally.score()?, tally)))
            .collect();
        let best = known.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((cell, score, tally)) = best else {
            return Vec::new();
        };
        let interval = tally.interval().map_or_else(String::new, |(low, high)| {
            format!(" [{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
        });
        let count = |better| {
            let differs = known.iter().filter(|(.., t)| t.differs() == Some(better));
            differs.count()
        };
        vec![
            format!("{} games", page.results.games()),
            format!("best {cell}: {:.1} %{interval}", 100.0 * score),
            format!(
                "{} of {} cells better, {} worse",
                count(true),
                cells().len(),
                count(false)
            ),
        ]
    }

    fn busy(&self, app: &App) -> Option<&'static str> {
        let runs = app.lab.differential.is_running();
        runs.then_some("the matches on point differential have the cores: stop them first")
    }

    /// Reads the saved results.
    fn comes(&self, app: &mut App) {
        let page = &mut app.lab.differential;
        let known = page.fault.clone();
        page.open();
        let fault = page.fault.clone();
        if let Some(what) = fault.filter(|f| Some(f) != known.as_ref()) {
            app.say(Level::Error, what);
        }
    }

    fn update(&self, app: &mut App) {
        app.lab.differential.update();
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::differential::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        let page = &mut app.lab.differential;
        match event {
            Event::Click(Target::GridCell(place), _) => {
                page.row = place / SHARES.len();
                page.column = place % SHARES.len();
            }
            Event::Wheel(_, by) => page.walk(by.signum(), 0),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "grid-run",
            "lab-page",
            "grid-figure",
            "grid-games",
            "grid-playouts",
            "grid-use",
            "grid-export",
            "grid-down",
            "grid-right",
        ]
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        let page = &app.lab.differential;
        Some(match (command, page.figure) {
            ("grid-run", _) if page.is_running() => "stop",
            ("grid-run", _) if page.results.games() > 0 => "play on",
            ("grid-figure", Figure::Score) => "show Elo",
            ("grid-figure", Figure::Elo) => "show games",
            ("grid-figure", Figure::Games) => "show scores",
            _ => return None,
        })
    }

    fn legend(&self, _: &Pen, width: usize) -> Vec<Line> {
        view::differential::legend(width)
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.differential.has_news()
    }
}
