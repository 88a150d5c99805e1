//! What Learn can write to a file: a lesson as a handout.

use std::sync::Arc;

use crate::context::Context;
use crate::exporting::{Offer, Work};
use crate::tabs::learn::LearnTab;
use report::lesson::handout::{Answers, handout};
use studies::lesson::Lesson;

const HANDOUT: Offer = Offer {
    label: "handout",
    detail: "the lesson as a page with its drawings and questions, answers on request (HTML)",
    extension: "html",
    make: |app| page(&app.tabs.learn, &app.cx, Answers::Folded),
};
const ANSWERED: Offer = Offer {
    label: "handout with answers",
    detail: "the same with the answers at its end, for printing (HTML)",
    extension: "html",
    make: |app| page(&app.tabs.learn, &app.cx, Answers::AtTheEnd),
};

/// Returns what can be written of the open lesson, or of the selected one.
pub(super) fn offers(learn: &LearnTab, cx: &Context) -> Vec<Offer> {
    match lesson(learn, cx) {
        Some(_) => vec![HANDOUT, ANSWERED],
        None => Vec::new(),
    }
}

fn lesson(learn: &LearnTab, cx: &Context) -> Option<Arc<Lesson>> {
    if cx.reading.quiz.is_some() {
        return None;
    }
    if let Some(playing) = &cx.reading.playing {
        return Some(Arc::clone(&playing.lesson));
    }
    learn.shelf().lesson(learn.list.selected).map(Arc::clone)
}

/// The searches of the lesson are run for its page, which takes up to a few seconds.
fn page(learn: &LearnTab, cx: &Context, answers: Answers) -> Result<Work, String> {
    let lesson = lesson(learn, cx).ok_or("no lesson is open or selected")?;
    let glossary = learn.shelf().glossary.clone();
    let lens = cx.lens;
    Ok(Work::Later(Box::new(move || {
        handout(&lesson, &glossary, answers, lens).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            faults.join("; ")
        })
    })))
}
