//! What changed in a row since the search last stopped.

use crate::context::Context;
use crate::panes::debugger::marks::Figures;
use crate::panes::tree::Row;
use crate::views::facts::{Facts, Numbers};
use report::lens::Scores;
use screen::glyphs::Glyphs;

/// The changes to mark.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// Whether the row is new.
    pub new: bool,
    /// Its value before and now, as shown; an empty text means that there was or is none.
    pub value: Option<(String, String)>,
    /// Whether it has more visits or nodes.
    pub work: bool,
    pub fate: bool,
}

impl Changed {
    /// Returns the changes of a row with these facts; none while the search is not stopped at an event.
    pub fn of(
        cx: &Context,
        numbers: &Numbers,
        row: &Row,
        facts: &Facts,
        scores: &Scores,
    ) -> Changed {
        if cx.explore.debug.stop.is_none() || row.node.is_none() {
            return Changed::default();
        }
        if cx.explore.debug.marks.is_new(row.node) {
            return Changed {
                new: true,
                ..Changed::default()
            };
        }
        let Some(before) = cx.explore.debug.marks.before(row) else {
            return Changed::default();
        };
        let now = Figures::of(facts);
        let value = |figures| numbers.mean_of(&scores.seen(figures));
        let values = (value(*before), value(now));
        Changed {
            new: false,
            value: (values.0 != values.1).then_some(values),
            work: before.view.visits != now.view.visits || before.view.nodes != now.view.nodes,
            fate: before.view.fate.kind() != now.view.fate.kind(),
        }
    }

    /// Returns the text before the reason: `new`, `+.09→+.11`.
    pub fn words(&self, glyphs: &Glyphs) -> Option<String> {
        if self.new {
            return Some("new".to_owned());
        }
        let (before, now) = self.value.as_ref()?;
        let shown = |value: &String| match value.as_str() {
            "" => glyphs.ellipsis.to_string(),
            value => value.to_owned(),
        };
        Some(glyphs.text(&format!("{}→{}", shown(before), shown(now))))
    }
}
