//! The page on values by depth: how sure the value of a search is, by its depth.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen, source};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use crate::tabs::lab::runs::Asked;
use crate::tabs::lab::{LabTab, Positions, depths as state, keys, view};
use lab::kept::Kept;
use lab::searched::{self, Labelled, Plan};
use report::lab::verdict::{self, Verdict};
use screen::pen::{Line, Pen};

/// The page.
#[derive(Debug)]
pub struct DepthsPage;

/// The most nodes for the searches of one position.
const NODES: u64 = 1_000_000;

impl PageScreen for DepthsPage {
    fn name(&self) -> &'static str {
        "Depths"
    }

    fn question(&self, _: &LabTab) -> &'static str {
        verdict::DEPTHS
    }

    fn keys(&self) -> &'static Group {
        &keys::DEPTHS
    }

    fn experiment(&self, _: &LabTab) -> &'static str {
        "values-by-depth"
    }

    fn job<'a>(&self, lab: &'a LabTab, _: &str) -> Option<&'a dyn AnyJob> {
        lab.depths.run.job()
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        let most = lab.depths.count;
        let labelled = match (lab.positions, &cx.document.path) {
            (Positions::Samples, _) => Labelled::BuiltIn { most },
            (Positions::Opened, Some(path)) => Labelled::File {
                path: path.clone(),
                most,
            },
            (Positions::Opened, None) => {
                return Err(
                    "no file is open: open one with labelled positions, or take the built-in ones"
                        .to_owned(),
                );
            }
        };
        let source = labels_name(lab, cx);
        let page = &mut lab.depths;
        let plan = Plan {
            labelled,
            depth: page.depth,
            nodes: NODES,
            at_a_time: cx.config.threads,
            early: true,
        };
        let run = searched::start(plan, Kept::default());
        page.run.hold(run.map_err(|e| e.to_string())?);
        page.source = source;
        Ok(())
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let page = &lab.depths;
        let (count, depth) = (page.count, page.depth);
        // Depth 8 took 19 ms a position, and the fits 5 ms.
        let search = 0.019 * 1.9f64.powi(i32::from(depth) - 8);
        Asked {
            experiment: self.experiment(lab),
            words: format!(
                "Searches up to {count} positions of {} to each depth up to {depth} (alpha-beta), fits a belief about the truth to one half of them and judges it on the other",
                labels_name(lab, cx)
            ),
            cpu: count as f64 * (search + 0.005),
            at_a_time: cx.config.threads.min(count),
            seed: Labelled::SEED,
        }
    }

    fn verdict(&self, lab: &LabTab, _: &str) -> Option<Verdict> {
        let known = lab.depths.run.known.as_ref()?;
        Some(verdict::depths(known.fitted.as_deref()))
    }

    fn update(&self, lab: &mut LabTab) {
        lab.depths.run.update();
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::depths::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        let Event::Wheel(_, by) = event else {
            return Handled::No;
        };
        keys::add(
            &mut lab.depths.depth,
            by.signum(),
            state::DepthsPage::DEPTHS,
        );
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        Some(match command {
            "depths-run" if self.is_running(lab) => "stop",
            "depths-positions" if lab.positions == Positions::Samples => "use the open file",
            "depths-positions" => "use the built-in",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::depths::legend(pen, width)
    }
}

/// Returns the name of the source of labelled positions.
fn labels_name(lab: &LabTab, cx: &Context) -> String {
    match lab.positions {
        Positions::Samples => "the built-in labels".to_owned(),
        Positions::Opened => source(lab, cx),
    }
}
