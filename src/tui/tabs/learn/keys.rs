//! The commands of the Learn tab.

use crate::commands::{Group, group};
use crate::tabs::{Scope, Tab};

/// Moving through a lesson or a quiz.
pub const COMMANDS: Group = group! { "Learn tab", Some(Scope::tab(Tab::Learn));
    "lesson-next" ["Enter"] as "board-here" "next", "start the chosen lesson; answer the question; go on to the next step" => |a, _| a.lesson_next();
    "lesson-back" ["Backspace"] "step back", "back to the previous step of the lesson" => |a, _| a.cx.lesson_back();
    "lesson-return" ["x"] as "restart" "to the step", "bring the search back to where this step of the lesson has it" => |a, _| a.cx.lesson_return();
    "lesson-hint" ["H"] "hint", "a hint for the lesson's question" => |a, _| a.cx.show_hint();
    "lesson-leave" ["Esc"] as "cancel" "leave", "leave the lesson or the quiz; what was explored before is there again" => |a, _| a.leave_lesson();
    "lesson-text-down" ["Ctrl-e"] "text down", "scroll the text" => |a, n| a.cx.scroll_text(n.unwrap_or(1) as isize);
    "lesson-text-up" ["Ctrl-y"] "text up", "scroll the text back" => |a, n| a.cx.scroll_text(-(n.unwrap_or(1) as isize));
};
