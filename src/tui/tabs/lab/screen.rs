//! The Lab tab as a component: three pages with keys of their own.

use ratatui::layout::Rect;

use super::{LabPage, view};
use crate::tui::app::{App, Target};
use crate::tui::component::{Component, Event, Handled};
use crate::tui::pen::Pen;
use crate::tui::tabs::{Tab, TabScreen};
use crate::tui::text::Line;

/// Draws the tab and handles its keys.
#[derive(Debug)]
pub struct LabScreen;

impl Component for LabScreen {
    fn title(&self) -> &'static str {
        "Lab"
    }

    fn update(&self, app: &mut App, _: Rect) {
        view::update(app);
    }

    fn draw(&self, app: &App, pen: &mut Pen, area: Rect) {
        view::draw(app, pen, area);
    }

    fn handle(&self, app: &mut App, event: Event) -> Handled {
        match event {
            Event::Click(Target::GridCell(place), _) => app.choose_differential(place),
            Event::Click(Target::LabPage(page), _) => app.show_lab_page(page),
            Event::Click(Target::SpreadRule(place), _) => app.lab.spread.rule = place,
            Event::Wheel(_, by) => match app.lab.page {
                LabPage::Futility => app.walk_lab(by.signum()),
                LabPage::Differential => app.walk_differential(by.signum(), 0),
                LabPage::Spread => app.walk_spread(by.signum()),
            },
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, app: &App) -> Vec<&'static str> {
        let mut hints = match app.lab.page {
            LabPage::Futility => vec![
                "lab-run",
                "lab-page",
                "lab-fit",
                "lab-use",
                "lab-panel",
                "lab-next",
                "lab-positions",
                "lab-rule",
                "lab-equal",
                "lab-deeper",
                "lab-audit-more",
                "lab-level",
                "lab-origin",
            ],
            LabPage::Differential => vec![
                "grid-run",
                "lab-page",
                "grid-figure",
                "grid-games",
                "grid-playouts",
                "grid-use",
                "grid-export",
                "grid-down",
                "grid-right",
            ],
            LabPage::Spread => vec![
                "spread-run",
                "lab-page",
                "spread-trees",
                "spread-calibration",
                "spread-cells",
                "spread-next",
                "spread-use",
                "spread-nodes",
                "spread-count",
                "spread-positions",
            ],
        };
        hints.extend(["palette", "help", "quit"]);
        hints
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        let pages = [
            view::legend(pen, width),
            view::differential::legend(width),
            view::spread::legend(pen, width),
        ];
        pages.join(&[Vec::new()][..])
    }

    fn is_running(&self, app: &App) -> bool {
        app.lab.is_running()
    }
}

impl TabScreen for LabScreen {
    fn parts(&self, app: &App) -> Vec<&'static str> {
        match app.lab.page {
            LabPage::Futility => vec!["chart", "margins", "audit"],
            LabPage::Differential => Vec::new(),
            LabPage::Spread => vec!["chart", "figures"],
        }
    }

    fn pane_name(&self, app: &App) -> Option<&'static str> {
        Some(app.lab.page.name())
    }

    fn comes(&self, app: &mut App, before: Tab) {
        app.open_lab(before);
    }

    fn has_news(&self, app: &App) -> bool {
        app.lab.has_news()
    }

    fn page(&self, app: &App) -> Option<LabPage> {
        Some(app.lab.page)
    }
}
