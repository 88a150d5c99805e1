//! The commands of the debugger.

use crate::commands::{Group, group};
use session::debug::Step;

/// Stepping, breakpoints, the log, and what is forced on the search.
pub const COMMANDS: Group = group! { "Debugger", None;
    "step" ["s"] "step", "step into: to the next event (a count before it: that many)" => |a, n| a.cx.step(Step::Into, n);
    "step-over" ["n"] "over", "step over: until this node's subtree, or this descent, is finished" => |a, n| a.cx.step(Step::Over, n);
    "step-out" ["u"] "out", "step out: until this node is left" => |a, n| a.cx.step(Step::Out, n);
    "step-back" ["b"] "back", "step back: the state one event before", also "undo rewind reverse" => |a, n| a.cx.step_back(n);
    "run-to-break" ["r"] "to break", "run to the next breakpoint" => |a, n| a.cx.step(Step::ToBreak, n);
    "breakpoints" ["B"] "breakpoints", "the breakpoints, at which every run stops: switch on or off, add, change, delete", also "stop pause condition" => |a, _| a.cx.show_breakpoints();
    "break-here" ["M"] "break here", "break when the search comes to the selected node; again: remove that breakpoint" => |a, _| a.cx.toggle_break_at("at");
    "run-to-here" ["c"] "run to here", "run until the search comes to the selected node next" => |a, _| a.cx.run_to_here();
    "restart-stopped" ["X"] "restart, stopped", "restart the search and stop at its first event" => |a, _| a.cx.restart_stopped();
    "break" [""] "break at", "add a breakpoint: on cutoff, at \"e4 e5\", when visits >= 1000", also "breakpoint stop watch condition" => |a, _| a.cx.ask_breakpoint();
    "break-on-change" ["g w"] "watch", "break when the selected node changes; again: remove that breakpoint" => |a, _| a.cx.toggle_break_at("changes");
    "goto" ["g e"] "go to event", "go to an event by its number (a count before it, or asked for); in the log: to the selected one" => |a, n| a.cx.ask_event(n);
    "first-event" ["("] "earliest event", "go back to the earliest event that can be reached" => |a, _| a.cx.go_to_end_of_time(false);
    "last-event" [")"] "furthest event", "go forward to the furthest event seen" => |a, _| a.cx.go_to_end_of_time(true);
    "node-events" ["L"] "its events", "show only the selected node's events in the log; again: all" => |a, _| a.cx.show_node_events();
    "log-filter" [""] "filter the log", "show only some events: a kind, or an expression as in breakpoints" => |a, _| a.cx.ask_log_filter();
    "debugger" ["D"] "debugger", "show or hide the event log and the scrubber", also "events log trace" => |a, _| a.cx.toggle_debugger();
    "quiz" ["Q"] "quiz", "a quiz on this position and algorithm: the search stops and asks what happens next; again: end it" => |a, _| a.toggle_quiz();
    "search-more" ["+"] "search more", "give the selected node the next 10,000 nodes (a count: that many times 10,000)", also "deeper depth" => |a, n| a.cx.search_more(n.unwrap_or(1));
    "never" ["-"] "never", "never search the selected move; again: readmit it", also "exclude forbid remove" => |a, _| a.cx.never();
    "only" ["="] "only this", "at its parent search only the selected move; again: all", also "restrict searchmoves" => |a, _| a.cx.only();
    "leaf-search" ["g l"] "leaf's search", "how the selected leaf was searched (distress): its alpha-beta as a tree with events, futility included; again: back", also "futility quiescence alpha-beta prune" => |a, _| a.cx.toggle_leaf_search();
    "run-again" ["g x"] "run again", "run the attached program again for all that is below the selected row, which a filter left out; it says whether it is the same search", also "zoom filter subtree not sent rerun open trace" => |a, _| a.cx.ask_run_again();
    "copy-trap" ["g y"] "gdb command", "copy the command that runs the traced program under gdb and stops it in its own source at the event shown", also "debugger trap breakpoint clipboard sigtrap" => |a, _| a.cx.copy_trap();
    "cancel" ["Esc"] "cancel", "cancel a rewind, a run to a breakpoint or a program that runs again; go back from a leaf's search or from such a program; in the log: show all events again", also "stop abort" => |a, _| a.cancel();
};
