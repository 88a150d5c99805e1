//! What Learn can write to a file: a lesson as a handout.

use std::sync::Arc;

use crate::app::App;
use crate::exporting::{Offer, Work};
use report::lesson::handout::{Answers, handout};
use studies::lesson::{Glossary, Lesson};

const HANDOUT: Offer = Offer {
    label: "handout",
    detail: "the lesson as a page with its drawings and questions, answers on request (HTML)",
    extension: "html",
    make: |app| page(app, Answers::Folded),
};
const ANSWERED: Offer = Offer {
    label: "handout with answers",
    detail: "the same with the answers at its end, for printing (HTML)",
    extension: "html",
    make: |app| page(app, Answers::AtTheEnd),
};

/// Returns what can be written of the open lesson, or of the selected one.
pub(super) fn offers(app: &App) -> Vec<Offer> {
    match lesson(app) {
        Some(_) => vec![HANDOUT, ANSWERED],
        None => Vec::new(),
    }
}

fn lesson(app: &App) -> Option<Arc<Lesson>> {
    if app.cx.reading.quiz.is_some() {
        return None;
    }
    if let Some(playing) = &app.cx.reading.playing {
        return Some(Arc::clone(&playing.lesson));
    }
    let selected = app.learn.shelf().lessons.get(app.learn.list.selected)?;
    selected.as_ref().ok().map(Arc::clone)
}

/// The searches of the lesson are run for its page, which takes up to a few seconds.
fn page(app: &App, answers: Answers) -> Result<Work, String> {
    let lesson = lesson(app).ok_or("no lesson is open or selected")?;
    let lens = app.cx.lens;
    Ok(Work::Later(Box::new(move || {
        let glossary = Glossary::built_in().map_err(|e| e.to_string())?;
        handout(&lesson, &glossary, answers, lens).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            faults.join("; ")
        })
    })))
}
