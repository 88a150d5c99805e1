//! The page on values by depth: how sure the value of a search is, by its depth.

use ratatui::layout::Rect;

use super::{PageScreen, course};
use crate::app::App;
use crate::component::{Event, Handled};
use crate::pen::Pen;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::{Positions, view};
use crate::text::Line;
use lab::searched::{Labelled, OfDepth};
use report::number;

/// The page.
#[derive(Debug)]
pub struct DepthsPage;

impl PageScreen for DepthsPage {
    fn name(&self) -> &'static str {
        "Depths"
    }

    fn question(&self) -> &'static str {
        "How sure is a value, by search depth?"
    }

    fn asked(&self, app: &App) -> Asked {
        let page = &app.lab.depths;
        let (count, depth) = (page.count, page.depth);
        // Depth 8 took 19 ms a position, and the fits 5 ms.
        let search = 0.019 * 1.9f64.powi(i32::from(depth) - 8);
        Asked {
            experiment: "values-by-depth",
            words: format!(
                "Searches up to {count} positions of {} to each depth up to {depth} (alpha-beta), fits a belief about the truth to one half of them and judges it on the other",
                app.labels_name()
            ),
            cpu: count as f64 * (search + 0.005),
            at_a_time: app.config.threads.min(count),
            seed: Labelled::SEED,
        }
    }

    fn course(&self, app: &App, _: &str) -> Option<Course> {
        app.lab.depths.run.progress().map(course)
    }

    fn figures(&self, app: &App, _: &str) -> Vec<String> {
        let known = app.lab.depths.run.known.as_ref();
        let Some(fitted) = known.and_then(|k| k.fitted.as_ref()) else {
            return Vec::new();
        };
        let told = |at: &OfDepth| {
            format!(
                "depth {}: CRPS {:.4}, {} to the control",
                at.depth,
                at.fitted.crps,
                number::minus(&format!("{:+.4} ± {:.4}", at.gain.0, at.gain.1))
            )
        };
        let ends = [fitted.depths.first(), fitted.depths.last()];
        let positions = format!("{} positions", fitted.trained + fitted.held_out);
        let ends = ends.into_iter().flatten().map(told);
        std::iter::once(positions).chain(ends).collect()
    }

    fn busy(&self, app: &App) -> Option<&'static str> {
        let runs = app.lab.depths.run.is_running();
        runs.then_some("the experiment on values by depth has the cores: stop it first")
    }

    fn update(&self, app: &mut App) {
        app.lab.depths.run.update();
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::depths::draw(app, pen, area);
    }

    fn parts(&self) -> &'static [&'static str] {
        &["chart", "figures"]
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        match event {
            Event::Wheel(_, by) => app.change_depths_depth(by.signum()),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "depths-run",
            "lab-page",
            "depths-positions",
            "depths-count",
            "depths-deeper",
            "depths-shallower",
            "depths-shown",
        ]
    }

    fn name_of(&self, app: &App, command: &str) -> Option<&'static str> {
        Some(match command {
            "depths-run" if app.lab.depths.run.is_running() => "stop",
            "depths-positions" if app.lab.positions == Positions::Samples => "use the opened",
            "depths-positions" => "use the built-in",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::depths::legend(pen, width)
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.depths.run.has_news()
    }
}
