//! What the inspector does not show beside a lesson's text: what the lesson has not introduced, and what may be the answer
//! to an open question.

use super::content::Content;
use crate::context::Context;
use crate::views::axis::without_belief;
use session::Policy;
use studies::lesson::Fact;

/// Removes it from the content.
pub(super) fn leave_out(cx: &Context, content: &mut Content) {
    let shows = |fact| cx.shows(fact);
    let view = &mut content.facts.view;
    if !shows(Fact::Windows) {
        view.window = None;
    }
    if !shows(Fact::Policy) {
        view.policy = None;
    }
    if !shows(Fact::Beliefs) {
        content.facts.belief = None;
        content.reported = None;
        content.plotted.mark = without_belief(content.plotted.mark);
        for child in &mut content.children {
            child.plotted.mark = without_belief(child.plotted.mark);
        }
    }
    // The shares of the replies are those of the policy or of the work.
    let shares = if content.policy == Some(Policy::Best) {
        Fact::Policy
    } else {
        Fact::Work
    };
    if !shows(shares) {
        content.children.clear();
    }
    if !shows(Fact::BackUp) {
        content.explained.facts.clear();
        content.explained.blocks.retain(|block| !block.leads);
    }
    if !shows(Fact::Allocation) {
        content.explained.blocks.retain(|block| block.leads);
    }
    if !shows(Fact::Windows) {
        content.rules.alpha = None;
        content.rules.beta = None;
    }
    if !shows(Fact::Fates) {
        content.gauge.clear();
    }
    content.depths = shows(Fact::Depths);
    if !shows(Fact::Rules) {
        content.applied.clear();
    }
    if cx.hides_best() {
        content.line.clear();
        content.children.clear();
        content.rules.best = None;
        content.explained.blocks.clear();
        // The sentence may name the best reply.
        content.why.clear();
    }
}
