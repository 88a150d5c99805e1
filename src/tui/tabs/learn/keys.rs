//! The commands of the Learn tab.

use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};

/// Moving through a lesson or a quiz.
pub const COMMANDS: Group = group! { "Learn tab", Some(Scope::tab(Tab::Learn));
    "lesson-next" ["Enter"] "next", "start the chosen lesson; answer the question; go on to the next step" => |a, _| a.lesson_next();
    "lesson-back" ["Backspace"] "step back", "the lesson's step before" => |a, _| a.cx.lesson_back();
    "lesson-return" ["x"] "to the step", "after wandering: the search is brought back to where the step has it" => |a, _| a.cx.lesson_return();
    "lesson-hint" ["H"] "hint", "a hint for the lesson's question" => |a, _| a.cx.show_hint();
    "lesson-present" ["P"] "present", "for a class: large text, a click goes on, keys and figures are hidden; again: as before" => |a, _| a.cx.toggle_presenting();
    "lesson-leave" ["Esc"] "leave", "leave the lesson or the quiz; what was explored before is there again" => |a, _| a.leave_lesson();
    "lesson-text-down" ["."] "text down", "scroll the text" => |a, n| a.cx.scroll_text(n.unwrap_or(1) as isize);
    "lesson-text-up" [","] "text up", "scroll the text back" => |a, n| a.cx.scroll_text(-(n.unwrap_or(1) as isize));
};
