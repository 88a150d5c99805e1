//! The page on the sources' questions, one of which is shown.

use ratatui::layout::Rect;

use super::{AnyJob, PageScreen, course, source};
use crate::commands::Group;
use crate::component::{Event, Handled};
use crate::context::Context;
use crate::tabs::lab::questions::Inputs;
use crate::tabs::lab::runs::{Asked, Course};
use crate::tabs::lab::{LabTab, Positions, keys, view};
use report::lab::verdict::Verdict;
use report::sheet::Report as _;
use screen::pen::{Line, Pen};

/// What can be clicked or scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuestionTarget {
    /// The name of a question, by its number.
    Name(usize),
    /// The results.
    Results,
}

/// The page.
#[derive(Debug)]
pub struct QuestionsPage;

impl PageScreen for QuestionsPage {
    fn name(&self) -> &'static str {
        "Questions"
    }

    fn question(&self, lab: &LabTab) -> &'static str {
        lab.questions.question().question
    }

    fn keys(&self) -> &'static Group {
        &keys::QUESTIONS
    }

    fn experiment(&self, lab: &LabTab) -> &'static str {
        lab.questions.question().name
    }

    fn job<'a>(&self, lab: &'a LabTab, experiment: &str) -> Option<&'a dyn AnyJob> {
        lab.questions.named(experiment)?.job()
    }

    fn is_running(&self, lab: &LabTab) -> bool {
        lab.questions.running().is_some()
    }

    fn running_name(&self, lab: &LabTab) -> String {
        match lab.questions.running() {
            Some(question) => format!("{} ({question})", self.name()),
            None => self.name().to_owned(),
        }
    }

    fn begin(&self, lab: &mut LabTab, cx: &mut Context) -> Result<(), String> {
        let (question, setting) = (lab.questions.question(), lab.questions.setting());
        let positions = match question.needs_positions {
            true => lab.lab_positions(cx, setting.count),
            false => Vec::new(),
        };
        let from = source(lab, cx);
        if question.needs_positions && positions.is_empty() {
            return Err(format!("{from}: found no chess position with legal moves"));
        }
        let run = (question.start)(Inputs {
            positions,
            source: from,
            count: setting.count,
            nodes: setting.nodes,
            config: cx.config.clone(),
            seed: cx.config.seed,
            at_a_time: cx.config.threads,
        })?;
        lab.questions.asking_mut().hold(run);
        lab.questions.top = 0;
        Ok(())
    }

    fn asked(&self, lab: &LabTab, cx: &Context) -> Asked {
        let (question, setting) = (lab.questions.question(), lab.questions.setting());
        Asked {
            experiment: question.name,
            words: (question.words)(&setting, &source(lab, cx)),
            cpu: (question.cpu)(&setting),
            at_a_time: cx.config.threads.min(setting.count),
            seed: cx.config.seed,
        }
    }

    /// It has ended when its last answer is known.
    fn course(&self, lab: &LabTab, experiment: &str) -> Option<Course> {
        let asking = lab.questions.named(experiment)?;
        let course = course(asking.job()?.progress());
        Some(Course {
            has_ended: asking.is_answered(),
            ..course
        })
    }

    fn verdict(&self, lab: &LabTab, experiment: &str) -> Option<Verdict> {
        let answer = lab.questions.named(experiment)?.answer.as_ref()?;
        Some(answer.verdict())
    }

    fn update(&self, lab: &mut LabTab) {
        lab.questions.update();
    }

    fn parts(&self) -> &'static [&'static str] {
        &[]
    }

    fn is_scrolled(&self) -> bool {
        true
    }

    fn draw(&self, lab: &LabTab, cx: &Context, pen: &mut Pen, area: Rect) {
        view::questions::draw(lab, cx, pen, area);
    }

    fn handle(&self, lab: &mut LabTab, event: &Event) -> Handled {
        let page = &mut lab.questions;
        match event.of() {
            Event::Click(Some(QuestionTarget::Name(question)), _) => page.show(question),
            Event::LastTop(Some(QuestionTarget::Results), last) => page.top = page.top.min(last),
            Event::Wheel(_, by) => page.scroll(by),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn name_of(&self, lab: &LabTab, command: &str) -> Option<&'static str> {
        let asking = lab.questions.asking();
        Some(match command {
            "questions-run" if asking.job().is_some_and(|job| !job.has_ended()) => "stop",
            "questions-positions" if lab.positions == Positions::Samples => "use the open file",
            "questions-positions" => "use the samples",
            _ => return None,
        })
    }

    fn legend(&self, pen: &Pen, width: usize) -> Vec<Line> {
        view::questions::legend(pen, width)
    }
}
